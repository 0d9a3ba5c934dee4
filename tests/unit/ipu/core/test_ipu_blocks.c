/* Every instruction has an executor; blocks that are too long to be counted as one; code that is decoded piece by
 * piece. */
#include <stdlib.h>

#include "tests/unit/ipu/core/ipu_cases.h"

/* A word of the row: every field full, but for the number of a CSR, which is one that can be written. */
static uint32_t full_word(const struct instruction_row *row)
{
	uint32_t word = row->match | ~row->mask;
	if (row->operation == OPERATION_csr)
		word &= ~(UINT32_C(1) << 31);
	return riscv_is_wide(row->match) ? word : word & 0xffff;
}

static bool any_csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	(void)h;
	*value = csr;
	return true;
}

static bool any_csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	(void)h;
	(void)csr;
	(void)value;
	return true;
}

static bool any_call(struct hart *h)
{
	(void)h;
	return true;
}

static void put_word(uint8_t *at, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(word >> 8 * i);
}

/* In the middle of data and code, so that accesses and jumps of every distance stay inside. */
static void test_executors(void **state)
{
	enum { CODE_BYTES = 4 << 20, DATA_BYTES = 8192 };
	static const struct hart_host host = {
		.csr_read = any_csr_read, .csr_write = any_csr_write, .environment_call = any_call};
	static const uint64_t inputs[32];
	uint8_t *bytes = calloc(1, CODE_BYTES), *data = calloc(1, DATA_BYTES);
	(void)state;
	assert_non_null(bytes);
	assert_non_null(data);
	for (unsigned id = 0; id < NR_INSTRUCTIONS; id++) {
		const struct instruction_row *row = &instruction_rows[id];
		uint32_t word = full_word(row), at = CODE_BYTES / 2;
		unsigned nr_bytes = riscv_is_wide(row->match) ? 4 : 2;
		struct code *code;
		struct hart h;
		assert_true(instruction_matches(row, word));
		for (unsigned i = 0; i < nr_bytes; i++)
			bytes[at + i] = (uint8_t)(word >> 8 * i);
		assert_int_equal(code_new(&code, 0, bytes, CODE_BYTES, 0, NULL), SAHM_OK);
		hart_init(&h, code);
		hart_set_memory(&h, CODE_BYTES / 2 - DATA_BYTES / 2, data, DATA_BYTES);
		h.host = &host;
		/* Where all registers point there is a descriptor, for a histogram that begins there. */
		put_word(data + DATA_BYTES / 2, at);
		put_word(data + DATA_BYTES / 2 + 4, 1);
		put_word(data + DATA_BYTES / 2 + 8, 0x00000101);
		h.inputs = inputs;
		for (unsigned i = 1; i < NR_REGISTERS; i++)
			hart_set_register(&h, i, at);
		hart_jump(&h, at);
		enum hart_cause cause = made_run(&h, 1);
		bool is_breakpoint = row->operation == OPERATION_ebreak;
		enum hart_cause wanted = is_breakpoint			    ? HART_BREAKPOINT
					 : row->operation == OPERATION_loop ? HART_INPUT
									    : HART_BUDGET;
		if (cause != wanted || h.nr_retired != !is_breakpoint)
			fail_msg("%s: %s", row->name, hart_cause_text(cause));
		made_translation_free(&h);
		code_free(code);
	}
	free(bytes);
	free(data);
}

/* Code longer than what can be counted as a block: `nr` times addi x5,x5,1, then ebreak. */
#define NR_LONG 140000u
#define LARGEST_BLOCK 65535u

struct long_code {
	struct code *code;
	struct hart h;
	uint8_t *bytes;
	uint8_t data[8];
};

static void long_init(struct long_code *l)
{
	l->bytes = malloc(4 * (NR_LONG + 1));
	assert_non_null(l->bytes);
	for (uint32_t i = 0; i < NR_LONG; i++)
		put_word(l->bytes + 4 * i, encode_addi(5, 5, 1));
	put_word(l->bytes + 4 * NR_LONG, ENCODED_EBREAK);
}

static void long_begin(struct long_code *l, unsigned flags)
{
	assert_int_equal(code_new(&l->code, 0, l->bytes, 4 * (NR_LONG + 1), flags, NULL), SAHM_OK);
	hart_init(&l->h, l->code);
	memset(l->data, 0x80, sizeof(l->data));
	hart_set_memory(&l->h, MADE_DATA_BASE, l->data, sizeof(l->data));
	hart_set_register(&l->h, 7, MADE_DATA_BASE);
}

/* Wherever it is entered, and whatever has been decoded before, as many instructions run as there are. */
static void test_long_blocks(void **state)
{
	static const uint32_t entries[] = {NR_LONG - 200,
					   NR_LONG - LARGEST_BLOCK,
					   NR_LONG - LARGEST_BLOCK - 1,
					   NR_LONG - 2 * LARGEST_BLOCK,
					   5000,
					   0};
	struct long_code l;
	(void)state;
	long_init(&l);
	for (unsigned flags = 0; flags < 4; flags++) {
		for (unsigned order = 0; order < 2; order++) {
			uint64_t nr_retired = 0;
			long_begin(&l, flags);
			for (unsigned i = 0; i < 6; i++) {
				uint32_t first = entries[order ? 5 - i : i];
				hart_set_register(&l.h, 5, 0);
				hart_jump(&l.h, 4 * first);
				assert_int_equal(made_run(&l.h, UINT64_MAX), HART_BREAKPOINT);
				assert_int_equal(l.h.pc, 4 * NR_LONG);
				assert_int_equal(hart_register(&l.h, 5), NR_LONG - first);
				nr_retired += NR_LONG - first;
				assert_int_equal(l.h.nr_retired, nr_retired);
			}
			made_translation_free(&l.h);
			code_free(l.code);
		}
	}
	free(l.bytes);
}

static void test_budgets_in_long_blocks(void **state)
{
	static const uint32_t around[] = {1, LARGEST_BLOCK, 2 * LARGEST_BLOCK, NR_LONG};
	struct long_code l;
	(void)state;
	long_init(&l);
	long_begin(&l, 0);
	for (unsigned i = 0; i < 12; i++) {
		uint32_t budget = around[i / 3] + i % 3 - 1, done = budget < NR_LONG ? budget : NR_LONG;
		hart_set_register(&l.h, 5, 0);
		hart_jump(&l.h, 0);
		assert_int_equal(made_run(&l.h, budget), budget > NR_LONG ? HART_BREAKPOINT : HART_BUDGET);
		assert_int_equal(hart_register(&l.h, 5), done);
		assert_int_equal(l.h.pc, 4 * done);
	}
	made_translation_free(&l.h);
	code_free(l.code);
	free(l.bytes);
}

/* Loads and stores that the fast path does not take, at the last place of what is counted as one block. */
static void test_slow_access_at_the_seam(void **state)
{
	static const uint32_t words[] = {0x00139303 /* lh t1,1(t2) */, 0x00738123 /* sb t2,2(t2) */,
					 0x006390a3 /* sh t1,1(t2) */};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		for (uint32_t at = LARGEST_BLOCK - 2; at <= LARGEST_BLOCK; at++) {
			struct long_code l;
			long_init(&l);
			put_word(l.bytes + 4 * at, words[i]);
			long_begin(&l, 0);
			hart_set_store_window(&l.h, MADE_DATA_BASE, MADE_DATA_BASE);
			assert_int_equal(made_run(&l.h, UINT64_MAX), HART_BREAKPOINT);
			assert_int_equal(l.h.nr_retired, NR_LONG);
			assert_int_equal(hart_register(&l.h, 5), NR_LONG - 1);
			assert_int_equal(hart_register(&l.h, 6), i == 0 ? 0xffff8080 : 0);
			assert_int_equal(l.data[1], i == 2 ? 0 : 0x80);
			assert_int_equal(l.data[2], i == 0 ? 0x80 : 0);
			made_translation_free(&l.h);
			code_free(l.code);
			free(l.bytes);
		}
	}
}

/* A loop whose body has in it the seam that stands between a long block and what was decoded later. */
static void test_loop_over_the_seam(void **state)
{
	(void)state;
	for (uint32_t seam = 1; seam <= 11; seam++) {
		for (uint64_t slice = 1; slice < 13; slice++) {
			struct long_code l;
			unsigned nr_stops = 0;
			long_init(&l);
			put_word(l.bytes, encode_loop(8, 40));
			long_begin(&l, 0);
			hart_set_register(&l.h, 8, 3);
			hart_jump(&l.h, 4 * seam);
			assert_int_equal(made_run(&l.h, 1), HART_BUDGET);
			hart_set_register(&l.h, 5, 0);
			hart_jump(&l.h, 0);
			while (l.h.nr_retired < 1 + 1 + 30 + 20)
				nr_stops += made_run(&l.h, slice) == HART_INPUT;
			assert_int_equal(nr_stops, 3);
			assert_int_equal(made_run(&l.h, UINT64_MAX), HART_BREAKPOINT);
			assert_int_equal(hart_register(&l.h, 5), NR_LONG - 1 + 20);
			assert_int_equal(l.h.nr_retired, 1 + NR_LONG + 20);
			made_translation_free(&l.h);
			code_free(l.code);
			free(l.bytes);
		}
	}
}

/* Whatever part of a long block was changed, what was decoded is forgotten everywhere. */
static void test_discarding_long_blocks(void **state)
{
	struct long_code l;
	(void)state;
	long_init(&l);
	long_begin(&l, 0);
	assert_int_equal(made_run(&l.h, UINT64_MAX), HART_BREAKPOINT);
	for (uint32_t at = 0; at < NR_LONG; at += 500)
		put_word(l.bytes + 4 * at, encode_addi(5, 5, 2));
	code_discard(l.code);
	hart_set_register(&l.h, 5, 0);
	hart_jump(&l.h, 0);
	assert_int_equal(made_run(&l.h, UINT64_MAX), HART_BREAKPOINT);
	assert_int_equal(hart_register(&l.h, 5), NR_LONG + NR_LONG / 500);
	made_translation_free(&l.h);
	code_free(l.code);
	free(l.bytes);
}

TEST_FILE(test_ipu_blocks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_executors),
		cmocka_unit_test(test_long_blocks),
		cmocka_unit_test(test_budgets_in_long_blocks),
		cmocka_unit_test(test_slow_access_at_the_seam),
		cmocka_unit_test(test_loop_over_the_seam),
		cmocka_unit_test(test_discarding_long_blocks),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
