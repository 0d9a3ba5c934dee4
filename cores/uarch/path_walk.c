/* Walks winners back: docs/critical-path.md has the edges. All lanes come by each uop together, from the youngest one
 * on, so that its rows are read once. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/path_rows_internal.h"

/* Where a path is: at a time of a uop, or of a miss. */
enum vertex {
	AT_FETCH = HOP_FETCH,
	AT_DISPATCH = HOP_DISPATCH,
	AT_COMMIT = HOP_COMMIT,
	AT_ISSUE,
	AT_COMPLETE,
	AT_DRAIN,
	AT_FILL,
	AT_TRANSFER
};

struct walk {
	const struct path_rows *r;
	const struct path_program *p;
	const struct core_timing *t;
	struct path_lane *lane;
	unsigned number; /* of the lane */
	bool is_in_order;
	uint64_t now, start; /* it ends at the start */
	uint64_t origin;     /* of the last uops */
	uint32_t uop;
	enum vertex vertex;
	uint32_t miss;	/* at AT_FILL and AT_TRANSFER */
	bool is_shared; /* at AT_FILL: it comes from a hit on a line on its way */
};

/* ---- Rows ---- */

static size_t row_bytes(unsigned nr_lanes)
{
	return nr_lanes > 1 ? nr_lanes * sizeof(int32_t) : sizeof(uint64_t);
}

struct path_rows *path_rows_new(const struct path_program *program, unsigned nr_lanes)
{
	struct path_rows *r = calloc(1, sizeof(*r));
	size_t row = row_bytes(nr_lanes);
	if (!r)
		return NULL;
	r->program = program;
	r->nr_lanes = nr_lanes;
	r->issue = aligned_alloc(64, PATH_RING * row);
	r->searched = aligned_alloc(64, PATH_RING * row);
	r->why = aligned_alloc(64, PATH_RING * row);
	r->fill = aligned_alloc(64, MISS_RING * row);
	r->fill_why = aligned_alloc(64, MISS_RING * row);
	r->redirect = aligned_alloc(64, REDIRECT_RING * row);
	r->origins = calloc(MAX_PATH_ORIGINS, sizeof(*r->origins));
	r->hops = calloc(PATH_RING, sizeof(*r->hops));
	r->due = calloc(PATH_RING, sizeof(*r->due));
	if (r->issue && r->searched && r->why && r->fill && r->fill_why && r->redirect && r->origins && r->hops &&
	    r->due) {
		r->nr_origins = 1;
		return r;
	}
	path_rows_free(r);
	return NULL;
}

void path_rows_free(struct path_rows *r)
{
	if (!r)
		return;
	free(r->issue);
	free(r->searched);
	free(r->why);
	free(r->fill);
	free(r->fill_why);
	free(r->redirect);
	free(r->origins);
	free(r->hops);
	free(r->due);
	free(r);
}

/* Only origins of uops that are kept remain, before uop `uop`: their numbers must not wrap. */
static void forget_origins(struct path_rows *r, uint64_t uop)
{
	unsigned nr_old = 0;
	while (nr_old + 1 < r->nr_origins && (uint32_t)uop - r->origins[nr_old + 1].uop >= PATH_RING)
		nr_old++;
	r->nr_origins -= nr_old;
	if (nr_old > 0)
		memmove(r->origins, r->origins + nr_old, r->nr_origins * sizeof(*r->origins));
}

void path_rows_add_origin(struct path_rows *r, uint64_t uop, const uint64_t *at)
{
	/* No uop had the last one. */
	r->nr_origins -= r->origins[r->nr_origins - 1].uop == (uint32_t)uop;
	forget_origins(r, uop);
	struct path_origin *o = &r->origins[r->nr_origins++];
	o->uop = (uint32_t)uop;
	memcpy(o->at, at, r->nr_lanes * sizeof(*at));
}

static uint64_t value_of(const struct walk *w, const void *rows, uint32_t row)
{
	unsigned nr = w->r->nr_lanes;
	return nr > 1 ? ((const uint32_t *)rows)[(size_t)row * nr + w->number] : ((const uint64_t *)rows)[row];
}

/* A time in a row of uop `uop`, as the walk counts. */
static uint64_t time_of(const struct walk *w, const void *rows, uint32_t row, uint32_t uop)
{
	unsigned i = w->r->nr_origins - 1;
	if (__builtin_expect(i == 0, 1))
		return w->origin + value_of(w, rows, row);
	while (i > 0 && uop - w->r->origins[i].uop >= UINT32_C(1) << 31)
		i--;
	return w->r->origins[i].at[w->number] + value_of(w, rows, row);
}

static uint64_t issue_of(const struct walk *w, uint32_t uop)
{
	return time_of(w, w->r->issue, uop % PATH_RING, uop);
}

static const struct path_uop *uop_at(const struct walk *w, uint32_t uop)
{
	return &w->p->uops[uop % PATH_RING];
}

static const struct path_miss *miss_at(const struct walk *w, uint32_t miss)
{
	return &w->p->misses[miss % MISS_RING];
}

static unsigned miss_why(const struct walk *w, uint32_t miss)
{
	return (unsigned)value_of(w, w->r->fill_why, miss % MISS_RING);
}

static bool is_kept(const struct walk *w, uint32_t uop)
{
	return (uint32_t)w->p->nr - 1 - uop < PATH_RING;
}

static bool is_miss_kept(const struct walk *w, uint32_t miss)
{
	return w->p->nr_misses - 1 - miss < MISS_RING && is_kept(w, miss_at(w, miss)->uop);
}

/* ---- Steps ---- */

/* Whether it is where it ends: winners before that do not matter, and need not be kept. */
static bool has_ended(const struct walk *w)
{
	return w->now == w->start;
}

/* The path took `cycles` to come here from uop `from`. */
static void charge(struct walk *w, unsigned cause, uint64_t cycles, uint32_t from)
{
	uint64_t left = w->now - w->start;
	cycles = cycles < left ? cycles : left;
	w->lane->counts.cycles[cause] += cycles;
	w->now -= cycles;
	if (w->lane->edges && cycles > 0)
		path_table_add(w->lane->edges, uop_at(w, from)->pc, uop_at(w, w->uop)->pc, cause, cycles);
}

static void cut(struct walk *w)
{
	w->lane->counts.cycles[PATH_CUT] += w->now - w->start;
	w->lane->counts.cuts++;
	w->now = w->start;
}

static void go(struct walk *w, uint32_t uop, enum vertex vertex)
{
	w->uop = uop;
	w->vertex = vertex;
	if (!has_ended(w) && !is_kept(w, uop))
		cut(w);
}

/* As go(), to a uop that releases what this one waits for, `cycles` before. */
static void go_for(struct walk *w, uint32_t uop, enum vertex vertex, unsigned cause, uint64_t cycles)
{
	if (is_kept(w, uop))
		charge(w, cause, cycles, uop);
	go(w, uop, vertex);
}

static void go_to_miss(struct walk *w, uint32_t miss, enum vertex vertex)
{
	if (has_ended(w))
		return;
	if (!is_miss_kept(w, miss)) {
		cut(w);
		return;
	}
	w->miss = miss;
	go(w, miss_at(w, miss)->uop, vertex);
}

/* The own miss of the uop, or the fill of the line on its way; a load that was forwarded to stands for its line. */
static void go_to_line(struct walk *w, const struct path_uop *x)
{
	w->is_shared = x->level == LEVEL_L1;
	uint32_t miss = w->is_shared ? x->line : x->nr_misses;
	if (is_miss_kept(w, miss) && miss_why(w, miss) == MISS_NOT)
		go(w, miss_at(w, miss)->uop, AT_COMPLETE);
	else
		go_to_miss(w, miss, AT_FILL);
}

/* The youngest redirect of a uop before `x` that ends now. */
static void go_to_redirect(struct walk *w, const struct path_uop *x)
{
	for (uint32_t n = x->nr_redirects - 1; w->p->nr_redirects - 1 - n < REDIRECT_RING; n--) {
		uint32_t uop = w->p->redirects[n % REDIRECT_RING];
		enum path_redirect kind = w->p->redirect_kind[n % REDIRECT_RING];
		if (!is_kept(w, uop))
			break;
		if ((kind == REDIRECT_LOAD && w->is_in_order && !uop_at(w, uop)->may_be_wrong) ||
		    value_of(w, w->r->redirect, n % REDIRECT_RING) == 0 ||
		    time_of(w, w->r->redirect, n % REDIRECT_RING, uop) != w->now)
			continue;
		if (kind == REDIRECT_SYSTEM)
			go_for(w, uop, AT_COMMIT, PATH_SYSTEM, w->t->flush_cycles);
		else if (kind == REDIRECT_LOAD)
			go_for(w, uop, AT_COMPLETE, PATH_VIOLATION, w->t->flush_cycles);
		else if (w->is_in_order)
			go_for(w, uop, AT_ISSUE, PATH_MISPREDICT, w->t->mispredict_cycles + w->t->resolve_cycles);
		else
			go_for(w, uop, AT_COMPLETE, PATH_MISPREDICT, w->t->mispredict_cycles);
		return;
	}
	cut(w);
}

static void from_fetch(struct walk *w, const struct path_uop *x, unsigned why)
{
	const struct core_timing *t = w->t;
	uint32_t before = path_first(w->p, w->uop - 1), line = x->fetch_line;
	if (x->fetch_lines > 0 && why != FETCH_LINE) {
		charge(w, PATH_ITLB, t->itlb_cycles[x->fetch_tlb], w->uop);
		charge(w, PATH_FETCH_L1 + x->fetch_level, t->icache_cycles[x->fetch_level], w->uop);
	}
	if (has_ended(w))
		return;
	switch (why) {
	case FETCH_FULL:
		go_for(w, before, AT_FETCH, PATH_FETCH_WIDTH, 1);
		break;
	case FETCH_REDIRECT:
		go_to_redirect(w, x);
		break;
	case FETCH_GROUP:
		if (uop_at(w, x->group_end)->flags & UOP_BTB_MISS)
			charge(w, PATH_BTB, t->btb_miss_cycles, x->group_end);
		go_for(w, x->group_end, AT_FETCH, PATH_TAKEN_BRANCH, 1);
		break;
	case FETCH_BUFFER:
		go_for(w, w->p->instructions[(x->instruction - t->fetch_buffer + 1) % PATH_RING] - 1,
		       w->is_in_order ? AT_ISSUE : AT_DISPATCH, PATH_FETCH_BUFFER, 1);
		break;
	case FETCH_LINE:
		go_for(w, line, AT_FETCH, PATH_FETCH_LINE,
		       x->fetch_line_level > LEVEL_L1 ? t->icache_cycles[x->fetch_line_level] : 0);
		break;
	default:
		go(w, before, AT_FETCH);
	}
}

static unsigned queue_of(const struct walk *w, unsigned class)
{
	return w->t->groups[w->t->group[class]].queue;
}

/* The youngest older uop of the queue that leaves it now, less one cycle. */
static void go_to_queue(struct walk *w, const struct path_uop *x)
{
	unsigned queue = queue_of(w, x->class);
	uint32_t uop = w->uop - 1;
	while (is_kept(w, uop) && (queue_of(w, uop_at(w, uop)->class) != queue || issue_of(w, uop) + 1 != w->now))
		uop--;
	go_for(w, uop, AT_ISSUE, PATH_QUEUE + queue, 1);
}

static void from_dispatch(struct walk *w, const struct path_uop *x, unsigned why)
{
	const struct core_timing *t = w->t;
	const struct path_program *p = w->p;
	if (why & WHY_DISPATCH_FULL)
		charge(w, PATH_DISPATCH_WIDTH, 1, w->uop);
	if (has_ended(w))
		return;
	switch (why >> 3 & BOUND_STALL) {
	case STALL_FETCH:
		charge(w, PATH_DECODE, t->decode_cycles, w->uop);
		go(w, w->uop - x->nr_before, AT_FETCH);
		break;
	case STALL_ROB:
		go_for(w, w->uop - t->rob, AT_COMMIT, PATH_ROB, 1);
		break;
	case STALL_INT_REGISTERS:
		go_for(w, p->ints[(x->nr_registers - (t->int_registers - ARCHITECTURAL_REGISTERS)) % PATH_RING],
		       AT_COMMIT, PATH_INT_REGISTERS, 1);
		break;
	case STALL_FP_REGISTERS:
		go_for(w, p->fps[(x->nr_registers - (t->fp_registers - ARCHITECTURAL_REGISTERS)) % PATH_RING],
		       AT_COMMIT, PATH_FP_REGISTERS, 1);
		break;
	case STALL_LOAD_QUEUE:
		go_for(w, p->loads[(x->nr_loads - t->load_queue) % PATH_RING], AT_COMMIT, PATH_LOAD_QUEUE, 1);
		break;
	case STALL_STORE_QUEUE:
		go_for(w, p->stores[(x->nr_stores - t->store_queue) % PATH_RING], AT_DRAIN, PATH_STORE_QUEUE, 1);
		break;
	case STALL_SERIALIZE:
		go_for(w, w->uop - 1, AT_COMMIT, PATH_SERIALIZE, 1);
		break;
	case STALL_QUEUE:
		go_to_queue(w, x);
		break;
	default:
		go(w, w->uop - 1, AT_DISPATCH);
	}
}

/* The youngest older store whose data is there now, and not earlier. */
static void go_to_stores(struct walk *w, const struct path_uop *x)
{
	const uint32_t *stores = w->p->stores;
	uint32_t n = x->nr_stores - 1, end = x->nr_stores - 1 - MAX_ROB;
	while (n != end && issue_of(w, stores[n % PATH_RING]) + 1 != w->now)
		n--;
	go(w, stores[n % PATH_RING], AT_COMPLETE);
}

/* The youngest miss before number `end` whose fill arrives at `time`; with `is_demand`, of a load or store. */
static uint32_t find_fill(const struct walk *w, uint32_t end, uint64_t time, bool is_demand)
{
	uint32_t n = end - 1;
	for (; is_miss_kept(w, n); n--) {
		const struct path_miss *m = miss_at(w, n);
		if (is_demand ? m->kind != MISS_DEMAND : m->kind == MISS_BUS_ONLY)
			continue;
		if (miss_why(w, n) != MISS_NOT && time_of(w, w->r->fill, n % MISS_RING, m->uop) == time)
			break;
	}
	return n;
}

/* As go_for(), to the fill or the start of the transfer of a miss. */
static void go_to_miss_for(struct walk *w, uint32_t miss, enum vertex vertex, unsigned cause, uint64_t cycles)
{
	w->is_shared = false;
	if (is_miss_kept(w, miss))
		charge(w, cause, cycles, miss_at(w, miss)->uop);
	go_to_miss(w, miss, vertex);
}

/* The path waits for the register that uop `writer` writes. */
static void mark_load(const struct walk *w, uint32_t writer)
{
	struct load_set *set = w->lane->critical;
	if (set && is_kept(w, writer) && uop_at(w, writer)->class == INSN_LOAD)
		load_set_add(set, uop_at(w, writer)->nr_loads);
}

static void from_issue(struct walk *w, const struct path_uop *x, unsigned why)
{
	unsigned bound = why >> 8 & WHY_ISSUE_BITS, group = w->t->group[x->class];
	uint32_t store = w->p->stores[(x->nr_stores - x->forward) % PATH_RING];
	uint64_t wait = why / WHY_WAIT(1u);
	if (wait == LONG_WAIT)
		wait = w->now - time_of(w, w->r->searched, w->uop % PATH_RING, w->uop);
	if (wait > 0) {
		unsigned queue = w->is_in_order ? 0 : w->t->groups[group].queue;
		charge(w, why & WHY_ISSUE_FULL ? PATH_ISSUE + queue : PATH_UNITS + group, wait, w->uop);
	}
	if (has_ended(w))
		return;
	switch (bound) {
	case BOUND_SOURCE(0):
	case BOUND_SOURCE(1):
	case BOUND_SOURCE(2):
		mark_load(w, x->writer[(bound >> 4) - 1]);
		go(w, x->writer[(bound >> 4) - 1], AT_COMPLETE);
		break;
	case BOUND_RESULT:
		go(w, store, AT_COMPLETE);
		break;
	case BOUND_DRAINED:
		go_for(w, store, AT_DRAIN, PATH_FORWARD, 1);
		break;
	case BOUND_STORES:
		go_to_stores(w, x);
		break;
	case BOUND_ISSUE_ORDER:
		go(w, w->uop - 1, AT_ISSUE);
		break;
	case STALL_BLOCKED:
		go_to_miss_for(w, find_fill(w, x->nr_misses, w->now, true), AT_FILL, PATH_MSHR, 0);
		break;
	default:
		charge(w, PATH_DISPATCH, w->is_in_order ? 0 : w->t->dispatch_cycles, w->uop);
		go(w, w->uop, AT_DISPATCH);
	}
}

static void from_complete(struct walk *w, const struct path_uop *x, unsigned why)
{
	const struct core_timing *t = w->t;
	if (x->class != INSN_LOAD) {
		charge(w, PATH_LATENCY + x->class, x->class == INSN_STORE ? 1 : t->latency[x->class], w->uop);
	} else if (why & WHY_FORWARD) {
		charge(w, PATH_FORWARD, t->forward_cycles, w->uop);
	} else if (why & WHY_LINE) {
		go_to_line(w, x);
		return;
	} else {
		charge(w, PATH_DATA_L1, t->l1d_cycles, w->uop);
		charge(w, PATH_DTLB, t->dtlb_cycles[x->tlb], w->uop);
	}
	go(w, w->uop, AT_ISSUE);
}

static void from_commit(struct walk *w, unsigned why)
{
	if (why & WHY_COMMIT_FULL)
		charge(w, PATH_COMMIT_WIDTH, 1, w->uop);
	if (why & WHY_COMMIT_ORDER) {
		go(w, w->uop - 1, AT_COMMIT);
		return;
	}
	charge(w, PATH_COMMIT, w->is_in_order ? 0 : w->t->commit_cycles, w->uop);
	go(w, w->uop, AT_COMPLETE);
}

static void from_drain(struct walk *w, const struct path_uop *x, unsigned why)
{
	if (why & WHY_DRAIN_FULL)
		charge(w, PATH_DRAIN, 1, w->uop);
	if (why & WHY_DRAIN_LINE) {
		go_to_line(w, x);
	} else if (why & WHY_DRAIN_ORDER) {
		go(w, w->p->stores[(x->nr_stores - 1) % PATH_RING], AT_DRAIN);
	} else {
		charge(w, PATH_DRAIN, 1, w->uop);
		go(w, w->uop, AT_COMMIT);
	}
}

static void from_fill(struct walk *w)
{
	const struct path_miss *m = miss_at(w, w->miss);
	unsigned latency = w->t->data_cycles[m->level] + (m->level == LEVEL_MEMORY ? w->t->row_cycles[m->row] : 0u);
	charge(w, w->is_shared ? PATH_DATA_LINE : PATH_DATA_L1 + m->level, latency, w->uop);
	w->vertex = AT_TRANSFER;
}

/* To the start of the transfer before on the bus. */
static void go_to_bus(struct walk *w)
{
	uint32_t n = w->miss - 1;
	while (is_miss_kept(w, n) && (miss_at(w, n)->level != LEVEL_MEMORY || miss_why(w, n) == MISS_NOT))
		n--;
	go_to_miss_for(w, n, AT_TRANSFER, PATH_BUS, w->t->line_cycles * (miss_at(w, n)->releases ? 2u : 1u));
}

static void from_transfer(struct walk *w, const struct path_uop *x)
{
	const struct core_timing *t = w->t;
	unsigned why = miss_why(w, w->miss);
	if (why == MISS_BUS) {
		go_to_bus(w);
	} else if (why == MISS_MSHR) {
		go_to_miss_for(w, find_fill(w, w->miss, w->now - 1, false), AT_FILL, PATH_MSHR, 1);
	} else {
		if (x->class == INSN_LOAD)
			charge(w, PATH_DATA_L1, t->l1d_cycles, w->uop);
		charge(w, PATH_DTLB, t->dtlb_cycles[x->tlb], w->uop);
		go(w, w->uop, x->class == INSN_STORE && t->store_fill == FILL_AT_COMMIT ? AT_COMMIT : AT_ISSUE);
	}
}

/* Goes on until the path leaves the uop or ends. */
static void walk_uop(struct walk *w, uint32_t uop)
{
	const struct path_uop *x = uop_at(w, uop);
	unsigned why = (unsigned)value_of(w, w->r->why, uop % PATH_RING);
	w->uop = uop;
	while (w->uop == uop && !has_ended(w)) {
		switch (w->vertex) {
		case AT_FETCH:
			if (x->nr_before == 0)
				from_fetch(w, x, why & WHY_FETCH);
			else
				go(w, uop - x->nr_before, AT_FETCH);
			break;
		case AT_DISPATCH:
			from_dispatch(w, x, why);
			break;
		case AT_COMMIT:
			from_commit(w, why);
			break;
		case AT_ISSUE:
			from_issue(w, x, why);
			break;
		case AT_COMPLETE:
			from_complete(w, x, why);
			break;
		case AT_DRAIN:
			from_drain(w, x, why);
			break;
		case AT_FILL:
			from_fill(w);
			break;
		default:
			from_transfer(w, x);
		}
	}
}

static void begin(struct walk *w, struct path_rows *r, struct path_lane *lane, unsigned number, uint64_t cycles)
{
	bool is_first = lane->walked == 0;
	*w = (struct walk){.r = r,
			   .p = r->program,
			   .t = lane->t,
			   .lane = lane,
			   .number = number,
			   .is_in_order = lane->t->kind == CORE_IN_ORDER,
			   .now = cycles - 1,
			   .start = is_first ? 0 : lane->walked - 1,
			   .origin = r->origins[0].at[number],
			   .uop = (uint32_t)r->program->nr - 1,
			   .vertex = AT_COMMIT};
	/* The last commit's own cycle, which no edge has: once for all windows. */
	if (is_first) {
		w->now = cycles;
		charge(w, PATH_COMMIT, 1, w->uop);
	}
	lane->counts.windows++;
	lane->walked = cycles;
}

/* The path of `w` comes by its uop. */
static void set_due(struct path_rows *r, const struct walk *w)
{
	r->due[w->uop % PATH_RING][w->vertex < AT_ISSUE ? (unsigned)w->vertex : NR_PATH_HOPS] |= UINT32_C(1)
												 << w->number;
}

static uint32_t all_due(const struct path_rows *r, uint32_t uop)
{
	const uint32_t *due = r->due[uop % PATH_RING];
	return due[HOP_FETCH] | due[HOP_DISPATCH] | due[HOP_COMMIT] | due[NR_PATH_HOPS];
}

/* Takes lanes that only hop at a uop to the uop or instruction before. Returns the others. */
static inline uint32_t hop(struct path_rows *r, uint32_t uop)
{
	uint32_t *due = r->due[uop % PATH_RING], *before = r->due[(uop - 1) % PATH_RING];
	const uint32_t *hops = r->hops[uop % PATH_RING];
	uint32_t dispatch = due[HOP_DISPATCH] & hops[HOP_DISPATCH], commit = due[HOP_COMMIT] & hops[HOP_COMMIT],
		 fetch = 0;
	before[HOP_DISPATCH] |= dispatch;
	before[HOP_COMMIT] |= commit;
	if (due[HOP_FETCH] != 0) {
		uint32_t first = path_first(r->program, uop);
		fetch = first == uop ? due[HOP_FETCH] & hops[HOP_FETCH] : due[HOP_FETCH];
		first = first == uop ? path_first(r->program, uop - 1) : first;
		r->due[first % PATH_RING][HOP_FETCH] |= fetch;
	}
	return (due[HOP_FETCH] ^ fetch) | (due[HOP_DISPATCH] ^ dispatch) | (due[HOP_COMMIT] ^ commit) |
	       due[NR_PATH_HOPS];
}

/* Rows are not in caches any more when they are walked. */
#define PREFETCH_UOPS 24u

void path_walk(struct path_rows *r, struct path_lane *lanes, unsigned nr, const uint64_t *cycles)
{
	struct walk walks[32];
	uint32_t uop = (uint32_t)r->program->nr - 1;
	unsigned nr_left = 0;
	forget_origins(r, r->program->nr);
	for (unsigned i = 0; i < nr; i++) {
		begin(&walks[i], r, &lanes[i], i, cycles[i]);
		if (has_ended(&walks[i]))
			continue;
		set_due(r, &walks[i]);
		nr_left++;
	}
	for (; nr_left > 0; uop--) {
		__builtin_prefetch((const char *)r->why + (uop - PREFETCH_UOPS) % PATH_RING * row_bytes(r->nr_lanes));
		__builtin_prefetch(&r->program->uops[(uop - PREFETCH_UOPS) % PATH_RING]);
		/* Near the end of what is kept, hops are steps, which can be cut. */
		uint32_t left = (uint32_t)r->program->nr - uop < PATH_RING - UINT8_MAX ? hop(r, uop) : all_due(r, uop);
		memset(r->due[uop % PATH_RING], 0, sizeof(*r->due));
		for (; left != 0; left &= left - 1) {
			struct walk *w = &walks[__builtin_ctz(left)];
			walk_uop(w, uop);
			if (has_ended(w))
				nr_left--;
			else
				set_due(r, w);
		}
	}
}
