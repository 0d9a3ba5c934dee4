#include "sim/cli/ipu_request.h"

#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/base/suggest.h"

/* Things of one kind that come with the program. */
struct kind {
	const char *folder, *suffix, *what, *names; /* in the data folder; in messages */
};

#define MAX_LISTED 64
#define MAX_NAME 64

static const struct kind programs = {"ipu/programs/prebuilt", ".elf", "prebuilt program", "a path of your own"};
static const struct kind specs = {"ipu/abi", ".cfg", "ABI spec", "a path of your own"};

/* Fails with the name that is nearest. */
static enum sahm_status fail_no_such(const struct kind *k, const char *given, const char *folder, struct sahm_err *err)
{
	static const size_t suffix_len = 4;
	char names[MAX_LISTED][MAX_NAME], hint[SUGGEST_BYTES];
	struct suggest s;
	size_t nr = 0;
	suggest_init(&s, given);
	DIR *d = opendir(folder);
	for (struct dirent *e; d && nr < MAX_LISTED && (e = readdir(d));) {
		size_t len = strlen(e->d_name);
		if (len <= suffix_len || len - suffix_len >= MAX_NAME ||
		    strcmp(e->d_name + len - suffix_len, k->suffix) != 0)
			continue;
		snprintf(names[nr], MAX_NAME, "%.*s", (int)(len - suffix_len), e->d_name);
		suggest_offer(&s, names[nr++]);
	}
	if (d)
		closedir(d);
	return sahm_fail(err, SAHM_USAGE, "no %s is called '%s'%s (%s has a / or a . in it)", k->what, given,
			 suggest_text(&s, hint), k->names);
}

static enum sahm_status find(const struct kind *k, const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	char data[DATA_FOLDER_BYTES], folder[IPU_PATH_BYTES];
	if (strpbrk(given, "/.") || strcmp(given, "-") == 0) {
		if (strlen(given) >= IPU_PATH_BYTES)
			return sahm_fail(err, SAHM_USAGE, "the path '%.40s...' is too long", given);
		snprintf(path, IPU_PATH_BYTES, "%s", given);
		return SAHM_OK;
	}
	snprintf(folder, sizeof(folder), "%s/%s", data_folder(data), k->folder);
	snprintf(path, IPU_PATH_BYTES, "%.4200s/%.200s%s", folder, given, k->suffix);
	return access(path, F_OK) == 0 ? SAHM_OK : fail_no_such(k, given, folder, err);
}

enum sahm_status find_ipu_program(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find(&programs, given, path, err);
}

enum sahm_status find_ipu_abi(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find(&specs, given, path, err);
}

enum sahm_status read_option_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
				    struct sahm_err *err)
{
	if (number_read_size(text, value) == NUMBER_OK && *value >= min && *value <= max)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s is '%s', must be a whole number from %" PRIu64 " to %" PRIu64, option,
			 text, min, max);
}
