/* sahm trace record: a command is run and counted, its epochs become a trace. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/qemu_plugin.h"
#include "sim/cli/recording_files.h"
#include "sim/cli/recording_watch.h"
#include "sim/cli/shipped_file.h"
#include "workloads/record/record_name.h"
#include "workloads/record/record_perf.h"
#include "workloads/record/record_qemu.h"

#define MAX_ASSUMPTIONS (NR_COUNTERS + 1)

enum { VIA_PERF, VIA_QEMU };

static const char *const threads_words[] = {
	[QEMU_THREADS_ALL] = "all", [QEMU_THREADS_MAIN] = "main", [QEMU_THREADS_SUM] = "sum", NULL};
static const char *const record_way_words[] = {[VIA_PERF] = "perf", [VIA_QEMU] = "qemu", NULL};

enum { TAKE_CPUS, TAKE_CALLGRIND };

static const char *const predictor_words[] = {[TAKE_CPUS] = "cpu", [TAKE_CALLGRIND] = "callgrind", NULL};

struct request {
	struct perf_request perf;
	struct qemu_request qemu;
	struct record_request common;
	struct cpu cpu;
	const char *cpu_asked;
	char cpu_path[SHIPPED_PATH_BYTES];
	unsigned predictor;
	char plugin[QEMU_PLUGIN_PATH_BYTES];
	bool force;
	struct arena arena;
	struct provenance_place provenance;
	unsigned via;
	uint64_t seed;
	const char *of_perf, *of_qemu; /* the last option that needs this way; NULL: none */
	const char *of_sample;	       /* the same of --every-epochs */
	const char *output;
	const char *assume[MAX_ASSUMPTIONS + 1];
	unsigned nr_assume;
};

static enum sahm_status take_name(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	return set_provenance("provenance", "name", strlen("name"), w->value, &r->common.provenance, &r->arena, err);
}

static enum sahm_status take_assumption(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (r->nr_assume == MAX_ASSUMPTIONS)
		return sahm_fail(err, SAHM_USAGE, "--assume is given more often than there are counters");
	r->assume[r->nr_assume++] = w->value;
	return SAHM_OK;
}

/* Options end where the command begins: later ones are the command's. */
static enum sahm_status take_command(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	(void)err;
	r->common.command = w->args - 1;
	while (*w->args)
		w->args++;
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"interval-ms", 'I', "MS", "read the counters this often; each interval is an epoch (100)", OPTION_MS,
	 AT(uint64_t, perf.interval_ns), .least = MIN_INTERVAL_NS, .most = MAX_EPOCH_NS, NOTE(of_perf)},
	{"output", 'o', "FILE",
	 "write the trace to FILE instead of NAME.trc (NAME-2.trc if that exists); .csv means CSV, "
	 ".zst compression",
	 OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{"epochs", 'n', "N", "end the command after N epochs", OPTION_WHOLE, AT(uint64_t, common.max_epochs),
	 .least = 1, .most = MAX_TRACE_EPOCHS},
	{"name", 0, "NAME", "name of the program in results (the name of COMMAND, or of the script that it interprets)",
	 OPTION_TAKE, .take = take_name},
	{PROVENANCE_OPTION("say where the trace comes from, as of sahm trace import; can be repeated")},
	{"keep-idle", 0, NULL, "make epochs of intervals in which nothing happened, too", OPTION_FLAG,
	 AT(bool, perf.keep_idle), NOTE(of_perf)},
	{"assume", 'a', "COUNTER=N", "use N in every epoch for a counter without an event; can be repeated",
	 OPTION_TAKE, .take = take_assumption, NOTE(of_perf)},
	{"via", 0, "HOW",
	 "perf (hardware counters, the default) or qemu (an emulator that models caches and "
	 "predictor; needs no counters)",
	 OPTION_CHOICE, AT(unsigned, via), .what = "--via", .words = record_way_words},
	{"cpu", 0, "CPU",
	 "with qemu: the modelled processor, one of configs/cpus or a file with the same keys "
	 "(" DEFAULT_CPU ")",
	 OPTION_STRING, AT(const char *, cpu_asked), .preset_text = DEFAULT_CPU, NOTE(of_qemu)},
	{"predictor", 0, "NAME",
	 "with qemu: cpu (the processor's own) or callgrind (callgrind's, to compare with imported "
	 "counts)",
	 OPTION_CHOICE, AT(unsigned, predictor), .what = "--predictor", .words = predictor_words, NOTE(of_qemu)},
	{"epoch-instructions", 0, "N", "with qemu: instructions per epoch (10000000)", OPTION_WHOLE,
	 AT(uint64_t, qemu.epoch_instructions), .least = MIN_EPOCH_INSTRUCTIONS, .most = MAX_EPOCH_INSTRUCTIONS,
	 .preset = DEFAULT_EPOCH_INSTRUCTIONS, NOTE(of_qemu)},
	{"threads", 0, "WHICH",
	 "with qemu: all (one trace per thread, the default), main (only the first one), or sum (all "
	 "in one trace)",
	 OPTION_CHOICE, AT(unsigned, qemu.threads), .what = "--threads", .words = threads_words, NOTE(of_qemu)},
	{"instructions", 0, "FILE", "with qemu: also write the stream of instructions to FILE", OPTION_STRING,
	 AT(const char *, qemu.stream_path), .written = true, NOTE(of_qemu)},
	{"every-epochs", 0, "K", "with --instructions: take only one epoch of K into the stream (all)", OPTION_WHOLE,
	 AT(uint64_t, qemu.every_epochs), .least = 2, .most = MAX_QEMU_EPOCHS, NOTE(of_qemu)},
	{"warm", 0, "N",
	 "with --every-epochs: instructions before each epoch that only warm caches, TLBs and predictors (half an "
	 "epoch)",
	 OPTION_WHOLE, AT(uint64_t, qemu.warm), .most = MAX_EPOCH_INSTRUCTIONS, .preset = UINT64_MAX, NOTE(of_sample)},
	{"seed", 0, "N", "with --every-epochs: chooses which epoch of each K (1)", OPTION_WHOLE, AT(uint64_t, seed),
	 .most = UINT64_MAX, .preset = DEFAULT_RECORD_SEED, NOTE(of_sample)},
	{TAKE_OPERANDS(take_command)},
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	if (!r->common.command)
		return sahm_fail(err, SAHM_USAGE, "a command is missing: sahm trace record -- COMMAND");
	if (!*r->common.command[0])
		return sahm_fail(err, SAHM_USAGE, "the command's name is empty");
	if (r->via == VIA_PERF && r->of_qemu)
		return sahm_fail(err, SAHM_USAGE, "--%s needs --via qemu", r->of_qemu);
	if (r->via == VIA_QEMU && r->of_perf)
		return sahm_fail(err, SAHM_USAGE, "--%s is of hardware counters, not of --via qemu", r->of_perf);
	if (r->of_sample && r->qemu.every_epochs == 0)
		return sahm_fail(err, SAHM_USAGE, "--%s needs --every-epochs", r->of_sample);
	if (r->qemu.every_epochs > 0 && !r->qemu.stream_path)
		return sahm_fail(err, SAHM_USAGE, "--every-epochs needs --instructions FILE");
	/* The product is far from 2^64. */
	if (r->qemu.every_epochs > 0 && r->qemu.warm != UINT64_MAX &&
	    r->qemu.warm > (r->qemu.every_epochs - 1) * r->qemu.epoch_instructions)
		return sahm_fail(err, SAHM_USAGE,
				 "--warm is %" PRIu64 ", but only %" PRIu64
				 " instructions are between two epochs taken",
				 r->qemu.warm, (r->qemu.every_epochs - 1) * r->qemu.epoch_instructions);
	if (r->qemu.every_epochs > 0 && r->qemu.threads == QEMU_THREADS_SUM)
		return sahm_fail(err, SAHM_USAGE, "--every-epochs is of the main thread, not of --threads sum");
	if (r->output && r->qemu.stream_path && is_same_file(r->output, r->qemu.stream_path))
		return sahm_fail(err, SAHM_USAGE, "--output and --instructions are the same file, '%s'", r->output);
	if (r->output && strcmp(r->output, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "--output: standard output is the command's");
	return SAHM_OK;
}

/* As its script is called where the command is an interpreter. */
static enum sahm_status choose_name(struct request *r, struct sahm_err *err)
{
	char name[RECORD_NAME_BYTES];
	if (r->common.provenance.text[PROVENANCE_NAME])
		return SAHM_OK;
	record_name(r->common.command, name);
	return set_provenance("provenance", "name", strlen("name"), name, &r->common.provenance, &r->arena, err);
}

/* The date is the program's to say: what is recorded does not depend on it. */
static enum sahm_status set_date(struct request *r, struct sahm_err *err)
{
	char text[32];
	struct tm day;
	time_t now = time(NULL);
	if (r->common.provenance.text[PROVENANCE_DATE] || !localtime_r(&now, &day) ||
	    strftime(text, sizeof(text), "%Y-%m-%d", &day) == 0)
		return SAHM_OK;
	return set_provenance("provenance", "date", strlen("date"), text, &r->common.provenance, &r->arena, err);
}

static enum sahm_status read_cpu(struct request *r, struct sahm_err *err)
{
	enum sahm_status status = find_shipped(&shipped_cpus, r->cpu_asked, r->cpu_path, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->output, r->cpu_path, err);
	if (status == SAHM_OK)
		status = refuse_overwriting(r->qemu.stream_path, r->cpu_path, err);
	if (status == SAHM_OK)
		status = cpu_read(r->cpu_path, &r->cpu, err);
	if (status == SAHM_OK && r->predictor == TAKE_CALLGRIND)
		r->cpu.predictor = predictor_callgrind();
	return status;
}

static enum sahm_status record(struct request *r, struct recording *recording, struct sahm_err *err)
{
	struct pmu_machine machine;
	if (r->via == VIA_QEMU) {
		find_qemu_plugin(r->plugin);
		r->qemu.common = r->common;
		r->qemu.cpu = &r->cpu;
		r->qemu.epoch_ns = ns_of_ms(DEFAULT_EPOCH_MS);
		r->qemu.plugin_path = r->plugin;
		r->qemu.first_epoch = record_first_epoch(r->seed);
		if (r->qemu.warm == UINT64_MAX)
			r->qemu.warm = r->qemu.epoch_instructions / 2;
		return record_qemu(&r->qemu, recording, err);
	}
	machine_read("", &machine);
	r->perf.common = r->common;
	r->perf.machine = &machine;
	r->perf.ops = &perf_kernel;
	r->perf.assume = r->assume;
	return record_perf(&r->perf, recording, err);
}

/* Lengths of epochs that would give the longest thread at least ten. */
static uint64_t shorter_epochs(uint64_t most)
{
	uint64_t n = 1;
	while (n * 10 <= most / 10)
		n *= 10;
	return n < MIN_EPOCH_INSTRUCTIONS ? MIN_EPOCH_INSTRUCTIONS : n;
}

static struct recording_files files_of(const struct request *r)
{
	return (struct recording_files){
		.output = r->output,
		.name = r->common.provenance.text[PROVENANCE_NAME],
		.input = *r->cpu_path ? r->cpu_path : NULL,
		.force = r->force,
	};
}

/* Why there is no trace. */
static enum sahm_status refuse_nothing(const struct request *r, const struct recording *recording, struct sahm_err *err)
{
	if (r->via == VIA_PERF)
		return sahm_fail(err, SAHM_IO,
				 "no trace is written: not one whole interval was recorded (-I takes shorter ones)");
	uint64_t most = recording->nr_threads ? 0 : recording->nr_instructions;
	print_threads_without_trace(recording);
	for (size_t i = 0; i < recording->nr_threads; i++) {
		const struct thread_recording *t = &recording->threads[i];
		if (t->nr_instructions > most)
			most = t->nr_instructions;
	}
	if (recording->nr_of_others > most)
		return sahm_fail(err, SAHM_IO,
				 "no trace is written: the main thread did not complete an epoch; it executed %llu "
				 "instructions, the others %llu: record all with --threads all",
				 (unsigned long long)most, (unsigned long long)recording->nr_of_others);
	if (recording->nr_forks)
		return sahm_fail(
			err, SAHM_IO,
			"no trace is written: '%s' did not complete an epoch; it executed %llu instructions, not "
			"counting the processes that it forked: record one of those",
			r->common.command[0], (unsigned long long)most);
	return sahm_fail(err, SAHM_IO,
			 "no trace is written: not one whole epoch was recorded; %s executed %llu instructions: "
			 "--epoch-instructions %llu takes shorter ones",
			 recording->nr_threads ? "the longest thread" : "the program", (unsigned long long)most,
			 (unsigned long long)shorter_epochs(most));
}

static enum sahm_status deliver(const struct request *r, const struct recording *recording, struct sahm_err *err)
{
	bool has_any = recording->trace != NULL;
	for (size_t i = 0; i < recording->nr_threads; i++)
		has_any |= recording->threads[i].trace != NULL;
	if (!has_any)
		return refuse_nothing(r, recording, err);
	const struct recording_files files = files_of(r);
	return recording_files_write(&files, recording, err);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {
		.perf.interval_ns = ns_of_ms(DEFAULT_EPOCH_MS),
		.provenance = {&r.common.provenance, &r.arena},
	};
	struct recording recording;
	struct recording_watch watch;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = choose_name(&r, err);
	if (status == SAHM_OK)
		status = set_date(&r, err);
	if (status == SAHM_OK && r.via == VIA_QEMU)
		status = read_cpu(&r, err);
	/* Better to know before the command has run for hours. */
	if (status == SAHM_OK) {
		const struct recording_files files = files_of(&r);
		bool may_have_threads = r.via == VIA_QEMU && r.qemu.threads == QEMU_THREADS_ALL;
		status = recording_files_try(&files, may_have_threads, err);
	}
	if (status == SAHM_OK && r.qemu.stream_path)
		status = try_file_output(r.qemu.stream_path, r.force, err);
	if (status == SAHM_OK) {
		recording_watch_begin(&watch, &r.common);
		status = record(&r, &recording, err);
		bool on_request = recording_watch_end(&watch);
		if (status == SAHM_OK) {
			print_notes(&recording.notes);
			print_recording_end(r.common.command[0], &recording, on_request);
			status = deliver(&r, &recording, err);
			if (status == SAHM_OK && recording.stream.status != SAHM_OK)
				status = sahm_fail(err, recording.stream.status,
						   "the trace is written, the stream is not: %s", recording.stream.msg);
			recording_release(&recording);
		}
	}
	arena_release(&r.arena);
	return status;
}

extern const struct command command_trace_record;
const struct command command_trace_record = {
	.name = "trace record",
	.operands = "[--] COMMAND [ARG]...",
	.summary = "run a command, count what it does, and write a trace",
	.details = "Counts with the processor's counters (`sahm trace events` lists them), including the "
		   "command's children, without the kernel's share. Each interval becomes an epoch; an "
		   "incomplete last interval is dropped. If there are no counters, as in most virtual machines, "
		   "--via qemu runs the command in an emulator.\n"
		   "The command keeps its standard input, output and error; sahm prints to standard error. "
		   "Ctrl-C ends the command, and its trace is kept; a second Ctrl-C kills it. The exit code is "
		   "0 if a trace was written; a warning reports how the command ended.",
	.options = options,
	.run = run,
};
