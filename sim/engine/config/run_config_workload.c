/* The threads of a configuration: the group `workload`. When they sleep is run_config_bursts.c, where they may run
 * run_config_tenants.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/config/run_words.h"
#include "sim/engine/sim.h"

/* Traces, and the threads that replay them. */

/* The key of a trace in the list that names its file; NULL when it is missing. */
static const struct cfg_node *file_of_trace(const struct cfg_node *node)
{
	return node->kind == CFG_GROUP ? cfg_member(node, &config_keys[KEY_TRACE_FILE]) : node;
}

/* Finds the files of the list of traces and opens them, before the list is read. Stops at the first that is not there:
 * find_trace() fails for it when its turn comes, unless reading fails earlier. */
static enum sahm_status open_ahead(struct reading *r, const struct cfg_node *traces)
{
	struct run_config *config = r->config;
	struct sahm_err later;
	uint32_t *indices = arena_alloc(&config->arena, traces->nr_children, sizeof(*indices));
	r->ahead = arena_alloc(&config->arena, traces->nr_children, sizeof(*r->ahead));
	r->indices = indices;
	if (!indices || !r->ahead)
		return sahm_fail_nomem(r->err);
	struct sahm_err *err = r->err;
	r->err = &later;
	enum sahm_status status = SAHM_OK;
	for (const struct cfg_node *n = traces->first; n && status == SAHM_OK; n = n->next) {
		const struct cfg_node *file = file_of_trace(n);
		const char *path;
		enum sahm_status found = file ? reading_find_trace(r, file, file->value.string, &path) : SAHM_CONFIG;
		if (found != SAHM_OK && found != SAHM_NOMEM)
			break;
		uint32_t *known = found == SAHM_OK ? strtable_at(&r->traces, path) : NULL;
		if (!known) {
			status = sahm_fail_nomem(err);
			break;
		}
		if (*known == 0) {
			r->ahead[r->nr_ahead].path = path;
			r->ahead[r->nr_ahead].is_late = config->cache && run_cache_knows(config->cache, path);
			*known = ++r->nr_ahead;
		}
		indices[r->nr_listed++] = *known - 1;
	}
	r->err = err;
	if (status == SAHM_OK)
		trace_ahead_open(r->ahead, r->nr_ahead);
	return status;
}

/* Opens the trace of the file named at `node`, which is the `i`th in the list. */
static enum sahm_status open_trace(struct reading *r, const struct cfg_node *node, uint32_t i, uint32_t *index)
{
	struct run_config *config = r->config;
	const char *path;
	enum sahm_status status;
	/* Not found before, and not now. */
	if (i >= r->nr_listed)
		return (status = reading_find_trace(r, node, node->value.string, &path)) != SAHM_OK
			       ? status
			       : cfg_fail(node, r->err, "trace '%s' has just been created", node->value.string);
	*index = r->indices[i];
	if (*index < config->nr_traces)
		return SAHM_OK;
	struct run_trace *t = &config->traces[config->nr_traces];
	struct trace_ahead *ahead = &r->ahead[*index];
	t->path = ahead->path;
	status = config->cache ? run_cache_trace(config->cache, ahead, &config->notes, &t->row, &t->trace, r->err)
			       : trace_ahead_take(ahead, &config->notes, &t->trace, r->err);
	if (status != SAHM_OK)
		return status;
	config->nr_traces++;
	uint64_t length_ns = trace_nr_epochs(t->trace) * trace_epoch_ns(t->trace);
	if (length_ns > MAX_RUN_NS)
		return cfg_fail(node, r->err, "trace '%s' lasts %g s, a run %g s at most", trace_name(t->trace),
				(double)length_ns / (double)NS_PER_S, (double)MAX_RUN_NS / (double)NS_PER_S);
	return SAHM_OK;
}

/* The trace's name, followed by "+<offset>ms", and "#<n>" where that is taken. */
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

static enum sahm_status read_trace(struct reading *r, const struct cfg_node *node, uint32_t i)
{
	const struct cfg_node *group = node->kind == CFG_GROUP ? node : NULL;
	const struct cfg_node *file = file_of_trace(node);
	struct run_thread model = {.once = !cfg_bool(group, &config_keys[KEY_TRACE_REPEAT])};
	struct values offsets = {0}, arrivals = {0};
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
		status = open_trace(r, file, i, &model.trace);
	uint32_t first = r->config->nr_threads;
	for (uint32_t k = 0; k < nr && status == SAHM_OK; k++) {
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
	/* 0 has a special meaning: the shortest time that is given is 1 ns. */
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

/* Samples differ by the offsets of threads that repeat their traces, and by bursts. All of their results are kept. */
static enum sahm_status check_samples(struct reading *r, const struct cfg_node *workload)
{
	const struct run_config *config = r->config;
	uint64_t nr_results = (uint64_t)config->nr_threads + config->chip.nr_cores;
	bool repeats = config->nr_samples == 1;
	if (config->nr_samples > 1 && config->nr_samples > MAX_SAMPLE_RESULTS / nr_results)
		return cfg_fail(cfg_member(workload, &config_keys[KEY_SAMPLES]), r->err,
				"%u samples of %" PRIu64 " threads and cores, must be at most %" PRIu64,
				config->nr_samples, nr_results, MAX_SAMPLE_RESULTS / nr_results);
	for (uint32_t t = 0; t < config->nr_threads; t++)
		repeats |= !config->threads[t].once || config->threads[t].bursts;
	return repeats ? SAHM_OK
		       : cfg_fail(cfg_member(workload, &config_keys[KEY_SAMPLES]), r->err,
				  "%u samples would all be alike: no thread repeats its trace, and so all keep their "
				  "offsets, and none sleeps",
				  config->nr_samples);
}

/* What changes of threads and tenants while time runs. */

/* Without a thread, of a tenant. */
static enum sahm_status check_change(struct reading *r, const struct cfg_node *node)
{
	static const enum config_key of_threads[] = {KEY_CHANGE_NICE, KEY_CHANGE_AFFINITY};
	char path[CFG_PATH_BYTES];
	const struct cfg_node *tenant = cfg_member(node, &config_keys[KEY_CHANGE_TENANT]);
	bool has_weight = cfg_member(node, &config_keys[KEY_CHANGE_WEIGHT]);
	bool has_more =
		cfg_member(node, &config_keys[KEY_CHANGE_NICE]) || cfg_member(node, &config_keys[KEY_CHANGE_AFFINITY]);
	if (!cfg_member(node, &config_keys[KEY_CHANGE_AT]))
		return reading_fail_missing(r, node, KEY_CHANGE_AT);
	if (cfg_member(node, &config_keys[KEY_CHANGE_THREAD]))
		return has_weight || has_more || tenant
			       ? SAHM_OK
			       : cfg_fail(node, r->err,
					  "a change of nothing: weight, nice, affinity or tenant is missing");
	if (!tenant)
		return reading_fail_missing(r, node, KEY_CHANGE_THREAD);
	for (size_t i = 0; i < ARRAY_SIZE(of_threads); i++) {
		const struct cfg_node *given = cfg_member(node, &config_keys[of_threads[i]]);
		if (given)
			return cfg_fail(given, r->err, "'%s' is of a thread, and the change is of tenant '%.60s'",
					cfg_path(given, path), tenant->value.string);
	}
	return has_weight ? SAHM_OK
			  : cfg_fail(node, r->err,
				     "a change of nothing: the weight of tenant '%.60s', or the thread that moves to "
				     "it, is missing",
				     tenant->value.string);
}

static enum sahm_status read_change(struct reading *r, const struct cfg_node *node, struct run_change *change)
{
	const struct run_config *config = r->config;
	struct sim_change *c = &change->change;
	const struct cfg_node *thread = cfg_member(node, &config_keys[KEY_CHANGE_THREAD]);
	const struct cfg_node *affinity = cfg_member(node, &config_keys[KEY_CHANGE_AFFINITY]);
	enum sahm_status status = check_change(r, node);
	if (status == SAHM_OK)
		status = reading_ns(r, node, KEY_CHANGE_AT, &c->at_ns);
	if (status == SAHM_OK)
		status = reading_tenant(r, node, KEY_CHANGE_TENANT, &change->tenant);
	if (status == SAHM_OK && change->tenant)
		status = reading_find_tenant(r, cfg_member(node, &config_keys[KEY_CHANGE_TENANT]), &c->tenant);
	if (status == SAHM_OK && thread)
		status = reading_count(r, node, KEY_CHANGE_THREAD, &c->thread);
	if (status == SAHM_OK && c->thread >= config->nr_threads)
		return cfg_fail(thread, r->err, "thread %u does not exist: the workload has threads 0 to %u", c->thread,
				config->nr_threads - 1);
	if (status == SAHM_OK &&
	    (cfg_member(node, &config_keys[KEY_CHANGE_WEIGHT]) || cfg_member(node, &config_keys[KEY_CHANGE_NICE])))
		status = reading_weight(r, node, KEY_CHANGE_WEIGHT, KEY_CHANGE_NICE, &c->weight);
	c->is_of_tenant = !thread;
	change->node = node;
	change->affinity = affinity ? affinity->value.string : NULL;
	return status;
}

/* Sets the cores of threads that change them: those of the tenant that the thread has by then, within the affinity that
 * it has by then. The changes are by time. */
static enum sahm_status resolve_changes(struct reading *r)
{
	struct run_config *config = r->config;
	size_t bytes = core_set_words(config->chip.nr_cores) * sizeof(uint64_t);
	struct run_thread *threads = arena_alloc(&config->arena, config->nr_threads, sizeof(*threads));
	if (!threads)
		return sahm_fail_nomem(r->err);
	memcpy(threads, config->threads, config->nr_threads * sizeof(*threads));
	for (uint32_t i = 0; i < config->nr_changes; i++) {
		struct run_change *change = &config->changes[i];
		struct run_thread *th = &threads[change->change.thread];
		const uint64_t *set;
		if (change->change.is_of_tenant || (!change->tenant && !change->affinity))
			continue;
		enum config_key key = change->affinity ? KEY_CHANGE_AFFINITY : KEY_CHANGE_TENANT;
		th->tenant = change->tenant ? change->tenant : th->tenant;
		th->affinity = change->affinity ? change->affinity : th->affinity;
		enum sahm_status status =
			reading_set(r, cfg_member(change->node, &config_keys[key]), th->affinity, th->tenant, &set);
		if (status != SAHM_OK)
			return status;
		bool is_same = set == th->allowed || (set && th->allowed && memcmp(set, th->allowed, bytes) == 0);
		change->change.sets_allowed = change->affinity || !is_same;
		change->change.allowed = change->change.sets_allowed ? set : NULL;
		th->allowed = set;
	}
	return SAHM_OK;
}

static int compare_changes(const void *a, const void *b)
{
	const struct run_change *x = a, *y = b;
	int order = (x->change.at_ns > y->change.at_ns) - (x->change.at_ns < y->change.at_ns);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static enum sahm_status read_changes(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *changes = cfg_member(workload, &config_keys[KEY_CHANGES]);
	if (!changes || !changes->first)
		return SAHM_OK;
	if (config->alone)
		return cfg_fail(changes, r->err,
				"changes have no time in mode alone, where each thread has a separate run");
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
	return resolve_changes(r);
}

enum sahm_status reading_workload(struct reading *r)
{
	struct run_config *config = r->config;
	const struct cfg_node *workload = cfg_member(r->root, &config_keys[KEY_WORKLOAD]);
	const struct cfg_node *traces = cfg_member(workload, &config_keys[KEY_TRACES]);
	enum sahm_status status = reading_rtapp(r, workload, &traces);
	if (status != SAHM_OK)
		return status;
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
	status = read_mode(r, workload);
	if (status == SAHM_OK)
		status = open_ahead(r, traces);
	uint32_t i = 0;
	for (const struct cfg_node *n = traces->first; n && status == SAHM_OK; n = n->next)
		status = read_trace(r, n, i++);
	trace_ahead_release(r->ahead, r->nr_ahead);
	if (status == SAHM_OK)
		status = reading_rtapp_threads(r);
	if (status == SAHM_OK)
		status = check_samples(r, workload);
	return status == SAHM_OK ? read_changes(r) : status;
}

/* Written and hashed. */

static bool is_same_string(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Threads from `t` on that one group can describe. */
static uint32_t count_alike(const struct run_config *config, uint32_t t)
{
	const struct run_thread *first = &config->threads[t], *th = first;
	do
		th++;
	while (th < config->threads + config->nr_threads && th->trace == first->trace && th->once == first->once &&
	       is_same_string(th->tenant, first->tenant) && is_same_string(th->affinity, first->affinity) &&
	       config_bursts_alike(th, first));
	return (uint32_t)(th - first);
}

static void write_traces(const struct run_config *config, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_TRACES));
	for (uint32_t t = 0, nr; t < config->nr_threads; t += nr) {
		const struct run_thread *th = &config->threads[t];
		nr = count_alike(config, t);
		textbuf_puts(b, "\t\t{\n");
		config_write_string(b, "\t\t\t", KEY_TRACE_FILE, config->traces[th->trace].path);
		textbuf_printf(b, "\t\t\t%s = [", config_key_leaf(KEY_TRACE_OFFSET));
		for (uint32_t i = 0; i < nr; i++) {
			textbuf_puts(b, i ? ", " : "");
			number_write_double(b, ms_of_ns(th[i].offset_ns), 1);
		}
		textbuf_printf(b, "];\n\t\t\t%s = [", config_key_leaf(KEY_TRACE_ARRIVE));
		for (uint32_t i = 0; i < nr; i++) {
			textbuf_puts(b, i ? ", " : "");
			number_write_double(b, ms_of_ns(th[i].arrive_ns), 1);
		}
		textbuf_printf(b, "];\n\t\t\t%s = %s;\n", config_key_leaf(KEY_TRACE_REPEAT),
			       th->once ? "false" : "true");
		config_write_given(b, KEY_TRACE_TENANT, th->tenant);
		config_write_given(b, KEY_TRACE_AFFINITY, th->affinity);
		config_write_bursts(th, nr, b);
		textbuf_printf(b, "\t\t}%s\n", t + nr < config->nr_threads ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

static void write_changes(const struct run_config *config, struct textbuf *b)
{
	if (config->nr_changes == 0)
		return;
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_CHANGES));
	for (uint32_t i = 0; i < config->nr_changes; i++) {
		const struct run_change *change = &config->changes[i];
		textbuf_puts(b, "\t\t{\n");
		config_write_number(b, "\t\t\t", KEY_CHANGE_AT, ms_of_ns(change->change.at_ns));
		if (!change->change.is_of_tenant)
			textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CHANGE_THREAD),
				       change->change.thread);
		config_write_given(b, KEY_CHANGE_TENANT, change->tenant);
		if (change->change.weight)
			textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CHANGE_WEIGHT),
				       change->change.weight);
		if (change->affinity)
			config_write_string(b, "\t\t\t", KEY_CHANGE_AFFINITY, change->affinity);
		textbuf_printf(b, "\t\t}%s\n", i + 1 < config->nr_changes ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void config_write_workload(const struct run_config *config, struct textbuf *b)
{
	if (config->rtapp)
		config_write_rtapp(config, b);
	else
		write_traces(config, b);
	config_write_tenants(config, b);
	write_changes(config, b);
	config_write_string(b, "\t", KEY_WORKLOAD_MODE, config->alone ? "alone" : "together");
	config_write_number(b, "\t", KEY_DURATION, ms_of_ns(config->duration_ns));
	textbuf_printf(b, "\t%s = %u;\n", config_key_leaf(KEY_SAMPLES), config->nr_samples);
	config_write_u64(b, "\t", KEY_SEED, config->seed);
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
		if (change->tenant) {
			hash_add_string(h, change->is_of_tenant ? "weight of tenant" : "to tenant");
			hash_add_u64(h, change->tenant);
		}
	}
}

/* Mode alone knows no arrivals. */
static void hash_arrivals(const struct run_config *config, struct hash *h)
{
	bool late = false, leaving = false;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		late |= config->threads[t].arrive_ns > 0 && !config->alone;
		leaving |= config->threads[t].once;
	}
	if (late)
		hash_add_string(h, "arrivals");
	for (uint32_t t = 0; t < config->nr_threads && late; t++)
		hash_add_u64(h, config->threads[t].arrive_ns);
	if (leaving)
		hash_add_string(h, "leaving");
	for (uint32_t t = 0; t < config->nr_threads && leaving; t++)
		hash_add_u64(h, config->threads[t].once);
}

/* Who may run where says all of tenants but their names. */
static void hash_allowed(const struct run_config *config, struct hash *h)
{
	size_t words = core_set_words(config->chip.nr_cores);
	bool kept = false;
	for (uint32_t t = 0; t < config->nr_threads; t++)
		kept |= config->threads[t].allowed != NULL;
	if (kept)
		hash_add_string(h, "allowed");
	for (uint32_t t = 0; t < config->nr_threads && kept; t++) {
		const uint64_t *allowed = config->threads[t].allowed;
		hash_add_u64(h, allowed != NULL);
		for (size_t w = 0; w < words && allowed; w++)
			hash_add_u64(h, allowed[w]);
	}
}

void config_hash_threads(const struct run_config *config, struct hash *h)
{
	hash_arrivals(config, h);
	hash_allowed(config, h);
}
