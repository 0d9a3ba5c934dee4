/* An IPU in time with a program whose routines leave traces: each adds 1 to a separate register, takes a given time,
 * and returns, faults, or waits in a hardware loop. */
#ifndef SAHM_TESTS_UNIT_IPU_UNIT_MADE_UNIT_H
#define SAHM_TESTS_UNIT_IPU_UNIT_MADE_UNIT_H

#include "ipu/unit/unit.h"
#include "tests/helper/encode.h"
#include "tests/helper/unit_program.h"
#include "tests/unit/engine.h"

/* What counts the runs of each routine, and the iterations of hardware loops; a register to be used freely. */
enum { TEMPORARY = 5, DELAY = 6, RAN_INIT = 20, RAN_MAIN = 21, RAN_HANDLER = 22, RAN_FINISH = 23, RAN_BODY = 24 };

#define MADE_MAIN 0x400u
#define MADE_HANDLER 0x800u
#define RET encode_jalr(0, HART_RA, 0)

/* How a routine ends. */
enum made_end { RETURNS, FAULTS, LOOPS };

struct made_routine {
	bool is_missing; /* init and finish */
	uint32_t cycles; /* at least 2, which it is with 0; 4 for one that loops; not between 2 and 5, and odd otherwise
			  */
	enum made_end end;
};

struct made_program {
	struct made_routine init, main, handler, finish;
	uint32_t period; /* init sets the timer */
};

/* An instruction that counts, a delay, the end; up to a return it takes r->cycles cycles. */
static inline void made_routine(struct unit_program *p, uint32_t at, const struct made_routine *r, uint32_t counter)
{
	p->at = at;
	unit_program_put(p, encode_addi(counter, counter, 1));
	if (r->cycles > 2) {
		/* The counter, a constant, two instructions each time, the return. */
		assert_true(r->cycles >= 5 && r->cycles % 2 == 1 && r->cycles < 4096);
		unit_program_put(p, encode_addi(DELAY, 0, (r->cycles - 3) / 2));
		unit_program_put(p, encode_addi(DELAY, DELAY, UINT32_MAX));
		unit_program_put(p, encode_b(1, DELAY, 0, UINT32_MAX - 3));
	}
	if (r->end == FAULTS)
		unit_program_put(p, ENCODED_EBREAK);
	if (r->end == LOOPS) {
		unit_program_put(p, encode_addi(TEMPORARY, 0, 1000));
		unit_program_put(p, encode_loop(TEMPORARY, 4));
		unit_program_put(p, encode_addi(RAN_BODY, RAN_BODY, 1));
	}
	unit_program_put(p, RET);
}

static inline void made_write_csr(struct unit_program *p, uint32_t csr, uint32_t value)
{
	unit_program_li(p, TEMPORARY, value);
	unit_program_put(p, encode_i(OP_SYSTEM, 1, 0, TEMPORARY, csr));
}

static inline struct ipu_program *made_unit_program(const struct made_program *m)
{
	struct unit_program p = {
		.main = MADE_MAIN, .has_init = !m->init.is_missing, .has_finish = !m->finish.is_missing};
	made_routine(&p, IPU_INIT, &m->init, RAN_INIT);
	if (m->period) {
		p.at -= 4;
		made_write_csr(&p, 0x803, MADE_HANDLER);
		made_write_csr(&p, 0x802, m->period);
		unit_program_put(&p, RET);
	}
	made_routine(&p, MADE_MAIN, &m->main, RAN_MAIN);
	made_routine(&p, MADE_HANDLER, &m->handler, RAN_HANDLER);
	made_routine(&p, IPU_FINISH, &m->finish, RAN_FINISH);
	return unit_program_make(&p);
}

/* A unit with its program; configuration as it is mostly wanted, to be changed before it is made. */
struct made_unit {
	struct ipu_unit_config config;
	struct ipu_unit *u;
	struct ipu_program *program;
};

#define MADE_CONFIG                                                                                                    \
	((struct ipu_unit_config){.hit_mhz = 1000,                                                                     \
				  .ipu_mhz = 1000,                                                                     \
				  .mismatch_arg = 1,                                                                   \
				  .max_cycles = IPU_DEFAULT_MAX_CYCLES,                                                \
				  .fifo_bytes = IPU_DEFAULT_FIFO_BYTES})

/* In UNDEFINED. The program is the unit's from now on. */
static inline struct made_unit made_unit(struct ipu_unit_config config, struct ipu_program *program)
{
	struct made_unit m = {.config = config, .program = program};
	struct sahm_err err;
	if (tested_engine == HART_JIT && program)
		ipu_program_translate(program, &host_translator);
	assert_int_equal(ipu_unit_new(&m.u, &config, &err), SAHM_OK);
	return m;
}

/* The same after its init and RESUME, ready for inputs. */
static inline struct made_unit made_active_unit(struct ipu_unit_config config, struct ipu_program *program)
{
	struct made_unit m = made_unit(config, program);
	ipu_unit_configure(m.u, 0, program);
	ipu_unit_settle(m.u);
	ipu_unit_resume(m.u, ipu_unit_hit_cycle(m.u));
	assert_int_equal(ipu_unit_status(m.u), IPU_ACTIVE_PAUSED);
	return m;
}

static inline void made_unit_end(struct made_unit *m)
{
	ipu_unit_free(m->u);
	ipu_program_free(m->program);
}

/* An input set of one register, number 0. */
static inline void made_input(struct ipu_unit *u, uint64_t hit_cycle, uint64_t value)
{
	uint64_t values[NR_IOREGS] = {value};
	ipu_unit_input(u, hit_cycle, 1, values);
}

static inline uint32_t made_register(const struct ipu_unit *u, unsigned i)
{
	return hart_register(&ipu_unit_processor(u)->hart, i);
}

static inline void assert_status(const struct ipu_unit *u, enum ipu_status status)
{
	assert_string_equal(ipu_status_text(ipu_unit_status(u)), ipu_status_text(status));
}

/* arrived = ignored + skipped + dropped + taken + buffered */
static inline void assert_sets(const struct made_unit *m, uint64_t ignored, uint64_t skipped, uint64_t dropped,
			       uint64_t taken, uint64_t buffered)
{
	struct ipu_counts c = ipu_unit_counts(m->u);
	assert_int_equal(c.ignored, ignored);
	assert_int_equal(c.skipped, skipped);
	assert_int_equal(c.dropped, dropped);
	assert_int_equal(c.taken, taken);
	assert_int_equal(ipu_unit_buffered(m->u), buffered);
	assert_int_equal(c.arrived, ignored + skipped + dropped + taken + buffered);
}

static inline void assert_unit_fault(const struct ipu_unit *u, const char *routine, enum hart_cause cause, uint32_t pc,
				     uint32_t address)
{
	struct ipu_fault f = ipu_unit_fault(u);
	assert_status(u, IPU_ERROR);
	assert_string_equal(f.routine, routine);
	assert_string_equal(hart_cause_text(f.cause), hart_cause_text(cause));
	assert_int_equal(f.pc, pc);
	assert_int_equal(f.address, address);
}

#endif
