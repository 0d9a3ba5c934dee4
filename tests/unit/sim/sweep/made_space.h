/* Spaces from text. */
#ifndef SAHM_TESTS_UNIT_SIM_SWEEP_MADE_SPACE_H
#define SAHM_TESTS_UNIT_SIM_SWEEP_MADE_SPACE_H

#include <string.h>

#include "sim/sweep/space.h"
#include "tests/unit/test.h"

/* Reads `text`, of which the section `sweep` counts, from a file called `file`, then `nr_args` arguments. */
static inline enum sahm_status read_space_from(struct space *space, const char *file, const char *text,
					       const struct space_argument *args, size_t nr_args, struct sahm_err *err)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	enum sahm_status status = cfg_read_text(&a, file, text, strlen(text), &root, err);
	if (status == SAHM_OK)
		status = space_read(space, cfg_child(root, "sweep"), args, nr_args, ".", err);
	arena_release(&a);
	return status;
}

static inline enum sahm_status read_space(struct space *space, const char *text, const struct space_argument *args,
					  size_t nr_args, struct sahm_err *err)
{
	return read_space_from(space, "t.cfg", text, args, nr_args, err);
}

/* Reads a valid section, axes after "sweep : { axes = (" and before ");};". */
static inline void make_space(struct space *space, const char *axes)
{
	struct sahm_err err = {.msg = "untouched"};
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "sweep : { axes = (\n%s\n); };", axes);
	if (read_space(space, b.text, NULL, 0, &err) != SAHM_OK)
		fail_msg("%.400s: %s", axes, err.msg);
	assert_string_equal(err.msg, "untouched");
	textbuf_release(&b);
}

static inline void assert_same_space(const struct space *a, const struct space *b)
{
	assert_int_equal(a->nr_axes, b->nr_axes);
	assert_int_equal(a->nr_points, b->nr_points);
	assert_int_equal(a->max_settings, b->max_settings);
	assert_string_equal(a->evaluator, b->evaluator);
	for (uint32_t i = 0; i < a->nr_axes; i++) {
		assert_string_equal(a->axes[i].name, b->axes[i].name);
		assert_int_equal(a->axes[i].nr_values, b->axes[i].nr_values);
		assert_int_equal(a->axes[i].stride, b->axes[i].stride);
		for (uint64_t v = 0; v < a->axes[i].nr_values; v++) {
			const struct space_value *x = &a->axes[i].values[v], *y = &b->axes[i].values[v];
			assert_string_equal(x->label, y->label);
			assert_int_equal(x->nr_settings, y->nr_settings);
			for (uint32_t k = 0; k < x->nr_settings; k++)
				assert_string_equal(x->settings[k], y->settings[k]);
		}
	}
}

/* Written spaces read back as the same, and are written alike. */
static inline void assert_reads_back(const struct space *space)
{
	struct textbuf text, again;
	struct space other;
	struct sahm_err err;
	textbuf_init(&text);
	textbuf_init(&again);
	space_write(space, &text);
	if (read_space_from(&other, "elsewhere/t.cfg", text.text, NULL, 0, &err) != SAHM_OK)
		fail_msg("%.1000s: %s", text.text, err.msg);
	assert_same_space(space, &other);
	space_write(&other, &again);
	assert_string_equal(text.text, again.text);
	textbuf_release(&text);
	textbuf_release(&again);
	space_release(&other);
}

#endif
