/* Which state for how long. */
#include "workloads/synth_internal.h"

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
	decimal limit = sum;
	for (; given < total; given++) {
		size_t best = nr;
		decimal best_remainder = -1;
		for (size_t i = 0; i < nr; i++) {
			decimal remainder = (decimal)total * shares[i] - (decimal)parts[i] * sum;
			if (remainder > best_remainder && remainder < limit) {
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

void stays_init(struct stays *s, const struct profile *p, const struct profile_row *row, uint64_t seed)
{
	const decimal single = row->value[PROFILE_SINGLE_PCT], by_long = row->value[PROFILE_LONG_PCT];
	const decimal kinds[NR_STAY_KINDS] = {
		[STAY_SINGLE] = single,
		[STAY_SHORT] = 100 * (decimal)DECIMAL_ONE - single - by_long,
		[STAY_LONG] = by_long,
	};
	*s = (struct stays){.profile = p, .row = row, .state = NR_STATES};
	s->left = (uint64_t)(row->value[PROFILE_EPOCHS] / DECIMAL_ONE);
	rng_init(&s->rng, seed, row->name, "stays");
	synth_apportion(s->left, kinds, NR_STAY_KINDS, s->left_of_kind);
	synth_apportion(s->left, row->share, NR_STATES, s->left_in_state);
}

/* One of weights[nr], in proportion; their sum is at least 1 and below 2^63. */
static unsigned draw(struct rng *rng, const uint64_t *weights, unsigned nr)
{
	uint64_t sum = 0;
	unsigned i = 0;
	for (unsigned w = 0; w < nr; w++)
		sum += weights[w];
	for (uint64_t at = rng_below(rng, sum); at >= weights[i]; i++)
		at -= weights[i];
	return i;
}

/* How finely the number of stays left of a kind is told. */
#define STAY_ONE 1024

static enum stay_kind draw_kind(struct stays *s)
{
	uint64_t weights[NR_STAY_KINDS];
	for (unsigned k = 0; k < NR_STAY_KINDS; k++) {
		decimal mean = mean_length(s->row, (enum stay_kind)k);
		weights[k] = (uint64_t)((decimal)s->left_of_kind[k] * DECIMAL_ONE * STAY_ONE / mean);
		/* A remainder too short to weigh anything is still to be used up. */
		weights[k] += s->left_of_kind[k] > 0;
	}
	return (enum stay_kind)draw(&s->rng, weights, NR_STAY_KINDS);
}

/* At most what is left of the kind. */
static uint64_t draw_length(struct stays *s, enum stay_kind kind)
{
	uint64_t most = s->left_of_kind[kind], length = 1;
	decimal mean = mean_length(s->row, kind);
	if (kind == STAY_SHORT) {
		/* A geometric number of mean m: one more with probability m / (1 + m), again and again. */
		uint64_t extra = (uint64_t)(mean - 2 * (decimal)DECIMAL_ONE), ones = (uint64_t)DECIMAL_ONE;
		length = 2;
		while (length < most && rng_below(&s->rng, extra + ones) < extra)
			length++;
	} else if (kind == STAY_LONG) {
		uint64_t least = (uint64_t)((mean / 2 + DECIMAL_ONE - 1) / DECIMAL_ONE);
		length = least + rng_below(&s->rng, (uint64_t)((mean + mean / 2) / DECIMAL_ONE) - least + 1);
	}
	return length < most ? length : most;
}

/* Weights of the states that may follow and have `least` epochs left; false when there are none. Each is below
 * 2^32 x MAX_FOLLOW x FOLLOW_ONE, and so is their sum, since what is left in all is below 2^32. */
static bool weigh_states(const struct stays *s, uint64_t least, uint64_t weights[NR_STATES])
{
	uint64_t any = 0;
	for (unsigned i = 0; i < NR_STATES; i++) {
		uint64_t factor = s->state < NR_STATES ? s->profile->follow[s->state][i] : FOLLOW_ONE;
		weights[i] = s->left_in_state[i] >= least ? s->left_in_state[i] * factor : 0;
		any |= weights[i];
	}
	return any != 0;
}

/* Takes up to `length` epochs out of the urns, as many as are left of the state. */
static uint64_t take(struct stays *s, enum stay_kind kind, unsigned state, uint64_t length)
{
	if (length > s->left_in_state[state])
		length = s->left_in_state[state];
	s->left_in_state[state] -= length;
	s->left_of_kind[kind] -= length;
	s->left -= length;
	return length;
}

uint64_t stays_next(struct stays *s, unsigned *state)
{
	uint64_t weights[NR_STATES];
	if (s->left == 0)
		return 0;
	enum stay_kind kind = draw_kind(s);
	uint64_t length = draw_length(s, kind);
	if (!weigh_states(s, length, weights) && !weigh_states(s, 1, weights))
		return 0;
	*state = s->state = draw(&s->rng, weights, NR_STATES);
	return take(s, kind, *state, length);
}

uint64_t stays_take(struct stays *s, unsigned state)
{
	if (s->left_in_state[state] == 0)
		return 0;
	enum stay_kind kind = draw_kind(s);
	return take(s, kind, state, draw_length(s, kind));
}
