/* The importer's frame: files, and the traces at the end. */
#include "workloads/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/base/zstd_stream.h"
#include "workloads/import/import_internal.h"
#include "workloads/trace/trace_csv.h"

static enum sahm_status check_options(const struct import_options *o, size_t nr_files, struct sahm_err *err)
{
	if (o->format == &import_format_sahm && import_options_transform(o))
		return sahm_fail(err, SAHM_USAGE,
				 "--format sahm: a trace of our own form takes no option but --epoch-ms "
				 "and --provenance");
	if (o->by_time && !o->epoch_ns)
		return sahm_fail(err, SAHM_USAGE, "--by-time needs the length of an epoch (--epoch-ms)");
	if (o->by_time && o->join)
		return sahm_fail(err, SAHM_USAGE, "--by-time and --join exclude each other; resample what was joined");
	if (o->join && o->groups == IMPORT_EACH)
		return sahm_fail(err, SAHM_USAGE, "--join and --each exclude each other");
	if (o->no_cycles && o->map && (o->map->expression[COUNTER_CYCLES] || o->map->is_assumed[COUNTER_CYCLES]))
		return sahm_fail(err, SAHM_USAGE, "--no-cycles, and cycles are named by --map or --assume");
	if (o->rotate && o->cumulative)
		return sahm_fail(
			err, SAHM_USAGE,
			"--rotate and --cumulative exclude each other: a total does not run while its event is not "
			"counted");
	if (o->join && o->rotate)
		return sahm_fail(err, SAHM_USAGE,
				 "--join and --rotate exclude each other: runs, or windows of one run?");
	if (o->cumulative && o->differences)
		return sahm_fail(err, SAHM_USAGE, "--cumulative and --differences exclude each other");
	if (o->join && nr_files < 2)
		return sahm_fail(err, SAHM_USAGE, "--join needs several files, one for each run");
	return SAHM_OK;
}

enum sahm_status trace_import(const char *const *files, size_t nr_files, const struct import_options *options,
			      struct textbuf *notes, struct trace ***traces, size_t *nr_traces, struct sahm_err *err)
{
	struct import *im;
	bool ours = false;
	enum sahm_status status = check_options(options, nr_files, err);
	if (status != SAHM_OK)
		return status;
	if (options->join)
		return import_join(files, nr_files, options, notes, traces, nr_traces, err);
	status = import_new(options, notes, &im, err);
	for (size_t i = 0; i < nr_files && status == SAHM_OK; i++) {
		status = import_read_file(im, files[i], &ours, traces, nr_traces);
		bool is_window = options->rotate && !ours;
		if (status != SAHM_OK || nr_files == 1 || im->format->takes_several || is_window)
			continue;
		if (ours) {
			trace_free((*traces)[0]);
			free(*traces);
			*traces = NULL;
			*nr_traces = 0;
		}
		status = sahm_fail(err, SAHM_USAGE,
				   "%zu files, but only callgrind's parts belong together as they are: --join joins "
				   "runs with different events, --rotate windows of one run, sahm trace concat puts "
				   "traces in a row",
				   nr_files);
	}
	/* The trace is named after the first of several windows. */
	if (options->rotate && nr_files > 1)
		im->file = file_label(files[0]);
	if (status == SAHM_OK && !ours)
		status = import_complete(im, traces, nr_traces);
	import_free(im);
	return status;
}

enum sahm_status trace_import_stream(FILE *in, const char *file, const struct import_options *options,
				     struct textbuf *notes, struct trace ***traces, size_t *nr_traces,
				     struct sahm_err *err)
{
	struct import *im;
	bool ours = false;
	enum sahm_status status = check_options(options, 1, err);
	if (status == SAHM_OK)
		status = import_new(options, notes, &im, err);
	if (status != SAHM_OK)
		return status;
	status = import_read_stream(im, in, file, &ours, traces, nr_traces);
	if (status == SAHM_OK && !ours)
		status = import_complete(im, traces, nr_traces);
	import_free(im);
	return status;
}
