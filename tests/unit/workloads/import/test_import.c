/* Importing: the rules that hold for every format. The formats: test_import_formats.c. */
#include <string.h>

#include "sim/base/array.h"
#include "tests/unit/workloads/import/import_cases.h"
#include "workloads/trace/spread.h"

/* A table whose columns stand for the counters, but with the names of perf, so that it is not ours. */
#define TABLE                                                                                                          \
	"instructions,branches,branch-misses,L1-icache-load-misses,L1-dcache-loads,L1-dcache-load-misses,"             \
	"l2_accesses,l2_misses\n"
#define PLAIN "100,20,2,1,30,3,4,1\n"
#define NO_TIME "t: no time is given, a row is taken for 100 ms\n"

static void test_rows(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		{.name = "plain", .text = TABLE PLAIN PLAIN, .want = PLAIN PLAIN, .notes = NO_TIME},
		{.name = "other separators",
		 .text = "a;b\n1;2\n",
		 .maps = {"instructions=a", "branches=b"},
		 .assumes = {"branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0",
			     "l2_misses=0"},
		 .want = "1,2,0,0,0,0,0,0\n"},
		/* 1000 * 0.3 % is 3; 1000 / 4 = 250; 2 / (1 - 0.75) = 8. */
		{.name = "products and quotients",
		 .text = "n;ipb;mr;l;m;hit\n1000;4;0.003;300;2;0.75\n",
		 .maps = {"instructions=n", "branches=n / ipb", "branch_misses=n * mr", "l1d_accesses=l",
			  "l2_accesses=m / (1 - hit)", "l2_misses=m"},
		 .assumes = {"l1i_misses=0", "l1d_misses=0"},
		 .want = "1000,250,3,0,300,0,8,2\n"},
		{.name = "a ratio of nothing",
		 .text = TABLE PLAIN "100,20,2,1,30,3,0,0\n",
		 .maps = {"l2_misses=l2_misses / l2_accesses"},
		 .want = "100,20,2,1,30,3,4,0\n",
		 .notes =
			 "t: 1 of 2 rows skipped\nt:3: 1 row skipped: a ratio is divided by 0 ('l2_accesses')\n" NO_TIME},
		{.name = "a quotient beyond all counts",
		 .text = TABLE PLAIN "100,20,2,1,30,3,18446744073709551615,0.000000001\n",
		 .maps = {"l2_misses=l2_accesses / l2_misses", "l2_accesses=100 * l2_accesses"},
		 .want = "100,20,2,1,30,3,400,4\n",
		 .notes = "t: 1 of 2 rows skipped\nt:3: 1 row skipped: a count is too large ('l2_accesses')\n" NO_TIME},
		{.name = "not counted is not zero",
		 .text = TABLE PLAIN "100,20,<not counted>,1,30,3,4,1\n" PLAIN,
		 .want = PLAIN PLAIN,
		 .notes = "t: 1 of 3 rows skipped\n"
			  "t:3: 1 row skipped: an event was not counted (idle or unscheduled) "
			  "('branch-misses')\n" NO_TIME},
		{.name = "not supported, blank, text",
		 .text = TABLE "100,20,<not supported>,1,30,3,4,1\n" PLAIN "100,,2,1,30,3,4,1\n" PLAIN
			       "100,20,2,no access,30,3,4,1\n",
		 .want = PLAIN PLAIN,
		 .notes = "t: 3 of 5 rows skipped\n"
			  "t:2: 1 row skipped: an event is not supported ('branch-misses')\n"
			  "t:4: 1 row skipped: a count is blank ('branches')\n"
			  "t:6: 1 row skipped: text stands where a count should ('L1-icache-load-misses')\n" NO_TIME},
		{.name = "idle rows",
		 .text = TABLE "0,0,0,0,0,0,0,0\n" PLAIN,
		 .want = PLAIN,
		 .notes = "t: 1 of 2 rows skipped\nt:2: 1 row skipped: nothing happened: all counts are 0\n" NO_TIME},
		{.name = "idle rows kept",
		 .text = TABLE "0,0,0,0,0,0,0,0\n" PLAIN,
		 .options = {.keep_idle = true},
		 .want = "0,0,0,0,0,0,0,0\n" PLAIN},
		{.name = "a part equal to its whole", .text = TABLE "9,5,5,1,4,4,3,3\n", .want = "9,5,5,1,4,4,3,3\n"},
		{.name = "a part above its whole",
		 .text = TABLE PLAIN "9,5,5.01,1,4,4,3,3\n",
		 .want = PLAIN,
		 .notes = "t: 1 of 2 rows skipped\nt:3: 1 row skipped: a part exceeds its whole, such as more misses "
			  "than accesses ('branch_misses')\n" NO_TIME},
		{.name = "negative",
		 .text = TABLE PLAIN "9,-5,0,1,4,4,3,3\n",
		 .want = PLAIN,
		 .notes = "t: 1 of 2 rows skipped\nt:3: 1 row skipped: a count is negative ('branches')\n" NO_TIME},
		{.name = "more branches than instructions",
		 .text = TABLE "9,10,0,1,4,4,3,3\n",
		 .want = "9,10,0,1,4,4,3,3\n",
		 .notes = NO_TIME "t:2: 1 epoch with more branches or data accesses than instructions\n"},
		{.name = "a row that was cut short",
		 .text = TABLE PLAIN "100,20,2,1",
		 .want = PLAIN,
		 .notes = "t: 1 of 2 rows skipped\n"
			  "t:3: 1 row skipped: more or fewer fields than the header has\n" NO_TIME},
		{.name = "largest count",
		 .text = TABLE "18446744073709551615,0,0,0,0,0,0,0\n",
		 .want = "18446744073709551615,0,0,0,0,0,0,0\n"},
		{.name = "beyond it",
		 .text = TABLE "18446744073709551615.5,0,0,0,0,0,0,0\n",
		 .error = "t:2: no usable row: a count is too large ('instructions')"},
		{.name = "beyond numbers", .text = TABLE PLAIN "1e30,0,0,0,0,0,0,0\n", .want = PLAIN},
		{.name = "nothing stands for a counter",
		 .text = "instructions,branches\n1,2\n",
		 .assumes = {"l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .error = "t: no event stands for 'branch_misses'; there are 'instructions', 'branches'; say --map "
			  "branch_misses=EXPRESSION, or --assume branch_misses=0"},
		{.name = "cycles where they are known",
		 .text = "cycles," TABLE "50," PLAIN,
		 .want = "100,20,2,1,30,3,4,1,50\n"},
		{.name = "cycles where some rows lack them",
		 .text = "cycles," TABLE "50," PLAIN "," PLAIN "," PLAIN,
		 .want = PLAIN PLAIN PLAIN,
		 .notes = NO_TIME "t: cycles are left out, since not all rows have them\n"},
		{.name = "cycles that the first row lacks",
		 .text = "cycles," TABLE "," PLAIN "50," PLAIN,
		 .want = PLAIN PLAIN,
		 .notes = NO_TIME "t: cycles are left out, since not all rows have them\n"},
		{.name = "cycles left out",
		 .text = "cycles," TABLE "50," PLAIN "," PLAIN,
		 .options = {.no_cycles = true},
		 .want = PLAIN PLAIN},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

static void test_maps(void **state)
{
	(void)state;
#define REST "branch_misses=0", "l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"
	static const struct import_case cases[] = {
		{.name = "sum, difference, multiple",
		 .text = "x,a-b,c d\n100,7,2\n",
		 .maps = {"instructions=2 * (x - a-b) + 0.5*\"c d\"", "branches=a-b - \"c d\""},
		 .assumes = {REST},
		 .want = "187,5,0,0,0,0,0,0\n"},
		{.name = "signs",
		 .text = "x,y\n100,30\n",
		 .maps = {"instructions=-(y - x) * -1 * -1", "branches=- -y"},
		 .assumes = {REST},
		 .want = "70,30,0,0,0,0,0,0\n"},
		{.name = "the same column twice",
		 .text = "x\n100\n",
		 .maps = {"instructions=x + x", "branches=x - 0.5 * x"},
		 .assumes = {REST},
		 .want = "200,50,0,0,0,0,0,0\n"},
		{.name = "modifiers within a PMU do not matter",
		 .text = "apple_firestorm_pmu/branches:u/,instructions:uk\n4,9\n",
		 .assumes = {REST},
		 .want = "9,4,0,0,0,0,0,0\n"},
		{.name = "a raw event keeps its name",
		 .text = "r0280,cpu/event=0xc4/,instructions\n4,5,9\n",
		 .maps = {"branches=r0280 + cpu/event=0xc4/"},
		 .assumes = {REST},
		 .want = "9,9,0,0,0,0,0,0\n"},
		{.name = "modifiers and PMU do not matter",
		 .text = "cpu/instructions/u\tBRANCHES:u\n9\t4\n",
		 .assumes = {REST},
		 .want = "9,4,0,0,0,0,0,0\n"},
		{.name = "the tool's own name goes before what it is like",
		 .text = "branches:u;branches;instructions\n9;4;5\n",
		 .assumes = {REST},
		 .want = "5,4,0,0,0,0,0,0\n"},
		{.name = "two of a name",
		 .text = "cpu_core/branches/,cpu_atom/branches/,instructions\n9,4,5\n",
		 .assumes = {REST},
		 .error = "t:1: two events are 'branches': 'cpu_core/branches/' and 'cpu_atom/branches/'; choose with "
			  "--pmu, or say --map branches=EXPRESSION"},
		{.name = "one PMU of two",
		 .text = "cpu_core/branches/,cpu_atom/branches/,instructions\n9,4,5\n",
		 .options = {.pmu = "cpu_atom"},
		 .assumes = {REST},
		 .want = "5,4,0,0,0,0,0,0\n"},
		{.name = "both PMUs, where one need not have run",
		 .text = "cpu_core/branches/,cpu_atom/branches/,instructions\n9,4,5\n9,<not counted>,5\n,4,5\n",
		 .maps = {"branches=cpu_core/branches/ + zero(cpu_atom/branches/)"},
		 .assumes = {REST},
		 .want = "5,13,0,0,0,0,0,0\n5,9,0,0,0,0,0,0\n"},
		{.name = "running totals",
		 .text = "instructions,branches\n5,1\n105,21\n305,21\n",
		 .options = {.cumulative = true},
		 .assumes = {REST},
		 .want = "100,20,0,0,0,0,0,0\n200,0,0,0,0,0,0,0\n",
		 .notes = "t: 1 of 3 rows skipped\nt:2: 1 row skipped: there is no earlier row to subtract a running "
			  "total from ('instructions')\n" NO_TIME},
		{.name = "a running total that falls",
		 .text = "instructions,b\n1,1\n100,21\n100,7\n100,10\n",
		 .maps = {"branches=delta(b)"},
		 .assumes = {REST},
		 .want = "100,20,0,0,0,0,0,0\n100,3,0,0,0,0,0,0\n",
		 .notes = "t: 2 of 4 rows skipped\nt:4: 1 row skipped: a running total fell ('b')\n"
			  "t:2: 1 row skipped: there is no earlier row to subtract a running total from "
			  "('b')\n" NO_TIME},
		{.name = "a sum of running totals",
		 .text = "a,instructions,b\n1,9,10\n3,9,15\n",
		 .maps = {"branches=delta(a) + delta(b)"},
		 .assumes = {REST},
		 .want = "9,7,0,0,0,0,0,0\n"},
		{.name = "running totals begin anew behind a row that lacks them",
		 .text = "instructions,branches\n5,1\n105,21\n,\n305,51\n405,61\n",
		 .options = {.cumulative = true},
		 .assumes = {REST},
		 .want = "100,20,0,0,0,0,0,0\n100,10,0,0,0,0,0,0\n"},
		{.name = "no count tells of more rows than the others do",
		 .text = "instructions,b\n1000,100\n2000,\n3000,300\n4000,400\n",
		 .maps = {"branches=b"},
		 .options = {.cumulative = true},
		 .assumes = {REST},
		 .want = "1000,100,0,0,0,0,0,0\n",
		 .notes = "t: 3 of 4 rows skipped\nt:3: 1 row skipped: a count is blank ('b')\n"
			  "t:2: 2 rows skipped: there is no earlier row to subtract a running total from "
			  "('instructions'); this one first\n" NO_TIME},
		{.name = "a running total among counts of intervals",
		 .text = "instructions,b\n1000,100\n1000,200\n,300\n1000,400\n",
		 .maps = {"branches=delta(b)"},
		 .assumes = {REST},
		 .want = "1000,100,0,0,0,0,0,0\n1000,100,0,0,0,0,0,0\n"},
		{.name = "time of rows that were skipped is left out",
		 .text = "time_ms,instructions\n0,0\n1,10\n2,\n4,70\n5,80\n",
		 .options = {.cumulative = true, .by_time = true, .epoch_ns = 1000000},
		 .assumes = {"branches=0", REST},
		 .want = "10,0,0,0,0,0,0,0\n10,0,0,0,0,0,0,0\n"},
		{.name = "running totals out of order",
		 .text = "time_s,instructions\n0,0\n2,20\n1,10\n",
		 .options = {.cumulative = true},
		 .assumes = {"branches=0", REST},
		 .error = "t:4: time runs backwards: running totals must be in order"},
		{.name = "a name that is nowhere, for what need not be there",
		 .text = "instructions,cyc\n5,6\n",
		 .maps = {"cycles=cyclez"},
		 .assumes = {"branches=3", REST},
		 .error = "t: --map cycles: nothing is called 'cyclez'; there are 'instructions', 'cyc'"},
		{.name = "a time that is nowhere",
		 .text = "instructions,t\n5,6\n",
		 .maps = {"time_s=stamp"},
		 .assumes = {"branches=3", REST},
		 .error = "t: --map time: nothing is called 'stamp'; there are 'instructions', 't'"},
		{.name = "what is counted goes before what is assumed",
		 .text = "instructions,branches\n5,4\n",
		 .assumes = {"branches=3", REST},
		 .want = "5,4,0,0,0,0,0,0\n",
		 .notes = NO_TIME "t: --assume branches is not needed: it was counted\n"},
		{.name = "assumed where it is not supported",
		 .text = "instructions,branches\n5,<not supported>\n6,<not counted>\n",
		 .assumes = {"branches=3", REST},
		 .want = "5,3,0,0,0,0,0,0\n"},
		{.name = "a sum of which part is not supported is not assumed",
		 .text = "instructions,a,b\n5,4,<not supported>\n6,<not supported>,<not supported>\n",
		 .maps = {"branches=a + b"},
		 .assumes = {"branches=3", REST},
		 .want = "6,3,0,0,0,0,0,0\n"},
		{.name = "running totals that nobody called so",
		 .text = "instructions\n1\n2\n3\n4\n5\n6\n7\n8\n",
		 .assumes = {"branches=0", REST},
		 .notes = NO_TIME "t: no count ever falls: are they running totals (--cumulative)?\n"},
		{.name = "seven rows are too few to tell",
		 .text = "instructions\n1\n2\n3\n4\n5\n6\n7\n",
		 .assumes = {"branches=0", REST},
		 .notes = NO_TIME},
		{.name = "an assumed count",
		 .text = "instructions\n5\n6\n",
		 .assumes = {"branches=3", REST},
		 .want = "5,3,0,0,0,0,0,0\n6,3,0,0,0,0,0,0\n"},
		{.name = "an event goes before what is assumed, where it is mapped",
		 .text = "instructions,x\n5,4\n",
		 .maps = {"branches=x"},
		 .assumes = {"branches=3", REST},
		 .want = "5,4,0,0,0,0,0,0\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

/* Columns: instructions, branches, their misses, L1I misses, L1D accesses, L1D misses, L2 accesses, L2 misses. */
static void test_rotated_windows(void **state)
{
	(void)state;
	static const struct import_case cases[] = {
		/* 100 of 400 instructions have branches: times 4. 300 of 400 have the others: times 4/3. */
		{.name = "two windows",
		 .text = TABLE "100,20,2,,,,,\n300,,,3,90,9,12,6\n",
		 .options = {.rotate = true},
		 .want = "400,80,8,4,120,12,16,8\n",
		 .notes =
			 "t: 2 windows joined to 1 epoch (--rotate)\n" NO_TIME
			 "t: events took turns (multiplexing): branches were counted for 25 % of the time, the rest is "
			 "estimated\n"},
		{.name = "windows that have all events are epochs",
		 .text = TABLE PLAIN PLAIN,
		 .options = {.rotate = true},
		 .want = PLAIN PLAIN},
		{.name = "one window is missing, then the end",
		 .text = TABLE "100,20,2,,,,,\n100,20,2,,,,,\n200,,,2,60,6,8,4\n100,20,2,,,,,\n",
		 .options = {.rotate = true},
		 .want = "400,80,8,4,120,12,16,8\n",
		 .notes =
			 "t: 1 of 4 rows skipped\n"
			 "t:5: 1 row skipped: windows at the end do not have all events that an epoch needs\n"
			 "t: 3 windows joined to 1 epoch (--rotate)\n" NO_TIME
			 "t: events took turns (multiplexing): branches were counted for 50 % of the time, the rest is "
			 "estimated\n"},
		{.name = "never all of them",
		 .text = TABLE "100,20,2,,,,,\n100,20,2,,,,,\n",
		 .options = {.rotate = true},
		 .error =
			 "t:2: no usable row: windows at the end do not have all events that an epoch needs (first of 2)"},
		{.name = "a window without instructions",
		 .text = TABLE ",20,2,,,,,\n" PLAIN,
		 .options = {.rotate = true},
		 .want = PLAIN,
		 .notes = "t: 1 of 2 rows skipped\nt:2: 1 row skipped: a count is blank ('instructions')\n"
			  "t: 1 window joined to 1 epoch (--rotate)\n" NO_TIME},
		/* Misses of one window, scaled, exceed the accesses of another. */
		{.name = "a contradiction between windows",
		 .text = TABLE "100,20,2,1,30,3,4,\n1,,,,,,,3\n" PLAIN,
		 .options = {.rotate = true},
		 .want = PLAIN,
		 .notes =
			 "t: 1 of 3 rows skipped\nt:3: 1 row skipped: a part exceeds its whole, such as more misses than "
			 "accesses ('l2_misses')\nt: 3 windows joined to 2 epochs (--rotate)\n" NO_TIME},
		{.name = "times of windows add up",
		 .text = "time_ms,instructions,branches,x\n100,100,20,\n200,100,,5\n300,100,20,\n400,100,,5\n500,100,20,\n"
			 "600,100,,5\n",
		 .maps = {"branch_misses=x"},
		 .assumes = {"l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .options = {.rotate = true},
		 .want = "200,40,10,0,0,0,0,0\n200,40,10,0,0,0,0,0\n200,40,10,0,0,0,0,0\n"},
		/* The first row, of unknown length, is taken for 100 ms as the others are. */
		{.name = "windows cut to size",
		 .text = "time_ms,instructions,branches,x\n100,100,20,\n200,100,,5\n300,100,20,\n400,100,,5\n",
		 .maps = {"branch_misses=x"},
		 .assumes = {"l1i_misses=0", "l1d_accesses=0", "l1d_misses=0", "l2_accesses=0", "l2_misses=0"},
		 .options = {.rotate = true, .by_time = true, .epoch_ns = UINT64_C(100000000)},
		 .want = "100,20,5,0,0,0,0,0\n100,20,5,0,0,0,0,0\n100,20,5,0,0,0,0,0\n100,20,5,0,0,0,0,0\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
}

static void test_map_errors(void **state)
{
	(void)state;
	static const struct {
		const char *map, *message;
	} cases[] = {
		{"branches", "--map 'branches': written as COUNTER=EXPRESSION"},
		{"brunches=a", "--map: unknown counter 'brunches'; did you mean 'branches'?"},
		{"time_m=a", "--map: unknown counter 'time_m'; did you mean 'time_ms'?"},
		{"branches=", "--map 'branches=': a name is missing"},
		{"branches=a +", "--map 'branches=a +': a name is missing"},
		{"branches=a b", "--map 'branches=a b': 'b' cannot stand there"},
		{"branches=(a", "--map 'branches=(a': ')' is missing"},
		{"branches=a)", "--map 'branches=a)': ')' cannot stand there"},
		{"branches=\"a", "--map 'branches=\"a': a quote is not closed"},
		{"branches=a + 1", "--map 'branches=a + 1': a number stands without a column"},
		{"branches=12", "--map 'branches=12': no column is named (a value is assumed with --assume)"},
		{"branches=sum(a)", "--map 'branches=sum(a)': 'sum' is no function (delta and zero are)"},
		{"branches=delta(a", "--map 'branches=delta(a': ')' is missing after 'a'"},
		{"branches=2 * (a + 1)", "--map 'branches=2 * (a + 1)': a number stands without a column"},
		{"branches=a * b + 1", "--map 'branches=a * b + 1': a number stands without a column"},
		{"branches=1000000000 * a", "--map 'branches=1000000000 * a': factor '1000000000' is too large"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct import_map *map = import_map_new();
		struct sahm_err err = untouched;
		assert_int_equal(import_map_add(map, cases[i].map, &err), SAHM_USAGE);
		assert_string_equal(err.msg, cases[i].message);
		import_map_free(map);
	}
	struct import_map *map = import_map_new();
	struct sahm_err err = untouched;
	assert_int_equal(import_map_add(map, "branches=a", &err), SAHM_OK);
	assert_string_equal(err.msg, "untouched");
	assert_int_equal(import_map_add(map, "branches=b", &err), SAHM_USAGE);
	assert_string_equal(err.msg, "--map: 'branches' is given twice");
	import_map_free(map);
}

/* Totals in are totals out, whatever the fractions, and no part exceeds its whole. */
static void test_fractions(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (int round = 0; round < 200; round++) {
		struct textbuf text;
		uint64_t sum_millis[8] = {0}, sum[8] = {0};
		unsigned rows = 1 + (unsigned)(seed >> 60);
		textbuf_init(&text);
		textbuf_puts(&text, TABLE);
		for (unsigned r = 0; r < rows; r++) {
			uint64_t v[8];
			for (int c = 0; c < 8; c++) {
				seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
				v[c] = seed >> 33 & (round % 3 ? 0xfff : 0xffffff);
				/* branch, L1D and L2 misses: a part of what stands before, often all of it */
				if (c == 2 || c == 5 || c == 7)
					v[c] = seed >> 62 ? v[c - 1] - v[c - 1] / 3 * (seed >> 62 == 2)
							  : v[c] % (v[c - 1] + 1);
				sum_millis[c] += v[c];
				textbuf_printf(&text, "%s%" PRIu64 ".%03u", c ? "," : "", v[c] / 1000,
					       (unsigned)(v[c] % 1000));
			}
			textbuf_putc(&text, '\n');
		}
		struct import_case c = {.name = "fractions", .text = text.text, .options = {.keep_idle = true}};
		struct imported r;
		import_text_as(&c, "t", &r);
		assert_int_equal(r.status, SAHM_OK);
		assert_int_equal(trace_nr_epochs(r.traces[0]), rows);
		struct epoch_counts e[16];
		assert_int_equal(trace_read(r.traces[0], 0, rows, e, NULL), SAHM_OK);
		for (unsigned i = 0; i < rows; i++)
			for (int k = 0; k < 8; k++)
				sum[k] += e[i].count[k];
		for (int k = 0; k < 8; k++) {
			uint64_t exact = (sum_millis[k] + 500) / 1000;
			bool lost = strstr(r.notes.text, "is less by 1") != NULL;
			/* The one case that cannot be kept is reported. */
			if (sum[k] != exact && !(lost && sum[k] + 1 == exact))
				fail_msg("round %d, counter %d: %" PRIu64 ", expected %" PRIu64 "\n%s", round, k,
					 sum[k], exact, text.text);
		}
		imported_release(&r);
		textbuf_release(&text);
	}
}

static void test_time(void **state)
{
	(void)state;
#define ALL_ZERO "branches=0", REST
	static const struct import_case cases[] = {
		{.name = "usual interval, two digits",
		 .text = "t,instructions\n1.0,1\n1.101,2\n1.204,3\n1.302,4\n",
		 .maps = {"time_s=t"},
		 .assumes = {ALL_ZERO},
		 .notes = ""},
		{.name = "gaps, jitter, a short end",
		 .text = "t,instructions\n0,1\n100,2\n210,3\n400,4\n500,4\n600,4\n640,5\n",
		 .maps = {"time_ms=t"},
		 .assumes = {ALL_ZERO},
		 .notes = "t: intervals of 100 to 110 ms are taken for 100 ms each (--by-time --epoch-ms 100 cuts them "
			  "to size)\n"
			  "t:5: 1 gap, 0.09 s in all, are closed\n"
			  "t: the last row lasts 40 ms and is an epoch of 100 ms all the same\n"},
		{.name = "time that does not advance",
		 .text = "t,instructions\n0,1\n100,2\n100,3\n50,3\n150,4\n",
		 .maps = {"time_ms=t"},
		 .assumes = {ALL_ZERO},
		 .notes = "t:4: time does not advance at 2 rows, this one first: another recording is taken to begin "
			  "there (are rows of several CPUs? --group COLUMN; or lengths? --map duration_s=COLUMN)\n"},
		{.name = "times that cannot be read",
		 .text = "t,instructions\n1,1\nfoo,2\n3,3\n5,4\n",
		 .maps = {"time_s=t"},
		 .assumes = {ALL_ZERO},
		 .notes = "t:3: the time of 1 row cannot be read\n"},
		{.name = "columns that are called as times are",
		 .text = "time_ms,instructions\n0,1\n20,2\n40,3\n",
		 .assumes = {ALL_ZERO},
		 .notes = ""},
		{.name = "cut by time",
		 .text = "d,instructions,branches\n150,15,3\n50,10,10\n30,1,0\n",
		 .maps = {"duration_ms=d"},
		 .assumes = {REST},
		 .options = {.by_time = true, .epoch_ns = 100000000},
		 .want = "10,2,0,0,0,0,0,0\n15,11,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n"},
		{.name = "cut into smaller ones",
		 .text = "d,instructions,branches\n3,10,1\n",
		 .maps = {"duration_ms=d"},
		 .assumes = {REST},
		 .options = {.by_time = true, .epoch_ns = 1000000},
		 .want = "3,0,0,0,0,0,0,0\n4,1,0,0,0,0,0,0\n3,0,0,0,0,0,0,0\n"},
		{.name = "cut by stamps, the first row of unknown length",
		 .text = "t,instructions\n1000,7\n1050,10\n1200,30\n",
		 .maps = {"time_ms=t"},
		 .assumes = {ALL_ZERO},
		 .options = {.by_time = true, .epoch_ns = 100000000},
		 .want = "7,0,0,0,0,0,0,0\n20,0,0,0,0,0,0,0\n20,0,0,0,0,0,0,0\n"},
		{.name = "a row of a million epochs",
		 .text = "t,instructions\n1,7\n100001,10\n",
		 .maps = {"time_s=t"},
		 .assumes = {ALL_ZERO},
		 .options = {.by_time = true, .epoch_ns = 100000000},
		 .error = "t:3: this row lasts 100000 s, 1000000 epochs or more: is its time right?"},
		{.name = "one row less than that",
		 .text = "d,instructions\n999,7\n",
		 .maps = {"duration_us=d"},
		 .assumes = {ALL_ZERO},
		 .options = {.by_time = true, .epoch_ns = 1000000},
		 .want = "7,0,0,0,0,0,0,0\n"},
		{.name = "no length to cut to",
		 .text = "x\n1\n",
		 .options = {.by_time = true},
		 .error = "--by-time needs the length of an epoch (--epoch-ms)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_import(&cases[i]);
	/* 100.5 ms is asked for as 100. */
	struct imported r;
	import_text_as(&cases[0], "t", &r);
	assert_int_equal(trace_epoch_ns(r.traces[0]), 100000000);
	imported_release(&r);
}

static void test_groups(void **state)
{
	(void)state;
	static const char table[] = "cpu,t,instructions\nA,1,10\nB,1,20\nA,2,11\nB,2,<not counted>\nB,3,22\n";
	struct import_case c = {.name = "each", .text = table, .maps = {"time_s=t"}, .assumes = {ALL_ZERO}};
	struct imported r;
	c.options = (struct import_options){.groups = IMPORT_EACH, .group_column = "cpu"};
	import_text_as(&c, "dir/t.csv", &r);
	assert_int_equal(r.nr, 2);
	assert_string_equal(trace_name(r.traces[0]), "t-A");
	assert_string_equal(trace_name(r.traces[1]), "t-B");
	char *rows = rows_of(r.traces[1]);
	assert_string_equal(rows, "20,0,0,0,0,0,0,0\n22,0,0,0,0,0,0,0\n");
	free(rows);
	imported_release(&r);

	/* Each group has separate times. */
	c.options = (struct import_options){
		.groups = IMPORT_EACH, .group_column = "cpu", .by_time = true, .epoch_ns = 500000000};
	c.text = "cpu,t,instructions\nA,1,10\nB,1,20\nA,2,12\nB,3,40\n";
	import_text_as(&c, "t", &r);
	assert_int_equal(r.nr, 2);
	rows = rows_of(r.traces[1]);
	assert_string_equal(rows, "20,0,0,0,0,0,0,0\n10,0,0,0,0,0,0,0\n10,0,0,0,0,0,0,0\n10,0,0,0,0,0,0,0\n"
				  "10,0,0,0,0,0,0,0\n");
	free(rows);
	imported_release(&r);
	c.text = table;

	c.options = (struct import_options){.groups = IMPORT_ONLY, .group_column = "cpu", .only = "A"};
	c.want = "10,0,0,0,0,0,0,0\n11,0,0,0,0,0,0,0\n";
	check_import(&c);
	c.options.only = "C";
	c.want = NULL;
	c.error = "t: --only: nothing is of 'C'; there are 'A', 'B'";
	check_import(&c);
	c.options = (struct import_options){.group_column = "cpu"};
	c.want = "30,0,0,0,0,0,0,0\n11,0,0,0,0,0,0,0\n";
	c.error = NULL;
	c.notes = "t: 1 of 3 rows skipped\nt:6: 1 row skipped: a CPU, thread or cgroup is missing\n"
		  "t: summed over 2 groups: A, B (--each makes a trace of each, --only NAME of one)\n"
		  "t:4: 1 time a CPU, thread or cgroup was not counted at all, and is taken to have been idle\n";
	check_import(&c);
	c.notes = NULL;
	c.want = NULL;
	c.maps[0] = NULL;
	c.error = "--group needs --each, --only, or a time by which rows belong together (--map time_s=COLUMN)";
	check_import(&c);
	c.options = (struct import_options){.group_column = "core", .groups = IMPORT_EACH};
	c.error = "t:1: --group: no column is called 'core'";
	check_import(&c);
}

/* A stretch shared out over any cuts keeps every event; a part stays within its whole. */
static void test_spread(void **state)
{
	(void)state;
	struct spread s = {0};
	struct epoch_counts in = {.count = {10, 7, 3, 1, 5, 5, 0, 0, 0}}, out, sum = {0};
	spread_begin(&s, &in, 10);
	for (int i = 0; i < 10; i++) {
		enum counter c;
		spread_take(&s, 1);
		assert_int_equal(spread_close(&s, &out), NR_COUNTERS);
		assert_false(counters_contradict(&out, &c));
		/* 10 events over 10: one each */
		assert_int_equal(out.count[COUNTER_INSTRUCTIONS], 1);
		for (int k = 0; k < NR_COUNTERS; k++)
			sum.count[k] += out.count[k];
	}
	assert_memory_equal(&in, &sum, sizeof(in));
	assert_int_equal(spread_left(&s), 0);
	/* A point is taken whole. */
	spread_begin(&s, &in, 0);
	spread_take(&s, 0);
	assert_int_equal(spread_close(&s, &out), NR_COUNTERS);
	assert_memory_equal(&in, &out, sizeof(in));
	/* Misfits are reported. */
	in.count[COUNTER_L1I_MISSES] = UINT64_MAX;
	for (int i = 0; i < 2; i++) {
		spread_begin(&s, &in, 1);
		spread_take(&s, 1);
	}
	assert_int_equal(spread_close(&s, &out), COUNTER_L1I_MISSES);
}

TEST_FILE(test_import)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_rotated_windows),
		cmocka_unit_test(test_map_errors),
		cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_spread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
