/* The table of costs that a configuration names, and what its cores draw. */
#include <string.h>

#include "sim/engine/config/run_config_internal.h"

static enum sahm_status add_missing(struct run_config *config, const char *message, struct sahm_err *err)
{
	struct run_costs *costs = &config->costs;
	for (uint32_t i = 0; i < costs->nr_missing; i++)
		if (strcmp(costs->missing[i], message) == 0)
			return SAHM_OK;
	const char *copy = arena_strdup(&config->arena, message);
	if (!copy)
		return sahm_fail_nomem(err);
	costs->missing[costs->nr_missing++] = copy;
	return SAHM_OK;
}

/* What cores draw at each operating point. A figure that is missing is no fault: the report says which. */
static enum sahm_status find_power(struct reading *r, struct run_costs *costs, const struct core_costs *table)
{
	struct run_config *config = r->config;
	struct core_power *power = arena_alloc(&config->arena, config->nr_points, sizeof(*power));
	struct sahm_err cause;
	costs->missing = arena_alloc(&config->arena, config->nr_points, sizeof(*costs->missing));
	enum sahm_status status = power && costs->missing ? SAHM_OK : sahm_fail_nomem(r->err);
	for (uint32_t p = 0, g = 0; p < config->nr_points && status == SAHM_OK; p++) {
		while (p - config->groups[g].first_point == group_nr_points(&config->groups[g]))
			g++;
		const struct core_group *group = &config->groups[g];
		uint32_t mhz = group->levels.nr ? group->levels.levels[p - group->first_point].mhz : 0;
		status = core_costs_power(table, group->name, &group->spec, mhz, &power[p], &cause);
		if (status == SAHM_CONFIG)
			status = add_missing(config, cause.msg, r->err);
		else if (status != SAHM_OK)
			sahm_fail(r->err, status, "%s", cause.msg);
	}
	costs->power = costs->nr_missing ? NULL : power;
	return status;
}

enum sahm_status reading_costs(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *chip = cfg_member(r->root, &config_keys[KEY_CHIP]);
	const struct cfg_node *migration = cfg_member(r->root, &config_keys[KEY_MIGRATION]);
	const struct cfg_node *node = cfg_member(chip, &config_keys[KEY_COSTS]);
	struct core_costs own;
	const struct core_costs *table = &own;
	struct hash h;
	enum sahm_status status = reading_number(r, migration, KEY_MIGRATION_ENERGY, &config->costs.migration_uj);
	if (status != SAHM_OK || !node)
		return status;
	status = reading_find_shipped(r, node, &shipped_costs, node->value.string, &config->costs.path);
	if (status != SAHM_OK)
		return status;
	if (config->cache)
		status = run_cache_costs(config->cache, config->costs.path, &table, r->err);
	else
		status = core_costs_read(&own, config->costs.path, r->err);
	if (status != SAHM_OK)
		return status;
	hash_init(&h);
	core_costs_hash(table, &h);
	hash_end(&h, config->costs.hash);
	status = find_power(r, &config->costs, table);
	if (!config->cache)
		core_costs_release(&own);
	return status;
}

void config_hash_costs(const struct run_config *config, struct hash *h)
{
	if (config->costs.migration_uj > 0) {
		uint64_t bits;
		memcpy(&bits, &config->costs.migration_uj, sizeof(bits));
		hash_add_string(h, "energy of migrations");
		hash_add_u64(h, bits);
	}
	if (config->costs.path) {
		hash_add_string(h, "costs");
		hash_add(h, config->costs.hash, HASH_BYTES);
	}
}
