/* What the files that read a space share: its keys, room for values, and how values are written. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

const struct cfg_key space_keys[] = {SPACE_KEYS(CFG_KEY_ROW)};

enum sahm_status space_fail_missing(struct space_reading *r, const struct cfg_node *group, enum space_key key)
{
	return cfg_fail(group, r->err, "missing key '%s': %s", space_keys[key].path, space_keys[key].help);
}

enum sahm_status space_count(struct space_reading *r, const struct cfg_node *group, enum space_key key,
			     uint32_t fallback, uint32_t *count)
{
	double value = fallback;
	enum sahm_status status = SAHM_OK;
	if (*space_keys[key].default_value || space_member(group, key))
		status = cfg_number(group, &space_keys[key], &value, r->err);
	*count = (uint32_t)value;
	return status;
}

enum sahm_status space_count_settings(struct space_reading *r, const struct cfg_node *node, uint64_t nr)
{
	struct sahm_err cause;
	r->nr_settings += nr;
	if (r->nr_settings <= MAX_SPACE_SETTINGS)
		return SAHM_OK;
	cfg_fail(node, &cause, "the values of all axes would make more than %" PRIu64 " settings", MAX_SPACE_SETTINGS);
	return sahm_fail(r->err, SAHM_RANGE, "%s", cause.msg);
}

enum sahm_status space_make_values(struct space_reading *r, const struct cfg_node *node, uint64_t nr,
				   struct space_axis *axis)
{
	struct sahm_err cause;
	if (nr == 0)
		return cfg_fail(node, r->err, "axis '%.80s' has no values", axis->name);
	if (nr > MAX_AXIS_VALUES) {
		cfg_fail(node, &cause, "axis '%.80s' would have %s%" PRIu64 " values, must be at most %" PRIu64,
			 axis->name, nr == UINT64_MAX ? "at least " : "", nr, MAX_AXIS_VALUES);
		return sahm_fail(r->err, SAHM_RANGE, "%s", cause.msg);
	}
	enum sahm_status status = space_count_settings(r, node, nr);
	if (status != SAHM_OK)
		return status;
	axis->values = arena_alloc(&r->space->arena, nr, sizeof(*axis->values));
	axis->nr_values = nr;
	return axis->values ? SAHM_OK : sahm_fail_nomem(r->err);
}

enum sahm_status space_put_value(struct space_reading *r, struct space_value *value, struct textbuf *label,
				 struct textbuf *setting)
{
	struct arena *a = &r->space->arena;
	const char **settings = arena_alloc(a, 1, sizeof(*settings));
	value->label = textbuf_keep(label, a);
	const char *text = textbuf_keep(setting, a);
	if (!settings || !value->label || !text)
		return sahm_fail_nomem(r->err);
	settings[0] = text;
	value->settings = settings;
	value->nr_settings = 1;
	return SAHM_OK;
}

static bool needs_wide(const struct cfg_node *n)
{
	return n->kind == CFG_INT && (n->value.integer < INT32_MIN || n->value.integer > INT32_MAX);
}

static void write_many(const struct cfg_node *node, bool as_label, struct textbuf *out);

static void write_one(const struct cfg_node *node, bool as_label, bool wide, struct textbuf *out)
{
	switch (node->kind) {
	case CFG_INT:
		textbuf_printf(out, "%" PRId64 "%s", node->value.integer, wide && !as_label ? "L" : "");
		break;
	case CFG_FLOAT:
		number_write_double(out, node->value.real, !as_label);
		break;
	case CFG_BOOL:
		textbuf_puts(out, node->value.truth ? "true" : "false");
		break;
	case CFG_STRING:
		if (as_label)
			textbuf_puts(out, node->value.string);
		else
			cfg_write_string(out, node->value.string);
		break;
	default:
		write_many(node, as_label, out);
		break;
	}
}

static void write_many(const struct cfg_node *node, bool as_label, struct textbuf *out)
{
	const char *brackets = node->kind == CFG_GROUP ? "{}" : node->kind == CFG_ARRAY ? "[]" : "()";
	bool wide = false;
	/* The elements of an array are of one type. */
	for (const struct cfg_node *c = node->first; c && node->kind == CFG_ARRAY; c = c->next)
		wide |= needs_wide(c);
	textbuf_putc(out, brackets[0]);
	for (const struct cfg_node *c = node->first; c; c = c->next) {
		const char *between = node->kind == CFG_GROUP ? " " : ", ";
		textbuf_puts(out, c == node->first ? "" : between);
		if (node->kind == CFG_GROUP)
			textbuf_printf(out, "%s = ", c->name);
		write_one(c, as_label, wide || needs_wide(c), out);
		if (node->kind == CFG_GROUP)
			textbuf_putc(out, ';');
	}
	textbuf_putc(out, brackets[1]);
}

void space_write_value(const struct cfg_node *node, bool as_label, struct textbuf *out)
{
	write_one(node, as_label, needs_wide(node), out);
}

/* Holds a section against the keys; its values are defined by the keys of configurations. */
static void drop_values(struct cfg_node *node)
{
	for (struct cfg_node *c = node->first; c; c = c->next) {
		if (c->name && strcmp(c->name, "values") == 0 && c->kind != CFG_GROUP) {
			c->first = c->last = NULL;
			c->nr_children = 0;
		}
		drop_values(c);
	}
}

enum sahm_status space_check(struct space_reading *r, struct cfg_node *section)
{
	if (section->kind != CFG_GROUP)
		return cfg_fail(section, r->err, "'sweep' must be a group");
	enum sahm_status status = cfg_apply_units(section, "", space_keys, NR_SPACE_KEYS, r->err);
	if (status != SAHM_OK)
		return status;
	struct cfg_node *copy = cfg_clone(&r->scratch, section);
	if (!copy)
		return sahm_fail_nomem(r->err);
	drop_values(copy);
	status = cfg_check(copy, space_keys, NR_SPACE_KEYS, r->err);
	if (status == SAHM_OK)
		cfg_remark_unusual(section, "", space_keys, NR_SPACE_KEYS, &r->notes);
	return status;
}
