/* Forming traces. */
#include "ipu/jit/jit_trace_internal.h"

#define MOST_CALLS 8u

/* How the operands of a slot's operation are laid out. */
enum shape {
	SHAPE_NONE, /* cannot be translated */
	SHAPE_NOTHING,
	SHAPE_UPPER, /* rd, imm */
	SHAPE_JAL,
	SHAPE_JALR,   /* rd, rs1, imm */
	SHAPE_BRANCH, /* rs1, rs2, imm: distance */
	SHAPE_LOAD,   /* rd, rs1, imm */
	SHAPE_STORE,  /* rs1, rs2, imm */
	SHAPE_IMMEDIATE,
	SHAPE_REGISTER, /* rd, rs1, rs2 */
	SHAPE_INPUT	/* rd, imm: number */
};

static const uint8_t shapes[NR_OPERATIONS] = {
	[OPERATION_lui] = SHAPE_UPPER,	      [OPERATION_auipc] = SHAPE_UPPER,	  [OPERATION_jal] = SHAPE_JAL,
	[OPERATION_jalr] = SHAPE_JALR,	      [OPERATION_beq] = SHAPE_BRANCH,	  [OPERATION_bne] = SHAPE_BRANCH,
	[OPERATION_blt] = SHAPE_BRANCH,	      [OPERATION_bge] = SHAPE_BRANCH,	  [OPERATION_bltu] = SHAPE_BRANCH,
	[OPERATION_bgeu] = SHAPE_BRANCH,      [OPERATION_lb] = SHAPE_LOAD,	  [OPERATION_lh] = SHAPE_LOAD,
	[OPERATION_lw] = SHAPE_LOAD,	      [OPERATION_lbu] = SHAPE_LOAD,	  [OPERATION_lhu] = SHAPE_LOAD,
	[OPERATION_sb] = SHAPE_STORE,	      [OPERATION_sh] = SHAPE_STORE,	  [OPERATION_sw] = SHAPE_STORE,
	[OPERATION_addi] = SHAPE_IMMEDIATE,   [OPERATION_slti] = SHAPE_IMMEDIATE, [OPERATION_sltiu] = SHAPE_IMMEDIATE,
	[OPERATION_xori] = SHAPE_IMMEDIATE,   [OPERATION_ori] = SHAPE_IMMEDIATE,  [OPERATION_andi] = SHAPE_IMMEDIATE,
	[OPERATION_slli] = SHAPE_IMMEDIATE,   [OPERATION_srli] = SHAPE_IMMEDIATE, [OPERATION_srai] = SHAPE_IMMEDIATE,
	[OPERATION_add] = SHAPE_REGISTER,     [OPERATION_sub] = SHAPE_REGISTER,	  [OPERATION_sll] = SHAPE_REGISTER,
	[OPERATION_slt] = SHAPE_REGISTER,     [OPERATION_sltu] = SHAPE_REGISTER,  [OPERATION_xor] = SHAPE_REGISTER,
	[OPERATION_srl] = SHAPE_REGISTER,     [OPERATION_sra] = SHAPE_REGISTER,	  [OPERATION_or] = SHAPE_REGISTER,
	[OPERATION_and] = SHAPE_REGISTER,     [OPERATION_mul] = SHAPE_REGISTER,	  [OPERATION_mulh] = SHAPE_REGISTER,
	[OPERATION_mulhsu] = SHAPE_REGISTER,  [OPERATION_mulhu] = SHAPE_REGISTER, [OPERATION_div] = SHAPE_REGISTER,
	[OPERATION_divu] = SHAPE_REGISTER,    [OPERATION_rem] = SHAPE_REGISTER,	  [OPERATION_remu] = SHAPE_REGISTER,
	[OPERATION_nop] = SHAPE_NOTHING,      [OPERATION_hash] = SHAPE_REGISTER,  [OPERATION_input_low] = SHAPE_INPUT,
	[OPERATION_input_high] = SHAPE_INPUT,
};

static enum shape shape_of(const struct step *s)
{
	return s->operation < NR_OPERATIONS ? (enum shape)shapes[s->operation] : SHAPE_NONE;
}

bool step_is_branch(const struct step *s)
{
	return shape_of(s) == SHAPE_BRANCH;
}

bool step_is_store(const struct step *s)
{
	return shape_of(s) == SHAPE_STORE;
}

bool step_is_access(const struct step *s)
{
	return step_is_store(s) || shape_of(s) == SHAPE_LOAD;
}

uint32_t step_reads(const struct step *s)
{
	uint32_t first = UINT32_C(1) << s->rs1, second = UINT32_C(1) << s->rs2;
	switch (shape_of(s)) {
	case SHAPE_JALR:
	case SHAPE_LOAD:
	case SHAPE_IMMEDIATE:
		return first & ~UINT32_C(1);
	case SHAPE_BRANCH:
	case SHAPE_STORE:
	case SHAPE_REGISTER:
		return (first | second) & ~UINT32_C(1);
	default:
		return s->operation == STEP_ROTATE ? first & ~UINT32_C(1) : 0;
	}
}

/* Takes the slot apart. False: it is not decoded, or nothing that can be translated. */
static bool read_slot(const struct code *code, uint32_t slot, struct step *s)
{
	const struct slot *from = &code->slots[slot];
	const struct executor_row *row = &executor_rows[from->executor % CHAINED];
	if (row->operation == NR_OPERATIONS)
		return false;
	*s = (struct step){
		.slot = slot, .exit_slot = TRACE_NO_SLOT, .operation = row->operation, .nr_slots = row->nr_slots};
	uint8_t rd = slot_rd(from) % NOWHERE;
	switch (shape_of(s)) {
	case SHAPE_NONE:
		return false;
	case SHAPE_NOTHING:
		s->operation = STEP_NOTHING;
		return true;
	case SHAPE_UPPER:
		s->rd = rd;
		s->imm = (int32_t)(from->operands & 0xfffff000u);
		return true;
	case SHAPE_JAL:
		s->rd = rd;
		s->imm = (int32_t)from->operands >> 8;
		return true;
	case SHAPE_BRANCH:
	case SHAPE_STORE:
		s->rs1 = slot_rs1(from);
		s->rs2 = rd;
		s->imm = slot_immediate(from);
		return true;
	case SHAPE_REGISTER:
		s->rd = rd;
		s->rs1 = slot_rs1(from);
		s->rs2 = (uint8_t)slot_rs2(from);
		return true;
	case SHAPE_INPUT:
		s->rd = rd;
		s->imm = (int32_t)(slot_rs2(from) & (NR_INPUTS - 1));
		return true;
	case SHAPE_JALR:
	case SHAPE_LOAD:
	case SHAPE_IMMEDIATE:
		s->rd = rd;
		s->rs1 = slot_rs1(from);
		s->imm = slot_immediate(from);
		return true;
	}
	return false;
}

/* Whether a branch or jump leads out of the code: such slots have separate executors. */
static bool leads_out(const struct code *code, uint32_t slot)
{
	switch (executor_rows[code->slots[slot].executor % CHAINED].alone) {
#define WIDE(name)                                                                                                     \
	case EXECUTOR_##name##_4:                                                                                      \
		return true;
#define BOTH(name)                                                                                                     \
	case EXECUTOR_##name##_2:                                                                                      \
		WIDE(name)
#define OUTWARD(name, sizes) sizes(name##_out)
#include "ipu/core/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
	default:
		return false;
	}
}

bool trace_can_hold(const struct code *code, uint32_t slot)
{
	struct step s;
	return read_slot(code, slot, &s) && !leads_out(code, slot);
}

/* Return addresses known while a path is followed: return addresses. */
struct walk {
	const struct code *code;
	const uint32_t *table;
	uint32_t link_known; /* registers that hold the address of the slot in link[] */
	uint32_t link[NR_REGISTERS];
	uint32_t nr_calls, depth; /* calls followed in all, and those that have not returned */
};

static bool is_on_path(const struct trace *t, uint32_t slot)
{
	for (uint32_t i = 0; i < t->nr_steps; i++)
		if (t->steps[i].slot == slot)
			return true;
	return false;
}

static bool is_decoded(const struct walk *w, uint32_t slot)
{
	return slot < code_nr_slots(w->code) && w->code->slots[slot].executor != EXECUTOR_undecoded;
}

/* Whether the branch at the end of the path is expected to be taken: as it was more often so far. */
static bool expect_taken(const struct walk *w, uint32_t taken, uint32_t not_taken)
{
	uint32_t heat_taken = w->table[taken], heat = w->table[not_taken];
	if (!is_decoded(w, taken) || !is_decoded(w, not_taken))
		return !is_decoded(w, not_taken) && is_decoded(w, taken);
	return heat_taken < TRACE_HEATS && heat < TRACE_HEATS && heat_taken > heat;
}

/* Follows the step that was added last. Returns the next slot, or TRACE_NO_SLOT where the path ends; `t->next` is set
 * then. */
static uint32_t follow(struct trace *t, struct walk *w)
{
	struct step *s = &t->steps[t->nr_steps - 1];
	uint32_t behind = s->slot + s->nr_slots, target = s->slot + (uint32_t)s->imm;
	bool knows = s->operation == OPERATION_jalr && w->link_known >> s->rs1 & 1 && s->imm == 0;
	uint32_t known = knows ? w->link[s->rs1] : TRACE_NO_SLOT;
	/* A call at the very end would return to where there is no code. */
	if (known >= code_nr_slots(w->code))
		known = TRACE_NO_SLOT;
	w->link_known &= ~(UINT32_C(1) << s->rd);
	switch (shape_of(s)) {
	case SHAPE_BRANCH: {
		bool is_backward = (int32_t)s->imm <= 0;
		bool goes = target != t->head && !is_backward && expect_taken(w, target, behind);
		s->exits_if_taken = !goes;
		s->exit_slot = goes ? behind : target;
		t->is_loop |= target == t->head;
		t->next = goes ? target : behind;
		return is_backward ? TRACE_NO_SLOT : t->next;
	}
	case SHAPE_JAL:
		t->next = target;
		if (s->rd) {
			w->link_known |= UINT32_C(1) << s->rd;
			w->link[s->rd] = behind;
			if (w->nr_calls++ >= MOST_CALLS)
				return TRACE_NO_SLOT;
			w->depth++;
			return target;
		}
		return is_on_path(t, target) ? TRACE_NO_SLOT : target;
	case SHAPE_JALR:
		t->next = known;
		if (known != TRACE_NO_SLOT && s->rd) {
			w->link_known |= UINT32_C(1) << s->rd;
			w->link[s->rd] = behind;
		}
		if (w->depth > 0)
			w->depth--;
		return known;
	default:
		t->next = behind;
		return behind;
	}
}

/* Whether another trace begins at the slot, or will. */
static bool begins(const uint32_t *table, struct slot_set *ends, uint32_t slot)
{
	return table[slot] >= TRACE_HEATS || (ends && *slot_set_find(ends, slot));
}

void trace_form(struct trace *t, const struct code *code, const uint32_t *table, struct slot_set *ends, uint32_t head)
{
	struct walk w = {.code = code, .table = table};
	uint32_t at = head;
	t->head = head;
	t->nr_steps = 0;
	t->next = head;
	t->is_loop = false;
	while (at != TRACE_NO_SLOT && t->nr_steps < TRACE_MOST_STEPS) {
		/* Another trace goes on from here; but what is called is followed, so that its return address is known.
		 */
		if (at >= code_nr_slots(code) ||
		    (t->nr_steps > 0 && (at == head || (w.depth == 0 && begins(table, ends, at)))))
			break;
		if (!trace_can_hold(code, at))
			break;
		read_slot(code, at, &t->steps[t->nr_steps++]);
		at = follow(t, &w);
	}
	t->is_loop |= t->nr_steps > 0 && t->next == head;
}
