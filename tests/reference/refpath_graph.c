/* Makes the graph of refpath.h: goes through a program in program order, and gives each uop its vertices. */
#include <assert.h>
#include <stdlib.h>

#include "tests/reference/refcycle_issue.h"
#include "tests/reference/refpath.h"

/* Vertices of a uop. */
struct vertices {
	size_t fetch, dispatch, issue, complete, commit, drain;
};

/* The fill of a line of instructions: `cycles` after the F that requested it. */
struct code_fill {
	size_t fetch;
	uint32_t cycles;
};

struct redirect {
	size_t from; /* vertex */
	uint32_t cycles, cause;
};

/* Uops that take something held, in order. */
struct holders {
	size_t *uops, nr;
};

struct builder {
	struct refcycle_program p;
	const struct core_timing *t;
	struct refpath *g;
	size_t vertices_room, edges_room;
	bool is_in_order;

	struct vertices *of;					      /* [nr] uops */
	struct refcycle_last fetched, dispatched, committed, drained; /* dispatched: out-of-order */
	struct refcycle_issue issue;

	struct code_fill *l1i; /* ring of fills */
	size_t *l1d;	       /* ring of fills: vertices */

	struct redirect *redirects;			      /* [3 * nr] */
	size_t nr_redirects, last_redirects, latest_redirect; /* those of the last instruction; ends last, or NONE */
	size_t taken;					      /* the last taken branch: uop, or NONE */

	struct holders integers, fps, loads, stores;
	bool table[VIOLATION_BITS]; /* loads that violated, by pc */
	size_t stores_known;	    /* vertex: the X of all stores so far, or NONE */
	size_t unblocked;	    /* in-order, vertex: all fills that block, or NONE */
	size_t mshrs[MAX_MSHRS];    /* vertices: the last fill of each, or NONE */
	size_t bus;		    /* vertex: the last start of a transfer on the bus, or NONE */
	uint32_t bus_cycles;	    /* that it takes the bus */
};

/* ---- Vertices and edges ---- */

static uint64_t time_of(const struct builder *b, size_t vertex)
{
	return b->g->vertices[vertex].time;
}

/* Makes room for what a uop can add. */
static bool has_room(struct builder *b)
{
	struct refpath *g = b->g;
	size_t nr_vertices = g->nr_vertices + 20 + 2 * (1 + MAX_UOP_PREFETCHES);
	size_t nr_edges = g->nr_edges + 60 + 5 * (1 + MAX_UOP_PREFETCHES) + b->nr_redirects - b->last_redirects;
	if (nr_vertices > b->vertices_room) {
		struct refpath_vertex *vertices = realloc(g->vertices, 2 * nr_vertices * sizeof(*vertices));
		if (!vertices)
			return false;
		g->vertices = vertices;
		b->vertices_room = 2 * nr_vertices;
	}
	if (nr_edges > b->edges_room) {
		struct refpath_edge *edges = realloc(g->edges, 2 * nr_edges * sizeof(*edges));
		if (!edges)
			return false;
		g->edges = edges;
		b->edges_room = 2 * nr_edges;
	}
	return true;
}

/* A new vertex, to which the edges that follow lead. */
static size_t add_vertex(struct builder *b, enum refpath_kind kind, size_t uop)
{
	struct refpath *g = b->g;
	assert(g->nr_vertices < b->vertices_room);
	g->vertices[g->nr_vertices] = (struct refpath_vertex){.kind = kind, .uop = uop, .first = g->nr_edges};
	return g->nr_vertices++;
}

/* Makes the last edge longer, for a cause that comes after those that it has. */
static void then(struct builder *b, uint64_t cycles, unsigned cause)
{
	struct refpath *g = b->g;
	struct refpath_edge *e = &g->edges[g->nr_edges - 1];
	struct refpath_vertex *v = &g->vertices[g->nr_vertices - 1];
	if (cycles > 0) {
		assert(e->nr_parts < REFPATH_PARTS);
		e->parts[e->nr_parts++] = (struct refpath_part){(uint32_t)cycles, cause};
	}
	v->time = later(v->time, time_of(b, e->from) + refpath_edge_cycles(e));
}

/* A bound on the last vertex. A cause is needed only if it takes cycles. */
static void edge(struct builder *b, size_t from, uint64_t cycles, unsigned cause)
{
	struct refpath *g = b->g;
	assert(from < g->nr_vertices - 1 && g->nr_edges < b->edges_room);
	g->edges[g->nr_edges++] = (struct refpath_edge){.from = from};
	g->vertices[g->nr_vertices - 1].nr++;
	then(b, cycles, cause);
}

static void edge_at_once(struct builder *b, size_t from)
{
	edge(b, from, 0, NR_PATH_CAUSES);
}

/* A vertex in the same cycle as the last one, or in the next one if that cycle is full. */
static size_t add_in_order(struct builder *b, enum refpath_kind kind, size_t i, struct refcycle_last *last,
			   unsigned width, unsigned cause)
{
	size_t bound = b->g->nr_vertices - 1;
	uint64_t from = time_of(b, bound), at = refcycle_first_in_order(last, width, from);
	size_t vertex = add_vertex(b, kind, i);
	edge(b, bound, at - from, cause);
	refcycle_take_in_order(last, at);
	return vertex;
}

/* The later one of a vertex and what was *latest so far, of equal ones the vertex. */
static void add_latest(struct builder *b, size_t *latest, size_t i, size_t vertex)
{
	size_t both = add_vertex(b, REFPATH_LATEST, i);
	if (*latest != NONE)
		edge_at_once(b, *latest);
	edge_at_once(b, vertex);
	*latest = both;
}

/* ---- Fetch ---- */

/* What a new line adds to the last edge. */
static void then_line(struct builder *b, const struct uop *u)
{
	if (u->fetch_lines == 0)
		return;
	then(b, b->t->icache_cycles[u->fetch_level], PATH_FETCH_L1 + u->fetch_level);
	then(b, b->t->itlb_cycles[u->fetch_tlb], PATH_ITLB);
}

static void edge_of_redirect(struct builder *b, size_t number, const struct uop *u)
{
	const struct redirect *r = &b->redirects[number];
	edge(b, r->from, r->cycles, r->cause);
	then_line(b, u);
}

/* Redirects of older instructions, but for the latest one, have moved F of the instruction before. */
static void edges_of_redirects(struct builder *b, const struct uop *u)
{
	for (size_t r = b->last_redirects; r < b->nr_redirects; r++)
		if (r != b->latest_redirect)
			edge_of_redirect(b, r, u);
	if (b->latest_redirect != NONE)
		edge_of_redirect(b, b->latest_redirect, u);
	b->last_redirects = b->nr_redirects;
}

static void enter_code_fills(struct builder *b, size_t k)
{
	const struct refcycle_program *p = &b->p;
	for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
		const struct uop *u = &p->uops[i];
		struct code_fill *entry = &b->l1i[p->links[i].l1i];
		size_t vertex = b->of[p->first[k]].fetch;
		if (i == p->first[k] && u->fetch_level != LEVEL_L1)
			for (unsigned n = 0; n < u->fetch_fills; n++)
				*entry++ = (struct code_fill){vertex, 0};
		for (unsigned n = 0; n < u->nr_prefetches; n++) {
			const struct uop_prefetch *f = &p->prefetches[p->links[i].prefetch + n];
			if (f->target == PREFETCH_L1I)
				*entry++ = (struct code_fill){vertex, b->t->icache_cycles[f->level]};
		}
	}
}

/* F of instruction k. */
static void add_fetch(struct builder *b, size_t k)
{
	const struct refcycle_program *p = &b->p;
	size_t i = p->first[k], buffer = b->t->fetch_buffer;
	const struct uop *u = &p->uops[i];
	uint64_t full = refcycle_first_in_order(&b->fetched, b->t->fetch_width, b->fetched.cycle) - b->fetched.cycle;
	size_t vertex = add_vertex(b, REFPATH_F, i);
	/* The vertex before all others is the beginning. */
	edge(b, k > 0 ? b->of[i - 1].fetch : 0, full, PATH_FETCH_WIDTH);
	then_line(b, u);
	edges_of_redirects(b, u);
	if (b->taken != NONE) {
		edge(b, b->of[b->taken].fetch, 1, PATH_TAKEN_BRANCH);
		then(b, p->uops[b->taken].flags & UOP_BTB_MISS ? b->t->btb_miss_cycles : 0, PATH_BTB);
		then_line(b, u);
	}
	if (k >= buffer) {
		const struct vertices *left = &b->of[p->first[k - buffer + 1] - 1];
		edge(b, b->is_in_order ? left->issue : left->dispatch, 1, PATH_FETCH_BUFFER);
		then_line(b, u);
	}
	if (u->fetch_lines > 0 && p->links[i].l1i_named != NONE) {
		const struct code_fill *fill = &b->l1i[p->links[i].l1i_named];
		edge(b, fill->fetch, fill->cycles, PATH_FETCH_LINE);
	}
	refcycle_take_in_order(&b->fetched, time_of(b, vertex));
	for (size_t j = i; j < p->first[k + 1]; j++)
		b->of[j].fetch = vertex;
	enter_code_fills(b, k);
}

/* ---- Dispatch ---- */

/* The uop that gives its entry, where older uops hold all. */
static size_t giver(const struct holders *h, size_t entries)
{
	return h->nr < entries ? NONE : h->uops[h->nr - entries];
}

static void edge_of_release(struct builder *b, size_t uop, unsigned cause)
{
	if (uop != NONE)
		edge(b, cause == PATH_STORE_QUEUE ? b->of[uop].drain : b->of[uop].commit, 1, cause);
}

static void edge_of_register(struct builder *b, const struct uop *u)
{
	bool is_fp = uop_register_is_fp(u->destination);
	unsigned registers = is_fp ? b->t->fp_registers : b->t->int_registers;
	if (registers > 0)
		edge_of_release(b, giver(is_fp ? &b->fps : &b->integers, registers - ARCHITECTURAL_REGISTERS),
				is_fp ? PATH_FP_REGISTERS : PATH_INT_REGISTERS);
}

/* If the queue of uop i has no room at the bound so far. */
static void edge_of_queue(struct builder *b, size_t i)
{
	unsigned queue = refcycle_queue_of(b->t, &b->p.uops[i]);
	uint64_t from = time_of(b, b->g->nr_vertices - 1), at = refcycle_find_room(&b->issue, &b->p.uops[i], from);
	if (at == from || b->issue.has_failed)
		return;
	size_t j = i;
	do {
		assert(j > 0);
		j--;
	} while (refcycle_queue_of(b->t, &b->p.uops[j]) != queue || time_of(b, b->of[j].issue) != at - 1);
	edge(b, b->of[j].issue, 1, PATH_QUEUE + queue);
}

/* D of uop i. */
static void add_dispatch(struct builder *b, size_t i)
{
	const struct core_timing *t = b->t;
	const struct uop *u = &b->p.uops[i];
	size_t bound = add_vertex(b, b->is_in_order ? REFPATH_D : REFPATH_BOUND, i);
	edge(b, b->of[i].fetch, t->decode_cycles, PATH_DECODE);
	if (i > 0)
		edge_at_once(b, b->of[i - 1].dispatch);
	if (!b->is_in_order) {
		edge_of_release(b, i >= t->rob ? i - t->rob : NONE, PATH_ROB);
		if (u->destination != NO_REGISTER)
			edge_of_register(b, u);
		if (is_load(u))
			edge_of_release(b, giver(&b->loads, t->load_queue), PATH_LOAD_QUEUE);
	}
	if (is_store(u))
		edge_of_release(b, giver(&b->stores, t->store_queue), PATH_STORE_QUEUE);
	if (i > 0 && is_serializing(t, u) && u->flags & UOP_FIRST)
		edge_of_release(b, i - 1, PATH_SERIALIZE);
	b->of[i].dispatch = bound;
	if (b->is_in_order)
		return;
	edge_of_queue(b, i);
	b->of[i].dispatch = add_in_order(b, REFPATH_D, i, &b->dispatched, t->dispatch_width, PATH_DISPATCH_WIDTH);
}

/* ---- Issue ---- */

static uint64_t find_issue(struct builder *b, size_t i, uint64_t at, uint16_t *unit)
{
	if (b->unblocked != NONE)
		at = later(at, time_of(b, b->unblocked));
	return refcycle_find_issue(&b->issue, &b->p.uops[i], at, unit);
}

/* Rule 3.6.3. */
static bool waits_for_stores(const struct builder *b, const struct uop *u)
{
	return is_load(u) && !b->is_in_order &&
	       (b->t->memory_order == ORDER_CONSERVATIVE ||
		(b->t->memory_order == ORDER_SPECULATIVE && b->table[u->pc % VIOLATION_BITS]));
}

/* The stores that load i waits for by its memory order. Whether it violates that. */
static bool edges_of_stores(struct builder *b, size_t i, size_t vertex)
{
	const struct uop *u = &b->p.uops[i];
	size_t store = b->p.links[i].store;
	bool waits = waits_for_stores(b, u), violates = false;
	uint16_t unit;
	if (waits && b->stores_known != NONE)
		edge_at_once(b, b->stores_known);
	if (store == NONE)
		return false;
	if (b->is_in_order || b->t->memory_order == ORDER_PERFECT) {
		edge_at_once(b, b->of[store].complete);
	} else if (!waits && find_issue(b, i, time_of(b, vertex), &unit) < time_of(b, b->of[store].complete)) {
		violates = true;
		b->table[u->pc % VIOLATION_BITS] = true;
		edge_at_once(b, b->of[store].complete);
	}
	return violates;
}

static unsigned issue_cause(const struct builder *b, const struct uop *u)
{
	return b->is_in_order ? PATH_ISSUE : PATH_ISSUE + refcycle_queue_of(b->t, u);
}

/* E of uop i. Whether it violates memory order. */
static bool add_issue(struct builder *b, size_t i)
{
	const struct core_timing *t = b->t;
	const struct uop *u = &b->p.uops[i];
	const struct refcycle_link *l = &b->p.links[i];
	uint16_t unit = 0;
	size_t bound = add_vertex(b, REFPATH_BOUND, i);
	edge(b, b->of[i].dispatch, b->is_in_order ? 0 : t->dispatch_cycles, PATH_DISPATCH);
	for (size_t s = 0; s < MAX_SOURCES; s++)
		if (l->writer[s] != NONE)
			edge_at_once(b, b->of[l->writer[s]].complete);
	bool violates = edges_of_stores(b, i, bound);
	if (b->is_in_order && i > 0)
		edge_at_once(b, b->of[i - 1].issue);
	if (l->store != NONE && !u->covers &&
	    (b->is_in_order || time_of(b, b->of[l->store].drain) >= find_issue(b, i, time_of(b, bound), &unit)))
		edge(b, b->of[l->store].drain, 1, PATH_FORWARD);
	if (b->unblocked != NONE)
		edge_at_once(b, b->unblocked);

	uint64_t from = time_of(b, bound), at = find_issue(b, i, from, &unit);
	bool has_no_slot = at > from && refcycle_has_no_slot(&b->issue, u, at - 1);
	b->of[i].issue = add_vertex(b, REFPATH_E, i);
	edge(b, bound, at - from, has_no_slot ? issue_cause(b, u) : (unsigned)PATH_UNITS + t->group[u->class]);
	refcycle_take_issue(&b->issue, u, time_of(b, b->of[i].dispatch), at, unit);
	return violates;
}

/* ---- Misses ---- */

/* The access of uop i to its line. */
static void edge_of_access(struct builder *b, size_t i)
{
	const struct uop *u = &b->p.uops[i];
	bool at_commit = is_store(u) && b->t->store_fill == FILL_AT_COMMIT;
	edge(b, at_commit ? b->of[i].commit : b->of[i].issue, b->t->dtlb_cycles[u->tlb], PATH_DTLB);
	if (is_load(u))
		then(b, b->t->l1d_cycles, PATH_DATA_L1);
}

/* Takes the bus, if the line comes over it, at the start that is the last vertex. */
static void take_bus(struct builder *b, unsigned level, bool releases)
{
	if (level != LEVEL_MEMORY || b->t->line_cycles == 0)
		return;
	if (b->bus != NONE)
		edge(b, b->bus, b->bus_cycles, PATH_BUS);
	b->bus = b->g->nr_vertices - 1;
	b->bus_cycles = (releases ? 2u : 1u) * b->t->line_cycles;
}

/* The MSHR that is free first. */
static size_t *first_mshr(struct builder *b)
{
	size_t *first = &b->mshrs[0];
	for (unsigned k = 0; k < b->t->mshrs; k++) {
		size_t *m = &b->mshrs[k];
		if (*m == NONE)
			return m;
		if (time_of(b, *m) < time_of(b, *first))
			first = m;
	}
	return first;
}

/* The youngest fill that ends when fill `vertex` does. */
static size_t youngest_fill(const struct builder *b, size_t vertex)
{
	size_t v = b->g->nr_vertices - 1;
	while (b->g->vertices[v].kind != REFPATH_FILL || time_of(b, v) != time_of(b, vertex))
		v--;
	return v;
}

/* The fill of a line for uop i. */
static size_t add_miss(struct builder *b, size_t i, unsigned level, unsigned row, bool releases)
{
	size_t *mshr = first_mshr(b), start = add_vertex(b, REFPATH_START, i);
	edge_of_access(b, i);
	if (*mshr != NONE)
		edge(b, youngest_fill(b, *mshr), 1, PATH_MSHR);
	take_bus(b, level, releases);
	*mshr = add_vertex(b, REFPATH_FILL, i);
	edge(b, start, line_latency(b->t, level, row), PATH_DATA_L1 + level);
	return *mshr;
}

static void enter_fills(struct builder *b, size_t i, size_t vertex)
{
	for (size_t n = 0; n < nr_demand_fills(&b->p.uops[i]); n++)
		b->l1d[b->p.links[i].l1d + n] = vertex;
}

static size_t add_demand(struct builder *b, size_t i)
{
	const struct uop *u = &b->p.uops[i];
	size_t fill = add_miss(b, i, u->level, u->row, u->releases);
	enter_fills(b, i, fill);
	if (b->is_in_order && b->t->is_blocking)
		add_latest(b, &b->unblocked, i, fill);
	return fill;
}

static void add_prefetches(struct builder *b, size_t i)
{
	size_t entry = b->p.links[i].l1d + nr_demand_fills(&b->p.uops[i]);
	for (unsigned n = 0; n < b->p.uops[i].nr_prefetches; n++) {
		const struct uop_prefetch *f = &b->p.prefetches[b->p.links[i].prefetch + n];
		if (f->is_code)
			continue;
		if (f->target == PREFETCH_L1D) {
			b->l1d[entry++] = add_miss(b, i, f->level, f->row, false);
		} else {
			add_vertex(b, REFPATH_START, i);
			edge_of_access(b, i);
			take_bus(b, f->level, false);
		}
	}
}

/* A bound on the last vertex, if uop i hits a line that may be on its way. */
static void edge_of_hit(struct builder *b, size_t i)
{
	size_t named = b->p.links[i].l1d_named;
	if (named == NONE)
		return;
	edge_at_once(b, b->l1d[named]);
	b->g->edges[b->g->nr_edges - 1].is_hit = true;
}

/* ---- Completion ---- */

static bool forwards(const struct builder *b, size_t i)
{
	size_t store = b->p.links[i].store;
	return store != NONE && b->p.uops[i].covers && time_of(b, b->of[store].drain) >= time_of(b, b->of[i].issue);
}

static void complete_load(struct builder *b, size_t i)
{
	const struct uop *u = &b->p.uops[i];
	if (forwards(b, i)) {
		b->of[i].complete = add_vertex(b, REFPATH_X, i);
		edge(b, b->of[i].issue, b->t->forward_cycles, PATH_FORWARD);
		enter_fills(b, i, b->of[i].complete);
	} else if (u->level == LEVEL_L1) {
		b->of[i].complete = add_vertex(b, REFPATH_X, i);
		edge_of_access(b, i);
		edge_of_hit(b, i);
	} else {
		size_t fill = add_demand(b, i);
		b->of[i].complete = add_vertex(b, REFPATH_X, i);
		edge_at_once(b, fill);
	}
	add_prefetches(b, i);
}

/* X of uop i. */
static void add_complete(struct builder *b, size_t i)
{
	const struct uop *u = &b->p.uops[i];
	if (is_load(u)) {
		complete_load(b, i);
		return;
	}
	b->of[i].complete = add_vertex(b, REFPATH_X, i);
	edge(b, b->of[i].issue, is_store(u) ? 1 : b->t->latency[u->class], PATH_LATENCY + u->class);
}

/* C of uop i. */
static void add_commit(struct builder *b, size_t i)
{
	add_vertex(b, REFPATH_BOUND, i);
	edge(b, b->of[i].complete, b->is_in_order ? 0 : b->t->commit_cycles, PATH_COMMIT);
	if (i > 0)
		edge_at_once(b, b->of[i - 1].commit);
	b->of[i].commit = b->g->commits[i] =
		add_in_order(b, REFPATH_C, i, &b->committed, b->t->commit_width, PATH_COMMIT_WIDTH);
}

/* S of store i. Its place among other misses is that of the uop, not of this cycle. */
static void add_drain(struct builder *b, size_t i)
{
	bool misses = b->p.uops[i].level != LEVEL_L1;
	size_t fill = misses ? add_demand(b, i) : NONE;
	add_prefetches(b, i);
	add_vertex(b, REFPATH_BOUND, i);
	edge(b, b->of[i].commit, 1, PATH_DRAIN);
	if (b->stores.nr > 0)
		edge_at_once(b, b->of[b->stores.uops[b->stores.nr - 1]].drain);
	if (misses)
		edge_at_once(b, fill);
	else
		edge_of_hit(b, i);
	b->of[i].drain = add_in_order(b, REFPATH_S, i, &b->drained, b->t->drain_width, PATH_DRAIN);
	add_latest(b, &b->stores_known, i, b->of[i].complete);
}

static void add_redirect(struct builder *b, size_t from, unsigned cycles, unsigned cause)
{
	size_t new = b->nr_redirects++, old = b->latest_redirect;
	b->redirects[new] = (struct redirect){from, cycles, cause};
	if (old == NONE || time_of(b, from) + cycles >= time_of(b, b->redirects[old].from) + b->redirects[old].cycles)
		b->latest_redirect = new;
}

static void add_redirects(struct builder *b, size_t i, bool violates)
{
	const struct core_timing *t = b->t;
	const struct uop *u = &b->p.uops[i];
	if (u->flags & UOP_MISPREDICTED)
		add_redirect(b, b->is_in_order ? b->of[i].issue : b->of[i].complete,
			     t->mispredict_cycles + (b->is_in_order ? t->resolve_cycles : 0u), PATH_MISPREDICT);
	if (violates || b->p.links[i].is_wrong)
		add_redirect(b, b->of[i].complete, t->flush_cycles, PATH_VIOLATION);
	if (is_serializing(t, u) && u->flags & UOP_LAST)
		add_redirect(b, b->of[i].commit, t->flush_cycles, PATH_SYSTEM);
}

/* ---- All of it ---- */

static void hold(struct holders *h, size_t i)
{
	h->uops[h->nr++] = i;
}

static void add_uop(struct builder *b, size_t i)
{
	const struct uop *u = &b->p.uops[i];
	if (i % VIOLATION_PERIOD == 0)
		for (size_t k = 0; k < VIOLATION_BITS; k++)
			b->table[k] = false;
	if (u->flags & UOP_FIRST)
		add_fetch(b, b->p.links[i].instruction);
	add_dispatch(b, i);
	bool violates = add_issue(b, i);
	add_complete(b, i);
	add_commit(b, i);
	if (is_store(u))
		add_drain(b, i);
	add_redirects(b, i, violates);
	if (u->flags & UOP_BRANCH && u->flags & UOP_TAKEN)
		b->taken = i;
	if (u->destination != NO_REGISTER)
		hold(uop_register_is_fp(u->destination) ? &b->fps : &b->integers, i);
	if (is_load(u))
		hold(&b->loads, i);
	if (is_store(u))
		hold(&b->stores, i);
}

static bool has_memory(struct builder *b, size_t nr)
{
	b->of = calloc(nr + 1, sizeof(*b->of));
	b->l1i = calloc(b->p.nr_l1i + 1, sizeof(*b->l1i));
	b->l1d = calloc(b->p.nr_l1d + 1, sizeof(*b->l1d));
	b->redirects = calloc(3 * nr + 1, sizeof(*b->redirects));
	b->integers.uops = calloc(nr + 1, sizeof(size_t));
	b->fps.uops = calloc(nr + 1, sizeof(size_t));
	b->loads.uops = calloc(nr + 1, sizeof(size_t));
	b->stores.uops = calloc(nr + 1, sizeof(size_t));
	b->g->commits = calloc(nr + 1, sizeof(*b->g->commits));
	return b->of && b->l1i && b->l1d && b->redirects && b->integers.uops && b->fps.uops && b->loads.uops &&
	       b->stores.uops && b->g->commits && has_room(b);
}

static void release(struct builder *b)
{
	refcycle_close(&b->p);
	free(b->of);
	free(b->l1i);
	free(b->l1d);
	free(b->redirects);
	free(b->integers.uops);
	free(b->fps.uops);
	free(b->loads.uops);
	free(b->stores.uops);
	free(b->issue.rows);
}

struct refpath *refpath_new(const struct core_timing *t, const struct uop *uops, size_t nr,
			    const struct uop_prefetch *prefetches)
{
	return refpath_new_predicted(t, uops, nr, prefetches, NULL);
}

struct refpath *refpath_new_predicted(const struct core_timing *t, const struct uop *uops, size_t nr,
				      const struct uop_prefetch *prefetches, const uint8_t *predictions)
{
	struct builder b = {.t = t,
			    .is_in_order = t->kind == CORE_IN_ORDER,
			    .issue = {.t = t},
			    .latest_redirect = NONE,
			    .taken = NONE,
			    .stores_known = NONE,
			    .unblocked = NONE,
			    .bus = NONE};
	struct refpath *g = b.g = calloc(1, sizeof(*g));
	bool ok = g && refcycle_open(&b.p, t, uops, nr, prefetches, predictions) && has_memory(&b, nr);
	if (ok) {
		g->uops = uops;
		g->nr_uops = nr;
		for (unsigned k = 0; k < MAX_MSHRS; k++)
			b.mshrs[k] = NONE;
		add_vertex(&b, REFPATH_BEGIN, 0);
	}
	for (size_t i = 0; i < nr && ok; i++) {
		ok = has_room(&b);
		if (ok)
			add_uop(&b, i);
		ok = ok && !b.issue.has_failed;
	}
	release(&b);
	if (!ok) {
		refpath_free(g);
		return NULL;
	}
	return g;
}

void refpath_free(struct refpath *g)
{
	if (!g)
		return;
	free(g->commits);
	free(g->vertices);
	free(g->edges);
	free(g);
}
