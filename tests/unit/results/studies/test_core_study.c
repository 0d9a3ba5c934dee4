/* Groups of causes, promises and orderings of studies of cores, with made-up cycles. */
#include "results/studies/core_study.h"

#include <string.h>

#include "cores/isa/insn.h"
#include "cores/uarch/ideal.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

/* A cause without a group has one beyond the last. The front end is three groups. */
static void test_groups_of_causes(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++) {
		enum path_group group = path_group_of(i);
		assert_in_range(group, 0, NR_PATH_GROUPS - 1);
		assert_int_equal(path_cause_is_front_end(i),
				 group == GROUP_FETCH || group == GROUP_MISPREDICT || group == GROUP_DECODE);
	}
	assert_int_equal(path_group_of(PATH_QUEUE), GROUP_WINDOW);
	assert_int_equal(path_group_of(PATH_ISSUE), GROUP_ISSUE);
	assert_int_equal(path_group_of(PATH_LATENCY - 1), GROUP_ISSUE);
	assert_int_equal(path_group_of(PATH_LATENCY + INSN_BRANCH), GROUP_INTEGER);
	assert_int_equal(path_group_of(PATH_LATENCY + INSN_FP_MULTIPLY_ADD), GROUP_FP);
	assert_int_equal(path_group_of(PATH_LATENCY + INSN_STORE), GROUP_ACCESS);
	assert_string_equal(path_group_name(GROUP_ACCESS), "access");
}

static void test_sums(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 20; round++) {
		uint64_t rng = random_of_index(1, round), groups[NR_PATH_GROUPS], all = 0, sum = 0;
		struct path_counts path = {0};
		for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
			all += path.cycles[i] = between(&rng, 0, 2000000000);
		study_groups(&path, groups);
		for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
			sum += groups[g];
		assert_int_equal(sum, all);
		assert_int_equal(path_front_end(&path),
				 groups[GROUP_FETCH] + groups[GROUP_MISPREDICT] + groups[GROUP_DECODE]);
	}
}

/* Only what the ideal part removes is promised: not the width of fetch, nor a taken branch. */
static void test_promised(void **state)
{
	(void)state;
	struct path_counts path = {.cycles = {[PATH_FETCH_WIDTH] = 1,
					      [PATH_TAKEN_BRANCH] = 2,
					      [PATH_BTB] = 4,
					      [PATH_FETCH_L1] = 8,
					      [PATH_FETCH_L2] = 16,
					      [PATH_FETCH_LLC] = 32,
					      [PATH_FETCH_MEMORY] = 64,
					      [PATH_FETCH_LINE] = 128,
					      [PATH_ITLB] = 256,
					      [PATH_FETCH_BUFFER] = 512,
					      [PATH_MISPREDICT] = 1024,
					      [PATH_DECODE] = 2048}};
	assert_int_equal(study_promised(&path, SET_NONE), 0);
	assert_int_equal(study_promised(&path, SET_FETCH), 4 + 8 + 16 + 32 + 64 + 128 + 256);
	assert_int_equal(study_promised(&path, SET_BRANCH), 1024);
	assert_int_equal(study_promised(&path, SET_BOTH), 4 + 8 + 16 + 32 + 64 + 128 + 256 + 1024);
	assert_int_equal(path_front_end(&path), 4095);
	assert_int_equal(study_set_ideals(SET_BOTH), 1u << IDEAL_FETCH | 1u << IDEAL_BRANCH);
}

/* `cycles` of `all` have that cause. */
static struct study_counts share_of(enum path_cause cause, uint64_t cycles, uint64_t all)
{
	struct study_counts counts = {.cycles = {all}, .path.cycles = {[PATH_COMMIT] = all - cycles}};
	counts.path.cycles[cause] = cycles;
	return counts;
}

static enum study_verdict verdict_of(const char *ordering, const struct core_study_result *r)
{
	for (unsigned i = 0; i < NR_STUDY_ORDERINGS; i++)
		if (strcmp(study_orderings[i].name, ordering) == 0)
			return study_orderings[i].look(r);
	fail_msg("no ordering is called '%s'", ordering);
	return ORDERING_IS_SILENT;
}

/* Shares are compared exactly: products exceed 64 bits. */
static void test_share_orderings(void **state)
{
	(void)state;
	static const uint64_t large = UINT64_C(1) << 40;
	static const struct {
		const char *name;
		uint64_t in_order[2], out_of_order[2];
		enum study_verdict verdict;
	} rows[] = {
		{"more", {10, 100}, {6, 50}, ORDERING_HOLDS},
		{"equal", {10, 100}, {5, 50}, ORDERING_FAILS},
		{"less", {11, 100}, {5, 50}, ORDERING_FAILS},
		{"more by a cycle", {1, 2}, {large / 2 + 1, large}, ORDERING_HOLDS},
		{"large", {large / 2, large}, {large / 2 - 1, large - 1}, ORDERING_FAILS},
		{"large, more", {large / 2, large}, {large / 2, large - 1}, ORDERING_HOLDS},
	};
	static const struct {
		const char *ordering;
		enum path_cause cause;
		bool looks; /* at that cause */
	} kinds[] = {
		{"fetch_share", PATH_FETCH_L2, true},
		{"front_end_share", PATH_FETCH_L2, true},
		{"fetch_share", PATH_MISPREDICT, false},
		{"front_end_share", PATH_MISPREDICT, true},
	};
	for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++)
		for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
			enum path_cause cause = kinds[k].cause;
			const struct core_study_result r = {
				.sides = {share_of(cause, rows[i].in_order[0], rows[i].in_order[1]),
					  share_of(cause, rows[i].out_of_order[0], rows[i].out_of_order[1])}};
			enum study_verdict expected = kinds[k].looks ? rows[i].verdict : ORDERING_FAILS;
			if (verdict_of(kinds[k].ordering, &r) != expected)
				fail_msg("%s, %s", kinds[k].ordering, rows[i].name);
		}
}

static void test_gains(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t cycles[NR_STUDY_SETS]; /* none, fetch, branch, both */
		enum study_verdict branch, complement;
	} rows[] = {
		{"fetch and branch are worth the same", {100, 90, 90, 80}, ORDERING_HOLDS, ORDERING_HOLDS},
		{"fetch is worth a cycle more", {100, 89, 90, 80}, ORDERING_FAILS, ORDERING_HOLDS},
		{"half is left", {100, 90, 80, 75}, ORDERING_HOLDS, ORDERING_HOLDS},
		{"less than half is left", {100, 90, 80, 76}, ORDERING_HOLDS, ORDERING_FAILS},
		{"less than half of fewer branches is left", {100, 80, 90, 76}, ORDERING_FAILS, ORDERING_FAILS},
		{"more than both alone", {100, 99, 98, 50}, ORDERING_HOLDS, ORDERING_HOLDS},
		{"branches save nothing", {100, 90, 100, 90}, ORDERING_FAILS, ORDERING_IS_SILENT},
		{"fetch costs", {100, 101, 90, 90}, ORDERING_HOLDS, ORDERING_IS_SILENT},
	};
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		struct core_study_result r = {0};
		for (unsigned side = 0; side < NR_STUDY_SIDES; side++)
			memcpy(r.sides[side].cycles, rows[i].cycles, sizeof(rows[i].cycles));
		if (verdict_of("branch_in_order", &r) != rows[i].branch ||
		    verdict_of("complement_out_of_order", &r) != rows[i].complement)
			fail_msg("%s", rows[i].name);
	}
}

static const struct core_model model;

static struct core_study study_of(enum core_study_kind kind)
{
	return (struct core_study){.kind = kind, .cores = {{"i", &model, "1"}, {"o", &model, "2"}}};
}

/* The front end has 25 % of `a` in order and 20 % of it out of order; of `b` 10 % and 60 %; of both 22 % and 30 %. */
static const struct core_study_result results[] = {
	{.stream = "a",
	 .instructions = 100,
	 .sides = {{.cycles = {400, 300, 390, 300},
		    .path.cycles = {[PATH_FETCH_L2] = 100, [PATH_DATA_MEMORY] = 300},
		    .path.windows = 2},
		   {.cycles = {300, 290, 280, 280},
		    .path.cycles = {[PATH_MISPREDICT] = 60, [PATH_DATA_L1] = 240},
		    .path.windows = 1,
		    .path.cuts = 1}}},
	{.stream = "b",
	 .instructions = 50,
	 .sides = {{.cycles = {100, 100, 90, 90}, .path.cycles = {[PATH_DECODE] = 10, [PATH_COMMIT] = 90}},
		   {.cycles = {100, 70, 80, 55}, .path.cycles = {[PATH_BTB] = 60, [PATH_ROB] = 40}}}},
};

static void test_text(void **state)
{
	(void)state;
	const struct core_study s = study_of(STUDY_BOTTLENECKS);
	struct textbuf out;
	textbuf_init(&out);
	assert_true(core_study_text(&s, results, ARRAY_SIZE(results), false, &out));
	static const char pct[] =
		"stream       core    CPI  front end  fetch  mispredict  decode  window   l1d  memory  commit\n"
		"--------------------------------------------------------------------------------------------\n"
		"a               I  4.000       25.0   25.0         0.0     0.0     0.0   0.0    75.0     0.0\n"
		"a               O  3.000       20.0    0.0        20.0     0.0     0.0  80.0     0.0     0.0\n"
		"b               I  2.000       10.0    0.0         0.0    10.0     0.0   0.0     0.0    90.0\n"
		"b               O  2.000       60.0   60.0         0.0     0.0    40.0   0.0     0.0     0.0\n"
		"--------------------------------------------------------------------------------------------\n"
		"all streams     I  3.333       22.0   20.0         0.0     2.0     0.0   0.0    60.0    18.0\n"
		"all streams     O  2.667       30.0   15.0        15.0     0.0    10.0  60.0     0.0     0.0\n";
	assert_non_null(strstr(out.text, pct));
	assert_non_null(strstr(out.text, "  holds in 1 of 2 streams; over all of them, it holds\n"
					 "  does not hold in a\n"));
	textbuf_release(&out);
}

static void test_csv(void **state)
{
	(void)state;
	const struct core_study s = study_of(STUDY_FRONTEND);
	struct textbuf out;
	textbuf_init(&out);
	core_study_csv(&s, results, ARRAY_SIZE(results), &out);
	assert_string_equal(out.text,
			    "stream,kind,core,config_hash,sampled_epochs,ideal,instructions,cycles,promised_cycles,"
			    "gain_cycles,interaction_cycles\n"
			    "a,in_order,i,1,\"\",\"\",100,400,0,0,\"\"\n"
			    "a,in_order,i,1,\"\",fetch,100,300,100,100,\"\"\n"
			    "a,in_order,i,1,\"\",branch,100,390,0,10,\"\"\n"
			    "a,in_order,i,1,\"\",fetch+branch,100,300,100,100,-10\n"
			    "a,out_of_order,o,2,\"\",\"\",100,300,0,0,\"\"\n"
			    "a,out_of_order,o,2,\"\",fetch,100,290,0,10,\"\"\n"
			    "a,out_of_order,o,2,\"\",branch,100,280,60,20,\"\"\n"
			    "a,out_of_order,o,2,\"\",fetch+branch,100,280,60,20,-10\n"
			    "b,in_order,i,1,\"\",\"\",50,100,0,0,\"\"\n"
			    "b,in_order,i,1,\"\",fetch,50,100,0,0,\"\"\n"
			    "b,in_order,i,1,\"\",branch,50,90,0,10,\"\"\n"
			    "b,in_order,i,1,\"\",fetch+branch,50,90,0,10,0\n"
			    "b,out_of_order,o,2,\"\",\"\",50,100,0,0,\"\"\n"
			    "b,out_of_order,o,2,\"\",fetch,50,70,60,30,\"\"\n"
			    "b,out_of_order,o,2,\"\",branch,50,80,0,20,\"\"\n"
			    "b,out_of_order,o,2,\"\",fetch+branch,50,55,60,45,-5\n"
			    "\"\",in_order,i,1,\"\",\"\",150,500,0,0,\"\"\n"
			    "\"\",in_order,i,1,\"\",fetch,150,400,100,100,\"\"\n"
			    "\"\",in_order,i,1,\"\",branch,150,480,0,20,\"\"\n"
			    "\"\",in_order,i,1,\"\",fetch+branch,150,390,100,110,-10\n"
			    "\"\",out_of_order,o,2,\"\",\"\",150,400,0,0,\"\"\n"
			    "\"\",out_of_order,o,2,\"\",fetch,150,360,60,40,\"\"\n"
			    "\"\",out_of_order,o,2,\"\",branch,150,360,60,40,\"\"\n"
			    "\"\",out_of_order,o,2,\"\",fetch+branch,150,335,120,65,-15\n");
	textbuf_release(&out);
}

TEST_FILE(test_core_study)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups_of_causes),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_promised),
		cmocka_unit_test(test_share_orderings),
		cmocka_unit_test(test_gains),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
