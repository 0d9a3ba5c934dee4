/* Recordings of perf stat without -I, and samples: forms of other versions and languages, and lines at boundaries. */
#include "tests/unit/workloads/import/import_cases.h"

#include "sim/base/array.h"

#define REST "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"
#define ALL "branches=0", "branch_misses=0", REST

#define WHOLE "t: a recording without -I is one row, "

static void test_whole(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "German, of two kinds of cores",
		 .text = "\n Performance counter stats for 'x 1':\n\n"
			 "     3.642.649.330      cpu_atom/cycles/       #    3,308 GHz              (0,68%)\n"
			 "     4.963.414.681      cpu_core/cycles/       #    4,508 GHz              (78,79%)\n"
			 "         1.101,01 msec task-clock              #    0,999 CPUs utilized\n"
			 "    11.012.810.078      cpu_core/instructions/ #    2,22  insn per cycle   (88,71%)\n"
			 "            12.345      cpu_core/branches/\n"
			 "               345      cpu_core/branch-misses/\n\n"
			 "       1,102331429 seconds time elapsed\n\n       1,1 seconds user\n       0,1 seconds sys\n",
		 .assumes = {REST},
		 .options = {.pmu = "cpu_core"},
		 .want = "11012810078,12345,345,0,0,0,0,0,4963414681\n",
		 .notes = "t:4: 1 line passed over: of a PMU that was not asked for\n" WHOLE "of 1102.33 ms\n"
			  "t: events took turns (multiplexing): cycles were counted for 78 % of the time, the rest is "
			  "estimated\n"},
		{.name = "perf 3 and 4, means, a command of two lines",
		 .text = "Performance counter stats for './a -e k:* \\\n   { printf(\"\"); }' (5 runs):\n\n"
			 "        238.204720      task-clock (msec)  #    1.013 CPUs utilized    ( +-  0.54% )\n"
			 "       276,536,977 instructions            #    0.39  insn per cycle   [62.51%]\n"
			 "                                           #    0.46  stalled cycles per insn [62.51%]\n\n"
			 "             1.235 +- 0.001 seconds time elapsed  ( +-  0.38% )\n",
		 .assumes = {ALL},
		 .want = "276536977,0,0,0,0,0,0,0\n",
		 .notes = "t: counts are means over the runs of perf stat -r\n"
			  "t:6: 1 line passed over: a metric, which names no event\n" WHOLE "of 1235 ms\n"
			  "t: events took turns (multiplexing): instructions were counted for 62 % of the time, the "
			  "rest is estimated\n"},
		{.name = "the words of a program around it",
		 .text = "5 files\n Performance counter stats for 'x':\n\n   7   instructions\n\n 2.000 seconds time "
			 "elapsed\n\n5 files\n",
		 .assumes = {ALL},
		 .want = "7,0,0,0,0,0,0,0\n",
		 .notes = "t:1: 2 lines passed over: not readable as counts; this one first\n" WHOLE "of 2000 ms\n"},
		{.name = "each recording with events of its own",
		 .text = "# started on A\n\n5,,instructions,9,100.00,,\n4,,branches,9,100.00,,\n"
			 "# started on B\n\n6,,instructions,9,100.00,,\n# started on C\n\n7,,instructions,9,100.00,,\n"
			 "3,,branches,9,100.00,,\n",
		 .assumes = {"branch_misses=0", REST},
		 .want = "5,4,0,0,0,0,0,0\n7,3,0,0,0,0,0,0\n",
		 .notes = "t: 1 of 3 rows skipped\nt:7: 1 row skipped: an event is missing ('branches')\n"
			  "t: 3 recordings are put one after the other (--recording N takes one)\n"
			  "t: a recording without -I is one row; how long it lasted (duration_time) is missing, and it "
			  "is taken for 100 ms (--epoch-ms)\n"},
		{.name = "without comments another one begins with the first event",
		 .text = "5,,instructions,9,100.00,,\n4,,branches,9,100.00,,\n6,,instructions,9,100.00,,\n"
			 "3,,branches,9,100.00,,\n",
		 .assumes = {"branch_misses=0", REST},
		 .want = "5,4,0,0,0,0,0,0\n6,3,0,0,0,0,0,0\n"},
		{.name = "with one, an event that is there twice is no other recording",
		 .text = "# started on A\n\n5,,instructions,9,100.00,,\n6,,instructions,9,100.00,,\n",
		 .assumes = {ALL},
		 .error = "t:3: no usable row: an event is there twice ('instructions')"},
		{.name = "JSON of newer perf: numbers, no metric",
		 .text = "{\"counter-value\" : \"5.000000\", \"unit\" : \"\", \"event\" : \"cpu_core/instructions/u\", "
			 "\"event-runtime\" : 5, \"pcnt-running\" : 100.00}\n"
			 "{\"counter-value\" : \"2000000000\", \"unit\" : \"ns\", \"event\" : \"duration_time\"}\n",
		 .assumes = {ALL},
		 .want = "5,0,0,0,0,0,0,0\n",
		 .notes = WHOLE "of 2000 ms\n"},
		{.name = "a line without a share of the time is no count",
		 .text = "# started on A\n\n5,,instructions\n6,,instructions,9,100.00,,\n",
		 .assumes = {ALL},
		 .want = "6,0,0,0,0,0,0,0\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

#define ESTIMATED(list) "t: counts are estimated from samples, each of which stands for " list " on average\n"

static void test_samples(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "a row's last us, the next one's first, and a row without samples",
		 .text = "a 1 [000] 5.000000: 10 instructions: 0\na 1 [000] 5.099999: 20 instructions: 0\n"
			 "a 1 [000] 5.100000: 40 instructions: 0\na 1 [000] 5.390000: 80 instructions: 0\n",
		 .assumes = {ALL},
		 .want = "30,0,0,0,0,0,0,0\n40,0,0,0,0,0,0,0\n80,0,0,0,0,0,0,0\n",
		 .notes = ESTIMATED("38 instructions") "t: 1 of 4 rows skipped\nt:4: 1 row skipped: nothing happened: "
						       "all counts are 0\n"},
		{.name = "ns, one apart",
		 .text = "a 1 5.000000000: 10 instructions: 0\na 1 5.099999999: 20 instructions: 0\n"
			 "a 1 5.100000000: 40 instructions: 0\n",
		 .assumes = {ALL},
		 .want = "30,0,0,0,0,0,0,0\n40,0,0,0,0,0,0,0\n"},
		{.name = "an event that appears late counts 0 before",
		 .text = "a 1 5.000000: 10 instructions:u: 0\na 1 5.100000: 20 instructions:u: 0\n"
			 "a 1 5.150000: 7 branches:u: 0\n",
		 .assumes = {"branch_misses=0", REST},
		 .want = "10,0,0,0,0,0,0,0\n20,7,0,0,0,0,0,0\n"},
		{.name = "one thread, whose name has blanks and digits",
		 .text = "b 2.5 c 1/23 [000] 5.000000: 10 instructions: 0\n:9 9 5.000000: 4 instructions: 0\n",
		 .assumes = {ALL},
		 .options = {.groups = IMPORT_ONLY, .only = "b 2.5 c-23"},
		 .want = "10,0,0,0,0,0,0,0\n"},
		{.name = "without thread, without CPU, of a period as a term",
		 .text = "5.000000:     10 instructions/period=10/u: \n\t    ffff x (y)\n\n5.050000: 5 instructions/freq=9/: "
			 "\n",
		 .assumes = {ALL},
		 .want = "15,0,0,0,0,0,0,0\n",
		 .notes = ESTIMATED("8 instructions")},
		{.name = "samples of tracepoints, which have no period",
		 .text = "a 1 5.000000: 10 instructions: 0\na 1 5.000000: kmem:kfree: p=1\na 1 5.000000: PERF_RECORD_EXIT: "
			 "1\n",
		 .assumes = {ALL},
		 .want = "10,0,0,0,0,0,0,0\n",
		 .notes = "t:2: 1 sample passed over without a period, which perf script -F "
			  "comm,tid,time,period,event prints\n" ESTIMATED("10 instructions")},
		{.name = "a time that cannot be",
		 .text = "a 1 5.000000: 10 instructions: 0\na 1 100005.000000: 10 instructions: 0\n",
		 .assumes = {ALL},
		 .error =
			 "t:2: 100000 s after the first sample, there would be 1000000 rows or more: is its time right "
			 "(--epoch-ms makes longer ones)?"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

TEST_FILE(test_import_perf)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_samples)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
