#include "sim/cli/recording_watch.h"

#include <unistd.h>

#include "sim/base/units.h"
#include "sim/cli/output.h"

/* Progress of a recording, and the interval between lines where it cannot overwrite its line. */
#define PROGRESS "%llu epochs, %.1f million instructions a second"
#define PROGRESS_LINES_NS (10 * NS_PER_S)

/* Ends the recording from 1 on, at once from 2 on. */
static volatile sig_atomic_t stop, nr_interrupts;

static const int watched[NR_RECORDING_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static void note_signal(int number)
{
	if (number == SIGINT && nr_interrupts++ == 0)
		return;
	stop = stop || number == SIGINT ? 2 : 1;
}

/* Whether one line of the terminal shows the progress, drawn again and again: where standard output is the terminal as
 * well, the command prints there. */
static bool has_progress_line(void)
{
	return isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
}

static void show_progress(uint64_t nr_epochs, uint64_t nr_instructions, uint64_t elapsed_ns)
{
	double seconds = (double)elapsed_ns / (double)NS_PER_S;
	double rate = seconds > 0 ? 1e-6 * (double)nr_instructions / seconds : 0.0;
	if (has_progress_line())
		print_progress(PROGRESS, (unsigned long long)nr_epochs, rate);
	else
		print_remark("recorded so far: " PROGRESS, (unsigned long long)nr_epochs, rate);
}

static void report_wait(const char *child)
{
	if (has_progress_line())
		end_progress();
	print_remark("the command waits for processes that it forked, which are not recorded%s%s%s",
		     *child ? " ('" : "", child, *child ? "')" : "");
}

void recording_watch_begin(struct recording_watch *w, struct record_request *request)
{
	struct sigaction action = {.sa_handler = note_signal};
	request->stop = &stop;
	request->waits = report_wait;
	if (isatty(STDERR_FILENO))
		request->progress = show_progress;
	if (!has_progress_line())
		request->progress_ns = PROGRESS_LINES_NS;
	for (size_t i = 0; i < NR_RECORDING_SIGNALS; i++) {
		sigaction(watched[i], NULL, &w->before[i]);
		/* Keeps signals ignored that nohup or a background job ignores. */
		if (w->before[i].sa_handler != SIG_IGN)
			sigaction(watched[i], &action, NULL);
	}
}

bool recording_watch_end(const struct recording_watch *w)
{
	for (size_t i = 0; i < NR_RECORDING_SIGNALS; i++)
		sigaction(watched[i], &w->before[i], NULL);
	if (has_progress_line())
		end_progress();
	return stop;
}
