/* Measuring an epoch table: streams on a baseline and other cores, a worker process per stream.
 *
 * Each stream is read once, for all cores. Its rows are in the file as soon as it is finished; a run that was killed
 * takes those that are there and measures the rest. The file is the same for any number of workers, and after a kill.
 */
#ifndef SAHM_SIM_SWEEP_SPECIALIZE_H
#define SAHM_SIM_SWEEP_SPECIALIZE_H

#include "cores/uarch/core_model.h"
#include "results/studies/epoch_table.h"

struct specialize_request {
	const char *const *streams;		/* [table->nr_programs]: paths */
	const struct core_model *const *models; /* [table->nr_cores] */
	enum lane_form form;			/* beside table->has_measured_clock, how they run */
	uint32_t nr_workers;
	const char *path; /* of the table's file */
	bool force;	  /* replaces one that was measured in another way */
	/* Called several times a second: instructions read of those of all unfinished streams. May be NULL. */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/* In which components a core differs from the baseline: its structures or their latencies. */
unsigned specialize_components(const struct core_model *baseline, const struct core_model *core);

/* Takes over rows of the file at r->path, if there is one that was measured in the same way: of streams that have their
 * name and digest, *nr_taken of them. SAHM_USAGE: another one is there, and there is no r->force; SAHM_NOMEM. */
enum sahm_status specialize_resume(const struct specialize_request *r, struct epoch_table *t, size_t *nr_taken,
				   struct sahm_err *err);

/* Gives t->traced the counters of its epochs in the traces of a suite, called as its streams are (NAME.*); what a
 * program ran after its trace's last epoch keeps those of the baseline. `suite` is as trace_suite_read() takes it, and
 * lives as long as the table. SAHM_USAGE: there is no such trace or epoch, or it has
 * another number of instructions; or as trace_suite_read(), trace_open() and trace_read() fail. */
enum sahm_status specialize_read_traces(struct epoch_table *t, const char *suite, const char *data_folder,
					struct sahm_err *err);

/* Measures the unfinished streams of `t`, which has everything but their rows, and writes the file. SAHM_IO,
 * SAHM_NOMEM, SAHM_TOOL (a worker died), or as core_run() fails. */
enum sahm_status specialize_measure(const struct specialize_request *r, struct epoch_table *t, struct sahm_err *err);

#endif
