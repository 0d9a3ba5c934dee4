/* Conditions of vectors without masks, which are vectors themselves, and what follows from that for a form
 * (vector_lanes_internal.h).
 *
 * A form defines NR_LANES, T, U, M, t_of() and m_bits(), before it includes this file. */
#ifndef SAHM_CORES_UARCH_VECTOR_CONDITIONS_INTERNAL_H
#define SAHM_CORES_UARCH_VECTOR_CONDITIONS_INTERNAL_H

#include "cores/uarch/timing_lanes_internal.h"

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

#endif
