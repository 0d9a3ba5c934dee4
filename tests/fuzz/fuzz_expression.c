/* --map and --assume: each line of the input is one of the former or, after a '!', of the latter. Accepted expressions
 * are applied to a table with values at all limits, and the trace's text of its events must mean the same again. */
#include "tests/fuzz/use_import.h"

static const char table[] = "a,b,c d,e-f,1,x+y,t,instructions\n"
			    "1,2,3,4,5,6,1,7\n"
			    "18446744073709551615,0.5,1e9,-3,,99999999999999999999,2,1\n"
			    "18446744073709551616,0.000000001,1e19,3,5,-99999999999999999999,3,1\n"
			    "0,0,0,0,0,0,4,0\n"
			    "5,4,7,5,6,7,4.5,1000\n"
			    "9000,8000,7000,6000,5000,4000,1e10,1000000\n";

/* A string of one line. */
static char *line_of(const char **text, const char *end)
{
	const char *eol = memchr(*text, '\n', (size_t)(end - *text));
	size_t len = (size_t)((eol ? eol : end) - *text);
	char *line = strndup(*text, len);
	MUST(line);
	*text += len + (eol != NULL);
	return line;
}

static struct import_map *read_map(const char *text, const char *end)
{
	struct import_map *map = import_map_new();
	MUST(map);
	while (text < end) {
		struct sahm_err err;
		char *line = line_of(&text, end);
		bool is_assumed = line[0] == '!';
		enum sahm_status status =
			is_assumed ? import_map_assume(map, line + 1, &err) : import_map_add(map, line, &err);
		MUST(status == SAHM_OK || status == SAHM_USAGE);
		if (status != SAHM_OK)
			must_explain(&err, status, is_assumed ? "--assume" : "--map");
		free(line);
	}
	return map;
}

/* The map that the trace says it was made with; NULL when an expression is too long for a text. */
static struct import_map *told_map(const struct trace *t)
{
	struct import_map *map = import_map_new();
	MUST(map);
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const char *event = trace_provenance(t)->event[c],
			   *word = event ? strstr(event, " an epoch, assumed") : NULL;
		char text[MAX_PROVENANCE_BYTES + 64];
		if (!event)
			continue;
		snprintf(text, sizeof(text), "%s=%.*s", counter_rows[c].name,
			 (int)(word ? (size_t)(word - event) : strlen(event)), event);
		MUST((word ? import_map_assume : import_map_add)(map, text, NULL) == SAHM_OK);
	}
	return map;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct import_map *map = read_map(text, text + size);
	struct import_options options = {.map = map, .epoch_ns = 1000000, .format = import_format_named("csv", NULL)};
	struct imported i = import_bytes((const uint8_t *)table, sizeof(table) - 1, &options);
	if (i.status == SAHM_OK) {
		struct import_map *told = told_map(i.traces[0]);
		options.map = told;
		struct imported again = import_bytes((const uint8_t *)table, sizeof(table) - 1, &options);
		MUST(again.status == SAHM_OK);
		must_be_same(i.traces[0], again.traces[0]);
		use_trace(i.traces[0]);
		free_imported(&again);
		import_map_free(told);
	}
	free_imported(&i);
	import_map_free(map);
	return 0;
}
