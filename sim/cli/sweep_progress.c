#include "sim/cli/sweep_progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/units.h"
#include "sim/cli/output.h"

/* How often it is drawn, and how long ago the oldest mark is. */
#define DRAW_NS (NS_PER_S / 5)
#define MARK_NS (NS_PER_S / 2)
/* How long one waits for workers without a word. */
#define LONELY_NS (5 * NS_PER_S)

/* The handler's own. */
static volatile sig_atomic_t caught;

static void note_signal(int signal)
{
	caught = signal;
}

int sweep_progress_signal(void)
{
	return caught;
}

void write_count(uint64_t count, struct textbuf *out)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			textbuf_putc(out, ',');
		textbuf_putc(out, digits[i]);
	}
}

void write_duration(double seconds, struct textbuf *out)
{
	static const struct {
		double least, large, small;
		const char *large_name, *small_name;
	} rows[] = {
		{2 * 86400, 86400, 3600, "days", "h"},
		{2 * 3600, 3600, 60, "h", "min"},
		{120, 60, 1, "min", "s"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (seconds < rows[i].least)
			continue;
		double whole = floor(seconds / rows[i].large);
		textbuf_printf(out, "%.0f %s %.0f %s", whole, rows[i].large_name,
			       floor((seconds - whole * rows[i].large) / rows[i].small), rows[i].small_name);
		return;
	}
	textbuf_printf(out, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
}

void sweep_progress_begin(struct sweep_progress_line *line, bool quiet)
{
	const char *term = getenv("TERM");
	*line = (struct sweep_progress_line){
		.quiet = quiet, .shown = !quiet && isatty(STDERR_FILENO) && (!term || strcmp(term, "dumb"))};
	struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
	action.sa_handler = note_signal;
	sigemptyset(&action.sa_mask);
	caught = 0;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* Done per second, as of late; 0: not known. */
static double rate_of(struct sweep_progress_line *line, const struct sweep_progress *p)
{
	uint64_t nr = p->done + p->failed;
	if (line->planning != p->planning)
		line->nr_marks = 0;
	line->planning = p->planning;
	unsigned newest = (line->nr_marks + PROGRESS_MARKS - 1) % PROGRESS_MARKS;
	if (line->nr_marks == 0 || p->elapsed_ns < line->marks[newest].ns)
		line->nr_marks = 0;
	if (line->nr_marks == 0 || p->elapsed_ns - line->marks[newest].ns >= MARK_NS) {
		unsigned at = line->nr_marks % PROGRESS_MARKS;
		line->marks[at].ns = p->elapsed_ns;
		line->marks[at].nr = nr;
		line->nr_marks++;
	}
	unsigned oldest = line->nr_marks > PROGRESS_MARKS ? line->nr_marks % PROGRESS_MARKS : 0;
	uint64_t took_ns = p->elapsed_ns - line->marks[oldest].ns;
	return took_ns > 0 ? (double)(nr - line->marks[oldest].nr) * (double)NS_PER_S / (double)took_ns : 0;
}

static void draw(struct sweep_progress_line *line, const struct sweep_progress *p)
{
	struct textbuf b;
	double rate = rate_of(line, p);
	uint64_t nr = p->before + p->done + p->failed;
	textbuf_init(&b);
	textbuf_puts(&b, p->planning ? "planning: " : "");
	write_count(nr, &b);
	textbuf_puts(&b, " of ");
	write_count(p->total, &b);
	textbuf_puts(&b, p->planning ? " points" : " runs");
	if (rate > 0) {
		textbuf_printf(&b, rate < 9.95 ? ", %.1f/s, " : ", %.0f/s, ", rate);
		write_duration((double)(p->total - nr) / rate, &b);
		textbuf_puts(&b, " left");
	}
	if (p->failed)
		textbuf_printf(&b, ", %llu failed", (unsigned long long)p->failed);
	if (p->remote)
		textbuf_printf(&b, ", %llu worker%s", (unsigned long long)p->workers, p->workers == 1 ? "" : "s");
	print_progress("%s", b.text);
	textbuf_release(&b);
	line->drawn = true;
}

/* Tells the user that no worker is there. */
static void check_workers(struct sweep_progress_line *line, const struct sweep_progress *p)
{
	if (p->why && p->why != line->why && !line->quiet) {
		sweep_progress_end(line);
		print_warning("%s", p->why);
	}
	line->why = p->why;
	if (!p->remote || p->workers > 0 || line->lonely || line->quiet || p->elapsed_ns < LONELY_NS)
		return;
	sweep_progress_end(line);
	print_warning("no worker of this queue was heard of: `sahm worker --redis URL` makes one, on any machine");
	line->lonely = true;
}

bool sweep_progress_show(void *ctx, const struct sweep_progress *progress)
{
	struct sweep_progress_line *line = ctx;
	check_workers(line, progress);
	if (line->shown && (!line->drawn || progress->elapsed_ns - line->drawn_ns >= DRAW_NS ||
			    progress->elapsed_ns < line->drawn_ns)) {
		draw(line, progress);
		line->drawn_ns = progress->elapsed_ns;
	}
	return caught == 0;
}

void sweep_progress_end(struct sweep_progress_line *line)
{
	if (line->drawn)
		end_progress();
	line->drawn = false;
}

enum sahm_status sweep_progress_plan(struct sweep_progress_line *line, const struct sweep *sweep,
				     struct sweep_options *options, struct store *store, struct sweep_plan *plan,
				     struct sahm_err *err)
{
	options->progress = sweep_progress_show;
	options->ctx = line;
	enum sahm_status status = sweep_plan(sweep, options, store, plan, err);
	sweep_progress_end(line);
	if (status == SAHM_OK)
		print_notes(&plan->notes);
	return status;
}
