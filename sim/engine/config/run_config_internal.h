/* Between the files that read a configuration.
 *
 * All functions that return a status fill r->err, with the place in the configuration in front.
 */
#ifndef SAHM_ENGINE_RUN_CONFIG_INTERNAL_H
#define SAHM_ENGINE_RUN_CONFIG_INTERNAL_H

#include "sim/base/strtable.h"
#include "sim/engine/config/run_config.h"
#include "sim/engine/config/shipped.h"

struct reading {
	struct run_config *config;
	const struct cfg_node *root;
	const char *data_folder;
	struct strtable traces;	 /* path: index in config->traces + 1 */
	struct strtable names;	 /* name of a thread before its "#<n>": how many are called so */
	struct strtable owners;	 /* tenant: index of its cores in `owned` */
	struct strtable allowed; /* tenant and affinity: index of their cores in `sets` + 1 */
	uint64_t **owned;	 /* sets of cores by tenant; [0]: of threads without one */
	const uint64_t **sets;	 /* sets of cores as threads have them; NULL stands for all */
	uint32_t nr_owned, nr_sets;
	struct strtable lists; /* path: index in burst_lists + 1 */
	struct run_bursts *burst_lists;
	uint32_t nr_burst_lists;
	struct sahm_err *err;
};

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

/* Value of a tenant's key in `group`, NULL where there is none. */
enum sahm_status reading_tenant(struct reading *r, const struct cfg_node *group, enum config_key key,
				const char **tenant);

/* Parts of a configuration, in the order in which they are read. */
enum sahm_status reading_distances(struct reading *r); /* after the chip: migration */
enum sahm_status reading_owners(struct reading *r);    /* which cores belong to which tenant */
/* The policy of the group `scheduler` (may be NULL). */
enum sahm_status reading_policy(struct reading *r, const struct cfg_node *scheduler);
enum sahm_status reading_introspection(struct reading *r);
enum sahm_status reading_workload(struct reading *r); /* traces are opened */
enum sahm_status reading_changes(struct reading *r);  /* after the workload */
enum sahm_status reading_inputs(struct reading *r);   /* last: that IPUs see something of every trace */

/* Reads tenant and affinity of the trace at `node` and finds the cores on which its threads may run. */
enum sahm_status reading_allowed(struct reading *r, const struct cfg_node *node, struct run_thread *th);

/* Reads weight and bursts of the trace at `node`, a group, which makes `nr` threads, in one go: `threads` has room for
 * them. */
enum sahm_status reading_bursts(struct reading *r, const struct cfg_node *node, uint32_t nr,
				struct run_thread *threads);

/* Makes the set of the cores that `affinity`, a list as a string (NULL: all), names and that belong to `tenant`; NULL
 * stands for all cores. */
enum sahm_status reading_set(struct reading *r, const struct cfg_node *affinity, const char *tenant,
			     const uint64_t **made);

/* Value of a weight in `group`, or of a nice value in its place, or the weight's default. */
enum sahm_status reading_weight(struct reading *r, const struct cfg_node *group, enum config_key key,
				enum config_key nice_key, uint32_t *weight);

/* Finds the trace file called `name`, the value of `node`: beside the file that names it, then in the data folder.
 * `path` is absolute, from the arena. */
enum sahm_status reading_find_trace(struct reading *r, const struct cfg_node *node, const char *name,
				    const char **path);
/* The same for a list of bursts. */
enum sahm_status reading_find_bursts(struct reading *r, const struct cfg_node *node, const char *name,
				     const char **path);

/* The same for a file of another kind, which may also be named as it is in its folder. `node` stands for where the name
 * is, a group: nowhere, it is a default. */
enum sahm_status reading_find_shipped(struct reading *r, const struct cfg_node *node, const struct shipped *shipped,
				      const char *name, const char **path);

/* The same for what does not come with the program, for messages a `what`: only beside the file that names it. */
enum sahm_status reading_find_beside(struct reading *r, const struct cfg_node *node, const char *what, const char *name,
				     const char **path);

/* Writing. The last name of a key's path, and lines "name = value;". */
const char *config_key_leaf(enum config_key key);
void config_write_number(struct textbuf *b, const char *indent, enum config_key key, double value);
void config_write_u64(struct textbuf *b, const char *indent, enum config_key key, uint64_t value);
void config_write_string(struct textbuf *b, const char *indent, enum config_key key, const char *value);

/* Weight and bursts of threads `th[nr]`, which one group describes; whether it can. */
bool config_bursts_alike(const struct run_thread *a, const struct run_thread *b);
void config_write_bursts(const struct run_thread *th, uint32_t nr, struct textbuf *b);
/* Of all threads: nothing where none sleeps and all weigh the same. */
void config_hash_bursts(const struct run_config *config, struct hash *h);
void config_write_policy(const struct run_config *config, struct textbuf *b);
/* Does nothing without a plug-in. */
void config_hash_plugin(const struct sched_plugin *plugin, struct hash *h);

/* Both do nothing without changes. */
void config_write_changes(const struct run_config *config, struct textbuf *b);
void config_hash_changes(const struct run_config *config, struct hash *h);

/* Both do nothing without introspection. */
void config_write_introspection(const struct run_introspection *in, struct textbuf *b);
void config_hash_introspection(const struct run_introspection *in, struct hash *h);

#endif
