/* The published graph of an out-of-order core, by two passes.
 *
 * The first pass computes lengths in program order, without edges of slots, queues and units. The second one visits
 * instructions in the order of their lengths to E: each takes its slots, and passes new lengths on along its edges. F
 * and D keep their lengths.
 *
 * Both passes run at once. An instruction has a smaller length to E than those that follow it at a distance of
 * instr_buffer_size or more, since their fetch waits for its commit. So the second pass follows the first one at that
 * distance.
 */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_front_internal.h"

/* Longest edge besides those of the buffer and of accesses: maxima of bandwidths. */
#define LONGEST_EDGE 256u

struct row {
	struct front_step step;
	struct graph_vertex f, d, e, c;
	struct graph_vertex swept_e, swept_c;
	uint64_t access; /* number of its access */
	bool is_swept;
};

struct access {
	struct graph_vertex m, swept_m;
	uint32_t cycles;
	uint8_t class;
	bool is_swept;
};

struct two_pass {
	struct graph_path *path;
	uint32_t buffer;
	struct front front;
	struct ooo_board board;
	/* Rings of the last instructions, and of their accesses; as large as needed, so that caches hold them. */
	struct row *rows;
	struct access *accesses;
	uint32_t nr_rows, nr_kept_accesses; /* powers of two */
	uint64_t nr_accesses;
	ooo_ready *heap;
	size_t nr_ready;
};

static void free_state(void *state)
{
	struct two_pass *s = state;
	front_release(&s->front);
	free(s->rows);
	free(s->accesses);
	free(s->heap);
	free(s);
}

static uint32_t power_of_two_above(uint32_t n)
{
	uint32_t power = 1;
	while (power <= n)
		power *= 2;
	return power;
}

static void *new_state(const struct graph_config *c, struct graph_path *path, uint64_t seed)
{
	struct two_pass *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->path = path;
	s->buffer = c->instr_buffer_size;
	/* The second pass is at most a buffer after the first one, and looks back at most a buffer or the longest edge.
	 */
	s->nr_rows = power_of_two_above(2 * s->buffer + LONGEST_EDGE);
	s->nr_kept_accesses = power_of_two_above(2 * s->buffer + LONGEST_EDGE + c->lq_size + c->sq_size);
	s->rows = calloc(s->nr_rows, sizeof(*s->rows));
	s->accesses = calloc(s->nr_kept_accesses, sizeof(*s->accesses));
	s->heap = calloc(s->nr_rows + 1u, sizeof(*s->heap));
	bool ok = front_init(&s->front, c, seed);
	if (!ok || !s->rows || !s->accesses || !s->heap) {
		free_state(s);
		return NULL;
	}
	ooo_board_init(&s->board, c);
	return s;
}

static struct row *row_of(struct two_pass *s, uint64_t number)
{
	return &s->rows[number & (s->nr_rows - 1)];
}

static struct access *access_of(struct two_pass *s, uint64_t access)
{
	return &s->accesses[access & (s->nr_kept_accesses - 1)];
}

/* ---- The first pass ---- */

static void settle_front(struct two_pass *s, struct row *r)
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

static void first_pass(struct two_pass *s, struct row *r)
{
	const struct front_step *t = &r->step;
	enum graph_class class = (enum graph_class)t->class;
	struct graph_vertex m = {0, 0};
	settle_front(s, r);
	struct graph_best e = graph_best_start();
	graph_raise(&e, r->d, s->front.c->dispatch_cycles, GRAPH_BY_DISPATCH);
	for (unsigned i = 0; i < t->nr_producers; i++) {
		const struct row *p = row_of(s, t->producers[i]);
		front_raise_by_producer(&p->step, access_of(s, p->access)->m, p->e, &e);
	}
	r->e = graph_settle(s->path, &e);
	if (t->is_access) {
		struct graph_best best = graph_best_start();
		for (unsigned i = 0; i < t->nr_accesses; i++)
			graph_raise(&best, access_of(s, t->accesses[i])->m, 0, GRAPH_BY_OTHER);
		graph_raise(&best, r->e, GRAPH_LSU_CYCLES, graph_execute_cause(class));
		m = graph_settle(s->path, &best);
		*access_of(s, r->access) = (struct access){.m = m, .cycles = t->memory_cycles, .class = t->class};
	}
	r->c = front_settle_commit(s->path, s->front.c, t, m, r->e,
				   t->commit_back ? &row_of(s, t->number - t->commit_back)->c : NULL,
				   t->access_commit_back ? &row_of(s, t->number - t->access_commit_back)->c : NULL,
				   t->follows_commit ? &row_of(s, t->number - 1)->c : NULL);
}

/* ---- The second pass ---- */

/* An older commit passes its length on only if it was visited before. */
static void raise_by_commit(struct two_pass *s, const struct row *r, uint32_t distance, uint32_t cycles,
			    struct graph_best *c)
{
	const struct row *from = row_of(s, r->step.number - distance);
	if (from->is_swept)
		graph_raise(c, from->swept_c, cycles, GRAPH_BY_COMMIT);
}

static void raise_by_commits(struct two_pass *s, const struct row *r, struct graph_best *c)
{
	const struct front_step *t = &r->step;
	if (t->commit_back)
		raise_by_commit(s, r, t->commit_back, 1, c);
	if (t->access_commit_back)
		raise_by_commit(s, r, t->access_commit_back, 1, c);
	if (t->follows_commit)
		raise_by_commit(s, r, 1, 0, c);
}

static void sweep_memory(struct two_pass *s, struct row *r)
{
	const struct front_step *t = &r->step;
	struct access *a = access_of(s, r->access);
	struct graph_best m = graph_best_of(a->m);
	for (unsigned i = 0; i < t->nr_accesses; i++) {
		const struct access *from = access_of(s, t->accesses[i]);
		if (from->is_swept)
			graph_raise(&m, from->swept_m, 0, GRAPH_BY_OTHER);
	}
	graph_raise(&m, r->swept_e, GRAPH_LSU_CYCLES, graph_execute_cause((enum graph_class)t->class));
	if (ooo_has_unit((enum graph_class)t->class)) {
		uint64_t user = ooo_board_take_access(&s->board, t, r->access);
		if (user) {
			const struct access *from = access_of(s, user - 1);
			graph_raise(&m, from->swept_m, from->cycles,
				    graph_memory_cause((enum graph_class)from->class, from->cycles));
		}
	}
	a->swept_m = graph_settle(s->path, &m);
	a->is_swept = true;
}

static void sweep(struct two_pass *s, uint64_t number)
{
	struct row *r = row_of(s, number);
	const struct front_step *t = &r->step;
	struct graph_best e = graph_best_of(r->e), c = graph_best_of(r->c);
	struct ooo_slot *slots[3];
	unsigned nr = 0;
	for (unsigned i = 0; i < t->nr_producers; i++) {
		const struct row *p = row_of(s, t->producers[i]);
		front_raise_by_producer(&p->step, access_of(s, p->access)->swept_m, p->swept_e, &e);
	}
	if (ooo_has_unit((enum graph_class)t->class))
		ooo_board_take(&s->board, t, true, &e, slots, &nr);
	r->swept_e = graph_settle(s->path, &e);
	for (unsigned i = 0; i < nr; i++)
		slots[i]->e = r->swept_e;
	if (t->is_access)
		sweep_memory(s, r);
	raise_by_commits(s, r, &c);
	front_raise_commit(s->front.c, t, access_of(s, r->access)->swept_m, r->swept_e, &c);
	r->swept_c = graph_settle(s->path, &c);
	r->is_swept = true;
}

static enum sahm_status add(void *state, const struct graph_insn *insn, struct sahm_err *err)
{
	struct two_pass *s = state;
	struct row *r = row_of(s, s->front.number);
	(void)err;
	r->access = s->nr_accesses;
	r->is_swept = false;
	front_step(&s->front, insn, &r->step);
	first_pass(s, r);
	s->nr_accesses += r->step.is_access;
	ooo_heap_push(s->heap, &s->nr_ready, ooo_ready_of(r->e.length, r->step.number));
	/* No later instruction has a smaller length to E than this. */
	int64_t settled = r->f.length + s->front.c->decode_cycles + s->front.c->dispatch_cycles;
	while (s->nr_ready > 0 && ooo_ready_length(s->heap[0]) <= settled)
		sweep(s, ooo_ready_number(ooo_heap_pop(s->heap, &s->nr_ready)));
	return SAHM_OK;
}

static enum sahm_status finish(void *state, struct graph_vertex *last, struct sahm_err *err)
{
	struct two_pass *s = state;
	(void)err;
	while (s->nr_ready > 0)
		sweep(s, ooo_ready_number(ooo_heap_pop(s->heap, &s->nr_ready)));
	/* Commits that were visited after the last one have passed their lengths on to it. */
	struct row *r = row_of(s, s->front.number - 1);
	struct graph_best c = graph_best_of(r->swept_c);
	raise_by_commits(s, r, &c);
	*last = graph_settle(s->path, &c);
	return SAHM_OK;
}

static size_t vertices(void *state, struct graph_vertex **list)
{
	struct two_pass *s = state;
	size_t nr = ooo_board_vertices(&s->board, list);
	for (size_t i = 0; i < s->nr_rows; i++) {
		struct row *r = &s->rows[i];
		list[nr++] = &r->f;
		list[nr++] = &r->d;
		list[nr++] = &r->e;
		list[nr++] = &r->c;
		list[nr++] = &r->swept_e;
		list[nr++] = &r->swept_c;
	}
	for (size_t i = 0; i < s->nr_kept_accesses; i++) {
		list[nr++] = &s->accesses[i].m;
		list[nr++] = &s->accesses[i].swept_m;
	}
	return nr;
}

const struct graph_ops graph_two_pass = {
	.new_state = new_state,
	.free_state = free_state,
	.add = add,
	.finish = finish,
	.vertices = vertices,
};
