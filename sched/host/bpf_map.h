/* Maps of a BPF program, as a run has them: arrays, hashes, queues, stacks, arrays of maps, and storage for each thread
 * or cgroup. Source of their behaviour: Linux, Documentation/bpf/map_*.rst.
 *
 * Memory comes from the run's arena, all of it when a map is made; values begin as zeros and do not move. Keys and
 * values have the sizes of the declaration. In an array of integers a key is a u32. Errors are negative errno values,
 * as in the kernel.
 */
#ifndef SAHM_SCHED_HOST_BPF_MAP_H
#define SAHM_SCHED_HOST_BPF_MAP_H

#include "sched/host/bpf_calls.h"
#include "sched/host/bpf_program.h"
#include "sim/base/arena.h"

/* Largest map. */
#define MAX_BPF_MAP_BYTES ((u64)1 << 30)

struct bpf_map;

/* What the sizes of maps depend on. */
struct bpf_map_sizes {
	u32 nr_cpus;
	u32 nr_owners; /* threads with the idle one, or cgroups: of a map with storage for each */
};

/* Makes a map. NULL: memory is short, or it would be larger than MAX_BPF_MAP_BYTES. */
struct bpf_map *bpf_map_new(const struct sahm_bpf_map *spec, const struct bpf_map_sizes *sizes, struct arena *a);

/* Lets variables, and the pointers that programs get of maps in maps, lead to `map`; NULL where there is none. */
void bpf_map_bind(void *variable, struct bpf_map *map);
struct bpf_map *bpf_map_of(const void *variable);

enum bpf_map_type bpf_map_type_of(const struct bpf_map *map);
const char *bpf_map_name(const struct bpf_map *map);
u32 bpf_map_value_bytes(const struct bpf_map *map);
/* Whether a loader gives such a map a size where the program does not: arrays, and storage for each owner. */
bool bpf_map_has_default_size(const struct sahm_bpf_map *spec);

/* In an ARRAY_OF_MAPS: puts `inner` at `index`, below its size. */
void bpf_map_put_map(struct bpf_map *map, u32 index, struct bpf_map *inner);

/* The value of `key`, that of core `cpu` in a map for each core; NULL: there is none. */
void *bpf_map_lookup(struct bpf_map *map, const void *key, u32 cpu);
/* `flags`: BPF_ANY, BPF_NOEXIST, BPF_EXIST. -E2BIG: it is full. */
s64 bpf_map_update(struct bpf_map *map, const void *key, const void *value, u64 flags, u32 cpu);
/* Removes a key of a hash; `*from` to `*to` is where its value was. -ENOENT. */
s64 bpf_map_delete(struct bpf_map *map, const void *key, const void **from, const void **to);

/* Of a QUEUE or STACK. -E2BIG: it is full, unless `flags` is BPF_EXIST, which drops the oldest. */
s64 bpf_map_push(struct bpf_map *map, const void *value, u64 flags);
/* -ENOENT: it is empty, and `value` is filled with zeros. */
s64 bpf_map_pop(struct bpf_map *map, void *value);
s64 bpf_map_peek(const struct bpf_map *map, void *value);

/* Value of owner `index` in a map with storage for each. NULL: it has none, and is not to get one. */
void *bpf_map_storage(struct bpf_map *map, u32 index, const void *initial, bool is_made);
s64 bpf_map_storage_delete(struct bpf_map *map, u32 index);

/* The value at `*at` and its key, in an order that is the same in every run; *at begins at 0. NULL: the end. */
void *bpf_map_next(struct bpf_map *map, u32 *at, const void **key, u32 cpu);
/* The value that `inside` points into, and its key (NULL in an array); NULL: it points into none. */
void *bpf_map_value_around(struct bpf_map *map, const void *inside, const void **key);
/* Which of an array's values that is. */
u32 bpf_map_index_of(const struct bpf_map *map, const void *value);

#endif
