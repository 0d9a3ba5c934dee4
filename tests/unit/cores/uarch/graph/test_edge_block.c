/* EDGE blocks, worked by hand. */
#include "cores/uarch/graph/edge_block.h"

#include <string.h>

#include "tests/unit/cores/uarch/graph/edge_stream.h"

static struct made_blocks made;
static struct edge_maker *maker;

static void begin(unsigned max_insns, bool has_hammocks)
{
	const struct edge_shape shape = {max_insns, has_hammocks};
	made = (struct made_blocks){0};
	maker = edge_maker_new(&shape, keep_block, &made);
	assert_non_null(maker);
}

static void end(void)
{
	edge_maker_free(maker);
	free(made.blocks);
}

static void add(uint64_t pc, enum insn_class class, uint8_t destination, uint8_t a, uint8_t b)
{
	const struct insn in = insn_of(pc, class, destination, a, b);
	const struct edge_access access = {0x1000, 8, class == INSN_STORE};
	edge_maker_add(maker, &in, &access, class == INSN_LOAD || class == INSN_STORE, false);
}

static void add_branch(uint64_t pc, enum insn_class class, uint64_t target, bool taken)
{
	struct insn in = insn_of(pc, class, NONE, NONE, NONE);
	in.target = target;
	edge_maker_add(maker, &in, NULL, 0, taken);
}

/* The kinds of a block's instructions, a letter each. */
static void check_kinds(size_t block, const char *kinds)
{
	static const char letters[NR_EDGE_KINDS] = {
		[EDGE_READ] = 'R',  [EDGE_MOV] = 'M',	  [EDGE_NULL] = 'N',  [EDGE_LOAD] = 'L',
		[EDGE_STORE] = 'S', [EDGE_COMPUTE] = 'c', [EDGE_BRANCH] = 'b'};
	char found[64] = "";
	assert_true(block < made.nr);
	const struct edge_block *b = &made.blocks[block];
	assert_true(b->nr < sizeof(found));
	for (unsigned i = 0; i < b->nr; i++)
		found[i] = letters[b->insns[i].kind];
	assert_string_equal(found, kinds);
}

static unsigned source(const struct edge_block *b, unsigned i, unsigned k)
{
	return b->operands[b->insns[i].operands + k];
}

/* x5 = x6 + x7; x6 = [x5]; x5 = x5 + x6; [x8] = x6 */
static void test_reads(void **state)
{
	(void)state;
	begin(EDGE_SMALL_BLOCK, false);
	add(0x100, INSN_INTEGER, 5, 6, 7);
	add(0x104, INSN_LOAD, 6, 5, NONE);
	add(0x108, INSN_INTEGER, 5, 5, 6);
	add(0x10c, INSN_STORE, NONE, 8, 6);
	edge_maker_flush(maker);
	check_kinds(0, "RRRcLcS");
	const struct edge_block *b = made.blocks;
	assert_int_equal(b->insns[0].reg, 6);
	assert_int_equal(b->insns[2].reg, 8);
	/* Only last writers leave the block. */
	assert_int_equal(b->insns[3].reg, NO_REGISTER);
	assert_false(b->insns[3].is_output);
	assert_int_equal(b->insns[4].reg, 6);
	assert_int_equal(b->insns[5].reg, 5);
	assert_true(b->insns[5].is_output && b->insns[6].is_output);
	assert_int_equal(b->nr_registers, 2);
	assert_int_equal(b->nr_stores, 1);
	assert_int_equal(b->branch, -1);
	assert_int_equal(b->insns[5].nr_operands, 2);
	assert_int_equal(source(b, 5, 0), 3);
	assert_int_equal(source(b, 5, 1), 4);
	assert_int_equal(source(b, 6, 0), 2);
	assert_int_equal(source(b, 6, 1), 4);
	end();
}

/* A MOV for every two consumers beyond the second. */
static void test_movs(void **state)
{
	static const unsigned movs[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4};
	(void)state;
	for (unsigned nr = 1; nr < ARRAY_SIZE(movs); nr++) {
		begin(EDGE_SMALL_BLOCK, false);
		add(0x100, INSN_INTEGER, 5, NONE, NONE);
		for (unsigned i = 0; i < nr; i++)
			add(0x104 + 4 * i, INSN_INTEGER, 6, 5, NONE);
		edge_maker_flush(maker);
		assert_int_equal(count_kind(made.blocks, EDGE_MOV), movs[nr]);
		assert_int_equal(made.blocks->nr, 1 + nr + movs[nr]);
		end();
	}
}

/* Seven consumers: the producer names the first one and M1; M1 the second one, M2 and M3; these the rest. */
static void test_mov_tree(void **state)
{
	static const unsigned sources[] = {0, 1, 2, 2, 2, 3, 3};
	(void)state;
	begin(EDGE_SMALL_BLOCK, false);
	add(0x100, INSN_INTEGER, 5, NONE, NONE);
	for (unsigned i = 0; i < ARRAY_SIZE(sources); i++)
		add(0x104 + 4 * i, INSN_INTEGER, 6, 5, NONE);
	edge_maker_flush(maker);
	check_kinds(0, "cMMMccccccc");
	const struct edge_block *b = made.blocks;
	assert_int_equal(source(b, 1, 0), 0);
	assert_int_equal(source(b, 2, 0), 1);
	assert_int_equal(source(b, 3, 0), 1);
	for (unsigned i = 0; i < ARRAY_SIZE(sources); i++)
		assert_int_equal(source(b, 4 + i, 0), sources[i]);
	assert_int_equal(b->insns[0].nr_targets, 2);
	assert_int_equal(b->insns[1].nr_targets, 3);
	assert_int_equal(b->insns[3].nr_targets, 2);
	end();
}

/* The last consumer begins the longest chain: it is the producer's first target. */
static void test_mov_order(void **state)
{
	(void)state;
	begin(EDGE_SMALL_BLOCK, false);
	add(0x100, INSN_INTEGER, 5, NONE, NONE);
	add(0x104, INSN_INTEGER, 6, 5, NONE);
	add(0x108, INSN_INTEGER, 7, 5, NONE);
	add(0x10c, INSN_INTEGER, 8, 5, NONE);
	add(0x110, INSN_INTEGER, 9, 8, NONE);
	edge_maker_flush(maker);
	check_kinds(0, "cMcccc");
	assert_int_equal(source(made.blocks, 2, 0), 1);
	assert_int_equal(source(made.blocks, 3, 0), 1);
	assert_int_equal(source(made.blocks, 4, 0), 0);
	end();
}

static void test_cuts(void **state)
{
	static const struct {
		const char *name;
		enum insn_class class;
		unsigned first; /* instructions of the first block, of 40 with this one as the third */
	} rows[] = {
		{"call", INSN_CALL, 3},
		{"return", INSN_RETURN, 3},
		{"indirect jump", INSN_INDIRECT_JUMP, 3},
		{"indirect call", INSN_INDIRECT_CALL, 3},
		{"jump", INSN_JUMP, 32},
		{"branch", INSN_BRANCH, 32},
		{"load", INSN_LOAD, 32},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(EDGE_SMALL_BLOCK, false);
		for (unsigned k = 0; k < 40; k++)
			add(0x100 + 4 * k, k == 2 ? rows[i].class : INSN_INTEGER, 5, 6, NONE);
		edge_maker_flush(maker);
		if (made.blocks[0].nr_executed != rows[i].first)
			fail_msg("%s: %u instructions", rows[i].name, made.blocks[0].nr_executed);
		end();
	}
}

/* 128 instructions with 32 entries for loads and stores. */
static void test_large(void **state)
{
	(void)state;
	begin(EDGE_LARGE_BLOCK, false);
	for (unsigned k = 0; k < 129; k++)
		add(0x100 + 4 * k, k < EDGE_LSQ ? INSN_LOAD : INSN_INTEGER, 5, NONE, NONE);
	for (unsigned k = 0; k < EDGE_LSQ + 1; k++)
		add(0x1000 + 4 * k, INSN_STORE, NONE, NONE, NONE);
	edge_maker_flush(maker);
	assert_int_equal(made.nr, 3);
	assert_int_equal(made.blocks[0].nr_executed, 128);
	assert_int_equal(made.blocks[1].nr_executed, 1 + EDGE_LSQ);
	assert_int_equal(made.blocks[2].nr_executed, 1);
	end();
}

/* Each access is an instruction: of an atomic one its load, the operation and its store. */
static void test_accesses(void **state)
{
	const struct insn in = insn_of(0x100, INSN_ATOMIC, 5, 6, 7);
	const struct edge_access accesses[] = {{0x1000, 8, false}, {0x1000, 8, true}};
	(void)state;
	begin(EDGE_SMALL_BLOCK, false);
	edge_maker_add(maker, &in, accesses, 2, false);
	edge_maker_flush(maker);
	/* Three consumers each of x6 and x7. */
	check_kinds(0, "RMRMLcS");
	const struct edge_block *b = made.blocks;
	assert_int_equal(source(b, 5, 2), 4);
	assert_int_equal(source(b, 6, 2), 5);
	assert_int_equal(b->insns[5].reg, 5);
	assert_int_equal(b->nr_executed, 1);
	end();
}

/* A copy within memory: the store reads the load. */
static void test_copy(void **state)
{
	const struct insn in = insn_of(0x100, INSN_STORE, 7, NONE, NONE);
	const struct edge_access accesses[] = {{0x1000, 8, false}, {0x2000, 8, true}};
	(void)state;
	begin(EDGE_SMALL_BLOCK, false);
	edge_maker_add(maker, &in, accesses, 2, false);
	edge_maker_flush(maker);
	check_kinds(0, "LS");
	assert_int_equal(made.blocks->insns[1].nr_operands, 1);
	assert_int_equal(source(made.blocks, 1, 0), 0);
	assert_int_equal(made.blocks->insns[0].reg, 7);
	end();
}

/* A READ with three MOVs for eight loads: 4 + 5 + 3 x 4 + 8 x 5 bytes. */
static void test_bytes(void **state)
{
	static const uint16_t cycles[NR_EDGE_FORMATS][12] = {
		[EDGE_CONTIGUOUS] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2},   /* 9, 13, 17, 21, 26, 31, 36 ... 61 */
		[EDGE_TWO_SEGMENT] = {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},  /* bases to 28; 31, 33, 35, 37, 40 ... 61 */
		[EDGE_FOUR_SEGMENT] = {2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, /* 45; targets 32, 34, 36; 47 ... 61 */
	};
	(void)state;
	begin(EDGE_SMALL_BLOCK, false);
	for (unsigned k = 0; k < 8; k++)
		add(0x100 + 4 * k, INSN_LOAD, (uint8_t)(6 + k), 5, NONE);
	edge_maker_flush(maker);
	check_kinds(0, "RMMMLLLLLLLL");
	assert_int_equal(made.blocks->bytes, 61);
	for (unsigned f = 0; f < NR_EDGE_FORMATS; f++)
		for (unsigned i = 0; i < 12; i++)
			if (made.blocks->insns[i].fetch_cycles[f] != cycles[f][i])
				fail_msg("%s: instruction %u takes %u cycles", edge_format_name((enum edge_format)f), i,
					 made.blocks->insns[i].fetch_cycles[f]);
	end();
}

/* Bytes beyond the header of a block with one instruction (and its READs of 3 bytes). */
static void test_encoding(void **state)
{
	static const struct {
		const char *name;
		struct insn in;
		unsigned bytes;
	} rows[] = {
		{"integer, two registers", {.length = 4, .class = INSN_INTEGER, .source = {1, 2, NONE}}, 2 + 6},
		{"integer, one register", {.length = 4, .class = INSN_INTEGER, .source = {1, NONE, NONE}}, 4 + 3},
		{"integer, compressed", {.length = 2, .class = INSN_INTEGER, .source = {1, NONE, NONE}}, 3 + 3},
		{"integer, no register", {.length = 4, .class = INSN_INTEGER, .source = {NONE, NONE, NONE}}, 6},
		{"multiplication", {.length = 4, .class = INSN_MULTIPLY, .source = {1, 2, NONE}}, 3 + 6},
		{"load", {.length = 4, .class = INSN_LOAD, .source = {1, NONE, NONE}}, 5 + 3},
		{"load, compressed", {.length = 2, .class = INSN_LOAD, .source = {1, NONE, NONE}}, 4 + 3},
		{"branch, near",
		 {.pc = 200, .target = 72, .length = 4, .class = INSN_BRANCH, .source = {NONE, NONE, NONE}},
		 3},
		{"branch",
		 {.pc = 200, .target = 71, .length = 4, .class = INSN_BRANCH, .source = {NONE, NONE, NONE}},
		 4},
		{"jump, far",
		 {.pc = 0, .target = 32768, .length = 4, .class = INSN_JUMP, .source = {NONE, NONE, NONE}},
		 6},
		{"return", {.length = 4, .class = INSN_RETURN, .source = {1, NONE, NONE}}, 2 + 3},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct insn in = rows[i].in;
		in.destination = NO_REGISTER;
		begin(EDGE_SMALL_BLOCK, false);
		edge_maker_add(maker, &in, NULL, 0, false);
		edge_maker_flush(maker);
		if (made.blocks->bytes != EDGE_HEADER_BYTES + rows[i].bytes)
			fail_msg("%s: %u bytes", rows[i].name, made.blocks->bytes);
		end();
	}
}

/* if (...) { store; x5 = ...; } */
static void triangle(bool taken)
{
	add_branch(0x100, INSN_BRANCH, 0x10c, taken);
	if (!taken) {
		add(0x104, INSN_STORE, NONE, NONE, NONE);
		add(0x108, INSN_INTEGER, 5, NONE, NONE);
	}
	add(0x10c, INSN_INTEGER, 6, NONE, NONE);
	add(0x110, INSN_RETURN, NONE, NONE, NONE);
}

static void test_triangle(void **state)
{
	(void)state;
	begin(EDGE_SMALL_BLOCK, true);
	triangle(true); /* nothing is known of the other side */
	triangle(false);
	triangle(true);
	triangle(false);
	check_kinds(0, "bcb");
	check_kinds(1, "bSccb");
	check_kinds(2, "cNcb");
	check_kinds(3, "cSccb");
	const struct edge_block *b = &made.blocks[2];
	assert_int_equal(b->branch, 3);
	assert_true(b->insns[1].is_output);
	assert_int_equal(source(b, 1, 0), 0);
	assert_int_equal(b->insns[2].nr_operands, 0);
	b = &made.blocks[3];
	assert_int_equal(source(b, 1, 0), 0);
	assert_int_equal(source(b, 2, 0), 0);
	assert_true(b->insns[2].is_predicated);
	assert_int_equal(edge_opcode_bytes(&b->insns[0]), 0);
	assert_int_equal(edge_opcode_bytes(&b->insns[2]), 1);
	assert_false(b->insns[3].is_predicated);
	end();
	begin(EDGE_SMALL_BLOCK, false);
	triangle(false);
	triangle(true);
	check_kinds(1, "bcb");
	end();
}

/* if (...) { store; } else { store; store; } */
static void diamond(bool taken)
{
	add_branch(0x200, INSN_BRANCH, 0x20c, taken);
	add(taken ? 0x20c : 0x204, INSN_STORE, NONE, NONE, NONE);
	if (taken)
		add(0x210, INSN_STORE, NONE, NONE, NONE);
	else
		add_branch(0x208, INSN_JUMP, 0x214, true);
	add(0x214, INSN_INTEGER, 6, NONE, NONE);
	add(0x218, INSN_RETURN, NONE, NONE, NONE);
}

/* The second side is elsewhere: GCC puts what it thinks is rare at the end. */
static void far_side(bool taken)
{
	add_branch(0x300, INSN_BRANCH, 0x200, taken);
	add(taken ? 0x200 : 0x304, INSN_STORE, NONE, NONE, NONE);
	if (taken)
		add_branch(0x204, INSN_JUMP, 0x308, true);
	add_branch(0x308, INSN_BRANCH, 0x400, false);
	edge_maker_flush(maker);
}

static void test_far_side(void **state)
{
	(void)state;
	begin(EDGE_SMALL_BLOCK, true);
	far_side(false);
	far_side(true);
	far_side(true);
	check_kinds(1, "bSbb");
	check_kinds(2, "cNSb");
	end();
}

static void test_diamond(void **state)
{
	(void)state;
	begin(EDGE_SMALL_BLOCK, true);
	diamond(false);
	diamond(false);
	diamond(true);
	diamond(false);
	diamond(true);
	check_kinds(1, "bSbcb");
	check_kinds(2, "bSScb");
	check_kinds(3, "cMNNScb"); /* the test has three consumers */
	check_kinds(4, "cMNSScb");
	assert_int_equal(made.blocks[3].nr_executed, 5);
	end();
}

/* A side of `nr` instructions, which is executed and then not. */
static void learn_sides(unsigned nr)
{
	for (unsigned taken = 0; taken < 2; taken++) {
		add_branch(0x100, INSN_BRANCH, 0x104 + 4 * nr, taken);
		for (unsigned i = taken ? nr : 0; i <= nr; i++)
			add(0x104 + 4 * i, INSN_INTEGER, 5, NONE, NONE);
		add(0x108 + 4 * nr, INSN_RETURN, NONE, NONE, NONE);
	}
}

/* Both sides of the bound: 8 and 9 instructions; a side that ends with the block, and one instruction more. */
static void test_bounds(void **state)
{
	static const struct {
		unsigned nr, before;
		bool converts;
	} rows[] = {{8, 0, true}, {9, 0, false}, {8, 23, true}, {8, 24, false}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(EDGE_SMALL_BLOCK, true);
		learn_sides(rows[i].nr);
		for (unsigned k = 0; k < rows[i].before; k++)
			add(0x1000 + 4 * k, INSN_INTEGER, 5, NONE, NONE);
		add_branch(0x100, INSN_BRANCH, 0x104 + 4 * rows[i].nr, false);
		for (unsigned k = 0; k < rows[i].nr; k++)
			add(0x104 + 4 * k, INSN_INTEGER, 5, NONE, NONE);
		edge_maker_flush(maker);
		assert_int_equal(made.blocks[2].branch < 0, rows[i].converts);
		end();
	}
}

/* A side of two stores, which is not executed after `before` instructions of a class in the same block. */
static void null_block(unsigned max_insns, enum insn_class class, unsigned before, unsigned after)
{
	begin(max_insns, true);
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < before && round == 2; i++)
			add(0x1000 + 4 * i, class, NONE, NONE, NONE);
		add_branch(0x100, INSN_BRANCH, 0x10c, round > 0);
		for (unsigned i = 0; i < 2 && round == 0; i++)
			add(0x104 + 4 * i, INSN_STORE, NONE, NONE, NONE);
		for (unsigned i = 0; i < after && round == 2; i++)
			add(0x10c + 4 * i, class, NONE, NONE, NONE);
		if (round < 2)
			add(0x10c, INSN_RETURN, NONE, NONE, NONE);
	}
	edge_maker_flush(maker);
}

/* NULLs take no place of an instruction, but one in the load-store queue. */
static void test_null_room(void **state)
{
	(void)state;
	null_block(EDGE_SMALL_BLOCK, INSN_INTEGER, 20, 11);
	assert_int_equal(made.nr, 3);
	assert_int_equal(count_kind(&made.blocks[2], EDGE_NULL), 2);
	end();
	null_block(EDGE_LARGE_BLOCK, INSN_LOAD, 30, 0);
	assert_int_equal(count_kind(&made.blocks[2], EDGE_NULL), 2);
	end();
	null_block(EDGE_LARGE_BLOCK, INSN_LOAD, 31, 0);
	assert_int_equal(count_kind(&made.blocks[2], EDGE_NULL), 0);
	end();
	null_block(EDGE_LARGE_BLOCK, INSN_LOAD, 20, 11);
	assert_int_equal(made.nr, 4);
	assert_int_equal(count_kind(&made.blocks[2], EDGE_LOAD), 30);
	end();
}

TEST_FILE(test_edge_block)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),	 cmocka_unit_test(test_movs),	  cmocka_unit_test(test_mov_tree),
		cmocka_unit_test(test_cuts),	 cmocka_unit_test(test_large),	  cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_bytes),	 cmocka_unit_test(test_encoding), cmocka_unit_test(test_triangle),
		cmocka_unit_test(test_diamond),	 cmocka_unit_test(test_bounds),	  cmocka_unit_test(test_mov_order),
		cmocka_unit_test(test_far_side), cmocka_unit_test(test_copy),	  cmocka_unit_test(test_null_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
