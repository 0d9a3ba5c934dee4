/* sahm queue retry */
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/queue_look.h"
#include "sim/cli/redis_request.h"

struct request {
	struct redis_request redis;
};

static const struct option_row options[] = {
	{REDIS_OPTION},
	{QUEUE_OPTION},
	{TAKE_OPERANDS(refuse_queue_operand)},
};

static enum sahm_status retry(struct queue *q, struct textbuf *out, struct sahm_err *err)
{
	struct queue_pulse pulse;
	uint64_t nr;
	enum sahm_status status = queue_retry(q, &nr, err);
	if (status == SAHM_OK)
		status = queue_feel(q, &pulse, err);
	if (status != SAHM_OK)
		return status;
	textbuf_printf(out, "queue '%s': ", q->name);
	if (nr > 0) {
		write_number_of(nr, "run", out);
		textbuf_printf(out, nr == 1 ? " is put back, with %u tries\n" : " are put back, with %u tries each\n",
			       QUEUE_TRIES);
	} else {
		textbuf_puts(out, "no run that was given up can be put back\n");
	}
	if (nr > 0 && pulse.draining)
		print_warning("the queue is drained: nothing is handed out before `sahm queue drain --off`");
	return SAHM_OK;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.redis.look = true};
	struct queue q;
	struct textbuf out;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = redis_request_open(&r.redis, &q, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	status = retry(&q, &out, err);
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &out, err);
	textbuf_release(&out);
	queue_disconnect(&q);
	return status;
}

extern const struct command command_queue_retry;
const struct command command_queue_retry = {
	.name = "queue retry",
	.operands = "",
	.summary = "put runs that were given up back into the queue",
	.details = "A run is given up after several deliveries without a result: its workers were lost or "
		   "failed (`sahm queue status --dead` shows the reasons). Fix the reason first. A sweep that "
		   "has already collected the failure gets the new result only if it is still waiting; "
		   "otherwise `sahm sweep --retry-failed` requests the run again.",
	.options = options,
	.run = run,
};
