/* Recording with hardware counters: the command runs, its counters are read every so often, each interval is an epoch.
 *
 * The command's children are counted with it, and what it does itself: the kernel's share is left out where the PMU can
 * do so. Intervals end at multiples of their length since the command began (a read that comes late makes one longer
 * and the next one shorter, they never drift), and each makes an epoch of that length by the importer's rules; the rest
 * at the end is no epoch.
 */
#ifndef SAHM_WORKLOADS_RECORD_RECORD_PERF_H
#define SAHM_WORKLOADS_RECORD_RECORD_PERF_H

#include "sim/base/units.h"
#include "workloads/record/perf_ops.h"
#include "workloads/record/pmu.h"
#include "workloads/record/record.h"

/* Shortest interval: reading all counters takes some microseconds. */
#define MIN_INTERVAL_NS NS_PER_MS

struct perf_request {
	struct record_request common;
	const struct pmu_machine *machine; /* the PMU that counts it */
	const struct perf_ops *ops;	   /* perf_kernel */
	uint64_t interval_ns;		   /* MIN_INTERVAL_NS to MAX_EPOCH_NS */
	bool keep_idle;			   /* intervals in which the command did nothing are epochs, too */
	const char *const *assume;	   /* "COUNTER=N", NULL at the end; NULL: nothing is assumed */
};

/* Records. On success release `r` with recording_release(), whether there is a trace or not. SAHM_IO (no
 * counters, no permission, a command that cannot be run), SAHM_USAGE (an assumption), SAHM_TOOL (libpfm4), SAHM_NOMEM;
 * the command has not run, or was ended, then. */
enum sahm_status record_perf(const struct perf_request *request, struct recording *r, struct sahm_err *err);

#endif
