/* A guard against plug-ins that hang or crash. */
#ifndef SAHM_SIM_CLI_POLICY_GUARD_H
#define SAHM_SIM_CLI_POLICY_GUARD_H

/* The longest that a policy may go on without progress, in s: what STALL_TIMEOUT_OPTION gives. Before the rest. */
void policy_guard_limit(unsigned seconds);

/* From here on a policy that makes no progress for so long ends the program with a message and exit code 1: simulated
 * time stays in one timestep while an operation does not return, or one operation after the other does. Both processor
 * time and the clock count, the latter where the policy sleeps. Nothing else can be done: it is the user's code that
 * runs.
 * Where one crashes, a message names it before the process ends by the signal (supervisor.h makes that exit code 1).
 * Uses SIGPROF, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. */
void policy_guard_begin(void);
void policy_guard_end(void);

/* A child goes on in the place of its parent: starts the timers, which a child does not inherit, if the guard is on. */
void policy_guard_fork(void);

#endif
