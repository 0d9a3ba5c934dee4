/* Making bundles: all that a sweep reads, by numbers. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ipu/trust/trust.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/strtable.h"
#include "sim/engine/model.h"
#include "sim/queue/bundle_internal.h"

struct making {
	struct bundle *b;
	const struct sweep *sweep;
	struct cfg_node *base; /* a copy */
	struct space space;    /* a copy whose values are its own */
	struct arena scratch;
	struct strtable numbers; /* kind and path: number + 1 */
	uint32_t nr_numbers;
	struct sahm_err *err;
};

static enum sahm_status add_file(struct making *m, enum bundle_file_kind kind, uint32_t number, const char *path)
{
	struct bundle *b = m->b;
	const char *name = base_name(path), *fault = bundle_name_fault(name);
	if (fault)
		return sahm_fail(m->err, SAHM_CONFIG, "'%s' cannot travel by its name: %s", path, fault);
	if (b->nr_files == MAX_BUNDLE_FILES)
		return sahm_fail(m->err, SAHM_RANGE, "the sweep reads more than %u files: '%s' is one too many",
				 MAX_BUNDLE_FILES, path);
	struct bundle_file *file = &b->files[b->nr_files];
	file->kind = kind;
	file->number = number;
	file->path = arena_strdup(&b->arena, path);
	file->name = arena_strdup(&b->arena, name);
	if (!file->path || !file->name)
		return sahm_fail_nomem(m->err);
	enum sahm_status status = bundle_hash_file(path, file->hash, &file->bytes, m->err);
	b->nr_files += status == SAHM_OK;
	return status;
}

static enum sahm_status add_signature(struct making *m, uint32_t number, const char *image)
{
	struct stat st;
	char *path;
	enum sahm_status status = trust_find_signature(image, &path, m->err);
	if (status != SAHM_OK)
		return status;
	if (lstat(path, &st) == 0)
		status = add_file(m, BUNDLE_SIGNATURE, number, path);
	free(path);
	return status;
}

/* The number of the file that a key names: the same path for the same purpose is one file. */
static enum sahm_status number_of(struct making *m, enum config_key key, const char *path, uint32_t *number)
{
	const enum bundle_file_kind kind = key == KEY_POLICY ? BUNDLE_PLUGIN : BUNDLE_DATA;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%d %s", key == KEY_POLICY || key == KEY_IMAGE || key == KEY_ABI ? (int)key : -1, path);
	uint32_t *row = textbuf_failed(&b) ? NULL : strtable_at(&m->numbers, b.text);
	textbuf_release(&b);
	if (!row)
		return sahm_fail_nomem(m->err);
	if (*row) {
		*number = *row - 1;
		return SAHM_OK;
	}
	*number = m->nr_numbers++;
	*row = m->nr_numbers;
	enum sahm_status status = key == KEY_ABI ? bundle_check_spec(path, SAHM_CONFIG, m->err) : SAHM_OK;
	if (status == SAHM_OK)
		status = add_file(m, kind, *number, path);
	return status == SAHM_OK && key == KEY_IMAGE ? add_signature(m, *number, path) : status;
}

static enum sahm_status rename_file(void *ctx, const struct cfg_node *node, enum config_key key, const char *path,
				    const char **name, struct sahm_err *err)
{
	struct making *m = ctx;
	struct textbuf b;
	uint32_t number = 0;
	if (key == KEY_TRUST)
		return sahm_fail_at(err, SAHM_CONFIG, node->file, node->line,
				    "introspection.trust is varied: which programs are trusted is for each worker to "
				    "say, and for no axis of a sweep that travels");
	if (key == KEY_SOFT)
		return sahm_fail_at(
			err, SAHM_CONFIG, node->file, node->line,
			"introspection.soft is a file: its code does not travel to other machines, where only "
			"shipped modules run");
	enum sahm_status status = number_of(m, key, path, &number);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&b);
	textbuf_printf(&b, "%u/%s", number, base_name(path));
	*name = textbuf_keep(&b, &m->b->arena);
	return *name ? SAHM_OK : sahm_fail_nomem(err);
}

/* Axes and values that can be changed; strings are the sweep's. */
static bool copy_space(struct making *m)
{
	const struct space *from = &m->sweep->space;
	struct space *to = &m->space;
	*to = *from;
	to->arena = (struct arena){0};
	to->axes = arena_alloc(&to->arena, from->nr_axes, sizeof(*to->axes));
	for (uint32_t i = 0; i < from->nr_axes && to->axes; i++) {
		struct space_axis *axis = &to->axes[i];
		*axis = from->axes[i];
		axis->values = arena_alloc(&to->arena, axis->nr_values, sizeof(*axis->values));
		if (!axis->values)
			return false;
		memcpy(axis->values, from->axes[i].values, axis->nr_values * sizeof(*axis->values));
	}
	return to->axes != NULL;
}

/* What a setting sets of the group `introspection`. */
enum part { PART_NONE, PART_WHOLE, PART_IMAGE, PART_ABI, PART_OTHER };

static enum part part_of(const char *setting)
{
	const size_t len = strcspn(setting, "=");
	static const struct {
		enum config_key key;
		enum part part;
	} rows[] = {{KEY_INTROSPECTION, PART_WHOLE}, {KEY_IMAGE, PART_IMAGE}, {KEY_ABI, PART_ABI}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strlen(config_keys[rows[i].key].path) == len &&
		    strncmp(config_keys[rows[i].key].path, setting, len) == 0)
			return rows[i].part;
	return cfg_path_leads_to(config_keys[KEY_INTROSPECTION].path, strlen(config_keys[KEY_INTROSPECTION].path),
				 setting)
		       ? PART_OTHER
		       : PART_NONE;
}

/* Bit `part` of those that a value sets. */
static unsigned parts_of(const struct space_value *value)
{
	unsigned parts = 0;
	for (uint32_t i = 0; i < value->nr_settings; i++)
		parts |= 1u << part_of(value->settings[i]);
	return parts & ~(1u << PART_NONE);
}

#define HAS(parts, part) ((parts)&1u << (part))

/* Adds the setting to every value of the axis that names an image, but no spec. */
static enum sahm_status add_setting(struct making *m, struct space_axis *axis, const char *setting)
{
	for (uint64_t v = 0; v < axis->nr_values; v++) {
		struct space_value *value = &axis->values[v];
		const unsigned parts = parts_of(value);
		if (!HAS(parts, PART_IMAGE) || HAS(parts, PART_ABI) || HAS(parts, PART_WHOLE))
			continue;
		if (value->nr_settings == MAX_VALUE_SETTINGS)
			return sahm_fail(m->err, SAHM_RANGE,
					 "a value of axis '%.80s' has no room for introspection.abi: say which one "
					 "it is",
					 axis->name);
		const char **settings = arena_alloc(&m->space.arena, (size_t)value->nr_settings + 1, sizeof(*settings));
		if (!settings)
			return sahm_fail_nomem(m->err);
		for (uint32_t i = 0; i < value->nr_settings; i++)
			settings[i] = value->settings[i];
		settings[value->nr_settings++] = setting;
		value->settings = settings;
		axis->form = SPACE_BY_POINTS;
	}
	return SAHM_OK;
}

/* The default ABI spec is found by its name, which a worker may not have. For groups in the text,
 * run_config_rename_files() has added it; this handles groups that only axes create. If every point has one, it goes
 * into the configuration, else beside the images. */
static enum sahm_status name_default_spec(struct making *m)
{
	const struct cfg_key *group_key = &config_keys[KEY_INTROSPECTION];
	struct space_axis *with_image = NULL;
	bool everywhere = false, whole = false, lacks = false;
	for (uint32_t i = 0; i < m->space.nr_axes; i++) {
		struct space_axis *axis = &m->space.axes[i];
		bool always = axis->nr_values > 0;
		for (uint64_t v = 0; v < axis->nr_values; v++) {
			const unsigned parts = parts_of(&axis->values[v]);
			always &= parts != 0;
			whole |= HAS(parts, PART_WHOLE) != 0;
			lacks |= HAS(parts, PART_IMAGE) && !HAS(parts, PART_ABI) && !HAS(parts, PART_WHOLE);
			with_image = HAS(parts, PART_IMAGE) ? axis : with_image;
		}
		everywhere |= always;
	}
	/* Points for which an axis sets only the spec have an image from another axis, whatever its value is. */
	for (uint32_t i = 0; i < m->space.nr_axes; i++)
		for (uint64_t v = 0; v < m->space.axes[i].nr_values && &m->space.axes[i] != with_image; v++)
			everywhere |= HAS(parts_of(&m->space.axes[i].values[v]), PART_ABI) != 0;
	if (!lacks || cfg_member(m->base, group_key))
		return SAHM_OK;
	struct cfg_node *group = arena_alloc(&m->b->arena, 1, sizeof(*group));
	if (!group)
		return sahm_fail_nomem(m->err);
	*group = (struct cfg_node){.kind = CFG_GROUP, .name = group_key->path, .file = "introspection"};
	enum sahm_status status = run_config_rename_files(&m->b->arena, m->sweep->data_folder, group_key->path, group,
							  rename_file, m, m->err);
	if (status != SAHM_OK)
		return status;
	if (everywhere) {
		cfg_put(m->base, group);
		return SAHM_OK;
	}
	if (whole)
		return sahm_fail(m->err, SAHM_CONFIG,
				 "axes set introspection and introspection.image apart: say which introspection.abi "
				 "is meant");
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s=", config_keys[KEY_ABI].path);
	cfg_write_string(&b, cfg_string(group, &config_keys[KEY_ABI]));
	const char *setting = textbuf_keep(&b, &m->space.arena);
	return setting ? add_setting(m, with_image, setting) : sahm_fail_nomem(m->err);
}

/* The name of a value follows from what it sets, including paths of files, which mean nothing on other machines. */
static enum sahm_status name_values(struct making *m)
{
	for (uint32_t i = 0; i < m->space.nr_axes; i++) {
		struct space_axis *axis = &m->space.axes[i];
		for (uint64_t v = 0; v < axis->nr_values && axis->form == SPACE_BY_POINTS && !axis->has_names; v++) {
			struct textbuf b;
			textbuf_init(&b);
			textbuf_printf(&b, "%llu", (unsigned long long)v);
			axis->values[v].label = textbuf_keep(&b, &m->space.arena);
			if (!axis->values[v].label)
				return sahm_fail_nomem(m->err);
		}
	}
	return SAHM_OK;
}

static void write_files(const struct bundle *b, struct textbuf *out)
{
	textbuf_puts(out, "\tfiles = (");
	for (uint32_t i = 0; i < b->nr_files; i++) {
		const struct bundle_file *file = &b->files[i];
		char hex[HASH_HEX_BYTES];
		hash_hex(file->hash, hex);
		textbuf_printf(out, "%s\n\t\t{ number = %u; name = ", i ? "," : "", file->number);
		cfg_write_string(out, file->name);
		textbuf_printf(out, "; kind = \"%s\"; bytes = %llu; hash = \"%s\"; }", bundle_kind_names[file->kind],
			       (unsigned long long)file->bytes, hex);
	}
	textbuf_puts(out, b->nr_files ? "\n\t);\n" : ");\n");
}

static enum sahm_status write_text(struct making *m)
{
	struct bundle *b = m->b;
	struct textbuf out;
	struct hash h;
	textbuf_init(&out);
	cfg_write(m->base, &out);
	space_write(&m->space, &out);
	textbuf_printf(&out, "%s :\n{\n\tformat = %u;\n\tprogram = ", BUNDLE_SECTION, BUNDLE_FORMAT);
	cfg_write_string(&out, b->program);
	textbuf_puts(&out, ";\n\tname = ");
	cfg_write_string(&out, b->name);
	textbuf_printf(&out, ";\n\tevaluator = \"%s\";\n\ttimeout_s = %u;\n", evaluator_names[b->evaluator],
		       b->timeout_s);
	if (b->memory_bytes)
		textbuf_printf(&out, "\tmemory_bytes = %lluL;\n", (unsigned long long)b->memory_bytes);
	write_files(b, &out);
	textbuf_puts(&out, "};\n");
	b->len = out.len;
	b->text = textbuf_keep(&out, &b->arena);
	if (!b->text)
		return sahm_fail_nomem(m->err);
	if (b->len > MAX_BUNDLE_BYTES)
		return sahm_fail(
			m->err, SAHM_RANGE,
			"the sweep's configuration has %zu bytes with its axes, must be at most %llu to travel", b->len,
			(unsigned long long)MAX_BUNDLE_BYTES);
	hash_init(&h);
	hash_add(&h, b->text, b->len);
	hash_end(&h, b->hash);
	return SAHM_OK;
}

static enum sahm_status make(struct making *m)
{
	struct bundle *b = m->b;
	const struct sweep *sweep = m->sweep;
	m->base = cfg_clone(&b->arena, sweep->base);
	b->files = arena_alloc(&b->arena, MAX_BUNDLE_FILES, sizeof(*b->files));
	b->program = arena_strdup(&b->arena, model_version());
	b->name = arena_strndup(&b->arena, sweep->name, strnlen(sweep->name, MAX_BUNDLE_NAME));
	if (!m->base || !b->files || !b->program || !b->name || !copy_space(m))
		return sahm_fail_nomem(m->err);
	struct cfg_node *group = (struct cfg_node *)cfg_member(m->base, &config_keys[KEY_INTROSPECTION]);
	const struct cfg_node *trust = cfg_member(group, &config_keys[KEY_TRUST]);
	if (trust)
		cfg_take(group, trust->name);
	enum sahm_status status =
		run_config_rename_files(&b->arena, sweep->data_folder, "", m->base, rename_file, m, m->err);
	if (status == SAHM_OK)
		status = space_rename_files(&m->space, sweep->data_folder, rename_file, m, m->err);
	if (status == SAHM_OK)
		status = name_default_spec(m);
	if (status == SAHM_OK)
		status = name_values(m);
	return status == SAHM_OK ? write_text(m) : status;
}

enum sahm_status bundle_make(struct bundle *b, const struct sweep *sweep, unsigned timeout_s, uint64_t memory_bytes,
			     struct sahm_err *err)
{
	struct making m = {.b = b, .sweep = sweep, .err = err};
	*b = (struct bundle){.evaluator = sweep->evaluator, .timeout_s = timeout_s, .memory_bytes = memory_bytes};
	strtable_init(&m.numbers, &m.scratch);
	enum sahm_status status = make(&m);
	arena_release(&m.space.arena);
	arena_release(&m.scratch);
	if (status != SAHM_OK)
		bundle_release(b);
	return status;
}
