/* A hart: one RV32IMC processor with Zicsr and Zifencei, its whole state in one plain struct.
 *
 * Instructions come from `code` (code.h), loads and stores reach one stretch of data memory; both have exact bounds.
 * Accesses elsewhere, CSRs and environment calls are served by the host, a table of functions. The two memories may be
 * the same bytes (flat.h) or not (ipu.h). There is no privileged architecture: whatever goes wrong stops the hart with
 * a cause, the PC of the instruction that could not be completed, and the address that was wrong.
 *
 * Instructions are counted when they retire; one that faults does not. A budget bounds every run, so that no guest can
 * keep the host. A hart belongs to one thread at a time; nothing here is shared but fixed code.
 *
 *	struct hart h;
 *	hart_init(&h, code);
 *	hart_set_memory(&h, 0x10000, bytes, sizeof(bytes));
 *	if (hart_call(&h, entry, 1000) == HART_RETURNED)
 *		use(hart_register(&h, 10));
 *
 * Source: RISC-V unprivileged specification, version 20191213; dissertation, chapter 2, for the two memories.
 */
#ifndef SAHM_IPU_CORE_HART_H
#define SAHM_IPU_CORE_HART_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/core/code.h"
#include "ipu/core/instruction.h"

enum hart_cause {
#define CAUSE(symbol, text, kind) HART_##symbol,
#include "ipu/core/cause_list.h"
#undef CAUSE
	NR_HART_CAUSES
};

/* Who executes: ENGINE(symbol, name, help). Both do the same, instruction by instruction. */
enum hart_engine {
#define ENGINE(symbol, name, help) HART_##symbol,
#include "ipu/core/engine_list.h"
#undef ENGINE
	NR_HART_ENGINES
};

/* Where a called routine returns to: an indirect jump to this address is its end. It must not be in the code. */
#define HART_RETURN_STUB UINT32_C(0xfffffff0)

/* CSRs of input register 0. */
#define HART_INPUT_CSR 0xcc0u
#define HART_INPUT_HIGH_CSR 0xce0u

/* No CSR has this number. */
#define HART_NO_CSR UINT32_MAX

/* Registers by their names in the calling convention. */
enum { HART_RA = 1, HART_SP = 2, HART_A0 = 10, HART_A7 = 17 };

struct hart;

/* What the hart asks of its surroundings. Any function may be NULL: as if it answered false. Misaligned accesses get
 * there only when they are not trapped. Before each call pc and nr_retired are brought up to date; a function may
 * change memory, and environment_call() registers other than x0; to end the run after the instruction it sets `cause`
 * to HART_EXITED and returns true. The rest of the hart it leaves alone, and it does not run it. */
struct hart_host {
	/* A load of 1, 2 or 4 bytes that is not wholly inside the data memory. False: nothing is there. */
	bool (*load)(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value);
	/* A store that is not wholly inside the store window; the upper bits of `value` are 0. False: the part inside
	 * the data memory is stored there, the rest is dropped. */
	bool (*store)(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value);
	/* CSRs other than cycle, time and instret, which all count instructions. False: there is no such CSR. */
	bool (*csr_read)(struct hart *h, uint32_t csr, uint32_t *value);
	bool (*csr_write)(struct hart *h, uint32_t csr, uint32_t value);
	/* False: nobody serves it. */
	bool (*environment_call)(struct hart *h);
};

/* Makes instructions of the host of a code's instructions, at run time (jit/translation.h). The loader of a program
 * chooses a translator, or none: then it is interpreted. */
struct translation;
struct host_exit;
struct host_routine;
struct translator_ops {
	/* A translation of like->code for harts like `like`, which is not needed afterwards; code and its bytes are.
	 * NULL where it cannot be had, for lack of memory as well: then the code is interpreted. */
	struct translation *(*make)(const struct hart *like);
	void (*free)(struct translation *t);
	/* Forgets what was translated: code_discard() calls it. */
	void (*discard)(struct translation *t);
	/* hart_run() for a hart that has a translation. */
	enum hart_cause (*run)(struct hart *h, uint64_t budget);
	/* host_routine_find(), and host_routine_run() where the routine was left otherwise than by returning. */
	struct host_routine (*find)(const struct translation *t, uint32_t entry);
	enum hart_cause (*run_on)(struct hart *h, struct host_exit exit, uint64_t nr_at_end);
};

/* What every translation begins with. */
struct translation {
	const struct translator_ops *ops;
};

/* Releases a translation, after the last run of a hart that has it; `t` may be NULL. */
static inline void translation_free(struct translation *t)
{
	if (t)
		t->ops->free(t);
}

/* The addresses that an access of 1 << i bytes reaches without asking: those for which the distance from `base`,
 * counted in accesses, is whole and below limit[i]. */
struct hart_window {
	uint32_t base;
	uint32_t limit[3];
};

struct hart {
	uint32_t x[NR_REGISTERS + 1]; /* after x31: what is written to x0 goes there */
	uint32_t pc;
	uint32_t address; /* after a fault: the address that was wrong, or the PC if it concerns no other */
	uint8_t cause;	  /* enum hart_cause */
	bool traps_misaligned;
	uint64_t nr_retired;
	struct code *code;
	struct translation *translation; /* of `code`, for harts like this one; NULL: it is interpreted */
	uint8_t *data;
	uint32_t data_base, data_bytes;
	struct hart_window loads, stores;
	const struct hart_host *host;
	void *context; /* the host's own */
	/* Input registers of the device that the hart is part of: CSR HART_INPUT_CSR + i is the lower half of
	 * inputs[i], HART_INPUT_HIGH_CSR + i the upper one. 32 of them, the caller's; NULL: there are no such CSRs. */
	const uint64_t *inputs;
	/* The hardware loop under way: the addresses of its body, and how many times it is still to be done, this one
	 * included; 0: there is none. */
	uint32_t loop_start, loop_end, loop_left;
	uint64_t nr_extra; /* cycles beyond one an instruction: CSR cycle is nr_retired + nr_extra. The host may add. */
	uint32_t written_csr,
		written_value; /* what the last write of a CSR wrote, for logs; HART_NO_CSR: none so far */
};

/* A hart without data memory and host; registers 0, pc at the beginning of `code`. */
void hart_init(struct hart *h, struct code *code);

/* Gives it data memory: `nr_bytes` at `data` (the caller's), which the guest sees at `base` (a multiple of 4) on, all
 * of it below 2^32. Misaligned accesses are performed unless traps_misaligned is set. */
void hart_set_memory(struct hart *h, uint32_t base, uint8_t *data, uint32_t nr_bytes);

/* (This, and the next, take a translation from the hart.) Stores outside [first, end), which lies inside the data
 * memory, go to the host's store() first; so do those to the bytes below the first multiple of 4. */
void hart_set_store_window(struct hart *h, uint32_t first, uint32_t end);

/* Runs from pc on until something stops it or `budget` instructions are done; returns the cause, which is also in the
 * hart. After HART_BUDGET it can be continued; after HART_INPUT, too: each time, before the body of a hardware loop,
 * with the PC at its beginning, the hart stops so, for the inputs to be changed. After all else it returns the same
 * again until hart_jump(), which also forgets a loop. A budget of 0 runs nothing. */
static inline enum hart_cause hart_run(struct hart *h, uint64_t budget);

/* hart_run() by the interpreter, whatever the hart has been given: for who looks at each instruction. */
enum hart_cause hart_interpret(struct hart *h, uint64_t budget);

static inline enum hart_cause hart_run(struct hart *h, uint64_t budget)
{
	return h->translation ? h->translation->ops->run(h, budget) : hart_interpret(h, budget);
}

/* x0 to x31; x0 reads as 0, and writing it does nothing. */
static inline uint32_t hart_register(const struct hart *h, unsigned i)
{
	return h->x[i];
}

static inline void hart_set_register(struct hart *h, unsigned i, uint32_t value)
{
	h->x[i ? i : NR_REGISTERS] = value;
}

/* Makes the hart ready to run at `pc` (bit 0 is ignored). */
static inline void hart_jump(struct hart *h, uint32_t pc)
{
	h->pc = pc & ~UINT32_C(1);
	h->cause = HART_NONE;
	h->loop_left = 0;
}

/* Makes the hart ready to call the routine at `entry`: as hart_jump(), with ra set to the return stub; sp and arguments
 * are what they are. It runs to HART_RETURNED. */
static inline void hart_enter(struct hart *h, uint32_t entry)
{
	hart_set_register(h, HART_RA, HART_RETURN_STUB);
	hart_jump(h, entry);
}

/* Calls the routine at `entry`: hart_enter() and hart_run(). */
static inline enum hart_cause hart_call(struct hart *h, uint32_t entry, uint64_t budget)
{
	hart_enter(h, entry);
	return hart_run(h, budget);
}

/* Whether the cause is a fault, not a wanted end; and whether it concerns an address other than the PC. */
bool hart_cause_is_fault(enum hart_cause cause);
bool hart_cause_has_address(enum hart_cause cause);
const char *hart_cause_text(enum hart_cause cause);

/* How users call an engine. */
const char *hart_engine_name(enum hart_engine engine);

/* Guest addresses [address, address + nr_bytes) as host memory, NULL unless all of them are data memory. */
uint8_t *hart_bytes(const struct hart *h, uint32_t address, uint32_t nr_bytes);

#endif
