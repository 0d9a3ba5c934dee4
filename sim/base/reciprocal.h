/* Division by a number that is known long before: a multiplication, a comparison, exact.
 *
 * inverse = floor((2^64 - 1) / by). For any a floor(a * inverse / 2^64) is the quotient or one less, since
 * a / by - a * inverse / 2^64 = a * (2^64 - inverse * by) / (by * 2^64) <= a / 2^64 < 1.
 */
#ifndef SAHM_SIM_BASE_RECIPROCAL_H
#define SAHM_SIM_BASE_RECIPROCAL_H

#include <stdint.h>

struct reciprocal {
	uint64_t by, inverse;
};

/* `by` is from 1 to 2^63 - 1. */
static inline struct reciprocal reciprocal_of(uint64_t by)
{
	return (struct reciprocal){.by = by, .inverse = UINT64_MAX / by};
}

/* Quotient and remainder of `a`. */
static inline uint64_t reciprocal_divide(struct reciprocal r, uint64_t a, uint64_t *remainder)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t quotient = (uint64_t)((wide)a * r.inverse >> 64), rest = a - quotient * r.by;
	uint64_t one_more = rest >= r.by;
	*remainder = rest - (r.by & -one_more);
	return quotient + one_more;
}

#endif
