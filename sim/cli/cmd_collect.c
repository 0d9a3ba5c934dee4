/* sahm collect */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/sweep_gathering.h"
#include "sim/cli/sweep_progress.h"
#include "sim/cli/sweep_summary.h"

struct request {
	struct redis_request redis;
	const char *store;
	bool now, quiet;
};

static const struct option_row options[] = {
	{REDIS_OPTION},
	{QUEUE_OPTION},
	{"now", 0, NULL, "take what is there now, and do not wait for the rest", OPTION_FLAG, AT(bool, now)},
	{QUIET_OPTION("no progress, no summary")},
	{ONE_OPERAND(store, "store", "a results database is missing: sahm collect RESULTS"), .written = true},
};

struct collecting {
	const struct request *request;
	struct store *store;
	struct queue queue;
	struct sweep_progress_line line;
	struct gathered sum;
	uint64_t nr_missing, nr_failed;
	struct textbuf *out;
};

static void add(struct gathered *sum, const struct gathered *g)
{
	sum->done += g->done;
	sum->failed += g->failed;
	sum->mended += g->mended;
	sum->given_up += g->given_up;
	sum->again += g->again;
	sum->differing += g->differing;
	sum->damaged += g->damaged;
	sum->interrupted |= g->interrupted;
}

/* A submission, and how it stands. */
struct collected {
	uint64_t left, failed; /* runs of it without a result, and that have failed */
	bool finished, missing;
};

static enum sahm_status collect_one(struct collecting *c, const struct store_submission *note, bool wait,
				    struct collected *row, uint64_t *nr, struct sahm_err *err)
{
	const struct gather_options how = {
		.note = note, .wait = wait, .progress = sweep_progress_show, .ctx = &c->line};
	struct gathered g;
	enum sahm_status status = sweep_gather(&how, c->store, &c->queue, &g, err);
	add(&c->sum, &g);
	*nr += g.done + g.failed + g.again;
	struct store_counts counts = {0};
	if (status == SAHM_OK)
		status = store_count(c->store, &note->part, &counts, err);
	row->failed = counts.failed;
	row->left = g.left;
	row->missing = g.missing;
	row->finished = c->request->now || wait || g.ended || g.missing;
	return status;
}

/* In rounds: workers may wait until results of the last are collected before they do runs of the first. */
static enum sahm_status collect_in_rounds(struct collecting *c, const struct store_submission *notes,
					  struct collected *rows, size_t nr, struct sahm_err *err)
{
	const struct timespec pause = {0, 200000000};
	enum sahm_status status = SAHM_OK;
	size_t nr_open = nr;
	while (nr_open > 0 && status == SAHM_OK && !c->sum.interrupted) {
		uint64_t nr_results = 0;
		bool wait = nr_open == 1 && !c->request->now;
		nr_open = 0;
		for (size_t i = 0; i < nr && status == SAHM_OK && !c->sum.interrupted; i++) {
			if (rows[i].finished)
				continue;
			status = collect_one(c, &notes[i], wait, &rows[i], &nr_results, err);
			nr_open += !rows[i].finished;
		}
		if (nr_open > 1 && nr_results == 0)
			nanosleep(&pause, NULL);
	}
	for (size_t i = 0; i < nr; i++) {
		c->sum.left += rows[i].left;
		c->nr_failed += rows[i].failed;
		c->nr_missing += rows[i].missing ? rows[i].left : 0;
	}
	return status;
}

static void summarise(struct collecting *c)
{
	const struct gathered *g = &c->sum;
	summary_row(c->out, "result");
	textbuf_label(c->out, c->request->store);
	textbuf_puts(c->out, ": ");
	write_count(g->done + g->failed, c->out);
	textbuf_puts(c->out, " collected");
	if (g->failed) {
		textbuf_puts(c->out, ", of which ");
		write_count(g->failed, c->out);
		textbuf_puts(c->out, " failed");
	}
	textbuf_puts(c->out, " in ");
	write_duration((double)g->elapsed_ns / (double)NS_PER_S, c->out);
	if (g->left) {
		textbuf_puts(c->out, "; ");
		write_count(g->left, c->out);
		textbuf_puts(c->out, g->left == 1 ? " is left" : " are left");
	}
	textbuf_putc(c->out, '\n');
	gathering_write(g, c->out);
}

static enum sahm_status conclude(const struct collecting *c, struct sahm_err *err)
{
	const struct gathered *g = &c->sum;
	if (g->interrupted)
		return sahm_fail(err, SAHM_IO, "interrupted: %llu runs are left; the same command goes on from there",
				 (unsigned long long)g->left);
	enum sahm_status status = gathering_check(g, c->request->store, err);
	if (status == SAHM_OK && c->nr_missing)
		status = sahm_fail(err, SAHM_CONFIG,
				   "queue '%s' does not know this sweep, which has %llu runs left: name its queue with "
				   "--queue, or submit them again with `sahm sweep --redis`",
				   c->queue.name, (unsigned long long)c->nr_missing);
	if (status == SAHM_OK && c->nr_failed > 0)
		status = summary_failed(c->nr_failed, c->request->store, "", err);
	return status;
}

static enum sahm_status collect_all(struct collecting *c, int *exit_code, struct sahm_err *err)
{
	struct store_submission *notes;
	size_t nr = 0;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = store_submissions(c->store, &a, &notes, &nr, err);
	if (status == SAHM_OK && nr == 0) {
		summary_row(c->out, "result");
		textbuf_printf(c->out, "%s: nothing of it is in a queue\n", c->request->store);
		arena_release(&a);
		return SAHM_OK;
	}
	struct collected *rows = status == SAHM_OK ? arena_alloc(&a, nr, sizeof(*rows)) : NULL;
	if (status == SAHM_OK && !rows)
		status = sahm_fail_nomem(err);
	uint64_t started_ns = clock_ns(CLOCK_MONOTONIC);
	sweep_progress_begin(&c->line, c->request->quiet);
	if (status == SAHM_OK)
		status = collect_in_rounds(c, notes, rows, nr, err);
	sweep_progress_end(&c->line);
	c->sum.elapsed_ns = clock_ns(CLOCK_MONOTONIC) - started_ns;
	arena_release(&a);
	if (status != SAHM_OK)
		return status;
	if (c->sum.interrupted)
		*exit_code = 128 + sweep_progress_signal();
	summarise(c);
	return conclude(c, err);
}

static enum sahm_status run_program(char **args, int *exit_code, struct sahm_err *err)
{
	/* What a server needs that has lost its data, only `sahm sweep` knows. */
	struct request r = {.redis.look = true};
	struct textbuf out;
	struct collecting c = {.request = &r, .out = &out};
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status != SAHM_OK)
		return status;
	if (access(r.store, F_OK) != 0)
		return sahm_fail(err, SAHM_IO, "there is no results file '%s': `sahm sweep --redis` makes one",
				 r.store);
	status = redis_request_open(&r.redis, &c.queue, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	status = store_open(&c.store, r.store, STORE_WRITE, err);
	if (status == SAHM_OK) {
		status = collect_all(&c, exit_code, err);
		struct sahm_err ignored;
		enum sahm_status closed = store_close(c.store, status == SAHM_OK ? err : &ignored);
		status = status == SAHM_OK ? closed : status;
	}
	queue_disconnect(&c.queue);
	if (!r.quiet && !textbuf_failed(&out))
		print_text(&out);
	textbuf_release(&out);
	return status;
}

extern const struct command command_collect;
const struct command command_collect = {
	.name = "collect",
	.operands = "RESULTS",
	.summary = "take a sweep's results from a queue into its results database",
	.details = "Takes the results of a sweep that `sahm sweep --redis` has submitted, and waits until all "
		   "are there. Use it if `sahm sweep` did not wait (--detach) or was interrupted. If a result "
		   "arrives twice, both must be equal to the bit; otherwise both are kept, and the command "
		   "fails.\n"
		   "Only one process at a time can write a results database. Running the same `sahm sweep` "
		   "command again also collects, and then writes the manifest.",
	.options = options,
	.run_program = run_program,
};
