/* Words for the traces of a report, the same everywhere: "synthetic" where any was
 * generated (provenance_is_synthetic()), "an assumed time base" where the epochs of any are no stretches of measured
 * time (provenance_is_nominal()). Of all others they say nothing. Texts are in constant storage.
 */
#ifndef SAHM_RESULTS_METRICS_TRACE_WORDS_H
#define SAHM_RESULTS_METRICS_TRACE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/textbuf.h"
#include "sim/engine/config/run_config.h"

/* How many of `nr` traces are so. */
struct trace_counts {
	size_t nr, nr_synthetic, nr_nominal;
	struct counter_origins origins; /* of any of them */
};

/* Counts one more trace. */
void trace_counts_add(struct trace_counts *counts, const struct provenance *p);

/* Counts the traces of a configuration. */
struct trace_counts trace_counts_of(const struct run_config *config);

/* "", ", synthetic", ", an assumed time base" or ", synthetic, an assumed time base". */
const char *trace_words(bool synthetic, bool nominal);

/* "", " (synthetic)", " (an assumed time base)" or " (synthetic, an assumed time base)". */
const char *trace_words_in_brackets(bool synthetic, bool nominal);

/* Name of a mean over traces: "mean", "mean (synthetic)" ... */
const char *trace_words_mean(bool synthetic, bool nominal);

/* Traces with which claims are compared: "traces", "synthetic traces", "traces of an assumed time base" ... */
const char *trace_words_traces(bool synthetic, bool nominal);

/* What columns of data begin with: "", "synthetic_", "nominal_time_" or "synthetic_nominal_time_". */
const char *trace_words_prefix(bool synthetic, bool nominal);

/* Appends ", synthetic" when all traces are, ", 2 of them synthetic" when some are, and the same of an assumed time
 * base: for text that has counted the traces. */
void trace_words_write(const struct trace_counts *counts, struct textbuf *out);

/* Appends ", 2 synthetic" and ", 2 of an assumed time base", for headings, each where there are any. */
void trace_words_write_numbers(const struct trace_counts *counts, struct textbuf *out);

/* A trace, and which of its counters are assumed or modelled. */
struct trace_origins {
	const char *name;
	struct counter_origins origins;
};

/* Appends "3 of 8 counters assumed: l1i_misses, l2_accesses, l2_misses; 1 modelled: branch_misses"; nothing where none
 * is. */
void trace_words_origins(struct counter_origins o, struct textbuf *out);

/* Appends a line of these words for each set of counters that traces have in common, with `lead` in front and, of
 * several traces, their names after it. */
void trace_words_list_origins(const struct trace_origins *traces, size_t nr, const char *lead, struct textbuf *out);

/* The same for the traces of a configuration. */
void trace_words_config_origins(const struct run_config *config, const char *lead, struct textbuf *out);

#endif
