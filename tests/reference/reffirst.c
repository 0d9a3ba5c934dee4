#include "tests/reference/reffirst.h"

#include <stdlib.h>
#include <string.h>

#include "tests/reference/refberti.h"
#include "tests/reference/refentangling.h"

struct line {
	bool is_there, is_prefetched;
	uint64_t number, used, arrival;
	unsigned latency;
	uint32_t mark;
};

/* Also a TLB, of pages. */
struct store {
	unsigned nr_sets, ways;
	struct line *lines;
};

struct reffirst {
	bool is_code;
	unsigned line_bytes;
	const uint16_t *latency;
	struct core_geometry g;
	struct store l1, l2, tlb, second;
	struct refberti *berti;
	struct refentangling *entangling;
	uint64_t now; /* of uses */
	struct reffirst_prefetch out[MAX_UOP_PREFETCHES];
	unsigned nr;
};

static bool store_init(struct store *s, unsigned nr, unsigned ways)
{
	*s = (struct store){ways > 0 ? nr / ways : 0, ways, calloc(nr + 1, sizeof(struct line))};
	return s->lines;
}

struct reffirst *reffirst_new(const struct core_geometry *g, bool is_code, unsigned most)
{
	struct reffirst *f = calloc(1, sizeof(*f));
	const struct cache_spec *l1 = is_code ? &g->l1i : &g->l1d;
	const struct table_spec *tlb = is_code ? &g->itlb : &g->dtlb;
	if (!f)
		return NULL;
	f->g = *g;
	f->is_code = is_code;
	f->line_bytes = l1->line_bytes;
	f->latency = is_code ? f->g.clock.code : f->g.clock.data;
	bool ok = store_init(&f->l1, l1->bytes / l1->line_bytes, l1->ways) &&
		  store_init(&f->l2, g->l2.bytes / g->l2.line_bytes, g->l2.ways) &&
		  store_init(&f->tlb, tlb->entries, tlb->ways) &&
		  store_init(&f->second, g->second_tlb.entries, g->second_tlb.ways);
	if (is_code)
		f->entangling = refentangling_new(&g->l1i_prefetchers[0], most);
	else
		f->berti = refberti_new(most);
	if (ok && (f->entangling || f->berti))
		return f;
	reffirst_free(f);
	return NULL;
}

void reffirst_free(struct reffirst *f)
{
	if (!f)
		return;
	free(f->l1.lines);
	free(f->l2.lines);
	free(f->tlb.lines);
	free(f->second.lines);
	refberti_free(f->berti);
	refentangling_free(f->entangling);
	free(f);
}

static struct line *find(struct store *s, uint64_t number)
{
	for (unsigned i = 0; i < s->nr_sets * s->ways; i++)
		if (s->lines[i].is_there && s->lines[i].number == number)
			return &s->lines[i];
	return NULL;
}

/* A new line in place of an empty one or of the least recently used, a copy of which is in *left. */
static struct line *enter(struct reffirst *f, struct store *s, uint64_t number, struct line *left)
{
	struct line *place = NULL;
	for (unsigned i = 0; i < s->ways; i++) {
		struct line *x = &s->lines[number % s->nr_sets * s->ways + i];
		if (!place || (place->is_there && (!x->is_there || x->used < place->used)))
			place = x;
	}
	*left = *place;
	*place = (struct line){.is_there = true, .number = number, .used = ++f->now};
	return place;
}

/* L2's own prefetcher, after a line was looked for that is new. */
static void prefetch_next(struct reffirst *f, uint64_t address)
{
	struct line left;
	uint64_t ahead = (address / f->g.l2.line_bytes + 1) * f->g.l2.line_bytes, number = ahead / f->g.l2.line_bytes;
	if (f->g.l2_prefetchers[0].kind == PREFETCHER_NONE || ahead / PAGE_BYTES != address / PAGE_BYTES)
		return;
	if (find(&f->l2, number) || f->nr == MAX_UOP_PREFETCHES)
		return;
	f->out[f->nr++] = (struct reffirst_prefetch){ahead, true, true};
	enter(f, &f->l2, number, &left)->is_prefetched = true;
}

/* Whether the line was in L2; it is afterwards. */
static bool from_l2(struct reffirst *f, uint64_t address)
{
	struct line *x = find(&f->l2, address / f->g.l2.line_bytes), left;
	bool is_there = x, is_new = !x || x->is_prefetched;
	if (!x)
		x = enter(f, &f->l2, address / f->g.l2.line_bytes, &left);
	x->used = ++f->now;
	x->is_prefetched = false;
	if (is_new)
		prefetch_next(f, address);
	return is_there;
}

static void translate(struct reffirst *f, uint64_t page)
{
	struct line *x = find(&f->tlb, page), *second = find(&f->second, page), left;
	if (x) {
		x->used = ++f->now;
		return;
	}
	enter(f, &f->tlb, page, &left);
	if (second)
		second->used = ++f->now;
	else if (f->second.nr_sets > 0)
		enter(f, &f->second, page, &left);
}

void reffirst_other(struct reffirst *f, uint64_t address)
{
	struct line left;
	from_l2(f, address);
	if (f->second.nr_sets > 0)
		enter(f, &f->second, address / PAGE_BYTES, &left);
}

/* The line comes into L1; what leaves unused is reported. */
static struct line *fill(struct reffirst *f, uint64_t number)
{
	struct line left, *x = enter(f, &f->l1, number, &left);
	if (left.is_there && left.is_prefetched && f->entangling)
		refentangling_evicted(f->entangling, left.number, left.mark);
	return x;
}

static void prefetch(struct reffirst *f, const struct prefetch_request *r, uint64_t address, uint64_t clock)
{
	uint64_t ahead = r->line * f->line_bytes, page = ahead / PAGE_BYTES;
	struct line left;
	if (page != address / PAGE_BYTES && !find(&f->tlb, page) && !find(&f->second, page))
		return;
	if (find(&f->l1, r->line) || (r->is_beyond && find(&f->l2, ahead / f->g.l2.line_bytes)))
		return;
	if (f->nr == MAX_UOP_PREFETCHES)
		return;
	struct reffirst_prefetch *own = &f->out[f->nr++];
	if (r->is_beyond) {
		*own = (struct reffirst_prefetch){ahead, true, true};
		enter(f, &f->l2, ahead / f->g.l2.line_bytes, &left)->is_prefetched = true;
		prefetch_next(f, ahead);
		return;
	}
	bool is_in_l2 = from_l2(f, ahead);
	*own = (struct reffirst_prefetch){ahead, false, !is_in_l2};
	struct line *x = fill(f, r->line);
	x->is_prefetched = true;
	x->mark = r->mark;
	x->latency = f->latency[is_in_l2 ? LEVEL_L2 : LEVEL_MEMORY];
	x->arrival = clock + x->latency;
}

enum memory_level reffirst_access(struct reffirst *f, uint64_t pc, uint64_t address, uint64_t clock,
				  struct reffirst_prefetch *out, unsigned *nr)
{
	struct prefetch_request requests[MAX_PREFETCH_REQUESTS];
	enum memory_level level = LEVEL_L1;
	struct prefetch_trigger t = {.pc = pc, .address = address, .clock = clock};
	translate(f, address / PAGE_BYTES);
	struct line *x = find(&f->l1, address / f->line_bytes);
	t.line_shift = (uint8_t)__builtin_ctz(f->line_bytes);
	if (!x) {
		level = from_l2(f, address) ? LEVEL_L2 : LEVEL_MEMORY;
		fill(f, address / f->line_bytes);
		t.sight.is_new = true;
		t.sight.latency = f->latency[level];
	} else {
		x->used = ++f->now;
		t.sight.is_new = x->is_prefetched;
		t.sight.latency = (uint16_t)x->latency;
		t.sight.mark = x->mark;
		if (x->is_prefetched)
			t.sight.use = x->arrival > clock ? USE_LATE : USE_IN_TIME;
		x->is_prefetched = false;
	}
	unsigned n =
		f->is_code ? refentangling_watch(f->entangling, &t, requests) : refberti_watch(f->berti, &t, requests);
	for (unsigned i = 0; i < n; i++)
		prefetch(f, &requests[i], address, clock);
	memcpy(out, f->out, f->nr * sizeof(*out));
	*nr = f->nr;
	f->nr = 0;
	return level;
}
