/* An L1I's tags without a prefetcher and, beside them, with one: how a core that has none would do with it.
 *
 * In each cycle in which `fetch_pc` is valid it sees one fetch; nothing else changes its state. A fetch of the same
 * line as the fetch before does nothing. Prefetches fill their lines in the cycle of the fetch that asks for them, at
 * most MAX_PREFETCHES that are not there yet per fetch. The entangling prefetcher follows the rules in docs/cores.md,
 * with the number of the soft cycle as its clock; no TLB drops a request. All lines that a fetch asks for are known
 * before the first of them is filled.
 *
 * Nobody knows here where a line came from. Its latency is the register `latency`; if that is 0, `fetch_latency` where
 * it is valid in the same set, which is where the real L1I missed, and else the register `latency_other`. The latency
 * of a prefetched line is found in this way at its first use, which is late if it comes before the cycle of the request
 * plus that latency.
 *
 * The shape of cache and table is taken from the registers at a reset. Registers keep their values then; one that is
 * written with an impossible value keeps the value before. l1i_entangling.v is the same in hardware.
 *
 * Source: dissertation, section 2.5 (in-the-field A/B testing).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/soft/module.h"

enum { FETCH_PC, FETCH_LATENCY, NR_INPUTS };
enum { NO_PREFETCHER, NEXT_LINE, ENTANGLING, NR_PREFETCHERS };

#define PC_BITS 48u
#define LATENCY_BITS 16u
#define PAGE_SHIFT 12u
#define MAX_SETS 1024u
#define MAX_WAYS 16u
#define MAX_LINES (MAX_SETS * MAX_WAYS)
#define MAX_PREFETCHES 32u
#define RECENT_FILLS 1024u

/* Of the entangling prefetcher. */
#define TABLE_WAYS 16u
#define MAX_ENTRIES 16384u
#define HISTORY 16u
#define CLOCK_BITS 20u
#define MAX_BLOCK 15u /* lines after the head */
#define TAG_BITS 10u
#define LOW_BITS 20u
#define NR_DESTINATIONS 4u
#define CONFIDENCE_AT_FIRST 2u
#define MAX_CONFIDENCE 3u
#define MAX_REQUESTS ((NR_DESTINATIONS + 1) * (MAX_BLOCK + 1))

/* Registers that can be written, and those of counters, which have two each. */
#define SETTINGS(ROW)                                                                                                  \
	ROW(prefetcher, 0x00, ENTANGLING)                                                                              \
	ROW(latency, 0x04, 15)                                                                                         \
	ROW(latency_other, 0x08, 15)                                                                                   \
	ROW(sets, 0x0c, 64)                                                                                            \
	ROW(ways, 0x10, 8)                                                                                             \
	ROW(line_shift, 0x14, 6)                                                                                       \
	ROW(entries, 0x18, 2048)
#define COUNTERS(ROW)                                                                                                  \
	ROW(fetches, 0x40)                                                                                             \
	ROW(base_misses, 0x48)                                                                                         \
	ROW(misses, 0x50)                                                                                              \
	ROW(prefetches, 0x58)                                                                                          \
	ROW(used, 0x60)                                                                                                \
	ROW(late, 0x68)                                                                                                \
	ROW(unused, 0x70)

/* The table's contents: word PEEK_WORDS * n + k is of entry n, as l1i_entangling.v has it. */
#define PEEK 0x80u
#define PEEKED 0x84u
#define PEEK_WORDS 8u

/* ---- Tags ---- */

#define NO_LINE UINT64_MAX /* no PC is in it */
#define NR_GUESSES 2048u

struct tags {
	uint64_t *lines; /* [sets][ways] */
	uint64_t *used;	 /* [sets][ways]: number of the latest use; 0: the way is empty */
	/* By the low bits of a line where it was last: nearly all searches end there. */
	uint16_t guesses[NR_GUESSES];
	uint64_t nr_uses;
	uint32_t set_mask, ways;
};

#define NOWHERE UINT32_MAX

static void tags_clear(struct tags *t, uint32_t sets, uint32_t ways)
{
	t->set_mask = sets - 1;
	t->ways = ways;
	t->nr_uses = 0;
	memset(t->guesses, 0, sizeof(t->guesses));
	for (uint32_t i = 0; i < sets * ways; i++) {
		t->lines[i] = NO_LINE;
		t->used[i] = 0;
	}
}

static __attribute__((noinline)) uint32_t search_set(struct tags *t, uint64_t line)
{
	uint32_t first = (uint32_t)(line & t->set_mask) * t->ways;
	for (uint32_t i = first; i < first + t->ways; i++) {
		if (t->lines[i] != line)
			continue;
		t->guesses[line % NR_GUESSES] = (uint16_t)i;
		return i;
	}
	return NOWHERE;
}

/* The place of a line, or NOWHERE. */
static inline uint32_t place_of_line(struct tags *t, uint64_t line)
{
	uint32_t guess = t->guesses[line % NR_GUESSES];
	return t->lines[guess] == line ? guess : search_set(t, line);
}

static inline void use_place(struct tags *t, uint32_t place)
{
	t->used[place] = ++t->nr_uses;
}

/* The place where a line that is not there goes: the least recently used of its set. */
static uint32_t victim_of(const struct tags *t, uint64_t line)
{
	uint32_t first = (uint32_t)(line & t->set_mask) * t->ways, victim = first;
	for (uint32_t i = first + 1; i < first + t->ways; i++)
		if (t->used[i] < t->used[victim])
			victim = i;
	return victim;
}

static void put_line(struct tags *t, uint32_t place, uint64_t line)
{
	t->lines[place] = line;
	t->guesses[line % NR_GUESSES] = (uint16_t)place;
	use_place(t, place);
}

/* ---- State ---- */

/* A line of L1I. Members after the first concern a prefetched line before its first use. */
struct line_facts {
	bool is_prefetched;
	uint64_t requested; /* cycle */
	uint32_t fill;	    /* its number among all fills */
	uint16_t mark;	    /* number of the entry that asked for it + 1; 0: no entry did */
};

struct destination {
	uint32_t low : LOW_BITS; /* bits of the line; the others are the source's */
	uint32_t confidence : 2; /* 0: the place is free */
};

/* Of the table's set i the ways are those from i * TABLE_WAYS on. */
struct table {
	uint16_t tags[MAX_ENTRIES]; /* tag + 1; 0: the way is empty */
	uint64_t used[MAX_ENTRIES]; /* number of the latest use; 0: none */
	uint8_t sizes[MAX_ENTRIES];
	struct destination destinations[MAX_ENTRIES][NR_DESTINATIONS]; /* in the order in which they joined */
};

struct past_head {
	uint64_t line;
	uint32_t clock; /* low CLOCK_BITS */
};

struct block {
	uint64_t head, line; /* its first and its last line */
	bool is_there;
	bool is_new; /* a line of it after the head missed, or was prefetched */
};

struct registers {
#define ROW(name, offset, value) uint32_t name;
	SETTINGS(ROW)
#undef ROW
};

struct counters {
#define ROW(name, offset) uint64_t name;
	COUNTERS(ROW)
#undef ROW
};

struct l1i {
	struct registers registers;
	struct counters counters;
	uint32_t peek;
	uint32_t line_shift;
	uint64_t line_mask; /* of line numbers */
	uint64_t fetched;   /* the line fetched last */
	struct tags base, tags;
	uint32_t nr_fills; /* of `tags` */

	struct block block;
	struct past_head history[HISTORY]; /* a ring */
	uint64_t nr_heads;		   /* that it has had */
	uint64_t nr_uses;		   /* of entries */
	uint32_t nr_sets;		   /* of the table, any number; if it is a power of two, its exponent: */
	int set_shift;			   /* else -1 */
	struct table table;
	uint64_t lines[2][MAX_LINES], used[2][MAX_LINES]; /* of `base` and `tags` */
	struct line_facts facts[MAX_LINES];		  /* of `tags` */
};

/* How a fetch found its line. */
struct sight {
	bool is_new; /* it missed, or this is its first use after a prefetch */
	bool is_use, is_late;
	uint32_t latency; /* of a new one */
	uint16_t mark;
};

/* ---- The table ---- */

#define NO_ENTRY UINT32_MAX

/* The place of a line in the table. */
struct place {
	uint32_t first; /* entry of its set */
	uint16_t tag;
};

static inline struct place place_of(const struct l1i *m, uint64_t line)
{
	uint64_t set = m->set_shift >= 0 ? line & (m->nr_sets - 1) : line % m->nr_sets;
	uint64_t upper = m->set_shift >= 0 ? line >> m->set_shift : line / m->nr_sets;
	return (struct place){(uint32_t)set * TABLE_WAYS, (uint16_t)(upper % (1u << TAG_BITS) + 1)};
}

/* Number of the entry there, or NO_ENTRY. Four tags are compared at once: the lowest bit that is left is that of the
 * first equal one. */
static inline uint32_t find(const struct l1i *m, struct place p)
{
	const uint64_t ones = UINT64_C(0x0001000100010001);
	for (uint32_t i = 0; i < TABLE_WAYS; i += 4) {
		uint64_t tags;
		memcpy(&tags, m->table.tags + p.first + i, sizeof(tags));
		tags ^= p.tag * ones;
		uint64_t found = (tags - ones) & ~tags & ones << 15;
		if (found)
			return p.first + i + (uint32_t)__builtin_ctzll(found) / 16;
	}
	return NO_ENTRY;
}

/* The number of the line's entry, used now: its own, or a new one in the first empty way, else in the least recently
 * used. */
static uint32_t find_or_make(struct l1i *m, uint64_t line)
{
	struct place p = place_of(m, line);
	uint32_t entry = find(m, p);
	if (entry == NO_ENTRY) {
		entry = p.first;
		for (uint32_t i = p.first + 1; i < p.first + TABLE_WAYS; i++)
			if (m->table.used[i] < m->table.used[entry])
				entry = i;
		m->table.tags[entry] = p.tag;
		m->table.sizes[entry] = 0;
		memset(m->table.destinations[entry], 0, sizeof(m->table.destinations[entry]));
	}
	m->table.used[entry] = ++m->nr_uses;
	return entry;
}

/* NULL: the line is none of the entry's. */
static struct destination *find_destination(struct destination *d, uint64_t line)
{
	for (unsigned i = 0; i < NR_DESTINATIONS; i++)
		if (d[i].confidence > 0 && d[i].low == line % (1u << LOW_BITS))
			return &d[i];
	return NULL;
}

/* A line that was prefetched with this mark was used in time, or was not. */
static void judge(struct l1i *m, uint64_t line, uint32_t mark, bool is_good)
{
	struct destination *d = mark > 0 ? find_destination(m->table.destinations[mark - 1], line) : NULL;
	if (!d)
		return;
	if (!is_good)
		d->confidence--;
	else if (d->confidence < MAX_CONFIDENCE)
		d->confidence++;
}

/* ---- Learning ---- */

static uint64_t distance(const struct l1i *m, uint64_t from, uint64_t line)
{
	return (line - from) & m->line_mask;
}

/* Of a block that has ended. */
static void keep_size(struct l1i *m)
{
	uint8_t size = (uint8_t)distance(m, m->block.head, m->block.line);
	uint32_t entry = find(m, place_of(m, m->block.head));
	if (entry == NO_ENTRY && m->block.is_new)
		entry = find_or_make(m, m->block.head);
	if (entry != NO_ENTRY && m->table.sizes[entry] < size)
		m->table.sizes[entry] = size;
}

/* The youngest head that is at least as old as the latency, else the oldest; NULL: there is none yet. */
static const struct past_head *source_of(const struct l1i *m, uint64_t cycle, uint32_t latency)
{
	const struct past_head *h = NULL;
	for (unsigned i = 1; i <= HISTORY && i <= m->nr_heads; i++) {
		h = &m->history[(m->nr_heads - i) % HISTORY];
		if ((cycle - h->clock) % (1u << CLOCK_BITS) >= latency)
			break;
	}
	return h;
}

static void join(struct l1i *m, uint64_t source, uint64_t line)
{
	if (source == line || source >> LOW_BITS != line >> LOW_BITS)
		return;
	struct destination *d = m->table.destinations[find_or_make(m, source)];
	if (find_destination(d, line))
		return;
	unsigned leaves = 0;
	for (unsigned i = 1; i < NR_DESTINATIONS; i++)
		if (d[i].confidence < d[leaves].confidence)
			leaves = i;
	for (unsigned i = leaves; i + 1 < NR_DESTINATIONS; i++)
		d[i] = d[i + 1];
	d[NR_DESTINATIONS - 1] = (struct destination){line % (1u << LOW_BITS), CONFIDENCE_AT_FIRST};
}

/* ---- Prefetches ---- */

struct requests {
	unsigned nr;
	uint64_t lines[MAX_REQUESTS];
	uint16_t mark; /* of all; none with next-line */
};

/* `line` and the `more` lines after it. */
static void request(const struct l1i *m, struct requests *r, uint64_t line, uint32_t more)
{
	for (uint32_t i = 0; i <= more; i++)
		r->lines[r->nr++] = (line + i) & m->line_mask;
}

static void request_blocks(struct l1i *m, struct requests *r, uint64_t head)
{
	uint32_t entry = find(m, place_of(m, head));
	if (entry == NO_ENTRY)
		return;
	m->table.used[entry] = ++m->nr_uses;
	r->mark = (uint16_t)(entry + 1);
	if (m->table.sizes[entry] > 0)
		request(m, r, head + 1, m->table.sizes[entry] - 1u);
	for (unsigned i = 0; i < NR_DESTINATIONS; i++) {
		struct destination d = m->table.destinations[entry][i];
		if (d.confidence == 0)
			continue;
		uint64_t line = (head >> LOW_BITS << LOW_BITS) | d.low;
		uint32_t block = find(m, place_of(m, line));
		request(m, r, line, block == NO_ENTRY ? 0 : m->table.sizes[block]);
	}
}

static void watch_entangling(struct l1i *m, struct requests *r, uint64_t cycle, uint64_t line, struct sight s)
{
	struct block *b = &m->block;
	if (s.is_use)
		judge(m, line, s.mark, !s.is_late);
	if (b->is_there && distance(m, b->line, line) == 1 && distance(m, b->head, line) <= MAX_BLOCK) {
		b->line = line;
		b->is_new |= s.is_new;
		return;
	}
	if (b->is_there)
		keep_size(m);
	bool is_joined = s.is_new && (!s.is_use || s.is_late);
	const struct past_head *source = is_joined ? source_of(m, cycle, s.latency) : NULL;
	if (source)
		join(m, source->line, line);
	m->history[m->nr_heads++ % HISTORY] = (struct past_head){line, (uint32_t)(cycle % (1u << CLOCK_BITS))};
	*b = (struct block){.head = line, .line = line, .is_there = true};
	request_blocks(m, r, line);
}

static void watch_next_line(const struct l1i *m, struct requests *r, uint64_t line, struct sight s)
{
	unsigned page = PAGE_SHIFT - m->line_shift;
	r->mark = 0;
	if (s.is_new && (line + 1) >> page == line >> page)
		request(m, r, line + 1, 0);
}

/* Brings in a line; what leaves unused is learned from. Its place. */
static uint32_t bring_in(struct l1i *m, uint64_t line)
{
	uint32_t place = victim_of(&m->tags, line);
	struct line_facts *f = &m->facts[place];
	m->nr_fills++;
	if (f->is_prefetched) {
		m->counters.unused++;
		judge(m, m->tags.lines[place], f->mark, false);
	}
	f->is_prefetched = false;
	put_line(&m->tags, place, line);
	return place;
}

static void prefetch(struct l1i *m, uint64_t cycle, const struct requests *r)
{
	unsigned nr = 0;
	for (unsigned i = 0; i < r->nr && nr < MAX_PREFETCHES; i++) {
		if (place_of_line(&m->tags, r->lines[i]) != NOWHERE)
			continue;
		uint32_t place = bring_in(m, r->lines[i]);
		m->facts[place] = (struct line_facts){
			.is_prefetched = true, .requested = cycle, .fill = m->nr_fills, .mark = r->mark};
		m->counters.prefetches++;
		nr++;
	}
}

/* ---- A fetch ---- */

static struct sight first_use(struct l1i *m, uint64_t cycle, const struct line_facts *f, uint32_t latency)
{
	bool is_late = m->nr_fills - f->fill < RECENT_FILLS && f->requested + latency > cycle;
	m->counters.used++;
	m->counters.late += is_late;
	return (struct sight){.is_new = true, .is_use = true, .is_late = is_late, .latency = latency, .mark = f->mark};
}

static uint32_t latency_of(const struct l1i *m, uint32_t valid, const uint64_t *values)
{
	if (m->registers.latency > 0)
		return m->registers.latency;
	return valid & 1u << FETCH_LATENCY ? (uint32_t)values[FETCH_LATENCY] : m->registers.latency_other;
}

static void fetch_line(struct l1i *m, uint64_t cycle, uint64_t line, uint32_t latency)
{
	struct sight s = {.is_new = false};
	struct requests r;
	r.nr = 0;
	m->counters.fetches++;
	uint32_t place = place_of_line(&m->base, line);
	if (__builtin_expect(place != NOWHERE, 1)) {
		use_place(&m->base, place);
	} else {
		m->counters.base_misses++;
		put_line(&m->base, victim_of(&m->base, line), line);
	}
	place = place_of_line(&m->tags, line);
	if (__builtin_expect(place == NOWHERE, 0)) {
		m->counters.misses++;
		bring_in(m, line);
		s = (struct sight){.is_new = true, .latency = latency};
	} else {
		use_place(&m->tags, place);
		if (m->facts[place].is_prefetched) {
			s = first_use(m, cycle, &m->facts[place], latency);
			m->facts[place].is_prefetched = false;
		}
	}
	if (m->registers.prefetcher == ENTANGLING)
		watch_entangling(m, &r, cycle, line, s);
	else if (m->registers.prefetcher == NEXT_LINE)
		watch_next_line(m, &r, line, s);
	prefetch(m, cycle, &r);
}

/* ---- Operations ---- */

static void step(void *module, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	struct l1i *m = module;
	if (!(valid & 1u << FETCH_PC))
		return;
	uint64_t line = values[FETCH_PC] >> m->line_shift;
	if (line == m->fetched)
		return;
	m->fetched = line;
	fetch_line(m, cycle, line, latency_of(m, valid, values));
}

static void reset(void *module)
{
	struct l1i *m = module;
	const struct registers *r = &m->registers;
	uint32_t nr_sets = r->entries / TABLE_WAYS;
	tags_clear(&m->base, r->sets, r->ways);
	tags_clear(&m->tags, r->sets, r->ways);
	memset(m->facts, 0, sizeof(m->facts));
	m->counters = (struct counters){.fetches = 0};
	m->line_shift = r->line_shift;
	m->line_mask = (UINT64_C(1) << (PC_BITS - r->line_shift)) - 1;
	m->fetched = NO_LINE;
	m->nr_fills = 0;
	m->block = (struct block){.is_there = false};
	m->nr_heads = m->nr_uses = 0;
	m->nr_sets = nr_sets;
	m->set_shift = nr_sets & (nr_sets - 1) ? -1 : __builtin_ctz(nr_sets);
	memset(&m->table, 0, sizeof(m->table));
}

static void *make(const struct soft_outside *outside)
{
	(void)outside; /* it sends no packets */
	struct l1i *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
#define ROW(name, offset, value) .name = value,
	m->registers = (struct registers){SETTINGS(ROW)};
#undef ROW
	m->base.lines = m->lines[0];
	m->base.used = m->used[0];
	m->tags.lines = m->lines[1];
	m->tags.used = m->used[1];
	reset(m);
	return m;
}

static uint32_t peeked(const struct l1i *m)
{
	uint32_t entry = m->peek / PEEK_WORDS, k = m->peek % PEEK_WORDS;
	if (entry >= m->nr_sets * TABLE_WAYS || m->table.tags[entry] == 0 || k > NR_DESTINATIONS)
		return 0;
	if (k == 0)
		return UINT32_C(0x80000000) | (uint32_t)m->table.sizes[entry] << 16 | (m->table.tags[entry] - 1u);
	const struct destination *d = &m->table.destinations[entry][k - 1];
	return (uint32_t)d->confidence << LOW_BITS | d->low;
}

static uint32_t read_register(void *module, uint32_t offset)
{
	const struct l1i *m = module;
	switch (offset) {
#define ROW(name, at, value)                                                                                           \
	case at:                                                                                                       \
		return m->registers.name;
		SETTINGS(ROW)
#undef ROW
#define ROW(name, at)                                                                                                  \
	case at:                                                                                                       \
		return (uint32_t)m->counters.name;                                                                     \
	case at + 4:                                                                                                   \
		return (uint32_t)(m->counters.name >> 32);
		COUNTERS(ROW)
#undef ROW
	case PEEK:
		return m->peek;
	case PEEKED:
		return peeked(m);
	default:
		return 0;
	}
}

static bool is_possible(const struct registers *r)
{
	return r->prefetcher < NR_PREFETCHERS && r->latency < 1u << LATENCY_BITS &&
	       r->latency_other < 1u << LATENCY_BITS && r->sets > 0 && r->sets <= MAX_SETS &&
	       (r->sets & (r->sets - 1)) == 0 && r->ways > 0 && r->ways <= MAX_WAYS && r->line_shift >= 4 &&
	       r->line_shift <= PAGE_SHIFT && r->entries > 0 && r->entries <= MAX_ENTRIES &&
	       r->entries % TABLE_WAYS == 0;
}

static void write_register(void *module, uint32_t offset, uint32_t value)
{
	struct l1i *m = module;
	struct registers r = m->registers;
	switch (offset) {
#define ROW(name, at, first_value)                                                                                     \
	case at:                                                                                                       \
		r.name = value;                                                                                        \
		break;
		SETTINGS(ROW)
#undef ROW
	case PEEK:
		m->peek = value;
		break;
	default:
		break;
	}
	if (is_possible(&r))
		m->registers = r;
}

static const struct soft_input inputs[NR_INPUTS] = {
	[FETCH_PC] = {"fetch_pc", PC_BITS},
	[FETCH_LATENCY] = {"fetch_latency", LATENCY_BITS},
};

static const struct soft_register registers[] = {
#define ROW(name, offset, value) {#name, offset, SOFT_READ | SOFT_WRITE},
	SETTINGS(ROW)
#undef ROW
#define ROW(name, offset) {#name "_lo", offset, SOFT_READ}, {#name "_hi", offset + 4, SOFT_READ},
		COUNTERS(ROW)
#undef ROW
			{"peek", PEEK, SOFT_READ | SOFT_WRITE},
	{"peeked", PEEKED, SOFT_READ},
};

static const struct soft_module l1i_entangling = {
	.abi = SOFT_ABI,
	.bytes = sizeof(struct soft_module),
	.name = "l1i-entangling",
	.version = "1.0.0",
	.nr_inputs = NR_INPUTS,
	.nr_registers = sizeof(registers) / sizeof(registers[0]),
	.inputs = inputs,
	.registers = registers,
	.make = make,
	.release = free,
	.reset = reset,
	.step = step,
	.read = read_register,
	.write = write_register,
};

const struct soft_module *sahm_soft_module(void)
{
	return &l1i_entangling;
}
