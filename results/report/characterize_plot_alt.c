/* Texts that stand for the figures of a characterisation: their main numbers, in sentences. */
#include <math.h>

#include "results/chart/plot.h"
#include "results/report/characterize_plot_internal.h"
#include "results/report/characterize_report.h"

/* How many states a text names of the most occupied ones: as many as the study does (figure 4.3). */
#define NR_NAMED 6u

/* A share as figures show it; what is not quite nothing does not become 0. */
static void write_pct(struct textbuf *out, double fraction)
{
	double pct = fraction * 100;
	if (pct > 0 && pct < 0.05)
		textbuf_puts(out, "less than 0.1 %");
	else
		textbuf_printf(out, "%.1f %%", pct);
}

/* "kind of picture: what it shows, 39 traces, synthetic, cuts: intuitive. " */
static void begin(const struct plotted *p, const char *what, bool with_cuts, struct textbuf *alt)
{
	size_t nr = p->study->nr;
	const struct trace_counts counts = characterize_count(p->study);
	textbuf_printf(alt, "%s, %zu trace%s", what, nr, nr == 1 ? "" : "s");
	trace_words_write(&counts, alt);
	if (with_cuts)
		textbuf_printf(alt, ", thresholds: %s", p->study->cuts_name);
	textbuf_puts(alt, ".");
}

/* The state with the largest share; of equals the first. */
static unsigned leader(const double shares[NR_STATES])
{
	unsigned most = 0;
	for (unsigned s = 1; s < NR_STATES; s++)
		if (shares[s] > shares[most])
			most = s;
	return most;
}

static void alt_set(const char *name, const double occupancy[NR_STATES], struct textbuf *alt)
{
	unsigned most = leader(occupancy);
	textbuf_printf(alt, " Under %s, most time is in %s, ", name, state_name(most));
	write_pct(alt, occupancy[most]);
	if (most != STATE_LOW) {
		textbuf_puts(alt, "; in Low it is ");
		write_pct(alt, occupancy[STATE_LOW]);
	}
	textbuf_putc(alt, '.');
}

static void alt_by_cuts(const struct plotted *p, struct textbuf *alt)
{
	begin(p, "Stacked bars of mean shares of time in states, a bar per set of thresholds", false, alt);
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		alt_set(cut_set_names[set], p->means.occupancy_by_set[set], alt);
	if (characterize_set_of(p->study) == NR_CUT_SETS)
		alt_set(p->study->cuts_name, p->means.occupancy, alt);
}

static void alt_occupancy(const struct plotted *p, struct textbuf *alt)
{
	double left[NR_STATES];
	unsigned nr_never = 0;
	for (unsigned s = 0; s < NR_STATES; s++) {
		left[s] = p->means.occupancy[s];
		nr_never += !(left[s] > 0);
	}
	begin(p, "Bars of mean shares of time, a bar per state", true, alt);
	for (unsigned i = 0; i < NR_NAMED; i++) {
		unsigned most = leader(left);
		if (!(left[most] > 0))
			break;
		textbuf_printf(alt, "%s%s ", i == 0 ? " Most occupied: " : ", ", state_name(most));
		write_pct(alt, left[most]);
		left[most] = 0;
	}
	textbuf_putc(alt, '.');
	if (nr_never > 0)
		textbuf_printf(alt, " States that never occur: %u of %u.", nr_never, NR_STATES);
}

static void alt_one_trace(const struct plotted *p, size_t t, unsigned state, double part, struct textbuf *alt)
{
	textbuf_putc(alt, ' ');
	plot_label(alt, p->study->rows[t].name);
	textbuf_puts(alt, " has ");
	write_pct(alt, part);
	textbuf_printf(alt, " in %s", state_name(state));
}

static void alt_by_trace(const struct plotted *p, struct textbuf *alt)
{
	unsigned nr_led[NR_STATES] = {0}, led_most = 0, state_of_most = 0, state_of_least = 0;
	size_t at_most = 0, at_least = 0;
	double most = -1, least = 2;
	for (size_t t = 0; t < p->study->nr; t++) {
		const struct characterization *c = &p->study->rows[t].counts;
		double shares[NR_STATES];
		for (unsigned s = 0; s < NR_STATES; s++)
			shares[s] = (double)c->in_state[s] / (double)c->nr_epochs;
		unsigned state = leader(shares);
		nr_led[state]++;
		if (shares[state] > most) {
			most = shares[state];
			at_most = t;
			state_of_most = state;
		}
		if (shares[state] < least) {
			least = shares[state];
			at_least = t;
			state_of_least = state;
		}
	}
	for (unsigned s = 1; s < NR_STATES; s++)
		if (nr_led[s] > nr_led[led_most])
			led_most = s;
	begin(p, "Stacked bars of shares of time in states, a bar per trace", true, alt);
	if (p->study->nr > 1) {
		textbuf_printf(alt, " The state that leads in most traces is %s, in %u.", state_name(led_most),
			       nr_led[led_most]);
		alt_one_trace(p, at_least, state_of_least, least, alt);
		textbuf_puts(alt, ", the smallest share that leads a trace.");
	}
	alt_one_trace(p, at_most, state_of_most, most, alt);
	textbuf_puts(alt, p->study->nr > 1 ? ", the largest." : ", its largest share.");
}

#define NR_PAIRS (NR_STATES * (NR_STATES - 1))

static void alt_transitions(const struct plotted *p, struct textbuf *alt)
{
	unsigned nr_seen = 0, from_most = 0, to_most = 0;
	double most = 0, same = 0;
	for (unsigned from = 0; from < NR_STATES; from++) {
		for (unsigned to = 0; to < NR_STATES; to++) {
			double part = p->means.transitions[from][to];
			if (isnan(part))
				continue;
			if (from == to) {
				same += part;
				continue;
			}
			nr_seen++;
			if (part > most) {
				most = part;
				from_most = from;
				to_most = to;
			}
		}
	}
	begin(p, "Map of transitions from state to state, mean shares of all transitions", true, alt);
	if (nr_seen == 0) {
		textbuf_puts(alt, " There are no transitions between states.");
		return;
	}
	textbuf_puts(alt, " Epochs in the state of the one before: ");
	write_pct(alt, same);
	textbuf_printf(alt, ". The most frequent change is from %s to %s, ", state_name(from_most),
		       state_name(to_most));
	write_pct(alt, most);
	textbuf_printf(alt, ". Never seen: %u of %u changes.", NR_PAIRS - nr_seen, NR_PAIRS);
}

/* "2-4 epochs (0.2 s and more)" */
static void write_length(const struct plotted *p, unsigned bin, struct textbuf *alt)
{
	uint64_t epoch_ns = characterize_epoch_ns(p->study);
	characterize_write_bin(alt, bin);
	textbuf_puts(alt, bin == 0 ? " epoch" : " epochs");
	if (epoch_ns && interval_bin_epochs(bin) <= UINT64_MAX / epoch_ns) {
		textbuf_puts(alt, " (");
		characterize_write_time(alt, interval_bin_epochs(bin) * epoch_ns);
		textbuf_puts(alt, bin == 0 ? ")" : " and more)");
	}
}

static void alt_bin(const struct plotted *p, const char *which, unsigned bin, struct textbuf *alt)
{
	textbuf_printf(alt, " %s, ", which);
	write_length(p, bin, alt);
	textbuf_puts(alt, ", are ");
	write_pct(alt, p->means.intervals_of_length[bin]);
	textbuf_puts(alt, " of intervals and ");
	write_pct(alt, p->means.time_of_length[bin]);
	textbuf_puts(alt, " of time.");
}

static void alt_intervals(const struct plotted *p, struct textbuf *alt)
{
	unsigned last = p->means.nr_bins - 1, longest = 0;
	for (unsigned bin = 1; bin <= last; bin++)
		if (p->means.time_of_length[bin] > p->means.time_of_length[longest])
			longest = bin;
	begin(p, "Pairs of bars per length of intervals in one state, mean shares of all intervals and of time", true,
	      alt);
	alt_bin(p, "The shortest", 0, alt);
	if (longest > 0 && longest < last)
		alt_bin(p, "Those with most time", longest, alt);
	if (last > 0)
		alt_bin(p, "The longest", last, alt);
}

void plot_alt(const struct plotted *p, enum characterize_figure which, struct textbuf *alt)
{
	static void (*const writers[NR_CHARACTERIZE_FIGURES])(const struct plotted *p, struct textbuf *alt) = {
		[CHARACTERIZE_BY_CUTS] = alt_by_cuts,	  [CHARACTERIZE_OCCUPANCY] = alt_occupancy,
		[CHARACTERIZE_BY_TRACE] = alt_by_trace,	  [CHARACTERIZE_TRANSITIONS] = alt_transitions,
		[CHARACTERIZE_INTERVALS] = alt_intervals,
	};
	writers[which](p, alt);
}
