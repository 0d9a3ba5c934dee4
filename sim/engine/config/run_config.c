/* The resolved configuration: read from a file, written, and hashed. The groups that take more than a few lines are in
 * the files beside this one. */
#include <string.h>

#include "sched/host/interface.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/shell.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/config/run_words.h"

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

/* States whose speedups are of few epochs. */
static enum sahm_status read_scarce(struct reading *r, const struct cfg_node *node, struct core_group *group)
{
	const struct cfg_node *given = cfg_member(node, &config_keys[KEY_CORE_SCARCE]);
	for (const struct cfg_node *n = given ? given->first : NULL; n; n = n->next) {
		unsigned state;
		if (!state_find(n->value.string, strlen(n->value.string), &state))
			return cfg_fail(n, r->err, "unknown state '%s' (sahm help states)", n->value.string);
		if (group->scarce >> state & 1)
			return cfg_fail(n, r->err, "the state '%s' is scarce twice", n->value.string);
		group->scarce |= (uint16_t)(1u << state);
	}
	if (group->scarce && group->spec.nr_speedups != NR_STATES)
		return cfg_fail(given, r->err, "'scarce' is for the type table, which has a speedup for each state");
	return SAHM_OK;
}

const char *const core_figure_names[] = {"targeted", "average", NULL};

/* Type, speedups and figure of a group of cores, or of a core type. */
static enum sahm_status read_type(struct reading *r, const struct cfg_node *node, struct core_group *group)
{
	const struct cfg_node *type = cfg_member(node, &config_keys[KEY_CORE_TYPE]);
	const struct cfg_node *speedup = cfg_member(node, &config_keys[KEY_CORE_SPEEDUP]);
	size_t figure;
	group->spec.type = type->value.string;
	enum sahm_status status = reading_choice(r, node, KEY_CORE_FIGURE, core_figure_names, &figure);
	if (status == SAHM_OK && speedup)
		status = read_speedups(r, speedup, &group->spec);
	if (status != SAHM_OK)
		return status;
	group->spec.average = figure == 1;
	struct sahm_err cause;
	status = core_spec_resolve(&r->config->arena, &group->spec, &group->type, &cause);
	const struct cfg_node *chosen = cfg_member(node, &config_keys[KEY_CORE_FIGURE]);
	if (status == SAHM_OK && chosen && (speedup || !group->spec.is_published))
		return cfg_fail(chosen, r->err, "'figure' has no effect here: %s",
				speedup ? "a speedup is given" : "the type names no published work");
	if (status == SAHM_OK)
		return read_scarce(r, node, group);
	/* Of two that do not fit together the one from the command line is named, which has no line. */
	const struct cfg_node *culprit = group->spec.is_misfit && speedup && type->line > 0 ? speedup : type;
	return status == SAHM_CONFIG ? cfg_fail(culprit, r->err, "%s", cause.msg)
				     : sahm_fail(r->err, status, "%s", cause.msg);
}

/* The core type of that name; NULL: there is none. */
static const struct cfg_node *find_type(const struct reading *r, const char *name)
{
	const struct cfg_node *types = cfg_member(r->root, &config_keys[KEY_TYPES]);
	const struct cfg_node *type = types ? types->first : NULL;
	while (type && strcmp(cfg_member(type, &config_keys[KEY_TYPE_NAME])->value.string, name) != 0)
		type = type->next;
	return type;
}

/* Nothing unless a name in core_types is near `word`. */
static enum sahm_status fail_near_type(struct reading *r, const struct cfg_node *word)
{
	const struct cfg_node *types = cfg_member(r->root, &config_keys[KEY_TYPES]);
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, word->value.string);
	for (const struct cfg_node *n = types ? types->first : NULL; n; n = n->next)
		suggest_offer(&s, cfg_member(n, &config_keys[KEY_TYPE_NAME])->value.string);
	if (!*suggest_text(&s, near))
		return SAHM_OK;
	return cfg_fail(word, r->err, "unknown core type '%s'%s", word->value.string, near);
}

/* Types that no core has are checked, too. */
static enum sahm_status check_types(struct reading *r)
{
	const struct cfg_node *types = cfg_member(r->root, &config_keys[KEY_TYPES]);
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *n = types ? types->first : NULL; n && status == SAHM_OK; n = n->next) {
		const struct cfg_node *name = cfg_member(n, &config_keys[KEY_TYPE_NAME]);
		struct core_group group = {0};
		if (!name)
			return reading_fail_missing(r, n, KEY_TYPE_NAME);
		if (!*name->value.string)
			return cfg_fail(name, r->err, "the name of a core type is empty");
		if (!cfg_member(n, &config_keys[KEY_TYPE_TYPE]))
			return reading_fail_missing(r, n, KEY_TYPE_TYPE);
		if (find_type(r, name->value.string) != n)
			return cfg_fail(name, r->err, "two core types are called '%s'", name->value.string);
		if (core_spec_is_type(name->value.string))
			return cfg_fail(name, r->err, "'%s' is a core type already (sahm help cores)",
					name->value.string);
		status = read_type(r, n, &group);
		if (status == SAHM_OK)
			status = reading_core_levels(r, n, n, &group);
	}
	return status;
}

static enum sahm_status read_group(struct reading *r, const struct cfg_node *node, struct core_group *group)
{
	const struct cfg_node *type = cfg_member(node, &config_keys[KEY_CORE_TYPE]);
	const struct cfg_node *name = cfg_member(node, &config_keys[KEY_CORE_NAME]);
	const struct cfg_node *speedup = cfg_member(node, &config_keys[KEY_CORE_SPEEDUP]);
	if (!type)
		return reading_fail_missing(r, node, KEY_CORE_TYPE);
	const struct cfg_node *scarce = cfg_member(node, &config_keys[KEY_CORE_SCARCE]);
	const struct cfg_node *own = find_type(r, type->value.string);
	if (own && scarce)
		return cfg_fail(scarce, r->err, "core type '%s' says in core_types what is scarce", type->value.string);
	if (own && speedup)
		return cfg_fail(speedup, r->err, "core type '%s' has its speedups in core_types", type->value.string);
	const struct cfg_node *levels = cfg_member(node, &config_keys[KEY_CORE_LEVELS]);
	if (own && levels)
		return cfg_fail(levels, r->err, "core type '%s' has its levels in core_types", type->value.string);
	enum sahm_status status = own || core_spec_is_type(type->value.string) ? SAHM_OK : fail_near_type(r, type);
	if (status == SAHM_OK)
		status = read_type(r, own ? own : node, group);
	if (status == SAHM_OK)
		status = reading_count(r, node, KEY_CORE_COUNT, &group->count);
	if (status == SAHM_OK)
		status = reading_tenant(r, node, KEY_CORE_TENANT, &group->tenant);
	if (status == SAHM_OK)
		status = reading_core_levels(r, own ? own : node, node, group);
	if (name || own)
		group->name = name ? name->value.string : type->value.string;
	if (group->name)
		group->type.name = group->name;
	return status;
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
	enum sahm_status status = check_types(r);
	if (status != SAHM_OK)
		return status;
	for (const struct cfg_node *n = cores->first; n; n = n->next) {
		struct core_group *group = &config->groups[config->nr_groups];
		status = read_group(r, n, group);
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

/* Whatever is wrong with a plug-in is no mistake in the command line that names it. */
static enum sahm_status read_plugin(struct reading *r, const struct cfg_node *node, const char *name)
{
	struct run_config *config = r->config;
	struct sahm_err cause, message;
	const char *path;
	enum sahm_status status = reading_find_beside(r, node, "policy", name, &path);
	if (status != SAHM_OK)
		return status;
	status = sched_plugin_open(&config->plugin, path, sched_policies,
				   config->cache ? run_cache_plugins(config->cache) : NULL, &cause);
	/* On the command line it is separate. */
	if (status != SAHM_OK && node->line == 0)
		return sahm_fail(r->err, status, "%s", cause.msg);
	if (status != SAHM_OK) {
		cfg_fail(node, &message, "%s", cause.msg);
		return sahm_fail(r->err, status, "%s", message.msg);
	}
	config->policy = sched_plugin_ops(config->plugin);
	return SAHM_OK;
}

/* The author of a policy builds its code: how, for a shell. */
static enum sahm_status fail_source(struct reading *r, const struct cfg_node *node, const char *source)
{
	struct textbuf b, plugin;
	textbuf_init(&b);
	textbuf_init(&plugin);
	bool is_of_kernel = text_ends_in(source, ".bpf.c");
	textbuf_printf(&plugin, "%.*s.so", (int)(strlen(source) - strlen(is_of_kernel ? ".bpf.c" : ".c")), source);
	if (is_of_kernel) {
		textbuf_puts(&b, "sahm policy build");
	} else {
		textbuf_puts(&b, "cc -std=gnu17 -shared -fPIC -fvisibility=hidden -O2 -I");
		shell_write_file(&b, r->data_folder ? r->data_folder : ".");
	}
	textbuf_puts(&b, " -o ");
	shell_write_file(&b, plugin.text);
	textbuf_putc(&b, ' ');
	shell_write_file(&b, source);
	enum sahm_status status =
		textbuf_failed(&b) || textbuf_failed(&plugin)
			? sahm_fail_nomem(r->err)
			: cfg_fail(node, r->err, "'%s' is source code, and a policy is a plug-in: `%s` builds %s",
				   source, b.text, plugin.text);
	textbuf_release(&b);
	textbuf_release(&plugin);
	return status;
}

static enum sahm_status read_policy(struct reading *r, const struct cfg_node *scheduler)
{
	const char *name = cfg_string(scheduler, &config_keys[KEY_POLICY]);
	if (strlen(name) > 2 && text_ends_in(name, ".c"))
		return fail_source(r, cfg_member(scheduler, &config_keys[KEY_POLICY]), name);
	if (sched_plugin_is_path(name))
		return read_plugin(r, cfg_member(scheduler, &config_keys[KEY_POLICY]), name);
	r->config->policy = sched_policy_find(name);
	if (r->config->policy)
		return SAHM_OK;
	const char *names[32] = {0};
	for (size_t i = 0; sched_policies[i] && i + 1 < ARRAY_SIZE(names); i++)
		names[i] = sched_policies[i]->name;
	return reading_fail_choice(r, scheduler, KEY_POLICY, name, names);
}

static enum sahm_status read_scheduler(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *scheduler = cfg_member(r->root, &config_keys[KEY_SCHEDULER]);
	config->oracle = cfg_bool(scheduler, &config_keys[KEY_ORACLE]);
	enum sahm_status status = read_policy(r, scheduler);
	if (status == SAHM_OK)
		status = reading_scx_settings(r, scheduler);
	if (status == SAHM_OK)
		status = reading_count(r, scheduler, KEY_INERTIA, &config->inertia);
	if (status == SAHM_OK)
		status = reading_ns(r, scheduler, KEY_TIMESTEP, &config->timestep_ns);
	return status;
}

static const enum config_key cut_keys[NR_COMPONENTS] = {
	[COMPONENT_BRANCH] = KEY_CUT_BRANCH,
	[COMPONENT_L1I] = KEY_CUT_L1I,
	[COMPONENT_L1D] = KEY_CUT_L1D,
	[COMPONENT_L2] = KEY_CUT_L2,
};

static enum sahm_status read_cuts(struct reading *r)
{
	const struct cfg_node *cuts = cfg_member(r->root, &config_keys[KEY_CUTS]);
	size_t set;
	enum sahm_status status = reading_choice(r, cuts, KEY_CUTS_SET, cut_set_names, &set);
	if (status != SAHM_OK)
		return status;
	r->config->cuts_set = cut_set_names[set];
	cuts_named(cut_set_names[set], &r->config->cuts);
	for (int c = 0; c < NR_COMPONENTS; c++) {
		const struct cfg_node *node = cfg_member(cuts, &config_keys[cut_keys[c]]);
		double value;
		if (!node)
			continue;
		status = cfg_node_number(node, &config_keys[cut_keys[c]], &value, r->err);
		if (status != SAHM_OK)
			return status;
		cuts_set(&r->config->cuts, (enum component)c, value);
	}
	return SAHM_OK;
}

void run_config_remark(struct run_config *config)
{
	cfg_remark_unusual(config->root, "", config_keys, NR_CONFIG_KEYS, &config->notes);
}

/* Reads the tree `root`, which is the configuration's own, after `settings`. */
static enum sahm_status read_tree(struct run_config *config, struct cfg_node *root, const char *const *settings,
				  size_t nr_settings, const char *data_folder, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	config->root = root;
	/* Sweep and manifest sections belong to other commands. */
	cfg_take(root, "manifest");
	if (cfg_take(root, config_keys[KEY_SWEEP].path) && !config->cache)
		textbuf_puts(&config->notes,
			     "the section 'sweep' has no effect on a single run: `sahm sweep` carries it "
			     "out\n");
	for (size_t i = 0; i < nr_settings && status == SAHM_OK; i++)
		status = cfg_set(&config->arena, root, config_keys, NR_CONFIG_KEYS, settings[i], err);
	if (status == SAHM_OK)
		status = cfg_apply_units(root, "", config_keys, NR_CONFIG_KEYS, err);
	if (status == SAHM_OK)
		status = cfg_check(root, config_keys, NR_CONFIG_KEYS, err);
	if (status == SAHM_OK && !config->cache)
		run_config_remark(config);
	struct reading r = {.config = config, .root = root, .data_folder = data_folder, .err = err};
	struct strtable *tables[] = {&r.traces, &r.names, &r.tenants, &r.owners, &r.allowed, &r.lists};
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		strtable_init(tables[i], &config->arena);
	if (status == SAHM_OK)
		status = read_chip(&r);
	if (status == SAHM_OK)
		status = reading_levels(&r);
	if (status == SAHM_OK)
		status = reading_tenants(&r);
	if (status == SAHM_OK)
		status = read_scheduler(&r);
	if (status == SAHM_OK)
		status = reading_migration(&r);
	if (status == SAHM_OK)
		status = reading_costs(&r);
	if (status == SAHM_OK)
		status = read_cuts(&r);
	if (status == SAHM_OK)
		status = reading_introspection(&r);
	if (status == SAHM_OK)
		status = reading_workload(&r);
	if (status == SAHM_OK)
		status = reading_inputs(&r);
	return status;
}

void run_config_release(struct run_config *config)
{
	for (uint32_t i = 0; i < config->nr_traces && !config->cache; i++)
		trace_free(config->traces[i].trace);
	if (config->introspection) {
		ipu_program_free(config->introspection->program);
		soft_source_release(&config->introspection->soft_source);
	}
	sched_plugin_close(config->plugin);
	textbuf_release(&config->notes);
	arena_release(&config->arena);
	*config = (struct run_config){0};
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

/* Those of tables, which may all be small, have a unit: without one they might be meant as factors. */
static void write_speedups(const struct core_spec *spec, struct textbuf *b)
{
	bool has_unit = spec->nr_speedups == NR_STATES;
	textbuf_printf(b, "\t\t\t%s = [", config_key_leaf(KEY_CORE_SPEEDUP));
	for (unsigned i = 0; i < spec->nr_speedups; i++) {
		textbuf_puts(b, i > 0 ? ", " : "");
		textbuf_puts(b, has_unit ? "\"" : "");
		number_write_double(b, pct_of_ppm(spec->speedup_ppm[i]), 1);
		textbuf_puts(b, has_unit ? "%\"" : "");
	}
	textbuf_puts(b, "];\n");
}

static void write_scarce(uint16_t scarce, struct textbuf *b)
{
	textbuf_printf(b, "\t\t\t%s = [\"", config_key_leaf(KEY_CORE_SCARCE));
	states_write(scarce, "\", \"", b);
	textbuf_puts(b, "\"];\n");
}

static void write_cores(const struct run_config *config, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_CORES));
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		textbuf_puts(b, "\t\t{\n");
		config_write_string(b, "\t\t\t", KEY_CORE_TYPE, group->spec.type);
		if (group->spec.nr_speedups)
			write_speedups(&group->spec, b);
		if (group->scarce)
			write_scarce(group->scarce, b);
		if (group->name)
			config_write_string(b, "\t\t\t", KEY_CORE_NAME, group->name);
		textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CORE_COUNT), group->count);
		config_write_given(b, KEY_CORE_TENANT, group->tenant);
		config_write_core_levels(group, b);
		textbuf_printf(b, "\t\t}%s\n", g + 1 < config->nr_groups ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void run_config_write(const struct run_config *config, struct textbuf *b)
{
	textbuf_printf(b, "%s :\n{\n", config_key_leaf(KEY_CHIP));
	write_cores(config, b);
	config_write_sharing(config, b);
	if (config->costs.path)
		config_write_string(b, "\t", KEY_COSTS, config->costs.path);
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_MIGRATION));
	config_write_migration(config, b);
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_WORKLOAD));
	config_write_workload(config, b);
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_SCHEDULER));
	config_write_string(b, "\t", KEY_POLICY,
			    config->plugin ? sched_plugin_path(config->plugin) : config->policy->name);
	textbuf_printf(b, "\t%s = %s;\n", config_key_leaf(KEY_ORACLE), config->oracle ? "true" : "false");
	config_write_scx_settings(config, b);
	config_write_governor(config, b);
	textbuf_printf(b, "\t%s = %u;\n", config_key_leaf(KEY_INERTIA), config->inertia);
	config_write_number(b, "\t", KEY_TIMESTEP, ms_of_ns(config->timestep_ns));
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_CUTS));
	config_write_string(b, "\t", KEY_CUTS_SET, config->cuts_set);
	for (int c = 0; c < NR_COMPONENTS; c++)
		config_write_number(b, "\t", cut_keys[c], cuts_get(&config->cuts, (enum component)c));
	textbuf_puts(b, "};\n");
	config_write_introspection(config->introspection, b);
}

static void hash_samples(const struct run_config *config, struct hash *h)
{
	if (config->nr_samples == 1)
		return;
	hash_add_string(h, "samples");
	hash_add_u64(h, config->nr_samples);
	hash_add_u64(h, config->seed);
}

/* A policy of which nobody knows that it draws nothing: any operation may. */
static void hash_draws(const struct run_config *config, struct hash *h)
{
	bool may_draw = false;
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		may_draw |= sched_op_is_given(config->policy, row);
	if (!may_draw || config->policy->sahm_rules)
		return;
	hash_add_string(h, "draws");
	hash_add_u64(h, config->seed);
}

/* A plug-in is what it does, not where it lies. */
static void hash_plugin(const struct sched_plugin *plugin, struct hash *h)
{
	if (!plugin)
		return;
	hash_add_string(h, "plug-in");
	hash_add(h, sched_plugin_hash(plugin), HASH_BYTES);
}

void run_config_hash(const struct run_config *config, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, "sahm run 1");
	hash_add_u64(&h, config->chip.nr_cores);
	for (uint32_t c = 0; c < config->chip.nr_cores; c++) {
		const struct core_type *type = config->chip.cores[c];
		hash_add_u64(&h, type->serves);
		hash_add_u64(&h, type->matches);
		for (unsigned s = 0; s < NR_STATES; s++)
			hash_add_u64(&h, (uint64_t)(int64_t)type->speedup_ppm[s]);
	}
	hash_add_u64(&h, config->distances.cost_ns);
	hash_add_u64(&h, config->nr_threads);
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		hash_add(&h, trace_hash(config->traces[config->threads[t].trace].trace), HASH_BYTES);
		hash_add_u64(&h, config->threads[t].offset_ns);
	}
	hash_add_u64(&h, config->alone);
	hash_add_u64(&h, config->duration_ns);
	hash_add_string(&h, config->policy->name);
	hash_add_u64(&h, config->oracle);
	hash_add_u64(&h, config->inertia);
	hash_add_u64(&h, config->timestep_ns);
	for (int c = 0; c < NR_COMPONENTS; c++)
		hash_add_u64(&h, config->cuts.ppb[c]);
	/* What not every configuration has follows, each kind after its name, and only where it says something: a
	 * configuration without it keeps its hash. */
	config_hash_threads(config, &h);
	config_hash_migration(config, &h);
	hash_samples(config, &h);
	config_hash_introspection(config->introspection, &h);
	hash_draws(config, &h);
	config_hash_bursts(config, &h);
	config_hash_changes(config, &h);
	hash_plugin(config->plugin, &h);
	config_hash_costs(config, &h);
	config_hash_levels(config, &h);
	config_hash_scx_settings(config, &h);
	config_hash_tenants(config, &h);
	hash_end(&h, hash);
}

static void report_introspection_inputs(const struct run_introspection *in, run_input_fn *report, void *ctx)
{
	uint8_t hash[HASH_BYTES];
	struct hash h;
	hash_init(&h);
	ipu_program_hash(in->program, &h);
	hash_end(&h, hash);
	report(ctx, "introspection program", in->image, hash);
	hash_init(&h);
	abi_hash(&in->abi, &h);
	hash_end(&h, hash);
	report(ctx, "ABI spec", in->abi_path, hash);
	if (!in->soft)
		return;
	hash_init(&h);
	soft_source_hash(&in->soft_source, &h);
	hash_end(&h, hash);
	report(ctx, "soft logic", in->soft, hash);
}

void run_config_inputs(const struct run_config *config, run_input_fn *report, void *ctx)
{
	for (uint32_t i = 0; i < config->nr_traces; i++)
		report(ctx, "trace", config->traces[i].path, trace_hash(config->traces[i].trace));
	for (uint32_t t = 0; t < config->nr_threads; t++)
		if (config->threads[t].burst_list)
			report(ctx, config->rtapp ? "rt-app workload" : "list of bursts",
			       config->threads[t].burst_list->path, config->threads[t].burst_list->hash);
	if (config->costs.path)
		report(ctx, "table of costs", config->costs.path, config->costs.hash);
	if (config->plugin)
		report(ctx, "plug-in", sched_plugin_path(config->plugin), sched_plugin_hash(config->plugin));
	if (config->introspection)
		report_introspection_inputs(config->introspection, report, ctx);
}
