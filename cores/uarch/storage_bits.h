/* What accounts of storage share: widths of hardware that the models do not have, because they keep whole numbers. */
#ifndef SAHM_CORES_UARCH_STORAGE_BITS_H
#define SAHM_CORES_UARCH_STORAGE_BITS_H

#include <stdint.h>

/* Of addresses, virtual and physical, and of the pages of 4 KiB that they are in. */
#define STORAGE_ADDRESS_BITS 48u
#define STORAGE_PAGE_NUMBER_BITS (STORAGE_ADDRESS_BITS - 12)

/* Bits of a number below `n`, above 0. */
static inline uint64_t storage_bits_below(uint64_t n)
{
	uint64_t bits = 0;
	while (UINT64_C(1) << bits < n)
		bits++;
	return bits;
}

static inline uint64_t storage_bytes(uint64_t bits)
{
	return (bits + 7) / 8;
}

#endif
