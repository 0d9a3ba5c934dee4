/* The engine in continuous time: what a thread does while it runs. */
#include <string.h>

#include "sim/engine/ext_internal.h"

/* Longest run of equal states that is looked at as one, in progress: sums with a timestep's stay below 2^63. */
#define MAX_STAY (INT64_C(1) << 61)

/* How many of eight epochs, from the first on, are in the same state as others; `differences` are those of the bytes of
 * their states. */
static uint64_t nr_same(uint64_t differences)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	differences = __builtin_bswap64(differences);
#endif
	return lowest_bit(differences) / 8;
}

/* The first epoch from `from` on, before `last`, in another state than `state`; `last` when there is none. */
static uint64_t next_change(const uint8_t *states, uint64_t from, uint64_t last, uint8_t state)
{
	uint64_t same = state * UINT64_C(0x0101010101010101), eight;
	for (; last - from >= sizeof(eight); from += sizeof(eight)) {
		memcpy(&eight, states + from, sizeof(eight));
		if (eight != same)
			return from + nr_same(eight ^ same);
	}
	while (from < last && states[from] == state)
		from++;
	return from;
}

/* Finds how long the trace stays in the state of the epoch in which the thread stands. */
static void find_stay(struct ext_thread *th)
{
	const struct cursor *c = &th->cursor;
	uint64_t last = c->epoch + least(th->longest_stay, c->nr_epochs - c->epoch);
	th->stay_end = next_change(c->states, c->epoch + 1, last, c->states[c->epoch]);
	th->stay_length = (int64_t)(th->stay_end - c->epoch) * c->epoch_progress;
}

static void next_burst(struct ext_thread *th)
{
	struct burst burst = bursts_next(&th->bursts);
	th->burst_left += (int64_t)burst.run_ns * PROGRESS_PER_NS;
}

void ext_count_present(struct ext *sim)
{
	uint64_t ns = sim->host.now - sim->counted_to;
	if (sim->is_stepped)
		count_present(&sim->result, sim->config, sim->nr_present, ns / sim->timestep_ns);
	else
		count_present(&sim->result, sim->config, sim->nr_awake, ns);
	sim->counted_to = sim->host.now;
}

void ext_thread_init(struct ext *sim, uint32_t t)
{
	struct ext_thread *th = &sim->threads[t];
	const struct sim_thread *from = &sim->config->threads[t];
	th->from = from;
	cursor_init(&th->cursor, from->states, from->nr_epochs, from->epoch_ns, from->offset_ns);
	th->cursor.once = from->once;
	th->began_in = STATE_NONE;
	th->asleep_from = th->yielded_at = NEVER;
	th->look_at = th->publish_at = NEVER;
	th->own_rate_at = NO_PLACE;
	/* Counters change with every epoch. */
	bool looks_at_epochs = sim->host.ops->flags & SAHM_OPS_COUNTERS || sim->probes;
	th->longest_stay = looks_at_epochs ? 1 : (uint64_t)(MAX_STAY / th->cursor.epoch_progress);
	bool can_wait =
		!looks_at_epochs && !from->counters && !sim->config->oracle && !sim->config->timeline && !from->once;
	/* Demands count from the beginnings of timesteps on, and rates do not change within one. */
	th->is_at_tick = can_wait && sim->config->nr_shared && sim->is_stepped;
	th->is_late = can_wait && !sim->config->nr_shared;
	find_stay(th);
	if (from->bursts) {
		bursts_init(&th->bursts, from->bursts, sim->config->seed, t);
		next_burst(th);
	}
}

/* Progress */

static uint64_t add(uint64_t a, uint64_t b)
{
	return b > NEVER - a ? NEVER : a + b;
}

/* ns until `progress` has been made at `rate`. */
static uint64_t ns_for(int64_t progress, int64_t rate)
{
	return progress <= 0 ? 0 : ((uint64_t)progress - 1) / (uint64_t)rate + 1;
}

/* Goes on to the next stay, if the end of this one has been reached. Within a stay the cursor is not moved from epoch
 * to epoch. */
static void advance_interval(struct ext_thread *th)
{
	struct cursor *c = &th->cursor;
	while (c->progress >= th->stay_length && !c->ended) {
		cursor_account(c, th->stay_length);
		c->accounted = 0;
		c->progress -= th->stay_length;
		c->nr_crossed += th->stay_end - c->epoch;
		c->epoch = th->stay_end;
		if (c->epoch == c->nr_epochs) {
			c->epoch = 0;
			c->ended = c->once;
			if (c->ended)
				c->progress = 0;
		}
		find_stay(th);
	}
}

/* Finds its rate from th->at on, and until when it stays as it is but for the debt that is paid first. */
static void begin_piece(struct ext *sim, struct ext_thread *th)
{
	const struct cursor *c = &th->cursor;
	struct reciprocal rate = sim->rates[th->task.cpu][cursor_state(c)].per_ns;
	int64_t left = th->stay_length - c->progress;
	uint64_t piece, rest, longest = NEVER;
	if (th->task.cold_ns == 0) {
		th->rate = (int64_t)rate.by;
		piece = left <= 0 ? 0 : reciprocal_divide(rate, (uint64_t)left - 1, &rest) + 1;
	} else {
		unsigned part = warmup_part(th->task.cold_ns, sim->config->warmup_ns);
		piece = warmup_part_left_ns(part, th->task.cold_ns, sim->config->warmup_ns);
		th->rate = PROGRESS_PER_NS + warmup_speedup_ppm((int32_t)((int64_t)rate.by - PROGRESS_PER_NS), part);
		longest = piece;
		piece = least(piece, ns_for(left, th->rate));
	}
	if (sim->shared)
		piece = ext_share_piece(sim, th, left, piece, longest);
	th->piece_end = add(add(th->at, th->task.debt_ns), piece);
	th->piece_tick = ext_tick_from(sim, th->piece_end);
}

/* Accounts for the thread up to `to`, at most the end of its piece. */
static void advance(struct ext_thread *th, uint64_t to)
{
	struct host_task *p = &th->task;
	uint64_t ns = to - th->at, paid = least(p->debt_ns, ns);
	th->at = to;
	p->debt_ns -= paid;
	th->result.paid_ns += paid;
	ns -= paid;
	if (p->cold_ns)
		p->cold_ns -= least(p->cold_ns, ns);
	int64_t progress = (int64_t)ns * th->rate;
	th->cursor.progress += progress;
	if (th->from->bursts)
		th->burst_left -= progress;
}

static void note_state(struct ext *sim, struct ext_thread *th, uint32_t cpu, uint64_t at);

static void end_piece(struct ext *sim, struct ext_thread *th)
{
	uint64_t tick = th->piece_tick;
	advance_interval(th);
	begin_piece(sim, th);
	if ((th->is_late || th->is_at_tick) && th->look_at == NEVER && cursor_state(&th->cursor) != th->state)
		th->look_at = tick;
}

/* Accounts for the thread, which runs, up to now. Its state is noted at the beginnings of timesteps before that: now is
 * one whose turn comes, or with which nothing begins. */
void ext_sync(struct ext *sim, struct ext_thread *th)
{
	uint64_t now = sim->host.now;
	while (th->at < now && !th->cursor.ended) {
		if (th->pace) {
			ext_follow_pace(sim, th);
			if (th->at >= th->piece_end)
				end_piece(sim, th);
			continue;
		}
		uint64_t to = least(now, th->piece_end);
		if (th->look_at < to)
			note_state(sim, th, (uint32_t)th->task.cpu, th->look_at);
		advance(th, to);
		if (to == th->piece_end)
			end_piece(sim, th);
	}
	th->at = now;
}

/* When what happens to the state of the thread has to be looked at. A thread whose changes need no immediate notice is
 * checked when it is observed. */
static uint64_t next_state_look(const struct ext *sim, const struct ext_thread *th)
{
	if (!th->is_late)
		return least(least(th->look_at, th->publish_at), th->is_at_tick ? th->piece_tick : th->piece_end);
	if (th->publish_at != NEVER)
		return th->publish_at;
	return add(least(th->look_at, th->piece_tick), sim->timestep_ns);
}

/* When the thread, which runs and is accounted for up to now, has to be looked at again; its slice ends at `slice_ns`.
 */
static uint64_t next_look(const struct ext *sim, const struct ext_thread *th, uint64_t slice_ns)
{
	if (th->cursor.ended)
		return sim->is_stepped
			       ? least(least(least(th->look_at, th->publish_at), slice_ns), ext_tick_from(sim, th->at))
			       : th->at;
	uint64_t ns = least(slice_ns, next_state_look(sim, th));
	if (!th->from->bursts)
		return ns;
	ns = least(ns, th->piece_end);
	return least(ns, add(add(th->at, th->task.debt_ns), ns_for(th->burst_left, th->rate)));
}

static void plan(struct ext *sim, uint32_t cpu)
{
	struct ext_thread *th = (struct ext_thread *)sim->host.cpus[cpu].curr;
	agenda_set(&sim->agenda, cpu, next_look(sim, th, host_slice_event(&sim->host, cpu)));
}

/* The same in the midst of something else: a look that is due now stays, so that a state which begins now is noted. */
static void plan_again(struct ext *sim, uint32_t cpu)
{
	if (agenda_ns(&sim->agenda, cpu) != sim->host.now)
		plan(sim, cpu);
}

void ext_change_rate(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	begin_piece(sim, th);
	plan_again(sim, cpu);
}

/* Stretches */

/* Counts the stretch up to `at`. */
static void count_stretch(struct ext *sim, struct ext_thread *th, uint32_t cpu, uint64_t at)
{
	uint64_t ns = at - th->counted_to;
	unsigned kind = sim->rates[cpu][th->state].kind;
	th->counted_to = at;
	if (ns == 0)
		return;
	if (th->cursor.activity) {
		th->cursor.activity[th->state].executed += ns;
		cursor_account(&th->cursor, th->cursor.progress);
	}
	th->result.transitions += th->began_in != STATE_NONE && th->began_in != th->state;
	th->began_in = th->state;
	th->counts[kind] += ns;
	sim->cores[cpu][kind] += ns;
	sim->states[th->state][kind] += ns;
}

void ext_split_stretch(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	count_stretch(sim, th, cpu, th->at);
}

static void observe(struct ext *sim, struct ext_thread *th, unsigned state)
{
	if (th->from->counters)
		th->task.counters = th->from->counters + th->stretch_epoch * NR_COUNTERS;
	th->publish_at = NEVER;
	if (!sim->probes && (th->task.observed != state || th->from->counters))
		host_observe(&sim->host, &th->task, state);
}

/* From `at` on. */
static void begin_stretch(struct ext *sim, struct ext_thread *th, uint64_t at)
{
	unsigned state = cursor_state(&th->cursor);
	th->began_at = th->counted_to = at;
	th->state = (uint8_t)state;
	th->stretch_epoch = th->cursor.epoch;
	th->look_at = th->publish_at = NEVER;
	if (sim->shared)
		ext_demand_begin(sim, th, (uint32_t)th->task.cpu);
	if (sim->config->oracle)
		observe(sim, th, state);
	else if (!sim->probes && (th->task.observed != state || th->from->counters))
		th->publish_at = sim->is_stepped ? at + sim->timestep_ns : ext_tick_from(sim, at + 1);
}

static void emit(struct ext *sim, enum timeline_kind kind, const struct ext_thread *th, uint32_t cpu, uint32_t from,
		 enum timeline_reason reason)
{
	if (!sim->config->timeline)
		return;
	const struct timeline_event event = {
		.ns = sim->host.now,
		.core = cpu,
		.thread = th->task.index,
		.kind = kind,
		.reason = reason,
		.from = from,
		.state = (uint8_t)cursor_state(&th->cursor),
	};
	sim->config->timeline->take(sim->config->timeline, &event);
}

static void note_wait(struct ext *sim, const struct host_task *p)
{
	uint64_t ns = sim->host.now - p->ready_ns;
	if (!sim->config->waits)
		return;
	if (p->is_waking)
		histogram_add(&sim->config->waits->latency, sim->host.now - p->woke_ns);
	/* A thread that goes on where it stopped at once has not waited. */
	if (p->is_waking || p->is_new || ns > 0)
		histogram_add(&sim->config->waits->wait, ns);
}

__attribute__((flatten)) void ext_begin(void *engine, struct host_task *p, u32 cpu)
{
	struct ext *sim = engine;
	struct ext_thread *th = (struct ext_thread *)p;
	th->at = sim->host.now;
	sim->nr_running++;
	note_wait(sim, p);
	th->cursor.activity = ext_activity(sim, th, cpu);
	if (sim->levels)
		sim->levels[cpu].busy_since = th->at;
	begin_piece(sim, th);
	begin_stretch(sim, th, th->at);
	th->told = th->state;
	emit(sim, TIMELINE_RUN, th, cpu, cpu, 0);
	plan(sim, cpu);
}

__attribute__((flatten)) void ext_end(void *engine, struct host_task *p, u32 cpu)
{
	struct ext *sim = engine;
	struct ext_thread *th = (struct ext_thread *)p;
	ext_sync(sim, th);
	count_stretch(sim, th, cpu, th->at);
	if (sim->shared)
		ext_demand_end(sim, th, cpu);
	if (sim->levels) {
		sim->levels[cpu].busy_ns += th->at - sim->levels[cpu].busy_since;
		sim->levels[cpu].busy_since = NEVER;
	}
	sim->nr_running--;
	if (sim->config->oracle && !th->cursor.ended)
		observe(sim, th, cursor_state(&th->cursor));
	else if (th->publish_at != NEVER && sim->host.now > th->began_at)
		observe(sim, th, th->state);
	th->look_at = th->publish_at = NEVER;
	emit(sim, TIMELINE_STOP, th, cpu, cpu,
	     th->asleep_from != NEVER	       ? TIMELINE_SLEEP
	     : th->cursor.ended		       ? TIMELINE_LEAVE
	     : th->yielded_at == sim->host.now ? TIMELINE_YIELD
					       : TIMELINE_TURN);
	/* The core's event stays where it is: mostly another thread begins at once, and sets it. */
}

void ext_slice(void *engine, u32 cpu)
{
	struct ext *sim = engine;
	if (!sim->host.cpus[cpu].curr) {
		agenda_set(&sim->agenda, cpu, NEVER);
		return;
	}
	ext_sync(sim, (struct ext_thread *)sim->host.cpus[cpu].curr);
	plan_again(sim, cpu);
}

void ext_update(void *engine, struct host_task *p)
{
	ext_sync(engine, (struct ext_thread *)p);
	plan_again(engine, (u32)p->cpu);
}

void ext_moved(void *engine, struct host_task *p, u32 from, u32 to)
{
	emit(engine, TIMELINE_MIGRATE, (struct ext_thread *)p, to, from, 0);
}

void ext_report_wake(struct ext *sim, const struct ext_thread *th)
{
	emit(sim, TIMELINE_WAKE, th, (uint32_t)th->task.cpu, (uint32_t)th->task.cpu, 0);
}

/* The events of a core */

/* Its trace has ended; whether the thread is still there. */
static bool let_leave(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	uint64_t now = sim->host.now;
	if (!th->result.left) {
		th->result.left = true;
		th->result.present_ns = now - th->arrived_ns;
	}
	if (sim->is_stepped && ext_tick_from(sim, now) != now) {
		plan(sim, cpu);
		return true;
	}
	ext_count_present(sim);
	sim->nr_present--;
	sim->nr_awake--;
	host_leave(&sim->host, cpu);
	return false;
}

/* The burst is over; whether the thread still runs. */
static bool let_sleep(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	uint64_t now = sim->host.now;
	if (bursts_are_over(&th->bursts)) {
		th->cursor.ended = true;
		return let_leave(sim, th, cpu);
	}
	struct burst_pause pause = bursts_pause(&th->bursts, th->arrived_ns, now);
	next_burst(th);
	if (pause.until_ns == now && !pause.yields)
		return true;
	if (pause.until_ns == now) {
		th->yielded_at = now;
		host_yield(&sim->host, cpu);
		return th->task.is_running;
	}
	th->asleep_from = now;
	agenda_set(&sim->agenda, ext_thread_event(sim, th->task.index), pause.until_ns);
	ext_count_present(sim);
	sim->nr_awake--;
	host_block(&sim->host, cpu);
	return false;
}

/* Notes the thread's state at `at`, the beginning of a timestep. */
static void note_state(struct ext *sim, struct ext_thread *th, uint32_t cpu, uint64_t at)
{
	unsigned state = cursor_state(&th->cursor);
	if (state == th->state && !th->from->counters) {
		th->look_at = NEVER;
		return;
	}
	count_stretch(sim, th, cpu, at);
	begin_stretch(sim, th, at);
}

static void look_at_state(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	uint64_t now = sim->host.now;
	unsigned state = cursor_state(&th->cursor);
	if (sim->config->timeline && state != th->told) {
		th->told = (uint8_t)state;
		emit(sim, TIMELINE_RUN, th, cpu, cpu, 0);
	}
	if (now >= th->publish_at)
		observe(sim, th, th->state);
	bool is_new = state != th->state || (th->from->counters && th->cursor.epoch != th->stretch_epoch);
	if (is_new && th->look_at == NEVER)
		th->look_at = ext_tick_from(sim, now);
	if (now >= th->look_at)
		note_state(sim, th, cpu, now);
}

__attribute__((flatten)) void ext_look_at(struct ext *sim, uint32_t cpu)
{
	struct ext_thread *th = (struct ext_thread *)sim->host.cpus[cpu].curr;
	if (!th) {
		agenda_set(&sim->agenda, cpu, NEVER);
		return;
	}
	ext_sync(sim, th);
	if (th->cursor.ended) {
		let_leave(sim, th, cpu);
		return;
	}
	if (th->from->bursts && th->burst_left <= 0 && !let_sleep(sim, th, cpu))
		return;
	look_at_state(sim, th, cpu);
	uint64_t slice_ns = host_slice_event(&sim->host, cpu);
	if (slice_ns > sim->host.now) {
		agenda_set(&sim->agenda, cpu, next_look(sim, th, slice_ns));
		return;
	}
	host_slice_over(&sim->host, cpu);
	if (sim->host.cpus[cpu].curr)
		plan(sim, cpu);
}

void ext_feed(struct ext *sim)
{
	for (uint32_t cpu = 0; cpu < sim->config->chip->nr_cores; cpu++) {
		struct ext_thread *th = (struct ext_thread *)sim->host.cpus[cpu].curr;
		if (!th)
			continue;
		ext_sync(sim, th);
		const struct probe_inputs *inputs = &th->from->inputs;
		probes_set(sim->probes, cpu, th->task.index, inputs, th->cursor.epoch);
		sim->probes->accurate[cpu] += th->task.observed == cursor_state(&th->cursor);
		probes_feed(sim->probes, cpu, inputs->valid);
		plan(sim, cpu);
	}
}

void ext_thread_conclude(struct ext *sim, uint32_t t)
{
	struct ext_thread *th = &sim->threads[t];
	const struct sim_thread *from = th->from;
	struct sim_thread_result *r = &th->result;
	if (th->task.is_running) {
		ext_sync(sim, th);
		count_stretch(sim, th, (uint32_t)th->task.cpu, th->at);
		if (th->cursor.ended && !r->left) {
			r->left = true;
			r->present_ns = sim->host.now - th->arrived_ns;
		}
		emit(sim, TIMELINE_STOP, th, (uint32_t)th->task.cpu, (uint32_t)th->task.cpu, TIMELINE_END);
	}
	if (th->asleep_from != NEVER)
		r->slept_ns += sim->host.now - th->asleep_from;
	if (th->arrived_ns != NEVER && !r->left)
		r->present_ns = sim->host.now - th->arrived_ns;
	r->completed_ns =
		completed_ns(from, from->offset_ns / from->epoch_ns + th->cursor.nr_crossed, th->cursor.progress);
	r->migrations = th->task.migrations;
}
