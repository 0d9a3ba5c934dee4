/* An IPU's faults and its watchdog, its CSRs, FINALIZE and CONFIGURE in every state. */
#include "sim/base/array.h"
#include "tests/unit/ipu/unit/made_unit.h"

#define CSRR(rd, csr) encode_i(OP_SYSTEM, 2, rd, 0, csr)
#define CSRW(csr, rs1) encode_i(OP_SYSTEM, 1, 0, rs1, csr)
#define LW(rd, rs1, imm) encode_i(OP_LOAD, 2, rd, rs1, imm)
#define SW(rs2, rs1, imm) encode_s(OP_STORE, 2, rs1, rs2, imm)

enum { NR_ROUTINES = 4 };
static const char *const routine_names[NR_ROUTINES] = {"init", "_main", "timer handler", "finish"};
static const uint32_t routine_at[NR_ROUTINES] = {IPU_INIT, MADE_MAIN, MADE_HANDLER, IPU_FINISH};

static void assert_all_is(const struct ipu_unit *u, uint64_t instructions, uint64_t busy_cycles)
{
	assert_int_equal(ipu_unit_counts(u).instructions, instructions);
	assert_int_equal(ipu_unit_counts(u).busy_cycles, busy_cycles);
}

/* A unit that runs the two words, and a return, in that routine; returns in which cycle it begins. */
static struct made_unit running(unsigned routine, uint32_t first, uint32_t second, struct ipu_unit_config config)
{
	struct made_program made = {.period = routine == 2 ? 1000 : 0};
	struct unit_program p = {.main = MADE_MAIN, .has_init = true, .has_finish = true};
	made_routine(&p, IPU_INIT, &made.init, RAN_INIT);
	if (made.period) {
		p.at -= 4;
		made_write_csr(&p, 0x803, MADE_HANDLER);
		made_write_csr(&p, 0x802, made.period);
		unit_program_put(&p, RET);
	}
	made_routine(&p, MADE_MAIN, &made.main, RAN_MAIN);
	made_routine(&p, MADE_HANDLER, &made.handler, RAN_HANDLER);
	made_routine(&p, IPU_FINISH, &made.finish, RAN_FINISH);
	p.at = routine_at[routine];
	unit_program_put(&p, first);
	unit_program_put(&p, second);
	unit_program_put(&p, RET);
	struct made_unit m = made_unit(config, unit_program_make(&p));
	ipu_unit_configure(m.u, 0, m.program);
	ipu_unit_resume(m.u, 100);
	if (routine == 1)
		made_input(m.u, 200, 1);
	else if (routine == 2)
		ipu_unit_advance(m.u, 1100);
	else if (routine == 3)
		ipu_unit_finalize(m.u, 200);
	return m;
}

static void test_faults_of_routines(void **state)
{
	const struct {
		uint32_t word;
		enum hart_cause cause;
		bool has_address;
		uint32_t address;
	} rows[] = {
		{0, HART_ILLEGAL_INSTRUCTION, false, 0},
		{ENCODED_EBREAK, HART_BREAKPOINT, false, 0},
		{ENCODED_ECALL, HART_ENVIRONMENT_CALL, false, 0},
		{encode_i(OP_LOAD, 2, HART_A0, 0, 64), HART_LOAD_OUTSIDE, true, 64},
		{encode_i(OP_LOAD, 2, HART_A0, HART_SP, UINT32_MAX - 5), HART_LOAD_MISALIGNED, true, IPU_STACK_TOP - 6},
		{encode_s(OP_STORE, 2, HART_SP, 0, 0), HART_STORE_OUTSIDE, true, IPU_STACK_TOP},
		{encode_s(OP_STORE, 1, HART_SP, 0, UINT32_MAX - 2), HART_STORE_MISALIGNED, true, IPU_STACK_TOP - 3},
		{encode_jalr(0, HART_SP, 0), HART_JUMP_OUTSIDE, true, IPU_STACK_TOP},
	};
	(void)state;
	for (unsigned r = 0; r < NR_ROUTINES; r++) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			uint32_t pc = routine_at[r] + 4;
			struct made_unit m = running(r, encode_addi(0, 0, 0), rows[i].word, MADE_CONFIG);
			ipu_unit_advance(m.u, ipu_unit_hit_cycle(m.u) + 1);
			assert_unit_fault(m.u, routine_names[r], rows[i].cause, pc,
					  rows[i].has_address ? rows[i].address : pc);
			/* It stays so until there is another image. */
			ipu_unit_resume(m.u, 2000);
			made_input(m.u, 2000, 1);
			ipu_unit_finalize(m.u, 2001);
			assert_status(m.u, IPU_ERROR);
			assert_int_equal(ipu_unit_counts(m.u).ignored, 1);
			made_unit_end(&m);
		}
	}
}

/* What faults does not retire and takes no cycle; an address of an earlier run is not the fault's. */
static void test_counts_at_a_fault(void **state)
{
	(void)state;
	struct made_unit m = running(1, encode_addi(0, 0, 0), ENCODED_EBREAK, MADE_CONFIG);
	assert_all_is(m.u, 2 + 1, 2 + 1);
	assert_int_equal(ipu_unit_free_at(m.u), 201);
	made_unit_end(&m);
}

/* An image that was sent before the fault is loaded all the same. */
static void test_fault_before_the_next_image(void **state)
{
	(void)state;
	struct made_unit m = running(1, encode_addi(0, 0, 0), ENCODED_EBREAK, MADE_CONFIG);
	ipu_unit_configure(m.u, 200, m.program);
	assert_int_equal(ipu_unit_counts(m.u).calls_main, 1);
	ipu_unit_advance(m.u, 201);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	ipu_unit_advance(m.u, 203);
	assert_status(m.u, IPU_PAUSED);
	assert_int_equal(ipu_unit_counts(m.u).calls_main, 0);
	made_unit_end(&m);
}

/* Only _main can wait for inputs. */
static void test_waiting_in_other_routines(void **state)
{
	(void)state;
	for (unsigned r = 0; r < NR_ROUTINES; r++) {
		struct made_unit m = running(r, encode_addi(TEMPORARY, 0, 3), encode_loop(TEMPORARY, 4), MADE_CONFIG);
		ipu_unit_advance(m.u, ipu_unit_hit_cycle(m.u) + 2);
		if (r == 1)
			assert_status(m.u, IPU_ACTIVE_RUNNING);
		else
			assert_unit_fault(m.u, routine_names[r], HART_INPUT, routine_at[r] + 8, routine_at[r] + 8);
		made_unit_end(&m);
	}
}

/* Watchdog */

static void test_watchdog(void **state)
{
	struct ipu_unit_config config = MADE_CONFIG;
	(void)state;
	for (unsigned r = 0; r < NR_ROUTINES; r++) {
		/* init has 10 cycles where it sets the timer, 2 otherwise. */
		config.max_cycles = r == 2 ? 10 : 3;
		uint32_t wait = encode_addi(0, 0, 0);
		struct made_unit m = running(r, wait, wait, config);
		ipu_unit_advance(m.u, ipu_unit_hit_cycle(m.u) + 20);
		assert_true(ipu_unit_status(m.u) != IPU_ERROR);
		made_unit_end(&m);
		/* For ever. */
		m = running(r, wait, encode_jal(0, 0), config);
		uint64_t then = ipu_unit_hit_cycle(m.u);
		ipu_unit_advance(m.u, then + (r == 0 ? 0 : config.max_cycles));
		ipu_unit_advance(m.u, then + 20);
		assert_unit_fault(m.u, routine_names[r], HART_BUDGET, routine_at[r] + 4, routine_at[r] + 4);
		made_unit_end(&m);
		if (r == 2)
			continue;
		/* A cycle less. */
		config.max_cycles = 2;
		m = running(r, wait, wait, config);
		ipu_unit_advance(m.u, then + 20);
		assert_unit_fault(m.u, routine_names[r], HART_BUDGET, routine_at[r] + 8, routine_at[r] + 8);
		made_unit_end(&m);
	}
}

/* Waiting is left out, but a loop gets no further than the routine may. It has 3 cycles, then 1 in each iteration. */
static void test_watchdog_and_loops(void **state)
{
	(void)state;
	for (uint64_t max = 3; max < 6; max++) {
		struct ipu_unit_config config = MADE_CONFIG;
		struct made_program p = {.main = {.end = LOOPS}};
		config.max_cycles = max;
		struct made_unit m = made_active_unit(config, made_unit_program(&p));
		made_input(m.u, 100, 1);
		for (uint64_t i = 0; i < max - 3; i++)
			made_input(m.u, 1000 * (i + 1), 1);
		ipu_unit_advance(m.u, 100000);
		assert_status(m.u, IPU_ACTIVE_RUNNING);
		made_input(m.u, 100000, 1);
		ipu_unit_advance(m.u, 100001);
		assert_unit_fault(m.u, "_main", HART_BUDGET, MADE_MAIN + 12, MADE_MAIN + 12);
		assert_int_equal(made_register(m.u, RAN_BODY), max - 3);
		assert_int_equal(ipu_unit_counts(m.u).busy_cycles, 2 + max);
		made_unit_end(&m);
	}
}

/* CSRs */

static void test_csrs(void **state)
{
	struct unit_program p = {.main = MADE_MAIN, .has_finish = true, .at = MADE_MAIN};
	uint64_t values[NR_IOREGS];
	(void)state;
	unit_program_put(&p, CSRR(10, 0x800));
	unit_program_put(&p, CSRR(11, 0x801));
	unit_program_put(&p, CSRR(12, 0xcc0));
	unit_program_put(&p, CSRR(13, 0xce0));
	unit_program_put(&p, CSRR(14, 0xcdf));
	unit_program_put(&p, CSRR(15, 0xcff));
	unit_program_put(&p, CSRR(16, 0x802));
	unit_program_put(&p, CSRR(17, 0x803));
	unit_program_put(&p, RET);
	p.at = IPU_FINISH;
	unit_program_put(&p, CSRR(11, 0x801));
	unit_program_put(&p, RET);
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = UINT64_C(0x0123456700000000) * (i + 1) + i + 0xabc;
	struct made_unit m = made_active_unit(MADE_CONFIG, unit_program_make(&p));
	ipu_unit_input(m.u, 100, 0x80000001, values);
	assert_int_equal(made_register(m.u, 10), 0x80000001);
	assert_int_equal(made_register(m.u, 11), IPU_ACTIVE_RUNNING);
	assert_int_equal(made_register(m.u, 12), (uint32_t)values[0]);
	assert_int_equal(made_register(m.u, 13), values[0] >> 32);
	assert_int_equal(made_register(m.u, 14), (uint32_t)values[31]);
	assert_int_equal(made_register(m.u, 15), values[31] >> 32);
	assert_int_equal(made_register(m.u, 16), 0);
	assert_int_equal(made_register(m.u, 17), 0);
	/* Valid is what the last set that was taken had. */
	made_input(m.u, 101, 1);
	made_input(m.u, 200, 1);
	assert_int_equal(made_register(m.u, 10), 1);
	assert_int_equal(made_register(m.u, 15), values[31] >> 32);
	ipu_unit_finalize(m.u, 300);
	assert_int_equal(made_register(m.u, 11), IPU_FINALIZE);
	made_unit_end(&m);
}

static void test_csrs_that_cannot_be_written(void **state)
{
	static const uint32_t csrs[] = {0x800, 0x801, 0x804, 0x7ff, 0xcc0, 0xcdf, 0xce0, 0xcff, 0xc00, 0xd00};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(csrs); i++) {
		struct made_unit m = running(1, encode_addi(0, 0, 0), CSRW(csrs[i], 0), MADE_CONFIG);
		ipu_unit_advance(m.u, 201);
		assert_unit_fault(m.u, "_main", HART_ILLEGAL_INSTRUCTION, MADE_MAIN + 4, MADE_MAIN + 4);
		made_unit_end(&m);
	}
}

static void test_csrs_that_are_not_there(void **state)
{
	static const uint32_t csrs[] = {0x7ff, 0x804, 0xcbf, 0xd00};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(csrs); i++) {
		struct made_unit m = running(1, encode_addi(0, 0, 0), CSRR(HART_A0, csrs[i]), MADE_CONFIG);
		ipu_unit_advance(m.u, 201);
		assert_unit_fault(m.u, "_main", HART_ILLEGAL_INSTRUCTION, MADE_MAIN + 4, MADE_MAIN + 4);
		made_unit_end(&m);
	}
}

/* Each routine finds sp at the end of the scratchpad, which persists. */
static void test_stack_and_scratchpad(void **state)
{
	struct unit_program p = {.main = MADE_MAIN, .at = MADE_MAIN};
	(void)state;
	unit_program_put(&p, encode_addi(HART_SP, HART_SP, UINT32_MAX - 15));
	unit_program_put(&p, LW(HART_A0, HART_SP, 0));
	unit_program_put(&p, encode_addi(HART_A0, HART_A0, 1));
	unit_program_put(&p, SW(HART_A0, HART_SP, 0));
	unit_program_put(&p, RET);
	struct made_unit m = made_active_unit(MADE_CONFIG, unit_program_make(&p));
	for (uint64_t i = 1; i < 4; i++) {
		made_input(m.u, 100 * i, 1);
		assert_int_equal(made_register(m.u, HART_A0), i);
		assert_int_equal(made_register(m.u, HART_SP), IPU_STACK_TOP - 16);
	}
	ipu_unit_configure(m.u, 1000, m.program);
	ipu_unit_resume(m.u, 1001);
	made_input(m.u, 1002, 1);
	assert_int_equal(made_register(m.u, HART_A0), 1);
	made_unit_end(&m);
}

/* FINALIZE and CONFIGURE. */

/* Without `init` or `finish` they are over at once: with the IPU's next whole cycle. */
static void test_missing_routines(void **state)
{
	struct made_program p = {.init = {.is_missing = true}, .finish = {.is_missing = true}};
	struct ipu_unit_config config = MADE_CONFIG;
	(void)state;
	config.hit_mhz = 2000;
	struct made_unit m = made_unit(config, made_unit_program(&p));
	ipu_unit_configure(m.u, 0, m.program);
	assert_status(m.u, IPU_PAUSED);
	ipu_unit_configure(m.u, 1, m.program); /* in the midst of an IPU cycle */
	assert_status(m.u, IPU_PAUSED);
	ipu_unit_resume(m.u, 2);
	ipu_unit_finalize(m.u, 10);
	assert_status(m.u, IPU_PAUSED);
	made_input(m.u, 11, 1); /* held, as by a `finish` that does something */
	assert_int_equal(ipu_unit_counts(m.u).ignored, 1);
	ipu_unit_resume(m.u, 12);
	ipu_unit_finalize(m.u, 13);
	assert_status(m.u, IPU_PAUSED);
	assert_int_equal(made_register(m.u, RAN_INIT) + made_register(m.u, RAN_FINISH), 0);
	assert_int_equal(ipu_unit_counts(m.u).instructions, 0);
	made_unit_end(&m);
}

/* Calls after CONFIGURE while a routine runs are for the next image, in whatever order they come. */
static void test_commands_behind_configure(void **state)
{
	struct made_program p = {.main = {.cycles = 51}, .finish = {.cycles = 51}};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct made_unit m = made_active_unit(MADE_CONFIG, made_unit_program(&p));
		made_input(m.u, 100, 1);
		ipu_unit_configure(m.u, 110, m.program);
		if (i == 0)
			ipu_unit_resume(m.u, 111);
		if (i == 1)
			ipu_unit_pause(m.u, 111);
		if (i == 2) /* first `finish` of this one */
			ipu_unit_finalize(m.u, 111);
		ipu_unit_advance(m.u, 151);
		assert_status(m.u, i == 2 ? IPU_FINALIZE : IPU_ACTIVE_RUNNING);
		ipu_unit_settle(m.u);
		assert_status(m.u, i == 0 ? IPU_ACTIVE_PAUSED : IPU_PAUSED);
		assert_int_equal(made_register(m.u, RAN_INIT), 1);
		assert_int_equal(made_register(m.u, RAN_MAIN) + made_register(m.u, RAN_FINISH), 0);
		assert_int_equal(ipu_unit_hit_cycle(m.u), i == 2 ? 204 : 153);
		made_unit_end(&m);
	}
}

/* An image that is sent while `finish` runs begins as the host's calls after that request. */
static void test_commands_behind_configure_in_finish(void **state)
{
	struct made_program p = {.finish = {.cycles = 51}};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct made_unit m = made_active_unit(MADE_CONFIG, made_unit_program(&p));
		ipu_unit_finalize(m.u, 100);
		ipu_unit_configure(m.u, 110, m.program);
		if (i >= 1)
			ipu_unit_resume(m.u, 111);
		if (i == 2)
			ipu_unit_pause(m.u, 112);
		assert_status(m.u, IPU_FINALIZE);
		ipu_unit_settle(m.u);
		assert_status(m.u, i == 1 ? IPU_ACTIVE_PAUSED : IPU_PAUSED);
		made_unit_end(&m);
	}
}

/* FINALIZE comes before the timer that is due and the sets that are buffered; the timer stays due. */
static void test_finalize_comes_first(void **state)
{
	struct made_program p = {.main = {.cycles = 101}, .period = 50};
	(void)state;
	struct made_unit m = made_active_unit(MADE_CONFIG, made_unit_program(&p));
	made_input(m.u, 40, 1);
	ipu_unit_finalize(m.u, 100);
	ipu_unit_advance(m.u, 141);
	assert_status(m.u, IPU_FINALIZE);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 0);
	ipu_unit_resume(m.u, 144);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
	made_unit_end(&m);
}

static void test_configurations_that_are_refused(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		struct ipu_unit_config c = MADE_CONFIG;
		struct ipu_unit *u = NULL;
		struct sahm_err err;
		*(i & 1 ? &c.hit_mhz : &c.ipu_mhz) = i < 2 ? 0 : i < 4 ? IPU_MAX_MHZ + 1 : i < 6 ? IPU_MAX_MHZ : 1000;
		c.mismatch = i < 8 ? IPU_WINDOW : IPU_SUB_SAMPLE;
		c.mismatch_arg = i == 6 ? 0 : i == 7 ? IPU_MAX_WINDOW + 1 : i == 8 ? 0 : IPU_MAX_WINDOW;
		c.max_cycles = i != 9;
		c.fifo_bytes = i == 10 ? IPU_PACKET_HEADER_BYTES - 1 : i == 11 ? UINT32_C(0x80000000) : 16;
		bool is_fine = i == 4 || i == 5;
		assert_int_equal(ipu_unit_new(&u, &c, &err), is_fine ? SAHM_OK : SAHM_RANGE);
		ipu_unit_free(u);
	}
}

TEST_FILE(test_ipu_unit_faults)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults_of_routines),
		cmocka_unit_test(test_counts_at_a_fault),
		cmocka_unit_test(test_fault_before_the_next_image),
		cmocka_unit_test(test_waiting_in_other_routines),
		cmocka_unit_test(test_watchdog),
		cmocka_unit_test(test_watchdog_and_loops),
		cmocka_unit_test(test_csrs),
		cmocka_unit_test(test_csrs_that_cannot_be_written),
		cmocka_unit_test(test_csrs_that_are_not_there),
		cmocka_unit_test(test_stack_and_scratchpad),
		cmocka_unit_test(test_missing_routines),
		cmocka_unit_test(test_commands_behind_configure),
		cmocka_unit_test(test_commands_behind_configure_in_finish),
		cmocka_unit_test(test_finalize_comes_first),
		cmocka_unit_test(test_configurations_that_are_refused),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
