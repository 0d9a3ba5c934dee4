/* Lanes of every form against the model of a single core: all results and critical paths after every batch, of random
 * programs on random cores.
 *
 * SAHM_LANES_CASES=n compares n random cases, SAHM_LANES_SEED=s other ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helper/environment.h"
#include "tests/unit/cores/uarch/drawn_lanes.h"

#define NR_CASES 400u
#define NR_LONG 5u

static void compare_paths(const struct timing_lanes *a, const struct timing_lanes *b, unsigned lane, uint64_t cycles,
			  const char *what)
{
	struct path_counts x, y;
	struct path_edges e = timing_lanes_edges(a, lane), f = timing_lanes_edges(b, lane);
	uint64_t sum = 0;
	timing_lanes_path(a, lane, &x);
	timing_lanes_path(b, lane, &y);
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		sum += x.cycles[i];
	if (sum != cycles || x.cuts > 0)
		fail_msg("%s: a path of %llu of %llu cycles, %llu times cut", what, (unsigned long long)sum,
			 (unsigned long long)cycles, (unsigned long long)x.cuts);
	if (memcmp(&x, &y, sizeof(x)) != 0 || e.nr != f.nr)
		fail_msg("%s: another path", what);
	for (uint32_t i = 0; i < e.nr; i++) {
		const struct path_edge *g = &e.list[i], *h = &f.list[i];
		if (g->from_pc != h->from_pc || g->to_pc != h->to_pc || g->cause != h->cause ||
		    g->cycles != h->cycles || g->times != h->times)
			fail_msg("%s: another edge %u", what, i);
	}
}

static struct load_predictions predictions;

/* Numbers of cores are of the program's predictions, not of lanes. */
static void predict(struct timing_lanes *a, struct timing_lanes *b, unsigned nr)
{
	unsigned bits[MAX_LANES];
	for (unsigned i = 0; i < nr; i++)
		bits[i] = pick(0, 31);
	draw_predictions();
	timing_lanes_take_predictions(a, &predictions, bits);
	timing_lanes_take_predictions(b, &predictions, bits);
}

static void compare(const struct core_timing *const *t, unsigned nr, enum lane_form form, unsigned number)
{
	struct timing_lanes *a = timing_lanes_new(t, nr, LANES_SCALAR), *b = timing_lanes_new(t, nr, form);
	struct uop_batch *batch = calloc(1, sizeof(*batch));
	size_t from = 0, prefetches = 0;
	assert_true(a && b && batch);
	bool has_path = one_in(&rng, 2);
	if (one_in(&rng, 2))
		predict(a, b, nr);
	assert_true(!has_path || (timing_lanes_record(a, PATH_EDGES) && timing_lanes_record(b, PATH_EDGES)));
	while (from < program.nr) {
		size_t first = from;
		draw_batch(batch, pick(1, one_in(&rng, 2) ? 10 : BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		copy_predictions(&predictions, first, from);
		assert_true(timing_lanes_batch(a, batch, NULL));
		assert_true(timing_lanes_batch(b, batch, NULL));
		bool ends = from == program.nr || one_in(&rng, 4);
		if (ends) {
			timing_lanes_end_window(a);
			timing_lanes_end_window(b);
		}
		for (unsigned i = 0; i < nr; i++) {
			struct timing_result x, y;
			char what[100];
			snprintf(what, sizeof(what), "case %u, %s, lane %u of %u, kind %u, uop %zu", number,
				 lane_form_name(form), i, nr, t[i]->kind, from);
			timing_lanes_result(a, i, &x);
			timing_lanes_result(b, i, &y);
			if (memcmp(&x, &y, sizeof(x)) != 0)
				fail_msg("%s: %llu cycles, by itself %llu", what, (unsigned long long)y.cycles,
					 (unsigned long long)x.cycles);
			if (ends && has_path)
				compare_paths(a, b, i, x.cycles, what);
		}
	}
	free(batch);
	timing_lanes_free(a);
	timing_lanes_free(b);
}

static void test_random(void **state)
{
	(void)state;
	static const unsigned sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32};
	static struct core_timing t[MAX_LANES];
	const struct core_timing *list[MAX_LANES];
	uint64_t nr_cases = environment_number("SAHM_LANES_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_LANES_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		unsigned nr = PICK(&rng, sizes);
		draw_cores(t, nr);
		draw_program(0);
		for (unsigned k = 0; k < nr; k++)
			list[k] = &t[k];
		for (enum lane_form form = LANES_BEST; form < LANES_SCALAR; form++)
			if (!is_skipped(form))
				compare(list, nr, form, i);
	}
}

/* A load that depends on the last one and takes as long as a core can take. */
static void make_slow(struct core_timing *t)
{
	for (unsigned i = 0; i < NR_TLB_LEVELS; i++)
		t->dtlb_cycles[i] = MAX_LATENCY;
	for (unsigned i = 0; i < NR_MEMORY_LEVELS; i++)
		t->data_cycles[i] = MAX_LATENCY;
	for (unsigned i = 0; i < NR_ROW_STATES; i++)
		t->row_cycles[i] = MAX_LATENCY;
	t->l1d_cycles = t->line_cycles = t->commit_cycles = MAX_LATENCY;
	t->ideal = 0;
}

static void add_chain(size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct uop *u = add_uop(INSN_LOAD, 0x1000, UOP_FIRST | UOP_LAST);
		u->source[0] = u->destination = 1;
		u->level = LEVEL_MEMORY;
		u->fills = 1;
		/* Between them, something of everything. */
		if (i % 64 == 0) {
			struct named n = {0};
			u = add_uop(INSN_STORE, 0x1004, UOP_FIRST | UOP_LAST);
			draw_access(u, 50, &n);
			u->source[1] = 1;
			u->nr_prefetches = 0; /* its own would be of no batch */
			add_uop(INSN_DIVIDE, 0x1008, UOP_FIRST | UOP_LAST)->destination = 2;
			add_uop(INSN_LOAD, 0x100c, UOP_FIRST | UOP_LAST)->forward = 1;
		}
	}
}

/* More than 2^30 cycles: origins move on, at other uops in each lane. */
static void test_long_time(void **state)
{
	(void)state;
	static struct core_timing t[MAX_LANES];
	const struct core_timing *list[MAX_LANES];
	rng = random_of_index(1, 1);
	for (enum core_kind kind = 0; kind < NR_CORE_KINDS; kind++) {
		draw_cores(t, NR_LONG);
		for (unsigned i = 0; i < NR_LONG; i++) {
			list[i] = &t[i];
			t[i].kind = (uint8_t)kind;
			if (i % 4 != 3)
				make_slow(&t[i]);
		}
		program.nr = program.nr_prefetches = 0;
		add_chain(80000);
		for (enum lane_form form = LANES_AVX512; form < LANES_SCALAR; form++)
			if (!is_skipped(form))
				compare(list, NR_LONG, form, (unsigned)kind);
	}
}

/* Prefetches that no load waits for take the bus ever farther ahead: the times do not fit, and the form refuses to go
 * on. */
static void test_refused(void **state)
{
	(void)state;
	static struct core_timing t;
	const struct core_timing *list[] = {&t};
	struct uop_batch *batch = calloc(1, sizeof(*batch));
	assert_non_null(batch);
	rng = random_of_index(2, 1);
	do
		t = draw_core();
	while (t.kind != CORE_OUT_OF_ORDER || !timing_lanes_take(&t));
	t.line_cycles = MAX_LATENCY;
	batch->nr = batch->nr_instructions = BATCH_UOPS;
	for (unsigned i = 0; i < BATCH_UOPS; i++) {
		batch->uops[i] = (struct uop){.class = INSN_LOAD,
					      .source = {NO_REGISTER, NO_REGISTER, NO_REGISTER},
					      .destination = NO_REGISTER,
					      .flags = UOP_FIRST | UOP_LAST,
					      .nr_prefetches = MAX_UOP_PREFETCHES};
		for (unsigned k = 0; k < MAX_UOP_PREFETCHES; k++)
			batch->prefetches[batch->nr_prefetches++] =
				(struct uop_prefetch){.target = PREFETCH_L2, .level = LEVEL_MEMORY};
	}
	for (enum lane_form form = LANES_AVX512; form <= LANES_SCALAR; form++) {
		if (is_skipped(form))
			continue;
		struct timing_lanes *l = timing_lanes_new(list, 1, form);
		unsigned nr = 0;
		assert_non_null(l);
		while (nr < 100 && timing_lanes_batch(l, batch, NULL))
			nr++;
		/* 2^30 cycles are 8 batches and less than half of one. */
		assert_int_equal(nr, form == LANES_SCALAR ? 100 : 9);
		timing_lanes_free(l);
	}
	free(batch);
}

TEST_FILE(test_timing_lanes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_long_time),
		cmocka_unit_test(test_refused),
	};
	keep_memory();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
