/* Which state for how long: the stays of a trace, and then their order. */
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

void plan_release(struct plan *plan)
{
	free(plan->stays);
	*plan = (struct plan){0};
}

void synth_apportion(uint64_t total, const decimal *shares, size_t nr, uint64_t *parts)
{
	decimal sum = 0;
	uint64_t given = 0;
	for (size_t i = 0; i < nr; i++)
		sum += shares[i];
	for (size_t i = 0; i < nr; i++) {
		parts[i] = (uint64_t)((decimal)total * shares[i] / sum);
		given += parts[i];
	}
	/* Fewer than nr are left: to the largest remainders, one each. */
	for (; given < total; given++) {
		size_t best = nr;
		decimal best_remainder = -1;
		for (size_t i = 0; i < nr; i++) {
			decimal remainder = (decimal)total * shares[i] - (decimal)parts[i] * sum;
			if (remainder > best_remainder) {
				best = i;
				best_remainder = remainder;
			}
		}
		parts[best]++;
	}
}

static decimal mean_length(const struct profile_row *row, enum stay_kind kind)
{
	switch (kind) {
	case STAY_SHORT:
		return row->value[PROFILE_SHORT_EPOCHS];
	case STAY_LONG:
		return row->value[PROFILE_LONG_EPOCHS];
	default:
		return DECIMAL_ONE;
	}
}

/* The shortest of a state's long stays. */
static uint64_t least_long(const struct profile_row *row)
{
	return (uint64_t)((row->value[PROFILE_LONG_EPOCHS] / 2 + DECIMAL_ONE - 1) / DECIMAL_ONE);
}

/* Distributes `total` epochs, or as many as there are, over the states in proportion to in_state[], none more than it
 * has. */
static void spread(uint64_t total, const uint64_t in_state[NR_STATES], uint64_t parts[NR_STATES])
{
	decimal shares[NR_STATES];
	uint64_t sum = 0;
	for (unsigned i = 0; i < NR_STATES; i++) {
		shares[i] = (decimal)in_state[i];
		sum += in_state[i];
		parts[i] = 0;
	}
	total = total < sum ? total : sum;
	if (total > 0)
		synth_apportion(total, shares, NR_STATES, parts);
}

/* Which states the long stays are in: all that get enough for one, the rarest being left out one by one until the
 * others do. */
static void spread_long(uint64_t total, uint64_t least, const uint64_t in_state[NR_STATES], uint64_t parts[NR_STATES])
{
	uint64_t eligible[NR_STATES];
	for (unsigned i = 0; i < NR_STATES; i++)
		eligible[i] = in_state[i];
	for (;;) {
		spread(total, eligible, parts);
		unsigned rarest = NR_STATES, nr = 0;
		for (unsigned i = 0; i < NR_STATES; i++) {
			nr += eligible[i] > 0;
			if (eligible[i] > 0 && (rarest == NR_STATES || eligible[i] < eligible[rarest]))
				rarest = i;
		}
		if (nr <= 1 || parts[rarest] >= least)
			return;
		eligible[rarest] = 0;
	}
}

/* A length of the kind, `most` at most. */
static uint64_t draw_length(struct stays *s, enum stay_kind kind, uint64_t most)
{
	uint64_t length = 1;
	decimal mean = mean_length(s->row, kind);
	if (kind == STAY_SHORT) {
		/* A geometric number of mean m: one more with probability m / (1 + m), again and again. */
		uint64_t extra = (uint64_t)(mean - 2 * (decimal)DECIMAL_ONE), ones = (uint64_t)DECIMAL_ONE;
		length = 2;
		while (length < most && rng_below(&s->rng, extra + ones) < extra)
			length++;
	} else if (kind == STAY_LONG) {
		uint64_t least = least_long(s->row);
		length = least + rng_below(&s->rng, (uint64_t)((mean + mean / 2) / DECIMAL_ONE) - least + 1);
	}
	return length < most ? length : most;
}

/* Cuts `epochs` epochs of a state into stays of a kind. */
static enum sahm_status fill(struct stays *s, unsigned state, enum stay_kind kind, uint64_t epochs,
			     struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	while (epochs > 0 && status == SAHM_OK) {
		uint64_t length = draw_length(s, kind, epochs);
		status = plan_add(&s->all, (struct stay){length, state, kind}, err);
		epochs -= length;
	}
	return status;
}

enum sahm_status stays_init(struct stays *s, const struct profile *p, const struct profile_row *row, uint64_t seed,
			    struct sahm_err *err)
{
	const decimal single = row->value[PROFILE_SINGLE_PCT], by_long = row->value[PROFILE_LONG_PCT];
	const decimal kinds[NR_STAY_KINDS] = {
		[STAY_SINGLE] = single,
		[STAY_SHORT] = 100 * (decimal)DECIMAL_ONE - single - by_long,
		[STAY_LONG] = by_long,
	};
	const uint64_t epochs = (uint64_t)(row->value[PROFILE_EPOCHS] / DECIMAL_ONE);
	uint64_t of_kind[NR_STAY_KINDS], in_state[NR_STATES], of[NR_STAY_KINDS][NR_STATES];
	enum sahm_status status = SAHM_OK;
	*s = (struct stays){.profile = p, .row = row, .state = NR_STATES};
	rng_init(&s->rng, seed, row->name, "stays");
	synth_apportion(epochs, kinds, NR_STAY_KINDS, of_kind);
	synth_apportion(epochs, row->share, NR_STATES, in_state);
	spread_long(of_kind[STAY_LONG], least_long(row), in_state, of[STAY_LONG]);
	for (unsigned i = 0; i < NR_STATES; i++)
		in_state[i] -= of[STAY_LONG][i];
	spread(of_kind[STAY_SINGLE], in_state, of[STAY_SINGLE]);
	for (unsigned i = 0; i < NR_STATES && status == SAHM_OK; i++) {
		of[STAY_SHORT][i] = in_state[i] - of[STAY_SINGLE][i];
		s->first[i] = s->all.nr;
		for (unsigned k = 0; k < NR_STAY_KINDS && status == SAHM_OK; k++)
			status = fill(s, i, (enum stay_kind)k, of[k][i], err);
		s->left[i] = s->all.nr - s->first[i];
	}
	if (status != SAHM_OK)
		stays_release(s);
	return status;
}

void stays_release(struct stays *s)
{
	plan_release(&s->all);
}

bool stays_next(struct stays *s, struct stay *stay)
{
	uint64_t weights[NR_STATES], sum = 0;
	unsigned state = 0;
	/* There are 2^32 stays at most, and a factor is below MAX_FOLLOW x FOLLOW_ONE: the sum stays below 2^62. */
	for (unsigned i = 0; i < NR_STATES; i++) {
		weights[i] = s->left[i] * (s->state < NR_STATES ? s->profile->follow[s->state][i] : FOLLOW_ONE);
		sum += weights[i];
	}
	if (sum == 0)
		return false;
	for (uint64_t at = rng_below(&s->rng, sum); at >= weights[state]; state++)
		at -= weights[state];
	s->state = state;
	return stays_take(s, state, stay);
}

bool stays_take(struct stays *s, unsigned state, struct stay *stay)
{
	if (s->left[state] == 0)
		return false;
	struct stay *left = s->all.stays + s->first[state];
	size_t i = (size_t)rng_below(&s->rng, s->left[state]);
	*stay = left[i];
	left[i] = left[--s->left[state]];
	return true;
}

/* A whole trace's stays in order: as they are drawn, and what is left over when nothing that is left may follow. */

/* Whether `state` may precede stay `i`, after the one before. */
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

/* Lets the trace begin at an epoch drawn from all, and continue with the beginning after the end. In a row of stays
 * that begins and ends with whole ones, long ones are rarer near both ends than in between. */
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
