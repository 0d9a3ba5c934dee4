/* Options of commands: the input is a command's arguments with NUL bytes between. Each argument is looked at once, and
 * what is taken for a value is one of them or a part of it. */
#include "sim/base/options.h"
#include <stdbool.h>

#include "tests/fuzz/fuzz.h"

#define MAX_FUZZ_ARGS 64u

static const struct option_row rows[] = {
	{"set", 's', "KEY.PATH=VALUE", "changes something"},
	{"output", 'o', "FILE", "writes something"},
	{"json", 0, NULL, "prints something"},
	{"jobs", 'j', "N", "does something at a time"},
	{"quiet", 'q', NULL, "prints nothing"},
	{NULL, 0, NULL, NULL},
};

/* Whether `value` begins in one of the arguments (text of `size` bytes). */
static bool is_inside(const char *value, const char *text, size_t size)
{
	return value >= text && value <= text + size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *args[MAX_FUZZ_ARGS + 1];
	unsigned nr = 0, nr_seen = 0;
	struct option_walk w;
	struct sahm_err err;
	char *text = malloc(size + 1);
	MUST(text);
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *p = text; p <= text + size && nr < MAX_FUZZ_ARGS; p += strlen(p) + 1)
		args[nr++] = p;
	args[nr] = NULL;
	option_walk_init(&w, rows, args);
	for (int index; (index = option_walk_next(&w, &err)) != OPTION_END; nr_seen++) {
		MUST(nr_seen < nr);
		if (index == OPTION_ERROR) {
			MUST(err.status == SAHM_USAGE && strlen(err.msg) < SAHM_ERR_BYTES && *err.msg);
			break;
		}
		if (index == OPTION_OPERAND) {
			MUST(is_inside(w.value, text, size));
			continue;
		}
		MUST(index >= 0 && rows[index].name);
		MUST(rows[index].value ? is_inside(w.value, text, size) : !w.value);
	}
	free(text);
	return 0;
}
