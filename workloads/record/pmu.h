/* Hardware counters of processors: which there are, which events stand for which counter, how the kernel is asked.
 *
 * A PMU (pmu_list.h) is recognised by what /proc/cpuinfo says of the processor (pmu_machine.c) and needs one of its
 * devices in /sys/bus/event_source/devices: a processor that is known may still have no counters, as in most virtual
 * machines. Each counter has an expression over events (event_rows[] in pmu.c); an event is encoded by libpfm4, or has
 * a row in code_rows[]. Events without a source have no row, and are not supported.
 */
#ifndef SAHM_WORKLOADS_RECORD_PMU_H
#define SAHM_WORKLOADS_RECORD_PMU_H

#include <stdint.h>

#include "cores/chip/counters.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* Different events that the counters of one PMU are made of. */
#define MAX_PMU_EVENTS 32u

enum pmu_set {
	PMU_SET_INTEL_8,
	PMU_SET_INTEL_4,
	PMU_SET_HASWELL,
	PMU_SET_GOLDEN_COVE,
	PMU_SET_ZEN2,
	PMU_SET_ZEN1,
	PMU_SET_NEOVERSE,
	PMU_SET_U74,
	PMU_SET_SOFTWARE
};

struct pmu {
	const char *name;
	const char *libpfm; /* NULL: its events are in code_rows[] */
	enum pmu_set set;
	const char *devices;
	const char *title;
};

/* In the order of the list, NULL as name at the end. */
extern const struct pmu pmus[];

/* The PMU called `name`; NULL, and SAHM_USAGE with a suggestion in `err`, when there is none. */
const struct pmu *pmu_named(const char *name, struct sahm_err *err);

/* What stands for counter `c`: an expression, with *source (may be NULL) set to where it is from; NULL when nothing
 * does. */
const char *pmu_expression(const struct pmu *pmu, enum counter c, const char **source);

/* An event as perf_event_open() wants it. */
struct pmu_event {
	const char *name;
	const char *source;
	uint32_t type; /* PERF_TYPE_RAW where it is that of the PMU's device */
	uint64_t config, config1, config2;
};

/* The events of all expressions, each once, in the order of counters (of a PMU without expressions: all that it has)
 * into events[MAX_PMU_EVENTS]; *nr of them. Names are in `a` or constant. SAHM_TOOL when libpfm4 does not know one,
 * SAHM_NOMEM. */
enum sahm_status pmu_events(const struct pmu *pmu, struct arena *a, struct pmu_event *events, unsigned *nr,
			    struct sahm_err *err);

/* Longest texts of struct pmu_machine, with their closing NUL. */
#define MACHINE_TEXT_BYTES 128

/* perf_event_paranoid where it cannot be read. */
#define PARANOIA_UNKNOWN INT32_MIN

/* What the files of a machine say. */
struct pmu_machine {
	char model[MACHINE_TEXT_BYTES];	 /* "Intel(R) Xeon(R) Processor"; how it is called, may be "" */
	char maker[MACHINE_TEXT_BYTES];	 /* as in matches[] of pmu_machine.c; "" when the processor is not described */
	uint64_t family, number;	 /* the latter its model */
	const struct pmu *pmu;		 /* NULL: not one of those in the list */
	char device[MACHINE_TEXT_BYTES]; /* its PMU as the kernel calls it; "": there is none */
	char cpus[MACHINE_TEXT_BYTES];	 /* those that the device is for, where it is not for all: "0-15" */
	uint32_t device_type;		 /* as perf_event_open() wants it */
	int32_t paranoia;		 /* kernel.perf_event_paranoid, or PARANOIA_UNKNOWN */
	bool lacks_memory;		 /* some of it could not be read for lack of memory */
};

/* Reads the files below `root` ("": this machine): proc/cpuinfo, sys/bus/event_source/devices,
 * proc/sys/kernel/perf_event_paranoid. Other processors are not known. */
void machine_read(const char *root, struct pmu_machine *m);

/* The PMU of a processor; NULL when none is known. */
const struct pmu *pmu_of(const char *maker, uint64_t family, uint64_t number);

/* Appends what the machine is called: its model, or else its PMU, or else what identifies it; "" when nothing does. */
void machine_write(const struct pmu_machine *m, struct textbuf *out);

/* Appends what identifies its processor: "GenuineIntel, family 6, model 143". */
void machine_write_identity(const struct pmu_machine *m, struct textbuf *out);

/* Whether counters can be had at all; fails with the reason and the way out otherwise: SAHM_IO. SAHM_NOMEM when there
 * was no memory to see. */
enum sahm_status machine_check(const struct pmu_machine *m, struct sahm_err *err);

#endif
