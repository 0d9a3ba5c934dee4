/* New folders to begin something in, made of templates from the data folder. */
#ifndef SAHM_SIM_CLI_SCAFFOLD_H
#define SAHM_SIM_CLI_SCAFFOLD_H

#include <stddef.h>

#include "sim/base/err.h"
#include "sim/base/textbuf.h"

struct scaffold_file {
	const char *name; /* in the new folder; NULL: the name of what is begun, and ".c" */
	const char *from; /* in the data folder */
};

/* A placeholder in templates, and what stands in its place. */
struct scaffold_word {
	const char *placeholder, *text;
};

#define MAX_SCAFFOLD_FILES 8
/* Longest name of what is begun. */
#define MAX_SCAFFOLD_NAME_BYTES 63

/* The name becomes that of files and stands in a Makefile: SAHM_USAGE unless it has up to MAX_SCAFFOLD_NAME_BYTES
 * letters, digits, - and _, a letter first. */
enum sahm_status scaffold_check_name(const char *name, struct sahm_err *err);

/* Appends `path` as the value of a variable in a Makefile. */
void scaffold_write_path(struct textbuf *out, const char *path);

/* The same of where this program is. SAHM_NOMEM. */
enum sahm_status scaffold_write_self(struct textbuf *out, struct sahm_err *err);

/* Makes the folder `folder`, which must not be there yet, with `nr_files` files, in all of which the `nr_words`
 * placeholders are replaced. All of it is there or nothing. SAHM_USAGE, SAHM_IO, SAHM_NOMEM. */
enum sahm_status scaffold_make(const char *folder, const char *name, const struct scaffold_file *files, size_t nr_files,
			       const struct scaffold_word *words, size_t nr_words, struct sahm_err *err);

#endif
