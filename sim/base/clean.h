/* Text from outside that people will read on a terminal: what a terminal might obey becomes '?', byte for byte.
 *
 * That is control characters (C0, DEL, C1), bytes that are no UTF-8 (another encoding may have controls there), ends of
 * lines and paragraphs (U+2028, U+2029), and what turns the order of letters around (U+061C, U+200E, U+200F, U+202A to
 * U+202E, U+2066 to U+2069). Data for other programs (CSV, JSON) follow other rules.
 */
#ifndef SAHM_SIM_BASE_CLEAN_H
#define SAHM_SIM_BASE_CLEAN_H

#include <stdbool.h>

/* Begin and end of what a terminal shows in bold. */
#define TEXT_BOLD "\033[1m"
#define TEXT_PLAIN "\033[0m"

/* Whether a terminal might obey the character at `text`, of *len bytes (1 where it is no UTF-8). */
bool is_terminal_command(const char *text, unsigned *len);

/* Cleans a piece of a line: a name, a value, a message. Not even a new line stays. */
void clean_text(char *text);

/* Cleans lines that were put together from such pieces: new lines, tabs, TEXT_BOLD and TEXT_PLAIN stay. */
void clean_lines(char *text);

#endif
