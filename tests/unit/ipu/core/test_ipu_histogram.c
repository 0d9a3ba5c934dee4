/* Histograms: every instruction that retires is counted, and every pair that stands and runs together. */
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "ipu/core/instruction_histogram.h"

/* Runs three times through its loop, falls out of it, and stops. */
static const uint8_t program[] = {
	0x13, 0x05, 0x30, 0x00, /*  0: addi a0,zero,3 */
	0x7d, 0x15,		/*  4: c.addi a0,-1 */
	0x01, 0x00,		/*  6: c.nop */
	0x83, 0xa5, 0x02, 0x00, /*  8: lw a1,0(t0) */
	0x65, 0xfd,		/* 12: c.bnez a0,4 */
	0x81, 0x45,		/* 14: c.li a1,0 */
	0x02, 0x90,		/* 16: c.ebreak */
};
#define NR_RETIRED 14

struct machine {
	struct hart hart;
	uint8_t data[4];
	struct instruction_histogram g;
};

static struct machine *set_up(void)
{
	struct machine *m = calloc(1, sizeof(*m));
	struct code *code;
	assert_non_null(m);
	assert_int_equal(code_new(&code, 0, program, sizeof(program), CODE_FIXED, NULL), SAHM_OK);
	hart_init(&m->hart, code);
	hart_set_memory(&m->hart, 0x1000, m->data, sizeof(m->data));
	hart_set_register(&m->hart, 5, 0x1000);
	histogram_init(&m->g);
	return m;
}

static void tear_down(struct machine *m)
{
	code_free(m->hart.code);
	free(m);
}

static uint64_t sum_of_pairs(const struct instruction_histogram *g)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < NR_INSTRUCTIONS; i++)
		for (unsigned j = 0; j < NR_INSTRUCTIONS; j++)
			sum += g->nr_pairs[i][j];
	return sum;
}

static void check_counts(const struct instruction_histogram *g)
{
	assert_int_equal(g->nr[INSTRUCTION_ADDI], 1);
	assert_int_equal(g->nr[INSTRUCTION_C_ADDI], 3);
	assert_int_equal(g->nr[INSTRUCTION_C_NOP], 3);
	assert_int_equal(g->nr[INSTRUCTION_LW], 3);
	assert_int_equal(g->nr[INSTRUCTION_C_BNEZ], 3);
	assert_int_equal(g->nr[INSTRUCTION_C_LI], 1);
	assert_int_equal(g->nr[INSTRUCTION_C_EBREAK], 0);
	/* Nothing is paired with a branch in front of it, whether it was taken or not. */
	assert_int_equal(g->nr_pairs[INSTRUCTION_ADDI][INSTRUCTION_C_ADDI], 1);
	assert_int_equal(g->nr_pairs[INSTRUCTION_C_ADDI][INSTRUCTION_C_NOP], 3);
	assert_int_equal(g->nr_pairs[INSTRUCTION_C_NOP][INSTRUCTION_LW], 3);
	assert_int_equal(g->nr_pairs[INSTRUCTION_LW][INSTRUCTION_C_BNEZ], 3);
	assert_int_equal(sum_of_pairs(g), 10);
}

static void test_counts(void **state)
{
	(void)state;
	struct machine *m = set_up();
	assert_int_equal(histogram_run(&m->g, &m->hart, 1000), HART_BREAKPOINT);
	assert_int_equal(m->hart.nr_retired, NR_RETIRED);
	check_counts(&m->g);
	/* It stays where it stopped. */
	assert_int_equal(histogram_run(&m->g, &m->hart, 1000), HART_BREAKPOINT);
	check_counts(&m->g);
	tear_down(m);
}

/* A run in slices counts what one in a piece does, and each slice keeps to its budget. */
static void test_slices(void **state)
{
	(void)state;
	for (uint64_t slice = 1; slice <= 5; slice++) {
		struct machine *m = set_up();
		uint64_t before = 0;
		while (histogram_run(&m->g, &m->hart, slice) == HART_BUDGET) {
			assert_int_equal(m->hart.nr_retired - before, slice);
			before = m->hart.nr_retired;
		}
		assert_int_equal(m->hart.cause, HART_BREAKPOINT);
		check_counts(&m->g);
		tear_down(m);
	}
}

/* Instructions between which the host has sent the hart elsewhere are no pair; going where it would have gone is one.
 */
static void test_jump_between(void **state)
{
	(void)state;
	struct machine *m = set_up();
	hart_jump(&m->hart, 4);
	assert_int_equal(histogram_run(&m->g, &m->hart, 1), HART_BUDGET);
	hart_jump(&m->hart, 14);
	assert_int_equal(histogram_run(&m->g, &m->hart, 1), HART_BUDGET);
	assert_int_equal(m->g.nr[INSTRUCTION_C_ADDI], 1);
	assert_int_equal(m->g.nr[INSTRUCTION_C_LI], 1);
	assert_int_equal(sum_of_pairs(&m->g), 0);
	hart_jump(&m->hart, 6);
	assert_int_equal(histogram_run(&m->g, &m->hart, 1), HART_BUDGET);
	hart_jump(&m->hart, 8);
	assert_int_equal(histogram_run(&m->g, &m->hart, 1), HART_BUDGET);
	assert_int_equal(sum_of_pairs(&m->g), 1);
	tear_down(m);
}

/* An instruction that faults is not counted. */
static void test_fault(void **state)
{
	(void)state;
	struct machine *m = set_up();
	hart_set_register(&m->hart, 5, 0);
	assert_int_equal(histogram_run(&m->g, &m->hart, 1000), HART_LOAD_OUTSIDE);
	assert_int_equal(m->g.nr[INSTRUCTION_C_NOP], 1);
	assert_int_equal(m->g.nr[INSTRUCTION_LW], 0);
	assert_int_equal(sum_of_pairs(&m->g), 2);
	tear_down(m);
}

static void test_table(void **state)
{
	(void)state;
	struct machine *m = set_up();
	struct textbuf out;
	textbuf_init(&out);
	histogram_write(&m->g, 10, &out);
	assert_string_equal(out.text, "instructions                                 0\n");
	textbuf_release(&out);
	textbuf_init(&out);
	histogram_run(&m->g, &m->hart, 1000);
	histogram_write(&m->g, 2, &out);
	assert_string_equal(out.text, "instructions                                14\n"
				      "lw                                           3  21.429 %\n"
				      "c.nop                                        3  21.429 %\n"
				      "c.addi                                       3  21.429 %\n"
				      "c.bnez                                       3  21.429 %\n"
				      "addi                                         1   7.143 %\n"
				      "c.li                                         1   7.143 %\n"
				      "\n"
				      "pairs\n"
				      "lw           c.bnez                          3  21.429 %\n"
				      "c.nop        lw                              3  21.429 %\n");
	textbuf_release(&out);
	/* No more pairs than there are. */
	textbuf_init(&out);
	histogram_write(&m->g, UINT32_MAX, &out);
	const char *rest = strstr(out.text, "c.nop        lw");
	assert_non_null(rest);
	assert_string_equal(rest, "c.nop        lw                              3  21.429 %\n"
				  "c.addi       c.nop                           3  21.429 %\n"
				  "addi         c.addi                          1   7.143 %\n");
	textbuf_release(&out);
	tear_down(m);
}

/* Code that is changed without fence.i: decoded code continues to run, and is counted all the same. */
static void test_changed_code(void **state)
{
	uint8_t changing[] = {0x01, 0x00, 0x01, 0x00, 0x02, 0x90}; /* c.nop; c.nop; c.ebreak */
	struct code *code;
	struct hart h;
	struct textbuf table;
	struct instruction_histogram *g = calloc(1, sizeof(*g));
	(void)state;
	assert_non_null(g);
	assert_int_equal(code_new(&code, 0, changing, sizeof(changing), 0, NULL), SAHM_OK);
	hart_init(&h, code);
	histogram_init(g);
	assert_int_equal(histogram_run(g, &h, 1), HART_BUDGET);
	memset(changing, 0, 4);
	assert_int_equal(histogram_run(g, &h, 100), HART_BREAKPOINT);
	assert_int_equal(h.nr_retired, 2);
	assert_int_equal(g->nr[INSTRUCTION_C_NOP], 1);
	assert_int_equal(g->nr[INSTRUCTION_ILLEGAL], 1);
	assert_int_equal(sum_of_pairs(g), 0);
	textbuf_init(&table);
	histogram_write(g, 10, &table);
	assert_non_null(strstr(table.text, "(changed) "));
	assert_non_null(strstr(table.text, "instructions                                 2\n"));
	textbuf_release(&table);
	code_free(code);
	free(g);
}

TEST_FILE(test_ipu_histogram)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	     cmocka_unit_test(test_slices), cmocka_unit_test(test_jump_between),
		cmocka_unit_test(test_changed_code), cmocka_unit_test(test_fault),  cmocka_unit_test(test_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
