/* Short runs in continuous time under a policy that writes down each operation that is called, and does in it what a
 * test says. Times are ns; a timestep is STEP_NS, a core is the baseline unless a test says otherwise. */
#ifndef SAHM_TESTS_UNIT_SCHED_HOST_MADE_HOST_H
#define SAHM_TESTS_UNIT_SCHED_HOST_MADE_HOST_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/engine/sim.h"
#include "tests/unit/made_chip.h"

#define STEP_NS 1000u
#define SLICE 2000u

/* What a test lets its policy do; where it says nothing, threads go into the global queue, with a slice of SLICE. */
struct hooks {
	s32 (*select_cpu)(struct task_struct *p, s32 prev_cpu);
	void (*enqueue)(struct task_struct *p, u64 enq_flags);
	void (*dispatch)(s32 cpu, struct task_struct *prev);
	void (*at)(const char *op, struct task_struct *p); /* any other operation */
	u64 (*pass)(u64 now);
};

static struct hooks hooks;
static char told[1 << 15];

static inline void report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline void report(const char *fmt, ...)
{
	size_t len = strlen(told);
	va_list args;
	len += (size_t)snprintf(told + len, sizeof(told) - len, "%llu ", (unsigned long long)scx_bpf_now());
	va_start(args, fmt);
	len += (size_t)vsnprintf(told + len, sizeof(told) - len, fmt, args);
	va_end(args);
	snprintf(told + len, sizeof(told) - len, "\n");
}

static inline void at(const char *op, struct task_struct *p)
{
	if (hooks.at)
		hooks.at(op, p);
}

static inline s32 told_select_cpu(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	report("select_cpu %d %s", p->pid, wake_flags & SCX_WAKE_FORK ? "fork" : "wake");
	return hooks.select_cpu ? hooks.select_cpu(p, prev_cpu) : prev_cpu;
}

static inline void told_enqueue(struct task_struct *p, u64 enq_flags)
{
	report("enqueue %d%s%s", p->pid, enq_flags & SCX_ENQ_WAKEUP ? " wakeup" : "",
	       enq_flags & SCX_ENQ_LAST ? " last" : "");
	if (hooks.enqueue)
		hooks.enqueue(p, enq_flags);
	else
		scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SLICE, enq_flags);
}

static inline void told_dequeue(struct task_struct *p, u64 deq_flags)
{
	report("dequeue %d%s", p->pid, deq_flags & SCX_DEQ_SAVE ? " save" : "");
	at("dequeue", p);
}

static inline void told_dispatch(s32 cpu, struct task_struct *prev)
{
	report("dispatch %d prev %d", cpu, prev ? prev->pid : 0);
	if (hooks.dispatch)
		hooks.dispatch(cpu, prev);
}

#define TELLS(op)                                                                                                      \
	static inline void told_##op(struct task_struct *p)                                                            \
	{                                                                                                              \
		report(#op " %d", p->pid);                                                                             \
		at(#op, p);                                                                                            \
	}
TELLS(tick)
TELLS(running)
TELLS(enable)
TELLS(disable)

static inline void told_runnable(struct task_struct *p, u64 flags)
{
	(void)flags;
	report("runnable %d", p->pid);
	at("runnable", p);
}

static inline void told_stopping(struct task_struct *p, bool runnable)
{
	report("stopping %d%s", p->pid, runnable ? " runnable" : "");
	at("stopping", p);
}

static inline void told_quiescent(struct task_struct *p, u64 flags)
{
	report("quiescent %d%s%s", p->pid, flags & SCX_DEQ_SLEEP ? " sleep" : "", flags & SCX_DEQ_SAVE ? " save" : "");
	at("quiescent", p);
}

static inline bool told_yield(struct task_struct *from, struct task_struct *to)
{
	(void)to;
	report("yield %d", from->pid);
	at("yield", from);
	return false;
}

static inline void told_set_weight(struct task_struct *p, u32 weight)
{
	report("set_weight %d %u", p->pid, weight);
}

static inline void told_set_cpumask(struct task_struct *p, const struct cpumask *mask)
{
	report("set_cpumask %d %u", p->pid, bpf_cpumask_weight(mask));
}

static inline void told_update_idle(s32 cpu, bool idle)
{
	report("update_idle %d %s", cpu, idle ? "idle" : "busy");
}

static inline s32 told_init_task(struct task_struct *p, struct scx_init_task_args *args)
{
	(void)args;
	report("init_task %d", p->pid);
	at("init_task", p);
	return 0;
}

static inline void told_exit_task(struct task_struct *p, struct scx_exit_task_args *args)
{
	report("exit_task %d%s", p->pid, args->cancelled ? " cancelled" : "");
	at("exit_task", p);
}

static inline s32 told_init(void)
{
	report("init");
	at("init", NULL);
	return 0;
}

static inline void told_exit(struct scx_exit_info *info)
{
	report("exit %d", (int)info->kind);
	at("exit", NULL);
}

static inline u64 told_pass(u64 now)
{
	report("sahm_pass");
	return hooks.pass ? hooks.pass(now) : 0;
}

static inline void told_sahm_observed(struct task_struct *p, u32 state)
{
	report("sahm_observed %d %u", p->pid, state);
	at("sahm_observed", p);
}

/* All of an operation's name and of what tells of it. */
#define SAYS(op) .op = told_##op

struct made_host {
	struct sched_ext_ops ops;
	struct made_chip chip;
	struct sim_thread threads[TOP_THREADS];
	struct burst_model bursts[TOP_THREADS];
	struct sim_config config;
	struct sim_result whole;
	struct sim_thread_result results[TOP_THREADS];
	struct sim_counts cores[TOP_CORES];
	struct sim_waits waits;
	struct sahm_err err;
};

/* `nr_cores` baseline cores and `nr_threads` threads that are LOW for ever, for `ns`. */
static inline void make_host(struct made_host *m, const struct sched_ext_ops *ops, uint32_t nr_cores,
			     uint32_t nr_threads, uint64_t ns)
{
	static const struct way ways[TOP_CORES] = {{0, 0}};
	static const uint8_t low[] = {LOW};
	memset(m, 0, sizeof(*m));
	memset(&hooks, 0, sizeof(hooks));
	told[0] = '\0';
	m->ops = *ops;
	snprintf(m->ops.name, sizeof(m->ops.name), "told");
	make_chip(&m->chip, ways, nr_cores);
	for (uint32_t t = 0; t < nr_threads; t++)
		m->threads[t] = (struct sim_thread){.states = low, .nr_epochs = 1, .epoch_ns = 100000, .name = "t"};
	m->config = (struct sim_config){
		.chip = &m->chip.chip,
		.threads = m->threads,
		.nr_threads = nr_threads,
		.policy = &m->ops,
		.timestep_ns = STEP_NS,
		.duration_ns = ns,
		.waits = &m->waits,
	};
}

/* Thread `t` runs and sleeps by a list. */
#define SLEEPS(m, t, array) sleeps(m, t, array, ARRAY_SIZE(array))
static inline void sleeps(struct made_host *m, uint32_t t, const struct burst *list, uint64_t nr)
{
	m->bursts[t] = (struct burst_model){.list = list, .nr = nr};
	m->threads[t].bursts = &m->bursts[t];
}

static inline void expect_told(const char *expected)
{
	if (strcmp(told, expected) != 0)
		fail_msg("told:\n%s\nexpected:\n%s", told, expected);
}

static inline void expect_run(struct made_host *m, const char *expected)
{
	if (sim_run(&m->config, &m->whole, m->results, m->cores, &m->err) != SAHM_OK)
		fail_msg("%s\ntold:\n%s", m->err.msg, told);
	if (expected)
		expect_told(expected);
}

/* The run ends with SAHM_POLICY and a message that has `part`. */
static inline void expect_failure(struct made_host *m, const char *part)
{
	if (sim_run(&m->config, &m->whole, m->results, m->cores, &m->err) != SAHM_POLICY)
		fail_msg("no failure; told:\n%s", told);
	if (!strstr(m->err.msg, part))
		fail_msg("the message is '%s', without '%s'", m->err.msg, part);
	assert_non_null(strstr(m->err.msg, "policy 'told' at "));
}

static inline void expect_count(const char *what, uint64_t value, uint64_t expected)
{
	if (value != expected)
		fail_msg("%s is %" PRIu64 ", not %" PRIu64 "; told:\n%s", what, value, expected, told);
}

#endif
