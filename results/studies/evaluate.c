#include "results/studies/evaluate.h"

#include "results/studies/limit.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/engine/config/run.h"
#include "sim/engine/model.h"

const char *const evaluator_names[] = {[EVALUATE_RUN] = "run", [EVALUATE_LIMIT] = "limit", NULL};

static enum sahm_status simulate(const struct run_config *config, struct arena *a, struct record *r,
				 struct sahm_err *err)
{
	struct run_result result;
	enum sahm_status status = run_execute(config, SIM_EVENT, &result, err);
	if (status != SAHM_OK)
		return status;
	status = record_of_run(a, config, &result, r, err);
	run_result_release(&result);
	return status;
}

enum sahm_status evaluate(const struct run_config *config, enum evaluator evaluator, struct arena *a, struct record *r,
			  struct sahm_err *err)
{
	/* While a timer of its processor time is set (policy_guard_begin()), the clock of the process is as coarse. */
	uint64_t started = clock_ns(CLOCK_REALTIME), wall = clock_ns(CLOCK_MONOTONIC),
		 cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	enum sahm_status status =
		evaluator == EVALUATE_LIMIT ? record_of_limit(a, config, r, err) : simulate(config, a, r, err);
	if (status != SAHM_OK)
		return status;
	r->timing.started_unix_ms = started / NS_PER_MS;
	r->timing.wall_ns = clock_ns(CLOCK_MONOTONIC) - wall;
	r->timing.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	return SAHM_OK;
}

enum sahm_status evaluate_hash(const struct run_config *config, enum evaluator evaluator, uint8_t hash[HASH_BYTES],
			       struct sahm_err *err)
{
	uint8_t of_config[HASH_BYTES];
	struct record_core *chip;
	uint32_t nr_groups;
	struct arena a;
	struct hash h;
	arena_init(&a);
	enum sahm_status status = record_chip(&a, config, &chip, &nr_groups, err);
	if (status != SAHM_OK) {
		arena_release(&a);
		return status;
	}
	run_config_hash(config, of_config);
	hash_init(&h);
	hash_add_string(&h, "sahm record 1");
	hash_add_string(&h, evaluator_names[evaluator]);
	hash_add_string(&h, model_version());
	hash_add(&h, of_config, sizeof(of_config));
	/* Names of cores and threads are part of a record, though not of its results. */
	for (uint32_t g = 0; g < nr_groups; g++) {
		hash_add_string(&h, chip[g].type);
		hash_add_string(&h, chip[g].speedups);
		hash_add_u64(&h, chip[g].count);
	}
	for (uint32_t t = 0; t < config->nr_threads; t++)
		hash_add_string(&h, config->threads[t].name);
	hash_end(&h, hash);
	arena_release(&a);
	return SAHM_OK;
}
