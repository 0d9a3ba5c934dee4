/* The limit of what a chip can do for one thread: at every instant the thread is on the core that is best for its
 * state, it has the chip to itself, and moving is free.
 *
 * A share w of baseline time in states with speedup r then takes w / (1 + r), in whatever order states come, so that
 * occupancies suffice: speedup = sum of w / sum of w / (1 + r) - 1. The timestep simulation without costs approaches
 * this from below as its timestep shrinks. Speedups that come in are millionths, those that go out fractions (0.27 is
 * 27 %). Source: dissertation, section 4.6, figures 4.7 to 4.9.
 */
#ifndef SAHM_RESULTS_STUDIES_LIMIT_H
#define SAHM_RESULTS_STUDIES_LIMIT_H

#include "cores/chip/study_space.h"
#include "results/metrics/box.h"
#include "results/store/run_record.h"

/* Occupancy of a thread as weights: its epochs in each state, as doubles. */
void limit_weights(const uint64_t in_state[NR_STATES], double weights[NR_STATES]);

/* A chip made ready for many threads: the speedups that are its best for some state, each once, and whose states are
 * whose. Time with equal speedups is added up before it is divided, the lowest speedup's first: where weights are
 * counts, chips that give the same shares of time the same speedups have limits equal to the last bit. */
struct limit_chip {
	unsigned nr;
	int32_t speedup_ppm[NR_STATES]; /* [nr], ascending */
	uint8_t place[NR_STATES];	/* of a state, in speedup_ppm */
};

/* `speedup_ppm[s]` is the best that the chip has for state s (space_best_speedups()), above -1,000,000. */
void limit_chip_init(struct limit_chip *chip, const int32_t speedup_ppm[NR_STATES]);

/* Speedup of a thread that spends weights[s] of its baseline time in state s: epochs, or shares; not negative, and not
 * all 0. */
double limit_on(const struct limit_chip *chip, const double weights[NR_STATES]);

/* The same for one thread, of whose chip the best speedups are `speedup_ppm`. */
double limit_speedup(const double weights[NR_STATES], const int32_t speedup_ppm[NR_STATES]);

/* Fills speedup_ppm[s] with the speedup of the best of a chip's cores for state s, of those in the set `allowed` (NULL:
 * all), in millionths; false, and nothing written, when there is none in it. */
bool limit_of_chip(const struct chip *chip, const uint64_t *allowed, int32_t speedup_ppm[NR_STATES]);

/* Distribution of one thread's speedups over the configuration space, without the chip of only a baseline core
 * (figure 4.8). */
struct box limit_breadth(const double weights[NR_STATES]);

/* The limit of every thread of `config` on its chip, of whose cores each has those that it may run on at first, as a
 * record: of the metrics it has only the means of speedups. Costs, policies, time, changes and other threads mean
 * nothing to it; each trace counts as a whole, wherever its thread begins. A thread that may run nowhere has NAN, and
 * no part in the means. Strings and arrays come from `a`. SAHM_NOMEM, or as trace_states() fails. */
enum sahm_status record_of_limit(struct arena *a, const struct run_config *config, struct record *r,
				 struct sahm_err *err);

#endif
