/* While a command is recorded: progress for the user, and signals that end the recording. */
#ifndef SAHM_SIM_CLI_RECORDING_WATCH_H
#define SAHM_SIM_CLI_RECORDING_WATCH_H

#include "workloads/record/record.h"

#define NR_RECORDING_SIGNALS 3

struct recording_watch {
	struct sigaction before[NR_RECORDING_SIGNALS];
};

/* Fills in `request`: progress is shown on a terminal. SIGTERM, SIGHUP or a second SIGINT ends the recording, which is
 * kept; one more ends it at once. The first interrupt from a terminal reaches the command, too, which may handle it in
 * its own way. Signals that the process ignores stay ignored. */
void recording_watch_begin(struct recording_watch *w, struct record_request *request);

/* Removes the line of progress and restores the signals. Whether one of them ended the recording. */
bool recording_watch_end(const struct recording_watch *w);

#endif
