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

/* Opens a stream and prints its notes. */
enum sahm_status core_request_open(const char *path, struct stream **s, struct sahm_err *err);

/* Checks --skip, --every, --take and --warm, which `has_warm` says is given, and fills in what is not. SAHM_USAGE. */
enum sahm_status core_request_sampling(struct core_sampling *s, bool has_warm, struct sahm_err *err);

#define CORE_OPTION(member)                                                                                            \
	"core", 'c', "NAME|FILE",                                                                                      \
		"a core of configs/cores (sahm core list), or a file with the same keys; can be "                      \
		"repeated (" DEFAULT_CORE ")",                                                                         \
		OPTION_LIST, AT(struct option_list, member)

#define SAMPLING_OPTIONS                                                                                               \
	{"skip",                                                                                                       \
	 0,                                                                                                            \
	 "N",                                                                                                          \
	 "read the first N instructions without running them (0)",                                                     \
	 OPTION_WHOLE,                                                                                                 \
	 AT(uint64_t, sampling.skip),                                                                                  \
	 .most = UINT64_MAX / 2},                                                                                      \
		{"every",      0,                                                                                      \
		 "M",	       "run only a part of each M instructions: the last ones (all)",                          \
		 OPTION_WHOLE, AT(uint64_t, sampling.every),                                                           \
		 .least = 2,   .most = UINT64_MAX / 2},                                                                \
		{"take",       0,                                                                                      \
		 "T",	       "with --every: how many of them are timed (a tenth)",                                   \
		 OPTION_WHOLE, AT(uint64_t, sampling.take),                                                            \
		 .least = 1,   .most = UINT64_MAX / 2},                                                                \
	{                                                                                                              \
		"warm", 0, "W",                                                                                        \
			"with --every: how many before these only warm caches, TLBs and predictors (the rest)",        \
			OPTION_WHOLE, AT(uint64_t, sampling.warm), .most = UINT64_MAX / 2, NOTE(of_warm)               \
	}

#define DEFAULT_CORE "golden-cove"

#endif
