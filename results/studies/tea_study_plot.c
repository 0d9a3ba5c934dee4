/* Figures of the study of samplers: those of paper TEA, section 5. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/studies/tea_study_internal.h"
#include "sim/base/file.h"

enum { FIGURE_PROGRAMS, FIGURE_CORRELATIONS, FIGURE_PERIODS, FIGURE_GRANULARITIES, NR_FIGURES };

const char *const tea_study_figures[] = {
	[FIGURE_PROGRAMS] = "study_tea_errors",
	[FIGURE_CORRELATIONS] = "study_tea_correlations",
	[FIGURE_PERIODS] = "study_tea_periods",
	[FIGURE_GRANULARITIES] = "study_tea_granularities",
	[NR_FIGURES] = NULL,
};

#define LABEL_BYTES 256

/* Bars of errors: nr_rows, the schemes in each. */
struct rows {
	size_t nr;
	const char **labels;
	char (*texts)[LABEL_BYTES];
	double *values; /* [nr][NR_STACK_SCHEMES] */
};

static bool rows_init(struct rows *r, size_t nr)
{
	*r = (struct rows){.nr = nr};
	r->labels = calloc(nr, sizeof(*r->labels));
	r->texts = calloc(nr, sizeof(*r->texts));
	r->values = calloc(nr * NR_STACK_SCHEMES, sizeof(*r->values));
	for (size_t i = 0; r->labels && r->texts && i < nr; i++)
		r->labels[i] = r->texts[i];
	return r->labels && r->texts && r->values;
}

static void rows_release(struct rows *r)
{
	free(r->labels);
	free(r->texts);
	free(r->values);
}

/* "xz" of ".../xz.stream". */
static void name_stream(const char *stream, char label[LABEL_BYTES])
{
	const char *slash = strrchr(stream, '/'), *name = slash ? slash + 1 : stream, *end = strstr(name, ".stream");
	snprintf(label, LABEL_BYTES, "%.*s", end ? (int)(end - name) : LABEL_BYTES - 1, name);
}

static void mean_values(const struct tea_program *programs, size_t nr, unsigned period, enum pics_by by, double *values)
{
	for (unsigned k = 0; k < NR_STACK_SCHEMES; k++)
		values[k] = tea_study_mean(programs, nr, period, (enum stack_scheme)k, by).error;
}

static void draw_rows(const struct chart *c, const struct rows *r, size_t nr_apart, struct figure *f)
{
	const char *series[NR_STACK_SCHEMES];
	for (unsigned k = 0; k < NR_STACK_SCHEMES; k++)
		series[k] = stack_scheme_name((enum stack_scheme)k);
	const struct chart_bars bars = {.labels = r->labels,
					.nr_rows = r->nr,
					.series = series,
					.nr_series = NR_STACK_SCHEMES,
					.values = r->values,
					.nr_apart = nr_apart};
	chart_bars(c, &bars, f);
}

static bool draw_programs(struct chart *c, const struct tea_program *programs, size_t nr, struct figure *f)
{
	struct rows r;
	bool ok = rows_init(&r, nr + 1);
	c->title = "Error of sampled cycle stacks, by instruction";
	c->row_key = "stream";
	c->row_words = "streams";
	for (size_t i = 0; ok && i < nr; i++) {
		name_stream(programs[i].stream, r.texts[i]);
		mean_values(&programs[i], 1, 0, PICS_INSTRUCTION, &r.values[i * NR_STACK_SCHEMES]);
	}
	if (ok) {
		snprintf(r.texts[nr], LABEL_BYTES, "mean");
		mean_values(programs, nr, 0, PICS_INSTRUCTION, &r.values[nr * NR_STACK_SCHEMES]);
		draw_rows(c, &r, 1, f);
	}
	rows_release(&r);
	return ok;
}

static bool draw_granularities(struct chart *c, const struct tea_program *programs, size_t nr, struct figure *f)
{
	struct rows r;
	bool ok = rows_init(&r, NR_PICS_BY);
	c->title = "Mean error of sampled cycle stacks, by granularity";
	c->row_key = "by";
	c->row_words = "granularities";
	for (unsigned by = 0; ok && by < NR_PICS_BY; by++) {
		snprintf(r.texts[by], LABEL_BYTES, "%s", pics_by_words[by]);
		mean_values(programs, nr, 0, (enum pics_by)by, &r.values[by * NR_STACK_SCHEMES]);
	}
	if (ok)
		draw_rows(c, &r, 0, f);
	rows_release(&r);
	return ok;
}

static bool draw_periods(struct chart *c, const struct tea_study *s, const struct tea_program *programs, size_t nr,
			 struct figure *f)
{
	struct rows r;
	bool ok = rows_init(&r, s->nr_periods);
	c->title = "Mean error of sampled cycle stacks, by instruction and period";
	c->row_key = "period_cycles";
	c->row_words = "periods";
	for (unsigned i = 0; ok && i < s->nr_periods; i++) {
		snprintf(r.texts[i], LABEL_BYTES, "%" PRIu64 " cycles", s->periods[i]);
		mean_values(programs, nr, i, PICS_INSTRUCTION, &r.values[i * NR_STACK_SCHEMES]);
	}
	if (ok)
		draw_rows(c, &r, 0, f);
	rows_release(&r);
	return ok;
}

static bool draw_correlations(struct chart *c, const struct tea_program *programs, size_t nr, struct figure *f)
{
	const char *labels[NR_STACK_EVENTS];
	struct box boxes[NR_STACK_EVENTS];
	struct chart_dots dots[NR_STACK_EVENTS];
	double *values = calloc(nr * NR_STACK_EVENTS, sizeof(*values));
	const struct chart_boxes b = {
		.labels = labels, .boxes = boxes, .nr = NR_STACK_EVENTS, .dots = dots, .box_words = "streams"};
	c->title = "Correlation of executions with an event and their cycles, by static instruction";
	c->value_axis = "Pearson's r";
	c->value_key = "r";
	c->row_key = "event";
	c->row_words = "events";
	c->unit = "";
	for (unsigned e = 0; values && e < NR_STACK_EVENTS; e++) {
		double *own = &values[e * nr];
		size_t n = tea_correlations(programs, nr, (enum stack_event)e, own);
		bool has_box = n >= MIN_BOX_VALUES;
		labels[e] = stack_event_name((enum stack_event)e);
		boxes[e] = n > 0 ? box_of(own, n) : (struct box){NAN, NAN, NAN, NAN, NAN, NAN};
		dots[e] = (struct chart_dots){own, has_box ? 0 : n};
	}
	if (values)
		chart_boxes(c, &b, f);
	free(values);
	return values;
}

static bool draw(unsigned which, struct chart *c, const struct tea_study *s, const struct tea_program *programs,
		 size_t nr, struct figure *f)
{
	switch (which) {
	case FIGURE_PROGRAMS:
		return draw_programs(c, programs, nr, f);
	case FIGURE_CORRELATIONS:
		return draw_correlations(c, programs, nr, f);
	case FIGURE_PERIODS:
		return draw_periods(c, s, programs, nr, f);
	default:
		return draw_granularities(c, programs, nr, f);
	}
}

enum sahm_status tea_study_plot_write(const struct tea_study *s, const struct tea_program *programs, size_t nr,
				      const char *folder, struct sahm_err *err)
{
	char streams[120], sampled[200];
	enum sahm_status status = file_make_folder(folder, err);
	snprintf(streams, sizeof(streams), "%.60s, %zu stream%s", s->core, nr, nr == 1 ? "" : "s");
	snprintf(sampled, sizeof(sampled), "%s, a sample in %" PRIu64 " cycles", streams, s->periods[0]);
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++) {
		bool has_one_period = i == FIGURE_PROGRAMS || i == FIGURE_GRANULARITIES;
		struct chart c = {.subtitle = has_one_period ? sampled : streams,
				  .value_axis = "error (%)",
				  .value_key = "error_pct",
				  .unit = "%"};
		struct figure f;
		figure_init(&f, tea_study_figures[i]);
		status = draw(i, &c, s, programs, nr, &f) ? figure_write(&f, folder, err) : sahm_fail_nomem(err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status tea_study_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++)
		status = plot_draw(folder, tea_study_figures[i], notes, err);
	return status;
}
