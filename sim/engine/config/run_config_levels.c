/* Frequency levels of cores, and groups of cores that share: read, written and hashed. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"

static const char *const governor_names[] = {
	[GOVERNOR_SCHEDUTIL] = "schedutil", [GOVERNOR_PERFORMANCE] = "performance", NULL};

/* Levels */

/* One speedup for all states, or one for each. */
static enum sahm_status read_speedups(struct reading *r, const struct cfg_node *node, struct core_level *level)
{
	bool is_one = !(node->kind & (CFG_ARRAY | CFG_LIST));
	const struct cfg_node *n = is_one ? node : node->first;
	if (!is_one && node->nr_children != NR_STATES)
		return cfg_fail(node, r->err, "speedup_pct of a level has %u numbers, must be one, or %u by state",
				node->nr_children, NR_STATES);
	for (unsigned s = 0; s < NR_STATES; s++, n = is_one ? n : n->next) {
		double pct;
		enum sahm_status status = cfg_node_number(n, &config_keys[KEY_CORE_LEVEL_SPEEDUP], &pct, r->err);
		if (status != SAHM_OK)
			return status;
		level->speedup_ppm[s] = ppm_of_pct(pct);
	}
	return SAHM_OK;
}

/* Levels without speedups: the type's speed, at a lower frequency. */
static void scale_speedups(struct core_level *level, const struct core_type *type, uint32_t top_mhz)
{
	for (unsigned s = 0; s < NR_STATES; s++) {
		int64_t rate = (PROGRESS_PER_NS + type->speedup_ppm[s]) * (int64_t)level->mhz / (int64_t)top_mhz;
		level->speedup_ppm[s] = (int32_t)((rate > 0 ? rate : 1) - PROGRESS_PER_NS);
	}
}

static enum sahm_status read_level(struct reading *r, const struct cfg_node *node, struct core_levels *levels,
				   struct core_level *level, uint32_t *top_mhz)
{
	const struct cfg_node *mhz = cfg_member(node, &config_keys[KEY_CORE_LEVEL_MHZ]);
	const struct cfg_node *speedup = cfg_member(node, &config_keys[KEY_CORE_LEVEL_SPEEDUP]);
	if (!mhz)
		return reading_fail_missing(r, node, KEY_CORE_LEVEL_MHZ);
	enum sahm_status status = reading_count(r, node, KEY_CORE_LEVEL_MHZ, &level->mhz);
	if (status == SAHM_OK && level->mhz <= *top_mhz)
		return cfg_fail(mhz, r->err, "a level of %u MHz after one of %u: levels are in order, slowest first",
				level->mhz, *top_mhz);
	if (status == SAHM_OK && speedup)
		status = read_speedups(r, speedup, level);
	*top_mhz = level->mhz;
	levels->nr++;
	return status;
}

/* So that the speeds of the last level are upper bounds. */
static enum sahm_status check_order(struct reading *r, const struct cfg_node *list, const struct core_levels *levels)
{
	const struct cfg_node *n = list->first->next;
	for (const struct core_level *level = levels->levels + 1; n; n = n->next, level++)
		for (unsigned s = 0; s < NR_STATES; s++)
			if (level->speedup_ppm[s] < level[-1].speedup_ppm[s])
				return cfg_fail(n, r->err, "%u MHz are slower than %u in state %u", level->mhz,
						level[-1].mhz, s);
	return SAHM_OK;
}

/* The only level of cores that do not change theirs. */
static enum sahm_status fix_level(struct reading *r, const struct cfg_node *node, struct core_group *group)
{
	struct core_levels *levels = &group->levels;
	uint32_t mhz;
	enum sahm_status status = reading_count(r, node, KEY_CORE_FIXED_MHZ, &mhz);
	struct textbuf b;
	if (status != SAHM_OK)
		return status;
	for (uint32_t l = 0; l < levels->nr; l++) {
		if (levels->levels[l].mhz != mhz)
			continue;
		levels->levels += l;
		levels->nr = 1;
		group->is_fixed = true;
		return SAHM_OK;
	}
	textbuf_init(&b);
	for (uint32_t l = 0; l < levels->nr; l++)
		textbuf_printf(&b, "%s%u", l == 0 ? "" : ", ", levels->levels[l].mhz);
	status = textbuf_failed(&b) ? sahm_fail_nomem(r->err)
				    : cfg_fail(cfg_member(node, &config_keys[KEY_CORE_FIXED_MHZ]), r->err,
					       "no level of these cores has %u MHz; they have %s", mhz, b.text);
	textbuf_release(&b);
	return status;
}

enum sahm_status reading_core_levels(struct reading *r, const struct cfg_node *type, const struct cfg_node *node,
				     struct core_group *group)
{
	const struct {
		const struct cfg_node *node;
		enum config_key key;
	} only_with_levels[] = {{node, KEY_CORE_FIXED_MHZ}, {type, KEY_CORE_TRANSITION}};
	const struct cfg_node *list = cfg_member(type, &config_keys[KEY_CORE_LEVELS]);
	uint32_t top_mhz = 0;
	double us = 0;
	for (size_t i = 0; i < ARRAY_SIZE(only_with_levels); i++) {
		const struct cfg_node *given =
			cfg_member(only_with_levels[i].node, &config_keys[only_with_levels[i].key]);
		if (given && !(list && list->first))
			return cfg_fail(given, r->err, "'%s' has no effect here: these cores have no levels",
					config_key_leaf(only_with_levels[i].key));
	}
	if (!list || !list->first)
		return SAHM_OK;
	if (list->nr_children > MAX_LEVELS)
		return cfg_fail(list, r->err, "more than %u levels", MAX_LEVELS);
	struct core_level *level = arena_alloc(&r->config->arena, list->nr_children, sizeof(*level));
	if (!level)
		return sahm_fail_nomem(r->err);
	group->levels.levels = group->all_levels = level;
	enum sahm_status status = reading_number(r, type, KEY_CORE_TRANSITION, &us);
	group->levels.transition_ns = ns_of_ms(us / 1000);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next)
		status = read_level(r, n, &group->levels, level++, &top_mhz);
	level = (struct core_level *)(uintptr_t)group->all_levels;
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next, level++)
		if (!cfg_member(n, &config_keys[KEY_CORE_LEVEL_SPEEDUP]))
			scale_speedups(level, &group->type, top_mhz);
	group->nr_all_levels = group->levels.nr;
	if (status == SAHM_OK)
		status = check_order(r, list, &group->levels);
	if (status == SAHM_OK && cfg_member(node, &config_keys[KEY_CORE_FIXED_MHZ]))
		status = fix_level(r, node, group);
	if (status != SAHM_OK)
		return status;
	memcpy(group->type.speedup_ppm, group->levels.levels[group->levels.nr - 1].speedup_ppm,
	       sizeof(group->type.speedup_ppm));
	return SAHM_OK;
}

/* Sharing */

static enum sahm_status read_shared(struct reading *r, const struct cfg_node *node, struct run_shared *shared,
				    uint32_t number)
{
	static const enum config_key keys[] = {KEY_SHARED_CORES, KEY_SHARED_CAPACITY};
	struct run_config *config = r->config;
	uint32_t nr_cores = config->chip.nr_cores;
	struct sahm_err cause;
	double capacity;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!cfg_member(node, &config_keys[keys[i]]))
			return reading_fail_missing(r, node, keys[i]);
	const struct cfg_node *list = cfg_member(node, &config_keys[KEY_SHARED_CORES]);
	shared->cores = list->value.string;
	uint64_t *set = arena_alloc(&config->arena, core_set_words(nr_cores), sizeof(*set));
	if (!set)
		return sahm_fail_nomem(r->err);
	enum sahm_status status = core_list_read(shared->cores, nr_cores, set, &cause);
	if (status != SAHM_OK)
		return cfg_fail(list, r->err, "%s", cause.msg);
	for (uint32_t c = 0; c < nr_cores; c++) {
		if (!core_set_has(set, c))
			continue;
		if (config->shared_of[c] < config->nr_shared)
			return cfg_fail(list, r->err, "core %u is in two groups of chip.shared", c);
		config->shared_of[c] = number;
	}
	status = reading_number(r, node, KEY_SHARED_CAPACITY, &capacity);
	config->capacity[number] = (uint64_t)capacity;
	return status;
}

static enum sahm_status read_sharing(struct reading *r, const struct cfg_node *chip)
{
	struct run_config *config = r->config;
	const struct cfg_node *list = cfg_member(chip, &config_keys[KEY_SHARED]);
	enum sahm_status status = SAHM_OK;
	if (!list || !list->first)
		return SAHM_OK;
	if (list->nr_children > config->chip.nr_cores)
		return cfg_fail(list, r->err, "more groups that share than cores");
	config->nr_shared = list->nr_children;
	config->shared = arena_alloc(&config->arena, config->nr_shared, sizeof(*config->shared));
	config->capacity = arena_alloc(&config->arena, config->nr_shared, sizeof(*config->capacity));
	config->shared_of = arena_alloc(&config->arena, config->chip.nr_cores, sizeof(*config->shared_of));
	if (!config->shared || !config->capacity || !config->shared_of)
		return sahm_fail_nomem(r->err);
	for (uint32_t c = 0; c < config->chip.nr_cores; c++)
		config->shared_of[c] = config->nr_shared;
	uint32_t g = 0;
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next, g++)
		status = read_shared(r, n, &config->shared[g], g);
	return status;
}

/* Operating points */

/* Of cores without levels; nr is 0 when memory is short. */
static struct core_levels only_level(struct reading *r, const struct core_type *type)
{
	struct core_level *level = arena_alloc(&r->config->arena, 1, sizeof(*level));
	if (!level)
		return (struct core_levels){0};
	memcpy(level->speedup_ppm, type->speedup_ppm, sizeof(level->speedup_ppm));
	return (struct core_levels){1, level, 0};
}

static enum sahm_status number_points(struct reading *r)
{
	struct run_config *config = r->config;
	uint32_t core = 0;
	config->core_points = arena_alloc(&config->arena, config->chip.nr_cores, sizeof(*config->core_points));
	config->levels = arena_alloc(&config->arena, config->chip.nr_cores, sizeof(*config->levels));
	if (!config->core_points || !config->levels)
		return sahm_fail_nomem(r->err);
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		struct core_group *group = &config->groups[g];
		group->first_point = config->nr_points;
		config->nr_points += group_nr_points(group);
		config->has_levels |= group->count > 0 && group->levels.nr > 1;
		struct core_levels levels = group->levels;
		if (levels.nr == 0 && !(levels = only_level(r, &group->type)).nr)
			return sahm_fail_nomem(r->err);
		for (uint32_t i = 0; i < group->count; i++, core++) {
			config->core_points[core] = config->nr_points - 1;
			config->levels[core] = levels;
		}
	}
	return SAHM_OK;
}

enum sahm_status reading_levels(struct reading *r)
{
	const struct cfg_node *chip = cfg_member(r->root, &config_keys[KEY_CHIP]);
	const struct cfg_node *scheduler = cfg_member(r->root, &config_keys[KEY_SCHEDULER]);
	const struct cfg_node *given = cfg_member(scheduler, &config_keys[KEY_GOVERNOR]);
	size_t governor;
	enum sahm_status status = number_points(r);
	if (status == SAHM_OK)
		status = reading_choice(r, scheduler, KEY_GOVERNOR, governor_names, &governor);
	if (status != SAHM_OK)
		return status;
	r->config->governor = (enum run_governor)governor;
	if (given && !r->config->has_levels)
		return cfg_fail(given, r->err, "'governor' has no effect here: no core has levels to choose from");
	return read_sharing(r, chip);
}

/* Writing */

void config_write_core_levels(const struct core_group *group, struct textbuf *b)
{
	if (group->nr_all_levels == 0)
		return;
	textbuf_printf(b, "\t\t\t%s = (\n", config_key_leaf(KEY_CORE_LEVELS));
	for (uint32_t l = 0; l < group->nr_all_levels; l++) {
		const struct core_level *level = &group->all_levels[l];
		textbuf_printf(b, "\t\t\t\t{ %s = %u; %s = [", config_key_leaf(KEY_CORE_LEVEL_MHZ), level->mhz,
			       config_key_leaf(KEY_CORE_LEVEL_SPEEDUP));
		for (unsigned s = 0; s < NR_STATES; s++) {
			textbuf_puts(b, s > 0 ? ", \"" : "\"");
			number_write_double(b, pct_of_ppm(level->speedup_ppm[s]), 1);
			textbuf_puts(b, "%\"");
		}
		textbuf_printf(b, "]; }%s\n", l + 1 < group->nr_all_levels ? "," : "");
	}
	textbuf_puts(b, "\t\t\t);\n");
	config_write_number(b, "\t\t\t", KEY_CORE_TRANSITION, ms_of_ns(group->levels.transition_ns) * 1000);
	if (group->is_fixed)
		textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CORE_FIXED_MHZ), group->levels.levels->mhz);
}

void config_write_sharing(const struct run_config *config, struct textbuf *b)
{
	if (config->nr_shared == 0)
		return;
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_SHARED));
	for (uint32_t g = 0; g < config->nr_shared; g++) {
		textbuf_puts(b, "\t\t{\n");
		config_write_string(b, "\t\t\t", KEY_SHARED_CORES, config->shared[g].cores);
		config_write_number(b, "\t\t\t", KEY_SHARED_CAPACITY, (double)config->capacity[g]);
		textbuf_printf(b, "\t\t}%s\n", g + 1 < config->nr_shared ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void config_write_governor(const struct run_config *config, struct textbuf *b)
{
	if (config->has_levels)
		config_write_string(b, "\t", KEY_GOVERNOR, governor_names[config->governor]);
}

static void hash_levels(const struct core_levels *levels, struct hash *h)
{
	hash_add_u64(h, levels->nr);
	hash_add_u64(h, levels->transition_ns);
	for (uint32_t l = 0; l < levels->nr; l++) {
		hash_add_u64(h, levels->levels[l].mhz);
		for (unsigned s = 0; s < NR_STATES; s++)
			hash_add_u64(h, (uint64_t)(int64_t)levels->levels[l].speedup_ppm[s]);
	}
}

void config_hash_levels(const struct run_config *config, struct hash *h)
{
	bool has_any = false;
	for (uint32_t g = 0; g < config->nr_groups; g++)
		has_any |= config->groups[g].count > 0 && config->groups[g].levels.nr > 0;
	if (has_any)
		hash_add_string(h, "frequency levels");
	for (uint32_t c = 0; c < config->chip.nr_cores && has_any; c++)
		hash_levels(&config->levels[c], h);
	if (config->has_levels) {
		hash_add_string(h, "governor");
		hash_add_u64(h, config->governor);
	}
	if (config->nr_shared == 0)
		return;
	hash_add_string(h, "shared");
	for (uint32_t c = 0; c < config->chip.nr_cores; c++)
		hash_add_u64(h, config->shared_of[c]);
	for (uint32_t g = 0; g < config->nr_shared; g++)
		hash_add_u64(h, config->capacity[g]);
}
