#include "results/page/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/plot.h"
#include "results/page/page_folder.h"
#include "results/page/report_internal.h"
#include "sim/base/array.h"
#include "sim/base/shell.h"
#include "sim/base/units.h"

#define DEFAULT_METRIC RUN_METRIC_speedup_mean
#define DEFAULT_BEST 10u

static void make_scale(struct report *r)
{
	const struct run_metric_row *row = &run_metric_rows[r->options.metric];
	struct report_scale *s = &r->scale;
	size_t len = strlen(row->name);
	const char *end = "";
	*s = (struct report_scale){.by = 1, .unit = ""};
	switch (row->form) {
	case RUN_SPEEDUP:
	case RUN_SHARE:
		s->by = 100;
		s->unit = "%";
		end = "_pct";
		break;
	case RUN_TIME:
	case RUN_WAIT:
		s->by = 1 / (double)NS_PER_MS;
		s->unit = "ms";
		end = "_ms";
		len -= strlen("_ns");
		break;
	case RUN_RATE:
	case RUN_NUMBER:
	case RUN_ENERGY:
		break;
	}
	snprintf(s->key, sizeof(s->key), "%.*s%s", (int)len, row->name, end);
	if (*s->unit)
		snprintf(s->axis, sizeof(s->axis), "%s (%s)", row->words, s->unit);
	else
		snprintf(s->axis, sizeof(s->axis), "%s", row->words);
}

static enum sahm_status add_point(void *ctx, const struct query_row *row, struct sahm_err *err)
{
	struct report *r = ctx;
	double value = row->values[0];
	query_tally_row(&r->tally, row, !isnan(value));
	if (isnan(value))
		return SAHM_OK;
	struct report_value *values = query_grow(r->values, &r->room, r->nr, sizeof(*values));
	if (!values)
		return sahm_fail_nomem(err);
	r->values = values;
	r->values[r->nr++] = (struct report_value){row->position, value};
	if (!(row->nr_cores >= r->least_cores))
		r->least_cores = row->nr_cores;
	if (!(row->nr_cores <= r->most_cores))
		r->most_cores = row->nr_cores;
	if (!r->summary.any || value * r->direction > r->summary.value * r->direction) {
		r->summary.any = true;
		r->summary.value = value;
		r->summary.position = row->position;
	}
	return SAHM_OK;
}

static enum sahm_status summarize(struct report *r, struct sahm_err *err)
{
	struct report_summary *s = &r->summary;
	const struct query_tally *t = &r->tally;
	struct textbuf words;
	textbuf_init(&words);
	s->nr_points = query_nr_chosen(r->q);
	s->nr_done = t->nr_done;
	s->nr_failed = t->nr_failed;
	s->nr_missing = s->nr_points > t->nr_done + t->nr_failed ? s->nr_points - t->nr_done - t->nr_failed : 0;
	s->synthetic = t->nr_synthetic > 0;
	s->nominal = t->nr_nominal > 0;
	if (s->any)
		query_write_position(r->q, s->position, &words);
	s->words = textbuf_failed(&words) ? NULL : arena_strndup(&r->arena, words.text, words.len);
	textbuf_release(&words);
	return s->words ? SAHM_OK : sahm_fail_nomem(err);
}

/* The command that makes the page again, in the folder of the store. */
static void write_command(struct report *r)
{
	const struct report_options *o = &r->options;
	const char *store = o->origin.store;
	struct textbuf *b = &r->command;
	textbuf_puts(b, "sahm report ");
	shell_write_file(b, store);
	if (r->q->which) {
		textbuf_puts(b, " --sweep ");
		shell_write_word(b, r->q->which);
	}
	if (o->metric != DEFAULT_METRIC)
		textbuf_printf(b, " --metric %s", run_metric_rows[o->metric].name);
	for (size_t i = 0; i < o->nr_where; i++) {
		textbuf_puts(b, " --where ");
		shell_write_word(b, o->where[i]);
	}
	if (o->nr_best != DEFAULT_BEST)
		textbuf_printf(b, " --top %" PRIu64, o->nr_best);
}

/* All values: their interval, and their histogram. */
static enum sahm_status describe_all(struct report *r, struct sahm_err *err)
{
	char subtitle[64];
	double *scaled = arena_alloc(&r->arena, r->nr, sizeof(*scaled));
	r->sorted = arena_alloc(&r->arena, r->nr, sizeof(*r->sorted));
	if (!scaled || !r->sorted)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < r->nr; i++) {
		r->sorted[i] = r->values[i].value;
		scaled[i] = r->values[i].value * r->scale.by;
	}
	enum sahm_status status = report_interval(r->sorted, r->nr, &r->interval, err);
	stats_sort(r->sorted, r->nr);
	if (status != SAHM_OK || r->nr < 2)
		return status;
	snprintf(subtitle, sizeof(subtitle), "%zu points%s", r->nr, report_words(r));
	const struct chart c = report_chart(r, "Distribution over finished points", subtitle, "range", "points");
	r->distribution = report_add_figure(r, "distribution");
	textbuf_printf(&r->distribution->caption, "How many of %zu points%s have a %s in each range.", r->nr,
		       report_in_brackets(r), run_metric_rows[r->options.metric].name);
	chart_histogram(&c, scaled, r->nr, "points", &r->distribution->figure);
	return SAHM_OK;
}

static enum sahm_status fill(struct report *r, struct sahm_err *err)
{
	enum sahm_status status = query_walk(r->q, &r->options.metric, 1, add_point, r, err);
	if (status == SAHM_OK)
		status = summarize(r, err);
	if (status == SAHM_OK)
		status = query_identity(r->q, &r->identity, err);
	if (status == SAHM_OK)
		status = query_config(r->q, &r->config, err);
	if (status != SAHM_OK)
		return status;
	make_scale(r);
	write_command(r);
	if (r->nr > 0)
		status = describe_all(r, err);
	if (status == SAHM_OK)
		status = report_read_axes(r, err);
	if (status == SAHM_OK)
		status = report_draw_axes(r, err);
	if (status == SAHM_OK)
		status = report_read_threads(r, err);
	bool failed = textbuf_failed(&r->identity) || textbuf_failed(&r->config) || textbuf_failed(&r->command);
	return status == SAHM_OK && failed ? sahm_fail_nomem(err) : status;
}

enum sahm_status report_new(struct report **report, struct query *q, const struct report_options *options,
			    struct sahm_err *err)
{
	struct report *r = calloc(1, sizeof(*r));
	if (!r)
		return sahm_fail_nomem(err);
	*r = (struct report){.q = q, .options = *options, .least_cores = NAN, .most_cores = NAN};
	r->form = run_metric_rows[options->metric].form;
	r->direction = run_metric_direction(options->metric) < 0 ? -1 : 1;
	arena_init(&r->arena);
	textbuf_init(&r->identity);
	textbuf_init(&r->command);
	textbuf_init(&r->config);
	query_answer_init(&r->threads);
	enum sahm_status status = fill(r, err);
	if (status != SAHM_OK) {
		report_free(r);
		return status;
	}
	*report = r;
	return SAHM_OK;
}

void report_free(struct report *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->nr_figures; i++) {
		figure_release(&r->figures[i].figure);
		textbuf_release(&r->figures[i].caption);
	}
	query_answer_release(&r->threads);
	textbuf_release(&r->identity);
	textbuf_release(&r->command);
	textbuf_release(&r->config);
	free(r->values);
	arena_release(&r->arena);
	free(r);
}

const struct report_summary *report_summary(const struct report *r)
{
	return &r->summary;
}

static enum sahm_status draw_figures(struct report *r, const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (!plot_is_installed()) {
		if (r->nr_figures > 0)
			textbuf_puts(notes, "gnuplot is not installed: the page has no pictures; data and scripts are "
					    "beside it\n");
		return SAHM_OK;
	}
	for (unsigned i = 0; i < r->nr_figures && status == SAHM_OK; i++) {
		status = plot_draw(folder, r->figures[i].name, notes, err);
		r->figures[i].drawn = status == SAHM_OK;
	}
	return status;
}

static enum sahm_status write_sections(struct report *r, struct page *p, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	report_page_answer(r, p);
	if (r->nr > 0) {
		status = report_page_axes(r, p, err);
		if (status == SAHM_OK)
			status = report_page_best(r, p, err);
		if (status == SAHM_OK) {
			report_page_distribution(r, p);
			report_page_threads(r, p);
		}
		if (status == SAHM_OK)
			status = report_page_cores(r, p, err);
	}
	if (status == SAHM_OK)
		status = report_page_summary(r, p, err);
	if (status == SAHM_OK)
		status = report_page_rest(r, p, err);
	return status == SAHM_OK ? report_page_repeat(r, p, err) : status;
}

static enum sahm_status write_page(struct report *r, const struct page_folder *folder, struct sahm_err *err)
{
	const struct report_summary *s = &r->summary;
	struct textbuf title, lead;
	struct page p;
	textbuf_init(&title);
	textbuf_init(&lead);
	textbuf_printf(&title, "Sweep %s%s", r->q->name, report_in_brackets(r));
	textbuf_printf(
		&lead, "%s over %" PRIu64 " point%s: %" PRIu64 " done, %" PRIu64 " failed, %" PRIu64 " missing.%s%s",
		run_metric_rows[r->options.metric].words, s->nr_points, s->nr_points == 1 ? "" : "s", s->nr_done,
		s->nr_failed, s->nr_missing, s->synthetic ? " The traces are synthetic: generated, not recorded." : "",
		s->nominal ? " The time base of traces is assumed: their epochs are not stretches of measured time."
			   : "");
	bool failed = textbuf_failed(&title) || textbuf_failed(&lead);
	page_init(&p, title.text, lead.text);
	enum sahm_status status = failed ? sahm_fail_nomem(err) : write_sections(r, &p, err);
	if (status == SAHM_OK)
		status = page_folder_save(folder, &p, err);
	page_release(&p);
	textbuf_release(&title);
	textbuf_release(&lead);
	return status;
}

enum sahm_status report_write(struct report *r, const char *folder, bool force, bool draw, struct textbuf *notes,
			      struct sahm_err *err)
{
	struct sahm_err why;
	struct page_folder f;
	enum sahm_status drawn = SAHM_OK;
	page_folder_init(&f, folder, (struct page_source){"report", r->options.origin.path, true, NULL});
	for (unsigned i = 0; i < r->nr_figures; i++)
		page_folder_add_figure(&f, &r->figures[i].figure);
	enum sahm_status status = page_folder_begin(&f, force, err);
	if (status == SAHM_OK && draw)
		drawn = draw_figures(r, folder, notes, &why);
	if (sahm_is_environment(drawn))
		status = sahm_fail(err, drawn, "%s", why.msg);
	if (status == SAHM_OK)
		status = write_page(r, &f, err);
	page_folder_release(&f);
	/* Where gnuplot cannot draw, everything else still has its use. A disk that fails or memory that is short is no
	 * reason for another page. */
	return status == SAHM_OK && drawn != SAHM_OK
		       ? sahm_fail(err, drawn, "the page does not have all pictures: %s", why.msg)
		       : status;
}
