/* Counter registers and precise event sampling written down slowly: every cycle, counter, event, source and instruction
 * is looked at, all retired pcs are kept, and pcs of samples are entered at the end.
 *
 * The reference for hpm*.c and pes.c in cores/uarch, written from the rules of hpm.h, pes.h and docs/counters.md. It
 * shares with them the table of events, and with their tests the distributed counter of refdistributed.h.
 */
#ifndef SAHM_TESTS_REFERENCE_REFHPM_H
#define SAHM_TESTS_REFERENCE_REFHPM_H

#include "cores/uarch/hpm.h"

struct refhpm;

/* `full` is called with `user`. Up to `most` instructions retire, the first having number 0. NULL when memory is short.
 */
struct refhpm *refhpm_new(const struct hpm_spec *spec, const struct hpm_sampling *sampling, unsigned most,
			  void (*full)(void *user));
void refhpm_free(struct refhpm *r);

/* Of counters, selectors, thresholds, mcountinhibit, the window; other registers are not modelled. */
uint64_t refhpm_read(const struct refhpm *r, unsigned csr);
void refhpm_write(struct refhpm *r, unsigned csr, uint64_t value);

/* A cycle, or the instructions of some lanes of it, as hpm_run_lanes(); samples are taken where the part is all of it.
 */
void refhpm_cycle(struct refhpm *r, const struct signal_run *run, uint64_t cycle, unsigned first, unsigned end);

void refhpm_finish(struct refhpm *r);
void refhpm_totals(const struct refhpm *r, struct pes_totals *out);

#endif
