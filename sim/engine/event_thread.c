/* Event engine: what a thread does where its rate changes for other reasons than its state. */
#include "sim/engine/event_thread_internal.h"

__extension__ typedef unsigned __int128 wide;

/* Time in which the rate is the same: to the end of a part of the warm-up, or for ever. */
struct stretch {
	uint64_t ns;
	uint64_t rate; /* progress per ns */
};

/* Part of the warm-up in which a thread is that has `cold_ns` of it ahead. */
static unsigned part_of(const struct event_sim *sim, uint64_t cold_ns)
{
	return cold_ns ? warmup_part(cold_ns, sim->config->warmup_ns) : WARMUP_PARTS;
}

/* The coming stretch of a thread in that part. */
static struct stretch next_stretch(const struct event_sim *sim, const struct event_thread *th, unsigned part,
				   uint64_t cold_ns)
{
	uint64_t full = th->rate->per_ns.by;
	if (part == WARMUP_PARTS)
		return (struct stretch){NEVER, full};
	int64_t speedup_ppm = warmup_speedup_ppm((int32_t)((int64_t)full - PROGRESS_PER_NS), part);
	return (struct stretch){warmup_part_left_ns(part, cold_ns, sim->config->warmup_ns),
				(uint64_t)(PROGRESS_PER_NS + speedup_ppm)};
}

void thread_advance(const struct event_sim *sim, struct event_thread *th, uint64_t ns)
{
	unsigned part = part_of(sim, th->cold_ns);
	while (ns > 0 && !th->ended) {
		struct stretch s = next_stretch(sim, th, part, th->cold_ns);
		uint64_t left = (uint64_t)(th->length - th->progress), step_ns = s.ns < ns ? s.ns : ns;
		bool ends = (wide)step_ns * s.rate >= left;
		if (ends)
			step_ns = (left + s.rate - 1) / s.rate;
		ns -= step_ns;
		th->cold_ns -= th->cold_ns ? step_ns : 0;
		part += step_ns == s.ns;
		th->progress += (int64_t)(step_ns * s.rate);
		if (ends)
			thread_enter_next_stay(th, th->progress - th->length, ns);
	}
}

/* ns of execution until the stay ends; NEVER if not in any run. */
static uint64_t stay_left_ns(const struct event_sim *sim, const struct event_thread *th)
{
	uint64_t ns = th->debt_ns, cold_ns = th->cold_ns, left = (uint64_t)(th->length - th->progress);
	if (ns > 2 * MAX_RUN_NS)
		return NEVER;
	for (unsigned part = part_of(sim, cold_ns);; part++) {
		struct stretch s = next_stretch(sim, th, part, cold_ns);
		if ((wide)s.ns * s.rate >= left)
			return ns + (left + s.rate - 1) / s.rate;
		ns += s.ns;
		cold_ns -= s.ns;
		left -= s.ns * s.rate;
	}
}

uint64_t thread_count_executions(const struct event_sim *sim, const struct event_thread *th)
{
	return timesteps_of(stay_left_ns(sim, th), sim->timestep_ns);
}
