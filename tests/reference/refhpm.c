#include "tests/reference/refhpm.h"

#include <stdlib.h>

#include "sim/base/array.h"

#include "tests/reference/refdistributed.h"

#define NR_REGISTERS 32u

/* A sample in memory that waits for the end to get its pc. */
struct written {
	uint64_t place, number; /* of the instruction that caused it */
	bool is_known;
};

struct refhpm {
	struct hpm_spec spec;
	struct core_timing core;
	struct hpm_sampling sampling;
	void (*full)(void *user);
	uint64_t value[NR_REGISTERS], event[NR_REGISTERS], threshold[NR_REGISTERS], inhibit;
	struct refdistributed distributed[NR_REGISTERS];
	uint64_t mapped, size, offset, lost;
	bool is_raised, is_pending;
	struct pes_totals totals;
	uint64_t *pcs; /* of retired instructions */
	uint64_t nr_pcs, most;
	struct written *written;
	size_t nr_written;
};

struct refhpm *refhpm_new(const struct hpm_spec *spec, const struct hpm_sampling *sampling, unsigned most,
			  void (*full)(void *user))
{
	struct refhpm *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->spec = *spec;
	r->core = *spec->core;
	r->sampling = *sampling;
	r->full = full;
	r->most = most;
	r->pcs = calloc(most, sizeof(*r->pcs));
	r->written = calloc(sampling->bytes / 32 + 1, sizeof(*r->written));
	if (r->pcs && r->written)
		return r;
	refhpm_free(r);
	return NULL;
}

void refhpm_free(struct refhpm *r)
{
	if (!r)
		return;
	free(r->pcs);
	free(r->written);
	free(r);
}

/* ---- Events ---- */

static bool is_high(const struct core_event *e, const struct signal_run *run, unsigned lane)
{
	for (uint64_t signals = e->signals; signals; signals &= signals - 1)
		if (run->lanes[__builtin_ctzll(signals)] >> lane & 1)
			return true;
	return false;
}

static bool is_high_anywhere(const struct core_event *e, const struct signal_run *run)
{
	for (unsigned lane = 0; lane < 64; lane++)
		if (is_high(e, run, lane))
			return true;
	return false;
}

/* tma.md: lane j of event k is bit 8 + j x n + k of a scalar counter's selector. */
static const struct core_event *event_at_bit(const struct refhpm *r, unsigned set, unsigned bit, unsigned *lane)
{
	unsigned n = event_set_places(r->spec.family, set);
	*lane = 0;
	if (r->spec.kind != HPM_SCALAR)
		return core_event_at(r->spec.family, set, bit);
	while (n > 0 && bit >= 8 + n) {
		bit -= n;
		(*lane)++;
	}
	const struct core_event *e = core_event_at(r->spec.family, set, bit);
	unsigned lanes = e && e->sources == EVENT_LANES ? core_event_nr_lanes(e, &r->core) : 1;
	return *lane < lanes ? e : NULL;
}

static bool is_of_instructions(const struct refhpm *r, unsigned i)
{
	/* All events of set 0, and no others. */
	return r->event[i] != 0 && (r->event[i] & 0xff) == 0 && r->spec.nr_counters > 0;
}

/* What an instruction of a lane adds. */
static uint64_t of_instruction(const struct refhpm *r, unsigned i, const struct signal_run *run, unsigned lane)
{
	uint64_t nr = 0;
	unsigned unused;
	for (unsigned bit = 8; bit < 64; bit++)
		if (r->event[i] >> bit & 1)
			nr += is_high(event_at_bit(r, 0, bit, &unused), run, lane);
	return r->spec.kind == HPM_ADD ? nr : nr > 0;
}

static uint64_t of_cycle(const struct refhpm *r, unsigned i, const struct signal_run *run)
{
	uint64_t nr = 0;
	for (unsigned bit = 8; bit < 64; bit++) {
		unsigned lane;
		if (!(r->event[i] >> bit & 1))
			continue;
		const struct core_event *e = event_at_bit(r, r->event[i] & 0xff, bit, &lane);
		if (e->sources == EVENT_ONE)
			nr += is_high_anywhere(e, run);
		else if (r->spec.kind == HPM_SCALAR)
			nr += is_high(e, run, lane);
		else
			for (lane = 0; lane < 64; lane++)
				nr += is_high(e, run, lane);
	}
	return r->spec.kind == HPM_ADD ? nr : nr > 0;
}

/* The one event of a distributed counter: sources of [first, end), or all if it is not of instructions. */
static uint64_t clock_distributed(struct refhpm *r, unsigned i, const struct signal_run *run, unsigned first,
				  unsigned end)
{
	struct refdistributed *d = &r->distributed[i];
	bool event[64] = {false};
	const struct core_event *e = NULL;
	for (unsigned bit = 8; bit < 64; bit++)
		if (r->event[i] >> bit & 1)
			e = core_event_at(r->spec.family, r->event[i] & 0xff, bit);
	for (unsigned lane = 0; lane < 64 && e; lane++)
		if (e->sources == EVENT_ONE)
			event[0] = is_high_anywhere(e, run);
		else
			event[lane] =
				is_high(e, run, lane) && (!is_of_instructions(r, i) || (lane >= first && lane < end));
	uint64_t before = refdistributed_value(d);
	refdistributed_clock(d, event);
	return refdistributed_value(d) - before;
}

/* ---- Registers ---- */

static bool has_counter(const struct refhpm *r, unsigned i)
{
	return i >= 3 && i < 3u + r->spec.nr_counters;
}

/* The counter of a register of a group that begins with number 3's, or 0. */
static unsigned of_group(unsigned csr, unsigned third)
{
	return csr >= third && csr < third + 29 ? csr - third + 3 : 0;
}

uint64_t refhpm_read(const struct refhpm *r, unsigned csr)
{
	if (of_group(csr, 0x323))
		return r->event[of_group(csr, 0x323)];
	if (of_group(csr, 0x7c3))
		return r->threshold[of_group(csr, 0x7c3)];
	if (csr == 0x320)
		return r->inhibit;
	if (csr == 0x7c0)
		return r->mapped;
	if (csr == 0x7c1)
		return r->size;
	return csr == 0x7c2 ? r->offset : r->value[csr - 0xb00];
}

static bool fits(const struct refhpm *r)
{
	/* Tests keep these numbers small. */
	return r->offset + 32 <= r->size && r->mapped + r->offset + 32 <= r->sampling.bytes;
}

static void restart(struct refhpm *r, unsigned i)
{
	const struct core_event *e = NULL;
	for (unsigned bit = 8; bit < 64; bit++)
		if (r->event[i] >> bit & 1)
			e = core_event_at(r->spec.family, r->event[i] & 0xff, bit);
	refdistributed_init(&r->distributed[i], e ? core_event_nr_lanes(e, &r->core) : 1, 0);
}

static void select_events(struct refhpm *r, unsigned i, uint64_t value)
{
	unsigned nr = 0, lane;
	r->event[i] = 0;
	for (unsigned bit = 8; bit < 64; bit++)
		if ((value >> bit & 1) && event_at_bit(r, value & 0xff, bit, &lane) &&
		    (r->spec.kind != HPM_DISTRIBUTED || nr++ == 0))
			r->event[i] |= UINT64_C(1) << bit | (value & 0xff);
	restart(r, i);
}

static void inhibit(struct refhpm *r, uint64_t value)
{
	for (unsigned i = 0; i < NR_REGISTERS; i++) {
		if (i != 0 && i != 2 && !has_counter(r, i))
			value &= ~(UINT64_C(1) << i);
		if ((value >> i & 1) && !(r->inhibit >> i & 1) && r->spec.kind == HPM_DISTRIBUTED &&
		    has_counter(r, i)) {
			uint64_t before = refdistributed_value(&r->distributed[i]);
			refdistributed_stop(&r->distributed[i]);
			r->value[i] += refdistributed_value(&r->distributed[i]) - before;
		}
	}
	r->inhibit = value & UINT32_MAX;
}

static void write_window(struct refhpm *r, unsigned csr, uint64_t value)
{
	if (r->spec.nr_counters == 0)
		return;
	if (csr == 0x7c0)
		r->mapped = value;
	else if (csr == 0x7c1)
		r->size = value;
	else
		r->offset = value;
	if (fits(r))
		r->is_raised = false;
}

void refhpm_write(struct refhpm *r, unsigned csr, uint64_t value)
{
	unsigned i;
	if (csr == 0x320) {
		inhibit(r, value);
	} else if (csr >= 0x7c0 && csr <= 0x7c2) {
		write_window(r, csr, value);
	} else if ((i = of_group(csr, 0x323)) != 0) {
		if (has_counter(r, i))
			select_events(r, i, value);
	} else if ((i = of_group(csr, 0x7c3)) != 0) {
		r->threshold[i] = has_counter(r, i) ? value : 0;
	} else if (csr == 0xb00 || csr == 0xb02 || has_counter(r, csr - 0xb00)) {
		r->value[csr - 0xb00] = value;
		restart(r, csr - 0xb00);
	}
}

/* ---- Sampling ---- */

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
	while (bytes-- > 0) {
		*at++ = value & 0xff;
		value >>= 8;
	}
}

/* The pc of a sample, if its instruction has retired. */
static void enter_pc(struct refhpm *r, const struct written *w)
{
	uint64_t number = w->number + r->sampling.skid;
	if (r->sampling.skid > 0 && w->is_known && number < r->nr_pcs)
		put(r->sampling.memory + w->place, r->pcs[number], 8);
}

/* A sample is written: those that it overwrites, in whole or in part, get no other pc than they have by now. */
static void remember(struct refhpm *r, uint64_t place, const struct signal_cause *cause)
{
	size_t nr = 0;
	for (size_t i = 0; i < r->nr_written; i++)
		if (r->written[i].place >= place + 32 || place >= r->written[i].place + 32)
			r->written[nr++] = r->written[i];
		else
			enter_pc(r, &r->written[i]);
	r->nr_written = nr;
	r->written[r->nr_written++] = (struct written){place, cause ? cause->number : 0, cause != NULL};
}

static void take(struct refhpm *r, unsigned i, uint64_t cycle, const struct signal_cause *cause)
{
	if (fits(r)) {
		uint8_t *at = r->sampling.memory + r->mapped + r->offset;
		bool has_address = cause && cause->has_address, is_taken = cause && cause->is_taken;
		remember(r, r->mapped + r->offset, cause);
		put(at, cause && r->sampling.skid == 0 ? cause->pc : 0, 8);
		put(at + 8, cycle, 8);
		put(at + 16, has_address ? cause->address : 0, 8);
		put(at + 24, i, 1);
		put(at + 25, has_address + 2u * is_taken, 1);
		put(at + 26, r->sampling.skid, 2);
		put(at + 28, r->lost, 4);
		r->offset += 32;
		r->lost = 0;
		r->totals.written++;
	} else {
		r->lost++;
		r->totals.lost++;
	}
	if (!fits(r) && !r->is_raised) {
		r->is_raised = r->is_pending = true;
		r->totals.fulls++;
	}
}

static const struct signal_cause *cause_of_cycle(const struct refhpm *r, unsigned i, const struct signal_run *run)
{
	/* Branches, accesses, lines and flushes. */
	static const unsigned somebodys[] = {
		SIGNAL_MISPREDICTED_BRANCH,
		SIGNAL_MISPREDICTED_DIRECT,
		SIGNAL_MISPREDICTED_TARGET,
		SIGNAL_BRANCH_RESOLVED,
		SIGNAL_FLUSH_SYSTEM,
		SIGNAL_FLUSH_FENCE,
		SIGNAL_FLUSH_ORDER,
		SIGNAL_ICACHE_MISS,
		SIGNAL_ITLB_MISS,
		SIGNAL_DCACHE_MISS,
		SIGNAL_DCACHE_RELEASE,
		SIGNAL_DTLB_MISS,
		SIGNAL_TLB_WALK,
	};
	const struct signal_cause *oldest = NULL;
	for (unsigned bit = 8; bit < 64; bit++) {
		unsigned lane;
		if (!(r->event[i] >> bit & 1))
			continue;
		const struct core_event *e = event_at_bit(r, r->event[i] & 0xff, bit, &lane);
		for (size_t k = 0; k < ARRAY_SIZE(somebodys); k++) {
			const struct signal_cause *cause = &run->causes->of[somebodys[k]];
			if ((e->signals >> somebodys[k] & 1) && run->lanes[somebodys[k]] &&
			    (!oldest || cause->number < oldest->number))
				oldest = cause;
		}
	}
	return oldest ? oldest : &run->causes->next;
}

static const struct signal_cause *find_cause(const struct refhpm *r, unsigned i, const struct signal_run *run,
					     uint64_t before)
{
	unsigned last = 0;
	if (!run->causes)
		return NULL;
	if (r->spec.kind == HPM_DISTRIBUTED)
		return &run->causes->next;
	if (!is_of_instructions(r, i))
		return cause_of_cycle(r, i, run);
	for (unsigned lane = 0; lane < 64; lane++) {
		uint64_t more = of_instruction(r, i, run, lane);
		before += more;
		last = more ? lane : last;
		if (more && before >= r->threshold[i])
			break;
	}
	return &run->causes->retired[last];
}

/* At a boundary. */
static void interrupt(struct refhpm *r, bool is_end)
{
	for (size_t i = 0; i < r->nr_written; i++)
		if (!is_end && r->sampling.skid > 0 && r->written[i].is_known &&
		    r->written[i].number + r->sampling.skid >= r->nr_pcs)
			return;
	if (!r->is_pending)
		return;
	r->is_pending = false;
	if (r->full)
		r->full(r->sampling.user);
}

static void retire(struct refhpm *r, const struct signal_run *run)
{
	unsigned nr = 0;
	for (; run->lanes[SIGNAL_INSTRUCTION] >> nr & 1; nr++)
		if (run->causes && r->nr_pcs < r->most)
			r->pcs[r->nr_pcs++] = run->causes->retired[nr].pc;
	if (nr > 0)
		interrupt(r, false);
}

void refhpm_cycle(struct refhpm *r, const struct signal_run *run, uint64_t cycle, unsigned first, unsigned end)
{
	bool is_whole = first == 0 && end >= 64;
	uint64_t before[NR_REGISTERS], grown[NR_REGISTERS] = {0};
	if (first == 0 && !(r->inhibit & 1))
		r->value[0]++;
	for (unsigned lane = first; lane < end && lane < 64 && !(r->inhibit >> 2 & 1); lane++)
		r->value[2] += run->lanes[SIGNAL_INSTRUCTION] >> lane & 1;
	for (unsigned i = 3; i < NR_REGISTERS; i++) {
		before[i] = r->value[i];
		if (r->event[i] == 0 || (r->inhibit >> i & 1))
			continue;
		if (r->spec.kind == HPM_DISTRIBUTED)
			grown[i] = clock_distributed(r, i, run, first, end);
		else if (!is_of_instructions(r, i))
			grown[i] = first == 0 ? of_cycle(r, i, run) : 0;
		else
			for (unsigned lane = first; lane < end && lane < 64; lane++)
				grown[i] += of_instruction(r, i, run, lane);
		r->value[i] += grown[i];
	}
	for (unsigned i = 3; i < NR_REGISTERS && is_whole; i++)
		if (grown[i] && r->threshold[i] && r->value[i] >= r->threshold[i]) {
			take(r, i, cycle, find_cause(r, i, run, before[i]));
			r->value[i] -= r->threshold[i];
		}
	if (is_whole)
		retire(r, run);
}

void refhpm_finish(struct refhpm *r)
{
	for (size_t i = 0; i < r->nr_written && r->nr_pcs > 0; i++) {
		struct written w = r->written[i];
		if (w.number + r->sampling.skid >= r->nr_pcs)
			w.number = r->nr_pcs - 1 - r->sampling.skid;
		enter_pc(r, &w);
	}
	interrupt(r, true);
}

void refhpm_totals(const struct refhpm *r, struct pes_totals *out)
{
	*out = r->totals;
}
