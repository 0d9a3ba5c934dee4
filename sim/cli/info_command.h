/* Commands that say what is known of files, one after the other or as one JSON array: `sahm trace info`, `sahm stream
 * info`. */
#ifndef SAHM_SIM_CLI_INFO_COMMAND_H
#define SAHM_SIM_CLI_INFO_COMMAND_H

#include "results/metrics/json.h"
#include "sim/base/options.h"
#include "sim/base/textbuf.h"

extern const struct option_row info_options[];

/* Says what is known of the file `path`: as an element of `j` or, where that is NULL, as text at the end of `out`. */
typedef enum sahm_status info_one_fn(const char *path, struct jwriter *j, struct textbuf *out, struct sahm_err *err);

/* Runs such a command: `one` for each operand, printed when all went well. `missing` is the message when there is none.
 */
enum sahm_status info_run(char **args, const char *missing, info_one_fn *one, struct sahm_err *err);

#endif
