/* Runs of cycles: what counters count, and which samples they take.
 *
 * Without thresholds a run is passed in one step. With them, it is cut after each cycle in which a counter can reach
 * its threshold. */
#include "cores/uarch/hpm_internal.h"

/* A run, or the instructions of some lanes of a run of one cycle. */
struct part {
	const struct signal_run *run;
	uint64_t instructions; /* lanes */
	unsigned first;	       /* lane */
	bool is_whole;	       /* has all lanes */
};

/* What a counter sees in each cycle of a part. */
struct seen {
	uint64_t counted, truth;
	uint64_t high; /* lanes of any selected event */
};

/* Few lanes are high at a time. */
static unsigned count_lanes(uint64_t lanes)
{
	unsigned nr = 0;
	for (; lanes; lanes &= lanes - 1)
		nr++;
	return nr;
}

static uint64_t retired(const struct part *p)
{
	return p->run->lanes[SIGNAL_INSTRUCTION] & p->instructions;
}

/* Sources of the events of a term that are high. */
static uint64_t high_lanes(const struct hpm_counter *c, const struct hpm_term *term, const struct part *p)
{
	uint64_t high = 0;
	for (uint64_t signals = term->signals; signals; signals &= signals - 1)
		high |= p->run->lanes[__builtin_ctzll(signals)];
	if (c->sources == EVENT_ONE)
		return high != 0;
	return high & term->lanes & (c->sources == EVENT_INSTRUCTIONS ? p->instructions : UINT64_MAX);
}

/* Distributed counters count otherwise. */
static struct seen see(const struct hpm *h, const struct hpm_counter *c, const struct part *p)
{
	struct seen s = {0};
	for (unsigned t = 0, nr = p->is_whole ? c->nr_alone : c->nr_terms; t < nr; t++) {
		uint64_t high = high_lanes(c, &c->terms[t], p);
		s.high |= high;
		s.truth += count_lanes(high);
	}
	if (h->kind == HPM_ADD)
		s.counted = s.truth;
	else
		s.counted = c->sources == EVENT_INSTRUCTIONS ? count_lanes(s.high) : s.high != 0;
	return s;
}

/* Cycles of a distributed counter; how much its register grows. */
static uint64_t distribute(struct hpm_counter *c, const struct part *p, uint64_t high, uint64_t nr)
{
	if (p->first == 0)
		return distributed_counter_run(&c->distributed, high, nr) << c->distributed.local_bits;
	distributed_counter_add(&c->distributed, high);
	return 0;
}

/* Counters that see something in the part: their signals are high, or their turn goes on. */
static uint32_t find_counting(const struct hpm *h, const struct part *p)
{
	uint32_t counting = 0;
	if (h->kind == HPM_DISTRIBUTED)
		counting = h->selected;
	uint64_t watched = p->is_whole ? h->watched_alone : h->watched;
	for (uint64_t left = watched & ~p->run->low; left; left &= left - 1) {
		unsigned s = (unsigned)__builtin_ctzll(left);
		counting |= p->run->lanes[s] ? h->watchers[s] : 0;
	}
	if (p->first > 0)
		counting &= h->of_instructions;
	if (p->is_whole)
		counting &= h->alone;
	return counting & ~h->inhibit;
}

/* Sums `nr` cycles of the whole run for counters that need no more. */
static void sum(struct hpm *h, const struct signal_run *run, uint64_t nr)
{
	for (uint64_t left = h->summed_signals & ~run->low; left; left &= left - 1) {
		unsigned s = (unsigned)__builtin_ctzll(left);
		h->lanes[s] += count_lanes(run->lanes[s]) * nr;
		h->cycles[s] += run->lanes[s] ? nr : 0;
	}
}

/* Passes `nr` cycles; the counters that are sampled and grew in them. */
static uint32_t pass(struct hpm *h, const struct part *p, uint64_t nr)
{
	uint32_t grown = 0;
	if (p->first == 0) {
		h->sampled = 0;
		h->cycle += h->inhibit >> HPM_CYCLE & 1 ? 0 : nr;
	}
	if (!(h->inhibit >> HPM_INSTRET & 1))
		h->instret += count_lanes(retired(p)) * nr;
	if (p->is_whole)
		sum(h, p->run, nr);
	for (uint32_t counting = find_counting(h, p); counting; counting &= counting - 1) {
		unsigned number = (unsigned)__builtin_ctz(counting);
		struct hpm_counter *c = hpm_counter(h, number);
		struct seen s = see(h, c, p);
		uint64_t counted = s.counted * nr;
		if (h->kind == HPM_DISTRIBUTED)
			counted = distribute(c, p, s.high, nr);
		c->value += counted;
		c->counted += counted;
		c->truth += s.truth * nr;
		grown |= (uint32_t)(counted > 0) << number;
	}
	return grown;
}

void hpm_stop(struct hpm *h, uint32_t stopped)
{
	stopped &= hpm_present(h);
	for (; stopped && h->kind == HPM_DISTRIBUTED; stopped &= stopped - 1) {
		struct hpm_counter *c = hpm_counter(h, (unsigned)__builtin_ctz(stopped));
		uint64_t counted = distributed_counter_drain(&c->distributed) << c->distributed.local_bits;
		c->value += counted;
		c->counted += counted;
	}
}

/* ---- Sampling ---- */

/* Cycles of the part, up to `left`, at whose end a counter can have reached its threshold for the first time. */
static uint64_t cycles_to_sample(const struct hpm *h, const struct part *p, uint64_t left)
{
	uint32_t sampling = h->sampling & find_counting(h, p);
	if (left <= 1)
		return left;
	if ((retired(p) && pes_is_full(h->pes)) || (sampling && h->kind == HPM_DISTRIBUTED))
		return 1;
	for (; sampling; sampling &= sampling - 1) {
		const struct hpm_counter *c = &h->counters[(unsigned)__builtin_ctz(sampling) - HPM_FIRST];
		uint64_t counted = see(h, c, p).counted, cycles = 1;
		if (counted == 0)
			continue;
		if (c->value < c->threshold)
			cycles = (c->threshold - c->value - 1) / counted + 1;
		left = cycles < left ? cycles : left;
	}
	return left;
}

/* The instruction whose increment reached the threshold in a cycle at whose end the register has c->value. */
static const struct signal_cause *reaching(const struct hpm *h, const struct hpm_counter *c, const struct part *p)
{
	struct part one = *p;
	struct seen all = see(h, c, p);
	uint64_t value = c->value - all.counted;
	unsigned lane = 0;
	for (; all.high; all.high &= all.high - 1) {
		lane = (unsigned)__builtin_ctzll(all.high);
		one.instructions = UINT64_C(1) << lane;
		value += see(h, c, &one).counted;
		if (value >= c->threshold)
			break;
	}
	return &p->run->causes->retired[lane];
}

/* The instruction that had the event; of several, the oldest. Of signals that nobody has, the next to retire. */
static const struct signal_cause *oldest(const struct hpm_counter *c, const struct part *p)
{
	const uint64_t nobodys = UINT64_C(1) << SIGNAL_RECOVERING | UINT64_C(1) << SIGNAL_ICACHE_BLOCKED |
				 UINT64_C(1) << SIGNAL_ICACHE_REFILL | UINT64_C(1) << SIGNAL_INTERLOCK_LOAD |
				 UINT64_C(1) << SIGNAL_INTERLOCK_ADDRESS | UINT64_C(1) << SIGNAL_INTERLOCK_LONG |
				 UINT64_C(1) << SIGNAL_INTERLOCK_CSR | UINT64_C(1) << SIGNAL_INTERLOCK_MULTIPLY |
				 UINT64_C(1) << SIGNAL_INTERLOCK_FP;
	const struct signal_causes *causes = p->run->causes;
	const struct signal_cause *found = NULL;
	for (unsigned t = 0; t < c->nr_terms && c->sources == EVENT_ONE; t++)
		for (uint64_t signals = c->terms[t].signals & ~nobodys; signals; signals &= signals - 1) {
			unsigned s = (unsigned)__builtin_ctzll(signals);
			if (signal_width(s) == SIGNAL_ONE && p->run->lanes[s] &&
			    (!found || causes->of[s].number < found->number))
				found = &causes->of[s];
		}
	return found ? found : &causes->next;
}

static const struct signal_cause *find_cause(const struct hpm *h, const struct hpm_counter *c, const struct part *p)
{
	if (!p->run->causes)
		return NULL;
	if (h->kind == HPM_DISTRIBUTED)
		return &p->run->causes->next;
	return c->sources == EVENT_INSTRUCTIONS ? reaching(h, c, p) : oldest(c, p);
}

/* Counters of `grown` that are at or past their thresholds at the end of the cycle. */
static void take_samples(struct hpm *h, const struct part *p, uint64_t cycle, uint32_t grown)
{
	for (grown &= h->sampling & ~h->sampled; grown; grown &= grown - 1) {
		unsigned number = (unsigned)__builtin_ctz(grown);
		struct hpm_counter *c = hpm_counter(h, number);
		if (c->value < c->threshold)
			continue;
		pes_take(h->pes, number, cycle, find_cause(h, c, p));
		c->value -= c->threshold;
		h->sampled |= 1u << number;
	}
}

static void interrupt(struct hpm *h)
{
	pes_interrupt(h->pes);
	if (h->full)
		h->full(h->user, h);
}

/* Instructions of the part retire, so that there is a boundary. */
static void retire(struct hpm *h, const struct part *p)
{
	if (!retired(p))
		return;
	if (pes_has_skid(h->pes) && p->run->causes)
		pes_retire(h->pes, p->run->causes->retired + p->first, count_lanes(retired(p)));
	if (pes_can_interrupt(h->pes))
		interrupt(h);
}

static void run_sampled(struct hpm *h, const struct part *p)
{
	for (uint64_t passed = 0; passed < p->run->nr;) {
		uint64_t nr = cycles_to_sample(h, p, p->run->nr - passed);
		uint32_t grown = pass(h, p, nr);
		passed += nr;
		take_samples(h, p, p->run->first + passed - 1, grown);
		retire(h, p);
	}
}

void hpm_run_lanes(struct hpm *h, const struct signal_run *run, unsigned first, unsigned end)
{
	uint64_t below_end = end < 64 ? (UINT64_C(1) << end) - 1 : UINT64_MAX;
	struct part p = {run, first < 64 ? below_end & UINT64_MAX << first : 0, first, first == 0 && end >= 64};
	if (h->sampling || (h->has_sampled && hpm_wants_boundaries(h)))
		run_sampled(h, &p);
	else
		pass(h, &p, run->nr);
}

void hpm_run(struct hpm *h, const struct signal_run *run)
{
	hpm_run_lanes(h, run, 0, MAX_SIGNAL_LANES);
}

bool hpm_wants_boundaries(const struct hpm *h)
{
	return pes_is_full(h->pes) || pes_has_skid(h->pes);
}

void hpm_finish(struct hpm *h)
{
	pes_finish(h->pes);
	if (pes_can_interrupt(h->pes))
		interrupt(h);
}
