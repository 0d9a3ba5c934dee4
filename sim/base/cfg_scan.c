/* The strict pass over configuration text before libconfig sees it: includes, numbers, duplicates, nesting. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/cfg_internal.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/quantity.h"

#define MAX_INCLUDE_DEPTH 8
#define MAX_INCLUDES 1000
/* Longest piece of input quoted in a message. */
#define QUOTE_CHARS 40
/* Longest number with a unit that can have been meant as one. */
#define MAX_UNIT_WORD 16u

struct name_seen {
	const char *name;
	struct cfg_origin at;
	struct name_seen *next;
};

struct scope {
	char closer;	       /* 0 for the root */
	bool element_expected; /* in lists and arrays: the next value begins an element */
	unsigned nr_names;
	struct name_seen *names;
};

struct scanner {
	struct arena *arena;
	struct cfg_text *out;
	struct scope scopes[MAX_CFG_DEPTH + 1];
	unsigned depth;
	const char *files[MAX_INCLUDE_DEPTH]; /* being included, outermost first */
	unsigned nr_files;
	unsigned nr_includes; /* so far, in all files */
	const char *file;
	unsigned line;
	const char *at, *end;
	const char *word; /* the token just passed, if it can be a name, from the arena; else NULL */
	struct cfg_origin word_at;
	struct sahm_err *err;
};

void cfg_text_release(struct cfg_text *t)
{
	textbuf_release(&t->text);
	free(t->lines.at);
	free(t->settings.at);
	*t = (struct cfg_text){0};
	textbuf_init(&t->text);
}

static enum sahm_status add_origin(struct scanner *s, struct cfg_origins *list, struct cfg_origin origin)
{
	if (list->nr == list->room) {
		size_t room = list->room ? list->room * 2 : 64;
		struct cfg_origin *at = realloc(list->at, room * sizeof(*at));
		if (!at)
			return sahm_fail_nomem(s->err);
		list->at = at;
		list->room = room;
	}
	list->at[list->nr++] = origin;
	return SAHM_OK;
}

static int quote_len(size_t len)
{
	return (int)(len < QUOTE_CHARS ? len : QUOTE_CHARS);
}

static enum sahm_status begin_line(struct scanner *s)
{
	return add_origin(s, &s->out->lines, (struct cfg_origin){s->file, s->line});
}

/* Copies bytes up to `to`, starting a new line of the output at each line end. */
static enum sahm_status copy_to(struct scanner *s, const char *to)
{
	while (s->at < to) {
		const char *eol = memchr(s->at, '\n', (size_t)(to - s->at));
		const char *stop = eol ? eol + 1 : to;
		textbuf_add(&s->out->text, s->at, (size_t)(stop - s->at));
		s->at = stop;
		if (eol) {
			s->line++;
			if (begin_line(s) != SAHM_OK)
				return SAHM_NOMEM;
		}
	}
	return SAHM_OK;
}

static const char *line_end(const struct scanner *s)
{
	const char *eol = memchr(s->at, '\n', (size_t)(s->end - s->at));
	return eol ? eol : s->end;
}

/* The text at s->at breaks the grammar: what is wrong there, unless an earlier place explains it. A message without a
 * place quotes the line only where it shows more than `reason` does. */
static enum sahm_status fail_syntax(struct scanner *s, const char *fmt, ...) SAHM_PRINTF(2, 3);
static enum sahm_status fail_syntax(struct scanner *s, const char *fmt, ...)
{
	char reason[160], why[CFG_EXPLAIN_BYTES];
	struct cfg_text *t = s->out;
	struct cfg_origin place = {s->file, s->line};
	size_t limit = t->text.len;
	va_list args;
	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	textbuf_add(&t->text, s->at, (size_t)(line_end(s) - s->at));
	if (textbuf_failed(&t->text))
		return sahm_fail_nomem(s->err);
	if (!cfg_explain_syntax(t, limit, &place, why, sizeof(why))) {
		if (!s->file)
			return sahm_fail(s->err, SAHM_CONFIG, "%s", reason);
		cfg_mark_line(t, t->text.text + limit, reason, why, sizeof(why));
	}
	return sahm_fail_at(s->err, SAHM_CONFIG, place.file, place.line, "%s", why);
}

static enum sahm_status skip_string(struct scanner *s)
{
	const char *p = s->at + 1;
	while (p < s->end && *p != '"') {
		if (*p == '\n')
			return fail_syntax(s, "a string is not closed on its line");
		if (s->end - p >= 4 && memcmp(p, "\\x00", 4) == 0)
			return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "a string cannot hold byte 0x00");
		p += (*p == '\\' && p + 1 < s->end && p[1] != '\n') ? 2 : 1;
	}
	if (p >= s->end)
		return fail_syntax(s, "a string is not closed on its line");
	return copy_to(s, p + 1);
}

static enum sahm_status skip_block_comment(struct scanner *s)
{
	for (const char *p = s->at + 2; p + 1 < s->end; p++)
		if (p[0] == '*' && p[1] == '/')
			return copy_to(s, p + 2);
	return fail_syntax(s, "a comment is not closed");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
}

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '+' || c == '.';
}

static enum sahm_status check_integer(struct scanner *s, const char *word, const char *digits, size_t nr_digits,
				      int base, bool wide)
{
	uint64_t v = 0, limit = wide ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX;
	if (*word == '-')
		limit++;
	bool fits = true;
	for (size_t i = 0; i < nr_digits && fits; i++) {
		char c = digits[i] | 0x20; /* letters to lower case, digits as they are */
		uint64_t d = is_digit(digits[i]) ? (uint64_t)(digits[i] - '0') : (uint64_t)(c - 'a' + 10);
		fits = v <= (limit - d) / (uint64_t)base && d <= limit;
		v = v * (uint64_t)base + d;
	}
	if (fits)
		return SAHM_OK;
	int len = quote_len((size_t)(digits - word) + nr_digits);
	if (wide)
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line,
				    "integer '%.*s' overflows: it does not fit 64 bits", len, word);
	/* With more digits it may not fit 64 bits either. */
	bool may_be_wide = nr_digits <= (base == 10 ? 18u : 15u);
	return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line,
			    "integer '%.*s' overflows: it does not fit 32 bits%s", len, word,
			    may_be_wide ? " (write larger ones with an L: 3000000000L)" : "");
}

static bool is_hex_digit(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static enum sahm_status check_number(struct scanner *s, const char *word, size_t len)
{
	size_t body = len, sign = word[0] == '-' || word[0] == '+', from = sign;
	while (body > from && word[body - 1] == 'L' && len - body < 2)
		body--;
	bool wide = body < len;
	int base = 10;
	if (body - from > 2 && word[from] == '0' && (word[from + 1] | 0x20) == 'x') {
		base = 16;
		from += 2;
	}
	size_t digits = from;
	while (digits < body && (base == 16 ? is_hex_digit(word[digits]) : is_digit(word[digits])))
		digits++;
	if (digits == body && digits > from && !(base == 16 && sign))
		return check_integer(s, word, word + from, digits - from, base, wide);

	double value;
	char *copy = arena_strndup(s->arena, word, len);
	if (!copy)
		return sahm_fail_nomem(s->err);
	switch (wide ? NUMBER_NOT : number_read_double(copy, &value)) {
	case NUMBER_OK:
		return SAHM_OK;
	case NUMBER_OVERFLOW:
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "number '%.*s' overflows", quote_len(len),
				    word);
	case NUMBER_UNDERFLOW:
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "number '%.*s' is too small: it would be 0",
				    quote_len(len), word);
	default:
		if (s->file && !(len > 1 && (word[1] | 0x20) == 'x' && word[0] == '0') && word[len - 1] != 'L' &&
		    len <= MAX_UNIT_WORD && quantity_is_one(copy))
			return fail_syntax(s, "a number with a unit needs quotes: \"%.*s\"", quote_len(len), word);
		return fail_syntax(s, "malformed number '%.*s'", quote_len(len), word);
	}
}

static enum sahm_status fail_duplicate(struct scanner *s, const struct name_seen *first)
{
	const struct cfg_origin at = s->word_at;
	int len = quote_len(strlen(first->name));
	if (!at.file)
		return sahm_fail(s->err, SAHM_CONFIG, "duplicate key '%.*s'", len, first->name);
	return sahm_fail_at(s->err, SAHM_CONFIG, at.file, at.line, "duplicate key '%.*s' (first set at %s:%u)", len,
			    first->name, first->at.file, first->at.line);
}

/* The word just passed was given a value: it begins a setting, and must be the first of that name in its group. */
static enum sahm_status note_name(struct scanner *s, const char *word)
{
	struct scope *scope = &s->scopes[s->depth];
	struct cfg_origin at = s->word_at;
	if (add_origin(s, &s->out->settings, at) != SAHM_OK)
		return SAHM_NOMEM;
	for (const struct name_seen *n = scope->names; n; n = n->next)
		if (strcmp(n->name, word) == 0)
			return fail_duplicate(s, n);
	if (++scope->nr_names > MAX_CFG_GROUP_KEYS)
		return sahm_fail_at(s->err, SAHM_CONFIG, at.file, at.line, "more than %d keys in one group",
				    MAX_CFG_GROUP_KEYS);
	struct name_seen *n = arena_alloc(s->arena, 1, sizeof(*n));
	if (!n)
		return sahm_fail_nomem(s->err);
	*n = (struct name_seen){word, at, scope->names};
	scope->names = n;
	return SAHM_OK;
}

/* A value, or the bracket that opens one, begins: in a list or array that is a separate setting. */
static enum sahm_status begin_value(struct scanner *s)
{
	struct scope *scope = &s->scopes[s->depth];
	if (scope->closer != ')' && scope->closer != ']')
		return SAHM_OK;
	if (!scope->element_expected)
		return fail_syntax(s, "',' is missing");
	scope->element_expected = false;
	return add_origin(s, &s->out->settings, (struct cfg_origin){s->file, s->line});
}

static enum sahm_status scan_word(struct scanner *s)
{
	const char *word = s->at, *p = word;
	while (p < s->end && is_word(*p))
		p++;
	size_t len = (size_t)(p - word);
	enum sahm_status status = begin_value(s);
	if (status == SAHM_OK && !is_letter(*word))
		status = check_number(s, word, len);
	if (status != SAHM_OK)
		return status;
	if (is_letter(*word)) {
		s->word = arena_strndup(s->arena, word, len);
		s->word_at = (struct cfg_origin){s->file, s->line};
		if (!s->word)
			return sahm_fail_nomem(s->err);
	}
	return copy_to(s, p);
}

static enum sahm_status scan_bracket(struct scanner *s)
{
	char c = *s->at;
	if (c == '{' || c == '(' || c == '[') {
		if (s->depth == MAX_CFG_DEPTH)
			return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "nested deeper than %d levels",
					    MAX_CFG_DEPTH);
		enum sahm_status status = begin_value(s);
		if (status != SAHM_OK)
			return status;
		s->scopes[++s->depth] = (struct scope){
			.closer = c == '{'   ? '}'
				  : c == '(' ? ')'
					     : ']',
			.element_expected = c != '{',
		};
	} else {
		if (s->scopes[s->depth].closer != c)
			return fail_syntax(s, "'%c' closes nothing", c);
		s->depth--;
	}
	return copy_to(s, s->at + 1);
}

static enum sahm_status scan_all(struct scanner *s);

/* `path` as seen from the folder of `from`. A file, even if it is called "-". */
static char *beside(struct arena *a, const char *from, const char *path, size_t len)
{
	static const char here[] = "./";
	size_t folder = path[0] != '/' ? (size_t)(base_name(from) - from) : 0;
	if (folder == 0 && len == 1 && path[0] == '-') {
		from = here;
		folder = sizeof(here) - 1;
	}
	char *joined = arena_alloc(a, folder + len + 1, 1);
	if (joined) {
		memcpy(joined, from, folder);
		memcpy(joined + folder, path, len);
	}
	return joined;
}

static enum sahm_status include_file(struct scanner *s, const char *path)
{
	const struct scanner outer = *s;
	char *text = NULL;
	size_t len;
	struct sahm_err cause;
	for (unsigned i = 0; i < s->nr_files; i++)
		if (strcmp(s->files[i], path) == 0)
			return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "'%s' includes itself", path);
	if (s->nr_files == MAX_INCLUDE_DEPTH)
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "includes nested deeper than %d levels",
				    MAX_INCLUDE_DEPTH);
	int fd;
	enum sahm_status status = cfg_open_include(s->files[0], path, &fd, &cause);
	if (status == SAHM_OK) {
		status = file_read_open(fd, path, MAX_CFG_BYTES, &text, &len, &cause);
		close(fd);
	}
	if (status != SAHM_OK)
		return sahm_fail_at(s->err, status, s->file, s->line, "%s", cause.msg);
	s->files[s->nr_files++] = path;
	s->file = path;
	s->line = 1;
	s->at = text;
	s->end = text + len;
	status = begin_line(s);
	if (status == SAHM_OK)
		status = scan_all(s);
	free(text);
	s->nr_files = outer.nr_files;
	s->file = outer.file;
	s->line = outer.line;
	s->at = outer.at;
	s->end = outer.end;
	return status;
}

/* A line with only `@include "path"`. The line itself is not copied; lines around keep their origins. */
static enum sahm_status scan_include(struct scanner *s)
{
	static const char word[] = "@include";
	const char *eol = line_end(s), *p = s->at + sizeof(word) - 1;
	if (!s->file)
		return sahm_fail(s->err, SAHM_CONFIG, "nothing can be included here");
	if (++s->nr_includes > MAX_INCLUDES)
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "more than %d includes", MAX_INCLUDES);
	if ((size_t)(eol - s->at) < sizeof(word) || memcmp(s->at, word, sizeof(word) - 1) != 0)
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "'@' begins nothing but @include \"file\"");
	for (size_t i = s->out->text.len; i > 0 && s->out->text.text[i - 1] != '\n'; i--)
		if (!is_blank(s->out->text.text[i - 1]))
			return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "@include needs a separate line");
	while (p < eol && is_blank(*p))
		p++;
	const char *close = p < eol && *p == '"' ? memchr(p + 1, '"', (size_t)(eol - p - 1)) : NULL;
	if (!close || close == p + 1)
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "@include needs a file name in quotes");
	const char *rest = close + 1;
	while (rest < eol && is_blank(*rest))
		rest++;
	if (rest < eol && *rest != '#' && !(eol - rest >= 2 && rest[0] == '/' && rest[1] == '/'))
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "@include needs a separate line");
	char *path = beside(s->arena, s->file, p + 1, (size_t)(close - p - 1));
	if (!path)
		return sahm_fail_nomem(s->err);
	s->at = close + 1;
	textbuf_putc(&s->out->text, '\n');
	enum sahm_status status = include_file(s, path);
	if (status != SAHM_OK)
		return status;
	textbuf_putc(&s->out->text, '\n');
	return begin_line(s);
}

/* A sign between values. */
static enum sahm_status scan_sign(struct scanner *s, const char *word)
{
	struct scope *scope = &s->scopes[s->depth];
	bool in_group = scope->closer != ')' && scope->closer != ']';
	enum sahm_status status = SAHM_OK;
	if (*s->at == ',')
		scope->element_expected = !in_group;
	else if (word && in_group && (*s->at == '=' || *s->at == ':'))
		status = note_name(s, word);
	return status == SAHM_OK ? copy_to(s, s->at + 1) : status;
}

static enum sahm_status scan_one(struct scanner *s)
{
	char c = *s->at, after = s->at + 1 < s->end ? s->at[1] : '\0';
	if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
		return copy_to(s, s->at + 1);
	if (c == '#' || (c == '/' && after == '/'))
		return copy_to(s, line_end(s));
	if (c == '/' && after == '*')
		return skip_block_comment(s);
	if (c == '@')
		return scan_include(s);

	const char *word = s->word;
	s->word = NULL;
	if (c == '"') {
		enum sahm_status status = begin_value(s);
		return status == SAHM_OK ? skip_string(s) : status;
	}
	if (strchr("{}()[]", c))
		return scan_bracket(s);
	if (is_word(c))
		return scan_word(s);
	if ((unsigned char)c < 0x20)
		return sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line, "byte 0x%02x does not belong in text",
				    (unsigned)(unsigned char)c);
	return scan_sign(s, word);
}

/* A NUL would end the text for libconfig, wherever it stands. */
static enum sahm_status check_nul(const struct scanner *s)
{
	const char *nul = memchr(s->at, '\0', (size_t)(s->end - s->at));
	unsigned line = s->line;
	if (!nul)
		return SAHM_OK;
	for (const char *p = s->at; p < nul; p++)
		line += *p == '\n';
	return sahm_fail_at(s->err, SAHM_CONFIG, s->file, line, "byte 0x00 does not belong in text");
}

static enum sahm_status scan_all(struct scanner *s)
{
	static const char mark[] = "\xef\xbb\xbf"; /* byte order mark */
	if ((size_t)(s->end - s->at) >= sizeof(mark) - 1 && memcmp(s->at, mark, sizeof(mark) - 1) == 0)
		s->at += sizeof(mark) - 1;
	enum sahm_status status = check_nul(s);
	while (status == SAHM_OK && s->at < s->end) {
		status = scan_one(s);
		/* The same included many times over must not fill the memory. */
		if (status == SAHM_OK && s->out->text.len > MAX_CFG_BYTES)
			status = sahm_fail_at(s->err, SAHM_CONFIG, s->file, s->line,
					      "more than %zu bytes with its includes", MAX_CFG_BYTES);
	}
	return status;
}

enum sahm_status cfg_scan(struct arena *a, const char *file, const char *text, size_t len, struct cfg_text *out,
			  struct sahm_err *err)
{
	struct scanner s = {.arena = a, .out = out, .file = file, .line = 1, .at = text, .end = text + len, .err = err};
	s.files[s.nr_files++] = file;
	enum sahm_status status = begin_line(&s);
	if (status == SAHM_OK)
		status = scan_all(&s);
	if (status == SAHM_OK && s.depth > 0)
		status = fail_syntax(&s, "'%c' is missing at the end", s.scopes[s.depth].closer);
	/* libconfig takes a comment for one only if a line end follows. */
	textbuf_putc(&out->text, '\n');
	if (status == SAHM_OK)
		status = begin_line(&s);
	if (status == SAHM_OK && textbuf_failed(&out->text))
		status = sahm_fail_nomem(err);
	return status;
}
