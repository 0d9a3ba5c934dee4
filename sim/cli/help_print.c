/* How pages of help and of the manual are laid out. */
#include "sim/cli/help.h"

#include <string.h>

#define LINE_WIDTH 80

void print_wrapped(FILE *out, const char *text, unsigned column, unsigned indent)
{
	while (*text) {
		size_t word = strcspn(text, " ");
		if (column > indent && column + 1 + word > LINE_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, word, out);
		column += (unsigned)word;
		text += word + (text[word] == ' ');
	}
	fputc('\n', out);
}

void print_item(FILE *out, const char *term, const char *text, unsigned indent)
{
	int used = fprintf(out, "  %s", term);
	if (used < 0 || (unsigned)used + 1 >= indent)
		fprintf(out, "\n%*s", (int)indent, "");
	else
		fprintf(out, "%*s", (int)indent - used, "");
	print_wrapped(out, text, indent, indent);
}

void roff_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '`')
			continue;
		else if (*text == '\n')
			fputs("\n.PP\n", stdout);
		else
			putchar(*text);
	}
}

void roff_item(const char *term, const char *text)
{
	fputs(".TP\n.B ", stdout);
	roff_text(term);
	fputs("\n", stdout);
	roff_text(text);
	fputs("\n", stdout);
}

/* "Help. Default: 1.0 ms. Range: 0 to 10 ms." */
static void write_note(const struct cfg_key *key, struct textbuf *note)
{
	bool number = key->kinds & CFG_NUMBER, has_unit = number && *key->unit;
	textbuf_printf(note, "%s.", key->help);
	/* One core, not one cores; units of two letters (ms, us) have no plural. */
	size_t unit_len = has_unit ? strlen(key->unit) : 0;
	if (strcmp(key->default_value, "1") == 0 && unit_len > 2 && key->unit[unit_len - 1] == 's')
		unit_len--;
	if (*key->default_value)
		textbuf_printf(note, " Default: %s%s%.*s.", key->default_value, has_unit ? " " : "", (int)unit_len,
			       has_unit ? key->unit : "");
	if (!number)
		return;
	textbuf_puts(note, " Range: ");
	cfg_write_bound(note, key, key->min);
	textbuf_puts(note, " to ");
	cfg_write_bound(note, key, key->max);
	textbuf_printf(note, "%s%s.", has_unit ? " " : "", has_unit ? key->unit : "");
}

bool help_key(const struct cfg_key *key)
{
	struct textbuf note;
	textbuf_init(&note);
	write_note(key, &note);
	bool ok = !textbuf_failed(&note);
	print_item(stdout, key->path, note.text, 6);
	textbuf_release(&note);
	return ok;
}

bool roff_key(const struct cfg_key *key)
{
	struct textbuf note;
	textbuf_init(&note);
	write_note(key, &note);
	bool ok = !textbuf_failed(&note);
	roff_item(key->path, note.text);
	textbuf_release(&note);
	return ok;
}
