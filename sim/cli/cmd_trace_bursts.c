/* sahm trace bursts */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/base/units.h"
#include "sim/base/zstd_stream.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "workloads/bursts/import_sched.h"

struct request {
	const char *input, *output;
	bool force;
	struct sched_choice choice;
	struct provenance given;
	struct arena arena;
	struct provenance_place provenance;
};

static const struct option_row options[] = {
	{"output", 'o', "FILE", "write the bursts to FILE instead of standard output; with .zst, compressed",
	 OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{"comm", 'c', "NAME", "take the thread with this name", OPTION_STRING, AT(const char *, choice.comm)},
	{"tid", 't', "N", "take thread N (what sched_switch calls a pid)", OPTION_COUNT, AT(uint32_t, choice.tid),
	 .least = 1, .most = INT32_MAX},
	{"pid", 'P', "N", "take a thread of process N, if the recording has processes", OPTION_COUNT,
	 AT(uint32_t, choice.process), .least = 1, .most = INT32_MAX},
	{PROVENANCE_OPTION(
		"say where the recording comes from; can be repeated (name, source, program, tool, machine, date, "
		"licence, note)")},
	{ONE_OPERAND(input, "recording", "a recording is missing: sahm trace bursts FILE")},
};

/* Those that ran longest first. */
static int compare_threads(const void *a, const void *b)
{
	const struct recorded_thread *x = *(struct recorded_thread *const *)a, *y = *(struct recorded_thread *const *)b;
	if (x->on_cpu_ns != y->on_cpu_ns)
		return x->on_cpu_ns < y->on_cpu_ns ? 1 : -1;
	return x->tid < y->tid ? -1 : 1;
}

static void list_threads(const struct sched_log *log, struct recorded_thread *const *threads, struct textbuf *b)
{
	int width = 4;
	for (uint32_t i = 0; i < log->nr_threads; i++)
		if ((int)strlen(threads[i]->comm) > width)
			width = (int)strlen(threads[i]->comm);
	textbuf_printf(b, "%10s  %-*s  %12s  %10s  %10s  %12s\n", "tid", width, "comm", "on CPU (ms)", "bursts",
		       "preempted", "asleep (ms)");
	for (uint32_t i = 0; i < log->nr_threads; i++) {
		const struct recorded_thread *t = threads[i];
		textbuf_printf(b, "%10u  %-*s  %12.3f  %10" PRIu64 "  %10" PRIu64 "  %12.3f\n", t->tid, width, t->comm,
			       ms_of_ns(t->on_cpu_ns), t->list.nr, t->nr_preempted, ms_of_ns(t->slept_ns));
	}
}

/* Without a choice: which threads there are. */
static enum sahm_status show_threads(struct sched_log *log, struct sahm_err *err)
{
	struct textbuf b;
	struct recorded_thread **threads = calloc((size_t)log->nr_threads + 1, sizeof(*threads));
	if (!threads)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < log->nr_threads; i++)
		threads[i] = &log->threads[i];
	qsort(threads, log->nr_threads, sizeof(*threads), compare_threads);
	textbuf_init(&b);
	textbuf_printf(&b, "%s: %.3f s, %" PRIu64 " switches, %" PRIu64 " wake-ups, %u thread%s\n", log->tool,
		       (double)(log->to_ns - log->from_ns) / 1e9, log->nr_switches, log->nr_wakeups, log->nr_threads,
		       log->nr_threads == 1 ? "" : "s");
	list_threads(log, threads, &b);
	enum sahm_status status = textbuf_failed(&b) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &b, err);
	textbuf_release(&b);
	free(threads);
	return status;
}

static enum sahm_status write_compressed(const struct burst_list *l, const char *path, FILE *out, struct sahm_err *err)
{
	struct zstd_writer *z = zstd_writer_new(out, UNKNOWN_SIZE);
	if (!z)
		return sahm_fail_nomem(err);
	return zstd_writer_free(z, path, burst_list_write(l, zstd_writer_stream(z), err), err);
}

static enum sahm_status write_list(const struct request *r, const struct burst_list *l, struct sahm_err *err)
{
	struct atomic_file f;
	if (!r->output || strcmp(r->output, "-") == 0)
		return burst_list_write(l, data_output(), err);
	enum sahm_status status = atomic_file_begin(&f, r->output, r->force, err);
	if (status != SAHM_OK)
		return status;
	status = is_compressed_path(r->output) ? write_compressed(l, r->output, f.stream, err)
					       : burst_list_write(l, f.stream, err);
	if (status != SAHM_OK) {
		atomic_file_abort(&f);
		return status;
	}
	status = atomic_file_commit(&f, err);
	if (status == SAHM_OK)
		print_remark("%s: %" PRIu64 " burst%s%s; %s", r->output, l->nr, l->nr == 1 ? "" : "s",
			     provenance_is_synthetic(&l->provenance) ? ", synthetic" : "",
			     l->provenance.text[PROVENANCE_NOTE]);
	return status;
}

static enum sahm_status deliver(const struct request *r, struct sched_log *log, struct sahm_err *err)
{
	struct recorded_thread *thread = NULL;
	enum sahm_status status = sched_log_choose(log, &r->choice, &thread, err);
	if (status == SAHM_OK)
		status = sched_thread_finish(log, thread, &r->given, err);
	if (status != SAHM_OK)
		return status;
	if (!r->given.text[PROVENANCE_SOURCE])
		print_warning("it is not said whether the recording is of a real machine or synthetic "
			      "(-p source=recorded)");
	return write_list(r, &thread->list, err);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {.provenance = {&r.given, &r.arena}};
	struct sched_log log = {0};
	struct textbuf notes;
	textbuf_init(&notes);
	arena_init(&r.arena);
	enum sahm_status status = options_parse(options, args, &r, err);
	r.choice.has_tid = r.choice.tid > 0;
	r.choice.has_process = r.choice.process > 0;
	bool is_chosen = r.choice.comm || r.choice.has_tid || r.choice.has_process;
	if (status == SAHM_OK && r.output && !is_chosen)
		status = sahm_fail(err, SAHM_USAGE, "which thread is missing: --comm, --tid or --pid");
	if (status == SAHM_OK)
		status = refuse_overwriting(r.output, r.input, err);
	if (status == SAHM_OK)
		status = sched_log_open(&log, r.input, &notes, err);
	print_notes(&notes);
	if (status == SAHM_OK)
		status = is_chosen ? deliver(&r, &log, err) : show_threads(&log, err);
	sched_log_release(&log);
	textbuf_release(&notes);
	arena_release(&r.arena);
	return status;
}

extern const struct command command_trace_bursts;
const struct command command_trace_bursts = {
	.name = "trace bursts",
	.operands = "FILE",
	.summary = "take run and sleep times from a recording of the scheduler",
	.details = "FILE (-: standard input), compressed by zstd or not, is the text that perf sched script, "
		   "perf script or trace-cmd report prints, or the kernel's trace file. It needs sched_switch "
		   "events; sched_wakeup or sched_waking events make sleeps exact. Without --comm, --tid or "
		   "--pid, the command lists the threads. With one of them, it writes the thread's bursts as "
		   "CSV: for how many ns it ran, and for how many ns it slept afterwards. A configuration names "
		   "such a file in workload.traces[].bursts.file.\n"
		   "Run time is all time on a CPU up to the next sleep, even if the thread was preempted in "
		   "between. A sleep lasts until the thread is woken or, if no event shows that, until it runs. "
		   "Waiting counts as neither. Bursts that the recording does not show completely are left out "
		   "and counted. One ns of the recording becomes one ns of baseline time.",
	.options = options,
	.run = run,
};
