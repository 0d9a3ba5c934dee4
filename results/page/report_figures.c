/* Figures of reports: axes and threads. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/page/report_internal.h"

/* Longest name of an axis in a title. */
#define MAX_TITLE_NAME 50u

/* Collects the values of all points, those with one value of the axis in a row. */
static enum sahm_status group_axis(struct report *r, struct report_axis *x, struct sahm_err *err)
{
	const struct query_axis *axis = x->axis;
	size_t *nr = calloc(axis->nr_values, sizeof(*nr)), at = 0;
	double *values = arena_alloc(&r->arena, r->nr, sizeof(*values));
	for (size_t i = 0; i < r->nr && nr; i++)
		nr[query_value_at(axis, r->values[i].position)]++;
	for (uint64_t v = 0; v < axis->nr_values && nr; v++)
		x->nr += nr[v] > 0;
	x->groups = arena_alloc(&r->arena, x->nr, sizeof(*x->groups));
	if (!nr || !values || !x->groups) {
		free(nr);
		return sahm_fail_nomem(err);
	}
	x->nr = 0;
	for (uint64_t v = 0; v < axis->nr_values; v++) {
		size_t there = nr[v];
		/* From now on: where the value's next point goes. */
		nr[v] = at;
		if (there)
			x->groups[x->nr++] = (struct report_group){.value = v, .values = values + at, .nr = there};
		at += there;
	}
	for (size_t i = 0; i < r->nr; i++)
		values[nr[query_value_at(axis, r->values[i].position)]++] = r->values[i].value;
	for (size_t g = 0; g < x->nr; g++)
		x->groups[g].mean = stats_mean(x->groups[g].values, x->groups[g].nr);
	free(nr);
	return SAHM_OK;
}

enum sahm_status report_read_axes(struct report *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	r->axes = arena_alloc(&r->arena, r->q->nr_axes, sizeof(*r->axes));
	if (!r->axes)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < r->q->nr_axes && status == SAHM_OK; i++) {
		r->axes[i] = (struct report_axis){.axis = &r->q->axes[i]};
		if (r->nr > 0)
			status = group_axis(r, &r->axes[i], err);
	}
	return status;
}

/* Which groups of an axis are shown: as report_choose() does. 0: memory was short. */
static size_t choose(struct report *r, const struct report_axis *x, size_t most, size_t ends, size_t **order)
{
	double *means = arena_alloc(&r->arena, x->nr, sizeof(*means));
	*order = arena_alloc(&r->arena, x->nr, sizeof(**order));
	if (!means || !*order)
		return 0;
	for (size_t g = 0; g < x->nr; g++)
		means[g] = x->groups[g].mean;
	return report_choose(means, x->nr, r->direction, most, ends, *order);
}

/* Appends means of an axis to rows[*nr_rows], in a group, or two where the best and the worst values are shown. */
static enum sahm_status add_means(struct report *r, const struct report_axis *x, size_t most, size_t ends,
				  struct chart_mean *rows, size_t *nr_rows, struct sahm_err *err)
{
	size_t *order, nr = choose(r, x, most, ends, &order);
	struct textbuf name;
	enum sahm_status status = nr ? SAHM_OK : sahm_fail_nomem(err);
	const char *groups[2] = {x->axis->name, x->axis->name};
	for (unsigned i = 0; i < 2 && nr < x->nr; i++) {
		textbuf_init(&name);
		textbuf_printf(&name, "%s: %zu %s", x->axis->name, ends, i ? "worst" : "best");
		groups[i] = textbuf_failed(&name) ? NULL : arena_strndup(&r->arena, name.text, name.len);
		textbuf_release(&name);
		if (!groups[i])
			status = sahm_fail_nomem(err);
	}
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		const struct report_group *g = &x->groups[order[i]];
		struct stats_interval interval;
		status = report_interval(g->values, g->nr, &interval, err);
		if (status == SAHM_OK)
			rows[(*nr_rows)++] = (struct chart_mean){.group = groups[nr < x->nr && i >= ends],
								 .label = x->axis->labels[g->value].text,
								 .mean = interval.mean * r->scale.by,
								 .low = interval.low * r->scale.by,
								 .high = interval.high * r->scale.by,
								 .nr = g->nr};
	}
	return status;
}

static enum sahm_status draw_means(struct report *r, struct sahm_err *err)
{
	char subtitle[64];
	size_t total = 0, nr_rows = 0, most = MAX_REPORT_VALUES, ends = NR_REPORT_EXTREMES;
	bool thinned = false;
	for (uint32_t i = 0; i < r->q->nr_axes; i++)
		if (r->axes[i].nr > 1)
			total += r->axes[i].nr <= most ? r->axes[i].nr : 2 * ends;
	if (total == 0)
		return SAHM_OK;
	if (total > MAX_REPORT_ROWS) {
		most = MAX_REPORT_FEW;
		ends = NR_REPORT_FEW;
	}
	struct chart_mean *rows = arena_alloc(&r->arena, total, sizeof(*rows));
	enum sahm_status status = rows ? SAHM_OK : sahm_fail_nomem(err);
	for (uint32_t i = 0; i < r->q->nr_axes && status == SAHM_OK; i++) {
		thinned |= r->axes[i].nr > most;
		if (r->axes[i].nr > 1)
			status = add_means(r, &r->axes[i], most, ends, rows, &nr_rows, err);
	}
	if (status != SAHM_OK)
		return status;
	snprintf(subtitle, sizeof(subtitle), "%zu points%s", r->nr, report_words(r));
	const struct chart c = report_chart(r, "Means by value of each axis", subtitle, "value", "values");
	r->means = report_add_figure(r, "axes");
	textbuf_printf(
		&r->means->caption,
		"Mean %s of the points%s with each value of an axis, with its 95 %% interval where there are several.",
		run_metric_rows[r->options.metric].name, report_in_brackets(r));
	if (thinned)
		textbuf_printf(&r->means->caption,
			       " Of an axis with more than %zu values the %zu best and the %zu worst are shown, by "
			       "their means.",
			       most, ends, ends);
	chart_means(&c, rows, nr_rows, "95 % interval of the mean", &r->means->figure);
	return SAHM_OK;
}

/* Titles stand in scripts, where gnuplot runs what is in backquotes: a name that is more than letters and the like is
 * not told there. */
static void write_title(const char *name, uint32_t number, struct textbuf *title)
{
	static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
	size_t len = strlen(name);
	if (len > 0 && len <= MAX_TITLE_NAME && strspn(name, harmless) == len)
		textbuf_puts(title, name);
	else
		textbuf_printf(title, "Axis %" PRIu32, number);
}

static enum sahm_status draw_boxes(struct report *r, struct report_axis *x, uint32_t number, struct sahm_err *err)
{
	char name[REPORT_NAME_BYTES], subtitle[128], of[64];
	size_t *order, nr = choose(r, x, MAX_REPORT_VALUES, NR_REPORT_EXTREMES, &order);
	double *scaled = arena_alloc(&r->arena, r->nr, sizeof(*scaled));
	struct box *boxes = arena_alloc(&r->arena, nr, sizeof(*boxes));
	const char **labels = arena_alloc(&r->arena, nr, sizeof(*labels));
	struct textbuf title;
	if (nr == 0 || !scaled || !boxes || !labels)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr; i++) {
		const struct report_group *g = &x->groups[order[i]];
		for (size_t k = 0; k < g->nr; k++)
			scaled[k] = g->values[k] * r->scale.by;
		boxes[i] = box_of(scaled, g->nr);
		labels[i] = x->axis->labels[g->value].text;
	}
	struct chart_dots *dots = arena_alloc(&r->arena, nr, sizeof(*dots));
	if (!dots)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr; i++) {
		const struct report_group *g = &x->groups[order[i]];
		if (g->nr >= MIN_BOX_VALUES)
			continue;
		double *values = arena_alloc(&r->arena, g->nr, sizeof(*values));
		if (!values)
			return sahm_fail_nomem(err);
		for (size_t k = 0; k < g->nr; k++)
			values[k] = g->values[k] * r->scale.by;
		dots[i] = (struct chart_dots){values, g->nr};
	}
	bool thinned = nr < x->nr;
	textbuf_init(&title);
	write_title(x->axis->name, number, &title);
	snprintf(subtitle, sizeof(subtitle), "%zu points%s%s", r->nr, thinned ? ", best and worst values" : "",
		 report_words(r));
	snprintf(of, sizeof(of), "points with this value");
	const struct chart c = report_chart(r, title.text, subtitle, "value", "values");
	const struct chart_boxes b = {.labels = labels,
				      .boxes = boxes,
				      .nr = nr,
				      .nr_apart = thinned ? NR_REPORT_EXTREMES : 0,
				      .dots = dots,
				      .box_words = of,
				      .is_close = true};
	snprintf(name, sizeof(name), "axis_%" PRIu32, number);
	x->figure = report_add_figure(r, name);
	textbuf_printf(&x->figure->caption, "%s of the points%s with each value of the axis %s.",
		       run_metric_rows[r->options.metric].name, report_in_brackets(r), x->axis->name);
	if (thinned)
		textbuf_printf(&x->figure->caption,
			       " Of its %zu values the %u best and, below the line, the %u worst, by their means.",
			       x->nr, NR_REPORT_EXTREMES, NR_REPORT_EXTREMES);
	chart_boxes(&c, &b, &x->figure->figure);
	enum sahm_status status = textbuf_failed(&title) ? sahm_fail_nomem(err) : SAHM_OK;
	textbuf_release(&title);
	return status;
}

/* The place of a value among those of its axis that have points. */
static size_t group_of(const struct report_axis *x, uint64_t value)
{
	size_t g = 0;
	while (x->groups[g].value != value)
		g++;
	return g;
}

/* Where two axes vary, no other one does: each cell is one point. */
static enum sahm_status draw_heat(struct report *r, const struct report_axis *row, const struct report_axis *column,
				  struct sahm_err *err)
{
	char subtitle[64];
	size_t nr = row->nr * column->nr;
	double *values = arena_alloc(&r->arena, nr, sizeof(*values));
	const char **labels = arena_alloc(&r->arena, row->nr + column->nr, sizeof(*labels));
	if (!values || !labels)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr; i++)
		values[i] = NAN;
	for (size_t i = 0; i < row->nr + column->nr; i++) {
		const struct report_axis *x = i < row->nr ? row : column;
		labels[i] = x->axis->labels[x->groups[i < row->nr ? i : i - row->nr].value].text;
	}
	for (size_t i = 0; i < r->nr; i++) {
		uint64_t position = r->values[i].position;
		size_t y = group_of(row, query_value_at(row->axis, position));
		values[y * column->nr + group_of(column, query_value_at(column->axis, position))] =
			r->values[i].value * r->scale.by;
	}
	snprintf(subtitle, sizeof(subtitle), "%zu points%s", r->nr, report_words(r));
	const struct chart c = report_chart(r, "Both axes", subtitle, "value", "points");
	struct textbuf names[2];
	for (unsigned i = 0; i < 2; i++) {
		const struct report_axis *x = i ? column : row;
		textbuf_init(&names[i]);
		write_title(x->axis->name, (uint32_t)(x - r->axes) + 1, &names[i]);
	}
	const struct chart_heat h = {.row_axis = names[0].text,
				     .column_axis = names[1].text,
				     .row_labels = labels,
				     .column_labels = labels + row->nr,
				     .nr_rows = row->nr,
				     .nr_columns = column->nr,
				     .values = values};
	r->heat = report_add_figure(r, "heat");
	textbuf_printf(&r->heat->caption, "Each cell shows the %s of one point%s. Rows: %s; columns: %s.",
		       run_metric_rows[r->options.metric].name, report_in_brackets(r), row->axis->name,
		       column->axis->name);
	if (r->nr < nr)
		textbuf_puts(&r->heat->caption, " Empty cells have no value.");
	chart_heat(&c, &h, &r->heat->figure);
	bool failed = textbuf_failed(&names[0]) || textbuf_failed(&names[1]);
	textbuf_release(&names[0]);
	textbuf_release(&names[1]);
	return failed ? sahm_fail_nomem(err) : SAHM_OK;
}

/* The axis with more values has the rows, of which there is more room. */
static enum sahm_status draw_two_axes(struct report *r, struct sahm_err *err)
{
	const struct report_axis *varied[2] = {NULL, NULL};
	unsigned nr = 0;
	for (uint32_t i = 0; i < r->q->nr_axes; i++)
		if (r->axes[i].nr > 1 && nr++ < 2)
			varied[nr - 1] = &r->axes[i];
	if (nr != 2)
		return SAHM_OK;
	unsigned rows = varied[1]->nr > varied[0]->nr;
	if (varied[rows]->nr > MAX_HEAT_ROWS || varied[!rows]->nr > MAX_HEAT_COLUMNS)
		return SAHM_OK;
	return draw_heat(r, varied[rows], varied[!rows], err);
}

enum sahm_status report_draw_axes(struct report *r, struct sahm_err *err)
{
	enum sahm_status status = draw_two_axes(r, err);
	if (status == SAHM_OK)
		status = draw_means(r, err);
	for (uint32_t i = 0; i < r->q->nr_axes && status == SAHM_OK; i++)
		/* A single value has no effect. */
		if (r->axes[i].nr > 1)
			status = draw_boxes(r, &r->axes[i], i + 1, err);
	return status;
}

static int compare_indices(const void *a, const void *b)
{
	const size_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Leaves the rows of the threads that are shown. */
static enum sahm_status keep_threads(struct report *r, const size_t *order, size_t nr_shown, struct sahm_err *err)
{
	bool *keep = arena_alloc(&r->arena, r->nr_threads, sizeof(*keep));
	if (!keep)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < nr_shown; i++)
		keep[order[i]] = true;
	report_keep_rows(&r->threads.tables[0], keep);
	return SAHM_OK;
}

static const char *points_word(uint64_t nr)
{
	return nr == 1 ? "point" : "points";
}

static void describe_threads(struct report *r, const struct query_lanes *l, size_t nr_shown)
{
	struct textbuf *caption = &r->by_thread->caption;
	textbuf_printf(caption, "Speedup of each thread over %" PRIu64 " %s%s, threads as they are configured.",
		       l->tally.nr_done, points_word(l->tally.nr_done), report_in_brackets(r));
	if (nr_shown < l->nr)
		textbuf_printf(caption,
			       " Of %zu threads the %u with the highest means and the %u with the lowest are shown.",
			       l->nr, NR_REPORT_THREADS, NR_REPORT_THREADS);
}

static enum sahm_status draw_threads(struct report *r, const struct query_lanes *l, struct sahm_err *err)
{
	char subtitle[128], shown[32] = "", of[64];
	double *means = arena_alloc(&r->arena, l->nr, sizeof(*means));
	size_t *order = arena_alloc(&r->arena, l->nr, sizeof(*order));
	struct box *boxes = arena_alloc(&r->arena, l->nr, sizeof(*boxes));
	const char **labels = arena_alloc(&r->arena, l->nr, sizeof(*labels));
	struct chart_dots *dots = arena_alloc(&r->arena, l->nr, sizeof(*dots));
	if (!means || !order || !boxes || !labels || !dots)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < l->nr; i++)
		/* Threads without any value are worse than all others. */
		means[i] = l->items[i].nr ? stats_mean(l->items[i].values, l->items[i].nr) : -INFINITY;
	size_t nr = report_choose(means, l->nr, 1, MAX_REPORT_THREADS, NR_REPORT_THREADS, order);
	if (nr == 0)
		return sahm_fail_nomem(err);
	qsort(order, nr, sizeof(*order), compare_indices);
	for (size_t i = 0; i < nr; i++) {
		struct query_lane *lane = &l->items[order[i]];
		for (size_t k = 0; k < lane->nr; k++)
			lane->values[k] *= 100;
		boxes[i] = lane->nr ? box_of(lane->values, lane->nr) : (struct box){NAN, NAN, NAN, NAN, NAN, NAN};
		if (lane->nr < MIN_BOX_VALUES)
			dots[i] = (struct chart_dots){lane->values, lane->nr};
		labels[i] = lane->name;
	}
	if (nr < l->nr)
		snprintf(shown, sizeof(shown), "%zu of ", nr);
	snprintf(subtitle, sizeof(subtitle), "%s%zu threads over %" PRIu64 " %s%s", shown, l->nr, l->tally.nr_done,
		 points_word(l->tally.nr_done), report_words(r));
	snprintf(of, sizeof(of), "%" PRIu64 " %s", l->tally.nr_done, points_word(l->tally.nr_done));
	struct chart c = report_chart(r, "Threads", subtitle, "thread", "threads");
	c.value_axis = "speedup (%)";
	c.value_key = "speedup_pct";
	c.unit = "%";
	const struct chart_boxes b = {
		.labels = labels, .boxes = boxes, .nr = nr, .dots = dots, .box_words = of, .is_close = true};
	r->by_thread = report_add_figure(r, "threads");
	describe_threads(r, l, nr);
	chart_boxes(&c, &b, &r->by_thread->figure);
	return nr < l->nr ? keep_threads(r, order, nr, err) : SAHM_OK;
}

enum sahm_status report_read_threads(struct report *r, struct sahm_err *err)
{
	struct query_lanes l;
	enum sahm_status status = query_lanes_read(r->q, "speedup", &l, err);
	r->nr_threads = status == SAHM_OK ? l.nr : 0;
	bool any = false;
	for (size_t i = 0; i < r->nr_threads; i++)
		any |= l.items[i].nr > 0;
	if (r->nr_threads > 0) {
		query_lanes_answer(r->q, &l, &r->threads);
		if (r->threads.failed)
			status = sahm_fail_nomem(err);
		if (status == SAHM_OK && any)
			status = draw_threads(r, &l, err);
	}
	/* Names of threads are in the answer and in the figure, as copies. */
	query_lanes_release(&l);
	return status;
}
