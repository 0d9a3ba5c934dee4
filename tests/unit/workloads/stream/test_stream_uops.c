/* Instructions as micro-ops: each rule of stream_uops.c by an instruction or two. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"
#include "workloads/stream/stream_uops.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, FLAGS = 16, XMM0 = 32, XMM1, N = NO_REGISTER };
enum { T0 = INTEGER_TEMPORARY, T1, F0 = FP_TEMPORARY };

struct expected {
	enum insn_class class;
	uint8_t source[MAX_SOURCES], destination;
};

struct row {
	const char *name;
	enum machine machine;
	enum insn_class class;
	uint8_t source[MAX_SOURCES], destination;
	const char *accesses; /* L, S: in program order */
	struct expected uops[4];
	unsigned nr;
};

static const struct row rows[] = {
	{"add rax,rbx", MACHINE_X86_64, INSN_INTEGER, {RAX, RBX, N}, RAX, "", {{INSN_INTEGER, {RAX, RBX, N}, RAX}}, 1},
	{"mov rax,[rbx]", MACHINE_X86_64, INSN_LOAD, {RBX, N, N}, RAX, "L", {{INSN_LOAD, {RBX, N, N}, RAX}}, 1},
	{"mov [rbx],rax", MACHINE_X86_64, INSN_STORE, {RBX, RAX, N}, N, "S", {{INSN_STORE, {RBX, RAX, N}, N}}, 1},
	/* The load does not wait for the old rax. */
	{"add rax,[rbx]",
	 MACHINE_X86_64,
	 INSN_INTEGER,
	 {RAX, RBX, N},
	 RAX,
	 "L",
	 {{INSN_LOAD, {RBX, N, N}, T0}, {INSN_INTEGER, {T0, RAX, RBX}, RAX}},
	 2},
	{"add rax,[rax]",
	 MACHINE_X86_64,
	 INSN_INTEGER,
	 {RAX, N, N},
	 RAX,
	 "L",
	 {{INSN_LOAD, {RAX, N, N}, T0}, {INSN_INTEGER, {T0, RAX, N}, RAX}},
	 2},
	{"adc [rbx],rax",
	 MACHINE_X86_64,
	 INSN_INTEGER,
	 {RBX, RAX, FLAGS},
	 FLAGS,
	 "LS",
	 {{INSN_LOAD, {RBX, RAX, N}, T0}, {INSN_INTEGER, {T0, FLAGS, RBX}, FLAGS}, {INSN_STORE, {FLAGS, RBX, RAX}, N}},
	 3},
	{"mulss xmm0,[rax]",
	 MACHINE_X86_64,
	 INSN_FP_MULTIPLY,
	 {XMM0, RAX, N},
	 XMM0,
	 "L",
	 {{INSN_LOAD, {RAX, N, N}, F0}, {INSN_FP_MULTIPLY, {F0, XMM0, RAX}, XMM0}},
	 2},
	{"vfmadd231ss xmm0,xmm1,[rax]",
	 MACHINE_X86_64,
	 INSN_FP_MULTIPLY_ADD,
	 {XMM0, XMM1, RAX},
	 XMM0,
	 "L",
	 {{INSN_LOAD, {RAX, N, N}, F0}, {INSN_FP_MULTIPLY_ADD, {F0, XMM0, XMM1}, XMM0}},
	 2},
	{"push rbx", MACHINE_X86_64, INSN_STORE, {RBX, RSP, N}, RSP, "S", {{INSN_STORE, {RBX, RSP, N}, N}}, 1},
	{"push [rbx]",
	 MACHINE_X86_64,
	 INSN_STORE,
	 {RBX, RSP, N},
	 RSP,
	 "LS",
	 {{INSN_LOAD, {RBX, N, N}, T0}, {INSN_STORE, {T0, RBX, RSP}, N}},
	 2},
	{"pop rbx", MACHINE_X86_64, INSN_LOAD, {RSP, N, N}, RBX, "L", {{INSN_LOAD, {RSP, N, N}, RBX}}, 1},
	{"call f",
	 MACHINE_X86_64,
	 INSN_CALL,
	 {RSP, N, N},
	 RSP,
	 "S",
	 {{INSN_CALL, {RSP, N, N}, N}, {INSN_STORE, {RSP, N, N}, N}},
	 2},
	/* Its store waits for what it loads. */
	{"call [rbx]",
	 MACHINE_X86_64,
	 INSN_INDIRECT_CALL,
	 {RBX, RSP, N},
	 RSP,
	 "LS",
	 {{INSN_LOAD, {RBX, N, N}, T0}, {INSN_INDIRECT_CALL, {T0, RSP, RBX}, N}, {INSN_STORE, {T0, RBX, RSP}, N}},
	 3},
	{"ret",
	 MACHINE_X86_64,
	 INSN_RETURN,
	 {RSP, N, N},
	 RSP,
	 "L",
	 {{INSN_LOAD, {RSP, N, N}, T0}, {INSN_RETURN, {T0, RSP, N}, N}},
	 2},
	{"cmpsd",
	 MACHINE_X86_64,
	 INSN_INTEGER,
	 {RSI, RDI, N},
	 RDI,
	 "LL",
	 {{INSN_LOAD, {RSI, N, N}, T0}, {INSN_LOAD, {RSI, N, N}, T1}, {INSN_INTEGER, {T0, T1, RDI}, RDI}},
	 3},
	{"prefetch [rax]", MACHINE_X86_64, INSN_LOAD, {RAX, N, N}, N, "", {{INSN_LOAD, {RAX, N, N}, N}}, 1},
	{"jal ra", MACHINE_RV64, INSN_CALL, {N, N, N}, 1, "", {{INSN_CALL, {N, N, N}, 1}}, 1},
	{"ld", MACHINE_RV64, INSN_LOAD, {10, N, N}, 11, "L", {{INSN_LOAD, {10, N, N}, 11}}, 1},
	{"amoadd",
	 MACHINE_RV64,
	 INSN_ATOMIC,
	 {10, 11, N},
	 12,
	 "LS",
	 {{INSN_LOAD, {10, 11, N}, 12}, {INSN_STORE, {12, 10, 11}, N}},
	 2},
	{"amoadd to x0",
	 MACHINE_RV64,
	 INSN_ATOMIC,
	 {10, 11, N},
	 N,
	 "LS",
	 {{INSN_LOAD, {10, 11, N}, T0}, {INSN_STORE, {T0, 10, 11}, N}},
	 2},
	{"lr", MACHINE_RV64, INSN_ATOMIC, {10, N, N}, 12, "L", {{INSN_LOAD, {10, N, N}, 12}}, 1},
	{"sc", MACHINE_RV64, INSN_ATOMIC, {10, 11, N}, 12, "S", {{INSN_STORE, {10, 11, N}, 12}}, 1},
	{"sc that fails", MACHINE_RV64, INSN_ATOMIC, {10, 11, N}, 12, "", {{INSN_ATOMIC, {10, 11, N}, 12}}, 1},
};

/* The uops of an instruction that accesses memory as `accesses` says. */
static void crack(enum machine machine, const struct insn *in, const char *accesses, bool taken, uint64_t next_pc)
{
	struct access all[MAX_ACCESSES];
	unsigned nr = (unsigned)strlen(accesses);
	for (unsigned i = 0; i < nr; i++)
		all[i] = (struct access){0x1000 + 16 * i, 8, accesses[i] == 'S'};
	batch->nr = batch->nr_instructions = 0;
	stream_uops_add(machine,
			&(struct executed){.instruction = in,
					   .accesses = nr > 0 ? all : NULL,
					   .nr_accesses = nr,
					   .taken = taken,
					   .next_pc = next_pc},
			batch);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t r = 0; r < ARRAY_SIZE(rows); r++) {
		const struct row *row = &rows[r];
		struct insn in = {
			.pc = 0x100, .length = 4, .class = (uint8_t)row->class, .destination = row->destination};
		memcpy(in.source, row->source, sizeof(in.source));
		crack(row->machine, &in, row->accesses, false, 0);
		if (batch->nr != row->nr)
			fail_msg("%s: %u uops", row->name, batch->nr);
		for (unsigned i = 0; i < row->nr; i++) {
			const struct uop *u = &batch->uops[i];
			const struct expected *e = &row->uops[i];
			if (u->class != e->class || u->destination != e->destination ||
			    memcmp(u->source, e->source, sizeof(e->source)) != 0)
				fail_msg("%s: uop %u is %s %u,%u,%u->%u", row->name, i,
					 insn_class_name((enum insn_class)u->class), u->source[0], u->source[1],
					 u->source[2], u->destination);
			bool is_access = u->class == INSN_LOAD || u->class == INSN_STORE;
			assert_int_equal(u->bytes, is_access && *row->accesses ? 8 : 0);
			assert_int_equal(u->flags & UOP_FIRST, i == 0 ? UOP_FIRST : 0);
			assert_int_equal(u->flags & UOP_LAST, i + 1 == row->nr ? UOP_LAST : 0);
		}
	}
}

/* Beyond the fourth, loads and stores read and write no register. */
static void test_many_accesses(void **state)
{
	(void)state;
	const struct insn in = {
		.pc = 0x100, .length = 4, .class = INSN_VECTOR, .source = {RAX, RBX, N}, .destination = XMM0};
	crack(MACHINE_X86_64, &in, "LLLLLSSSSS", false, 0);
	assert_int_equal(batch->nr, 11);
	assert_int_equal(batch->uops[3].destination, FP_TEMPORARY + 3);
	assert_int_equal(batch->uops[4].destination, N);
	assert_int_equal(batch->uops[4].source[0], N);
	assert_int_equal(batch->uops[9].source[0], XMM0);
	assert_int_equal(batch->uops[10].source[0], N);
	/* The same where loads write the result. */
	const struct insn loads = {
		.pc = 0x100, .length = 4, .class = INSN_LOAD, .source = {RAX, N, N}, .destination = XMM0};
	crack(MACHINE_X86_64, &loads, "LLLLL", false, 0);
	assert_int_equal(batch->nr, 5);
	assert_int_equal(batch->uops[3].destination, XMM0);
	assert_int_equal(batch->uops[3].source[0], RAX);
	assert_int_equal(batch->uops[4].destination, N);
	assert_int_equal(batch->uops[4].source[0], N);
}

static void test_branches(void **state)
{
	(void)state;
	struct insn in = {
		.pc = 0x100, .target = 0x200, .length = 4, .class = INSN_BRANCH, .source = {N, N, N}, .destination = N};
	crack(MACHINE_X86_64, &in, "", true, 0x200);
	assert_int_equal(batch->uops[0].flags, UOP_FIRST | UOP_LAST | UOP_BRANCH | UOP_TAKEN);
	assert_int_equal(batch->uops[0].next_pc, 0x200);
	crack(MACHINE_X86_64, &in, "", false, 0x104);
	assert_int_equal(batch->uops[0].flags, UOP_FIRST | UOP_LAST | UOP_BRANCH);
	/* A signal's handler is neither way. */
	crack(MACHINE_X86_64, &in, "", true, 0x900);
	assert_int_equal(batch->uops[0].flags, UOP_FIRST | UOP_LAST | UOP_BRANCH);
	assert_int_equal(batch->uops[0].next_pc, 0);
	/* A call branches before it stores. */
	in.class = INSN_CALL;
	crack(MACHINE_X86_64, &in, "S", true, 0x200);
	assert_int_equal(batch->uops[0].flags, UOP_FIRST | UOP_BRANCH | UOP_TAKEN);
	assert_int_equal(batch->uops[1].flags, UOP_LAST);
}

static void test_serializing(void **state)
{
	(void)state;
	struct insn in = {.pc = 0x100, .length = 4, .class = INSN_SYSTEM, .source = {N, N, N}, .destination = N};
	crack(MACHINE_X86_64, &in, "S", false, 0);
	assert_true(batch->uops[0].flags & UOP_SYSTEM && batch->uops[1].flags & UOP_SYSTEM);
	in.class = INSN_FENCE;
	crack(MACHINE_X86_64, &in, "", false, 0);
	assert_true(batch->uops[0].flags & UOP_FENCE);
}

TEST_FILE(test_stream_uops)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_many_accesses),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_serializing),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
