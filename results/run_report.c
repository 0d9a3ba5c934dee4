#include "results/run_report.h"

#include <inttypes.h>

#include "results/csv.h"
#include "results/json.h"
#include "results/run_metrics.h"
#include "results/table.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

#define SCHEMA "sahm-run/1"

static uint32_t count_synthetic(const struct run_config *config)
{
	uint32_t nr = 0;
	for (uint32_t i = 0; i < config->nr_traces; i++)
		nr += provenance_is_synthetic(trace_provenance(config->traces[i].trace));
	return nr;
}

/* Whether any thread replays a generated trace. */
static bool is_synthetic(const struct run_config *config)
{
	return count_synthetic(config) > 0;
}

static const char *hash_text(const struct run_config *config, char text[HASH_HEX_BYTES])
{
	uint8_t hash[HASH_BYTES];
	run_config_hash(config, hash);
	hash_hex(hash, text);
	return text;
}

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

static void write_head(const struct run_config *config, const struct run_result *result, const char *title,
		       struct textbuf *out)
{
	char hash[HASH_HEX_BYTES];
	textbuf_printf(out, "configuration  %s (%.16s)\n", title, hash_text(config, hash));
	textbuf_puts(out, "chip           ");
	write_chip(config, out);
	const char *mode = config->alone ? ", each alone on the chip" : config->nr_threads > 1 ? " together" : "";
	textbuf_printf(out, "workload       %u thread%s%s; %u trace%s", config->nr_threads,
		       config->nr_threads == 1 ? "" : "s", mode, config->nr_traces, config->nr_traces == 1 ? "" : "s");
	if (is_synthetic(config))
		textbuf_printf(out, ", %u synthetic", count_synthetic(config));
	textbuf_putc(out, '\n');
	textbuf_printf(out, "scheduler      %s, inertia %u, timestep %g ms, observes %s; %g ms per migration\n",
		       config->policy->name, config->inertia, ms_of_ns(config->timestep_ns),
		       config->oracle ? "the coming timestep (oracle)" : "the last timestep",
		       ms_of_ns(config->distances.cost_ns));
	textbuf_printf(out, "simulated      %.2f s\n\n", (double)result->simulated_ns / (double)NS_PER_S);
}

/* A share or speedup as a percentage, or a dash. */
static void percent_cell(struct table *t, double value, bool sign)
{
	if (value != value)
		table_cell(t, "-");
	else
		table_cell(t, sign ? "%+.2f %%" : "%.2f %%", value * 100 + 0.0);
}

bool run_report_text(const struct run_config *config, const struct run_result *result, const char *title, bool bold,
		     struct textbuf *out)
{
	static const char *const headings[] = {"thread", "speedup", "served", "matched", "migrations", "baseline time"};
	struct run_metrics m;
	struct table t;
	run_metrics_of(result, &m);
	table_init(&t);
	write_head(config, result, title, out);
	table_row(&t, false);
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		table_cell(&t, "%s", headings[i]);
	for (uint32_t i = 0; i < result->nr_threads; i++) {
		const struct run_thread_result *r = &result->threads[i];
		struct thread_metrics tm;
		run_metrics_of_thread(r, &tm);
		table_row(&t, i == 0);
		table_cell(&t, "%s", config->threads[i].name);
		percent_cell(&t, tm.speedup, true);
		percent_cell(&t, tm.served_share, false);
		percent_cell(&t, tm.matched_share, false);
		table_cell(&t, "%" PRIu64, r->counts.migrations);
		table_cell(&t, "%.2f s", (double)r->counts.completed_ns / (double)NS_PER_S);
	}
	table_row(&t, true);
	table_cell(&t, "%s", is_synthetic(config) ? "mean (synthetic)" : "mean");
	percent_cell(&t, m.speedup_mean, true);
	percent_cell(&t, m.served_mean, false);
	percent_cell(&t, m.matched_mean, false);
	table_cell(&t, "%.1f", (double)m.migrations / result->nr_threads);
	bool ok = table_write(&t, bold, out);
	table_release(&t);

	textbuf_printf(out,
		       "\nspeedup of the system        %+.2f %%\n"
		       "served, matched              %.2f %%, %.2f %% of executed timesteps\n"
		       "running                      %.2f %% of %" PRIu64 " thread-timesteps\n"
		       "migrations per second        %.2f\n"
		       "at state transitions         %.2f %% of executed timesteps (%" PRIu64 ")\n",
		       m.speedup_system * 100 + 0.0, m.served_share * 100, m.matched_share * 100, m.running_share * 100,
		       result->thread_timesteps, m.migrations_per_s, m.transition_share * 100, m.transitions);
	/* Last, where it stays in sight when the end alone is looked at. */
	if (is_synthetic(config))
		textbuf_printf(out, "synthetic                    %u of %u traces\n", count_synthetic(config),
			       config->nr_traces);
	return ok && !textbuf_failed(out);
}

bool run_report_json(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	char hash[HASH_HEX_BYTES];
	struct run_metrics m;
	struct jwriter j;
	run_metrics_of(result, &m);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_string(&j, "config_hash", hash_text(config, hash));
	jwrite_string(&j, "policy", config->policy->name);
	jwrite_bool(&j, "oracle", config->oracle);
	jwrite_bool(&j, "synthetic", is_synthetic(config));
	jwrite_begin_array(&j, "threads", false);
	for (uint32_t i = 0; i < result->nr_threads; i++) {
		const struct run_thread_result *r = &result->threads[i];
		struct thread_metrics tm;
		run_metrics_of_thread(r, &tm);
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "name", config->threads[i].name);
		jwrite_double(&j, "speedup", tm.speedup);
		jwrite_double(&j, "served_share", tm.served_share);
		jwrite_double(&j, "matched_share", tm.matched_share);
		jwrite_u64(&j, "migrations", r->counts.migrations);
		jwrite_u64(&j, "completed_ns", r->counts.completed_ns);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_double(&j, "speedup_mean", m.speedup_mean);
	jwrite_double(&j, "speedup_system", m.speedup_system);
	jwrite_double(&j, "served_share", m.served_share);
	jwrite_double(&j, "matched_share", m.matched_share);
	jwrite_double(&j, "running_share", m.running_share);
	jwrite_double(&j, "transition_share", m.transition_share);
	jwrite_double(&j, "migrations_per_s", m.migrations_per_s);
	jwrite_u64(&j, "simulated_ns", result->simulated_ns);
	jwrite_u64(&j, "thread_timesteps", m.executed);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}

static void csv_head(struct textbuf *out, const char *scope, const char *name, double speedup, double served,
		     double matched)
{
	csv_string(out, scope);
	csv_string(out, name);
	csv_double(out, speedup);
	csv_double(out, served);
	csv_double(out, matched);
}

/* What the rows of the whole have in common: totals, divided by `by`. */
static void csv_totals(struct textbuf *out, const struct run_metrics *m, uint64_t simulated_ns, double by)
{
	csv_double(out, (double)m->migrations / by);
	csv_double(out, (double)m->executed / by);
	csv_double(out, (double)m->transitions / by);
	csv_double(out, m->completed_ns / by);
	csv_u64(out, simulated_ns);
	csv_end_row(out);
}

bool run_report_csv(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	const char *all = is_synthetic(config) ? "all (synthetic)" : "all";
	struct run_metrics m;
	run_metrics_of(result, &m);
	textbuf_puts(out, "scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,"
			  "transition_timesteps,completed_ns,simulated_ns\n");
	for (uint32_t i = 0; i < result->nr_threads; i++) {
		const struct run_thread_result *r = &result->threads[i];
		struct thread_metrics tm;
		run_metrics_of_thread(r, &tm);
		csv_head(out, "thread", config->threads[i].name, tm.speedup, tm.served_share, tm.matched_share);
		csv_u64(out, r->counts.migrations);
		csv_u64(out, r->counts.executed);
		csv_u64(out, r->counts.transitions);
		csv_u64(out, r->counts.completed_ns);
		csv_u64(out, r->simulated_ns);
		csv_end_row(out);
	}
	csv_head(out, "mean", all, m.speedup_mean, m.served_mean, m.matched_mean);
	csv_totals(out, &m, result->simulated_ns, result->nr_threads);
	csv_head(out, "system", all, m.speedup_system, m.served_share, m.matched_share);
	csv_totals(out, &m, result->simulated_ns, 1);
	return !textbuf_failed(out);
}
