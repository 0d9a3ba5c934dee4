/* Processors as recorders model them: geometry of the first caches and the branch predictor.
 *
 * A description is a file of configs/cpus, of the keys listed in cpu.c. Published values are given with their source;
 * the others (predictors, mostly) are marked as our choice.
 */
#ifndef SAHM_CORES_UARCH_CPU_H
#define SAHM_CORES_UARCH_CPU_H

#include "cores/uarch/cache.h"
#include "cores/uarch/predictor.h"
#include "sim/base/cfg.h"
#include "sim/base/err.h"

#define CPU_NAME_BYTES 64

/* Plain data: it is handed to another process as it is. */
struct cpu {
	char name[CPU_NAME_BYTES]; /* as results call it, "Intel Golden Cove (client)" */
	struct cache_spec l1i, l1d, l2;
	struct predictor_spec predictor;
};

/* Reads the description at `path` ("-": standard input). Every byte of *cpu is set on success, bytes between members to
 * 0, and none on failure. SAHM_IO, SAHM_CONFIG (with file, line and key), SAHM_NOMEM. */
enum sahm_status cpu_read(const char *path, struct cpu *cpu, struct sahm_err *err);

/* The same from text in memory; `file` stands in messages. */
enum sahm_status cpu_read_text(const char *file, const char *text, size_t len, struct cpu *cpu, struct sahm_err *err);

/* Caches and predictor of *cpu, from a tree that may have other keys too. SAHM_CONFIG. */
enum sahm_status cpu_read_parts(const struct cfg_node *root, struct cpu *cpu, struct sahm_err *err);

/* A cache, from the group of `root` that key[0] names; key[1] to key[4] are those of its size, ways, line and
 * replacement. SAHM_CONFIG. */
enum sahm_status cpu_read_cache(const struct cfg_node *root, const struct cfg_key *key, struct cache_spec *spec,
				struct sahm_err *err);

/* Finds the node that a message about several members of `group` names: of the `nr` keys from `key`, the first that a
 * setting gave (see struct cfg_node); else the group. */
const struct cfg_node *cpu_blame(const struct cfg_node *group, const struct cfg_key *key, unsigned nr);

/* Which of `words` (NULL at the end) the string `node` is. SAHM_CONFIG, with a suggestion. */
enum sahm_status cpu_read_word(const struct cfg_node *node, const char *const *words, unsigned *which,
			       struct sahm_err *err);

/* The processor taken unless another one is asked for: that file's stem in configs/cpus. */
#define DEFAULT_CPU "golden-cove"

#endif
