/* The report of `sahm sweep --redis` and `sahm collect` about gathered results. */
#ifndef SAHM_SIM_CLI_SWEEP_GATHERING_H
#define SAHM_SIM_CLI_SWEEP_GATHERING_H

#include "sim/queue/sweep_remote.h"

/* Appends rows for everything unusual: runs that arrived twice, differ, were given up, or were lost and submitted
 * again. */
void gathering_write(const struct gathered *g, struct textbuf *out);

/* Fails where results differ from those that were there first: SAHM_CHECKSUM. */
enum sahm_status gathering_check(const struct gathered *g, const char *store, struct sahm_err *err);

#endif
