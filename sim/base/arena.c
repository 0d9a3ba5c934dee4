#include "sim/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)
#define ALIGNMENT _Alignof(max_align_t)

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	max_align_t data[];
};

void arena_init(struct arena *a)
{
	a->chunks = NULL;
}

void arena_release(struct arena *a)
{
	while (a->chunks) {
		struct arena_chunk *next = a->chunks->next;
		free(a->chunks);
		a->chunks = next;
	}
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
	if (size && count > (SIZE_MAX / 2) / size)
		return NULL;
	size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	struct arena_chunk *c = a->chunks;
	bool is_large = bytes > CHUNK_BYTES;
	if (!c || c->size - c->used < bytes) {
		size_t room = is_large ? bytes : CHUNK_BYTES;
		/* Most small chunks stay nearly empty: only what is used of them becomes zeros. */
		c = is_large ? calloc(1, sizeof(*c) + room) : malloc(sizeof(*c) + room);
		if (!c)
			return NULL;
		c->used = 0;
		c->size = room;
		/* A large object must not hide the room that is left in the current chunk. */
		if (a->chunks && bytes > CHUNK_BYTES / 4) {
			c->next = a->chunks->next;
			a->chunks->next = c;
		} else {
			c->next = a->chunks;
			a->chunks = c;
		}
	}
	void *p = (char *)c->data + c->used;
	c->used += bytes;
	return is_large ? p : memset(p, 0, bytes);
}

char *arena_strndup(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1, 1);
	if (copy)
		memcpy(copy, text, len);
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}
