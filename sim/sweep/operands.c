#include "sim/sweep/operands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/file_kind.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config.h"
#include "sim/engine/config/shipped.h"
#include "sim/sweep/trace_suite.h"

/* Result of reading the operands. */
struct operands {
	struct arena *arena;
	const char *data_folder;
	struct cfg_node *config, *traces; /* NULL: no configuration was among them; a list of strings */
	const char *config_path;
	bool takes_configs;
	struct sahm_err *err;
};

/* Operands that a title names where there are more than one more. */
#define MAX_TITLE_OPERANDS 4u

enum sahm_status config_replace_traces(struct arena *a, struct cfg_node *root, const struct cfg_node *traces,
				       struct sahm_err *err)
{
	const char *group = config_keys[KEY_WORKLOAD].path;
	struct cfg_node *workload = cfg_take(root, group), *copy = cfg_clone(a, traces);
	if (!workload)
		workload = arena_alloc(a, 1, sizeof(*workload));
	if (!workload || !copy)
		return sahm_fail_nomem(err);
	if (!workload->name)
		*workload = (struct cfg_node){.kind = CFG_GROUP, .name = group, .file = traces->file};
	copy->name = strrchr(config_keys[KEY_TRACES].path, '.') + 1;
	cfg_take(workload, copy->name);
	cfg_put(workload, copy);
	cfg_put(root, workload);
	return SAHM_OK;
}

static enum sahm_status add_trace(struct operands *o, const char *path, const char *operand)
{
	struct cfg_node *node = arena_alloc(o->arena, 1, sizeof(*node));
	if (!node)
		return sahm_fail_nomem(o->err);
	*node = (struct cfg_node){.kind = CFG_STRING, .file = operand, .value.string = path};
	cfg_put(o->traces, node);
	return SAHM_OK;
}

static enum sahm_status add_suite(struct operands *o, const char *operand)
{
	struct trace_suite suite;
	enum sahm_status status = trace_suite_read(o->arena, operand, o->data_folder, &suite, o->err);
	for (const struct cfg_node *t = status == SAHM_OK ? suite.traces->first : NULL; t && status == SAHM_OK;
	     t = t->next)
		status = add_trace(o, t->value.string, operand);
	return status;
}

/* A file in libconfig's language: a suite has only traces in it. */
static enum sahm_status add_config(struct operands *o, const char *path, const char *operand)
{
	struct cfg_node *root;
	enum sahm_status status = cfg_read_file(o->arena, path, &root, o->err);
	if (status != SAHM_OK)
		return status;
	if (root->nr_children == 1 && cfg_child(root, "traces"))
		return add_suite(o, operand);
	if (!o->takes_configs)
		return sahm_fail(o->err, SAHM_USAGE, "'%s' is a configuration; traces and suites are taken here",
				 operand);
	o->config = root;
	o->config_path = path;
	return SAHM_OK;
}

/* The file of what is shipped as `name`, with or without its ending; *path NULL: there is none. */
static enum sahm_status look_for_shipped(struct operands *o, const struct shipped *shipped, const char *name,
					 const char **path)
{
	const char *const endings[] = {"", shipped->ending};
	struct stat st;
	*path = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(endings) && !*path && *name && !strchr(name, '/'); i++) {
		struct textbuf b;
		textbuf_init(&b);
		textbuf_printf(&b, "%s/%s%s%s", o->data_folder, shipped->folder, name, endings[i]);
		const char *there = textbuf_keep(&b, o->arena);
		if (!there)
			return sahm_fail_nomem(o->err);
		if (stat(there, &st) == 0 && S_ISREG(st.st_mode))
			*path = there;
	}
	return SAHM_OK;
}

static enum sahm_status fail_unknown(struct operands *o, const char *operand)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	struct cfg_node *root;
	if (sched_policy_find(operand))
		return sahm_fail(o->err, SAHM_USAGE, "'%s' is a policy: -p %s, and then a configuration or traces",
				 operand, operand);
	if (strchr(operand, '/') || text_ends_in(operand, ".cfg"))
		return cfg_read_or_suggest(o->arena, operand, o->data_folder, "configs/", &root, o->err);
	/* Names have no endings. */
	const char *stem = arena_strndup(o->arena, operand, strcspn(operand, "."));
	if (!stem)
		return sahm_fail_nomem(o->err);
	suggest_init(&s, stem);
	shipped_offer(&shipped_suites, o->data_folder, o->arena, &s);
	shipped_offer(&shipped_configs, o->data_folder, o->arena, &s);
	shipped_offer_traces(o->data_folder, o->arena, &s);
	return sahm_fail(o->err, SAHM_USAGE,
			 "'%s' is neither a file nor the name of a shipped configuration, suite or trace%s", operand,
			 suggest_or(&s, "`sahm trace list` shows suites and traces", near));
}

/* What is called so came with the program. */
static enum sahm_status add_shipped(struct operands *o, const char *operand)
{
	const char *path;
	enum sahm_status status = look_for_shipped(o, &shipped_configs, operand, &path);
	if (status == SAHM_OK && path)
		return add_config(o, path, operand);
	if (status == SAHM_OK && !text_ends_in(operand, ".cfg"))
		status = run_config_look_for_trace(o->arena, o->data_folder, operand, &path, o->err);
	if (status != SAHM_OK)
		return status;
	return path ? add_trace(o, path, operand) : fail_unknown(o, operand);
}

static enum sahm_status add(struct operands *o, const char *operand)
{
	struct stat st;
	bool is_trace, is_suite;
	enum sahm_status status = trace_suite_is_shipped(o->arena, operand, o->data_folder, &is_suite, o->err);
	if (status != SAHM_OK)
		return status;
	if (is_suite)
		return add_suite(o, operand);
	if (strcmp(operand, "-") == 0)
		return o->takes_configs ? add_config(o, operand, operand) : add_trace(o, operand, operand);
	if (stat(operand, &st) != 0)
		return file_is_absent(errno)
			       ? add_shipped(o, operand)
			       : sahm_fail(o->err, SAHM_IO, "cannot open '%s': %s", operand, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return add_suite(o, operand);
	status = file_refuse_foreign(operand, o->err);
	if (status == SAHM_OK)
		status = trace_find_out(operand, &is_trace, o->err);
	if (status != SAHM_OK)
		return status;
	/* A name like a trace's is opened as one, and fails as one. */
	is_trace |= o->takes_configs ? trace_suite_is_trace_name(base_name(operand)) : !text_ends_in(operand, ".cfg");
	return is_trace ? add_trace(o, operand, operand) : add_config(o, operand, operand);
}

static enum sahm_status begin_traces(struct operands *o)
{
	o->traces = arena_alloc(o->arena, 1, sizeof(*o->traces));
	if (!o->traces)
		return sahm_fail_nomem(o->err);
	*o->traces = (struct cfg_node){.kind = CFG_LIST, .name = "traces"};
	return SAHM_OK;
}

/* "gzip, xz on canonical.cfg" */
static const char *title_of(struct operands *o, const char *const *operands, size_t nr)
{
	struct textbuf b;
	size_t shown = nr > MAX_TITLE_OPERANDS + 1 ? MAX_TITLE_OPERANDS : nr;
	textbuf_init(&b);
	for (size_t i = 0; i < shown; i++)
		textbuf_printf(&b, "%s%s", i ? ", " : "", base_name(operands[i]));
	if (shown < nr)
		textbuf_printf(&b, " and %zu others", nr - shown);
	textbuf_printf(&b, " on %s", base_name(DEFAULT_CONFIG));
	return textbuf_keep(&b, o->arena);
}

/* The system of all traces that there are, which `operands` named. */
static enum sahm_status make_system(struct operands *o, const char *const *operands, size_t nr,
				    struct operand_system *system)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s/%s", o->data_folder, DEFAULT_CONFIG);
	const char *path = textbuf_keep(&b, o->arena);
	enum sahm_status status = path ? cfg_read_file(o->arena, path, &system->root, o->err) : sahm_fail_nomem(o->err);
	if (status != SAHM_OK)
		return status;
	o->traces->file = operands[0];
	cfg_take(system->root, config_keys[KEY_WORKLOAD].path);
	system->title = title_of(o, operands, nr);
	return system->title ? config_replace_traces(o->arena, system->root, o->traces, o->err)
			     : sahm_fail_nomem(o->err);
}

enum sahm_status operands_read_systems(struct arena *a, const struct option_list *operands, const char *data_folder,
				       struct operand_system **systems, size_t *nr, struct sahm_err *err)
{
	struct operands o = {.arena = a, .data_folder = data_folder, .takes_configs = true, .err = err};
	const char **of_traces = arena_alloc(a, operands->nr, sizeof(*of_traces));
	size_t nr_of_traces = 0;
	*systems = arena_alloc(a, operands->nr, sizeof(**systems));
	*nr = 0;
	enum sahm_status status = of_traces && *systems ? begin_traces(&o) : sahm_fail_nomem(err);
	for (size_t i = 0; i < operands->nr && status == SAHM_OK; i++) {
		o.config = NULL;
		status = add(&o, operands->items[i]);
		if (status == SAHM_OK && o.config)
			(*systems)[(*nr)++] = (struct operand_system){o.config, base_name(file_label(o.config_path))};
		else if (status == SAHM_OK)
			of_traces[nr_of_traces++] = operands->items[i];
	}
	if (status == SAHM_OK && nr_of_traces > 0)
		status = make_system(&o, of_traces, nr_of_traces, &(*systems)[(*nr)++]);
	return status;
}

enum sahm_status operands_read_config(struct arena *a, const struct option_list *operands, const char *data_folder,
				      struct operand_system *system, struct sahm_err *err)
{
	struct operand_system *systems;
	size_t nr;
	enum sahm_status status = operands_read_systems(a, operands, data_folder, &systems, &nr, err);
	if (status == SAHM_OK && nr > 1)
		return sahm_fail(err, SAHM_USAGE,
				 "'%s' is a configuration, which names its traces itself: name nothing else beside it",
				 systems[0].title);
	if (status == SAHM_OK)
		*system = systems[0];
	return status;
}

/* Adds the traces that there are to `paths`. Suites name shipped traces as they stand in the data folder. */
static enum sahm_status list_traces(struct operands *o, struct option_list *paths)
{
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *t = o->traces->first; t && status == SAHM_OK; t = t->next) {
		const char *path = t->value.string;
		struct stat st;
		if (stat(path, &st) != 0)
			status = run_config_look_for_trace(o->arena, o->data_folder, t->value.string, &path, o->err);
		if (status == SAHM_OK)
			status = option_list_add(paths, path ? path : t->value.string, o->err);
	}
	return status;
}

enum sahm_status operands_read_traces(struct arena *a, const struct option_list *operands, const char *data_folder,
				      struct option_list *paths, struct sahm_err *err)
{
	struct operands o = {.arena = a, .data_folder = data_folder, .err = err};
	enum sahm_status status = begin_traces(&o);
	for (size_t i = 0; i < operands->nr && status == SAHM_OK; i++)
		status = add(&o, operands->items[i]);
	return status == SAHM_OK ? list_traces(&o, paths) : status;
}

enum sahm_status operand_read(struct arena *a, const char *operand, const char *data_folder, struct option_list *paths,
			      struct operand_system *system, struct sahm_err *err)
{
	struct operands o = {.arena = a, .data_folder = data_folder, .takes_configs = true, .err = err};
	enum sahm_status status = begin_traces(&o);
	if (status == SAHM_OK)
		status = add(&o, operand);
	if (status != SAHM_OK)
		return status;
	*system = (struct operand_system){0};
	if (o.config)
		*system = (struct operand_system){o.config, base_name(file_label(o.config_path))};
	return list_traces(&o, paths);
}
