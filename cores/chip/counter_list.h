/* The counter values of an epoch, in the order of CSV columns and stored traces:
 * COUNTER(enum suffix, column name, required, enum suffix of the counter that it is part of, help).
 * A counter that is part of another cannot exceed it; one that is part of itself is independent.
 * To add one: a row; for a metric over it, a row in metric_list.h. To import it under the name of another tool,
 * see import_events[] in workloads/import/import_resolve.c. */
COUNTER(INSTRUCTIONS, "instructions", true, INSTRUCTIONS, "instructions retired")
COUNTER(BRANCHES, "branches", true, BRANCHES, "branches retired")
COUNTER(BRANCH_MISSES, "branch_misses", true, BRANCHES, "mispredicted branches")
COUNTER(L1I_MISSES, "l1i_misses", true, L1I_MISSES, "misses of the first-level instruction cache")
COUNTER(L1D_ACCESSES, "l1d_accesses", true, L1D_ACCESSES, "accesses to the first-level data cache")
COUNTER(L1D_MISSES, "l1d_misses", true, L1D_ACCESSES, "misses of the first-level data cache")
COUNTER(L2_ACCESSES, "l2_accesses", true, L2_ACCESSES, "accesses to the second-level cache")
COUNTER(L2_MISSES, "l2_misses", true, L2_ACCESSES, "misses of the second-level cache")
COUNTER(CYCLES, "cycles", false, CYCLES, "core cycles, where they are known")
