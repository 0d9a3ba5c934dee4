#include "cores/uarch/cycle_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/cycle_stacks_internal.h"
#include "sim/base/arena.h"

#define FIRST_BUCKETS 4096u

struct stack_pass {
	unsigned units, shares[MAX_WIDTH + 1]; /* shares[n]: of each of n uops that commit together */
	bool has_ideal_branches, failed;

	/* Static instructions, by pc: a power of two of buckets, at most half of them taken. */
	struct static_insn **buckets;
	size_t nr_buckets, nr_insns;
	uint32_t nr_cells;
	struct arena arena; /* of instructions and cells */

	struct commit_edge edge;
	struct static_insn *insn; /* the last instruction, or NULL */
	uint64_t shadow;	  /* the cycle after the largest X of mispredicted branches; 0: none */
	struct stacks out;

	struct stack_sampler *samplers; /* [nr_samplers] */
	unsigned nr_samplers;

	/* Of a batch. */
	uint16_t signatures[BATCH_UOPS];
	struct cell *cells[BATCH_UOPS];
	uint32_t flushing[BATCH_UOPS], nr_flushing;
};

const char *commit_state_name(enum commit_state state)
{
	static const char *const names[NR_COMMIT_STATES] = {"compute", "stalled", "flushed", "drained"};
	return names[state];
}

unsigned stack_units(const struct core_timing *t)
{
	unsigned units = 1;
	for (unsigned n = 2; n <= t->commit_width; n++) {
		unsigned a = units, b = n;
		while (b != 0) {
			unsigned rest = a % b;
			a = b;
			b = rest;
		}
		units *= n / a;
	}
	return units;
}

struct stack_pass *stack_pass_new(const struct core_timing *t, const struct stack_sampling *samplings, unsigned nr)
{
	struct stack_pass *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	arena_init(&p->arena);
	p->units = p->out.units = stack_units(t);
	for (unsigned n = 1; n <= t->commit_width; n++)
		p->shares[n] = p->units / n;
	p->has_ideal_branches = core_is_ideal(t, IDEAL_BRANCH);
	p->nr_buckets = FIRST_BUCKETS;
	p->buckets = calloc(p->nr_buckets, sizeof(struct static_insn *));
	p->samplers = calloc(nr + 1, sizeof(*p->samplers));
	p->edge.is_instruction = true;
	if (!p->buckets || !p->samplers) {
		stack_pass_free(p);
		return NULL;
	}
	for (p->nr_samplers = 0; p->nr_samplers < nr; p->nr_samplers++)
		stack_sampler_init(&p->samplers[p->nr_samplers], &samplings[p->nr_samplers], p->units);
	return p;
}

void stack_pass_free(struct stack_pass *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->nr_samplers; i++)
		stack_sampler_release(&p->samplers[i]);
	free(p->samplers);
	free(p->buckets);
	free(p->out.insns);
	free(p->out.cells);
	arena_release(&p->arena);
	free(p);
}

uint16_t *stack_pass_signatures(struct stack_pass *p)
{
	return p->signatures;
}

/* ---- Static instructions ---- */

static inline size_t bucket_of(const struct stack_pass *p, uint64_t pc)
{
	return (size_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (p->nr_buckets - 1);
}

/* Where the instruction at `pc` is, or would go. */
static struct static_insn **find_bucket(const struct stack_pass *p, uint64_t pc)
{
	size_t at = bucket_of(p, pc);
	while (p->buckets[at] && p->buckets[at]->pc != pc)
		at = (at + 1) & (p->nr_buckets - 1);
	return &p->buckets[at];
}

static bool grow(struct stack_pass *p)
{
	struct static_insn **old = p->buckets;
	size_t nr = p->nr_buckets;
	struct static_insn **buckets = calloc(2 * nr, sizeof(struct static_insn *));
	if (!buckets)
		return false;
	p->buckets = buckets;
	p->nr_buckets = 2 * nr;
	for (size_t i = 0; i < nr; i++)
		if (old[i])
			*find_bucket(p, old[i]->pc) = old[i];
	free(old);
	return true;
}

/* The class of an instruction of uops[nr]: of the uop that computes, if there is one. */
static uint8_t class_of(const struct uop *uops, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (uops[i].class != INSN_LOAD && uops[i].class != INSN_STORE)
			return uops[i].class;
	return uops[nr - 1].class;
}

/* The instruction of uops[nr], by its pc. NULL: memory is short. */
__attribute__((noinline)) static struct static_insn *find_insn(struct stack_pass *p, const struct uop *uops,
							       uint32_t nr)
{
	struct static_insn **bucket = find_bucket(p, uops->pc), *insn = *bucket;
	if (insn)
		return insn;
	if (2 * p->nr_insns >= p->nr_buckets) {
		if (!grow(p))
			return NULL;
		bucket = find_bucket(p, uops->pc);
	}
	insn = arena_alloc(&p->arena, 1, sizeof(*insn));
	if (!insn)
		return NULL;
	insn->pc = uops->pc;
	insn->facts = (struct stack_insn){.pc = uops->pc, .length = uops->length, .class = class_of(uops, nr)};
	for (uint32_t i = 0; i < nr; i++)
		insn->facts.is_branch |= (uops[i].flags & UOP_BRANCH) != 0;
	p->nr_insns++;
	return *bucket = insn;
}

/* NULL: memory is short. */
__attribute__((noinline)) static struct cell *find_cell(struct stack_pass *p, struct static_insn *insn,
							uint16_t signature)
{
	struct cell *c = insn->cells;
	while (c && c->signature != signature)
		c = c->next;
	if (!c && (c = arena_alloc(&p->arena, 1, sizeof(*c))) != NULL) {
		c->insn = insn;
		c->signature = signature;
		c->number = p->nr_cells++;
		c->next = insn->cells;
		insn->cells = c;
	}
	insn->recent = c;
	return c;
}

/* The cell of an instruction of uops[nr], which came after p->insn. NULL: memory is short. */
static inline struct cell *cell_of(struct stack_pass *p, const struct uop *uops, uint32_t nr, uint16_t signature)
{
	struct static_insn *before = p->insn, *insn = before ? before->follower : NULL;
	if (__builtin_expect(!insn || insn->pc != uops->pc, 0)) {
		insn = find_insn(p, uops, nr);
		if (!insn)
			return NULL;
		if (before) {
			before->follower = insn;
			insn->facts.is_target |= before->facts.is_branch;
		}
	}
	p->insn = insn;
	if (__builtin_expect(insn->recent && insn->recent->signature == signature, 1))
		return insn->recent;
	return find_cell(p, insn, signature);
}

/* ---- Cycles ---- */

/* The uops of the last commit are all there. */
static inline void close_group(struct stack_pass *p)
{
	struct commit_edge *e = &p->edge;
	unsigned share = p->shares[e->nr];
	for (unsigned i = 0; i < e->nr; i++)
		e->group[i]->cycles += share;
	p->out.states[STATE_COMPUTE] += e->nr > 0 ? p->units : 0;
	e->nr = 0;
}

/* Charges the cycles between the last commit and that of a uop, at `commit`. */
static inline void charge_gap(struct stack_pass *p, struct cell *cell, uint64_t dispatch, uint64_t commit)
{
	struct commit_edge *e = &p->edge;
	uint64_t gap = commit - e->next, first = dispatch + 1 > e->next ? dispatch + 1 : e->next,
		 stalled = commit > first ? commit - first : 0, empty = gap - stalled;
	if (gap == 0)
		return;
	cell->cycles += stalled * p->units;
	p->out.states[STATE_STALLED] += stalled * p->units;
	if (stalled > 0 && cell->signature == 0)
		p->out.base_stalls[stalled < MAX_BASE_STALL ? stalled : MAX_BASE_STALL]++;
	if (__builtin_expect(empty == 0, 1))
		return;
	bool is_flushed = e->is_instruction && e->last && e->last->signature & SIGNATURE_FLUSHES;
	(is_flushed ? e->last : cell)->cycles += empty * p->units;
	p->out.states[is_flushed ? STATE_FLUSHED : STATE_DRAINED] += empty * p->units;
}

/* Charges the cycles up to a uop's commit, but for its own share of that. */
static inline void take_uop(struct stack_pass *p, struct cell *cell, const struct uop_stamps *at)
{
	struct commit_edge *e = &p->edge;
	if (at->commit >= e->next) {
		close_group(p);
		charge_gap(p, cell, at->dispatch, at->commit);
		e->next = at->commit + 1;
	}
	e->group[e->nr++] = cell;
	e->last = cell;
	e->is_instruction = false;
}

/* An instruction of nr uops from `first` on. False when memory is short. */
static inline bool take_instruction(struct stack_pass *p, const struct uop_batch *batch,
				    const struct uop_stamps *stamps, uint32_t first, uint32_t nr)
{
	uint16_t signature = p->signatures[first];
	for (uint32_t i = 1; i < nr; i++)
		signature |= p->signatures[first + i];
	struct cell *cell = cell_of(p, &batch->uops[first], nr, signature);
	if (!cell)
		return false;
	cell->executions++;
	for (uint32_t i = first; i < first + nr; i++) {
		p->signatures[i] = signature;
		p->cells[i] = cell;
		take_uop(p, cell, &stamps[i]);
		if (__builtin_expect(batch->uops[i].flags & UOP_MISPREDICTED && !p->has_ideal_branches, 0))
			p->flushing[p->nr_flushing++] = i;
	}
	p->edge.is_instruction = true;
	return true;
}

bool stack_pass_run(struct stack_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps)
{
	struct stack_batch b = {.uops = batch,
				.stamps = stamps,
				.cells = p->cells,
				.flushing = p->flushing,
				.before = p->edge,
				.shadow = p->shadow};
	p->nr_flushing = 0;
	p->out.instructions += batch->nr_instructions;
	for (uint32_t i = 0, first = 0; i < batch->nr && !p->failed; i++)
		if (batch->uops[i].flags & UOP_LAST) {
			p->failed = !take_instruction(p, batch, stamps, first, i + 1 - first);
			first = i + 1;
		}
	b.nr_flushing = p->nr_flushing;
	for (unsigned i = 0; i < p->nr_samplers && !p->failed && batch->nr > 0; i++)
		p->failed = !stack_sampler_run(&p->samplers[i], &b, p->nr_cells);
	for (uint32_t i = 0; i < p->nr_flushing; i++) {
		uint64_t end = stamps[p->flushing[i]].complete + 1;
		p->shadow = end > p->shadow ? end : p->shadow;
	}
	return !p->failed;
}

/* ---- Results ---- */

static int by_pc(const void *a, const void *b)
{
	const struct static_insn *const *x = a, *const *y = b;
	return ((*x)->pc > (*y)->pc) - ((*x)->pc < (*y)->pc);
}

/* cells[p->nr_cells], by instruction and signature. */
static int by_place(const void *a, const void *b)
{
	const struct cell *x = *(struct cell *const *)a, *y = *(struct cell *const *)b;
	if (x->insn != y->insn)
		return x->insn->number < y->insn->number ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

/* Numbers the instructions by pc. False when memory is short. */
static bool order_insns(struct stack_pass *p)
{
	struct static_insn **order = calloc(p->nr_insns + 1, sizeof(struct static_insn *));
	struct stacks *out = &p->out;
	out->insns = calloc(p->nr_insns + 1, sizeof(*out->insns));
	if (!order || !out->insns) {
		free(order);
		return false;
	}
	for (size_t i = 0; i < p->nr_buckets; i++)
		if (p->buckets[i])
			order[out->nr_insns++] = p->buckets[i];
	qsort(order, out->nr_insns, sizeof(struct static_insn *), by_pc);
	for (size_t i = 0; i < out->nr_insns; i++) {
		order[i]->number = (uint32_t)i;
		out->insns[i] = order[i]->facts;
	}
	free(order);
	return true;
}

/* Their cells in order: out[nr_cells]. */
static void order_cells(const struct stack_pass *p, struct cell **out)
{
	size_t nr = 0;
	for (size_t i = 0; i < p->nr_buckets; i++)
		for (struct cell *c = p->buckets[i] ? p->buckets[i]->cells : NULL; c; c = c->next)
			out[nr++] = c;
	qsort(out, nr, sizeof(struct cell *), by_place);
}

bool stack_pass_end(struct stack_pass *p)
{
	struct cell **order = calloc((size_t)p->nr_cells + 1, sizeof(struct cell *));
	struct stacks *out = &p->out;
	struct commit_edge edge = p->edge;
	out->cells = calloc((size_t)p->nr_cells + 1, sizeof(*out->cells));
	bool ok = !p->failed && order && out->cells && order_insns(p);
	close_group(p);
	out->cycles = p->edge.next;
	if (ok)
		order_cells(p, order);
	for (out->nr_cells = 0; ok && out->nr_cells < p->nr_cells; out->nr_cells++) {
		const struct cell *c = order[out->nr_cells];
		out->cells[out->nr_cells] =
			(struct stack_cell){c->insn->number, c->signature, c->cycles, c->executions};
	}
	for (unsigned i = 0; i < p->nr_samplers && ok; i++)
		ok = stack_sampler_end(&p->samplers[i], &edge, order, p->nr_cells);
	free(order);
	return ok;
}

const struct stacks *stack_pass_stacks(const struct stack_pass *p)
{
	return &p->out;
}

const struct stack_samples *stack_pass_samples(const struct stack_pass *p, unsigned i)
{
	return &p->samplers[i].out;
}
