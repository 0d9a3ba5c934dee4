/* The built-in policies: POLICY(symbol). Each is one file that defines `sched_policy_<symbol>` from what ext.h declares.
 * To add one: write sched/policies/<symbol>.c (random.c is a short example with a pass, fair.c one that
 * dispatches) and add a row here. Help and man pages follow; `golden.sh --update` puts them into the transcripts.
 * Its test is test_policy_<name>.c, by way of made_policy_run.h. */
POLICY(sahm)
POLICY(sahm_strict)
POLICY(sahm_listing)
POLICY(static)
POLICY(random)
POLICY(rotate)
POLICY(affinity)
POLICY(fair)
POLICY(assign)
POLICY(keen)
POLICY(pie)
POLICY(bias)
POLICY(equal_time)
POLICY(equal_progress)
POLICY(thread_director)
POLICY(eas)
