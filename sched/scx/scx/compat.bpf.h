/* Names by which schedulers reach calls that some kernels have under another name, or not at all. */
#ifndef SAHM_SCHED_SCX_COMPAT_BPF_H
#define SAHM_SCHED_SCX_COMPAT_BPF_H

#include "bpf/bpf_core_read.h"

#define __COMPAT_ENUM_OR_ZERO(type, value) (value)
#define __COMPAT_is_enq_cpu_selected(enq_flags) (((enq_flags)&SCX_ENQ_CPU_SELECTED) != 0)

/* The second argument came later. */
#define SAHM_SECOND(a, b, ...) b
#define scx_bpf_dsq_move_to_local(id, ...) ((scx_bpf_dsq_move_to_local)((id), SAHM_SECOND(0, ##__VA_ARGS__, 0, 0)))

#define __COMPAT_scx_bpf_dsq_insert scx_bpf_dsq_insert
#define __COMPAT_scx_bpf_dsq_insert_vtime scx_bpf_dsq_insert_vtime
#define __COMPAT_scx_bpf_dsq_move_to_local scx_bpf_dsq_move_to_local
#define __COMPAT_scx_bpf_dsq_move scx_bpf_dsq_move
#define __COMPAT_scx_bpf_dsq_move_vtime scx_bpf_dsq_move_vtime
#define __COMPAT_scx_bpf_dsq_move_set_slice scx_bpf_dsq_move_set_slice
#define __COMPAT_scx_bpf_dsq_move_set_vtime scx_bpf_dsq_move_set_vtime
#define __COMPAT_scx_bpf_dsq_peek scx_bpf_dsq_peek
#define __COMPAT_scx_bpf_cpu_curr scx_bpf_cpu_curr
#define __COMPAT_scx_bpf_task_cgroup scx_bpf_task_cgroup
#define __COMPAT_HAS_scx_bpf_select_cpu_and true
#define __COMPAT_scx_bpf_now scx_bpf_now
#define __COMPAT_scx_bpf_events(events, nr_bytes) scx_bpf_events((events), (nr_bytes))
#define __COMPAT_scx_bpf_reenqueue_local_from_anywhere() false

/* One NUMA node. */
#define __COMPAT_scx_bpf_nr_node_ids() scx_bpf_nr_node_ids()
#define __COMPAT_scx_bpf_cpu_node(cpu) scx_bpf_cpu_node(cpu)
#define __COMPAT_scx_bpf_get_idle_cpumask_node(node) ((void)(node), scx_bpf_get_idle_cpumask())
#define __COMPAT_scx_bpf_get_idle_smtmask_node(node) ((void)(node), scx_bpf_get_idle_smtmask())
#define __COMPAT_scx_bpf_pick_idle_cpu_node(mask, node, flags) ((void)(node), scx_bpf_pick_idle_cpu((mask), (flags)))
#define __COMPAT_scx_bpf_pick_any_cpu_node(mask, node, flags) ((void)(node), scx_bpf_pick_any_cpu((mask), (flags)))

/* Before Linux 6.13. */
#define scx_bpf_dispatch scx_bpf_dsq_insert
#define scx_bpf_dispatch_vtime scx_bpf_dsq_insert_vtime
#define scx_bpf_consume(id) scx_bpf_dsq_move_to_local(id)

/* The table of maps and variables is written by `sahm policy build`. */
extern const struct sahm_bpf_program sahm_bpf_program __attribute__((visibility("hidden")));
#undef SCX_OPS_DEFINE
#define SCX_OPS_DEFINE(ops_name, ...)                                                                                  \
	const struct sched_ext_ops ops_name = {__VA_ARGS__, .sahm_bpf = &sahm_bpf_program};                            \
	SAHM_PUBLIC extern const struct sahm_plugin sahm_plugin;                                                       \
	SAHM_PUBLIC const struct sahm_plugin sahm_plugin = {SAHM_POLICY_ABI, sizeof(struct sched_ext_ops), &ops_name}

#endif
