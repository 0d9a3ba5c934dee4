/* What the commands that reshape traces share: their command lines, and how a result is written. */
#ifndef SAHM_SIM_CLI_RESHAPE_REQUEST_H
#define SAHM_SIM_CLI_RESHAPE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/options.h"
#include "workloads/trace/trace.h"

/* The first options of the reshaping commands. */
enum { RESHAPE_OUTPUT, RESHAPE_NAME, RESHAPE_FORCE, NR_RESHAPE_COMMON };

/* Most options that one of them has. */
#define MAX_RESHAPE_OPTIONS 8

/* A command line, and what came of it. */
struct reshape_request {
	const char *command; /* "slice" */
	const struct option_row *options;
	bool takes_many; /* two traces or more; else one */
	/* From here on filled by request_run(). */
	const char *given[MAX_RESHAPE_OPTIONS]; /* value of each option; NULL where it is not there */
	bool force;
	struct option_list inputs;
	struct trace **traces; /* [inputs.nr]; NULL until request_open() */
	struct trace *result;  /* the command's to make */
	struct arena arena;
};

/* For rows: an option whose value is reported as given, and the last row. */
#define RESHAPE_OPTION(option) OPTION_STRING, OPTION_AT(const char *, struct reshape_request, given[option])
#define RESHAPE_FORCE_ROW                                                                                              \
	{                                                                                                              \
		"force", 0, NULL, "replace an output file that exists already", OPTION_FORCE,                          \
			OPTION_AT(bool, struct reshape_request, force)                                                 \
	}
#define RESHAPE_INPUTS                                                                                                 \
	{                                                                                                              \
		.kind = OPTION_TAKE, .take = take_reshape_input                                                        \
	}
option_take take_reshape_input;

/* Parses `args` into `r` (only its first members set), does what `reshape` does, and releases everything. */
enum sahm_status request_run(struct reshape_request *r, char **args,
			     enum sahm_status (*reshape)(struct reshape_request *r, struct sahm_err *err),
			     struct sahm_err *err);

/* Opens all inputs. Fails as trace_open() does. */
enum sahm_status request_open(struct reshape_request *r, struct sahm_err *err);

/* Reads option `option` as ms from `min_ms` to `max_ms` into *ns, which is left alone when the option is not there.
 * SAHM_USAGE. */
enum sahm_status request_ms(const struct reshape_request *r, int option, double min_ms, double max_ms, uint64_t *ns,
			    struct sahm_err *err);

/* Reads option `option` as a whole number, `min` or more, as request_ms() does. */
enum sahm_status request_whole(const struct reshape_request *r, int option, uint64_t min, uint64_t *value,
			       struct sahm_err *err);

/* Writes the result to where the command line says and tells so on standard error, with `remark` at the end. SAHM_USAGE
 * when that is one of the inputs; SAHM_IO, SAHM_NOMEM. */
enum sahm_status request_deliver(const struct reshape_request *r, const char *remark, struct sahm_err *err);

#endif
