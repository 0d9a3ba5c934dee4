#include "cores/uarch/pics_signals.h"

#include <stdlib.h>

#include "cores/uarch/stack_signature.h"

/* Cycles and uops that are kept, at first: both grow. */
#define FIRST_CELLS 4096u
#define FIRST_UOPS 4096u

#define BIT(signal) (1u << PICS_##signal)
#define OF_FETCH (BIT(ITLB) | BIT(ICACHE))
#define OF_ACCESS (BIT(DTLB) | BIT(DCACHE) | BIT(LLC))
#define OF_FLUSH (BIT(MISPREDICTED) | BIT(EXCEPTION) | BIT(VIOLATION))

static const char *const names[NR_PICS_SIGNALS] = {
#define PICS_SIGNAL(suffix, name) [PICS_##suffix] = name,
#include "cores/uarch/pics_signal_list.h"
#undef PICS_SIGNAL
};

/* A cycle that is not final. */
struct cell {
	uint32_t flags;
	bool has_lsq;
	uint32_t access_of, flush_of; /* low bits of the number of the instruction whose flags these are */
	uint64_t lsq, flush;	      /* PCs, where the cycle has one */
};

/* A uop that has not committed. */
struct in_flight {
	uint64_t pc, fetch, dispatch, commit;
};

struct pics_pass {
	struct core_timing t;
	struct pics_options options;
	struct pics_counts counts;
	bool failed;

	struct in_flight *uops; /* a ring: [to_commit - 1, nr_uops), by number */
	uint64_t nr_uops, nr_ring;
	/* The first uop with F, D, C at or past the present cycle. */
	uint64_t to_fetch, to_dispatch, to_commit;
	uint64_t rob, to_recycle; /* uops before the next RECYCLE */
	uint32_t insn;		  /* low bits of the number of the last instruction */

	/* Cycles from `now` on. */
	uint64_t now, asked;
	struct cell *cells; /* a ring */
	uint64_t *busy;	    /* a bit for each cell: it differs from an empty one */
	uint64_t nr_cells;  /* a power of two */
	uint64_t lsq;	    /* PC up to the present cycle */
	struct pics_row row;
	bool has_row; /* one was passed on */
};

const char *pics_signal_name(enum pics_signal signal)
{
	return names[signal];
}

/* ---- Making one ---- */

struct pics_pass *pics_pass_new(const struct core_timing *t, const struct pics_options *options)
{
	struct pics_pass *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->t = *t;
	p->options = *options;
	p->asked = options->asked;
	p->rob = t->kind == CORE_IN_ORDER ? PICS_IN_ORDER_ROB : t->rob;
	p->to_recycle = p->rob;
	p->nr_cells = FIRST_CELLS;
	p->nr_ring = FIRST_UOPS;
	p->cells = calloc(p->nr_cells, sizeof(*p->cells));
	p->busy = calloc(p->nr_cells / 64, sizeof(*p->busy));
	p->uops = malloc(p->nr_ring * sizeof(*p->uops));
	if (p->cells && p->busy && p->uops)
		return p;
	pics_pass_free(p);
	return NULL;
}

void pics_pass_free(struct pics_pass *p)
{
	if (!p)
		return;
	free(p->cells);
	free(p->busy);
	free(p->uops);
	free(p);
}

static inline struct in_flight *uop_at(const struct pics_pass *p, uint64_t number)
{
	return &p->uops[number & (p->nr_ring - 1)];
}

/* Makes room for the uops of a batch. The last one that committed is kept. */
static bool make_room(struct pics_pass *p, uint32_t nr)
{
	uint64_t first = p->to_commit > 0 ? p->to_commit - 1 : 0, room = p->nr_ring;
	while (p->nr_uops + nr - first > room)
		room *= 2;
	if (room == p->nr_ring)
		return true;
	struct in_flight *grown = malloc(room * sizeof(*grown));
	if (!grown)
		return false;
	for (uint64_t i = first; i < p->nr_uops; i++)
		grown[i & (room - 1)] = *uop_at(p, i);
	free(p->uops);
	p->uops = grown;
	p->nr_ring = room;
	return true;
}

/* ---- Cycles ---- */

static inline bool is_busy(const struct pics_pass *p, uint64_t cycle)
{
	return p->busy[(cycle & (p->nr_cells - 1)) / 64] >> cycle % 64 & 1;
}

static __attribute__((noinline)) bool grow_cells(struct pics_pass *p, uint64_t cycle)
{
	uint64_t nr = p->nr_cells;
	while (cycle - p->now >= nr)
		nr *= 2;
	struct cell *cells = calloc(nr, sizeof(*cells));
	uint64_t *busy = calloc(nr / 64, sizeof(*busy));
	if (!cells || !busy) {
		free(cells);
		free(busy);
		p->failed = true;
		return false;
	}
	for (uint64_t c = p->now; c < p->now + p->nr_cells; c++) {
		cells[c & (nr - 1)] = p->cells[c & (p->nr_cells - 1)];
		busy[(c & (nr - 1)) / 64] |= (uint64_t)is_busy(p, c) << c % 64;
	}
	free(p->cells);
	free(p->busy);
	p->cells = cells;
	p->busy = busy;
	p->nr_cells = nr;
	return true;
}

/* The cell of a cycle that is not final, to be changed. NULL: memory is short. */
static inline struct cell *cell_at(struct pics_pass *p, uint64_t cycle)
{
	if (__builtin_expect(cycle - p->now >= p->nr_cells, 0) && !grow_cells(p, cycle))
		return NULL;
	uint64_t at = cycle & (p->nr_cells - 1);
	p->busy[at / 64] |= UINT64_C(1) << at % 64;
	return &p->cells[at];
}

/* The first busy cycle of [from, to), or `to`. */
static inline uint64_t next_busy(const struct pics_pass *p, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t left = p->busy[(from & (p->nr_cells - 1)) / 64] >> from % 64;
		if (left) {
			from += (unsigned)__builtin_ctzll(left);
			return from < to ? from : to;
		}
		from += 64 - from % 64;
	}
	return to;
}

/* ---- Events ---- */

/* Uops come in program order: the first event of a cycle is that of the oldest instruction. Others of the same
 * instruction, thus of the same PC, join it. */

static void raise_fetch(struct pics_pass *p, uint64_t cycle, uint32_t flags)
{
	struct cell *c = cell_at(p, cycle);
	if (!c)
		return;
	p->counts.lost_fetch += (c->flags & OF_FETCH) != 0;
	c->flags |= c->flags & OF_FETCH ? 0 : flags;
}

static void raise_access(struct pics_pass *p, uint64_t cycle, uint64_t pc, uint32_t flags)
{
	struct cell *c = cell_at(p, cycle);
	if (!c)
		return;
	if (c->flags & OF_ACCESS && c->access_of != p->insn) {
		p->counts.lost_access++;
		return;
	}
	c->flags |= flags;
	c->access_of = p->insn;
	c->lsq = pc;
	c->has_lsq = true;
}

static void raise_flush(struct pics_pass *p, uint64_t cycle, uint64_t pc, uint32_t flag)
{
	struct cell *c = cell_at(p, cycle);
	if (!c)
		return;
	if (c->flags & OF_FLUSH && c->flush_of != p->insn) {
		p->counts.lost_flush++;
		return;
	}
	c->flags |= flag;
	c->flush_of = p->insn;
	c->flush = pc;
}

static void raise_flag(struct pics_pass *p, uint64_t cycle, uint32_t flag)
{
	struct cell *c = cell_at(p, cycle);
	if (c)
		c->flags |= flag;
}

/* The cycle in which an access shows whether it hits. */
static inline uint64_t access_cycle(const struct pics_pass *p, const struct uop *u, const struct uop_stamps *at)
{
	return at->issue + p->t.dtlb_cycles[u->tlb] + p->t.l1d_cycles;
}

static __attribute__((noinline)) void take_events(struct pics_pass *p, const struct uop *u, const struct uop_stamps *at,
						  unsigned signature)
{
	uint32_t of_fetch =
		(signature & SIGNATURE_DR_TLB ? BIT(ITLB) : 0) | (signature & SIGNATURE_DR_L1 ? BIT(ICACHE) : 0);
	uint32_t of_access = (signature & SIGNATURE_ST_TLB ? BIT(DTLB) : 0) |
			     (signature & SIGNATURE_ST_L1 ? BIT(DCACHE) : 0) |
			     (signature & SIGNATURE_ST_LLC ? BIT(LLC) : 0);
	if (of_fetch)
		raise_fetch(p, at->fetch, of_fetch);
	if (of_access)
		raise_access(p, access_cycle(p, u, at), u->pc, of_access);
	if (signature & SIGNATURE_FL_MB)
		raise_flush(p, at->complete, u->pc, BIT(MISPREDICTED));
	if (signature & SIGNATURE_FL_MO)
		raise_flush(p, at->complete, u->pc, BIT(VIOLATION));
	if (signature & SIGNATURE_FL_EX && u->flags & UOP_LAST)
		raise_flush(p, at->commit, u->pc, BIT(EXCEPTION));
	if (signature & SIGNATURE_DR_SQ) {
		/* Its decoding can end after the ROB is empty; no other bound does. */
		uint64_t decoded = at->fetch + p->t.decode_cycles,
			 empty = p->nr_uops > 0 ? uop_at(p, p->nr_uops - 1)->commit + 1 : 0;
		raise_flag(p, empty > decoded ? empty : decoded, BIT(SQ_FULL));
	}
}

static inline void take_uop(struct pics_pass *p, const struct uop *u, const struct uop_stamps *at, unsigned signature)
{
	p->insn += u->flags & UOP_FIRST ? 1 : 0;
	if (u->class == INSN_LOAD || u->class == INSN_STORE) {
		struct cell *c = cell_at(p, access_cycle(p, u, at));
		if (c && !c->has_lsq) {
			c->lsq = u->pc;
			c->has_lsq = true;
		}
	}
	if (__builtin_expect(signature != 0, 0))
		take_events(p, u, at, signature);
	if (__builtin_expect(p->to_recycle-- == 0, 0)) {
		p->to_recycle = p->rob - 1;
		raise_flag(p, at->dispatch, BIT(RECYCLE));
	}
	*uop_at(p, p->nr_uops++) = (struct in_flight){u->pc, at->fetch, at->dispatch, at->commit};
}

/* ---- Rows ---- */

static inline void set_level(struct pics_pass *p, enum pics_signal signal, uint64_t value)
{
	p->row.changed |= (uint32_t)(p->row.values[signal] != value) << signal;
	p->row.values[signal] = value;
}

/* Goes on to a cycle that is not before that of the call before. */
static inline void advance(struct pics_pass *p, uint64_t cycle)
{
	while (p->to_fetch < p->nr_uops && uop_at(p, p->to_fetch)->fetch < cycle)
		p->to_fetch++;
	while (p->to_dispatch < p->nr_uops && uop_at(p, p->to_dispatch)->dispatch < cycle)
		p->to_dispatch++;
	while (p->to_commit < p->nr_uops && uop_at(p, p->to_commit)->commit < cycle)
		p->to_commit++;
}

/* All levels of a cycle that is final, but the flush PC. */
static inline void find_levels(struct pics_pass *p, uint64_t cycle)
{
	advance(p, cycle);
	const struct in_flight *f = uop_at(p, p->to_fetch), *d = uop_at(p, p->to_dispatch),
			       *c = uop_at(p, p->to_commit);
	bool is_dispatched = p->to_commit < p->nr_uops && c->dispatch < cycle;
	set_level(p, PICS_FETCH, p->to_fetch < p->nr_uops ? f->pc : 0);
	set_level(p, PICS_DISPATCH, p->to_dispatch < p->nr_uops && d->fetch < cycle ? d->pc : 0);
	set_level(p, PICS_LSQ, p->lsq);
	set_level(p, PICS_COMMIT, p->to_commit < p->nr_uops && c->commit == cycle ? c->pc : 0);
	set_level(p, PICS_ROB_EMPTY, !is_dispatched);
	set_level(p, PICS_HEAD, is_dispatched ? c->pc : p->to_commit > 0 ? uop_at(p, p->to_commit - 1)->pc : 0);
}

/* The first cycle after `cycle` in which a level can change for what is known, busy cells left out. */
static uint64_t next_change(const struct pics_pass *p, uint64_t cycle)
{
	uint64_t next = UINT64_MAX;
	if (p->to_fetch < p->nr_uops)
		next = uop_at(p, p->to_fetch)->fetch + 1;
	if (p->to_dispatch < p->nr_uops) {
		const struct in_flight *d = uop_at(p, p->to_dispatch);
		uint64_t change = (d->fetch < cycle ? d->dispatch : d->fetch) + 1;
		next = change < next ? change : next;
	}
	if (p->to_commit < p->nr_uops) {
		const struct in_flight *c = uop_at(p, p->to_commit);
		uint64_t change = c->commit == cycle ? cycle + 1 : c->dispatch < cycle ? c->commit : c->dispatch + 1;
		next = change < next ? change : next;
	}
	return next > cycle ? next : cycle + 1;
}

/* Takes in what the cell of a cycle holds, and empties it. */
static inline uint32_t take_cell(struct pics_pass *p, uint64_t cycle)
{
	uint64_t at = cycle & (p->nr_cells - 1);
	struct cell *c = &p->cells[at];
	uint32_t flags = c->flags;
	if (c->has_lsq)
		p->lsq = c->lsq;
	if (flags & OF_FLUSH)
		set_level(p, PICS_FLUSH, c->flush);
	p->busy[at / 64] &= ~(UINT64_C(1) << at % 64);
	*c = (struct cell){0};
	return flags;
}

static void pass_on(struct pics_pass *p, uint64_t cycle, uint32_t flags)
{
	p->row.cycle = cycle;
	p->row.flags = flags;
	p->row.changed |= p->has_row ? 0 : PICS_LEVELS;
	p->has_row = true;
	p->asked = p->options.take(p->options.ctx, &p->row);
	p->row.changed = 0;
}

/* Cycles [now, end) are final. `last` is the last one of all, or UINT64_MAX. */
static void pass_cycles(struct pics_pass *p, uint64_t end, uint64_t last)
{
	uint64_t busy = next_busy(p, p->now, end);
	for (uint64_t cycle = p->now; cycle < end;) {
		uint32_t flags = 0;
		if (cycle == busy) {
			flags = take_cell(p, cycle);
			busy = next_busy(p, cycle + 1, end);
		}
		p->counts.event_cycles += (flags & PICS_EVENTS) != 0;
		uint64_t next = busy;
		if (p->options.has_all) {
			find_levels(p, cycle);
			if (flags || p->row.changed || cycle == 0 || cycle == last)
				pass_on(p, cycle, flags);
			uint64_t change = next_change(p, cycle);
			next = change < next ? change : next;
			next = cycle < last && last < next ? last : next;
		} else {
			if (flags || cycle == p->asked) {
				find_levels(p, cycle);
				pass_on(p, cycle, flags);
			}
			next = p->asked < next ? p->asked : next;
		}
		p->now = cycle + 1;
		cycle = next;
	}
	advance(p, end);
	p->now = end;
}

bool pics_pass_run(struct pics_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		   const uint16_t *signatures)
{
	p->failed = p->failed || !make_room(p, batch->nr);
	for (uint32_t i = 0; i < batch->nr && !p->failed; i++)
		take_uop(p, &batch->uops[i], &stamps[i], signatures[i]);
	/* Nothing that follows happens before its fetch, which is not before this one. */
	if (!p->failed && batch->nr > 0)
		pass_cycles(p, stamps[batch->nr - 1].fetch, UINT64_MAX);
	return !p->failed;
}

bool pics_pass_end(struct pics_pass *p)
{
	if (p->failed || p->nr_uops == 0)
		return !p->failed;
	p->counts.cycles = uop_at(p, p->nr_uops - 1)->commit + 1;
	pass_cycles(p, p->counts.cycles, p->counts.cycles - 1);
	return true;
}

struct pics_counts pics_pass_counts(const struct pics_pass *p)
{
	return p->counts;
}
