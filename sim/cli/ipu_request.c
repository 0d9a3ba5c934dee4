#include "sim/cli/ipu_request.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/engine/shipped.h"

static enum sahm_status find(const struct shipped *shipped, const char *given, char path[IPU_PATH_BYTES],
			     struct sahm_err *err)
{
	char folder[DATA_FOLDER_BYTES], hint[SUGGEST_BYTES];
	if (strpbrk(given, "/.") || strcmp(given, "-") == 0) {
		if (strlen(given) >= IPU_PATH_BYTES)
			return sahm_fail(err, SAHM_USAGE, "the path '%.40s...' is too long", given);
		snprintf(path, IPU_PATH_BYTES, "%s", given);
		return SAHM_OK;
	}
	const char *data = data_folder(folder);
	snprintf(path, IPU_PATH_BYTES, "%.4100s/%s%.200s%s", data, shipped->folder, given, shipped->ending);
	if (access(path, F_OK) == 0)
		return SAHM_OK;
	shipped_suggest(shipped, data, given, hint);
	return sahm_fail(err, SAHM_USAGE, "no %s is called '%s'%s (a path of your own has a / or a . in it)",
			 shipped->what, given, hint);
}

enum sahm_status find_ipu_program(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find(&shipped_programs, given, path, err);
}

enum sahm_status find_ipu_abi(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find(&shipped_specs, given, path, err);
}

enum sahm_status read_option_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
				    struct sahm_err *err)
{
	if (number_read_size(text, value) == NUMBER_OK && *value >= min && *value <= max)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be a whole number from %" PRIu64 " to %" PRIu64, option,
			 text, min, max);
}
