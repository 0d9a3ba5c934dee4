/* JSON with the liberties of rt-app's workgen. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/number.h"
#include "workloads/bursts/rtapp_internal.h"

struct parser {
	struct arena *arena;
	const char *file, *at; /* a NUL ends the text */
	unsigned line, depth;
	struct sahm_err *err;
};

static enum sahm_status SAHM_PRINTF(2, 3) fail(const struct parser *p, const char *fmt, ...)
{
	char text[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return sahm_fail_at(p->err, SAHM_CONFIG, p->file, p->line, "%s", text);
}

/* Moves past *p->at. */
static void step(struct parser *p)
{
	p->line += *p->at++ == '\n';
}

/* Moves to the next token. A comment that does not end lasts until the end of the text. */
static void skip_blanks(struct parser *p)
{
	while (*p->at) {
		if (strchr(" \t\r\n", *p->at)) {
			step(p);
		} else if (p->at[0] == '/' && p->at[1] == '*') {
			for (p->at += 2; *p->at && !(p->at[0] == '*' && p->at[1] == '/');)
				step(p);
			p->at += *p->at ? 2 : 0;
		} else if (p->at[0] == '/' && p->at[1] == '/') {
			p->at += strcspn(p->at, "\n");
		} else {
			return;
		}
	}
}

static enum sahm_status read_string(struct parser *p, const char **string)
{
	const char *from = p->at + 1, *end = from;
	for (; *end != '"'; end++) {
		if ((unsigned char)*end < ' ')
			return fail(p, "a string does not end on its line");
		if (*end == '\\' && (end[1] == 'u' || end[1] == '\0'))
			return fail(p, "a string with an escape that is not supported");
		end += *end == '\\';
		if ((unsigned char)*end < ' ')
			return fail(p, "a string does not end on its line");
	}
	char *copy = arena_strndup(p->arena, from, (size_t)(end - from)), *to = copy;
	if (!copy)
		return sahm_fail_nomem(p->err);
	for (const char *c = from; c < end; c++) {
		c += *c == '\\';
		*to++ = *c;
	}
	*to = '\0';
	p->at = end + 1;
	*string = copy;
	return SAHM_OK;
}

/* A number, true, false or null. */
static enum sahm_status read_word(struct parser *p, struct cfg_node *node)
{
	size_t len = strcspn(p->at, " \t\r\n,:{}[]\"/");
	char word[64];
	uint64_t whole;
	if (len == 0 || len >= sizeof(word))
		return fail(p, "a value is missing");
	memcpy(word, p->at, len);
	word[len] = '\0';
	p->at += len;
	bool negative = word[0] == '-';
	if (number_read_u64(word + negative, len - negative, &whole) == NUMBER_OK && whole <= INT64_MAX) {
		node->kind = CFG_INT;
		node->value.integer = negative ? -(int64_t)whole : (int64_t)whole;
	} else if (strcmp(word, "null") == 0) {
		node->kind = CFG_STRING;
		node->value.string = "";
	} else if (strcasecmp(word, "true") == 0 || strcasecmp(word, "false") == 0) {
		node->kind = CFG_BOOL;
		node->value.truth = word[0] == 't' || word[0] == 'T';
	} else if (number_read_double(word, &node->value.real) == NUMBER_OK) {
		node->kind = CFG_FLOAT;
	} else {
		return fail(p, "'%s' is no value", word);
	}
	return SAHM_OK;
}

static enum sahm_status read_value(struct parser *p, struct cfg_node *node);

/* What an object or a list holds, up to its closing bracket. */
static enum sahm_status read_members(struct parser *p, struct cfg_node *parent, char closing)
{
	enum sahm_status status = SAHM_OK;
	p->at++;
	if (++p->depth > MAX_CFG_DEPTH)
		return fail(p, "more than %d brackets within each other", MAX_CFG_DEPTH);
	while (status == SAHM_OK) {
		skip_blanks(p);
		if (*p->at == ',') {
			p->at++;
			continue;
		}
		if (*p->at == closing)
			break;
		if (!*p->at)
			return fail(p, "the file ends within the bracket of line %u", parent->line);
		struct cfg_node *node = arena_alloc(p->arena, 1, sizeof(*node));
		if (!node)
			return sahm_fail_nomem(p->err);
		*node = (struct cfg_node){.kind = CFG_STRING, .file = p->file, .line = p->line, .value.string = ""};
		if (closing == '}') {
			if (*p->at != '"')
				return fail(p, "a key in quotes is missing");
			status = read_string(p, &node->name);
			skip_blanks(p);
		}
		bool has_value = closing == ']' || *p->at == ':';
		p->at += closing == '}' && has_value;
		if (status == SAHM_OK && has_value)
			status = read_value(p, node);
		cfg_put(parent, node);
	}
	p->at += status == SAHM_OK;
	p->depth--;
	return status;
}

static enum sahm_status read_value(struct parser *p, struct cfg_node *node)
{
	skip_blanks(p);
	switch (*p->at) {
	case '{':
		node->kind = CFG_GROUP;
		node->value.integer = 0;
		return read_members(p, node, '}');
	case '[':
		node->kind = CFG_LIST;
		node->value.integer = 0;
		return read_members(p, node, ']');
	case '"':
		return read_string(p, &node->value.string);
	default:
		return read_word(p, node);
	}
}

enum sahm_status rtapp_parse(struct arena *a, const char *file, const char *text, size_t len, struct cfg_node **root,
			     struct sahm_err *err)
{
	struct parser p = {.arena = a, .file = file, .at = text, .line = 1, .err = err};
	if (strlen(text) != len)
		return fail(&p, "a workload of rt-app is text, and here is a NUL");
	*root = arena_alloc(a, 1, sizeof(**root));
	if (!*root)
		return sahm_fail_nomem(err);
	skip_blanks(&p);
	**root = (struct cfg_node){.kind = CFG_GROUP, .file = file, .line = p.line};
	if (*p.at != '{')
		return fail(&p, "not a workload of rt-app: it begins with no '{'");
	enum sahm_status status = read_members(&p, *root, '}');
	if (status == SAHM_OK)
		skip_blanks(&p);
	return status != SAHM_OK || !*p.at ? status : fail(&p, "text after the closing '}'");
}
