/* Signals that ask a process to end (SIGINT, SIGTERM, SIGHUP, SIGPIPE), held back for a moment at the end of which
 * nothing may be left lying about. They are not lost: whatever they do, they do when they are let go. */
#ifndef SAHM_SIM_BASE_HOLD_H
#define SAHM_SIM_BASE_HOLD_H

#include <signal.h>
#include <stdbool.h>

struct signal_hold {
	sigset_t before; /* signals blocked before, and again afterwards: the mask for what is started meanwhile */
	sigset_t held;	 /* signals that only this hold keeps back */
};

/* Holds them in the calling thread. Holds may be nested. */
void signal_hold_begin(struct signal_hold *h);

/* Lets them go. One that has come meanwhile may end the process before this returns. */
void signal_hold_end(const struct signal_hold *h);

/* Whether one has come that this hold keeps back: what takes long had better stop. */
bool signal_hold_has_caught(const struct signal_hold *h);

#endif
