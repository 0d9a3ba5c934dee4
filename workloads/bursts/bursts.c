#include "workloads/bursts/bursts.h"

#include <stdio.h>

__extension__ typedef unsigned __int128 uint128;

/* Logarithms have this number of fraction bits. */
#define LOG_BITS 40

/* ln 2, in parts of 2^-64. */
#define LN_2 UINT64_C(0xb17217f7d1cf79ab)

/* log2 of `x`, which is at least 1, rounded down: one bit of the fraction for each time that the mantissa is squared.
 */
static uint64_t log2_of(uint64_t x)
{
	unsigned whole = 63 - (unsigned)__builtin_clzll(x);
	uint64_t mantissa = x << (63 - whole), log = whole; /* 1 to below 2, in parts of 2^-63 */
	for (int bit = 0; bit < LOG_BITS; bit++) {
		uint128 square = (uint128)mantissa * mantissa;
		unsigned carry = (unsigned)(square >> 127);
		mantissa = (uint64_t)(square >> (63 + carry));
		log = log << 1 | carry;
	}
	return log;
}

/* -log2 of `parts` / 2^64, where 0 stands for all 2^64 of them. */
static uint64_t minus_log2(uint64_t parts)
{
	return parts ? (UINT64_C(64) << LOG_BITS) - log2_of(parts) : 0;
}

/* 2 to the power of `fraction` / 2^64, without the 1 in front, in parts of 2^-64: the series of e^z - 1. */
static uint64_t exp2_of(uint64_t fraction)
{
	uint64_t z = (uint64_t)((uint128)fraction * LN_2 >> 64), term = z, sum = z;
	for (unsigned n = 2; term > 0; n++) {
		term = (uint64_t)((uint128)term * z >> 64) / n;
		sum += term;
	}
	return sum;
}

static uint64_t draw_exponential(uint64_t mean_ns, struct rng *r)
{
	uint64_t ln = (uint64_t)((uint128)minus_log2(rng_next(r)) * LN_2 >> 64);
	uint128 ns = (uint128)mean_ns * ln >> LOG_BITS;
	return ns < MAX_BURST_NS ? (uint64_t)ns : MAX_BURST_NS;
}

/* (min/max)^alpha: 2 to the power of what is below 0. */
static uint64_t pareto_tail(const struct burst_times *t)
{
	if (t->shape != BURST_PARETO)
		return 0;
	uint128 log = (uint128)(log2_of(t->max_ns) - log2_of(t->min_ns)) * t->alpha_milli / 1000;
	uint64_t whole = (uint64_t)(log >> LOG_BITS);
	uint64_t part = (uint64_t)log & ((UINT64_C(1) << LOG_BITS) - 1);
	if (log == 0)
		return UINT64_MAX;
	if (whole >= 64)
		return 0;
	/* 2^-log = 2^(1 - part) / 2^(whole + 1), with 1 - part again between 0 and 1. */
	uint128 power = part ? ((uint128)1 << 64) + exp2_of((0 - part) << (64 - LOG_BITS)) : (uint128)2 << 64;
	return (uint64_t)(power >> (whole + 1));
}

/* min / y^(1/alpha), with y uniform between the tail and 1. */
static uint64_t draw_pareto(const struct burst_times *t, uint64_t tail, struct rng *r)
{
	uint64_t random = rng_next(r), y = tail ? tail + (uint64_t)((uint128)random * (0 - tail) >> 64) : random;
	uint128 log = (uint128)minus_log2(y) * 1000 / t->alpha_milli;
	uint64_t whole = (uint64_t)(log >> LOG_BITS);
	uint64_t part = (uint64_t)log & ((UINT64_C(1) << LOG_BITS) - 1);
	/* No time is longer than 2^40 ns. */
	if (whole >= 40)
		return t->max_ns;
	/* 40 more bits, which the power of 2 eats. */
	uint128 exact = ((uint128)t->min_ns << 40) + (uint128)t->min_ns * (exp2_of(part << (64 - LOG_BITS)) >> 24);
	uint128 ns = exact << whole >> 40;
	return ns < t->max_ns ? (uint64_t)ns : t->max_ns;
}

static uint64_t draw(const struct burst_times *t, uint64_t tail, struct rng *r)
{
	switch (t->shape) {
	case BURST_UNIFORM:
		return t->min_ns + rng_below(r, t->max_ns - t->min_ns + 1);
	case BURST_EXPONENTIAL:
		return draw_exponential(t->mean_ns, r);
	case BURST_PARETO:
		return draw_pareto(t, tail, r);
	default:
		return t->mean_ns;
	}
}

void bursts_init(struct bursts *b, const struct burst_model *model, uint64_t seed, uint32_t thread)
{
	char whose[32];
	*b = (struct bursts){.model = model, .next = model->first, .nr_left = model->nr_rounds * model->nr};
	if (model->list)
		return;
	snprintf(whose, sizeof(whose), "thread %u", thread);
	rng_init(&b->run, seed, whose, "run times");
	rng_init(&b->sleep, seed, whose, "sleep times");
	b->run_tail = pareto_tail(&model->run);
	b->sleep_tail = pareto_tail(&model->sleep);
}

struct burst bursts_next(struct bursts *b)
{
	const struct burst_model *m = b->model;
	struct burst burst;
	b->end = (struct burst_end){.yields = true};
	if (m->list) {
		burst = m->list[b->next];
		if (m->ends)
			b->end = m->ends[b->next];
		b->next = b->next + 1 < m->nr ? b->next + 1 : 0;
		b->nr_left -= m->nr_rounds > 0;
	} else {
		burst = (struct burst){draw(&m->run, b->run_tail, &b->run), draw(&m->sleep, b->sleep_tail, &b->sleep)};
		if (burst.run_ns < MIN_BURST_RUN_NS)
			burst.run_ns = MIN_BURST_RUN_NS;
	}
	b->sleep_ns = burst.sleep_ns;
	return burst;
}

bool bursts_are_over(const struct bursts *b)
{
	return b->model->nr_rounds > 0 && b->nr_left == 0;
}

struct burst_pause bursts_pause(struct bursts *b, uint64_t arrived_ns, uint64_t now_ns)
{
	struct burst_pause pause = {now_ns + b->sleep_ns, b->end.yields};
	if (b->end.period_ns == 0)
		return pause;
	uint64_t *due_ns = &b->due_ns[b->end.timer];
	*due_ns = (*due_ns ? *due_ns : arrived_ns) + b->end.period_ns;
	if (*due_ns > pause.until_ns)
		pause.until_ns = *due_ns;
	else if (!b->end.is_absolute)
		*due_ns = pause.until_ns;
	return pause;
}
