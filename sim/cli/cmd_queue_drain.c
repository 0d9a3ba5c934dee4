/* sahm queue drain */
#include <poll.h>
#include <stdio.h>

#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/queue_look.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/sweep_progress.h"

/* How often it is looked whether anything is claimed. */
#define LOOK_MS 500

struct request {
	struct redis_request redis;
	bool no_wait, off;
};

static const struct option_row options[] = {
	{REDIS_OPTION},
	{QUEUE_OPTION},
	{"no-wait", 'n', NULL, "do not wait until workers have finished", OPTION_FLAG, AT(bool, no_wait)},
	{"off", 0, NULL, "let workers take runs again", OPTION_FLAG, AT(bool, off)},
	{TAKE_OPERANDS(refuse_queue_operand)},
};

static bool go_on(void *ctx)
{
	(void)ctx;
	return sweep_progress_signal() == 0;
}

static void draw(struct sweep_progress_line *line, const struct queue_counts *counts)
{
	struct textbuf b;
	if (!line->shown)
		return;
	textbuf_init(&b);
	textbuf_puts(&b, "draining: ");
	write_number_of(counts->claimed - counts->abandoned, "run", &b);
	textbuf_puts(&b, " under way, ");
	write_number_of(counts->workers, "worker", &b);
	print_progress("%s", b.text);
	textbuf_release(&b);
	line->drawn = true;
}

/* Waits until no run is in progress: a run whose claim is not renewed does not count. */
static enum sahm_status wait_until_drained(struct queue *q, struct queue_counts *counts, struct sahm_err *err)
{
	struct sweep_progress_line line;
	enum sahm_status status;
	bool done = false;
	sweep_progress_begin(&line, false);
	do {
		status = queue_count(q, NULL, counts, err);
		if (status == SAHM_IO && go_on(NULL)) {
			status = redis_link_wait(q->link, go_on, NULL, err);
			continue;
		}
		if (status == SAHM_OK && !counts->draining)
			status = sahm_fail(err, SAHM_IO,
					   "the queue no longer drains: workers may take runs again, or the server has "
					   "lost its data");
		done = status != SAHM_OK || counts->claimed <= counts->abandoned;
		if (!done) {
			draw(&line, counts);
			poll(NULL, 0, LOOK_MS);
		}
	} while (status == SAHM_OK && !done && go_on(NULL));
	sweep_progress_end(&line);
	if (!go_on(NULL) && !done)
		status = sahm_fail(err, SAHM_IO,
				   "interrupted: the queue stays drained, and workers finish what they have");
	return status;
}

/* What remains, and who. */
static void write_rest(const struct queue *q, const struct queue_counts *counts, struct textbuf *out)
{
	textbuf_printf(out, "queue '%s' is drained: ", q->name);
	write_number_of(counts->waiting + counts->abandoned, "run", out);
	textbuf_puts(out, counts->waiting + counts->abandoned == 1 ? " waits, " : " wait, ");
	write_number_of(counts->claimed - counts->abandoned, "run", out);
	textbuf_puts(out, counts->claimed - counts->abandoned == 1 ? " is under way\n" : " are under way\n");
}

static enum sahm_status drain(const struct request *r, struct queue *q, int *exit_code, struct sahm_err *err)
{
	struct queue_counts counts;
	struct textbuf out;
	enum sahm_status status = queue_drain(q, !r->off, err);
	textbuf_init(&out);
	if (status == SAHM_OK && !r->off) {
		status = r->no_wait ? queue_count(q, NULL, &counts, err) : wait_until_drained(q, &counts, err);
		if (status != SAHM_OK && sweep_progress_signal() != 0)
			*exit_code = 128 + sweep_progress_signal();
	}
	if (status == SAHM_OK && r->off)
		textbuf_printf(&out, "queue '%s' hands out runs\n", q->name);
	else if (status == SAHM_OK)
		write_rest(q, &counts, &out);
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &out, err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run_program(char **args, int *exit_code, struct sahm_err *err)
{
	struct request r = {0};
	struct queue q;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = redis_request_open(&r.redis, &q, err);
	if (status != SAHM_OK)
		return status;
	status = drain(&r, &q, exit_code, err);
	queue_disconnect(&q);
	return status;
}

extern const struct command command_queue_drain;
const struct command command_queue_drain = {
	.name = "queue drain",
	.operands = "",
	.summary = "let workers finish their runs and take no more",
	.details = "Waits until no run is in progress. Workers stay connected, and continue after --off. Runs "
		   "of a lost worker are taken over after that, too.",
	.options = options,
	.run_program = run_program,
};
