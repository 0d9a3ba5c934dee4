#include "cores/uarch/graph/edge_block.h"

#include <stdlib.h>
#include <string.h>

#define HAMMOCKS 4096u
/* More than EDGE_HAMMOCK instructions and the jumps among them. */
#define SIDE_PLACES 12u
#define NO_VALUE (-1)

const char *edge_kind_name(enum edge_kind kind)
{
	static const char *const names[] = {
#define EDGE_KIND(suffix, name, role) name,
#include "cores/uarch/graph/edge_kind_list.h"
#undef EDGE_KIND
	};
	return names[kind];
}

const char *edge_format_name(enum edge_format format)
{
	static const char *const names[NR_EDGE_FORMATS] = {"contiguous", "2-segment", "4-segment"};
	return names[format];
}

/* Instructions of a side up to a place: those of the stream, but jumps; EDGE instructions; of these, accesses, stores.
 */
struct side_counts {
	uint8_t executed, made, accesses, stores;
};

/* The instructions after a branch that goes one way, up to the next branch that is no jump. */
struct side {
	bool is_seen;
	unsigned nr;
	uint64_t pcs[SIDE_PLACES];		/* [nr] */
	struct side_counts before[SIDE_PLACES]; /* [nr]: each */
};

/* A conditional branch, by its pc. */
struct hammock {
	uint64_t pc;
	struct side sides[2]; /* not taken, taken */
	bool meets;	      /* both are seen, and are a hammock: */
	uint64_t join;	      /* where they meet */
	struct side_counts of[2];
};

/* A side that is executed, for the first time as far as we know. */
struct learning {
	struct hammock *hammock; /* NULL: none is */
	unsigned which;
	struct side side;
	struct side_counts counts;
};

/* An instruction of the block before READs and MOVs are there. Its operands are the registers that the block does not
 * write before, as -1 - register, and numbers of plain instructions. */
struct plain {
	struct edge_insn insn;
	int16_t operands[MAX_SOURCES + EDGE_ACCESSES + 1];
	unsigned nr_operands;
	unsigned height; /* instructions of the longest chain of the block that begins here */
};

/* Consumers of a value: operands of plain instructions. */
struct consumers {
	uint16_t first, nr;
};

struct edge_maker {
	struct edge_shape shape;
	edge_take *take;
	void *ctx;

	struct plain plain[EDGE_MAX_PLAIN];
	unsigned nr_plain, nr_made, nr_accesses, nr_executed;
	int16_t writers[NR_INSN_REGISTERS]; /* plain instruction, or NO_VALUE */
	int predicate;			    /* test whose side is executed, or NO_VALUE */
	uint64_t join;			    /* where that side ends */

	struct hammock hammocks[HAMMOCKS];
	struct learning learning;

	uint8_t reads[NR_INSN_REGISTERS]; /* in the order of first use */
	unsigned nr_reads;
	struct consumers of_reads[NR_INSN_REGISTERS], of_plain[EDGE_MAX_PLAIN];
	uint16_t consumers[EDGE_MAX_OPERANDS]; /* operand numbers: plain instruction * room + operand */
	uint16_t sources[EDGE_MAX_OPERANDS];   /* of each operand number, the instruction that has the value */
	struct edge_block block;
};

#define OPERAND_ROOM (MAX_SOURCES + EDGE_ACCESSES + 1)
_Static_assert(EDGE_MAX_INSNS <= UINT16_MAX && EDGE_MAX_OPERANDS <= UINT16_MAX, "numbers are short");

static void begin_block(struct edge_maker *m)
{
	m->nr_plain = m->nr_made = m->nr_accesses = m->nr_executed = 0;
	m->predicate = NO_VALUE;
	for (unsigned i = 0; i < NR_INSN_REGISTERS; i++)
		m->writers[i] = NO_VALUE;
}

struct edge_maker *edge_maker_new(const struct edge_shape *shape, edge_take *take, void *ctx)
{
	struct edge_maker *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->shape = *shape;
	m->take = take;
	m->ctx = ctx;
	begin_block(m);
	return m;
}

void edge_maker_free(struct edge_maker *m)
{
	free(m);
}

/* ---- Encoding ---- */

unsigned edge_target_bytes(const struct edge_insn *in)
{
	return in->nr_targets > 1 ? 2 : 0;
}

unsigned edge_opcode_bytes(const struct edge_insn *in)
{
	bool is_short = in->kind == EDGE_READ || in->kind == EDGE_MOV || in->kind == EDGE_BRANCH ||
			(in->kind == EDGE_COMPUTE && (in->class == INSN_INTEGER || in->class == INSN_BRANCH));
	return is_short && !in->is_predicated ? 0 : 1;
}

static uint8_t distance_bytes(const struct insn *in)
{
	int64_t distance = (int64_t)(in->target - in->pc);
	if (distance >= INT8_MIN && distance <= INT8_MAX)
		return 1;
	if (distance >= INT16_MIN && distance <= INT16_MAX)
		return 2;
	return distance >= INT32_MIN && distance <= INT32_MAX ? 4 : 8;
}

static uint8_t immediate_bytes(enum edge_kind kind, const struct insn *in)
{
	bool is_compressed = in->length == 2;
	unsigned nr_sources = 0;
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		nr_sources += in->source[i] != NO_REGISTER;
	if (kind == EDGE_LOAD || kind == EDGE_STORE)
		return is_compressed ? 1 : 2;
	if (insn_has_target((enum insn_class)in->class))
		return distance_bytes(in);
	if (in->class != INSN_INTEGER || nr_sources > 1)
		return 0;
	return is_compressed ? 1 : nr_sources == 1 ? 2 : 4;
}

static uint16_t cycles_of(uint32_t bytes)
{
	return (uint16_t)((bytes + EDGE_BYTES_PER_CYCLE - 1) / EDGE_BYTES_PER_CYCLE);
}

/* Where the last field of each instruction ends, in each format. */
static void place_fields(struct edge_block *b)
{
	uint32_t targets = 0, opcodes = 0;
	for (unsigned i = 0; i < b->nr; i++) {
		targets += edge_target_bytes(&b->insns[i]);
		opcodes += edge_opcode_bytes(&b->insns[i]);
	}
	uint32_t base = EDGE_HEADER_BYTES, whole = base, fields = base + EDGE_BASE_BYTES * b->nr, target = fields,
		 opcode = target + targets, immediate = opcode + opcodes;
	for (unsigned i = 0; i < b->nr; i++) {
		struct edge_insn *in = &b->insns[i];
		unsigned of_targets = edge_target_bytes(in), of_opcode = edge_opcode_bytes(in),
			 rest = of_targets + of_opcode + in->immediate_bytes;
		base += EDGE_BASE_BYTES;
		whole += EDGE_BASE_BYTES + rest;
		fields += rest;
		target += of_targets;
		opcode += of_opcode;
		immediate += in->immediate_bytes;
		uint32_t last = in->immediate_bytes > 0 ? immediate
				: of_opcode > 0		? opcode
				: of_targets > 0	? target
							: base;
		in->fetch_cycles[EDGE_CONTIGUOUS] = cycles_of(whole);
		in->fetch_cycles[EDGE_TWO_SEGMENT] = cycles_of(rest > 0 ? fields : base);
		in->fetch_cycles[EDGE_FOUR_SEGMENT] = cycles_of(last);
	}
	b->bytes = whole;
}

/* ---- READs and MOVs ---- */

static struct consumers *consumers_of(struct edge_maker *m, int16_t operand)
{
	return operand < 0 ? &m->of_reads[-1 - operand] : &m->of_plain[operand];
}

static void find_heights(struct edge_maker *m)
{
	for (unsigned i = 0; i < m->nr_plain; i++)
		m->plain[i].height = 1;
	for (unsigned i = m->nr_plain; i-- > 0;)
		for (unsigned k = 0; k < m->plain[i].nr_operands; k++) {
			int16_t producer = m->plain[i].operands[k];
			if (producer >= 0 && m->plain[producer].height <= m->plain[i].height)
				m->plain[producer].height = m->plain[i].height + 1;
		}
}

/* Enters an operand among the consumers so far. */
static void add_consumer(struct edge_maker *m, struct consumers *c, unsigned consumer, unsigned operand)
{
	uint16_t *all = &m->consumers[c->first];
	unsigned at = c->nr++;
	for (; at > 0 && m->plain[all[at - 1] / OPERAND_ROOM].height < m->plain[consumer].height; at--)
		all[at] = all[at - 1];
	all[at] = (uint16_t)(consumer * OPERAND_ROOM + operand);
}

/* Groups all operands by value, each group by falling height and then in program order, and lists the registers that
 * are read. */
static void find_consumers(struct edge_maker *m)
{
	uint16_t next = 0;
	m->nr_reads = 0;
	memset(m->of_reads, 0, sizeof(m->of_reads));
	memset(m->of_plain, 0, m->nr_plain * sizeof(*m->of_plain));
	for (unsigned i = 0; i < m->nr_plain; i++)
		for (unsigned k = 0; k < m->plain[i].nr_operands; k++) {
			int16_t operand = m->plain[i].operands[k];
			if (consumers_of(m, operand)->nr++ == 0 && operand < 0)
				m->reads[m->nr_reads++] = (uint8_t)(-1 - operand);
		}
	for (unsigned i = 0; i < m->nr_reads; i++) {
		m->of_reads[m->reads[i]].first = next;
		next += m->of_reads[m->reads[i]].nr;
		m->of_reads[m->reads[i]].nr = 0;
	}
	for (unsigned i = 0; i < m->nr_plain; i++) {
		m->of_plain[i].first = next;
		next += m->of_plain[i].nr;
		m->of_plain[i].nr = 0;
	}
	for (unsigned i = 0; i < m->nr_plain; i++)
		for (unsigned k = 0; k < m->plain[i].nr_operands; k++)
			add_consumer(m, consumers_of(m, m->plain[i].operands[k]), i, k);
}

static struct edge_insn *place(struct edge_block *b, const struct edge_insn *in)
{
	b->insns[b->nr] = *in;
	b->insns[b->nr].operands = (uint16_t)b->nr_operands;
	return &b->insns[b->nr++];
}

/* Gives the value of the instruction placed last to its consumers, with MOVs after it where there are many. */
static void spread(struct edge_maker *m, const struct consumers *c)
{
	static const struct edge_insn mov = {.kind = EDGE_MOV, .class = INSN_INTEGER, .reg = NO_REGISTER};
	struct edge_block *b = &m->block;
	unsigned producer = b->nr - 1, nr_movs = c->nr > 2 ? (c->nr - 1u) / 2 : 0, placed = 0, given = 0;
	for (unsigned node = 0; node <= nr_movs; node++) {
		unsigned room = node == 0 ? 2 : 3, from = producer + node;
		for (unsigned target = 0; target < room; target++) {
			if (target > 0 && placed < nr_movs) {
				place(b, &mov)->nr_operands = 1;
				b->operands[b->nr_operands++] = (uint16_t)from;
				placed++;
			} else if (given < c->nr) {
				m->sources[m->consumers[c->first + given++]] = (uint16_t)from;
			} else {
				break;
			}
			b->insns[from].nr_targets++;
		}
	}
}

static void place_plain(struct edge_maker *m, unsigned i)
{
	const struct plain *p = &m->plain[i];
	struct edge_block *b = &m->block;
	struct edge_insn *in = place(b, &p->insn);
	in->nr_operands = (uint16_t)p->nr_operands;
	for (unsigned k = 0; k < p->nr_operands; k++)
		b->operands[b->nr_operands++] = m->sources[i * OPERAND_ROOM + k];
	if (in->reg != NO_REGISTER && m->writers[in->reg] != (int)i)
		in->reg = NO_REGISTER;
	in->is_output =
		in->reg != NO_REGISTER || in->kind == EDGE_STORE || in->kind == EDGE_BRANCH || in->kind == EDGE_NULL;
	b->nr_registers += in->reg != NO_REGISTER;
	b->nr_stores += in->kind == EDGE_STORE;
	if (in->kind == EDGE_BRANCH)
		b->branch = (int)b->nr - 1;
	spread(m, &m->of_plain[i]);
}

static void end_block(struct edge_maker *m)
{
	struct edge_block *b = &m->block;
	if (m->nr_executed > 0) {
		b->nr = b->nr_operands = b->nr_registers = b->nr_stores = 0;
		b->branch = -1;
		b->nr_executed = m->nr_executed;
		find_heights(m);
		find_consumers(m);
		for (unsigned i = 0; i < m->nr_reads; i++) {
			const struct edge_insn read = {
				.kind = EDGE_READ, .class = INSN_INTEGER, .reg = m->reads[i], .immediate_bytes = 1};
			place(b, &read);
			spread(m, &m->of_reads[m->reads[i]]);
		}
		for (unsigned i = 0; i < m->nr_plain; i++)
			place_plain(m, i);
		place_fields(b);
		m->take(m->ctx, b);
	}
	begin_block(m);
}

/* ---- Instructions ---- */

static void read_value(struct plain *p, int value)
{
	p->operands[p->nr_operands++] = (int16_t)value;
}

static void read_predicate(struct edge_maker *m, struct plain *p)
{
	if (m->predicate == NO_VALUE)
		return;
	read_value(p, m->predicate);
	p->insn.is_predicated = true;
}

static struct plain *append(struct edge_maker *m, enum edge_kind kind, const struct insn *in)
{
	struct plain *p = &m->plain[m->nr_plain++];
	p->insn = (struct edge_insn){.kind = (uint8_t)kind,
				     .class = in->class,
				     .reg = NO_REGISTER,
				     .immediate_bytes = immediate_bytes(kind, in)};
	p->nr_operands = 0;
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		if (in->source[i] != NO_REGISTER)
			read_value(p, m->writers[in->source[i]] == NO_VALUE ? -1 - in->source[i]
									    : m->writers[in->source[i]]);
	read_predicate(m, p);
	m->nr_made++;
	return p;
}

static bool computes(const struct insn *in)
{
	return in->class != INSN_LOAD && in->class != INSN_STORE;
}

/* How many EDGE instructions it becomes. An access that the stream does not have is one, at no known address. */
static unsigned nr_made_of(const struct insn *in, unsigned nr_accesses)
{
	return nr_accesses + (computes(in) || nr_accesses == 0 ? 1 : 0);
}

static void append_access(struct edge_maker *m, const struct insn *in, const struct edge_access *access)
{
	append(m, access->is_store ? EDGE_STORE : EDGE_LOAD, in)->insn.access = *access;
	m->nr_accesses++;
}

/* Loads, then the operation, which reads all of them, then stores, each of which reads the operation or else a load. */
static void append_all(struct edge_maker *m, const struct insn *in, const struct edge_access *accesses, unsigned nr)
{
	const struct edge_access unknown = {.is_store = in->class == INSN_STORE};
	int first = (int)m->nr_plain, writer = NO_VALUE, operation = NO_VALUE;
	if (nr == 0 && !computes(in)) {
		accesses = &unknown;
		nr = 1;
	}
	for (unsigned i = 0; i < nr; i++)
		if (!accesses[i].is_store)
			append_access(m, in, &accesses[i]);
	int nr_loads = (int)m->nr_plain - first, nr_stores = 0;
	if (computes(in)) {
		enum edge_kind kind = insn_is_branch((enum insn_class)in->class) ? EDGE_BRANCH : EDGE_COMPUTE;
		struct plain *p = append(m, kind, in);
		operation = (int)m->nr_plain - 1;
		for (int i = 0; i < nr_loads; i++)
			read_value(p, first + i);
	}
	writer = (int)m->nr_plain - 1;
	for (unsigned i = 0; i < nr; i++) {
		if (!accesses[i].is_store)
			continue;
		append_access(m, in, &accesses[i]);
		struct plain *p = &m->plain[m->nr_plain - 1];
		if (operation != NO_VALUE)
			read_value(p, operation);
		else if (nr_loads > 0)
			read_value(p, first + (nr_stores < nr_loads ? nr_stores : nr_loads - 1));
		nr_stores++;
	}
	if (writer < first)
		writer = (int)m->nr_plain - 1;
	if (in->destination != NO_REGISTER) {
		m->plain[writer].insn.reg = in->destination;
		m->writers[in->destination] = (int16_t)writer;
	}
}

/* ---- Hammocks ---- */

static struct hammock *hammock_at(struct edge_maker *m, uint64_t pc)
{
	return &m->hammocks[pc / 2 % HAMMOCKS];
}

/* The first place of the first side that is also one of the other side. */
static void find_join(struct hammock *h)
{
	const struct side *a = &h->sides[0], *b = &h->sides[1];
	for (unsigned i = 0; i < a->nr; i++)
		for (unsigned k = 0; k < b->nr; k++)
			if (a->pcs[i] == b->pcs[k]) {
				h->join = a->pcs[i];
				h->of[0] = a->before[i];
				h->of[1] = b->before[k];
				h->meets = h->of[0].executed + h->of[1].executed <= (int)EDGE_HAMMOCK;
				return;
			}
}

static void learn(struct learning *l, const struct insn *in, const struct side_counts *counts)
{
	if (!l->hammock)
		return;
	struct side *s = &l->side;
	s->pcs[s->nr] = in->pc;
	s->before[s->nr++] = l->counts;
	bool is_jump = in->class == INSN_JUMP;
	if (!is_jump) {
		l->counts.executed++;
		l->counts.made = (uint8_t)(l->counts.made + counts->made);
		l->counts.accesses = (uint8_t)(l->counts.accesses + counts->accesses);
		l->counts.stores = (uint8_t)(l->counts.stores + counts->stores);
	}
	if (s->nr < SIDE_PLACES && l->counts.executed <= EDGE_HAMMOCK &&
	    (is_jump || !insn_is_branch((enum insn_class)in->class)))
		return;
	s->is_seen = true;
	l->hammock->sides[l->which] = *s;
	if (l->hammock->sides[!l->which].is_seen)
		find_join(l->hammock);
	l->hammock = NULL;
}

/* A branch that is not known as a hammock: looks at the side that follows, unless it was seen. */
static void begin_learning(struct edge_maker *m, const struct insn *in, bool taken)
{
	struct hammock *h = hammock_at(m, in->pc);
	if (h->pc != in->pc)
		*h = (struct hammock){.pc = in->pc};
	if (!h->sides[taken].is_seen)
		m->learning = (struct learning){.hammock = h, .which = taken};
}

static bool has_room(const struct edge_maker *m, unsigned made, unsigned accesses)
{
	return m->nr_made + made <= m->shape.max_insns && m->nr_accesses + accesses <= EDGE_LSQ;
}

/* Makes the branch that was added last a test, if it is that of a known hammock. */
static bool convert(struct edge_maker *m, const struct insn *in, bool taken)
{
	const struct hammock *h = hammock_at(m, in->pc);
	const struct side_counts *own = &h->of[taken], *other = &h->of[!taken];
	if (h->pc != in->pc || !h->meets || !has_room(m, own->made, own->accesses + other->stores))
		return false;
	static const struct insn none = {.class = INSN_INTEGER, .source = {NO_REGISTER, NO_REGISTER, NO_REGISTER}};
	m->plain[m->nr_plain - 1].insn.kind = EDGE_COMPUTE;
	m->plain[m->nr_plain - 1].insn.immediate_bytes = 0;
	m->predicate = (int)m->nr_plain - 1;
	m->join = h->join;
	for (unsigned i = 0; i < other->stores; i++) {
		append(m, EDGE_NULL, &none)->insn.immediate_bytes = 0;
		m->nr_made--;
		m->nr_accesses++;
	}
	return true;
}

/* ---- The stream ---- */

static bool ends_block(enum insn_class class)
{
	return class == INSN_CALL || class == INSN_RETURN || class == INSN_INDIRECT_JUMP || class == INSN_INDIRECT_CALL;
}

void edge_maker_add(struct edge_maker *m, const struct insn *in, const struct edge_access *accesses, unsigned nr,
		    bool taken)
{
	nr = nr < EDGE_ACCESSES ? nr : EDGE_ACCESSES;
	struct side_counts counts = {.made = (uint8_t)nr_made_of(in, nr)};
	counts.accesses = computes(in) ? (uint8_t)nr : counts.made;
	counts.stores = nr == 0 && in->class == INSN_STORE;
	for (unsigned i = 0; i < nr; i++)
		counts.stores = (uint8_t)(counts.stores + accesses[i].is_store);
	if (m->shape.has_hammocks)
		learn(&m->learning, in, &counts);
	if (in->pc == m->join)
		m->predicate = NO_VALUE;
	if (m->predicate != NO_VALUE && in->class == INSN_JUMP) { /* between the sides of a hammock */
		m->nr_executed++;
		return;
	}
	if (!has_room(m, counts.made, counts.accesses))
		end_block(m);
	append_all(m, in, accesses, nr);
	m->nr_executed++;
	if (m->shape.has_hammocks && in->class == INSN_BRANCH && !convert(m, in, taken))
		begin_learning(m, in, taken);
	if (ends_block((enum insn_class)in->class) || m->nr_made == m->shape.max_insns)
		end_block(m);
}

void edge_maker_flush(struct edge_maker *m)
{
	m->learning.hammock = NULL;
	end_block(m);
}
