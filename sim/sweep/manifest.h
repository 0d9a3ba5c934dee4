/* Manifests: everything with which a sweep can be repeated, and by which one sees whether the results are the same.
 *
 * A manifest is a configuration with its section `sweep`, followed by a section `manifest` (keys: manifest.c): the
 * program, the hash of the sweep, the files that it reads with the hashes of their contents, and digests of the
 * results, a block of positions each. Results are all but what took how long.
 */
#ifndef SAHM_SIM_SWEEP_MANIFEST_H
#define SAHM_SIM_SWEEP_MANIFEST_H

#include "sim/sweep/sweep.h"

/* How the file begins. */
#define MANIFEST_BEGIN "# Manifest of a sweep of "

/* Most blocks of a manifest. */
#define MAX_MANIFEST_BLOCKS 256u

/* Digest in hexadecimal, with its closing NUL. */
#define DIGEST_HEX_BYTES (2 * DIGEST_BYTES + 1)

struct manifest_input {
	const char *kind, *path, *hash; /* hash in hexadecimal */
};

struct manifest {
	const char *program, *identity; /* identity in hexadecimal */
	struct sweep_shard shard;
	bool threads;
	unsigned timeout_s;    /* 0: none */
	uint64_t memory_bytes; /* 0: any */
	uint64_t nr_points, block;
	const char **results; /* [nr_results], in hexadecimal */
	uint32_t nr_results;
	struct manifest_input *inputs; /* [nr_inputs] */
	uint32_t nr_inputs;
};

/* Appends the manifest of a sweep all points of which have results in `store`. As the store fails, or SAHM_NOMEM. */
enum sahm_status manifest_write(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
				const struct sweep_plan *plan, struct textbuf *out, struct sahm_err *err);

/* Reads the section of `sweep`, in whose arena the manifest is then. SAHM_CONFIG, SAHM_NOMEM. */
enum sahm_status manifest_read(struct sweep *sweep, struct manifest *m, struct sahm_err *err);

/* Holds what was planned against the manifest: the same inputs and, of the same program, the same points. SAHM_CHECKSUM
 * with the first difference. */
enum sahm_status manifest_check_plan(const struct manifest *m, const struct sweep_plan *plan, struct sahm_err *err);

/* Holds results of a sweep of `nr_positions` against the manifest: *nr_differing blocks are not the same, the first of
 * them covers positions *first to *last. As the store fails. */
enum sahm_status manifest_check_results(const struct manifest *m, struct store *store, int64_t sweep,
					uint64_t nr_positions, uint32_t *nr_differing, uint64_t *first, uint64_t *last,
					struct sahm_err *err);

/* Reads "I/N", N from 1, I from 1 to N. False when it is none. */
bool sweep_shard_read(const char *text, struct sweep_shard *shard);

#endif
