/* A whole trace's stays in order: as they are drawn, and what is left over when nothing that is left may follow. */
#include <stdlib.h>

#include "workloads/synth/synth_internal.h"

enum sahm_status plan_add(struct plan *plan, struct stay stay, struct sahm_err *err)
{
	if (plan->nr == plan->room) {
		size_t room = plan->room ? 2 * plan->room : 256;
		struct stay *bigger = realloc(plan->stays, room * sizeof(*bigger));
		if (!bigger)
			return sahm_fail_nomem(err);
		plan->stays = bigger;
		plan->room = room;
	}
	plan->stays[plan->nr++] = stay;
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
			status = plan_add(&wider, (struct stay){.length = extra[i], .state = state}, err);
		if (i < plan->nr && status == SAHM_OK)
			status = plan_add(&wider, plan->stays[i], err);
	}
	if (status != SAHM_OK) {
		plan_release(&wider);
		return status;
	}
	plan_release(plan);
	*plan = wider;
	return SAHM_OK;
}

/* Spreads the stays that are left of `state` over the places where it fits. */
static enum sahm_status place(struct plan *plan, struct stays *s, unsigned state, struct sahm_err *err)
{
	size_t *places = calloc(plan->nr + 1, sizeof(*places)), nr_places = 0;
	uint64_t *extra = calloc(plan->nr + 1, sizeof(*extra));
	enum sahm_status status = places && extra ? SAHM_OK : sahm_fail_nomem(err);
	struct stay stay;
	for (size_t i = 0; status == SAHM_OK && i <= plan->nr; i++)
		if (fits(s->profile, plan, i, state))
			places[nr_places++] = i;
	while (nr_places > 0 && stays_take(s, state, &stay))
		extra[places[rng_below(&s->rng, nr_places)]] += stay.length;
	if (nr_places > 0)
		status = insert(plan, state, extra, err);
	free(places);
	free(extra);
	return status;
}

/* What fits nowhere prolongs a stay in the same state or, where there is none, the last one. */
static void displace(struct plan *plan, struct stays *s, unsigned state)
{
	size_t i = plan->nr;
	struct stay stay;
	while (i > 0 && plan->stays[i - 1].state != state)
		i--;
	while (stays_take(s, state, &stay)) {
		plan->stays[i > 0 ? i - 1 : plan->nr - 1].length += stay.length;
		plan->displaced += i > 0 ? 0 : stay.length;
	}
}

/* Lets the trace begin at an epoch drawn from all, and go on with the beginning behind the end. In a row of stays that
 * begins and ends with whole ones, long ones are rarer near both ends than in between. */
static enum sahm_status turn(struct plan *plan, struct stays *s, uint64_t epochs, struct sahm_err *err)
{
	struct plan turned = {.displaced = plan->displaced};
	enum sahm_status status = SAHM_OK;
	uint64_t begin = rng_below(&s->rng, epochs);
	size_t first = 0;
	if (s->profile->follow[plan->stays[plan->nr - 1].state][plan->stays[0].state] == 0)
		return SAHM_OK;
	for (; begin >= plan->stays[first].length; first++)
		begin -= plan->stays[first].length;
	struct stay rest = plan->stays[first];
	rest.length = begin;
	plan->stays[first].length -= begin;
	for (size_t i = 0; i < plan->nr && status == SAHM_OK; i++)
		status = plan_add(&turned, plan->stays[(first + i) % plan->nr], err);
	if (rest.length > 0 && status == SAHM_OK)
		status = plan_add(&turned, rest, err);
	if (status != SAHM_OK) {
		plan_release(&turned);
		return status;
	}
	plan_release(plan);
	*plan = turned;
	return SAHM_OK;
}

enum sahm_status plan_make(struct plan *plan, const struct profile *p, const struct profile_row *row, uint64_t seed,
			   struct sahm_err *err)
{
	struct stays s;
	struct stay stay;
	*plan = (struct plan){0};
	enum sahm_status status = stays_init(&s, p, row, seed, err);
	if (status != SAHM_OK)
		return status;
	while (status == SAHM_OK && stays_next(&s, &stay))
		status = plan_add(plan, stay, err);
	for (unsigned state = 0; state < NR_STATES && status == SAHM_OK; state++) {
		if (s.left[state] > 0)
			status = place(plan, &s, state, err);
		if (status == SAHM_OK)
			displace(plan, &s, state);
	}
	if (status == SAHM_OK)
		status = turn(plan, &s, (uint64_t)(row->value[PROFILE_EPOCHS] / DECIMAL_ONE), err);
	stays_release(&s);
	if (status != SAHM_OK)
		plan_release(plan);
	return status;
}

void plan_release(struct plan *plan)
{
	free(plan->stays);
	*plan = (struct plan){0};
}
