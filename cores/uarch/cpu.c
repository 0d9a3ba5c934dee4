#include "cores/uarch/cpu.h"

#include <ctype.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"

/* The keys of a description of a processor (cpu.h): these, and those of cpu_key_list.h. To add a processor: a file in
 * configs/cpus, with its sources, and its row in docs/models.md and in made_cpu.h. */
#define CPU_KEYS(KEY)                                                                                                  \
	KEY(CPU_NAME, "name", CFG_STRING, "", "", 0, 0, "what results call it; required")                              \
	KEY(CPU_SOURCE, "source", CFG_STRING, "", "", 0, 0, "where the figures are from; required")

enum cpu_key {
	CPU_KEYS(ROW_SYMBOL)
#define CPU_KEY ROW_SYMBOL
#include "cores/uarch/cpu_key_list.h"
#undef CPU_KEY
		NR_CPU_KEYS
};

static const struct cfg_key keys[] = {CPU_KEYS(CFG_KEY_ROW)
#define CPU_KEY CFG_KEY_ROW
#include "cores/uarch/cpu_key_list.h"
#undef CPU_KEY
};

static const char *const ways_of_targets[] = {"history", "pc", NULL};

/* The member that `key` speaks of, which must be there. */
static enum sahm_status need(const struct cfg_node *group, const struct cfg_key *key, const struct cfg_node **node,
			     struct sahm_err *err)
{
	*node = cfg_member(group, key);
	if (*node)
		return SAHM_OK;
	return cfg_fail(group, err, "missing key '%s': %s", key->path, key->help);
}

static enum sahm_status need_whole(const struct cfg_node *group, const struct cfg_key *key, uint32_t *value,
				   struct sahm_err *err)
{
	const struct cfg_node *node;
	double number;
	enum sahm_status status = need(group, key, &node, err);
	if (status == SAHM_OK)
		status = cfg_node_number(node, key, &number, err);
	if (status == SAHM_OK)
		*value = (uint32_t)number;
	return status;
}

/* Of a number of entries: its logarithm. */
static enum sahm_status need_power(const struct cfg_node *group, enum cpu_key key, uint8_t *bits, struct sahm_err *err)
{
	uint32_t value = 1;
	enum sahm_status status = need_whole(group, &keys[key], &value, err);
	if (status != SAHM_OK)
		return status;
	if (value & (value - 1))
		return cfg_fail(cfg_member(group, &keys[key]), err, "'%s' is %u, must be a power of two",
				keys[key].path, value);
	for (*bits = 0; value >> *bits > 1;)
		++*bits;
	return SAHM_OK;
}

const struct cfg_node *cpu_blame(const struct cfg_node *group, const struct cfg_key *key, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		const struct cfg_node *member = cfg_member(group, &key[i]);
		if (member && member->line == 0)
			return member;
	}
	return group;
}

enum sahm_status cpu_read_word(const struct cfg_node *node, const char *const *words, unsigned *which,
			       struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	const char *word = node->value.string;
	suggest_init(&s, word);
	for (*which = 0; words[*which]; ++*which) {
		suggest_offer(&s, words[*which]);
		if (strcmp(word, words[*which]) == 0)
			return SAHM_OK;
	}
	struct textbuf all;
	textbuf_init(&all);
	for (unsigned i = 0; i < *which; i++)
		textbuf_printf(&all, "%s%s", i == 0 ? "" : i + 1 < *which ? ", " : " or ", words[i]);
	/* An element has the name of its list. */
	const char *name = node->name ? node->name : node->parent->name;
	enum sahm_status status = cfg_fail(node, err, "%s is '%.40s', must be %s%s", name, word,
					   textbuf_failed(&all) ? "another" : all.text, suggest_text(&s, near));
	textbuf_release(&all);
	return status;
}

static enum sahm_status read_replacement(const struct cfg_node *group, const struct cfg_key *key, uint32_t *replacement,
					 struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group, key);
	const char *words[NR_REPLACEMENTS + 1] = {NULL};
	for (unsigned i = 0; i < NR_REPLACEMENTS; i++)
		words[i] = cache_replacement_name((enum cache_replacement)i);
	*replacement = REPLACE_LRU;
	return node ? cpu_read_word(node, words, replacement, err) : SAHM_OK;
}

enum sahm_status cpu_read_cache(const struct cfg_node *root, const struct cfg_key *key, struct cache_spec *spec,
				struct sahm_err *err)
{
	const struct cfg_node *group;
	uint32_t kib = 0;
	enum sahm_status status = need(root, &key[0], &group, err);
	if (status == SAHM_OK)
		status = need_whole(group, &key[1], &kib, err);
	if (status == SAHM_OK)
		status = need_whole(group, &key[2], &spec->ways, err);
	if (status == SAHM_OK)
		status = need_whole(group, &key[3], &spec->line_bytes, err);
	if (status == SAHM_OK)
		status = read_replacement(group, &key[4], &spec->replacement, err);
	if (status != SAHM_OK)
		return status;
	spec->bytes = kib * 1024;
	const char *fault = cache_spec_fault(spec);
	if (!fault)
		return SAHM_OK;
	return cfg_fail(cpu_blame(group, &key[1], 3), err, "%s: %s (%u KiB, ways: %u, line of %u bytes)", group->name,
			fault, kib, spec->ways, spec->line_bytes);
}

static enum sahm_status read_table(const struct cfg_node *group, struct tage_table_spec *table, struct sahm_err *err)
{
	uint32_t history = 0, tag = 0;
	enum sahm_status status = need_whole(group, &keys[CPU_TABLE_HISTORY], &history, err);
	if (status == SAHM_OK)
		status = need_power(group, CPU_TABLE_ENTRIES, &table->entries_bits, err);
	if (status == SAHM_OK)
		status = need_whole(group, &keys[CPU_TABLE_TAG], &tag, err);
	table->history_bits = (uint16_t)history;
	table->tag_bits = (uint8_t)tag;
	return status;
}

static enum sahm_status read_tables(const struct cfg_node *group, struct predictor_spec *spec, struct sahm_err *err)
{
	const struct cfg_node *list;
	const struct cfg_node *other = cfg_member(group, &keys[CPU_HISTORY]);
	if (other)
		return cfg_fail(other, err, "history_bits with kind %s: its tables have separate histories",
				predictor_kind_name((enum predictor_kind)spec->kind));
	enum sahm_status status = need(group, &keys[CPU_TABLES], &list, err);
	if (status == SAHM_OK && list->nr_children > MAX_TAGE_TABLES)
		status = cfg_fail(list, err, "more than %u tables", MAX_TAGE_TABLES);
	if (status != SAHM_OK)
		return status;
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next)
		status = read_table(n, &spec->tables[spec->nr_tables++], err);
	return status;
}

static enum sahm_status read_gshare(const struct cfg_node *group, struct predictor_spec *spec, struct sahm_err *err)
{
	uint32_t history = 0;
	const struct cfg_node *other = cfg_member(group, &keys[CPU_TABLES]);
	if (other)
		return cfg_fail(other, err, "tables with kind gshare, which has none but its counters");
	enum sahm_status status = need_whole(group, &keys[CPU_HISTORY], &history, err);
	spec->gshare_history = (uint16_t)history;
	return status;
}

/* The parts that only tage-sc-l has. */
static enum sahm_status read_corrector(const struct cfg_node *group, struct predictor_spec *spec, struct sahm_err *err)
{
	static const enum cpu_key own[] = {CPU_LOOPS, CPU_CORRECTOR_TABLES, CPU_CORRECTOR_COUNTERS};
	uint32_t nr_tables = 0;
	for (size_t i = 0; i < ARRAY_SIZE(own) && spec->kind != PREDICTOR_TAGE_SC_L; i++) {
		const struct cfg_node *node = cfg_member(group, &keys[own[i]]);
		if (node)
			return cfg_fail(node, err, "%s with kind %s: only tage-sc-l has it", node->name,
					predictor_kind_name((enum predictor_kind)spec->kind));
	}
	if (spec->kind != PREDICTOR_TAGE_SC_L)
		return SAHM_OK;
	enum sahm_status status = need_power(group, CPU_LOOPS, &spec->loop_bits, err);
	if (status == SAHM_OK)
		status = need_whole(group, &keys[CPU_CORRECTOR_TABLES], &nr_tables, err);
	if (status == SAHM_OK)
		status = need_power(group, CPU_CORRECTOR_COUNTERS, &spec->corrector_bits, err);
	spec->corrector_tables = (uint8_t)nr_tables;
	return status;
}

static enum sahm_status read_predictor(const struct cfg_node *root, struct predictor_spec *spec, struct sahm_err *err)
{
	const struct cfg_node *group, *kind, *by;
	unsigned which = 0;
	uint32_t returns = 0;
	enum sahm_status status = need(root, &keys[CPU_PREDICTOR], &group, err);
	if (status == SAHM_OK)
		status = need(group, &keys[CPU_KIND], &kind, err);
	if (status == SAHM_OK)
		status = cpu_read_word(kind,
				       (const char *const[]){predictor_kind_name(PREDICTOR_TAGE),
							     predictor_kind_name(PREDICTOR_GSHARE),
							     predictor_kind_name(PREDICTOR_TAGE_SC_L), NULL},
				       &which, err);
	if (status != SAHM_OK)
		return status;
	spec->kind = (uint8_t)which;
	status = predictor_is_tage(spec) ? read_tables(group, spec, err) : read_gshare(group, spec, err);
	if (status == SAHM_OK)
		status = read_corrector(group, spec, err);
	if (status == SAHM_OK)
		status = need_power(group, CPU_COUNTERS, &spec->base_bits, err);
	if (status == SAHM_OK)
		status = need_power(group, CPU_TARGETS, &spec->target_bits, err);
	if (status == SAHM_OK)
		status = need_whole(group, &keys[CPU_RETURNS], &returns, err);
	spec->return_stack = (uint16_t)returns;
	by = status == SAHM_OK ? cfg_member(group, &keys[CPU_TARGETS_BY]) : NULL;
	which = 0;
	if (by)
		status = cpu_read_word(by, ways_of_targets, &which, err);
	spec->targets_by_pc = which == 1;
	if (status != SAHM_OK)
		return status;
	const char *fault = predictor_spec_fault(spec);
	return fault ? cfg_fail(group, err, "%s: %s", group->name, fault) : SAHM_OK;
}

/* It goes into results, on a line. */
static enum sahm_status read_name(const struct cfg_node *root, struct cpu *cpu, struct sahm_err *err)
{
	const struct cfg_node *name, *source;
	enum sahm_status status = need(root, &keys[CPU_NAME], &name, err);
	if (status == SAHM_OK)
		status = need(root, &keys[CPU_SOURCE], &source, err);
	if (status != SAHM_OK)
		return status;
	const char *text = name->value.string;
	if (!text[strspn(text, " ")])
		return cfg_fail(name, err, "name is empty");
	if (strlen(text) >= sizeof(cpu->name))
		return cfg_fail(name, err, "name '%.40s...' is longer than %zu bytes", text, sizeof(cpu->name) - 1);
	for (const char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			return cfg_fail(name, err, "name '%.63s' has control characters", text);
	if (!source->value.string[strspn(source->value.string, " \t\n")])
		return cfg_fail(source, err, "source is empty: say where the figures are from");
	strcpy(cpu->name, text);
	return SAHM_OK;
}

enum sahm_status cpu_read_parts(const struct cfg_node *root, struct cpu *cpu, struct sahm_err *err)
{
	enum sahm_status status = cpu_read_cache(root, &keys[CPU_L1I], &cpu->l1i, err);
	if (status == SAHM_OK)
		status = cpu_read_cache(root, &keys[CPU_L1D], &cpu->l1d, err);
	if (status == SAHM_OK)
		status = cpu_read_cache(root, &keys[CPU_L2], &cpu->l2, err);
	return status == SAHM_OK ? read_predictor(root, &cpu->predictor, err) : status;
}

static enum sahm_status read_root(const struct cfg_node *root, struct cpu *cpu, struct sahm_err *err)
{
	struct cpu read;
	/* With what is between members: the bytes are what another process gets. */
	memset(&read, 0, sizeof(read));
	const struct cfg_node *chip = cfg_child(root, "chip");
	if (chip)
		return cfg_fail(chip, err, "a configuration, not a description of a processor");
	enum sahm_status status = cfg_check(root, keys, NR_CPU_KEYS, err);
	if (status == SAHM_OK)
		status = read_name(root, &read, err);
	if (status == SAHM_OK)
		status = cpu_read_parts(root, &read, err);
	if (status == SAHM_OK)
		memcpy(cpu, &read, sizeof(read));
	return status;
}

enum sahm_status cpu_read(const char *path, struct cpu *cpu, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = cfg_read_file(&a, path, &root, err);
	if (status == SAHM_OK)
		status = read_root(root, cpu, err);
	arena_release(&a);
	return status;
}

enum sahm_status cpu_read_text(const char *file, const char *text, size_t len, struct cpu *cpu, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = cfg_read_text(&a, file, text, len, &root, err);
	if (status == SAHM_OK)
		status = read_root(root, cpu, err);
	arena_release(&a);
	return status;
}
