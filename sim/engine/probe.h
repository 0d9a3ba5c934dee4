/* Counters to IORegs: the only bridge between cores and IPUs.
 *
 * Beside every core stands an IPU (ipu/unit/unit.h), all with one program. At the start of each timestep in which the
 * core executes a thread, an input set goes to it: the counters of the epoch in which the timestep begins, whole as
 * they stand in the trace, and the thread's index. What the IPU sends comes back as words for the scheduler.
 *
 * Time. Power-on is before the simulation: as many whole us before its beginning as `init` needs to return. From there
 * on HIT cycles are simulated ns x hit_mhz / 1000, rounded down, and the IPU is resumed at time 0. `finish` never runs.
 *
 * Continuous time (threads that sleep, policies that dispatch): an IPU sees what its core executes when a timestep
 * begins; a thread that begins to run in the midst of one is seen at the beginning of the next, if it still runs there.
 *
 * Values. A counter that exceeds the bits of its signal, and a thread's index that does, is the largest value instead.
 * Core cycles are valid only where the trace has them.
 *
 * Words. A packet of exactly 4 bytes, least significant first: bits 0 to 3 a state, bits 4 to 7 zero, bits 8 to 31 the
 * index of a thread of this simulation. Any other packet is rejected, which is counted. It arrives the latency after it
 * was complete, in ns, rounded up; from the first pass on that begins then or later its state is the thread's observed
 * one, unless a word for the same thread was sent after it (in the same IPU cycle: by a core with a higher index). What
 * `init` sends has been sent before time 0, and may have arrived by then.
 *
 * The end. An IPU's processor has run ahead then. Busy cycles, packets and bytes after the end of the simulation are
 * not counted; invocations, instructions and lost packets are, as soon as the routine to which they belong begins.
 *
 * An IPU in ERROR says nothing any more; the run goes on.
 */
#ifndef SAHM_SIM_ENGINE_PROBE_H
#define SAHM_SIM_ENGINE_PROBE_H

#include "cores/chip/counters.h"
#include "ipu/unit/abi.h"
#include "ipu/unit/unit.h"
#include "sim/base/arena.h"
#include "workloads/trace/trace.h"

/* The longest routine that a watchdog can let pass, in IPU cycles. */
#define MAX_WATCHDOG_CYCLES 1e12

/* Longest time that a packet can take to the scheduler. */
#define MAX_PROBE_LATENCY_NS UINT64_C(1000000000000)

/* With more words on their way than this a run can fail, with twice as many it does; those do not count that another
 * one for the same thread and the same pass overtakes. Twice as many take 128 MB. */
#define MAX_LATE_WORDS (UINT64_C(1) << 21)

/* Most memory for the input sets of all traces of a run. */
#define MAX_PROBE_BYTES (UINT64_C(8) << 30)

/* What a word says. */
#define STATE_WORD_BYTES 4u
#define STATE_WORD_THREAD_BIT 8u

/* Which signal is wired to which input register. */
struct probe_wiring {
	uint32_t valid;	    /* registers with a signal */
	uint32_t nr_values; /* registers up to the last one: as many values has an input set */
	/* Of each register with a signal: the counter, or NR_COUNTERS for the thread, and the largest value. */
	enum counter counter[NR_IOREGS];
	uint64_t max[NR_IOREGS];
	uint32_t thread; /* register of the thread, NR_IOREGS: none */
	uint32_t cycles; /* bits of registers with COUNTER_CYCLES */
};

struct probe_config {
	const struct ipu_program *program;  /* with a _main; the caller's */
	const struct ipu_unit_maker *maker; /* of other units than IPU_lite; NULL: of these */
	struct probe_wiring wiring;
	uint32_t hit_mhz, ipu_mhz; /* IPU_MIN_MHZ to IPU_MAX_MHZ */
	uint32_t sampling;   /* at least 1: input sets of the first executed timesteps of a core, at most this number */
	uint64_t latency_ns; /* at most MAX_PROBE_LATENCY_NS */
	uint64_t max_cycles; /* of a routine: 1 to MAX_WATCHDOG_CYCLES */
};

/* The input sets of a trace: `values` has wiring.nr_values for each epoch, that of the thread still to be put in. */
struct probe_inputs {
	const uint64_t *values;
	uint32_t valid; /* IORegs that have a value */
};

/* What one IPU did in a simulation, or in several together, up to its end; what its `init` executed left out. */
struct probe_counts {
	uint64_t arrived;	/* input sets: timesteps that the core executed */
	uint64_t invocations;	/* of _main and of a timer's handler */
	uint64_t instructions;	/* those of a routine that the end cuts off as well */
	uint64_t dropped;	/* input sets: the IPU was still running */
	uint64_t ignored;	/* input sets: it was not active: paused, or in ERROR */
	uint64_t skipped;	/* input sets: by sampling */
	uint64_t packets;	/* sent */
	uint64_t bytes;		/* in them */
	uint64_t lost_packets;	/* for which the FIFO had no room */
	uint64_t rejected;	/* packets that are no word */
	uint64_t busy_cycles;	/* IPU cycles in which it executed, no more than the simulation has */
	uint64_t accurate;	/* timesteps executed here whose thread was observed in the state in which they began */
	uint64_t nr_faults;	/* simulations that it ended in ERROR */
	struct ipu_fault fault; /* the first one's */
};

/* Adds up; false when a sum exceeds 64 bits. */
bool probe_counts_add(struct probe_counts *sum, const struct probe_counts *counts);

/* Finds the wiring: signals are called as the counters of cores/chip/counter_list.h, or "thread". SAHM_CONFIG for a
 * signal that a core does not have, with a suggestion. */
enum sahm_status probe_wire(const struct abi *abi, struct probe_wiring *wiring, struct sahm_err *err);

/* Reads a trace into input sets, which live in `a`. `room` is how many bytes that may take, and becomes what is left.
 * SAHM_RANGE (no room), SAHM_NOMEM, or as trace_read() fails. */
enum sahm_status probe_inputs_read(const struct probe_wiring *wiring, struct trace *trace, struct arena *a,
				   uint64_t *room, struct probe_inputs *inputs, struct sahm_err *err);

/* HIT cycles in `ns`, rounded down; below 2^63 for MAX_RUN_NS. */
static inline uint64_t probe_cycles_of(uint64_t ns, uint32_t mhz)
{
	return ns / 1000 * mhz + ns % 1000 * mhz / 1000;
}

/* The same, rounded up. */
static inline uint64_t probe_whole_cycles_of(uint64_t ns, uint32_t mhz)
{
	return ns / 1000 * mhz + (ns % 1000 * mhz + 999) / 1000;
}

/* duration in ns of this number of IPU cycles, rounded up. */
static inline uint64_t probe_ns_of(uint64_t cycles, uint32_t mhz)
{
	return cycles / mhz * 1000 + (cycles % mhz * 1000 + mhz - 1) / mhz;
}

/* The same, rounded down. */
static inline uint64_t probe_whole_ns_of(uint64_t cycles, uint32_t mhz)
{
	return cycles / mhz * 1000 + cycles % mhz * 1000 / mhz;
}

#endif
