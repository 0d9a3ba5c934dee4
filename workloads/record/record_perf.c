#include "workloads/record/record_perf.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/import/import_live.h"
#include "workloads/record/perf_rows.h"

struct recorder {
	const struct perf_request *request;
	const struct perf_ops *ops;
	struct recording *result;
	struct sahm_err *err;
	struct arena arena;
	struct import_map *map;
	struct pmu_event events[MAX_PMU_EVENTS];
	unsigned nr_events;
	struct perf_rows rows;
	struct record_child child;
};

static const char *label_of(const struct perf_request *request)
{
	const char *name = request->common.provenance.text[PROVENANCE_NAME];
	return name ? name : request->common.command[0];
}

/* Expressions of the counters, and what is assumed of others. */
static enum sahm_status make_map(struct recorder *rec)
{
	const struct perf_request *request = rec->request;
	const struct pmu *pmu = request->machine->pmu;
	enum sahm_status status = SAHM_OK;
	rec->map = import_map_new();
	if (!rec->map)
		return sahm_fail_nomem(rec->err);
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++) {
		char text[512];
		const char *expression = pmu_expression(pmu, c, NULL);
		if (!expression)
			continue;
		snprintf(text, sizeof(text), "%s=%s", counter_rows[c].name, expression);
		status = import_map_add(rec->map, text, rec->err);
	}
	for (size_t i = 0; request->assume && request->assume[i] && status == SAHM_OK; i++)
		status = import_map_assume(rec->map, request->assume[i], rec->err);
	return status;
}

/* Whether a value is assumed for the counter. */
static bool is_assumed(const struct perf_request *request, const char *counter)
{
	size_t len = strlen(counter);
	for (size_t i = 0; request->assume && request->assume[i]; i++)
		if (strncmp(request->assume[i], counter, len) == 0 && request->assume[i][len] == '=')
			return true;
	return false;
}

static enum sahm_status fail_counter(struct recorder *rec, unsigned c, const char *event, const char *why)
{
	return sahm_fail(rec->err, SAHM_IO,
			 "%s cannot be counted on this machine: %s%s%s (--assume %s=N takes a value)",
			 counter_rows[c].name, event ? event : "nothing stands for it", event ? ": " : "",
			 event ? why : "", counter_rows[c].name);
}

/* Whether each counter that a trace needs has an event. */
static enum sahm_status check_counters(struct recorder *rec)
{
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (counter_rows[c].required && !pmu_expression(rec->request->machine->pmu, c, NULL) &&
		    !is_assumed(rec->request, counter_rows[c].name))
			return fail_counter(rec, c, NULL, NULL);
	return SAHM_OK;
}

/* Whether its events are open; cycles may be missing. */
static enum sahm_status check_open(struct recorder *rec)
{
	const struct perf_set *set = &rec->rows.set;
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const char *expression = pmu_expression(rec->request->machine->pmu, c, NULL);
		for (unsigned i = 0; expression && i < set->nr; i++) {
			if (set->fd[i] >= 0 || !perf_names_event(expression, set->events[i].name))
				continue;
			if (!counter_rows[c].required) {
				textbuf_printf(&rec->result->notes, "%s: %s are left out: %s: %s\n",
					       label_of(rec->request), counter_rows[c].name, set->events[i].name,
					       strerror(set->error[i]));
			} else if (!is_assumed(rec->request, counter_rows[c].name)) {
				return fail_counter(rec, c, set->events[i].name, strerror(set->error[i]));
			}
			break;
		}
	}
	return SAHM_OK;
}

static void note_set(struct recorder *rec)
{
	const struct pmu_machine *m = rec->request->machine;
	const struct perf_set *set = &rec->rows.set;
	struct textbuf *notes = &rec->result->notes;
	const char *label = label_of(rec->request);
	if (set->nr_groups > 1)
		textbuf_printf(notes,
			       "%s: there are not counters enough for all events at once: %u groups take turns\n",
			       label, set->nr_groups);
	if (set->kernel)
		textbuf_printf(notes,
			       "%s: the PMU cannot leave the kernel out: what it did for the command is counted\n",
			       label);
	if (strcmp(m->device, "cpu_core") == 0 && m->cpus[0])
		textbuf_printf(notes,
			       "%s: only CPUs %s are counted; `taskset -c %s` in front of the command keeps it there\n",
			       label, m->cpus, m->cpus);
}

static enum sahm_status set_provenance(struct recorder *rec, struct provenance *p, enum provenance_key key,
				       const char *text)
{
	const char *name = provenance_key_name(key);
	return *text ? provenance_set(p, &rec->arena, name, strlen(name), text, rec->err) : SAHM_OK;
}

/* What the recorder says of the trace, and over it the caller. */
static enum sahm_status make_provenance(struct recorder *rec, struct provenance *p)
{
	const struct perf_request *request = rec->request;
	struct textbuf text;
	*p = (struct provenance){0};
	textbuf_init(&text);
	record_write_command(request->common.command, &text);
	enum sahm_status status = set_provenance(rec, p, PROVENANCE_PROGRAM, text.text);
	text.len = 0;
	textbuf_printf(&text, "sahm trace record -I %.13g: perf_event_open, PMU %s, %s", ms_of_ns(request->interval_ns),
		       request->machine->pmu->name, rec->rows.set.kernel ? "kernel included" : "user mode");
	if (status == SAHM_OK)
		status = set_provenance(rec, p, PROVENANCE_TOOL, text.text);
	text.len = 0;
	text.text[0] = '\0';
	machine_write(request->machine, &text);
	if (status == SAHM_OK)
		status = set_provenance(rec, p, PROVENANCE_MACHINE, text.text);
	if (status == SAHM_OK && textbuf_failed(&text))
		status = sahm_fail_nomem(rec->err);
	textbuf_release(&text);
	provenance_override(p, &request->common.provenance);
	return status;
}

/* With the child started: counters, then the command, then its end. */
static enum sahm_status run(struct recorder *rec, struct import_live **live)
{
	const struct perf_request *request = rec->request;
	struct import_options options = {.epoch_ns = request->interval_ns, .keep_idle = request->keep_idle};
	enum sahm_status status = perf_set_open(&rec->rows.set, rec->ops, rec->events, rec->nr_events, rec->child.pid,
						request->machine->paranoia, rec->err);
	if (status != SAHM_OK)
		return status;
	options.map = rec->map;
	status = check_open(rec);
	if (status == SAHM_OK)
		status = make_provenance(rec, &options.provenance);
	if (status == SAHM_OK)
		status = import_live_begin(label_of(request), &options, &rec->result->notes, live, rec->err);
	if (status == SAHM_OK) {
		note_set(rec);
		status = perf_rows_begin(&rec->rows, *live);
	}
	if (status == SAHM_OK)
		status = record_child_go(&rec->child, rec->err);
	if (status == SAHM_OK)
		status = perf_rows_follow(&rec->rows, &rec->child, &request->common, rec->result);
	return status;
}

static enum sahm_status record(struct recorder *rec)
{
	const struct perf_request *request = rec->request;
	struct import_live *live = NULL;
	enum sahm_status status = machine_check(request->machine, rec->err);
	if (status == SAHM_OK)
		status = check_counters(rec);
	if (status == SAHM_OK)
		status = make_map(rec);
	if (status == SAHM_OK)
		status = pmu_events(request->machine->pmu, &rec->arena, rec->events, &rec->nr_events, rec->err);
	/* The device's own number goes before the one that stands for any. */
	for (unsigned i = 0; i < rec->nr_events && status == SAHM_OK; i++)
		if (rec->events[i].type == PERF_TYPE_RAW)
			rec->events[i].type = request->machine->device_type;
	if (status == SAHM_OK)
		status = record_child_start(&rec->child, request->common.command, -1, rec->err);
	if (status != SAHM_OK)
		return status;
	status = run(rec, &live);
	record_child_end(&rec->child, request->common.stop);
	record_child_tell(&rec->child, rec->result);
	perf_set_close(&rec->rows.set);
	if (status == SAHM_OK)
		status = import_live_finish(live, &rec->result->trace);
	import_live_free(live);
	return status;
}

enum sahm_status record_perf(const struct perf_request *request, struct recording *r, struct sahm_err *err)
{
	struct recorder rec = {
		.request = request,
		.ops = request->ops,
		.result = r,
		.err = err,
		.rows = {.interval_ns = request->interval_ns, .label = label_of(request)},
	};
	*r = (struct recording){0};
	textbuf_init(&r->notes);
	arena_init(&rec.arena);
	enum sahm_status status = record(&rec);
	import_map_free(rec.map);
	arena_release(&rec.arena);
	if (status != SAHM_OK)
		recording_release(r);
	return status;
}
