#include "results/metrics/trace_words.h"

/* Place of a text among four: neither, synthetic, of nominal time, both. */
static unsigned which(bool synthetic, bool nominal)
{
	return (unsigned)synthetic | (unsigned)nominal << 1;
}

void trace_counts_add(struct trace_counts *counts, const struct provenance *p)
{
	counts->nr++;
	counts->nr_synthetic += provenance_is_synthetic(p);
	counts->nr_nominal += provenance_is_nominal(p);
}

struct trace_counts trace_counts_of(const struct run_config *config)
{
	struct trace_counts counts = {0};
	for (uint32_t i = 0; i < config->nr_traces; i++)
		trace_counts_add(&counts, trace_provenance(config->traces[i].trace));
	return counts;
}

const char *trace_words(bool synthetic, bool nominal)
{
	static const char *const words[] = {"", ", synthetic", ", nominal time", ", synthetic, nominal time"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_in_brackets(bool synthetic, bool nominal)
{
	static const char *const words[] = {"", " (synthetic)", " (nominal time)", " (synthetic, nominal time)"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_mean(bool synthetic, bool nominal)
{
	static const char *const words[] = {"mean", "mean (synthetic)", "mean (nominal time)",
					    "mean (synthetic, nominal time)"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_traces(bool synthetic, bool nominal)
{
	static const char *const words[] = {"traces", "synthetic traces", "traces of nominal time",
					    "synthetic traces of nominal time"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_prefix(bool synthetic, bool nominal)
{
	static const char *const words[] = {"", "synthetic_", "nominal_time_", "synthetic_nominal_time_"};
	return words[which(synthetic, nominal)];
}

void trace_words_write(const struct trace_counts *counts, struct textbuf *out)
{
	if (counts->nr_synthetic > 0 && counts->nr_synthetic == counts->nr)
		textbuf_puts(out, ", synthetic");
	else if (counts->nr_synthetic > 0)
		textbuf_printf(out, ", %zu of them synthetic", counts->nr_synthetic);
	if (counts->nr_nominal > 0 && counts->nr_nominal == counts->nr)
		textbuf_puts(out, ", nominal time");
	else if (counts->nr_nominal > 0)
		textbuf_printf(out, ", %zu of them of nominal time", counts->nr_nominal);
}

void trace_words_write_numbers(const struct trace_counts *counts, struct textbuf *out)
{
	if (counts->nr_synthetic > 0)
		textbuf_printf(out, ", %zu synthetic", counts->nr_synthetic);
	if (counts->nr_nominal > 0)
		textbuf_printf(out, ", %zu of nominal time", counts->nr_nominal);
}
