#include "sim/cli/qemu_plugin.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where libraries are installed to; the build says. */
#ifndef SAHM_LIBDIR
#define SAHM_LIBDIR "/usr/local/lib"
#endif

void find_qemu_plugin(char path[QEMU_PLUGIN_PATH_BYTES])
{
	size_t room = QEMU_PLUGIN_PATH_BYTES;
	char program[DATA_FOLDER_BYTES - 32];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	snprintf(path, room, "%s/%s", program, QEMU_PLUGIN_FILE);
	if (access(path, F_OK) != 0)
		snprintf(path, room, "%s/../lib/sahm/%s", program, QEMU_PLUGIN_FILE);
	if (access(path, F_OK) != 0)
		snprintf(path, room, "%s/sahm/%s", SAHM_LIBDIR, QEMU_PLUGIN_FILE);
}
