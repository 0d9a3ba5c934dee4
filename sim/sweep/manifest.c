#include "sim/sweep/manifest.h"

#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/engine/model.h"

/* The keys of a manifest, the section `manifest` after a sweep's configuration:
 * KEY(symbol, path after "manifest.", kinds, unit, default as written, min, max, help). */
#define MANIFEST_KEYS(KEY)                                                                                             \
	KEY(MANIFEST_PROGRAM, "program", CFG_STRING, "", "", 0, 0, "the program that made the results; required")      \
	KEY(MANIFEST_IDENTITY, "identity", CFG_STRING, "", "", 0, 0,                                                   \
	    "hash of the sweep: of its axes and of what every point is; required")                                     \
	KEY(MANIFEST_SHARD, "shard", CFG_STRING, "\"1/4\"", "1/1", 0, 0, "which of how many parts of the points")      \
	KEY(MANIFEST_THREADS, "threads", CFG_BOOL, "", "true", 0, 0, "whether results have a row per thread")          \
	KEY(MANIFEST_TIMEOUT, "timeout_s", CFG_INT, "s", "0", 0, MAX_TIMEOUT_S,                                        \
	    "how long a run could take before it had failed; 0: any time")                                             \
	KEY(MANIFEST_MEMORY, "memory_bytes", CFG_INT, "bytes", "0", 0, (double)MAX_MEMORY_BYTES,                       \
	    "memory that the process of a run could have before the run had failed; 0: any")                           \
	KEY(MANIFEST_POINTS, "points", CFG_INT, "points", "", 1, MAX_SPACE_POINTS,                                     \
	    "points that have results; required")                                                                      \
	KEY(MANIFEST_BLOCK, "block", CFG_INT, "positions", "", 1, MAX_SPACE_POINTS,                                    \
	    "positions that a digest covers; required")                                                                \
	KEY(MANIFEST_RESULTS, "results", CFG_LIST | CFG_ARRAY, "", "", 0, 0,                                           \
	    "digests of the results, a block each; required")                                                          \
	KEY(MANIFEST_RESULT, "results[]", CFG_STRING, "", "", 0, 0, "one digest")                                      \
	KEY(MANIFEST_INPUTS, "inputs", CFG_LIST, "", "", 0, 0, "files that were read, but for configurations")         \
	KEY(MANIFEST_INPUT, "inputs[]", CFG_GROUP, "", "", 0, 0, "one file")                                           \
	KEY(MANIFEST_INPUT_KIND, "inputs[].kind", CFG_STRING, "", "", 0, 0,                                            \
	    "its kind: trace, list of bursts, plug-in ...; required")                                                  \
	KEY(MANIFEST_INPUT_FILE, "inputs[].file", CFG_STRING, "", "", 0, 0, "its path; required")                      \
	KEY(MANIFEST_INPUT_HASH, "inputs[].hash", CFG_STRING, "", "", 0, 0, "hash of its contents; required")

enum manifest_key { MANIFEST_KEYS(ROW_SYMBOL) NR_MANIFEST_KEYS };

static const struct cfg_key manifest_keys[] = {MANIFEST_KEYS(CFG_KEY_ROW)};

bool sweep_shard_read(const char *text, struct sweep_shard *shard)
{
	const char *slash = strchr(text, '/');
	uint64_t which, nr;
	if (!slash || number_read_u64(text, (size_t)(slash - text), &which) != NUMBER_OK ||
	    number_read_u64(slash + 1, strlen(slash + 1), &nr) != NUMBER_OK || which < 1 || which > nr)
		return false;
	*shard = (struct sweep_shard){which - 1, nr};
	return true;
}

/* Positions that a digest covers: a power of two, so that blocks of sweeps of one size are the same. */
static uint64_t block_of(uint64_t nr_points)
{
	uint64_t block = 1;
	while (block * MAX_MANIFEST_BLOCKS < nr_points)
		block *= 2;
	return block;
}

static enum sahm_status digest_block(struct store *store, int64_t sweep, uint64_t first, uint64_t block, bool threads,
				     char hex[DIGEST_HEX_BYTES], struct sahm_err *err)
{
	uint8_t hash[HASH_BYTES];
	char whole[HASH_HEX_BYTES];
	enum sahm_status status = store_digest(store, sweep, first, first + block - 1, threads, hash, err);
	if (status != SAHM_OK)
		return status;
	hash_hex(hash, whole);
	memcpy(hex, whole, DIGEST_HEX_BYTES - 1);
	hex[DIGEST_HEX_BYTES - 1] = '\0';
	return SAHM_OK;
}

static enum sahm_status write_results(const struct sweep *sweep, const struct sweep_options *options,
				      struct store *store, const struct sweep_plan *plan, struct textbuf *out,
				      struct sahm_err *err)
{
	uint64_t nr = sweep->space.nr_points, block = block_of(nr);
	enum sahm_status status = SAHM_OK;
	textbuf_printf(out, "\tblock = %llu;\n\tresults = [", (unsigned long long)block);
	for (uint64_t first = 0; first < nr && status == SAHM_OK; first += block) {
		char hex[DIGEST_HEX_BYTES];
		status = digest_block(store, plan->part.sweep, first, block, options->keep_threads, hex, err);
		textbuf_printf(out, "%s\n\t\t\"%s\"", first ? "," : "", hex);
	}
	textbuf_puts(out, "\n\t];\n");
	return status;
}

enum sahm_status manifest_write(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
				const struct sweep_plan *plan, struct textbuf *out, struct sahm_err *err)
{
	char hex[HASH_HEX_BYTES];
	hash_hex(plan->identity, hex);
	textbuf_printf(
		out,
		MANIFEST_BEGIN "%s: `sahm rerun` does it again and compares.\n%smanifest = {\n"
			       "\tprogram = \"%s\";\n\tidentity = \"%s\";\n\tshard = \"%llu/%llu\";\n\tthreads = %s;\n"
			       "\ttimeout_s = %u;\n",
		sweep->name, sweep->text, model_version(), hex, (unsigned long long)options->shard.index + 1,
		(unsigned long long)options->shard.nr, options->keep_threads ? "true" : "false", options->timeout_s);
	if (options->memory_bytes)
		textbuf_printf(out, "\tmemory_bytes = %lluL;\n", (unsigned long long)options->memory_bytes);
	textbuf_printf(out, "\tpoints = %llu;\n", (unsigned long long)sweep_shard_points(sweep, &options->shard));
	enum sahm_status status = write_results(sweep, options, store, plan, out, err);
	textbuf_puts(out, "\tinputs = (");
	for (size_t i = 0; i < plan->nr_inputs; i++) {
		hash_hex(plan->inputs[i].hash, hex);
		textbuf_printf(out, "%s\n\t\t{ kind = \"%s\"; file = ", i ? "," : "", plan->inputs[i].kind);
		cfg_write_string(out, plan->inputs[i].path);
		textbuf_printf(out, "; hash = \"%s\"; }", hex);
	}
	textbuf_puts(out, "\n\t);\n};\n");
	return status == SAHM_OK && textbuf_failed(out) ? sahm_fail_nomem(err) : status;
}

static enum sahm_status read_required(const struct cfg_node *group, enum manifest_key key, const char **value,
				      struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group, &manifest_keys[key]);
	if (!node)
		return cfg_fail(group, err, "missing key 'manifest.%s': %s", manifest_keys[key].path,
				manifest_keys[key].help);
	*value = node->value.string;
	return SAHM_OK;
}

static enum sahm_status read_number(const struct cfg_node *group, enum manifest_key key, uint64_t *value,
				    struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group, &manifest_keys[key]);
	double number;
	if (!node)
		return cfg_fail(group, err, "missing key 'manifest.%s': %s", manifest_keys[key].path,
				manifest_keys[key].help);
	enum sahm_status status = cfg_node_number(node, &manifest_keys[key], &number, err);
	*value = status == SAHM_OK ? (uint64_t)number : 0;
	return status;
}

static enum sahm_status read_lists(struct sweep *sweep, struct manifest *m, struct sahm_err *err)
{
	const struct cfg_node *section = sweep->manifest;
	const struct cfg_node *results = cfg_member(section, &manifest_keys[MANIFEST_RESULTS]);
	const struct cfg_node *inputs = cfg_member(section, &manifest_keys[MANIFEST_INPUTS]);
	uint64_t nr_blocks = (sweep->space.nr_points + m->block - 1) / m->block;
	enum sahm_status status = SAHM_OK;
	if (!results || results->nr_children != nr_blocks)
		return cfg_fail(results ? results : section, err, "%u digests of results, but %llu blocks of %llu",
				results ? results->nr_children : 0, (unsigned long long)nr_blocks,
				(unsigned long long)m->block);
	m->results = arena_alloc(&sweep->arena, nr_blocks, sizeof(*m->results));
	m->inputs = arena_alloc(&sweep->arena, inputs ? inputs->nr_children : 0, sizeof(*m->inputs));
	if (!m->results || !m->inputs)
		return sahm_fail_nomem(err);
	for (const struct cfg_node *n = results->first; n; n = n->next)
		m->results[m->nr_results++] = n->value.string;
	for (const struct cfg_node *n = inputs ? inputs->first : NULL; n && status == SAHM_OK; n = n->next) {
		struct manifest_input *input = &m->inputs[m->nr_inputs++];
		status = read_required(n, MANIFEST_INPUT_KIND, &input->kind, err);
		if (status == SAHM_OK)
			status = read_required(n, MANIFEST_INPUT_FILE, &input->path, err);
		if (status == SAHM_OK)
			status = read_required(n, MANIFEST_INPUT_HASH, &input->hash, err);
	}
	return status;
}

enum sahm_status manifest_read(struct sweep *sweep, struct manifest *m, struct sahm_err *err)
{
	const struct cfg_node *section = sweep->manifest;
	double timeout_s = 0, memory_bytes = 0;
	*m = (struct manifest){0};
	if (!section)
		return sahm_fail_at(
			err, SAHM_CONFIG, sweep->name, 0,
			"it has no section 'manifest': `sahm sweep` writes one beside the results file when a "
			"sweep is done");
	enum sahm_status status = cfg_check(section, manifest_keys, NR_MANIFEST_KEYS, err);
	if (status == SAHM_OK)
		status = read_required(section, MANIFEST_PROGRAM, &m->program, err);
	if (status == SAHM_OK)
		status = read_required(section, MANIFEST_IDENTITY, &m->identity, err);
	if (status == SAHM_OK)
		status = read_number(section, MANIFEST_POINTS, &m->nr_points, err);
	if (status == SAHM_OK)
		status = read_number(section, MANIFEST_BLOCK, &m->block, err);
	if (status == SAHM_OK)
		status = cfg_number(section, &manifest_keys[MANIFEST_TIMEOUT], &timeout_s, err);
	if (status == SAHM_OK)
		status = cfg_number(section, &manifest_keys[MANIFEST_MEMORY], &memory_bytes, err);
	if (status != SAHM_OK)
		return status;
	m->timeout_s = (unsigned)timeout_s;
	m->memory_bytes = (uint64_t)memory_bytes;
	m->threads = cfg_bool(section, &manifest_keys[MANIFEST_THREADS]);
	if (!sweep_shard_read(cfg_string(section, &manifest_keys[MANIFEST_SHARD]), &m->shard))
		return cfg_fail(cfg_member(section, &manifest_keys[MANIFEST_SHARD]), err,
				"a shard is written as I/N, I from 1 to N");
	return read_lists(sweep, m, err);
}

enum sahm_status manifest_check_plan(const struct manifest *m, const struct sweep_plan *plan, struct sahm_err *err)
{
	char hex[HASH_HEX_BYTES];
	for (uint32_t i = 0; i < m->nr_inputs; i++) {
		const struct manifest_input *was = &m->inputs[i];
		for (size_t k = 0; k < plan->nr_inputs; k++) {
			if (strcmp(plan->inputs[k].path, was->path) != 0)
				continue;
			hash_hex(plan->inputs[k].hash, hex);
			if (strcmp(hex, was->hash) != 0)
				return sahm_fail(err, SAHM_CHECKSUM,
						 "%s '%s' has other contents than when the manifest was made: its "
						 "hash is %s, not %s",
						 was->kind, was->path, hex, was->hash);
		}
	}
	hash_hex(plan->identity, hex);
	if (strcmp(m->program, model_version()) == 0 && strcmp(m->identity, hex) != 0)
		return sahm_fail(err, SAHM_CHECKSUM,
				 "the sweep is another one than when the manifest was made: it was edited, or what it "
				 "reads was moved or renamed");
	return SAHM_OK;
}

enum sahm_status manifest_check_results(const struct manifest *m, struct store *store, int64_t sweep,
					uint64_t nr_positions, uint32_t *nr_differing, uint64_t *first, uint64_t *last,
					struct sahm_err *err)
{
	*nr_differing = 0;
	for (uint32_t i = 0; i < m->nr_results; i++) {
		char hex[DIGEST_HEX_BYTES];
		enum sahm_status status = digest_block(store, sweep, i * m->block, m->block, m->threads, hex, err);
		if (status != SAHM_OK)
			return status;
		if (strcmp(hex, m->results[i]) == 0)
			continue;
		if ((*nr_differing)++ == 0) {
			*first = i * m->block;
			*last = *first + m->block - 1;
			if (*last >= nr_positions)
				*last = nr_positions - 1;
		}
	}
	return SAHM_OK;
}
