/* What cores did with streams, as text, CSV and JSON. */
#ifndef SAHM_RESULTS_CORES_CORE_REPORT_H
#define SAHM_RESULTS_CORES_CORE_REPORT_H

#include "results/metrics/json.h"
#include "workloads/stream/core_run.h"

#define CORE_SCHEMA "sahm-core/1"

struct core_epoch {
	uint64_t number;
	struct core_counts counts;
};

/* A value of a core that differs between results. */
struct core_setting {
	const char *key, *text;
	enum { SETTING_TEXT, SETTING_NUMBER, SETTING_TRUTH } kind;
	int64_t number; /* or truth, 0 or 1 */
};

/* A core and a stream. */
struct core_result {
	const char *stream, *core;	 /* as they were given */
	uint64_t nr_sampled;		 /* epochs of a stream that is a sample of its program; 0: it is all of it */
	struct stream_sampling sampling; /* what was taken of the stream */
	bool has_measured_clock; /* of prefetchers that need one: core_run_measured(); else the model's nominal one */
	const struct core_model *model;
	const char *config_hash;
	const struct core_setting *settings; /* [nr_settings]: the same keys in all results that are printed together */
	unsigned nr_settings;
	struct core_counts counts;
	struct core_epoch *epochs; /* [nr_epochs], or NULL */
	uint64_t nr_epochs;
};

/* Appends an epoch to a result, for an observer of core_run(). Its epochs are the caller's to free. SAHM_NOMEM. */
enum sahm_status core_result_add_epoch(struct core_result *r, uint64_t epoch, const struct core_counts *counts,
				       struct sahm_err *err);

/* Appends tables. False when memory was short. */
bool core_report_text(const struct core_result *results, size_t nr, bool bold, struct textbuf *out);

/* Appends a heading and a row per result, or per epoch where results have them. */
void core_report_csv(const struct core_result *results, size_t nr, struct textbuf *out);

/* Appends one object. */
void core_report_json(const struct core_result *results, size_t nr, struct textbuf *out);

/* Which part of a program the counts are of, for other reports as well; nothing where it is the whole. The sampling
 * asked for, a stream that is a sample (*before: "\n" at first), the cell sampled_epochs of one, and both as
 * members of an object. */
void core_report_sampling(const struct stream_sampling *p, struct textbuf *out);
void core_report_sample(const char *stream, uint64_t nr_sampled, const char **before, struct textbuf *out);
void core_report_csv_sample(uint64_t nr_sampled, struct textbuf *out);
void core_report_json_sampling(struct jwriter *j, uint64_t nr_sampled, const struct stream_sampling *p);

/* How many of the first `len` characters of `stream` are folders that `other` is in as well: names of streams are
 * shortened by those that all of them share. SIZE_MAX: any number. */
size_t core_report_shared_folders(const char *stream, const char *other, size_t len);

/* "golden-cove", "golden-cove rob=64": the core with its values on axes. */
void core_result_name(const struct core_result *r, struct textbuf *out);

/* The values on axes, for other reports as well: a cell "rob=64 mshrs=8", and a member, which is left out where there
 * are none. */
void core_report_csv_settings(const struct core_result *r, struct textbuf *out);
void core_report_json_settings(struct jwriter *j, const struct core_result *r);

#endif
