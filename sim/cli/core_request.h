/* What `sahm core` commands share: models of cores by name, and streams by file or by a command that is recorded. */
#ifndef SAHM_SIM_CLI_CORE_REQUEST_H
#define SAHM_SIM_CLI_CORE_REQUEST_H

#include "cores/uarch/core_model.h"
#include "sim/base/options.h"
#include "workloads/stream/core_run.h"

/* Reads the core `name`, of configs/cores or a file, with `settings` over it. SAHM_USAGE, SAHM_CONFIG, SAHM_IO. */
enum sahm_status core_request_model(const char *name, const struct option_list *settings, struct core_model *out,
				    struct sahm_err *err);

/* Operands: streams, or after `--` a command. All zeros: none. */
struct core_operands {
	struct option_list streams;
	char **command; /* or NULL */
};

option_take take_core_operand;

/* Records `command` with the main thread's instructions into the stream `path`. Its standard output goes to standard
 * error, so that the caller's own stays a table. SAHM_IO and others; SAHM_USAGE where there is no command. */
enum sahm_status core_request_record(char **command, const char *path, struct sahm_err *err);

/* Checks --skip, --every, --take and --warm, which `has_warm` says is given, and fills in what is not. SAHM_USAGE. */
enum sahm_status core_request_sampling(struct core_sampling *s, bool has_warm, struct sahm_err *err);

#define CORE_OPTION(member)                                                                                            \
	"core", 'c', "NAME|FILE",                                                                                      \
		"a core of configs/cores (sahm core list), or a file with the same keys; can be "                      \
		"repeated (" DEFAULT_CORE ")",                                                                         \
		OPTION_LIST, AT(struct option_list, member)

#define DEFAULT_CORE "golden-cove"

#endif
