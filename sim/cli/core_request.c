#include "sim/cli/core_request.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/chart/plot.h"
#include "sim/base/units.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"
#include "sim/cli/qemu_plugin.h"
#include "sim/cli/recording_files.h"
#include "sim/cli/recording_watch.h"
#include "sim/cli/shipped_file.h"
#include "sim/sweep/trace_suite.h"
#include "workloads/record/record_name.h"
#include "workloads/record/record_qemu.h"
#include "workloads/stream/stream_slice.h"

enum sahm_status core_request_model(const char *name, const struct option_list *settings, struct core_model *out,
				    struct sahm_err *err)
{
	char path[SHIPPED_PATH_BYTES], cpus[SHIPPED_PATH_BYTES];
	enum sahm_status status = find_shipped(&shipped_cores, name, path, err);
	if (status != SAHM_OK)
		return status;
	snprintf(cpus, sizeof(cpus), "%.4100s/%s", data_folder(), "configs/cpus");
	return core_model_read(path, settings->items, settings->nr, cpus, out, err);
}

enum sahm_status core_request_stream_classes(const char *path, bool *has_no_multiply_add, struct sahm_err *err)
{
	struct stream *s = NULL;
	enum sahm_status status = stream_open(path, NULL, &s, err);
	if (status == SAHM_OK)
		*has_no_multiply_add = stream_version(s) == 1;
	stream_free(s);
	return status;
}

enum sahm_status core_request_split(const struct option_list *given, const char *option, const char *what,
				    struct arena *a, struct option_list *out, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < given->nr; i++)
		for (const char *at = given->items[i]; at && status == SAHM_OK;) {
			size_t len = strcspn(at, ",");
			if (len == 0)
				return sahm_fail(err, SAHM_USAGE, "%s: %s is missing in '%.60s'", option, what,
						 given->items[i]);
			const char *kept = arena_strndup(a, at, len);
			status = kept ? option_list_add(out, kept, err) : sahm_fail_nomem(err);
			at = at[len] ? at + len + 1 : NULL;
		}
	return status;
}

enum sahm_status take_core_operand(void *to, struct option_walk *w, struct sahm_err *err)
{
	struct core_operands *o = to;
	if (!w->operands_only)
		return option_list_add(&o->streams, w->value, err);
	o->command = w->args - 1;
	while (*w->args)
		w->args++;
	return SAHM_OK;
}

#define MAKE_STREAMS "sh workloads/suites/open/record.sh --streams DIR"

static enum sahm_status add_suite_stream(struct core_operands *o, const char *folder, const char *trace,
					 struct sahm_err *err)
{
	const char *slash = strrchr(trace, '/'), *name = slash ? slash + 1 : trace;
	char path[4096];
	int len = snprintf(path, sizeof(path), "%s/%.*s.stream", folder, (int)strcspn(name, "."), name);
	const char *kept = len > 0 && (size_t)len < sizeof(path) ? arena_strdup(&o->arena, path) : NULL;
	if (!kept)
		return sahm_fail_nomem(err);
	if (access(kept, R_OK) != 0)
		return sahm_fail(err, SAHM_IO,
				 "cannot open '%s', of --suite %s: %s; " MAKE_STREAMS
				 " makes the streams of the suite 'open'",
				 kept, o->suite, strerror(errno));
	return option_list_add(&o->streams, kept, err);
}

enum sahm_status core_operands_resolve(struct core_operands *o, struct sahm_err *err)
{
	struct trace_suite suite;
	const char *folder = o->folder ? o->folder : getenv("SAHM_STREAMS");
	if (!o->suite)
		return o->folder ? sahm_fail(err, SAHM_USAGE, "--streams needs --suite") : SAHM_OK;
	if (o->command)
		return sahm_fail(err, SAHM_USAGE, "--suite and a command exclude each other");
	if (o->streams.nr > 0)
		return sahm_fail(err, SAHM_USAGE, "'%s' precedes --suite: give streams or a suite, not both",
				 o->streams.items[0]);
	if (!folder || !*folder)
		return sahm_fail(err, SAHM_USAGE,
				 "--suite needs a folder of streams: --streams DIR or $SAHM_STREAMS; " MAKE_STREAMS
				 " makes those of the suite 'open'");
	enum sahm_status status = trace_suite_read(&o->arena, o->suite, data_folder(), &suite, err);
	for (const struct cfg_node *t = status == SAHM_OK ? suite.traces->first : NULL; t && status == SAHM_OK;
	     t = t->next)
		status = add_suite_stream(o, folder, t->value.string, err);
	return status;
}

void core_operands_release(struct core_operands *o)
{
	free(o->streams.items);
	arena_release(&o->arena);
	if (o->unnamed > 0)
		close(o->unnamed);
}

enum sahm_status core_operands_check_outputs(const struct core_operands *o, const struct option_list *cores,
					     const char *const *outputs, size_t nr, struct sahm_err *err)
{
	char path[SHIPPED_PATH_BYTES];
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		for (size_t k = 0; k < i && status == SAHM_OK; k++)
			if (outputs[i] && outputs[k] && is_same_file(outputs[i], outputs[k]))
				status = sahm_fail(err, SAHM_USAGE, "two outputs are the same file, '%s'", outputs[i]);
		for (size_t k = 0; k < o->streams.nr && status == SAHM_OK; k++)
			status = refuse_overwriting(outputs[i], o->streams.items[k], err);
		for (size_t k = 0; k < cores->nr && status == SAHM_OK; k++) {
			status = find_shipped(&shipped_cores, cores->items[k], path, err);
			if (status == SAHM_OK)
				status = refuse_overwriting(outputs[i], path, err);
		}
	}
	return status;
}

enum sahm_status core_request_check_figures(const char *folder, const char *const *figures, bool force,
					    struct sahm_err *err)
{
	enum sahm_status status = folder ? try_folder(folder, err) : SAHM_OK;
	for (; *figures && folder && !force && status == SAHM_OK; figures++)
		status = plot_refuse_existing(folder, *figures, err);
	return status;
}

enum sahm_status core_operands_check(const struct core_operands *o, const char *command, struct sahm_err *err)
{
	if (!o->command && o->streams.nr == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "a stream is missing: %s STREAM..., %s --suite open, or %s -- COMMAND", command,
				 command, command);
	if (o->command && o->streams.nr > 0)
		return sahm_fail(err, SAHM_USAGE, "'%s' precedes --: give streams or a command, not both",
				 o->streams.items[0]);
	if (o->keep && !o->command)
		return sahm_fail(err, SAHM_USAGE, "--keep is of a command: %s --keep FILE -- COMMAND", command);
	return SAHM_OK;
}

enum sahm_status core_operands_look(const struct core_operands *o, const struct stream_sampling *sampling,
				    uint64_t *nr_sampled, uint64_t *total, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < o->streams.nr && status == SAHM_OK; i++) {
		struct stream *s = NULL;
		status = open_stream(o->streams.items[i], &s, err);
		if (status == SAHM_OK)
			status = core_request_check_sampling(sampling, s, core_operands_label(o, i), err);
		if (status == SAHM_OK) {
			*total += stream_nr_instructions(s);
			nr_sampled[i] = stream_is_sampled(s) ? stream_nr_epochs(s) : 0;
		}
		stream_free(s);
	}
	return status;
}

const char *core_operands_label(const struct core_operands *o, size_t i)
{
	return o->name ? o->name : o->streams.items[i];
}

enum sahm_status core_request_sampling(struct stream_sampling *s, bool has_warm, struct sahm_err *err)
{
	if (s->every == 0)
		return s->take > 0 || has_warm ? sahm_fail(err, SAHM_USAGE, "--take and --warm need --every") : SAHM_OK;
	if (s->take == 0)
		s->take = s->every >= 10 ? s->every / 10 : 1;
	if (s->take > s->every)
		return sahm_fail(err, SAHM_USAGE, "--take is %llu, more than --every, which is %llu",
				 (unsigned long long)s->take, (unsigned long long)s->every);
	if (!has_warm)
		s->warm = s->every - s->take;
	if (s->warm > s->every - s->take)
		return sahm_fail(err, SAHM_USAGE,
				 "--warm is %llu, but of %llu instructions %llu are timed: at most %llu can be before "
				 "them",
				 (unsigned long long)s->warm, (unsigned long long)s->every, (unsigned long long)s->take,
				 (unsigned long long)(s->every - s->take));
	return SAHM_OK;
}

enum sahm_status core_request_check_sampling(const struct stream_sampling *p, const struct stream *s, const char *path,
					     struct sahm_err *err)
{
	uint64_t nr = stream_nr_instructions(s);
	if (nr == 0)
		return sahm_fail(err, SAHM_FORMAT, "%s: there are no instructions in it", path);
	if (p->skip == 0 && p->every == 0)
		return SAHM_OK;
	if (stream_is_sampled(s))
		return sahm_fail(err, SAHM_USAGE, "'%s' is a sample already: --skip and --every are for whole streams",
				 path);
	if (p->skip >= nr)
		return sahm_fail(err, SAHM_USAGE, "--skip is %" PRIu64 ", '%s' has %" PRIu64 " instructions", p->skip,
				 path, nr);
	if (p->every > nr - p->skip)
		return sahm_fail(err, SAHM_USAGE,
				 "--every is %" PRIu64 ", '%s' has %" PRIu64 " instructions after --skip", p->every,
				 path, nr - p->skip);
	return SAHM_OK;
}

/* ---- Recording ---- */

/* More epochs than that are not taken of a command. */
#define MAX_TAKEN 32u
#define WARM_INSTRUCTIONS (DEFAULT_EPOCH_INSTRUCTIONS / 2)

/* The stream has more epochs at the beginning than later: leaves one of `every`. */
static enum sahm_status thin_out(const char *path, uint64_t every, uint64_t first, struct sahm_err *err)
{
	struct stream *s;
	enum sahm_status status = stream_open(path, NULL, &s, err);
	if (status != SAHM_OK)
		return status;
	const struct slice_request which = {
		.to = stream_nr_epochs(s), .every = every, .first = first, .warm = WARM_INSTRUCTIONS};
	status = stream_slice(s, &which, path, err);
	stream_free(s);
	if (status == SAHM_OK)
		print_remark(
			"the command is long: one of %llu epochs is taken, each but the program's first one after %llu "
			"instructions that only warm caches, TLBs and predictors",
			(unsigned long long)every, (unsigned long long)WARM_INSTRUCTIONS);
	return status;
}

static enum sahm_status record(char **command, const char *path, struct sahm_err *err)
{
	char plugin[QEMU_PLUGIN_PATH_BYTES], cpu_path[SHIPPED_PATH_BYTES], name[RECORD_NAME_BYTES];
	struct recording recording;
	struct cpu cpu;
	struct qemu_request q = {.cpu = &cpu,
				 .threads = QEMU_THREADS_MAIN,
				 .epoch_instructions = DEFAULT_EPOCH_INSTRUCTIONS,
				 .epoch_ns = ns_of_ms(DEFAULT_EPOCH_MS),
				 .stream_path = path,
				 .warm = WARM_INSTRUCTIONS,
				 .max_taken = MAX_TAKEN,
				 .first_epoch = record_first_epoch(DEFAULT_RECORD_SEED),
				 .plugin_path = plugin,
				 .only_stream = true};
	struct recording_watch watch;
	enum sahm_status status = find_shipped(&shipped_cpus, DEFAULT_CPU, cpu_path, err);
	if (status == SAHM_OK)
		status = cpu_read(cpu_path, &cpu, err);
	if (status != SAHM_OK)
		return status;
	find_qemu_plugin(plugin);
	record_name(command, name);
	q.common.command = command;
	q.common.provenance.text[PROVENANCE_NAME] = name;
	recording_watch_begin(&watch, &q.common);
	status = record_qemu(&q, &recording, err);
	bool on_request = recording_watch_end(&watch);
	if (status != SAHM_OK)
		return status;
	print_notes(&recording.notes);
	print_recording_end(command[0], &recording, on_request);
	if (recording.stream.status != SAHM_OK)
		status = sahm_fail(err, recording.stream.status, "there is no stream: %s", recording.stream.msg);
	else if (recording.every_epochs > 1)
		status = thin_out(path, recording.every_epochs, q.first_epoch, err);
	recording_release(&recording);
	return status;
}

/* With standard output on standard error. */
static enum sahm_status record_aside(char **command, const char *path, struct sahm_err *err)
{
	int own = dup(STDOUT_FILENO);
	if (own < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		int cause = errno;
		if (own >= 0)
			close(own);
		return sahm_fail(err, SAHM_IO, "cannot redirect standard output: %s", strerror(cause));
	}
	enum sahm_status status = record(command, path, err);
	if (dup2(own, STDOUT_FILENO) < 0 && status == SAHM_OK)
		status = sahm_fail(err, SAHM_IO, "cannot redirect standard output: %s", strerror(errno));
	close(own);
	return status;
}

static enum sahm_status add_unnamed(struct core_operands *o, const char *path, struct sahm_err *err)
{
	char by_descriptor[64];
	o->unnamed = open(path, O_RDONLY | O_CLOEXEC);
	if (o->unnamed < 0)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	snprintf(by_descriptor, sizeof(by_descriptor), "/proc/self/fd/%d", o->unnamed);
	const char *kept = arena_strdup(&o->arena, by_descriptor);
	return kept ? option_list_add(&o->streams, kept, err) : sahm_fail_nomem(err);
}

static volatile sig_atomic_t is_pipe_broken;

static void note_broken_pipe(int signal)
{
	(void)signal;
	is_pipe_broken = 1;
}

static enum sahm_status record_in_folder(struct core_operands *o, struct sahm_err *err)
{
	const char *given = getenv("TMPDIR"), *parent = given && *given ? given : "/tmp";
	char folder[4096], path[sizeof(folder) + 16], part[sizeof(path) + 8];
	int len = snprintf(folder, sizeof(folder), "%s/sahm-XXXXXX", parent);
	if (len < 0 || (size_t)len >= sizeof(folder) || !mkdtemp(folder))
		return sahm_fail(err, SAHM_IO, "cannot create a temporary folder in '%s': %s", parent, strerror(errno));
	snprintf(path, sizeof(path), "%s/stream", folder);
	snprintf(part, sizeof(part), "%s.part", path);
	enum sahm_status status = record_aside(o->command, path, err);
	if (status == SAHM_OK)
		status = add_unnamed(o, path, err);
	unlink(path);
	unlink(part);
	rmdir(folder);
	return status;
}

/* The stream has no name once it is recorded: it vanishes with the process, however that ends. Where nobody reads the
 * messages, the process ends after its folder has gone. A handler, unlike a blocked signal, is not the command's. */
static enum sahm_status record_unnamed(struct core_operands *o, struct sahm_err *err)
{
	struct sigaction note = {.sa_handler = note_broken_pipe}, before;
	sigaction(SIGPIPE, &note, &before);
	enum sahm_status status = record_in_folder(o, err);
	sigaction(SIGPIPE, &before, NULL);
	if (is_pipe_broken)
		raise(SIGPIPE);
	return status;
}

enum sahm_status core_operands_record(struct core_operands *o, bool force, struct sahm_err *err)
{
	char name[RECORD_NAME_BYTES];
	if (!o->command)
		return SAHM_OK;
	if (!o->command[0] || !*o->command[0])
		return sahm_fail(err, SAHM_USAGE, "a command is missing after --");
	record_name(o->command, name);
	o->name = arena_strdup(&o->arena, name);
	enum sahm_status status = o->name ? try_file_output(o->keep, force, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK && !o->keep)
		return record_unnamed(o, err);
	if (status == SAHM_OK)
		status = record_aside(o->command, o->keep, err);
	return status == SAHM_OK ? option_list_add(&o->streams, o->keep, err) : status;
}
