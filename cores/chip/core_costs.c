#include "cores/chip/core_costs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cores/chip/node_scaling.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

/* Keys of a figure, in the order of enum cell_key: the figure itself, or a group of the others. */
#define CELL_KEYS(KEY, symbol, name, kinds, unit, words)                                                               \
	KEY(symbol, "cores[]." name, (kinds) | CFG_NUMBER | CFG_STRING | CFG_GROUP, unit, "", 0, 1e6, words)           \
	KEY(symbol##_VALUE, "cores[]." name ".value", CFG_NUMBER | CFG_STRING, unit, "", 0, 1e6, "the figure")         \
	KEY(symbol##_SOURCE, "cores[]." name ".source", CFG_STRING, "", "", 0, 0, "in place of the row's")             \
	KEY(symbol##_NODE, "cores[]." name ".node_nm", CFG_INT, "nm", "", 1, 1000, "in place of the row's")            \
	KEY(symbol##_VOLTS, "cores[]." name ".volts", CFG_NUMBER, "V", "", 0.1, 10, "in place of the row's")

enum cell_key { CELL_VALUE = 1, CELL_SOURCE, CELL_NODE, CELL_VOLTS };

/* The keys of a table of costs (core_costs.h): KEY(symbol, path, kinds, unit, default as written, min, max, help). */
#define CORE_COST_KEYS(KEY)                                                                                            \
	KEY(CORE_COST_ROWS, "cores", CFG_LIST, "", "", 0, 0, "the core types, a row each; required")                   \
	KEY(CORE_COST_TO_NODE, "node_nm", CFG_INT, "nm", "", 1, 1000,                                                  \
	    "the process node that all figures are scaled to; without it, all are of one node and stay as they are")   \
	KEY(CORE_COST_TO_VOLTS, "volts", CFG_NUMBER, "V", "", 0.1, 10,                                                 \
	    "the supply voltage that energy and power are scaled to")                                                  \
	KEY(CORE_COST_DEVICES, "devices", CFG_STRING, "", "\"hp\"", 0, 0,                                              \
	    "transistors of nodes up to 45 nm, for scaling: hp (high performance) or lp (low power)")                  \
	KEY(CORE_COST_ROW, "cores[]", CFG_GROUP, "", "", 0, 0,                                                         \
	    "one of them; no two of the same type, speedups and mhz")                                                  \
	KEY(CORE_COST_TYPE, "cores[].type", CFG_STRING, "", "", 0, 0,                                                  \
	    "a core type, as in chip.cores of a configuration; required without a name")                               \
	KEY(CORE_COST_NAME, "cores[].name", CFG_STRING, "", "", 0, 0,                                                  \
	    "instead of a type: the name of cores, as in chip.cores or core_types of a configuration")                 \
	KEY(CORE_COST_SPEEDUP, "cores[].speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", MIN_SPEEDUP_PCT,                \
	    MAX_SPEEDUP_PCT,                                                                                           \
	    "the speedups that the row is for, as in chip.cores; without it, it is for all that "                      \
	    "have no row")                                                                                             \
	KEY(CORE_COST_MHZ, "cores[].mhz", CFG_INT, "MHz", "", 1, 1e5,                                                  \
	    "the frequency level that the row is for; without it, it is for cores without levels")                     \
	CELL_KEYS(KEY, CORE_COST_AREA, "area_mm2", 0, "mm2",                                                           \
		  "area of one core; \"\", or no such key, where nobody knows it")                                     \
	CELL_KEYS(KEY, CORE_COST_POWER, "power_w", 0, "W",                                                             \
		  "power of one core; \"\", or no such key, where nobody knows it")                                    \
	CELL_KEYS(KEY, CORE_COST_STATIC, "static_w", 0, "W",                                                           \
		  "power of one core for as long as the chip is on, for energy; \"\" where nobody knows it")           \
	CELL_KEYS(KEY, CORE_COST_DYNAMIC, "dynamic_w", CFG_ARRAY, "W",                                                 \
		  "power besides while a thread executes: one number, or 16 by state; \"\" where nobody knows it")     \
	KEY(CORE_COST_EVENTS, "cores[].event_pj", CFG_GROUP, "", "", 0, 0,                                             \
	    "energy of each event besides, by counter: instructions, branch_misses, ... (sahm help counters)")         \
	KEY(CORE_COST_SOURCE, "cores[].source", CFG_STRING, "", "", 0, 0,                                              \
	    "where the figures of the row are from; required with any that do not say it themselves")                  \
	KEY(CORE_COST_NODE, "cores[].node_nm", CFG_INT, "nm", "", 1, 1000,                                             \
	    "the process node that the figures of the row are of")                                                     \
	KEY(CORE_COST_VOLTS, "cores[].volts", CFG_NUMBER, "V", "", 0.1, 10,                                            \
	    "the supply voltage that the figures of the row are of")

enum core_cost_key { CORE_COST_KEYS(ROW_SYMBOL) NR_CORE_COST_KEYS };

static const struct cfg_key keys[NR_CORE_COST_KEYS + NR_COUNTERS] = {CORE_COST_KEYS(CFG_KEY_ROW)
#define COUNTER(suffix, name, required, part_of, words)                                                                \
	[NR_CORE_COST_KEYS + COUNTER_##suffix] = {.path = "cores[].event_pj." name,                                    \
						  .kinds = CFG_NUMBER,                                                 \
						  .unit = "pJ",                                                        \
						  .default_value = "",                                                 \
						  .max = 1e9,                                                          \
						  .help = "energy of one event that this counter counts"},
#include "cores/chip/counter_list.h"
#undef COUNTER
};

/* Names of a row's costs, and their place in the file. */
static const struct {
	enum core_cost_key key;
	const char *name;
	enum node_figure figure;
} columns[NR_CORE_COSTS] = {
	[CORE_AREA_MM2] = {CORE_COST_AREA, "area_mm2", NODE_AREA},
	[CORE_POWER_W] = {CORE_COST_POWER, "power_w", NODE_POWER},
};

/* Where a figure is from. */
struct origin {
	const char *source; /* NULL: not said */
	struct node node;
};

struct reading {
	struct core_costs *costs;
	unsigned *lines; /* of the rows */
	struct node to;	 /* the target of scaling; without nm figures stay as they are */
	enum node_devices devices;
	struct node seen; /* where they are not: the node of the figures so far, */
	unsigned seen_line;
	struct sahm_err *err;
};

/* A row while it is read. */
struct row_reading {
	struct reading *r;
	const struct cfg_node *node;
	struct core_cost_row *row;
	struct origin origin;
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

/* Takes from `group` what it says of the node. */
static enum sahm_status read_node(const struct cfg_node *group, enum core_cost_key nm_key, enum core_cost_key volts_key,
				  struct node *node, struct sahm_err *err)
{
	const struct cfg_node *nm = member(group, nm_key), *volts = member(group, volts_key);
	double value = node->nm;
	enum sahm_status status = nm ? cfg_node_number(nm, &keys[nm_key], &value, err) : SAHM_OK;
	if (status == SAHM_OK && volts)
		status = cfg_node_number(volts, &keys[volts_key], &node->volts, err);
	node->nm = (unsigned)value;
	return status;
}

static const char *source_in(const struct cfg_node *group, enum core_cost_key key)
{
	const struct cfg_node *source = member(group, key);
	return source && source->value.string[strspn(source->value.string, " \t")] ? source->value.string : NULL;
}

/* Finds the factor of the figure in `cell`, called `name`, which must have a source. */
static enum sahm_status scale_of(const struct row_reading *rr, const struct cfg_node *cell, const char *name,
				 enum node_figure figure, const struct origin *origin, double *factor)
{
	struct reading *r = rr->r;
	const struct node *node = &origin->node;
	struct sahm_err cause;
	*factor = 1;
	if (!origin->source)
		return cfg_fail(cell, r->err, "%s of %s '%s' has no source: say in `source` where the figure is from",
				name, rr->row->name ? "cores called" : "core type",
				rr->row->name ? rr->row->name : rr->row->spec.type);
	if (!r->to.nm && r->seen.nm && node->nm && r->seen.nm != node->nm)
		return cfg_fail(cell, r->err,
				"%s is of %u nm, and a figure in line %u of %u nm: put the node_nm to scale them to "
				"beside 'cores'",
				name, node->nm, r->seen_line, r->seen.nm);
	if (!r->to.nm && node->nm && !r->seen.nm) {
		r->seen = *node;
		r->seen_line = cell->line;
	}
	if (!r->to.nm)
		return SAHM_OK;
	if (!node->nm)
		return cfg_fail(cell, r->err, "%s has no node_nm to scale it from to %u nm", name, r->to.nm);
	if (rr->row->mhz && figure != NODE_AREA && node->nm != r->to.nm)
		return cfg_fail(cell, r->err, "%s of a row with mhz cannot be scaled: levels have several voltages",
				name);
	if (rr->row->mhz && figure != NODE_AREA)
		return SAHM_OK;
	if (node_factor(figure, r->devices, node, &r->to, factor, &cause) != SAHM_OK)
		return cfg_fail(cell, r->err, "%s: %s", name, cause.msg);
	return SAHM_OK;
}

/* A cell is a number, or "" where there is none: then values[0] is NAN. It can be a group of the number and its origin.
 * Of power by state it can be `nr` numbers. */
static enum sahm_status read_cell(const struct row_reading *rr, enum core_cost_key key, enum node_figure figure,
				  double *values, unsigned nr, unsigned *line)
{
	const struct cfg_node *cell = member(rr->node, key), *node = cell;
	const char *name = strrchr(keys[key].path, '.') + 1;
	struct sahm_err *err = rr->r->err;
	struct origin origin = rr->origin;
	enum sahm_status status = SAHM_OK;
	double factor = 1;
	*line = cell ? cell->line : rr->node->line;
	values[0] = NAN;
	if (cell && cell->kind == CFG_GROUP) {
		const char *source = source_in(cell, key + CELL_SOURCE);
		node = member(cell, key + CELL_VALUE);
		if (!node)
			return cfg_fail(cell, err, "missing key '%s'", keys[key + CELL_VALUE].path);
		origin.source = source ? source : origin.source;
		status = read_node(cell, key + CELL_NODE, key + CELL_VOLTS, &origin.node, err);
	}
	if (status != SAHM_OK || !node || (node->kind == CFG_STRING && !*node->value.string))
		return status;
	if (node->kind == CFG_STRING)
		return cfg_fail(node, err,
				"%s is '%.40s', must be a number without quotes, or \"\" where nobody knows it", name,
				node->value.string);
	bool is_array = node->kind == CFG_ARRAY;
	if (is_array && node->nr_children != nr)
		return cfg_fail(node, err, "%s has %u numbers, must have one, or %u, by state", name,
				(unsigned)node->nr_children, nr);
	status = scale_of(rr, cell, name, figure, &origin, &factor);
	const struct cfg_node *one = is_array ? node->first : node;
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++, one = is_array ? one->next : one) {
		status = cfg_node_number(one, &keys[key], &values[i], err);
		values[i] *= factor;
	}
	return status;
}

static enum sahm_status read_events(const struct row_reading *rr)
{
	const struct cfg_node *events = member(rr->node, CORE_COST_EVENTS);
	struct core_power *power = &rr->row->power;
	double factor = 1;
	if (!events)
		return SAHM_OK;
	enum sahm_status status = scale_of(rr, events, "event_pj", NODE_ENERGY, &rr->origin, &factor);
	if (events->first && isnan(power->dynamic_w[0]))
		memset(power->dynamic_w, 0, sizeof(power->dynamic_w));
	for (int c = 0; c < NR_COUNTERS && status == SAHM_OK; c++) {
		const struct cfg_key *key = &keys[NR_CORE_COST_KEYS + c];
		const struct cfg_node *one = cfg_member(events, key);
		if (!one)
			continue;
		if (!counter_rows[c].required)
			return cfg_fail(one, rr->r->err, "not every trace has counts of %s: say dynamic_w instead",
					counter_rows[c].name);
		status = cfg_node_number(one, key, &power->event_pj[c], rr->r->err);
		power->event_pj[c] *= factor;
	}
	return status;
}

static enum sahm_status read_figures(const struct row_reading *rr)
{
	struct core_cost_row *row = rr->row;
	struct core_power *power = &row->power;
	enum sahm_status status = SAHM_OK;
	for (int i = 0; i < NR_CORE_COSTS && status == SAHM_OK; i++)
		status = read_cell(rr, columns[i].key, columns[i].figure, &row->cost[i], 1, &row->line[i]);
	if (status == SAHM_OK)
		status = read_cell(rr, CORE_COST_STATIC, NODE_POWER, &power->static_w, 1, &row->power_lines[0]);
	if (status == SAHM_OK)
		status =
			read_cell(rr, CORE_COST_DYNAMIC, NODE_POWER, power->dynamic_w, NR_STATES, &row->power_lines[1]);
	return status == SAHM_OK ? read_events(rr) : status;
}

static bool is_same_spec(const struct core_spec *a, const struct core_spec *b)
{
	return strcmp(a->type, b->type) == 0 && a->nr_speedups == b->nr_speedups &&
	       memcmp(a->speedup_ppm, b->speedup_ppm, a->nr_speedups * sizeof(a->speedup_ppm[0])) == 0;
}

static bool is_same_row(const struct core_cost_row *a, const struct core_cost_row *b)
{
	if (a->mhz != b->mhz)
		return false;
	if (a->name || b->name)
		return a->name && b->name && strcmp(a->name, b->name) == 0;
	return is_same_spec(&a->spec, &b->spec);
}

/* " at 1400 MHz", or nothing where there are no levels, for messages. */
struct level_text {
	char text[24];
};

static struct level_text level_text(uint32_t mhz)
{
	struct level_text level = {.text = ""};
	if (mhz > 0)
		snprintf(level.text, sizeof(level.text), " at %" PRIu32 " MHz", mhz);
	return level;
}

static enum sahm_status read_row(struct reading *r, const struct cfg_node *node)
{
	struct core_costs *costs = r->costs;
	struct core_cost_row *row = &costs->rows[costs->nr_rows];
	const struct cfg_node *type = member(node, CORE_COST_TYPE), *name = member(node, CORE_COST_NAME),
			      *speedup = member(node, CORE_COST_SPEEDUP), *level = member(node, CORE_COST_MHZ);
	struct row_reading rr = {r, node, row, {source_in(node, CORE_COST_SOURCE), {0}}};
	double mhz = 0;
	struct sahm_err cause;
	if (!type == !name)
		return type ? cfg_fail(name, r->err, "a row has a type or a name, not both")
			    : fail_missing(node, CORE_COST_TYPE, r->err);
	if (name && speedup)
		return cfg_fail(speedup, r->err, "cores of a name have their speedups in the configuration");
	row->file = node->file;
	row->name = name ? name->value.string : NULL;
	row->spec.type = type ? type->value.string : "";
	enum sahm_status status = speedup ? read_speedups(speedup, &row->spec, r->err) : SAHM_OK;
	if (status == SAHM_OK && level)
		status = cfg_node_number(level, &keys[CORE_COST_MHZ], &mhz, r->err);
	row->mhz = (uint32_t)mhz;
	if (status == SAHM_OK)
		status = read_node(node, CORE_COST_NODE, CORE_COST_VOLTS, &rr.origin.node, r->err);
	if (status == SAHM_OK)
		status = read_figures(&rr);
	if (status != SAHM_OK)
		return status;
	if (type)
		status = core_spec_canonical(&costs->arena, &row->spec, &cause);
	if (status != SAHM_OK)
		return status == SAHM_CONFIG ? cfg_fail(type, r->err, "%s", cause.msg) : sahm_fail_nomem(r->err);
	r->lines[costs->nr_rows] = node->line;
	for (uint32_t i = 0; i < costs->nr_rows; i++)
		if (is_same_row(&costs->rows[i], row))
			return cfg_fail(node, r->err, "a second row for %s '%s'%s%s, the first is in line %u",
					type ? "core type" : "cores called", type ? row->spec.type : row->name,
					row->spec.nr_speedups ? " with these speedups" : "", level_text(row->mhz).text,
					r->lines[i]);
	costs->nr_rows++;
	return SAHM_OK;
}

/* The target of scaling. */
static enum sahm_status read_target(struct reading *r, const struct cfg_node *root)
{
	const struct cfg_node *volts = member(root, CORE_COST_TO_VOLTS), *devices = member(root, CORE_COST_DEVICES);
	enum sahm_status status = read_node(root, CORE_COST_TO_NODE, CORE_COST_TO_VOLTS, &r->to, r->err);
	if (status != SAHM_OK)
		return status;
	if ((volts || devices) && !r->to.nm)
		return cfg_fail(volts ? volts : devices, r->err, "'%s' has no effect without 'node_nm'",
				volts ? "volts" : "devices");
	if (devices && strcmp(devices->value.string, "lp") == 0)
		r->devices = NODE_LP;
	else if (devices && strcmp(devices->value.string, "hp") != 0)
		return cfg_fail(devices, r->err, "devices is '%.40s', must be hp or lp", devices->value.string);
	return SAHM_OK;
}

static enum sahm_status read_rows(struct core_costs *costs, const struct cfg_node *root, struct sahm_err *err)
{
	struct reading r = {.costs = costs, .devices = NODE_HP, .err = err};
	enum sahm_status status = cfg_check(root, keys, ARRAY_SIZE(keys), err);
	if (status == SAHM_OK)
		status = read_target(&r, root);
	if (status != SAHM_OK)
		return status;
	const struct cfg_node *list = member(root, CORE_COST_ROWS);
	if (!list)
		return fail_missing(root, CORE_COST_ROWS, err);
	if (list->nr_children > MAX_CORE_COST_ROWS)
		return cfg_fail(list, err, "more than %u rows", MAX_CORE_COST_ROWS);
	costs->rows = arena_alloc(&costs->arena, list->nr_children, sizeof(*costs->rows));
	r.lines = arena_alloc(&costs->arena, list->nr_children, sizeof(*r.lines));
	if (!costs->rows || !r.lines)
		return sahm_fail_nomem(err);
	for (const struct cfg_node *n = list->first; n && status == SAHM_OK; n = n->next)
		status = read_row(&r, n);
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

/* The row for `spec`, which is canonical, at `mhz`: that of its speedups, else that of its type; NULL: there is none.
 */
static const struct core_cost_row *find_row(const struct core_costs *costs, const struct core_spec *spec, uint32_t mhz)
{
	const struct core_cost_row *row = NULL;
	for (uint32_t i = 0; i < costs->nr_rows; i++) {
		const struct core_cost_row *r = &costs->rows[i];
		if (!r->name && r->mhz == mhz &&
		    (is_same_spec(&r->spec, spec) ||
		     (!row && r->spec.nr_speedups == 0 && strcmp(r->spec.type, spec->type) == 0)))
			row = r;
	}
	return row;
}

static const struct core_cost_row *find_named(const struct core_costs *costs, const char *name, uint32_t mhz)
{
	for (uint32_t i = 0; i < costs->nr_rows && name; i++)
		if (costs->rows[i].name && costs->rows[i].mhz == mhz && strcmp(costs->rows[i].name, name) == 0)
			return &costs->rows[i];
	return NULL;
}

/* Which rows there are none of: those of the level, or those without one where others have levels. */
static struct level_text missing_level(const struct core_costs *costs, uint32_t mhz)
{
	struct level_text level = level_text(mhz);
	for (uint32_t i = 0; i < costs->nr_rows && mhz == 0; i++)
		if (costs->rows[i].mhz > 0) {
			snprintf(level.text, sizeof(level.text), " without mhz");
			break;
		}
	return level;
}

enum sahm_status core_costs_find(const struct core_costs *costs, const char *type, const char *speedups, uint32_t mhz,
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
	if (status == SAHM_OK)
		row = find_row(costs, &spec, mhz);
	if (status == SAHM_OK && !row)
		status = sahm_fail_at(err, SAHM_CONFIG, costs->file, 0,
				      "no row for core type '%s'%s: add one with its %s and where that is from",
				      spec.type, missing_level(costs, mhz).text, name);
	else if (status == SAHM_OK && isnan(row->cost[which]))
		status = sahm_fail_at(err, SAHM_CONFIG, row->file, row->line[which],
				      "%s of core type '%s'%s is empty: put a figure there, with its source", name,
				      spec.type, level_text(mhz).text);
	else if (status == SAHM_OK)
		*value = row->cost[which];
	arena_release(&a);
	return status;
}

enum sahm_status core_costs_power(const struct core_costs *costs, const char *name, const struct core_spec *spec,
				  uint32_t mhz, struct core_power *power, struct sahm_err *err)
{
	const struct core_cost_row *named = find_named(costs, name, mhz), *row = named;
	struct core_spec own = *spec;
	struct arena a;
	arena_init(&a);
	enum sahm_status status = core_spec_canonical(&a, &own, err);
	if (status == SAHM_OK && !named)
		row = find_row(costs, &own, mhz);
	bool is_called = name && (named || !row);
	const char *what = is_called ? "cores called" : "core type", *whose = is_called ? name : own.type;
	struct level_text level = row ? level_text(mhz) : missing_level(costs, mhz);
	bool no_static = row && isnan(row->power.static_w), no_dynamic = row && isnan(row->power.dynamic_w[0]);
	if (status == SAHM_OK && !row)
		status =
			sahm_fail_at(err, SAHM_CONFIG, costs->file, 0, "no row for %s '%s'%s", what, whose, level.text);
	else if (status == SAHM_OK && (no_static || no_dynamic))
		status = sahm_fail_at(err, SAHM_CONFIG, row->file, row->power_lines[no_static ? 0 : 1],
				      "%s%s%s of %s '%s'%s %s empty%s", no_static ? "static_w" : "",
				      no_static && no_dynamic ? " and " : "", no_dynamic ? "dynamic_w" : "", what,
				      whose, level.text, no_static && no_dynamic ? "are" : "is",
				      no_dynamic ? ", and so is event_pj" : "");
	else if (status == SAHM_OK)
		*power = row->power;
	arena_release(&a);
	return status;
}

static void hash_figures(const double *figures, unsigned nr, struct hash *h)
{
	for (unsigned i = 0; i < nr; i++) {
		uint64_t bits;
		memcpy(&bits, &figures[i], sizeof(bits));
		hash_add_u64(h, isnan(figures[i]) ? UINT64_MAX : bits);
	}
}

void core_costs_hash(const struct core_costs *costs, struct hash *h)
{
	hash_add_u64(h, costs->nr_rows);
	for (uint32_t i = 0; i < costs->nr_rows; i++) {
		const struct core_cost_row *row = &costs->rows[i];
		hash_add_string(h, row->name ? row->name : "");
		hash_add_string(h, row->spec.type);
		hash_add_u64(h, row->mhz);
		hash_add_u64(h, row->spec.nr_speedups);
		for (unsigned k = 0; k < row->spec.nr_speedups; k++)
			hash_add_u64(h, (uint64_t)(int64_t)row->spec.speedup_ppm[k]);
		hash_figures(row->cost, NR_CORE_COSTS, h);
		hash_figures(&row->power.static_w, 1, h);
		hash_figures(row->power.dynamic_w, NR_STATES, h);
		hash_figures(row->power.event_pj, NR_COUNTERS, h);
	}
}
