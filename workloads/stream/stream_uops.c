#include "workloads/stream/stream_uops.h"

#include <string.h>

#define X86_FLAGS 16u

/* Registers in the order in which a uop reads them, each once, up to MAX_SOURCES. */
struct sources {
	uint8_t reg[MAX_SOURCES];
	unsigned nr;
};

static inline void add_source(struct sources *s, uint8_t reg)
{
	if (reg == NO_REGISTER || s->nr == MAX_SOURCES)
		return;
	for (unsigned i = 0; i < s->nr; i++)
		if (s->reg[i] == reg)
			return;
	s->reg[s->nr++] = reg;
}

static inline void add_sources(struct sources *s, const uint8_t from[MAX_SOURCES])
{
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		add_source(s, from[i]);
}

/* A uop without access and registers but for these. */
static inline struct uop *add_uop(struct uop_batch *b, const struct insn *in, enum insn_class class,
				  const struct sources *s, uint8_t destination)
{
	struct uop *u = &b->uops[b->nr++];
	*u = (struct uop){.pc = in->pc,
			  .class = (uint8_t) class,
			  .length = in->length,
			  .source = {NO_REGISTER, NO_REGISTER, NO_REGISTER},
			  .destination = destination};
	for (unsigned i = 0; s && i < s->nr; i++)
		u->source[i] = s->reg[i];
	return u;
}

static inline void set_access(struct uop *u, const struct access *a)
{
	u->address = a->address;
	u->bytes = (uint16_t)a->bytes;
}

static bool is_fp(enum insn_class class)
{
	switch (class) {
	case INSN_FP_ADD:
	case INSN_FP_MULTIPLY:
	case INSN_FP_DIVIDE:
	case INSN_FP_CONVERT:
	case INSN_FP_OTHER:
	case INSN_FP_MULTIPLY_ADD:
	case INSN_VECTOR:
		return true;
	default:
		return false;
	}
}

static inline bool is_integer_source(uint8_t reg)
{
	return reg < 32 && reg != X86_FLAGS;
}

/* What an address is made of: integer sources but the destination, which is mostly an operand; of an instruction that
 * has no others, that too. */
static struct sources address_sources(const struct insn *in)
{
	struct sources s = {.nr = 0};
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		if (is_integer_source(in->source[i]) && in->source[i] != in->destination)
			add_source(&s, in->source[i]);
	for (unsigned i = 0; s.nr == 0 && i < MAX_SOURCES; i++)
		if (is_integer_source(in->source[i]))
			add_source(&s, in->source[i]);
	return s;
}

/* Whether the destination is a stack pointer that is updated without a uop, or there is none to write. */
static bool writes_nothing(enum insn_class class)
{
	return class == INSN_STORE || class == INSN_CALL || class == INSN_INDIRECT_CALL || class == INSN_RETURN;
}

/* Loads, then what is computed, then stores. */
static void add_general(const struct executed *e, struct uop_batch *b)
{
	const struct insn *in = e->instruction;
	enum insn_class class = (enum insn_class)in->class;
	bool is_load = class == INSN_LOAD;
	struct sources own = {.nr = 0}, address = {.nr = 0}, loaded = {.nr = 0};
	uint8_t result = NO_REGISTER, temporary = is_fp(class) ? FP_TEMPORARY : INTEGER_TEMPORARY;
	unsigned nr_loads = 0, nr_stores = 0;
	add_sources(&own, in->source);
	if (!is_load)
		address = address_sources(in);
	for (unsigned i = 0; i < e->nr_accesses; i++) {
		if (e->accesses[i].is_store)
			continue;
		bool has_registers = nr_loads < MAX_TEMPORARIES;
		uint8_t to = is_load ? in->destination : (uint8_t)(temporary + nr_loads);
		nr_loads++;
		set_access(add_uop(b, in, INSN_LOAD, has_registers ? is_load ? &own : &address : NULL,
				   has_registers ? to : NO_REGISTER),
			   &e->accesses[i]);
		if (has_registers && !is_load)
			add_source(&loaded, to);
	}
	if ((!is_load && class != INSN_STORE) || e->nr_accesses == 0) {
		struct sources s = loaded;
		for (unsigned i = 0; i < own.nr; i++)
			if (nr_loads == 0 || !memchr(address.reg, own.reg[i], address.nr))
				add_source(&s, own.reg[i]);
		add_sources(&s, in->source);
		result = writes_nothing(class) ? NO_REGISTER : in->destination;
		add_uop(b, in, class, &s, result);
		loaded.nr = result == NO_REGISTER ? loaded.nr : 0;
	}
	add_source(&loaded, result);
	add_sources(&loaded, in->source);
	for (unsigned i = 0; i < e->nr_accesses; i++)
		if (e->accesses[i].is_store)
			set_access(
				add_uop(b, in, INSN_STORE, nr_stores++ < MAX_TEMPORARIES ? &loaded : NULL, NO_REGISTER),
				&e->accesses[i]);
}

/* An atomic of RISC-V: a load, a store, or a load and then a store. */
static void add_atomic(const struct executed *e, struct uop_batch *b)
{
	const struct insn *in = e->instruction;
	struct sources s = {.nr = 0}, stored = {.nr = 0};
	add_sources(&s, in->source);
	bool is_both = e->nr_accesses == 2;
	uint8_t to = is_both && in->destination == NO_REGISTER ? INTEGER_TEMPORARY : in->destination;
	struct uop *u = add_uop(b, in, is_both || !e->accesses[0].is_store ? INSN_LOAD : INSN_STORE, &s, to);
	set_access(u, &e->accesses[0]);
	if (!is_both)
		return;
	add_source(&stored, to);
	add_sources(&stored, in->source);
	set_access(add_uop(b, in, INSN_STORE, &stored, NO_REGISTER), &e->accesses[1]);
}

static void mark_branch(const struct executed *e, struct uop *first, struct uop *end)
{
	const struct insn *in = e->instruction;
	/* What is neither way is a signal's handler; where the program goes on later is not known here. */
	bool is_interrupted = e->taken && insn_has_target((enum insn_class)in->class) && e->next_pc != in->target;
	while (first->class != in->class && first + 1 < end)
		first++;
	first->flags |= UOP_BRANCH;
	first->next_pc = is_interrupted ? 0 : e->next_pc;
	if (e->taken && !is_interrupted)
		first->flags |= UOP_TAKEN;
}

void stream_uops_add(enum machine machine, const struct executed *e, struct uop_batch *batch)
{
	const struct insn *in = e->instruction;
	struct uop *first = &batch->uops[batch->nr];
	bool is_pair = e->nr_accesses == 2 && !e->accesses[0].is_store && e->accesses[1].is_store;
	if (machine == MACHINE_RV64 && in->class == INSN_ATOMIC && (e->nr_accesses == 1 || is_pair))
		add_atomic(e, batch);
	else
		add_general(e, batch);
	struct uop *end = &batch->uops[batch->nr];
	first->flags |= UOP_FIRST;
	end[-1].flags |= UOP_LAST;
	if (__builtin_expect(in->class == INSN_SYSTEM || in->class == INSN_FENCE, 0))
		for (struct uop *u = first; u < end; u++)
			u->flags |= in->class == INSN_SYSTEM ? UOP_SYSTEM : UOP_FENCE;
	if (insn_is_branch((enum insn_class)in->class))
		mark_branch(e, first, end);
	batch->nr_instructions++;
}

enum sahm_status stream_uops_read(struct stream *s, uint64_t max, struct uop_batch *batch, struct sahm_err *err)
{
	struct executed e;
	bool more = true;
	enum machine machine = stream_machine(s);
	batch->nr = batch->nr_instructions = batch->nr_prefetches = 0;
	while (batch->nr + MAX_INSN_UOPS <= BATCH_UOPS && batch->nr_instructions < max) {
		enum sahm_status status = stream_next(s, &e, &more, err);
		if (status != SAHM_OK)
			return status;
		if (!more)
			break;
		stream_uops_add(machine, &e, batch);
	}
	return SAHM_OK;
}
