/* Workloads of rt-app (github.com/scheduler-tools/rt-app, doc/tutorial.txt), as scheduler developers write them.
 *
 * The text is JSON as rt-app's workgen takes it: with comments, keys that repeat, commas that are missing or too many,
 * and keys without a value. A key and the same key with digits after it are the same event.
 *
 * A task becomes a list of bursts (bursts.h) that all of its instances follow. Events between two pauses are one run;
 * where nothing runs between two pauses, MIN_BURST_RUN_NS do. A microsecond of `run` is one of baseline time, and so is
 * one of `runtime`, which rt-app would measure on the clock. A timer whose name begins with "unique" belongs to its
 * thread, any other must be used by one thread. A thread of a task whose loops are counted leaves after its last run.
 *
 * Whatever else changes how threads behave is an error that names its place: other events (locks, conditions, barriers,
 * memory, input and output, forks), other policies than SCHED_OTHER, utilisation clamps, task groups, properties of one
 * phase of several.
 */
#ifndef SAHM_WORKLOADS_BURSTS_RTAPP_H
#define SAHM_WORKLOADS_BURSTS_RTAPP_H

#include "sim/base/cfg.h"
#include "sim/base/hash.h"
#include "workloads/bursts/bursts.h"

/* Most events of all tasks, with the loops of phases written out, most loops of a task and most threads. */
#define MAX_RTAPP_EVENTS UINT64_C(1000000)
#define MAX_RTAPP_LOOPS (INT64_C(1) << 40)
#define MAX_RTAPP_THREADS 16384u
#define MAX_RTAPP_BYTES ((size_t)8 << 20)

struct rtapp_task {
	const char *name;
	const struct cfg_node *node; /* where it stands */
	const struct cfg_node *cpus; /* where those stand; NULL: it runs on all */
	const char *cpu_list;	     /* "0,2,3" */
	uint32_t nr_instances;
	int nice;	   /* -20 to 19 */
	uint64_t delay_us; /* until it arrives */
	struct burst_model bursts;
};

struct rtapp {
	struct rtapp_task *tasks; /* [nr_tasks], at least one */
	uint32_t nr_tasks;
	uint32_t nr_threads; /* at least 1 */
	uint64_t duration_s; /* 0: until it is stopped */
};

/* Reads `text`, of `len` bytes with a NUL after them; `file` stands in messages. All that `w` holds lives in `a`.
 * Appends to `notes` (may be NULL) what has no effect. SAHM_CONFIG with file and line, SAHM_NOMEM. */
enum sahm_status rtapp_read_text(struct rtapp *w, struct arena *a, const char *file, const char *text, size_t len,
				 struct textbuf *notes, struct sahm_err *err);

/* The same for the file at `path`. SAHM_IO, SAHM_FORMAT beyond MAX_RTAPP_BYTES. */
enum sahm_status rtapp_read(struct rtapp *w, struct arena *a, const char *path, struct textbuf *notes,
			    struct sahm_err *err);

/* Hash of what threads do: neither names nor comments. */
void rtapp_hash(const struct rtapp *w, uint8_t hash[HASH_BYTES]);

#endif
