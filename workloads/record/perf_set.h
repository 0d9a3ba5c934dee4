/* Counters of one program: opened on a process that waits for its exec, counting from there on, its children included.
 *
 * Events stand in groups: those of one group are counted at the same time or not at all, so that their ratios are exact
 * whatever takes turns. There is one group if the PMU has counters enough; where it has not, the kernel says so when an
 * event is added (or the group never runs, which is tried before), and a new group begins with that event. An event
 * that cannot be opened separately stays closed, which the caller handles.
 */
#ifndef SAHM_WORKLOADS_RECORD_PERF_SET_H
#define SAHM_WORKLOADS_RECORD_PERF_SET_H

#include "workloads/record/perf_ops.h"
#include "workloads/record/pmu.h"

/* What has been counted since the exec. */
struct perf_count {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* how long it could have been counted, and was */
};

/* Plain data, the caller's; perf_set_open() fills it. */
struct perf_set {
	const struct perf_ops *ops;
	const struct pmu_event *events; /* the caller's */
	unsigned nr, nr_groups;
	int fd[MAX_PMU_EVENTS];		/* -1: closed */
	int error[MAX_PMU_EVENTS];	/* why: errno */
	unsigned group[MAX_PMU_EVENTS]; /* from 0, in ascending order */
	unsigned largest;		/* events of a group at most */
	bool kernel;			/* the PMU cannot leave out what the kernel does for the program */
	bool apart;			/* the kernel reads groups of inherited events one by one only */
};

/* Opens events[nr] (up to MAX_PMU_EVENTS, not closed by the set) on the process `pid`. SAHM_IO where nothing could be
 * counted whatever the event: no permission (the message has `paranoia`, of struct pmu_machine), too many open files.
 * Release it with perf_set_close() after success. */
enum sahm_status perf_set_open(struct perf_set *s, const struct perf_ops *ops, const struct pmu_event *events,
			       unsigned nr, pid_t pid, int32_t paranoia, struct sahm_err *err);

/* Reads counts[nr]; those of closed events are 0. SAHM_IO: they cannot be read any more. */
enum sahm_status perf_set_read(const struct perf_set *s, struct perf_count *counts, struct sahm_err *err);

void perf_set_close(struct perf_set *s);

/* Whether the event opens on this machine separately: 0, or errno. */
int perf_event_error(const struct perf_ops *ops, const struct pmu_event *event);

#endif
