#include "tests/helper/same_outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Add new fields below. */
_Static_assert(sizeof(struct sim_counts) == 3 * sizeof(uint64_t), "every field is compared");
_Static_assert(sizeof(struct sim_thread_result) == 10 * sizeof(uint64_t), "every field is compared");
_Static_assert(sizeof(struct sim_result) == 10 * sizeof(uint64_t) + NR_STATES * sizeof(struct sim_counts),
	       "every field is compared");

struct pair {
	const struct sim_outcome *a, *b;
	const char *of; /* what has the field: "core" */
	uint32_t number;
};

static bool same(const struct pair *pair, const char *field, uint64_t a, uint64_t b)
{
	if (a == b)
		return true;
	fprintf(stderr, "%s", pair->of);
	if (strcmp(pair->of, "run") != 0)
		fprintf(stderr, " %u", pair->number);
	fprintf(stderr, ": '%s' is %" PRIu64 " from %s, %" PRIu64 " from %s\n", field, a, pair->a->from, b,
		pair->b->from);
	return false;
}

static bool same_residency(const struct sim_outcome *from, const struct sim_outcome *to)
{
	for (uint32_t i = 0; i < from->nr_groups && from->activity && to->activity; i++) {
		struct pair group = {from, to, "group", i};
		if (!same(&group, "residency", from->residency[i], to->residency[i]))
			return false;
	}
	for (uint32_t i = 0; i < OUTCOME_GROUPS && from->activity && to->activity; i++) {
		struct pair shared = {from, to, "shared group", i};
		if (!same(&shared, "over_ns", from->over_ns[i], to->over_ns[i]))
			return false;
	}
	return true;
}

static bool same_activity(const struct sim_outcome *from, const struct sim_outcome *to, uint32_t nr_threads)
{
	const struct activity *a = from->activity, *b = to->activity;

	for (uint32_t i = 0; i < nr_threads * from->nr_groups * NR_STATES && a && b; i++) {
		struct pair cell = {from, to, "cell", i};
		if (!same(&cell, "executed", a[i].executed, b[i].executed) ||
		    !same(&cell, "progress", (uint64_t)a[i].progress, (uint64_t)b[i].progress) ||
		    !same(&cell, "high progress", (uint64_t)(a[i].progress >> 64), (uint64_t)(b[i].progress >> 64)))
			return false;
	}
	return true;
}

#define SAME(field) same(pair, #field, a->field, b->field)

static bool same_counts(const struct pair *pair, const struct sim_counts *a, const struct sim_counts *b)
{
	return SAME(executed) && SAME(served) && SAME(matched);
}

static bool same_thread(const struct pair *pair, const struct sim_thread_result *a, const struct sim_thread_result *b)
{
	return SAME(executed) && SAME(migrations) && SAME(left) && SAME(present_ns) && SAME(slept_ns) &&
	       SAME(paid_ns) && SAME(transitions) && SAME(served) && SAME(matched) && SAME(completed_ns);
}

static bool same_whole(const struct pair *pair, const struct sim_result *a, const struct sim_result *b)
{
	return SAME(nr_timesteps) && SAME(simulated_ns) && SAME(present_timesteps) && SAME(capacity_timesteps) &&
	       SAME(decisions) && SAME(given_up) && SAME(is_continuous) && SAME(nr_ignored) && SAME(waiting.thread) &&
	       SAME(waiting.is_kept) && SAME(waiting.ns);
}

bool same_outcome(const struct sim_outcome *a, const struct sim_outcome *b, uint32_t nr_threads, uint32_t nr_cores)
{
	bool ok = same_whole(&(struct pair){a, b, "run", 0}, &a->whole, &b->whole);

	for (uint32_t t = 0; ok && t < nr_threads; t++)
		ok = same_thread(&(struct pair){a, b, "thread", t}, &a->threads[t], &b->threads[t]);
	for (uint32_t c = 0; ok && c < nr_cores; c++)
		ok = same_counts(&(struct pair){a, b, "core", c}, &a->cores[c], &b->cores[c]);
	for (uint32_t s = 0; ok && s < NR_STATES; s++)
		ok = same_counts(&(struct pair){a, b, "state", s}, &a->whole.states[s], &b->whole.states[s]);
	return ok && same_residency(a, b) && same_activity(a, b, nr_threads);
}

enum sahm_status run_engine(const struct sim_config *config, enum sim_engine engine, struct sim_outcome *out,
			    struct sahm_err *err)
{
	struct sim_config with = *config;

	with.engine = engine;
	out->from = engine == SIM_PLAIN ? "the plain engine" : "the event engine";
	/* not a truth value, so `left` stays as it is */
	memset(&out->whole, 0xa5, sizeof(out->whole));
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		out->threads[t] = (struct sim_thread_result){0};
		memset(&out->threads[t], 0xa5, offsetof(struct sim_thread_result, left));
	}
	if (out->activity) {
		static uint32_t groups[MAX_CORES];
		uint32_t place = 0;
		for (uint32_t c = 0; c < config->chip->nr_cores; c++) {
			place += config->levels ? config->levels[c].nr : 1;
			groups[c] = config->levels ? place - 1 : c % OUTCOME_GROUPS;
		}
		out->nr_groups = config->levels ? OUTCOME_TOP_GROUPS : OUTCOME_GROUPS;
		memset(out->residency, 0, sizeof(out->residency));
		memset(out->over_ns, 0, sizeof(out->over_ns));
		with.over_ns = out->over_ns;
		with.residency = out->residency;
		memset(out->activity, 0, config->nr_threads * out->nr_groups * NR_STATES * sizeof(*out->activity));
		with.activity = out->activity;
		with.core_groups = groups;
		with.nr_groups = out->nr_groups;
	}
	memset(out->cores, 0xa5, config->chip->nr_cores * sizeof(*out->cores));
	return sim_run(&with, &out->whole, out->threads, out->cores, err);
}
