/* Event engine: the actions of a thread between two events, and the time of the next one. Inline, but for what is
 * seldom needed (event_thread.c): most of the time is spent here.
 *
 * All functions work at a point in time: timestep `now` is the first one that has not been executed.
 */
#ifndef SAHM_SIM_ENGINE_EVENT_THREAD_INTERNAL_H
#define SAHM_SIM_ENGINE_EVENT_THREAD_INTERNAL_H

#include "sim/engine/event_internal.h"

/* Debts below this, times any rate, stay below 2^61. */
#define SHORT_DEBT_NS (UINT64_C(1) << 31)

/* Lets the thread make progress for `ns`, from one change of rate to the next: what thread_sync() does in one go where
 * it can. */
void thread_advance(const struct event_sim *sim, struct event_thread *th, uint64_t ns);

/* Executions until the stay ends, in the same way. */
uint64_t thread_count_executions(const struct event_sim *sim, const struct event_thread *th);

/* Counts its progress up to `progress` within its stay. */
static inline void thread_account(struct event_thread *th, int64_t progress)
{
	if (!th->activity)
		return;
	th->activity[th->place.activity + th->state].progress += (uint64_t)(progress - th->accounted);
	th->accounted = progress;
}

/* Takes the thread into its next stay, `surplus` into it; `rest_ns` of its timestep are left. */
static inline void thread_enter_next_stay(struct event_thread *th, int64_t surplus, uint64_t rest_ns)
{
	thread_account(th, th->length);
	th->accounted = 0;
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
	th->rate = &th->place.rates[th->state];
}

/* Progress has gone past the end of the stay at this stay's rate. The surplus is time, which is spent in the next.
 */
static inline void thread_cross(struct event_thread *th)
{
	while (th->progress >= th->length && !th->ended) {
		uint64_t surplus,
			rest_ns = reciprocal_divide(th->rate->per_ns, (uint64_t)(th->progress - th->length), &surplus);
		thread_enter_next_stay(th, (int64_t)surplus, rest_ns);
		if (!th->ended)
			th->progress += (int64_t)(rest_ns * th->rate->per_ns.by);
	}
}

static inline void thread_count(struct event_sim *sim, struct event_thread *th, uint64_t nr)
{
	uint32_t kind = th->rate->kind;
	th->counts[kind] += nr;
	sim->cores[th->place.core].counts[kind] += nr;
	sim->counts[th->state][kind] += nr;
	if (th->activity)
		th->activity[th->place.activity + th->state].executed += nr;
	th->transitions += th->began_in != th->state && th->began_in != STATE_NONE;
	th->began_in = th->state;
}

/* Accounts for the thread's executions before `now`. They all began in its state: at most the last of them goes past
 * the end of the stay. */
static inline void thread_sync(struct event_sim *sim, struct event_thread *th, uint64_t now)
{
	if (now <= th->next)
		return;
	uint64_t nr = now - th->next;
	if (th->place.stride != 1)
		nr = (nr + th->place.stride - 1) / th->place.stride;
	thread_count(sim, th, nr);
	th->next += nr * th->place.stride;
	uint64_t ns = nr * sim->timestep_ns;
	if (th->debt_ns) {
		uint64_t paid_ns = th->debt_ns < ns ? th->debt_ns : ns;
		th->debt_ns -= paid_ns;
		th->paid_ns += paid_ns;
		ns -= paid_ns;
	}
	if (sim->is_wide || th->cold_ns) {
		thread_advance(sim, th, ns);
	} else {
		th->progress += (int64_t)(ns * th->rate->per_ns.by);
		if (th->progress >= th->length)
			thread_cross(th);
	}
	thread_account(th, th->progress);
}

/* Executions until the stay has ended, the one in which it does included. */
static inline uint64_t thread_executions_left(const struct event_sim *sim, const struct event_thread *th)
{
	const struct rate *rate = th->rate;
	uint64_t rest;
	if (sim->is_wide || th->cold_ns || th->debt_ns >= SHORT_DEBT_NS)
		return thread_count_executions(sim, th);
	uint64_t left = (uint64_t)(th->length - th->progress) + th->debt_ns * rate->per_ns.by;
	uint64_t nr = reciprocal_divide(rate->per_step, left, &rest);
	return nr + (rest != 0);
}

/* A thread that the index does not show neither moves nor is moved, and where queues keep their lengths nothing else
 * can happen to it: its executions are accounted for up to the first stay that makes it worth showing. False if there
 * is none before the run ends. (At most MAX_RUN_NS timesteps times a stride of MAX_THREADS fit 64 bits.) */
static inline bool thread_skip(struct event_sim *sim, struct event_thread *th)
{
	while (th->rate->shows == 0) {
		uint64_t nr = thread_executions_left(sim, th);
		if (nr > sim->limit || th->next + nr * th->place.stride >= sim->limit)
			return false;
		thread_sync(sim, th, th->next + nr * th->place.stride);
	}
	return true;
}

/* Works out when thread `t`, in sync, has to be looked at next, and tells the wheel:
 *   - when its state is not the observed one, in its next execution, which shows it;
 *   - else when it executes in another stay for the first time;
 *   - if it does not repeat its trace: at the end of the execution in which the stay ends.
 * All this is before the pass under the oracle, after it without. */
static inline void thread_schedule(struct event_sim *sim, uint32_t t, uint64_t now)
{
	struct event_thread *th = &sim->threads[t];
	if (sim->oracle)
		th->observed = th->state;
	bool is_news = th->observed != th->state;
	if (!is_news && sim->is_settled && th->rate->shows == 0) {
		is_news = thread_skip(sim, th);
		if (!is_news)
			return;
	}
	th->due = th->next;
	if (!is_news) {
		uint64_t nr = thread_executions_left(sim, th);
		if (nr > sim->limit)
			return;
		th->due = th->once ? th->next + (nr - 1) * th->place.stride + sim->oracle
				   : th->next + nr * th->place.stride;
	}
	if (th->due < sim->limit)
		wheel_add(&sim->wheel, t, th->due, now);
}

#endif
