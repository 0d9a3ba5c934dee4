/* Companions: the files that belong to a results database and stand beside it, called like it with an ending: SQLite's
 * log with its index, SQLite's journal, and the manifest of a sweep. Whoever replaces one damages the database. */
#ifndef SAHM_SIM_BASE_COMPANION_H
#define SAHM_SIM_BASE_COMPANION_H

#include <stdbool.h>

#include "sim/base/err.h"

#define MANIFEST_ENDING ".manifest"

/* Endings of their names: first those of SQLite's files, then MANIFEST_ENDING, NULL at the end. */
extern const char *const companion_endings[];

/* Whether `path` is a regular file that begins as an SQLite database does. */
bool database_is_one(const char *path);

/* Refuses to write a file or folder called `path` where that is a companion of a database which is there, whether
 * itself or through a link. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status companion_refuse(const char *path, struct sahm_err *err);

#endif
