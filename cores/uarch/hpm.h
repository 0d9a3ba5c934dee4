/* Counter registers of a modelled core: cycles, instructions, event counters and their control, with the numbers of
 * RISC-V's CSRs as addresses (privileged specification 1.11), and precise event sampling (paper 003, section III-B).
 *
 * The model passes its cycles (hpm_run()), and software reads and writes at instruction boundaries in between: at the
 * boundary after an instruction, everything has been passed up to the cycle in which it retires; of that cycle,
 * counters of instructions have seen those up to it, all others the whole cycle. A write counts from there on.
 *
 * Registers accept any value; what they cannot hold reads back as something else (WARL):
 * - Counters that the core lacks, their selectors and thresholds read 0, and so does all of sampling on a core without
 *   event counters.
 * - A selector keeps the events that its set has, and is 0 without one. Of a distributed counter it keeps the lowest.
 * - mcountinhibit has bits for cycles, instructions and the event counters that there are.
 *
 * Choices of ours: a selector's or a counter's write forgets what local counters hold. mcounteren and scounteren keep
 * all 32 bits. A distributed counter that is stopped has collected what was pending when software next reads it; its
 * register grows by 2^N at a time, and keeps what is written. A sample of a distributed counter is taken when that
 * register grows, after the event: its pc is that of the next instruction to retire.
 */
#ifndef SAHM_CORES_UARCH_HPM_H
#define SAHM_CORES_UARCH_HPM_H

#include "cores/uarch/core_event.h"
#include "cores/uarch/pes.h"
#include "sim/base/err.h"

#define HPM_FIRST 3u /* number of the first event counter */
#define HPM_COUNTERS 29u

enum hpm_kind {
#define HPM_KIND(suffix, name, help) HPM_##suffix,
#include "cores/uarch/hpm_kind_list.h"
#undef HPM_KIND
	NR_HPM_KINDS
};

/* The lowest numbers of CSRs. */
enum hpm_csr {
#define HPM_CSR(suffix, name, number, nr, help) CSR_##suffix = (number),
#include "cores/uarch/hpm_csr_list.h"
#undef HPM_CSR
};

enum hpm_privilege { HPM_USER = 0, HPM_SUPERVISOR = 1, HPM_MACHINE = 3 };

struct hpm_spec {
	uint8_t family;	     /* enum event_family */
	uint8_t kind;	     /* enum hpm_kind */
	uint8_t nr_counters; /* event counters, at most HPM_COUNTERS; 0: the core has none */
	const struct core_timing *core;
};

struct hpm;

/* "add", and what it is: constant storage. */
const char *hpm_kind_name(enum hpm_kind kind);
const char *hpm_kind_help(enum hpm_kind kind);

/* Counters that an event of `nr_sources` takes. */
unsigned hpm_kind_counters(enum hpm_kind kind, unsigned nr_sources);

/* The most events of `nr_sources` that a counter can have missed when it has counted `counted`: while it runs, or once
 * it is stopped. */
uint64_t hpm_kind_bound(enum hpm_kind kind, unsigned nr_sources, uint64_t counted, bool is_stopped);

/* All registers are 0. `spec` and its core need not outlive the call. NULL when memory is short. */
struct hpm *hpm_new(const struct hpm_spec *spec);
void hpm_free(struct hpm *h);

/* Any number and value. Fails where there is no such CSR, or it may not be accessed; `*value` is then unchanged. */
enum sahm_status hpm_read(const struct hpm *h, enum hpm_privilege privilege, unsigned csr, uint64_t *value,
			  struct sahm_err *err);
enum sahm_status hpm_write(struct hpm *h, enum hpm_privilege privilege, unsigned csr, uint64_t value,
			   struct sahm_err *err);

/* The cycles of a run. */
void hpm_run(struct hpm *h, const struct signal_run *run);

/* Whether runs are to have SIGNAL_INSTRUCTION in all cycles: a full buffer or a sample waits for an instruction to
 * retire. Where it is left out, instructions are not counted. */
bool hpm_wants_boundaries(const struct hpm *h);

/* A run of one cycle in parts, so that there are boundaries in it: of the instructions that retire, those of lanes
 * [first, end). The part from lane 0 on comes first, and has everything that is not about instructions. A later part
 * does not sample again a counter that a part before it has sampled. */
void hpm_run_lanes(struct hpm *h, const struct signal_run *run, unsigned first, unsigned end);

/* ---- Events ---- */

/* How many counters the event takes, which a scalar counter's sources make more than one; 0: more than there are, or
 * more sources than a selector has bits. */
unsigned hpm_counters_for(const struct hpm *h, const struct core_event *event);

/* The selector of the i-th of these counters. */
uint64_t hpm_selector(const struct hpm *h, const struct core_event *event, unsigned i);

/* Since the counter or its selector was last written. `truth` adds up all sources of all selected events. */
struct hpm_undercount {
	uint64_t counted, truth;
	uint64_t bound; /* hpm_kind_bound() */
};

/* Of event counter HPM_FIRST to HPM_FIRST + nr_counters - 1. */
void hpm_undercount(const struct hpm *h, unsigned counter, struct hpm_undercount *out);

/* ---- Sampling ---- */

struct hpm_sampling {
	uint8_t *memory; /* the caller's; mhpmmapped is an offset into it */
	size_t bytes;
	unsigned skid; /* at most PES_MAX_SKID */
	/* The full interrupt, or NULL: called at the first instruction boundary at which all samples have their pc. It
	 * may read and write registers. */
	void (*full)(void *user, struct hpm *h);
	void *user;
};

/* Without it, samples are lost. The window is empty again. Runs need their causes: without, a sample has no pc. */
enum sahm_status hpm_sample(struct hpm *h, const struct hpm_sampling *sampling, struct sahm_err *err);

/* Nothing follows: samples get the pcs that they lack, and a full buffer is handled. */
void hpm_finish(struct hpm *h);

void hpm_sample_totals(const struct hpm *h, struct pes_totals *out);

#endif
