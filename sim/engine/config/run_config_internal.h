/* Between the files of a run's configuration: run_config.c calls the others, and all use run_config_common.c.
 *
 * All functions that return a status fill r->err, with the place in the configuration in front.
 */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_CONFIG_INTERNAL_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_CONFIG_INTERNAL_H

#include "ipu/unit/pro.h"
#include "sim/base/array.h"
#include "sim/base/strtable.h"
#include "sim/engine/config/run_config.h"
#include "sim/engine/config/shipped.h"

struct reading {
	struct run_config *config;
	const struct cfg_node *root;
	const char *data_folder;
	struct strtable traces;	      /* path: index in config->traces + 1 */
	const uint32_t *indices;      /* in config->traces, of the workload's list of traces */
	struct trace_ahead *ahead;    /* as config->traces */
	uint32_t nr_ahead, nr_listed; /* of them, and of `indices`, that are known */
	struct strtable names;	      /* name of a thread before its "#<n>": how many are called so */
	struct strtable tenants;      /* tenant: index in config->tenants + 1 */
	struct strtable owners;	      /* tenant: index of its cores in `owned` */
	struct strtable allowed;      /* tenant and affinity: index of their cores in `sets` + 1 */
	uint64_t **owned;	      /* sets of cores by tenant; [0]: of threads without one */
	const uint64_t **sets;	      /* sets of cores as threads have them; NULL stands for all */
	uint32_t nr_owned, nr_sets;
	struct strtable lists; /* path: index in burst_lists + 1 */
	struct run_bursts *burst_lists;
	uint32_t nr_burst_lists;
	struct rtapp *rtapp; /* NULL: none */
	struct sahm_err *err;
};

/* Reading: run_config_common.c */

/* Value of a number in `group` (may be NULL), or its default. */
enum sahm_status reading_number(struct reading *r, const struct cfg_node *group, enum config_key key, double *value);
/* The same for a time that is written in ms. */
enum sahm_status reading_ns(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *ns);
/* The same for whole numbers. */
enum sahm_status reading_count(struct reading *r, const struct cfg_node *group, enum config_key key, uint32_t *count);
enum sahm_status reading_u64(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *value);

/* Fails for a key that `group` lacks (NULL: the file as a whole does). */
enum sahm_status reading_fail_missing(struct reading *r, const struct cfg_node *group, enum config_key key);

/* Fails for `word`, the value of `key`, which is none of `names` (NULL at the end). */
enum sahm_status reading_fail_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				     const char *word, const char *const *names);

/* Index in `names` of the value of a string key. */
enum sahm_status reading_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				const char *const *names, size_t *index);

/* Writing: the last name of a key's path, and lines "name = value;". */
const char *config_key_leaf(enum config_key key);
void config_write_number(struct textbuf *b, const char *indent, enum config_key key, double value);
void config_write_u64(struct textbuf *b, const char *indent, enum config_key key, uint64_t value);
void config_write_string(struct textbuf *b, const char *indent, enum config_key key, const char *value);
/* Nothing where `value` is NULL. */
void config_write_given(struct textbuf *b, enum config_key key, const char *value);

/* Files: run_config_files.c */

/* Finds the trace file called `name`, the value of `node`: beside the file that names it, then in the data folder.
 * `path` is absolute, from the arena. */
enum sahm_status reading_find_trace(struct reading *r, const struct cfg_node *node, const char *name,
				    const char **path);
/* The same for a list of bursts or a workload of rt-app, for messages a `what`. */
enum sahm_status reading_find_data(struct reading *r, const struct cfg_node *node, const char *what, const char *name,
				   const char **path);

/* The same for a file of another kind, which may also be named as it is in its folder. `node` stands for where the name
 * is, a group: nowhere, it is a default. */
enum sahm_status reading_find_shipped(struct reading *r, const struct cfg_node *node, const struct shipped *shipped,
				      const char *name, const char **path);

/* The same for what does not come with the program, for messages a `what`: only beside the file that names it. */
enum sahm_status reading_find_beside(struct reading *r, const struct cfg_node *node, const char *what, const char *name,
				     const char **path);

/* What moves cost, after the chip: run_config_migration.c */

enum sahm_status reading_migration(struct reading *r);
void config_write_migration(const struct run_config *config, struct textbuf *b);
/* Of all but the cost itself: nothing where moves cost the same and nothing has to warm up. */
void config_hash_migration(const struct run_config *config, struct hash *h);

/* Levels and sharing: run_config_levels.c */

/* Levels of a group of cores, whose type is known: those of `type`, the group or an entry of core_types; `node`, the
 * group, may fix one. */
enum sahm_status reading_core_levels(struct reading *r, const struct cfg_node *type, const struct cfg_node *node,
				     struct core_group *group);
/* The rest, after the chip. */
enum sahm_status reading_levels(struct reading *r);
void config_write_core_levels(const struct core_group *group, struct textbuf *b);
void config_write_sharing(const struct run_config *config, struct textbuf *b);
void config_write_governor(const struct run_config *config, struct textbuf *b);
/* Nothing without levels and sharing. */
void config_hash_levels(const struct run_config *config, struct hash *h);

/* Settings of the policy, after it: run_config_scx.c */

enum sahm_status reading_scx_settings(struct reading *r, const struct cfg_node *scheduler);
/* Nothing without any. */
void config_write_scx_settings(const struct run_config *config, struct textbuf *b);
void config_hash_scx_settings(const struct run_config *config, struct hash *h);

/* Energy, after the chip: run_config_costs.c */

enum sahm_status reading_costs(struct reading *r);
/* Nothing without a table and where moves take no energy. */
void config_hash_costs(const struct run_config *config, struct hash *h);

/* Tenants, and where threads may run: run_config_tenants.c */

/* Value of a tenant's key in `group`, NULL where there is none. */
enum sahm_status reading_tenant(struct reading *r, const struct cfg_node *group, enum config_key key,
				const char **tenant);

/* Reads tenants and their weights, and finds which cores are theirs, after the chip. */
enum sahm_status reading_tenants(struct reading *r);
/* The number of the tenant that the string `node` names, as in struct sim_thread; fails where it has no cores. */
enum sahm_status reading_find_tenant(struct reading *r, const struct cfg_node *node, uint32_t *number);

/* Tenant, affinity and cores of the thread that the trace at `node` describes. */
enum sahm_status reading_allowed(struct reading *r, const struct cfg_node *node, struct run_thread *th);
/* The cores of `tenant` (NULL: of threads without one) in the list `affinity` (NULL: all), as threads have them; `node`
 * is what to blame if there are none. */
enum sahm_status reading_set(struct reading *r, const struct cfg_node *node, const char *affinity, const char *tenant,
			     const uint64_t **made);
/* Nothing unless workload.tenants lists some. */
void config_write_tenants(const struct run_config *config, struct textbuf *b);
/* Of names, weights and threads: nothing where no policy but a plug-in could see them, and there is none, and no
 * weight is given. */
void config_hash_tenants(const struct run_config *config, struct hash *h);

/* Threads: run_config_workload.c */

/* Traces are opened. */
enum sahm_status reading_workload(struct reading *r);
void config_write_workload(const struct run_config *config, struct textbuf *b);
/* When threads come and leave, and on which cores they may run: nothing where all are there all the time, everywhere.
 */
void config_hash_threads(const struct run_config *config, struct hash *h);
/* Does nothing without changes. */
void config_hash_changes(const struct run_config *config, struct hash *h);

/* When threads sleep, and what they weigh: run_config_bursts.c */

/* Reads weight and bursts of the trace at `node`, a group, which makes `nr` threads, in one go: `threads` has room for
 * them. */
enum sahm_status reading_bursts(struct reading *r, const struct cfg_node *node, uint32_t nr,
				struct run_thread *threads);

/* Value of a weight in `group`, or of a nice value in its place, or the weight's default. */
enum sahm_status reading_weight(struct reading *r, const struct cfg_node *group, enum config_key key,
				enum config_key nice_key, uint32_t *weight);

/* Weight and bursts of threads `th[nr]`, which one group describes; whether it can. */
bool config_bursts_alike(const struct run_thread *a, const struct run_thread *b);
void config_write_bursts(const struct run_thread *th, uint32_t nr, struct textbuf *b);
/* Of all threads: nothing where none sleeps and all weigh the same. */
void config_hash_bursts(const struct run_config *config, struct hash *h);

/* A workload of rt-app: run_config_rtapp.c */

/* Reads the file that `workload` names. *traces becomes a list like workload.traces with a group for each of its tasks;
 * it stays as it is without such a file. SAHM_CONFIG where there is another list. */
enum sahm_status reading_rtapp(struct reading *r, const struct cfg_node *workload, const struct cfg_node **traces);
/* After threads and duration: completes the threads of the tasks. Does nothing without a file. */
enum sahm_status reading_rtapp_threads(struct reading *r);
void config_write_rtapp(const struct run_config *config, struct textbuf *b);

/* IPUs: run_config_introspection.c */

enum sahm_status reading_introspection(struct reading *r);
/* Last: that IPUs see something of every trace. */
enum sahm_status reading_inputs(struct reading *r);
/* The soft logic of a run, opened where it runs: a module belongs to the process that opened it. SAHM_CONFIG, or as
 * soft_source_open(). Close it in any case. */
struct run_soft {
	struct soft *soft;
	struct ipu_pro pro;
};
enum sahm_status run_soft_open(struct run_soft *s, const struct run_introspection *in, struct sahm_err *err);
void run_soft_close(struct run_soft *s);

/* Both do nothing without introspection. */
void config_write_introspection(const struct run_introspection *in, struct textbuf *b);
void config_hash_introspection(const struct run_introspection *in, struct hash *h);

#endif
