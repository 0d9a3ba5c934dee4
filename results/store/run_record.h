/* Records: what is kept of one evaluated configuration, and nothing else.
 *
 * A record is made by an evaluator (results/studies/evaluate.h), travels as bytes from the process that carried a run
 * out to the one that keeps results, and becomes rows of a store (results/store/store.h). All but its timing is a pure
 * function of the configuration, the traces and the program: two records of one run have the same bytes up to the
 * timing. Shares and speedups are fractions (0.18 is 18 %); NAN stands for what there is nothing of.
 */
#ifndef SAHM_RESULTS_STORE_RUN_RECORD_H
#define SAHM_RESULTS_STORE_RUN_RECORD_H

#include "results/metrics/run_metrics.h"
#include "sim/base/arena.h"
#include "sim/base/stats.h"

struct record_thread {
	const char *name;
	double speedup, served_share, matched_share;
	uint64_t completed_ns, present_ns, migrations;
	double energy_j, instruction_nj; /* as in struct energy_metrics; the others follow */
};

/* Equal cores of a chip. */
struct record_core {
	const char *type;     /* as in configurations: "l2+branch" */
	const char *speedups; /* in %, joined by commas, in the order of type; "" for a baseline core */
	uint32_t count;
};

/* Not part of the result. */
struct record_timing {
	uint64_t started_unix_ms;
	uint64_t wall_ns, cpu_ns;
	uint32_t worker; /* number of the process, from 0 */
};

struct record {
	bool failed;
	const char *message;	  /* why, if failed; all below is empty then. Else remarks, a line each, or "" */
	bool synthetic, nominal;  /* some trace is: trace_words.h */
	struct record_core *chip; /* [nr_groups], in configuration order */
	uint32_t nr_groups, nr_cores;
	struct record_thread *threads; /* [nr_threads] */
	uint32_t nr_threads;
	double metrics[NR_RUN_METRICS];
	bool has_intervals; /* several samples: 95 % bootstrap intervals of the metrics */
	struct stats_interval intervals[NR_RUN_METRICS];
	struct record_timing timing;
};

/* What is kept of a run. Strings and arrays come from `a`. SAHM_NOMEM. */
enum sahm_status record_of_run(struct arena *a, const struct run_config *config, const struct run_result *result,
			       struct record *r, struct sahm_err *err);

/* Fills chip, threads' names and `synthetic` of a record whose metrics are all NAN: what every evaluator begins with.
 */
enum sahm_status record_of_config(struct arena *a, const struct run_config *config, struct record *r,
				  struct sahm_err *err);

/* The chip of `config` as records have it, into chip[nr_groups] from `a`. SAHM_NOMEM. */
enum sahm_status record_chip(struct arena *a, const struct run_config *config, struct record_core **chip,
			     uint32_t *nr_groups, struct sahm_err *err);

/* The record of a run that failed with `message`. SAHM_NOMEM. */
enum sahm_status record_of_failure(struct arena *a, const char *message, struct record *r, struct sahm_err *err);

/* Appends the record as bytes, timing last; the same on every machine. textbuf_failed() tells when memory was short. */
void record_encode(const struct record *r, struct textbuf *out);

/* Bytes of the timing at the end of an encoded record. */
#define RECORD_TIMING_BYTES 28u

/* How long the run took of which `len` bytes are an encoded record; 0 where they are too few. */
uint64_t record_wall_ns(const void *bytes, size_t len);

/* Reads an encoded record from `len` bytes, which may be anything; strings and arrays come from `a`. SAHM_FORMAT,
 * SAHM_NOMEM. */
enum sahm_status record_decode(struct arena *a, const void *bytes, size_t len, struct record *r, struct sahm_err *err);

#endif
