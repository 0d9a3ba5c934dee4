/* Which columns stand for which counters: as --map says, else by import_events[]. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

/* Which events stand for which counter unless --map says otherwise.
 * Rows of one counter go from the best to the last resort; the first whose events are all there is taken. Names are
 * compared without PMU, modifiers, "_pebs" and letter case ("cpu_core/Branches/u" is "branches"). To let importers know
 * another name of a counter: a row here, and a case in test_import_formats.c. A table of all our counters, without
 * times, is read as a trace (import_detect.c) and never gets here; --format csv or --map says otherwise. */
const struct import_event import_events[] = {
#define EVENT(counter, expression, source)                                                                             \
	{                                                                                                              \
		COUNTER_##counter, expression, source                                                                  \
	}
	EVENT(INSTRUCTIONS, "instructions", "perf: generic event"),
	EVENT(INSTRUCTIONS, "inst_retired.any", "Intel event tables of Linux perf"),
	EVENT(INSTRUCTIONS, "inst_retired", "Arm event tables of Linux perf"),
	EVENT(INSTRUCTIONS, "Ir", "callgrind manual, cache simulation"),
	EVENT(INSTRUCTIONS, "INSTR_RETIRED_ANY", "likwid group files, Intel"),
	EVENT(INSTRUCTIONS, "RETIRED_INSTRUCTIONS", "likwid group files, AMD"),
	EVENT(BRANCHES, "branches", "perf: generic event"),
	EVENT(BRANCHES, "branch-instructions", "perf: generic event"),
	EVENT(BRANCHES, "br_inst_retired.all_branches", "Intel event tables of Linux perf"),
	EVENT(BRANCHES, "br_retired", "Arm event tables of Linux perf"),
	EVENT(BRANCHES, "Bc + Bi", "callgrind manual, branch simulation: conditional and indirect"),
	EVENT(BRANCHES, "BR_INST_RETIRED_ALL_BRANCHES", "likwid group BRANCH, Intel"),
	EVENT(BRANCHES, "RETIRED_BRANCH_INSTR", "likwid group BRANCH, AMD"),
	EVENT(BRANCH_MISSES, "branch_misses", "sahm"),
	EVENT(BRANCH_MISSES, "branch-misses", "perf: generic event"),
	EVENT(BRANCH_MISSES, "br_misp_retired.all_branches", "Intel event tables of Linux perf"),
	EVENT(BRANCH_MISSES, "br_mis_pred_retired", "Arm event tables of Linux perf"),
	EVENT(BRANCH_MISSES, "Bcm + Bim", "callgrind manual, branch simulation"),
	EVENT(BRANCH_MISSES, "BR_MISP_RETIRED_ALL_BRANCHES", "likwid group BRANCH, Intel"),
	EVENT(BRANCH_MISSES, "RETIRED_MISP_BRANCH_INSTR", "likwid group BRANCH, AMD"),
	EVENT(L1I_MISSES, "l1i_misses", "sahm"),
	EVENT(L1I_MISSES, "L1-icache-load-misses", "perf: generic cache event"),
	EVENT(L1I_MISSES, "l1i_cache_refill", "Arm event tables of Linux perf"),
	EVENT(L1I_MISSES, "I1mr", "callgrind manual, cache simulation"),
	EVENT(L1I_MISSES, "ICACHE_MISSES", "likwid group ICACHE, Intel"),
	EVENT(L1D_ACCESSES, "l1d_accesses", "sahm"),
	EVENT(L1D_ACCESSES, "L1-dcache-loads", "perf: generic cache event; only loads, as its misses are"),
	EVENT(L1D_ACCESSES, "l1d_cache", "Arm event tables of Linux perf"),
	EVENT(L1D_ACCESSES, "Dr + Dw", "callgrind manual, cache simulation"),
	EVENT(L1D_MISSES, "l1d_misses", "sahm"),
	EVENT(L1D_MISSES, "L1-dcache-load-misses", "perf: generic cache event"),
	EVENT(L1D_MISSES, "l1d_cache_refill", "Arm event tables of Linux perf"),
	EVENT(L1D_MISSES, "D1mr + D1mw", "callgrind manual, cache simulation"),
	EVENT(L2_ACCESSES, "l2_accesses", "sahm"),
	EVENT(L2_ACCESSES, "l2_rqsts.references", "Intel event tables of Linux perf"),
	EVENT(L2_ACCESSES, "l2_request_g1.all_no_prefetch", "AMD event tables of Linux perf"),
	EVENT(L2_ACCESSES, "l2d_cache", "Arm event tables of Linux perf"),
	EVENT(L2_ACCESSES, "I1mr + D1mr + D1mw", "callgrind: its last level plays L2, entered by every L1 miss"),
	EVENT(L2_ACCESSES, "L2_TRANS_ALL_REQUESTS", "likwid group L2CACHE, Intel"),
	EVENT(L2_MISSES, "l2_misses", "sahm"),
	EVENT(L2_MISSES, "l2_rqsts.miss", "Intel event tables of Linux perf"),
	EVENT(L2_MISSES, "l2_cache_req_stat.ic_dc_miss_in_l2", "AMD event tables of Linux perf"),
	EVENT(L2_MISSES, "l2d_cache_refill", "Arm event tables of Linux perf"),
	EVENT(L2_MISSES, "ILmr + DLmr + DLmw", "callgrind: its last level plays L2"),
	EVENT(L2_MISSES, "I2mr + D2mr + D2mw", "cachegrind and callgrind before valgrind 3.7, whose last level is L2"),
	EVENT(L2_MISSES, "L2_RQSTS_MISS", "likwid group L2CACHE, Intel"),
	EVENT(CYCLES, "cycles", "perf: generic event"),
	EVENT(CYCLES, "cpu-cycles", "perf: generic event"),
	EVENT(CYCLES, "cpu_clk_unhalted.thread", "Intel event tables of Linux perf"),
	EVENT(CYCLES, "cpu_cycles", "Arm event tables of Linux perf"),
	EVENT(CYCLES, "CPU_CLK_UNHALTED_CORE", "likwid group files, Intel"),
	EVENT(CYCLES, "CPU_CLOCKS_UNHALTED", "likwid group files, AMD"),
#undef EVENT
	{0},
};

#define NR_DEFAULTS (ARRAY_SIZE(import_events) - 1)

enum match { MATCH_NONE, MATCH_ONE, MATCH_TWO };

/* Columns called `name`, as the tool writes it or else without PMU and modifiers. */
static enum match find_column(const struct import *im, const char *name, unsigned *column, unsigned *second)
{
	enum match match = MATCH_NONE;
	for (unsigned i = 0; i < im->nr_columns; i++) {
		if (strcmp(im->columns[i].name, name) == 0) {
			*column = i;
			return MATCH_ONE;
		}
		if (im->columns[i].ignored || strcasecmp(im->columns[i].plain, name) != 0)
			continue;
		*(match == MATCH_NONE ? column : second) = i;
		match = match == MATCH_NONE ? MATCH_ONE : MATCH_TWO;
	}
	return match;
}

static enum sahm_status fail_ambiguous(struct import *im, unsigned target, const char *name, unsigned a, unsigned b)
{
	return sahm_fail_at(im->err, SAHM_FORMAT, im->file, im->lines.line,
			    "two events are '%s': '%s' and '%s'; choose with --pmu, or say --map %s=EXPRESSION", name,
			    im->columns[a].name, im->columns[b].name, import_target_name(target));
}

/* Points the terms at their columns; *all says whether every one has its own. */
static enum sahm_status resolve(struct import *im, unsigned target, struct expression *e, bool *all)
{
	*all = true;
	for (unsigned i = 0; i < e->nr_terms; i++) {
		unsigned second = 0;
		enum match match = find_column(im, e->terms[i].name, &e->terms[i].column, &second);
		if (match == MATCH_TWO)
			return fail_ambiguous(im, target, e->terms[i].name, e->terms[i].column, second);
		*all &= match == MATCH_ONE;
	}
	return SAHM_OK;
}

/* A --map is no guess: an event that is never seen is an error at the end. */
static enum sahm_status take(struct import *im, unsigned target, const struct expression *e, bool *taken)
{
	struct expression copy = *e;
	enum sahm_status status = resolve(im, target, &copy, taken);
	/* The mapping that made epochs stays; cycles may still appear. */
	if (status != SAHM_OK || !*taken || (im->frozen && im->expression[target]))
		return status;
	for (unsigned i = 0; i < copy.nr_terms; i++) {
		/* Stamps are read as they stand even where counts are running totals. */
		copy.terms[i].delta |= im->options->cumulative && target != TARGET_TIME;
		im->uses_totals |= copy.terms[i].delta;
	}
	im->resolved[target] = copy;
	im->expression[target] = &im->resolved[target];
	return SAHM_OK;
}

/* Whether --map makes something of the column. */
static bool is_mapped(const struct import *im, unsigned column)
{
	const struct import_map *map = im->options->map;
	for (unsigned t = 0; map && t < NR_TARGETS; t++)
		for (unsigned i = 0; map->expression[t] && i < map->expression[t]->nr_terms; i++)
			if (strcmp(map->expression[t]->terms[i].name, im->columns[column].name) == 0)
				return true;
	return false;
}

/* How sure it is that a column is a time: 0 (it is none), a name without a unit, with one, as we write it. */
static unsigned rank_of_time(const struct import *im, const struct column *c, unsigned *target, uint64_t *unit_ns)
{
	if (import_time_named(c->name, target, unit_ns))
		return 3;
	if (!im->format->has_header || !import_time_column(c->name, c->len, target, unit_ns))
		return 0;
	return *unit_ns ? 2 : 1;
}

/* Columns that are called as times are: "time_s", "Timestamp". The best name, then the first. */
static void take_times(struct import *im, const bool *settled)
{
	unsigned best[NR_TARGETS] = {0};
	for (unsigned c = 0; c < im->nr_columns && !im->frozen; c++) {
		unsigned target;
		uint64_t unit_ns;
		unsigned rank = rank_of_time(im, &im->columns[c], &target, &unit_ns);
		if (rank == 0 || settled[target] || rank <= best[target] || is_mapped(im, c))
			continue;
		best[target] = rank;
		im->resolved[target] = (struct expression){
			.nr_terms = 1,
			.terms = {{.column = c, .factor = DECIMAL_ONE, .largest = EXACT_END / DECIMAL_ONE}}};
		im->expression[target] = &im->resolved[target];
		im->unit_ns[target] = unit_ns ? unit_ns : NS_PER_S;
		im->lacks_unit = target == TARGET_TIME ? unit_ns == 0 : im->lacks_unit;
	}
}

static enum sahm_status read_defaults(struct import *im, struct expression **all)
{
	*all = im->defaults;
	if (*all)
		return SAHM_OK;
	*all = im->defaults = arena_alloc(&im->arena, NR_DEFAULTS, sizeof(**all));
	enum sahm_status status = *all ? SAHM_OK : sahm_fail_nomem(im->err);
	for (size_t i = 0; i < NR_DEFAULTS && status == SAHM_OK; i++)
		status = expression_read(import_events[i].expression, &im->arena, &(*all)[i], im->err);
	return status;
}

enum sahm_status import_resolve(struct import *im)
{
	const struct import_map *map = im->options->map;
	struct expression *defaults;
	bool settled[NR_TARGETS] = {false}, taken;
	enum sahm_status status = read_defaults(im, &defaults);
	for (unsigned t = 0; map && t < NR_TARGETS && status == SAHM_OK; t++) {
		settled[t] = map->expression[t] != NULL;
		if (!map->expression[t])
			continue;
		im->unit_ns[t] = map->unit_ns[t];
		status = take(im, t, map->expression[t], &taken);
	}
	if (status == SAHM_OK)
		take_times(im, settled);
	settled[COUNTER_CYCLES] |= im->options->no_cycles;
	/* From the best row to the last resort. */
	for (size_t i = 0; i < NR_DEFAULTS && status == SAHM_OK; i++) {
		unsigned t = import_events[i].counter;
		if (settled[t])
			continue;
		status = take(im, t, &defaults[i], &taken);
		settled[t] = taken;
	}
	return status;
}

static bool has_column(const struct expression *e, unsigned column)
{
	for (unsigned i = 0; e && i < e->nr_terms; i++)
		if (e->terms[i].column == column)
			return true;
	return false;
}

static bool is_used(const struct import *im, unsigned column)
{
	for (unsigned t = 0; t < NR_TARGETS; t++)
		if (has_column(im->expression[t], column))
			return true;
	return false;
}

void import_report_choices(struct import *im)
{
	const struct import_map *map = im->options->map;
	for (size_t i = 0; i < NR_DEFAULTS && im->defaults; i++) {
		unsigned t = import_events[i].counter, column = 0, second = 0, nr_unused = 0;
		bool is_there = im->expression[t] && !(map && map->expression[t]);
		const struct expression *e = &im->defaults[i];
		for (unsigned j = 0; j < e->nr_terms && is_there; j++) {
			is_there = find_column(im, e->terms[j].name, &column, &second) == MATCH_ONE;
			nr_unused += is_there && !is_used(im, column);
		}
		if (is_there && nr_unused > 0)
			textbuf_printf(im->notes, "%s: %s are taken from '%.60s', not from '%s' (--map %s=\"%s\")\n",
				       im->file, counter_rows[t].name,
				       im->columns[im->expression[t]->terms[0].column].name,
				       import_events[i].expression, counter_rows[t].name, import_events[i].expression);
	}
}

/* Names of columns, the first few. */
static void list_columns(const struct import *im, struct textbuf *b)
{
	unsigned shown = im->nr_columns < 12 ? im->nr_columns : 12;
	for (unsigned i = 0; i < shown; i++)
		textbuf_printf(b, "%s'%.60s'", i ? ", " : "", im->columns[i].name);
	if (im->nr_columns > shown)
		textbuf_printf(b, " and %u others", im->nr_columns - shown);
}

/* Whether `name` is a column's followed by '-' and more: a difference, maybe. */
static bool begins_with_column(const struct import *im, const char *name)
{
	for (unsigned c = 0; c < im->nr_columns; c++)
		if (im->columns[c].len > 0 && strncmp(name, im->columns[c].name, im->columns[c].len) == 0 &&
		    name[im->columns[c].len] == '-')
			return true;
	return false;
}

/* A name of --map that no column has. */
static enum sahm_status fail_unknown(struct import *im, unsigned target, const struct expression *e)
{
	for (unsigned i = 0; i < e->nr_terms; i++) {
		unsigned column, second;
		char near[SUGGEST_BYTES];
		struct suggest s;
		if (find_column(im, e->terms[i].name, &column, &second) != MATCH_NONE)
			continue;
		suggest_init(&s, e->terms[i].name);
		for (unsigned c = 0; c < im->nr_columns; c++)
			suggest_offer(&s, im->columns[c].name);
		struct textbuf others;
		textbuf_init(&others);
		if (begins_with_column(im, e->terms[i].name)) {
			textbuf_puts(&others, " (a difference has blanks around its '-')");
		} else if (!s.best) {
			textbuf_puts(&others, "; there are ");
			list_columns(im, &others);
		}
		sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0, "--map %s: nothing is called '%s'%s%s",
			     import_target_name(target), e->terms[i].name, suggest_text(&s, near), others.text);
		textbuf_release(&others);
		return SAHM_FORMAT;
	}
	return SAHM_OK;
}

enum sahm_status import_check_map(struct import *im, unsigned target)
{
	const struct import_map *map = im->options->map;
	if (!map || !map->expression[target] || im->expression[target])
		return SAHM_OK;
	return fail_unknown(im, target, map->expression[target]);
}

const char *import_hint(const struct import *im)
{
	if (im->nr_unsupported > 0 && im->format->is_counted_by_tool)
		return "; events are <not supported>: where perf finds no counters, as in many virtual machines, "
		       "callgrind counts (docs/tutorial.md)";
	return im->format->lacks ? im->format->lacks : "";
}

enum sahm_status import_fail_unresolved(struct import *im)
{
	const struct import_map *map = im->options->map;
	struct textbuf b;
	const char *first = NULL;
	unsigned nr = 0;
	/* Nothing was read at all: it is not that an event is missing. */
	if (im->nr_columns == 0)
		return SAHM_OK;
	for (unsigned t = 0; t < NR_TARGETS; t++)
		if (import_check_map(im, t) != SAHM_OK)
			return SAHM_FORMAT;
	textbuf_init(&b);
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		bool needed = im->options->join ? c == COUNTER_INSTRUCTIONS : counter_rows[c].required;
		if (!needed || im->expression[c] || (map && map->is_assumed[c]))
			continue;
		first = first ? first : counter_rows[c].name;
		textbuf_printf(&b, "%s'%s'", nr++ ? ", " : "", counter_rows[c].name);
	}
	enum sahm_status status = SAHM_OK;
	if (nr > 0) {
		textbuf_puts(&b, "; there are ");
		list_columns(im, &b);
		status = sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				      "no event stands for %s; say --map %s=EXPRESSION, or --assume %s=0%s%s", b.text,
				      first, first, nr > 1 ? ", for each of them" : "", import_hint(im));
	}
	textbuf_release(&b);
	return status;
}

static bool needs_quotes(const char *name)
{
	decimal number;
	return name[0] == '-' || strpbrk(name, " \t+*()") || decimal_read(name, strlen(name), &number) == NUMBER_OK;
}

/* The expression in force, with the columns' own names. */
static void write_expression(const struct import *im, const struct expression *e, struct textbuf *b)
{
	for (unsigned i = 0; i < e->nr_terms; i++) {
		const struct term *t = &e->terms[i];
		const char *name = im->columns[t->column].name, *quote = needs_quotes(name) ? "\"" : "";
		decimal size = t->factor < 0 ? -t->factor : t->factor;
		textbuf_puts(b, i ? (t->factor < 0 ? " - " : " + ") : t->factor < 0 ? "-" : "");
		if (size != DECIMAL_ONE) {
			decimal_write(b, size);
			textbuf_puts(b, " * ");
		}
		textbuf_printf(b, "%s%s%s%s%s%s%s", t->zero ? "zero(" : "", t->delta ? "delta(" : "", quote, name,
			       quote, t->delta ? ")" : "", t->zero ? ")" : "");
	}
}

enum sahm_status import_say_events(struct import *im, struct provenance *p, const struct output *out)
{
	const struct import_map *map = im->options->map;
	enum sahm_status status = SAHM_OK;
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++) {
		const struct running *r = &out->running[c];
		char key[64];
		struct textbuf b;
		if (c == COUNTER_CYCLES && !out->has_cycles)
			continue;
		textbuf_init(&b);
		if (im->expression[c] &&
		    (im->options->join ? out->nr_assumed[c] == 0 : out->nr_assumed[c] < out->nr_taken))
			write_expression(im, im->expression[c], &b);
		if (out->nr_assumed[c] > 0)
			textbuf_printf(&b, "%s%llu an epoch, assumed", b.len ? "; where it is not supported, " : "",
				       (unsigned long long)map->assumed[c]);
		snprintf(key, sizeof(key), "event.%s", counter_rows[c].name);
		if (b.len > MAX_PROVENANCE_BYTES)
			b.text[b.len = MAX_PROVENANCE_BYTES] = '\0';
		if (textbuf_failed(&b))
			status = sahm_fail_nomem(im->err);
		else if (b.len > 0 && !p->event[c])
			status = provenance_set(p, &im->arena, key, strlen(key), b.text, im->err);
		textbuf_release(&b);
		if (out->nr_assumed[c] > 0 && !p->origin[c])
			p->origin[c] = "assumed";
		if (status != SAHM_OK || r->nr == 0)
			continue;
		char text[64];
		uint64_t mean = (r->sum_pct100 + r->nr / 2) / r->nr;
		snprintf(text, sizeof(text), "mean %u.%02u, minimum %d.%02d", (unsigned)(mean / 100),
			 (unsigned)(mean % 100), r->min_pct100 / 100, r->min_pct100 % 100);
		snprintf(key, sizeof(key), "counted_pct.%s", counter_rows[c].name);
		if (!p->counted_pct[c])
			status = provenance_set(p, &im->arena, key, strlen(key), text, im->err);
	}
	/* Of a table nobody says how it was counted. */
	if (im->format->is_counted_by_tool)
		provenance_say_origins(p, im->format->is_model);
	return status;
}
