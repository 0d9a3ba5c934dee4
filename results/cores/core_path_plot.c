/* The figure of critical paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/cores/core_path_internal.h"
#include "sim/base/file.h"

const char path_figure_name[] = "path_causes";

/* Causes that have a colour each; the others share one. */
#define MAX_SERIES 12u

/* A row is a result; the sums of streams come last. */
struct bars {
	struct path_view view;
	size_t nr_rows;
	uint64_t *cycles;	/* [nr_rows][view.nr_names] */
	double *shares;		/* [nr_rows][nr_series] */
	struct textbuf *labels; /* [nr_rows] */
	const char **texts;	/* [nr_rows]: of the labels */
	bool *is_taken;		/* [view.nr_names]: has a colour */
	unsigned nr_series;	/* the last one are all others, if there are any */
	const char *series[MAX_SERIES];
};

static const struct core_result *row_of(const struct bars *b, size_t i)
{
	size_t nr_cores = b->view.report->nr_cores;
	return path_view_result(&b->view, i / nr_cores, i % nr_cores);
}

static double share(const struct bars *b, size_t row, size_t name)
{
	uint64_t cycles = b->cycles[row * b->view.nr_names + name];
	return cycles == CAUSE_NOT_THERE ? 0 : 100 * (double)cycles / (double)row_of(b, row)->counts.timing.cycles;
}

static bool init_bars(struct bars *b, const struct path_report *report)
{
	*b = (struct bars){.nr_rows = (report->nr_streams + (report->nr_streams > 1)) * report->nr_cores};
	if (!path_view_init(&b->view, report))
		return false;
	b->cycles = calloc(b->nr_rows * b->view.nr_names, sizeof(*b->cycles));
	b->shares = calloc(b->nr_rows * MAX_SERIES, sizeof(*b->shares));
	b->labels = calloc(b->nr_rows, sizeof(*b->labels));
	b->texts = calloc(b->nr_rows, sizeof(*b->texts));
	b->is_taken = calloc(b->view.nr_names, sizeof(*b->is_taken));
	return b->cycles && b->shares && b->labels && b->texts && b->is_taken;
}

static void release_bars(struct bars *b)
{
	for (size_t i = 0; b->labels && i < b->nr_rows; i++)
		textbuf_release(&b->labels[i]);
	free(b->cycles);
	free(b->shares);
	free(b->labels);
	free(b->texts);
	free(b->is_taken);
	path_view_release(&b->view);
}

/* "sort.stream", "rocket mshrs=4" or "sort.stream on rocket": what rows differ in. */
static bool label_rows(struct bars *b)
{
	const struct path_report *r = b->view.report;
	bool failed = false;
	for (size_t i = 0; i < b->nr_rows; i++) {
		const struct core_result *row = row_of(b, i);
		textbuf_init(&b->labels[i]);
		if (r->nr_streams > 1)
			textbuf_puts(&b->labels[i], path_stream_name(&b->view, i / r->nr_cores));
		if (r->nr_streams > 1 && r->nr_cores > 1)
			textbuf_puts(&b->labels[i], " on ");
		if (r->nr_streams == 1 || r->nr_cores > 1)
			core_result_name(row, &b->labels[i]);
		b->texts[i] = b->labels[i].text;
		failed |= textbuf_failed(&b->labels[i]);
	}
	return !failed;
}

/* Chooses the causes with the largest shares, summed over rows. */
static void choose_series(struct bars *b)
{
	for (unsigned k = 0; k + 1 < MAX_SERIES; k++) {
		size_t most = 0;
		double largest = 0;
		for (size_t name = 0; name < b->view.nr_names; name++) {
			double sum = 0;
			for (size_t i = 0; i < b->nr_rows; i++)
				sum += share(b, i, name);
			if (!b->is_taken[name] && sum > largest) {
				largest = sum;
				most = name;
			}
		}
		if (largest > 0)
			b->is_taken[most] = true;
	}
}

/* Appends a series: of a cause, or of all that have none. */
static void add_series(struct bars *b, const char *name, size_t cause)
{
	for (size_t i = 0; i < b->nr_rows; i++) {
		double *value = &b->shares[i * MAX_SERIES + b->nr_series];
		for (size_t k = 0; k < b->view.nr_names; k++)
			if (cause < b->view.nr_names ? k == cause : !b->is_taken[k])
				*value += share(b, i, k);
	}
	b->series[b->nr_series++] = name;
}

/* The front end comes first. */
static void fill_series(struct bars *b)
{
	const struct path_name *names = b->view.names;
	bool others = false;
	for (unsigned back_end = 0; back_end < 2; back_end++)
		for (size_t k = 0; k < b->view.nr_names; k++)
			if (b->is_taken[k] && names[k].is_front_end == !back_end)
				add_series(b, names[k].name, k);
	for (size_t k = 0; k < b->view.nr_names; k++)
		for (size_t i = 0; i < b->nr_rows; i++)
			others |= !b->is_taken[k] && share(b, i, k) > 0;
	if (others)
		add_series(b, "others", b->view.nr_names);
	/* The chart's rows are as long as there are series. */
	for (size_t i = 0; i < b->nr_rows; i++)
		memmove(b->shares + i * b->nr_series, b->shares + i * MAX_SERIES, b->nr_series * sizeof(*b->shares));
}

static void draw(const struct bars *b, struct figure *f)
{
	const struct path_report *r = b->view.report;
	bool streams = r->nr_streams > 1, cores = r->nr_cores > 1 || !streams;
	char subtitle[160];
	if (r->nr_cores == 1)
		snprintf(subtitle, sizeof(subtitle), "%.60s, %zu stream%s", r->results[0].core, r->nr_streams,
			 r->nr_streams == 1 ? "" : "s");
	else if (r->nr_streams == 1)
		snprintf(subtitle, sizeof(subtitle), "%.60s", path_stream_name(&b->view, 0));
	else
		snprintf(subtitle, sizeof(subtitle), "%zu cores, %zu streams", r->nr_cores, r->nr_streams);
	const struct chart c = {.title = "What the critical path waits for",
				.subtitle = subtitle,
				.value_axis = "% of cycles",
				.value_key = "path_pct",
				.row_key = streams && cores ? "run"
					   : streams	    ? "stream"
							    : "core",
				.row_words = streams && cores ? "runs"
					     : streams	      ? "streams"
							      : "cores",
				.unit = "%"};
	const struct chart_bars bars = {.labels = b->texts,
					.nr_rows = b->nr_rows,
					.series = b->series,
					.nr_series = b->nr_series,
					.values = b->shares,
					.nr_apart = r->nr_streams > 1 ? r->nr_cores : 0,
					.is_stacked = true};
	chart_bars(&c, &bars, f);
}

enum sahm_status path_plot_write(const struct path_report *report, const char *folder, struct sahm_err *err)
{
	struct figure f;
	struct bars b;
	enum sahm_status status = file_make_folder(folder, err);
	figure_init(&f, path_figure_name);
	if ((!init_bars(&b, report) || !label_rows(&b)) && status == SAHM_OK)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		for (size_t i = 0; i < b.nr_rows; i++)
			path_view_cycles(&b.view, i % report->nr_cores, &row_of(&b, i)->counts.path,
					 b.cycles + i * b.view.nr_names);
		choose_series(&b);
		fill_series(&b);
		draw(&b, &f);
		status = figure_write(&f, folder, err);
	}
	release_bars(&b);
	figure_release(&f);
	return status;
}
