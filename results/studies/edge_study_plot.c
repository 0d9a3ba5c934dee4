/* Figures of the study of EDGE blocks: those of the Calipers paper, section 6. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/studies/edge_study.h"
#include "sim/base/file.h"

enum { FIGURE_INSTRUCTIONS, FIGURE_CYCLES, FIGURE_FORMATS, NR_FIGURES };

const char *const edge_study_figures[] = {
	[FIGURE_INSTRUCTIONS] = "study_edge_instructions",
	[FIGURE_CYCLES] = "study_edge_cycles",
	[FIGURE_FORMATS] = "study_edge_formats",
	[NR_FIGURES] = NULL,
};

#define LABEL_BYTES 256
#define MOST_SERIES ((unsigned)NR_EDGE_CAUSES)

/* "xz" of ".../xz.stream". */
static void name_stream(const char *stream, char label[LABEL_BYTES])
{
	const char *slash = strrchr(stream, '/'), *name = slash ? slash + 1 : stream, *end = strstr(name, ".stream");
	snprintf(label, LABEL_BYTES, "%.*s", end ? (int)(end - name) : LABEL_BYTES - 1, name);
}

static double value_of(unsigned figure, const struct edge_program *p, unsigned series)
{
	switch (figure) {
	case FIGURE_INSTRUCTIONS:
		return edge_critical_pct(&p->of[EDGE_FOUR], (enum edge_kind)series);
	case FIGURE_CYCLES:
		return edge_cause_pct(&p->of[EDGE_FOUR], (enum edge_cause)series);
	default:
		return edge_cpi(p, (enum edge_variant)series);
	}
}

static const char *series_of(unsigned figure, unsigned series)
{
	switch (figure) {
	case FIGURE_INSTRUCTIONS:
		return edge_kind_name((enum edge_kind)series);
	case FIGURE_CYCLES:
		return edge_cause_name((enum edge_cause)series);
	default:
		return edge_variant_name((enum edge_variant)series);
	}
}

static void describe(unsigned figure, struct chart *c)
{
	static const char *const titles[NR_FIGURES] = {
		[FIGURE_INSTRUCTIONS] = "Instructions on the critical path of synthetic EDGE blocks",
		[FIGURE_CYCLES] = "Cycles on the critical path of synthetic EDGE blocks",
		[FIGURE_FORMATS] = "Formats of synthetic EDGE blocks",
	};
	static const char *const axes[NR_FIGURES] = {"% of critical instructions", "% of cycles",
						     "cycles per instruction of the stream"};
	static const char *const keys[NR_FIGURES] = {"critical_pct", "cycles_pct", "cpi"};
	c->title = titles[figure];
	c->value_axis = axes[figure];
	c->value_key = keys[figure];
	c->unit = figure == FIGURE_FORMATS ? "" : "%";
}

/* A row per stream, and their mean if there are several. */
static bool draw(unsigned figure, struct chart *c, const struct edge_program *programs, size_t nr, struct figure *f)
{
	static const unsigned counts[NR_FIGURES] = {NR_EDGE_KINDS, NR_EDGE_CAUSES, NR_EDGE_VARIANTS};
	unsigned nr_series = counts[figure];
	const char *series[MOST_SERIES];
	const char **labels = calloc(nr + 1, sizeof(*labels));
	char(*texts)[LABEL_BYTES] = calloc(nr + 1, sizeof(*texts));
	double *values = calloc((nr + 1) * nr_series, sizeof(*values));
	bool ok = labels && texts && values;
	for (unsigned k = 0; k < nr_series; k++)
		series[k] = series_of(figure, k);
	for (size_t i = 0; ok && i <= nr; i++) {
		labels[i] = texts[i];
		if (i == nr) {
			snprintf(texts[i], LABEL_BYTES, "mean");
			break;
		}
		name_stream(programs[i].stream, texts[i]);
		for (unsigned k = 0; k < nr_series; k++) {
			values[i * nr_series + k] = value_of(figure, &programs[i], k);
			values[nr * nr_series + k] += values[i * nr_series + k] / (double)nr;
		}
	}
	const struct chart_bars bars = {.labels = labels,
					.nr_rows = nr > 1 ? nr + 1 : nr,
					.series = series,
					.nr_series = nr_series,
					.values = values,
					.nr_apart = nr > 1 ? 1 : 0,
					.is_stacked = figure != FIGURE_FORMATS};
	describe(figure, c);
	if (ok)
		chart_bars(c, &bars, f);
	free(labels);
	free(texts);
	free(values);
	return ok;
}

enum sahm_status edge_study_plot_write(const struct edge_study *s, const struct edge_program *programs, size_t nr,
				       const char *folder, struct sahm_err *err)
{
	char subtitle[160];
	enum sahm_status status = file_make_folder(folder, err);
	snprintf(subtitle, sizeof(subtitle), "synthetic: made from executed paths; %u of %u in flight, %zu stream%s",
		 edge_study_in_flight(s), edge_study_block_size(s), nr, nr == 1 ? "" : "s");
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++) {
		struct chart c = {.subtitle = subtitle, .row_key = "stream", .row_words = "streams", .synthetic = true};
		struct figure f;
		figure_init(&f, edge_study_figures[i]);
		status = draw(i, &c, programs, nr, &f) ? figure_write(&f, folder, err) : sahm_fail_nomem(err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status edge_study_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++)
		status = plot_draw(folder, edge_study_figures[i], notes, err);
	return status;
}
