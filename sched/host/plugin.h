/* Policies from shared objects.
 *
 * A plug-in is a shared object with the symbol SAHM_PLUGIN_SYMBOL (struct sahm_plugin, whose layout never changes, so
 * that versions can be distinguished). It is found only by an explicit path, never in a search path, and its calls
 * (call_list.h) are found in the program, which has to export them: it is linked with -rdynamic. It stays loaded until
 * it is closed; its operations are called directly.
 */
#ifndef SAHM_SCHED_HOST_PLUGIN_H
#define SAHM_SCHED_HOST_PLUGIN_H

#include "sched/host/interface.h"
#include "sched/host/plugin_file.h"

struct sched_plugin;

#define MAX_KNOWN_PLUGINS 8u

/* Files that have been loaded before, by their contents: the oldest is forgotten first. Begins as {0}. */
struct plugin_known {
	uint8_t hash[MAX_KNOWN_PLUGINS][HASH_BYTES];
	unsigned nr; /* ever put there */
};

/* Whether `name`, where a policy is asked for, is that of a file: it has a '/', or ends in ".so". */
bool sched_plugin_is_path(const char *name);

/* Loads the policy of the file at `path`; without a '/' it is one of the current folder. Its code runs, initialisers of
 * the shared object: first in a child process (plugin_trial.h), then, unless that ended, here. `known` (may be NULL)
 * spares a file the child when it has been loaded before. Refused are files that are no shared object or need what
 * nobody has, other versions of the interface, policies that sched_ops_check() does not like, and those with the name
 * of one of `built_in` (a list with NULL at its end). SAHM_IO, SAHM_FORMAT, SAHM_CONFIG, SAHM_NOMEM. */
enum sahm_status sched_plugin_open(struct sched_plugin **plugin, const char *path,
				   const struct sched_ext_ops *const *built_in, struct plugin_known *known,
				   struct sahm_err *err);

/* What the program does before code of a plug-in runs in the process itself; it may refuse. Set it before anything is
 * loaded, and only in the program. */
void sched_plugin_before_load(enum sahm_status (*prepare)(const char *path, struct sahm_err *err));

/* Unloads it: its policy is gone. NULL: nothing. */
void sched_plugin_close(struct sched_plugin *plugin);

/* Until it is closed: its policy; the path with which it was opened; a hash of the file's contents, of HASH_BYTES. */
const struct sched_ext_ops *sched_plugin_ops(const struct sched_plugin *plugin);
const char *sched_plugin_path(const struct sched_plugin *plugin);
const uint8_t *sched_plugin_hash(const struct sched_plugin *plugin);

/* sched_plugin_open() of a file that has been read. */
enum sahm_status sched_plugin_load(struct sched_plugin **plugin, const char *path, const struct plugin_file *file,
				   const struct sched_ext_ops *const *built_in, struct plugin_known *known,
				   struct sahm_err *err);

/* Whether the program or a library of its own has the function `name`, so that a plug-in can call it. */
bool sched_plugin_has_function(const char *name);

#endif
