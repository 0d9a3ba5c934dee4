/* Event engine: what a thread does between two events, and when the next one is. */
#include "sim/engine/event_internal.h"

/* Debts below this, times any rate, stay below 2^61. */
#define SHORT_DEBT_NS (UINT64_C(1) << 31)

/* Takes the thread into its next stay, `surplus` into it; `rest_ns` of its timestep are left. */
static void enter_next_stay(struct event_thread *th, int64_t surplus, uint64_t rest_ns)
{
	if (++th->stay == th->nr_stays) {
		th->stay = 0;
		th->nr_laps++;
		if (th->once) {
			th->ended = true;
			th->rest_ns = rest_ns;
			surplus = 0;
		}
	}
	th->progress = surplus;
	th->length = stay_epochs(th->stays[th->stay]) * th->epoch_progress;
	th->state = (uint8_t)stay_state(th->stays[th->stay]);
}

/* Progress has gone past the end of the stay at this stay's rate. What is too much is time, which is spent in the next.
 */
static void cross(struct event_thread *th)
{
	while (th->progress >= th->length && !th->ended) {
		uint64_t surplus, rest_ns = reciprocal_divide(th->place.rates[th->state].per_ns,
							      (uint64_t)(th->progress - th->length), &surplus);
		enter_next_stay(th, (int64_t)surplus, rest_ns);
		if (!th->ended)
			th->progress += (int64_t)(rest_ns * th->place.rates[th->state].per_ns.by);
	}
}

/* Progress per ns in part `part` of a warm-up. */
static int64_t warming_rate(const struct event_thread *th, unsigned part)
{
	int32_t speedup_ppm = (int32_t)((int64_t)th->place.rates[th->state].per_ns.by - PROGRESS_PER_NS);
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

/* The general case of what thread_sync() does in one go: from one change of rate to the next. */
static void advance(const struct event_sim *sim, struct event_thread *th, uint64_t ns)
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
			enter_next_stay(th, th->progress - th->length, ns);
	}
}

static void count(struct event_sim *sim, struct event_thread *th, uint64_t nr)
{
	uint32_t kind = th->place.rates[th->state].kind;
	th->counts[kind] += nr;
	sim->cores[th->place.core].counts[kind] += nr;
	sim->counts[th->state][kind] += nr;
	th->transitions += th->began_in != th->state && th->began_in != STATE_NONE;
	th->began_in = th->state;
}

void thread_sync(struct event_sim *sim, struct event_thread *th, uint64_t now)
{
	if (now <= th->next)
		return;
	uint64_t nr = now - th->next;
	if (th->place.stride != 1)
		nr = (nr + th->place.stride - 1) / th->place.stride;
	count(sim, th, nr);
	th->next += nr * th->place.stride;
	uint64_t ns = nr * sim->config->timestep_ns;
	if (th->debt_ns) {
		uint64_t paid_ns = th->debt_ns < ns ? th->debt_ns : ns;
		th->debt_ns -= paid_ns;
		th->paid_ns += paid_ns;
		ns -= paid_ns;
	}
	if (sim->is_wide || th->cold_ns) {
		advance(sim, th, ns);
		return;
	}
	th->progress += (int64_t)(ns * th->place.rates[th->state].per_ns.by);
	if (th->progress >= th->length)
		cross(th);
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

/* Executions until the stay has ended, the one in which it does included. */
static uint64_t executions_left(const struct event_sim *sim, const struct event_thread *th)
{
	const struct rate *rate = &th->place.rates[th->state];
	uint64_t rest;
	if (sim->is_wide || th->cold_ns || th->debt_ns >= SHORT_DEBT_NS) {
		uint64_t ns = stay_left_ns(sim, th), timestep_ns = sim->config->timestep_ns;
		return ns / timestep_ns + (ns % timestep_ns != 0);
	}
	uint64_t left = (uint64_t)(th->length - th->progress) + th->debt_ns * rate->per_ns.by;
	uint64_t nr = reciprocal_divide(rate->per_step, left, &rest);
	return nr + (rest != 0);
}

void thread_schedule(struct event_sim *sim, uint32_t t, uint64_t now)
{
	struct event_thread *th = &sim->threads[t];
	bool oracle = sim->config->oracle;
	if (oracle)
		th->observed = th->state;
	if (th->observed != th->state) {
		th->due = th->next;
	} else {
		uint64_t nr = executions_left(sim, th);
		if (nr > sim->limit) {
			th->due = NEVER;
			return;
		}
		th->due = th->once ? th->next + (nr - 1) * th->place.stride + oracle : th->next + nr * th->place.stride;
	}
	if (th->due < sim->limit)
		wheel_add(&sim->wheel, t, th->due, now);
}
