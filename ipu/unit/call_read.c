/* Journals of sessions, read. */
#include <stdio.h>
#include <string.h>

#include "ipu/unit/call_internal.h"
#include "sim/base/lines.h"
#include "sim/base/suggest.h"

struct reader {
	struct arena *a;
	struct line_reader lines;
	struct ipu_call *calls;
	size_t nr, room;
	struct sahm_err *err;
};

static enum sahm_status fail(const struct reader *r, const char *fmt, ...) SAHM_PRINTF(2, 3);

static enum sahm_status fail(const struct reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum sahm_status status = line_reader_fail(&r->lines, r->err, fmt, ap);
	va_end(ap);
	return status;
}

/* Takes the next word, up to a blank or to `end`, off the line; "" at its end. */
static const char *next_word(char **rest, char end)
{
	char *word = *rest + strspn(*rest, " "), *p = word;
	while (*p && *p != ' ' && *p != end)
		p++;
	*rest = p;
	return word;
}

/* Takes a value off the line, without its quotes, in place; NULL when its quotes do not end. */
static char *next_value(char **rest)
{
	char *from = *rest, *to = *rest, *value = *rest;
	bool is_quoted = *from == '"';
	for (from += is_quoted; *from && *from != (is_quoted ? '"' : ' '); *to++ = *from++)
		if (is_quoted && *from == '\\' && (from[1] == '"' || from[1] == '\\'))
			from++;
	if (is_quoted && (*from != '"' || (from[1] && from[1] != ' ')))
		return NULL;
	*rest = *from ? from + 1 : from;
	*to = '\0';
	return value;
}

static enum sahm_status read_hash(const struct reader *r, const struct ipu_call *call, struct ipu_call_file *file,
				  const char *name, const char *text)
{
	static const char digits[] = "0123456789abcdef";
	if (file->has_hash)
		return fail(r, "'%s' has %s twice", ipu_call_name(call->kind), name);
	if (strlen(text) != 2 * HASH_BYTES || strspn(text, digits) != 2 * HASH_BYTES)
		return fail(r, "%s is '%s', must be %u hexadecimal digits", name, text, 2 * HASH_BYTES);
	for (unsigned i = 0; i < HASH_BYTES; i++)
		file->hash[i] = (uint8_t)((strchr(digits, text[2 * i]) - digits) << 4 |
					  (strchr(digits, text[2 * i + 1]) - digits));
	file->has_hash = true;
	return SAHM_OK;
}

static enum sahm_status read_date(const struct reader *r, struct ipu_call *call, const char *text)
{
	if (call->date)
		return fail(r, "'%s' has " DATE_NAME " twice", ipu_call_name(call->kind));
	if (!date_read(text, strlen(text), &call->date))
		return fail(r, DATE_NAME " is '%s', must be " DATE_FORM, text);
	return SAHM_OK;
}

static enum sahm_status set_argument(const struct reader *r, struct ipu_call *call, const struct argument_row *row,
				     const char *text)
{
	struct sahm_err why;
	if (row->kind != VALUE_SETTING && call->given >> row->argument & 1)
		return fail(r, "'%s' has %s twice", ipu_call_name(call->kind), row->name);
	if (row->kind == VALUE_FLAG && strcmp(text, "yes") != 0)
		return fail(r, "%s is '%s', must be yes", row->name, text);
	enum sahm_status status = ipu_call_set(call, r->a, row->argument, text, "", &why);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(r->err);
	return status == SAHM_OK ? SAHM_OK : fail(r, "%s", why.msg);
}

/* name=value */
static enum sahm_status read_argument(const struct reader *r, struct ipu_call *call, char **rest)
{
	char near[SUGGEST_BYTES], name[64];
	struct suggest s;
	const char *word = next_word(rest, '=');
	size_t len = (size_t)(*rest - word);
	snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name) - 1), word);
	if (**rest != '=')
		return fail(r, "'%s' has no value: '%s=...'", name, name);
	++*rest;
	const char *value = next_value(rest);
	if (!value)
		return fail(r, "the quotes of '%s' do not end, or are followed by something", name);
	suggest_init(&s, name);
	for (size_t i = 0; i < nr_ipu_argument_rows; i++) {
		const struct argument_row *row = &ipu_argument_rows[i];
		if (row->call != call->kind)
			continue;
		if (strcmp(row->name, name) == 0)
			return set_argument(r, call, row, value);
		suggest_offer(&s, row->name);
	}
	if (strcmp(name, HASH_NAME) == 0)
		return read_hash(r, call, &call->file, HASH_NAME, value);
	if (strcmp(name, TRUST_HASH_NAME) == 0)
		return read_hash(r, call, &call->trust, TRUST_HASH_NAME, value);
	if (strcmp(name, SOFT_HASH_NAME) == 0)
		return read_hash(r, call, &call->soft, SOFT_HASH_NAME, value);
	if (strcmp(name, DATE_NAME) == 0)
		return read_date(r, call, value);
	return fail(r, "'%s' has no '%s'%s", ipu_call_name(call->kind), name, suggest_text(&s, near));
}

static enum sahm_status find_call(const struct reader *r, const char *name, enum ipu_call_kind *kind)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (int k = 0; k < NR_IPU_CALLS; k++) {
		*kind = (enum ipu_call_kind)k;
		if (strcmp(ipu_call_name(*kind), name) == 0)
			return SAHM_OK;
		suggest_offer(&s, ipu_call_name(*kind));
	}
	return fail(r, "unknown call '%s'%s", name, suggest_text(&s, near));
}

static enum sahm_status read_call(const struct reader *r, struct ipu_call *call)
{
	char *rest = r->lines.text, name[64];
	struct sahm_err why;
	const char *word = next_word(&rest, '\0');
	size_t len = (size_t)(rest - word);
	snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name) - 1), word);
	*call = (struct ipu_call){.line = r->lines.line};
	enum sahm_status status = find_call(r, name, &call->kind);
	while (status == SAHM_OK && rest[strspn(rest, " ")])
		status = read_argument(r, call, &rest);
	if (status != SAHM_OK)
		return status;
	if (ipu_call_check(call, "", &why) != SAHM_OK)
		return fail(r, "%s", why.msg);
	if (call->file.has_hash != (call->file.name != NULL))
		return fail(r,
			    call->file.name ? "'%s' names a file and has no " HASH_NAME
					    : "'%s' has a " HASH_NAME " of nothing",
			    name);
	if (call->trust.has_hash != (call->trust.name != NULL))
		return fail(r,
			    call->trust.name ? "'%s' names a trust file and has no " TRUST_HASH_NAME
					     : "'%s' has a " TRUST_HASH_NAME " of nothing",
			    name);
	if (call->soft.has_hash != (call->soft.name != NULL))
		return fail(r,
			    call->soft.name ? "'%s' names soft logic and has no " SOFT_HASH_NAME
					    : "'%s' has a " SOFT_HASH_NAME " of nothing",
			    name);
	if (call->date && call->kind != IPU_CALL_IMAGE)
		return fail(r, "'%s' has a " DATE_NAME ", but no trust file", name);
	return SAHM_OK;
}

static enum sahm_status add_call(struct reader *r, const struct ipu_call *call)
{
	if (r->nr == r->room) {
		size_t room = r->room ? 2 * r->room : 16;
		struct ipu_call *more = arena_alloc(r->a, room, sizeof(*more));
		if (!more)
			return sahm_fail_nomem(r->err);
		if (r->nr)
			memcpy(more, r->calls, r->nr * sizeof(*more));
		r->calls = more;
		r->room = room;
	}
	r->calls[r->nr++] = *call;
	return SAHM_OK;
}

static enum sahm_status read_lines(struct reader *r)
{
	struct ipu_call call;
	bool more;
	enum sahm_status status = line_reader_next(&r->lines, &more, r->err);
	if (status == SAHM_OK && (!more || strcmp(r->lines.text, IPU_SESSION_HEAD) != 0))
		return sahm_fail_at(r->err, SAHM_FORMAT, r->lines.file, 0,
				    "not a session: its first line is not '" IPU_SESSION_HEAD "'");
	while (status == SAHM_OK && more) {
		/* A line is added as a whole: one without an end is what is left of something. */
		if (!r->lines.ended)
			return fail(r, "cut short: the line has no end");
		status = line_reader_next(&r->lines, &more, r->err);
		if (status != SAHM_OK || !more)
			break;
		const char *text = r->lines.text + strspn(r->lines.text, " ");
		if (!*text || *text == '#')
			continue;
		status = read_call(r, &call);
		if (status == SAHM_OK)
			status = add_call(r, &call);
	}
	return status;
}

enum sahm_status ipu_calls_read(struct arena *a, const char *file, const char *text, size_t len,
				struct ipu_call **calls, size_t *nr, struct sahm_err *err)
{
	struct reader r = {.a = a, .err = err};
	/* A stream of nothing cannot be had everywhere. */
	if (len == 0)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "not a session: it is empty");
	FILE *in = fmemopen((void *)(uintptr_t)text, len, "r");
	if (!in)
		return sahm_fail_nomem(err);
	enum sahm_status status = line_reader_init(&r.lines, in, file, err);
	if (status == SAHM_OK) {
		status = read_lines(&r);
		line_reader_release(&r.lines);
	}
	fclose(in);
	if (status == SAHM_OK) {
		*calls = r.calls;
		*nr = r.nr;
	}
	return status;
}
