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
	/* What is set here replaces what the recorder says of the trace. */
	struct provenance provenance;
};

/* What became of a recording. */
struct recording {
	struct trace *trace;	  /* the caller's; NULL where not a single epoch was whole */
	int exit_code;		  /* of the command; -1: it was ended by `signal` */
	int signal;		  /* 0: none */
	bool was_cut;		  /* ended by max_epochs or *stop, not by itself */
	uint64_t nr_instructions; /* all that were counted, those of the last, incomplete epoch included */
	struct textbuf notes;	  /* a line each: what was left out, what was assumed. The caller releases it. */
	/* Whether the instruction stream that was asked for is there: SAHM_OK, or why not. The trace is, all the same.
	 */
	struct sahm_err stream;
};

/* Appends the command as a shell reads it, as long as a provenance may be. */
void record_write_command(char **command, struct textbuf *out);

/* Releases what it holds, the trace included. */
void recording_release(struct recording *r);

#endif
