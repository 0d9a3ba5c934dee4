#include "sim/sweep/space.h"

#include <inttypes.h>
#include <string.h>

#include "results/studies/evaluate.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/space_internal.h"

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
static enum sahm_status finish(struct space_reading *r, const struct cfg_node *section)
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
	enum sahm_status status = textbuf_failed(&b) ? SAHM_NOMEM : SAHM_RANGE;
	struct sahm_err cause;
	if (status == SAHM_NOMEM)
		sahm_fail_nomem(r->err);
	else
		sahm_fail(r->err, status, "the sweep would have %s points, must be at most %" PRIu64, b.text,
			  MAX_SPACE_POINTS);
	if (status == SAHM_RANGE && section) {
		cause = *r->err;
		cfg_fail(section, r->err, "%s", cause.msg);
		r->err->status = status;
	}
	textbuf_release(&b);
	return status;
}

static enum sahm_status read_all(struct space_reading *r, struct cfg_node *section, const struct space_argument *args,
				 size_t nr_args)
{
	enum sahm_status status = section ? space_check(r, section) : SAHM_OK;
	const struct cfg_node *axes = status == SAHM_OK ? space_member(section, SPACE_AXES) : NULL;
	if (status == SAHM_OK)
		status = read_evaluator(r, section);
	for (const struct cfg_node *n = axes ? axes->first : NULL; n && status == SAHM_OK; n = n->next)
		status = space_read_axis(r, n);
	for (size_t at = 0; at < nr_args && status == SAHM_OK;)
		status = space_read_argument(r, args, nr_args, &at);
	return status == SAHM_OK ? finish(r, section) : status;
}

enum sahm_status space_read(struct space *space, const struct cfg_node *sweep, const struct space_argument *args,
			    size_t nr_args, const char *data_folder, struct sahm_err *err)
{
	struct space_reading r = {.space = space, .data_folder = data_folder, .err = err};
	*space = (struct space){0};
	strtable_init(&r.set, &r.scratch);
	strtable_init(&r.below, &r.scratch);
	space->axes = arena_alloc(&space->arena, MAX_SPACE_AXES, sizeof(*space->axes));
	textbuf_init(&r.notes);
	struct cfg_node *section = sweep ? cfg_clone(&r.scratch, sweep) : NULL;
	if (section)
		section->parent = sweep->parent;
	enum sahm_status status =
		space->axes && (section || !sweep) ? read_all(&r, section, args, nr_args) : sahm_fail_nomem(err);
	arena_release(&r.scratch);
	space->notes = textbuf_keep(&r.notes, &space->arena);
	if (status == SAHM_OK && !space->notes)
		status = sahm_fail_nomem(err);
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

/* ---- Written as a section of a configuration ---- */

/* "key = ...; values = (...);", from the settings, of which setting `i` of every value is of this key. */
static void write_key(const struct space_axis *axis, uint32_t i, struct textbuf *out)
{
	const char *first = axis->values[0].settings[i];
	const size_t len = strcspn(first, "=");
	textbuf_printf(out, "key = \"%.*s\"; values = (", (int)len, first);
	for (uint64_t v = 0; v < axis->nr_values; v++)
		textbuf_printf(out, "%s%s", v ? ", " : "", axis->values[v].settings[i] + len + 1);
	textbuf_puts(out, ");");
}

static void write_keys(const struct space_axis *axis, struct textbuf *out)
{
	const uint32_t nr = axis->values[0].nr_settings;
	if (nr == 1) {
		write_key(axis, 0, out);
		return;
	}
	textbuf_puts(out, "zip = (");
	for (uint32_t i = 0; i < nr; i++) {
		textbuf_puts(out, i ? ",\n\t\t\t{ " : "\n\t\t\t{ ");
		write_key(axis, i, out);
		textbuf_puts(out, " }");
	}
	textbuf_puts(out, " );");
}

static void write_points(const struct space_axis *axis, struct textbuf *out)
{
	textbuf_puts(out, "points = (");
	for (uint64_t v = 0; v < axis->nr_values; v++) {
		const struct space_value *value = &axis->values[v];
		textbuf_puts(out, v ? ",\n\t\t\t{ name = " : "\n\t\t\t{ name = ");
		cfg_write_string(out, value->label);
		textbuf_puts(out, "; set = (");
		for (uint32_t i = 0; i < value->nr_settings; i++) {
			textbuf_puts(out, i ? ", " : "");
			cfg_write_string(out, value->settings[i]);
		}
		textbuf_puts(out, "); }");
	}
	textbuf_puts(out, " );");
}

void space_write(const struct space *space, struct textbuf *out)
{
	textbuf_puts(out, "sweep :\n{\n\tevaluator = ");
	cfg_write_string(out, space->evaluator);
	textbuf_puts(out, ";\n\taxes = (");
	for (uint32_t i = 0; i < space->nr_axes; i++) {
		const struct space_axis *axis = &space->axes[i];
		textbuf_puts(out, i ? ",\n\t\t{ name = " : "\n\t\t{ name = ");
		cfg_write_string(out, axis->name);
		textbuf_puts(out, "; ");
		if (axis->form == SPACE_BY_TEXT)
			textbuf_puts(out, axis->text);
		else if (axis->form == SPACE_BY_KEYS)
			write_keys(axis, out);
		else
			write_points(axis, out);
		textbuf_puts(out, " }");
	}
	textbuf_puts(out, space->nr_axes ? "\n\t);\n};\n" : ");\n};\n");
}
