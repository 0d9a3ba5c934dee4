/* Tables of critical paths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/core_path_internal.h"
#include "results/metrics/table.h"

/* Of cores or streams beside each other; more are in further tables. */
#define MAX_COLUMNS 8u
/* Columns of causes in tables of epochs. */
#define MAX_EPOCH_CAUSES 8u
/* Smaller shares are printed as 0.0. */
#define LEAST_PCT 0.05

static double pct(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static double cpi(const struct core_counts *c)
{
	return (double)c->timing.cycles / (double)c->timing.instructions;
}

/* ---- Shares by cause ---- */

/* Cores in a stream, or streams on a core. */
struct columns {
	const struct path_view *view;
	const char *head; /* of the first column */
	size_t nr;
	const struct core_result *results[MAX_COLUMNS]; /* [nr] */
	const char *names[MAX_COLUMNS];			/* [nr] */
	uint64_t *cycles;				/* [nr][view->nr_names] */
};

static uint64_t cycles_of(const struct columns *c, size_t column, size_t name)
{
	return c->cycles[column * c->view->nr_names + name];
}

static bool is_shown(const struct columns *c, size_t name)
{
	for (size_t i = 0; i < c->nr; i++) {
		uint64_t cycles = cycles_of(c, i, name);
		if (cycles != CAUSE_NOT_THERE && pct(cycles, c->results[i]->counts.timing.cycles) >= LEAST_PCT)
			return true;
	}
	return false;
}

static void head_rows(const struct columns *c, struct table *t)
{
	const struct core_result *first = c->results[0];
	table_row(t, false);
	table_cell(t, "%s", c->head);
	for (size_t i = 0; i < c->nr; i++)
		table_cell(t, "%s", c->names[i]);
	for (unsigned k = 0; k < first->nr_settings; k++) {
		table_row(t, k == 0);
		table_cell(t, "%s", first->settings[k].key);
		for (size_t i = 0; i < c->nr; i++)
			table_cell(t, "%s", c->results[i]->settings[k].text);
	}
	table_row(t, true);
	table_cell(t, "instructions");
	for (size_t i = 0; i < c->nr; i++)
		table_cell(t, "%" PRIu64, c->results[i]->counts.timing.instructions);
	table_row(t, false);
	table_cell(t, "cycles");
	for (size_t i = 0; i < c->nr; i++)
		table_cell(t, "%" PRIu64, c->results[i]->counts.timing.cycles);
	table_row(t, false);
	table_cell(t, "CPI");
	for (size_t i = 0; i < c->nr; i++)
		table_cell(t, "%.3f", cpi(&c->results[i]->counts));
}

static void share_rows(const struct columns *c, bool front_end, struct table *t)
{
	bool ruled = true;
	for (size_t k = 0; k < c->view->nr_names; k++) {
		if (c->view->names[k].is_front_end != front_end || !is_shown(c, k))
			continue;
		table_row(t, ruled);
		table_cell(t, "%s", c->view->names[k].name);
		for (size_t i = 0; i < c->nr; i++) {
			uint64_t cycles = cycles_of(c, i, k);
			if (cycles == CAUSE_NOT_THERE)
				table_cell(t, "-");
			else
				table_cell(t, "%.1f", pct(cycles, c->results[i]->counts.timing.cycles));
		}
		ruled = false;
	}
}

static bool write_shares(struct columns *c, bool bold, struct textbuf *out)
{
	const struct path_report *report = c->view->report;
	struct table t;
	c->cycles = calloc(c->nr * c->view->nr_names, sizeof(*c->cycles));
	if (!c->cycles)
		return false;
	for (size_t i = 0; i < c->nr; i++) {
		/* All results of a core are those of one model. */
		size_t core = 0;
		while (report->results[core].model != c->results[i]->model)
			core++;
		path_view_cycles(c->view, core, &c->results[i]->counts.path, c->cycles + i * c->view->nr_names);
	}
	table_init(&t);
	head_rows(c, &t);
	share_rows(c, true, &t);
	table_row(&t, true);
	table_cell(&t, "front end, sum");
	for (size_t i = 0; i < c->nr; i++)
		table_cell(&t, "%.1f",
			   pct(path_front_end(&c->results[i]->counts.path), c->results[i]->counts.timing.cycles));
	share_rows(c, false, &t);
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	free(c->cycles);
	return ok;
}

/* A table per stream, with the cores beside each other, or of a single core one of all streams. */
static bool write_all_shares(const struct path_view *v, bool bold, struct textbuf *out)
{
	const struct path_report *r = v->report;
	size_t nr_rows = r->nr_streams + (r->nr_streams > 1);
	bool by_stream = r->nr_cores == 1 && r->nr_streams > 1, ok = true;
	size_t nr_tables = by_stream ? 1 : nr_rows, nr_columns = by_stream ? nr_rows : r->nr_cores;
	for (size_t i = 0; i < nr_tables && ok; i++) {
		textbuf_printf(out, "%sCritical path %s %s: share of its cycles in %%, by what it waits for:\n",
			       i > 0 ? "\n" : "", by_stream ? "on" : "of",
			       by_stream ? r->results[0].core : path_view_result(v, i, 0)->stream);
		for (size_t first = 0; first < nr_columns && ok; first += MAX_COLUMNS) {
			struct columns c = {.view = v, .head = by_stream ? "stream" : "core"};
			textbuf_puts(out, first > 0 ? "\n" : "");
			for (; c.nr < MAX_COLUMNS && first + c.nr < nr_columns; c.nr++) {
				size_t k = first + c.nr;
				c.results[c.nr] = by_stream ? path_view_result(v, k, 0) : path_view_result(v, i, k);
				c.names[c.nr] = by_stream ? path_stream_name(v, k) : c.results[c.nr]->core;
			}
			ok = write_shares(&c, bold, out);
		}
	}
	return ok;
}

/* ---- Epochs ---- */

/* The causes with the most cycles, in their order: causes[MAX_EPOCH_CAUSES]. Returns their number. */
static unsigned main_causes(const struct path_counts *p, unsigned *causes)
{
	bool taken[NR_PATH_CAUSES] = {false};
	unsigned nr = 0;
	for (unsigned k = 0; k < MAX_EPOCH_CAUSES; k++) {
		unsigned most = NR_PATH_CAUSES;
		for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
			if (!taken[i] && p->cycles[i] > 0 && (most == NR_PATH_CAUSES || p->cycles[i] > p->cycles[most]))
				most = i;
		if (most < NR_PATH_CAUSES)
			taken[most] = true;
	}
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		if (taken[i])
			causes[nr++] = i;
	return nr;
}

static void epoch_row(const struct core_counts *c, const unsigned *causes, unsigned nr, struct table *t)
{
	uint64_t rest = c->timing.cycles;
	table_cell(t, "%" PRIu64, c->timing.instructions);
	table_cell(t, "%" PRIu64, c->timing.cycles);
	table_cell(t, "%.3f", cpi(c));
	table_cell(t, "%.1f", pct(path_front_end(&c->path), c->timing.cycles));
	for (unsigned i = 0; i < nr; i++) {
		table_cell(t, "%.1f", pct(c->path.cycles[causes[i]], c->timing.cycles));
		rest -= c->path.cycles[causes[i]];
	}
	table_cell(t, "%.1f", pct(rest, c->timing.cycles));
}

static void pair_name(const struct core_result *r, struct textbuf *out)
{
	textbuf_printf(out, "%s on ", r->stream);
	core_result_name(r, out);
}

static bool write_epochs(const struct core_result *r, bool bold, struct textbuf *out)
{
	static const char *const heads[] = {"epoch", "instructions", "cycles", "CPI", "front end, sum"};
	unsigned causes[MAX_EPOCH_CAUSES], nr = main_causes(&r->counts.path, causes);
	struct table t;
	textbuf_puts(out, "\nEpochs of ");
	pair_name(r, out);
	textbuf_puts(out, ", shares in %, of the causes with the most cycles:\n");
	table_init(&t);
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (unsigned i = 0; i < nr; i++) {
		char name[PATH_CAUSE_NAME_BYTES];
		table_cell(&t, "%s", path_cause_name(&r->model->timing, causes[i], name));
	}
	table_cell(&t, "others");
	for (uint64_t e = 0; e < r->nr_epochs; e++) {
		table_row(&t, e == 0);
		table_cell(&t, "%" PRIu64, r->epochs[e].number);
		epoch_row(&r->epochs[e].counts, causes, nr, &t);
	}
	table_row(&t, true);
	table_cell(&t, "all");
	epoch_row(&r->counts, causes, nr, &t);
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* ---- Instructions and edges ---- */

static bool has_files(const struct path_tops *t)
{
	for (size_t i = 0; i < t->nr_edges; i++)
		if (t->edges[i].from.file || t->edges[i].to.file)
			return true;
	return false;
}

/* Address, and "libc.so.6+0x2d5f0" */
static void place_cells(const struct path_place *p, bool files, struct table *t)
{
	const char *slash = p->file ? strrchr(p->file, '/') : NULL;
	table_cell(t, "0x%" PRIx64, p->pc);
	if (files && p->file)
		table_cell(t, "%s+0x%" PRIx64, slash ? slash + 1 : p->file, p->offset);
	else if (files)
		table_cell(t, "-");
}

static void place_heads(const char *address, bool files, struct table *t)
{
	table_cell(t, "%s", address);
	if (files)
		table_cell(t, "in");
}

static bool write_instructions(const struct core_result *r, const struct path_tops *tops, bool bold,
			       struct textbuf *out)
{
	bool files = has_files(tops);
	char name[PATH_CAUSE_NAME_BYTES];
	struct table t;
	table_init(&t);
	t.left |= files ? 1u << 1 | 1u << 4 : 1u << 3;
	table_row(&t, false);
	place_heads("instruction", files, &t);
	table_cell(&t, "cycles");
	table_cell(&t, "%%");
	table_cell(&t, "main causes, in %% of the path");
	for (size_t i = 0; i < tops->nr_instructions; i++) {
		const struct path_instruction *in = &tops->instructions[i];
		struct textbuf causes;
		textbuf_init(&causes);
		for (unsigned k = 0; k < in->nr_causes; k++)
			textbuf_printf(&causes, "%s%s %.1f", k > 0 ? ", " : "",
				       path_cause_name(&r->model->timing, in->causes[k], name),
				       pct(in->of_cause[k], r->counts.timing.cycles));
		table_row(&t, i == 0);
		place_cells(&in->place, files, &t);
		table_cell(&t, "%" PRIu64, in->cycles);
		table_cell(&t, "%.1f", pct(in->cycles, r->counts.timing.cycles));
		table_cell_text(&t, &causes);
		textbuf_release(&causes);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_edges(const struct core_result *r, const struct path_tops *tops, bool bold, struct textbuf *out)
{
	static const char *const heads[] = {"cause", "cycles", "%", "times"};
	bool files = has_files(tops);
	char name[PATH_CAUSE_NAME_BYTES];
	struct table t;
	table_init(&t);
	t.left |= files ? 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 : 1u << 1 | 1u << 2;
	table_row(&t, false);
	place_heads("from", files, &t);
	place_heads("to", files, &t);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (size_t i = 0; i < tops->nr_edges; i++) {
		const struct path_top_edge *e = &tops->edges[i];
		table_row(&t, i == 0);
		place_cells(&e->from, files, &t);
		place_cells(&e->to, files, &t);
		table_cell(&t, "%s", path_cause_name(&r->model->timing, e->cause, name));
		table_cell(&t, "%" PRIu64, e->cycles);
		table_cell(&t, "%.1f", pct(e->cycles, r->counts.timing.cycles));
		table_cell(&t, "%" PRIu64, e->times);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_tops(const struct core_result *r, const struct path_tops *tops, bool bold, struct textbuf *out)
{
	textbuf_puts(out, "\nInstructions that the path of ");
	pair_name(r, out);
	textbuf_puts(out, " waits for longest:\n");
	bool ok = write_instructions(r, tops, bold, out);
	textbuf_puts(out, "\nEdges of the path of ");
	pair_name(r, out);
	textbuf_puts(out, " with the most cycles, where instruction \"to\" waits for \"from\":\n");
	ok = write_edges(r, tops, bold, out) && ok;
	if (tops->is_part)
		textbuf_puts(out,
			     "\nThere were too many different edges: these two tables lack cycles of the others\n");
	return ok;
}

/* ---- The report ---- */

static void write_cuts(const struct path_report *report, struct textbuf *out)
{
	const char *before = "\n";
	for (size_t i = 0; i < report->nr_streams * report->nr_cores; i++) {
		const struct core_result *r = &report->results[i];
		if (r->counts.path.cuts == 0)
			continue;
		textbuf_printf(out, "%sCut: %" PRIu64 " of %" PRIu64 " windows of the path of ", before,
			       r->counts.path.cuts, r->counts.path.windows);
		pair_name(r, out);
		textbuf_puts(out, "; what came before has the cause cut\n");
		before = "";
	}
}

bool path_text(const struct path_report *report, bool bold, struct textbuf *out)
{
	size_t nr = report->nr_streams * report->nr_cores;
	struct path_view v;
	bool ok = path_view_init(&v, report) && write_all_shares(&v, bold, out);
	for (size_t i = 0; i < nr && ok; i++)
		if (report->results[i].epochs)
			ok = write_epochs(&report->results[i], bold, out);
	for (size_t i = 0; i < nr && ok; i++)
		if (report->tops && report->tops[i].nr_edges > 0)
			ok = write_tops(&report->results[i], &report->tops[i], bold, out);
	write_cuts(report, out);
	const char *before = "\n";
	core_report_sampling(&report->results[0].sampling, out);
	for (size_t i = 0; i < nr; i += report->nr_cores)
		core_report_sample(report->results[i].stream, report->results[i].nr_sampled, &before, out);
	path_view_release(&v);
	return ok;
}
