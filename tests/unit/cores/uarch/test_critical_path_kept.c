/* Critical paths where little is kept of the past, in every form: programs of more uops, misses, redirects or moves of
 * an origin than fit. */
#include "cores/uarch/timing_lanes.h"
#include "tests/unit/cores/uarch/drawn_lanes.h"
#include "tests/unit/cores/uarch/timed_core.h"

#define KEPT_UOPS (2 * PATH_WINDOW)

struct outcome {
	struct path_counts path;
	struct timing_result timing;
};

static struct timing_lanes *new_lanes(const struct core_timing *t, enum lane_form form)
{
	struct timing_lanes *l = timing_lanes_new(&t, 1, form);
	assert_true(l && timing_lanes_record(l, PATH_CAUSES));
	return l;
}

static void pass_batch(struct timing_lanes *l)
{
	assert_true(timing_lanes_batch(l, batch, NULL));
}

/* Ends the run, and its last window. */
static struct outcome end(struct timing_lanes *l)
{
	struct outcome o;
	uint64_t sum = 0;
	timing_lanes_end_window(l);
	timing_lanes_path(l, 0, &o.path);
	timing_lanes_result(l, 0, &o.timing);
	timing_lanes_free(l);
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		sum += o.path.cycles[i];
	check("all causes", sum, o.timing.cycles);
	return o;
}

static void begin_uops(enum insn_class class, unsigned nr)
{
	begin();
	for (unsigned i = 0; i < nr; i++)
		add(class, NONE, NONE);
}

static void add_prefetches(struct uop *u, unsigned nr)
{
	u->nr_prefetches = (uint8_t)nr;
	for (unsigned i = 0; i < nr; i++)
		batch->prefetches[batch->nr_prefetches++] =
			(struct uop_prefetch){.target = PREFETCH_L2, .level = LEVEL_MEMORY};
}

/* Two stores of which the second needs the entry of the first, with `between` uops between them. The bus brings the
 * line of the first one long after these uops have committed. */
static struct outcome run_late_store(enum lane_form form, unsigned between)
{
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.store_queue = 1;
	t.line_cycles = MAX_LATENCY;
	struct timing_lanes *l = new_lanes(&t, form);
	begin();
	add_prefetches(add_access(INSN_LOAD, NONE), MAX_UOP_PREFETCHES);
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_MEMORY;
	u->fills = 1;
	pass_batch(l);
	begin_uops(INSN_INTEGER, BATCH_UOPS);
	for (unsigned i = 0; i < between; i += BATCH_UOPS)
		pass_batch(l);
	begin();
	add_access(INSN_STORE, NONE);
	pass_batch(l);
	return end(l);
}

/* A path that leads back beyond the uops that are kept is cut there; one that stays among them is not. */
static void test_cut(void **state)
{
	(void)state;
	for (enum lane_form form = LANES_AVX512; form <= LANES_SCALAR; form++) {
		if (is_skipped(form))
			continue;
		struct outcome kept = run_late_store(form, KEPT_UOPS - 2 * BATCH_UOPS),
			       lost = run_late_store(form, KEPT_UOPS);
		check("cuts of what is kept", kept.path.cuts, 0);
		check("cycles that are cut of it", kept.path.cycles[PATH_CUT], 0);
		/* Both stores; what the bus takes until the window begins is not of this path. */
		check("drains", kept.path.cycles[PATH_STORE_QUEUE], 1);
		assert_true(kept.path.cycles[PATH_BUS] > 28 * MAX_LATENCY);
		check("cuts", lost.path.cuts, 1);
		check("cycles in all", lost.timing.cycles, kept.timing.cycles);
		check("cycles on the bus", lost.path.cycles[PATH_BUS], 0);
		assert_true(lost.path.cycles[PATH_CUT] > 28 * MAX_LATENCY);
	}
}

/* Windows end before their misses or redirects could be overwritten: the path goes by all of them. */
static void test_many_misses(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	enum { PREFETCHES = 3 };
	/* Each load waits for the bus, which is then never far ahead. */
	t.rob = 1;
	t.data_cycles[LEVEL_MEMORY] = 1;
	t.line_cycles = 10;
	for (enum lane_form form = LANES_AVX512; form <= LANES_SCALAR; form++) {
		if (is_skipped(form))
			continue;
		struct timing_lanes *l = new_lanes(&t, form);
		begin();
		for (unsigned i = 0; i < BATCH_UOPS; i++)
			add_prefetches(add_miss(LEVEL_MEMORY, NONE, NONE), PREFETCHES);
		for (unsigned i = 0; i < PATH_WINDOW; i += BATCH_UOPS)
			pass_batch(l);
		struct outcome o = end(l);
		check("cuts", o.path.cuts, 0);
		assert_true(o.path.windows > 1);
		/* All that is before the last load, but for what the last load of each window before takes after its
		 * own turn, while the bus goes on. */
		check("cycles on the bus", o.path.cycles[PATH_BUS] + (o.path.windows - 1) * (1 + COMMIT),
		      (PATH_WINDOW - 1) * (1 + PREFETCHES) * 10ull);
	}
}

static void test_many_redirects(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	for (enum lane_form form = LANES_AVX512; form <= LANES_SCALAR; form++) {
		if (is_skipped(form))
			continue;
		struct timing_lanes *l = new_lanes(&t, form);
		begin();
		/* Two kinds of redirects each, of which only that of the system instruction happens. */
		for (unsigned i = 0; i < BATCH_UOPS; i++) {
			struct uop *u = add_access(INSN_LOAD, NONE);
			u->forward = 1;
			u->covers = true;
			u->flags |= UOP_SYSTEM;
		}
		for (unsigned i = 0; i < PATH_WINDOW; i += BATCH_UOPS)
			pass_batch(l);
		struct outcome o = end(l);
		check("cuts", o.path.cuts, 0);
		check("cycles after system instructions", o.path.cycles[PATH_SYSTEM], (PATH_WINDOW - 1) * FLUSH);
	}
}

/* Prefetches take the bus nearly 2^30 cycles ahead, and keep it there: the origin of a vector's times moves on at every
 * other uop, far more often than in programs. */
static void test_many_origins(void **state)
{
	(void)state;
	enum { AHEAD_UOPS = 8000, UOPS = 40000 };
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	struct outcome first;
	bool has_first = false;
	t.line_cycles = t.icache_cycles[LEVEL_MEMORY] = t.itlb_cycles[TLB_HIT] = MAX_LATENCY;
	for (enum lane_form form = LANES_AVX512; form <= LANES_SCALAR; form++) {
		if (is_skipped(form))
			continue;
		struct timing_lanes *l = new_lanes(&t, form);
		for (unsigned i = 0; i < UOPS; i++) {
			begin();
			struct uop *u = add_access(INSN_LOAD, NONE);
			if (i >= AHEAD_UOPS) {
				/* The fetch of its line takes as long as two prefetches keep the bus. The next one
				 * waits for it. */
				u->fetch_lines = u->fetch_fills = 1;
				u->fetch_level = LEVEL_MEMORY;
				u->flags |= UOP_BRANCH | UOP_MISPREDICTED;
			}
			add_prefetches(u, i < AHEAD_UOPS ? MAX_UOP_PREFETCHES : 2);
			pass_batch(l);
		}
		struct outcome o = end(l);
		if (has_first)
			assert_memory_equal(&o.path, &first.path, sizeof(first.path));
		first = o;
		has_first = true;
	}
}

TEST_FILE(test_critical_path_kept)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_many_misses),
		cmocka_unit_test(test_many_redirects),
		cmocka_unit_test(test_many_origins),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
