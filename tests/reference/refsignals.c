#include "tests/reference/refsignals.h"

#include <assert.h>
#include <stdlib.h>

#include "tests/reference/refobserved.h"

#define NO_INSTRUCTION UINT32_MAX

static const enum signal_width widths[NR_SIGNALS] = {
#define SIGNAL(suffix, name, width, help) [SIGNAL_##suffix] = SIGNAL_##width,
#include "cores/uarch/signal_list.h"
#undef SIGNAL
};

unsigned refsignals_nr_lanes(const struct core_timing *t, enum signal signal)
{
	unsigned nr = 0;
	switch (widths[signal]) {
	case SIGNAL_ONE:
		return 1;
	case SIGNAL_COMMIT:
		return t->commit_width;
	case SIGNAL_DISPATCH:
		return refobserved_width(t);
	case SIGNAL_ISSUE:
		if (t->kind == CORE_IN_ORDER)
			return t->issue_width;
		for (unsigned q = 0; q < t->nr_queues; q++)
			nr += t->queues[q].issue;
		break;
	}
	return nr;
}

/* Counts and conditions of a cycle, of which signals are made. */
struct cycle {
	unsigned dispatched;	     /* uops; in-order: that issue */
	unsigned issued;	     /* uops with E = c */
	unsigned committed, retired; /* uops, instructions */
	bool is_recovering, is_shadow;
	bool has_waiting, has_mshr; /* some uop has D < c < E; an MSHR is taken */
};

struct maker {
	const struct refobserved *o;
	const struct core_timing *t;
	const struct uop *uops;
	const struct uop_stamps *at;
	struct refsignals *s;
	struct cycle *cycles;
};

/* ---- Marks ---- */

static uint64_t lanes_below(unsigned nr)
{
	return nr >= 64 ? UINT64_MAX : (UINT64_C(1) << nr) - 1;
}

static void mark(struct maker *m, enum signal signal, uint64_t c, unsigned lane)
{
	if (c < m->s->nr_cycles)
		m->s->rows[c].lanes[signal] |= UINT64_C(1) << lane;
}

/* Uop i does, in cycle c. */
static void mark_of(struct maker *m, enum signal signal, uint64_t c, size_t i)
{
	if (c >= m->s->nr_cycles)
		return;
	uint32_t *of = &m->s->rows[c].of[signal];
	uint32_t instruction = (uint32_t)m->o->p.links[i].instruction;
	mark(m, signal, c, 0);
	*of = instruction < *of ? instruction : *of;
}

/* ---- Retirement ---- */

static bool is_fp_register(unsigned reg)
{
	return reg >= 32 && reg < NR_INSN_REGISTERS;
}

struct instruction {
	enum insn_class class;
	unsigned nr_loads, nr_stores;
	bool writes_fp;
	unsigned nr_fp_sources;
};

static enum insn_class class_of(const struct maker *m, size_t first, size_t end)
{
	const struct uop *u = m->uops;
	if (u[first].flags & UOP_SYSTEM)
		return INSN_SYSTEM;
	if (u[first].flags & UOP_FENCE)
		return INSN_FENCE;
	for (size_t i = first; i < end; i++)
		if (u[i].flags & UOP_BRANCH)
			return (enum insn_class)u[i].class;
	for (size_t i = first; i < end; i++)
		if (!is_load(&u[i]) && !is_store(&u[i]))
			return (enum insn_class)u[i].class;
	if (end - first == 2 && is_load(&u[first]) && is_store(&u[first + 1]) &&
	    u[first].address == u[first + 1].address)
		return INSN_ATOMIC;
	return (enum insn_class)u[first].class;
}

/* Whether a uop of the instruction before i has written register `reg`. */
static bool is_written(const struct maker *m, size_t first, size_t i, unsigned reg)
{
	for (size_t j = first; j < i; j++)
		if (m->uops[j].destination == reg)
			return true;
	return false;
}

static struct instruction instruction_at(const struct maker *m, size_t k)
{
	size_t first = m->o->p.first[k], end = m->o->p.first[k + 1];
	struct instruction in = {.class = class_of(m, first, end)};
	bool is_read[NR_INSN_REGISTERS] = {false};
	for (size_t i = first; i < end; i++) {
		const struct uop *u = &m->uops[i];
		in.nr_loads += is_load(u);
		in.nr_stores += is_store(u);
		for (unsigned n = 0; n < MAX_SOURCES; n++)
			if (is_fp_register(u->source[n]) && !is_written(m, first, i, u->source[n]))
				is_read[u->source[n]] = true;
	}
	for (unsigned reg = 0; reg < NR_INSN_REGISTERS; reg++)
		in.nr_fp_sources += is_read[reg];
	if (in.class == INSN_LOAD)
		in.writes_fp = is_fp_register(m->uops[first].destination);
	else
		for (size_t i = first; i < end; i++)
			if (m->uops[i].class == in.class)
				in.writes_fp |= is_fp_register(m->uops[i].destination);
	return in;
}

/* The signal of the class, NR_SIGNALS: it has none. */
static enum signal signal_of_class(const struct instruction *in, const struct refsignals_options *options)
{
	switch (in->class) {
	case INSN_ATOMIC:
		return SIGNAL_ATOMIC;
	case INSN_SYSTEM:
		return SIGNAL_SYSTEM;
	case INSN_INTEGER:
		return SIGNAL_ARITHMETIC;
	case INSN_BRANCH:
		return SIGNAL_BRANCH;
	case INSN_JUMP:
	case INSN_CALL:
		return SIGNAL_JAL;
	case INSN_RETURN:
	case INSN_INDIRECT_JUMP:
	case INSN_INDIRECT_CALL:
		return SIGNAL_JALR;
	case INSN_MULTIPLY:
		return SIGNAL_MULTIPLY;
	case INSN_DIVIDE:
		return SIGNAL_DIVIDE;
	case INSN_FP_ADD:
		return SIGNAL_FP_ADD;
	case INSN_FP_MULTIPLY:
		if (options->has_no_multiply_add && in->nr_fp_sources + (in->nr_loads > 0) == 3)
			return SIGNAL_FP_MADD;
		return SIGNAL_FP_MULTIPLY;
	case INSN_FP_MULTIPLY_ADD:
		return SIGNAL_FP_MADD;
	case INSN_FP_DIVIDE:
		return SIGNAL_FP_DIVIDE;
	case INSN_FP_CONVERT:
	case INSN_FP_OTHER:
		return SIGNAL_FP_OTHER;
	case INSN_FENCE:
		return SIGNAL_FENCE;
	default:
		return NR_SIGNALS;
	}
}

/* Instruction k retires in cycle c as its `lane`-th. */
static void retire(struct maker *m, size_t k, uint64_t c, unsigned lane, const struct refsignals_options *options)
{
	struct instruction in = instruction_at(m, k);
	enum signal signal = signal_of_class(&in, options);
	bool is_pair = in.class == INSN_ATOMIC && in.nr_loads + in.nr_stores == m->o->p.first[k + 1] - m->o->p.first[k];
	mark(m, SIGNAL_INSTRUCTION, c, lane);
	if (signal != NR_SIGNALS)
		mark(m, signal, c, lane);
	if (in.class == INSN_LOAD || (in.nr_loads > 0 && !is_pair))
		mark(m, in.writes_fp ? SIGNAL_FP_LOAD : SIGNAL_LOAD, c, lane);
	if (in.class == INSN_STORE || (in.nr_stores > 0 && !is_pair))
		mark(m, in.nr_fp_sources > 0 ? SIGNAL_FP_STORE : SIGNAL_STORE, c, lane);
}

static void make_retirement(struct maker *m, const struct refsignals_options *options)
{
	for (size_t i = 0; i < m->o->p.nr; i++) {
		uint64_t c = m->at[i].commit;
		bool is_last = m->uops[i].flags & UOP_LAST;
		mark(m, SIGNAL_UOP_RETIRED, c, m->cycles[c].committed);
		if (is_last && m->uops[i].flags & UOP_FENCE)
			mark(m, SIGNAL_FENCE_RETIRED, c, m->cycles[c].committed);
		m->cycles[c].committed++;
		if (is_last)
			retire(m, m->o->p.links[i].instruction, c, m->cycles[c].retired++, options);
	}
	uint32_t nr_retired = 0, nr = (uint32_t)m->o->p.nr_instructions;
	for (uint64_t c = 0; c < m->s->nr_cycles; c++) {
		m->s->rows[c].retired = nr_retired;
		nr_retired += m->cycles[c].retired;
		m->s->rows[c].next = nr_retired < nr ? nr_retired : nr - 1;
	}
}

/* ---- Issue ---- */

/* The first port of a uop, and how many it can take. */
static unsigned first_port(const struct maker *m, size_t i, unsigned *nr)
{
	unsigned first = 0, queue = m->t->groups[m->t->group[m->uops[i].class]].queue;
	if (m->o->is_in_order) {
		*nr = m->t->issue_width;
		return 0;
	}
	for (unsigned q = 0; q < queue; q++)
		first += m->t->queues[q].issue;
	*nr = m->t->queues[queue].issue;
	return first;
}

static void make_issued(struct maker *m)
{
	for (size_t i = 0; i < m->o->p.nr; i++) {
		unsigned nr, port = first_port(m, i, &nr), end = port + nr;
		uint64_t c = m->at[i].issue;
		while (m->s->rows[c].lanes[SIGNAL_UOP_ISSUED] >> port & 1)
			port++;
		assert(port < end);
		mark(m, SIGNAL_UOP_ISSUED, c, port);
	}
}

/* Uops of the wrong path after branch i. */
static uint64_t nr_wrong(const struct maker *m, size_t i)
{
	uint64_t from = refobserved_taken(m->o, i), all = (m->at[i].complete - from) * refobserved_width(m->t);
	uint64_t nr_held = 0;
	if (m->o->is_in_order)
		return all;
	for (size_t j = 0; j <= i; j++)
		nr_held += m->at[j].commit >= from;
	uint64_t free = m->t->rob - nr_held;
	return all < free ? all : free;
}

static void make_wrong_path(struct maker *m, unsigned issue_pct)
{
	unsigned nr_ports = refsignals_nr_lanes(m->t, SIGNAL_UOP_ISSUED);
	for (size_t i = 0; i < m->o->p.nr; i++) {
		if (!(m->uops[i].flags & UOP_MISPREDICTED))
			continue;
		uint64_t left = nr_wrong(m, i) * issue_pct / 100;
		for (uint64_t c = refobserved_taken(m->o, i) + 1; c <= m->at[i].complete; c++)
			for (unsigned port = 0; port < nr_ports && left > 0; port++) {
				if (m->s->rows[c].lanes[SIGNAL_UOP_ISSUED] >> port & 1)
					continue;
				mark(m, SIGNAL_UOP_ISSUED, c, port);
				m->s->nr_wrong_path++;
				left--;
			}
	}
}

/* ---- Branches and flushes ---- */

static enum signal misprediction_of(const struct uop *u)
{
	switch (u->class) {
	case INSN_BRANCH:
		return SIGNAL_MISPREDICTED_BRANCH;
	case INSN_JUMP:
	case INSN_CALL:
		return SIGNAL_MISPREDICTED_DIRECT;
	default:
		return SIGNAL_MISPREDICTED_TARGET;
	}
}

static enum signal signal_of_flush(const struct maker *m, const struct refobserved_flush *f)
{
	switch (f->why) {
	case REFFLUSH_MISPREDICTION:
		return misprediction_of(&m->uops[f->uop]);
	case REFFLUSH_VIOLATION:
		return SIGNAL_FLUSH_ORDER;
	case REFFLUSH_SYSTEM:
		return SIGNAL_FLUSH_SYSTEM;
	default:
		return SIGNAL_FLUSH_FENCE;
	}
}

static void make_flushes(struct maker *m)
{
	const struct refobserved *o = m->o;
	for (size_t i = 0; i < o->p.nr; i++)
		if (m->uops[i].flags & UOP_BRANCH)
			mark_of(m, SIGNAL_BRANCH_RESOLVED, m->at[i].complete, i);
	for (size_t n = 0; n < o->nr_flushes; n++) {
		const struct refobserved_flush *f = &o->flushes[n];
		size_t next = o->p.first[o->p.links[f->uop].instruction + 1];
		mark_of(m, signal_of_flush(m, f), f->at, f->uop);
		for (uint64_t c = refobserved_taken(o, next - 1); c <= f->at; c++)
			m->cycles[c].is_shadow = true;
		if (next == o->p.nr)
			continue;
		for (uint64_t c = f->at + 1; c < refobserved_decoded(o, next); c++) {
			m->cycles[c].is_recovering = true;
			mark(m, SIGNAL_RECOVERING, c, 0);
		}
	}
}

/* ---- Lines of instructions ---- */

static void make_fetches(struct maker *m)
{
	const struct refobserved *o = m->o;
	for (size_t k = 0; k < o->p.nr_instructions; k++) {
		size_t i = o->p.first[k];
		uint64_t fetch = m->at[i].fetch;
		if (m->uops[i].fetch_level != LEVEL_L1)
			mark_of(m, SIGNAL_ICACHE_MISS, fetch - o->of[i].line, i);
		if (m->uops[i].fetch_tlb != TLB_HIT)
			mark_of(m, SIGNAL_ITLB_MISS, fetch - o->of[i].tlb, i);
		for (uint64_t c = fetch - o->of[i].line; c < fetch; c++) {
			mark(m, SIGNAL_ICACHE_REFILL, c, 0);
			if (i == 0 || refobserved_taken(o, i - 1) < c)
				mark(m, SIGNAL_ICACHE_BLOCKED, c, 0);
		}
	}
}

/* ---- Data ---- */

static void make_accesses(struct maker *m)
{
	for (size_t i = 0; i < m->o->p.nr; i++) {
		const struct uop *u = &m->uops[i];
		uint64_t issue = m->at[i].issue;
		if (!is_load(u) && !is_store(u))
			continue;
		if (u->level != LEVEL_L1)
			mark_of(m, SIGNAL_DCACHE_MISS, issue + m->t->dtlb_cycles[u->tlb] + m->t->l1d_cycles, i);
		if (u->level != LEVEL_L1 && u->releases)
			mark_of(m, SIGNAL_DCACHE_RELEASE, m->o->of[i].fill, i);
		if (u->tlb != TLB_HIT)
			mark_of(m, SIGNAL_DTLB_MISS, issue, i);
		if (u->tlb == TLB_WALK)
			mark_of(m, SIGNAL_TLB_WALK, issue, i);
	}
}

/* ---- Slots that are left empty ---- */

static void count_slots(struct maker *m)
{
	const struct refobserved *o = m->o;
	for (size_t i = 0; i < o->p.nr; i++) {
		m->cycles[refobserved_taken(o, i)].dispatched++;
		m->cycles[m->at[i].issue].issued++;
		for (uint64_t c = m->at[i].dispatch + 1; c < m->at[i].issue; c++)
			m->cycles[c].has_waiting = true;
	}
	for (size_t n = 0; n < o->nr_misses; n++)
		for (uint64_t c = o->misses[n].start; c <= o->misses[n].fill; c++) {
			m->s->mshrs_held++;
			if (c < m->s->nr_cycles)
				m->cycles[c].has_mshr = true;
		}
}

/* The first uop after cycle c, from uop i on; p.nr: there is none. */
static size_t next_uop(const struct maker *m, size_t i, uint64_t c)
{
	while (i < m->o->p.nr && refobserved_taken(m->o, i) <= c)
		i++;
	return i;
}

/* The lanes that nr uops leave free. */
static uint64_t lanes_left(const struct maker *m, unsigned nr)
{
	return lanes_below(refobserved_width(m->t)) & ~lanes_below(nr);
}

static void make_bubbles(struct maker *m)
{
	size_t i = 0;
	for (uint64_t c = 0; c < m->s->nr_cycles; c++) {
		const struct cycle *at = &m->cycles[c];
		i = next_uop(m, i, c);
		if (at->is_recovering || at->is_shadow || i == m->o->p.nr)
			continue;
		/* In-order, c < D and no bound is past c: then D is V. */
		if (c < refobserved_decoded(m->o, i) && c >= refobserved_bound(m->o, i))
			m->s->rows[c].lanes[SIGNAL_FETCH_BUBBLE] = lanes_left(m, at->dispatched);
	}
}

static void make_blocked(struct maker *m)
{
	for (uint64_t c = 0; c < m->s->nr_cycles && !m->o->is_in_order; c++)
		if (m->cycles[c].has_waiting && m->cycles[c].has_mshr)
			m->s->rows[c].lanes[SIGNAL_DCACHE_BLOCKED] = lanes_left(m, m->cycles[c].issued);
}

/* ---- In-order interlocks ---- */

static bool is_fp_class(unsigned class)
{
	return class == INSN_FP_ADD || class == INSN_FP_MULTIPLY || class == INSN_FP_DIVIDE ||
	       class == INSN_FP_CONVERT || class == INSN_FP_OTHER || class == INSN_FP_MULTIPLY_ADD;
}

static bool is_integer_long(unsigned class)
{
	return class == INSN_MULTIPLY || class == INSN_DIVIDE;
}

/* Uop i waits for the result of `producer` in cycle c. */
static void interlock_result(struct maker *m, uint64_t c, size_t i, size_t producer)
{
	const struct uop *from = &m->uops[producer], *u = &m->uops[i];
	bool misses = is_load(from) && refobserved_misses(m->o, producer);
	if (is_load(from) && !misses) {
		mark(m, SIGNAL_INTERLOCK_LOAD, c, 0);
		if (is_load(u) || is_store(u))
			mark(m, SIGNAL_INTERLOCK_ADDRESS, c, 0);
	}
	if (misses || from->class == INSN_DIVIDE || from->class == INSN_FP_DIVIDE)
		mark(m, SIGNAL_INTERLOCK_LONG, c, 0);
	if (from->flags & UOP_SYSTEM)
		mark(m, SIGNAL_INTERLOCK_CSR, c, 0);
	if (is_integer_long(from->class))
		mark(m, SIGNAL_INTERLOCK_MULTIPLY, c, 0);
	if (is_fp_class(from->class))
		mark(m, SIGNAL_INTERLOCK_FP, c, 0);
	if (misses)
		m->s->rows[c].lanes[SIGNAL_DCACHE_BLOCKED] = lanes_left(m, m->cycles[c].dispatched);
}

/* Uop i waits in cycle c for the bound that ends last. */
static void interlock(struct maker *m, uint64_t c, size_t i)
{
	enum refbound bound = refobserved_last_bound(m->o, i, c);
	bool has_arrived = c >= m->at[i].dispatch;
	if ((bound == REFBOUND_STORE_QUEUE && c >= refobserved_decoded(m->o, i)) ||
	    (bound == REFBOUND_BLOCKED && has_arrived))
		m->s->rows[c].lanes[SIGNAL_DCACHE_BLOCKED] = lanes_left(m, m->cycles[c].dispatched);
	if (bound == REFBOUND_OPERAND && has_arrived && m->o->of[i].operand != NONE)
		interlock_result(m, c, i, m->o->of[i].operand);
	if (bound == REFBOUND_UNIT && has_arrived && is_integer_long(m->uops[i].class))
		mark(m, SIGNAL_INTERLOCK_MULTIPLY, c, 0);
	if (bound == REFBOUND_UNIT && has_arrived && is_fp_class(m->uops[i].class))
		mark(m, SIGNAL_INTERLOCK_FP, c, 0);
}

static void make_interlocks(struct maker *m)
{
	size_t i = 0;
	for (uint64_t c = 0; c < m->s->nr_cycles && m->o->is_in_order; c++) {
		i = next_uop(m, i, c);
		if (i < m->o->p.nr)
			interlock(m, c, i);
	}
}

/* ---- All of them ---- */

/* Signals of width ONE that no single instruction causes are the next one's. */
static void make_causes(struct maker *m)
{
	for (uint64_t c = 0; c < m->s->nr_cycles; c++)
		for (unsigned k = 0; k < NR_SIGNALS; k++) {
			struct refsignals_row *row = &m->s->rows[c];
			if (widths[k] == SIGNAL_ONE && row->lanes[k] && row->of[k] == NO_INSTRUCTION)
				row->of[k] = row->next;
		}
}

static bool make(struct refsignals *s, const struct refsignals_options *options)
{
	struct maker m = {.o = s->observed, .t = s->observed->t, .uops = s->observed->p.uops, .s = s};
	m.at = s->observed->p.out;
	m.cycles = calloc(s->nr_cycles + 1, sizeof(*m.cycles));
	s->rows = calloc(s->nr_cycles + 1, sizeof(*s->rows));
	bool ok = m.cycles && s->rows;
	if (!ok)
		goto out;
	assert(refsignals_nr_lanes(m.t, SIGNAL_UOP_ISSUED) <= MAX_SIGNAL_LANES);
	for (uint64_t c = 0; c < s->nr_cycles; c++)
		for (unsigned k = 0; k < NR_SIGNALS; k++)
			s->rows[c].of[k] = NO_INSTRUCTION;
	make_retirement(&m, options);
	make_issued(&m);
	make_wrong_path(&m, options->wrong_path_issue_pct);
	make_flushes(&m);
	make_fetches(&m);
	make_accesses(&m);
	count_slots(&m);
	make_bubbles(&m);
	make_blocked(&m);
	make_interlocks(&m);
	make_causes(&m);
out:
	free(m.cycles);
	return ok;
}

struct refsignals *refsignals_new(const struct core_timing *t, const struct uop *uops, size_t nr,
				  const struct uop_prefetch *prefetches, const struct uop_stamps *stamps,
				  const struct refsignals_options *options)
{
	struct refsignals *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->observed = refobserved_new(t, uops, nr, prefetches, stamps);
	if (s->observed) {
		s->nr_cycles = s->observed->nr_cycles;
		if (make(s, options))
			return s;
	}
	refsignals_free(s);
	return NULL;
}

void refsignals_free(struct refsignals *s)
{
	if (!s)
		return;
	refobserved_free(s->observed);
	free(s->rows);
	free(s);
}

struct signal_cause refsignals_cause(const struct refsignals *s, uint32_t instruction)
{
	const struct refcycle_program *p = &s->observed->p;
	struct signal_cause cause = {.pc = p->uops[p->first[instruction]].pc, .number = instruction};
	for (size_t i = p->first[instruction]; i < p->first[instruction + 1]; i++) {
		const struct uop *u = &p->uops[i];
		if (u->bytes > 0 && !cause.has_address) {
			cause.address = u->address;
			cause.has_address = true;
		}
		cause.is_taken |= u->flags & UOP_BRANCH && u->flags & UOP_TAKEN;
	}
	return cause;
}
