/* Loads and stores: values, exact bounds, misaligned ones. Calls served by the host are in test_ipu_host.c. */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

#define DATA_END (MADE_DATA_BASE + MADE_DATA_BYTES)

struct access_row {
	const char *name;
	uint32_t funct3, width, loaded; /* from data byte 0 on, which are 0x80, 0x81, ... */
};

static const struct access_row loads[] = {
	{"lb", 0, 1, 0xffffff80}, {"lh", 1, 2, 0xffff8180}, {"lw", 2, 4, 0x83828180},
	{"lbu", 4, 1, 0x80},	  {"lhu", 5, 2, 0x8180},
};

static const struct access_row stores[] = {{"sb", 0, 1, 0}, {"sh", 1, 2, 0}, {"sw", 2, 4, 0}};

/* Runs a load of `rd` or a store of x6 at x5 + imm, once; x5 is `base`. */
static enum hart_cause access(struct made_hart *m, bool is_store, uint32_t funct3, uint32_t rd, uint32_t base,
			      uint32_t imm, bool traps_misaligned)
{
	made_hart_init(m);
	made_hart_add(m, is_store ? encode_s(OP_STORE, funct3, 5, 6, imm) : encode_i(OP_LOAD, funct3, rd, 5, imm));
	made_hart_begin(m);
	m->h.traps_misaligned = traps_misaligned;
	hart_set_register(&m->h, 5, base);
	hart_set_register(&m->h, 6, 0xa1b2c3d4);
	enum hart_cause cause = made_run(&m->h, 1);
	made_hart_end(m);
	return cause;
}

static void test_loads(void **state)
{
	struct made_hart m;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		const struct access_row *r = &loads[i];
		assert_int_equal(access(&m, false, r->funct3, 7, MADE_DATA_BASE, 0, true), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 7), r->loaded);
		/* offsets at both ends, and rd the same as rs1 */
		assert_int_equal(access(&m, false, r->funct3, 5, MADE_DATA_BASE + 2048, (uint32_t)-2048, true),
				 HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 5), r->loaded);
		assert_int_equal(access(&m, false, r->funct3, 5, MADE_DATA_BASE - 2047, 2047, true), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 5), r->loaded);
		/* x0 stays 0, but the access is made */
		assert_int_equal(access(&m, false, r->funct3, 0, MADE_DATA_BASE, 0, true), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 0), 0);
		assert_int_equal(access(&m, false, r->funct3, 0, DATA_END, 0, true), HART_LOAD_OUTSIDE);
	}
}

static void test_positive_loads_are_not_extended(void **state)
{
	(void)state;
	for (uint32_t funct3 = 0; funct3 < 6; funct3++) {
		struct made_hart m;
		if (funct3 == 3)
			continue;
		made_hart_init(&m);
		memcpy(m.data, "\x7f\x7e\x7d\x7c", 4);
		made_hart_add(&m, encode_i(OP_LOAD, funct3, 7, 5, 0));
		made_hart_begin(&m);
		hart_set_register(&m.h, 5, MADE_DATA_BASE);
		assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 7),
				 0x7c7d7e7f & (uint32_t)((UINT64_C(1) << (8 << (funct3 & 3))) - 1));
		made_hart_end(&m);
	}
}

static void test_stores_write_as_many_bytes_as_they_say(void **state)
{
	static const uint8_t value[4] = {0xd4, 0xc3, 0xb2, 0xa1};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(stores); i++) {
		struct made_hart m;
		assert_int_equal(access(&m, true, stores[i].funct3, 0, MADE_DATA_BASE, 8, true), HART_BUDGET);
		for (uint32_t k = 0; k < MADE_DATA_BYTES; k++) {
			bool is_written = k >= 8 && k < 8 + stores[i].width;
			assert_int_equal(m.data[k], is_written ? value[k - 8] : 0x80 + k);
		}
	}
}

/* The same places for all: inside by one byte, outside by one byte, about 0 and 2^32. */
static void test_bounds_are_exact(void **state)
{
	(void)state;
	for (size_t i = 0; i < 8; i++) {
		bool is_store = i >= 5;
		const struct access_row *r = is_store ? &stores[i - 5] : &loads[i];
		enum hart_cause outside = is_store ? HART_STORE_OUTSIDE : HART_LOAD_OUTSIDE;
		for (unsigned traps = 0; traps < 2; traps++) {
			struct made_hart m;
			assert_int_equal(access(&m, is_store, r->funct3, 7, DATA_END - r->width, 0, traps),
					 HART_BUDGET);
			for (uint32_t beyond = 1; beyond <= 4; beyond++) {
				uint32_t address = DATA_END - r->width + beyond;
				assert_int_equal(access(&m, is_store, r->funct3, 7, address, 0, traps), outside);
				assert_fault(&m.h, outside, MADE_CODE_BASE, address, 0);
				assert_int_equal(hart_register(&m.h, 7), 0);
				address = MADE_DATA_BASE - beyond;
				assert_int_equal(access(&m, is_store, r->funct3, 7, address, 0, traps), outside);
				assert_fault(&m.h, outside, MADE_CODE_BASE, address, 0);
				assert_int_equal(access(&m, is_store, r->funct3, 7, 0 - beyond, 0, traps), outside);
				assert_int_equal(access(&m, is_store, r->funct3, 7, 0, beyond - 1, traps), outside);
				for (uint32_t k = 0; k < MADE_DATA_BYTES; k++)
					assert_int_equal(m.data[k], 0x80 + k);
			}
		}
	}
}

/* A memory that ends at 2^32: a range that wraps around is outside, though byte 0 would be in no memory either way. */
static void test_memory_at_the_end_of_the_address_space(void **state)
{
	static const struct {
		uint32_t address, funct3;
		enum hart_cause cause;
	} rows[] = {
		{0xfffffffc, 2, HART_BUDGET},	    {0xfffffffd, 2, HART_LOAD_OUTSIDE},
		{0xffffffff, 2, HART_LOAD_OUTSIDE}, {0xfffffffe, 5, HART_BUDGET},
		{0xffffffff, 5, HART_LOAD_OUTSIDE}, {0xffffffff, 4, HART_BUDGET},
		{0x00000000, 4, HART_LOAD_OUTSIDE}, {0xffffffe0, 2, HART_BUDGET},
		{0xffffffdf, 4, HART_LOAD_OUTSIDE},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_i(OP_LOAD, rows[i].funct3, 7, 5, 0));
		made_hart_begin(&m);
		hart_set_memory(&m.h, 0 - MADE_DATA_BYTES, m.data, MADE_DATA_BYTES);
		hart_set_register(&m.h, 5, rows[i].address);
		assert_int_equal(made_run(&m.h, 1), rows[i].cause);
		made_hart_end(&m);
	}
}

/* Sizes that are no multiple of an access. */
static void test_memory_of_any_size(void **state)
{
	(void)state;
	for (uint32_t nr_bytes = 0; nr_bytes <= 9; nr_bytes++) {
		for (uint32_t offset = 0; offset < 10; offset++) {
			for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
				struct made_hart m;
				bool fits = offset + loads[i].width <= nr_bytes;
				made_hart_init(&m);
				made_hart_add(&m, encode_i(OP_LOAD, loads[i].funct3, 7, 5, offset));
				made_hart_begin(&m);
				hart_set_memory(&m.h, MADE_DATA_BASE, m.data, nr_bytes);
				hart_set_register(&m.h, 5, MADE_DATA_BASE);
				assert_int_equal(made_run(&m.h, 1), fits ? HART_BUDGET : HART_LOAD_OUTSIDE);
				made_hart_end(&m);
			}
		}
	}
}

static void test_misaligned(void **state)
{
	struct made_hart m;

	(void)state;
	for (uint32_t offset = 1; offset < 4; offset++) {
		uint32_t low = 0x80 + offset, address = MADE_DATA_BASE + offset;
		uint32_t word = low | (low + 1) << 8 | (low + 2) << 16 | (low + 3) << 24;
		assert_int_equal(access(&m, false, 2, 7, address, 0, false), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 7), word);
		assert_int_equal(access(&m, false, 2, 7, address, 0, true), HART_LOAD_MISALIGNED);
		assert_fault(&m.h, HART_LOAD_MISALIGNED, MADE_CODE_BASE, address, 0);
		assert_int_equal(hart_register(&m.h, 7), 0);
		assert_int_equal(access(&m, false, 5, 7, address, 0, false), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 7), word & 0xffff);
		assert_int_equal(access(&m, false, 1, 7, address, 0, true),
				 offset == 2 ? HART_BUDGET : HART_LOAD_MISALIGNED);
		assert_int_equal(access(&m, true, 2, 0, address, 0, false), HART_BUDGET);
		assert_memory_equal(m.data + offset, "\xd4\xc3\xb2\xa1", 4);
		assert_int_equal(m.data[offset - 1], 0x80 + offset - 1);
		assert_int_equal(m.data[offset + 4], 0x80 + offset + 4);
		assert_int_equal(access(&m, true, 2, 0, address, 0, true), HART_STORE_MISALIGNED);
		assert_fault(&m.h, HART_STORE_MISALIGNED, MADE_CODE_BASE, address, 0);
		assert_int_equal(m.data[offset], 0x80 + offset);
		assert_int_equal(access(&m, true, 0, 0, address, 0, true), HART_BUDGET);
	}
}

static void test_compressed(void **state)
{
	const struct {
		uint32_t word;
		unsigned base, data;
		uint32_t offset;
		bool is_store;
	} rows[] = {
		{encode_c_access(2, 8, 15, 0), 15, 8, 0, false},
		{encode_c_access(2, 15, 8, 4), 8, 15, 4, false},
		{encode_c_access(2, 9, 10, 64), 10, 9, 64, false},
		{encode_c_access(2, 9, 9, 124), 9, 9, 124, false},
		{encode_c_access(6, 8, 15, 0), 15, 8, 0, true},
		{encode_c_access(6, 15, 8, 4), 8, 15, 4, true},
		{encode_c_access(6, 9, 10, 124), 10, 9, 124, true},
		{encode_c_lwsp(31, 0), 2, 31, 0, false},
		{encode_c_lwsp(1, 4), 2, 1, 4, false},
		{encode_c_lwsp(1, 32), 2, 1, 32, false},
		{encode_c_lwsp(1, 64), 2, 1, 64, false},
		{encode_c_lwsp(2, 252), 2, 2, 252, false},
		{encode_c_swsp(31, 0), 2, 31, 0, true},
		{encode_c_swsp(1, 4), 2, 1, 4, true},
		{encode_c_swsp(1, 32), 2, 1, 32, true},
		{encode_c_swsp(1, 64), 2, 1, 64, true},
		{encode_c_swsp(5, 252), 2, 5, 252, true},
		{encode_c_swsp(0, 8), 2, 0, 8, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, rows[i].word);
		made_hart_begin(&m);
		hart_set_register(&m.h, rows[i].data, 0xa1b2c3d4);
		hart_set_register(&m.h, rows[i].base, MADE_DATA_BASE + 12 - rows[i].offset);
		assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
		assert_int_equal(m.h.pc, MADE_CODE_BASE + 2);
		if (!rows[i].is_store)
			assert_int_equal(hart_register(&m.h, rows[i].data), 0x8f8e8d8c);
		else if (rows[i].data == 0)
			assert_memory_equal(m.data + 12, "\0\0\0\0", 4);
		else
			assert_memory_equal(m.data + 12, "\xd4\xc3\xb2\xa1", 4);
		assert_int_equal(m.data[11], 0x8b);
		assert_int_equal(m.data[16], 0x90);
		made_hart_end(&m);
	}
}

TEST_FILE(test_ipu_memory)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_positive_loads_are_not_extended),
		cmocka_unit_test(test_stores_write_as_many_bytes_as_they_say),
		cmocka_unit_test(test_bounds_are_exact),
		cmocka_unit_test(test_memory_at_the_end_of_the_address_space),
		cmocka_unit_test(test_memory_of_any_size),
		cmocka_unit_test(test_misaligned),
		cmocka_unit_test(test_compressed),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
