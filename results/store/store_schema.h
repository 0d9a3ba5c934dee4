/* The tables of a store. */
#ifndef SAHM_RESULTS_STORE_STORE_SCHEMA_H
#define SAHM_RESULTS_STORE_STORE_SCHEMA_H

#include "sim/base/textbuf.h"

/* PRAGMA application_id ("SAHM") and user_version. */
#define STORE_APPLICATION 0x5341484d
#define STORE_VERSION 4

/* Further metrics of energy of the thread `t`, as in struct energy_metrics, with the same rounding: expressions in SQL,
 * NULL where there is none. */
#define STORE_THREAD_POWER_W "t.energy_j / (t.present_ns / 1e9)"
#define STORE_THREAD_DELAY "(t.present_ns / 1e9 / (t.completed_ns / 1e9))"
#define STORE_THREAD_EDP "t.energy_j / (t.completed_ns / 1e9) * " STORE_THREAD_DELAY
#define STORE_THREAD_ED2P STORE_THREAD_EDP " * " STORE_THREAD_DELAY

/* Appends the statements that make them: store_schema.sql, with a column for each metric of a run. */
void store_write_schema(struct textbuf *out);

#endif
