#include "tests/reference/refgraph.h"

#include <stdlib.h>
#include <string.h>

/* ---- Explicit graphs ---- */

struct edge {
	size_t from, to;
	int64_t cycles;
	size_t next_in, next_out; /* + 1; 0: none */
};

struct explicit_graph {
	size_t nr_vertices, nr_edges, room;
	struct edge *edges;
	size_t *first_in, *first_out, *last_out; /* + 1 */
	int64_t *lengths;			 /* -1: not known */
};

struct explicit_graph *explicit_graph_new(size_t nr)
{
	struct explicit_graph *g = calloc(1, sizeof(*g));
	g->nr_vertices = nr;
	g->first_in = calloc(nr, sizeof(*g->first_in));
	g->first_out = calloc(nr, sizeof(*g->first_out));
	g->last_out = calloc(nr, sizeof(*g->last_out));
	g->lengths = calloc(nr, sizeof(*g->lengths));
	return g;
}

void explicit_graph_free(struct explicit_graph *g)
{
	free(g->edges);
	free(g->first_in);
	free(g->first_out);
	free(g->last_out);
	free(g->lengths);
	free(g);
}

void explicit_graph_edge(struct explicit_graph *g, size_t from, size_t to, int64_t cycles)
{
	if (g->nr_edges == g->room) {
		g->room = g->room ? 2 * g->room : 64;
		g->edges = realloc(g->edges, g->room * sizeof(*g->edges));
	}
	g->edges[g->nr_edges++] = (struct edge){from, to, cycles, g->first_in[to], 0};
	g->first_in[to] = g->nr_edges;
	if (g->last_out[from])
		g->edges[g->last_out[from] - 1].next_out = g->nr_edges;
	else
		g->first_out[from] = g->nr_edges;
	g->last_out[from] = g->nr_edges;
}

static int64_t visit(struct explicit_graph *g, size_t to)
{
	if (g->lengths[to] >= 0)
		return g->lengths[to];
	int64_t longest = 0;
	for (size_t e = g->first_in[to]; e; e = g->edges[e - 1].next_in) {
		int64_t length = visit(g, g->edges[e - 1].from) + g->edges[e - 1].cycles;
		if (length > longest)
			longest = length;
	}
	return g->lengths[to] = longest;
}

int64_t explicit_graph_length(struct explicit_graph *g, size_t to)
{
	for (size_t i = 0; i < g->nr_vertices; i++)
		g->lengths[i] = -1;
	return visit(g, to);
}

/* ---- The edges of a trace ---- */

enum { F, D, E, M, C, NR_KINDS };

struct building {
	const struct graph_config *c;
	const struct graph_insn *insns;
	size_t nr;
	struct explicit_graph *g;
};

static size_t vertex(size_t i, unsigned kind)
{
	return i * NR_KINDS + kind;
}

static void edge(struct building *b, size_t from, unsigned from_kind, size_t to, unsigned to_kind, int64_t cycles)
{
	explicit_graph_edge(b->g, vertex(from, from_kind), vertex(to, to_kind), cycles);
}

static bool is_access(const struct graph_insn *in)
{
	return in->loads || in->stores;
}

/* "Since a misprediction": no mispredicted instruction whose successor is older than i is n or fewer before i. */
static bool since(const struct building *b, size_t i, size_t n)
{
	if (i < n)
		return false;
	for (size_t m = i - n; m + 1 < i; m++)
		if (b->insns[m].mispredicted)
			return false;
	return true;
}

static bool last_access_before(const struct building *b, size_t i, size_t *last)
{
	for (*last = i; (*last)-- > 0;)
		if (is_access(&b->insns[*last]))
			return true;
	return false;
}

/* Edges of both cores, except those to C from E and M. `taken_only`: prediction cycles only after a branch that was
 * taken. */
static void add_pipeline(struct building *b, size_t i, int64_t branch_cycles, bool taken_only)
{
	const struct graph_config *c = b->c;
	const struct graph_insn *in = &b->insns[i], *before = i > 0 ? in - 1 : NULL;
	edge(b, i, F, i, D, c->decode_cycles);
	edge(b, i, D, i, E, c->dispatch_cycles);
	if (is_access(in))
		edge(b, i, E, i, M, 1);
	if (since(b, i, c->fetch_bandwidth))
		edge(b, i - c->fetch_bandwidth, F, i, F, 1);
	if (since(b, i, c->dispatch_bandwidth))
		edge(b, i - c->dispatch_bandwidth, D, i, D, 1);
	if (since(b, i, c->commit_bandwidth))
		edge(b, i - c->commit_bandwidth, C, i, C, 1);
	if (!before)
		return;
	if (before->mispredicted) {
		edge(b, i - 1, E, i, F, branch_cycles + c->misprediction_penalty + in->fetch_cycles);
		return;
	}
	bool predicts = before->class == GRAPH_BRANCH && (!taken_only || in->pc != before->pc + before->bytes);
	edge(b, i - 1, F, i, F, in->fetch_cycles + (predicts ? c->prediction_cycles : 0));
	if (c->dispatch_bandwidth > 1)
		edge(b, i - 1, D, i, D, 0);
}

/* ---- In order ---- */

struct kind {
	int64_t total, independent, next_issue;
	int unit; /* -1: none */
};

static struct kind kind_of(const struct graph_insn *in)
{
	if (is_access(in))
		return (struct kind){1, 1, 1, 4};
	switch (in->class) {
	case GRAPH_INT:
	case GRAPH_BRANCH:
		return (struct kind){3, 2, 1, 0};
	case GRAPH_INT_MUL:
		return (struct kind){3, 0, 1, 1};
	case GRAPH_INT_DIV:
		return (struct kind){9, 0, 9, 2};
	case GRAPH_FP:
	case GRAPH_FP_MUL:
	case GRAPH_FP_DIV:
		return (struct kind){6, 2, 1, 3};
	default:
		return (struct kind){1, 0, 0, -1};
	}
}

static int64_t total_of(const struct graph_insn *in)
{
	return kind_of(in).total + (is_access(in) ? in->memory_cycles : 0);
}

/* The instance of its unit that instruction i uses, and *nth: how many used the unit before. */
static size_t instance_of(const struct building *b, size_t i, size_t nr_units, size_t *nth)
{
	int unit = kind_of(&b->insns[i]).unit;
	*nth = 0;
	for (size_t k = 0; k < i; k++)
		*nth += kind_of(&b->insns[k]).unit == unit;
	return *nth % nr_units;
}

/* The instruction that used its unit and instance `back` uses before instruction i; false: there is none. */
static bool user_before(const struct building *b, size_t i, size_t nr_units, size_t back, size_t *user)
{
	int unit = kind_of(&b->insns[i]).unit;
	size_t uses = back * nr_units;
	for (*user = i; uses > 0 && (*user)-- > 0;)
		uses -= kind_of(&b->insns[*user]).unit == unit;
	return uses == 0;
}

static bool writer_before(const struct building *b, size_t i, unsigned reg, size_t *writer)
{
	for (*writer = i; (*writer)-- > 0;)
		if (b->insns[*writer].writes == reg)
			return true;
	return false;
}

struct heaviest {
	int64_t cycles[2000]; /* by distance, -1: none */
};

static void heavier(struct heaviest *h, size_t distance, int64_t cycles)
{
	if (h->cycles[distance] < cycles)
		h->cycles[distance] = cycles;
}

static void add_registers(struct building *b, size_t i, struct heaviest *h)
{
	const struct graph_config *c = b->c;
	int64_t independent = kind_of(&b->insns[i]).independent;
	for (unsigned k = 0; k < GRAPH_MAX_READS && b->insns[i].reads[k]; k++) {
		size_t p;
		if (!writer_before(b, i, b->insns[i].reads[k], &p))
			continue;
		int64_t slots = (int64_t)((i - p) / c->issue_bandwidth), cycles;
		if (!b->insns[p].loads) {
			cycles = total_of(&b->insns[p]) - independent;
			heavier(h, i - p, cycles > 0 ? cycles : 0);
		} else if (c->load_dependent_early_issue) {
			cycles = 2 - independent;
			if (cycles > slots)
				edge(b, p, M, i, E, cycles);
		} else if (b->insns[p].memory_cycles > slots) {
			edge(b, p, C, i, E, 0);
		}
	}
}

static void add_units(struct building *b, size_t i, struct heaviest *h)
{
	const struct graph_config *c = b->c;
	const uint32_t nr_units[] = {c->int_alu_count, c->int_mul_count, c->int_div_count, c->fpu_count, c->lsu_count};
	struct kind k = kind_of(&b->insns[i]);
	size_t user;
	if (k.unit < 0)
		return;
	if (user_before(b, i, nr_units[k.unit], 1, &user))
		heavier(h, i - user, k.next_issue);
	if (user_before(b, i, nr_units[k.unit], (size_t)k.total, &user) && i - user < 400)
		edge(b, user, is_access(&b->insns[i]) ? M : C, i, E, 0);
}

static void add_heaviest(struct building *b, size_t i, const struct heaviest *h)
{
	const struct graph_config *c = b->c;
	const uint32_t nr_units[] = {c->int_alu_count, c->int_mul_count, c->int_div_count, c->fpu_count};
	int unit = kind_of(&b->insns[i]).unit;
	size_t nth;
	for (size_t distance = 1; distance <= i && distance < 2000; distance++) {
		int64_t cycles = h->cycles[distance];
		size_t p = i - distance;
		if (cycles < 0 || (int64_t)(distance / c->issue_bandwidth) >= cycles)
			continue;
		edge(b, p, E, i, E, cycles);
		if (unit >= 0 && unit < 4 && kind_of(&b->insns[p]).unit == unit &&
		    instance_of(b, i, nr_units[unit], &nth) == instance_of(b, p, nr_units[unit], &nth))
			edge(b, p, C, i, C, cycles);
	}
}

static void add_memory(struct building *b, size_t i)
{
	const struct graph_config *c = b->c;
	const struct graph_insn *in = &b->insns[i];
	size_t p = i, nr = 0;
	while (nr < c->max_mem_accesses && last_access_before(b, p, &p)) {
		nr++;
		if (in->stores || nr == c->max_mem_accesses)
			edge(b, p, M, i, M, b->insns[p].memory_cycles);
	}
	for (size_t k = i; k-- > 0 && !c->load_early_issue;) {
		if (is_access(&b->insns[k]) || kind_of(&b->insns[k]).unit < 0)
			continue;
		if ((int64_t)((i - k) / c->issue_bandwidth) < total_of(&b->insns[k]))
			edge(b, k, E, i, M, total_of(&b->insns[k]));
		break;
	}
}

static void add_in_order(struct building *b, size_t i)
{
	static struct heaviest h;
	const struct graph_config *c = b->c;
	const struct graph_insn *in = &b->insns[i];
	bool issues = i > 0 && c->issue_bandwidth > 1, commits = i > 0 && c->commit_bandwidth > 1;
	bool after_misprediction = i > 0 && b->insns[i - 1].mispredicted;
	size_t last;
	memset(&h, -1, sizeof(h));
	add_pipeline(b, i, 3, true);
	if (is_access(in))
		edge(b, i, M, i, C, (int64_t)in->memory_cycles + c->execute_to_commit_cycles);
	else
		edge(b, i, E, i, C, total_of(in) + c->execute_to_commit_cycles);
	if (since(b, i, c->issue_bandwidth))
		edge(b, i - c->issue_bandwidth, E, i, E, 1);
	if (last_access_before(b, i, &last)) {
		if (i - last <= c->mem_issue_bandwidth &&
		    (i < c->mem_issue_bandwidth || since(b, i, c->mem_issue_bandwidth)) &&
		    (i >= c->mem_issue_bandwidth || since(b, i, i))) {
			edge(b, last, E, i, E, 1);
			issues = issues && i - last > 1;
		}
		if (i - last <= c->mem_commit_bandwidth &&
		    (i < c->mem_commit_bandwidth || since(b, i, c->mem_commit_bandwidth)) &&
		    (i >= c->mem_commit_bandwidth || since(b, i, i))) {
			edge(b, last, C, i, C, 1);
			commits = commits && i - last > 1;
		}
	}
	if (issues && !after_misprediction)
		edge(b, i - 1, E, i, E, 0);
	if (commits && !after_misprediction)
		edge(b, i - 1, C, i, C, 0);
	add_registers(b, i, &h);
	add_units(b, i, &h);
	add_heaviest(b, i, &h);
	if (is_access(in))
		add_memory(b, i);
	for (unsigned k = F; k <= C && i >= 400; k++)
		if (k != M || is_access(in))
			for (size_t from = i - 400;; from -= 400) {
				if (k != M || is_access(&b->insns[from])) {
					edge(b, from, k, i, k, 0);
					break;
				}
				if (from < 400)
					break;
			}
}

/* ---- Out of order ---- */

static int64_t latency_of(const struct graph_insn *in)
{
	static const int64_t latencies[] = {
		[GRAPH_INT] = 1,   [GRAPH_BRANCH] = 1, [GRAPH_INT_MUL] = 3, [GRAPH_INT_DIV] = 20,
		[GRAPH_FP] = 2,	   [GRAPH_FP_MUL] = 4, [GRAPH_FP_DIV] = 12, [GRAPH_LOAD] = 1,
		[GRAPH_STORE] = 1, [GRAPH_ATOMIC] = 1, [GRAPH_SYSCALL] = 1, [GRAPH_OTHER] = 1,
	};
	if (is_access(in))
		return 1 + (in->loads ? in->memory_cycles : 0);
	return latencies[in->class];
}

static void add_out_of_order(struct building *b, size_t i)
{
	const struct graph_config *c = b->c;
	const struct graph_insn *in = &b->insns[i];
	bool commits = i > 0 && c->commit_bandwidth > 1 && !b->insns[i - 1].mispredicted;
	size_t p;
	add_pipeline(b, i, 1, false);
	if (is_access(in))
		edge(b, i, M, i, C, latency_of(in) - 1 + c->execute_to_commit_cycles);
	else
		edge(b, i, E, i, C, latency_of(in) + c->execute_to_commit_cycles);
	if (last_access_before(b, i, &p) && i - p == c->mem_commit_bandwidth && since(b, i, c->mem_commit_bandwidth)) {
		edge(b, p, C, i, C, 1);
		commits = commits && i - p > 1;
	}
	if (commits)
		edge(b, i - 1, C, i, C, 0);
	if (i >= c->instr_buffer_size)
		edge(b, i - c->instr_buffer_size, C, i, F, 0);
	for (unsigned k = 0; k < GRAPH_MAX_READS && in->reads[k]; k++) {
		if (!writer_before(b, i, in->reads[k], &p) || i - p >= c->instr_buffer_size)
			continue;
		if (b->insns[p].loads)
			edge(b, p, M, i, E, b->insns[p].memory_cycles);
		else
			edge(b, p, E, i, E, latency_of(&b->insns[p]));
	}
}

/* What is taken in turn: the last users of slots, entries and units. */
struct turns {
	size_t nr, next, users[512]; /* + 1 */
};

static size_t take_turn(struct turns *t, size_t user)
{
	size_t last = t->users[t->next];
	t->users[t->next] = user + 1;
	t->next = (t->next + 1) % t->nr;
	return last;
}

struct schedule {
	struct turns issue, queue, units[5], accesses[2];
};

static int unit_of(const struct graph_insn *in)
{
	switch (in->class) {
	case GRAPH_INT:
	case GRAPH_BRANCH:
		return 0;
	case GRAPH_INT_MUL:
	case GRAPH_INT_DIV:
		return 1;
	case GRAPH_FP:
		return 2;
	case GRAPH_FP_MUL:
	case GRAPH_FP_DIV:
		return 3;
	case GRAPH_LOAD:
	case GRAPH_STORE:
		return 4;
	default:
		return -1;
	}
}

static bool is_near(const struct building *b, size_t i, size_t p)
{
	return (i > p ? i - p : p - i) < b->c->instr_buffer_size;
}

static void take_all(struct building *b, struct schedule *s, size_t i)
{
	const struct graph_insn *in = &b->insns[i];
	int unit = unit_of(in);
	size_t p = take_turn(&s->issue, i);
	if (p)
		edge(b, p - 1, E, i, E, 1);
	p = take_turn(&s->queue, i);
	if (p)
		edge(b, p - 1, E, i, E, latency_of(&b->insns[p - 1]));
	if (unit < 0)
		return;
	p = take_turn(&s->units[unit], i);
	if (p && is_near(b, i, p - 1)) {
		const struct graph_insn *user = &b->insns[p - 1];
		bool is_pipelined = user->class != GRAPH_INT_DIV && user->class != GRAPH_FP_DIV;
		edge(b, p - 1, E, i, E, is_pipelined ? 1 : latency_of(user));
	}
	if (unit == 4) {
		p = take_turn(&s->accesses[in->class == GRAPH_STORE], i);
		if (p && is_near(b, i, p - 1))
			edge(b, p - 1, M, i, M, b->insns[p - 1].memory_cycles);
	}
}

static void begin_schedule(struct schedule *s, const struct graph_config *c)
{
	memset(s, 0, sizeof(*s));
	s->issue.nr = c->issue_bandwidth;
	s->queue.nr = c->instr_queue_size;
	s->units[0].nr = c->int_alu_count;
	s->units[1].nr = c->int_mul_div_count;
	s->units[2].nr = c->fp_alu_count;
	s->units[3].nr = c->fp_mul_div_count;
	s->units[4].nr = c->lsu_count;
	s->accesses[0].nr = c->lq_size;
	s->accesses[1].nr = c->sq_size;
}

/* Passes lengths on along all edges from `from`, and from what becomes longer by that. */
static void propagate(struct explicit_graph *g, size_t from)
{
	for (size_t e = g->first_out[from]; e; e = g->edges[e - 1].next_out) {
		const struct edge *out = &g->edges[e - 1];
		if (g->lengths[out->to] < g->lengths[from] + out->cycles) {
			g->lengths[out->to] = g->lengths[from] + out->cycles;
			propagate(g, out->to);
		}
	}
}

/* Lengths of an instruction that was read, in program order. */
static void read_insn(struct building *b, size_t i)
{
	for (unsigned k = F; k <= C; k++)
		for (size_t e = b->g->first_in[vertex(i, k)]; e; e = b->g->edges[e - 1].next_in) {
			const struct edge *in = &b->g->edges[e - 1];
			if (b->g->lengths[in->to] < b->g->lengths[in->from] + in->cycles)
				b->g->lengths[in->to] = b->g->lengths[in->from] + in->cycles;
		}
}

/* The shortest instruction to E of those that were read and are not scheduled. */
static size_t shortest(const struct building *b, const bool *scheduled, size_t head, size_t read)
{
	size_t best = head;
	for (size_t i = head; i < read; i++)
		if (!scheduled[i] && (scheduled[best] || b->g->lengths[vertex(i, E)] < b->g->lengths[vertex(best, E)]))
			best = i;
	return best;
}

/* The paper's sliding window: edges of unread instructions are not followed, as they do not lead to smaller ones. */
static void slide(struct building *b)
{
	struct schedule s;
	bool *scheduled = calloc(b->nr, sizeof(*scheduled));
	size_t head = 0, read = 0, limit = 800;
	begin_schedule(&s, b->c);
	memset(b->g->lengths, 0, b->g->nr_vertices * sizeof(*b->g->lengths));
	while (head < b->nr) {
		for (; read < limit && read < b->nr; read++) {
			add_out_of_order(b, read);
			read_insn(b, read);
		}
		size_t i = shortest(b, scheduled, head, read), before = head, edges = b->g->nr_edges;
		scheduled[i] = true;
		take_all(b, &s, i);
		for (size_t e = edges; e < b->g->nr_edges; e++)
			propagate(b->g, b->g->edges[e].from);
		while (head < b->nr && scheduled[head])
			head++;
		if (head > before && limit - head < 200)
			limit += 200;
	}
	free(scheduled);
}

/* The paper's two passes, with everything in memory. */
static void pass_twice(struct building *b)
{
	struct schedule s;
	size_t *order = calloc(b->nr, sizeof(*order));
	bool *taken = calloc(b->nr, sizeof(*taken));
	begin_schedule(&s, b->c);
	memset(b->g->lengths, 0, b->g->nr_vertices * sizeof(*b->g->lengths));
	for (size_t i = 0; i < b->nr; i++) {
		add_out_of_order(b, i);
		read_insn(b, i);
	}
	for (size_t k = 0, head = 0; k < b->nr; k++) {
		order[k] = shortest(b, taken, head, b->nr);
		taken[order[k]] = true;
		while (head < b->nr && taken[head])
			head++;
	}
	for (size_t k = 0; k < b->nr; k++)
		if (unit_of(&b->insns[order[k]]) >= 0)
			take_all(b, &s, order[k]);
	for (size_t k = 0; k < b->nr; k++)
		for (unsigned kind = E; kind <= C; kind++)
			for (size_t e = b->g->first_out[vertex(order[k], kind)]; e; e = b->g->edges[e - 1].next_out) {
				const struct edge *out = &b->g->edges[e - 1];
				if (out->to % NR_KINDS >= E &&
				    b->g->lengths[out->to] < b->g->lengths[out->from] + out->cycles)
					b->g->lengths[out->to] = b->g->lengths[out->from] + out->cycles;
			}
	free(order);
	free(taken);
}

int64_t refgraph_length(const struct graph_config *c, enum graph_algorithm algorithm, const struct graph_insn *insns,
			size_t nr)
{
	struct building b = {c, insns, nr, explicit_graph_new(nr * NR_KINDS)};
	int64_t length;
	if (algorithm == GRAPH_ONE_PASS) {
		for (size_t i = 0; i < nr; i++)
			add_in_order(&b, i);
		length = explicit_graph_length(b.g, vertex(nr - 1, C));
	} else {
		if (algorithm == GRAPH_SLIDING_EXACT)
			slide(&b);
		else
			pass_twice(&b);
		length = b.g->lengths[vertex(nr - 1, C)];
	}
	explicit_graph_free(b.g);
	return length;
}
