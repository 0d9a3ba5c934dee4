/* sahm trace events: which events stand for which counter. */
#include <inttypes.h>
#include <string.h>

#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "workloads/record/perf_set.h"

struct request {
	const struct pmu *pmu;
	const char *root;
	bool list;
	enum output_form form;
};

static enum sahm_status take_pmu(void *to, struct option_walk *w, struct sahm_err *err)
{
	const struct pmu **pmu = to;
	*pmu = pmu_named(w->value, err);
	return *pmu ? SAHM_OK : SAHM_USAGE;
}

static const struct option_row options[] = {
	{"pmu", 0, "NAME", "show the events of NAME instead of those of this machine", OPTION_TAKE,
	 AT(const struct pmu *, pmu), .take = take_pmu},
	{"list", 'l', NULL, "list the known PMUs", OPTION_FLAG, AT(bool, list)},
	{"root", 0, "DIR",
	 "read DIR/proc and DIR/sys, copied from another machine, instead of this one's; nothing is opened",
	 OPTION_STRING, AT(const char *, root)},
	{JSON_OPTION("print one JSON object")},
	{NO_OPERANDS("sahm trace events")},
};

/* What is shown. */
struct view {
	struct arena arena;
	struct pmu_machine machine;
	bool has_machine; /* it was looked at */
	bool tries;	  /* events are opened */
	const struct pmu *pmu;
	struct pmu_event events[MAX_PMU_EVENTS];
	unsigned nr;
	int error[MAX_PMU_EVENTS];
	struct sahm_err problem; /* why nothing can be counted; "" when it can */
};

static bool write_list(struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2;
	table_row(&t, false);
	table_cell(&t, "pmu");
	table_cell(&t, "codes");
	table_cell(&t, "processors");
	for (const struct pmu *p = pmus; p->name; p++) {
		table_row(&t, p == pmus);
		table_cell(&t, "%s", p->name);
		table_cell(&t, "%s", p->libpfm ? "libpfm4" : "table");
		table_cell(&t, "%s", p->title);
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	return ok;
}

static void write_list_json(struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_begin_array(&j, "pmus", false);
	for (const struct pmu *p = pmus; p->name; p++) {
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "name", p->name);
		jwrite_string(&j, "codes", p->libpfm ? "libpfm4" : "table");
		jwrite_string(&j, "processors", p->title);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

static enum sahm_status collect(struct view *v, const char *root, struct sahm_err *err)
{
	v->problem.msg[0] = '\0';
	if (!v->pmu) {
		machine_read(root ? root : "", &v->machine);
		v->has_machine = true;
		v->pmu = v->machine.pmu;
		enum sahm_status status = machine_check(&v->machine, &v->problem);
		if (status == SAHM_NOMEM)
			return sahm_fail_nomem(err);
		v->tries = status == SAHM_OK && !root;
	}
	if (!v->pmu)
		return SAHM_OK;
	enum sahm_status status = pmu_events(v->pmu, &v->arena, v->events, &v->nr, err);
	for (unsigned i = 0; i < v->nr && status == SAHM_OK && v->has_machine; i++) {
		if (v->events[i].type == PERF_TYPE_RAW)
			v->events[i].type = v->machine.device_type;
		if (v->tries)
			v->error[i] = perf_event_error(&perf_kernel, &v->events[i]);
	}
	return status;
}

static void write_code(const struct pmu_event *e, struct textbuf *out)
{
	textbuf_printf(out, "%s 0x%" PRIx64,
		       e->type == PERF_TYPE_SOFTWARE   ? "software"
		       : e->type == PERF_TYPE_HARDWARE ? "hardware"
						       : "raw",
		       e->config);
	if (e->config1)
		textbuf_printf(out, ", config1 0x%" PRIx64, e->config1);
}

static void write_machine(const struct view *v, struct textbuf *out)
{
	size_t start = out->len;
	machine_write(&v->machine, out);
	if (out->len > start)
		textbuf_puts(out, " (");
	size_t open = out->len;
	machine_write_identity(&v->machine, out);
	textbuf_puts(out, out->len == open ? (open > start ? "not described)" : "a processor that is not described")
					   : (open > start ? ")" : ""));
	if (v->machine.device[0])
		textbuf_printf(out, ", counters: %s", v->machine.device);
	if (v->machine.paranoia != PARANOIA_UNKNOWN)
		textbuf_printf(out, ", kernel.perf_event_paranoid: %d", v->machine.paranoia);
	textbuf_putc(out, '\n');
}

static bool write_counters(const struct view *v, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_cell(&t, "counter");
	table_cell(&t, "events that stand for it");
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const char *expression = pmu_expression(v->pmu, c, NULL);
		table_row(&t, c == 0);
		table_cell(&t, "%s", counter_rows[c].name);
		table_cell(&t, "%s", expression ? expression : "not supported");
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	return ok;
}

static bool write_events(const struct view *v, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2 | 1u << 3;
	table_row(&t, false);
	table_cell(&t, "event");
	table_cell(&t, "code");
	if (v->tries)
		table_cell(&t, "opens");
	table_cell(&t, "code from");
	for (unsigned i = 0; i < v->nr; i++) {
		struct textbuf code;
		textbuf_init(&code);
		write_code(&v->events[i], &code);
		table_row(&t, i == 0);
		table_cell(&t, "%s", v->events[i].name);
		table_cell(&t, "%s", code.text);
		if (v->tries)
			table_cell(&t, "%s", v->error[i] ? strerror(v->error[i]) : "yes");
		table_cell(&t, "%s", v->events[i].source);
		textbuf_release_part(&code, out);
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	return ok;
}

static void write_sources(const struct view *v, struct textbuf *out)
{
	textbuf_puts(out, "how they are recognised:\n");
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const char *source = NULL;
		if (pmu_expression(v->pmu, c, &source))
			textbuf_printf(out, "  %s: %s\n", counter_rows[c].name, source);
	}
}

static bool write_text(const struct view *v, struct textbuf *out)
{
	bool ok = true;
	if (v->has_machine)
		write_machine(v, out);
	if (v->problem.msg[0])
		textbuf_printf(out, "%s\n", v->problem.msg);
	if (!v->pmu)
		return true;
	textbuf_printf(out, "%s%s (%s)\n\n", v->has_machine ? "\n" : "", v->pmu->title, v->pmu->name);
	ok = write_counters(v, out);
	textbuf_putc(out, '\n');
	ok = ok && write_events(v, out);
	if (pmu_expression(v->pmu, COUNTER_INSTRUCTIONS, NULL)) {
		textbuf_putc(out, '\n');
		write_sources(v, out);
	}
	return ok;
}

static void write_counters_json(const struct view *v, struct jwriter *j)
{
	jwrite_begin_array(j, "counters", false);
	for (unsigned c = 0; v->pmu && c < NR_COUNTERS; c++) {
		const char *source = NULL, *expression = pmu_expression(v->pmu, c, &source);
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "counter", counter_rows[c].name);
		jwrite_bool(j, "supported", expression != NULL);
		if (expression) {
			jwrite_string(j, "expression", expression);
			jwrite_string(j, "source", source);
		}
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void write_json(const struct view *v, struct textbuf *out)
{
	struct jwriter j;
	struct textbuf name;
	textbuf_init(&name);
	if (v->has_machine)
		machine_write(&v->machine, &name);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	if (v->has_machine) {
		jwrite_string(&j, "machine", name.text);
		jwrite_string(&j, "device", v->machine.device);
		jwrite_string(&j, "problem", v->problem.msg);
	}
	jwrite_string(&j, "pmu", v->pmu ? v->pmu->name : "");
	write_counters_json(v, &j);
	jwrite_begin_array(&j, "events", false);
	for (unsigned i = 0; i < v->nr; i++) {
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "event", v->events[i].name);
		jwrite_u64(&j, "type", v->events[i].type);
		jwrite_u64(&j, "config", v->events[i].config);
		jwrite_u64(&j, "config1", v->events[i].config1);
		jwrite_u64(&j, "config2", v->events[i].config2);
		jwrite_string(&j, "source", v->events[i].source);
		if (v->tries)
			jwrite_string(&j, "opens", v->error[i] ? strerror(v->error[i]) : "yes");
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	textbuf_release_part(&name, out);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct view v = {0};
	struct textbuf out;
	bool ok = true;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && r.pmu && r.root)
		status = sahm_fail(err, SAHM_USAGE, "--pmu and --root exclude each other");
	v.pmu = r.pmu;
	textbuf_init(&out);
	if (status == SAHM_OK && !r.list)
		status = collect(&v, r.root, err);
	if (status == SAHM_OK && r.list && r.form == OUTPUT_JSON)
		write_list_json(&out);
	else if (status == SAHM_OK && r.list)
		ok = write_list(&out);
	else if (status == SAHM_OK && r.form == OUTPUT_JSON)
		write_json(&v, &out);
	else if (status == SAHM_OK)
		ok = write_text(&v, &out);
	if (status == SAHM_OK)
		status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r.form, &out, err);
	textbuf_release(&out);
	arena_release(&v.arena);
	return status;
}

extern const struct command command_trace_events;
const struct command command_trace_events = {
	.name = "trace events",
	.operands = "",
	.summary = "show which hardware events this machine has for each counter",
	.details = "sahm trace record counts these events. Each one is opened to see whether the kernel allows "
		   "it. If the machine has no counters, as most virtual machines, sahm trace record --via qemu "
		   "works without them.",
	.options = options,
	.run = run,
};
