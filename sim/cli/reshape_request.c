#include "sim/cli/reshape_request.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/cli/output.h"

/* Reads options and operands: one trace, or at least two. */
static enum sahm_status parse(struct reshape_request *r, char **args, struct sahm_err *err)
{
	struct option_walk w;
	unsigned nr_args = 0;
	int option;
	while (args[nr_args])
		nr_args++;
	r->inputs = arena_alloc(&r->arena, nr_args, sizeof(*r->inputs));
	r->traces = arena_alloc(&r->arena, nr_args, sizeof(*r->traces));
	if (!r->inputs || !r->traces)
		return sahm_fail_nomem(err);
	option_walk_init(&w, r->options, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		if (option != OPTION_OPERAND)
			r->given[option] = w.value;
		else if (r->nr_inputs == 1 && !r->takes_many)
			return sahm_fail(err, SAHM_USAGE, "one trace at a time: '%s' is too many", w.value);
		else
			r->inputs[r->nr_inputs++] = w.value;
	}
	if (r->nr_inputs < (r->takes_many ? 2 : 1))
		return sahm_fail(err, SAHM_USAGE, "%s is missing: sahm trace %s TRACE%s",
				 r->nr_inputs ? "a second trace" : "a trace", r->command,
				 r->takes_many ? " TRACE..." : "");
	/* A name that cannot be one is found before any work is done. */
	struct provenance named = {0};
	struct sahm_err cause;
	if (r->given[RESHAPE_NAME] &&
	    provenance_set(&named, &r->arena, "name", strlen("name"), r->given[RESHAPE_NAME], &cause) != SAHM_OK)
		return sahm_fail(err, cause.status == SAHM_NOMEM ? SAHM_NOMEM : SAHM_USAGE, "--name: %s", cause.msg);
	return SAHM_OK;
}

enum sahm_status request_open(struct reshape_request *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < r->nr_inputs && status == SAHM_OK; i++)
		status = open_trace(r->inputs[i], &r->traces[i], err);
	return status;
}

static void release(struct reshape_request *r)
{
	trace_free(r->result);
	for (unsigned i = 0; r->traces && i < r->nr_inputs; i++)
		trace_free(r->traces[i]);
	arena_release(&r->arena);
}

enum sahm_status request_ms(const struct reshape_request *r, int option, double min_ms, double max_ms, uint64_t *ns,
			    struct sahm_err *err)
{
	double ms;
	const char *text = r->given[option];
	if (!text)
		return SAHM_OK;
	if (number_read_double(text, &ms) != NUMBER_OK || ms < min_ms || ms > max_ms)
		return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be a number from %.10g to %.10g",
				 r->options[option].name, text, min_ms, max_ms);
	*ns = ns_of_ms(ms);
	return SAHM_OK;
}

enum sahm_status request_whole(const struct reshape_request *r, int option, uint64_t min, uint64_t *value,
			       struct sahm_err *err)
{
	uint64_t v;
	const char *text = r->given[option];
	if (!text)
		return SAHM_OK;
	if (number_read_u64(text, strlen(text), &v) != NUMBER_OK || v < min)
		return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be a whole number from %" PRIu64 " to %" PRIu64,
				 r->options[option].name, text, min, UINT64_MAX);
	*value = v;
	return SAHM_OK;
}

static void default_output(const struct reshape_request *r, struct textbuf *path)
{
	name_as_file(r->result, path);
	if (!r->given[RESHAPE_NAME])
		textbuf_printf(path, "-%s", r->command);
	textbuf_puts(path, ".trc");
}

/* No input is replaced: whoever wants that can say so with mv. */
static enum sahm_status check_output(const struct reshape_request *r, const char *path, struct sahm_err *err)
{
	struct stat in, out;
	if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
		return SAHM_OK;
	for (unsigned i = 0; i < r->nr_inputs; i++)
		if (strcmp(r->inputs[i], "-") != 0 && stat(r->inputs[i], &in) == 0 && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return sahm_fail(err, SAHM_USAGE,
					 "'%s' is read and cannot be written too; name another file with --output",
					 path);
	return SAHM_OK;
}

enum sahm_status request_deliver(const struct reshape_request *r, const char *remark, struct sahm_err *err)
{
	struct textbuf path;
	textbuf_init(&path);
	if (r->given[RESHAPE_OUTPUT])
		textbuf_puts(&path, r->given[RESHAPE_OUTPUT]);
	else
		default_output(r, &path);
	enum sahm_status status = textbuf_failed(&path) ? sahm_fail_nomem(err) : check_output(r, path.text, err);
	if (status == SAHM_OK)
		status = write_trace(path.text, r->result, remark, err);
	textbuf_release(&path);
	return status;
}

enum sahm_status request_run(struct reshape_request *r, char **args,
			     enum sahm_status (*reshape)(struct reshape_request *, struct sahm_err *),
			     struct sahm_err *err)
{
	enum sahm_status status = parse(r, args, err);
	if (status == SAHM_OK)
		status = reshape(r, err);
	release(r);
	return status;
}
