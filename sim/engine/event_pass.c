/* Event engine: scheduling passes. The rules are those of sched/ordered/sahm_pass.h; only threads and cores that the
 * index lists are looked at. */
#include <assert.h>

#include "sim/engine/event_thread_internal.h"

/* Memory that views may take; where that is too little for a view per phase of longer queues, these are crowded. */
#define VIEW_BYTES ((size_t)8 << 20)

bool passes_init(struct event_sim *sim, struct arena *a)
{
	const struct sim_config *config = sim->config;
	uint32_t nr_cores = config->chip->nr_cores;
	sim->expiring = arena_alloc(a, bitset_words(nr_cores), sizeof(*sim->expiring));
	sim->moved = arena_alloc(a, config->nr_threads, sizeof(*sim->moved));
	if (!sim->expiring || !sim->moved || !wheel_init(&sim->inertia, a, config->nr_threads))
		return false;
	size_t nr_views = VIEW_BYTES / sahm_view_bytes(&sim->index);
	sim->longest_view = 1;
	while (config->policy->sahm_rules && sim->longest_view < LONGEST_VIEW &&
	       sim->longest_view < config->nr_threads && pass_first_view(sim->longest_view + 2) < nr_views)
		sim->longest_view++;
	if (!sahm_index_add_views(&sim->index, a, pass_first_view(sim->longest_view + 1) + 1))
		return false;
	for (uint32_t c = 0; c < nr_cores; c++)
		sahm_index_set_idle(&sim->index, c, true);
	return true;
}

/* Shows the present heads of crowded cores. */
static void show_crowds(struct event_sim *sim, uint64_t now)
{
	for (uint32_t c = 0; c < sim->config->chip->nr_cores && (c = bitset_next(sim->crowded, c)) != BITSET_END; c++) {
		struct event_core *core = &sim->cores[c];
		uint32_t head = *queue_head(core, now);
		if (core->shown == head)
			continue;
		if (core->shown != NO_THREAD)
			pass_hide(sim, core->shown);
		pass_show(sim, head, now);
	}
}

/* Queues of other lengths may occur after each move. */
static void find_views(struct event_sim *sim, uint64_t now)
{
	sim->nr_views = 0;
	for (uint32_t n = 1; n <= sim->longest && n <= sim->longest_view; n++)
		if (sim->lengths[n])
			sim->views[sim->nr_views++] = pass_view(sim, n, now);
	if (sim->nr_crowded)
		sim->views[sim->nr_views++] = pass_view(sim, sim->longest, now);
}

/* The thread has come from core `from`. */
static void charge(struct event_sim *sim, uint32_t t, uint32_t from, uint64_t now)
{
	const struct sim_config *config = sim->config;
	struct event_thread *th = &sim->threads[t];
	uint64_t cost_ns = distance_cost_ns(&config->distances, config->chip->nr_cores, from, th->place.core);
	th->debt_ns = debt_after_move_ns(th->debt_ns, cost_ns);
	th->cold_ns = config->warmup_ns;
	th->moved_pass = now + 1;
	th->migrations++;
	if (config->inertia == 0)
		sim->moved[sim->nr_moved++] = t;
}

static void take_out(struct event_sim *sim, uint32_t t, uint64_t now)
{
	pass_hide(sim, t);
	wheel_remove(&sim->wheel, t);
	thread_sync(sim, &sim->threads[t], now);
}

/* Puts a thread that has been taken out in the place of another. */
static void put_in(struct event_sim *sim, uint32_t t, const struct event_place *place, uint64_t now)
{
	struct event_thread *th = &sim->threads[t];
	uint32_t from = th->place.core;
	th->place = *place;
	th->rate = &place->rates[th->state];
	charge(sim, t, from, now);
	th->free_pass = now + (uint64_t)sim->config->inertia * place->stride + 1;
	thread_schedule(sim, t, now);
	pass_show(sim, t, now);
}

/* Heads `a` and `b` trade places. */
static void swap(struct event_sim *sim, uint32_t a, uint32_t b, uint64_t now)
{
	uint32_t *slot_a = queue_head(&sim->cores[sim->threads[a].place.core], now);
	uint32_t *slot_b = queue_head(&sim->cores[sim->threads[b].place.core], now);
	take_out(sim, a, now);
	take_out(sim, b, now);
	*slot_a = b;
	*slot_b = a;
	struct event_place place = sim->threads[a].place;
	put_in(sim, a, &sim->threads[b].place, now);
	put_in(sim, b, &place, now);
	sim->result.decisions++;
}

/* Head `t` joins the tail of core `to`. */
static void move(struct event_sim *sim, uint32_t t, uint32_t to, uint64_t now)
{
	struct event_thread *th = &sim->threads[t];
	uint32_t from = th->place.core;
	queue_open(sim, from, now);
	queue_open(sim, to, now);
	queue_remove(sim, from, t);
	queue_append(sim, to, t);
	charge(sim, t, from, now);
	th->free_pass = sim->config->inertia;
	queue_close(sim, from, now);
	queue_close(sim, to, now);
	find_views(sim, now);
	sim->result.decisions++;
}

/* Step 5: the core with the shortest queue, its own counted without it and preferred, then lowest index. */
static uint32_t most_idle_core(const struct event_sim *sim, const struct event_thread *th)
{
	uint32_t best = th->place.core, fewest = sim->cores[th->place.core].length - 1;
	if (sim->shortest >= fewest)
		return best;
	for (uint32_t c = 0; c < sim->config->chip->nr_cores; c++) {
		if (c != th->place.core && sim->cores[c].length < fewest && core_set_has(th->allowed, c)) {
			best = c;
			fewest = sim->cores[c].length;
		}
	}
	return best;
}

/* The next core of `set`, from `from` on, that thread `t` of core `own` may go to, and whose head, if it has one, may
 * come in exchange. */
static uint32_t next_open_to(const struct event_sim *sim, const uint64_t *set, uint32_t t, uint32_t own, uint32_t from,
			     uint64_t now)
{
	const uint64_t *allowed = sim->threads[t].allowed;
	for (; from < sim->config->chip->nr_cores; from++) {
		from = allowed ? bitset_next_in(set, allowed, from) : bitset_next(set, from);
		if (from == BITSET_END || !sim->has_sets || sim->cores[from].length == 0 ||
		    core_set_has(sim->threads[*queue_head(&sim->cores[from], now)].allowed, own))
			return from;
	}
	return BITSET_END;
}

/* Steps 3 and 4 for head `t` of core `own`: of the cores that match its state and that one of the views shows as
 * released, the best speedup first, then the lowest index; BITSET_END when there is none. */
static uint32_t best_core(const struct event_sim *sim, struct sahm_view *const *views, unsigned nr_views, uint32_t t,
			  uint32_t own, uint64_t now)
{
	const struct sahm_index *index = &sim->index;
	unsigned state = sim->threads[t].observed;
	uint32_t best = BITSET_END;
	for (uint32_t i = 0; i < index->nr_tiers[state] && best == BITSET_END; i++) {
		const struct sahm_tier *tier = &index->tiers[state][i];
		for (uint32_t k = tier->first; k < tier->first + tier->nr; k++) {
			for (unsigned v = 0; v < nr_views; v++) {
				const uint64_t *set = sahm_view_released(index, views[v], index->offers[k]);
				uint32_t core = bitset_first(set);
				if (sim->has_sets && core < best)
					core = next_open_to(sim, set, t, own, core, now);
				best = core < best ? core : best;
			}
		}
	}
	return best;
}

/* Steps 3 to 5 for the head of `own`, which does not match. */
static void seek(struct event_sim *sim, uint32_t own, uint64_t now)
{
	uint32_t t = *queue_head(&sim->cores[own], now), to = BITSET_END;
	struct sahm_view *idle = &sim->index.idle;
	if (idle->released && (to = best_core(sim, &idle, 1, t, own, now)) != BITSET_END) {
		move(sim, t, to, now);
		return;
	}
	to = best_core(sim, sim->views, sim->nr_views, t, own, now);
	if (to != BITSET_END) {
		swap(sim, t, *queue_head(&sim->cores[to], now), now);
		return;
	}
	to = most_idle_core(sim, &sim->threads[t]);
	if (to != own)
		move(sim, t, to, now);
}

/* The inertia of the head of `core` has run out: it can be swapped away from now on, and seek in its next pass. */
static void expire(struct event_sim *sim, uint32_t core, uint64_t now)
{
	uint32_t t = *queue_head(&sim->cores[core], now);
	bitset_remove(sim->expiring, core);
	sim->threads[t].free_pass = 0;
	pass_show(sim, t, now);
}

/* Notes whose inertia runs out in this pass. */
static void take_expiring(struct event_sim *sim, uint64_t now)
{
	uint32_t t;
	while ((t = wheel_take(&sim->inertia, now)) != WHEEL_NOBODY) {
		if (sim->threads[t].free_pass > now + 1)
			wheel_add(&sim->inertia, t, sim->threads[t].free_pass - 1, now);
		else
			bitset_add(sim->expiring, sim->threads[t].place.core);
	}
}

/* States in which seekers may find something, where `seeks` are those of all, and `released` the classes with heads
 * that can be swapped away. */
static inline unsigned matchable_states(const struct event_sim *sim, unsigned seeks, uint64_t released)
{
	if (sim->longest > sim->shortest + 1)
		return seeks;
	return seeks & sahm_index_matched(&sim->index, released | sim->index.idle.released);
}

/* matchable_states() for the pass under way. */
static inline unsigned matchable_now(const struct event_sim *sim)
{
	unsigned seeks = sim->views[0]->seeks;
	uint64_t released = sim->views[0]->released;
	for (unsigned v = 1; v < sim->nr_views; v++) {
		seeks |= sim->views[v]->seeks;
		released |= sim->views[v]->released;
	}
	return matchable_states(sim, seeks, released);
}

uint64_t pass_next(const struct event_sim *sim, uint64_t now)
{
	if (!sim->config->policy->sahm_rules)
		return NEVER;
	/* Where queues of several lengths turn, other heads meet in each timestep. The head of a crowd is shown when
	 * its turn comes, without notice. */
	if (sim->nr_lengths > 1 || sim->nr_crowded)
		return now;
	if (now < sim->examine_until &&
	    (sim->longest > 1 || matchable_states(sim, sim->index.views->seeks, sim->index.views->released)))
		return now;
	return wheel_next(&sim->inertia, now);
}

/* Everything inline: a tenth less work. */
__attribute__((flatten)) void pass_run(struct event_sim *sim, uint64_t now)
{
	uint32_t nr_cores = sim->config->chip->nr_cores;
	if (sim->nr_crowded)
		show_crowds(sim, now);
	take_expiring(sim, now);
	if (sim->longest != 1 || sim->nr_views != 1 || sim->views[0] != sim->index.views)
		find_views(sim, now);
	assert(sim->nr_views > 0);
	sim->in_pass = true;
	for (uint32_t from = 0; from < nr_cores; from = sim->turn + 1) {
		unsigned states = matchable_now(sim);
		uint32_t expiring = BITSET_END, seeker = BITSET_END;
		if (!bitset_is_empty(sim->expiring))
			expiring = bitset_next(sim->expiring, from);
		if (states)
			seeker = sahm_index_next_seeker(&sim->index, sim->views, sim->nr_views, states, from);
		if (expiring < seeker) {
			sim->turn = expiring;
			expire(sim, expiring, now);
		} else if (seeker != BITSET_END) {
			sim->turn = seeker;
			seek(sim, seeker, now);
		} else {
			break;
		}
	}
	sim->in_pass = false;
	sim->inert_from = now + 2;
	for (; sim->nr_moved > 0; sim->nr_moved--)
		pass_show(sim, sim->moved[sim->nr_moved - 1], now);
}
