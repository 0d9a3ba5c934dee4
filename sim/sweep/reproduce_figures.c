/* Tables and figures from what was carried out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/study_space.h"
#include "results/chart/chart.h"
#include "results/metrics/csv.h"
#include "results/report/characterize_plot.h"
#include "results/studies/claims.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/sweep/reproduce_internal.h"

#define MEAN "mean"

/* "39 traces, synthetic"; trace_words.h. */
static const char *subtitle(struct reproducing *p)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%zu trace%s", p->study.nr, p->study.nr == 1 ? "" : "s");
	const struct trace_counts counts = characterize_count(&p->study);
	trace_words_write(&counts, &b);
	const char *text = textbuf_keep(&b, &p->r->arena);
	p->failed |= !text;
	return text;
}

static const char *prefix(const struct reproducing *p)
{
	return trace_words_prefix(p->r->nr_synthetic > 0, p->r->nr_nominal > 0);
}

/* A chart of speedups; `rows` are "programs", a row's column is called `key`. */
static struct chart chart_of(struct reproducing *p, const struct reproduce_paper *paper, const char *title,
			     const char *key, const char *rows)
{
	return (struct chart){.paper = paper->values,
			      .nr_paper = paper->nr,
			      .title = title,
			      .subtitle = subtitle(p),
			      .value_axis = "speedup (%)",
			      .value_key = "speedup_pct",
			      .row_key = key,
			      .row_words = rows,
			      .unit = "%",
			      .synthetic = p->r->nr_synthetic > 0,
			      .nominal = p->r->nr_nominal > 0};
}

/* A drawing must not be taken for whole when memory was short: SAHM_NOMEM then. */
static enum sahm_status checked(const struct figure *f, struct sahm_err *err)
{
	return textbuf_failed(&f->data) || textbuf_failed(&f->script) || textbuf_failed(&f->alt) ? sahm_fail_nomem(err)
												 : SAHM_OK;
}

/* Column of expected values: what the claim's row says. */
static void percentile_row(struct reproducing *p, unsigned c, const enum claim claims[2], const char *by_hand,
			   struct textbuf *out)
{
	const struct cuts *cuts[] = {&p->p25, &p->p50};
	csv_string(out, metric_rows[c].key);
	csv_string(out, metric_rows[c].unit);
	for (unsigned i = 0; i < 2; i++) {
		csv_string(out, claim_rows[claims[i]].expected);
		csv_double(out, p->known[i] >> c & 1u ? cuts_get(cuts[i], (enum component)c) : NAN);
	}
	csv_string(out, by_hand);
	csv_end_row(out);
}

static enum sahm_status table_4_3(struct reproducing *p, struct sahm_err *err)
{
	struct textbuf *out = &p->r->tables[REPRODUCED_T4_3];
	textbuf_printf(out, "metric,unit,paper_p25,%sp25,paper_p50,%sp50,intuitive", prefix(p), prefix(p));
	csv_end_row(out);
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive)                                         \
	percentile_row(p, COMPONENT_##suffix, (const enum claim[]){CLAIM_P25_##suffix, CLAIM_P50_##suffix}, intuitive, \
		       out);
#include "cores/chip/metric_list.h"
#undef METRIC
	return textbuf_failed(out) ? sahm_fail_nomem(err) : SAHM_OK;
}

static enum sahm_status figure_4_7(struct reproducing *p, const struct reproduce_paper *paper, struct figure *f,
				   struct sahm_err *err)
{
	const struct paper_result *s = &p->results[PAPER_LIMIT];
	unsigned nr_series = 1 + s->nr_beside;
	uint32_t nr = s->nr_threads;
	const char **labels = arena_alloc(&p->r->arena, nr + 1, sizeof(*labels));
	const char *series[1 + MAX_BESIDE] = {"limit"};
	double *values = arena_alloc(&p->r->arena, (size_t)(nr + 1) * nr_series, sizeof(*values));
	double *limits = arena_alloc(&p->r->arena, nr, sizeof(*limits));
	if (!labels || !values || !limits)
		return sahm_fail_nomem(err);
	for (unsigned i = 0; i < s->nr_beside; i++) {
		struct textbuf b;
		textbuf_init(&b);
		textbuf_puts(&b, "simulated at ");
		number_write_double(&b, ms_of_ns(s->beside_ns[i]), 0);
		textbuf_puts(&b, " ms");
		series[1 + i] = textbuf_keep(&b, &p->r->arena);
		if (!series[1 + i])
			return sahm_fail_nomem(err);
	}
	reproduce_speedups(s, 0, limits);
	for (uint32_t t = 0; t < nr; t++) {
		double *row = values + (size_t)t * nr_series, *means = values + (size_t)nr * nr_series;
		labels[t] = s->records[0].threads[t].name;
		row[0] = limits[t];
		for (unsigned i = 0; i < s->nr_beside; i++)
			row[1 + i] = 100 * s->beside[(size_t)t * s->nr_beside + i];
		for (unsigned i = 0; i < nr_series; i++)
			means[i] += row[i] / nr;
	}
	labels[nr] = MEAN;
	const struct chart c = chart_of(p, paper, "Upper bound of the canonical chip", "program", "programs");
	const struct chart_bars bars = {.labels = labels,
					.nr_rows = (size_t)nr + 1,
					.series = series,
					.nr_series = nr_series,
					.nr_marks = s->nr_beside,
					.values = values,
					.nr_apart = 1};
	chart_bars(&c, &bars, f);
	return checked(f, err);
}

/* "mean, simulated at 10 ms" */
static const char *mark_words(struct reproducing *p, const struct paper_result *s)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, "mean, simulated at ");
	number_write_double(&b, ms_of_ns(s->beside_ns[0]), 0);
	textbuf_puts(&b, " ms");
	const char *words = textbuf_keep(&b, &p->r->arena);
	return words;
}

static enum sahm_status figure_4_8(struct reproducing *p, const struct paper_result *s, const char *title,
				   const struct reproduce_paper *paper, struct figure *f, struct sahm_err *err)
{
	uint32_t nr = s->nr_threads;
	struct textbuf words;
	uint64_t nr_shown = 0;
	struct box *of_threads = reproduce_boxes_of_threads(p, s);
	struct box *boxes = arena_alloc(&p->r->arena, (size_t)nr + 1, sizeof(*boxes));
	const char **labels = arena_alloc(&p->r->arena, (size_t)nr + 1, sizeof(*labels)), *simulated = mark_words(p, s);
	double *marks = arena_alloc(&p->r->arena, (size_t)nr + 1, sizeof(*marks));
	if (!of_threads || !boxes || !labels || !marks || !simulated)
		return sahm_fail_nomem(err);
	for (uint64_t i = 0; i < s->nr_points; i++)
		nr_shown += reproduce_is_specialised(&s->records[i]);
	for (uint32_t t = 0; t < nr; t++) {
		boxes[t] = of_threads[t];
		labels[t] = s->records[0].threads[t].name;
		for (uint64_t i = 0; i < s->nr_points; i++)
			if (reproduce_is_specialised(&s->records[i]))
				marks[t] += 100 * s->beside[i * nr + t] / (double)nr_shown;
		marks[nr] += marks[t] / nr;
	}
	boxes[nr] = box_mean(of_threads, nr);
	labels[nr] = MEAN;
	textbuf_init(&words);
	textbuf_printf(&words, "%llu chip%s", (unsigned long long)nr_shown, nr_shown == 1 ? "" : "s");
	const struct chart c = chart_of(p, paper, title, "program", "programs");
	const struct chart_boxes chart = {.labels = labels,
					  .boxes = boxes,
					  .nr = (size_t)nr + 1,
					  .nr_apart = 1,
					  .marks = marks,
					  .mark_words = simulated,
					  .box_words = words.text};
	chart_boxes(&c, &chart, f);
	textbuf_release_part(&words, &f->script);
	return checked(f, err);
}

static enum sahm_status figure_4_9(struct reproducing *p, const struct paper_result *s, const char *title,
				   const struct reproduce_paper *paper, struct figure *f, struct sahm_err *err)
{
	struct box *boxes = reproduce_boxes_of_points(p, s);
	const char **labels = arena_alloc(&p->r->arena, s->nr_points, sizeof(*labels)), *simulated = mark_words(p, s);
	double *marks = arena_alloc(&p->r->arena, s->nr_points, sizeof(*marks));
	struct textbuf words;
	if (!boxes || !labels || !marks || !simulated)
		return sahm_fail_nomem(err);
	for (uint64_t i = 0; i < s->nr_points; i++) {
		const struct space *space = &s->sweep.space;
		labels[i] = space->nr_axes ? space_value_at(space, 0, i)->label : s->sweep.name;
		for (uint32_t t = 0; t < s->nr_threads; t++)
			marks[i] += 100 * s->beside[i * s->nr_threads + t] / s->nr_threads;
	}
	textbuf_init(&words);
	textbuf_printf(&words, "%u program%s", s->nr_threads, s->nr_threads == 1 ? "" : "s");
	const struct chart c = chart_of(p, paper, title, "chip", "chips");
	const struct chart_boxes chart = {.labels = labels,
					  .boxes = boxes,
					  .nr = s->nr_points,
					  .marks = marks,
					  .mark_words = simulated,
					  .box_words = words.text};
	chart_boxes(&c, &chart, f);
	textbuf_release_part(&words, &f->script);
	return checked(f, err);
}

/* What a run of figure 4.10 tells beside its speedup. */
static const struct {
	const char *key;
	enum run_metric metric;
	double factor;
} told[] = {
	{"speedup_pct", RUN_METRIC_speedup_mean, 100},	      {"served_pct", RUN_METRIC_served_share, 100},
	{"matched_pct", RUN_METRIC_matched_share, 100},	      {"at_transitions_pct", RUN_METRIC_transition_share, 100},
	{"migrations_per_s", RUN_METRIC_migrations_per_s, 1}, {"cost_paid_pct", RUN_METRIC_paid_share, 100},
};

static void runs_heading(struct reproducing *p, const struct paper_result *s, struct textbuf *out)
{
	const struct space *space = &s->sweep.space;
	csv_string(out, space->axes[0].name);
	csv_string(out, space->axes[1].name);
	for (size_t k = 0; k < ARRAY_SIZE(told); k++)
		textbuf_printf(out, ",%s%s", prefix(p), told[k].key);
	csv_end_row(out);
}

static void runs_table(const struct paper_result *s, struct textbuf *out)
{
	const struct space *space = &s->sweep.space;
	for (uint64_t i = 0; i < s->nr_points; i++) {
		csv_string(out, space_value_at(space, 0, i)->label);
		csv_string(out, space_value_at(space, 1, i)->label);
		for (size_t k = 0; k < ARRAY_SIZE(told); k++)
			csv_double(out, told[k].factor * s->records[i].metrics[told[k].metric]);
		csv_end_row(out);
	}
}

static enum sahm_status figure_4_10(struct reproducing *p, enum reproduced which, const struct reproduce_paper *paper,
				    struct figure *f, struct sahm_err *err)
{
	const struct paper_result *s = &p->results[reproduced_rows[which].study];
	bool is_papers = which == REPRODUCED_4_10;
	const struct space_axis *chips = &s->sweep.space.axes[0], *settings = &s->sweep.space.axes[1];
	const char **labels = arena_alloc(&p->r->arena, chips->nr_values, sizeof(*labels));
	const char **series = arena_alloc(&p->r->arena, settings->nr_values, sizeof(*series));
	double *values = arena_alloc(&p->r->arena, s->nr_points, sizeof(*values));
	if (!labels || !series || !values)
		return sahm_fail_nomem(err);
	for (uint64_t i = 0; i < chips->nr_values; i++)
		labels[i] = chips->values[i].label;
	for (uint64_t i = 0; i < settings->nr_values; i++) {
		char words[64];
		const char *name = settings->values[i].label;
		snprintf(words, sizeof(words), "%.48s%s", name,
			 !is_papers || claims_setting_is_of_study(name) ? "" : " (ours)");
		if (!(series[i] = arena_strdup(&p->r->arena, words)))
			return sahm_fail_nomem(err);
	}
	for (uint64_t i = 0; i < s->nr_points; i++)
		values[i] = 100 * s->records[i].metrics[RUN_METRIC_speedup_mean];
	runs_heading(p, s, &p->r->tables[which]);
	runs_table(s, &p->r->tables[which]);
	for (unsigned other = PAPER_CORES_32; other <= PAPER_CORES_64 && is_papers; other++)
		runs_table(&p->results[other], &p->r->tables[which]);
	struct chart c = chart_of(
		p, paper, is_papers ? "Threads that compete" : "Threads that compete, assumed and measured speedups",
		"chip", "chips");
	c.value_axis = "mean speedup of threads (%)";
	const struct chart_bars bars = {.labels = labels,
					.nr_rows = chips->nr_values,
					.series = series,
					.nr_series = (unsigned)settings->nr_values,
					.values = values,
					.numbers = true};
	chart_bars(&c, &bars, f);
	return textbuf_failed(&p->r->tables[which]) ? sahm_fail_nomem(err) : checked(f, err);
}

/* Where the chip of a point stands in the space: index of the configuration, or NR_SPACE_CONFIGS. */
static unsigned space_index(const struct record *record)
{
	static const char *const names[NR_COMPONENTS] = {
		[COMPONENT_BRANCH] = "branch", [COMPONENT_L1I] = "l1i", [COMPONENT_L1D] = "l1d", [COMPONENT_L2] = "l2"};
	static const char *const steps[SPACE_STEPS] = {"10", "20", "30"};
	unsigned index = 0;
	for (uint32_t g = 0; g < record->nr_groups; g++) {
		const struct record_core *core = &record->chip[g];
		unsigned digit = 0, place = 1;
		if (core->count != 1)
			return NR_SPACE_CONFIGS;
		if (!*core->speedups && g == 0)
			continue;
		for (unsigned c = 0; c < NR_COMPONENTS; c++, place *= SPACE_STEPS + 1)
			for (unsigned k = 0; k < SPACE_STEPS; k++)
				if (strcmp(core->type, names[c]) == 0 && strcmp(core->speedups, steps[k]) == 0)
					digit = (k + 1) * place;
		if (digit == 0)
			return NR_SPACE_CONFIGS;
		index += digit;
	}
	return index < NR_SPACE_CONFIGS ? index : NR_SPACE_CONFIGS;
}

/* The other cores of a configuration: "L1I 10, L2 30". */
static const char *others(struct arena *a, unsigned index)
{
	const struct space_config config = space_config_at(index);
	struct textbuf b;
	textbuf_init(&b);
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		if (c != COMPONENT_BRANCH && config.components >> c & 1u)
			textbuf_printf(&b, "%s%s %d %%", b.len ? " + " : "", state_name(1u << c),
				       (int)(config.speedup_ppm[c] / PPM_PER_PCT));
	if (b.len == 0)
		textbuf_puts(&b, "no other");
	const char *text = textbuf_keep(&b, a);
	return text;
}

#define NR_PANELS (SPACE_STEPS + 1)
#define NR_OTHERS (NR_SPACE_CONFIGS / NR_PANELS)

/* The whole space of configurations. SAHM_CONFIG where a chip is none of the space. */
static enum sahm_status figure_a_3(struct reproducing *p, struct figure *f, struct sahm_err *err)
{
	static const char *const panels[NR_PANELS] = {"no branch core", "branch core 10 %", "branch core 20 %",
						      "branch core 30 %"};
	const struct paper_result *s = &p->results[PAPER_BREADTH];
	const struct box *of_points = reproduce_boxes_of_points(p, s);
	struct box *boxes = arena_alloc(&p->r->arena, NR_SPACE_CONFIGS, sizeof(*boxes));
	const char *labels[NR_OTHERS];
	struct textbuf words;
	if (!of_points || !boxes)
		return sahm_fail_nomem(err);
	for (unsigned i = 0; i < NR_OTHERS; i++) {
		labels[i] = others(&p->r->arena, i * NR_PANELS);
		if (!labels[i])
			return sahm_fail_nomem(err);
	}
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++)
		boxes[i] = (struct box){NAN, NAN, NAN, NAN, NAN, NAN};
	for (uint64_t i = 0; i < s->nr_points; i++) {
		unsigned index = space_index(&s->records[i]);
		if (index == NR_SPACE_CONFIGS)
			return sahm_fail(err, SAHM_CONFIG, "%s: figure A.3 shows only chips of the paper's space",
					 s->sweep.name);
		/* The branch digit is the lowest. */
		if (index > 0)
			boxes[index % NR_PANELS * NR_OTHERS + index / NR_PANELS] = of_points[i];
	}
	textbuf_init(&words);
	textbuf_printf(&words, "%u program%s", s->nr_threads, s->nr_threads == 1 ? "" : "s");
	const struct chart c =
		chart_of(p, &(struct reproduce_paper){0}, "The whole configuration space", "other_cores", "chips");
	const struct chart_panels chart = {.panels = panels,
					   .nr_panels = NR_PANELS,
					   .labels = labels,
					   .boxes = boxes,
					   .nr = NR_OTHERS,
					   .box_words = words.text};
	chart_panels(&c, &chart, f);
	textbuf_release_part(&words, &f->script);
	return checked(f, err);
}

static enum sahm_status characterized_figure(struct reproducing *p, enum characterize_figure which,
					     const struct reproduce_paper *paper, struct figure *f,
					     struct sahm_err *err)
{
	characterize_figure(&p->study, which, paper->values, paper->nr, f);
	return checked(f, err);
}

static enum sahm_status fill(struct reproducing *p, enum reproduced which, const struct reproduce_paper *paper,
			     struct sahm_err *err)
{
	struct figure *f = &p->r->figures[which];
	switch (which) {
	case REPRODUCED_T4_3:
		return table_4_3(p, err);
	case REPRODUCED_4_2:
		return characterized_figure(p, CHARACTERIZE_BY_CUTS, paper, f, err);
	case REPRODUCED_4_3:
		return characterized_figure(p, CHARACTERIZE_OCCUPANCY, paper, f, err);
	case REPRODUCED_4_4:
		return characterized_figure(p, CHARACTERIZE_BY_TRACE, paper, f, err);
	case REPRODUCED_4_5:
		return characterized_figure(p, CHARACTERIZE_TRANSITIONS, paper, f, err);
	case REPRODUCED_4_6:
		return characterized_figure(p, CHARACTERIZE_INTERVALS, paper, f, err);
	case REPRODUCED_4_7:
		return figure_4_7(p, paper, f, err);
	case REPRODUCED_4_8:
		return figure_4_8(p, &p->results[PAPER_BREADTH], "Speedups over the configuration space", paper, f,
				  err);
	case REPRODUCED_M4_8:
		return figure_4_8(p, &p->results[PAPER_MEASURED_SPACE],
				  "Measured speedups over the configuration space", paper, f, err);
	case REPRODUCED_4_9:
		return figure_4_9(p, &p->results[PAPER_GENERALIST], "Specialised chips against a better core", paper, f,
				  err);
	case REPRODUCED_M4_7:
		return figure_4_9(p, &p->results[PAPER_MEASURED_CHIPS], "Assumed and measured speedups", paper, f, err);
	case REPRODUCED_4_10:
	case REPRODUCED_M4_10:
		return figure_4_10(p, which, paper, f, err);
	case REPRODUCED_BUDGET: {
		enum sahm_status status = reproduce_budget_figure(p, subtitle(p), f, err);
		return status == SAHM_OK ? checked(f, err) : status;
	}
	case REPRODUCED_A_3:
		return figure_a_3(p, f, err);
	case NR_REPRODUCED:
		break;
	}
	return SAHM_OK;
}

enum sahm_status reproduce_figure(struct reproducing *p, enum reproduced which, struct sahm_err *err)
{
	struct reproduce_paper paper;
	enum sahm_status status = reproduce_paper(p, which, &paper, err);
	if (status == SAHM_OK)
		status = fill(p, which, &paper, err);
	if (status != SAHM_OK)
		return status;
	p->r->has_paper[which] = paper.nr > 0;
	textbuf_puts(&p->r->figures[which].alt, paper.alt);
	return checked(&p->r->figures[which], err);
}
