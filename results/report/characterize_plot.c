/* Figures of occupancy, and the list of all figures. */
#include "results/report/characterize_plot.h"

#include <math.h>
#include <string.h>

#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "results/report/characterize_plot_internal.h"
#include "sim/base/file.h"
#include "sim/base/number.h"

#define WIDTH_PX 1140u
#define BRANCH_BIT (1u << COMPONENT_BRANCH)

/* What stands around bars, in pixels: title above, axis below, legend on the right. */
#define ABOVE_PX 70u
#define BELOW_PX 70u
#define LEGEND_PX 225u
#define LEGEND_ROW_PX 24u

/* A column of numbers per state stands behind the column of places. */
#define FIRST_SHARE 2u
#define LABEL_COLUMN (FIRST_SHARE + NR_STATES)

static const struct {
	const char *fill, *ink;
} colours[NR_STATES] = {
#define STATE_COLOUR(l1i, l1d, l2, fill, ink)                                                                          \
	[(l1i) << COMPONENT_L1I | (l1d) << COMPONENT_L1D | (l2) << COMPONENT_L2] = {fill, ink},
#include "results/report/state_colour_list.h"
#undef STATE_COLOUR
};

/* Hatching goes upon a box of the state's colour. */
static const char *fill_style(bool hatched)
{
	return hatched ? "transparent pattern 4" : "solid 1.0";
}

/* Longest second line of a title; cuts that make it longer get a line of their own, and all of them are smaller. */
#define MAX_TITLE 60

void plotted_title(const struct plotted *p, const char *what, const char *cuts, struct textbuf *script)
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
		textbuf_puts(script, is_long ? ".\"\\n\".'cuts: '." : ".'; cuts: '.");
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
static void legend(unsigned shown, unsigned height_px, struct textbuf *script)
{
	unsigned top = ABOVE_PX, x = WIDTH_PX - LEGEND_PX;
	textbuf_printf(script, "set rmargin at screen %u.0/width_px\n", x - 32);
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
static void lying_bars(size_t nr, unsigned height_px, unsigned label_column, struct textbuf *script)
{
	unsigned pitch = pitch_px(nr), bars = (unsigned)nr * pitch;
	/* Names that would overlap are left out, but for every so-maniest. */
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
		       "plot data skip 1 using (0):1:ytic(int($1) %% %u == 0 || %u == 1 ? strcol(%u) : '') with dots "
		       "lc rgb '#ffffff' notitle, \\\n",
		       nr <= 4 ? "0.36" : "0.40", nr, step, step, label_column);
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

void plotted_begin(struct figure *f, unsigned width_px, unsigned height_px)
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
	legend(shown, height, script);
	textbuf_printf(script, "before(c) = sum [k=%u:c-1] column(k)\n", FIRST_SHARE);
	textbuf_printf(script,
		       "set xrange [0:100]\n"
		       "set xlabel 'share of epochs (%%)%s' offset 0,0.4\n"
		       "set style textbox opaque margins 0.4,0.2 fillcolor rgb '#ffffff' noborder\n",
		       means ? ", mean over traces" : "");
	lying_bars(nr, height, LABEL_COLUMN, script);
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
	stacked_bars(p, nr, shown, true, "Occupancy of states by set of cuts", NULL, f);
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
	stacked_bars(p, study->nr, shown, false, "Occupancy of states by trace", study->cuts_name, f);
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
	plotted_title(p, "Mean occupancy of states", p->study->cuts_name, script);
	/* Room for the number behind the longest bar. */
	textbuf_puts(script, "set xrange [0:");
	number_write_double(script, most_pct * 1.08, 0);
	textbuf_puts(script, "]\n"
			     "set xlabel 'share of epochs (%), mean over traces' offset 0,0.4\n");
	lying_bars(NR_STATES, height, 4, script);
	for (unsigned s = 0; s < NR_STATES; s++) {
		snprintf(when, sizeof(when), "$2 == %u && $3 > 0", s);
		boxes(s, when, "0", "$3", script);
	}
	textbuf_puts(script, " data skip 1 using 3:1:($3 > 0 ? sprintf($3 < 0.1 ? '<0.1' : '%.1f', $3) : 'never') with "
			     "labels left offset 0.6,0 font ',12' notitle, \\\n");
	end_elements(script);
	plot_end_script(script);
}

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

void characterize_figure(const struct characterize_study *study, enum characterize_figure which, struct figure *f)
{
	const struct trace_counts counts = characterize_count(study);
	struct plotted p = {.study = study,
			    .prefix = trace_words_prefix(counts.nr_synthetic > 0, counts.nr_nominal > 0)};
	characterize_means(study, &p.means);
	makers[which](&p, f);
	plot_alt(&p, which, &f->alt);
}

enum sahm_status characterize_plot_write(const struct characterize_study *study, const char *folder,
					 struct sahm_err *err)
{
	enum sahm_status status = file_make_folder(folder, err);
	for (unsigned i = 0; i < NR_CHARACTERIZE_FIGURES && status == SAHM_OK; i++) {
		struct figure f;
		figure_init(&f, characterize_figure_names[i]);
		characterize_figure(study, (enum characterize_figure)i, &f);
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
