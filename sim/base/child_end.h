/* How a child process ended, in words. */
#ifndef SAHM_SIM_BASE_CHILD_END_H
#define SAHM_SIM_BASE_CHILD_END_H

#include <stddef.h>

#include "sim/base/textbuf.h"

/* Appends "its process was ended by signal 11 (Segmentation fault)" or "its process ended with exit code 127";
 * `status` is that of waitpid(). */
void child_end_write(int status, struct textbuf *out);

/* Cuts `text` down to its last line that is not empty, made fit for a message, and returns it. */
const char *child_last_line(char *text);

#endif
