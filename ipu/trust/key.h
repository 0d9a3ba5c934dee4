/* Keys that programs for IPUs are signed with: pairs for Ed25519 (RFC 8032, by libsodium).
 *
 * Each half is a small text file, at most KEY_MAX_FILE_BYTES: a line that says what it is, lines of comment that begin
 * with #, then values.
 *
 *	NAME.key	sahm ipu secret key 1		NAME.pub	sahm ipu public key 1
 *			seed: <64 hex digits>				public: <64 hex digits>
 *									id: <32 hex digits>
 *
 * A key is known by its id, the BLAKE2b-128 of its public half. A key file that others can read is no secret, and is
 * not used; but one whose first line is "sahm ipu published key 1" says that it is none: everybody has it.
 */
#ifndef SAHM_IPU_TRUST_KEY_H
#define SAHM_IPU_TRUST_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"
#include "sim/base/textbuf.h"

#define KEY_SEED_BYTES 32u
#define KEY_PUBLIC_BYTES 32u
#define KEY_ID_BYTES 16u
#define KEY_ID_HEX_BYTES (2 * KEY_ID_BYTES + 1)
#define KEY_SIGNATURE_BYTES 64u

#define KEY_MAX_FILE_BYTES 4096u

struct public_key {
	uint8_t bytes[KEY_PUBLIC_BYTES];
	uint8_t id[KEY_ID_BYTES];
};

/* A secret half, in memory that is locked and wiped when it is given back. */
struct secret_key;

/* A new pair by the system's random numbers. SAHM_NOMEM, SAHM_TOOL when libsodium does not work here. */
enum sahm_status secret_key_make(struct secret_key **k, struct sahm_err *err);

/* The pair that `seed` makes. */
enum sahm_status secret_key_of_seed(const uint8_t seed[KEY_SEED_BYTES], struct secret_key **k, struct sahm_err *err);

/* Reads a file of a secret half. SAHM_IO (and when others can read it), SAHM_FORMAT (file and line), SAHM_NOMEM,
 * SAHM_TOOL. */
enum sahm_status secret_key_read(const char *path, struct secret_key **k, struct sahm_err *err);

/* The same for text in memory, without a look at who can read it; `file` stands in messages. */
enum sahm_status secret_key_of_text(const char *file, const char *text, size_t len, struct secret_key **k,
				    struct sahm_err *err);

/* Wipes and frees it; NULL is nothing. */
void secret_key_free(struct secret_key *k);

/* Its other half; the secret's. */
const struct public_key *secret_key_public(const struct secret_key *k);

/* Whether its file said that everybody has it. */
bool secret_key_is_published(const struct secret_key *k);

/* Writes both halves: `path`.key (readable only for its owner) and `path`.pub. Neither may be there yet: a key is never
 * overwritten. On failure neither is there. SAHM_IO. */
enum sahm_status secret_key_write(const struct secret_key *k, const char *path, struct sahm_err *err);

/* Where a crash came between the two halves, so that `path`.key is there and `path`.pub is not: writes the latter, and
 * sets *k to the key. NULL: that is not so. SAHM_IO, SAHM_NOMEM, and as secret_key_read() fails. */
enum sahm_status secret_key_complete(const char *path, struct secret_key **k, struct sahm_err *err);

/* Signs `len` bytes. The same bytes make the same signature. */
void secret_key_sign(const struct secret_key *k, const void *bytes, size_t len, uint8_t signature[KEY_SIGNATURE_BYTES]);

/* Reads a file of a public half, whose id must be that of the key. SAHM_IO, SAHM_FORMAT (file and line), SAHM_NOMEM,
 * SAHM_TOOL. */
enum sahm_status public_key_read(const char *path, struct public_key *k, struct sahm_err *err);
enum sahm_status public_key_of_text(const char *file, const char *text, size_t len, struct public_key *k,
				    struct sahm_err *err);

/* Appends the text of such a file. */
void public_key_write(const struct public_key *k, struct textbuf *b);

/* Fills in the id of the key with these bytes; false when they are none: no point of the curve, or one of those that
 * anything can be signed for. */
bool public_key_init(struct public_key *k, const uint8_t bytes[KEY_PUBLIC_BYTES]);

/* Whether `signature` is this key's of these bytes. */
bool public_key_verify(const struct public_key *k, const void *bytes, size_t len,
		       const uint8_t signature[KEY_SIGNATURE_BYTES]);

/* Reads exactly `nr_bytes` bytes out of `len` lower-case hexadecimal digits; false when that is not what they are. */
bool key_read_hex(const char *text, size_t len, uint8_t *bytes, size_t nr_bytes);

/* Lower-case hexadecimal form of an id; returns `text`. */
const char *key_id_hex(const uint8_t id[KEY_ID_BYTES], char text[KEY_ID_HEX_BYTES]);

#endif
