#include "workloads/stream/stream_uops.h"

#include <string.h>

#include "workloads/stream/stream_reader_internal.h"

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

/* Registers that an address is made of: the integer sources but the destination, which is mostly an operand. If none is
 * left, that too. */
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

/* What the uop that computes writes. On x86-64 pushes, calls and returns update the stack pointer without a uop. */
static uint8_t result_of(enum machine machine, const struct insn *in)
{
	bool is_stack_update = in->class == INSN_STORE || in->class == INSN_CALL || in->class == INSN_INDIRECT_CALL ||
			       in->class == INSN_RETURN;
	return machine == MACHINE_X86_64 && is_stack_update ? NO_REGISTER : in->destination;
}

/* Loads, then what is computed, then stores. Kept out of the way of instructions of one uop. */
__attribute__((noinline)) static void add_general(enum machine machine, const struct executed *e, struct uop_batch *b)
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
		result = result_of(machine, in);
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
__attribute__((noinline)) static void add_atomic(const struct executed *e, struct uop_batch *b)
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

/* Of the uop that resolves the branch, whose class is the instruction's. */
static inline void mark_branch(const struct executed *e, struct uop *u)
{
	const struct insn *in = e->instruction;
	while (u->class != in->class)
		u++;
	u->flags |= UOP_BRANCH;
	/* A branch that goes neither way was interrupted by a signal's handler: its outcome is not known here. */
	if (e->taken && insn_has_target((enum insn_class)in->class) && e->next_pc != in->target)
		return;
	u->next_pc = e->next_pc;
	u->flags |= e->taken ? UOP_TAKEN : 0;
}

/* Length, class, sources and destination are neighbours in both. */
#define UOP_INSN_BYTES (offsetof(struct uop, flags) - offsetof(struct uop, length))
_Static_assert(UOP_INSN_BYTES == 6 && offsetof(struct insn, destination) == offsetof(struct insn, length) + 5 &&
		       offsetof(struct insn, source) - offsetof(struct insn, length) ==
			       offsetof(struct uop, source) - offsetof(struct uop, length) &&
		       offsetof(struct insn, class) - offsetof(struct insn, length) == 1,
	       "equal members");

/* Instructions of one uop, which are most: those without access, loads and stores. */
static inline bool add_simple(enum machine machine, const struct executed *e, struct uop_batch *b)
{
	const struct insn *in = e->instruction;
	uint8_t destination = in->destination;
	if (e->nr_accesses == 0)
		destination = result_of(machine, in);
	else if (e->nr_accesses > 1 || in->class != (e->accesses->is_store ? INSN_STORE : INSN_LOAD))
		return false;
	else if (e->accesses->is_store)
		destination = NO_REGISTER;
	struct uop *u = &b->uops[b->nr++];
	*u = (struct uop){.pc = in->pc};
	/* Six members at once: this is done for each instruction of a stream. */
	memcpy(&u->length, &in->length, UOP_INSN_BYTES);
	u->destination = destination;
	if (e->nr_accesses > 0)
		set_access(u, e->accesses);
	return true;
}

static inline void add(enum machine machine, const struct executed *e, struct uop_batch *batch)
{
	const struct insn *in = e->instruction;
	struct uop *first = &batch->uops[batch->nr];
	if (!add_simple(machine, e, batch)) {
		bool is_pair = e->nr_accesses == 2 && !e->accesses[0].is_store && e->accesses[1].is_store;
		if (machine == MACHINE_RV64 && in->class == INSN_ATOMIC && (e->nr_accesses == 1 || is_pair))
			add_atomic(e, batch);
		else
			add_general(machine, e, batch);
	}
	struct uop *end = &batch->uops[batch->nr];
	first->flags |= UOP_FIRST;
	end[-1].flags |= UOP_LAST;
	if (__builtin_expect(in->class == INSN_SYSTEM || in->class == INSN_FENCE, 0))
		for (struct uop *u = first; u < end; u++)
			u->flags |= in->class == INSN_SYSTEM ? UOP_SYSTEM : UOP_FENCE;
	if (insn_is_branch((enum insn_class)in->class))
		mark_branch(e, first);
	batch->nr_instructions++;
}

void stream_uops_add(enum machine machine, const struct executed *e, struct uop_batch *batch)
{
	add(machine, e, batch);
}

enum sahm_status stream_uops_read(struct stream *s, uint64_t max, struct uop_batch *batch, struct sahm_err *err)
{
	struct executed e;
	bool more = true;
	enum machine machine = stream_machine(s);
	batch->nr = batch->nr_instructions = batch->nr_prefetches = 0;
	while (batch->nr + MAX_INSN_UOPS <= BATCH_UOPS && batch->nr_instructions < max) {
		enum sahm_status status = stream_step(s, &e, &more, err);
		if (status != SAHM_OK)
			return status;
		if (!more)
			break;
		add(machine, &e, batch);
	}
	return SAHM_OK;
}
