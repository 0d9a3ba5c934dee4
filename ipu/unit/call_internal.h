/* Calls: what call.c (arguments) and call_read.c (journals) share. */
#ifndef SAHM_IPU_UNIT_CALL_INTERNAL_H
#define SAHM_IPU_UNIT_CALL_INTERNAL_H

#include "ipu/unit/call.h"

/* How a journal calls what is no argument: the hashes of files that a call names, and the day of a judgement. */
#define HASH_NAME "hash"
#define TRUST_HASH_NAME "trust-hash"
#define SOFT_HASH_NAME "soft-hash"
#define DATE_NAME "date"

enum value_kind {
	VALUE_UNIT,
	VALUE_WHOLE,
	VALUE_SIZE,
	VALUE_ADDRESS,
	VALUE_FILE,
	VALUE_TRUST,
	VALUE_SOFT,
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
