/* The ordered pass that the SAHM policies share; they differ in whom a thread may swap with. */
#ifndef SAHM_SCHED_ORDERED_SAHM_PASS_H
#define SAHM_SCHED_ORDERED_SAHM_PASS_H

#include "sched/host/ext.h"
#include "sched/ordered/sched.h"

/* One pass over the cores in index order. For the head thread t of a core, with observed state s:
 *   1. inertia above 0: it falls by one, t stays;
 *   2. the core matches s: t stays;
 *   3. an idle core matches s (largest speedup for s, then lowest index): t moves there;
 *   4. a core that matches s runs a thread that `rule` lets go, whose inertia is 0 and that has not moved in this pass
 *      (largest speedup for s, then lowest index): the two swap;
 *   5. t goes to the most idle core, its own preferred on a tie: in a full system it stays.
 * A thread without an observed state stays; one that has moved in this pass is skipped, its inertia untouched. Only
 * cores on which a thread may run count for it, in all steps; in step 4 those of both threads do. Source: dissertation,
 * listing 4.1, with the swaps that its section 4.5 speaks of (step 4). */
void sahm_pass(struct sched *s, enum swap_rule rule);

/* Steps 3 to 5 for thread `t` at the head of core `own`, which does not match `state`, its observed one. */
void sahm_pass_place(struct sched *s, uint32_t t, uint32_t own, unsigned state, enum swap_rule rule);

#endif
