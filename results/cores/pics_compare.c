#include "results/cores/pics_compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/cores/pics_internal.h"
#include "sim/base/file.h"

/* ---- Matching ---- */

/* By which code of two profiles matches. */
enum key_kind { KEY_PC, KEY_FUNCTION, KEY_FILE };

struct key {
	enum key_kind kind;
	const char *name;   /* of the function or file */
	uint64_t offset;    /* in it; 0: of a whole function */
	const char *module; /* path */
	bool is_readable;   /* the file is there, as it was */
	const char *text;   /* NULL: any */
	const struct stack_insn *insn;
	uint64_t pc; /* where it is, of those alike */
	size_t unit;
};

static int by_code(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	int order = strcmp(x->name, y->name);
	if (order != 0)
		return order;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_key(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = by_code(a, b);
	if (order == 0)
		order = strcmp(x->module, y->module);
	return order != 0 ? order : (x->pc > y->pc) - (x->pc < y->pc);
}

static struct key key_of(const struct pics_view *v, size_t unit, bool same_stream)
{
	const uint32_t insn = v->units[unit].insn;
	const struct code_name *n = &v->names[insn];
	const bool is_insn = v->by == PICS_INSTRUCTION;
	/* Of code in no function, a unit is a page. */
	const uint64_t kept = is_insn || same_stream ? ~UINT64_C(0) : ~UINT64_C(0xfff);
	struct key k = {.name = "",
			.module = n->place.module ? n->place.module : "",
			.is_readable = n->place.is_readable,
			.text = is_insn ? n->text : NULL,
			.insn = &v->stacks->insns[insn],
			.pc = v->stacks->insns[insn].pc,
			.unit = unit};
	if (same_stream || !n->place.module) {
		k.offset = k.pc & kept;
	} else if (n->place.function) {
		k.kind = KEY_FUNCTION;
		k.name = n->place.function;
		k.offset = is_insn ? n->place.function_offset : 0;
	} else {
		k.kind = KEY_FILE;
		k.name = base_name(k.module);
		k.offset = n->place.module_offset & kept;
	}
	return k;
}

static struct key *make_keys(const struct pics_view *v, bool same_stream)
{
	struct key *keys = calloc(v->nr + 1, sizeof(*keys));
	for (size_t i = 0; keys && i < v->nr; i++)
		keys[i] = key_of(v, i, same_stream);
	if (keys && v->nr > 0)
		qsort(keys, v->nr, sizeof(*keys), by_key);
	return keys;
}

/* Whether code at equal places is the same: a file that has changed can have other code there. */
static bool is_same_code(const struct key *a, const struct key *b, enum pics_by by)
{
	if (a->is_readable && b->is_readable && strcmp(a->module, b->module) == 0)
		return true;
	if (by != PICS_INSTRUCTION)
		return a->kind != KEY_FILE;
	if (a->kind == KEY_PC)
		return a->insn->class == b->insn->class && a->insn->length == b->insn->length;
	return a->text && b->text && strcmp(a->text, b->text) == 0;
}

/* Pairs keys of equal code, first those in files of one name: several functions can have the same. */
static void pair(const struct key *a, size_t nr_a, const struct key *b, size_t nr_b, enum pics_by by, size_t *partners)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < nr_a; i++)
			for (size_t k = 0; k < nr_b && partners[a[i].unit] == SIZE_MAX; k++) {
				bool is_taken = false;
				for (size_t n = 0; n < nr_a; n++)
					is_taken |= partners[a[n].unit] == b[k].unit;
				if (!is_taken && is_same_code(&a[i], &b[k], by) &&
				    (pass == 1 || strcmp(base_name(a[i].module), base_name(b[k].module)) == 0))
					partners[a[i].unit] = b[k].unit;
			}
}

static size_t group_end(const struct key *keys, size_t nr, size_t at)
{
	size_t end = at + 1;
	while (end < nr && by_code(&keys[at], &keys[end]) == 0)
		end++;
	return end;
}

/* partners[views[A].nr] become units of B, or SIZE_MAX. */
static void match(const struct pics_changes *c, const struct key *a, const struct key *b, size_t *partners)
{
	size_t nr_a = c->views[SIDE_A].nr, nr_b = c->views[SIDE_B].nr;
	for (size_t i = 0; i < nr_a; i++)
		partners[i] = SIZE_MAX;
	for (size_t i = 0, k = 0; i < nr_a && k < nr_b;) {
		int order = by_code(&a[i], &b[k]);
		size_t end_a = group_end(a, nr_a, i), end_b = group_end(b, nr_b, k);
		if (order == 0)
			pair(&a[i], end_a - i, &b[k], end_b - k, c->views[SIDE_A].by, partners);
		i = order <= 0 ? end_a : i;
		k = order >= 0 ? end_b : k;
	}
}

/* ---- Changes ---- */

static uint64_t magnitude(int64_t difference)
{
	return difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
}

static int largest_first(const void *a, const void *b)
{
	const struct pics_change *x = a, *y = b;
	uint64_t p = magnitude(x->difference), q = magnitude(y->difference);
	if (p != q)
		return p > q ? -1 : 1;
	for (enum pics_side s = 0; s < NR_SIDES; s++)
		if (x->unit[s] != y->unit[s])
			return x->unit[s] < y->unit[s] ? -1 : 1;
	return 0;
}

static void add_change(const struct pics_comparison *c, struct pics_changes *changes, size_t a, size_t b)
{
	struct pics_change *x = &changes->changes[changes->nr++];
	*x = (struct pics_change){.unit = {a, b}};
	for (enum pics_side s = 0; s < NR_SIDES; s++)
		if (x->unit[s] != SIZE_MAX)
			x->cycles[s] = changes->views[s].units[x->unit[s]].cycles * c->factor[s];
	x->difference = (int64_t)(x->cycles[SIDE_B] - x->cycles[SIDE_A]);
}

static bool list_changes(const struct pics_comparison *c, struct pics_changes *changes, const size_t *partners)
{
	size_t nr_a = changes->views[SIDE_A].nr, nr_b = changes->views[SIDE_B].nr;
	bool *is_matched = calloc(nr_b + 1, sizeof(*is_matched));
	changes->changes = calloc(nr_a + nr_b + 1, sizeof(*changes->changes));
	if (!is_matched || !changes->changes) {
		free(is_matched);
		return false;
	}
	for (size_t i = 0; i < nr_a; i++) {
		add_change(c, changes, i, partners[i]);
		if (partners[i] != SIZE_MAX)
			is_matched[partners[i]] = true;
	}
	for (size_t i = 0; i < nr_b; i++)
		if (!is_matched[i])
			add_change(c, changes, SIZE_MAX, i);
	free(is_matched);
	if (changes->nr > 0)
		qsort(changes->changes, changes->nr, sizeof(*changes->changes), largest_first);
	return true;
}

static bool find_changes(const struct pics_comparison *c, enum pics_by by, struct pics_changes *changes)
{
	bool same_stream = strcmp(c->sides[SIDE_A].run->stream, c->sides[SIDE_B].run->stream) == 0, ok = true;
	struct key *keys[NR_SIDES] = {NULL};
	for (enum pics_side s = 0; s < NR_SIDES && ok; s++) {
		ok = pics_view_init(&changes->views[s], c->sides[s].stacks, c->sides[s].names, by);
		keys[s] = ok ? make_keys(&changes->views[s], same_stream) : NULL;
		ok = keys[s] != NULL;
	}
	size_t *partners = ok ? calloc(changes->views[SIDE_A].nr + 1, sizeof(*partners)) : NULL;
	if (partners)
		match(changes, keys[SIDE_A], keys[SIDE_B], partners);
	ok = partners && list_changes(c, changes, partners);
	free(partners);
	free(keys[SIDE_A]);
	free(keys[SIDE_B]);
	return ok;
}

static unsigned common_units(unsigned a, unsigned b)
{
	unsigned x = a, y = b;
	while (y > 0) {
		unsigned rest = x % y;
		x = y;
		y = rest;
	}
	return a / x * b;
}

enum sahm_status pics_comparison_init(struct pics_comparison *c, const struct pics_result *a,
				      const struct pics_result *b, uint64_t top, struct sahm_err *err)
{
	*c = (struct pics_comparison){
		.sides = {*a, *b}, .units = common_units(a->stacks->units, b->stacks->units), .top = top};
	for (enum pics_side s = 0; s < NR_SIDES; s++) {
		c->factor[s] = c->units / c->sides[s].stacks->units;
		if (__builtin_mul_overflow(c->sides[s].stacks->cycles, c->units, &c->total[s]) ||
		    c->total[s] > INT64_MAX)
			return sahm_fail(err, SAHM_RANGE, "%s: %" PRIu64 " cycles are too many to compare",
					 c->sides[s].run->stream, c->sides[s].stacks->cycles);
	}
	return find_changes(c, PICS_FUNCTION, &c->functions) && find_changes(c, PICS_INSTRUCTION, &c->instructions)
		       ? SAHM_OK
		       : sahm_fail_nomem(err);
}

static void release_changes(struct pics_changes *c)
{
	for (enum pics_side s = 0; s < NR_SIDES; s++)
		pics_view_release(&c->views[s]);
	free(c->changes);
}

void pics_comparison_release(struct pics_comparison *c)
{
	release_changes(&c->functions);
	release_changes(&c->instructions);
}

/* ---- Signatures ---- */

static int largest_delta_first(const void *a, const void *b)
{
	const struct pics_delta *x = a, *y = b;
	uint64_t p = magnitude(x->difference), q = magnitude(y->difference);
	if (p != q)
		return p > q ? -1 : 1;
	if (x->cycles[SIDE_A] != y->cycles[SIDE_A])
		return x->cycles[SIDE_A] > y->cycles[SIDE_A] ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

size_t pics_deltas(const struct pics_comparison *c, const struct pics_changes *changes, size_t from, size_t to,
		   struct pics_delta *deltas)
{
	bool is_there[NR_SIGNATURES] = {false};
	size_t nr = 0;
	for (unsigned i = 0; i < NR_SIGNATURES; i++)
		deltas[i] = (struct pics_delta){.signature = (uint16_t)i};
	for (size_t i = from; i < to; i++)
		for (enum pics_side s = 0; s < NR_SIDES; s++) {
			const struct pics_parts *parts = &changes->views[s].parts;
			size_t unit = changes->changes[i].unit[s];
			for (size_t k = unit == SIZE_MAX ? 0 : parts->first[unit];
			     unit != SIZE_MAX && k < parts->first[unit + 1]; k++) {
				deltas[parts->parts[k].signature].cycles[s] += parts->parts[k].cycles * c->factor[s];
				is_there[parts->parts[k].signature] = true;
			}
		}
	for (unsigned i = 0; i < NR_SIGNATURES; i++)
		if (is_there[i]) {
			deltas[nr] = deltas[i];
			deltas[nr].difference = (int64_t)(deltas[nr].cycles[SIDE_B] - deltas[nr].cycles[SIDE_A]);
			nr++;
		}
	qsort(deltas, nr, sizeof(*deltas), largest_delta_first);
	return nr;
}
