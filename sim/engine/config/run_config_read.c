/* From a configuration file to a resolved configuration. */
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/config/run_words.h"

enum sahm_status reading_number(struct reading *r, const struct cfg_node *group, enum config_key key, double *value)
{
	return cfg_number(group, &config_keys[key], value, r->err);
}

enum sahm_status reading_ns(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *ns)
{
	double ms;
	enum sahm_status status = reading_number(r, group, key, &ms);
	if (status == SAHM_OK)
		*ns = ns_of_ms(ms);
	return status;
}

enum sahm_status reading_count(struct reading *r, const struct cfg_node *group, enum config_key key, uint32_t *count)
{
	double value;
	enum sahm_status status = reading_number(r, group, key, &value);
	if (status == SAHM_OK)
		*count = (uint32_t)value;
	return status;
}

enum sahm_status reading_u64(struct reading *r, const struct cfg_node *group, enum config_key key, uint64_t *value)
{
	const struct cfg_node *node = cfg_member(group, &config_keys[key]);
	const char *word = config_keys[key].default_value;
	double checked;
	enum sahm_status status = reading_number(r, group, key, &checked);
	if (status != SAHM_OK)
		return status;
	/* Not by way of a double, which has fewer digits. */
	if (node)
		*value = (uint64_t)node->value.integer;
	else if (number_read_u64(word, strlen(word), value) != NUMBER_OK)
		*value = 0;
	return SAHM_OK;
}

enum sahm_status reading_fail_missing(struct reading *r, const struct cfg_node *group, enum config_key key)
{
	return cfg_fail(group ? group : r->root, r->err, "missing key '%s': %s", config_keys[key].path,
			config_keys[key].help);
}

enum sahm_status reading_fail_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
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

enum sahm_status reading_choice(struct reading *r, const struct cfg_node *group, enum config_key key,
				const char *const *names, size_t *index)
{
	const char *word = cfg_string(group, &config_keys[key]);
	for (*index = 0; names[*index]; ++*index)
		if (strcmp(names[*index], word) == 0)
			return SAHM_OK;
	return reading_fail_choice(r, group, key, word, names);
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

const char *const core_figure_names[] = {"targeted", "average", NULL};

static enum sahm_status read_group(struct reading *r, const struct cfg_node *node, struct core_group *group)
{
	const struct cfg_node *type = cfg_member(node, &config_keys[KEY_CORE_TYPE]);
	const struct cfg_node *speedup = cfg_member(node, &config_keys[KEY_CORE_SPEEDUP]);
	size_t figure;
	if (!type)
		return reading_fail_missing(r, node, KEY_CORE_TYPE);
	group->spec.type = type->value.string;
	enum sahm_status status = reading_choice(r, node, KEY_CORE_FIGURE, core_figure_names, &figure);
	if (status == SAHM_OK && speedup)
		status = read_speedups(r, speedup, &group->spec);
	if (status == SAHM_OK)
		status = reading_count(r, node, KEY_CORE_COUNT, &group->count);
	if (status == SAHM_OK)
		status = reading_tenant(r, node, KEY_CORE_TENANT, &group->tenant);
	if (status != SAHM_OK)
		return status;
	group->spec.average = figure == 1;
	struct sahm_err cause;
	status = core_spec_resolve(&r->config->arena, &group->spec, &group->type, &cause);
	const struct cfg_node *chosen = cfg_member(node, &config_keys[KEY_CORE_FIGURE]);
	if (status == SAHM_OK && chosen && (speedup || !group->spec.is_published))
		return cfg_fail(chosen, r->err, "'figure' says nothing here: %s",
				speedup ? "a speedup is given" : "the type names no published work");
	/* Of two that do not fit together the one from the command line is named, which has no line. */
	const struct cfg_node *culprit = group->spec.is_misfit && speedup && type->line > 0 ? speedup : type;
	return status == SAHM_CONFIG ? cfg_fail(culprit, r->err, "%s", cause.msg)
	       : status == SAHM_OK   ? SAHM_OK
				     : sahm_fail(r->err, status, "%s", cause.msg);
}

static enum sahm_status read_chip(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *chip = cfg_member(r->root, &config_keys[KEY_CHIP]);
	const struct cfg_node *cores = cfg_member(chip, &config_keys[KEY_CORES]);
	if (!cores)
		return reading_fail_missing(r, chip, KEY_CORES);
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

static enum sahm_status read_scheduler(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *scheduler = cfg_member(r->root, &config_keys[KEY_SCHEDULER]);
	config->oracle = cfg_bool(scheduler, &config_keys[KEY_ORACLE]);
	enum sahm_status status = reading_policy(r, scheduler);
	if (status == SAHM_OK)
		status = reading_count(r, scheduler, KEY_INERTIA, &config->inertia);
	if (status == SAHM_OK)
		status = reading_ns(r, scheduler, KEY_TIMESTEP, &config->timestep_ns);
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
	enum sahm_status status = reading_choice(r, cuts, KEY_CUTS_SET, cut_set_names, &set);
	if (status != SAHM_OK)
		return status;
	r->config->cuts_set = cut_set_names[set];
	cuts_named(cut_set_names[set], &r->config->cuts);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
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

/* Reads the tree `root`, which is the configuration's own, after `settings`. */
static enum sahm_status read_tree(struct run_config *config, struct cfg_node *root, const char *const *settings,
				  size_t nr_settings, const char *data_folder, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	config->root = root;
	/* What is swept, and what was found, is another command's. */
	cfg_take(root, "manifest");
	if (cfg_take(root, config_keys[KEY_SWEEP].path) && !config->cache)
		textbuf_puts(&config->notes,
			     "the section 'sweep' says nothing to a single run: `sahm sweep` carries it "
			     "out\n");
	for (size_t i = 0; i < nr_settings && status == SAHM_OK; i++)
		status = cfg_set(&config->arena, root, config_keys, NR_CONFIG_KEYS, settings[i], err);
	if (status == SAHM_OK)
		status = cfg_check(root, config_keys, NR_CONFIG_KEYS, err);
	struct reading r = {.config = config, .root = root, .data_folder = data_folder, .err = err};
	struct strtable *tables[] = {&r.traces, &r.names, &r.owners, &r.allowed, &r.lists};
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		strtable_init(tables[i], &config->arena);
	if (status == SAHM_OK)
		status = read_chip(&r);
	if (status == SAHM_OK)
		status = reading_owners(&r);
	if (status == SAHM_OK)
		status = read_scheduler(&r);
	if (status == SAHM_OK)
		status = reading_distances(&r);
	if (status == SAHM_OK)
		status = read_cuts(&r);
	if (status == SAHM_OK)
		status = reading_introspection(&r);
	if (status == SAHM_OK)
		status = reading_workload(&r);
	if (status == SAHM_OK)
		status = reading_changes(&r);
	if (status == SAHM_OK)
		status = reading_inputs(&r);
	return status;
}

enum sahm_status run_config_load(struct run_config *config, const char *path, const char *const *settings,
				 size_t nr_settings, const char *data_folder, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	*config = (struct run_config){0};
	textbuf_init(&config->notes);
	enum sahm_status status = cfg_read_or_suggest(&config->arena, path, data_folder, "configs/", &root, err);
	if (status == SAHM_OK)
		status = read_tree(config, root, settings, nr_settings, data_folder, err);
	if (status != SAHM_OK)
		run_config_release(config);
	return status;
}

enum sahm_status run_config_make(struct run_config *config, const struct cfg_node *root, const char *const *settings,
				 size_t nr_settings, const char *data_folder, struct run_cache *cache,
				 struct sahm_err *err)
{
	*config = (struct run_config){.cache = cache};
	textbuf_init(&config->notes);
	struct cfg_node *copy = cfg_clone(&config->arena, root);
	enum sahm_status status =
		copy ? read_tree(config, copy, settings, nr_settings, data_folder, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK)
		run_config_release(config);
	return status;
}
