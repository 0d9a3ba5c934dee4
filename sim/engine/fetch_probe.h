/* Fetches of a modelled core to IPUs: the bridge between cores/uarch and ipu/unit for what the front end does.
 *
 * An input set is an access to L1I: the front end begins to fetch from another line than before. It arrives in the
 * cycle of the access, which is that of the fetch less what a miss added. An instruction in two lines makes two. Of an
 * access that misses, the set has the latency of the level that has the line; where one of an instruction's two lines
 * misses, this is taken to be the second.
 *
 * The IPUs' programs have run their `init` when the first set arrives. HIT cycles are those of the core from then on.
 * Instructions that only warm take a cycle each; sampling gaps of a stream take no time. None can change the core,
 * whose times are there before.
 */
#ifndef SAHM_SIM_ENGINE_FETCH_PROBE_H
#define SAHM_SIM_ENGINE_FETCH_PROBE_H

#include "cores/uarch/core_model.h"
#include "cores/uarch/timing.h"
#include "ipu/unit/abi.h"
#include "sim/engine/core_probe.h"

/* The registers of an ABI spec's signals; others than these cannot be there. */
struct fetch_wiring {
	uint8_t pc, latency;
	bool has_latency;
	uint64_t pc_mask;
};

/* SAHM_CONFIG: a signal is not called fetch_pc or fetch_latency, or does not have rate 0; or there is no fetch_pc. */
enum sahm_status fetch_wire(const struct abi *abi, struct fetch_wiring *wiring, struct sahm_err *err);

struct fetch_probe;

/* ipus[nr] beside the core `model`; their clocks of the HIT are equal, and that of the soft logic, in which latencies
 * are counted, has soft_mhz. Triggers are not used, and power_on is when the stream's first cycle comes. SAHM_RANGE,
 * SAHM_NOMEM, as core_ipu_ready_at() fails. */
enum sahm_status fetch_probe_new(struct fetch_probe **probe, const struct core_model *model,
				 const struct fetch_wiring *wiring, uint32_t soft_mhz, const struct core_ipu *ipus,
				 unsigned nr, struct sahm_err *err);
void fetch_probe_free(struct fetch_probe *p);

/* Takes the uops of a batch, with notes of what was added to their fetches; `stamps` and `notes` NULL: it only warms.
 * SAHM_RANGE: an IPU's time ends. As ipu_unit_check() fails. */
enum sahm_status fetch_probe_run(struct fetch_probe *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
				 const struct timing_notes *notes, struct sahm_err *err);
/* Of that batch, for each first uop the HIT cycle of its instruction's access: never below the one before. */
const uint64_t *fetch_probe_times(const struct fetch_probe *p);
/* The core's last cycle: the programs run their `finish`. */
enum sahm_status fetch_probe_end(struct fetch_probe *p, struct sahm_err *err);

/* Of ipus[i]. */
const struct ipu_unit *fetch_probe_unit(const struct fetch_probe *p, unsigned i);
/* Input sets so far. */
uint64_t fetch_probe_sets(const struct fetch_probe *p);

#endif
