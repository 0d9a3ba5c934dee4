/* When threads sleep, and what they weigh: `bursts`, `weight` and `nice` of a trace. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/config/run_words.h"
#include "sim/engine/sim.h"
#include "workloads/bursts/burst_list.h"

/* In the order of enum burst_shape. */
const char *const burst_shape_names[] = {
	[BURST_FIXED] = "fixed",
	[BURST_UNIFORM] = "uniform",
	[BURST_EXPONENTIAL] = "exponential",
	[BURST_PARETO] = "pareto",
	NULL,
};

/* Keys of one of the two times. */
struct time_keys {
	enum config_key shape, mean, min, max, alpha;
	const char *what;
};

static const struct time_keys run_keys = {KEY_BURST_RUN,     KEY_BURST_RUN_MEAN,  KEY_BURST_RUN_MIN,
					  KEY_BURST_RUN_MAX, KEY_BURST_RUN_ALPHA, "run"};
static const struct time_keys sleep_keys = {KEY_BURST_SLEEP,	 KEY_BURST_SLEEP_MEAN,	KEY_BURST_SLEEP_MIN,
					    KEY_BURST_SLEEP_MAX, KEY_BURST_SLEEP_ALPHA, "sleep"};

/* Whether a shape is described by `key`. */
static bool key_applies_to(const struct time_keys *k, enum config_key key, enum burst_shape shape)
{
	bool bounded = shape == BURST_UNIFORM || shape == BURST_PARETO;
	if (key == k->mean)
		return !bounded;
	return key == k->alpha ? shape == BURST_PARETO : bounded;
}

static enum sahm_status read_alpha(struct reading *r, const struct cfg_node *bursts, enum config_key key,
				   uint32_t *milli)
{
	double alpha;
	enum sahm_status status = reading_number(r, bursts, key, &alpha);
	if (status == SAHM_OK)
		*milli = (uint32_t)lround(alpha * 1000);
	return status;
}

/* Run or sleep times of the group `bursts`. */
static enum sahm_status read_times(struct reading *r, const struct cfg_node *bursts, const struct time_keys *k,
				   struct burst_times *t)
{
	const struct {
		enum config_key key;
		uint64_t *ns; /* NULL: no time, and not required */
	} rows[] = {{k->mean, &t->mean_ns}, {k->min, &t->min_ns}, {k->max, &t->max_ns}, {k->alpha, NULL}};
	size_t shape;
	enum sahm_status status = reading_choice(r, bursts, k->shape, burst_shape_names, &shape);
	t->shape = (enum burst_shape)shape;
	for (size_t i = 0; i < ARRAY_SIZE(rows) && status == SAHM_OK; i++) {
		const struct cfg_node *node = cfg_member(bursts, &config_keys[rows[i].key]);
		bool applies = key_applies_to(k, rows[i].key, t->shape);
		if (node && !applies)
			return cfg_fail(node, r->err, "'%s' has no effect here: %s times are %s", node->name, k->what,
					burst_shape_names[shape]);
		if (!node && applies && rows[i].ns)
			return reading_fail_missing(r, bursts, rows[i].key);
		if (applies)
			status = rows[i].ns ? reading_ns(r, bursts, rows[i].key, rows[i].ns)
					    : read_alpha(r, bursts, rows[i].key, &t->alpha_milli);
	}
	if (status == SAHM_OK && t->min_ns > t->max_ns)
		return cfg_fail(cfg_member(bursts, &config_keys[k->min]), r->err,
				"the shortest %s time, %g ms, is above the longest, %g ms", k->what,
				ms_of_ns(t->min_ns), ms_of_ns(t->max_ns));
	if (status == SAHM_OK && t->shape == BURST_PARETO && t->min_ns == 0)
		return cfg_fail(cfg_member(bursts, &config_keys[k->min]), r->err,
				"the shortest %s time is 0; a pareto distribution begins above it", k->what);
	return status;
}

/* Opens a list once, however many groups name it. */
static enum sahm_status open_list(struct reading *r, const struct cfg_node *file, const struct run_bursts **found)
{
	const char *path;
	enum sahm_status status = reading_find_data(r, file, "list of bursts", file->value.string, &path);
	if (status != SAHM_OK)
		return status;
	uint32_t *known = strtable_at(&r->lists, path);
	if (!known)
		return sahm_fail_nomem(r->err);
	if (*known) {
		*found = &r->burst_lists[*known - 1];
		return SAHM_OK;
	}
	struct burst_list list;
	status = burst_list_open(&list, path, r->err);
	if (status != SAHM_OK)
		return status;
	struct run_bursts *b = &r->burst_lists[r->nr_burst_lists++];
	struct burst *copy = arena_alloc(&r->config->arena, list.nr, sizeof(*copy));
	if (copy)
		memcpy(copy, list.bursts, list.nr * sizeof(*copy));
	*b = (struct run_bursts){.path = path, .list = copy, .nr = list.nr};
	burst_list_hash(&list, b->hash);
	burst_list_release(&list);
	*known = r->nr_burst_lists;
	*found = b;
	return copy ? SAHM_OK : sahm_fail_nomem(r->err);
}

/* Index in a list of `nr` bursts. */
static enum sahm_status read_first(struct reading *r, const struct cfg_node *node, uint64_t nr, uint64_t *first)
{
	double value;
	enum sahm_status status = cfg_node_number(node, &config_keys[KEY_BURST_FIRST], &value, r->err);
	if (status != SAHM_OK)
		return status;
	*first = (uint64_t)value;
	return *first < nr ? SAHM_OK
			   : cfg_fail(node, r->err, "burst %.0f lies beyond the end of the list, which has %llu", value,
				      (unsigned long long)nr);
}

/* A list, in which `first` gives each thread its start. */
static enum sahm_status read_list(struct reading *r, const struct cfg_node *bursts, const struct cfg_node *file,
				  uint32_t nr, struct run_thread *threads)
{
	const struct cfg_node *first = cfg_member(bursts, &config_keys[KEY_BURST_FIRST]), *next;
	const struct run_bursts *list = NULL;
	for (const struct cfg_node *n = bursts->first; n; n = n->next)
		if (n != file && n != first)
			return cfg_fail(n, r->err, "'%s' has no effect here: the bursts are those of a file", n->name);
	bool several = first && first->kind == CFG_ARRAY;
	if (several && first->nr_children != nr)
		return cfg_fail(first, r->err, "first has %u value%s, the trace makes %u thread%s", first->nr_children,
				first->nr_children == 1 ? "" : "s", nr, nr == 1 ? "" : "s");
	if (!*file->value.string)
		return cfg_fail(file, r->err, "the name of the file with the bursts is empty");
	enum sahm_status status = open_list(r, file, &list);
	next = several ? first->first : first;
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++) {
		struct burst_model *model = arena_alloc(&r->config->arena, 1, sizeof(*model));
		if (!model)
			return sahm_fail_nomem(r->err);
		*model = (struct burst_model){.list = list->list, .nr = list->nr, .first = i * list->nr / nr};
		if (next)
			status = read_first(r, next, list->nr, &model->first);
		next = several ? next->next : next;
		threads[i].bursts = model;
		threads[i].burst_list = list;
	}
	return status;
}

static enum sahm_status read_bursts(struct reading *r, const struct cfg_node *bursts, uint32_t nr,
				    struct run_thread *threads)
{
	const struct cfg_node *file = cfg_member(bursts, &config_keys[KEY_BURST_FILE]);
	const struct cfg_node *first = cfg_member(bursts, &config_keys[KEY_BURST_FIRST]);
	if (file)
		return read_list(r, bursts, file, nr, threads);
	if (first)
		return cfg_fail(first, r->err, "'first' has no effect here: the bursts are drawn, not those of a file");
	struct burst_model *model = arena_alloc(&r->config->arena, 1, sizeof(*model));
	if (!model)
		return sahm_fail_nomem(r->err);
	enum sahm_status status = read_times(r, bursts, &run_keys, &model->run);
	if (status == SAHM_OK)
		status = read_times(r, bursts, &sleep_keys, &model->sleep);
	for (uint32_t i = 0; i < nr; i++)
		threads[i].bursts = model;
	return status;
}

/* sched_prio_to_weight of the kernel, kernel/sched/core.c, in hundredths of the weight of nice 0, rounded, as sched_ext
 * scales them (sched_weight_to_cgroup() in kernel/sched/sched.h). */
static uint32_t weight_of_nice(int nice)
{
	static const uint32_t kernel[40] = {
		88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
		3906,  3121,  2501,  1991,  1586,  1277,  1024,	 820,	655,   526,   423,  335,  272,	215,
		172,   137,   110,   87,    70,	   56,	  45,	 36,	29,    23,    18,   15,
	};
	return (kernel[nice + 20] * DEFAULT_WEIGHT + 512) / 1024;
}

enum sahm_status reading_weight(struct reading *r, const struct cfg_node *group, enum config_key key,
				enum config_key nice_key, uint32_t *weight)
{
	const struct cfg_node *nice = cfg_member(group, &config_keys[nice_key]);
	double value;
	if (!nice)
		return reading_count(r, group, key, weight);
	if (cfg_member(group, &config_keys[key]))
		return cfg_fail(nice, r->err, "nice and weight together: either says what the thread weighs");
	enum sahm_status status = cfg_node_number(nice, &config_keys[nice_key], &value, r->err);
	if (status == SAHM_OK)
		*weight = weight_of_nice((int)value);
	return status;
}

enum sahm_status reading_bursts(struct reading *r, const struct cfg_node *node, uint32_t nr, struct run_thread *threads)
{
	const struct cfg_node *group = node->kind == CFG_GROUP ? node : NULL;
	const struct cfg_node *bursts = cfg_member(group, &config_keys[KEY_BURSTS]);
	uint32_t weight;
	enum sahm_status status = reading_weight(r, group, KEY_TRACE_WEIGHT, KEY_TRACE_NICE, &weight);
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++)
		threads[i].weight = weight;
	return status == SAHM_OK && bursts ? read_bursts(r, bursts, nr, threads) : status;
}

/* Drawn bursts: one group has one model. */
bool config_bursts_alike(const struct run_thread *a, const struct run_thread *b)
{
	return a->weight == b->weight && a->burst_list == b->burst_list && (a->burst_list || a->bursts == b->bursts);
}

#define INDENT "\t\t\t\t"

static void write_times(const struct burst_times *t, const struct time_keys *k, struct textbuf *b)
{
	config_write_string(b, INDENT, k->shape, burst_shape_names[t->shape]);
	if (key_applies_to(k, k->mean, t->shape))
		config_write_number(b, INDENT, k->mean, ms_of_ns(t->mean_ns));
	if (key_applies_to(k, k->min, t->shape)) {
		config_write_number(b, INDENT, k->min, ms_of_ns(t->min_ns));
		config_write_number(b, INDENT, k->max, ms_of_ns(t->max_ns));
	}
	if (key_applies_to(k, k->alpha, t->shape))
		config_write_number(b, INDENT, k->alpha, (double)t->alpha_milli / 1000);
}

void config_write_bursts(const struct run_thread *th, uint32_t nr, struct textbuf *b)
{
	textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_TRACE_WEIGHT), th->weight);
	if (!th->bursts)
		return;
	textbuf_printf(b, "\t\t\t%s = {\n", config_key_leaf(KEY_BURSTS));
	if (th->burst_list) {
		config_write_string(b, INDENT, KEY_BURST_FILE, th->burst_list->path);
		textbuf_printf(b, INDENT "%s = [", config_key_leaf(KEY_BURST_FIRST));
		for (uint32_t i = 0; i < nr; i++)
			textbuf_printf(b, "%s%llu", i ? ", " : "", (unsigned long long)th[i].bursts->first);
		textbuf_puts(b, "];\n");
	} else {
		write_times(&th->bursts->run, &run_keys, b);
		write_times(&th->bursts->sleep, &sleep_keys, b);
	}
	textbuf_puts(b, "\t\t\t};\n");
}

static void hash_times(const struct burst_times *t, struct hash *h)
{
	hash_add_u64(h, t->shape);
	hash_add_u64(h, t->mean_ns);
	hash_add_u64(h, t->min_ns);
	hash_add_u64(h, t->max_ns);
	hash_add_u64(h, t->alpha_milli);
}

static void hash_model(const struct run_thread *th, struct hash *h)
{
	const struct burst_model *m = th->bursts;
	hash_add_u64(h, !m ? 0 : m->list ? 1 : 2);
	if (m && m->list) {
		hash_add(h, th->burst_list->hash, HASH_BYTES);
		hash_add_u64(h, m->first);
	} else if (m) {
		hash_times(&m->run, h);
		hash_times(&m->sleep, h);
	}
}

void config_hash_bursts(const struct run_config *config, struct hash *h)
{
	bool sleeps = false, draws = false, weighted = false;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct run_thread *th = &config->threads[t];
		sleeps |= th->bursts != NULL;
		draws |= th->bursts && !th->bursts->list;
		weighted |= th->weight != DEFAULT_WEIGHT;
	}
	if (sleeps)
		hash_add_string(h, "bursts");
	for (uint32_t t = 0; t < config->nr_threads && sleeps; t++)
		hash_model(&config->threads[t], h);
	if (draws)
		hash_add_u64(h, config->seed);
	if (weighted)
		hash_add_string(h, "weights");
	for (uint32_t t = 0; t < config->nr_threads && weighted; t++)
		hash_add_u64(h, config->threads[t].weight);
}
