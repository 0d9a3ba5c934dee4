/* Properties of every imported file, in whatever format and with whatever options. */
#ifndef SAHM_TESTS_FUZZ_USE_IMPORT_H
#define SAHM_TESTS_FUZZ_USE_IMPORT_H

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "tests/fuzz/use_trace.h"
#include "workloads/import/import.h"

#define INPUT_NAME "in/put.txt"

/* What an import came to. */
struct imported {
	enum sahm_status status;
	struct trace **traces;
	size_t nr;
	struct textbuf notes;
	struct sahm_err err;
};

/* Assumes 0 for all counters but instructions, so that few events are enough to make an epoch. */
static inline struct import_map *lenient_map(void)
{
	struct import_map *map = import_map_new();
	MUST(map);
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		char text[64];
		snprintf(text, sizeof(text), "%s=0", counter_rows[c].name);
		if (c != COUNTER_INSTRUCTIONS && c != COUNTER_CYCLES)
			MUST(import_map_assume(map, text, NULL) == SAHM_OK);
	}
	return map;
}

static inline struct import_map *made_map(const char *const *rows)
{
	struct import_map *map = lenient_map();
	for (; *rows; rows++)
		MUST(import_map_add(map, *rows, NULL) == SAHM_OK);
	return map;
}

static inline void free_imported(struct imported *i)
{
	for (size_t t = 0; t < i->nr; t++)
		trace_free(i->traces[t]);
	free(i->traces);
	textbuf_release(&i->notes);
}

/* Every note is a line that begins with a file, or a word of more than one. */
static inline void use_notes(const struct textbuf *notes, const char *place)
{
	const char *line = notes->text;
	while (*line) {
		const char *eol = strchr(line, '\n');
		MUST(eol && strncmp(line, place, strlen(place)) == 0);
		line = eol + 1;
	}
}

static inline void check_imported(const struct imported *i, const char *place)
{
	if (i->status != SAHM_OK) {
		MUST(i->status == SAHM_FORMAT || i->status == SAHM_USAGE || i->status == SAHM_RANGE);
		must_explain(&i->err, i->status, i->status == SAHM_USAGE ? "" : place);
		MUST(!i->traces && i->nr == 0);
		return;
	}
	MUST(i->traces && i->nr >= 1);
	use_notes(&i->notes, place);
	for (size_t t = 0; t < i->nr; t++)
		MUST(i->traces[t] && trace_verify(i->traces[t], NULL) == SAHM_OK);
}

static inline struct imported import_bytes(const uint8_t *data, size_t size, const struct import_options *options)
{
	struct imported i = {0};
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	MUST(in);
	textbuf_init(&i.notes);
	i.status = trace_import_stream(in, INPUT_NAME, options, &i.notes, &i.traces, &i.nr, &i.err);
	fclose(in);
	check_imported(&i, INPUT_NAME);
	return i;
}

static inline void must_agree(const struct imported *a, const struct imported *b)
{
	MUST(a->status == b->status && a->nr == b->nr);
	MUST(a->status == SAHM_OK || strcmp(a->err.msg, b->err.msg) == 0);
	MUST(a->status != SAHM_OK || strcmp(a->notes.text, b->notes.text) == 0);
	for (size_t t = 0; t < a->nr; t++)
		must_be_same(a->traces[t], b->traces[t]);
}

/* Whether a comma and exactly three digits stand there: thousands. */
static inline bool is_thousands(const uint8_t *at, const uint8_t *end)
{
	size_t n = 1;
	while (at + n < end && n < 5 && is_digit((char)at[n]))
		n++;
	return *at == ',' && n == 4;
}

/* Sums all runs of digits: where counts are written plainly, no counter can come to more. False when they are not:
 * exponents, quotes, escapes. */
static inline bool sum_digits(const uint8_t *data, size_t size, double *sum)
{
	*sum = 0;
	for (size_t at = 0; at < size; at++) {
		double run = 0;
		if (data[at] == '\\' || data[at] == '"')
			return false;
		if (!is_digit((char)data[at]))
			continue;
		for (; at < size && (is_digit((char)data[at]) || is_thousands(data + at, data + size)); at++)
			run = data[at] == ',' ? run : run * 10 + (data[at] - '0');
		if (at < size && (data[at] == 'e' || data[at] == 'E'))
			return false;
		*sum += run;
	}
	return true;
}

/* Whether a time may stand there that is so large that it is cut to very many epochs. */
static inline bool has_long_time(const uint8_t *data, size_t size)
{
	unsigned run = 0;
	for (size_t at = 0; at < size; at++) {
		if (run > 0 && (data[at] == 'e' || data[at] == 'E'))
			return true;
		if (run > 5 && (data[at] == '.' || data[at] == ' ' || data[at] == ','))
			return true;
		run = is_digit((char)data[at]) ? run + 1 : 0;
	}
	return false;
}

static inline void use_totals(struct trace *t, double most)
{
	struct epoch_counts counts[64];
	double sum[NR_COUNTERS] = {0};
	uint64_t nr = trace_nr_epochs(t);
	if (nr > MOST_EPOCHS)
		return;
	for (uint64_t at = 0; at < nr; at += 64) {
		uint64_t n = nr - at < 64 ? nr - at : 64;
		MUST(trace_read(t, at, n, counts, NULL) == SAHM_OK);
		for (uint64_t e = 0; e < n; e++)
			for (unsigned c = 0; c < NR_COUNTERS; c++)
				sum[c] += (double)counts[e].count[c];
	}
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const char *event = trace_provenance(t)->event[c];
		/* Products and quotients have no such bound. */
		if (!event || (!strstr(event, " * ") && !strstr(event, " / ")))
			MUST(sum[c] <= most * (1 + 1e-9));
	}
}

/* Imports an input in all these ways; one of them, by the input's size, is done twice and gone through closely. */
static inline void use_import(const uint8_t *data, size_t size, const struct import_format *format)
{
	static const char *const tasks[] = {"instructions=page-faults + zero(context-switches)",
					    "cycles=999999999.999999999 * zero(page-faults)", NULL};
	static const char *const table[] = {"instructions=2 * (a - b) + 0.001 * zero(c)", "cycles=delta(d)", "time_s=t",
					    NULL};
	static const char *const lasting[] = {"duration_ms=l", "cycles=zero(cycles)", NULL};
	struct import_map *lenient = lenient_map(), *faults = made_map(tasks), *columns = made_map(table),
			  *long_rows = made_map(lasting);
	const struct import_options ways[] = {
		{0},
		{.map = lenient},
		{.map = faults, .keep_idle = true},
		{.map = columns, .epoch_ns = 12345678},
		{.map = lenient, .groups = IMPORT_EACH},
		{.map = lenient, .groups = IMPORT_ONLY, .only = "CPU0"},
		{.map = lenient, .cumulative = true},
		{.map = columns, .groups = IMPORT_EACH, .group_column = "g", .keep_idle = true},
		{.map = lenient, .recording = 2},
		{.pmu = "cpu_core", .no_cycles = true, .keep_idle = true},
		{.map = lenient, .separator = ";"},
		{.map = long_rows, .epoch_ns = UINT64_C(1000000000), .by_time = true},
		{.map = lenient, .epoch_ns = UINT64_C(10000000000), .by_time = true, .groups = IMPORT_EACH},
		{.map = faults, .rotate = true, .groups = IMPORT_EACH},
		{.rotate = true, .cumulative = true},
	};
	size_t nr_ways = ARRAY_SIZE(ways);
	double most;
	const struct import_format *guessed = format;
	bool is_plain = sum_digits(data, size, &most);
	for (size_t w = 0; size > 0 && w < nr_ways; w++) {
		struct import_options options = ways[w];
		options.format = format;
		/* Sniper's times are at the ends of lines, too. */
		if (options.by_time && (has_long_time(data, size) || format == import_format_named("sniper", NULL)))
			continue;
		options.guessed = &guessed;
		struct imported i = import_bytes(data, size, &options);
		/* People group digits, PCM writes millions. */
		bool is_bounded = guessed != import_format_named("perf-text", NULL) &&
				  guessed != import_format_named("pcm", NULL);
		if (i.nr && w < 2 && is_plain && is_bounded)
			use_totals(i.traces[0], most);
		if (w == size % nr_ways) {
			struct imported again = import_bytes(data, size, &options);
			must_agree(&i, &again);
			free_imported(&again);
			for (size_t t = 0; t < i.nr && t < 4; t++)
				use_trace(i.traces[t]);
		}
		free_imported(&i);
	}
	import_map_free(lenient);
	import_map_free(faults);
	import_map_free(columns);
	import_map_free(long_rows);
}

/* A target: the format by its name, NULL for what it looks like. */
static inline int fuzz_import(const uint8_t *data, size_t size, const char *format)
{
	use_import(data, size, format ? import_format_named(format, NULL) : NULL);
	return 0;
}

#endif
