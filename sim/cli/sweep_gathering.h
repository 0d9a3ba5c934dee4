/* What `sahm sweep --redis` and `sahm collect` say of results that were gathered. */
#ifndef SAHM_SIM_CLI_SWEEP_GATHERING_H
#define SAHM_SIM_CLI_SWEEP_GATHERING_H

#include "sim/queue/sweep_remote.h"

/* Appends rows about what was not as usual: runs that came again, that differ, that were given up, that were lost and
 * submitted anew. */
void gathering_write(const struct gathered *g, struct textbuf *out);

/* Fails where results differ from those that were there first: SAHM_CHECKSUM. */
enum sahm_status gathering_check(const struct gathered *g, const char *store, struct sahm_err *err);

#endif
