#include "workloads/record/record_qemu.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/clock.h"
#include "sim/base/file.h"
#include "sim/base/rng.h"
#include "sim/base/shell.h"
#include "sim/base/units.h"
#include "workloads/record/qemu_line.h"
#include "workloads/record/record_child.h"
#include "workloads/record/record_program.h"
#include "workloads/stream/stream.h"

#define WAIT_NS UINT64_C(500000000)

/* This number of waits without an instruction means that the command waits. */
#define NR_IDLE_WAITS 4

/* How many times as long a program takes in QEMU, at least. What its children become by execve() runs outside. */
#define QEMU_SLOWDOWN 10u

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
	uint64_t began_ns, progress_due_ns;
	uint64_t nr_seen; /* instructions, at the last wait */
	unsigned nr_idle_waits;
	bool has_told_wait;
};

uint64_t record_first_epoch(uint64_t seed)
{
	struct rng r;
	rng_init(&r, seed, "record", "first epoch");
	return rng_below(&r, UINT64_C(1) << 32);
}

static enum sahm_status make_share(struct job *j, struct sahm_err *err)
{
	const struct qemu_request *r = j->request;
	uint64_t max_epochs = r->common.max_epochs;
	if (max_epochs == 0 || max_epochs > MAX_QEMU_EPOCHS)
		max_epochs = MAX_QEMU_EPOCHS;
	j->share_bytes = sizeof(*j->share) + (size_t)MAX_QEMU_EPOCHS * sizeof(j->share->epochs[0]);
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
	j->share->every_epochs = r->every_epochs ? r->every_epochs : 1;
	j->share->first_epoch = r->first_epoch;
	j->share->warm = r->warm;
	j->share->max_taken = r->max_taken;
	j->share->which = (enum qemu_threads)r->threads;
	j->share->machine = j->program.machine;
	struct textbuf b;
	textbuf_init(&b);
	record_write_command(r->common.command, &b);
	bool failed = textbuf_failed(&b);
	/* It is for people: longer text is cut. */
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

/* Appends an option to the line; false where there is no room for it. */
static bool put_option(struct qemu_share *s, size_t *len, const char *option)
{
	size_t size = strlen(option) + 1;
	/* An empty one ends the line. */
	if (size >= sizeof(s->line) - *len)
		return false;
	memcpy(s->line + *len, option, size);
	*len += size;
	return true;
}

/* What QEMU takes from the environment, which a program may change before it calls execve(). */
static const struct {
	const char *variable, *option, *preset;
} kept[] = {{"QEMU_RAND_SEED", "-seed", "1"}, {"QEMU_LD_PREFIX", "-L", NULL}, {"QEMU_CPU", "-cpu", NULL}};

/* QEMU and its options. A comma in an option of its own is written twice. */
static enum sahm_status write_line(struct job *j, struct sahm_err *err)
{
	const char *emulator = emulators[j->program.machine], *plugin = j->request->plugin_path;
	char *path, real[PATH_MAX], real_plugin[PATH_MAX];
	struct qemu_share *s = j->share;
	size_t len = 0;
	if (record_program_path(&j->arena, emulator, &path, err) != SAHM_OK)
		return err->status;
	if (!path)
		return sahm_fail(err, SAHM_IO,
				 "cannot run '%s': %s; it comes with QEMU's user mode (Debian: qemu-user)", emulator,
				 strerror(ENOENT));
	if (access(plugin, R_OK) != 0 || !realpath(plugin, real_plugin))
		return sahm_fail(err, SAHM_IO, "cannot read the plug-in '%s', which QEMU would load: %s", plugin,
				 strerror(errno));
	bool fits = put_option(s, &len, realpath(path, real) ? real : path);
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		const char *value = getenv(kept[i].variable);
		value = value ? value : kept[i].preset;
		if (value)
			fits = fits && put_option(s, &len, kept[i].option) && put_option(s, &len, value);
	}
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, "file=");
	for (const char *c = real_plugin; *c; c++)
		textbuf_printf(&b, *c == ',' ? ",," : "%c", *c);
	fits = fits && put_option(s, &len, "-plugin") && put_option(s, &len, b.text);
	bool failed = textbuf_failed(&b);
	textbuf_release(&b);
	if (failed)
		return sahm_fail_nomem(err);
	if (!fits)
		return sahm_fail(err, SAHM_IO, "QEMU's command line is too long");
	snprintf(s->share_path, sizeof(s->share_path), "/proc/%d/fd/%d", (int)getpid(), j->share_fd);
	if (!getcwd(s->folder, sizeof(s->folder)))
		*s->folder = '\0';
	snprintf(s->image, sizeof(s->image), "%s", realpath(j->program.path, real) ? real : j->program.path);
	return SAHM_OK;
}

static uint64_t instructions_of(const struct qemu_thread *t)
{
	return t->nr_instructions + t->current.count[COUNTER_INSTRUCTIONS];
}

static uint32_t nr_threads_of(const struct qemu_share *s)
{
	return s->nr_threads < MAX_QEMU_THREADS ? s->nr_threads : MAX_QEMU_THREADS;
}

static void report_progress(struct job *j)
{
	const struct record_request *r = &j->request->common;
	const struct qemu_share *s = j->share;
	uint64_t nr_instructions = 0;
	for (uint32_t i = 0; i < nr_threads_of(s); i++)
		nr_instructions += instructions_of(&s->threads[i]);
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (r->progress && now_ns >= j->progress_due_ns) {
		r->progress(s->nr_epochs, nr_instructions, now_ns - j->began_ns);
		j->progress_due_ns = now_ns + r->progress_ns;
	}
	j->nr_idle_waits = nr_instructions == j->nr_seen ? j->nr_idle_waits + 1 : 0;
	j->nr_seen = nr_instructions;
	if (r->waits && s->nr_forks > 0 && j->nr_idle_waits == NR_IDLE_WAITS && !j->has_told_wait) {
		j->has_told_wait = true;
		r->waits(s->child);
	}
}

static enum sahm_status run(struct job *j, struct recording *out, struct sahm_err *err)
{
	struct record_child child;
	enum sahm_status status = write_line(j, err);
	if (status != SAHM_OK)
		return status;
	char **line = qemu_line(&j->arena, j->share, j->share_fd, &j->program);
	if (!line)
		return sahm_fail_nomem(err);
	status = record_child_start(&child, line, j->share_fd, err);
	if (status != SAHM_OK)
		return status;
	j->began_ns = clock_ns(CLOCK_MONOTONIC);
	j->progress_due_ns = j->began_ns + j->request->common.progress_ns;
	status = record_child_go(&child, err);
	const volatile sig_atomic_t *stop = j->request->common.stop;
	/* A signal that comes just before the wait is seen at its end. */
	while (status == SAHM_OK && record_child_wait(&child, clock_ns(CLOCK_MONOTONIC) + WAIT_NS, stop) == CHILD_RUNS)
		report_progress(j);
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
	provenance_say_origins(p, true);
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

/* Of the thread at `thread`, or of all (QEMU_THREADS_SUM): its place there, its epochs in the order in which they
 * ended. NULL in *out where there is none. */
static enum sahm_status make_trace(struct job *j, uint32_t thread, const struct provenance *provenance,
				   struct trace **out, struct sahm_err *err)
{
	const struct qemu_share *s = j->share;
	/* A last one that was reached by the last block. */
	const struct epoch_counts *last = s->which == QEMU_THREADS_SUM ? &s->sum : &s->threads[thread].current;
	bool has_last = last->count[COUNTER_INSTRUCTIONS] >= s->epoch_instructions;
	if (s->threads[thread].nr_epochs == 0 && !has_last)
		return SAHM_OK;
	struct trace_builder *b = trace_builder_new(false);
	enum sahm_status status = b ? SAHM_OK : sahm_fail_nomem(err);
	for (uint64_t i = 0; status == SAHM_OK && i < s->nr_epochs && i < MAX_QEMU_EPOCHS; i++)
		if (s->epochs[i].thread == thread + 1)
			status = trace_builder_add(b, &s->epochs[i].counts, err);
	if (status == SAHM_OK && has_last && s->progress != QEMU_FULL)
		status = trace_builder_add(b, last, err);
	if (status == SAHM_OK)
		status = trace_builder_finish(b, provenance->text[PROVENANCE_NAME], j->request->epoch_ns, provenance,
					      out, err);
	trace_builder_free(b);
	return status;
}

/* One trace of each thread, called "NAME.t2", and as the kernel calls the thread. */
static enum sahm_status make_threads(struct job *j, const struct provenance *provenance, struct recording *out,
				     struct sahm_err *err)
{
	const struct qemu_share *s = j->share;
	uint32_t nr = nr_threads_of(s);
	enum sahm_status status = SAHM_OK;
	out->threads = calloc(nr, sizeof(*out->threads));
	if (!out->threads)
		return sahm_fail_nomem(err);
	out->nr_threads = nr;
	for (uint32_t i = 0; status == SAHM_OK && i < nr; i++) {
		struct thread_recording *t = &out->threads[i];
		struct provenance own = *provenance;
		struct textbuf name;
		t->number = i + 1;
		t->nr_instructions = instructions_of(&s->threads[i]);
		snprintf(t->name, sizeof(t->name), "%.15s", s->threads[i].name);
		textbuf_init(&name);
		textbuf_printf(&name, "%s.t%u%s%s", provenance->text[PROVENANCE_NAME], t->number, *t->name ? " " : "",
			       t->name);
		own.text[PROVENANCE_NAME] = NULL;
		status = textbuf_failed(&name)
				 ? sahm_fail_nomem(err)
				 : provenance_set(&own, &j->arena, "name", strlen("name"), name.text, err);
		textbuf_release(&name);
		if (status == SAHM_OK)
			status = make_trace(j, i, &own, &t->trace, err);
	}
	return status;
}

static enum sahm_status make_traces(struct job *j, struct recording *out, struct sahm_err *err)
{
	const struct qemu_share *s = j->share;
	struct provenance provenance;
	enum sahm_status status = fill_provenance(j, &provenance, err);
	if (status == SAHM_OK && s->which == QEMU_THREADS_ALL && s->nr_threads > 1)
		return make_threads(j, &provenance, out, err);
	return status == SAHM_OK ? make_trace(j, 0, &provenance, &out->trace, err) : status;
}

static void describe_children(const struct job *j, struct textbuf *notes)
{
	const struct qemu_share *s = j->share;
	textbuf_printf(notes, "left out: %" PRIu32 " %s forked", s->nr_forks,
		       s->nr_forks == 1 ? "process that was" : "processes that were");
	/* A program that did most of the work itself is recorded well enough. */
	bool others_work = s->children_cpu_ns > s->own_cpu_ns / QEMU_SLOWDOWN;
	if (*s->child && (j->has_told_wait || s->nr_epochs == 0 || others_work)) {
		textbuf_puts(notes, "; to record such a one, name its command: ");
		if (*s->child_folder) {
			textbuf_puts(notes, "cd ");
			shell_write_file(notes, s->child_folder);
			textbuf_puts(notes, " && ");
		}
		textbuf_printf(notes, "sahm trace record --via qemu -- %s", s->child);
	}
	textbuf_putc(notes, '\n');
}

/* What was left out, a line each. */
static void describe_run(const struct job *j, struct textbuf *notes)
{
	const struct qemu_share *s = j->share;
	uint32_t nr = nr_threads_of(s), nr_rests = 0;
	uint64_t rest =
		s->sum.count[COUNTER_INSTRUCTIONS] < s->epoch_instructions ? s->sum.count[COUNTER_INSTRUCTIONS] : 0;
	uint64_t others = 0;
	for (uint32_t i = 0; i < nr; i++) {
		uint64_t own = s->threads[i].current.count[COUNTER_INSTRUCTIONS];
		if (i > 0 && s->which == QEMU_THREADS_MAIN) {
			others += instructions_of(&s->threads[i]);
		} else if (own < s->epoch_instructions) {
			rest += own;
			nr_rests += own > 0;
		}
	}
	if (j->request->only_stream)
		rest = 0;
	if (rest && s->which == QEMU_THREADS_ALL && nr > 1)
		textbuf_printf(notes,
			       "left out: %" PRIu64 " instructions of %" PRIu32 " threads, which are no whole epochs\n",
			       rest, nr_rests);
	else if (rest)
		textbuf_printf(notes, "left out: the last %" PRIu64 " instructions, which are no whole epoch\n", rest);
	if (others)
		textbuf_printf(notes, "left out: %" PRIu32 " other %s, which executed %" PRIu64 " instructions\n",
			       nr - 1, nr == 2 ? "thread" : "threads", others);
	if (s->nr_threads > nr)
		textbuf_printf(notes, "left out: %" PRIu32 " threads after the first %" PRIu32 "\n", s->nr_threads - nr,
			       nr);
	if (s->nr_forks)
		describe_children(j, notes);
	if (s->is_short_of_memory)
		textbuf_puts(notes, "left out: code that was translated while memory was short\n");
	if (s->is_replaced)
		textbuf_printf(notes, "left out: what the program became by execve(): %s\n", s->replaced_message);
	uint64_t first = s->first_epoch % s->every_epochs;
	if (j->request->stream_path && first > s->nr_epochs)
		textbuf_printf(notes,
			       "the stream is empty: of every %" PRIu64 " epochs number %" PRIu64
			       " is taken, counted from 0, and the program ended in epoch %" PRIu64 "\n",
			       s->every_epochs, first, s->nr_epochs);
	if (s->nr_followed && j->request->stream_path)
		textbuf_puts(notes, "left out of the stream: what ran before the last execve()\n");
	if (s->progress == QEMU_FULL && s->nr_epochs >= MAX_QEMU_EPOCHS)
		textbuf_printf(notes, "ended: there is no room for more than %" PRIu32 " epochs\n", MAX_QEMU_EPOCHS);
}

/* What threads had not added yet. */
static void finish_sum(struct qemu_share *s)
{
	for (uint32_t i = 0; i < nr_threads_of(s); i++) {
		struct epoch_counts *own = &s->threads[i].current;
		s->threads[i].nr_instructions += own->count[COUNTER_INSTRUCTIONS];
		for (int c = 0; c < NR_COUNTERS; c++)
			s->sum.count[c] += own->count[c];
		*own = (struct epoch_counts){0};
	}
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
	for (uint32_t i = 0; i < nr_threads_of(s); i++)
		*(i == 0 || s->which != QEMU_THREADS_MAIN ? &out->nr_instructions : &out->nr_of_others) +=
			instructions_of(&s->threads[i]);
	out->nr_forks = s->nr_forks;
	if (s->which == QEMU_THREADS_SUM)
		finish_sum(j->share);
	/* The plug-in ends the program by a signal; that is no failure of the program. */
	if (s->progress == QEMU_FULL) {
		out->was_cut = true;
		out->signal = 0;
	}
	out->was_cut |= stop && *stop;
	describe_run(j, &out->notes);
	return j->request->only_stream ? SAHM_OK : make_traces(j, out, err);
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
	out->every_epochs = j.share ? j.share->every_epochs : 1;
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
