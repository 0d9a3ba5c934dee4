/* Spaces as sections of a configuration. */
#include <string.h>

#include "sim/sweep/space_internal.h"

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
