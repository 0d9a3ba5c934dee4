/* Recorded signals: rows of both forms, the input sets that they make, and what is no such file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/signals.h"
#include "sim/base/textbuf.h"
#include "sim/base/zstd_stream.h"
#include "tests/helper/encode.h"
#include "tests/helper/unit_program.h"
#include "tests/unit/test.h"

/* "pc" is wired to ADDR. */
static const struct abi *spec(void)
{
	static struct abi abi = {
		.name = "made",
		.file = "made.cfg",
		.nr_signals = 5,
		.signals =
			{
				{.name = "pc", .bits = 64, .reg = 3, .rate = 0},
				{.name = "busy", .bits = 1, .reg = 0, .rate = 1},
				{.name = "slow", .bits = 8, .reg = 7, .rate = 4},
				{.name = "miss", .bits = 64, .reg = 31, .rate = 0},
				{.name = "head", .bits = 16, .reg = 9, .rate = 1, .is_level = true},
			},
		.former = {"missed"},
		.nr_former = 1,
	};
	abi.addr = &abi.signals[0];
	return &abi;
}

static FILE *stream_of(const char *bytes, size_t len)
{
	FILE *in = fmemopen((void *)(uintptr_t)bytes, len, "r");
	assert_non_null(in);
	return in;
}

/* The sets of a file, a line each: "CYCLE[@MHZ][ addr=ADDRESS]: REGISTER=VALUE ... [| LEVEL=VALUE ...]". */
static enum sahm_status sets_of(const char *bytes, size_t len, struct textbuf *out, struct sahm_err *err)
{
	struct signal_reader *r;
	struct signal_set set;
	bool more = true;
	FILE *in = stream_of(bytes, len);
	enum sahm_status status = signal_reader_new(&r, in, "a.csv", spec(), err);
	while (status == SAHM_OK) {
		status = signal_reader_set(r, &set, &more, err);
		if (status != SAHM_OK || !more)
			break;
		textbuf_printf(out, "%" PRIu64, set.cycle);
		if (set.hit_mhz)
			textbuf_printf(out, "@%" PRIu32, set.hit_mhz);
		if (set.has_address)
			textbuf_printf(out, " addr=%" PRIu64, set.address);
		textbuf_putc(out, ':');
		for (unsigned i = 0; i < NR_IOREGS; i++)
			if (set.valid >> i & 1)
				textbuf_printf(out, " %u=%" PRIu64, i, set.values[i]);
		if (set.levels)
			textbuf_puts(out, " |");
		for (unsigned i = 0; i < NR_IOREGS; i++)
			if (set.levels >> i & 1)
				textbuf_printf(out, " %u=%" PRIu64, i, set.values[i]);
		textbuf_putc(out, '\n');
	}
	status = signal_reader_free(r, status, err);
	fclose(in);
	return status;
}

/* The file in another form; to be freed. */
static char *convert(const char *bytes, size_t len, enum signal_form form, bool compress, size_t *new_len)
{
	char *text = NULL;
	struct sahm_err err;
	struct signal_reader *r;
	struct signal_row row;
	bool more;
	FILE *in = stream_of(bytes, len), *out = open_memstream(&text, new_len);
	assert_int_equal(signal_reader_new(&r, in, "a.csv", NULL, &err), SAHM_OK);
	struct zstd_writer *w = compress ? zstd_writer_new(out, UNKNOWN_SIZE) : NULL;
	FILE *to = w ? zstd_writer_stream(w) : out;
	signals_write_head(to, form, signal_reader_columns(r));
	while (signal_reader_row(r, &row, &more, &err) == SAHM_OK && more)
		signals_write_row(to, form, signal_reader_columns(r), &row);
	if (w)
		assert_int_equal(zstd_writer_free(w, "out", SAHM_OK, &err), SAHM_OK);
	assert_int_equal(signal_reader_free(r, SAHM_OK, &err), SAHM_OK);
	fclose(out);
	fclose(in);
	return text;
}

/* `text` makes these sets, and still does in binary form, compressed, and back as CSV. */
static void expect_sets(const char *text, const char *sets)
{
	struct sahm_err err = {0};
	char *forms[4];
	size_t len[4] = {strlen(text)};
	forms[0] = strdup(text);
	forms[1] = convert(forms[0], len[0], SIGNALS_BINARY, false, &len[1]);
	forms[2] = convert(forms[0], len[0], SIGNALS_BINARY, true, &len[2]);
	forms[3] = convert(forms[1], len[1], SIGNALS_CSV, false, &len[3]);
	for (int i = 0; i < 4; i++) {
		struct textbuf out;
		textbuf_init(&out);
		if (sets_of(forms[i], len[i], &out, &err) != SAHM_OK)
			fail_msg("form %d: %s", i, err.msg);
		assert_string_equal(out.text, sets);
		textbuf_release(&out);
		free(forms[i]);
	}
}

static void expect_failure_of(const char *bytes, size_t len, const char *message)
{
	struct textbuf out;
	struct sahm_err err = {0};
	textbuf_init(&out);
	assert_int_equal(sets_of(bytes, len, &out, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, message);
	textbuf_release(&out);
}

static void expect_failure(const char *text, const char *message)
{
	expect_failure_of(text, strlen(text), message);
}

/* A row per cycle: cells that are filled are valid, whatever their rate; blank lines and comments are no cycles. */
static void test_row_per_cycle(void **state)
{
	(void)state;
	expect_sets("busy,slow,miss\n1,,5\n,,\n# remark\n\n0,0xff,\n", "0: 0=1 31=5\n"
								       "2: 0=0 7=255\n");
	expect_sets("slow\n1\n\"\"\n\n3\n", "0: 7=1\n2: 7=3\n");
	expect_sets("busy\r\n1\r\n0", "0: 0=1\n1: 0=0\n");
	expect_sets("\"busy\" , miss\n 1 ,\"2\"\n", "0: 0=1 31=2\n");
	expect_sets("miss\n18446744073709551615\n0xffffffffffffffff\n0\n",
		    "0: 31=18446744073709551615\n1: 31=18446744073709551615\n2: 31=0\n");
	expect_sets("busy\n", "");
}

/* A row per change: by rate. */
static void test_rates(void **state)
{
	(void)state;
	/* Rate 1: every cycle from its first value to the last row's. */
	expect_sets("cycle,busy\n2,1\n4,\n5,0\n6,\n", "2: 0=1\n3: 0=1\n4: 0=1\n5: 0=0\n6: 0=0\n");
	/* Rate 4: in multiples of 4, with the value as it is then. */
	expect_sets("cycle,slow\n3,7\n5,8\n6,9\n12,10\n13,\n", "4: 7=7\n8: 7=9\n12: 7=10\n");
	expect_sets("cycle,slow\n8,1\n", "8: 7=1\n");
	/* Rate 0: where it stands. */
	expect_sets("cycle,miss\n3,7\n5,\n9,8\n", "3: 31=7\n9: 31=8\n");
	/* All that is valid in a cycle is one set. */
	expect_sets("cycle,slow,miss,busy\n3,1,,\n4,,6,\n7,,5,1\n8,,,\n", "4: 7=1 31=6\n7: 0=1 31=5\n8: 0=1 7=1\n");
	/* Nothing between rows without a value. */
	expect_sets("cycle,busy\n0,\n1000000000000000,\n", "");
}

/* Two rows cannot make sets without end; as many as are allowed begin to come. */
static void test_between_rows(void **state)
{
	(void)state;
	static const char most[] = "cycle,slow,busy\n2,7,\n3,,1\n10000000004,,\n";
	struct signal_reader *r;
	struct signal_set set;
	struct sahm_err err;
	bool more;
	size_t len;
	uint64_t last;
	FILE *in = stream_of(most, strlen(most));
	assert_int_equal(signal_reader_new(&r, in, "a.csv", spec(), &err), SAHM_OK);
	for (uint64_t cycle = 3; cycle < 10; cycle++) {
		assert_int_equal(signal_reader_set(r, &set, &more, &err), SAHM_OK);
		assert_true(more && set.cycle == cycle);
		assert_int_equal(set.valid, cycle % 4 == 0 ? 0x81 : 1);
	}
	assert_true(signal_reader_last_cycle(r, &last) && last == 10000000004);
	assert_int_equal(signal_reader_free(r, SAHM_OK, &err), SAHM_OK);
	fclose(in);
	static const char far[] = "cycle,slow,busy\n2,7,\n3,,1\n10000000005,,\n";
	static const char behind[] = " signals of rate 1 are valid 10000000001 times between cycles 3 and 10000000005, "
				     "at most 10000000000 are possible between two rows";
	char message[256];
	snprintf(message, sizeof(message), "a.csv:4:%s", behind);
	expect_failure(far, message);
	char *binary = convert(far, strlen(far), SIGNALS_BINARY, false, &len);
	snprintf(message, sizeof(message), "a.csv: row 3:%s", behind);
	expect_failure_of(binary, len, message);
	free(binary);
	expect_failure("cycle,slow\n1,7\n40000000005,\n",
		       "a.csv:3: signals of rate 4 are valid 10000000001 times between cycles 1 and 40000000005, at "
		       "most 10000000000 are possible between two rows");
}

/* The last row's cycle, though no set comes of it. */
static void test_last_cycle(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool has_rows;
		uint64_t last;
	} rows[] = {{"cycle,miss\n", false, 0},
		    {"cycle,miss\n0,\n", true, 0},
		    {"cycle,miss\n3,1\n1000,\n", true, 1000},
		    {"miss,slow\n1,\n,\n,\n", true, 2}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct signal_reader *r;
		struct signal_set set;
		struct sahm_err err;
		bool more = true;
		uint64_t last;
		FILE *in = stream_of(rows[i].text, strlen(rows[i].text));
		assert_int_equal(signal_reader_new(&r, in, "a.csv", spec(), &err), SAHM_OK);
		while (more)
			assert_int_equal(signal_reader_set(r, &set, &more, &err), SAHM_OK);
		assert_int_equal(signal_reader_last_cycle(r, &last), rows[i].has_rows);
		if (rows[i].has_rows)
			assert_int_equal(last, rows[i].last);
		assert_int_equal(signal_reader_free(r, SAHM_OK, &err), SAHM_OK);
		fclose(in);
	}
}

static void test_clock(void **state)
{
	(void)state;
	expect_sets("hit_mhz,miss\n1400,1\n,2\n700,\n,4\n", "0@1400: 31=1\n1: 31=2\n2@700:\n3: 31=4\n");
	expect_sets("cycle,miss,hit_mhz\n4,1,5\n10,,6\n", "4@5: 31=1\n10@6:\n");
}

static void test_address(void **state)
{
	(void)state;
	expect_sets("pc,miss\n64,\n,1\n65,2\n", "0 addr=64: 3=64\n1: 31=1\n2 addr=65: 3=65 31=2\n");
}

/* A level is given where its cell is filled, and makes no set; with cycles and without. */
static void test_levels(void **state)
{
	(void)state;
	expect_sets("head,miss\n1,\n,\n2,3\n,4\n", "0: | 9=1\n2: 31=3 | 9=2\n3: 31=4\n");
	expect_sets("head\n5\n\"\"\n65535\n", "0: | 9=5\n2: | 9=65535\n");
	expect_sets("cycle,head,miss,busy\n1,7,,\n3,,,1\n5,8,9,\n6,,,\n7,8,,0\n",
		    "1: | 9=7\n3: 0=1\n4: 0=1\n5: 0=1 31=9 | 9=8\n6: 0=1\n7: 0=0 | 9=8\n");
	expect_sets("cycle,head,hit_mhz\n1,7,5\n2,,6\n1000000000000000,8,\n",
		    "1@5: | 9=7\n2@6:\n1000000000000000: | 9=8\n");
	expect_failure("head\n65536\n", "a.csv:2: 65536 in column 'head' does not fit its 16 bits");
}

/* The address is a level: it is there in rows that fill it. */
static void test_address_level(void **state)
{
	(void)state;
	struct abi abi = *spec();
	struct signal_reader *r;
	struct signal_set set;
	struct sahm_err err;
	bool more;
	static const char text[] = "cycle,head,miss,busy\n1,7,,1\n3,,5,\n";
	abi.addr = &abi.signals[4];
	FILE *in = stream_of(text, strlen(text));
	assert_int_equal(signal_reader_new(&r, in, "a.csv", &abi, &err), SAHM_OK);
	for (uint64_t cycle = 1; cycle <= 3; cycle++) {
		assert_int_equal(signal_reader_set(r, &set, &more, &err), SAHM_OK);
		assert_true(more && set.cycle == cycle);
		assert_int_equal(set.has_address, cycle == 1);
		assert_int_equal(set.address, cycle == 1 ? 7 : 0);
	}
	assert_int_equal(signal_reader_free(r, SAHM_OK, &err), SAHM_OK);
	fclose(in);
}

/* In the order clock, levels, ADDR, inputs. */
static void test_apply(void **state)
{
	struct unit_program p = {.main = 0x400, .at = 0x400};
	struct ipu_unit_config config = {
		.hit_mhz = 1000, .ipu_mhz = 1000, .mismatch_arg = 1, .max_cycles = 1000, .fifo_bytes = 1000};
	const uint64_t values[NR_IOREGS] = {[3] = 64, [9] = 5};
	const struct signal_set set = {.cycle = 10,
				       .hit_mhz = 500,
				       .valid = 8,
				       .levels = 1u << 9,
				       .values = values,
				       .has_address = true,
				       .address = 64};
	struct ipu_unit *u;
	struct sahm_err err;
	(void)state;
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0, 0, 0xcc9));
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0 + 1, 0, 0x800));
	unit_program_put(&p, encode_jalr(0, HART_RA, 0));
	struct ipu_program *program = unit_program_make(&p);
	assert_int_equal(ipu_unit_new(&u, &config, &err), SAHM_OK);
	ipu_unit_configure(u, 0, program);
	ipu_unit_set_start(u, 0, 64);
	signal_set_apply(&set, u);
	assert_int_equal(ipu_unit_counts(u).calls_main, 1);
	assert_int_equal(hart_register(&ipu_unit_processor(u)->hart, HART_A0), 5);
	assert_int_equal(hart_register(&ipu_unit_processor(u)->hart, HART_A0 + 1), 8);
	ipu_unit_advance(u, 20);
	assert_int_equal(ipu_unit_ipu_cycle(u), 30);
	ipu_unit_free(u);
	ipu_program_free(program);
}

static void test_bad_headers(void **state)
{
	(void)state;
	expect_failure("\n# a\n", "a.csv: no signals: there is no header row");
	expect_failure("# a\nbusi\n", "a.csv:2: 'busi' is no signal of 'made'; did you mean 'busy'?");
	expect_failure("busy,missed\n",
		       "a.csv:1: 'missed' is a signal of an earlier version of 'made' (made.cfg): record "
		       "the signals again for the present one");
	expect_failure("busy,slow,busy\n", "a.csv:1: column 'busy' stands twice");
	expect_failure("busy,cycle\n", "a.csv:1: column 'cycle' must be the first one");
	expect_failure("hit_mhz,busy,hit_mhz\n", "a.csv:1: column 'hit_mhz' stands twice");
	expect_failure("cycle,hit_mhz\n", "a.csv:1: the header row names no signal");
	expect_failure("busy,\n", "a.csv:1: '' is no signal of 'made'");
}

static void test_bad_rows(void **state)
{
	(void)state;
	expect_failure("busy\n2\n", "a.csv:2: 2 in column 'busy' does not fit its 1 bit");
	expect_failure("miss,slow\n0,0x100\n", "a.csv:2: 256 in column 'slow' does not fit its 8 bits");
	expect_failure("miss\n18446744073709551616\n",
		       "a.csv:2: '18446744073709551616' in column 'miss' does not fit 64 bits");
	expect_failure("miss\n0x1ffffffffffffffff\n",
		       "a.csv:2: '0x1ffffffffffffffff' in column 'miss' does not fit 64 bits");
	expect_failure("miss\n-1\n", "a.csv:2: '-1' in column 'miss' is negative");
	expect_failure("miss\n1.5\n", "a.csv:2: '1.5' in column 'miss' is not whole");
	expect_failure("miss\n0x\n", "a.csv:2: '0x' in column 'miss' is not a number");
	expect_failure("miss\n0x1K\n", "a.csv:2: '0x1K' in column 'miss' is not a number");
	expect_failure("miss\n4K\n", "a.csv:2: '4K' in column 'miss' is not a number");
	expect_failure("miss,slow\n1\n", "a.csv:2: 1 field, the header has 2");
	expect_failure("miss,slow\n1,2,3\n", "a.csv:2: 3 fields, the header has 2");
	expect_failure("cycle,miss\n,2\n", "a.csv:2: column 'cycle' is empty");
	expect_failure("cycle,miss\n5,2\n5,\n", "a.csv:3: cycle 5 does not follow cycle 5: they must rise");
	expect_failure("cycle,miss\n1000000000000001,2\n", "a.csv:2: cycle 1000000000000001 is above 1000000000000000");
	expect_failure("hit_mhz,miss\n0,2\n", "a.csv:2: 0 in column 'hit_mhz', must be from 1 to 1000000");
	expect_failure("hit_mhz,miss\n4294967297,2\n",
		       "a.csv:2: 4294967297 in column 'hit_mhz', must be from 1 to 1000000");
}

static void test_bad_binary(void **state)
{
	(void)state;
	size_t len;
	char *b = convert("cycle,hit_mhz,busy\n1,5,1\n2,,0\n", 31, SIGNALS_BINARY, false, &len);
	enum { FLAGS = 8, NR = 12, NAME = 16, ROW = NAME + 32, MHZ = ROW + 8, MASK = MHZ + 4, ROW_BYTES = 24 };
	assert_int_equal(len, ROW + 2 * ROW_BYTES);
	expect_failure_of(b, NAME - 1, "a.csv: header: cut short");
	expect_failure_of(b, ROW - 1, "a.csv: header: cut short");
	expect_failure_of(b, len - 1, "a.csv: cut short after row 1");
	const struct {
		size_t at;
		char value;
		const char *message;
	} changes[] = {
		{FLAGS, 4, "a.csv: header: flags that this program does not know"},
		{NR, 0, "a.csv: header: 0 columns, must be from 1 to 32"},
		{NR, 33, "a.csv: header: 33 columns, must be from 1 to 32"},
		{NAME + 3, 'i', "a.csv: header: 'busi' is no signal of 'made'; did you mean 'busy'?"},
		{NAME + 31, 'x', "a.csv: header: a name is not padded with zeros"},
		{MASK, 2, "a.csv: row 1: its mask has bits for more than 1 columns"},
		{MASK + 4, 2, "a.csv: row 1: 2 in column 'busy' does not fit its 1 bit"},
		{ROW + ROW_BYTES, 1, "a.csv: row 2: cycle 1 does not follow cycle 1: they must rise"},
		{MHZ + 3, 1, "a.csv: row 1: 16777221 in column 'hit_mhz', must be from 1 to 1000000"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		char was = b[changes[i].at];
		b[changes[i].at] = changes[i].value;
		expect_failure_of(b, len, changes[i].message);
		b[changes[i].at] = was;
	}
	memcpy(b + NAME, "cycle", sizeof("cycle"));
	expect_failure_of(b, len, "a.csv: header: 'cycle' is no name of a signal");
	free(b);
}

/* A value that is not filled is not looked at. */
static void test_unfilled_value(void **state)
{
	(void)state;
	size_t len;
	struct textbuf out;
	struct sahm_err err;
	char *b = convert("busy,slow\n,1\n", 13, SIGNALS_BINARY, false, &len);
	b[16 + 2 * 32 + 4] = 9;
	textbuf_init(&out);
	assert_int_equal(sets_of(b, len, &out, &err), SAHM_OK);
	assert_string_equal(out.text, "0: 7=1\n");
	textbuf_release(&out);
	free(b);
}

/* More rows than any buffer holds, in both forms. */
static void test_long_file(void **state)
{
	(void)state;
	enum { NR = 50000 };
	struct textbuf text;
	struct sahm_err err;
	textbuf_init(&text);
	textbuf_puts(&text, "miss,slow\n");
	for (unsigned i = 0; i < NR; i++)
		textbuf_printf(&text, "%u,%u\n", i * i, i % 256);
	size_t len;
	char *binary = convert(text.text, text.len, SIGNALS_BINARY, true, &len);
	for (int form = 0; form < 2; form++) {
		struct signal_reader *r;
		struct signal_set set;
		bool more;
		FILE *in = form ? stream_of(binary, len) : stream_of(text.text, text.len);
		assert_int_equal(signal_reader_new(&r, in, "a", spec(), &err), SAHM_OK);
		for (unsigned i = 0; i < NR; i++) {
			assert_int_equal(signal_reader_set(r, &set, &more, &err), SAHM_OK);
			assert_true(more && set.cycle == i);
			assert_true(set.values[31] == i * i && set.values[7] == i % 256);
		}
		assert_int_equal(signal_reader_set(r, &set, &more, &err), SAHM_OK);
		assert_false(more);
		assert_int_equal(signal_reader_free(r, SAHM_OK, &err), SAHM_OK);
		fclose(in);
	}
	free(binary);
	textbuf_release(&text);
}

static void test_no_file(void **state)
{
	(void)state;
	struct signal_reader *r;
	struct sahm_err err;
	assert_int_equal(signal_reader_open(&r, "no/such.csv", spec(), &err), SAHM_IO);
	assert_null(r);
	assert_string_equal(err.msg, "cannot open 'no/such.csv': No such file or directory");
	assert_int_equal(signal_reader_open(&r, ".", spec(), &err), SAHM_IO);
}

TEST_FILE(test_ipu_signals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row_per_cycle), cmocka_unit_test(test_rates),
		cmocka_unit_test(test_between_rows),  cmocka_unit_test(test_last_cycle),
		cmocka_unit_test(test_clock),	      cmocka_unit_test(test_address),
		cmocka_unit_test(test_bad_headers),   cmocka_unit_test(test_bad_rows),
		cmocka_unit_test(test_bad_binary),    cmocka_unit_test(test_unfilled_value),
		cmocka_unit_test(test_long_file),     cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_levels),	      cmocka_unit_test(test_address_level),
		cmocka_unit_test(test_apply),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
