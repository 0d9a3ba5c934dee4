/* Traces: one program's epochs.
 *
 * A trace is a sequence of epochs of equal length (ns of baseline time), each with the counters of
 * cores/chip/counter_list.h, and says where it comes from (workloads/trace/provenance.h). It exists as a CSV file for
 * people and other programs and as a binary file, either of them compressed by zstd or not; workloads/FORMAT.md
 * describes both. In memory a trace is always the binary image, read or built, whatever becomes of the file. A trace
 * does not change once it is open, except that it remembers which blocks have been found intact:
 * every byte of a binary trace is checked against a digest before it is used (test_trace_binary.c).
 */
#ifndef SAHM_WORKLOADS_TRACE_TRACE_H
#define SAHM_WORKLOADS_TRACE_TRACE_H

#include <stdio.h>

#include "cores/chip/cuts.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"
#include "workloads/trace/provenance.h"

/* Epoch length taken where a source states none: the study's. */
#define DEFAULT_EPOCH_MS 100.0

/* Bounds of a trace: its epochs, and the baseline time that they last together. */
#define MAX_TRACE_EPOCHS (UINT64_C(1) << 32)
#define MAX_TRACE_NS ((uint64_t)INT64_MAX)

struct trace;

/* Opens the trace file at `path` ("-": standard input), binary or CSV, compressed or not by its first bytes. SAHM_IO,
 * SAHM_FORMAT, SAHM_CHECKSUM, SAHM_NOMEM. The caller releases it with trace_free(). Epochs are checked when they are
 * first read (binary) or now (CSV). Assumptions are appended to `notes` (may be NULL), a line each. */
enum sahm_status trace_open(const char *path, struct textbuf *notes, struct trace **trace, struct sahm_err *err);

/* The same from an open stream, which stays the caller's and is read up to its end. `file` stands in messages. */
enum sahm_status trace_open_stream(FILE *in, const char *file, struct textbuf *notes, struct trace **trace,
				   struct sahm_err *err);

/* Whether the regular file at `path` begins as a trace in our own form does, CSV or binary, compressed or not: for
 * messages, where one stands in the wrong place. */
bool trace_is_one(const char *path);

/* The same where more than a message follows from it. SAHM_IO: a file that is there cannot be read; SAHM_NOMEM. */
enum sahm_status trace_find_out(const char *path, bool *is_one, struct sahm_err *err);

/* Opens a binary image of `len` bytes in memory. The image is malloc'ed and becomes the trace's, also on failure.
 * `file` stands in messages. */
enum sahm_status trace_open_image(const char *file, uint8_t *image, size_t len, struct trace **trace,
				  struct sahm_err *err);

/* NULL is fine. */
void trace_free(struct trace *trace);

/* Name for results: the provenance's. A synthetic trace's name says so: "-synthetic" is appended where it does not. */
const char *trace_name(const struct trace *trace);
const char *trace_file(const struct trace *trace); /* the name it was opened by */
const struct provenance *trace_provenance(const struct trace *trace);
uint64_t trace_nr_epochs(const struct trace *trace); /* 1 to MAX_TRACE_EPOCHS */
uint64_t trace_epoch_ns(const struct trace *trace);  /* MIN_EPOCH_NS to MAX_EPOCH_NS */
bool trace_has_cycles(const struct trace *trace);
size_t trace_image_bytes(const struct trace *trace);

/* Hash of all that can change a figure: counters, epoch length, synthetic or not, nominal time or not; the same for a
 * CSV trace and its binary form. Paths, names and the rest of the provenance have no part in it. HASH_BYTES, the
 * trace's. */
const uint8_t *trace_hash(const struct trace *trace);

/* Reads epochs first to first + nr - 1 (all of them in the trace) into out[nr]. SAHM_CHECKSUM or SAHM_FORMAT when a
 * block is damaged. */
enum sahm_status trace_read(struct trace *trace, uint64_t first, uint64_t nr, struct epoch_counts *out,
			    struct sahm_err *err);

/* Classifies every epoch: out[trace_nr_epochs()]. Fails as trace_read() does. */
enum sahm_status trace_states(struct trace *trace, const struct cuts *cuts, uint8_t *out, struct sahm_err *err);

/* Verifies every block. */
enum sahm_status trace_verify(struct trace *trace, struct sahm_err *err);

/* Verifies every block, and writes the binary form; the bytes depend only on the trace. Completing the stream is the
 * caller's. */
enum sahm_status trace_write_binary(struct trace *trace, FILE *out, struct sahm_err *err);

/* Writes the CSV form. Fails as trace_read() does. */
enum sahm_status trace_write_csv(struct trace *trace, FILE *out, struct sahm_err *err);

/* Traces in the making. Epochs are added one by one and encoded block by block. */
struct trace_builder;

/* NULL when memory is short. */
struct trace_builder *trace_builder_new(bool has_cycles);
void trace_builder_free(struct trace_builder *b);

/* Adds an epoch: SAHM_NOMEM, or SAHM_RANGE beyond MAX_TRACE_EPOCHS. Its counters may not contradict each other. */
enum sahm_status trace_builder_add(struct trace_builder *b, const struct epoch_counts *e, struct sahm_err *err);

/* Makes the trace and empties the builder, which is still to be freed. SAHM_FORMAT without any epoch, or beyond
 * MAX_TRACE_NS. The provenance
 * must hold a name. */
enum sahm_status trace_builder_finish(struct trace_builder *b, const char *file, uint64_t epoch_ns,
				      const struct provenance *provenance, struct trace **trace, struct sahm_err *err);

#endif
