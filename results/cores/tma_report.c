#include "results/cores/tma_report.h"

#include <math.h>
#include <stdlib.h>

#include "results/cores/tma_report_internal.h"
#include "results/metrics/csv.h"

/* ---- Results and their sums ---- */

bool tma_view_init(struct tma_view *v, const struct tma_report *report)
{
	size_t nr_streams = report->nr_streams, nr_cores = report->nr_cores;
	*v = (struct tma_view){.report = report, .nr_rows = nr_streams + (nr_streams > 1), .nr_folders = SIZE_MAX};
	for (size_t i = 0; i < nr_streams; i++)
		v->nr_folders = core_report_shared_folders(report->results[0].run->stream,
							   report->results[i * nr_cores].run->stream, v->nr_folders);
	v->runs = calloc(nr_cores, sizeof(*v->runs));
	v->sums = calloc(nr_cores, sizeof(*v->sums));
	if (!v->runs || !v->sums)
		return false;
	for (size_t i = 0; i < nr_cores; i++) {
		v->runs[i] = *report->results[i].run;
		v->runs[i].stream = "all streams";
		v->runs[i].nr_sampled = 0;
		v->sums[i].run = &v->runs[i];
		for (size_t k = 0; k < nr_streams; k++)
			tma_window_add(&v->sums[i].window, &report->results[k * nr_cores + i].window);
	}
	return true;
}

void tma_view_release(struct tma_view *v)
{
	free(v->runs);
	free(v->sums);
}

const struct tma_result *tma_view_result(const struct tma_view *v, size_t row, size_t core)
{
	const struct tma_report *r = v->report;
	return row < r->nr_streams ? &r->results[row * r->nr_cores + core] : &v->sums[core];
}

const char *tma_view_stream(const struct tma_view *v, size_t row)
{
	return tma_view_result(v, row, 0)->run->stream + (row < v->report->nr_streams ? v->nr_folders : 0);
}

static bool is_sum(const struct tma_view *v, const struct tma_result *r)
{
	return r >= v->sums && r < v->sums + v->report->nr_cores;
}

void tma_view_undercounts(const struct tma_view *v, const struct tma_result *r,
			  struct tma_undercount out[NR_TMA_EVENTS])
{
	tma_undercounts_of(&r->window.counts, v->report->counters, is_sum(v, r) ? v->report->nr_streams : 1, out);
}

void tma_view_remark(const struct tma_view *v, size_t core, struct textbuf *out)
{
	const struct tma_window *w = &v->sums[core].window;
	const struct tma_counts *c = &w->counts;
	uint64_t uops = c->truth[TMA_UOPS_RETIRED];
	if (!(v->report->kinds & TMA_FORMULA_KINDS) || w->family != FAMILY_ROCKET || uops == c->instructions ||
	    c->flushes + c->mispredictions == 0)
		return;
	textbuf_puts(out, "On ");
	core_result_name(&v->runs[core], out);
	textbuf_printf(out,
		       ", formulas count uops that issue and instructions that retire: %.1f points of BadSpec are "
		       "further uops of an instruction",
		       100 * (double)(uops - c->instructions) / (double)(c->cycles * c->width));
}

bool tma_shows_kind(const struct tma_report *r, const struct tma_window *w, enum tma_kind kind)
{
	return (r->kinds >> kind & 1) && tma_has_kind(w->family, w->counts.width, kind);
}

bool tma_shows_any(const struct tma_report *r, const struct tma_window *w)
{
	for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++)
		if (tma_shows_kind(r, w, kind))
			return true;
	return false;
}

void tma_lanes_of(const struct tma_counts *c, struct tma_lanes lanes[NR_TMA_LANES])
{
	lanes[0] = (struct tma_lanes){"fetch bubbles", "fetch_bubbles", (unsigned)c->width, c->bubbles_of};
	lanes[1] = (struct tma_lanes){"D$ blocked", "dcache_blocked", (unsigned)c->width, c->dblocked_of};
	lanes[2] = (struct tma_lanes){"uops issued", "uops_issued", (unsigned)c->nr_ports, c->issued_of};
}

static bool is_shown(const struct tma_report *r, const struct core_timing *t, unsigned class)
{
	return tma_level(class) <= r->level && tma_class_is_there(t, class);
}

/* ---- CSV ---- */

typedef void csv_rows_fn(const struct tma_view *v, const struct tma_result *r, const struct tma_epoch *e,
			 struct textbuf *out);

static void csv_names(const struct tma_view *v, const struct tma_result *r, const struct tma_epoch *e,
		      struct textbuf *out)
{
	csv_string(out, is_sum(v, r) ? "" : r->run->stream);
	csv_string(out, r->run->core);
	if (r->run->nr_settings > 0)
		core_report_csv_settings(r->run, out);
	csv_string(out, r->run->config_hash);
	core_report_csv_sample(r->run->nr_sampled, out);
	if (e)
		csv_u64(out, e->number);
	else
		csv_string(out, "");
	csv_string(out, hpm_kind_name(v->report->counters));
}

static void csv_classes(const struct tma_view *v, const struct tma_result *r, const struct tma_epoch *e,
			struct textbuf *out)
{
	const struct tma_window *w = e ? &e->window : &r->window;
	uint64_t totals[NR_TMA_CLASSES];
	struct tma_shares shares, exact;
	char path[TMA_NAME_BYTES];
	tma_slots_total(&w->slots, totals);
	tma_evaluate(w, TMA_EXACT, &exact);
	for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
		if (!tma_shows_kind(v->report, w, kind))
			continue;
		tma_evaluate(w, kind, &shares);
		for (unsigned k = 0; k < NR_TMA_CLASSES; k++) {
			if (!is_shown(v->report, &r->run->model->timing, k) || isnan(shares.of[k]))
				continue;
			csv_names(v, r, e, out);
			csv_string(out, tma_kind_name(kind));
			csv_u64(out, tma_level(k));
			csv_string(out, tma_class_path(&r->run->model->timing, k, path));
			csv_double(out, shares.of[k]);
			csv_double(out, kind == TMA_EXACT ? NAN : shares.of[k] - exact.of[k]);
			if (kind == TMA_EXACT)
				csv_u64(out, totals[k]);
			else
				csv_string(out, "");
			csv_end_row(out);
		}
	}
}

static void csv_lanes(const struct tma_view *v, const struct tma_result *r, const struct tma_epoch *e,
		      struct textbuf *out)
{
	const struct tma_counts *c = e ? &e->window.counts : &r->window.counts;
	struct tma_lanes lanes[NR_TMA_LANES];
	tma_lanes_of(c, lanes);
	for (unsigned i = 0; i < NR_TMA_LANES; i++)
		for (unsigned k = 0; k < lanes[i].nr; k++) {
			csv_names(v, r, e, out);
			csv_string(out, lanes[i].key);
			csv_u64(out, k);
			csv_u64(out, lanes[i].counts[k]);
			csv_double(out, (double)lanes[i].counts[k] / (double)c->cycles);
			csv_string(out, "");
			csv_string(out, "");
			csv_end_row(out);
		}
	struct tma_undercount missed[NR_TMA_EVENTS];
	tma_view_undercounts(v, r, missed);
	for (unsigned i = 0; i < NR_TMA_EVENTS && !e; i++) {
		csv_names(v, r, e, out);
		csv_string(out, missed[i].key);
		csv_string(out, "");
		csv_u64(out, missed[i].counted);
		csv_double(out, (double)missed[i].counted / (double)c->cycles);
		csv_u64(out, missed[i].truth);
		csv_u64(out, missed[i].bound);
		csv_end_row(out);
	}
}

static bool write_csv(const struct tma_report *report, const char *heads, csv_rows_fn *rows, struct textbuf *out)
{
	struct tma_view v;
	bool ok = tma_view_init(&v, report), has_epochs = report->results[0].epochs != NULL;
	textbuf_puts(out, report->results[0].run->nr_settings > 0 ? "stream,core,settings" : "stream,core");
	textbuf_printf(out, ",config_hash,sampled_epochs,epoch,counters,%s\n", heads);
	for (size_t i = 0; ok && i < v.nr_rows * report->nr_cores; i++) {
		const struct tma_result *r = tma_view_result(&v, i / report->nr_cores, i % report->nr_cores);
		for (size_t e = 0; e < r->nr_epochs; e++)
			rows(&v, r, &r->epochs[e], out);
		if (!has_epochs)
			rows(&v, r, NULL, out);
	}
	tma_view_release(&v);
	return ok;
}

bool tma_csv(const struct tma_report *r, struct textbuf *out)
{
	return write_csv(r, "formulas,level,class,share,gap,slots", csv_classes, out);
}

bool tma_lanes_csv(const struct tma_report *r, struct textbuf *out)
{
	return write_csv(r, "event,lane,count,per_cycle,truth,bound", csv_lanes, out);
}

/* ---- JSON ---- */

static void json_counts(struct jwriter *j, const struct tma_counts *c)
{
	struct tma_lanes lanes[NR_TMA_LANES];
	jwrite_begin_flat_object(j, "counts");
	jwrite_u64(j, "instructions_retired", c->instructions);
	jwrite_u64(j, "uops_retired", c->uops);
	jwrite_u64(j, "uops_issued", c->issued);
	jwrite_u64(j, "fetch_bubbles", c->bubbles);
	jwrite_u64(j, "recovering", c->recovering);
	jwrite_u64(j, "icache_blocked", c->iblocked);
	jwrite_u64(j, "dcache_blocked", c->dblocked);
	jwrite_u64(j, "flushes", c->flushes);
	jwrite_u64(j, "mispredictions", c->mispredictions);
	jwrite_u64(j, "fences_retired", c->fences);
	jwrite_end_object(j);
	jwrite_begin_object(j, "lanes");
	tma_lanes_of(c, lanes);
	for (unsigned i = 0; i < NR_TMA_LANES; i++) {
		jwrite_begin_array(j, lanes[i].key, true);
		for (unsigned k = 0; k < lanes[i].nr; k++)
			jwrite_u64(j, NULL, lanes[i].counts[k]);
		jwrite_end_array(j);
	}
	jwrite_end_object(j);
}

/* Shares of a kind, less those of `minus` if that is not NULL. */
static void json_shares(struct jwriter *j, const struct tma_report *report, const struct core_timing *t,
			const struct tma_window *w, enum tma_kind kind, const struct tma_shares *minus)
{
	char path[TMA_NAME_BYTES];
	struct tma_shares shares;
	tma_evaluate(w, kind, &shares);
	jwrite_begin_flat_object(j, tma_kind_name(kind));
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
		if (is_shown(report, t, k) && !isnan(shares.of[k]))
			jwrite_double(j, tma_class_path(t, k, path), shares.of[k] - (minus ? minus->of[k] : 0));
	jwrite_end_object(j);
}

static void json_window(struct jwriter *j, const struct tma_report *report, const struct core_timing *t,
			const struct tma_window *w)
{
	uint64_t totals[NR_TMA_CLASSES];
	char path[TMA_NAME_BYTES];
	struct tma_shares exact;
	jwrite_u64(j, "width", w->counts.width);
	jwrite_u64(j, "cycles", w->counts.cycles);
	if (tma_has_counts(report))
		json_counts(j, &w->counts);
	jwrite_begin_object(j, "shares");
	for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++)
		if (tma_shows_kind(report, w, kind))
			json_shares(j, report, t, w, kind, NULL);
	jwrite_end_object(j);
	tma_evaluate(w, TMA_EXACT, &exact);
	jwrite_begin_object(j, "gaps");
	for (enum tma_kind kind = 0; kind < TMA_EXACT; kind++)
		if (tma_shows_kind(report, w, kind))
			json_shares(j, report, t, w, kind, &exact);
	jwrite_end_object(j);
	if (!tma_shows_kind(report, w, TMA_EXACT))
		return;
	tma_slots_total(&w->slots, totals);
	jwrite_begin_flat_object(j, "slots");
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
		if (is_shown(report, t, k))
			jwrite_u64(j, tma_class_path(t, k, path), totals[k]);
	jwrite_end_object(j);
}

static void json_undercounts(struct jwriter *j, const struct tma_view *v, const struct tma_result *r)
{
	struct tma_undercount missed[NR_TMA_EVENTS];
	tma_view_undercounts(v, r, missed);
	jwrite_begin_object(j, "undercounts");
	for (unsigned i = 0; i < NR_TMA_EVENTS; i++) {
		jwrite_begin_flat_object(j, missed[i].key);
		jwrite_u64(j, "sources", missed[i].sources);
		jwrite_u64(j, "counted", missed[i].counted);
		jwrite_u64(j, "truth", missed[i].truth);
		jwrite_u64(j, "bound", missed[i].bound);
		jwrite_end_object(j);
	}
	jwrite_end_object(j);
}

static void json_result(struct jwriter *j, const struct tma_view *v, const struct tma_result *r)
{
	const struct tma_report *report = v->report;
	const struct core_timing *t = &r->run->model->timing;
	jwrite_begin_object(j, NULL);
	if (!is_sum(v, r))
		jwrite_string(j, "stream", r->run->stream);
	jwrite_string(j, "core", r->run->core);
	jwrite_string(j, "core_name", r->run->model->name);
	jwrite_string(j, "config_hash", r->run->config_hash);
	core_report_json_settings(j, r->run);
	core_report_json_sampling(j, r->run->nr_sampled, &r->run->sampling);
	json_window(j, report, t, &r->window);
	if (tma_has_counts(report))
		json_undercounts(j, v, r);
	if (r->epochs)
		jwrite_begin_array(j, "epochs", false);
	for (size_t e = 0; e < r->nr_epochs; e++) {
		jwrite_begin_object(j, NULL);
		jwrite_u64(j, "epoch", r->epochs[e].number);
		json_window(j, report, t, &r->epochs[e].window);
		jwrite_end_object(j);
	}
	if (r->epochs)
		jwrite_end_array(j);
	jwrite_end_object(j);
}

static void json_remark(struct jwriter *j, const struct tma_view *v, size_t core)
{
	struct textbuf remark;
	textbuf_init(&remark);
	tma_view_remark(v, core, &remark);
	if (remark.len > 0)
		jwrite_string(j, NULL, remark.text);
	textbuf_release(&remark);
}

bool tma_json(const struct tma_report *report, struct textbuf *out)
{
	size_t nr = report->nr_streams * report->nr_cores;
	struct tma_view v;
	struct jwriter j;
	bool ok = tma_view_init(&v, report);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", TMA_SCHEMA);
	jwrite_string(&j, "counters", hpm_kind_name(report->counters));
	jwrite_begin_array(&j, "remarks", false);
	for (size_t i = 0; i < report->nr_remarks; i++)
		jwrite_string(&j, NULL, report->remarks[i]);
	for (size_t i = 0; ok && i < report->nr_cores; i++)
		json_remark(&j, &v, i);
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++)
		json_result(&j, &v, &report->results[i]);
	jwrite_end_array(&j);
	if (report->nr_streams > 1) {
		jwrite_begin_array(&j, "all", false);
		for (size_t i = 0; ok && i < report->nr_cores; i++)
			json_result(&j, &v, &v.sums[i]);
		jwrite_end_array(&j);
	}
	jwrite_end_object(&j);
	jwrite_finish(&j);
	tma_view_release(&v);
	return ok;
}
