/* The claims of the study, one per number, and a few of our own about traces:
 * CLAIM(enum suffix, id, whose, duty, source of the measurement, source of the claim, measured quantity, unit, expected
 * value, tolerance, how it is checked, fraction digits, row and part of the figure that has the value (claims.h), why it
 * may not hold). Values are decimal text in the
 * unit; "points" are percentage points.
 * Whose: PAPER claims are the study's; OURS make sure that traces differ, which figure 4.4 shows without a number.
 * Duty: REQUIRED ones decide whether a reproduction succeeds; REPORTED ones hang on the order of states in traces that
 * nobody has, and say why they may fail; SHOWN ones are figures. Measured OF_TRACES, OF_RUNS or OF_SPACE (claims.h).
 * How it is checked (claims.h): WITHIN the tolerance (of unit % it is in points), RELATIVE (tolerance in % of the
 * expected value),
 * EXACTLY, ABOVE, AT_LEAST, BELOW, AT_MOST. Percentiles of metrics are expected where cores/chip/metric_list.h says.
 * Source: dissertation, sections 4.2 and 4.6, and appendix A.
 *
 * To add a claim: a row here, measured in claims.c; both sides of its edge, and what the study says, in
 * tests/unit/results/studies/test_claims.c, which fails until they are there. */
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive)                                         \
	CLAIM(P25_##suffix, "t4.3", PAPER, REQUIRED, OF_TRACES, "table 4.3 in section 4.2", "25th percentile of " key, \
	      unit, p25, "10", RELATIVE, 4, "", "", "")                                                                \
	CLAIM(P50_##suffix, "t4.3", PAPER, REQUIRED, OF_TRACES, "table 4.3 in section 4.2", "50th percentile of " key, \
	      unit, p50, "10", RELATIVE, 4, "", "", "")
#include "cores/chip/metric_list.h"
#undef METRIC

CLAIM(LOW_SHARE, "4.2", PAPER, REQUIRED, OF_TRACES, "figure 4.2 in section 4.2", "time in Low", "%", "8", "0.5", WITHIN,
      2, "intuitive", "Low", "")
CLAIM(P25_ALL, "4.2", PAPER, REQUIRED, OF_TRACES, "figure 4.2 in section 4.2",
      "p25: lead of L2+L1D+L1I+Branch over any other state", "points", "0", "", ABOVE, 2, "", "", "")
CLAIM(P25_COMBINED, "4.2", PAPER, REQUIRED, OF_TRACES, "figure 4.2 in section 4.2",
      "p25: time with two or more components stressed", "%", "50", "", ABOVE, 2, "", "", "")
CLAIM(P25_ENTIRE, "4.2", PAPER, REQUIRED, OF_TRACES, "section 4.2 on figure 4.2",
      "p25: time with all four components stressed", "%", "50", "", ABOVE, 2, "p25", "L2+L1D+L1I+Branch", "")
CLAIM(TOP_STATES, "4.3", PAPER, REQUIRED, OF_TRACES, "figure 4.3 in section 4.2",
      "the paper's six states among the six most occupied", "", "6", "", EXACTLY, 0, "", "", "")

CLAIM(IMAGICK, "4.4", PAPER, REQUIRED, OF_TRACES, "figure 4.4 in section 4.2", "imagick: time in Low", "%", "50", "",
      ABOVE, 2, "imagick", "Low", "")
CLAIM(NAB, "4.4", PAPER, REQUIRED, OF_TRACES, "figure 4.4 in section 4.2", "nab: time in Low", "%", "50", "", ABOVE, 2,
      "nab", "Low", "")
CLAIM(CAM4, "4.4", PAPER, REQUIRED, OF_TRACES, "figure 4.4 in section 4.2", "cam4_s: time in Low", "%", "50", "", ABOVE,
      2, "cam4_s", "Low", "")
CLAIM(POP2, "4.4", PAPER, REQUIRED, OF_TRACES, "figure 4.4 in section 4.2", "pop2: time in L2+L1D", "%", "50", "",
      ABOVE, 2, "pop2", "L2+L1D", "")
CLAIM(ROMS, "4.4", PAPER, REQUIRED, OF_TRACES, "figure 4.4 in section 4.2", "roms: time in L2+L1D", "%", "50", "",
      ABOVE, 2, "roms", "L2+L1D", "")
CLAIM(CACTUBSSN, "4.4", PAPER, REQUIRED, OF_TRACES, "figure 4.4 in section 4.2", "cactuBSSN: time in L2+L1D", "%", "50",
      "", ABOVE, 2, "cactuBSSN", "L2+L1D", "")

CLAIM(SAME_STATE, "4.5", PAPER, REQUIRED, OF_TRACES, "figure 4.5 in section 4.2",
      "epochs in the state of the one before", "%", "84", "0.5", WITHIN, 2, "Low", "Low", "")
CLAIM(LOW_TO_L1I, "4.5", PAPER, REQUIRED, OF_TRACES, "figure 4.5 in section 4.2", "transitions from Low to L1I", "",
      "0", "", EXACTLY, 0, "Low", "L1I", "")
CLAIM(L1I_TO_LOW, "4.5", PAPER, REQUIRED, OF_TRACES, "figure 4.5 in section 4.2", "transitions from L1I to Low", "",
      "0", "", ABOVE, 0, "L1I", "Low", "")
CLAIM(LOPSIDED, "4.5", PAPER, REQUIRED, OF_TRACES, "figure 4.5 in section 4.2",
      "pairs of states with clearly more transitions one way", "", "0", "", ABOVE, 0, "", "", "")
CLAIM(SHORT_LEAD, "4.6", PAPER, REQUIRED, OF_TRACES, "figure 4.6 in section 4.2",
      "lead in count of 1-epoch intervals over any other bin", "points", "0", "", ABOVE, 2, "", "", "")
CLAIM(LONG_TIME, "4.6", PAPER, REQUIRED, OF_TRACES, "figure 4.6 in section 4.2", "time in intervals of 10 s and more",
      "%", "50", "", ABOVE, 2, "10 s", "time", "")

CLAIM(LIMIT, "4.7", PAPER, REQUIRED, OF_TRACES, "figure 4.7 in section 4.6",
      "upper bound of the canonical chip: mean speedup", "%", "27", "0.5", WITHIN, 2, "mean", "", "")
CLAIM(BREADTH_MEAN, "4.8", PAPER, REQUIRED, OF_TRACES, "figure 4.8 in section 4.6", "speedup over 255 chips: mean", "%",
      "15", "1", WITHIN, 2, "mean", "mean", "")
CLAIM(BREADTH_P25, "4.8", PAPER, REQUIRED, OF_TRACES, "figure 4.8 in section 4.6",
      "speedup over 255 chips: mean of the 25th percentiles", "%", "10", "", ABOVE, 2, "mean", "p25", "")
CLAIM(ALL_30, "4.9", PAPER, REQUIRED, OF_TRACES, "figure 4.9 in section 4.6",
      "25th percentile of All-30 % against 5 % everywhere", "x", "3", "", AT_LEAST, 2, "All-30 %", "p25", "")
CLAIM(BRANCH_10, "4.9", PAPER, REQUIRED, OF_TRACES, "figure 4.9 in section 4.6",
      "25th percentile of Branch-10 % against 5 % everywhere", "x", "3", "", AT_LEAST, 2, "Branch-10 %", "p25", "")
CLAIM(BRANCH_0, "4.9", PAPER, REQUIRED, OF_TRACES, "figure 4.9 in section 4.6",
      "25th percentile of Branch-0 % against 5 % everywhere", "x", "3", "", AT_LEAST, 2, "Branch-0 %", "p25", "")

/* All-30 % and its settings: claims.h. */
CLAIM(RUN_IDEAL, "4.10", PAPER, REPORTED, OF_RUNS, "figure 4.10 in section 4.6", "All-30 %, Ideal: mean speedup", "%",
      "20", "2", WITHIN, 2, "All-30 %", "Ideal",
      "The mean is over programs that compete for the cores of one chip, so it depends on which of them are in the "
      "same state at the same time; the paper does not say which of its programs ran, nor in which order they go "
      "through their states.")
CLAIM(RUN_ORACLE, "4.10", PAPER, REPORTED, OF_RUNS, "figure 4.10 in section 4.6", "All-30 %: lead of Oracle over Ideal",
      "points", "1", "", BELOW, 2, "", "",
      "Without the oracle a thread is seen in the state of its last timestep, so what the oracle adds depends on how "
      "often states change, and on whether a state lasts long enough for a late migration to be worth it.")
CLAIM(RUN_RECOVERED, "4.10", PAPER, REPORTED, OF_RUNS, "section 4.6 on figure 4.10",
      "All-30 %: part of the cost of 1 ms that inertia recovers", "%", "50", "", ABOVE, 2, "", "",
      "Inertia saves migrations, but it also keeps threads on cores that do not serve the state that they have come to. "
      "Where migrations of 1 ms cost little to begin with, that loss can be about as large as what the saved migrations bring.")
CLAIM(RUN_INERTIA_9, "4.10", PAPER, REPORTED, OF_RUNS, "figure 4.10 in section 4.6",
      "All-30 %: lead of Ideal over Inertia+9ms", "points", "1.5", "", AT_MOST, 2, "", "",
      "The loss from expensive migrations depends on how many of them inertia leaves, and so on how long threads stay in a state; "
      "the order of states in the paper's traces is not known.")
CLAIM(RUN_MATCHED, "4.10", PAPER, REPORTED, OF_RUNS, "section 4.6 on figure 4.10",
      "matched share, the farthest of 3 chips in 6 settings", "%", "70", "4", WITHIN, 2, "", "",
      "Threads are matched as far as the chip has a core for each that is in a state, so the share depends on how "
      "the states of all threads spread over the kinds of cores at the same time.")
CLAIM(RUN_TRANSITIONS, "4.10", PAPER, REPORTED, OF_RUNS, "section 4.6 on figure 4.10",
      "All-30 %, Ideal: schedulings at state transitions", "%", "2", "0.5", WITHIN, 2, "", "",
      "The share follows from how many epochs change state (figure 4.5), from how many timesteps an epoch lasts, and "
      "from how far threads get in a timestep; programs that run fast pass through more changes.")
CLAIM(SPACE_FIGURE, "A.3", PAPER, SHOWN, OF_SPACE, "figure A.3 in appendix A.2", "configurations in the figure", "",
      "255", "", EXACTLY, 0, "", "", "")

/* Traces that differ by this much are in different states for at least this part of their time, however one pairs
 * their epochs. */
#define LEAST_DISTANCE "2"
#define LEAST_OF_A_KIND "3"
CLAIM(DISTANCE, "ours", OURS, REQUIRED, OF_TRACES, "", "difference in states of the two most similar traces", "points",
      LEAST_DISTANCE, "", AT_LEAST, 2, "", "", "")
CLAIM(STEADY, "ours", OURS, REQUIRED, OF_TRACES, "", "traces with more than half of their time in one state", "",
      LEAST_OF_A_KIND, "", AT_LEAST, 0, "", "", "")
CLAIM(RESTLESS, "ours", OURS, REQUIRED, OF_TRACES, "", "traces that change state in more than a third of their epochs",
      "", LEAST_OF_A_KIND, "", AT_LEAST, 0, "", "", "")
#undef LEAST_OF_A_KIND
#undef LEAST_DISTANCE
