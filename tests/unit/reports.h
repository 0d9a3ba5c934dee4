/* What tests of reports share. */
#ifndef SAHM_TESTS_UNIT_REPORTS_H
#define SAHM_TESTS_UNIT_REPORTS_H

#include <jansson.h>

#include "results/report/run_report.h"
#include "tests/unit/test.h"

static inline void load(struct run_config *config, const char *path, const char *const *settings, size_t nr)
{
	struct sahm_err err = {0};
	if (run_config_load(config, path, settings, nr, NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static inline double number(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);
	if (!json_is_number(v))
		fail_msg("'%s' is not a number", key);
	return json_number_value(v);
}

static inline json_t *json_of(const struct run_config *config, const struct run_result *result)
{
	struct textbuf out;
	json_error_t where;
	textbuf_init(&out);
	assert_true(run_report_json(config, result, &out));
	json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &where);
	if (!root)
		fail_msg("line %d: %s", where.line, where.text);
	textbuf_release(&out);
	return root;
}

#endif
