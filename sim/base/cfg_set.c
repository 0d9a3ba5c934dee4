/* Changing trees. Settings from the command line: `key.path[2].name=value`; copies; parts that are taken out. */
#include <stdio.h>
#include <string.h>

#include "sim/base/cfg_internal.h"
#include "sim/base/number.h"
#include "sim/base/quantity.h"

/* One step of a path: a name or an element. */
struct step {
	const char *name; /* NULL for an element */
	size_t len;
	uint64_t index;
};

/* Reads the next step at *at and moves past it; false when the path is malformed there. */
static bool next_step(const char **at, bool first, struct step *step)
{
	const char *p = *at;
	if (*p == '[') {
		const char *close = strchr(p, ']');
		if (first || !close || number_read_u64(p + 1, (size_t)(close - p - 1), &step->index) != NUMBER_OK)
			return false;
		step->name = NULL;
		*at = close + 1;
		return true;
	}
	if (!first && *p++ != '.')
		return false;
	step->name = p;
	step->len = strcspn(p, ".[]");
	*at = p + step->len;
	return step->len > 0;
}

bool cfg_path_leads_to(const char *path, size_t len, const char *to)
{
	return strncmp(path, to, len) == 0 && (to[len] == '\0' || to[len] == '.' || to[len] == '[');
}

bool cfg_pattern(const char *path, char pattern[CFG_PATH_BYTES])
{
	struct step step;
	size_t used = 0;
	for (const char *at = path; *at || at == path;) {
		bool first = at == path;
		if (!next_step(&at, first, &step))
			return false;
		size_t len = step.name ? step.len + !first : 2;
		if (used + len + 1 > CFG_PATH_BYTES)
			return false;
		if (!step.name) {
			memcpy(pattern + used, "[]", 2);
		} else {
			if (!first)
				pattern[used] = '.';
			memcpy(pattern + used + !first, step.name, step.len);
		}
		used += len;
	}
	pattern[used] = '\0';
	return true;
}

static struct cfg_node *find_step(struct cfg_node *node, const struct step *step)
{
	uint64_t i = 0;
	if (!step->name && !(node->kind & (CFG_LIST | CFG_ARRAY)))
		return NULL;
	for (struct cfg_node *c = node->first; c; c = c->next, i++)
		if (step->name ? c->name && strlen(c->name) == step->len && memcmp(c->name, step->name, step->len) == 0
			       : i == step->index)
			return c;
	return NULL;
}

void cfg_put(struct cfg_node *parent, struct cfg_node *child)
{
	child->parent = parent;
	child->next = NULL;
	*(parent->last ? &parent->last->next : &parent->first) = child;
	parent->last = child;
	parent->nr_children++;
}

/* Kinds that may stand where `pattern` points, 0 when there is no such key. Plain elements have no separate row. */
static unsigned kinds_at(const struct cfg_key *keys, size_t nr_keys, char *pattern)
{
	const struct cfg_key *key = cfg_find_key(keys, nr_keys, pattern);
	size_t len = strlen(pattern);
	if (key)
		return cfg_allowed_kinds(key);
	if (len < 2 || strcmp(pattern + len - 2, "[]") != 0)
		return 0;
	pattern[len - 2] = '\0';
	key = cfg_find_key(keys, nr_keys, pattern);
	return key ? cfg_scalar_kinds(key) : 0;
}

/* What a string stands for where a group may stand, too: the first member that is one. */
static const char *member_for(const struct cfg_key *keys, size_t nr_keys, const char *pattern)
{
	size_t len = strlen(pattern);
	for (size_t i = 0; i < nr_keys; i++) {
		const char *path = keys[i].path;
		if (keys[i].kinds == CFG_STRING && strncmp(path, pattern, len) == 0 && path[len] == '.' &&
		    !strpbrk(path + len + 1, ".["))
			return path + len + 1;
	}
	return NULL;
}

/* `step` of `path` asks for a member of `node`, which is no group: says what can be written instead. */
static enum sahm_status fail_member(const struct cfg_node *node, const struct cfg_key *keys, size_t nr_keys,
				    const char *label, const char *path, const struct step *step, struct sahm_err *err)
{
	char parent[CFG_PATH_BYTES], pattern[CFG_PATH_BYTES];
	snprintf(parent, sizeof(parent), "%.*s", (int)(step->name - path - 1), path);
	const char *member = node->kind == CFG_STRING && cfg_pattern(parent, pattern) &&
					     (kinds_at(keys, nr_keys, pattern) & CFG_GROUP)
				     ? member_for(keys, nr_keys, pattern)
				     : NULL;
	if (member)
		return sahm_fail(err, SAHM_USAGE,
				 "%s: '%s' is a string here; as a group it takes both: %s={%s=\"...\"; %.*s=...}",
				 label, parent, parent, member, (int)step->len, step->name);
	if (node->kind & (CFG_LIST | CFG_ARRAY))
		return sahm_fail(err, SAHM_USAGE, "%s: '%s' is a list, whose first element is '%s[0]'", label, parent,
				 parent);
	return sahm_fail(err, SAHM_USAGE, "%s: '%.*s' is not inside a group here", label, (int)step->len, step->name);
}

/* Walks to the node that `path` names, making groups and the last key where they are missing. */
static enum sahm_status walk(struct arena *a, struct cfg_node *root, const struct cfg_key *keys, size_t nr_keys,
			     const char *label, const char *path, struct cfg_node **node, struct sahm_err *err)
{
	struct step step;
	struct cfg_node *at_node = root;
	for (const char *at = path; *at;) {
		if (!next_step(&at, at == path, &step))
			return sahm_fail(err, SAHM_USAGE, "%s: malformed key", label);
		struct cfg_node *next = find_step(at_node, &step);
		if (!next && !step.name && !(at_node->kind & (CFG_LIST | CFG_ARRAY)))
			return sahm_fail(err, SAHM_USAGE, "%s: there is no list here to take an element of", label);
		if (!next && !step.name)
			return sahm_fail(err, SAHM_USAGE, "%s: there %s %u element%s, the first is [0]", label,
					 at_node->nr_children == 1 ? "is" : "are", at_node->nr_children,
					 at_node->nr_children == 1 ? "" : "s");
		if (!next && at_node->kind != CFG_GROUP)
			return fail_member(at_node, keys, nr_keys, label, path, &step, err);
		if (!next) {
			next = arena_alloc(a, 1, sizeof(*next));
			char *name = arena_strndup(a, step.name, step.len);
			if (!next || !name)
				return sahm_fail_nomem(err);
			*next = (struct cfg_node){.kind = CFG_GROUP, .name = name, .file = label};
			cfg_put(at_node, next);
		}
		at_node = next;
	}
	*node = at_node;
	return SAHM_OK;
}

/* Reads `text` as a value; its node is a child of a separate group. Messages name no place. */
static enum sahm_status read_value(struct arena *a, const char *text, struct cfg_node **value, struct sahm_err *err)
{
	struct textbuf b;
	struct cfg_node *root;
	if (!text[strspn(text, " \t\r\n")])
		return sahm_fail(err, SAHM_CONFIG, "a value is missing");
	textbuf_init(&b);
	/* A name that the value cannot repeat by accident; a separate line, since messages quote lines. */
	textbuf_printf(&b, "value-of-the-setting =\n%s\n;", text);
	enum sahm_status status =
		textbuf_failed(&b) ? sahm_fail_nomem(err) : cfg_read_text(a, NULL, b.text, b.len, &root, err);
	textbuf_release(&b);
	if (status != SAHM_OK)
		return status;
	if (root->nr_children != 1)
		return sahm_fail(err, SAHM_USAGE, "one value is expected");
	*value = root->first;
	return SAHM_OK;
}

/* Whether `text` is a word that could only be meant as a string. */
static bool is_bare_word(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./");
	return len > 0 && text[len] == '\0' && strspn(text, "0123456789+-.") == 0;
}

static void relabel(struct cfg_node *node, const char *file, unsigned line)
{
	node->file = file;
	node->line = line;
	for (struct cfg_node *c = node->first; c; c = c->next)
		relabel(c, file, line);
}

/* Puts the value of `from` in the place of `to`, which keeps its name and neighbours. */
static void replace(struct cfg_node *to, const struct cfg_node *from, const char *label)
{
	to->kind = from->kind;
	to->value = from->value;
	to->has_unit = from->has_unit;
	to->first = from->first;
	to->last = from->last;
	to->nr_children = from->nr_children;
	for (struct cfg_node *c = to->first; c; c = c->next)
		c->parent = to;
	relabel(to, label, 0);
}

enum sahm_status cfg_read_setting(struct arena *a, const char *text, unsigned kinds, const char *file, unsigned line,
				  struct cfg_node **value, struct sahm_err *err)
{
	struct cfg_node *read = NULL;
	enum sahm_status status = read_value(a, text, &read, err);
	if (status == SAHM_NOMEM)
		return status;
	bool fits = status == SAHM_OK && (read->kind & kinds);
	/* A number with a unit is a string until cfg_apply_units(). So is a word where a number should stand:
	 * cfg_check() then says what should. */
	if (!fits && (kinds & CFG_STRING || (status != SAHM_OK && (is_bare_word(text) || quantity_is_one(text))))) {
		struct cfg_node *group = arena_alloc(a, 1, sizeof(*group));
		read = arena_alloc(a, 1, sizeof(*read));
		char *string = arena_strdup(a, text);
		if (!group || !read || !string)
			return sahm_fail_nomem(err);
		*group = (struct cfg_node){.kind = CFG_GROUP, .first = read, .last = read, .nr_children = 1};
		*read = (struct cfg_node){.kind = CFG_STRING, .parent = group, .value.string = string};
		status = SAHM_OK;
	}
	if (status != SAHM_OK)
		return status;
	relabel(read, file, line);
	*value = read;
	return SAHM_OK;
}

size_t cfg_value_len(const char *text)
{
	bool quoted = false;
	int depth = 0;
	const char *p = text;
	for (; *p; p++) {
		if (quoted && *p == '\\' && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && strchr("([{", *p))
			depth++;
		else if (!quoted && strchr(")]}", *p))
			depth--;
		else if (!quoted && depth == 0 && *p == ',')
			break;
	}
	return (size_t)(p - text);
}

enum sahm_status cfg_set(struct arena *a, struct cfg_node *root, const struct cfg_key *keys, size_t nr_keys,
			 const char *setting, struct sahm_err *err)
{
	struct textbuf b;
	textbuf_init(&b);
	bool is_long = strlen(setting) > CFG_SETTING_SHOWN;
	textbuf_printf(&b, "--set %.*s%s", (int)CFG_SETTING_SHOWN, setting, is_long ? "..." : "");
	char *label = textbuf_failed(&b) ? NULL : arena_strdup(a, b.text);
	textbuf_release(&b);
	const char *eq = strchr(setting, '=');
	char *path = arena_strndup(a, setting, eq ? (size_t)(eq - setting) : 0);
	if (!label || !path)
		return sahm_fail_nomem(err);
	char pattern[CFG_PATH_BYTES];
	if (!eq || !cfg_pattern(path, pattern))
		return sahm_fail(err, SAHM_USAGE, "%s: must be written as key.path=value", label);
	unsigned kinds = kinds_at(keys, nr_keys, pattern);
	struct cfg_node *node = NULL, *value = NULL, string = {.kind = CFG_STRING, .value.string = ""};
	enum sahm_status status = walk(a, root, keys, nr_keys, label, path, &node, err);
	if (status != SAHM_OK)
		return status;
	/* An unknown key is left for cfg_check(), which knows what is near it. */
	struct sahm_err cause;
	if (kinds)
		status = cfg_read_setting(a, eq + 1, kinds, label, 0, &value, &cause);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(err);
	if (status != SAHM_OK)
		return sahm_fail(err, SAHM_USAGE, "%s: %s", label, cause.msg);
	replace(node, kinds ? value : &string, label);
	return SAHM_OK;
}

enum sahm_status cfg_check_path(const struct cfg_key *keys, size_t nr_keys, const char *path, unsigned *kinds,
				struct sahm_err *err)
{
	char pattern[CFG_PATH_BYTES], whole[CFG_PATH_BYTES], near[SUGGEST_BYTES];
	if (!cfg_pattern(path, pattern))
		return sahm_fail(err, SAHM_USAGE, "malformed key '%.80s'", path);
	memcpy(whole, pattern, sizeof(whole));
	*kinds = kinds_at(keys, nr_keys, pattern);
	if (*kinds)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "unknown key '%s'%s", path, cfg_nearest_key(keys, nr_keys, whole, near));
}

struct cfg_node *cfg_clone(struct arena *a, const struct cfg_node *root)
{
	struct cfg_node *copy = arena_alloc(a, 1, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = *root;
	copy->parent = copy->next = copy->first = copy->last = NULL;
	copy->nr_children = 0;
	for (const struct cfg_node *c = root->first; c; c = c->next) {
		struct cfg_node *child = cfg_clone(a, c);
		if (!child)
			return NULL;
		cfg_put(copy, child);
	}
	return copy;
}

struct cfg_node *cfg_take(struct cfg_node *root, const char *name)
{
	struct cfg_node *before = NULL;
	for (struct cfg_node *c = root->first; c; before = c, c = c->next) {
		if (!c->name || strcmp(c->name, name) != 0)
			continue;
		*(before ? &before->next : &root->first) = c->next;
		if (root->last == c)
			root->last = before;
		root->nr_children--;
		c->parent = c->next = NULL;
		return c;
	}
	return NULL;
}
