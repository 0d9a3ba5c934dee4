/* A table from strings to numbers.
 *
 * Its rows cannot be walked, so nothing can depend on their order. Keys and rows live in an arena of the caller's, for
 * as long as that; the table itself is caller storage.
 */
#ifndef SAHM_SIM_BASE_STRTABLE_H
#define SAHM_SIM_BASE_STRTABLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"

struct strtable_row {
	const char *key; /* NULL: free */
	uint32_t value;
};

struct strtable {
	struct arena *arena;
	struct strtable_row *rows;
	size_t room, nr; /* room: a power of 2, or 0 */
};

/* Makes `t` empty; allocates nothing. */
void strtable_init(struct strtable *t, struct arena *a);

/* The number of `key`, 0 where it is new; the key is copied then. Valid until the next call; NULL when memory is short.
 */
uint32_t *strtable_at(struct strtable *t, const char *key);

/* The number of `key`, or NULL where it is not in the table. Valid until the next strtable_at(). */
const uint32_t *strtable_find(const struct strtable *t, const char *key);

#endif
