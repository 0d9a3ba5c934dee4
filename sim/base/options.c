#include "sim/base/options.h"

#include <string.h>

#include "sim/base/suggest.h"

#define OUTPUT_LETTER 'o'

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

/* Takes the value of row `index`: `attached` (behind '=' or the letter) if not NULL, else the next argument. */
static int take_value(struct option_walk *w, int index, const char *attached, struct sahm_err *err)
{
	const struct option_row *row = &w->rows[index];
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
			if (strlen(w->rows[i].name) == len && memcmp(w->rows[i].name, arg + 2, len) == 0)
				return take_value(w, i, arg[2 + len] == '=' ? arg + 3 + len : NULL, err);
		return unknown_option(w, arg, len, err);
	}
	for (int i = 0; w->rows[i].name; i++)
		if (w->rows[i].letter == arg[1])
			return take_value(w, i, arg[2] ? arg + 2 : NULL, err);
	sahm_fail(err, SAHM_USAGE, "unknown option '%s' (--help lists them)", arg);
	return OPTION_ERROR;
}
