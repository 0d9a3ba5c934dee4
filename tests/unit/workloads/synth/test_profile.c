/* Reading profiles: kept values, and the message of every fault. */
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/unit/workloads/synth/profile_cases.h"
#include "workloads/trace/trace.h"

/* Line 26 is the head of the table. */
static const char good[] =
	"# sahm profile 1\n"
	"# seed: 18446744073709551615\n"
	"# epoch_ms: 100\n"
	"# cuts: intuitive\n"
	"# digits: 3\n"
	"# follow: Low > Branch: 2.5\n"
	"# machine: made up\n"
	"# licence: MIT\n"
	"# note: for tests: this one\n"
	"# two words: a remark\n"
	"# slower_pct: 10\n"
	"# branches_pki: 200\n"
	"# l1d_accesses_pki: 300\n"
	"# l2_per_miss: 1.5\n"
	"# short_epochs: 4\n"
	"# long_epochs: 50.5\n"
	"# l1i_low_mpki: 0.5\n"
	"# l1i_high_mpki: -\n"
	"# l1d_low_pct: 1\n"
	"# l1d_high_pct: 4\n"
	"# l2_low_pct: 5\n"
	"# l2_high_pct: -\n"
	"# spread: 2\n"
	"# jitter_pct: 0.000000001\n"
	"\n"
	"name, epochs, minstr, single_pct, long_pct, branch_low_pct, branch_high_pct, Low, Branch, L1D\n"
	"one, 100, 12.5, 20, 30, 0.5, 2, 60, 30, 10\n"
	"two,   7, 0.001, 0,  0,   1, -, 0.5, 0,  0\n";

#define WHOLE(n) ((decimal)(n)*DECIMAL_ONE)
#define TENTHS(n) ((decimal)(n)*DECIMAL_ONE / 10)

static void test_good(void **state)
{
	(void)state;
	struct profile p;
	struct cuts cuts;
	must_read_profile("good", good, &p);
	assert_string_equal(p.file, "t.profile");
	assert_true(p.seed == UINT64_MAX);
	assert_int_equal(p.epoch_ns, 100000000);
	assert_true(cuts_named("intuitive", &cuts));
	assert_memory_equal(&p.cuts, &cuts, sizeof(cuts));
	assert_int_equal(p.digits, 3);
	for (unsigned from = 0; from < NR_STATES; from++)
		for (unsigned to = 0; to < NR_STATES; to++)
			assert_int_equal(p.follow[from][to],
					 from == STATE_LOW && to == 1u << COMPONENT_BRANCH ? 2500000 : FOLLOW_ONE);
	assert_string_equal(p.provenance.text[PROVENANCE_MACHINE], "made up");
	assert_string_equal(p.provenance.text[PROVENANCE_LICENCE], "MIT");
	assert_string_equal(p.provenance.text[PROVENANCE_NOTE], "for tests: this one");
	assert_null(p.provenance.text[PROVENANCE_NAME]);
	assert_int_equal(p.nr_rows, 2);
	const struct profile_row *one = &p.rows[0], *two = &p.rows[1];
	assert_string_equal(one->name, "one");
	assert_int_equal(one->line, 27);
	static const struct {
		enum profile_column column;
		decimal one, two;
	} expected[] = {
		{PROFILE_EPOCHS, WHOLE(100), WHOLE(7)},
		{PROFILE_MINSTR, TENTHS(125), DECIMAL_ONE / 1000},
		{PROFILE_SLOWER_PCT, WHOLE(10), WHOLE(10)},
		{PROFILE_BRANCHES_PKI, WHOLE(200), WHOLE(200)},
		{PROFILE_L1D_ACCESSES_PKI, WHOLE(300), WHOLE(300)},
		{PROFILE_L2_PER_MISS, TENTHS(15), TENTHS(15)},
		{PROFILE_SINGLE_PCT, WHOLE(20), 0},
		{PROFILE_SHORT_EPOCHS, WHOLE(4), WHOLE(4)},
		{PROFILE_LONG_PCT, WHOLE(30), 0},
		{PROFILE_LONG_EPOCHS, TENTHS(505), TENTHS(505)},
		{PROFILE_BRANCH_LOW, TENTHS(5), WHOLE(1)},
		{PROFILE_BRANCH_HIGH, WHOLE(2), PROFILE_NONE},
		{PROFILE_L1I_LOW, TENTHS(5), TENTHS(5)},
		{PROFILE_L1I_HIGH, PROFILE_NONE, PROFILE_NONE},
		{PROFILE_L1D_LOW, WHOLE(1), WHOLE(1)},
		{PROFILE_L1D_HIGH, WHOLE(4), WHOLE(4)},
		{PROFILE_L2_LOW, WHOLE(5), WHOLE(5)},
		{PROFILE_L2_HIGH, PROFILE_NONE, PROFILE_NONE},
		{PROFILE_SPREAD, WHOLE(2), WHOLE(2)},
		{PROFILE_JITTER_PCT, 1, 1},
	};
	_Static_assert(ARRAY_SIZE(expected) == NR_PROFILE_COLUMNS, "a column is not looked at");
	for (size_t i = 0; i < NR_PROFILE_COLUMNS; i++)
		if (one->value[expected[i].column] != expected[i].one ||
		    two->value[expected[i].column] != expected[i].two)
			fail_msg("%s", profile_columns[expected[i].column].name);
	for (unsigned s = 0; s < NR_STATES; s++) {
		decimal share = s == STATE_LOW		      ? WHOLE(60)
				: s == 1u << COMPONENT_BRANCH ? WHOLE(30)
				: s == 1u << COMPONENT_L1D    ? WHOLE(10)
							      : 0;
		assert_true(one->share[s] == share);
		assert_true(two->share[s] == (s == STATE_LOW ? TENTHS(5) : 0));
	}
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		size_t len = strcspn(metric_rows[c].key, "_");
		for (unsigned high = 0; high < 2; high++) {
			const char *name = profile_columns[profile_metric_column((enum component)c, high)].name;
			assert_int_equal(strncmp(name, metric_rows[c].key, len), 0);
			assert_non_null(strstr(name, high ? "_high_" : "_low_"));
		}
	}
	profile_release(&p);
}

/* What is as good: a place replaced, and the same content or the value beside. */
static void test_accepted(void **state)
{
	(void)state;
	static const struct {
		const char *name, *from, *to;
		enum profile_column column; /* NR_PROFILE_COLUMNS: not looked at */
		decimal of_first;
	} cases[] = {
		{"byte order mark", "# sahm", "\xef\xbb\xbf# sahm", NR_PROFILE_COLUMNS, 0},
		{"no newline at the end", "0.5, 0,  0\n", "0.5, 0,  0", NR_PROFILE_COLUMNS, 0},
		{"quotes", "one, 100", "\"one\", \"100\"", PROFILE_EPOCHS, WHOLE(100)},
		{"blanks and tabs", "# digits: 3", " \t#\tdigits:\t3 \t", NR_PROFILE_COLUMNS, 0},
		{"an indented column", "# spread: 2", "  # spread: 3", PROFILE_SPREAD, WHOLE(3)},
		{"no blanks", "# spread: 2", "#spread:3", PROFILE_SPREAD, WHOLE(3)},
		{"remarks anywhere", "two,", "# anything, here\n#\n#:\n# a b: c\n\n \t\ntwo,", NR_PROFILE_COLUMNS, 0},
		{"least seed", "18446744073709551615", "0", NR_PROFILE_COLUMNS, 0},
		{"least epoch", "epoch_ms: 100", "epoch_ms: 0.001", NR_PROFILE_COLUMNS, 0},
		{"largest epoch", "epoch_ms: 100", "epoch_ms: 1000000", NR_PROFILE_COLUMNS, 0},
		{"whole ns", "epoch_ms: 100", "epoch_ms: 0.001001", NR_PROFILE_COLUMNS, 0},
		{"fewest digits", "digits: 3", "digits: 2", NR_PROFILE_COLUMNS, 0},
		{"most digits", "digits: 3", "digits: 19", NR_PROFILE_COLUMNS, 0},
		{"no follow", "# follow: Low > Branch: 2.5\n", "", NR_PROFILE_COLUMNS, 0},
		{"follow without blanks", "Low > Branch: 2.5", "Low>Branch:0", NR_PROFILE_COLUMNS, 0},
		{"follow, several", "Low > Branch: 2.5", "Low > Branch: 2\n# follow: Branch > Low: 2",
		 NR_PROFILE_COLUMNS, 0},
		{"follow, largest", "2.5", "999.999999999", NR_PROFILE_COLUMNS, 0},
		{"follow, least", "2.5", "0.000001", NR_PROFILE_COLUMNS, 0},
		{"least epochs", "100, 12.5", "1, 12.5", PROFILE_EPOCHS, WHOLE(1)},
		{"most epochs", "100, 12.5", "4294967296, 12.5", PROFILE_EPOCHS, WHOLE(4294967296)},
		{"whole, with a point", "100, 12.5", "1e2, 12.5", PROFILE_EPOCHS, WHOLE(100)},
		{"least minstr", "12.5", "0.001", PROFILE_MINSTR, DECIMAL_ONE / 1000},
		{"most minstr", "12.5", "1000000", PROFILE_MINSTR, WHOLE(1000000)},
		{"least spread", "spread: 2", "spread: 1", PROFILE_SPREAD, WHOLE(1)},
		{"most spread", "spread: 2", "spread: 1000", PROFILE_SPREAD, WHOLE(1000)},
		{"least short", "short_epochs: 4", "short_epochs: 2", PROFILE_SHORT_EPOCHS, WHOLE(2)},
		{"most jitter", "0.000000001", "90", PROFILE_JITTER_PCT, WHOLE(90)},
		{"single and long are all", "20, 30, 0.5", "70, 30, 0.5", PROFILE_SINGLE_PCT, WHOLE(70)},
		{"LOW at the cut", "20, 30, 0.5", "20, 30, 1", PROFILE_BRANCH_LOW, WHOLE(1)},
		{"HIGH just above the cut", "0.5, 2, 60", "0.5, 1.000000001, 60", PROFILE_BRANCH_HIGH, DECIMAL_ONE + 1},
		{"wrong side, but not needed", "l2_high_pct: -", "l2_high_pct: 1", PROFILE_L2_HIGH, WHOLE(1)},
		{"largest share", "60, 30, 10", "1000000000, 30, 10", NR_PROFILE_COLUMNS, 0},
		{"a name of unusual kind", "one,", "a..b \\ \"c\" $(d) -\xff,", NR_PROFILE_COLUMNS, 0},
		{"a name of digits", "one,", "500.perlbench_r,", NR_PROFILE_COLUMNS, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct profile p;
		char *text = replaced(good, cases[i].from, cases[i].to);
		must_read_profile(cases[i].name, text, &p);
		free(text);
		if (p.nr_rows != 2 || p.digits < 2 ||
		    (cases[i].column < NR_PROFILE_COLUMNS && p.rows[0].value[cases[i].column] != cases[i].of_first))
			fail_msg("%s: read as something else", cases[i].name);
		profile_release(&p);
	}
}

/* Typical values are compared with the named thresholds. */
static void test_other_cuts(void **state)
{
	(void)state;
	struct profile p;
	struct cuts cuts;
	char *text[5] = {replaced(good, "cuts: intuitive", "cuts: p50")};
	text[1] = replaced(text[0], "l1i_low_mpki: 0.5", "l1i_low_mpki: 0.009");
	text[2] = replaced(text[1], "l1d_low_pct: 1", "l1d_low_pct: 0.99");
	text[3] = replaced(text[2], "30, 0.5, 2", "30, 0.34, 0.340000001");
	text[4] = replaced(text[3], "1, -, 0.5", "0.3, -, 0.5");
	must_read_profile("p50", text[4], &p);
	assert_true(cuts_named("p50", &cuts));
	assert_memory_equal(&p.cuts, &cuts, sizeof(cuts));
	profile_release(&p);
	for (size_t i = 0; i < 5; i++)
		free(text[i]);
}

static void test_ends_of_lines(void **state)
{
	(void)state;
	struct textbuf crlf;
	struct profile p;
	textbuf_init(&crlf);
	for (const char *c = good; *c; c++)
		textbuf_printf(&crlf, *c == '\n' ? "\r\n" : "%c", *c);
	must_read_profile("CRLF", crlf.text, &p);
	assert_string_equal(p.provenance.text[PROVENANCE_LICENCE], "MIT");
	assert_string_equal(p.rows[1].name, "two");
	profile_release(&p);
	textbuf_release(&crlf);
}

/* Lines that are not as wide as their table, as spreadsheets write them. */
static void test_spreadsheet(void **state)
{
	(void)state;
	struct textbuf sheet;
	struct profile p, plain;
	textbuf_init(&sheet);
	must_read_profile("plain", good, &plain);
	for (const char *line = good; *line;) {
		size_t len = strcspn(line, "\n");
		bool quoted = line[0] == '#' && memchr(line, ',', len);
		textbuf_printf(&sheet, "%s%.*s%s%s\r\n", quoted ? "\"" : "", (int)len, line, quoted ? "\"" : "",
			       line[0] == '#' ? ",,,,,," : "");
		line += len + 1;
	}
	textbuf_puts(&sheet, ",,,,,,,,,\r\n");
	must_read_profile("spreadsheet", sheet.text, &p);
	assert_int_equal(p.nr_rows, plain.nr_rows);
	assert_int_equal(p.seed, plain.seed);
	assert_memory_equal(p.follow, plain.follow, sizeof(p.follow));
	assert_memory_equal(p.rows[1].value, plain.rows[1].value, sizeof(p.rows[1].value));
	assert_string_equal(p.provenance.text[PROVENANCE_LICENCE], plain.provenance.text[PROVENANCE_LICENCE]);
	profile_release(&p);
	profile_release(&plain);
	textbuf_release(&sheet);
}

static void test_factors(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t factor;
	} cases[] = {{"0", 0}, {"0.000001", 1}, {"0.5", 500000}, {"1.0000019", 1000001}, {"999.999999999", 999999999}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct profile p;
		char *text = replaced(good, "2.5", cases[i].text);
		must_read_profile(cases[i].text, text, &p);
		assert_int_equal(p.follow[STATE_LOW][1u << COMPONENT_BRANCH], cases[i].factor);
		profile_release(&p);
		free(text);
	}
}

#define SPREAD_RANGE "is out of range, must be from 1 to 1000"
#define FOLLOW_RANGE "must be 0 or a number from 0.000001 to below 1000"
#define EPOCH_RANGE "must be whole ns, from 0.001 to 1000000 ms"
#define NO_FILE "cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it"

static void test_faults(void **state)
{
	(void)state;
	/* The message as it is, after "t.profile:". */
	static const struct {
		const char *name, *from, *to, *message;
	} cases[] = {
		/* First line */
		{"no first line", "# sahm profile 1\n", "",
		 "1: not a profile: its first line is not '# sahm profile 1'"},
		{"blank line first", "# sahm profile", "\n# sahm profile",
		 "1: not a profile: its first line is not '# sahm profile 1'"},
		{"version", "profile 1", "profile 2", "1: version '2', this program reads version 1"},
		{"version, longer", "profile 1", "profile 10", "1: version '10', this program reads version 1"},
		{"a trace", "profile", "trace", "1: not a profile: its first line is not '# sahm profile 1'"},

		/* Keys */
		{"key unknown",
		 "# digits:", "# digit:", "5: no key or column is called 'digit'; did you mean 'digits'?"},
		{"column for all unknown",
		 "# spread:", "# spraed:", "23: no key or column is called 'spraed'; did you mean 'spread'?"},
		{"nothing like it is a remark", "# spread:", "# xyz:",
		 "26: missing in the table or, for all rows, above it: spread (sahm help synth)"},
		{"key twice", "# spread: 2", "# seed: 2", "23: 'seed' stands twice, first in line 2"},
		{"note twice", "# spread: 2", "# note: 2", "23: 'note' stands twice, first in line 9"},
		{"column for all twice", "# spread: 2", "# spread: 2\n# spread: 2",
		 "24: 'spread' stands twice, first in line 23"},
		{"state above the table", "# spread: 2", "# Low: 2", "23: 'Low' can only stand in the table"},
		{"name above the table", "# spread: 2", "# name: x", "23: 'name' can only stand in the table"},
		{"column below the head", "one,", "# spread: 2\none,",
		 "27: 'spread' stands below the head of the table, which is too late"},
		{"follow below the head", "two,", "# follow: Low > Low: 2\ntwo,",
		 "28: 'follow' stands below the head of the table, which is too late"},
		{"licence below all", "0.5, 0,  0\n", "0.5, 0,  0\n# licence: none\n",
		 "29: 'licence' stands below the head of the table, which is too late"},
		{"seed missing", "# seed", "# no seed", "26: missing above the table: '# seed: ...'"},
		{"epoch_ms missing", "# epoch_ms", "# no epoch_ms", "26: missing above the table: '# epoch_ms: ...'"},
		{"cuts missing", "# cuts", "# no cuts", "26: missing above the table: '# cuts: ...'"},
		{"digits missing", "# digits", "# no digits", "26: missing above the table: '# digits: ...'"},
		{"seed negative", "18446744073709551615", "-1",
		 "2: seed '-1', must be a whole number from 0 to 18446744073709551615"},
		{"seed too large", "18446744073709551615", "18446744073709551616",
		 "2: seed '18446744073709551616', must be a whole number from 0 to 18446744073709551615"},
		{"seed empty", "18446744073709551615", "",
		 "2: seed '', must be a whole number from 0 to 18446744073709551615"},
		{"digits too few", "digits: 3", "digits: 1", "5: digits '1', must be a whole number from 2 to 19"},
		{"digits too many", "digits: 3", "digits: 20", "5: digits '20', must be a whole number from 2 to 19"},
		{"digits not whole", "digits: 3", "digits: 3.5",
		 "5: digits '3.5', must be a whole number from 2 to 19"},
		{"epoch too short", "epoch_ms: 100", "epoch_ms: 0.000999", "3: epoch_ms '0.000999', " EPOCH_RANGE},
		{"epoch too long", "epoch_ms: 100", "epoch_ms: 1000000.000001",
		 "3: epoch_ms '1000000.000001', " EPOCH_RANGE},
		{"epoch with a part of a ns", "epoch_ms: 100", "epoch_ms: 1.0000001",
		 "3: epoch_ms '1.0000001', " EPOCH_RANGE},
		{"epoch no number", "epoch_ms: 100", "epoch_ms: 100 ms", "3: epoch_ms '100 ms', " EPOCH_RANGE},
		{"epoch negative", "epoch_ms: 100", "epoch_ms: -100", "3: epoch_ms '-100', " EPOCH_RANGE},
		{"cuts unknown", "cuts: intuitive", "cuts: intuitve",
		 "4: no set of thresholds is called 'intuitve'; did you mean 'intuitive'?"},
		{"cuts as numbers", "cuts: intuitive", "cuts: branch_pct=1",
		 "4: no set of thresholds is called 'branch_pct=1'"},

		/* Follow */
		{"no '>'", "Low > Branch: 2.5", "Low Branch: 2.5",
		 "6: 'Low Branch: 2.5' is not of the form FROM > TO: FACTOR"},
		{"no ':'", "Low > Branch: 2.5", "Low > Branch 2.5",
		 "6: 'Low > Branch 2.5' is not of the form FROM > TO: FACTOR"},
		{"':' before '>'", "Low > Branch: 2.5", "Low: 2 > Branch",
		 "6: 'Low: 2 > Branch' is not of the form FROM > TO: FACTOR"},
		{"follow empty", "Low > Branch: 2.5", "", "6: '' is not of the form FROM > TO: FACTOR"},
		{"from unknown", "Low > Branch", "lowe > Branch", "6: no state is called 'lowe'; did you mean 'Low'?"},
		{"to unknown", "Low > Branch", "Low > Branch+L3",
		 "6: no state is called 'Branch+L3'; did you mean 'Branch'?"},
		{"to empty", "Low > Branch", "Low > ", "6: no state is called ''"},
		{"factor empty", "2.5", "", "6: factor '' " FOLLOW_RANGE},
		{"factor no number", "2.5", "2.5x", "6: factor '2.5x' " FOLLOW_RANGE},
		{"factor negative", "2.5", "-1", "6: factor '-1' " FOLLOW_RANGE},
		{"factor too large", "2.5", "1000", "6: factor '1000' " FOLLOW_RANGE},
		{"factor that would be 0", "2.5", "0.000000999", "6: factor '0.000000999' " FOLLOW_RANGE},
		{"follow twice", "# machine: made up", "# follow: Low>Branch: 3",
		 "7: 'Low > Branch' stands twice, first in line 6"},

		/* Head of the table */
		{"column unknown", "minstr,", "minst,", "26: no column is called 'minst'; did you mean 'minstr'?"},
		{"state unknown", "Branch, L1D", "Branch, Branch+L3",
		 "26: no column is called 'Branch+L3'; did you mean 'Branch'?"},
		{"state twice, in another order", "Branch, L1D", "L1D+Branch, branch+l1d",
		 "26: column 'branch+l1d' stands twice"},
		{"tabs", "name, epochs, minstr,", "name\tepochs\tminstr\t",
		 "26: fields are separated by commas, not as in 'name?epochs?minstr? single_pct'"},
		{"semicolons", "name, epochs,", "name; epochs,",
		 "26: fields are separated by commas, not as in 'name; epochs'"},
		{"equals sign", "# spread: 2", "# spread = 2", "23: 'spread' is written as '# spread: value'"},
		{"blank before the colon", "# seed: ", "# seed : ", "2: 'seed' is written as '# seed: value'"},
		{"arrow", "Low > Branch", "Low -> Branch", "6: 'Low ->' is written as '>': FROM > TO: FACTOR"},
		{"long stays shorter than short ones", "# long_epochs: 50.5", "# long_epochs: 3.9",
		 "27: long_epochs of 'one' is below its short_epochs"},
		{"no branches to miss", "# branches_pki: 200", "# branches_pki: 0",
		 "27: branches_pki of 'one' is 0, which spends time in Branch"},
		{"decimal comma", "12.5", "12,5", "27: 11 fields, the head of the table has 10"},
		{"column without a name", "Branch, L1D", "Branch, L1D,", "26: no column is called ''"},
		{"column twice", "Branch, L1D", "Branch, Branch", "26: column 'Branch' stands twice"},
		{"name twice", "Branch, L1D", "Branch, name", "26: column 'name' stands twice"},
		{"in both places", "minstr,", "spread,", "26: column 'spread' stands above the table too, in line 23"},
		{"no name", "name, ", "", "26: column 'name' is missing"},
		{"no state", ", Low, Branch, L1D", "",
		 "26: there is no column for any state, such as 'Low' or 'L2+Branch'"},
		{"column missing", "minstr, ", "",
		 "26: missing in the table or, for all rows, above it: minstr (sahm help synth)"},
		{"column for all missing", "# spread: 2\n", "",
		 "25: missing in the table or, for all rows, above it: spread (sahm help synth)"},
		{"several missing", "epochs, minstr,", "L1I,",
		 "26: missing in the table or, for all rows, above it: epochs, minstr (sahm help synth)"},
		{"no head",
		 "name, epochs, minstr, single_pct, long_pct, branch_low_pct, branch_high_pct, Low, Branch, L1D\n", "",
		 "26: no column is called 'one'"},
		{"head below data", "name,", "two, 7\nname,", "26: no column is called 'two'"},

		/* Values */
		{"empty", "one, 100,", "one, ,", "27: epochs is empty"},
		{"no number", "one, 100,", "one, many,", "27: epochs 'many' is not a number"},
		{"not whole", "one, 100,", "one, 100.5,", "27: epochs '100.5' is not whole"},
		{"no epochs", "one, 100,", "one, 0,", "27: epochs '0' is out of range, must be from 1 to 4294967296"},
		{"too many epochs", "one, 100,", "one, 4294967297,",
		 "27: epochs '4294967297' is out of range, must be from 1 to 4294967296"},
		{"minstr too small", "12.5", "0.000999999",
		 "27: minstr '0.000999999' is out of range, must be from 0.001 to 1000000"},
		{"minstr too large", "12.5", "1000000.000000001",
		 "27: minstr '1000000.000000001' is out of range, must be from 0.001 to 1000000"},
		{"spread too small", "spread: 2", "spread: 0.999999999", "23: spread '0.999999999' " SPREAD_RANGE},
		{"spread too large", "spread: 2", "spread: 1000.000000001",
		 "23: spread '1000.000000001' " SPREAD_RANGE},
		{"spread far too large", "spread: 2", "spread: 1e99", "23: spread '1e99' " SPREAD_RANGE},
		{"spread empty", "spread: 2", "spread:", "23: spread is empty"},
		{"jitter too large", "0.000000001", "90.1",
		 "24: jitter_pct '90.1' is out of range, must be from 0 to 90"},
		{"jitter negative", "0.000000001", "-0.1",
		 "24: jitter_pct '-0.1' is out of range, must be from 0 to 90"},
		{"short stays of 1", "short_epochs: 4", "short_epochs: 1.9",
		 "15: short_epochs '1.9' is out of range, must be from 2 to 1000000"},
		{"long stays of 1", "long_epochs: 50.5", "long_epochs: 1",
		 "16: long_epochs '1' is out of range, must be from 2 to 1000000000"},
		{"'-' where none may stand", "12.5", "-", "27: minstr '-' is not a number"},
		{"'-' for a share", "60, 30, 10", "-, 30, 10", "27: Low '-' is not a number"},
		{"share negative", "60, 30, 10", "60, -30, 10",
		 "27: Branch '-30' is out of range, must be from 0 to 1000000000"},
		{"share too large", "60, 30, 10", "1000000001, 30, 10",
		 "27: Low '1000000001' is out of range, must be from 0 to 1000000000"},
		{"typical value missing", "2, 60", "-, 60",
		 "27: branch_high_pct is missing: 'one' spends time in Branch"},
		{"typical value of LOW missing", "l2_low_pct: 5", "l2_low_pct: -",
		 "27: l2_low_pct is missing: 'one' spends time in Low"},
		{"HIGH at the cut", "2, 60", "1, 60",
		 "27: branch_high_pct of 'one' is not above the threshold, which is 1 %"},
		{"HIGH below the cut", "l1d_high_pct: 4", "l1d_high_pct: 1.5",
		 "27: l1d_high_pct of 'one' is not above the threshold, which is 2 %"},
		{"LOW just above the cut", "l1i_low_mpki: 0.5", "l1i_low_mpki: 1.000000001",
		 "27: l1i_low_mpki of 'one' is above the threshold, which is 1 MPKI"},
		{"LOW above the cut", "l2_low_pct: 5", "l2_low_pct: 11",
		 "27: l2_low_pct of 'one' is above the threshold, which is 10 %"},
		{"second row", "  1, -, 0.5, 0,  0", "2, -, 0.5, 0,  0",
		 "28: branch_low_pct of 'two' is above the threshold, which is 1 %"},
		{"no share", "60, 30, 10", "0, 0, 0", "27: 'one' spends time in no state"},
		{"more than all", "20, 30, 0.5", "70.000000001, 30, 0.5",
		 "27: single_pct and long_pct of 'one' are more than 100 together"},
		{"too few fields", "60, 30, 10", "60, 30", "27: 9 fields, the head of the table has 10"},
		{"too many fields", "60, 30, 10", "60, 30, 10, 1", "27: 11 fields, the head of the table has 10"},
		{"comma at the end", "60, 30, 10", "60, 30, 10,", "27: 11 fields, the head of the table has 10"},

		/* Names */
		{"name empty", "one,", ",", "27: the name is empty"},
		{"name of blanks", "one,", "\" \",", "27: name ' ' " NO_FILE},
		{"name twice", "two,", "one,", "28: 'one' stands twice, first in line 27"},
		{"same name of the trace", "two,", "one-synthetic,",
		 "28: 'one-synthetic' stands twice, first in line 27"},
		{"name with '/'", "one,", "a/b,", "27: name 'a/b' " NO_FILE},
		{"name of a folder above", "one,", "..,", "27: name '..' " NO_FILE},
		{"path upwards", "one,", "../../etc/x,", "27: name '../../etc/x' " NO_FILE},
		{"hidden name", "one,", ".one,", "27: name '.one' " NO_FILE},
		{"name with a control character", "one,", "a\x1b[31mb,", "27: name 'a?[31mb' " NO_FILE},
		{"name with a tab", "one,", "a\tb,", "27: name 'a?b' " NO_FILE},
		{"name with 0x7f", "one,", "a\x7f,", "27: name 'a?' " NO_FILE},
		{"name with a blank in front", "one,", "\" one\",", "27: name ' one' " NO_FILE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct profile p;
		struct sahm_err err;
		char expected[512];
		char *text = replaced(good, cases[i].from, cases[i].to);
		enum sahm_status status = read_profile(text, strlen(text), &p, &err);
		free(text);
		if (status != SAHM_FORMAT)
			fail_msg("%s: status %d", cases[i].name, status);
		snprintf(expected, sizeof(expected), "t.profile:%s", cases[i].message);
		if (strcmp(err.msg, expected) != 0)
			fail_msg("%s: '%s', not '%s'", cases[i].name, err.msg, expected);
	}
}

static void expect_fault(const char *text, size_t len, const char *message)
{
	struct profile p;
	struct sahm_err err;
	assert_int_equal(read_profile(text, len, &p, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, message);
}

static void test_empty(void **state)
{
	(void)state;
	static const char none[] = "t.profile: empty profile: there is no benchmark";
	const size_t head_only = (size_t)(strstr(good, "one,") - good), above = (size_t)(strstr(good, "name,") - good);
	expect_fault("", 0, none);
	expect_fault("# sahm profile 1", 16, none);
	expect_fault(good, above, none);
	expect_fault(good, head_only, none);
	expect_fault("# sahm profile 1\n# a\0b\n", 23, "t.profile:2: byte 0x00 does not belong in text");
}

/* A note of 4,096 bytes is the longest; names end so that files can be called so. */
static void test_long(void **state)
{
	(void)state;
	struct profile p;
	struct textbuf line;
	char *text, name[MAX_PROFILE_NAME_BYTES + 3] = "";
	for (unsigned more = 0; more < 2; more++) {
		textbuf_init(&line);
		for (unsigned i = 0; i < MAX_PROVENANCE_BYTES + more; i++)
			textbuf_putc(&line, 'n');
		text = replaced(good, "for tests: this one", line.text);
		if (more)
			expect_fault(text, strlen(text), "t.profile:9: provenance 'note' is longer than 4096 bytes");
		else
			must_read_profile("longest note", text, &p), profile_release(&p);
		free(text);
		textbuf_release(&line);
		memset(name, 'x', MAX_PROFILE_NAME_BYTES + more);
		text = replaced(good, "\none", "\n@");
		char *named = replaced(text, "@", name);
		if (more)
			expect_fault(named, strlen(named),
				     "t.profile:27: name 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is longer than "
				     "200 bytes");
		else
			must_read_profile("longest name", named, &p), profile_release(&p);
		free(named);
		free(text);
	}
}

/* The longest time that a trace can last, and an epoch more. */
static void test_longest_time(void **state)
{
	(void)state;
	struct profile p;
	char *longest = replaced(good, "epoch_ms: 100", "epoch_ms: 1000000");
	char *fits = replaced(longest, "one, 100", "one, 9223372"),
	     *over = replaced(longest, "one, 100", "one, 9223373");
	must_read_profile("longest", fits, &p);
	profile_release(&p);
	expect_fault(over, strlen(over), "t.profile:27: 'one' lasts longer than 9223372036854775807 ns");
	free(longest);
	free(fits);
	free(over);
}

static void test_many_rows(void **state)
{
	(void)state;
	struct profile p;
	struct textbuf text;
	textbuf_init(&text);
	textbuf_add(&text, good, (size_t)(strstr(good, "one,") - good));
	for (unsigned i = 0; i < MAX_PROFILE_ROWS; i++)
		textbuf_printf(&text, "b%u, 1, 1, 0, 0, 0.5, 2, 60, 30, 10\n", i);
	must_read_profile("most rows", text.text, &p);
	assert_int_equal(p.nr_rows, MAX_PROFILE_ROWS);
	assert_string_equal(p.rows[MAX_PROFILE_ROWS - 1].name, "b16383");
	profile_release(&p);
	textbuf_puts(&text, "more, 1, 1, 0, 0, 0.5, 2, 60, 30, 10\n");
	expect_fault(text.text, text.len, "t.profile:16411: more than 16384 benchmarks");
	textbuf_release(&text);
}

static void test_files(void **state)
{
	(void)state;
	char folder[] = "/tmp/sahm-profile-XXXXXX", path[64];
	struct profile p;
	struct sahm_err err;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/x", folder);
	assert_int_equal(profile_read(path, &p, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "No such file or directory"));
	assert_false(profile_is_one(path));
	assert_int_equal(profile_read(folder, &p, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "Is a directory"));
	assert_false(profile_is_one(folder));
	static const struct {
		const char *text;
		bool is_one;
	} cases[] = {{good, true},
		     {"# sahm profile 2\n", true},
		     {"# sahm profile", false},
		     {"# sahm trace 1\n", false},
		     {"", false}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(cases[i].text, out);
		assert_int_equal(fclose(out), 0);
		assert_int_equal(profile_is_one(path), cases[i].is_one);
		if (cases[i].text != good)
			continue;
		assert_int_equal(profile_read(path, &p, &err), SAHM_OK);
		assert_string_equal(p.file, path);
		profile_release(&p);
	}
	unlink(path);
	rmdir(folder);
}

static void test_stems(void **state)
{
	(void)state;
	assert_int_equal(profile_stem_len("gcc"), 3);
	assert_int_equal(profile_stem_len("gcc-synthetic"), 3);
	assert_int_equal(profile_stem_len("gcc-synthetic-synthetic"), 13);
	assert_int_equal(profile_stem_len("-synthetic"), 10);
	assert_int_equal(profile_stem_len("gcc-synthetic2"), 14);
	assert_int_equal(profile_stem_len("synthetic"), 9);
}

TEST_FILE(test_profile)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	      cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_ends_of_lines), cmocka_unit_test(test_spreadsheet),
		cmocka_unit_test(test_factors),	      cmocka_unit_test(test_faults),
		cmocka_unit_test(test_empty),	      cmocka_unit_test(test_long),
		cmocka_unit_test(test_longest_time),  cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_files),	      cmocka_unit_test(test_stems),
		cmocka_unit_test(test_other_cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
