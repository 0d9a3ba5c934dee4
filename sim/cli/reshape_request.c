#include "sim/cli/reshape_request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

enum sahm_status take_reshape_input(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct reshape_request *r = request;
	if (r->inputs.nr == 1 && !r->takes_many)
		return sahm_fail(err, SAHM_USAGE, "one trace at a time: '%s' is too many", w->value);
	return option_list_add(&r->inputs, w->value, err);
}

/* One trace, or at least two; a name that cannot be one is found before any work is done. */
static enum sahm_status check(struct reshape_request *r, struct sahm_err *err)
{
	struct provenance named = {0};
	if (r->inputs.nr < (r->takes_many ? 2 : 1))
		return sahm_fail(err, SAHM_USAGE, "%s is missing: sahm trace %s TRACE%s",
				 r->inputs.nr ? "a second trace" : "a trace", r->command,
				 r->takes_many ? " TRACE..." : "");
	r->traces = arena_alloc(&r->arena, r->inputs.nr, sizeof(*r->traces));
	if (!r->traces)
		return sahm_fail_nomem(err);
	return r->given[RESHAPE_NAME]
		       ? set_provenance("name", "name", strlen("name"), r->given[RESHAPE_NAME], &named, &r->arena, err)
		       : SAHM_OK;
}

enum sahm_status request_open(struct reshape_request *r, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->inputs.nr && status == SAHM_OK; i++)
		status = open_trace(r->inputs.items[i], &r->traces[i], err);
	return status;
}

static void release(struct reshape_request *r)
{
	trace_free(r->result);
	for (size_t i = 0; r->traces && i < r->inputs.nr; i++)
		trace_free(r->traces[i]);
	free(r->inputs.items);
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

static void default_stem(const struct reshape_request *r, struct textbuf *path)
{
	name_as_file(trace_name(r->result), path);
	if (!r->given[RESHAPE_NAME])
		textbuf_printf(path, "-%s", r->command);
}

enum sahm_status request_deliver(const struct reshape_request *r, const char *remark, struct sahm_err *err)
{
	struct textbuf path, stem;
	textbuf_init(&path);
	textbuf_init(&stem);
	default_stem(r, &stem);
	textbuf_printf(&path, "%s.trc", stem.text);
	const char *given = r->given[RESHAPE_OUTPUT];
	enum sahm_status status = textbuf_failed(&stem) || textbuf_failed(&path) ? sahm_fail_nomem(err) : SAHM_OK;
	for (size_t i = 0; i < r->inputs.nr && status == SAHM_OK && (given || r->force); i++)
		status = refuse_overwriting(given ? given : path.text, r->inputs.items[i], err);
	if (status == SAHM_OK && given)
		status = write_trace(given, r->force, r->result, remark, err);
	else if (status == SAHM_OK)
		status = write_named_trace(stem.text, r->force, r->result, remark, err);
	textbuf_release(&stem);
	textbuf_release(&path);
	return status;
}

enum sahm_status request_run(struct reshape_request *r, char **args,
			     enum sahm_status (*reshape)(struct reshape_request *, struct sahm_err *),
			     struct sahm_err *err)
{
	enum sahm_status status = options_parse(r->options, args, r, err);
	if (status == SAHM_OK)
		status = check(r, err);
	if (status == SAHM_OK)
		status = reshape(r, err);
	release(r);
	return status;
}
