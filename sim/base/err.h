/* Errors.
 *
 * A function that can fail returns an `enum sahm_status` and takes, as its last parameter, a `struct sahm_err` that the
 * caller owns. On failure the struct holds the status and one whole message, with the place in the *input* in front
 * where there is one (`a.csv:12: negative count '-3' in column 'branches'`); on success it is untouched.
 * Messages: lower case, problem first, subject quoted, no full stop, no line break.
 */
#ifndef SAHM_SIM_BASE_ERR_H
#define SAHM_SIM_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

enum sahm_status {
#define STATUS(name, exit_code, summary) name,
#include "sim/base/status_list.h"
#undef STATUS
};

/* Longest message kept, with its closing NUL; of what is longer, the middle is left out. */
#define SAHM_ERR_BYTES 1024

/* Longest message that is put together before it is fitted into a struct sahm_err. */
#define SAHM_WHOLE_BYTES 8192

struct sahm_err {
	enum sahm_status status;
	char msg[SAHM_ERR_BYTES];
};

#if defined(__GNUC__)
#define SAHM_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define SAHM_PRINTF(fmt, first)
#endif

/* Fills `err` (may be NULL: the message is dropped) and returns `status`, so that callers can `return sahm_fail(...)`.
 * Control characters in the result are replaced by '?': input is quoted in messages and must not drive a terminal. */
enum sahm_status sahm_fail(struct sahm_err *err, enum sahm_status status, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* The same with a place in the input in front: `file:line: message`, or `file: message` when `line` is 0, or only the
 * message when `file` is NULL. */
enum sahm_status sahm_fail_at(struct sahm_err *err, enum sahm_status status, const char *file, unsigned line,
			      const char *fmt, ...) SAHM_PRINTF(5, 6);

/* `sahm_fail` with a fixed text for a failed allocation. */
enum sahm_status sahm_fail_nomem(struct sahm_err *err);

/* Whether `status` is a failure of this machine at this moment, such as a disk that cannot be read or memory that runs
 * out, rather than of what was asked for: another try may succeed, so that nothing is concluded from it. */
bool sahm_is_environment(enum sahm_status status);

/* Exit code that the program ends with on `status`: 0, 1 or 2. */
int sahm_exit_code(enum sahm_status status);

#endif
