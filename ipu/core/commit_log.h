/* Commit log: a line per retired instruction, in the form of Spike's --log-commits for RV32, so that logs can be
 * compared by diff:
 *
 *	core   0: 3 0x80000000 (0x00000297) x5  0x80000000
 *	core   0: 3 0x80000004 (0x0042a303) x6  0x00000001 mem 0x80000004
 *	core   0: 3 0x80000008 (0x00628023) mem 0x80000000 0x01
 *	core   0: 3 0x8000000c (0x8082)
 *	core   0: 3 0x8000000e (0x001313f3) x7  0x00000000 c1_fflags 0x00000001
 *
 * The 3 is the privilege level (machine); there is no other here. What follows the instruction: the register that it
 * wrote, unless that is x0; the CSR that it wrote, with the value as it was written; `mem` with the address of a load
 * or with address and value of a store, in as many digits as were stored. Registers that a served environment call
 * writes are shown as if the instruction had written them; for Spike, calls are traps and leave no line.
 *
 * Instructions are shown as they stand in memory: a program that changes its code logs what it runs only if it says
 * fence.i in between, as it has to.
 */
#ifndef SAHM_IPU_CORE_COMMIT_LOG_H
#define SAHM_IPU_CORE_COMMIT_LOG_H

#include "ipu/core/hart.h"
#include "sim/base/textbuf.h"

/* Runs one instruction of `h` and appends its line to `out`, unless it did not retire. Returns as hart_run(h, 1) does.
 */
enum hart_cause commit_log_step(struct hart *h, struct textbuf *out);

#endif
