/* Runs that failed in a way that is known by how their messages begin. */
#include <string.h>

#include "results/store/store_internal.h"

enum sahm_status store_failed_runs(struct store *store, const struct store_part *part, const char *beginning,
				   uint8_t (*hashes)[HASH_BYTES], size_t room, size_t *nr, struct sahm_err *err)
{
	int code = SQLITE_DONE;
	sqlite3_stmt *s =
		store_prepare(store, "SELECT hash FROM run AS r WHERE state = 2 AND "
				     "substr(message, 1, length(?4)) = ?4 AND EXISTS (SELECT 1 FROM point AS p "
				     "WHERE p.run = r.id AND p.sweep = ?1 AND p.position % ?2 = ?3) ORDER BY id");
	*nr = 0;
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, part->sweep);
	sqlite3_bind_int64(s, 2, store_integer(part->nr));
	sqlite3_bind_int64(s, 3, store_integer(part->index));
	sqlite3_bind_text(s, 4, beginning, -1, SQLITE_STATIC);
	while (*nr < room && (code = sqlite3_step(s)) == SQLITE_ROW)
		if (sqlite3_column_bytes(s, 0) == (int)HASH_BYTES)
			memcpy(hashes[(*nr)++], sqlite3_column_blob(s, 0), HASH_BYTES);
	enum sahm_status status = *nr == room || code == SQLITE_DONE ? SAHM_OK : store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}
