#include "sim/base/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/companion.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/quantity.h"
#include "sim/base/suggest.h"
#include "sim/base/textbuf.h"
#include "sim/base/units.h"

#define OUTPUT_LETTER 'o'

static bool is_output(const struct option_row *row)
{
	return row->written || (row->letter == OUTPUT_LETTER && row->value);
}

void option_walk_init(struct option_walk *w, const struct option_row *rows, char **args)
{
	*w = (struct option_walk){.rows = rows, .args = args};
}

static int unknown_option(const struct option_walk *w, const char *arg, size_t name_len, struct sahm_err *err)
{
	char name[64], near[SUGGEST_BYTES];
	struct suggest s;
	if (name_len >= sizeof(name))
		name_len = sizeof(name) - 1;
	memcpy(name, arg + 2, name_len);
	name[name_len] = '\0';
	suggest_init(&s, name);
	for (const struct option_row *row = w->rows; row->name; row++)
		suggest_offer(&s, row->name);
	suggest_offer(&s, "help"); /* which every command has */
	if (s.best) {
		char dashed[64];
		size_t len = strlen(s.best);
		memcpy(dashed, "--", 2);
		memcpy(dashed + 2, s.best, len + 1);
		s.best = dashed;
		sahm_fail(err, SAHM_USAGE, "unknown option '--%s'%s", name, suggest_text(&s, near));
	} else {
		sahm_fail(err, SAHM_USAGE, "unknown option '--%s' (--help lists them)", name);
	}
	return OPTION_ERROR;
}

/* Takes the value of row `index`: `attached` (after '=' or the letter) if not NULL, else the next argument. */
static int take_value(struct option_walk *w, int index, const char *attached, struct sahm_err *err)
{
	const struct option_row *row = w->row = &w->rows[index];
	w->value = attached;
	if (!row->value && attached) {
		sahm_fail(err, SAHM_USAGE, "option '--%s' takes no value", row->name);
		return OPTION_ERROR;
	}
	if (row->value && !attached) {
		if (!*w->args) {
			sahm_fail(err, SAHM_USAGE, "option '--%s' needs a value: --%s %s", row->name, row->name,
				  row->value);
			return OPTION_ERROR;
		}
		w->value = *w->args++;
	}
	/* What is written has a name, whatever writes it. */
	if (row->letter == OUTPUT_LETTER && row->value && !*w->value && !w->unfinished) {
		sahm_fail(err, SAHM_USAGE, "option '--%s' needs a name: --%s %s", row->name, row->name, row->value);
		return OPTION_ERROR;
	}
	return index;
}

static bool is_word(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

int option_walk_next(struct option_walk *w, struct sahm_err *err)
{
	char *arg = *w->args;
	if (!arg)
		return OPTION_END;
	w->args++;
	if (w->operands_only || arg[0] != '-' || arg[1] == '\0') {
		w->value = arg;
		return OPTION_OPERAND;
	}
	if (strcmp(arg, "--") == 0) {
		w->operands_only = true;
		return option_walk_next(w, err);
	}
	if (arg[1] == '-') {
		size_t len = strcspn(arg + 2, "=");
		for (int i = 0; w->rows[i].name; i++)
			if (is_word(w->rows[i].name, arg + 2, len) || is_word(w->rows[i].old, arg + 2, len))
				return take_value(w, i, arg[2 + len] == '=' ? arg + 3 + len : NULL, err);
		return unknown_option(w, arg, len, err);
	}
	/* "-policy fair" means "--policy fair" rather than "-p olicy". */
	size_t word = strcspn(arg + 1, "=");
	for (int i = 0; w->rows[i].name && word > 1; i++) {
		if (!is_word(w->rows[i].name, arg + 1, word))
			continue;
		sahm_fail(err, SAHM_USAGE, "unknown option '%.*s'; did you mean '--%s'?", (int)word + 1, arg,
			  w->rows[i].name);
		return OPTION_ERROR;
	}
	for (int i = 0; w->rows[i].name; i++)
		if (w->rows[i].letter == arg[1])
			return take_value(w, i, arg[2] ? arg + 2 : NULL, err);
	sahm_fail(err, SAHM_USAGE, "unknown option '%s' (--help lists them)", arg);
	return OPTION_ERROR;
}

enum sahm_status option_list_add(struct option_list *list, const char *item, struct sahm_err *err)
{
	const char **items = realloc(list->items, (list->nr + 1) * sizeof(*items));
	if (!items)
		return sahm_fail_nomem(err);
	list->items = items;
	items[list->nr++] = item;
	return SAHM_OK;
}

enum sahm_status read_choice(const char *what, const char *word, const char *const *names, unsigned *which,
			     struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	struct textbuf all;
	suggest_init(&s, word);
	textbuf_init(&all);
	enum sahm_status status = SAHM_USAGE;
	for (unsigned i = 0; names[i] && status != SAHM_OK; i++) {
		textbuf_printf(&all, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
		suggest_offer(&s, names[i]);
		if (strcmp(names[i], word) == 0) {
			*which = i;
			status = SAHM_OK;
		}
	}
	if (status != SAHM_OK)
		sahm_fail(err, status, "unknown %s '%.60s', must be %s%s", what, word, all.text,
			  suggest_text(&s, near));
	textbuf_release(&all);
	return status;
}

static void put_number(const struct option_row *row, void *to, uint64_t value)
{
	if (row->size == sizeof(uint64_t))
		*(uint64_t *)to = value;
	else
		*(uint32_t *)to = (uint32_t)value;
}

static enum sahm_status take_number(const struct option_row *row, const char *text, void *to, struct sahm_err *err)
{
	uint64_t value = 0;
	enum number_fault fault =
		row->kind == OPTION_SIZE ? number_read_size(text, &value) : number_read_u64(text, strlen(text), &value);
	if (fault == NUMBER_OK && value >= row->least && value <= row->most && (!row->unit || value % row->unit == 0)) {
		put_number(row, to, value);
		return SAHM_OK;
	}
	if (row->must)
		return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be %s", row->name, text, row->must);
	if (row->kind == OPTION_WHOLE)
		return sahm_fail(err, SAHM_USAGE, "--%s is a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
				 row->name, row->least, row->most, text);
	return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be a whole number from %" PRIu64 " to %" PRIu64,
			 row->name, text, row->least, row->most);
}

static enum sahm_status take_ms(const struct option_row *row, const char *text, uint64_t *ns, struct sahm_err *err)
{
	double ms, least = ms_of_ns(row->least), most = ms_of_ns(row->most);
	bool has_unit = quantity_is_one(text);
	decimal value;
	struct sahm_err cause;
	enum sahm_status status = has_unit ? quantity_read(text, strlen(text), "ms", false, &value, &cause) : SAHM_OK;
	if (status != SAHM_OK)
		return sahm_fail(err, status == SAHM_NOMEM ? status : SAHM_USAGE, "--%s %s", row->name, cause.msg);
	ms = has_unit ? quantity_to_double(value) : 0;
	if ((!has_unit && number_read_double(text, &ms) != NUMBER_OK) || ms < least || ms > most)
		return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be a number from %.10g to %.10g", row->name, text,
				 least, most);
	*ns = ns_of_ms(ms);
	return SAHM_OK;
}

static enum sahm_status take_amount(const struct option_row *row, const char *text, double *to, struct sahm_err *err)
{
	double amount;
	if (number_read_double(text, &amount) != NUMBER_OK || amount <= 0)
		return sahm_fail(err, SAHM_USAGE, "--%s is '%.40s', must be a number above 0", row->name, text);
	*to = amount;
	return SAHM_OK;
}

static enum sahm_status take_string(const struct option_row *row, const char *text, const char **to,
				    struct sahm_err *err)
{
	if (row->what && *to)
		return sahm_fail(err, SAHM_USAGE, "one %s at a time: '%s' is too many", row->what, text);
	*to = text;
	return SAHM_OK;
}

static enum sahm_status take_item(const struct option_row *row, const char *text, struct option_list *to,
				  struct sahm_err *err)
{
	if (row->most == 1 && to->nr == 1)
		return sahm_fail(err, SAHM_USAGE, "--%s can be given only once", row->name);
	if (row->most && to->nr == row->most)
		return row->most == 1 ? sahm_fail(err, SAHM_USAGE, "--%s can be given only once", row->name)
				      : sahm_fail(err, SAHM_USAGE, "--%s can be given at most %" PRIu64 " times",
						  row->name, row->most);
	return option_list_add(to, text, err);
}

/* `given`: of the rows before, a bit each. */
static enum sahm_status take_one_of(const struct option_walk *w, uint64_t given, int *to, struct sahm_err *err)
{
	for (const struct option_row *other = w->rows; other->name; other++)
		if (other != w->row && other->kind == OPTION_ONE_OF && other->offset == w->row->offset &&
		    given >> (other - w->rows) & 1)
			return sahm_fail(err, SAHM_USAGE, "--%s and --%s exclude each other",
					 other < w->row ? other->name : w->row->name,
					 other < w->row ? w->row->name : other->name);
	*to = w->row->value_is;
	return SAHM_OK;
}

static enum sahm_status take(struct option_walk *w, void *request, uint64_t given, struct sahm_err *err)
{
	const struct option_row *row = w->row;
	void *to = (char *)request + row->offset;
	switch (row->kind) {
	case OPTION_NONE:
		return sahm_fail(err, SAHM_USAGE, "'%s' is too many: %s", w->value, row->what);
	case OPTION_FLAG:
	case OPTION_CLEAR:
	case OPTION_FORCE:
		*(bool *)to = row->kind != OPTION_CLEAR;
		return SAHM_OK;
	case OPTION_ONE_OF:
		return take_one_of(w, given, to, err);
	case OPTION_STRING:
		return take_string(row, w->value, to, err);
	case OPTION_LIST:
		return take_item(row, w->value, to, err);
	case OPTION_WHOLE:
	case OPTION_COUNT:
	case OPTION_SIZE:
		return take_number(row, w->value, to, err);
	case OPTION_MS:
		return take_ms(row, w->value, to, err);
	case OPTION_AMOUNT:
		return take_amount(row, w->value, to, err);
	case OPTION_CHOICE:
		return read_choice(row->what, w->value, row->words, to, err);
	case OPTION_TAKE:
		break;
	}
	return row->take(to, w, err);
}

/* Before anything is read. */
static void put_preset(const struct option_row *row, void *request)
{
	void *to = (char *)request + row->offset;
	if (row->preset)
		put_number(row, to, row->preset);
	if (row->preset_text)
		*(const char **)to = row->preset_text;
}

static enum sahm_status check_missing(const struct option_row *row, const void *request, struct sahm_err *err)
{
	const void *at = (const char *)request + row->offset;
	if (!row->missing)
		return SAHM_OK;
	bool is_there =
		row->kind == OPTION_LIST ? ((const struct option_list *)at)->nr > 0 : *(const char *const *)at != NULL;
	return is_there ? SAHM_OK : sahm_fail(err, SAHM_USAGE, "%s", row->missing);
}

/* Whether another word of the command line names the file that `output` names: the command itself says better what is
 * wrong with that. */
static bool is_named_twice(char *const *args, const char *output)
{
	struct stat a, b;
	if (stat(output, &a) != 0)
		return false;
	for (; *args; args++)
		if (*args != output && stat(*args, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return true;
	return false;
}

/* Refuses outputs that would replace a file, where the table has an option to force that, and it is not given. */
static enum sahm_status refuse_existing_outputs(const struct option_row *rows, char *const *args, uint64_t given,
						const void *request, struct sahm_err *err)
{
	const struct option_row *force = rows;
	while (force->name && force->kind != OPTION_FORCE)
		force++;
	if (!force->name || given >> (force - rows) & 1)
		return SAHM_OK;
	for (const struct option_row *row = rows; row->name; row++) {
		if (!is_output(row) || row->folder || row->kind != OPTION_STRING || !(given >> (row - rows) & 1))
			continue;
		const char *path = *(const char *const *)((const char *)request + row->offset);
		if (strcmp(path, "-") != 0 && file_would_replace(path) && !is_named_twice(args, path))
			return sahm_fail(err, SAHM_USAGE, FILE_EXISTS "; --%s replaces it, %s%s names another", path,
					 force->name, row->letter ? "-" : "--",
					 row->letter ? (const char[]){row->letter, '\0'} : row->name);
	}
	return SAHM_OK;
}

enum sahm_status options_parse(const struct option_row *rows, char **args, void *request, struct sahm_err *err)
{
	const struct option_row *operands = rows;
	struct option_walk w;
	uint64_t given = 0;
	int option;
	for (; operands->name; operands++)
		put_preset(operands, request);
	option_walk_init(&w, rows, args);
	while ((option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		w.row = option == OPTION_OPERAND ? operands : &rows[option];
		enum sahm_status status = is_output(w.row) ? companion_refuse(w.value, err) : SAHM_OK;
		if (status == SAHM_OK)
			status = take(&w, request, given, err);
		if (status != SAHM_OK)
			return status;
		given |= UINT64_C(1) << (w.row - rows);
		if (w.row->note)
			*(const char **)((char *)request + w.row->note) = w.row->name;
	}
	enum sahm_status status = check_missing(operands, request, err);
	for (const struct option_row *row = rows; row < operands && status == SAHM_OK; row++)
		status = check_missing(row, request, err);
	return status == SAHM_OK ? refuse_existing_outputs(rows, args, given, request, err) : status;
}
