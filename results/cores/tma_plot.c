/* Figures of top-down analysis (paper, figure 7). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/cores/tma_report_internal.h"
#include "sim/base/file.h"

const char *const tma_figure_names[NR_TMA_LEVELS] = {"tma_level1", "tma_level2", "tma_level3"};

/* Classes that have a colour each; the others share one. All unit groups are one. */
#define MAX_SERIES 12u
#define NR_DRAWN (TMA_UNITS + 1u)

/* A row is a result by a kind; the sums of streams come last. */
struct tma_bars {
	struct tma_view view;
	unsigned level, kinds;
	size_t nr_rows, nr_apart;
	struct textbuf *labels; /* [room for nr_rows] */
	const char **texts;
	double (*shares)[NR_DRAWN];
	double *values; /* [nr_rows][nr_series] */
	unsigned nr_series;
	char names[MAX_SERIES][TMA_NAME_BYTES];
	const char *series[MAX_SERIES];
};

static bool init_bars(struct tma_bars *b, const struct tma_report *report, unsigned level)
{
	*b = (struct tma_bars){.level = level, .kinds = report->kinds};
	if (level == NR_TMA_LEVELS)
		b->kinds &= 1u << TMA_EXACT; /* the others know only two classes of it */
	if (!tma_view_init(&b->view, report))
		return false;
	size_t room = b->view.nr_rows * report->nr_cores * NR_TMA_KINDS;
	b->labels = calloc(room, sizeof(*b->labels));
	b->texts = calloc(room, sizeof(*b->texts));
	b->shares = calloc(room, sizeof(*b->shares));
	b->values = calloc(room * MAX_SERIES, sizeof(*b->values));
	return b->labels && b->texts && b->shares && b->values;
}

static void release_bars(struct tma_bars *b)
{
	for (size_t i = 0; i < b->nr_rows; i++)
		textbuf_release(&b->labels[i]);
	free(b->labels);
	free(b->texts);
	free(b->shares);
	free(b->values);
	tma_view_release(&b->view);
}

/* "sort on rocket: exact": what rows differ in, as labels are short. */
static void label_row(const struct tma_bars *b, size_t row, const struct tma_result *r, enum tma_kind kind,
		      struct textbuf *label)
{
	const struct tma_report *report = b->view.report;
	const char *stream = row < report->nr_streams ? tma_view_stream(&b->view, row) : "all";
	const char *end = strstr(stream, ".stream");
	bool streams = report->nr_streams > 1, cores = report->nr_cores > 1,
	     one_kind = (b->kinds & (b->kinds - 1)) == 0;
	textbuf_init(label);
	if (streams || (!cores && one_kind))
		textbuf_add(label, stream, end ? (size_t)(end - stream) : strlen(stream));
	if (streams && cores)
		textbuf_puts(label, " on ");
	if (cores)
		core_result_name(r->run, label);
	if (!one_kind)
		textbuf_printf(label, "%s%s", streams || cores ? ": " : "", tma_kind_name(kind));
}

/* Bars end at classes of the level, and at those above that have no children. */
static bool is_drawn(const struct tma_bars *b, unsigned class)
{
	return tma_level(class) == b->level || (tma_level(class) < b->level && !tma_has_children(class));
}

static bool add_rows(struct tma_bars *b)
{
	const struct tma_report *report = b->view.report;
	struct tma_shares shares;
	bool failed = false;
	for (size_t i = 0; i < b->view.nr_rows * report->nr_cores; i++) {
		const struct tma_result *r = tma_view_result(&b->view, i / report->nr_cores, i % report->nr_cores);
		for (enum tma_kind kind = 0; kind < NR_TMA_KINDS; kind++) {
			if (!(b->kinds >> kind & 1) || !tma_shows_kind(report, &r->window, kind))
				continue;
			tma_evaluate(&r->window, kind, &shares);
			for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
				if (is_drawn(b, k) && !isnan(shares.of[k]))
					b->shares[b->nr_rows][k < TMA_UNITS ? k : TMA_UNITS] += 100 * shares.of[k];
			label_row(b, i / report->nr_cores, r, kind, &b->labels[b->nr_rows]);
			b->texts[b->nr_rows] = b->labels[b->nr_rows].text;
			failed |= textbuf_failed(&b->labels[b->nr_rows]);
			b->nr_apart += i >= report->nr_streams * report->nr_cores;
			b->nr_rows++;
		}
	}
	return !failed;
}

static double size_of(const struct tma_bars *b, unsigned class)
{
	double sum = 0;
	for (size_t i = 0; i < b->nr_rows; i++)
		sum += fabs(b->shares[i][class]);
	return sum;
}

static void add_series(struct tma_bars *b, const bool *is_in)
{
	for (size_t i = 0; i < b->nr_rows; i++)
		for (unsigned k = 0; k < NR_DRAWN; k++)
			b->values[i * MAX_SERIES + b->nr_series] += is_in[k] ? b->shares[i][k] : 0;
	b->series[b->nr_series] = b->names[b->nr_series];
	b->nr_series++;
}

/* "MemBound TLB", in the third level; parents cut so that the legend has room. */
static void name_series(unsigned class, char name[TMA_NAME_BYTES])
{
	char parent[TMA_NAME_BYTES], own[TMA_NAME_BYTES] = "units";
	if (class < TMA_UNITS)
		tma_class_name(NULL, class, own);
	if (tma_level(class) < NR_TMA_LEVELS)
		snprintf(name, TMA_NAME_BYTES, "%s", own);
	else
		snprintf(name, TMA_NAME_BYTES, "%.13s %.40s", tma_class_name(NULL, tma_parent(class), parent), own);
}

/* Marks the classes with the largest shares, summed over rows. */
static void take_largest(const struct tma_bars *b, bool *is_taken)
{
	for (unsigned nr = 0; nr + 1 < MAX_SERIES; nr++) {
		unsigned most = NR_DRAWN;
		for (unsigned k = 0; k < NR_DRAWN; k++)
			if (!is_taken[k] && size_of(b, k) > 0 && (most == NR_DRAWN || size_of(b, k) > size_of(b, most)))
				most = k;
		if (most < NR_DRAWN)
			is_taken[most] = true;
	}
}

/* In the order of the tree, then all others. */
static void choose_series(struct tma_bars *b)
{
	bool is_taken[NR_DRAWN] = {false}, is_left[NR_DRAWN], any_left = false;
	take_largest(b, is_taken);
	for (unsigned k = 0; k < NR_DRAWN; k++) {
		is_left[k] = !is_taken[k] && size_of(b, k) > 0;
		any_left |= is_left[k];
		if (is_taken[k]) {
			bool only[NR_DRAWN] = {false};
			only[k] = true;
			name_series(k, b->names[b->nr_series]);
			add_series(b, only);
		}
	}
	if (any_left) {
		snprintf(b->names[b->nr_series], TMA_NAME_BYTES, "others");
		add_series(b, is_left);
	}
	/* The chart's rows are as long as there are series. */
	for (size_t i = 0; i < b->nr_rows; i++)
		memmove(b->values + i * b->nr_series, b->values + i * MAX_SERIES, b->nr_series * sizeof(*b->values));
}

static void draw(const struct tma_bars *b, struct figure *f)
{
	const struct tma_report *r = b->view.report;
	char subtitle[160], title[60];
	if (r->nr_streams == 1 && r->nr_cores == 1)
		snprintf(subtitle, sizeof(subtitle), "%.60s on %.60s", tma_view_stream(&b->view, 0),
			 r->results[0].run->core);
	else if (r->nr_streams == 1)
		snprintf(subtitle, sizeof(subtitle), "%.60s", tma_view_stream(&b->view, 0));
	else if (r->nr_cores == 1)
		snprintf(subtitle, sizeof(subtitle), "%.60s, %zu streams", r->results[0].run->core, r->nr_streams);
	else
		snprintf(subtitle, sizeof(subtitle), "%zu cores, %zu streams", r->nr_cores, r->nr_streams);
	snprintf(title, sizeof(title), "Top-down classes, level %u", b->level);
	const struct chart c = {.title = title,
				.subtitle = subtitle,
				.value_axis = "% of slots",
				.value_key = "slots_pct",
				.row_key = "run",
				.row_words = "runs",
				.unit = "%"};
	const struct chart_bars bars = {.labels = b->texts,
					.nr_rows = b->nr_rows,
					.series = b->series,
					.nr_series = b->nr_series,
					.values = b->values,
					.nr_apart = b->nr_apart,
					.is_stacked = true};
	chart_bars(&c, &bars, f);
}

enum sahm_status tma_plot_write(const struct tma_report *report, const char *folder, struct sahm_err *err)
{
	enum sahm_status status = file_make_folder(folder, err);
	for (unsigned level = 1; level <= report->level && status == SAHM_OK; level++) {
		struct figure f;
		struct tma_bars b;
		figure_init(&f, tma_figure_names[level - 1]);
		if (!init_bars(&b, report, level) || !add_rows(&b))
			status = sahm_fail_nomem(err);
		if (status == SAHM_OK && b.nr_rows > 0) {
			choose_series(&b);
			draw(&b, &f);
			status = figure_write(&f, folder, err);
		}
		release_bars(&b);
		figure_release(&f);
	}
	return status;
}
