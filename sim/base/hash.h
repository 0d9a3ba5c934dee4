/* Content hashes: BLAKE2b (libsodium), as incremental state or over one buffer. */
#ifndef SAHM_SIM_BASE_HASH_H
#define SAHM_SIM_BASE_HASH_H

#include <sodium/crypto_generichash_blake2b.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_BYTES 32u
/* Bytes of the shorter digest that guards a block of a file. */
#define DIGEST_BYTES 16u
/* Hexadecimal form, with its closing NUL. */
#define HASH_HEX_BYTES (2 * HASH_BYTES + 1)

struct hash {
	crypto_generichash_blake2b_state state;
};

void hash_init(struct hash *h);
void hash_add(struct hash *h, const void *bytes, size_t len);
/* A number as 8 bytes, least significant first: the same on every machine. */
void hash_add_u64(struct hash *h, uint64_t value);
/* A string with its length in front, so that neighbours cannot run into each other. */
void hash_add_string(struct hash *h, const char *text);
void hash_end(struct hash *h, uint8_t out[HASH_BYTES]);

/* Digest of `len` bytes. */
void digest_of(const void *bytes, size_t len, uint8_t out[DIGEST_BYTES]);

/* Lower-case hexadecimal form of a hash. */
void hash_hex(const uint8_t hash[HASH_BYTES], char text[HASH_HEX_BYTES]);

#endif
