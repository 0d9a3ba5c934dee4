/* Critical paths of the timing models in every form against the whole graph of tests/reference: cycles by cause after
 * each window, and by instruction at the end, of random programs on random cores.
 *
 * SAHM_PATH_CASES=n compares n random cases, SAHM_PATH_SEED=s other ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helper/environment.h"
#include "tests/reference/refpath.h"
#include "tests/unit/cores/uarch/drawn_lanes.h"

#define NR_CASES 200u
#define MANY_UOPS 1000u /* graphs of longer programs take much memory */
#define WINDOWS_UOPS (PATH_WINDOW + PATH_WINDOW / 4)

static const char *const detail_names[] = {"nothing", "causes", "edges"};

/* A lane, and what its path has to be. */
struct lane {
	const struct core_timing *t;
	struct refpath *graph;
	struct path_counts counts;
	struct refpath_sums sums;
	size_t walked;	      /* uops */
	unsigned core;	      /* its number in the program's predictions */
	bool loads[MAX_UOPS]; /* that are critical, by uop */
	struct load_set critical;
};

struct compared {
	unsigned number; /* of the case */
	enum lane_form form;
	enum path_detail detail;
	struct timing_lanes *l;
	struct lane lanes[MAX_LANES];
	unsigned nr;
	bool is_predicted;
};

static const char *describe(const struct compared *c, unsigned lane)
{
	static char text[200];
	snprintf(text, sizeof(text), "case %u, %s, recording %s, lane %u of %u, kind %u", c->number,
		 lane_form_name(c->form), detail_names[c->detail], lane, c->nr, c->lanes[lane].t->kind);
	return text;
}

/* The model has timed uops before `end`. If it has walked a window since it was last compared, that one ends there. */
static void compare_counts(struct compared *c, unsigned number, size_t end)
{
	struct lane *lane = &c->lanes[number];
	struct path_counts counts;
	char name[PATH_CAUSE_NAME_BYTES];
	timing_lanes_path(c->l, number, &counts);
	if (counts.windows == lane->counts.windows)
		return;
	assert_true(refpath_walk(lane->graph, lane->walked, end, &lane->counts, &lane->sums));
	refpath_mark_loads(lane->graph, lane->walked, end, lane->loads);
	for (unsigned k = 0; k < NR_PATH_CAUSES; k++)
		if (counts.cycles[k] != lane->counts.cycles[k])
			fail_msg("%s, %llu windows until uop %zu, %s: %llu cycles, by the graph %llu",
				 describe(c, number), (unsigned long long)counts.windows, end,
				 path_cause_name(lane->t, k, name), (unsigned long long)counts.cycles[k],
				 (unsigned long long)lane->counts.cycles[k]);
	if (counts.windows != lane->counts.windows || counts.cuts != 0)
		fail_msg("%s, until uop %zu: %llu windows, %llu cuts", describe(c, number), end,
			 (unsigned long long)counts.windows, (unsigned long long)counts.cuts);
	lane->walked = end;
}

static void compare_all_counts(struct compared *c, size_t end)
{
	for (unsigned i = 0; i < c->nr; i++)
		compare_counts(c, i, end);
}

/* After the end of a window. */
static void check_walked(struct compared *c, size_t end)
{
	for (unsigned i = 0; i < c->nr; i++)
		if (c->lanes[i].walked != end)
			fail_msg("%s: uops from %zu to %zu are not walked", describe(c, i), c->lanes[i].walked, end);
}

static bool edges_equal(const struct path_edge *a, const struct path_edge *b)
{
	return a->from_pc == b->from_pc && a->to_pc == b->to_pc && a->cause == b->cause && a->cycles == b->cycles &&
	       a->times == b->times;
}

static void compare_edges(struct compared *c, unsigned number)
{
	struct lane *lane = &c->lanes[number];
	struct path_edges edges = timing_lanes_edges(c->l, number);
	char name[PATH_CAUSE_NAME_BYTES];
	refpath_sums_sort(&lane->sums);
	for (size_t k = 0; k < edges.nr && k < lane->sums.nr; k++) {
		const struct path_edge *a = &edges.list[k], *b = &lane->sums.list[k];
		if (!edges_equal(a, b))
			fail_msg("%s, edge %zu: %llx to %llx, %s, %llu cycles, %llu times; by the graph %llx to %llx, "
				 "cause %u, %llu cycles, %llu times",
				 describe(c, number), k, (unsigned long long)a->from_pc, (unsigned long long)a->to_pc,
				 path_cause_name(lane->t, a->cause, name), (unsigned long long)a->cycles,
				 (unsigned long long)a->times, (unsigned long long)b->from_pc,
				 (unsigned long long)b->to_pc, b->cause, (unsigned long long)b->cycles,
				 (unsigned long long)b->times);
	}
	if (edges.nr != lane->sums.nr)
		fail_msg("%s: %u edges, by the graph %zu", describe(c, number), edges.nr, lane->sums.nr);
}

static void compare_loads(struct compared *c, unsigned number)
{
	struct lane *lane = &c->lanes[number];
	uint64_t nr = 0;
	for (size_t i = 0; i < program.nr; i++) {
		if (program.uops[i].class != INSN_LOAD)
			continue;
		if (load_set_has(&lane->critical, nr) != lane->loads[i])
			fail_msg("%s: load %zu is %scritical", describe(c, number), i, lane->loads[i] ? "not " : "");
		nr++;
	}
}

static void forget(struct lane *lane)
{
	memset(lane->loads, 0, sizeof(lane->loads));
	memset(lane->critical.bits, 0, (MAX_UOPS + 63) / 64 * sizeof(uint64_t));
	lane->counts = (struct path_counts){0};
	lane->sums.nr = 0;
	lane->walked = 0;
}

/* Batches of any number of uops; every `window`-th one ends a window, on average. */
static void compare_form(struct compared *c, enum lane_form form, enum path_detail detail, unsigned most,
			 unsigned window)
{
	static struct load_predictions predictions;
	const struct core_timing *list[MAX_LANES];
	unsigned bits[MAX_LANES];
	struct uop_batch *batch = calloc(1, sizeof(*batch));
	size_t from = 0, prefetches = 0;
	for (unsigned i = 0; i < c->nr; i++) {
		list[i] = c->lanes[i].t;
		bits[i] = c->lanes[i].core;
		forget(&c->lanes[i]);
	}
	c->form = form;
	c->detail = detail;
	c->l = timing_lanes_new(list, c->nr, form);
	assert_true(c->l && batch && timing_lanes_record(c->l, detail));
	for (unsigned i = 0; i < c->nr; i++)
		timing_lanes_mark(c->l, i, &c->lanes[i].critical);
	if (c->is_predicted)
		timing_lanes_take_predictions(c->l, &predictions, bits);
	while (from < program.nr) {
		size_t first = from;
		draw_batch(batch, pick(1, most), &from, &prefetches);
		copy_predictions(&predictions, first, from);
		assert_true(timing_lanes_batch(c->l, batch, NULL));
		compare_all_counts(c, from);
		if (from < program.nr && !one_in(&rng, window))
			continue;
		timing_lanes_end_window(c->l);
		compare_all_counts(c, from);
		check_walked(c, from);
		/* Nothing is left to walk. */
		timing_lanes_end_window(c->l);
		compare_all_counts(c, from);
	}
	for (unsigned i = 0; i < c->nr; i++)
		compare_loads(c, i);
	for (unsigned i = 0; i < c->nr && detail == PATH_EDGES; i++)
		compare_edges(c, i);
	timing_lanes_free(c->l);
	free(batch);
}

/* The cores t[nr] with the program. */
static void compare(unsigned number, const struct core_timing *t, unsigned nr, unsigned most, unsigned window)
{
	static struct compared c;
	c.number = number;
	c.nr = nr;
	c.is_predicted = one_in(&rng, 2);
	draw_predictions();
	for (unsigned i = 0; i < nr; i++) {
		static uint64_t sets[MAX_LANES][(MAX_UOPS + 63) / 64];
		struct lane *lane = &c.lanes[i];
		lane->t = &t[i];
		lane->core = pick(0, 31);
		lane->critical = (struct load_set){MAX_UOPS, sets[i]};
		lane->graph = refpath_new_predicted(&t[i], program.uops, program.nr, program.prefetches,
						    c.is_predicted ? predictions_of(lane->core) : NULL);
		assert_non_null(c.lanes[i].graph);
	}
	for (enum lane_form form = LANES_AVX512; form <= LANES_SCALAR; form++)
		if (!is_skipped(form))
			compare_form(&c, form, one_in(&rng, 3) ? PATH_CAUSES : PATH_EDGES, most, window);
	for (unsigned i = 0; i < nr; i++)
		refpath_free(c.lanes[i].graph);
}

static void test_random(void **state)
{
	(void)state;
	static const unsigned sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32};
	static struct core_timing t[MAX_LANES];
	uint64_t nr_cases = environment_number("SAHM_PATH_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_PATH_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		unsigned nr = PICK(&rng, sizes);
		draw_cores(t, nr);
		draw_program(0);
		if (program.nr > MANY_UOPS && nr > 4)
			nr = 4;
		compare(i, t, nr, one_in(&rng, 2) ? 10 : BATCH_UOPS - MAX_INSN_UOPS, pick(1, 20));
	}
}

static uint16_t at_most(uint16_t n, unsigned most)
{
	return (uint16_t)(n % (most + 1));
}

/* Few cycles for each uop: the tables by cycle of the second model are large. */
static void make_quick(struct core_timing *t)
{
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		t->latency[i] = (uint16_t)(1 + at_most(t->latency[i], 4));
	for (unsigned i = 0; i < NR_MEMORY_LEVELS; i++) {
		t->data_cycles[i] = (uint16_t)(1 + at_most(t->data_cycles[i], 50));
		t->icache_cycles[i] = at_most(t->icache_cycles[i], 20);
	}
	for (unsigned i = 0; i < NR_TLB_LEVELS; i++) {
		t->dtlb_cycles[i] = at_most(t->dtlb_cycles[i], 20);
		t->itlb_cycles[i] = at_most(t->itlb_cycles[i], 20);
	}
	for (unsigned i = 0; i < NR_ROW_STATES; i++)
		t->row_cycles[i] = at_most(t->row_cycles[i], 20);
	t->l1d_cycles = (uint16_t)(1 + at_most(t->l1d_cycles, 4));
	t->forward_cycles = (uint16_t)(1 + at_most(t->forward_cycles, 4));
	t->decode_cycles = at_most(t->decode_cycles, 8);
	t->dispatch_cycles = at_most(t->dispatch_cycles, 8);
	t->commit_cycles = at_most(t->commit_cycles, 8);
	t->mispredict_cycles = at_most(t->mispredict_cycles, 20);
	t->resolve_cycles = at_most(t->resolve_cycles, 8);
	t->flush_cycles = at_most(t->flush_cycles, 20);
	t->btb_miss_cycles = at_most(t->btb_miss_cycles, 8);
	t->line_cycles = at_most(t->line_cycles, 20);
}

/* More uops than a window takes, with some misses and redirects, and a usual program after them. */
static void test_long(void **state)
{
	(void)state;
	static struct core_timing t[2];
	uint64_t seed = environment_number("SAHM_PATH_SEED", 0);
	for (unsigned i = 0; i < 4; i++) {
		struct named n = {0};
		rng = random_of_index(seed, i);
		draw_cores(t, ARRAY_SIZE(t));
		for (unsigned k = 0; k < ARRAY_SIZE(t); k++) {
			t[k].kind = (uint8_t)(i < 2 ? CORE_OUT_OF_ORDER : CORE_IN_ORDER);
			make_quick(&t[k]);
		}
		program.nr = 0;
		while (program.nr < WINDOWS_UOPS) {
			bool branches = one_in(&rng, 20);
			struct uop *u =
				add_uop((enum insn_class)pick(0, NR_INSN_CLASSES - 1), draw_pc(), UOP_FIRST | UOP_LAST);
			u->source[0] = draw_register(8);
			u->source[1] = one_in(&rng, 3) ? draw_register(8) : NO_REGISTER;
			u->destination = draw_register(8);
			if (u->class == INSN_LOAD || u->class == INSN_STORE) {
				unsigned fills = n.l1d;
				draw_access(u, 5, &n);
				u->nr_prefetches = 0; /* draw_program() forgets those that are there */
				n.l1d = fills + u->fills;
			} else if (branches) {
				u->flags |= (uint8_t)(UOP_BRANCH | (one_in(&rng, 2) ? UOP_TAKEN : 0) |
						      (one_in(&rng, 8) ? UOP_MISPREDICTED : 0));
			}
		}
		draw_program(program.nr);
		compare(i, t, ARRAY_SIZE(t), BATCH_UOPS - MAX_INSN_UOPS, 1000);
	}
}

TEST_FILE(test_critical_path_lanes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_long),
	};
	keep_memory();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
