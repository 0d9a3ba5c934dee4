/* Details of a characterisation for people: what the figures show, as tables. */
#include <inttypes.h>
#include <math.h>

#include "results/metrics/table.h"
#include "results/report/characterize_report.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

void characterize_write_time(struct textbuf *out, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = {{NS_PER_S, "s"}, {NS_PER_MS, "ms"}, {1000, "us"}, {1, "ns"}};
	size_t u = 0;
	while (units[u].ns > ns && units[u].ns > 1)
		u++;
	number_write_double(out, (double)ns / (double)units[u].ns, 0);
	textbuf_printf(out, " %s", units[u].unit);
}

void characterize_write_bin(struct textbuf *out, unsigned bin)
{
	uint64_t least = interval_bin_epochs(bin), most = interval_bin_epochs(bin + 1) - 1;
	textbuf_printf(out, "%" PRIu64, least);
	if (most > least)
		textbuf_printf(out, "-%" PRIu64, most);
}

/* A share in %, "-" for what was never seen; what was seen is never shown as nothing.
 * `digits` are 0 to 2. */
static void share_cell(struct table *t, double share, int digits)
{
	static const double leasts[] = {1, 0.1, 0.01};
	double least = leasts[digits];
	if (isnan(share) || share <= 0)
		table_cell(t, "-");
	else if (share * 100 < least)
		table_cell(t, "<%.*f", digits, least);
	else
		table_cell(t, "%.*f", digits, share * 100);
}

static void occupancy_table(const struct characterize_study *study, const struct characterize_means *m, struct table *t)
{
	bool other = characterize_set_of(study) == NR_CUT_SETS;
	table_row(t, false);
	table_cell(t, "state");
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		table_cell(t, "%s", cut_set_names[set]);
	if (other)
		table_cell(t, "%s", study->cuts_name);
	for (unsigned s = 0, shown = 0; s < NR_STATES; s++) {
		bool occurs = m->occupancy[s] > 0;
		for (unsigned set = 0; set < NR_CUT_SETS; set++)
			occurs = occurs || m->occupancy_by_set[set][s] > 0;
		if (!occurs)
			continue;
		table_row(t, shown++ == 0);
		table_cell(t, "%s", state_name(s));
		for (unsigned set = 0; set < NR_CUT_SETS; set++)
			share_cell(t, m->occupancy_by_set[set][s], 1);
		if (other)
			share_cell(t, m->occupancy[s], 1);
	}
}

/* Columns are headed by the numbers of their states, which stand before the names of the rows. */
static void transition_table(const struct characterize_means *m, struct table *t)
{
	unsigned last = 0; /* no blanks at the end of its row */
	table_row(t, false);
	table_cell(t, "from \\ to");
	for (unsigned to = 0; to < NR_STATES; to++) {
		if (m->occupancy[to] <= 0)
			continue;
		table_cell(t, "%u", to);
		last = to;
	}
	for (unsigned from = 0, shown = 0; from < NR_STATES; from++) {
		if (m->occupancy[from] <= 0)
			continue;
		table_row(t, shown++ == 0);
		table_cell(t, "%2u: %s", from, state_name(from));
		for (unsigned to = 0; to < NR_STATES; to++) {
			if (m->occupancy[to] <= 0)
				continue;
			if (from == to && to < last)
				table_cell(t, "%s", "");
			else if (from == to)
				continue;
			else
				share_cell(t, m->transitions[from][to], 2);
		}
	}
}

static void time_cell(struct table *t, uint64_t ns)
{
	struct textbuf b;
	textbuf_init(&b);
	characterize_write_time(&b, ns);
	table_cell_text(t, &b);
}

static void interval_table(const struct characterize_study *study, const struct characterize_means *m, struct table *t)
{
	uint64_t epoch_ns = characterize_epoch_ns(study);
	table_row(t, false);
	table_cell(t, "epochs");
	if (epoch_ns)
		table_cell(t, "from");
	table_cell(t, "intervals");
	table_cell(t, "time");
	for (unsigned bin = 0; bin < m->nr_bins; bin++) {
		struct textbuf b;
		textbuf_init(&b);
		characterize_write_bin(&b, bin);
		table_row(t, bin == 0);
		table_cell_text(t, &b);
		if (epoch_ns)
			time_cell(t, interval_bin_epochs(bin) * epoch_ns);
		share_cell(t, m->intervals_of_length[bin], 1);
		share_cell(t, m->time_of_length[bin], 1);
	}
}

/* A table that is copied alone still says what it was made from. */
static void write_heading(const struct characterize_study *study, const char *what, struct textbuf *out)
{
	const struct trace_counts counts = characterize_count(study);
	textbuf_putc(out, '\n');
	if (counts.nr_synthetic > 0)
		textbuf_printf(out, "%ssynthetic traces: ", counts.nr_synthetic == counts.nr ? "" : "partly ");
	if (counts.nr_nominal > 0)
		textbuf_printf(out, "%snominal time: ", counts.nr_nominal == counts.nr ? "" : "partly ");
	textbuf_printf(out, "%s\n\n", what);
}

bool characterize_details_text(const struct characterize_study *study, bool bold, struct textbuf *out)
{
	struct characterize_means means;
	struct table by_set, transitions, intervals;
	characterize_means(study, &means);
	table_init(&by_set);
	table_init(&transitions);
	table_init(&intervals);
	occupancy_table(study, &means, &by_set);
	transition_table(&means, &transitions);
	interval_table(study, &means, &intervals);
	write_heading(study,
		      "share of epochs in each state by set of cuts, in % (p25, p50: those of the study); -: never",
		      out);
	bool ok = table_write(&by_set, bold, out);
	write_heading(
		study,
		"share of all transitions from epoch to epoch, in %, those within a state left out; -: never seen",
		out);
	ok = table_write(&transitions, bold, out) && ok;
	write_heading(study, "lengths of intervals in epochs, and their shares of all intervals and of time, in %",
		      out);
	ok = table_write(&intervals, bold, out) && ok;
	table_release(&by_set);
	table_release(&transitions);
	table_release(&intervals);
	return ok && !textbuf_failed(out);
}
