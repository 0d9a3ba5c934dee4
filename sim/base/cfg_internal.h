/* Between the files of the configuration reader. */
#ifndef SAHM_SIM_BASE_CFG_INTERNAL_H
#define SAHM_SIM_BASE_CFG_INTERNAL_H

#include "sim/base/cfg.h"
#include "sim/base/suggest.h"

/* Where a line of the expanded text came from. */
struct cfg_origin {
	const char *file;
	unsigned line;
};

/* A growing list of places. */
struct cfg_origins {
	struct cfg_origin *at;
	size_t nr, room;
};

/* Text with its includes put in place, scanned and found sane. */
struct cfg_text {
	struct textbuf text;
	struct cfg_origins lines;    /* [line - 1]: where each line came from */
	struct cfg_origins settings; /* where each setting (named value or element) begins, in the order of the text */
};

/* Scans `len` bytes that came from `file`, follows includes, and appends all to `out`, which the caller has zeroed with
 * its buffer initialised and releases with cfg_text_release() either way. */
enum sahm_status cfg_scan(struct arena *a, const char *file, const char *text, size_t len, struct cfg_text *out,
			  struct sahm_err *err);

void cfg_text_release(struct cfg_text *t);

/* Room for what cfg_explain_syntax() and cfg_mark_line() write. */
#define CFG_EXPLAIN_BYTES 640

/* Finds the first place in the `limit` bytes that cfg_scan() accepted, or right after them, that breaks the grammar.
 * Sets *place, and writes what was expected and the line with the place marked into `why`. False if it finds none. */
bool cfg_explain_syntax(const struct cfg_text *t, size_t limit, struct cfg_origin *place, char *why, size_t room);

/* Writes `reason` and the line around `at`, a place in the text, with ">>>" before it. */
void cfg_mark_line(const struct cfg_text *t, const char *at, const char *reason, char *why, size_t room);

/* Opens the regular file `path` for an include below the file `file`, the one that was named; the caller
 * closes *fd. SAHM_CONFIG when it stands where that must not include from: then it has not been opened. SAHM_IO. */
enum sahm_status cfg_open_include(const char *file, const char *path, int *fd, struct sahm_err *err);

/* The key whose path is `pattern` ("a.b[].c"), or NULL. */
const struct cfg_key *cfg_find_key(const struct cfg_key *keys, size_t nr_keys, const char *pattern);

/* The known key nearest to an unknown one, as suggest_text() says it. */
const char *cfg_nearest_key(const struct cfg_key *keys, size_t nr_keys, const char *pattern, char text[SUGGEST_BYTES]);

/* Kinds that a key allows: either pair of brackets does for many values, since only () holds mixed types. */
unsigned cfg_allowed_kinds(const struct cfg_key *key);

/* Of these, what a single value in brackets can be. */
unsigned cfg_scalar_kinds(const struct cfg_key *key);

#endif
