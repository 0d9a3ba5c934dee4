/* Whose cores and threads are whose: tenants, their weights, and on which cores a thread may run, those of its tenant
 * that its affinity names. */
#include <string.h>

#include "cores/chip/core_list.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/sim.h"

enum sahm_status reading_tenant(struct reading *r, const struct cfg_node *group, enum config_key key,
				const char **tenant)
{
	char path[CFG_PATH_BYTES];
	const struct cfg_node *node = cfg_member(group, &config_keys[key]);
	*tenant = node ? node->value.string : NULL;
	if (node && !**tenant)
		return cfg_fail(node, r->err, "'%s' is empty", cfg_path(node, path));
	return SAHM_OK;
}

/* The set of `tenant` (NULL: of threads without one), made where it is new; NULL when memory is short. */
static uint64_t *owned_by(struct reading *r, const char *tenant)
{
	uint32_t *index = tenant ? strtable_at(&r->owners, tenant) : NULL;
	if (tenant && !index)
		return NULL;
	if (tenant && *index == 0) {
		*index = r->nr_owned;
		r->owned[r->nr_owned++] =
			arena_alloc(&r->config->arena, core_set_words(r->config->chip.nr_cores), sizeof(**r->owned));
	}
	return r->owned[tenant ? *index : 0];
}

/* The number of the tenant called so, made where it is new; 0 when memory is short. */
static uint32_t number_of(struct reading *r, const char *name)
{
	struct run_config *config = r->config;
	uint32_t *number = strtable_at(&r->tenants, name);
	if (number && *number == 0) {
		config->tenants[config->nr_tenants] = (struct host_tenant){name, DEFAULT_WEIGHT};
		*number = ++config->nr_tenants;
	}
	return number ? *number : 0;
}

/* A tenant of the list: its weight, and its cores, those of nobody, unless it has others. */
static enum sahm_status read_listed(struct reading *r, const struct cfg_node *node)
{
	const struct cfg_node *name = cfg_member(node, &config_keys[KEY_TENANT_NAME]);
	const char *text;
	if (!name)
		return reading_fail_missing(r, node, KEY_TENANT_NAME);
	enum sahm_status status = reading_tenant(r, node, KEY_TENANT_NAME, &text);
	if (status != SAHM_OK)
		return status;
	for (const struct cfg_node *n = node->parent->first; n != node; n = n->next)
		if (strcmp(cfg_member(n, &config_keys[KEY_TENANT_NAME])->value.string, text) == 0)
			return cfg_fail(name, r->err, "two tenants are called '%.60s'", text);
	uint32_t number = number_of(r, text);
	uint32_t *index = strtable_at(&r->owners, text);
	if (!number || !index)
		return sahm_fail_nomem(r->err);
	if (*index == 0) {
		*index = r->nr_owned;
		r->owned[r->nr_owned++] = r->owned[0];
	}
	return reading_count(r, node, KEY_TENANT_WEIGHT, &r->config->tenants[number - 1].weight);
}

enum sahm_status reading_tenants(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *listed = cfg_member(workload, &config_keys[KEY_TENANTS]);
	uint32_t first = 0, nr_listed = listed ? listed->nr_children : 0;
	size_t room = (size_t)config->nr_groups + nr_listed;
	r->owned = arena_alloc(&config->arena, room + 1, sizeof(*r->owned));
	config->tenants = arena_alloc(&config->arena, room, sizeof(*config->tenants));
	config->lists_tenants = nr_listed > 0;
	if (!r->owned || !config->tenants)
		return sahm_fail_nomem(r->err);
	r->owned[r->nr_owned++] =
		arena_alloc(&config->arena, core_set_words(config->chip.nr_cores), sizeof(**r->owned));
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		uint64_t *set = owned_by(r, group->count ? group->tenant : NULL);
		if (!set || (group->tenant && !number_of(r, group->tenant)))
			return sahm_fail_nomem(r->err);
		if (group->count)
			core_set_add(set, first, first + group->count - 1);
		first += group->count;
	}
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *n = listed ? listed->first : NULL; n && status == SAHM_OK; n = n->next)
		status = read_listed(r, n);
	return status;
}

static bool is_empty(const uint64_t *set, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (set[w])
			return false;
	return true;
}

/* Fails for a tenant that has no cores. */
static enum sahm_status fail_tenant(struct reading *r, const struct cfg_node *node, const char *tenant)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, tenant);
	for (uint32_t g = 0; g < r->config->nr_groups; g++)
		if (r->config->groups[g].tenant && r->config->groups[g].count)
			suggest_offer(&s, r->config->groups[g].tenant);
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *listed = cfg_member(workload, &config_keys[KEY_TENANTS]);
	for (const struct cfg_node *n = listed ? listed->first : NULL; n; n = n->next)
		suggest_offer(&s, cfg_member(n, &config_keys[KEY_TENANT_NAME])->value.string);
	return cfg_fail(node, r->err, "tenant '%.60s' owns no cores%s", tenant, suggest_text(&s, near));
}

enum sahm_status reading_find_tenant(struct reading *r, const struct cfg_node *node, uint32_t *number)
{
	const char *name = node->value.string;
	if (!strtable_find(&r->owners, name))
		return fail_tenant(r, node, name);
	*number = *strtable_find(&r->tenants, name);
	return SAHM_OK;
}

/* The cores of `tenant` (NULL: of threads without one), which has some unless every core has another tenant. */
static const uint64_t *cores_of(const struct reading *r, const char *tenant)
{
	return r->owned[tenant ? *strtable_find(&r->owners, tenant) : 0];
}

/* Fails where the thread `th`, which the group at `node` describes, has no cores. */
static enum sahm_status check_owned(struct reading *r, const struct cfg_node *node, struct run_thread *th)
{
	if (th->tenant) {
		const struct cfg_node *tenant = cfg_member(node, &config_keys[KEY_TRACE_TENANT]);
		enum sahm_status status = reading_find_tenant(r, tenant, &th->tenant_number);
		if (status != SAHM_OK)
			return status;
	}
	if (!is_empty(cores_of(r, th->tenant), core_set_words(r->config->chip.nr_cores)))
		return SAHM_OK;
	if (th->tenant)
		return cfg_fail(node, r->err, "tenant '%.60s' owns no cores, and every core has a tenant", th->tenant);
	return cfg_fail(node, r->err, "a thread without a tenant, and every core has one");
}

/* Fails for a thread that may run nowhere. `node` is its affinity, or what moves it to `tenant`. */
static enum sahm_status fail_set(struct reading *r, const struct cfg_node *node, const char *affinity,
				 const char *tenant)
{
	char path[CFG_PATH_BYTES];
	const char *which = node->value.string == affinity ? "these" : "the thread's";
	cfg_path(node, path);
	if (!tenant)
		return cfg_fail(node, r->err, "'%s': each of %s cores has a tenant, the thread has none", path, which);
	if (cores_of(r, tenant) == r->owned[0])
		return cfg_fail(node, r->err, "'%s': each of %s cores has a tenant, and '%.60s' owns none", path, which,
				tenant);
	return cfg_fail(node, r->err, "'%s': none of %s cores belongs to tenant '%.60s'", path, which, tenant);
}

enum sahm_status reading_set(struct reading *r, const struct cfg_node *node, const char *affinity, const char *tenant,
			     const uint64_t **made)
{
	char path[CFG_PATH_BYTES];
	uint32_t nr_cores = r->config->chip.nr_cores;
	size_t words = core_set_words(nr_cores);
	const uint64_t *owned = cores_of(r, tenant);
	uint64_t *set = arena_alloc(&r->config->arena, words, sizeof(*set));
	uint64_t *all = arena_alloc(&r->config->arena, words, sizeof(*all));
	struct sahm_err cause;
	if (!set || !all)
		return sahm_fail_nomem(r->err);
	core_set_add(all, 0, nr_cores - 1);
	if (!affinity)
		memcpy(set, all, words * sizeof(*set));
	else if (core_list_read(affinity, nr_cores, set, &cause) != SAHM_OK)
		return cfg_fail(node, r->err, "'%s': %s", cfg_path(node, path), cause.msg);
	for (size_t w = 0; w < words; w++)
		set[w] &= owned[w];
	if (is_empty(set, words))
		return fail_set(r, node, affinity, tenant);
	*made = memcmp(set, all, words * sizeof(*set)) == 0 ? NULL : set;
	return SAHM_OK;
}

enum sahm_status reading_allowed(struct reading *r, const struct cfg_node *node, struct run_thread *th)
{
	const struct cfg_node *group = node->kind == CFG_GROUP ? node : NULL;
	const struct cfg_node *affinity = cfg_member(group, &config_keys[KEY_TRACE_AFFINITY]);
	struct textbuf key;
	enum sahm_status status = reading_tenant(r, group, KEY_TRACE_TENANT, &th->tenant);
	th->affinity = affinity ? affinity->value.string : NULL;
	if (status == SAHM_OK)
		status = check_owned(r, node, th);
	if (status != SAHM_OK)
		return status;
	/* What is written the same means the same: long lists and many threads are worked out once. */
	textbuf_init(&key);
	textbuf_printf(&key, "%zu:%s", th->tenant ? strlen(th->tenant) : 0, th->tenant ? th->tenant : "");
	if (affinity)
		textbuf_printf(&key, "=%s", th->affinity);
	uint32_t *index = textbuf_failed(&key) ? NULL : strtable_at(&r->allowed, key.text);
	textbuf_release(&key);
	if (!index)
		return sahm_fail_nomem(r->err);
	if (*index == 0) {
		status = reading_set(r, affinity, th->affinity, th->tenant, &r->sets[r->nr_sets]);
		if (status == SAHM_OK)
			*index = ++r->nr_sets;
	}
	if (status == SAHM_OK)
		th->allowed = r->sets[*index - 1];
	return status;
}

void config_write_tenants(const struct run_config *config, struct textbuf *b)
{
	if (!config->lists_tenants)
		return;
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_TENANTS));
	for (uint32_t i = 0; i < config->nr_tenants; i++) {
		textbuf_puts(b, "\t\t{\n");
		config_write_string(b, "\t\t\t", KEY_TENANT_NAME, config->tenants[i].name);
		textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_TENANT_WEIGHT), config->tenants[i].weight);
		textbuf_printf(b, "\t\t}%s\n", i + 1 < config->nr_tenants ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void config_hash_tenants(const struct run_config *config, struct hash *h)
{
	if (config->nr_tenants == 0 || (!config->lists_tenants && !config->plugin))
		return;
	hash_add_string(h, "tenants");
	hash_add_u64(h, config->nr_tenants);
	for (uint32_t i = 0; i < config->nr_tenants; i++) {
		hash_add_string(h, config->tenants[i].name);
		hash_add_u64(h, config->tenants[i].weight);
	}
	for (uint32_t t = 0; t < config->nr_threads; t++)
		hash_add_u64(h, config->threads[t].tenant_number);
}
