/* Files that are compressed by gzip or xz, read through these programs; others as they are. */
#ifndef SAHM_SIM_BASE_UNPACKED_H
#define SAHM_SIM_BASE_UNPACKED_H

#include <stdio.h>
#include <sys/types.h>

#include "sim/base/err.h"

struct unpacked {
	FILE *stream; /* to read; cannot be seeked in */
	const char *path;
	const char *program; /* that unpacks; NULL: none does */
	pid_t pid;
	int errors; /* its standard error */
};

/* Opens `path` ("-": standard input, unchanged), which must outlive `u`. Its first bytes decide; a pipe is read
 * unchanged. SAHM_IO, SAHM_NOMEM; SAHM_TOOL: the program is not installed. */
enum sahm_status unpacked_open(const char *path, struct unpacked *u, struct sahm_err *err);

/* Ends reading, of which `status` (with *err) is what came of it. Returns `status`, unless the program failed after all
 * that it gave was read, which then explains it: SAHM_FORMAT. */
enum sahm_status unpacked_close(struct unpacked *u, enum sahm_status status, struct sahm_err *err);

#endif
