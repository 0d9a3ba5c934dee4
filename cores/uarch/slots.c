#include <stdlib.h>

#include "cores/uarch/slots_internal.h"

#include "sim/base/array.h"

/* In-order: uops that can wait for others, or for their commit. */
#define IN_ORDER_RING 1024u

/* How many uops back matter: those in the ROB, and those that have left it but may still take a unit. */
static uint64_t ring_size(const struct slot_pass *p)
{
	uint64_t nr = 64, longest = 0;
	for (unsigned g = 0; g < MAX_UNIT_GROUPS; g++)
		longest = p->longest[g] > longest ? p->longest[g] : longest;
	while (nr < p->t.rob + p->t.commit_width * longest)
		nr *= 2;
	return p->t.kind == CORE_IN_ORDER && nr < IN_ORDER_RING ? IN_ORDER_RING : nr;
}

struct slot_pass *slot_pass_new(const struct core_timing *t)
{
	struct slot_pass *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->t = *t;
	for (unsigned i = 0; i < ARRAY_SIZE(p->writers); i++)
		p->writers[i].slot = NO_SLOT;
	p->width = t->kind == CORE_IN_ORDER ? t->issue_width : t->dispatch_width;
	for (unsigned c = 0; c < NR_INSN_CLASSES; c++) {
		unsigned g = t->group[c], taken = t->groups[g].is_pipelined ? 1 : t->latency[c];
		p->longest[g] = taken > p->longest[g] ? taken : p->longest[g];
		p->queue[c] = t->groups[g].queue;
	}
	p->mark = UINT64_MAX;
	p->nr_ring = ring_size(p);
	for (unsigned i = 0; i < ARRAY_SIZE(p->writer_numbers); i++)
		p->writer_numbers[i] = (uint16_t)-MAX_ROB;
	p->ring = calloc(p->nr_ring, sizeof(*p->ring));
	if (p->ring)
		return p;
	slot_pass_free(p);
	return NULL;
}

void slot_pass_free(struct slot_pass *p)
{
	if (!p)
		return;
	free(p->ring);
	free(p->marks);
	free(p);
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t between(uint64_t value, uint64_t low, uint64_t high)
{
	return least(most(value, low), high);
}

/* Charges the slots of cycles [from, to), the first of which may be the cycle of the last dispatch. */
static void charge(struct slot_pass *p, unsigned slot, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	p->counts.nr[slot] += to * p->width - most(from * p->width, p->next);
}

/* ---- The back end ---- */

/* The oldest uop with a commit at or past `cycle`; p->nr_uops: there is none. */
static uint64_t rob_head(struct slot_pass *p, uint64_t cycle)
{
	if (p->nr_uops > p->nr_ring)
		p->head = most(p->head, p->nr_uops - p->nr_ring);
	while (p->head < p->nr_uops && waiting_at(p, p->head)->commit < cycle)
		p->head++;
	return p->head;
}

/* The oldest uop of the queue with an issue at or past `cycle`. */
static uint64_t queue_head(struct slot_pass *p, unsigned queue, uint64_t cycle)
{
	uint64_t *head = &p->queue_head[queue];
	if (p->nr_uops > p->nr_ring)
		*head = most(*head, p->nr_uops - p->nr_ring);
	while (*head < p->nr_uops &&
	       (waiting_at(p, *head)->issue < cycle || p->queue[waiting_at(p, *head)->class] != queue))
		++*head;
	return *head;
}

/* Whether `group` has a unit free in `cycle`, and up to which cycle that holds at least. */
static bool has_unit_free(struct slot_pass *p, unsigned group, uint64_t cycle, uint64_t *until)
{
	const struct unit_group *g = &p->t.groups[group];
	bool is_in_order = p->t.kind == CORE_IN_ORDER;
	unsigned nr = 0;
	for (uint64_t i = p->nr_uops, first = i > p->nr_ring ? i - p->nr_ring : 0; i-- > first;) {
		const struct waiting *w = waiting_at(p, i);
		uint64_t end = w->issue + (g->is_pipelined ? 1 : p->t.latency[w->class]);
		/* Nor do uops before it take a unit: they have issued before, or at least before its commit. */
		if ((is_in_order ? w->issue : w->commit) + p->longest[group] <= cycle)
			break;
		if (p->t.group[w->class] != group || end <= cycle)
			continue;
		if (w->issue > cycle)
			*until = least(*until, w->issue);
		else
			*until = least(*until, end);
		nr += w->issue <= cycle;
	}
	return nr < g->units;
}

/* Charges [from, to) to what `a` waits for from its issue on, and before to `before`. */
static void charge_access(struct slot_pass *p, const struct access *a, unsigned before, uint64_t from, uint64_t to)
{
	uint64_t issue = a->slot != NO_SLOT ? between(a->issue, from, to) : to;
	charge(p, before, from, issue);
	charge(p, a->slot, issue, to);
}

/* Charges [from, to), in which a uop waits for its operands, the last of which `a` produces. */
static void charge_operand(struct slot_pass *p, const struct access *a, uint64_t from, uint64_t to)
{
	uint64_t produced = between(a->result, from, to);
	charge_access(p, a, TMA_CORE_DEPENDENCE, from, produced);
	charge(p, TMA_CORE_DEPENDENCE, produced, to);
}

/* Charges [from, to), in which a ready uop of `group` does not issue. */
static void charge_issue(struct slot_pass *p, unsigned group, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t until = to;
		bool is_free = has_unit_free(p, group, from, &until);
		charge(p, is_free ? TMA_CORE_QUEUE : TMA_UNITS + group, from, until);
		from = until;
	}
}

/* The writer of a source of uop `number` with the latest result; of equal ones the first. Nobody waits for those that
 * have left the ROB. */
static struct access producer_of(struct slot_pass *p, uint64_t number)
{
	const struct waiting *w = waiting_at(p, number);
	struct access latest = {.slot = NO_SLOT};
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		uint64_t writer = number - (uint16_t)(number - w->source[s]);
		const struct waiting *x = waiting_at(p, writer);
		if (p->nr_uops - writer <= p->nr_ring && number - writer < MAX_ROB && x->complete > latest.result)
			latest = (struct access){x->issue, x->complete, x->slot};
	}
	return latest;
}

/* Charges [from, to), in which uop `number` is waited for. */
static void charge_waiting(struct slot_pass *p, uint64_t number, uint64_t from, uint64_t to)
{
	const struct waiting *w = waiting_at(p, number);
	unsigned group = p->t.group[w->class];
	uint64_t ready = between(w->ready, from, to), issue = between(w->issue, ready, to);
	const struct access own = {w->issue, 0, w->slot};
	if (from < ready) {
		struct access producer = producer_of(p, number);
		charge_operand(p, &producer, from, ready);
	}
	charge_issue(p, group, ready, issue);
	charge_access(p, &own, TMA_UNITS + group, issue, to);
}

/* Charges [from, to) to the uops at the head of the ROB. */
static void charge_rob(struct slot_pass *p, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t head = rob_head(p, from);
		const struct waiting *w = waiting_at(p, head);
		uint64_t end = head < p->nr_uops ? least(w->commit + 1, to) : to;
		if (head < p->nr_uops)
			charge_waiting(p, head, from, end);
		else
			charge(p, TMA_CORE_QUEUE, from, end);
		from = end;
	}
}

/* Charges [from, to) to the oldest uops of a queue. */
static void charge_queue(struct slot_pass *p, unsigned queue, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t head = queue_head(p, queue, from);
		const struct waiting *w = waiting_at(p, head);
		uint64_t end = head < p->nr_uops ? least(w->issue + 1, to) : to;
		if (head < p->nr_uops)
			charge_waiting(p, head, from, end);
		else
			charge(p, TMA_CORE_QUEUE, from, end);
		from = end;
	}
}

static void charge_resource(struct slot_pass *p, const struct uop *u, const struct uop_note *n, uint64_t from,
			    uint64_t to)
{
	if (from >= to)
		return;
	if (n->waits_in_queue)
		charge_queue(p, p->queue[u->class], from, to);
	else if (n->held_by == STALL_STORE_QUEUE)
		charge(p, TMA_MEM_STORE, from, to);
	else if (n->held_by == STALL_SERIALIZE)
		charge(p, TMA_CORE_SERIAL, from, to);
	else
		charge_rob(p, from, to);
}

/* The writer of the source with the latest result; of equal ones the first. */
static const struct access *find_producer(const struct slot_pass *p, const struct uop *u)
{
	const struct access *latest = &p->writers[u->source[0]];
	for (unsigned s = 1; s < MAX_SOURCES; s++)
		if (p->writers[u->source[s]].result > latest->result)
			latest = &p->writers[u->source[s]];
	return latest;
}

/* ---- In order ---- */

/* Charges [from, to) to the bound on the issue of `u`. */
static void charge_bound(struct slot_pass *p, const struct uop *u, const struct uop_note *n, uint64_t from, uint64_t to)
{
	unsigned group = p->t.group[u->class];
	switch (n->held_by) {
	case STALL_STORE_QUEUE:
		charge(p, TMA_MEM_STORE, from, to);
		break;
	case STALL_SERIALIZE:
		charge(p, TMA_CORE_SERIAL, from, to);
		break;
	case STALL_BLOCKED:
		charge_access(p, &p->blocker, TMA_UNITS + group, from, to);
		break;
	case STALL_UNITS:
		charge(p, TMA_UNITS + group, from, to);
		break;
	case STALL_OPERANDS:
		charge_operand(p, find_producer(p, u), from, to);
		break;
	default:
		charge_issue(p, group, from, to);
	}
}

static void charge_in_order(struct slot_pass *p, const struct uop *u, const struct uop_note *n, uint64_t from,
			    uint64_t to)
{
	uint64_t end = between(n->held, from, to);
	if (from < end)
		charge_bound(p, u, n, from, end);
	charge_issue(p, p->t.group[u->class], end, to);
}

/* ---- Gaps ---- */

static void charge_back_end(struct slot_pass *p, const struct uop *u, const struct uop_note *n, uint64_t from,
			    uint64_t to)
{
	if (p->t.kind == CORE_IN_ORDER)
		charge_in_order(p, u, n, from, to);
	else
		charge_resource(p, u, n, from, to);
}

/* The slots between the last dispatch and that of `u`, at `to`. */
static void charge_gap(struct slot_pass *p, const struct uop *u, uint64_t fetch, const struct uop_note *n, uint64_t to)
{
	uint64_t from = p->cycle, valid = fetch + p->t.decode_cycles;
	bool is_first = u->flags & UOP_FIRST;
	uint64_t line = valid - (is_first ? n->line : 0), tlb = line - (is_first ? n->tlb : 0),
		 btb = tlb - (is_first ? n->btb : 0);
	if (is_first && p->flush != FLUSH_NONE) {
		bool is_branch = p->flush == FLUSH_BRANCH;
		uint64_t end = between(tlb, from, to), resteer = between(p->flushed_at + 1, from, end);
		charge(p, is_branch ? TMA_BRANCH_RESTEER : TMA_CLEAR_RESTEER, from, resteer);
		charge(p, is_branch ? TMA_BRANCH_RECOVERY : TMA_CLEAR_RECOVERY, resteer, end);
		from = end;
	} else {
		uint64_t end = between(n->held, from, to);
		charge_back_end(p, u, n, from, end);
		/* It is often all of it. */
		if (end == to)
			return;
		from = end;
		end = between(btb, from, to);
		charge(p, TMA_FETCH_BANDWIDTH, from, end);
		from = end;
		end = between(tlb, from, to);
		charge(p, TMA_FETCH_BTB, from, end);
		from = end;
	}
	uint64_t end = between(line, from, to);
	charge(p, TMA_FETCH_TLB, from, end);
	from = end;
	end = between(valid, from, to);
	charge(p, TMA_FETCH_LINE, from, end);
	charge_back_end(p, u, n, end, to);
}

/* ---- Uops ---- */

/* The class of slots in which others wait for an access that has issued; NO_SLOT: it is no load, or hits. */
static uint8_t slot_of_access(const struct core_timing *t, const struct uop *u, const struct uop_stamps *at,
			      const struct uop_note *n)
{
	static const uint8_t levels[] = {NO_SLOT, TMA_MEM_L2, TMA_MEM_LLC, TMA_MEM_MEMORY};
	if (n->forwards)
		return NO_SLOT;
	if (u->level > LEVEL_L1 && !core_is_ideal(t, IDEAL_L1D))
		return levels[u->level];
	if (u->tlb > TLB_HIT)
		return TMA_MEM_TLB;
	bool is_late = u->fill > 0 && at->complete > at->issue + t->dtlb_cycles[u->tlb] + t->l1d_cycles;
	return is_late ? TMA_MEM_L1 : NO_SLOT;
}

static inline void note_flush(struct slot_pass *p, enum flush flush, uint64_t at)
{
	if (p->flush != FLUSH_NONE && p->flushed_at > at)
		return;
	p->flush = flush;
	p->flushed_at = at;
}

/* All slots before the next mark are charged. */
static void pass_mark(struct slot_pass *p)
{
	struct slot_mark *m = &p->marks[p->nr_passed++];
	m->before = p->counts;
	p->cycle = most(p->cycle, m->cycle);
	p->next = most(p->next, m->cycle * p->width);
}

static uint64_t last_commit(struct slot_pass *p)
{
	return waiting_at(p, p->nr_uops - 1)->commit;
}

static void find_mark(struct slot_pass *p)
{
	p->mark = p->nr_passed < p->nr_marks ? p->marks[p->nr_passed].cycle : UINT64_MAX;
}

void slot_pass_gap(struct slot_pass *p, const struct uop *u, uint64_t fetch, const struct uop_note *n, uint64_t cycle)
{
	p->counts.nr[TMA_RETIRING] = p->nr_uops;
	for (; p->mark <= cycle; find_mark(p)) {
		charge_gap(p, u, fetch, n, p->mark);
		pass_mark(p);
	}
	if (cycle * p->width > p->next)
		charge_gap(p, u, fetch, n, cycle);
	p->next = most(p->next, cycle * p->width);
}

uint8_t slot_pass_access(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at,
			 const struct uop_note *n)
{
	uint8_t slot = slot_of_access(&p->t, u, at, n);
	if (p->t.is_blocking && n->fill > p->blocked_until) {
		p->blocked_until = n->fill;
		p->blocker = (struct access){at->issue, at->complete, slot};
	}
	return u->class == INSN_LOAD ? slot : NO_SLOT;
}

void slot_pass_flush(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at, const struct uop_note *n)
{
	p->flush = u->flags & UOP_FIRST ? FLUSH_NONE : p->flush;
	if (u->flags & UOP_MISPREDICTED && !core_is_ideal(&p->t, IDEAL_BRANCH))
		note_flush(p, FLUSH_BRANCH, at->complete);
	if (n->violates)
		note_flush(p, FLUSH_CLEAR, at->complete);
	if (u->flags & (UOP_SYSTEM | UOP_FENCE) && u->flags & UOP_LAST && (u->flags & UOP_SYSTEM || p->t.fence_flushes))
		note_flush(p, FLUSH_CLEAR, at->commit);
}

void slot_pass_begin_batch(struct slot_pass *p)
{
	for (unsigned i = 0; i < ARRAY_SIZE(p->writer_numbers); i++)
		if ((uint16_t)(p->nr_uops - p->writer_numbers[i]) > MAX_ROB)
			p->writer_numbers[i] = (uint16_t)(p->nr_uops - MAX_ROB);
}

bool slot_pass_mark(struct slot_pass *p)
{
	if (p->nr_marks == p->room) {
		size_t room = p->room ? 2 * p->room : 16;
		struct slot_mark *grown = realloc(p->marks, room * sizeof(*grown));
		if (!grown)
			return false;
		p->marks = grown;
		p->room = room;
	}
	p->marks[p->nr_marks++].cycle = p->nr_uops > 0 ? last_commit(p) + 1 : 0;
	find_mark(p);
	return true;
}

void slot_pass_end(struct slot_pass *p)
{
	p->counts.nr[TMA_RETIRING] = p->nr_uops;
	while (p->nr_passed < p->nr_marks) {
		charge_rob(p, p->cycle, p->marks[p->nr_passed].cycle);
		pass_mark(p);
	}
	if (p->nr_uops > 0)
		charge_rob(p, p->cycle, last_commit(p) + 1);
}

uint64_t slot_pass_cycles(struct slot_pass *p)
{
	return p->nr_uops > 0 ? last_commit(p) + 1 : 0;
}

const struct slot_mark *slot_pass_marks(const struct slot_pass *p, size_t *nr)
{
	*nr = p->nr_passed;
	return p->marks;
}

const struct tma_slots *slot_pass_counts(const struct slot_pass *p)
{
	return &p->counts;
}
