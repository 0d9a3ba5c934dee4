/* Calls of the host as text, a line each, as journals of sessions hold them (session.h):
 *
 *	sahm-ipu-session 1
 *	attach abi="core.abi" hash=5f70... units=2
 *	config-image unit=all image="pics 2.elf" set="cut=12" hash=0c11...
 *	config-start address=0x400000
 *	pause unit=1
 *
 * A call's name, then its arguments in any order, in the names of call_list.h, with one or more blanks between. A value
 * with blanks or quotes in it, or with nothing, stands in double quotes, with a backslash in front of quotes and
 * backslashes. `hash` belongs to the file that a call names, `trust-hash` to its trust file, `soft-hash` to its soft
 *logic; `date` is the day used to check whether its image may be loaded. Empty lines and lines that begin with # are
 *passed over.
 */
#ifndef SAHM_IPU_UNIT_CALL_H
#define SAHM_IPU_UNIT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/trust/date.h"
#include "ipu/unit/device.h"
#include "ipu/unit/mode.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"
#include "sim/base/textbuf.h"

/* The first line of a journal. */
#define IPU_SESSION_HEAD "sahm-ipu-session 1"

/* Value of the argument UNIT for all units. */
#define IPU_ALL_UNITS UINT64_MAX

/* Most cycles that one call can let pass. */
#define IPU_MAX_FEED_CYCLES UINT64_C(1000000000000000)

enum ipu_call_kind {
#define CALL(symbol, id, name, operand, summary, details) IPU_CALL_##symbol,
#define OPERAND(call, argument, name, value, kind, min, max, help)
#define OPTION(call, argument, needed, name, value, kind, min, max, help)
#define END(call)
#include "ipu/unit/session_call_list.h"
#undef CALL
#undef OPERAND
#undef OPTION
#undef END
	NR_IPU_CALLS
};

enum ipu_argument {
	IPU_ARG_UNIT,
	IPU_ARG_ABI,
	IPU_ARG_ADD,
	IPU_ARG_UNITS,
	IPU_ARG_HIT_MHZ,
	IPU_ARG_IPU_MHZ,
	IPU_ARG_MODE,
	IPU_ARG_MAX_CYCLES,
	IPU_ARG_FIFO,
	IPU_ARG_LIMIT,
	IPU_ARG_TRUST,
	IPU_ARG_SOFT,
	IPU_ARG_SOFT_MHZ,
	IPU_ARG_IMAGE,
	IPU_ARG_SET,
	IPU_ARG_ADDRESS,
	IPU_ARG_SIGNALS,
	IPU_ARG_CYCLES,
	NR_IPU_ARGUMENTS
};

/* A file that a call names. */
struct ipu_call_file {
	const char *name; /* NULL: none */
	bool has_hash;
	uint8_t hash[HASH_BYTES];
};

struct ipu_call {
	enum ipu_call_kind kind;
	unsigned line;			    /* in the journal, 0: none */
	uint32_t given;			    /* arguments, a bit each */
	uint64_t numbers[NR_IPU_ARGUMENTS]; /* of those that are numbers */
	struct ipu_mode mode;
	struct ipu_call_file file, trust, soft;
	uint32_t date; /* date.h; 0: nothing was checked */
	const char **settings;
	size_t nr_settings, settings_room;
};

/* The call's name: "config-image". */
const char *ipu_call_name(enum ipu_call_kind kind);

/* Sets an argument, which the call has, from text that is copied into `a`. `prefix` stands in front of its name in
 * messages ("--"). SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status ipu_call_set(struct ipu_call *call, struct arena *a, enum ipu_argument argument, const char *text,
			      const char *prefix, struct sahm_err *err);

/* Its value, or `otherwise` where it was not given. */
uint64_t ipu_call_number(const struct ipu_call *call, enum ipu_argument argument, uint64_t otherwise);

/* SAHM_USAGE when an argument that the call needs is missing. */
enum sahm_status ipu_call_check(const struct ipu_call *call, const char *prefix, struct sahm_err *err);

/* Appends the call's line, with its end. SAHM_RANGE (it is too long, or a file's name has a control character in it),
 * SAHM_NOMEM. */
enum sahm_status ipu_call_write(const struct ipu_call *call, struct textbuf *out, struct sahm_err *err);

/* Reads a journal, `text[len]`, which `file` stands for in messages; the calls live in `a`. SAHM_FORMAT (with the line,
 * and a suggestion where a name is near), SAHM_NOMEM. */
enum sahm_status ipu_calls_read(struct arena *a, const char *file, const char *text, size_t len,
				struct ipu_call **calls, size_t *nr, struct sahm_err *err);

#endif
