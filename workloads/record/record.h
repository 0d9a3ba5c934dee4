/* Recorders: a command is run, and its epochs become a trace.
 *
 * What the recorders share: the command is started, signals of the terminal reach it while the recorder waits, and
 * whatever ends it, the whole epochs so far are the trace. A recorder never changes what the command reads or writes.
 */
#ifndef SAHM_WORKLOADS_RECORD_RECORD_H
#define SAHM_WORKLOADS_RECORD_RECORD_H

#include <signal.h>

#include "cores/uarch/cpu.h"
#include "sim/base/textbuf.h"
#include "workloads/trace/trace.h"

struct record_request {
	char **command;	     /* NULL-terminated, at least one */
	uint64_t max_epochs; /* the command is ended after that many; 0: when it ends */
	/* Set by the caller's handler of signals: recording ends, what is there is kept. May be NULL. */
	const volatile sig_atomic_t *stop;
	/* Called with what was recorded so far, by way of QEMU, about twice a second or, if that is longer, every
	 * progress_ns. May be NULL. */
	void (*progress)(uint64_t nr_epochs, uint64_t nr_instructions, uint64_t elapsed_ns);
	uint64_t progress_ns;
	/* Called once, by way of QEMU, when the command has executed nothing for two seconds and has forked: its work
	 * is done by processes that are not recorded. `child`: what the first of them became by execve(); "": nothing.
	 * May be NULL. */
	void (*waits)(const char *child);
	/* What is set here replaces what the recorder says of the trace. */
	struct provenance provenance;
};

/* Of a program with several threads, which have a trace each. */
struct thread_recording {
	struct trace *trace;	  /* NULL where not a single epoch was whole; */
	unsigned number;	  /* from 1 on, in the order in which they began */
	uint64_t nr_instructions; /* all of it */
	char name[16];		  /* the kernel's; "": no name */
};

/* What became of a recording. */
struct recording {
	struct trace *trace; /* the caller's; NULL where not a single epoch was whole */
	/* In the order of their numbers, if there are at least two; their traces are not those above. */
	struct thread_recording *threads;
	size_t nr_threads;
	int exit_code;		  /* of the command; -1: it was ended by `signal` */
	int signal;		  /* 0: none */
	bool was_cut;		  /* ended by max_epochs or *stop, not by its end */
	uint32_t nr_forks;	  /* processes that were forked and not recorded, by way of QEMU */
	uint64_t nr_instructions; /* all that were counted, those of the last, incomplete epoch included */
	uint64_t nr_of_others;	  /* instructions of threads that were not recorded (QEMU_THREADS_MAIN) */
	struct textbuf notes;	  /* a line each: omitted epochs, assumed counts. The caller releases it. */
	/* Whether the instruction stream that was asked for is there: SAHM_OK, or why not. The trace is, all the same.
	 */
	struct sahm_err stream;
	uint64_t every_epochs; /* what it became for the stream, by way of QEMU */
};

/* Appends the command as a shell reads it, as long as a provenance may be. */
void record_write_command(char **command, struct textbuf *out);

/* Releases what it holds, the trace included. */
void recording_release(struct recording *r);

#endif
