/* Numbers with units, as people write them: "5ms", "30%", "1.3x", for values that are kept in one unit.
 *
 * The number is a plain decimal with up to nine decimals; blanks may stand between it and the unit. Times, frequencies
 * and powers are converted between the units that have a row in quantity.c; any other value has its own unit only.
 * Conversion is exact.
 */
#ifndef SAHM_SIM_BASE_QUANTITY_H
#define SAHM_SIM_BASE_QUANTITY_H

#include "sim/base/decimal.h"
#include "sim/base/err.h"

/* Whether `text` begins with a number and a unit, known or not ("5ms", "5 parsecs"), and not with one as programs write
 * it ("1e5", "5L"). */
bool quantity_is_one(const char *text);

/* Reads the first `len` bytes of `text`, for which quantity_is_one() holds, as a value in `unit`. A speedup, kept in %,
 * can also be a factor: "1.3x" is 30. SAHM_FORMAT where the unit is another, or nine decimals of `unit` do not hold the
 * value; the message lacks its subject ("is '5%', must be in ns, us, ms or s"). */
enum sahm_status quantity_read(const char *text, size_t len, const char *unit, bool is_speedup, decimal *value,
			       struct sahm_err *err);

/* The double nearest to `value`: the same as that of the number as it is written. */
double quantity_to_double(decimal value);

/* The unit next to `unit`, a thousand times as large or small, and its name in words; NULL where there is none. */
const char *quantity_neighbour(const char *unit, bool larger, const char **words);

#endif
