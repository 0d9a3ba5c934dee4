/* Where a Redis server is, as redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE].
 *
 * HOST is a name, an IPv4 address, or an IPv6 address in brackets; PORT defaults to 6379 and DATABASE to 0; a
 * password without a user is written :PASSWORD@. User and password write characters that mean something in a URL as
 * %XX. A password can come from the environment instead, where no list of processes shows it. */
#ifndef SAHM_SIM_QUEUE_REDIS_URL_H
#define SAHM_SIM_QUEUE_REDIS_URL_H

#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* Whose value is the password where the URL has none. */
#define REDIS_PASSWORD_VARIABLE "SAHM_REDIS_PASSWORD"

#define REDIS_DEFAULT_PORT 6379u
#define MAX_REDIS_DATABASE 65535u

struct redis_url {
	const char *host;
	const char *user, *password; /* NULL: none */
	uint16_t port;
	uint32_t database;
};

/* Reads a URL; strings come from `a`. SAHM_USAGE, without the password in the message: another scheme ("rediss://": the
 * library that sahm is built with has no TLS), no host, a port or a database out of range, a bad %XX, a NUL.
 * SAHM_NOMEM. */
enum sahm_status redis_url_read(struct redis_url *url, const char *text, struct arena *a, struct sahm_err *err);

/* Appends the URL without its password: for people. */
void redis_url_write(const struct redis_url *url, struct textbuf *out);

#endif
