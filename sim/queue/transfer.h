/* Files on their way through Redis: by the hash of their bytes, in pieces, verified on arrival.
 *
 * A file is a string `<prefix>file:<hash in hexadecimal>` that never changes: it is assembled under a temporary
 * name, which expires after an hour if unfinished, and renamed when it is complete. */
#ifndef SAHM_SIM_QUEUE_TRANSFER_H
#define SAHM_SIM_QUEUE_TRANSFER_H

#include "sim/queue/file_cache.h"
#include "sim/queue/redis_link.h"

/* Bytes that travel in one command. */
#define TRANSFER_PIECE ((size_t)1 << 20)

/* Puts the file at `path` on the server, unless it is there. *sent (may be NULL): it was not. SAHM_CHECKSUM: the file
 * is not what it was when it was hashed; SAHM_TOOL: the server has no room; SAHM_IO: the file cannot be read, or the
 * connection is lost (redis_link_is_up() tells which), and the same call goes on from the beginning; SAHM_NOMEM. */
enum sahm_status transfer_send_file(struct redis_link *link, const char *prefix, const struct bundle_file *file,
				    bool *sent, struct sahm_err *err);
/* The same for bytes in memory. */
enum sahm_status transfer_send(struct redis_link *link, const char *prefix, const uint8_t hash[HASH_BYTES],
			       const void *bytes, size_t len, bool *sent, struct sahm_err *err);

/* Asked for every piece that is fetched; false: no more. */
typedef bool transfer_fn(void *ctx);

/* Fetches the file with `hash` and length `bytes` into the cache; `go_on` may be NULL. If the server gives the same
 * bytes twice and they have the wrong hash, they are removed there, so that a process that has the file sends it
 * again. SAHM_FORMAT: the server does not have it, or not in this length; SAHM_CHECKSUM; SAHM_RANGE; SAHM_IO, also
 * if the line damages it; SAHM_NOMEM. */
enum sahm_status transfer_fetch_file(struct redis_link *link, const char *prefix, struct file_cache *cache,
				     const uint8_t hash[HASH_BYTES], uint64_t bytes, transfer_fn *go_on, void *ctx,
				     struct sahm_err *err);
/* The same into memory, whatever its length up to `most`; the caller frees *bytes. */
enum sahm_status transfer_fetch(struct redis_link *link, const char *prefix, const uint8_t hash[HASH_BYTES],
				size_t most, char **bytes, size_t *len, struct sahm_err *err);

#endif
