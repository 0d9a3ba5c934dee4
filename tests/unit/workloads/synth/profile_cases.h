/* Profiles for tests: read from text, changed in a place. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_WORKLOADS_SYNTH_PROFILE_CASES_H
#define SAHM_TESTS_UNIT_WORKLOADS_SYNTH_PROFILE_CASES_H

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "workloads/synth/profile.h"

static inline enum sahm_status read_profile(const char *text, size_t len, struct profile *p, struct sahm_err *err)
{
	FILE *in = tmpfile();
	assert_non_null(in);
	assert_int_equal(fwrite(text, 1, len, in), len);
	rewind(in);
	enum sahm_status status = profile_read_stream(in, "t.profile", p, err);
	fclose(in);
	return status;
}

static inline void must_read_profile(const char *name, const char *text, struct profile *p)
{
	struct sahm_err err = {.msg = "untouched"};
	if (read_profile(text, strlen(text), p, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	assert_string_equal(err.msg, "untouched");
}

/* `text` with the first `from` in it replaced by `to`, malloc'ed. */
static inline char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	if (!at)
		fail_msg("there is no '%s' to replace", from);
	size_t room = strlen(text) + strlen(to) + 1;
	char *out = malloc(room);
	assert_non_null(out);
	snprintf(out, room, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	return out;
}

#endif
