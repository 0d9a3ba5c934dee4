#include "sim/base/clean.h"

#include <string.h>

#include "sim/base/utf8.h"

bool is_terminal_command(const char *text, unsigned *len)
{
	const unsigned char *c = (const unsigned char *)text;
	unsigned nr = utf8_len(text);
	*len = nr ? nr : 1;
	if (nr <= 1)
		return nr == 0 || c[0] < 0x20 || c[0] == 0x7f;
	if (nr == 2)
		return (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xd8 && c[1] == 0x9c);
	if (c[0] != 0xe2)
		return false;
	return (c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae))) ||
	       (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
}

/* Bytes at `text` that lines may have though a terminal obeys them. */
static unsigned of_lines(const char *text)
{
	if (*text == '\n' || *text == '\t')
		return 1;
	if (strncmp(text, TEXT_BOLD, strlen(TEXT_BOLD)) == 0 || strncmp(text, TEXT_PLAIN, strlen(TEXT_PLAIN)) == 0)
		return (unsigned)strlen(TEXT_BOLD);
	return 0;
}

static void clean(char *text, bool is_lines)
{
	for (char *p = text; *p;) {
		unsigned len = is_lines ? of_lines(p) : 0;
		if (len == 0 && is_terminal_command(p, &len))
			memset(p, '?', len);
		p += len;
	}
}

void clean_text(char *text)
{
	clean(text, false);
}

void clean_lines(char *text)
{
	clean(text, true);
}
