#include "results/metrics/characterize_means.h"

#include <stdlib.h>

#include <math.h>
#include <string.h>

static void add_shares(double *sums, const uint64_t *counts, size_t nr, uint64_t total)
{
	for (size_t i = 0; i < nr; i++)
		sums[i] += (double)counts[i] / (double)total;
}

static void divide(double *sums, size_t nr, size_t by)
{
	for (size_t i = 0; i < nr; i++)
		sums[i] /= (double)by;
}

/* Sums of shares; returns how many traces have transitions. */
static size_t add_up(const struct characterize_study *study, struct characterize_means *m)
{
	size_t nr_changing = 0;
	for (size_t t = 0; t < study->nr; t++) {
		const struct characterization *c = &study->rows[t].counts;
		uint64_t nr_intervals = 0;
		for (unsigned bin = 0; bin < NR_INTERVAL_BINS; bin++) {
			nr_intervals += c->intervals_of_length[bin];
			if (c->intervals_of_length[bin] > 0 && m->nr_bins <= bin)
				m->nr_bins = bin + 1;
		}
		add_shares(m->occupancy, c->in_state, NR_STATES, c->nr_epochs);
		for (unsigned set = 0; set < NR_CUT_SETS; set++)
			add_shares(m->occupancy_by_set[set], c->in_state_by_set[set], NR_STATES, c->nr_epochs);
		add_shares(m->intervals_of_length, c->intervals_of_length, NR_INTERVAL_BINS, nr_intervals);
		add_shares(m->time_of_length, c->epochs_of_length, NR_INTERVAL_BINS, c->nr_epochs);
		if (c->nr_epochs == 1)
			continue;
		nr_changing++;
		for (unsigned from = 0; from < NR_STATES; from++)
			add_shares(m->transitions[from], c->transitions[from], NR_STATES, c->nr_epochs - 1);
	}
	return nr_changing;
}

/* Sums first and divides once, so that means of equal values are that value. */
void characterize_means(const struct characterize_study *study, struct characterize_means *m)
{
	*m = (struct characterize_means){0};
	size_t nr_changing = add_up(study, m);
	divide(m->occupancy, NR_STATES, study->nr);
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		divide(m->occupancy_by_set[set], NR_STATES, study->nr);
	divide(m->intervals_of_length, NR_INTERVAL_BINS, study->nr);
	divide(m->time_of_length, NR_INTERVAL_BINS, study->nr);
	for (unsigned from = 0; from < NR_STATES; from++)
		for (unsigned to = 0; to < NR_STATES; to++)
			m->transitions[from][to] =
				m->transitions[from][to] > 0 ? m->transitions[from][to] / (double)nr_changing : NAN;
}

void characterize_write_origins(const struct characterize_study *study, struct textbuf *out)
{
	struct trace_origins *traces = calloc(study->nr, sizeof(*traces));
	out->failed |= !traces;
	for (size_t i = 0; traces && i < study->nr; i++)
		traces[i] = (struct trace_origins){study->rows[i].name, study->rows[i].origins};
	if (traces)
		trace_words_list_origins(traces, study->nr, "", out);
	free(traces);
}

struct trace_counts characterize_count(const struct characterize_study *study)
{
	struct trace_counts counts = {.nr = study->nr};
	for (size_t t = 0; t < study->nr; t++) {
		counts.nr_synthetic += study->rows[t].synthetic;
		counts.nr_nominal += study->rows[t].nominal;
	}
	return counts;
}

uint64_t characterize_epoch_ns(const struct characterize_study *study)
{
	for (size_t t = 1; t < study->nr; t++)
		if (study->rows[t].epoch_ns != study->rows[0].epoch_ns)
			return 0;
	return study->rows[0].epoch_ns;
}

unsigned characterize_set_of(const struct characterize_study *study)
{
	struct cuts named;
	unsigned set = 0;
	while (set < NR_CUT_SETS && cuts_named(cut_set_names[set], &named) &&
	       memcmp(&named, study->cuts, sizeof(named)) != 0)
		set++;
	return set;
}
