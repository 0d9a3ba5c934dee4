/* Epoch tables: writing, strict reading, parts. */
#include "results/studies/epoch_table.h"

#include <string.h>

#include "tests/unit/results/studies/made_epochs.h"

#define HASH64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define BEGIN "# sahm epoch table 1\n# source: synthetic\n# program: test\n# command: none\n"
#define SAMPLING "# sampling: 0 0 0 0\n"
#define CORES "# core: base " HASH64 " 8192 none\n# core: other " HASH64 " 9000 branch+l2\n"
#define STREAMS "# stream: a " HASH64 " 0\n# stream: b " HASH64 " 1\n"
#define HEADING                                                                                                        \
	"program,epoch,instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,"  \
	"cycles,other_cycles\n"
#define HEAD BEGIN SAMPLING CORES STREAMS HEADING

static enum sahm_status read_text(const char *text, struct epoch_table *t, struct sahm_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	assert_non_null(in);
	*t = (struct epoch_table){0};
	enum sahm_status status = epoch_table_read(in, "t.csv", t, err);
	fclose(in);
	return status;
}

static void test_round_trip(void **state)
{
	static const char text[] = HEAD "a,3,100,10,1,2,30,3,5,1,70,60\na,9,100,10,1,2,30,3,5,1,71,61\n"
					"b,0,18446744073709551615,0,0,0,0,0,0,0,1,1\n";
	struct epoch_table t;
	struct textbuf out;
	struct sahm_err err;
	(void)state;
	assert_int_equal(read_text(text, &t, &err), SAHM_OK);
	assert_true(t.is_synthetic && t.nr_cores == 2 && t.nr_programs == 2 && t.nr_rows == 3);
	assert_int_equal(t.cores[1].components, 1u << COMPONENT_BRANCH | 1u << COMPONENT_L2);
	assert_int_equal(t.cores[1].storage_bytes, 9000);
	assert_int_equal(t.programs[1].nr_sampled, 1);
	assert_int_equal(t.programs[1].first, 2);
	assert_int_equal(t.rows[1].number, 9);
	assert_int_equal(t.rows[1].cycles[0], 71);
	assert_int_equal(t.rows[1].counts.count[COUNTER_CYCLES], 71);
	assert_int_equal(t.rows[1].cycles[1], 61);
	textbuf_init(&out);
	epoch_table_write(&t, &out);
	assert_string_equal(out.text, text);
	textbuf_release(&out);
	epoch_table_release(&t);
}

struct bad_row {
	const char *text, *message;
};

static void test_bad_tables(void **state)
{
	static const struct bad_row rows[] = {
		{"", "t.csv:1: the table ends where '# sahm epoch table 1' is expected"},
		{"program,epoch\n", "t.csv:1: no epoch table: its first line is '# sahm epoch table 1'"},
		{"# sahm epoch table 2\n", "t.csv:1: version '2', this program reads version 1"},
		{"# sahm epoch table 1\n# source: real\n", "t.csv:2: source is 'real', must be modelled or synthetic"},
		{"# sahm epoch table 1\n# source: modelled\n# programm: x\n",
		 "t.csv:3: '# programm: x', must be '# program: ...'"},
		{BEGIN "# sampling: 1 2 3\n", "t.csv:5: four numbers are expected: '# sampling: SKIP EVERY TAKE WARM'"},
		{BEGIN "# sampling: 1 2 3 4 5\n", "t.csv:5: '5' follows the sampling"},
		{BEGIN SAMPLING STREAMS,
		 "t.csv:6: a baseline and another core must be listed before this line, there are 0"},
		{BEGIN SAMPLING "# core: base " HASH64 " 1 none\n" STREAMS,
		 "t.csv:7: a baseline and another core must be listed before this line, there is 1"},
		{BEGIN SAMPLING "# core: ba/se " HASH64 " 1 none\n",
		 "t.csv:6: 'ba/se' is no name of a core: 1 to 63 letters, digits and '._+-'"},
		{BEGIN SAMPLING "# core: base 12 1 none\n", "t.csv:6: '12' is no hash: 64 digits from 0 to f"},
		{BEGIN SAMPLING "# core: base " HASH64 " x none\n", "t.csv:6: storage is 'x', must be a whole number"},
		{BEGIN SAMPLING "# core: base " HASH64 " 1 l2+branch\n",
		 "t.csv:6: 'branch' are no components: none, or of branch+l1i+l1d+l2 some in this order"},
		{BEGIN SAMPLING "# core: base " HASH64 " 1\n",
		 "t.csv:6: must be '# core: NAME HASH STORAGE_BYTES COMPONENTS'"},
		{BEGIN SAMPLING CORES "# core: other " HASH64 " 1 l2\n", "t.csv:8: the core 'other' is here twice"},
		{BEGIN SAMPLING CORES HEADING, "t.csv:8: no stream is listed before this line"},
		{BEGIN SAMPLING CORES STREAMS "# stream: a " HASH64 " 0\n", "t.csv:10: the program 'a' is here twice"},
		{BEGIN SAMPLING CORES STREAMS, "t.csv:10: the table ends where the heading is expected"},
		{BEGIN SAMPLING CORES STREAMS "program,epoch,branches\n",
		 "t.csv:10: column 3 is 'branches', must be 'instructions'"},
		{BEGIN SAMPLING CORES STREAMS
		 "program,epoch,instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,"
		 "l2_misses,cycles,other_cycles,more\n",
		 "t.csv:10: column 13 is 'more', there are 2 cores"},
		{HEAD "c,0,100,10,1,2,30,3,5,1,70,60\n",
		 "t.csv:11: column 'program' is 'c': no stream is called so, or its rows are out of order"},
		{HEAD "b,0,100,10,1,2,30,3,5,1,70,60\na,0,100,10,1,2,30,3,5,1,70,60\n",
		 "t.csv:12: column 'program' is 'a': no stream is called so, or its rows are out of order"},
		{HEAD "a,1,100,10,1,2,30,3,5,1,70,60\na,1,100,10,1,2,30,3,5,1,70,60\n",
		 "t.csv:12: column 'epoch' is 1 after 1, must increase"},
		{HEAD "a,0,100,10,1,2,30,3,5,1,70\n", "t.csv:11: 11 fields, there are 12 columns"},
		{HEAD "a,0,100,10,1,2,30,3,5,1,70,60,1\n", "t.csv:11: more fields than the 12 columns"},
		{HEAD "a,0,100,10,-1,2,30,3,5,1,70,60\n",
		 "t.csv:11: column 'branch_misses' is '-1', which is negative"},
		{HEAD "a,0,100,10,,2,30,3,5,1,70,60\n", "t.csv:11: column 'branch_misses' is empty"},
		{HEAD "a,0,100,10,1,2,30,3,5,1,70,1e3\n",
		 "t.csv:11: column 'other_cycles' is '1e3', must be a whole number"},
		{HEAD "a,0,18446744073709551616,10,1,2,30,3,5,1,70,60\n",
		 "t.csv:11: column 'instructions' is '18446744073709551616', which does not fit 64 bits"},
		{HEAD "a,0,0,0,0,2,30,3,5,1,70,60\n", "t.csv:11: column 'instructions' is 0"},
		{HEAD "a,0,100,10,11,2,30,3,5,1,70,60\n",
		 "t.csv:11: column 'branch_misses' (11) is above 'branches' (10)"},
		{HEAD "a,0,100,10,1,2,30,3,5,1,0,60\n", "t.csv:11: column 'cycles' is 0"},
		{HEAD "a,0,100,10,1,2,30,3,5,1,70,0\n", "t.csv:11: column 'other_cycles' is 0"},
		{HEAD "a,0,100,10,1,2,30,3,5,1,70,60", "t.csv:11: the last line has no end: the table was cut short"},
		{HEAD "b,0,100,10,1,2,30,3,5,1,70,60\nb,1,100,10,1,2,30,3,5,1,70,60\n",
		 "t.csv: epochs of 'b' in the table: 2, in its stream: 1"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct epoch_table t;
		struct sahm_err err;
		if (read_text(*rows[i].text ? rows[i].text : "\n", &t, &err) != SAHM_FORMAT)
			fail_msg("row %zu is read: %s", i, rows[i].message);
		if (*rows[i].text)
			assert_string_equal(err.msg, rows[i].message);
		epoch_table_release(&t);
	}
}

/* Programs are finished in any order; their rows stand in that of the programs. */
static void test_parts(void **state)
{
	static const char second[] = "b,0,100,10,1,2,30,3,5,1,70,60\nb,7,100,10,1,2,30,3,5,1,72,62\n",
			  first[] = "a,1,100,10,1,2,30,3,5,1,80,90\n";
	struct epoch_table t;
	struct textbuf out;
	struct sahm_err err;
	(void)state;
	assert_int_equal(read_text(HEAD, &t, &err), SAHM_OK);
	assert_int_equal(epoch_table_nr_unfinished(&t), 2);
	assert_int_equal(epoch_table_insert_text(&t, 1, second, strlen(second), &err), SAHM_OK);
	assert_int_equal(epoch_table_nr_unfinished(&t), 1);
	assert_int_equal(t.programs[1].first, 0);
	/* Rows of another program are none of this one's. */
	assert_int_equal(epoch_table_insert_text(&t, 0, second, strlen(second), &err), SAHM_FORMAT);
	assert_int_equal(epoch_table_insert_text(&t, 0, first, strlen(first), &err), SAHM_OK);
	assert_int_equal(t.programs[1].first, 1);
	assert_int_equal(t.rows[2].program, 1);
	textbuf_init(&out);
	epoch_table_write(&t, &out);
	assert_non_null(strstr(out.text, HEADING "a,1,100,10,1,2,30,3,5,1,80,90\nb,0,"));
	textbuf_release(&out);
	epoch_table_release(&t);
}

static void test_choose(void **state)
{
	static const char *const names[] = {"core-3", "core-1"};
	struct epoch_table t;
	struct sahm_err err;
	(void)state;
	make_cores(&t, 3);
	struct table_epoch *row = add_program(&t, "p", 1, 0, 100);
	for (unsigned k = 0; k < 4; k++)
		row->cycles[k] = 100 + k;
	assert_int_equal(epoch_table_choose(&t, names, 2, &err), SAHM_OK);
	assert_int_equal(t.nr_cores, 3);
	assert_string_equal(t.cores[0].name, "base");
	assert_string_equal(t.cores[1].name, "core-3");
	assert_int_equal(t.rows[0].cycles[0], 100);
	assert_int_equal(t.rows[0].cycles[1], 103);
	assert_int_equal(t.rows[0].cycles[2], 101);
	assert_int_equal(epoch_table_choose(&t, (const char *const[]){"base"}, 1, &err), SAHM_USAGE);
	epoch_table_release(&t);
}

static void test_names(void **state)
{
	char name[TABLE_NAME_BYTES], path[200];
	(void)state;
	epoch_table_name("/a/b.c/x264.stream", ".stream", name);
	assert_string_equal(name, "x264");
	epoch_table_name("my core,2", ".cfg", name);
	assert_string_equal(name, "my_core_2");
	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	epoch_table_name(path, ".cfg", name);
	assert_int_equal(strlen(name), TABLE_NAME_BYTES - 1);
}

TEST_FILE(test_epoch_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_tables), cmocka_unit_test(test_parts),
		cmocka_unit_test(test_choose),	   cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
