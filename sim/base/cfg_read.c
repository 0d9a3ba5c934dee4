/* From scanned text through libconfig to a tree of our own. */
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/cfg_internal.h"
#include "sim/base/file.h"

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

/* Depth is bounded: the scan has refused deeper nesting. */
static enum sahm_status convert(struct arena *a, const struct cfg_text *t, const config_setting_t *from,
				struct cfg_node *to, struct sahm_err *err)
{
	unsigned line = from->line;
	to->file = t->origins[0].file;
	if (line >= 1 && line <= t->nr_lines) {
		to->file = t->origins[line - 1].file;
		to->line = t->origins[line - 1].line;
	}
	to->name = from->name ? arena_strdup(a, from->name) : NULL;
	if ((from->name && !to->name) || !copy_value(a, from, to))
		return sahm_fail_nomem(err);
	int nr = config_setting_is_aggregate(from) ? config_setting_length(from) : 0;
	for (int i = 0; i < nr; i++) {
		struct cfg_node *child = add_child(a, to);
		if (!child)
			return sahm_fail_nomem(err);
		enum sahm_status status = convert(a, t, config_setting_get_elem(from, (unsigned)i), child, err);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

static enum sahm_status fail_parse(const config_t *config, const struct cfg_text *t, struct sahm_err *err)
{
	const char *why = config_error_text(config) ? config_error_text(config) : "cannot be parsed";
	int line = config_error_line(config);
	struct cfg_origin at = {t->origins[0].file, 0};
	if (line >= 1 && (size_t)line <= t->nr_lines)
		at = t->origins[line - 1];
	if (strstr(why, "mismatched element type"))
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
	file = arena_strdup(a, file);
	enum sahm_status status = file ? cfg_scan(a, file, text, len, &t, err) : sahm_fail_nomem(err);
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
	status = convert(a, &t, config_root_setting(&config), top, err);
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
	enum sahm_status status = file_read(path, MAX_CFG_BYTES, &text, &len, err);
	if (status != SAHM_OK)
		return status;
	status = cfg_read_text(a, strcmp(path, "-") == 0 ? "<stdin>" : path, text, len, root, err);
	free(text);
	return status;
}
