/* What a session (session.h) notes of a trust file, so that it decides the same on any day and notices when the file is
 * another one. */
#ifndef SAHM_IPU_TRUST_TRUST_RECORD_H
#define SAHM_IPU_TRUST_TRUST_RECORD_H

#include <stdint.h>

#include "ipu/trust/trust.h"
#include "sim/base/hash.h"

/* The day used for its checks (date.h): that of its file, else the one on which it was read, until another is set.
 */
uint32_t trust_date(const struct trust *t);

/* Whether that is its file's own day. */
bool trust_has_date(const struct trust *t);

/* Makes it check by `date`, which is not DATE_NEVER. Nobody else may ask it meanwhile. */
void trust_set_date(struct trust *t, uint32_t date);

/* Adds all by which it decides, but for the day, to a hash. */
void trust_hash(const struct trust *t, struct hash *h);

#endif
