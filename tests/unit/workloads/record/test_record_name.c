/* Names of recordings: those of programs and scripts. */
#include "workloads/record/record_name.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

static const struct {
	const char *command, *name; /* words, parted by blanks */
} rows[] = {
	{"xz", "xz"},
	{"/usr/bin/xz -k a.py", "xz"},
	{"./a.out", "a.out"},
	{"./b.py", "b"},
	{".sh", ".sh"},
	{"python3 b.py", "b"},
	{"/usr/bin/python3.11 -u -W ignore -Xdev dir/b.py c.py", "b"},
	{"python3 -c pass", "python3"},
	{"python3 -um timeit", "python3"},
	{"python3", "python3"},
	{"python3 -", "python3"},
	{"python3 -W", "python3"},
	{"python3 folder/", "python3"},
	{"python3 v1.2", "v1.2"},
	{"bash -e x.sh", "x"},
	{"bash -o pipefail --rcfile rc -- x.sh", "x"},
	{"bash -ec make", "bash"},
	{"sh script", "script"},
	{"perl -w -MData -I lib p.pl", "p"},
	{"perl -ne print", "perl"},
	{"ruby -r json r.rb", "r"},
	{"node --max-old-space-size=99 --require x n.mjs", "n"},
	{"node --eval 1", "node"},
	{"Rscript --vanilla f.R", "f"},
	{"lua5.4 l.lua", "l"},
	{"php -d a=b -f w.php", "w"},
	{"java -Xmx1g -jar app.jar x", "app"},
	{"java -cp lib.jar Main", "Main"},
	{"env python3 b.py", "b"},
	{"/usr/bin/env -i -u HOME A=1 bash -x x.sh", "x"},
	{"env A=1", "env"},
	{"env -S bash x.sh", "env"},
	{"pythonic b.py", "pythonic"},
};

static void test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[128], name[RECORD_NAME_BYTES], *command[16] = {NULL};
		size_t nr = 0;
		snprintf(text, sizeof(text), "%s", rows[i].command);
		for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
			command[nr++] = word;
		record_name(command, name);
		if (strcmp(name, rows[i].name) != 0)
			fail_msg("'%s' is called '%s' instead of '%s'", rows[i].command, name, rows[i].name);
	}
}

TEST_FILE(test_record_name)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
