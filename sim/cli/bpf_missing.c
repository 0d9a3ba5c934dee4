#include "sim/cli/bpf_missing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/host/bpf_program.h"
#include "sched/host/plugin.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/cli/bpf_table.h"

/* As many missing headers as anybody has the patience for. */
#define MAX_STAND_INS 64

const char *const bpf_kind_names[NR_BPF_KINDS] = {"header", "call", "member", "operation", "name", "type", "map"};

/* How gcc and clang word it: %n is the name, %o the struct. The first that fits counts. */
static const struct {
	enum bpf_kind kind;
	const char *words;
} wordings[] = {
	{BPF_CALL, "implicit declaration of function '%n'"},
	{BPF_CALL, "call to undeclared function '%n'"},
	{BPF_CALL, "call to undeclared library function '%n'"},
	{BPF_CALL, "implicitly declaring library function '%n'"},
	{BPF_MEMBER, "'%o' has no member named '%n'"},
	{BPF_MEMBER, "no member named '%n' in '%o'"},
	{BPF_MEMBER, "field designator '%n' does not refer to any field in type '%o'"},
	{BPF_NAME, "'%n' undeclared"},
	{BPF_NAME, "use of undeclared identifier '%n'"},
	{BPF_TYPE, "unknown type name '%n'"},
	{BPF_TYPE, "invalid use of undefined type '%n'"},
	{BPF_TYPE, "invalid use of incomplete typedef '%n'"},
	{BPF_TYPE, "dereferencing pointer to incomplete type '%n'"},
	{BPF_TYPE, "invalid application of 'sizeof' to incomplete type '%n'"},
	{BPF_TYPE, "invalid application of 'sizeof' to an incomplete type '%n'"},
	{BPF_TYPE, "incomplete definition of type '%n'"},
	{BPF_TYPE, "variable has incomplete type '%n'"},
	{BPF_TYPE, "field has incomplete type '%n'"},
	{BPF_HEADER, "'%n' file not found"},
	{BPF_HEADER, "%n: No such file or directory"},
};

/* What the newest kernel has and the simulator does not, by name or, with a '*' at the end, by its beginning. */
static const char *reason_of(const char *name)
{
	static const struct {
		const char *name, *reason;
	} rows[] = {
#define ABSENT_GROUP(title)
#define ABSENT(name, reason) {name, reason},
#include "sched/host/absent_list.h"
#undef ABSENT
#undef ABSENT_GROUP
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len = strlen(rows[i].name);
		bool is_beginning = rows[i].name[len - 1] == '*';
		if (is_beginning ? strncmp(rows[i].name, name, len - 1) == 0 : strcmp(rows[i].name, name) == 0)
			return rows[i].reason;
	}
	return NULL;
}

/* ---- Problems ---- */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Appends one that is not there yet; its texts are in the arena. */
static bool add_problem(struct bpf_missing *m, struct bpf_compiler *c, struct bpf_problem p)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->items[i].kind == p.kind && is_same(m->items[i].name, p.name) && is_same(m->items[i].of, p.of))
			return true;
	if (m->nr == m->room) {
		size_t room = m->room ? 2 * m->room : 64;
		struct bpf_problem *items = arena_alloc(&c->arena, room, sizeof(*items));
		if (!items)
			return false;
		if (m->nr)
			memcpy(items, m->items, m->nr * sizeof(*items));
		m->items = items;
		m->room = room;
	}
	p.reason = reason_of(p.name);
	m->items[m->nr++] = p;
	return true;
}

/* A piece of a message. */
struct piece {
	const char *at;
	size_t len;
};

/* Whether the message begins, or has somewhere, these words; the pieces are those of %n and %o. */
static bool fits(const char *message, const char *words, struct piece *name, struct piece *of)
{
	for (const char *from = message; *from; from++) {
		const char *at = from, *w = words;
		*name = *of = (struct piece){NULL, 0};
		while (*w && at) {
			if (*w != '%') {
				at = *at == *w ? at + 1 : NULL;
				w++;
				continue;
			}
			struct piece *piece = w[1] == 'n' ? name : of;
			w += 2;
			*piece = (struct piece){at, strcspn(at, *w == '\'' ? "'" : ":")};
			at = piece->len ? at + piece->len : NULL;
		}
		if (at)
			return true;
		if (words[0] == '%')
			return false; /* from the beginning only */
	}
	return false;
}

static char *keep(struct bpf_compiler *c, struct piece p)
{
	static const char *const qualifiers[] = {"const ", "volatile "};
	for (size_t i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		size_t len = strlen(qualifiers[i]);
		if (p.len > len && strncmp(p.at, qualifiers[i], len) == 0)
			p = (struct piece){p.at + len, p.len - len};
	}
	return arena_strndup(&c->arena, p.at, p.len);
}

/* Variables of the scheduler and keywords are unknown only because their declaration, or a macro, has failed before. */
static bool is_consequence(enum bpf_kind kind, struct piece name)
{
	static const char *const of_kernel[] = {"bpf_", "scx_"};
	bool has_capital = false;
	for (size_t i = 0; i < name.len; i++)
		has_capital |= isupper((unsigned char)name.at[i]);
	for (size_t i = 0; i < ARRAY_SIZE(of_kernel); i++)
		if (strncmp(name.at, of_kernel[i], strlen(of_kernel[i])) == 0)
			return false;
	return (kind == BPF_NAME && !has_capital) ||
	       (kind == BPF_TYPE && name.len == 4 && strncmp(name.at, "void", 4) == 0);
}

/* Takes one error, "FILE:LINE:COLUMN: error: MESSAGE". False: no memory. *missing_header: the name of one. */
static bool take_error(struct bpf_missing *m, struct bpf_compiler *c, struct piece place, char *message,
		       const char **missing_header)
{
	struct piece name = {NULL, 0}, of = {NULL, 0};
	struct bpf_problem p = {.kind = NR_BPF_KINDS};
	for (size_t i = 0; i < ARRAY_SIZE(wordings); i++) {
		if (!fits(message, wordings[i].words, &name, &of))
			continue;
		if (!is_consequence(wordings[i].kind, name))
			p.kind = wordings[i].kind;
		break;
	}
	char *path = arena_strndup(&c->arena, place.at, place.len), *rest;
	if (!path)
		return false;
	char *column = strrchr(path, ':');
	if (column)
		*column = '\0';
	char *line = column ? strrchr(path, ':') : NULL;
	if (line)
		*line = '\0';
	p.line = line ? (unsigned)strtoul(line + 1, &rest, 10) : 0;
	p.file = bpf_compiler_label(c, path);
	if (!p.file)
		return false;
	if (p.kind == NR_BPF_KINDS) {
		m->nr_others++;
		return true;
	}
	p.name = keep(c, name);
	p.of = of.at ? keep(c, of) : NULL;
	if (!p.name || (of.at && !p.of))
		return false;
	if (p.kind == BPF_MEMBER && strcmp(p.of, "struct sched_ext_ops") == 0) {
		p.kind = BPF_OPERATION;
		p.of = NULL;
	}
	if (p.kind == BPF_HEADER)
		*missing_header = p.name;
	return add_problem(m, c, p);
}

/* Goes through all that the compiler says. */
static bool take_errors(struct bpf_missing *m, struct bpf_compiler *c, char *words, const char **missing_header)
{
	static const char *const marks[] = {": error: ", ": fatal error: "};
	*missing_header = NULL;
	for (char *line = words, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
			char *mark = strstr(line, marks[i]);
			if (!mark)
				continue;
			struct piece place = {line, (size_t)(mark - line)};
			if (!take_error(m, c, place, mark + strlen(marks[i]), missing_header))
				return false;
			break;
		}
	}
	return true;
}

static void forget_others(struct bpf_missing *m)
{
	textbuf_release(&m->others);
	textbuf_init(&m->others);
	m->nr_others = 0;
}

static enum sahm_status compile(struct bpf_missing *m, struct bpf_compiler *c, struct sahm_err *err)
{
	/* Not optimised: all variables are there then, with every compiler. */
	const char *object = bpf_compiler_path(c, BPF_OBJECT);
	const char *arguments[] = {"-O0", "-c", "-o", object, c->file, NULL};
	if (!object)
		return sahm_fail_nomem(err);
	for (unsigned nr = 0; nr < MAX_STAND_INS; nr++) {
		const char *header = NULL;
		char *words = NULL;
		bool is_ok;
		enum sahm_status status = bpf_compiler_run(c, arguments, &words, &is_ok, err);
		if (status != SAHM_OK)
			return status;
		forget_others(m);
		char *copy = arena_strdup(&c->arena, words);
		bool fits_memory = copy && (is_ok || take_errors(m, c, copy, &header));
		if (!is_ok && fits_memory && !m->nr) {
			textbuf_puts(&m->others, words);
			m->nr_others += !m->nr_others; /* of the assembler, or a crash */
		}
		free(words);
		if (!fits_memory || textbuf_failed(&m->others))
			return sahm_fail_nomem(err);
		if (!header || !bpf_compiler_stand_in(c, header))
			return SAHM_OK;
	}
	return SAHM_OK;
}

/* ---- The preprocessed source ---- */

/* A place in it. */
struct reader {
	struct bpf_compiler *c;
	const char *at;
	char *file; /* of the last marker, in the arena */
	unsigned line;
	bool is_at_start; /* of a line */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes a marker, "# 12 "FILE" 1 2". */
static bool take_marker(struct reader *r)
{
	char *end;
	const char *at = r->at + 1;
	if (strncmp(at, "line", 4) == 0)
		at += 4;
	unsigned long line = strtoul(at, &end, 10);
	const char *quote = end != at ? strchr(end, '"') : NULL, *end_of_line = r->at + strcspn(r->at, "\n");
	if (quote && quote < end_of_line) {
		r->file = arena_strndup(&r->c->arena, quote + 1, strcspn(quote + 1, "\""));
		r->line = (unsigned)line - 1; /* the new line follows */
		if (!r->file)
			return false;
	}
	r->at = end_of_line;
	return true;
}

/* The next token: a word, or one other character; a string is one of '"'. An empty one ends the text; NULL in `at`: no
 * memory. */
static struct piece next_token(struct reader *r)
{
	for (;;) {
		if (*r->at == '#' && r->is_at_start && !take_marker(r))
			return (struct piece){NULL, 0};
		if (*r->at == '\n') {
			r->line++;
			r->is_at_start = true;
			r->at++;
		} else if (*r->at == ' ' || *r->at == '\t') {
			r->at++;
		} else {
			break;
		}
	}
	struct piece token = {r->at, *r->at ? 1 : 0};
	r->is_at_start = false;
	if (*r->at == '"' || *r->at == '\'') {
		for (r->at++; *r->at && *r->at != *token.at; r->at++)
			r->at += *r->at == '\\' && r->at[1];
		r->at += *r->at ? 1 : 0;
		return token;
	}
	while (is_word(token.at[0]) && is_word(token.at[token.len]))
		token.len++;
	r->at += token.len;
	return token;
}

static bool token_is(struct piece token, const char *text)
{
	return token.len == strlen(text) && strncmp(token.at, text, token.len) == 0;
}

/* Which of the tokens before fits, of as many as anybody looks back at. */
#define NR_PAST 4
struct past {
	struct piece tokens[NR_PAST]; /* the last one first */
};

static void remember(struct past *p, struct piece token)
{
	memmove(&p->tokens[1], p->tokens, sizeof(p->tokens) - sizeof(p->tokens[0]));
	p->tokens[0] = token;
}

static const struct sched_op_row *find_op(struct piece name)
{
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		if (token_is(name, row->name))
			return row;
	return NULL;
}

/* In a table of operations: ".NAME =" at depth 1. *is_given is by row of op_list.h. */
static bool read_operations(struct reader *r, bool *is_given)
{
	struct past past = {0};
	unsigned depth = 1;
	while (depth > 0) {
		struct piece token = next_token(r);
		if (!token.at)
			return false;
		if (!token.len)
			return true;
		depth += *token.at == '{' || *token.at == '(';
		depth -= *token.at == '}' || *token.at == ')';
		if (depth == 1 && *token.at == '=' && token_is(past.tokens[1], ".")) {
			const struct sched_op_row *row = find_op(past.tokens[0]);
			if (row)
				is_given[row - sched_op_rows] = true;
		}
		remember(&past, token);
	}
	return true;
}

static bool is_simulated(struct piece type)
{
#define MAP_TYPE(name, number, simulated)                                                                              \
	if (token_is(type, "BPF_MAP_TYPE_" #name))                                                                     \
		return simulated;
	SAHM_BPF_MAP_TYPES(MAP_TYPE)
#undef MAP_TYPE
	return true; /* the compiler does not know it either */
}

/* After "(*type)[": the type of a map, and, after the end of its struct, its name. */
static bool read_map(struct bpf_missing *m, struct reader *r)
{
	struct piece type = next_token(r), token = type;
	const char *file = r->file;
	unsigned line = r->line;
	if (!type.at || !type.len || is_simulated(type))
		return type.at;
	for (unsigned depth = 1; depth > 0 && token.len;) {
		token = next_token(r);
		if (!token.at)
			return false;
		depth += token.len && *token.at == '{';
		depth -= token.len && *token.at == '}';
	}
	token = next_token(r);
	size_t prefix = strlen("BPF_MAP_TYPE_");
	struct bpf_problem p = {.kind = BPF_MAP,
				.file = bpf_compiler_label(r->c, file),
				.line = line,
				.name = arena_strndup(&r->c->arena, token.at, token.len),
				.of = arena_strndup(&r->c->arena, type.at + prefix, type.len - prefix)};
	return p.file && p.name && p.of && add_problem(m, r->c, p);
}

static bool read_tokens(struct bpf_missing *m, struct reader *r, bool *is_given)
{
	struct past past = {0};
	for (;;) {
		struct piece token = next_token(r);
		if (!token.at)
			return false;
		if (!token.len)
			return true;
		remember(&past, token);
		if (*token.at == '[' && token_is(past.tokens[1], ")") && token_is(past.tokens[2], "type") &&
		    token_is(past.tokens[3], "*") && !read_map(m, r))
			return false;
		if (*token.at == '{' && token_is(past.tokens[1], "=") && token_is(past.tokens[3], "sched_ext_ops") &&
		    !read_operations(r, is_given))
			return false;
	}
}

/* The preprocessed source; the caller frees it. */
static enum sahm_status preprocess(struct bpf_compiler *c, char **text, struct sahm_err *err)
{
	char *path = bpf_compiler_path(c, "whole.i"), *words = NULL;
	const char *arguments[] = {"-E", "-o", path, c->file, NULL};
	bool is_ok;
	size_t len;
	*text = NULL;
	if (!path)
		return sahm_fail_nomem(err);
	enum sahm_status status = bpf_compiler_run(c, arguments, &words, &is_ok, err);
	free(words);
	if (status != SAHM_OK || !is_ok)
		return status;
	return file_read_regular(path, BPF_MAX_TEXT_BYTES, text, &len, err);
}

static enum sahm_status read_source(struct bpf_missing *m, struct bpf_compiler *c, struct sahm_err *err)
{
	char *text;
	size_t nr = 0;
	enum sahm_status status = preprocess(c, &text, err);
	if (status != SAHM_OK || !text)
		return status;
	while (sched_op_rows[nr].name)
		nr++;
	bool *is_given = arena_alloc(&c->arena, nr, sizeof(*is_given));
	m->operations = arena_alloc(&c->arena, nr, sizeof(*m->operations));
	struct reader r = {.c = c, .at = text, .file = c->file, .line = 1, .is_at_start = true};
	if (!is_given || !m->operations || !read_tokens(m, &r, is_given))
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++)
		if (is_given[i])
			m->operations[m->nr_operations++] = sched_op_rows[i].name;
	free(text);
	return status;
}

/* Its last place is more likely a use than its declaration. */
static enum sahm_status add_symbol(struct bpf_missing *missing, struct bpf_compiler *c, const char *name,
				   struct sahm_err *err)
{
	struct bpf_problem p = {.kind = BPF_NAME, .name = arena_strdup(&c->arena, name)};
	char *text;
	enum sahm_status status = preprocess(c, &text, err);
	if (status != SAHM_OK)
		return status;
	struct reader r = {.c = c, .at = text, .file = c->file, .line = 1, .is_at_start = true};
	const char *file = NULL;
	for (struct piece token = {"", 1}; text && token.len;) {
		bool is_it = token_is(token, name);
		token = next_token(&r);
		if (is_it)
			p.kind = token_is(token, "(") ? BPF_CALL : BPF_NAME;
		if (token_is(token, name)) {
			file = r.file;
			p.line = r.line;
		}
	}
	free(text);
	p.file = file ? bpf_compiler_label(c, file) : NULL;
	if (!p.name || (file && !p.file) || !add_problem(missing, c, p))
		return sahm_fail_nomem(err);
	return SAHM_OK;
}

static enum sahm_status add_undefined(struct bpf_missing *m, struct bpf_compiler *c, struct sahm_err *err)
{
	struct bpf_symbols symbols;
	enum sahm_status status = bpf_symbols_read(&symbols, c, BPF_OBJECT, err);
	for (size_t i = 0; status == SAHM_OK && i < symbols.nr_needs; i++)
		if (strcmp(symbols.needs[i], "sahm_bpf_program") != 0 &&
		    strcmp(symbols.needs[i], "_GLOBAL_OFFSET_TABLE_") != 0 && !sched_call_find(symbols.needs[i]) &&
		    !sched_plugin_has_function(symbols.needs[i]))
			status = add_symbol(m, c, symbols.needs[i], err);
	return status;
}

enum sahm_status bpf_missing_find_all(struct bpf_missing *missing, struct bpf_compiler *c, struct sahm_err *err)
{
	enum sahm_status status = compile(missing, c, err);
	if (status == SAHM_OK && !missing->nr && !missing->nr_others)
		status = add_undefined(missing, c, err);
	return status == SAHM_OK ? read_source(missing, c, err) : status;
}

/* ---- In words ---- */

enum sahm_status bpf_missing_fail(const struct bpf_missing *missing, const char *path, struct sahm_err *err)
{
	size_t nr = missing->nr ? missing->nr : missing->nr_others;
	const char *s = nr == 1 ? "" : "s";
	if (missing->nr)
		return sahm_fail(err, SAHM_FORMAT, "'%s' needs %zu thing%s that the simulator does not have", path, nr,
				 s);
	return sahm_fail(err, SAHM_FORMAT, "'%s' does not compile: %zu error%s", path, nr, s);
}

/* "did you mean", among names with the same beginning, which does not count: it would make all of them alike. */
static void suggest_call(const char *name, struct textbuf *out)
{
	static const char *const beginnings[] = {"scx_bpf_", "bpf_", ""};
	size_t len = 0;
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
		len = strlen(beginnings[i]);
		if (strncmp(name, beginnings[i], len) == 0)
			break;
	}
	struct suggest s;
	suggest_init(&s, name + len);
	for (const struct sched_call_row *row = sched_call_rows; row->name; row++)
		if ((row->kind == SCHED_KERNEL || row->kind == SCHED_BPF) && strncmp(row->name, name, len) == 0)
			suggest_offer(&s, row->name + len);
	if (s.best)
		textbuf_printf(out, "; did you mean '%.*s%s'?", (int)len, name, s.best);
}

static void write_suggestion(const struct bpf_problem *p, struct textbuf *out)
{
	struct suggest s;
	char text[SUGGEST_BYTES];
	if (!p->reason && p->kind == BPF_CALL)
		suggest_call(p->name, out);
	if (p->reason || p->kind != BPF_OPERATION)
		return;
	suggest_init(&s, p->name);
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		if (row->kind == SCHED_KERNEL)
			suggest_offer(&s, row->name);
	textbuf_puts(out, suggest_text(&s, text));
}

static void write_problem(const struct bpf_problem *p, struct textbuf *out)
{
	static const char *const forms[NR_BPF_KINDS] = {
		[BPF_HEADER] = "includes '%s'",	  [BPF_CALL] = "calls '%s()'", [BPF_MEMBER] = "uses '%s'",
		[BPF_OPERATION] = "gives '%s()'", [BPF_NAME] = "uses '%s'",    [BPF_TYPE] = "uses the type '%s'",
		[BPF_MAP] = "has the map '%s'",
	};
	if (p->file) {
		textbuf_label(out, p->file);
		textbuf_printf(out, ":%u: ", p->line);
	}
	const char *form = forms[p->kind], *mark = strstr(form, "%s");
	textbuf_add(out, form, (size_t)(mark - form));
	textbuf_label(out, p->name);
	textbuf_puts(out, mark + 2);
	if (p->kind == BPF_MAP)
		textbuf_printf(out, " of type %s, which is not simulated", p->of);
	else if (p->of)
		textbuf_printf(out, " of '%s', which the simulator does not have", p->of);
	else
		textbuf_puts(out, ", which the simulator does not have");
	if (p->reason)
		textbuf_printf(out, ": %s", p->reason);
	write_suggestion(p, out);
	textbuf_putc(out, '\n');
}

void bpf_missing_write(const struct bpf_missing *missing, struct textbuf *out)
{
	for (size_t i = 0; i < missing->nr; i++)
		write_problem(&missing->items[i], out);
	if (missing->nr && missing->nr_others)
		textbuf_printf(out, "%zu other error%s of the compiler, which may follow from these\n",
			       missing->nr_others, missing->nr_others == 1 ? "" : "s");
}
