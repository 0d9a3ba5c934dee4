/* Samplers of cycle stacks: all look at the same cycles, and find their uops by the stamps of each batch. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/cycle_stacks_internal.h"

enum sampler_kind stack_scheme_kind(enum stack_scheme scheme)
{
	static const enum sampler_kind kinds[NR_STACK_SCHEMES] = {[SCHEME_TEA] = SAMPLER_TEA,
								  [SCHEME_NCI] = SAMPLER_NCI,
								  [SCHEME_IBS] = SAMPLER_DISPATCH,
								  [SCHEME_SPE] = SAMPLER_DISPATCH,
								  [SCHEME_RIS] = SAMPLER_FETCH};
	return kinds[scheme];
}

/* ---- Times ---- */

/* The finalizer of SplitMix64 (Steele, Lea and Flood, 2014) over a counter. */
static uint64_t hash_of(uint64_t seed, uint64_t k)
{
	uint64_t x = seed + (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint64_t stack_sampling_cycle(const struct stack_sampling *s, uint64_t k)
{
	uint64_t within = s->has_jitter ? hash_of(s->seed, k) % s->period : s->period - 1, cycle;
	if (__builtin_mul_overflow(k, s->period, &cycle) || __builtin_add_overflow(cycle, within, &cycle) ||
	    __builtin_add_overflow(cycle, s->delay, &cycle))
		return UINT64_MAX;
	return cycle;
}

static void advance(struct stack_sampler *s, enum sampler_kind kind)
{
	struct sample_clock *c = &s->clocks[kind];
	c->cycle = stack_sampling_cycle(&s->out.sampling, ++c->k);
}

void stack_sampler_init(struct stack_sampler *s, const struct stack_sampling *sampling, unsigned units)
{
	s->out.sampling = *sampling;
	s->units = units;
	for (unsigned k = 0; k < NR_SAMPLER_KINDS; k++)
		s->clocks[k].cycle = stack_sampling_cycle(sampling, 0);
}

void stack_sampler_release(struct stack_sampler *s)
{
	for (unsigned k = 0; k < NR_SAMPLER_KINDS; k++) {
		free(s->weights[k]);
		free(s->out.of[k].cells);
	}
}

/* ---- Commit ---- */

/* The first uop of the batch, from `from` on, whose time is at or past `cycle`; there is one. `member` is that time's
 * place in struct uop_stamps. */
static uint32_t first_at(const struct stack_batch *b, size_t member, uint64_t cycle, uint32_t from)
{
	uint32_t low = from, high = b->uops->nr - 1;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t time;
		memcpy(&time, (const char *)&b->stamps[middle] + member, sizeof(time));
		if (time < cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline void add(struct stack_sampler *s, enum sampler_kind kind, const struct cell *cell, uint64_t weight)
{
	s->weights[kind][cell->number] += weight;
}

/* The uops of a cycle are before[nr_before], then the batch's from `first` on that commit then. */
static void take_compute(struct stack_sampler *s, const struct stack_batch *b, struct cell *const *before,
			 unsigned nr_before, uint32_t first, uint64_t cycle)
{
	uint32_t end = first;
	while (end < b->uops->nr && b->stamps[end].commit == cycle)
		end++;
	unsigned share = s->units / (nr_before + end - first);
	for (unsigned i = 0; i < nr_before; i++)
		add(s, SAMPLER_TEA, before[i], share);
	for (uint32_t i = first; i < end; i++)
		add(s, SAMPLER_TEA, b->cells[i], share);
}

/* Whom a cycle is charged to in which nothing commits; the batch's uop `i` commits next. */
static const struct cell *charged_to(const struct stack_batch *b, uint32_t i, uint64_t cycle)
{
	const struct cell *last = i > 0 ? b->cells[i - 1] : b->before.last;
	bool is_flushed = cycle <= b->stamps[i].dispatch && b->uops->uops[i].flags & UOP_FIRST && last &&
			  last->signature & SIGNATURE_FLUSHES;
	return is_flushed ? last : b->cells[i];
}

/* Samples before the last commit of the batch, whose cycle can have uops of the next one. */
static void take_commits(struct stack_sampler *s, const struct stack_batch *b)
{
	const struct commit_edge *e = &b->before;
	uint64_t end = b->stamps[b->uops->nr - 1].commit;
	struct sample_clock *c = &s->clocks[SAMPLER_TEA];
	for (uint32_t from = 0; c->cycle < end; advance(s, SAMPLER_TEA)) {
		uint32_t i = from = first_at(b, offsetof(struct uop_stamps, commit), c->cycle, from);
		bool has_before = e->nr > 0 && e->next - 1 == c->cycle;
		s->out.of[SAMPLER_TEA].taken++;
		add(s, SAMPLER_NCI, has_before ? e->group[0] : b->cells[i], 1);
		if (has_before || b->stamps[i].commit == c->cycle)
			take_compute(s, b, e->group, has_before ? e->nr : 0, i, c->cycle);
		else
			add(s, SAMPLER_TEA, charged_to(b, i, c->cycle), s->units);
	}
}

/* ---- Dispatch and fetch ---- */

/* Whether a uop that was tagged before has not committed by the time of the sample. */
static bool is_skipped(const struct stack_sampler *s, enum sampler_kind kind)
{
	return s->is_busy[kind] && s->clocks[kind].cycle <= s->busy_until[kind] && s->out.sampling.period > 1;
}

/* The cycle after the largest X of mispredicted branches before the batch's uop `i`, 0: none; *next is the first one at
 * or past it. */
static uint64_t shadow_before(const struct stack_batch *b, uint32_t i, uint32_t *next, uint64_t shadow)
{
	for (; *next < b->nr_flushing && b->flushing[*next] < i; ++*next) {
		uint64_t end = b->stamps[b->flushing[*next]].complete + 1;
		shadow = end > shadow ? end : shadow;
	}
	return shadow;
}

/* C of the uop that is tagged, `i`: of an instruction, with its last uop. */
static uint64_t end_of_tag(const struct stack_batch *b, enum sampler_kind kind, uint32_t i)
{
	while (kind == SAMPLER_FETCH && !(b->uops->uops[i].flags & UOP_LAST))
		i++;
	return b->stamps[i].commit;
}

/* Samples up to the last dispatch (fetch) of the batch. All mispredicted branches before the tagged uop were dispatched
 * (fetched) before the sample: it is on a wrong path up to the largest X. */
static void take_tags(struct stack_sampler *s, const struct stack_batch *b, enum sampler_kind kind)
{
	size_t member =
		kind == SAMPLER_FETCH ? offsetof(struct uop_stamps, fetch) : offsetof(struct uop_stamps, dispatch);
	const struct uop_stamps *last = &b->stamps[b->uops->nr - 1];
	uint64_t end = kind == SAMPLER_FETCH ? last->fetch : last->dispatch, shadow = b->shadow;
	struct sample_clock *c = &s->clocks[kind];
	uint32_t next = 0;
	for (uint32_t from = 0; c->cycle <= end; advance(s, kind)) {
		if (is_skipped(s, kind)) {
			s->out.of[kind].skipped++;
			continue;
		}
		from = first_at(b, member, c->cycle, from);
		shadow = shadow_before(b, from, &next, shadow);
		if (c->cycle < shadow) {
			s->out.of[kind].wrong_path++;
			continue;
		}
		s->out.of[kind].taken++;
		add(s, kind, b->cells[from], 1);
		s->is_busy[kind] = true;
		s->busy_until[kind] = end_of_tag(b, kind, from);
	}
}

/* ---- A run ---- */

static bool make_room(struct stack_sampler *s, uint32_t nr_cells)
{
	uint32_t room = s->room > 0 ? s->room : 1024;
	if (nr_cells <= s->room)
		return true;
	while (room < nr_cells)
		room *= 2;
	for (unsigned k = 0; k < NR_SAMPLER_KINDS; k++) {
		uint64_t *grown = realloc(s->weights[k], room * sizeof(*grown));
		if (!grown)
			return false;
		memset(grown + s->room, 0, (room - s->room) * sizeof(*grown));
		s->weights[k] = grown;
	}
	s->room = room;
	return true;
}

bool stack_sampler_run(struct stack_sampler *s, const struct stack_batch *b, uint32_t nr_cells)
{
	if (!make_room(s, nr_cells))
		return false;
	take_commits(s, b);
	take_tags(s, b, SAMPLER_DISPATCH);
	take_tags(s, b, SAMPLER_FETCH);
	return true;
}

static bool make_cells(struct stack_sampler *s, enum sampler_kind kind, struct cell *const *cells, uint32_t nr_cells)
{
	size_t nr = 0;
	for (uint32_t i = 0; i < nr_cells; i++)
		nr += s->weights[kind][cells[i]->number] > 0;
	struct sample_cell *out = calloc(nr + 1, sizeof(*out));
	s->out.of[kind].cells = out;
	s->out.of[kind].nr_cells = nr;
	for (uint32_t i = 0, k = 0; out && i < nr_cells; i++)
		if (s->weights[kind][cells[i]->number] > 0)
			out[k++] = (struct sample_cell){cells[i]->insn->number, cells[i]->signature,
							s->weights[kind][cells[i]->number]};
	return out != NULL;
}

bool stack_sampler_end(struct stack_sampler *s, const struct commit_edge *edge, struct cell *const *cells,
		       uint32_t nr_cells)
{
	bool ok = make_room(s, nr_cells > 0 ? nr_cells : 1);
	if (ok && edge->next > 0 && s->clocks[SAMPLER_TEA].cycle == edge->next - 1) {
		for (unsigned i = 0; i < edge->nr; i++)
			add(s, SAMPLER_TEA, edge->group[i], s->units / edge->nr);
		add(s, SAMPLER_NCI, edge->group[0], 1);
		s->out.of[SAMPLER_TEA].taken++;
		advance(s, SAMPLER_TEA);
	}
	s->out.of[SAMPLER_NCI].taken = s->out.of[SAMPLER_TEA].taken;
	s->out.nr_due = s->clocks[SAMPLER_TEA].k;
	for (unsigned kind = SAMPLER_DISPATCH; kind < NR_SAMPLER_KINDS; kind++)
		for (; s->clocks[kind].k < s->out.nr_due; advance(s, kind)) {
			if (is_skipped(s, kind))
				s->out.of[kind].skipped++;
			else
				s->out.of[kind].late++;
		}
	for (unsigned kind = 0; kind < NR_SAMPLER_KINDS && ok; kind++)
		ok = make_cells(s, kind, cells, nr_cells);
	return ok;
}
