/* A run's result for people: a table of the threads, lines for the whole, tables by core and by state. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "results/run_report_internal.h"
#include "results/table.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

/* Longest cell, and longest name of a core with its speedups. */
#define CELL_BYTES 64

/* " +30 %" or " +30/+20 %": the speedups of a group, one if they are all the same, else in the order of the type's
 * name. */
static void write_speedups(const struct core_group *group, struct textbuf *out)
{
	const struct core_spec *spec = &group->spec;
	bool same = true;
	const char *sign = " ";
	for (unsigned i = 1; i < spec->nr_speedups; i++)
		same &= spec->speedup_ppm[i] == spec->speedup_ppm[0];
	if (spec->nr_speedups == 0 || spec->nr_speedups == NR_STATES)
		return;
	if (same) {
		textbuf_puts(out, spec->speedup_ppm[0] < 0 ? " " : " +");
		number_write_double(out, pct_of_ppm(spec->speedup_ppm[0]), 0);
	}
	/* A state that stresses one component alone has that component's speedup. Names begin at the far end. */
	for (unsigned c = NR_COMPONENTS; !same && c-- > 0;) {
		int32_t ppm = group->type.speedup_ppm[1u << c];
		if (!core_serves(&group->type, 1u << c))
			continue;
		textbuf_printf(out, "%s%s", sign, ppm < 0 ? "" : "+");
		number_write_double(out, pct_of_ppm(ppm), 0);
		sign = "/";
	}
	textbuf_puts(out, " %");
}

/* "39 cores: baseline x 7, L2 +30 % x 8" */
static void write_chip(const struct run_config *config, struct textbuf *out)
{
	const char *comma = "";
	textbuf_printf(out, "%u core%s: ", config->chip.nr_cores, config->chip.nr_cores == 1 ? "" : "s");
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		if (group->count == 0)
			continue;
		textbuf_printf(out, "%s%s", comma, group->type.name);
		write_speedups(group, out);
		if (group->count > 1)
			textbuf_printf(out, " x %u", group->count);
		comma = ", ";
	}
	textbuf_putc(out, '\n');
}

static void write_head(const struct run_report *report, const char *title, struct textbuf *out)
{
	const struct run_config *config = report->config;
	textbuf_printf(out, "configuration  %s (%.16s)\n", title, report->hash);
	textbuf_puts(out, "chip           ");
	write_chip(config, out);
	const char *mode = config->alone ? ", each alone on the chip" : config->nr_threads > 1 ? " together" : "";
	textbuf_printf(out, "workload       %u thread%s%s; %u trace%s", config->nr_threads,
		       config->nr_threads == 1 ? "" : "s", mode, config->nr_traces, config->nr_traces == 1 ? "" : "s");
	if (report->nr_synthetic)
		textbuf_printf(out, ", %u synthetic", report->nr_synthetic);
	textbuf_putc(out, '\n');
	textbuf_printf(out, "scheduler      %s, inertia %u, timestep %g ms, observes %s; %g ms per migration\n",
		       config->policy->name, config->inertia, ms_of_ns(config->timestep_ns),
		       config->oracle ? "the coming timestep (oracle)" : "the last timestep",
		       ms_of_ns(config->distances.cost_ns));
	textbuf_printf(out, "simulated      %.2f s", (double)report->result->simulated_ns / (double)NS_PER_S);
	if (report->samples.metrics)
		textbuf_printf(out, " in %u samples, whose counts are added up", report->samples.nr);
	textbuf_puts(out, "\n\n");
}

/* A metric as people read it; a dash where there is none. Adding 0.0 makes -0 a 0. */
static const char *form_value(enum run_form form, double value, char text[CELL_BYTES])
{
	static const char *const formats[] = {
		[RUN_SPEEDUP] = "%+.2f %%", [RUN_SHARE] = "%.2f %%", [RUN_RATE] = "%.2f",
		[RUN_NUMBER] = "%.3f",	    [RUN_TIME] = "%.2f s",
	};
	if (form == RUN_SPEEDUP || form == RUN_SHARE)
		value *= 100;
	else if (form == RUN_TIME)
		value /= (double)NS_PER_S;
	if (isfinite(value))
		snprintf(text, CELL_BYTES, formats[form], value + 0.0);
	else
		snprintf(text, CELL_BYTES, "-");
	return text;
}

static void value_cell(struct table *t, enum run_form form, double value)
{
	char text[CELL_BYTES];
	table_cell(t, "%s", form_value(form, value, text));
}

static void moment_cell(struct table *t, bool known, uint64_t ns)
{
	value_cell(t, RUN_TIME, known ? (double)ns : NAN);
}

/* Columns that are there only if some thread arrives late, or leaves. */
struct moments {
	bool arrived, left;
};

static struct moments moments_of(const struct run_result *result)
{
	struct moments moments = {false, false};
	for (uint32_t t = 0; t < result->nr_threads; t++) {
		const struct run_thread_result *r = &result->threads[t];
		moments.arrived |= r->arrived_ns > 0;
		moments.left |= r->nr_left > 0;
	}
	return moments;
}

static void thread_row(const struct run_report *report, struct moments moments, uint32_t thread, struct table *t)
{
	const struct run_thread_result *r = &report->result->threads[thread];
	struct thread_metrics m;
	uint64_t ns;
	run_metrics_of_thread(report->result, thread, &m);
	table_row(t, thread == 0);
	table_cell(t, "%s", report->config->threads[thread].name);
	value_cell(t, RUN_SPEEDUP, m.speedup);
	value_cell(t, RUN_SHARE, m.served_share);
	value_cell(t, RUN_SHARE, m.matched_share);
	table_cell(t, "%" PRIu64, r->counts.migrations);
	value_cell(t, RUN_TIME, (double)r->counts.completed_ns);
	if (moments.arrived) {
		bool known = run_report_arrived(r, &ns);
		moment_cell(t, known, ns);
	}
	if (moments.left) {
		bool known = run_report_left(r, &ns);
		moment_cell(t, known, ns);
	}
}

static void thread_table(const struct run_report *report, struct table *t)
{
	static const char *const headings[] = {"thread", "speedup", "served", "matched", "migrations", "baseline time"};
	const struct run_metrics *m = &report->metrics;
	struct moments moments = moments_of(report->result);
	table_row(t, false);
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		table_cell(t, "%s", headings[i]);
	if (moments.arrived)
		table_cell(t, "arrived");
	if (moments.left)
		table_cell(t, "left");
	for (uint32_t i = 0; i < report->result->nr_threads; i++)
		thread_row(report, moments, i, t);
	table_row(t, true);
	table_cell(t, "%s", report->nr_synthetic ? "mean (synthetic)" : "mean");
	value_cell(t, RUN_SPEEDUP, m->speedup_mean);
	value_cell(t, RUN_SHARE, m->served_mean);
	value_cell(t, RUN_SHARE, m->matched_mean);
	if (m->nr_present)
		table_cell(t, "%.1f", (double)m->migrations / m->nr_present);
	else
		table_cell(t, "-");
}

static void part_cells(struct table *t, const struct part_metrics *m)
{
	value_cell(t, RUN_SHARE, m->share);
	value_cell(t, RUN_SHARE, m->served_share);
	value_cell(t, RUN_SHARE, m->matched_share);
}

static void core_table(const struct run_report *report, struct table *t)
{
	const struct run_config *config = report->config;
	uint32_t core = 0;
	t->left = 1u << 1; /* the type, not the number */
	table_row(t, false);
	table_cell(t, "core");
	table_cell(t, "type");
	table_cell(t, "utilisation");
	table_cell(t, "served");
	table_cell(t, "matched");
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		struct textbuf type;
		textbuf_init(&type);
		textbuf_puts(&type, config->groups[g].type.name);
		write_speedups(&config->groups[g], &type);
		for (uint32_t i = 0; i < config->groups[g].count; i++, core++) {
			struct part_metrics m;
			run_metrics_of_core(report->result, core, &m);
			table_row(t, core == 0);
			table_cell(t, "%u", core);
			table_cell(t, "%s", type.text);
			part_cells(t, &m);
		}
		t->failed |= textbuf_failed(&type);
		textbuf_release(&type);
	}
}

static void state_table(const struct run_report *report, struct table *t)
{
	table_row(t, false);
	table_cell(t, "state");
	table_cell(t, "executed");
	table_cell(t, "served");
	table_cell(t, "matched");
	for (unsigned s = 0; s < NR_STATES; s++) {
		struct part_metrics m;
		run_metrics_of_state(report->result, s, &m);
		table_row(t, s == 0);
		table_cell(t, "%s", state_name(s));
		part_cells(t, &m);
	}
}

static void sample_table(const struct run_report *report, struct table *t)
{
	table_row(t, false);
	table_cell(t, "of %u samples", report->samples.nr);
	table_cell(t, "mean");
	table_cell(t, "low (%u %%)", BOOTSTRAP_PCT);
	table_cell(t, "high (%u %%)", BOOTSTRAP_PCT);
	for (int which = 0; which < NR_RUN_METRICS; which++) {
		const struct run_metric_row *row = &run_metric_rows[which];
		const struct stats_interval *interval = &report->samples.intervals[which];
		table_row(t, which == 0);
		table_cell(t, "%s", row->words);
		value_cell(t, row->form, interval->mean);
		value_cell(t, row->form, interval->low);
		value_cell(t, row->form, interval->high);
	}
}

static void write_lines(const struct run_report *report, struct textbuf *out)
{
	const struct run_metrics *m = &report->metrics;
	char shown[NR_RUN_METRICS][CELL_BYTES];
	for (int which = 0; which < NR_RUN_METRICS; which++)
		form_value(run_metric_rows[which].form, run_metric(m, (enum run_metric)which), shown[which]);
	textbuf_printf(out,
		       "\nspeedup of the system        %s\n"
		       "served, matched              %s, %s of executed timesteps\n"
		       "running                      %s of %" PRIu64 " thread-timesteps\n"
		       "migrations per second        %s\n"
		       "at state transitions         %s of executed timesteps (%" PRIu64 ")\n",
		       shown[RUN_METRIC_speedup_system], shown[RUN_METRIC_served_share],
		       shown[RUN_METRIC_matched_share], shown[RUN_METRIC_running_share],
		       report->result->thread_timesteps, shown[RUN_METRIC_migrations_per_s],
		       shown[RUN_METRIC_transition_share], m->transitions);
	textbuf_printf(out,
		       "means of speedups            %s arithmetic, %s harmonic, %s geometric\n"
		       "STP, ANTT                    %s of %u thread%s, %s\n"
		       "fairness (Jain)              %s\n"
		       "time mismatched              %s\n"
		       "migration cost paid          %s, %s of executed time\n"
		       "decisions                    %" PRIu64 ", %s per second\n",
		       shown[RUN_METRIC_speedup_mean], shown[RUN_METRIC_speedup_harmonic],
		       shown[RUN_METRIC_speedup_geometric], shown[RUN_METRIC_stp], m->nr_present,
		       m->nr_present == 1 ? "" : "s", shown[RUN_METRIC_antt], shown[RUN_METRIC_jain],
		       shown[RUN_METRIC_mismatched_ns], shown[RUN_METRIC_paid_ns], shown[RUN_METRIC_paid_share],
		       report->result->decisions, shown[RUN_METRIC_decisions_per_s]);
}

static void write_table(const struct run_report *report, void (*fill)(const struct run_report *report, struct table *t),
			bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	fill(report, &t);
	out->failed |= !table_write(&t, bold, out);
	table_release(&t);
}

void run_report_write_text(const struct run_report *report, const struct run_report_look *look, struct textbuf *out)
{
	write_head(report, look->title, out);
	write_table(report, thread_table, look->bold, out);
	write_lines(report, out);
	if (report->samples.metrics) {
		textbuf_putc(out, '\n');
		write_table(report, sample_table, look->bold, out);
	}
	if (look->details) {
		textbuf_putc(out, '\n');
		write_table(report, core_table, look->bold, out);
		textbuf_putc(out, '\n');
		write_table(report, state_table, look->bold, out);
	}
	/* Last, where it stays in sight when the end alone is looked at. */
	if (report->nr_synthetic)
		textbuf_printf(out, "synthetic                    %u of %u traces\n", report->nr_synthetic,
			       report->config->nr_traces);
}
