/* What a simulation tells of itself while it runs, against what it says in the end: on random small systems everything
 * that is counted can be counted again from the events, and these come in the order that timeline.h promises. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/helper/random_system.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/test.h"

#define NR_SYSTEMS 1500u
#define NOBODY UINT32_MAX

/* What is known of a simulation from what it has told. */
struct listener {
	struct timeline_sink sink;
	const struct sim_config *config;
	const char *complaint; /* the first; NULL: none */
	struct timeline_event last;
	bool has_last;
	uint32_t on_core[RANDOM_TOP_CORES];	/* thread, or NOBODY */
	uint64_t since_ns[RANDOM_TOP_CORES];	/* in this state */
	uint8_t state[RANDOM_TOP_CORES];	/* of that thread */
	uint32_t on[RANDOM_TOP_THREADS];	/* core, or NOBODY */
	uint32_t waits_on[RANDOM_TOP_THREADS];	/* core it is to run on; NOBODY: it has not woken */
	uint8_t last_state[RANDOM_TOP_THREADS]; /* or STATE_NONE */
	bool is_over[RANDOM_TOP_THREADS];
	struct sim_outcome counted;
	struct sim_thread_result threads[RANDOM_TOP_THREADS];
	struct sim_counts cores[RANDOM_TOP_CORES];
	uint64_t end_ns;
};

static void complain(struct listener *l, const char *what)
{
	if (!l->complaint)
		l->complaint = what;
}

static void listen(struct listener *l, const struct sim_config *config, struct timeline_sink sink)
{
	memset(l, 0, sizeof(*l));
	l->sink = sink;
	l->config = config;
	memset(l->on_core, 0xff, sizeof(l->on_core));
	memset(l->on, 0xff, sizeof(l->on));
	memset(l->waits_on, 0xff, sizeof(l->waits_on));
	memset(l->last_state, STATE_NONE, sizeof(l->last_state));
}

static void add(struct sim_counts *counts, uint64_t nr, bool served, bool matched)
{
	counts->executed += nr;
	counts->served += served ? nr : 0;
	counts->matched += matched ? nr : 0;
}

/* The state that core `core` is in is over: only the end of a trace is not the end of a timestep. */
static void count(struct listener *l, uint32_t core, uint64_t ns)
{
	const struct core_type *type = l->config->chip->cores[core];
	struct sim_thread_result *th = &l->threads[l->on_core[core]];
	struct sim_counts of_thread = {th->executed, th->served, th->matched};
	uint64_t step = l->config->timestep_ns, nr = (ns - l->since_ns[core] + step - 1) / step;
	bool served = core_serves(type, l->state[core]), matched = core_matches(type, l->state[core]);
	add(&l->cores[core], nr, served, matched);
	add(&l->counted.whole.states[l->state[core]], nr, served, matched);
	add(&of_thread, nr, served, matched);
	th->executed = of_thread.executed;
	th->served = of_thread.served;
	th->matched = of_thread.matched;
}

static void take_run(struct listener *l, const struct timeline_event *e)
{
	if (l->waits_on[e->thread] != e->core)
		complain(l, "a thread runs where it was not");
	if (l->on[e->thread] != NOBODY && l->on[e->thread] != e->core)
		complain(l, "a thread runs on two cores");
	if (l->on_core[e->core] != NOBODY && l->on_core[e->core] != e->thread)
		complain(l, "two threads run on a core");
	if (l->on_core[e->core] == e->thread && l->state[e->core] == e->state)
		complain(l, "nothing new is told");
	if (l->on_core[e->core] == e->thread)
		count(l, e->core, e->ns);
	if (l->last_state[e->thread] != STATE_NONE && l->last_state[e->thread] != e->state)
		l->threads[e->thread].transitions++;
	l->on_core[e->core] = e->thread;
	l->on[e->thread] = e->core;
	l->since_ns[e->core] = e->ns;
	l->state[e->core] = l->last_state[e->thread] = e->state;
}

static void take_stop(struct listener *l, const struct timeline_event *e)
{
	if (l->on_core[e->core] != e->thread || l->on[e->thread] != e->core) {
		complain(l, "a thread stops that does not run");
		return;
	}
	count(l, e->core, e->ns);
	l->on_core[e->core] = l->on[e->thread] = NOBODY;
	l->threads[e->thread].left = l->is_over[e->thread] = e->reason == TIMELINE_LEAVE;
	if (e->reason == TIMELINE_LEAVE)
		l->threads[e->thread].present_ns += e->ns;
	else if (e->ns % l->config->timestep_ns)
		complain(l, "a thread stops within a timestep");
	if (e->reason == TIMELINE_END)
		l->end_ns = e->ns;
}

static void take(struct timeline_sink *sink, const struct timeline_event *e)
{
	static const int order[] = {
		[TIMELINE_STOP] = 0, [TIMELINE_WAKE] = 1, [TIMELINE_MIGRATE] = 2, [TIMELINE_RUN] = 3};
	struct listener *l = (struct listener *)sink;
	bool by_core = e->kind == TIMELINE_STOP || e->kind == TIMELINE_RUN;
	if (l->has_last && e->ns < l->last.ns)
		complain(l, "time goes back");
	if (l->has_last && e->ns == l->last.ns && order[e->kind] < order[l->last.kind])
		complain(l, "events of one time are in disorder");
	if (l->has_last && e->ns == l->last.ns && e->kind == l->last.kind &&
	    (by_core ? e->core <= l->last.core : e->thread <= l->last.thread))
		complain(l, "events of one kind are in disorder");
	if (l->is_over[e->thread])
		complain(l, "a thread comes back");
	switch (e->kind) {
	case TIMELINE_RUN:
		take_run(l, e);
		break;
	case TIMELINE_STOP:
		take_stop(l, e);
		break;
	case TIMELINE_WAKE:
		if (l->waits_on[e->thread] != NOBODY)
			complain(l, "a thread wakes twice");
		l->waits_on[e->thread] = e->core;
		l->threads[e->thread].present_ns -= e->ns;
		break;
	case TIMELINE_MIGRATE:
		if (l->waits_on[e->thread] != e->from || e->core == e->from || l->on[e->thread] != NOBODY)
			complain(l, "a thread moves from where it is not");
		l->waits_on[e->thread] = e->core;
		l->threads[e->thread].migrations++;
		break;
	}
	l->last = *e;
	l->has_last = true;
}

/* Unreported counts are taken from the result. */
static void complete(struct listener *l, const struct sim_outcome *said)
{
	struct sim_result *whole = &l->counted.whole;
	struct sim_counts states[NR_STATES];
	memcpy(states, whole->states, sizeof(states));
	*whole = said->whole;
	memcpy(whole->states, states, sizeof(states));
	for (uint32_t t = 0; t < l->config->nr_threads; t++) {
		struct sim_thread_result *th = &l->threads[t];
		th->completed_ns = said->threads[t].completed_ns;
		th->paid_ns = said->threads[t].paid_ns;
		if (!th->left && l->waits_on[t] != NOBODY)
			th->present_ns += whole->simulated_ns;
	}
	l->counted.from = "what was told";
	l->counted.threads = l->threads;
	l->counted.cores = l->cores;
}

static void expect_told(struct sim_config *config, enum sim_engine engine, struct listener *l)
{
	struct sim_thread_result threads[RANDOM_TOP_THREADS], silent_threads[RANDOM_TOP_THREADS];
	struct sim_counts cores[RANDOM_TOP_CORES], silent_cores[RANDOM_TOP_CORES];
	struct sim_outcome said = {.from = "with a timeline", .threads = threads, .cores = cores};
	struct sim_outcome silent = {.from = "without", .threads = silent_threads, .cores = silent_cores};
	struct sahm_err err;
	listen(l, config, (struct timeline_sink){.take = take});
	assert_int_equal(run_engine(config, engine, &silent, &err), SAHM_OK);
	config->timeline = &l->sink;
	assert_int_equal(run_engine(config, engine, &said, &err), SAHM_OK);
	config->timeline = NULL;
	if (!same_outcome(&said, &silent, config->nr_threads, config->chip->nr_cores))
		fail_msg("a timeline changes the result");
	complete(l, &said);
	if (!same_outcome(&l->counted, &said, config->nr_threads, config->chip->nr_cores))
		fail_msg("what was told is something else");
	if (l->end_ns && l->end_ns != said.whole.simulated_ns)
		fail_msg("the end is told at another time");
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		if (l->on_core[c] != NOBODY)
			fail_msg("core %u does not stop", c);
}

static void test_random_systems(void **state)
{
	static struct random_system system;
	static struct product_system product;
	static struct listener l;
	(void)state;
	for (uint64_t i = 0; i < NR_SYSTEMS; i++) {
		random_system(&system, 8, i);
		product_system(&product, &system);
		expect_told(&product.config, i % 2 ? SIM_EVENT : SIM_PLAIN, &l);
		if (l.complaint) {
			random_system_describe(&system);
			fail_msg("%s, at %" PRIu64 " ns", l.complaint, l.last.ns);
		}
	}
}

TEST_FILE(test_timeline_told)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_systems),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
