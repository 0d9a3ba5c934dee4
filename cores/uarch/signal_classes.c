#include "cores/uarch/signal_classes_internal.h"

/* An instruction, as far as its uops have been seen. */
struct instruction {
	unsigned nr_uops, nr_loads, nr_stores;
	uint64_t fp_read, fp_written; /* registers from 32 on, read before it has written them */
	uint32_t fp_writers;	      /* classes of the uops that wrote one, a bit each */
	uint8_t class;
	bool is_open; /* no uop so far does more than an access */
	bool first_writes_fp;
};

static bool is_fp_register(unsigned reg)
{
	return reg >= 32 && reg < NR_INSN_REGISTERS;
}

static bool writes_fp_register(const struct uop *u)
{
	return u->destination != NO_REGISTER && is_fp_register(u->destination);
}

static void add_uop(struct instruction *in, const struct uop *u)
{
	bool is_load = u->class == INSN_LOAD, is_store = u->class == INSN_STORE;
	in->nr_uops++;
	in->nr_loads += is_load;
	in->nr_stores += is_store;
	for (unsigned n = 0; n < MAX_SOURCES; n++)
		if (is_fp_register(u->source[n]))
			in->fp_read |= UINT64_C(1) << (u->source[n] - 32) & ~in->fp_written;
	if (writes_fp_register(u)) {
		in->fp_written |= UINT64_C(1) << (u->destination - 32);
		in->fp_writers |= 1u << u->class;
	}
	if (u->flags & UOP_BRANCH || (in->is_open && !is_load && !is_store)) {
		in->class = u->class;
		in->is_open = false;
	}
}

static const uint8_t signal_of_class[NR_INSN_CLASSES] = {
	[INSN_ATOMIC] = SIGNAL_ATOMIC,
	[INSN_SYSTEM] = SIGNAL_SYSTEM,
	[INSN_INTEGER] = SIGNAL_ARITHMETIC,
	[INSN_BRANCH] = SIGNAL_BRANCH,
	[INSN_JUMP] = SIGNAL_JAL,
	[INSN_CALL] = SIGNAL_JAL,
	[INSN_RETURN] = SIGNAL_JALR,
	[INSN_INDIRECT_JUMP] = SIGNAL_JALR,
	[INSN_INDIRECT_CALL] = SIGNAL_JALR,
	[INSN_MULTIPLY] = SIGNAL_MULTIPLY,
	[INSN_DIVIDE] = SIGNAL_DIVIDE,
	[INSN_FP_ADD] = SIGNAL_FP_ADD,
	[INSN_FP_MULTIPLY] = SIGNAL_FP_MULTIPLY,
	[INSN_FP_MULTIPLY_ADD] = SIGNAL_FP_MADD,
	[INSN_FP_DIVIDE] = SIGNAL_FP_DIVIDE,
	[INSN_FP_CONVERT] = SIGNAL_FP_OTHER,
	[INSN_FP_OTHER] = SIGNAL_FP_OTHER,
	[INSN_FENCE] = SIGNAL_FENCE,
};
_Static_assert(SIGNAL_INSTRUCTION == 0, "an instruction of another class has no other signal");

static unsigned find_class_signal(const struct instruction *in, unsigned class, bool has_no_multiply_add)
{
	if (class == INSN_FP_MULTIPLY && has_no_multiply_add &&
	    (unsigned)__builtin_popcountll(in->fp_read) + (in->nr_loads > 0) == 3)
		return SIGNAL_FP_MADD;
	return signal_of_class[class];
}

/* `u` is its last uop. */
static uint64_t signals_of(const struct instruction *in, const struct uop *u, bool has_no_multiply_add)
{
	unsigned class = u->flags & UOP_SYSTEM ? INSN_SYSTEM : u->flags & UOP_FENCE ? INSN_FENCE : in->class;
	bool is_pair = false;
	/* An atomic of RISC-V; x86-64's PUSH from memory stores elsewhere. */
	if (in->is_open && !(u->flags & (UOP_SYSTEM | UOP_FENCE)) && in->nr_uops == 2 && in->nr_loads == 1 &&
	    u->class == INSN_STORE && u->address == u[-1].address) {
		class = INSN_ATOMIC;
		is_pair = true;
	}
	bool writes_fp = class == INSN_LOAD ? in->first_writes_fp : in->fp_writers >> class & 1;
	uint64_t signals =
		UINT64_C(1) << SIGNAL_INSTRUCTION | UINT64_C(1) << find_class_signal(in, class, has_no_multiply_add);
	is_pair |= class == INSN_ATOMIC && in->nr_loads + in->nr_stores == in->nr_uops;
	if (class == INSN_LOAD || (in->nr_loads > 0 && !is_pair))
		signals |= UINT64_C(1) << (writes_fp ? SIGNAL_FP_LOAD : SIGNAL_LOAD);
	if (class == INSN_STORE || (in->nr_stores > 0 && !is_pair))
		signals |= UINT64_C(1) << (in->fp_read ? SIGNAL_FP_STORE : SIGNAL_STORE);
	return signals;
}

/* Of an instruction of one uop, which is the usual case: neither of the system nor a fence, nor a multiplication that
 * may also add. */
static uint64_t signals_of_uop(const struct uop *u)
{
	unsigned other = signal_of_class[u->class];
	if (u->class == INSN_LOAD)
		other = writes_fp_register(u) ? SIGNAL_FP_LOAD : SIGNAL_LOAD;
	if (u->class == INSN_STORE)
		other = is_fp_register(u->source[0]) || is_fp_register(u->source[1]) || is_fp_register(u->source[2])
				? SIGNAL_FP_STORE
				: SIGNAL_STORE;
	return UINT64_C(1) << SIGNAL_INSTRUCTION | UINT64_C(1) << other;
}
_Static_assert(MAX_SOURCES == 3, "these are all");

uint64_t signals_of_instruction(const struct uop *uops, unsigned nr, bool has_no_multiply_add)
{
	if (nr == 1 && !(uops->flags & (UOP_SYSTEM | UOP_FENCE)) && uops->class != INSN_FP_MULTIPLY)
		return signals_of_uop(uops);
	struct instruction in = {.class = uops->class, .is_open = true, .first_writes_fp = writes_fp_register(uops)};
	for (unsigned i = 0; i < nr; i++)
		add_uop(&in, &uops[i]);
	return signals_of(&in, &uops[nr - 1], has_no_multiply_add);
}
