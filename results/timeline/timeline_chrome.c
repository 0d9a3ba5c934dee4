/* Timelines as Chrome's trace-event JSON ("Trace Event Format", by the Chromium project).
 *
 * A simulation is a process and a core one of its threads, for viewers; ours are slices on it, B and E, and within such
 * a slice its states are slices, X, below. An X is written when it is over, at the earliest its E, and never before its
 * B, so that what begins at the same time stands in the order in which viewers nest it. A move is an arrow from the
 * last ns of the slice that the thread left to the beginning of its next one, written with the latter: viewers sort. */
#include "results/metrics/json.h"
#include "results/metrics/run_facts.h"
#include "results/timeline/timeline_internal.h"

/* Colours of states for chrome://tracing, which knows colours only by names. Nearest to those of figures
 * (characterize_plot.c): greys for Low, yellows for L1I, blues for L1D, greens for both, orange and red for L2, browns,
 * purples and black for its mixtures. Perfetto takes no notice: it makes a colour of a slice's name, which is the
 * state's. */
#define STRESSED(l2, l1d, l1i, branch)                                                                                 \
	((l2) << COMPONENT_L2 | (l1d) << COMPONENT_L1D | (l1i) << COMPONENT_L1I | (branch) << COMPONENT_BRANCH)
static const char *const colours[NR_STATES] = {
	[STRESSED(0, 0, 0, 0)] = "grey",
	[STRESSED(0, 0, 0, 1)] = "generic_work",
	[STRESSED(0, 0, 1, 0)] = "cq_build_running",
	[STRESSED(0, 0, 1, 1)] = "yellow",
	[STRESSED(0, 1, 0, 0)] = "rail_response",
	[STRESSED(0, 1, 0, 1)] = "vsync_highlight_color",
	[STRESSED(0, 1, 1, 0)] = "rail_load",
	[STRESSED(0, 1, 1, 1)] = "good",
	[STRESSED(1, 0, 0, 0)] = "thread_state_iowait",
	[STRESSED(1, 0, 0, 1)] = "rail_animation",
	[STRESSED(1, 0, 1, 0)] = "bad",
	[STRESSED(1, 0, 1, 1)] = "olive",
	[STRESSED(1, 1, 0, 0)] = "detailed_memory_dump",
	[STRESSED(1, 1, 0, 1)] = "thread_state_uninterruptible",
	[STRESSED(1, 1, 1, 0)] = "light_memory_dump",
	[STRESSED(1, 1, 1, 1)] = "black",
};

static const char *const reasons[] = {
	[TIMELINE_TURN] = "turn",   [TIMELINE_SLEEP] = "sleep", [TIMELINE_YIELD] = "yield",
	[TIMELINE_LEAVE] = "leave", [TIMELINE_END] = "end",
};

/* Viewers distinguish their threads only by number, across processes, and take number 0 for an idle CPU; the thread
 * with its process's number comes first. */
static uint32_t viewer_pid(const struct timeline *tl)
{
	return tl->nr_simulations * tl->nr_cores + 1;
}

static uint32_t viewer_tid(const struct timeline *tl, uint32_t core)
{
	return viewer_pid(tl) + core;
}

/* Begins an event of core `core`, that of kind `ph`. */
static void begin_event(struct timeline *tl, const char *ph, uint32_t core)
{
	fprintf(tl->out, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, tl->has_events ? "," : "", ph,
		viewer_pid(tl), viewer_tid(tl, core));
	tl->has_events = true;
}

/* Times are in us, with ns as fraction. */
static void write_us(struct timeline *tl, uint64_t ns)
{
	fprintf(tl->out, "%" PRIu64, ns / 1000);
	if (ns % 1000)
		fprintf(tl->out, ".%03u", (unsigned)(ns % 1000));
}

static void begin_event_at(struct timeline *tl, const char *ph, uint32_t core, uint64_t ns)
{
	begin_event(tl, ph, core);
	fputs(",\"ts\":", tl->out);
	write_us(tl, ns);
}

static void write_description(const struct timeline *tl, struct jwriter *j)
{
	const struct run_config *config = tl->config;
	const struct trace_counts traces = trace_counts_of(config);
	uint8_t hash[HASH_BYTES];
	char hex[HASH_HEX_BYTES];
	run_config_hash(config, hash);
	hash_hex(hash, hex);
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "schema", "sahm-timeline/1");
	jwrite_string(j, "configuration", tl->title);
	jwrite_string(j, "config_hash", hex);
	jwrite_string(j, "policy", config->policy->name);
	jwrite_bool(j, "oracle", config->oracle);
	jwrite_bool(j, "synthetic", traces.nr_synthetic > 0);
	jwrite_bool(j, "nominal_time", traces.nr_nominal > 0);
	jwrite_u64(j, "nr_cores", config->chip.nr_cores);
	jwrite_u64(j, "nr_threads", config->nr_threads);
	jwrite_u64(j, "timestep_ns", config->timestep_ns);
	jwrite_u64(j, "sample", 1);
	jwrite_u64(j, "nr_samples", config->nr_samples);
	jwrite_end_object(j);
}

static void chrome_begin(struct timeline *tl)
{
	struct textbuf text;
	struct jwriter j;
	textbuf_init(&text);
	jwrite_init(&j, &text);
	write_description(tl, &j);
	fprintf(tl->out, "{\"displayTimeUnit\":\"ms\",\n\"otherData\":%s,\n\"traceEvents\":[", text.text);
	tl->failed |= textbuf_failed(&text);
	textbuf_release(&text);
}

static void write_metadata(struct timeline *tl, uint32_t core, const char *what, uint32_t order,
			   const struct textbuf *name)
{
	struct textbuf quoted;
	textbuf_init(&quoted);
	json_quote(&quoted, name->text);
	begin_event(tl, "M", core);
	fprintf(tl->out, ",\"name\":\"%s_name\",\"args\":{\"name\":%s}}", what, quoted.text);
	begin_event(tl, "M", core);
	fprintf(tl->out, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}", what, order);
	tl->failed |= textbuf_failed(name) || textbuf_failed(&quoted);
	textbuf_release(&quoted);
}

/* "gzip alone, canonical.cfg", "synthetic-39.cfg, synthetic" */
static void name_simulation(const struct timeline *tl, struct textbuf *out)
{
	struct trace_counts traces = {0};
	for (uint32_t t = tl->first; t < tl->first + tl->nr; t++)
		trace_counts_add(&traces, trace_provenance(tl->config->traces[tl->config->threads[t].trace].trace));
	if (tl->config->alone)
		textbuf_printf(out, "%s alone, ", tl->config->threads[tl->first].name);
	textbuf_printf(out, "%s%s", tl->title, trace_words(traces.nr_synthetic > 0, traces.nr_nominal > 0));
}

static void chrome_begin_simulation(struct timeline *tl)
{
	struct textbuf name;
	textbuf_init(&name);
	name_simulation(tl, &name);
	write_metadata(tl, 0, "process", tl->nr_simulations, &name);
	for (uint32_t c = 0; c < tl->nr_cores; c++) {
		textbuf_release(&name);
		run_facts_name_core(tl->config, c, &name);
		write_metadata(tl, c, "thread", c, &name);
	}
	textbuf_release(&name);
}

/* How well core `core` suits state `state`, as elsewhere: a state is matched that is served, or Low on a baseline core.
 */
static const char *suits(const struct timeline *tl, uint32_t core, unsigned state)
{
	const struct core_type *type = tl->config->chip.cores[core];
	return core_serves(type, state) ? "served" : core_matches(type, state) ? "matched" : "mismatched";
}

/* The state that core `core` shows is over. */
static void chrome_change_state(struct timeline *tl, uint64_t ns, uint32_t core)
{
	const struct timeline_core *c = &tl->cores[core];
	if (ns == c->since_ns)
		return;
	begin_event_at(tl, "X", core, c->since_ns);
	fputs(",\"dur\":", tl->out);
	write_us(tl, ns - c->since_ns);
	fprintf(tl->out, ",\"cat\":\"%s\",\"name\":\"%s\",\"cname\":\"%s\",\"args\":{\"thread\":%s}}",
		suits(tl, core, c->state), state_name(c->state), colours[c->state], tl->threads[c->thread].name);
}

static void write_end_of_thread(struct timeline *tl, uint64_t ns, uint32_t core)
{
	const struct timeline_core *c = &tl->cores[core];
	chrome_change_state(tl, ns, core);
	begin_event_at(tl, "E", core, ns);
	if (c->reason != TIMELINE_TURN)
		fprintf(tl->out, ",\"args\":{\"ends\":\"%s\"}", reasons[c->reason]);
	putc('}', tl->out);
}

/* One end of an arrow; `binding` says to which slice viewers are to tie it, unless that goes without saying. */
static void write_arrow(struct timeline *tl, const char *ph, uint32_t core, uint64_t ns, const char *binding)
{
	begin_event_at(tl, ph, core, ns);
	fprintf(tl->out, ",%s\"id\":%" PRIu64 ",\"cat\":\"move\",\"name\":\"move\"}", binding, tl->nr_flows);
}

static void chrome_switch_threads(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t next, unsigned state)
{
	(void)state;
	if (tl->cores[core].thread != NOBODY)
		write_end_of_thread(tl, ns, core);
	if (next == NOBODY)
		return;
	const struct timeline_thread *th = &tl->threads[next];
	begin_event_at(tl, "B", core, ns);
	fprintf(tl->out, ",\"cat\":\"thread\",\"name\":%s}", th->name);
	if (th->core == NOBODY || th->core == core)
		return;
	tl->nr_flows++;
	write_arrow(tl, "s", th->core, th->ran_ns - 1, "");
	write_arrow(tl, "f", core, ns, "\"bp\":\"e\",");
}

static void chrome_wake(struct timeline *tl, uint64_t ns, uint32_t core, uint32_t thread)
{
	begin_event_at(tl, "i", core, ns);
	fprintf(tl->out, ",\"s\":\"t\",\"cat\":\"wake\",\"name\":\"wake\",\"args\":{\"thread\":%s}}",
		tl->threads[thread].name);
}

/* The arrow comes when it runs again. */
static void chrome_migrate(struct timeline *tl, uint64_t ns, uint32_t from, uint32_t to, uint32_t thread)
{
	(void)tl;
	(void)ns;
	(void)from;
	(void)to;
	(void)thread;
}

static void chrome_end(struct timeline *tl)
{
	fputs("\n]}\n", tl->out);
}

static void chrome_prepare_name(const char *name, struct textbuf *out)
{
	json_quote(out, name);
}

const struct timeline_writer timeline_chrome = {
	.prepare_name = chrome_prepare_name,
	.begin = chrome_begin,
	.begin_simulation = chrome_begin_simulation,
	.switch_threads = chrome_switch_threads,
	.change_state = chrome_change_state,
	.wake = chrome_wake,
	.migrate = chrome_migrate,
	.end = chrome_end,
};
