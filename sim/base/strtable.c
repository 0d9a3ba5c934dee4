#include "sim/base/strtable.h"

#include <stdbool.h>
#include <string.h>

#define FIRST_ROOM 64

void strtable_init(struct strtable *t, struct arena *a)
{
	*t = (struct strtable){.arena = a};
}

/* FNV-1a. */
static uint64_t hash_of(const char *key)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (const unsigned char *p = (const unsigned char *)key; *p; p++)
		h = (h ^ *p) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

/* The row of `key`, or the free one that it would take. There is one: at most half of the rows are in use. */
static struct strtable_row *row_of(const struct strtable *t, const char *key)
{
	size_t i = (size_t)hash_of(key) & (t->room - 1);
	while (t->rows[i].key && strcmp(t->rows[i].key, key) != 0)
		i = (i + 1) & (t->room - 1);
	return &t->rows[i];
}

static bool grow(struct strtable *t)
{
	struct strtable larger = *t;
	larger.room = t->room ? t->room * 2 : FIRST_ROOM;
	larger.rows = arena_alloc(t->arena, larger.room, sizeof(*larger.rows));
	if (!larger.rows)
		return false;
	for (size_t i = 0; i < t->room; i++)
		if (t->rows[i].key)
			*row_of(&larger, t->rows[i].key) = t->rows[i];
	*t = larger;
	return true;
}

uint32_t *strtable_at(struct strtable *t, const char *key)
{
	if (t->nr >= t->room / 2 && !grow(t))
		return NULL;
	struct strtable_row *row = row_of(t, key);
	if (!row->key) {
		row->key = arena_strdup(t->arena, key);
		if (!row->key)
			return NULL;
		t->nr++;
	}
	return &row->value;
}

const uint32_t *strtable_find(const struct strtable *t, const char *key)
{
	const struct strtable_row *row = t->room ? row_of(t, key) : NULL;
	return row && row->key ? &row->value : NULL;
}
