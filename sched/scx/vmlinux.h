/* What the kernel's own headers declare, as far as a scheduler finds it in the simulator: struct task_struct and the
 * rest of sched/host/ext.h, and the calls of BPF programs. A member that is not there is not simulated.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#include <errno.h>
#include <string.h>

#include "sched/host/bpf_calls.h"
#include "sched/host/bpf_program.h"
#include "sched/host/ext.h"

typedef u8 __u8;
typedef s8 __s8;
typedef u16 __u16;
typedef s16 __s16;
typedef u32 __u32;
typedef s32 __s32;
typedef u64 __u64;
typedef s64 __s64;
typedef int pid_t;
typedef struct cpumask cpumask_t;

struct bpf_map;

/* Nobody else runs: a lock holds nothing. */
struct bpf_spin_lock {
	u32 opaque;
};

struct bpf_refcount {
	u32 opaque;
};

/* A list of objects, and a tree: both keep a list. */
struct bpf_list_node {
	struct bpf_list_node *next, *prev;
	struct bpf_list_head *of; /* NULL: in none */
};

struct bpf_list_head {
	struct bpf_list_node *first, *last;
};

struct bpf_rb_node {
	struct bpf_list_node in;
};

struct bpf_rb_root {
	struct bpf_list_head list;
};

enum {
	BPF_F_NO_PREALLOC = 1,
	BPF_F_CURRENT_CPU = -1,
};

#define NR_CPUS 4096

#endif
