#include "cores/uarch/pes.h"

#include <stdlib.h>

/* A sample whose pc is that of an instruction that has not retired. */
struct late {
	uint64_t place, number; /* in the memory; of the instruction */
};

struct pes {
	uint8_t *memory;
	size_t bytes;
	unsigned skid;
	struct pes_window window;
	bool is_raised, is_waiting; /* full: since software made room; until it is taken */
	uint64_t lost;		    /* since the last sample was written */
	struct pes_totals totals;
	uint64_t next;			 /* number of the next instruction to retire */
	uint64_t nr_retired;		 /* that were seen */
	uint64_t recent[PES_REMEMBERED]; /* pcs, by number */
	size_t nr_late;
	struct late late[]; /* as many as samples fit into the memory */
};

struct pes *pes_new(uint8_t *memory, size_t bytes, unsigned skid)
{
	struct pes *p = calloc(1, sizeof(*p) + bytes / PES_SAMPLE_BYTES * sizeof(p->late[0]));
	if (!p)
		return NULL;
	p->memory = memory;
	p->bytes = bytes;
	p->skid = skid;
	return p;
}

void pes_free(struct pes *p)
{
	free(p);
}

const struct pes_window *pes_window(const struct pes *p)
{
	return &p->window;
}

static bool has_room(const struct pes *p)
{
	const struct pes_window *w = &p->window;
	return w->offset <= w->size && w->size - w->offset >= PES_SAMPLE_BYTES && w->mapped <= p->bytes &&
	       w->offset <= p->bytes - w->mapped && p->bytes - w->mapped - w->offset >= PES_SAMPLE_BYTES;
}

void pes_set_window(struct pes *p, const struct pes_window *window)
{
	p->window = *window;
	if (has_room(p))
		p->is_raised = false;
}

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* ---- Skid ---- */

/* The pc of an instruction that has retired, or the first remembered. */
static uint64_t remembered(const struct pes *p, uint64_t number)
{
	uint64_t kept = p->nr_retired < PES_REMEMBERED ? p->nr_retired : PES_REMEMBERED;
	uint64_t first = p->next - kept;
	return p->recent[(number > first ? number : first) % PES_REMEMBERED];
}

/* Older samples that software gave up, by going back in the memory, get no pc any more. */
static void forget_overwritten(struct pes *p, uint64_t place)
{
	size_t nr = 0;
	for (size_t i = 0; i < p->nr_late; i++)
		if (p->late[i].place + PES_SAMPLE_BYTES <= place || place + PES_SAMPLE_BYTES <= p->late[i].place)
			p->late[nr++] = p->late[i];
	p->nr_late = nr;
}

static uint64_t pc_after(struct pes *p, const struct signal_cause *cause, uint64_t place)
{
	uint64_t number = cause->number + p->skid;
	if (p->skid == 0)
		return cause->pc;
	if (p->nr_retired > 0 && number < p->next)
		return remembered(p, number);
	p->late[p->nr_late++] = (struct late){place, number};
	return 0;
}

void pes_retire(struct pes *p, const struct signal_cause *retired, unsigned nr)
{
	size_t nr_late = 0;
	for (unsigned i = 0; i < nr; i++)
		p->recent[retired[i].number % PES_REMEMBERED] = retired[i].pc;
	if (nr == 0)
		return;
	p->next = retired[nr - 1].number + 1;
	p->nr_retired += nr;
	for (size_t i = 0; i < p->nr_late; i++)
		if (p->late[i].number < p->next)
			put(p->memory + p->late[i].place, remembered(p, p->late[i].number), 8);
		else
			p->late[nr_late++] = p->late[i];
	p->nr_late = nr_late;
}

void pes_finish(struct pes *p)
{
	for (size_t i = 0; i < p->nr_late && p->nr_retired > 0; i++)
		put(p->memory + p->late[i].place, p->recent[(p->next - 1) % PES_REMEMBERED], 8);
	p->nr_late = 0;
}

/* ---- Samples ---- */

static void write_sample(struct pes *p, unsigned counter, uint64_t cycle, const struct signal_cause *cause)
{
	uint64_t place = p->window.mapped + p->window.offset;
	uint8_t *at = p->memory + place;
	bool has_address = cause && cause->has_address, is_taken = cause && cause->is_taken;
	unsigned flags = (has_address ? PES_ADDRESS_VALID : 0) | (is_taken ? PES_TAKEN_BRANCH : 0);
	forget_overwritten(p, place);
	put(at, cause ? pc_after(p, cause, place) : 0, 8);
	put(at + 8, cycle, 8);
	put(at + 16, has_address ? cause->address : 0, 8);
	put(at + 24, counter, 1);
	put(at + 25, flags, 1);
	put(at + 26, p->skid, 2);
	put(at + 28, p->lost < UINT32_MAX ? p->lost : UINT32_MAX, 4);
	p->window.offset += PES_SAMPLE_BYTES;
	p->totals.written++;
	p->lost = 0;
}

void pes_take(struct pes *p, unsigned counter, uint64_t cycle, const struct signal_cause *cause)
{
	if (has_room(p)) {
		write_sample(p, counter, cycle, cause);
	} else {
		p->lost++;
		p->totals.lost++;
	}
	if (has_room(p) || p->is_raised)
		return;
	p->is_raised = p->is_waiting = true;
	p->totals.fulls++;
}

bool pes_has_skid(const struct pes *p)
{
	return p->skid > 0;
}

bool pes_is_full(const struct pes *p)
{
	return p->is_waiting;
}

bool pes_can_interrupt(const struct pes *p)
{
	return p->is_waiting && p->nr_late == 0;
}

void pes_interrupt(struct pes *p)
{
	p->is_waiting = false;
}

void pes_totals(const struct pes *p, struct pes_totals *out)
{
	*out = p->totals;
}
