/* The metrics that make a state, one per component in bit order:
 * METRIC(component suffix, numerator counter, denominator counter, key of its threshold, unit, thousand-millionths per unit,
 *        threshold of the set p25, of p50, of intuitive, in that unit).
 * HIGH means strictly above the threshold; a denominator of 0 makes the metric LOW.
 * Source: dissertation, tables 4.2 and 4.3. */
METRIC(BRANCH, BRANCH_MISSES, BRANCHES, "branch_pct", "%", 10000000, "0.03", "0.34", "1.0")
METRIC(L1I, L1I_MISSES, INSTRUCTIONS, "l1i_mpki", "MPKI", 1000000, "0.004", "0.009", "1.0")
METRIC(L1D, L1D_MISSES, L1D_ACCESSES, "l1d_pct", "%", 10000000, "0.5", "0.99", "2.0")
METRIC(L2, L2_MISSES, L2_ACCESSES, "l2_pct", "%", 10000000, "3.64", "18.47", "10.0")
