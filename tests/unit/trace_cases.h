/* Traces for tests: made from CSV text or built, written, opened from memory. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_TRACE_CASES_H
#define SAHM_TESTS_UNIT_TRACE_CASES_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "workloads/trace/trace_csv.h"
#include "workloads/trace/trace_internal.h"

#define COLUMNS "instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses"
#define HEAD COLUMNS "\n"
#define ROW "1000,200,20,3,300,30,33,4\n"

/* A message that must still stand there when nothing failed. */
static const struct sahm_err untouched = {.msg = "untouched"};

static inline enum sahm_status read_csv(const char *text, size_t len, const char *file,
					const struct csv_options *options, struct textbuf *notes, struct trace **trace,
					struct sahm_err *err)
{
	static const struct csv_options none;
	FILE *in = tmpfile();
	assert_non_null(in);
	assert_int_equal(fwrite(text, 1, len, in), len);
	rewind(in);
	enum sahm_status status = trace_csv_read(in, file, options ? options : &none, notes, trace, err);
	fclose(in);
	return status;
}

static inline struct trace *must_read_as(const char *name, const char *text, const char *file,
					 const struct csv_options *options, struct textbuf *notes)
{
	struct trace *trace = NULL;
	struct sahm_err err = untouched;
	if (read_csv(text, strlen(text), file, options, notes, &trace, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	assert_string_equal(err.msg, "untouched");
	return trace;
}

static inline struct trace *must_read(const char *text)
{
	return must_read_as("CSV", text, "t.csv", NULL, NULL);
}

/* The image of a trace, malloc'ed. */
static inline uint8_t *image_of(struct trace *trace, size_t *len)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, len);
	assert_non_null(out);
	trace_write_binary(trace, out, NULL);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(*len, trace_image_bytes(trace));
	return (uint8_t *)bytes;
}

static inline char *csv_of(struct trace *trace)
{
	char *text = NULL;
	size_t len;
	struct sahm_err err = untouched;
	FILE *out = open_memstream(&text, &len);
	assert_non_null(out);
	if (trace_write_csv(trace, out, &err) != SAHM_OK)
		fail_msg("cannot be written as CSV: %s", err.msg);
	assert_int_equal(fclose(out), 0);
	return text;
}

static inline enum sahm_status open_copy(const uint8_t *image, size_t len, struct trace **trace, struct sahm_err *err)
{
	uint8_t *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	memcpy(copy, image, len);
	return trace_open_image("t.trc", copy, len, trace, err);
}

static inline struct trace *must_open(const uint8_t *image, size_t len)
{
	struct trace *trace = NULL;
	struct sahm_err err = untouched;
	if (open_copy(image, len, &trace, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return trace;
}

/* Opens and verifies; whether either failed, as damage must. */
static inline bool is_refused(const uint8_t *image, size_t len, struct sahm_err *err)
{
	struct trace *trace = NULL;
	enum sahm_status status = open_copy(image, len, &trace, err);
	if (status == SAHM_OK)
		status = trace_verify(trace, err);
	trace_free(trace);
	assert_true(status == SAHM_OK || status == SAHM_FORMAT || status == SAHM_CHECKSUM);
	return status != SAHM_OK;
}

/* A trace with all that a trace can have, as it is written. */
#define FULL                                                                                                           \
	"# sahm trace 1\n"                                                                                             \
	"# name: prog\n# source: recorded\n# program: prog --all \"x, y\"\n# tool: counter 1.0\n# machine: m\n"        \
	"# date: 2020-01-01\n# epoch: a stretch\n# licence: none\n# note: caf\xc3\xa9: yes\n"                          \
	"# event.instructions: Ir\n# event.branches: Bc + Bi\n# event.cycles: cyc\n"                                   \
	"# epoch_ns: 2500000\n" COLUMNS ",cycles\n"                                                                    \
	"0,0,0,0,0,0,0,0,0\n"                                                                                          \
	"18446744073709551615,18446744073709551615,18446744073709551615,18446744073709551615,18446744073709551615,"    \
	"18446744073709551615,18446744073709551615,18446744073709551615,18446744073709551615\n"                        \
	"7,6,5,4,3,2,1,0,9\n"

/* The minimum that makes a trace distinct, whatever its file is called. */
#define NAMED "# sahm trace 1\n# name: t\n# epoch_ns: 1000000\n"

/* Counts of epoch e in a trace of several blocks, for columns of each width. */
static inline struct epoch_counts counts_at(uint64_t e)
{
	uint64_t mixed = (e + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return (struct epoch_counts){.count = {
					     [COUNTER_INSTRUCTIONS] = e == 7 ? UINT64_MAX : mixed >> 1, /* 8 bytes */
					     [COUNTER_BRANCHES] = (UINT64_C(1) << 33) + (mixed & 0xffffffff), /* 4 */
					     [COUNTER_BRANCH_MISSES] = mixed & 0xffff,			      /* 2 */
					     [COUNTER_L1I_MISSES] = mixed & 0xff,			      /* 1 */
					     [COUNTER_L1D_ACCESSES] = UINT64_MAX,			      /* 0 */
					     [COUNTER_L1D_MISSES] = e % 2 ? UINT64_MAX : 0,
					     [COUNTER_L2_ACCESSES] = UINT64_MAX - 1 + e % 2,
					     [COUNTER_L2_MISSES] = 0,
					     [COUNTER_CYCLES] = e,
				     }};
}

static inline struct trace *build(uint64_t nr, bool has_cycles)
{
	struct sahm_err err = untouched;
	struct trace *trace = NULL;
	struct trace_builder *builder = trace_builder_new(has_cycles);
	struct provenance provenance = {.text = {[PROVENANCE_NAME] = "t"}};
	assert_non_null(builder);
	for (uint64_t e = 0; e < nr; e++) {
		struct epoch_counts counts = counts_at(e);
		assert_int_equal(trace_builder_add(builder, &counts, &err), SAHM_OK);
	}
	if (trace_builder_finish(builder, "t.trc", 1000000, &provenance, &trace, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	trace_builder_free(builder);
	return trace;
}

/* Holds one epoch of a trace against what it should be. */
static inline void expect_epoch(const char *name, struct trace *trace, uint64_t epoch,
				const struct epoch_counts *expected)
{
	struct epoch_counts got;
	struct sahm_err err = untouched;
	if (trace_read(trace, epoch, 1, &got, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	for (int c = 0; c < NR_COUNTERS; c++)
		if (got.count[c] != expected->count[c])
			fail_msg("%s, epoch %" PRIu64 ": %s is %" PRIu64 ", not %" PRIu64, name, epoch,
				 counter_rows[c].name, got.count[c], expected->count[c]);
}

#endif
