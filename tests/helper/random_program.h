/* Random RV32IMC programs, with the IPU's own instructions where nobody else runs them, each a function of a seed and
 * an index.
 *
 * A structured one goes through straight code, forward jumps, bounded loops and calls, and always ends; a raw one is
 * words that mostly are instructions, in no order, and may do anything. Bytes are little-endian whatever the host.
 */
#ifndef SAHM_TESTS_HELPER_RANDOM_PROGRAM_H
#define SAHM_TESTS_HELPER_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define RANDOM_CODE_BYTES 8192u /* room; memory after the program's end is 0, which is no instruction */
#define RANDOM_DATA_BYTES 8192u
#define RANDOM_DUMP_BYTES 128u	 /* of the data, at its beginning: room for x0 to x31 */
#define RANDOM_MOST_STEPS 20000u /* more than any structured program takes */

enum random_program_kind {
	RANDOM_TAME, /* without faults, but for the one that ends it */
	RANDOM_WILD, /* now and then an access, a jump or an instruction that must fault */
	RANDOM_RAW,
	RANDOM_LINUX, /* tame, only RV32IMC, without counters; at its end it writes all of its data, registers first,
			 to file 1 */
	NR_RANDOM_KINDS
};

struct random_program {
	uint64_t seed, index;
	enum random_program_kind kind;
	bool flat; /* the data follow the code in one memory, which is all code and all data */
	bool traps_misaligned;
	bool modifies_code; /* and says so by fence.i before it executes what it has written */
	uint32_t base;	    /* of the code, and the address of the first instruction */
	uint32_t nr_code_bytes;
	uint32_t data_base; /* base + RANDOM_CODE_BYTES if flat */
	bool has_inputs;    /* CSRs of input registers can be read; else that is illegal */
	uint64_t inputs[32];
	uint32_t x[32]; /* to start with; RANDOM_LINUX sets its registers itself */
	uint8_t bytes[RANDOM_CODE_BYTES + RANDOM_DATA_BYTES]; /* code, then data */
};

void random_program(struct random_program *p, enum random_program_kind kind, uint64_t seed, uint64_t index);

/* Two neighbours that are 4 bytes long, and little else: the operations follow from the index modulo random_nr_pairs,
 * so that this number of programs has every pair of operations; operands are random. */
extern const uint32_t random_nr_pairs;
void random_pair(struct random_program *p, uint64_t seed, uint64_t index);

/* A number that tends to be at some edge. */
uint32_t random_value(uint64_t *rng);

#endif
