/* sahm queue status */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/queue_look.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/sweep_progress.h"

#define MAX_WATCH_S 86400u
/* How often it is seen that a signal has come. */
#define SLICE_MS 100

struct request {
	struct redis_request redis;
	uint64_t watch_s; /* 0: one look */
	bool dead;
	enum output_form form;
};

static const struct option_row options[] = {
	{REDIS_OPTION},
	{QUEUE_OPTION},
	{"watch", 'w', "SECONDS", "repeat every this many seconds, until interrupted", OPTION_WHOLE,
	 AT(uint64_t, watch_s), .least = 1, .most = MAX_WATCH_S},
	{"dead", 'd', NULL, "list the runs that were given up, and why", OPTION_FLAG, AT(bool, dead)},
	{JSON_OPTION("print one JSON object; with --watch one of each look, on a line")},
	{TAKE_OPERANDS(refuse_queue_operand)},
};

static enum sahm_status print_look(const struct request *r, const struct queue *q, const char *where,
				   const struct queue_look *now, const struct queue_look *before, bool in_place,
				   bool first, struct sahm_err *err)
{
	struct textbuf text;
	enum sahm_status status = SAHM_OK;
	textbuf_init(&text);
	if (!first && !in_place && r->form != OUTPUT_JSON)
		textbuf_putc(&text, '\n');
	if (r->form == OUTPUT_JSON)
		queue_look_write_json(q, where, now, before, r->dead, r->watch_s > 0, &text);
	else
		queue_look_write(q, where, now, before, bold_output(NULL), &text);
	if (textbuf_failed(&text))
		status = sahm_fail_nomem(err);
	else if (in_place)
		print_screen(&text, first);
	else
		status = print_output(r->form, &text, err);
	textbuf_release(&text);
	return status;
}

static void wait_s(uint64_t seconds)
{
	const uint64_t until_ns = clock_ns(CLOCK_MONOTONIC) + seconds * NS_PER_S;
	while (sweep_progress_signal() == 0 && clock_ns(CLOCK_MONOTONIC) < until_ns)
		poll(NULL, 0, SLICE_MS);
}

/* Looks again and again. A connection that is lost is waited for. */
static enum sahm_status watch(const struct request *r, struct queue *q, const char *where, struct sahm_err *err)
{
	struct sweep_progress_line line;
	struct queue_looks looks;
	struct queue_look now;
	const char *term = getenv("TERM");
	const bool in_place = r->form != OUTPUT_JSON && isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
	bool first = true, lost = false;
	enum sahm_status status = SAHM_OK;
	sweep_progress_begin(&line, true);
	queue_looks_init(&looks, q);
	while (status == SAHM_OK && sweep_progress_signal() == 0) {
		status = queue_look_take(q, r->dead, &now, err);
		if (status == SAHM_OK) {
			status = print_look(r, q, where, &now, queue_looks_before(&looks, &now), in_place, first, err);
			queue_looks_keep(&looks, &now);
			first = lost = false;
		} else if (status == SAHM_IO && !first) {
			if (!lost)
				print_warning("%s; trying again", err->msg);
			lost = true;
			status = SAHM_OK;
		}
		if (status == SAHM_OK)
			wait_s(r->watch_s);
	}
	queue_looks_release(&looks);
	return status;
}

static enum sahm_status look_once(const struct request *r, struct queue *q, const char *where, struct sahm_err *err)
{
	struct queue_look now;
	enum sahm_status status = queue_look_take(q, r->dead, &now, err);
	if (status != SAHM_OK)
		return status;
	status = print_look(r, q, where, &now, NULL, false, true, err);
	queue_look_release(&now);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.redis.look = true};
	struct queue q;
	struct textbuf where;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = redis_request_open(&r.redis, &q, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&where);
	status = redis_request_where(&r.redis, &where, err);
	if (status == SAHM_OK)
		status = r.watch_s ? watch(&r, &q, where.text, err) : look_once(&r, &q, where.text, err);
	textbuf_release(&where);
	queue_disconnect(&q);
	return status;
}

extern const struct command command_queue_status;
const struct command command_queue_status = {
	.name = "queue status",
	.operands = "",
	.summary = "show the runs, workers and speed of a queue",
	.details = "Shows, for each version of sahm, the runs that wait, that workers have claimed, and that "
		   "were given up. A worker takes only runs of its own version. Results stay until all "
		   "submissions that wait for them have collected them. A worker counts as lost after two claim "
		   "times without a sign of life; its runs can be taken over after one.\n"
		   "Rates are measured since an earlier look some seconds ago (--watch), else for each worker "
		   "over the time in which it had runs. The time left follows from all runs that wait or are "
		   "claimed.",
	.options = options,
	.run = run,
};
