/* Models of cores: files of configs/cores, read strictly (docs/cores.md).
 *
 * A file has the keys of core_key_list.h. `cpu = "NAME"` takes first caches and predictor from configs/cpus; groups
 * `l1i`, `l1d`, `l2` and `predictor` of the file itself replace single values of these, or stand without `cpu`. The
 * resolved model, as core_model_write() prints it, names every value; reading it gives the same model.
 */
#ifndef SAHM_CORES_UARCH_CORE_MODEL_H
#define SAHM_CORES_UARCH_CORE_MODEL_H

#include "cores/uarch/core_geometry.h"
#include "cores/uarch/core_timing.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"
#include "sim/base/textbuf.h"

#define CORE_NAME_BYTES 64u
#define CORE_SOURCE_BYTES 512u

struct core_model {
	char name[CORE_NAME_BYTES];	/* as results call it */
	char source[CORE_SOURCE_BYTES]; /* where its values are from */
	struct core_geometry geometry;
	struct core_timing timing;
	uint8_t events; /* enum event_family: whose events and counters it has */
};

/* Reads the file `path` ("-": standard input) with settings[nr_settings] ("key=value") over it. A
 * name after `cpu` is that of a file in the folder `cpus`. SAHM_IO, SAHM_CONFIG (with file, line and key), SAHM_USAGE
 * (a setting), SAHM_NOMEM. */
enum sahm_status core_model_read(const char *path, const char *const *settings, size_t nr_settings, const char *cpus,
				 struct core_model *out, struct sahm_err *err);

/* The same from text in memory, without settings; `file` stands in messages. */
enum sahm_status core_model_read_text(const char *file, const char *text, size_t len, const char *cpus,
				      struct core_model *out, struct sahm_err *err);

/* Makes parts of the core cost nothing (ideal_apply()), also for prefetchers that need time: only they see something
 * else in a functional pass then. */
void core_model_idealize(struct core_model *c, unsigned ideals);

/* Appends the resolved model as a file. */
void core_model_write(const struct core_model *c, struct textbuf *out);

/* The hash of that text without `events`, which changes no cycle. SAHM_NOMEM. */
enum sahm_status core_model_hash(const struct core_model *c, char hex[HASH_HEX_BYTES], struct sahm_err *err);

struct cfg_key;

/* The keys of such a file: *nr of them, constant storage. */
const struct cfg_key *core_model_keys(size_t *nr);

/* "out-of-order", "in-order": constant storage. */
const char *core_kind_name(enum core_kind kind);

#endif
