#include "tests/reference/refcore.h"

#include <stdlib.h>
#include <string.h>

struct fills {
	uint64_t *at;
	size_t nr;
};

struct refcore {
	const struct core_timing *t;
	const struct uop *u;
	struct uop_stamps *s;
	struct refcore_seen *seen;
	unsigned *unit;		    /* of each uop */
	size_t *first_of, *last_of; /* of each instruction: its uops */
	size_t nr_insns;
	struct fills l1i, l1d;
	int64_t mshr[MAX_MSHRS]; /* last fill, or -1 */
	uint64_t bus, redirect, blocked;
	bool violated[VIOLATION_BITS];
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool is_access(const struct uop *u)
{
	return u->class == INSN_LOAD || u->class == INSN_STORE;
}

static bool in_order(const struct refcore *r)
{
	return r->t->kind == CORE_IN_ORDER;
}

/* The n-th last of `fills`. */
static uint64_t nth_last(const struct fills *f, unsigned n)
{
	return f->at[f->nr - n];
}

/* ---- Misses ---- */

static uint64_t take_bus(struct refcore *r, uint64_t from, unsigned lines)
{
	if (r->t->line_cycles == 0)
		return from;
	uint64_t begin = later(from, r->bus);
	r->seen->bus += begin > from;
	r->bus = begin + (uint64_t)lines * r->t->line_cycles;
	return begin;
}

static uint64_t miss(struct refcore *r, uint64_t known, unsigned level, unsigned row, bool releases, unsigned entries)
{
	unsigned which = 0;
	for (unsigned i = 1; i < r->t->mshrs; i++)
		if (r->mshr[i] < r->mshr[which])
			which = i;
	uint64_t begin = later(known, (uint64_t)(r->mshr[which] + 1)), fill = begin;
	r->seen->mshr += begin > known;
	if (level == LEVEL_MEMORY)
		fill = take_bus(r, begin, releases ? 2 : 1) + r->t->row_cycles[row];
	fill += r->t->data_cycles[level];
	r->mshr[which] = (int64_t)fill;
	while (entries-- > 0)
		r->l1d.at[r->l1d.nr++] = fill;
	return fill;
}

/* ---- Fetch ---- */

static uint64_t fetch(struct refcore *r, size_t insn, size_t i)
{
	const struct core_timing *t = r->t;
	const struct uop *u = &r->u[i];
	uint64_t time = 0, nr_same = 0;
	if (insn > 0) {
		size_t before = r->first_of[insn - 1];
		time = r->s[before].fetch;
		for (size_t k = 0; k < insn; k++)
			nr_same += r->s[r->first_of[k]].fetch == time;
		if (nr_same >= t->fetch_width)
			time++;
		for (size_t k = before; k < i; k++)
			if (r->u[k].flags & UOP_BRANCH && r->u[k].flags & UOP_TAKEN)
				time = later(time, r->s[before].fetch + 1 +
							   (r->u[k].flags & UOP_BTB_MISS ? t->btb_miss_cycles : 0u));
	}
	r->seen->redirects += r->redirect > time;
	time = later(time, r->redirect);
	if (insn >= t->fetch_buffer) {
		const struct uop_stamps *left = &r->s[r->last_of[insn - t->fetch_buffer]];
		time = later(time, (in_order(r) ? left->issue : left->dispatch) + 1);
	}
	if (u->fetch_lines == 0)
		return time;
	time += (uint64_t)t->icache_cycles[u->fetch_level] + t->itlb_cycles[u->fetch_tlb];
	if (u->fetch_fill > 0)
		time = later(time, nth_last(&r->l1i, u->fetch_fill));
	for (unsigned k = 0; k < u->fetch_fills; k++)
		r->l1i.at[r->l1i.nr++] = time;
	return time;
}

/* ---- Dispatch ---- */

enum what { UOPS, INTEGERS, FPS, LOADS, STORES };

static bool is_a(const struct uop *u, enum what what)
{
	bool writes = u->destination != NO_REGISTER;
	switch (what) {
	case INTEGERS:
		return writes && !uop_register_is_fp(u->destination);
	case FPS:
		return writes && uop_register_is_fp(u->destination);
	case LOADS:
		return u->class == INSN_LOAD;
	case STORES:
		return u->class == INSN_STORE;
	default:
		return true;
	}
}

/* When uop `i` can have an entry that the `entries`-th such uop before it held. */
static uint64_t entry(const struct refcore *r, size_t i, enum what what, unsigned entries)
{
	size_t found = 0;
	if (!is_a(&r->u[i], what))
		return 0;
	for (size_t k = i; k-- > 0;)
		if (is_a(&r->u[k], what) && ++found == entries)
			return (what == STORES ? r->s[k].drain : r->s[k].commit) + 1;
	return 0;
}

static unsigned queue_of(const struct refcore *r, size_t i)
{
	return r->t->groups[r->t->group[r->u[i].class]].queue;
}

static bool serializes(const struct refcore *r, const struct uop *u)
{
	return u->flags & UOP_SYSTEM || (u->flags & UOP_FENCE && r->t->fence_flushes);
}

static uint64_t bounded(uint64_t time, uint64_t bound, size_t *seen)
{
	*seen += bound > time;
	return later(time, bound);
}

static uint64_t dispatch(struct refcore *r, size_t i)
{
	const struct core_timing *t = r->t;
	uint64_t time = r->s[i].fetch + t->decode_cycles;
	if (i > 0)
		time = later(time, r->s[i - 1].dispatch);
	time = bounded(time, entry(r, i, STORES, t->store_queue), &r->seen->store_queue);
	if (serializes(r, &r->u[i]) && r->u[i].flags & UOP_FIRST && i > 0)
		time = bounded(time, r->s[i - 1].commit + 1, &r->seen->serialized);
	if (in_order(r))
		return time;
	time = bounded(time, entry(r, i, UOPS, t->rob), &r->seen->rob);
	if (t->int_registers > 0)
		time = bounded(time, entry(r, i, INTEGERS, t->int_registers - ARCHITECTURAL_REGISTERS),
			       &r->seen->registers);
	if (t->fp_registers > 0)
		time = bounded(time, entry(r, i, FPS, t->fp_registers - ARCHITECTURAL_REGISTERS), &r->seen->registers);
	time = bounded(time, entry(r, i, LOADS, t->load_queue), &r->seen->load_queue);
	for (;; time++) {
		size_t held = 0;
		for (size_t k = 0; k < i; k++)
			held += queue_of(r, k) == queue_of(r, i) && r->s[k].issue >= time;
		if (held < t->queues[queue_of(r, i)].entries)
			break;
		r->seen->queue++;
	}
	size_t same = 0;
	for (size_t k = 0; k < i; k++)
		same += r->s[k].dispatch == time;
	return time + (same >= t->dispatch_width);
}

/* ---- Issue ---- */

static bool unit_is_free(struct refcore *r, size_t i, uint64_t cycle)
{
	unsigned group = r->t->group[r->u[i].class];
	const struct unit_group *g = &r->t->groups[group];
	size_t taken = 0;
	if (g->is_pipelined) {
		for (size_t k = 0; k < i; k++)
			taken += r->t->group[r->u[k].class] == group && r->s[k].issue == cycle;
		return taken < g->units;
	}
	for (r->unit[i] = 0; r->unit[i] < g->units; r->unit[i]++) {
		bool free = true;
		for (size_t k = 0; k < i && free; k++) {
			uint64_t end = r->s[k].issue + r->t->latency[r->u[k].class];
			free = r->t->group[r->u[k].class] != group || r->unit[k] != r->unit[i] || end <= cycle ||
			       r->s[k].issue >= cycle + r->t->latency[r->u[i].class];
		}
		if (free)
			return true;
	}
	r->seen->units++;
	return false;
}

static bool slot_is_free(const struct refcore *r, size_t i, uint64_t cycle)
{
	size_t taken = 0, accesses = 0;
	for (size_t k = 0; k < i; k++) {
		bool same = r->s[k].issue == cycle;
		taken += same && (in_order(r) || queue_of(r, k) == queue_of(r, i));
		accesses += same && is_access(&r->u[k]);
	}
	if (!in_order(r))
		return taken < r->t->queues[queue_of(r, i)].issue;
	return taken < r->t->issue_width && (!is_access(&r->u[i]) || accesses < r->t->same_cycle_memory);
}

static uint64_t find_issue(struct refcore *r, size_t i, uint64_t from)
{
	if (in_order(r)) {
		from = later(from, r->blocked);
		if (i > 0)
			from = later(from, r->s[i - 1].issue);
	}
	while (!slot_is_free(r, i, from) || !unit_is_free(r, i, from))
		from++;
	return from;
}

static uint64_t ready(const struct refcore *r, size_t i)
{
	uint64_t time = r->s[i].dispatch + (in_order(r) ? 0u : r->t->dispatch_cycles);
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		if (r->u[i].source[s] == NO_REGISTER)
			continue;
		for (size_t k = i; k-- > 0;)
			if (r->u[k].destination == r->u[i].source[s]) {
				time = later(time, r->s[k].complete);
				break;
			}
	}
	return time;
}

/* The store that `u->forward` names; SIZE_MAX: none. */
static size_t named_store(const struct refcore *r, size_t i)
{
	unsigned n = r->u[i].forward;
	if (n > 0)
		for (size_t k = i; k-- > 0;)
			if (r->u[k].class == INSN_STORE && --n == 0)
				return k;
	return SIZE_MAX;
}

static void load(struct refcore *r, size_t i)
{
	const struct core_timing *t = r->t;
	const struct uop *u = &r->u[i];
	struct uop_stamps *s = &r->s[i];
	size_t store = named_store(r, i), pc = u->pc % VIOLATION_BITS;
	bool is_named = store != SIZE_MAX, violates = false;
	unsigned order = in_order(r) ? ORDER_PERFECT : t->memory_order;
	if (order == ORDER_PERFECT && is_named)
		s->ready = later(s->ready, r->s[store].complete);
	bool waits = order == ORDER_CONSERVATIVE || (order == ORDER_SPECULATIVE && r->violated[pc]);
	for (size_t k = 0; k < i && waits; k++)
		if (r->u[k].class == INSN_STORE)
			s->ready = later(s->ready, r->s[k].complete);
	s->issue = find_issue(r, i, s->ready);
	if (order == ORDER_SPECULATIVE && !waits && is_named && s->issue < r->s[store].complete) {
		violates = r->violated[pc] = true;
		r->seen->violations++;
		s->issue = find_issue(r, i, r->s[store].complete);
	}
	if (is_named && !u->covers && r->s[store].drain >= s->issue) {
		r->seen->drained_first++;
		s->issue = find_issue(r, i, r->s[store].drain + 1);
	}
	uint64_t known = s->issue + t->dtlb_cycles[u->tlb] + t->l1d_cycles;
	if (is_named && u->covers && r->s[store].drain >= s->issue) {
		r->seen->forwards++;
		s->complete = s->issue + t->forward_cycles;
		for (unsigned k = 0; k < u->fills; k++)
			r->l1d.at[r->l1d.nr++] = s->complete;
	} else if (u->level == LEVEL_L1) {
		uint64_t fill = u->fill > 0 ? nth_last(&r->l1d, u->fill) : 0;
		r->seen->in_flight += fill > known;
		s->complete = later(known, fill);
	} else {
		s->complete = miss(r, known, u->level, u->row, u->releases, u->fills);
		if (in_order(r) && t->is_blocking)
			r->blocked = later(r->blocked, s->complete);
	}
	if (violates)
		r->redirect = later(r->redirect, s->complete + t->flush_cycles);
}

/* ---- Commit and drain ---- */

static uint64_t commit(const struct refcore *r, size_t i)
{
	uint64_t time = r->s[i].complete + (in_order(r) ? 0u : r->t->commit_cycles);
	size_t same = 0;
	if (i > 0)
		time = later(time, r->s[i - 1].commit);
	for (size_t k = 0; k < i; k++)
		same += r->s[k].commit == time;
	return time + (same >= r->t->commit_width);
}

static uint64_t drain(struct refcore *r, size_t i, uint64_t requested)
{
	const struct uop *u = &r->u[i];
	uint64_t time = r->s[i].commit + 1, fill = 0;
	size_t same = 0;
	if (u->level > LEVEL_L1)
		fill = miss(r, requested, u->level, u->row, u->releases, u->fills);
	else if (u->fill > 0)
		fill = nth_last(&r->l1d, u->fill);
	if (u->level > LEVEL_L1 && in_order(r) && r->t->is_blocking)
		r->blocked = later(r->blocked, fill);
	time = later(time, fill);
	for (size_t k = 0; k < i; k++)
		if (r->u[k].class == INSN_STORE)
			time = later(time, r->s[k].drain);
	for (size_t k = 0; k < i; k++)
		same += r->u[k].class == INSN_STORE && r->s[k].drain == time;
	return time + (same >= r->t->drain_width);
}

static void prefetch(struct refcore *r, size_t i, const struct uop_prefetch *p, uint64_t known)
{
	r->seen->prefetches++;
	if (p->target == PREFETCH_L1I)
		r->l1i.at[r->l1i.nr++] = r->s[i].fetch + r->t->icache_cycles[p->level];
	else if (p->target == PREFETCH_L1D)
		miss(r, known, p->level, p->row, false, 1);
	else if (p->level == LEVEL_MEMORY && !p->is_code)
		take_bus(r, known, 1);
}

static void one(struct refcore *r, size_t i, const struct uop_prefetch *prefetches)
{
	const struct core_timing *t = r->t;
	const struct uop *u = &r->u[i];
	struct uop_stamps *s = &r->s[i];
	uint64_t known;
	if (u->flags & UOP_FIRST) {
		r->first_of[r->nr_insns] = i;
		s->fetch = fetch(r, r->nr_insns, i);
	} else {
		s->fetch = r->s[i - 1].fetch;
	}
	if (i % VIOLATION_PERIOD == 0)
		memset(r->violated, 0, sizeof(r->violated));
	s->dispatch = dispatch(r, i);
	s->ready = ready(r, i);
	s->drain = NO_DRAIN;
	if (u->class == INSN_LOAD) {
		load(r, i);
	} else {
		r->seen->blocked += r->blocked > s->ready;
		s->issue = find_issue(r, i, s->ready);
		s->complete = s->issue + (u->class == INSN_STORE ? 1 : t->latency[u->class]);
	}
	s->commit = commit(r, i);
	known = u->class == INSN_LOAD		   ? s->issue + t->l1d_cycles
		: t->store_fill == FILL_AT_EXECUTE ? s->issue
						   : s->commit;
	known += t->dtlb_cycles[u->tlb];
	if (u->class == INSN_STORE)
		s->drain = drain(r, i, known);
	for (unsigned k = 0; k < u->nr_prefetches; k++)
		prefetch(r, i, &prefetches[k], known);
	if (u->flags & UOP_MISPREDICTED)
		r->redirect = later(r->redirect,
				    (in_order(r) ? s->issue + t->resolve_cycles : s->complete) + t->mispredict_cycles);
	if (u->flags & UOP_LAST) {
		if (serializes(r, u))
			r->redirect = later(r->redirect, s->commit + t->flush_cycles);
		r->last_of[r->nr_insns++] = i;
	}
}

bool refcore_run(const struct core_timing *t, const struct uop *uops, size_t nr, const struct uop_prefetch *prefetches,
		 struct uop_stamps *out, struct refcore_seen *seen)
{
	struct refcore r = {.t = t, .u = uops, .s = out, .seen = seen};
	size_t nr_i = 0, nr_d = 0;
	for (size_t i = 0; i < nr; i++) {
		nr_i += uops[i].fetch_fills + uops[i].nr_prefetches;
		nr_d += uops[i].fills + uops[i].nr_prefetches;
	}
	for (unsigned i = 0; i < MAX_MSHRS; i++)
		r.mshr[i] = -1;
	r.unit = calloc(nr + 1, sizeof(*r.unit));
	r.first_of = calloc(nr + 1, sizeof(*r.first_of));
	r.last_of = calloc(nr + 1, sizeof(*r.last_of));
	r.l1i.at = calloc(nr_i + 1, sizeof(*r.l1i.at));
	r.l1d.at = calloc(nr_d + 1, sizeof(*r.l1d.at));
	bool done = r.unit && r.first_of && r.last_of && r.l1i.at && r.l1d.at;
	for (size_t i = 0; done && i < nr; i++) {
		one(&r, i, prefetches);
		prefetches += uops[i].nr_prefetches;
	}
	free(r.unit);
	free(r.first_of);
	free(r.last_of);
	free(r.l1i.at);
	free(r.l1d.at);
	return done;
}
