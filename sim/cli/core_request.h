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

/* Whether the stream at `path` has fused multiply-adds among its multiplications. As stream_open() fails. */
enum sahm_status core_request_stream_classes(const char *path, bool *has_no_multiply_add, struct sahm_err *err);

/* Operands: streams, or after `--` a command. All zeros: none. */
struct core_operands {
	struct option_list streams;
	char **command;		    /* or NULL */
	const char *keep;	    /* the file that keeps the command's stream; NULL: none does */
	const char *suite, *folder; /* instead of them: streams of a suite's programs, and where they are; or NULL */
	const char *name;   /* of the command in results, once its stream is made; NULL: streams have their own */
	int unnamed;	    /* descriptor of a stream that nobody keeps, or 0 */
	struct arena arena; /* of names */
};

option_take take_core_operand;

/* The streams of the suite, where there is one: FOLDER/NAME.stream of each trace NAME.*, FOLDER being $SAHM_STREAMS
 * where it is not given. SAHM_USAGE, SAHM_IO, and as trace_suite_read() fails. */
enum sahm_status core_operands_resolve(struct core_operands *o, struct sahm_err *err);
void core_operands_release(struct core_operands *o);

/* Refuses outputs that would replace a stream, a file among `cores`, or each other; those that are NULL or "-" are
 * none. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status core_operands_check_outputs(const struct core_operands *o, const struct option_list *cores,
					     const char *const *outputs, size_t nr, struct sahm_err *err);

/* Refuses a folder that cannot be written, or unless `force`, in which one of these figures is already. `folder` can be
 * NULL, figures[] ends with NULL. SAHM_IO, SAHM_USAGE. */
enum sahm_status core_request_check_figures(const char *folder, const char *const *figures, bool force,
					    struct sahm_err *err);

/* If there is a command, records it, the main thread's instructions, into a stream, which becomes the only one; of a
 * long command, a sample. Its standard output goes to standard error, so that the caller's own stays a table. A signal
 * ends the command, as in trace record. SAHM_IO and others; SAHM_USAGE if `keep` exists, unless `force`. */
enum sahm_status core_operands_record(struct core_operands *o, bool force, struct sahm_err *err);

/* Whether there are streams or a command, not both, and a command for `keep`; `command` is what the user calls.
 * SAHM_USAGE. */
enum sahm_status core_operands_check(const struct core_operands *o, const char *command, struct sahm_err *err);

/* Looks at each stream, before any is run: it can be read, and has instructions to take. nr_sampled[o->streams.nr]
 * become the numbers of epochs of those that are samples, and 0 for others; *total the number of instructions. */
enum sahm_status core_operands_look(const struct core_operands *o, const struct stream_sampling *sampling,
				    uint64_t *nr_sampled, uint64_t *total, struct sahm_err *err);

/* Name of the i-th stream in results. */
const char *core_operands_label(const struct core_operands *o, size_t i);

#define SUITE_STREAM_OPTIONS(member)                                                                                   \
	"suite", 0, "SUITE", "take the streams of a suite of programs, such as open", OPTION_STRING,                   \
		AT(const char *, member.suite)                                                                         \
	}                                                                                                              \
	,                                                                                                              \
	{                                                                                                              \
		"streams", 0, "DIR", "with --suite: the folder of its streams ($SAHM_STREAMS)", OPTION_STRING,         \
			AT(const char *, member.folder), .folder = true

/* Checks --skip, --every, --take and --warm, which `has_warm` says is given, and fills in what is not. SAHM_USAGE. */
enum sahm_status core_request_sampling(struct stream_sampling *s, bool has_warm, struct sahm_err *err);

/* Whether `s`, read from `path`, has instructions to take. SAHM_FORMAT, SAHM_USAGE. */
enum sahm_status core_request_check_sampling(const struct stream_sampling *p, const struct stream *s, const char *path,
					     struct sahm_err *err);

#define MAX_SAMPLING (UINT64_MAX / 4)

/* Separates what was given with commas between; texts are the arena's. `what` a value is ("an event"), and of which
 * option. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status core_request_split(const struct option_list *given, const char *option, const char *what,
				    struct arena *a, struct option_list *out, struct sahm_err *err);

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

/* The same of commands that time a stream. */
#define TIMED_SAMPLING_OPTIONS(member, note)                                                                           \
	SAMPLING_OPTIONS(member, note, "read the first N instructions without running them (0)",                       \
			 "run only a part of each N instructions: the last ones (all)",                                \
			 "with --every: the number of instructions that are timed (a tenth)")

#define MEASURE_CLOCK_OPTION(member)                                                                                   \
	"measure-clock", 0, NULL,                                                                                      \
		"prefetchers that need time see a clock that a first run has measured, epoch by epoch, instead of "    \
		"clock_cpi",                                                                                           \
		OPTION_FLAG, AT(bool, member)

#define NO_CLOCK "--measure-clock has no effect: no core has a prefetcher that needs time"

#define KEEP_OPTION(member)                                                                                            \
	"keep", 0, "FILE", "with a command: keep its stream as FILE", OPTION_STRING, AT(const char *, member.keep),    \
		.written = true

#define CORE_OPTION(member, more)                                                                                      \
	"core", 'c', "NAME|FILE",                                                                                      \
		"a core of configs/cores (sahm core list), or a file with the same keys" more " (" DEFAULT_CORE ")",   \
		OPTION_LIST, AT(struct option_list, member)

#define DEFAULT_CORE "golden-cove"

#define WRONG_PATH_OPTION(member)                                                                                      \
	"wrong-path", 0, "PCT",                                                                                        \
		"per cent of the uops that are dispatched on a wrong path that issue there; 0: none does (60)",        \
		OPTION_WHOLE, AT(uint32_t, member), .most = 100, .preset = 60

#endif
