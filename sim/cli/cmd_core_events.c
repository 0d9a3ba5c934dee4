/* sahm core events: what counters of modelled cores can count. */
#include <inttypes.h>

#include "cores/uarch/papi_preset.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

static const char *const family_words[] = {
#define EVENT_FAMILY(suffix, name, counters, help) name,
#include "cores/uarch/event_family_list.h"
#undef EVENT_FAMILY
	NULL};

struct request {
	enum output_form form;
	const char *core, *family_given;
	struct settings settings;
	unsigned family;
};

static const struct option_row options[] = {
	{"core", 'c', "NAME|FILE",
	 "a core of configs/cores (sahm core list), or a file with the same keys (" DEFAULT_CORE ")", OPTION_STRING,
	 AT(const char *, core), .what = "core"},
	{SET_OPTION("change a value of the core, such as commit_width=1; can be repeated")},
	{"family", 0, "FAMILY", "see the core as one of the family: rocket, boom or u74 (what the core's file says)",
	 OPTION_CHOICE, AT(unsigned, family), .what = "--family", .words = family_words, NOTE(family_given)},
	{JSON_OPTION("print one JSON object")},
	{CSV_OPTION("print CSV, a row per event and preset")},
	{NO_OPERANDS("sahm core events")},
};

/* An event, seen on a core. */
struct seen {
	const struct core_event *event;
	uint64_t lacks; /* signals */
	unsigned sources;
	bool is_never; /* nothing raises it */
};

static struct seen see(const struct core_event *event, const struct core_model *m)
{
	uint64_t lacks = core_event_lacks(event, &m->timing);
	return (struct seen){event, lacks, core_event_nr_lanes(event, &m->timing), lacks == event->signals};
}

/* The names of the signals that the core lacks. */
static void write_lacks(const struct seen *s, const char *separator, struct textbuf *out)
{
	const char *before = "";
	for (uint64_t lacks = s->lacks; lacks; lacks &= lacks - 1) {
		textbuf_printf(out, "%s%s", before, signal_name((enum signal)__builtin_ctzll(lacks)));
		before = separator;
	}
}

static unsigned nr_counters(const struct papi_preset *p)
{
	return (p->first.counts == PAPI_EVENTS ? 1u : 0u) + (p->less.counts == PAPI_EVENTS ? 1u : 0u);
}

static bool is_available(const struct papi_preset *p)
{
	return p->first.counts != PAPI_NOTHING;
}

static void write_term(const struct papi_term *t, struct textbuf *out)
{
	if (t->counts == PAPI_EVENTS)
		textbuf_printf(out, "0x%" PRIx64, t->selector);
	else
		textbuf_puts(out, t->counts == PAPI_CYCLES ? "mcycle" : "minstret");
}

/* "0x4000 - 0x2001" */
static void write_formula(const struct papi_preset *p, struct textbuf *out)
{
	if (!is_available(p))
		return;
	write_term(&p->first, out);
	if (p->less.counts == PAPI_NOTHING)
		return;
	textbuf_puts(out, " - ");
	write_term(&p->less, out);
}

/* ---- Text ---- */

static void write_meaning(const struct seen *s, struct textbuf *out)
{
	textbuf_puts(out, s->event->help);
	if (s->is_never) {
		textbuf_puts(out, " (never on this core)");
	} else if (s->lacks) {
		textbuf_puts(out, " (without ");
		write_lacks(s, ", ", out);
		textbuf_puts(out, ")");
	}
}

static bool write_events(const struct request *r, const struct core_model *m, struct textbuf *out)
{
	static const char *const heads[] = {"event", "set", "bit", "selector", "sources", "what it counts"};
	struct textbuf meaning;
	struct table t;
	int set = -1;
	textbuf_init(&meaning);
	table_init(&t);
	t.left |= 1u << 5;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (const struct core_event *e = NULL; (e = core_event_next(r->family, e));) {
		struct seen s = see(e, m);
		table_row(&t, e->set != set);
		table_cell(&t, "%s", e->name);
		table_cell(&t, "%u", e->set);
		table_cell(&t, "%u", e->bit);
		table_cell(&t, "0x%" PRIx64, core_event_selector(e));
		table_cell(&t, "%u", s.sources);
		write_meaning(&s, &meaning);
		table_cell_text(&t, &meaning);
		set = e->set;
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	textbuf_release(&meaning);
	return ok;
}

static bool write_presets(struct textbuf *out)
{
	static const char *const heads[] = {"preset", "code", "avail", "deriv", "counters", "counts", "meaning"};
	struct textbuf formula;
	struct table t;
	const struct papi_preset *p;
	textbuf_init(&formula);
	table_init(&t);
	t.left |= 1u << 2 | 1u << 3 | 1u << 5 | 1u << 6;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (unsigned i = 0; (p = papi_preset_at(i)); i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", p->name);
		table_cell(&t, "0x%" PRIx32, papi_preset_code(p));
		table_cell(&t, "%s", is_available(p) ? "yes" : "no");
		table_cell(&t, "%s", is_available(p) ? p->less.counts ? "yes" : "no" : "-");
		table_cell(&t, is_available(p) ? "%u" : "-", nr_counters(p));
		write_formula(p, &formula);
		table_cell_text(&t, &formula);
		table_cell(&t, "%s", p->help);
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	textbuf_release(&formula);
	return ok;
}

static bool write_text(const struct request *r, const struct core_model *m, struct textbuf *out)
{
	const char *family = event_family_name(r->family);
	textbuf_printf(out, "Events of %s (%s) on %s; event counters: %u\n", family, event_family_help(r->family),
		       r->core, event_family_counters(r->family));
	bool ok = write_events(r, m, out);
	if (!papi_has_presets(r->family)) {
		textbuf_printf(out, "\n%s has no PAPI presets\n", family);
		return ok;
	}
	textbuf_puts(out, "\nPAPI presets; several bits of a selector take one counter:\n");
	return ok && write_presets(out);
}

/* ---- Other forms ---- */

static void write_csv(const struct request *r, const struct core_model *m, struct textbuf *out)
{
	const struct papi_preset *p;
	textbuf_puts(out, "name,kind,set,bit,code,available,derived,counters,counts,sources,lacks,help\n");
	for (const struct core_event *e = NULL; (e = core_event_next(r->family, e));) {
		struct seen s = see(e, m);
		textbuf_printf(out, "%s,event,%u,%u,0x%" PRIx64 ",%u,0,1,0x%" PRIx64 ",%u,", e->name, e->set, e->bit,
			       core_event_selector(e), !s.is_never, core_event_selector(e), s.sources);
		write_lacks(&s, " ", out);
		csv_string(out, e->help);
		csv_end_row(out);
	}
	for (unsigned i = 0; papi_has_presets(r->family) && (p = papi_preset_at(i)); i++) {
		textbuf_printf(out, "%s,preset,,,0x%" PRIx32 ",%u,%u,%u,", p->name, papi_preset_code(p),
			       is_available(p), p->less.counts != PAPI_NOTHING, nr_counters(p));
		write_formula(p, out);
		textbuf_puts(out, ",,");
		csv_string(out, p->help);
		csv_end_row(out);
	}
}

static void event_json(struct jwriter *j, const struct seen *s)
{
	const struct core_event *e = s->event;
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "name", e->name);
	jwrite_u64(j, "set", e->set);
	jwrite_u64(j, "bit", e->bit);
	jwrite_u64(j, "selector", core_event_selector(e));
	jwrite_u64(j, "sources", s->sources);
	jwrite_bool(j, "available", !s->is_never);
	jwrite_begin_array(j, "lacks", true);
	for (uint64_t lacks = s->lacks; lacks; lacks &= lacks - 1)
		jwrite_string(j, NULL, signal_name((enum signal)__builtin_ctzll(lacks)));
	jwrite_end_array(j);
	jwrite_string(j, "help", e->help);
	jwrite_end_object(j);
}

static void term_json(struct jwriter *j, const struct papi_term *t)
{
	if (t->counts == PAPI_EVENTS)
		jwrite_u64(j, NULL, t->selector);
	else if (t->counts != PAPI_NOTHING)
		jwrite_string(j, NULL, t->counts == PAPI_CYCLES ? "mcycle" : "minstret");
}

static void preset_json(struct jwriter *j, const struct papi_preset *p)
{
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "name", p->name);
	jwrite_u64(j, "code", papi_preset_code(p));
	jwrite_bool(j, "available", is_available(p));
	jwrite_bool(j, "derived", p->less.counts != PAPI_NOTHING);
	jwrite_u64(j, "counters", nr_counters(p));
	jwrite_begin_array(j, "counts", true);
	term_json(j, &p->first);
	jwrite_end_array(j);
	jwrite_begin_array(j, "less", true);
	term_json(j, &p->less);
	jwrite_end_array(j);
	jwrite_string(j, "help", p->help);
	jwrite_end_object(j);
}

static void write_json(const struct request *r, const struct core_model *m, struct textbuf *out)
{
	struct jwriter j;
	const struct papi_preset *p;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", "sahm-core-events/1");
	jwrite_string(&j, "core", r->core);
	jwrite_string(&j, "family", event_family_name(r->family));
	jwrite_u64(&j, "event_counters", event_family_counters(r->family));
	jwrite_begin_array(&j, "events", false);
	for (const struct core_event *e = NULL; (e = core_event_next(r->family, e));) {
		struct seen s = see(e, m);
		event_json(&j, &s);
	}
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "presets", false);
	for (unsigned i = 0; papi_has_presets(r->family) && (p = papi_preset_at(i)); i++)
		preset_json(&j, p);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

/* ---- The command ---- */

static enum sahm_status print(const struct request *r, const struct core_model *m, struct sahm_err *err)
{
	struct textbuf out;
	bool ok = true;
	textbuf_init(&out);
	if (r->form == OUTPUT_JSON)
		write_json(r, m, &out);
	else if (r->form == OUTPUT_CSV)
		write_csv(r, m, &out);
	else
		ok = write_text(r, m, &out);
	enum sahm_status status = !ok || textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r->form, &out, err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct core_model model;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (!r.core)
		r.core = DEFAULT_CORE;
	if (status == SAHM_OK)
		status = core_request_model(r.core, &r.settings.list, &model, err);
	if (status == SAHM_OK && !r.family_given)
		r.family = model.events;
	if (status == SAHM_OK)
		status = print(&r, &model, err);
	settings_release(&r.settings);
	return status;
}

extern const struct command command_core_events;
const struct command command_core_events = {
	.name = "core events",
	.operands = "",
	.summary = "list what counters of a modelled core can count",
	.details =
		"Lists the events of the core's family, with the selector that an mhpmevent register takes and the number of "
		"sources that each has on this core: an event without a source is never counted. Of "
		"families that have them, PAPI's presets follow, as papi_avail lists them: a derived one takes several "
		"counters (docs/counters.md).",
	.options = options,
	.run = run,
};
