/* The claims that traces are held against, one per number:
 * CLAIM(enum suffix, id, whose, source, what is measured, unit, expected value, tolerance, how it is judged, digits
 * shown behind the point). Values are decimal text in the unit; "points" are percentage points.
 * Judged (claims.h): WITHIN the tolerance (of unit % it is in points), RELATIVE (tolerance in % of the expected value),
 * EXACTLY, ABOVE, AT_LEAST. PAPER claims are the study's; OURS make sure that traces differ, which it shows in figure
 * 4.4 without a number. Percentiles of metrics are expected where cores/metric_list.h says.
 * Source: dissertation, sections 4.2 and 4.6. */
CLAIM(LOW_SHARE, "4.2", PAPER, "figure 4.2", "time in Low", "%", "8", "0.5", WITHIN, 2)
CLAIM(P25_ALL, "4.2", PAPER, "figure 4.2", "cuts p25: lead of L2+L1D+L1I+Branch over any other state", "points", "0",
      "", ABOVE, 2)
CLAIM(P25_COMBINED, "4.2", PAPER, "figure 4.2", "cuts p25: time with two or more components stressed", "%", "50", "",
      ABOVE, 2)
CLAIM(P25_ENTIRE, "4.2", PAPER, "section 4.2", "cuts p25: time with all four components stressed", "%", "50", "",
      ABOVE, 2)
CLAIM(TOP_STATES, "4.3", PAPER, "figure 4.3", "of the six most occupied states, those that the study names", "", "6",
      "", EXACTLY, 0)

CLAIM(IMAGICK, "4.4", PAPER, "figure 4.4", "imagick: time in Low", "%", "50", "", ABOVE, 2)
CLAIM(NAB, "4.4", PAPER, "figure 4.4", "nab: time in Low", "%", "50", "", ABOVE, 2)
CLAIM(CAM4, "4.4", PAPER, "figure 4.4", "cam4_s: time in Low", "%", "50", "", ABOVE, 2)
CLAIM(POP2, "4.4", PAPER, "figure 4.4", "pop2: time in L2+L1D", "%", "50", "", ABOVE, 2)
CLAIM(ROMS, "4.4", PAPER, "figure 4.4", "roms: time in L2+L1D", "%", "50", "", ABOVE, 2)
CLAIM(CACTUBSSN, "4.4", PAPER, "figure 4.4", "cactuBSSN: time in L2+L1D", "%", "50", "", ABOVE, 2)

CLAIM(SAME_STATE, "4.5", PAPER, "figure 4.5", "epochs in the state of the one before", "%", "84", "0.5", WITHIN, 2)
CLAIM(LOW_TO_L1I, "4.5", PAPER, "figure 4.5", "transitions from Low to L1I", "", "0", "", EXACTLY, 0)
CLAIM(L1I_TO_LOW, "4.5", PAPER, "figure 4.5", "transitions from L1I to Low", "", "0", "", ABOVE, 0)
CLAIM(LOPSIDED, "4.5", PAPER, "figure 4.5", "pairs of states with clearly more transitions one way", "", "0", "",
      ABOVE, 0)
CLAIM(SHORT_LEAD, "4.6", PAPER, "figure 4.6", "lead in count of 1-epoch intervals over any other length", "points", "0",
      "", ABOVE, 2)
CLAIM(LONG_TIME, "4.6", PAPER, "figure 4.6", "time in intervals of 10 s and more", "%", "50", "", ABOVE, 2)

#define METRIC(suffix, num, den, key, unit, ppb_per_unit, p25, p50, intuitive)                                         \
	CLAIM(P25_##suffix, "t4.3", PAPER, "table 4.3", "25th percentile of " key, unit, p25, "10", RELATIVE, 4)       \
	CLAIM(P50_##suffix, "t4.3", PAPER, "table 4.3", "50th percentile of " key, unit, p50, "10", RELATIVE, 4)
#include "cores/metric_list.h"
#undef METRIC

CLAIM(LIMIT, "4.7", PAPER, "figure 4.7", "limit of the canonical chip: mean speedup", "%", "27", "0.5", WITHIN, 2)
CLAIM(BREADTH_MEAN, "4.8", PAPER, "figure 4.8", "speedup over 255 chips: mean", "%", "15", "1", WITHIN, 2)
CLAIM(BREADTH_P25, "4.8", PAPER, "figure 4.8", "speedup over 255 chips: mean of the 25th percentiles", "%", "10", "",
      ABOVE, 2)
CLAIM(ALL_30, "4.9", PAPER, "figure 4.9", "25th percentile of All-30 % against 5 % everywhere", "x", "3", "", AT_LEAST,
      2)
CLAIM(BRANCH_10, "4.9", PAPER, "figure 4.9", "25th percentile of Branch-10 % against 5 % everywhere", "x", "3", "",
      AT_LEAST, 2)
CLAIM(BRANCH_0, "4.9", PAPER, "figure 4.9", "25th percentile of Branch-0 % against 5 % everywhere", "x", "3", "",
      AT_LEAST, 2)

/* Traces that differ by this much are in different states for at least this part of their time, however one pairs
 * their epochs. */
#define LEAST_DISTANCE "2"
#define LEAST_OF_A_KIND "3"
CLAIM(DISTANCE, "ours", OURS, "", "difference in states of the two most similar traces", "points", LEAST_DISTANCE, "",
      AT_LEAST, 2)
CLAIM(STEADY, "ours", OURS, "", "traces with more than half of their time in one state", "", LEAST_OF_A_KIND, "",
      AT_LEAST, 0)
CLAIM(RESTLESS, "ours", OURS, "", "traces that change state in more than a third of their epochs", "", LEAST_OF_A_KIND,
      "", AT_LEAST, 0)
#undef LEAST_OF_A_KIND
#undef LEAST_DISTANCE
