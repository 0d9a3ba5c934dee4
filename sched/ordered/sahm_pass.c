#include "sched/ordered/sahm_pass.h"

/* Keeps the core with the largest speedup; the first offered wins a tie, and cores are offered in index order. */
struct choice {
	uint32_t core;
	int32_t speedup_ppm;
};

static void offer(struct choice *best, const struct sched *s, uint32_t core, unsigned state)
{
	int32_t ppm = s->chip->cores[core]->speedup_ppm[state];
	if (best->core == NO_CORE || ppm > best->speedup_ppm)
		*best = (struct choice){core, ppm};
}

/* Whether the head of `core`'s queue gains nothing there and may be swapped away to core `to`. */
static bool may_be_swapped(const struct sched *s, uint32_t core, uint32_t to, enum swap_rule rule)
{
	uint32_t t = s->queues[core].head;
	const struct sched_thread *th = &s->threads[t];
	const struct core_type *type = s->chip->cores[core];
	if (th->observed == STATE_NONE || th->inertia > 0 || sched_has_moved(s, t) || !sched_may_run(s, t, to))
		return false;
	return rule == SWAP_UNMATCHED ? !core_matches(type, th->observed) : !core_serves(type, th->observed);
}

static uint32_t most_idle_core(const struct sched *s, uint32_t t, uint32_t own)
{
	uint32_t best = own, fewest = s->queues[own].length - 1;
	for (uint32_t c = 0; c < s->chip->nr_cores; c++) {
		if (c != own && s->queues[c].length < fewest && sched_may_run(s, t, c)) {
			best = c;
			fewest = s->queues[c].length;
		}
	}
	return best;
}

void sahm_pass_place(struct sched *s, uint32_t t, uint32_t own, unsigned state, enum swap_rule rule)
{
	struct choice idle = {.core = NO_CORE}, busy = {.core = NO_CORE};
	for (uint32_t c = 0; c < s->chip->nr_cores; c++) {
		if (c == own || !core_matches(s->chip->cores[c], state) || !sched_may_run(s, t, c))
			continue;
		if (s->queues[c].length == 0)
			offer(&idle, s, c, state);
		else if (rule != SWAP_NEVER && may_be_swapped(s, c, own, rule))
			offer(&busy, s, c, state);
	}
	if (idle.core != NO_CORE) {
		sched_move(s, t, idle.core);
	} else if (busy.core != NO_CORE) {
		sched_swap(s, t, s->queues[busy.core].head);
	} else {
		uint32_t c = most_idle_core(s, t, own);
		if (c != own)
			sched_move(s, t, c);
	}
}

void sahm_pass(struct sched *s, enum swap_rule rule)
{
	for (uint32_t c = 0; c < s->chip->nr_cores; c++) {
		uint32_t t = s->queues[c].head;
		if (t == NO_THREAD || sched_has_moved(s, t))
			continue;
		struct sched_thread *th = &s->threads[t];
		if (th->inertia > 0) {
			th->inertia--;
			continue;
		}
		if (th->observed == STATE_NONE || core_matches(s->chip->cores[c], th->observed))
			continue;
		sahm_pass_place(s, t, c, th->observed, rule);
	}
}
