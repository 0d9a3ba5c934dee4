/* The published graph of an in-order core: all edges lead from older instructions to younger ones. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/graph/graph_internal.h"

/* The released program keeps its vertices in tables of this size, which it does not clear: a vertex is never earlier
 * than the same vertex of the instruction WINDOW before it. */
#define WINDOW 400u

/* Cycles before the result of a load can be used, from M on, with Load_Dependent_Early_Issue. */
#define EARLY_LOAD_CYCLES 2u

/* Kinds of units, with their cycles: in all, before operands are needed, before the next instruction can issue. */
enum unit_kind { UNIT_INT, UNIT_MUL, UNIT_DIV, UNIT_FP, UNIT_LSU, NR_UNIT_KINDS, UNIT_NONE = NR_UNIT_KINDS };

static const struct timing {
	uint32_t total, independent, next_issue;
} timings[] = {
	[UNIT_INT] = {3, 2, 1},
	[UNIT_MUL] = {3, 0, 1},
	[UNIT_DIV] = {9, 0, 9},
	[UNIT_FP] = {6, 2, 1},
	[UNIT_LSU] = {GRAPH_LSU_CYCLES, 1, 1},
	[UNIT_NONE] = {1, 0, 0},
};

#define MAX_TOTAL 9u

static const uint8_t unit_kinds[] = {
	[GRAPH_INT] = UNIT_INT,	   [GRAPH_INT_MUL] = UNIT_MUL,	[GRAPH_INT_DIV] = UNIT_DIV, [GRAPH_FP] = UNIT_FP,
	[GRAPH_FP_MUL] = UNIT_FP,  [GRAPH_FP_DIV] = UNIT_FP,	[GRAPH_LOAD] = UNIT_NONE,   [GRAPH_STORE] = UNIT_NONE,
	[GRAPH_BRANCH] = UNIT_INT, [GRAPH_SYSCALL] = UNIT_NONE, [GRAPH_ATOMIC] = UNIT_NONE, [GRAPH_OTHER] = UNIT_NONE,
};

struct row {
	struct graph_vertex f, d, e, m, c;
	uint8_t class, kind, instance; /* its unit; those of accesses count as UNIT_NONE here */
};

struct unit {
	uint64_t users[MAX_TOTAL];	     /* numbers + 1 of the last ones, `total` of them; 0: none */
	struct graph_vertex ends[MAX_TOTAL]; /* their C, of accesses M */
	unsigned head;			     /* the oldest of them */
};

#define MAX_UNITS 256u
#define MAX_ACCESSES 64u

struct writer {
	uint64_t number;
	uint32_t cycles; /* of a load: as long as this is short, nothing waits for it */
	uint8_t class;
	bool is_load, is_known;
	struct graph_vertex from; /* of a load: M, or C without early issue */
};

struct access {
	struct graph_vertex m;
	uint32_t cycles;
	uint8_t class;
	bool is_known;
};

struct one_pass {
	const struct graph_config *c;
	struct graph_path *path;
	uint64_t number; /* of the next instruction */
	struct row rows[WINDOW];
	uint32_t at; /* number % WINDOW */
	struct writer writers[NR_GRAPH_REGISTERS];
	struct unit units[NR_UNIT_KINDS][MAX_UNITS];
	uint32_t nr_units[NR_UNIT_KINDS], next_unit[NR_UNIT_KINDS];
	struct access accesses[MAX_ACCESSES];
	uint32_t next_access;
	uint64_t last_access;	     /* number + 1 */
	uint64_t last_misprediction; /* the same, of those whose successor is older than the next instruction */
	bool previous_mispredicted, previous_was_branch;
	uint64_t linear_pc; /* after the instruction before */
	/* The last instruction that is not an access, for loads that issue late. */
	uint64_t last_other; /* number + 1 */
	struct graph_vertex last_other_e;
	uint32_t last_other_cycles;
	uint8_t last_other_class;
	struct graph_vertex last;
};

/* Edges from E of other instructions to E: of several from one instruction only the heaviest counts. */
struct parents {
	unsigned nr;
	uint64_t number[GRAPH_MAX_READS + 3];
	uint32_t cycles[GRAPH_MAX_READS + 3];
};

static void add_parent(struct parents *p, uint64_t number, uint32_t cycles)
{
	unsigned i = 0;
	while (i < p->nr && p->number[i] != number)
		i++;
	if (i == p->nr) {
		p->number[p->nr] = number;
		p->cycles[p->nr++] = cycles;
	} else if (p->cycles[i] < cycles) {
		p->cycles[i] = cycles;
	}
}

static void *new_state(const struct graph_config *c, struct graph_path *path, uint64_t seed)
{
	struct one_pass *s = calloc(1, sizeof(*s));
	(void)seed;
	if (!s)
		return NULL;
	s->c = c;
	s->path = path;
	s->nr_units[UNIT_INT] = c->int_alu_count;
	s->nr_units[UNIT_MUL] = c->int_mul_count;
	s->nr_units[UNIT_DIV] = c->int_div_count;
	s->nr_units[UNIT_FP] = c->fpu_count;
	s->nr_units[UNIT_LSU] = c->lsu_count;
	return s;
}

/* The row of the instruction `distance` before the next one, 1 to WINDOW. */
static struct row *row_before(struct one_pass *s, uint64_t distance)
{
	return &s->rows[s->at >= distance ? s->at - distance : s->at + WINDOW - distance];
}

/* Whether `distance` instructions take less than `cycles` to issue: else an edge cannot delay anything. */
static bool is_near(const struct one_pass *s, uint64_t distance, uint64_t cycles)
{
	return distance < cycles * s->c->issue_bandwidth;
}

/* Whether no misprediction interrupts an edge over `distance`. */
static bool is_uninterrupted(const struct one_pass *s, uint64_t distance)
{
	return s->last_misprediction == 0 || s->number - (s->last_misprediction - 1) > distance;
}

/* Whether there is an edge over `distance` that mispredictions interrupt. */
static bool reaches_back(const struct one_pass *s, uint64_t distance)
{
	return s->number >= distance && is_uninterrupted(s, distance);
}

/* The distance to the last access if it is at most `bandwidth`, and no misprediction interrupts that; 0: there is none.
 */
static uint64_t access_back(const struct one_pass *s, uint64_t bandwidth)
{
	uint64_t distance = s->number + 1 - s->last_access;
	return s->last_access && distance <= bandwidth && is_uninterrupted(s, bandwidth) ? distance : 0;
}

static void settle_fetch(struct one_pass *s, const struct graph_insn *insn, struct row *row)
{
	struct graph_best f = graph_best_of(row->f);
	uint32_t cycles = insn->fetch_cycles;
	if (reaches_back(s, s->c->fetch_bandwidth))
		graph_raise(&f, row_before(s, s->c->fetch_bandwidth)->f, 1, GRAPH_BY_GOOD_FETCH_HIT);
	if (s->previous_mispredicted) {
		uint32_t total = timings[UNIT_INT].total, bad = s->c->misprediction_penalty + cycles;
		struct graph_vertex e = row_before(s, 1)->e;
		if (e.length + total + bad >= f.to.length)
			graph_raise(&f, graph_after_misprediction(s->path, e, total), bad,
				    graph_fetch_cause(bad, false));
	} else if (s->number > 0) {
		if (s->previous_was_branch && insn->pc != s->linear_pc)
			cycles += s->c->prediction_cycles;
		graph_raise(&f, row_before(s, 1)->f, cycles, graph_fetch_cause(cycles, true));
	}
	row->f = graph_settle(s->path, &f);
}

static void settle_dispatch(struct one_pass *s, struct row *row)
{
	const struct graph_config *c = s->c;
	struct graph_best d = graph_best_of(row->d);
	graph_raise(&d, row->f, c->decode_cycles, GRAPH_BY_DECODE);
	if (reaches_back(s, c->dispatch_bandwidth))
		graph_raise(&d, row_before(s, c->dispatch_bandwidth)->d, 1, GRAPH_BY_DISPATCH);
	if (!s->previous_mispredicted && s->number > 0 && c->dispatch_bandwidth > 1)
		graph_raise(&d, row_before(s, 1)->d, 0, GRAPH_BY_DISPATCH);
	row->d = graph_settle(s->path, &d);
}

/* Edges from what writes the registers that are read. */
static void add_registers(struct one_pass *s, const struct graph_insn *insn, uint32_t independent, struct graph_best *e,
			  struct parents *parents)
{
	for (unsigned i = 0; i < GRAPH_MAX_READS && insn->reads[i]; i++) {
		const struct writer *w = &s->writers[insn->reads[i]];
		if (!w->is_known)
			continue;
		uint32_t cycles = w->cycles;
		if (!w->is_load || s->c->load_dependent_early_issue)
			cycles = cycles > independent ? cycles - independent : 0;
		if (!w->is_load) {
			add_parent(parents, w->number, cycles);
		} else if (is_near(s, s->number - w->number, cycles)) {
			if (s->c->load_dependent_early_issue)
				graph_raise(e, w->from, cycles, graph_memory_cause((enum graph_class)w->class, cycles));
			else
				graph_raise(e, w->from, 0, GRAPH_BY_COMMIT);
		}
	}
}

/* Takes the next unit, in turn, and adds the edges from its users. */
static struct unit *take_unit_in_turn(struct one_pass *s, enum unit_kind kind, uint8_t *instance, struct graph_best *e,
				      struct parents *parents)
{
	*instance = (uint8_t)s->next_unit[kind];
	struct unit *u = &s->units[kind][*instance];
	uint32_t total = timings[kind].total;
	s->next_unit[kind] = *instance + 1u == s->nr_units[kind] ? 0 : *instance + 1u;
	uint64_t last = u->users[u->head == 0 ? total - 1 : u->head - 1], oldest = u->users[u->head];
	if (last)
		add_parent(parents, last - 1, timings[kind].next_issue);
	if (oldest && s->number - (oldest - 1) < WINDOW)
		graph_raise(e, u->ends[u->head], 0, GRAPH_BY_COMMIT);
	u->users[u->head] = s->number + 1;
	return u;
}

/* Edges from E to E, and between C of instructions that use the same unit, which keep their distance. The last parent
 * comes first, as in the released program: of equal paths the last one wins. */
static void raise_by_parents(struct one_pass *s, const struct parents *parents, const struct row *row,
			     struct graph_best *e, struct graph_best *c)
{
	for (unsigned i = parents->nr; i-- > 0;) {
		uint64_t distance = s->number - parents->number[i];
		uint32_t cycles = parents->cycles[i];
		if (!is_near(s, distance, cycles))
			continue;
		const struct row *from = row_before(s, distance);
		graph_raise(e, from->e, cycles, graph_execute_cause((enum graph_class)from->class));
		if (row->kind != UNIT_NONE && row->kind == from->kind && row->instance == from->instance)
			graph_raise(c, from->c, cycles, GRAPH_BY_COMMIT);
	}
}

/* Issue edges. *in_order says whether one from the instruction before is still needed. */
static void add_issue(struct one_pass *s, struct graph_best *e, struct parents *parents, bool *in_order)
{
	const struct graph_config *c = s->c;
	if (reaches_back(s, c->issue_bandwidth)) {
		const struct row *from = row_before(s, c->issue_bandwidth);
		graph_raise(e, from->e, 1, graph_execute_cause((enum graph_class)from->class));
		add_parent(parents, s->number - c->issue_bandwidth, 1);
	}
	uint64_t distance = access_back(s, c->mem_issue_bandwidth);
	if (distance) {
		const struct row *from = row_before(s, distance);
		graph_raise(e, from->e, 1, graph_execute_cause((enum graph_class)from->class));
		add_parent(parents, s->number - distance, 1);
		if (distance == 1)
			*in_order = false;
	}
}

static void settle_memory(struct one_pass *s, const struct graph_insn *insn, struct row *row)
{
	const struct graph_config *c = s->c;
	struct graph_best m = graph_best_of(row->m);
	graph_raise(&m, row->e, GRAPH_LSU_CYCLES, graph_execute_cause((enum graph_class)insn->class));
	const struct access *oldest = &s->accesses[s->next_access];
	if (insn->loads && oldest->is_known)
		graph_raise(&m, oldest->m, oldest->cycles,
			    graph_memory_cause((enum graph_class)oldest->class, oldest->cycles));
	for (uint32_t i = 0; i < c->max_mem_accesses && insn->stores; i++) {
		const struct access *a = &s->accesses[i];
		if (a->is_known)
			graph_raise(&m, a->m, a->cycles, graph_memory_cause((enum graph_class)a->class, a->cycles));
	}
	if (s->last_other && is_near(s, s->number + 1 - s->last_other, s->last_other_cycles))
		graph_raise(&m, s->last_other_e, s->last_other_cycles,
			    graph_execute_cause((enum graph_class)s->last_other_class));
	row->m = graph_settle(s->path, &m);
}

static void settle_commit(struct one_pass *s, const struct graph_insn *insn, uint32_t cycles, struct graph_best *c,
			  struct row *row)
{
	const struct graph_config *k = s->c;
	struct graph_best best = graph_best_of(row->c);
	enum graph_class class = (enum graph_class)insn->class;
	bool in_order = s->number > 0 && k->commit_bandwidth > 1;
	if (insn->loads || insn->stores) {
		uint32_t memory = insn->memory_cycles + k->execute_to_commit_cycles;
		graph_raise(&best, row->m, memory, graph_memory_cause(class, memory));
	} else {
		graph_raise(&best, row->e, cycles + k->execute_to_commit_cycles, graph_execute_cause(class));
	}
	if (reaches_back(s, k->commit_bandwidth))
		graph_raise(&best, row_before(s, k->commit_bandwidth)->c, 1, GRAPH_BY_COMMIT);
	uint64_t distance = access_back(s, k->mem_commit_bandwidth);
	if (distance) {
		graph_raise(&best, row_before(s, distance)->c, 1, GRAPH_BY_COMMIT);
		in_order = in_order && distance != 1;
	}
	if (in_order && !s->previous_mispredicted)
		graph_raise(&best, row_before(s, 1)->c, 0, GRAPH_BY_COMMIT);
	if (c->to.length >= best.to.length)
		best = *c;
	row->c = graph_settle(s->path, &best);
}

/* What later instructions need to know of this one. */
static void remember(struct one_pass *s, const struct graph_insn *insn, const struct row *row, uint32_t cycles,
		     struct unit *unit)
{
	bool is_access = insn->loads || insn->stores;
	if (unit) {
		unit->ends[unit->head] = is_access ? row->m : row->c;
		unit->head = unit->head + 1 == timings[is_access ? UNIT_LSU : row->kind].total ? 0 : unit->head + 1;
	}
	if (is_access) {
		s->last_access = s->number + 1;
		s->accesses[s->next_access] = (struct access){row->m, insn->memory_cycles, insn->class, true};
		s->next_access = s->next_access + 1 == s->c->max_mem_accesses ? 0 : s->next_access + 1;
	} else if (row->kind != UNIT_NONE && !s->c->load_early_issue) {
		s->last_other = s->number + 1;
		s->last_other_e = row->e;
		s->last_other_cycles = cycles;
		s->last_other_class = insn->class;
	}
	if (insn->writes) {
		bool early = s->c->load_dependent_early_issue;
		s->writers[insn->writes] = (struct writer){
			.number = s->number,
			.cycles = !insn->loads ? cycles
				  : early      ? EARLY_LOAD_CYCLES
					       : insn->memory_cycles,
			.class = insn->class,
			.is_load = insn->loads,
			.is_known = !insn->predicts,
			.from = early ? row->m : row->c,
		};
	}
	if (s->previous_mispredicted)
		s->last_misprediction = s->number;
	s->previous_mispredicted = insn->mispredicted;
	s->previous_was_branch = insn->class == GRAPH_BRANCH;
	s->linear_pc = insn->pc + insn->bytes;
	s->last = row->c;
	s->number++;
	s->at = s->at + 1 == WINDOW ? 0 : s->at + 1;
}

static enum sahm_status add(void *state, const struct graph_insn *insn, struct sahm_err *err)
{
	struct one_pass *s = state;
	struct row *row = &s->rows[s->at];
	bool is_access = insn->loads || insn->stores, in_order = s->number > 0 && s->c->issue_bandwidth > 1;
	enum unit_kind kind = is_access ? UNIT_LSU : (enum unit_kind)unit_kinds[insn->class];
	uint32_t cycles = timings[kind].total + (is_access ? insn->memory_cycles : 0);
	struct unit *unit = NULL;
	struct parents parents;
	(void)err;
	parents.nr = 0;
	settle_fetch(s, insn, row);
	settle_dispatch(s, row);
	struct graph_best e = graph_best_of(row->e), c = graph_best_of((struct graph_vertex){-1, 0});
	graph_raise(&e, row->d, s->c->dispatch_cycles, GRAPH_BY_DISPATCH);
	add_issue(s, &e, &parents, &in_order);
	if (in_order && !s->previous_mispredicted) {
		const struct row *from = row_before(s, 1);
		graph_raise(&e, from->e, 0, graph_execute_cause((enum graph_class)from->class));
	}
	add_registers(s, insn, timings[kind].independent, &e, &parents);
	row->class = insn->class;
	row->kind = is_access ? UNIT_NONE : (uint8_t)kind;
	if (kind != UNIT_NONE)
		unit = take_unit_in_turn(s, kind, &row->instance, &e, &parents);
	raise_by_parents(s, &parents, row, &e, &c);
	row->e = graph_settle(s->path, &e);
	if (is_access)
		settle_memory(s, insn, row);
	settle_commit(s, insn, cycles, &c, row);
	remember(s, insn, row, cycles, unit);
	return SAHM_OK;
}

static enum sahm_status finish(void *state, struct graph_vertex *last, struct sahm_err *err)
{
	const struct one_pass *s = state;
	(void)err;
	*last = s->last;
	return SAHM_OK;
}

static size_t vertices(void *state, struct graph_vertex **list)
{
	struct one_pass *s = state;
	size_t nr = 0;
	for (size_t i = 0; i < WINDOW; i++) {
		struct row *r = &s->rows[i];
		list[nr++] = &r->f;
		list[nr++] = &r->d;
		list[nr++] = &r->e;
		list[nr++] = &r->m;
		list[nr++] = &r->c;
	}
	for (size_t i = 0; i < NR_GRAPH_REGISTERS; i++)
		list[nr++] = &s->writers[i].from;
	for (size_t kind = 0; kind < NR_UNIT_KINDS; kind++)
		for (size_t i = 0; i < s->nr_units[kind]; i++)
			for (size_t user = 0; user < timings[kind].total; user++)
				list[nr++] = &s->units[kind][i].ends[user];
	for (size_t i = 0; i < s->c->max_mem_accesses; i++)
		list[nr++] = &s->accesses[i].m;
	list[nr++] = &s->last_other_e;
	list[nr++] = &s->last;
	return nr;
}

const struct graph_ops graph_one_pass = {
	.new_state = new_state,
	.free_state = free,
	.add = add,
	.finish = finish,
	.vertices = vertices,
};
