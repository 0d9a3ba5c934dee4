/* Between the files that make, read and open bundles. */
#ifndef SAHM_SIM_QUEUE_BUNDLE_INTERNAL_H
#define SAHM_SIM_QUEUE_BUNDLE_INTERNAL_H

#include "sim/queue/bundle.h"

/* The section of a bundle's text that is not the sweep's. */
#define BUNDLE_SECTION "bundle"
#define BUNDLE_FORMAT 1u

/* The problem with the name of a file, in words; NULL if there is none. */
const char *bundle_name_fault(const char *name);

/* Words of the kinds, NULL at the end. */
extern const char *const bundle_kind_names[];

/* Fails with `status` when the ABI spec at `path` includes other files, which do not come along, or cannot be read. */
enum sahm_status bundle_check_spec(const char *path, enum sahm_status status, struct sahm_err *err);

/* Hashes the regular file at `path`, of which *bytes are read. SAHM_IO; SAHM_RANGE: it has more than
 * MAX_BUNDLE_FILE_BYTES. */
enum sahm_status bundle_hash_file(const char *path, uint8_t hash[HASH_BYTES], uint64_t *bytes, struct sahm_err *err);

#endif
