/* The timing models in 8 lanes of AVX2. */
#include "cores/uarch/timing_lanes_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

/* This file's functions are compiled for that processor, whatever the program is compiled for. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define NR_LANES 8u
typedef int32_t T __attribute__((vector_size(32), may_alias));
typedef uint32_t U __attribute__((vector_size(32)));
typedef T M; /* all bits of a lane, or none */

static inline T t_of(uint32_t n)
{
	return (T)_mm256_set1_epi32((int)n);
}

static inline T t_lanes(void)
{
	return (T){0, 1, 2, 3, 4, 5, 6, 7};
}

static inline T t_max(T a, T b)
{
	return (T)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

static inline T t_min(T a, T b)
{
	return (T)_mm256_min_epi32((__m256i)a, (__m256i)b);
}

static inline T t_if(M condition, T a, T b)
{
	return (T)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)condition);
}

static inline T t_gather(const void *base, T index)
{
	return (T)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}

static inline unsigned m_bits(M a)
{
	return (unsigned)_mm256_movemask_ps((__m256)a);
}

#include "cores/uarch/vector_conditions_internal.h"

static inline unsigned chunk_hits(const void *words, uint32_t field)
{
	const __m256i *w = words, which = _mm256_set1_epi32((int)field), none = _mm256_setzero_si256();
	unsigned hits = 0;
	for (unsigned i = 0; i < 2; i++) {
		__m256i misses = _mm256_cmpeq_epi32(_mm256_and_si256(w[i], which), none);
		hits |= (~(unsigned)_mm256_movemask_ps((__m256)misses) & 0xff) << 8 * i;
	}
	return hits;
}

#include "cores/uarch/vector_lanes_internal.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

static bool is_there(void)
{
	return __builtin_cpu_supports("avx2");
}

const struct lane_model lane_model_avx2 = {NR_LANES,	is_there,     lanes_new,    lanes_free,
					   lanes_batch, lanes_result, lanes_record, lanes_predict};

#else

static bool is_there(void)
{
	return false;
}

const struct lane_model lane_model_avx2 = {.is_there = is_there};

#endif
