#include "cores/uarch/core_model.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cores/uarch/core_event.h"
#include "cores/uarch/core_prefetchers.h"
#include "cores/uarch/cpu.h"
#include "cores/uarch/ideal.h"
#include "sim/base/array.h"
#include "sim/base/cfg.h"
#include "sim/base/folder.h"
#include "sim/base/suggest.h"

/* Of which kinds of core a key is. */
enum { OUT_OF_ORDER = 1, IN_ORDER = 2, BOTH = 3 };

enum core_key {
#define CORE_KEY ROW_SYMBOL
#define CORE_NUMBER(symbol, ...) symbol,
#include "cores/uarch/core_key_list.h"
#undef CORE_NUMBER
#undef CORE_KEY
#define CPU_KEY ROW_SYMBOL
#include "cores/uarch/cpu_key_list.h"
#undef CPU_KEY
#define INSN_CLASS(suffix, ...) CORE_LATENCY_##suffix,
#include "cores/isa/insn_class_list.h"
#undef INSN_CLASS
	NR_CORE_KEYS
};

static const struct cfg_key keys[] = {
#define CPU_KEY CFG_KEY_ROW
#include "cores/uarch/cpu_key_list.h"
#undef CPU_KEY
#define CORE_KEY CFG_KEY_ROW
#define CORE_NUMBER(symbol, path, kinds, member, unit, preset, min, max, help)                                         \
	CFG_KEY_ROW(symbol, path, CFG_INT, unit, preset, min, max, help)
#include "cores/uarch/core_key_list.h"
#undef CORE_NUMBER
#undef CORE_KEY
#define INSN_CLASS(suffix, name, is_branch, comprises)                                                                 \
	CFG_KEY_ROW(CORE_LATENCY_##suffix, "latency." name, CFG_INT, "cycles", "1", 1, MAX_LATENCY, comprises)
#include "cores/isa/insn_class_list.h"
#undef INSN_CLASS
};

/* Where the number of a key goes, and of which cores it is. */
struct number_row {
	enum core_key key;
	unsigned kinds;
	size_t offset;
};

static const struct number_row numbers[] = {
#define CORE_KEY(...)
#define CORE_NUMBER(symbol, path, kinds, member, ...) {symbol, kinds, offsetof(struct core_timing, member)},
#include "cores/uarch/core_key_list.h"
#undef CORE_NUMBER
#undef CORE_KEY
};

static uint16_t *number_at(const struct core_timing *t, const struct number_row *row)
{
	return (uint16_t *)(void *)((char *)(uintptr_t)t + row->offset);
}

/* Other keys that only one kind of core has. */
static const struct {
	enum core_key key;
	unsigned kinds;
} special[] = {{CORE_ORDER, OUT_OF_ORDER}, {CORE_QUEUES, OUT_OF_ORDER}, {CORE_BLOCKING, IN_ORDER}};

static const char *const kind_names[] = {"out-of-order", "in-order", NULL};
static const char *const order_names[] = {"perfect", "conservative", "speculative", NULL};
static const char *const store_fill_names[] = {"execute", "commit", NULL};
static const char *const family_names[] = {
#define EVENT_FAMILY(suffix, name, counters, help) name,
#include "cores/uarch/event_family_list.h"
#undef EVENT_FAMILY
	NULL};

const struct cfg_key *core_model_keys(size_t *nr)
{
	*nr = NR_CORE_KEYS;
	return keys;
}

const char *core_kind_name(enum core_kind kind)
{
	return kind_names[kind];
}

/* ---- The tree ---- */

/* The group that the key is in: `root`, or its member before the dot; NULL where that is not there. */
static const struct cfg_node *group_of(const struct cfg_node *root, const struct cfg_key *key)
{
	char name[CORE_PART_NAME_BYTES];
	const char *dot = strchr(key->path, '.');
	if (!dot)
		return root;
	snprintf(name, sizeof(name), "%.*s", (int)(dot - key->path), key->path);
	return cfg_child(root, name);
}

/* Gives `root` the parts of a processor that it does not have. */
static void merge_part(struct cfg_node *root, struct cfg_node *cpu, const char *name)
{
	struct cfg_node *theirs = cfg_take(cpu, name);
	struct cfg_node *own = cfg_take(root, name);
	if (!own) {
		cfg_put(root, theirs);
		return;
	}
	cfg_put(root, own);
	/* Another kind of predictor has other keys. */
	if (cfg_child(own, "kind"))
		return;
	for (struct cfg_node *n = theirs->first, *next; n; n = next) {
		next = n->next;
		if (!cfg_child(own, n->name))
			cfg_put(own, cfg_take(theirs, n->name));
	}
}

static enum sahm_status merge_cpu(struct arena *a, struct cfg_node *root, const char *cpus, struct sahm_err *err)
{
	static const char *const parts[] = {"l1i", "l1d", "l2", "predictor"};
	const struct cfg_node *name = cfg_member(root, &keys[CORE_CPU]);
	struct cfg_node *cpu;
	struct textbuf path;
	struct cpu whole;
	if (!name)
		return SAHM_OK;
	if (name->kind != CFG_STRING || strchr(name->value.string, '/') || !*name->value.string)
		return cfg_fail(name, err, "cpu must be the name of a file in configs/cpus, without folder and ending");
	textbuf_init(&path);
	textbuf_printf(&path, "%s/%s.cfg", cpus, name->value.string);
	enum sahm_status status = textbuf_failed(&path) ? sahm_fail_nomem(err) : cfg_read_file(a, path.text, &cpu, err);
	if (status == SAHM_IO) {
		char near[SUGGEST_BYTES];
		struct suggest s;
		suggest_init(&s, name->value.string);
		folder_offer(cpus, ".cfg", a, &s);
		status = cfg_fail(name, err, "cpu is '%.60s', must be the name of a file in configs/cpus%s",
				  name->value.string, suggest_text(&s, near));
	}
	/* Faults of the processor's file are reported as such, not as this file's. */
	if (status == SAHM_OK)
		status = cpu_read(path.text, &whole, err);
	for (size_t i = 0; status == SAHM_OK && i < ARRAY_SIZE(parts); i++)
		merge_part(root, cpu, parts[i]);
	textbuf_release(&path);
	return status;
}

static bool is_cpu_setting(const char *setting)
{
	return strncmp(setting, "cpu=", strlen("cpu=")) == 0;
}

static enum sahm_status apply(struct arena *a, struct cfg_node *root, const char *const *settings, size_t nr,
			      bool of_cpu, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < nr && status == SAHM_OK; i++)
		if (is_cpu_setting(settings[i]) == of_cpu)
			status = cfg_set(a, root, keys, NR_CORE_KEYS, settings[i], err);
	return status;
}

/* ---- Values ---- */

static enum sahm_status read_label(const struct cfg_node *group, enum core_key key, char *text, size_t size,
				   struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group, &keys[key]);
	if (!node)
		return cfg_fail(group, err, "missing key '%s': %s", keys[key].path, keys[key].help);
	const char *given = node->value.string;
	if (!given[strspn(given, " \t\n")])
		return cfg_fail(node, err, "%s is empty", node->name);
	if (strlen(given) >= size)
		return cfg_fail(node, err, "%s '%.40s...' is longer than %zu bytes", node->name, given, size - 1);
	for (const char *p = given; *p; p++)
		if (iscntrl((unsigned char)*p))
			return cfg_fail(node, err, "%s has control characters", node->name);
	strcpy(text, given);
	return SAHM_OK;
}

static enum sahm_status read_choice(const struct cfg_node *group, enum core_key key, const char *const *words,
				    uint8_t *which, struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group, &keys[key]);
	unsigned found = 0;
	enum sahm_status status = SAHM_OK;
	if (node)
		status = cpu_read_word(node, words, &found, err);
	else
		while (strcmp(words[found], keys[key].default_value) != 0)
			found++;
	*which = (uint8_t)found;
	return status;
}

static enum sahm_status read_whole(const struct cfg_node *group, enum core_key key, uint32_t *value,
				   struct sahm_err *err)
{
	double number = 0;
	enum sahm_status status = cfg_number(group, &keys[key], &number, err);
	*value = (uint32_t)number;
	return status;
}

static enum sahm_status refuse_others(const struct cfg_node *root, enum core_key key, unsigned kinds, unsigned kind,
				      struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(group_of(root, &keys[key]), &keys[key]);
	if (!node || kinds & (kind == CORE_IN_ORDER ? IN_ORDER : OUT_OF_ORDER))
		return SAHM_OK;
	return cfg_fail(node, err, "'%s' is a key of %s cores only; kind is %s", keys[key].path,
			kind_names[kind == CORE_IN_ORDER ? CORE_OUT_OF_ORDER : CORE_IN_ORDER], kind_names[kind]);
}

static enum sahm_status read_numbers(const struct cfg_node *root, struct core_timing *t, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < ARRAY_SIZE(numbers) && status == SAHM_OK; i++) {
		const struct cfg_key *key = &keys[numbers[i].key];
		uint32_t value = 0;
		status = refuse_others(root, numbers[i].key, numbers[i].kinds, t->kind, err);
		if (status == SAHM_OK)
			status = read_whole(group_of(root, key), numbers[i].key, &value, err);
		bool is_registers = numbers[i].key == CORE_INT_REGISTERS || numbers[i].key == CORE_FP_REGISTERS;
		if (status == SAHM_OK && is_registers && value > 0 && value <= ARCHITECTURAL_REGISTERS)
			status = cfg_fail(cfg_member(root, key), err, "%s is %u, must be 0 (no limit) or above %u",
					  key->path, value, ARCHITECTURAL_REGISTERS);
		*number_at(t, &numbers[i]) = (uint16_t)value;
	}
	for (size_t i = 0; i < ARRAY_SIZE(special) && status == SAHM_OK; i++)
		status = refuse_others(root, special[i].key, special[i].kinds, t->kind, err);
	return status;
}

static enum sahm_status read_queues(const struct cfg_node *root, struct core_timing *t, struct sahm_err *err)
{
	const struct cfg_node *list = cfg_member(root, &keys[CORE_QUEUES]);
	enum sahm_status status = SAHM_OK;
	if (t->kind == CORE_IN_ORDER)
		return SAHM_OK;
	if (!list || list->nr_children == 0)
		return cfg_fail(list ? list : root, err, "missing key 'queues': an out-of-order core has issue queues");
	if (list->nr_children > MAX_ISSUE_QUEUES)
		return cfg_fail(list, err, "more than %u queues", MAX_ISSUE_QUEUES);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next) {
		struct issue_queue *q = &t->queues[t->nr_queues];
		uint32_t entries = 0, issue = 0;
		status = read_label(n, CORE_QUEUE_NAME, q->name, sizeof(q->name), err);
		for (unsigned i = 0; i < t->nr_queues && status == SAHM_OK; i++)
			if (strcmp(t->queues[i].name, q->name) == 0)
				status = cfg_fail(n, err, "there are two queues '%s'", q->name);
		if (status == SAHM_OK)
			status = read_whole(n, CORE_QUEUE_ENTRIES, &entries, err);
		if (status == SAHM_OK)
			status = read_whole(n, CORE_QUEUE_ISSUE, &issue, err);
		q->entries = (uint16_t)entries;
		q->issue = (uint16_t)issue;
		t->nr_queues++;
	}
	return status;
}

static enum sahm_status read_group_queue(const struct cfg_node *n, struct core_timing *t, struct unit_group *g,
					 struct sahm_err *err)
{
	const struct cfg_node *queue = cfg_member(n, &keys[CORE_GROUP_QUEUE]);
	const char *names[MAX_ISSUE_QUEUES + 1] = {NULL};
	unsigned which = 0;
	for (unsigned i = 0; i < t->nr_queues; i++)
		names[i] = t->queues[i].name;
	if (t->kind == CORE_IN_ORDER)
		return queue ? cfg_fail(queue, err, "an in-order core has no issue queues") : SAHM_OK;
	if (!queue)
		return cfg_fail(n, err, "missing key 'queue': which of the issue queues units '%s' serve", g->name);
	enum sahm_status status = cpu_read_word(queue, names, &which, err);
	g->queue = (uint8_t)which;
	return status;
}

#define NO_GROUP UINT8_MAX

static enum sahm_status read_classes(const struct cfg_node *n, struct core_timing *t, struct sahm_err *err)
{
	const struct cfg_node *list = cfg_member(n, &keys[CORE_GROUP_CLASSES]);
	const char *names[NR_INSN_CLASSES + 1] = {NULL};
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		names[i] = insn_class_name((enum insn_class)i);
	if (!list || list->nr_children == 0)
		return cfg_fail(list ? list : n, err, "missing key 'classes': which uops units '%s' execute",
				t->groups[t->nr_groups].name);
	for (const struct cfg_node *c = list->first; c; c = c->next) {
		unsigned class;
		if (c->kind != CFG_STRING)
			return cfg_fail(c, err, "a class must be a string");
		for (class = 0; class < NR_INSN_CLASSES && strcmp(names[class], c->value.string) != 0; class ++)
			;
		if (class == NR_INSN_CLASSES) {
			char near[SUGGEST_BYTES];
			struct suggest s;
			suggest_init(&s, c->value.string);
			for (class = 0; class < NR_INSN_CLASSES; class ++)
				suggest_offer(&s, names[class]);
			return cfg_fail(c, err, "there is no class '%.40s'%s", c->value.string, suggest_text(&s, near));
		}
		if (t->group[class] != NO_GROUP)
			return cfg_fail(c, err, "class '%s' is in two groups of units", names[class]);
		t->group[class] = t->nr_groups;
	}
	return SAHM_OK;
}

static enum sahm_status read_groups(const struct cfg_node *root, struct core_timing *t, struct sahm_err *err)
{
	static const enum insn_class required[] = {INSN_INTEGER, INSN_LOAD, INSN_STORE};
	const struct cfg_node *list = cfg_member(root, &keys[CORE_GROUPS]);
	enum sahm_status status = SAHM_OK;
	memset(t->group, NO_GROUP, sizeof(t->group));
	if (!list || list->nr_children == 0)
		return cfg_fail(list ? list : root, err, "missing key 'units': groups of units that execute uops");
	if (list->nr_children > MAX_UNIT_GROUPS)
		return cfg_fail(list, err, "more than %u groups of units", MAX_UNIT_GROUPS);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next) {
		struct unit_group *g = &t->groups[t->nr_groups];
		uint32_t units = 0;
		status = read_label(n, CORE_GROUP_NAME, g->name, sizeof(g->name), err);
		if (status == SAHM_OK)
			status = read_whole(n, CORE_GROUP_UNITS, &units, err);
		if (status == SAHM_OK)
			status = read_group_queue(n, t, g, err);
		if (status == SAHM_OK)
			status = read_classes(n, t, err);
		g->units = (uint16_t)units;
		g->is_pipelined = cfg_bool(n, &keys[CORE_GROUP_PIPELINED]);
		t->nr_groups++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(required) && status == SAHM_OK; i++)
		if (t->group[required[i]] == NO_GROUP)
			status = cfg_fail(list, err, "no group of units has class '%s'", insn_class_name(required[i]));
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		if (t->group[i] == NO_GROUP)
			t->group[i] = t->group[INSN_INTEGER];
	return status;
}

static enum sahm_status read_latencies(const struct cfg_node *root, struct core_timing *t, struct sahm_err *err)
{
	const struct cfg_node *group = cfg_member(root, &keys[CORE_LATENCY]);
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < NR_INSN_CLASSES && status == SAHM_OK; i++) {
		uint32_t value = 0;
		status = read_whole(group, (enum core_key)(CORE_LATENCY_INTEGER + i), &value, err);
		t->latency[i] = (uint16_t)value;
	}
	return status;
}

static enum sahm_status read_timing(const struct cfg_node *root, struct core_timing *t, struct sahm_err *err)
{
	const struct cfg_node *kind = cfg_member(root, &keys[CORE_KIND]);
	if (!kind)
		return cfg_fail(root, err, "missing key 'kind': %s", keys[CORE_KIND].help);
	enum sahm_status status = read_choice(root, CORE_KIND, kind_names, &t->kind, err);
	if (status == SAHM_OK)
		status = read_numbers(root, t, err);
	if (status == SAHM_OK)
		status = read_choice(root, CORE_ORDER, order_names, &t->memory_order, err);
	if (status == SAHM_OK)
		status = read_choice(root, CORE_STORE_FILL, store_fill_names, &t->store_fill, err);
	if (status == SAHM_OK)
		status = read_queues(root, t, err);
	if (status == SAHM_OK)
		status = read_groups(root, t, err);
	t->fence_flushes = cfg_bool(root, &keys[CORE_FENCE]);
	t->is_blocking = cfg_bool(root, &keys[CORE_BLOCKING]);
	return status == SAHM_OK ? read_latencies(root, t, err) : status;
}

static enum sahm_status read_events(const struct cfg_node *root, struct core_model *c, struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(root, &keys[CORE_EVENTS]);
	unsigned family = c->timing.kind == CORE_IN_ORDER ? FAMILY_ROCKET : FAMILY_BOOM;
	enum sahm_status status = node ? cpu_read_word(node, family_names, &family, err) : SAHM_OK;
	c->events = (uint8_t)family;
	return status;
}

/* ---- Geometry ---- */

/* Of a cache; `key` is that of its prefetcher. */
static enum sahm_status read_prefetchers(const struct cfg_node *root, const char *cache, enum core_key key,
					 struct prefetcher_spec specs[MAX_PREFETCHERS], struct sahm_err *err)
{
	return core_prefetchers_read(cfg_child(root, cache), cache, &keys[key], specs, err);
}

static enum sahm_status read_table(const struct cfg_node *root, enum core_key key, struct table_spec *t,
				   struct sahm_err *err)
{
	const struct cfg_node *group = cfg_member(root, &keys[key]);
	enum sahm_status status = read_whole(group, key + 1, &t->entries, err);
	if (status == SAHM_OK)
		status = read_whole(group, key + 2, &t->ways, err);
	if (status != SAHM_OK || t->entries == 0)
		return status;
	uint32_t sets = t->entries / t->ways;
	if (t->entries % t->ways != 0 || (sets & (sets - 1)) != 0 || sets == 0)
		return cfg_fail(group ? cpu_blame(group, &keys[key + 1], 2) : root, err,
				"%s: %u entries are not %u ways times a power of two", keys[key].path, t->entries,
				t->ways);
	return SAHM_OK;
}

static enum sahm_status read_power(const struct cfg_node *group, enum core_key key, uint32_t *value,
				   struct sahm_err *err)
{
	enum sahm_status status = read_whole(group, key, value, err);
	if (status == SAHM_OK && (*value & (*value - 1)) != 0)
		status = cfg_fail(cfg_member(group, &keys[key]), err, "'%s' is %u, must be a power of two",
				  keys[key].path, *value);
	return status;
}

/* From the command line, which has no lines. */
static bool is_set(const struct cfg_node *root, const char *cache, enum core_key prefetcher)
{
	const struct cfg_node *given = cfg_member(cfg_child(root, cache), &keys[prefetcher]);
	return given && given->line == 0;
}

/* A setting can take the prefetchers that need the clock from a file that gives it. */
static enum sahm_status read_clock(const struct cfg_node *root, struct core_geometry *g, struct sahm_err *err)
{
	const struct cfg_node *given = cfg_member(root, &keys[CORE_CLOCK_CPI]);
	if (prefetchers_need_clock(g->l1i_prefetchers) || prefetchers_need_clock(g->l1d_prefetchers))
		return read_whole(root, CORE_CLOCK_CPI, &g->clock.cpi, err);
	if (!given ||
	    (given->line > 0 && (is_set(root, "l1i", CORE_L1I_PREFETCHER) || is_set(root, "l1d", CORE_L1D_PREFETCHER))))
		return SAHM_OK;
	return cfg_fail(given, err, "'%s' has no effect: no prefetcher of this core needs the clock",
			keys[CORE_CLOCK_CPI].path);
}

static enum sahm_status read_geometry(const struct cfg_node *root, struct core_geometry *g, struct sahm_err *err)
{
	struct cpu cpu;
	const struct cfg_node *dram = cfg_member(root, &keys[CORE_DRAM]);
	memset(&cpu, 0, sizeof(cpu));
	enum sahm_status status = cpu_read_parts(root, &cpu, err);
	if (status == SAHM_OK && cfg_member(root, &keys[CORE_LLC]))
		status = cpu_read_cache(root, &keys[CORE_LLC], &g->llc, err);
	if (status == SAHM_OK)
		status = read_prefetchers(root, "l1i", CORE_L1I_PREFETCHER, g->l1i_prefetchers, err);
	if (status == SAHM_OK)
		status = read_prefetchers(root, "l1d", CORE_L1D_PREFETCHER, g->l1d_prefetchers, err);
	if (status == SAHM_OK)
		status = read_prefetchers(root, "l2", CORE_L2_PREFETCHER, g->l2_prefetchers, err);
	if (status == SAHM_OK)
		status = read_prefetchers(root, "llc", CORE_LLC_PREFETCHER, g->llc_prefetchers, err);
	if (status == SAHM_OK)
		status = read_whole(root, CORE_SEED, &g->seed, err);
	if (status == SAHM_OK)
		status = read_clock(root, g, err);
	if (status == SAHM_OK)
		status = read_table(root, CORE_ITLB, &g->itlb, err);
	if (status == SAHM_OK)
		status = read_table(root, CORE_DTLB, &g->dtlb, err);
	if (status == SAHM_OK)
		status = read_table(root, CORE_SECOND_TLB, &g->second_tlb, err);
	if (status == SAHM_OK)
		status = read_table(root, CORE_BTB, &g->btb, err);
	if (status == SAHM_OK)
		status = read_power(dram, CORE_DRAM_BANKS, &g->dram.banks, err);
	if (status == SAHM_OK)
		status = read_power(dram, CORE_DRAM_ROW, &g->dram.row_bytes, err);
	g->l1i = cpu.l1i;
	g->l1d = cpu.l1d;
	g->l2 = cpu.l2;
	memcpy(&g->predictor, &cpu.predictor, sizeof(g->predictor));
	return status;
}

static enum sahm_status read_ideal(const struct cfg_node *root, struct core_model *c, struct sahm_err *err)
{
	const struct cfg_node *node = cfg_member(root, &keys[CORE_IDEAL]);
	unsigned ideals = 0;
	enum sahm_status status = node ? ideal_read(node, &ideals, err) : SAHM_OK;
	if (status == SAHM_OK && ideals >> IDEAL_LLC & 1 && c->geometry.llc.bytes == 0)
		status = cfg_fail(node, err, "'llc' cannot be ideal: the core has none");
	core_model_idealize(c, ideals);
	return status;
}

/* Latencies that prefetchers with a clock see. Of the rows of DRAM they assume the middle state. */
static void set_latencies(struct core_geometry *g, const struct core_timing *t)
{
	for (unsigned i = LEVEL_L2; i < NR_MEMORY_LEVELS; i++) {
		if (prefetchers_need_clock(g->l1i_prefetchers))
			g->clock.code[i] = t->icache_cycles[i];
		if (prefetchers_need_clock(g->l1d_prefetchers))
			g->clock.data[i] =
				(uint16_t)(t->data_cycles[i] + (i == LEVEL_MEMORY ? t->row_cycles[ROW_CLOSED] : 0));
	}
}

void core_model_idealize(struct core_model *c, unsigned ideals)
{
	ideal_apply(&c->timing, ideals);
	set_latencies(&c->geometry, &c->timing);
}

static enum sahm_status read_root(struct arena *a, struct cfg_node *root, const char *const *settings,
				  size_t nr_settings, const char *cpus, struct core_model *out, struct sahm_err *err)
{
	const struct cfg_node *chip = cfg_child(root, "chip");
	memset(out, 0, sizeof(*out));
	if (chip)
		return cfg_fail(chip, err, "a configuration of a chip, not a model of a core");
	enum sahm_status status = cfg_check(root, keys, NR_CORE_KEYS, err);
	if (status == SAHM_OK)
		status = apply(a, root, settings, nr_settings, true, err);
	if (status == SAHM_OK)
		status = merge_cpu(a, root, cpus, err);
	if (status == SAHM_OK)
		status = apply(a, root, settings, nr_settings, false, err);
	if (status == SAHM_OK)
		status = cfg_check(root, keys, NR_CORE_KEYS, err);
	if (status == SAHM_OK)
		status = read_label(root, CORE_NAME, out->name, sizeof(out->name), err);
	if (status == SAHM_OK)
		status = read_label(root, CORE_SOURCE, out->source, sizeof(out->source), err);
	if (status == SAHM_OK)
		status = read_timing(root, &out->timing, err);
	if (status == SAHM_OK)
		status = read_events(root, out, err);
	if (status == SAHM_OK)
		status = read_geometry(root, &out->geometry, err);
	return status == SAHM_OK ? read_ideal(root, out, err) : status;
}

/* Without the settings the file is right: the place in the file is not at fault. */
static enum sahm_status blame_settings(const char *const *settings, size_t nr, struct sahm_err *err)
{
	struct sahm_err cause = *err;
	struct textbuf all;
	textbuf_init(&all);
	for (size_t i = 0; i < nr; i++)
		textbuf_printf(&all, "%s--set %.80s", i > 0 ? " " : "", settings[i]);
	enum sahm_status status =
		textbuf_failed(&all) ? sahm_fail_nomem(err) : sahm_fail(err, SAHM_USAGE, "%s: %s", all.text, cause.msg);
	textbuf_release(&all);
	return status;
}

enum sahm_status core_model_read(const char *path, const char *const *settings, size_t nr_settings, const char *cpus,
				 struct core_model *out, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = cfg_read_file(&a, path, &root, err);
	struct cfg_node *bare = status == SAHM_OK && nr_settings > 0 ? cfg_clone(&a, root) : NULL;
	if (status == SAHM_OK)
		status = read_root(&a, root, settings, nr_settings, cpus, out, err);
	if (status == SAHM_CONFIG && bare) {
		struct sahm_err of_file;
		if (read_root(&a, bare, NULL, 0, cpus, out, &of_file) == SAHM_OK)
			status = blame_settings(settings, nr_settings, err);
	}
	arena_release(&a);
	return status;
}

enum sahm_status core_model_read_text(const char *file, const char *text, size_t len, const char *cpus,
				      struct core_model *out, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = cfg_read_text(&a, file, text, len, &root, err);
	if (status == SAHM_OK)
		status = read_root(&a, root, NULL, 0, cpus, out, err);
	arena_release(&a);
	return status;
}

/* ---- Writing ---- */

static void write_cache(const char *name, const struct cache_spec *c, const struct prefetcher_spec *p,
			struct textbuf *out)
{
	textbuf_printf(out,
		       "%s = { size_kib = %" PRIu32 "; ways = %" PRIu32 "; line_bytes = %" PRIu32
		       "; replacement = \"%s\"; ",
		       name, c->bytes / 1024, c->ways, c->line_bytes,
		       cache_replacement_name((enum cache_replacement)c->replacement));
	core_prefetchers_write(p, out);
	textbuf_puts(out, " };\n");
}

static void write_table(const char *name, const struct table_spec *t, struct textbuf *out)
{
	textbuf_printf(out, "%s = { entries = %" PRIu32 "; ways = %" PRIu32 "; };\n", name, t->entries, t->ways);
}

static void write_predictor(const struct predictor_spec *p, struct textbuf *out)
{
	textbuf_printf(out, "predictor = {\n\tkind = \"%s\";\n\tcounters = %u;\n",
		       predictor_kind_name((enum predictor_kind)p->kind), 1u << p->base_bits);
	if (p->kind == PREDICTOR_GSHARE)
		textbuf_printf(out, "\thistory_bits = %u;\n", p->gshare_history);
	else
		textbuf_puts(out, "\ttables = (\n");
	for (unsigned i = 0; i < p->nr_tables; i++)
		textbuf_printf(out, "\t\t{ history_bits = %u; entries = %u; tag_bits = %u; }%s\n",
			       p->tables[i].history_bits, 1u << p->tables[i].entries_bits, p->tables[i].tag_bits,
			       i + 1 < p->nr_tables ? "," : "");
	if (p->kind != PREDICTOR_GSHARE)
		textbuf_puts(out, "\t);\n");
	if (p->kind == PREDICTOR_TAGE_SC_L)
		textbuf_printf(out, "\tloops = %u;\n\tcorrector_tables = %u;\n\tcorrector_counters = %u;\n",
			       1u << p->loop_bits, p->corrector_tables, 1u << p->corrector_bits);
	textbuf_printf(out, "\ttargets = %u;\n\ttargets_by = \"%s\";\n\treturn_stack = %u;\n};\n", 1u << p->target_bits,
		       p->targets_by_pc ? "pc" : "history", p->return_stack);
}

static void write_geometry(const struct core_geometry *g, struct textbuf *out)
{
	write_cache("l1i", &g->l1i, g->l1i_prefetchers, out);
	write_cache("l1d", &g->l1d, g->l1d_prefetchers, out);
	write_cache("l2", &g->l2, g->l2_prefetchers, out);
	if (g->llc.bytes > 0)
		write_cache("llc", &g->llc, g->llc_prefetchers, out);
	if (core_geometry_needs_clock(g))
		textbuf_printf(out, "clock_cpi = %" PRIu32 ";\n", g->clock.cpi);
	textbuf_printf(out, "seed = %" PRIu32 ";\n", g->seed);
	write_table("itlb", &g->itlb, out);
	write_table("dtlb", &g->dtlb, out);
	write_table("second_tlb", &g->second_tlb, out);
	write_table("btb", &g->btb, out);
	textbuf_printf(out, "dram = { banks = %" PRIu32 "; row_bytes = %" PRIu32 "; };\n", g->dram.banks,
		       g->dram.row_bytes);
	write_predictor(&g->predictor, out);
}

/* Rows of one group follow each other. */
static void write_numbers(const struct core_timing *t, struct textbuf *out)
{
	const char *group = "";
	size_t len = 0;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		const char *path = keys[numbers[i].key].path, *dot = strchr(path, '.');
		if (!(numbers[i].kinds & (t->kind == CORE_IN_ORDER ? IN_ORDER : OUT_OF_ORDER)))
			continue;
		if (len > 0 && strncmp(path, group, len + 1) != 0) {
			textbuf_puts(out, " };\n");
			len = 0;
		}
		if (dot && len == 0) {
			group = path;
			len = (size_t)(dot - path);
			textbuf_printf(out, "%.*s = {", (int)len, path);
		}
		if (dot)
			textbuf_printf(out, " %s = %u;", dot + 1, *number_at(t, &numbers[i]));
		else
			textbuf_printf(out, "%s = %u;\n", path, *number_at(t, &numbers[i]));
	}
	if (len > 0)
		textbuf_puts(out, " };\n");
}

static void write_group(const struct core_timing *t, unsigned group, struct textbuf *out)
{
	const struct unit_group *g = &t->groups[group];
	const char *separator = "";
	textbuf_puts(out, "\t{ name = ");
	cfg_write_string(out, g->name);
	textbuf_printf(out, "; units = %u; pipelined = %s; ", g->units, g->is_pipelined ? "true" : "false");
	if (t->kind == CORE_OUT_OF_ORDER) {
		textbuf_puts(out, "queue = ");
		cfg_write_string(out, t->queues[g->queue].name);
		textbuf_puts(out, "; ");
	}
	textbuf_puts(out, "classes = [");
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		if (t->group[i] != group)
			continue;
		textbuf_printf(out, "%s\"%s\"", separator, insn_class_name((enum insn_class)i));
		separator = ", ";
	}
	textbuf_printf(out, "]; }%s\n", group + 1u < t->nr_groups ? "," : "");
}

static void write_timing(const struct core_timing *t, struct textbuf *out)
{
	write_numbers(t, out);
	if (t->kind == CORE_OUT_OF_ORDER) {
		textbuf_printf(out, "memory_order = \"%s\";\nqueues = (\n", order_names[t->memory_order]);
		for (unsigned i = 0; i < t->nr_queues; i++) {
			textbuf_puts(out, "\t{ name = ");
			cfg_write_string(out, t->queues[i].name);
			textbuf_printf(out, "; entries = %u; issue = %u; }%s\n", t->queues[i].entries,
				       t->queues[i].issue, i + 1u < t->nr_queues ? "," : "");
		}
		textbuf_puts(out, ");\n");
	} else {
		textbuf_printf(out, "blocking = %s;\n", t->is_blocking ? "true" : "false");
	}
	textbuf_printf(out, "store_fill = \"%s\";\nfence_flushes = %s;\nunits = (\n", store_fill_names[t->store_fill],
		       t->fence_flushes ? "true" : "false");
	for (unsigned i = 0; i < t->nr_groups; i++)
		write_group(t, i, out);
	textbuf_puts(out, ");\nlatency = {\n");
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		textbuf_printf(out, "\t%s = %u;\n", insn_class_name((enum insn_class)i), t->latency[i]);
	textbuf_puts(out, "};\n");
	if (t->ideal == 0)
		return;
	textbuf_puts(out, "ideal = ");
	ideal_write(t->ideal, out);
	textbuf_puts(out, ";\n");
}

/* Everything that cycles depend on. */
static void write_machine(const struct core_model *c, struct textbuf *out)
{
	textbuf_puts(out, "name = ");
	cfg_write_string(out, c->name);
	textbuf_puts(out, ";\nsource = ");
	cfg_write_string(out, c->source);
	textbuf_printf(out, ";\nkind = \"%s\";\n", core_kind_name((enum core_kind)c->timing.kind));
	write_geometry(&c->geometry, out);
	write_timing(&c->timing, out);
}

void core_model_write(const struct core_model *c, struct textbuf *out)
{
	write_machine(c, out);
	textbuf_printf(out, "events = \"%s\";\n", family_names[c->events]);
}

enum sahm_status core_model_hash(const struct core_model *c, char hex[HASH_HEX_BYTES], struct sahm_err *err)
{
	struct textbuf text;
	struct hash h;
	uint8_t bytes[HASH_BYTES];
	textbuf_init(&text);
	write_machine(c, &text);
	enum sahm_status status = textbuf_failed(&text) ? sahm_fail_nomem(err) : SAHM_OK;
	if (status == SAHM_OK) {
		hash_init(&h);
		hash_add(&h, text.text, text.len);
		hash_end(&h, bytes);
		hash_hex(bytes, hex);
	}
	textbuf_release(&text);
	return status;
}
