/* Synthetic values: drawn and converted to fp16 only with integers. */
#include "ipu/studies/study_values.h"

enum { FP16_FRACTION_BITS = 10, FP16_BIAS = 15, FP16_MIN_EXPONENT = 1 - FP16_BIAS };
#define FP16_INFINITY 0x7c00u
#define FP16_SIGN 0x8000u

/* Fraction bits of drawn values, and the maximum number of bits by which the tail lengthens them. */
enum { DRAWN_FRACTION_BITS = 16, MOST_TAIL_BITS = 12 };
#define BELL_OFFSET 16384 /* a quarter */

static int floor_log2(uint64_t value)
{
	int log = -1;
	for (; value; value >>= 1)
		log++;
	return log;
}

static uint64_t shift_right_rounded(uint64_t value, int shift)
{
	if (shift <= 0)
		return value << -shift;
	if (shift > 63)
		return 0;
	uint64_t whole = value >> shift, rest = value & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
	return whole + (rest > half || (rest == half && whole % 2 == 1));
}

uint16_t values_fp16(int64_t value, unsigned fraction_bits)
{
	if (value == 0)
		return 0;
	uint64_t magnitude = value < 0 ? (uint64_t)-value : (uint64_t)value;
	int exponent = floor_log2(magnitude) - (int)fraction_bits;
	if (exponent > FP16_BIAS)
		return (uint16_t)(FP16_INFINITY | (value < 0 ? FP16_SIGN : 0));
	if (exponent < FP16_MIN_EXPONENT)
		exponent = FP16_MIN_EXPONENT; /* subnormal: the same step as the smallest normal ones */
	uint64_t steps = shift_right_rounded(magnitude, (int)fraction_bits + exponent - FP16_FRACTION_BITS);
	/* The leading bit of a normal number, if it is there, is the lowest one of the exponent; so is a carry. */
	uint32_t bits = ((uint32_t)(exponent - FP16_MIN_EXPONENT) << FP16_FRACTION_BITS) + (uint32_t)steps;
	return (uint16_t)(bits | (value < 0 ? FP16_SIGN : 0));
}

/* The sum of four even draws: close to a bell, from -2 to 2 with a standard deviation of 0.58. */
static int64_t draw_bell(struct rng *rng)
{
	uint64_t r = rng_next(rng);
	int64_t sum =
		(int64_t)(r & 0xffff) + (int64_t)(r >> 16 & 0xffff) + (int64_t)(r >> 32 & 0xffff) + (int64_t)(r >> 48);
	return sum - 2 * 0xffff;
}

/* How many pairs of coins in a row show heads twice. */
static unsigned draw_tail(struct rng *rng)
{
	uint64_t r = rng_next(rng);
	unsigned nr = 0;
	for (; nr < MOST_TAIL_BITS && (r & 3) == 0; r >>= 2)
		nr++;
	return nr;
}

uint16_t values_draw(enum values_application application, struct rng *rng, unsigned scale)
{
	int64_t value = draw_bell(rng);
	if (application == VALUES_RECTIFIED)
		value = value < 0 ? 0 : value;
	else if (application == VALUES_BELL)
		value += BELL_OFFSET;
	else
		value *= INT64_C(1) << draw_tail(rng);
	return values_fp16(value, DRAWN_FRACTION_BITS + scale);
}
