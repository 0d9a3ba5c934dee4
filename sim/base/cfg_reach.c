/* What configurations may include: files in the folder of the file that was named, and below; and the folders allowed
 * at the program's start.
 *
 * A configuration may come from somebody else, and what it includes is quoted in messages when it cannot be read: it
 * must not reach files that nobody meant. So links and ".." are resolved first, and the file is then opened from the
 * allowed folder on, a folder at a time and through no link: exchanging one meanwhile gains nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/cfg_internal.h"
#include "sim/base/file.h"
#include "sim/base/shell.h"

#define MAX_ALLOWED 16u

/* Set before anything is read, and only by the program. It decides whether a file is read, never what comes of it. */
static char allowed[MAX_ALLOWED][PATH_MAX];
static unsigned nr_allowed;

enum sahm_status cfg_allow_includes(const char *folder, struct sahm_err *err)
{
	struct stat st;
	char real[PATH_MAX];
	if (!realpath(folder, real))
		return sahm_fail(err, SAHM_IO, "cannot allow includes from '%s': %s", folder, strerror(errno));
	if (stat(real, &st) != 0 || !S_ISDIR(st.st_mode))
		return sahm_fail(err, SAHM_IO, "cannot allow includes from '%s': it is no folder", folder);
	for (unsigned i = 0; i < nr_allowed; i++)
		if (strcmp(allowed[i], real) == 0)
			return SAHM_OK;
	if (nr_allowed == MAX_ALLOWED)
		return sahm_fail(err, SAHM_USAGE, "includes can be allowed from at most %u folders", MAX_ALLOWED);
	memcpy(allowed[nr_allowed++], real, strlen(real) + 1);
	return SAHM_OK;
}

void cfg_forget_allowed_includes(void)
{
	nr_allowed = 0;
}

/* The part of `path` below `folder`, both without links; NULL when it is elsewhere. */
static const char *behind(const char *folder, const char *path)
{
	size_t len = strlen(folder);
	if (strcmp(folder, "/") == 0)
		return path + 1;
	return strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

/* The folder in which the file `file` stands by its name, without links. */
static bool folder_of(const char *file, char real[PATH_MAX])
{
	const char *slash = strrchr(file, '/');
	char *name = slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
	bool found = name && realpath(name, real);
	free(name);
	return found;
}

/* Opens `path`, made of folders and a file, as seen from `folder`. An errno, or 0. */
static int open_below(const char *folder, const char *path, int *fd)
{
	const int to_folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	/* Of a regular file O_NONBLOCK means nothing. */
	const int to_file = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int at = open(folder, to_folder);
	while (at >= 0) {
		char name[NAME_MAX + 1];
		size_t len = strcspn(path, "/");
		bool is_last = !path[len];
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		int next = openat(at, name, is_last ? to_file : to_folder), cause = errno;
		close(at);
		at = next;
		if (at < 0)
			errno = cause;
		else if (is_last)
			break;
		path += len + 1;
	}
	*fd = at;
	return at < 0 ? errno : 0;
}

/* `path` leads to `real`, which is outside `top`. */
static enum sahm_status fail_reach(const char *path, char *real, const char *top, struct sahm_err *err)
{
	struct textbuf word;
	char *slash = strrchr(real, '/');
	slash[slash == real] = '\0';
	textbuf_init(&word);
	shell_write_word(&word, real);
	sahm_fail(
		err, SAHM_CONFIG,
		"'%s' is in '%s', and nothing outside '%s' can be included here (it could by sahm --allow-includes %s "
		"COMMAND ...)",
		path, real, top, word.text);
	textbuf_release(&word);
	return SAHM_CONFIG;
}

/* A file that is not regular is not opened: only that can have an effect. */
static enum sahm_status check_kind(const char *real, const char *path, struct sahm_err *err)
{
	struct stat st;
	if (lstat(real, &st) == 0 && !S_ISREG(st.st_mode))
		return sahm_fail(err, SAHM_IO, "cannot open '%s': it is not a regular file", path);
	return SAHM_OK;
}

enum sahm_status cfg_open_include(const char *file, const char *path, int *fd, struct sahm_err *err)
{
	char top[PATH_MAX], real[PATH_MAX];
	struct stat st;
	if (!folder_of(file, top) || !realpath(path, real))
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	const char *folder = top, *below = behind(top, real);
	for (unsigned i = 0; i < nr_allowed && !below; i++) {
		folder = allowed[i];
		below = behind(folder, real);
	}
	if (!below)
		return fail_reach(path, real, top, err);
	if (check_kind(real, path, err) != SAHM_OK)
		return SAHM_IO;
	int cause = open_below(folder, below, fd);
	if (cause)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(cause));
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return SAHM_OK;
	close(*fd);
	return sahm_fail(err, SAHM_IO, "cannot open '%s': it is not a regular file", path);
}
