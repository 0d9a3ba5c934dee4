/* Companions: the files that belong to a results database. They are in its folder and have its name with an ending:
 * SQLite's log with its index, SQLite's journal, and the manifest of a sweep. To replace one damages the database. */
#ifndef SAHM_SIM_BASE_COMPANION_H
#define SAHM_SIM_BASE_COMPANION_H

#include <stdbool.h>

#include "sim/base/err.h"

#define MANIFEST_ENDING ".manifest"

/* Endings of their names: those of SQLite's files, MANIFEST_ENDING, then NULL. */
extern const char *const companion_endings[];

/* Whether `path` is a regular file that begins as an SQLite database does. */
bool is_database_file(const char *path);

/* Refuses `path` as the name of an output if it, or the file that it links to, is a companion of an existing database.
 * SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status companion_refuse(const char *path, struct sahm_err *err);

#endif
