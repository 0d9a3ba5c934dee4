/* Cycle stacks by unit, their forms, and two profiles compared, of two small programs. */
#include <string.h>

#include "results/cores/pics_compare.h"
#include "results/cores/pics_internal.h"
#include "sim/base/file.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"
#include "tests/unit/text_parts.h"

#define NR_INSNS 6u

/* A function in two pieces around another, code in no function, and code in no file. */
static struct stack_insn insns[NR_INSNS] = {{.pc = 0x1000, .length = 4}, {.pc = 0x1004, .length = 4, .is_branch = true},
					    {.pc = 0x1010, .length = 4}, {.pc = 0x1020, .length = 4},
					    {.pc = 0x2ff0, .length = 4}, {.pc = 0x9000, .length = 4}};
#define IN_FILE(offset, name, from_begin)                                                                              \
	.place = {.module = "/bin/one",                                                                                \
		  .module_offset = offset,                                                                             \
		  .is_readable = true,                                                                                 \
		  .function = name,                                                                                    \
		  .function_offset = from_begin}
static const struct code_name first_names[NR_INSNS] = {
	{IN_FILE(0x0, "outer", 0x0), .file = "/src/one.c", .line = 7, .text = "lw a0, 0(a1)"},
	{IN_FILE(0x4, "outer", 0x4), .file = "/src/one.c", .line = 8, .text = "bnez a0, 0x1010"},
	{IN_FILE(0x10, "operator new; part", 0x0), .text = "ret"},
	{IN_FILE(0x20, "outer", 0x20), .text = "ret"},
	{IN_FILE(0x1ff0, NULL, 0), .text = "nop"},
	{.text = NULL}};
static struct code_name names[2][NR_INSNS];

/* In 1/3 of a cycle, 10 cycles; in 1/2 of a cycle, 13. */
static struct stack_cell cells[2][7] = {{{0, 0, 1, 10},
					 {0, SIGNATURE_ST_L1, 11, 5},
					 {1, SIGNATURE_FL_MB, 4, 2},
					 {2, 0, 4, 4},
					 {3, 0, 4, 4},
					 {4, 0, 4, 1},
					 {5, SIGNATURE_DR_L1 | SIGNATURE_DR_TLB, 2, 1}},
					{{0, 0, 1, 10},
					 {0, SIGNATURE_ST_L1, 15, 5},
					 {1, SIGNATURE_FL_MB, 2, 2},
					 {2, 0, 2, 4},
					 {3, 0, 2, 4},
					 {4, 0, 2, 1},
					 {5, SIGNATURE_DR_L1 | SIGNATURE_DR_TLB, 2, 1}}};
static struct stacks stacks[2];
static struct core_model model;
static struct core_result runs[2];
static struct pics_result results[2];
static struct pics_report report;

static int set_up(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		memcpy(names[i], first_names, sizeof(first_names));
		stacks[i] = (struct stacks){.units = i == 0 ? 3 : 2,
					    .cycles = i == 0 ? 10 : 13,
					    .instructions = 27,
					    .states = {10, 8, 6, 6},
					    .insns = insns,
					    .nr_insns = NR_INSNS,
					    .cells = cells[i],
					    .nr_cells = 7};
		runs[i] = (struct core_result){.stream = i == 0 ? "a/one.stream" : "a/two.stream",
					       .core = "tea",
					       .model = &model,
					       .config_hash = "0"};
		results[i] = (struct pics_result){.run = &runs[i], .stacks = &stacks[i], .names = names[i]};
	}
	report = (struct pics_report){.results = results, .nr = 1, .nr_lanes = 1};
	return 0;
}

/* ---- Units ---- */

static void units_are(enum pics_by by, const uint32_t *expected, size_t expected_nr)
{
	uint32_t units[NR_INSNS];
	size_t nr;
	assert_true(pics_units(&stacks[0], names[0], by, units, &nr));
	assert_int_equal(nr, expected_nr);
	for (unsigned i = 0; i < NR_INSNS; i++)
		assert_int_equal(units[i], expected[i]);
}

static void test_units(void **state)
{
	(void)state;
	units_are(PICS_INSTRUCTION, (const uint32_t[]){0, 1, 2, 3, 4, 5}, 6);
	units_are(PICS_BLOCK, (const uint32_t[]){0, 0, 1, 2, 3, 4}, 5);
	units_are(PICS_FUNCTION, (const uint32_t[]){0, 0, 1, 0, 2, 3}, 4);
	units_are(PICS_PROGRAM, (const uint32_t[]){0, 0, 0, 0, 0, 0}, 1);
	/* Pages, not places: a pc of no function belongs to others of its page. */
	names[0][2].place.function = names[0][3].place.function = NULL;
	units_are(PICS_FUNCTION, (const uint32_t[]){0, 0, 1, 1, 2, 3}, 4);
	/* The same place of another file is another function. */
	names[0][1].place.module = "/bin/other";
	units_are(PICS_FUNCTION, (const uint32_t[]){0, 1, 2, 2, 3, 4}, 5);
}

static void test_view_is_in_order(void **state)
{
	(void)state;
	struct pics_view v;
	struct pics_part sums[NR_SIGNATURES];
	assert_true(pics_view_init(&v, &stacks[0], names[0], PICS_FUNCTION));
	assert_int_equal(v.nr, 4);
	assert_int_equal(v.units[0].cycles, 20);
	assert_int_equal(v.units[0].nr_insns, 3);
	assert_int_equal(v.units[0].executions, 21);
	assert_int_equal(v.unit_of[3], 0);
	/* 4 units each: the one that begins first. */
	assert_int_equal(v.units[1].insn, 2);
	assert_int_equal(v.units[2].insn, 4);
	/* Parts: the highest first, then by signature. */
	assert_int_equal(v.parts.first[1], 3);
	assert_int_equal(v.parts.parts[0].signature, SIGNATURE_ST_L1);
	assert_int_equal(v.parts.parts[1].signature, 0);
	assert_int_equal(v.parts.parts[1].cycles, 5);
	assert_int_equal(v.parts.parts[1].executions, 14);
	assert_int_equal(v.parts.parts[2].signature, SIGNATURE_FL_MB);
	assert_int_equal(pics_view_rest(&v, 1, sums), 2);
	assert_int_equal(sums[0].cycles, 8);
	assert_int_equal(sums[1].cycles, 2);
	assert_int_equal(pics_unit_at(&v, 0x2ff0), 2);
	assert_int_equal(pics_unit_at(&v, 0x1002), v.nr);
	pics_view_release(&v);
}

static void test_cycles_are_rounded(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t cycles;
		unsigned units;
	} rows[] = {{"0.00", 0, 12},	{"0.08", 1, 12},      {"0.92", 11, 12},
		    {"0.13", 1, 8},	{"0.33", 1, 3},	      {"0.67", 2, 3},
		    {"1.00", 199, 200}, {"0.99", 1981, 2000}, {"1537228672809129.30", UINT64_MAX, 12000}};
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf out;
		textbuf_init(&out);
		pics_cycles(&out, rows[i].cycles, rows[i].units);
		assert_string_equal(out.text, rows[i].name);
		textbuf_release(&out);
	}
	struct textbuf out;
	textbuf_init(&out);
	pics_difference(&out, -5, 2);
	pics_difference(&out, 5, 2);
	assert_string_equal(out.text, "-2.50+2.50");
	textbuf_release(&out);
}

/* ---- Checks of the paper ---- */

static void test_stalls_that_99_pct_are_below(void **state)
{
	(void)state;
	struct stacks *s = &stacks[0];
	assert_int_equal(pics_short_stall(s), 0);
	s->base_stalls[3] = 99;
	assert_int_equal(pics_short_stall(s), 4);
	s->base_stalls[7] = 1;
	assert_int_equal(pics_short_stall(s), 4);
	s->base_stalls[7] = 2;
	assert_int_equal(pics_short_stall(s), 8);
	s->base_stalls[MAX_BASE_STALL] = 4;
	assert_int_equal(pics_short_stall(s), MAX_BASE_STALL + 1);
}

static void test_combined_events(void **state)
{
	(void)state;
	uint64_t with, combined;
	pics_count_events(&stacks[0], &with, &combined);
	assert_int_equal(with, 8);
	assert_int_equal(combined, 1);
}

/* ---- Forms ---- */

static void test_text(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	report.top = 1;
	assert_true(pics_text(&report, false, &out));
	has(&out, "Cycle stacks of a/one.stream on tea, counted exactly, in 1/3 of a cycle:\n"
		  "10 cycles, 27 instructions, CPI 0.370\n");
	has(&out, "\ncompute    3.33   33.3  ");
	has(&out, "\n  4.00   40.0          15  0x1000  outer+0x0  one.c:7  lw a0, 0(a1)\n"
		  "  3.67   36.7           5      ST-L1                ############################\n"
		  "  0.33    3.3          10      Base                 ###\n---");
	has(&out, "-\n  6.00   60.0          12  the other 5\n");
	has(&out, "-\n 10.00  100.0          27  all\n");
	textbuf_release(&out);
}

static void test_small_parts_are_summed(void **state)
{
	(void)state;
	struct stack_cell many[] = {{0, 0, 2980, 5}, {0, 1, 10, 2}, {0, 2, 7, 3}, {0, 4, 3, 4}};
	struct textbuf out;
	textbuf_init(&out);
	stacks[0].cells = many;
	stacks[0].nr_cells = ARRAY_SIZE(many);
	stacks[0].cycles = 1000;
	report.top = 1;
	assert_true(pics_text(&report, false, &out));
	has(&out, "   6.67    0.7           9      3 others\n");
	has_not(&out, "DR-TLB");
	textbuf_release(&out);
}

/* Cycles of lines add up to all, whatever their remainders. */
static void test_folded(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	assert_true(pics_folded(&report, &out));
	assert_string_equal(out.text, "one.stream;?;0x9000;DR-L1+DR-TLB 1\n"
				      "one.stream;one;+0x1ff0;Base 2\n"
				      "one.stream;operator_new__part;+0x0;Base 1\n"
				      "one.stream;outer;+0x20;Base 1\n"
				      "one.stream;outer;one.c:7;ST-L1 4\n"
				      "one.stream;outer;one.c:8;FL-MB 1\n");
	textbuf_release(&out);
}

static void test_csv_of_a_function(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	report.by = PICS_FUNCTION;
	report.top = 1;
	assert_true(pics_csv(&report, &out));
	has(&out, "\na/one.stream,tea,0,\"\",exact,0x1000,3,/bin/one,outer,\"\",/src/one.c,7,\"\",ST-L1,11,3,5\n"
		  "a/one.stream,tea,0,\"\",exact,0x1000,3,/bin/one,outer,\"\",/src/one.c,7,\"\",Base,5,3,14\n"
		  "a/one.stream,tea,0,\"\",exact,0x1000,3,/bin/one,outer,\"\",/src/one.c,7,\"\",FL-MB,4,3,2\n");
	textbuf_release(&out);
}

/* ---- Remedies ---- */

static const char *const lanes[] = {"as it is", "distance 4"};

static void test_lanes(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	stacks[1].units = 3; /* one core */
	stacks[1].cycles = 9;
	report.nr_lanes = 2;
	report.lanes = lanes;
	report.top = 1;
	assert_true(pics_text(&report, false, &out));
	has(&out, "\nas it is        10      0    1.000\ndistance 4       9      1    1.111\n");
	has(&out, "\n0x1000  outer+0x0  one.c:7  lw a0, 0(a1), cycles:\n");
	has(&out, "\nas it is    4.00   3.67  0.33\ndistance 4  5.33   5.00  0.33\n");
	textbuf_release(&out);
}

static void has_data(const char *figure, const char *expected)
{
	char path[64], *data;
	size_t len;
	struct sahm_err err;
	snprintf(path, sizeof(path), "%s/%s.csv", own_folder, figure);
	assert_int_equal(file_read(path, 10000, &data, &len, &err), SAHM_OK);
	if (strcmp(data, expected) != 0)
		fail_msg("%s is:\n%s", figure, data);
	free(data);
}

static void test_plots(void **state)
{
	(void)state;
	struct sahm_err err;
	report.top = 2;
	assert_int_equal(pics_plot_write(&report, own_folder, &err), SAHM_OK);
	has_data("pics_stacks", "stack,base_cycles_pct,fl_mb_cycles_pct,st_l1_cycles_pct\n"
				"outer+0x0,3.3333333333333335,0,36.666666666666664\n"
				"outer+0x4,0,13.333333333333334,0\n");
	/* In % of the first lane's cycles, which are 30 units. */
	stacks[1].units = 3;
	stacks[1].cycles = 8;
	report.nr_lanes = 2;
	report.lanes = lanes;
	report.top = 1;
	assert_int_equal(pics_plot_write(&report, own_folder, &err), SAHM_OK);
	has_data("pics_remedies", "stack,base_cycles_pct,st_l1_cycles_pct\n"
				  "outer+0x0 as it is,3.3333333333333335,36.666666666666664\n"
				  "outer+0x0 distance 4,3.3333333333333335,50\n");
	has_data("pics_speedup", "lane,speedup\nas it is,1\ndistance 4,1.25\n");
}

/* ---- Two profiles ---- */

static const struct pics_change *change_at(const struct pics_changes *c, uint64_t pc, enum pics_side side)
{
	for (size_t i = 0; i < c->nr; i++) {
		const struct pics_change *x = &c->changes[i];
		const struct pics_view *v = &c->views[side];
		if (x->unit[side] != SIZE_MAX && v->stacks->insns[v->units[x->unit[side]].insn].pc == pc)
			return x;
	}
	fail_msg("nothing at 0x%llx", (unsigned long long)pc);
	return NULL;
}

static int64_t sum_of(const struct pics_changes *c)
{
	int64_t sum = 0;
	for (size_t i = 0; i < c->nr; i++)
		sum += c->changes[i].difference;
	return sum;
}

static bool is_matched(const struct pics_changes *c, uint64_t pc)
{
	bool is = change_at(c, pc, SIDE_A)->unit[SIDE_B] != SIZE_MAX;
	assert_int_equal(change_at(c, pc, SIDE_B)->unit[SIDE_A] != SIZE_MAX, is);
	return is;
}

static void compare(struct pics_comparison *c)
{
	struct sahm_err err;
	assert_int_equal(pics_comparison_init(c, &results[0], &results[1], 0, &err), SAHM_OK);
	/* Sixths of 10 and 13 cycles. */
	assert_int_equal(c->units, 6);
	assert_int_equal(sum_of(&c->functions), 18);
	assert_int_equal(sum_of(&c->instructions), 18);
}

static void test_same_file(void **state)
{
	(void)state;
	struct pics_comparison c;
	struct pics_delta deltas[NR_SIGNATURES];
	names[1][0].text = NULL; /* not needed */
	compare(&c);
	assert_int_equal(c.functions.nr, 4);
	assert_int_equal(c.instructions.nr, 6);
	/* The largest difference first. */
	assert_int_equal(c.instructions.changes[0].difference, 16 * 3 - 12 * 2);
	assert_int_equal(change_at(&c.functions, 0x1000, SIDE_A)->difference, 20 * 3 - 20 * 2);
	assert_int_equal(pics_deltas(&c, &c.instructions, 0, 1, deltas), 2);
	assert_int_equal(deltas[0].signature, SIGNATURE_ST_L1);
	assert_int_equal(deltas[0].difference, 15 * 3 - 11 * 2);
	assert_int_equal(deltas[1].cycles[SIDE_A], 2);
	assert_int_equal(deltas[1].cycles[SIDE_B], 3);
	pics_comparison_release(&c);
}

static void test_other_file(void **state)
{
	(void)state;
	struct pics_comparison c;
	struct textbuf out;
	for (unsigned i = 0; i < 5; i++)
		names[1][i].place.module = "/bin/two";
	names[1][1].text = "beqz a0, 0x1010";
	names[1][2].place.function = "another";
	compare(&c);
	assert_true(is_matched(&c.instructions, 0x1000));
	assert_false(is_matched(&c.instructions, 0x1004)); /* another text */
	assert_false(is_matched(&c.instructions, 0x1010)); /* another function */
	assert_true(is_matched(&c.instructions, 0x1020));
	assert_false(is_matched(&c.instructions, 0x2ff0)); /* in no function, and another file */
	assert_true(is_matched(&c.functions, 0x1000));
	assert_false(is_matched(&c.functions, 0x1010));
	textbuf_init(&out);
	assert_true(pics_comparison_text(&c, false, &out));
	has(&out, "only in A: 0x1004  outer+0x4  one.c:8  bnez a0, 0x1010\n");
	has(&out, "only in B: 0x1004  outer+0x4  one.c:8  beqz a0, 0x1010\n");
	has(&out, "\n    +3.00     10.00     13.00  all\n");
	textbuf_release(&out);
	pics_comparison_release(&c);
}

/* The file at this path is not what the first stream was recorded of. */
static void test_changed_file(void **state)
{
	(void)state;
	struct pics_comparison c;
	for (unsigned i = 0; i < 5; i++) {
		names[0][i].place.is_readable = false;
		names[0][i].place.function = NULL;
		names[0][i].text = NULL;
	}
	compare(&c);
	for (unsigned i = 0; i < 5; i++)
		assert_false(is_matched(&c.instructions, insns[i].pc));
	assert_true(is_matched(&c.instructions, 0x9000));
	assert_false(is_matched(&c.functions, 0x2ff0));
	pics_comparison_release(&c);
}

/* Code in no file has no text: it is at least of one class and length. */
static void test_other_code_in_no_file(void **state)
{
	(void)state;
	struct stack_insn changed[NR_INSNS];
	memcpy(changed, insns, sizeof(insns));
	stacks[1].insns = changed;
	for (unsigned i = 0; i < 3; i++) {
		struct pics_comparison c;
		changed[5].class = i == 1 ? INSN_LOAD : insns[5].class;
		changed[5].length = i == 2 ? 2 : insns[5].length;
		compare(&c);
		assert_int_equal(is_matched(&c.instructions, 0x9000), i == 0);
		assert_true(is_matched(&c.functions, 0x9000));
		pics_comparison_release(&c);
	}
}

static void test_one_stream_matches_by_pc(void **state)
{
	(void)state;
	struct pics_comparison c;
	runs[1].stream = runs[0].stream;
	for (unsigned i = 0; i < NR_INSNS; i++)
		names[0][i] = names[1][i] = (struct code_name){.text = NULL};
	compare(&c);
	assert_int_equal(c.instructions.nr, NR_INSNS);
	assert_int_equal(c.functions.nr, 3); /* pages */
	pics_comparison_release(&c);
}

static void test_too_many_cycles(void **state)
{
	(void)state;
	struct sahm_err err;
	struct pics_comparison c;
	stacks[1].cycles = INT64_MAX / 6 + 1;
	assert_int_equal(pics_comparison_init(&c, &results[0], &results[1], 0, &err), SAHM_RANGE);
	pics_comparison_release(&c);
}

TEST_FILE(test_pics_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_units, set_up),
		cmocka_unit_test_setup(test_view_is_in_order, set_up),
		cmocka_unit_test_setup(test_cycles_are_rounded, set_up),
		cmocka_unit_test_setup(test_stalls_that_99_pct_are_below, set_up),
		cmocka_unit_test_setup(test_combined_events, set_up),
		cmocka_unit_test_setup(test_text, set_up),
		cmocka_unit_test_setup(test_small_parts_are_summed, set_up),
		cmocka_unit_test_setup(test_folded, set_up),
		cmocka_unit_test_setup(test_csv_of_a_function, set_up),
		cmocka_unit_test_setup(test_lanes, set_up),
		cmocka_unit_test_setup(test_plots, set_up),
		cmocka_unit_test_setup(test_same_file, set_up),
		cmocka_unit_test_setup(test_other_file, set_up),
		cmocka_unit_test_setup(test_changed_file, set_up),
		cmocka_unit_test_setup(test_other_code_in_no_file, set_up),
		cmocka_unit_test_setup(test_one_stream_matches_by_pc, set_up),
		cmocka_unit_test_setup(test_too_many_cycles, set_up),
	};
	return cmocka_run_group_tests_name("pics_report", tests, make_own_folder, remove_own_folder);
}
