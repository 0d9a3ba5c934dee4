/* Arbitrary text as either half of a key. Accepted public keys are written back as the same key, and verify nothing
 * that was not signed; what is accepted as secret signs. */
#include "ipu/trust/key.h"
#include "tests/fuzz/fuzz.h"

static void use_public(const char *text, size_t len)
{
	struct public_key k, again;
	struct sahm_err err;
	struct textbuf b;
	uint8_t signature[KEY_SIGNATURE_BYTES] = {0};
	enum sahm_status status = public_key_of_text("k", text, len, &k, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "k:");
		return;
	}
	textbuf_init(&b);
	public_key_write(&k, &b);
	MUST(public_key_of_text("k", b.text, b.len, &again, NULL) == SAHM_OK);
	MUST(memcmp(&k, &again, sizeof(k)) == 0);
	/* Neither all zeros nor the key with zeros, by which points of small order would verify. */
	MUST(!public_key_verify(&k, text, len, signature));
	memcpy(signature, k.bytes, KEY_PUBLIC_BYTES);
	MUST(!public_key_verify(&k, text, len, signature));
	textbuf_release(&b);
}

static void use_secret(const char *text, size_t len)
{
	struct secret_key *k = NULL;
	struct sahm_err err;
	uint8_t signature[KEY_SIGNATURE_BYTES];
	enum sahm_status status = secret_key_of_text("k", text, len, &k, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "k:");
		return;
	}
	secret_key_sign(k, text, len, signature);
	MUST(public_key_verify(secret_key_public(k), text, len, signature));
	signature[len % KEY_SIGNATURE_BYTES] ^= 1;
	MUST(!public_key_verify(secret_key_public(k), text, len, signature));
	secret_key_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > KEY_MAX_FILE_BYTES)
		return 0;
	use_public((const char *)data, size);
	use_secret((const char *)data, size);
	return 0;
}
