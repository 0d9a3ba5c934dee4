#include "tests/reference/refentangling.h"

#include <stdlib.h>

#define WAYS 16
#define PAIRS 4

struct pair {
	uint64_t low;
	int confidence;
	unsigned joined; /* when */
};

struct entry {
	bool is_there;
	unsigned set, way;
	uint64_t tag;
	unsigned used; /* when */
	unsigned size;
	struct pair pairs[PAIRS];
};

struct head {
	uint64_t line, clock;
};

struct refentangling {
	unsigned nr_entries, now;
	struct entry *entries;
	uint64_t first, last; /* lines of the block so far */
	bool is_later_new, has_block;
	unsigned nr_heads;
	struct head heads[];
};

struct refentangling *refentangling_new(const struct prefetcher_spec *spec, unsigned most)
{
	struct refentangling *e = calloc(1, sizeof(*e) + most * sizeof(e->heads[0]));
	if (!e)
		return NULL;
	e->nr_entries = spec->entries;
	e->entries = calloc(spec->entries, sizeof(*e->entries));
	for (unsigned i = 0; e->entries && i < e->nr_entries; i++) {
		e->entries[i].set = i / WAYS;
		e->entries[i].way = i % WAYS;
	}
	if (e->entries)
		return e;
	free(e);
	return NULL;
}

void refentangling_free(struct refentangling *e)
{
	if (e)
		free(e->entries);
	free(e);
}

static struct entry *find(struct refentangling *e, uint64_t line)
{
	unsigned sets = e->nr_entries / WAYS;
	for (unsigned i = 0; i < e->nr_entries; i++) {
		struct entry *x = &e->entries[i];
		if (x->is_there && x->set == line % sets && x->tag == line / sets % 1024)
			return x;
	}
	return NULL;
}

static struct entry *find_or_make(struct refentangling *e, uint64_t line)
{
	unsigned sets = e->nr_entries / WAYS;
	struct entry *x = find(e, line), *leaves = NULL;
	for (unsigned i = 0; !x && i < e->nr_entries; i++) {
		struct entry *y = &e->entries[i];
		if (y->set != line % sets)
			continue;
		if (!leaves || (leaves->is_there && (!y->is_there || y->used < leaves->used)))
			leaves = y;
	}
	if (leaves)
		*leaves = (struct entry){
			.is_there = true, .set = leaves->set, .way = leaves->way, .tag = line / sets % 1024};
	x = x ? x : leaves;
	x->used = ++e->now;
	return x;
}

static void change_confidence(struct refentangling *e, uint64_t line, uint32_t mark, int by)
{
	for (unsigned i = 0; mark > 0 && i < PAIRS; i++) {
		struct pair *p = &e->entries[mark - 1].pairs[i];
		if (p->confidence == 0 || p->low != line % (1 << 20))
			continue;
		p->confidence += by;
		p->confidence = p->confidence > 3 ? 3 : p->confidence;
		return;
	}
}

void refentangling_evicted(struct refentangling *e, uint64_t line, uint32_t mark)
{
	change_confidence(e, line, mark, -1);
}

static void join(struct refentangling *e, uint64_t source, uint64_t line)
{
	struct entry *x = find_or_make(e, source);
	struct pair *leaves = &x->pairs[0];
	for (unsigned i = 0; i < PAIRS; i++)
		if (x->pairs[i].confidence > 0 && x->pairs[i].low == line % (1 << 20))
			return;
	for (unsigned i = 1; i < PAIRS; i++) {
		struct pair *p = &x->pairs[i];
		if (p->confidence < leaves->confidence ||
		    (p->confidence == leaves->confidence && p->joined < leaves->joined))
			leaves = p;
	}
	*leaves = (struct pair){line % (1 << 20), 2, ++e->now};
}

static void entangle(struct refentangling *e, uint64_t line, uint64_t clock, unsigned latency)
{
	unsigned oldest = e->nr_heads > 16 ? e->nr_heads - 16 : 0, source = oldest;
	if (e->nr_heads == 0)
		return;
	for (unsigned i = oldest; i < e->nr_heads; i++)
		if (((clock - e->heads[i].clock) & 0xfffff) >= latency)
			source = i;
	uint64_t from = e->heads[source].line;
	if (from != line && from >> 20 == line >> 20)
		join(e, from, line);
}

static void end_block(struct refentangling *e)
{
	unsigned size = (unsigned)(e->last - e->first);
	struct entry *x = find(e, e->first);
	if (!x && e->is_later_new)
		x = find_or_make(e, e->first);
	if (x && size > x->size)
		x->size = size;
}

static unsigned request_all(struct refentangling *e, uint64_t head, struct prefetch_request *requests)
{
	struct entry *x = find(e, head);
	unsigned nr = 0, after = 0;
	if (!x)
		return 0;
	x->used = ++e->now;
	uint32_t mark = x->set * WAYS + x->way + 1;
	for (unsigned i = 1; i <= x->size; i++)
		requests[nr++] = (struct prefetch_request){.line = head + i, .mark = mark};
	for (;;) {
		const struct pair *next = NULL;
		for (unsigned i = 0; i < PAIRS; i++) {
			const struct pair *p = &x->pairs[i];
			if (p->confidence > 0 && p->joined > after && (!next || p->joined < next->joined))
				next = p;
		}
		if (!next)
			return nr;
		after = next->joined;
		uint64_t line = (head >> 20 << 20) + next->low;
		const struct entry *block = find(e, line);
		for (unsigned i = 0; i <= (block ? block->size : 0); i++)
			requests[nr++] = (struct prefetch_request){.line = line + i, .mark = mark};
	}
}

unsigned refentangling_watch(struct refentangling *e, const struct prefetch_trigger *t,
			     struct prefetch_request *requests)
{
	uint64_t line = t->address >> t->line_shift;
	if (t->sight.use == USE_IN_TIME)
		change_confidence(e, line, t->sight.mark, 1);
	if (t->sight.use == USE_LATE)
		change_confidence(e, line, t->sight.mark, -1);
	if (e->has_block && line == e->last + 1 && line - e->first < 16) {
		e->last = line;
		e->is_later_new = e->is_later_new || t->sight.is_new;
		return 0;
	}
	if (e->has_block)
		end_block(e);
	if (t->sight.use == USE_LATE || (t->sight.is_new && t->sight.use == USE_OTHER))
		entangle(e, line, t->clock, t->sight.latency);
	e->heads[e->nr_heads++] = (struct head){line, t->clock};
	e->first = e->last = line;
	e->has_block = true;
	e->is_later_new = false;
	return request_all(e, line, requests);
}
