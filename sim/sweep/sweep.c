#include "sim/sweep/sweep.h"

#include <string.h>

#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/operands.h"
#include "sim/sweep/sweep_internal.h"

/* Sections that are no part of a single run's configuration. */
#define SECTION "sweep"
#define MANIFEST "manifest"
#define BUNDLE "bundle"

bool sweep_limits_memory(uint64_t memory_bytes)
{
	return memory_bytes && memory_bytes < pool_memory();
}

void sweep_begin_worker(const struct sweep_options *options, struct store *store)
{
	store_leave(store);
	if (sweep_limits_memory(options->memory_bytes))
		pool_limit_memory(options->memory_bytes);
	if (options->worker_begin)
		options->worker_begin();
}

uint64_t sweep_shard_points(const struct sweep *sweep, const struct sweep_shard *shard)
{
	uint64_t nr = sweep->space.nr_points;
	return shard->index < nr ? (nr - shard->index + shard->nr - 1) / shard->nr : 0;
}

static const char *name_of(struct arena *a, const char *path)
{
	const char *label = file_label(path), *base = base_name(label);
	char *name = arena_strdup(a, *base ? base : label);
	if (name)
		clean_text(name);
	return name;
}

static enum sahm_status choose_evaluator(struct sweep *sweep, const struct sweep_request *request, struct sahm_err *err)
{
	const char *name = request->evaluator ? request->evaluator : sweep->space.evaluator;
	for (unsigned i = 0; evaluator_names[i]; i++) {
		if (strcmp(name, evaluator_names[i]) != 0)
			continue;
		sweep->evaluator = (enum evaluator)i;
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_USAGE, "unknown evaluator '%.80s' (run, limit)", name);
}

enum sahm_status sweep_write_text(struct sweep *sweep, struct sahm_err *err)
{
	struct textbuf b;
	textbuf_init(&b);
	cfg_write(sweep->base, &b);
	space_write(&sweep->space, &b);
	sweep->text = textbuf_keep(&b, &sweep->arena);
	return sweep->text ? SAHM_OK : sahm_fail_nomem(err);
}

/* `section`, if any, takes the place of that of `key`. */
static enum sahm_status replace_section(struct sweep *sweep, enum config_key key, const struct cfg_node *section,
					struct sahm_err *err)
{
	if (!section)
		return SAHM_OK;
	struct cfg_node *copy = cfg_clone(&sweep->arena, section);
	if (!copy)
		return sahm_fail_nomem(err);
	cfg_take(sweep->base, config_keys[key].path);
	cfg_put(sweep->base, copy);
	return SAHM_OK;
}

enum sahm_status sweep_read(struct sweep *sweep, const struct sweep_request *request, struct sahm_err *err)
{
	*sweep = (struct sweep){.data_folder = request->data_folder};
	arena_init(&sweep->arena);
	enum sahm_status status = cfg_read_or_suggest(&sweep->arena, request->config, request->data_folder, "configs/",
						      &sweep->base, err);
	if (status != SAHM_OK) {
		arena_release(&sweep->arena);
		return status;
	}
	struct cfg_node *section = cfg_take(sweep->base, SECTION);
	sweep->manifest = cfg_take(sweep->base, MANIFEST);
	/* The opener of a bundle has read it before (bundle.h). */
	cfg_take(sweep->base, BUNDLE);
	if (request->traces)
		status = config_replace_traces(&sweep->arena, sweep->base, request->traces, err);
	if (status == SAHM_OK)
		status = replace_section(sweep, KEY_TYPES, request->core_types, err);
	if (status == SAHM_OK)
		status = replace_section(sweep, KEY_CUTS, request->cuts, err);
	for (size_t i = 0; i < request->nr_settings && status == SAHM_OK; i++)
		status = cfg_set(&sweep->arena, sweep->base, config_keys, NR_CONFIG_KEYS, request->settings[i], err);
	if (status == SAHM_OK)
		status = cfg_apply_units(sweep->base, "", config_keys, NR_CONFIG_KEYS, err);
	if (status == SAHM_OK)
		status = cfg_check(sweep->base, config_keys, NR_CONFIG_KEYS, err);
	bool any = false;
	if (status == SAHM_OK)
		status = run_config_settle_paths(&sweep->arena, request->data_folder, "", sweep->base, &any, err);
	if (status == SAHM_OK)
		status = space_read(&sweep->space, section, request->axes, request->nr_axes, request->data_folder, err);
	if (status != SAHM_OK) {
		arena_release(&sweep->arena);
		return status;
	}
	sweep->name = name_of(&sweep->arena, request->config);
	sweep->cache = request->cache ? request->cache : run_cache_new();
	sweep->owns_cache = !request->cache;
	status = choose_evaluator(sweep, request, err);
	sweep->space.evaluator = evaluator_names[sweep->evaluator];
	if (status == SAHM_OK)
		status = sweep_write_text(sweep, err);
	if (status == SAHM_OK && (!sweep->name || !sweep->cache))
		status = sahm_fail_nomem(err);
	if (status != SAHM_OK)
		sweep_release(sweep);
	return status;
}

void sweep_release(struct sweep *sweep)
{
	if (sweep->owns_cache)
		run_cache_free(sweep->cache);
	space_release(&sweep->space);
	arena_release(&sweep->arena);
	*sweep = (struct sweep){0};
}

static enum sahm_status make(const struct sweep *sweep, uint64_t position, const char *last, struct arena *a,
			     struct run_config *config, struct sahm_err *err)
{
	const char **settings = arena_alloc(a, (size_t)sweep->space.max_settings + 1, sizeof(*settings));
	if (!settings)
		return sahm_fail_nomem(err);
	size_t nr = space_settings(&sweep->space, position, settings);
	if (last)
		settings[nr++] = last;
	return run_config_make(config, sweep->base, settings, nr, sweep->data_folder, sweep->cache, err);
}

enum sahm_status sweep_point(const struct sweep *sweep, uint64_t position, struct arena *a, struct run_config *config,
			     struct sahm_err *err)
{
	/* Nobody uses the traces between two points. */
	if (run_cache_bytes(sweep->cache) > MAX_CACHE_BYTES)
		run_cache_clear(sweep->cache);
	return make(sweep, position, NULL, a, config, err);
}

void sweep_warm(const struct sweep *sweep, struct textbuf *notes)
{
	struct run_config config;
	struct arena a;
	arena_init(&a);
	/* No code of a plug-in runs in this process. */
	if (make(sweep, 0, "scheduler.policy=sahm", &a, &config, NULL) == SAHM_OK) {
		textbuf_puts(notes, config.notes.text);
		run_config_release(&config);
	}
	arena_release(&a);
}

/* "<folder>/3/mcf.csv" becomes "mcf.csv". */
static void leave_out(char *text, const char *folder)
{
	size_t len = strlen(folder);
	for (char *at = text; (at = strstr(at, folder));) {
		char *rest = at + len;
		size_t digits = *rest == '/' ? strspn(rest + 1, "0123456789") : 0;
		if (digits > 0 && rest[1 + digits] == '/') {
			rest += digits + 2;
			memmove(at, rest, strlen(rest) + 1);
		} else {
			at = rest;
		}
	}
}

void sweep_explain_memory(uint64_t memory_bytes, char why[SWEEP_MEMORY_BYTES])
{
	snprintf(why, SWEEP_MEMORY_BYTES, "its process needed more than %llu bytes of memory",
		 (unsigned long long)memory_bytes);
}

void sweep_evaluate(const struct sweep *sweep, uint64_t position, uint32_t worker, struct textbuf *answer)
{
	struct run_config config;
	struct record record;
	struct sahm_err err;
	struct arena a;
	struct sweep_answer head = {.status = SAHM_OK};
	arena_init(&a);
	enum sahm_status status = sweep_point(sweep, position, &a, &config, &err);
	if (status == SAHM_OK) {
		status = evaluate_hash(&config, sweep->evaluator, head.hash, &err);
		if (status == SAHM_OK)
			status = evaluate(&config, sweep->evaluator, &a, &record, &err);
		run_config_release(&config);
	}
	head.status = (uint8_t)status;
	if (status != SAHM_OK && sweep->folder)
		leave_out(err.msg, sweep->folder);
	if (status != SAHM_OK)
		status = record_of_failure(&a, err.msg, &record, NULL);
	record.timing.worker = worker;
	/* Without memory there is no answer, and the process is done with. */
	textbuf_add(answer, (const char *)&head, sizeof(head));
	if (status != SAHM_OK)
		answer->failed = true;
	else
		record_encode(&record, answer);
	arena_release(&a);
}
