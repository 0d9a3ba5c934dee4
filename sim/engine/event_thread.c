/* Event engine: what a thread does where its rate changes for other reasons than its state. */
#include "sim/engine/event_thread_internal.h"

/* Progress per ns in part `part` of a warm-up. */
static int64_t warming_rate(const struct event_thread *th, unsigned part)
{
	int32_t speedup_ppm = (int32_t)((int64_t)th->rate->per_ns.by - PROGRESS_PER_NS);
	return PROGRESS_PER_NS + warmup_speedup_ppm(speedup_ppm, part);
}

/* ns of the coming `ns` in which the rate is that of *part. */
static uint64_t same_rate_ns(const struct event_sim *sim, const struct event_thread *th, uint64_t ns, unsigned *part)
{
	uint64_t warmup_ns = sim->config->warmup_ns;
	*part = WARMUP_PARTS;
	if (th->cold_ns == 0)
		return ns;
	*part = warmup_part(th->cold_ns, warmup_ns);
	uint64_t part_ns = warmup_part_left_ns(th->cold_ns, warmup_ns);
	return part_ns < ns ? part_ns : ns;
}

void thread_advance(const struct event_sim *sim, struct event_thread *th, uint64_t ns)
{
	while (ns > 0 && !th->ended) {
		unsigned part;
		uint64_t step_ns = same_rate_ns(sim, th, ns, &part);
		int64_t rate = warming_rate(th, part);
		uint64_t boundary_ns = (uint64_t)((th->length - th->progress + rate - 1) / rate);
		step_ns = step_ns < boundary_ns ? step_ns : boundary_ns;
		ns -= step_ns;
		th->cold_ns -= th->cold_ns ? step_ns : 0;
		th->progress += (int64_t)step_ns * rate;
		if (th->progress >= th->length)
			thread_enter_next_stay(th, th->progress - th->length, ns);
	}
}

/* ns of execution until the stay ends; NEVER if not in any run. */
static uint64_t stay_left_ns(const struct event_sim *sim, const struct event_thread *th)
{
	struct event_thread ahead = *th;
	uint64_t ns = th->debt_ns;
	if (ns > 2 * MAX_RUN_NS)
		return NEVER;
	for (;;) {
		unsigned part;
		uint64_t step_ns = same_rate_ns(sim, &ahead, NEVER, &part);
		int64_t rate = warming_rate(&ahead, part);
		uint64_t boundary_ns = (uint64_t)((ahead.length - ahead.progress + rate - 1) / rate);
		if (boundary_ns <= step_ns)
			return ns + boundary_ns;
		ns += step_ns;
		ahead.cold_ns -= step_ns;
		ahead.progress += (int64_t)step_ns * rate;
	}
}

uint64_t thread_count_executions(const struct event_sim *sim, const struct event_thread *th)
{
	uint64_t ns = stay_left_ns(sim, th);
	return ns / sim->timestep_ns + (ns % sim->timestep_ns != 0);
}
