/* The promises of every built-in policy, on random systems of a few tenants (threads and cores that no other thread or
 * core has to do with):
 *   - a change inside one tenant leaves every number of the others unchanged;
 *   - all times multiplied by 10 or 100 give the same counts, and the same times multiplied;
 *   - the order in which a configuration lists threads matters only where it says who comes first: among the threads of
 *     a tenant that arrive in the same timestep.
 * SAHM_PROMISE_SYSTEMS in the environment: how many systems for each policy.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/engine/sim.h"
#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define NR_SYSTEMS 300u
#define NR_TENANTS 3u
#define TOP_CORES 6u   /* of a tenant */
#define TOP_THREADS 8u /* of a tenant */
#define TOP_EPOCHS 8u
#define TOP_BURSTS 4u
#define ALL_CORES (NR_TENANTS * TOP_CORES)
#define ALL_THREADS (NR_TENANTS * TOP_THREADS)

/* Timestep, and how many are run. Exact times are multiples of a 16th of it, which can be halved 17 times. */
#define EXACT_NS (UINT64_C(10) << 20)
#define EXACT_STEPS 40u
#define ROUGH_NS (10 * NS_PER_MS)
#define ROUGH_STEPS 120u

struct member {
	uint8_t states[TOP_EPOCHS];
	uint64_t nr_epochs, epoch_ns, offset_ns, arrive_ns;
	bool once;
	uint32_t weight, set, nr_bursts; /* `set`: bits of the tenant's cores */
	struct burst bursts[TOP_BURSTS];
	/* Its set and weight change once; at_ns 0: they do not. */
	uint64_t change_at_ns;
	uint32_t change_weight, change_set;
};

struct tenant {
	uint32_t nr_cores, nr_threads;
	struct core_type types[TOP_CORES];
	struct member threads[TOP_THREADS];
};

struct place {
	uint32_t tenant, rank;
};

enum kind {
	EXACT,	  /* times that often coincide, and rates that are powers of two: nothing is rounded */
	ROUGH,	  /* any times and rates */
	DISTINCT, /* the same, of equal weights, and no two threads are alike: nothing ties */
};

struct system {
	enum kind kind;
	bool has_ties; /* of speedups */
	bool oracle, late, sets, sleep, change;
	uint32_t inertia;
	uint64_t step_ns, cost_ns, warmup_ns, seed;
	struct tenant tenants[NR_TENANTS];
	uint32_t nr_cores, nr_threads;
	struct place cores[ALL_CORES], order[ALL_THREADS]; /* in the order of the configuration */
	uint64_t matrix_ns[ALL_CORES * ALL_CORES];
	bool has_matrix;
};

struct outcome {
	struct sim_result whole;
	struct sim_thread_result threads[NR_TENANTS][TOP_THREADS];
	struct sim_counts cores[NR_TENANTS][TOP_CORES];
};

/* Systems */

static uint64_t draw_time(uint64_t *rng, const struct system *s, uint64_t low, uint64_t high)
{
	uint64_t ns = between(rng, low, high) * (s->step_ns / 16);
	return s->kind == EXACT ? ns : ns + between(rng, 1, s->step_ns / 16);
}

static void draw_type(uint64_t *rng, const struct system *s, struct core_type *type)
{
	static const int32_t rough[] = {0, 20000, 50000, 100000, 200000, 300000, 300000, 600000, -100000};
	static const int32_t exact[] = {0, 1000000, 1000000};
	uint64_t kind = between(rng, 0, 7);
	int32_t ppm[NR_STATES];

	for (unsigned state = 0; state < NR_STATES; state++)
		ppm[state] = s->kind == EXACT ? PICK(rng, exact) : PICK(rng, rough);
	for (unsigned state = 0; state < NR_STATES && s->has_ties; state++)
		ppm[state] = s->kind == EXACT ? 1000000 : 300000;
	if (kind < 2)
		core_type_baseline(type, "baseline");
	else if (kind < 7)
		core_type_specialised(type, "special", 1u << between(rng, 0, 3), ppm);
	else
		core_type_table(type, "table", ppm);
}

static uint8_t draw_state(uint64_t *rng)
{
	return (uint8_t)(one_in(rng, 4) ? between(rng, 0, 15) : one_in(rng, 4) ? 0 : 1u << between(rng, 0, 3));
}

static uint32_t draw_set(uint64_t *rng, const struct tenant *tenant)
{
	uint32_t all = (1u << tenant->nr_cores) - 1;
	return one_in(rng, 2) ? all : (uint32_t)between(rng, 1, all);
}

static uint32_t draw_weight(uint64_t *rng, const struct system *s)
{
	return s->kind == DISTINCT || one_in(rng, 2) ? DEFAULT_WEIGHT : (uint32_t)between(rng, 50, 400);
}

static void draw_thread(uint64_t *rng, const struct system *s, const struct tenant *tenant, struct member *m)
{
	*m = (struct member){.nr_epochs = between(rng, 1, TOP_EPOCHS), .epoch_ns = draw_time(rng, s, 80, 150)};
	for (uint64_t e = 0; e < m->nr_epochs; e++)
		m->states[e] = e && one_in(rng, 2) ? m->states[e - 1] : draw_state(rng);
	m->offset_ns = one_in(rng, 2) ? draw_time(rng, s, 0, 50) : 0;
	m->arrive_ns = s->late && one_in(rng, 2) ? draw_time(rng, s, 0, 400) : 0;
	m->once = one_in(rng, 6);
	m->weight = draw_weight(rng, s);
	m->set = s->sets ? draw_set(rng, tenant) : (1u << tenant->nr_cores) - 1;
	m->nr_bursts = s->sleep && !one_in(rng, 4) ? (uint32_t)between(rng, 1, TOP_BURSTS) : 0;
	for (uint32_t b = 0; b < m->nr_bursts; b++)
		m->bursts[b] = (struct burst){draw_time(rng, s, 8, 100), one_in(rng, 6) ? 0 : draw_time(rng, s, 1, 80)};
	if (s->change && one_in(rng, 2)) {
		m->change_at_ns = draw_time(rng, s, 10, 500);
		m->change_weight = draw_weight(rng, s);
		m->change_set = draw_set(rng, tenant);
	}
}

static void draw_tenant(uint64_t *rng, const struct system *s, struct tenant *tenant)
{
	for (uint32_t c = 0; c < tenant->nr_cores; c++) {
		if (c > 0 && one_in(rng, 3))
			tenant->types[c] = tenant->types[c - 1];
		else
			draw_type(rng, s, &tenant->types[c]);
	}
	tenant->nr_threads = (uint32_t)between(rng, 1, TOP_THREADS);
	for (uint32_t t = 0; t < tenant->nr_threads; t++) {
		if (t > 0 && s->kind != DISTINCT && one_in(rng, 4))
			tenant->threads[t] = tenant->threads[t - 1];
		else
			draw_thread(rng, s, tenant, &tenant->threads[t]);
	}
	/* Between them the threads link all cores. */
	tenant->threads[0].set = (1u << tenant->nr_cores) - 1;
}

static void draw_places(uint64_t *rng, struct place *places, uint32_t *nr, const uint32_t sizes[NR_TENANTS])
{
	uint32_t taken[NR_TENANTS] = {0}, all = 0;

	for (uint32_t i = 0; i < NR_TENANTS; i++)
		all += sizes[i];
	for (*nr = 0; *nr < all;) {
		uint32_t tenant = (uint32_t)between(rng, 0, NR_TENANTS - 1);
		if (taken[tenant] < sizes[tenant])
			places[(*nr)++] = (struct place){tenant, taken[tenant]++};
	}
}

static void draw_order(uint64_t *rng, struct system *s)
{
	uint32_t sizes[NR_TENANTS];

	for (uint32_t i = 0; i < NR_TENANTS; i++)
		sizes[i] = s->tenants[i].nr_threads;
	draw_places(rng, s->order, &s->nr_threads, sizes);
}

static void draw_system(uint64_t *rng, struct system *s, enum kind kind)
{
	uint32_t sizes[NR_TENANTS];

	memset(s, 0, sizeof(*s));
	s->kind = kind;
	s->step_ns = kind == EXACT ? EXACT_NS : ROUGH_NS;
	s->has_ties = one_in(rng, 2);
	s->oracle = one_in(rng, 4);
	s->late = one_in(rng, 2);
	s->sets = one_in(rng, 2);
	s->sleep = one_in(rng, 3);
	s->change = one_in(rng, 4);
	s->inertia = one_in(rng, 2) ? 0 : (uint32_t)between(rng, 1, 5);
	s->cost_ns = one_in(rng, 4) ? 0 : draw_time(rng, s, 0, 24);
	s->warmup_ns = kind != EXACT && one_in(rng, 3) ? draw_time(rng, s, 1, 40) : 0;
	s->seed = between(rng, 0, 1000);
	s->has_matrix = one_in(rng, 4);
	for (uint32_t i = 0; i < NR_TENANTS; i++) {
		s->tenants[i].nr_cores = sizes[i] = (uint32_t)between(rng, 1, TOP_CORES);
		draw_tenant(rng, s, &s->tenants[i]);
	}
	draw_places(rng, s->cores, &s->nr_cores, sizes);
	for (uint32_t i = 0; i < ALL_CORES * ALL_CORES; i++)
		s->matrix_ns[i] = draw_time(rng, s, 0, 20);
	draw_order(rng, s);
}

static uint64_t arrival_step(const struct system *s, const struct member *m)
{
	return (m->arrive_ns + s->step_ns - 1) / s->step_ns;
}

/* Any other order, but for threads of a tenant that arrive in one timestep. */
static void draw_other_order(uint64_t *rng, struct system *s)
{
	for (uint32_t n = s->nr_threads; n > 1; n--) {
		uint32_t at = (uint32_t)between(rng, 0, n - 1);
		struct place last = s->order[n - 1];
		s->order[n - 1] = s->order[at];
		s->order[at] = last;
	}
	for (uint32_t i = 0; i < s->nr_threads; i++)
		for (uint32_t k = i + 1; k < s->nr_threads; k++) {
			struct place a = s->order[i], b = s->order[k];
			const struct member *threads = s->tenants[a.tenant].threads;
			if (a.tenant != b.tenant || a.rank < b.rank ||
			    arrival_step(s, &threads[a.rank]) != arrival_step(s, &threads[b.rank]))
				continue;
			s->order[i] = b;
			s->order[k] = a;
		}
}

/* Runs */

struct made {
	struct chip chip;
	const struct core_type *cores[ALL_CORES];
	struct sim_thread threads[ALL_THREADS];
	struct burst_model models[ALL_THREADS];
	struct burst bursts[ALL_THREADS][TOP_BURSTS];
	uint64_t sets[ALL_THREADS], changed[ALL_THREADS], matrix_ns[ALL_CORES * ALL_CORES];
	struct sim_change changes[ALL_THREADS];
	struct sim_config config;
};

static uint64_t set_of(const struct system *s, uint32_t tenant, uint32_t cores)
{
	uint64_t set = 0;
	for (uint32_t c = 0; c < s->nr_cores; c++)
		if (s->cores[c].tenant == tenant && cores >> s->cores[c].rank & 1)
			set |= UINT64_C(1) << c;
	return set;
}

static void make_thread(const struct system *s, uint64_t factor, uint32_t t, struct made *made)
{
	struct place at = s->order[t];
	const struct member *m = &s->tenants[at.tenant].threads[at.rank];
	struct sim_thread *th = &made->threads[t];

	made->sets[t] = set_of(s, at.tenant, m->set);
	made->changed[t] = set_of(s, at.tenant, m->change_set);
	*th = (struct sim_thread){
		.states = m->states,
		.nr_epochs = m->nr_epochs,
		.epoch_ns = m->epoch_ns * factor,
		.offset_ns = m->offset_ns % (m->nr_epochs * m->epoch_ns) * factor,
		.arrive_ns = m->arrive_ns * factor,
		.once = m->once,
		.weight = m->weight,
		.allowed = &made->sets[t],
		.name = "thread",
	};
	for (uint32_t b = 0; b < m->nr_bursts; b++)
		made->bursts[t][b] = (struct burst){m->bursts[b].run_ns * factor, m->bursts[b].sleep_ns * factor};
	made->models[t] = (struct burst_model){.list = made->bursts[t], .nr = m->nr_bursts};
	th->bursts = m->nr_bursts ? &made->models[t] : NULL;
	if (m->change_at_ns == 0)
		return;
	made->changes[made->config.nr_changes++] = (struct sim_change){
		.at_ns = m->change_at_ns * factor,
		.thread = t,
		.weight = m->change_weight,
		.sets_allowed = true,
		.allowed = &made->changed[t],
	};
}

static int compare_changes(const void *a, const void *b)
{
	const struct sim_change *x = a, *y = b;
	int order = (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
	return order ? order : (x->thread > y->thread) - (x->thread < y->thread);
}

static void run(const struct system *s, const struct sched_ext_ops *policy, uint64_t factor, struct outcome *o)
{
	static struct made made;
	struct sim_thread_result threads[ALL_THREADS];
	struct sim_counts cores[ALL_CORES];
	struct sahm_err err;

	for (uint32_t c = 0; c < s->nr_cores; c++)
		made.cores[c] = &s->tenants[s->cores[c].tenant].types[s->cores[c].rank];
	made.chip = (struct chip){.nr_cores = s->nr_cores, .cores = made.cores};
	made.config = (struct sim_config){
		.chip = &made.chip,
		.threads = made.threads,
		.nr_threads = s->nr_threads,
		.policy = policy,
		.oracle = s->oracle,
		.inertia = s->inertia,
		.timestep_ns = s->step_ns * factor,
		.distances = {.cost_ns = s->cost_ns * factor, .matrix_ns = s->has_matrix ? made.matrix_ns : NULL},
		.warmup_ns = s->warmup_ns * factor,
		.duration_ns = (s->kind == EXACT ? EXACT_STEPS : ROUGH_STEPS) * s->step_ns * factor,
		.changes = made.changes,
		.seed = s->seed,
	};
	for (uint32_t i = 0; i < s->nr_cores * s->nr_cores; i++)
		made.matrix_ns[i] = s->matrix_ns[i] * factor;
	for (uint32_t t = 0; t < s->nr_threads; t++)
		make_thread(s, factor, t, &made);
	qsort(made.changes, made.config.nr_changes, sizeof(made.changes[0]), compare_changes);
	memset(o, 0, sizeof(*o));
	if (sim_run(&made.config, &o->whole, threads, cores, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	for (uint32_t t = 0; t < s->nr_threads; t++)
		o->threads[s->order[t].tenant][s->order[t].rank] = threads[t];
	for (uint32_t c = 0; c < s->nr_cores; c++)
		o->cores[s->cores[c].tenant][s->cores[c].rank] = cores[c];
}

static void describe(const struct system *s)
{
	fprintf(stderr, "kind %d oracle %d inertia %u cost_ns %" PRIu64 " warmup_ns %" PRIu64 " seed %" PRIu64 "\n",
		s->kind, s->oracle, s->inertia, s->cost_ns, s->warmup_ns, s->seed);
	for (uint32_t c = 0; c < s->nr_cores; c++) {
		const struct place *at = &s->cores[c];
		fprintf(stderr, "core %u of tenant %u:", c, at->tenant);
		for (unsigned state = 0; state < NR_STATES; state++)
			fprintf(stderr, " %d", s->tenants[at->tenant].types[at->rank].speedup_ppm[state]);
		for (uint32_t to = 0; s->has_matrix && to < s->nr_cores; to++)
			fprintf(stderr, " %" PRIu64, s->matrix_ns[c * s->nr_cores + to]);
		fprintf(stderr, "\n");
	}
	for (uint32_t t = 0; t < s->nr_threads; t++) {
		const struct place *at = &s->order[t];
		const struct member *m = &s->tenants[at->tenant].threads[at->rank];
		fprintf(stderr,
			"thread %u of tenant %u: set %" PRIx64 " epoch_ns %" PRIu64 " offset_ns %" PRIu64
			" arrive_ns %" PRIu64 "%s weight %u states",
			at->rank, at->tenant, set_of(s, at->tenant, m->set), m->epoch_ns, m->offset_ns, m->arrive_ns,
			m->once ? " once" : "", m->weight);
		for (uint64_t e = 0; e < m->nr_epochs; e++)
			fprintf(stderr, " %u", m->states[e]);
		for (uint32_t b = 0; b < m->nr_bursts; b++)
			fprintf(stderr, ", run %" PRIu64 " sleep %" PRIu64, m->bursts[b].run_ns, m->bursts[b].sleep_ns);
		if (m->change_at_ns)
			fprintf(stderr, ", at %" PRIu64 " weight %u set %" PRIx64, m->change_at_ns, m->change_weight,
				set_of(s, at->tenant, m->change_set));
		fprintf(stderr, "\n");
	}
}

/* Comparison */

/* Of one policy: systems that were compared, and migrations in them. */
struct tally {
	uint64_t systems, migrations;
};

struct pair {
	const char *policy, *of;
	const struct system *a, *b;
	uint64_t index;
	uint32_t tenant, rank;
	uint64_t factor;    /* by which the times of the second are multiplied */
	uint64_t tolerance; /* of times, in ns */
};

static void same(const struct pair *pair, const char *field, uint64_t a, uint64_t b, uint64_t tolerance)
{
	if ((a > b ? a - b : b - a) <= tolerance)
		return;
	describe(pair->a);
	if (pair->b != pair->a) {
		fprintf(stderr, "then\n");
		describe(pair->b);
	}
	fail_msg("%s, system %" PRIu64 ", tenant %u, %s %u: '%s' is %" PRIu64 ", then %" PRIu64, pair->policy,
		 pair->index, pair->tenant, pair->of, pair->rank, field, a, b);
}

#define SAME(field) same(pair, #field, a->field, b->field, 0)
#define SAME_TIME(field) same(pair, #field, a->field * pair->factor, b->field, pair->tolerance)

static void same_counts(const struct pair *pair, bool are_times, const struct sim_counts *a, const struct sim_counts *b)
{
	uint64_t factor = are_times ? pair->factor : 1, tolerance = are_times ? pair->tolerance : 0;

	same(pair, "executed", a->executed * factor, b->executed, tolerance);
	same(pair, "served", a->served * factor, b->served, tolerance);
	same(pair, "matched", a->matched * factor, b->matched, tolerance);
}

static void same_thread(const struct pair *pair, bool are_times, const struct sim_thread_result *a,
			const struct sim_thread_result *b)
{
	struct sim_counts x = {a->executed, a->served, a->matched}, y = {b->executed, b->served, b->matched};

	SAME(migrations);
	SAME(transitions);
	SAME(left);
	SAME_TIME(present_ns);
	SAME_TIME(slept_ns);
	SAME_TIME(paid_ns);
	SAME_TIME(completed_ns);
	same_counts(pair, are_times, &x, &y);
}

static void same_tenant(struct pair pair, const struct system *s, const struct outcome *a, const struct outcome *b)
{
	const struct tenant *tenant = &s->tenants[pair.tenant];

	pair.of = "thread";
	for (pair.rank = 0; pair.rank < tenant->nr_threads; pair.rank++)
		same_thread(&pair, a->whole.is_continuous, &a->threads[pair.tenant][pair.rank],
			    &b->threads[pair.tenant][pair.rank]);
	pair.of = "core";
	for (pair.rank = 0; pair.rank < tenant->nr_cores; pair.rank++)
		same_counts(&pair, a->whole.is_continuous, &a->cores[pair.tenant][pair.rank],
			    &b->cores[pair.tenant][pair.rank]);
}

static void same_all(struct pair pair, const struct system *s, const struct outcome *a, const struct outcome *b)
{
	for (pair.tenant = 0; pair.tenant < NR_TENANTS; pair.tenant++)
		same_tenant(pair, s, a, b);
}

/* Promises */

typedef void promise(uint64_t *rng, const struct sched_ext_ops *policy, uint64_t index, struct tally *tally);

static void count(struct tally *tally, const struct outcome *o)
{
	tally->systems++;
	for (uint32_t i = 0; i < NR_TENANTS; i++)
		for (uint32_t t = 0; t < TOP_THREADS; t++)
			tally->migrations += o->threads[i][t].migrations;
}

static void tenants_are_apart(uint64_t *rng, const struct sched_ext_ops *policy, uint64_t index, struct tally *tally)
{
	static struct system before, after;
	static struct outcome a, b;
	uint32_t changed = (uint32_t)between(rng, 0, NR_TENANTS - 1);

	draw_system(rng, &before, one_in(rng, 2) ? EXACT : ROUGH);
	after = before;
	draw_tenant(rng, &after, &after.tenants[changed]);
	draw_order(rng, &after);
	for (uint32_t i = 0; i < after.nr_cores * after.nr_cores; i++) {
		bool is_from = after.cores[i / after.nr_cores].tenant == changed;
		if (is_from || after.cores[i % after.nr_cores].tenant == changed)
			after.matrix_ns[i] = draw_time(rng, &after, 0, 20);
	}
	run(&before, policy, 1, &a);
	run(&after, policy, 1, &b);
	/* Where nobody sleeps, counts are of timesteps, not of ns. */
	if (a.whole.is_continuous != b.whole.is_continuous)
		return;
	count(tally, &a);
	for (uint32_t i = 0; i < NR_TENANTS; i++)
		if (i != changed)
			same_tenant((struct pair){.policy = policy->name,
						  .a = &before,
						  .b = &after,
						  .index = index,
						  .tenant = i,
						  .factor = 1},
				    &before, &a, &b);
}

/* Where rounding decides a tie, results differ. So nothing ties, or nothing is rounded; but policies that dispatch
 * round virtual times. */
static void times_scale(uint64_t *rng, const struct sched_ext_ops *policy, uint64_t index, struct tally *tally)
{
	static struct system system;
	static struct outcome a, b;

	draw_system(rng, &system, !policy->dispatch && one_in(rng, 2) ? EXACT : DISTINCT);
	run(&system, policy, 1, &a);
	count(tally, &a);
	for (uint64_t factor = 10; factor <= 100; factor *= 10) {
		run(&system, policy, factor, &b);
		same_all((struct pair){.policy = policy->name,
				       .a = &system,
				       .b = &system,
				       .index = index,
				       .factor = factor,
				       .tolerance = system.kind == EXACT ? 0 : ROUGH_NS / 1000 * factor},
			 &system, &a, &b);
	}
}

static void order_is_free(uint64_t *rng, const struct sched_ext_ops *policy, uint64_t index, struct tally *tally)
{
	static struct system listed, other;
	static struct outcome a, b;

	draw_system(rng, &listed, ROUGH);
	other = listed;
	draw_other_order(rng, &other);
	run(&listed, policy, 1, &a);
	run(&other, policy, 1, &b);
	count(tally, &a);
	same_all((struct pair){.policy = policy->name, .a = &listed, .b = &other, .index = index, .factor = 1}, &listed,
		 &a, &b);
}

static void keep(promise *kept, uint64_t seed)
{
	uint64_t nr = environment_number("SAHM_PROMISE_SYSTEMS", NR_SYSTEMS);

	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++) {
		struct tally tally = {0};
		for (uint64_t i = 0; i < nr; i++) {
			uint64_t rng = random_of_index(seed, i);
			kept(&rng, *p, i, &tally);
		}
		/* Were most systems skipped, or did nothing move, a promise would be kept by saying nothing. */
		if (tally.systems < nr - nr / 10 || (*p != sched_policy_find("static") && tally.migrations < nr / 2))
			fail_msg("%s: %" PRIu64 " systems compared, %" PRIu64 " migrations", (*p)->name, tally.systems,
				 tally.migrations);
	}
}

static void test_tenants(void **state)
{
	(void)state;
	keep(tenants_are_apart, 1);
}

static void test_time_scale(void **state)
{
	(void)state;
	keep(times_scale, 2);
}

static void test_order(void **state)
{
	(void)state;
	keep(order_is_free, 3);
}

TEST_FILE(test_promises)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tenants),
		cmocka_unit_test(test_time_scale),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
