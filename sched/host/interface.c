#include "sched/host/interface.h"

#include "sched/host/bpf_calls.h"

#include <inttypes.h>
#include <string.h>

const struct sched_op_row sched_op_rows[] = {
#define OP(name, kind, when) {#name, SCHED_##kind, when, offsetof(struct sched_ext_ops, name)},
#include "sched/host/op_list.h"
#undef OP
	{0},
};

const struct sched_call_row sched_call_rows[] = {
#define CALL(name, kind, from, what) {#name, SCHED_##kind, SCHED_##from, what, (void (*)(void))name},
#include "sched/host/call_list.h"
#undef CALL
#define BPF(name, what) {#name, SCHED_BPF, SCHED_ANY, what, (void (*)(void))name},
#include "sched/host/bpf_list.h"
#undef BPF
	{0},
};

bool sched_op_is_given(const struct sched_ext_ops *ops, const struct sched_op_row *row)
{
	void (*function)(void);
	memcpy(&function, (const char *)ops + row->offset, sizeof(function));
	return function != NULL;
}

const struct sched_call_row *sched_call_find(const char *name)
{
	for (const struct sched_call_row *row = sched_call_rows; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

const char *sched_from_text(enum sched_from from)
{
	static const char *const texts[] = {
		[SCHED_ANY] = "any operation",
		[SCHED_INIT] = "init, init_task, cgroup_init",
		[SCHED_ENQUEUE] = "select_cpu, enqueue, dispatch",
		[SCHED_DISPATCH] = "dispatch",
		[SCHED_UNLOCKED] = "dispatch, timers",
		[SCHED_PASS] = "sahm_pass",
	};
	return texts[from];
}

bool sched_ops_have_run_queues(const struct sched_ext_ops *ops)
{
	return !ops->select_cpu && !ops->enqueue && !ops->dispatch &&
	       (ops->sahm_pass || ops->sahm_rules || ops->flags & SAHM_OPS_RUN_QUEUES);
}

#define KNOWN_FLAGS                                                                                                    \
	(SCX_OPS_KEEP_BUILTIN_IDLE | SCX_OPS_ENQ_LAST | SCX_OPS_ENQ_EXITING | SCX_OPS_SWITCH_PARTIAL |                 \
	 SCX_OPS_ENQ_MIGRATION_DISABLED | SCX_OPS_ALLOW_QUEUED_WAKEUP | SCX_OPS_BUILTIN_IDLE_PER_NODE |                \
	 SCX_OPS_HAS_CGROUP_WEIGHT | SAHM_OPS_RUN_QUEUES | SAHM_OPS_COUNTERS | SAHM_OPS_ASKS)

static enum sahm_status check_name(const struct sched_ext_ops *ops, struct sahm_err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	size_t len = strnlen(ops->name, SCX_OPS_NAME_LEN);
	if (len == 0)
		return sahm_fail(err, SAHM_CONFIG, "the policy has no name");
	if (len == SCX_OPS_NAME_LEN)
		return sahm_fail(err, SAHM_CONFIG, "the name of policy '%.40s...' does not end, must be up to %d bytes",
				 ops->name, SCX_OPS_NAME_LEN - 1);
	if (ops->name[strspn(ops->name, allowed)])
		return sahm_fail(err, SAHM_CONFIG, "bad name '%.60s' of a policy, must be letters, digits, - and _",
				 ops->name);
	return SAHM_OK;
}

/* What the policy gives of both kinds of policies. */
static enum sahm_status check_kind(const struct sched_ext_ops *ops, struct sahm_err *err)
{
	const char *queues = ops->enqueue      ? "enqueue"
			     : ops->dispatch   ? "dispatch"
			     : ops->select_cpu ? "select_cpu"
					       : NULL;
	if (ops->flags & SAHM_OPS_RUN_QUEUES && queues)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has SAHM_OPS_RUN_QUEUES and %s(): one or the other",
				 ops->name, queues);
	if (ops->flags & SCX_OPS_ENQ_LAST && !ops->enqueue)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has SCX_OPS_ENQ_LAST and no enqueue()", ops->name);
	if (ops->flags & SAHM_OPS_ASKS && !ops->sahm_pass)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has SAHM_OPS_ASKS and no sahm_pass()", ops->name);
	if (!ops->sahm_rules)
		return SAHM_OK;
	if (!ops->sahm_pass)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has sahm_rules and no sahm_pass()", ops->name);
	if (queues)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has sahm_rules and %s(): one or the other", ops->name,
				 queues);
	if ((unsigned)ops->sahm_rules->swaps > SWAP_UNMATCHED)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has an unknown rule for swaps, %u", ops->name,
				 (unsigned)ops->sahm_rules->swaps);
	return SAHM_OK;
}

enum sahm_status sched_ops_check(const struct sched_ext_ops *ops, struct sahm_err *err)
{
	enum sahm_status status = check_name(ops, err);
	if (status != SAHM_OK)
		return status;
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		if (row->kind == SCHED_UNSUPPORTED && sched_op_is_given(ops, row))
			return sahm_fail(err, SAHM_CONFIG, "policy '%s' gives %s(), which is not simulated", ops->name,
					 row->name);
	if (ops->flags & ~KNOWN_FLAGS)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has flags that are not simulated: 0x%" PRIx64,
				 ops->name, (uint64_t)(ops->flags & ~KNOWN_FLAGS));
	if (ops->dispatch_max_batch > MAX_DISPATCH_BATCH)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has a dispatch_max_batch of %u, must be at most %u",
				 ops->name, ops->dispatch_max_batch, MAX_DISPATCH_BATCH);
	if (ops->timeout_ms > SCX_OPS_TIMEOUT_MS)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has a timeout_ms of %u, must be at most %u", ops->name,
				 ops->timeout_ms, SCX_OPS_TIMEOUT_MS);
	if (ops->sahm_state_bytes > MAX_STATE_BYTES)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has sahm_state_bytes of %zu, must be at most %zu",
				 ops->name, ops->sahm_state_bytes, MAX_STATE_BYTES);
	if (ops->sahm_task_state_bytes > MAX_TASK_STATE_BYTES)
		return sahm_fail(err, SAHM_CONFIG, "policy '%s' has sahm_task_state_bytes of %zu, must be at most %zu",
				 ops->name, ops->sahm_task_state_bytes, MAX_TASK_STATE_BYTES);
	return check_kind(ops, err);
}
