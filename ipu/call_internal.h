/* Calls: what call.c (arguments) and call_read.c (journals) share. */
#ifndef SAHM_IPU_CALL_INTERNAL_H
#define SAHM_IPU_CALL_INTERNAL_H

#include "ipu/call.h"

/* How a journal calls the hash of the file that a call names. */
#define HASH_NAME "hash"

enum value_kind {
	VALUE_UNIT,
	VALUE_WHOLE,
	VALUE_SIZE,
	VALUE_ADDRESS,
	VALUE_FILE,
	VALUE_SETTING,
	VALUE_MODE,
	VALUE_FLAG
};

/* An argument of a call. */
struct argument_row {
	enum ipu_call_kind call;
	enum ipu_argument argument;
	enum value_kind kind;
	bool is_needed;
	const char *name, *value; /* "address", "ADDR" */
	uint64_t min, max;
};

extern const struct argument_row ipu_argument_rows[];
extern const size_t nr_ipu_argument_rows;

#endif
