/* Tables of top-down analysis, and its formulas. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results/cores/tma_report_internal.h"
#include "results/metrics/table.h"

/* Smaller shares are printed as 0.0; such classes of the last level are left out. */
#define LEAST_PCT 0.05
/* Lanes beside each other; more are in further rows. */
#define LANE_COLUMNS 16u

/* Never -0.0. */
static double in_pct(double share)
{
	return fabs(100 * share) < LEAST_PCT ? 0 : 100 * share;
}

static void share_cell(struct table *t, double share)
{
	table_cell(t, isnan(share) ? "-" : "%.1f", in_pct(share));
}

static void gap_cell(struct table *t, double gap)
{
	table_cell(t, isnan(gap) ? "-" : in_pct(gap) == 0 ? "%.1f" : "%+.1f", in_pct(gap));
}

static void core_cell(struct table *t, const struct core_result *r)
{
	struct textbuf name;
	textbuf_init(&name);
	core_result_name(r, &name);
	table_cell_text(t, &name);
	textbuf_release(&name);
}

/* ---- Classes of a result, kinds side by side ---- */

static bool is_shown(const struct tma_report *report, const struct tma_result *r, const struct tma_shares *shares,
		     unsigned class)
{
	bool is_any = false;
	if (tma_level(class) > report->level || !tma_class_is_there(&r->run->model->timing, class))
		return false;
	for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++)
		if (tma_shows_kind(report, &r->window, kind) && !isnan(shares[kind].of[class]))
			is_any |= tma_level(class) < NR_TMA_LEVELS || in_pct(shares[kind].of[class]) != 0;
	return is_any;
}

static bool write_classes(const struct tma_report *report, const struct tma_result *r, const char *stream, bool bold,
			  struct textbuf *out)
{
	const struct tma_counts *c = &r->window.counts;
	struct tma_shares shares[NR_TMA_KINDS];
	char name[TMA_NAME_BYTES];
	struct table t;
	textbuf_printf(out, "Top-down of %s on ", stream);
	core_result_name(r->run, out);
	textbuf_printf(out, ": %% of %" PRIu64 " slots, %" PRIu64 " in each of %" PRIu64 " cycles:\n",
		       c->width * c->cycles, c->width, c->cycles);
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "class");
	for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
		tma_evaluate(&r->window, kind, &shares[kind]);
		if (tma_shows_kind(report, &r->window, kind))
			table_cell(&t, "%s", tma_kind_name(kind));
		if (tma_shows_kind(report, &r->window, kind) && kind != TMA_EXACT)
			table_cell(&t, "gap");
	}
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++) {
		if (!is_shown(report, r, shares, k))
			continue;
		table_row(&t, tma_level(k) == 1);
		table_cell(&t, "%*s%s", (int)(2 * tma_level(k) - 2), "",
			   tma_class_name(&r->run->model->timing, k, name));
		for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
			if (!tma_shows_kind(report, &r->window, kind))
				continue;
			share_cell(&t, shares[kind].of[k]);
			if (kind != TMA_EXACT)
				gap_cell(&t, shares[kind].of[k] - shares[TMA_EXACT].of[k]);
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* ---- Windows below each other: results, epochs ---- */

/* The third level has too many classes for columns. */
static bool has_column(const struct tma_report *report, unsigned class)
{
	return tma_level(class) <= report->level && tma_level(class) < NR_TMA_LEVELS;
}

static void class_heads(const struct tma_report *report, const struct core_timing *model, struct table *t)
{
	char name[TMA_NAME_BYTES];
	table_cell(t, "formulas");
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
		if (has_column(report, k))
			table_cell(t, "%s", tma_class_name(model, k, name));
}

static void class_cells(const struct tma_report *report, const struct tma_window *w, enum tma_kind kind,
			struct table *t)
{
	struct tma_shares shares;
	tma_evaluate(w, kind, &shares);
	table_cell(t, "%s", tma_kind_name(kind));
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
		if (has_column(report, k))
			share_cell(t, shares.of[k]);
}

static bool write_overview(const struct tma_view *v, bool bold, struct textbuf *out)
{
	const struct tma_report *report = v->report;
	struct table t;
	bool is_begun = false; /* the stream has a row */
	textbuf_puts(out, "Top-down, % of slots:\n");
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2;
	table_row(&t, false);
	table_cell(&t, "stream");
	table_cell(&t, "core");
	class_heads(report, &report->results[0].run->model->timing, &t);
	for (size_t i = 0; i < v->nr_rows * report->nr_cores; i++) {
		const struct tma_result *r = tma_view_result(v, i / report->nr_cores, i % report->nr_cores);
		bool is_first = true;
		if (i % report->nr_cores == 0)
			is_begun = false;
		for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
			if (!tma_shows_kind(report, &r->window, kind))
				continue;
			table_row(&t, !is_begun);
			is_begun = true;
			table_cell(&t, "%s", is_first ? tma_view_stream(v, i / report->nr_cores) : "");
			if (is_first)
				core_cell(&t, r->run);
			else
				table_cell(&t, "%s", "");
			class_cells(report, &r->window, kind, &t);
			is_first = false;
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_epochs(const struct tma_report *report, const struct tma_result *r, const char *stream, bool bold,
			 struct textbuf *out)
{
	struct table t;
	textbuf_printf(out, "\nEpochs of %s on ", stream);
	core_result_name(r->run, out);
	textbuf_puts(out, ", % of slots:\n");
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_cell(&t, "epoch");
	class_heads(report, &r->run->model->timing, &t);
	for (size_t e = 0; e <= r->nr_epochs; e++) {
		const struct tma_window *w = e < r->nr_epochs ? &r->epochs[e].window : &r->window;
		bool is_first = true;
		for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
			if (!tma_shows_kind(report, w, kind))
				continue;
			table_row(&t, is_first && (e == 0 || e == r->nr_epochs));
			if (!is_first)
				table_cell(&t, "%s", "");
			else if (e < r->nr_epochs)
				table_cell(&t, "%" PRIu64, r->epochs[e].number);
			else
				table_cell(&t, "all");
			class_cells(report, w, kind, &t);
			is_first = false;
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* ---- Lanes (paper, table V) ---- */

static void run_cells(const struct tma_view *v, size_t row, const struct tma_result *r, struct table *t)
{
	table_cell(t, "%s", tma_view_stream(v, row));
	core_cell(t, r->run);
}

static unsigned most_lanes(const struct tma_view *v, unsigned event)
{
	struct tma_lanes lanes[NR_TMA_LANES];
	unsigned most = 0;
	for (size_t i = 0; i < v->report->nr_cores; i++) {
		tma_lanes_of(&v->report->results[i].window.counts, lanes);
		most = lanes[event].nr > most ? lanes[event].nr : most;
	}
	return most;
}

/* Lanes from `first` on. */
static bool write_lanes(const struct tma_view *v, unsigned event, unsigned first, unsigned end, bool bold,
			struct textbuf *out)
{
	struct tma_lanes lanes[NR_TMA_LANES];
	struct table t;
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_cell(&t, "stream");
	table_cell(&t, "core");
	for (unsigned k = first; k < end; k++)
		table_cell(&t, "%u", k);
	for (size_t i = 0; i < v->nr_rows * v->report->nr_cores; i++) {
		const struct tma_result *r = tma_view_result(v, i / v->report->nr_cores, i % v->report->nr_cores);
		tma_lanes_of(&r->window.counts, lanes);
		table_row(&t, i == 0);
		run_cells(v, i / v->report->nr_cores, r, &t);
		for (unsigned k = first; k < end; k++)
			if (k < lanes[event].nr)
				table_cell(&t, "%.3f",
					   (double)lanes[event].counts[k] / (double)r->window.counts.cycles);
			else
				table_cell(&t, "-");
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* Frontend from all lanes, and from one of them. */
static bool write_one_lane(const struct tma_view *v, bool bold, struct textbuf *out)
{
	static const char *const heads[] = {"stream", "core", "all lanes", "first", "error, %", "second", "error, %"};
	struct table t;
	textbuf_puts(out,
		     "\nFrontend in % of slots, from the bubbles of all lanes, and of one lane times the width:\n");
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (size_t i = 0; i < v->nr_rows * v->report->nr_cores; i++) {
		const struct tma_result *r = tma_view_result(v, i / v->report->nr_cores, i % v->report->nr_cores);
		const struct tma_counts *c = &r->window.counts;
		uint64_t all = 0;
		for (unsigned k = 0; k < c->width; k++)
			all += c->bubbles_of[k];
		table_row(&t, i == 0);
		run_cells(v, i / v->report->nr_cores, r, &t);
		share_cell(&t, (double)all / (double)(c->cycles * c->width));
		for (unsigned k = 0; k < 2; k++) {
			bool is_there = k < c->width;
			share_cell(&t, is_there ? (double)c->bubbles_of[k] / (double)c->cycles : NAN);
			gap_cell(&t,
				 is_there && all > 0 ? (double)(c->bubbles_of[k] * c->width) / (double)all - 1 : NAN);
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* What counters miss of events with several sources. */
static bool write_undercounts(const struct tma_view *v, bool bold, struct textbuf *out)
{
	static const char *const heads[] = {"stream",  "core",	 "event",     "sources",
					    "counted", "missed", "missed, %", "at most"};
	struct tma_undercount missed[NR_TMA_EVENTS];
	struct table t;
	textbuf_printf(out, "\nWhat counters of kind %s miss:\n", hpm_kind_name(v->report->counters));
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (size_t i = 0; i < v->nr_rows * v->report->nr_cores; i++) {
		const struct tma_result *r = tma_view_result(v, i / v->report->nr_cores, i % v->report->nr_cores);
		tma_view_undercounts(v, r, missed);
		for (unsigned e = 0; e < NR_TMA_EVENTS; e++) {
			const struct tma_undercount *m = &missed[e];
			table_row(&t, e == 0);
			run_cells(v, i / v->report->nr_cores, r, &t);
			table_cell(&t, "%s", m->name);
			table_cell(&t, "%" PRIu64, m->sources);
			table_cell(&t, "%" PRIu64, m->counted);
			table_cell(&t, "%" PRIu64, m->truth - m->counted);
			share_cell(&t, m->truth > 0 ? (double)(m->truth - m->counted) / (double)m->truth : NAN);
			table_cell(&t, "%" PRIu64, m->bound);
		}
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_all_lanes(const struct tma_view *v, bool bold, struct textbuf *out)
{
	struct tma_lanes lanes[NR_TMA_LANES];
	bool ok = true;
	tma_lanes_of(&v->report->results[0].window.counts, lanes);
	for (unsigned event = 0; event < NR_TMA_LANES; event++) {
		unsigned nr = most_lanes(v, event);
		textbuf_printf(out, "\nLanes of %s, in each cycle:\n", lanes[event].name);
		for (unsigned first = 0; first < nr; first += LANE_COLUMNS)
			ok = write_lanes(v, event, first, nr < first + LANE_COLUMNS ? nr : first + LANE_COLUMNS, bold,
					 out) &&
			     ok;
	}
	ok = write_one_lane(v, bold, out) && ok;
	if (v->report->kinds & TMA_FORMULA_KINDS)
		ok = write_undercounts(v, bold, out) && ok;
	return ok;
}

/* ---- The report ---- */

bool tma_text(const struct tma_report *report, bool bold, struct textbuf *out)
{
	size_t nr = report->nr_streams * report->nr_cores;
	struct tma_view v;
	bool ok = tma_view_init(&v, report) && (nr == 1 || write_overview(&v, bold, out));
	for (size_t i = 0; ok && i < v.nr_rows * report->nr_cores; i++) {
		size_t row = i / report->nr_cores;
		if (!tma_shows_any(report, &tma_view_result(&v, row, i % report->nr_cores)->window))
			continue;
		textbuf_puts(out, nr > 1 ? "\n" : "");
		ok = write_classes(report, tma_view_result(&v, row, i % report->nr_cores), tma_view_stream(&v, row),
				   bold, out);
	}
	for (size_t i = 0; ok && i < nr; i++)
		if (report->results[i].epochs && tma_shows_any(report, &report->results[i].window))
			ok = write_epochs(report, &report->results[i], tma_view_stream(&v, i / report->nr_cores), bold,
					  out);
	if (ok && report->per_lane)
		ok = write_all_lanes(&v, bold, out);
	if (report->kinds & TMA_FORMULA_KINDS)
		textbuf_printf(out,
			       "\nFormulas are of counts by counters of kind %s; a gap is a formula's share less "
			       "the exact one\n",
			       hpm_kind_name(report->counters));
	for (size_t i = 0; i < report->nr_remarks; i++)
		textbuf_printf(out, "%s\n", report->remarks[i]);
	for (size_t i = 0; ok && i < report->nr_cores; i++) {
		size_t before_it = out->len;
		tma_view_remark(&v, i, out);
		textbuf_puts(out, out->len > before_it ? "\n" : "");
	}
	const char *before = "\n";
	core_report_sampling(&report->results[0].run->sampling, out);
	for (size_t i = 0; i < nr; i += report->nr_cores)
		core_report_sample(report->results[i].run->stream, report->results[i].run->nr_sampled, &before, out);
	tma_view_release(&v);
	return ok;
}

/* ---- Formulas ---- */

/* Whether `text` has the whole word. */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
		bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		if (begins && !isalnum((unsigned char)at[len]) && at[len] != '_')
			return true;
	}
	return false;
}

static bool is_used(enum event_family family, unsigned kinds, const char *symbol)
{
	for (unsigned i = 0; i < nr_tma_formulas; i++)
		if (tma_formulas[i].family == family && (tma_formulas[i].kinds & kinds) &&
		    has_word(tma_formulas[i].expression, symbol))
			return true;
	return false;
}

static bool explain_formulas(const struct core_timing *model, enum event_family family, enum tma_kind kind, bool bold,
			     struct textbuf *out)
{
	static const char *const heads[] = {"symbol", "formula", "class"};
	char path[TMA_NAME_BYTES];
	struct table t;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 2;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	bool ruled = true;
	for (unsigned i = 0; i < nr_tma_formulas; i++) {
		const struct tma_formula *f = &tma_formulas[i];
		if (f->family != family || !(f->kinds >> kind & 1))
			continue;
		table_row(&t, ruled);
		table_cell(&t, "%s", f->symbol);
		table_cell(&t, "%s", f->expression);
		table_cell(&t, "%s", f->class == TMA_NONE ? "-" : tma_class_path(model, f->class, path));
		ruled = false;
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool explain_slots(const struct core_timing *model, bool bold, struct textbuf *out)
{
	static const char *const heads[] = {"class", "a slot is in it if"};
	char path[TMA_NAME_BYTES];
	struct table t;
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_words(&t, heads, sizeof(heads) / sizeof(*heads));
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++) {
		if (!tma_class_is_there(model, k))
			continue;
		table_row(&t, k == 0);
		table_cell(&t, "%s", tma_class_path(model, k, path));
		table_cell(&t, "%s", tma_class_help(k));
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool explain_symbols(enum event_family family, unsigned kinds, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_cell(&t, "symbol");
	table_cell(&t, "count, in all lanes unless it names one");
	bool ruled = true;
	for (unsigned i = 0; i < nr_tma_symbols; i++) {
		if (!is_used(family, kinds, tma_symbols[i].symbol))
			continue;
		table_row(&t, ruled);
		table_cell(&t, "%s", tma_symbols[i].symbol);
		table_cell(&t, "%s", tma_symbols[i].help);
		ruled = false;
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

bool tma_explain(const struct core_timing *t, enum event_family family, unsigned kinds, bool bold, struct textbuf *out)
{
	bool ok = true, has_formulas = false;
	const char *before = "";
	for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
		if (!(kinds >> kind & 1) || !tma_has_kind(family, MAX_WIDTH, kind))
			continue;
		has_formulas |= kind != TMA_EXACT;
		textbuf_printf(out, "%s%s%s: %s\n", before,
			       kind == TMA_EXACT       ? ""
			       : family == FAMILY_BOOM ? "BOOM, "
						       : "Rocket, ",
			       tma_kind_name(kind), tma_kind_help(kind));
		ok = (kind == TMA_EXACT ? explain_slots(t, bold, out) : explain_formulas(t, family, kind, bold, out)) &&
		     ok;
		before = "\n";
	}
	if (!has_formulas)
		return ok;
	textbuf_printf(out, "%s", before);
	return explain_symbols(family, kinds, bold, out) && ok;
}
