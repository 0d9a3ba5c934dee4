/* The graph of EDGE blocks: cases worked by hand, and random ones compared with a graph of explicit vertices. */
#include "cores/uarch/graph/edge_graph.h"

#include <string.h>

#include "tests/helper/random.h"
#include "tests/unit/cores/uarch/graph/edge_stream.h"

static struct made_blocks made;
static struct edge_maker *maker;

static void begin(const struct edge_shape *shape)
{
	made = (struct made_blocks){0};
	maker = edge_maker_new(shape, keep_block, &made);
	assert_non_null(maker);
}

static void end(void)
{
	edge_maker_free(maker);
	free(made.blocks);
}

static struct edge_result run(const struct edge_core *core)
{
	struct edge_graph *g = edge_graph_new(core);
	struct edge_result r;
	assert_non_null(g);
	for (size_t i = 0; i < made.nr; i++)
		edge_graph_add(g, &made.blocks[i]);
	edge_graph_result(g, &r);
	edge_graph_free(g);
	return r;
}

/* ---- By hand ---- */

#define LOADS 40u

/* A seed with which nothing is rare, but the first prediction or the first access, among the first blocks and accesses.
 */
static uint64_t seed_with(bool mispredicts, bool misses)
{
	for (uint64_t seed = 0;; seed++) {
		bool fits = edge_draw_is_rare(seed, EDGE_DRAW_PREDICTION, 0) == mispredicts &&
			    edge_draw_is_rare(seed, EDGE_DRAW_DCACHE, 0) == misses &&
			    !edge_draw_is_rare(seed, EDGE_DRAW_PREDICTION, 1);
		for (uint64_t i = 0; i < 3; i++)
			fits = fits && !edge_draw_is_rare(seed, EDGE_DRAW_ICACHE, i);
		for (uint64_t i = 1; i < LOADS; i++)
			fits = fits && !edge_draw_is_rare(seed, EDGE_DRAW_DCACHE, i);
		if (fits)
			return seed;
	}
}

static void add(enum insn_class class, uint8_t destination, uint8_t source)
{
	const struct insn in = insn_of(0x100, class, destination, source, NONE);
	const struct edge_access access = {0x1000, 8, class == INSN_STORE};
	edge_maker_add(maker, &in, &access, class == INSN_LOAD || class == INSN_STORE, false);
}

/* Each case: letters of instructions, a blank ends a block.
 *	i, m, d: integer, multiplication, FP division that write; c: integer, reads x5 and writes x5
 *	l, s: load, store; b: branch */
static const struct hand {
	const char *name, *insns;
	bool mispredicts, misses, one_block;
	uint32_t decode_cycles;
	uint64_t cycles;
} hands[] = {
	/* BF 0, READ 2, add 3, its result 4 = BC, 1 to commit its register */
	{"a read and an operation", "c", false, false, false, 1, 5},
	{"more decode", "c", false, false, false, 3, 7},
	/* x5 at 3; BF 1; READ 4, as it comes from another partition; BC 6 */
	{"a value of the block before", "i c", false, false, false, 1, 7},
	/* BC 3, done 4 = BF; READ 6, BC 8 */
	{"one block at a time", "i c", false, false, true, 1, 9},
	/* branch 2 to 3; BF 1, operation 3, BC 4 */
	{"a branch that is predicted", "b i", false, false, false, 1, 5},
	/* BF 3 + 2, operation 7, BC 8 */
	{"a branch that is not", "b i", true, false, false, 1, 9},
	/* 2, 14 and 26 to 38 */
	{"a unit that is not pipelined", "ddd", false, false, false, 1, 39},
	/* 2, 2 and 3 to 6 */
	{"two multipliers", "mmm", false, false, false, 1, 7},
	{"a load that hits", "l", false, false, false, 1, 5},
	{"a load that misses", "l", false, true, false, 1, 13},
	/* store 2 to 3; load 3 to 5 */
	{"a load from a store", "sl", false, true, false, 1, 6},
	/* five stores, two units: 2, 2, 3, 3, 4 to 5; two commit per cycle */
	{"stores commit", "sssss", false, false, false, 1, 8},
	/* 32 loads, two a cycle: the last one 17 to 19, done 20; the one after them 20 to 22 */
	{"a full queue", "llllllllllllllllllllllllllllllll l", false, false, false, 1, 23},
};

static void add_letter(char letter)
{
	switch (letter) {
	case 'i':
		add(INSN_INTEGER, 5, NONE);
		break;
	case 'm':
		add(INSN_MULTIPLY, 5, NONE);
		break;
	case 'd':
		add(INSN_FP_DIVIDE, 5, NONE);
		break;
	case 'c':
		add(INSN_INTEGER, 5, 5);
		break;
	case 'l':
		add(INSN_LOAD, 5, NONE);
		break;
	case 's':
		add(INSN_STORE, NONE, NONE);
		break;
	case 'b':
		add(INSN_BRANCH, NONE, NONE);
		break;
	default:
		edge_maker_flush(maker);
	}
}

static void test_hand(void **state)
{
	const struct edge_shape shape = {EDGE_SMALL_BLOCK, false};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hands); i++) {
		const struct hand *h = &hands[i];
		const struct edge_core core = {.format = EDGE_CONTIGUOUS,
					       .decode_cycles = h->decode_cycles,
					       .nr_blocks = h->one_block ? 1 : EDGE_MAX_BLOCKS,
					       .seed = seed_with(h->mispredicts, h->misses)};
		begin(&shape);
		for (const char *c = h->insns; *c; c++)
			add_letter(*c);
		edge_maker_flush(maker);
		struct edge_result r = run(&core);
		if (r.cycles != h->cycles)
			fail_msg("%s: %llu cycles, not %llu", h->name, (unsigned long long)r.cycles,
				 (unsigned long long)h->cycles);
		end();
	}
}

/* The first case's path: all of its cycles by cause. */
static void test_path(void **state)
{
	const struct edge_shape shape = {EDGE_SMALL_BLOCK, false};
	const struct edge_core core = {EDGE_FOUR_SEGMENT, 1, EDGE_MAX_BLOCKS, seed_with(false, false)};
	struct edge_path path = {.commit = 1};
	(void)state;
	path.insns[EDGE_READ] = path.insns[EDGE_COMPUTE] = 1;
	path.fetch[EDGE_READ] = path.decode[EDGE_READ] = 1;
	path.execute[EDGE_READ] = path.execute[EDGE_COMPUTE] = 1;
	begin(&shape);
	add_letter('c');
	edge_maker_flush(maker);
	struct edge_result r = run(&core);
	assert_memory_equal(&r.path, &path, sizeof(path));
	end();
}

/* Rates of what is drawn, and that another seed draws otherwise. */
static void test_draws(void **state)
{
	static const unsigned pct[] = {[EDGE_DRAW_PREDICTION] = 5, [EDGE_DRAW_ICACHE] = 2, [EDGE_DRAW_DCACHE] = 10};
	(void)state;
	for (unsigned draw = 0; draw < ARRAY_SIZE(pct); draw++) {
		unsigned rare = 0, both = 0;
		for (uint64_t i = 0; i < 1000000; i++) {
			bool is_rare = edge_draw_is_rare(1, (enum edge_draw)draw, i);
			rare += is_rare;
			both += is_rare && edge_draw_is_rare(2, (enum edge_draw)draw, i);
		}
		/* Five standard deviations are below 0.15 %. */
		assert_in_range(rare, pct[draw] * 10000 - 1500, pct[draw] * 10000 + 1500);
		assert_in_range(both, 0, pct[draw] * pct[draw] * 100 + 500);
	}
}

/* ---- Against explicit vertices ---- */

#define COUNTERS (sizeof(struct edge_path) / sizeof(uint64_t))
#define COUNTER(member) (offsetof(struct edge_path, member) / sizeof(uint64_t))
#define MOST_CHARGES 3u
#define UNITS 7u
#define LONGEST (1u << 20)

struct charge {
	size_t counter;
	uint64_t cycles;
};

struct node {
	uint64_t at;
	size_t from; /* the winner; SIZE_MAX: the beginning */
	struct charge charges[MOST_CHARGES];
	int kind; /* of an E; -1: another vertex */
	uint64_t latency;
	unsigned partition;
	struct charge wait; /* of an E: for a unit */
};

static struct {
	struct node *nodes;
	size_t nr;
	unsigned char used[UNITS][LONGEST];
} naive;

static size_t new_node(int kind)
{
	naive.nodes[naive.nr] = (struct node){.from = SIZE_MAX, .kind = kind};
	return naive.nr++;
}

/* An edge to the newest node of the weight of all charges; from an E, after its latency. */
static void edge(size_t from, struct charge a, struct charge b)
{
	struct node *to = &naive.nodes[naive.nr - 1];
	const struct node *n = &naive.nodes[from];
	struct charge latency = {0, 0};
	if (n->kind >= 0)
		latency = (struct charge){COUNTER(execute) + (size_t)n->kind, n->latency};
	uint64_t at = n->at + latency.cycles + a.cycles + b.cycles;
	if (to->from == SIZE_MAX || at >= to->at) {
		to->at = at;
		to->from = from;
		to->charges[0] = latency;
		to->charges[1] = a;
		to->charges[2] = b;
	}
}

static const struct charge nothing;

static unsigned unit_of(const struct edge_insn *in, uint64_t *latency, unsigned *nr, bool *pipelined)
{
	static const struct {
		enum insn_class class;
		unsigned unit, latency, nr;
		bool pipelined;
	} rows[] = {
		{INSN_MULTIPLY, 1, 3, 2, true},	  {INSN_DIVIDE, 2, 20, 2, false},    {INSN_FP_ADD, 3, 2, 2, true},
		{INSN_FP_CONVERT, 3, 2, 2, true}, {INSN_FP_MULTIPLY, 4, 4, 2, true}, {INSN_FP_DIVIDE, 5, 12, 1, false},
	};
	*pipelined = true;
	if (in->kind == EDGE_LOAD || in->kind == EDGE_STORE) {
		*latency = in->kind == EDGE_LOAD ? 2 : 1;
		*nr = 2;
		return 6;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (in->class == rows[i].class) {
			*latency = rows[i].latency;
			*nr = rows[i].nr;
			*pipelined = rows[i].pipelined;
			return rows[i].unit;
		}
	*latency = 1;
	*nr = 8;
	return 0;
}

/* The first cycle from `at` on with a unit that is free for as long as it is taken. */
static uint64_t naive_unit(const struct edge_insn *in, uint64_t at)
{
	uint64_t latency;
	unsigned nr, unit;
	bool pipelined;
	unit = unit_of(in, &latency, &nr, &pipelined);
	for (uint64_t busy = pipelined ? 1 : latency;; at++) {
		bool is_free = true;
		assert_true(at + busy < LONGEST);
		for (uint64_t i = 0; i < busy; i++)
			is_free = is_free && naive.used[unit][at + i] < nr;
		if (!is_free)
			continue;
		for (uint64_t i = 0; i < busy; i++)
			naive.used[unit][at + i]++;
		return at;
	}
}

struct memory_op {
	size_t node, block;
	const struct edge_insn *insn;
};

/* Computes all vertices in program order, then walks the winners back from the last one. */
static uint64_t naive_run(const struct edge_core *core, struct edge_path *path)
{
	size_t room = 1, nr_ops = 0;
	uint64_t draws = 0, last_commit = 0;
	for (size_t i = 0; i < made.nr; i++)
		room += made.blocks[i].nr + 2;
	struct memory_op *ops = calloc(room, sizeof(*ops));
	size_t *fetches = calloc(made.nr, sizeof(*fetches)), *commits = calloc(made.nr, sizeof(*commits));
	uint64_t *commit_cycles = calloc(made.nr, sizeof(*commit_cycles));
	size_t registers[NR_INSN_REGISTERS], branch = SIZE_MAX;
	for (unsigned i = 0; i < NR_INSN_REGISTERS; i++)
		registers[i] = SIZE_MAX;
	naive.nodes = calloc(room, sizeof(*naive.nodes));
	naive.nr = 0;
	memset(naive.used, 0, sizeof(naive.used));
	assert_true(ops && fetches && commits && commit_cycles && naive.nodes);
	for (size_t n = 0; n < made.nr; n++) {
		const struct edge_block *b = &made.blocks[n];
		bool misses = edge_draw_is_rare(core->seed, EDGE_DRAW_ICACHE, n);
		fetches[n] = new_node(-1);
		if (n > 0 && branch != SIZE_MAX && edge_draw_is_rare(core->seed, EDGE_DRAW_PREDICTION, n - 1))
			edge(branch, (struct charge){COUNTER(block_fetch), misses ? 10 : 2}, nothing);
		else if (n > 0)
			edge(fetches[n - 1],
			     (struct charge){COUNTER(block_fetch), (b[-1].bytes + 31) / 32 + (misses ? 8 : 0)},
			     nothing);
		if (n >= core->nr_blocks)
			edge(commits[n - core->nr_blocks],
			     (struct charge){COUNTER(commit), commit_cycles[n - core->nr_blocks]}, nothing);
		size_t first = naive.nr;
		for (unsigned i = 0; i < b->nr; i++) {
			const struct edge_insn *in = &b->insns[i];
			bool is_memory = in->kind == EDGE_LOAD || in->kind == EDGE_STORE || in->kind == EDGE_NULL;
			unsigned nr, partition = core->nr_blocks > 1 ? (unsigned)(n % 4) : i / 32 % 4;
			bool pipelined, forwards = false;
			struct node *v = &naive.nodes[new_node(in->kind)];
			v->partition = partition;
			edge(fetches[n], (struct charge){COUNTER(fetch) + in->kind, in->fetch_cycles[core->format]},
			     (struct charge){COUNTER(decode) + in->kind, core->decode_cycles});
			if (is_memory && nr_ops >= 32) {
				size_t block = ops[nr_ops - 32].block;
				if (block + core->nr_blocks > n)
					edge(commits[block], (struct charge){COUNTER(commit), commit_cycles[block]},
					     nothing);
			}
			if (in->kind == EDGE_READ && registers[in->reg] != SIZE_MAX)
				edge(registers[in->reg],
				     (struct charge){COUNTER(partition),
						     naive.nodes[registers[in->reg]].partition != partition},
				     nothing);
			for (unsigned k = 0; in->kind != EDGE_READ && k < in->nr_operands; k++) {
				size_t producer = first + b->operands[in->operands + k];
				edge(producer,
				     (struct charge){COUNTER(partition), naive.nodes[producer].partition != partition},
				     nothing);
			}
			for (size_t back = 1; in->kind == EDGE_LOAD && back <= 32 && back <= nr_ops; back++) {
				const struct edge_access *a = &ops[nr_ops - back].insn->access;
				if (ops[nr_ops - back].insn->kind == EDGE_STORE &&
				    a->address < in->access.address + in->access.bytes &&
				    in->access.address < a->address + a->bytes) {
					edge(ops[nr_ops - back].node, nothing, nothing);
					forwards = true;
					break;
				}
			}
			unit_of(in, &v->latency, &nr, &pipelined);
			if (in->kind == EDGE_LOAD && !forwards &&
			    edge_draw_is_rare(core->seed, EDGE_DRAW_DCACHE, draws))
				v->latency = 10;
			draws += in->kind == EDGE_LOAD || in->kind == EDGE_STORE;
			uint64_t at = naive_unit(in, v->at);
			v->wait = (struct charge){COUNTER(units) + in->kind, at - v->at};
			v->at = at;
			if (is_memory)
				ops[nr_ops++] = (struct memory_op){naive.nr - 1, n, in};
		}
		commits[n] = new_node(-1);
		if (n > 0)
			edge(commits[n - 1], (struct charge){COUNTER(commit), commit_cycles[n - 1]}, nothing);
		else
			edge(fetches[0], nothing, nothing);
		for (unsigned i = 0; i < b->nr; i++) {
			const struct edge_insn *in = &b->insns[i];
			if (in->is_output)
				edge(first + i, nothing, nothing);
			if (in->kind != EDGE_READ && in->reg != NO_REGISTER)
				registers[in->reg] = first + i;
		}
		uint64_t stores = (b->nr_stores + 1) / 2, written = (b->nr_registers + 3) / 4;
		last_commit = commit_cycles[n] = stores > written ? stores : written;
		branch = b->branch >= 0 ? first + (size_t)b->branch : SIZE_MAX;
	}
	uint64_t counters[COUNTERS] = {0}, length = naive.nodes[naive.nr - 1].at + last_commit;
	counters[COUNTER(commit)] = last_commit;
	for (size_t at = naive.nr - 1; at != SIZE_MAX; at = naive.nodes[at].from) {
		const struct node *v = &naive.nodes[at];
		for (unsigned i = 0; i < MOST_CHARGES; i++)
			counters[v->charges[i].counter] += v->charges[i].cycles;
		if (v->kind >= 0) {
			counters[v->wait.counter] += v->wait.cycles;
			counters[COUNTER(insns) + (size_t)v->kind]++;
		}
	}
	memcpy(path, counters, sizeof(counters));
	free(naive.nodes);
	free(commit_cycles);
	free(commits);
	free(fetches);
	free(ops);
	return length;
}

static void add_random(uint64_t *rng, uint64_t pc)
{
	static const enum insn_class classes[] = {
		INSN_INTEGER, INSN_INTEGER,	INSN_INTEGER,	INSN_INTEGER,	 INSN_MULTIPLY, INSN_DIVIDE,
		INSN_FP_ADD,  INSN_FP_MULTIPLY, INSN_FP_DIVIDE, INSN_FP_CONVERT, INSN_LOAD,	INSN_LOAD,
		INSN_STORE,   INSN_STORE,	INSN_BRANCH,	INSN_BRANCH,	 INSN_ATOMIC,	INSN_CALL};
	uint64_t span = one_in(rng, 3) ? 3 : 12;
	struct insn in = insn_of(pc, PICK(rng, classes), NONE, NONE, NONE);
	struct edge_access accesses[2];
	unsigned nr = 0;
	if (in.class != INSN_STORE && in.class != INSN_BRANCH && !one_in(rng, 8))
		in.destination = (uint8_t)between(rng, 1, span);
	for (unsigned i = 0; i < 2 && !one_in(rng, 3); i++)
		in.source[i] = (uint8_t)between(rng, 1, span);
	if (in.class == INSN_BRANCH)
		in.target = pc + 4 * between(rng, 1, 6);
	if (in.class == INSN_LOAD || in.class == INSN_ATOMIC)
		accesses[nr++] = (struct edge_access){0x1000 + 4 * between(rng, 0, 20), 8, false};
	if (in.class == INSN_STORE || in.class == INSN_ATOMIC)
		accesses[nr++] = (struct edge_access){0x1000 + 4 * between(rng, 0, 20), 8, true};
	edge_maker_add(maker, &in, accesses, nr, one_in(rng, 2));
}

/* The cycle of each instruction's last byte, with all fields of the block laid out one by one. */
static void check_places(const struct edge_block *b)
{
	/* Fields that each segment has: base, further targets, further opcode, immediate. */
	static const unsigned segments[NR_EDGE_FORMATS][4] = {[EDGE_CONTIGUOUS] = {15, 0, 0, 0},
							      [EDGE_TWO_SEGMENT] = {1, 14, 0, 0},
							      [EDGE_FOUR_SEGMENT] = {1, 2, 4, 8}};
	for (unsigned format = 0; format < NR_EDGE_FORMATS; format++) {
		unsigned place = EDGE_HEADER_BYTES, ends[EDGE_MAX_INSNS];
		for (unsigned segment = 0; segment < 4; segment++)
			for (unsigned i = 0; i < b->nr; i++) {
				const struct edge_insn *in = &b->insns[i];
				const unsigned bytes[] = {EDGE_BASE_BYTES, edge_target_bytes(in), edge_opcode_bytes(in),
							  in->immediate_bytes};
				for (unsigned field = 0; field < 4; field++)
					if (segments[format][segment] >> field & 1 && bytes[field] > 0)
						ends[i] = place += bytes[field];
			}
		assert_int_equal(place, b->bytes);
		assert_true(format > 0 || place <= EDGE_HEADER_BYTES + 13 * b->nr);
		for (unsigned i = 0; i < b->nr; i++)
			assert_int_equal(b->insns[i].fetch_cycles[format], (ends[i] - 1) / 32 + 1);
	}
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		uint64_t rng = seed, pc = 0x1000;
		bool is_large = one_in(&rng, 2);
		const struct edge_shape shape = {is_large ? EDGE_LARGE_BLOCK : EDGE_SMALL_BLOCK, one_in(&rng, 2)};
		const struct edge_core core = {.format = (enum edge_format)between(&rng, 0, NR_EDGE_FORMATS - 1),
					       .decode_cycles = (uint32_t)between(&rng, 0, 3),
					       .nr_blocks = is_large ? 1 : (uint32_t)between(&rng, 1, 4),
					       .seed = seed};
		begin(&shape);
		for (unsigned i = 0; i < 1000; i++) {
			add_random(&rng, pc);
			pc = one_in(&rng, 20) ? 0x1000 + 4 * between(&rng, 0, 60) : pc + 4;
		}
		edge_maker_flush(maker);
		for (size_t i = 0; i < made.nr; i++)
			check_places(&made.blocks[i]);
		struct edge_path path;
		uint64_t cycles = naive_run(&core, &path), sum = 0, counters[COUNTERS];
		struct edge_result r = run(&core);
		memcpy(counters, &r.path, sizeof(counters));
		for (size_t i = NR_EDGE_KINDS; i < COUNTERS; i++)
			sum += counters[i];
		if (r.cycles != cycles || sum != cycles || memcmp(&r.path, &path, sizeof(path)) != 0)
			fail_msg("seed %llu: %llu cycles, %llu on the path, not %llu", (unsigned long long)seed,
				 (unsigned long long)r.cycles, (unsigned long long)sum, (unsigned long long)cycles);
		end();
	}
}

TEST_FILE(test_edge_graph)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand), cmocka_unit_test(test_path),
					   cmocka_unit_test(test_draws), cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
