/* Lists of bursts as files. */
#include "workloads/bursts/burst_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define HEAD "# sahm bursts 1\n"
#define COLUMNS "run_ns,sleep_ns\n"

static enum sahm_status read_text(const char *text, size_t len, struct burst_list *l, struct sahm_err *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, len, "r");
	assert_non_null(in);
	enum sahm_status status = burst_list_read(l, in, "x/editor.csv", err);
	fclose(in);
	return status;
}

static void test_read(void **state)
{
	(void)state;
	static const char text[] =
		"\xef\xbb\xbf" HEAD
		"# source: recorded\r\n# what it was: an afternoon\n# unknown: of no matter\n\n" COLUMNS
		"# between rows\n1000, 0\n1000000000000,\"1000000000000\"\n 5000 ,7";
	struct burst_list l;
	struct sahm_err err = {0};
	if (read_text(text, sizeof(text) - 1, &l, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(l.nr, 3);
	assert_true(l.bursts[0].run_ns == MIN_BURST_RUN_NS && l.bursts[0].sleep_ns == 0);
	assert_true(l.bursts[1].run_ns == MAX_BURST_NS && l.bursts[1].sleep_ns == MAX_BURST_NS);
	assert_true(l.bursts[2].run_ns == 5000 && l.bursts[2].sleep_ns == 7);
	assert_string_equal(l.provenance.text[PROVENANCE_NAME], "editor");
	assert_string_equal(l.provenance.text[PROVENANCE_SOURCE], "recorded");
	burst_list_release(&l);
}

static void test_refusals(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"\n", ":1: not a list of bursts: the first line is not '# sahm bursts 1'"},
		{COLUMNS, ":1: not a list of bursts: the first line is not '# sahm bursts 1'"},
		{"# sahm bursts 2\n", ":1: version '2', this program reads version 1"},
		{HEAD, ": there are no bursts in it"},
		{HEAD COLUMNS, ": there are no bursts in it"},
		{HEAD "run_ns\n", ":2: not a list of bursts: the columns are not run_ns,sleep_ns"},
		{HEAD "sleep_ns,run_ns\n", ":2: not a list of bursts: the columns are not run_ns,sleep_ns"},
		{HEAD "run_ns,sleep_ns,x\n", ":2: a column too many: there are but run_ns,sleep_ns"},
		{HEAD "# source: measured\n" COLUMNS "1000,1\n", ":2: unknown source 'measured'"},
		{HEAD COLUMNS "999,1\n", ":3: '999' in column 'run_ns', must be from 1000 to 1000000000000"},
		{HEAD COLUMNS "1000,1000000000001\n", ":3: '1000000000001' in column 'sleep_ns', must be from 0 to "},
		{HEAD COLUMNS "1000,99999999999999999999\n",
		 ":3: '99999999999999999999' in column 'sleep_ns', must be"},
		{HEAD COLUMNS "1000,-1\n", ":3: '-1' in column 'sleep_ns' is not a whole number of ns"},
		{HEAD COLUMNS "1000,1.5\n", ":3: '1.5' in column 'sleep_ns' is not a whole number of ns"},
		{HEAD COLUMNS "1000\n", ":3: column 'sleep_ns' is missing"},
		{HEAD COLUMNS "1000,\n", ":3: '' in column 'sleep_ns' is not a whole number of ns"},
		{HEAD COLUMNS "1000,1,\n", ":3: more than two fields"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct burst_list l;
		struct sahm_err err = {0};
		char message[256];
		snprintf(message, sizeof(message), "x/editor.csv%s", rows[i].message);
		assert_int_equal(read_text(rows[i].text, strlen(rows[i].text), &l, &err), SAHM_FORMAT);
		if (strncmp(err.msg, message, strlen(message)) != 0)
			fail_msg("'%s' instead of '%s'", err.msg, message);
	}
	struct burst_list l;
	struct sahm_err err;
	assert_int_equal(burst_list_open(&l, "tests", &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot open 'tests': Is a directory");
	assert_int_equal(burst_list_open(&l, "no/such", &err), SAHM_IO);
}

/* Written lists read back to the same; the hash is only that of the bursts. */
static void test_write(void **state)
{
	(void)state;
	struct burst_list l, again;
	struct sahm_err err;
	uint8_t hash[HASH_BYTES], hash_again[HASH_BYTES];
	char *text = NULL;
	size_t len;
	burst_list_init(&l);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(burst_list_add(&l, (struct burst){MIN_BURST_RUN_NS + i * i, i}, &err), SAHM_OK);
	assert_int_equal(provenance_set(&l.provenance, &l.arena, "name", 4, "a b", &err), SAHM_OK);
	FILE *out = open_memstream(&text, &len);
	assert_int_equal(burst_list_write(&l, out, &err), SAHM_OK);
	fclose(out);
	assert_int_equal(read_text(text, len, &again, &err), SAHM_OK);
	assert_int_equal(again.nr, l.nr);
	assert_memory_equal(again.bursts, l.bursts, l.nr * sizeof(*l.bursts));
	assert_string_equal(again.provenance.text[PROVENANCE_NAME], "a b");
	burst_list_hash(&l, hash);
	burst_list_hash(&again, hash_again);
	assert_memory_equal(hash, hash_again, HASH_BYTES);
	again.bursts[999].sleep_ns++;
	burst_list_hash(&again, hash_again);
	assert_memory_not_equal(hash, hash_again, HASH_BYTES);
	burst_list_release(&again);
	burst_list_release(&l);
	free(text);
}

TEST_FILE(test_burst_list)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_write),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
