/* Lists of bursts as files: CSV of two columns, with what is known of their origin in front.
 *
 *     # sahm bursts 1
 *     # name: firefox
 *     # source: recorded
 *     run_ns,sleep_ns
 *     1250000,16000000
 *
 * A row is a burst (bursts.h): how long the thread runs, in ns of baseline time, and how long it sleeps after that.
 * Keys of the comments are those of traces (provenance.h); comments of any other shape are the writer's own. Both
 * columns are there in this order, rows hold whole numbers within the bounds of struct burst, and there is at least
 * one. A file that begins as a zstd frame does is decompressed on the way.
 */
#ifndef SAHM_WORKLOADS_BURST_LIST_H
#define SAHM_WORKLOADS_BURST_LIST_H

#include <stdio.h>

#include "sim/base/hash.h"
#include "workloads/bursts/bursts.h"
#include "workloads/trace/provenance.h"

/* Most bursts of a list. */
#define MAX_BURSTS ((uint64_t)1 << 24)

struct burst_list {
	struct burst *bursts; /* [nr] */
	uint64_t nr, room;
	struct provenance provenance; /* with a name */
	struct arena arena;	      /* its texts */
};

/* Makes `l` empty; allocates nothing. */
void burst_list_init(struct burst_list *l);
void burst_list_release(struct burst_list *l);

/* Puts `b`, whose times are within their bounds, at the end. SAHM_NOMEM; SAHM_RANGE beyond MAX_BURSTS. */
enum sahm_status burst_list_add(struct burst_list *l, struct burst b, struct sahm_err *err);

/* Reads the file at `path` ("-": standard input). On success the caller releases `l`; on failure there is nothing to
 * release. SAHM_FORMAT names file and line; SAHM_IO, SAHM_CHECKSUM (of compressed data), SAHM_NOMEM. */
enum sahm_status burst_list_open(struct burst_list *l, const char *path, struct sahm_err *err);

/* The same from a stream that stays the caller's; `file` stands in messages, and its stem is the name where nothing
 * else gives one. */
enum sahm_status burst_list_read(struct burst_list *l, FILE *in, const char *file, struct sahm_err *err);

/* Writes what burst_list_read() reads. Whether it went well is for who closes `out` to see. SAHM_NOMEM. */
enum sahm_status burst_list_write(const struct burst_list *l, FILE *out, struct sahm_err *err);

/* Hash of only the bursts. */
void burst_list_hash(const struct burst_list *l, uint8_t hash[HASH_BYTES]);

#endif
