/* Critical paths on the graph of tests/reference: of random programs on random cores, and of programs whose path is
 * known.
 *
 * SAHM_PATH_CASES=n takes n random cases, SAHM_PATH_SEED=s other ones. SAHM_PATH_COVERAGE prints the
 * cycles of each cause. */
#include <stdlib.h>
#include <string.h>

#include "cores/isa/insn.h"
#include "tests/helper/environment.h"
#include "tests/reference/refcycle.h"
#include "tests/reference/refpath.h"
#include "tests/unit/cores/uarch/drawn.h"
#include "tests/unit/test.h"

#define NR_CASES 2000u
#define NR_CHANGES 8u /* of edges, for each graph and kind of change */

static uint64_t sum_of(const struct path_counts *c)
{
	uint64_t sum = 0;
	for (unsigned k = 0; k < NR_PATH_CAUSES; k++)
		sum += c->cycles[k];
	return sum;
}

static struct refpath *make_graph(const struct core_timing *t, const uint8_t *predictions, unsigned number)
{
	static struct uop_stamps stamps[MAX_UOPS];
	struct refcycle_held held;
	struct refcycle_seen seen;
	assert_true(refcycle_run_predicted(t, program.uops, program.nr, program.prefetches, predictions, stamps, &held,
					   &seen));
	struct refpath *g = refpath_new_predicted(t, program.uops, program.nr, program.prefetches, predictions);
	assert_non_null(g);
	const struct refpath_vertex *v = refpath_differs(g, stamps);
	if (v)
		fail_msg("case %u, kind %u, uop %zu of %zu: time %u is %llu by its edges, not that of the second model",
			 number, t->kind, v->uop, program.nr, v->kind, (unsigned long long)v->time);
	return g;
}

/* The shares of any windows add up to their lengths, and so do those of edges. */
static void check_sums(const struct refpath *g, unsigned number, struct path_counts *all)
{
	struct refpath_sums sums = {0};
	struct path_counts counts = {0};
	uint64_t edges = 0, last = g->vertices[g->commits[g->nr_uops - 1]].time;
	unsigned nr = 0;
	for (size_t from = 0, end; from < g->nr_uops; from = end) {
		end = one_in(&rng, 4) ? g->nr_uops : pick((unsigned)from + 1, (unsigned)g->nr_uops);
		assert_true(refpath_walk(g, from, end, &counts, &sums));
		assert_int_equal(counts.windows, ++nr);
		if (sum_of(&counts) != g->vertices[g->commits[end - 1]].time + 1)
			fail_msg("case %u: shares until uop %zu do not add up to its commit", number, end);
	}
	refpath_sums_sort(&sums);
	for (size_t i = 0; i < sums.nr; i++)
		edges += sums.list[i].cycles;
	assert_int_equal(edges, last + 1);
	free(sums.list);
	for (unsigned k = 0; k < NR_PATH_CAUSES; k++)
		all->cycles[k] += counts.cycles[k];
}

/* Longer edges of the path make it as much longer, shorter edges elsewhere change nothing. */
static void check_changes(const struct refpath *g, unsigned number)
{
	uint64_t last = g->vertices[g->commits[g->nr_uops - 1]].time;
	uint64_t *times = calloc(g->nr_vertices, sizeof(*times));
	bool *on_path = calloc(g->nr_edges, sizeof(*on_path));
	assert_true(times && on_path);
	refpath_mark(g, on_path);
	assert_int_equal(refpath_last_commit(g, 0, 0, times), last);
	for (unsigned on = 0; on < 2; on++)
		for (unsigned n = 0; n < NR_CHANGES; n++) {
			size_t e = (size_t)between(&rng, 0, g->nr_edges - 1);
			while (on_path[e] != on || (!on && g->edges[e].nr_parts == 0))
				e = (e + 1) % g->nr_edges;
			int64_t more =
				on ? (int64_t)cycles(1) : -(int64_t)between(&rng, 1, refpath_edge_cycles(&g->edges[e]));
			uint64_t changed = refpath_last_commit(g, e, more, times);
			if (changed != last + (on ? (uint64_t)more : 0))
				fail_msg(
					"case %u: edge %zu takes %lld more cycles, and the last commit moves from %llu to %llu",
					number, e, (long long)more, (unsigned long long)last,
					(unsigned long long)changed);
		}
	free(times);
	free(on_path);
}

/* Whether paths of many cases have cycles of the cause. Only the first queue and group have any in most cores; loads
 * have no latency of their class. */
static bool is_expected(unsigned cause)
{
	return cause < PATH_CUT || cause == PATH_QUEUE || cause == PATH_ISSUE || cause == PATH_UNITS ||
	       (cause >= PATH_LATENCY && cause != (unsigned)PATH_LATENCY + INSN_LOAD);
}

static void check_causes(const struct path_counts *all)
{
	assert_int_equal(all->cycles[PATH_CUT], 0);
	assert_int_equal(all->cycles[(unsigned)PATH_LATENCY + INSN_LOAD], 0);
	for (unsigned k = 0; k < NR_PATH_CAUSES; k++) {
		if (getenv("SAHM_PATH_COVERAGE"))
			print_message("cause %-2u %llu\n", k, (unsigned long long)all->cycles[k]);
		else if (is_expected(k) && all->cycles[k] == 0)
			fail_msg("no path has cycles of cause %u", k);
	}
}

static void test_random(void **state)
{
	(void)state;
	struct path_counts all = {0};
	uint64_t nr_cases = environment_number("SAHM_PATH_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_PATH_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_core();
		draw_program(0);
		bool is_predicted = one_in(&rng, 2);
		if (is_predicted)
			draw_predictions();
		struct refpath *g = make_graph(&t, is_predicted ? predictions_of(0) : NULL, i);
		check_sums(g, i, &all);
		check_changes(g, i);
		refpath_free(g);
	}
	if (nr_cases >= NR_CASES)
		check_causes(&all);
}

TEST_FILE(test_critical_path)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
