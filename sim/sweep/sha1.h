/* SHA-1 (FIPS 180-4), by which Redis knows scripts. It guards nothing here. */
#ifndef SAHM_SWEEP_SHA1_H
#define SAHM_SWEEP_SHA1_H

#include <stddef.h>

/* Hexadecimal form, with its closing NUL. */
#define SHA1_HEX_BYTES 41u

/* Writes the digest of `len` bytes in lower-case hexadecimal. */
void sha1_hex(const void *bytes, size_t len, char text[SHA1_HEX_BYTES]);

#endif
