/* Translations: made, run, discarded. */
#include "ipu/jit/translation.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "ipu/jit/translate_internal.h"

/* How often changing code is entered somewhere before it is translated from there: at first, and when it has been
 * discarded again and again. */
#define HOT 10u
#define MOST_HOT 60u

/* Traces that are translated at once: one that is hot, and those that it leads to. */
#define MOST_AT_ONCE 64u

/* Steps that are translated at once before traces end where others begin: until then they may have parts in common. */
#define MOST_STEPS_IN_COMMON 4096u

/* Edges and pieces that are kept at most: they can take more memory than their code. */
#define MOST_EDGES (UINT32_C(1) << 18)
#define MOST_PIECES (UINT32_C(1) << 17)

/* Address space for host code: of changing code; of fixed code, for each of its bytes. What is not used costs nothing.
 */
#define CACHE_BYTES (UINT32_C(64) << 20)
#define FIXED_CACHE_BYTES 1024u
#define MOST_FIXED_BYTES (CACHE_BYTES / FIXED_CACHE_BYTES / 2)

#define PAGE_BYTES UINT32_C(4096) /* of x86-64 */

#ifdef __x86_64__
#define IS_THERE true
#else
#define IS_THERE false
#endif

/* Makes what lies between two offsets of the cache writable, or executable. */
static bool protect(struct host_translation *t, uint32_t first, uint32_t end, bool is_for_writing)
{
	first -= first % PAGE_BYTES;
	return mprotect(t->e.base + first, end - first,
			is_for_writing ? PROT_READ | PROT_WRITE : PROT_READ | PROT_EXEC) == 0;
}

/* What is free becomes writable, with the page where it begins; the rest stays as it is. */
static bool begin_writing(struct host_translation *t)
{
	t->first_writable = t->e.at - t->e.at % PAGE_BYTES;
	return protect(t, t->first_writable, t->e.size, true);
}

static bool end_writing(struct host_translation *t)
{
	uint32_t first = t->first_writable;
	t->first_writable = t->e.size;
	return protect(t, first, t->e.size, false);
}

bool translation_is_available(void)
{
	if (!IS_THERE)
		return false;
	void *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return false;
	bool can = mprotect(page, PAGE_BYTES, PROT_READ | PROT_EXEC) == 0;
	munmap(page, PAGE_BYTES);
	return can;
}

static void clear_edges(struct host_translation *t)
{
	memset(t->open, 0, sizeof(t->open));
	t->nr_edges = 1;
	t->nr_pieces = 0;
	t->e.at = t->first_free;
}

static struct host_translation *own(struct translation *t)
{
	return (struct host_translation *)t;
}

static const struct host_translation *own_const(const struct translation *t)
{
	return (const struct host_translation *)t;
}

static void discard_all(struct host_translation *t)
{
	const struct code *code = t->code;
	for (uint32_t k = 0; k < code->nr_touched; k++) {
		uint32_t first = code->touched[k] * STRETCH_SLOTS, nr = code_nr_slots(code) + 1 - first;
		memset(&t->table[first], 0, (nr < STRETCH_SLOTS ? nr : STRETCH_SLOTS) * sizeof(t->table[0]));
	}
	if (t->nr_pieces == 0)
		return;
	t->counts.nr_discarded++;
	t->hot = 2 * t->hot < MOST_HOT ? 2 * t->hot : MOST_HOT;
	clear_edges(t);
}

static void discard(struct translation *t)
{
	discard_all(own(t));
}

/* Whether a trace begins at the slot, or might. */
static bool is_worth_it(const struct host_translation *t, uint32_t slot)
{
	uint32_t heat = t->table[slot];
	return slot < code_nr_slots(t->code) && t->code->slots[slot].executor != EXECUTOR_undecoded &&
	       heat != TRACE_NEVER_TRANSLATED && heat < TRACE_HEATS && (t->is_fixed || heat > 0);
}

static bool has_room(const struct host_translation *t, uint32_t first_edge)
{
	uint64_t needed = (uint64_t)(t->trace->nr_steps + 4) * TRANSLATION_STEP_BYTES +
			  (uint64_t)(t->nr_edges - first_edge + 2) * TRANSLATION_EDGE_BYTES;
	return t->e.at + needed < t->e.size && t->nr_edges + t->trace->nr_steps < MOST_EDGES &&
	       t->nr_pieces < MOST_PIECES;
}

/* Leads an edge that waits to its target, which is translated by now. Its jump may stand where writing has ended. */
static bool close_edge(struct host_translation *t, uint32_t i)
{
	uint32_t site = t->edges[i].site, end = site + (uint32_t)sizeof(uint32_t);
	bool is_behind = site < t->first_writable;
	end = is_behind && end > t->first_writable ? t->first_writable : end;
	if (t->e.at + TRANSLATION_EDGE_BYTES >= t->e.size || (is_behind && !protect(t, site, end, true)))
		return false;
	bool is_closed = translate_edge(t, i);
	if (is_behind && !protect(t, site, end, false))
		t->is_broken = true;
	return is_closed;
}

/* Edges that wait for the trace at `slot` lead there now. */
static void close_edges(struct host_translation *t, uint32_t slot)
{
	uint32_t *list = &t->open[slot % EDGE_LISTS];
	while (*list) {
		struct edge *edge = &t->edges[*list];
		if (edge->target == slot && close_edge(t, *list))
			*list = edge->next;
		else
			list = &edge->next;
	}
}

/* Translates the trace at `slot`, which is entered with `from`. False: there is no room or no memory. */
static bool translate_one(struct host_translation *t, uint32_t slot, const struct registers *from, uint32_t first_edge)
{
	trace_form(t->trace, t->code, t->table, t->ends.nr > 0 ? &t->ends : NULL, slot);
	if (t->trace->nr_steps == 0) {
		t->table[slot] = TRACE_NEVER_TRANSLATED;
		return true;
	}
	if (!has_room(t, first_edge))
		return false;
	trace_plan(t->trace, t->code, &t->like);
	return translate_trace(t, from);
}

/* Translates where the edges from `first_edge` on lead to, and then on, `most` traces; then makes the edges. The cache
 * is writable. False: there is no room or no memory for all of it. */
static bool follow_edges(struct host_translation *t, uint32_t first_edge, uint32_t first_piece, uint32_t most)
{
	struct registers from;
	uint64_t nr_before = t->counts.nr_instructions;
	bool is_done = true;
	uint32_t nr_ends = first_edge;
	for (uint32_t i = first_edge; is_done && i < t->nr_edges && t->nr_pieces - first_piece < most; i++) {
		uint32_t target = t->edges[i].target;
		if (!is_worth_it(t, target))
			continue;
		if (t->counts.nr_instructions - nr_before > MOST_STEPS_IN_COMMON)
			for (; nr_ends < t->nr_edges; nr_ends++)
				slot_set_add(&t->ends, t->edges[nr_ends].target);
		from = t->edges[i].from;
		is_done = translate_one(t, target, &from, first_edge);
	}
	if (t->ends.nr > 0)
		memset(&t->ends, 0, sizeof(t->ends));
	for (uint32_t i = first_edge; i < t->nr_edges; i++) {
		if (translate_edge(t, i))
			continue;
		translate_open_edge(t, i);
		uint32_t *list = &t->open[t->edges[i].target % EDGE_LISTS];
		t->edges[i].next = *list;
		*list = i;
	}
	for (uint32_t i = first_piece; i < t->nr_pieces; i++)
		close_edges(t, t->pieces[i].head);
	t->counts.nr_host_bytes = t->e.at;
	return is_done;
}

/* Translates what is at `slot`, with everything in the hart, and what that leads to. */
static bool translate_from(struct host_translation *t, uint32_t slot)
{
	struct registers none;
	uint32_t first_edge = t->nr_edges, first_piece = t->nr_pieces;
	registers_init(&none);
	bool is_done = translate_one(t, slot, &none, first_edge);
	return follow_edges(t, first_edge, first_piece, MOST_AT_ONCE) && is_done;
}

/* The system does not let code be executed any more: nothing is from now on. */
static void give_up(struct host_translation *t)
{
	discard_all(t);
	t->hot = TRACE_HEATS;
}

/* Translates from a slot that has become hot. */
static void translate_hot(struct host_translation *t, uint32_t slot)
{
	bool is_done = begin_writing(t) && translate_from(t, slot);
	if (!is_done && t->table[slot] < TRACE_HEATS && t->nr_pieces > 0) {
		/* What is still hot will come again. */
		discard_all(t);
		is_done = end_writing(t) && begin_writing(t) && translate_from(t, slot);
	}
	if (!is_done && t->table[slot] < TRACE_HEATS)
		t->table[slot] = TRACE_NEVER_TRANSLATED;
	if (!end_writing(t) || t->is_broken)
		give_up(t);
}

/* Whether something can begin after the instruction at `slot` that nothing in the code leads to: after a jump or an
 * illegal instruction, a routine; and, if `all`, after a call or an interpreted instruction, the rest. */
static bool ends_what_is_known(const struct code *code, uint32_t slot, bool all)
{
	const struct executor_row *row = &executor_rows[code->slots[slot].executor % CHAINED];
	bool jumps = row->operation == OPERATION_jal || row->operation == OPERATION_jalr;
	if (row->operation == NR_OPERATIONS || row->operation == OPERATION_ebreak)
		return true;
	return jumps ? all || slot_rd(&code->slots[slot]) == NOWHERE : all && !trace_can_hold(code, slot);
}

static bool translate_roots(struct host_translation *t, bool all)
{
	const struct code *code = t->code;
	struct registers none;
	uint32_t first_edge = t->nr_edges, first_piece = t->nr_pieces;
	bool is_root = true, is_done = true;
	registers_init(&none);
	for (uint32_t slot = 0; is_done && slot < code_nr_slots(code);) {
		const struct executor_row *row = &executor_rows[code->slots[slot].executor % CHAINED];
		if (is_root && row->operation != NR_OPERATIONS && is_worth_it(t, slot))
			is_done = translate_one(t, slot, &none, first_edge);
		is_root = ends_what_is_known(code, slot, all);
		slot += row->operation != NR_OPERATIONS ? row->nr_slots : 1;
	}
	return follow_edges(t, first_edge, first_piece, UINT32_MAX) && is_done;
}

/* Fixed code: first what is entered from outside, so that it begins with everything in the hart, and needs little of
 * it; then what else is not reached from there. */
static void translate_all(struct host_translation *t)
{
	if (translate_roots(t, false))
		translate_roots(t, true);
}

static bool make_buffers(struct host_translation *t)
{
	t->trace = malloc(sizeof(*t->trace));
	t->translator = malloc(sizeof(*t->translator));
	t->table = calloc((size_t)code_nr_slots(t->code) + 1, sizeof(t->table[0]));
	return t->trace && t->translator && t->table;
}

static void free_buffers(struct host_translation *t)
{
	free(t->trace);
	free(t->translator);
	t->trace = NULL;
	t->translator = NULL;
}

/* Gives back what fixed code has not used. */
static void trim(struct host_translation *t)
{
	uint32_t used = (t->e.at + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	if (used < t->e.size && munmap(t->e.base + used, t->e.size - used) == 0)
		t->e.size = used;
}

/* False when memory is short. */
static bool fill(struct host_translation *t)
{
	if (!make_buffers(t))
		return false;
	void *cache = mmap(NULL, t->e.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (cache == MAP_FAILED)
		return false;
	t->e.base = cache;
	translate_shared(t);
	clear_edges(t);
	if (t->is_fixed) {
		translate_all(t);
		trim(t);
		free_buffers(t);
	}
	return end_writing(t);
}

static void release(struct host_translation *t)
{
	if (t->code->translation == &t->head)
		t->code->translation = NULL;
	if (t->e.base)
		munmap(t->e.base, t->e.size);
	free_buffers(t);
	free(t->table);
	free(t->pieces);
	free(t->edges);
	free(t);
}

struct translation *translation_new(const struct hart *like)
{
	struct code *code = like->code;
	bool is_fixed = code->flags & CODE_FIXED;
	if (!translation_is_available() || (is_fixed && code->nr_bytes > MOST_FIXED_BYTES) || code->translation ||
	    HART_RETURN_STUB - code->base < code->nr_bytes)
		return NULL;
	struct host_translation *t = calloc(1, sizeof(*t));
	/* Without memory for it the program is interpreted, as where there is no translator. */
	if (!t)
		return NULL;
	t->head.ops = &host_translator;
	t->code = code;
	t->code_base = code->base;
	t->code_bytes = code->nr_bytes;
	t->like = *like;
	t->is_fixed = is_fixed;
	t->hot = HOT;
#ifdef __x86_64__
	t->can_shift = __builtin_cpu_supports("bmi2");
#endif
	t->e.size = is_fixed ? (uint32_t)(CACHE_BYTES / 2 + code->nr_bytes * FIXED_CACHE_BYTES) : CACHE_BYTES;
	if (!fill(t)) {
		release(t);
		return NULL;
	}
	if (!is_fixed)
		code->translation = &t->head;
	return &t->head;
}

struct translation_counts translation_counts(const struct translation *t)
{
	return own_const(t)->counts;
}

/* A run under way. */
struct run {
	struct hart *h;
	struct host_translation *t;
	int64_t left;
	uint64_t nr_at_end;
	uint32_t slot;
	uint32_t address; /* h->address, which chunks change that are no end */
};

static enum hart_cause stop(struct run *r, enum hart_cause cause, uint32_t pc)
{
	struct hart *h = r->h;
	h->pc = pc;
	h->nr_retired = r->nr_at_end - (uint64_t)r->left;
	h->cause = (uint8_t)cause;
	return cause;
}

static uint32_t pc_of(const struct run *r)
{
	return r->h->code->base + 2 * r->slot;
}

static enum hart_cause stop_for_budget(struct run *r)
{
	/* The interpreter has looked at what comes next by then. */
	if (r->h->code->slots[r->slot].executor == EXECUTOR_undecoded)
		code_decode_block(r->h->code, r->slot);
	r->h->address = pc_of(r);
	return stop(r, HART_BUDGET, pc_of(r));
}

/* Interprets `most` instructions, or what is left. True: the run is over, by *cause. */
static bool interpret(struct run *r, uint32_t most, enum hart_cause *cause)
{
	struct hart *h = r->h;
	if (r->left == 0) {
		*cause = stop_for_budget(r);
		return true;
	}
	stop(r, HART_NONE, pc_of(r));
	*cause = hart_interpret(h, r->left < most ? (uint64_t)r->left : most);
	r->left = (int64_t)(r->nr_at_end - h->nr_retired);
	if (*cause != HART_BUDGET || r->left == 0)
		return true;
	h->address = r->address;
	if (h->loop_left > 0) {
		*cause = hart_interpret(h, (uint64_t)r->left);
		return true;
	}
	r->slot = (h->pc - h->code->base) / 2;
	return false;
}

/* At a slot without host code. True: the run is over. */
static bool go_on_without(struct run *r, enum hart_cause *cause)
{
	struct host_translation *t = r->t;
	const struct slot *s = &t->code->slots[r->slot];
	uint32_t heat = t->table[r->slot], most = s->nr_left;
	if (s->executor == EXECUTOR_undecoded || heat == TRACE_NEVER_TRANSLATED)
		return interpret(r, 1, cause);
	if (!t->is_fixed) {
		t->table[r->slot] = heat < MOST_HOT ? ++heat : heat;
		if (heat >= t->hot) {
			translate_hot(t, r->slot);
			return false;
		}
	}
	return interpret(r, most, cause);
}

static struct host_routine routine_at(const struct host_translation *t, uint32_t at)
{
	union {
		void *object;
		host_enter *function;
	} enter = {t->e.base};
	return (struct host_routine){enter.function, t->e.base + at};
}

static struct host_exit enter(const struct host_translation *t, struct hart *h, uint32_t at, int64_t left,
			      uint64_t nr_at_end)
{
	struct host_routine r = routine_at(t, at);
	return r.enter(h, r.code, left, (uintptr_t)h->data - h->data_base, nr_at_end);
}

/* Goes on where host code was left, unless that was the end. True: it was, by *cause. */
static bool go_on(struct run *r, struct host_exit exit, enum hart_cause *cause)
{
	const struct slot *slots = r->t->code->slots;
	r->left = exit.left;
	r->slot = (uint32_t)exit.slot_and_reason;
	switch (exit.slot_and_reason >> 32) {
	case EXIT_RETURNED:
		*cause = stop(r, HART_RETURNED, HART_RETURN_STUB);
		return true;
	case EXIT_STOPPED:
		*cause = (enum hart_cause)r->h->cause;
		return true;
	case EXIT_SHORT:
		return interpret(r, UINT32_MAX, cause);
	case EXIT_INTERPRET:
		return interpret(r, slots[r->slot].nr_left, cause);
	default:
		if (r->left > 0)
			return false;
		*cause = stop_for_budget(r);
		return true;
	}
}

/* Runs to the end from r->slot on. */
static __attribute__((noinline)) enum hart_cause run_on(struct run *r)
{
	enum hart_cause cause;
	bool is_over;
	do {
		uint32_t at = r->t->table[r->slot];
		r->h->cause = HART_NONE;
		is_over = at < TRACE_HEATS ? go_on_without(r, &cause)
					   : go_on(r, enter(r->t, r->h, at, r->left, r->nr_at_end), &cause);
	} while (!is_over);
	return cause;
}

static enum hart_cause run_routine_on(struct hart *h, struct host_exit exit, uint64_t nr_at_end)
{
	struct run r = {.h = h, .t = own(h->translation), .nr_at_end = nr_at_end, .address = h->address};
	enum hart_cause cause;
	return go_on(&r, exit, &cause) ? cause : run_on(&r);
}

/* What is not entered at once. */
static __attribute__((noinline)) enum hart_cause run_from(struct hart *h, uint64_t budget)
{
	struct host_translation *t = own(h->translation);
	uint32_t distance = h->pc - t->code_base;
	int64_t left = budget > INT64_MAX ? INT64_MAX : (int64_t)budget;
	if (h->cause > HART_INPUT || left == 0 || h->loop_left > 0 || distance > t->code_bytes)
		return hart_interpret(h, budget);
	struct run r = {h, t, left, h->nr_retired + (uint64_t)left, distance / 2, h->address};
	return run_on(&r);
}

static enum hart_cause run_translated(struct hart *h, uint64_t budget)
{
	const struct host_translation *t = own(h->translation);
	uint32_t distance = h->pc - t->code_base;
	if (__builtin_expect(h->cause > HART_INPUT || budget - 1 >= INT64_MAX || h->loop_left > 0 ||
				     distance > t->code_bytes || t->table[distance / 2] < TRACE_HEATS,
			     0))
		return run_from(h, budget);
	h->cause = HART_NONE;
	return host_routine_run(h, routine_at(t, t->table[distance / 2]), budget);
}

static struct host_routine find_routine(const struct translation *translation, uint32_t entry)
{
	const struct host_translation *t = own_const(translation);
	uint32_t distance = entry - t->code_base;
	if (!t->is_fixed || distance % 2 != 0 || distance >= t->code_bytes || t->table[distance / 2] < TRACE_HEATS)
		return (struct host_routine){NULL, NULL};
	return routine_at(t, t->table[distance / 2]);
}

static void free_translation(struct translation *t)
{
	release(own(t));
}

const struct translator_ops host_translator = {
	.make = translation_new,
	.free = free_translation,
	.discard = discard,
	.run = run_translated,
	.find = find_routine,
	.run_on = run_routine_on,
};
