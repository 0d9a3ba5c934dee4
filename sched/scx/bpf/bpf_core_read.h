/* The names of libbpf's bpf_core_read.h: a program and the simulator share their memory, and what compiles is there. */
#ifndef SAHM_SCHED_SCX_BPF_CORE_READ_H
#define SAHM_SCHED_SCX_BPF_CORE_READ_H

#include "bpf/bpf_helpers.h"

#define bpf_core_field_exists(...) true
#define bpf_core_type_exists(type) (sizeof(type) > 0)
#define bpf_core_enum_value_exists(type, value) true
#define bpf_core_enum_value(type, value) (value)
#define bpf_core_type_size(type) sizeof(type)
#define bpf_core_cast(pointer, type) ((type *)(pointer))
#define bpf_ksym_exists(symbol) (sizeof(&(symbol)) > 0)

#define BPF_CORE_READ_1(p, a) ((p)->a)
#define BPF_CORE_READ_2(p, a, b) ((p)->a->b)
#define BPF_CORE_READ_3(p, a, b, c) ((p)->a->b->c)
#define BPF_CORE_READ_4(p, a, b, c, d) ((p)->a->b->c->d)
#define BPF_CORE_READ_N(p, a, b, c, d, n, ...) BPF_CORE_READ_##n
#define BPF_CORE_READ(p, ...) BPF_CORE_READ_N(p, __VA_ARGS__, 4, 3, 2, 1)(p, __VA_ARGS__)
#define BPF_CORE_READ_INTO(to, p, ...) (*(to) = BPF_CORE_READ(p, __VA_ARGS__), 0)

static inline long bpf_probe_read_kernel(void *to, u32 nr_bytes, const void *from)
{
	if (!from)
		return -EFAULT;
	memcpy(to, from, nr_bytes);
	return 0;
}

static inline long bpf_probe_read_kernel_str(void *to, u32 nr_bytes, const void *from)
{
	size_t len = from && nr_bytes ? strnlen(from, nr_bytes - 1) : 0;
	if (!from || !nr_bytes)
		return -EFAULT;
	memcpy(to, from, len);
	((char *)to)[len] = '\0';
	return (long)len + 1;
}

#define bpf_core_read(to, nr_bytes, from) bpf_probe_read_kernel(to, nr_bytes, from)
#define bpf_core_read_str(to, nr_bytes, from) bpf_probe_read_kernel_str(to, nr_bytes, from)

static inline long bpf_strncmp(const char *a, u32 nr_bytes, const char *b)
{
	return strncmp(a, b, nr_bytes);
}

#endif
