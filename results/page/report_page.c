/* The page of a report: results, and how to repeat the sweep. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/metrics/metric_text.h"
#include "results/page/report_internal.h"
#include "sim/base/clean.h"
#include "sim/base/shell.h"

/* A figure on the page; NULL is none. */
static void report_page_figure(struct report *r, struct page *p, const struct report_figure *f)
{
	if (!f)
		return;
	page_figure(p, &(struct page_figure){.figure = &f->figure,
					     .caption = f->caption.text,
					     .command = r->command.text,
					     .hash_of = "sweep",
					     .hash = r->identity.text,
					     .drawn = f->drawn});
	p->failed |= textbuf_failed(&f->caption);
}

static const char *direction_word(const struct report *r, bool best)
{
	int direction = run_metric_direction(r->options.metric);
	return direction == 0 ? (best ? "highest" : "lowest") : best ? "best" : "worst";
}

/* Means that differ by a smaller share are equal: they are sums in different orders. */
#define LEAST_EFFECT 1e-9

/* What an axis does: its best and worst value by their means, and its share of the variance. */
static void answer_axis(const struct report *r, const struct report_axis *x, struct page *p)
{
	char best_text[METRIC_TEXT_BYTES], worst_text[METRIC_TEXT_BYTES];
	const struct report_group *best = &x->groups[0], *worst = best;
	double between = 0, all = 0, mean = r->interval.mean;
	for (size_t g = 0; g < x->nr; g++) {
		const struct report_group *at = &x->groups[g];
		double apart = at->mean - mean;
		between += (double)at->nr * apart * apart;
		if ((at->mean - best->mean) * r->direction > 0)
			best = at;
		if ((at->mean - worst->mean) * r->direction < 0)
			worst = at;
	}
	for (size_t i = 0; i < r->nr; i++)
		all += (r->values[i].value - mean) * (r->values[i].value - mean);
	if (x->nr < 2) {
		page_fact(p, x->axis->name, "has one value only: %s", x->axis->labels[best->value].text);
	} else if (fabs(best->mean - worst->mean) <= LEAST_EFFECT * fabs(mean)) {
		page_fact(p, x->axis->name, "has no effect: the means of its %zu values are equal", x->nr);
	} else {
		double share = all > 0 ? 100 * between / all : 0;
		page_fact(p, x->axis->name,
			  "%s is %s (mean %s), %s is %s (mean %s); it explains %s%.0f %% of the variance",
			  x->axis->labels[best->value].text, direction_word(r, true),
			  metric_text(r->form, best->mean, mean, best_text), x->axis->labels[worst->value].text,
			  direction_word(r, false), metric_text(r->form, worst->mean, mean, worst_text),
			  share < 1 ? "less than " : "", share < 1 ? 1.0 : share);
	}
}

/* Points that have no part in the answer. */
static void answer_rest(const struct report *r, struct page *p)
{
	const struct report_summary *s = &r->summary;
	uint64_t nr_empty = s->nr_done - r->nr, nr_varied = 0;
	for (uint32_t i = 0; i < r->q->nr_axes; i++)
		nr_varied += r->axes[i].nr > 1;
	if (s->nr_failed + s->nr_missing + nr_empty == 0)
		return;
	page_notice(p,
		    "This is about %zu of %" PRIu64 " points: %" PRIu64 " failed, %" PRIu64 " are missing, %" PRIu64
		    " finished without a value of this metric.%s",
		    r->nr, s->nr_points, s->nr_failed, s->nr_missing, nr_empty,
		    nr_varied > 1 ? " Without them an axis can show part of the effect of another one." : "");
}

void report_page_answer(struct report *r, struct page *p)
{
	const struct report_summary *s = &r->summary;
	const char *words = run_metric_rows[r->options.metric].words;
	char best[METRIC_TEXT_BYTES], worst[METRIC_TEXT_BYTES];
	page_section(p, "answer", "What the sweep found");
	if (r->nr == 0) {
		page_notice(p, "%s (%" PRIu64 " failed, %" PRIu64 " are missing).",
			    s->nr_done ? "No finished point has a value of this metric: there is nothing to show"
				       : "No point is finished: there is nothing to show yet",
			    s->nr_failed, s->nr_missing);
		if (s->nr_done && why_no_metric(r->form))
			page_paragraph(p, "%s", why_no_metric(r->form));
		return;
	}
	double last = r->direction > 0 ? r->sorted[0] : r->sorted[r->nr - 1];
	metric_text(r->form, s->value, s->value, best);
	metric_text(r->form, last, s->value, worst);
	if (r->nr == 1)
		page_paragraph(p,
			       "Only point %" PRIu64 " has a value: %s (%s)%s%s. There is nothing to compare it with.",
			       s->position, best, words, *s->words ? ", with " : "", s->words);
	else if (!(r->sorted[0] < r->sorted[r->nr - 1]))
		page_paragraph(p, "All %zu points have the same value: %s (%s).", r->nr, best, words);
	else
		page_paragraph(p, "The %s of %zu points is point %" PRIu64 "%s%s. Its value is %s (%s); the %s is %s.",
			       direction_word(r, true), r->nr, s->position, *s->words ? ", with " : "", s->words, best,
			       words, direction_word(r, false), worst);
	answer_rest(r, p);
	if (r->q->nr_axes > 0) {
		page_begin_facts(p);
		for (uint32_t i = 0; i < r->q->nr_axes; i++)
			answer_axis(r, &r->axes[i], p);
		page_end_facts(p);
	}
}

/* Times are left out, and so is the best point, which is printed with the metric of this report; and what says how
 * to ask for more. */
static void leave_tables(struct query_answer *a)
{
	a->nr_facts = 0;
	textbuf_release(&a->notes);
	textbuf_release(&a->heading);
}

static void show_counts(const struct report *r, struct page *p)
{
	const struct report_summary *s = &r->summary;
	page_begin_facts(p);
	page_fact(p, "Sweep", "%s", r->q->name);
	page_fact(p, "Results database", "%s", r->options.origin.store);
	page_fact(p, "Evaluator", "%s", r->q->evaluator);
	page_fact(p, "Traces", "%s%s",
		  s->synthetic	   ? "synthetic: generated, not recorded"
		  : s->nr_done > 0 ? "recorded"
				   : "not known: no point is done",
		  s->nominal ? "; assumed time base: epochs are not stretches of measured time" : "");
	page_fact(p, "Points", "%" PRIu64, s->nr_points);
	page_fact(p, "Done", "%" PRIu64, s->nr_done);
	page_fact(p, "Failed", "%" PRIu64, s->nr_failed);
	page_fact(p, "Missing", "%" PRIu64, s->nr_missing);
	for (size_t i = 0; i < r->options.nr_where; i++)
		page_fact(p, "Only points with", "%s", r->options.where[i]);
	page_fact(p, "Metric", "%s (%s), %s", run_metric_rows[r->options.metric].name,
		  run_metric_rows[r->options.metric].words,
		  run_metric_direction(r->options.metric) > 0	? "more is better"
		  : run_metric_direction(r->options.metric) < 0 ? "less is better"
								: "neither more nor less is better: more stands first");
	page_end_facts(p);
}

enum sahm_status report_page_summary(struct report *r, struct page *p, struct sahm_err *err)
{
	struct query_answer a;
	uint64_t nr_seconds = 0;
	query_answer_init(&a);
	enum sahm_status status = query_overview(r->q, &a, err);
	if (status == SAHM_OK) {
		leave_tables(&a);
		page_section(p, "summary", "What the results database contains");
		status = query_seconds(r->q, &nr_seconds, err);
		if (status == SAHM_OK && nr_seconds > 0)
			page_notice(p, QUERY_SECONDS ".", nr_seconds, query_seconds_words(nr_seconds));
		const char *origins = query_origins_words(&a);
		if (*origins)
			page_notice(p, "Not all counts were measured: %s.", origins);
		show_counts(r, p);
		page_answer(p, &a);
	}
	query_answer_release(&a);
	return status;
}

/* The meaning of intervals of means. */
static void explain_intervals(struct page *p)
{
	page_paragraph(p,
		       "A 95 %% interval is that of a mean: by bootstrap for up to %u values (%u resamples, always the "
		       "same), else +- 1.96 standard errors; a single value has none. It takes the points as a sample "
		       "of similar configurations. If the sweep covers a whole space, its points are no sample: then "
		       "the interval shows how much the mean depends on the choice of points, not how exact a result "
		       "is.",
		       MAX_REPORT_BOOTSTRAP, BOOTSTRAP_RESAMPLES);
}

void report_page_distribution(struct report *r, struct page *p)
{
	char text[METRIC_TEXT_BYTES], low[METRIC_TEXT_BYTES], high[METRIC_TEXT_BYTES];
	double median = stats_percentile(r->sorted, r->nr, 50);
	page_section(p, "distribution", "Distribution");
	report_page_figure(r, p, r->distribution);
	page_begin_facts(p);
	page_fact(p, "Points with a value", "%zu", r->nr);
	page_fact(p, "Mean", "%s", metric_text(r->form, r->interval.mean, median, text));
	if (!isnan(r->interval.low))
		page_fact(p, "... 95 % interval", "%s to %s", metric_text(r->form, r->interval.low, median, low),
			  metric_text(r->form, r->interval.high, median, high));
	page_fact(p, "Minimum", "%s", metric_text(r->form, r->sorted[0], median, text));
	page_fact(p, "25th percentile", "%s",
		  metric_text(r->form, stats_percentile(r->sorted, r->nr, 25), median, text));
	page_fact(p, "Median", "%s", metric_text(r->form, median, median, text));
	page_fact(p, "75th percentile", "%s",
		  metric_text(r->form, stats_percentile(r->sorted, r->nr, 75), median, text));
	page_fact(p, "Maximum", "%s", metric_text(r->form, r->sorted[r->nr - 1], median, text));
	page_end_facts(p);
	explain_intervals(p);
}

/* A row for a point whose run has an interval. */
static void show_interval(struct report *r, struct page *p, uint64_t position, const struct query_answer *a, bool *any)
{
	char text[METRIC_TEXT_BYTES];
	const struct query_table *t = report_table(a, "metrics");
	unsigned name = report_column(t, "metric"), value = report_column(t, "value");
	for (size_t i = 0; i < t->nr_cells; i += t->nr_columns) {
		const struct query_cell *row = &t->cells[i];
		if (strcmp(row[name].text, run_metric_rows[r->options.metric].name) != 0 ||
		    row[value + 1].kind == CELL_NONE || row[value + 2].kind == CELL_NONE)
			continue;
		if (!*any) {
			page_begin_table(p, "95 % intervals of the single points, from the samples of each run");
			page_row(p);
			page_heading(p, true, "position");
			page_heading(p, true, "%s", row[name].text);
			page_heading(p, true, "low");
			page_heading(p, true, "high");
			*any = true;
		}
		page_row(p);
		page_cell(p, true, PAGE_PLAIN, "%" PRIu64, position);
		for (unsigned c = value; c < value + 3; c++)
			page_cell(p, true, PAGE_PLAIN, "%s",
				  metric_text(r->form, row[c].value, row[value].value, text));
	}
}

/* What query_point() says, with the store called as on the page. */
static enum sahm_status ask_point(struct report *r, uint64_t position, struct query_answer *a, struct sahm_err *err)
{
	const char *file = r->q->file;
	r->q->file = r->options.origin.store;
	enum sahm_status status = query_point(r->q, position, a, err);
	r->q->file = file;
	return status == SAHM_OK && a->failed ? sahm_fail_nomem(err) : status;
}

static enum sahm_status show_intervals(struct report *r, struct page *p, const struct query_table *best,
				       struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	unsigned column = report_column(best, "position");
	bool any = false;
	/* Times of a run are those of all its samples together, their intervals those of one sample. */
	if (r->form == RUN_TIME)
		return SAHM_OK;
	for (size_t i = 0; i < best->nr_cells && status == SAHM_OK; i += best->nr_columns) {
		struct query_answer a;
		uint64_t position = best->cells[i + column].count;
		query_answer_init(&a);
		status = ask_point(r, position, &a, err);
		if (status == SAHM_OK)
			show_interval(r, p, position, &a, &any);
		query_answer_release(&a);
	}
	if (any)
		page_end_table(p);
	return status;
}

/* "repeat it: sahm query ..." and what stands below it, as commands. */
static void show_commands(struct page *p, const char *notes)
{
	static const char before[] = "repeat it: ";
	struct textbuf commands;
	textbuf_init(&commands);
	for (const char *line = notes; *line;) {
		line += strncmp(line, before, strlen(before)) == 0 ? strlen(before) : strspn(line, " ");
		size_t len = strcspn(line, "\n");
		textbuf_add(&commands, line, len);
		textbuf_putc(&commands, '\n');
		line += len + (line[len] == '\n');
	}
	if (commands.len) {
		page_paragraph(p, "To run this point again, in the folder of the results database:");
		page_verbatim(p, commands.text);
	}
	p->failed |= textbuf_failed(&commands);
	textbuf_release(&commands);
}

/* Of very many threads the first ones. */
static enum sahm_status keep_first_threads(struct report *r, struct query_answer *a, struct sahm_err *err)
{
	for (unsigned i = 0; i < a->nr_tables; i++) {
		struct query_table *t = &a->tables[i];
		size_t nr = t->nr_columns ? t->nr_cells / t->nr_columns : 0;
		if (strcmp(t->key, "threads") != 0 || nr <= MAX_REPORT_THREADS)
			continue;
		bool *keep = arena_alloc(&r->arena, nr, sizeof(*keep));
		if (!keep)
			return sahm_fail_nomem(err);
		for (size_t k = 0; k < MAX_REPORT_THREADS; k++)
			keep[k] = true;
		report_keep_rows(t, keep);
		t->title = "The first threads; sahm query has all of them";
	}
	return SAHM_OK;
}

static enum sahm_status show_point(struct report *r, struct page *p, uint64_t position, struct sahm_err *err)
{
	char heading[64];
	struct query_answer a;
	query_answer_init(&a);
	enum sahm_status status = ask_point(r, position, &a, err);
	if (status == SAHM_OK)
		status = keep_first_threads(r, &a, err);
	if (status == SAHM_OK) {
		struct textbuf notes = a.notes;
		textbuf_init(&a.notes);
		snprintf(heading, sizeof(heading), "The best configuration: point %" PRIu64, position);
		page_subheading(p, heading);
		textbuf_release(&a.heading);
		page_answer(p, &a);
		p->failed |= textbuf_failed(&notes);
		show_commands(p, notes.text);
		textbuf_release(&notes);
	}
	query_answer_release(&a);
	return status;
}

enum sahm_status report_page_best(struct report *r, struct page *p, struct sahm_err *err)
{
	struct query_answer a;
	query_answer_init(&a);
	enum sahm_status status = query_best(r->q, r->options.metric, r->direction, r->options.nr_best, &a, err);
	if (status == SAHM_OK && a.failed)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		page_section(p, "best", "Best configurations");
		page_answer(p, &a);
		status = show_intervals(r, p, report_table(&a, "best"), err);
	}
	query_answer_release(&a);
	return status == SAHM_OK ? show_point(r, p, r->summary.position, err) : status;
}

enum sahm_status report_page_axes(struct report *r, struct page *p, struct sahm_err *err)
{
	struct query_answer a;
	query_answer_init(&a);
	enum sahm_status status = query_axes(r->q, r->options.metric, &a, err);
	if (status == SAHM_OK) {
		page_section(p, "axes", "Effect of each axis");
		textbuf_release(&a.heading);
		report_page_figure(r, p, r->heat);
		report_page_figure(r, p, r->means);
		page_answer(p, &a);
		page_paragraph(p, "The column \"of variance\" is eta squared: the share of the differences between all "
				  "points that the means of an axis explain.");
		for (uint32_t i = 0; i < r->q->nr_axes; i++) {
			page_subheading(p, r->axes[i].axis->name);
			report_page_figure(r, p, r->axes[i].figure);
			if (!r->axes[i].figure)
				page_paragraph(p, "All points with a result have the same value on this axis, so "
						  "its effect is not known.");
		}
	}
	query_answer_release(&a);
	return status;
}

void report_page_threads(struct report *r, struct page *p)
{
	page_section(p, "threads", "Threads");
	if (r->nr_threads == 0) {
		page_paragraph(p,
			       "The results database has no results of single threads for these points: the sweep was "
			       "made with --no-threads, or its evaluator gives none.");
		return;
	}
	report_page_figure(r, p, r->by_thread);
	/* The caption says the same. */
	if (r->by_thread)
		textbuf_release(&r->threads.heading);
	page_answer(p, &r->threads);
	if (r->nr_threads > MAX_REPORT_THREADS)
		page_paragraph(p,
			       "Of %zu threads, those with the highest and the lowest means are shown. \"sahm query "
			       "RESULTS threads --csv\" lists all.",
			       r->nr_threads);
}

/* Where chips differ in size, there is a question what fewer cores can do. */
enum sahm_status report_page_cores(struct report *r, struct page *p, struct sahm_err *err)
{
	const struct query_objective objectives[] = {{OBJECTIVE_METRIC, r->options.metric, r->direction},
						     {OBJECTIVE_CORES, (enum run_metric)0, -1}};
	struct query_answer a;
	if (!(r->least_cores < r->most_cores))
		return SAHM_OK;
	query_answer_init(&a);
	enum sahm_status status = query_pareto(r->q, objectives, 2, NULL, &a, err);
	if (status == SAHM_OK) {
		page_section(p, "cores", "The best for each number of cores");
		page_paragraph(p,
			       "No other point is as good as these with fewer cores, or better with the same number.");
		page_answer(p, &a);
	}
	query_answer_release(&a);
	return status;
}

/* Failed points, and those that are missing. */
enum sahm_status report_page_rest(struct report *r, struct page *p, struct sahm_err *err)
{
	const struct report_summary *s = &r->summary;
	enum sahm_status status = SAHM_OK;
	struct query_answer a;
	if (s->nr_failed > 0) {
		query_answer_init(&a);
		status = query_failed(r->q, &a, err);
		if (status == SAHM_OK) {
			page_section(p, "failed", "Failed points");
			page_answer(p, &a);
			page_paragraph(p, "\"sahm sweep --retry-failed\" runs them again.");
		}
		query_answer_release(&a);
	}
	if (s->nr_missing > 0 && status == SAHM_OK) {
		query_answer_init(&a);
		status = query_missing(r->q, &a, err);
		if (status == SAHM_OK) {
			page_section(p, "missing", "Missing points");
			page_notice(p, "All values on this page are those of finished points.");
			page_answer(p, &a);
		}
		query_answer_release(&a);
	}
	return status;
}

/* What is needed to do the sweep again. */

/* Whether the manifest beside the store is that of this sweep. */
static bool has_manifest(const struct report *r)
{
	const struct report_origin *o = &r->options.origin;
	return o->manifest && strcmp(o->identity, r->identity.text) == 0;
}

static void show_repeating(struct report *r, struct page *p)
{
	const struct report_origin *o = &r->options.origin;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, "sahm query ");
	shell_write_file(&b, o->store);
	textbuf_puts(&b, " config");
	if (r->q->which) {
		textbuf_puts(&b, " --sweep ");
		shell_write_word(&b, r->q->which);
	}
	textbuf_puts(&b, " > sweep.cfg\nsahm sweep sweep.cfg -o again.sqlite\n");
	page_paragraph(p,
		       "In the folder of the results database, these commands write the configuration (it is printed "
		       "below, too) and run all points of the sweep:");
	page_verbatim(p, b.text);
	p->failed |= textbuf_failed(&b);
	textbuf_release(&b);
	page_paragraph(p, "This command makes this page:");
	page_verbatim(p, r->command.text);
	if (!o->manifest) {
		page_paragraph(p, "There is no manifest next to the results database: \"sahm sweep\" writes one when "
				  "all points have results.");
	} else if (!has_manifest(r)) {
		page_paragraph(p, "The manifest next to the results database is that of another sweep.");
	} else {
		textbuf_init(&b);
		textbuf_puts(&b, "sahm rerun ");
		shell_write_file(&b, o->manifest);
		page_paragraph(
			p,
			"This command runs the sweep again from its manifest, and compares every byte of the results:");
		page_verbatim(p, b.text);
		p->failed |= textbuf_failed(&b);
		textbuf_release(&b);
	}
}

/* The versions of the programs that made this sweep's runs, as query_overview() has them. */
static enum sahm_status show_programs(struct report *r, struct page *p, struct sahm_err *err)
{
	struct query_answer a;
	query_answer_init(&a);
	enum sahm_status status = query_overview(r->q, &a, err);
	if (status == SAHM_OK && a.failed)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		const struct query_table *t = report_table(&a, "sweeps");
		unsigned id = report_column(t, "id"), programs = report_column(t, "programs");
		for (size_t i = 0; i < t->nr_cells; i += t->nr_columns)
			if (t->cells[i + id].count == (uint64_t)r->q->sweep)
				page_fact(p, "Made by sahm", "%s", t->cells[i + programs].text);
	}
	query_answer_release(&a);
	return status;
}

/* Paths are from outside: a line stays one. */
static void show_inputs(const struct report *r, struct page *p)
{
	const struct report_origin *o = &r->options.origin;
	struct textbuf b;
	if (!has_manifest(r) || o->nr_inputs == 0)
		return;
	textbuf_init(&b);
	for (size_t i = 0; i < o->nr_inputs; i++) {
		size_t from = b.len;
		textbuf_printf(&b, "%s  %s (%s)", o->inputs[i].hash, o->inputs[i].path, o->inputs[i].kind);
		if (!textbuf_failed(&b))
			clean_text(b.text + from);
		textbuf_putc(&b, '\n');
	}
	page_paragraph(p, "Files that the sweep reads, with the hashes of their contents:");
	page_verbatim(p, b.text);
	p->failed |= textbuf_failed(&b);
	textbuf_release(&b);
}

enum sahm_status report_page_repeat(struct report *r, struct page *p, struct sahm_err *err)
{
	const struct report_origin *o = &r->options.origin;
	page_section(p, "repeat", "How to repeat it");
	show_repeating(r, p);
	page_begin_facts(p);
	enum sahm_status status = show_programs(r, p, err);
	page_fact(p, "Hash of the sweep", "%s", r->identity.text);
	page_fact(p, "Digest of the results", "%s", o->results);
	if (r->nr_threads > 0)
		page_fact(p, "... with threads", "%s", o->threads);
	page_end_facts(p);
	page_paragraph(p,
		       "The hash covers the axes and all runs: their configurations, the contents of their traces, and "
		       "the program's version. The digests cover the results of all points of the sweep, without "
		       "times: databases with the same results have the same digests.");
	show_inputs(r, p);
	page_subheading(p, "Configuration");
	page_verbatim(p, r->config.text);
	return status;
}
