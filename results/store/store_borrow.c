/* What another store has, without what was found: for plans that only count. */
#include <stdlib.h>
#include <string.h>

#include "results/store/store_internal.h"

static const char copy[] =
	"INSERT INTO main.program (version) SELECT version FROM theirs.program WHERE true ORDER BY id\n"
	"  ON CONFLICT DO NOTHING;\n"
	/* Of a run that was kept without its threads the number of them tells that. */
	"INSERT INTO main.run (hash, program, state, nr_threads) SELECT t.hash, p.id, t.state,\n"
	"  CASE WHEN EXISTS (SELECT 1 FROM theirs.thread AS r WHERE r.run = t.id) THEN NULL ELSE t.nr_threads END\n"
	"  FROM theirs.run AS t\n"
	"  JOIN theirs.program AS q ON q.id = t.program JOIN main.program AS p USING (version)\n"
	"  ORDER BY t.id;\n";

enum sahm_status store_borrow(struct store *store, const char *path, struct sahm_err *err)
{
	struct store *from = NULL;
	char *name = strdup(path);
	enum sahm_status status = name ? store_open(&from, path, STORE_READ, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = store_attach(store, from, err);
	if (status == SAHM_OK) {
		status = store_exec(store, copy, err);
		store_detach(store);
	}
	store_abandon(from);
	/* What is wrong with what it has now is wrong with that store. */
	if (status == SAHM_OK) {
		free(store->path);
		store->path = name;
	} else {
		free(name);
	}
	return status;
}

uint64_t store_bytes(struct store *store)
{
	int64_t pages = 0, size = 0;
	struct sahm_err ignored;
	if (store_ask(store, "PRAGMA page_count", &pages, &ignored) != SAHM_OK ||
	    store_ask(store, "PRAGMA page_size", &size, &ignored) != SAHM_OK)
		return 0;
	return (uint64_t)pages * (uint64_t)size;
}
