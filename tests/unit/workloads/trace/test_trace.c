/* Traces: the CSV form, and that the binary form holds the same. Damaged binary traces: test_trace_binary.c. */
#include "sim/base/array.h"
#include "workloads/trace/trace.h"

#include <glob.h>
#include <inttypes.h>
#include <unistd.h>

#include "tests/unit/trace_cases.h"

static const char *const required[] = {
	"instructions", "branches",   "branch_misses", "l1i_misses",
	"l1d_accesses", "l1d_misses", "l2_accesses",   "l2_misses",
};

#define NR_REQUIRED ARRAY_SIZE(required)

static void must_fail(const char *name, const char *text, size_t len, const struct csv_options *options,
		      const char *message)
{
	struct trace *trace = NULL;
	struct sahm_err err = untouched;
	enum sahm_status status = read_csv(text, len, "t.csv", options, NULL, &trace, &err);
	if (status != SAHM_FORMAT || err.status != status)
		fail_msg("%s: status %d, '%s'", name, status, err.msg);
	if (strcmp(err.msg, message) != 0)
		fail_msg("%s:\n  '%s', expected\n  '%s'", name, err.msg, message);
	assert_null(trace);
}

static void assert_same_hash(const struct trace *a, const struct trace *b)
{
	assert_memory_equal(trace_hash(a), trace_hash(b), HASH_BYTES);
}

static void assert_other_hash(const struct trace *a, const struct trace *b)
{
	assert_memory_not_equal(trace_hash(a), trace_hash(b), HASH_BYTES);
}

/* CSV -> trace -> binary -> trace -> CSV. */
static void check_round_trip(const char *name, const char *text)
{
	struct trace *from_csv = must_read_as(name, text, "t.csv", NULL, NULL);
	size_t len, len_again;
	uint8_t *image = image_of(from_csv, &len);
	struct trace *from_binary = must_open(image, len);
	uint8_t *image_again = image_of(from_binary, &len_again);
	char *csv = csv_of(from_binary);
	if (strcmp(csv, text) != 0)
		fail_msg("%s came back as\n%s", name, csv);
	assert_int_equal(len, len_again);
	assert_memory_equal(image, image_again, len);
	assert_same_hash(from_csv, from_binary);
	assert_string_equal(trace_name(from_csv), trace_name(from_binary));
	free(csv);
	free(image);
	free(image_again);
	trace_free(from_csv);
	trace_free(from_binary);
}

static void test_round_trip(void **state)
{
	(void)state;
	check_round_trip("everything", FULL);
	check_round_trip("least", "# sahm trace 1\n# name: t\n# epoch_ns: 1000\n" HEAD ROW);
	check_round_trip("synthetic", "# sahm trace 1\n# name: t\n# source: synthetic\n# epoch_ns: 1000\n" HEAD ROW);
}

static void test_shipped_traces(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob("workloads/suites/small/*.csv", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *text = NULL;
		size_t room = 0;
		FILE *in = fopen(found.gl_pathv[i], "r");
		assert_non_null(in);
		assert_true(getdelim(&text, &room, '\0', in) > 0);
		fclose(in);
		check_round_trip(found.gl_pathv[i], text);
		free(text);
	}
	globfree(&found);
}

/* Both forms as files, opened by what stands in them and not by what they are called. */
static void test_files(void **state)
{
	(void)state;
	char folder[] = "/tmp/sahm-test-XXXXXX", csv_path[64], binary_path[64];
	struct sahm_err err = untouched;
	assert_non_null(mkdtemp(folder));
	snprintf(csv_path, sizeof(csv_path), "%s/a.trc", folder);
	snprintf(binary_path, sizeof(binary_path), "%s/b.csv", folder);
	FILE *out = fopen(csv_path, "w");
	assert_non_null(out);
	fputs(FULL, out);
	assert_int_equal(fclose(out), 0);

	struct trace *from_csv, *from_binary, *none = NULL;
	assert_int_equal(trace_open(csv_path, NULL, &from_csv, &err), SAHM_OK);
	out = fopen(binary_path, "w");
	assert_non_null(out);
	trace_write_binary(from_csv, out, NULL);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(trace_open(binary_path, NULL, &from_binary, &err), SAHM_OK);
	assert_int_equal(trace_verify(from_binary, &err), SAHM_OK);
	assert_same_hash(from_csv, from_binary);
	assert_string_equal(trace_file(from_csv), csv_path);
	assert_string_equal(trace_file(from_binary), binary_path);
	char *csv = csv_of(from_binary);
	assert_string_equal(csv, FULL);
	assert_string_equal(err.msg, "untouched");
	free(csv);
	trace_free(from_csv);
	trace_free(from_binary);

	assert_int_equal(trace_open("no/such.trc", NULL, &none, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot open 'no/such.trc': No such file or directory");
	assert_int_equal(trace_open("workloads", NULL, &none, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot open 'workloads': Is a directory");
	unlink(csv_path);
	unlink(binary_path);
	rmdir(folder);
}

static void test_hash(void **state)
{
	(void)state;
	struct trace *plain = must_read(NAMED HEAD ROW ROW);
	static const struct {
		const char *name, *file, *text;
		bool same;
	} rows[] = {
		{"another path", "some/where/else.csv", NAMED HEAD ROW ROW, true},
		{"other provenance", "t.csv",
		 NAMED "# source: recorded\n# program: p\n# tool: t\n# machine: m\n# date: d\n# licence: l\n"
		       "# note: n\n# event.branches: b\n" HEAD ROW ROW,
		 true},
		{"other writing", "t.csv",
		 "\xef\xbb\xbf" NAMED "\r\n" HEAD "\r\n" ROW "\"1000\", 200 ,020,3,300,30,33,4", true},
		{"name", "t.csv", "# sahm trace 1\n# name: u\n# epoch_ns: 1000000\n" HEAD ROW ROW, true},
		{"source", "t.csv", NAMED "# source: synthetic\n" HEAD ROW ROW, false},
		{"nominal time", "t.csv", NAMED "# epoch: e\n" HEAD ROW ROW, false},
		{"epoch length", "t.csv", "# sahm trace 1\n# name: t\n# epoch_ns: 1000001\n" HEAD ROW ROW, false},
		{"an epoch more", "t.csv", NAMED HEAD ROW ROW ROW, false},
		{"an epoch less", "t.csv", NAMED HEAD ROW, false},
		{"another count", "t.csv", NAMED HEAD ROW "1000,200,20,3,300,30,33,5\n", false},
		{"counts shifted alike", "t.csv", NAMED HEAD "1001,200,20,3,300,30,33,4\n1001,200,20,3,300,30,33,4\n",
		 false},
		{"cycles", "t.csv", NAMED COLUMNS ",cycles\n1000,200,20,3,300,30,33,4,0\n1000,200,20,3,300,30,33,4,0\n",
		 false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace *other = must_read_as(rows[i].name, rows[i].text, rows[i].file, NULL, NULL);
		if ((memcmp(trace_hash(plain), trace_hash(other), HASH_BYTES) == 0) != rows[i].same)
			fail_msg("%s: the hash is %s", rows[i].name, rows[i].same ? "another" : "the same");
		trace_free(other);
	}
	/* A name that contains "synthetic" is not the same as a synthetic trace. */
	struct trace *a = must_read("# sahm trace 1\n# name: t-synthetic\n# source: synthetic\n" HEAD ROW);
	struct trace *b = must_read("# sahm trace 1\n# name: t-synthetic\n# source: recorded\n" HEAD ROW);
	assert_other_hash(a, b);
	trace_free(a);
	trace_free(b);
	/* The meaning of an epoch does not matter to figures, only whether it is a stretch of time. */
	a = must_read(NAMED "# epoch: 10 instructions\n" HEAD ROW ROW);
	b = must_read(NAMED "# epoch:\n" HEAD ROW ROW);
	assert_true(provenance_is_nominal(trace_provenance(a)) && provenance_is_nominal(trace_provenance(b)));
	assert_false(provenance_is_nominal(trace_provenance(plain)));
	assert_memory_equal(trace_hash(a), trace_hash(b), HASH_BYTES);
	trace_free(a);
	trace_free(b);
	trace_free(plain);
}

static void test_synthetic_names(void **state)
{
	(void)state;
	static const struct {
		const char *text, *name;
	} rows[] = {
		{"# sahm trace 1\n# name: t\n# source: synthetic\n" HEAD ROW, "t-synthetic"},
		{"# sahm trace 1\n# name: synthetic-7\n# source: synthetic\n" HEAD ROW, "synthetic-7"},
		{"# sahm trace 1\n# source: synthetic\n" HEAD ROW, "file-synthetic"},
		{"# sahm trace 1\n# name: t\n# source: recorded\n" HEAD ROW, "t"},
		{"# sahm trace 1\n# name: t\n" HEAD ROW, "t"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace *trace = must_read_as(rows[i].name, rows[i].text, "a/file.csv", NULL, NULL);
		assert_string_equal(trace_name(trace), rows[i].name);
		trace_free(trace);
	}
}

static void test_names_after_files(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"a/b.d/prog.csv", "prog"},   {"prog", "prog"},		  {"a.b/prog", "prog"},
		{"v1.2.csv", "v1.2"},	      {"a/.csv", ".csv"},	  {"dir/", "trace"},
		{"a\tb.csv", "a b"},	      {"a/prog.csv.zst", "prog"}, {"prog.zst", "prog"},
		{"v1.2.csv.zst", "v1.2"},     {".csv.zst", ".csv"},	  {"a/.zst", ".zst"},
		{"prog.zst.csv", "prog.zst"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace *trace = must_read_as(rows[i][0], HEAD ROW, rows[i][0], NULL, NULL);
		assert_string_equal(trace_name(trace), rows[i][1]);
		trace_free(trace);
	}
}

static const struct epoch_counts row_counts = {
	.count = {[COUNTER_INSTRUCTIONS] = 1000,
		  [COUNTER_BRANCHES] = 200,
		  [COUNTER_BRANCH_MISSES] = 20,
		  [COUNTER_L1I_MISSES] = 3,
		  [COUNTER_L1D_ACCESSES] = 300,
		  [COUNTER_L1D_MISSES] = 30,
		  [COUNTER_L2_ACCESSES] = 33,
		  [COUNTER_L2_MISSES] = 4},
};

static void test_accepted_writings(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text, *notes;
	} rows[] = {
		{"plain", NAMED HEAD ROW, ""},
		{"order of columns",
		 NAMED "l2_misses,l2_accesses,l1d_misses,l1d_accesses,l1i_misses,branch_misses,branches,instructions\n"
		       "4,33,30,300,3,20,200,1000\n",
		 ""},
		{"other columns", NAMED "time," COLUMNS ",\n0.5e,1000,200,20,3,300,30,33,4,-\n",
		 "t.csv:4: passed over, since no counter is called so: column 'time', ''\n"},
		{"another column twice", NAMED "x," COLUMNS ",x\n,1000,200,20,3,300,30,33,4,\n",
		 "t.csv:4: passed over, since no counter is called so: column 'x', 'x'\n"},
		{"names are told by case", NAMED "Branches," COLUMNS "\n9,1000,200,20,3,300,30,33,4\n",
		 "t.csv:4: passed over, since no counter is called so: column 'Branches'\n"},
		{"line ends of other systems",
		 "# sahm trace 1\r\n# name: t\r\n# epoch_ns: 1000000\r\n" COLUMNS "\r\n1000,200,20,3,300,30,33,4\r\n",
		 ""},
		{"byte order mark", "\xef\xbb\xbf" NAMED HEAD ROW, ""},
		{"blank lines", NAMED "\n  \n\t\n" HEAD "\n" ROW "\n\n", ""},
		{"no end of line at the end", NAMED HEAD "1000,200,20,3,300,30,33,4",
		 "t.csv:5: the last line has no end: its last number may be cut short\n"},
		{"quotes",
		 NAMED "\"instructions\",\"branches\",\"branch_misses\",\"l1i_misses\",\"l1d_accesses\","
		       "\"l1d_misses\",\"l2_accesses\",\"l2_misses\"\n"
		       "\"1000\",\"200\",20,3,300,30,33,\"4\"\n",
		 ""},
		{"blanks",
		 NAMED " instructions , branches\t,\tbranch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,"
		       "l2_misses \n  1000 , 200\t,\t20,3,300,30,33, \"4\" \n",
		 ""},
		{"zeros in front", NAMED HEAD "00001000,0200,20,3,300,30,33,4\n", ""},
		{"comments between rows", NAMED HEAD "# a remark\n" ROW "# note: at the end\n", ""},
		{"epoch length not given", "# sahm trace 1\n# name: t\n" HEAD ROW,
		 "t.csv: no epoch length is given, taken as 100 ms\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf notes;
		textbuf_init(&notes);
		struct trace *trace = must_read_as(rows[i].name, rows[i].text, "t.csv", NULL, &notes);
		if (trace_nr_epochs(trace) != 1)
			fail_msg("%s: %" PRIu64 " epochs", rows[i].name, trace_nr_epochs(trace));
		expect_epoch(rows[i].name, trace, 0, &row_counts);
		assert_false(trace_has_cycles(trace));
		if (strcmp(notes.text, rows[i].notes) != 0)
			fail_msg("%s: notes '%s'", rows[i].name, notes.text);
		textbuf_release(&notes);
		trace_free(trace);
	}
}

static void test_cycles(void **state)
{
	(void)state;
	struct epoch_counts expected = row_counts;
	expected.count[COUNTER_CYCLES] = 12345;
	struct trace *trace = must_read(NAMED "cycles," COLUMNS "\n12345,1000,200,20,3,300,30,33,4\n");
	assert_true(trace_has_cycles(trace));
	expect_epoch("cycles", trace, 0, &expected);
	char *csv = csv_of(trace);
	assert_string_equal(csv, NAMED COLUMNS ",cycles\n1000,200,20,3,300,30,33,4,12345\n");
	free(csv);
	trace_free(trace);
}

/* Odd counts are kept and remarked upon once. */
static void test_odd_counts(void **state)
{
	(void)state;
	struct textbuf notes;
	textbuf_init(&notes);
	struct trace *trace = must_read_as(
		"odd", NAMED HEAD ROW "9,10,0,0,0,0,0,0\n9,9,0,0,9,0,0,0\n9,0,0,0,10,0,0,0\n", "t.csv", NULL, &notes);
	assert_string_equal(
		notes.text,
		"t.csv:6: 2 epochs with more branches or data accesses than instructions, this one first\n");
	assert_int_equal(trace_nr_epochs(trace), 4);
	textbuf_release(&notes);
	trace_free(trace);
}

static void test_epoch_length(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
		uint64_t option, expected;
	} rows[] = {
		{"as the file says", "# sahm trace 1\n# epoch_ns: 250000\n" HEAD ROW, 0, 250000},
		{"the option wins", "# sahm trace 1\n# epoch_ns: 250000\n" HEAD ROW, 5000, 5000},
		{"the option alone", HEAD ROW, 5000, 5000},
		{"neither", HEAD ROW, 0, 100000000},
		{"another file's comment", "# epoch_ns: nonsense\n" HEAD ROW, 0, 100000000},
		{"shortest", "# sahm trace 1\n# epoch_ns: 1000\n" HEAD ROW, 0, 1000},
		{"longest", "# sahm trace 1\n# epoch_ns: 1000000000000\n" HEAD ROW, 0, UINT64_C(1000000000000)},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct csv_options options = {.epoch_ns = rows[i].option};
		struct trace *trace = must_read_as(rows[i].name, rows[i].text, "t.csv", &options, NULL);
		if (trace_epoch_ns(trace) != rows[i].expected)
			fail_msg("%s: %" PRIu64 " ns", rows[i].name, trace_epoch_ns(trace));
		trace_free(trace);
	}
	struct csv_options options = {.epoch_ns = 999};
	must_fail("option too short", HEAD ROW, strlen(HEAD ROW), &options,
		  "t.csv: epochs of 999 ns, must be from 1000 to 1000000000000");
}

/* What the caller says replaces what the file says. */
static void test_provenance_option(void **state)
{
	(void)state;
	struct csv_options options = {.provenance = {.text = {[PROVENANCE_NAME] = "mine", [PROVENANCE_NOTE] = "n"},
						     .event = {[COUNTER_BRANCHES] = "br"}}};
	struct trace *trace =
		must_read_as("option", NAMED "# tool: t\n# event.branches: b\n" HEAD ROW, "t.csv", &options, NULL);
	const struct provenance *p = trace_provenance(trace);
	assert_string_equal(trace_name(trace), "mine");
	assert_string_equal(p->text[PROVENANCE_NAME], "mine");
	assert_string_equal(p->text[PROVENANCE_NOTE], "n");
	assert_string_equal(p->text[PROVENANCE_TOOL], "t");
	assert_string_equal(p->event[COUNTER_BRANCHES], "br");
	assert_null(p->text[PROVENANCE_SOURCE]);
	trace_free(trace);
}

/* Blanks in front of a value are no part of it, nor are control characters, which become blanks: either would be lost
 * on the way through the other form. */
static void test_provenance_blanks(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"# note: x", "x"},   {"# note:   x", "x"}, {"#note:\tx", "x"}, {"# note: \x01\x02 x\x7fy", "x y"},
		{"# note: \x01", ""}, {"# note: x ", "x "},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[512];
		snprintf(text, sizeof(text), "# sahm trace 1\n# name: t\n%s\n# epoch_ns: 1000\n" HEAD ROW, rows[i][0]);
		struct trace *trace = must_read(text);
		assert_string_equal(trace_provenance(trace)->text[PROVENANCE_NOTE], rows[i][1]);
		char *csv = csv_of(trace);
		check_round_trip(rows[i][0], csv);
		free(csv);
		trace_free(trace);
	}
	must_fail("blank name", "# sahm trace 1\n# name: \x01 \n" HEAD ROW, 26 + sizeof(HEAD ROW) - 1, NULL,
		  "t.csv:2: the name is empty");
}

static void test_csv_errors(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text, *message;
	} rows[] = {
		{"nothing", "", "t.csv: empty trace: there is no header row"},
		{"blank lines", "\n \n\r\n", "t.csv: empty trace: there is no header row"},
		{"only comments", NAMED, "t.csv: empty trace: there is no header row"},
		{"only a byte order mark", "\xef\xbb\xbf", "t.csv: empty trace: there is no header row"},
		{"only a header", NAMED HEAD, "t.csv: empty trace: there are no epochs"},
		{"no header", ROW ROW,
		 "t.csv:1: column 'instructions' is missing; is it another tool's output? `sahm trace import` "
		 "reads it"},
		{"duplicate column", "branches," HEAD ROW, "t.csv:1: column 'branches' stands twice"},
		{"not a number", HEAD ROW "1000,abc,20,3,300,30,33,4\n",
		 "t.csv:3: 'abc' in column 'branches' is not a number"},
		{"a number and more", HEAD "1000,200x,20,3,300,30,33,4\n",
		 "t.csv:2: '200x' in column 'branches' is not a number"},
		{"hexadecimal", HEAD "1000,0x10,20,3,300,30,33,4\n",
		 "t.csv:2: '0x10' in column 'branches' is not a number"},
		{"not a number at all", HEAD "1000,200,20,nan,300,30,33,4\n",
		 "t.csv:2: 'nan' in column 'l1i_misses' is not a number"},
		{"plus", HEAD "+1000,200,20,3,300,30,33,4\n",
		 "t.csv:2: '+1000' in column 'instructions' is not a number"},
		{"two numbers", HEAD "1 000,200,20,3,300,30,33,4\n",
		 "t.csv:2: '1 000' in column 'instructions' is not a number"},
		{"empty field", HEAD "1000,,20,3,300,30,33,4\n", "t.csv:2: column 'branches' is empty"},
		{"empty quotes", HEAD "1000,200,20,3,300,30,33,\"\"\n", "t.csv:2: column 'l2_misses' is empty"},
		{"negative", NAMED "\n" HEAD "# remark\n\n1000,-3,20,3,300,30,33,4\n",
		 "t.csv:8: negative count '-3' in column 'branches'"},
		{"minus zero", HEAD "1000,200,20,3,300,30,33,-0\n",
		 "t.csv:2: negative count '-0' in column 'l2_misses'"},
		{"negative fraction", HEAD "1000,200,20,3,300,30,33,-0.5\n",
		 "t.csv:2: negative count '-0.5' in column 'l2_misses'"},
		{"fraction", HEAD "1000.5,200,20,3,300,30,33,4\n",
		 "t.csv:2: count '1000.5' in column 'instructions' is not whole"},
		{"overflow", HEAD "18446744073709551616,200,20,3,300,30,33,4\n",
		 "t.csv:2: count '18446744073709551616' in column 'instructions' overflows: it does not fit 64 bits"},
		{"great overflow", HEAD "99999999999999999999999999999999999999999999999999,200,20,3,300,30,33,4\n",
		 "t.csv:2: count '9999999999999999999999999999999999999999' in column 'instructions' overflows: it "
		 "does not fit 64 bits"},
		{"branch misses", HEAD "1000,200,201,3,300,30,33,4\n",
		 "t.csv:2: branch_misses (201) above branches (200)"},
		{"L1D misses", HEAD "1000,200,20,3,300,301,33,4\n",
		 "t.csv:2: l1d_misses (301) above l1d_accesses (300)"},
		{"L2 misses", HEAD ROW "1000,200,20,3,300,30,33,34\n",
		 "t.csv:3: l2_misses (34) above l2_accesses (33)"},
		{"a field less", HEAD "1000,200,20,3,300,30,33\n", "t.csv:2: 7 fields, the header has 8"},
		{"a field more", HEAD "1000,200,20,3,300,30,33,4,5\n", "t.csv:2: 9 fields, the header has 8"},
		{"a comma more", HEAD "1000,200,20,3,300,30,33,4,\n", "t.csv:2: 9 fields, the header has 8"},
		{"unknown key", "# sahm trace 1\n# nam: t\n" HEAD ROW,
		 "t.csv:2: unknown provenance key 'nam'; did you mean 'name'?"},
		{"unknown event", "# sahm trace 1\n# event.branch_miss: t\n" HEAD ROW,
		 "t.csv:2: unknown provenance key 'event.branch_miss'; did you mean 'event.branch_misses'?"},
		{"unknown key, nothing near", "# sahm trace 1\n# zzzzzzzz: t\n" HEAD ROW,
		 "t.csv:2: unknown provenance key 'zzzzzzzz' (sahm help traces lists them)"},
		{"unknown key behind the rows", "# sahm trace 1\n" HEAD ROW "# tol: t\n",
		 "t.csv:4: unknown provenance key 'tol'; did you mean 'tool'?"},
		{"unknown source", "# sahm trace 1\n# source: sythetic\n" HEAD ROW,
		 "t.csv:2: unknown source 'sythetic' (recorded, modelled or synthetic); did you mean 'synthetic'?"},
		{"empty name", "# sahm trace 1\n# name: \n" HEAD ROW, "t.csv:2: the name is empty"},
		{"version 2", "# sahm trace 2\n" HEAD ROW, "t.csv:1: version '2', this program reads version 1"},
		{"version 10", "# sahm trace 10\n" HEAD ROW, "t.csv:1: version '10', this program reads version 1"},
		{"no version", "# sahm trace \n" HEAD ROW, "t.csv:1: version '', this program reads version 1"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		must_fail(rows[i].name, rows[i].text, strlen(rows[i].text), NULL, rows[i].message);
	static const char nul[] = HEAD "1000,200,20,3,3\0"
				       "00,30,33,4\n";
	must_fail("NUL byte", nul, sizeof(nul) - 1, NULL, "t.csv:2: byte 0x00 does not belong in text");
	static const char *const lengths[] = {"abc", "999",   "1000000000001",	     "1e8", "-5", "1000.0",
					      "",    "1000 ", "18446744073709551616"};
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		char text[256], message[256];
		snprintf(text, sizeof(text), "# sahm trace 1\n# epoch_ns: %s\n" HEAD ROW, lengths[i]);
		snprintf(message, sizeof(message),
			 "t.csv:2: epoch_ns '%s', must be a whole number from 1000 to 1000000000000", lengths[i]);
		must_fail("epoch length", text, strlen(text), NULL, message);
	}
}

/* Each column left out, and each written wrongly. */
static void test_missing_columns(void **state)
{
	(void)state;
	for (size_t left_out = 0; left_out < NR_REQUIRED; left_out++) {
		char gone[256] = "", wrong[256] = "", message[256];
		for (size_t i = 0; i < NR_REQUIRED; i++) {
			if (i != left_out)
				strcat(strcat(gone, *gone ? "," : ""), required[i]);
			strcat(strcat(wrong, *wrong ? "," : ""), required[i]);
			if (i == left_out)
				strcat(wrong, "_");
		}
		snprintf(message, sizeof(message), "t.csv:1: column '%s' is missing", required[left_out]);
		must_fail(required[left_out], gone, strlen(gone), NULL, message);
		snprintf(message, sizeof(message), "t.csv:1: column '%s' is missing; is it '%s_'?", required[left_out],
			 required[left_out]);
		must_fail(required[left_out], wrong, strlen(wrong), NULL, message);
	}
	must_fail("swapped letters", "instructions,branches,branch_misses,l1i_misses,l1d_acecsses,l1d_misses,x,y\n", 75,
		  NULL, "t.csv:1: column 'l1d_accesses' is missing; is it 'l1d_acecsses'?");
}

static void test_equal_is_no_contradiction(void **state)
{
	(void)state;
	trace_free(must_read(HEAD "1000,200,200,3,300,300,33,33\n0,0,0,5,0,0,0,0\n"));
}

/* Lines of the longest length that is read, and of one more. */
static void test_long_lines(void **state)
{
	(void)state;
	enum { LONGEST = 65535 };
	static const struct {
		const char *name;
		size_t length;
		const char *end;
		bool accepted;
	} rows[] = {
		{"longest", LONGEST, "\n", true},
		{"longest, CRLF", LONGEST, "\r\n", true},
		{"longest, at the end", LONGEST, "", true},
		{"one more", LONGEST + 1, "\n", false},
		{"one more, CRLF", LONGEST + 1, "\r\n", false},
		{"one more, at the end", LONGEST + 1, "", false},
		{"100,000", 100000, "\n", false},
		{"a million", 1000000, "\n", false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf b;
		textbuf_init(&b);
		textbuf_puts(&b, HEAD ROW);
		size_t start = b.len;
		textbuf_puts(&b, "1000,200,20,3,300,30,33,");
		while (b.len - start < rows[i].length - 1)
			textbuf_putc(&b, ' ');
		textbuf_putc(&b, '4');
		textbuf_puts(&b, rows[i].end);
		if (rows[i].accepted) {
			struct trace *trace = must_read_as(rows[i].name, b.text, "t.csv", NULL, NULL);
			expect_epoch(rows[i].name, trace, 1, &row_counts);
			trace_free(trace);
		} else {
			must_fail(rows[i].name, b.text, b.len, NULL, "t.csv:3: line is longer than 65535 characters");
		}
		textbuf_release(&b);
	}
}

static void test_many_columns(void **state)
{
	(void)state;
	for (unsigned more = 248; more <= 249; more++) {
		struct textbuf b;
		textbuf_init(&b);
		textbuf_puts(&b, COLUMNS);
		for (unsigned i = 0; i < more; i++)
			textbuf_printf(&b, ",x%u", i);
		textbuf_puts(&b, "\n1000,200,20,3,300,30,33,4");
		for (unsigned i = 0; i < more; i++)
			textbuf_puts(&b, ",");
		if (more == 248)
			trace_free(must_read(b.text));
		else
			must_fail("257 columns", b.text, b.len, NULL, "t.csv:1: more than 256 columns");
		textbuf_release(&b);
	}
}

static void test_long_provenance(void **state)
{
	(void)state;
	for (unsigned length = MAX_PROVENANCE_BYTES; length <= MAX_PROVENANCE_BYTES + 1; length++) {
		struct textbuf b;
		textbuf_init(&b);
		textbuf_puts(&b, "# sahm trace 1\n# note: ");
		for (unsigned i = 0; i < length; i++)
			textbuf_putc(&b, 'n');
		textbuf_puts(&b, "\n" HEAD ROW);
		if (length == MAX_PROVENANCE_BYTES) {
			struct trace *trace = must_read(b.text);
			assert_int_equal(strlen(trace_provenance(trace)->text[PROVENANCE_NOTE]), length);
			trace_free(trace);
		} else {
			must_fail("long note", b.text, b.len, NULL,
				  "t.csv:2: provenance 'note' is longer than 4096 bytes");
		}
		textbuf_release(&b);
	}
}

static void test_blocks(void **state)
{
	(void)state;
	static const uint64_t sizes[] = {1, 2, BLOCK_EPOCHS - 1, BLOCK_EPOCHS, BLOCK_EPOCHS + 1, 3 * BLOCK_EPOCHS + 1};
	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		struct trace *trace = build(sizes[s], s % 2);
		struct sahm_err err = untouched;
		size_t len;
		uint8_t *image = image_of(trace, &len);
		struct trace *again = must_open(image, len);
		char *csv = csv_of(again);
		struct trace *from_csv = must_read(csv);
		assert_same_hash(trace, again);
		assert_same_hash(trace, from_csv);
		assert_int_equal(trace_nr_epochs(from_csv), sizes[s]);
		struct epoch_counts *all = calloc(sizes[s], sizeof(*all));
		assert_non_null(all);
		assert_int_equal(trace_read(again, 0, sizes[s], all, &err), SAHM_OK);
		for (uint64_t e = 0; e < sizes[s]; e++) {
			struct epoch_counts expected = counts_at(e);
			if (s % 2 == 0)
				expected.count[COUNTER_CYCLES] = 0;
			assert_memory_equal(&all[e], &expected, sizeof(expected));
			if (e % 977 == 0 || e % BLOCK_EPOCHS < 2)
				expect_epoch("one", again, e, &expected);
		}
		free(all);
		free(csv);
		free(image);
		trace_free(trace);
		trace_free(again);
		trace_free(from_csv);
	}
}

static void test_states(void **state)
{
	(void)state;
	enum { NR = BLOCK_EPOCHS + 300 };
	struct trace *trace = build(NR, false);
	struct cuts cuts;
	struct sahm_err err = untouched;
	static uint8_t states[NR];
	assert_true(cuts_named(DEFAULT_CUTS, &cuts));
	assert_int_equal(trace_states(trace, &cuts, states, &err), SAHM_OK);
	for (uint64_t e = 0; e < NR; e++) {
		struct epoch_counts counts = counts_at(e);
		assert_int_equal(states[e], cuts_classify(&cuts, &counts));
	}
	trace_free(trace);
}

/* A trace that says that it is synthetic stays so, whatever its importer says. */
static void test_synthetic_stays(void **state)
{
	(void)state;
	static const char text[] = "# sahm trace 1\n# source: synthetic\n" HEAD ROW;
	const struct csv_options recorded = {.provenance = {.text = {[PROVENANCE_SOURCE] = "recorded"}}};
	const struct csv_options synthetic = {.provenance = {.text = {[PROVENANCE_SOURCE] = "synthetic"}}};
	struct trace *trace = NULL;
	struct sahm_err err;
	assert_int_equal(read_csv(text, strlen(text), "t.csv", &recorded, NULL, &trace, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "t.csv: the file says that it is synthetic, which source=recorded cannot change");
	trace_free(must_read_as("the same source", text, "t.csv", &synthetic, NULL));
	/* The other way round something is added, nothing lost. */
	trace = must_read_as("recorded", "# sahm trace 1\n# source: recorded\n" HEAD ROW, "t.csv", &synthetic, NULL);
	assert_true(provenance_is_synthetic(trace_provenance(trace)));
	trace_free(trace);
}

TEST_FILE(test_trace)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_synthetic_stays),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_shipped_traces),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_synthetic_names),
		cmocka_unit_test(test_names_after_files),
		cmocka_unit_test(test_accepted_writings),
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_odd_counts),
		cmocka_unit_test(test_epoch_length),
		cmocka_unit_test(test_provenance_option),
		cmocka_unit_test(test_provenance_blanks),
		cmocka_unit_test(test_csv_errors),
		cmocka_unit_test(test_missing_columns),
		cmocka_unit_test(test_equal_is_no_contradiction),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_many_columns),
		cmocka_unit_test(test_long_provenance),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
