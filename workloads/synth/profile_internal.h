/* Reading profiles: what its files share. */
#ifndef SAHM_WORKLOADS_PROFILE_INTERNAL_H
#define SAHM_WORKLOADS_PROFILE_INTERNAL_H

#include "sim/base/lines.h"
#include "sim/base/suggest.h"
#include "workloads/synth/profile.h"

enum profile_key {
#define KEY(suffix, name, required, help) KEY_##suffix,
#include "workloads/synth/profile_key_list.h"
#undef KEY
	NR_PROFILE_KEYS
};

/* Fields of the table: the name, the columns, the states. */
enum { FIELD_NAME = NR_PROFILE_COLUMNS, FIELD_STATE, NR_FIELDS = FIELD_STATE + NR_STATES };

struct profile_reader {
	struct line_reader lines;
	struct profile *p;
	struct sahm_err *err;
	unsigned field_of[NR_FIELDS]; /* by place in the table */
	unsigned nr_fields;
	bool in_table[NR_FIELDS];
	unsigned line_of_key[NR_PROFILE_KEYS];	     /* 0: not there */
	unsigned line_of_column[NR_PROFILE_COLUMNS]; /* where it stands above the table */
	decimal for_all[NR_PROFILE_COLUMNS];
	unsigned line_of_follow[NR_STATES][NR_STATES];
	size_t room; /* rows */
};

/* Fails with SAHM_FORMAT at the present line. */
enum sahm_status profile_fail(struct profile_reader *r, const char *fmt, ...) SAHM_PRINTF(2, 3);

/* The field called `name`, a state's in any order and letter case; NR_FIELDS when there is none, with a suggestion in
 * `near`. */
unsigned profile_find_field(const char *name, char near[SUGGEST_BYTES]);

/* Reads a value of a column or state. SAHM_FORMAT. */
enum sahm_status profile_read_value(struct profile_reader *r, unsigned field, const char *text, decimal *value);

/* Reads a comment, which begins with '#': a key, a column for all rows, or a remark. SAHM_FORMAT,
 * SAHM_NOMEM. */
enum sahm_status profile_read_comment(struct profile_reader *r, char *text);

/* Checks a row's name, and a row that is complete. SAHM_FORMAT. */
enum sahm_status profile_check_name(struct profile_reader *r, const char *name);
enum sahm_status profile_check_row(struct profile_reader *r, const struct profile_row *row);

#endif
