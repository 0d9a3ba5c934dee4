#include "tests/helper/random_unit.h"

#include "ipu/unit/pro.h"
#include "tests/helper/encode.h"
#include "tests/helper/made_elf.h"
#include "tests/helper/random.h"
#include "tests/helper/unit_program.h"

/* Where handlers stand, each with its room. */
#define MAIN_AT 0x400u
#define HANDLERS_AT 0x800u
#define HANDLER_BYTES 0x400u
#define NR_HANDLERS 3u

enum { TEMPORARY = 5, COUNTER = 6, FIRST_RESULT = 10, LAST_RESULT = 15 };

struct maker {
	struct unit_program p;
	uint64_t *rng;
	bool sets_timer, has_soft, in_loop;
	unsigned faults; /* one item in this number does, 0: none */
};

static uint32_t result(struct maker *m)
{
	return (uint32_t)between(m->rng, FIRST_RESULT, LAST_RESULT);
}

static void compute(struct maker *m)
{
	uint32_t rd = result(m), rs = result(m);
	unit_program_put(&m->p, one_in(m->rng, 2) ? encode_r(OP_REG, 0, 0, rd, rs, result(m))
						  : encode_addi(rd, rs, (uint32_t)between(m->rng, 0, 4095)));
}

static void read_csr(struct maker *m)
{
	static const uint32_t csrs[] = {0x800, 0x801, 0x802, 0x803, 0xc00, 0xc80,
					0xc02, 0xcc0, 0xcc1, 0xcc2, 0xce0, 0xce2};
	unit_program_put(&m->p, encode_i(OP_SYSTEM, 2, result(m), 0, PICK(m->rng, csrs)));
}

/* Loads and stores of a word of the scratchpad. */
static void use_scratchpad(struct maker *m)
{
	uint32_t offset = (uint32_t)between(m->rng, 0, 15) * 4;
	unit_program_put(&m->p, encode_lui(TEMPORARY, IPU_SCRATCHPAD_BASE));
	unit_program_put(&m->p, one_in(m->rng, 2) ? encode_i(OP_LOAD, 2, result(m), TEMPORARY, offset)
						  : encode_s(OP_STORE, 2, TEMPORARY, result(m), offset));
}

static void fill_packet(struct maker *m)
{
	uint32_t log_bytes = (uint32_t)between(m->rng, 0, 2);
	unit_program_put(&m->p, encode_lui(TEMPORARY, IPU_WINDOW_BASE));
	for (uint64_t n = between(m->rng, 1, 3); n > 0; n--)
		unit_program_put(&m->p, encode_s(OP_STORE, log_bytes, TEMPORARY, result(m),
						 (uint32_t)between(m->rng, 0, 7) << log_bytes));
}

static void send_packet(struct maker *m)
{
	unit_program_put(&m->p, encode_lui(TEMPORARY, IPU_WINDOW_BASE + IPU_WINDOW_BYTES));
	unit_program_put(&m->p, encode_s(OP_STORE, 2, TEMPORARY, result(m), UINT32_MAX - 3));
}

static void set_timer(struct maker *m)
{
	static const uint32_t periods[] = {0, 1, 2, 3, 7, 20, 50, 100, 333, 1000, 20000};
	uint32_t handler = HANDLERS_AT + HANDLER_BYTES * (uint32_t)between(m->rng, 0, NR_HANDLERS - 1);
	if (!m->sets_timer) {
		compute(m);
		return;
	}
	bool handler_first = one_in(m->rng, 2);
	for (unsigned i = 0; i < 2; i++) {
		bool is_handler = handler_first == (i == 0);
		unit_program_li(&m->p, TEMPORARY, is_handler ? handler : PICK(m->rng, periods));
		unit_program_put(&m->p, encode_i(OP_SYSTEM, 1, one_in(m->rng, 4) ? result(m) : 0, TEMPORARY,
						 is_handler ? 0x803 : 0x802));
	}
}

static void delay(struct maker *m)
{
	unit_program_put(&m->p, encode_addi(COUNTER, 0, (uint32_t)between(m->rng, 1, 60)));
	unit_program_put(&m->p, encode_addi(COUNTER, COUNTER, UINT32_MAX));
	unit_program_put(&m->p, encode_b(1, COUNTER, 0, UINT32_MAX - 3));
}

/* Of flags, in as many lanes; they take 1 to 8 cycles. */
static const uint8_t histogram_lanes[] = {1, 5, 17, 32};
#define HISTOGRAMS_AT 0x100u
#define COUNTERS_AT 0x200u

static void put_histograms(uint8_t *scratchpad)
{
	for (uint32_t i = 0; i < sizeof(histogram_lanes); i++) {
		uint8_t *descriptor = scratchpad + HISTOGRAMS_AT + 16 * i;
		made_put(descriptor, 4, IPU_SCRATCHPAD_BASE + COUNTERS_AT);
		made_put(descriptor + 4, 4, 32);
		made_put(descriptor + 8, 4, histogram_lanes[i] | 1u << 8 | 1u << 24);
		made_put(descriptor + 12, 4, UINT32_MAX);
	}
}

static void histogram(struct maker *m)
{
	uint32_t which = (uint32_t)between(m->rng, 0, sizeof(histogram_lanes) - 1);
	unit_program_put(&m->p, encode_lui(TEMPORARY, IPU_SCRATCHPAD_BASE));
	unit_program_put(&m->p, encode_addi(TEMPORARY, TEMPORARY, HISTOGRAMS_AT + 16 * which));
	unit_program_put(&m->p, one_in(m->rng, 2) ? encode_hist(TEMPORARY, result(m)) : encode_histin(TEMPORARY, 0));
}

static void fault(struct maker *m)
{
	const uint32_t words[] = {
		0, /* illegal */
		ENCODED_EBREAK,
		ENCODED_ECALL,				     /* nobody serves it */
		encode_i(OP_SYSTEM, 2, 0, TEMPORARY, 0x800), /* CSRs that cannot be written */
		encode_i(OP_SYSTEM, 1, 0, TEMPORARY, 0x801),
		encode_i(OP_LOAD, 2, FIRST_RESULT, TEMPORARY, 0), /* of what the register has been left with */
		encode_i(OP_LOAD, 2, FIRST_RESULT, HART_SP, 1),	  /* misaligned */
		encode_jal(0, 0),				  /* for ever */
		encode_jalr(0, TEMPORARY, 0),
		encode_s(OP_STORE, 2, 0, 0, 0), /* outside */
	};
	unit_program_put(&m->p, PICK(m->rng, words));
}

/* A store to the controls of soft logic; most often it starts it. */
static void control_soft(struct maker *m)
{
	uint32_t bits = one_in(m->rng, 3) ? (uint32_t)between(m->rng, 0, 7) : IPU_SOFT_START;
	unit_program_put(&m->p, encode_lui(TEMPORARY, IPU_SOFT_BASE));
	unit_program_put(&m->p, encode_addi(COUNTER, 0, bits));
	unit_program_put(&m->p, encode_s(OP_STORE, 2, TEMPORARY, COUNTER, IPU_SOFT_CONTROL));
}

/* Accesses to its registers; of the module's first one both ways. Some are to places where there is nothing. */
static void use_soft(struct maker *m)
{
	bool is_module = one_in(m->rng, 2);
	uint32_t offset = (uint32_t)between(m->rng, is_module ? 0 : 1, is_module ? 2 : 7) * 4;
	if (m->faults > 0 && one_in(m->rng, 20))
		offset += one_in(m->rng, 2) ? 2 : 64;
	unit_program_put(&m->p, encode_lui(TEMPORARY, is_module ? IPU_SOFT_MODULE : IPU_SOFT_BASE));
	unit_program_put(&m->p, is_module && offset == 0 && one_in(m->rng, 2)
					? encode_s(OP_STORE, 2, TEMPORARY, result(m), offset)
					: encode_i(OP_LOAD, 2, result(m), TEMPORARY, offset));
}

static void item(struct maker *m);

/* A hardware loop; sometimes of very many inputs. */
static void loop(struct maker *m)
{
	if (m->in_loop) {
		compute(m);
		return;
	}
	uint64_t nr = one_in(m->rng, 4) ? 1000 : between(m->rng, 0, 6);
	unit_program_put(&m->p, encode_addi(TEMPORARY, 0, (uint32_t)nr));
	uint32_t at = m->p.at;
	unit_program_put(&m->p, 0);
	m->in_loop = true;
	for (uint64_t n = between(m->rng, 1, at < IPU_FINISH ? 4 : 1); n > 0; n--)
		item(m);
	if (one_in(m->rng, 8))
		unit_program_put(&m->p, encode_jalr(0, HART_RA, 0));
	m->in_loop = false;
	uint32_t end = m->p.at;
	m->p.at = at;
	unit_program_put(&m->p, encode_loop(TEMPORARY, end - at - 4));
	m->p.at = end;
}

static void item(struct maker *m)
{
	static void (*const makers[])(struct maker *) = {compute,	 compute, read_csr,    read_csr,
							 use_scratchpad, delay,	  fill_packet, send_packet,
							 set_timer,	 loop,	  histogram};
	if (m->faults > 0 && one_in(m->rng, m->faults))
		fault(m);
	else if (m->has_soft && one_in(m->rng, 3))
		(one_in(m->rng, 3) ? control_soft : use_soft)(m);
	else
		PICK(m->rng, makers)(m);
}

static void routine(struct maker *m, uint32_t at, uint64_t most_items)
{
	m->p.at = at;
	for (uint64_t n = between(m->rng, 0, most_items); n > 0; n--)
		item(m);
	unit_program_put(&m->p, encode_jalr(0, HART_RA, 0));
}

struct ipu_program *random_unit_program(uint64_t *rng, bool sets_timer, bool has_soft)
{
	struct maker m = {.rng = rng, .sets_timer = sets_timer, .has_soft = has_soft};
	m.p.has_init = !one_in(rng, 4);
	m.p.has_finish = !one_in(rng, 4);
	m.p.main = MAIN_AT;
	m.faults = one_in(rng, 4) ? (unsigned)between(rng, 5, 60) : 0;
	routine(&m, IPU_INIT, 6);
	if (sets_timer && one_in(rng, 2)) {
		m.p.at -= 4;
		set_timer(&m);
		unit_program_put(&m.p, encode_jalr(0, HART_RA, 0));
	}
	if (has_soft && !one_in(rng, 4)) {
		m.p.at -= 4;
		control_soft(&m);
		unit_program_put(&m.p, encode_jalr(0, HART_RA, 0));
	}
	routine(&m, MAIN_AT, one_in(rng, 4) ? 0 : 8);
	for (uint32_t i = 0; i < NR_HANDLERS; i++)
		routine(&m, HANDLERS_AT + HANDLER_BYTES * i, 6);
	/* There is room for 16 instructions, and no loop may wait there but by mistake. */
	m.in_loop = !one_in(rng, 8);
	routine(&m, IPU_FINISH, 1);
	struct ipu_program *program = unit_program_make(&m.p);
	put_histograms(ipu_program_scratchpad(program));
	return program;
}

uint32_t random_mhz(uint64_t *rng)
{
	static const uint32_t mhz[] = {1, 2, 3, 5, 8, 1000, 2000, 3000, 1234, 4001, 999983, 1000000};
	return one_in(rng, 8) ? (uint32_t)between(rng, IPU_MIN_MHZ, IPU_MAX_MHZ) : PICK(rng, mhz);
}

struct ipu_unit_config random_unit_config(uint64_t *rng)
{
	static const uint32_t few[] = {1, 2, 3, 4, 7, 16, IPU_MAX_WINDOW};
	static const uint32_t fifos[] = {16, 17, 20, 40, 100, 1000, IPU_DEFAULT_FIFO_BYTES};
	static const uint64_t rates[] = {1, 2, 5, 30, 100, 100000, UINT64_MAX};
	static const uint64_t budgets[] = {1, 2, 10, 40, 200, 3000};
	struct ipu_unit_config config = {
		.hit_mhz = random_mhz(rng),
		.ipu_mhz = random_mhz(rng),
		.mismatch = (enum ipu_mismatch)between(rng, 0, 3),
		.mismatch_arg = PICK(rng, few),
		.max_cycles = one_in(rng, 4) ? PICK(rng, budgets) : 3000,
		.fifo_bytes = one_in(rng, 2) ? IPU_DEFAULT_FIFO_BYTES : PICK(rng, fifos),
		.max_bytes_per_s = one_in(rng, 2) ? 0 : PICK(rng, rates),
	};
	if (one_in(rng, 3))
		config.ipu_mhz = config.hit_mhz;
	if (config.mismatch == IPU_PHASES)
		config.mismatch_arg = one_in(rng, 2) ? random_mhz(rng) : config.hit_mhz;
	return config;
}
