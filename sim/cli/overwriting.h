/* Outputs must not replace inputs, or the files beside a results database (sim/base/companion.h). options_parse()
 * refuses outputs that are the companion of any database; the functions here compare an output with the inputs of
 * its command. */
#ifndef SAHM_SIM_CLI_OVERWRITING_H
#define SAHM_SIM_CLI_OVERWRITING_H

#include <stdbool.h>

#include "sim/base/err.h"

struct run_config;

/* Whether both names ("-": standard input; NULL: none) lead to one regular file, or will. */
bool is_same_file(const char *a, const char *b);

/* Refuses a result in the file `output` (NULL: none; "-": standard output) that would take the place of `input` (NULL:
 * none), which it is made from, or of a companion that `input` has as a database. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status refuse_overwriting(const char *output, const char *input, struct sahm_err *err);

/* Refuses to replace the file `output` (NULL: none; "-": standard output). For names that come from no option:
 * options_parse() refuses those. SAHM_USAGE. */
enum sahm_status refuse_existing(const char *output, struct sahm_err *err);

/* As refuse_overwriting() for all that a run reads: its configuration with what that includes, traces, lists of bursts,
 * plug-in, introspection program. */
enum sahm_status refuse_overwriting_inputs(const char *output, const struct run_config *config, struct sahm_err *err);

/* The same for a page with its figures and data in the folder `output`: an input may be there, but not under a name
 * like theirs. */
enum sahm_status refuse_overwriting_in(const char *output, const char *input, struct sahm_err *err);

/* Refuses to make the database `path` (NULL: none) if one of its companions exists already: SQLite would use that as
 * part of the new database. Only a manifest may be replaced by its manifest. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status refuse_companions(const char *path, struct sahm_err *err);

#endif
