#include "results/metrics/trace_words.h"

#include <stdlib.h>
#include <string.h>

/* Place of a text among four: neither, synthetic, of an assumed time base, both. */
static unsigned which(bool synthetic, bool nominal)
{
	return (unsigned)synthetic | (unsigned)nominal << 1;
}

void trace_counts_add(struct trace_counts *counts, const struct provenance *p)
{
	counts->nr++;
	counts->nr_synthetic += provenance_is_synthetic(p);
	counts->nr_nominal += provenance_is_nominal(p);
	counter_origins_add(&counts->origins, provenance_origins(p));
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
	static const char *const words[] = {"", ", synthetic", ", assumed time base", ", synthetic, assumed time base"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_in_brackets(bool synthetic, bool nominal)
{
	static const char *const words[] = {"", " (synthetic)", " (assumed time base)",
					    " (synthetic, assumed time base)"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_mean(bool synthetic, bool nominal)
{
	static const char *const words[] = {"mean", "mean (synthetic)", "mean (assumed time base)",
					    "mean (synthetic, assumed time base)"};
	return words[which(synthetic, nominal)];
}

const char *trace_words_traces(bool synthetic, bool nominal)
{
	static const char *const words[] = {"traces", "synthetic traces", "traces with an assumed time base",
					    "synthetic traces with an assumed time base"};
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
		textbuf_puts(out, ", assumed time base");
	else if (counts->nr_nominal > 0)
		textbuf_printf(out, ", %zu of them with an assumed time base", counts->nr_nominal);
}

void trace_words_write_numbers(const struct trace_counts *counts, struct textbuf *out)
{
	if (counts->nr_synthetic > 0)
		textbuf_printf(out, ", %zu synthetic", counts->nr_synthetic);
	if (counts->nr_nominal > 0)
		textbuf_printf(out, ", %zu with an assumed time base", counts->nr_nominal);
}

static unsigned count_bits(uint16_t set)
{
	return (unsigned)__builtin_popcount(set);
}

static void write_counters(uint16_t set, struct textbuf *out)
{
	const char *separator = ": ";
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		if (!(set >> c & 1))
			continue;
		textbuf_printf(out, "%s%s", separator, counter_rows[c].name);
		separator = ", ";
	}
}

void trace_words_origins(struct counter_origins o, struct textbuf *out)
{
	unsigned nr = 0;
	bool is_first = true;
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		nr += counter_rows[c].required || (counter_origins_any(o) >> c & 1);
	for (unsigned i = 0; i < NR_COUNTER_ORIGINS; i++) {
		if (!o.of[i])
			continue;
		textbuf_printf(out, "%s%u", is_first ? "" : "; ", count_bits(o.of[i]));
		if (is_first)
			textbuf_printf(out, " of %u counters", nr);
		textbuf_printf(out, " %s", counter_origin_name(i));
		write_counters(o.of[i], out);
		is_first = false;
	}
}

/* Of more, the number says it. */
#define MOST_NAMES 6u

static bool are_same(struct counter_origins a, struct counter_origins b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

/* The traces that have the same as the first one. */
static void write_names(const struct trace_origins *traces, size_t nr, struct textbuf *out)
{
	size_t same = 0;
	for (size_t i = 0; i < nr; i++) {
		if (!are_same(traces[i].origins, traces[0].origins))
			continue;
		if (++same <= MOST_NAMES)
			textbuf_printf(out, "%s%s", same == 1 ? " (" : ", ", traces[i].name);
	}
	if (same > MOST_NAMES)
		textbuf_printf(out, " and %zu other%s", same - MOST_NAMES, same == MOST_NAMES + 1 ? "" : "s");
	textbuf_putc(out, ')');
}

void trace_words_list_origins(const struct trace_origins *traces, size_t nr, const char *lead, struct textbuf *out)
{
	for (size_t i = 0; i < nr; i++) {
		struct counter_origins o = traces[i].origins;
		bool is_listed = !counter_origins_any(o);
		for (size_t k = 0; k < i && !is_listed; k++)
			is_listed = are_same(traces[k].origins, o);
		if (is_listed)
			continue;
		textbuf_puts(out, lead);
		trace_words_origins(o, out);
		if (nr > 1)
			write_names(traces + i, nr - i, out);
		textbuf_putc(out, '\n');
	}
}

void trace_words_config_origins(const struct run_config *config, const char *lead, struct textbuf *out)
{
	struct trace_origins *traces = calloc(config->nr_traces, sizeof(*traces));
	out->failed |= !traces;
	for (uint32_t i = 0; traces && i < config->nr_traces; i++)
		traces[i] = (struct trace_origins){
			.name = trace_name(config->traces[i].trace),
			.origins = provenance_origins(trace_provenance(config->traces[i].trace)),
		};
	if (traces)
		trace_words_list_origins(traces, config->nr_traces, lead, out);
	free(traces);
}
