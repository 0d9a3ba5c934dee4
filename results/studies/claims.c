#include "results/studies/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "results/studies/limit_study.h"
#include "sim/base/array.h"
#include "sim/base/units.h"

#define STATE(component) (1u << COMPONENT_##component)
#define STATE_ALL (NR_STATES - 1)

const struct claim_row claim_rows[NR_CLAIMS] = {
#define CLAIM(suffix, id, whose, duty, from, source, text, unit, expected, tolerance, judged, digits, row, part, why)  \
	{id,	   CLAIMS_##whose, CLAIMS_##duty,   CLAIMS_##from, source, text, unit,                                 \
	 expected, tolerance,	   JUDGED_##judged, digits,	   row,	   part, why},
#include "results/studies/claim_list.h"
#undef CLAIM
};

/* Index of the set of cuts called `name`, which is one of theirs. */
static unsigned cut_set(const char *name)
{
	unsigned set = 0;
	while (strcmp(cut_set_names[set], name) != 0)
		set++;
	return set;
}

static double share(uint64_t part, uint64_t whole)
{
	return (double)part / (double)whole;
}

/* How much values[at] is above the largest other one. */
static double lead(const double *values, unsigned nr, unsigned at)
{
	double most = 0;
	for (unsigned i = 0; i < nr; i++)
		if (i != at && values[i] > most)
			most = values[i];
	return values[at] - most;
}

const unsigned claims_top_states[NR_TOP_STATES] = {
	STATE_LOW,
	STATE(L2),
	STATE(L2) | STATE(L1D),
	STATE(BRANCH),
	STATE(L2) | STATE(BRANCH),
	STATE(L2) | STATE(L1D) | STATE(BRANCH),
};

static unsigned nr_top_states(const double occupancy[NR_STATES])
{
	const unsigned *named = claims_top_states;
	unsigned nr_top = 0;
	for (unsigned i = 0; i < NR_TOP_STATES; i++) {
		unsigned nr_as_large = 0; /* itself included */
		for (unsigned s = 0; s < NR_STATES; s++)
			nr_as_large += occupancy[s] >= occupancy[named[i]];
		nr_top += nr_as_large <= NR_TOP_STATES;
	}
	return nr_top;
}

static void measure_states(const struct characterize_means *m, double ours[NR_CLAIMS])
{
	const double *p25 = m->occupancy_by_set[cut_set("p25")];
	double combined = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		if (s & (s - 1)) /* two bits or more */
			combined += p25[s];
	ours[CLAIM_LOW_SHARE] = 100 * m->occupancy[STATE_LOW];
	ours[CLAIM_P25_ALL] = 100 * lead(p25, NR_STATES, STATE_ALL);
	ours[CLAIM_P25_COMBINED] = 100 * combined;
	ours[CLAIM_P25_ENTIRE] = 100 * p25[STATE_ALL];
	ours[CLAIM_TOP_STATES] = nr_top_states(m->occupancy);
}

bool claims_is_called(const char *name, const char *word)
{
	size_t len = strlen(word);
	return strncmp(name, word, len) == 0 && (!name[len] || name[len] == '_' || name[len] == '-');
}

static void measure_applications(const struct characterize_study *study, double ours[NR_CLAIMS])
{
	for (unsigned claim = 0; claim < NR_CLAIMS; claim++) {
		const struct claim_row *row = &claim_rows[claim];
		double *least = &ours[claim]; /* NAN until there is one, and NAN <= pct is false */
		unsigned state;
		if (strcmp(row->id, "4.4") != 0 || !state_find(row->part, strlen(row->part), &state))
			continue;
		for (size_t t = 0; t < study->nr; t++) {
			const struct characterization *c = &study->rows[t].counts;
			double pct = 100 * share(c->in_state[state], c->nr_epochs);
			if (claims_is_called(study->rows[t].name, row->row) && !(*least <= pct))
				*least = pct;
		}
	}
}

/* Four standard deviations: of n coins, heads less tails has a variance of n. */
static bool is_lopsided(uint64_t there, uint64_t back)
{
	double difference = (double)there - (double)back;
	return difference * difference > 4 * 4 * ((double)there + (double)back);
}

static void measure_transitions(const struct characterize_study *study, double ours[NR_CLAIMS])
{
	uint64_t transitions[NR_STATES][NR_STATES] = {{0}};
	unsigned nr_lopsided = 0;
	size_t nr_changing = 0; /* a trace of one epoch has none before it */
	double same = 0;
	for (size_t t = 0; t < study->nr; t++) {
		const struct characterization *c = &study->rows[t].counts;
		for (unsigned from = 0; from < NR_STATES; from++)
			for (unsigned to = 0; to < NR_STATES; to++)
				transitions[from][to] += c->transitions[from][to];
		if (c->nr_epochs > 1) {
			same += share(c->nr_same, c->nr_epochs - 1);
			nr_changing++;
		}
	}
	if (nr_changing == 0)
		return;
	for (unsigned a = 0; a < NR_STATES; a++)
		for (unsigned b = 0; b < a; b++)
			nr_lopsided += is_lopsided(transitions[a][b], transitions[b][a]);
	ours[CLAIM_SAME_STATE] = 100 * same / (double)nr_changing;
	ours[CLAIM_LOW_TO_L1I] = (double)transitions[STATE_LOW][STATE(L1I)];
	ours[CLAIM_L1I_TO_LOW] = (double)transitions[STATE(L1I)][STATE_LOW];
	ours[CLAIM_LOPSIDED] = nr_lopsided;
}

static void measure_intervals(const struct characterize_study *study, const struct characterize_means *m,
			      double ours[NR_CLAIMS])
{
	double time = 0;
	for (size_t t = 0; t < study->nr; t++) {
		const struct characterization *c = &study->rows[t].counts;
		uint64_t epoch_ns = study->rows[t].epoch_ns, long_epochs = (CLAIMS_LONG_NS + epoch_ns - 1) / epoch_ns;
		for (unsigned bin = 0; bin < NR_INTERVAL_BINS; bin++)
			if (interval_bin_epochs(bin) >= long_epochs)
				time += share(c->epochs_of_length[bin], c->nr_epochs);
	}
	ours[CLAIM_SHORT_LEAD] = 100 * lead(m->intervals_of_length, NR_INTERVAL_BINS, 0);
	ours[CLAIM_LONG_TIME] = 100 * time / (double)study->nr;
}

static void measure_percentiles(const struct claims_input *input, double ours[NR_CLAIMS])
{
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25_cut, p50_cut, intuitive)                                 \
	ours[CLAIM_P25_##suffix] = cuts_get(&input->p25, COMPONENT_##suffix);                                          \
	ours[CLAIM_P50_##suffix] = cuts_get(&input->p50, COMPONENT_##suffix);
#include "cores/chip/metric_list.h"
#undef METRIC
}

void claims_of_shares(const double (*weights)[NR_STATES], size_t nr, double *speedups, double ours[NR_CLAIMS])
{
	static const struct {
		enum claim claim;
		enum limit_named chip;
	} rows[] = {{CLAIM_ALL_30, LIMIT_ALL_30}, {CLAIM_BRANCH_10, LIMIT_BRANCH_10}, {CLAIM_BRANCH_0, LIMIT_BRANCH_0}};
	double mean = 0, p25 = 0;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int32_t speedup_ppm[NR_STATES];
		limit_named_speedups(rows[i].chip, speedup_ppm);
		for (size_t t = 0; t < nr; t++)
			speedups[t] = limit_speedup(weights[t], speedup_ppm);
		struct box box = box_of(speedups, nr);
		ours[rows[i].claim] = 100 * box.p25 / GENERAL_PCT;
		if (rows[i].claim == CLAIM_ALL_30)
			ours[CLAIM_LIMIT] = 100 * box.mean;
	}
	for (size_t t = 0; t < nr; t++) {
		struct box box = limit_breadth(weights[t]);
		mean += box.mean;
		p25 += box.p25;
	}
	ours[CLAIM_BREADTH_MEAN] = 100 * mean / (double)nr;
	ours[CLAIM_BREADTH_P25] = 100 * p25 / (double)nr;
}

/* Share of its time that a trace would have to spend in other states to be like another. */
static double distance(const struct characterization *a, const struct characterization *b)
{
	double sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		sum += fabs(share(a->in_state[s], a->nr_epochs) - share(b->in_state[s], b->nr_epochs));
	return sum / 2;
}

static void measure_spread(const struct characterize_study *study, double ours[NR_CLAIMS])
{
	unsigned nr_steady = 0, nr_restless = 0;
	for (size_t t = 0; t < study->nr; t++) {
		const struct characterization *c = &study->rows[t].counts;
		/* Cutting the half and the third to whole epochs changes neither comparison. */
		for (unsigned s = 0; s < NR_STATES; s++)
			nr_steady += c->in_state[s] > c->nr_epochs / 2;
		nr_restless += c->nr_epochs - 1 - c->nr_same > (c->nr_epochs - 1) / 3;
		for (size_t u = 0; u < t; u++) {
			double points = 100 * distance(c, &study->rows[u].counts);
			if (!(ours[CLAIM_DISTANCE] <= points))
				ours[CLAIM_DISTANCE] = points;
		}
	}
	ours[CLAIM_STEADY] = nr_steady;
	ours[CLAIM_RESTLESS] = nr_restless;
}

bool claim_holds(enum claim claim, double ours, unsigned tolerance_factor)
{
	const struct claim_row *row = &claim_rows[claim];
	double expected = strtod(row->expected, NULL);
	double tolerance = strtod(row->tolerance, NULL) * tolerance_factor;
	double above = ours - expected;
	switch (row->judged) {
	case JUDGED_RELATIVE:
		return fabs(above) <= tolerance / 100 * expected + CLAIM_ROUNDING;
	case JUDGED_WITHIN:
	case JUDGED_EXACTLY:
		return fabs(above) <= tolerance + CLAIM_ROUNDING;
	case JUDGED_ABOVE:
		return above > CLAIM_ROUNDING;
	case JUDGED_AT_LEAST:
		return above >= -CLAIM_ROUNDING;
	case JUDGED_BELOW:
		return above < -CLAIM_ROUNDING;
	case JUDGED_AT_MOST:
		return above <= CLAIM_ROUNDING;
	}
	return false;
}

struct claim_result claim_judge(enum claim claim, double ours, unsigned tolerance_factor)
{
	return (struct claim_result){
		.ours = ours,
		.known = !isnan(ours),
		.holds = claim_holds(claim, ours, tolerance_factor),
	};
}

unsigned claims_nr_from(enum claim_from from)
{
	unsigned nr = 0;
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		nr += claim_rows[c].from == from;
	return nr;
}

enum sahm_status claims_evaluate(const struct claims_input *input, unsigned tolerance_factor,
				 struct claim_result results[NR_CLAIMS], struct sahm_err *err)
{
	const struct characterize_study *study = input->study;
	struct characterize_means means;
	double ours[NR_CLAIMS];
	if (characterize_set_of(study) != cut_set(DEFAULT_CUTS))
		return sahm_fail(err, SAHM_CONFIG,
				 "the paper's claims are about thresholds '" DEFAULT_CUTS "', not '%s'",
				 study->cuts_name);
	double *speedups = NULL, (*weights)[NR_STATES] = NULL;
	if (study->nr <= SIZE_MAX / sizeof(*weights)) {
		speedups = malloc(study->nr * sizeof(*speedups));
		weights = malloc(study->nr * sizeof(*weights));
	}
	if (!speedups || !weights) {
		free(speedups);
		free(weights);
		return sahm_fail_nomem(err);
	}
	for (size_t t = 0; t < study->nr; t++)
		limit_weights(study->rows[t].counts.in_state, weights[t]);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		ours[c] = NAN;
	characterize_means(study, &means);
	measure_states(&means, ours);
	measure_applications(study, ours);
	measure_transitions(study, ours);
	measure_intervals(study, &means, ours);
	measure_percentiles(input, ours);
	claims_of_shares((const double(*)[NR_STATES])weights, study->nr, speedups, ours);
	measure_spread(study, ours);
	free(speedups);
	free(weights);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		results[c] = claim_judge((enum claim)c, ours[c], tolerance_factor);
	return SAHM_OK;
}

enum setting { ORACLE, IDEAL, COST, INERTIA, INERTIA_5, INERTIA_9, NR_SETTINGS };

static const char *const setting_names[NR_SETTINGS] = {"Oracle",  "Ideal",	 "Cost",
						       "Inertia", "Inertia+5ms", "Inertia+9ms"};

/* Index of `name` in names[nr]; nr when it is not there. */
static uint32_t find(const char *const *names, uint32_t nr, const char *name)
{
	uint32_t i = 0;
	while (i < nr && strcmp(names[i], name) != 0)
		i++;
	return i;
}

bool claims_setting_is_of_study(const char *name)
{
	return find(setting_names, NR_SETTINGS, name) < NR_SETTINGS;
}

/* A cost below this, in points, is as good as none: a part of it says nothing. */
#define LEAST_COST_POINTS 0.05

/* A share or a speedup in %; NAN when the run is not there or has none. */
static double metric_pct(const struct claims_realistic *r, enum limit_named chip, enum setting setting,
			 enum run_metric metric)
{
	uint32_t c = find(r->chips, r->nr_chips, limit_named_names[chip]);
	uint32_t s = find(r->settings, r->nr_settings, setting_names[setting]);
	if (c == r->nr_chips || s == r->nr_settings)
		return NAN;
	const struct record *record = &r->records[(size_t)c * r->nr_settings + s];
	return record->failed ? NAN : 100 * record->metrics[metric];
}

static double speedup_pct(const struct claims_realistic *r, enum setting setting)
{
	return metric_pct(r, LIMIT_ALL_30, setting, RUN_METRIC_speedup_mean);
}

/* The matched share that is farthest from `expected`. */
static double farthest_matched(const struct claims_realistic *r, double expected)
{
	double farthest = expected;
	for (unsigned chip = 0; chip < NR_LIMIT_NAMED; chip++) {
		for (unsigned setting = 0; setting < NR_SETTINGS; setting++) {
			double pct =
				metric_pct(r, (enum limit_named)chip, (enum setting)setting, RUN_METRIC_matched_share);
			if (isnan(pct))
				return NAN;
			if (fabs(pct - expected) > fabs(farthest - expected))
				farthest = pct;
		}
	}
	return farthest;
}

void claims_of_runs(const struct claims_realistic *r, double ours[NR_CLAIMS])
{
	double ideal = speedup_pct(r, IDEAL), cost = speedup_pct(r, COST);
	double taken = ideal - cost;
	ours[CLAIM_RUN_IDEAL] = ideal;
	ours[CLAIM_RUN_ORACLE] = speedup_pct(r, ORACLE) - ideal;
	ours[CLAIM_RUN_RECOVERED] = taken > LEAST_COST_POINTS ? 100 * (speedup_pct(r, INERTIA) - cost) / taken : NAN;
	ours[CLAIM_RUN_INERTIA_9] = ideal - speedup_pct(r, INERTIA_9);
	ours[CLAIM_RUN_MATCHED] = farthest_matched(r, strtod(claim_rows[CLAIM_RUN_MATCHED].expected, NULL));
	ours[CLAIM_RUN_TRANSITIONS] = metric_pct(r, LIMIT_ALL_30, IDEAL, RUN_METRIC_transition_share);
}
