/* Runs of decimal digits, 8 at a time: the inner loop of reading traces. Strict reading with faults: number.h. */
#ifndef SAHM_SIM_BASE_DIGITS_H
#define SAHM_SIM_BASE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes from the text's end on that digits_read() may look at, without effect. */
#define DIGITS_SLACK 8u

/* More digits could exceed 64 bits. */
#define DIGITS_MAX 19u

static inline uint64_t digits_load(const char *text)
{
	uint64_t eight;
	memcpy(&eight, text, sizeof(eight));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	eight = __builtin_bswap64(eight);
#endif
	return eight;
}

/* Value of 8 digits, the first one in the lowest byte: neighbours are joined to pairs, fours and eight. */
static inline uint64_t digits_join(uint64_t digits)
{
	const uint64_t low = UINT64_C(0x000000ff000000ff);
	digits = digits * 10 + (digits >> 8);
	return ((digits & low) * ((UINT64_C(1000000) << 32) + 100) +
		((digits >> 16) & low) * ((UINT64_C(10000) << 32) + 1)) >>
	       32;
}

/* Reads the digits at `text`, up to the first other byte, to which it returns a pointer. NULL where there are none, or
 * more than DIGITS_MAX. */
static inline const char *digits_read(const char *text, uint64_t *value)
{
	static const uint32_t power[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	const char *p = text;
	uint64_t v = 0;
	for (;;) {
		uint64_t digits = digits_load(p) ^ UINT64_C(0x3030303030303030);
		uint64_t others = ((digits + UINT64_C(0x7676767676767676)) | digits) & UINT64_C(0x8080808080808080);
		if (others == 0) {
			v = v * 100000000 + digits_join(digits);
			p += 8;
			if (p - text > (int)DIGITS_MAX)
				return NULL;
			continue;
		}
		unsigned nr = (unsigned)__builtin_ctzll(others) / 8;
		/* Two shifts: one by 64 is undefined. */
		v = v * power[nr] + digits_join(digits << (8 * (7 - nr)) << 8);
		p += nr;
		*value = v;
		return p > text && p - text <= (int)DIGITS_MAX ? p : NULL;
	}
}

#endif
