/* Which guest register has which host register. A trace is a straight line, so the next use of each guest register is
 * known: where no host register is free, the one whose guest is used last is given up. */
#include "ipu/jit/translate_internal.h"

/* Of who is needed by no one: more than any distance. */
#define WORTH_NOTHING 100000u
#define WORTH_A_STORE 50000u

static bool is_dirty(const struct translator *c, uint8_t guest)
{
	return c->r.dirty >> guest & 1;
}

/* Whether the value of `guest` is overwritten before anyone reads it or can leave the trace, from step `at` on. */
static bool is_dead(const struct translator *c, uint8_t guest, uint32_t at)
{
	uint16_t write = c->trace->next_write[at][guest];
	return write < c->trace->next_read[at][guest] && write < c->trace->next_exit[at];
}

bool hosts_is_last_use(const struct translator *c, uint8_t guest)
{
	return is_dead(c, guest, c->step + 1);
}

/* How little is lost if `guest` gives up its register. */
static uint32_t distance(const struct translator *c, uint8_t guest, uint32_t at)
{
	uint32_t read = c->trace->next_read[at][guest];
	if (is_dead(c, guest, at))
		return WORTH_NOTHING;
	if (c->trace->next_write[at][guest] < read || read == TRACE_NEVER)
		return WORTH_A_STORE + !is_dirty(c, guest);
	return 2 * (read - c->step) + !is_dirty(c, guest);
}

static void give_up(struct translator *c, uint8_t host, uint32_t at)
{
	uint8_t guest = c->r.guest_in[host];
	uint32_t bit = UINT32_C(1) << guest;
	if (!guest)
		return;
	if (c->r.dirty & bit && !is_dead(c, guest, at))
		x86_operate(c->e, 0, X86_STORE, host, register_in_hart(guest));
	c->r.dirty &= ~bit;
	registers_drop(&c->r, guest);
}

/* The register that is best for `guest`: its own in a loop, a free one, one that is nobody's in the loop. */
static uint8_t find_free(const struct translator *c, uint8_t guest)
{
	uint8_t home = c->entry.host_of[guest], found = NO_HOST;
	if (home != NO_HOST && !c->r.guest_in[home] && !(c->locked >> home & 1))
		return home;
	for (uint32_t k = NR_HELD; k-- > 0;) {
		uint8_t host = register_order[k];
		if (c->r.guest_in[host] || c->locked >> host & 1)
			continue;
		if (found == NO_HOST || !c->entry.guest_in[host])
			found = host;
	}
	return found;
}

/* The register whose guest is needed last, from step `at` on. */
static uint8_t find_last(const struct translator *c, uint32_t at, uint32_t *most)
{
	uint8_t last = NO_HOST;
	*most = 0;
	for (uint32_t k = 0; k < NR_HELD; k++) {
		uint8_t host = register_order[k];
		if (c->locked >> host & 1 || !c->r.guest_in[host])
			continue;
		uint32_t far = distance(c, c->r.guest_in[host], at);
		if (last == NO_HOST || far > *most) {
			*most = far;
			last = host;
		}
	}
	return last;
}

struct operand hosts_use(struct translator *c, uint8_t guest)
{
	struct operand o = {.guest = guest, .host = c->r.host_of[guest]};
	uint32_t at = c->step, read = c->trace->next_read[at + 1][guest], most;
	if (!guest || c->r.constant >> guest & 1) {
		o.kind = OPERAND_CONSTANT;
		o.value = guest ? c->r.value[guest] : 0;
		return o;
	}
	if (o.host == NO_HOST) {
		bool is_used_again = read < c->trace->next_write[at + 1][guest] &&
				     read < c->trace->nr_steps + (c->trace->is_loop ? c->trace->nr_steps : 0);
		uint8_t host = is_used_again ? find_free(c, guest) : NO_HOST;
		if (is_used_again && host == NO_HOST) {
			host = find_last(c, at, &most);
			if (host != NO_HOST && most <= 2 * (read - at))
				host = NO_HOST;
		}
		if (host == NO_HOST) {
			o.kind = OPERAND_HART;
			return o;
		}
		give_up(c, host, at);
		x86_operate(c->e, 0, X86_MOV, host, register_in_hart(guest));
		registers_put(&c->r, guest, host);
		o.host = host;
	}
	o.kind = OPERAND_HOST;
	c->locked |= UINT32_C(1) << o.host;
	return o;
}

uint8_t hosts_define(struct translator *c, uint8_t guest, uint8_t dying)
{
	uint8_t host = c->r.host_of[guest];
	uint32_t most;
	if (host == NO_HOST && dying != NO_HOST) {
		uint8_t old = c->r.guest_in[dying];
		c->r.dirty &= ~(UINT32_C(1) << old);
		registers_drop(&c->r, old);
		host = dying;
	}
	if (host == NO_HOST)
		host = find_free(c, guest);
	if (host == NO_HOST) {
		host = find_last(c, c->step + 1, &most);
		give_up(c, host, c->step + 1);
	}
	c->r.constant &= ~(UINT32_C(1) << guest);
	c->r.dirty |= UINT32_C(1) << guest;
	registers_put(&c->r, guest, host);
	c->locked |= UINT32_C(1) << host;
	return host;
}

void hosts_define_constant(struct translator *c, uint8_t guest, uint32_t value)
{
	registers_drop(&c->r, guest);
	c->r.constant |= UINT32_C(1) << guest;
	c->r.dirty |= UINT32_C(1) << guest;
	c->r.value[guest] = value;
}

void hosts_clear(struct translator *c, uint8_t host)
{
	give_up(c, host, c->step + 1);
}

void hosts_forget_called(struct translator *c)
{
	for (uint32_t k = 0; k < NR_HELD; k++) {
		uint8_t host = register_order[k], guest = c->r.guest_in[host];
		if (guest && host != RBX && host != R12 && host != R13)
			registers_drop(&c->r, guest);
	}
	c->r.dirty = 0;
}
