#include "cores/uarch/slots.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"

/* In-order: uops that can wait for others, or for their commit. */
#define IN_ORDER_RING 1024u

#define NO_SLOT 0xffu

/* Flags of uops that may flush. */
#define UOP_FLUSHES (UOP_MISPREDICTED | UOP_SYSTEM | UOP_FENCE)

/* An access that others wait for: the slot of its miss once it has issued, or NO_SLOT. */
struct access {
	uint64_t issue, result;
	uint8_t slot;
};

/* A uop that may still be in the core. */
struct waiting {
	uint64_t ready, issue, complete, commit; /* in the order of struct uop_stamps */
	uint16_t source[MAX_SOURCES];		 /* out-of-order: the low bits of the numbers of their last writers */
	uint8_t slot, class;
};
_Static_assert(offsetof(struct uop_stamps, commit) - offsetof(struct uop_stamps, ready) ==
		       offsetof(struct waiting, commit),
	       "they are copied at once");

enum flush { FLUSH_NONE, FLUSH_BRANCH, FLUSH_CLEAR };

struct slot_pass {
	struct core_timing t;
	unsigned width, longest[MAX_UNIT_GROUPS]; /* cycles for which a uop takes a unit of the group, at most */
	uint8_t queue[NR_INSN_CLASSES];
	uint64_t nr_uops;
	uint64_t cycle; /* of the last dispatch (in-order: issue) */
	uint64_t next;	/* the first slot that is not charged; cycle c has slots from c * width on */
	uint64_t last_commit;

	/* The last flush of the instruction before, or of this one so far. */
	enum flush flush;
	uint64_t flushed_at;

	struct waiting *ring; /* [nr_ring], a power of two: by number */
	uint64_t nr_ring;
	uint64_t head, queue_head[MAX_ISSUE_QUEUES]; /* no uop before is in the ROB, or waits in the queue */
	struct access blocker;			     /* in-order: whose fill blocks last, */
	uint64_t blocked_until;			     /* and when it arrives */

	/* Of registers. [NO_REGISTER] is nobody; what uops without a destination would write goes to the last. */
	struct access writers[NO_REGISTER + 2];	  /* in-order */
	uint16_t writer_numbers[NO_REGISTER + 2]; /* out-of-order: of uops, or of none that is in the ring */
	struct tma_slots counts;

	struct slot_mark *marks; /* [nr_marks] */
	size_t nr_marks, nr_passed, room;
};

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
	p->nr_ring = ring_size(p);
	for (unsigned i = 0; i < ARRAY_SIZE(p->writer_numbers); i++)
		p->writer_numbers[i] = (uint16_t)-p->nr_ring;
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

static inline struct waiting *waiting_at(struct slot_pass *p, uint64_t number)
{
	return &p->ring[number & (p->nr_ring - 1)];
}

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
	       (p->queue[waiting_at(p, *head)->class] != queue || waiting_at(p, *head)->issue < cycle))
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
 * have left the ring. */
static struct access producer_of(struct slot_pass *p, uint64_t number)
{
	const struct waiting *w = waiting_at(p, number);
	struct access latest = {.slot = NO_SLOT};
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		uint64_t writer = number - (uint16_t)(number - w->source[s]);
		const struct waiting *x = waiting_at(p, writer);
		if (p->nr_uops - writer <= p->nr_ring && x->complete > latest.result)
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
static void charge_gap(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at, const struct uop_note *n,
		       uint64_t to)
{
	uint64_t from = p->cycle, valid = at->fetch + p->t.decode_cycles;
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

static inline void take_flushes(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at,
				const struct uop_note *n)
{
	if (u->flags & UOP_MISPREDICTED && !core_is_ideal(&p->t, IDEAL_BRANCH))
		note_flush(p, FLUSH_BRANCH, at->complete);
	if (n->violates)
		note_flush(p, FLUSH_CLEAR, at->complete);
	if (u->flags & (UOP_SYSTEM | UOP_FENCE) && u->flags & UOP_LAST && (u->flags & UOP_SYSTEM || p->t.fence_flushes))
		note_flush(p, FLUSH_CLEAR, at->commit);
}

/* All slots before the next mark are charged. */
static void pass_mark(struct slot_pass *p)
{
	struct slot_mark *m = &p->marks[p->nr_passed++];
	m->before = p->counts;
	p->cycle = most(p->cycle, m->cycle);
	p->next = most(p->next, m->cycle * p->width);
}

/* The class of slots in which others wait for `u`; NO_SLOT: they wait for no access. */
static inline uint8_t slot_of(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at,
			      const struct uop_note *n, bool is_in_order)
{
	/* Few uops can be waited for beyond a hit; which are accesses would be hard to predict. */
	bool is_load = u->class == INSN_LOAD, may_miss = (u->level | u->tlb | u->fill) != 0;
	_Static_assert(LEVEL_L1 == 0 && TLB_HIT == 0, "0: it hits");
	if (__builtin_expect(!(may_miss & (is_load | (is_in_order & (u->class == INSN_STORE)))), 1))
		return NO_SLOT;
	uint8_t slot = slot_of_access(&p->t, u, at, n);
	if (p->t.is_blocking && n->fill > p->blocked_until) {
		p->blocked_until = n->fill;
		p->blocker = (struct access){at->issue, at->complete, slot};
	}
	return is_load ? slot : NO_SLOT;
}

/* What later uops can wait for. */
static inline void keep(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at, uint8_t slot,
			uint64_t number, bool is_in_order)
{
	struct waiting *w = waiting_at(p, number);
	unsigned to = u->destination == NO_REGISTER ? NO_REGISTER + 1 : u->destination;
	memcpy(w, &at->ready, offsetof(struct waiting, source));
	w->slot = slot;
	w->class = u->class;
	if (is_in_order) {
		p->writers[to].issue = at->issue;
		p->writers[to].result = at->complete;
		p->writers[to].slot = slot;
		return;
	}
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		w->source[s] = p->writer_numbers[u->source[s]];
	p->writer_numbers[to] = (uint16_t)number;
}

/* The slots up to that of `u`, which are not charged yet. */
static void take_gap(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at, const struct uop_note *n,
		     uint64_t cycle)
{
	for (; p->nr_passed < p->nr_marks && p->marks[p->nr_passed].cycle <= cycle;) {
		charge_gap(p, u, at, n, p->marks[p->nr_passed].cycle);
		pass_mark(p);
	}
	if (cycle * p->width > p->next)
		charge_gap(p, u, at, n, cycle);
	p->next = most(p->next, cycle * p->width);
}

/* The constant `is_in_order` makes two functions of this one. Values that change with each uop stay out of memory. */
static inline __attribute__((always_inline)) void take_uops(struct slot_pass *p, const struct uop_batch *batch,
							    const struct uop_stamps *stamps,
							    const struct timing_notes *notes, bool is_in_order)
{
	const uint64_t first = p->nr_uops, width = p->width;
	uint64_t next = p->next, cycle = p->cycle;
	uint64_t mark = p->nr_passed < p->nr_marks ? p->marks[p->nr_passed].cycle : UINT64_MAX;
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		const struct uop_stamps *at = &stamps[i];
		const struct uop_note *n = &notes->uops[i];
		uint64_t now = is_in_order ? at->issue : at->dispatch;
		if (now * width > next || now >= mark) {
			p->next = next;
			p->cycle = cycle;
			p->nr_uops = first + i;
			p->counts.nr[TMA_RETIRING] = p->nr_uops;
			take_gap(p, u, at, n, now);
			next = p->next;
			mark = p->nr_passed < p->nr_marks ? p->marks[p->nr_passed].cycle : UINT64_MAX;
		}
		next++;
		cycle = now;
		if (__builtin_expect((p->flush != FLUSH_NONE) | ((u->flags & UOP_FLUSHES) != 0) | n->violates, 0)) {
			p->flush = u->flags & UOP_FIRST ? FLUSH_NONE : p->flush;
			take_flushes(p, u, at, n);
		}
		keep(p, u, at, slot_of(p, u, at, n, is_in_order), first + i, is_in_order);
	}
	p->next = next;
	p->cycle = cycle;
	p->nr_uops = first + batch->nr;
	p->counts.nr[TMA_RETIRING] = p->nr_uops;
}

/* Numbers of writers stay unique: those that are out of reach are as far back as can be. */
static void forget_writers(struct slot_pass *p)
{
	for (unsigned i = 0; i < ARRAY_SIZE(p->writer_numbers); i++)
		if ((uint16_t)(p->nr_uops - p->writer_numbers[i]) > p->nr_ring)
			p->writer_numbers[i] = (uint16_t)(p->nr_uops - p->nr_ring);
}

void slot_pass_run(struct slot_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		   const struct timing_notes *notes)
{
	forget_writers(p);
	if (p->t.kind == CORE_IN_ORDER)
		take_uops(p, batch, stamps, notes, true);
	else
		take_uops(p, batch, stamps, notes, false);
	if (batch->nr > 0)
		p->last_commit = stamps[batch->nr - 1].commit;
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
	p->marks[p->nr_marks++].cycle = p->last_commit + 1;
	return true;
}

void slot_pass_end(struct slot_pass *p)
{
	while (p->nr_passed < p->nr_marks) {
		charge_rob(p, p->cycle, p->marks[p->nr_passed].cycle);
		pass_mark(p);
	}
	if (p->nr_uops > 0)
		charge_rob(p, p->cycle, p->last_commit + 1);
}

uint64_t slot_pass_cycles(const struct slot_pass *p)
{
	return p->nr_uops > 0 ? p->last_commit + 1 : 0;
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
