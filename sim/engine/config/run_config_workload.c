/* The threads of a configuration: the group `workload`. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/config/run_words.h"
#include "sim/engine/sim.h"

static enum sahm_status open_trace(struct reading *r, const struct cfg_node *node, const char *name, uint32_t *index)
{
	struct run_config *config = r->config;
	const char *path;
	enum sahm_status status = reading_find_trace(r, node, name, &path);
	if (status != SAHM_OK)
		return status;
	uint32_t *known = strtable_at(&r->traces, path);
	if (!known)
		return sahm_fail_nomem(r->err);
	if (*known == 0)
		*known = config->nr_traces + 1;
	*index = *known - 1;
	if (*index < config->nr_traces)
		return SAHM_OK;
	struct run_trace *t = &config->traces[config->nr_traces];
	t->path = path;
	status = config->cache ? run_cache_trace(config->cache, path, &config->notes, &t->row, &t->trace, r->err)
			       : trace_open(path, &config->notes, &t->trace, r->err);
	if (status != SAHM_OK)
		return status;
	config->nr_traces++;
	uint64_t length_ns = trace_nr_epochs(t->trace) * trace_epoch_ns(t->trace);
	if (length_ns > MAX_RUN_NS)
		return cfg_fail(node, r->err, "trace '%s' lasts %g s, a run %g s at most", trace_name(t->trace),
				(double)length_ns / (double)NS_PER_S, (double)MAX_RUN_NS / (double)NS_PER_S);
	return SAHM_OK;
}

/* The trace's name, with "+<offset>ms" behind it, and "#<n>" where that is taken. */
static enum sahm_status name_thread(struct reading *r, struct run_thread *th)
{
	struct run_config *config = r->config;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, trace_name(config->traces[th->trace].trace));
	if (th->offset_ns) {
		textbuf_putc(&b, '+');
		number_write_double(&b, ms_of_ns(th->offset_ns), 0);
		textbuf_puts(&b, "ms");
	}
	uint32_t *nr_called_so = textbuf_failed(&b) ? NULL : strtable_at(&r->names, b.text);
	if (nr_called_so && ++*nr_called_so > 1)
		textbuf_printf(&b, "#%u", *nr_called_so);
	th->name = textbuf_failed(&b) ? NULL : arena_strdup(&config->arena, b.text);
	textbuf_release(&b);
	return nr_called_so && th->name ? SAHM_OK : sahm_fail_nomem(r->err);
}

/* Adds a thread like `model` that begins at `offset_ms`. */
static enum sahm_status add_thread(struct reading *r, const struct cfg_node *node, const struct run_thread *model,
				   double offset_ms)
{
	struct run_config *config = r->config;
	const struct trace *t = config->traces[model->trace].trace;
	uint64_t length_ns = trace_nr_epochs(t) * trace_epoch_ns(t);
	struct run_thread th = *model;
	th.offset_ns = ns_of_ms(offset_ms);
	if (th.offset_ns >= length_ns)
		return cfg_fail(node, r->err, "offset of %g ms lies beyond the end of trace '%s' (%g ms)", offset_ms,
				trace_name(t), ms_of_ns(length_ns));
	if (config->nr_threads == MAX_THREADS)
		return cfg_fail(node, r->err, "more than %u threads", MAX_THREADS);
	enum sahm_status status = name_thread(r, &th);
	if (status == SAHM_OK)
		config->threads[config->nr_threads++] = th;
	return status;
}

static bool is_several(const struct cfg_node *node)
{
	return node && node->kind & (CFG_ARRAY | CFG_LIST);
}

/* The values of a key that takes one or several, one by one. */
struct values {
	const struct cfg_key *key;
	const struct cfg_node *node; /* NULL: none is given */
	const struct cfg_node *next; /* of several */
};

static enum sahm_status values_init(struct reading *r, const struct cfg_node *group, enum config_key key,
				    struct values *v)
{
	char path[CFG_PATH_BYTES];
	const struct cfg_node *node = cfg_member(group, &config_keys[key]);
	*v = (struct values){.key = &config_keys[key], .node = node, .next = is_several(node) ? node->first : NULL};
	if (is_several(node) && !node->first)
		return cfg_fail(node, r->err, "'%s' is empty", cfg_path(node, path));
	return SAHM_OK;
}

/* Takes the next of several values, of which there is one; a single one, or the default, can be taken for ever. */
static enum sahm_status values_take(struct reading *r, struct values *v, double *value)
{
	const struct cfg_node *node = v->next ? v->next : v->node;
	*value = 0;
	v->next = v->next ? v->next->next : NULL;
	return node ? cfg_node_number(node, v->key, value, r->err) : SAHM_OK;
}

/* Threads that the trace at `node` makes: as many as its array of offsets has or, without one, that of arrivals. */
static uint32_t count_of_trace(const struct cfg_node *node)
{
	const struct cfg_node *group = node->kind == CFG_GROUP ? node : NULL;
	const struct cfg_node *offset = cfg_member(group, &config_keys[KEY_TRACE_OFFSET]);
	const struct cfg_node *arrive = cfg_member(group, &config_keys[KEY_TRACE_ARRIVE]);
	return is_several(offset) ? offset->nr_children : is_several(arrive) ? arrive->nr_children : 1;
}

static enum sahm_status read_trace(struct reading *r, const struct cfg_node *node)
{
	const struct cfg_node *group = node->kind == CFG_GROUP ? node : NULL;
	const struct cfg_node *file = group ? cfg_member(group, &config_keys[KEY_TRACE_FILE]) : node;
	struct run_thread model = {.once = !cfg_bool(group, &config_keys[KEY_TRACE_REPEAT])};
	struct values offsets, arrivals;
	uint32_t nr = count_of_trace(node);
	if (!file)
		return reading_fail_missing(r, node, KEY_TRACE_FILE);
	enum sahm_status status = reading_allowed(r, node, &model);
	if (status == SAHM_OK)
		status = values_init(r, group, KEY_TRACE_OFFSET, &offsets);
	if (status == SAHM_OK)
		status = values_init(r, group, KEY_TRACE_ARRIVE, &arrivals);
	if (status == SAHM_OK && is_several(arrivals.node) && arrivals.node->nr_children != nr)
		return cfg_fail(arrivals.node, r->err, "arrive_ms has %u value%s, offset_ms %u",
				arrivals.node->nr_children, arrivals.node->nr_children == 1 ? "" : "s", nr);
	if (status == SAHM_OK)
		status = open_trace(r, file, file->value.string, &model.trace);
	uint32_t first = r->config->nr_threads;
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++) {
		const struct cfg_node *at = offsets.next ? offsets.next : offsets.node ? offsets.node : node;
		double offset_ms, arrive_ms;
		status = values_take(r, &offsets, &offset_ms);
		if (status == SAHM_OK)
			status = values_take(r, &arrivals, &arrive_ms);
		if (status != SAHM_OK)
			return status;
		model.arrive_ns = ns_of_ms(arrive_ms);
		status = add_thread(r, at, &model, offset_ms);
	}
	return status == SAHM_OK ? reading_bursts(r, node, nr, r->config->threads + first) : status;
}

/* Threads that the list of traces will make, before any is opened. */
static size_t count_threads(const struct cfg_node *traces)
{
	size_t nr = 0;
	for (const struct cfg_node *n = traces->first; n; n = n->next)
		nr += count_of_trace(n);
	return nr;
}

const char *const workload_mode_names[] = {"together", "alone", NULL};

/* Keys of the group itself, not of its traces. */
static enum sahm_status read_mode(struct reading *r, const struct cfg_node *workload)
{
	struct run_config *config = r->config;
	size_t mode;
	enum sahm_status status = reading_choice(r, workload, KEY_WORKLOAD_MODE, workload_mode_names, &mode);
	config->alone = mode == 1;
	if (status == SAHM_OK)
		status = reading_ns(r, workload, KEY_DURATION, &config->duration_ns);
	/* 0 has a meaning of its own: the least time that is given is 1 ns. */
	const struct cfg_node *duration = cfg_member(workload, &config_keys[KEY_DURATION]);
	if (status == SAHM_OK && config->duration_ns == 0 && duration && duration->kind == CFG_FLOAT &&
	    duration->value.real > 0)
		config->duration_ns = 1;
	if (status == SAHM_OK)
		status = reading_count(r, workload, KEY_SAMPLES, &config->nr_samples);
	if (status == SAHM_OK)
		status = reading_u64(r, workload, KEY_SEED, &config->seed);
	return status;
}

/* Samples differ by the offsets of threads that repeat their traces, and by bursts. */
static enum sahm_status check_samples(struct reading *r, const struct cfg_node *workload)
{
	const struct run_config *config = r->config;
	bool repeats = config->nr_samples == 1;
	for (uint32_t t = 0; t < config->nr_threads; t++)
		repeats |= !config->threads[t].once || config->threads[t].bursts;
	return repeats ? SAHM_OK
		       : cfg_fail(cfg_member(workload, &config_keys[KEY_SAMPLES]), r->err,
				  "%u samples would all be alike: no thread repeats its trace, and so all keep their "
				  "offsets, and none sleeps",
				  config->nr_samples);
}

enum sahm_status reading_workload(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *traces = cfg_member(workload, &config_keys[KEY_TRACES]);
	if (!traces)
		return reading_fail_missing(r, workload, KEY_TRACES);
	if (!traces->first)
		return cfg_fail(traces, r->err, "the workload has no traces");
	config->threads = arena_alloc(&config->arena, count_threads(traces), sizeof(*config->threads));
	config->traces = arena_alloc(&config->arena, traces->nr_children, sizeof(*config->traces));
	r->sets = arena_alloc(&config->arena, traces->nr_children, sizeof(*r->sets));
	r->burst_lists = arena_alloc(&config->arena, traces->nr_children, sizeof(*r->burst_lists));
	if (!config->threads || !config->traces || !r->sets || !r->burst_lists)
		return sahm_fail_nomem(r->err);
	enum sahm_status status = read_mode(r, workload);
	for (const struct cfg_node *n = traces->first; n && status == SAHM_OK; n = n->next)
		status = read_trace(r, n);
	return status == SAHM_OK ? check_samples(r, workload) : status;
}
