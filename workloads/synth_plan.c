/* A whole trace's stays: what the urns give, and what they leave over where nothing that is left may follow. */
#include <stdlib.h>

#include "workloads/synth_internal.h"

static enum sahm_status add_stay(struct plan *plan, unsigned state, uint64_t length, struct sahm_err *err)
{
	if (plan->nr == plan->room) {
		size_t room = plan->room ? 2 * plan->room : 256;
		struct stay *bigger = realloc(plan->stays, room * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		plan->stays = bigger;
		plan->room = room;
	}
	plan->stays[plan->nr++] = (struct stay){length, state};
	return SAHM_OK;
}

/* Whether `state` may stand in front of stay `i`, behind the one before. */
static bool fits(const struct profile *p, const struct plan *plan, size_t i, unsigned state)
{
	return (i == 0 || p->follow[plan->stays[i - 1].state][state] > 0) &&
	       (i == plan->nr || p->follow[state][plan->stays[i].state] > 0);
}

/* Puts extra[i] epochs of `state` in front of stay i, for every i up to plan->nr. */
static enum sahm_status insert(struct plan *plan, unsigned state, const uint64_t *extra, struct sahm_err *err)
{
	struct plan wider = {.displaced = plan->displaced};
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i <= plan->nr && status == SAHM_OK; i++) {
		if (extra[i] > 0)
			status = add_stay(&wider, state, extra[i], err);
		if (i < plan->nr && status == SAHM_OK)
			status = add_stay(&wider, plan->stays[i].state, plan->stays[i].length, err);
	}
	if (status != SAHM_OK) {
		plan_release(&wider);
		return status;
	}
	plan_release(plan);
	*plan = wider;
	return SAHM_OK;
}

/* Spreads what the urns have left of `state` over the places where it fits, in stays as the profile asks for. */
static enum sahm_status place(struct plan *plan, struct stays *s, unsigned state, struct sahm_err *err)
{
	size_t *places = calloc(plan->nr + 1, sizeof(*places)), nr_places = 0;
	uint64_t *extra = calloc(plan->nr + 1, sizeof(*extra)), length;
	enum sahm_status status = places && extra ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; status == SAHM_OK && i <= plan->nr; i++)
		if (fits(s->profile, plan, i, state))
			places[nr_places++] = i;
	while (nr_places > 0 && (length = stays_take(s, state)) > 0)
		extra[places[rng_below(&s->rng, nr_places)]] += length;
	if (nr_places > 0)
		status = insert(plan, state, extra, err);
	free(places);
	free(extra);
	return status;
}

/* What fits nowhere prolongs a stay in the same state or, where there is none, the last one. */
static void displace(struct plan *plan, const struct stays *s, unsigned state)
{
	size_t i = plan->nr;
	while (i > 0 && plan->stays[i - 1].state != state)
		i--;
	plan->stays[i > 0 ? i - 1 : plan->nr - 1].length += s->left_in_state[state];
	plan->displaced += i > 0 ? 0 : s->left_in_state[state];
}

enum sahm_status plan_make(struct plan *plan, const struct profile *p, const struct profile_row *row, uint64_t seed,
			   struct sahm_err *err)
{
	struct stays s;
	enum sahm_status status = SAHM_OK;
	uint64_t length;
	unsigned state;
	*plan = (struct plan){0};
	stays_init(&s, p, row, seed);
	while (status == SAHM_OK && (length = stays_next(&s, &state)) > 0)
		status = add_stay(plan, state, length, err);
	for (state = 0; state < NR_STATES && status == SAHM_OK; state++) {
		if (s.left_in_state[state] > 0)
			status = place(plan, &s, state, err);
		if (s.left_in_state[state] > 0 && status == SAHM_OK)
			displace(plan, &s, state);
	}
	if (status != SAHM_OK)
		plan_release(plan);
	return status;
}

void plan_release(struct plan *plan)
{
	free(plan->stays);
	*plan = (struct plan){0};
}
