/* Input registers as CSRs, which have separate executors, and the hash. */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

static bool csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	(void)h;
	*value = 0x5000 + csr;
	return csr != HART_INPUT_CSR + 1;
}

static const struct hart_host host = {.csr_read = csr_read};

/* One instruction, in front of one that would be fused with it; x7 is what it read. */
static enum hart_cause run_csr(uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t csr, const uint64_t *inputs,
			       const struct hart_host *asked, uint32_t *value)
{
	struct made_hart m;

	made_hart_init(&m);
	made_hart_add(&m, encode_i(OP_SYSTEM, funct3, rd, rs1, csr));
	made_hart_add(&m, encode_addi(9, rd, 1));
	made_hart_begin(&m);
	m.h.inputs = inputs;
	m.h.host = asked;
	hart_set_register(&m.h, 5, 1);
	enum hart_cause cause = made_run(&m.h, 2);
	*value = hart_register(&m.h, rd);
	assert_int_equal(hart_register(&m.h, 0), 0);
	if (cause == HART_BUDGET)
		assert_int_equal(hart_register(&m.h, 9), *value + 1);
	else
		assert_fault(&m.h, HART_ILLEGAL_INSTRUCTION, MADE_CODE_BASE, MADE_CODE_BASE, 0);
	made_hart_end(&m);
	return cause;
}

static void test_inputs(void **state)
{
	static const uint32_t reads[] = {2, 3, 6, 7}; /* csrrs, csrrc, csrrsi, csrrci */
	uint64_t inputs[32];
	uint32_t value;

	(void)state;
	for (uint64_t i = 0; i < 32; i++)
		inputs[i] = (UINT64_C(0x80000000) + i) << 32 | (0xc0000000 + 3 * i);
	for (unsigned how = 0; how < 4; how++) {
		for (uint32_t i = 0; i < 32; i++) {
			assert_int_equal(run_csr(reads[how], 7, 0, HART_INPUT_CSR + i, inputs, NULL, &value),
					 HART_BUDGET);
			assert_int_equal(value, 0xc0000000 + 3 * i);
			assert_int_equal(run_csr(reads[how], 7, 0, HART_INPUT_HIGH_CSR + i, inputs, &host, &value),
					 HART_BUDGET);
			assert_int_equal(value, 0x80000000 + i);
		}
		assert_int_equal(run_csr(reads[how], 0, 0, HART_INPUT_CSR, inputs, NULL, &value), HART_BUDGET);
		/* Their neighbours are nothing. */
		assert_int_equal(run_csr(reads[how], 7, 0, 0xcbf, inputs, NULL, &value), HART_ILLEGAL_INSTRUCTION);
		assert_int_equal(run_csr(reads[how], 7, 0, 0xd00, inputs, NULL, &value), HART_ILLEGAL_INSTRUCTION);
		/* They cannot be written. */
		assert_int_equal(run_csr(reads[how], 7, 5, 0xcc0, inputs, &host, &value), HART_ILLEGAL_INSTRUCTION);
	}
	assert_int_equal(run_csr(1, 7, 0, 0xcc0, inputs, &host, &value), HART_ILLEGAL_INSTRUCTION);
	assert_int_equal(run_csr(5, 0, 0, 0xcff, inputs, &host, &value), HART_ILLEGAL_INSTRUCTION);
}

/* Without inputs the host is asked, as for any other. */
static void test_inputs_of_the_host(void **state)
{
	uint32_t value;

	(void)state;
	assert_int_equal(run_csr(2, 7, 0, 0xcc0, NULL, &host, &value), HART_BUDGET);
	assert_int_equal(value, 0x5cc0);
	assert_int_equal(run_csr(2, 7, 0, 0xcff, NULL, &host, &value), HART_BUDGET);
	assert_int_equal(value, 0x5cff);
	assert_int_equal(run_csr(2, 7, 0, HART_INPUT_CSR + 1, NULL, &host, &value), HART_ILLEGAL_INSTRUCTION);
	assert_int_equal(run_csr(2, 7, 0, 0xcc0, NULL, NULL, &value), HART_ILLEGAL_INSTRUCTION);
}

/* Neighbours, the second of which its host does not know: the first has been done. */
static void test_fused_inputs_of_the_host(void **state)
{
	struct made_hart m;

	(void)state;
	made_hart_init(&m);
	made_hart_add(&m, encode_i(OP_SYSTEM, 2, 7, 0, HART_INPUT_HIGH_CSR + 1));
	made_hart_add(&m, encode_i(OP_SYSTEM, 2, 8, 0, HART_INPUT_CSR + 1));
	made_hart_begin(&m);
	m.h.host = &host;
	assert_int_equal(made_run(&m.h, 9), HART_ILLEGAL_INSTRUCTION);
	assert_fault(&m.h, HART_ILLEGAL_INSTRUCTION, MADE_CODE_BASE + 4, MADE_CODE_BASE + 4, 1);
	assert_int_equal(hart_register(&m.h, 7), 0x5ce1);
	made_hart_end(&m);
}

/* MurmurHash3 of no bytes at all is its seed, finalised: known values for the seeds 0, 1 and 2^32 - 1. */
static void test_hash(void **state)
{
	static const uint32_t rows[][3] = {
		{0, 0, 0},
		{1, 0, 0x514e28b7},
		{0, 1, 0x514e28b7},
		{0x1234, 0x1235, 0x514e28b7},
		{0xffffffff, 0, 0x81f16f39},
		{0xffffffff, 0xffffffff, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_hash(7, 5, 6));
		made_hart_begin(&m);
		hart_set_register(&m.h, 5, rows[i][0]);
		hart_set_register(&m.h, 6, rows[i][1]);
		assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 7), rows[i][2]);
		assert_int_equal(m.h.nr_extra, 0);
		made_hart_end(&m);
	}
}

TEST_FILE(test_ipu_inputs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_inputs_of_the_host),
		cmocka_unit_test(test_fused_inputs_of_the_host),
		cmocka_unit_test(test_hash),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
