/* Traces, and the ways between them, as code for x86-64. */
#include <stdlib.h>

#include "ipu/core/access_internal.h"
#include "ipu/jit/translate_internal.h"
#include "sim/base/array.h"

/* Guest addresses this far from both ends of the address space do not wrap when a displacement is added. */
#define WRAP_BYTES 4096u

/* Loops begin at multiples of this. */
#define LOOP_ALIGNMENT 32u

/* How callers and callees share registers: System V ABI for AMD64, section 3.2. */
static const uint8_t kept_for_caller[] = {RBX, RBP, R12, R13, R14, R15};
#define NR_KEPT ARRAY_SIZE(kept_for_caller)

static void push(struct x86_emitter *e, unsigned reg)
{
	if (reg >= R8)
		x86_byte(e, 0x41);
	x86_byte(e, 0x50 | (reg & 7));
}

static void pop(struct x86_emitter *e, unsigned reg)
{
	if (reg >= R8)
		x86_byte(e, 0x41);
	x86_byte(e, 0x58 | (reg & 7));
}

void translate_shared(struct host_translation *t)
{
	struct x86_emitter *e = &t->e;
	/* Arguments: hart RDI, code RSI, left RDX, memory RCX, nr_at_end R8, which stays in the frame. With it, and the
	 * return address, the stack is aligned for calls. */
	for (unsigned i = 0; i < NR_KEPT; i++)
		push(e, kept_for_caller[i]);
	push(e, R8);
	x86_operate(e, X86_64_BITS, X86_MOV, RBP, x86_in(RDI));
	x86_operate(e, X86_64_BITS, X86_MOV, R15, x86_in(RDX));
	x86_operate(e, X86_64_BITS, X86_MOV, R14, x86_in(RCX));
	x86_operate(e, 0, 0xff, 4, x86_in(RSI)); /* jmp rsi */
	for (unsigned reason = 0; reason < NR_EXIT_REASONS; reason++) {
		t->exits[reason] = e->at;
		/* What has written EAX has cleared the upper half of RAX. */
		if (reason > 0) {
			/* What a function has returned need not fill it. */
			x86_operate(e, 0, X86_MOV, RAX, x86_in(RAX));
			x86_move_imm64(e, RCX, (uint64_t)reason << 32);
			x86_operate(e, X86_64_BITS, X86_OR, RAX, x86_in(RCX));
		}
		x86_operate(e, X86_64_BITS, X86_MOV, RDX, x86_in(R15));
		pop(e, RCX);
		for (unsigned i = NR_KEPT; i-- > 0;)
			pop(e, kept_for_caller[i]);
		x86_byte(e, 0xc3);
	}
	t->first_free = e->at;
}

/* Called by host code: the access of `s`, with everything in the hart. False: the run is over. */
static bool carry_out(struct hart *h, const struct slot *s, int64_t left, uint64_t nr_at_end)
{
	h->pc = h->code->base + 2 * (uint32_t)(s - h->code->slots);
	h->nr_retired = nr_at_end - (uint64_t)left;
	if (!access_memory(h, s))
		return false;
	if (h->cause == HART_NONE)
		return true;
	h->nr_retired++;
	h->pc += 2 * executor_rows[s->executor % CHAINED].nr_slots;
	return false;
}

static void give_back(struct x86_emitter *e, uint32_t nr)
{
	if (nr)
		x86_operate_imm(e, X86_64_BITS, X86_I_ADD, x86_in(R15), (int32_t)nr);
}

static void leave(struct host_translation *t, enum exit_reason reason, uint32_t slot)
{
	x86_move_imm(&t->e, RAX, slot);
	x86_jump_to(&t->e, t->exits[reason]);
}

static void emit_access_stub(struct translator *c, const struct stub *stub)
{
	struct x86_emitter *e = c->e;
	x86_operate(e, X86_64_BITS, X86_MOV, RDI, x86_in(RBP));
	x86_move_imm64(e, RSI, (uint64_t)(uintptr_t)&c->t->code->slots[stub->slot]);
	x86_operate(e, X86_64_BITS, X86_LEA, RDX, x86_at(R15, (int32_t)stub->give_back));
	x86_operate(e, X86_64_BITS, X86_MOV, RCX, x86_at(RSP, 0));
	x86_move_imm64(e, RAX, (uint64_t)(uintptr_t)carry_out);
	x86_operate(e, 0, 0xff, 2, x86_in(RAX));   /* call rax */
	x86_operate(e, 0, 0x84, RAX, x86_in(RAX)); /* test al, al */
	x86_patch(e, x86_jump_if(e, X86_EQUAL), c->t->exits[EXIT_STOPPED]);
	registers_emit_load(e, &stub->after);
	x86_jump_to(e, stub->resume);
}

/* The end of a store at the host, for which everything is in the hart already, pc and nr_retired as before it. */
static void emit_store_end(struct translator *c, const struct stub *stub)
{
	struct x86_emitter *e = c->e;
	const struct step *s = &c->trace->steps[stub->step];
	if (stub->kind == STUB_ENDED) {
		x86_operate_imm(e, X86_64_BITS, X86_I_ADD, x86_at(RBP, (int32_t)offsetof(struct hart, nr_retired)), 1);
		x86_operate_imm(e, 0, X86_I_ADD, x86_at(RBP, (int32_t)offsetof(struct hart, pc)), 2 * s->nr_slots);
	} else {
		x86_store_imm(e, 4, x86_at(RBP, (int32_t)offsetof(struct hart, address)), (uint32_t)s->imm);
		x86_store_imm(e, 1, x86_at(RBP, (int32_t)offsetof(struct hart, cause)), HART_STORE_OUTSIDE);
	}
	x86_jump_to(e, c->t->exits[EXIT_STOPPED]);
}

static void emit_stub(struct translator *c, const struct stub *stub)
{
	struct x86_emitter *e = c->e;
	x86_patch(e, stub->site, e->at);
	if (stub->kind == STUB_ENDED || stub->kind == STUB_NOWHERE) {
		emit_store_end(c, stub);
		return;
	}
	registers_emit_save(e, &stub->before);
	if (stub->kind == STUB_ACCESS) {
		emit_access_stub(c, stub);
		return;
	}
	if (stub->kind == STUB_JUMP_OUTSIDE && c->trace->steps[c->trace->nr_steps - 1].rd == 0) {
		x86_operate_imm(e, 0, X86_I_CMP, x86_in(RAX), (int32_t)HART_RETURN_STUB);
		x86_patch(e, x86_jump_if(e, X86_EQUAL), c->t->exits[EXIT_RETURNED]);
	}
	give_back(e, stub->give_back);
	leave(c->t, stub->kind == STUB_JUMP_OUTSIDE ? EXIT_INTERPRET : stub->reason, stub->slot);
}

static bool add_piece(struct host_translation *t, const struct registers *entry, uint32_t main)
{
	if (t->nr_pieces == t->pieces_room) {
		uint32_t room = t->pieces_room ? 2 * t->pieces_room : 64;
		struct piece *pieces = realloc(t->pieces, room * sizeof(*pieces));
		if (!pieces)
			return false;
		t->pieces = pieces;
		t->pieces_room = room;
	}
	struct piece *p = &t->pieces[t->nr_pieces++];
	p->head = t->trace->head;
	p->main = main;
	p->entry = *entry;
	return true;
}

static bool make_room_for_edges(struct host_translation *t)
{
	if (t->nr_edges + TRACE_MOST_STEPS + 1 <= t->edges_room)
		return true;
	uint32_t room = 2 * (t->edges_room + TRACE_MOST_STEPS);
	struct edge *edges = realloc(t->edges, room * sizeof(*edges));
	if (!edges)
		return false;
	t->edges = edges;
	t->edges_room = room;
	return true;
}

/* The code for who has everything in the hart. The number of the piece stands in front of it, as in front of its main
 * code. */
static void emit_entrance(struct host_translation *t, uint32_t piece)
{
	struct x86_emitter *e = &t->e;
	x86_word(e, piece);
	uint32_t at = e->at;
	registers_emit_load(e, &t->pieces[piece].entry);
	if (e->at == at) {
		/* Nothing to be loaded: straight in. Its number stands there, too. */
		t->table[t->trace->head] = t->pieces[piece].main;
		return;
	}
	t->table[t->trace->head] = at;
	x86_jump_to(e, t->pieces[piece].main);
}

static const struct piece *find_piece(const struct host_translation *t, uint32_t slot)
{
	uint32_t piece;
	if (t->table[slot] < TRACE_HEATS)
		return NULL;
	memcpy(&piece, t->e.base + t->table[slot] - sizeof(piece), sizeof(piece));
	return &t->pieces[piece];
}

/* After the last step of a loop that is not a branch: straight back. */
static void emit_end(struct translator *c, uint32_t main)
{
	const struct trace *trace = c->trace;
	if (trace->next == TRACE_NO_SLOT)
		return;
	if (trace->next == trace->head) {
		registers_emit_change(c->e, &c->r, &c->entry);
		x86_jump_to(c->e, main);
		return;
	}
	translate_add_edge(c, x86_jump(c->e), trace->next, 0);
}

bool translate_trace(struct host_translation *t, const struct registers *from)
{
	struct translator *c = t->translator;
	struct x86_emitter *e = &t->e;
	const struct trace *trace = t->trace;
	uint64_t end = (uint64_t)t->like.data_base + t->like.data_bytes;
	c->t = t;
	c->e = e;
	c->trace = trace;
	c->step = 0;
	c->nr_stubs = 0;
	c->has_host_store = false;
	c->has_inputs = false;
	c->is_wrap_safe = t->like.data_base >= WRAP_BYTES && end <= (UINT64_C(1) << 32) - WRAP_BYTES;
	registers_choose_entry(trace, from, &c->entry);
	c->r = c->entry;
	while ((e->at + sizeof(t->nr_pieces)) % (trace->is_loop ? LOOP_ALIGNMENT : 4) != 0)
		x86_byte(e, 0xcc);
	x86_word(e, t->nr_pieces);
	uint32_t main = e->at;
	if (!make_room_for_edges(t) || !add_piece(t, &c->entry, main))
		return false;
	x86_operate_imm(e, X86_64_BITS, X86_I_SUB, x86_in(R15), (int32_t)trace->nr_steps);
	translate_add_stub(c, STUB_EXIT, x86_jump_if(e, X86_LESS), trace->nr_steps)->reason = EXIT_SHORT;
	for (; c->step < trace->nr_steps; c->step++)
		translate_step(c);
	emit_end(c, main);
	for (uint32_t i = 0; i < c->nr_stubs; i++)
		emit_stub(c, &c->stubs[i]);
	emit_entrance(t, t->nr_pieces - 1);
	t->counts.nr_traces++;
	t->counts.nr_instructions += trace->nr_steps;
	return true;
}

bool translate_edge(struct host_translation *t, uint32_t i)
{
	struct x86_emitter *e = &t->e;
	const struct edge *edge = &t->edges[i];
	const struct piece *piece = find_piece(t, edge->target);
	if (!piece)
		return false;
	uint32_t at = e->at;
	give_back(e, edge->give_back);
	registers_emit_change(e, &edge->from, &piece->entry);
	if (e->at == at) {
		x86_patch(e, edge->site, piece->main);
		return true;
	}
	x86_jump_to(e, piece->main);
	x86_patch(e, edge->site, at);
	return true;
}

void translate_open_edge(struct host_translation *t, uint32_t i)
{
	const struct edge *edge = &t->edges[i];
	x86_patch(&t->e, edge->site, t->e.at);
	registers_emit_save(&t->e, &edge->from);
	give_back(&t->e, edge->give_back);
	leave(t, EXIT_GO_ON, edge->target);
}
