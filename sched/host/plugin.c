#include "sched/host/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sched/host/bpf_image.h"
#include "sched/host/plugin_trial.h"
#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/textbuf.h"

static const struct plugin_trial_limits load_limits = {.cpu_s = 3, .wall_s = 30};

/* It decides whether a plug-in is loaded, never what comes of it. */
static enum sahm_status (*before_load)(const char *path, struct sahm_err *err);

struct sched_plugin {
	void *object;
	char *path;
	const struct sched_ext_ops *ops;
	uint8_t hash[HASH_BYTES];
};

void sched_plugin_before_load(enum sahm_status (*prepare)(const char *path, struct sahm_err *err))
{
	before_load = prepare;
}

bool sched_plugin_is_path(const char *name)
{
	static const char ending[] = ".so";
	size_t len = strlen(name), ending_len = sizeof(ending) - 1;
	return strchr(name, '/') || (len >= ending_len && strcmp(name + len - ending_len, ending) == 0);
}

bool sched_plugin_has_function(const char *name)
{
	return dlsym(RTLD_DEFAULT, name) != NULL;
}

/* The runtime of a sanitizer ends the program that loads it late. */
static enum sahm_status check_sanitizers(const char *path, const struct plugin_file *file, struct sahm_err *err)
{
	static const struct {
		const char *symbol, *name;
	} rows[] = {{"__asan_init", "address"}, {"__tsan_init", "thread"}, {"__msan_init", "memory"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (plugin_file_needs(file, rows[i].symbol) && !sched_plugin_has_function(rows[i].symbol))
			return sahm_fail_at(err, SAHM_FORMAT, path, 0,
					    "built with -fsanitize=%s, which this sahm is not: build it again without",
					    rows[i].name);
	return SAHM_OK;
}

/* `said` is the dynamic linker's: "PATH: undefined symbol: NAME", "PATH: NAME: cannot open ...". */
static enum sahm_status fail_to_load(const char *path, const char *opened, const char *said, struct sahm_err *err)
{
	static const char undefined[] = "undefined symbol: ";
	const char *symbol = strstr(said, undefined);
	size_t len = strlen(opened);
	if (!symbol) {
		bool is_in_front = strncmp(said, opened, len) == 0 && strncmp(said + len, ": ", 2) == 0;
		return sahm_fail_at(err, SAHM_FORMAT, path, 0, "cannot be loaded: %s",
				    said + (is_in_front ? len + 2 : 0));
	}
	char name[128], near[SUGGEST_BYTES];
	struct suggest s;
	symbol += sizeof(undefined) - 1;
	size_t name_len = strcspn(symbol, " ,");
	if (name_len >= sizeof(name))
		name_len = sizeof(name) - 1;
	memcpy(name, symbol, name_len);
	name[name_len] = '\0';
	suggest_init(&s, name);
	for (const struct sched_call_row *row = sched_call_rows; row->name; row++)
		suggest_offer(&s, row->name);
	return sahm_fail_at(err, SAHM_FORMAT, path, 0, "needs '%s', which this sahm does not have%s", name,
			    suggest_text(&s, near));
}

/* dlopen() looks a name without a '/' up in folders of the system. */
static void *open_object(const char *path, struct sahm_err *err)
{
	struct textbuf explicit_path;
	void *object = NULL;
	textbuf_init(&explicit_path);
	textbuf_printf(&explicit_path, "%s%s", strchr(path, '/') ? "" : "./", path);
	if (textbuf_failed(&explicit_path)) {
		sahm_fail_nomem(err);
	} else {
		object = dlopen(explicit_path.text, RTLD_NOW | RTLD_LOCAL);
		const char *said = object ? NULL : dlerror();
		if (!object)
			fail_to_load(path, explicit_path.text, said ? said : "unknown error", err);
	}
	textbuf_release(&explicit_path);
	return object;
}

/* Its code would be that of its last writer. */
static enum sahm_status check_mode(const char *path, struct sahm_err *err)
{
	struct stat st;
	if (stat(path, &st) != 0)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", path, strerror(errno));
	if (st.st_mode & S_IWOTH)
		return sahm_fail_at(err, SAHM_FORMAT, path, 0,
				    "anybody can write to it, and loading it runs its code: chmod o-w it first");
	return SAHM_OK;
}

static bool is_taken(const char *name, const struct sched_ext_ops *const *built_in)
{
	while (*built_in && strcmp((*built_in)->name, name) != 0)
		built_in++;
	return *built_in != NULL;
}

static enum sahm_status check_plugin(const char *path, const struct sahm_plugin *p,
				     const struct sched_ext_ops *const *built_in, struct sahm_err *err)
{
	static const char again[] = "build it again with this sahm's headers";
	if (p->abi != SAHM_POLICY_ABI)
		return sahm_fail_at(err, SAHM_FORMAT, path, 0,
				    "built for version %u of the policy interface, this sahm has version %u: %s",
				    p->abi, SAHM_POLICY_ABI, again);
	if (p->ops_bytes != sizeof(*p->ops))
		return sahm_fail_at(err, SAHM_FORMAT, path, 0,
				    "its struct sched_ext_ops has %u bytes, this sahm's has %zu: %s", p->ops_bytes,
				    sizeof(*p->ops), again);
	if (!p->ops)
		return sahm_fail_at(err, SAHM_FORMAT, path, 0, "'" SAHM_PLUGIN_SYMBOL "' has no policy");
	struct sahm_err cause;
	enum sahm_status status = sched_ops_check(p->ops, &cause);
	if (status != SAHM_OK)
		return sahm_fail_at(err, status, path, 0, "%s", cause.msg);
	if (p->ops->sahm_bpf && !p->ops->sahm_bpf->image)
		return sahm_fail_at(err, SAHM_FORMAT, path, 0, "its table of maps and variables is incomplete: %s",
				    again);
	if (is_taken(p->ops->name, built_in))
		return sahm_fail_at(err, SAHM_CONFIG, path, 0, "policy '%s' is called like a built-in one",
				    p->ops->name);
	return SAHM_OK;
}

/* A plug-in to load. */
struct loading {
	const char *path;
	const struct plugin_file *file;
	const struct sched_ext_ops *const *built_in;
};

static enum sahm_status load(const struct loading *l, struct sched_plugin **plugin, struct sahm_err *err)
{
	const struct sahm_plugin *found = NULL;
	enum sahm_status status = SAHM_OK;
	struct sched_plugin *p = calloc(1, sizeof(*p));
	if (p)
		p->path = strdup(l->path);
	if (!p || !p->path) {
		status = sahm_fail_nomem(err);
		goto out;
	}
	memcpy(p->hash, l->file->hash, sizeof(p->hash));
	p->object = open_object(l->path, err);
	if (!p->object) {
		status = SAHM_FORMAT;
		goto out;
	}
	found = dlsym(p->object, SAHM_PLUGIN_SYMBOL);
	status = found ? check_plugin(l->path, found, l->built_in, err)
		       : sahm_fail_at(err, SAHM_FORMAT, l->path, 0, "not a policy: it has no symbol '%s'",
				      SAHM_PLUGIN_SYMBOL);
	if (status != SAHM_OK)
		goto out;
	if (found->ops->sahm_bpf)
		status = bpf_image_keep(found->ops->sahm_bpf, p->object, err);
	if (status != SAHM_OK)
		goto out;
	p->ops = found->ops;
	*plugin = p;
	p = NULL;
out:
	sched_plugin_close(p);
	return status;
}

/* In a child process. */
static enum sahm_status load_and_close(void *loading, struct sahm_err *err)
{
	struct sched_plugin *plugin = NULL;
	enum sahm_status status = load(loading, &plugin, err);
	sched_plugin_close(plugin);
	return status;
}

static bool is_known(const struct plugin_known *known, const uint8_t hash[HASH_BYTES])
{
	for (unsigned i = 0; known && i < known->nr && i < MAX_KNOWN_PLUGINS; i++)
		if (memcmp(known->hash[i], hash, HASH_BYTES) == 0)
			return true;
	return false;
}

enum sahm_status sched_plugin_load(struct sched_plugin **plugin, const char *path, const struct plugin_file *file,
				   const struct sched_ext_ops *const *built_in, struct plugin_known *known,
				   struct sahm_err *err)
{
	struct loading l = {path, file, built_in};
	if (file->plugin_bytes < sizeof(struct sahm_plugin))
		return sahm_fail_at(err, SAHM_FORMAT, path, 0,
				    file->plugin_bytes ? "its '%s' is no struct sahm_plugin"
						       : "not a policy: it has no symbol '%s', which "
							 "SCX_OPS_DEFINE() defines",
				    SAHM_PLUGIN_SYMBOL);
	enum sahm_status status = check_sanitizers(path, file, err);
	if (status == SAHM_OK)
		status = check_mode(path, err);
	if (status != SAHM_OK)
		return status;
	if (!is_known(known, file->hash)) {
		status = plugin_trial(path, load_limits, load_and_close, &l, err);
		if (status != SAHM_OK)
			return status;
		if (known)
			memcpy(known->hash[known->nr++ % MAX_KNOWN_PLUGINS], file->hash, HASH_BYTES);
	}
	if (before_load)
		status = before_load(path, err);
	return status == SAHM_OK ? load(&l, plugin, err) : status;
}

enum sahm_status sched_plugin_open(struct sched_plugin **plugin, const char *path,
				   const struct sched_ext_ops *const *built_in, struct plugin_known *known,
				   struct sahm_err *err)
{
	struct plugin_file file;
	enum sahm_status status = plugin_file_read(&file, path, err);
	if (status != SAHM_OK)
		return status;
	status = sched_plugin_load(plugin, path, &file, built_in, known, err);
	plugin_file_release(&file);
	return status;
}

void sched_plugin_close(struct sched_plugin *plugin)
{
	if (!plugin)
		return;
	if (plugin->ops && plugin->ops->sahm_bpf)
		bpf_image_forget(plugin->ops->sahm_bpf);
	if (plugin->object)
		dlclose(plugin->object);
	free(plugin->path);
	free(plugin);
}

const struct sched_ext_ops *sched_plugin_ops(const struct sched_plugin *plugin)
{
	return plugin->ops;
}

const char *sched_plugin_path(const struct sched_plugin *plugin)
{
	return plugin->path;
}

const uint8_t *sched_plugin_hash(const struct sched_plugin *plugin)
{
	return plugin->hash;
}
