/* The names of libbpf's bpf_tracing.h. */
#ifndef SAHM_SCHED_SCX_BPF_TRACING_H
#define SAHM_SCHED_SCX_BPF_TRACING_H

#include "bpf/bpf_helpers.h"

#define BPF_PROG(name, ...) name(__VA_ARGS__)

#endif
