/* What tables and figures of critical paths share. */
#ifndef SAHM_RESULTS_CORES_CORE_PATH_INTERNAL_H
#define SAHM_RESULTS_CORES_CORE_PATH_INTERNAL_H

#include "results/cores/core_path.h"

/* A cause by its name: cores may have queues and units of the same names in different places. */
struct path_name {
	char name[PATH_CAUSE_NAME_BYTES];
	bool is_front_end;
};

struct path_view {
	const struct path_report *report;
	struct core_result *sums; /* [nr_cores]: of all streams; only instructions, cycles and path */
	size_t nr_folders;	  /* characters of streams' names: folders that all are in */
	size_t nr_names;
	struct path_name *names;	     /* [nr_names]: in the order of enum path_cause */
	uint32_t (*name_of)[NR_PATH_CAUSES]; /* [nr_cores]: index of the name of a cause that is there */
};

/* Release it in any case. False when memory was short. */
bool path_view_init(struct path_view *v, const struct path_report *report);
void path_view_release(struct path_view *v);

/* The result of stream `stream`, or of all streams if that is their number, on core `core`. */
const struct core_result *path_view_result(const struct path_view *v, size_t stream, size_t core);

/* Cycles of a result of core `core` by name: cycles[nr_names]; CAUSE_NOT_THERE of those that it does not have. */
#define CAUSE_NOT_THERE UINT64_MAX
void path_view_cycles(const struct path_view *v, size_t core, const struct path_counts *p, uint64_t *cycles);

/* "sort.stream": of stream `stream`, or of all streams if that is their number. */
const char *path_stream_name(const struct path_view *v, size_t stream);

#endif
