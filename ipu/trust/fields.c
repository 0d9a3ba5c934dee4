#include <stdio.h>
#include <string.h>

#include "ipu/trust/fields_internal.h"
#include "ipu/trust/key.h"

void field_walk_init(struct field_walk *w, const char *file, const char *text, size_t len, struct sahm_err *err)
{
	*w = (struct field_walk){.file = file, .text = text, .at = text, .end = text + len, .err = err};
}

enum sahm_status field_fail(const struct field_walk *w, const char *fmt, ...)
{
	char msg[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return sahm_fail_at(w->err, SAHM_FORMAT, w->file, w->line, "%s", msg);
}

/* The next line without its end; there is one. */
static enum sahm_status next_line(struct field_walk *w, const char **text, size_t *len)
{
	const char *eol = memchr(w->at, '\n', (size_t)(w->end - w->at));
	w->line++;
	for (const char *c = w->at; c < (eol ? eol : w->end); c++)
		if (*c < 0x20 || *c > 0x7e)
			return field_fail(w, "byte 0x%02x does not belong in it", (unsigned)(unsigned char)*c);
	if (!eol)
		return field_fail(w, "the line has no end: the file was cut short");
	*text = w->at;
	*len = (size_t)(eol - w->at);
	w->at = eol + 1;
	return SAHM_OK;
}

enum sahm_status field_header(struct field_walk *w, const char *what, const char *const *headers, size_t *which)
{
	for (size_t i = 0; headers[i]; i++) {
		size_t len = strlen(headers[i]);
		if ((size_t)(w->end - w->at) <= len || memcmp(w->at, headers[i], len) != 0 || w->at[len] != '\n')
			continue;
		w->at += len + 1;
		w->line++;
		*which = i;
		return SAHM_OK;
	}
	w->line++;
	return field_fail(w, "this is no %s: the first line must be '%s'", what, headers[0]);
}

enum sahm_status field_skip_comments(struct field_walk *w)
{
	const char *text;
	size_t len;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK && w->at < w->end && *w->at == '#')
		status = next_line(w, &text, &len);
	return status;
}

bool field_is_next(const struct field_walk *w, const char *name)
{
	size_t name_len = strlen(name), left = (size_t)(w->end - w->at);
	return left >= name_len + 2 && memcmp(w->at, name, name_len) == 0 && memcmp(w->at + name_len, ": ", 2) == 0;
}

enum sahm_status field_value(struct field_walk *w, const char *name, const char **value, size_t *len)
{
	size_t name_len = strlen(name);
	const char *text = NULL;
	if (w->at == w->end) {
		w->line++;
		return field_fail(w, "the line '%s: ...' is missing", name);
	}
	enum sahm_status status = next_line(w, &text, len);
	if (status != SAHM_OK)
		return status;
	if (*len < name_len + 2 || memcmp(text, name, name_len) != 0 || memcmp(text + name_len, ": ", 2) != 0)
		return field_fail(w, "the line must be '%s: ...'", name);
	*value = text + name_len + 2;
	*len -= name_len + 2;
	return *len > 0 ? SAHM_OK : field_fail(w, "%s is empty", name);
}

enum sahm_status field_hex(struct field_walk *w, const char *name, uint8_t *bytes, size_t nr_bytes)
{
	const char *value = NULL;
	size_t len = 0;
	enum sahm_status status = field_value(w, name, &value, &len);
	if (status == SAHM_OK && !key_read_hex(value, len, bytes, nr_bytes))
		status = field_fail(w, "%s must be %zu lower-case hexadecimal digits", name, 2 * nr_bytes);
	return status;
}

enum sahm_status field_end(struct field_walk *w)
{
	if (w->at == w->end)
		return SAHM_OK;
	w->line++;
	return field_fail(w, "nothing may follow the last line");
}
