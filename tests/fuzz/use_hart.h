/* Harts for arbitrary code: the first bytes of an input choose what they look like, the others are the code. Visible
 * results of a run are compared with those of another one.
 *
 * Code and data are apart unless a target takes CHOICE_FLAT up: then stores change code, too. */
#ifndef SAHM_TESTS_FUZZ_USE_HART_H
#define SAHM_TESTS_FUZZ_USE_HART_H

#include <stdbool.h>

#include "ipu/core/hart.h"
#include "sim/base/array.h"
#include "tests/fuzz/fuzz.h"
#include "tests/helper/random.h"

#define DATA_BYTES 4096u
#define MOST_STOPS 100u
#define MOST_CODE_BYTES 4096u
#define NR_CSRS 4u

enum choice {
	CHOICE_TRAPS = 1,
	CHOICE_FIXED = 2,
	CHOICE_WINDOW = 4,
	CHOICE_NO_HOST = 8,
	CHOICE_PLACES = 0x30,
	CHOICE_INPUTS = 0x40,
	CHOICE_FLAT = 0x80
};
#define NR_CHOSEN 4u /* bytes: choices, seed of registers, entry, seed of slices */

/* A run, and all that can be seen of it. */
struct run {
	struct hart hart;
	uint8_t data[DATA_BYTES];
	uint32_t csrs[NR_CSRS];
	uint64_t inputs[32];
	uint64_t asked; /* a hash of what the host was asked, and when */
};

static inline void note(struct hart *h, uint32_t a, uint32_t b, uint32_t c)
{
	struct run *r = h->context;
	const uint64_t parts[] = {a, b, c, h->pc, h->nr_retired};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		r->asked ^= parts[i];
		r->asked = next_random(&r->asked);
	}
	for (unsigned i = 0; i < NR_REGISTERS; i++)
		r->asked = next_random(&r->asked) ^ hart_register(h, i);
	MUST(hart_register(h, 0) == 0);
}

/* A device of 16 bytes in front of the data. */
static inline bool is_device(const struct hart *h, uint32_t address, unsigned nr_bytes)
{
	return address - (h->data_base - 16) <= 16 - nr_bytes;
}

static inline bool load(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	MUST(!hart_bytes(h, address, nr_bytes));
	note(h, 1, address, nr_bytes);
	*value = (uint32_t)((const struct run *)h->context)->asked;
	return is_device(h, address, nr_bytes);
}

static inline bool store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	MUST(nr_bytes == 4 || value >> 8 * nr_bytes == 0);
	note(h, 2 + nr_bytes, address, value);
	return is_device(h, address, nr_bytes);
}

static inline bool csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	note(h, 8, csr, 0);
	*value = ((const struct run *)h->context)->csrs[csr % NR_CSRS];
	return csr >> 8 == 8 || csr >> 8 == 12;
}

static inline bool csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	MUST(csr >> 10 != 3);
	note(h, 9, csr, value);
	((struct run *)h->context)->csrs[csr % NR_CSRS] = value;
	return csr >> 8 == 8;
}

static inline bool environment_call(struct hart *h)
{
	note(h, 10, hart_register(h, HART_A0), 0);
	hart_set_register(h, HART_A0, (uint32_t)((const struct run *)h->context)->asked);
	hart_set_register(h, 0, 1);
	if (hart_register(h, HART_A7) % 8 == 7)
		h->cause = HART_EXITED;
	return hart_register(h, HART_A7) % 8 != 6;
}

static const struct hart_host host = {load, store, csr_read, csr_write, environment_call};

/* Both below 2^32, some at its very end. */
static const uint32_t code_places[] = {0, 0x80000000, UINT32_MAX - MOST_CODE_BYTES + 1, 0x12346};
static const uint32_t data_places[] = {0x10000, 0x80000000, UINT32_MAX - DATA_BYTES + 1, 0};

static inline unsigned place_of(const uint8_t *chosen)
{
	return (chosen[0] & CHOICE_PLACES) / (CHOICE_PLACES & -CHOICE_PLACES);
}

/* Registers as the input has them, the hart at its entry. */
static inline void set_registers(struct run *r, const uint8_t *chosen)
{
	uint64_t rng = chosen[1];
	for (unsigned i = 0; i < 32; i++) /* those are the inputs' */
		next_random(&rng);
	for (unsigned i = 1; i < NR_REGISTERS; i++) {
		uint32_t near = (uint32_t)between(&rng, 0, DATA_BYTES + 32) - 16, data = r->hart.data_base;
		uint32_t values[] = {data + near, data + near / 4 * 4, code_base(r->hart.code) + near / 2 * 2,
				     (uint32_t)next_random(&rng), near % 32};
		hart_set_register(&r->hart, i, PICK(&rng, values));
	}
	hart_set_register(&r->hart, HART_RA, HART_RETURN_STUB);
	hart_jump(&r->hart, code_base(r->hart.code) + 2 * chosen[2]);
}

static inline void prepare(struct run *r, struct code *code, const uint8_t *chosen)
{
	uint64_t rng = chosen[1];
	uint32_t data_place = data_places[place_of(chosen)];
	*r = (struct run){.asked = 0};
	hart_init(&r->hart, code);
	hart_set_memory(&r->hart, data_place, r->data, DATA_BYTES);
	if (chosen[0] & CHOICE_WINDOW)
		hart_set_store_window(&r->hart, data_place + 68, data_place + DATA_BYTES - 1);
	r->hart.host = chosen[0] & CHOICE_NO_HOST ? NULL : &host;
	r->hart.context = r;
	r->hart.traps_misaligned = chosen[0] & CHOICE_TRAPS;
	for (unsigned i = 0; i < 32; i++)
		r->inputs[i] = next_random(&rng);
	r->hart.inputs = chosen[0] & CHOICE_INPUTS ? r->inputs : NULL;
	set_registers(r, chosen);
}

/* What stopped does so again, having asked nobody; then it continues after the place, since arbitrary bytes soon fault.
 */
static inline void resume(struct run *r, enum hart_cause cause)
{
	struct hart *h = &r->hart;
	struct hart before = *h;
	uint64_t asked = r->asked;
	MUST(cause == (enum hart_cause)h->cause && cause != HART_NONE && cause < NR_HART_CAUSES);
	MUST(strcmp(hart_cause_text(cause), "unknown cause") != 0);
	if (cause == HART_EXITED || hart_cause_is_fault(cause)) {
		MUST(hart_run(h, 10) == cause && h->nr_retired == before.nr_retired && r->asked == asked);
		MUST(h->pc == before.pc && h->address == before.address);
	}
	note(h, 11, cause, hart_cause_is_fault(cause) ? h->address : 0);
	if (cause == HART_INPUT) {
		MUST(h->loop_left > 0 && h->pc == h->loop_start);
		r->inputs[h->loop_left % 32] = next_random(&r->asked);
		return;
	}
	hart_jump(h, code_holds(h->code, h->pc + 2) ? h->pc + 2 : code_base(h->code));
}

/* Runs `left` instructions, `slice` at a time, 0 for slices of all sizes. */
static inline void run(struct run *r, uint64_t slice, uint64_t left, uint64_t seed)
{
	for (unsigned nr_stops = 0; left > 0 && nr_stops < MOST_STOPS;) {
		uint64_t budget = slice ? slice : between(&seed, 0, one_in(&seed, 3) ? 100 : 5);
		uint64_t before = r->hart.nr_retired;
		budget = budget < left ? budget : left;
		enum hart_cause cause = hart_run(&r->hart, budget);
		uint64_t done = r->hart.nr_retired - before;
		MUST(done <= budget && (cause != HART_BUDGET || done == budget));
		left -= done;
		if (cause != HART_BUDGET && left > 0) {
			resume(r, cause);
			nr_stops++;
		}
	}
}

static inline void must_be_same(const struct run *a, const struct run *b)
{
	for (unsigned i = 0; i < NR_REGISTERS; i++)
		MUST(hart_register(&a->hart, i) == hart_register(&b->hart, i));
	MUST(a->hart.cause == b->hart.cause && a->hart.nr_retired == b->hart.nr_retired);
	MUST(a->hart.pc == b->hart.pc);
	MUST(a->hart.loop_left == b->hart.loop_left && a->hart.nr_extra == b->hart.nr_extra);
	MUST(!hart_cause_is_fault(a->hart.cause) || a->hart.address == b->hart.address);
	MUST(memcmp(a->data, b->data, sizeof(a->data)) == 0 && memcmp(a->csrs, b->csrs, sizeof(a->csrs)) == 0);
	MUST(a->asked == b->asked);
}

#endif
