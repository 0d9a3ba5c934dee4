/* What the files of the translator share.
 *
 * Host code of a trace keeps guest registers in registers of the host, some of them, others in the hart; a register
 * whose value in the hart is out of date is dirty. Which ones are where at the trace's beginning is its entry state,
 * chosen when it is translated: that of the first trace that needed it, or, for a loop, the registers that the loop
 * uses. Where one trace leads to another, an edge, whatever is needed to get from one state to the other stands between
 * them. Who comes from the interpreter, or by an indirect jump, has everything in the hart, and enters by code that
 * loads the entry state.
 *
 * Registers of the host: RBP the hart, R14 where guest address 0 would be, R15 instructions left; RAX and RCX are for
 * the moment; the others hold guest registers. A trace takes all of its instructions off R15 at its beginning, as the
 * interpreter does with blocks; an early exit gives back those that have not been executed.
 */
#ifndef SAHM_IPU_JIT_TRANSLATION_INTERNAL_H
#define SAHM_IPU_JIT_TRANSLATION_INTERNAL_H

#include "ipu/core/host_routine_internal.h"
#include "ipu/jit/jit_trace_internal.h"
#include "ipu/jit/translation.h"
#include "ipu/jit/x86_internal.h"

_Static_assert(HOST_RETURNED == 0, "as EXIT_RETURNED");

#define NO_HOST 0xffu

/* Why host code has been left. */
enum exit_reason {
	EXIT_RETURNED,	/* jumped to the return stub */
	EXIT_GO_ON,	/* at a slot for which there is no host code yet */
	EXIT_INTERPRET, /* the instruction at the slot is none for host code */
	EXIT_SHORT,	/* too few instructions are left for the trace at the slot */
	EXIT_STOPPED,	/* within an access: the hart says why, and is up to date */
	NR_EXIT_REASONS
};

/* Where guest registers are. A constant is neither in a host register nor, while dirty, in the hart. */
struct registers {
	uint8_t guest_in[NR_X86_REGISTERS]; /* 0: none */
	uint8_t host_of[NR_REGISTERS];	    /* NO_HOST: none */
	uint32_t dirty, constant;	    /* sets of guest registers */
	uint32_t value[NR_REGISTERS];	    /* of constants */
};

/* A trace that has been translated. */
struct piece {
	uint32_t head, main; /* its slot; offset of its code */
	struct registers entry;
};

/* A way from a piece to the beginning of a trace. */
struct edge {
	uint32_t site;	    /* the jump */
	uint32_t target;    /* slot */
	uint32_t give_back; /* instructions */
	uint32_t next;	    /* of the list of open edges; 0: none */
	struct registers from;
};

#define EDGE_LISTS 16384u

struct host_translation {
	struct translation head;
	/* Of each slot the offset of its trace's code, for who has everything in the hart, or less than TRACE_HEATS. */
	uint32_t *table;
	uint32_t code_base, code_bytes;
	struct code *code;
	/* Properties of harts. */
	struct hart like;
	bool can_shift; /* the host has BMI2 */
	bool is_fixed;
	bool is_broken; /* something could not be made executable */

	struct x86_emitter e;
	uint32_t first_free;		 /* after the code that all traces share */
	uint32_t exits[NR_EXIT_REASONS]; /* leave with that reason, the slot in EAX */

	struct piece *pieces;
	uint32_t nr_pieces, pieces_room;
	struct edge *edges;
	uint32_t nr_edges, edges_room; /* number 0 is none */
	uint32_t first_writable;       /* what stands below it in the cache cannot be written */
	uint32_t hot;		   /* how often changing code is entered somewhere before it is translated from there */
	struct slot_set ends;	   /* where traces of a large batch begin */
	uint32_t open[EDGE_LISTS]; /* the first of the edges whose target is not translated, by target */
	struct trace *trace;	   /* the one at hand */
	struct translator *translator;
	struct translation_counts counts;
};

/* Maximum number of bytes of host code of a step, with its part after the trace; and an edge. A save of every
 * guest register, each a constant, takes 31 times 8 bytes. */
#define TRANSLATION_STEP_BYTES 1024u
#define TRANSLATION_EDGE_BYTES 512u

/* Code that all traces share: at the beginning stands a host_enter (translate_x86.c). */
void translate_shared(struct host_translation *t);

/* Translates t->trace, whose head is entered with `from`; there is room (translate_x86.c). The piece is the last one,
 * and its edges follow the existing ones. False: no memory. */
bool translate_trace(struct host_translation *t, const struct registers *from);

/* Leads edge `i` to its target if that is translated (else false), or out of the host code. */
bool translate_edge(struct host_translation *t, uint32_t i);
void translate_open_edge(struct host_translation *t, uint32_t i);

/* Registers: translate_registers.c */
extern const uint8_t register_order[];
#define NR_HELD 10u

void registers_init(struct registers *r);
void registers_choose_entry(const struct trace *t, const struct registers *from, struct registers *entry);

/* Code that brings the hart up to date, and that gets from one state to another. */
void registers_emit_save(struct x86_emitter *e, const struct registers *r);
void registers_emit_load(struct x86_emitter *e, const struct registers *r);
void registers_emit_change(struct x86_emitter *e, const struct registers *from, const struct registers *to);

static inline void registers_drop(struct registers *r, uint8_t guest)
{
	if (r->host_of[guest] != NO_HOST)
		r->guest_in[r->host_of[guest]] = 0;
	r->host_of[guest] = NO_HOST;
}

static inline void registers_put(struct registers *r, uint8_t guest, uint8_t host)
{
	r->host_of[guest] = host;
	r->guest_in[host] = guest;
}

static inline struct x86_place register_in_hart(uint8_t guest)
{
	return x86_at(RBP, (int32_t)(offsetof(struct hart, x) + guest * sizeof(uint32_t)));
}

#endif
