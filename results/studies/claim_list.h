/* The claims of the study, one per number, and a few of our own about traces:
 * CLAIM(enum suffix, id, whose, duty, basis, source of the measurement, source of the claim, measured quantity, unit,
 * expected value, tolerance, how it is checked, fraction digits, known value, its tolerance, row and part of the figure
 * that has the value (claims.h), why it may not hold). Values are decimal text in the unit; "points" are percentage
 * points.
 * Whose: PAPER claims are the study's; OURS make sure that traces differ, which figure 4.4 shows without a number.
 * Duty: REQUIRED ones decide whether a reproduction succeeds; REPORTED ones hang on traces that nobody has, and say why
 * they may fail; SHOWN ones are figures. Measured OF_TRACES, OF_RUNS or OF_SPACE (claims.h).
 * Basis, as regards the suite `synthetic`: FITTED, the suite was made to agree with it, by its character table, by the
 * search of sim/fit or because sim/fit refuses a suite without it; IMPLIED, it follows from definitions and fitted
 * numbers; PREDICTED, nothing was fitted to it. Reported claims are predicted, and only those.
 * A predicted claim has a known value, which this version finds on the suite, and a tolerance on both sides: it
 * exceeds rounding and is below what a fault in scheduler, engine or limit moves.
 * Results are the same on all machines, so this is no noise. When a change of the model moves a known value for a reason
 * that is understood, replace it here.
 * How it is checked (claims.h): WITHIN the tolerance (of unit % it is in points), RELATIVE (tolerance in % of the
 * expected value),
 * EXACTLY, ABOVE, AT_LEAST, BELOW, AT_MOST. Percentiles of metrics are expected where cores/chip/metric_list.h says.
 * Source: dissertation, sections 4.2 and 4.6, and appendix A.
 *
 * To add a claim: a row here, measured in claims.c; both sides of its edge, and what the study says, in
 * tests/unit/results/studies/test_claims.c, which fails until they are there. */
#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive)                                         \
	CLAIM(P25_##suffix, "t4.3", PAPER, REQUIRED, FITTED, OF_TRACES, "table 4.3 in section 4.2", "25th percentile of " key, \
	      unit, p25, "10", RELATIVE, 4, "", "", "", "", "")                                                                \
	CLAIM(P50_##suffix, "t4.3", PAPER, REQUIRED, FITTED, OF_TRACES, "table 4.3 in section 4.2", "50th percentile of " key, \
	      unit, p50, "10", RELATIVE, 4, "", "", "", "", "")
#include "cores/chip/metric_list.h"
#undef METRIC

CLAIM(LOW_SHARE, "4.2", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.2 in section 4.2", "time in Low", "%", "8", "0.5", WITHIN,
      2, "", "", "intuitive", "Low", "")
CLAIM(P25_ALL, "4.2", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.2 in section 4.2",
      "p25: lead of L2+L1D+L1I+Branch over any other state", "points", "0", "", ABOVE, 2, "", "", "", "", "")
CLAIM(P25_COMBINED, "4.2", PAPER, REQUIRED, IMPLIED, OF_TRACES, "figure 4.2 in section 4.2",
      "p25: time with two or more components stressed", "%", "50", "", ABOVE, 2, "", "", "", "", "")
CLAIM(P25_ENTIRE, "4.2", PAPER, REQUIRED, FITTED, OF_TRACES, "section 4.2 on figure 4.2",
      "p25: time with all four components stressed", "%", "50", "", ABOVE, 2, "", "", "p25", "L2+L1D+L1I+Branch", "")
CLAIM(DIVERSE, "4.2", PAPER, REPORTED, PREDICTED, OF_TRACES, "figure 4.2 in section 4.2",
      "effective states: lead of intuitive over other thresholds", "", "0", "", ABOVE, 2, "-4.1935", "0.01", "", "",
      "How evenly time is spread over states under the low thresholds depends on how metrics vary below the intuitive "
      "ones, of which two percentiles are published.")
CLAIM(P50_COMBINED, "4.2", PAPER, REPORTED, PREDICTED, OF_TRACES, "section 4.2 on figure 4.2",
      "p50: lead over intuitive in time with three or more stressed", "points", "0", "", ABOVE, 2, "27.9968", "0.01", "",
      "", "How often several metrics of an epoch are above their medians at once depends on how they vary together, which "
      "is not published.")
CLAIM(TOP_STATES, "4.3", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.3 in section 4.2",
      "the paper's six states among the six most occupied", "", "6", "", EXACTLY, 0, "", "", "", "", "")

CLAIM(IMAGICK, "4.4", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.4 in section 4.2", "imagick: time in Low", "%", "50", "",
      ABOVE, 2, "", "", "imagick", "Low", "")
CLAIM(NAB, "4.4", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.4 in section 4.2", "nab: time in Low", "%", "50", "", ABOVE, 2, "", "",
      "nab", "Low", "")
CLAIM(CAM4, "4.4", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.4 in section 4.2", "cam4_s: time in Low", "%", "50", "", ABOVE,
      2, "", "", "cam4_s", "Low", "")
CLAIM(POP2, "4.4", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.4 in section 4.2", "pop2: time in L2+L1D", "%", "50", "",
      ABOVE, 2, "", "", "pop2", "L2+L1D", "")
CLAIM(ROMS, "4.4", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.4 in section 4.2", "roms: time in L2+L1D", "%", "50", "",
      ABOVE, 2, "", "", "roms", "L2+L1D", "")
CLAIM(CACTUBSSN, "4.4", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.4 in section 4.2", "cactuBSSN: time in L2+L1D", "%", "50",
      "", ABOVE, 2, "", "", "cactuBSSN", "L2+L1D", "")

CLAIM(SAME_STATE, "4.5", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.5 in section 4.2",
      "epochs in the state of the one before", "%", "84", "0.5", WITHIN, 2, "", "", "Low", "Low", "")
CLAIM(LOW_TO_L1I, "4.5", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.5 in section 4.2", "transitions from Low to L1I", "",
      "0", "", EXACTLY, 0, "", "", "Low", "L1I", "")
CLAIM(L1I_TO_LOW, "4.5", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.5 in section 4.2", "transitions from L1I to Low", "",
      "0", "", ABOVE, 0, "", "", "L1I", "Low", "")
CLAIM(LOPSIDED, "4.5", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.5 in section 4.2",
      "pairs of states with clearly more transitions one way", "", "0", "", ABOVE, 0, "", "", "", "", "")
CLAIM(SHORT_LEAD, "4.6", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.6 in section 4.2",
      "lead in count of 1-epoch intervals over any other bin", "points", "0", "", ABOVE, 2, "", "", "", "", "")
CLAIM(LONG_TIME, "4.6", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.6 in section 4.2", "time in intervals of 10 s and more",
      "%", "50", "", ABOVE, 2, "", "", "10 s", "time", "")

CLAIM(LIMIT, "4.7", PAPER, REQUIRED, IMPLIED, OF_TRACES, "figure 4.7 in section 4.6",
      "upper bound of the canonical chip: mean speedup", "%", "27", "0.5", WITHIN, 2, "", "", "mean", "", "")
CLAIM(BREADTH_MEAN, "4.8", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.8 in section 4.6", "speedup over 255 chips: mean", "%",
      "15", "1", WITHIN, 2, "", "", "mean", "mean", "")
CLAIM(BREADTH_P25, "4.8", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.8 in section 4.6",
      "speedup over 255 chips: mean of the 25th percentiles", "%", "10", "", ABOVE, 2, "", "", "mean", "p25", "")

/* Of space: speedups over the 255 chips, per program, from upper bounds. */
CLAIM(SKEW, "4.8", PAPER, REPORTED, PREDICTED, OF_SPACE, "section 4.6 on figure 4.8",
      "from the median to the top of the box, less to its bottom", "points", "0", "", ABOVE, 2, "0.1617", "0.01", "", "",
      "How far the chips with a core for the main state of a program are from the others depends on how its time is spread "
      "over states, of which only averages are published.")
CLAIM(ABOVE_MEAN, "4.8", PAPER, REPORTED, PREDICTED, OF_SPACE, "section 4.6 on figure 4.8",
      "chips above the mean of a program, of 255", "%", "50", "", ABOVE, 2, "50.9804", "0.01", "", "",
      "A distribution whose median is nearer to the bottom of the box usually has its mean above the median, and then "
      "most chips are below the mean: both claims on skew need special distributions to hold at once.")
CLAIM(MAJORITY, "4.8", PAPER, REPORTED, PREDICTED, OF_SPACE, "section 4.6 on figure 4.8",
      "chips that speed up more than half of programs", "%", "50", "", ABOVE, 2, "100.0000", "0.01", "", "",
      "A chip speeds up a program if the program is ever in a state that one of its cores serves.")

CLAIM(ALL_30, "4.9", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.9 in section 4.6",
      "25th percentile of All-30 % against 5 % everywhere", "x", "3", "", AT_LEAST, 2, "", "", "All-30 %", "p25", "")
CLAIM(BRANCH_10, "4.9", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.9 in section 4.6",
      "25th percentile of Branch-10 % against 5 % everywhere", "x", "3", "", AT_LEAST, 2, "", "", "Branch-10 %", "p25", "")
CLAIM(BRANCH_0, "4.9", PAPER, REQUIRED, FITTED, OF_TRACES, "figure 4.9 in section 4.6",
      "25th percentile of Branch-0 % against 5 % everywhere", "x", "3", "", AT_LEAST, 2, "", "", "Branch-0 %", "p25", "")

/* Figure 4.10: chips and settings as in claims.h, a line for each chip with its known value. What the text says of
 * "each system configuration" holds for all chips; what it says "scales" to 32 and 64 cores, for these as well. */
#define RUN_CLAIM(suffix, source, text, unit, expected, tolerance, judged, known, within, why)                         \
	CLAIM(suffix, "4.10", PAPER, REPORTED, PREDICTED, OF_RUNS, source, text, unit, expected, tolerance, judged, 2,     \
	      known, within, "", "", why)
#define ON_FIGURE "figure 4.10 in section 4.6"
#define ON_TEXT "section 4.6 on figure 4.10"

#define WHY_IDEAL                                                                                                      \
	"The mean is over programs that compete for the cores of one chip, so it depends on which of them are in the "     \
	"same state at the same time; the paper does not say which of its programs ran, nor in which order they go "       \
	"through their states."
CLAIM(RUN_IDEAL, "4.10", PAPER, REPORTED, PREDICTED, OF_RUNS, ON_FIGURE, "All-30 %, Ideal: mean speedup", "%", "20", "2",
      WITHIN, 2, "18.7196", "0.05", "All-30 %", "Ideal", WHY_IDEAL)
RUN_CLAIM(RUN_IDEAL_BRANCH_10, ON_FIGURE, "Branch-10 %, Ideal: mean speedup", "%", "20", "", AT_MOST, "14.6682",
	  "0.05", WHY_IDEAL)
RUN_CLAIM(RUN_IDEAL_BRANCH_0, ON_FIGURE, "Branch-0 %, Ideal: mean speedup", "%", "20", "", AT_MOST, "12.6319",
	  "0.05", WHY_IDEAL)
RUN_CLAIM(RUN_IDEAL_32, ON_TEXT, "32 cores, Ideal: mean speedup", "%", "20", "2", WITHIN, "19.8343", "0.05", WHY_IDEAL)
RUN_CLAIM(RUN_IDEAL_64, ON_TEXT, "64 cores, Ideal: mean speedup", "%", "20", "2", WITHIN, "18.6711", "0.05", WHY_IDEAL)

/* In the study's chips a core serves one component. */
CLAIM(RUN_IDEAL_TWO, "4.10", OURS, REPORTED, PREDICTED, OF_RUNS, "", "32 cores for two components each, Ideal: mean speedup",
      "%", "0", "", ABOVE, 2, "16.4653", "0.05", "", "",
      "A core for two components has the larger of its two speedups where both are stressed.")

#define LEAD_OF_ORACLE(suffix, chip, known)                                                                            \
	RUN_CLAIM(suffix, ON_TEXT, chip ": lead of Oracle over Ideal", "points", "1", "", BELOW, known, "0.02",             \
		  "Without the oracle a thread is seen in the state of its last timestep, so what the oracle adds depends on "   \
		  "how often states change, and on whether a state lasts long enough for a late migration to be worth it.")
LEAD_OF_ORACLE(RUN_ORACLE, "All-30 %", "0.1313")
LEAD_OF_ORACLE(RUN_ORACLE_BRANCH_10, "Branch-10 %", "0.1101")
LEAD_OF_ORACLE(RUN_ORACLE_BRANCH_0, "Branch-0 %", "0.0931")
LEAD_OF_ORACLE(RUN_ORACLE_32, "32 cores", "0.1243")
LEAD_OF_ORACLE(RUN_ORACLE_64, "64 cores", "0.1632")
#undef LEAD_OF_ORACLE

/* "Inertia achieves close to Ideal speed up": no number, but the text gives 1.5 points for higher costs. */
#define LEAD_OVER(suffix, chip, setting, known)                                                                        \
	RUN_CLAIM(suffix, ON_TEXT, chip ": lead of Ideal over " setting, "points", "1.5", "", AT_MOST, known, "0.02",       \
		  "The loss from expensive migrations depends on how many of them inertia leaves, and so on how long threads "   \
		  "stay in a state; the order of states in the paper's traces is not known.")
LEAD_OVER(RUN_INERTIA, "All-30 %", "Inertia", "0.1864")
LEAD_OVER(RUN_INERTIA_BRANCH_10, "Branch-10 %", "Inertia", "0.1654")
LEAD_OVER(RUN_INERTIA_BRANCH_0, "Branch-0 %", "Inertia", "0.1651")
LEAD_OVER(RUN_INERTIA_5, "All-30 %", "Inertia+5ms", "0.7132")
LEAD_OVER(RUN_INERTIA_5_BRANCH_10, "Branch-10 %", "Inertia+5ms", "0.6647")
LEAD_OVER(RUN_INERTIA_5_BRANCH_0, "Branch-0 %", "Inertia+5ms", "0.6400")
LEAD_OVER(RUN_INERTIA_9, "All-30 %", "Inertia+9ms", "1.2436")
LEAD_OVER(RUN_INERTIA_9_BRANCH_10, "Branch-10 %", "Inertia+9ms", "1.1623")
LEAD_OVER(RUN_INERTIA_9_BRANCH_0, "Branch-0 %", "Inertia+9ms", "1.1490")
LEAD_OVER(RUN_INERTIA_9_32, "32 cores", "Inertia+9ms", "1.2602")
LEAD_OVER(RUN_INERTIA_9_64, "64 cores", "Inertia+9ms", "1.2175")
#undef LEAD_OVER

/* The study has runs without inertia at 1 ms only; those at 5 and 9 ms are ours. */
#define RECOVERED(suffix, chip, cost, known)                                                                           \
	RUN_CLAIM(suffix, ON_TEXT, chip ": part of the cost of " cost " that inertia recovers", "%", "50", "", ABOVE,       \
		  known, "0.5",                                                                                                \
		  "Inertia saves migrations, but it also keeps threads on cores that do not serve the state that they have "     \
		  "come to. Where migrations cost little to begin with, that loss can be about as large as what the saved "      \
		  "migrations bring.")
RECOVERED(RUN_RECOVERED, "All-30 %", "1 ms", "3.1851")
RECOVERED(RUN_RECOVERED_5, "All-30 %", "5 ms", "32.6738")
RECOVERED(RUN_RECOVERED_9, "All-30 %", "9 ms", "55.2287")
RECOVERED(RUN_RECOVERED_BRANCH_10, "Branch-10 %", "1 ms", "8.5600")
RECOVERED(RUN_RECOVERED_5_BRANCH_10, "Branch-10 %", "5 ms", "32.7755")
RECOVERED(RUN_RECOVERED_9_BRANCH_10, "Branch-10 %", "9 ms", "58.3185")
RECOVERED(RUN_RECOVERED_BRANCH_0, "Branch-0 %", "1 ms", "-0.8785")
RECOVERED(RUN_RECOVERED_5_BRANCH_0, "Branch-0 %", "5 ms", "33.4498")
RECOVERED(RUN_RECOVERED_9_BRANCH_0, "Branch-0 %", "9 ms", "57.8062")
#undef RECOVERED

RUN_CLAIM(RUN_MATCHED, ON_TEXT, "matched share, the farthest of 3 chips in 6 settings", "%", "70", "4", WITHIN,
	  "71.4445", "0.05",
	  "Threads are matched as far as the chip has a core for each that is in a state, so the share depends on how "
	  "the states of all threads spread over the kinds of cores at the same time.")
RUN_CLAIM(RUN_TRANSITIONS, ON_TEXT, "All-30 %, Ideal: schedulings at state transitions", "%", "2", "0.5", WITHIN,
	  "1.8714", "0.005",
	  "The share follows from how many epochs change state (figure 4.5), from how many timesteps an epoch lasts, and "
	  "from how far threads get in a timestep; programs that run fast pass through more changes.")
#undef WHY_IDEAL
#undef ON_TEXT
#undef ON_FIGURE
#undef RUN_CLAIM
CLAIM(SPACE_FIGURE, "A.3", PAPER, SHOWN, IMPLIED, OF_SPACE, "figure A.3 in appendix A.2", "configurations in the figure", "",
      "255", "", EXACTLY, 0, "", "", "", "", "")

/* Traces that differ by this much are in different states for at least this part of their time, however one pairs
 * their epochs. */
#define LEAST_DISTANCE "2"
#define LEAST_OF_A_KIND "3"
CLAIM(DISTANCE, "ours", OURS, REQUIRED, FITTED, OF_TRACES, "", "difference in states of the two most similar traces", "points",
      LEAST_DISTANCE, "", AT_LEAST, 2, "", "", "", "", "")
CLAIM(STEADY, "ours", OURS, REQUIRED, FITTED, OF_TRACES, "", "traces with more than half of their time in one state", "",
      LEAST_OF_A_KIND, "", AT_LEAST, 0, "", "", "", "", "")
CLAIM(RESTLESS, "ours", OURS, REQUIRED, FITTED, OF_TRACES, "", "traces that change state in more than a third of their epochs",
      "", LEAST_OF_A_KIND, "", AT_LEAST, 0, "", "", "", "", "")
#undef LEAST_OF_A_KIND
#undef LEAST_DISTANCE
