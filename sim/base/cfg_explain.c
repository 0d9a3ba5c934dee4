/* Why the scan or libconfig, which reports a line only, refused a text: walks through the grammar up to the first token
 * that does not fit. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/array.h"
#include "sim/base/cfg_internal.h"
#include "sim/base/number.h"

/* Longest token and longest line quoted in a message. */
#define MAX_TOKEN_CHARS 40
#define MAX_LINE_CHARS 72

struct grammar {
	const struct cfg_text *text;
	const char *limit; /* the first byte that the scan refused, or the end */
	const char *at;	   /* after the token */
	const char *token;
	const char *before; /* the end of the token before it */
	bool is_missing;    /* something is missing, at the latest before the token */
	size_t len;	    /* 0: the end of the text */
	char *why;	    /* "": no fault up to the limit */
	size_t room;
};

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '*' ||
	       c == '+' || c == '.';
}

/* Whether a character goes on with `c`. */
static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static const char *skip_comment(const char *p)
{
	if (*p == '#' || (p[0] == '/' && p[1] == '/'))
		return p + strcspn(p, "\n");
	if (p[0] == '/' && p[1] == '*') {
		const char *end = strstr(p + 2, "*/");
		return end ? end + 2 : p + strlen(p);
	}
	return p;
}

static void next_token(struct grammar *g)
{
	const char *p = g->at, *before;
	g->before = p;
	do {
		before = p;
		p = skip_comment(p + strspn(p, " \t\r\n\f"));
	} while (p != before);
	g->token = p;
	if (*p == '"') {
		for (p++; *p && *p != '"'; p++)
			p += *p == '\\' && p[1];
		p += *p == '"';
	} else if (is_name_byte(*p)) {
		while (is_name_byte(*p))
			p++;
	} else {
		p += *p != '\0';
		while (is_inside_character(*p))
			p++;
	}
	g->at = p;
	g->len = (size_t)(p - g->token);
}

static bool is_sign(const struct grammar *g, char sign)
{
	return g->len == 1 && *g->token == sign;
}

static bool is_word(const struct grammar *g)
{
	char c = *g->token;
	return g->len > 0 && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*' || c == '_');
}

static int quoted(const struct grammar *g)
{
	return (int)(g->len < MAX_TOKEN_CHARS ? g->len : MAX_TOKEN_CHARS);
}

#define REFUSE(g, ...) (snprintf((g)->why, (g)->room, __VA_ARGS__), false)
#define MISS(g, ...) ((g)->is_missing = true, REFUSE(g, __VA_ARGS__))

/* Nothing is known about what follows the limit. */
static bool is_beyond(const struct grammar *g)
{
	return g->token > g->limit || (g->len == 0 && *g->limit);
}

static struct cfg_origin origin_of(const struct cfg_text *t, const char *at)
{
	size_t line = 0;
	for (const char *p = t->text.text; p < at; p++)
		line += *p == '\n';
	return t->lines.at[line < t->lines.nr ? line : t->lines.nr - 1];
}

/* The place of a fault. A part missing at the end of a line shows only on the next one. */
static const char *fault_of(const struct grammar *g)
{
	/* Only then the token follows `before`: other faults may have turned back to an earlier one. */
	if (!g->is_missing)
		return g->token;
	return memchr(g->before, '\n', (size_t)(g->token - g->before)) ? g->before : g->token;
}

/* `what` is missing inside the bracket at `opener`, whose line is named if it is another one. */
static bool miss_closer(struct grammar *g, const char *what, const char *opener)
{
	if (g->len == 0) {
		g->token = opener;
		return REFUSE(g, "'%c' is not closed", *opener);
	}
	g->is_missing = true;
	struct cfg_origin open = origin_of(g->text, opener), here = origin_of(g->text, fault_of(g));
	if (!open.file || (open.file == here.file && open.line == here.line))
		return REFUSE(g, "%s is missing", what);
	if (open.file == here.file)
		return REFUSE(g, "%s is missing (its '%c' is on line %u)", what, *opener, open.line);
	return REFUSE(g, "%s is missing (its '%c' is at %.80s:%u)", what, *opener, open.file, open.line);
}

static bool walk_value(struct grammar *g, bool in_list);

/* After the opening bracket at `opener`, up to and with `closer`. */
static bool walk_elements(struct grammar *g, const char *opener, char closer)
{
	const char *missing = closer == ']' ? "',' or ']'" : "',' or ')'";
	next_token(g);
	if (is_sign(g, closer)) {
		next_token(g);
		return true;
	}
	for (;;) {
		if (g->len == 0)
			return miss_closer(g, missing, opener);
		bool is_string = *g->token == '"';
		if (!walk_value(g, true))
			return false;
		if (is_sign(g, closer))
			break;
		if (is_string && g->len > 0 && *g->token == '"')
			return MISS(g, "a comma is missing between two strings");
		if (!is_sign(g, ','))
			return miss_closer(g, missing, opener);
		next_token(g);
		if (is_sign(g, closer))
			return REFUSE(g, "no ',' may precede '%c'", closer);
	}
	next_token(g);
	return true;
}

static bool is_digits(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_digit(text[i]))
			return false;
	return len > 0;
}

/* Whether the token continues the setting's value, a whole number, after a comma: "1,5". */
static bool is_decimal_comma(const struct grammar *g, const char *value)
{
	return is_digits(g->token, g->len) && g->token - value >= 2 && g->token[-1] == ',' &&
	       is_digits(value, (size_t)(g->token - value) - 1);
}

/* A setting and what separates it from the next one; the token is its first. */
static bool walk_setting(struct grammar *g)
{
	if (*g->token == '"')
		return REFUSE(g, "a key has no quotes");
	if (is_sign(g, '}') || is_sign(g, ')') || is_sign(g, ']'))
		return REFUSE(g, "'%c' closes nothing", *g->token);
	if (!is_word(g))
		return REFUSE(g, "'%.*s' does not begin a setting", quoted(g), g->token);
	if (memchr(g->token, '.', g->len))
		return REFUSE(g, "a file writes section.key as section : { key = ...; }");
	const char *name = g->token;
	int len = quoted(g);
	next_token(g);
	if (!is_sign(g, '=') && !is_sign(g, ':'))
		return MISS(g, "'%c' is missing after '%.*s'", is_sign(g, '{') ? ':' : '=', len, name);
	bool is_group = is_sign(g, ':');
	next_token(g);
	const char *value = g->token, *after = g->at + strspn(g->at, " \t");
	if (is_word(g) && (*after == '=' || *after == ':'))
		return MISS(g, "%s is missing", is_group ? "'{'" : "a value");
	if (!walk_value(g, false))
		return false;
	if (is_sign(g, ';')) {
		next_token(g);
	} else if (is_sign(g, ',')) {
		next_token(g);
		if (is_decimal_comma(g, value)) {
			int whole = (int)(g->token - value) - 1, part = (int)g->len;
			const char *decimals = g->token;
			g->token = value;
			return REFUSE(g, "decimals have a point: %.*s.%.*s", whole < MAX_TOKEN_CHARS ? whole : 0, value,
				      part < MAX_TOKEN_CHARS ? part : 0, decimals);
		}
	}
	return true;
}

/* Settings up to the end, or up to the '}' of the '{' at `opener`; the token is the first one. */
static bool walk_settings(struct grammar *g, const char *opener)
{
	while (g->len > 0 && !(opener && is_sign(g, '}'))) {
		if (opener && (is_sign(g, ')') || is_sign(g, ']')))
			return miss_closer(g, "'}'", opener);
		if (!walk_setting(g))
			return false;
	}
	return g->len > 0 || !opener || miss_closer(g, "'}'", opener);
}

/* Bytes of the quotation mark at `p` that is not a straight double one: ', or one of text processors; else 0. */
static size_t odd_quote(const char *p)
{
	static const char *const marks[] = {"'",
					    "`",
					    "\xe2\x80\x98",
					    "\xe2\x80\x99",
					    "\xe2\x80\x9a",
					    "\xe2\x80\x9c",
					    "\xe2\x80\x9d",
					    "\xe2\x80\x9e",
					    "\xc2\xab",
					    "\xc2\xbb"};
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (strncmp(p, marks[i], strlen(marks[i])) == 0)
			return strlen(marks[i]);
	return 0;
}

/* The value begins with such a mark. */
static bool refuse_quote(struct grammar *g)
{
	const char *begin = g->token + odd_quote(g->token), *end = begin;
	while (*end && *end != '\n' && *end != '\r' && *end != '"' && !odd_quote(end))
		end++;
	int len = end - begin < MAX_TOKEN_CHARS ? (int)(end - begin) : 0;
	return REFUSE(g, "text needs straight double quotes: \"%.*s\"", len, begin);
}

/* A name or a path that lacks quotes. */
static bool is_bare_text(const struct grammar *g)
{
	const char *p = g->token;
	bool is_truth =
		(g->len == 4 && strncasecmp(p, "true", 4) == 0) || (g->len == 5 && strncasecmp(p, "false", 5) == 0);
	return (is_word(g) && !is_truth) || *p == '/' || *p == '~' || strncmp(p, "./", 2) == 0 ||
	       strncmp(p, "../", 3) == 0;
}

static bool walk_value(struct grammar *g, bool in_list)
{
	const char *opener = g->token;
	if (is_beyond(g))
		return REFUSE(g, "%s", "");
	if (is_sign(g, '[') || is_sign(g, '('))
		return walk_elements(g, opener, *opener == '[' ? ']' : ')');
	if (is_sign(g, '{')) {
		next_token(g);
		if (!walk_settings(g, opener))
			return false;
		next_token(g);
		return true;
	}
	if (odd_quote(g->token))
		return refuse_quote(g);
	if (is_bare_text(g)) {
		size_t len = strcspn(g->token, " \t\r\n,;=(){}[]\"#");
		return REFUSE(g, "text needs quotes: \"%.*s\"", (int)(len < MAX_TOKEN_CHARS ? len : MAX_TOKEN_CHARS),
			      g->token);
	}
	if (g->len == 0 || (*g->token != '"' && !is_name_byte(*g->token)))
		return MISS(g, "a value is missing");
	if (is_digit(*g->token) && *g->at == '%')
		return REFUSE(g, "a unit needs quotes: \"%.*s%%\"", quoted(g), g->token);
	bool is_string = *g->token == '"';
	next_token(g);
	/* Strings one after the other are one, but for those in lists, which need a comma. */
	while (is_string && !in_list && g->len > 0 && *g->token == '"')
		next_token(g);
	return true;
}

void cfg_mark_line(const struct cfg_text *t, const char *at, const char *reason, char *why, size_t room)
{
	const char *text = t->text.text, *begin = at;
	while (begin > text && begin[-1] != '\n' && (at - begin < MAX_LINE_CHARS / 2 || is_inside_character(*begin)))
		begin--;
	begin += strspn(begin, " \t") < (size_t)(at - begin) ? strspn(begin, " \t") : (size_t)(at - begin);
	size_t before = (size_t)(at - begin), after = strcspn(at, "\r\n");
	if (before + after > MAX_LINE_CHARS) {
		after = MAX_LINE_CHARS > before ? MAX_LINE_CHARS - before : 0;
		while (after > 0 && is_inside_character(at[after]))
			after--;
	}
	snprintf(why, room, "%s, at >>> in '%.*s>>>%.*s'", reason, (int)before, begin, (int)after, at);
}

bool cfg_explain_syntax(const struct cfg_text *t, size_t limit, struct cfg_origin *place, char *why, size_t room)
{
	char reason[256] = "";
	const char *text = t->text.text;
	struct grammar g = {.text = t, .limit = text + limit, .at = text, .why = reason, .room = sizeof(reason)};
	next_token(&g);
	if (walk_settings(&g, NULL) || !reason[0] || is_beyond(&g))
		return false;
	const char *at = fault_of(&g);
	*place = origin_of(t, at);
	cfg_mark_line(t, at, reason, why, room);
	return true;
}
