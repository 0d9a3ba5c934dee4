/* Precise event sampling: the buffer that samples are written to (paper 003, section III-B, completed).
 *
 * A sample has PES_SAMPLE_BYTES bytes, little-endian: pc 8, cycle 8, data address 8 (or 0), counter 1, flags 1 (bit 0:
 * the address is valid, bit 1: a taken branch), skid in instructions 2, samples lost since the one written before 4.
 *
 * With a skid of n, pc is that of the n-th instruction after the one that caused the event, or the last of the stream.
 * Its place in the buffer is taken at once, and the pc entered when that instruction retires; if it has retired
 * already, it is looked up among the last PES_REMEMBERED (before them: the first of these).
 */
#ifndef SAHM_CORES_UARCH_PES_H
#define SAHM_CORES_UARCH_PES_H

#include <stddef.h>

#include "cores/uarch/core_signals.h"

#define PES_SAMPLE_BYTES 32u
#define PES_MAX_SKID UINT16_MAX
#define PES_REMEMBERED 4096u

#define PES_ADDRESS_VALID 1u
#define PES_TAKEN_BRANCH 2u

/* The part of the memory that samples go to, and how far it is filled. Any values may be in it: where a sample would
 * reach beyond the part or the memory, it does not fit. */
struct pes_window {
	uint64_t mapped, size, offset;
};

struct pes_totals {
	uint64_t written, lost, fulls; /* samples; full interrupts raised */
};

struct pes;

/* Samples go to memory[bytes], which stays the caller's. `skid` is at most PES_MAX_SKID. NULL when memory is short. */
struct pes *pes_new(uint8_t *memory, size_t bytes, unsigned skid);
void pes_free(struct pes *p);

const struct pes_window *pes_window(const struct pes *p);

/* Software's writes. Where there is room for a sample again, the next full buffer raises its interrupt again. */
void pes_set_window(struct pes *p, const struct pes_window *window);

/* Counter `counter` reached its threshold in the cycle because of `cause` (NULL: unknown, all of it 0). */
void pes_take(struct pes *p, unsigned counter, uint64_t cycle, const struct signal_cause *cause);

/* The instructions that retire next, after the samples of their cycle were taken. Without a skid it need not be called.
 */
void pes_retire(struct pes *p, const struct signal_cause *retired, unsigned nr);

/* Whether pes_retire() must be called. */
bool pes_has_skid(const struct pes *p);

/* No instruction follows. */
void pes_finish(struct pes *p);

/* Whether the full interrupt was raised, and not taken yet; and whether it can be: all samples have their pc. */
bool pes_is_full(const struct pes *p);
bool pes_can_interrupt(const struct pes *p);

/* The interrupt is taken. */
void pes_interrupt(struct pes *p);

void pes_totals(const struct pes *p, struct pes_totals *out);

#endif
