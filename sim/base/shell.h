/* Commands that people copy into a shell. */
#ifndef SAHM_SIM_BASE_SHELL_H
#define SAHM_SIM_BASE_SHELL_H

#include <stddef.h>

#include "sim/base/textbuf.h"

/* Appends the `len` bytes at `word` so that a shell reads them as one word: as they are where that will do, else in
 * single quotes; what a terminal might obey (clean.h) in $'...', as bash, ksh and zsh have it. */
void shell_write(struct textbuf *out, const char *word, size_t len);

/* The same for a string. */
void shell_write_word(struct textbuf *out, const char *word);

/* The same for the name of a file, which is no option even if it begins like one. */
void shell_write_file(struct textbuf *out, const char *name);

#endif
