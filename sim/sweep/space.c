#include "sim/sweep/space.h"

#include <inttypes.h>
#include <string.h>

#include "results/studies/evaluate.h"
#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

const struct cfg_key space_keys[NR_SPACE_KEYS] = {
#define KEY(suffix, path, kinds, unit, default_value, min, max, help)                                                  \
	[SPACE_##suffix] = {path, kinds, unit, default_value, min, max, help},
#include "sim/sweep/space_key_list.h"
#undef KEY
};

const char *space_keep(struct arena *a, struct textbuf *b)
{
	const char *text = textbuf_failed(b) ? NULL : arena_strndup(a, b->text, b->len);
	textbuf_release(b);
	return text;
}

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
	value->label = space_keep(a, label);
	const char *text = space_keep(a, setting);
	if (!settings || !value->label || !text)
		return sahm_fail_nomem(r->err);
	settings[0] = text;
	value->settings = settings;
	value->nr_settings = 1;
	return SAHM_OK;
}

/* Which of an axis's keys go with which: with its first three, or with either generator. */
static enum sahm_status check_members(struct space_reading *r, const struct cfg_node *node, const char *what,
				      enum space_key kind)
{
	static const char study[] = "study: ", mixes[] = "mixes: ";
	for (int k = 0; k < NR_SPACE_KEYS; k++) {
		const struct cfg_key *key = &space_keys[k];
		const struct cfg_node *member = NULL;
		if (strncmp(key->path, "axes[].", 7) == 0 && !strpbrk(key->path + 7, ".["))
			member = cfg_member(node, key);
		if (!member || k == SPACE_AXIS_NAME || k == (int)kind ||
		    (k == SPACE_AXIS_VALUES && kind == SPACE_AXIS_KEY))
			continue;
		if (kind == SPACE_GENERATOR && strncmp(key->help, *what == 's' ? study : mixes, sizeof(study) - 1) == 0)
			continue;
		return cfg_fail(member, r->err, "'%s' says nothing on an axis with %s '%s'", member->name,
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
	} rows[] = {{"study", space_generate_study}, {"mixes", space_generate_mixes}};
	const struct cfg_node *generator = space_member(node, SPACE_GENERATOR);
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, generator->value.string);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		suggest_offer(&s, rows[i].name);
		if (strcmp(rows[i].name, generator->value.string) != 0)
			continue;
		enum sahm_status status = check_members(r, node, rows[i].name, SPACE_GENERATOR);
		if (status == SAHM_OK)
			status = space_note_path(r, node, config_keys[KEY_CORES].path, r->space->nr_axes);
		axis->form = SPACE_BY_TEXT;
		return status == SAHM_OK ? rows[i].generate(r, node, axis) : status;
	}
	return cfg_fail(generator, r->err, "unknown generator '%.60s' (study, mixes)%s", generator->value.string,
			suggest_text(&s, near));
}

/* What an axis is called that is not given a name. */
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
	return space_keep(&r->space->arena, &b);
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

/* Holds a section against the keys; what its values are is said by the keys of configurations. */
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

enum sahm_status space_check(struct space_reading *r, const struct cfg_node *section)
{
	struct cfg_node *copy = section->kind == CFG_GROUP ? cfg_clone(&r->scratch, section) : NULL;
	if (section->kind != CFG_GROUP)
		return cfg_fail(section, r->err, "'sweep' must be a group");
	if (!copy)
		return sahm_fail_nomem(r->err);
	drop_values(copy);
	return cfg_check(copy, space_keys, NR_SPACE_KEYS, r->err);
}

static enum sahm_status read_evaluator(struct space_reading *r, const struct cfg_node *section)
{
	const struct cfg_node *node = space_member(section, SPACE_EVALUATOR);
	const char *word = cfg_string(section, &space_keys[SPACE_EVALUATOR]);
	struct space *space = r->space;
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, word);
	for (size_t i = 0; evaluator_names[i]; i++) {
		suggest_offer(&s, evaluator_names[i]);
		if (strcmp(evaluator_names[i], word) == 0)
			space->evaluator = evaluator_names[i];
	}
	space->has_evaluator = node != NULL;
	return space->evaluator ? SAHM_OK
				: cfg_fail(node, r->err, "unknown evaluator '%.60s' (run, limit)%s", word,
					   suggest_text(&s, near));
}

/* Strides, and how many points there are. */
static enum sahm_status finish(struct space_reading *r)
{
	struct space *space = r->space;
	struct textbuf b;
	bool fits = true;
	uint64_t nr = 1;
	textbuf_init(&b);
	space->nr_points = 1;
	for (uint32_t i = space->nr_axes; i-- > 0;) {
		struct space_axis *axis = &space->axes[i];
		uint32_t most = 0;
		axis->stride = space->nr_points;
		for (uint64_t v = 0; v < axis->nr_values; v++)
			most = axis->values[v].nr_settings > most ? axis->values[v].nr_settings : most;
		space->max_settings += most;
		/* Beyond what is allowed the product is only told. */
		fits = fits && !__builtin_mul_overflow(nr, axis->nr_values, &nr);
		space->nr_points = fits ? nr : 1;
	}
	if (fits && nr <= MAX_SPACE_POINTS)
		return SAHM_OK;
	for (uint32_t i = 0; i < space->nr_axes; i++)
		textbuf_printf(&b, "%s%" PRIu64, i ? " x " : "", space->axes[i].nr_values);
	if (fits)
		textbuf_printf(&b, " = %" PRIu64, nr);
	enum sahm_status status =
		textbuf_failed(&b)
			? sahm_fail_nomem(r->err)
			: sahm_fail(r->err, SAHM_RANGE, "the sweep would have %s points, must be at most %" PRIu64,
				    b.text, MAX_SPACE_POINTS);
	textbuf_release(&b);
	return status;
}

static enum sahm_status read_all(struct space_reading *r, const struct cfg_node *section,
				 const struct space_argument *args, size_t nr_args)
{
	enum sahm_status status = section ? space_check(r, section) : SAHM_OK;
	const struct cfg_node *axes = status == SAHM_OK ? space_member(section, SPACE_AXES) : NULL;
	if (status == SAHM_OK)
		status = read_evaluator(r, section);
	for (const struct cfg_node *n = axes ? axes->first : NULL; n && status == SAHM_OK; n = n->next)
		status = space_read_axis(r, n);
	for (size_t at = 0; at < nr_args && status == SAHM_OK;)
		status = space_read_argument(r, args, nr_args, &at);
	return status == SAHM_OK ? finish(r) : status;
}

enum sahm_status space_read(struct space *space, const struct cfg_node *sweep, const struct space_argument *args,
			    size_t nr_args, const char *data_folder, struct sahm_err *err)
{
	struct space_reading r = {.space = space, .data_folder = data_folder, .err = err};
	*space = (struct space){0};
	strtable_init(&r.set, &r.scratch);
	strtable_init(&r.below, &r.scratch);
	space->axes = arena_alloc(&space->arena, MAX_SPACE_AXES, sizeof(*space->axes));
	enum sahm_status status = space->axes ? read_all(&r, sweep, args, nr_args) : sahm_fail_nomem(err);
	arena_release(&r.scratch);
	if (status != SAHM_OK)
		space_release(space);
	return status;
}

void space_release(struct space *space)
{
	arena_release(&space->arena);
	*space = (struct space){0};
}

const struct space_value *space_value_at(const struct space *space, uint32_t axis, uint64_t position)
{
	const struct space_axis *a = &space->axes[axis];
	return &a->values[position / a->stride % a->nr_values];
}

size_t space_settings(const struct space *space, uint64_t position, const char **settings)
{
	size_t nr = 0;
	for (uint32_t i = 0; i < space->nr_axes; i++) {
		const struct space_value *value = space_value_at(space, i, position);
		for (uint32_t k = 0; k < value->nr_settings; k++)
			settings[nr++] = value->settings[k];
	}
	return nr;
}

void space_write_point(const struct space *space, uint64_t position, struct textbuf *out)
{
	for (uint32_t i = 0; i < space->nr_axes; i++)
		textbuf_printf(out, "%s%s=%s", i ? ", " : "", space->axes[i].name,
			       space_value_at(space, i, position)->label);
}
