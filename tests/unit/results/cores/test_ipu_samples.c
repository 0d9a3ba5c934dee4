/* Packets of an IPU's program become rows of cycle stacks, and rows a report. */
#include "results/cores/ipu_samples.h"

#include <string.h>

#include "tests/unit/test.h"

static void add(struct ipu_samples *s, uint32_t pc, unsigned signature, uint32_t nr_bytes)
{
	const uint8_t bytes[8] = {(uint8_t)pc,	       (uint8_t)(pc >> 8), (uint8_t)(pc >> 16),
				  (uint8_t)(pc >> 24), (uint8_t)signature, (uint8_t)(signature >> 8)};
	const struct ipu_packet packet = {.nr_bytes = nr_bytes, .bytes = bytes};
	ipu_samples_add(s, &packet);
}

static void test_packets(void **state)
{
	(void)state;
	static const struct ipu_row expected[] = {{0x10, 0, 1}, {0x10, 256, 2}, {0xfedcba98, NR_SIGNATURES - 1, 1}};
	struct ipu_samples s = {0};
	add(&s, 0xfedcba98, NR_SIGNATURES - 1, 6);
	add(&s, 0x10, 256, 6);
	add(&s, 0x10, NR_SIGNATURES, 6);
	add(&s, 0x10, 0x8000, 6);
	add(&s, 0x10, 0, 5);
	add(&s, 0x10, 0, 7);
	add(&s, 0x10, 0, 0);
	add(&s, 0x10, 0, 6);
	add(&s, 0x10, 256, 6);
	assert_true(ipu_samples_end(&s));
	assert_int_equal(s.rejected, 5);
	assert_int_equal(s.total, 4);
	assert_int_equal(s.nr, ARRAY_SIZE(expected));
	for (size_t i = 0; i < s.nr; i++)
		assert_true(s.rows[i].pc == expected[i].pc && s.rows[i].signature == expected[i].signature &&
			    s.rows[i].samples == expected[i].samples);
	ipu_samples_release(&s);
	assert_true(ipu_samples_end(&s));
	ipu_samples_release(&s);
}

/* As many different rows as there is room for at first, and more; memory does not grow with their samples. */
static void test_merging(void **state)
{
	(void)state;
	static const uint32_t nrs[] = {1, 511, 512, 513, 1024, 1025, 5000};
	for (size_t k = 0; k < ARRAY_SIZE(nrs); k++) {
		struct ipu_samples s = {0};
		for (uint32_t i = 0; i < 100000; i++)
			add(&s, i % nrs[k] * 3, i % nrs[k] % 2, 6);
		assert_true(ipu_samples_end(&s));
		assert_int_equal(s.nr, nrs[k]);
		assert_int_equal(s.total, 100000);
		assert_true(s.room <= 1024 || s.room <= 4 * nrs[k]);
		for (uint32_t i = 0; i < nrs[k]; i++) {
			assert_int_equal(s.rows[i].pc, 3 * i);
			assert_int_equal(s.rows[i].signature, i % 2);
			assert_int_equal(s.rows[i].samples, 100000 / nrs[k] + (i < 100000 % nrs[k]));
		}
		ipu_samples_release(&s);
	}
}

/* Code in two places of 4 GiB, and at the end of the last one. */
static struct stack_insn insns[] = {
	{.pc = 0x1000}, {.pc = 0x1004}, {.pc = 0x5500001000}, {.pc = 0x5500002000}, {.pc = 0xfffffffffffffff0}};
static const struct stacks stacks = {.insns = insns, .nr_insns = ARRAY_SIZE(insns)};

static void test_places(void **state)
{
	(void)state;
	static const struct {
		uint32_t pc;
		size_t insn;
	} rows[] = {{0x1000, 0}, {0x1004, 1}, {0x2000, 3}, {0xfffffff0, 4}, {0, 5}, {0x1002, 5}, {0xffffffff, 5}};
	static const struct stacks none = {0};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(ipu_sample_insn(&stacks, rows[i].pc), rows[i].insn);
		assert_int_equal(ipu_sample_insn(&none, rows[i].pc), 0);
	}
}

static void test_profile(void **state)
{
	(void)state;
	struct ipu_samples s = {0};
	struct stack_profile p;
	add(&s, 0x2000, 8, 6);
	add(&s, 0x1004, 8, 6);
	add(&s, 0x1004, 0, 6);
	add(&s, 0x1004, 8, 6);
	add(&s, 0x3000, 8, 6);
	assert_true(ipu_samples_end(&s));
	assert_true(ipu_samples_profile(&s, &stacks, &p));
	static const struct stack_weight expected[] = {{1, 0, 1}, {1, 8, 2}, {3, 8, 1}};
	assert_int_equal(p.nr, ARRAY_SIZE(expected));
	assert_int_equal(p.total, 4);
	for (size_t i = 0; i < p.nr; i++)
		assert_true(p.weights[i].insn == expected[i].insn && p.weights[i].signature == expected[i].signature &&
			    p.weights[i].weight == expected[i].weight);
	free(p.weights);
	ipu_samples_release(&s);
}

/* ---- Reports ---- */

static const struct code_name names[ARRAY_SIZE(insns)] = {[1] = {.text = "nop"}};

static void make(struct ipu_stacks *s)
{
	*s = (struct ipu_stacks){.program = "made",
				 .mode = "every",
				 .hit_mhz = 3200,
				 .ipu_mhz = 2000,
				 .period = 50,
				 .counts = {.arrived = 10, .taken = 6, .dropped = 2},
				 .core = {.cycles = 200, .event_cycles = 10},
				 .stacks = &stacks,
				 .names = names};
	for (unsigned i = 0; i < 3; i++)
		add(&s->samples, 0x1004, 0x140, 6);
	add(&s->samples, 0x77, 0, 6);
	assert_true(ipu_samples_end(&s->samples));
}

static void test_text(void **state)
{
	(void)state;
	struct ipu_stacks s;
	struct textbuf out;
	make(&s);
	textbuf_init(&out);
	assert_true(ipu_stacks_text(&s, 0, false, &out));
	assert_string_equal(out.text,
			    "As an introspection unit sees it: program made, core at 3200 MHz, unit at 2000 MHz, "
			    "mode every\n"
			    "Cycles with an event: 5.00 % (dissertation: below 25 %)\n"
			    "Input sets: 10, of which 25.00 % dropped\n"
			    "Samples: 4, each for 50 cycles\n"
			    "\n"
			    "PC      events  cycles     %  instruction\n"
			    "-----------------------------------------\n"
			    "0x1004  ST-LLC     150  75.0  nop\n"
			    "0x77    Base        50  25.0  \n");
	textbuf_release(&out);
	s.period = 0;
	s.counts.skipped = 2;
	textbuf_init(&out);
	assert_true(ipu_stacks_text(&s, 1, false, &out));
	assert_non_null(
		strstr(out.text, "of which the mode skipped 20.00 %; of the others 25.00 % dropped\nSamples: 4\n"));
	assert_non_null(strstr(out.text, "PC      events  samples     %  instruction\n"));
	assert_non_null(strstr(out.text, "0x1004  ST-LLC        3  75.0  nop\n... and 1 more rows (--top)\n"));
	textbuf_release(&out);
	ipu_samples_release(&s.samples);
}

static void test_csv(void **state)
{
	(void)state;
	struct ipu_stacks s;
	struct textbuf out;
	make(&s);
	textbuf_init(&out);
	assert_true(ipu_stacks_csv(&s, 0, &out));
	assert_string_equal(out.text, "pc,events,signature,samples,cycles,place\n"
				      "0x1004,ST-LLC,320,3,150,nop\n"
				      "0x77,Base,0,1,50,\"\"\n");
	textbuf_release(&out);
	s.period = 0;
	textbuf_init(&out);
	assert_true(ipu_stacks_csv(&s, 1, &out));
	assert_string_equal(out.text, "pc,events,signature,samples,cycles,place\n0x1004,ST-LLC,320,3,,nop\n");
	textbuf_release(&out);
	ipu_samples_release(&s.samples);
}

static void test_none(void **state)
{
	(void)state;
	struct ipu_stacks s = {.program = "made", .mode = "every", .period = 50, .stacks = &stacks, .names = names};
	struct textbuf out;
	textbuf_init(&out);
	assert_true(ipu_stacks_text(&s, 0, false, &out));
	assert_non_null(strstr(out.text, "Samples: 0, each for 50 cycles; a smaller period takes some\n"));
	assert_null(strstr(out.text, "PC"));
	textbuf_release(&out);
}

TEST_FILE(test_ipu_samples)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets), cmocka_unit_test(test_merging), cmocka_unit_test(test_places),
		cmocka_unit_test(test_profile), cmocka_unit_test(test_text),	cmocka_unit_test(test_csv),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
