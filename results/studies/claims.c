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
#define CLAIM(suffix, id, whose, duty, basis, from, source, text, unit, expected, tolerance, judged, digits, known,    \
	      known_tolerance, row, part, why)                                                                         \
	{id,	    CLAIMS_##whose, CLAIMS_##duty,   CLAIMS_##basis,  CLAIMS_##from, source, text, unit, expected,     \
	 tolerance, known,	    known_tolerance, JUDGED_##judged, digits,	     row,    part, why},
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

/* As how many equally occupied states it is: the inverse of the sum of squares. */
static double effective_states(const double occupancy[NR_STATES])
{
	double sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		sum += occupancy[s] * occupancy[s];
	return 1 / sum;
}

static double time_with_three(const double occupancy[NR_STATES])
{
	double sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++) {
		unsigned rest = s & (s - 1); /* without the lowest bit */
		sum += s && rest & (rest - 1) ? occupancy[s] : 0;
	}
	return sum;
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
	double effective[NR_CUT_SETS];
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		effective[set] = effective_states(m->occupancy_by_set[set]);
	unsigned intuitive = cut_set(DEFAULT_CUTS);
	ours[CLAIM_DIVERSE] = lead(effective, NR_CUT_SETS, intuitive);
	ours[CLAIM_P50_COMBINED] = 100 * (time_with_three(m->occupancy_by_set[cut_set("p50")]) -
					  time_with_three(m->occupancy_by_set[intuitive]));
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

bool claim_is_as_known(enum claim claim, double ours)
{
	const struct claim_row *row = &claim_rows[claim];
	double away = fabs(ours - strtod(row->known, NULL));
	return away <= strtod(row->known_tolerance, NULL) + CLAIM_ROUNDING;
}

struct claim_result claim_judge(enum claim claim, double ours, unsigned tolerance_factor)
{
	return (struct claim_result){
		.ours = ours,
		.low = NAN,
		.high = NAN,
		.served = NAN,
		.known = !isnan(ours),
		.holds = claim_holds(claim, ours, tolerance_factor),
	};
}

bool claim_is_of_suite(enum claim claim)
{
	return claim_rows[claim].from == CLAIMS_OF_TRACES && claim_rows[claim].basis != CLAIMS_PREDICTED;
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

enum setting { ORACLE, IDEAL, COST, COST_5, COST_9, INERTIA, INERTIA_5, INERTIA_9, NR_SETTINGS };

static const struct {
	const char *name;
	bool is_of_study;
} settings[NR_SETTINGS] = {
	[ORACLE] = {"Oracle", true},	     [IDEAL] = {"Ideal", true},		  [COST] = {"Cost", true},
	[COST_5] = {"Cost+5ms", false},	     [COST_9] = {"Cost+9ms", false},	  [INERTIA] = {"Inertia", true},
	[INERTIA_5] = {"Inertia+5ms", true}, [INERTIA_9] = {"Inertia+9ms", true},
};

bool claims_setting_is_of_study(const char *name)
{
	for (unsigned s = 0; s < NR_SETTINGS; s++)
		if (strcmp(settings[s].name, name) == 0)
			return settings[s].is_of_study;
	return false;
}

/* Chips: those of figure 4.9, with 39 cores, two of other sizes, and one of other cores. */
enum { CHIP_32 = NR_LIMIT_NAMED, CHIP_64, CHIP_TWO };

static const char *chip_name(unsigned chip)
{
	return chip == CHIP_32	  ? CLAIMS_32_CORES
	       : chip == CHIP_64  ? CLAIMS_64_CORES
	       : chip == CHIP_TWO ? CLAIMS_TWO_COMPONENTS
				  : limit_named_names[chip];
}

/* A claim on speedups: (a - b) / (c - b) where there is a c, else a - b. */
#define NONE NR_SETTINGS
static const struct {
	enum claim claim;
	unsigned chip;
	enum setting a, b, c;
} of_speedups[] = {
#define ON_PAPERS_CHIPS(claim, a, b, c)                                                                                \
	{claim, LIMIT_ALL_30, a, b, c}, {claim##_BRANCH_10, LIMIT_BRANCH_10, a, b, c},                                 \
		{claim##_BRANCH_0, LIMIT_BRANCH_0, a, b, c},
#define ON_SCALED_CHIPS(claim, a, b, c) {claim##_32, CHIP_32, a, b, c}, {claim##_64, CHIP_64, a, b, c},
	ON_PAPERS_CHIPS(CLAIM_RUN_ORACLE, ORACLE, IDEAL, NONE)		 /**/
	ON_SCALED_CHIPS(CLAIM_RUN_ORACLE, ORACLE, IDEAL, NONE)		 /**/
	ON_PAPERS_CHIPS(CLAIM_RUN_INERTIA, IDEAL, INERTIA, NONE)	 /**/
	ON_PAPERS_CHIPS(CLAIM_RUN_INERTIA_5, IDEAL, INERTIA_5, NONE)	 /**/
	ON_PAPERS_CHIPS(CLAIM_RUN_INERTIA_9, IDEAL, INERTIA_9, NONE)	 /**/
	ON_SCALED_CHIPS(CLAIM_RUN_INERTIA_9, IDEAL, INERTIA_9, NONE)	 /**/
	ON_PAPERS_CHIPS(CLAIM_RUN_RECOVERED, INERTIA, COST, IDEAL)	 /**/
	ON_PAPERS_CHIPS(CLAIM_RUN_RECOVERED_5, INERTIA_5, COST_5, IDEAL) /**/
	ON_PAPERS_CHIPS(CLAIM_RUN_RECOVERED_9, INERTIA_9, COST_9, IDEAL) /**/
#undef ON_SCALED_CHIPS
#undef ON_PAPERS_CHIPS
};

/* Claims on a metric of a run. */
static const struct {
	enum claim claim;
	unsigned chip;
	enum run_metric metric;
} of_ideal[] = {
	{CLAIM_RUN_IDEAL, LIMIT_ALL_30, RUN_METRIC_speedup_mean},
	{CLAIM_RUN_IDEAL_BRANCH_10, LIMIT_BRANCH_10, RUN_METRIC_speedup_mean},
	{CLAIM_RUN_IDEAL_BRANCH_0, LIMIT_BRANCH_0, RUN_METRIC_speedup_mean},
	{CLAIM_RUN_IDEAL_32, CHIP_32, RUN_METRIC_speedup_mean},
	{CLAIM_RUN_IDEAL_64, CHIP_64, RUN_METRIC_speedup_mean},
	{CLAIM_RUN_IDEAL_TWO, CHIP_TWO, RUN_METRIC_speedup_mean},
	{CLAIM_RUN_TRANSITIONS, LIMIT_ALL_30, RUN_METRIC_transition_share},
};

/* A cost below this, in points, is as good as none: a part of it says nothing. */
#define LEAST_COST_POINTS 0.05

/* A run of one chip in one setting. */
struct chosen_run {
	const struct record *record; /* NULL when it is not there or failed */
	const double *samples;	     /* speedups, in %; NULL likewise and where there are none */
};

/* Index of `name` in names[nr]; nr when it is not there. */
static uint32_t find(const char *const *names, uint32_t nr, const char *name)
{
	uint32_t i = 0;
	while (i < nr && strcmp(names[i], name) != 0)
		i++;
	return i;
}

static struct chosen_run choose(const struct claims_realistic *r, size_t nr, unsigned chip, enum setting setting)
{
	for (; nr > 0; r++, nr--) {
		uint32_t c = find(r->chips, r->nr_chips, chip_name(chip));
		uint32_t s = find(r->settings, r->nr_settings, settings[setting].name);
		size_t run = (size_t)c * r->nr_settings + s;
		if (c < r->nr_chips && s < r->nr_settings && !r->records[run].failed)
			return (struct chosen_run){&r->records[run],
						   r->nr_samples ? r->samples + run * r->nr_samples : NULL};
	}
	return (struct chosen_run){NULL, NULL};
}

/* In %; NAN when the run is not there or has no such metric. */
static double metric_pct(struct chosen_run run, enum run_metric metric)
{
	return run.record ? 100 * run.record->metrics[metric] : NAN;
}

static double speedup_pct(struct chosen_run run)
{
	return metric_pct(run, RUN_METRIC_speedup_mean);
}

/* The matched share that is farthest from `expected`, with the served share of that run. */
static void farthest_matched(const struct claims_realistic *r, size_t nr, struct claim_measured *m)
{
	double expected = strtod(claim_rows[CLAIM_RUN_MATCHED].expected, NULL);
	m->ours = expected;
	for (unsigned chip = 0; chip < NR_LIMIT_NAMED; chip++) {
		for (unsigned setting = 0; setting < NR_SETTINGS; setting++) {
			const struct chosen_run run = choose(r, nr, chip, (enum setting)setting);
			double pct = metric_pct(run, RUN_METRIC_matched_share);
			if (!settings[setting].is_of_study)
				continue;
			if (isnan(pct)) {
				*m = claim_not_measured;
				return;
			}
			if (isnan(m->served) || fabs(pct - expected) > fabs(m->ours - expected)) {
				m->ours = pct;
				m->served = metric_pct(run, RUN_METRIC_served_share);
			}
		}
	}
}

/* Of runs a, b and c in the same samples, paired. */
static enum sahm_status measure_speedups(const struct chosen_run runs[3], bool is_part, uint32_t nr_samples,
					 const char *what, struct claim_measured *m, struct sahm_err *err)
{
	double taken = is_part ? speedup_pct(runs[2]) - speedup_pct(runs[1]) : 1;
	struct stats_interval interval;
	bool has_samples = nr_samples > 1;
	m->ours = taken > LEAST_COST_POINTS || !is_part ? (speedup_pct(runs[0]) - speedup_pct(runs[1])) / taken : NAN;
	m->ours *= is_part ? 100 : 1;
	for (unsigned i = 0; i < (is_part ? 3u : 2u); i++)
		has_samples &= runs[i].samples != NULL;
	if (isnan(m->ours) || !has_samples)
		return SAHM_OK;
	double *parts = calloc(nr_samples, sizeof(*parts)), *wholes = calloc(nr_samples, sizeof(*wholes));
	enum sahm_status status = parts && wholes ? SAHM_OK : sahm_fail_nomem(err);
	for (uint32_t i = 0; i < nr_samples && status == SAHM_OK; i++) {
		parts[i] = runs[0].samples[i] - runs[1].samples[i];
		wholes[i] = is_part ? runs[2].samples[i] - runs[1].samples[i] : 1;
	}
	if (status == SAHM_OK)
		status = stats_bootstrap_ratio(parts, wholes, nr_samples, BOOTSTRAP_RESAMPLES, 1, what, &interval, err);
	if (status == SAHM_OK) {
		m->low = interval.low * (is_part ? 100 : 1);
		m->high = interval.high * (is_part ? 100 : 1);
	}
	free(parts);
	free(wholes);
	return status;
}

const struct claim_measured claim_not_measured = {NAN, NAN, NAN, NAN};

enum sahm_status claims_of_runs(const struct claims_realistic *r, size_t nr, struct claim_measured measured[NR_CLAIMS],
				struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		if (claim_rows[c].from == CLAIMS_OF_RUNS)
			measured[c] = claim_not_measured;
	for (size_t i = 0; i < ARRAY_SIZE(of_ideal); i++) {
		struct claim_measured *m = &measured[of_ideal[i].claim];
		const struct chosen_run run = choose(r, nr, of_ideal[i].chip, IDEAL);
		m->ours = metric_pct(run, of_ideal[i].metric);
		if (run.record && run.record->has_intervals) {
			m->low = 100 * run.record->intervals[of_ideal[i].metric].low;
			m->high = 100 * run.record->intervals[of_ideal[i].metric].high;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_speedups) && status == SAHM_OK; i++) {
		bool is_part = of_speedups[i].c != NONE;
		const struct chosen_run runs[3] = {
			choose(r, nr, of_speedups[i].chip, of_speedups[i].a),
			choose(r, nr, of_speedups[i].chip, of_speedups[i].b),
			choose(r, nr, of_speedups[i].chip, is_part ? of_speedups[i].c : of_speedups[i].b)};
		status = measure_speedups(runs, is_part, nr > 0 ? r->nr_samples : 0,
					  claim_rows[of_speedups[i].claim].text, &measured[of_speedups[i].claim], err);
	}
	farthest_matched(r, nr, &measured[CLAIM_RUN_MATCHED]);
	return status;
}
