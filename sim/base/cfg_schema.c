/* Trees against schemas: paths, checks, values with defaults and bounds. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/cfg_internal.h"
#include "sim/base/clean.h"
#include "sim/base/number.h"

enum sahm_status cfg_fail(const struct cfg_node *node, struct sahm_err *err, const char *fmt, ...)
{
	char msg[SAHM_WHOLE_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	/* Errors on the command line are usage errors; only the root of a file has no line either. */
	enum sahm_status status = node->parent && node->line == 0 ? SAHM_USAGE : SAHM_CONFIG;
	return sahm_fail_at(err, status, node->file, node->line, "%s", msg);
}

static unsigned index_of(const struct cfg_node *node)
{
	unsigned i = 0;
	for (const struct cfg_node *n = node->parent->first; n != node; n = n->next)
		i++;
	return i;
}

/* The node's path with the index of each element, or, as a pattern, with [] for any. */
static size_t write_path(const struct cfg_node *node, bool pattern, char *text, size_t room)
{
	if (!node->parent) {
		text[0] = '\0';
		return 0;
	}
	size_t used = write_path(node->parent, pattern, text, room);
	int n;
	if (!node->name && pattern)
		n = snprintf(text + used, room - used, "[]");
	else if (!node->name)
		n = snprintf(text + used, room - used, "[%u]", index_of(node));
	else
		n = snprintf(text + used, room - used, "%s%s", used ? "." : "", node->name);
	used += n > 0 ? (size_t)n : 0;
	return used < room ? used : room - 1;
}

const char *cfg_path(const struct cfg_node *node, char text[CFG_PATH_BYTES])
{
	write_path(node, false, text, CFG_PATH_BYTES);
	return text;
}

const struct cfg_key *cfg_find_key(const struct cfg_key *keys, size_t nr_keys, const char *pattern)
{
	for (size_t i = 0; i < nr_keys; i++)
		if (strcmp(keys[i].path, pattern) == 0)
			return &keys[i];
	return NULL;
}

unsigned cfg_allowed_kinds(const struct cfg_key *key)
{
	return key->kinds | (key->kinds & CFG_ARRAY ? (unsigned)CFG_LIST : 0);
}

unsigned cfg_scalar_kinds(const struct cfg_key *key)
{
	return key->kinds & ~(unsigned)(CFG_LIST | CFG_ARRAY | CFG_GROUP);
}

static const char *leaf_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot ? dot + 1 : path;
}

/* Among its siblings first, then anywhere. */
const char *cfg_nearest_key(const struct cfg_key *keys, size_t nr_keys, const char *pattern, char text[SUGGEST_BYTES])
{
	struct suggest s;
	const char *leaf = leaf_of(pattern);
	size_t stem = (size_t)(leaf - pattern);
	suggest_init(&s, leaf);
	for (size_t i = 0; i < nr_keys; i++)
		if ((size_t)(leaf_of(keys[i].path) - keys[i].path) == stem && strncmp(keys[i].path, pattern, stem) == 0)
			suggest_offer(&s, leaf_of(keys[i].path));
	/* A whole path can be typed anywhere, unless it has indices. */
	for (size_t i = 0; i < nr_keys && s.best && !strchr(pattern, '['); i++)
		if (s.best == leaf_of(keys[i].path))
			s.best = keys[i].path;
	if (s.best)
		return suggest_text(&s, text);
	/* Of several keys with this name, the shortest path is the most likely. */
	for (size_t i = 0; i < nr_keys; i++)
		if (strcmp(leaf_of(keys[i].path), leaf) == 0 && (!s.best || strlen(keys[i].path) < strlen(s.best)))
			s.best = keys[i].path;
	/* Without its unit. */
	for (size_t i = 0, len = strlen(leaf); i < nr_keys && !s.best; i++)
		if (strncmp(leaf_of(keys[i].path), leaf, len) == 0 && leaf_of(keys[i].path)[len] == '_')
			s.best = keys[i].path;
	if (!s.best) {
		suggest_init(&s, pattern);
		for (size_t i = 0; i < nr_keys; i++)
			suggest_offer(&s, keys[i].path);
	}
	return suggest_text(&s, text);
}

/* "an integer or a string" for the kinds that a key allows. */
static const char *kinds_text(unsigned kinds, char text[CFG_PATH_BYTES])
{
	static const struct {
		unsigned kind;
		const char *text;
	} rows[] = {
		{CFG_NUMBER, "a number"},      {CFG_INT, "an integer"}, {CFG_BOOL, "true or false"},
		{CFG_STRING, "a string"},      {CFG_GROUP, "a group"},	{CFG_LIST, "a list in ()"},
		{CFG_ARRAY, "an array in []"},
	};
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if ((kinds & rows[i].kind) != rows[i].kind)
			continue;
		kinds &= ~rows[i].kind;
		int n = snprintf(text + used, CFG_PATH_BYTES - used, "%s%s", used ? " or " : "", rows[i].text);
		used += n > 0 ? (size_t)n : 0;
	}
	return text;
}

/* `named` are the kinds that a message speaks of. */
static enum sahm_status check_kind(const struct cfg_node *node, unsigned kinds, unsigned named, struct sahm_err *err)
{
	char path[CFG_PATH_BYTES], expected[CFG_PATH_BYTES];
	if (node->kind & kinds)
		return SAHM_OK;
	return cfg_fail(node, err, "'%s' must be %s", cfg_path(node, path), kinds_text(named, expected));
}

static enum sahm_status check_unknown(const struct cfg_node *node, const char *pattern, const struct cfg_key *keys,
				      size_t nr_keys, struct sahm_err *err)
{
	char path[CFG_PATH_BYTES], near[SUGGEST_BYTES];
	return cfg_fail(node, err, "unknown key '%s'%s", cfg_path(node, path),
			cfg_nearest_key(keys, nr_keys, pattern, near));
}

static enum sahm_status check_node(const struct cfg_node *node, const struct cfg_key *keys, size_t nr_keys,
				   struct sahm_err *err)
{
	char pattern[CFG_PATH_BYTES], path[CFG_PATH_BYTES];
	write_path(node, true, pattern, sizeof(pattern));
	const struct cfg_key *key = cfg_find_key(keys, nr_keys, pattern);
	if (!key)
		return check_unknown(node, pattern, keys, nr_keys, err);
	if (key->kinds == CFG_STRING && *key->unit && node->kind != CFG_STRING)
		return cfg_fail(node, err, "'%s' must be a string, such as %s", cfg_path(node, path), key->unit);
	enum sahm_status status = check_kind(node, cfg_allowed_kinds(key), key->kinds, err);
	strncat(pattern, "[]", sizeof(pattern) - strlen(pattern) - 1);
	unsigned scalars = cfg_scalar_kinds(key);
	bool plain_elements = (node->kind & (CFG_LIST | CFG_ARRAY)) && !cfg_find_key(keys, nr_keys, pattern);
	for (const struct cfg_node *c = node->first; c && status == SAHM_OK; c = c->next)
		status = plain_elements ? check_kind(c, scalars, scalars, err) : check_node(c, keys, nr_keys, err);
	return status;
}

static enum sahm_status walk(struct cfg_node *node, char pattern[CFG_PATH_BYTES], size_t len, cfg_visit_fn *visit,
			     void *ctx)
{
	enum sahm_status status = visit(ctx, node, pattern);
	for (struct cfg_node *c = node->first; c && status == SAHM_OK; c = c->next) {
		size_t room = CFG_PATH_BYTES - len;
		size_t used = (size_t)snprintf(pattern + len, room, "%s%s", len && c->name ? "." : "",
					       c->name ? c->name : "[]");
		/* No key is longer than that. */
		if (used < room)
			status = walk(c, pattern, len + used, visit, ctx);
		pattern[len] = '\0';
	}
	return status;
}

enum sahm_status cfg_check(const struct cfg_node *root, const struct cfg_key *keys, size_t nr_keys,
			   struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *c = root->first; c && status == SAHM_OK; c = c->next)
		status = check_node(c, keys, nr_keys, err);
	return status;
}

enum sahm_status cfg_walk(struct cfg_node *node, const char *path, cfg_visit_fn *visit, void *ctx)
{
	char pattern[CFG_PATH_BYTES];
	size_t len = (size_t)snprintf(pattern, sizeof(pattern), "%s", path);
	return len < sizeof(pattern) ? walk(node, pattern, len, visit, ctx) : SAHM_OK;
}

const struct cfg_node *cfg_child(const struct cfg_node *group, const char *name)
{
	for (const struct cfg_node *c = group ? group->first : NULL; c; c = c->next)
		if (c->name && strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct cfg_node *cfg_member(const struct cfg_node *group, const struct cfg_key *key)
{
	return cfg_child(group, leaf_of(key->path));
}

void cfg_write_bound(struct textbuf *b, const struct cfg_key *key, double bound)
{
	/* The largest integer is no double; the next one stands for it. */
	if (!(key->kinds & CFG_FLOAT) && bound >= 0x1p63)
		textbuf_printf(b, "%lld", (long long)INT64_MAX);
	else
		number_write_double(b, bound, 0);
}

enum sahm_status cfg_node_number(const struct cfg_node *node, const struct cfg_key *key, double *value,
				 struct sahm_err *err)
{
	double v = node->kind == CFG_INT ? (double)node->value.integer : node->value.real;
	/* Written so that it also holds for values that compare with nothing. */
	if (!(v >= key->min && v <= key->max)) {
		char path[CFG_PATH_BYTES];
		struct textbuf b;
		textbuf_init(&b);
		textbuf_printf(&b, "'%s' is ", cfg_path(node, path));
		number_write_double(&b, v, 0);
		textbuf_puts(&b, ", must be from ");
		cfg_write_bound(&b, key, key->min);
		textbuf_puts(&b, " to ");
		cfg_write_bound(&b, key, key->max);
		textbuf_printf(&b, "%s%s", *key->unit ? " " : "", key->unit);
		enum sahm_status status = textbuf_failed(&b) ? sahm_fail_nomem(err) : cfg_fail(node, err, "%s", b.text);
		textbuf_release(&b);
		return status;
	}
	*value = v;
	return SAHM_OK;
}

enum sahm_status cfg_number(const struct cfg_node *group, const struct cfg_key *key, double *value,
			    struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group, key);
	if (node)
		return cfg_node_number(node, key, value, err);
	if (number_read_double(key->default_value, value) != NUMBER_OK)
		*value = 0;
	return SAHM_OK;
}

bool cfg_bool(const struct cfg_node *group, const struct cfg_key *key)
{
	const struct cfg_node *node = cfg_member(group, key);
	return node ? node->value.truth : strcmp(key->default_value, "true") == 0;
}

const char *cfg_string(const struct cfg_node *group, const struct cfg_key *key)
{
	const struct cfg_node *node = cfg_member(group, key);
	return node ? node->value.string : key->default_value;
}

void cfg_write_string(struct textbuf *b, const char *text)
{
	textbuf_putc(b, '"');
	for (const char *p = text; *p;) {
		unsigned len;
		bool is_command = is_terminal_command(p, &len);
		if (*p == '"' || *p == '\\')
			textbuf_putc(b, '\\');
		/* What is written reads back the same, and can be shown. */
		for (; len > 0; len--, p++)
			if (is_command)
				textbuf_printf(b, "\\x%02x", (unsigned char)*p);
			else
				textbuf_putc(b, *p);
	}
	textbuf_putc(b, '"');
}
