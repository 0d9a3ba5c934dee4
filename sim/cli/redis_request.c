#include "sim/cli/redis_request.h"

#include <stdlib.h>

#include "sim/cli/output.h"

enum sahm_status refuse_queue_operand(void *to, struct option_walk *w, struct sahm_err *err)
{
	(void)to;
	return sahm_fail(err, SAHM_USAGE, "nothing was expected where '%s' stands: a queue is named by --queue",
			 w->value);
}

enum sahm_status redis_request_options(const struct redis_request *r, struct queue_options *options,
				       struct sahm_err *err)
{
	const char *url = r->url ? r->url : getenv(REDIS_VARIABLE);
	*options = (struct queue_options){
		.url = url, .name = r->queue, .claim_s = r->claim_s, .look = r->look, .any_meta = r->any_meta};
	if (!url || !*url)
		return sahm_fail(err, SAHM_USAGE,
				 "no Redis server is named: by --redis URL, or by " REDIS_VARIABLE
				 " in the environment (redis://HOST[:PORT][/DATABASE])");
	return SAHM_OK;
}

/* Who has it from the environment may not know that there is one. */
static enum sahm_status check_url(const struct redis_request *r, const char *text, struct sahm_err *err)
{
	struct redis_url url;
	struct sahm_err cause;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = redis_url_read(&url, text, &a, &cause);
	arena_release(&a);
	if (status == SAHM_USAGE && !r->url)
		return sahm_fail(err, status, "%s (the server is that of " REDIS_VARIABLE ")", cause.msg);
	return status == SAHM_OK ? SAHM_OK : sahm_fail(err, status, "%s", cause.msg);
}

enum sahm_status redis_request_open(const struct redis_request *r, struct queue *q, struct sahm_err *err)
{
	struct queue_options options;
	enum sahm_status status = redis_request_options(r, &options, err);
	if (status == SAHM_OK)
		status = check_url(r, options.url, err);
	return status == SAHM_OK ? queue_connect(q, &options, err) : status;
}

enum sahm_status redis_request_where(const struct redis_request *r, struct textbuf *out, struct sahm_err *err)
{
	struct queue_options options;
	struct redis_url url;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = redis_request_options(r, &options, err);
	if (status == SAHM_OK)
		status = redis_url_read(&url, options.url, &a, err);
	if (status == SAHM_OK)
		redis_url_write(&url, out);
	arena_release(&a);
	return status == SAHM_OK && textbuf_failed(out) ? sahm_fail_nomem(err) : status;
}
