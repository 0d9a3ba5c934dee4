/* The timing models in 16 lanes of AVX-512. */
#include "cores/uarch/timing_lanes_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

/* This file's functions are compiled for that processor, whatever the program is compiled for. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif

#define NR_LANES 16u
typedef int32_t T __attribute__((vector_size(64), may_alias));
typedef uint32_t U __attribute__((vector_size(64)));
typedef __mmask16 M;

static inline T t_of(uint32_t n)
{
	return (T)_mm512_set1_epi32((int)n);
}

static inline T t_lanes(void)
{
	return (T){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

static inline T t_max(T a, T b)
{
	return (T)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

static inline T t_min(T a, T b)
{
	return (T)_mm512_min_epi32((__m512i)a, (__m512i)b);
}

static inline T t_if(M condition, T a, T b)
{
	return (T)_mm512_mask_blend_epi32(condition, (__m512i)b, (__m512i)a);
}

static inline T t_one_if(M condition)
{
	return (T)_mm512_maskz_set1_epi32(condition, 1);
}

static inline M t_gt(T a, T b)
{
	return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
}

static inline M t_ge(T a, T b)
{
	return _mm512_cmpge_epi32_mask((__m512i)a, (__m512i)b);
}

static inline M t_eq(T a, T b)
{
	return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

static inline M t_test(T a, T b)
{
	return _mm512_test_epi32_mask((__m512i)a, (__m512i)b);
}

static inline T t_gather(const void *base, T index)
{
	return (T)_mm512_i32gather_epi32((__m512i)index, base, 4);
}

static inline void t_scatter(void *base, T index, T value)
{
	_mm512_i32scatter_epi32(base, (__m512i)index, (__m512i)value, 4);
}

static inline M m_and(M a, M b)
{
	return (M)(a & b);
}

static inline M m_or(M a, M b)
{
	return (M)(a | b);
}

static inline M m_not(M a)
{
	return (M)~a;
}

static inline bool m_any(M a)
{
	return a != 0;
}

static inline M m_all(void)
{
	return UINT16_MAX;
}

static inline unsigned m_bits(M a)
{
	return a;
}

static inline void m_put(M *to, unsigned lane, bool truth)
{
	*to = (M)((*to & ~(1u << lane)) | (unsigned)truth << lane);
}

static inline unsigned chunk_hits(const void *words, uint32_t field)
{
	return _mm512_test_epi32_mask(_mm512_load_si512(words), _mm512_set1_epi32((int)field));
}

#include "cores/uarch/vector_lanes_internal.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

static bool is_there(void)
{
	return __builtin_cpu_supports("avx512f");
}

const struct lane_model lane_model_avx512 = {NR_LANES,	  is_there,	lanes_new,    lanes_free,
					     lanes_batch, lanes_result, lanes_record, lanes_predict};

#else

static bool is_there(void)
{
	return false;
}

const struct lane_model lane_model_avx512 = {.is_there = is_there};

#endif
