/* From scanned text through libconfig to a tree of our own. */
#include <errno.h>
#include <libconfig.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/array.h"
#include "sim/base/cfg_internal.h"
#include "sim/base/file.h"
#include "sim/base/file_kind.h"

static struct cfg_node *add_child(struct arena *a, struct cfg_node *parent)
{
	struct cfg_node *n = arena_alloc(a, 1, sizeof(*n));
	if (!n)
		return NULL;
	n->parent = parent;
	if (parent) {
		if (parent->last)
			parent->last->next = n;
		else
			parent->first = n;
		parent->last = n;
		parent->nr_children++;
	}
	return n;
}

static bool copy_value(struct arena *a, const config_setting_t *from, struct cfg_node *to)
{
	switch (config_setting_type(from)) {
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		to->kind = CFG_INT;
		to->value.integer = config_setting_get_int64(from);
		return true;
	case CONFIG_TYPE_FLOAT:
		to->kind = CFG_FLOAT;
		to->value.real = config_setting_get_float(from);
		return true;
	case CONFIG_TYPE_BOOL:
		to->kind = CFG_BOOL;
		to->value.truth = config_setting_get_bool(from);
		return true;
	case CONFIG_TYPE_STRING:
		to->kind = CFG_STRING;
		to->value.string =
			arena_strdup(a, config_setting_get_string(from) ? config_setting_get_string(from) : "");
		return to->value.string != NULL;
	case CONFIG_TYPE_ARRAY:
		to->kind = CFG_ARRAY;
		return true;
	case CONFIG_TYPE_LIST:
		to->kind = CFG_LIST;
		return true;
	default:
		to->kind = CFG_GROUP;
		return true;
	}
}

/* A walk through libconfig's tree in the order of the text, which is that of the scanned settings. */
struct conversion {
	struct arena *arena;
	const struct cfg_text *text;
	size_t nr_settings; /* met so far */
	struct sahm_err *err;
};

/* libconfig's own line numbers are those of the token after a value; the scan knows better. Depth is bounded: the scan
 * has refused deeper nesting. */
static enum sahm_status convert(struct conversion *c, const config_setting_t *from, struct cfg_node *to)
{
	const struct cfg_origins *settings = &c->text->settings;
	to->file = c->text->lines.at[0].file;
	if (to->parent && c->nr_settings < settings->nr) {
		to->file = settings->at[c->nr_settings].file;
		to->line = settings->at[c->nr_settings].line;
		c->nr_settings++;
	}
	to->name = from->name ? arena_strdup(c->arena, from->name) : NULL;
	if ((from->name && !to->name) || !copy_value(c->arena, from, to))
		return sahm_fail_nomem(c->err);
	int nr = config_setting_is_aggregate(from) ? config_setting_length(from) : 0;
	for (int i = 0; i < nr; i++) {
		struct cfg_node *child = add_child(c->arena, to);
		if (!child)
			return sahm_fail_nomem(c->err);
		enum sahm_status status = convert(c, config_setting_get_elem(from, (unsigned)i), child);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

static enum sahm_status fail_parse(const config_t *config, const struct cfg_text *t, struct sahm_err *err)
{
	const char *why = config_error_text(config) ? config_error_text(config) : "cannot be parsed";
	char explained[CFG_EXPLAIN_BYTES];
	int line = config_error_line(config);
	struct cfg_origin at = {t->lines.at[0].file, 0};
	bool mismatched = strstr(why, "mismatched element type");
	if (line >= 1 && (size_t)line <= t->lines.nr)
		at = t->lines.at[line - 1];
	if (!mismatched && cfg_explain_syntax(t, t->text.len, &at, explained, sizeof(explained)))
		why = explained;
	if (mismatched)
		return sahm_fail_at(err, SAHM_CONFIG, at.file, at.line,
				    "an array in [] holds one type: write all as floats (10.0), or a list in ()");
	return sahm_fail_at(err, SAHM_CONFIG, at.file, at.line, "%s", why);
}

enum sahm_status cfg_read_text(struct arena *a, const char *file, const char *text, size_t len, struct cfg_node **root,
			       struct sahm_err *err)
{
	struct cfg_text t = {0};
	config_t config;
	textbuf_init(&t.text);
	config_init(&config);
	char *copy = file ? arena_strdup(a, file) : NULL;
	enum sahm_status status = copy || !file ? cfg_scan(a, copy, text, len, &t, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK)
		goto out;
	if (config_read_string(&config, t.text.text) != CONFIG_TRUE) {
		status = fail_parse(&config, &t, err);
		goto out;
	}
	struct cfg_node *top = add_child(a, NULL);
	if (!top) {
		status = sahm_fail_nomem(err);
		goto out;
	}
	struct conversion c = {.arena = a, .text = &t, .err = err};
	status = convert(&c, config_root_setting(&config), top);
	if (status == SAHM_OK)
		*root = top;
out:
	config_destroy(&config);
	cfg_text_release(&t);
	return status;
}

enum sahm_status cfg_read_file(struct arena *a, const char *path, struct cfg_node **root, struct sahm_err *err)
{
	char *text;
	size_t len;
	enum sahm_status status = file_refuse_foreign(path, err);
	if (status == SAHM_OK)
		status = file_read(path, MAX_CFG_BYTES, &text, &len, err);
	if (status != SAHM_OK)
		return status;
	status = cfg_read_text(a, file_label(path), text, len, root, err);
	free(text);
	return status;
}

/* Whether `path` can be that of a configuration in another folder: not one that leads out of it, nor another file. */
static bool may_be_shipped(const char *path)
{
	static const char ending[] = ".cfg";
	size_t len = strlen(path);
	return len >= strlen(ending) && strcmp(path + len - strlen(ending), ending) == 0 && !strstr(path, "..");
}

enum sahm_status cfg_read_or_suggest(struct arena *a, const char *path, const char *data_folder, const char *home,
				     struct cfg_node **root, struct sahm_err *err)
{
	const char *const folders[] = {"", home, "configs/", "configs/studies/"};
	const char *name = path;
	char shipped[PATH_MAX];
	struct stat st;
	enum sahm_status status = cfg_read_file(a, path, root, err);
	if (status != SAHM_IO || !data_folder || !may_be_shipped(path) || stat(path, &st) == 0 || errno != ENOENT)
		return status;
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		int len = snprintf(shipped, sizeof(shipped), "%s/%s%s", data_folder, folders[i], name);
		if (len > 0 && (size_t)len < sizeof(shipped) && stat(shipped, &st) == 0 && S_ISREG(st.st_mode))
			return sahm_fail(err, SAHM_IO, "cannot open '%s': %s; did you mean '%s'?", path,
					 strerror(ENOENT), shipped);
	}
	return status;
}
