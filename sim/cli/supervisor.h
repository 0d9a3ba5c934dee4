/* A parent for a process that runs plug-ins.
 *
 * A plug-in can end the process in ways that the process itself cannot report: it calls exit(), the dynamic linker
 * gives up, a crash happens after it has overwritten memory. So from the first plug-in on, the command goes on in a
 * child process; the parent waits for it, and reports an end that the program did not mean. It passes on signals that
 * ask the program to end, and ends as the child did.
 */
#ifndef SAHM_SIM_CLI_SUPERVISOR_H
#define SAHM_SIM_CLI_SUPERVISOR_H

#include "sim/base/err.h"

/* From here on, before the program loads a plug-in it forks, and goes on in the child, which first calls `in_child`.
 * Processes that are forked otherwise are for their own parents to watch (pool.h). */
void supervise_plugins(void (*in_child)(void));

/* Why the process ends has been printed. Safe in a signal handler. */
void supervised_reported(void);

/* The process ends with `exit_code`, as it means to. */
void supervised_end(int exit_code);

#endif
