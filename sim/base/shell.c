#include "sim/base/shell.h"

#include <string.h>

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
