/* A layer over SQLite's own access to files, through which every store is opened.
 *
 * SQLite does more to files than a store needs. It replays a rollback journal that stands beside a database and then
 * deletes the file which that journal names, wherever that is; it also creates files for logs and for large sorts.
 * A store has a log and the log's index, and nothing else, so this layer refuses the rest: no journal is ever seen,
 * opened or deleted, no temporary file is made, and a reader neither creates nor deletes nor writes a file.
 * (The index of a log that is being written is memory which readers share; SQLite opens it without asking the layer.)
 */
#include <string.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "sim/base/file.h"

struct layer {
	sqlite3_vfs vfs; /* comes first: SQLite hands out a pointer to it */
	sqlite3_vfs *base;
	bool writes;
};

static int layer_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given)
{
	const struct layer *l = (const struct layer *)vfs;
	file->pMethods = NULL;
	if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)))
		return SQLITE_CANTOPEN;
	if (!l->writes)
		flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
	else if (flags & SQLITE_OPEN_MAIN_DB)
		flags &= ~SQLITE_OPEN_CREATE;
	return l->base->xOpen(l->base, name, file, flags, given);
}

static int layer_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	const struct layer *l = (const struct layer *)vfs;
	if (!l->writes || !text_ends_in(name, "-wal"))
		return SQLITE_IOERR_DELETE;
	return l->base->xDelete(l->base, name, sync_folder);
}

static int layer_access(sqlite3_vfs *vfs, const char *name, int flags, int *is)
{
	const struct layer *l = (const struct layer *)vfs;
	*is = 0;
	return text_ends_in(name, "-journal") ? SQLITE_OK : l->base->xAccess(l->base, name, flags, is);
}

int store_register_vfs(void)
{
	/* A writer and the readers beside it take SQLite's locks. A reader of a store that nobody writes needs no
	 * locks. */
	static const struct {
		const char *name, *base;
		bool writes;
	} rows[] = {
		{STORE_VFS_WRITE, NULL, true},
		{STORE_VFS_LIVE, NULL, false},
		{STORE_VFS_STILL, "unix-none", false},
	};
	static struct layer layers[ARRAY_SIZE(rows)];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct layer *l = &layers[i];
		sqlite3_vfs *base = sqlite3_vfs_find(rows[i].base);
		if (sqlite3_vfs_find(rows[i].name))
			continue;
		if (!base)
			return SQLITE_ERROR;
		*l = (struct layer){*base, base, rows[i].writes};
		l->vfs.zName = rows[i].name;
		l->vfs.pNext = NULL;
		l->vfs.xOpen = layer_open;
		l->vfs.xDelete = layer_delete;
		l->vfs.xAccess = layer_access;
		int code = sqlite3_vfs_register(&l->vfs, 0);
		if (code != SQLITE_OK)
			return code;
	}
	return SQLITE_OK;
}
