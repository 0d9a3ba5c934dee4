#include "sim/sweep/trace_suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/array.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config.h"

#define SHIPPED "configs/suites"
#define ENDING ".cfg"

/* A suite's name, and its former name. */
#define SMALL "small"
#define FORMER_SMALL "real"

static const struct cfg_key keys[] = {
	{.path = "traces", .kinds = CFG_LIST | CFG_ARRAY, .unit = "", .default_value = "", .help = "the traces"},
	{.path = "traces[]", .kinds = CFG_STRING, .unit = "", .default_value = "", .help = "the file of one"},
};

/* Only an ending is no name. */
static bool is_named(const char *name, const char *ending)
{
	return strlen(name) > strlen(ending) && text_ends_in(name, ending);
}

bool trace_suite_is_trace_name(const char *name)
{
	static const char *const endings[] = {".csv", ".csv.zst", ".trc", ".trc.zst"};
	bool is = false;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		is |= is_named(name, endings[i]);
	return is && name[0] != '.';
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in the folder `path` that `wanted` wants, sorted; *nr of them. */
static enum sahm_status list(struct arena *a, const char *path, bool (*wanted)(const char *name), const char ***names,
			     size_t *nr, struct sahm_err *err)
{
	size_t room = 0;
	DIR *folder = opendir(path);
	*names = NULL;
	*nr = 0;
	if (!folder)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	for (struct dirent *entry; (entry = readdir(folder));) {
		if (!wanted(entry->d_name))
			continue;
		if (*nr == room) {
			const char **more = arena_alloc(a, room ? 2 * room : 64, sizeof(*more));
			if (more && room)
				memcpy(more, *names, room * sizeof(*more));
			room = room ? 2 * room : 64;
			*names = more;
		}
		const char *name = *names ? arena_strdup(a, entry->d_name) : NULL;
		if (!name) {
			closedir(folder);
			return sahm_fail_nomem(err);
		}
		(*names)[(*nr)++] = name;
	}
	closedir(folder);
	if (*nr)
		qsort(*names, *nr, sizeof(**names), by_name);
	return SAHM_OK;
}

static char *join(struct arena *a, const char *folder, const char *name)
{
	size_t len = strlen(folder);
	char *path = arena_alloc(a, len + strlen(name) + 2, 1);
	if (path) {
		memcpy(path, folder, len);
		path[len] = '/';
		strcpy(path + len + 1, name);
	}
	return path;
}

/* There is something else than a file: nobody may ever write into a pipe. */
static bool is_no_file(const char *path)
{
	struct stat st;
	return !*path || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

static enum sahm_status read_folder(struct arena *a, const char *path, struct trace_suite *suite, struct sahm_err *err)
{
	const char **names;
	size_t nr;
	char *absolute = realpath(path, NULL), *folder = absolute ? arena_strdup(a, absolute) : NULL;
	free(absolute);
	struct cfg_node *traces = arena_alloc(a, 1, sizeof(*traces));
	if (!folder || !traces)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	*traces = (struct cfg_node){.kind = CFG_LIST, .name = "traces", .file = path};
	enum sahm_status status = list(a, folder, trace_suite_is_trace_name, &names, &nr, err);
	if (status == SAHM_OK && nr == 0)
		return sahm_fail(err, SAHM_CONFIG, "no trace is in the folder '%s' (.csv, .trc, either with .zst)",
				 path);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct cfg_node *node = arena_alloc(a, 1, sizeof(*node));
		const char *name = join(a, folder, names[i]);
		if (!node || !name)
			return sahm_fail_nomem(err);
		if (is_no_file(name))
			return sahm_fail(err, SAHM_CONFIG, "'%s' is called as a trace is, and is no file", name);
		*node = (struct cfg_node){.kind = CFG_STRING, .file = path, .value.string = name};
		cfg_put(traces, node);
	}
	suite->traces = traces;
	return status;
}

static enum sahm_status read_file(struct arena *a, const char *path, const char *data_folder, struct trace_suite *suite,
				  struct sahm_err *err)
{
	struct cfg_node *root;
	bool is_trace;
	enum sahm_status status = trace_find_out(path, &is_trace, err);
	if (status != SAHM_OK)
		return status;
	if (is_trace)
		return sahm_fail(err, SAHM_CONFIG, "'%s' is a trace, not a suite, which is a list of some or a folder",
				 path);
	status = cfg_read_file(a, path, &root, err);
	if (status == SAHM_OK)
		status = cfg_check(root, keys, ARRAY_SIZE(keys), err);
	if (status != SAHM_OK)
		return status;
	struct cfg_node *traces = cfg_take(root, "traces");
	if (!traces || traces->nr_children == 0)
		return cfg_fail(traces ? traces : root, err, "a suite needs traces: traces = [\"a.csv\", \"b.csv\"];");
	bool any = false;
	status = run_config_settle_paths(a, data_folder, config_keys[KEY_TRACES].path, traces, &any, err);
	if (status != SAHM_OK)
		return status;
	for (const struct cfg_node *trace = traces->first; trace; trace = trace->next)
		if (is_no_file(trace->value.string))
			return cfg_fail(trace, err, "'%s' is no file", trace->value.string);
	suite->traces = traces;
	return SAHM_OK;
}

/* The last part of `path` without the ending of a suite's file. */
static const char *name_of(struct arena *a, const char *path)
{
	size_t len = strlen(path);
	while (len > 1 && path[len - 1] == '/')
		len--;
	size_t at = len;
	while (at > 0 && path[at - 1] != '/')
		at--;
	char *name = arena_strndup(a, path + at, len - at);
	if (name && is_named(name, ENDING))
		name[strlen(name) - strlen(ENDING)] = '\0';
	if (name)
		clean_text(name);
	return name;
}

static bool is_suite_name(const char *name)
{
	return is_named(name, ENDING) && name[0] != '.';
}

static enum sahm_status fail_unknown(struct arena *a, const char *asked, const char *folder, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	struct textbuf all;
	const char **names = NULL;
	size_t nr = 0;
	suggest_init(&s, asked);
	textbuf_init(&all);
	if (!folder || list(a, folder, is_suite_name, &names, &nr, NULL) != SAHM_OK)
		nr = 0;
	for (size_t i = 0; i < nr; i++) {
		const char *name = name_of(a, names[i]);
		suggest_offer(&s, name ? name : "");
		textbuf_printf(&all, "%s%s", i ? ", " : "", name ? name : "");
	}
	if (!nr && folder)
		textbuf_printf(&all, "none is in '%s'", folder);
	enum sahm_status status =
		sahm_fail(err, SAHM_USAGE, "no suite is called '%.200s' (%s), and there is no such file or folder%s",
			  asked, all.len ? all.text : "none came with sahm", suggest_text(&s, near));
	textbuf_release(&all);
	return status;
}

/* Where the shipped suite `asked` is, if it is one; else *path is NULL. */
static enum sahm_status look_for_shipped(struct arena *a, const char *asked, const char *data_folder, const char **path,
					 struct sahm_err *err)
{
	struct stat st;
	struct textbuf b;
	*path = NULL;
	if (!data_folder || !*asked || strchr(asked, '/'))
		return SAHM_OK;
	textbuf_init(&b);
	textbuf_printf(&b, "%s/" SHIPPED "/%s" ENDING, data_folder, strcmp(asked, FORMER_SMALL) == 0 ? SMALL : asked);
	const char *whole = textbuf_keep(&b, a);
	if (!whole)
		return sahm_fail_nomem(err);
	if (stat(whole, &st) == 0)
		*path = whole;
	else if (!file_is_absent(errno))
		return sahm_fail(err, SAHM_IO, "cannot look for '%s': %s", whole, strerror(errno));
	return SAHM_OK;
}

enum sahm_status trace_suite_is_shipped(struct arena *a, const char *asked, const char *data_folder, bool *is_shipped,
					struct sahm_err *err)
{
	const char *path;
	enum sahm_status status = look_for_shipped(a, asked, data_folder, &path, err);
	*is_shipped = status == SAHM_OK && path;
	return status;
}

enum sahm_status trace_suite_read(struct arena *a, const char *asked, const char *data_folder,
				  struct trace_suite *suite, struct sahm_err *err)
{
	struct stat st;
	const char *path;
	enum sahm_status status = look_for_shipped(a, asked, data_folder, &path, err);
	if (status != SAHM_OK)
		return status;
	*suite = (struct trace_suite){.asked = asked, .name = name_of(a, path ? path : asked), .is_shipped = path};
	if (!suite->name)
		return sahm_fail_nomem(err);
	if (path)
		return read_file(a, path, data_folder, suite, err);
	if (stat(asked, &st) != 0 && !file_is_absent(errno))
		return sahm_fail(err, SAHM_IO, "cannot look for '%s': %s", asked, strerror(errno));
	if (stat(asked, &st) != 0)
		return fail_unknown(a, asked, data_folder ? join(a, data_folder, SHIPPED) : NULL, err);
	if (S_ISDIR(st.st_mode))
		return read_folder(a, asked, suite, err);
	return S_ISREG(st.st_mode) ? read_file(a, asked, data_folder, suite, err)
				   : sahm_fail(err, SAHM_CONFIG, "'%s' is neither a file nor a folder", asked);
}

enum sahm_status trace_suite_names(struct arena *a, const char *data_folder, const char ***names, size_t *nr,
				   struct sahm_err *err)
{
	const char *folder = join(a, data_folder, SHIPPED);
	enum sahm_status status = folder ? list(a, folder, is_suite_name, names, nr, err) : sahm_fail_nomem(err);
	for (size_t i = 0; status == SAHM_OK && i < *nr; i++) {
		(*names)[i] = name_of(a, (*names)[i]);
		if (!(*names)[i])
			status = sahm_fail_nomem(err);
	}
	return status;
}
