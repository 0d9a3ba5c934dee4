/* Settings: the input is a row of them with NUL bytes between, carried out one after the other on a small
 * configuration.
 */
#include "tests/fuzz/use_cfg.h"

#define MOST_SETTINGS 8u

static const char base[] = "chip : { cores = (\n"
			   "  { type = \"baseline\"; count = 2; },\n"
			   "  { type = \"branch\"; speedup_pct = [ 30.0 ]; }\n"
			   "); };\n"
			   "workload : { traces = [ \"a.csv\", \"b.csv\" ]; };\n"
			   "scheduler : { inertia = 5; oracle = true; };\n";

/* Whether the schema knows the keys of all settings so far; SAHM_USAGE says which it does not. */
static void use_settings(struct cfg_node *root)
{
	struct sahm_err err;
	enum sahm_status status = cfg_apply_units(root, "", config_keys, NR_CONFIG_KEYS, &err);
	if (status == SAHM_OK)
		status = cfg_check(root, config_keys, NR_CONFIG_KEYS, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_USAGE);
		must_explain(&err, status, "--set ");
		return;
	}
	use_links(root);
	use_checked(root);
	use_writing(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err;
	close_stdin();
	if (reaches_out((const char *)data, size))
		return 0;
	MUST(cfg_read_text(&a, "base.cfg", base, sizeof(base) - 1, &root, NULL) == SAHM_OK);
	use_settings(root);
	const uint8_t *end = data + size;
	for (unsigned i = 0; i < MOST_SETTINGS && data < end; i++) {
		const uint8_t *nul = memchr(data, '\0', (size_t)(end - data));
		char *setting = arena_strndup(&a, (const char *)data, (size_t)((nul ? nul : end) - data));
		MUST(setting);
		enum sahm_status status = cfg_set(&a, root, config_keys, NR_CONFIG_KEYS, setting, &err);
		if (status != SAHM_OK) {
			MUST(status == SAHM_USAGE);
			must_explain(&err, status, "--set ");
			break;
		}
		use_settings(root);
		data = nul ? nul + 1 : end;
	}
	arena_release(&a);
	return 0;
}
