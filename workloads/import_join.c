/* Joining runs of one program that counted different events: by cumulative instructions. */
#include <stdlib.h>

#include "workloads/import_internal.h"

enum sahm_status import_join(const char *const *files, size_t nr_files, const struct import_options *options,
			     struct textbuf *notes, struct trace ***traces, size_t *nr_traces, struct sahm_err *err)
{
	(void)files, (void)nr_files, (void)options, (void)notes, (void)traces, (void)nr_traces;
	return sahm_fail(err, SAHM_USAGE, "not yet");
}
