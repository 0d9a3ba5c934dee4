/* A policy that was written for the kernel's BPF interface and built by `sahm policy build`: which maps and variables
 * it has. The build writes this table into the plug-in, next to struct sched_ext_ops, whose `sahm_bpf` points to it.
 *
 * In the kernel a loader creates the maps and sets variables before the program runs, again for each run. Here the host
 * does: every run begins with the variables as they were in the file, then with those that a loader would set
 * (bpf_program_begin()), then with the run's settings.
 */
#ifndef SAHM_SCHED_HOST_BPF_PROGRAM_H
#define SAHM_SCHED_HOST_BPF_PROGRAM_H

#include "sched/host/ext.h"

/* Types of maps, with the kernel's numbers: MAP_TYPE(name, number, whether it is simulated). */
#define SAHM_BPF_MAP_TYPES(MAP_TYPE)                                                                                   \
	MAP_TYPE(HASH, 1, true)                                                                                        \
	MAP_TYPE(ARRAY, 2, true)                                                                                       \
	MAP_TYPE(PROG_ARRAY, 3, false)                                                                                 \
	MAP_TYPE(PERF_EVENT_ARRAY, 4, false)                                                                           \
	MAP_TYPE(PERCPU_HASH, 5, true)                                                                                 \
	MAP_TYPE(PERCPU_ARRAY, 6, true)                                                                                \
	MAP_TYPE(STACK_TRACE, 7, false)                                                                                \
	MAP_TYPE(CGROUP_ARRAY, 8, false)                                                                               \
	MAP_TYPE(LRU_HASH, 9, false)                                                                                   \
	MAP_TYPE(LRU_PERCPU_HASH, 10, false)                                                                           \
	MAP_TYPE(LPM_TRIE, 11, false)                                                                                  \
	MAP_TYPE(ARRAY_OF_MAPS, 12, true)                                                                              \
	MAP_TYPE(HASH_OF_MAPS, 13, false)                                                                              \
	MAP_TYPE(QUEUE, 22, true)                                                                                      \
	MAP_TYPE(STACK, 23, true)                                                                                      \
	MAP_TYPE(RINGBUF, 27, false)                                                                                   \
	MAP_TYPE(INODE_STORAGE, 28, false)                                                                             \
	MAP_TYPE(TASK_STORAGE, 29, true)                                                                               \
	MAP_TYPE(BLOOM_FILTER, 30, false)                                                                              \
	MAP_TYPE(USER_RINGBUF, 31, false)                                                                              \
	MAP_TYPE(CGRP_STORAGE, 32, true)                                                                               \
	MAP_TYPE(ARENA, 33, false)

enum bpf_map_type {
#define MAP_TYPE(name, number, is_simulated) BPF_MAP_TYPE_##name = (number),
	SAHM_BPF_MAP_TYPES(MAP_TYPE)
#undef MAP_TYPE
};

/* A map as it is declared. A run begins by writing where its contents are into the first bytes of the variable. */
struct sahm_bpf_map {
	const char *name;
	void *variable; /* NULL: that of the maps in an ARRAY_OF_MAPS which have none */
	u32 type;	/* enum bpf_map_type */
	u32 key_bytes, value_bytes;
	u32 nr_entries;	    /* 0: a loader would set it; an array has one for each core then */
	void *const *inner; /* ARRAY_OF_MAPS: variables of the maps in it, NULL where there is none; [nr_inner] */
	u32 nr_inner;
	const struct sahm_bpf_map *inner_like; /* how those without a variable are made; NULL: they are not */
};

enum sahm_bpf_kind {
	SAHM_BPF_SIGNED,
	SAHM_BPF_UNSIGNED,
	SAHM_BPF_BOOL,
};

/* A variable that can be set: an integer, or an array of integers. */
struct sahm_bpf_variable {
	const char *name;
	void *at;
	u64 nr_bytes;
	u32 element_bytes; /* nr_bytes: it is no array */
	enum sahm_bpf_kind kind;
	bool is_constant; /* for the program: set before a run only */
};

struct sahm_bpf_program {
	u32 nr_maps, nr_variables;
	const struct sahm_bpf_map *maps;
	const struct sahm_bpf_variable *variables;
	/* The host's: how the writable memory of the plug-in was when it was loaded (bpf_image.h). */
	struct bpf_image **image;
};

#endif
