/* Parts of a core that can be ideal: IDEAL(suffix, name, what then costs nothing). To add one: a row here, what it changes
 * in ideal.c, and docs/critical-path.md. */
IDEAL(FETCH, "fetch", "instruction lines and their pages are there at once, and the BTB knows every target")
IDEAL(BRANCH, "branch", "a misprediction redirects nothing")
IDEAL(L1D, "l1d", "every load and store hits L1D; prefetches into it cost nothing")
IDEAL(L2, "l2", "every load and store that misses L1D hits L2: neither bus nor DRAM row")
IDEAL(LLC, "llc", "every load and store that misses L2 hits the LLC: neither bus nor DRAM row")
IDEAL(TLB, "tlb", "every page is in the first-level TLBs")
IDEAL(UNITS, "units", "each group has as many units as it can have, all pipelined")
IDEAL(QUEUES, "queues", "ROB, fetch buffer, issue, load and store queues and MSHRs are as large as they can be; registers have no limit")
IDEAL(WIDTHS, "widths", "fetch, dispatch, issue, commit and drain are as wide as they can be")
IDEAL(VALUE_PREDICTION, "value_prediction", "nothing waits for the result of a load, because every one is predicted")
