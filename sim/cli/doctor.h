/* The checks of `sahm doctor`: each row of doctor_list.h has a function that examines one thing.
 *
 * Checks change nothing, leave nothing running, and wait at most DOCTOR_WAIT_S; gnuplot and QEMU are tried out. */
#ifndef SAHM_SIM_CLI_DOCTOR_H
#define SAHM_SIM_CLI_DOCTOR_H

#include "sim/base/textbuf.h"

/* How long another program may take to say its version, or a server to answer. */
#define DOCTOR_WAIT_S 5

/* Debian's package with the library that knows the events of processors. */
#define LIBPFM_PACKAGE "libpfm4"

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_MISSING, /* it is not there */
	DOCTOR_BROKEN	/* it is there, and does not do what it is for */
};

struct doctor_finding {
	enum doctor_state state; /* DOCTOR_OK unless the check says otherwise */
	struct textbuf text;	 /* what was found, one line */
	const char *to_have;	 /* how to have it, where the check knows better than the list; else NULL */
	bool lacks_memory;	 /* it could not be found out */
};

typedef void doctor_check(struct doctor_finding *f);

#define CHECK(symbol, ...) doctor_check doctor_##symbol;
#include "sim/cli/doctor_list.h"
#undef CHECK

/* For checks: sets the state, and replaces the text by `fmt`. */
void doctor_say(struct doctor_finding *f, enum doctor_state state, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* For checks: a function has failed with `status`, which says nothing about the thing where memory was short. */
void doctor_note(struct doctor_finding *f, enum sahm_status status);

/* What the program `name` of PATH answers to --version: its first line, appended to what was found. Where it cannot be
 * had, the finding says that the program is missing or broken. Returns whether it could be had. */
bool doctor_version(struct doctor_finding *f, const char *name);

#endif
