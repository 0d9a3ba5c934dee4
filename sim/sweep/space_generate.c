/* Generators: chips in the place of chip.cores. To add one, write it here, add its row to rows[] of space_axes.c and
 * its keys to space_key_list.h, and describe it in help_sweeps() of sim/cli/help.c. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_costs.h"
#include "cores/chip/core_spec.h"
#include "cores/chip/study_space.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/mix.h"
#include "sim/sweep/space_internal.h"

/* ---- The study's space ---- */

/* Most speedups that a component's cores can have: this number makes 83,521 chips. */
#define MAX_STEPS 16u

struct study {
	uint32_t baseline, each;
	bool fill;
	uint32_t nr_steps;
	double speedup_pct[MAX_STEPS];
};

static enum sahm_status read_speedups(struct space_reading *r, const struct cfg_node *axis, struct study *s)
{
	const struct cfg_node *node = space_member(axis, SPACE_SPEEDUPS);
	bool is_several = node && (node->kind & (CFG_LIST | CFG_ARRAY));
	if (!node) {
		/* Those of the study, as its space knows them: the chips with a core for only the first component. */
		for (s->nr_steps = 0; s->nr_steps < SPACE_STEPS; s->nr_steps++)
			s->speedup_pct[s->nr_steps] = pct_of_ppm(space_config_at(s->nr_steps + 1).speedup_ppm[0]);
		return SAHM_OK;
	}
	for (const struct cfg_node *n = is_several ? node->first : node; n; n = is_several ? n->next : NULL) {
		double pct;
		if (s->nr_steps == MAX_STEPS)
			return cfg_fail(n, r->err, "more than %u speedups", MAX_STEPS);
		enum sahm_status status = cfg_node_number(n, &space_keys[SPACE_SPEEDUPS], &pct, r->err);
		if (status != SAHM_OK)
			return status;
		s->speedup_pct[s->nr_steps++] = pct;
	}
	return s->nr_steps ? SAHM_OK : cfg_fail(node, r->err, "'speedups_pct' is empty");
}

/* The chip of configuration `index`, a number in base nr_steps + 1 as in cores/chip/study_space.h. */
static void write_chip(const struct study *s, uint64_t index, struct textbuf *label, struct textbuf *setting)
{
	uint64_t rest = index;
	uint32_t baseline = s->baseline;
	for (unsigned c = 0; c < NR_COMPONENTS; c++, rest /= s->nr_steps + 1)
		baseline += s->fill && rest % (s->nr_steps + 1) == 0 ? s->each : 0;
	textbuf_puts(label, index ? "" : "baseline");
	textbuf_puts(setting, "chip.cores=(");
	if (baseline > 0)
		textbuf_printf(setting, "{type=\"baseline\";count=%u;}", baseline);
	rest = index;
	for (unsigned c = 0, nr = 0; c < NR_COMPONENTS; c++, rest /= s->nr_steps + 1) {
		const uint64_t digit = rest % (s->nr_steps + 1);
		if (digit == 0)
			continue;
		textbuf_printf(label, "%s%s:", nr ? "+" : "", component_key((enum component)c));
		number_write_double(label, s->speedup_pct[digit - 1], 0);
		textbuf_printf(setting, "%s{type=\"%s\";speedup_pct=", nr || baseline ? "," : "",
			       component_key((enum component)c));
		number_write_double(setting, s->speedup_pct[digit - 1], 0);
		textbuf_printf(setting, ";count=%u;}", s->each);
		nr++;
	}
	textbuf_putc(setting, ')');
}

static const char *write_study(struct space_reading *r, const struct study *s)
{
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "generator = \"paper\"; baseline = %u; each = %u; fill = %s; speedups_pct = (", s->baseline,
		       s->each, s->fill ? "true" : "false");
	for (uint32_t i = 0; i < s->nr_steps; i++) {
		textbuf_puts(&b, i ? ", " : "");
		number_write_double(&b, s->speedup_pct[i], 1);
	}
	textbuf_puts(&b, ");");
	return textbuf_keep(&b, &r->space->arena);
}

enum sahm_status space_generate_study(struct space_reading *r, const struct cfg_node *node, struct space_axis *axis)
{
	struct study s = {.fill = cfg_bool(node, &space_keys[SPACE_FILL])};
	uint64_t nr = 1;
	enum sahm_status status = space_count(r, node, SPACE_BASELINE, 0, &s.baseline);
	if (status == SAHM_OK)
		status = space_count(r, node, SPACE_EACH, 0, &s.each);
	if (status == SAHM_OK)
		status = read_speedups(r, node, &s);
	if (status != SAHM_OK)
		return status;
	if (s.baseline == 0 && !s.fill)
		return cfg_fail(node, r->err, "without a baseline core, the chip without other cores has none at all");
	if (s.baseline + (uint64_t)NR_COMPONENTS * s.each > MAX_CORES)
		return cfg_fail(node, r->err, "chips would have up to %u cores, must be at most %u",
				s.baseline + NR_COMPONENTS * s.each, MAX_CORES);
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		nr *= s.nr_steps + 1;
	status = space_make_values(r, node, nr, axis);
	axis->text = write_study(r, &s);
	if (status == SAHM_OK && !axis->text)
		status = sahm_fail_nomem(r->err);
	for (uint64_t v = 0; v < nr && status == SAHM_OK; v++) {
		struct textbuf label, setting;
		textbuf_init(&label);
		textbuf_init(&setting);
		write_chip(&s, v, &label, &setting);
		status = space_put_value(r, &axis->values[v], &label, &setting);
	}
	return status;
}

/* ---- Mixes ---- */

/* Mixes that are being read. */
struct reading {
	struct space_reading *r;
	struct mix_space mixes;
	struct core_spec specs[MAX_MIX_TYPES]; /* resolved */
	bool has_budget[NR_CORE_COSTS];
	bool is_priced[MAX_MIX_TYPES][NR_CORE_COSTS]; /* by the axis itself, not by the table */
};

/* The speedups of a type as written ("" for none), and what they come to, checked as those of a chip are. */
static enum sahm_status read_spec(struct space_reading *r, const struct cfg_node *node, struct mix_type *type,
				  struct core_spec *spec)
{
	const struct cfg_node *name = space_member(node, SPACE_TYPE_TYPE);
	const struct cfg_node *speedup = space_member(node, SPACE_TYPE_SPEEDUP);
	bool is_several = speedup && (speedup->kind & (CFG_LIST | CFG_ARRAY));
	struct core_type resolved;
	struct sahm_err cause;
	struct textbuf b;
	if (!name)
		return space_fail_missing(r, node, SPACE_TYPE_TYPE);
	*spec = (struct core_spec){.type = name->value.string};
	textbuf_init(&b);
	const struct cfg_node *n = is_several ? speedup->first : speedup;
	enum sahm_status status = SAHM_OK;
	for (; n && status == SAHM_OK; n = is_several ? n->next : NULL) {
		double pct;
		status = cfg_node_number(n, &space_keys[SPACE_TYPE_SPEEDUP], &pct, r->err);
		if (status == SAHM_OK && spec->nr_speedups == NR_STATES)
			status = cfg_fail(n, r->err, "more than %u speedups", NR_STATES);
		if (status != SAHM_OK)
			break;
		textbuf_puts(&b, spec->nr_speedups ? "," : "");
		number_write_double(&b, pct, 0);
		spec->speedup_ppm[spec->nr_speedups++] = ppm_of_pct(pct);
	}
	type->type = arena_strdup(&r->space->arena, name->value.string);
	type->speedups = textbuf_keep(&b, &r->space->arena);
	if (status != SAHM_OK)
		return status;
	if (!type->type || !type->speedups)
		return sahm_fail_nomem(r->err);
	if (speedup && spec->nr_speedups == 0)
		return cfg_fail(speedup, r->err, "speedup_pct is empty");
	status = core_spec_resolve(&r->scratch, spec, &resolved, &cause);
	return status == SAHM_CONFIG ? cfg_fail(name, r->err, "%s", cause.msg)
	       : status == SAHM_OK   ? SAHM_OK
				     : sahm_fail(r->err, status, "%s", cause.msg);
}

static const struct {
	enum space_key budget, price;
} cost_keys[NR_CORE_COSTS] = {
	[CORE_AREA_MM2] = {SPACE_MAX_AREA, SPACE_TYPE_AREA},
	[CORE_POWER_W] = {SPACE_MAX_POWER, SPACE_TYPE_POWER},
};

static double *price_of(struct mix_type *type, int cost)
{
	return cost == CORE_POWER_W ? &type->power_w : &type->area_mm2;
}

/* Settings of a type itself. */
static enum sahm_status read_prices(struct reading *m, const struct cfg_node *node, uint32_t i)
{
	enum sahm_status status = SAHM_OK;
	for (int c = 0; c < NR_CORE_COSTS && status == SAHM_OK; c++) {
		const struct cfg_key *key = &space_keys[cost_keys[c].price];
		const struct cfg_node *price = cfg_member(node, key);
		if (!price)
			continue;
		if (!m->has_budget[c])
			return cfg_fail(price, m->r->err, "'%s' has no effect without '%s'", price->name,
					strrchr(space_keys[cost_keys[c].budget].path, '.') + 1);
		status = cfg_node_number(price, key, price_of(&m->mixes.types[i], c), m->r->err);
		m->is_priced[i][c] = true;
	}
	return status;
}

static enum sahm_status read_type(struct reading *m, const struct cfg_node *node)
{
	struct space_reading *r = m->r;
	struct mix_space *mixes = &m->mixes;
	struct mix_type *type = &mixes->types[mixes->nr_types];
	enum sahm_status status = read_spec(r, node, type, &m->specs[mixes->nr_types]);
	if (status == SAHM_OK)
		status = space_count(r, node, SPACE_TYPE_LEAST, 0, &type->least);
	if (status == SAHM_OK)
		status = space_count(r, node, SPACE_TYPE_MOST, mixes->most, &type->most);
	if (status == SAHM_OK)
		status = read_prices(m, node, mixes->nr_types);
	if (status != SAHM_OK)
		return status;
	if (type->least > type->most)
		return cfg_fail(node, r->err, "at least %u cores of type '%.40s', and at most %u", type->least,
				type->type, type->most);
	for (uint32_t i = 0; i < mixes->nr_types; i++)
		if (strcmp(mixes->types[i].type, type->type) == 0 &&
		    strcmp(mixes->types[i].speedups, type->speedups) == 0)
			return cfg_fail(node, r->err, "type '%.40s' with these speedups is there twice", type->type);
	mixes->nr_types++;
	return SAHM_OK;
}

/* Finds the table of costs: beside the file that names it (on the command line: in the current folder), then in the
 * data folder, where "../" leads nowhere. */
static enum sahm_status find_costs(struct reading *m, const struct cfg_node *node, const char **path)
{
	static const char *const rooms[] = {"/", "/configs/"};
	struct space_reading *r = m->r;
	const char *name = node->value.string, *below = name;
	bool in_file = node->line > 0 && strcmp(node->file, STDIN_LABEL) != 0;
	bool elsewhere = name[0] != '/' && r->data_folder;
	char *real = NULL;
	while (strncmp(below, "../", 3) == 0)
		below += 3;
	int cause = ENOENT;
	for (size_t i = 0; i <= ARRAY_SIZE(rooms) && !real && file_is_absent(cause) && (i == 0 || elsewhere); i++) {
		struct textbuf b;
		textbuf_init(&b);
		if (i == 0 && name[0] != '/' && in_file)
			textbuf_add(&b, node->file, (size_t)(base_name(node->file) - node->file));
		if (i > 0)
			textbuf_printf(&b, "%s%s", r->data_folder, rooms[i - 1]);
		textbuf_puts(&b, i ? below : name);
		real = textbuf_failed(&b) ? NULL : realpath(b.text, NULL);
		cause = textbuf_failed(&b) ? ENOMEM : errno;
		textbuf_release(&b);
	}
	if (!real && cause == ENOMEM)
		return sahm_fail_nomem(r->err);
	if (!real && !file_is_absent(cause))
		return cfg_fail(node, r->err, "cannot look for the table of costs '%.200s': %s", name, strerror(cause));
	if (!real)
		return cfg_fail(node, r->err, "there is no table of costs '%.200s' beside the configuration%s", name,
				elsewhere ? " or in the data folder" : "");
	*path = arena_strdup(&r->scratch, real);
	free(real);
	return *path ? SAHM_OK : sahm_fail_nomem(r->err);
}

static enum sahm_status read_budgets(struct reading *m, const struct cfg_node *node)
{
	enum sahm_status status = SAHM_OK;
	for (int c = 0; c < NR_CORE_COSTS && status == SAHM_OK; c++) {
		const struct cfg_key *key = &space_keys[cost_keys[c].budget];
		m->has_budget[c] = cfg_member(node, key) != NULL;
		if (m->has_budget[c])
			status = cfg_number(node, key,
					    c == CORE_POWER_W ? &m->mixes.max_power_w : &m->mixes.max_area_mm2,
					    m->r->err);
	}
	return status;
}

static bool has_budget(const struct reading *m)
{
	return m->has_budget[CORE_AREA_MM2] || m->has_budget[CORE_POWER_W];
}

/* Takes from the table what type `i` does not say itself. */
static enum sahm_status price_type(struct reading *m, const struct core_costs *table, uint32_t i)
{
	const struct core_spec *spec = &m->specs[i];
	enum sahm_status status = SAHM_OK;
	struct textbuf b;
	textbuf_init(&b);
	for (unsigned k = 0; k < spec->nr_speedups; k++) {
		textbuf_puts(&b, k ? "," : "");
		number_write_double(&b, pct_of_ppm(spec->speedup_ppm[k]), 0);
	}
	if (textbuf_failed(&b))
		status = sahm_fail_nomem(m->r->err);
	for (int c = 0; c < NR_CORE_COSTS && status == SAHM_OK; c++)
		if (m->has_budget[c] && !m->is_priced[i][c])
			status = core_costs_find(table, spec->type, b.text, 0, (enum core_cost)c,
						 price_of(&m->mixes.types[i], c), m->r->err);
	textbuf_release(&b);
	return status;
}

/* Costs of cores of each type, where there are budgets. */
static enum sahm_status read_costs(struct reading *m, const struct cfg_node *node)
{
	const struct cfg_node *costs = space_member(node, SPACE_COSTS);
	const char *path = NULL;
	bool is_priced = true;
	struct core_costs table;
	for (uint32_t i = 0; i < m->mixes.nr_types; i++)
		for (int c = 0; c < NR_CORE_COSTS; c++)
			is_priced &= !m->has_budget[c] || m->is_priced[i][c];
	if (costs && !has_budget(m))
		return cfg_fail(costs, m->r->err, "'costs' has no effect without 'max_area_mm2' or 'max_power_w'");
	if (!costs)
		return is_priced ? SAHM_OK : space_fail_missing(m->r, node, SPACE_COSTS);
	enum sahm_status status = find_costs(m, costs, &path);
	if (status == SAHM_OK)
		status = core_costs_read(&table, path, m->r->err);
	if (status != SAHM_OK)
		return status;
	for (uint32_t i = 0; i < m->mixes.nr_types && status == SAHM_OK; i++)
		status = price_type(m, &table, i);
	core_costs_release(&table);
	return status;
}

static enum sahm_status read_mixes(struct reading *m, const struct cfg_node *node)
{
	struct space_reading *r = m->r;
	struct mix_space *mixes = &m->mixes;
	const struct cfg_node *types = space_member(node, SPACE_TYPES);
	if (!types)
		return space_fail_missing(r, node, SPACE_TYPES);
	if (!space_member(node, SPACE_CORES))
		return space_fail_missing(r, node, SPACE_CORES);
	if (types->nr_children < 1 || types->nr_children > MAX_MIX_TYPES)
		return cfg_fail(types, r->err, "%u types of core, must be from 1 to %u", types->nr_children,
				MAX_MIX_TYPES);
	enum sahm_status status = space_count(r, node, SPACE_CORES, 0, &mixes->most);
	if (status == SAHM_OK)
		status = space_count(r, node, SPACE_LEAST_CORES, mixes->most, &mixes->least);
	if (status == SAHM_OK && mixes->least > mixes->most)
		status = cfg_fail(space_member(node, SPACE_LEAST_CORES), r->err, "at least %u cores, and at most %u",
				  mixes->least, mixes->most);
	if (status == SAHM_OK)
		status = read_budgets(m, node);
	for (const struct cfg_node *n = types->first; n && status == SAHM_OK; n = n->next)
		status = read_type(m, n);
	return status == SAHM_OK ? read_costs(m, node) : status;
}

static void write_cost(struct textbuf *out, const char *key, double value)
{
	textbuf_printf(out, " %s = ", key);
	number_write_double(out, value, 1);
	textbuf_putc(out, ';');
}

/* With prices in the place of the table's, which may change before it is read again. */
static const char *write_mixes(const struct reading *m)
{
	const struct mix_space *mixes = &m->mixes;
	struct textbuf b;
	textbuf_init(&b);
	textbuf_printf(&b, "generator = \"mixes\"; cores = %u; least_cores = %u;", mixes->most, mixes->least);
	if (m->has_budget[CORE_AREA_MM2])
		write_cost(&b, "max_area_mm2", mixes->max_area_mm2);
	if (m->has_budget[CORE_POWER_W])
		write_cost(&b, "max_power_w", mixes->max_power_w);
	textbuf_puts(&b, "\n\t\t\ttypes = (");
	for (uint32_t i = 0; i < mixes->nr_types; i++) {
		const struct mix_type *type = &mixes->types[i];
		textbuf_puts(&b, i ? ",\n\t\t\t\t{ type = " : "\n\t\t\t\t{ type = ");
		cfg_write_string(&b, type->type);
		if (*type->speedups)
			textbuf_printf(&b, "; speedup_pct = (%s)", type->speedups);
		textbuf_printf(&b, "; least = %u; most = %u;", type->least, type->most);
		if (m->has_budget[CORE_AREA_MM2])
			write_cost(&b, "area_mm2", type->area_mm2);
		if (m->has_budget[CORE_POWER_W])
			write_cost(&b, "power_w", type->power_w);
		textbuf_puts(&b, " }");
	}
	textbuf_puts(&b, " );");
	return textbuf_keep(&b, &m->r->space->arena);
}

enum sahm_status space_generate_mixes(struct space_reading *r, const struct cfg_node *node, struct space_axis *axis)
{
	struct reading m = {.r = r, .mixes = {.max_area_mm2 = INFINITY, .max_power_w = INFINITY}};
	uint32_t counts[MAX_MIX_TYPES];
	enum sahm_status status = read_mixes(&m, node);
	if (status != SAHM_OK)
		return status;
	uint64_t nr = mix_count(&m.mixes, has_budget(&m) ? MAX_AXIS_VALUES + 1 : UINT64_MAX);
	if (nr == 0)
		return cfg_fail(node, r->err, "no mix of these types keeps within the bounds");
	if (has_budget(&m) && nr > MAX_AXIS_VALUES) {
		struct sahm_err cause;
		cfg_fail(node, &cause, "more than %" PRIu64 " mixes keep within the budget", MAX_AXIS_VALUES);
		return sahm_fail(r->err, SAHM_RANGE, "%s", cause.msg);
	}
	status = space_make_values(r, node, nr, axis);
	axis->text = write_mixes(&m);
	if (status == SAHM_OK && !axis->text)
		status = sahm_fail_nomem(r->err);
	bool more = status == SAHM_OK && mix_first(&m.mixes, counts);
	for (uint64_t v = 0; more && status == SAHM_OK; v++, more = mix_next(&m.mixes, counts)) {
		struct textbuf label, setting;
		textbuf_init(&label);
		textbuf_init(&setting);
		mix_write_label(&m.mixes, counts, &label);
		mix_write_setting(&m.mixes, counts, &setting);
		status = space_put_value(r, &axis->values[v], &label, &setting);
	}
	return status;
}
