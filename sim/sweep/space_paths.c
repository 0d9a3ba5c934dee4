/* Settings: keys that are checked against those of configurations, and files that values name. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

/* Indices have one form each: "[01]" is "[1]". */
static const char *normal_path(struct arena *a, const char *text)
{
	struct textbuf b;
	textbuf_init(&b);
	for (const char *p = text; *p; p++) {
		bool is_zero_in_front = *p == '0' && is_digit(p[1]) && b.len > 0 && b.text[b.len - 1] == '[';
		if (!is_zero_in_front)
			textbuf_putc(&b, *p);
	}
	return textbuf_keep(&b, a);
}

enum sahm_status space_read_path(struct space_reading *r, const struct cfg_node *node, const char *text,
				 const char **path, unsigned *kinds)
{
	struct sahm_err cause;
	if (cfg_check_path(config_keys, NR_CONFIG_KEYS, text, kinds, &cause) != SAHM_OK)
		return cfg_fail(node, r->err, "%s", cause.msg);
	if (strcmp(text, config_keys[KEY_SWEEP].path) == 0)
		return cfg_fail(node, r->err, "'sweep' cannot be varied: it is what varies");
	*path = normal_path(&r->space->arena, text);
	return *path ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status fail_twice(struct space_reading *r, const struct cfg_node *node, const char *path,
				   uint32_t axis, uint32_t other)
{
	return cfg_fail(node, r->err, "'%.80s' on axis '%.80s' is set by axis '%.80s' already", path,
			r->space->axes[axis].name, r->space->axes[other].name);
}

enum sahm_status space_note_path(struct space_reading *r, const struct cfg_node *node, const char *path, uint32_t axis)
{
	uint32_t *set = strtable_at(&r->set, path);
	if (!set)
		return sahm_fail_nomem(r->err);
	if (*set == axis + 1)
		return SAHM_OK;
	if (*set)
		return fail_twice(r, node, path, axis, *set - 1);
	*set = axis + 1;
	const uint32_t *below = strtable_find(&r->below, path);
	if (below && *below != axis + 1)
		return cfg_fail(node, r->err,
				"'%.80s' on axis '%.80s' would undo what axis '%.80s' sets inside of it: put it first",
				path, r->space->axes[axis].name, r->space->axes[*below - 1].name);
	for (const char *p = path + 1; *p; p++) {
		if (*p != '.' && *p != '[')
			continue;
		const char *prefix = arena_strndup(&r->scratch, path, (size_t)(p - path));
		uint32_t *first = prefix ? strtable_at(&r->below, prefix) : NULL;
		if (!first)
			return sahm_fail_nomem(r->err);
		*first = *first ? *first : axis + 1;
	}
	return SAHM_OK;
}

static enum sahm_status check_kind(struct space_reading *r, const struct cfg_node *node, const char *path,
				   unsigned kinds)
{
	const unsigned many = CFG_GROUP | CFG_LIST | CFG_ARRAY;
	if ((node->kind & kinds) || (kinds & ~many))
		return SAHM_OK;
	return cfg_fail(node, r->err, "'%.80s' is a %s: it takes values in %s, or one of its %s is varied", path,
			kinds & CFG_GROUP ? "group" : "list", kinds & CFG_GROUP ? "{}" : "()",
			kinds & CFG_GROUP ? "keys" : "elements' keys");
}

void space_remark(struct space_reading *r, const char *pattern, struct cfg_node *node)
{
	size_t before = r->notes.len;
	if (r->noted == r->space->nr_axes + 1)
		return;
	cfg_remark_unusual(node, pattern, config_keys, NR_CONFIG_KEYS, &r->notes);
	r->noted = r->notes.len > before ? r->space->nr_axes + 1 : r->noted;
}

enum sahm_status space_make_setting(struct space_reading *r, const char *path, unsigned kinds,
				    const struct cfg_node *node, struct textbuf *label, const char **setting,
				    bool *moved)
{
	char pattern[CFG_PATH_BYTES];
	struct textbuf b;
	enum sahm_status status = check_kind(r, node, path, kinds);
	if (status != SAHM_OK)
		return status;
	struct cfg_node *copy = cfg_clone(&r->scratch, node), group = {.kind = CFG_GROUP};
	if (!copy)
		return sahm_fail_nomem(r->err);
	/* Messages name the key. */
	copy->parent = &group;
	copy->name = path;
	bool has_pattern = cfg_pattern(path, pattern);
	if (has_pattern)
		status = cfg_apply_units(copy, pattern, config_keys, NR_CONFIG_KEYS, r->err);
	if (status == SAHM_OK && label)
		space_write_value(copy, true, label);
	if (status == SAHM_OK && has_pattern)
		status = run_config_settle_paths(&r->scratch, r->data_folder, pattern, copy, moved, r->err);
	if (status != SAHM_OK)
		return status;
	if (has_pattern)
		space_remark(r, pattern, copy);
	textbuf_init(&b);
	textbuf_printf(&b, "%s=", path);
	space_write_value(copy, false, &b);
	*setting = textbuf_keep(&b, &r->space->arena);
	return *setting ? SAHM_OK : sahm_fail_nomem(r->err);
}

/* Which setting is being renamed, for messages, and whether it has changed. */
struct renaming {
	const char *data_folder;
	run_rename_fn *rename;
	void *ctx;
	bool any;
};

static enum sahm_status note_rename(void *ctx, const struct cfg_node *node, enum config_key key, const char *path,
				    const char **name, struct sahm_err *err)
{
	struct renaming *n = ctx;
	enum sahm_status status = n->rename(n->ctx, node, key, path, name, err);
	n->any |= status == SAHM_OK && *name;
	return status;
}

static enum sahm_status rename_setting(struct space *space, const char *label, struct renaming *n, const char **setting,
				       struct sahm_err *err)
{
	const char *text = *setting, *eq = strchr(text, '=');
	struct arena a = {0};
	struct cfg_node *node = NULL;
	char pattern[CFG_PATH_BYTES];
	unsigned kinds;
	const char *path = arena_strndup(&a, text, eq ? (size_t)(eq - text) : 0);
	enum sahm_status status = path ? SAHM_OK : sahm_fail_nomem(err);
	n->any = false;
	/* Nearly all settings of large spaces are numbers, or chips. */
	if (status != SAHM_OK || !eq || !cfg_pattern(path, pattern) || !run_config_can_name_files(pattern))
		goto out;
	status = cfg_check_path(config_keys, NR_CONFIG_KEYS, path, &kinds, err);
	if (status == SAHM_OK)
		status = cfg_read_setting(&a, eq + 1, kinds, label, 0, &node, err);
	if (status == SAHM_OK)
		status = run_config_rename_files(&a, n->data_folder, pattern, node, note_rename, n, err);
	if (status != SAHM_OK || !n->any)
		goto out;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s=", path);
	space_write_value(node, false, &b);
	*setting = textbuf_keep(&b, &space->arena);
	status = *setting ? SAHM_OK : sahm_fail_nomem(err);
out:
	arena_release(&a);
	return status;
}

static enum sahm_status rename_value(struct space *space, struct space_axis *axis, struct space_value *value,
				     const char *label, struct renaming *n, struct sahm_err *err)
{
	const char **settings = NULL;
	for (uint32_t i = 0; i < value->nr_settings; i++) {
		const char *setting = value->settings[i];
		enum sahm_status status = rename_setting(space, label, n, &setting, err);
		if (status != SAHM_OK)
			return status;
		if (!n->any)
			continue;
		if (!settings) {
			settings = arena_alloc(&space->arena, value->nr_settings, sizeof(*settings));
			if (!settings)
				return sahm_fail_nomem(err);
			for (uint32_t k = 0; k < value->nr_settings; k++)
				settings[k] = value->settings[k];
			value->settings = settings;
		}
		settings[i] = setting;
		axis->form = SPACE_BY_POINTS;
	}
	return SAHM_OK;
}

enum sahm_status space_rename_files(struct space *space, const char *data_folder, run_rename_fn *rename, void *ctx,
				    struct sahm_err *err)
{
	struct renaming n = {.data_folder = data_folder, .rename = rename, .ctx = ctx};
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < space->nr_axes && status == SAHM_OK; i++) {
		struct space_axis *axis = &space->axes[i];
		struct textbuf b;
		textbuf_init(&b);
		textbuf_printf(&b, "axis '%.80s'", axis->name);
		const char *label = textbuf_keep(&b, &space->arena);
		status = label ? SAHM_OK : sahm_fail_nomem(err);
		for (uint64_t v = 0; v < axis->nr_values && status == SAHM_OK; v++)
			status = rename_value(space, axis, &axis->values[v], label, &n, err);
	}
	return status;
}
