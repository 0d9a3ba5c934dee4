/* Settings from the command line, and what is written reading back as it was. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "tests/unit/sim/base/cfg_cases.h"

static const char base[] = "n = 1; word = \"w\"; values = [ 1, 2 ];\n"
			   "items = ( \"plain\", { count = 1; kind = \"k\"; } );\n"
			   "grid = ( ( 1, 2 ), ( 3 ) );\n";

static struct cfg_node *must_set(struct arena *a, const char *setting)
{
	struct cfg_node *root = must_read(a, base);
	struct sahm_err err = untouched;
	if (cfg_set(a, root, keys, NR_KEYS, setting, &err) != SAHM_OK ||
	    cfg_check(root, keys, NR_KEYS, &err) != SAHM_OK)
		fail_msg("%s: %s", setting, err.msg);
	assert_string_equal(err.msg, "untouched");
	return root;
}

static const struct cfg_node *element(const struct cfg_node *list, unsigned index)
{
	const struct cfg_node *node = list->first;
	while (node && index-- > 0)
		node = node->next;
	assert_non_null(node);
	return node;
}

static void test_set(void **state)
{
	(void)state;
	struct arena a = {0};
	const struct cfg_node *node = cfg_child(must_set(&a, "n=42"), "n");
	assert_int_equal(node->value.integer, 42);
	assert_string_equal(node->file, "--set n=42");
	assert_int_equal(node->line, 0);
	arena_release(&a);
}

static void test_set_places(void **state)
{
	(void)state;
	struct arena a = {0};
	const struct cfg_node *root = must_set(&a, "items[1].count=7"), *node;
	assert_int_equal(cfg_child(element(cfg_child(root, "items"), 1), "count")->value.integer, 7);
	assert_string_equal(cfg_child(element(cfg_child(root, "items"), 1), "kind")->value.string, "k");

	root = must_set(&a, "items[0]=other");
	assert_string_equal(element(cfg_child(root, "items"), 0)->value.string, "other");
	assert_int_equal(cfg_child(root, "items")->nr_children, 2);

	root = must_set(&a, "items[0]={count=3;}");
	assert_int_equal(cfg_child(element(cfg_child(root, "items"), 0), "count")->value.integer, 3);

	root = must_set(&a, "grid[0][1]=9");
	assert_int_equal(element(element(cfg_child(root, "grid"), 0), 1)->value.integer, 9);
	assert_int_equal(element(element(cfg_child(root, "grid"), 0), 0)->value.integer, 1);

	root = must_set(&a, "values[1]=8");
	assert_int_equal(element(cfg_child(root, "values"), 1)->value.integer, 8);

	/* Groups that are missing are made. */
	root = must_set(&a, "group.deep.name=x");
	node = cfg_child(cfg_child(cfg_child(root, "group"), "deep"), "name");
	assert_string_equal(node->value.string, "x");
	assert_string_equal(node->file, "--set group.deep.name=x");

	root = must_set(&a, "items=(\"a\",{count=2;},\"b\")");
	node = cfg_child(root, "items");
	assert_int_equal(node->nr_children, 3);
	node = cfg_child(element(node, 1), "count");
	assert_string_equal(node->file, "--set items=(\"a\",{count=2;},\"b\")");
	char path[CFG_PATH_BYTES];
	assert_string_equal(cfg_path(node, path), "items[1].count");
	arena_release(&a);
}

static void test_set_bare_words(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"word=hello", "hello"},
		{"word=\"hello\"", "hello"},
		{"word=", ""},
		{"word=\"\"", ""},
		{"word=two words", "two words"},
		{"word=a/b.csv", "a/b.csv"},
		{"word=5", "5"},
		{"word=-0.50", "-0.50"},
		{"word=true", "true"},
		{"word=1.2.3", "1.2.3"},
		{"word=5000000000", "5000000000"},
		{"word=a=b", "a=b"},
		{"word=a; x = 5", "a; x = 5"},
		{"word=l2+branch", "l2+branch"},
		{"word=# no remark", "# no remark"},
		{"word=\"a\\\"b\"", "a\"b"},
		{"word=caf\xc3\xa9", "caf\xc3\xa9"},
		{"items[1].kind=[1, 2]", "[1, 2]"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a = {0};
		const struct cfg_node *root = must_set(&a, rows[i][0]);
		const struct cfg_node *node = rows[i][0][0] == 'w'
						      ? cfg_child(root, "word")
						      : cfg_child(element(cfg_child(root, "items"), 1), "kind");
		if (node->kind != CFG_STRING || strcmp(node->value.string, rows[i][1]) != 0)
			fail_msg("%s: '%s'", rows[i][0], node->kind == CFG_STRING ? node->value.string : "no string");
		arena_release(&a);
	}
}

/* Fails in cfg_set() or the following cfg_check(); in the message "@" stands for the setting, of which 200
 * characters are shown. */
static void set_fails(const char *setting, const char *message)
{
	struct arena a = {0};
	struct sahm_err err = untouched;
	struct textbuf whole;
	struct cfg_node *root = must_read(&a, base);
	textbuf_init(&whole);
	for (const char *p = message; *p; p++)
		if (*p == '@')
			textbuf_printf(&whole, "--set %.200s%s", setting, strlen(setting) > 200 ? "..." : "");
		else
			textbuf_putc(&whole, *p);
	enum sahm_status status = cfg_set(&a, root, keys, NR_KEYS, setting, &err);
	if (status == SAHM_OK)
		status = cfg_check(root, keys, NR_KEYS, &err);
	if (status != SAHM_USAGE || err.status != status || strcmp(err.msg, whole.text) != 0)
		fail_msg("%s: status %d,\n  '%s', expected\n  '%s'", setting, status, err.msg, whole.text);
	textbuf_release(&whole);
	arena_release(&a);
}

static void test_set_keys(void **state)
{
	(void)state;
	static const char *const malformed[] = {
		"n",
		"",
		"=5",
		".n=5",
		"n.=5",
		"group..inner=5",
		"items[=5",
		"items[]=5",
		"items[x]=5",
		"items[-1]=5",
		"items[1=5",
		"items[1]]=5",
		"[0]=5",
		"items[0]x=5",
		"items[ 1]=5",
		".=5",
		"items[99999999999999999999]=5",
		"grid[0].[1]=5",
	};
	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++)
		set_fails(malformed[i], "@: must be written as key.path=value");
	char *longest = repeat("", 'k', CFG_PATH_BYTES, "=1");
	set_fails(longest, "@: must be written as key.path=value");
	free(longest);
	set_fails("items[2]=x", "@: there are 2 elements, the first is [0]");
	set_fails("items[2].count=1", "@: there are 2 elements, the first is [0]");
	set_fails("items[18446744073709551615]=x", "@: there are 2 elements, the first is [0]");
	set_fails("grid[0][2]=1", "@: there are 2 elements, the first is [0]");
	set_fails("items.count=1", "@: 'items' is a list, whose first element is 'items[0]'");
	set_fails("items[0].count=1",
		  "@: 'items[0]' is a string here; as a group it takes both: items[0]={kind=\"...\"; count=...}");
	set_fails("word.x=1", "@: 'x' is not inside a group here");
	set_fails("grid[0].x=1", "@: 'grid[0]' is a list, whose first element is 'grid[0][0]'");
	set_fails("values.x=1", "@: 'values' is a list, whose first element is 'values[0]'");
	set_fails("n.x=1", "@: 'x' is not inside a group here");
	set_fails("m=1", "@: unknown key 'm'");
	set_fails("wrod=1", "@: unknown key 'wrod'; did you mean 'word'?");
	set_fails("group.iner=1", "@: unknown key 'group.iner'; did you mean 'group.inner'?");
	set_fails("inner=x", "@: unknown key 'inner'; did you mean 'group.inner'?");
	set_fails("items[1].cuont=1", "@: unknown key 'items[1].cuont'; did you mean 'count'?");
	set_fails("wrod=[[[", "@: unknown key 'wrod'; did you mean 'word'?");
}

static void test_set_values(void **state)
{
	(void)state;
	set_fails("n=1.5", "@: 'n' must be an integer");
	set_fails("n=true", "@: 'n' must be an integer");
	set_fails("n=abc", "@: 'n' must be an integer");
	set_fails("n=\"5\"", "@: 'n' must be an integer");
	set_fails("n=(1)", "@: 'n' must be an integer");
	set_fails("flag=1", "@: 'flag' must be true or false");
	set_fails("group=5", "@: 'group' must be a group");
	set_fails("items=[1]", "@: 'items' must be a list in ()");
	set_fails("items=(1)", "@: 'items[0]' must be a string or a group");
	set_fails("group={inner=x}", "@: text needs quotes: \"x\", at >>> in '{inner=>>>x}'");
	set_fails("group={iner=1;}", "@: unknown key 'group.iner'; did you mean 'group.inner'?");
	set_fails("group={inner=1; inner=2;}", "@: duplicate key 'inner'");
	set_fails("n=1.2.3", "@: malformed number '1.2.3'");
	set_fails("n=5000000000", "@: integer '5000000000'" TOO_WIDE);
	set_fails("x=1e400", "@: number '1e400' overflows");
	set_fails("n=", "@: a value is missing");
	set_fails("n=\"x", "@: a string is not closed on its line");
	set_fails("values=[1, 2", "@: ',' or ']' is missing, at >>> in '[1, 2>>>'");
	set_fails("values=[1, 2)", "@: ',' or ']' is missing, at >>> in '[1, 2>>>)'");
	set_fails("n=1}", "@: '}' closes nothing, at >>> in '1>>>}'");
	set_fails("n=1 /*", "@: a comment is not closed");
	/* One value, not two. */
	set_fails("n=1; x=2", "@: one value is expected");
	set_fails("n=1; v=2", "@: one value is expected");
	set_fails("n=1, x=2", "@: one value is expected");
	set_fails("n=1;", "@: ';' does not begin a setting, at >>> in '>>>;'");
	set_fails("n=1;;", "@: ';' does not begin a setting, at >>> in '1;>>>;'");
	set_fails("n=1\nx=2", "--set n=1?x=2: one value is expected");
}

static void test_number_round_trip(void **state)
{
	(void)state;
	static const double values[] = {
		0.30000000000000004,
		0.1,
		1e22,
		5e-324,
		123456789.123,
		0,
		-0.0,
		1,
		-1,
		1e15,
		1e16,
		1e300,
		DBL_MAX,
		-DBL_MAX,
		DBL_MIN,
		1.0 / 3,
		DBL_MIN / 2,
		DBL_EPSILON,
		1 + DBL_EPSILON,
		9007199254740993.0,
		0.1 + 0.7,
		4.35,
		2.2250738585072011e-308,
		1e23,
		123456.0,
	};
	uint64_t random = 42;
	for (size_t i = 0; i < ARRAY_SIZE(values) + 20000; i++) {
		double value, got = NAN;
		if (i < ARRAY_SIZE(values)) {
			value = values[i];
		} else {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
			memcpy(&value, &random, sizeof(value));
			if (!isfinite(value))
				continue;
		}
		for (int point = 0; point < 2; point++) {
			struct textbuf b, setting;
			struct arena a = {0};
			textbuf_init(&b);
			number_write_double(&b, value, point);
			if (number_read_double(b.text, &got) != NUMBER_OK || got != value ||
			    signbit(got) != signbit(value))
				fail_msg("%.17g is written '%s', which reads as %.17g", value, b.text, got);
			if (point && (i < 100 || i % 20 == 0)) {
				textbuf_init(&setting);
				textbuf_printf(&setting, "a = %s;", b.text);
				const struct cfg_node *node = cfg_child(must_read(&a, setting.text), "a");
				if (node->kind != CFG_FLOAT || node->value.real != value)
					fail_msg("%.17g is written '%s', which is read as %.17g", value, b.text,
						 node->value.real);
				textbuf_release(&setting);
			}
			textbuf_release(&b);
			arena_release(&a);
		}
	}
	static const struct {
		double value;
		const char *plain, *point;
	} texts[] = {
		{0.1, "0.1", "0.1"},	  {0.30000000000000004, "0.30000000000000004", "0.30000000000000004"},
		{5, "5", "5.0"},	  {-3, "-3", "-3.0"},
		{1e22, "1e+22", "1e+22"}, {123456789.123, "123456789.123", "123456789.123"},
		{0, "0", "0.0"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct textbuf b;
		textbuf_init(&b);
		number_write_double(&b, texts[i].value, 0);
		assert_string_equal(b.text, texts[i].plain);
		textbuf_release(&b);
		number_write_double(&b, texts[i].value, 1);
		assert_string_equal(b.text, texts[i].point);
		textbuf_release(&b);
	}
}

static void test_string_round_trip(void **state)
{
	(void)state;
	char every[257] = "";
	for (int c = 1; c < 256; c++)
		every[c - 1] = (char)c;
	static const char *const strings[] = {
		"",
		"plain",
		"\"quoted\"",
		"back\\slash \\\\ \\\" \\n \\x41 \\",
		"ends in a quote\"",
		"line\nbreak\r\n\ttab\f\v\a\b",
		"\x01\x02\x1f\x7f",
		"\x01"
		"1 \x02"
		"f",
		"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		"\xff\xfe no UTF-8",
		"# no remark // nor this /* nor that */",
		"@include \"x\"",
		"{}()[]=:;,",
		"%s%n",
	};
	for (size_t i = 0; i <= ARRAY_SIZE(strings); i++) {
		const char *string = i ? strings[i - 1] : every;
		struct textbuf b;
		struct arena a = {0};
		textbuf_init(&b);
		textbuf_puts(&b, "a = ");
		cfg_write_string(&b, string);
		textbuf_puts(&b, ";\nb = 2;");
		const struct cfg_node *root = must_read(&a, b.text);
		if (strcmp(cfg_child(root, "a")->value.string, string) != 0)
			fail_msg("'%s' came back as '%s'", string, cfg_child(root, "a")->value.string);
		assert_int_equal(cfg_child(root, "b")->line, 2);
		textbuf_release(&b);
		arena_release(&a);
	}
}

TEST_FILE(test_cfg_set)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_set_places),
		cmocka_unit_test(test_set_bare_words),
		cmocka_unit_test(test_set_keys),
		cmocka_unit_test(test_set_values),
		cmocka_unit_test(test_number_round_trip),
		cmocka_unit_test(test_string_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
