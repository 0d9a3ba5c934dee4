/* The resolved configuration: keys, writing, hashing. Reading is run_config_read.c. */
#include "sim/engine/run_config.h"

#include <string.h>

#include "sim/base/number.h"
#include "sim/base/units.h"

const struct cfg_key config_keys[NR_CONFIG_KEYS] = {
#define KEY(suffix, path, kinds, unit, default_value, min, max, help)                                                  \
	[KEY_##suffix] = {path, kinds, unit, default_value, min, max, help},
#include "sim/engine/config_key_list.h"
#undef KEY
};

void run_config_release(struct run_config *config)
{
	for (uint32_t i = 0; i < config->nr_traces; i++)
		trace_free(config->traces[i].trace);
	textbuf_release(&config->notes);
	arena_release(&config->arena);
	*config = (struct run_config){0};
}

static const char *leaf(enum config_key key)
{
	const char *dot = strrchr(config_keys[key].path, '.');
	return dot ? dot + 1 : config_keys[key].path;
}

static void write_number(struct textbuf *b, const char *indent, enum config_key key, double value)
{
	textbuf_printf(b, "%s%s = ", indent, leaf(key));
	number_write_double(b, value, 1);
	textbuf_puts(b, ";\n");
}

static void write_string(struct textbuf *b, const char *indent, enum config_key key, const char *value)
{
	textbuf_printf(b, "%s%s = ", indent, leaf(key));
	cfg_write_string(b, value);
	textbuf_puts(b, ";\n");
}

static void write_cores(const struct run_config *config, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", leaf(KEY_CORES));
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		textbuf_puts(b, "\t\t{\n");
		write_string(b, "\t\t\t", KEY_CORE_TYPE, group->spec.type);
		if (group->spec.nr_speedups) {
			textbuf_printf(b, "\t\t\t%s = [", leaf(KEY_CORE_SPEEDUP));
			for (unsigned i = 0; i < group->spec.nr_speedups; i++) {
				textbuf_puts(b, i ? ", " : "");
				number_write_double(b, pct_of_ppm(group->spec.speedup_ppm[i]), 1);
			}
			textbuf_puts(b, "];\n");
		}
		textbuf_printf(b, "\t\t\t%s = %u;\n", leaf(KEY_CORE_COUNT), group->count);
		textbuf_printf(b, "\t\t}%s\n", g + 1 < config->nr_groups ? "," : "");
	}
	textbuf_puts(b, "\t);\n");
}

/* Threads from `t` on that replay the same trace. */
static uint32_t count_same_trace(const struct run_config *config, uint32_t t)
{
	uint32_t nr = 1;
	while (t + nr < config->nr_threads && config->threads[t + nr].trace == config->threads[t].trace)
		nr++;
	return nr;
}

static void write_traces(const struct run_config *config, struct textbuf *b)
{
	textbuf_printf(b, "\t%s = (\n", leaf(KEY_TRACES));
	for (uint32_t t = 0, nr; t < config->nr_threads; t += nr) {
		nr = count_same_trace(config, t);
		textbuf_puts(b, "\t\t{\n");
		write_string(b, "\t\t\t", KEY_TRACE_FILE, config->traces[config->threads[t].trace].path);
		textbuf_printf(b, "\t\t\t%s = [", leaf(KEY_TRACE_OFFSET));
		for (uint32_t i = 0; i < nr; i++) {
			textbuf_puts(b, i ? ", " : "");
			number_write_double(b, ms_of_ns(config->threads[t + i].offset_ns), 1);
		}
		textbuf_printf(b, "];\n\t\t}%s\n", t + nr < config->nr_threads ? "," : "");
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
	textbuf_printf(b, "%s :\n{\n", leaf(KEY_CHIP));
	write_cores(config, b);
	textbuf_printf(b, "};\n%s :\n{\n", leaf(KEY_MIGRATION));
	write_number(b, "\t", KEY_MIGRATION_COST, ms_of_ns(config->distances.cost_ns));
	textbuf_printf(b, "};\n%s :\n{\n", leaf(KEY_WORKLOAD));
	write_traces(config, b);
	write_string(b, "\t", KEY_WORKLOAD_MODE, config->alone ? "alone" : "together");
	write_number(b, "\t", KEY_DURATION, ms_of_ns(config->duration_ns));
	textbuf_printf(b, "};\n%s :\n{\n", leaf(KEY_SCHEDULER));
	write_string(b, "\t", KEY_POLICY, config->policy->name);
	textbuf_printf(b, "\t%s = %s;\n", leaf(KEY_ORACLE), config->oracle ? "true" : "false");
	textbuf_printf(b, "\t%s = %u;\n", leaf(KEY_INERTIA), config->inertia);
	write_number(b, "\t", KEY_TIMESTEP, ms_of_ns(config->timestep_ns));
	textbuf_printf(b, "};\n%s :\n{\n", leaf(KEY_CUTS));
	write_string(b, "\t", KEY_CUTS_SET, config->cuts_set);
	for (int c = 0; c < NR_COMPONENTS; c++)
		write_number(b, "\t", cut_keys[c], cuts_get(&config->cuts, (enum component)c));
	textbuf_puts(b, "};\n");
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
	hash_end(&h, hash);
}
