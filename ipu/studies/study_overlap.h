/* Which units of a GPU are active at the same time: the dissertation's study (section 2.5, GPU utilization), on
 * synthetic signals whose counts are known.
 *
 * The program `overlap` counts, in windows of 256 input sets, in how many of them each of three units is active. Sets
 * are dropped while it sends a packet and enters its loop, between windows. It is known which ones it took, and so what
 * every packet must be. And since scenarios repeat with a period that divides 256, it is known what 256 cycles in a row
 * come to, wherever they begin: where the IPU keeps up with the HIT, that is what every packet says.
 */
#ifndef SAHM_IPU_STUDIES_STUDY_OVERLAP_H
#define SAHM_IPU_STUDIES_STUDY_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/unit/abi.h"
#include "ipu/unit/unit.h"
#include "sim/base/err.h"

#define OVERLAP_UNITS 3
#define OVERLAP_WINDOW 256u
#define OVERLAP_LIMIT 255u /* largest count in a packet */
/* A unit is high in a window when it is active in more than a quarter of its cycles. */
#define OVERLAP_LOW (OVERLAP_WINDOW / 4)
/* Windows of a scenario that figure 2.8(c) shows. */
#define OVERLAP_SHOWN 100u
enum {
	NR_OVERLAP_SCENARIOS = 0
#define SCENARIO(...) +1
#include "ipu/studies/overlap_scenario_list.h"
#undef SCENARIO
};

struct overlap_options {
	uint64_t seed;
	uint64_t nr_windows; /* at least 1 */
	uint32_t hit_mhz, ipu_mhz;
	const struct ipu_unit_maker *maker; /* NULL: the IPU is an IPU_lite */
};

struct overlap_result {
	const char *name, *text;	  /* of the scenario */
	uint32_t expected[OVERLAP_UNITS]; /* in any 256 cycles in a row, as a packet can say it */
	uint32_t least[OVERLAP_UNITS];	  /* in the packets */
	uint32_t most[OVERLAP_UNITS];
	uint64_t nr_windows;		  /* packets */
	uint64_t nr_wrong;		  /* of them, those that are not the counts of the 256 sets taken for them */
	uint64_t bins[OVERLAP_UNITS + 1]; /* windows in which none, one, ... of the units were high */
	uint64_t hit_cycles;		  /* that this took */
	uint32_t hit_mhz;
	struct ipu_counts counts;
	uint64_t soft_taken, soft_dropped;	     /* input sets, by soft logic */
	uint8_t shown[OVERLAP_SHOWN][OVERLAP_UNITS]; /* [nr_shown]: counts of the first windows */
	unsigned nr_shown;
};

#define MAX_OVERLAP_POINTS (NR_OVERLAP_SCENARIOS * OVERLAP_SHOWN)

/* A window of figure 2.8(c). */
struct overlap_point {
	unsigned scenario, window;	  /* place in time: window of the scenario, from 0 */
	double active_pct[OVERLAP_UNITS]; /* share of the window's cycles; 255 of 256 cycles where all were active */
	double mean_pct[OVERLAP_UNITS];	  /* mean of the windows up to this one, in the order of the points */
};

/* Runs the scenario `scenario`, below NR_OVERLAP_SCENARIOS, until there are the windows. `program` is `overlap`, loaded
 * against `abi`. SAHM_FORMAT (the spec lacks a unit), SAHM_GUEST (the program does not send what it should),
 * SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status overlap_run(const struct ipu_program *program, const struct abi *abi, unsigned scenario,
			     const struct overlap_options *options, struct overlap_result *result,
			     struct sahm_err *err);

/* Fills points[MAX_OVERLAP_POINTS] from results[NR_OVERLAP_SCENARIOS]: the shown windows of one scenario after the
 * other, in the order of time or by rising utilization of the SIMT cores (in the order of time where that is the same).
 * Returns how many there are. */
unsigned overlap_points(const struct overlap_result *results, bool is_sorted, struct overlap_point *points);

#endif
