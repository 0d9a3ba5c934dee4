#include "sim/base/shell.h"

#include <stdbool.h>
#include <string.h>

#include "sim/base/clean.h"

/* Bytes of the character at `word`, of which `len` are left, and whether a terminal might obey it. */
static size_t look(const char *word, size_t len, bool *is_command)
{
	unsigned nr;
	*is_command = is_terminal_command(word, &nr);
	*is_command |= nr > len;
	return nr > len ? len : nr;
}

/* As `ls` writes such names: a command that is shown can be copied, and has no characters that the terminal obeys. */
static void write_escaped(struct textbuf *out, const char *word, size_t len)
{
	textbuf_puts(out, "$'");
	while (len > 0) {
		bool is_command;
		size_t nr = look(word, len, &is_command);
		for (len -= nr; nr > 0; nr--, word++)
			if (is_command)
				textbuf_printf(out, "\\%03o", (unsigned char)*word);
			else
				textbuf_printf(out, "%s%c", *word == '\'' || *word == '\\' ? "\\" : "", *word);
	}
	textbuf_putc(out, '\'');
}

void shell_write(struct textbuf *out, const char *word, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";
	size_t nr_plain = 0;
	while (nr_plain < len && memchr(plain, word[nr_plain], sizeof(plain) - 1))
		nr_plain++;
	if (len > 0 && nr_plain == len) {
		textbuf_add(out, word, len);
		return;
	}
	bool is_command = false;
	for (size_t at = 0; at < len && !is_command;)
		at += look(word + at, len - at, &is_command);
	if (is_command) {
		write_escaped(out, word, len);
		return;
	}
	textbuf_putc(out, '\'');
	for (size_t i = 0; i < len; i++)
		if (word[i] == '\'')
			textbuf_puts(out, "'\\''");
		else
			textbuf_putc(out, word[i]);
	textbuf_putc(out, '\'');
}

void shell_write_word(struct textbuf *out, const char *word)
{
	shell_write(out, word, strlen(word));
}

void shell_write_file(struct textbuf *out, const char *name)
{
	textbuf_puts(out, name[0] == '-' ? "./" : "");
	shell_write_word(out, name);
}
