#include "sim/cli/shipped_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"

enum sahm_status find_shipped(const struct shipped *shipped, const char *given, char path[SHIPPED_PATH_BYTES],
			      struct sahm_err *err)
{
	char hint[SUGGEST_BYTES];
	if (strpbrk(given, "/.") || strcmp(given, "-") == 0) {
		if (strlen(given) >= SHIPPED_PATH_BYTES)
			return sahm_fail(err, SAHM_USAGE, "the path '%.40s...' is too long", given);
		snprintf(path, SHIPPED_PATH_BYTES, "%s", given);
		return SAHM_OK;
	}
	const char *data = data_folder();
	snprintf(path, SHIPPED_PATH_BYTES, "%.4100s/%s%.200s%s", data, shipped->folder, given, shipped->ending);
	if (access(path, F_OK) == 0)
		return SAHM_OK;
	if (!file_is_absent(errno))
		return sahm_fail(err, SAHM_IO, "cannot look for '%s': %s", path, strerror(errno));
	shipped_suggest(shipped, data, given, hint);
	sahm_fail(err, SAHM_USAGE, "no %s is called '%s'%s (a path of your own has a / or a . in it)", shipped->what,
		  given, hint);
	explain_data_folder(err);
	return SAHM_USAGE;
}
