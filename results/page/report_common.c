/* What parts of reports share: words, charts, intervals of means, which values are shown, tables of answers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/trace_words.h"
#include "results/page/report_internal.h"

/* Any will do, so that it is the same always. */
#define BOOTSTRAP_SEED 1u

/* Of the normal distribution, 95 % lie within this number of standard deviations of its mean. */
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

/* Keys by which indices are sorted. */
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

const char *report_in_brackets(const struct report *r)
{
	return trace_words_in_brackets(r->summary.synthetic, r->summary.nominal);
}

const char *report_words(const struct report *r)
{
	return trace_words(r->summary.synthetic, r->summary.nominal);
}

struct report_figure *report_add_figure(struct report *r, const char *name)
{
	struct report_figure *f = &r->figures[r->nr_figures++];
	snprintf(f->name, sizeof(f->name), "%s", name);
	figure_init(&f->figure, f->name);
	textbuf_init(&f->caption);
	f->drawn = false;
	return f;
}

struct chart report_chart(const struct report *r, const char *title, const char *subtitle, const char *row_key,
			  const char *row_words)
{
	return (struct chart){.title = title,
			      .is_titled = true,
			      .subtitle = subtitle,
			      .value_axis = r->scale.axis,
			      .value_key = r->scale.key,
			      .row_key = row_key,
			      .row_words = row_words,
			      .unit = r->scale.unit,
			      .synthetic = r->summary.synthetic,
			      .nominal = r->summary.nominal};
}

const struct query_table *report_table(const struct query_answer *a, const char *key)
{
	for (unsigned i = 0; i < a->nr_tables; i++)
		if (strcmp(a->tables[i].key, key) == 0)
			return &a->tables[i];
	return NULL;
}

unsigned report_column(const struct query_table *t, const char *key)
{
	unsigned c = 0;
	while (strcmp(t->columns[c].key, key) != 0)
		c++;
	return c;
}

void report_keep_rows(struct query_table *t, const bool *keep)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->nr_cells; i++)
		if (keep[i / t->nr_columns])
			t->cells[kept++] = t->cells[i];
	t->nr_cells = kept;
}
