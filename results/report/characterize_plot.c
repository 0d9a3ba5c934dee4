/* The figures of a characterisation: occupancy, and change. */
#include "results/report/characterize_plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "results/report/characterize_plot_internal.h"
#include "results/report/characterize_report.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/number.h"

#define WIDTH_PX 1140u
#define BRANCH_BIT (1u << COMPONENT_BRANCH)

/* What stands around bars, in pixels: title above, axis below, legend on the right. */
#define ABOVE_PX 70u
#define BELOW_PX 70u
#define LEGEND_PX 225u
#define LEGEND_ROW_PX 24u

/* A column of numbers per state follows the column of places. */
#define FIRST_SHARE 2u
#define LABEL_COLUMN (FIRST_SHARE + NR_STATES)

/* How figures tell 16 states apart: the fill of a state, and ink that shows on it.
 *
 * Nobody tells 16 colours apart, so there are 8, one per set of stressed caches, and a state that stresses Branch too
 * is its neighbour's colour with hatching. Low is light grey; one cache is light (CIE lightness 65 to 81), two are dark
 * (34 to 48), all three nearly black, so that a print without colour still shows how much is stressed; L1I is sand, L1D
 * blue, L2 orange, and mixtures lean towards what is mixed (sand and blue: green). Chosen by search within these hues:
 * any two differ by a CIE 1976 colour distance of at least 42 in full sight, 27 with protanopia or deuteranopia and 21
 * with tritanopia (Machado et al. 2009). Segments have thin dark outlines and stand in the same order as the legend. */
#define STRESSED(l1i, l1d, l2) ((l1i) << COMPONENT_L1I | (l1d) << COMPONENT_L1D | (l2) << COMPONENT_L2)
static const struct {
	const char *fill, *ink;
} colours[NR_STATES] = {
	[STRESSED(0, 0, 0)] = {"#E0E0E0", "#000000"}, [STRESSED(1, 0, 0)] = {"#DFC978", "#000000"},
	[STRESSED(0, 1, 0)] = {"#45BCED", "#000000"}, [STRESSED(1, 1, 0)] = {"#407E67", "#FFFFFF"},
	[STRESSED(0, 0, 1)] = {"#FE7816", "#000000"}, [STRESSED(1, 0, 1)] = {"#855617", "#FFFFFF"},
	[STRESSED(0, 1, 1)] = {"#8C1691", "#FFFFFF"}, [STRESSED(1, 1, 1)] = {"#1E1444", "#FFFFFF"},
};

/* Hatching goes upon a box of the state's colour. */
static const char *fill_style(bool hatched)
{
	return hatched ? "transparent pattern 4" : "solid 1.0";
}

/* Longest second line of a title; thresholds that make it longer get a separate line, and all of them are smaller. */
#define MAX_TITLE 60

/* Sets the title: `what`, and below it of how many traces, how many of them synthetic or of an assumed time base, and,
 * unless NULL, the cuts. */
static void plotted_title(const struct plotted *p, const char *what, const char *cuts, struct textbuf *script)
{
	struct textbuf traces;
	size_t nr = p->study->nr;
	const struct trace_counts counts = characterize_count(p->study);
	textbuf_init(&traces);
	textbuf_printf(&traces, "%zu trace%s", nr, nr == 1 ? "" : "s");
	trace_words_write(&counts, &traces);
	bool is_long = cuts && traces.len + strlen(cuts) > MAX_TITLE;
	textbuf_puts(script, "set title ");
	plot_string(script, what);
	textbuf_puts(script, ".\"\\n\".");
	plot_string(script, traces.text);
	if (cuts) {
		textbuf_puts(script, is_long ? ".\"\\n\".'thresholds: '." : ".'; thresholds: '.");
		plot_string(script, cuts);
	}
	textbuf_printf(script, " font ',%u' offset 0,-0.3\n", is_long ? 11 : 14);
	textbuf_release_part(&traces, script);
}

/* Appends the plot elements of state `s`: a box around the place in column 1, half a bar up and down and, where `when`
 * holds, `from` to `to` across (expressions of columns), in the colour of the state; a hatched one upon it. */
static void boxes(unsigned s, const char *when, const char *from, const char *to, struct textbuf *script)
{
	unsigned base = s & ~BRANCH_BIT;
	for (unsigned hatched = 0; hatched <= (s & BRANCH_BIT); hatched++) {
		textbuf_printf(script,
			       " data skip 1 using (%s ? 0 : NaN):1:(%s):(%s):($1-half):($1+half) with boxxyerror "
			       "notitle fillcolor rgb '%s' fillstyle %s border lc rgb '#303030' lw 0.6, \\\n",
			       when, from, to, hatched ? colours[base].ink : colours[base].fill, fill_style(hatched));
	}
}

/* Draws a legend of the states in `shown` (a bit each) from the top down, in the order of the bars: a key of gnuplot's
 * own cannot show hatching upon a colour. */
static void legend(const struct plotted *p, unsigned shown, unsigned height_px, struct textbuf *script)
{
	unsigned top = ABOVE_PX, x = WIDTH_PX - LEGEND_PX;
	textbuf_printf(script, "set rmargin at screen %u.0/width_px\n", x - 32 - chart_paper_px(p->paper, p->nr_paper));
	for (unsigned s = 0; s < NR_STATES; s++) {
		unsigned base = s & ~BRANCH_BIT;
		if (!(shown >> s & 1u))
			continue;
		for (unsigned hatched = 0; hatched <= (s & BRANCH_BIT); hatched++) {
			textbuf_printf(script,
				       "set object rectangle from screen %u.0/width_px,%u.0/height_px "
				       "to screen %u.0/width_px,%u.0/height_px front ",
				       x, height_px - top - 17, x + 28, height_px - top);
			textbuf_printf(script, "fillcolor rgb '%s' fillstyle %s border lc rgb '#303030' lw 0.6\n",
				       hatched ? colours[base].ink : colours[base].fill, fill_style(hatched));
		}
		textbuf_printf(script, "set label '%s' at screen %u.0/width_px,%u.0/height_px left font ',12'\n",
			       state_name(s), x + 36, height_px - top - 9);
		top += LEGEND_ROW_PX;
	}
}

static unsigned nr_of(unsigned shown)
{
	unsigned nr = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		nr += shown >> s & 1u;
	return nr;
}

/* Rows of stacked bars as data. */
static void stack_header(const struct plotted *p, const char *rows, struct textbuf *data)
{
	textbuf_puts(data, "place");
	for (unsigned s = 0; s < NR_STATES; s++)
		textbuf_printf(data, ",%soccupancy_%s_pct", p->prefix, state_name(s));
	textbuf_printf(data, ",label,%s\n", rows);
}

static void stack_row(size_t place, const double *occupancy, const char *name, unsigned *shown, struct textbuf *data)
{
	struct textbuf label;
	textbuf_init(&label);
	plot_label(&label, name);
	csv_u64(data, place);
	for (unsigned s = 0; s < NR_STATES; s++) {
		csv_double(data, occupancy[s] * 100);
		*shown |= (unsigned)(occupancy[s] > 0) << s;
	}
	csv_string(data, label.text);
	textbuf_release_part(&label, data);
	/* The whole name ends the row: whatever it holds, gnuplot has read by then what it needs. */
	size_t at = data->len;
	csv_string(data, name);
	if (!textbuf_failed(data))
		clean_text(data->text + at);
	csv_end_row(data);
}

/* Height of one of `nr` bars with what is around it: fewer are broader. */
static unsigned pitch_px(size_t nr)
{
	unsigned pitch = nr <= 4 ? 64 : nr <= 12 ? 40 : 25;
	unsigned most = (unsigned)((MAX_PLOT_PX - ABOVE_PX - BELOW_PX) / nr);
	return most < pitch ? most : pitch;
}

/* Height of a figure with `nr` bars and a legend of `nr_shown` rows. */
static unsigned height_of(size_t nr, unsigned nr_shown)
{
	unsigned bars = (unsigned)nr * pitch_px(nr), rows = nr_shown * LEGEND_ROW_PX;
	unsigned height = ABOVE_PX + BELOW_PX + bars, least = ABOVE_PX + rows + LEGEND_ROW_PX;
	return height > least ? height : least;
}

/* Axes of `nr` bars that lie below each other, named by `label_column` of the data. */
static void lying_bars(const struct plotted *p, size_t nr, unsigned height_px, unsigned label_column,
		       struct textbuf *script)
{
	unsigned pitch = pitch_px(nr), bars = (unsigned)nr * pitch;
	/* Where names would overlap, every `step`-th bar has one. */
	unsigned step = pitch >= 14 ? 1 : 14 / (pitch ? pitch : 1) + 1;
	textbuf_printf(script, "set tmargin at screen %u.0/height_px\n", height_px - ABOVE_PX);
	textbuf_printf(script, "set bmargin at screen %u.0/height_px\n", height_px - ABOVE_PX - bars);
	textbuf_printf(script,
		       "half = %s\n"
		       "set yrange [%zu.5:0.5] noextend\n"
		       "set ytics scale 0\n"
		       "set xtics scale 0.6 offset 0,0.3 format '%%.10g'\n"
		       "set grid xtics lt 1 lw 0.5 lc rgb '#d0d0d0'\n"
		       "set grid back\n"
		       "set style fill noborder\n"
		       "paper_half = half\n"
		       "paper_at(row, part) = row + 1\n",
		       nr <= 4 ? "0.36" : "0.40", nr);
	chart_paper_draw(p->paper, p->nr_paper, false, script);
	textbuf_printf(script,
		       "plot data skip 1 using (0):1:ytic(int($1) %% %u == 0 || %u == 1 ? strcol(%u) : '') with dots "
		       "lc rgb '#ffffff' notitle, \\\n",
		       step, step, label_column);
}

/* The plot command ends in an element that draws nothing: those before it end in a comma. */
static void end_elements(struct textbuf *script)
{
	textbuf_puts(script, " NaN notitle\n");
}

/* Bars of segments side by side: one begins where the sum of the columns before its own ends. */
static void stack(unsigned shown, bool with_numbers, struct textbuf *script)
{
	char when[32], from[32], to[32];
	for (unsigned s = 0; s < NR_STATES; s++) {
		unsigned own = FIRST_SHARE + s;
		if (!(shown >> s & 1u))
			continue;
		snprintf(when, sizeof(when), "$%u > 0", own);
		snprintf(from, sizeof(from), "before(%u)", own);
		snprintf(to, sizeof(to), "before(%u) + $%u", own, own);
		boxes(s, when, from, to, script);
	}
	for (unsigned s = 0; s < NR_STATES && with_numbers; s++) {
		unsigned own = FIRST_SHARE + s;
		if (shown >> s & 1u)
			textbuf_printf(
				script,
				" data skip 1 using ($%u >= 4 ? before(%u) + $%u / 2 : NaN):1:(sprintf('%%.0f', $%u)) "
				"with labels boxed font ',11' notitle, \\\n",
				own, own, own, own);
	}
	end_elements(script);
}

static void plotted_begin(struct figure *f, unsigned width_px, unsigned height_px)
{
	f->width_px = width_px;
	f->height_px = height_px;
	plot_begin_script(&f->script, f->name, width_px, height_px);
}

/* The script of `nr` stacked bars; those that are means over traces have their numbers in them. */
static void stacked_bars(const struct plotted *p, size_t nr, unsigned shown, bool means, const char *title,
			 const char *cuts, struct figure *f)
{
	unsigned height = height_of(nr, nr_of(shown));
	struct textbuf *script = &f->script;
	plotted_begin(f, WIDTH_PX, height);
	plotted_title(p, title, cuts, script);
	legend(p, shown, height, script);
	textbuf_printf(script, "before(c) = sum [k=%u:c-1] column(k)\n", FIRST_SHARE);
	textbuf_printf(script,
		       "set xrange [0:100]\n"
		       "set xlabel 'share of epochs (%%)%s' offset 0,0.4\n"
		       "set style textbox opaque margins 0.4,0.2 fillcolor rgb '#ffffff' noborder\n",
		       means ? ", mean over traces" : "");
	lying_bars(p, nr, height, LABEL_COLUMN, script);
	stack(shown, means, script);
	plot_end_script(script);
}

static void occupancy_by_cuts(const struct plotted *p, struct figure *f)
{
	struct textbuf *data = &f->data;
	unsigned shown = 0;
	size_t nr = NR_CUT_SETS;
	stack_header(p, "cuts", data);
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		stack_row(set + 1, p->means.occupancy_by_set[set], cut_set_names[set], &shown, data);
	if (characterize_set_of(p->study) == NR_CUT_SETS)
		stack_row(++nr, p->means.occupancy, p->study->cuts_name, &shown, data);
	stacked_bars(p, nr, shown, true, "Residency of states by set of thresholds", NULL, f);
}

static void occupancy_by_trace(const struct plotted *p, struct figure *f)
{
	struct textbuf *data = &f->data;
	unsigned shown = 0;
	const struct characterize_study *study = p->study;
	stack_header(p, "trace", data);
	for (size_t t = 0; t < study->nr; t++) {
		double occupancy[NR_STATES];
		const struct characterization *c = &study->rows[t].counts;
		for (unsigned s = 0; s < NR_STATES; s++)
			occupancy[s] = (double)c->in_state[s] / (double)c->nr_epochs;
		stack_row(t + 1, occupancy, study->rows[t].name, &shown, data);
	}
	stacked_bars(p, study->nr, shown, false, "Residency of states by trace", study->cuts_name, f);
}

static void occupancy(const struct plotted *p, struct figure *f)
{
	struct textbuf *data = &f->data, *script = &f->script;
	char when[32];
	double most_pct = 0;
	unsigned height = ABOVE_PX + BELOW_PX + NR_STATES * pitch_px(NR_STATES);
	textbuf_printf(data, "place,state,%soccupancy_pct,name\n", p->prefix);
	for (unsigned s = 0; s < NR_STATES; s++) {
		double pct = p->means.occupancy[s] * 100;
		most_pct = fmax(most_pct, pct);
		csv_u64(data, s + 1);
		csv_u64(data, s);
		csv_double(data, pct);
		csv_string(data, state_name(s));
		csv_end_row(data);
	}
	plotted_begin(f, WIDTH_PX, height);
	plotted_title(p, "Mean residency of states", p->study->cuts_name, script);
	if (p->nr_paper > 0)
		textbuf_printf(script, "set rmargin at screen %u.0/width_px\n",
			       WIDTH_PX - 32 - chart_paper_px(p->paper, p->nr_paper));
	/* Room for the number beside the longest bar. */
	textbuf_puts(script, "set xrange [0:");
	number_write_double(script, most_pct * 1.08, 0);
	textbuf_puts(script, "]\n"
			     "set xlabel 'share of epochs (%), mean over traces' offset 0,0.4\n");
	lying_bars(p, NR_STATES, height, 4, script);
	for (unsigned s = 0; s < NR_STATES; s++) {
		snprintf(when, sizeof(when), "$2 == %u && $3 > 0", s);
		boxes(s, when, "0", "$3", script);
	}
	textbuf_puts(script, " data skip 1 using 3:1:($3 > 0 ? sprintf($3 < 0.1 ? '<0.1' : '%.1f', $3) : 'never') with "
			     "labels left offset 0.6,0 font ',12' notitle, \\\n");
	end_elements(script);
	plot_end_script(script);
}

/* Figures of change: transitions between states, and the intervals between transitions. */
#define HEAT_WIDTH_PX 1000u
#define HEAT_HEIGHT_PX 900u
#define BINS_WIDTH_PX 1100u
#define BINS_HEIGHT_PX 560u

static void state_tics(const char *axis, const char *options, struct textbuf *script)
{
	textbuf_printf(script, "set %stics scale 0 %s(", axis, options);
	for (unsigned s = 0; s < NR_STATES; s++)
		textbuf_printf(script, "%s'%s' %u", s > 0 ? ", " : "", state_name(s), s);
	textbuf_puts(script, ")\n");
}

/* Number of pairs seen, and the maximum share; the diagonal is left out. */
static unsigned transition_data(const struct plotted *p, struct textbuf *data, double *most_pct)
{
	unsigned nr = 0;
	*most_pct = 0;
	textbuf_printf(data, "from,to,%sshare_of_transitions_pct,from_name,to_name\n", p->prefix);
	for (unsigned from = 0; from < NR_STATES; from++) {
		for (unsigned to = 0; to < NR_STATES; to++) {
			if (from == to || isnan(p->means.transitions[from][to]))
				continue;
			double pct = p->means.transitions[from][to] * 100;
			*most_pct = fmax(*most_pct, pct);
			csv_u64(data, from);
			csv_u64(data, to);
			csv_double(data, pct);
			csv_string(data, state_name(from));
			csv_string(data, state_name(to));
			csv_end_row(data);
			nr++;
		}
	}
	return nr;
}

/* Frames the changes that the paper has values of, and lists these above the map. */
static void paper_of_transitions(const struct plotted *p, struct textbuf *script)
{
	struct textbuf words;
	textbuf_init(&words);
	for (size_t i = 0; i < p->nr_paper; i++) {
		const struct chart_paper *v = &p->paper[i];
		textbuf_puts(&words, i > 0 ? "; " : "");
		if (v->row == v->part) {
			textbuf_printf(&words, "within a state %s", v->words);
			continue;
		}
		textbuf_printf(&words, "framed: %s to %s %s", state_name((unsigned)v->row), state_name(v->part),
			       v->words);
		textbuf_printf(script,
			       "set object rectangle from %u-0.5,%zu-0.5 to %u+0.5,%zu+0.5 front fillstyle empty "
			       "border lc rgb '" CHART_PAPER "' lw 3\n",
			       v->part, v->row, v->part, v->row);
	}
	if (p->nr_paper > 0)
		textbuf_printf(script,
			       "set label 'paper: %s' at graph 0,1.045 left font ',12' textcolor rgb '" CHART_PAPER
			       "'\n",
			       words.text);
	textbuf_release_part(&words, script);
}

/* One hue from light to dark, so that it reads the same without colour; its lightest is clearly not white, which means
 * "never seen". Numbers are in the cells, since a hue cannot be read back. */
static void plot_transitions(const struct plotted *p, struct figure *f)
{
	double most_pct;
	unsigned nr = transition_data(p, &f->data, &most_pct);
	struct textbuf *script = &f->script;
	plotted_begin(f, HEAT_WIDTH_PX, HEAT_HEIGHT_PX);
	plotted_title(p, "Transitions between states", p->study->cuts_name, script);
	/* The note stands between title and map. */
	textbuf_printf(script,
		       "set title offset 0,%s\n"
		       "set tmargin %s\n",
		       p->nr_paper > 0 ? "1.6" : "0.4", p->nr_paper > 0 ? "6.7" : "5.5");
	paper_of_transitions(p, script);
	state_tics("x", "rotate by 90 right ", script);
	state_tics("y", "", script);
	textbuf_puts(script, "set xrange [-0.5:15.5] noextend\n"
			     "set yrange [15.5:-0.5] noextend\n"
			     "set xlabel 'to state'\n"
			     "set ylabel 'from state'\n"
			     "set cblabel 'share of all transitions (%), mean over traces'\n"
			     "set border 15 lw 1 lc rgb '#404040'\n"
			     "set cbtics out\n"
			     "set palette defined (0 '#d6e6f4', 0.35 '#6aaed6', 0.7 '#2070b4', 1 '#08306b')\n");
	for (unsigned s = 0; s < NR_STATES; s++)
		textbuf_printf(script,
			       "set object rectangle from %u-0.5,%u-0.5 to %u+0.5,%u+0.5 back fillcolor rgb '#e4e4e4' "
			       "fillstyle solid noborder\n",
			       s, s, s, s);
	for (unsigned s = 1; s < NR_STATES; s++)
		textbuf_printf(script,
			       "set arrow from %u-0.5,-0.5 to %u-0.5,15.5 nohead back lw 0.5 lc rgb '#d0d0d0'\n"
			       "set arrow from -0.5,%u-0.5 to 15.5,%u-0.5 nohead back lw 0.5 lc rgb '#d0d0d0'\n",
			       s, s, s, s);
	textbuf_puts(script, "set label 'grey: within a state, left out; white: never seen' at graph 0,1.02 left font "
			     "',11'\n");
	if (nr == 0) {
		textbuf_puts(script, "set style textbox opaque margins 1,1 fillcolor rgb '#ffffff' noborder\n"
				     "set label 'no transitions between states' at 7.5,7.5 center boxed front\n"
				     "unset colorbox\n"
				     "plot NaN notitle\n");
	} else {
		textbuf_puts(script, "most_pct = ");
		number_write_double(script, most_pct, 1);
		textbuf_puts(
			script,
			"\n"
			"set cbrange [0:most_pct]\n"
			"shown(pct) = pct < 0.01 ? '<.01' : pct < 9.995 ? sprintf('%.2f', pct) : sprintf('%.1f', pct)\n"
			"ink(pct) = pct > 0.5 * most_pct ? 0xffffff : 0x000000\n"
			"plot data skip 1 using 2:1:($2-0.5):($2+0.5):($1-0.5):($1+0.5):3 with boxxyerror "
			"fillstyle solid border lc rgb '#909090' lw 0.4 linecolor palette notitle, \\\n"
			" data skip 1 using 2:1:(shown($3)):(ink($3)) with labels font ',9' textcolor rgb variable "
			"notitle\n");
	}
	plot_end_script(script);
}

/* 1, 20, 500, 1k, 20k, 5M: tics stand close to each other. */
static void write_short(struct textbuf *out, uint64_t n)
{
	static const struct {
		uint64_t unit;
		const char *suffix;
	} units[] = {{1000000000, "G"}, {1000000, "M"}, {1000, "k"}, {1, ""}};
	size_t u = 0;
	while (units[u].unit > n)
		u++;
	textbuf_printf(out, "%" PRIu64 "%s", n / units[u].unit, units[u].suffix);
}

/* A line over the bins that a value of the paper is about together: from its row on. */
static void paper_of_intervals(const struct plotted *p, struct textbuf *script)
{
	for (size_t i = 0; i < p->nr_paper; i++) {
		struct textbuf from, to;
		textbuf_init(&from);
		textbuf_init(&to);
		textbuf_printf(&from, "first %zu, first ", p->paper[i].row);
		number_write_double(&from, p->paper[i].value, 0);
		textbuf_printf(&to, "first %u, first ", p->means.nr_bins);
		number_write_double(&to, p->paper[i].value, 0);
		chart_paper_line(from.text, to.text, script);
		textbuf_printf(script,
			       "set label 'paper: %s, all together' at %s offset 0,0.7 left front font ',12' "
			       "textcolor rgb '" CHART_PAPER "'\n",
			       p->paper[i].words, from.text);
		textbuf_release_part(&from, script);
		textbuf_release_part(&to, script);
	}
}

/* Bins touch, and a tic at each edge says where one begins: in epochs, and in time where all traces agree on it. */
static void plot_intervals(const struct plotted *p, struct figure *f)
{
	struct textbuf *data = &f->data, *script = &f->script;
	uint64_t epoch_ns = characterize_epoch_ns(p->study);
	unsigned nr = p->means.nr_bins;
	double most_pct = 0;
	textbuf_printf(data, "min_epochs,max_epochs,%sshare_of_intervals_pct,%sshare_of_time_pct\n", p->prefix,
		       p->prefix);
	for (unsigned bin = 0; bin < nr; bin++) {
		double intervals = p->means.intervals_of_length[bin] * 100, time = p->means.time_of_length[bin] * 100;
		most_pct = fmax(most_pct, fmax(intervals, time));
		csv_u64(data, interval_bin_epochs(bin));
		csv_u64(data, interval_bin_epochs(bin + 1) - 1);
		csv_double(data, intervals);
		csv_double(data, time);
		csv_end_row(data);
	}
	plotted_begin(f, BINS_WIDTH_PX, BINS_HEIGHT_PX);
	plotted_title(p, "Intervals in one state by length", p->study->cuts_name, script);
	/* The key stands between title and bars: a title can be as long as the figure is wide. */
	textbuf_puts(script, "set title offset 0,1.1\n"
			     "set tmargin 5.5\n"
			     "set rmargin 4\n"
			     "set xtics scale 0.6 (");
	for (unsigned bin = 0; bin <= nr; bin++) {
		textbuf_puts(script, bin > 0 ? ", \"" : "\"");
		write_short(script, interval_bin_epochs(bin));
		/* The edge beyond the longest interval can be too long a time. */
		if (epoch_ns && interval_bin_epochs(bin) <= UINT64_MAX / epoch_ns) {
			textbuf_puts(script, "\\n");
			characterize_write_time(script, interval_bin_epochs(bin) * epoch_ns);
		}
		textbuf_printf(script, "\" %u", bin);
	}
	textbuf_printf(script, ") font ',%u'\n", nr <= 14 ? 12 : 8);
	textbuf_puts(script, "set xlabel 'length of an interval in epochs");
	if (epoch_ns) {
		textbuf_puts(script, " of ");
		characterize_write_time(script, epoch_ns);
		textbuf_puts(script, ", and in time");
	}
	textbuf_printf(script,
		       "; a bin ends below the next mark' offset 0,%s\n"
		       "set ylabel 'share (%%), mean over traces'\n"
		       "set xrange [-0.1:%u.1] noextend\n"
		       "set grid ytics lt 1 lw 0.5 lc rgb '#d0d0d0'\n"
		       "set grid back\n"
		       "set key at graph 1,1.02 right bottom horizontal reverse Left samplen 1.5\n",
		       epoch_ns ? "-0.8" : "0", nr);
	for (size_t i = 0; i < p->nr_paper; i++)
		most_pct = fmax(most_pct, p->paper[i].value);
	paper_of_intervals(p, script);
	textbuf_puts(script, "set yrange [0:");
	number_write_double(script, most_pct * 1.07, 0);
	textbuf_printf(script,
		       "]\n"
		       "share(y) = y > 0 ? sprintf(y < 0.1 ? '<0.1' : '%%.1f', y) : ''\n"
		       "set style fill solid 1.0 border lc rgb '#303030'\n"
		       "plot data skip 1 using ($0+0.3):3:(0.4) with boxes fillcolor rgb '%s' title 'of all "
		       "intervals', \\\n"
		       " data skip 1 using ($0+0.7):4:(0.4) with boxes fillcolor rgb '%s' title 'of time', \\\n"
		       " data skip 1 using ($0+0.3):3:(share($3)) with labels offset 0,0.6 font ',%u' notitle, \\\n"
		       " data skip 1 using ($0+0.7):4:(share($4)) with labels offset 0,0.6 font ',%u' notitle\n",
		       chart_fill(0), chart_fill(1), nr <= 14 ? 11 : 7, nr <= 14 ? 11 : 7);
	plot_end_script(script);
}

/* To add a figure: enum characterize_figure, a function above, rows in both tables, its text in
 * characterize_plot_alt.c, its name in tests/tools/plot.sh. Text from outside goes into its data only (plot.h). */
const char *const characterize_figure_names[NR_CHARACTERIZE_FIGURES] = {
	[CHARACTERIZE_BY_CUTS] = "occupancy_by_cuts",	[CHARACTERIZE_OCCUPANCY] = "occupancy",
	[CHARACTERIZE_BY_TRACE] = "occupancy_by_trace", [CHARACTERIZE_TRANSITIONS] = "transitions",
	[CHARACTERIZE_INTERVALS] = "intervals",
};

static void (*const makers[NR_CHARACTERIZE_FIGURES])(const struct plotted *p, struct figure *f) = {
	[CHARACTERIZE_BY_CUTS] = occupancy_by_cuts,   [CHARACTERIZE_OCCUPANCY] = occupancy,
	[CHARACTERIZE_BY_TRACE] = occupancy_by_trace, [CHARACTERIZE_TRANSITIONS] = plot_transitions,
	[CHARACTERIZE_INTERVALS] = plot_intervals,
};

void characterize_figure(const struct characterize_study *study, enum characterize_figure which,
			 const struct chart_paper *paper, size_t nr_paper, struct figure *f)
{
	const struct trace_counts counts = characterize_count(study);
	struct plotted p = {.study = study,
			    .paper = paper,
			    .nr_paper = nr_paper,
			    .prefix = trace_words_prefix(counts.nr_synthetic > 0, counts.nr_nominal > 0)};
	characterize_means(study, &p.means);
	makers[which](&p, f);
	plot_alt(&p, which, &f->alt);
}

enum sahm_status characterize_plot_refuse_existing(const char *folder, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_CHARACTERIZE_FIGURES && status == SAHM_OK; i++)
		status = plot_refuse_existing(folder, characterize_figure_names[i], err);
	return status;
}

enum sahm_status characterize_plot_write(const struct characterize_study *study, const char *folder,
					 struct sahm_err *err)
{
	enum sahm_status status = file_make_folder(folder, err);
	for (unsigned i = 0; i < NR_CHARACTERIZE_FIGURES && status == SAHM_OK; i++) {
		struct figure f;
		figure_init(&f, characterize_figure_names[i]);
		characterize_figure(study, (enum characterize_figure)i, NULL, 0, &f);
		status = figure_write(&f, folder, err);
		figure_release(&f);
	}
	return status;
}

enum sahm_status characterize_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_CHARACTERIZE_FIGURES && status == SAHM_OK; i++)
		status = plot_draw(folder, characterize_figure_names[i], notes, err);
	return status;
}
