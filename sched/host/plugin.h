/* Policies from shared objects.
 *
 * A plug-in is a shared object with the symbol SAHM_PLUGIN_SYMBOL (struct sahm_plugin, whose layout never changes, so
 * that any version can be told from any other). It is found by an explicit path alone, never in a search path, and what
 * it calls (call_list.h) is found in the program, which has to export it: it is linked with -rdynamic. It stays loaded
 * until it is closed; its operations are called directly.
 */
#ifndef SAHM_SCHED_HOST_PLUGIN_H
#define SAHM_SCHED_HOST_PLUGIN_H

#include "sched/host/interface.h"
#include "sched/host/plugin_file.h"

struct sched_plugin;

/* Whether `name`, where a policy is asked for, is that of a file: it has a '/', or ends in ".so". */
bool sched_plugin_is_path(const char *name);

/* Loads the policy of the file at `path`; without a '/' it is one of the current folder. Its code runs: initialisers of
 * the shared object. Refused are files that are no shared object or need what nobody has, other versions of the
 * interface, policies that sched_ops_check() does not like, and those with the name of one of `built_in` (a list with
 * NULL at its end). SAHM_IO, SAHM_FORMAT, SAHM_CONFIG, SAHM_NOMEM. */
enum sahm_status sched_plugin_open(struct sched_plugin **plugin, const char *path,
				   const struct sched_ext_ops *const *built_in, struct sahm_err *err);

/* Unloads it: its policy is gone. NULL: nothing. */
void sched_plugin_close(struct sched_plugin *plugin);

/* Until it is closed: its policy; the path with which it was opened; a hash of the file's contents, of HASH_BYTES. */
const struct sched_ext_ops *sched_plugin_ops(const struct sched_plugin *plugin);
const char *sched_plugin_path(const struct sched_plugin *plugin);
const uint8_t *sched_plugin_hash(const struct sched_plugin *plugin);

/* sched_plugin_open() of a file that has been read. */
enum sahm_status sched_plugin_load(struct sched_plugin **plugin, const char *path, const struct plugin_file *file,
				   const struct sched_ext_ops *const *built_in, struct sahm_err *err);

/* Whether the program or a library of its own has the function `name`, so that a plug-in can call it. */
bool sched_plugin_has_function(const char *name);

#endif
