/* Effects of axes. Means and sums of squares are kept as Welford has them (Technometrics 4(3), 1962), point by point in
 * the order of positions: where all values are equal, so are all means, exactly. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "results/store/query_internal.h"

/* For people, of an axis with more values the best and the worst are shown. */
#define MAX_SHOWN 20u
#define NR_BEST 8u
#define NR_WORST 4u

/* Most pairs of values that are looked at; pairs of axes that have more are left out. */
#define MAX_CELLS (UINT64_C(1) << 22)

struct sample {
	uint64_t nr;
	double mean, squares; /* sum of squared differences from the mean */
	double least, most;
};

struct pair {
	uint32_t a, b;
	struct sample *cells; /* [values of a][values of b] */
	bool balanced;
	double explained; /* beyond both axes, share */
};

struct effect {
	uint32_t axis;
	struct sample *values; /* [nr_values] */
	double explained;      /* share; NAN where nothing differs */
	double range;	       /* of the means */
};

struct effects {
	const struct query *q;
	struct arena arena;
	struct sample all;
	struct effect axes[MAX_QUERY_AXES];
	struct pair pairs[MAX_QUERY_AXES * (MAX_QUERY_AXES - 1) / 2];
	uint32_t nr_pairs;
	struct query_tally tally;
};

static void add_value(struct sample *s, double value)
{
	double off = value - s->mean;
	s->least = s->nr == 0 || value < s->least ? value : s->least;
	s->most = s->nr == 0 || value > s->most ? value : s->most;
	s->nr++;
	s->mean += off / (double)s->nr;
	s->squares += off * (value - s->mean);
}

static enum sahm_status add_point(void *ctx, const struct query_row *row, struct sahm_err *err)
{
	struct effects *e = ctx;
	uint64_t at[MAX_QUERY_AXES];
	bool has_value = !isnan(row->values[0]);
	(void)err;
	query_tally_row(&e->tally, row, has_value);
	if (!has_value)
		return SAHM_OK;
	add_value(&e->all, row->values[0]);
	for (uint32_t i = 0; i < e->q->nr_axes; i++) {
		at[i] = query_value_at(&e->q->axes[i], row->position);
		add_value(&e->axes[i].values[at[i]], row->values[0]);
	}
	for (uint32_t i = 0; i < e->nr_pairs; i++) {
		const struct pair *p = &e->pairs[i];
		add_value(&p->cells[at[p->a] * e->q->axes[p->b].nr_values + at[p->b]], row->values[0]);
	}
	return SAHM_OK;
}

/* The share of the variance of all points that the means of samples[nr] explain. */
static double explained(const struct sample *all, const struct sample *samples, uint64_t nr)
{
	double between = 0;
	for (uint64_t i = 0; i < nr; i++) {
		double off = samples[i].mean - all->mean;
		if (samples[i].nr)
			between += (double)samples[i].nr * (off * off);
	}
	return all->squares > 0 ? between / all->squares : NAN;
}

static void judge_axis(const struct effects *e, struct effect *x)
{
	double least = NAN, most = NAN;
	uint64_t nr = e->q->axes[x->axis].nr_values;
	for (uint64_t v = 0; v < nr; v++) {
		double mean = x->values[v].nr ? x->values[v].mean : NAN;
		least = isnan(least) || mean < least ? mean : least;
		most = isnan(most) || mean > most ? mean : most;
	}
	x->range = most - least;
	x->explained = explained(&e->all, x->values, nr);
}

static void judge_pair(const struct effects *e, struct pair *p, double by_axes)
{
	uint64_t nr = e->q->axes[p->a].nr_values * e->q->axes[p->b].nr_values, like = 0;
	p->balanced = true;
	for (uint64_t i = 0; i < nr; i++) {
		/* Values that --where left out are no gaps. */
		like = like ? like : p->cells[i].nr;
		bool has_both = e->axes[p->a].values[i / e->q->axes[p->b].nr_values].nr > 0 &&
				e->axes[p->b].values[i % e->q->axes[p->b].nr_values].nr > 0;
		p->balanced &= p->cells[i].nr == (has_both ? like : 0);
	}
	p->explained = explained(&e->all, p->cells, nr) - by_axes;
	if (!isfinite(p->explained) || !p->balanced)
		p->explained = NAN;
	else if (p->explained < 0)
		p->explained = 0; /* but for rounding */
}

/* Descending; what is not known last. */
static int compare_shares(double x, double y)
{
	if (isnan(x) || isnan(y))
		return (int)isnan(x) - (int)isnan(y);
	return x > y ? -1 : x < y;
}

static int compare_effects(const void *a, const void *b)
{
	const struct effect *x = a, *y = b;
	int order = compare_shares(x->explained, y->explained);
	return order ? order : x->axis < y->axis ? -1 : x->axis > y->axis;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = compare_shares(x->explained, y->explained);
	if (order)
		return order;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

static enum sahm_status make_samples(struct effects *e, struct sahm_err *err)
{
	uint64_t nr_cells = 0;
	for (uint32_t i = 0; i < e->q->nr_axes; i++) {
		e->axes[i].axis = i;
		e->axes[i].values = arena_alloc(&e->arena, e->q->axes[i].nr_values, sizeof(struct sample));
		if (!e->axes[i].values)
			return sahm_fail_nomem(err);
	}
	for (uint32_t a = 0; a < e->q->nr_axes; a++)
		for (uint32_t b = a + 1; b < e->q->nr_axes; b++) {
			/* Each is below 2^25. */
			uint64_t nr = e->q->axes[a].nr_values * e->q->axes[b].nr_values;
			if (nr > MAX_CELLS - nr_cells)
				continue;
			nr_cells += nr;
			e->pairs[e->nr_pairs] = (struct pair){.a = a, .b = b};
			e->pairs[e->nr_pairs].cells = arena_alloc(&e->arena, nr, sizeof(struct sample));
			if (!e->pairs[e->nr_pairs++].cells)
				return sahm_fail_nomem(err);
		}
	return SAHM_OK;
}

static void judge(struct effects *e)
{
	for (uint32_t i = 0; i < e->q->nr_axes; i++)
		judge_axis(e, &e->axes[i]);
	for (uint32_t i = 0; i < e->nr_pairs; i++) {
		struct pair *p = &e->pairs[i];
		judge_pair(e, p, e->axes[p->a].explained + e->axes[p->b].explained);
	}
	if (e->nr_pairs)
		qsort(e->pairs, e->nr_pairs, sizeof(e->pairs[0]), compare_pairs);
	if (e->q->nr_axes)
		qsort(e->axes, e->q->nr_axes, sizeof(e->axes[0]), compare_effects);
}

static void add_axes(const struct effects *e, enum run_form form, struct query_answer *a)
{
	struct query_table *t = answer_table(a, "axes", NULL, IN_TEXT | IN_JSON);
	answer_column(t, "axis", "axis", true, IN_ALL);
	answer_column(t, "range", "range of means", false, IN_ALL);
	answer_column(t, "explained_share", "of variance", false, IN_ALL);
	for (uint32_t i = 0; i < e->q->nr_axes; i++) {
		answer_cell(a, t, text_cell(e->q->axes[e->axes[i].axis].name));
		answer_cell(a, t, difference_cell(form, e->axes[i].range));
		answer_cell(a, t, metric_cell(RUN_SHARE, e->axes[i].explained));
	}
}

static struct query_table *add_value_table(struct query_answer *a, unsigned where)
{
	struct query_table *t = answer_table(a, "values", NULL, where);
	answer_column(t, "axis", "axis", true, IN_ALL);
	answer_column(t, "value", "value", true, IN_ALL);
	answer_column(t, "points", "points", false, IN_ALL);
	answer_column(t, "mean", "mean", false, IN_ALL);
	answer_column(t, "difference", "from mean of all", false, IN_ALL);
	answer_column(t, "min", "min", false, IN_ALL);
	answer_column(t, "max", "max", false, IN_ALL);
	answer_column(t, "range", NULL, false, IN_CSV);
	answer_column(t, "explained_share", NULL, false, IN_CSV);
	return t;
}

static void add_value_row(const struct effects *e, const struct effect *x, uint64_t v, enum run_form form,
			  struct query_answer *a, struct query_table *t)
{
	const struct query_axis *axis = &e->q->axes[x->axis];
	const struct sample *s = &x->values[v];
	bool any = s->nr > 0;
	answer_cell(a, t, text_cell(axis->name));
	answer_cell(a, t,
		    (struct query_cell){.kind = axis->labels[v].is_number ? CELL_LITERAL : CELL_TEXT,
					.text = axis->labels[v].text});
	answer_cell(a, t, count_cell(s->nr));
	answer_cell(a, t, metric_cell(form, any ? s->mean : NAN));
	answer_cell(a, t, difference_cell(form, any ? s->mean - e->all.mean : NAN));
	answer_cell(a, t, metric_cell(form, any ? s->least : NAN));
	answer_cell(a, t, metric_cell(form, any ? s->most : NAN));
	answer_cell(a, t, difference_cell(form, x->range));
	answer_cell(a, t, metric_cell(RUN_SHARE, x->explained));
}

/* Values that there is nothing to say of, since they were not chosen, are left out. */
static bool is_listed(const struct effects *e, const struct effect *x, uint64_t v)
{
	const struct query_axis *axis = &e->q->axes[x->axis];
	return x->values[v].nr > 0 || !axis->chosen || axis->chosen[v];
}

static void add_values(const struct effects *e, enum run_form form, struct query_answer *a)
{
	struct query_table *t = add_value_table(a, IN_CSV | IN_JSON);
	for (uint32_t i = 0; i < e->q->nr_axes; i++)
		for (uint64_t v = 0; v < e->q->axes[e->axes[i].axis].nr_values; v++)
			if (is_listed(e, &e->axes[i], v))
				add_value_row(e, &e->axes[i], v, form, a, t);
}

/* The position of a value by its mean, the highest first; equal ones in their order. */
struct place {
	double mean;
	uint64_t value;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->mean != y->mean)
		return x->mean < y->mean ? 1 : -1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* The values of a long axis for people, the highest mean first. */
static enum sahm_status add_extremes(struct effects *e, const struct effect *x, enum run_form form,
				     struct query_answer *a, struct query_table *t, struct sahm_err *err)
{
	const struct query_axis *axis = &e->q->axes[x->axis];
	struct place *places = arena_alloc(&e->arena, axis->nr_values, sizeof(*places));
	uint64_t nr = 0;
	if (!places)
		return sahm_fail_nomem(err);
	for (uint64_t v = 0; v < axis->nr_values; v++)
		if (x->values[v].nr > 0)
			places[nr++] = (struct place){x->values[v].mean, v};
	if (nr)
		qsort(places, nr, sizeof(*places), compare_places);
	for (uint64_t i = 0; i < nr; i++)
		if (nr <= MAX_SHOWN || i < NR_BEST || i >= nr - NR_WORST)
			add_value_row(e, x, places[i].value, form, a, t);
	if (nr > MAX_SHOWN)
		answer_note(a,
			    "of '%s' %u values with the highest means and %u with the lowest are shown, of %" PRIu64
			    "; --csv and --json have all",
			    axis->name, NR_BEST, NR_WORST, nr);
	return SAHM_OK;
}

static enum sahm_status add_shown_values(struct effects *e, enum run_form form, struct query_answer *a,
					 struct sahm_err *err)
{
	struct query_table *t = add_value_table(a, IN_TEXT);
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < e->q->nr_axes && status == SAHM_OK; i++) {
		const struct effect *x = &e->axes[i];
		uint64_t nr = e->q->axes[x->axis].nr_values;
		if (nr > MAX_SHOWN)
			status = add_extremes(e, x, form, a, t, err);
		for (uint64_t v = 0; v < nr && nr <= MAX_SHOWN; v++)
			if (is_listed(e, x, v))
				add_value_row(e, x, v, form, a, t);
	}
	return status;
}

static void add_pairs(const struct effects *e, struct query_answer *a)
{
	struct query_table *t = answer_table(a, "pairs", NULL, IN_TEXT | IN_JSON);
	answer_column(t, "axis", "axis", true, IN_ALL);
	answer_column(t, "other", "and axis", true, IN_ALL);
	answer_column(t, "explained_share", "of variance, beyond both", false, IN_ALL);
	for (uint32_t i = 0; i < e->nr_pairs; i++) {
		if (isnan(e->pairs[i].explained))
			continue;
		answer_cell(a, t, text_cell(e->q->axes[e->pairs[i].a].name));
		answer_cell(a, t, text_cell(e->q->axes[e->pairs[i].b].name));
		answer_cell(a, t, metric_cell(RUN_SHARE, e->pairs[i].explained));
	}
}

static enum sahm_status add_answer(struct effects *e, enum run_metric metric, struct query_answer *a,
				   struct sahm_err *err)
{
	const struct run_metric_row *row = &run_metric_rows[metric];
	bool any = e->all.nr > 0;
	query_end_heading(e->q, a, &e->tally, "effect of each axis on %s, %" PRIu64 " point%s", row->name, e->all.nr,
			  e->all.nr == 1 ? "" : "s");
	answer_fact(a, "metric", NULL, text_cell(row->name));
	answer_fact(a, "mean", "mean", metric_cell(row->form, any ? e->all.mean : NAN));
	answer_fact(a, "min", "min", metric_cell(row->form, any ? e->all.least : NAN));
	answer_fact(a, "max", "max", metric_cell(row->form, any ? e->all.most : NAN));
	add_axes(e, row->form, a);
	add_values(e, row->form, a);
	enum sahm_status status = add_shown_values(e, row->form, a, err);
	add_pairs(e, a);
	if (row->form == RUN_SPEEDUP || row->form == RUN_SHARE)
		answer_note(a, "differences and ranges are in percentage points");
	query_note_tally(e->q, a, &e->tally);
	query_note_metric(a, &e->tally, metric);
	return status;
}

enum sahm_status query_axes(struct query *q, enum run_metric metric, struct query_answer *a, struct sahm_err *err)
{
	struct effects e = {.q = q};
	arena_init(&e.arena);
	query_begin_answer(q, a, "axes");
	enum sahm_status status = make_samples(&e, err);
	if (status == SAHM_OK)
		status = query_walk(q, &metric, 1, add_point, &e, err);
	if (status == SAHM_OK) {
		judge(&e);
		status = add_answer(&e, metric, a, err);
		if (status == SAHM_OK)
			status = query_note_sharing(q, run_metric_rows[metric].form, a, err);
	}
	arena_release(&e.arena);
	return status;
}
