/* UTF-8: what is a character of it, for text from outside that other programs will read. */
#ifndef SAHM_SIM_BASE_UTF8_H
#define SAHM_SIM_BASE_UTF8_H

#include <stdbool.h>

/* Bytes of the character at `text` (NUL-terminated; an ASCII one, NUL included, has 1), 0 when it is none: surrogates,
 * overlong forms and values beyond U+10FFFF are none. */
unsigned utf8_len(const char *text);

/* Whether the character at `text`, of which utf8_len() is not 0, is one that XML does not allow: U+FFFE and U+FFFF. */
bool utf8_is_noncharacter(const char *text);

#endif
