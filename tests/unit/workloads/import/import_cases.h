/* Importing text in tests: options in short, epochs as rows of text. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_WORKLOADS_IMPORT_IMPORT_CASES_H
#define SAHM_TESTS_UNIT_WORKLOADS_IMPORT_IMPORT_CASES_H

#include "tests/unit/trace_cases.h"
#include "workloads/import/import.h"

#define MOST_WORDS 16

/* One import: what goes in, and what must come out. */
struct import_case {
	const char *name, *text;
	const char *format;		 /* NULL: by its looks */
	const char *maps[MOST_WORDS];	 /* as after --map */
	const char *assumes[MOST_WORDS]; /* as after --assume */
	struct import_options options;
	const char *want;  /* rows of the only trace, or NULL */
	const char *error; /* the whole message, or NULL */
	const char *notes; /* all of them, NULL: they do not matter */
};

/* Result of an import. */
struct imported {
	enum sahm_status status;
	struct sahm_err err;
	struct trace **traces;
	size_t nr;
	struct textbuf notes;
};

static inline void import_text_as(const struct import_case *c, const char *file, struct imported *r)
{
	struct import_options options = c->options;
	struct import_map *map = NULL;
	FILE *in = tmpfile();
	assert_non_null(in);
	assert_int_equal(fwrite(c->text, 1, strlen(c->text), in), strlen(c->text));
	rewind(in);
	*r = (struct imported){.err = untouched};
	textbuf_init(&r->notes);
	if (c->maps[0] || c->assumes[0])
		options.map = map = import_map_new();
	for (int i = 0; i < MOST_WORDS && c->maps[i]; i++)
		if (import_map_add(map, c->maps[i], &r->err) != SAHM_OK)
			fail_msg("%s: %s", c->name, r->err.msg);
	for (int i = 0; i < MOST_WORDS && c->assumes[i]; i++)
		if (import_map_assume(map, c->assumes[i], &r->err) != SAHM_OK)
			fail_msg("%s: %s", c->name, r->err.msg);
	if (c->format)
		options.format = import_format_named(c->format, &r->err);
	r->status = trace_import_stream(in, file, &options, &r->notes, &r->traces, &r->nr, &r->err);
	fclose(in);
	import_map_free(map);
	assert_int_equal(r->status == SAHM_OK, r->nr > 0);
}

static inline void imported_release(struct imported *r)
{
	for (size_t i = 0; i < r->nr; i++)
		trace_free(r->traces[i]);
	free(r->traces);
	textbuf_release(&r->notes);
}

/* The rows of a trace, without its head. */
static inline char *rows_of(struct trace *trace)
{
	char *csv = csv_of(trace), *at = csv;
	while (*at == '#')
		at = strchr(at, '\n') + 1;
	at = strchr(at, '\n') + 1;
	char *rows = strdup(at);
	free(csv);
	return rows;
}

static inline void check_import(const struct import_case *c)
{
	struct imported r;
	import_text_as(c, "t", &r);
	if (c->want) {
		if (r.status != SAHM_OK)
			fail_msg("%s: %s", c->name, r.err.msg);
		char *rows = rows_of(r.traces[0]);
		assert_int_equal(r.nr, 1);
		if (strcmp(rows, c->want) != 0)
			fail_msg("%s:\n%sexpected\n%s", c->name, rows, c->want);
		free(rows);
	}
	if (c->error && (r.status == SAHM_OK || strcmp(r.err.msg, c->error) != 0))
		fail_msg("%s:\n  '%s', expected\n  '%s'", c->name, r.err.msg, c->error);
	if (c->notes && strcmp(r.notes.text, c->notes) != 0)
		fail_msg("%s:\n%sexpected\n%s", c->name, r.notes.text, c->notes);
	imported_release(&r);
}

#endif
