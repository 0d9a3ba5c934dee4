/* Facts of a run that several outputs state in the same words: reports, timelines, records of sweeps, studies; also
 * what `sahm run` warns of after a run. */
#ifndef SAHM_RESULTS_METRICS_RUN_FACTS_H
#define SAHM_RESULTS_METRICS_RUN_FACTS_H

#include "sim/base/textbuf.h"
#include "sim/engine/config/run.h"

/* Beginning of the timestep in which a thread arrived, and the mean over the simulations in which it left of when that
 * was, cut to whole ns. False when it never did. */
bool run_facts_arrived(const struct run_thread_result *r, uint64_t *ns);
bool run_facts_left(const struct run_thread_result *r, uint64_t *ns);

/* Threads that do not repeat their traces, and those of them that left in every simulation that they took part in. */
void run_facts_count_left(const struct run_config *config, const struct run_result *result, uint32_t *nr_once,
			  uint32_t *nr_left);

/* The group that core `core` of the chip is in. */
const struct core_group *run_facts_core_group(const struct run_config *config, uint32_t core);

/* Whose core `core` is; NULL: of threads without a tenant. */
const char *run_facts_core_tenant(const struct run_config *config, uint32_t core);

/* The chip, and the end of the line: "39 cores: baseline x 7, L2 +30 % x 8 (web)". */
void run_facts_write_chip(const struct run_config *config, struct textbuf *out);

/* Appends what a core is called for people: "core 3: L2 +30 % (web)". */
void run_facts_name_core(const struct run_config *config, uint32_t core, struct textbuf *out);

/* " +30 %" or " +30/+20 %": the speedups of a group, one if they are all the same, else in the order of the type's
 * name. */
void run_facts_write_speedups(const struct core_group *group, struct textbuf *out);

/* Whether some thread has slept. */
bool run_facts_any_slept(const struct run_result *result);

/* When simulations were given up before all threads had left, appends to `out` how many had not ("after 1.50 s: 2 of 2
 * threads had not finished") and is true. */
bool run_facts_given_up(const struct run_config *config, const struct run_result *result, struct textbuf *out);

/* When the policy inserted threads that it did not have, appends to `out` how often, and is true. */
bool run_facts_ignored(const struct run_config *config, const struct run_result *result, struct textbuf *out);

/* Appends which thread the policy seems to have forgotten, or to starve; false when there is none. In continuous time
 * (ext.c, conclude()) it is the thread that had been ready for longest without running when the run ended, if it waited
 * for half of the run (a quarter if the policy held it in no queue), for PATIENCE_SLICES default slices times the
 * number of threads, and for PATIENCE_TIMESTEPS timesteps. `sahm run` prints it as a warning; sweeps store it. */
bool run_facts_waiting(const struct run_config *config, const struct run_result *result, struct textbuf *out);

/* When IPUs ended in ERROR, appends to `out` how many ("2 of 39 IPUs ended in ERROR ..."), with the cause and place of
 * the first, and is true. */
bool run_facts_faults(const struct run_result *result, struct textbuf *out);

/* "illegal instruction at 0x00000230 in _main" */
void run_facts_write_fault(const struct ipu_fault *fault, struct textbuf *out);

#endif
