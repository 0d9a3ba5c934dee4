/* Where guest registers are at the borders of traces. */
#include "ipu/jit/translation_internal.h"

const uint8_t register_order[NR_HELD] = {RBX, RSI, RDI, R8, R9, R10, R11, R12, R13, RDX};

void registers_init(struct registers *r)
{
	memset(r, 0, sizeof(*r));
	memset(r->host_of, NO_HOST, sizeof(r->host_of));
}

static bool is_dirty(const struct registers *r, uint8_t guest)
{
	return r->dirty >> guest & 1;
}

static bool is_constant(const struct registers *r, uint8_t guest)
{
	return r->constant >> guest & 1;
}

/* How much a loop gains by a register that is held from round to round: a use each, and far more if it is read before
 * it is written. */
static void weigh(const struct trace *t, uint32_t weights[NR_REGISTERS], uint32_t *written)
{
	memset(weights, 0, NR_REGISTERS * sizeof(weights[0]));
	*written = 0;
	for (uint32_t i = 0; i < t->nr_steps; i++) {
		uint32_t reads = step_reads(&t->steps[i]);
		uint8_t rd = t->steps[i].rd;
		for (uint8_t g = 1; g < NR_REGISTERS; g++)
			weights[g] += reads >> g & 1;
		weights[rd] += rd != 0;
		*written |= UINT32_C(1) << rd;
	}
	*written &= ~UINT32_C(1);
	for (uint8_t g = 1; g < NR_REGISTERS; g++)
		if (t->next_read[0][g] <= t->next_write[0][g] && t->next_read[0][g] < t->nr_steps)
			weights[g] += TRACE_MOST_STEPS;
}

static uint8_t free_host(const struct registers *r)
{
	for (uint32_t k = 0; k < NR_HELD; k++)
		if (!r->guest_in[register_order[k]])
			return register_order[k];
	return NO_HOST;
}

static void choose_for_loop(const struct trace *t, const struct registers *from, struct registers *entry)
{
	uint32_t weights[NR_REGISTERS], written, nr = 0;
	uint8_t chosen[NR_HELD];
	weigh(t, weights, &written);
	while (nr < NR_HELD) {
		uint8_t best = 0;
		for (uint8_t g = 1; g < NR_REGISTERS; g++)
			if (weights[g] > weights[best])
				best = g;
		if (!best)
			break;
		weights[best] = 0;
		chosen[nr++] = best;
	}
	for (uint32_t k = 0; k < nr; k++)
		if (from->host_of[chosen[k]] != NO_HOST)
			registers_put(entry, chosen[k], from->host_of[chosen[k]]);
	for (uint32_t k = 0; k < nr; k++)
		if (entry->host_of[chosen[k]] == NO_HOST)
			registers_put(entry, chosen[k], free_host(entry));
	for (uint32_t k = 0; k < nr; k++)
		entry->dirty |= written & UINT32_C(1) << chosen[k];
	if (nr == NR_HELD)
		return;
	/* Values held outside stay where they are if there is room. */
	for (uint32_t k = 0; k < NR_HELD; k++) {
		uint8_t guest = from->guest_in[register_order[k]];
		if (!guest || entry->host_of[guest] != NO_HOST)
			continue;
		uint8_t host = entry->guest_in[register_order[k]] ? free_host(entry) : register_order[k];
		if (host == NO_HOST)
			return;
		registers_put(entry, guest, host);
		entry->dirty |= from->dirty & UINT32_C(1) << guest;
	}
}

void registers_choose_entry(const struct trace *t, const struct registers *from, struct registers *entry)
{
	registers_init(entry);
	if (t->is_loop) {
		choose_for_loop(t, from, entry);
		return;
	}
	for (uint32_t k = 0; k < NR_HELD; k++) {
		uint8_t guest = from->guest_in[register_order[k]];
		if (guest)
			registers_put(entry, guest, register_order[k]);
	}
	for (uint8_t g = 1; g < NR_REGISTERS; g++)
		if (entry->host_of[g] != NO_HOST)
			entry->dirty |= from->dirty & UINT32_C(1) << g;
}

/* What is in a host register, or constant, into the hart. */
static void save(struct x86_emitter *e, const struct registers *r, uint8_t guest)
{
	if (is_constant(r, guest))
		x86_store_imm(e, 4, register_in_hart(guest), r->value[guest]);
	else
		x86_operate(e, 0, X86_STORE, r->host_of[guest], register_in_hart(guest));
}

void registers_emit_save(struct x86_emitter *e, const struct registers *r)
{
	for (uint8_t g = 1; g < NR_REGISTERS; g++)
		if (is_dirty(r, g))
			save(e, r, g);
}

void registers_emit_load(struct x86_emitter *e, const struct registers *r)
{
	for (uint32_t k = 0; k < NR_HELD; k++)
		if (r->guest_in[register_order[k]])
			x86_operate(e, 0, X86_MOV, register_order[k], register_in_hart(r->guest_in[register_order[k]]));
}

/* Moves between host registers, all at once: `source[h]` is where `h` gets its value, NO_HOST if from elsewhere. */
static void emit_moves(struct x86_emitter *e, uint8_t source[NR_X86_REGISTERS])
{
	for (;;) {
		uint32_t nr_left = 0;
		uint8_t ready = NO_HOST, any = NO_HOST;
		for (uint32_t k = 0; k < NR_HELD; k++) {
			uint8_t to = register_order[k];
			bool is_source = false;
			if (source[to] == NO_HOST)
				continue;
			nr_left++;
			any = to;
			for (uint32_t j = 0; j < NR_HELD; j++)
				is_source |= source[register_order[j]] == to;
			if (!is_source)
				ready = to;
		}
		if (nr_left == 0)
			return;
		if (ready == NO_HOST) {
			/* A ring: one of them steps aside. */
			x86_operate(e, 0, X86_MOV, RAX, x86_in(any));
			for (uint32_t j = 0; j < NR_HELD; j++)
				if (source[register_order[j]] == any)
					source[register_order[j]] = RAX;
			ready = any;
		}
		x86_operate(e, 0, X86_MOV, ready, x86_in(source[ready]));
		source[ready] = NO_HOST;
	}
}

void registers_emit_change(struct x86_emitter *e, const struct registers *from, const struct registers *to)
{
	uint8_t source[NR_X86_REGISTERS];
	memset(source, NO_HOST, sizeof(source));
	for (uint8_t g = 1; g < NR_REGISTERS; g++)
		if (is_dirty(from, g) && (to->host_of[g] == NO_HOST || !is_dirty(to, g)))
			save(e, from, g);
	for (uint8_t g = 1; g < NR_REGISTERS; g++)
		if (to->host_of[g] != NO_HOST && from->host_of[g] != NO_HOST && to->host_of[g] != from->host_of[g])
			source[to->host_of[g]] = from->host_of[g];
	emit_moves(e, source);
	for (uint8_t g = 1; g < NR_REGISTERS; g++) {
		if (to->host_of[g] == NO_HOST || from->host_of[g] != NO_HOST)
			continue;
		if (is_constant(from, g))
			x86_move_imm(e, to->host_of[g], from->value[g]);
		else
			x86_operate(e, 0, X86_MOV, to->host_of[g], register_in_hart(g));
	}
}
