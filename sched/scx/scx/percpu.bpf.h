/* Per-core values of the kernel, as far as they are simulated. */
#ifndef SAHM_SCHED_SCX_PERCPU_BPF_H
#define SAHM_SCHED_SCX_PERCPU_BPF_H

#include "vmlinux.h"

static inline s32 cpu_llc_id(s32 cpu)
{
	return bpf_cpu_llc_id(cpu);
}

static inline s32 cpu_llc_size(s32 cpu)
{
	return bpf_cpu_llc_size(cpu);
}

static inline s32 this_cpu_llc_id(void)
{
	return bpf_cpu_llc_id((s32)bpf_get_smp_processor_id());
}

static inline s32 this_cpu_llc_size(void)
{
	return bpf_cpu_llc_size((s32)bpf_get_smp_processor_id());
}

#endif
