/* Arena: memory that is given back all at once.
 *
 * An arena belongs to one caller; what is allocated from it lives until arena_release(). Allocations are zeroed and
 * aligned for any type.
 */
#ifndef SAHM_SIM_BASE_ARENA_H
#define SAHM_SIM_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks;
};

/* Makes `a` empty; allocates nothing. */
void arena_init(struct arena *a);

/* Frees everything that came from `a` and leaves it empty and usable. */
void arena_release(struct arena *a);

/* `count` zeroed objects of `size` bytes; NULL when memory is short or the product overflows. Never NULL for 0 bytes.
 */
void *arena_alloc(struct arena *a, size_t count, size_t size);

/* A copy of the first `len` bytes of `text` with a closing NUL; NULL when memory is short. */
char *arena_strndup(struct arena *a, const char *text, size_t len);

/* A copy of the string `text`; NULL when memory is short. */
char *arena_strdup(struct arena *a, const char *text);

#endif
