/* Configurations of runs from text. */
#ifndef SAHM_TESTS_UNIT_CONFIG_TEXT_H
#define SAHM_TESTS_UNIT_CONFIG_TEXT_H

#include <stdlib.h>
#include <unistd.h>

#include "sim/engine/config/run_config.h"
#include "tests/unit/test.h"

/* Loads `text` from a file called `path`, a template of mkstemp(), by which the name becomes known. */
static inline enum sahm_status load_text(struct run_config *config, const char *text, char *path, struct sahm_err *err)
{
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	FILE *f = fdopen(fd, "w");
	fputs(text, f);
	fclose(f);
	enum sahm_status status = run_config_load(config, path, NULL, 0, ".", err);
	remove(path);
	return status;
}

static inline void load(struct run_config *config, const char *text)
{
	char path[] = "/tmp/sahm-config-XXXXXX";
	struct sahm_err err = {0};
	if (load_text(config, text, path, &err) != SAHM_OK)
		fail_msg("%.300s: %s", text, err.msg);
}

#endif
