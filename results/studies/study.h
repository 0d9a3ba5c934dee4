/* Studies: which policies are compared on what, and what is claimed of them.
 *
 * A study is a libconfig file with the keys of study_key_list.h, read as strictly as a configuration. It names suites
 * (a configuration each, with the traces that it names or with such as are generated in memory from a profile and a
 * seed), policies (each a built-in one or a plug-in, as that of a configuration), costs of a move, and claims. Every
 * policy is run on every suite with every cost (compare.h).
 */
#ifndef SAHM_RESULTS_STUDIES_STUDY_H
#define SAHM_RESULTS_STUDIES_STUDY_H

#include "results/metrics/run_metrics.h"
#include "results/studies/study_key_list.h"
#include "sim/base/arena.h"
#include "sim/base/array.h"
#include "sim/base/cfg.h"

/* So that tables fit a page. */
#define MAX_STUDY_COSTS 16u
#define MAX_STUDY_SUITES 32u
#define MAX_STUDY_POLICIES 256u

enum study_key { STUDY_KEYS(ROW_SYMBOL) NR_STUDY_KEYS };

/* study_keys[k] describes key k. */
extern const struct cfg_key study_keys[NR_STUDY_KEYS];

/* Changes of a configuration, as run_config_load() takes them. */
struct study_settings {
	const char **text; /* [nr] */
	size_t nr;
};

struct study_policy {
	const char *name;
	const char *policy; /* a name, or the path of a plug-in */
	bool oracle, has_inertia;
	uint32_t inertia; /* if has_inertia */
	struct study_settings settings;
	const struct cfg_node *node; /* where it is written: for messages */
};

struct study_suite {
	const char *name;
	const char *config;  /* path */
	const char *profile; /* path; NULL: the traces of the configuration */
	bool has_seed;
	uint64_t seed; /* if has_seed, else the profile's */
	struct study_settings settings;
	const struct cfg_node *node;
};

/* To add a kind: here, its key in study_key_list.h, judge() in compare.c, its words in compare_report.c. */
enum claim_kind { CLAIM_ABOVE, CLAIM_LOSS, CLAIM_SHARE, CLAIM_BEST };

/* Policies and suites by their index. */
struct study_claim {
	enum claim_kind kind;
	uint32_t policy, suite;
	uint32_t other;		/* CLAIM_ABOVE: the policy below; CLAIM_SHARE: the reference */
	double bound;		/* CLAIM_LOSS, CLAIM_BEST: points; CLAIM_SHARE: % */
	enum run_metric metric; /* CLAIM_ABOVE: that is better */
	/* Where a paper claims this of such a policy, and by how much there: the text for the report. NULL: nobody
	 * does; NULL: its number could not be found. */
	const char *source, *published;
	bool required;
	const struct cfg_node *node; /* where it is written: for messages; NULL in tests */
};

/* No policy. */
#define STUDY_NONE UINT32_MAX

struct study {
	struct arena arena; /* of all below */
	const char *file;
	double *costs_ms; /* [nr_costs], ascending */
	uint32_t nr_costs;
	struct study_policy *policies;
	uint32_t nr_policies;
	struct study_suite *suites;
	uint32_t nr_suites;
	struct study_claim *claims;
	uint32_t nr_claims;
	uint32_t subject, reference; /* policies, or STUDY_NONE */
};

/* Reads the study at `path` ("-": standard input). Files that it names are looked for beside it, then in `data_folder`
 * (may be NULL). On success the caller releases `study`; on failure there is nothing to release. SAHM_IO, SAHM_CONFIG
 * with file and line, SAHM_NOMEM. */
enum sahm_status study_read(struct study *study, const char *path, const char *data_folder, struct sahm_err *err);

/* The same from text in memory; `file` stands in messages, and files are looked for beside it. */
enum sahm_status study_read_text(struct study *study, const char *file, const char *text, size_t len,
				 const char *data_folder, struct sahm_err *err);

/* Whether the file at `path` is a study, by its keys. False, too, where it cannot be read. SAHM_NOMEM. */
enum sahm_status study_find_out(const char *path, bool *is_one, struct sahm_err *err);

void study_release(struct study *study);

#endif
