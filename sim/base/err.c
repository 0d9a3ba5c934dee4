#include "sim/base/err.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/clean.h"

/* Copies `whole` into a message; the middle of one that is too long is left out, since the subject comes first and the
 * reason last. */
static void fit(char msg[SAHM_ERR_BYTES], const char *whole)
{
	static const char gap[] = "...";
	size_t len = strlen(whole), tail = SAHM_ERR_BYTES / 2, head = SAHM_ERR_BYTES - tail - sizeof(gap);
	if (len < SAHM_ERR_BYTES) {
		memcpy(msg, whole, len + 1);
		return;
	}
	memcpy(msg, whole, head);
	memcpy(msg + head, gap, sizeof(gap) - 1);
	memcpy(msg + head + sizeof(gap) - 1, whole + len - tail, tail + 1);
}

static enum sahm_status fail_va(struct sahm_err *err, enum sahm_status status, const char *file, unsigned line,
				const char *fmt, va_list ap)
{
	char whole[SAHM_WHOLE_BYTES];
	int used = 0;
	if (!err)
		return status;
	if (file && line)
		used = snprintf(whole, sizeof(whole), "%s:%u: ", file, line);
	else if (file)
		used = snprintf(whole, sizeof(whole), "%s: ", file);
	if (used < 0)
		used = 0;
	if ((size_t)used < sizeof(whole))
		vsnprintf(whole + used, sizeof(whole) - (size_t)used, fmt, ap);
	err->status = status;
	fit(err->msg, whole);
	clean_text(err->msg);
	return status;
}

enum sahm_status sahm_fail(struct sahm_err *err, enum sahm_status status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fail_va(err, status, NULL, 0, fmt, ap);
	va_end(ap);
	return status;
}

enum sahm_status sahm_fail_at(struct sahm_err *err, enum sahm_status status, const char *file, unsigned line,
			      const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fail_va(err, status, file, line, fmt, ap);
	va_end(ap);
	return status;
}

enum sahm_status sahm_fail_nomem(struct sahm_err *err)
{
	return sahm_fail(err, SAHM_NOMEM, "out of memory");
}

bool sahm_is_environment(enum sahm_status status)
{
	return status == SAHM_IO || status == SAHM_NOMEM;
}

int sahm_exit_code(enum sahm_status status)
{
	static const int codes[] = {
#define STATUS(name, exit_code, summary) exit_code,
#include "sim/base/status_list.h"
#undef STATUS
	};
	return codes[status];
}
