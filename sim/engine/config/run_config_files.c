/* Where the files are that a configuration names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config_internal.h"

/* `name` in `folder` (of `folder_len` bytes, may be empty), if there is such a file; else NULL, and errno says why
 * (file_is_absent()). Absolute, from `a`. */
static const char *locate_in(struct arena *a, const char *folder, size_t folder_len, const char *name)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_add(&b, folder, folder_len);
	if (folder_len && folder[folder_len - 1] != '/')
		textbuf_putc(&b, '/');
	textbuf_puts(&b, name);
	char *real = textbuf_failed(&b) ? NULL : realpath(b.text, NULL);
	int cause = textbuf_failed(&b) ? ENOMEM : errno;
	/* A pipe that the shell made has a name that leads nowhere, and yet can be opened. */
	bool nameless = !real && file_is_absent(cause) && access(b.text, R_OK) == 0;
	if (!real && file_is_absent(cause) && !nameless)
		cause = errno;
	const char *path = real || nameless ? arena_strdup(a, real ? real : b.text) : NULL;
	if ((real || nameless) && !path)
		cause = ENOMEM;
	free(real);
	textbuf_release(&b);
	errno = cause;
	return path;
}

static const char *locate(struct reading *r, const char *folder, size_t folder_len, const char *name)
{
	return locate_in(&r->config->arena, folder, folder_len, name);
}

/* `name` without the "../" in front of it: what leads out of configs/ in the source tree leads nowhere from a copy, and
 * the data folder has the shape of the tree. */
static const char *below_top(const char *name)
{
	while (strncmp(name, "../", 3) == 0)
		name += 3;
	return name;
}

/* Where traces are in the data folder: as in the source tree, or by their names, with or without a suite's ("open/xz")
 * and an ending. */
static const char *const data_rooms[] = {"", "workloads/suites/small/", "workloads/suites/open/",
					 "workloads/suites/synthetic/spec2017/", "workloads/suites/"};
static const char *const data_endings[] = {"", ".csv", ".csv.zst", ".trc.zst"};

/* As locate_in(). */
static const char *locate_in_data(struct reading *r, const char *room, const char *name, const char *ending)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s%s%s", room, name, ending);
	bool failed = textbuf_failed(&b);
	const char *path = failed ? NULL : locate(r, r->data_folder, strlen(r->data_folder), b.text);
	int cause = failed ? ENOMEM : errno;
	textbuf_release(&b);
	errno = cause;
	return path;
}

/* Length of the folder of the file that has `node`, with its '/'; 0: the current one. */
static size_t folder_of(const struct cfg_node *node, const char *name)
{
	bool in_file = node->line > 0 && strcmp(node->file, STDIN_LABEL) != 0 && name[0] != '/';
	return in_file ? (size_t)(base_name(node->file) - node->file) : 0;
}

/* Beside the file that names it; *cause becomes errno where it is not there. */
static const char *locate_beside(struct reading *r, const struct cfg_node *node, const char *name, int *cause)
{
	const char *path = locate(r, node->file, folder_of(node, name), name);
	*cause = errno;
	return path;
}

/* A place could not be looked at: a file elsewhere is another one. */
static enum sahm_status fail_to_look(const struct cfg_node *node, const char *what, const char *name, int cause,
				     struct sahm_err *err)
{
	struct sahm_err message;
	if (cause == ENOMEM)
		return sahm_fail_nomem(err);
	cfg_fail(node, &message, "cannot look for %s '%s': %s", what, name, strerror(cause));
	return sahm_fail(err, SAHM_IO, "%s", message.msg);
}

/* `hint` comes last. */
static enum sahm_status fail_to_find(struct reading *r, const struct cfg_node *node, const char *what, const char *name,
				     int cause, bool elsewhere, const char *hint)
{
	struct sahm_err message;
	cfg_fail(node, &message, "cannot open %s '%s': %s%s%s%s%s", what, name, strerror(cause),
		 elsewhere ? " (nor is it in '" : "", elsewhere ? r->data_folder : "", elsewhere ? "')" : "", hint);
	return sahm_fail(r->err, SAHM_IO, "%s", message.msg);
}

/* A folder that is called so is not meant: *cause is EISDIR then. It stays as it is where there is no path. */
static const char *unless_folder(const char *path, int *cause)
{
	struct stat st;
	if (!path)
		return NULL;
	if (stat(path, &st) != 0) {
		*cause = errno;
		/* The name of a pipe leads nowhere. */
		return file_is_absent(errno) ? path : NULL;
	}
	*cause = EISDIR;
	return S_ISDIR(st.st_mode) ? NULL : path;
}

/* Whether the search goes on elsewhere: there is nothing, or a folder. */
static bool is_elsewhere(int cause)
{
	return file_is_absent(cause) || cause == EISDIR;
}

/* Looks for a file where traces stand: *path is NULL if it is not there, and *cause says why not beside `node`. */
static enum sahm_status look_for_data(struct reading *r, const struct cfg_node *node, const char *what,
				      const char *name, const char **path, int *cause)
{
	int other = ENOENT;
	*cause = ENOENT;
	*path = unless_folder(locate_beside(r, node, name, cause), cause);
	bool elsewhere = name[0] != '/' && r->data_folder && is_elsewhere(*cause);
	for (size_t i = 0; i < ARRAY_SIZE(data_rooms) * ARRAY_SIZE(data_endings) && elsewhere && !*path; i++) {
		const char *ending = data_endings[i % ARRAY_SIZE(data_endings)];
		const char *room = data_rooms[i / ARRAY_SIZE(data_endings)];
		const char *there = locate_in_data(r, room, below_top(name), ending);
		other = errno;
		*path = unless_folder(there, &other);
		if (!*path && !is_elsewhere(other))
			break;
	}
	if (!*path && (*cause == ENOMEM || !is_elsewhere(other)))
		return fail_to_look(node, what, name, *cause == ENOMEM ? *cause : other, r->err);
	return SAHM_OK;
}

/* A trace, whose name may be like that of a shipped one. */
static enum sahm_status find_trace(struct reading *r, const struct cfg_node *node, const char *name, const char **path)
{
	int cause;
	struct suggest s;
	char hint[SUGGEST_BYTES] = "";
	enum sahm_status status = look_for_data(r, node, "trace", name, path, &cause);
	if (status != SAHM_OK || *path)
		return status;
	bool elsewhere = name[0] != '/' && r->data_folder && is_elsewhere(cause);
	if (elsewhere && !strchr(name, '/')) {
		/* Names have no endings. */
		const char *stem = arena_strndup(&r->config->arena, name, strcspn(name, "."));
		if (!stem)
			return sahm_fail_nomem(r->err);
		suggest_init(&s, stem);
		shipped_offer_traces(r->data_folder, &r->config->arena, &s);
		suggest_text(&s, hint);
	}
	return fail_to_find(r, node, "trace", name, cause, elsewhere, hint);
}

enum sahm_status run_config_find_trace(struct arena *a, const char *data_folder, const struct cfg_node *node,
				       const char **path, struct sahm_err *err)
{
	struct run_config config = {0};
	struct reading r = {.config = &config, .data_folder = data_folder, .err = err};
	enum sahm_status status = find_trace(&r, node, node->value.string, path);
	if (status == SAHM_OK && !(*path = arena_strdup(a, *path)))
		status = sahm_fail_nomem(err);
	arena_release(&config.arena);
	return status;
}

enum sahm_status run_config_look_for_trace(struct arena *a, const char *data_folder, const char *name,
					   const char **path, struct sahm_err *err)
{
	int cause;
	struct run_config config = {0};
	struct reading r = {.config = &config, .data_folder = data_folder, .err = err};
	const struct cfg_node here = {.kind = CFG_STRING, .file = name};
	enum sahm_status status = look_for_data(&r, &here, "trace", name, path, &cause);
	if (status == SAHM_OK && *path && !(*path = arena_strdup(a, *path)))
		status = sahm_fail_nomem(err);
	arena_release(&config.arena);
	return status;
}

enum sahm_status reading_find_trace(struct reading *r, const struct cfg_node *node, const char *name, const char **path)
{
	return find_trace(r, node, name, path);
}

enum sahm_status reading_find_data(struct reading *r, const struct cfg_node *node, const char *what, const char *name,
				   const char **path)
{
	int cause;
	enum sahm_status status = look_for_data(r, node, what, name, path, &cause);
	if (status != SAHM_OK || *path)
		return status;
	bool elsewhere = name[0] != '/' && r->data_folder && is_elsewhere(cause);
	return fail_to_find(r, node, what, name, cause, elsewhere, "");
}

enum sahm_status reading_find_shipped(struct reading *r, const struct cfg_node *node, const struct shipped *shipped,
				      const char *name, const char **path)
{
	bool elsewhere = name[0] != '/' && r->data_folder;
	int cause = ENOENT, other = ENOENT;
	*path = node->kind == CFG_GROUP ? NULL : unless_folder(locate_beside(r, node, name, &cause), &cause);
	if (elsewhere && !*path && is_elsewhere(cause)) {
		const char *found = locate_in_data(r, "", below_top(name), "");
		other = errno;
		*path = unless_folder(found, &other);
	}
	if (elsewhere && !*path && is_elsewhere(cause) && is_elsewhere(other)) {
		const char *found = locate_in_data(r, shipped->folder, name, shipped->ending);
		other = errno;
		*path = unless_folder(found, &other);
	}
	if (*path)
		return SAHM_OK;
	if (!is_elsewhere(cause) || !is_elsewhere(other))
		return fail_to_look(node, shipped->what, name, is_elsewhere(cause) ? other : cause, r->err);
	char hint[SUGGEST_BYTES] = "";
	if (elsewhere)
		shipped_suggest(shipped, r->data_folder, name, hint);
	return fail_to_find(r, node, shipped->what, name, cause, elsewhere, hint);
}

enum sahm_status reading_find_beside(struct reading *r, const struct cfg_node *node, const char *what, const char *name,
				     const char **path)
{
	int cause = ENOENT;
	*path = unless_folder(locate_beside(r, node, name, &cause), &cause);
	if (!*path && cause == ENOMEM)
		return sahm_fail_nomem(r->err);
	return *path ? SAHM_OK : fail_to_find(r, node, what, name, cause, false, "");
}

/* Keys whose strings name files. */
static const enum config_key file_keys[] = {KEY_TRACES, KEY_TRACE, KEY_TRACE_FILE, KEY_BURST_FILE,
					    KEY_IMAGE,	KEY_ABI,   KEY_TRUST,	   KEY_SOFT,
					    KEY_POLICY, KEY_COSTS, KEY_RTAPP,	   KEY_RTAPP_TRACE};
#define NR_FILE_KEYS ARRAY_SIZE(file_keys)

/* Whether the string `value` of the key whose path is `pattern` names a file; *key says which key that is. */
static bool names_file(const char *pattern, const char *value, enum config_key *key)
{
	for (size_t i = 0; i < NR_FILE_KEYS; i++) {
		*key = file_keys[i];
		if (strcmp(pattern, config_keys[*key].path) == 0)
			return (*key != KEY_POLICY || sched_plugin_is_path(value)) &&
			       (*key != KEY_SOFT || soft_is_path(value));
	}
	return false;
}

static bool leads_to(const char *path, const char *to)
{
	size_t len = strlen(path);
	return strncmp(path, to, len) == 0 && (len == 0 || to[len] == '\0' || to[len] == '.' || to[len] == '[');
}

bool run_config_can_name_files(const char *path)
{
	for (size_t i = 0; i < NR_FILE_KEYS; i++)
		if (leads_to(path, config_keys[file_keys[i]].path))
			return true;
	return false;
}

enum sahm_status run_config_path_in_data(struct arena *a, const char *data_folder, const char **path,
					 struct sahm_err *err)
{
	const char *data = data_folder ? locate_in(a, "", 0, data_folder) : NULL;
	if (data_folder && !data && errno == ENOMEM)
		return sahm_fail_nomem(err);
	if (data_folder && !data && !file_is_absent(errno))
		return sahm_fail(err, SAHM_IO, "cannot look for the data folder '%s': %s", data_folder,
				 strerror(errno));
	size_t len = data ? strlen(data) : 0;
	if (len > 1 && strncmp(*path, data, len) == 0 && (*path)[len] == '/')
		*path += len + 1;
	return SAHM_OK;
}

/* A walk over all nodes of a tree. */
struct walk {
	struct arena *arena;
	const char *data_folder;
	struct sahm_err *err;
	bool any; /* has another name now */
	/* Of renaming. */
	struct reading *reading;
	run_rename_fn *rename;
	void *ctx;
};

static enum sahm_status settle(void *ctx, struct cfg_node *node, const char *pattern)
{
	struct walk *w = ctx;
	int cause;
	enum config_key key;
	const char *name = node->kind == CFG_STRING ? node->value.string : "";
	if (!*name || !names_file(pattern, name, &key))
		return SAHM_OK;
	const char *found = locate_in(w->arena, node->file, folder_of(node, name), name);
	if (!found && !file_is_absent(errno))
		return fail_to_look(node, "file", name, errno, w->err);
	const char *path = unless_folder(found, &cause);
	if (found && !path && !is_elsewhere(cause))
		return fail_to_look(node, "file", name, cause, w->err);
	/* What is not there may be one of those that come with the program. */
	enum sahm_status status = SAHM_OK;
	if (path && key != KEY_POLICY && key != KEY_SOFT)
		status = run_config_path_in_data(w->arena, w->data_folder, &path, w->err);
	if (status != SAHM_OK || !path || strcmp(path, name) == 0)
		return status;
	node->value.string = path;
	w->any = true;
	return SAHM_OK;
}

enum sahm_status run_config_settle_paths(struct arena *a, const char *data_folder, const char *path,
					 struct cfg_node *node, bool *any, struct sahm_err *err)
{
	struct walk w = {.arena = a, .data_folder = data_folder, .err = err};
	enum sahm_status status = cfg_walk(node, path, settle, &w);
	*any |= w.any;
	return status;
}

/* Where a run would find what is called `name`. */
static enum sahm_status find_file(struct reading *r, const struct cfg_node *node, enum config_key key, const char *name,
				  const char **path)
{
	switch (key) {
	case KEY_POLICY:
		return reading_find_beside(r, node, "policy", name, path);
	case KEY_RTAPP:
		return reading_find_data(r, node, "rt-app workload", name, path);
	case KEY_BURST_FILE:
		return reading_find_data(r, node, "list of bursts", name, path);
	case KEY_IMAGE:
		return reading_find_shipped(r, node, &shipped_programs, name, path);
	case KEY_ABI:
		return reading_find_shipped(r, node, &shipped_specs, name, path);
	case KEY_TRUST:
		return reading_find_shipped(r, node, &shipped_trusts, name, path);
	case KEY_SOFT:
		return reading_find_beside(r, node, "module", name, path);
	case KEY_COSTS:
		return reading_find_shipped(r, node, &shipped_costs, name, path);
	default:
		return reading_find_trace(r, node, name, path);
	}
}

/* A group `introspection` that does not say which ABI spec it has means one all the same, as does one `workload` of
 * rt-app without a trace. */
static enum sahm_status rename_default(struct walk *w, struct cfg_node *group, enum config_key key)
{
	const char *path, *name = NULL;
	enum sahm_status status = find_file(w->reading, group, key, config_keys[key].default_value, &path);
	if (status == SAHM_OK)
		status = w->rename(w->ctx, group, key, path, &name, w->reading->err);
	if (status != SAHM_OK || !name)
		return status;
	struct cfg_node *node = arena_alloc(w->arena, 1, sizeof(*node));
	if (!node)
		return sahm_fail_nomem(w->reading->err);
	*node = (struct cfg_node){.kind = CFG_STRING,
				  .name = config_key_leaf(key),
				  .file = group->file,
				  .line = group->line,
				  .value.string = name};
	cfg_put(group, node);
	return SAHM_OK;
}

static enum sahm_status rename_string(void *ctx, struct cfg_node *node, const char *pattern)
{
	struct walk *w = ctx;
	enum config_key key;
	const char *path, *name = NULL;
	if (node->kind != CFG_STRING || !names_file(pattern, node->value.string, &key))
		return SAHM_OK;
	enum sahm_status status = find_file(w->reading, node, key, node->value.string, &path);
	if (status == SAHM_OK)
		status = w->rename(w->ctx, node, key, path, &name, w->reading->err);
	if (status == SAHM_OK && name)
		node->value.string = name;
	return status;
}

/* In a separate walk, after that of strings: what it puts there has its name already. */
static enum sahm_status rename_defaults(void *ctx, struct cfg_node *node, const char *pattern)
{
	struct walk *w = ctx;
	if (node->kind != CFG_GROUP)
		return SAHM_OK;
	if (strcmp(pattern, config_keys[KEY_INTROSPECTION].path) == 0 && !cfg_member(node, &config_keys[KEY_ABI]))
		return rename_default(w, node, KEY_ABI);
	if (strcmp(pattern, config_keys[KEY_WORKLOAD].path) == 0 && cfg_member(node, &config_keys[KEY_RTAPP]) &&
	    !cfg_member(node, &config_keys[KEY_RTAPP_TRACE]))
		return rename_default(w, node, KEY_RTAPP_TRACE);
	return SAHM_OK;
}

enum sahm_status run_config_rename_files(struct arena *a, const char *data_folder, const char *path,
					 struct cfg_node *node, run_rename_fn *rename, void *ctx, struct sahm_err *err)
{
	struct run_config config = {0};
	struct reading r = {.config = &config, .data_folder = data_folder, .err = err};
	struct walk w = {.arena = a, .data_folder = data_folder, .reading = &r, .rename = rename, .ctx = ctx};
	enum sahm_status status = cfg_walk(node, path, rename_string, &w);
	if (status == SAHM_OK)
		status = cfg_walk(node, path, rename_defaults, &w);
	arena_release(&config.arena);
	return status;
}
