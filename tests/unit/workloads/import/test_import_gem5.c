/* Importing gem5's statistics: boundaries and odd dumps. The counts are made up (synthetic); excerpts of real files
 * stand in tests/golden/import_gem5.t. */
#include "sim/base/array.h"
#include "tests/unit/workloads/import/import_cases.h"

#define DUMP(since_reset, final, lines)                                                                                \
	"\n---------- Begin Simulation Statistics ----------\nsimTicks " since_reset "\nfinalTick " final "\n" lines   \
	"\n---------- End Simulation Statistics   ----------\n"
#define CPU(name, instructions, branches)                                                                              \
	"s." name ".numCycles 9 # (Cycle)\ns." name ".committedInsts " instructions "\ns." name ".Branches " branches  \
	"\n"
#define NOTHING_ELSE                                                                                                   \
	{                                                                                                              \
		"branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"    \
	}
#define CACHES                                                                                                         \
	"s.cpu.icache.demandAccesses::cpu.inst 90\ns.cpu.dcache.demandAccesses::cpu.data 40\n"                         \
	"s.cpu.dcache.demandMisses::cpu.data 4\n"

/* 1,000 ticks of the dump before, which ended at 1,000; 500 ticks have passed. */
static void test_resets(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text, *want, *in_notes;
	} cases[] = {
		{"a tick less than has passed",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("499", "1500", CPU("cpu", "70", "7")),
		 "100,9,0,0,0,0,0,0,9\n70,7,0,0,0,0,0,0,9\n", "1 of 2 dumps count from there on"},
		{"all that has passed",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("500", "1500", CPU("cpu", "70", "7")),
		 "100,9,0,0,0,0,0,0,9\n70,7,0,0,0,0,0,0,9\n", "statistics are differences"},
		{"a tick more",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("501", "1500", CPU("cpu", "170", "17")),
		 "100,9,0,0,0,0,0,0,9\n", "1 of 2 dumps are passed over"},
		{"a tick less than all",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("1499", "1500", CPU("cpu", "170", "17")),
		 "100,9,0,0,0,0,0,0,9\n", "1 of 2 dumps are passed over"},
		{"all", DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("1500", "1500", CPU("cpu", "170", "17")),
		 "100,9,0,0,0,0,0,0,9\n70,8,0,0,0,0,0,0,0\n", "statistics are totals"},
		{"a tick more than all",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("1501", "1500", CPU("cpu", "170", "17")),
		 "100,9,0,0,0,0,0,0,9\n", "1 of 2 dumps are passed over"},
		{"finalTick stands still",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("0", "1000", CPU("cpu", "0", "0")),
		 "100,9,0,0,0,0,0,0,9\n0,0,0,0,0,0,0,0,9\n", "statistics are differences"},
		{"finalTick falls",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("999", "999", CPU("cpu", "70", "7")),
		 "100,9,0,0,0,0,0,0,9\n70,7,0,0,0,0,0,0,9\n", "2 recordings"},
		{"a total falls",
		 DUMP("1000", "1000", CPU("cpu", "100", "9")) DUMP("1500", "1500", CPU("cpu", "99", "17")),
		 "100,9,0,0,0,0,0,0,9\n", "a running total fell"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct import_case c = {
			.name = cases[i].name, .text = cases[i].text, .assumes = NOTHING_ELSE, .want = cases[i].want};
		struct imported r;
		check_import(&c);
		import_text_as(&c, "t", &r);
		if (!strstr(r.notes.text, cases[i].in_notes))
			fail_msg("%s: '%s' is not in '%s'", c.name, cases[i].in_notes, r.notes.text);
		imported_release(&r);
	}
}

static void test_cpus(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "a checker repeats its CPU",
		 .text = DUMP("5", "5", CPU("cpu", "100", "9") CPU("cpu.checker", "100", "9")),
		 .assumes = NOTHING_ELSE,
		 .want = "100,9,0,0,0,0,0,0,9\n"},
		{.name = "threads",
		 .text = DUMP("5", "5",
			      "s.cpu.numCycles 9\ns.cpu.commitStats0.numInsts 70\ns.cpu.commitStats1.numInsts 30\n"
			      "s.cpu.commitStats2.numInsts 1\ns.cpu.commitStats0.committedControl::IsControl 8\n"),
		 .assumes = NOTHING_ELSE,
		 .want = "101,8,0,0,0,0,0,0,9\n"},
		{.name = "Minor of v22.1",
		 .text = DUMP(
			 "5", "5",
			 "s.cpu.numCycles 9\ns.cpu.committedInsts 70\ns.cpu.branchPred.lookups 20\n"
			 "s.cpu.committedControl_0::IsCondControl 8\ns.cpu.committedControl_0::IsUncondControl 5\n"),
		 .assumes = NOTHING_ELSE,
		 .want = "70,13,0,0,0,0,0,0,9\n"},
		{.name = "a statistic twice",
		 .text = DUMP("5", "5", CPU("cpu", "100", "9") "s.cpu.Branches 9\n"),
		 .assumes = NOTHING_ELSE,
		 .error = "t:10: no usable row: an event is there twice ('Branches')"},
		{.name = "not a number",
		 .text = DUMP("5", "5", CPU("cpu", "100", "nan")),
		 .assumes = NOTHING_ELSE,
		 .error = "t:9: no usable row: text stands where a count should ('Branches')"},
		{.name = "a whole name with a CPU in it, and two CPUs",
		 .text = DUMP("5", "5", CPU("cpu0", "100", "9") CPU("cpu1", "50", "4") "s.cpu1.x.y::z 3\n"),
		 .maps = {"l2_misses=s.cpu1.x.y::z"},
		 .assumes = {"branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=9"},
		 .options = {.groups = IMPORT_ONLY, .only = "s.cpu1"},
		 .want = "50,4,0,0,0,0,9,3,9\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

static void test_caches(void **state)
{
	(void)state;
	static const char ruby[] =
		DUMP("5", "5",
		     CPU("cpu0", "100", "9") CPU("cpu1", "50", "4") "s.ruby.l1_cntrl0.L1Icache.m_demand_misses 5\n"
								    "s.ruby.l1_cntrl1.L1Icache.m_demand_misses 6\n");
	static const struct import_case cases[] = {
		{.name = "of a cache that is there, what is missing is 0",
		 .text = DUMP("5", "5",
			      CPU("cpu", "100", "9") CACHES "s.cpu.icache.replacements 0\ns.l2.tags.replacements 0\n"),
		 .assumes = {"branch_misses=0"},
		 .want = "100,9,0,0,40,4,0,0,9\n"},
		{.name = "a cache that is not there has no 0",
		 .text = DUMP("5", "5", CPU("cpu", "100", "9") CACHES),
		 .assumes = {"branch_misses=0", "l2_accesses=7"},
		 .error =
			 "t: no event stands for 'l2_misses'; there are 'committedInsts', 'Branches', 'l1i.demandMisses', "
			 "'l1d.demandAccesses', 'l1d.demandMisses', 'numCycles'; say --map l2_misses=EXPRESSION, or --assume "
			 "l2_misses=0; gem5 counts mispredictions only with a predictor, and misses only with caches "
			 "(docs/simulators.md)"},
		{.name = "caches of page tables and devices, and below L2, count for nothing",
		 .text = DUMP("5", "5",
			      CPU("cpu", "100", "9") CACHES
			      "s.cpu.itb_walker_cache.demandMisses::cpu.data 5\ns.iocache.demandMisses::cpu.data 5\n"
			      "s.l3.demandMisses::cpu.data 5\ns.l2.demandAccesses::cpu.itb.walker 5\n"
			      "s.l2.demandAccesses::cpu.dcache.prefetcher 6\ns.l2.demandAccesses::total 11\n"),
		 .assumes = {"branch_misses=0"},
		 .want = "100,9,0,0,40,4,0,0,9\n"},
		{.name = "Ruby counts for all CPUs together",
		 .text = ruby,
		 .assumes = {"branch_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .want = "150,13,0,11,0,0,0,0,18\n"},
		{.name = "and not for one of them",
		 .text = ruby,
		 .assumes = {"branch_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .options = {.groups = IMPORT_ONLY, .only = "s.cpu1"},
		 .error =
			 "t: no event stands for 'l1i_misses'; there are 'committedInsts', 'Branches', 'numCycles'; say --map "
			 "l1i_misses=EXPRESSION, or --assume l1i_misses=0; gem5 counts mispredictions only with a predictor, "
			 "and misses only with caches (docs/simulators.md)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

TEST_FILE(test_import_gem5)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resets),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_caches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
