/* Keys, signatures and trust files, for tests of what an IPU takes. */
#ifndef SAHM_TESTS_UNIT_MADE_SIGNED_H
#define SAHM_TESTS_UNIT_MADE_SIGNED_H

#include <stdio.h>
#include <string.h>

#include "ipu/trust/trust.h"
#include "ipu/unit/abi.h"
#include "tests/unit/test.h"

/* The key that the byte `seed` makes. The caller frees it. */
static inline struct secret_key *made_key(uint8_t seed)
{
	uint8_t bytes[KEY_SEED_BYTES];
	struct secret_key *k;
	struct sahm_err err;
	memset(bytes, seed, sizeof(bytes));
	if (secret_key_of_seed(bytes, &k, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return k;
}

/* Appends the text of a trust file that knows the key 1 as a developer's; `more` is what it says besides. */
static inline void made_trust_text(const char *policy, const char *more, struct textbuf *text)
{
	struct secret_key *k = made_key(1);
	const struct public_key *half = secret_key_public(k);
	textbuf_printf(text, "policy = \"%s\"; keys = ( { name = \"made\"; class = \"developer\"; public = \"", policy);
	for (unsigned i = 0; i < KEY_PUBLIC_BYTES; i++)
		textbuf_printf(text, "%02x", half->bytes[i]);
	textbuf_printf(text, "\"; } );\n%s\n", more);
	secret_key_free(k);
}

/* The same, read. The caller frees it. */
static inline struct trust *made_trust(const char *policy, const char *more)
{
	struct trust *t;
	struct sahm_err err;
	struct textbuf text;
	textbuf_init(&text);
	made_trust_text(policy, more, &text);
	if (trust_of_text(&t, "made.trust", text.text, text.len, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	textbuf_release(&text);
	return t;
}

/* Appends the signature of an image for the ABI called `abi`, as `spec` has it, by the key `seed`, good until `expires`
 * (date.h). */
static inline void made_signature(const void *bytes, size_t nr_bytes, uint8_t seed, const char *abi,
				  const struct abi *spec, uint32_t expires, struct textbuf *text)
{
	struct secret_key *k = made_key(seed);
	struct signature s = {.name = "made", .version = "1", .policy = TRUST_POLICY_PERMISSIVE, .expires = expires};
	struct sahm_err err;
	snprintf(s.abi, sizeof(s.abi), "%s", abi);
	memcpy(s.spec, abi_to_trust(spec).spec, sizeof(s.spec));
	if (signature_make(&s, k, bytes, nr_bytes, text, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	secret_key_free(k);
}

#endif
