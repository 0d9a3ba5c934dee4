/* Importing: Intel PCM, pcm-core and toplev, beyond what tests/golden/import_pcm.t and import_toplev.t show. Counts are
 * made up (synthetic). */
#include "sim/base/array.h"
#include "tests/unit/workloads/import/import_cases.h"

#define ZEROS_BUT_INSTRUCTIONS                                                                                         \
	{                                                                                                              \
		"branches=0", "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0",    \
			"l2_misses=0"                                                                                  \
	}
#define INSTRUCTIONS_ONLY(n) #n ",0,0,0,0,0,0,0\n"

static void test_pcm(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "only sockets have counts",
		 .text = "System,System,Socket 0,Socket 0,Socket 1,Socket 1,Core0 (Socket 0),Core0 (Socket 0),\n"
			 "Date,Time,EXEC,INST,EXEC,INST,EXEC,INST,\n2024-05-14,09:31:07.214,0.1,1.00,0.1,2.00,0.1,4.00,\n",
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(3000000)},
		{.name = "the smallest and the largest number of millions",
		 .text = "System;;;\nDate;Time;EXEC;INST;\n2018-03-02;1:00:00;1;0.000001;\n2018-03-02;1:00:01;1;1e14;\n",
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(1),
		 .notes = "t: 1 of 2 rows skipped\nt:4: 1 row skipped: a count is too large ('INST')\n"},
		{.name = "no column of counts",
		 .text = "System,System,\nDate,Time,EXEC,\n",
		 .error = "t:2: the header rows do not fit together: 0 of the first row, and 'EXEC' 1 times"},
		{.name = "names that are those of no core",
		 .text = "System,System,Core (Socket 0),CoreX,Sockets 0,SKT0,SKT.1x,\nDate,Time,EXEC,\n",
		 .error = "t:2: the header rows do not fit together: 0 of the first row, and 'EXEC' 1 times"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

static void test_toplev(void **state)
{
	(void)state;
#define TOPLEV_HEAD "Timestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n"
#define TOPLEV_LINE(time, cpu, name, value) time "," cpu "," name "," value ",Count,\"a, b\",,,100.0,,\n"
	static const struct import_case cases[] = {
		{.name = "threads, cores, sockets, all: the first kind that is there",
		 .text = TOPLEV_HEAD TOPLEV_LINE("1.5", "S0-C0-T0", "Instructions", "1.0") TOPLEV_LINE(
			 "1.5", "S0-C1-T0", "Instructions", "2.0") TOPLEV_LINE("1.5", "S0-C0", "Instructions", "1.0")
			 TOPLEV_LINE("1.5", "S0", "Instructions", "3.0") TOPLEV_LINE("1.5", "", "Instructions", "3.0"),
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(3)},
		{.name = "sockets",
		 .text = TOPLEV_HEAD TOPLEV_LINE("1.5", "S0", "Instructions", "3.0") TOPLEV_LINE(
			 "1.5", "S1", "Instructions", "4.0") TOPLEV_LINE("1.5", "S0-C0", "Instructions", "3.0"),
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(7)},
		{.name = "a ratio of 0",
		 .text = TOPLEV_HEAD TOPLEV_LINE("1.5", "CPU0", "Instructions", "3.0") TOPLEV_LINE(
			 "1.5", "CPU0", "IpBranch", "0.0") TOPLEV_LINE("2.5", "CPU0", "Instructions", "12.0")
			 TOPLEV_LINE("2.5", "CPU0", "IpBranch", "4.0"),
		 .assumes = {"branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0",
			     "l2_misses=0"},
		 .want = "12,3,0,0,0,0,0,0\n"},
		{.name = "a value is missing",
		 .text = TOPLEV_HEAD TOPLEV_LINE("1.5", "CPU0", "Instructions", "")
			 TOPLEV_LINE("2.5", "CPU0", "Instructions", "12.0"),
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(12)},
		{.name = "without header row, neither time nor CPU",
		 .text = "Instructions,\"1,234.0\",Count,d,,,,\n",
		 .format = "toplev",
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(1234)},
		{.name = "without header row, a CPU that is a number",
		 .text = "0.5,0,Instructions,5.0,Count,d,,,,\n0.5,1,Instructions,6.0,Count,d,,,,\n",
		 .format = "toplev",
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .want = INSTRUCTIONS_ONLY(11)},
		{.name = "time runs backwards",
		 .text = TOPLEV_HEAD TOPLEV_LINE("1.5", "CPU0", "Instructions", "3.0")
			 TOPLEV_LINE("0.5", "CPU0", "Instructions", "3.0"),
		 .assumes = ZEROS_BUT_INSTRUCTIONS,
		 .error = "t:3: time runs backwards, from 1.5 s to 0.5 s: rows are out of order, or two recordings are "
			  "interleaved"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

TEST_FILE(test_import_pcm)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pcm), cmocka_unit_test(test_toplev)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
