/* A set of small numbers that finds its members in order, in a few instructions.
 *
 * `size` numbers, at most MAX_BITSET, from 0. The caller gives bitset_words(size) zeroed words: the first says which of
 * the others are not 0, each of those holds 64 numbers. Inline because the event-driven engine does little else, and
 * without branches, since what they would depend on there is what cannot be foretold.
 */
#ifndef SAHM_SIM_BASE_BITSET_H
#define SAHM_SIM_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_BITSET 4096u
#define BITSET_END UINT32_MAX

static inline size_t bitset_words(uint32_t size)
{
	return 1 + (size_t)(size + 63) / 64;
}

/* Adds `i` if `condition`, which is 0 or 1, is 1. */
static inline void bitset_add_if(uint64_t *set, uint32_t i, uint64_t condition)
{
	set[0] |= condition << i / 64;
	set[1 + i / 64] |= condition << i % 64;
}

static inline void bitset_remove_if(uint64_t *set, uint32_t i, uint64_t condition)
{
	uint64_t word = set[1 + i / 64] &= ~(condition << i % 64);
	set[0] &= ~((uint64_t)(word == 0) << i / 64);
}

static inline void bitset_add(uint64_t *set, uint32_t i)
{
	bitset_add_if(set, i, 1);
}

static inline void bitset_remove(uint64_t *set, uint32_t i)
{
	bitset_remove_if(set, i, 1);
}

static inline bool bitset_has(const uint64_t *set, uint32_t i)
{
	return set[1 + i / 64] >> i % 64 & 1;
}

static inline bool bitset_is_empty(const uint64_t *set)
{
	return set[0] == 0;
}

/* Number of the lowest bit of `word`, which is not 0. */
static inline uint32_t lowest_bit(uint64_t word)
{
	return (uint32_t)__builtin_ctzll(word);
}

/* The bits of a word above bit `i` (0 to 63). */
static inline uint64_t bits_above(uint32_t i)
{
	return ~UINT64_C(0) << i << 1;
}

/* Lowest member, BITSET_END when there is none. */
static inline uint32_t bitset_first(const uint64_t *set)
{
	if (set[0] == 0)
		return BITSET_END;
	uint32_t w = lowest_bit(set[0]);
	return w * 64 + lowest_bit(set[1 + w]);
}

/* Lowest member at or above `from`, which is below the size; BITSET_END when there is none. */
static inline uint32_t bitset_next(const uint64_t *set, uint32_t from)
{
	uint32_t w = from / 64;
	uint64_t here = set[1 + w] & ~UINT64_C(0) << from % 64, later = set[0] & bits_above(w);
	if (here)
		return w * 64 + lowest_bit(here);
	if (later == 0)
		return BITSET_END;
	w = lowest_bit(later);
	return w * 64 + lowest_bit(set[1 + w]);
}

/* The same among the members whose bit is set in `words` (bit i % 64 of word i / 64). */
static inline uint32_t bitset_next_in(const uint64_t *set, const uint64_t *words, uint32_t from)
{
	uint32_t w = from / 64;
	uint64_t here = set[1 + w] & words[w] & ~UINT64_C(0) << from % 64;
	for (uint64_t later = set[0] & bits_above(w); here == 0 && later; later &= later - 1) {
		w = lowest_bit(later);
		here = set[1 + w] & words[w];
	}
	return here ? w * 64 + lowest_bit(here) : BITSET_END;
}

#endif
