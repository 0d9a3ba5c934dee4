/* Why libconfig, which reports a line only, refused a text: walks through its grammar up to the first token that does
 * not fit. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/cfg_internal.h"
#include "sim/base/number.h"

/* Longest token and longest line quoted in a message. */
#define MAX_TOKEN_CHARS 40
#define MAX_LINE_CHARS 72

struct grammar {
	const char *at; /* after the token */
	const char *token;
	const char *before; /* the end of the token before it */
	bool is_missing;    /* something is missing, at the latest before the token */
	size_t len;	    /* 0: the end of the text */
	char *why;
	size_t room;
};

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '*' ||
	       c == '+' || c == '.';
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

static bool walk_value(struct grammar *g);

/* After an opening bracket, up to and with `closer`. */
static bool walk_elements(struct grammar *g, char closer)
{
	next_token(g);
	if (is_sign(g, closer)) {
		next_token(g);
		return true;
	}
	for (;;) {
		if (!walk_value(g))
			return false;
		if (is_sign(g, closer))
			break;
		if (!is_sign(g, ','))
			return MISS(g, "',' or '%c' is missing", closer);
		next_token(g);
		if (is_sign(g, closer))
			return REFUSE(g, "no ',' may precede '%c'", closer);
	}
	next_token(g);
	return true;
}

/* Settings up to `closer`, or to the end when it is 0; the token is the first one. */
static bool walk_settings(struct grammar *g, char closer)
{
	while (g->len > 0 && !(closer && is_sign(g, closer))) {
		if (*g->token == '"')
			return REFUSE(g, "a key has no quotes");
		if (!is_word(g))
			return REFUSE(g, "'%.*s' does not begin a setting", quoted(g), g->token);
		if (memchr(g->token, '.', g->len))
			return REFUSE(g, "a file writes section.key as section : { key = ...; }");
		const char *name = g->token;
		int len = quoted(g);
		next_token(g);
		if (!is_sign(g, '=') && !is_sign(g, ':'))
			return MISS(g, "'=' is missing after '%.*s'", len, name);
		next_token(g);
		if (!walk_value(g))
			return false;
		if (is_sign(g, ';') || is_sign(g, ','))
			next_token(g);
	}
	return true;
}

static bool walk_value(struct grammar *g)
{
	if (is_sign(g, '[') || is_sign(g, '('))
		return walk_elements(g, *g->token == '[' ? ']' : ')');
	if (is_sign(g, '{')) {
		next_token(g);
		if (!walk_settings(g, '}'))
			return false;
		next_token(g);
		return true;
	}
	bool is_truth = (g->len == 4 && strncasecmp(g->token, "true", 4) == 0) ||
			(g->len == 5 && strncasecmp(g->token, "false", 5) == 0);
	if (is_word(g) && !is_truth)
		return REFUSE(g, "text needs quotes: \"%.*s\"", quoted(g), g->token);
	if (g->len == 0 || (*g->token != '"' && !is_name_byte(*g->token)))
		return MISS(g, "a value is missing");
	bool is_string = *g->token == '"';
	do
		next_token(g);
	while (is_string && g->len > 0 && *g->token == '"');
	return true;
}

/* Writes the line around `at`, with ">>>" before `at`. */
static void write_line(const char *text, const char *at, char *line, size_t room)
{
	const char *begin = at;
	while (begin > text && begin[-1] != '\n' && at - begin < MAX_LINE_CHARS / 2)
		begin--;
	begin += strspn(begin, " \t") < (size_t)(at - begin) ? strspn(begin, " \t") : (size_t)(at - begin);
	size_t before = (size_t)(at - begin), after = strcspn(at, "\r\n");
	if (after > MAX_LINE_CHARS - before)
		after = MAX_LINE_CHARS - before;
	snprintf(line, room, "%.*s>>>%.*s", (int)before, begin, (int)after, at);
}

bool cfg_explain_syntax(const char *text, unsigned *line, char *why, size_t room)
{
	char reason[160], quote[4 * MAX_LINE_CHARS];
	struct grammar g = {.at = text, .why = reason, .room = sizeof(reason)};
	next_token(&g);
	if (walk_settings(&g, 0))
		return false;
	/* A part missing at the end of a line shows only on the next one. */
	bool is_later = memchr(g.before, '\n', (size_t)(g.token - g.before));
	const char *at = g.is_missing && is_later ? g.before : g.token;
	*line = 1;
	for (const char *p = text; p < at; p++)
		*line += *p == '\n';
	write_line(text, at, quote, sizeof(quote));
	snprintf(why, room, "%s, at >>> in '%s'", reason, quote);
	return true;
}
