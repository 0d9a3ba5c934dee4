/* Words for a shell: it reads back the text that was written. */
#include "sim/base/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static void written(const char *word, size_t len, char out[256])
{
	struct textbuf b;
	textbuf_init(&b);
	shell_write(&b, word, len);
	assert_false(textbuf_failed(&b));
	snprintf(out, 256, "%s", b.text);
	textbuf_release(&b);
}

static void test_words(void **state)
{
	static const char *const words[][2] = {
		{"plain", "plain"},
		{"a/b-c_d.e:f,g=h+i@j%", "a/b-c_d.e:f,g=h+i@j%"},
		{"", "''"},
		{"two words", "'two words'"},
		{"it's", "'it'\\''s'"},
		{"$(x)", "'$(x)'"},
		{"`x`", "'`x`'"},
		{"a*", "'a*'"},
		{"~", "'~'"},
		{"#", "'#'"},
		{"a\nb", "$'a\\012b'"},
		{"it's\033\\", "$'it\\'s\\033\\\\'"},
		{"\302\233\303\244\377", "$'\\302\\233\303\244\\377'"},
	};
	char out[256];
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		written(words[i][0], strlen(words[i][0]), out);
		assert_string_equal(out, words[i][1]);
	}
	/* Text after it does not count. */
	written("plain words", 5, out);
	assert_string_equal(out, "plain");
	written("\303\244", 1, out);
	assert_string_equal(out, "$'\\303'");
}

/* A real shell takes each for one word, and the same. */
static void test_shell(void **state)
{
	static const char *const words[] = {"a b",
					    "'",
					    "''",
					    "a'b'c",
					    "$HOME",
					    "\\",
					    "\"",
					    "-n",
					    "a\tb\n",
					    "*",
					    "!x",
					    "&;|<>()",
					    "\033[2J'\\\302\233\342\200\250"};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char out[256], command[300], back[256] = "", quoted[300];
		struct textbuf b;
		written(words[i], strlen(words[i]), out);
		/* POSIX has $'...' only since 2024. */
		snprintf(quoted, sizeof(quoted), "printf %%s %s", out);
		textbuf_init(&b);
		shell_write_word(&b, quoted);
		snprintf(command, sizeof(command), out[0] == '$' ? "bash -c %s" : "eval %s", b.text);
		textbuf_release(&b);
		FILE *f = popen(command, "r");
		assert_non_null(f);
		size_t got = fread(back, 1, sizeof(back) - 1, f);
		back[got] = '\0';
		assert_int_equal(pclose(f), 0);
		assert_string_equal(back, words[i]);
	}
}

TEST_FILE(test_shell)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
