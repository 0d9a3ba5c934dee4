/* What changes of threads while time runs: workload.changes. */
#include <stdlib.h>

#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"

static enum sahm_status read_change(struct reading *r, const struct cfg_node *node, struct run_change *change)
{
	const struct run_config *config = r->config;
	const struct cfg_node *thread = cfg_member(node, &config_keys[KEY_CHANGE_THREAD]);
	const struct cfg_node *weight = cfg_member(node, &config_keys[KEY_CHANGE_WEIGHT]);
	const struct cfg_node *nice = cfg_member(node, &config_keys[KEY_CHANGE_NICE]);
	const struct cfg_node *affinity = cfg_member(node, &config_keys[KEY_CHANGE_AFFINITY]);
	if (!cfg_member(node, &config_keys[KEY_CHANGE_AT]))
		return reading_fail_missing(r, node, KEY_CHANGE_AT);
	if (!thread)
		return reading_fail_missing(r, node, KEY_CHANGE_THREAD);
	if (!weight && !nice && !affinity)
		return cfg_fail(node, r->err, "a change of nothing: weight, nice or affinity is missing");
	enum sahm_status status = reading_ns(r, node, KEY_CHANGE_AT, &change->change.at_ns);
	if (status == SAHM_OK)
		status = reading_count(r, node, KEY_CHANGE_THREAD, &change->change.thread);
	if (status == SAHM_OK && change->change.thread >= config->nr_threads)
		return cfg_fail(thread, r->err, "thread %u does not exist: the workload has threads 0 to %u",
				change->change.thread, config->nr_threads - 1);
	if (status == SAHM_OK && (weight || nice))
		status = reading_weight(r, node, KEY_CHANGE_WEIGHT, KEY_CHANGE_NICE, &change->change.weight);
	if (status == SAHM_OK && affinity) {
		const struct run_thread *th = &config->threads[change->change.thread];
		change->affinity = affinity->value.string;
		change->change.sets_allowed = true;
		status = reading_set(r, affinity, th->tenant, &change->change.allowed);
	}
	return status;
}

static int compare_changes(const void *a, const void *b)
{
	const struct run_change *x = a, *y = b;
	int order = (x->change.at_ns > y->change.at_ns) - (x->change.at_ns < y->change.at_ns);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

enum sahm_status reading_changes(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *changes = cfg_member(workload, &config_keys[KEY_CHANGES]);
	if (!changes || !changes->first)
		return SAHM_OK;
	if (config->alone)
		return cfg_fail(changes, r->err,
				"changes have no time in mode alone, where each thread has a run of its own");
	config->changes = arena_alloc(&config->arena, changes->nr_children, sizeof(*config->changes));
	if (!config->changes)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = changes->first; n; n = n->next) {
		struct run_change *change = &config->changes[config->nr_changes];
		change->row = config->nr_changes++;
		enum sahm_status status = read_change(r, n, change);
		if (status != SAHM_OK)
			return status;
	}
	qsort(config->changes, config->nr_changes, sizeof(*config->changes), compare_changes);
	return SAHM_OK;
}

void config_write_changes(const struct run_config *config, struct textbuf *b)
{
	if (config->nr_changes == 0)
		return;
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_CHANGES));
	for (uint32_t i = 0; i < config->nr_changes; i++) {
		const struct run_change *change = &config->changes[i];
		textbuf_puts(b, "\t\t{\n");
		config_write_number(b, "\t\t\t", KEY_CHANGE_AT, ms_of_ns(change->change.at_ns));
		textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CHANGE_THREAD), change->change.thread);
		if (change->change.weight)
			textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CHANGE_WEIGHT),
				       change->change.weight);
		if (change->affinity)
			config_write_string(b, "\t\t\t", KEY_CHANGE_AFFINITY, change->affinity);
		textbuf_printf(b, "\t\t}%s\n", i + 1 < config->nr_changes ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void config_hash_changes(const struct run_config *config, struct hash *h)
{
	size_t words = core_set_words(config->chip.nr_cores);
	if (config->nr_changes == 0)
		return;
	hash_add_string(h, "changes");
	hash_add_u64(h, config->nr_changes);
	for (uint32_t i = 0; i < config->nr_changes; i++) {
		const struct sim_change *change = &config->changes[i].change;
		hash_add_u64(h, change->at_ns);
		hash_add_u64(h, change->thread);
		hash_add_u64(h, change->weight);
		hash_add_u64(h, change->sets_allowed);
		hash_add_u64(h, change->allowed != NULL);
		for (size_t w = 0; w < words && change->allowed; w++)
			hash_add_u64(h, change->allowed[w]);
	}
}
