/* Between the reader of trust files and the decision. */
#ifndef SAHM_IPU_TRUST_TRUST_INTERNAL_H
#define SAHM_IPU_TRUST_TRUST_INTERNAL_H

#include "ipu/trust/trust.h"
#include "sim/base/arena.h"

struct trusted_key {
	struct public_key key;
	const char *name, *file;
	unsigned line, order;
	enum trust_policy class; /* the strictest policy that takes it */
	uint32_t expires;	 /* date.h */
};

/* A key by its id, or an image by its hash. */
struct revocation {
	uint8_t id[HASH_BYTES]; /* after the id of a key: zeros */
	const char *reason, *file;
	unsigned line, order;
};

struct revocations {
	struct revocation *rows; /* by id, each once: the first in the files */
	size_t nr;
};

struct trust {
	struct arena arena;
	const char *file; /* for messages */
	enum trust_policy policy;
	bool is_confidential;
	bool is_of_key; /* of trust_of_key(): its key is of no class that anybody gave it */
	uint32_t date;
	bool has_date;		  /* it is the file's own, not the day on which it was read */
	struct trusted_key *keys; /* by id */
	size_t nr_keys;
	struct revocations revoked_keys, revoked_images;
};

/* "vendor" and so on. */
const char *trust_class_name(enum trust_policy class);

/* The key with this id, or NULL. */
const struct trusted_key *trust_find_key(const struct trust *t, const uint8_t id[KEY_ID_BYTES]);

/* The revocation of this id of `nr_bytes` bytes, or NULL. */
const struct revocation *trust_find_revocation(const struct revocations *r, const uint8_t *id, size_t nr_bytes);

#endif
