#include "cores/uarch/graph/edge_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* More cycles than there are between the first fetch and the last issue of the blocks in flight. */
#define CALENDAR_CYCLES 16384u
#define STORES_PER_CYCLE 2u
#define REGISTERS_PER_CYCLE 4u
#define PARTITION_INSNS 32u

enum unit {
	UNIT_ALU,
	UNIT_MULTIPLY,
	UNIT_DIVIDE,
	UNIT_FP_ADD,
	UNIT_FP_MULTIPLY,
	UNIT_FP_DIVIDE,
	UNIT_MEMORY,
	NR_UNITS
};

struct operation {
	uint8_t unit, latency;
	bool is_not_pipelined;
};

static const uint8_t nr_units[NR_UNITS] = {8, 2, 2, 2, 2, 1, 2};

/* A time, and the path to it. */
struct vertex {
	uint64_t at;
	struct edge_path path;
};

/* A value that is ready; its path ends with its producer's latency. */
struct value {
	struct vertex ready;
	unsigned partition;
};

/* A load, store or NULL of the last EDGE_LSQ. */
struct queued {
	struct edge_access access;
	uint64_t block;
	struct value value;
};

/* Instructions that began in a cycle, or that have a unit then. */
struct slot {
	uint64_t cycle;
	uint8_t used[NR_UNITS];
};

struct edge_graph {
	struct edge_core core;
	uint64_t nr_blocks, nr_draws, nr_queued;
	uint64_t mispredictions, icache_misses, dcache_misses;
	struct vertex fetch;		     /* BF of the last block */
	uint32_t fetch_cycles;		     /* of the last block */
	struct vertex done[EDGE_MAX_BLOCKS]; /* BC + commit cycles, by block % EDGE_MAX_BLOCKS */
	bool is_mispredicted;		     /* the last block's branch */
	struct vertex resolved;		     /* then: E + latency of it */
	struct value registers[NR_INSN_REGISTERS];
	struct queued queue[EDGE_LSQ];
	struct value values[EDGE_MAX_INSNS]; /* of the block */
	struct slot calendar[CALENDAR_CYCLES];
};

/* ---- Chance ---- */

/* The finalizer of splitmix64 (Steele, Lea and Flood, OOPSLA 2014; constants of Stafford's mix 13). */
static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

bool edge_draw_is_rare(uint64_t seed, enum edge_draw draw, uint64_t number)
{
	static const unsigned pct[] = {[EDGE_DRAW_PREDICTION] = EDGE_RIGHT_PCT,
				       [EDGE_DRAW_ICACHE] = EDGE_ICACHE_PCT,
				       [EDGE_DRAW_DCACHE] = EDGE_DCACHE_PCT};
	uint64_t bits =
		mixed(mixed(seed + UINT64_C(0x9e3779b97f4a7c15) * (draw + 1)) + UINT64_C(0x9e3779b97f4a7c15) * number);
	return ((bits >> 32) * 100 >> 32) >= pct[draw];
}

/* ---- Units ---- */

static struct operation operation_of(const struct edge_insn *in)
{
	/* All others take an ALU for a cycle. */
	static const struct operation operations[NR_INSN_CLASSES] = {
		[INSN_MULTIPLY] = {UNIT_MULTIPLY, 3, false},
		[INSN_DIVIDE] = {UNIT_DIVIDE, 20, true},
		[INSN_FP_ADD] = {UNIT_FP_ADD, 2, false},
		[INSN_FP_CONVERT] = {UNIT_FP_ADD, 2, false},
		[INSN_FP_OTHER] = {UNIT_FP_ADD, 2, false},
		[INSN_VECTOR] = {UNIT_FP_ADD, 2, false},
		[INSN_FP_MULTIPLY] = {UNIT_FP_MULTIPLY, 4, false},
		[INSN_FP_MULTIPLY_ADD] = {UNIT_FP_MULTIPLY, 4, false},
		[INSN_FP_DIVIDE] = {UNIT_FP_DIVIDE, 12, true},
	};
	if (in->kind == EDGE_LOAD)
		return (struct operation){UNIT_MEMORY, EDGE_HIT_CYCLES, false};
	if (in->kind == EDGE_STORE)
		return (struct operation){UNIT_MEMORY, 1, false};
	struct operation o = operations[in->class];
	return o.latency > 0 ? o : (struct operation){UNIT_ALU, 1, false};
}

unsigned edge_latency(const struct edge_insn *in)
{
	return operation_of(in).latency;
}

static struct slot *slot_at(struct edge_graph *g, uint64_t cycle)
{
	struct slot *s = &g->calendar[cycle % CALENDAR_CYCLES];
	assert(s->cycle <= cycle);
	if (s->cycle != cycle)
		*s = (struct slot){.cycle = cycle};
	return s;
}

/* The first cycle at or past `at` with a free unit, which is taken. */
static uint64_t take_unit(struct edge_graph *g, const struct operation *o, uint64_t at)
{
	unsigned busy = o->is_not_pipelined ? o->latency : 1;
	for (unsigned free = 0; free < busy; at++)
		free = slot_at(g, at)->used[o->unit] < nr_units[o->unit] ? free + 1 : 0;
	at -= busy;
	for (unsigned i = 0; i < busy; i++)
		slot_at(g, at + i)->used[o->unit]++;
	return at;
}

/* ---- Vertices ---- */

struct edge_graph *edge_graph_new(const struct edge_core *core)
{
	struct edge_graph *g = calloc(1, sizeof(*g));
	if (g)
		g->core = *core;
	return g;
}

void edge_graph_free(struct edge_graph *g)
{
	free(g);
}

/* The largest bound so far of a vertex, and the path that leads there. */
struct winner {
	uint64_t at;
	const struct vertex *from;
};

static void bound(struct winner *w, uint64_t at, const struct vertex *from)
{
	if (!w->from || at >= w->at)
		*w = (struct winner){at, from};
}

static void fetch_block(struct edge_graph *g)
{
	bool misses = edge_draw_is_rare(g->core.seed, EDGE_DRAW_ICACHE, g->nr_blocks);
	struct winner w = {0, NULL};
	g->icache_misses += misses;
	if (g->nr_blocks == 0)
		return;
	const struct vertex *before = g->is_mispredicted ? &g->resolved : &g->fetch;
	uint64_t cycles = g->is_mispredicted ? (misses ? EDGE_MISS_CYCLES : EDGE_HIT_CYCLES)
					     : g->fetch_cycles + (misses ? EDGE_MISS_CYCLES - EDGE_HIT_CYCLES : 0);
	bound(&w, before->at + cycles, before);
	if (g->nr_blocks >= g->core.nr_blocks) {
		const struct vertex *room = &g->done[(g->nr_blocks - g->core.nr_blocks) % EDGE_MAX_BLOCKS];
		bound(&w, room->at, room);
	}
	if (w.from != &g->fetch)
		g->fetch.path = w.from->path;
	g->fetch.path.block_fetch += w.at - w.from->at;
	g->fetch.at = w.at;
}

static bool overlap(const struct edge_access *a, const struct edge_access *b)
{
	return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

/* The youngest of the last accesses that stores to what `in` loads; or NULL. */
static const struct queued *forwarding_store(const struct edge_graph *g, const struct edge_insn *in)
{
	for (uint64_t back = 1; back <= EDGE_LSQ && back <= g->nr_queued; back++) {
		const struct queued *q = &g->queue[(g->nr_queued - back) % EDGE_LSQ];
		if (q->access.is_store && overlap(&q->access, &in->access))
			return q;
	}
	return NULL;
}

/* The block that has to commit before an entry of the queue is free; NULL: one is. */
static const struct vertex *queue_room(const struct edge_graph *g)
{
	const struct queued *q = &g->queue[g->nr_queued % EDGE_LSQ];
	if (g->nr_queued < EDGE_LSQ || q->block + g->core.nr_blocks <= g->nr_blocks)
		return NULL; /* a block before those in flight has committed: BF has waited for it */
	return &g->done[q->block % EDGE_MAX_BLOCKS];
}

static void issue(struct edge_graph *g, const struct edge_block *b, unsigned i)
{
	const struct edge_insn *in = &b->insns[i];
	struct value *v = &g->values[i];
	struct operation o = operation_of(in);
	struct winner w = {0, NULL};
	uint64_t fetch_cycles = in->fetch_cycles[g->core.format];
	bool is_queued = in->kind == EDGE_LOAD || in->kind == EDGE_STORE || in->kind == EDGE_NULL;
	const struct queued *store = in->kind == EDGE_LOAD ? forwarding_store(g, in) : NULL;
	const struct vertex *room = is_queued ? queue_room(g) : NULL;

	v->partition = g->core.nr_blocks > 1 ? (unsigned)(g->nr_blocks % EDGE_PARTITIONS)
					     : i / PARTITION_INSNS % EDGE_PARTITIONS;
	bound(&w, g->fetch.at + fetch_cycles + g->core.decode_cycles, &g->fetch);
	if (room)
		bound(&w, room->at, room);
	for (unsigned k = 0; k < in->nr_operands + (in->kind == EDGE_READ ? 1u : 0u); k++) {
		const struct value *p =
			in->kind == EDGE_READ ? &g->registers[in->reg] : &g->values[b->operands[in->operands + k]];
		uint64_t further = p->partition != v->partition;
		if (p->ready.at > 0)
			bound(&w, p->ready.at + further, &p->ready);
	}
	if (store)
		bound(&w, store->value.ready.at, &store->value.ready);
	v->ready.path = w.from->path;
	struct edge_path *path = &v->ready.path;
	if (w.from == &g->fetch) {
		path->fetch[in->kind] += fetch_cycles;
		path->decode[in->kind] += g->core.decode_cycles;
	} else {
		path->partition += w.at - w.from->at;
	}
	uint64_t at = take_unit(g, &o, w.at), latency = o.latency;
	path->units[in->kind] += at - w.at;
	path->insns[in->kind]++;
	if (in->kind == EDGE_LOAD && !store && edge_draw_is_rare(g->core.seed, EDGE_DRAW_DCACHE, g->nr_draws)) {
		latency = EDGE_MISS_CYCLES;
		g->dcache_misses++;
	}
	g->nr_draws += in->kind == EDGE_LOAD || in->kind == EDGE_STORE;
	path->execute[in->kind] += latency;
	v->ready.at = at + latency;
	if (is_queued) {
		struct queued *q = &g->queue[g->nr_queued++ % EDGE_LSQ];
		q->access = in->access;
		q->block = g->nr_blocks;
		if (in->kind == EDGE_STORE)
			q->value = *v;
	}
}

static uint64_t commit_cycles(const struct edge_block *b)
{
	uint64_t stores = (b->nr_stores + STORES_PER_CYCLE - 1) / STORES_PER_CYCLE,
		 registers = (b->nr_registers + REGISTERS_PER_CYCLE - 1) / REGISTERS_PER_CYCLE;
	return stores > registers ? stores : registers;
}

static void commit_block(struct edge_graph *g, const struct edge_block *b)
{
	static const struct vertex beginning;
	struct vertex *done = &g->done[g->nr_blocks % EDGE_MAX_BLOCKS];
	const struct vertex *before = g->nr_blocks > 0 ? &g->done[(g->nr_blocks - 1) % EDGE_MAX_BLOCKS] : &beginning;
	struct winner w = {0, NULL};
	uint64_t cycles = commit_cycles(b);
	bound(&w, before->at, before);
	for (unsigned i = 0; i < b->nr; i++)
		if (b->insns[i].is_output)
			bound(&w, g->values[i].ready.at, &g->values[i].ready);
	*done = *w.from;
	done->path.commit += cycles;
	done->at += cycles;
}

void edge_graph_add(struct edge_graph *g, const struct edge_block *b)
{
	fetch_block(g);
	for (unsigned i = 0; i < b->nr; i++)
		issue(g, b, i);
	commit_block(g, b);
	for (unsigned i = 0; i < b->nr; i++)
		if (b->insns[i].kind != EDGE_READ && b->insns[i].reg != NO_REGISTER)
			g->registers[b->insns[i].reg] = g->values[i];
	g->is_mispredicted = b->branch >= 0 && edge_draw_is_rare(g->core.seed, EDGE_DRAW_PREDICTION, g->nr_blocks);
	if (g->is_mispredicted)
		g->resolved = g->values[b->branch].ready;
	g->mispredictions += g->is_mispredicted;
	g->fetch_cycles = (b->bytes + EDGE_BYTES_PER_CYCLE - 1) / EDGE_BYTES_PER_CYCLE;
	g->nr_blocks++;
}

void edge_graph_result(const struct edge_graph *g, struct edge_result *out)
{
	static const struct vertex beginning;
	const struct vertex *last = g->nr_blocks > 0 ? &g->done[(g->nr_blocks - 1) % EDGE_MAX_BLOCKS] : &beginning;
	*out = (struct edge_result){.cycles = last->at,
				    .blocks = g->nr_blocks,
				    .mispredictions = g->mispredictions,
				    .icache_misses = g->icache_misses,
				    .dcache_misses = g->dcache_misses,
				    .path = last->path};
}
