#include "results/run_report.h"

#include <inttypes.h>

#include "results/run_report_internal.h"
#include "sim/base/units.h"

bool run_report_arrived(const struct run_thread_result *r, uint64_t *ns)
{
	*ns = r->arrived_ns;
	return r->counts.present_ns > 0;
}

bool run_report_left(const struct run_thread_result *r, uint64_t *ns)
{
	*ns = r->nr_left ? r->left_ns / r->nr_left : 0;
	return r->nr_left > 0;
}

void run_report_count_left(const struct run_config *config, const struct run_result *result, uint32_t *nr_once,
			   uint32_t *nr_left)
{
	*nr_once = *nr_left = 0;
	for (uint32_t t = 0; t < result->nr_threads; t++) {
		*nr_once += config->threads[t].once;
		*nr_left += config->threads[t].once && result->threads[t].counts.left;
	}
}

const char *run_report_core_tenant(const struct run_config *config, uint32_t core)
{
	for (uint32_t g = 0, first = 0; g < config->nr_groups; first += config->groups[g++].count)
		if (core - first < config->groups[g].count)
			return config->groups[g].tenant;
	return NULL;
}

bool run_report_any_slept(const struct run_result *result)
{
	bool slept = false;
	for (uint32_t t = 0; t < result->nr_threads; t++)
		slept |= result->threads[t].counts.slept_ns > 0;
	return slept;
}

bool run_report_ignored(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	if (result->nr_ignored)
		textbuf_printf(out,
			       "policy '%s' inserted threads that it did not have %" PRIu64
			       " time%s; these inserts were ignored",
			       config->policy->name, result->nr_ignored, result->nr_ignored == 1 ? "" : "s");
	return result->nr_ignored > 0;
}

/* A thread that waits at the end is told of only after so many default slices of all threads, and so many timesteps. */
#define PATIENCE_SLICES 2
#define PATIENCE_TIMESTEPS 10

bool run_report_waiting(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	const struct sim_waiting *w = &result->waiting;
	uint64_t run_ns = result->simulated_ns / result->nr_simulations;
	if (w->ns < (w->is_kept ? run_ns / 4 : run_ns / 2) ||
	    w->ns <= PATIENCE_SLICES * SCX_SLICE_DFL * result->nr_threads ||
	    w->ns <= PATIENCE_TIMESTEPS * result->timestep_ns)
		return false;
	textbuf_printf(out, "policy '%s' has let thread %u (%s) wait for the last %.3f s of the run%s",
		       config->policy->name, w->thread, config->threads[w->thread].name,
		       (double)w->ns / (double)NS_PER_S, w->is_kept ? ", and put it in no queue" : "");
	return true;
}

bool run_report_given_up(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	uint32_t nr_once, nr_left;
	if (!result->nr_given_up)
		return false;
	run_report_count_left(config, result, &nr_once, &nr_left);
	if (result->nr_simulations == 1)
		textbuf_printf(out, "after %.2f s", (double)result->simulated_ns / (double)NS_PER_S);
	else
		textbuf_printf(out, "%" PRIu64 " of %" PRIu64 " simulations", result->nr_given_up,
			       result->nr_simulations);
	textbuf_printf(out, ": %u of %u thread%s had not finished", nr_once - nr_left, nr_once,
		       nr_once == 1 ? "" : "s");
	return true;
}

/* False when memory was short; release it otherwise. */
static bool report_init(struct run_report *report, const struct run_config *config, const struct run_result *result)
{
	uint8_t hash[HASH_BYTES];
	*report = (struct run_report){.config = config, .result = result, .traces = trace_counts_of(config)};
	run_config_hash(config, hash);
	hash_hex(hash, report->hash);
	if (run_metrics_of(result, &report->metrics, NULL) != SAHM_OK ||
	    run_samples_of(result, config->seed, &report->samples, NULL) != SAHM_OK)
		return false;
	run_samples_put_means(&report->samples, &report->metrics);
	return true;
}

static void report_release(struct run_report *report)
{
	run_samples_release(&report->samples);
}

bool run_report_text(const struct run_config *config, const struct run_result *result,
		     const struct run_report_look *look, struct textbuf *out)
{
	struct run_report report;
	if (!report_init(&report, config, result))
		return false;
	run_report_write_text(&report, look, out);
	report_release(&report);
	return !textbuf_failed(out);
}

bool run_report_json(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	struct run_report report;
	if (!report_init(&report, config, result))
		return false;
	run_report_write_json(&report, out);
	report_release(&report);
	return !textbuf_failed(out);
}

bool run_report_csv(const struct run_config *config, const struct run_result *result, bool details, struct textbuf *out)
{
	struct run_report report;
	if (!report_init(&report, config, result))
		return false;
	run_report_write_csv(&report, details, out);
	report_release(&report);
	return !textbuf_failed(out);
}
