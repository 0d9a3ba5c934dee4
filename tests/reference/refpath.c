#include "tests/reference/refpath.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint64_t refpath_edge_cycles(const struct refpath_edge *e)
{
	uint64_t cycles = 0;
	for (unsigned k = 0; k < e->nr_parts; k++)
		cycles += e->parts[k].cycles;
	return cycles;
}

static uint64_t stamp_of(const struct refpath_vertex *v, const struct uop_stamps *s)
{
	switch (v->kind) {
	case REFPATH_F:
		return s->fetch;
	case REFPATH_D:
		return s->dispatch;
	case REFPATH_E:
		return s->issue;
	case REFPATH_X:
		return s->complete;
	case REFPATH_C:
		return s->commit;
	case REFPATH_S:
		return s->drain;
	default:
		return v->time; /* has none */
	}
}

const struct refpath_vertex *refpath_differs(const struct refpath *g, const struct uop_stamps *stamps)
{
	for (size_t v = 0; v < g->nr_vertices; v++)
		if (stamp_of(&g->vertices[v], &stamps[g->vertices[v].uop]) != g->vertices[v].time)
			return &g->vertices[v];
	return NULL;
}

/* The bound that gave the time of a vertex, of equal ones the last. */
static size_t winner(const struct refpath *g, const struct refpath_vertex *v)
{
	size_t e = v->first + v->nr;
	assert(v->nr > 0);
	do
		e--;
	while (g->vertices[g->edges[e].from].time + refpath_edge_cycles(&g->edges[e]) != v->time);
	return e;
}

static bool sums_add(struct refpath_sums *sums, const struct path_edge *one)
{
	if (sums->nr == sums->room) {
		size_t room = sums->room ? sums->room * 2 : 1024;
		struct path_edge *list = realloc(sums->list, room * sizeof(*list));
		if (!list)
			return false;
		sums->list = list;
		sums->room = room;
	}
	sums->list[sums->nr++] = *one;
	return true;
}

/* Costs of an instruction's line belong to that instruction, whatever its fetch waited for before. */
static bool is_of_line(unsigned cause)
{
	return (cause >= PATH_FETCH_L1 && cause <= PATH_FETCH_MEMORY) || cause == PATH_ITLB;
}

bool refpath_walk(const struct refpath *g, size_t first, size_t end, struct path_counts *counts,
		  struct refpath_sums *sums)
{
	uint64_t start = first > 0 ? g->vertices[g->commits[first - 1]].time : 0;
	const struct refpath_vertex *v = &g->vertices[g->commits[end - 1]];
	bool after_hit = false;
	counts->windows++;
	counts->cycles[PATH_COMMIT] += first == 0;
	uint64_t last_pc = g->uops[end - 1].pc;
	if (sums && first == 0 && !sums_add(sums, &(struct path_edge){last_pc, last_pc, PATH_COMMIT, 1, 1}))
		return false;
	while (v->time > start) {
		const struct refpath_edge *e = &g->edges[winner(g, v)];
		const struct refpath_vertex *from = &g->vertices[e->from];
		uint64_t at = v->time;
		for (unsigned k = e->nr_parts; k-- > 0 && at > start;) {
			uint64_t cycles = e->parts[k].cycles < at - start ? e->parts[k].cycles : at - start;
			uint32_t cause = v->kind == REFPATH_FILL && after_hit ? PATH_DATA_LINE : e->parts[k].cause;
			uint64_t to_pc = g->uops[v->uop].pc,
				 from_pc = is_of_line(cause) ? to_pc : g->uops[from->uop].pc;
			at -= cycles;
			counts->cycles[cause] += cycles;
			if (sums && !sums_add(sums, &(struct path_edge){from_pc, to_pc, cause, cycles, 1}))
				return false;
		}
		after_hit = e->is_hit;
		v = from;
	}
	return true;
}

void refpath_mark_loads(const struct refpath *g, size_t first, size_t end, bool *loads)
{
	uint64_t start = first > 0 ? g->vertices[g->commits[first - 1]].time : 0;
	for (const struct refpath_vertex *v = &g->vertices[g->commits[end - 1]]; v->time > start;) {
		const struct refpath_vertex *from = &g->vertices[g->edges[winner(g, v)].from];
		bool is_operand = v->kind == REFPATH_BOUND && from->kind == REFPATH_X && from->uop != v->uop;
		if (is_operand && g->uops[from->uop].class == INSN_LOAD)
			loads[from->uop] = true;
		v = from;
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_names(const void *a, const void *b)
{
	const struct path_edge *x = a, *y = b;
	int order = compare_numbers(x->from_pc, y->from_pc);
	order = order ? order : compare_numbers(x->to_pc, y->to_pc);
	return order ? order : compare_numbers(x->cause, y->cause);
}

static int compare_cycles(const void *a, const void *b)
{
	const struct path_edge *x = a, *y = b;
	int order = compare_numbers(y->cycles, x->cycles);
	return order ? order : compare_names(a, b);
}

void refpath_sums_sort(struct refpath_sums *sums)
{
	size_t nr = 0;
	if (sums->nr == 0)
		return;
	qsort(sums->list, sums->nr, sizeof(*sums->list), compare_names);
	for (size_t i = 1; i < sums->nr; i++) {
		if (compare_names(&sums->list[nr], &sums->list[i]) == 0) {
			sums->list[nr].cycles += sums->list[i].cycles;
			sums->list[nr].times += sums->list[i].times;
		} else {
			sums->list[++nr] = sums->list[i];
		}
	}
	sums->nr = nr + 1;
	qsort(sums->list, sums->nr, sizeof(*sums->list), compare_cycles);
}

void refpath_mark(const struct refpath *g, bool *on_path)
{
	memset(on_path, 0, g->nr_edges * sizeof(*on_path));
	for (const struct refpath_vertex *v = &g->vertices[g->commits[g->nr_uops - 1]]; v->nr > 0;) {
		size_t e = winner(g, v);
		on_path[e] = true;
		v = &g->vertices[g->edges[e].from];
	}
}

uint64_t refpath_last_commit(const struct refpath *g, size_t edge, int64_t more, uint64_t *times)
{
	for (size_t v = 0; v < g->nr_vertices; v++) {
		const struct refpath_vertex *vertex = &g->vertices[v];
		times[v] = 0;
		for (size_t e = vertex->first; e < vertex->first + vertex->nr; e++) {
			uint64_t time = times[g->edges[e].from] + refpath_edge_cycles(&g->edges[e]);
			if (e == edge)
				time += (uint64_t)more;
			times[v] = time > times[v] ? time : times[v];
		}
	}
	return times[g->commits[g->nr_uops - 1]];
}
