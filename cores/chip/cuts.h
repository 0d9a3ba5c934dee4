/* Cuts: the thresholds that turn an epoch's counters into a state.
 *
 * Each of the four metrics (metric_list.h) is a quotient of two counters. A cut is kept as an integer, in
 * thousand-millionths (ppb) of that quotient, and compared exactly: no floating point decides a state. Source:
 * dissertation, section 4.2, tables 4.2 and 4.3.
 */
#ifndef SAHM_CORES_CHIP_CUTS_H
#define SAHM_CORES_CHIP_CUTS_H

#include "cores/chip/counters.h"
#include "cores/chip/state.h"
#include "sim/base/textbuf.h"

struct cuts {
	uint64_t ppb[NR_COMPONENTS];
};

/* Largest cut that can be given, in its unit; ppb of it and of products with it fit the arithmetic. */
#define MAX_CUT 1000000.0

/* Name of the set that is used unless another is asked for. */
#define DEFAULT_CUTS "intuitive"

struct metric_row {
	enum component component;
	enum counter numerator, denominator;
	const char *key;  /* "branch_pct": name of the threshold in configurations and on the command line */
	const char *unit; /* "%" or "MPKI" */
	uint64_t ppb_per_unit;
};

/* metric_rows[c] describes the metric of component c. */
extern const struct metric_row metric_rows[NR_COMPONENTS];

/* How many sets of cuts have a name. */
#define NR_CUT_SETS 3

/* Names of the sets of cuts, NULL at the end. */
extern const char *const cut_set_names[NR_CUT_SETS + 1];

/* Fills `cuts` with the set called `name`; false when there is none. */
bool cuts_named(const char *name, struct cuts *cuts);

/* Sets one cut: `value` in the unit of the component's metric, 0 to MAX_CUT, rounded to the nearest ppb. */
void cuts_set(struct cuts *cuts, enum component c, double value);

/* The cut of a component in its metric's unit. */
double cuts_get(const struct cuts *cuts, enum component c);

/* Thousand-millionths in 1. */
#define PPB_ONE UINT64_C(1000000000)

/* The metric of component `c` in an epoch as a cut would be kept: ppb of the quotient, to the nearest, halves up;
 * UINT64_MAX when it does not fit. False, and nothing written, when its denominator is 0. */
bool cuts_metric_ppb(enum component c, const struct epoch_counts *e, uint64_t *ppb);

/* Appends all four cuts: "branch_pct=1,l1i_mpki=1,l1d_pct=2,l2_pct=10", which reads back as the same cuts. */
void cuts_write(const struct cuts *cuts, struct textbuf *out);

/* State (0 to NR_STATES - 1) of an epoch. */
unsigned cuts_classify(const struct cuts *cuts, const struct epoch_counts *e);

/* The same of `nr` epochs, a component at a time: adds its bit to states[nr]. */
void cuts_classify_component(const struct cuts *cuts, enum component c, const uint64_t *numerators,
			     const uint64_t *denominators, size_t nr, uint8_t *states);

#endif
