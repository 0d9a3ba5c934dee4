/* Suites of traces: shipped ones by name, files, folders, and what is wrong with them. */
#include "sim/sweep/trace_suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

static void path_in(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", own_folder, name);
}

static void put(const char *name, const char *text)
{
	char path[256];
	path_in(name, path);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void read_suite(struct arena *a, const char *asked, struct trace_suite *suite)
{
	struct sahm_err err = {.msg = "untouched"};
	arena_init(a);
	if (trace_suite_read(a, asked, ".", suite, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_string_equal(err.msg, "untouched");
}

/* The shipped suites: the study's 39 stand-ins, and every trace that is shipped of a real program. */
static void test_shipped(void **state)
{
	struct arena a;
	struct trace_suite suite;
	(void)state;
	read_suite(&a, "synthetic", &suite);
	assert_true(suite.is_shipped);
	assert_string_equal(suite.name, "synthetic");
	assert_int_equal(suite.traces->nr_children, 39);
	for (const struct cfg_node *t = suite.traces->first; t; t = t->next)
		assert_non_null(strstr(t->value.string, "-synthetic.trc.zst"));
	arena_release(&a);

	struct trace_suite real, listed;
	struct arena b;
	read_suite(&a, "real", &real); /* its former name */
	read_suite(&b, "workloads/suites/small", &listed);
	assert_false(listed.is_shipped);
	assert_string_equal(listed.name, "small");
	assert_int_equal(real.traces->nr_children, listed.traces->nr_children);
	const struct cfg_node *l = listed.traces->first;
	for (const struct cfg_node *t = real.traces->first; t; t = t->next, l = l->next)
		assert_string_equal(strrchr(t->value.string, '/'), strrchr(l->value.string, '/'));
	arena_release(&a);
	arena_release(&b);
}

/* Suites that came with the program, and only these: files of the ending, not hidden, in the order of their names. */
static void test_names(void **state)
{
	static const char *const files[] = {"b.cfg", "a.cfg", "a.txt", ".c.cfg", ".cfg", "b-2.cfg"};
	static const char *const expected[] = {"a", "b-2", "b"};
	char path[256];
	struct arena a;
	const char **names;
	size_t nr;
	struct sahm_err err;
	(void)state;
	arena_init(&a);
	assert_int_equal(trace_suite_names(&a, own_folder, &names, &nr, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "/configs/suites': No such file"));
	path_in("configs", path);
	assert_int_equal(mkdir(path, 0700), 0);
	path_in("configs/suites", path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(trace_suite_names(&a, own_folder, &names, &nr, &err), SAHM_OK);
	assert_int_equal(nr, 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "configs/suites/%s", files[i]);
		put(path, "");
	}
	assert_int_equal(trace_suite_names(&a, own_folder, &names, &nr, &err), SAHM_OK);
	assert_int_equal(nr, 3);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(names[i], expected[i]);
	arena_release(&a);
}

/* A file's names are taken as beside it; its own name is the suite's. */
static void test_file(void **state)
{
	char path[256], expected[256];
	struct arena a;
	struct trace_suite suite;
	(void)state;
	put("mine.cfg", "traces = [ \"b.csv\", \"a.csv\" ];\n");
	put("a.csv", "");
	put("b.csv", "");
	path_in("mine.cfg", path);
	read_suite(&a, path, &suite);
	assert_string_equal(suite.name, "mine");
	assert_int_equal(suite.traces->nr_children, 2);
	char *real = realpath(own_folder, NULL);
	snprintf(expected, sizeof(expected), "%s/b.csv", real);
	free(real);
	assert_string_equal(suite.traces->first->value.string, expected);
	assert_int_equal(suite.traces->first->line, 1);
	/* No name is that of the folder. */
	struct sahm_err err;
	put("mine.cfg", "traces = [ \"b.csv\",\n\"\" ];\n");
	assert_int_equal(trace_suite_read(&a, path, NULL, &suite, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "mine.cfg:2: '' is no file"));
	arena_release(&a);
}

/* A folder: files that are called as traces are, in the order of their names, whatever order the system has. */
static void test_folder(void **state)
{
	static const char *const names[] = {"z.csv", "m.trc", "b.csv.zst", "a.trc.zst"};
	char path[256];
	struct arena a;
	struct trace_suite suite;
	(void)state;
	path_in("several", path);
	assert_int_equal(mkdir(path, 0700), 0);
	put("several/notes.txt", "");
	put("several/.hidden.csv", "");
	put("several/.csv", "");
	for (size_t i = 0; i < 4; i++) {
		char name[64];
		snprintf(name, sizeof(name), "several/%s", names[i]);
		put(name, "");
	}
	read_suite(&a, path, &suite);
	assert_int_equal(suite.traces->nr_children, 4);
	const struct cfg_node *t = suite.traces->first;
	for (size_t i = 4; i-- > 0; t = t->next)
		assert_string_equal(strrchr(t->value.string, '/') + 1, names[i]);
	arena_release(&a);
}

static void test_errors(void **state)
{
	static const struct {
		const char *name, *file, *text;
		enum sahm_status status;
		const char *says;
	} cases[] = {
		{"unknown", "sinthetic", NULL, SAHM_USAGE, "did you mean 'synthetic'?"},
		{"list of names", "x", NULL, SAHM_USAGE, "(open, small, synthetic)"},
		{"path", "no/such/thing", NULL, SAHM_USAGE, "there is no such file or folder"},
		{"empty", "", NULL, SAHM_USAGE, "no suite is called ''"},
		{"no traces", "e1.cfg", "traces = [];\n", SAHM_CONFIG, "a suite needs traces"},
		{"no key", "e2.cfg", "\n", SAHM_CONFIG, "a suite needs traces"},
		{"key", "e3.cfg", "trace = [\"a.csv\"];\n", SAHM_CONFIG, "unknown key 'trace'"},
		{"kind", "e4.cfg", "traces = ( { file = \"a.csv\"; } );\n", SAHM_CONFIG, "traces[0]"},
		{"trace", "e6.cfg", "# sahm trace 1\n", SAHM_CONFIG, "is a trace, not a suite"},
		{"syntax", "e5.cfg", "traces = [\"a\"\n\n", SAHM_CONFIG, "e5.cfg:"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char path[256];
		struct sahm_err err;
		struct arena a;
		struct trace_suite suite;
		path_in(cases[i].file, path);
		if (cases[i].text)
			put(cases[i].file, cases[i].text);
		arena_init(&a);
		if (trace_suite_read(&a, cases[i].text ? path : cases[i].file, ".", &suite, &err) != cases[i].status)
			fail_msg("%s: another status", cases[i].name);
		if (!strstr(err.msg, cases[i].says))
			fail_msg("%s: '%s'", cases[i].name, err.msg);
		arena_release(&a);
	}
}

static void test_empty_folder(void **state)
{
	char path[256];
	struct sahm_err err;
	struct arena a;
	struct trace_suite suite;
	(void)state;
	path_in("empty", path);
	assert_int_equal(mkdir(path, 0700), 0);
	arena_init(&a);
	assert_int_equal(trace_suite_read(&a, path, ".", &suite, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "no trace is in the folder"));
	arena_release(&a);
}

TEST_FILE(test_trace_suite)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shipped), cmocka_unit_test(test_names),  cmocka_unit_test(test_file),
		cmocka_unit_test(test_folder),	cmocka_unit_test(test_errors), cmocka_unit_test(test_empty_folder),
	};

	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
