#include "cores/uarch/functional_pass.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/store_window.h"

/* Facts about a line: two bits; of a prefetched line where it came from, and the mark of its request. The rest is the
 * number of its fill. */
enum {
	LINE_DIRTY = 1,
	LINE_PREFETCHED = 2,
	LINE_LEVEL = 4,
	LINE_MARK = LINE_LEVEL * NR_MEMORY_LEVELS,
	LINE_FILL = LINE_MARK << PREFETCH_MARK_BITS
};

/* Prefetches of which it is known when they arrive; the others have arrived. */
#define NR_ARRIVALS 1024u

#define CLOCK_UNIT 1000u

struct level {
	struct cache cache;
	struct prefetcher *prefetchers[MAX_PREFETCHERS]; /* NULL after the last one */
	struct level *next;				 /* where dirty lines go; NULL: to memory */
	uint8_t target;					 /* enum prefetch_target, of what its prefetchers request */
	const uint16_t *latency;			 /* [NR_MEMORY_LEVELS], of those that they see */
	uint64_t *arrivals; /* [NR_ARRIVALS] of prefetches, by number of fill; NULL: none of them needs time */
	uint64_t nr_fills;
	uint64_t *write_backs; /* the pass's count of them; L1I has none */
};

/* Two levels of translations; a miss of both is a walk. */
struct tlb {
	struct cache cache;
	uint64_t last; /* page */
};

struct dram {
	uint64_t *rows; /* [banks]: row + 1; 0: none is open */
	uint64_t bank_mask;
	unsigned row_shift, bank_bits;
};

struct functional_pass {
	struct level l1i, l1d, l2, llc;
	bool has_llc, has_second_tlb;
	struct tlb itlb, dtlb;
	struct cache second_tlb;
	struct branch_pass *branches; /* NULL: somebody else's */
	struct dram dram;
	struct store_window stores;
	uint64_t fetched;		/* the line fetched last */
	uint64_t clock;			/* of prefetchers that need time, in cycles */
	uint32_t clock_part, clock_cpi; /* in thousandths of a cycle */
	struct clock_spec clock_spec;
	const uint64_t *times; /* that replace the clock; or NULL */
	struct functional_counts counts;
	struct uop_prefetch *prefetches;     /* the next one of the batch */
	struct uop_prefetch *prefetches_end; /* the last that this uop may take */
};

/* ---- Making one ---- */

static enum sahm_status level_init(struct level *l, const struct cache_spec *spec,
				   const struct prefetcher_spec *prefetchers, uint64_t seed, struct sahm_err *err)
{
	enum sahm_status status = cache_init_facts(&l->cache, spec, seed, err);
	for (unsigned i = 0; status == SAHM_OK && i < MAX_PREFETCHERS && prefetchers[i].kind != PREFETCHER_NONE; i++) {
		l->prefetchers[i] = prefetcher_new(&prefetchers[i]);
		status = l->prefetchers[i] ? SAHM_OK : sahm_fail_nomem(err);
	}
	bool has_clock = status == SAHM_OK && prefetchers_need_clock(prefetchers);
	l->arrivals = has_clock ? calloc(NR_ARRIVALS, sizeof(*l->arrivals)) : NULL;
	return l->arrivals || !has_clock ? status : sahm_fail_nomem(err);
}

/* Of cache `number`, from 1 to 4: never 0. */
static uint64_t cache_seed(const struct core_geometry *g, unsigned number)
{
	return (4 * (uint64_t)g->seed + number) * UINT64_C(0x9e3779b97f4a7c15);
}

static enum sahm_status init(struct functional_pass *p, const struct core_geometry *g, struct sahm_err *err)
{
	enum sahm_status status = level_init(&p->l1i, &g->l1i, g->l1i_prefetchers, cache_seed(g, 1), err);
	if (status == SAHM_OK)
		status = level_init(&p->l1d, &g->l1d, g->l1d_prefetchers, cache_seed(g, 2), err);
	if (status == SAHM_OK)
		status = level_init(&p->l2, &g->l2, g->l2_prefetchers, cache_seed(g, 3), err);
	p->has_llc = g->llc.bytes > 0;
	if (status == SAHM_OK && p->has_llc)
		status = level_init(&p->llc, &g->llc, g->llc_prefetchers, cache_seed(g, 4), err);
	if (status == SAHM_OK)
		status = table_cache_init(&p->itlb.cache, &g->itlb, err);
	if (status == SAHM_OK)
		status = table_cache_init(&p->dtlb.cache, &g->dtlb, err);
	p->has_second_tlb = g->second_tlb.entries > 0;
	if (status == SAHM_OK && p->has_second_tlb)
		status = table_cache_init(&p->second_tlb, &g->second_tlb, err);
	if (status != SAHM_OK)
		return status;
	p->clock_spec = g->clock;
	p->clock_cpi = g->clock.cpi;
	p->l1i.next = p->l1d.next = &p->l2;
	p->l2.next = p->has_llc ? &p->llc : NULL;
	p->l1i.target = PREFETCH_L1I;
	p->l1d.target = PREFETCH_L1D;
	p->l2.target = PREFETCH_L2;
	p->llc.target = PREFETCH_LLC;
	p->l1i.latency = p->clock_spec.code;
	p->l1d.latency = p->l2.latency = p->llc.latency = p->clock_spec.data;
	p->l1d.write_backs = &p->counts.l1d_write_backs;
	p->l2.write_backs = &p->counts.l2_write_backs;
	p->llc.write_backs = &p->counts.llc_write_backs;
	p->itlb.last = p->dtlb.last = p->fetched = UINT64_MAX;
	p->dram = (struct dram){.rows = calloc(g->dram.banks, sizeof(*p->dram.rows)),
				.bank_mask = g->dram.banks - 1,
				.row_shift = (unsigned)__builtin_ctz(g->dram.row_bytes),
				.bank_bits = (unsigned)__builtin_ctz(g->dram.banks)};
	return p->dram.rows ? SAHM_OK : sahm_fail_nomem(err);
}

struct functional_pass *functional_pass_new_memory(const struct core_geometry *g, struct sahm_err *err)
{
	struct functional_pass *p = calloc(1, sizeof(*p));
	if (!p) {
		sahm_fail_nomem(err);
		return NULL;
	}
	if (init(p, g, err) == SAHM_OK)
		return p;
	functional_pass_free(p);
	return NULL;
}

struct functional_pass *functional_pass_new(const struct core_geometry *g, struct sahm_err *err)
{
	struct functional_pass *p = functional_pass_new_memory(g, err);
	if (!p || (p->branches = branch_pass_new(g, err)))
		return p;
	functional_pass_free(p);
	return NULL;
}

static void level_release(struct level *l)
{
	cache_release(&l->cache);
	for (unsigned i = 0; i < MAX_PREFETCHERS; i++)
		prefetcher_free(l->prefetchers[i]);
	free(l->arrivals);
}

void functional_pass_free(struct functional_pass *p)
{
	if (!p)
		return;
	level_release(&p->l1i);
	level_release(&p->l1d);
	level_release(&p->l2);
	level_release(&p->llc);
	cache_release(&p->itlb.cache);
	cache_release(&p->dtlb.cache);
	cache_release(&p->second_tlb);
	branch_pass_free(p->branches);
	free(p->dram.rows);
	free(p);
}

const struct functional_counts *functional_pass_counts(const struct functional_pass *p)
{
	return &p->counts;
}

/* ---- Beyond the first caches ---- */

static enum row_state dram_open(struct dram *d, uint64_t address)
{
	uint64_t row = (address >> d->row_shift >> d->bank_bits) + 1;
	uint64_t *open = &d->rows[address >> d->row_shift & d->bank_mask];
	enum row_state state = *open == row ? ROW_HIT : *open == 0 ? ROW_CLOSED : ROW_CONFLICT;
	*open = row;
	return state;
}

static uint32_t mark_of(uint64_t facts)
{
	return (uint32_t)(facts / LINE_MARK % (1u << PREFETCH_MARK_BITS));
}

/* The dirty line at `address` leaves the cache before `next`. */
static void write_back(struct level *next, uint64_t address)
{
	uint64_t *facts = cache_peek(&next->cache, cache_line(&next->cache, address));
	if (facts)
		*facts |= LINE_DIRTY;
}

/* Brings a line into `l`. Whether a dirty one left. */
static bool fill(struct level *l, uint64_t address, uint64_t facts)
{
	struct cache_victim victim;
	cache_fill(&l->cache, cache_line(&l->cache, address), facts, &victim);
	for (unsigned i = 0; victim.is_there && victim.facts & LINE_PREFETCHED && i < MAX_PREFETCHERS; i++)
		if (l->prefetchers[i])
			prefetcher_evicted(l->prefetchers[i], victim.line, mark_of(victim.facts));
	if (!victim.is_there || !(victim.facts & LINE_DIRTY))
		return false;
	++*l->write_backs;
	if (l->next)
		write_back(l->next, victim.line << l->cache.line_shift);
	return true;
}

/* Where a line comes from. */
struct origin {
	uint8_t level, row;
};

static struct origin from_memory(struct functional_pass *p, uint64_t address)
{
	return (struct origin){LEVEL_MEMORY, (uint8_t)dram_open(&p->dram, address)};
}

static struct origin from_llc(struct functional_pass *p, uint64_t address, uint64_t pc, bool is_demand, bool is_code);

/* The prefetchers of `l` see an access at `address`; what they ask for is brought in. */
static void watch(struct functional_pass *p, struct level *l, uint64_t pc, uint64_t address,
		  struct prefetch_sight sight, bool is_code);

/* A demand for a line that is not in L1, or the request of an L1 prefetcher. Prefetchers see both. */
static struct origin from_l2(struct functional_pass *p, uint64_t address, uint64_t pc, bool is_demand, bool is_code)
{
	uint64_t *facts = cache_find(&p->l2.cache, cache_line(&p->l2.cache, address));
	bool is_new = !facts || *facts & LINE_PREFETCHED;
	struct origin o = {LEVEL_L2, 0};
	if (is_demand)
		p->counts.epoch.count[COUNTER_L2_ACCESSES]++;
	if (facts) {
		*facts &= ~(uint64_t)LINE_PREFETCHED;
	} else {
		if (is_demand)
			p->counts.epoch.count[COUNTER_L2_MISSES]++;
		o = from_llc(p, address, pc, is_demand, is_code);
		fill(&p->l2, address, 0);
	}
	if (p->l2.prefetchers[0])
		watch(p, &p->l2, pc, address, (struct prefetch_sight){.is_new = is_new}, is_code);
	return o;
}

static struct origin from_llc(struct functional_pass *p, uint64_t address, uint64_t pc, bool is_demand, bool is_code)
{
	if (!p->has_llc)
		return from_memory(p, address);
	uint64_t *facts = cache_find(&p->llc.cache, cache_line(&p->llc.cache, address));
	bool is_new = !facts || *facts & LINE_PREFETCHED;
	struct origin o = {LEVEL_LLC, 0};
	if (facts) {
		*facts &= ~(uint64_t)LINE_PREFETCHED;
	} else {
		p->counts.llc_misses += is_demand;
		o = from_memory(p, address);
		fill(&p->llc, address, 0);
	}
	if (p->llc.prefetchers[0])
		watch(p, &p->llc, pc, address, (struct prefetch_sight){.is_new = is_new}, is_code);
	return o;
}

/* ---- Prefetches ---- */

/* Whether the line was not there yet, and the uop may prefetch it. */
static bool request(struct functional_pass *p, struct level *l, uint64_t pc, uint64_t address, uint32_t mark,
		    bool is_code)
{
	struct origin o;
	if (p->prefetches == p->prefetches_end || cache_has(&l->cache, cache_line(&l->cache, address)))
		return false;
	struct uop_prefetch *prefetch = p->prefetches++; /* before those that it gives rise to */
	if (l->target == PREFETCH_LLC)
		o = from_memory(p, address);
	else if (l->target == PREFETCH_L2)
		o = from_llc(p, address, pc, false, is_code);
	else
		o = from_l2(p, address, pc, false, is_code);
	uint64_t facts = LINE_PREFETCHED | o.level * LINE_LEVEL | (uint64_t)mark * LINE_MARK;
	fill(l, address, facts | ++l->nr_fills * LINE_FILL);
	if (l->arrivals)
		l->arrivals[l->nr_fills % NR_ARRIVALS] = p->clock + l->latency[o.level];
	p->counts.prefetches++;
	p->counts.l1i_prefetches += l->target == PREFETCH_L1I;
	*prefetch = (struct uop_prefetch){
		.line = address, .target = l->target, .level = o.level, .row = o.row, .is_code = is_code};
	return true;
}

/* Whether a TLB has the page. Prefetches to others are dropped: they would need a page walk. */
static bool is_translated(const struct functional_pass *p, uint64_t page, bool is_code)
{
	return cache_has(is_code ? &p->itlb.cache : &p->dtlb.cache, page) ||
	       (p->has_second_tlb && cache_has(&p->second_tlb, page));
}

/* Brings in what a prefetcher of `l` requests, unless it cannot. */
static void take(struct functional_pass *p, struct level *l, uint64_t pc, uint64_t address,
		 const struct prefetch_request *r, bool is_code)
{
	uint64_t ahead = r->line << l->cache.line_shift;
	if (ahead / PAGE_BYTES != address / PAGE_BYTES && !is_translated(p, ahead / PAGE_BYTES, is_code))
		return;
	if (!r->is_beyond)
		request(p, l, pc, ahead, r->mark, is_code);
	else if (!cache_has(&l->cache, cache_line(&l->cache, ahead)) && request(p, l->next, pc, ahead, 0, is_code) &&
		 l->next->prefetchers[0])
		watch(p, l->next, pc, ahead, (struct prefetch_sight){.is_new = true}, is_code);
}

static void watch(struct functional_pass *p, struct level *l, uint64_t pc, uint64_t address,
		  struct prefetch_sight sight, bool is_code)
{
	struct prefetch_request requests[MAX_PREFETCH_REQUESTS];
	struct prefetch_trigger t = {
		.pc = pc, .address = address, .sight = sight, .clock = p->clock, .line_shift = l->cache.line_shift};
	for (unsigned n = 0; n < MAX_PREFETCHERS && l->prefetchers[n]; n++) {
		unsigned nr = prefetcher_watch(l->prefetchers[n], &t, requests);
		for (unsigned i = 0; i < nr; i++)
			take(p, l, pc, address, &requests[i], is_code);
	}
}

/* ---- The first caches ---- */

/* How recent the fill of a line is, among the fills before this uop's own: 0, or 1 to MAX_RECENT. */
static inline uint8_t recent_fill(uint64_t nr_fills, uint64_t facts)
{
	uint64_t n = nr_fills - facts / LINE_FILL + 1;
	return n <= MAX_RECENT ? (uint8_t)n : 0;
}

static inline uint8_t smaller_above_0(uint8_t a, uint8_t b)
{
	return a == 0 || (b > 0 && b < a) ? b : a;
}

static enum tlb_level translate_other(struct functional_pass *p, struct tlb *t, uint64_t page, uint64_t *misses)
{
	t->last = page;
	if (cache_access(&t->cache, page))
		return TLB_HIT;
	++*misses;
	if (p->has_second_tlb && cache_access(&p->second_tlb, page))
		return TLB_SECOND;
	p->counts.walks++;
	return TLB_WALK;
}

static inline enum tlb_level translate(struct functional_pass *p, struct tlb *t, uint64_t address, uint64_t *misses)
{
	uint64_t page = address / PAGE_BYTES;
	return page == t->last ? TLB_HIT : translate_other(p, t, page, misses);
}

/* The first use of a prefetched line, with its facts as they were. */
__attribute__((noinline)) static struct prefetch_sight first_use(struct functional_pass *p, const struct level *l,
								 uint64_t facts)
{
	uint64_t fill = facts / LINE_FILL;
	bool is_late = l->arrivals && l->nr_fills - fill < NR_ARRIVALS && l->arrivals[fill % NR_ARRIVALS] > p->clock;
	p->counts.l1i_prefetches_used += l->target == PREFETCH_L1I;
	return (struct prefetch_sight){.mark = mark_of(facts),
				       .latency = l->latency[facts / LINE_LEVEL % NR_MEMORY_LEVELS],
				       .use = is_late ? USE_LATE : USE_IN_TIME,
				       .is_new = true};
}

/* Of a line that was there. */
static inline struct prefetch_sight sight_of(struct functional_pass *p, const struct level *l, uint64_t facts)
{
	if (__builtin_expect(facts & LINE_PREFETCHED, 0))
		return first_use(p, l, facts);
	return (struct prefetch_sight){.is_new = false};
}

static struct prefetch_sight fetch_line(struct functional_pass *p, struct uop *u, uint64_t line, uint64_t nr_fills)
{
	struct level *l = &p->l1i;
	uint64_t address = line << l->cache.line_shift;
	uint8_t tlb = (uint8_t)translate(p, &p->itlb, address, &p->counts.itlb_misses);
	uint64_t *facts = cache_find(&l->cache, line);
	p->fetched = line;
	p->counts.l1i_lines++;
	u->fetch_lines++;
	u->fetch_tlb = tlb > u->fetch_tlb ? tlb : u->fetch_tlb;
	if (facts) {
		struct prefetch_sight sight = sight_of(p, l, *facts);
		u->fetch_fill = smaller_above_0(u->fetch_fill, recent_fill(nr_fills, *facts));
		*facts &= ~(uint64_t)LINE_PREFETCHED;
		return sight;
	}
	p->counts.epoch.count[COUNTER_L1I_MISSES]++;
	struct origin o = from_l2(p, address, u->pc, true, true);
	fill(l, address, ++l->nr_fills * LINE_FILL);
	u->fetch_fills++;
	u->fetch_level = o.level > u->fetch_level ? o.level : u->fetch_level;
	return (struct prefetch_sight){.latency = l->latency[o.level], .is_new = true};
}

/* An instruction is at most as long as a line. All its lines are there before prefetches are requested. */
static inline void fetch(struct functional_pass *p, struct uop *u)
{
	struct level *l = &p->l1i;
	uint64_t line = cache_line(&l->cache, u->pc), end = cache_line(&l->cache, u->pc + u->length - 1);
	if (line == p->fetched)
		line++;
	if (__builtin_expect(line > end, 1))
		return;
	uint64_t nr_fills = l->nr_fills;
	struct prefetch_sight sight = fetch_line(p, u, line, nr_fills), next = {.is_new = false};
	if (line < end)
		next = fetch_line(p, u, end, nr_fills);
	if (!l->prefetchers[0])
		return;
	watch(p, l, u->pc, line << l->cache.line_shift, sight, true);
	if (line < end)
		watch(p, l, u->pc, end << l->cache.line_shift, next, true);
}

static inline struct prefetch_sight access_line(struct functional_pass *p, struct uop *u, uint64_t line,
						uint64_t nr_fills)
{
	struct level *l = &p->l1d;
	uint64_t *facts = cache_find(&l->cache, line), dirty = u->class == INSN_STORE ? LINE_DIRTY : 0;
	p->counts.epoch.count[COUNTER_L1D_ACCESSES]++;
	if (__builtin_expect(facts != NULL, 1)) {
		struct prefetch_sight sight = sight_of(p, l, *facts);
		u->fill = smaller_above_0(u->fill, recent_fill(nr_fills, *facts));
		*facts = (*facts & ~(uint64_t)LINE_PREFETCHED) | dirty;
		return sight;
	}
	uint64_t address = line << l->cache.line_shift;
	p->counts.epoch.count[COUNTER_L1D_MISSES]++;
	struct origin o = from_l2(p, address, u->pc, true, false);
	u->releases |= fill(l, address, ++l->nr_fills * LINE_FILL | dirty);
	u->fills++;
	if (o.level > u->level || (o.level == u->level && o.row > u->row)) {
		u->level = o.level;
		u->row = o.row;
	}
	return (struct prefetch_sight){.latency = l->latency[o.level], .is_new = true};
}

/* `sight` is that of the first line, with the longest latency of all. */
static void watch_access(struct functional_pass *p, const struct uop *u, uint64_t line, uint64_t end,
			 struct prefetch_sight sight, uint64_t new)
{
	struct level *l = &p->l1d;
	watch(p, l, u->pc, u->address, sight, false);
	for (; line < end && (new >>= 1) != 0; line++)
		watch(p, l, u->pc, (line + 1) << l->cache.line_shift,
		      (struct prefetch_sight){.latency = sight.latency, .is_new = new & 1}, false);
}

static inline void access(struct functional_pass *p, struct uop *u)
{
	bool is_store = u->class == INSN_STORE;
	if (!is_store && u->bytes > 0) {
		u->forward = (uint8_t)store_window_find(&p->stores, u->address, u->bytes, &u->covers);
	}
	if (is_store)
		store_window_add(&p->stores, u->address, u->bytes);
	if (u->bytes == 0)
		return;
	uint64_t last = u->address + u->bytes - 1, nr_fills = p->l1d.nr_fills;
	uint64_t line = cache_line(&p->l1d.cache, u->address), end = cache_line(&p->l1d.cache, last);
	u->tlb = (uint8_t)translate(p, &p->dtlb, u->address, &p->counts.dtlb_misses);
	if (__builtin_expect(u->address / PAGE_BYTES != last / PAGE_BYTES, 0)) {
		uint8_t other = (uint8_t)translate(p, &p->dtlb, last, &p->counts.dtlb_misses);
		u->tlb = other > u->tlb ? other : u->tlb;
	}
	struct prefetch_sight sight = access_line(p, u, line, nr_fills);
	uint64_t new = sight.is_new;
	/* One that wraps around the end of memory has only its first line. Prefetchers see the first 64. */
	for (uint64_t i = 1; __builtin_expect(line + i <= end, 0); i++) {
		struct prefetch_sight next = access_line(p, u, line + i, nr_fills);
		new |= (uint64_t)next.is_new << (i < 63 ? i : 63);
		sight.latency = next.latency > sight.latency ? next.latency : sight.latency;
	}
	if (p->l1d.prefetchers[0])
		watch_access(p, u, line, end, sight, new);
}

static inline void advance_clock(struct functional_pass *p)
{
	p->clock_part += p->clock_cpi;
	p->clock += p->clock_part / CLOCK_UNIT;
	p->clock_part %= CLOCK_UNIT;
}

void functional_pass_set_clock(struct functional_pass *p, uint32_t cpi)
{
	if (p->clock_spec.cpi > 0)
		p->clock_cpi = cpi > 0 ? cpi : p->clock_spec.cpi;
}

void functional_pass_set_times(struct functional_pass *p, const uint64_t *clocks)
{
	p->times = clocks;
}

void functional_pass_gap(struct functional_pass *p)
{
	/* Older fills are further back than any that can be named. */
	p->l1i.nr_fills += MAX_RECENT;
	p->l1d.nr_fills += MAX_RECENT;
	memset(p->stores.recent, 0, sizeof(p->stores.recent));
}

void functional_counts_set_branches(struct functional_counts *c, const struct branch_counts *b)
{
	c->epoch.count[COUNTER_BRANCHES] = b->branches;
	c->epoch.count[COUNTER_BRANCH_MISSES] = b->mispredicted;
	c->btb_misses = b->btb_misses;
}

/* A prefetch instruction: it is translated as a load is, and brings its line into L1D. */
static void prefetch_softly(struct functional_pass *p, uint64_t pc, uint64_t address)
{
	struct level *l = &p->l1d;
	uint64_t line = address >> l->cache.line_shift << l->cache.line_shift;
	uint64_t misses; /* no demand's */
	uint8_t tlb = (uint8_t)translate(p, &p->dtlb, address, &misses);
	struct uop_prefetch *own = p->prefetches;
	p->prefetches_end++;
	if (!request(p, l, pc, line, 0, false))
		*p->prefetches++ = (struct uop_prefetch){.line = line, .target = PREFETCH_L1D, .level = LEVEL_L1};
	own->is_soft = true;
	own->tlb = tlb;
}

static void run_branches(struct functional_pass *p, struct uop_batch *batch)
{
	branch_pass_run(p->branches, batch);
	branch_pass_mark(p->branches, batch);
	functional_counts_set_branches(&p->counts, branch_pass_counts(p->branches));
}

void functional_pass_run(struct functional_pass *p, struct uop_batch *batch)
{
	bool has_clock = p->clock_cpi > 0;
	uint32_t nr_soft = 0;
	p->prefetches = batch->prefetches;
	for (uint32_t i = 0; i < batch->nr; i++) {
		struct uop *u = &batch->uops[i];
		struct uop_prefetch *before = p->prefetches;
		bool has_soft = nr_soft < batch->nr_soft && batch->soft[nr_soft].uop == i;
		p->prefetches_end = before + MAX_UOP_PREFETCHES - has_soft;
		if (u->flags & UOP_FIRST) {
			if (p->times)
				p->clock = p->times[i];
			else if (has_clock)
				advance_clock(p);
			fetch(p, u);
		}
		if (u->class == INSN_LOAD || u->class == INSN_STORE)
			access(p, u);
		if (__builtin_expect(has_soft, 0))
			prefetch_softly(p, u->pc, batch->soft[nr_soft++].address);
		u->nr_prefetches = (uint8_t)(p->prefetches - before);
	}
	batch->nr_prefetches = (uint32_t)(p->prefetches - batch->prefetches);
	p->counts.epoch.count[COUNTER_INSTRUCTIONS] += batch->nr_instructions;
	if (p->branches)
		run_branches(p, batch);
}
