#include "sim/base/err.h"

#include <stdio.h>
#include <string.h>

static void clean_message(char *msg)
{
	for (char *p = msg; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c < 0x20 || c == 0x7f)
			*p = '?';
	}
}

static enum sahm_status fail_va(struct sahm_err *err, enum sahm_status status, const char *file, unsigned line,
				const char *fmt, va_list ap)
{
	if (!err)
		return status;
	int used = 0;
	err->status = status;
	if (file && line)
		used = snprintf(err->msg, sizeof(err->msg), "%s:%u: ", file, line);
	else if (file)
		used = snprintf(err->msg, sizeof(err->msg), "%s: ", file);
	if (used < 0)
		used = 0;
	if ((size_t)used < sizeof(err->msg))
		vsnprintf(err->msg + used, sizeof(err->msg) - (size_t)used, fmt, ap);
	clean_message(err->msg);
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

int sahm_exit_code(enum sahm_status status)
{
	static const int codes[] = {
#define STATUS(name, exit_code, summary) exit_code,
#include "sim/base/status_list.h"
#undef STATUS
	};
	return codes[status];
}
