/* Which columns stand for which counters: as --map says, else by import_events[]. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/array.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

const struct import_event import_events[] = {
#define EVENT(counter, expression, source) {COUNTER_##counter, expression, source},
#include "workloads/import/import_event_list.h"
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

/* Finds the columns of the terms; *all says whether every one has its own. */
static enum sahm_status find_columns(struct import *im, unsigned target, const struct expression *e,
				     unsigned columns[MAX_TERMS], bool *all)
{
	*all = true;
	for (unsigned i = 0; i < e->nr_terms; i++) {
		unsigned second = 0;
		enum match match = find_column(im, e->terms[i].name, &columns[i], &second);
		if (match == MATCH_TWO)
			return fail_ambiguous(im, target, e->terms[i].name, columns[i], second);
		*all &= match == MATCH_ONE;
	}
	return SAHM_OK;
}

/* A --map is no guess: an event that is never seen is an error at the end. */
static enum sahm_status take(struct import *im, unsigned target, const struct expression *e, bool *taken)
{
	unsigned columns[MAX_TERMS];
	/* Stamps are read as they stand even where counts are running totals. */
	bool is_total = im->options->cumulative && target != TARGET_TIME && !im->format->subtracts_totals;
	enum sahm_status status = find_columns(im, target, e, columns, taken);
	/* The mapping that made epochs stays; cycles may still appear. */
	if (status != SAHM_OK || !*taken || (im->frozen && im->expression[target]))
		return status;
	if (is_total && e->is_derived)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, im->lines.line,
				    "--cumulative: %s are a product or quotient with '%s', of which running totals "
				    "mean nothing; say which columns are totals by delta() in --map",
				    import_target_name(target), im->columns[columns[e->nr_terms - 1]].name);
	im->resolved[target] = *e;
	for (unsigned i = 0; i < e->nr_terms; i++) {
		struct term *term = &im->resolved[target].terms[i];
		term->column = columns[i];
		term->delta |= is_total;
		im->uses_totals |= term->delta;
	}
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
		expression_of_column(&im->resolved[target], c);
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

#define WANTED_SLOTS 1024u

/* The slot of a name: it is there, or the slot is free. */
static const char **wanted_slot(struct import *im, const char *name, size_t len)
{
	for (uint32_t at = import_hash_name(name, len);; at++) {
		const char **slot = &im->wanted[at % WANTED_SLOTS];
		if (!*slot || (strlen(*slot) == len && memcmp(*slot, name, len) == 0))
			return slot;
	}
}

static void want(struct import *im, const struct expression *e, unsigned *nr)
{
	/* Half of the slots stay free. */
	for (unsigned i = 0; e && i < e->nr_terms && *nr < WANTED_SLOTS / 2; i++) {
		const char **slot = wanted_slot(im, e->terms[i].name, strlen(e->terms[i].name));
		*nr += *slot == NULL;
		*slot = e->terms[i].name;
	}
}

enum sahm_status import_collect_names(struct import *im)
{
	const struct import_map *map = im->options->map;
	struct expression *defaults;
	unsigned nr = 0;
	if (im->wanted)
		return SAHM_OK;
	enum sahm_status status = read_defaults(im, &defaults);
	if (status == SAHM_OK)
		im->wanted = arena_alloc(&im->arena, WANTED_SLOTS, sizeof(*im->wanted));
	if (!im->wanted)
		return status == SAHM_OK ? sahm_fail_nomem(im->err) : status;
	for (unsigned t = 0; map && t < NR_TARGETS; t++)
		want(im, map->expression[t], &nr);
	for (size_t i = 0; i < NR_DEFAULTS; i++)
		want(im, &defaults[i], &nr);
	return SAHM_OK;
}

bool import_is_wanted(struct import *im, const char *name, size_t len)
{
	return *wanted_slot(im, name, len) != NULL;
}

bool import_is_event_wanted(struct import *im, const char *name, size_t len)
{
	char lower[80];
	if (import_is_wanted(im, name, len))
		return true;
	if (len > sizeof(lower))
		return false;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	return import_is_wanted(im, lower, len);
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
		const struct expression *e = &im->defaults[i];
		/* A count that had to be derived is no alternative to one that is there. */
		bool is_there = im->expression[t] && !(map && map->expression[t]) && !e->is_derived;
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

/* Whether `name` is a column's followed by '-' or '/': a difference or quotient, maybe. */
static bool begins_with_column(const struct import *im, const char *name)
{
	for (unsigned c = 0; c < im->nr_columns; c++)
		if (im->columns[c].len > 0 && strncmp(name, im->columns[c].name, im->columns[c].len) == 0 &&
		    strchr("-/", name[im->columns[c].len]))
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
			textbuf_puts(&others, " (a difference has blanks around its '-', a quotient around its '/')");
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
	if (im->nr_unsupported > 0 && im->format->is_counted_by_tool && !im->format->is_model)
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
			expression_write(im, im->expression[c], &b);
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
			p->origin[c] = counter_origin_name(ORIGIN_ASSUMED);
		if (im->expression[c] && im->expression[c]->is_derived && !p->origin[c])
			p->origin[c] = counter_origin_name(ORIGIN_DERIVED);
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
