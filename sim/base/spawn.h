/* Starts other programs: compilers, gnuplot, gzip. */
#ifndef SAHM_SIM_BASE_SPAWN_H
#define SAHM_SIM_BASE_SPAWN_H

#include <signal.h>
#include <sys/types.h>

#include "sim/base/arena.h"

/* How a program is to run. SIGPIPE and SIGXFSZ end it, whatever they do here. */
struct spawn {
	char *const *argv;    /* NULL at the end; argv[0] is looked for in PATH */
	char *const *env;     /* NULL: that of this process */
	const char *folder;   /* NULL: the current one */
	const sigset_t *mask; /* signals that it blocks */
	int input;	      /* what it reads; 0: nothing */
	int output;	      /* receives its standard output */
	int errors;	      /* receives its standard error; 0: `output` does */
};

/* An errno, or 0: the caller waits for *pid. */
int spawn_start(const struct spawn *s, pid_t *pid);

/* The environment of this process with the variables of `set` ("NAME=VALUE", NULL at the end) in the place of those
 * that it has, and without those of `left_out` ("NAME=", NULL at the end; may be NULL). In the arena; NULL: no memory.
 */
char **spawn_environment(struct arena *a, const char *const *set, const char *const *left_out);

#endif
