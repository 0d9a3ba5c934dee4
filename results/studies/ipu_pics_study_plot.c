/* Figures of the study of cycle stacks by an introspection unit: those of the dissertation, section 2.5. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/studies/ipu_pics_study.h"
#include "sim/base/file.h"

enum { FIGURE_STACKS, FIGURE_DROPS, NR_FIGURES };

const char *const ipu_pics_figures[] = {
	[FIGURE_STACKS] = "study_ipu_pics_stacks",
	[FIGURE_DROPS] = "study_ipu_pics_drops",
	[NR_FIGURES] = NULL,
};

#define LABEL_BYTES 64
/* Programs whose stacks are drawn, as in the dissertation. */
#define MAX_SHOWN 2u
/* Signatures that have a colour each; the others share one. */
#define MAX_SERIES 8u

/* "xz" of ".../xz.stream". */
static void name_stream(const char *stream, char label[LABEL_BYTES])
{
	const char *name = base_name(stream), *end = strstr(name, ".stream");
	snprintf(label, LABEL_BYTES, "%.*s", end ? (int)(end - name) : LABEL_BYTES - 1, name);
}

/* ---- Drop errors, figure 2.10 ---- */

/* Bars: the drop error in each setting. Marks: that of pairs of PC and events in the first one, and the cycles of
 * missing PCs in the one that loses PCs. */
#define NR_DROP_MARKS 2u
#define NR_DROP_SERIES (NR_IPU_PICS_SETTINGS + NR_DROP_MARKS)

static bool draw_drops(struct chart *c, const struct ipu_pics_program *programs, size_t nr, struct figure *f)
{
	const char *series[NR_DROP_SERIES];
	char(*texts)[LABEL_BYTES] = calloc(nr + 1, sizeof(*texts));
	const char **labels = calloc(nr + 1, sizeof(*labels));
	double *values = calloc((nr + 1) * NR_DROP_SERIES, sizeof(*values));
	bool ok = texts && labels && values;
	c->title = "Drop error of cycle stacks by an introspection unit";
	c->value_axis = "error, cycles of missing PCs (%)";
	c->value_key = "pct";
	c->row_key = "stream";
	c->row_words = "streams";
	for (unsigned u = 0; u < NR_IPU_PICS_SETTINGS; u++)
		series[u] = ipu_pics_name((enum ipu_pics_unit)u);
	series[NR_IPU_PICS_SETTINGS] = "PC with events in sub-sample";
	series[NR_IPU_PICS_SETTINGS + 1] = "missing PCs in late";
	for (size_t i = 0; ok && i < nr; i++) {
		double *row = &values[i * NR_DROP_SERIES], *mean = &values[nr * NR_DROP_SERIES];
		for (unsigned u = 0; u < NR_IPU_PICS_SETTINGS; u++)
			row[u] = 100 * programs[i].of[u].drop_error;
		row[NR_IPU_PICS_SETTINGS] = 100 * programs[i].of[IPU_PICS_SUB_SAMPLE].row_error;
		row[NR_IPU_PICS_SETTINGS + 1] = 100 * programs[i].of[IPU_PICS_LATE].missing;
		for (unsigned u = 0; u < NR_DROP_SERIES; u++)
			mean[u] += row[u] / (double)nr;
		name_stream(programs[i].stream, texts[i]);
		labels[i] = texts[i];
	}
	if (ok) {
		labels[nr] = "mean";
		const struct chart_bars bars = {.labels = labels,
						.nr_rows = nr + 1,
						.series = series,
						.nr_series = NR_DROP_SERIES,
						.nr_marks = NR_DROP_MARKS,
						.values = values,
						.nr_apart = 1};
		chart_bars(c, &bars, f);
	}
	free(texts);
	free(labels);
	free(values);
	return ok;
}

/* ---- Stacks, figure 2.8(b) ---- */

static double top_share(const struct ipu_pics_program *p)
{
	double sum = 0;
	for (unsigned i = 0; i < p->nr_tops; i++)
		sum += p->tops[i].pct;
	return sum;
}

/* The programs of whose cycles the highest stacks have the largest share: shown[MAX_SHOWN]. Returns how many. */
static unsigned choose_programs(const struct ipu_pics_program *programs, size_t nr, size_t *shown)
{
	unsigned n = 0;
	for (; n < MAX_SHOWN && n < nr; n++) {
		shown[n] = nr;
		for (size_t i = 0; i < nr; i++) {
			bool is_taken = n > 0 && shown[0] == i;
			if (!is_taken && (shown[n] == nr || top_share(&programs[i]) > top_share(&programs[shown[n]])))
				shown[n] = i;
		}
	}
	return n;
}

struct stack_bars {
	const struct ipu_pics_top *tops[MAX_SHOWN * IPU_PICS_TOPS];
	char labels[MAX_SHOWN * IPU_PICS_TOPS][LABEL_BYTES];
	unsigned nr_rows;
	unsigned signatures[MAX_SERIES]; /* [nr_signatures], ascending */
	unsigned nr_signatures;
};

static double height_of(const struct stack_bars *b, unsigned signature)
{
	double sum = 0;
	for (unsigned i = 0; i < b->nr_rows; i++)
		sum += (double)b->tops[i]->parts[signature];
	return sum;
}

static int by_number(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void choose_signatures(struct stack_bars *b)
{
	bool is_taken[NR_SIGNATURES] = {false};
	for (;;) {
		unsigned best = NR_SIGNATURES;
		for (unsigned k = 0; k < NR_SIGNATURES; k++)
			if (!is_taken[k] && height_of(b, k) > 0 &&
			    (best == NR_SIGNATURES || height_of(b, k) > height_of(b, best)))
				best = k;
		if (best == NR_SIGNATURES || b->nr_signatures == MAX_SERIES)
			break;
		is_taken[best] = true;
		b->signatures[b->nr_signatures++] = best;
	}
	qsort(b->signatures, b->nr_signatures, sizeof(b->signatures[0]), by_number);
}

static void add_program(struct stack_bars *b, const struct ipu_pics_program *p)
{
	char name[LABEL_BYTES];
	name_stream(p->stream, name);
	for (unsigned i = 0; i < p->nr_tops; i++) {
		snprintf(b->labels[b->nr_rows], LABEL_BYTES, "%.20s 0x%" PRIx32, name, p->tops[i].pc);
		b->tops[b->nr_rows++] = &p->tops[i];
	}
}

static bool draw_stacks(struct chart *c, const struct ipu_pics_program *programs, size_t nr, struct figure *f)
{
	struct stack_bars *b = calloc(1, sizeof(*b));
	const char *labels[MAX_SHOWN * IPU_PICS_TOPS], *series[MAX_SERIES + 1];
	char names[MAX_SERIES + 1][STACK_SIGNATURE_NAME_BYTES];
	double values[MAX_SHOWN * IPU_PICS_TOPS * (MAX_SERIES + 1)] = {0};
	size_t shown[MAX_SHOWN];
	if (!b)
		return false;
	unsigned nr_shown = choose_programs(programs, nr, shown);
	for (unsigned i = 0; i < nr_shown; i++)
		add_program(b, &programs[shown[i]]);
	choose_signatures(b);
	unsigned nr_series = b->nr_signatures;
	bool has_others = false;
	for (unsigned i = 0; i < b->nr_rows; i++) {
		double left = b->tops[i]->pct;
		for (unsigned k = 0; k < b->nr_signatures; k++)
			left -= (double)b->tops[i]->parts[b->signatures[k]];
		has_others |= left > 0.01;
	}
	for (unsigned k = 0; k < b->nr_signatures; k++)
		series[k] = signature_name(b->signatures[k], names[k]);
	if (has_others)
		series[nr_series++] = "others";
	for (unsigned i = 0; i < b->nr_rows; i++) {
		double *row = &values[i * nr_series], left = b->tops[i]->pct;
		labels[i] = b->labels[i];
		for (unsigned k = 0; k < b->nr_signatures; k++) {
			row[k] = (double)b->tops[i]->parts[b->signatures[k]];
			left -= row[k];
		}
		if (has_others)
			row[nr_series - 1] = left > 0 ? left : 0;
	}
	c->title = "The highest cycle stacks that an introspection unit reports";
	c->value_axis = "cycles (%)";
	c->value_key = "cycles_pct";
	c->row_key = "stack";
	c->row_words = "stacks";
	const struct chart_bars bars = {.labels = labels,
					.nr_rows = b->nr_rows,
					.series = series,
					.nr_series = nr_series,
					.values = values,
					.is_stacked = true};
	chart_bars(c, &bars, f);
	free(b);
	return true;
}

enum sahm_status ipu_pics_plot_write(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr,
				     const char *folder, struct sahm_err *err)
{
	char subtitle[160];
	enum sahm_status status = file_make_folder(folder, err);
	snprintf(subtitle, sizeof(subtitle), "%.60s, %zu stream%s, a sample in %" PRIu64 " cycles", s->core, nr,
		 nr == 1 ? "" : "s", s->period);
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++) {
		struct chart c = {.subtitle = subtitle, .unit = "%"};
		struct figure f;
		figure_init(&f, ipu_pics_figures[i]);
		bool ok = i == FIGURE_STACKS ? draw_stacks(&c, programs, nr, &f) : draw_drops(&c, programs, nr, &f);
		status = ok ? figure_write(&f, folder, err) : sahm_fail_nomem(err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status ipu_pics_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++)
		status = plot_draw(folder, ipu_pics_figures[i], notes, err);
	return status;
}
