#include "workloads/record/record_qemu.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/base/file.h"
#include "sim/base/units.h"
#include "workloads/record/qemu_share.h"
#include "workloads/record/record_child.h"
#include "workloads/record/record_program.h"
#include "workloads/stream/stream.h"

/* Of the options that stand before the program. */
#define NR_QEMU_OPTIONS 6
#define WAIT_NS UINT64_C(200000000)

static const char *const emulators[NR_MACHINES] = {[MACHINE_X86_64] = "qemu-x86_64", [MACHINE_RV64] = "qemu-riscv64"};

/* Which of what is modelled stands for a counter. */
static const char *const events[NR_COUNTERS] = {
	[COUNTER_INSTRUCTIONS] = "instructions executed; of repeated string instructions, each time counts",
	[COUNTER_BRANCHES] = "branches, calls, returns and jumps executed",
	[COUNTER_BRANCH_MISSES] = "wrong directions, indirect targets and returns",
	[COUNTER_L1I_MISSES] = "lines fetched that were not in L1I",
	[COUNTER_L1D_ACCESSES] = "lines read and written by instructions",
	[COUNTER_L1D_MISSES] = "of these, not in L1D",
	[COUNTER_L2_ACCESSES] = "misses of L1I and L1D",
	[COUNTER_L2_MISSES] = "of these, not in L2",
};

struct job {
	const struct qemu_request *request;
	struct arena arena;
	struct record_program program;
	struct qemu_share *share;
	size_t share_bytes;
	int share_fd;
};

static enum sahm_status make_share(struct job *j, struct sahm_err *err)
{
	const struct qemu_request *r = j->request;
	uint64_t max_epochs = r->common.max_epochs;
	if (max_epochs == 0 || max_epochs > MAX_QEMU_EPOCHS)
		max_epochs = MAX_QEMU_EPOCHS;
	j->share_bytes = sizeof(*j->share) + max_epochs * sizeof(j->share->epochs[0]);
	j->share_fd = memfd_create("sahm", MFD_CLOEXEC);
	if (j->share_fd < 0 || ftruncate(j->share_fd, (off_t)j->share_bytes) != 0)
		return sahm_fail(err, SAHM_IO, "cannot make memory to share with QEMU: %s", strerror(errno));
	void *at = mmap(NULL, j->share_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, j->share_fd, 0);
	if (at == MAP_FAILED)
		return sahm_fail(err, SAHM_IO, "cannot make memory to share with QEMU: %s", strerror(errno));
	j->share = at;
	j->share->version = QEMU_SHARE_VERSION;
	j->share->cpu = *r->cpu;
	j->share->epoch_instructions = r->epoch_instructions;
	j->share->max_epochs = max_epochs;
	j->share->machine = j->program.machine;
	struct textbuf b;
	textbuf_init(&b);
	record_write_command(r->common.command, &b);
	bool failed = textbuf_failed(&b);
	/* It is for people: what is too long is cut. */
	snprintf(j->share->program, sizeof(j->share->program), "%s", failed ? "" : b.text);
	textbuf_release(&b);
	return failed ? sahm_fail_nomem(err) : SAHM_OK;
}

/* The program may change its folder before the stream is complete. */
static enum sahm_status place_stream(struct job *j, struct sahm_err *err)
{
	const char *path = j->request->stream_path;
	char folder[PATH_MAX] = "", real[PATH_MAX];
	if (!path)
		return SAHM_OK;
	/* It is replaced by a rename when it is complete: what a link leads to, not the link. */
	if (realpath(path, real))
		path = real;
	if (*path != '/' && !getcwd(folder, sizeof(folder)))
		return sahm_fail(err, SAHM_IO, "cannot tell the current folder: %s", strerror(errno));
	int len = snprintf(j->share->stream_path, sizeof(j->share->stream_path), "%s%s%s", folder, *folder ? "/" : "",
			   path);
	if (len < 0 || (size_t)len >= sizeof(j->share->stream_path))
		return sahm_fail(err, SAHM_IO, "cannot create '%s': %s", path, strerror(ENAMETOOLONG));
	return SAHM_OK;
}

/* A path that QEMU would take for an option. */
static char *behind_dot(struct job *j, const char *path)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "./%s", path);
	char *out = textbuf_failed(&b) ? NULL : arena_strdup(&j->arena, b.text);
	textbuf_release(&b);
	return out;
}

/* The command line of QEMU. A comma in an option of its own is written twice. */
static char **command_line(struct job *j, struct sahm_err *err)
{
	const char *emulator = emulators[j->program.machine], *plugin = j->request->plugin_path;
	char *path, *path_of_program = j->program.path;
	size_t nr = 0, at = 0;
	struct textbuf b;
	if (record_program_path(&j->arena, emulator, &path, err) != SAHM_OK)
		return NULL;
	if (!path) {
		sahm_fail(err, SAHM_IO, "cannot run '%s': %s; it comes with QEMU's user mode (Debian: qemu-user)",
			  emulator, strerror(ENOENT));
		return NULL;
	}
	if (access(plugin, R_OK) != 0) {
		sahm_fail(err, SAHM_IO, "cannot read the plug-in '%s', which QEMU would load: %s", plugin,
			  strerror(errno));
		return NULL;
	}
	while (j->program.args[nr])
		nr++;
	textbuf_init(&b);
	textbuf_puts(&b, "file=");
	for (const char *c = plugin; *c; c++)
		textbuf_printf(&b, *c == ',' ? ",," : "%c", *c);
	textbuf_printf(&b, ",share=%d", j->share_fd);
	char *option = textbuf_failed(&b) ? NULL : arena_strdup(&j->arena, b.text);
	textbuf_release(&b);
	char **line = arena_alloc(&j->arena, NR_QEMU_OPTIONS + nr + 4, sizeof(*line));
	if (!option || !line) {
		sahm_fail_nomem(err);
		return NULL;
	}
	static char plugin_option[] = "-plugin", seed_option[] = "-seed", seed[] = "1", name_option[] = "-0";
	line[at++] = path;
	line[at++] = plugin_option;
	line[at++] = option;
	if (!getenv("QEMU_RAND_SEED")) {
		line[at++] = seed_option;
		line[at++] = seed;
	}
	line[at++] = name_option;
	line[at++] = j->program.args[0];
	line[at++] = *path_of_program == '-' ? behind_dot(j, path_of_program) : path_of_program;
	if (!line[at - 1]) {
		sahm_fail_nomem(err);
		return NULL;
	}
	for (size_t i = 1; i < nr; i++)
		line[at++] = j->program.args[i];
	return line;
}

static enum sahm_status run(struct job *j, struct recording *out, struct sahm_err *err)
{
	struct record_child child;
	char **line = command_line(j, err);
	if (!line)
		return err->status;
	enum sahm_status status = record_child_start(&child, line, j->share_fd, err);
	if (status != SAHM_OK)
		return status;
	status = record_child_go(&child, err);
	const volatile sig_atomic_t *stop = j->request->common.stop;
	/* A signal that comes just before the wait is seen at its end. */
	while (status == SAHM_OK && record_child_wait(&child, clock_ns(CLOCK_MONOTONIC) + WAIT_NS, stop) == CHILD_RUNS)
		;
	record_child_end(&child, stop);
	record_child_tell(&child, out);
	return status;
}

static enum sahm_status fill_provenance(struct job *j, struct provenance *p, struct sahm_err *err)
{
	const struct qemu_request *r = j->request;
	const struct cpu *c = r->cpu;
	struct textbuf tool, machine, epoch;
	textbuf_init(&tool);
	textbuf_init(&machine);
	textbuf_init(&epoch);
	textbuf_printf(&tool, "sahm trace record --via qemu, %s", emulators[j->program.machine]);
	textbuf_printf(&machine,
		       "model of %s: L1I %" PRIu32 ",%" PRIu32 ",%" PRIu32 ", L1D %" PRIu32 ",%" PRIu32 ",%" PRIu32
		       ", L2 %" PRIu32 ",%" PRIu32 ",%" PRIu32 " (bytes, ways, line), predictor %s",
		       c->name, c->l1i.bytes, c->l1i.ways, c->l1i.line_bytes, c->l1d.bytes, c->l1d.ways,
		       c->l1d.line_bytes, c->l2.bytes, c->l2.ways, c->l2.line_bytes,
		       predictor_kind_name((enum predictor_kind)c->predictor.kind));
	textbuf_printf(&epoch, "%" PRIu64 " instructions, replayed as %g ms of baseline time", r->epoch_instructions,
		       ms_of_ns(r->epoch_ns));
	bool failed = textbuf_failed(&tool) || textbuf_failed(&machine) || textbuf_failed(&epoch);
	*p = r->common.provenance;
	const char *base = base_name(r->common.command[0]), *name = *base ? base : r->common.command[0];
	/* A command may hold any characters, a provenance not. */
	if (!p->text[PROVENANCE_NAME] && provenance_set(p, &j->arena, "name", strlen("name"), name, err) != SAHM_OK)
		return err->status;
	if (!p->text[PROVENANCE_PROGRAM] &&
	    provenance_set(p, &j->arena, "program", strlen("program"), j->share->program, err) != SAHM_OK)
		return err->status;
	p->text[PROVENANCE_SOURCE] = "recorded";
	for (int i = 0; i < NR_COUNTERS; i++)
		p->event[i] = events[i];
	if (!failed) {
		p->text[PROVENANCE_TOOL] = arena_strdup(&j->arena, tool.text);
		p->text[PROVENANCE_MACHINE] = arena_strdup(&j->arena, machine.text);
		p->text[PROVENANCE_EPOCH] = arena_strdup(&j->arena, epoch.text);
		provenance_override(p, &r->common.provenance);
	}
	textbuf_release(&tool);
	textbuf_release(&machine);
	textbuf_release(&epoch);
	return failed || !p->text[PROVENANCE_TOOL] || !p->text[PROVENANCE_MACHINE] || !p->text[PROVENANCE_EPOCH]
		       ? sahm_fail_nomem(err)
		       : SAHM_OK;
}

static enum sahm_status make_trace(struct job *j, struct recording *out, struct sahm_err *err)
{
	struct provenance provenance;
	struct trace_builder *b = trace_builder_new(false);
	enum sahm_status status = b ? fill_provenance(j, &provenance, err) : sahm_fail_nomem(err);
	for (uint64_t i = 0; status == SAHM_OK && i < j->share->nr_epochs; i++)
		status = trace_builder_add(b, &j->share->epochs[i], err);
	if (status == SAHM_OK)
		status = trace_builder_finish(b, provenance.text[PROVENANCE_NAME], j->request->epoch_ns, &provenance,
					      &out->trace, err);
	trace_builder_free(b);
	return status;
}

/* What was left out, a line each. */
static void tell(const struct job *j, struct textbuf *notes)
{
	const struct qemu_share *s = j->share;
	uint64_t rest = s->current.count[COUNTER_INSTRUCTIONS];
	if (rest)
		textbuf_printf(notes, "left out: the last %" PRIu64 " instructions, which are no whole epoch\n", rest);
	if (s->nr_threads)
		textbuf_printf(notes,
			       "left out: %" PRIu32 " other threads, which executed about %" PRIu64 " instructions\n",
			       s->nr_threads, s->other_instructions);
	if (s->nr_forks)
		textbuf_printf(notes, "left out: %" PRIu32 " processes that were forked\n", s->nr_forks);
	if (s->is_short_of_memory)
		textbuf_puts(notes, "left out: code that was translated while memory was short\n");
	if (s->is_replaced)
		textbuf_puts(notes, "left out: what the program became by execve()\n");
	if (s->progress == QEMU_FULL && s->nr_epochs == MAX_QEMU_EPOCHS)
		textbuf_printf(notes, "ended: there is no room for more than %" PRIu32 " epochs\n", MAX_QEMU_EPOCHS);
}

/* A stream whose writer was killed ends with the last epoch that is whole. */
static void complete_stream(struct job *j, struct sahm_err *err)
{
	err->status = SAHM_OK;
	if (!j->request->stream_path || j->share->is_stream_finished)
		return;
	if (*j->share->stream_message)
		sahm_fail(err, SAHM_IO, "%s", j->share->stream_message);
	else
		stream_recover(j->share->stream_path, err);
}

static enum sahm_status evaluate(struct job *j, struct recording *out, struct sahm_err *err)
{
	const struct qemu_share *s = j->share;
	if (s->progress == QEMU_REFUSED)
		return sahm_fail(err, SAHM_IO, "%s", s->message);
	const volatile sig_atomic_t *stop = j->request->common.stop;
	if (s->progress == QEMU_NOT_LOADED && (out->signal || (stop && *stop)))
		return sahm_fail(err, SAHM_IO, "'%s' was ended before it began", j->request->common.command[0]);
	if (s->progress == QEMU_NOT_LOADED)
		return sahm_fail(err, SAHM_IO,
				 "%s did not load the plug-in '%s' (version 7.2 or later, built with plug-ins, "
				 "is needed)",
				 emulators[j->program.machine], j->request->plugin_path);
	out->nr_instructions = s->current.count[COUNTER_INSTRUCTIONS];
	for (uint64_t i = 0; i < s->nr_epochs; i++)
		out->nr_instructions += s->epochs[i].count[COUNTER_INSTRUCTIONS];
	/* The plug-in ends the program by a signal; that is no failure of the program. */
	if (s->progress == QEMU_FULL) {
		out->was_cut = true;
		out->signal = 0;
	}
	out->was_cut |= stop && *stop;
	tell(j, &out->notes);
	return s->nr_epochs ? make_trace(j, out, err) : SAHM_OK;
}

enum sahm_status record_qemu(const struct qemu_request *request, struct recording *out, struct sahm_err *err)
{
	struct job j = {.request = request, .share_fd = -1};
	*out = (struct recording){.exit_code = -1};
	textbuf_init(&out->notes);
	arena_init(&j.arena);
	enum sahm_status status = record_program_find(&j.arena, request->common.command, &j.program, err);
	if (status == SAHM_OK)
		status = make_share(&j, err);
	if (status == SAHM_OK)
		status = place_stream(&j, err);
	if (status == SAHM_OK)
		status = run(&j, out, err);
	if (status == SAHM_OK)
		status = evaluate(&j, out, err);
	if (status == SAHM_OK)
		complete_stream(&j, &out->stream);
	if (status == SAHM_OK && textbuf_failed(&out->notes))
		status = sahm_fail_nomem(err);
	if (j.share)
		munmap(j.share, j.share_bytes);
	if (j.share_fd >= 0)
		close(j.share_fd);
	arena_release(&j.arena);
	if (status != SAHM_OK)
		recording_release(out);
	return status;
}
