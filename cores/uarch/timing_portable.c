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

static inline T t_gather(const void *base, T index)
{
	const int32_t *from = base;
	return (T){from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
}

static inline unsigned m_bits(M a)
{
	T bits = a & (T){1, 2, 4, 8};
	return (unsigned)(bits[0] | bits[1] | bits[2] | bits[3]);
}

#include "cores/uarch/vector_conditions_internal.h"

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

const struct lane_model lane_model_c = {NR_LANES,    is_there,	   lanes_new,	 lanes_free,
					lanes_batch, lanes_result, lanes_record, lanes_predict};
