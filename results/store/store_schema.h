/* The tables of a store. */
#ifndef SAHM_RESULTS_STORE_SCHEMA_H
#define SAHM_RESULTS_STORE_SCHEMA_H

/* PRAGMA application_id ("SAHM") and user_version. */
#define STORE_APPLICATION 0x5341484d
#define STORE_VERSION 2

/* The statements that make them. */
extern const char store_schema[];

#endif
