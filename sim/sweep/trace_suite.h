/* Trace suites: sets of traces with a name, on which the same studies are run.
 *
 * A suite is a file with one key, `traces`, a list of file names as in a configuration's workload; so that a
 * configuration can include it there. Those that came with the program are DATA/configs/suites/NAME.cfg. A folder of
 * traces is a suite, too: all its files with a trace's ending, in the order of their names.
 */
#ifndef SAHM_SIM_SWEEP_TRACE_SUITE_H
#define SAHM_SIM_SWEEP_TRACE_SUITE_H

#include "sim/base/arena.h"
#include "sim/base/cfg.h"

struct trace_suite {
	const char *name;	       /* "synthetic"; of a file or folder, its own without ending */
	const char *asked;	       /* the name by which it was requested */
	const struct cfg_node *traces; /* a list of strings, at least one, paths absolute where they are there */
	bool is_shipped;	       /* it was asked for by the name of one that came with the program */
};

/* Finds and reads the suite `asked`: the name of a shipped one, the path of a file or of a folder. All lives in `a`.
 * SAHM_CONFIG, SAHM_IO; SAHM_USAGE where there is none of the name, with a suggestion; SAHM_NOMEM. */
enum sahm_status trace_suite_read(struct arena *a, const char *asked, const char *data_folder,
				  struct trace_suite *suite, struct sahm_err *err);

/* Whether a shipped suite is called `asked`. SAHM_IO, SAHM_NOMEM. */
enum sahm_status trace_suite_is_shipped(struct arena *a, const char *asked, const char *data_folder, bool *is_shipped,
					struct sahm_err *err);

/* Whether files with traces are called so: "x.csv", "x.trc", either compressed. */
bool trace_suite_is_trace_name(const char *name);

/* Names of the suites that came with the program, sorted: (*names)[*nr]. All lives in `a`. SAHM_IO where there is no
 * folder of them, SAHM_NOMEM. */
enum sahm_status trace_suite_names(struct arena *a, const char *data_folder, const char ***names, size_t *nr,
				   struct sahm_err *err);

#endif
