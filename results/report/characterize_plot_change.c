/* Figures of change: transitions between states, and the intervals between transitions. */
#include <inttypes.h>
#include <math.h>

#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "results/report/characterize_plot_internal.h"
#include "results/report/characterize_report.h"
#include "sim/base/number.h"

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

/* Pairs that were seen, how many, and the greatest share; the diagonal is left out. */
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

/* One hue from light to dark, so that it reads the same without colour; its lightest is clearly not white, which means
 * "never seen". Numbers stand in the cells, since a hue alone cannot be read back. */
void plot_transitions(const struct plotted *p, struct figure *f)
{
	double most_pct;
	unsigned nr = transition_data(p, &f->data, &most_pct);
	struct textbuf *script = &f->script;
	plotted_begin(f, HEAT_WIDTH_PX, HEAT_HEIGHT_PX);
	plotted_title(p, "Transitions between states", p->study->cuts_name, script);
	/* The note stands between title and map. */
	textbuf_puts(script, "set title offset 0,0.4\n"
			     "set tmargin 5.5\n");
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

/* Bins touch, and a tic at each edge says where one begins: in epochs, and in time where all traces agree on it. */
void plot_intervals(const struct plotted *p, struct figure *f)
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
	textbuf_puts(script, "set yrange [0:");
	number_write_double(script, most_pct * 1.07, 0);
	textbuf_printf(script,
		       "]\n"
		       "share(y) = y > 0 ? sprintf(y < 0.1 ? '<0.1' : '%%.1f', y) : ''\n"
		       "set style fill solid 1.0 border lc rgb '#303030'\n"
		       "plot data skip 1 using ($0+0.3):3:(0.4) with boxes fillcolor rgb '#45BCED' title 'of all "
		       "intervals', \\\n"
		       " data skip 1 using ($0+0.7):4:(0.4) with boxes fillcolor rgb '#855617' title 'of time', \\\n"
		       " data skip 1 using ($0+0.3):3:(share($3)) with labels offset 0,0.6 font ',%u' notitle, \\\n"
		       " data skip 1 using ($0+0.7):4:(share($4)) with labels offset 0,0.6 font ',%u' notitle\n",
		       nr <= 14 ? 11 : 7, nr <= 14 ? 11 : 7);
	plot_end_script(script);
}
