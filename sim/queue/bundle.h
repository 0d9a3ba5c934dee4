/* Bundles: what a worker on another machine needs to carry out the runs of a sweep.
 *
 * A bundle is a text, identified by its hash: the sweep's configuration with its section `sweep`, in which files are
 * numbered ("3/mcf.csv.zst"), and a section `bundle` (keys: bundle.c) with the program, the evaluator, and one row
 * per file: name, length, hash of the bytes. Files travel by that hash (transfer.h). A file cache (file_cache.h)
 * makes a folder with the text and the numbered files. So a worker needs no shared disk.
 *
 * A plug-in does not travel: code comes from the worker's disk, by the same hash, or not at all. Neither does
 * introspection.trust: programs were checked where the sweep was planned, and are checked again against what the
 * worker's owner trusts; signatures travel with their images.
 *
 * A fetched bundle is untrusted. A text that names a file it does not list, includes another text, or does not have
 * the expected hash is refused before anything is opened. */
#ifndef SAHM_SIM_QUEUE_BUNDLE_H
#define SAHM_SIM_QUEUE_BUNDLE_H

#include "sim/sweep/sweep.h"

/* Limits of what is made, and of what is taken. */
#define MAX_BUNDLE_BYTES (UINT64_C(8) << 20)
#define MAX_BUNDLE_FILES 4096u
#define MAX_BUNDLE_FILE_BYTES (UINT64_C(256) << 20)
#define MAX_BUNDLE_NAME 200u

/* Name of the text in the folder of a bundle. */
#define BUNDLE_CONFIG "sweep.cfg"

enum bundle_file_kind {
	BUNDLE_DATA,	  /* anything that is read as data: traces, bursts, programs for IPUs and what they see */
	BUNDLE_SIGNATURE, /* of the image with the same number: the image's name plus ".sig" */
	BUNDLE_PLUGIN,	  /* does not travel */
};

struct bundle_file {
	enum bundle_file_kind kind;
	uint32_t number; /* of the folder that it stands in, from 0 */
	const char
		*name; /* without folder: no "/", no control characters, not "." or "..", up to MAX_BUNDLE_NAME bytes */
	uint64_t bytes;
	uint8_t hash[HASH_BYTES]; /* of its bytes */
	const char *path;	  /* where it is, in the process that made the bundle; else NULL */
};

struct bundle {
	struct arena arena;
	const char *text; /* [len] */
	size_t len;
	uint8_t hash[HASH_BYTES]; /* of the text: hash_init(), hash_add(text), hash_end() */
	const char *program;	  /* model_version() of the program that planned the runs */
	const char *name;	  /* of the sweep, for people */
	enum evaluator evaluator;
	unsigned timeout_s;    /* of a run; 0: none */
	uint64_t memory_bytes; /* of its process; 0: any */
	struct bundle_file *files;
	uint32_t nr_files;
};

/* Makes the bundle of `sweep`, which stays as it is: reads and hashes all files. On success the caller releases it.
 * SAHM_IO; SAHM_RANGE: a file or all of it is larger than the limits; SAHM_CONFIG: an axis varies introspection.trust;
 * SAHM_NOMEM. */
enum sahm_status bundle_make(struct bundle *b, const struct sweep *sweep, unsigned timeout_s, uint64_t memory_bytes,
			     struct sahm_err *err);

/* Reads a bundle that came from elsewhere: `text` may be anything, and has to have `hash`. On success the caller
 * releases it. SAHM_CHECKSUM, SAHM_FORMAT (with what is wrong with it), SAHM_NOMEM. */
enum sahm_status bundle_read(struct bundle *b, const char *text, size_t len, const uint8_t hash[HASH_BYTES],
			     struct sahm_err *err);
void bundle_release(struct bundle *b);

/* What is the worker's own. */
struct bundle_host {
	const char *trust;	 /* a file that says which programs for IPUs are trusted; NULL: all are */
	struct run_cache *cache; /* of traces, as in struct sweep_request; may be NULL */
};

/* Opens the sweep of a bundle whose files are in `folder` as file_cache_place() puts them, so that sweep_evaluate()
 * can carry out its points. On success the caller releases `sweep`. SAHM_FORMAT: it names a file that it does not
 * list; else as sweep_read() fails. */
enum sahm_status bundle_open(struct sweep *sweep, const struct bundle *b, const char *folder,
			     const struct bundle_host *host, struct sahm_err *err);

#endif
