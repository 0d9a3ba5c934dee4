/* The built-in policies: POLICY(symbol). Each is one file that defines `sched_policy_<symbol>`.
 * To add one: write its file, add a row here; help and man pages follow. */
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
