/* Translation of the steps of a trace to x86-64. */
#include "ipu/jit/translate_internal.h"
#include "sim/base/array.h"

struct stub *translate_add_stub(struct translator *c, enum stub_kind kind, uint32_t site, uint32_t give_back)
{
	struct stub *stub = &c->stubs[c->nr_stubs++];
	stub->kind = kind;
	stub->reason = EXIT_GO_ON;
	stub->site = site;
	stub->step = c->step;
	stub->slot = c->trace->steps[c->step].slot;
	stub->give_back = give_back;
	stub->before = c->r;
	return stub;
}

void translate_add_edge(struct translator *c, uint32_t site, uint32_t target, uint32_t give_back)
{
	struct host_translation *t = c->t;
	struct edge *edge = &t->edges[t->nr_edges++];
	edge->site = site;
	edge->target = target;
	edge->give_back = give_back;
	edge->next = 0;
	edge->from = c->r;
}

static const struct step *current(const struct translator *c)
{
	return &c->trace->steps[c->step];
}

/* Instructions of the trace that have not been executed before the current step, and after it. */
static uint32_t nr_from_here(const struct translator *c)
{
	return c->trace->nr_steps - c->step;
}

static void load_into(struct translator *c, unsigned host, const struct operand *o)
{
	if (o->kind == OPERAND_CONSTANT)
		x86_move_imm(c->e, host, o->value);
	else if (o->kind == OPERAND_HART || o->host != host)
		x86_operate(c->e, 0, X86_MOV, host, operand_place(o));
}

/* host op= operand */
static void apply(struct translator *c, unsigned opcode, unsigned digit, unsigned host, const struct operand *o)
{
	if (o->kind == OPERAND_CONSTANT)
		x86_operate_imm(c->e, 0, digit, x86_in(host), (int32_t)o->value);
	else
		x86_operate(c->e, 0, opcode, host, operand_place(o));
}

static bool is_in(const struct operand *o, unsigned host)
{
	return o->kind == OPERAND_HOST && o->host == host;
}

/* The register of an operand that nothing needs after this step. */
static uint8_t dying(const struct translator *c, const struct operand *o)
{
	return o->kind == OPERAND_HOST && hosts_is_last_use(c, o->guest) ? o->host : (uint8_t)NO_HOST;
}

static void exchange(struct operand *a, struct operand *b)
{
	struct operand other = *a;
	*a = *b;
	*b = other;
}

/* Second operands of steps: rs2 or the immediate. */
static struct operand second(struct translator *c, bool is_immediate)
{
	const struct step *s = current(c);
	if (is_immediate)
		return (struct operand){.kind = OPERAND_CONSTANT, .value = (uint32_t)s->imm};
	return hosts_use(c, s->rs2);
}

/* Sums and logic. */
static void binary(struct translator *c, unsigned opcode, unsigned digit, bool is_immediate)
{
	const struct step *s = current(c);
	bool is_symmetric = opcode != X86_SUB;
	struct operand a = hosts_use(c, s->rs1), b = second(c, is_immediate);
	if (is_symmetric && ((b.kind == OPERAND_HOST && (a.kind != OPERAND_HOST || c->r.host_of[s->rd] == b.host)) ||
			     (b.kind == OPERAND_HART && a.kind == OPERAND_CONSTANT)))
		exchange(&a, &b);
	uint8_t free_one = dying(c, &a);
	if (free_one == NO_HOST && is_symmetric && c->r.host_of[s->rd] == NO_HOST && dying(c, &b) != NO_HOST) {
		exchange(&a, &b);
		free_one = dying(c, &a);
	}
	uint8_t d = hosts_define(c, s->rd, free_one);
	if (is_in(&b, d) && !is_in(&a, d)) {
		/* A difference whose second operand is overwritten. */
		x86_operate(c->e, 0, 0xf7, 3, x86_in(d)); /* neg */
		apply(c, X86_ADD, X86_I_ADD, d, &a);
		return;
	}
	if (opcode == X86_ADD && a.kind == OPERAND_HOST && a.host != d && b.kind != OPERAND_HART) {
		if (b.kind == OPERAND_HOST)
			x86_operate(c->e, 0, X86_LEA, d, x86_indexed(a.host, b.host, 0, 0));
		else if (b.value == 0)
			load_into(c, d, &a);
		else
			x86_operate(c->e, 0, X86_LEA, d, x86_at(a.host, (int32_t)b.value));
		return;
	}
	load_into(c, d, &a);
	if (b.kind != OPERAND_CONSTANT || b.value != 0 || opcode == X86_AND)
		apply(c, opcode, digit, d, &b);
}

static void shift_imm(struct translator *c, unsigned digit, const struct operand *a, unsigned nr)
{
	uint8_t d = hosts_define(c, current(c)->rd, dying(c, a));
	if (digit == X86_S_SHL && nr >= 1 && nr <= 3 && a->kind == OPERAND_HOST && a->host != d) {
		if (nr == 1)
			x86_operate(c->e, 0, X86_LEA, d, x86_indexed(a->host, a->host, 0, 0));
		else
			x86_scale(c->e, d, a->host, nr);
		return;
	}
	load_into(c, d, a);
	if (nr)
		x86_shift(c->e, 0, digit, d, nr);
}

static void shift(struct translator *c, unsigned digit, bool is_immediate)
{
	struct operand a = hosts_use(c, current(c)->rs1), b = second(c, is_immediate);
	if (b.kind == OPERAND_CONSTANT) {
		shift_imm(c, digit, &a, b.value & 31);
		return;
	}
	if (c->t->can_shift && b.kind == OPERAND_HOST && a.kind != OPERAND_CONSTANT) {
		uint8_t d = hosts_define(c, current(c)->rd, dying(c, &a));
		x86_shift_into(c->e, digit, d, operand_place(&a), b.host);
		return;
	}
	load_into(c, RCX, &b);
	load_into(c, RAX, &a);
	x86_operate(c->e, 0, 0xd3, digit, x86_in(RAX));
	x86_operate(c->e, 0, X86_MOV, hosts_define(c, current(c)->rd, NO_HOST), x86_in(RAX));
}

static void rotate(struct translator *c)
{
	const struct step *s = current(c);
	struct operand a = hosts_use(c, s->rs1);
	uint8_t d = hosts_define(c, s->rd, dying(c, &a));
	if (c->t->can_shift && a.kind != OPERAND_CONSTANT && !is_in(&a, d)) {
		x86_rotate_into(c->e, d, operand_place(&a), 32 - (uint32_t)s->imm);
		return;
	}
	load_into(c, d, &a);
	x86_shift(c->e, 0, X86_S_ROL, d, (uint32_t)s->imm);
}

/* Compares; true: the other way round. */
static bool compare(struct translator *c, struct operand a, struct operand b)
{
	bool is_exchanged = a.kind == OPERAND_CONSTANT && b.kind != OPERAND_CONSTANT;
	if (is_exchanged)
		exchange(&a, &b);
	if (a.kind == OPERAND_CONSTANT || (a.kind == OPERAND_HART && b.kind == OPERAND_HART)) {
		load_into(c, RAX, &a);
		a = (struct operand){.kind = OPERAND_HOST, .host = RAX};
	}
	if (b.kind == OPERAND_CONSTANT && b.value == 0 && a.kind == OPERAND_HOST)
		x86_operate(c->e, 0, X86_TEST, a.host, x86_in(a.host));
	else if (b.kind == OPERAND_CONSTANT)
		x86_operate_imm(c->e, 0, X86_I_CMP, operand_place(&a), (int32_t)b.value);
	else if (a.kind == OPERAND_HOST)
		x86_operate(c->e, 0, X86_CMP, a.host, operand_place(&b));
	else
		x86_operate(c->e, 0, X86_COMPARE_PLACE, b.host, operand_place(&a));
	return is_exchanged;
}

static enum x86_condition exchanged(enum x86_condition condition)
{
	switch (condition) {
	case X86_BELOW:
		return X86_ABOVE;
	case X86_NOT_BELOW:
		return X86_NOT_ABOVE;
	case X86_LESS:
		return X86_GREATER;
	case X86_NOT_LESS:
		return X86_NOT_GREATER;
	default:
		return condition;
	}
}

static void set_if_less(struct translator *c, enum x86_condition condition, bool is_immediate)
{
	struct operand a = hosts_use(c, current(c)->rs1), b = second(c, is_immediate);
	if (compare(c, a, b))
		condition = exchanged(condition);
	x86_operate(c->e, 0, 0x190 | (unsigned)condition, 0, x86_in(RAX)); /* setcc al */
	uint8_t d = hosts_define(c, current(c)->rd, dying(c, &a));
	x86_operate(c->e, 0, X86_MOVZX_BYTE, d, x86_in(RAX));
}

static void branch(struct translator *c, enum x86_condition condition)
{
	const struct step *s = current(c);
	struct operand a = hosts_use(c, s->rs1), b = hosts_use(c, s->rs2);
	if (compare(c, a, b))
		condition = exchanged(condition);
	if (!s->exits_if_taken)
		condition ^= 1;
	translate_add_edge(c, x86_jump_if(c->e, condition), s->exit_slot, nr_from_here(c) - 1);
}

static void multiply(struct translator *c)
{
	const struct step *s = current(c);
	struct operand a = hosts_use(c, s->rs1), b = hosts_use(c, s->rs2);
	if (a.kind == OPERAND_CONSTANT || (b.kind == OPERAND_HOST && c->r.host_of[s->rd] == b.host))
		exchange(&a, &b);
	uint8_t free_one = b.kind == OPERAND_CONSTANT ? (uint8_t)NO_HOST : dying(c, &a);
	uint8_t d = hosts_define(c, s->rd, free_one);
	if (b.kind == OPERAND_CONSTANT) {
		if (a.kind == OPERAND_CONSTANT)
			load_into(c, d, &a);
		x86_operate(c->e, 0, 0x69, d, a.kind == OPERAND_CONSTANT ? x86_in(d) : operand_place(&a));
		x86_word(c->e, b.value);
		return;
	}
	load_into(c, d, &a);
	x86_operate(c->e, 0, X86_IMUL, d, operand_place(&b));
}

/* A 64-bit copy of an operand. */
static void widen(struct translator *c, unsigned host, const struct operand *o, bool is_signed)
{
	if (!is_signed)
		load_into(c, host, o);
	else if (o->kind == OPERAND_CONSTANT)
		x86_move_imm64(c->e, host, (uint64_t)(int64_t)(int32_t)o->value);
	else
		x86_operate(c->e, X86_64_BITS, X86_MOVSXD, host, operand_place(o));
}

static void multiply_high(struct translator *c, bool is_signed, bool is_second_signed)
{
	const struct step *s = current(c);
	struct operand a = hosts_use(c, s->rs1), b = hosts_use(c, s->rs2);
	if (is_signed == is_second_signed && b.kind == OPERAND_HOST &&
	    (a.kind != OPERAND_HOST || c->r.host_of[s->rd] == b.host))
		exchange(&a, &b);
	bool fits = b.kind == OPERAND_CONSTANT && (is_second_signed || (int32_t)b.value >= 0);
	if (fits && !is_signed && a.kind == OPERAND_HOST) {
		unsigned d = hosts_define(c, s->rd, dying(c, &a));
		x86_operate(c->e, X86_64_BITS, 0x69, d, x86_in(a.host));
		x86_word(c->e, b.value);
		x86_shift(c->e, X86_64_BITS, X86_S_SHR, d, 32);
		return;
	}
	/* Values in host registers have nothing in the upper half. */
	unsigned second = is_second_signed || b.kind != OPERAND_HOST ? RCX : b.host;
	if (second == RCX)
		widen(c, RCX, &b, is_second_signed);
	unsigned d = hosts_define(c, s->rd, dying(c, &a)), product = d == second ? (unsigned)RAX : d;
	widen(c, product, &a, is_signed);
	x86_operate(c->e, X86_64_BITS, X86_IMUL, product, x86_in(second));
	x86_shift(c->e, X86_64_BITS, X86_S_SHR, product, 32);
	if (d != product)
		x86_operate(c->e, 0, X86_MOV, d, x86_in(product));
}

/* The host traps where the guest has results: at 0, and at the quotient that has no number. */
static void divide(struct translator *c, bool is_signed, bool is_remainder)
{
	const struct step *s = current(c);
	struct operand a = hosts_use(c, s->rs1), b = hosts_use(c, s->rs2);
	load_into(c, RAX, &a);
	load_into(c, RCX, &b);
	hosts_clear(c, RDX);
	if (is_signed) {
		x86_operate(c->e, 0, X86_LEA, RDX, x86_at(RCX, 1));
		x86_operate_imm(c->e, 0, X86_I_CMP, x86_in(RDX), 1);
	} else {
		x86_operate(c->e, 0, X86_TEST, RCX, x86_in(RCX));
	}
	uint32_t special = x86_jump_if(c->e, is_signed ? X86_NOT_ABOVE : X86_EQUAL);
	if (is_signed)
		x86_byte(c->e, 0x99); /* cdq */
	else
		x86_operate(c->e, 0, X86_XOR, RDX, x86_in(RDX));
	x86_operate(c->e, 0, 0xf7, is_signed ? 7 : 6, x86_in(RCX));
	uint32_t done = x86_jump(c->e);
	x86_patch(c->e, special, c->e->at);
	if (is_remainder) {
		/* By 0 the dividend, by -1 nothing. */
		x86_operate(c->e, 0, X86_XOR, RDX, x86_in(RDX));
		x86_operate(c->e, 0, X86_TEST, RCX, x86_in(RCX));
		x86_operate(c->e, 0, X86_CMOVZ, RDX, x86_in(RAX));
	} else {
		/* By 0 all ones, by -1 the opposite. */
		x86_operate(c->e, 0, 0xf7, 3, x86_in(RAX)); /* neg */
		x86_move_imm(c->e, RDX, UINT32_MAX);
		x86_operate(c->e, 0, X86_TEST, RCX, x86_in(RCX));
		x86_operate(c->e, 0, X86_CMOVZ, RAX, x86_in(RDX));
	}
	x86_patch(c->e, done, c->e->at);
	uint8_t d = hosts_define(c, s->rd, NO_HOST);
	unsigned result = is_remainder ? RDX : RAX;
	if (d != result)
		x86_operate(c->e, 0, X86_MOV, d, x86_in(result));
}

static void hash_step(struct translator *c)
{
	static const struct {
		unsigned shift;
		uint32_t factor;
	} rounds[] = {{16, UINT32_C(0x85ebca6b)}, {13, UINT32_C(0xc2b2ae35)}, {16, 0}};
	const struct step *s = current(c);
	struct operand a = hosts_use(c, s->rs1), b = hosts_use(c, s->rs2);
	load_into(c, RAX, &a);
	apply(c, X86_XOR, X86_I_XOR, RAX, &b);
	for (unsigned i = 0; i < ARRAY_SIZE(rounds); i++) {
		x86_operate(c->e, 0, X86_MOV, RCX, x86_in(RAX));
		x86_shift(c->e, 0, X86_S_SHR, RCX, rounds[i].shift);
		x86_operate(c->e, 0, X86_XOR, RAX, x86_in(RCX));
		if (rounds[i].factor) {
			x86_operate(c->e, 0, 0x69, RAX, x86_in(RAX));
			x86_word(c->e, rounds[i].factor);
		}
	}
	x86_operate(c->e, 0, X86_MOV, hosts_define(c, s->rd, NO_HOST), x86_in(RAX));
}

/* Jumps where the addresses that the step's check is for are not all inside; UINT32_MAX: there is no check. */
static uint32_t check(struct translator *c, unsigned base)
{
	const struct step *s = current(c);
	const struct hart_window *w = s->checks_stores ? &c->t->like.stores : &c->t->like.loads;
	int32_t low = s->low - ((s->low - s->align_at) & ((1 << s->log_align) - 1));
	uint32_t span = (uint32_t)(s->high - low);
	if (span > w->limit[0])
		return x86_jump(c->e);
	x86_operate(c->e, 0, X86_LEA, RCX, x86_at(base, (int32_t)((uint32_t)low - w->base)));
	if (s->log_align)
		x86_shift(c->e, 0, X86_S_ROR, RCX, s->log_align);
	x86_operate_imm(c->e, 0, X86_I_CMP, x86_in(RCX), (int32_t)((w->limit[0] - span) >> s->log_align));
	return x86_jump_if(c->e, X86_ABOVE);
}

/* Where the step's access goes to, after its check, whose jump is in `*site` (UINT32_MAX: none). */
static struct x86_place find_place(struct translator *c, uint32_t *site)
{
	const struct step *s = current(c);
	*site = UINT32_MAX;
	if (s->access == ACCESS_CONSTANT) {
		if (s->imm >= 0)
			return x86_at(R14, s->imm);
		x86_move_imm(c->e, RAX, (uint32_t)s->imm);
		return x86_indexed(R14, RAX, 0, 0);
	}
	struct operand base = hosts_use(c, s->rs1);
	if (base.kind != OPERAND_HOST) {
		load_into(c, RAX, &base);
		base.host = RAX;
	}
	if (s->access == ACCESS_CHECKED)
		*site = check(c, base.host);
	if (c->is_wrap_safe)
		return x86_indexed(R14, base.host, 0, s->imm);
	x86_operate(c->e, 0, X86_LEA, RAX, x86_at(base.host, s->imm));
	return x86_indexed(R14, RAX, 0, 0);
}

/* Handling of a failed check of the step: the access is carried out another way, or, if later ones count
 * on the check, by the interpreter. */
static struct stub *add_access_stub(struct translator *c, uint32_t site)
{
	struct stub *stub;
	if (current(c)->is_shared) {
		stub = translate_add_stub(c, STUB_EXIT, site, nr_from_here(c));
		stub->reason = EXIT_INTERPRET;
	} else {
		stub = translate_add_stub(c, STUB_ACCESS, site, nr_from_here(c));
	}
	return stub;
}

static void end_access(struct translator *c, struct stub *stub)
{
	if (!stub)
		return;
	stub->resume = c->e->at;
	stub->after = c->r;
}

static void load(struct translator *c, unsigned opcode)
{
	const struct step *s = current(c);
	struct stub *stub = NULL;
	uint32_t site;
	if (s->access == ACCESS_OUTSIDE) {
		stub = add_access_stub(c, x86_jump(c->e));
		if (s->rd)
			hosts_define(c, s->rd, NO_HOST);
		end_access(c, stub);
		return;
	}
	struct x86_place place = find_place(c, &site);
	if (site != UINT32_MAX)
		stub = add_access_stub(c, site);
	if (s->rd) {
		uint8_t base = c->r.host_of[s->rs1];
		bool takes_base = s->rs1 && base != NO_HOST && hosts_is_last_use(c, s->rs1) && !stub;
		x86_operate(c->e, 0, opcode, hosts_define(c, s->rd, takes_base ? base : (uint8_t)NO_HOST), place);
	}
	end_access(c, stub);
}

/* Whether the address, which is constant, can only be the host's: no data, and nothing to trap. */
static bool is_hosts(const struct translator *c, unsigned nr_bytes)
{
	const struct hart *like = &c->t->like;
	uint32_t address = (uint32_t)current(c)->imm;
	for (uint32_t i = 0; i < nr_bytes; i++)
		if (address + i - like->data_base < like->data_bytes)
			return false;
	return !like->traps_misaligned || address % nr_bytes == 0;
}

/* A store that only the host can take, such as those that make packets. After it everything is in the hart, too. */
static void store_at_host(struct translator *c, unsigned nr_bytes)
{
	const struct step *s = current(c);
	struct x86_emitter *e = c->e;
	struct operand value = hosts_use(c, s->rs2);
	/* Its upper bits are 0. */
	if (value.kind == OPERAND_CONSTANT)
		x86_move_imm(e, RCX, value.value & UINT32_MAX >> (32 - 8 * nr_bytes));
	else
		x86_operate(e, nr_bytes == 1 ? X86_BYTE_REGISTER : 0,
			    nr_bytes == 1   ? X86_MOVZX_BYTE
			    : nr_bytes == 2 ? X86_MOVZX_WORD
					    : X86_MOV,
			    RCX, operand_place(&value));
	registers_emit_save(e, &c->r);
	x86_operate(e, X86_64_BITS, X86_MOV, RAX, x86_at(RSP, 0));
	x86_operate(e, X86_64_BITS, X86_LEA, RDX, x86_at(R15, (int32_t)nr_from_here(c)));
	x86_operate(e, X86_64_BITS, X86_SUB, RAX, x86_in(RDX));
	x86_operate(e, X86_64_BITS, X86_STORE, RAX, x86_at(RBP, (int32_t)offsetof(struct hart, nr_retired)));
	x86_store_imm(e, 4, x86_at(RBP, (int32_t)offsetof(struct hart, pc)), c->t->code_base + 2 * s->slot);
	x86_operate(e, X86_64_BITS, X86_MOV, RDI, x86_in(RBP));
	x86_move_imm(e, RSI, (uint32_t)s->imm);
	x86_move_imm(e, RDX, nr_bytes);
	/* h->host->store(h, address, nr_bytes, value), if there is one: the trace's first such store has seen to that.
	 */
	x86_operate(e, X86_64_BITS, X86_MOV, RAX, x86_at(RBP, (int32_t)offsetof(struct hart, host)));
	if (!c->has_host_store) {
		x86_operate(e, X86_64_BITS, X86_TEST, RAX, x86_in(RAX));
		translate_add_stub(c, STUB_NOWHERE, x86_jump_if(e, X86_EQUAL), 0);
	}
	x86_operate(e, X86_64_BITS, X86_MOV, RAX, x86_at(RAX, (int32_t)offsetof(struct hart_host, store)));
	if (!c->has_host_store) {
		x86_operate(e, X86_64_BITS, X86_TEST, RAX, x86_in(RAX));
		translate_add_stub(c, STUB_NOWHERE, x86_jump_if(e, X86_EQUAL), 0);
	}
	c->has_host_store = true;
	x86_operate(e, 0, 0xff, 2, x86_in(RAX));   /* call rax */
	x86_operate(e, 0, 0x84, RAX, x86_in(RAX)); /* test al, al */
	translate_add_stub(c, STUB_NOWHERE, x86_jump_if(e, X86_EQUAL), 0);
	x86_operate(e, 0, 0x80, X86_I_CMP, x86_at(RBP, (int32_t)offsetof(struct hart, cause)));
	x86_byte(e, HART_NONE);
	translate_add_stub(c, STUB_ENDED, x86_jump_if(e, X86_NOT_EQUAL), 0);
	hosts_forget_called(c);
}

static void store(struct translator *c, unsigned nr_bytes)
{
	const struct step *s = current(c);
	struct stub *stub = NULL;
	uint32_t site;
	if (s->access == ACCESS_OUTSIDE && is_hosts(c, nr_bytes)) {
		store_at_host(c, nr_bytes);
		return;
	}
	if (s->access == ACCESS_OUTSIDE) {
		stub = add_access_stub(c, x86_jump(c->e));
		end_access(c, stub);
		return;
	}
	struct operand value = hosts_use(c, s->rs2);
	struct x86_place place = find_place(c, &site);
	if (site != UINT32_MAX)
		stub = add_access_stub(c, site);
	if (value.kind == OPERAND_CONSTANT) {
		x86_store_imm(c->e, nr_bytes, place, value.value);
	} else {
		if (value.kind == OPERAND_HART) {
			load_into(c, RCX, &value);
			value.host = RCX;
		}
		x86_operate(c->e,
			    nr_bytes == 2   ? X86_16_BITS
			    : nr_bytes == 1 ? X86_BYTE_REGISTER
					    : 0,
			    nr_bytes == 1 ? X86_STORE_BYTE : X86_STORE, value.host, place);
	}
	end_access(c, stub);
}

static void read_input(struct translator *c, uint32_t half)
{
	const struct step *s = current(c);
	if (!c->has_inputs)
		x86_operate(c->e, X86_64_BITS, X86_MOV, RAX, x86_at(RBP, (int32_t)offsetof(struct hart, inputs)));
	c->has_inputs = true;
	if (s->access == ACCESS_CHECKED) {
		x86_operate(c->e, X86_64_BITS, X86_TEST, RAX, x86_in(RAX));
		struct stub *stub = translate_add_stub(c, STUB_EXIT, x86_jump_if(c->e, X86_EQUAL), nr_from_here(c));
		stub->reason = EXIT_INTERPRET;
	}
	if (s->rd)
		x86_operate(c->e, 0, X86_MOV, hosts_define(c, s->rd, NO_HOST),
			    x86_at(RAX, (int32_t)(8 * (uint32_t)s->imm + half)));
}

/* The target's trace is entered by way of the table, with everything in the hart. */
static void jump_indirect(struct translator *c)
{
	const struct step *s = current(c);
	const struct code *code = c->t->code;
	struct operand a = hosts_use(c, s->rs1);
	if (a.kind == OPERAND_CONSTANT) {
		x86_move_imm(c->e, RAX, a.value + (uint32_t)s->imm);
	} else {
		load_into(c, RAX, &a);
		if (s->imm)
			x86_operate_imm(c->e, 0, X86_I_ADD, x86_in(RAX), s->imm);
	}
	x86_operate_imm(c->e, 0, X86_I_AND, x86_in(RAX), -2);
	if (c->t->is_fixed && !s->rd) {
		/* Routines that the host calls end so. */
		x86_operate_imm(c->e, 0, X86_I_CMP, x86_in(RAX), (int32_t)HART_RETURN_STUB);
		if (c->r.dirty) {
			translate_add_stub(c, STUB_EXIT, x86_jump_if(c->e, X86_EQUAL), 0)->reason = EXIT_RETURNED;
		} else {
			x86_patch(c->e, x86_jump_if(c->e, X86_EQUAL), c->t->exits[EXIT_RETURNED]);
		}
	}
	x86_operate(c->e, 0, X86_LEA, RCX, x86_at(RAX, (int32_t)(0 - code->base)));
	x86_operate_imm(c->e, 0, X86_I_CMP, x86_in(RCX), (int32_t)code->nr_bytes);
	translate_add_stub(c, STUB_JUMP_OUTSIDE, x86_jump_if(c->e, X86_NOT_BELOW), 1);
	if (s->rd)
		hosts_define_constant(c, s->rd, code->base + 2 * (s->slot + s->nr_slots));
	registers_emit_save(c->e, &c->r);
	x86_move_imm64(c->e, RDX, (uint64_t)(uintptr_t)c->t->table);
	x86_operate(c->e, 0, X86_MOV, RAX, x86_indexed(RDX, RCX, 1, 0));
	x86_operate_imm(c->e, 0, X86_I_CMP, x86_in(RAX), (int32_t)TRACE_HEATS);
	uint32_t is_there = x86_jump_if(c->e, X86_NOT_BELOW);
	x86_operate(c->e, 0, X86_MOV, RAX, x86_in(RCX));
	x86_shift(c->e, 0, X86_S_SHR, RAX, 1);
	x86_jump_to(c->e, c->t->exits[EXIT_GO_ON]);
	x86_patch(c->e, is_there, c->e->at);
	x86_move_imm64(c->e, RDX, (uint64_t)(uintptr_t)c->e->base);
	x86_operate(c->e, X86_64_BITS, X86_ADD, RAX, x86_in(RDX));
	x86_operate(c->e, 0, 0xff, 4, x86_in(RAX)); /* jmp rax */
}

/* Whether the code of the step does not touch RAX. */
static bool keeps_rax(const struct step *s)
{
	switch (s->operation) {
	case STEP_NOTHING:
	case STEP_CONSTANT:
	case OPERATION_input_low:
	case OPERATION_input_high:
	case OPERATION_add:
	case OPERATION_addi:
	case OPERATION_and:
	case OPERATION_andi:
	case OPERATION_or:
	case OPERATION_ori:
	case OPERATION_slli:
	case OPERATION_srli:
		return true;
	default:
		return false;
	}
}

void translate_step(struct translator *c)
{
	const struct step *s = current(c);
	hosts_unlock(c);
	if (!keeps_rax(s))
		c->has_inputs = false;
	/* Of what is computed for x0 nothing is left; accesses and jumps happen anyway. */
	if (!s->rd && s->operation < NR_OPERATIONS && !step_is_access(s) && !step_is_branch(s) &&
	    s->operation != OPERATION_jalr && s->operation != OPERATION_input_low &&
	    s->operation != OPERATION_input_high)
		return;
	switch (s->operation) {
	case STEP_NOTHING:
		return;
	case STEP_CONSTANT:
		hosts_define_constant(c, s->rd, (uint32_t)s->imm);
		return;
	case STEP_ROTATE:
		rotate(c);
		return;
#define ROW(name, statement)                                                                                           \
	case OPERATION_##name:                                                                                         \
		statement;                                                                                             \
		return;
		ROW(add, binary(c, X86_ADD, X86_I_ADD, false))
		ROW(addi, binary(c, X86_ADD, X86_I_ADD, true))
		ROW(sub, binary(c, X86_SUB, X86_I_SUB, false))
		ROW(xor, binary(c, X86_XOR, X86_I_XOR, false))
		ROW(xori, binary(c, X86_XOR, X86_I_XOR, true))
		ROW(or, binary(c, X86_OR, X86_I_OR, false))
		ROW(ori, binary(c, X86_OR, X86_I_OR, true))
		ROW(and, binary(c, X86_AND, X86_I_AND, false))
		ROW(andi, binary(c, X86_AND, X86_I_AND, true))
		ROW(sll, shift(c, X86_S_SHL, false))
		ROW(slli, shift(c, X86_S_SHL, true))
		ROW(srl, shift(c, X86_S_SHR, false))
		ROW(srli, shift(c, X86_S_SHR, true))
		ROW(sra, shift(c, X86_S_SAR, false))
		ROW(srai, shift(c, X86_S_SAR, true))
		ROW(slt, set_if_less(c, X86_LESS, false))
		ROW(slti, set_if_less(c, X86_LESS, true))
		ROW(sltu, set_if_less(c, X86_BELOW, false))
		ROW(sltiu, set_if_less(c, X86_BELOW, true))
		ROW(mul, multiply(c))
		ROW(mulh, multiply_high(c, true, true))
		ROW(mulhsu, multiply_high(c, true, false))
		ROW(mulhu, multiply_high(c, false, false))
		ROW(div, divide(c, true, false))
		ROW(divu, divide(c, false, false))
		ROW(rem, divide(c, true, true))
		ROW(remu, divide(c, false, true))
		ROW(hash, hash_step(c))
		ROW(beq, branch(c, X86_EQUAL))
		ROW(bne, branch(c, X86_NOT_EQUAL))
		ROW(blt, branch(c, X86_LESS))
		ROW(bge, branch(c, X86_NOT_LESS))
		ROW(bltu, branch(c, X86_BELOW))
		ROW(bgeu, branch(c, X86_NOT_BELOW))
		ROW(lb, load(c, X86_MOVSX_BYTE))
		ROW(lbu, load(c, X86_MOVZX_BYTE))
		ROW(lh, load(c, X86_MOVSX_WORD))
		ROW(lhu, load(c, X86_MOVZX_WORD))
		ROW(lw, load(c, X86_MOV))
		ROW(sb, store(c, 1))
		ROW(sh, store(c, 2))
		ROW(sw, store(c, 4))
		ROW(input_low, read_input(c, 0))
		ROW(input_high, read_input(c, 4))
		ROW(jalr, jump_indirect(c))
#undef ROW
	}
}
