/* Manifests: the input is a file with a section `manifest`, of a sweep of 21 points. */
#include "sim/sweep/manifest.h"
#include "tests/fuzz/use_cfg.h"

static void use_manifest(const struct manifest *m)
{
	struct sweep_plan plan = {0};
	struct sahm_err err;
	MUST(m->program && m->identity && m->nr_points >= 1 && m->block >= 1);
	MUST(m->shard.nr >= 1 && m->shard.index < m->shard.nr);
	MUST(m->nr_results == (21 + m->block - 1) / m->block);
	for (uint32_t i = 0; i < m->nr_results; i++)
		MUST(m->results[i]);
	for (uint32_t i = 0; i < m->nr_inputs; i++)
		MUST(m->inputs[i].kind && m->inputs[i].path && m->inputs[i].hash);
	struct sweep_input input = {.kind = "trace", .path = m->nr_inputs ? m->inputs[0].path : ""};
	plan.inputs = &input;
	plan.nr_inputs = 1;
	enum sahm_status status = manifest_check_plan(m, &plan, &err);
	MUST(status == SAHM_OK || status == SAHM_CHECKSUM);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sweep sweep = {.name = "in.manifest", .space = {.nr_points = 21}};
	struct cfg_node *root;
	struct manifest m;
	struct sahm_err err;
	const char *text = (const char *)data;
	if (reaches_out(text, size))
		return 0;
	arena_init(&sweep.arena);
	enum sahm_status status = cfg_read_text(&sweep.arena, "in.manifest", text, size, &root, &err);
	if (status == SAHM_OK) {
		sweep.manifest = cfg_take(root, "manifest");
		status = manifest_read(&sweep, &m, &err);
		if (status == SAHM_OK)
			use_manifest(&m);
	}
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		must_explain(&err, status, "");
	}
	arena_release(&sweep.arena);
	return 0;
}
