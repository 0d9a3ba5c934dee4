/* Threads that wait too long, or for ever. */
#include <stdio.h>

#include "sched/host/host_internal.h"

static void describe(const struct host *h, const struct host_task *p, char text[160])
{
	if (!p->node.dsq)
		snprintf(text, 160,
			 "the policy has it and has put it in no queue since (enqueue() did not insert it, nor "
			 "did dispatch())");
	else if (p->node.dsq == &h->global)
		snprintf(text, 160, "it is in the global queue");
	else if (p->node.dsq->id & SCX_DSQ_FLAG_BUILTIN)
		snprintf(text, 160, "it is in the local queue of core %d after others", p->cpu);
	else
		snprintf(text, 160, "it is in queue %llu, from which no core has taken it",
			 (unsigned long long)p->node.dsq->id);
}

static void fail_waiting(struct host *h, const struct host_task *p, const char *what)
{
	char where[160];
	u64 waited = h->now - p->ready_ns;
	describe(h, p, where);
	host_fail(h, SCX_EXIT_ERROR_STALL,
		  "%s: thread %s (pid %d) has waited for %llu.%03llu ms, since %llu.%06llu ms: %s", what, p->name,
		  p->pub.pid, (unsigned long long)(waited / 1000000), (unsigned long long)(waited / 1000 % 1000),
		  (unsigned long long)(p->ready_ns / 1000000), (unsigned long long)(p->ready_ns % 1000000), where);
}

const struct host_task *host_longest_waiting(const struct host *h)
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
	const struct host_task *p = host_longest_waiting(h);
	if (p && h->now - p->ready_ns > timeout_ns)
		fail_waiting(h, p, "it starves a thread");
}

void host_check_stall(struct host *h)
{
	const struct host_task *p = host_longest_waiting(h);
	if (p)
		fail_waiting(h, p, "every core idles for good while a thread waits");
}
