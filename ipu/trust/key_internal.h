/* Between keys and their files. */
#ifndef SAHM_IPU_TRUST_KEY_INTERNAL_H
#define SAHM_IPU_TRUST_KEY_INTERNAL_H

#include "ipu/trust/key.h"

/* Only bytes: memory of libsodium's ends at the end of a page, wherever that makes it begin. */
struct secret_key {
	uint8_t seed[KEY_SEED_BYTES];
	uint8_t pair[KEY_SEED_BYTES + KEY_PUBLIC_BYTES]; /* as libsodium signs with it */
	struct public_key public;
	bool is_published;
};

/* To be called before libsodium draws, checks or locks anything; any thread may, at any time. SAHM_TOOL. */
enum sahm_status key_begin(struct sahm_err *err);

#endif
