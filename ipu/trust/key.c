#include "ipu/trust/key.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "ipu/trust/key_internal.h"
#include "sim/base/hash.h"
#include "sim/base/number.h"

static_assert(KEY_SEED_BYTES == crypto_sign_SEEDBYTES && KEY_PUBLIC_BYTES == crypto_sign_PUBLICKEYBYTES &&
		      KEY_SIGNATURE_BYTES == crypto_sign_BYTES && KEY_ID_BYTES == DIGEST_BYTES &&
		      KEY_SEED_BYTES + KEY_PUBLIC_BYTES == crypto_sign_SECRETKEYBYTES,
	      "sizes of Ed25519");

enum sahm_status key_begin(struct sahm_err *err)
{
	if (sodium_init() < 0)
		return sahm_fail(err, SAHM_TOOL, "libsodium cannot be used: the system gives it no random numbers");
	return SAHM_OK;
}

/* A pair of a seed that was written into it, or gives it back. */
static enum sahm_status finish(struct secret_key *made, struct secret_key **k, struct sahm_err *err)
{
	uint8_t public[KEY_PUBLIC_BYTES];
	crypto_sign_seed_keypair(public, made->pair, made->seed);
	if (!public_key_init(&made->public, public)) {
		secret_key_free(made);
		return sahm_fail(err, SAHM_TOOL, "libsodium cannot be used: it makes invalid keys");
	}
	*k = made;
	return SAHM_OK;
}

static enum sahm_status allocate(struct secret_key **k, struct sahm_err *err)
{
	enum sahm_status status = key_begin(err);
	if (status != SAHM_OK)
		return status;
	*k = sodium_malloc(sizeof(**k));
	if (!*k)
		return sahm_fail_nomem(err);
	memset(*k, 0, sizeof(**k));
	return SAHM_OK;
}

enum sahm_status secret_key_make(struct secret_key **k, struct sahm_err *err)
{
	struct secret_key *made = NULL;
	enum sahm_status status = allocate(&made, err);
	if (status != SAHM_OK)
		return status;
	randombytes_buf(made->seed, KEY_SEED_BYTES);
	return finish(made, k, err);
}

enum sahm_status secret_key_of_seed(const uint8_t seed[KEY_SEED_BYTES], struct secret_key **k, struct sahm_err *err)
{
	struct secret_key *made = NULL;
	enum sahm_status status = allocate(&made, err);
	if (status != SAHM_OK)
		return status;
	memcpy(made->seed, seed, KEY_SEED_BYTES);
	return finish(made, k, err);
}

void secret_key_free(struct secret_key *k)
{
	/* It wipes. */
	sodium_free(k);
}

const struct public_key *secret_key_public(const struct secret_key *k)
{
	return &k->public;
}

bool secret_key_is_published(const struct secret_key *k)
{
	return k->is_published;
}

void secret_key_sign(const struct secret_key *k, const void *bytes, size_t len, uint8_t signature[KEY_SIGNATURE_BYTES])
{
	crypto_sign_detached(signature, NULL, bytes, len, k->pair);
}

bool public_key_init(struct public_key *k, const uint8_t bytes[KEY_PUBLIC_BYTES])
{
	memcpy(k->bytes, bytes, KEY_PUBLIC_BYTES);
	digest_of(bytes, KEY_PUBLIC_BYTES, k->id);
	return crypto_core_ed25519_is_valid_point(bytes) == 1;
}

bool public_key_verify(const struct public_key *k, const void *bytes, size_t len,
		       const uint8_t signature[KEY_SIGNATURE_BYTES])
{
	return crypto_sign_verify_detached(signature, bytes, len, k->bytes) == 0;
}

bool key_read_hex(const char *text, size_t len, uint8_t *bytes, size_t nr_bytes)
{
	if (len != 2 * nr_bytes)
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
			return false;
		unsigned digit = (unsigned)(is_digit(c) ? c - '0' : c - 'a' + 10);
		bytes[i / 2] = (uint8_t)(i % 2 ? bytes[i / 2] | digit : digit << 4);
	}
	return true;
}

const char *key_id_hex(const uint8_t id[KEY_ID_BYTES], char text[KEY_ID_HEX_BYTES])
{
	return sodium_bin2hex(text, KEY_ID_HEX_BYTES, id, KEY_ID_BYTES);
}
