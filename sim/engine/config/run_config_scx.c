/* Settings of a policy that was built from a kernel scheduler: read, written and hashed. */
#include <string.h>

#include "sched/host/bpf_image.h"
#include "sim/engine/config/run_config_internal.h"

/* The next of the settings in `text`, without blanks around it; *text is after it. Its length, 0 where there is none.
 */
static size_t next_setting(const char **text, const char **setting)
{
	*setting = *text + strspn(*text, "; ");
	size_t len = strcspn(*setting, ";");
	*text = *setting + len;
	while (len > 0 && (*setting)[len - 1] == ' ')
		len--;
	return len;
}

enum sahm_status reading_scx_settings(struct reading *r, const struct cfg_node *scheduler)
{
	struct run_config *config = r->config;
	const struct cfg_node *node = cfg_member(scheduler, &config_keys[KEY_SCX_SET]);
	const struct sahm_bpf_program *program = config->policy->sahm_bpf;
	const char *text = cfg_string(scheduler, &config_keys[KEY_SCX_SET]), *setting;
	if (!node || !*text)
		return SAHM_OK;
	if (!program)
		return cfg_fail(node, r->err,
				"'scx_set' has no effect here: policy '%s' was not built from a kernel scheduler",
				config->policy->name);
	/* No more settings than separators. */
	config->scx_settings = arena_alloc(&config->arena, strlen(text) / 2 + 1, sizeof(*config->scx_settings));
	/* Written with "; " between them. */
	char *joined = arena_alloc(&config->arena, 2 * strlen(text) + 1, 1);
	if (!config->scx_settings || !joined)
		return sahm_fail_nomem(r->err);
	config->scx_set = joined;
	for (size_t len; (len = next_setting(&text, &setting)) > 0;) {
		struct sahm_err cause;
		char *copy = arena_alloc(&config->arena, len + 1, 1);
		if (!copy)
			return sahm_fail_nomem(r->err);
		memcpy(copy, setting, len);
		enum sahm_status status = bpf_setting_check(program, copy, &cause);
		if (status != SAHM_OK)
			return cfg_fail(node, r->err, "%s", cause.msg);
		if (config->nr_scx_settings > 0)
			joined = stpcpy(joined, "; ");
		joined = stpcpy(joined, copy);
		config->scx_settings[config->nr_scx_settings++] = copy;
	}
	return SAHM_OK;
}

void config_write_scx_settings(const struct run_config *config, struct textbuf *b)
{
	if (config->nr_scx_settings > 0)
		config_write_string(b, "\t", KEY_SCX_SET, config->scx_set);
}

void config_hash_scx_settings(const struct run_config *config, struct hash *h)
{
	if (config->nr_scx_settings == 0)
		return;
	hash_add_string(h, "settings of the policy");
	for (uint32_t i = 0; i < config->nr_scx_settings; i++)
		hash_add_string(h, config->scx_settings[i]);
}
