/* The ground floor: errors, memory, text, numbers, options, suggestions, files. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/arena.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/hash.h"
#include "sim/base/number.h"
#include "sim/base/options.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "tests/unit/test.h"

static void test_errors(void **state)
{
	(void)state;
	struct sahm_err err = {.status = SAHM_OK, .msg = "untouched"};
	assert_int_equal(sahm_fail_at(&err, SAHM_FORMAT, "a.csv", 12, "bad '%s'", "x\ny\033[31m"), SAHM_FORMAT);
	/* What is quoted from input cannot break the line or drive a terminal. */
	assert_string_equal(err.msg, "a.csv:12: bad 'x?y?[31m'");
	sahm_fail_at(&err, SAHM_FORMAT, "a.csv", 0, "empty");
	assert_string_equal(err.msg, "a.csv: empty");
	assert_int_equal(sahm_fail(NULL, SAHM_IO, "dropped"), SAHM_IO);
	assert_int_equal(sahm_exit_code(SAHM_OK), 0);
	assert_int_equal(sahm_exit_code(SAHM_USAGE), 2);
	assert_int_equal(sahm_exit_code(SAHM_IO), 1);
	assert_int_equal(sahm_exit_code(SAHM_NOMEM), 1);
}

/* What comes from outside commands no terminal, in whichever encoding that takes it. */
static void test_clean_text(void **state)
{
	(void)state;
	static const struct {
		const char *text, *shown;
	} rows[] = {
		{"", ""},
		{"plain 'text', \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		 "plain 'text', \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
		{"a\nb\tc\x1b[31md\x7f", "a?b?c?[31md?"},
		{"x\xc2\x9b"
		 "31m \xc2\x80\xc2\x9f\xc2\xa0",
		 "x??31m ????\xc2\xa0"},
		{"\x9b"
		 "1m \xff \xc3",
		 "?1m ? ?"},
		{"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf", "\xe2\x80\xa7??????\xe2\x80\xaf"},
		{"\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90", "\xe2\x80\x8d??????\xe2\x80\x90"},
		{"\xd8\x9b\xd8\x9c\xd8\x9d", "\xd8\x9b??\xd8\x9d"},
		{"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "\xe2\x81\xa5??????\xe2\x81\xaa"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[64];
		snprintf(text, sizeof(text), "%s", rows[i].text);
		clean_text(text);
		assert_string_equal(text, rows[i].shown);
	}
	char lines[] = TEXT_BOLD "a\tb" TEXT_PLAIN "\nc\r\x1b[2J\x1b[31m\xc2\x9b\n";
	clean_lines(lines);
	assert_string_equal(lines, TEXT_BOLD "a\tb" TEXT_PLAIN "\nc??[2J?[31m??\n");
}

static void test_arena(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a);
	char *small = arena_alloc(&a, 1, 1), *large = arena_alloc(&a, 1000, 1000), *again = arena_alloc(&a, 1, 1);
	assert_non_null(small);
	assert_non_null(large);
	for (size_t i = 0; i < 1000000; i++)
		assert_int_equal(large[i], 0);
	/* A large object does not hide the room left in the chunk before it. */
	assert_true(again > small && again < small + 4096);
	assert_int_equal((uintptr_t)again % _Alignof(max_align_t), 0);
	assert_null(arena_alloc(&a, SIZE_MAX / 2, 3));
	assert_non_null(arena_alloc(&a, 0, 8));
	assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
	arena_release(&a);
	arena_release(&a);
}

static void test_textbuf(void **state)
{
	(void)state;
	struct textbuf b;
	textbuf_init(&b);
	assert_string_equal(b.text, "");
	for (int i = 0; i < 1000; i++)
		textbuf_printf(&b, "%d,", i);
	assert_int_equal(b.len, 10 * 2 + 90 * 3 + 900 * 4);
	assert_string_equal(b.text + b.len - 4, "999,");
	textbuf_add(&b, "a\0b", 3);
	assert_memory_equal(b.text + b.len - 3, "a\0b", 4);
	assert_false(textbuf_failed(&b));
	textbuf_release(&b);
}

/* Text, and what reading it comes to. */
struct number_row {
	const char *text;
	enum number_fault fault;
	uint64_t value;
};

static void test_read_u64(void **state)
{
	(void)state;
	static const struct number_row rows[] = {
		{"0", NUMBER_OK, 0},
		{"007", NUMBER_OK, 7},
		{"18446744073709551615", NUMBER_OK, UINT64_MAX},
		{"18446744073709551616", NUMBER_OVERFLOW, 0},
		{"99999999999999999999999", NUMBER_OVERFLOW, 0},
		{"-1", NUMBER_NEGATIVE, 0},
		{"-0.5", NUMBER_NEGATIVE, 0},
		{"1.5", NUMBER_FRACTION, 0},
		{"1.0", NUMBER_FRACTION, 0},
		{"+1", NUMBER_NOT, 0},
		{"", NUMBER_NOT, 0},
		{"-", NUMBER_NOT, 0},
		{" 1", NUMBER_NOT, 0},
		{"1 ", NUMBER_NOT, 0},
		{"1e3", NUMBER_NOT, 0},
		{"0x10", NUMBER_NOT, 0},
		{"nan", NUMBER_NOT, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t v = 0;
		if (number_read_u64(rows[i].text, strlen(rows[i].text), &v) != rows[i].fault || v != rows[i].value)
			fail_msg("'%s'", rows[i].text);
	}
}

static void test_read_size(void **state)
{
	(void)state;
	static const struct number_row rows[] = {
		{"0", NUMBER_OK, 0},
		{"4096", NUMBER_OK, 4096},
		{"010", NUMBER_OK, 10},
		{"1K", NUMBER_OK, 1024},
		{"16M", NUMBER_OK, 16777216},
		{"2G", NUMBER_OK, UINT64_C(2147483648)},
		{"0x0", NUMBER_OK, 0},
		{"0x80000000", NUMBER_OK, UINT64_C(2147483648)},
		{"0x19afAF", NUMBER_OK, 0x19afaf},
		{"0x10K", NUMBER_OK, 16384},
		{"0x0000000000000000001", NUMBER_OK, 1},
		{"18446744073709551615", NUMBER_OK, UINT64_MAX},
		{"18446744073709551616", NUMBER_OVERFLOW, 0},
		{"0xffffffffffffffff", NUMBER_OK, UINT64_MAX},
		{"0x10000000000000000", NUMBER_OVERFLOW, 0},
		{"17179869183G", NUMBER_OK, UINT64_C(18446744072635809792)},
		{"17179869184G", NUMBER_OVERFLOW, 0},
		{"-1", NUMBER_NEGATIVE, 0},
		{"-1K", NUMBER_NEGATIVE, 0},
		{"1.5M", NUMBER_FRACTION, 0},
		{"", NUMBER_NOT, 0},
		{"K", NUMBER_NOT, 0},
		{"0x", NUMBER_NOT, 0},
		{"0xK", NUMBER_NOT, 0},
		{"x10", NUMBER_NOT, 0},
		{"0X10", NUMBER_NOT, 0},
		{"0x-1", NUMBER_NOT, 0},
		{"0xg", NUMBER_NOT, 0},
		{"10x", NUMBER_NOT, 0},
		{"ff", NUMBER_NOT, 0},
		{"+1", NUMBER_NOT, 0},
		{" 1", NUMBER_NOT, 0},
		{"1 K", NUMBER_NOT, 0},
		{"1KK", NUMBER_NOT, 0},
		{"1k", NUMBER_NOT, 0},
		{"1T", NUMBER_NOT, 0},
		{"1KB", NUMBER_NOT, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t v = 0;
		if (number_read_size(rows[i].text, &v) != rows[i].fault || v != rows[i].value)
			fail_msg("'%s'", rows[i].text);
	}
}

static void test_read_double(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum number_fault fault;
		double value;
	} rows[] = {
		{"1", NUMBER_OK, 1},	  {"-0.5", NUMBER_OK, -0.5},	 {"+2.", NUMBER_OK, 2},
		{".25", NUMBER_OK, 0.25}, {"1e-3", NUMBER_OK, 1e-3},	 {"1E+3", NUMBER_OK, 1000},
		{"0e999", NUMBER_OK, 0},  {"1e400", NUMBER_OVERFLOW, 0}, {"1e-400", NUMBER_UNDERFLOW, 0},
		{"", NUMBER_NOT, 0},	  {".", NUMBER_NOT, 0},		 {"1e", NUMBER_NOT, 0},
		{"1.2.3", NUMBER_NOT, 0}, {"inf", NUMBER_NOT, 0},	 {"nan", NUMBER_NOT, 0},
		{"0x1p3", NUMBER_NOT, 0}, {"1,5", NUMBER_NOT, 0},	 {" 1", NUMBER_NOT, 0},
		{"--1", NUMBER_NOT, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double v = 0;
		if (number_read_double(rows[i].text, &v) != rows[i].fault || v != rows[i].value)
			fail_msg("'%s'", rows[i].text);
	}
}

static void test_units(void **state)
{
	(void)state;
	assert_int_equal(ns_of_ms(1.0), 1000000);
	assert_int_equal(ns_of_ms(0.0000005), 1); /* half a ns, away from zero */
	assert_int_equal(ns_of_ms(0.0000004), 0);
	assert_int_equal(ppm_of_pct(18.9), 189000);
	assert_int_equal(ppm_of_pct(-33.3333), -333333);
	/* What is written as ms reads back to the same ns, to the longest time that can be given. */
	for (uint64_t ns = 1; ns < (uint64_t)(MAX_TIME_MS * 1e6); ns = ns * 3 + 1)
		assert_int_equal(ns_of_ms(ms_of_ns(ns)), ns);
}

static void test_options(void **state)
{
	(void)state;
	static const struct option_row rows[] = {
		{.name = "set", .letter = 's', .value = "VALUE"},
		{.name = "json"},
		{.name = "output", .letter = 'o', .value = "FILE"},
		{0},
	};
	char *args[] = {"--set", "a=b", "file", "-sx", "--set=y=z", "--json", "-", "--", "--json", NULL};
	static const struct {
		int option;
		const char *value;
	} expected[] = {
		{0, "a=b"},
		{OPTION_OPERAND, "file"},
		{0, "x"},
		{0, "y=z"},
		{1, NULL},
		{OPTION_OPERAND, "-"},
		{OPTION_OPERAND, "--json"},
	};
	struct option_walk w;
	struct sahm_err err;
	option_walk_init(&w, rows, args);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(option_walk_next(&w, &err), expected[i].option);
		if (expected[i].value)
			assert_string_equal(w.value, expected[i].value);
	}
	assert_int_equal(option_walk_next(&w, &err), OPTION_END);
	char *bad[][2] = {{"--outptu", NULL}, {"-x", NULL}, {"--json=1", NULL}, {"--set", NULL}};
	static const char *const messages[] = {
		"unknown option '--outptu'; did you mean '--output'?",
		"unknown option '-x' (--help lists them)",
		"option '--json' takes no value",
		"option '--set' needs a value: --set VALUE",
	};
	for (size_t i = 0; i < 4; i++) {
		option_walk_init(&w, rows, bad[i]);
		assert_int_equal(option_walk_next(&w, &err), OPTION_ERROR);
		assert_int_equal(err.status, SAHM_USAGE);
		assert_string_equal(err.msg, messages[i]);
	}
}

struct option_values {
	const char *config, *output, *given_seed;
	struct option_list settings, files;
	bool quiet, draws;
	int direction;
	uint32_t jobs;
	uint64_t seed, bytes, interval_ns;
	double area;
	unsigned method;
};

#define AT(type, member) OPTION_AT(type, struct option_values, member)

static enum sahm_status take_twice(void *files, struct option_walk *w, struct sahm_err *err)
{
	enum sahm_status status = option_list_add(files, w->value, err);
	return status == SAHM_OK && *w->args ? option_list_add(files, *w->args++, err) : status;
}

static const char *const methods[] = {"exhaustive", "anneal", "auto", NULL};

static const struct option_row every_kind[] = {
	{"quiet", 'q', NULL, "", OPTION_FLAG, AT(bool, quiet)},
	{"no-plots", 0, NULL, "", OPTION_CLEAR, AT(bool, draws)},
	{"maximize", 0, NULL, "", OPTION_ONE_OF, AT(int, direction), .value_is = 1},
	{"minimize", 0, NULL, "", OPTION_ONE_OF, AT(int, direction), .value_is = -1},
	{"output", 'o', "FILE", "", OPTION_STRING, AT(const char *, output), .preset_text = "here"},
	{"set", 's', "KEY=VALUE", "", OPTION_LIST, AT(struct option_list, settings), .most = 2},
	{"jobs", 'j', "N", "", OPTION_WHOLE, AT(uint32_t, jobs), .least = 2, .most = 64, .preset = 4},
	{"seed", 0, "N", "", OPTION_COUNT, AT(uint64_t, seed), .most = UINT64_MAX,
	 OPTION_NOTE(struct option_values, given_seed)},
	{"bytes", 0, "SIZE", "", OPTION_SIZE, AT(uint64_t, bytes), .least = 4096, .most = 65536, .unit = 4096,
	 .must = "a multiple of 4K up to 64K"},
	{"interval-ms", 0, "MS", "", OPTION_MS, AT(uint64_t, interval_ns), .least = 1000000, .most = 5000000},
	{"area", 0, "MM2", "", OPTION_AMOUNT, AT(double, area)},
	{"method", 0, "NAME", "", OPTION_CHOICE, AT(unsigned, method), .what = "method", .words = methods},
	{"pair", 0, "A B", "", OPTION_TAKE, AT(struct option_list, files), .take = take_twice},
	{.kind = OPTION_STRING, AT(const char *, config), .what = "configuration", .missing = "there is none"},
};

static void test_every_kind_of_option(void **state)
{
	char *args[] = {"-q",	"--no-plots", "--minimize", "-s",	"a=1",	  "--set=b=2",
			"-j64", "--seed",     "0",	    "--bytes",	"64K",	  "--interval-ms",
			"1.5",	"--area",     "0.5",	    "--method", "anneal", "--pair",
			"x",	"y",	      "mine.cfg",   NULL};
	struct option_values v = {.draws = true};
	struct sahm_err err;
	(void)state;
	assert_int_equal(options_parse(every_kind, args, &v, &err), SAHM_OK);
	assert_true(v.quiet && !v.draws);
	assert_int_equal(v.direction, -1);
	assert_string_equal(v.output, "here");
	assert_int_equal(v.settings.nr, 2);
	assert_string_equal(v.settings.items[0], "a=1");
	assert_string_equal(v.settings.items[1], "b=2");
	assert_int_equal(v.jobs, 64);
	assert_int_equal(v.seed, 0);
	assert_string_equal(v.given_seed, "seed");
	assert_int_equal(v.bytes, 65536);
	assert_int_equal(v.interval_ns, 1500000);
	assert_true(v.area == 0.5);
	assert_int_equal(v.method, 1);
	assert_int_equal(v.files.nr, 2);
	assert_string_equal(v.files.items[1], "y");
	assert_string_equal(v.config, "mine.cfg");
	free(v.settings.items);
	free(v.files.items);
}

/* Result of the arguments (separated by blanks): "" when they are good, else the message. */
static const char *parsed(const char *line, struct option_values *v, struct sahm_err *err)
{
	static char text[256];
	char *args[16];
	size_t nr = 0;
	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		args[nr++] = word;
	args[nr] = NULL;
	*v = (struct option_values){.draws = true};
	enum sahm_status status = options_parse(every_kind, args, v, err);
	free(v->settings.items);
	free(v->files.items);
	assert_true(status == SAHM_OK || (status == SAHM_USAGE && err->status == SAHM_USAGE));
	return status == SAHM_OK ? "" : err->msg;
}

static void test_options_are_held_to_their_rows(void **state)
{
	static const struct {
		const char *line, *message;
	} rows[] = {
		{"c", ""},
		{"", "there is none"},
		{"c d", "one configuration at a time: 'd' is too many"},
		{"c -- -q", "one configuration at a time: '-q' is too many"},
		{"c --quite", "unknown option '--quite'; did you mean '--quiet'?"},
		{"c --quiet=1", "option '--quiet' takes no value"},
		{"c --jobs", "option '--jobs' needs a value: --jobs N"},
		{"c --output=", "option '--output' needs a name: --output FILE"},
		{"c --maximize --maximize", ""},
		{"c --maximize --minimize", "--maximize and --minimize exclude each other"},
		{"c --minimize --maximize", "--maximize and --minimize exclude each other"},
		{"c -s 1 -s 2", ""},
		{"c -s 1 -s 2 -s 3", "--set can be given at most 2 times"},
		{"c -j 2", ""},
		{"c -j 1", "--jobs is a whole number from 2 to 64, not '1'"},
		{"c -j 64", ""},
		{"c -j 65", "--jobs is a whole number from 2 to 64, not '65'"},
		{"c -j 4294967300", "--jobs is a whole number from 2 to 64, not '4294967300'"},
		{"c -j 4K", "--jobs is a whole number from 2 to 64, not '4K'"},
		{"c --seed 18446744073709551615", ""},
		{"c --seed 18446744073709551616",
		 "--seed is '18446744073709551616', must be a whole number from 0 to 18446744073709551615"},
		{"c --seed -1", "--seed is '-1', must be a whole number from 0 to 18446744073709551615"},
		{"c --bytes 4096", ""},
		{"c --bytes 0", "--bytes is '0', must be a multiple of 4K up to 64K"},
		{"c --bytes 0x10000", ""},
		{"c --bytes 68K", "--bytes is '68K', must be a multiple of 4K up to 64K"},
		{"c --bytes 5000", "--bytes is '5000', must be a multiple of 4K up to 64K"},
		{"c --interval-ms 1", ""},
		{"c --interval-ms 0.999", "--interval-ms is '0.999', must be a number from 1 to 5"},
		{"c --interval-ms 5", ""},
		{"c --interval-ms 1000us", ""},
		{"c --interval-ms 0.001s", ""},
		{"c --interval-ms 6ms", "--interval-ms is '6ms', must be a number from 1 to 5"},
		{"c --interval-ms 2h", "--interval-ms is '2h', must be in ns, us, ms or s"},
		{"c --interval-ms 5.001", "--interval-ms is '5.001', must be a number from 1 to 5"},
		{"c --area 1e-9", ""},
		{"c --area 0", "--area is '0', must be a number above 0"},
		{"c --method auto", ""},
		{"c --method autp", "unknown method 'autp', must be exhaustive, anneal or auto; did you mean 'auto'?"},
	};
	struct option_values v;
	struct sahm_err err;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(parsed(rows[i].line, &v, &err), rows[i].message);
	/* Fields of missing options are as before, or as the row has them. */
	parsed("c", &v, &err);
	assert_true(!v.quiet && v.draws && v.direction == 0 && v.jobs == 4 && v.bytes == 0 && !v.given_seed);
	assert_string_equal(v.output, "here");
	parsed("c -o there -j 7", &v, &err);
	assert_true(v.jobs == 7 && strcmp(v.output, "there") == 0);
}

static void test_commands_without_operands(void **state)
{
	static const struct option_row rows[] = {{.kind = OPTION_NONE, .what = "sahm policy list"}};
	char *none[] = {NULL}, *one[] = {"x", NULL};
	struct option_values v = {0};
	struct sahm_err err;
	(void)state;
	assert_int_equal(options_parse(rows, none, &v, &err), SAHM_OK);
	assert_int_equal(options_parse(rows, one, &v, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "'x' is too many: sahm policy list");
}

static const char *nearest(const char *word)
{
	static const char *const candidates[] = {"inertia", "policy", "timestep_ms", "oracle", "offset_ms"};
	struct suggest s;
	suggest_init(&s, word);
	for (size_t i = 0; i < ARRAY_SIZE(candidates); i++)
		suggest_offer(&s, candidates[i]);
	return s.best;
}

static void test_suggestions(void **state)
{
	(void)state;
	assert_string_equal(nearest("intertia"), "inertia");
	assert_string_equal(nearest("polciy"), "policy");
	assert_string_equal(nearest("ORACEL"), "oracle");
	assert_string_equal(nearest("timestep"), "timestep_ms");
	assert_null(nearest("x"));
	assert_null(nearest("speedup"));
	assert_null(nearest(""));
	char text[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, "abc");
	assert_string_equal(suggest_text(&s, text), "");
	suggest_offer(&s, "abd");
	assert_string_equal(suggest_text(&s, text), "; did you mean 'abd'?");
}

static void test_hash_is_blake2b(void **state)
{
	(void)state;
	/* RFC 7693's function with 32 bytes of output; the value for no input is widely published. */
	struct hash h;
	uint8_t out[HASH_BYTES];
	char text[HASH_HEX_BYTES];
	hash_init(&h);
	hash_end(&h, out);
	hash_hex(out, text);
	assert_string_equal(text, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}

static int count_files(const char *folder)
{
	char command[256], line[16] = "";
	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", folder);
	FILE *p = popen(command, "r");
	if (p) {
		if (!fgets(line, sizeof(line), p))
			line[0] = '\0';
		pclose(p);
	}
	return atoi(line);
}

/* A write that failed long before the end is reported with its cause, whether stdio still holds the data or not. */
static void test_cause_of_failed_write(void **state)
{
	(void)state;
	static const char much[100000];
	char folder[] = "/tmp/sahm-cause-XXXXXX", path[64];
	struct atomic_file f;
	struct sahm_err err;
	struct rlimit limit, small;
	for (int mode = 0; mode < 2; mode++) {
		assert_int_equal(atomic_file_open(&f, "/dev/full", &err), SAHM_OK);
		setvbuf(f.stream, NULL, mode ? _IOFBF : _IONBF, BUFSIZ);
		for (int i = 0; i < 20000; i++)
			fputs("row\n", f.stream);
		assert_true(ferror(f.stream));
		assert_int_equal(atomic_file_commit(&f, &err), SAHM_IO);
		assert_string_equal(err.msg, "cannot write '/dev/full': No space left on device");
	}
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out", folder);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 10000;
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(atomic_file_open(&f, path, &err), SAHM_OK);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	fwrite(much, 1, sizeof(much), f.stream);
	bool failed = ferror(f.stream);
	enum sahm_status status = atomic_file_commit(&f, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	signal(SIGXFSZ, before);
	assert_true(failed);
	assert_int_equal(status, SAHM_IO);
	assert_non_null(strstr(err.msg, "/out': File too large"));
	assert_int_equal(count_files(folder), 0);
	rmdir(folder);
}

/* A file is complete or as it was before; nothing is left lying about. */
static void test_atomic_file(void **state)
{
	(void)state;
	char folder[] = "/tmp/sahm-atomic-XXXXXX", path[64], *text;
	struct atomic_file f;
	struct sahm_err err = {0};
	size_t len;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out", folder);
	assert_int_equal(atomic_file_open(&f, path, &err), SAHM_OK);
	fputs("first", f.stream);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(atomic_file_commit(&f, &err), SAHM_OK);
	assert_int_equal(atomic_file_open(&f, path, &err), SAHM_OK);
	fputs("second, given up", f.stream);
	atomic_file_abort(&f);
	assert_int_equal(file_read(path, 100, &text, &len, &err), SAHM_OK);
	assert_string_equal(text, "first");
	assert_int_equal(len, 5);
	free(text);
	assert_int_equal(count_files(folder), 1);
	struct stat st;
	mode_t mask = umask(0);
	umask(mask);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
	assert_int_equal(file_read(path, 4, &text, &len, &err), SAHM_FORMAT);
	/* Unless it may replace one it does not, be it there before or appear meanwhile. */
	assert_int_equal(atomic_file_begin(&f, path, false, &err), SAHM_USAGE);
	snprintf(path, sizeof(path), "%s/late", folder);
	for (int replaces = 0; replaces <= 1; replaces++) {
		unlink(path);
		assert_int_equal(atomic_file_begin(&f, path, replaces, &err), SAHM_OK);
		fputs("ours", f.stream);
		assert_int_equal(file_write(path, "theirs", 6, &err), SAHM_OK);
		assert_int_equal(atomic_file_commit(&f, &err), replaces ? SAHM_OK : SAHM_USAGE);
		assert_int_equal(file_read(path, 100, &text, &len, &err), SAHM_OK);
		assert_string_equal(text, replaces ? "ours" : "theirs");
		free(text);
	}
	assert_int_equal(count_files(folder), 2);
	unlink(path);
	/* A device is written to, never replaced. */
	assert_int_equal(atomic_file_open(&f, "/dev/null", &err), SAHM_OK);
	fputs("gone", f.stream);
	assert_int_equal(atomic_file_commit(&f, &err), SAHM_OK);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	/* So is a pipe, though the link that leads to it names no file: /dev/stdout may be one. */
	int pipe_fds[2];
	char received[8] = "";
	assert_int_equal(pipe(pipe_fds), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", pipe_fds[1]);
	assert_int_equal(atomic_file_open(&f, path, &err), SAHM_OK);
	fputs("through", f.stream);
	assert_int_equal(atomic_file_commit(&f, &err), SAHM_OK);
	assert_int_equal(read(pipe_fds[0], received, sizeof(received) - 1), 7);
	assert_string_equal(received, "through");
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	/* A failed write leaves no file; /dev/full fails every one. */
	assert_int_equal(atomic_file_open(&f, "/dev/full", &err), SAHM_OK);
	fputs("too much", f.stream);
	assert_int_equal(atomic_file_commit(&f, &err), SAHM_IO);
	snprintf(path, sizeof(path), "%s/no/folder", folder);
	assert_int_equal(atomic_file_open(&f, path, &err), SAHM_IO);
	snprintf(path, sizeof(path), "%s/out", folder);
	unlink(path);
	rmdir(folder);
}

TEST_FILE(test_base)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_clean_text),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_textbuf),
		cmocka_unit_test(test_read_u64),
		cmocka_unit_test(test_read_size),
		cmocka_unit_test(test_read_double),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_every_kind_of_option),
		cmocka_unit_test(test_options_are_held_to_their_rows),
		cmocka_unit_test(test_commands_without_operands),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_atomic_file),
		cmocka_unit_test(test_cause_of_failed_write),
		cmocka_unit_test(test_hash_is_blake2b),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
