/* Signals of a modelled core to IPUs, cycle by cycle: the bridge between cores/uarch and ipu/unit.
 *
 * Any number of IPUs can look at one core, each with its own clock, mode and program. None can change the core, whose
 * times are there before the bridge looks at them. An IPU gets each cycle with an event, and the levels of each cycle
 * in which one of its routines looks at them; levels in between make no difference to it. The same signals can be
 * recorded (ipu/unit/signals.h): an IPU that runs on a recording of the whole stream does the same.
 *
 * HIT cycles are those of the core. Sampling gaps of a stream take no time.
 */
#ifndef SAHM_SIM_ENGINE_CORE_PROBE_H
#define SAHM_SIM_ENGINE_CORE_PROBE_H

#include <stdio.h>

#include "cores/uarch/pics_signals.h"
#include "ipu/unit/abi.h"
#include "ipu/unit/signals.h"
#include "ipu/unit/unit.h"

/* Which signal of the core is wired to which input register. */
struct core_wiring {
	uint32_t levels; /* registers with a level */
	uint8_t nr;
	struct {
		enum pics_signal signal;
		uint8_t reg;
		uint64_t mask; /* its bits */
		const char *name;
	} of[NR_IOREGS]; /* [nr], in the order of the spec */
	int addr;	 /* of of[]: the signal that ADDR is wired to, a PC; -1: none */
};

/* Finds the wiring: signals are called as in cores/uarch/pics_signal_list.h, flags have rate 0, and the others are
 * levels. Names stay the spec's. SAHM_CONFIG, with a suggestion. */
enum sahm_status core_wire(const struct abi *abi, struct core_wiring *wiring, struct sahm_err *err);

/* An IPU beside the core. */
struct core_ipu {
	const struct ipu_unit_config *config;
	const struct ipu_program *program; /* the caller's */
	uint64_t power_on; /* the cycle in which the program is loaded; without TS introspection begins at once */
	bool has_start, has_stop;
	uint64_t start, stop; /* TS, TE: bits that the signal at ADDR lacks are ignored */
	/* Takes what is in the unit's FIFO, and leaves it empty. */
	void (*drain)(void *ctx, struct ipu_unit *u);
	void *ctx;
};

struct core_probe;

/* ipus[nr] beside the core `t`. SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status core_probe_new(struct core_probe **probe, const struct core_timing *t,
				const struct core_wiring *wiring, const struct core_ipu *ipus, unsigned nr,
				struct sahm_err *err);
void core_probe_free(struct core_probe *p);

/* As pics_pass_run() and pics_pass_end(). At the end the programs run their `finish`. SAHM_NOMEM; SAHM_RANGE, an IPU's
 * time ends. */
enum sahm_status core_probe_run(struct core_probe *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
				const uint16_t *signatures, struct sahm_err *err);
enum sahm_status core_probe_end(struct core_probe *p, struct sahm_err *err);

/* Of ipus[i]. */
const struct ipu_unit *core_probe_unit(const struct core_probe *p, unsigned i);
struct pics_counts core_probe_counts(const struct core_probe *p);

/* The cycle in which `init` of the program ends, and from which on a timer that it sets counts. SAHM_RANGE, SAHM_NOMEM.
 */
enum sahm_status core_ipu_ready_at(const struct core_ipu *ipu, uint64_t *cycle, struct sahm_err *err);

/* Sets power_on of ipus[nr] so that all are ready in one cycle, *ready_at, the first that can be: those that take less
 * time for `init` are powered on later. */
enum sahm_status core_ipus_align(struct core_ipu *ipus, unsigned nr, uint64_t *ready_at, struct sahm_err *err);

/* A recording of the cycles [from, from + nr): a row in the first of them, in each that is a row of the core, and in
 * the last one. Nothing is written if none of them comes. */
struct core_recorder;

/* To `out`, whose failures are ferror()'s. NULL when memory is short. */
struct core_recorder *core_recorder_new(const struct core_timing *t, const struct core_wiring *wiring, FILE *out,
					enum signal_form form, uint64_t from, uint64_t nr);
void core_recorder_free(struct core_recorder *r);

/* False when memory is short. */
bool core_recorder_run(struct core_recorder *r, const struct uop_batch *batch, const struct uop_stamps *stamps,
		       const uint16_t *signatures);
bool core_recorder_end(struct core_recorder *r);

/* Whether all of them have come, and how many have; after core_recorder_end(), the core's cycles. */
bool core_recorder_is_done(const struct core_recorder *r);
uint64_t core_recorder_nr(const struct core_recorder *r);
uint64_t core_recorder_of_core(const struct core_recorder *r);

#endif
