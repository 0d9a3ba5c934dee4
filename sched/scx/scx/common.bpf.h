/* What a scheduler for the kernel includes: <scx/common.bpf.h> of the simulator. `sahm policy build` compiles such a
 * scheduler, unmodified, for the machine on which the simulator runs. Names and meaning are the kernel's (Linux,
 * tools/sched_ext and Documentation/scheduler/sched-ext.rst); docs/policies.md lists what is not there.
 */
#ifndef __SCX_COMMON_BPF_H
#define __SCX_COMMON_BPF_H

#include "bpf/bpf_core_read.h"
#include "bpf/bpf_helpers.h"
#include "bpf/bpf_tracing.h"
#include "vmlinux.h"

#include "scx/compat.bpf.h"
#include "scx/user_exit_info.bpf.h"

#define PF_IO_WORKER 0x10
#define PF_WQ_WORKER 0x20
#define PF_KCOMPACTD 0x10000
#define PF_KSWAPD 0x20000
#define CLOCK_MONOTONIC 1
#define NUMA_NO_NODE (-1)

#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define LINUX_KERNEL_VERSION KERNEL_VERSION(7, 1, 0)

#define private(name) __hidden
/* Large enough for any chip, where the kernel's loader resizes the array. */
#define RESIZABLE_ARRAY(section, array) array[NR_CPUS]
#define ARRAY_ELEM_PTR(array, i, nr)                                                                                   \
	((typeof((array)[0]) *)((u64)(i) < (u64)(nr) && (u64)(i) < sizeof(array) / sizeof((array)[0]) ? &(array)[i]    \
												      : NULL))
/* NULL where the member is beyond the end of `base`. */
#define MEMBER_VPTR(base, member)                                                                                      \
	((typeof((base)member) *)((u64) & ((base)member) - (u64) & (base) <= sizeof(base) - sizeof((base)member)       \
					  ? (u64) & ((base)member)                                                     \
					  : 0))
#define __sink(expression) __asm__ volatile("" : "+g"(expression))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))

#define scx_read_event(events, name) ((events)->name)

/* Nobody reads a dump. */
#define scx_bpf_dump(...) ((void)0)
#define scx_bpf_dump_header() ((void)0)

static __always_inline const struct cpumask *cast_mask(struct bpf_cpumask *mask)
{
	return (const struct cpumask *)mask;
}

static inline bool is_migration_disabled(const struct task_struct *p)
{
	return p->migration_disabled != 0;
}

/* Times, of a clock that may run over. */

#define time_after_eq(a, b) (!time_before(a, b))
#define time_before_eq(a, b) (!time_after(a, b))
#define time_in_range(a, b, c) (time_after_eq(a, b) && time_before_eq(a, c))
#define time_in_range_open(a, b, c) (time_after_eq(a, b) && time_before(a, c))

/* From `before` to `after`; 0 if that is earlier. */
static inline s64 time_delta(u64 after, u64 before)
{
	return time_before(after, before) ? 0 : (s64)(after - before);
}

/* Arithmetic */

static inline u64 scale_by_task_weight(const struct task_struct *p, u64 value)
{
	return value * p->scx.weight / 100;
}

static inline u64 scale_by_task_weight_inverse(const struct task_struct *p, u64 value)
{
	return value * 100 / p->scx.weight;
}

/* A mean in which the newest value counts 1/2^decay. */
#define __calc_avg(before, value, decay)                                                                               \
	({                                                                                                             \
		typeof(before) sahm_part_ = 1u << (decay), sahm_old_ = (before), sahm_new_ = (value);                  \
		sahm_old_ - sahm_old_ / sahm_part_ + sahm_new_ / sahm_part_;                                           \
	})

/* Number of bits, 0 for 0. */
static inline u32 sahm_bits(u64 value)
{
	return value ? 64 - (u32)__builtin_clzll(value) : 0;
}

static inline u32 log2_u32(u32 value)
{
	return value ? sahm_bits(value) - 1 : 0;
}

/* As the scx project has it: one more than log2_u32(). */
static inline u32 log2_u64(u64 value)
{
	return value ? sahm_bits(value) : 1;
}

static inline int ctzll(u64 value)
{
	return value ? __builtin_ctzll(value) : 64;
}

static inline u64 bpf_ktime_get_boot_ns(void)
{
	return bpf_ktime_get_ns();
}

static inline u64 get_prandom_u64(void)
{
	u64 high = bpf_get_prandom_u32();
	return high << 32 | bpf_get_prandom_u32();
}

#endif
