/* Parts of which random programs are made. */
#ifndef SAHM_TESTS_HELPER_RANDOM_PROGRAM_INTERNAL_H
#define SAHM_TESTS_HELPER_RANDOM_PROGRAM_INTERNAL_H

#include "tests/helper/encode.h"
#include "tests/helper/random.h"
#include "tests/helper/random_program.h"

#define MOST_PENDING 6
#define MOST_FUNCTIONS 6
#define MOST_DEPTH 2

/* Counter and limit of loops by depth, outside and inside of functions, which do not change those of their callers. */
static const uint32_t loop_registers[2][MOST_DEPTH][2] = {{{9, 31}, {14, 30}}, {{8, 28}, {27, 26}}};

/* A jump whose target is still to come. */
struct pending {
	uint32_t at;   /* where its instruction is; offset in the code */
	uint32_t from; /* what its offset counts from */
	enum { PENDING_BRANCH, PENDING_JUMP, PENDING_C_BRANCH, PENDING_C_JUMP, PENDING_INDIRECT } form;
	uint32_t funct3, rd, rs1, rs2, odd;
	unsigned countdown; /* instructions until its target */
};

struct function {
	uint32_t at, link;
	uint64_t steps;
};

struct maker {
	struct random_program *p;
	uint64_t rng;
	uint32_t at;	   /* offset in the code of the next instruction */
	uint32_t reserved; /* a bit per register that must not be written */
	uint32_t bases[3]; /* registers that point into the data; the first is sp */
	uint32_t last;	   /* register written last */
	unsigned whole;	   /* within what must not be jumped into */
	unsigned depth;	   /* of loops */
	bool in_function;
	bool in_hardware_loop;
	uint64_t weight, steps; /* how often what is being emitted is executed at most; all of that so far */
	struct pending pending[MOST_PENDING];
	unsigned nr_pending;
	struct function functions[MOST_FUNCTIONS];
	unsigned nr_functions;
};

static inline uint32_t pick_number(struct maker *m, uint32_t low, uint32_t high)
{
	return (uint32_t)between(&m->rng, low, high);
}

/* Appends an instruction. */
void emit(struct maker *m, uint32_t word);

/* Rewrites the instruction at an offset, with the same size. */
void put(struct maker *m, uint32_t at, uint32_t word);

/* Appends a jump; its target follows. */
void emit_pending(struct maker *m, const struct pending *jump);

/* Lets all pending jumps lead to here. */
void bind_all(struct maker *m);

/* A register to write, the last one now and then, x0 more than its share; one of x8 to x15; to read. */
uint32_t pick_rd(struct maker *m);
uint32_t pick_short_rd(struct maker *m);
uint32_t pick_rs(struct maker *m);
uint32_t pick_short_rs(struct maker *m);

/* One that is neither x0 nor `other`, to hold on to. */
uint32_t pick_scratch(struct maker *m, uint32_t other);

/* li rd, value. */
void emit_li(struct maker *m, uint32_t rd, uint32_t value);

/* An instruction that computes, of 4 bytes, in any register but the reserved ones. */
uint32_t random_computation(struct maker *m);

/* The IPU's own instructions (random_custom.c): an input read, a hash; a histogram update with its descriptor; a
 * hardware loop. */
void input_or_hash(struct maker *m);
void histogram_update(struct maker *m);
void hardware_loop(struct maker *m);

/* Roughly, for a loop with all that is in it. */
#define MOST_LOOP_STEPS (RANDOM_MOST_STEPS / 32)

/* Parts of programs, and how often they occur relative to others. */
struct item {
	void (*fn)(struct maker *m);
	unsigned weight;
};

/* Appends one of the items; one of those that lead nowhere. */
void emit_one_of(struct maker *m, const struct item *items, unsigned nr);
void emit_straight(struct maker *m);

/* Appends a random item: an instruction, some that belong together, or a loop with more of them. */
void emit_item(struct maker *m);

#endif
