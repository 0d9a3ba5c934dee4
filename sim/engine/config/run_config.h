/* Configuration of a run: read, resolved, written and hashed.
 *
 * A configuration file (sahm-config(5); keys in config_key_list.h) with its settings from the command line becomes a
 * struct run_config: chip, opened traces, threads, scheduler, all defaults filled in. Written back it gives a file that
 * reads to the same struct.
 */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_CONFIG_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_CONFIG_H

#include "cores/chip/core_costs.h"
#include "cores/chip/core_spec.h"
#include "cores/chip/cuts.h"
#include "cores/chip/distance.h"
#include "cores/chip/level.h"
#include "ipu/unit/soft_source.h"
#include "sched/host/host.h"
#include "sched/host/plugin.h"
#include "sched/policies/policies.h"
#include "sim/base/arena.h"
#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/hash.h"
#include "sim/engine/config/config_key_list.h"
#include "sim/engine/config/run_cache.h"
#include "sim/engine/sim.h"
#include "workloads/bursts/bursts.h"
#include "workloads/trace/trace.h"

/* Most simulations of one configuration. */
#define MAX_SAMPLES 10000

/* Most results of threads and cores in all samples together, which stay in memory: some 500 MB. */
#define MAX_SAMPLE_RESULTS (UINT64_C(1) << 22)

/* Largest seed: the largest integer of a configuration, for which 2^63 stands among doubles. */
#define MAX_SEED 0x1p63

enum config_key { CONFIG_KEYS(ROW_SYMBOL) NR_CONFIG_KEYS };

/* config_keys[k] describes key k. */
extern const struct cfg_key config_keys[NR_CONFIG_KEYS];

/* One group of equal cores. */
struct core_group {
	struct core_spec spec; /* resolved */
	struct core_type type;
	uint16_t scarce;  /* states whose speedup is of few epochs or of other states, a bit each */
	const char *name; /* which results have; NULL: the type's */
	uint32_t count;
	const char *tenant; /* whose cores they are; NULL: of threads without a tenant */
	/* Frequency levels among which they change: several, one that is fixed, or none (nr is 0); those configured. */
	struct core_levels levels;
	const struct core_level *all_levels;
	uint32_t nr_all_levels;
	bool is_fixed;
	uint32_t first_point; /* index of the first of its operating points */
};

/* Operating points of a group: its levels, or one. */
static inline uint32_t group_nr_points(const struct core_group *group)
{
	return group->levels.nr > 0 ? group->levels.nr : 1;
}

enum run_governor { GOVERNOR_SCHEDUTIL, GOVERNOR_PERFORMANCE };

/* A group of cores that share. */
struct run_shared {
	const char *cores; /* as written */
};

/* What the chip draws. */
struct run_costs {
	const char *path;		/* of the table, absolute; NULL: there is none, and energy is not wanted */
	uint8_t hash[HASH_BYTES];	/* of its figures */
	const struct core_power *power; /* [nr_points]; NULL: figures are missing: */
	const char **missing;		/* [nr_missing] messages that say which, no two alike */
	uint32_t nr_missing;
	double migration_uj;
};

/* One trace file; several threads may replay it. */
struct run_trace {
	const char *path; /* absolute */
	struct trace *trace;
	uint32_t row; /* in the cache, where there is one */
};

/* One list of bursts; several threads may follow it. */
struct run_bursts {
	const char *path; /* absolute */
	const struct burst *list;
	uint64_t nr;
	uint8_t hash[HASH_BYTES];
};

struct run_thread {
	const char *name; /* the trace's, followed by the offset where there is one */
	uint32_t trace;	  /* index in traces */
	uint64_t offset_ns;
	uint64_t arrive_ns;
	bool once;			     /* leaves when its trace ends */
	const char *tenant;		     /* NULL: none */
	uint32_t tenant_number;		     /* as in struct sim_thread */
	const char *affinity;		     /* list of cores as written, NULL: all of its tenant's */
	const uint64_t *allowed;	     /* set of cores, as in struct sim_thread; NULL: all */
	uint32_t weight;		     /* 1 to MAX_WEIGHT */
	const struct burst_model *bursts;    /* NULL: it never sleeps */
	const struct run_bursts *burst_list; /* where its bursts are a list; else NULL */
};

/* A change of a thread's properties, or of a tenant's weight. */
struct run_change {
	struct sim_change change;
	uint32_t row;		     /* in the configuration */
	const struct cfg_node *node; /* there */
	const char *tenant;	     /* NULL: none */
	const char *affinity;	     /* as written; NULL: none */
};

/* IPUs beside the cores. */
struct run_introspection {
	const char *image, *abi_path;	/* absolute */
	const char *trust;		/* absolute; NULL: every program is trusted */
	const char *soft;		/* absolute, or a shipped module's name; NULL: there is no soft logic */
	struct soft_source soft_source; /* what was read of it; released with the configuration */
	uint32_t soft_mhz;
	bool soft_in_process;
	const char *name; /* of the image: its file's, without folder and ".elf" */
	struct abi abi;
	struct ipu_program *program; /* as probe.program has it; released with the configuration */
	const char **values;	     /* [nr_values], as written */
	size_t nr_values;
	struct probe_config probe;
};

struct run_config {
	struct arena arena;    /* everything below that is not a trace */
	struct cfg_node *root; /* as it was read */
	struct core_group *groups;
	uint32_t nr_groups;
	struct chip chip;
	/* Operating points: the levels of all groups, one for a group without any. core_points[c] is that of core c at
	 * its fastest level; those of its other levels come before it. */
	uint32_t nr_points;
	uint32_t *core_points;	    /* [nr_cores] */
	struct core_levels *levels; /* [nr_cores]: one for a core without levels */
	bool has_levels;	    /* some core has several */
	enum run_governor governor;
	struct run_shared *shared; /* [nr_shared] */
	uint32_t nr_shared;
	uint32_t *shared_of; /* [nr_cores], as in struct sim_config */
	uint64_t *capacity;  /* [nr_shared] */
	struct distances distances;
	uint64_t warmup_ns;
	struct run_costs costs;
	struct run_trace *traces;
	uint32_t nr_traces;
	struct run_cache *cache; /* whose the traces are; NULL: the configuration's own */
	struct run_thread *threads;
	uint32_t nr_threads;
	struct host_tenant *tenants; /* [nr_tenants]: those of chip.cores, then the others of workload.tenants */
	uint32_t nr_tenants;
	bool lists_tenants;		 /* workload.tenants has some */
	const char *rtapp, *rtapp_trace; /* absolute; a workload of rt-app makes the threads. NULL: the traces do */
	struct run_change *changes;	 /* [nr_changes], by time */
	uint32_t nr_changes;
	bool alone; /* each thread in a separate run */
	uint64_t duration_ns;
	uint32_t nr_samples; /* simulations with other offsets, the first with those above */
	uint64_t seed;	     /* of all that is drawn */
	const struct sched_ext_ops *policy;
	const char **scx_settings; /* [nr_scx_settings], of that policy's variables: "NAME=VALUE" */
	uint32_t nr_scx_settings;
	const char *scx_set;	     /* all of them; NULL: none */
	struct sched_plugin *plugin; /* whose policy that is, closed with the configuration; NULL: it is built in */
	bool oracle;
	uint32_t inertia;
	uint64_t timestep_ns;
	const char *cuts_set;
	struct cuts cuts;
	struct run_introspection *introspection; /* NULL: none, the built-in classifier tells the states */
	struct textbuf notes;			 /* what had to be assumed of the traces, a line each */
};

/* Reads the configuration at `path` ("-": standard input), carries out `settings[nr_settings]` ("key.path=value") on
 * it, and opens its traces, its introspection program and its policy, if that is a plug-in, whose code runs. Relative
 * paths are looked up beside the file that names them (settings: in the current folder), then, but for policies, in
 * `data_folder` (may be NULL). On success the caller releases `config`; on failure there is nothing to release.
 * SAHM_CONFIG, SAHM_USAGE (a setting), SAHM_IO, SAHM_FORMAT, SAHM_CHECKSUM, SAHM_NOMEM. */
enum sahm_status run_config_load(struct run_config *config, const char *path, const char *const *settings,
				 size_t nr_settings, const char *data_folder, struct sahm_err *err);

/* The same from a tree that was read by cfg_read_file() or cfg_read_text() and stays as it is; its arena has to outlive
 * `config`. With a `cache` (may be NULL) traces are opened there. */
enum sahm_status run_config_make(struct run_config *config, const struct cfg_node *root, const char *const *settings,
				 size_t nr_settings, const char *data_folder, struct run_cache *cache,
				 struct sahm_err *err);

/* Makes absolute what of the tree `node` names a file that is there, looked up beside the file that names it or, for a
 * setting, in the current folder; so that it means the same from any folder. A file of `data_folder` (may be NULL) is
 * named as it stands there, which is where any program looks for it. `path` is that of `node` as keys are written (""
 * for a whole configuration). *any becomes true when anything has another name now; strings come from `a`.
 * SAHM_IO where a file cannot be looked for, SAHM_NOMEM. */
enum sahm_status run_config_settle_paths(struct arena *a, const char *data_folder, const char *path,
					 struct cfg_node *node, bool *any, struct sahm_err *err);

/* Calls `tell` for every file that the configuration has read and whose contents its hash covers: traces, lists of
 * bursts, a table of costs, a plug-in, an introspection program and its ABI spec. `kind` says which, in words; some may
 * come twice. */
typedef void run_input_fn(void *ctx, const char *kind, const char *path, const uint8_t hash[HASH_BYTES]);
void run_config_inputs(const struct run_config *config, run_input_fn *report, void *ctx);

/* Makes the absolute *path what it is in the data folder (may be NULL), if it is there. `a`: for what this needs.
 * SAHM_IO, SAHM_NOMEM. */
enum sahm_status run_config_path_in_data(struct arena *a, const char *data_folder, const char **path,
					 struct sahm_err *err);

/* Finds the trace that the string `node` names, as a configuration in its place does: beside its file, then in
 * `data_folder` (may be NULL). *path, from `a`, is absolute. SAHM_IO where it is not there, with a suggestion;
 * SAHM_NOMEM. */
enum sahm_status run_config_find_trace(struct arena *a, const char *data_folder, const struct cfg_node *node,
				       const char **path, struct sahm_err *err);

/* Looks for a trace as a setting does that names it: in the current folder, then in `data_folder` (may be NULL), there
 * by its name without an ending, too. *path, from `a`, is absolute; NULL: it is not there. SAHM_IO where a file
 * cannot be looked for, SAHM_NOMEM. */
enum sahm_status run_config_look_for_trace(struct arena *a, const char *data_folder, const char *name,
					   const char **path, struct sahm_err *err);

/* Calls `rename` for every string of the tree `node` that names a file: with its key, and the absolute path of the
 * file (until it returns), which is looked for as run_config_load() would, so that those that come with the program are
 * found by their names. The name that it puts into *name (from `a`; as it is: NULL) takes the place of the string. A
 * group `introspection` without an ABI spec has the default one: `rename` is called with the group itself for it, and a
 * name becomes its `abi`. `path` as for run_config_settle_paths(). Fails where a file is not there, and as `rename`
 * does. */
typedef enum sahm_status run_rename_fn(void *ctx, const struct cfg_node *node, enum config_key key, const char *path,
				       const char **name, struct sahm_err *err);
enum sahm_status run_config_rename_files(struct arena *a, const char *data_folder, const char *path,
					 struct cfg_node *node, run_rename_fn *rename, void *ctx, struct sahm_err *err);

/* Whether what stands at `path`, written as for run_config_settle_paths(), can name a file or have something in it that
 * does. */
bool run_config_can_name_files(const char *path);

/* Adds to the notes of `config` a remark on each number outside its usual range. Without a cache reading has done so:
 * with one, a configuration is one of many, and their maker warns once. */
void run_config_remark(struct run_config *config);

void run_config_release(struct run_config *config);

/* Appends the resolved configuration to `b`: every key that has a value, but for `figure`, which the speedups have made
 * good. */
void run_config_write(const struct run_config *config, struct textbuf *b);

/* Hash of all that can change the result: chip, figures of a table of costs, costs of moves, scheduler, cuts, threads,
 * their tenants and cores, the contents of their traces, samples, introspection with its program, contents of a
 * plug-in; never a path. */
void run_config_hash(const struct run_config *config, uint8_t hash[HASH_BYTES]);

#endif
