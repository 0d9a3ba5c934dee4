/* Streams on configurations of cores: what `sahm core time` and `sahm core path` share. */
#ifndef SAHM_SIM_CLI_CORE_RUNS_H
#define SAHM_SIM_CLI_CORE_RUNS_H

#include "sim/base/hash.h"
#include "sim/cli/core_axes.h"
#include "sim/cli/core_jobs.h"
#include "sim/cli/core_request.h"

/* The configurations: cores in the order that they were given, each with all combinations of the axes' values. All
 * zeros: none. */
struct core_runs {
	struct core_axes axes;
	size_t nr_cores;
	const char **names;		  /* [nr_cores] */
	struct core_model *models;	  /* [nr_cores] */
	const struct core_model **listed; /* [nr_cores]: the same, for struct core_jobs */
	char (*hashes)[HASH_HEX_BYTES];	  /* [nr_cores] */
	struct core_setting *settings;	  /* [nr_cores][axes.nr] */

	size_t nr;		     /* streams times nr_cores */
	struct core_result *results; /* [streams][nr_cores] */
};

/* Reads `cores`, or the usual one where there are none, each with `settings` and all combinations of `axes`. Release it
 * in any case. SAHM_USAGE, SAHM_CONFIG, SAHM_IO, SAHM_NOMEM. */
enum sahm_status core_runs_read(struct core_runs *r, const struct option_list *cores,
				const struct option_list *settings, const struct option_list *axes,
				struct sahm_err *err);

/* Refuses cores with too many issue ports to be watched (core_signals.h). SAHM_USAGE. */
enum sahm_status core_runs_check_ports(const struct core_runs *r, struct sahm_err *err);

/* Checks `o`, `sampling` and `of_warm`, and reads cores that can be watched; there are no axes. `command` is the
 * caller's, in messages. Release it in any case. */
enum sahm_status core_runs_read_watched(struct core_runs *r, const char *command, const struct core_operands *o,
					struct stream_sampling *sampling, const char *of_warm,
					const struct option_list *cores, const struct option_list *settings,
					struct sahm_err *err);

/* Looks at the streams of `o` and makes their results, still without counts. Fills in `jobs`, except for form, threads,
 * measures_clock (given before) and observers. As core_operands_look() fails. */
enum sahm_status core_runs_begin(struct core_runs *r, const struct core_operands *o,
				 const struct stream_sampling *sampling, struct core_jobs *jobs, struct sahm_err *err);

/* Runs the jobs: results get their counts. As core_jobs_run() fails. */
enum sahm_status core_runs_finish(struct core_runs *r, const struct core_jobs *jobs, struct sahm_err *err);

/* Also of the results' epochs. */
void core_runs_release(struct core_runs *r);

#define CORE_AXIS_OPTION(member)                                                                                       \
	"axis", 'a', "KEY=VALUES",                                                                                     \
		"compute each core with several values of a key: KEY=V1,V2,... or KEY=FIRST..LAST or "                 \
		"KEY=FIRST..LAST..STEP; of several axes, with all combinations",                                       \
		OPTION_LIST, AT(struct option_list, member)

#endif
