/* sahm doctor: other programs, counters, a server. Those that draw and emulate are tried. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cores/isa/insn.h"
#include "cores/uarch/cpu.h"
#include "results/chart/plot.h"
#include "sim/base/hold.h"
#include "sim/base/units.h"
#include "sim/cli/doctor.h"
#include "sim/cli/qemu_plugin.h"
#include "sim/cli/redis_request.h"
#include "sim/cli/shipped_file.h"
#include "sim/queue/redis_link.h"
#include "workloads/record/perf_set.h"
#include "workloads/record/record_qemu.h"

/* perf_event_paranoid up to which everybody may count what programs of their own do. */
#define ENOUGH_PARANOIA 2

void doctor_counters(struct doctor_finding *f)
{
	struct pmu_machine m;
	struct sahm_err err;
	struct arena a;
	struct pmu_event events[MAX_PMU_EVENTS];
	unsigned nr = 0, nr_open = 0;
	machine_read("", &m);
	arena_init(&a);
	enum sahm_status status = machine_check(&m, &err);
	if (status == SAHM_OK)
		status = pmu_events(m.pmu, &a, events, &nr, &err);
	doctor_note(f, status);
	for (unsigned i = 0; i < nr; i++)
		nr_open += perf_event_error(&perf_kernel, &events[i]) == 0;
	if (status != SAHM_OK)
		doctor_say(f, m.pmu && *m.device ? DOCTOR_BROKEN : DOCTOR_MISSING, "%s", err.msg);
	else
		doctor_say(f, nr_open == nr ? DOCTOR_OK : DOCTOR_BROKEN, "PMU %s (%s): %u of %u events can be opened",
			   m.pmu->name, m.pmu->title, nr_open, nr);
	/* No setting is needed for what the kernel lets every user count. */
	if (status == SAHM_TOOL)
		f->to_have = "apt-get install " LIBPFM_PACKAGE;
	else if (f->state != DOCTOR_OK && (m.paranoia == PARANOIA_UNKNOWN || m.paranoia <= ENOUGH_PARANOIA))
		f->to_have =
			"a machine with hardware counters, which this one does not offer, as most virtual machines; "
			"sahm trace record --via qemu works without";
	if (m.paranoia != PARANOIA_UNKNOWN)
		textbuf_printf(&f->text, "; perf_event_paranoid is %d", (int)m.paranoia);
	arena_release(&a);
}

static volatile sig_atomic_t stop;

static void end_trial(int number)
{
	(void)number;
	stop = 2;
}

static void say_whether_loaded(struct doctor_finding *f, enum sahm_status status, const struct sahm_err *err)
{
	doctor_note(f, status);
	if (status == SAHM_OK)
		doctor_say(f, DOCTOR_OK, "can be loaded");
	else
		doctor_say(f, DOCTOR_MISSING, "%s", err->msg);
}

/* By events of another processor, which the library encodes anywhere. */
void doctor_libpfm(struct doctor_finding *f)
{
	struct sahm_err err;
	struct arena a;
	struct pmu_event events[MAX_PMU_EVENTS];
	unsigned nr;
	const struct pmu *p = pmus;
	while (!p->libpfm)
		p++;
	arena_init(&a);
	enum sahm_status status = pmu_events(p, &a, events, &nr, &err);
	say_whether_loaded(f, status, &err);
	arena_release(&a);
}

void doctor_capstone(struct doctor_finding *f)
{
	struct x86_decoder *d;
	struct sahm_err err;
	enum sahm_status status = x86_decoder_new(&d, &err);
	say_whether_loaded(f, status, &err);
	if (status == SAHM_OK)
		x86_decoder_free(d);
}

/* Records the program `true`. */
static enum sahm_status try_recording(struct doctor_finding *f, struct sahm_err *err)
{
	static char program[] = "true";
	char *command[] = {program, NULL}, plugin[QEMU_PLUGIN_PATH_BYTES], path[SHIPPED_PATH_BYTES];
	struct cpu cpu;
	struct recording recording;
	struct sigaction action = {.sa_handler = end_trial}, before;
	enum sahm_status status = find_shipped(&shipped_cpus, DEFAULT_CPU, path, err);
	if (status == SAHM_OK)
		status = cpu_read(path, &cpu, err);
	if (status != SAHM_OK) {
		f->to_have = "the files that came with sahm: see sahm doctor files";
		return status;
	}
	find_qemu_plugin(plugin);
	struct qemu_request request = {.common = {.command = command, .stop = &stop},
				       .cpu = &cpu,
				       .epoch_instructions = DEFAULT_EPOCH_INSTRUCTIONS,
				       .epoch_ns = NS_PER_MS,
				       .plugin_path = plugin};
	sigaction(SIGALRM, &action, &before);
	alarm(DOCTOR_WAIT_S);
	status = record_qemu(&request, &recording, err);
	alarm(0);
	sigaction(SIGALRM, &before, NULL);
	if (status != SAHM_OK)
		return status;
	if (recording.was_cut)
		status = sahm_fail(err, SAHM_TOOL, "it does not end with the program 'true'");
	else if (recording.exit_code != 0 || recording.nr_instructions == 0)
		status = sahm_fail(err, SAHM_TOOL, "the program 'true' fails in it, or nothing was counted");
	recording_release(&recording);
	return status;
}

void doctor_qemu(struct doctor_finding *f)
{
	struct sahm_err err;
	if (!doctor_version(f, "qemu-x86_64"))
		return;
	enum sahm_status status = try_recording(f, &err);
	doctor_note(f, status);
	/* On another machine `true` is not for it: it may do all the same. */
	if (status == SAHM_OK)
		textbuf_puts(&f->text, "; counts");
	else if (status != SAHM_FORMAT)
		doctor_say(f, DOCTOR_BROKEN, "%s", err.msg);
}

/* Draws a line in a new folder, and removes the folder. */
static enum sahm_status try_plot(const char *folder, struct sahm_err *err)
{
	static const char name[] = "doctor";
	struct textbuf data, script, notes;
	textbuf_init(&data);
	textbuf_init(&script);
	textbuf_init(&notes);
	textbuf_puts(&data, "x,y\n0,0\n1,1\n");
	plot_begin_script(&script, name, 320, 240);
	textbuf_puts(&script, "plot data using 1:2 with lines title 'y'\n");
	plot_end_script(&script);
	enum sahm_status status = textbuf_failed(&data) || textbuf_failed(&script) ? sahm_fail_nomem(err) : SAHM_OK;
	if (status == SAHM_OK)
		status = plot_write(folder, name, &data, &script, err);
	if (status == SAHM_OK)
		status = plot_draw(folder, name, &notes, err);
	struct sahm_err ignored;
	plot_remove(folder, name, &ignored);
	textbuf_release(&data);
	textbuf_release(&script);
	textbuf_release(&notes);
	return status;
}

void doctor_gnuplot(struct doctor_finding *f)
{
	const char *given = getenv("TMPDIR");
	char folder[DATA_FOLDER_BYTES];
	struct sahm_err err;
	if (!doctor_version(f, "gnuplot"))
		return;
	struct signal_hold hold;
	snprintf(folder, sizeof(folder), "%.4000s/sahm-doctor-XXXXXX", given && *given ? given : "/tmp");
	signal_hold_begin(&hold);
	if (!mkdtemp(folder)) {
		textbuf_puts(&f->text, "; not tried, there is no temporary folder");
	} else {
		enum sahm_status status = try_plot(folder, &err);
		doctor_note(f, status);
		if (status == SAHM_OK)
			textbuf_puts(&f->text, "; draws SVG and PNG");
		else
			doctor_say(f, DOCTOR_BROKEN, "%s", err.msg);
		rmdir(folder);
	}
	signal_hold_end(&hold);
}

void doctor_riscv(struct doctor_finding *f)
{
	doctor_version(f, "riscv64-unknown-elf-gcc");
}

void doctor_verilator(struct doctor_finding *f)
{
	doctor_version(f, "verilator");
}

void doctor_cc(struct doctor_finding *f)
{
	if (doctor_version(f, "cc"))
		doctor_version(f, "make");
}

void doctor_redis(struct doctor_finding *f)
{
	const char *text = getenv(REDIS_VARIABLE);
	struct redis_link_options options = {.connect_ms = 1000, .reply_ms = 1000};
	struct redis_link *link = NULL;
	struct redis_url url;
	struct sahm_err err;
	struct arena a;
	if (!redis_is_built_in()) {
		doctor_say(f, DOCTOR_MISSING, "this program was built without (HIREDIS=0)");
		return;
	}
	if (!text || !*text) {
		doctor_say(f, DOCTOR_MISSING, "$" REDIS_VARIABLE " names none");
		return;
	}
	arena_init(&a);
	enum sahm_status status = redis_url_read(&url, text, &a, &err);
	if (status != SAHM_OK) {
		doctor_say(f, DOCTOR_BROKEN, "$" REDIS_VARIABLE ": %s", err.msg);
	} else if ((status = redis_link_open(&link, &url, &options, &err)) != SAHM_OK) {
		doctor_say(f, DOCTOR_BROKEN, "%s", err.msg);
	} else {
		redis_url_write(&url, &f->text);
		textbuf_puts(&f->text, " answers");
	}
	doctor_note(f, status);
	redis_link_free(link);
	arena_release(&a);
}
