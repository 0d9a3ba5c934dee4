#include "cores/uarch/tma_pass.h"

#include <stdlib.h>

#include "cores/uarch/distributed_counter.h"
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
	struct distributed_counter distributed[NR_TMA_EVENTS];
	struct boundary *boundaries; /* [nr], of which the counts before nr_passed are known */
	size_t nr, nr_passed, room;
};

/* The signals that are counted. */
static const uint64_t counted = UINT64_C(1) << SIGNAL_INSTRUCTION | UINT64_C(1) << SIGNAL_UOP_RETIRED |
				UINT64_C(1) << SIGNAL_FENCE_RETIRED | UINT64_C(1) << SIGNAL_UOP_ISSUED |
				UINT64_C(1) << SIGNAL_FETCH_BUBBLE | UINT64_C(1) << SIGNAL_DCACHE_BLOCKED |
				UINT64_C(1) << SIGNAL_RECOVERING | UINT64_C(1) << SIGNAL_ICACHE_BLOCKED |
				UINT64_C(1) << SIGNAL_MISPREDICTED_BRANCH | UINT64_C(1) << SIGNAL_MISPREDICTED_DIRECT |
				UINT64_C(1) << SIGNAL_MISPREDICTED_TARGET | UINT64_C(1) << SIGNAL_FLUSH_SYSTEM |
				UINT64_C(1) << SIGNAL_FLUSH_FENCE | UINT64_C(1) << SIGNAL_FLUSH_ORDER;

static const uint8_t signal_of_event[NR_TMA_EVENTS] = {
	[TMA_UOPS_RETIRED] = SIGNAL_UOP_RETIRED,      [TMA_FENCES_RETIRED] = SIGNAL_FENCE_RETIRED,
	[TMA_UOPS_ISSUED] = SIGNAL_UOP_ISSUED,	      [TMA_FETCH_BUBBLES] = SIGNAL_FETCH_BUBBLE,
	[TMA_DCACHE_BLOCKED] = SIGNAL_DCACHE_BLOCKED,
};

/* What the counter of an event has counted. */
static uint64_t *counter_of(struct tma_counts *c, enum tma_event event)
{
	uint64_t *const counters[NR_TMA_EVENTS] = {
		[TMA_UOPS_RETIRED] = &c->uops,	   [TMA_FENCES_RETIRED] = &c->fences,	[TMA_UOPS_ISSUED] = &c->issued,
		[TMA_FETCH_BUBBLES] = &c->bubbles, [TMA_DCACHE_BLOCKED] = &c->dblocked,
	};
	return counters[event];
}

unsigned tma_nr_counters(const struct core_timing *t, enum event_family family, enum hpm_kind counters)
{
	unsigned nr = 4; /* flushes, mispredictions, recovering, I$ blocked */
	for (unsigned e = family == FAMILY_BOOM ? 0 : TMA_UOPS_ISSUED; e < NR_TMA_EVENTS; e++)
		nr += hpm_kind_counters(counters, signal_nr_lanes(t, signal_of_event[e]));
	return nr;
}

/* Adds the lanes of an event in `nr` cycles: to its counter as that sees them, to of[] each. */
static void count(struct tma_pass *p, enum tma_event event, const uint64_t *lanes, uint64_t nr, uint64_t *of)
{
	uint64_t high = lanes[signal_of_event[event]], truth = nr * (unsigned)__builtin_popcountll(high);
	uint64_t *counter = counter_of(&p->counts, event);
	struct distributed_counter *d = &p->distributed[event];
	p->counts.truth[event] += truth;
	if (p->options.counters == HPM_DISTRIBUTED)
		*counter += distributed_counter_run(d, high, nr) << d->local_bits;
	else
		*counter += p->options.counters == HPM_PLAIN ? nr * (high != 0) : truth;
	for (; of && high; high &= high - 1)
		of[__builtin_ctzll(high)] += nr;
}

/* Counters stop. */
static void stop(struct tma_pass *p)
{
	for (unsigned e = 0; e < NR_TMA_EVENTS && p->options.counters == HPM_DISTRIBUTED; e++) {
		struct distributed_counter *d = &p->distributed[e];
		*counter_of(&p->counts, e) += distributed_counter_drain(d) << d->local_bits;
	}
}

static void count_cycles(struct tma_pass *p, const uint64_t *lanes, uint64_t nr)
{
	struct tma_counts *c = &p->counts;
	uint64_t flush = lanes[SIGNAL_FLUSH_SYSTEM] | lanes[SIGNAL_FLUSH_FENCE] | lanes[SIGNAL_FLUSH_ORDER];
	uint64_t mispredicted = lanes[SIGNAL_MISPREDICTED_BRANCH];
	if (p->options.family == FAMILY_BOOM)
		mispredicted |= lanes[SIGNAL_MISPREDICTED_DIRECT] | lanes[SIGNAL_MISPREDICTED_TARGET];
	c->cycles += nr;
	/* A fixed counter, which misses none. */
	c->instructions += nr * (unsigned)__builtin_popcountll(lanes[SIGNAL_INSTRUCTION]);
	c->flushes += nr * flush;
	c->mispredictions += nr * mispredicted;
	c->recovering += nr * lanes[SIGNAL_RECOVERING];
	c->iblocked += nr * lanes[SIGNAL_ICACHE_BLOCKED];
	count(p, TMA_UOPS_RETIRED, lanes, nr, NULL);
	count(p, TMA_FENCES_RETIRED, lanes, nr, NULL);
	count(p, TMA_UOPS_ISSUED, lanes, nr, c->issued_of);
	count(p, TMA_FETCH_BUBBLES, lanes, nr, c->bubbles_of);
	count(p, TMA_DCACHE_BLOCKED, lanes, nr, c->dblocked_of);
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
		.wrong_path_issue_pct = options->wrong_path_issue_pct, .wanted = counted, .take = take_run, .ctx = p};
	p->options = *options;
	p->counts.width = signal_nr_lanes(t, SIGNAL_FETCH_BUBBLE);
	p->counts.nr_ports = signal_nr_lanes(t, SIGNAL_UOP_ISSUED);
	p->counts.commit_width = signal_nr_lanes(t, SIGNAL_UOP_RETIRED);
	for (unsigned e = 0; e < NR_TMA_EVENTS; e++)
		distributed_counter_init(&p->distributed[e], signal_nr_lanes(t, signal_of_event[e]));
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

struct slot_pass *tma_pass_slots(struct tma_pass *p)
{
	return p->slots;
}

bool tma_pass_run(struct tma_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		  const struct timing_notes *notes)
{
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
	stop(p);
	for (; p->nr_passed < p->nr; p->nr_passed++)
		p->boundaries[p->nr_passed].before = p->counts;
	return true;
}

/* Every member of both is a count, but for widths and ports. */
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
	w.counts.commit_width = p->counts.commit_width;
	w.counts.cycles = marks[i].cycle - (i > 0 ? marks[i - 1].cycle : 0);
	return w;
}

struct tma_window tma_pass_total(const struct tma_pass *p)
{
	struct tma_window w = {p->options.family, p->counts, *slot_pass_counts(p->slots)};
	w.counts.cycles = slot_pass_cycles(p->slots);
	return w;
}
