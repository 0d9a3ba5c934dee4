#include "cores/chip/core_costs.h"

#include <math.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

/* The keys of a table of costs (core_costs.h): KEY(symbol, path, kinds, unit, default as written, min, max, help). */
#define CORE_COST_KEYS(KEY)                                                                                            \
	KEY(CORE_COST_ROWS, "cores", CFG_LIST, "", "", 0, 0, "the core types, a row each; required")                   \
	KEY(CORE_COST_ROW, "cores[]", CFG_GROUP, "", "", 0, 0, "one of them; no two of the same type and speedups")    \
	KEY(CORE_COST_TYPE, "cores[].type", CFG_STRING, "", "", 0, 0,                                                  \
	    "a core type, as in chip.cores of a configuration; required")                                              \
	KEY(CORE_COST_SPEEDUP, "cores[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT,                \
	    MAX_SPEEDUP_PCT,                                                                                           \
	    "the speedups that the row is for, as in chip.cores; without it, it is for all that "                      \
	    "have no row")                                                                                             \
	KEY(CORE_COST_AREA, "cores[].area_mm2", CFG_NUMBER | CFG_STRING, "mm2", "", 0, 1e6,                            \
	    "area of one core; \"\", or no such key, where nobody knows it")                                           \
	KEY(CORE_COST_POWER, "cores[].power_w", CFG_NUMBER | CFG_STRING, "W", "", 0, 1e6,                              \
	    "power of one core; \"\", or no such key, where nobody knows it")                                          \
	KEY(CORE_COST_SOURCE, "cores[].source", CFG_STRING, "", "", 0, 0,                                              \
	    "where the figures of the row are from; required with any of them")

enum core_cost_key { CORE_COST_KEYS(ROW_SYMBOL) NR_CORE_COST_KEYS };

static const struct cfg_key keys[] = {CORE_COST_KEYS(CFG_KEY_ROW)};

/* Names of a row's costs, and their place in the file. */
static const struct {
	enum core_cost_key key;
	const char *name;
} columns[NR_CORE_COSTS] = {
	[CORE_AREA_MM2] = {CORE_COST_AREA, "area_mm2"},
	[CORE_POWER_W] = {CORE_COST_POWER, "power_w"},
};

static const struct cfg_node *member(const struct cfg_node *group, enum core_cost_key key)
{
	return cfg_member(group, &keys[key]);
}

static enum sahm_status fail_missing(const struct cfg_node *group, enum core_cost_key key, struct sahm_err *err)
{
	return cfg_fail(group, err, "missing key '%s': %s", keys[key].path, keys[key].help);
}

static enum sahm_status read_speedups(const struct cfg_node *node, struct core_spec *spec, struct sahm_err *err)
{
	bool is_several = node->kind & (CFG_ARRAY | CFG_LIST);
	if (is_several && !node->first)
		return cfg_fail(node, err, "speedup_pct is empty");
	for (const struct cfg_node *one = is_several ? node->first : node; one; one = is_several ? one->next : NULL) {
		double pct;
		enum sahm_status status = cfg_node_number(one, &keys[CORE_COST_SPEEDUP], &pct, err);
		if (status != SAHM_OK)
			return status;
		if (spec->nr_speedups == NR_STATES)
			return cfg_fail(one, err, "more than %u speedups", NR_STATES);
		spec->speedup_ppm[spec->nr_speedups++] = ppm_of_pct(pct);
	}
	return SAHM_OK;
}

/* A cell is a number, or "" where there is none. */
static enum sahm_status read_cell(const struct cfg_node *row, enum core_cost which, struct core_cost_row *r,
				  struct sahm_err *err)
{
	const struct cfg_node *node = member(row, columns[which].key);
	r->cost[which] = NAN;
	r->line[which] = node ? node->line : row->line;
	if (!node)
		return SAHM_OK;
	if (node->kind != CFG_STRING)
		return cfg_node_number(node, &keys[columns[which].key], &r->cost[which], err);
	if (*node->value.string)
		return cfg_fail(node, err,
				"%s is '%.40s', must be a number without quotes, or \"\" where nobody knows it",
				columns[which].name, node->value.string);
	return SAHM_OK;
}

static bool is_same_spec(const struct core_spec *a, const struct core_spec *b)
{
	return strcmp(a->type, b->type) == 0 && a->nr_speedups == b->nr_speedups &&
	       memcmp(a->speedup_ppm, b->speedup_ppm, a->nr_speedups * sizeof(a->speedup_ppm[0])) == 0;
}

static enum sahm_status read_row(struct core_costs *costs, const struct cfg_node *node, unsigned *lines,
				 struct sahm_err *err)
{
	struct core_cost_row *row = &costs->rows[costs->nr_rows];
	const struct cfg_node *type = member(node, CORE_COST_TYPE), *speedup = member(node, CORE_COST_SPEEDUP),
			      *source = member(node, CORE_COST_SOURCE);
	struct sahm_err cause;
	if (!type)
		return fail_missing(node, CORE_COST_TYPE, err);
	row->file = node->file;
	row->spec.type = type->value.string;
	row->source = source && source->value.string[strspn(source->value.string, " \t")] ? source->value.string : NULL;
	enum sahm_status status = speedup ? read_speedups(speedup, &row->spec, err) : SAHM_OK;
	for (int i = 0; i < NR_CORE_COSTS && status == SAHM_OK; i++)
		status = read_cell(node, (enum core_cost)i, row, err);
	if (status != SAHM_OK)
		return status;
	status = core_spec_canonical(&costs->arena, &row->spec, &cause);
	if (status != SAHM_OK)
		return status == SAHM_CONFIG ? cfg_fail(type, err, "%s", cause.msg) : sahm_fail_nomem(err);
	for (int i = 0; i < NR_CORE_COSTS; i++)
		if (!isnan(row->cost[i]) && !row->source)
			return cfg_fail(member(node, columns[i].key), err,
					"%s of core type '%s' has no source: say in `source` where the figure is from",
					columns[i].name, type->value.string);
	lines[costs->nr_rows] = node->line;
	for (uint32_t i = 0; i < costs->nr_rows; i++)
		if (is_same_spec(&costs->rows[i].spec, &row->spec))
			return cfg_fail(node, err, "a second row for core type '%s'%s, the first is in line %u",
					row->spec.type, row->spec.nr_speedups ? " with these speedups" : "", lines[i]);
	costs->nr_rows++;
	return SAHM_OK;
}

static enum sahm_status read_rows(struct core_costs *costs, const struct cfg_node *root, struct sahm_err *err)
{
	enum sahm_status status = cfg_check(root, keys, NR_CORE_COST_KEYS, err);
	if (status != SAHM_OK)
		return status;
	const struct cfg_node *list = member(root, CORE_COST_ROWS);
	if (!list)
		return fail_missing(root, CORE_COST_ROWS, err);
	if (list->nr_children > MAX_CORE_COST_ROWS)
		return cfg_fail(list, err, "more than %u rows", MAX_CORE_COST_ROWS);
	costs->rows = arena_alloc(&costs->arena, list->nr_children, sizeof(*costs->rows));
	unsigned *lines = arena_alloc(&costs->arena, list->nr_children, sizeof(*lines));
	if (!costs->rows || !lines)
		return sahm_fail_nomem(err);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next)
		status = read_row(costs, n, lines, err);
	return status;
}

/* The tree has been read into the table's arena, or that has failed. */
static enum sahm_status read_tree(struct core_costs *costs, const struct cfg_node *root, enum sahm_status status,
				  struct sahm_err *err)
{
	const struct cfg_node *chip = status == SAHM_OK ? cfg_child(root, "chip") : NULL;
	if (chip)
		status = cfg_fail(chip, err, "a configuration, not a table of costs");
	if (status == SAHM_OK)
		status = read_rows(costs, root, err);
	if (status != SAHM_OK)
		core_costs_release(costs);
	return status;
}

enum sahm_status core_costs_read(struct core_costs *costs, const char *path, struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	*costs = (struct core_costs){.file = NULL};
	arena_init(&costs->arena);
	costs->file = arena_strdup(&costs->arena, file_label(path));
	enum sahm_status status = costs->file ? cfg_read_file(&costs->arena, path, &root, err) : sahm_fail_nomem(err);
	return read_tree(costs, root, status, err);
}

enum sahm_status core_costs_read_text(struct core_costs *costs, const char *file, const char *text, size_t len,
				      struct sahm_err *err)
{
	struct cfg_node *root = NULL;
	*costs = (struct core_costs){.file = NULL};
	arena_init(&costs->arena);
	costs->file = arena_strdup(&costs->arena, file);
	enum sahm_status status =
		costs->file ? cfg_read_text(&costs->arena, file, text, len, &root, err) : sahm_fail_nomem(err);
	return read_tree(costs, root, status, err);
}

void core_costs_release(struct core_costs *costs)
{
	arena_release(&costs->arena);
	*costs = (struct core_costs){0};
}

/* "30,20" as speedups. */
static enum sahm_status parse_speedups(const char *type, const char *text, struct core_spec *spec, struct sahm_err *err)
{
	char word[48];
	for (const char *at = text; *text; at++) {
		size_t len = strcspn(at, ",");
		double pct;
		if (len < sizeof(word)) {
			memcpy(word, at, len);
			word[len] = '\0';
		}
		if (len >= sizeof(word) || number_read_double(word, &pct) != NUMBER_OK || pct < MIN_SPEEDUP_PCT ||
		    pct > MAX_SPEEDUP_PCT || spec->nr_speedups == NR_STATES)
			return sahm_fail(err, SAHM_CONFIG, "bad speedups '%.60s' of core type '%.60s'", text, type);
		spec->speedup_ppm[spec->nr_speedups++] = ppm_of_pct(pct);
		at += len;
		if (!*at)
			break;
	}
	return SAHM_OK;
}

enum sahm_status core_costs_find(const struct core_costs *costs, const char *type, const char *speedups,
				 enum core_cost which, double *value, struct sahm_err *err)
{
	const char *name = columns[which].name;
	const struct core_cost_row *row = NULL;
	struct core_spec spec = {.type = type};
	struct arena a;
	arena_init(&a);
	enum sahm_status status = parse_speedups(type, speedups ? speedups : "", &spec, err);
	if (status == SAHM_OK)
		status = core_spec_canonical(&a, &spec, err);
	for (uint32_t i = 0; i < costs->nr_rows && status == SAHM_OK; i++) {
		const struct core_spec *s = &costs->rows[i].spec;
		if (is_same_spec(s, &spec) || (!row && s->nr_speedups == 0 && strcmp(s->type, spec.type) == 0))
			row = &costs->rows[i];
	}
	if (status == SAHM_OK && !row)
		status = sahm_fail_at(err, SAHM_CONFIG, costs->file, 0,
				      "no row for core type '%s': add one with its %s and where that is from",
				      spec.type, name);
	else if (status == SAHM_OK && isnan(row->cost[which]))
		status = sahm_fail_at(err, SAHM_CONFIG, row->file, row->line[which],
				      "%s of core type '%s' is empty: put a figure there, with its source", name,
				      spec.type);
	else if (status == SAHM_OK)
		*value = row->cost[which];
	arena_release(&a);
	return status;
}
