/* The policy interface as tables: its operations (op_list.h) and calls (call_list.h), for checks, reports and help. */
#ifndef SAHM_SCHED_HOST_INTERFACE_H
#define SAHM_SCHED_HOST_INTERFACE_H

#include "sched/host/ext.h"
#include "sim/base/err.h"

/* Where an operation or a call is known. */
enum sched_kind {
	SCHED_KERNEL,	   /* in the kernel, and here */
	SCHED_SAHM,	   /* only here */
	SCHED_UNSUPPORTED, /* only in the kernel */
	SCHED_BPF,	   /* a call of BPF programs, in the kernel and here */
	SCHED_IGNORED,	   /* an operation for which there is never an occasion */
};

/* Operations that may make a call. */
enum sched_from {
	SCHED_ANY,
	SCHED_INIT,	/* init, init_task and cgroup_init */
	SCHED_ENQUEUE,	/* select_cpu, enqueue and dispatch */
	SCHED_DISPATCH, /* dispatch */
	SCHED_UNLOCKED, /* dispatch and timers */
	SCHED_PASS,	/* sahm_pass */
};

struct sched_op_row {
	const char *name; /* of the member of struct sched_ext_ops */
	enum sched_kind kind;
	const char *when; /* it is called */
	size_t offset;	  /* of the member */
};

struct sched_call_row {
	const char *name;
	enum sched_kind kind;
	enum sched_from from;
	const char *what; /* it does */
	/* That it is named here keeps it in every program that can load a policy, which finds it by its name. */
	void (*function)(void);
};

/* Each in the order of its list, with a row without a name at the end. */
extern const struct sched_op_row sched_op_rows[];
extern const struct sched_call_row sched_call_rows[];

/* Whether the policy `ops` gives the operation of `row`. */
bool sched_op_is_given(const struct sched_ext_ops *ops, const struct sched_op_row *row);

/* The call `name`, NULL when there is none. */
const struct sched_call_row *sched_call_find(const char *name);

/* How the operations that may make a call are named: "select_cpu, enqueue, dispatch". */
const char *sched_from_text(enum sched_from from);

/* Whether the policy `ops` has a run queue per core (sched/ext.h); else it works by enqueue and dispatch. */
bool sched_ops_have_run_queues(const struct sched_ext_ops *ops);

/* Largest dispatch_max_batch. */
#define MAX_DISPATCH_BATCH 65536u
/* Memory that a policy may ask for: sahm_state_bytes, and sahm_task_state_bytes for each thread. */
#define MAX_STATE_BYTES ((size_t)256 << 20)
#define MAX_TASK_STATE_BYTES ((size_t)1 << 20)

/* Whether a policy can be used: its name, that it gives nothing that is not simulated, and that what it gives goes
 * together. SAHM_CONFIG, with a message that names the policy. */
enum sahm_status sched_ops_check(const struct sched_ext_ops *ops, struct sahm_err *err);

#endif
