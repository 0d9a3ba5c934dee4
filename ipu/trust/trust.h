/* Which programs an IPU may run: a policy, the keys whose signatures it takes, and what has been revoked.
 * Source: dissertation, section 2.2, "System Architecture" (signed programs) and "Privacy" (the policies).
 *
 * A trust file is written in libconfig's language (keys: trust_read.c, docs/signing.md):
 *
 *	policy = "permissive";		closed: vendor keys; restrictive: reviewed ones, too; permissive: all that are
 * listed confidential = false;		true: no program runs at all
 *	date = "2026-11-22";		the day used to check expiry; without it, today (UTC)
 *	keys = ( { name = "lab"; public = "<64 hex digits>"; class = "vendor"; expires = "2030-12-31"; } );
 *	revoked = ( { key = "<32 hex digits>"; reason = "stolen"; }, { image = "<64 hex digits>"; reason = "leaks"; } );
 *	revocations = "revoked.cfg";	a file with only `revoked`; relative to this one
 *
 * What belongs to a file stands beside the file itself, wherever links to it are: the list of revocations that a trust
 * file names, the signature of an image.
 *
 * Without a trust file (NULL) nothing is asked of a program: every one passes. An image is checked by the hash of its
 * bytes, before anything else looks at them (test_ipu_trusted.c). The only secret key in the source or its history is
 * the one published for demonstration (secrets.sh). To add a reason to refuse a program: trust.c, its place in the
 * order below, a test in test_ipu_trust.c, a row in docs/signing.md.
 */
#ifndef SAHM_IPU_TRUST_TRUST_H
#define SAHM_IPU_TRUST_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "ipu/trust/signature.h"
#include "sim/base/err.h"

#define TRUST_MAX_KEYS 1024u
#define TRUST_MAX_REVOKED 65536u

/* Not changed once it is read: any number of threads may ask it at a time. */
struct trust;

/* Reads a trust file, and the file of revocations that it names. Today's date is taken now, if it gives none;
 * SAHM_RANGE when the clock shows none of the years 1 to 9999. SAHM_IO, SAHM_FORMAT, SAHM_CONFIG (file, line and key),
 * SAHM_NOMEM, SAHM_TOOL when libsodium does not work here. */
enum sahm_status trust_read(struct trust **t, const char *path, struct sahm_err *err);

/* The same for text in memory; `file` stands in messages and is what `revocations` is relative to. */
enum sahm_status trust_of_text(struct trust **t, const char *file, const char *text, size_t len, struct sahm_err *err);

/* Trust in one key, for any day and any holder: takes what is signed with it, for any policy. `file` is what
 * it is called in messages; the caller's, and must outlive it. SAHM_NOMEM. */
enum sahm_status trust_of_key(struct trust **t, const char *file, const struct public_key *k, struct sahm_err *err);

void trust_free(struct trust *t);

/* An ABI spec with which a program is to run. */
struct trust_abi {
	const char *name;
	uint8_t spec[HASH_BYTES]; /* abi_hash() */
};

/* The soft logic with which a program is to run. */
struct trust_soft {
	const char *file; /* name of the module in messages */
	const void *bytes;
	size_t nr_bytes;
};

/* The object of the check. */
struct trust_image {
	const char *file; /* name of the image in messages */
	const char *bytes;
	size_t nr_bytes;
	const char *signature; /* the text of its signature, NULL when it has none */
	size_t nr_signature;
	const char *signature_file;    /* its name in messages; NULL: `file` with SIGNATURE_ENDING */
	const struct trust_abi *abi;   /* NULL: any */
	const struct trust_soft *soft; /* NULL: it runs without any */
};

/* Of an image that may be loaded, for those who show it. The names are the trust's. */
struct trust_finding {
	struct signature signature;
	const char *key_name, *key_class; /* as the trust file has them; of trust_of_key(): the given one, NULL */
};

/* Whether an image may be loaded; `found` (may be NULL) is filled in when it may, and when `t` is not NULL.
 * SAHM_REFUSED, with a sentence about the first of these that is so: confidential mode; unsigned; a malformed
 * signature; an unknown key; a wrong signature (its lines were altered); another image (it was tampered with);
 * other soft logic than it is signed with, or none; a revoked key; a revoked image, or module of soft logic; an expired
 * key; an expired signature; a key of a class that the policy does not take; a signature only for looser policies;
 * another ABI, by its name or by its spec. Also SAHM_NOMEM. */
enum sahm_status trust_judge(const struct trust *t, const struct trust_image *image, struct trust_finding *found,
			     struct sahm_err *err);

/* The same of what is given one by one. */
enum sahm_status trust_check(const struct trust *t, const char *file, const char *bytes, size_t nr_bytes,
			     const char *signature, size_t nr_signature, const struct trust_abi *abi,
			     struct sahm_err *err);

/* The same for an image in a file, with the signature beside it, if there is one. `bytes` are what was read of `path`
 * ("-": standard input, which has nothing beside it); nothing is read when `t` is NULL. Also SAHM_IO, when the
 * signature is there and cannot be read. */
enum sahm_status trust_check_file(const struct trust *t, const char *path, const char *bytes, size_t nr_bytes,
				  const struct trust_abi *abi, struct sahm_err *err);

/* The same for an image that is to run with soft logic (NULL: without). */
enum sahm_status trust_check_bundle(const struct trust *t, const char *path, const char *bytes, size_t nr_bytes,
				    const struct trust_abi *abi, const struct trust_soft *soft, struct sahm_err *err);

/* Where the signature of the image in the file `image` stands, whether it is there or not: beside the file that links
 * lead to. The caller frees *path. SAHM_NOMEM. */
enum sahm_status trust_find_signature(const char *image, char **path, struct sahm_err *err);

/* Reads the signature in the file `path`: *text, which the caller frees, stays NULL when there is none. SAHM_REFUSED
 * when it is too large for one, SAHM_IO, SAHM_NOMEM. */
enum sahm_status trust_read_signature(const char *path, char **text, size_t *len, struct sahm_err *err);

/* Whether no program may run at all. */
bool trust_is_confidential(const struct trust *t);

#endif
