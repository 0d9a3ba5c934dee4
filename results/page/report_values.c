/* Values of reports: intervals of means, which ones are shown, and the threads. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/page/report_internal.h"

/* Any will do, so that it is the same always. */
#define BOOTSTRAP_SEED 1u

/* Of the normal distribution, 95 % lie within so many standard deviations of its mean. */
#define NORMAL_95 1.959963984540054

enum sahm_status report_interval(const double *values, size_t nr, struct stats_interval *interval, struct sahm_err *err)
{
	double squares = 0;
	if (nr > 1 && nr <= MAX_REPORT_BOOTSTRAP)
		return stats_bootstrap(values, nr, BOOTSTRAP_SEED, "report", interval, err);
	double mean = stats_mean(values, nr);
	for (size_t i = 0; i < nr; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	double half = nr > 1 ? NORMAL_95 * sqrt(squares / (double)(nr - 1) / (double)nr) : NAN;
	*interval = (struct stats_interval){mean, mean - half, mean + half};
	return SAHM_OK;
}

/* What is compared while indices are sorted. */
struct place {
	double value;
	size_t index;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

size_t report_choose(const double *best, size_t nr, int direction, size_t most, size_t ends, size_t *order)
{
	struct place *places = nr > most ? malloc(nr * sizeof(*places)) : NULL;
	for (size_t i = 0; i < nr; i++) {
		order[i] = i;
		if (places)
			places[i] = (struct place){best[i] * direction, i};
	}
	/* Without memory to sort them: none, rather than any. */
	if (nr <= most || !places)
		return nr <= most ? nr : 0;
	qsort(places, nr, sizeof(*places), compare_places);
	for (size_t i = 0; i < 2 * ends; i++)
		order[i] = places[i < ends ? i : nr - 2 * ends + i].index;
	free(places);
	return 2 * ends;
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
			       " Of %zu threads the %u with the greatest means and the %u with the least are shown.",
			       l->nr, NR_REPORT_THREADS, NR_REPORT_THREADS);
}

static enum sahm_status draw_threads(struct report *r, const struct query_lanes *l, struct sahm_err *err)
{
	char subtitle[128], shown[32] = "", of[64];
	double *means = arena_alloc(&r->arena, l->nr, sizeof(*means));
	size_t *order = arena_alloc(&r->arena, l->nr, sizeof(*order));
	struct box *boxes = arena_alloc(&r->arena, l->nr, sizeof(*boxes));
	const char **labels = arena_alloc(&r->arena, l->nr, sizeof(*labels));
	if (!means || !order || !boxes || !labels)
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
	const struct chart_boxes b = {.labels = labels, .boxes = boxes, .nr = nr, .box_words = of, .is_close = true};
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
