/* Files of a wrong kind: their kinds, and how to use them instead. */
#ifndef SAHM_SIM_BASE_FILE_KIND_H
#define SAHM_SIM_BASE_FILE_KIND_H

#include "sim/base/err.h"

/* SAHM_USAGE if the first bytes of the file `path` show that it is neither a trace nor a configuration (a program, a
 * picture, a recording of perf, a results database, JSON, a source, nothing at all): the message says what it is and
 * what to type. SAHM_OK if they do not, and for files that cannot be read. */
enum sahm_status file_refuse_foreign(const char *path, struct sahm_err *err);

#endif
