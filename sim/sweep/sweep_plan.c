/* Planning: every point resolved and hashed by workers, taken in the order of positions. */
#include <stdlib.h>
#include <string.h>

#include "results/metrics/trace_words.h"
#include "sim/base/clock.h"
#include "sim/base/strtable.h"
#include "sim/engine/model.h"
#include "sim/sweep/sweep_internal.h"

/* Points that are resolved in one job. */
#define CHUNK 64u

/* The answer to a chunk that has come before its turn. */
struct early {
	uint64_t chunk;
	char *bytes;
	size_t len;
	struct early *next;
};

struct planning {
	const struct sweep *sweep;
	const struct sweep_options *options;
	struct store *store;
	struct sweep_plan *plan;
	struct hash identity;
	uint64_t nr_chunks, handed_out, taken;
	struct early *early;
	struct counter_origins origins; /* of the traces of all points */
	struct strtable inputs, notes;	/* those that are in the plan */
	size_t room_inputs;
	uint64_t started_ns;
	/* In a worker: paths of inputs that it has reported, and where it reports others. */
	struct arena told_arena;
	struct strtable told;
	struct textbuf *telling;
};

static uint64_t last_of(const struct planning *p, uint64_t chunk)
{
	uint64_t end = (chunk + 1) * CHUNK, nr = p->sweep->space.nr_points;
	return end < nr ? end : nr;
}

static void put(struct textbuf *answer, const void *bytes, size_t len)
{
	uint64_t nr = len;
	textbuf_add(answer, (const char *)&nr, sizeof(nr));
	textbuf_add(answer, bytes, len);
}

/* Appends kind, path and hash of an input, unless this worker has reported it. */
static void add_input(void *ctx, const char *kind, const char *path, const uint8_t hash[HASH_BYTES])
{
	struct planning *p = ctx;
	uint32_t *known = strtable_at(&p->told, path);
	if (known && *known)
		return;
	/* Without memory it is reported again. */
	if (known)
		*known = 1;
	put(p->telling, kind, strlen(kind));
	put(p->telling, path, strlen(path));
	textbuf_add(p->telling, (const char *)hash, HASH_BYTES);
}

static void join_origins(struct counter_origins *o, struct counter_origins more)
{
	counter_origins_add(o, more);
}

/* An answer: outcome, error, position after it, hashes, notes, which counters are assumed or modelled, then kind, path
 * and hash of inputs, up to the end; what has no fixed length has that in front. */
static void resolve_chunk(void *ctx, uint64_t chunk, struct textbuf *answer)
{
	struct planning *p = ctx;
	uint64_t position = chunk * CHUNK, end = last_of(p, chunk);
	struct textbuf hashes, notes, inputs;
	struct counter_origins origins = {0};
	struct sahm_err err = {0};
	enum sahm_status status = SAHM_OK;
	textbuf_init(&hashes);
	textbuf_init(&notes);
	textbuf_init(&inputs);
	p->telling = &inputs;
	for (; position < end && status == SAHM_OK; position++) {
		struct run_config config;
		uint8_t hash[HASH_BYTES] = {0};
		struct arena a;
		arena_init(&a);
		status = sweep_point(p->sweep, position, &a, &config, &err);
		if (status == SAHM_OK) {
			status = evaluate_hash(&config, p->sweep->evaluator, hash, &err);
			textbuf_add(&hashes, (const char *)hash, sizeof(hash));
			textbuf_puts(&notes, config.notes.text);
			run_config_inputs(&config, add_input, p);
			join_origins(&origins, trace_counts_of(&config).origins);
			run_config_release(&config);
		}
		arena_release(&a);
	}
	textbuf_add(answer, (const char *)&status, sizeof(status));
	put(answer, err.msg, strlen(err.msg));
	textbuf_add(answer, (const char *)&position, sizeof(position));
	put(answer, hashes.text, hashes.len);
	put(answer, notes.text, notes.len);
	textbuf_add(answer, (const char *)&origins, sizeof(origins));
	textbuf_add(answer, inputs.text, inputs.len);
	answer->failed |= textbuf_failed(&hashes) || textbuf_failed(&notes) || textbuf_failed(&inputs);
	textbuf_release(&hashes);
	textbuf_release(&notes);
	textbuf_release(&inputs);
}

static size_t next_chunks(void *ctx, uint64_t *jobs, size_t room)
{
	struct planning *p = ctx;
	size_t nr = 0;
	while (nr < room && p->handed_out < p->nr_chunks)
		jobs[nr++] = p->handed_out++;
	return nr;
}

/* The next part of an answer; its length goes into *len. */
static const char *take_part(const char **at, size_t *len)
{
	uint64_t nr;
	memcpy(&nr, *at, sizeof(nr));
	const char *part = *at + sizeof(nr);
	*at = part + nr;
	*len = (size_t)nr;
	return part;
}

static enum sahm_status keep_input(struct planning *p, const char *kind, size_t kind_len, const char *path,
				   size_t path_len, const char *hash, struct sahm_err *err)
{
	struct sweep_plan *plan = p->plan;
	char *name = arena_strndup(&plan->arena, path, path_len);
	uint32_t *known = name ? strtable_at(&p->inputs, name) : NULL;
	if (!known)
		return sahm_fail_nomem(err);
	if (*known && memcmp(plan->inputs[*known - 1].hash, hash, HASH_BYTES) != 0)
		return sahm_fail(err, SAHM_CHECKSUM, "%.*s '%s' was changed while the sweep was planned", (int)kind_len,
				 kind, name);
	if (*known)
		return SAHM_OK;
	if (plan->nr_inputs == p->room_inputs) {
		size_t room = p->room_inputs ? 2 * p->room_inputs : 64;
		struct sweep_input *inputs = arena_alloc(&plan->arena, room, sizeof(*inputs));
		if (!inputs)
			return sahm_fail_nomem(err);
		if (plan->nr_inputs)
			memcpy(inputs, plan->inputs, plan->nr_inputs * sizeof(*inputs));
		plan->inputs = inputs;
		p->room_inputs = room;
	}
	struct sweep_input *input = &plan->inputs[plan->nr_inputs++];
	input->kind = arena_strndup(&plan->arena, kind, kind_len);
	input->path = name;
	memcpy(input->hash, hash, HASH_BYTES);
	*known = (uint32_t)plan->nr_inputs;
	return input->kind ? run_config_path_in_data(&plan->arena, p->sweep->data_folder, &input->path, err)
			   : sahm_fail_nomem(err);
}

/* Keeps the lines that are new. */
static enum sahm_status keep_notes(struct planning *p, const char *text, size_t len, struct sahm_err *err)
{
	for (const char *end = text + len; text < end;) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		size_t line = line_end ? (size_t)(line_end - text) : (size_t)(end - text);
		char *name = arena_strndup(&p->plan->arena, text, line);
		uint32_t *known = name ? strtable_at(&p->notes, name) : NULL;
		if (!known)
			return sahm_fail_nomem(err);
		if (*known == 0) {
			textbuf_puts(&p->plan->notes, name);
			textbuf_putc(&p->plan->notes, '\n');
		}
		*known = 1;
		text += line + 1;
	}
	return SAHM_OK;
}

/* Where the text goes on after `setting`, as messages show it, and ": "; NULL: it begins with something else. */
static const char *after_setting(const char *text, const char *setting)
{
	size_t len = strlen(setting), shown = len < CFG_SETTING_SHOWN ? len : CFG_SETTING_SHOWN;
	const char *end = len > shown ? "...: " : ": ";
	if (strncmp(text, setting, shown) != 0 || strncmp(text + shown, end, strlen(end)) != 0)
		return NULL;
	return text + shown + strlen(end);
}

/* The axis whose value at `position` made the setting with which `why` begins, and how long that beginning is; NULL: no
 * setting is to blame. */
static const struct space_axis *find_cause(const struct space *space, uint64_t position, const char *why, size_t *len)
{
	static const char prefix[] = "--set ";
	if (strncmp(why, prefix, sizeof(prefix) - 1) != 0)
		return NULL;
	for (uint32_t i = 0; i < space->nr_axes; i++) {
		const struct space_value *value = space_value_at(space, i, position);
		for (uint32_t k = 0; k < value->nr_settings; k++) {
			const char *rest = after_setting(why + sizeof(prefix) - 1, value->settings[k]);
			if (!rest)
				continue;
			*len = (size_t)(rest - why);
			return &space->axes[i];
		}
	}
	return NULL;
}

/* Of the name of a point in a message, which also has the reason; control characters take four each there. */
#define POINT_BYTES 160

/* A setting that nobody wrote is not spoken of: the axis is, where it was written. */
static enum sahm_status fail_at_point(const struct planning *p, uint64_t position, enum sahm_status cause,
				      const char *text, size_t text_len, struct sahm_err *err)
{
	const struct space *space = &p->sweep->space;
	struct textbuf point, why;
	size_t len = 0;
	textbuf_init(&point);
	textbuf_init(&why);
	textbuf_add(&why, text, text_len);
	space_write_point(space, position, &point);
	const struct space_axis *axis = find_cause(space, position, why.text, &len);
	const char *rest = why.text + len, *file = axis && axis->line ? axis->file : NULL;
	unsigned line = axis ? axis->line : 0;
	if (cause == SAHM_USAGE && file)
		cause = SAHM_CONFIG;
	enum sahm_status status = textbuf_failed(&point) || textbuf_failed(&why) ? sahm_fail_nomem(err)
				  : space->nr_axes ? sahm_fail_at(err, cause, file, line, "point %llu (%.*s%s): %s",
								  (unsigned long long)position, POINT_BYTES, point.text,
								  point.len > POINT_BYTES ? "..." : "", rest)
						   : sahm_fail(err, cause, "%s", rest);
	textbuf_release(&point);
	textbuf_release(&why);
	return status;
}

/* Takes the answer to the chunk whose turn it is. */
static enum sahm_status take_in_turn(struct planning *p, const char *answer, size_t len, struct sahm_err *err)
{
	const struct sweep_shard *shard = &p->options->shard;
	const char *at = answer, *end = answer + len;
	uint64_t position = p->taken * CHUNK, stopped_at;
	size_t why_len, hashes_len, notes_len, kind_len, path_len;
	struct counter_origins origins;
	enum sahm_status cause;
	memcpy(&cause, at, sizeof(cause));
	at += sizeof(cause);
	const char *why = take_part(&at, &why_len);
	memcpy(&stopped_at, at, sizeof(stopped_at));
	at += sizeof(stopped_at);
	const char *hashes = take_part(&at, &hashes_len);
	const char *notes = take_part(&at, &notes_len);
	memcpy(&origins, at, sizeof(origins));
	at += sizeof(origins);
	join_origins(&p->origins, origins);
	if (cause != SAHM_OK)
		return fail_at_point(p, stopped_at - 1, cause, why, why_len, err);
	enum sahm_status status = keep_notes(p, notes, notes_len, err);
	while (at < end && status == SAHM_OK) {
		const char *kind = take_part(&at, &kind_len), *path = take_part(&at, &path_len);
		status = keep_input(p, kind, kind_len, path, path_len, at, err);
		at += HASH_BYTES;
	}
	hash_add(&p->identity, hashes, hashes_len);
	for (; hashes_len > 0 && status == SAHM_OK; hashes_len -= HASH_BYTES, hashes += HASH_BYTES, position++)
		if (position % shard->nr == shard->index)
			status = store_plan_point(p->store, position, (const uint8_t *)hashes, err);
	p->taken++;
	return status;
}

static enum sahm_status keep_early(struct planning *p, uint64_t chunk, const char *answer, size_t len,
				   struct sahm_err *err)
{
	struct early *e = malloc(sizeof(*e)), **at = &p->early;
	char *bytes = malloc(len);
	if (!e || !bytes) {
		free(e);
		free(bytes);
		return sahm_fail_nomem(err);
	}
	memcpy(bytes, answer, len);
	while (*at && (*at)->chunk < chunk)
		at = &(*at)->next;
	*e = (struct early){chunk, bytes, len, *at};
	*at = e;
	return SAHM_OK;
}

static enum sahm_status take_chunk(void *ctx, uint64_t chunk, const char *answer, size_t len, struct sahm_err *err)
{
	struct planning *p = ctx;
	if (chunk != p->taken)
		return keep_early(p, chunk, answer, len, err);
	enum sahm_status status = take_in_turn(p, answer, len, err);
	while (status == SAHM_OK && p->early && p->early->chunk == p->taken) {
		struct early *e = p->early;
		p->early = e->next;
		status = take_in_turn(p, e->bytes, e->len, err);
		free(e->bytes);
		free(e);
	}
	return status;
}

static enum sahm_status lose_chunk(void *ctx, uint64_t chunk, enum sahm_status cause, const char *why,
				   struct sahm_err *err)
{
	const struct planning *p = ctx;
	return sahm_fail(err, cause == SAHM_NOMEM ? cause : SAHM_POLICY, "points %llu to %llu cannot be resolved: %s",
			 (unsigned long long)(chunk * CHUNK), (unsigned long long)last_of(p, chunk) - 1, why);
}

static bool tick(void *ctx)
{
	const struct planning *p = ctx;
	const struct sweep_options *o = p->options;
	const struct sweep_progress progress = {.planning = true,
						.total = p->sweep->space.nr_points,
						.done = p->taken ? last_of(p, p->taken - 1) : 0,
						.elapsed_ns = clock_ns(CLOCK_MONOTONIC) - p->started_ns};
	return !o->progress || o->progress(o->ctx, &progress);
}

static void begin(void *ctx, uint32_t worker)
{
	struct planning *p = ctx;
	(void)worker;
	sweep_begin_worker(p->options, p->store);
}

/* Tells the store the axes and hashes them. */
static enum sahm_status plan_axes(struct planning *p, struct sahm_err *err)
{
	const struct space *space = &p->sweep->space;
	enum sahm_status status = SAHM_OK;
	hash_add_u64(&p->identity, space->nr_axes);
	for (uint32_t i = 0; i < space->nr_axes && status == SAHM_OK; i++) {
		const struct space_axis *axis = &space->axes[i];
		const struct store_axis row = {axis->name, axis->nr_values, axis->stride, axis->has_names};
		hash_add_string(&p->identity, axis->name);
		hash_add_u64(&p->identity, axis->nr_values);
		status = store_plan_axis(p->store, &row, err);
		for (uint64_t v = 0; v < axis->nr_values && status == SAHM_OK; v++) {
			const struct space_value *value = &axis->values[v];
			struct textbuf settings;
			textbuf_init(&settings);
			for (uint32_t s = 0; s < value->nr_settings; s++)
				textbuf_printf(&settings, "%s\n", value->settings[s]);
			hash_add_string(&p->identity, value->label);
			status = textbuf_failed(&settings)
					 ? sahm_fail_nomem(err)
					 : store_plan_value(p->store, value->label, settings.text, err);
			textbuf_release(&settings);
		}
	}
	return status;
}

static int compare_inputs(const void *a, const void *b)
{
	return strcmp(((const struct sweep_input *)a)->path, ((const struct sweep_input *)b)->path);
}

static enum sahm_status finish(struct planning *p, struct sahm_err *err)
{
	struct sweep_plan *plan = p->plan;
	hash_end(&p->identity, plan->identity);
	if (plan->nr_inputs)
		qsort(plan->inputs, plan->nr_inputs, sizeof(*plan->inputs), compare_inputs);
	plan->part = (struct store_part){
		.index = p->options->shard.index, .nr = p->options->shard.nr, .threads = p->options->keep_threads};
	enum sahm_status status = store_plan_end(p->store, plan->identity, &plan->part.sweep, err);
	if (status == SAHM_OK)
		status = store_add_origins(p->store, plan->part.sweep, p->origins, err);
	if (status == SAHM_OK && p->options->retry_failed)
		status = store_retry(p->store, &plan->part, &plan->nr_retried, err);
	return status == SAHM_OK ? store_count(p->store, &plan->part, &plan->counts, err) : status;
}

static const struct pool_ops ops = {
	.begin = begin,
	.work = resolve_chunk,
	.next = next_chunks,
	.take = take_chunk,
	.lost = lose_chunk,
	.tick = tick,
};

static enum sahm_status resolve_all(struct planning *p, struct sahm_err *err)
{
	uint64_t nr = p->nr_chunks < p->options->nr_workers ? p->nr_chunks : p->options->nr_workers;
	/* A job is this number of points. */
	const struct pool_options options = {
		.nr_workers = (uint32_t)nr, .batch = 1, .timeout_s = p->options->timeout_s * CHUNK};
	struct textbuf notes;
	textbuf_init(&notes);
	/* A manifest has been remarked on when it was a configuration, whose units it does not keep. */
	if (!p->sweep->manifest) {
		cfg_remark_unusual(p->sweep->base, "", config_keys, NR_CONFIG_KEYS, &notes);
		textbuf_puts(&notes, p->sweep->space.notes);
	}
	sweep_warm(p->sweep, &notes);
	enum sahm_status status =
		textbuf_failed(&notes) ? sahm_fail_nomem(err) : keep_notes(p, notes.text, notes.len, err);
	textbuf_release(&notes);
	if (status == SAHM_OK)
		status = plan_axes(p, err);
	return status == SAHM_OK ? pool_run(&ops, &options, p, &p->plan->interrupted, err) : status;
}

enum sahm_status sweep_plan(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
			    struct sweep_plan *plan, struct sahm_err *err)
{
	const struct store_sweep row = {sweep->name, evaluator_names[sweep->evaluator], sweep->text,
					sweep->space.nr_points};
	struct planning p = {.sweep = sweep,
			     .options = options,
			     .store = store,
			     .plan = plan,
			     .nr_chunks = (sweep->space.nr_points + CHUNK - 1) / CHUNK,
			     .started_ns = clock_ns(CLOCK_MONOTONIC)};
	*plan = (struct sweep_plan){0};
	arena_init(&plan->arena);
	textbuf_init(&plan->notes);
	strtable_init(&p.inputs, &plan->arena);
	strtable_init(&p.notes, &plan->arena);
	arena_init(&p.told_arena);
	strtable_init(&p.told, &p.told_arena);
	hash_init(&p.identity);
	hash_add_string(&p.identity, "sahm sweep 1");
	enum sahm_status status = store_set_program(store, model_version(), options->mix_versions, err);
	if (status == SAHM_OK)
		status = store_plan_begin(store, &row, err);
	bool begun = status == SAHM_OK;
	if (begun)
		status = resolve_all(&p, err);
	bool whole = status == SAHM_OK && !plan->interrupted;
	if (whole)
		status = finish(&p, err);
	else if (begun)
		store_plan_abandon(store);
	while (p.early) {
		struct early *e = p.early;
		p.early = e->next;
		free(e->bytes);
		free(e);
	}
	plan->elapsed_ns = clock_ns(CLOCK_MONOTONIC) - p.started_ns;
	if (status == SAHM_OK && textbuf_failed(&plan->notes))
		status = sahm_fail_nomem(err);
	if (status != SAHM_OK)
		sweep_plan_release(plan);
	return status;
}

void sweep_plan_release(struct sweep_plan *plan)
{
	textbuf_release(&plan->notes);
	arena_release(&plan->arena);
	*plan = (struct sweep_plan){0};
}

uint64_t sweep_nr_left(const struct sweep_plan *plan)
{
	return plan->counts.planned + plan->counts.threadless;
}
