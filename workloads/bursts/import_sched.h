/* Bursts from recordings of a scheduler: what `perf sched script`, `perf script`, `trace-cmd report` or the kernel's
 * own `trace` file print of sched_switch, and of sched_wakeup and sched_waking where they are there.
 *
 * A line is an event if it holds a time in seconds, "12.345678:", and after it the event's name and a colon, with or
 * without a leading "sched:"; in brackets before the time stands the CPU. All of what the tools print of an event is
 * read, their own form (`prev_comm=a prev_pid=1 ...`), with states as letters or as numbers (`report -R`), and that of
 * libtraceevent's plug-in (`a:1 [120] S ==> b:2 [120]`). Other events, comments and stacks are passed over. Times are
 * in the order of the lines.
 *
 * A burst of a thread is the time that it is on a CPU until it goes to sleep, that is, until it is switched out in
 * another state than R; what it waits in a run queue, preempted or woken, counts neither as run nor as sleep. The sleep
 * lasts until the first event that wakes the thread, or, where there is none, until it is switched in. A burst of which
 * a part lies outside the recording, or which ends with the thread, is dropped, and so are all that are under way where
 * the recording says that events were lost, or contradicts itself. Times beyond the bounds of struct burst are cut to
 * them. All of this is counted. One ns of the machine that was recorded is taken for one of baseline time.
 *
 * Sources: kernel, include/trace/events/sched.h (prev_state, wake-ups), kernel/trace/trace_output.c; libtraceevent,
 * plugins/plugin_sched_switch.c; trace-cmd, tracecmd/trace-read.c ("EVENTS DROPPED").
 */
#ifndef SAHM_WORKLOADS_BURSTS_IMPORT_SCHED_H
#define SAHM_WORKLOADS_BURSTS_IMPORT_SCHED_H

#include <stdbool.h>

#include "workloads/bursts/burst_list.h"

/* Longest name of a thread that is kept, with its closing NUL; the kernel's have 16. */
#define SCHED_COMM_BYTES 64

struct recorded_thread {
	uint32_t tid;
	uint32_t process; /* 0: not told */
	char comm[SCHED_COMM_BYTES];
	uint64_t on_cpu_ns;	/* of bursts that were dropped, too */
	uint64_t slept_ns;	/* in its bursts */
	uint64_t nr_preempted;	/* switched out while it could run */
	uint64_t nr_dropped;	/* bursts that are not whole */
	uint64_t nr_raised;	/* bursts whose run time was below MIN_BURST_RUN_NS */
	uint64_t nr_shortened;	/* bursts of which a time was above MAX_BURST_NS */
	uint64_t nr_unwoken;	/* sleeps that no wake-up ended */
	struct burst_list list; /* its bursts; without provenance as yet */
	/* Where it stands; the reader's own. */
	int state, cpu;
	bool whole;
	uint64_t since_ns, run_ns;
};

struct sched_log {
	struct recorded_thread *threads; /* [nr_threads], in order of appearance, the idle thread not among them */
	uint32_t nr_threads, room;
	const char *tool; /* constant storage */
	uint64_t nr_switches, nr_wakeups, nr_lost;
	uint64_t from_ns, to_ns; /* first and last event */
};

/* Reads the text at `path` ("-": standard input), compressed by zstd or not. Appends to `notes` (may be NULL) what is
 * odd, a line each. On success the caller releases `log`; on failure there is nothing to release. SAHM_FORMAT with file
 * and line for a switch or wake-up that cannot be read, a time before the one in front, no switches at all; SAHM_IO,
 * SAHM_CHECKSUM, SAHM_NOMEM, SAHM_RANGE beyond MAX_BURSTS. */
enum sahm_status sched_log_open(struct sched_log *log, const char *path, struct textbuf *notes, struct sahm_err *err);

/* The same from a stream that stays the caller's; `file` stands in messages. */
enum sahm_status sched_log_read(struct sched_log *log, FILE *in, const char *file, struct textbuf *notes,
				struct sahm_err *err);

void sched_log_release(struct sched_log *log);

/* Which thread is wanted: all that is given must hold. */
struct sched_choice {
	const char *comm; /* NULL: any */
	bool has_tid, has_process;
	uint32_t tid, process;
};

/* Finds the one thread that `choice` describes. SAHM_RANGE where there is none, with a suggestion, or several. */
enum sahm_status sched_log_choose(struct sched_log *log, const struct sched_choice *choice,
				  struct recorded_thread **thread, struct sahm_err *err);

/* Gives the bursts of `thread` their provenance: what `given` says, and, of what it leaves open, the thread's name, the
 * tool and what was left out. Texts of `given` stay where they are. SAHM_FORMAT where there are no bursts; SAHM_NOMEM.
 */
enum sahm_status sched_thread_finish(const struct sched_log *log, struct recorded_thread *thread,
				     const struct provenance *given, struct sahm_err *err);

#endif
