#include "sched/host/bpf_map.h"

#include <errno.h>
#include <string.h>

#define ALIGNMENT 8u
#define NO_ENTRY UINT32_MAX

struct bpf_map {
	struct bpf_map *self; /* first: where a pointer to the map, as programs have it, leads */
	const struct sahm_bpf_map *spec;
	u32 nr_entries, nr_cpus;
	u32 key_stride, stride; /* of keys and values: multiples of ALIGNMENT */
	/* [nr_entries], in a map for each core [nr_cpus][nr_entries]; in an ARRAY_OF_MAPS pointers to maps. */
	char *values;
	/* A hash: */
	char *keys;    /* [nr_entries] */
	u32 *buckets;  /* [nr_buckets], a power of two: the first entry of each */
	u32 *next;     /* [nr_entries]: the next entry of the bucket, or the next that is free */
	bool *is_used; /* [nr_entries]; storage: has been made */
	u32 nr_buckets, free;
	/* A queue or a stack: */
	u32 first, nr;
};

static bool is_hash(const struct bpf_map *map)
{
	return map->spec->type == BPF_MAP_TYPE_HASH || map->spec->type == BPF_MAP_TYPE_PERCPU_HASH;
}

static bool is_percpu(u32 type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH;
}

static bool is_storage(u32 type)
{
	return type == BPF_MAP_TYPE_TASK_STORAGE || type == BPF_MAP_TYPE_CGRP_STORAGE;
}

static u32 stride_of(u32 nr_bytes)
{
	return nr_bytes > UINT32_MAX - ALIGNMENT ? nr_bytes : (nr_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool init_hash(struct bpf_map *map, struct arena *a)
{
	map->nr_buckets = 1;
	while (map->nr_buckets < map->nr_entries)
		map->nr_buckets *= 2;
	map->keys = arena_alloc(a, map->nr_entries, map->key_stride);
	map->buckets = arena_alloc(a, map->nr_buckets, sizeof(*map->buckets));
	map->next = arena_alloc(a, map->nr_entries, sizeof(*map->next));
	if (!map->keys || !map->buckets || !map->next)
		return false;
	for (u32 i = 0; i < map->nr_buckets; i++)
		map->buckets[i] = NO_ENTRY;
	for (u32 i = 0; i < map->nr_entries; i++)
		map->next[i] = i + 1 < map->nr_entries ? i + 1 : NO_ENTRY;
	return true;
}

struct bpf_map *bpf_map_new(const struct sahm_bpf_map *spec, const struct bpf_map_sizes *sizes, struct arena *a)
{
	struct bpf_map *map = arena_alloc(a, 1, sizeof(*map));
	if (!map)
		return NULL;
	map->self = map;
	map->spec = spec;
	map->nr_cpus = is_percpu(spec->type) ? sizes->nr_cpus : 1;
	map->nr_entries = is_storage(spec->type) ? sizes->nr_owners
			  : spec->nr_entries	 ? spec->nr_entries
						 : sizes->nr_cpus;
	map->stride =
		spec->type == BPF_MAP_TYPE_ARRAY_OF_MAPS ? sizeof(struct bpf_map *) : stride_of(spec->value_bytes);
	map->key_stride = stride_of(spec->key_bytes);
	u64 nr = (u64)map->nr_entries * map->nr_cpus;
	if (map->nr_entries > UINT32_MAX / 2 || nr * ((u64)map->stride + map->key_stride) > MAX_BPF_MAP_BYTES)
		return NULL;
	map->values = arena_alloc(a, nr, map->stride ? map->stride : 1);
	if (!map->values)
		return NULL;
	if (is_hash(map) || is_storage(spec->type)) {
		map->is_used = arena_alloc(a, map->nr_entries, sizeof(*map->is_used));
		if (!map->is_used)
			return NULL;
	}
	return !is_hash(map) || init_hash(map, a) ? map : NULL;
}

void bpf_map_bind(void *variable, struct bpf_map *map)
{
	memcpy(variable, &map, sizeof(map));
}

struct bpf_map *bpf_map_of(const void *variable)
{
	struct bpf_map *map;
	memcpy(&map, variable, sizeof(map));
	return map;
}

enum bpf_map_type bpf_map_type_of(const struct bpf_map *map)
{
	return map->spec->type;
}

const char *bpf_map_name(const struct bpf_map *map)
{
	return map->spec->name;
}

u32 bpf_map_value_bytes(const struct bpf_map *map)
{
	return map->spec->value_bytes;
}

bool bpf_map_has_default_size(const struct sahm_bpf_map *spec)
{
	return spec->type == BPF_MAP_TYPE_ARRAY || spec->type == BPF_MAP_TYPE_PERCPU_ARRAY || is_storage(spec->type);
}

void bpf_map_put_map(struct bpf_map *map, u32 index, struct bpf_map *inner)
{
	bpf_map_bind(map->values + (size_t)index * map->stride, inner);
}

static char *value_at(const struct bpf_map *map, u32 entry, u32 cpu)
{
	return map->values + ((size_t)cpu * map->nr_entries + entry) * map->stride;
}

/* Hashes. Keys are hashed byte by byte (FNV-1a), so that the order of entries is the same on every machine. */

static u32 *bucket_of(const struct bpf_map *map, const void *key)
{
	const unsigned char *bytes = key;
	u64 hash = UINT64_C(0xcbf29ce484222325);
	for (u32 i = 0; i < map->spec->key_bytes; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return &map->buckets[(hash ^ hash >> 32) & (map->nr_buckets - 1)];
}

/* Where the number of the entry of `key` is, or NO_ENTRY at the end of its bucket. */
static u32 *find(const struct bpf_map *map, const void *key)
{
	u32 *at = bucket_of(map, key);
	while (*at != NO_ENTRY && memcmp(map->keys + (size_t)*at * map->key_stride, key, map->spec->key_bytes) != 0)
		at = &map->next[*at];
	return at;
}

static s64 update_hash(struct bpf_map *map, const void *key, const void *value, u64 flags, u32 cpu)
{
	u32 *at = find(map, key), entry = *at;
	if (entry != NO_ENTRY && flags == BPF_NOEXIST)
		return -EEXIST;
	if (entry == NO_ENTRY) {
		if (flags == BPF_EXIST)
			return -ENOENT;
		entry = map->free;
		if (entry == NO_ENTRY)
			return -E2BIG;
		map->free = map->next[entry];
		map->next[entry] = NO_ENTRY;
		*at = entry;
		map->is_used[entry] = true;
		memcpy(map->keys + (size_t)entry * map->key_stride, key, map->spec->key_bytes);
		for (u32 c = 0; c < map->nr_cpus; c++)
			memset(value_at(map, entry, c), 0, map->stride);
	}
	memcpy(value_at(map, entry, cpu), value, map->spec->value_bytes);
	return 0;
}

s64 bpf_map_delete(struct bpf_map *map, const void *key, const void **from, const void **to)
{
	if (!is_hash(map))
		return -EINVAL;
	u32 *at = find(map, key), entry = *at;
	if (entry == NO_ENTRY)
		return -ENOENT;
	*at = map->next[entry];
	map->next[entry] = map->free;
	map->free = entry;
	map->is_used[entry] = false;
	*from = value_at(map, entry, 0);
	*to = (const char *)*from + map->stride;
	return 0;
}

/* Values by key */

void *bpf_map_lookup(struct bpf_map *map, const void *key, u32 cpu)
{
	u32 index;
	if (is_hash(map)) {
		u32 entry = *find(map, key);
		return entry == NO_ENTRY ? NULL : value_at(map, entry, map->nr_cpus > 1 ? cpu : 0);
	}
	memcpy(&index, key, sizeof(index));
	if (index >= map->nr_entries)
		return NULL;
	switch (map->spec->type) {
	case BPF_MAP_TYPE_ARRAY:
		return value_at(map, index, 0);
	case BPF_MAP_TYPE_PERCPU_ARRAY:
		return value_at(map, index, cpu);
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
		return bpf_map_of(value_at(map, index, 0));
	default:
		return NULL;
	}
}

s64 bpf_map_update(struct bpf_map *map, const void *key, const void *value, u64 flags, u32 cpu)
{
	cpu = map->nr_cpus > 1 ? cpu : 0;
	if (flags > BPF_EXIST)
		return -EINVAL;
	if (is_hash(map))
		return update_hash(map, key, value, flags, cpu);
	if (map->spec->type != BPF_MAP_TYPE_ARRAY && map->spec->type != BPF_MAP_TYPE_PERCPU_ARRAY)
		return -EINVAL;
	void *at = bpf_map_lookup(map, key, cpu);
	if (!at)
		return -E2BIG;
	if (flags == BPF_NOEXIST)
		return -EEXIST;
	memcpy(at, value, map->spec->value_bytes);
	return 0;
}

/* Queues and stacks */

static bool is_line(const struct bpf_map *map)
{
	return map->spec->type == BPF_MAP_TYPE_QUEUE || map->spec->type == BPF_MAP_TYPE_STACK;
}

/* Entry number `place` in the order in which they were pushed. */
static char *place_at(const struct bpf_map *map, u32 place)
{
	return value_at(map, (u32)(((u64)map->first + place) % map->nr_entries), 0);
}

s64 bpf_map_push(struct bpf_map *map, const void *value, u64 flags)
{
	if (!is_line(map) || flags & ~(u64)BPF_EXIST)
		return -EINVAL;
	if (map->nr == map->nr_entries) {
		if (flags != BPF_EXIST)
			return -E2BIG;
		map->first = (map->first + 1) % map->nr_entries;
		map->nr--;
	}
	memcpy(place_at(map, map->nr++), value, map->spec->value_bytes);
	return 0;
}

s64 bpf_map_peek(const struct bpf_map *map, void *value)
{
	if (!is_line(map))
		return -EINVAL;
	if (map->nr == 0) {
		memset(value, 0, map->spec->value_bytes);
		return -ENOENT;
	}
	memcpy(value, place_at(map, map->spec->type == BPF_MAP_TYPE_QUEUE ? 0 : map->nr - 1), map->spec->value_bytes);
	return 0;
}

s64 bpf_map_pop(struct bpf_map *map, void *value)
{
	s64 code = bpf_map_peek(map, value);
	if (code < 0)
		return code;
	if (map->spec->type == BPF_MAP_TYPE_QUEUE)
		map->first = (map->first + 1) % map->nr_entries;
	map->nr--;
	return 0;
}

/* Storage for each thread or cgroup */

void *bpf_map_storage(struct bpf_map *map, u32 index, const void *initial, bool is_made)
{
	if (!is_storage(map->spec->type) || index >= map->nr_entries)
		return NULL;
	char *value = value_at(map, index, 0);
	if (map->is_used[index])
		return value;
	if (!is_made)
		return NULL;
	map->is_used[index] = true;
	if (initial)
		memcpy(value, initial, map->spec->value_bytes);
	else
		memset(value, 0, map->spec->value_bytes);
	return value;
}

s64 bpf_map_storage_delete(struct bpf_map *map, u32 index)
{
	if (!bpf_map_storage(map, index, NULL, false))
		return -ENOENT;
	map->is_used[index] = false;
	return 0;
}

/* All values */

void *bpf_map_next(struct bpf_map *map, u32 *at, const void **key, u32 cpu)
{
	bool hash = is_hash(map);
	if (!hash && map->spec->type != BPF_MAP_TYPE_ARRAY && map->spec->type != BPF_MAP_TYPE_PERCPU_ARRAY)
		return NULL;
	while (*at < map->nr_entries && hash && !map->is_used[*at])
		++*at;
	if (*at >= map->nr_entries)
		return NULL;
	u32 entry = (*at)++;
	*key = hash ? (const void *)(map->keys + (size_t)entry * map->key_stride) : NULL;
	return value_at(map, entry, map->nr_cpus > 1 ? cpu : 0);
}

void *bpf_map_value_around(struct bpf_map *map, const void *inside, const void **key)
{
	const char *p = inside, *end = map->values + (size_t)map->nr_entries * map->nr_cpus * map->stride;
	if (p < map->values || p >= end || map->stride == 0)
		return NULL;
	u32 entry = (u32)((size_t)(p - map->values) / map->stride % map->nr_entries);
	*key = map->keys ? map->keys + (size_t)entry * map->key_stride : NULL;
	return map->values + (size_t)(p - map->values) / map->stride * map->stride;
}

u32 bpf_map_index_of(const struct bpf_map *map, const void *value)
{
	return (u32)((size_t)((const char *)value - map->values) / map->stride % map->nr_entries);
}
