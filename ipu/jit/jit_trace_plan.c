/* What a trace's steps need: constants, checks of addresses, rotations, and who uses a register next. */
#include <stdlib.h>
#include <string.h>

#include "ipu/core/results_internal.h"
#include "ipu/jit/jit_trace_internal.h"

/* Offsets from one value that a check is made for at most, and how far rotations are looked for. */
#define MOST_SPREAD 4096
#define MOST_DELTA (1 << 20)
#define ROTATION_STEPS 16u

/* Constants. */
struct constants {
	uint32_t known;
	uint32_t value[NR_REGISTERS];
};

static bool is_known(const struct constants *c, uint8_t reg)
{
	return c->known >> reg & 1;
}

static void set_constant(struct constants *c, struct step *s, uint32_t value)
{
	s->operation = s->rd ? STEP_CONSTANT : STEP_NOTHING;
	s->imm = (int32_t)value;
	s->rs1 = s->rs2 = 0;
	if (s->rd) {
		c->known |= UINT32_C(1) << s->rd;
		c->value[s->rd] = value;
	}
}

/* The result of an operation that has one, for constants. */
static bool compute(unsigned operation, uint32_t a, uint32_t b, uint32_t imm, uint32_t *result)
{
	switch (operation) {
#define REGISTERS(name)                                                                                                \
	case OPERATION_##name:                                                                                         \
		*result = (uint32_t)(RESULT_##name(a, b));                                                             \
		return true;
#define IMMEDIATE(name)                                                                                                \
	case OPERATION_##name:                                                                                         \
		*result = (uint32_t)(RESULT_##name(a, imm));                                                           \
		return true;
		REGISTERS(add)
		REGISTERS(sub)
		REGISTERS(sll)
		REGISTERS(slt)
		REGISTERS(sltu)
		REGISTERS(xor)
		REGISTERS(srl)
		REGISTERS(sra)
		REGISTERS(or)
		REGISTERS(and)
		REGISTERS(mul)
		REGISTERS(mulh)
		REGISTERS(mulhsu)
		REGISTERS(mulhu)
		REGISTERS(div)
		REGISTERS(divu)
		REGISTERS(rem)
		REGISTERS(remu)
		REGISTERS(hash)
		IMMEDIATE(addi)
		IMMEDIATE(slti)
		IMMEDIATE(sltiu)
		IMMEDIATE(xori)
		IMMEDIATE(ori)
		IMMEDIATE(andi)
		IMMEDIATE(slli)
		IMMEDIATE(srli)
		IMMEDIATE(srai)
#undef IMMEDIATE
#undef REGISTERS
	default:
		return false;
	}
}

static void find_constants(struct trace *t, const struct code *code)
{
	struct constants c = {.known = 1};
	for (uint32_t i = 0; i < t->nr_steps; i++) {
		struct step *s = &t->steps[i];
		uint32_t pc = code->base + 2 * s->slot, reads = step_reads(s), result;
		bool is_indirect = s->operation == OPERATION_jalr && i == t->nr_steps - 1 && t->next == TRACE_NO_SLOT;
		/* An address that is known takes the place of one that has to be computed. */
		if (step_is_access(s) && is_known(&c, s->rs1)) {
			s->imm = (int32_t)((uint32_t)s->imm + c.value[s->rs1]);
			s->rs1 = 0;
		}
		if (s->operation == OPERATION_jal || (s->operation == OPERATION_jalr && !is_indirect))
			set_constant(&c, s, pc + 2 * s->nr_slots);
		else if (s->operation == OPERATION_lui)
			set_constant(&c, s, (uint32_t)s->imm);
		else if (s->operation == OPERATION_auipc)
			set_constant(&c, s, pc + (uint32_t)s->imm);
		else if ((reads & ~c.known) == 0 &&
			 compute(s->operation, c.value[s->rs1], c.value[s->rs2], (uint32_t)s->imm, &result))
			set_constant(&c, s, result);
		else if (s->rd)
			c.known &= ~(UINT32_C(1) << s->rd);
	}
}

/* Values of registers as distances from others: the value of a register is root + delta. */
struct origin {
	uint32_t root;
	int32_t delta;
};

struct roots {
	struct origin of[NR_REGISTERS];
	uint32_t nr;
	/* The step that has checked addresses from here, TRACE_NEVER: none; and the delta of its register then. For
	 * loads, and for stores where they have another window: else what is good for one is so for the other. */
	uint16_t checked_by[2][NR_REGISTERS + TRACE_MOST_STEPS];
	int32_t checked_delta[2][NR_REGISTERS + TRACE_MOST_STEPS];
};

static void new_root(struct roots *r, uint8_t reg)
{
	r->of[reg] = (struct origin){r->nr, 0};
	r->checked_by[0][r->nr] = r->checked_by[1][r->nr] = TRACE_NEVER;
	r->nr++;
}

static void write_register(struct roots *r, const struct step *s)
{
	if (!s->rd)
		return;
	if (s->operation == OPERATION_addi && s->rs1) {
		struct origin o = r->of[s->rs1];
		o.delta += s->imm;
		if (abs(o.delta) < MOST_DELTA) {
			r->of[s->rd] = o;
			return;
		}
	}
	if (s->operation == OPERATION_add && (!s->rs1 || !s->rs2)) {
		r->of[s->rd] = r->of[s->rs1 | s->rs2];
		return;
	}
	new_root(r, s->rd);
}

/* Whether the check of step `c` can also see to an access of 1 << log bytes at `low`, counted as its own low is. */
static bool extend_check(struct step *c, int32_t low, unsigned log, bool is_store, bool traps)
{
	int32_t high = low + (1 << log), new_low = low < c->low ? low : c->low,
		new_high = high > c->high ? high : c->high;
	if (new_high - new_low > MOST_SPREAD)
		return false;
	if (traps) {
		unsigned less = log < c->log_align ? log : c->log_align;
		if ((low - c->align_at) & ((1 << less) - 1))
			return false;
		if (log > c->log_align) {
			c->log_align = (uint8_t)log;
			c->align_at = low;
		}
	}
	c->low = new_low;
	c->high = new_high;
	c->checks_stores |= is_store;
	c->is_shared = true;
	return true;
}

static bool is_inside(const struct hart_window *w, uint32_t address, unsigned log)
{
	uint32_t at = address - w->base;
	return at < w->limit[0] && (UINT32_C(1) << log) <= w->limit[0] - at;
}

static void plan_access(struct trace *t, uint32_t i, struct roots *r, const struct hart *like)
{
	struct step *s = &t->steps[i];
	unsigned log = operation_log_bytes((enum operation)s->operation);
	bool is_store = step_is_store(s);
	const struct hart_window *w = is_store ? &like->stores : &like->loads;
	if (!s->rs1) {
		uint32_t address = (uint32_t)s->imm;
		bool is_aligned = !like->traps_misaligned || (address & ((1u << log) - 1)) == 0;
		s->access = is_inside(w, address, log) && is_aligned ? ACCESS_CONSTANT : ACCESS_OUTSIDE;
		return;
	}
	struct origin o = r->of[s->rs1];
	bool is_apart =
		is_store && (like->stores.base != like->loads.base || like->stores.limit[0] != like->loads.limit[0]);
	uint16_t by = r->checked_by[is_apart][o.root];
	int32_t low = o.delta - (by == TRACE_NEVER ? 0 : r->checked_delta[is_apart][o.root]) + s->imm;
	if (by != TRACE_NEVER && extend_check(&t->steps[by], low, log, is_store, like->traps_misaligned)) {
		s->access = ACCESS_COVERED;
		return;
	}
	s->access = ACCESS_CHECKED;
	s->low = s->align_at = s->imm;
	s->high = s->imm + (1 << log);
	s->log_align = (uint8_t)(like->traps_misaligned ? log : 0);
	s->checks_stores = is_store;
	r->checked_by[is_apart][o.root] = (uint16_t)i;
	r->checked_delta[is_apart][o.root] = o.delta;
}

static void plan_accesses(struct trace *t, const struct hart *like)
{
	struct roots r = {.nr = 0};
	bool has_inputs = false;
	for (uint8_t g = 0; g < NR_REGISTERS; g++)
		new_root(&r, g);
	for (uint32_t i = 0; i < t->nr_steps; i++) {
		struct step *s = &t->steps[i];
		if (step_is_access(s)) {
			plan_access(t, i, &r, like);
		} else if (s->operation == OPERATION_input_low || s->operation == OPERATION_input_high) {
			s->access = has_inputs ? ACCESS_COVERED : ACCESS_CHECKED;
			has_inputs = true;
		}
		write_register(&r, s);
	}
}

static bool can_exit(const struct trace *t, uint32_t i)
{
	const struct step *s = &t->steps[i];
	if (step_is_access(s))
		return s->access == ACCESS_CHECKED || s->access == ACCESS_OUTSIDE;
	if (s->operation == OPERATION_input_low || s->operation == OPERATION_input_high)
		return s->access == ACCESS_CHECKED;
	return step_is_branch(s) || s->operation == OPERATION_jalr;
}

/* Whether no step after `last`, which reads it, needs the value that step `from` would have put into `reg`. */
static bool is_missed(const struct trace *t, uint32_t from, uint32_t last, uint8_t reg)
{
	for (uint32_t i = from + 1; i < t->nr_steps; i++) {
		const struct step *s = &t->steps[i];
		if (can_exit(t, i) || (i != last && step_reads(s) >> reg & 1))
			return true;
		if (i >= last && s->rd == reg)
			return false;
		if (i < last && s->rd == reg)
			return true;
	}
	return true;
}

static bool combines(const struct step *s, uint8_t a, uint8_t b)
{
	bool joins = s->operation == OPERATION_or || s->operation == OPERATION_add || s->operation == OPERATION_xor;
	return joins && s->rd && ((s->rs1 == a && s->rs2 == b) || (s->rs1 == b && s->rs2 == a));
}

/* Makes a rotation of two shifts, of which `i` is the first, if they are one. */
static void find_rotation(struct trace *t, uint32_t i)
{
	struct step *first = &t->steps[i], *second = NULL;
	uint32_t end = i + ROTATION_STEPS < t->nr_steps ? i + ROTATION_STEPS : t->nr_steps, at = 0;
	bool is_left = first->operation == OPERATION_slli;
	uint8_t source = first->rs1;
	if ((!is_left && first->operation != OPERATION_srli) || !first->rd || first->rd == source || !source)
		return;
	for (uint32_t k = i + 1; k < end; k++) {
		struct step *s = &t->steps[k];
		if (!second && s->operation == (is_left ? OPERATION_srli : OPERATION_slli) && s->rs1 == source &&
		    (s->imm & 31) + (first->imm & 31) == 32 && s->rd && s->rd != source && s->rd != first->rd) {
			second = s;
			at = k;
		} else if (second && combines(s, first->rd, second->rd)) {
			if (is_missed(t, i, k, first->rd) || is_missed(t, at, k, second->rd))
				return;
			s->operation = STEP_ROTATE;
			s->imm = (is_left ? first : second)->imm & 31;
			s->rs1 = source;
			s->rs2 = 0;
			*first = (struct step){.slot = first->slot,
					       .exit_slot = TRACE_NO_SLOT,
					       .operation = STEP_NOTHING,
					       .nr_slots = first->nr_slots};
			*second = (struct step){.slot = second->slot,
						.exit_slot = TRACE_NO_SLOT,
						.operation = STEP_NOTHING,
						.nr_slots = second->nr_slots};
			return;
		}
		if (s->rd == source || can_exit(t, k))
			return;
	}
}

static void look_ahead(struct trace *t)
{
	for (uint32_t i = t->nr_steps; i-- > 0;) {
		const struct step *s = &t->steps[i];
		uint32_t reads = step_reads(s);
		memcpy(t->next_read[i], t->next_read[i + 1], sizeof(t->next_read[i]));
		memcpy(t->next_write[i], t->next_write[i + 1], sizeof(t->next_write[i]));
		t->next_exit[i] = can_exit(t, i) ? (uint16_t)i : t->next_exit[i + 1];
		if (s->rd)
			t->next_write[i][s->rd] = (uint16_t)i;
		for (uint8_t g = 1; g < NR_REGISTERS; g++)
			if (reads >> g & 1)
				t->next_read[i][g] = (uint16_t)i;
	}
}

void trace_plan(struct trace *t, const struct code *code, const struct hart *like)
{
	uint32_t nr = t->nr_steps;
	find_constants(t, code);
	plan_accesses(t, like);
	for (uint32_t i = 0; i + 2 < nr; i++)
		find_rotation(t, i);
	t->next_exit[nr] = (uint16_t)nr;
	for (unsigned g = 0; g < NR_REGISTERS; g++) {
		t->next_read[nr][g] = t->is_loop ? TRACE_NEVER : (uint16_t)(nr + TRACE_SOON);
		t->next_write[nr][g] = TRACE_NEVER;
	}
	look_ahead(t);
	if (!t->is_loop)
		return;
	for (unsigned g = 0; g < NR_REGISTERS; g++) {
		t->next_read[nr][g] =
			t->next_read[0][g] == TRACE_NEVER ? TRACE_NEVER : (uint16_t)(t->next_read[0][g] + nr);
		t->next_write[nr][g] =
			t->next_write[0][g] == TRACE_NEVER ? TRACE_NEVER : (uint16_t)(t->next_write[0][g] + nr);
	}
	look_ahead(t);
}
