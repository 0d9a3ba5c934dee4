#include "sched/ordered/sahm_watch.h"

#include "sched/ordered/sahm_pass.h"

bool sahm_watch_init(struct sahm_watch *w, struct arena *a, struct sched *s, enum swap_rule rule)
{
	uint32_t nr_cores = s->chip->nr_cores;
	*w = (struct sahm_watch){
		.s = s,
		.rule = rule,
		.shown = arena_alloc(a, nr_cores, 1),
		.shown_state = arena_alloc(a, nr_cores, 1),
		.is_idle = arena_alloc(a, nr_cores, sizeof(bool)),
		.inert = arena_alloc(a, bitset_words(nr_cores), sizeof(uint64_t)),
		.is_whole = true,
	};
	return w->shown && w->shown_state && w->is_idle && w->inert && sahm_index_init(&w->index, a, s->chip) &&
	       sahm_index_add_views(&w->index, a, 1);
}

/* Makes the index say what is the case on `core`. */
static void look_at(struct sahm_watch *w, uint32_t core)
{
	const struct sched *s = w->s;
	struct sahm_view *view = w->index.views;
	uint32_t t = s->queues[core].head, class = w->index.class_of[core];
	if (w->shown[core])
		sahm_view_hide(&w->index, view, core, class, w->shown_state[core], w->shown[core]);
	w->shown[core] = 0;
	bitset_remove(w->inert, core);
	if (w->is_idle[core] != (t == NO_THREAD)) {
		w->is_idle[core] = t == NO_THREAD;
		sahm_index_set_idle(&w->index, core, t == NO_THREAD);
	}
	if (t == NO_THREAD)
		return;
	const struct sched_thread *th = &s->threads[t];
	if (th->inertia > 0) {
		bitset_add(w->inert, core);
	} else if (th->observed != STATE_NONE) {
		w->shown[core] = (uint8_t)sahm_index_shows(w->rule, s->chip->cores[core], th->observed);
		w->shown_state[core] = th->observed;
		sahm_view_show(&w->index, view, core, class, th->observed, w->shown[core]);
	}
}

void sahm_watch_all(struct sahm_watch *w)
{
	w->is_whole = false;
	for (uint32_t c = 0; c < w->s->chip->nr_cores; c++)
		w->is_whole |= w->s->queues[c].length > 1;
	for (uint32_t c = 0; c < w->s->chip->nr_cores && !w->is_whole; c++)
		look_at(w, c);
}

void sahm_watch_core(struct sahm_watch *w, uint32_t core)
{
	if (!w->is_whole)
		look_at(w, core);
}

/* All of it; where it has moved somebody, queues can be shorter now. */
static void pass_whole(struct sahm_watch *w)
{
	uint64_t decisions = w->s->decisions;
	sahm_pass(w->s, w->rule);
	if (w->s->decisions != decisions)
		sahm_watch_all(w);
}

/* The turn of `core`, whose thread has no inertia and does not match. Where it goes it does, and who comes in its place
 * has had the turn: so nobody who has moved seeks again in this pass. */
static void seek(struct sahm_watch *w, uint32_t core)
{
	struct sched *s = w->s;
	uint32_t t = s->queues[core].head;
	uint64_t decisions = s->decisions;
	sahm_pass_place(s, t, core, s->threads[t].observed, w->rule);
	if (s->decisions == decisions)
		return;
	look_at(w, core);
	look_at(w, s->threads[t].core);
}

static void turn_with_inertia(struct sahm_watch *w, uint32_t core)
{
	uint32_t t = w->s->queues[core].head;
	if (!sched_has_moved(w->s, t) && --w->s->threads[t].inertia == 0)
		look_at(w, core);
}

void sahm_watch_pass(struct sahm_watch *w)
{
	const struct sahm_index *index = &w->index;
	struct sahm_view *view = index->views;
	if (w->is_whole) {
		pass_whole(w);
		return;
	}
	for (uint32_t from = 0, turn; from < w->s->chip->nr_cores; from = turn + 1) {
		unsigned states = view->seeks;
		if (states)
			states &= sahm_index_matched(index, view->released | index->idle.released);
		uint32_t inert = bitset_next(w->inert, from), seeker = BITSET_END;
		if (states)
			seeker = sahm_index_next_seeker(index, &view, 1, states, from);
		turn = inert < seeker ? inert : seeker;
		if (turn == BITSET_END)
			break;
		if (turn == inert)
			turn_with_inertia(w, turn);
		else
			seek(w, turn);
	}
}
