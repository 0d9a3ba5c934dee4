/* Remedies: cycle stacks of one program in several lanes. */
#include <inttypes.h>
#include <stdlib.h>

#include "results/cores/pics_internal.h"
#include "results/metrics/table.h"

/* Columns of signatures; the others are summed. */
#define MAX_SIGNATURES 5u

static bool write_speedups(const struct pics_report *r, const struct pics_result *results, bool bold,
			   struct textbuf *out)
{
	const uint64_t before = results[0].stacks->cycles;
	struct table t;
	textbuf_puts(out, "\nRemedies:\n");
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"lane", "cycles", "fewer", "speedup"}, 4);
	for (size_t i = 0; i < r->nr_lanes; i++) {
		const uint64_t cycles = results[i].stacks->cycles;
		table_row(&t, i == 0);
		table_cell(&t, "%s", r->lanes[i]);
		table_cell(&t, "%" PRIu64, cycles);
		table_cell(&t, "%" PRId64, (int64_t)(before - cycles));
		table_cell(&t, "%.3f", (double)before / (double)cycles);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

size_t pics_unit_at(const struct pics_view *v, uint64_t pc)
{
	size_t low = 0, high = v->stacks->nr_insns;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (v->stacks->insns[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < v->stacks->nr_insns && v->stacks->insns[low].pc == pc ? v->unit_of[low] : v->nr;
}

/* A unit of the first lane, and its largest height in any lane. */
struct rank {
	uint64_t cycles;
	size_t unit;
};

static int highest_first(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return (x->unit > y->unit) - (x->unit < y->unit);
}

size_t *pics_lane_order(const struct pics_view *views, size_t nr_lanes)
{
	const struct pics_view *v = &views[0];
	struct rank *ranks = calloc(v->nr + 1, sizeof(*ranks));
	size_t *order = ranks ? calloc(v->nr + 1, sizeof(*order)) : NULL;
	for (size_t i = 0; order && i < v->nr; i++) {
		ranks[i].unit = i;
		for (size_t k = 0; k < nr_lanes; k++) {
			size_t unit = pics_unit_at(&views[k], v->stacks->insns[v->units[i].insn].pc);
			uint64_t cycles = views[k].units[unit].cycles;
			ranks[i].cycles = cycles > ranks[i].cycles ? cycles : ranks[i].cycles;
		}
	}
	if (order)
		qsort(ranks, v->nr, sizeof(*ranks), highest_first);
	for (size_t i = 0; order && i < v->nr; i++)
		order[i] = ranks[i].unit;
	free(ranks);
	return order;
}

static uint64_t cycles_of(const struct pics_view *v, size_t unit, unsigned signature)
{
	for (size_t i = v->parts.first[unit]; i < v->parts.first[unit + 1]; i++)
		if (v->parts.parts[i].signature == signature)
			return v->parts.parts[i].cycles;
	return 0;
}

/* The signatures with the most cycles of the unit in any lane. */
static unsigned choose_signatures(const struct pics_view *views, size_t nr_lanes, const size_t *units, uint16_t *list)
{
	uint64_t most[NR_SIGNATURES] = {0};
	unsigned nr = 0;
	for (size_t k = 0; k < nr_lanes; k++)
		for (size_t i = views[k].parts.first[units[k]]; i < views[k].parts.first[units[k] + 1]; i++) {
			const struct pics_part *p = &views[k].parts.parts[i];
			most[p->signature] = p->cycles > most[p->signature] ? p->cycles : most[p->signature];
		}
	while (nr < MAX_SIGNATURES) {
		unsigned best = 0;
		for (unsigned i = 1; i < NR_SIGNATURES; i++)
			best = most[i] > most[best] ? i : best;
		if (most[best] == 0)
			break;
		list[nr++] = (uint16_t)best;
		most[best] = 0;
	}
	return nr;
}

static void cycles_cell(struct table *t, uint64_t cycles, unsigned units)
{
	struct textbuf text;
	textbuf_init(&text);
	pics_cycles(&text, cycles, units);
	table_cell_text(t, &text);
	textbuf_release(&text);
}

/* What is in none of these signatures. */
static uint64_t others_of(const struct pics_view *v, size_t unit, const uint16_t *signatures, unsigned nr)
{
	uint64_t others = v->units[unit].cycles;
	for (unsigned i = 0; i < nr; i++)
		others -= cycles_of(v, unit, signatures[i]);
	return others;
}

static bool have_others(const struct pics_view *views, size_t nr_lanes, const size_t *units, const uint16_t *signatures,
			unsigned nr)
{
	for (size_t k = 0; k < nr_lanes; k++)
		if (others_of(&views[k], units[k], signatures, nr) > 0)
			return true;
	return false;
}

static void write_lane(const struct pics_view *v, size_t unit, const uint16_t *signatures, unsigned nr, bool has_others,
		       struct table *t)
{
	cycles_cell(t, v->units[unit].cycles, v->stacks->units);
	for (unsigned i = 0; i < nr; i++)
		cycles_cell(t, cycles_of(v, unit, signatures[i]), v->stacks->units);
	if (has_others)
		cycles_cell(t, others_of(v, unit, signatures, nr), v->stacks->units);
}

static bool write_unit(const struct pics_report *r, const struct pics_view *views, size_t unit, const char *program,
		       bool bold, struct textbuf *out)
{
	const struct pics_unit *u = &views[0].units[unit];
	const uint64_t pc = views[0].stacks->insns[u->insn].pc;
	size_t *units = calloc(r->nr_lanes, sizeof(*units));
	uint16_t signatures[MAX_SIGNATURES];
	char name[STACK_SIGNATURE_NAME_BYTES];
	struct table t;
	if (!units)
		return false;
	for (size_t k = 0; k < r->nr_lanes; k++)
		units[k] = pics_unit_at(&views[k], pc);
	unsigned nr = choose_signatures(views, r->nr_lanes, units, signatures);
	bool has_others = have_others(views, r->nr_lanes, units, signatures, nr);
	textbuf_putc(out, '\n');
	pics_unit_line(&views[0], u, program, out);
	textbuf_puts(out, ", cycles:\n");
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"lane", "all"}, 2);
	for (unsigned i = 0; i < nr; i++)
		table_cell(&t, "%s", signature_name(signatures[i], name));
	if (has_others)
		table_cell(&t, "others");
	for (size_t k = 0; k < r->nr_lanes; k++) {
		table_row(&t, k == 0);
		table_cell(&t, "%s", r->lanes[k]);
		write_lane(&views[k], units[k], signatures, nr, has_others, &t);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	free(units);
	return ok;
}

bool pics_lanes_text(const struct pics_report *r, const struct pics_result *results, bool bold, struct textbuf *out)
{
	struct pics_view *views = calloc(r->nr_lanes, sizeof(*views));
	bool ok = views && write_speedups(r, results, bold, out);
	for (size_t k = 0; k < r->nr_lanes && ok; k++)
		ok = pics_view_init(&views[k], results[k].stacks, results[k].names, r->by);
	size_t *order = ok ? pics_lane_order(views, r->nr_lanes) : NULL;
	ok = order != NULL;
	for (size_t i = 0; ok && i < pics_nr_shown(r, &views[0]); i++)
		ok = write_unit(r, views, order[i], results[0].run->stream, bold, out);
	free(order);
	for (size_t k = 0; views && k < r->nr_lanes; k++)
		pics_view_release(&views[k]);
	free(views);
	return ok;
}
