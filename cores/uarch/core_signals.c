#include "cores/uarch/core_signals.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/signal_classes_internal.h"

/* Cycles and instructions that are kept, at first: both grow. */
#define FIRST_CELLS 4096u
#define FIRST_RETIRING 256u
#define ROB_RING 1024u
_Static_assert(MAX_ROB <= ROB_RING, "it reaches");

/* As many cycles are passed on together, at least. */
#define PASS_CYCLES 256u

#define NONE UINT32_MAX

/* Signals that one instruction can cause; any more have the next instruction to retire. */
#define MAX_OWN_MARKS 64u

/* A cycle in the making. */
struct cell {
	uint64_t one;		/* bits of signals of width ONE */
	uint64_t issued;	/* uops by queue, 8 bits each */
	int32_t waiting, mshrs; /* differences to the cycle before: uops with D < c < E, MSHRs taken */
	uint32_t marks;		/* the first mark, or NONE */
	uint8_t dispatched;
	bool is_bubble, is_shadow, is_blocked; /* of slots that are left; is_blocked: in-order */
};
_Static_assert(MAX_ISSUE_QUEUES == 8, "their counts fit 64 bits");

/* The instruction that a signal of a cycle is about. */
struct mark {
	uint32_t next;
	enum signal signal;
	struct signal_cause cause;
};

/* A uop that will commit. */
struct retiring {
	uint64_t cycle;
	uint64_t signals; /* of its instruction, which ends with it; 0: it does not */
	bool is_fence;
};

/* Uops of a wrong path that are still to issue, from `first` through `last`. */
struct wrong_path {
	uint64_t first, last, left;
};

struct writer {
	uint64_t result;
	uint8_t class, flags;
	bool is_there, misses;
};

/* The instruction that is taken in. */
struct instruction {
	const struct uop *first; /* in its batch */
	unsigned nr_marks;
	bool has_flushed;
	uint64_t first_flush, last_flush;
};

struct signal_pass {
	struct core_timing t;
	struct signal_options options;
	uint64_t wanted, raised; /* signals: that are passed on; with those that they depend on */
	uint64_t of_retiring;	 /* of width COMMIT */
	bool takes_fetch, takes_slots, takes_issue, takes_flushes; /* what the wanted signals depend on */
	bool takes_interlocks, takes_wrong_paths;
	bool takes_instructions, takes_uops, takes_classes; /* that will retire: for causes, or for signals */
	bool retires;					    /* each cycle in which one does is passed on */
	unsigned width, nr_ports, first_port[MAX_ISSUE_QUEUES + 1];
	bool failed;

	/* The program. */
	uint64_t nr_uops, nr_instructions;
	uint64_t taken;	      /* D (in-order: I) of the uop before */
	uint64_t last_commit; /* C of it */
	uint64_t flushed_at;  /* the last flush of the instruction before; 0: it did not */
	bool has_flushed;
	uint64_t commits[ROB_RING], rob_head;
	struct writer registers[256];

	uint64_t fetched;		   /* F of the instruction before */
	struct instruction insn;	   /* that is taken in */
	uint32_t own_marks[MAX_OWN_MARKS]; /* [insn.nr_marks]: get its cause when that is known */

	/* Cycles from `now` on. */
	uint64_t now;
	struct cell *cells; /* a ring */
	uint64_t *busy;	    /* a bit for each cell: it may differ from an empty one */
	uint64_t nr_cells;  /* a power of two */
	int32_t waiting, mshrs;
	struct mark *marks;
	uint32_t nr_marks, free_mark;
	struct retiring *retiring;		/* a ring: [retired, nr_retiring) */
	struct signal_cause *because;		/* in the same places, of their instructions; NULL: nobody asks */
	uint64_t nr_ring, retired, nr_retiring; /* nr_ring: a power of two */
	struct wrong_path *wrong;		/* [nr_wrong], in program order */
	size_t nr_wrong, wrong_room;

	struct signal_run runs[2];
	struct signal_run *run;	 /* not passed on yet; nr 0: nothing is */
	struct signal_run *made; /* the cycle in the making; else it has no high lane */
	uint64_t high;		 /* signals of the run with a high lane */
	bool was_quiet;		 /* nothing happened in the last cycle */
	bool has_marks;		 /* the run has */
	struct signal_causes causes;
	struct signal_cause lanes[MAX_WIDTH];
};

/* ---- Making one ---- */

static uint64_t bit_of(enum signal signal)
{
	return UINT64_C(1) << signal;
}

/* Signals of width COMMIT. */
static uint64_t retiring_signals(void)
{
	uint64_t signals = 0;
	for (unsigned s = 0; s < NR_SIGNALS; s++)
		signals |= signal_width(s) == SIGNAL_COMMIT ? bit_of(s) : 0;
	return signals;
}

/* What has to be done for the wanted signals. */
static void choose(struct signal_pass *p)
{
	const uint64_t slots = bit_of(SIGNAL_FETCH_BUBBLE) | bit_of(SIGNAL_DCACHE_BLOCKED),
		       uops = bit_of(SIGNAL_UOP_RETIRED) | bit_of(SIGNAL_FENCE_RETIRED);
	bool is_in_order = p->t.kind == CORE_IN_ORDER;
	uint64_t interlocks = 0;
	for (unsigned s = SIGNAL_INTERLOCK_LOAD; s <= SIGNAL_INTERLOCK_FP; s++)
		interlocks |= bit_of(s);
	p->wanted = p->options.wanted ? p->options.wanted : UINT64_MAX;
	p->raised = p->wanted | (p->wanted & bit_of(SIGNAL_FETCH_BUBBLE) ? bit_of(SIGNAL_RECOVERING) : 0);
	p->takes_fetch =
		p->raised & (bit_of(SIGNAL_RECOVERING) | bit_of(SIGNAL_ICACHE_BLOCKED) | bit_of(SIGNAL_ICACHE_REFILL) |
			     bit_of(SIGNAL_ICACHE_MISS) | bit_of(SIGNAL_ITLB_MISS));
	p->takes_flushes =
		p->raised & (bit_of(SIGNAL_RECOVERING) | bit_of(SIGNAL_UOP_ISSUED) |
			     bit_of(SIGNAL_MISPREDICTED_BRANCH) | bit_of(SIGNAL_MISPREDICTED_DIRECT) |
			     bit_of(SIGNAL_MISPREDICTED_TARGET) | bit_of(SIGNAL_BRANCH_RESOLVED) |
			     bit_of(SIGNAL_FLUSH_SYSTEM) | bit_of(SIGNAL_FLUSH_FENCE) | bit_of(SIGNAL_FLUSH_ORDER));
	p->takes_slots = p->wanted & (slots | interlocks);
	p->takes_interlocks = is_in_order && p->wanted & (bit_of(SIGNAL_DCACHE_BLOCKED) | interlocks);
	p->takes_issue = p->wanted & (bit_of(SIGNAL_UOP_ISSUED) | bit_of(SIGNAL_DCACHE_BLOCKED));
	p->takes_wrong_paths = p->wanted & bit_of(SIGNAL_UOP_ISSUED) && p->options.wrong_path_issue_pct > 0;
	p->of_retiring = retiring_signals();
	p->retires = p->wanted & p->of_retiring;
	p->takes_uops = p->wanted & uops;
	p->takes_classes = p->wanted & p->of_retiring & ~(uops | bit_of(SIGNAL_INSTRUCTION));
	p->takes_instructions = p->retires || p->options.has_causes;
}

struct signal_pass *signal_pass_new(const struct core_timing *t, const struct signal_options *options)
{
	struct signal_pass *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->t = *t;
	p->options = *options;
	p->run = &p->runs[0];
	p->made = &p->runs[1];
	p->run->causes = p->made->causes = options->has_causes ? &p->causes : NULL;
	choose(p);
	p->width = t->kind == CORE_IN_ORDER ? t->issue_width : t->dispatch_width;
	for (unsigned q = 0; q < t->nr_queues && t->kind == CORE_OUT_OF_ORDER; q++)
		p->first_port[q + 1] = p->first_port[q] + t->queues[q].issue;
	p->nr_ports = signal_nr_lanes(t, SIGNAL_UOP_ISSUED);
	p->free_mark = NONE;
	p->nr_cells = FIRST_CELLS;
	p->nr_ring = FIRST_RETIRING;
	p->cells = calloc(p->nr_cells, sizeof(*p->cells));
	p->busy = calloc(p->nr_cells / 64, sizeof(*p->busy));
	p->retiring = malloc(p->nr_ring * sizeof(*p->retiring));
	p->because = options->has_causes ? malloc(p->nr_ring * sizeof(*p->because)) : NULL;
	if (p->cells && p->busy && p->retiring && (p->because || !options->has_causes)) {
		for (uint64_t i = 0; i < p->nr_cells; i++)
			p->cells[i].marks = NONE;
		return p;
	}
	signal_pass_free(p);
	return NULL;
}

void signal_pass_free(struct signal_pass *p)
{
	if (!p)
		return;
	free(p->cells);
	free(p->busy);
	free(p->marks);
	free(p->retiring);
	free(p->because);
	free(p->wrong);
	free(p);
}

static inline uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t lanes_below(unsigned nr)
{
	return nr >= 64 ? UINT64_MAX : (UINT64_C(1) << nr) - 1;
}

/* ---- Cycles ---- */

static inline bool is_busy(const struct signal_pass *p, uint64_t cycle)
{
	return p->busy[(cycle & (p->nr_cells - 1)) / 64] >> cycle % 64 & 1;
}

/* Makes room for `cycle`. */
static bool grow_cells(struct signal_pass *p, uint64_t cycle)
{
	uint64_t nr = p->nr_cells;
	while (cycle - p->now >= nr)
		nr *= 2;
	struct cell *cells = malloc(nr * sizeof(*cells));
	uint64_t *busy = calloc(nr / 64, sizeof(*busy));
	if (!cells || !busy) {
		free(cells);
		free(busy);
		p->failed = true;
		return false;
	}
	for (uint64_t c = p->now; c < p->now + nr; c++) {
		bool is_old = c < p->now + p->nr_cells;
		cells[c & (nr - 1)] = is_old ? p->cells[c & (p->nr_cells - 1)] : (struct cell){.marks = NONE};
		busy[(c & (nr - 1)) / 64] |= (uint64_t)(is_old && is_busy(p, c)) << c % 64;
	}
	free(p->cells);
	free(p->busy);
	p->cells = cells;
	p->busy = busy;
	p->nr_cells = nr;
	return true;
}

/* The cell of a cycle that is not passed on yet, to be changed. NULL: memory is short. */
static inline struct cell *cell_at(struct signal_pass *p, uint64_t cycle)
{
	if (__builtin_expect(cycle - p->now >= p->nr_cells, 0) && !grow_cells(p, cycle))
		return NULL;
	uint64_t at = cycle & (p->nr_cells - 1);
	p->busy[at / 64] |= UINT64_C(1) << at % 64;
	return &p->cells[at];
}

/* The first busy cycle of [from, to), or `to`. */
static uint64_t next_busy(const struct signal_pass *p, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t left = p->busy[(from & (p->nr_cells - 1)) / 64] >> from % 64;
		if (left)
			return least(from + (unsigned)__builtin_ctzll(left), to);
		from += 64 - from % 64;
	}
	return to;
}

static void raise_from(struct signal_pass *p, enum signal signal, uint64_t from, uint64_t to)
{
	if (!(p->raised & bit_of(signal)))
		return;
	for (; from < to; from++) {
		struct cell *c = cell_at(p, from);
		if (c)
			c->one |= bit_of(signal);
	}
}

static uint32_t new_mark(struct signal_pass *p)
{
	uint32_t i = p->free_mark;
	if (i != NONE) {
		p->free_mark = p->marks[i].next;
		return i;
	}
	uint32_t room = p->nr_marks > 0 ? 2 * p->nr_marks : 256;
	struct mark *grown = realloc(p->marks, room * sizeof(*grown));
	if (!grown) {
		p->failed = true;
		return NONE;
	}
	p->marks = grown;
	for (i = room; i-- > p->nr_marks;) {
		grown[i].next = p->free_mark;
		p->free_mark = i;
	}
	p->nr_marks = room;
	i = p->free_mark;
	p->free_mark = grown[i].next;
	return i;
}

/* The instruction that is taken in causes the signal, unless an older one does in the same cycle. */
static void raise_by(struct signal_pass *p, enum signal signal, uint64_t cycle)
{
	struct cell *c = p->raised & bit_of(signal) ? cell_at(p, cycle) : NULL;
	if (!c)
		return;
	if (p->options.has_causes && !(c->one >> signal & 1) && p->insn.nr_marks < MAX_OWN_MARKS) {
		uint32_t i = new_mark(p);
		if (i == NONE)
			return;
		p->marks[i].signal = signal;
		p->marks[i].next = c->marks;
		c->marks = i;
		p->own_marks[p->insn.nr_marks++] = i;
	}
	c->one |= bit_of(signal);
}

/* ---- Passing on ---- */

static void flush_run(struct signal_pass *p)
{
	if (p->run->nr > 0)
		p->options.take(p->options.ctx, p->run);
	p->run->nr = 0;
}

/* Ports that the program leaves free in a cycle, filled with uops of wrong paths. */
static uint64_t issue_wrong(struct signal_pass *p, uint64_t cycle, uint64_t taken)
{
	uint64_t all = lanes_below(p->nr_ports);
	for (size_t i = 0; i < p->nr_wrong && taken != all; i++) {
		struct wrong_path *w = &p->wrong[i];
		for (; w->first <= cycle && w->left > 0 && taken != all; w->left--)
			taken |= ~taken & (taken + 1);
	}
	size_t kept = 0;
	for (size_t i = 0; i < p->nr_wrong; i++)
		if (p->wrong[i].left > 0 && p->wrong[i].last > cycle)
			p->wrong[kept++] = p->wrong[i];
	p->nr_wrong = kept;
	return taken;
}

static uint64_t issued_lanes(const struct signal_pass *p, const struct cell *c, unsigned *nr)
{
	uint64_t lanes = 0;
	*nr = 0;
	for (unsigned q = 0; c->issued >> (8 * q) != 0; q++) {
		unsigned own = c->issued >> (8 * q) & 0xff;
		lanes |= lanes_below(own) << p->first_port[q];
		*nr += own;
		if (q == MAX_ISSUE_QUEUES - 1)
			break;
	}
	return lanes;
}

/* When the next one retires, UINT64_MAX: none is known. After drop_retired() of the current cycle. */
static inline uint64_t next_retiring(const struct signal_pass *p)
{
	return p->retired < p->nr_retiring ? p->retiring[p->retired & (p->nr_ring - 1)].cycle : UINT64_MAX;
}

/* Those that retire before `cycle` are no longer of interest. */
static void drop_retired(struct signal_pass *p, uint64_t cycle)
{
	while (p->retired < p->nr_retiring && p->retiring[p->retired & (p->nr_ring - 1)].cycle < cycle)
		p->retired++;
}

/* Whether retiring instructions matter in a cycle in which these signals are high. */
static inline bool sees_retiring(const struct signal_pass *p, uint64_t high)
{
	return p->retires || (high && p->options.has_causes);
}

/* The signals that have a high lane because of the uops that commit in the cycle. */
static uint64_t retire(struct signal_pass *p)
{
	const uint64_t wanted = p->wanted | (p->options.has_causes ? bit_of(SIGNAL_INSTRUCTION) : 0);
	uint64_t high = 0;
	unsigned nr_uops = 0, nr = 0;
	for (; next_retiring(p) == p->now; p->retired++, nr_uops++) {
		const struct retiring *r = &p->retiring[p->retired & (p->nr_ring - 1)];
		uint64_t of_uop = bit_of(SIGNAL_UOP_RETIRED) | (r->is_fence ? bit_of(SIGNAL_FENCE_RETIRED) : 0);
		of_uop &= wanted;
		high |= of_uop | (r->signals & wanted);
		for (; of_uop; of_uop &= of_uop - 1)
			p->made->lanes[__builtin_ctzll(of_uop)] |= UINT64_C(1) << nr_uops;
		if (!r->signals)
			continue;
		for (uint64_t left = r->signals & wanted; left; left &= left - 1)
			p->made->lanes[__builtin_ctzll(left)] |= UINT64_C(1) << nr;
		if (p->because)
			p->lanes[nr] = p->because[p->retired & (p->nr_ring - 1)];
		nr++;
	}
	return high;
}

/* Who causes what: of signals without a mark, and after them, the next instruction to retire. */
static void find_causes(struct signal_pass *p, struct cell *c)
{
	drop_retired(p, p->now + 1);
	uint64_t at = p->retired;
	while (at < p->nr_retiring && p->retiring[at & (p->nr_ring - 1)].signals == 0)
		at++;
	/* After the last one, that. */
	if (p->nr_retiring > 0)
		p->causes.next = p->because[(at < p->nr_retiring ? at : p->nr_retiring - 1) & (p->nr_ring - 1)];
	p->causes.retired = p->lanes;
	for (uint64_t left = c->one; left; left &= left - 1)
		p->causes.of[__builtin_ctzll(left)] = p->causes.next;
	p->has_marks = c->marks != NONE;
	while (c->marks != NONE) {
		uint32_t i = c->marks;
		struct mark *m = &p->marks[i];
		p->causes.of[m->signal] = m->cause;
		c->marks = m->next;
		m->next = p->free_mark;
		p->free_mark = i;
	}
}

/* Whether nothing happens in the cycle that did not in the one before. */
static inline bool is_quiet(const struct cell *c)
{
	return !(c->one | c->issued) && !(c->waiting | c->mshrs) && !c->dispatched && !c->is_bubble && !c->is_blocked;
}

static inline uint64_t make(struct signal_pass *p, enum signal signal, uint64_t lanes)
{
	if (!lanes || !(p->wanted & bit_of(signal)))
		return 0;
	p->made->lanes[signal] = lanes;
	return bit_of(signal);
}

/* Makes the lanes of the cycle; the signals that have a high one. */
static uint64_t make_lanes(struct signal_pass *p, const struct cell *c)
{
	uint64_t slots = lanes_below(p->width) & ~lanes_below(c->dispatched), high = c->one & p->wanted;
	unsigned nr_issued;
	for (uint64_t left = high; left; left &= left - 1)
		p->made->lanes[__builtin_ctzll(left)] = 1;
	if (p->takes_issue) {
		uint64_t issued = issued_lanes(p, c, &nr_issued);
		if (p->t.kind == CORE_OUT_OF_ORDER && p->waiting > 0 && p->mshrs > 0)
			high |= make(p, SIGNAL_DCACHE_BLOCKED, lanes_below(p->width) & ~lanes_below(nr_issued));
		high |= make(p, SIGNAL_UOP_ISSUED, p->nr_wrong > 0 ? issue_wrong(p, p->now, issued) : issued);
	}
	if (c->is_bubble && !c->is_shadow && !(c->one & bit_of(SIGNAL_RECOVERING)))
		high |= make(p, SIGNAL_FETCH_BUBBLE, slots);
	if (c->is_blocked)
		high |= make(p, SIGNAL_DCACHE_BLOCKED, slots);
	if (!sees_retiring(p, high))
		return high;
	drop_retired(p, p->now);
	high |= retire(p);
	if (high == bit_of(SIGNAL_INSTRUCTION) && !(high & p->wanted))
		high = p->made->lanes[SIGNAL_INSTRUCTION] = 0;
	return high;
}

/* Whether the cycle in the making is like those of the run. With causes, only the next instruction to retire may be
 * one. */
static bool continues(const struct signal_pass *p, const struct cell *c, uint64_t high)
{
	if (p->run->nr == 0 || high != p->high)
		return false;
	if (high && p->options.has_causes && (high & p->of_retiring || p->has_marks || c->marks != NONE))
		return false;
	for (; high; high &= high - 1) {
		unsigned s = (unsigned)__builtin_ctzll(high);
		if (p->run->lanes[s] != p->made->lanes[s])
			return false;
	}
	return true;
}

static void clear_lanes(struct signal_run *run, uint64_t high)
{
	for (; high; high &= high - 1)
		run->lanes[__builtin_ctzll(high)] = 0;
}

/* Begins a run with the cycle in the making. */
static void begin_run(struct signal_pass *p, uint64_t high)
{
	struct signal_run *run = p->made;
	p->made = p->run;
	p->run = run;
	clear_lanes(p->made, p->high);
	run->first = p->now;
	run->nr = 1;
	run->low = ~high;
	p->high = high;
}

/* Passes cycle `now` on. */
static void pass_on(struct signal_pass *p)
{
	struct cell *c = &p->cells[p->now & (p->nr_cells - 1)];
	/* Who takes the run may want boundaries from now on, which cycles with a high signal have anyway. */
	if (p->options.has_causes && p->high && (c->one & p->wanted) != p->high)
		flush_run(p);
	bool quiet = is_quiet(c) && p->nr_wrong == 0;
	p->waiting += c->waiting;
	p->mshrs += c->mshrs;
	uint64_t high = make_lanes(p, c);
	if (continues(p, c, high)) {
		p->run->nr++;
		clear_lanes(p->made, high);
	} else {
		flush_run(p);
		begin_run(p, high);
	}
	if (p->options.has_causes && p->run->nr == 1)
		find_causes(p, c);
	p->was_quiet = quiet && !(high & p->of_retiring);
	if (is_busy(p, p->now)) {
		*c = (struct cell){.marks = NONE};
		p->busy[(p->now & (p->nr_cells - 1)) / 64] &= ~(UINT64_C(1) << p->now % 64);
	}
	p->now++;
}

/* Cycles [now, the returned one) are like the last one that was passed on: nothing happens in them. */
static uint64_t quiet_to(struct signal_pass *p, uint64_t cycle)
{
	if (!p->was_quiet || p->nr_wrong > 0)
		return p->now;
	if (sees_retiring(p, p->high)) {
		drop_retired(p, p->now);
		cycle = least(cycle, next_retiring(p));
	}
	return next_busy(p, p->now, cycle);
}

static void pass_on_to(struct signal_pass *p, uint64_t cycle)
{
	while (p->now < cycle && !p->failed) {
		uint64_t quiet = quiet_to(p, cycle);
		if (quiet > p->now) {
			p->run->nr += quiet - p->now;
			p->now = quiet;
		} else {
			pass_on(p);
		}
	}
	if (!p->retires)
		drop_retired(p, p->now);
}

void signal_pass_want_boundaries(struct signal_pass *p, bool wanted)
{
	if (p->options.wanted == 0 || p->options.wanted & bit_of(SIGNAL_INSTRUCTION))
		return;
	p->wanted = p->options.wanted | (wanted ? bit_of(SIGNAL_INSTRUCTION) : 0);
	p->retires = p->wanted & p->of_retiring;
}

/* ---- Instructions ---- */

static bool is_fp_class(unsigned class)
{
	return class == INSN_FP_ADD || class == INSN_FP_MULTIPLY || class == INSN_FP_DIVIDE ||
	       class == INSN_FP_CONVERT || class == INSN_FP_OTHER || class == INSN_FP_MULTIPLY_ADD;
}

/* The instruction from insn.first to its last uop. */
static void find_cause(const struct signal_pass *p, const struct uop *last, struct signal_cause *cause)
{
	const struct uop *u = p->insn.first;
	cause->pc = u->pc;
	cause->number = p->nr_instructions;
	cause->address = 0;
	cause->has_address = cause->is_taken = false;
	for (; u <= last; u++) {
		cause->is_taken |= (u->flags & (UOP_BRANCH | UOP_TAKEN)) == (UOP_BRANCH | UOP_TAKEN);
		if (u->bytes > 0 && !cause->has_address) {
			cause->address = u->address;
			cause->has_address = true;
		}
	}
}

/* Twice as many can retire. */
static bool grow_retiring(struct signal_pass *p)
{
	uint64_t mask = p->nr_ring - 1, wider = 2 * p->nr_ring - 1;
	struct retiring *grown = malloc((wider + 1) * sizeof(*grown));
	struct signal_cause *because = p->because ? malloc((wider + 1) * sizeof(*because)) : NULL;
	if (!grown || (p->because && !because)) {
		free(grown);
		return false;
	}
	for (uint64_t i = p->retired; i < p->nr_retiring; i++) {
		grown[i & wider] = p->retiring[i & mask];
		if (because)
			because[i & wider] = p->because[i & mask];
	}
	free(p->retiring);
	free(p->because);
	p->retiring = grown;
	p->because = because;
	p->nr_ring *= 2;
	return true;
}

static bool add_retiring(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at)
{
	bool is_last = u->flags & UOP_LAST;
	if (p->nr_retiring - p->retired == p->nr_ring && !grow_retiring(p))
		return false;
	uint64_t place = p->nr_retiring++ & (p->nr_ring - 1);
	struct retiring *r = &p->retiring[place];
	r->cycle = at->commit;
	r->is_fence = is_last && u->flags & UOP_FENCE;
	r->signals = is_last ? bit_of(SIGNAL_INSTRUCTION) : 0;
	if (!is_last)
		return true;
	if (p->takes_classes)
		r->signals = signals_of_instruction(p->insn.first, (unsigned)(u + 1 - p->insn.first),
						    p->options.has_no_multiply_add);
	if (p->options.has_causes) {
		find_cause(p, u, &p->because[place]);
		for (unsigned i = 0; i < p->insn.nr_marks; i++)
			p->marks[p->own_marks[i]].cause = p->because[place];
	}
	return true;
}

/* ---- Fetch ---- */

static void take_fetch(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at,
		       const struct uop_note *n)
{
	uint64_t line = at->fetch - n->line;
	if (p->has_flushed)
		raise_from(p, SIGNAL_RECOVERING, p->flushed_at + 1, at->fetch + p->t.decode_cycles);
	p->has_flushed = false;
	if (u->fetch_level > LEVEL_L1 && u->fetch_lines > 0)
		raise_by(p, SIGNAL_ICACHE_MISS, line);
	if (u->fetch_tlb > TLB_HIT && u->fetch_lines > 0)
		raise_by(p, SIGNAL_ITLB_MISS, at->fetch - n->tlb);
	if (n->line == 0)
		return;
	raise_from(p, SIGNAL_ICACHE_REFILL, line, at->fetch);
	raise_from(p, SIGNAL_ICACHE_BLOCKED, p->nr_uops > 0 ? most(line, p->taken + 1) : line, at->fetch);
}

/* ---- Slots ---- */

/* A result that `u` waits for in cycles [from, to). */
static void lock_for_result(struct signal_pass *p, const struct uop *u, const struct writer *w, uint64_t from,
			    uint64_t to)
{
	bool is_load = w->class == INSN_LOAD;
	if (is_load && !w->misses)
		raise_from(p, SIGNAL_INTERLOCK_LOAD, from, to);
	if (is_load && !w->misses && (u->class == INSN_LOAD || u->class == INSN_STORE))
		raise_from(p, SIGNAL_INTERLOCK_ADDRESS, from, to);
	if (w->misses || w->class == INSN_DIVIDE || w->class == INSN_FP_DIVIDE)
		raise_from(p, SIGNAL_INTERLOCK_LONG, from, to);
	if (w->flags & UOP_SYSTEM)
		raise_from(p, SIGNAL_INTERLOCK_CSR, from, to);
	if (w->class == INSN_MULTIPLY || w->class == INSN_DIVIDE)
		raise_from(p, SIGNAL_INTERLOCK_MULTIPLY, from, to);
	if (is_fp_class(w->class))
		raise_from(p, SIGNAL_INTERLOCK_FP, from, to);
}

static void block(struct signal_pass *p, uint64_t from, uint64_t to)
{
	for (; from < to; from++) {
		struct cell *c = cell_at(p, from);
		if (c)
			c->is_blocked = true;
	}
}

/* What holds up the issue of `u` from cycle `from`, in which the uop before issued. */
static void take_interlocks(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at,
			    const struct uop_note *n, uint64_t from)
{
	uint64_t to = least(n->held, at->issue);
	from = most(from, n->held_by == STALL_STORE_QUEUE ? at->fetch + p->t.decode_cycles : at->dispatch);
	if (n->held_by == STALL_STORE_QUEUE || n->held_by == STALL_BLOCKED)
		block(p, from, to);
	if (n->held_by == STALL_UNITS && (u->class == INSN_MULTIPLY || u->class == INSN_DIVIDE))
		raise_from(p, SIGNAL_INTERLOCK_MULTIPLY, from, to);
	if (n->held_by == STALL_UNITS && is_fp_class(u->class))
		raise_from(p, SIGNAL_INTERLOCK_FP, from, to);
	for (unsigned k = 0; n->held_by == STALL_OPERANDS && k < MAX_SOURCES; k++) {
		const struct writer *w = &p->registers[u->source[k]];
		if (u->source[k] == NO_REGISTER || !w->is_there || w->result != n->held)
			continue;
		lock_for_result(p, u, w, from, to);
		if (w->misses)
			block(p, from, to);
		break;
	}
}

/* The slots from the uop before to `u`. */
static void take_slots(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at,
		       const struct uop_note *n, uint64_t taken)
{
	uint64_t from = p->nr_uops > 0 ? p->taken : 0, to = least(at->fetch + p->t.decode_cycles, taken);
	for (uint64_t c = most(from, n->held); c < to; c++) {
		struct cell *cell = cell_at(p, c);
		if (cell)
			cell->is_bubble = true;
	}
	if (p->takes_interlocks && n->held > from)
		take_interlocks(p, u, at, n, from);
	struct cell *cell = cell_at(p, taken);
	if (cell)
		cell->dispatched++;
}

/* ---- Issue and data ---- */

static void take_issue(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at)
{
	bool is_in_order = p->t.kind == CORE_IN_ORDER;
	unsigned queue = is_in_order ? 0 : p->t.groups[p->t.group[u->class]].queue;
	struct cell *c = cell_at(p, at->issue);
	if (c)
		c->issued += UINT64_C(1) << (8 * queue);
	if (is_in_order || at->issue <= at->dispatch + 1)
		return;
	if (c)
		c->waiting--;
	c = cell_at(p, at->dispatch + 1);
	if (c)
		c->waiting++;
}

static void take_miss(struct signal_pass *p, uint64_t begin, uint64_t fill)
{
	struct cell *c = fill > 0 && p->t.kind == CORE_OUT_OF_ORDER ? cell_at(p, fill + 1) : NULL;
	if (!c)
		return;
	c->mshrs--;
	c = cell_at(p, begin);
	if (c)
		c->mshrs++;
}

static void take_access(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at,
			const struct uop_note *n, bool misses)
{
	take_miss(p, n->begin, n->fill);
	if (misses)
		raise_by(p, SIGNAL_DCACHE_MISS, at->issue + p->t.dtlb_cycles[u->tlb] + p->t.l1d_cycles);
	if (misses && u->releases)
		raise_by(p, SIGNAL_DCACHE_RELEASE, n->forwards ? at->complete : n->fill);
	if (u->tlb > TLB_HIT)
		raise_by(p, SIGNAL_DTLB_MISS, at->issue);
	if (u->tlb == TLB_WALK)
		raise_by(p, SIGNAL_TLB_WALK, at->issue);
}

/* ---- Flushes ---- */

static void take_flush(struct signal_pass *p, enum signal signal, uint64_t cycle)
{
	struct instruction *in = &p->insn;
	raise_by(p, signal, cycle);
	in->first_flush = in->has_flushed ? least(in->first_flush, cycle) : cycle;
	in->last_flush = in->has_flushed ? most(in->last_flush, cycle) : cycle;
	in->has_flushed = true;
}

/* Uops that are dispatched after a mispredicted branch until it resolves, as many as the ROB has room for; some of them
 * issue. */
static void take_wrong_path(struct signal_pass *p, const struct uop_stamps *at, uint64_t taken)
{
	uint64_t nr = (at->complete - taken) * p->width;
	if (p->t.kind == CORE_OUT_OF_ORDER) {
		if (p->nr_uops > p->t.rob)
			p->rob_head = most(p->rob_head, p->nr_uops - p->t.rob);
		while (p->rob_head < p->nr_uops && p->commits[p->rob_head % ROB_RING] < taken)
			p->rob_head++;
		nr = least(nr, p->t.rob - (p->nr_uops - p->rob_head + 1));
	}
	nr = nr * p->options.wrong_path_issue_pct / 100;
	if (nr == 0)
		return;
	if (p->nr_wrong == p->wrong_room) {
		size_t room = p->wrong_room ? 2 * p->wrong_room : 16;
		struct wrong_path *grown = realloc(p->wrong, room * sizeof(*grown));
		if (!grown) {
			p->failed = true;
			return;
		}
		p->wrong = grown;
		p->wrong_room = room;
	}
	p->wrong[p->nr_wrong++] = (struct wrong_path){taken + 1, at->complete, nr};
}

static void take_branch(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at, uint64_t taken)
{
	raise_by(p, SIGNAL_BRANCH_RESOLVED, at->complete);
	if (!(u->flags & UOP_MISPREDICTED) || core_is_ideal(&p->t, IDEAL_BRANCH))
		return;
	take_flush(p,
		   u->class == INSN_BRANCH			    ? SIGNAL_MISPREDICTED_BRANCH
		   : u->class == INSN_JUMP || u->class == INSN_CALL ? SIGNAL_MISPREDICTED_DIRECT
								    : SIGNAL_MISPREDICTED_TARGET,
		   at->complete);
	if (p->takes_wrong_paths)
		take_wrong_path(p, at, taken);
}

static void take_flushes(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at,
			 const struct uop_note *n, uint64_t taken)
{
	if (u->flags & UOP_BRANCH)
		take_branch(p, u, at, taken);
	if (n->violates)
		take_flush(p, SIGNAL_FLUSH_ORDER, at->complete);
	if (!(u->flags & UOP_LAST))
		return;
	if (u->flags & UOP_SYSTEM)
		take_flush(p, SIGNAL_FLUSH_SYSTEM, at->commit);
	else if (u->flags & UOP_FENCE && p->t.fence_flushes)
		take_flush(p, SIGNAL_FLUSH_FENCE, at->commit);
}

/* The last uop of an instruction that has flushed. */
static void end_flushes(struct signal_pass *p, uint64_t taken)
{
	p->has_flushed = true;
	p->flushed_at = p->insn.first_flush;
	bool shades = p->wanted & bit_of(SIGNAL_FETCH_BUBBLE);
	for (uint64_t c = taken; shades && c <= p->insn.last_flush; c++) {
		struct cell *cell = cell_at(p, c);
		if (cell)
			cell->is_shadow = true;
	}
}

/* ---- Uops ---- */

static void take_uop(struct signal_pass *p, const struct uop *u, const struct uop_stamps *at, const struct uop_note *n)
{
	uint64_t taken = p->t.kind == CORE_IN_ORDER ? at->issue : at->dispatch;
	bool is_access = u->class == INSN_LOAD || u->class == INSN_STORE;
	bool misses = is_access && u->level > LEVEL_L1 && !core_is_ideal(&p->t, IDEAL_L1D);
	if (u->flags & UOP_FIRST) {
		/* No cycle before this fetch can change any more, but for what this instruction does. */
		if (p->fetched - p->now >= PASS_CYCLES && p->fetched > p->now)
			pass_on_to(p, p->fetched);
		p->fetched = at->fetch;
		p->insn.first = u;
		p->insn.nr_marks = 0;
		p->insn.has_flushed = false;
		if (p->takes_fetch)
			take_fetch(p, u, at, n);
	}
	if (p->takes_slots)
		take_slots(p, u, at, n, taken);
	if (p->takes_issue)
		take_issue(p, u, at);
	if (is_access)
		take_access(p, u, at, n, misses);
	if (p->takes_flushes && (u->flags & (UOP_BRANCH | UOP_SYSTEM | UOP_FENCE) || n->violates))
		take_flushes(p, u, at, n, taken);
	if (u->flags & UOP_LAST && p->insn.has_flushed)
		end_flushes(p, taken);
	if (p->takes_uops || (p->takes_instructions && u->flags & UOP_LAST))
		p->failed |= !add_retiring(p, u, at);
	p->nr_instructions += u->flags & UOP_LAST ? 1 : 0;
	if (p->takes_interlocks && u->destination != NO_REGISTER)
		p->registers[u->destination] =
			(struct writer){.result = at->complete,
					.class = u->class,
					.flags = u->flags,
					.is_there = !core_predicts_value(&p->t, u),
					.misses = u->class == INSN_LOAD && misses && !n->forwards};
	if (p->takes_wrong_paths)
		p->commits[p->nr_uops % ROB_RING] = at->commit;
	p->last_commit = at->commit;
	p->taken = taken;
	p->nr_uops++;
}

bool signal_pass_run(struct signal_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		     const struct timing_notes *notes)
{
	for (uint32_t i = 0; i < notes->nr_prefetches; i++)
		take_miss(p, notes->prefetches[i].begin, notes->prefetches[i].fill);
	for (uint32_t i = 0; i < batch->nr; i++)
		take_uop(p, &batch->uops[i], &stamps[i], &notes->uops[i]);
	return !p->failed;
}

bool signal_pass_end(struct signal_pass *p)
{
	if (p->nr_uops > 0)
		pass_on_to(p, p->last_commit + 1);
	flush_run(p);
	return !p->failed;
}
