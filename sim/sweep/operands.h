/* What operands of a command stand for: configurations, suites and traces, of the user or shipped.
 *
 * An operand is, the first that fits: the name of a shipped suite ("open"); a file or folder by its path, whose
 * contents say what it is; the name of a shipped configuration with or without its ending ("open-39"); the name of a
 * shipped trace with or without its ending ("gzip"). A path has precedence over a name if it has a '/' in it
 * ("./open").
 */
#ifndef SAHM_SIM_SWEEP_OPERANDS_H
#define SAHM_SIM_SWEEP_OPERANDS_H

#include "sim/base/cfg.h"
#include "sim/base/options.h"

/* The shipped configuration on whose chip, and under whose scheduler, traces run. */
#define DEFAULT_CONFIG "configs/canonical.cfg"

/* Replaces the traces of the configuration `root` by a copy of `traces`, a list of strings. SAHM_NOMEM. */
enum sahm_status config_replace_traces(struct arena *a, struct cfg_node *root, const struct cfg_node *traces,
				       struct sahm_err *err);

struct operand_system {
	struct cfg_node *root; /* a configuration */
	const char *title;     /* the name of its file, or "gzip, open on canonical.cfg" */
};

/* Reads what the operands stand for: each configuration is a system as it is, and all traces and suites together are
 * the workload of one more, DEFAULT_CONFIG, all threads at the same time: (*systems)[*nr]. All lives in `a`.
 * SAHM_USAGE: nothing is called so, with a suggestion; or as cfg_read_file() and trace_suite_read() fail. */
enum sahm_status operands_read_systems(struct arena *a, const struct option_list *operands, const char *data_folder,
				       struct operand_system **systems, size_t *nr, struct sahm_err *err);

/* The same where only one system is wanted. SAHM_USAGE: there are more. */
enum sahm_status operands_read_config(struct arena *a, const struct option_list *operands, const char *data_folder,
				      struct operand_system *system, struct sahm_err *err);

/* Reads traces and suites, without configurations, into `paths`, in the order of the operands. Fails as
 * operands_read_systems() does. */
enum sahm_status operands_read_traces(struct arena *a, const struct option_list *operands, const char *data_folder,
				      struct option_list *paths, struct sahm_err *err);

/* Reads one operand: a configuration becomes *system, whose root is NULL for a trace or suite, whose traces are added
 * to `paths`. Fails as operands_read_systems() does. */
enum sahm_status operand_read(struct arena *a, const char *operand, const char *data_folder, struct option_list *paths,
			      struct operand_system *system, struct sahm_err *err);

#endif
