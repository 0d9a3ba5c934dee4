/* Keys of seeds, signatures by them, and trust files in memory. */
#ifndef SAHM_TESTS_UNIT_IPU_TRUST_MADE_TRUST_H
#define SAHM_TESTS_UNIT_IPU_TRUST_MADE_TRUST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/trust/trust.h"
#include "tests/unit/test.h"

/* The key whose seed is 32 times this byte. */
static inline struct secret_key *key_of(uint8_t byte)
{
	struct secret_key *k = NULL;
	struct sahm_err err;
	uint8_t seed[KEY_SEED_BYTES];
	memset(seed, byte, sizeof(seed));
	if (secret_key_of_seed(seed, &k, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return k;
}

static inline const char *hex_of(const uint8_t *bytes, size_t nr_bytes, char *text)
{
	for (size_t i = 0; i < nr_bytes; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text;
}

/* The text of a signature of `image`, to be freed. */
static inline char *signed_by(const struct secret_key *k, struct signature s, const char *image)
{
	struct textbuf b;
	struct sahm_err err;
	textbuf_init(&b);
	if (signature_make(&s, k, image, strlen(image), &b, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return textbuf_detach(&b);
}

static inline struct trust *must_trust(const char *text)
{
	struct trust *t = NULL;
	struct sahm_err err;
	if (trust_of_text(&t, "t.cfg", text, strlen(text), &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return t;
}

#endif
