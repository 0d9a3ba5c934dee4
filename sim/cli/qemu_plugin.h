/* Where the recorder's plug-in for QEMU is. */
#ifndef SAHM_SIM_CLI_QEMU_PLUGIN_H
#define SAHM_SIM_CLI_QEMU_PLUGIN_H

#include "sim/cli/output.h"
#include "workloads/record/record_qemu.h"

#define QEMU_PLUGIN_PATH_BYTES (DATA_FOLDER_BYTES + sizeof(QEMU_PLUGIN_FILE) + 8)

/* Writes into `path` where the plug-in is: beside the program, as they are built, or where it is installed to; if it is
 * nowhere, the latter. */
void find_qemu_plugin(char path[QEMU_PLUGIN_PATH_BYTES]);

#endif
