#include "cores/uarch/tma.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"

#define ONLY(kind) (1u << TMA_##kind)
#define ANY TMA_FORMULA_KINDS
#define BUT(kind) (ANY & ~ONLY(kind))

static const struct {
	const char *name, *help;
} kinds[] = {
#define TMA_KIND(suffix, name, help) {name, help},
#include "cores/uarch/tma_list.h"
};

static const struct {
	enum tma_class parent;
	unsigned level;
	const char *name, *help;
} classes[] = {
#define TMA_CLASS(suffix, parent, level, name, help) {TMA_##parent, level, name, help},
#include "cores/uarch/tma_list.h"
};

const char *tma_kind_name(enum tma_kind kind)
{
	return kinds[kind].name;
}

const char *tma_kind_help(enum tma_kind kind)
{
	return kinds[kind].help;
}

bool tma_has_kind(enum event_family family, uint64_t width, enum tma_kind kind)
{
	if (kind == TMA_EXACT)
		return true;
	if (family == FAMILY_ROCKET)
		return kind == TMA_PUBLISHED || kind == TMA_RELEASED;
	return family == FAMILY_BOOM && (kind != TMA_LANE || width > 1);
}

/* ---- Classes ---- */

enum tma_class tma_parent(unsigned class)
{
	return class < TMA_UNITS ? classes[class].parent : TMA_CORE_BOUND;
}

unsigned tma_level(unsigned class)
{
	return class < TMA_UNITS ? classes[class].level : NR_TMA_LEVELS;
}

bool tma_has_children(unsigned class)
{
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
		if (tma_parent(k) == class)
			return true;
	return false;
}

bool tma_class_is_there(const struct core_timing *t, unsigned class)
{
	return class < TMA_UNITS || class - TMA_UNITS < t->nr_groups;
}

const char *tma_class_name(const struct core_timing *t, unsigned class, char name[TMA_NAME_BYTES])
{
	if (class < TMA_UNITS)
		snprintf(name, TMA_NAME_BYTES, "%s", classes[class].name);
	else
		snprintf(name, TMA_NAME_BYTES, "units-%s", t->groups[class - TMA_UNITS].name);
	return name;
}

const char *tma_class_path(const struct core_timing *t, unsigned class, char name[TMA_NAME_BYTES])
{
	char own[TMA_NAME_BYTES];
	enum tma_class parent = tma_parent(class);
	size_t len = 0;
	if (parent != TMA_NONE) {
		len = strlen(tma_class_path(t, parent, name));
		name[len++] = '/';
	}
	snprintf(name + len, TMA_NAME_BYTES - len, "%s", tma_class_name(t, class, own));
	return name;
}

const char *tma_class_help(unsigned class)
{
	return class < TMA_UNITS ? classes[class].help : "a unit of that group";
}

uint64_t tma_slots_total(const struct tma_slots *s, uint64_t *totals)
{
	uint64_t all = 0;
	memcpy(totals, s->nr, sizeof(s->nr));
	for (unsigned k = NR_TMA_CLASSES; k-- > 0;) {
		if (tma_parent(k) == TMA_NONE)
			all += totals[k];
		else
			totals[tma_parent(k)] += totals[k];
	}
	return all;
}

static void add_all(uint64_t *sums, const uint64_t *counts, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		sums[i] += counts[i];
}

void tma_window_add(struct tma_window *sum, const struct tma_window *w)
{
	struct tma_counts *s = &sum->counts;
	const struct tma_counts *c = &w->counts;
	sum->family = w->family;
	s->width = c->width;
	s->nr_ports = c->nr_ports;
	s->commit_width = c->commit_width;
	s->cycles += c->cycles;
	s->instructions += c->instructions;
	s->uops += c->uops;
	s->fences += c->fences;
	s->flushes += c->flushes;
	s->mispredictions += c->mispredictions;
	s->recovering += c->recovering;
	s->iblocked += c->iblocked;
	s->issued += c->issued;
	s->bubbles += c->bubbles;
	s->dblocked += c->dblocked;
	add_all(s->issued_of, c->issued_of, MAX_SIGNAL_LANES);
	add_all(s->bubbles_of, c->bubbles_of, MAX_WIDTH);
	add_all(s->dblocked_of, c->dblocked_of, MAX_WIDTH);
	add_all(s->truth, c->truth, NR_TMA_EVENTS);
	add_all(sum->slots.nr, w->slots.nr, NR_TMA_CLASSES);
}

/* ---- Formulas ---- */

const struct tma_symbol tma_symbols[] = {
#define TMA_COUNT(symbol, value, help) {#symbol, help},
#include "cores/uarch/tma_list.h"
};
const unsigned nr_tma_symbols = ARRAY_SIZE(tma_symbols);

/* Of a symbol in formulas. */
enum {
#define TMA_ESTIMATED(symbol, suffix, parent, level, name, help) CLASS_OF_##symbol = TMA_##suffix,
#define TMA_METRIC(symbol) CLASS_OF_##symbol = TMA_NONE,
#define TMA_COUNT(symbol, value, help) CLASS_OF_##symbol = TMA_NONE,
#include "cores/uarch/tma_list.h"
};

const struct tma_formula tma_formulas[] = {
#define TMA_FORMULA(family, kinds, symbol, expression)                                                                 \
	{FAMILY_##family, kinds, #symbol, #expression, CLASS_OF_##symbol},
#include "cores/uarch/tma_list.h"
};
const unsigned nr_tma_formulas = ARRAY_SIZE(tma_formulas);

static void evaluate_formulas(const struct tma_counts *c, enum event_family own_family, enum tma_kind kind,
			      struct tma_shares *out)
{
	bool is_rocket = own_family == FAMILY_ROCKET;
#define TMA_COUNT(symbol, value, help) double symbol = (double)(value);
#define TMA_METRIC(symbol) double symbol = NAN;
#define TMA_ESTIMATED(symbol, suffix, parent, level, name, help) double symbol = NAN;
#include "cores/uarch/tma_list.h"
#define TMA_FORMULA(family, kinds, symbol, expression)                                                                 \
	if (own_family == FAMILY_##family && ((kinds) >> kind & 1))                                                    \
		symbol = expression;
#include "cores/uarch/tma_list.h"
#define TMA_ESTIMATED(symbol, suffix, parent, level, name, help) out->of[TMA_##suffix] = symbol;
#include "cores/uarch/tma_list.h"
}

void tma_evaluate(const struct tma_window *w, enum tma_kind kind, struct tma_shares *out)
{
	uint64_t totals[NR_TMA_CLASSES], all;
	for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
		out->of[k] = NAN;
	if (kind == TMA_EXACT) {
		all = tma_slots_total(&w->slots, totals);
		for (unsigned k = 0; k < NR_TMA_CLASSES; k++)
			out->of[k] = (double)totals[k] / (double)all;
		return;
	}
	evaluate_formulas(&w->counts, w->family, kind, out);
	for (unsigned k = 0; k < NR_TMA_CLASSES && kind != TMA_PUBLISHED; k++)
		if (out->of[k] < 0)
			out->of[k] = 0;
}

/* ---- Counters ---- */

void tma_undercounts_of(const struct tma_counts *c, enum hpm_kind counters, size_t nr_runs,
			struct tma_undercount out[NR_TMA_EVENTS])
{
	const struct tma_undercount of[NR_TMA_EVENTS] = {
		[TMA_UOPS_RETIRED] = {.name = "uops retired",
				      .key = "uops_retired",
				      .sources = c->commit_width,
				      .counted = c->uops},
		[TMA_FENCES_RETIRED] = {.name = "fences retired",
					.key = "fences_retired",
					.sources = c->commit_width,
					.counted = c->fences},
		[TMA_UOPS_ISSUED] = {.name = "uops issued",
				     .key = "uops_issued",
				     .sources = c->nr_ports,
				     .counted = c->issued},
		[TMA_FETCH_BUBBLES] = {.name = "fetch bubbles",
				       .key = "fetch_bubbles",
				       .sources = c->width,
				       .counted = c->bubbles},
		[TMA_DCACHE_BLOCKED] = {.name = "D$ blocked",
					.key = "dcache_blocked",
					.sources = c->width,
					.counted = c->dblocked},
	};
	for (unsigned i = 0; i < NR_TMA_EVENTS; i++) {
		unsigned sources = (unsigned)of[i].sources,
			 sources_each = sources / hpm_kind_counters(counters, sources);
		out[i] = of[i];
		out[i].truth = c->truth[i];
		/* Of plain counters it grows with the sum of their counts. */
		out[i].bound = hpm_kind_bound(counters, sources_each, of[i].counted, true) *
			       (counters == HPM_DISTRIBUTED ? nr_runs : 1);
	}
}
