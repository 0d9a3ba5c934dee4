#include "ipu/studies/study_cost.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"

enum { MAX_FACTORS = 3 };

static const struct cost_part parts[NR_COST_PART_IDS] = {
#define PART(symbol, source, value, unit, name, place)                                                                 \
	[COST_##symbol] = {#value, unit, name, place, value, COST_##source},
#include "ipu/studies/cost_part_list.h"
#undef PART
};

enum kind { KIND_AREA, KIND_POWER, KIND_BANDWIDTH };

static const char *const kinds[] = {[KIND_AREA] = "area", [KIND_POWER] = "power", [KIND_BANDWIDTH] = "bandwidth"};

static const char *const relations[] = {
	[COST_EQUAL] = "", [COST_ABOUT] = "around", [COST_BELOW] = "below", [COST_AT_MOST] = "at most"};

static const struct row {
	enum kind kind;
	enum cost_relation relation;
	const char *name, *text, *unit, *place, *note;
	uint8_t up[MAX_FACTORS], plus[MAX_FACTORS], down[MAX_FACTORS]; /* enum cost_part_id */
} rows[NR_COST_FIGURES] = {
#define LIST(...)                                                                                                      \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}
#define FIGURE(kind, name, relation, published, unit, up, plus, down, place, note)                                     \
	{KIND_##kind, COST_##relation, name, #published, unit, place, note, up, plus, down},
#include "ipu/studies/cost_figure_list.h"
#undef FIGURE
#undef LIST
};

/* A unit in mm2, W, bytes or 1/s, whichever it measures. */
static double scale_of(const char *unit)
{
	static const struct {
		const char *unit;
		double scale;
	} scales[] = {{"%", 1e-2},   {"mW", 1e-3},  {"GHz", 1e9}, {"bits", 0.125},
		      {"GB/s", 1e9}, {"MB/s", 1e6}, {"KB/s", 1e3}};
	for (size_t i = 0; i < ARRAY_SIZE(scales); i++)
		if (strcmp(scales[i].unit, unit) == 0)
			return scales[i].scale;
	return 1;
}

static double product(const uint8_t factors[MAX_FACTORS])
{
	double value = 1;
	for (unsigned i = 0; i < MAX_FACTORS && factors[i] != NO_COST_PART; i++)
		value *= parts[factors[i]].value * scale_of(parts[factors[i]].unit);
	return value;
}

struct cost_part cost_part(unsigned i)
{
	return parts[i + 1];
}

bool cost_agrees(enum cost_relation relation, double computed, const char *text)
{
	double published = strtod(text, NULL);
	if (relation == COST_BELOW)
		return computed < published;
	if (relation == COST_AT_MOST)
		return computed <= published;
	const char *point = strchr(text, '.');
	double half = 0.5;
	for (const char *digit = point ? point + 1 : ""; *digit; digit++)
		half /= 10;
	/* A tie may round either way, in spite of binary fractions. */
	return fabs(computed - published) <= half * (1 + 1e-9);
}

struct cost_figure cost_figure(unsigned i)
{
	const struct row *r = &rows[i];
	double up = product(r->up);
	if (r->plus[0] != NO_COST_PART)
		up += product(r->plus);
	struct cost_figure f = {.kind = kinds[r->kind],
				.name = r->name,
				.unit = r->unit,
				.place = r->place,
				.note = r->note,
				.text = r->text,
				.relation = relations[r->relation],
				.published = strtod(r->text, NULL),
				.computed = up / product(r->down) / scale_of(r->unit)};
	f.agrees = cost_agrees(r->relation, f.computed, r->text);
	return f;
}

static void write_product(const uint8_t factors[MAX_FACTORS], struct textbuf *out)
{
	for (unsigned i = 0; i < MAX_FACTORS && factors[i] != NO_COST_PART; i++) {
		const struct cost_part *p = &parts[factors[i]];
		textbuf_printf(out, "%s%s%s%s", i > 0 ? " x " : "", p->text, *p->unit ? " " : "", p->unit);
	}
}

void cost_write_formula(unsigned i, struct textbuf *out)
{
	const struct row *r = &rows[i];
	bool is_sum = r->plus[0] != NO_COST_PART, is_group = r->down[0] != NO_COST_PART && r->down[1] != NO_COST_PART;
	textbuf_puts(out, is_sum ? "(" : "");
	write_product(r->up, out);
	if (is_sum) {
		textbuf_puts(out, " + ");
		write_product(r->plus, out);
		textbuf_putc(out, ')');
	}
	if (r->down[0] == NO_COST_PART)
		return;
	textbuf_puts(out, is_group ? " / (" : " / ");
	write_product(r->down, out);
	textbuf_puts(out, is_group ? ")" : "");
}
