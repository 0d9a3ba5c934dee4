#include "cores/uarch/graph/graph_front_internal.h"

#include <string.h>

/* Operations: latency, whether another one can start each cycle, and the kind of unit. */
static const struct operation {
	uint32_t latency;
	bool is_pipelined, has_unit;
	uint8_t kind;
} operations[] = {
	[GRAPH_INT] = {1, true, true, OOO_INT},
	[GRAPH_BRANCH] = {1, true, true, OOO_INT},
	[GRAPH_INT_MUL] = {3, true, true, OOO_MUL_DIV},
	[GRAPH_INT_DIV] = {20, false, true, OOO_MUL_DIV},
	[GRAPH_FP] = {2, true, true, OOO_FP},
	[GRAPH_FP_MUL] = {4, true, true, OOO_FP_MUL_DIV},
	[GRAPH_FP_DIV] = {12, false, true, OOO_FP_MUL_DIV},
	[GRAPH_LOAD] = {GRAPH_LSU_CYCLES, true, true, OOO_LSU},
	[GRAPH_STORE] = {GRAPH_LSU_CYCLES, true, true, OOO_LSU},
	[GRAPH_SYSCALL] = {1, true, false, 0},
	[GRAPH_ATOMIC] = {1, true, false, 0},
	[GRAPH_OTHER] = {1, true, false, 0},
};

bool ooo_has_unit(enum graph_class class)
{
	return operations[class].has_unit;
}

bool front_init(struct front *f, const struct graph_config *c, uint64_t seed)
{
	memset(f, 0, sizeof(*f));
	f->c = c;
	rng_init(&f->predictor, seed, "graph", "predictor");
	if (graph_cache_init(&f->icache, &c->icache, seed, "icache", NULL) != SAHM_OK)
		return false;
	if (graph_cache_init(&f->dcache, &c->dcache, seed, "dcache", NULL) != SAHM_OK) {
		graph_cache_release(&f->icache);
		return false;
	}
	return true;
}

void front_release(struct front *f)
{
	graph_cache_release(&f->icache);
	graph_cache_release(&f->dcache);
}

/* ---- Memory ---- */

/* As the released program compares them: an older access that lies within a younger one is not found. */
static bool overlaps(const struct graph_insn *insn, const struct front_access *a)
{
	uint64_t start = insn->address, end = start + insn->access_bytes, a_end = a->address + a->bytes;
	return (start >= a->address && start < a_end) || (end > a->address && end <= a_end);
}

/* Edges between accesses, which exist only where a model gives their cycles. Whether a load gets its data from a store.
 */
static bool find_accesses(const struct front *f, const struct graph_insn *insn, struct front_step *s)
{
	uint32_t nr = f->c->lq_size + f->c->sq_size;
	if (f->nr_accesses >= f->c->mem_issue_bandwidth)
		s->accesses[s->nr_accesses++] = f->nr_accesses - f->c->mem_issue_bandwidth;
	uint64_t known = f->nr_accesses < nr ? f->nr_accesses : nr;
	for (uint64_t back = 1; back <= known; back++) {
		const struct front_access *a =
			&f->accesses[f->next_access >= back ? f->next_access - back : f->next_access + nr - back];
		if (!overlaps(insn, a) || (s->is_load && a->is_load))
			continue;
		s->accesses[s->nr_accesses++] = f->nr_accesses - back;
		return s->is_load;
	}
	return false;
}

static void step_memory(struct front *f, const struct graph_insn *insn, struct front_step *s)
{
	bool has_model = f->c->dcache.source != GRAPH_TRACE;
	bool forwards = has_model && find_accesses(f, insn, s);
	if (!has_model)
		s->memory_cycles = insn->memory_cycles;
	else
		s->memory_cycles = forwards ? 0 : graph_cache_access(&f->dcache, insn->address, !s->is_load);
	s->latency = GRAPH_LSU_CYCLES + (s->is_load ? s->memory_cycles : 0);
	f->accesses[f->next_access] = (struct front_access){insn->address, insn->access_bytes, s->is_load};
	f->next_access = f->next_access + 1 == f->c->lq_size + f->c->sq_size ? 0 : f->next_access + 1;
}

/* ---- Pipeline ---- */

/* `distance` if there is an edge over it, which mispredictions interrupt. */
static uint32_t back(const struct front *f, uint32_t distance)
{
	bool reaches = f->number >= distance &&
		       (f->last_misprediction == 0 || f->number - (f->last_misprediction - 1) > distance);
	return reaches ? distance : 0;
}

static void step_fetch(struct front *f, const struct graph_insn *insn, struct front_step *s)
{
	uint64_t line = insn->pc / GRAPH_LINE_BYTES + 1;
	if (f->c->icache.source == GRAPH_TRACE)
		s->fetch_cycles = insn->fetch_cycles;
	else
		s->fetch_cycles =
			line == f->line
				? 0
				: graph_cache_access(&f->icache, insn->pc / GRAPH_LINE_BYTES * GRAPH_LINE_BYTES, false);
	f->line = line;
	s->after_misprediction = f->previous_mispredicted;
	if (s->after_misprediction)
		s->fetch_cycles += f->c->misprediction_penalty;
	else if (f->previous_was_branch)
		s->fetch_cycles += f->c->prediction_cycles;
}

static bool is_mispredicted(struct front *f, const struct graph_insn *insn)
{
	if (f->c->predictor == GRAPH_TRACE)
		return insn->mispredicted;
	return insn->class == GRAPH_BRANCH && rng_below(&f->predictor, 1000) >= f->c->accuracy_permille;
}

void front_step(struct front *f, const struct graph_insn *insn, struct front_step *s)
{
	const struct graph_config *c = f->c;
	s->number = f->number;
	s->class = insn->class;
	s->is_access = insn->loads || insn->stores;
	s->is_load = insn->loads;
	s->latency = operations[insn->class].latency;
	s->nr_producers = s->nr_accesses = 0;
	s->memory_cycles = 0;
	s->access_commit_back = 0;
	if (s->is_access)
		step_memory(f, insn, s);
	step_fetch(f, insn, s);
	s->fetch_back = back(f, c->fetch_bandwidth);
	s->dispatch_back = back(f, c->dispatch_bandwidth);
	s->commit_back = back(f, c->commit_bandwidth);
	bool goes_on = f->number > 0 && !s->after_misprediction;
	s->follows_dispatch = goes_on && c->dispatch_bandwidth > 1;
	s->follows_commit = goes_on && c->commit_bandwidth > 1;
	if (f->last_access && f->number + 1 - f->last_access == c->mem_commit_bandwidth)
		s->access_commit_back = back(f, c->mem_commit_bandwidth);
	if (s->access_commit_back == 1)
		s->follows_commit = false;
	for (unsigned i = 0; i < GRAPH_MAX_READS && insn->reads[i]; i++) {
		uint64_t writer = f->writers[insn->reads[i]];
		if (writer && f->number + 1 - writer < c->instr_buffer_size)
			s->producers[s->nr_producers++] = writer - 1;
	}
	if (s->after_misprediction)
		f->last_misprediction = f->number;
	f->previous_mispredicted = is_mispredicted(f, insn);
	f->previous_was_branch = insn->class == GRAPH_BRANCH;
	if (insn->writes)
		f->writers[insn->writes] = insn->predicts ? 0 : f->number + 1;
	if (s->is_access) {
		f->last_access = f->number + 1;
		f->nr_accesses++;
	}
	f->number++;
}

/* ---- Edges ---- */

struct graph_vertex front_settle_fetch(struct graph_path *p, const struct front_step *s,
				       const struct graph_vertex *back, const struct graph_vertex *before,
				       const struct graph_vertex *buffer)
{
	struct graph_best f = graph_best_start();
	if (back)
		graph_raise(&f, *back, 1, GRAPH_BY_GOOD_FETCH_HIT);
	if (s->after_misprediction)
		graph_raise(&f, graph_after_misprediction(p, *before, operations[GRAPH_BRANCH].latency),
			    s->fetch_cycles, graph_fetch_cause(s->fetch_cycles, false));
	else if (before)
		graph_raise(&f, *before, s->fetch_cycles, graph_fetch_cause(s->fetch_cycles, true));
	if (buffer)
		graph_raise(&f, *buffer, 0, GRAPH_BY_COMMIT);
	return graph_settle(p, &f);
}

struct graph_vertex front_settle_dispatch(struct graph_path *p, const struct graph_config *c, struct graph_vertex f,
					  const struct graph_vertex *back, const struct graph_vertex *before)
{
	struct graph_best d = graph_best_start();
	graph_raise(&d, f, c->decode_cycles, GRAPH_BY_DECODE);
	if (back)
		graph_raise(&d, *back, 1, GRAPH_BY_DISPATCH);
	if (before)
		graph_raise(&d, *before, 0, GRAPH_BY_DISPATCH);
	return graph_settle(p, &d);
}

void front_raise_by_producer(const struct front_step *s, struct graph_vertex m, struct graph_vertex e,
			     struct graph_best *best)
{
	enum graph_class class = (enum graph_class)s->class;
	if (s->is_load)
		graph_raise(best, m, s->memory_cycles, graph_memory_cause(class, s->memory_cycles));
	else
		graph_raise(best, e, s->latency, graph_execute_cause(class));
}

void front_raise_commit(const struct graph_config *c, const struct front_step *s, struct graph_vertex m,
			struct graph_vertex e, struct graph_best *best)
{
	enum graph_class class = (enum graph_class)s->class;
	uint32_t cycles = s->latency + c->execute_to_commit_cycles;
	if (s->is_access) {
		cycles -= GRAPH_LSU_CYCLES;
		graph_raise(best, m, cycles, graph_memory_cause(class, cycles));
	} else {
		graph_raise(best, e, cycles, graph_execute_cause(class));
	}
}

struct graph_vertex front_settle_commit(struct graph_path *p, const struct graph_config *c, const struct front_step *s,
					struct graph_vertex m, struct graph_vertex e, const struct graph_vertex *back,
					const struct graph_vertex *access_back, const struct graph_vertex *before)
{
	struct graph_best best = graph_best_start();
	front_raise_commit(c, s, m, e, &best);
	if (back)
		graph_raise(&best, *back, 1, GRAPH_BY_COMMIT);
	if (access_back)
		graph_raise(&best, *access_back, 1, GRAPH_BY_COMMIT);
	if (before)
		graph_raise(&best, *before, 0, GRAPH_BY_COMMIT);
	return graph_settle(p, &best);
}

/* ---- Slots, entries and units ---- */

void ooo_board_init(struct ooo_board *b, const struct graph_config *c)
{
	const uint32_t nr_units[] = {[OOO_INT] = c->int_alu_count,
				     [OOO_MUL_DIV] = c->int_mul_div_count,
				     [OOO_FP] = c->fp_alu_count,
				     [OOO_FP_MUL_DIV] = c->fp_mul_div_count,
				     [OOO_LSU] = c->lsu_count};
	memset(b, 0, sizeof(*b));
	b->c = c;
	b->issue = (struct ooo_ring){c->issue_bandwidth, 0, b->issue_slots};
	b->queue = (struct ooo_ring){c->instr_queue_size, 0, b->queue_slots};
	for (unsigned i = 0; i < NR_OOO_KINDS; i++)
		b->units[i] = (struct ooo_ring){nr_units[i], 0, b->unit_slots[i]};
	b->access_queues[GRAPH_LOADS].nr = c->lq_size;
	b->access_queues[GRAPH_STORES].nr = c->sq_size;
}

/* Whether instructions are too far from each other for an edge of a unit or a queue of accesses. */
static bool is_far(const struct ooo_board *b, uint64_t number, uint64_t user)
{
	uint64_t other = user - 1, distance = number > other ? number - other : other - number;
	return distance >= b->c->instr_buffer_size;
}

static struct ooo_slot *take(struct ooo_ring *r, struct graph_best *e, bool has_edge)
{
	struct ooo_slot *slot = &r->slots[r->next];
	r->next = r->next + 1 == r->nr ? 0 : r->next + 1;
	if (has_edge)
		graph_raise(e, slot->e, slot->cycles, graph_execute_cause((enum graph_class)slot->class));
	return slot;
}

void ooo_board_take(struct ooo_board *b, const struct front_step *s, bool has_unit, struct graph_best *e,
		    struct ooo_slot *slots[3], unsigned *nr)
{
	const struct operation *o = &operations[s->class];
	*nr = has_unit ? 3 : 2;
	slots[0] = take(&b->issue, e, b->issue.slots[b->issue.next].user != 0);
	slots[0]->cycles = 1;
	slots[1] = take(&b->queue, e, b->queue.slots[b->queue.next].user != 0);
	slots[1]->cycles = s->latency;
	if (has_unit) {
		struct ooo_ring *units = &b->units[o->kind];
		uint64_t user = units->slots[units->next].user;
		slots[2] = take(units, e, user && !is_far(b, s->number, user));
		slots[2]->cycles = o->is_pipelined ? 1 : o->latency;
	}
	for (unsigned i = 0; i < *nr; i++) {
		slots[i]->user = s->number + 1;
		slots[i]->class = s->class;
	}
}

uint64_t ooo_board_take_access(struct ooo_board *b, const struct front_step *s, uint64_t access)
{
	unsigned which = s->class == GRAPH_LOAD ? GRAPH_LOADS : GRAPH_STORES;
	uint32_t entry = b->access_queues[which].next;
	uint64_t *user = &b->access_queues[which].users[entry], *last = &b->access_queues[which].accesses[entry];
	uint64_t from = *user && !is_far(b, s->number, *user) ? *last : 0;
	*user = s->number + 1;
	*last = access + 1;
	b->access_queues[which].next = entry + 1 == b->access_queues[which].nr ? 0 : entry + 1;
	return from;
}

static size_t ring_vertices(struct ooo_ring *r, struct graph_vertex **list)
{
	for (uint32_t i = 0; i < r->nr; i++)
		list[i] = &r->slots[i].e;
	return r->nr;
}

size_t ooo_board_vertices(struct ooo_board *b, struct graph_vertex **list)
{
	size_t nr = ring_vertices(&b->issue, list);
	nr += ring_vertices(&b->queue, list + nr);
	for (unsigned i = 0; i < NR_OOO_KINDS; i++)
		nr += ring_vertices(&b->units[i], list + nr);
	return nr;
}

/* ---- The heap ---- */

void ooo_heap_push(ooo_ready *heap, size_t *nr, ooo_ready r)
{
	size_t at = (*nr)++;
	while (at > 0 && r < heap[(at - 1) / 2]) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = r;
}

ooo_ready ooo_heap_pop(ooo_ready *heap, size_t *nr)
{
	const ooo_ready first = heap[0], last = heap[--*nr];
	size_t at = 0, child;
	heap[*nr] = ~(ooo_ready)0; /* no child is before it */
	while ((child = 2 * at + 1) < *nr) {
		/* Without a jump: which child is smaller cannot be predicted. */
		child += heap[child + 1] < heap[child];
		if (heap[child] >= last)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return first;
}
