#include "sim/base/utf8.h"

#include <string.h>

unsigned utf8_len(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned len = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (len == 1)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	for (unsigned i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool outside = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
	return overlong || outside ? 0 : len;
}

bool utf8_is_noncharacter(const char *text)
{
	return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
}
