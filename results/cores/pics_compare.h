/* Two profiles of cycle stacks compared: which functions and instructions got slower or faster, and by which events.
 *
 * One stream on two cores has the same instructions. Those of two streams match where they have the same offset in a
 * function of the same name and the same text; in a file that has not changed since, by offset only. Code in no known
 * function matches by its offset in the file, and code in no known file by its pc, with instructions of the same class
 * and length. Code without a match is listed as being in one profile only, so that differences add up to that of all
 * cycles, exactly: each core's unit is a multiple of the one in which they are.
 */
#ifndef SAHM_RESULTS_CORES_PICS_COMPARE_H
#define SAHM_RESULTS_CORES_PICS_COMPARE_H

#include "results/cores/pics_report.h"

#define PICS_COMPARISON_SCHEMA "sahm-core-pics-comparison/1"

enum pics_side { SIDE_A, SIDE_B, NR_SIDES };

/* A function or instruction. */
struct pics_change {
	size_t unit[NR_SIDES]; /* of the sides' views; SIZE_MAX: it is not there */
	uint64_t cycles[NR_SIDES];
	int64_t difference; /* B less A */
};

struct pics_changes {
	struct pics_view views[NR_SIDES];
	struct pics_change *changes; /* [nr], the largest first, in either direction */
	size_t nr;
};

struct pics_comparison {
	struct pics_result sides[NR_SIDES];
	unsigned units;		   /* per cycle, of all numbers below and of changes */
	uint64_t factor[NR_SIDES]; /* from a side's own units */
	uint64_t total[NR_SIDES];
	struct pics_changes functions, instructions;
	uint64_t top; /* of each that are shown; 0: all */
};

/* Release it in any case. SAHM_RANGE: too many cycles to compare; SAHM_NOMEM. */
enum sahm_status pics_comparison_init(struct pics_comparison *c, const struct pics_result *a,
				      const struct pics_result *b, uint64_t top, struct sahm_err *err);
void pics_comparison_release(struct pics_comparison *c);

/* Append it. False when memory was short. */
bool pics_comparison_text(const struct pics_comparison *c, bool bold, struct textbuf *out);
bool pics_comparison_json(const struct pics_comparison *c, struct textbuf *out);

/* A row for each function and signature, then for each instruction and signature. */
bool pics_comparison_csv(const struct pics_comparison *c, struct textbuf *out);

/* ---- Parts of it ---- */

/* What both sides have of a signature. */
struct pics_delta {
	uint16_t signature;
	uint64_t cycles[NR_SIDES];
	int64_t difference;
};

/* The signatures of changes [from, to), the largest difference first: deltas[NR_SIGNATURES], of which the result are
 * in either side. */
size_t pics_deltas(const struct pics_comparison *c, const struct pics_changes *changes, size_t from, size_t to,
		   struct pics_delta *deltas);

/* The side that a change is named by: A unless it is only in B. */
static inline enum pics_side pics_named_side(const struct pics_change *x)
{
	return x->unit[SIDE_A] == SIZE_MAX ? SIDE_B : SIDE_A;
}

static inline size_t pics_changes_shown(const struct pics_comparison *c, const struct pics_changes *changes)
{
	return c->top > 0 && c->top < changes->nr ? (size_t)c->top : changes->nr;
}

#endif
