#include "results/report/characterize_report.h"

#include <inttypes.h>
#include <math.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/origins_json.h"
#include "results/metrics/table.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

#define SCHEMA "sahm-characterize/1"

/* One line of a report: a trace's, or the mean's. */
struct line {
	const char *name;
	double epochs;
	double occupancy[NR_STATES];
	double self_transition_share; /* NAN for a single epoch */
	double intervals[NR_STATES], nr_intervals;
};

static void line_of(const struct characterized *row, struct line *l)
{
	const struct characterization *c = &row->counts;
	*l = (struct line){.name = row->name, .epochs = (double)c->nr_epochs};
	l->self_transition_share = c->nr_epochs > 1 ? (double)c->nr_same / (double)(c->nr_epochs - 1) : NAN;
	for (unsigned s = 0; s < NR_STATES; s++) {
		l->occupancy[s] = (double)c->in_state[s] / (double)c->nr_epochs;
		l->intervals[s] = (double)c->intervals[s];
		l->nr_intervals += l->intervals[s];
	}
}

/* Sums first and divides once, so that means of equal values are that value. */
static void mean_of(const struct characterize_study *study, struct line *mean)
{
	size_t nr = study->nr;
	size_t nr_same = 0;
	double same = 0;
	const struct trace_counts counts = characterize_count(study);
	*mean = (struct line){.name = trace_words_mean(counts.nr_synthetic > 0, counts.nr_nominal > 0)};
	for (size_t i = 0; i < nr; i++) {
		struct line l;
		line_of(&study->rows[i], &l);
		mean->epochs += l.epochs;
		mean->nr_intervals += l.nr_intervals;
		for (unsigned s = 0; s < NR_STATES; s++) {
			mean->occupancy[s] += l.occupancy[s];
			mean->intervals[s] += l.intervals[s];
		}
		if (!isnan(l.self_transition_share)) {
			same += l.self_transition_share;
			nr_same++;
		}
	}
	mean->epochs /= (double)nr;
	mean->nr_intervals /= (double)nr;
	for (unsigned s = 0; s < NR_STATES; s++) {
		mean->occupancy[s] /= (double)nr;
		mean->intervals[s] /= (double)nr;
	}
	mean->self_transition_share = nr_same ? same / (double)nr_same : NAN;
}

/* States named in a line; the others are summed up. */
#define MAX_SHOWN 5

/* "L2+Branch 61.4 %, Low 38.6 %": states by falling share. */
static void write_states(const struct line *l, struct textbuf *out)
{
	bool written[NR_STATES] = {false};
	double left = 1;
	for (unsigned shown = 0;; shown++) {
		unsigned best = NR_STATES;
		for (unsigned s = 0; s < NR_STATES; s++)
			if (!written[s] && l->occupancy[s] > 0 &&
			    (best == NR_STATES || l->occupancy[s] > l->occupancy[best]))
				best = s;
		if (best == NR_STATES)
			return;
		if (shown == MAX_SHOWN) {
			textbuf_printf(out, ", others %.1f %%", left * 100);
			return;
		}
		textbuf_printf(out, "%s%s %.1f %%", out->len ? ", " : "", state_name(best), l->occupancy[best] * 100);
		written[best] = true;
		left -= l->occupancy[best];
	}
}

static void text_row(struct table *t, const struct line *l, bool is_mean, bool ruled)
{
	int digits = is_mean ? 1 : 0;
	struct textbuf states;
	textbuf_init(&states);
	write_states(l, &states);
	table_row(t, ruled);
	table_cell(t, "%s", l->name);
	table_cell(t, "%.*f", digits, l->epochs);
	if (isnan(l->self_transition_share))
		table_cell(t, "-");
	else
		table_cell(t, "%.1f %%", l->self_transition_share * 100);
	table_cell(t, "%.*f", digits, l->nr_intervals);
	table_cell(t, "%.1f", l->epochs / l->nr_intervals);
	table_cell_text(t, &states);
}

bool characterize_report_text(const struct characterize_study *study, bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"trace", "epochs", "same", "intervals", "epochs/interval", "states"};
	const struct trace_counts counts = characterize_count(study);
	struct line mean, l;
	struct table t;
	mean_of(study, &mean);
	table_init(&t);
	t.left |= 1u << 5;
	table_row(&t, false);
	table_words(&t, headings, ARRAY_SIZE(headings));
	for (size_t i = 0; i < study->nr; i++) {
		line_of(&study->rows[i], &l);
		text_row(&t, &l, false, i == 0);
	}
	text_row(&t, &mean, true, true);
	textbuf_printf(out, "states by share of epochs (thresholds: %s); same: epochs in the previous one's state\n",
		       study->cuts_name);
	if (counts.nr_synthetic > 0 || counts.nr_nominal > 0) {
		textbuf_printf(out, "%zu trace%s", study->nr, study->nr == 1 ? "" : "s");
		trace_words_write(&counts, out);
		textbuf_putc(out, '\n');
	}
	characterize_write_origins(study, out);
	if (study->cuts_from_traces) {
		textbuf_puts(
			out,
			"percentiles over all epochs of all traces together, those without a value left out; thresholds:\n");
		cuts_write(study->cuts, out);
		textbuf_putc(out, '\n');
	}
	textbuf_putc(out, '\n');
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok && !textbuf_failed(out);
}

static void json_line(struct jwriter *j, const char *key, const struct line *l, bool is_mean, bool synthetic,
		      bool nominal, struct counter_origins origins)
{
	jwrite_begin_object(j, key);
	jwrite_string(j, "name", is_mean ? "mean" : l->name);
	jwrite_bool(j, "synthetic", synthetic);
	jwrite_bool(j, "nominal_time", nominal);
	origins_write_json(origins, j);
	if (is_mean)
		jwrite_double(j, "epochs", l->epochs);
	else
		jwrite_u64(j, "epochs", (uint64_t)l->epochs);
	jwrite_begin_array(j, "occupancy", true);
	for (unsigned s = 0; s < NR_STATES; s++)
		jwrite_double(j, NULL, l->occupancy[s]);
	jwrite_end_array(j);
	jwrite_double(j, "self_transition_share", l->self_transition_share);
	jwrite_begin_array(j, "interval_counts", true);
	for (unsigned s = 0; s < NR_STATES; s++) {
		if (is_mean)
			jwrite_double(j, NULL, l->intervals[s]);
		else
			jwrite_u64(j, NULL, (uint64_t)l->intervals[s]);
	}
	jwrite_end_array(j);
	jwrite_end_object(j);
}

static void json_shares(struct jwriter *j, const char *key, const double *shares)
{
	jwrite_begin_array(j, key, true);
	for (unsigned s = 0; s < NR_STATES; s++)
		jwrite_double(j, NULL, shares[s]);
	jwrite_end_array(j);
}

/* What the figures show. */
static void json_details(struct jwriter *j, const struct characterize_study *study)
{
	const struct trace_counts counts = characterize_count(study);
	struct characterize_means means;
	characterize_means(study, &means);
	jwrite_begin_object(j, "cuts_values");
	for (int c = 0; c < NR_COMPONENTS; c++)
		jwrite_double(j, metric_rows[c].key, cuts_get(study->cuts, (enum component)c));
	jwrite_end_object(j);
	jwrite_bool(j, "synthetic", counts.nr_synthetic > 0);
	jwrite_bool(j, "nominal_time", counts.nr_nominal > 0);
	jwrite_begin_object(j, "occupancy_by_cuts");
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		json_shares(j, cut_set_names[set], means.occupancy_by_set[set]);
	jwrite_end_object(j);
	jwrite_begin_array(j, "transitions", false);
	for (unsigned from = 0; from < NR_STATES; from++)
		json_shares(j, NULL, means.transitions[from]);
	jwrite_end_array(j);
	jwrite_begin_array(j, "intervals", false);
	for (unsigned bin = 0; bin < means.nr_bins; bin++) {
		jwrite_begin_object(j, NULL);
		jwrite_u64(j, "min_epochs", interval_bin_epochs(bin));
		jwrite_u64(j, "max_epochs", interval_bin_epochs(bin + 1) - 1);
		jwrite_double(j, "count_share", means.intervals_of_length[bin]);
		jwrite_double(j, "time_share", means.time_of_length[bin]);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

bool characterize_report_json(const struct characterize_study *study, struct textbuf *out)
{
	const struct trace_counts counts = characterize_count(study);
	struct counter_origins any = {0};
	struct jwriter j;
	struct line l;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_string(&j, "cuts", study->cuts_name);
	jwrite_begin_array(&j, "states", true);
	for (unsigned s = 0; s < NR_STATES; s++)
		jwrite_string(&j, NULL, state_name(s));
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "traces", false);
	for (size_t i = 0; i < study->nr; i++) {
		line_of(&study->rows[i], &l);
		json_line(&j, NULL, &l, false, study->rows[i].synthetic, study->rows[i].nominal,
			  study->rows[i].origins);
		counter_origins_add(&any, study->rows[i].origins);
	}
	jwrite_end_array(&j);
	mean_of(study, &l);
	json_line(&j, "mean", &l, true, counts.nr_synthetic > 0, counts.nr_nominal > 0, any);
	json_details(&j, study);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}

static void csv_line(struct textbuf *out, const char *scope, const struct line *l)
{
	csv_string(out, scope);
	csv_string(out, l->name);
	csv_double(out, l->epochs);
	csv_double(out, l->self_transition_share);
	for (unsigned s = 0; s < NR_STATES; s++)
		csv_double(out, l->occupancy[s]);
	for (unsigned s = 0; s < NR_STATES; s++)
		csv_double(out, l->intervals[s]);
	csv_end_row(out);
}

bool characterize_report_csv(const struct characterize_study *study, struct textbuf *out)
{
	struct line l;
	textbuf_puts(out, "scope,name,epochs,self_transition_share");
	for (unsigned s = 0; s < NR_STATES; s++)
		textbuf_printf(out, ",occupancy_%s", state_name(s));
	for (unsigned s = 0; s < NR_STATES; s++)
		textbuf_printf(out, ",intervals_%s", state_name(s));
	csv_end_row(out);
	for (size_t i = 0; i < study->nr; i++) {
		line_of(&study->rows[i], &l);
		csv_line(out, "trace", &l);
	}
	mean_of(study, &l);
	csv_line(out, "mean", &l);
	return !textbuf_failed(out);
}

/* Details of a characterisation for people: what the figures show, as tables. */

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

/* A share in %, "-" for what was never seen; a share that was seen is never shown as nothing.
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

/* A table that is copied separately still names its source. */
static void write_heading(const struct characterize_study *study, const char *what, struct textbuf *out)
{
	const struct trace_counts counts = characterize_count(study);
	textbuf_putc(out, '\n');
	if (counts.nr_synthetic > 0)
		textbuf_printf(out, "%ssynthetic traces: ", counts.nr_synthetic == counts.nr ? "" : "partly ");
	if (counts.nr_nominal > 0)
		textbuf_printf(out, "%sassumed time base: ", counts.nr_nominal == counts.nr ? "" : "partly ");
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
	write_heading(
		study,
		"share of epochs in each state by set of thresholds, in % (p25, p50: those of the paper); -: never",
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
