/* Calls of programs that were written for the kernel's BPF interface, which sched/scx turns into these. They mean what
 * they do in the kernel (Documentation/bpf/ and bpf-helpers(7)), and may be made from any operation. Time is simulated,
 * random numbers follow from the run's seed, locks are not needed. References are counted only for sets of cores.
 *
 * A pointer to a map is one to its variable, or what a lookup in an array of maps returned. Pointers into maps stay
 * valid for the run. Errors are negative errno values.
 */
#ifndef SAHM_SCHED_HOST_BPF_CALLS_H
#define SAHM_SCHED_HOST_BPF_CALLS_H

#include "sched/host/ext.h"

/* Flags of updates. */
enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
	BPF_EXIST = 2,
};

/* Maps. Those for each core: the values of the core on which the operation runs. */
SAHM_PUBLIC void *bpf_map_lookup_elem(void *map, const void *key);
SAHM_PUBLIC void *bpf_map_lookup_percpu_elem(void *map, const void *key, u32 cpu);
SAHM_PUBLIC long bpf_map_update_elem(void *map, const void *key, const void *value, u64 flags);
SAHM_PUBLIC long bpf_map_delete_elem(void *map, const void *key);
SAHM_PUBLIC long bpf_map_push_elem(void *map, const void *value, u64 flags);
SAHM_PUBLIC long bpf_map_pop_elem(void *map, void *value);
SAHM_PUBLIC long bpf_map_peek_elem(void *map, void *value);
/* Calls `callback`, of type long (*)(struct bpf_map *, const void *key, void *value, void *context), for each value
 * until it returns other than 0; returns how often. */
SAHM_PUBLIC long bpf_for_each_map_elem(void *map, void *callback, void *context, u64 flags);

/* Storage for each thread, and each cgroup. */
SAHM_PUBLIC void *bpf_task_storage_get(void *map, struct task_struct *p, void *value, u64 flags);
SAHM_PUBLIC long bpf_task_storage_delete(void *map, struct task_struct *p);
SAHM_PUBLIC void *bpf_cgrp_storage_get(void *map, struct cgroup *cgrp, void *value, u64 flags);
SAHM_PUBLIC long bpf_cgrp_storage_delete(void *map, struct cgroup *cgrp);

#define BPF_LOCAL_STORAGE_GET_F_CREATE 1u

/* A timer in the value of a map. */
struct bpf_timer {
	u64 opaque[2];
} __attribute__((aligned(8)));

#define BPF_F_TIMER_ABS 1u
#define BPF_F_TIMER_CPU_PIN 2u
#define SAHM_TIMER_MIN_NS SAHM_SLICE_MIN_NS /* a shorter time is as long as this */

SAHM_PUBLIC long bpf_timer_init(struct bpf_timer *timer, void *map, u64 flags);
/* `callback` is int (*)(struct bpf_map *, key *, value *). */
SAHM_PUBLIC long bpf_timer_set_callback(struct bpf_timer *timer, void *callback);
/* The function runs in `ns`, on the core that starts the timer; starting it again moves it. */
SAHM_PUBLIC long bpf_timer_start(struct bpf_timer *timer, u64 ns, u64 flags);
SAHM_PUBLIC long bpf_timer_cancel(struct bpf_timer *timer); /* 1: it was running */

/* Threads and cgroups; NULL where there is none. */
SAHM_PUBLIC struct task_struct *bpf_task_from_pid(s32 pid);
SAHM_PUBLIC struct task_struct *bpf_get_current_task_btf(void); /* on the core on which the operation runs */
SAHM_PUBLIC struct cgroup *bpf_cgroup_from_id(u64 id);
SAHM_PUBLIC struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, s32 level);

/* Sets of cores that a program makes. Each begins as a set of a cpumask. */
struct bpf_cpumask;
SAHM_PUBLIC struct bpf_cpumask *bpf_cpumask_create(void);
SAHM_PUBLIC struct bpf_cpumask *bpf_cpumask_acquire(struct bpf_cpumask *mask);
SAHM_PUBLIC void bpf_cpumask_release(struct bpf_cpumask *mask);
SAHM_PUBLIC void bpf_cpumask_set_cpu(u32 cpu, struct bpf_cpumask *mask);
SAHM_PUBLIC void bpf_cpumask_clear_cpu(u32 cpu, struct bpf_cpumask *mask);
SAHM_PUBLIC bool bpf_cpumask_test_and_set_cpu(u32 cpu, struct bpf_cpumask *mask);
SAHM_PUBLIC bool bpf_cpumask_test_and_clear_cpu(u32 cpu, struct bpf_cpumask *mask);
SAHM_PUBLIC void bpf_cpumask_setall(struct bpf_cpumask *mask);
SAHM_PUBLIC void bpf_cpumask_clear(struct bpf_cpumask *mask);
SAHM_PUBLIC void bpf_cpumask_copy(struct bpf_cpumask *to, const struct cpumask *from);
SAHM_PUBLIC bool bpf_cpumask_and(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b);
SAHM_PUBLIC void bpf_cpumask_or(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b);
SAHM_PUBLIC void bpf_cpumask_xor(struct bpf_cpumask *to, const struct cpumask *a, const struct cpumask *b);
SAHM_PUBLIC bool bpf_cpumask_equal(const struct cpumask *a, const struct cpumask *b);
SAHM_PUBLIC bool bpf_cpumask_intersects(const struct cpumask *a, const struct cpumask *b);
SAHM_PUBLIC bool bpf_cpumask_subset(const struct cpumask *a, const struct cpumask *b); /* of b */
SAHM_PUBLIC bool bpf_cpumask_empty(const struct cpumask *mask);
SAHM_PUBLIC bool bpf_cpumask_full(const struct cpumask *mask);
SAHM_PUBLIC u32 bpf_cpumask_first_zero(const struct cpumask *mask);
SAHM_PUBLIC u32 bpf_cpumask_first_and(const struct cpumask *a, const struct cpumask *b);
/* One of the set, the next at each call, round and round. */
SAHM_PUBLIC u32 bpf_cpumask_any_distribute(const struct cpumask *mask);
SAHM_PUBLIC u32 bpf_cpumask_any_and_distribute(const struct cpumask *a, const struct cpumask *b);

/* Zeroed memory, until it is dropped or the run ends. */
SAHM_PUBLIC void *bpf_obj_new_impl(u64 nr_bytes);
SAHM_PUBLIC void bpf_obj_drop_impl(void *object);

/* The clock of these programs, that of scx_bpf_now() too, is at SAHM_BPF_BOOT_NS when the simulation begins: in the
 * kernel a scheduler never starts at 0, and many take 0 for "never". */
#define SAHM_BPF_BOOT_NS (UINT64_C(1000) * 1000 * 1000 * 1000)
SAHM_PUBLIC u64 bpf_ktime_get_ns(void);
SAHM_PUBLIC u32 bpf_get_prandom_u32(void);
SAHM_PUBLIC u32 bpf_get_smp_processor_id(void);
/* The domain of a core's last-level cache: the first level of migration.levels; without levels all are in one. */
SAHM_PUBLIC s32 bpf_cpu_llc_id(s32 cpu);
SAHM_PUBLIC s32 bpf_cpu_llc_size(s32 cpu); /* cores in it */
/* False after BPF_MAX_LOOPS times in one operation: ends loops that have no other end. */
SAHM_PUBLIC bool bpf_can_loop(void);
#define BPF_MAX_LOOPS (8u * 1024 * 1024)
/* A line of --trace-policy. */
SAHM_PUBLIC void bpf_trace_printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
