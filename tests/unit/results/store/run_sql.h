/* What somebody else does to a store. */
#ifndef SAHM_TESTS_UNIT_RESULTS_STORE_RUN_SQL_H
#define SAHM_TESTS_UNIT_RESULTS_STORE_RUN_SQL_H

#include <sqlite3.h>

#include "tests/unit/test.h"

static inline void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;
	char *error = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", sql, error);
	sqlite3_close(db);
}

#endif
