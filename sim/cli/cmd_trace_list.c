/* sahm trace list */
#include <inttypes.h>
#include <stdlib.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "sim/base/array.h"
#include "sim/base/clean.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/output.h"
#include "sim/sweep/trace_suite.h"

#define SCHEMA "sahm-trace-list/1"

/* Longest program in a table, in characters: with the names of the shipped traces, a line fits beside another. */
#define MAX_PROGRAM 44u

/* Lengths below this are shown with all their digits. */
#define SHORT_S 0.1

struct request {
	struct option_list suites;
	enum output_form form;
	bool details;
};

static const struct option_row options[] = {
	{"details", 'd', NULL,
	 "also show each trace's file, whole program, tool, machine, what an epoch is, and content hash", OPTION_FLAG,
	 AT(bool, details)},
	{JSON_OPTION("print one JSON object, with all of that")},
	{CSV_OPTION("print CSV, with all of that: a row per trace")},
	{OPERANDS(suites, NULL)},
};

/* One trace of the list. Texts are in the arena of its suite; NULL where nothing is known. */
struct listed {
	const char *name, *file;
	uint64_t nr_epochs, epoch_ns;
	const char *text[NR_PROVENANCE_KEYS];
	bool synthetic, nominal;
	char hash[HASH_HEX_BYTES];
};

struct listed_suite {
	struct arena arena;
	const char *name;
	struct listed *traces; /* [counts.nr] */
	struct trace_counts counts;
};

static double length_s(const struct listed *l)
{
	return (double)l->nr_epochs * (double)l->epoch_ns / (double)NS_PER_S;
}

static enum sahm_status read_trace(const struct cfg_node *node, const char *data, struct arena *a, struct listed *l,
				   struct trace_counts *counts, struct sahm_err *err)
{
	struct trace *trace;
	const char *path;
	enum sahm_status status = run_config_find_trace(a, data, node, &path, err);
	if (status == SAHM_OK)
		status = open_trace(path, &trace, err);
	if (status != SAHM_OK)
		return status;
	const struct provenance *p = trace_provenance(trace);
	*l = (struct listed){.name = arena_strdup(a, trace_name(trace)),
			     .nr_epochs = trace_nr_epochs(trace),
			     .epoch_ns = trace_epoch_ns(trace),
			     .synthetic = provenance_is_synthetic(p),
			     .nominal = provenance_is_nominal(p)};
	const char *file = path;
	status = run_config_path_in_data(a, data, &file, err);
	l->file = arena_strdup(a, file);
	bool failed = !l->name || !l->file;
	for (int k = 0; k < NR_PROVENANCE_KEYS; k++) {
		l->text[k] = p->text[k] ? arena_strdup(a, p->text[k]) : NULL;
		failed |= p->text[k] && !l->text[k];
	}
	hash_hex(trace_hash(trace), l->hash);
	trace_counts_add(counts, p);
	/* Opening a binary trace looks at no block. */
	if (status == SAHM_OK)
		status = failed ? sahm_fail_nomem(err) : trace_verify(trace, err);
	trace_free(trace);
	return status;
}

static enum sahm_status read_suite(const char *asked, const char *data, struct listed_suite *s, struct sahm_err *err)
{
	struct trace_suite suite;
	enum sahm_status status = trace_suite_read(&s->arena, asked, data, &suite, err);
	if (status != SAHM_OK)
		return status;
	s->name = suite.name;
	s->traces = arena_alloc(&s->arena, suite.traces->nr_children, sizeof(*s->traces));
	if (!s->traces)
		return sahm_fail_nomem(err);
	for (const struct cfg_node *t = suite.traces->first; t && status == SAHM_OK; t = t->next)
		status = read_trace(t, data, &s->arena, &s->traces[s->counts.nr], &s->counts, err);
	return status;
}

/* The program, cut in front of a character of UTF-8 where it is too long. */
static void program_cell(struct table *t, const char *program)
{
	unsigned nr = 0;
	size_t cut = 0, at = 0;
	for (; program && program[at]; at++) {
		if (((unsigned char)program[at] & 0xc0) == 0x80)
			continue;
		if (++nr == MAX_PROGRAM - 2)
			cut = at;
	}
	if (nr > MAX_PROGRAM)
		table_cell(t, "%.*s...", (int)cut, program);
	else
		table_cell(t, "%s", program ? program : "-");
}

static bool write_table(const struct listed_suite *s, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 3 | 1u << 4;
	table_row(&t, false);
	table_cell(&t, "trace");
	table_cell(&t, "epochs");
	table_cell(&t, "length");
	table_cell(&t, "source");
	table_cell(&t, "program");
	for (size_t i = 0; i < s->counts.nr; i++) {
		const struct listed *l = &s->traces[i];
		const char *source = l->text[PROVENANCE_SOURCE];
		table_row(&t, i == 0);
		table_cell(&t, "%s", l->name);
		table_cell(&t, "%" PRIu64, l->nr_epochs);
		table_cell(&t, length_s(l) < SHORT_S ? "%g s" : "%.2f s", length_s(l));
		table_cell(&t, "%s%s", source ? source : "not known", trace_words(false, l->nominal));
		program_cell(&t, l->text[PROVENANCE_PROGRAM]);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static void write_fact(const char *key, const char *text, struct textbuf *out)
{
	size_t from = out->len;
	if (!text)
		return;
	textbuf_printf(out, "  %-8s  %s", key, text);
	if (!textbuf_failed(out))
		clean_text(out->text + from);
	textbuf_putc(out, '\n');
}

static void write_details(const struct listed *l, struct textbuf *out)
{
	static const enum provenance_key keys[] = {PROVENANCE_PROGRAM, PROVENANCE_TOOL, PROVENANCE_MACHINE,
						   PROVENANCE_EPOCH};
	textbuf_putc(out, '\n');
	textbuf_label(out, l->name);
	textbuf_putc(out, '\n');
	write_fact("file", l->file, out);
	for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
		write_fact(provenance_key_name(keys[k]), l->text[keys[k]], out);
	write_fact("hash", l->hash, out);
}

static bool write_text(const struct listed_suite *s, bool details, bool bold, struct textbuf *out)
{
	textbuf_printf(out, "%ssuite %s: %zu trace%s", out->len ? "\n" : "", s->name, s->counts.nr,
		       s->counts.nr == 1 ? "" : "s");
	trace_words_write(&s->counts, out);
	textbuf_puts(out, "\n\n");
	bool ok = write_table(s, bold, out);
	for (size_t i = 0; i < s->counts.nr && details; i++)
		write_details(&s->traces[i], out);
	return ok;
}

/* What programs get of a trace beside numbers, in this order. */
static const enum provenance_key told[] = {PROVENANCE_SOURCE, PROVENANCE_PROGRAM, PROVENANCE_TOOL, PROVENANCE_MACHINE,
					   PROVENANCE_EPOCH};
#define NR_TOLD ARRAY_SIZE(told)

static void write_json(const struct listed_suite *s, struct jwriter *j)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "suite", s->name);
	jwrite_begin_array(j, "traces", false);
	for (size_t i = 0; i < s->counts.nr; i++) {
		const struct listed *l = &s->traces[i];
		jwrite_begin_object(j, NULL);
		jwrite_string(j, "name", l->name);
		jwrite_string(j, "file", l->file);
		jwrite_u64(j, "epochs", l->nr_epochs);
		jwrite_u64(j, "epoch_ns", l->epoch_ns);
		jwrite_double(j, "length_s", length_s(l));
		jwrite_bool(j, "synthetic", l->synthetic);
		jwrite_bool(j, "nominal_time", l->nominal);
		for (size_t k = 0; k < NR_TOLD; k++)
			if (l->text[told[k]])
				jwrite_string(j, provenance_key_name(told[k]), l->text[told[k]]);
		jwrite_string(j, "content_hash", l->hash);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_end_object(j);
}

static void write_csv(const struct listed_suite *s, struct textbuf *out)
{
	for (size_t i = 0; i < s->counts.nr; i++) {
		const struct listed *l = &s->traces[i];
		csv_string(out, s->name);
		csv_string(out, l->name);
		csv_string(out, l->file);
		csv_u64(out, l->nr_epochs);
		csv_u64(out, l->epoch_ns);
		csv_double(out, length_s(l));
		csv_string(out, l->synthetic ? "yes" : "no");
		csv_string(out, l->nominal ? "yes" : "no");
		for (size_t k = 0; k < NR_TOLD; k++)
			csv_string(out, l->text[told[k]] ? l->text[told[k]] : "");
		csv_string(out, l->hash);
		csv_end_row(out);
	}
}

static enum sahm_status list(const struct request *r, const char *const *suites, size_t nr_suites, const char *data,
			     struct textbuf *out, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct jwriter j;
	jwrite_init(&j, out);
	if (r->form == OUTPUT_JSON) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "schema", SCHEMA);
		jwrite_begin_array(&j, "suites", false);
	} else if (r->form == OUTPUT_CSV) {
		textbuf_puts(out, "suite,name,file,epochs,epoch_ns,length_s,synthetic,nominal_time");
		for (size_t k = 0; k < NR_TOLD; k++)
			csv_string(out, provenance_key_name(told[k]));
		textbuf_puts(out, ",content_hash\n");
	}
	for (size_t i = 0; i < nr_suites && status == SAHM_OK; i++) {
		struct listed_suite s = {.name = ""};
		arena_init(&s.arena);
		status = read_suite(suites[i], data, &s, err);
		if (status == SAHM_OK && r->form == OUTPUT_JSON)
			write_json(&s, &j);
		else if (status == SAHM_OK && r->form == OUTPUT_CSV)
			write_csv(&s, out);
		else if (status == SAHM_OK && !write_text(&s, r->details, bold_output(NULL), out))
			status = sahm_fail_nomem(err);
		arena_release(&s.arena);
	}
	if (r->form == OUTPUT_JSON) {
		jwrite_end_array(&j);
		jwrite_end_object(&j);
		jwrite_finish(&j);
	}
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct arena a;
	struct textbuf out;
	arena_init(&a);
	textbuf_init(&out);
	enum sahm_status status = options_parse(options, args, &r, err);
	const char *data = data_folder(), **suites = r.suites.items;
	size_t nr_suites = r.suites.nr;
	if (status == SAHM_OK && nr_suites == 0)
		status = trace_suite_names(&a, data, &suites, &nr_suites, err);
	if (status == SAHM_OK)
		status = list(&r, suites, nr_suites, data, &out, err);
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(r.form, &out, err);
	textbuf_release(&out);
	free(r.suites.items);
	arena_release(&a);
	return status;
}

extern const struct command command_trace_list;
const struct command command_trace_list = {
	.name = "trace list",
	.operands = "[SUITE...]",
	.summary = "list the shipped traces, or those of another suite",
	.details = "A SUITE is the name of a shipped suite, a file with a list of traces, or a folder of "
		   "traces. Without one, all shipped traces are listed by name. Every trace is read completely, "
		   "and its checksums are verified.\n"
		   "Lengths are times on the baseline core. `sahm help results` explains `synthetic` and "
		   "`assumed time base`.",
	.options = options,
	.run = run,
};
