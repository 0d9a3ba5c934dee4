#include "sim/base/hash.h"

#include <sodium/utils.h>
#include <string.h>

void hash_init(struct hash *h)
{
	crypto_generichash_blake2b_init(&h->state, NULL, 0, HASH_BYTES);
}

void hash_add(struct hash *h, const void *bytes, size_t len)
{
	crypto_generichash_blake2b_update(&h->state, bytes, len);
}

void hash_add_u64(struct hash *h, uint64_t value)
{
	uint8_t bytes[8];
	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	hash_add(h, bytes, sizeof(bytes));
}

void hash_add_string(struct hash *h, const char *text)
{
	size_t len = strlen(text);
	hash_add_u64(h, len);
	hash_add(h, text, len);
}

void hash_end(struct hash *h, uint8_t out[HASH_BYTES])
{
	crypto_generichash_blake2b_final(&h->state, out, HASH_BYTES);
}

void digest_of(const void *bytes, size_t len, uint8_t out[DIGEST_BYTES])
{
	crypto_generichash_blake2b(out, DIGEST_BYTES, bytes, len, NULL, 0);
}

void hash_hex(const uint8_t hash[HASH_BYTES], char text[HASH_HEX_BYTES])
{
	sodium_bin2hex(text, HASH_HEX_BYTES, hash, HASH_BYTES);
}
