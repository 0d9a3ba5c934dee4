/* The resolved configuration: keys, writing, hashing. Reading is run_config_read.c and the files beside it. */
#include "sim/engine/config/run_config_internal.h"

#include <string.h>

#include "cores/chip/core_list.h"
#include "cores/chip/warmup.h"
#include "sched/host/interface.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/sim.h"
#include "workloads/bursts/burst_list.h"

/* Bounds of times of bursts, as configurations write them. */
#define MIN_BURST_RUN_MS ((double)MIN_BURST_RUN_NS / (double)NS_PER_MS)
#define MAX_BURST_MS ((double)(MAX_BURST_NS / NS_PER_MS))
#define MIN_BURST_ALPHA ((double)MIN_BURST_ALPHA_MILLI / 1000)
#define MAX_BURST_ALPHA ((double)MAX_BURST_ALPHA_MILLI / 1000)
#define MAX_BURST_INDEX ((double)(MAX_BURSTS - 1))

#define TEXT(x) #x
#define TEXT_OF(macro) TEXT(macro)

const struct cfg_key config_keys[NR_CONFIG_KEYS] = {
#define KEY(suffix, path, kinds, unit, default_value, min, max, help)                                                  \
	[KEY_##suffix] = {path, kinds, unit, default_value, min, max, help},
#include "sim/engine/config/config_key_list.h"
#undef KEY
};

void run_config_release(struct run_config *config)
{
	for (uint32_t i = 0; i < config->nr_traces && !config->cache; i++)
		trace_free(config->traces[i].trace);
	if (config->introspection)
		ipu_program_free(config->introspection->program);
	sched_plugin_close(config->plugin);
	textbuf_release(&config->notes);
	arena_release(&config->arena);
	*config = (struct run_config){0};
}

const char *config_key_leaf(enum config_key key)
{
	const char *dot = strrchr(config_keys[key].path, '.');
	return dot ? dot + 1 : config_keys[key].path;
}

void config_write_number(struct textbuf *b, const char *indent, enum config_key key, double value)
{
	textbuf_printf(b, "%s%s = ", indent, config_key_leaf(key));
	number_write_double(b, value, 1);
	textbuf_puts(b, ";\n");
}

/* Beyond 32 bits with an L behind, as the language wants it. */
void config_write_u64(struct textbuf *b, const char *indent, enum config_key key, uint64_t value)
{
	textbuf_printf(b, "%s%s = %llu%s;\n", indent, config_key_leaf(key), (unsigned long long)value,
		       value > INT32_MAX ? "L" : "");
}

void config_write_string(struct textbuf *b, const char *indent, enum config_key key, const char *value)
{
	textbuf_printf(b, "%s%s = ", indent, config_key_leaf(key));
	cfg_write_string(b, value);
	textbuf_puts(b, ";\n");
}

/* A string of a group in a list, where there is one. */
static void write_given(struct textbuf *b, enum config_key key, const char *value)
{
	if (value)
		config_write_string(b, "\t\t\t", key, value);
}

static void write_cores(const struct run_config *config, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_CORES));
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		textbuf_puts(b, "\t\t{\n");
		config_write_string(b, "\t\t\t", KEY_CORE_TYPE, group->spec.type);
		if (group->spec.nr_speedups) {
			textbuf_printf(b, "\t\t\t%s = [", config_key_leaf(KEY_CORE_SPEEDUP));
			for (unsigned i = 0; i < group->spec.nr_speedups; i++) {
				textbuf_puts(b, i ? ", " : "");
				number_write_double(b, pct_of_ppm(group->spec.speedup_ppm[i]), 1);
			}
			textbuf_puts(b, "];\n");
		}
		textbuf_printf(b, "\t\t\t%s = %u;\n", config_key_leaf(KEY_CORE_COUNT), group->count);
		write_given(b, KEY_CORE_TENANT, group->tenant);
		textbuf_printf(b, "\t\t}%s\n", g + 1 < config->nr_groups ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

static void write_levels(const struct distances *d, struct textbuf *b)
{
	if (d->nr_levels == 0)
		return;
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_LEVELS));
	for (uint32_t i = 0; i < d->nr_levels; i++) {
		textbuf_printf(b, "\t\t{\n\t\t\t%s = %u;\n", config_key_leaf(KEY_LEVEL_CORES), d->levels[i].nr_cores);
		config_write_number(b, "\t\t\t", KEY_LEVEL_COST, ms_of_ns(d->levels[i].cost_ns));
		textbuf_printf(b, "\t\t}%s\n", i + 1 < d->nr_levels ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

/* In short: a large matrix must not outgrow MAX_CFG_BYTES. Only a list holds numbers with and without a point. */
static void write_matrix(const struct distances *d, uint32_t nr_cores, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", config_key_leaf(KEY_MATRIX));
	for (uint32_t from = 0; from < nr_cores; from++) {
		textbuf_puts(b, "\t\t(");
		for (uint32_t to = 0; to < nr_cores; to++) {
			textbuf_puts(b, to ? "," : "");
			number_write_double(b, ms_of_ns(d->matrix_ns[(size_t)from * nr_cores + to]), 0);
		}
		textbuf_printf(b, ")%s\n", from + 1 < nr_cores ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

static void write_migration(const struct run_config *config, struct textbuf *b)
{
	if (config->distances.matrix_ns)
		write_matrix(&config->distances, config->chip.nr_cores, b);
	else
		config_write_number(b, "\t", KEY_MIGRATION_COST, ms_of_ns(config->distances.cost_ns));
	write_levels(&config->distances, b);
	config_write_number(b, "\t", KEY_WARMUP, ms_of_ns(config->warmup_ns));
}

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
		write_given(b, KEY_TRACE_TENANT, th->tenant);
		write_given(b, KEY_TRACE_AFFINITY, th->affinity);
		config_write_bursts(th, nr, b);
		textbuf_printf(b, "\t\t}%s\n", t + nr < config->nr_threads ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

void run_config_write(const struct run_config *config, struct textbuf *b)
{
	static const enum config_key cut_keys[NR_COMPONENTS] = {
		[COMPONENT_BRANCH] = KEY_CUT_BRANCH,
		[COMPONENT_L1I] = KEY_CUT_L1I,
		[COMPONENT_L1D] = KEY_CUT_L1D,
		[COMPONENT_L2] = KEY_CUT_L2,
	};
	textbuf_printf(b, "%s :\n{\n", config_key_leaf(KEY_CHIP));
	write_cores(config, b);
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_MIGRATION));
	write_migration(config, b);
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_WORKLOAD));
	write_traces(config, b);
	config_write_changes(config, b);
	config_write_string(b, "\t", KEY_WORKLOAD_MODE, config->alone ? "alone" : "together");
	config_write_number(b, "\t", KEY_DURATION, ms_of_ns(config->duration_ns));
	textbuf_printf(b, "\t%s = %u;\n", config_key_leaf(KEY_SAMPLES), config->nr_samples);
	config_write_u64(b, "\t", KEY_SEED, config->seed);
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_SCHEDULER));
	config_write_policy(config, b);
	textbuf_printf(b, "\t%s = %s;\n", config_key_leaf(KEY_ORACLE), config->oracle ? "true" : "false");
	textbuf_printf(b, "\t%s = %u;\n", config_key_leaf(KEY_INERTIA), config->inertia);
	config_write_number(b, "\t", KEY_TIMESTEP, ms_of_ns(config->timestep_ns));
	textbuf_printf(b, "};\n%s :\n{\n", config_key_leaf(KEY_CUTS));
	config_write_string(b, "\t", KEY_CUTS_SET, config->cuts_set);
	for (int c = 0; c < NR_COMPONENTS; c++)
		config_write_number(b, "\t", cut_keys[c], cuts_get(&config->cuts, (enum component)c));
	textbuf_puts(b, "};\n");
	config_write_introspection(config->introspection, b);
}

/* What not every configuration has comes behind what all have, each kind behind a name of its own, and only where it
 * says something: a configuration without it keeps its hash. Mode alone knows no arrivals. */
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

static void hash_distances(const struct run_config *config, struct hash *h)
{
	const struct distances *d = &config->distances;
	size_t nr_costs = (size_t)config->chip.nr_cores * config->chip.nr_cores;
	if (d->nr_levels) {
		hash_add_string(h, "levels");
		hash_add_u64(h, d->nr_levels);
	}
	for (uint32_t i = 0; i < d->nr_levels; i++) {
		hash_add_u64(h, d->levels[i].nr_cores);
		hash_add_u64(h, d->levels[i].cost_ns);
	}
	if (d->matrix_ns)
		hash_add_string(h, "matrix");
	for (size_t i = 0; i < nr_costs && d->matrix_ns; i++)
		hash_add_u64(h, d->matrix_ns[i]);
	if (config->warmup_ns) {
		hash_add_string(h, "warm-up");
		hash_add_u64(h, config->warmup_ns);
	}
}

static void hash_samples(const struct run_config *config, struct hash *h)
{
	if (config->nr_samples == 1)
		return;
	hash_add_string(h, "samples");
	hash_add_u64(h, config->nr_samples);
	hash_add_u64(h, config->seed);
}

/* A policy of which nobody knows that it draws nothing: any operation may. */
static void hash_draws(const struct run_config *config, struct hash *h)
{
	bool may_draw = false;
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++)
		may_draw |= sched_op_is_given(config->policy, row);
	if (!may_draw || config->policy->sahm_rules)
		return;
	hash_add_string(h, "draws");
	hash_add_u64(h, config->seed);
}

void run_config_hash(const struct run_config *config, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, "sahm run 1");
	hash_add_u64(&h, config->chip.nr_cores);
	for (uint32_t c = 0; c < config->chip.nr_cores; c++) {
		const struct core_type *type = config->chip.cores[c];
		hash_add_u64(&h, type->serves);
		hash_add_u64(&h, type->matches);
		for (unsigned s = 0; s < NR_STATES; s++)
			hash_add_u64(&h, (uint64_t)(int64_t)type->speedup_ppm[s]);
	}
	hash_add_u64(&h, config->distances.cost_ns);
	hash_add_u64(&h, config->nr_threads);
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		hash_add(&h, trace_hash(config->traces[config->threads[t].trace].trace), HASH_BYTES);
		hash_add_u64(&h, config->threads[t].offset_ns);
	}
	hash_add_u64(&h, config->alone);
	hash_add_u64(&h, config->duration_ns);
	hash_add_string(&h, config->policy->name);
	hash_add_u64(&h, config->oracle);
	hash_add_u64(&h, config->inertia);
	hash_add_u64(&h, config->timestep_ns);
	for (int c = 0; c < NR_COMPONENTS; c++)
		hash_add_u64(&h, config->cuts.ppb[c]);
	hash_arrivals(config, &h);
	hash_allowed(config, &h);
	hash_distances(config, &h);
	hash_samples(config, &h);
	config_hash_introspection(config->introspection, &h);
	hash_draws(config, &h);
	config_hash_bursts(config, &h);
	config_hash_changes(config, &h);
	config_hash_plugin(config->plugin, &h);
	hash_end(&h, hash);
}

static void tell_introspection(const struct run_introspection *in, run_input_fn *tell, void *ctx)
{
	uint8_t hash[HASH_BYTES];
	struct hash h;
	hash_init(&h);
	ipu_program_hash(in->program, &h);
	hash_end(&h, hash);
	tell(ctx, "introspection program", in->image, hash);
	hash_init(&h);
	abi_hash(&in->abi, &h);
	hash_end(&h, hash);
	tell(ctx, "ABI spec", in->abi_path, hash);
}

void run_config_inputs(const struct run_config *config, run_input_fn *tell, void *ctx)
{
	for (uint32_t i = 0; i < config->nr_traces; i++)
		tell(ctx, "trace", config->traces[i].path, trace_hash(config->traces[i].trace));
	for (uint32_t t = 0; t < config->nr_threads; t++)
		if (config->threads[t].burst_list)
			tell(ctx, "list of bursts", config->threads[t].burst_list->path,
			     config->threads[t].burst_list->hash);
	if (config->plugin)
		tell(ctx, "plug-in", sched_plugin_path(config->plugin), sched_plugin_hash(config->plugin));
	if (config->introspection)
		tell_introspection(config->introspection, tell, ctx);
}
