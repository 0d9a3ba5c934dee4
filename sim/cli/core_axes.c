#include "sim/cli/core_axes.h"

#include <inttypes.h>
#include <string.h>

#include "cores/uarch/core_model.h"
#include "sim/base/cfg.h"
#include "sim/base/decimal.h"

struct reading {
	struct core_axes *axes;
	struct core_axis *axis;
	const char *argument;
	unsigned kinds; /* of the key's values */
	size_t room;
	struct sahm_err *err;
};

static enum sahm_status fail(const struct reading *r, const char *what)
{
	return sahm_fail(r->err, SAHM_USAGE, "--axis %.200s: %s", r->argument, what);
}

/* Appends a value, whose text is the arena's. */
static enum sahm_status add(struct reading *r, const char *text, const struct core_setting *value)
{
	struct core_axis *axis = r->axis;
	struct textbuf argument;
	for (size_t i = 0; i < axis->nr; i++)
		if (strcmp(axis->values[i].text, value->text) == 0)
			return sahm_fail(r->err, SAHM_USAGE, "--axis %.200s: the value '%.80s' is there twice",
					 r->argument, value->text);
	if (axis->nr == r->room) {
		size_t room = r->room > 0 ? 2 * r->room : 8;
		struct core_setting *values = arena_alloc(&r->axes->arena, room, sizeof(*values));
		const char **arguments = arena_alloc(&r->axes->arena, room, sizeof(*arguments));
		if (!values || !arguments)
			return sahm_fail_nomem(r->err);
		if (r->room > 0) {
			memcpy(values, axis->values, axis->nr * sizeof(*values));
			memcpy(arguments, axis->arguments, axis->nr * sizeof(*arguments));
		}
		axis->values = values;
		axis->arguments = arguments;
		r->room = room;
	}
	textbuf_init(&argument);
	textbuf_printf(&argument, "%s=%s", axis->key, text);
	const char *kept = textbuf_keep(&argument, &r->axes->arena);
	if (!kept)
		return sahm_fail_nomem(r->err);
	((const char **)(uintptr_t)axis->arguments)[axis->nr] = kept;
	axis->values[axis->nr++] = *value;
	return SAHM_OK;
}

static enum sahm_status add_number(struct reading *r, int64_t number)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%" PRId64, number);
	const char *text = textbuf_keep(&b, &r->axes->arena);
	struct core_setting value = {r->axis->key, text, SETTING_NUMBER, number};
	return text ? add(r, text, &value) : sahm_fail_nomem(r->err);
}

/* "FIRST..LAST" or "FIRST..LAST..STEP", of whole numbers. */
static enum sahm_status add_range(struct reading *r, const char *text)
{
	decimal parts[3] = {0, 0, DECIMAL_ONE};
	unsigned nr = 0;
	const char *p = text;
	for (size_t len; nr < 3 && (len = decimal_read_plain(p, &parts[nr])) > 0;) {
		p += len;
		if (parts[nr] % DECIMAL_ONE != 0)
			return fail(r, "a range has whole numbers");
		if (parts[nr] > INT32_MAX * (decimal)DECIMAL_ONE || parts[nr] < INT32_MIN * (decimal)DECIMAL_ONE)
			return fail(r, "the range has a number that no key can have");
		nr++;
		if (strncmp(p, "..", 2) != 0)
			break;
		p += 2;
	}
	if (nr < 2 || *p)
		return fail(r, "malformed range, written as FIRST..LAST or FIRST..LAST..STEP");
	int64_t first = (int64_t)(parts[0] / DECIMAL_ONE), last = (int64_t)(parts[1] / DECIMAL_ONE),
		step = (int64_t)(parts[2] / DECIMAL_ONE);
	if (last < first)
		return fail(r, "the range ends before it begins");
	if (step <= 0)
		return fail(r, "the range has a step that is not above 0");
	if ((last - first) / step >= MAX_CONFIGURATIONS)
		return sahm_fail(r->err, SAHM_USAGE, "--axis %.200s: more than %u values", r->argument,
				 MAX_CONFIGURATIONS);
	enum sahm_status status = SAHM_OK;
	for (int64_t i = first; i <= last && status == SAHM_OK; i += step)
		status = add_number(r, i);
	return status;
}

static enum sahm_status add_value(struct reading *r, const char *text, size_t len)
{
	struct arena *a = &r->axes->arena;
	struct cfg_node *node = NULL;
	struct sahm_err cause;
	for (; len > 0 && *text == ' '; text++)
		len--;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	char *copy = arena_strndup(a, text, len);
	if (!copy)
		return sahm_fail_nomem(r->err);
	if (len == 0)
		return fail(r, "an empty value");
	if (strstr(copy, "..") && r->kinds & CFG_INT)
		return fail(r, "a range cannot be combined with other values");
	enum sahm_status status = cfg_read_setting(a, copy, r->kinds, r->argument, 0, &node, &cause);
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(r->err);
	if (status != SAHM_OK)
		return sahm_fail(r->err, SAHM_USAGE, "--axis %.200s: '%.80s': %s", r->argument, copy, cause.msg);
	if (node->kind == CFG_INT)
		return add_number(r, node->value.integer);
	struct core_setting value = {r->axis->key, copy, SETTING_TEXT, 0};
	if (node->kind == CFG_STRING)
		value.text = node->value.string;
	if (node->kind == CFG_BOOL)
		value = (struct core_setting){r->axis->key, node->value.truth ? "true" : "false", SETTING_TRUTH,
					      node->value.truth};
	return add(r, copy, &value);
}

static enum sahm_status read_axis(struct reading *r)
{
	const char *argument = r->argument, *eq = strchr(argument, '=');
	struct sahm_err cause;
	size_t nr_keys;
	const struct cfg_key *keys = core_model_keys(&nr_keys);
	if (!eq || eq == argument || !eq[1])
		return fail(r, "must be written as key=value,value... or key=FIRST..LAST");
	r->axis->key = arena_strndup(&r->axes->arena, argument, (size_t)(eq - argument));
	if (!r->axis->key)
		return sahm_fail_nomem(r->err);
	if (cfg_check_path(keys, nr_keys, r->axis->key, &r->kinds, &cause) != SAHM_OK)
		return fail(r, cause.msg);
	for (const struct core_axis *other = r->axes->axes; other < r->axis; other++)
		if (strcmp(other->key, r->axis->key) == 0)
			return fail(r, "an axis before it has the same key");
	const char *p = eq + 1;
	if (strstr(p, "..") && r->kinds & CFG_INT && p[cfg_value_len(p)] == '\0')
		return add_range(r, p);
	for (enum sahm_status status;; p++) {
		size_t len = cfg_value_len(p);
		status = add_value(r, p, len);
		p += len;
		if (status != SAHM_OK || !*p)
			return status;
	}
}

enum sahm_status core_axes_read(struct core_axes *a, const struct option_list *arguments, size_t nr_cores,
				struct sahm_err *err)
{
	arena_init(&a->arena);
	a->nr = 0;
	a->nr_points = 1;
	if (arguments->nr > MAX_CORE_AXES)
		return sahm_fail(err, SAHM_USAGE, "more than %u axes", MAX_CORE_AXES);
	for (size_t i = 0; i < arguments->nr; i++) {
		struct core_axis *axis = &a->axes[a->nr];
		*axis = (struct core_axis){.nr = 0};
		struct reading r = {.axes = a, .axis = axis, .argument = arguments->items[i], .err = err};
		enum sahm_status status = read_axis(&r);
		if (status != SAHM_OK)
			return status;
		a->nr++;
		a->nr_points *= axis->nr;
		if (a->nr_points * nr_cores > MAX_CONFIGURATIONS)
			return sahm_fail(err, SAHM_USAGE,
					 "%zu core%s with %zu combinations of values are more than %u configurations",
					 nr_cores, nr_cores == 1 ? "" : "s", a->nr_points, MAX_CONFIGURATIONS);
	}
	return SAHM_OK;
}

void core_axes_release(struct core_axes *a)
{
	arena_release(&a->arena);
}

size_t core_axes_value(const struct core_axes *a, size_t point, unsigned axis)
{
	for (unsigned i = a->nr; --i > axis;)
		point /= a->axes[i].nr;
	return point % a->axes[axis].nr;
}
