#include "results/studies/claims_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/studies/limit_study.h"

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
