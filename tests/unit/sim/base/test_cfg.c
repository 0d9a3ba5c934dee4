/* The strict configuration layer: accepted and refused text, with its places. Settings: test_cfg_set.c. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/unit/sim/base/cfg_cases.h"

static void must_fail_bytes(const char *text, size_t len, const char *message)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err = untouched;
	enum sahm_status status = cfg_read_text(&a, "t.cfg", text, len, &root, &err);
	if (status == SAHM_OK)
		fail_msg("%.200s: accepted, not '%s'", text, message);
	if (status != SAHM_CONFIG || err.status != status || strcmp(err.msg, message) != 0)
		fail_msg("%.200s: status %d,\n  '%s', expected\n  '%s'", text, status, err.msg, message);
	arena_release(&a);
}

static void must_fail(const char *text, const char *message)
{
	must_fail_bytes(text, strlen(text), message);
}

static void test_integers(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t value;
	} accepted[] = {
		{"0", 0},
		{"-0", 0},
		{"+5", 5},
		{"2147483647", INT32_MAX},
		{"-2147483648", INT32_MIN},
		{"0x7FFFFFFF", INT32_MAX},
		{"0X1f", 31},
		{"010", 10},
		{"09", 9},
		{"0000000000000000000000005", 5},
		{"5L", 5},
		{"5LL", 5},
		{"5000000000L", INT64_C(5000000000)},
		{"-5000000000L", INT64_C(-5000000000)},
		{"0xFFFFFFFFL", INT64_C(4294967295)},
		{"9223372036854775807L", INT64_MAX},
		{"-9223372036854775808L", INT64_MIN},
		{"0x7fffffffffffffffL", INT64_MAX},
	};
	static const char *const refused[][2] = {
		{"5000000000", "integer '5000000000'" TOO_WIDE},
		{"2147483648", "integer '2147483648'" TOO_WIDE},
		{"-2147483649", "integer '-2147483649'" TOO_WIDE},
		{"0xFFFFFFFF", "integer '0xFFFFFFFF'" TOO_WIDE},
		{"0x80000000", "integer '0x80000000'" TOO_WIDE},
		{"9223372036854775808L", "integer '9223372036854775808' overflows: it does not fit 64 bits"},
		{"-9223372036854775809L", "integer '-9223372036854775809' overflows: it does not fit 64 bits"},
		{"0x8000000000000000L", "integer '0x8000000000000000' overflows: it does not fit 64 bits"},
		{"0xFFFFFFFFFFFFFFFFFF", "integer '0xFFFFFFFFFFFFFFFFFF'" FAR_TOO_WIDE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(accepted); i++) {
		struct arena a = {0};
		char text[80];
		snprintf(text, sizeof(text), "a = %s;", accepted[i].text);
		const struct cfg_node *node = cfg_child(must_read(&a, text), "a");
		if (node->kind != CFG_INT || node->value.integer != accepted[i].value)
			fail_msg("%s: kind %d, %lld", text, node->kind, (long long)node->value.integer);
		arena_release(&a);
	}
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		char text[80], message[200];
		snprintf(text, sizeof(text), "b = 1;\na = %s;", refused[i][0]);
		snprintf(message, sizeof(message), "t.cfg:2: %s", refused[i][1]);
		must_fail(text, message);
	}
}

static void test_floats(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double value;
	} accepted[] = {
		{"0.0", 0},
		{"-0.5", -0.5},
		{"+.5", 0.5},
		{"1.", 1},
		{"1e3", 1000},
		{"1E+22", 1e22},
		{"12.5e-1", 1.25},
		{"0e-999", 0},
		{"0.0000e99999", 0},
		{"1.7976931348623157e308", DBL_MAX},
		{"2.2250738585072014e-308", DBL_MIN},
		{"5e-324", 5e-324},
		{"0.30000000000000004", 0.30000000000000004},
	};
	static const char *const refused[][2] = {
		{"1e400", "number '1e400' overflows"},
		{"-1e400", "number '-1e400' overflows"},
		{"1.8e308", "number '1.8e308' overflows"},
		{"1e-400", "number '1e-400' is too small: it would be 0"},
		{"-0.1e-400", "number '-0.1e-400' is too small: it would be 0"},
		{"1.2.3", "malformed number '1.2.3'"},
		{"--5", "malformed number '--5'"},
		{"+-5", "malformed number '+-5'"},
		{"1e", "malformed number '1e'"},
		{"1e+", "malformed number '1e+'"},
		{"1e5e5", "malformed number '1e5e5'"},
		{"1.5L", "malformed number '1.5L'"},
		{"5LLL", "malformed number '5LLL'"},
		{"5x", "a number with a unit needs quotes: \"5x\""},
		{"1-2", "malformed number '1-2'"},
		{"0x", "malformed number '0x'"},
		{"0xfg", "malformed number '0xfg'"},
		{"-0x10", "malformed number '-0x10'"},
		{"0x1.8", "malformed number '0x1.8'"},
		{"0x1p3", "malformed number '0x1p3'"},
		{"1_000", "malformed number '1_000'"},
		{".", "malformed number '.'"},
		{"-", "malformed number '-'"},
		{"+", "malformed number '+'"},
		{".e5", "malformed number '.e5'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(accepted); i++) {
		struct arena a = {0};
		char text[80];
		snprintf(text, sizeof(text), "a = %s;", accepted[i].text);
		const struct cfg_node *node = cfg_child(must_read(&a, text), "a");
		if (node->kind != CFG_FLOAT || node->value.real != accepted[i].value)
			fail_msg("%s: kind %d, %.17g", text, node->kind, node->value.real);
		arena_release(&a);
	}
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		char text[80], message[200];
		/* The line is quoted where the text is no number at all. */
		bool is_number = strncmp(refused[i][1], "number", strlen("number")) == 0;
		snprintf(text, sizeof(text), "a =\n( 1, %s );", refused[i][0]);
		snprintf(message, sizeof(message), is_number ? "t.cfg:2: %s" : "t.cfg:2: %s, at >>> in '( 1, >>>%s );'",
			 refused[i][1], refused[i][0]);
		must_fail(text, message);
	}
}

static void test_duplicates(void **state)
{
	(void)state;
	static const char *const refused[][2] = {
		{"a = 1;\nb = 2;\na = 3;\n", "t.cfg:3: duplicate key 'a' (first set at t.cfg:1)"},
		{"a = 1; a = 1;", "t.cfg:1: duplicate key 'a' (first set at t.cfg:1)"},
		{"g : {\n  a = 1;\n  h : { a = 2; };\n  a : 3;\n};",
		 "t.cfg:4: duplicate key 'a' (first set at t.cfg:2)"},
		{"g : { };\ng = 1;", "t.cfg:2: duplicate key 'g' (first set at t.cfg:1)"},
		{"l = ( { },\n{ a = 1;\na = 2; } );", "t.cfg:3: duplicate key 'a' (first set at t.cfg:2)"},
		{"a\n=\n1; a = 2;", "t.cfg:3: duplicate key 'a' (first set at t.cfg:1)"},
		{"a /* one */ = 1;\nb = 2;\na = 3;", "t.cfg:3: duplicate key 'a' (first set at t.cfg:1)"},
		{"a // one\n= 1;\na # two\n = 3;", "t.cfg:3: duplicate key 'a' (first set at t.cfg:1)"},
		{"a = 1;\na /* two */ = 3;", "t.cfg:2: duplicate key 'a' (first set at t.cfg:1)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		must_fail(refused[i][0], refused[i][1]);
	struct arena a = {0};
	must_read(&a, "a = 1; A = 2; aa = 3; g : { a = 1; h : { a = 2; }; }; l = ( { a = 1; }, { a = 2; } );");
	must_read(&a, "a = \"a = 1; a = 2;\"; # a = 3\n// a = 4\n/* a = 5; */\n");
	arena_release(&a);
}

static void test_malformed(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"a = 1;\nb = \"x", "t.cfg:2: a string is not closed on its line, at >>> in 'b = >>>\"x'"},
		{"a = \"x\ny\";", "t.cfg:1: a string is not closed on its line, at >>> in 'a = >>>\"x'"},
		{"a = \"x\\", "t.cfg:1: a string is not closed on its line, at >>> in 'a = >>>\"x\\'"},
		{"a = \"x\\\ny\";", "t.cfg:1: a string is not closed on its line, at >>> in 'a = >>>\"x\\'"},
		{"a = \"x\\\";", "t.cfg:1: a string is not closed on its line, at >>> in 'a = >>>\"x\\\";'"},
		{"a b \"x", "t.cfg:1: '=' is missing after 'a', at >>> in 'a >>>b \"x'"},
		{"a = 1;\n/* b\n = 2;\n", "t.cfg:2: a comment is not closed, at >>> in '>>>/* b'"},
		{"/*/", "t.cfg:1: a comment is not closed, at >>> in '>>>/*/'"},
		{"a = 1;\ng : {\na = 1;\n", "t.cfg:2: '{' is not closed, at >>> in 'g : >>>{'"},
		{"g : { l = (1, 2", "t.cfg:1: '(' is not closed, at >>> in 'g : { l = >>>(1, 2'"},
		{"l = [", "t.cfg:1: '[' is not closed, at >>> in 'l = >>>['"},
		{"l = (1];", "t.cfg:1: ',' or ')' is missing, at >>> in 'l = (1>>>];'"},
		{"l = ( \"a\", \"b\" ;\ng : { };\n}",
		 "t.cfg:1: ',' or ')' is missing, at >>> in 'l = ( \"a\", \"b\" >>>;'"},
		{"g : {\nl = (1 }; };", "t.cfg:2: ',' or ')' is missing, at >>> in 'l = (1 >>>}; };'"},
		{"l = (\n1 ];", "t.cfg:2: ',' or ')' is missing (its '(' is on line 1), at >>> in '1 >>>];'"},
		{"g : {\nl = (\n1\nm = 2;\n};",
		 "t.cfg:3: ',' or ')' is missing (its '(' is on line 2), at >>> in '1>>>'"},
		{"g : { a = 1; ] };", "t.cfg:1: '}' is missing, at >>> in 'g : { a = 1; >>>] };'"},
		{"g :\n  a = 1;\n};", "t.cfg:1: '{' is missing, at >>> in 'g :>>>'"},
		{"g =\n  a = 1;", "t.cfg:1: a value is missing, at >>> in 'g =>>>'"},
		{"g {\n", "t.cfg:1: ':' is missing after 'g', at >>> in 'g >>>{'"},
		{"a = 1;\n}", "t.cfg:2: '}' closes nothing, at >>> in '>>>}'"},
		{"- a : 5", "t.cfg:1: '-' does not begin a setting, at >>> in '>>>- a : 5'"},
		{"a = 1,0;", "t.cfg:1: decimals have a point: 1.0, at >>> in 'a = >>>1,0;'"},
		{"a = 30%;", "t.cfg:1: a unit needs quotes: \"30%\", at >>> in 'a = >>>30%;'"},
		{"a = ( 30% );", "t.cfg:1: a unit needs quotes: \"30%\", at >>> in 'a = ( >>>30% );'"},
		{"a = 'sahm';", "t.cfg:1: text needs straight double quotes: \"sahm\", at >>> in 'a = >>>'sahm';'"},
		{"a = \u201csahm\u201d;",
		 "t.cfg:1: text needs straight double quotes: \"sahm\", at >>> in 'a = >>>\u201csahm\u201d;'"},
		{"\u201ca\u201d = 1;", "t.cfg:1: '\u201c' does not begin a setting, at >>> in '>>>\u201ca\u201d = 1;'"},
		{"a = ../b/c.csv;", "t.cfg:1: text needs quotes: \"../b/c.csv\", at >>> in 'a = >>>../b/c.csv;'"},
		{"a = ( \"x\" \"y\" );",
		 "t.cfg:1: a comma is missing between two strings, at >>> in 'a = ( \"x\" >>>\"y\" );'"},
		{"a = [\n\"x\"\n\"y\" ];", "t.cfg:2: a comma is missing between two strings, at >>> in '\"x\">>>'"},
		{"a = 1;\nb 2;", "t.cfg:2: '=' is missing after 'b', at >>> in 'b >>>2;'"},
		{"a = 5ms;", "t.cfg:1: a number with a unit needs quotes: \"5ms\", at >>> in 'a = >>>5ms;'"},
		{"a = ;", "t.cfg:1: a value is missing, at >>> in 'a = >>>;'"},
		{"a = 1;;", "t.cfg:1: ';' does not begin a setting, at >>> in 'a = 1;>>>;'"},
		{"g : {\n  # a comment\n  set = p25; };",
		 "t.cfg:3: text needs quotes: \"p25\", at >>> in 'set = >>>p25; };'"},
		{"\"g\" : { };", "t.cfg:1: a key has no quotes, at >>> in '>>>\"g\" : { };'"},
		{"g.a = 1;", "t.cfg:1: a file writes section.key as section : { key = ...; }, at >>> in '>>>g.a = 1;'"},
		{"a = [1 2];", "t.cfg:1: ',' or ']' is missing, at >>> in 'a = [1 >>>2];'"},
		{"a = (1, 2,);", "t.cfg:1: no ',' may precede ')', at >>> in 'a = (1, 2,>>>);'"},
		{"a = \"x\" /* c */ \"y\"\nb = ( { c = 1; } 2 );",
		 "t.cfg:2: ',' or ')' is missing, at >>> in 'b = ( { c = 1; } >>>2 );'"},
		{"a = [1, 2.5];",
		 "t.cfg:1: an array in [] holds one type: write all as floats (10.0), or a list in ()"},
		{"a = 1;\n@inculde \"x\"\n", "t.cfg:2: '@' begins nothing but @include \"file\""},
		{"a = @", "t.cfg:1: '@' begins nothing but @include \"file\""},
		{"@include ", "t.cfg:1: @include needs a file name in quotes"},
		{"\n@include x\n", "t.cfg:2: @include needs a file name in quotes"},
		{"@include \"\"\n", "t.cfg:1: @include needs a file name in quotes"},
		{"@include \"x\n\"", "t.cfg:1: @include needs a file name in quotes"},
		{"a = \x01;", "t.cfg:1: byte 0x01 does not belong in text"},
		{"a = 1;\n\x1b[31m", "t.cfg:2: byte 0x1b does not belong in text"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		must_fail(rows[i][0], rows[i][1]);
	struct arena a = {0};
	assert_int_equal(must_read(&a, "")->nr_children, 0);
	assert_int_equal(must_read(&a, "# nothing\n")->nr_children, 0);
	assert_int_equal(must_read(&a, "a = 1;\t\f\r\n\r\nb = 2\r\n")->nr_children, 2);
	arena_release(&a);
}

/* Text after a NUL byte must not be dropped in silence, wherever the byte is. */
static void test_nul_bytes(void **state)
{
	(void)state;
#define ROW(text, line)                                                                                                \
	{                                                                                                              \
		text, sizeof(text) - 1, "t.cfg:" line ": byte 0x00 does not belong in text"                            \
	}
	static const struct {
		const char *text;
		size_t len;
		const char *message;
	} rows[] = {
		ROW("a = 1;\n\0", "2"),
		ROW("\0", "1"),
		ROW("a = 1\0;", "1"),
		ROW("a = 1; # rem\0ark\nb = 2;", "1"),
		ROW("a = 1;\n// rem\0ark\nb = 2;", "2"),
		ROW("a = 1; /*\n\n \0 */ b = 2;", "3"),
		ROW("a = \"x\0y\"; b = 2;", "1"),
		ROW("a = 1; #\0", "1"),
	};
#undef ROW
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		must_fail_bytes(rows[i].text, rows[i].len, rows[i].message);
	/* Nor may an escaped one cut a string short. */
	must_fail("b = 1;\na = \"x\\x00y\";", "t.cfg:2: a string cannot hold byte 0x00");
}

static void test_depth(void **state)
{
	(void)state;
	for (int depth = MAX_CFG_DEPTH; depth <= MAX_CFG_DEPTH + 1; depth++) {
		struct textbuf b;
		textbuf_init(&b);
		textbuf_puts(&b, "a =\n");
		for (int i = 0; i < depth; i++)
			textbuf_puts(&b, "(");
		for (int i = 0; i < depth; i++)
			textbuf_puts(&b, ")");
		textbuf_puts(&b, ";");
		struct arena a = {0};
		if (depth > MAX_CFG_DEPTH)
			must_fail(b.text, "t.cfg:2: nested deeper than 16 levels");
		else
			must_read(&a, b.text);
		arena_release(&a);
		textbuf_release(&b);
	}
}

static void test_long_lines(void **state)
{
	(void)state;
	enum { LONG = 100000 };
	struct arena a = {0};
	char *text = repeat("a = \"", 'x', LONG, "\"; b = 2;");
	const struct cfg_node *root = must_read(&a, text);
	assert_int_equal(strlen(cfg_child(root, "a")->value.string), LONG);
	assert_int_equal(cfg_child(root, "b")->value.integer, 2);
	free(text);

	text = repeat("#", '#', LONG, "\na = 1;");
	assert_int_equal(cfg_child(must_read(&a, text), "a")->line, 2);
	free(text);

	text = repeat("a = 1.", '0', LONG, "5;");
	assert_true(cfg_child(must_read(&a, text), "a")->value.real == 1.0);
	free(text);

	text = repeat("a = ", '9', LONG, ";");
	must_fail(text, "t.cfg:1: integer '9999999999999999999999999999999999999999'" FAR_TOO_WIDE);
	free(text);

	text = repeat("a = 1", 'x', LONG, ";");
	must_fail(text, "t.cfg:1: malformed number '1xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', at >>> in 'a = >>>"
			"1xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'");
	free(text);

	text = repeat("", 'k', LONG, " = 1;");
	struct sahm_err err = untouched;
	assert_int_equal(cfg_check(must_read(&a, text), keys, NR_KEYS, &err), SAHM_CONFIG);
	assert_int_equal(strncmp(err.msg, "t.cfg:1: unknown key 'kkkkkkkk", 30), 0);
	free(text);

	text = repeat("", ' ', MAX_CFG_BYTES, "a = 1;");
	must_fail(text, "t.cfg:1: more than 8388608 bytes with its includes");
	free(text);
	arena_release(&a);
}

static void test_many_keys(void **state)
{
	(void)state;
	for (int nr = MAX_CFG_GROUP_KEYS; nr <= MAX_CFG_GROUP_KEYS + 1; nr++) {
		/* With a comment before the sign, too: it is a key all the same. */
		for (int comment = 0; comment < 2; comment++) {
			struct textbuf b;
			struct arena a = {0};
			textbuf_init(&b);
			textbuf_puts(&b, "g : {\n");
			for (int i = 0; i < nr; i++)
				textbuf_printf(&b, "k%d %s= 1;\n", i, comment ? "/* */" : "");
			textbuf_puts(&b, "};\n");
			if (nr > MAX_CFG_GROUP_KEYS)
				must_fail(b.text, "t.cfg:258: more than 256 keys in one group");
			else
				must_read(&a, b.text);
			arena_release(&a);
			textbuf_release(&b);
		}
	}
}

static void test_lines(void **state)
{
	(void)state;
	static const char text[] = "a = 1;\n"
				   "\n"
				   "g :\n{\n"
				   "  s =\n   \"one\"\n   \"two\";\n"
				   "  l = (\n    \"x\",\n    \"y\"\n\n    , 5,\n    { t = true; },\n    \"z\"\n  );\n"
				   "  /* a\n remark */ f = 2.5;\n"
				   "  m = [ \"p\",\n    \"q\"   # remark\n\n  ];\n"
				   "};\n";
	static const struct {
		const char *path;
		unsigned line;
	} rows[] = {
		{"a", 1},	{"g", 3},	{"g.s", 5},	{"g.l", 8},	  {"g.l[0]", 9},
		{"g.l[1]", 10}, {"g.l[2]", 12}, {"g.l[3]", 13}, {"g.l[3].t", 13}, {"g.l[4]", 14},
		{"g.f", 17},	{"g.m", 18},	{"g.m[0]", 18}, {"g.m[1]", 19},
	};
	struct arena a = {0};
	const struct cfg_node *stack[16], *node = must_read(&a, text)->first;
	size_t depth = 0, row = 0;
	while (node) {
		char path[CFG_PATH_BYTES];
		assert_true(row < ARRAY_SIZE(rows));
		assert_string_equal(cfg_path(node, path), rows[row].path);
		if (node->line != rows[row].line || strcmp(node->file, "t.cfg") != 0)
			fail_msg("%s: %s:%u, not line %u", path, node->file, node->line, rows[row].line);
		row++;
		if (node->first) {
			stack[depth++] = node;
			node = node->first;
			continue;
		}
		while (!node->next && depth > 0)
			node = stack[--depth];
		node = node->next;
	}
	assert_int_equal(row, ARRAY_SIZE(rows));
	arena_release(&a);
}

static void test_check(void **state)
{
	(void)state;
	static const char *const refused[][2] = {
		{"n = 1;\ngrup : { };", "t.cfg:2: unknown key 'grup'; did you mean 'group'?"},
		{"group : {\n\n iner = 1; };", "t.cfg:3: unknown key 'group.iner'; did you mean 'group.inner'?"},
		{"group : { deep : {\nnmae = \"\"; }; };",
		 "t.cfg:2: unknown key 'group.deep.nmae'; did you mean 'group.deep.name'?"},
		{"items = ( \"a\",\n{ cuont = 1; } );", "t.cfg:2: unknown key 'items[1].cuont'; did you mean 'count'?"},
		{"inner = 1;", "t.cfg:1: unknown key 'inner'; did you mean 'group.inner'?"},
		{"name = \"\";", "t.cfg:1: unknown key 'name'; did you mean 'group.deep.name'?"},
		{"group : { kind = 1; };", "t.cfg:1: unknown key 'group.kind'; did you mean 'items[].kind'?"},
		{"WORD = 1;", "t.cfg:1: unknown key 'WORD'; did you mean 'word'?"},
		{"zebra = 1;", "t.cfg:1: unknown key 'zebra'"},
		{"n = 1.5;", "t.cfg:1: 'n' must be an integer"},
		{"\nn = \"1\";", "t.cfg:2: 'n' must be an integer"},
		{"x = \"1\";", "t.cfg:1: 'x' must be a number"},
		{"x = true;", "t.cfg:1: 'x' must be a number"},
		{"word = 5;", "t.cfg:1: 'word' must be a string"},
		{"flag = 1;", "t.cfg:1: 'flag' must be true or false"},
		{"flag = \"true\";", "t.cfg:1: 'flag' must be true or false"},
		{"group = 5;", "t.cfg:1: 'group' must be a group"},
		{"group = ( );", "t.cfg:1: 'group' must be a group"},
		{"group : { inner : { }; };", "t.cfg:1: 'group.inner' must be an integer"},
		{"values = \"x\";", "t.cfg:1: 'values' must be a number or an array in []"},
		{"values = [ 1,\n 2 ]; n = [ ];", "t.cfg:2: 'n' must be an integer"},
		{"values = ( 1,\n\"x\" );", "t.cfg:2: 'values[1]' must be a number"},
		{"values = ( ( 1 ) );", "t.cfg:1: 'values[0]' must be a number"},
		{"items : { };", "t.cfg:1: 'items' must be a list in ()"},
		{"items = [ \"a\" ];", "t.cfg:1: 'items' must be a list in ()"},
		{"items = (\n\"a\",\n5 );", "t.cfg:3: 'items[1]' must be a string or a group"},
		{"items = ( { count = true; } );", "t.cfg:1: 'items[0].count' must be an integer"},
		{"grid = ( 1 );", "t.cfg:1: 'grid[0]' must be a list in ()"},
		{"grid = ( ( 1 ), ( 2, 2.5 ) );", "t.cfg:1: 'grid[1][1]' must be an integer"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct arena a = {0};
		struct sahm_err err = untouched;
		enum sahm_status status = cfg_check(must_read(&a, refused[i][0]), keys, NR_KEYS, &err);
		if (status != SAHM_CONFIG || err.status != status || strcmp(err.msg, refused[i][1]) != 0)
			fail_msg("%s: status %d,\n  '%s', expected\n  '%s'", refused[i][0], status, err.msg,
				 refused[i][1]);
		arena_release(&a);
	}
	static const char *const accepted[] = {
		"",
		"n = 1; x = 1; word = \"\"; flag = false;",
		"x = 1.5; values = 5;",
		"values = [ 1, 2 ]; items = ( );",
		"values = ( 1, 2.5 ); items = ( \"a\", { count = 1; kind = \"k\"; } );",
		"group : { inner = 1; deep : { name = \"\"; }; }; grid = ( ( ), ( 1, 2 ) );",
	};
	for (size_t i = 0; i < ARRAY_SIZE(accepted); i++) {
		struct arena a = {0};
		struct sahm_err err = untouched;
		if (cfg_check(must_read(&a, accepted[i]), keys, NR_KEYS, &err) != SAHM_OK)
			fail_msg("%s: %s", accepted[i], err.msg);
		assert_string_equal(err.msg, "untouched");
		arena_release(&a);
	}
}

static void test_values(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sahm_err err = untouched;
	double v = 99;
	const struct cfg_node *root = must_read(&a, "x = 2; flag = false; word = \"w\"; n = 100;");
	assert_int_equal(cfg_number(root, key("x"), &v, &err), SAHM_OK);
	assert_true(v == 2);
	assert_false(cfg_bool(root, key("flag")));
	assert_string_equal(cfg_string(root, key("word")), "w");
	for (int absent = 0; absent < 2; absent++) {
		const struct cfg_node *none = absent ? NULL : must_read(&a, "");
		assert_int_equal(cfg_number(none, key("x"), &v, &err), SAHM_OK);
		assert_true(v == 0.5);
		assert_true(cfg_bool(none, key("flag")));
		assert_string_equal(cfg_string(none, key("word")), "none");
		assert_null(cfg_member(none, key("word")));
	}
	static const struct {
		const char *text, *name, *message; /* NULL: accepted */
	} rows[] = {
		{"x = 10.0;", "x", NULL},
		{"x = -10;", "x", NULL},
		{"\nx = 10.000001;", "x", "t.cfg:2: 'x' is 10.000001, must be from -10 to 10 ms"},
		{"x = -11;", "x", "t.cfg:1: 'x' is -11, must be from -10 to 10 ms"},
		{"n = 100;", "n", NULL},
		{"n = 101;", "n", "t.cfg:1: 'n' is 101, must be from -5 to 100 apples"},
		{"n = -5;", "n", NULL},
		{"n = -6;", "n", "t.cfg:1: 'n' is -6, must be from -5 to 100 apples"},
		{"n = 9223372036854775807L;", "n",
		 "t.cfg:1: 'n' is 9.223372036854776e+18, must be from -5 to 100 apples"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		err = untouched;
		enum sahm_status status = cfg_number(must_read(&a, rows[i].text), key(rows[i].name), &v, &err);
		assert_int_equal(status, rows[i].message ? SAHM_CONFIG : SAHM_OK);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "untouched");
	}
	arena_release(&a);
}

/* Strings as people write them. */
static void test_strings(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"\"a\\\"b\"", "a\"b"},	  {"\"a\\\\\"", "a\\"},		 {"\"\\n\\t\\r\\f\"", "\n\t\r\f"},
		{"\"\\x41\\x7a\"", "Az"}, {"\"one\" \"two\"", "onetwo"}, {"\"one\"\n/* remark */ \"two\"", "onetwo"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a = {0};
		char text[80];
		snprintf(text, sizeof(text), "a = %s;", rows[i][0]);
		assert_string_equal(cfg_child(must_read(&a, text), "a")->value.string, rows[i][1]);
		arena_release(&a);
	}
}

TEST_FILE(test_cfg)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),   cmocka_unit_test(test_floats),    cmocka_unit_test(test_duplicates),
		cmocka_unit_test(test_malformed),  cmocka_unit_test(test_nul_bytes), cmocka_unit_test(test_depth),
		cmocka_unit_test(test_long_lines), cmocka_unit_test(test_many_keys), cmocka_unit_test(test_lines),
		cmocka_unit_test(test_check),	   cmocka_unit_test(test_values),    cmocka_unit_test(test_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
