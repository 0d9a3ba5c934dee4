/* Entangling: a fetched block of code requests the blocks that missed when it had been fetched just early enough before
 * (A. Ros and A. Jimborean, "A cost-effective entangling prefetcher for instructions", ISCA 2021).
 *
 * docs/cores.md has every rule, so that it can be built again to the bit. A block is a run of consecutive lines; its
 * first line, the head, that misses is joined to the head that was fetched the latency of the miss before. From then
 * on, the fetch of that source requests its own block and the blocks of its destinations. Confidence tells good pairs
 * from those that come too late or for nothing.
 *
 * Does badly where the way to a miss differs each time, and where the code is larger than the table. */
#include "cores/uarch/prefetcher_internal.h"

#define HISTORY 16u
#define CLOCK_BITS 20u
#define MAX_BLOCK 15u /* lines after the head */
#define TAG_BITS 10u
#define LOW_BITS 20u
#define NR_DESTINATIONS 4u
#define CONFIDENCE_AT_FIRST 2u
#define MAX_CONFIDENCE 3u

struct past_head {
	uint64_t line;
	uint32_t clock; /* low CLOCK_BITS */
};

struct destination {
	uint32_t low;	     /* bits of the line; the others are the source's */
	uint32_t confidence; /* 0: the place is free */
};

struct entry {
	struct destination destinations[NR_DESTINATIONS]; /* in the order in which they joined */
	uint32_t size;					  /* lines after the head */
};

/* Tags are first and together: most searches read nothing else. */
struct set {
	uint16_t tags[ENTANGLING_WAYS]; /* tag + 1; 0: the way is empty */
	uint64_t used[ENTANGLING_WAYS]; /* number of the latest use; 0: none */
	struct entry entries[ENTANGLING_WAYS];
};

struct entangling {
	struct past_head history[HISTORY]; /* a ring */
	uint64_t nr_heads;		   /* that it has had */
	uint64_t nr_uses;		   /* of entries */
	uint64_t head, line;		   /* of the block that is being fetched, and its last line so far */
	uint32_t nr_sets;
	bool has_block;
	bool is_block_new; /* a line of it after the head missed, or was prefetched */
	struct set sets[];
};

#define ENTRY_BITS (1 + TAG_BITS + 4 + 4 + NR_DESTINATIONS * (LOW_BITS + 2))
#define HISTORY_BITS (HISTORY * (PREFETCH_LINE_NUMBER_BITS + CLOCK_BITS + 1) + 4)
#define BLOCK_BITS (PREFETCH_LINE_NUMBER_BITS + 4 + 1 + 1)

/* ---- The table ---- */

#define NO_ENTRY UINT32_MAX

static uint16_t tag_of(const struct entangling *e, uint64_t line)
{
	return (uint16_t)(line / e->nr_sets % (1u << TAG_BITS) + 1);
}

/* Number of the line's entry, or NO_ENTRY. */
static uint32_t find(const struct entangling *e, uint64_t line)
{
	uint32_t set = (uint32_t)(line % e->nr_sets), found = 0;
	uint16_t tag = tag_of(e, line);
	for (unsigned i = 0; i < ENTANGLING_WAYS; i++)
		found |= (uint32_t)(e->sets[set].tags[i] == tag) << i;
	return found ? set * ENTANGLING_WAYS + (uint32_t)__builtin_ctz(found) : NO_ENTRY;
}

static struct entry *entry_of(struct entangling *e, uint32_t number)
{
	return &e->sets[number / ENTANGLING_WAYS].entries[number % ENTANGLING_WAYS];
}

static void use(struct entangling *e, uint32_t number)
{
	e->sets[number / ENTANGLING_WAYS].used[number % ENTANGLING_WAYS] = ++e->nr_uses;
}

/* The line's entry, used now: its own, or a new one in the first empty way, else in the least recently used. */
static struct entry *make(struct entangling *e, uint64_t line)
{
	uint32_t own = find(e, line);
	if (own == NO_ENTRY) {
		uint32_t number = (uint32_t)(line % e->nr_sets), way = 0;
		struct set *set = &e->sets[number];
		for (unsigned i = 1; i < ENTANGLING_WAYS; i++)
			if (set->used[i] < set->used[way])
				way = i;
		set->tags[way] = tag_of(e, line);
		set->entries[way] = (struct entry){.size = 0};
		own = number * ENTANGLING_WAYS + way;
	}
	use(e, own);
	return entry_of(e, own);
}

static struct destination *find_destination(struct entry *x, uint64_t line)
{
	for (unsigned i = 0; i < NR_DESTINATIONS; i++)
		if (x->destinations[i].confidence > 0 && x->destinations[i].low == line % (1u << LOW_BITS))
			return &x->destinations[i];
	return NULL;
}

/* ---- Learning ---- */

/* Of a block that has ended. */
static void keep_size(struct entangling *e)
{
	uint32_t size = (uint32_t)(e->line - e->head), number = find(e, e->head);
	struct entry *x = NULL;
	if (number != NO_ENTRY)
		x = entry_of(e, number);
	else if (e->is_block_new)
		x = make(e, e->head);
	if (x && x->size < size)
		x->size = size;
}

/* A line was used in time, or was not. Its mark is 1 + the number of the entry that requested it; 0: none did. */
static void judge(struct entangling *e, uint64_t line, uint32_t mark, bool is_good)
{
	struct destination *d = mark > 0 ? find_destination(entry_of(e, mark - 1), line) : NULL;
	if (!d)
		return;
	if (!is_good)
		d->confidence--;
	else if (d->confidence < MAX_CONFIDENCE)
		d->confidence++;
}

/* The youngest head that is at least as old as the latency, else the oldest; NULL: there is none yet. */
static const struct past_head *source_of(const struct entangling *e, const struct prefetch_trigger *t)
{
	const struct past_head *h = NULL;
	for (unsigned i = 1; i <= HISTORY && i <= e->nr_heads; i++) {
		h = &e->history[(e->nr_heads - i) % HISTORY];
		if ((t->clock - h->clock) % (1u << CLOCK_BITS) >= t->sight.latency)
			break;
	}
	return h;
}

static void join(struct entangling *e, uint64_t source, uint64_t line)
{
	if (source == line || source >> LOW_BITS != line >> LOW_BITS)
		return;
	struct entry *x = make(e, source);
	if (find_destination(x, line))
		return;
	unsigned leaves = 0;
	for (unsigned i = 1; i < NR_DESTINATIONS; i++)
		if (x->destinations[i].confidence < x->destinations[leaves].confidence)
			leaves = i;
	for (unsigned i = leaves; i + 1 < NR_DESTINATIONS; i++)
		x->destinations[i] = x->destinations[i + 1];
	x->destinations[NR_DESTINATIONS - 1] =
		(struct destination){(uint32_t)(line % (1u << LOW_BITS)), CONFIDENCE_AT_FIRST};
}

static void enter_history(struct entangling *e, uint64_t line, uint64_t clock)
{
	e->history[e->nr_heads % HISTORY] = (struct past_head){line, (uint32_t)(clock % (1u << CLOCK_BITS))};
	e->nr_heads++;
}

/* ---- Requests ---- */

static unsigned add_lines(struct prefetch_request *requests, unsigned nr, uint64_t line, uint32_t nr_lines,
			  uint32_t mark)
{
	for (unsigned i = 0; i < nr_lines; i++)
		requests[nr++] = (struct prefetch_request){.line = line + i, .mark = mark};
	return nr;
}

static unsigned request(struct entangling *e, uint64_t head, struct prefetch_request *requests)
{
	uint32_t number = find(e, head);
	if (number == NO_ENTRY)
		return 0;
	const struct entry *x = entry_of(e, number);
	uint32_t mark = number + 1;
	unsigned nr = add_lines(requests, 0, head + 1, x->size, mark);
	use(e, number);
	for (unsigned i = 0; i < NR_DESTINATIONS; i++) {
		const struct destination *d = &x->destinations[i];
		if (d->confidence == 0)
			continue;
		uint64_t line = (head & ~(uint64_t)((1u << LOW_BITS) - 1)) | d->low;
		uint32_t block = find(e, line);
		nr = add_lines(requests, nr, line, 1 + (block == NO_ENTRY ? 0 : entry_of(e, block)->size), mark);
	}
	return nr;
}

/* ---- Operations ---- */

static unsigned watch(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
		      struct prefetch_request *requests)
{
	struct entangling *e = state;
	uint64_t line = t->address >> t->line_shift;
	e->nr_sets = spec->entries / ENTANGLING_WAYS;
	if (t->sight.use != USE_OTHER)
		judge(e, line, t->sight.mark, t->sight.use == USE_IN_TIME);
	if (e->has_block && line == e->line + 1 && line - e->head <= MAX_BLOCK) {
		e->line = line;
		e->is_block_new |= t->sight.is_new;
		return 0;
	}
	if (e->has_block)
		keep_size(e);
	const struct past_head *source = source_of(e, t);
	if (source && t->sight.is_new && t->sight.use != USE_IN_TIME)
		join(e, source->line, line);
	enter_history(e, line, t->clock);
	e->head = e->line = line;
	e->has_block = true;
	e->is_block_new = false;
	return request(e, line, requests);
}

static void evicted(void *state, uint64_t line, uint32_t mark)
{
	judge(state, line, mark, false);
}

/* The mark of each line of L1I is the number of an entry. */
static uint64_t more_storage_bits(const struct prefetcher_spec *spec, uint32_t nr_lines)
{
	return (uint64_t)spec->entries * ENTRY_BITS + (uint64_t)nr_lines * storage_bits_below(spec->entries);
}

const struct prefetcher_ops prefetch_entangling = {.cache = "l1i",
						   .needs_clock = true,
						   .state_bytes = sizeof(struct entangling),
						   .entry_bytes = sizeof(struct set) / ENTANGLING_WAYS,
						   .storage_bits = HISTORY_BITS + BLOCK_BITS,
						   .more_storage_bits = more_storage_bits,
						   .evicted = evicted,
						   .watch = watch};
