/* Source lines by address, from the tables of line numbers (DWARF) in an ELF file; files with debugging information
 * only are not looked for. Without libdw (SAHM_NO_LIBDW) nothing has lines. When memory is short, libdw ends the
 * process. */
#ifndef SAHM_WORKLOADS_STREAM_SOURCE_LINES_H
#define SAHM_WORKLOADS_STREAM_SOURCE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/err.h"

struct source_lines;

bool source_lines_are_built_in(void);

/* Of the file at `fd`, which stays open as long as they live: *lines, NULL if it has none. SAHM_NOMEM. */
enum sahm_status source_lines_new(int fd, struct source_lines **lines, struct sahm_err *err);
void source_lines_free(struct source_lines *l);

/* The line (from 1) of the instruction at `address`, in the file's own addresses, and its source file, as the compiler
 * was given it, which lives as long as `l` (may be NULL). False: not known. */
bool source_lines_find(const struct source_lines *l, uint64_t address, const char **file, unsigned *line);

#endif
