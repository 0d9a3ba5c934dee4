/* Threads that wait too long, or for ever. */
#include <stdio.h>

#include "sched/host_internal.h"

/* A thread that waits at the end of a run is not given up before so many default slices of all threads, and so many
 * timesteps. */
#define PATIENCE_SLICES 2
#define PATIENCE_TIMESTEPS 10

static void describe(const struct host *h, const struct host_task *p, char text[160])
{
	if (!p->node.dsq)
		snprintf(text, 160,
			 "the policy has it and has put it in no queue since (enqueue() did not insert it, nor did "
			 "dispatch())");
	else if (p->node.dsq == &h->global)
		snprintf(text, 160, "it is in the global queue");
	else if (p->node.dsq->id & SCX_DSQ_FLAG_BUILTIN)
		snprintf(text, 160, "it is in the local queue of core %d behind others", p->cpu);
	else
		snprintf(text, 160, "it is in queue %llu, from which no core has taken it",
			 (unsigned long long)p->node.dsq->id);
}

static void fail_waiting(struct host *h, const struct host_task *p, const char *what)
{
	char where[160];
	u64 waited = h->now - p->ready_ns;
	describe(h, p, where);
	host_fail(h, SCX_EXIT_ERROR_STALL, "%s: thread %u (%s) has waited for %llu.%03llu ms, since %llu.%06llu ms: %s",
		  what, p->index, p->name, (unsigned long long)(waited / 1000000),
		  (unsigned long long)(waited / 1000 % 1000), (unsigned long long)(p->ready_ns / 1000000),
		  (unsigned long long)(p->ready_ns % 1000000), where);
}

/* Who waits longest, lowest index on a tie; NULL: nobody. */
static const struct host_task *longest_waiting(const struct host *h)
{
	const struct host_task *longest = NULL;
	for (u32 t = 0; t < h->nr_tasks; t++) {
		const struct host_task *p = h->tasks[t];
		if (p->is_runnable && !p->is_running && (!longest || p->ready_ns < longest->ready_ns))
			longest = p;
	}
	return longest;
}

void host_check_waits(struct host *h, u64 timeout_ns)
{
	const struct host_task *p = longest_waiting(h);
	if (p && h->now - p->ready_ns > timeout_ns)
		fail_waiting(h, p, "it starves a thread");
}

void host_check_stall(struct host *h)
{
	const struct host_task *p = longest_waiting(h);
	if (p)
		fail_waiting(h, p, "every core idles for good while a thread waits");
}

void host_check_lost(struct host *h, u64 run_ns)
{
	/* So long can threads that are treated alike wait for one another. */
	u64 patience_ns = PATIENCE_SLICES * SCX_SLICE_DFL * h->nr_tasks, lost_ns = run_ns / 4, starved_ns = run_ns / 2;
	if (patience_ns < PATIENCE_TIMESTEPS * h->timestep_ns)
		patience_ns = PATIENCE_TIMESTEPS * h->timestep_ns;
	lost_ns = lost_ns < patience_ns ? patience_ns : lost_ns;
	starved_ns = starved_ns < patience_ns ? patience_ns : starved_ns;
	for (u32 t = 0; t < h->nr_tasks && !h->has_queues; t++) {
		const struct host_task *p = h->tasks[t];
		if (p->is_runnable && !p->is_running && h->now - p->ready_ns > (p->node.dsq ? starved_ns : lost_ns))
			fail_waiting(h, p, p->node.dsq ? "it has starved a thread" : "it has lost a thread");
	}
}
