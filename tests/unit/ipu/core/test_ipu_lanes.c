/* Histogram updates: what is counted where, up to which limit, what it costs, and which descriptors are none. */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

enum { VALUES = 0, FLAGS = 1, NO_INPUT = -1 };
enum { BYTES = 48 << 10, AT = 64, COUNTERS = 256 };
#define BASE 0x10000u
#define DESCRIPTOR (BASE + AT)

struct bench {
	struct code *code;
	struct hart h;
	uint8_t code_bytes[8];
	uint8_t data[BYTES];
	uint64_t inputs[32];
};

static struct bench b;

static void put(uint32_t at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		b.data[at + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t counter(uint32_t i)
{
	const uint8_t *at = b.data + COUNTERS + 4 * i;
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void describe(uint32_t counters, uint32_t nr_bins, uint32_t nr_lanes, uint32_t bits, uint32_t shift,
		     uint32_t mode, uint32_t limit)
{
	memset(b.data, 0, sizeof(b.data));
	put(AT, counters);
	put(AT + 4, nr_bins);
	put(AT + 8, nr_lanes | bits << 8 | shift << 16 | mode << 24);
	put(AT + 12, limit);
}

/* One update by ipu.hist of `value`, or by ipu.histin of an input register that holds it. */
static enum hart_cause update_at(uint32_t descriptor, uint64_t value, int input)
{
	static uint8_t before[BYTES];
	uint32_t word = input == NO_INPUT ? encode_hist(5, 6) : encode_histin(5, (uint32_t)input);
	struct sahm_err err;

	for (unsigned i = 0; i < 4; i++)
		b.code_bytes[i] = (uint8_t)(word >> 8 * i);
	assert_int_equal(code_new(&b.code, 0, b.code_bytes, sizeof(b.code_bytes), 0, &err), SAHM_OK);
	hart_init(&b.h, b.code);
	hart_set_memory(&b.h, BASE, b.data, BYTES);
	hart_set_register(&b.h, 5, descriptor);
	hart_set_register(&b.h, 6, (uint32_t)value);
	if (input != NO_INPUT) {
		b.h.inputs = b.inputs;
		b.inputs[input] = value;
	}
	memcpy(before, b.data, BYTES);
	enum hart_cause cause = made_run(&b.h, 1);
	if (cause != HART_BUDGET) {
		assert_fault(&b.h, cause, 0, b.h.address, 0);
		assert_memory_equal(b.data, before, BYTES);
		assert_int_equal(b.h.nr_extra, 0);
	}
	made_translation_free(&b.h);
	code_free(b.code);
	return cause;
}

static enum hart_cause update(uint64_t value, int input)
{
	return update_at(DESCRIPTOR, value, input);
}

static void assert_counters(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
	const uint32_t wanted[] = {c0, c1, c2, c3};

	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(counter(i), wanted[i]);
}

static void test_values(void **state)
{
	(void)state;
	/* Bytes: 1, 0, 2, and 255, which goes to the last bin. */
	describe(BASE + COUNTERS, 4, 4, 8, 0, VALUES, 99);
	assert_int_equal(update(0xff020001, NO_INPUT), HART_BUDGET);
	assert_counters(1, 1, 1, 1);
	assert_int_equal(counter(4), 0);
	assert_int_equal(b.h.nr_extra, 0);
	/* By their upper two bits. */
	describe(BASE + COUNTERS, 4, 4, 8, 6, VALUES, 99);
	assert_int_equal(update(0xff3f40c0, NO_INPUT), HART_BUDGET);
	assert_counters(1, 1, 0, 2);
	/* Only as many lanes as there are; ipu.hist sees 32 bits. */
	describe(BASE + COUNTERS, 4, 3, 8, 0, VALUES, 99);
	assert_int_equal(update(UINT64_C(0xffffffff01010101), NO_INPUT), HART_BUDGET);
	assert_counters(0, 3, 0, 0);
	/* Four of 16 bits in an input register; two of 32. */
	describe(BASE + COUNTERS, 4, 4, 16, 14, VALUES, 99);
	assert_int_equal(update(UINT64_C(0xffff400080003fff), 7), HART_BUDGET);
	assert_counters(1, 1, 1, 1);
	describe(BASE + COUNTERS, 4, 2, 32, 30, VALUES, 99);
	assert_int_equal(update(UINT64_C(0xffffffff7fffffff), 31), HART_BUDGET);
	assert_counters(0, 1, 0, 1);
	/* Single bits: no and yes. */
	describe(BASE + COUNTERS, 2, 32, 1, 0, VALUES, 99);
	assert_int_equal(update(0x80000001, NO_INPUT), HART_BUDGET);
	assert_counters(30, 2, 0, 0);
}

static void test_flags(void **state)
{
	(void)state;
	describe(BASE + COUNTERS, 4, 3, 1, 0, FLAGS, 99);
	assert_int_equal(update(0xfffffffd, NO_INPUT), HART_BUDGET);
	assert_counters(1, 0, 1, 0);
	/* Bit 0 of registers 29, 30, 31. */
	describe(BASE + COUNTERS, 3, 3, 1, 0, FLAGS, 99);
	memset(b.inputs, 0xff, sizeof(b.inputs));
	b.inputs[30] = UINT64_MAX - 1;
	assert_int_equal(update(1, 29), HART_BUDGET);
	assert_counters(1, 0, 1, 0);
}

/* A counter stops at the limit; one above it stays there. */
static void test_limits(void **state)
{
	(void)state;
	describe(BASE + COUNTERS, 4, 4, 1, 0, FLAGS, 255);
	put(COUNTERS, 253);
	put(COUNTERS + 4, 254);
	put(COUNTERS + 8, 255);
	put(COUNTERS + 12, 256);
	assert_int_equal(update(15, NO_INPUT), HART_BUDGET);
	assert_counters(254, 255, 255, 256);
	/* In the midst of an update, too. */
	describe(BASE + COUNTERS, 4, 8, 1, 0, VALUES, 5);
	assert_int_equal(update(0x7e, NO_INPUT), HART_BUDGET);
	assert_counters(2, 5, 0, 0);
	describe(BASE + COUNTERS, 1, 1, 1, 0, VALUES, 0);
	assert_int_equal(update(0, NO_INPUT), HART_BUDGET);
	assert_counters(0, 0, 0, 0);
	describe(BASE + COUNTERS, 1, 2, 1, 0, VALUES, UINT32_MAX);
	put(COUNTERS, UINT32_MAX - 1);
	assert_int_equal(update(0, NO_INPUT), HART_BUDGET);
	assert_counters(UINT32_MAX, 0, 0, 0);
}

/* A cycle for every 4 lanes begun; CSR cycle knows them, instret and time do not. */
static void test_cost(void **state)
{
	static const struct {
		uint32_t nr_lanes, nr_extra;
	} rows[] = {{1, 0}, {4, 0}, {5, 1}, {8, 1}, {9, 2}, {32, 7}};
	const uint32_t words[] = {encode_i(OP_SYSTEM, 2, 7, 0, 0xc00), encode_i(OP_SYSTEM, 2, 8, 0, 0xc01),
				  encode_i(OP_SYSTEM, 2, 9, 0, 0xc02), encode_i(OP_SYSTEM, 2, 10, 0, 0xc80),
				  encode_i(OP_SYSTEM, 2, 11, 0, 0xc82)};
	struct made_hart m;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		describe(BASE + COUNTERS, 32, rows[i].nr_lanes, 1, 0, i % 2 ? FLAGS : VALUES, 99);
		assert_int_equal(update(0, i % 3 ? 0 : NO_INPUT), HART_BUDGET);
		assert_int_equal(b.h.nr_extra, rows[i].nr_extra);
		assert_int_equal(b.h.nr_retired, 1);
	}
	made_hart_init(&m);
	for (unsigned i = 0; i < 5; i++)
		made_hart_add(&m, words[i]);
	made_hart_begin(&m);
	m.h.nr_extra = UINT64_C(0x3ffffffff);
	assert_int_equal(made_run(&m.h, 5), HART_BUDGET);
	assert_int_equal(hart_register(&m.h, 7), 0xffffffff);
	assert_int_equal(hart_register(&m.h, 8), 1);
	assert_int_equal(hart_register(&m.h, 9), 2);
	assert_int_equal(hart_register(&m.h, 10), 4); /* 3 have retired */
	assert_int_equal(hart_register(&m.h, 11), 0);
	made_hart_end(&m);
}

/* Both sides of each bound. */
static void test_shapes(void **state)
{
	static const struct {
		uint32_t nr_bins, nr_lanes, bits, shift, mode;
		int input;
		bool is_good;
	} rows[] = {
		{1, 1, 1, 0, VALUES, NO_INPUT, true},
		{0, 1, 1, 0, VALUES, NO_INPUT, false},
		{8192, 1, 1, 0, VALUES, NO_INPUT, true},
		{8193, 1, 1, 0, VALUES, NO_INPUT, false},
		{0x40000001, 1, 1, 0, VALUES, 0, false},
		{4, 0, 1, 0, VALUES, NO_INPUT, false},
		{4, 32, 1, 0, VALUES, NO_INPUT, true},
		{4, 33, 1, 0, VALUES, 0, false},
		{4, 1, 0, 0, VALUES, NO_INPUT, false},
		{4, 1, 32, 0, VALUES, NO_INPUT, true},
		{4, 1, 33, 0, VALUES, 0, false},
		{4, 1, 32, 31, VALUES, NO_INPUT, true},
		{4, 1, 32, 32, VALUES, NO_INPUT, false},
		{4, 1, 8, 7, VALUES, NO_INPUT, true},
		{4, 1, 8, 8, VALUES, NO_INPUT, false},
		{4, 4, 8, 0, VALUES, NO_INPUT, true},
		{4, 4, 9, 0, VALUES, NO_INPUT, false},
		{4, 5, 8, 0, VALUES, NO_INPUT, false},
		{4, 8, 8, 0, VALUES, 0, true},
		{4, 9, 8, 0, VALUES, 0, false},
		{4, 32, 2, 0, VALUES, 31, true},
		{4, 32, 2, 0, VALUES, NO_INPUT, false},
		{4, 32, 3, 0, VALUES, 31, false},
		{4, 4, 1, 0, FLAGS, NO_INPUT, true},
		{3, 4, 1, 0, FLAGS, NO_INPUT, false},
		{4, 4, 2, 0, FLAGS, NO_INPUT, false},
		{4, 4, 2, 1, FLAGS, NO_INPUT, false},
		{4, 4, 1, 1, FLAGS, NO_INPUT, false},
		{32, 32, 1, 0, FLAGS, 0, true},
		{32, 32, 1, 0, FLAGS, 1, false},
		{32, 1, 1, 0, FLAGS, 31, true},
		{32, 2, 1, 0, FLAGS, 31, false},
		{32, 32, 1, 0, FLAGS, NO_INPUT, true},
		{4, 1, 1, 0, 2, NO_INPUT, false},
		{4, 1, 1, 0, 255, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		describe(BASE + COUNTERS, rows[i].nr_bins, rows[i].nr_lanes, rows[i].bits, rows[i].shift, rows[i].mode,
			 9);
		enum hart_cause cause = update(UINT64_MAX, rows[i].input);
		if (cause != (rows[i].is_good ? HART_BUDGET : HART_HISTOGRAM_SHAPE))
			fail_msg("row %zu: %s", i, hart_cause_text(cause));
		if (!rows[i].is_good)
			assert_int_equal(b.h.address, DESCRIPTOR);
	}
	assert_true(hart_cause_has_address(HART_HISTOGRAM_SHAPE));
}

/* Where descriptor and counters may be. */
static void test_places(void **state)
{
	static const struct {
		uint32_t counters, nr_bins;
		enum hart_cause cause;
	} rows[] = {
		{BASE + COUNTERS, 4, HART_BUDGET},
		{BASE + BYTES - 16, 4, HART_BUDGET},
		{BASE + BYTES - 12, 4, HART_STORE_OUTSIDE},
		{BASE + BYTES, 1, HART_STORE_OUTSIDE},
		{BASE, 1, HART_BUDGET},
		{BASE - 4, 4, HART_STORE_OUTSIDE},
		{0, 8192, HART_STORE_OUTSIDE},
		{0xfffffffc, 4, HART_STORE_OUTSIDE},
		{BASE + COUNTERS + 1, 4, HART_STORE_MISALIGNED},
		{BASE + COUNTERS + 2, 4, HART_STORE_MISALIGNED},
		{BASE + BYTES - 14, 4, HART_STORE_OUTSIDE},
	};
	static const struct {
		uint32_t descriptor;
		enum hart_cause cause;
	} places[] = {
		{BASE + BYTES - 16, HART_HISTOGRAM_SHAPE},
		{BASE + BYTES - 12, HART_LOAD_OUTSIDE},
		{BASE + BYTES - 15, HART_LOAD_OUTSIDE},
		{BASE + BYTES - 17, HART_LOAD_MISALIGNED},
		{BASE, HART_HISTOGRAM_SHAPE},
		{BASE - 4, HART_LOAD_OUTSIDE},
		{DESCRIPTOR + 2, HART_LOAD_MISALIGNED},
		{0xfffffff8, HART_LOAD_OUTSIDE},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		describe(rows[i].counters, rows[i].nr_bins, 1, 1, 0, VALUES, 9);
		enum hart_cause cause = update(0, i % 2 ? 0 : NO_INPUT);
		if (cause != rows[i].cause)
			fail_msg("row %zu: %s", i, hart_cause_text(cause));
		if (cause != HART_BUDGET)
			assert_int_equal(b.h.address, rows[i].counters);
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		describe(BASE + COUNTERS, 4, 1, 1, 0, VALUES, 9);
		enum hart_cause cause = update_at(places[i].descriptor, 0, i % 2 ? 0 : NO_INPUT);
		if (cause != places[i].cause)
			fail_msg("place %zu: %s", i, hart_cause_text(cause));
		assert_int_equal(b.h.address, places[i].descriptor);
	}
}

/* Counters outside the store window are the host's, and there are none. */
static void test_window(void **state)
{
	static const struct {
		uint32_t first, end;
		bool is_good;
	} rows[] = {{MADE_DATA_BASE + 16, MADE_DATA_BASE + 32, true},
		    {MADE_DATA_BASE + 20, MADE_DATA_BASE + 32, false},
		    {MADE_DATA_BASE + 16, MADE_DATA_BASE + 31, false},
		    {MADE_DATA_BASE + 13, MADE_DATA_BASE + 32, true},
		    {MADE_DATA_BASE + 17, MADE_DATA_BASE + 32, false}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_hist(5, 6));
		made_hart_begin(&m);
		hart_set_store_window(&m.h, rows[i].first, rows[i].end);
		memset(m.data, 0, sizeof(m.data));
		m.data[0] = 16, m.data[2] = 2; /* counters at MADE_DATA_BASE + 16 */
		m.data[4] = 4, m.data[8] = 1, m.data[9] = 1, m.data[12] = 9;
		hart_set_register(&m.h, 5, MADE_DATA_BASE);
		assert_int_equal(made_run(&m.h, 1), rows[i].is_good ? HART_BUDGET : HART_STORE_OUTSIDE);
		assert_int_equal(m.data[16], rows[i].is_good);
		if (!rows[i].is_good)
			assert_fault(&m.h, HART_STORE_OUTSIDE, MADE_CODE_BASE, MADE_DATA_BASE + 16, 0);
		made_hart_end(&m);
	}
}

TEST_FILE(test_ipu_lanes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_flags),  cmocka_unit_test(test_limits),
		cmocka_unit_test(test_cost),   cmocka_unit_test(test_shapes), cmocka_unit_test(test_places),
		cmocka_unit_test(test_window),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
