/* Timelines as ftrace's text, as in Linux's file `trace`; events have the fields and the order of Linux's
 * include/trace/events/sched.h, names and numbers as in docs/timeline.md.
 *
 * A thread that is moved while it runs is first seen to leave its core, as in the kernel, where what migrates a thread
 * has the core to itself meanwhile: so nobody ever runs on two cores, however they trade places. */
#include "results/metrics/run_facts.h"
#include "results/timeline/timeline_internal.h"
#include "sim/base/clean.h"
#include "sim/base/units.h"
#include "sim/base/version.h"

#define PRIO 120      /* nice 0 */
#define COMM_BYTES 32 /* of an idle core's */

static const char *const reasons[] = {
	[TIMELINE_TURN] = "R+", [TIMELINE_SLEEP] = "S", [TIMELINE_YIELD] = "R",
	[TIMELINE_LEAVE] = "X", [TIMELINE_END] = "R+",
};

/* Others split lines at blanks, and fields at '='. */
static void ftrace_prepare_name(const char *name, struct textbuf *out)
{
	for (const char *p = name; *p; p++)
		textbuf_putc(out, (unsigned char)*p <= ' ' || *p == 0x7f || *p == '=' ? '_' : *p);
}

static uint32_t pid_of(uint32_t thread)
{
	return thread == NOBODY ? 0 : thread + 1;
}

/* Name of thread `thread` on core `core`. */
static const char *comm_of(const struct timeline *tl, uint32_t thread, uint32_t core, char idle[COMM_BYTES])
{
	snprintf(idle, COMM_BYTES, "swapper/%" PRIu32, core);
	return thread == NOBODY ? idle : tl->threads[thread].name;
}

static void begin_line(const struct timeline *tl, uint64_t ns, uint32_t core, const char *event)
{
	uint32_t t = tl->cores[core].thread;
	uint64_t at = tl->begin_ns + ns;
	fprintf(tl->out, "%16s-%-7" PRIu32 " [%03" PRIu32 "] d..2 %5" PRIu64 ".%09" PRIu64 ": %s: ",
		t == NOBODY ? "<idle>" : tl->threads[t].name, pid_of(t), core, at / NS_PER_S, at % NS_PER_S, event);
}

static void ftrace_begin(struct timeline *tl)
{
	const struct run_config *config = tl->config;
	struct textbuf name;
	uint8_t hash[HASH_BYTES];
	char hex[HASH_HEX_BYTES];
	const struct trace_counts traces = trace_counts_of(config);
	run_config_hash(config, hash);
	hash_hex(hash, hex);
	fprintf(tl->out, "# tracer: nop\n#\n# sahm " SAHM_VERSION ": %s (%.16s), policy %s, %" PRIu32 " cores\n",
		tl->title, hex, config->policy->name, tl->nr_cores);
	if (traces.nr_synthetic)
		fprintf(tl->out, "# synthetic: %zu of %zu traces\n", traces.nr_synthetic, traces.nr);
	if (traces.nr_nominal)
		fprintf(tl->out, "# assumed time base: %zu of %zu traces\n", traces.nr_nominal, traces.nr);
	if (config->nr_samples > 1)
		fprintf(tl->out, "# sample 1 of %" PRIu32 "\n", config->nr_samples);
	textbuf_init(&name);
	for (uint32_t c = 0; c < tl->nr_cores; c++) {
		textbuf_release(&name);
		run_facts_name_core(config, c, &name);
		clean_text(name.text);
		fprintf(tl->out, "# %s\n", name.text);
		tl->failed |= textbuf_failed(&name);
	}
	textbuf_release(&name);
	fputs("#\n"
	      "#                              _-----=> irqs-off\n"
	      "#                             / _----=> need-resched\n"
	      "#                            | / _---=> hardirq/softirq\n"
	      "#                            || / _--=> preempt-depth\n"
	      "#                            ||| /     delay\n"
	      "#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION\n"
	      "#              | |       |   ||||       |         |\n",
	      tl->out);
}

static void ftrace_begin_simulation(struct timeline *tl)
{
	if (!tl->config->alone)
		return;
	fprintf(tl->out, "# %s alone\n", tl->threads[tl->first].name);
}

/* Thread `thread` is on core `core` from now on. The kernel tells of a migration where a thread is sent to another run
 * queue, be it to wake there; here it costs where it runs next, and may not be reported at all for the first time. */
static void be_on(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t thread)
{
	struct timeline_thread *th = &tl->threads[thread];
	if (th->seen != NOBODY && th->seen != core) {
		begin_line(tl, ns, th->seen, "sched_migrate_task");
		fprintf(tl->out, "comm=%s pid=%" PRIu32 " prio=%d orig_cpu=%" PRIu32 " dest_cpu=%" PRIu32 "\n",
			th->name, pid_of(thread), PRIO, th->seen, core);
	}
	th->seen = core;
}

static void ftrace_migrate(struct timeline *tl, uint64_t ns, uint32_t from, uint32_t to, uint32_t thread)
{
	(void)from;
	be_on(tl, ns, to, thread);
}

static void ftrace_switch_threads(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t next, unsigned state)
{
	const struct timeline_core *c = &tl->cores[core];
	char idle[COMM_BYTES];
	(void)state;
	if (next != NOBODY)
		be_on(tl, ns, core, next);
	begin_line(tl, ns, core, "sched_switch");
	fprintf(tl->out, "prev_comm=%s prev_pid=%" PRIu32 " prev_prio=%d prev_state=%s ==> ",
		comm_of(tl, c->thread, core, idle), pid_of(c->thread), PRIO,
		c->thread == NOBODY ? "R" : reasons[c->reason]);
	fprintf(tl->out, "next_comm=%s next_pid=%" PRIu32 " next_prio=%d\n", comm_of(tl, next, core, idle),
		pid_of(next), PRIO);
}

static void ftrace_wake(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t thread)
{
	be_on(tl, ns, core, thread);
	begin_line(tl, ns, core, "sched_wakeup");
	fprintf(tl->out, "comm=%s pid=%" PRIu32 " prio=%d target_cpu=%03" PRIu32 "\n", tl->threads[thread].name,
		pid_of(thread), PRIO, core);
}

static void ftrace_end(struct timeline *tl)
{
	(void)tl;
}

const struct timeline_writer timeline_ftrace = {
	.prepare_name = ftrace_prepare_name,
	.begin = ftrace_begin,
	.begin_simulation = ftrace_begin_simulation,
	.switch_threads = ftrace_switch_threads,
	.wake = ftrace_wake,
	.migrate = ftrace_migrate,
	.end = ftrace_end,
};
