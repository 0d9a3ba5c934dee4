/* From a configuration file to a resolved configuration. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/engine/run_config.h"
#include "sim/engine/sim.h"

struct reading {
	struct run_config *config;
	const struct cfg_node *root;
	const char *data_folder;
	struct sahm_err *err;
};

static enum sahm_status get_number(struct reading *r, const struct cfg_node *group, enum config_key key, double *value)
{
	return cfg_number(group, &config_keys[key], value, r->err);
}

static enum sahm_status get_ns(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *ns)
{
	double ms;
	enum sahm_status status = get_number(r, group, key, &ms);
	if (status == SAHM_OK)
		*ns = ns_of_ms(ms);
	return status;
}

static enum sahm_status get_count(struct reading *r, const struct cfg_node *group, enum config_key key, uint32_t *count)
{
	double value;
	enum sahm_status status = get_number(r, group, key, &value);
	if (status == SAHM_OK)
		*count = (uint32_t)value;
	return status;
}

/* A failure at `node`, or at the file as a whole where a key is missing. */
static enum sahm_status fail_missing(struct reading *r, const struct cfg_node *group, enum config_key key)
{
	return cfg_fail(group ? group : r->root, r->err, "missing key '%s': %s", config_keys[key].path,
			config_keys[key].help);
}

/* Fails for `word`, which is none of `names` (NULL at the end). */
static enum sahm_status fail_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				    const char *word, const char *const *names)
{
	char near[SUGGEST_BYTES], path[CFG_PATH_BYTES];
	struct suggest s;
	struct textbuf all;
	const struct cfg_node *node = cfg_member(group, &config_keys[key]);
	suggest_init(&s, word);
	textbuf_init(&all);
	for (size_t i = 0; names[i]; i++) {
		suggest_offer(&s, names[i]);
		textbuf_printf(&all, "%s%s", i ? ", " : "", names[i]);
	}
	enum sahm_status status = cfg_fail(node, r->err, "unknown value '%.60s' of '%s' (%s)%s", word,
					   cfg_path(node, path), all.text, suggest_text(&s, near));
	textbuf_release(&all);
	return status;
}

/* Index in `names` of the value of a string key. */
static enum sahm_status get_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				   const char *const *names, size_t *index)
{
	const char *word = cfg_string(group, &config_keys[key]);
	for (*index = 0; names[*index]; ++*index)
		if (strcmp(names[*index], word) == 0)
			return SAHM_OK;
	return fail_choice(r, group, key, word, names);
}

static enum sahm_status read_speedups(struct reading *r, const struct cfg_node *node, struct core_spec *spec)
{
	const struct cfg_node *one = node->first ? node->first : node;
	if (node->kind & (CFG_ARRAY | CFG_LIST) && node->nr_children == 0)
		return cfg_fail(node, r->err, "speedup_pct is empty");
	for (; one; one = node->first ? one->next : NULL) {
		double pct;
		enum sahm_status status = cfg_node_number(one, &config_keys[KEY_CORE_SPEEDUP], &pct, r->err);
		if (status != SAHM_OK)
			return status;
		if (spec->nr_speedups == NR_STATES)
			return cfg_fail(one, r->err, "more than %u speedups", NR_STATES);
		spec->speedup_ppm[spec->nr_speedups++] = ppm_of_pct(pct);
	}
	return SAHM_OK;
}

static enum sahm_status read_group(struct reading *r, const struct cfg_node *node, struct core_group *group)
{
	static const char *const figures[] = {"targeted", "average", NULL};
	const struct cfg_node *type = cfg_member(node, &config_keys[KEY_CORE_TYPE]);
	const struct cfg_node *speedup = cfg_member(node, &config_keys[KEY_CORE_SPEEDUP]);
	size_t figure;
	if (!type)
		return fail_missing(r, node, KEY_CORE_TYPE);
	group->spec.type = type->value.string;
	enum sahm_status status = get_choice(r, node, KEY_CORE_FIGURE, figures, &figure);
	if (status == SAHM_OK && speedup)
		status = read_speedups(r, speedup, &group->spec);
	if (status == SAHM_OK)
		status = get_count(r, node, KEY_CORE_COUNT, &group->count);
	if (status != SAHM_OK)
		return status;
	group->spec.average = figure == 1;
	struct sahm_err cause;
	status = core_spec_resolve(&r->config->arena, &group->spec, &group->type, &cause);
	const struct cfg_node *chosen = cfg_member(node, &config_keys[KEY_CORE_FIGURE]);
	if (status == SAHM_OK && chosen && (speedup || !group->spec.is_published))
		return cfg_fail(chosen, r->err, "'figure' says nothing here: %s",
				speedup ? "a speedup is given" : "the type names no published work");
	return status == SAHM_CONFIG ? cfg_fail(type, r->err, "%s", cause.msg)
	       : status == SAHM_OK   ? SAHM_OK
				     : sahm_fail(r->err, status, "%s", cause.msg);
}

static enum sahm_status read_chip(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *chip = cfg_member(r->root, &config_keys[KEY_CHIP]);
	const struct cfg_node *cores = cfg_member(chip, &config_keys[KEY_CORES]);
	if (!cores)
		return fail_missing(r, chip, KEY_CORES);
	config->groups = arena_alloc(&config->arena, cores->nr_children, sizeof(*config->groups));
	if (!config->groups)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = cores->first; n; n = n->next) {
		struct core_group *group = &config->groups[config->nr_groups];
		enum sahm_status status = read_group(r, n, group);
		if (status != SAHM_OK)
			return status;
		if (group->count > MAX_CORES - config->chip.nr_cores)
			return cfg_fail(n, r->err, "more than %u cores", MAX_CORES);
		config->chip.nr_cores += group->count;
		config->nr_groups++;
	}
	if (config->chip.nr_cores == 0)
		return cfg_fail(cores, r->err, "the chip has no cores");
	const struct core_type **list = arena_alloc(&config->arena, config->chip.nr_cores, sizeof(*list));
	if (!list)
		return sahm_fail_nomem(r->err);
	config->chip.cores = list;
	for (uint32_t g = 0; g < config->nr_groups; g++)
		for (uint32_t i = 0; i < config->groups[g].count; i++)
			*list++ = &config->groups[g].type;
	return SAHM_OK;
}

/* `name` in `folder` (of `folder_len` bytes, may be empty), if there is such a file; else NULL. Absolute, from the
 * arena. */
static const char *locate(struct reading *r, const char *folder, size_t folder_len, const char *name)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_add(&b, folder, folder_len);
	if (folder_len && folder[folder_len - 1] != '/')
		textbuf_putc(&b, '/');
	textbuf_puts(&b, name);
	char *real = textbuf_failed(&b) ? NULL : realpath(b.text, NULL);
	/* A pipe that the shell made has a name that leads nowhere, and yet can be opened. */
	bool nameless = !real && !textbuf_failed(&b) && access(b.text, R_OK) == 0;
	const char *path = real || nameless ? arena_strdup(&r->config->arena, real ? real : b.text) : NULL;
	free(real);
	textbuf_release(&b);
	return path;
}

/* `name` without the "../" in front of it: what leads out of configs/ in the source tree leads nowhere from a copy, and
 * the data folder has the shape of the tree. */
static const char *below_top(const char *name)
{
	while (strncmp(name, "../", 3) == 0)
		name += 3;
	return name;
}

/* Where traces stand in the data folder: as in the source tree, or by their names alone. */
static const char *const data_rooms[] = {"", "workloads/traces/", "workloads/synthetic/spec2017/"};

static const char *locate_in_data(struct reading *r, const char *room, const char *name)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "%s%s", room, name);
	const char *path = textbuf_failed(&b) ? NULL : locate(r, r->data_folder, strlen(r->data_folder), b.text);
	textbuf_release(&b);
	return path;
}

/* The trace file called `name` at `node`: beside the file that names it, then in the data folder. */
static enum sahm_status find_trace(struct reading *r, const struct cfg_node *node, const char *name, const char **path)
{
	bool in_file = node->line > 0 && strcmp(node->file, STDIN_LABEL) != 0 && name[0] != '/';
	const char *slash = in_file ? strrchr(node->file, '/') : NULL;
	*path = locate(r, node->file, slash ? (size_t)(slash - node->file) + 1 : 0, name);
	int cause = errno;
	bool elsewhere = name[0] != '/' && r->data_folder;
	for (size_t i = 0; i < sizeof(data_rooms) / sizeof(data_rooms[0]) && elsewhere && !*path; i++)
		*path = locate_in_data(r, data_rooms[i], below_top(name));
	if (*path)
		return SAHM_OK;
	struct sahm_err message;
	cfg_fail(node, &message, "cannot open trace '%s': %s%s%s%s", name, strerror(cause),
		 elsewhere ? " (nor is it in '" : "", elsewhere ? r->data_folder : "", elsewhere ? "')" : "");
	return sahm_fail(r->err, SAHM_IO, "%s", message.msg);
}

static enum sahm_status open_trace(struct reading *r, const struct cfg_node *node, const char *name, uint32_t *index)
{
	struct run_config *config = r->config;
	const char *path;
	enum sahm_status status = find_trace(r, node, name, &path);
	if (status != SAHM_OK)
		return status;
	for (*index = 0; *index < config->nr_traces; ++*index)
		if (strcmp(config->traces[*index].path, path) == 0)
			return SAHM_OK;
	struct run_trace *t = &config->traces[config->nr_traces];
	t->path = path;
	status = trace_open(path, &config->notes, &t->trace, r->err);
	if (status != SAHM_OK)
		return status;
	config->nr_traces++;
	uint64_t length_ns = trace_nr_epochs(t->trace) * trace_epoch_ns(t->trace);
	if (length_ns > MAX_RUN_NS)
		return cfg_fail(node, r->err, "trace '%s' lasts %g s, a run %g s at most", trace_name(t->trace),
				(double)length_ns / (double)NS_PER_S, (double)MAX_RUN_NS / (double)NS_PER_S);
	return SAHM_OK;
}

/* The trace's name, with "+<offset>ms" behind it, and "#<n>" where that is taken. */
static enum sahm_status name_thread(struct reading *r, struct run_thread *th)
{
	struct run_config *config = r->config;
	unsigned same = 1;
	struct textbuf b;
	const char *name = trace_name(config->traces[th->trace].trace);
	for (uint32_t t = 0; t < config->nr_threads; t++)
		same += config->threads[t].offset_ns == th->offset_ns &&
			strcmp(trace_name(config->traces[config->threads[t].trace].trace), name) == 0;
	textbuf_init(&b);
	textbuf_puts(&b, name);
	if (th->offset_ns) {
		textbuf_putc(&b, '+');
		number_write_double(&b, ms_of_ns(th->offset_ns), 0);
		textbuf_puts(&b, "ms");
	}
	if (same > 1)
		textbuf_printf(&b, "#%u", same);
	th->name = textbuf_failed(&b) ? NULL : arena_strdup(&config->arena, b.text);
	textbuf_release(&b);
	return th->name ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status add_thread(struct reading *r, const struct cfg_node *node, uint32_t trace, double offset_ms)
{
	struct run_config *config = r->config;
	const struct trace *t = config->traces[trace].trace;
	uint64_t length_ns = trace_nr_epochs(t) * trace_epoch_ns(t), offset_ns = ns_of_ms(offset_ms);
	if (offset_ns >= length_ns)
		return cfg_fail(node, r->err, "offset of %g ms lies beyond the end of trace '%s' (%g ms)", offset_ms,
				trace_name(t), ms_of_ns(length_ns));
	if (config->nr_threads == MAX_THREADS)
		return cfg_fail(node, r->err, "more than %u threads", MAX_THREADS);
	struct run_thread th = {.trace = trace, .offset_ns = offset_ns};
	enum sahm_status status = name_thread(r, &th);
	if (status == SAHM_OK)
		config->threads[config->nr_threads++] = th;
	return status;
}

static enum sahm_status read_trace(struct reading *r, const struct cfg_node *node)
{
	const struct cfg_node *file = node->kind == CFG_STRING ? node : cfg_member(node, &config_keys[KEY_TRACE_FILE]);
	const struct cfg_node *offset =
		node->kind == CFG_STRING ? NULL : cfg_member(node, &config_keys[KEY_TRACE_OFFSET]);
	uint32_t trace;
	if (!file)
		return fail_missing(r, node, KEY_TRACE_FILE);
	enum sahm_status status = open_trace(r, file, file->value.string, &trace);
	if (status != SAHM_OK || !offset)
		return status == SAHM_OK ? add_thread(r, node, trace, 0) : status;
	bool several = offset->kind & (CFG_ARRAY | CFG_LIST);
	if (several && !offset->first)
		return cfg_fail(offset, r->err, "offset_ms is empty");
	for (const struct cfg_node *n = several ? offset->first : offset; n && status == SAHM_OK;
	     n = several ? n->next : NULL) {
		double ms;
		status = cfg_node_number(n, &config_keys[KEY_TRACE_OFFSET], &ms, r->err);
		if (status == SAHM_OK)
			status = add_thread(r, n, trace, ms);
	}
	return status;
}

/* Threads that the list of traces will make, before any is opened. */
static uint32_t count_threads(const struct cfg_node *traces)
{
	uint32_t nr = 0;
	for (const struct cfg_node *n = traces->first; n; n = n->next) {
		const struct cfg_node *offset =
			n->kind == CFG_GROUP ? cfg_member(n, &config_keys[KEY_TRACE_OFFSET]) : NULL;
		nr += offset && offset->kind & (CFG_ARRAY | CFG_LIST) ? offset->nr_children : 1;
	}
	return nr;
}

static enum sahm_status read_workload(struct reading *r)
{
	static const char *const modes[] = {"together", "alone", NULL};
	struct run_config *config = r->config;
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *traces = cfg_member(workload, &config_keys[KEY_TRACES]);
	size_t mode;
	if (!traces)
		return fail_missing(r, workload, KEY_TRACES);
	if (!traces->first)
		return cfg_fail(traces, r->err, "the workload has no traces");
	config->threads = arena_alloc(&config->arena, count_threads(traces), sizeof(*config->threads));
	config->traces = arena_alloc(&config->arena, traces->nr_children, sizeof(*config->traces));
	if (!config->threads || !config->traces)
		return sahm_fail_nomem(r->err);
	enum sahm_status status = get_choice(r, workload, KEY_WORKLOAD_MODE, modes, &mode);
	config->alone = mode == 1;
	if (status == SAHM_OK)
		status = get_ns(r, workload, KEY_DURATION, &config->duration_ns);
	/* 0 has a meaning of its own: the least time that is given is 1 ns. */
	const struct cfg_node *duration = cfg_member(workload, &config_keys[KEY_DURATION]);
	if (status == SAHM_OK && config->duration_ns == 0 && duration && duration->kind == CFG_FLOAT &&
	    duration->value.real > 0)
		config->duration_ns = 1;
	for (const struct cfg_node *n = traces->first; n && status == SAHM_OK; n = n->next)
		status = read_trace(r, n);
	return status;
}

static enum sahm_status read_scheduler(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *scheduler = cfg_member(r->root, &config_keys[KEY_SCHEDULER]);
	const struct cfg_node *migration = cfg_member(r->root, &config_keys[KEY_MIGRATION]);
	const char *name = cfg_string(scheduler, &config_keys[KEY_POLICY]);
	config->policy = sched_policy_find(name);
	if (!config->policy) {
		const char *names[32] = {0};
		for (size_t i = 0; sched_policies[i] && i + 1 < sizeof(names) / sizeof(names[0]); i++)
			names[i] = sched_policies[i]->name;
		return fail_choice(r, scheduler, KEY_POLICY, name, names);
	}
	config->oracle = cfg_bool(scheduler, &config_keys[KEY_ORACLE]);
	enum sahm_status status = get_count(r, scheduler, KEY_INERTIA, &config->inertia);
	if (status == SAHM_OK)
		status = get_ns(r, scheduler, KEY_TIMESTEP, &config->timestep_ns);
	if (status == SAHM_OK)
		status = get_ns(r, migration, KEY_MIGRATION_COST, &config->distances.cost_ns);
	return status;
}

static enum sahm_status read_cuts(struct reading *r)
{
	static const struct {
		enum config_key key;
		enum component component;
	} rows[] = {
		{KEY_CUT_BRANCH, COMPONENT_BRANCH},
		{KEY_CUT_L1I, COMPONENT_L1I},
		{KEY_CUT_L1D, COMPONENT_L1D},
		{KEY_CUT_L2, COMPONENT_L2},
	};
	const struct cfg_node *cuts = cfg_member(r->root, &config_keys[KEY_CUTS]);
	size_t set;
	enum sahm_status status = get_choice(r, cuts, KEY_CUTS_SET, cut_set_names, &set);
	if (status != SAHM_OK)
		return status;
	r->config->cuts_set = cut_set_names[set];
	cuts_named(cut_set_names[set], &r->config->cuts);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct cfg_node *node = cfg_member(cuts, &config_keys[rows[i].key]);
		double value;
		if (!node)
			continue;
		status = cfg_node_number(node, &config_keys[rows[i].key], &value, r->err);
		if (status != SAHM_OK)
			return status;
		cuts_set(&r->config->cuts, rows[i].component, value);
	}
	return SAHM_OK;
}

enum sahm_status run_config_load(struct run_config *config, const char *path, const char *const *settings,
				 size_t nr_settings, const char *data_folder, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	*config = (struct run_config){0};
	textbuf_init(&config->notes);
	enum sahm_status status = cfg_read_file(&config->arena, path, &root, err);
	for (size_t i = 0; i < nr_settings && status == SAHM_OK; i++)
		status = cfg_set(&config->arena, root, config_keys, NR_CONFIG_KEYS, settings[i], err);
	if (status == SAHM_OK)
		status = cfg_check(root, config_keys, NR_CONFIG_KEYS, err);
	struct reading r = {.config = config, .root = root, .data_folder = data_folder, .err = err};
	if (status == SAHM_OK)
		status = read_chip(&r);
	if (status == SAHM_OK)
		status = read_scheduler(&r);
	if (status == SAHM_OK)
		status = read_cuts(&r);
	if (status == SAHM_OK)
		status = read_workload(&r);
	if (status != SAHM_OK)
		run_config_release(config);
	return status;
}
