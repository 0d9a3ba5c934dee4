/* Figures of what specialised cores gain. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/studies/specialization.h"

enum { FIGURE_STATES, FIGURE_COMPONENTS, FIGURE_STORAGE, NR_FIGURES };

const char *const special_figures[] = {
	[FIGURE_STATES] = "specialize_states",
	[FIGURE_COMPONENTS] = "specialize_components",
	[FIGURE_STORAGE] = "specialize_storage",
	[NR_FIGURES] = NULL,
};

#define SUBTITLE_BYTES 256

struct plot {
	const struct specialization *s;
	const struct special_set *set;
	char subtitle[SUBTITLE_BYTES];
	struct chart chart;
};

/* A cell for each core and state that has epochs; those of scarce states are marked. */
static enum sahm_status draw_states(struct plot *p, struct figure *f, struct sahm_err *err)
{
	const struct specialization *s = p->s;
	size_t nr_cores = s->table->nr_cores - 1, nr = 0;
	char labels[NR_STATES][STATE_NAME_BYTES + 16];
	const char *rows[NR_STATES], *columns[MAX_TABLE_CORES];
	double *values = calloc(NR_STATES * nr_cores, sizeof(*values));
	if (!values)
		return sahm_fail_nomem(err);
	for (size_t k = 0; k < nr_cores; k++)
		columns[k] = s->table->cores[k + 1].name;
	for (unsigned state = 0; state < NR_STATES; state++) {
		const struct special_state *x = &p->set->cores[0].states[state];
		if (x->own.nr_epochs == 0)
			continue;
		snprintf(labels[nr], sizeof(labels[nr]), "%s%s", state_name(state), x->is_scarce ? " *" : "");
		rows[nr] = labels[nr];
		for (size_t k = 0; k < nr_cores; k++)
			values[nr * nr_cores + k] = p->set->cores[k + 1].states[state].own.pct;
		nr++;
	}
	const struct chart_heat heat = {.row_axis = "state (* scarce)",
					.column_axis = "core",
					.row_labels = rows,
					.column_labels = columns,
					.nr_rows = nr,
					.nr_columns = nr_cores,
					.values = values,
					.is_signed = true};
	p->chart.title = "Speedup by state and core";
	p->chart.row_key = "state";
	p->chart.row_words = "states";
	chart_heat(&p->chart, &heat, f);
	free(values);
	return SAHM_OK;
}

/* Where each component is HIGH: a group of rows, a row per core. */
static enum sahm_status draw_components(struct plot *p, struct figure *f, struct sahm_err *err)
{
	const struct specialization *s = p->s;
	size_t nr_cores = s->table->nr_cores - 1, nr = 0;
	struct chart_mean *rows = calloc((NR_COMPONENTS + 1) * nr_cores, sizeof(*rows));
	char groups[NR_COMPONENTS + 1][64];
	if (!rows)
		return sahm_fail_nomem(err);
	for (unsigned c = 0; c <= NR_COMPONENTS; c++) {
		if (c < NR_COMPONENTS)
			snprintf(groups[c], sizeof(groups[c]), "%s is HIGH", component_name((enum component)c));
		else
			snprintf(groups[c], sizeof(groups[c]), "all epochs");
		for (size_t k = 1; k <= nr_cores; k++) {
			const struct special_core *x = &p->set->cores[k];
			const struct special_gain *g = c < NR_COMPONENTS ? &x->high[c] : &x->all;
			if (g->nr_epochs == 0)
				continue;
			rows[nr++] = (struct chart_mean){groups[c],   s->table->cores[k].name, g->pct, g->low_pct,
							 g->high_pct, g->nr_programs};
		}
	}
	p->chart.title = "Speedup where a component is HIGH";
	p->chart.row_key = "core";
	p->chart.row_words = "cores";
	chart_means(&p->chart, rows, nr, "95 % interval", f);
	free(rows);
	return SAHM_OK;
}

/* Storage beyond the baseline's, and the gain in all epochs and in those of the core's own component. */
static enum sahm_status draw_storage(struct plot *p, struct figure *f, struct sahm_err *err)
{
	const struct specialization *s = p->s;
	p->chart.title = "Storage against gain";
	p->chart.row_key = "core";
	p->chart.row_words = "cores";
	struct chart_point points[2 * MAX_TABLE_CORES];
	size_t nr = 0;
	for (unsigned k = 1; k < s->table->nr_cores; k++) {
		const struct special_core *x = &p->set->cores[k];
		double kib = (double)special_extra_bytes(s, k) / 1024;
		points[nr++] = (struct chart_point){s->table->cores[k].name, 0, kib, x->all.pct};
		points[nr++] = (struct chart_point){s->table->cores[k].name, 1, kib, x->target.pct};
	}
	const struct chart_scatter scatter = {.points = points,
					      .nr = nr,
					      .series = (const char *const[]){"all epochs", "own component HIGH"},
					      .nr_series = 2,
					      .x_axis = "storage beyond the baseline's (KiB)",
					      .x_key = "extra_kib"};
	return chart_scatter(&p->chart, &scatter, f, err);
}

static enum sahm_status draw(struct plot *p, unsigned which, struct figure *f, struct sahm_err *err)
{
	switch (which) {
	case FIGURE_STATES:
		return draw_states(p, f, err);
	case FIGURE_COMPONENTS:
		return draw_components(p, f, err);
	default:
		return draw_storage(p, f, err);
	}
}

enum sahm_status specialization_plot_write(const struct specialization *s, const char *folder, struct sahm_err *err)
{
	const struct epoch_table *t = s->table;
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++) {
		struct plot p = {.s = s,
				 .set = &s->sets[s->options.set],
				 .chart = {.value_axis = "speedup (%)",
					   .value_key = "speedup_pct",
					   .unit = "%",
					   .synthetic = t->is_synthetic}};
		struct figure f;
		p.chart.subtitle = p.subtitle;
		snprintf(p.subtitle, sizeof(p.subtitle),
			 "over %s, %zu programs, %zu epochs%s, states of %s, thresholds %s, %s time", t->cores[0].name,
			 t->nr_programs, t->nr_rows - (size_t)s->nr_left_out, t->is_synthetic ? ", synthetic" : "",
			 t->traced ? "traces" : "its counters", p.set->name,
			 s->options.time == SPECIALIZE_MEASURED ? "measured" : "assumed");
		figure_init(&f, special_figures[i]);
		status = draw(&p, i, &f, err);
		if (status == SAHM_OK)
			status = figure_write(&f, folder, err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status specialization_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_FIGURES && status == SAHM_OK; i++)
		status = plot_draw(folder, special_figures[i], notes, err);
	return status;
}
