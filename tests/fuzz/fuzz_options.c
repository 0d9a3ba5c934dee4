/* Options of commands: the input is a command's arguments with NUL bytes between. Each argument is looked at once, what
 * is taken for a value is one of them or a part of it, and what ends up in the request is within bounds. */
#include "sim/base/options.h"
#include <stdbool.h>

#include "tests/fuzz/fuzz.h"

#define MAX_FUZZ_ARGS 64u
#define MAX_FUZZ_JOBS 100

struct request {
	const char *output, *config;
	struct option_list settings;
	bool quiet;
	int form;
	uint32_t jobs;
	uint64_t bytes, interval_ns;
	double area;
	unsigned method;
};

static const char *const methods[] = {"exhaustive", "anneal", "auto", NULL};

#define AT(type, member) OPTION_AT(type, struct request, member)

static const struct option_row rows[] = {
	{"set", 's', "KEY.PATH=VALUE", "changes something", OPTION_LIST, AT(struct option_list, settings), .most = 10},
	{"output", 'o', "FILE", "writes something", OPTION_STRING, AT(const char *, output)},
	{"json", 0, NULL, "prints something", OPTION_ONE_OF, AT(int, form), .value_is = 1},
	{"csv", 0, NULL, "prints something else", OPTION_ONE_OF, AT(int, form), .value_is = 2},
	{"jobs", 'j', "N", "does something at a time", OPTION_WHOLE, AT(uint32_t, jobs), .least = 1,
	 .most = MAX_FUZZ_JOBS, .preset = 4},
	{"bytes", 'b', "SIZE", "takes something", OPTION_SIZE, AT(uint64_t, bytes), .most = UINT32_MAX, .unit = 2},
	{"interval-ms", 'i', "MS", "waits", OPTION_MS, AT(uint64_t, interval_ns), .least = 1000, .most = 1000000000},
	{"area", 0, "MM2", "covers something", OPTION_AMOUNT, AT(double, area)},
	{"method", 'm', "NAME", "searches", OPTION_CHOICE, AT(unsigned, method), .what = "method", .words = methods},
	{"quiet", 'q', NULL, "prints nothing", OPTION_FLAG, AT(bool, quiet)},
	{.kind = OPTION_STRING, AT(const char *, config), .what = "configuration", .missing = "there is none"},
};

/* Whether `value` begins in one of the arguments (text of `size` bytes). */
static bool is_inside(const char *value, const char *text, size_t size)
{
	return value >= text && value <= text + size;
}

static void parse(char **args, const char *text, size_t size)
{
	struct request r = {0};
	struct sahm_err err;
	enum sahm_status status = options_parse(rows, args, &r, &err);
	MUST(status == SAHM_OK || status == SAHM_USAGE);
	MUST(status != SAHM_OK || r.config);
	MUST(!r.config || is_inside(r.config, text, size));
	MUST(!r.output || is_inside(r.output, text, size));
	MUST(r.settings.nr <= 10);
	for (size_t i = 0; i < r.settings.nr; i++)
		MUST(is_inside(r.settings.items[i], text, size));
	MUST(r.form >= 0 && r.form <= 2 && r.method < 3);
	MUST(r.jobs >= 1 && r.jobs <= MAX_FUZZ_JOBS && r.bytes <= UINT32_MAX && r.bytes % 2 == 0);
	MUST(r.interval_ns == 0 || (r.interval_ns >= 1000 && r.interval_ns <= 1000000000));
	MUST(r.area >= 0);
	free(r.settings.items);
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
	parse(args, text, size);
	free(text);
	return 0;
}
