/* The published graph of an out-of-order core, as exactly as its sliding window computes it.
 *
 * The paper's algorithm schedules the instruction with the shortest length to E, passes its new length on to everything
 * that depends on it, and repeats that. The shortest instruction waits only for vertices of instructions that were
 * scheduled before: every edge on a path to E has a weight, or leads to a vertex with a later one. So nothing needs to
 * be passed on twice. An instruction is ready when all vertices that it waits for are final; the ready ones are in a
 * heap, and the first of them is the shortest of all.
 *
 * The order in which text is read matters if the buffer is larger than READ_STEP: what was not read cannot be
 * scheduled.
 */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_front_internal.h"

/* Instructions that are read first, and those that are read at once when fewer are left. */
#define READ_FIRST 800u
#define READ_STEP 200u

/* Instructions that are kept, a power of two: those that were read, the largest buffer, and the longest edge. */
#define ROWS 2048u
#define ACCESSES 4096u

/* Waiters for a vertex are lists; a waiter is a number: first those of E, GRAPH_MAX_READS per row, then those of M. */
#define M_EDGES (FRONT_ACCESS_EDGES + 1u)
#define M_WAITERS (ROWS * GRAPH_MAX_READS)
#define NR_WAITERS (M_WAITERS + ACCESSES * M_EDGES)
#define NO_WAITER UINT32_MAX

struct row {
	struct front_step step;
	struct graph_vertex f, d, c;
	struct graph_vertex e;
	struct graph_best best_e;
	uint64_t access;   /* number of its access */
	uint32_t waiters;  /* for E, of an instruction that does not load */
	uint8_t nr_waits;  /* vertices that E waits for: producers, and D */
	bool is_scheduled; /* E is final */
};

struct access {
	struct graph_vertex m;
	struct graph_best best_m;
	uint32_t waiters, cycles;
	uint8_t nr_waits, class;
	bool is_final;
};

struct sliding {
	struct graph_path *path;
	uint32_t buffer;
	struct front front;
	struct ooo_board board;
	struct row rows[ROWS];
	struct access accesses[ACCESSES];
	uint32_t next_waiter[NR_WAITERS];
	uint32_t cycles_of_waiter[NR_WAITERS]; /* of the edge, for M */
	uint64_t nr_accesses;
	uint64_t nr_read;   /* before the present step of the reading */
	uint64_t head;	    /* the oldest instruction that is not scheduled */
	uint64_t fetched;   /* the oldest without F and D */
	uint64_t committed; /* the oldest without C */
	uint64_t read_to;   /* where scheduling continues */
	ooo_ready heap[ROWS + 1];
	size_t nr_ready;
};

static void *new_state(const struct graph_config *c, struct graph_path *path, uint64_t seed)
{
	struct sliding *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->path = path;
	s->buffer = c->instr_buffer_size;
	s->read_to = READ_FIRST;
	if (!front_init(&s->front, c, seed)) {
		free(s);
		return NULL;
	}
	ooo_board_init(&s->board, c);
	return s;
}

static void free_state(void *state)
{
	struct sliding *s = state;
	front_release(&s->front);
	free(s);
}

static struct row *row_of(struct sliding *s, uint64_t number)
{
	return &s->rows[number % ROWS];
}

static struct access *access_of(struct sliding *s, uint64_t access)
{
	return &s->accesses[access % ACCESSES];
}

/* ---- Vertices that become final ---- */

static void stop_waiting(struct sliding *s, struct row *r)
{
	if (--r->nr_waits == 0)
		ooo_heap_push(s->heap, &s->nr_ready, ooo_ready_of(r->best_e.to.length, r->step.number));
}

static void raise_by_e(const struct row *from, struct graph_best *e)
{
	graph_raise(e, from->e, from->step.latency, graph_execute_cause((enum graph_class)from->step.class));
}

static void raise_by_m(const struct access *from, uint32_t cycles, struct graph_best *best)
{
	graph_raise(best, from->m, cycles, graph_memory_cause((enum graph_class)from->class, cycles));
}

static void settle_m(struct sliding *s, struct access *a);

static void m_became_final(struct sliding *s, const struct access *from)
{
	for (uint32_t waiter = from->waiters; waiter != NO_WAITER; waiter = s->next_waiter[waiter]) {
		if (waiter < M_WAITERS) {
			struct row *r = &s->rows[waiter / GRAPH_MAX_READS];
			raise_by_m(from, from->cycles, &r->best_e);
			stop_waiting(s, r);
		} else {
			struct access *a = &s->accesses[(waiter - M_WAITERS) / M_EDGES];
			raise_by_m(from, s->cycles_of_waiter[waiter], &a->best_m);
			if (--a->nr_waits == 0)
				settle_m(s, a);
		}
	}
}

/* All that M waits for is final. */
static void settle_m(struct sliding *s, struct access *a)
{
	a->m = graph_settle(s->path, &a->best_m);
	a->is_final = true;
	m_became_final(s, a);
}

static void settle_commit(struct sliding *s, struct row *r)
{
	const struct front_step *t = &r->step;
	r->c = front_settle_commit(s->path, s->front.c, t, access_of(s, r->access)->m, r->e,
				   t->commit_back ? &row_of(s, t->number - t->commit_back)->c : NULL,
				   t->access_commit_back ? &row_of(s, t->number - t->access_commit_back)->c : NULL,
				   t->follows_commit ? &row_of(s, t->number - 1)->c : NULL);
}

static void settle_front(struct sliding *s, struct row *r)
{
	const struct front_step *t = &r->step;
	const struct row *before = t->number > 0 ? row_of(s, t->number - 1) : NULL;
	const struct graph_vertex *from = !before ? NULL : t->after_misprediction ? &before->e : &before->f;
	r->f = front_settle_fetch(s->path, t, t->fetch_back ? &row_of(s, t->number - t->fetch_back)->f : NULL, from,
				  t->number >= s->buffer ? &row_of(s, t->number - s->buffer)->c : NULL);
	r->d = front_settle_dispatch(s->path, s->front.c, r->f,
				     t->dispatch_back ? &row_of(s, t->number - t->dispatch_back)->d : NULL,
				     t->follows_dispatch ? &before->d : NULL);
}

/* Commits, then fetches and dispatches, in program order, as far as what they wait for is final. */
static void advance(struct sliding *s)
{
	for (; s->committed < s->nr_read; s->committed++) {
		struct row *r = row_of(s, s->committed);
		if (!r->is_scheduled || (r->step.is_access && !access_of(s, r->access)->is_final))
			break;
		settle_commit(s, r);
	}
	for (; s->fetched < s->nr_read; s->fetched++) {
		struct row *r = row_of(s, s->fetched);
		if (s->fetched >= s->buffer && s->committed <= s->fetched - s->buffer)
			break;
		if (r->step.after_misprediction && !row_of(s, s->fetched - 1)->is_scheduled)
			break;
		settle_front(s, r);
		graph_raise(&r->best_e, r->d, s->front.c->dispatch_cycles, GRAPH_BY_DISPATCH);
		stop_waiting(s, r);
	}
}

/* ---- Reading ---- */

static void wait_for(struct sliding *s, uint32_t waiter, uint32_t *list)
{
	s->next_waiter[waiter] = *list;
	*list = waiter;
}

static void read_insn(struct sliding *s, const struct graph_insn *insn)
{
	uint64_t number = s->front.number;
	struct row *r = row_of(s, number);
	front_step(&s->front, insn, &r->step);
	r->access = s->nr_accesses;
	r->waiters = NO_WAITER;
	r->is_scheduled = false;
	r->best_e = graph_best_start();
	r->nr_waits = 1;
	if (r->step.is_access)
		*access_of(s, s->nr_accesses++) =
			(struct access){.waiters = NO_WAITER, .cycles = r->step.memory_cycles, .class = r->step.class};
	for (unsigned i = 0; i < r->step.nr_producers; i++) {
		uint32_t waiter = (uint32_t)(number % ROWS * GRAPH_MAX_READS + i);
		struct row *p = row_of(s, r->step.producers[i]);
		struct access *a = access_of(s, p->access);
		if (p->step.is_load ? a->is_final : p->is_scheduled) {
			if (p->step.is_load)
				raise_by_m(a, a->cycles, &r->best_e);
			else
				raise_by_e(p, &r->best_e);
			continue;
		}
		wait_for(s, waiter, p->step.is_load ? &a->waiters : &p->waiters);
		r->nr_waits++;
	}
}

/* ---- Scheduling ---- */

static void add_m_edge(struct sliding *s, struct access *a, uint64_t access, unsigned edge, uint64_t from_access,
		       uint32_t cycles)
{
	struct access *from = access_of(s, from_access);
	if (from->is_final) {
		raise_by_m(from, cycles, &a->best_m);
		return;
	}
	uint32_t waiter = (uint32_t)(M_WAITERS + access % ACCESSES * M_EDGES + edge);
	s->cycles_of_waiter[waiter] = cycles;
	wait_for(s, waiter, &from->waiters);
	a->nr_waits++;
}

static void schedule_access(struct sliding *s, struct row *r)
{
	const struct front_step *t = &r->step;
	struct access *a = access_of(s, r->access);
	a->best_m = graph_best_start();
	a->nr_waits = 1;
	graph_raise(&a->best_m, r->e, GRAPH_LSU_CYCLES, graph_execute_cause((enum graph_class)t->class));
	for (unsigned i = 0; i < t->nr_accesses; i++)
		add_m_edge(s, a, r->access, i, t->accesses[i], 0);
	if (ooo_has_unit((enum graph_class)t->class)) {
		uint64_t user = ooo_board_take_access(&s->board, t, r->access);
		if (user)
			add_m_edge(s, a, r->access, FRONT_ACCESS_EDGES, user - 1, access_of(s, user - 1)->cycles);
	}
	if (--a->nr_waits == 0)
		settle_m(s, a);
}

static void schedule(struct sliding *s, struct row *r)
{
	struct ooo_slot *slots[3];
	unsigned nr = 0;
	ooo_board_take(&s->board, &r->step, ooo_has_unit((enum graph_class)r->step.class), &r->best_e, slots, &nr);
	r->e = graph_settle(s->path, &r->best_e);
	r->is_scheduled = true;
	for (unsigned i = 0; i < nr; i++)
		slots[i]->e = r->e;
	if (r->step.is_access)
		schedule_access(s, r);
	for (uint32_t waiter = r->waiters; waiter != NO_WAITER; waiter = s->next_waiter[waiter]) {
		struct row *waiting = &s->rows[waiter / GRAPH_MAX_READS];
		raise_by_e(r, &waiting->best_e);
		stop_waiting(s, waiting);
	}
	advance(s);
}

static enum sahm_status fail_circle(struct sahm_err *err)
{
	return sahm_fail(
		err, SAHM_RANGE,
		"loads and stores wait for each other in a circle: LQ_Size, SQ_Size or Mem_Issue_Bandwidth is too small for "
		"this trace, where the released program does not end; --algorithm two_pass does");
}

/* Schedules until more has to be read, or all is scheduled. */
static enum sahm_status run(struct sliding *s, struct sahm_err *err)
{
	advance(s);
	while (s->head < s->nr_read) {
		if (s->nr_ready == 0)
			return fail_circle(err);
		struct row *r = row_of(s, ooo_ready_number(ooo_heap_pop(s->heap, &s->nr_ready)));
		schedule(s, r);
		if (r->step.number != s->head)
			continue;
		while (s->head < s->nr_read && row_of(s, s->head)->is_scheduled)
			s->head++;
		if (s->read_to - s->head < READ_STEP) {
			s->read_to += READ_STEP;
			break;
		}
	}
	return SAHM_OK;
}

static enum sahm_status add(void *state, const struct graph_insn *insn, struct sahm_err *err)
{
	struct sliding *s = state;
	read_insn(s, insn);
	s->nr_read++;
	return s->nr_read == s->read_to ? run(s, err) : SAHM_OK;
}

static enum sahm_status finish(void *state, struct graph_vertex *last, struct sahm_err *err)
{
	struct sliding *s = state;
	enum sahm_status status = SAHM_OK;
	while (s->head < s->nr_read && status == SAHM_OK)
		status = run(s, err);
	if (status == SAHM_OK && s->committed < s->nr_read)
		status = fail_circle(err);
	*last = row_of(s, s->nr_read - 1)->c;
	return status;
}

static size_t vertices(void *state, struct graph_vertex **list)
{
	struct sliding *s = state;
	size_t nr = ooo_board_vertices(&s->board, list);
	for (size_t i = 0; i < ROWS; i++) {
		struct row *r = &s->rows[i];
		list[nr++] = &r->f;
		list[nr++] = &r->d;
		list[nr++] = &r->e;
		list[nr++] = &r->c;
		list[nr++] = &r->best_e.to;
	}
	for (size_t i = 0; i < ACCESSES; i++) {
		list[nr++] = &s->accesses[i].m;
		list[nr++] = &s->accesses[i].best_m.to;
	}
	return nr;
}

const struct graph_ops graph_sliding_exact = {
	.new_state = new_state,
	.free_state = free_state,
	.add = add,
	.finish = finish,
	.vertices = vertices,
};
