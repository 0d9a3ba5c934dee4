/* sahm queue purge */
#include <string.h>

#include "sim/base/clock.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/queue_look.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/sweep_progress.h"

struct request {
	struct redis_request redis;
	const char *submission;
	bool dead, all, yes;
};

static const struct option_row options[] = {
	{REDIS_OPTION},
	{QUEUE_OPTION},
	{"dead", 0, NULL, "remove the runs that were given up; they run again if someone requests them", OPTION_FLAG,
	 AT(bool, dead)},
	{"submission", 0, "ID",
	 "remove a submission, its unfinished runs and its files; the first characters of an ID are "
	 "enough",
	 OPTION_STRING, AT(const char *, submission), .what = "submission"},
	{"all", 0, NULL, "remove everything in the queue, including results that were not collected", OPTION_FLAG,
	 AT(bool, all)},
	{"yes", 'y', NULL, "remove, instead of printing what would be removed", OPTION_FLAG, AT(bool, yes)},
	{TAKE_OPERANDS(refuse_queue_operand)},
};

/* Lists the contents when no option says what to remove. */
static enum sahm_status refuse(struct queue *q, const struct queue_look *look, struct sahm_err *err)
{
	struct textbuf text;
	textbuf_init(&text);
	write_number_of(look->all.dead, "run", &text);
	textbuf_puts(&text, " given up), --submission ID (");
	for (size_t i = 0; i < look->nr_submissions && i < 8; i++)
		textbuf_printf(&text, "%s%s", i ? ", " : "", look->submissions[i].id);
	textbuf_puts(&text, look->nr_submissions == 0 ? "there is none" : look->nr_submissions > 8 ? ", ..." : "");
	enum sahm_status status =
		textbuf_failed(&text)
			? sahm_fail_nomem(err)
			: sahm_fail(err, SAHM_USAGE, "say what to remove from queue '%s': --dead (%s), or --all",
				    q->name, text.text);
	textbuf_release(&text);
	return status;
}

/* The one submission whose id begins with `begin`. */
static enum sahm_status find_submission(const struct queue *q, const struct queue_look *look, const char *begin,
					const struct queue_submission **found, struct sahm_err *err)
{
	*found = NULL;
	for (size_t i = 0; i < look->nr_submissions; i++) {
		const struct queue_submission *s = &look->submissions[i];
		if (strncmp(s->id, begin, strlen(begin)) != 0)
			continue;
		if (*found)
			return sahm_fail(err, SAHM_USAGE, "several submissions begin with '%s': '%s', '%s'", begin,
					 (*found)->id, s->id);
		*found = s;
	}
	return *found && *begin ? SAHM_OK
				: sahm_fail(err, SAHM_USAGE,
					    "queue '%s' has no submission '%s' (`sahm queue status` lists them)",
					    q->name, begin);
}

static void describe_submission(const struct queue_look *look, const struct queue_submission *s, struct textbuf *out)
{
	textbuf_printf(out, "submission %s ('%.80s' of '%.80s', ", s->id, s->name, s->host);
	write_number_of(s->nr_runs, "run", out);
	if (s->submitted_unix_ms > 0 && s->submitted_unix_ms <= look->unix_ms) {
		textbuf_puts(out, ", ");
		write_duration((double)(look->unix_ms - s->submitted_unix_ms) / 1000, out);
		textbuf_puts(out, " old");
	}
	textbuf_puts(out, "), its runs that are not done, and its files");
}

static void describe_all(const struct queue_look *look, struct textbuf *out)
{
	textbuf_puts(out, "everything: ");
	write_number_of(look->all.waiting, "run", out);
	textbuf_puts(out, " waiting, ");
	write_count(look->all.claimed, out);
	textbuf_puts(out, " claimed, ");
	write_count(look->all.dead, out);
	textbuf_puts(out, " given up; ");
	write_number_of(look->all.results, "packet", out);
	textbuf_puts(out, " of results; ");
	write_number_of(look->nr_submissions, "submission", out);
}

/* What is meant, in words. */
static void describe(const struct request *r, const struct queue_look *look, const struct queue_submission *submission,
		     struct textbuf *out)
{
	if (r->all) {
		describe_all(look, out);
	} else if (submission) {
		describe_submission(look, submission, out);
	} else {
		write_number_of(look->all.dead, "run", out);
		textbuf_puts(out, look->all.dead == 1 ? " that was given up" : " that were given up");
	}
}

/* Does it, and says what was done. */
static enum sahm_status remove_it(const struct request *r, struct queue *q, const struct queue_submission *submission,
				  struct textbuf *out, struct sahm_err *err)
{
	uint64_t nr;
	enum sahm_status status = r->all       ? queue_purge(q, &nr, err)
				  : submission ? queue_purge_submission(q, submission->id, &nr, err)
					       : queue_purge_dead(q, &nr, err);
	if (status != SAHM_OK)
		return status;
	textbuf_printf(out, "queue '%s': ", q->name);
	if (submission)
		textbuf_printf(out, "removed submission %s and ", submission->id);
	else
		textbuf_puts(out, "removed ");
	write_number_of(nr, r->all ? "key" : "run", out);
	textbuf_puts(out, r->all || submission ? "\n" : nr == 1 ? " that was given up\n" : " that were given up\n");
	return SAHM_OK;
}

static enum sahm_status purge(const struct request *r, struct queue *q, const struct queue_look *look,
			      struct textbuf *out, struct sahm_err *err)
{
	const struct queue_submission *submission = NULL;
	enum sahm_status status = SAHM_OK;
	if (!r->dead && !r->all && !r->submission)
		return refuse(q, look, err);
	if (r->submission)
		status = find_submission(q, look, r->submission, &submission, err);
	if (status != SAHM_OK)
		return status;
	if (r->all && look->all.workers > 0)
		print_warning("%llu worker%s may be at work for queue '%s'", (unsigned long long)look->all.workers,
			      look->all.workers == 1 ? "" : "s", q->name);
	if (submission && look->nr_submissions > 1)
		print_warning(
			"runs that another submission asked for as well go, too: the command that made it asks again");
	if (r->yes)
		return remove_it(r, q, submission, out, err);
	textbuf_printf(out, "queue '%s': would remove ", q->name);
	describe(r, look, submission, out);
	textbuf_putc(out, '\n');
	return sahm_fail(err, SAHM_USAGE, "nothing is removed without --yes");
}

/* Of keys that are not what they should be one cannot say what they are, but they can go. */
static enum sahm_status purge_unseen(const struct request *r, struct queue *q, const char *why, struct textbuf *out,
				     struct sahm_err *err)
{
	if (!r->yes)
		return sahm_fail(err, SAHM_USAGE,
				 "queue '%s' cannot be looked at, and nothing is removed without --yes: %s", q->name,
				 why);
	print_warning("queue '%s' cannot be looked at, and goes as it is: %s", q->name, why);
	return remove_it(r, q, NULL, out, err);
}

static enum sahm_status look_and_purge(const struct request *r, struct queue *q, struct textbuf *out,
				       struct sahm_err *err)
{
	struct queue_look look;
	struct sahm_err cause;
	enum sahm_status status = queue_look_take(q, false, &look, &cause);
	if (r->all && (status == SAHM_TOOL || status == SAHM_FORMAT))
		return purge_unseen(r, q, cause.msg, out, err);
	if (status != SAHM_OK)
		return sahm_fail(err, status, "%s", cause.msg);
	status = purge(r, q, &look, out, err);
	queue_look_release(&look);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.redis.look = true};
	struct queue q;
	struct textbuf out;
	struct sahm_err ignored;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && r.dead + r.all + (r.submission != NULL) > 1)
		status = sahm_fail(err, SAHM_USAGE, "--dead, --submission and --all exclude one another");
	r.redis.any_meta = r.all;
	if (status == SAHM_OK)
		status = redis_request_open(&r.redis, &q, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	status = look_and_purge(&r, &q, &out, err);
	enum sahm_status written =
		textbuf_failed(&out) ? sahm_fail_nomem(&ignored) : print_output(OUTPUT_TEXT, &out, &ignored);
	if (status == SAHM_OK && written != SAHM_OK)
		status = sahm_fail(err, written, "%s", ignored.msg);
	textbuf_release(&out);
	queue_disconnect(&q);
	return status;
}

extern const struct command command_queue_purge;
const struct command command_queue_purge = {
	.name = "queue purge",
	.operands = "",
	.summary = "remove submissions or results from a queue",
	.details = "Removes what one of the options names, if --yes is given. Without --yes, it only prints "
		   "the list, and the exit code is 2. Other queues on the server are not touched.\n"
		   "Runs in progress are removed as well: their results are discarded.",
	.options = options,
	.run = run,
};
