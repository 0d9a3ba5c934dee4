/* The command line of QEMU's user mode with the recorder's plug-in: of the recorder, and of what follows execve(). */
#ifndef SAHM_WORKLOADS_RECORD_QEMU_LINE_H
#define SAHM_WORKLOADS_RECORD_QEMU_LINE_H

#include "workloads/record/qemu_share.h"
#include "workloads/record/record_program.h"

/* s->line, the memory's descriptor `fd`, and the program with its arguments, from `a`. NULL: memory is short, or
 * s->line is empty. */
char **qemu_line(struct arena *a, const struct qemu_share *s, int fd, const struct record_program *p);

#endif
