/* The tables of a store. */
#ifndef SAHM_RESULTS_STORE_STORE_SCHEMA_H
#define SAHM_RESULTS_STORE_STORE_SCHEMA_H

#include "sim/base/textbuf.h"

/* PRAGMA application_id ("SAHM") and user_version. */
#define STORE_APPLICATION 0x5341484d
#define STORE_VERSION 4

/* Appends the statements that make them: store_schema.sql, with a column for each metric of a run. */
void store_write_schema(struct textbuf *out);

#endif
