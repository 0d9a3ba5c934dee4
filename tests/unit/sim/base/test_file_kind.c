/* Files that are neither traces nor configurations, by their first bytes or their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file_kind.h"
#include "tests/unit/test.h"

static void test_kinds(void **state)
{
	static const struct {
		const char *name, *content, *expected;
	} rows[] = {
		{"program",
		 "\x7f"
		 "ELF\x02",
		 "is a program: `sahm trace record -- ./program`"},
		{"two words", "#!/bin/sh\n", "is a script: `sahm trace record -- ./'two words'`"},
		{"db.trc", "SQLite format 3", "`sahm query db.trc`"},
		{"perf.data", "PERFILE2", "perf stat -I"},
		{"nothing", "", "the file 'nothing' is empty"},
		{"mine.c", "int x;\n", "C source"},
		{"r.json", "{\"schema\": 1}", "JSON"},
		/* What may be a trace or a configuration. */
		{"trace.csv", "instructions,branches\n", NULL},
		{"a.cfg", "chip : { };\n", NULL},
		{"b.cfg", "# a comment\n", NULL},
		{"c.zst", "\x28\xb5\x2f\xfd", NULL},
	};
	char folder[] = "/tmp/sahm-kind-XXXXXX", here[512], command[64];
	(void)state;
	assert_non_null(getcwd(here, sizeof(here)));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err;
		FILE *f = fopen(rows[i].name, "w");
		assert_non_null(f);
		fputs(rows[i].content, f);
		assert_int_equal(fclose(f), 0);
		enum sahm_status status = file_refuse_foreign(rows[i].name, &err);
		if (status != (rows[i].expected ? SAHM_USAGE : SAHM_OK))
			fail_msg("%s: status %d", rows[i].name, (int)status);
		if (rows[i].expected && !strstr(err.msg, rows[i].expected))
			fail_msg("%s: '%s'", rows[i].name, err.msg);
	}
	assert_int_equal(file_refuse_foreign("not-there", NULL), SAHM_OK);
	assert_int_equal(file_refuse_foreign("-", NULL), SAHM_OK);
	assert_int_equal(chdir(here), 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
}

TEST_FILE(test_file_kind)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
