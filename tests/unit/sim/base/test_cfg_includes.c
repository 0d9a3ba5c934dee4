/* Includes of configurations: where they may lead, what they become a part of, and how mistakes in them are placed. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/unit/sim/base/cfg_cases.h"

/* Files for includes, in a separate folder. */
static char folder[] = "/tmp/sahm-test-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *out = fopen(in_folder(name), "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	if (mkdir(in_folder("sub"), 0700) != 0 || mkdir(in_folder("elsewhere"), 0700) != 0)
		return -1;
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[300];
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static void expect_place(const struct cfg_node *root, const char *name, const char *file, unsigned line)
{
	const struct cfg_node *node = cfg_child(root, name);
	if (!node)
		fail_msg("'%s' is missing", name);
	if (strcmp(node->file, file) != 0 || node->line != line)
		fail_msg("'%s' is at %s:%u, not %s:%u", name, node->file, node->line, file, line);
}

static void test_includes(void **state)
{
	(void)state;
	char before[512], main_path[256], sub_path[256], inner_path[256], end_path[256];
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	write_file("main.cfg",
		   "a = 1;\n@include \"sub/one.cfg\"\nb = 2;\n\t@include\t\"end.cfg\"  # remark\nc = 3;\n"
		   "# @include \"nowhere.cfg\"\ns = \"@include\";\ng : {\n@include \"sub/inner.cfg\"\n};\nd = 4;\n");
	write_file("sub/one.cfg", "\none = 1;\n@include \"inner.cfg\"\nlast = 9;");
	write_file("sub/inner.cfg", "inner = \"sub\";\n");
	write_file("inner.cfg", "wrong = 1;\n");
	write_file("end.cfg", "end = 1; // no line end");
	write_file("elsewhere/inner.cfg", "wrong = 2;\n");
	write_file("elsewhere/one.cfg", "wrong = 3;\n");
	write_file("elsewhere/end.cfg", "wrong = 4;\n");
	snprintf(main_path, sizeof(main_path), "%s", in_folder("main.cfg"));
	snprintf(sub_path, sizeof(sub_path), "%s", in_folder("sub/one.cfg"));
	snprintf(inner_path, sizeof(inner_path), "%s", in_folder("sub/inner.cfg"));
	snprintf(end_path, sizeof(end_path), "%s", in_folder("end.cfg"));
	assert_non_null(getcwd(before, sizeof(before)));

	assert_int_equal(chdir(in_folder("elsewhere")), 0);
	enum sahm_status status = cfg_read_file(&a, main_path, &root, &err);
	assert_int_equal(chdir(before), 0);
	if (status != SAHM_OK)
		fail_msg("%s", err.msg);
	expect_place(root, "a", main_path, 1);
	expect_place(root, "one", sub_path, 2);
	expect_place(root, "inner", inner_path, 1);
	expect_place(root, "last", sub_path, 4);
	expect_place(root, "b", main_path, 3);
	expect_place(root, "end", end_path, 1);
	expect_place(root, "c", main_path, 5);
	expect_place(root, "s", main_path, 7);
	expect_place(root, "g", main_path, 8);
	expect_place(cfg_child(root, "g"), "inner", inner_path, 1);
	expect_place(root, "d", main_path, 11);
	assert_null(cfg_child(root, "wrong"));

	assert_int_equal(chdir(in_folder("elsewhere")), 0);
	status = cfg_read_file(&a, "../main.cfg", &root, &err);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(status, SAHM_OK);
	expect_place(root, "last", "../sub/one.cfg", 4);

	/* A key here, its value there: an include is text, wherever it ends. */
	write_file("sub/half.cfg", "one = 1;\n\nhalf");
	write_file("halves.cfg", "@include \"sub/half.cfg\"\n  = 5;\n@include \"sub/inner.cfg\"\nlist = ( 1,\n"
				 "@include \"two.cfg\"\n3 );\nwhole\n@include \"value.cfg\"\n");
	write_file("two.cfg", "\n2,");
	write_file("value.cfg", "= 6;\n");
	assert_int_equal(cfg_read_file(&a, in_folder("halves.cfg"), &root, &err), SAHM_OK);
	assert_int_equal(cfg_child(root, "half")->value.integer, 5);
	snprintf(sub_path, sizeof(sub_path), "%s", in_folder("sub/half.cfg"));
	expect_place(root, "half", sub_path, 3);
	expect_place(root, "inner", inner_path, 1);
	snprintf(main_path, sizeof(main_path), "%s", in_folder("halves.cfg"));
	expect_place(root, "list", main_path, 4);
	expect_place(root, "whole", main_path, 7);
	const struct cfg_node *list = cfg_child(root, "list");
	assert_int_equal(list->nr_children, 3);
	assert_string_equal(list->first->next->file, in_folder("two.cfg"));
	assert_int_equal(list->first->next->line, 2);
	assert_string_equal(list->last->file, main_path);
	assert_int_equal(list->last->line, 6);

	/* An absolute name is itself, wherever it stands. */
	char text[600];
	snprintf(text, sizeof(text), "@include \"%s\"\n", inner_path);
	write_file("sub/absolute.cfg", text);
	assert_int_equal(cfg_read_file(&a, in_folder("sub/absolute.cfg"), &root, &err), SAHM_OK);
	expect_place(root, "inner", inner_path, 1);
	assert_string_equal(err.msg, "untouched");
	arena_release(&a);
}

/* Reads main.cfg; "@" in the message stands for the folder. */
static void include_fails(const char *text, enum sahm_status expected, const char *message)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	struct textbuf whole;
	write_file("main.cfg", text);
	textbuf_init(&whole);
	for (const char *p = message; *p; p++)
		textbuf_printf(&whole, *p == '@' ? "%s" : "%.1s", *p == '@' ? folder : p);
	enum sahm_status status = cfg_read_file(&a, in_folder("main.cfg"), &root, &err);
	if (status != expected || strcmp(err.msg, whole.text) != 0)
		fail_msg("%.80s: status %d,\n  '%s', expected\n  '%s'", text, status, err.msg, whole.text);
	textbuf_release(&whole);
	arena_release(&a);
}

static void test_include_errors(void **state)
{
	(void)state;
	char name[32], text[64];
	write_file("a.cfg", "a = 1;\nbad = 1.2.3;\n");
	write_file("b.cfg", "b = 1;\n@include \"c.cfg\"\n");
	write_file("c.cfg", "\n@include \"b.cfg\"\n");
	write_file("self.cfg", "@include \"self.cfg\"\n");
	write_file("dot.cfg", "@include \"./dot.cfg\"\n");
	write_file("twice.cfg", "\nx = 2;\n");
	write_file("open.cfg", "g : {\n");
	write_file("comment.cfg", "/* a remark\n");
	write_file("string.cfg", "s = \"\n");
	write_file("sub/gone.cfg", "\n\n@include \"gone/too.cfg\"\n");
	write_file("syntax.cfg", "\n\na b\n");
	include_fails("x = 1;\n@include \"nowhere.cfg\"\n", SAHM_IO,
		      "@/main.cfg:2: cannot open '@/nowhere.cfg': No such file or directory");
	include_fails("@include \"sub/gone.cfg\"\n", SAHM_IO,
		      "@/sub/gone.cfg:3: cannot open '@/sub/gone/too.cfg': No such file or directory");
	include_fails("\n@include \"sub\"\n", SAHM_IO, "@/main.cfg:2: cannot open '@/sub': it is not a regular file");
	include_fails("\n\n@include \"a.cfg\"\n", SAHM_CONFIG,
		      "@/a.cfg:2: malformed number '1.2.3', at >>> in 'bad = >>>1.2.3;'");
	include_fails("@include \"b.cfg\"\n", SAHM_CONFIG, "@/c.cfg:2: '@/b.cfg' includes itself");
	include_fails("@include \"self.cfg\"\n", SAHM_CONFIG, "@/self.cfg:1: '@/self.cfg' includes itself");
	include_fails("@include \"main.cfg\"\n", SAHM_CONFIG, "@/main.cfg:1: '@/main.cfg' includes itself");
	include_fails("@include \"dot.cfg\"\n", SAHM_CONFIG,
		      "@/././././././dot.cfg:1: includes nested deeper than 8 levels");
	include_fails("x = 1;\n@include \"twice.cfg\"\n", SAHM_CONFIG,
		      "@/twice.cfg:2: duplicate key 'x' (first set at @/main.cfg:1)");
	include_fails("@include \"twice.cfg\"\ny = 1;\n@include \"twice.cfg\"\n", SAHM_CONFIG,
		      "@/twice.cfg:2: duplicate key 'x' (first set at @/twice.cfg:2)");
	include_fails("@include \"open.cfg\"\na = 1;\n", SAHM_CONFIG,
		      "@/open.cfg:1: '{' is not closed, at >>> in 'g : >>>{'");
	include_fails("@include \"open.cfg\"\na = 1;\n]\n", SAHM_CONFIG,
		      "@/main.cfg:2: '}' is missing (its '{' is at @/open.cfg:1), at >>> in 'a = 1;>>>'");
	include_fails("@include \"comment.cfg\"\na = 1; /* */\n", SAHM_CONFIG,
		      "@/comment.cfg:1: a comment is not closed, at >>> in '>>>/* a remark'");
	include_fails("@include \"string.cfg\"\n\";\n", SAHM_CONFIG,
		      "@/string.cfg:1: a string is not closed on its line, at >>> in 's = >>>\"'");
	include_fails("@include \"syntax.cfg\"\n", SAHM_CONFIG,
		      "@/syntax.cfg:3: '=' is missing after 'a', at >>> in 'a >>>b'");
	/* Chains as long as they may be, and one longer. */
	write_file("chain0.cfg", "x = 1;\n");
	for (int i = 1; i <= 7; i++) {
		snprintf(name, sizeof(name), "chain%d.cfg", i);
		snprintf(text, sizeof(text), "@include \"chain%d.cfg\"\n", i - 1);
		write_file(name, text);
	}
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	write_file("main.cfg", "@include \"chain6.cfg\"\n");
	if (cfg_read_file(&a, in_folder("main.cfg"), &root, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	expect_place(root, "x", in_folder("chain0.cfg"), 1);
	arena_release(&a);
	include_fails("@include \"chain7.cfg\"\n", SAHM_CONFIG, "@/chain1.cfg:1: includes nested deeper than 8 levels");
}

/* A standard input that does not end must not be read by a file that says so. */
static void test_include_dash(void **state)
{
	(void)state;
	char before[512];
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(folder), 0);
	enum sahm_status status = cfg_read_text(&a, "t.cfg", "@include \"-\"\n", 13, &root, &err);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(status, SAHM_IO);
	assert_non_null(strstr(err.msg, "t.cfg:1: cannot open '"));
	arena_release(&a);
}

/* What the file `file`, of the scratch folder's folder "sub", says of including `path`. */
static void include_says(const char *path, enum sahm_status expected, const char *message, int line)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	struct textbuf text, whole;
	textbuf_init(&text);
	textbuf_printf(&text, "\n@include \"%s\"\n", path);
	write_file("sub/top.cfg", text.text);
	textbuf_init(&whole);
	for (const char *p = message; *p; p++)
		textbuf_printf(&whole, *p == '@' ? "%s" : "%.1s", *p == '@' ? folder : p);
	enum sahm_status status = cfg_read_file(&a, in_folder("sub/top.cfg"), &root, &err);
	if (status != expected || strcmp(err.msg, status == SAHM_OK ? "untouched" : whole.text) != 0)
		fail_msg("line %d, '%s': status %d,\n  '%s', expected\n  '%s'", line, path, status, err.msg,
			 whole.text);
	if (status == SAHM_OK)
		assert_non_null(cfg_child(root, "secret"));
	else
		assert_null(root);
	textbuf_release(&whole);
	textbuf_release(&text);
	arena_release(&a);
}

#define INCLUDE_SAYS(...) include_says(__VA_ARGS__, __LINE__)

/* Nothing outside the folder of the file that was named is included, whatever leads there, nor quoted. */
static void test_include_reach(void **state)
{
	char absolute[512], before[512];
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	(void)state;
	write_file("elsewhere/secret.cfg", "secret = 1;\n");
	write_file("elsewhere/malformed.cfg", "x = 1.2.3;\n");
	write_file("elsewhere/more.cfg", "@include \"../elsewhere/secret.cfg\"\n");
	write_file("elsewhere/far.cfg", "@include \"../sub/secret.cfg\"\n");
	write_file("sub/secret.cfg", "secret = 2;\n");
	write_file("sub/near.cfg", "@include \"../elsewhere/secret.cfg\"\n");
	assert_int_equal(mkdir(in_folder("sub-way"), 0700), 0);
	write_file("sub-way/secret.cfg", "secret = 3;\n");
	assert_int_equal(symlink("../elsewhere/secret.cfg", in_folder("sub/link.cfg")), 0);
	assert_int_equal(symlink("../elsewhere", in_folder("sub/folder")), 0);
	assert_int_equal(symlink("secret.cfg", in_folder("sub/inner.link")), 0);
	assert_int_equal(symlink("../sub", in_folder("elsewhere/back")), 0);
	assert_int_equal(mkfifo(in_folder("sub/fifo"), 0600), 0);
	assert_int_equal(symlink("/dev/zero", in_folder("sub/zero")), 0);
	snprintf(absolute, sizeof(absolute), "%s/elsewhere/secret.cfg", folder);
#define OUTSIDE                                                                                                        \
	"' is in '@/elsewhere', and nothing outside '@/sub' can be included here (it could by sahm "                   \
	"--allow-includes @/elsewhere COMMAND ...)"
	INCLUDE_SAYS("../elsewhere/secret.cfg", SAHM_CONFIG, "@/sub/top.cfg:2: '@/sub/../elsewhere/secret.cfg" OUTSIDE);
	INCLUDE_SAYS(absolute, SAHM_CONFIG, "@/sub/top.cfg:2: '@/elsewhere/secret.cfg" OUTSIDE);
	INCLUDE_SAYS("link.cfg", SAHM_CONFIG, "@/sub/top.cfg:2: '@/sub/link.cfg" OUTSIDE);
	INCLUDE_SAYS("folder/secret.cfg", SAHM_CONFIG, "@/sub/top.cfg:2: '@/sub/folder/secret.cfg" OUTSIDE);
	INCLUDE_SAYS("near.cfg", SAHM_CONFIG, "@/sub/near.cfg:1: '@/sub/../elsewhere/secret.cfg" OUTSIDE);
	/* None of it is read, so none is quoted. */
	INCLUDE_SAYS("folder/malformed.cfg", SAHM_CONFIG, "@/sub/top.cfg:2: '@/sub/folder/malformed.cfg" OUTSIDE);
	/* A folder whose name begins like that of the allowed one. */
	INCLUDE_SAYS(
		"../sub-way/secret.cfg", SAHM_CONFIG,
		"@/sub/top.cfg:2: '@/sub/../sub-way/secret.cfg' is in '@/sub-way', and nothing outside '@/sub' can "
		"be included here (it could by sahm --allow-includes @/sub-way COMMAND ...)");
	INCLUDE_SAYS("/dev/zero", SAHM_CONFIG,
		     "@/sub/top.cfg:2: '/dev/zero' is in '/dev', and nothing outside '@/sub' can be included here (it "
		     "could by sahm --allow-includes /dev COMMAND ...)");
	INCLUDE_SAYS("zero", SAHM_CONFIG,
		     "@/sub/top.cfg:2: '@/sub/zero' is in '/dev', and nothing outside '@/sub' can be included here (it "
		     "could by sahm --allow-includes /dev COMMAND ...)");
	INCLUDE_SAYS("fifo", SAHM_IO, "@/sub/top.cfg:2: cannot open '@/sub/fifo': it is not a regular file");
	INCLUDE_SAYS(
		".", SAHM_CONFIG,
		"@/sub/top.cfg:2: '@/sub/.' is in '@', and nothing outside '@/sub' can be included here (it could by "
		"sahm --allow-includes @ COMMAND ...)");
	/* A path that leads out and in again is inside. */
	INCLUDE_SAYS("../elsewhere/../sub/secret.cfg", SAHM_OK, "");
	INCLUDE_SAYS("inner.link", SAHM_OK, "");
	INCLUDE_SAYS("folder/back/secret.cfg", SAHM_OK, "");

	/* A link to a file elsewhere: the place of the given name counts. */
	assert_int_equal(symlink("../elsewhere/more.cfg", in_folder("sub/named.cfg")), 0);
	assert_int_equal(cfg_read_file(&a, in_folder("sub/named.cfg"), &root, &err), SAHM_CONFIG);
	assert_null(root);
	/* By a bare name: the current folder. */
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(in_folder("elsewhere")), 0);
	enum sahm_status inside = cfg_read_file(&a, "more.cfg", &root, &err);
	struct cfg_node *none = NULL;
	enum sahm_status outside = cfg_read_file(&a, "far.cfg", &none, &err);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(inside, SAHM_OK);
	assert_non_null(cfg_child(root, "secret"));
	assert_int_equal(outside, SAHM_CONFIG);

	/* Allowed, all of it, but for what is no file. */
	assert_int_equal(cfg_allow_includes(in_folder("nowhere"), &err), SAHM_IO);
	assert_int_equal(cfg_allow_includes(absolute, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "it is no folder"));
	assert_int_equal(cfg_allow_includes(in_folder("sub/folder"), NULL), SAHM_OK);
	INCLUDE_SAYS("../elsewhere/secret.cfg", SAHM_OK, "");
	INCLUDE_SAYS(absolute, SAHM_OK, "");
	INCLUDE_SAYS("link.cfg", SAHM_OK, "");
	INCLUDE_SAYS("near.cfg", SAHM_OK, "");
	INCLUDE_SAYS("folder/more.cfg", SAHM_OK, "");
	INCLUDE_SAYS("folder/malformed.cfg", SAHM_CONFIG,
		     "@/sub/folder/malformed.cfg:1: malformed number '1.2.3', at >>> in 'x = >>>1.2.3;'");
	cfg_forget_allowed_includes();
	assert_int_equal(cfg_allow_includes("/", NULL), SAHM_OK);
	INCLUDE_SAYS("../elsewhere/secret.cfg", SAHM_OK, "");
	INCLUDE_SAYS("/dev/zero", SAHM_IO, "@/sub/top.cfg:2: cannot open '/dev/zero': it is not a regular file");
	/* As many as there may be, each counted once. */
	for (int i = 0; i < 32; i++)
		assert_int_equal(cfg_allow_includes("/", NULL), SAHM_OK);
	enum sahm_status last = SAHM_OK;
	for (int i = 0; i < 32 && last == SAHM_OK; i++) {
		char name[32];
		snprintf(name, sizeof(name), "allowed%d", i);
		assert_int_equal(mkdir(in_folder(name), 0700), 0);
		last = cfg_allow_includes(in_folder(name), &err);
	}
	assert_int_equal(last, SAHM_USAGE);
	assert_string_equal(err.msg, "includes can be allowed from at most 16 folders");
	cfg_forget_allowed_includes();
	INCLUDE_SAYS("link.cfg", SAHM_CONFIG, "@/sub/top.cfg:2: '@/sub/link.cfg" OUTSIDE);
#undef OUTSIDE
	arena_release(&a);
}

/* Whether something was opened of what is watched since this was asked last. */
static bool was_opened(int watch)
{
	_Alignas(struct inotify_event) char events[4096];
	return read(watch, events, sizeof(events)) > 0;
}

/* Irregular files are not even opened, since that can have an effect: it lets writers into a pipe, winds a tape. */
static void test_include_never_opens(void **state)
{
	(void)state;
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch < 0) {
		print_message("nothing tells here which files are opened: skipped\n");
		skip();
	}
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	assert_int_equal(mkdir(in_folder("inner"), 0700), 0);
	static const char *const names[] = {"pipe", "inner"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char text[64], message[128];
		int wd = inotify_add_watch(watch, in_folder(names[i]), IN_OPEN);
		assert_true(wd >= 0);
		snprintf(text, sizeof(text), "@include \"%s\"\n", names[i]);
		snprintf(message, sizeof(message), "@/main.cfg:1: cannot open '@/%s': it is not a regular file",
			 names[i]);
		include_fails(text, SAHM_IO, message);
		if (was_opened(watch))
			fail_msg("'%s' was opened", names[i]);
		/* It would have shown. */
		int fd = open(in_folder(names[i]), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		assert_true(fd >= 0);
		close(fd);
		assert_true(was_opened(watch));
		assert_int_equal(inotify_rm_watch(watch, wd), 0);
		was_opened(watch);
	}
	close(watch);
}

/* Few bytes that include themselves into many. */
static void test_include_flood(void **state)
{
	(void)state;
	char *filling = repeat("# ", 'x', 100000, "\n");
	write_file("filling.cfg", filling);
	free(filling);
	struct textbuf b;
	textbuf_init(&b);
	for (int i = 0; i < 200; i++)
		textbuf_puts(&b, "@include \"filling.cfg\"\n");
	include_fails(b.text, SAHM_CONFIG, "@/filling.cfg:1: more than 8388608 bytes with its includes");
	textbuf_release(&b);
}

/* A missing file is searched among the configurations of the data folder, and named. */
static void test_suggests_shipped(void **state)
{
	(void)state;
	static const struct {
		const char *path, *data_folder, *home, *message;
	} cases[] = {
		{"open.cfg", ".", "configs/studies/",
		 "cannot open 'open.cfg': No such file or directory; did you mean './configs/studies/open.cfg'?"},
		{"././open.cfg", ".", "configs/",
		 "cannot open '././open.cfg': No such file or directory; did you mean './configs/open.cfg'?"},
		{"x/../configs/open.cfg", "configs", "configs/",
		 "cannot open 'x/../configs/open.cfg': No such file or directory"},
		{"build.mk", "mk", "configs/", "cannot open 'build.mk': No such file or directory"},
		{"open.cfg", ".", "configs/",
		 "cannot open 'open.cfg': No such file or directory; did you mean './configs/open.cfg'?"},
		{"space-39.cfg", ".", "configs/",
		 "cannot open 'space-39.cfg': No such file or directory; did you mean "
		 "'./configs/studies/space-39.cfg'?"},
		{"canonical.cfg", "configs", "configs/",
		 "cannot open 'canonical.cfg': No such file or directory; did you mean 'configs/canonical.cfg'?"},
		{"open.cfg", NULL, "configs/", "cannot open 'open.cfg': No such file or directory"},
		{"paper", ".", "configs/", "cannot open 'paper': No such file or directory"},
		{"", "configs", "configs/", "cannot open '': No such file or directory"},
		{"configs", folder, "configs/", "cannot read 'configs': Is a directory"},
	};
	struct arena a = {0};
	struct cfg_node *root = NULL;
	assert_int_equal(mkdir(in_folder("configs"), 0700), 0);
	write_file("configs/configs", "shipped = 1;\n");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sahm_err err = untouched;
		assert_int_equal(
			cfg_read_or_suggest(&a, cases[i].path, cases[i].data_folder, cases[i].home, &root, &err),
			SAHM_IO);
		assert_string_equal(err.msg, cases[i].message);
	}
	struct sahm_err err = untouched;
	write_file("includes.cfg", "@include \"canonical.cfg\"\n");
	assert_int_equal(cfg_read_or_suggest(&a, in_folder("includes.cfg"), "configs", "", &root, &err), SAHM_IO);
	assert_null(strstr(err.msg, "did you mean"));
	assert_int_equal(cfg_read_or_suggest(&a, "configs/open.cfg", NULL, "", &root, &err), SAHM_OK);
	arena_release(&a);
}

TEST_FILE(test_cfg_includes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_includes),
		cmocka_unit_test(test_include_errors),
		cmocka_unit_test(test_include_dash),
		cmocka_unit_test(test_include_reach),
		cmocka_unit_test(test_include_flood),
		cmocka_unit_test(test_suggests_shipped),
		cmocka_unit_test(test_include_never_opens),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
