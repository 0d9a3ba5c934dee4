#include "cores/uarch/tma_pass.h"

#include <stdlib.h>

#include "cores/uarch/slots.h"

_Static_assert(sizeof(struct tma_counts) % sizeof(uint64_t) == 0, "tma_counts has only counts");

struct boundary {
	uint64_t cycle;		  /* the first after it */
	struct tma_counts before; /* of all cycles before */
};

struct tma_pass {
	struct tma_options options;
	struct slot_pass *slots;
	struct signal_pass *signals; /* NULL: only slots are wanted */
	struct tma_counts counts;    /* so far */
	struct boundary *boundaries; /* [nr], of which the counts before nr_passed are known */
	size_t nr, nr_passed, room;
};

/* Adds the lanes of an event in `nr` cycles: to *all as counters see them, to of[] each. */
static void count(const struct tma_pass *p, uint64_t lanes, uint64_t nr, uint64_t *all, uint64_t *of)
{
	*all += nr * (p->options.counters == TMA_ADD ? (unsigned)__builtin_popcountll(lanes) : lanes != 0);
	for (; of && lanes; lanes &= lanes - 1)
		of[__builtin_ctzll(lanes)] += nr;
}

static void count_cycles(struct tma_pass *p, const uint64_t *lanes, uint64_t nr)
{
	struct tma_counts *c = &p->counts;
	uint64_t flush = lanes[SIGNAL_FLUSH_SYSTEM] | lanes[SIGNAL_FLUSH_FENCE] | lanes[SIGNAL_FLUSH_ORDER];
	uint64_t mispredicted = lanes[SIGNAL_MISPREDICTED_BRANCH];
	if (p->options.family == TMA_BOOM)
		mispredicted |= lanes[SIGNAL_MISPREDICTED_DIRECT] | lanes[SIGNAL_MISPREDICTED_TARGET];
	c->cycles += nr;
	/* A fixed counter, which misses none. */
	c->instructions += nr * (unsigned)__builtin_popcountll(lanes[SIGNAL_INSTRUCTION]);
	c->flushes += nr * flush;
	c->mispredictions += nr * mispredicted;
	c->recovering += nr * lanes[SIGNAL_RECOVERING];
	c->iblocked += nr * lanes[SIGNAL_ICACHE_BLOCKED];
	count(p, lanes[SIGNAL_UOP_RETIRED], nr, &c->uops, NULL);
	count(p, lanes[SIGNAL_FENCE_RETIRED], nr, &c->fences, NULL);
	count(p, lanes[SIGNAL_UOP_ISSUED], nr, &c->issued, c->issued_of);
	count(p, lanes[SIGNAL_FETCH_BUBBLE], nr, &c->bubbles, c->bubbles_of);
	count(p, lanes[SIGNAL_DCACHE_BLOCKED], nr, &c->dblocked, c->dblocked_of);
}

static void take_run(void *ctx, const struct signal_run *run)
{
	struct tma_pass *p = ctx;
	uint64_t from = run->first, end = run->first + run->nr;
	for (; p->nr_passed < p->nr && p->boundaries[p->nr_passed].cycle < end; p->nr_passed++) {
		struct boundary *b = &p->boundaries[p->nr_passed];
		count_cycles(p, run->lanes, b->cycle - from);
		b->before = p->counts;
		from = b->cycle;
	}
	count_cycles(p, run->lanes, end - from);
}

struct tma_pass *tma_pass_new(const struct core_timing *t, const struct tma_options *options)
{
	struct tma_pass *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	const struct signal_options of_signals = {
		.wrong_path_issue_pct = options->wrong_path_issue_pct, .take = take_run, .ctx = p};
	p->options = *options;
	p->counts.width = signal_nr_lanes(t, SIGNAL_FETCH_BUBBLE);
	p->counts.nr_ports = signal_nr_lanes(t, SIGNAL_UOP_ISSUED);
	p->slots = slot_pass_new(t);
	p->signals = options->only_exact ? NULL : signal_pass_new(t, &of_signals);
	if (p->slots && (p->signals || options->only_exact))
		return p;
	tma_pass_free(p);
	return NULL;
}

void tma_pass_free(struct tma_pass *p)
{
	if (!p)
		return;
	slot_pass_free(p->slots);
	signal_pass_free(p->signals);
	free(p->boundaries);
	free(p);
}

bool tma_pass_run(struct tma_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		  const struct timing_notes *notes)
{
	slot_pass_run(p->slots, batch, stamps, notes);
	return !p->signals || signal_pass_run(p->signals, batch, stamps, notes);
}

bool tma_pass_end_window(struct tma_pass *p)
{
	size_t nr;
	if (p->nr == p->room) {
		size_t room = p->room ? 2 * p->room : 16;
		struct boundary *grown = realloc(p->boundaries, room * sizeof(*grown));
		if (!grown)
			return false;
		p->boundaries = grown;
		p->room = room;
	}
	if (!slot_pass_mark(p->slots))
		return false;
	p->boundaries[p->nr] = (struct boundary){.cycle = slot_pass_marks(p->slots, &nr)[p->nr].cycle};
	p->nr++;
	return true;
}

bool tma_pass_end(struct tma_pass *p)
{
	slot_pass_end(p->slots);
	if (p->signals && !signal_pass_end(p->signals))
		return false;
	for (; p->nr_passed < p->nr; p->nr_passed++)
		p->boundaries[p->nr_passed].before = p->counts;
	return true;
}

/* Every member of both is a count, but for width and ports. */
static void subtract(uint64_t *from, const uint64_t *less, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		from[i] -= less[i];
}

struct tma_window tma_pass_window(const struct tma_pass *p, size_t i)
{
	size_t nr;
	const struct slot_mark *marks = slot_pass_marks(p->slots, &nr);
	struct tma_window w = {p->options.family, p->boundaries[i].before, marks[i].before};
	if (i > 0) {
		subtract((uint64_t *)&w.counts, (const uint64_t *)&p->boundaries[i - 1].before,
			 sizeof(w.counts) / sizeof(uint64_t));
		subtract(w.slots.nr, marks[i - 1].before.nr, NR_TMA_CLASSES);
	}
	w.counts.width = p->counts.width;
	w.counts.nr_ports = p->counts.nr_ports;
	w.counts.cycles = marks[i].cycle - (i > 0 ? marks[i - 1].cycle : 0);
	return w;
}

struct tma_window tma_pass_total(const struct tma_pass *p)
{
	struct tma_window w = {p->options.family, p->counts, *slot_pass_counts(p->slots)};
	w.counts.cycles = slot_pass_cycles(p->slots);
	return w;
}
