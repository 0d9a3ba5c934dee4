/* One trace being translated: translate_x86.c (the trace as a whole), translate_steps.c (what steps do; stubs and
 * edges), translate_hosts.c (which guest register has which host register). */
#ifndef SAHM_IPU_JIT_TRANSLATE_INTERNAL_H
#define SAHM_IPU_JIT_TRANSLATE_INTERNAL_H

#include "ipu/jit/translation_internal.h"

/* Rarely executed code, placed after the trace. */
enum stub_kind {
	STUB_EXIT,	  /* leaves for `reason` at `slot` */
	STUB_ACCESS,	  /* lets the hart's way carry out the access of `slot`, and goes on at `resume` */
	STUB_ENDED,	  /* the host has ended the run within the store of `slot` */
	STUB_NOWHERE,	  /* nothing is there for the store of `slot` */
	STUB_JUMP_OUTSIDE /* an indirect jump out of the code, whose target is in RAX */
};

struct stub {
	enum stub_kind kind;
	enum exit_reason reason;
	uint32_t site, step, slot, give_back, resume;
	struct registers before, after; /* `after` only for STUB_ACCESS */
};

#define MOST_STUBS (4 * TRACE_MOST_STEPS + 4u)

struct translator {
	struct host_translation *t;
	struct x86_emitter *e;
	const struct trace *trace;
	uint32_t step;
	struct registers r;
	struct registers entry;
	uint32_t locked; /* host registers that the step needs */
	bool is_wrap_safe;
	bool has_host_store; /* a store at the host has been carried out */
	bool has_inputs;     /* RAX is the address of the input registers */
	uint32_t nr_stubs;
	struct stub stubs[MOST_STUBS];
};

/* What an instruction of the host can take for a source. */
enum operand_kind { OPERAND_HOST, OPERAND_HART, OPERAND_CONSTANT };

struct operand {
	enum operand_kind kind;
	uint8_t guest, host;
	uint32_t value;
};

/* ---- Host registers (translate_hosts.c) ---- */

/* The guest register as an operand; it is loaded if it is used again and there is room. A host register is locked until
 * hosts_unlock(). */
struct operand hosts_use(struct translator *c, uint8_t guest);

/* The host register for the result in `guest`, which is there from now on; those of locked operands stay. `dying` is
 * the register of an operand that is not needed any more, NO_HOST if there is none: the first choice. */
uint8_t hosts_define(struct translator *c, uint8_t guest, uint8_t dying);

/* The result in `guest` is a constant. */
void hosts_define_constant(struct translator *c, uint8_t guest, uint32_t value);

/* Whether nothing needs the value of `guest` after the step. */
bool hosts_is_last_use(const struct translator *c, uint8_t guest);

/* Makes the host register free of guests. */
void hosts_clear(struct translator *c, uint8_t host);

/* A function has been called, with everything in the hart: registers that it may change are only there. */
void hosts_forget_called(struct translator *c);

static inline void hosts_unlock(struct translator *c)
{
	c->locked = 0;
}

/* A place for an operand that is not constant. */
static inline struct x86_place operand_place(const struct operand *o)
{
	return o->kind == OPERAND_HOST ? x86_in(o->host) : register_in_hart(o->guest);
}

/* ---- Steps (translate_steps.c) ---- */

/* Code for the step c->step. */
void translate_step(struct translator *c);

/* A stub that the jump at `site` leads to, with the registers as they are now. */
struct stub *translate_add_stub(struct translator *c, enum stub_kind kind, uint32_t site, uint32_t give_back);

/* An edge from the jump at `site`. */
void translate_add_edge(struct translator *c, uint32_t site, uint32_t target, uint32_t give_back);

#endif
