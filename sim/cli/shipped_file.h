/* Files on a command line: the user's by a path, shipped ones by a bare name. */
#ifndef SAHM_SIM_CLI_SHIPPED_FILE_H
#define SAHM_SIM_CLI_SHIPPED_FILE_H

#include "sim/base/err.h"
#include "sim/cli/output.h"
#include "sim/engine/config/shipped.h"

#define SHIPPED_PATH_BYTES (DATA_FOLDER_BYTES + 512)

/* Writes into `path` where `given` is: as it stands when it has a '/' or a '.' in it or is "-", else the one of
 * `shipped` in the data folder which is called so. SAHM_USAGE when there is none, with a suggestion. */
enum sahm_status find_shipped(const struct shipped *shipped, const char *given, char path[SHIPPED_PATH_BYTES],
			      struct sahm_err *err);

#endif
