/* What recorders ask the kernel for: an ops table, so that tests can be a PMU. Whatever ends a
 * recording, its whole epochs are kept; rows are checked by the importer's rules (import_live.h, test_record_perf.c).
 */
#ifndef SAHM_WORKLOADS_RECORD_PERF_OPS_H
#define SAHM_WORKLOADS_RECORD_PERF_OPS_H

#include <linux/perf_event.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "workloads/record/record_child.h"

/* The first four as the system calls of these names: -1 and errno on failure. `context` is the table's. */
struct perf_ops {
	void *context;
	int (*open)(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);
	int (*ioctl)(void *context, int fd, unsigned long request, unsigned long argument);
	ssize_t (*read)(void *context, int fd, void *buffer, size_t len);
	int (*close)(void *context, int fd);
	uint64_t (*now_ns)(void *context); /* CLOCK_MONOTONIC */
	enum child_state (*wait)(void *context, struct record_child *child, uint64_t deadline_ns,
				 const volatile sig_atomic_t *stop); /* record_child_wait() */
};

/* The kernel's own. */
extern const struct perf_ops perf_kernel;

#endif
