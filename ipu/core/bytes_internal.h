/* Numbers in the guest's memory: little-endian, at any alignment. `nr_bytes` is 1, 2 or 4. */
#ifndef SAHM_IPU_CORE_BYTES_INTERNAL_H
#define SAHM_IPU_CORE_BYTES_INTERNAL_H

#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint32_t swap_on_big_endian(uint32_t value, unsigned nr_bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return nr_bytes == 4 ? __builtin_bswap32(value) : nr_bytes == 2 ? __builtin_bswap16((uint16_t)value) : value;
#else
	(void)nr_bytes;
	return value;
#endif
}

ALWAYS_INLINE uint32_t peek(const void *at, unsigned nr_bytes)
{
	uint16_t half;
	uint32_t word;
	if (nr_bytes == 1)
		return *(const uint8_t *)at;
	if (nr_bytes == 2) {
		memcpy(&half, at, sizeof(half));
		return swap_on_big_endian(half, 2);
	}
	memcpy(&word, at, sizeof(word));
	return swap_on_big_endian(word, 4);
}

ALWAYS_INLINE void poke(void *at, unsigned nr_bytes, uint32_t value)
{
	uint16_t half = (uint16_t)swap_on_big_endian(value & 0xffff, 2);
	uint32_t word = swap_on_big_endian(value, 4);
	if (nr_bytes == 1)
		*(uint8_t *)at = (uint8_t)value;
	else if (nr_bytes == 2)
		memcpy(at, &half, sizeof(half));
	else
		memcpy(at, &word, sizeof(word));
}

#endif
