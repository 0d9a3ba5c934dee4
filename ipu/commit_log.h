/* Commit log: a line per retired instruction, in the form of Spike's --log-commits for RV32, so that logs can be
 *compared by diff:
 *
 *	core   0: 3 0x80000000 (0x00000297) x5  0x80000000
 *	core   0: 3 0x80000004 (0x0042a303) x6  0x00000001 mem 0x80000004
 *	core   0: 3 0x80000008 (0x0062a023) mem 0x80000000 0x00000001
 *
 * The 3 is the privilege level (machine); there is no other here.
 */
#ifndef SAHM_IPU_COMMIT_LOG_H
#define SAHM_IPU_COMMIT_LOG_H

#include "ipu/hart.h"
#include "sim/base/textbuf.h"

/* Runs one instruction of `h` and appends its line to `out`, unless it did not retire. Returns as hart_run(h, 1) does.
 */
enum hart_cause commit_log_step(struct hart *h, struct textbuf *out);

#endif
