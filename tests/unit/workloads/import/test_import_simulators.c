/* Importing the text of simulators: what the transcripts do not show. All counts are made up (synthetic). */
#include "sim/base/array.h"
#include "tests/unit/workloads/import/import_cases.h"

#define CPU(n, instructions, accuracy, mpki)                                                                           \
	"CPU " n " cumulative IPC: 1 instructions: " instructions " cycles: 500\n"                                     \
	"CPU " n " Branch Prediction Accuracy: " accuracy "% MPKI: " mpki " Average ROB Occupancy at Mispredict: 1\n"
/* Caches, whose names begin with `c`; accesses end with `end`. */
#define CACHES(c, end)                                                                                                 \
	c "L1I LOAD      ACCESS:  90 HIT:  83 MISS:    7" end c "L1D LOAD      ACCESS: 200 HIT: 180 MISS:   20" end c  \
	  "L1D RFO       ACCESS: 100 HIT:  90 MISS:   10" end c "L2C LOAD      ACCESS:  27 HIT:  20 MISS:    7" end c  \
	  "L2C RFO       ACCESS:  10 HIT:   9 MISS:    1" end
#define ROW_OF_CACHES ",7,300,30,37,8,500\n"

#define NO_DRAM                                                                                                        \
	"t: the last statistics are not followed by those of DRAM: was the output cut short? Counts of caches may be " \
	"too low\n"

static void test_champsim(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "lines as of Windows",
		 .text = "CPU 0 cumulative IPC: 1 instructions: 1000 cycles: 500\r\n"
			 "CPU 0 Branch Prediction Accuracy: 90% MPKI: 20\r\n" CACHES("", "\r\n"),
		 .want = "1000,200,20" ROW_OF_CACHES},
		{.name = "runs without the line that begins one",
		 .text = CPU("0", "1000", "90", "20") CACHES("", "\n") CPU("0", "2000", "75", "50") CACHES("", "\n"),
		 .want = "1000,200,20" ROW_OF_CACHES "2000,400,100" ROW_OF_CACHES},
		{.name = "runs whose branches stand in front",
		 .text = "CPU 0 Branch Prediction Accuracy: 90% MPKI: 20\nCPU 0 cumulative IPC: 1 instructions: 1000 "
			 "cycles: 500\n" CACHES("", "\n") "CPU 0 Branch Prediction Accuracy: 75% MPKI: 50\nCPU 0 "
							  "cumulative IPC: 1 instructions: 2000 cycles: 500\n" CACHES(
								  "", "\n"),
		 .want = "1000,200,20" ROW_OF_CACHES "2000,400,100" ROW_OF_CACHES},
		{.name = "no branch at all",
		 .text = CPU("0", "1000", "-", "0") CACHES("cpu0->cpu0_", " MISS_MERGE: 5\n"),
		 .want = "1000,0,0" ROW_OF_CACHES},
		{.name = "no branch at all, until 2023",
		 .text = CPU("0", "1000", "-nan", "0") CACHES("cpu0_", "\n"),
		 .want = "1000,0,0" ROW_OF_CACHES},
		{.name = "just below 100 %",
		 .text = CPU("0", "1000000", "99.99", "0.002") CACHES("", "\n"),
		 .want = "1000000,20000,2" ROW_OF_CACHES,
		 .notes = NO_DRAM
		 "t:2: branches are derived from MPKI and accuracy, whose digits leave them up to 100 % too "
		 "high or too low\nt: ChampSim knows cycles, but no time: --epoch-ms MS, or --map "
		 "duration_ns=\"0.25 * cycles\" (for 4 GHz), says how long a row lasts\nt: no time is given, "
		 "a row is taken for 100 ms\n"},
		{.name = "more accurate than possible",
		 .text = CPU("0", "1000", "100.1", "2") CACHES("", "\n"),
		 .error = "t:1: no usable row: a count is negative ('branches')"},
		{.name = "types of requests with more words",
		 .text = CPU("0", "1000", "90", "20") CACHES(
			 "",
			 "  HIT %:  40 MPKI: 3\n") "L2C LOAD TRANSLATION ACCESS: 7119  HIT: 5222  MISS: 1897\nL1D RQ\tACCESS: 9\tMERGED: 1\n",
		 .want = "1000,200,20" ROW_OF_CACHES},
		{.name = "a cache is there twice",
		 .text = CPU("0", "1000", "90", "20") CACHES("", "\n") CACHES("", "\n"),
		 .error = "t:1: no usable row: an event is there twice ('L1I LOAD MISS')"},
		{.name = "runs on different numbers of CPUs",
		 .text = "*** ChampSim Multicore Out-of-Order Simulator ***\n" CPU("0", "1000", "90", "20")
			 CACHES("cpu0->cpu0_",
				"\n") "*** ChampSim Multicore Out-of-Order Simulator ***\n" CPU("0", "1000", "90", "20")
				 CPU("1", "1000", "90", "20") CACHES("cpu0->cpu0_", "\n") CACHES("cpu1->cpu1_", "\n"),
		 .want = "1000,200,20" ROW_OF_CACHES "2000,400,40,14,600,60,74,16,1000\n"},
		{.name = "the last number may be cut short",
		 .text = CPU("0", "1000", "90", "20") CACHES("", "\n") "L1D WRITE ACCESS: 5 HIT: 5 MISS: 0",
		 .want = "1000,200,20" ROW_OF_CACHES},
		{.name = "a shared cache plays L2",
		 .text = CPU("0", "1000", "90", "20") CACHES("", "\n") "LLC LOAD ACCESS: 8 HIT: 5 MISS: 3\n",
		 .maps = {"l2_accesses=\"LLC LOAD ACCESS\"", "l2_misses=\"LLC LOAD MISS\""},
		 .want = "1000,200,20,7,300,30,8,3,500\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

/* A snapshot of core `c`, all of whose totals but the instructions are the same small ones. */
#define SNAPSHOT(name, c, instructions, branches)                                                                      \
	name ".L1-D[" c "].loads 30\n" name ".L1-D[" c "].load-misses 3\n" name ".L1-I[" c "].load-misses 1\n" name    \
	     ".L2[" c "].loads 4\n" name ".branch_predictor[" c "].num-correct " branches "\n" name                    \
	     ".performance_model[" c "].instruction_count " instructions "\n"
#define LIST(instructions)                                                                                             \
	"branch_predictor.num-correct = 18\nbranch_predictor.num-incorrect = 2\ncore.instructions = 9\n"               \
	"L1-D.load-misses = 3\nL1-D.loads = 20\nL1-D.store-misses-I = 1\nL1-D.stores = 10\nL1-I.load-misses = 1\n"     \
	"L2.load-misses = 2\nL2.loads = 4\nL2.store-misses-I = 0\nL2.stores = 1\nglobal.time = 2000000000000\n"        \
	"performance_model.instruction_count = " instructions "\nvmem = 0\n"
#define THROUGH_TIME(name, first, second) "== " name " ==\na   = " first "\nb   = " second "\n"

static void test_sniper(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "totals that are left out are 0, and rows begin with the first snapshot",
		 .text = SNAPSHOT("one", "0", "100", "5") SNAPSHOT("two", "0", "300", "25"),
		 .want = "200,20,0,0,0,0,0,0\n"},
		{.name = "a core that begins later",
		 .text = SNAPSHOT("one", "0", "100", "5") SNAPSHOT("two", "0", "300", "25")
			 SNAPSHOT("two", "1", "50", "6"),
		 .want = "250,26,0,1,30,3,4,0\n"},
		{.name = "a total falls",
		 .text = SNAPSHOT("one", "0", "100", "5") SNAPSHOT("two", "0", "99", "6"),
		 .error = "t:12: no usable row: a running total fell ('performance_model.instruction_count')"},
		{.name = "a total vanishes",
		 .text = SNAPSHOT("one", "0", "100", "5") "one.L2[0].stores 7\n" SNAPSHOT("two", "0", "200", "6"),
		 .error = "t:13: no usable row: an event is missing ('L2.stores')"},
		{.name = "too many cores",
		 .text = "a.core[4096].instructions 1\n",
		 .format = "sniper",
		 .error = "t:1: more than 4096 cores"},
		{.name = "two runs in a row",
		 .text = LIST("100") LIST("200"),
		 .want = "100,20,2,1,30,4,5,2\n200,20,2,1,30,4,5,2\n",
		 .notes = ""},
		{.name = "statistics through time",
		 .text = THROUGH_TIME("performance_model.instruction_count", "100", "300, 50")
			 THROUGH_TIME("branch_predictor.num-correct", "10", "28, 9")
				 THROUGH_TIME("branch_predictor.num-incorrect", "1", "3, 1"),
		 .assumes = {"l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .want = "250,30,3,0,0,0,0,0\n"},
		{.name = "snapshots in different orders",
		 .text = THROUGH_TIME("core.instructions", "1", "2") "== L1-D.loads ==\nb = 1\n",
		 .error = "t:5: 'b' is not the snapshot that stands here for the first statistic"},
		{.name = "a statistic without the last snapshot",
		 .text = THROUGH_TIME("performance_model.instruction_count", "100", "300") THROUGH_TIME(
			 "branch_predictor.num-incorrect", "1", "3") "== branch_predictor.num-correct ==\na "
								     "= 3\n",
		 .assumes = {"l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .error = "t:8: no usable row: an event is missing ('branch_predictor.num-correct')"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

TEST_FILE(test_import_simulators)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_champsim),
		cmocka_unit_test(test_sniper),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
