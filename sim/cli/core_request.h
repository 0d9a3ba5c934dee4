/* What `sahm core` commands share: models of cores by name, and streams by file or by a command that is recorded. */
#ifndef SAHM_SIM_CLI_CORE_REQUEST_H
#define SAHM_SIM_CLI_CORE_REQUEST_H

#include "cores/uarch/core_model.h"
#include "sim/base/arena.h"
#include "sim/base/options.h"
#include "workloads/stream/core_run.h"

/* Reads the core `name`, of configs/cores or a file, with `settings` over it. SAHM_USAGE, SAHM_CONFIG, SAHM_IO. */
enum sahm_status core_request_model(const char *name, const struct option_list *settings, struct core_model *out,
				    struct sahm_err *err);

/* Operands: streams, or after `--` a command. All zeros: none. */
struct core_operands {
	struct option_list streams;
	char **command;		    /* or NULL */
	const char *suite, *folder; /* instead of them: streams of a suite's programs, and where they are; or NULL */
	struct arena arena;	    /* of the suite's names */
};

option_take take_core_operand;

/* The streams of the suite, where there is one: FOLDER/NAME.stream of each trace NAME.*, FOLDER being $SAHM_STREAMS
 * where it is not given. SAHM_USAGE, SAHM_IO, and as trace_suite_read() fails. */
enum sahm_status core_operands_resolve(struct core_operands *o, struct sahm_err *err);
void core_operands_release(struct core_operands *o);

#define SUITE_STREAM_OPTIONS(member)                                                                                   \
	"suite", 0, "SUITE", "take the streams of a suite of programs, such as open", OPTION_STRING,                   \
		AT(const char *, member.suite)                                                                         \
	}                                                                                                              \
	,                                                                                                              \
	{                                                                                                              \
		"streams", 0, "DIR", "with --suite: the folder of its streams ($SAHM_STREAMS)", OPTION_STRING,         \
			AT(const char *, member.folder), .folder = true

/* Records `command` with the main thread's instructions into the stream `path`; if there are many, a sample of them.
 * Its standard output goes to standard error, so that the caller's own stays a table. SAHM_IO and others; SAHM_USAGE
 * where there is no command. */
enum sahm_status core_request_record(char **command, const char *path, struct sahm_err *err);

/* Checks --skip, --every, --take and --warm, which `has_warm` says is given, and fills in what is not. SAHM_USAGE. */
enum sahm_status core_request_sampling(struct stream_sampling *s, bool has_warm, struct sahm_err *err);

#define MAX_SAMPLING (UINT64_MAX / 4)

/* Four rows, which read a struct stream_sampling. */
#define SAMPLING_OPTIONS(member, note, of_skip, of_every, of_take)                                                     \
	"skip", 0, "N", of_skip, OPTION_WHOLE, AT(uint64_t, member.skip), .most = MAX_SAMPLING                         \
	}                                                                                                              \
	, {"every", 0, "N", of_every, OPTION_WHOLE, AT(uint64_t, member.every), .least = 2, .most = MAX_SAMPLING},     \
		{"take", 0, "N", of_take, OPTION_WHOLE, AT(uint64_t, member.take), .least = 1, .most = MAX_SAMPLING},  \
	{                                                                                                              \
		"warm", 0, "N",                                                                                        \
			"with --every: the number before them that only warm caches, TLBs and predictors (the rest)",  \
			OPTION_WHOLE, AT(uint64_t, member.warm), .most = MAX_SAMPLING, NOTE(note)

#define CORE_OPTION(member)                                                                                            \
	"core", 'c', "NAME|FILE",                                                                                      \
		"a core of configs/cores (sahm core list), or a file with the same keys; can be "                      \
		"repeated (" DEFAULT_CORE ")",                                                                         \
		OPTION_LIST, AT(struct option_list, member)

#define DEFAULT_CORE "golden-cove"

#endif
