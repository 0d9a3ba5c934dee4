#include "results/report/run_report.h"

#include "results/report/run_report_internal.h"

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
