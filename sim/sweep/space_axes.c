/* Axes: of keys, zipped or not, of points, and of what generators make. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/quantity.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

/* Values that are nested deeper are written as points: what fits a line of the command line need not fit a section. */
#define MAX_WRITTEN_DEPTH 4u

/* One key of an axis. */
struct column {
	const struct cfg_node *node; /* its group */
	const char *path;
	unsigned kinds;
	bool is_range;
	struct space_range range;
	const struct cfg_node *next; /* value */
	uint64_t nr;
};

bool space_is_range(const char *text)
{
	const char *dots = strstr(text, "..");
	size_t number = strspn(text, "0123456789.-+"), unit = number;
	while (isalpha((unsigned char)text[unit]) || text[unit] == '%' || text[unit] == ' ')
		unit++;
	return dots && dots > text && *text != '.' && number > 0 && unit >= (size_t)(dots - text);
}

/* "FIRST..LAST..STEP", or NULL. */
static const char *write_range(struct space_reading *r, const decimal parts[3])
{
	struct textbuf b;
	textbuf_init(&b);
	decimal_write(&b, parts[0]);
	textbuf_puts(&b, "..");
	decimal_write(&b, parts[1]);
	if (parts[2] != DECIMAL_ONE) {
		textbuf_puts(&b, "..");
		decimal_write(&b, parts[2]);
	}
	return textbuf_keep(&b, &r->scratch);
}

static void remark_on_range(struct space_reading *r, const struct cfg_node *node, const char *pattern,
			    const struct space_range *range)
{
	const decimal ends[] = {range->first, range->first + range->step * (decimal)(range->nr - 1)};
	for (size_t i = 0; i < ARRAY_SIZE(ends) && range->nr != UINT64_MAX; i++) {
		struct cfg_node value = {.kind = CFG_FLOAT,
					 .parent = node->parent,
					 .file = node->file,
					 .line = node->line,
					 .value.real = quantity_to_double(ends[i])};
		space_remark(r, pattern, &value);
	}
}

/* The range of the key `path`, in its unit. */
static enum sahm_status read_range(struct space_reading *r, const struct cfg_node *node, const char *path,
				   struct space_range *range)
{
	const char *text = node->value.string, *p = text, *unit = NULL;
	char pattern[CFG_PATH_BYTES], step[64];
	decimal parts[3] = {0, 0, DECIMAL_ONE};
	size_t nr = 0, len, unit_len = 0;
	bool is_bare = false, are_mixed = false;
	struct sahm_err cause;
	enum sahm_status status = SAHM_OK;
	const struct cfg_key *key =
		cfg_pattern(path, pattern) ? cfg_find_unit(config_keys, NR_CONFIG_KEYS, pattern) : NULL;
	while (nr < 3 && (len = decimal_read_plain(p, &parts[nr])) > 0 && status == SAHM_OK) {
		if (key && quantity_is_one(p)) {
			const char *before = unit;
			unit = p + len + strspn(p + len, " ");
			are_mixed |= before && (strncmp(before, unit, unit_len) != 0 || unit_len != strcspn(unit, "."));
			unit_len = strcspn(unit, ".");
			len = (size_t)(unit - p) + unit_len;
			status = quantity_read(p, len, key->unit, key->is_speedup, &parts[nr], &cause);
		} else {
			is_bare |= parts[nr] != 0;
		}
		nr++;
		p += len;
		if (strncmp(p, "..", 2) != 0)
			break;
		p += 2;
	}
	/* Without a step, that is 1 in the unit of both ends. */
	if (status == SAHM_OK && unit && nr == 2) {
		int used = snprintf(step, sizeof(step), "1%.*s", (int)unit_len, unit);
		status = quantity_read(step, (size_t)used, key->unit, key->is_speedup, &parts[2], &cause);
	}
	/* A difference of two factors. */
	if (unit && *unit == 'x')
		parts[2] += 100 * DECIMAL_ONE;
	if (status != SAHM_OK)
		return cfg_fail(node, r->err, "'%.80s' %s", path, cause.msg);
	if (nr < 2 || *p)
		return cfg_fail(node, r->err,
				"malformed range '%.60s', written as FIRST..LAST or FIRST..LAST..STEP, with up to "
				"nine decimals",
				text);
	if (unit && is_bare)
		return cfg_fail(node, r->err, "range '%.60s' has a unit at some of its numbers only", text);
	if (are_mixed && nr == 2)
		return cfg_fail(node, r->err, "range '%.60s' has two units and no step", text);
	if (parts[1] < parts[0])
		return cfg_fail(node, r->err, "range '%.60s' ends before it begins", text);
	if (parts[2] <= 0)
		return cfg_fail(node, r->err, "range '%.60s' has a step that is not above 0", text);
	decimal steps = (parts[1] - parts[0]) / parts[2];
	range->text = unit ? write_range(r, parts) : text;
	range->first = parts[0];
	range->step = parts[2];
	/* Anything beyond the maximum of an axis is too much. */
	range->nr = steps < (decimal)INT64_MAX ? (uint64_t)steps + 1 : UINT64_MAX;
	if (!unit && key)
		remark_on_range(r, node, pattern, range);
	return range->text ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status read_column(struct space_reading *r, const struct cfg_node *node, struct column *c)
{
	const struct cfg_node *key = space_member(node, SPACE_AXIS_KEY),
			      *values = space_member(node, SPACE_AXIS_VALUES);
	bool zipped = node->parent && node->parent->name && strcmp(node->parent->name, "zip") == 0;
	c->node = node;
	if (!key)
		return space_fail_missing(r, node, zipped ? SPACE_ZIP_KEY : SPACE_AXIS_KEY);
	if (!values)
		return space_fail_missing(r, node, zipped ? SPACE_ZIP_VALUES : SPACE_AXIS_VALUES);
	enum sahm_status status = space_read_path(r, key, key->value.string, &c->path, &c->kinds);
	if (status == SAHM_OK)
		status = space_note_path(r, key, c->path, r->space->nr_axes);
	if (status != SAHM_OK)
		return status;
	c->is_range = values->kind == CFG_STRING;
	c->next = values->first;
	c->nr = values->nr_children;
	if (c->is_range && !(c->kinds & CFG_NUMBER))
		return cfg_fail(values, r->err, "'%.80s' is no number and has no ranges: its values are a list",
				c->path);
	if (c->is_range)
		status = read_range(r, values, c->path, &c->range);
	c->nr = c->is_range ? c->range.nr : c->nr;
	return status;
}

static unsigned depth_of(const struct cfg_node *node)
{
	unsigned deepest = 0;
	for (const struct cfg_node *c = node->first; c; c = c->next) {
		unsigned depth = 1 + depth_of(c);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

/* Value `v` of a range. */
static enum sahm_status put_of_range(struct space_reading *r, const struct column *c, uint64_t v, struct textbuf *label,
				     const char **setting)
{
	decimal value = c->range.first + (decimal)v * c->range.step;
	bool is_whole = value % DECIMAL_ONE == 0;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s=", c->path);
	decimal_write(&b, value);
	/* Past 64 bits it is a number all the same, with a point. */
	if (is_whole && (value > (decimal)INT64_MAX * DECIMAL_ONE || value < (decimal)INT64_MIN * DECIMAL_ONE))
		textbuf_puts(&b, ".0");
	else if (is_whole && (value > (decimal)INT32_MAX * DECIMAL_ONE || value < (decimal)INT32_MIN * DECIMAL_ONE))
		textbuf_putc(&b, 'L');
	decimal_write(label, value);
	*setting = textbuf_keep(&b, &r->space->arena);
	return *setting ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status put_values(struct space_reading *r, struct column *columns, uint32_t nr,
				   struct space_axis *axis)
{
	enum sahm_status status = SAHM_OK;
	for (uint64_t v = 0; v < axis->nr_values && status == SAHM_OK; v++) {
		struct textbuf label;
		bool moved = false;
		const char **settings = arena_alloc(&r->space->arena, nr, sizeof(*settings));
		if (!settings)
			return sahm_fail_nomem(r->err);
		textbuf_init(&label);
		for (uint32_t i = 0; i < nr && status == SAHM_OK; i++) {
			struct column *c = &columns[i];
			textbuf_puts(&label, i ? ", " : "");
			if (c->is_range) {
				status = put_of_range(r, c, v, &label, &settings[i]);
				continue;
			}
			status = space_make_setting(r, c->path, c->kinds, c->next, &label, &settings[i], &moved);
			moved |= depth_of(c->next) > MAX_WRITTEN_DEPTH;
			c->next = c->next->next;
		}
		axis->form = moved ? SPACE_BY_POINTS : axis->form;
		axis->values[v] = (struct space_value){textbuf_keep(&label, &r->space->arena), settings, nr};
		if (status == SAHM_OK && !axis->values[v].label)
			status = sahm_fail_nomem(r->err);
	}
	return status;
}

/* A range, however long, stays one. */
static enum sahm_status keep_range(struct space_reading *r, const struct column *c, struct space_axis *axis)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, "key = ");
	cfg_write_string(&b, c->path);
	textbuf_puts(&b, "; values = ");
	cfg_write_string(&b, c->range.text);
	textbuf_putc(&b, ';');
	axis->form = SPACE_BY_TEXT;
	axis->text = textbuf_keep(&b, &r->space->arena);
	return axis->text ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status check_apart(struct space_reading *r, const struct column *columns, uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++)
		for (uint32_t k = 0; k < i; k++)
			if (cfg_path_leads_to(columns[i].path, strlen(columns[i].path), columns[k].path))
				return cfg_fail(columns[i].node, r->err, "'%.80s' would undo '%.80s' before it",
						columns[i].path, columns[k].path);
	return SAHM_OK;
}

enum sahm_status space_read_keys(struct space_reading *r, const struct cfg_node *first, uint32_t nr,
				 struct space_axis *axis)
{
	if (nr > MAX_VALUE_SETTINGS)
		return cfg_fail(first, r->err, "more than %u keys change together", MAX_VALUE_SETTINGS);
	struct column *columns = arena_alloc(&r->scratch, nr, sizeof(*columns));
	enum sahm_status status = columns ? SAHM_OK : sahm_fail_nomem(r->err);
	const struct cfg_node *n = first;
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++, n = n->next) {
		status = read_column(r, n, &columns[i]);
		if (status == SAHM_OK && columns[i].nr != columns[0].nr)
			status =
				cfg_fail(n, r->err,
					 "'%.80s' has %" PRIu64 " values, and '%.80s', with which it changes, %" PRIu64,
					 columns[i].path, columns[i].nr, columns[0].path, columns[0].nr);
	}
	if (status == SAHM_OK)
		status = check_apart(r, columns, nr);
	if (status == SAHM_OK)
		status = space_make_values(r, first, columns[0].nr, axis);
	/* Each has one setting that was counted. */
	if (status == SAHM_OK)
		status = space_count_settings(r, first, axis->nr_values * (nr - 1));
	axis->form = SPACE_BY_KEYS;
	if (status == SAHM_OK)
		status = put_values(r, columns, nr, axis);
	if (status == SAHM_OK && nr == 1 && columns[0].is_range)
		status = keep_range(r, &columns[0], axis);
	return status;
}

/* One setting of a point: "key.path=value". */
static enum sahm_status read_set(struct space_reading *r, const struct cfg_node *node, const char **setting,
				 const char **path)
{
	const char *text = node->value.string, *eq = strchr(text, '=');
	const char *key = eq ? arena_strndup(&r->scratch, text, (size_t)(eq - text)) : "";
	struct cfg_node *value = NULL;
	struct sahm_err cause;
	unsigned kinds;
	bool moved = false;
	if (!key)
		return sahm_fail_nomem(r->err);
	if (!eq || eq == text)
		return cfg_fail(node, r->err, "'%.80s' is no setting, which is written as key.path=value", text);
	enum sahm_status status = space_read_path(r, node, key, path, &kinds);
	if (status == SAHM_OK)
		status = space_note_path(r, node, *path, r->space->nr_axes);
	if (status != SAHM_OK)
		return status;
	status = cfg_read_setting(&r->scratch, eq + 1, kinds, node->file, node->line, &value, &cause);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(r->err);
	if (status != SAHM_OK)
		return cfg_fail(node, r->err, "'%.80s': %s", text, cause.msg);
	return space_make_setting(r, *path, kinds, value, NULL, setting, &moved);
}

static enum sahm_status read_point(struct space_reading *r, const struct cfg_node *node, struct space_value *value)
{
	const struct cfg_node *name = space_member(node, SPACE_POINT_NAME),
			      *sets = space_member(node, SPACE_POINT_SETS);
	const char *paths[MAX_VALUE_SETTINGS];
	uint32_t nr = sets ? sets->nr_children : 0;
	if (!name)
		return space_fail_missing(r, node, SPACE_POINT_NAME);
	if (nr > MAX_VALUE_SETTINGS)
		return cfg_fail(sets, r->err, "more than %u settings of one point", MAX_VALUE_SETTINGS);
	const char **settings = arena_alloc(&r->space->arena, nr, sizeof(*settings));
	value->label = arena_strdup(&r->space->arena, name->value.string);
	if (!settings || !value->label)
		return sahm_fail_nomem(r->err);
	value->settings = settings;
	for (const struct cfg_node *n = sets ? sets->first : NULL; n; n = n->next) {
		const uint32_t i = value->nr_settings++;
		enum sahm_status status = read_set(r, n, &settings[i], &paths[i]);
		if (status != SAHM_OK)
			return status;
		for (uint32_t k = 0; k < i; k++)
			if (cfg_path_leads_to(paths[i], strlen(paths[i]), paths[k]))
				return cfg_fail(n, r->err, "'%.80s' would undo '%.80s' before it", paths[i], paths[k]);
	}
	return SAHM_OK;
}

enum sahm_status space_read_points(struct space_reading *r, const struct cfg_node *points, struct space_axis *axis)
{
	enum sahm_status status = space_make_values(r, points, points->nr_children, axis);
	struct space_value *value = axis->values;
	axis->form = SPACE_BY_POINTS;
	for (const struct cfg_node *n = points->first; n && status == SAHM_OK; n = n->next)
		status = read_point(r, n, value++);
	return status;
}

/* Which of an axis's keys go with which: with its first three, or with either generator. */
static enum sahm_status check_members(struct space_reading *r, const struct cfg_node *node, const char *what,
				      enum space_key kind)
{
	static const char paper[] = "paper: ", mixes[] = "mixes: ";
	for (int k = 0; k < NR_SPACE_KEYS; k++) {
		const struct cfg_key *key = &space_keys[k];
		const struct cfg_node *member = NULL;
		if (strncmp(key->path, "axes[].", 7) == 0 && !strpbrk(key->path + 7, ".["))
			member = cfg_member(node, key);
		if (!member || k == SPACE_AXIS_NAME || k == (int)kind ||
		    (k == SPACE_AXIS_VALUES && kind == SPACE_AXIS_KEY))
			continue;
		if (kind == SPACE_GENERATOR && strncmp(key->help, *what == 'm' ? mixes : paper, sizeof(paper) - 1) == 0)
			continue;
		return cfg_fail(member, r->err, "'%s' has no effect on an axis with %s '%s'", member->name,
				kind == SPACE_GENERATOR ? "generator" : "the key", what);
	}
	return SAHM_OK;
}

static enum sahm_status read_generator(struct space_reading *r, const struct cfg_node *node, struct space_axis *axis)
{
	static const struct {
		const char *name;
		enum sahm_status (*generate)(struct space_reading *r, const struct cfg_node *node,
					     struct space_axis *axis);
		bool is_former; /* still accepted, not suggested */
	} rows[] = {{"paper", space_generate_study, false},
		    {"mixes", space_generate_mixes, false},
		    {"study", space_generate_study, true}};
	const struct cfg_node *generator = space_member(node, SPACE_GENERATOR);
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, generator->value.string);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].is_former)
			suggest_offer(&s, rows[i].name);
		if (strcmp(rows[i].name, generator->value.string) != 0)
			continue;
		enum sahm_status status = check_members(r, node, rows[i].name, SPACE_GENERATOR);
		if (status == SAHM_OK)
			status = space_note_path(r, node, config_keys[KEY_CORES].path, r->space->nr_axes);
		axis->form = SPACE_BY_TEXT;
		return status == SAHM_OK ? rows[i].generate(r, node, axis) : status;
	}
	return cfg_fail(generator, r->err, "unknown generator '%.60s' (paper, mixes)%s", generator->value.string,
			suggest_text(&s, near));
}

/* Name of an axis that is not given one. */
static const char *name_axis(struct space_reading *r, const struct cfg_node *node, enum space_key kind)
{
	struct textbuf b;
	textbuf_init(&b);
	if (kind == SPACE_AXIS_KEY) {
		textbuf_puts(&b, space_member(node, SPACE_AXIS_KEY)->value.string);
	} else if (kind == SPACE_ZIP) {
		for (const struct cfg_node *n = space_member(node, SPACE_ZIP)->first; n; n = n->next) {
			const struct cfg_node *key = space_member(n, SPACE_ZIP_KEY);
			textbuf_printf(&b, "%s%s", n->parent->first == n ? "" : "+", key ? key->value.string : "");
		}
	} else {
		textbuf_puts(&b, kind == SPACE_POINTS ? "point" : "chip");
	}
	return textbuf_keep(&b, &r->space->arena);
}

static enum sahm_status check_name(struct space_reading *r, const struct cfg_node *node, const char *name)
{
	if (!name)
		return sahm_fail_nomem(r->err);
	if (!*name)
		return cfg_fail(node, r->err, "the name of an axis is empty");
	for (uint32_t i = 0; i < r->space->nr_axes; i++)
		if (strcmp(r->space->axes[i].name, name) == 0)
			return cfg_fail(node, r->err, "two axes are called '%.80s'%s", name,
					node->line ? ": give one another 'name'" : "");
	return SAHM_OK;
}

/* Values of an axis are known by their labels. */
static enum sahm_status check_labels(struct space_reading *r, const struct cfg_node *node,
				     const struct space_axis *axis)
{
	struct arena a = {0};
	struct strtable seen;
	enum sahm_status status = SAHM_OK;
	strtable_init(&seen, &a);
	for (uint64_t v = 0; v < axis->nr_values && status == SAHM_OK; v++) {
		uint32_t *nr = strtable_at(&seen, axis->values[v].label);
		if (!nr)
			status = sahm_fail_nomem(r->err);
		else if ((*nr)++ > 0)
			status = cfg_fail(node, r->err, "value '%.80s' is on axis '%.80s' twice", axis->values[v].label,
					  axis->name);
	}
	arena_release(&a);
	return status;
}

enum sahm_status space_read_axis(struct space_reading *r, const struct cfg_node *node)
{
	static const enum space_key kinds[] = {SPACE_AXIS_KEY, SPACE_ZIP, SPACE_POINTS, SPACE_GENERATOR};
	struct space *space = r->space;
	const struct cfg_node *of = NULL, *name = space_member(node, SPACE_AXIS_NAME);
	enum space_key kind = SPACE_AXIS_KEY;
	unsigned nr_kinds = 0;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct cfg_node *member = space_member(node, kinds[i]);
		kind = member ? kinds[i] : kind;
		of = member ? member : of;
		nr_kinds += member != NULL;
	}
	if (nr_kinds != 1)
		return cfg_fail(node, r->err, "an axis has one of 'key', 'zip', 'points' and 'generator', not %u",
				nr_kinds);
	if (kind == SPACE_ZIP && !of->first)
		return cfg_fail(of, r->err, "'zip' is empty");
	if (space->nr_axes == MAX_SPACE_AXES)
		return cfg_fail(node, r->err, "more than %u axes", MAX_SPACE_AXES);
	struct space_axis *axis = &space->axes[space->nr_axes];
	axis->name = name ? arena_strdup(&space->arena, name->value.string) : name_axis(r, node, kind);
	enum sahm_status status = check_name(r, name ? name : node, axis->name);
	if (status == SAHM_OK && kind != SPACE_GENERATOR)
		status = check_members(r, node, of->name, kind);
	if (status != SAHM_OK)
		return status;
	axis->file = node->file ? arena_strdup(&space->arena, node->file) : NULL;
	axis->line = node->line;
	axis->has_names = kind == SPACE_POINTS || kind == SPACE_GENERATOR;
	if (kind == SPACE_GENERATOR)
		status = read_generator(r, node, axis);
	else if (kind == SPACE_POINTS)
		status = space_read_points(r, of, axis);
	else if (kind == SPACE_ZIP)
		status = space_read_keys(r, of->first, of->nr_children, axis);
	else
		status = space_read_keys(r, node, 1, axis);
	if (status == SAHM_OK)
		status = check_labels(r, node, axis);
	space->nr_axes += status == SAHM_OK;
	return status;
}
