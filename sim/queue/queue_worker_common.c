/* What the parts of a worker share: its clock, what it reports, and its connection to the server. */
#include <stdio.h>
#include <string.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/queue/queue_worker_internal.h"

/* The pause after a failure, with and without a connection. */
#define FAILED_NS NS_PER_S
#define LOST_NS (50 * NS_PER_MS)
/* Of its grace period, the time to send results and hand back runs; it has as much where it must end at once. */
#define LEAVE_NS (2 * NS_PER_S)

uint64_t working_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

enum worker_stop working_stop(const struct working *w)
{
	return w->options->stop ? w->options->stop(w->options->ctx) : WORKER_GO_ON;
}

bool working_has_time(void *working)
{
	struct working *w = working;
	enum worker_stop stop = working_stop(w);
	uint64_t now = working_now_ns(), grace = w->options->grace_s * NS_PER_S;
	if (stop != WORKER_GO_ON && !w->give_up_ns) {
		w->give_up_ns = now + (grace > 2 * LEAVE_NS ? grace - LEAVE_NS : grace / 2);
		w->end_ns = now + (grace > LEAVE_NS ? grace : LEAVE_NS);
	}
	if (stop == WORKER_DROP && w->give_up_ns > now) {
		w->give_up_ns = now;
		w->end_ns = now + LEAVE_NS;
	}
	return stop == WORKER_GO_ON || now < w->end_ns;
}

void working_report(struct working *w, const char *text)
{
	if (w->options->report)
		w->options->report(w->options->ctx, text);
}

/* Reports a repeated failure with the same reason once. */
void working_report_failure(struct working *w, const struct sahm_err *err)
{
	if (w->said.status == err->status && strcmp(w->said.msg, err->msg) == 0)
		return;
	w->said = *err;
	working_report(w, err->msg);
}

/* After a failure one waits a little with everything but what is under way. */
void working_note_failure(struct working *w, const struct sahm_err *err)
{
	working_report_failure(w, err);
	w->pause_ns = working_now_ns() + (redis_link_is_up(w->queue.link) ? FAILED_NS : LOST_NS);
}

bool working_is_paused(const struct working *w)
{
	return working_now_ns() < w->pause_ns;
}

/* Tries to have a connection; tells of what changes. */
bool working_has_link(struct working *w)
{
	struct sahm_err err;
	bool up = redis_link_try(w->queue.link, &err) == SAHM_OK;
	uint64_t nr = redis_link_nr_connections(w->queue.link);
	bool is_new = up && nr != w->nr_connections && w->nr_connections > 0;
	if (!up && w->was_up)
		working_report_failure(w, &err);
	if (is_new) {
		char text[256];
		snprintf(text, sizeof(text), "connected to redis at '%.160s' again", redis_link_name(w->queue.link));
		working_report(w, text);
		w->said = (struct sahm_err){0};
		/* Others may not have been able to renew their claims either: they come first. */
		w->beat_ns = 0;
		w->reclaim_ns = working_now_ns() + w->queue.claim_ms * NS_PER_MS;
	}
	if (up)
		w->starved_ns = 0;
	else if (err.status == SAHM_NOMEM && !w->starved_ns)
		w->starved_ns = working_now_ns();
	w->was_up = up;
	w->nr_connections = up ? nr : w->nr_connections;
	return up;
}

bool working_is_starved(const struct working *w)
{
	return w->starved_ns && working_now_ns() - w->starved_ns > w->queue.claim_ms * NS_PER_MS;
}
