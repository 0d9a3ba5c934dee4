/* The command that a recorder runs.
 *
 * It is forked first and runs nothing yet, so that counters can be attached to it; record_child_go() lets it become the
 * command. Its standard files, folder, environment and process group are the recorder's own: an interrupt from the
 * terminal reaches it without our doing. Signals that the caller catches are as by default in the command, and those
 * that are ignored stay so. A recorder's loop is
 *
 *	record_child_start()	(counters, pipes)	record_child_go()
 *	while (record_child_wait(c, deadline_ns, stop) == CHILD_RUNS)
 *		read counters, move the deadline on
 *	record_child_end()	whatever happened
 */
#ifndef SAHM_WORKLOADS_RECORD_RECORD_CHILD_H
#define SAHM_WORKLOADS_RECORD_RECORD_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sim/base/err.h"
#include "workloads/record/record.h"

/* Time that a command has for ending after SIGTERM, before it is killed. */
#define CHILD_GRACE_MS 2000.0

struct record_child {
	pid_t pid;	 /* > 0 until it is reaped */
	int go_fd;	 /* its write end: a byte lets the command begin */
	int error_fd;	 /* tells errno of an exec that failed */
	int pid_fd;	 /* readable when it has ended; -1: the kernel knows no such files */
	int wait_status; /* as waitpid() has it, once it has ended */
	bool has_ended;
	const char *command; /* command[0], the caller's */
};

enum child_state {
	CHILD_RUNS,	/* the deadline has come, or a signal did */
	CHILD_HAS_ENDED /* and is reaped */
};

/* Forks a process that waits for record_child_go(). `command` (NULL-terminated, at least one) must live until then.
 * Of the files that the caller has open and are closed on exec, keep_fd (-1: none) stays open in the command.
 * SAHM_IO; nothing is left to be ended then. */
enum sahm_status record_child_start(struct record_child *c, char **command, int keep_fd, struct sahm_err *err);

/* Lets it run the command, found as a shell finds it, and returns when that has begun. SAHM_IO ("cannot run 'x': No
 * such file or directory"): it is reaped then. */
enum sahm_status record_child_go(struct record_child *c, struct sahm_err *err);

/* Waits until it ends or CLOCK_MONOTONIC shows deadline_ns. Once *stop (may be NULL) is not 0, ends it: asked by 1,
 * at once by more; a signal handler that counts them up does what is expected of Ctrl-C. CHILD_RUNS may also come
 * early, when a signal did. */
enum child_state record_child_wait(struct record_child *c, uint64_t deadline_ns, const volatile sig_atomic_t *stop);

/* Ends it unless it has ended: SIGTERM, and SIGKILL when CHILD_GRACE_MS have passed or *stop (may be NULL) is more
 * than 1. Reaps it and releases what it holds. What it has started itself lives on. To be called once after
 * record_child_start() was successful, whatever happened since. */
void record_child_end(struct record_child *c, const volatile sig_atomic_t *stop);

/* After record_child_end(): fills exit_code and signal of `r`. */
void record_child_tell(const struct record_child *c, struct recording *r);

#endif
