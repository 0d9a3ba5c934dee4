#include "workloads/record/perf_rows.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"

bool perf_names_event(const char *expression, const char *event)
{
	size_t len = strlen(event);
	for (const char *at = expression; (at = strstr(at, event)); at += len)
		if ((at == expression || at[-1] == ' ') && (at[len] == '\0' || at[len] == ' '))
			return true;
	return false;
}

/* Counts and times beyond this are no count of an interval. */
#define MAX_SCALED (UINT64_C(1) << 48)

bool perf_scale(const struct perf_count *before, const struct perf_count *now, decimal *value, int *running_pct100,
		enum live_lack *why)
{
	*why = LIVE_BACKWARDS;
	if (now->value < before->value || now->enabled_ns < before->enabled_ns || now->running_ns < before->running_ns)
		return false;
	uint64_t count = now->value - before->value, enabled_ns = now->enabled_ns - before->enabled_ns;
	uint64_t running_ns = now->running_ns - before->running_ns;
	*value = (decimal)count * DECIMAL_ONE;
	*running_pct100 = 10000;
	/* It did not run: not for want of a counter, there was nothing to count. */
	if (enabled_ns == 0 && count == 0)
		return true;
	*why = LIVE_NOT_COUNTED;
	if (running_ns == 0 || count > MAX_SCALED || enabled_ns > MAX_SCALED)
		return false;
	if (running_ns >= enabled_ns)
		return true;
	/* 48 + 48 bits and those of DECIMAL_ONE are fewer than 127. */
	*value = (decimal)count * (decimal)enabled_ns * DECIMAL_ONE / (decimal)running_ns;
	*running_pct100 = (int)((decimal)running_ns * 10000 / (decimal)enabled_ns);
	return true;
}

enum sahm_status perf_rows_begin(struct perf_rows *rows, struct import_live *live)
{
	enum sahm_status status = SAHM_OK;
	rows->live = live;
	for (unsigned i = 0; i < rows->set.nr && status == SAHM_OK; i++)
		status = import_live_column(live, rows->set.events[i].name, &rows->column[i]);
	return status;
}

/* Closes the row with what has been counted since the last one. */
static enum sahm_status end_row(struct perf_rows *rows, const struct perf_count *now, uint64_t now_ns)
{
	for (unsigned i = 0; i < rows->set.nr; i++) {
		decimal value;
		int running_pct100;
		enum live_lack why;
		if (rows->set.fd[i] < 0)
			import_live_no_count(rows->live, rows->column[i], LIVE_NOT_SUPPORTED);
		else if (perf_scale(&rows->before[i], &now[i], &value, &running_pct100, &why))
			import_live_count(rows->live, rows->column[i], value, running_pct100);
		else
			import_live_no_count(rows->live, rows->column[i], why);
	}
	memcpy(rows->before, now, rows->set.nr * sizeof(*now));
	rows->row_ns = now_ns;
	return import_live_end_row(rows->live, now_ns - rows->start_ns);
}

/* Whole events since `before`, of the first event: that of instructions. */
static uint64_t instructions_since(const struct perf_count *before, const struct perf_count *now)
{
	decimal value;
	int running_pct100;
	enum live_lack why;
	if (!perf_scale(before, now, &value, &running_pct100, &why))
		return 0;
	return (uint64_t)((value + DECIMAL_ONE / 2) / DECIMAL_ONE);
}

static void note_rest(const struct perf_rows *rows, const struct perf_count *now, uint64_t now_ns, struct recording *r)
{
	uint64_t instructions = instructions_since(&rows->before[0], &now[0]);
	if (instructions == 0)
		return;
	textbuf_printf(&r->notes, "%s: the last %.6g ms, %" PRIu64 " instructions, are left out: no whole interval\n",
		       rows->label, ms_of_ns(now_ns - rows->row_ns), instructions);
}

/* The command goes on unwatched when its counters are gone: what is recorded stays. */
static void wait_for_end(const struct perf_rows *rows, struct record_child *child, const struct record_request *request)
{
	const struct perf_ops *ops = rows->set.ops;
	while (ops->wait(ops->context, child, NEVER, request->stop) == CHILD_RUNS)
		;
}

static bool is_full(const struct perf_rows *rows, const struct record_request *request)
{
	return request->max_epochs > 0 && import_live_nr_epochs(rows->live) >= request->max_epochs;
}

enum sahm_status perf_rows_follow(struct perf_rows *rows, struct record_child *child,
				  const struct record_request *request, struct recording *r)
{
	const struct perf_ops *ops = rows->set.ops;
	static const struct perf_count none;
	struct perf_count now[MAX_PMU_EVENTS];
	enum child_state state = CHILD_RUNS;
	enum sahm_status status = SAHM_OK;
	struct sahm_err cause;
	rows->start_ns = rows->row_ns = ops->now_ns(ops->context);
	uint64_t deadline_ns = rows->start_ns + rows->interval_ns;
	while (state == CHILD_RUNS && status == SAHM_OK) {
		state = ops->wait(ops->context, child, deadline_ns, request->stop);
		uint64_t now_ns = ops->now_ns(ops->context);
		if (state == CHILD_RUNS && now_ns < deadline_ns)
			continue;
		if (perf_set_read(&rows->set, now, &cause) != SAHM_OK) {
			textbuf_printf(&r->notes, "%s: %s; what was recorded before is kept\n", rows->label, cause.msg);
			if (state == CHILD_RUNS)
				wait_for_end(rows, child, request);
			break;
		}
		r->nr_instructions = instructions_since(&none, &now[0]);
		if (now_ns >= deadline_ns)
			status = end_row(rows, now, now_ns);
		else
			note_rest(rows, now, now_ns, r);
		/* Late is late: intervals that were missed as a whole are part of this one. */
		while (deadline_ns <= now_ns)
			deadline_ns += rows->interval_ns * ((now_ns - deadline_ns) / rows->interval_ns + 1);
		if (state == CHILD_RUNS && is_full(rows, request)) {
			r->was_cut = true;
			break;
		}
	}
	r->was_cut |= request->stop && *request->stop > 0;
	return status;
}
