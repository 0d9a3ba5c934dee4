/* The timing models in lanes of vectors that any compiler makes for any processor. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/timing_lanes_internal.h"

#define NR_LANES 4u
typedef int32_t T __attribute__((vector_size(16), may_alias));
typedef uint32_t U __attribute__((vector_size(16)));
typedef T M; /* all bits of a lane, or none */

static inline T t_of(uint32_t n)
{
	return (T){(int32_t)n, (int32_t)n, (int32_t)n, (int32_t)n};
}

static inline T t_lanes(void)
{
	return (T){0, 1, 2, 3};
}

static inline T t_if(M condition, T a, T b)
{
	return (condition & a) | (~condition & b);
}

static inline T t_max(T a, T b)
{
	return t_if((M)(a > b), a, b);
}

static inline T t_min(T a, T b)
{
	return t_if((M)(a > b), b, a);
}

static inline T t_one_if(M condition)
{
	return -condition;
}

static inline M t_gt(T a, T b)
{
	return (M)(a > b);
}

static inline M t_ge(T a, T b)
{
	return (M)(a >= b);
}

static inline M t_eq(T a, T b)
{
	return (M)(a == b);
}

static inline M t_test(T a, T b)
{
	return (M)((a & b) != 0);
}

static inline T t_gather(const void *base, T index)
{
	const int32_t *from = base;
	return (T){from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
}

static inline void t_scatter(void *base, T index, T value)
{
	int32_t *to = base;
	for (unsigned i = 0; i < NR_LANES; i++)
		to[index[i]] = value[i];
}

static inline M m_and(M a, M b)
{
	return a & b;
}

static inline M m_or(M a, M b)
{
	return a | b;
}

static inline M m_not(M a)
{
	return ~a;
}

static inline unsigned m_bits(M a)
{
	T bits = a & (T){1, 2, 4, 8};
	return (unsigned)(bits[0] | bits[1] | bits[2] | bits[3]);
}

static inline bool m_any(M a)
{
	return m_bits(a) != 0;
}

static inline M m_all(void)
{
	return t_of(UINT32_MAX);
}

static inline void m_put(M *to, unsigned lane, bool truth)
{
	((int32_t *)to)[lane] = truth ? -1 : 0;
}

static inline unsigned chunk_hits(const void *words, uint32_t field)
{
	const uint32_t *w = words;
	uint32_t all = 0;
	unsigned hits = 0;
	for (unsigned i = 0; i < CHUNK; i++)
		all |= w[i];
	for (unsigned i = 0; (all & field) != 0 && i < CHUNK; i++)
		hits |= (unsigned)((w[i] & field) != 0) << i;
	return hits;
}

#include "cores/uarch/vector_lanes_internal.h"

static bool is_there(void)
{
	return true;
}

const struct lane_model lane_model_c = {NR_LANES, is_there, lanes_new, lanes_free, lanes_batch, lanes_result};
