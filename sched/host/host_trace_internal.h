/* What a host tells its listener (host.h): arguments and results become text. A host without one tests a flag per
 * operation and call, and nothing else. */
#ifndef SAHM_SCHED_HOST_HOST_TRACE_INTERNAL_H
#define SAHM_SCHED_HOST_HOST_TRACE_INTERNAL_H

#include "sched/host/host.h"

enum host_value_kind {
	HOST_VALUE_END, /* no value: after the last one */
	HOST_VALUE_BOOL,
	HOST_VALUE_SIGNED,
	HOST_VALUE_UNSIGNED,
	HOST_VALUE_TASK,
	HOST_VALUE_MASK,
	HOST_VALUE_TEXT,
};

/* An argument or a result. */
struct host_value {
	enum host_value_kind kind;
	u64 number;
	const void *pointer;
};

/* What ends a list of values; a list of none. */
#define HOST_END ((struct host_end *)NULL)

struct host_end;

#define HOST_VALUE_OF(type, name, kind_, member)                                                                       \
	static inline struct host_value host_value_##name(type value)                                                  \
	{                                                                                                              \
		return (struct host_value){.kind = kind_, .member = value};                                            \
	}
HOST_VALUE_OF(bool, bool, HOST_VALUE_BOOL, number)
HOST_VALUE_OF(u64, u64, HOST_VALUE_UNSIGNED, number)
HOST_VALUE_OF(const struct task_struct *, task, HOST_VALUE_TASK, pointer)
HOST_VALUE_OF(const struct cpumask *, mask, HOST_VALUE_MASK, pointer)
HOST_VALUE_OF(const char *, text, HOST_VALUE_TEXT, pointer)
HOST_VALUE_OF(const struct host_end *, end, HOST_VALUE_END, pointer)
#undef HOST_VALUE_OF

static inline struct host_value host_value_s64(s64 value)
{
	return (struct host_value){.kind = HOST_VALUE_SIGNED, .number = (u64)value};
}

/* Structures whose contents are not reported. */
static inline struct host_value host_value_other(const void *value)
{
	return host_value_text(value ? "..." : "NULL");
}

/* A second result. */
static inline struct host_value host_value_flag(const bool *flag)
{
	return host_value_bool(*flag);
}

static inline struct host_value host_value_cgroup(const struct cgroup *cgrp)
{
	return host_value_text(cgrp ? cgrp->kn->name : "NULL");
}

static inline struct host_value host_value_exit(const struct scx_exit_info *info)
{
	return host_value_text(info->reason);
}

#define HOST_VALUE(x)                                                                                                  \
	_Generic((x),                                                                                                  \
		bool: host_value_bool,                                                                                 \
		s32: host_value_s64,                                                                                   \
		s64: host_value_s64,                                                                                   \
		u32: host_value_u64,                                                                                   \
		u64: host_value_u64,                                                                                   \
		struct task_struct *: host_value_task,                                                                 \
		const struct task_struct *: host_value_task,                                                           \
		struct cpumask *: host_value_mask,                                                                     \
		const struct cpumask *: host_value_mask,                                                               \
		struct cgroup *: host_value_cgroup,                                                                    \
		const char *: host_value_text,                                                                         \
		bool *: host_value_flag,                                                                               \
		struct scx_exit_info *: host_value_exit,                                                               \
		struct host_end *: host_value_end,                                                                     \
		default: host_value_other)(x)

/* One to five values, and an end. */
#define HOST_VALUES(...) HOST_VALUES_(__VA_ARGS__, HOST_END, HOST_END, HOST_END, HOST_END, HOST_END)
#define HOST_VALUES_(a, b, c, d, e, ...)                                                                               \
	(const struct host_value[])                                                                                    \
	{                                                                                                              \
		HOST_VALUE(a), HOST_VALUE(b), HOST_VALUE(c), HOST_VALUE(d), HOST_VALUE(e), HOST_VALUE(HOST_END)        \
	}

/* The operation `name`, "dispatch", begins; ends, with what it returns. The host has a listener. */
void host_trace_begin(struct host *h, const char *name, const struct host_value *arguments);
void host_trace_end(struct host *h, const char *name, struct host_value result);

/* The call `name` returns. */
void host_trace_call(struct host *h, const char *name, struct host_value result, const struct host_value *arguments);

/* The same of sahm_permute(), whose arguments are arrays: "gzip (pid 1) to 3, xz (pid 2) to 0". */
void host_trace_permute(struct host *h, bool is_done, struct task_struct *const *threads, const s32 *cpus, u32 nr);

#endif
