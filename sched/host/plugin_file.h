/* What the file of a plug-in says of itself, without being loaded: which symbols it needs, which variables it has.
 *
 * A file that is no whole shared object for this machine is refused with a message. That does not make it harmless: to
 * load a plug-in is to run its code. Reading is libelf's.
 */
#ifndef SAHM_SCHED_HOST_PLUGIN_FILE_H
#define SAHM_SCHED_HOST_PLUGIN_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/hash.h"

/* Largest file of a plug-in. */
#define MAX_PLUGIN_BYTES ((size_t)256 << 20)

struct plugin_variable {
	const char *name;
	uint64_t nr_bytes;
};

struct plugin_file {
	struct arena arena;	  /* everything below */
	uint8_t hash[HASH_BYTES]; /* of its contents */
	/* Symbols that others have to define, in the order of their names; not those that tools put there, which may be
	 * missing. */
	const char **needs;
	size_t nr_needs;
	/* Variables that are not constant, in the order of their names. Where the file was stripped, their names are
	 * not known, and only writable_bytes shows whether there are some. */
	struct plugin_variable *variables;
	size_t nr_variables;
	uint64_t writable_bytes;
	/* Of the symbol SAHM_PLUGIN_SYMBOL; SIZE_MAX when it is not known whether it is there, 0: it is not. */
	size_t plugin_bytes;
};

#define SAHM_PLUGIN_SYMBOL "sahm_plugin"

/* Reads the file at `path`; the caller releases `file`, on failure there is nothing to release. SAHM_IO, SAHM_FORMAT,
 * SAHM_NOMEM. */
enum sahm_status plugin_file_read(struct plugin_file *file, const char *path, struct sahm_err *err);
void plugin_file_release(struct plugin_file *file);

/* Whether it needs the symbol `name`. */
bool plugin_file_needs(const struct plugin_file *file, const char *name);

#endif
