#include "results/cores/pics_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"

#define PAGE_BITS 12

const char *const pics_by_words[NR_PICS_BY + 1] = {[PICS_INSTRUCTION] = "instruction",
						   [PICS_BLOCK] = "block",
						   [PICS_FUNCTION] = "function",
						   [PICS_PROGRAM] = "program"};

/* ---- Units ---- */

/* An instruction, and its function or page. */
struct home {
	const char *module; /* NULL: `begin` is a page */
	uint64_t begin;
	uint32_t insn;
};

static int by_home(const void *a, const void *b)
{
	const struct home *x = a, *y = b;
	int order = x->module && y->module ? strcmp(x->module, y->module) : (x->module != NULL) - (y->module != NULL);
	if (order != 0)
		return order;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->insn > y->insn) - (x->insn < y->insn);
}

static bool is_one_home(const struct home *x, const struct home *y)
{
	return x->begin == y->begin &&
	       (x->module && y->module ? strcmp(x->module, y->module) == 0 : x->module == y->module);
}

static struct home home_of(const struct stacks *s, const struct code_name *names, uint32_t insn)
{
	const struct function_place *p = &names[insn].place;
	if (p->function)
		return (struct home){p->module ? p->module : "", p->module_offset - p->function_offset, insn};
	return (struct home){NULL, s->insns[insn].pc >> PAGE_BITS, insn};
}

/* units[] are the first instruction of each function. */
static bool function_heads(const struct stacks *s, const struct code_name *names, uint32_t *units)
{
	struct home *homes = calloc(s->nr_insns + 1, sizeof(*homes));
	for (uint32_t i = 0; homes && i < s->nr_insns; i++)
		homes[i] = home_of(s, names, i);
	if (homes && s->nr_insns > 0)
		qsort(homes, s->nr_insns, sizeof(*homes), by_home);
	for (size_t i = 0; homes && i < s->nr_insns; i++)
		units[homes[i].insn] =
			i > 0 && is_one_home(&homes[i - 1], &homes[i]) ? units[homes[i - 1].insn] : homes[i].insn;
	free(homes);
	return homes != NULL;
}

/* From heads to numbers in their order: a head precedes the rest of its unit. */
static size_t number(uint32_t *units, size_t nr)
{
	uint32_t next = 0;
	for (uint32_t i = 0; i < nr; i++)
		units[i] = units[i] == i ? next++ : units[units[i]];
	return next;
}

bool pics_units(const struct stacks *s, const struct code_name *names, enum pics_by by, uint32_t *units, size_t *nr)
{
	for (uint32_t i = 0; i < s->nr_insns; i++)
		units[i] = by == PICS_PROGRAM ? 0 : i;
	*nr = by == PICS_PROGRAM && s->nr_insns > 0 ? 1 : s->nr_insns;
	if (by == PICS_FUNCTION) {
		if (!function_heads(s, names, units))
			return false;
		*nr = number(units, s->nr_insns);
	} else if (by == PICS_BLOCK) {
		stack_blocks(s, units);
		*nr = s->nr_insns > 0 ? (size_t)units[s->nr_insns - 1] + 1 : 0;
	}
	return true;
}

enum sahm_status pics_names(struct code_names *n, const struct stacks *s, struct code_name *out, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < s->nr_insns && status == SAHM_OK; i++)
		status = code_names_of(n, s->insns[i].pc, s->insns[i].length, &out[i], err);
	return status;
}

/* ---- Parts ---- */

static int by_unit(const void *a, const void *b)
{
	const struct pics_part *x = a, *y = b;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

static int by_height(const void *a, const void *b)
{
	const struct pics_part *x = a, *y = b;
	if (x->unit != y->unit || x->cycles == y->cycles)
		return by_unit(a, b);
	return x->cycles > y->cycles ? -1 : 1;
}

void pics_sort_parts(struct pics_part *parts, size_t nr)
{
	if (nr > 0)
		qsort(parts, nr, sizeof(*parts), by_height);
}

static size_t merge(struct pics_part *parts, size_t nr)
{
	size_t kept = 0;
	if (nr > 0)
		qsort(parts, nr, sizeof(*parts), by_unit);
	for (size_t i = 0; i < nr; i++)
		if (kept > 0 && by_unit(&parts[kept - 1], &parts[i]) == 0) {
			parts[kept - 1].cycles += parts[i].cycles;
			parts[kept - 1].executions += parts[i].executions;
		} else {
			parts[kept++] = parts[i];
		}
	return kept;
}

/* Takes parts->parts[nr], in any order and of a signature several. */
static bool index_parts(struct pics_parts *p, size_t nr, size_t nr_units)
{
	p->nr_units = nr_units;
	p->first = calloc(nr_units + 1, sizeof(*p->first));
	if (!p->first)
		return false;
	nr = merge(p->parts, nr);
	pics_sort_parts(p->parts, nr);
	for (size_t i = 0; i < nr; i++)
		p->first[p->parts[i].unit + 1] = i + 1;
	for (size_t u = 0; u < nr_units; u++)
		if (p->first[u + 1] < p->first[u])
			p->first[u + 1] = p->first[u];
	return true;
}

bool pics_parts_of_profile(const struct stack_profile *profile, const uint32_t *units, size_t nr_units, unsigned events,
			   struct pics_parts *out)
{
	*out = (struct pics_parts){.parts = calloc(profile->nr + 1, sizeof(*out->parts))};
	for (size_t i = 0; out->parts && i < profile->nr; i++) {
		const struct stack_weight *w = &profile->weights[i];
		out->parts[i] = (struct pics_part){
			.unit = units[w->insn], .signature = (uint16_t)(w->signature & events), .cycles = w->weight};
	}
	return out->parts && index_parts(out, profile->nr, nr_units);
}

void pics_parts_release(struct pics_parts *p)
{
	free(p->parts);
	free(p->first);
	*p = (struct pics_parts){0};
}

static bool parts_of_cells(struct pics_view *v)
{
	const struct stacks *s = v->stacks;
	struct pics_parts *p = &v->parts;
	p->parts = calloc(s->nr_cells + 1, sizeof(*p->parts));
	for (size_t i = 0; p->parts && i < s->nr_cells; i++) {
		const struct stack_cell *c = &s->cells[i];
		p->parts[i] = (struct pics_part){v->unit_of[c->insn], c->signature, c->cycles, c->executions};
	}
	return p->parts && index_parts(p, s->nr_cells, v->nr);
}

/* ---- The view ---- */

static int highest_first(const void *a, const void *b)
{
	const struct pics_unit *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return (x->insn > y->insn) - (x->insn < y->insn);
}

/* Units in the order of their first instructions. */
static void add_up(struct pics_view *v)
{
	const struct stacks *s = v->stacks;
	for (uint32_t i = 0; i < s->nr_insns; i++) {
		struct pics_unit *u = &v->units[v->unit_of[i]];
		u->insn = u->nr_insns++ == 0 ? i : u->insn;
	}
	for (size_t i = 0; i < s->nr_cells; i++) {
		struct pics_unit *u = &v->units[v->unit_of[s->cells[i].insn]];
		u->cycles += s->cells[i].cycles;
		u->executions += s->cells[i].executions;
	}
}

static bool order(struct pics_view *v)
{
	uint32_t *places = calloc(v->nr + 1, sizeof(*places)), *of = v->unit_of;
	if (!places)
		return false;
	qsort(v->units, v->nr, sizeof(*v->units), highest_first);
	for (uint32_t i = 0; i < v->nr; i++)
		places[of[v->units[i].insn]] = i;
	for (size_t i = 0; i < v->stacks->nr_insns; i++)
		of[i] = places[of[i]];
	free(places);
	return true;
}

bool pics_view_init(struct pics_view *v, const struct stacks *s, const struct code_name *names, enum pics_by by)
{
	*v = (struct pics_view){.stacks = s, .names = names, .by = by};
	v->unit_of = calloc(s->nr_insns + 1, sizeof(*v->unit_of));
	if (!v->unit_of || !pics_units(s, names, by, v->unit_of, &v->nr))
		return false;
	v->units = calloc(v->nr + 1, sizeof(*v->units));
	if (!v->units)
		return false;
	add_up(v);
	return order(v) && parts_of_cells(v);
}

void pics_view_release(struct pics_view *v)
{
	free(v->unit_of);
	free(v->units);
	pics_parts_release(&v->parts);
}

size_t pics_view_rest(const struct pics_view *v, size_t from, struct pics_part *sums)
{
	size_t nr = 0;
	for (unsigned i = 0; i < NR_SIGNATURES; i++)
		sums[i] = (struct pics_part){.signature = (uint16_t)i};
	for (size_t i = v->parts.first[from]; i < v->parts.first[v->nr]; i++) {
		const struct pics_part *p = &v->parts.parts[i];
		sums[p->signature].cycles += p->cycles;
		sums[p->signature].executions += p->executions;
	}
	for (unsigned i = 0; i < NR_SIGNATURES; i++)
		if (sums[i].executions > 0)
			sums[nr++] = sums[i];
	pics_sort_parts(sums, nr);
	return nr;
}

/* ---- Text ---- */

void pics_cycles(struct textbuf *out, uint64_t cycles, unsigned units)
{
	uint64_t whole = cycles / units, hundredths = (cycles % units * 200 + units) / (2 * (uint64_t)units);
	textbuf_printf(out, "%" PRIu64 ".%02" PRIu64, whole + hundredths / 100, hundredths % 100);
}

void pics_difference(struct textbuf *out, int64_t cycles, unsigned units)
{
	textbuf_puts(out, cycles < 0 ? "-" : "+");
	pics_cycles(out, cycles < 0 ? -(uint64_t)cycles : (uint64_t)cycles, units);
}

void pics_place(const struct code_name *name, bool has_offset, struct textbuf *out)
{
	const struct function_place *p = &name->place;
	if (p->function && has_offset)
		textbuf_printf(out, "%s+0x%" PRIx64, p->function, p->function_offset);
	else if (p->function)
		textbuf_puts(out, p->function);
	else if (p->module)
		textbuf_printf(out, "%s+0x%" PRIx64, base_name(p->module), p->module_offset);
}

/* ---- Errors ---- */

bool pics_grains_init(struct pics_grains *g, const struct stacks *s, const struct code_name *names)
{
	size_t nr;
	bool ok = true;
	for (unsigned by = 0; by < NR_PICS_BY && ok; by++) {
		g->units[by] = calloc(s->nr_insns + 1, sizeof(*g->units[by]));
		ok = g->units[by] && pics_units(s, names, (enum pics_by)by, g->units[by], &nr);
	}
	return ok;
}

void pics_grains_release(struct pics_grains *g)
{
	for (unsigned by = 0; by < NR_PICS_BY; by++)
		free(g->units[by]);
}

bool pics_errors(const struct stack_profile *exact, const struct stack_profile *sampled, const struct pics_grains *g,
		 unsigned events, double *errors)
{
	bool ok = true;
	for (unsigned by = 0; by < NR_PICS_BY && ok; by++)
		ok = stack_error(exact, sampled, g->units[by], events, &errors[by]);
	return ok;
}
