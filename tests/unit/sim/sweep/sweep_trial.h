/* Sweeps for tests: read, planned and carried out into a store. */
#ifndef SAHM_TESTS_UNIT_SIM_SWEEP_SWEEP_TRIAL_H
#define SAHM_TESTS_UNIT_SIM_SWEEP_SWEEP_TRIAL_H

#include "sim/sweep/sweep.h"
#include "tests/unit/test.h"

#define CONFIG "configs/canonical.cfg"
#define SHORT "workload.duration_ms=500"

/* A sweep with its store and what became of it. */
struct trial {
	struct sweep sweep;
	struct sweep_options options;
	struct store *store;
	struct sweep_plan plan;
	struct sweep_outcome outcome;
};

static inline void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status != SAHM_OK)
		fail_msg("%s", err->msg);
}

static inline void read_sweep(struct sweep *sweep, const struct space_argument *axes, size_t nr_axes)
{
	const char *settings[] = {SHORT};
	const struct sweep_request request = {.config = CONFIG,
					      .settings = settings,
					      .nr_settings = 1,
					      .axes = axes,
					      .nr_axes = nr_axes,
					      .data_folder = "."};
	struct sahm_err err;
	must(sweep_read(sweep, &request, &err), &err);
}

static inline void begin_trial(struct trial *t, const struct space_argument *axes, size_t nr_axes, const char *path)
{
	struct sahm_err err;
	*t = (struct trial){.options = {.nr_workers = 2, .keep_threads = true, .shard = {0, 1}}};
	read_sweep(&t->sweep, axes, nr_axes);
	must(store_open(&t->store, path, STORE_WRITE, &err), &err);
}

static inline void carry_out(struct trial *t)
{
	struct sahm_err err = {.msg = "untouched"};
	must(sweep_plan(&t->sweep, &t->options, t->store, &t->plan, &err), &err);
	must(sweep_carry_out(&t->sweep, &t->options, t->store, &t->plan, &t->outcome, &err), &err);
	assert_string_equal(err.msg, "untouched");
}

static inline void end_trial(struct trial *t)
{
	struct sahm_err err;
	sweep_plan_release(&t->plan);
	sweep_release(&t->sweep);
	must(store_close(t->store, &err), &err);
}

#endif
