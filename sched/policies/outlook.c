#include "sched/policies/outlook.h"

#define ONE OUTLOOK_ONE
/* Knowledge of others counts as much as this number of looks, or changes, of the thread itself. */
#define OTHERS 16u
#define OTHERS_NEXT 16u
/* Counts are halved beyond this number of stays: the distant past is forgotten. */
#define MANY_STAYS 32u
#define MANY_LENGTHS 1024u
/* The newest stay counts at least this fraction. */
#define MEMORY 20
/* Patterns are trusted after this number of correct predictions; a wrong one counts as much as this number. */
#define ENOUGH_TRUST 1u
#define LOST_TRUST 1u
#define MOST_TRUST 12u
/* This number of stays ahead are looked up. */
#define MOST_PATTERNS 8
/* The past goes back this number of looks. */
#define PAST_LOOKS 200
/* Beyond this, nothing is left of a weight. */
#define NOTHING (ONE / 256)

static u32 mul(u32 a, u32 b)
{
	return (u32)((u64)a * b >> OUTLOOK_BITS);
}

/* 2^-(time / half-life): a table of 2^-(i / 16), and straight lines in between. */
static u32 decay(const struct outlook_common *common, u32 horizon, u64 time)
{
	static const u32 part[17] = {1048576, 1004120, 961548, 920782, 881744, 844361, 808563, 774282, 741455,
				     710020,  679917,  651091, 623487, 597053, 571740, 547500, 524288};
	u64 half_life = common->half_life[horizon];
	if (time / half_life >= OUTLOOK_BITS)
		return 0;
	u32 parts = (u32)sahm_scale(time, 4096, half_life), i = parts >> 8 & 15, between = parts & 255;
	return (part[i] - ((part[i] - part[i + 1]) * between >> 8)) >> (parts >> 12);
}

static void set_look(struct outlook_common *common, u64 look)
{
	common->look = look;
	for (u32 h = 0; h < NR_HORIZONS; h++)
		common->look_decay[h] = decay(common, h, look);
}

void outlook_init(struct outlook_common *common, u64 half_life, u64 look)
{
	for (u32 h = 0; h < NR_HORIZONS; h++, half_life *= HORIZON_STEP)
		common->half_life[h] = half_life;
	set_look(common, look);
}

/* Eight steps to each doubling. */
static u32 length_step(u64 time)
{
	u32 doublings = 0;
	while (time >> doublings >= 16)
		doublings++;
	u32 step = doublings * 8 + (u32)(time >> doublings);
	return step < NR_STAY_LENGTHS ? step : NR_STAY_LENGTHS - 1;
}

/* Finds the most frequent length again: the mean of the steps around the one that leads together with its neighbours.
 */
static void find_look(struct outlook_common *common)
{
	u32 best = 0, most = 0;
	for (u32 i = 1; i + 1 < NR_STAY_LENGTHS; i++) {
		u32 nr = common->lengths[i - 1] + common->lengths[i] + common->lengths[i + 1];
		if (nr > most) {
			most = nr;
			best = i;
		}
	}
	if (most < OTHERS)
		return;
	u64 look = (common->lengths_sum[best - 1] + common->lengths_sum[best] + common->lengths_sum[best + 1]) / most;
	set_look(common, look > 0 ? look : 1);
}

static void learn_length(struct outlook_common *common, u64 stay)
{
	u32 step = length_step(stay);
	common->lengths_sum[step] += stay < UINT32_MAX * UINT64_C(1000) ? stay : UINT32_MAX * UINT64_C(1000);
	if (++common->lengths[step] < MANY_LENGTHS) {
		u32 nr = common->lengths[step];
		/* Early on with each stay, later now and then. */
		if (nr <= OTHERS || nr % 64 == 0)
			find_look(common);
		return;
	}
	for (u32 i = 0; i < NR_STAY_LENGTHS; i++) {
		common->lengths[i] /= 2;
		common->lengths_sum[i] /= 2;
	}
}

/* Looks of age `age`: 1, 1, 2, 4, ... 16, and then all others. */
static u32 looks_at(u32 age)
{
	return age == 0 ? 1 : age == NR_STAY_AGES - 1 ? UINT32_MAX : 1u << (age - 1);
}

static u32 age_of(u32 nr_looks, u32 *since)
{
	u32 age = 0;
	while (age < NR_STAY_AGES - 1 && nr_looks >= looks_at(age)) {
		nr_looks -= looks_at(age);
		age++;
	}
	*since = nr_looks;
	return age;
}

static void count_age(struct outlook_ages *ages, u32 age, u32 spent, bool ended)
{
	ages->spent[age] = (uint16_t)(ages->spent[age] + spent);
	ages->ended[age] = (uint16_t)(ages->ended[age] + ended);
	if (ages->ended[age] > MANY_STAYS || ages->spent[age] > UINT16_MAX / 2) {
		ages->spent[age] /= 2;
		ages->ended[age] /= 2;
	}
}

/* Length of a stay in whole looks, at least 1. */
static u32 looks_of(const struct outlook_common *common, u64 stay)
{
	u64 nr = (stay + common->look / 2) / common->look;
	return nr < 1 ? 1 : nr > UINT16_MAX / 4 ? UINT16_MAX / 4 : (u32)nr;
}

static void learn_ages(struct outlook_common *common, struct outlook_thread *th, u32 state, u32 left)
{
	for (u32 age = 0; age < NR_STAY_AGES && left > 0; age++) {
		u32 spent = left < looks_at(age) ? left : looks_at(age);
		bool ended = spent == left;
		left -= spent;
		count_age(&th->any, age, spent, ended);
		count_age(&th->in[state], age, spent, ended);
		common->spent[age] += spent;
		common->ended[age] += ended;
		if (common->spent[age] > UINT32_MAX / 2 / ONE) {
			common->spent[age] /= 2;
			common->ended[age] /= 2;
		}
	}
}

static void learn_next(struct outlook_thread *th, u32 state, u32 next)
{
	th->follows[state][next]++;
	th->entered[next]++;
	if (++th->nr_left[state] > MANY_STAYS) {
		th->nr_left[state] /= 2;
		for (u32 i = 0; i < NR_STATES; i++)
			th->follows[state][i] /= 2;
	}
	bool are_many = th->entered[next] > MANY_STAYS;
	for (u32 i = 0; i < NR_STATES && are_many; i++)
		th->entered[i] /= 2;
}

/* A stay as a number below 256: its state, and about how long it was. */
static u8 token(u32 state, u32 looks)
{
	u32 length = looks < 8 ? looks : looks < 12 ? 8u : looks < 20 ? 9u : looks < 40 ? 10u : looks < 80 ? 11u : 12u;
	return (u8)(state << 4 | length);
}

/* Of the last stays and the state that comes now. */
static u32 key_of(const u8 *last, u32 state)
{
	u32 key = state + 1;
	for (u32 i = 0; i < PATTERN_STAYS; i++)
		key = (key ^ last[i]) * 0x9e3779b1u + (key >> 15);
	return key;
}

static void shift_in(u8 *last, u8 newest)
{
	for (u32 i = PATTERN_STAYS - 1; i > 0; i--)
		last[i] = last[i - 1];
	last[0] = newest;
}

static u32 place_of(u32 key)
{
	return key >> 16 & (NR_PATTERNS - 1);
}

static bool is_of(const struct outlook_pattern *pattern, u32 key)
{
	return pattern->tag == (uint16_t)(key | 1);
}

/* The outcome of the last stay is recorded in its pattern; which one the next belongs to. */
static void learn_pattern(struct outlook_thread *th, u32 state, u32 next, u32 looks)
{
	struct outlook_pattern *pattern = &th->patterns[place_of(th->key)];
	looks = looks < MOST_PATTERN_LOOKS ? looks : MOST_PATTERN_LOOKS;
	if (is_of(pattern, th->key)) {
		u32 apart = pattern->looks > looks ? pattern->looks - looks : looks - pattern->looks;
		bool was_right = pattern->next == next && apart <= looks / 16;
		if (was_right)
			th->trust = (u8)(th->trust < MOST_TRUST ? th->trust + 1u : MOST_TRUST);
		else
			th->trust = th->trust > LOST_TRUST ? (u8)(th->trust - LOST_TRUST) : 0;
	}
	*pattern =
		(struct outlook_pattern){(uint16_t)(th->key | 1), looks & MOST_PATTERN_LOOKS, next & (NR_STATES - 1)};
	shift_in(th->last, token(state, looks));
	th->key = key_of(th->last, next);
	pattern = &th->patterns[place_of(th->key)];
	th->looks = is_of(pattern, th->key) && th->trust >= ENOUGH_TRUST ? pattern->looks : 0;
	th->next = pattern->next;
}

/* The past by state, of which each look of a stay takes a part. */
static void remember(const struct outlook_common *common, struct outlook_thread *th, u32 state, u64 stay)
{
	u64 looks = stay / common->look + 1;
	u32 part = (u32)(looks < PAST_LOOKS ? ONE / PAST_LOOKS * looks : ONE);
	for (u32 i = 0; i < NR_STATES; i++)
		th->lived[i] -= mul(th->lived[i], part);
	th->lived[state] += part;
}

/* What is ahead in a state that the thread has not been in before: half of it more of the same, the rest as it was. */
static void init_ahead(struct outlook_thread *th, u32 horizon, u32 state)
{
	u32 *ahead = th->ahead[horizon][state];
	if (ahead[state] > 0)
		return;
	u32 rest = ONE;
	for (u32 i = 0; i < NR_STATES; i++) {
		ahead[i] = i == state ? 0 : th->lived[i] / 2;
		rest -= ahead[i];
	}
	ahead[state] = rest;
}

static void learn_ahead(const struct outlook_common *common, struct outlook_thread *th, u32 horizon, u32 state,
			u32 next, u64 stay)
{
	init_ahead(th, horizon, state);
	init_ahead(th, horizon, next);
	/* The prediction when the state was entered: the stay, and what is ahead now. */
	u32 left = decay(common, horizon, stay), *ahead = th->ahead[horizon][state];
	s32 part = th->nr_left[state] + 1 < MEMORY ? th->nr_left[state] + 1 : MEMORY;
	for (u32 i = 0; i < NR_STATES; i++) {
		u32 was = mul(left, th->ahead[horizon][next][i]) + (i == state ? ONE - left : 0);
		ahead[i] = (u32)((s32)ahead[i] + ((s32)was - (s32)ahead[i]) / part);
	}
}

void outlook_learn(struct outlook_common *common, struct outlook_thread *th, u32 state, u32 next, u64 stay)
{
	learn_length(common, stay);
	u32 looks = looks_of(common, stay);
	learn_ages(common, th, state, looks);
	learn_pattern(th, state, next, looks);
	learn_next(th, state, next);
	remember(common, th, state, stay);
	for (u32 h = 0; h < NR_HORIZONS; h++)
		learn_ahead(common, th, h, state, next, stay);
}

/* Chance that a stay that has reached an age, and has been there for `since` looks, ends with the look under way. */
static u32 chance_of_end(const struct outlook_common *common, const struct outlook_thread *th, u32 state, u32 age,
			 u32 since)
{
	u32 all = (common->ended[age] * ONE + ONE / 3) / (common->spent[age] + 1);
	u32 any = (u32)(((u64)th->any.ended[age] * ONE + (u64)OTHERS * all) / (th->any.spent[age] + OTHERS));
	const struct outlook_ages *in = &th->in[state];
	u32 chance = (u32)(((u64)in->ended[age] * ONE + (u64)OTHERS * any) / (in->spent[age] + OTHERS + since));
	return chance < ONE ? chance : ONE;
}

/* Adds looks of an age, each of which weighs so much of the one before; by doubling. */
static void add_age(u32 age, u32 less, u32 look, u32 *share, u32 *weight)
{
	u32 sum = look;
	if (age == NR_STAY_AGES - 1) {
		sum = (u32)((u64)look * ONE / (ONE - less + 1));
		less = 0;
	}
	for (u32 nr = 1; nr < looks_at(age) && age < NR_STAY_AGES - 1; nr *= 2) {
		sum += mul(sum, less);
		less = mul(less, less);
	}
	*share += mul(*weight, sum);
	*weight = mul(*weight, less);
}

void outlook_stay(const struct outlook_common *common, const struct outlook_thread *th, u32 state, u32 nr_looks,
		  u32 share[NR_HORIZONS])
{
	u32 weight[NR_HORIZONS], since, age = age_of(nr_looks, &since);
	bool is_foreseen = th->looks > nr_looks;
	for (u32 h = 0; h < NR_HORIZONS; h++) {
		share[h] = is_foreseen ? ONE - decay(common, h, (th->looks - nr_looks) * common->look) : 0;
		weight[h] = ONE;
	}
	/* The longest horizon is the last for which anything is left. */
	for (; age < NR_STAY_AGES && weight[NR_HORIZONS - 1] > NOTHING && !is_foreseen; age++, since = 0) {
		u32 goes_on = ONE - chance_of_end(common, th, state, age, since);
		for (u32 h = 0; h < NR_HORIZONS; h++) {
			u32 left = common->look_decay[h];
			if (weight[h] > NOTHING)
				add_age(age, mul(left, goes_on), ONE - left, &share[h], &weight[h]);
		}
	}
	for (u32 h = 0; h < NR_HORIZONS; h++)
		share[h] = share[h] < ONE ? share[h] : ONE;
}

/* Predicts the successors of a stay, pattern by pattern as far as they are known, and from there on the most frequent
 * ones. */
static void follow_patterns(const struct outlook_common *common, const struct outlook_thread *th, u32 state,
			    u32 share[NR_HORIZONS][NR_STATES])
{
	u8 last[PATTERN_STAYS];
	u32 weight[NR_HORIZONS], looks = th->looks, next = th->next;
	for (u32 i = 0; i < PATTERN_STAYS; i++)
		last[i] = th->last[i];
	for (u32 h = 0; h < NR_HORIZONS; h++)
		weight[h] = ONE;
	for (u32 i = 0; i < MOST_PATTERNS && weight[NR_HORIZONS - 1] > 0; i++) {
		shift_in(last, token(state, looks));
		state = next;
		u32 key = key_of(last, state);
		const struct outlook_pattern *pattern = &th->patterns[place_of(key)];
		if (!is_of(pattern, key))
			break;
		looks = pattern->looks;
		next = pattern->next;
		for (u32 h = 0; h < NR_HORIZONS; h++) {
			u32 left = decay(common, h, looks * common->look);
			share[h][state] += mul(weight[h], ONE - left);
			weight[h] = mul(weight[h], left);
			weight[h] = weight[h] < NOTHING ? 0 : weight[h];
		}
		if (i + 1 == MOST_PATTERNS)
			state = next;
	}
	for (u32 h = 0; h < NR_HORIZONS; h++)
		for (u32 i = 0; i < NR_STATES && weight[h] > 0; i++)
			share[h][i] += mul(weight[h], th->ahead[h][state][i]);
}

/* By how often each state has followed this one; where nothing is known, more of the same. */
static void follow_counts(const struct outlook_thread *th, u32 state, u32 share[NR_HORIZONS][NR_STATES])
{
	u32 weight[NR_STATES], all = 0, entered = 0;
	for (u32 i = 0; i < NR_STATES; i++)
		entered += i == state ? 0 : th->entered[i];
	for (u32 i = 0; i < NR_STATES; i++) {
		weight[i] = th->follows[state][i] * (ONE / 128);
		if (entered > 0)
			weight[i] += OTHERS_NEXT * (ONE / 128) * th->entered[i] / entered;
		weight[i] = i == state ? 0 : weight[i];
		all += weight[i];
	}
	for (u32 h = 0; h < NR_HORIZONS; h++) {
		u64 sum[NR_STATES] = {0};
		for (u32 next = 0; next < NR_STATES; next++)
			for (u32 i = 0; i < NR_STATES && weight[next] > 0; i++)
				sum[i] += (u64)weight[next] * th->ahead[h][next][i];
		for (u32 i = 0; i < NR_STATES; i++)
			share[h][i] = all ? (u32)(sum[i] / all) : i == state ? ONE : 0;
	}
}

void outlook_after(const struct outlook_common *common, const struct outlook_thread *th, u32 state,
		   u32 share[NR_HORIZONS][NR_STATES])
{
	for (u32 h = 0; h < NR_HORIZONS; h++)
		for (u32 i = 0; i < NR_STATES; i++)
			share[h][i] = 0;
	if (th->looks > 0)
		follow_patterns(common, th, state, share);
	else
		follow_counts(th, state, share);
}
