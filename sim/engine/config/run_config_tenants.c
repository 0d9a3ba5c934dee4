/* On which cores a thread may run: those of its tenant that its affinity names. */
#include <string.h>

#include "cores/chip/core_list.h"
#include "sim/base/suggest.h"
#include "sim/engine/config/run_config_internal.h"

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

enum sahm_status reading_owners(struct reading *r)
{
	struct run_config *config = r->config;
	uint32_t first = 0;
	r->owned = arena_alloc(&config->arena, (size_t)config->nr_groups + 1, sizeof(*r->owned));
	if (!r->owned)
		return sahm_fail_nomem(r->err);
	r->owned[r->nr_owned++] =
		arena_alloc(&config->arena, core_set_words(config->chip.nr_cores), sizeof(**r->owned));
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		uint64_t *set = owned_by(r, group->count ? group->tenant : NULL);
		if (!set)
			return sahm_fail_nomem(r->err);
		if (group->count)
			core_set_add(set, first, first + group->count - 1);
		first += group->count;
	}
	return SAHM_OK;
}

static bool is_empty(const uint64_t *set, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (set[w])
			return false;
	return true;
}

/* Fails for a thread whose tenant has no cores. */
static enum sahm_status fail_tenant(struct reading *r, const struct cfg_node *node, const char *tenant)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, tenant);
	for (uint32_t g = 0; g < r->config->nr_groups; g++)
		if (r->config->groups[g].tenant && r->config->groups[g].count)
			suggest_offer(&s, r->config->groups[g].tenant);
	return cfg_fail(node, r->err, "tenant '%.60s' owns no cores%s", tenant, suggest_text(&s, near));
}

/* Fails where the thread `th`, which the group at `node` describes, has no cores. */
static enum sahm_status check_owned(struct reading *r, const struct cfg_node *node, const struct run_thread *th)
{
	const uint32_t *index = th->tenant ? strtable_find(&r->owners, th->tenant) : NULL;
	if (th->tenant && !index)
		return fail_tenant(r, cfg_member(node, &config_keys[KEY_TRACE_TENANT]), th->tenant);
	if (is_empty(r->owned[index ? *index : 0], core_set_words(r->config->chip.nr_cores)))
		return cfg_fail(node, r->err, "a thread without a tenant, and every core has one");
	return SAHM_OK;
}

enum sahm_status reading_set(struct reading *r, const struct cfg_node *affinity, const char *tenant,
			     const uint64_t **made)
{
	char path[CFG_PATH_BYTES];
	uint32_t nr_cores = r->config->chip.nr_cores;
	size_t words = core_set_words(nr_cores);
	const uint32_t *index = tenant ? strtable_find(&r->owners, tenant) : NULL;
	const uint64_t *owned = r->owned[index ? *index : 0];
	uint64_t *set = arena_alloc(&r->config->arena, words, sizeof(*set));
	uint64_t *all = arena_alloc(&r->config->arena, words, sizeof(*all));
	struct sahm_err cause;
	if (!set || !all)
		return sahm_fail_nomem(r->err);
	core_set_add(all, 0, nr_cores - 1);
	if (!affinity)
		memcpy(set, all, words * sizeof(*set));
	else if (core_list_read(affinity->value.string, nr_cores, set, &cause) != SAHM_OK)
		return cfg_fail(affinity, r->err, "'%s': %s", cfg_path(affinity, path), cause.msg);
	for (size_t w = 0; w < words; w++)
		set[w] &= owned[w];
	if (is_empty(set, words) && tenant)
		return cfg_fail(affinity, r->err, "'%s': none of these cores belongs to tenant '%.60s'",
				cfg_path(affinity, path), tenant);
	if (is_empty(set, words))
		return cfg_fail(affinity, r->err, "'%s': each of these cores has a tenant, the thread has none",
				cfg_path(affinity, path));
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
		status = reading_set(r, affinity, th->tenant, &r->sets[r->nr_sets]);
		if (status == SAHM_OK)
			*index = ++r->nr_sets;
	}
	if (status == SAHM_OK)
		th->allowed = r->sets[*index - 1];
	return status;
}
