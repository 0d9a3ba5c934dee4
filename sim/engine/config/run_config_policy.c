/* The policy: one that is built in, by its name, or that of a plug-in, by its path. */

#include "sim/base/array.h"
#include "sim/engine/config/run_config_internal.h"

/* Whatever is wrong with a plug-in is no mistake in the command line that names it. */
static enum sahm_status read_plugin(struct reading *r, const struct cfg_node *node, const char *name)
{
	struct run_config *config = r->config;
	struct sahm_err cause, message;
	const char *path;
	enum sahm_status status = reading_find_beside(r, node, "policy", name, &path);
	if (status != SAHM_OK)
		return status;
	status = sched_plugin_open(&config->plugin, path, sched_policies, &cause);
	/* On the command line it stands by itself. */
	if (status != SAHM_OK && node->line == 0)
		return sahm_fail(r->err, status, "%s", cause.msg);
	if (status != SAHM_OK) {
		cfg_fail(node, &message, "%s", cause.msg);
		return sahm_fail(r->err, status, "%s", message.msg);
	}
	config->policy = sched_plugin_ops(config->plugin);
	return SAHM_OK;
}

enum sahm_status reading_policy(struct reading *r, const struct cfg_node *scheduler)
{
	const char *name = cfg_string(scheduler, &config_keys[KEY_POLICY]);
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

void config_write_policy(const struct run_config *config, struct textbuf *b)
{
	config_write_string(b, "\t", KEY_POLICY,
			    config->plugin ? sched_plugin_path(config->plugin) : config->policy->name);
}

/* A plug-in is what it does, not where it lies. */
void config_hash_plugin(const struct sched_plugin *plugin, struct hash *h)
{
	if (!plugin)
		return;
	hash_add_string(h, "plug-in");
	hash_add(h, sched_plugin_hash(plugin), HASH_BYTES);
}
