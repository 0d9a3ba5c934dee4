/* A guard against plug-ins that hang or crash. */
#ifndef SAHM_SIM_CLI_POLICY_GUARD_H
#define SAHM_SIM_CLI_POLICY_GUARD_H

/* From here on an operation of a policy that does not return for some seconds of processor time, or a minute of the
 * clock, ends the program with a message and exit code 1. Nothing else can be done: it is the user's code that runs.
 * Where one crashes, a message names it before the process ends by the signal (supervisor.h makes that exit code 1).
 * Uses SIGPROF, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. */
void policy_guard_begin(void);
void policy_guard_end(void);

#endif
