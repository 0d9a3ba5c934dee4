/* Slots: what the executors of execute.c read. One per half-word of code, 8 bytes each.
 *
 * A block is what runs from a slot to the next control transfer; `nr_left` counts its instructions, so that a run can
 * account for a whole block when it enters it. The slot of an instruction holds its own operands whether or not it is
 * fused with what follows: only `executor` tells that, so a jump into the middle of a pair is nothing special.
 */
#ifndef SAHM_IPU_CORE_CODE_INTERNAL_H
#define SAHM_IPU_CORE_CODE_INTERNAL_H

#include "ipu/core/code.h"
#include "ipu/core/instruction.h"

enum executor {
	EXECUTOR_undecoded, /* must be 0: what calloc() makes */
	EXECUTOR_illegal,
	EXECUTOR_end, /* after the last slot, or an instruction that reaches there */
#define BOTH(name) EXECUTOR_##name##_4, EXECUTOR_##name##_2,
#define WIDE(name) EXECUTOR_##name##_4,
#define OPERATION(name, sizes, properties) sizes(name)
#include "ipu/core/operation_list.h"
#undef OPERATION
/* direct jumps and branches that lead out of the code */
#define OUTWARD(name, sizes) sizes(name##_out)
#include "ipu/core/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
#define STORE_PAIR(first, second) EXECUTOR_##first##_##second,
#define PAIR(first, second) STORE_PAIR(first, second) EXECUTOR_##first##_to_##second,
#include "ipu/core/fusion_list.h"
#undef PAIR
#undef STORE_PAIR
	NR_EXECUTORS
};

/* Added to the executor of a slot at which a block ends without a control transfer: it has grown too long. */
#define CHAINED NR_EXECUTORS
#define MAX_BLOCK UINT16_MAX

/* Which register stands for x0 as a destination: writes to it are lost. */
#define NOWHERE NR_REGISTERS

/* Input registers, a power of 2. */
#define NR_INPUTS 32u

/* Operands are in one word, since one load and some shifts are cheaper than four loads: bits 0 to 7 rd (of stores and
 * branches: rs2), 8 to 15 rs1, 16 to 31 rs2 or the immediate, signed (of branches in slots; of csr funct3 << 12 |
 * number). Of lui and auipc, bits 12 to 31 are the immediate; of jal, bits 8 to 31 are the distance in slots, signed.
 */
struct slot {
	uint16_t executor;
	uint16_t nr_left; /* instructions to the end of the block, this one and the control transfer included */
	uint32_t operands;
};

struct code {
	uint32_t base, nr_bytes;
	const uint8_t *bytes;
	struct slot *slots; /* nr_bytes / 2, and one that ends them */
	/* Stretches of STRETCH_SLOTS slots in which something has been decoded: a list of them, and who is in it. */
	uint32_t *touched, nr_touched;
	uint8_t *is_touched;
	struct translation *translation; /* notified when it is discarded; NULL: none */
	unsigned flags;
};

/* Slots that stand for half-words: without the one that ends them. */
static inline uint32_t code_nr_slots(const struct code *code)
{
	return code->nr_bytes / 2;
}

static inline uint8_t slot_rd(const struct slot *s)
{
	return (uint8_t)s->operands;
}

static inline uint8_t slot_rs1(const struct slot *s)
{
	return (uint8_t)(s->operands >> 8);
}

static inline uint32_t slot_rs2(const struct slot *s)
{
	return s->operands >> 16;
}

static inline int32_t slot_immediate(const struct slot *s)
{
	return (int32_t)s->operands >> 16;
}

#define STRETCH_SLOTS 2048u

/* Decodes the block that begins at slot `first`, which is not decoded yet. */
void code_decode_block(struct code *code, uint32_t first);

/* Properties of executors without CHAINED. */
extern const struct executor_row {
	uint16_t alone;	  /* the same without what it is fused with */
	uint8_t nr_slots; /* of only the instruction */
	uint8_t operation;
} executor_rows[NR_EXECUTORS];

#endif
