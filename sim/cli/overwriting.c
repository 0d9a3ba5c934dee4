#include "sim/cli/overwriting.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/companion.h"
#include "sim/base/file.h"
#include "sim/base/textbuf.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/manifest.h"

/* Finds the file `path` ("-": standard input) or, if it does not exist yet, the folder that it will be in. */
static bool find_place(const char *path, struct stat *st)
{
	char folder[PATH_MAX];
	int folder_bytes = (int)(base_name(path) - path);
	if ((strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(path, st)) == 0)
		return true;
	snprintf(folder, sizeof(folder), "%.*s", folder_bytes ? folder_bytes : 1, folder_bytes ? path : ".");
	return stat(folder, st) == 0;
}

bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;
	if (!a || !b || !find_place(a, &x) || !find_place(b, &y) || x.st_dev != y.st_dev || x.st_ino != y.st_ino)
		return false;
	return S_ISREG(x.st_mode) || (S_ISDIR(x.st_mode) && strcmp(base_name(a), base_name(b)) == 0);
}

/* Refuses `output` where it is a companion of the database `path`. */
static enum sahm_status refuse_beside(const char *output, const char *path, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (const char *const *e = companion_endings; *e && status == SAHM_OK; e++) {
		struct textbuf name;
		textbuf_init(&name);
		textbuf_printf(&name, "%s%s", path, *e);
		if (textbuf_failed(&name))
			status = sahm_fail_nomem(err);
		else if (is_same_file(output, name.text))
			status = sahm_fail(err, SAHM_USAGE,
					   "the result would overwrite '%s', which belongs to the database '%s'",
					   name.text, path);
		textbuf_release(&name);
	}
	return status;
}

enum sahm_status refuse_overwriting(const char *output, const char *input, struct sahm_err *err)
{
	if (!output || !input || strcmp(output, "-") == 0)
		return SAHM_OK;
	if (is_same_file(output, input))
		return sahm_fail(err, SAHM_USAGE, "the result would overwrite '%s', which it is made from", input);
	if (strcmp(input, "-") == 0)
		return SAHM_OK;
	enum sahm_status status = refuse_beside(output, input, err);
	if (status != SAHM_OK)
		return status;
	/* SQLite names its files after the file that a link leads to. */
	char *target = file_behind_links(input);
	status = target ? refuse_beside(output, target, err) : sahm_fail_nomem(err);
	free(target);
	return status;
}

enum sahm_status refuse_overwriting_in(const char *output, const char *input, struct sahm_err *err)
{
	static const char *const endings[] = {".html", ".svg", ".png", ".gp", ".csv", ".cfg"};
	struct stat folder, holder;
	char *target = file_behind_links(input), *slash = target ? strrchr(target, '/') : NULL;
	const char *dot = target ? strrchr(base_name(target), '.') : NULL;
	enum sahm_status status = target ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++) {
		if (strcmp(dot, endings[i]) != 0)
			continue;
		if (slash)
			slash[1] = '\0';
		if (stat(output, &folder) == 0 && stat(slash ? target : ".", &holder) == 0 &&
		    folder.st_dev == holder.st_dev && folder.st_ino == holder.st_ino)
			status = sahm_fail(err, SAHM_USAGE,
					   "files in '%s' could overwrite '%s', which they are made from", output,
					   input);
		break;
	}
	free(target);
	return status;
}

/* Whether a manifest may be written to `path`: it does not exist, or is a manifest. */
static bool may_be_manifest(const char *path)
{
	char begin[sizeof(MANIFEST_BEGIN) - 1];
	struct stat st;
	if (lstat(path, &st) != 0)
		return true;
	int fd = file_open_regular(path, NULL);
	if (fd < 0)
		return false;
	ssize_t nr = read(fd, begin, sizeof(begin));
	close(fd);
	return nr == (ssize_t)sizeof(begin) && memcmp(begin, MANIFEST_BEGIN, sizeof(begin)) == 0;
}

enum sahm_status refuse_companions(const char *path, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	char *target = path ? file_behind_links(path) : NULL;
	if (!target)
		return path ? sahm_fail_nomem(err) : SAHM_OK;
	for (const char *const *e = companion_endings; *e && status == SAHM_OK; e++) {
		bool is_manifest = strcmp(*e, MANIFEST_ENDING) == 0;
		struct textbuf name;
		struct stat st;
		textbuf_init(&name);
		/* A manifest is named after the given path, not after what a link leads to. */
		textbuf_printf(&name, "%s%s", is_manifest ? path : target, *e);
		if (textbuf_failed(&name))
			status = sahm_fail_nomem(err);
		else if (is_manifest && !may_be_manifest(name.text))
			status = sahm_fail(err, SAHM_USAGE,
					   "'%s' is not a manifest, and the manifest of '%s' would overwrite it",
					   name.text, path);
		/* SQLite makes the database before these files, so look for the database last. */
		else if (!is_manifest && lstat(name.text, &st) == 0 && lstat(target, &st) != 0)
			status = sahm_fail(err, SAHM_USAGE,
					   "'%s' exists, and SQLite would use it as part of the new database '%s'",
					   name.text, path);
		textbuf_release(&name);
	}
	free(target);
	return status;
}

enum sahm_status refuse_existing(const char *output, struct sahm_err *err)
{
	return output && strcmp(output, "-") != 0 ? file_refuse_existing(output, err) : SAHM_OK;
}

/* An output that is compared with all inputs. */
struct clash {
	const char *output;
	enum sahm_status status;
	struct sahm_err *err;
};

static void look_for_clash(void *ctx, const char *kind, const char *path, const uint8_t hash[HASH_BYTES])
{
	struct clash *c = ctx;
	(void)hash;
	if (c->status == SAHM_OK && is_same_file(c->output, path))
		c->status = sahm_fail(c->err, SAHM_USAGE, "'%s' would be overwritten, which is a %s of this run",
				      c->output, kind);
}

/* Settings next to each other are mostly from the same file, which is compared only once. */
static void look_through(const struct cfg_node *node, const char **last, struct clash *c)
{
	for (; node && c->status == SAHM_OK; node = node->next) {
		if (node->line > 0 && node->file != *last)
			look_for_clash(c, "configuration", node->file, NULL);
		*last = node->file;
		look_through(node->first, last, c);
	}
}

enum sahm_status refuse_overwriting_inputs(const char *output, const struct run_config *config, struct sahm_err *err)
{
	struct clash clash = {.output = output, .err = err};
	const char *last = NULL;
	if (!output || strcmp(output, "-") == 0)
		return SAHM_OK;
	look_through(config->root, &last, &clash);
	run_config_inputs(config, look_for_clash, &clash);
	return clash.status;
}
