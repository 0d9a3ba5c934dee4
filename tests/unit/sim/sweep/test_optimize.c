/* The search, against every mix looked at one by one, on made-up objectives and prices and on a real workload. */
#include "sim/sweep/optimize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

/* Objectives that a chip could have; `salt` makes others of them. Some are infinite. */
enum shape { SHAPE_RUGGED, SHAPE_SMOOTH, SHAPE_FLAT, SHAPE_INFINITE };

struct made {
	enum shape shape;
	uint32_t salt;
	uint64_t nr_calls;
	uint32_t fail_at_cores; /* 0: never */
};

static double made_value(const struct made *m, const uint32_t *counts, uint32_t nr_types)
{
	double sum = 0;
	uint32_t mixed = m->salt * 2654435761u, cores = 0;
	for (uint32_t i = 0; i < nr_types; i++) {
		mixed = (mixed ^ counts[i]) * 2246822519u;
		mixed ^= mixed >> 15;
		sum += sqrt((double)counts[i]) * (double)(1 + (m->salt + i * 7) % 5);
		cores += counts[i];
	}
	if (m->shape == SHAPE_FLAT)
		return cores >= 3 ? 1 : 0;
	if (m->shape == SHAPE_INFINITE && counts[0] == 0)
		return INFINITY;
	return m->shape == SHAPE_RUGGED ? sum + (double)(mixed % 100) / 100 : sum - 0.4 * cores;
}

static enum sahm_status evaluate_made(void *ctx, const struct mix_space *space, const uint32_t *counts, double *value,
				      struct sahm_err *err)
{
	struct made *m = ctx;
	assert_true(mix_fits(space, counts));
	m->nr_calls++;
	if (m->fail_at_cores && mix_cores(space, counts) == m->fail_at_cores)
		return sahm_fail(err, SAHM_POLICY, "it is broken");
	*value = made_value(m, counts, space->nr_types);
	return SAHM_OK;
}

/* Four types with made-up prices, whose sums are exact. */
static struct mix_space made_space(uint32_t most, double area, double power)
{
	struct mix_space s = {.nr_types = 4, .least = 1, .most = most, .max_area_mm2 = area, .max_power_w = power};
	static const struct mix_type types[] = {{"baseline", "", 0, 0, 1, 0.5},
						{"branch", "30", 0, 0, 1.5, 0.25},
						{"l1d", "30", 0, 0, 2.25, 1},
						{"l2+branch", "30,20", 0, 0, 3, 0.75}};
	memcpy(s.types, types, sizeof(types));
	for (uint32_t i = 0; i < s.nr_types; i++)
		s.types[i].most = most;
	return s;
}

/* The rule of the header, in another way: all counts of all types in nested loops. */
static bool brute(const struct optimize_problem *p, const struct made *m, struct optimize_chip *best, uint64_t *nr)
{
	const struct mix_space *s = &p->space;
	uint32_t c[MAX_MIX_TYPES] = {0};
	bool found = false;
	*nr = 0;
	for (c[0] = 0; c[0] <= s->most; c[0]++)
		for (c[1] = 0; c[1] <= s->most; c[1]++)
			for (c[2] = 0; c[2] <= s->most; c[2]++)
				for (c[3] = 0; c[3] <= s->most; c[3]++) {
					uint32_t cores = c[0] + c[1] + c[2] + c[3];
					double area = c[0] + 1.5 * c[1] + 2.25 * c[2] + 3.0 * c[3];
					double power = 0.5 * c[0] + 0.25 * c[1] + c[2] + 0.75 * c[3];
					if (cores < s->least || cores > s->most || area > s->max_area_mm2 ||
					    power > s->max_power_w)
						continue;
					++*nr;
					double value = made_value(m, c, 4) * (p->minimize ? -1 : 1);
					double top = best->value * (p->minimize ? -1 : 1);
					uint32_t top_cores = mix_cores(s, best->counts);
					double top_area = mix_area_mm2(s, best->counts);
					if (found && (value < top ||
						      (value == top && (cores > top_cores ||
									(cores == top_cores && area >= top_area)))))
						continue;
					found = true;
					memcpy(best->counts, c, sizeof(c));
					best->value = made_value(m, c, 4);
				}
	return found;
}

static struct optimize_options made_options(enum optimize_method method, uint64_t seed)
{
	struct optimize_options o = {.method = method,
				     .exhaustive_limit = 5000,
				     .top = 5,
				     .nr_workers = 1,
				     .anneal = OPTIMIZE_ANNEAL_DEFAULTS};
	o.anneal.seed = seed;
	return o;
}

static void must_search(const struct optimize_problem *p, const struct optimize_options *o, struct optimize_result *r)
{
	struct sahm_err err = {.msg = "untouched"};
	if (optimize_search(p, o, r, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_string_equal(err.msg, "untouched");
}

static void expect_same_chip(const struct optimize_chip *a, const struct optimize_chip *b)
{
	assert_memory_equal(a->counts, b->counts, sizeof(a->counts));
	assert_true(a->value == b->value);
}

static const struct {
	uint32_t most;
	double area, power;
} budgets[] = {{5, INFINITY, INFINITY}, {7, INFINITY, INFINITY}, {6, 9, INFINITY}, {6, INFINITY, 3.25}, {7, 7.75, 2.5}};

enum { NR_BUDGETS = ARRAY_SIZE(budgets) };

static void test_methods_agree(void **state)
{
	(void)state;
	for (int b = 0; b < NR_BUDGETS; b++)
		for (int shape = SHAPE_RUGGED; shape <= SHAPE_INFINITE; shape++)
			for (int minimize = 0; minimize < 2; minimize++) {
				struct made m = {.shape = (enum shape)shape, .salt = (uint32_t)(b * 11 + minimize)};
				struct optimize_problem p = {
					.space = made_space(budgets[b].most, budgets[b].area, budgets[b].power),
					.minimize = minimize,
					.evaluate = evaluate_made,
					.ctx = &m};
				struct optimize_chip best = {.value = 0};
				struct optimize_options o = made_options(OPTIMIZE_EXHAUSTIVE, 1);
				struct optimize_result all, some;
				uint64_t nr;
				assert_true(brute(&p, &m, &best, &nr));
				must_search(&p, &o, &all);
				expect_same_chip(&all.best[0], &best);
				assert_true(all.nr_evaluated == nr && all.nr_mixes == nr && all.is_proven);
				for (uint32_t i = 1; i < all.nr_best; i++)
					assert_true(minimize ? all.best[i].value >= all.best[i - 1].value
							     : all.best[i].value <= all.best[i - 1].value);
				for (uint64_t seed = 0; seed < 4; seed++) {
					o = made_options(OPTIMIZE_ANNEAL, seed);
					m.nr_calls = 0;
					must_search(&p, &o, &some);
					assert_int_equal(m.nr_calls, some.nr_evaluated);
					assert_true(some.nr_evaluated <= nr);
					expect_same_chip(&some.best[0], &best);
					optimize_result_release(&some);
				}
				optimize_result_release(&all);
			}
}

static void test_processes_agree(void **state)
{
	(void)state;
	struct made m = {.shape = SHAPE_RUGGED, .salt = 5};
	struct optimize_problem p = {.space = made_space(7, INFINITY, INFINITY), .evaluate = evaluate_made, .ctx = &m};
	struct optimize_options o = made_options(OPTIMIZE_AUTO, 1);
	struct optimize_result one, three;
	struct sahm_err err;
	must_search(&p, &o, &one);
	o.nr_workers = 3;
	must_search(&p, &o, &three);
	assert_int_equal(one.nr_best, three.nr_best);
	assert_true(three.is_proven && three.nr_evaluated == one.nr_evaluated);
	assert_memory_equal(one.best, three.best, one.nr_best * sizeof(*one.best));
	optimize_result_release(&one);
	optimize_result_release(&three);
	m.fail_at_cores = 7;
	assert_int_equal(optimize_search(&p, &o, &three, &err), SAHM_POLICY);
	assert_non_null(strstr(err.msg, "': it is broken"));
	o = made_options(OPTIMIZE_ANNEAL, 1);
	assert_int_equal(optimize_search(&p, &o, &three, &err), SAHM_POLICY);
	assert_non_null(strstr(err.msg, "chip '"));
}

/* A space beyond the limit is annealed; the same seed does the same. */
static void test_seeds(void **state)
{
	(void)state;
	struct made m = {.shape = SHAPE_RUGGED, .salt = 9};
	struct optimize_problem p = {.space = made_space(25, INFINITY, INFINITY), .evaluate = evaluate_made, .ctx = &m};
	struct optimize_options o = made_options(OPTIMIZE_AUTO, 42);
	struct optimize_result a, b;
	must_search(&p, &o, &a);
	must_search(&p, &o, &b);
	assert_int_equal(a.method, OPTIMIZE_ANNEAL);
	assert_true(a.nr_mixes == 23750 && a.nr_evaluated < a.nr_mixes && !a.is_proven);
	assert_int_equal(a.nr_evaluated, b.nr_evaluated);
	assert_memory_equal(a.best, b.best, a.nr_best * sizeof(*a.best));
	optimize_result_release(&b);
	o.exhaustive_limit = 23750;
	must_search(&p, &o, &b);
	assert_true(b.method == OPTIMIZE_EXHAUSTIVE && b.is_proven);
	assert_true(b.best[0].value >= a.best[0].value);
	optimize_result_release(&b);
	o.exhaustive_limit = 23749;
	must_search(&p, &o, &b);
	assert_int_equal(b.method, OPTIMIZE_ANNEAL);
	optimize_result_release(&a);
	optimize_result_release(&b);
}

/* Hills everywhere: a chip whose numbers of cores are multiples of 3 is above all around it, so that only going uphill
 * ends at the next of them; the nearer these are to 3, 6, 0, 9 and 3 cores, the higher they are. */
static enum sahm_status evaluate_hills(void *ctx, const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES],
				       double *value, struct sahm_err *err)
{
	static const int top[] = {3, 6, 0, 9, 3};
	(void)ctx;
	(void)err;
	*value = 0;
	for (uint32_t i = 0; i < space->nr_types; i++) {
		int off = (int)counts[i] - top[i];
		*value -= off * off + (counts[i] % 3 ? 6 : 0);
	}
	return SAHM_OK;
}

/* Four cores of the first type are as good as any chip. */
static enum sahm_status evaluate_plain(void *ctx, const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES],
				       double *value, struct sahm_err *err)
{
	(void)ctx;
	(void)space;
	(void)err;
	*value = counts[0] < 4 ? counts[0] : 4;
	return SAHM_OK;
}

/* Of a space too large to be seen annealing finds the best chip, having seen a small part of it: it is led. */
static void test_large_space(void **state)
{
	(void)state;
	struct optimize_problem p = {
		.space = {.nr_types = 5, .least = 1, .most = 30, .max_area_mm2 = INFINITY, .max_power_w = INFINITY},
		.evaluate = evaluate_hills};
	static const uint32_t top[MAX_MIX_TYPES] = {3, 6, 0, 9, 3};
	for (uint32_t i = 0; i < 5; i++)
		p.space.types[i] = (struct mix_type){.type = "l2", .speedups = "", .most = 30};
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct optimize_options o = made_options(OPTIMIZE_ANNEAL, seed);
		struct optimize_result r;
		must_search(&p, &o, &r);
		assert_true(r.nr_mixes > 300000 && r.nr_evaluated < r.nr_mixes / 20 && !r.is_proven);
		assert_memory_equal(r.best[0].counts, top, sizeof(top));
		optimize_result_release(&r);
	}
	/* Of equal ones, most of the space, the one with the fewest cores. */
	p.evaluate = evaluate_plain;
	static const uint32_t few[MAX_MIX_TYPES] = {4};
	struct optimize_options o = made_options(OPTIMIZE_ANNEAL, 1);
	struct optimize_result r;
	must_search(&p, &o, &r);
	assert_memory_equal(r.best[0].counts, few, sizeof(few));
	optimize_result_release(&r);
}

/* Of equal chips: fewer cores, then less area, then the first in order. */
static void test_ties(void **state)
{
	(void)state;
	struct made m = {.shape = SHAPE_FLAT};
	struct optimize_problem p = {.space = made_space(5, INFINITY, INFINITY), .evaluate = evaluate_made, .ctx = &m};
	struct optimize_options o = made_options(OPTIMIZE_EXHAUSTIVE, 1);
	struct optimize_result r;
	must_search(&p, &o, &r);
	assert_memory_equal(r.best[0].counts, ((uint32_t[4]){3, 0, 0, 0}), 16);
	assert_memory_equal(r.best[1].counts, ((uint32_t[4]){2, 1, 0, 0}), 16);
	optimize_result_release(&r);
	for (int i = 0; i < 4; i++)
		p.space.types[i].area_mm2 = 0;
	must_search(&p, &o, &r);
	assert_memory_equal(r.best[0].counts, ((uint32_t[4]){0, 0, 0, 3}), 16);
	assert_memory_equal(r.best[1].counts, ((uint32_t[4]){0, 0, 1, 2}), 16);
	optimize_result_release(&r);
}

/* A budget that is used up exactly is kept; one a little less is not. */
static void test_edges(void **state)
{
	(void)state;
	struct made m = {.shape = SHAPE_FLAT};
	struct optimize_options o = made_options(OPTIMIZE_EXHAUSTIVE, 1);
	struct optimize_result r;
	struct sahm_err err;
	struct optimize_problem p = {.space = made_space(3, 3, INFINITY), .evaluate = evaluate_made, .ctx = &m};
	must_search(&p, &o, &r);
	assert_true(r.best[0].value == 1);
	optimize_result_release(&r);
	p.space.max_area_mm2 = 2.99;
	must_search(&p, &o, &r);
	assert_true(r.best[0].value == 0);
	optimize_result_release(&r);
	p.space.least = 3;
	assert_int_equal(optimize_search(&p, &o, &r, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "no chip keeps within the budget: the lowest area of any chip is 3 mm2 (3 "
				     "baseline), the budget is 2.99 mm2");
	p.space.max_area_mm2 = INFINITY;
	p.space.max_power_w = 0.7;
	assert_int_equal(optimize_search(&p, &o, &r, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "no chip keeps within the budget: the lowest power of any chip is 0.75 W (3 "
				     "branch 30 %), the budget is 0.7 W");
	p.space.max_power_w = 0.75;
	must_search(&p, &o, &r);
	assert_memory_equal(r.best[0].counts, ((uint32_t[4]){0, 3, 0, 0}), 16);
	assert_true(r.is_proven && r.nr_mixes == 1);
	optimize_result_release(&r);
	p.space = made_space(4096, INFINITY, INFINITY);
	assert_int_equal(optimize_search(&p, &o, &r, &err), SAHM_RANGE);
	assert_non_null(strstr(err.msg, "too many to search exhaustively"));
}

/* A real workload: the search gives the same value of a mix as a run. */
static void test_workload(void **state)
{
	(void)state;
	static const char *const settings[] = {"workload.duration_ms=500", "workload.mode=\"together\""};
	static const struct {
		enum run_metric metric;
		enum evaluator evaluator;
	} rows[] = {{RUN_METRIC_speedup_mean, EVALUATE_RUN},
		    {RUN_METRIC_antt, EVALUATE_RUN},
		    {RUN_METRIC_stp, EVALUATE_RUN},
		    {RUN_METRIC_speedup_harmonic, EVALUATE_LIMIT}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *all[3] = {settings[0], settings[1]};
		struct arena a = {0}, trees = {0};
		struct cfg_node *root = NULL;
		struct sahm_err err;
		struct optimize_workload w = {.settings = all,
					      .nr_settings = 2,
					      .cache = run_cache_new(),
					      .evaluator = rows[i].evaluator,
					      .metric = rows[i].metric};
		struct optimize_problem p = {.space = {.least = 1, .most = 3},
					     .minimize = run_metric_direction(rows[i].metric) < 0,
					     .evaluate = optimize_workload_value,
					     .ctx = &w};
		struct optimize_options o = made_options(OPTIMIZE_EXHAUSTIVE, 1);
		struct optimize_result r;
		double best = p.minimize ? INFINITY : -INFINITY;
		uint32_t counts[MAX_MIX_TYPES];
		assert_int_equal(cfg_read_file(&trees, "configs/canonical.cfg", &root, &err), SAHM_OK);
		w.root = root;
		p.space.max_area_mm2 = p.space.max_power_w = INFINITY;
		assert_int_equal(optimize_types_read(&a, "baseline,L2+branch:30/20,berti", &p.space, &err), SAHM_OK);
		for (uint32_t t = 0; t < p.space.nr_types; t++)
			p.space.types[t].most = 3;
		must_search(&p, &o, &r);
		for (bool more = mix_first(&p.space, counts); more; more = mix_next(&p.space, counts)) {
			struct textbuf setting;
			struct run_config config;
			struct record record;
			textbuf_init(&setting);
			mix_write_setting(&p.space, counts, &setting);
			const char *own[3] = {settings[0], settings[1], setting.text};
			if (run_config_load(&config, "configs/canonical.cfg", own, 3, NULL, &err) != SAHM_OK)
				fail_msg("%s", err.msg);
			assert_int_equal(evaluate(&config, rows[i].evaluator, &a, &record, &err), SAHM_OK);
			double value = record.metrics[rows[i].metric];
			best = p.minimize ? fmin(best, value) : fmax(best, value);
			if (memcmp(counts, r.best[0].counts, p.space.nr_types * sizeof(*counts)) == 0)
				assert_true(value == r.best[0].value);
			run_config_release(&config);
			textbuf_release(&setting);
		}
		assert_true(best == r.best[0].value && r.is_proven && r.nr_mixes == 19);
		o.method = OPTIMIZE_ANNEAL;
		struct optimize_result annealed;
		must_search(&p, &o, &annealed);
		expect_same_chip(&annealed.best[0], &r.best[0]);
		optimize_result_release(&annealed);
		optimize_result_release(&r);
		run_cache_free(w.cache);
		arena_release(&trees);
		arena_release(&a);
	}
}

static void test_types(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"branch", "core type 'branch' needs a speedup in %, as in branch:30"},
		{"branch:30,", "an empty core type in 'branch:30,'"},
		{"branch:", "'branch:' has no valid speedup in % after its colon, such as branch:30"},
		{"branch:30/", "'branch:30/' has no valid speedup in % after its colon, such as branch:30"},
		{"branch:30/20", "core type 'branch' takes one speedup, or one per component, not 2"},
		{"l2:30,L2:30.0", "core type 'l2' is there twice"},
		{"baseline:3", "core type 'baseline' takes no speedup"},
		{"bert", "unknown core type 'bert'; did you mean 'berti'?"},
	};
	struct arena a = {0};
	struct sahm_err err;
	struct mix_space space;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(optimize_types_read(&a, rows[i].text, &space, &err), SAHM_USAGE);
		assert_string_equal(err.msg, rows[i].message);
	}
	assert_int_equal(optimize_types_read(&a, "Baseline,L2+branch:30/20,l2:30,l2:10.5,berti", &space, &err),
			 SAHM_OK);
	assert_int_equal(space.nr_types, 5);
	assert_string_equal(space.types[1].type, "branch+l2");
	assert_string_equal(space.types[1].speedups, "20,30");
	assert_string_equal(space.types[3].speedups, "10.5");
	/* Its own types are written out, so that each is one type however it is written. */
	assert_string_equal(space.types[4].speedups, "13");
	arena_release(&a);
}

/* Which way a metric is better. */
static void test_directions(void **state)
{
	(void)state;
	assert_true(run_metric_direction(RUN_METRIC_speedup_mean) == 1 && run_metric_direction(RUN_METRIC_stp) == 1 &&
		    run_metric_direction(RUN_METRIC_jain) == 1 && run_metric_direction(RUN_METRIC_matched_share) == 1);
	assert_true(run_metric_direction(RUN_METRIC_antt) == -1 && run_metric_direction(RUN_METRIC_unfairness) == -1 &&
		    run_metric_direction(RUN_METRIC_slowdown_max) == -1 &&
		    run_metric_direction(RUN_METRIC_wait_p99_ns) == -1 &&
		    run_metric_direction(RUN_METRIC_paid_share) == -1 &&
		    run_metric_direction(RUN_METRIC_migrations_per_s) == -1);
	assert_int_equal(run_metric_direction(RUN_METRIC_transition_share), 0);
}

TEST_FILE(test_optimize)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directions),  cmocka_unit_test(test_methods_agree),
		cmocka_unit_test(test_large_space), cmocka_unit_test(test_processes_agree),
		cmocka_unit_test(test_seeds),	    cmocka_unit_test(test_ties),
		cmocka_unit_test(test_edges),	    cmocka_unit_test(test_workload),
		cmocka_unit_test(test_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
