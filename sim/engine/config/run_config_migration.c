/* What moves cost: the group `migration`. */
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"

/* Values in the place of defaults. */
struct profile {
	uint64_t within_ns, beyond_ns; /* migrations between cores that share a last-level cache, and others */
	uint64_t warmup_ns;
};

static const char *const profile_names[] = {"none", "kernel", NULL};

/* docs/policies.md names the source of each number. */
static const struct profile kernel_profile = {.within_ns = 4200, .beyond_ns = 38600, .warmup_ns = 500000};

/* The value of `key`, or where `group` lacks it, that of the profile, or its default. */
static enum sahm_status read_ns(struct reading *r, const struct cfg_node *group, enum config_key key,
				const uint64_t *profile_ns, uint64_t *ns)
{
	if (!profile_ns || cfg_member(group, &config_keys[key]))
		return reading_ns(r, group, key, ns);
	*ns = *profile_ns;
	return SAHM_OK;
}

static enum sahm_status read_level(struct reading *r, const struct cfg_node *node, const struct profile *profile)
{
	static const enum config_key keys[] = {KEY_LEVEL_CORES, KEY_LEVEL_COST};
	struct distances *d = &r->config->distances;
	uint32_t inner = d->nr_levels ? d->levels[d->nr_levels - 1].nr_cores : 1;
	struct distance_level level;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!cfg_member(node, &config_keys[keys[i]]) && !(profile && keys[i] == KEY_LEVEL_COST))
			return reading_fail_missing(r, node, keys[i]);
	enum sahm_status status = reading_count(r, node, KEY_LEVEL_CORES, &level.nr_cores);
	if (status == SAHM_OK)
		status = read_ns(r, node, KEY_LEVEL_COST, profile ? &profile->within_ns : NULL, &level.cost_ns);
	if (status != SAHM_OK)
		return status;
	if (d->nr_levels == MAX_DISTANCE_LEVELS)
		return cfg_fail(node, r->err, "more than %d levels", MAX_DISTANCE_LEVELS);
	const struct cfg_node *cores = cfg_member(node, &config_keys[KEY_LEVEL_CORES]);
	if (level.nr_cores <= inner)
		return cfg_fail(cores, r->err,
				"a level of %u cores after one of %u: levels are in order, smallest blocks first",
				level.nr_cores, inner);
	if (level.nr_cores % inner)
		return cfg_fail(cores, r->err, "a block of %u cores does not consist of whole blocks of %u",
				level.nr_cores, inner);
	d->levels[d->nr_levels++] = level;
	return SAHM_OK;
}

/* The row of costs from core `from`. */
static enum sahm_status read_row(struct reading *r, const struct cfg_node *node, uint32_t from, uint64_t *row)
{
	uint32_t nr_cores = r->config->chip.nr_cores, to = 0;
	if (!(node->kind & (CFG_ARRAY | CFG_LIST)) || node->nr_children != nr_cores)
		return cfg_fail(node, r->err, "row %u of matrix_ms has %u number%s, the chip %u core%s", from,
				node->kind & CFG_NUMBER ? 1 : node->nr_children,
				node->kind & CFG_NUMBER || node->nr_children == 1 ? "" : "s", nr_cores,
				nr_cores == 1 ? "" : "s");
	for (const struct cfg_node *n = node->first; n; n = n->next, to++) {
		double ms;
		enum sahm_status status = cfg_node_number(n, &config_keys[KEY_MATRIX_ROW], &ms, r->err);
		if (status != SAHM_OK)
			return status;
		row[to] = from == to ? 0 : ns_of_ms(ms);
	}
	return SAHM_OK;
}

static enum sahm_status read_matrix(struct reading *r, const struct cfg_node *matrix)
{
	uint32_t nr_cores = r->config->chip.nr_cores, from = 0;
	if (matrix->nr_children != nr_cores)
		return cfg_fail(matrix, r->err, "matrix_ms has %u row%s, the chip %u core%s", matrix->nr_children,
				matrix->nr_children == 1 ? "" : "s", nr_cores, nr_cores == 1 ? "" : "s");
	uint64_t *cost_ns = arena_alloc(&r->config->arena, (size_t)nr_cores * nr_cores, sizeof(*cost_ns));
	if (!cost_ns)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = matrix->first; n; n = n->next, from++) {
		enum sahm_status status = read_row(r, n, from, cost_ns + (size_t)from * nr_cores);
		if (status != SAHM_OK)
			return status;
	}
	r->config->distances.matrix_ns = cost_ns;
	return SAHM_OK;
}

enum sahm_status reading_migration(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *migration = cfg_member(r->root, &config_keys[KEY_MIGRATION]);
	const struct cfg_node *cost = cfg_member(migration, &config_keys[KEY_MIGRATION_COST]);
	const struct cfg_node *levels = cfg_member(migration, &config_keys[KEY_LEVELS]);
	const struct cfg_node *matrix = cfg_member(migration, &config_keys[KEY_MATRIX]);
	size_t name;
	enum sahm_status status = reading_choice(r, migration, KEY_MIGRATION_PROFILE, profile_names, &name);
	if (status != SAHM_OK)
		return status;
	const struct profile *profile = name ? &kernel_profile : NULL;
	bool has_levels = levels && levels->first;
	const uint64_t *cost_ns = !profile || matrix ? NULL : has_levels ? &profile->beyond_ns : &profile->within_ns;
	status = read_ns(r, migration, KEY_MIGRATION_COST, cost_ns, &config->distances.cost_ns);
	if (status == SAHM_OK)
		status = read_ns(r, migration, KEY_WARMUP, profile ? &profile->warmup_ns : NULL, &config->warmup_ns);
	if (status == SAHM_OK && matrix && has_levels)
		return cfg_fail(matrix, r->err,
				"levels and matrix_ms together: either gives the cost of every migration");
	if (status == SAHM_OK && matrix && cost)
		return cfg_fail(cost, r->err,
				"cost_ms has no effect here: matrix_ms gives the cost of every migration");
	for (const struct cfg_node *n = levels ? levels->first : NULL; n && status == SAHM_OK; n = n->next)
		status = read_level(r, n, profile);
	if (status == SAHM_OK && matrix)
		status = read_matrix(r, matrix);
	return status;
}

static void write_levels(const struct distances *d, struct textbuf *b)
{
	if (d->nr_levels == 0)
		return;
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_LEVELS));
	for (uint32_t i = 0; i < d->nr_levels; i++) {
		textbuf_printf(b, "\t\t{\n\t\t\t%s = %u;\n", config_key_leaf(KEY_LEVEL_CORES), d->levels[i].nr_cores);
		config_write_number(b, "\t\t\t", KEY_LEVEL_COST, ms_of_ns(d->levels[i].cost_ns));
		textbuf_printf(b, "\t\t}%s\n", i + 1 < d->nr_levels ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

/* In short: a large matrix must not outgrow MAX_CFG_BYTES. Only a list holds numbers with and without a point. */
static void write_matrix(const struct distances *d, uint32_t nr_cores, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_MATRIX));
	for (uint32_t from = 0; from < nr_cores; from++) {
		textbuf_puts(b, "\t\t(");
		for (uint32_t to = 0; to < nr_cores; to++) {
			textbuf_puts(b, to ? "," : "");
			number_write_double(b, ms_of_ns(d->matrix_ns[(size_t)from * nr_cores + to]), 0);
		}
		textbuf_printf(b, ")%s\n", from + 1 < nr_cores ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void config_write_migration(const struct run_config *config, struct textbuf *b)
{
	if (config->distances.matrix_ns)
		write_matrix(&config->distances, config->chip.nr_cores, b);
	else
		config_write_number(b, "\t", KEY_MIGRATION_COST, ms_of_ns(config->distances.cost_ns));
	write_levels(&config->distances, b);
	config_write_number(b, "\t", KEY_WARMUP, ms_of_ns(config->warmup_ns));
	if (config->costs.migration_uj > 0)
		config_write_number(b, "\t", KEY_MIGRATION_ENERGY, config->costs.migration_uj);
}

void config_hash_migration(const struct run_config *config, struct hash *h)
{
	const struct distances *d = &config->distances;
	size_t nr_costs = (size_t)config->chip.nr_cores * config->chip.nr_cores;
	if (d->nr_levels) {
		hash_add_string(h, "levels");
		hash_add_u64(h, d->nr_levels);
	}
	for (uint32_t i = 0; i < d->nr_levels; i++) {
		hash_add_u64(h, d->levels[i].nr_cores);
		hash_add_u64(h, d->levels[i].cost_ns);
	}
	if (d->matrix_ns)
		hash_add_string(h, "matrix");
	for (size_t i = 0; i < nr_costs && d->matrix_ns; i++)
		hash_add_u64(h, d->matrix_ns[i]);
	if (config->warmup_ns) {
		hash_add_string(h, "warm-up");
		hash_add_u64(h, config->warmup_ns);
	}
}
