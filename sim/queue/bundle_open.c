/* Opening bundles: sweeps that read the files beside them, and nothing else. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/strtable.h"
#include "sim/queue/bundle_internal.h"

struct opening {
	struct sweep *sweep;
	const struct bundle *b;
	const char *folder;	/* absolute, without links */
	struct strtable places; /* "NUMBER/NAME": 1 + index in b->files */
	struct strtable specs;	/* index of files that have been looked into */
	struct arena scratch;
	struct sahm_err *err;
};

static bool note_places(struct opening *o)
{
	for (uint32_t i = 0; i < o->b->nr_files; i++) {
		struct textbuf key;
		textbuf_init(&key);
		textbuf_printf(&key, "%u/%s", o->b->files[i].number, o->b->files[i].name);
		uint32_t *row = textbuf_failed(&key) ? NULL : strtable_at(&o->places, key.text);
		textbuf_release(&key);
		if (!row)
			return false;
		*row = i + 1;
	}
	return true;
}

/* The file of the bundle that is at `path`, NULL: none is. */
static const struct bundle_file *find_file(struct opening *o, const char *path)
{
	const size_t len = strlen(o->folder);
	if (strncmp(path, o->folder, len) != 0 || path[len] != '/')
		return NULL;
	const uint32_t *row = strtable_find(&o->places, path + len + 1);
	return row ? &o->b->files[*row - 1] : NULL;
}

/* Holds what a string names against the files of the bundle; nothing has another name afterwards. */
static enum sahm_status check_file(void *ctx, const struct cfg_node *node, enum config_key key, const char *path,
				   const char **name, struct sahm_err *err)
{
	struct opening *o = ctx;
	const struct bundle_file *file = find_file(o, path);
	const enum bundle_file_kind kind = key == KEY_POLICY ? BUNDLE_PLUGIN : BUNDLE_DATA;
	(void)name;
	if (key == KEY_TRUST)
		return sahm_fail(err, SAHM_FORMAT, "a bundle may not say which programs are trusted");
	if (key == KEY_SOFT)
		return sahm_fail(err, SAHM_FORMAT, "a bundle may not bring soft logic");
	/* Found where it says is not enough: it has to mean the same from any folder. */
	if (!file || node->kind != CFG_STRING || strcmp(node->value.string, path) != 0)
		return sahm_fail(err, SAHM_FORMAT, "a bundle names '%.300s', which it does not list",
				 node->kind == CFG_STRING ? node->value.string : path);
	if (file->kind != kind)
		return sahm_fail(err, SAHM_FORMAT, "a bundle names '%u/%s', whose kind is %s, as %s", file->number,
				 file->name, bundle_kind_names[file->kind], config_keys[key].path);
	if (key != KEY_ABI)
		return SAHM_OK;
	uint32_t *known = strtable_at(&o->specs, path);
	if (!known)
		return sahm_fail_nomem(err);
	return (*known)++ ? SAHM_OK : bundle_check_spec(path, SAHM_FORMAT, err);
}

/* Whatever is wrong with names in a bundle is wrong with the bundle. */
static enum sahm_status check_names(struct opening *o)
{
	struct sweep *sweep = o->sweep;
	struct sahm_err cause;
	enum sahm_status status = run_config_rename_files(&sweep->arena, NULL, "", sweep->base, check_file, o, &cause);
	if (status == SAHM_OK)
		status = space_rename_files(&sweep->space, NULL, check_file, o, &cause);
	if (status == SAHM_OK)
		return SAHM_OK;
	return status == SAHM_NOMEM ? sahm_fail_nomem(o->err) : sahm_fail(o->err, SAHM_FORMAT, "%s", cause.msg);
}

static bool makes_image(const struct space_value *value)
{
	static const enum config_key keys[] = {KEY_INTROSPECTION, KEY_IMAGE};
	for (uint32_t i = 0; i < value->nr_settings; i++)
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
			const size_t len = strlen(config_keys[keys[k]].path);
			if (strncmp(value->settings[i], config_keys[keys[k]].path, len) == 0 &&
			    value->settings[i][len] == '=')
				return true;
		}
	return false;
}

static bool append_setting(struct space *space, struct space_value *value, const char *setting)
{
	const char **settings = arena_alloc(&space->arena, (size_t)value->nr_settings + 1, sizeof(*settings));
	if (!settings)
		return false;
	for (uint32_t i = 0; i < value->nr_settings; i++)
		settings[i] = value->settings[i];
	settings[value->nr_settings++] = setting;
	value->settings = settings;
	return true;
}

/* Every program that a point loads comes from the configuration, or from a value that sets it or its whole group:
 * trust is added to each such value. Without a program it would be an error. */
static enum sahm_status impose_trust(struct opening *o, const char *trust)
{
	struct sweep *sweep = o->sweep;
	struct space *space = &sweep->space;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s=", config_keys[KEY_TRUST].path);
	cfg_write_string(&b, trust);
	const char *setting = textbuf_keep(&b, &space->arena);
	if (!setting)
		return sahm_fail_nomem(o->err);
	space->max_settings = 0;
	for (uint32_t i = 0; i < space->nr_axes; i++) {
		struct space_axis *axis = &space->axes[i];
		uint32_t most = 0;
		for (uint64_t v = 0; v < axis->nr_values; v++) {
			struct space_value *value = &axis->values[v];
			if (makes_image(value) && !append_setting(space, value, setting))
				return sahm_fail_nomem(o->err);
			most = value->nr_settings > most ? value->nr_settings : most;
		}
		space->max_settings += most;
	}
	if (!cfg_member(sweep->base, &config_keys[KEY_INTROSPECTION]))
		return SAHM_OK;
	return cfg_set(&sweep->arena, sweep->base, config_keys, NR_CONFIG_KEYS, setting, o->err);
}

static enum sahm_status check(struct opening *o, const struct bundle_host *host)
{
	struct sweep *sweep = o->sweep;
	if (!note_places(o))
		return sahm_fail_nomem(o->err);
	enum sahm_status status = check_names(o);
	if (status == SAHM_OK && sweep->evaluator != o->b->evaluator)
		status = sahm_fail(o->err, SAHM_FORMAT, "a bundle says '%s' and its sweep '%s'",
				   evaluator_names[o->b->evaluator], evaluator_names[sweep->evaluator]);
	if (status == SAHM_OK && host->trust)
		status = impose_trust(o, host->trust);
	if (status != SAHM_OK)
		return status;
	sweep->name = arena_strdup(&sweep->arena, o->b->name);
	sweep->folder = arena_strdup(&sweep->arena, o->folder);
	return sweep->name && sweep->folder ? SAHM_OK : sahm_fail_nomem(o->err);
}

enum sahm_status bundle_open(struct sweep *sweep, const struct bundle *b, const char *folder,
			     const struct bundle_host *host, struct sahm_err *err)
{
	struct opening o = {.sweep = sweep, .b = b, .err = err};
	struct textbuf config;
	char *real = realpath(folder, NULL);
	if (!real)
		return sahm_fail(err, errno == ENOMEM ? SAHM_NOMEM : SAHM_IO, "cannot open '%s': %s", folder,
				 strerror(errno));
	o.folder = real;
	strtable_init(&o.places, &o.scratch);
	strtable_init(&o.specs, &o.scratch);
	textbuf_init(&config);
	textbuf_printf(&config, "%s/%s", real, BUNDLE_CONFIG);
	const struct sweep_request request = {.config = config.text, .cache = host->cache};
	enum sahm_status status = textbuf_failed(&config) ? sahm_fail_nomem(err) : sweep_read(sweep, &request, err);
	textbuf_release(&config);
	if (status == SAHM_OK) {
		status = check(&o, host);
		if (status != SAHM_OK)
			sweep_release(sweep);
	}
	arena_release(&o.scratch);
	free(real);
	return status;
}
