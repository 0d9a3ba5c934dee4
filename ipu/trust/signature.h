/* Signatures of programs for IPUs: a small text beside the image (classify.elf, classify.elf.sig), so that the image
 * stays what it was.
 *
 *	sahm ipu signature 2
 *	name: classify
 *	version: 1.0.0
 *	abi: core			the ABI spec that the program is written for: its name,
 *	spec: <64 hex digits>		and a hash of what it says
 *	class: permissive		the strictest policy that it is signed for
 *	key: <32 hex digits>		id of the key that it is signed with
 *	expires: 2030-12-31		the last day on which it is good, or never
 *	image: <64 hex digits>		BLAKE2b-256 of the image
 *	soft: <64 hex digits>		the same of its soft logic's module; only where it has one
 *	signature: <128 hex digits>	Ed25519, over all lines above as they stand
 *
 * All lines, in this order, each ended by one \n: one text for one signature. A program with soft logic is signed
 * together with it.
 */
#ifndef SAHM_IPU_TRUST_SIGNATURE_H
#define SAHM_IPU_TRUST_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/trust/date.h"
#include "ipu/trust/key.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"
#include "sim/base/textbuf.h"

#define TRUST_MAX_SIGNATURE_BYTES 2048u

/* What is appended to the name of an image. */
#define SIGNATURE_ENDING ".sig"

/* Longest name, version and name of an ABI, with their closing NUL. */
#define SIGNATURE_NAME_BYTES 65
#define SIGNATURE_VERSION_BYTES 33
#define SIGNATURE_ABI_BYTES 33

/* From the strictest on. */
enum trust_policy {
#define POLICY(symbol, name, key_symbol, key_name, asks, holders) TRUST_POLICY_##symbol,
#include "ipu/trust/trust_policy_list.h"
#undef POLICY
	NR_TRUST_POLICIES
};

struct signature {
	char name[SIGNATURE_NAME_BYTES];
	char version[SIGNATURE_VERSION_BYTES];
	char abi[SIGNATURE_ABI_BYTES];
	uint8_t spec[HASH_BYTES]; /* of the ABI spec: abi_hash() */
	enum trust_policy policy; /* the strictest that it is signed for: good for it and all looser ones */
	uint8_t key_id[KEY_ID_BYTES];
	uint32_t expires; /* date.h */
	uint8_t image[HASH_BYTES];
	bool has_soft;
	uint8_t soft[HASH_BYTES]; /* of the module; only if it has one */
	uint8_t ed25519[KEY_SIGNATURE_BYTES];
	size_t nr_signed; /* this number of bytes of its text is signed */
};

/* "closed" and so on. */
const char *trust_policy_name(enum trust_policy policy);

/* The policy called `name`; false, and a suggestion in `hint` (SUGGEST_BYTES of sim/base/suggest.h), when there is
 * none.
 */
bool trust_policy_find(const char *name, enum trust_policy *policy, char *hint);

/* Whether `text` can stand in a signature as a name, a version, the name of an ABI. */
bool signature_name_is_good(const char *text);
bool signature_version_is_good(const char *text);
bool signature_abi_is_good(const char *text);

/* What these may be, for messages. */
#define SIGNATURE_NAME_FORM "up to 64 letters, digits, '.', '_' and '-', a letter or digit first"
#define SIGNATURE_VERSION_FORM "up to 32 letters, digits, '.', '_', '-', '+' and '~', a letter or digit first"
#define SIGNATURE_ABI_FORM "up to 32 lower-case letters, digits and '_', a letter first"

/* Reads a text; `file` stands in messages. SAHM_FORMAT: file, line, what is wrong there. Does not check whether the
 * signature is valid. */
enum sahm_status signature_read(const char *file, const char *text, size_t len, struct signature *s,
				struct sahm_err *err);

/* Appends the text of `s`; signature_read() makes the same of it, and nothing else does. */
void signature_write(const struct signature *s, struct textbuf *text);

/* Makes `s` one of a program with this module as its soft logic. */
void signature_set_soft(struct signature *s, const void *module, size_t nr_bytes);

/* Signs an image: fills in key id, image and ed25519 of `s`, whose other members are given, and appends the text. A
 * name, version or ABI that is not good is SAHM_USAGE; SAHM_NOMEM. */
enum sahm_status signature_make(struct signature *s, const struct secret_key *k, const void *image, size_t nr_bytes,
				struct textbuf *text, struct sahm_err *err);

/* Whether the signed lines of its text are signed by `k`. */
bool signature_is_by(const struct signature *s, const char *text, const struct public_key *k);

/* Whether these bytes are the image that it speaks of. */
bool signature_is_of(const struct signature *s, const void *image, size_t nr_bytes);

/* Whether these bytes are the module that it speaks of. */
bool signature_is_with(const struct signature *s, const void *module, size_t nr_bytes);

#endif
