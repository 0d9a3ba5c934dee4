/* The columns of a profile beside `name` and the 16 states, in the order of the help:
 * COLUMN(enum suffix, name, smallest value, largest value, whole numbers only, help).
 * The bounds are decimal text. Values are per benchmark, typical ones where they vary.
 * To add one: a row, its effect in synth_stays.c or synth_counts.c, the column in the shipped profiles, and
 * fit_write.c or the character table; then `make suite`. */
COLUMN(EPOCHS, "epochs", "1", "4294967296", true, "length of the trace in epochs")
COLUMN(MINSTR, "minstr", "0.001", "1000000", false, "millions of instructions in an epoch in which nothing is stressed: IPC x GHz x epoch_ms")
COLUMN(SLOWER_PCT, "slower_pct", "0", "90", false, "fewer instructions for each stressed component, in %")
COLUMN(BRANCHES_PKI, "branches_pki", "0", "1000", false, "branches per 1,000 instructions")
COLUMN(L1D_ACCESSES_PKI, "l1d_accesses_pki", "0", "1000", false, "accesses to the L1D per 1,000 instructions")
COLUMN(L2_PER_MISS, "l2_per_miss", "0", "1000", false, "accesses to the L2 per miss of the L1I or L1D; prefetches make it more than 1")
COLUMN(SINGLE_PCT, "single_pct", "0", "100", false, "share of the time in stays of 1 epoch, in %; a stay in the same state as the one before makes a longer interval")
COLUMN(SHORT_EPOCHS, "short_epochs", "2", "1000000", false, "mean length of short stays, in which the time passes that single_pct and long_pct leave")
COLUMN(LONG_PCT, "long_pct", "0", "100", false, "share of the time in long stays, in %")
COLUMN(LONG_EPOCHS, "long_epochs", "2", "1000000000", false, "mean length of long stays; each lasts from half of it to half more")
COLUMN(BRANCH_LOW, "branch_low_pct", "0", "100", false, "typical (median) share of branches that are mispredicted where Branch is LOW, in %")
COLUMN(BRANCH_HIGH, "branch_high_pct", "0", "100", false, "typical share of branches that are mispredicted where Branch is HIGH")
COLUMN(L1I_LOW, "l1i_low_mpki", "0", "1000", false, "typical L1I misses per 1,000 instructions where L1I is LOW")
COLUMN(L1I_HIGH, "l1i_high_mpki", "0", "1000", false, "typical L1I misses per 1,000 instructions where L1I is HIGH")
COLUMN(L1D_LOW, "l1d_low_pct", "0", "100", false, "typical L1D misses per access where L1D is LOW, in %")
COLUMN(L1D_HIGH, "l1d_high_pct", "0", "100", false, "typical L1D misses per access where L1D is HIGH")
COLUMN(L2_LOW, "l2_low_pct", "0", "100", false, "typical L2 misses per access where L2 is LOW, in %")
COLUMN(L2_HIGH, "l2_high_pct", "0", "100", false, "typical L2 misses per access where L2 is HIGH")
COLUMN(SPREAD, "spread", "1", "1000", false, "how much stays differ: each has a level of each metric, from typical / spread to typical x spread")
COLUMN(JITTER_PCT, "jitter_pct", "0", "90", false, "how much the epochs of a stay differ: up to this many % from its level")
