#include "sim/base/companion.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"

const char *const companion_endings[] = {"-wal", "-shm", "-journal", MANIFEST_ENDING, NULL};

bool is_database_file(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char bytes[sizeof(magic)];
	int fd = file_open_regular(path, NULL);
	if (fd < 0)
		return false;
	ssize_t nr = read(fd, bytes, sizeof(bytes));
	close(fd);
	return nr == (ssize_t)sizeof(bytes) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

static enum sahm_status refuse_name(const char *path, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	size_t len = strlen(path);
	/* The name of a folder may end with slashes. */
	while (len > 1 && path[len - 1] == '/')
		len--;
	for (const char *const *e = companion_endings; *e && status == SAHM_OK; e++) {
		size_t ending = strlen(*e);
		if (len <= ending || strncmp(path + len - ending, *e, ending) != 0)
			continue;
		char *database = strndup(path, len - ending);
		if (!database)
			return sahm_fail_nomem(err);
		if (is_database_file(database))
			status = sahm_fail(err, SAHM_USAGE, "'%.*s' cannot be written: it belongs to the database '%s'",
					   (int)len, path, database);
		free(database);
	}
	return status;
}

enum sahm_status companion_refuse(const char *path, struct sahm_err *err)
{
	enum sahm_status status = refuse_name(path, err);
	if (status != SAHM_OK)
		return status;
	char *target = file_behind_links(path);
	status = target ? refuse_name(target, err) : sahm_fail_nomem(err);
	free(target);
	return status;
}
