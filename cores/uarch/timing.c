#include "cores/uarch/timing.h"

#include <stdlib.h>

#include "cores/uarch/timing_internal.h"

const char *stall_name(enum stall stall)
{
	static const char *const names[NR_STALLS] = {
#define STALL(suffix, name, help) [STALL_##suffix] = name,
#include "cores/uarch/stall_list.h"
#undef STALL
	};
	return names[stall];
}

struct timing *timing_new(const struct core_timing *t)
{
	struct timing *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->t = *t;
	m->int_rename = t->int_registers > 0 ? t->int_registers - ARCHITECTURAL_REGISTERS : 0;
	m->fp_rename = t->fp_registers > 0 ? t->fp_registers - ARCHITECTURAL_REGISTERS : 0;
	if (t->kind == CORE_IN_ORDER)
		return m;
	issue_calendar_init(&m->calendar, t);
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		m->demand[i] = issue_demand_of(t, t->group[i]);
	m->unpipelined = calloc(t->nr_groups, sizeof(*m->unpipelined));
	if (!m->unpipelined) {
		free(m);
		return NULL;
	}
	return m;
}

void timing_free(struct timing *m)
{
	if (!m)
		return;
	free(m->unpipelined);
	free(m);
}

void timing_batch(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	if (m->t.kind == CORE_IN_ORDER)
		timing_in_order(m, batch, stamps);
	else
		timing_out_of_order(m, batch, stamps);
	m->sum.uops += batch->nr;
	m->sum.instructions += batch->nr_instructions;
}

uint64_t timing_cycles(const struct timing *m)
{
	return m->sum.uops > 0 ? m->commit.cycle + 1 : 0;
}

void timing_result(const struct timing *m, struct timing_result *out)
{
	*out = m->sum;
	out->cycles = timing_cycles(m);
	out->mshrs_held = m->miss.held;
	uint64_t counted = out->busy_cycles;
	for (unsigned i = 0; i < NR_STALLS; i++)
		counted += out->stalls[i];
	out->stalls[STALL_END] = out->cycles - counted;
}

/* The MSHR on top of the heap becomes free at `time` instead. */
static void replace_top(uint64_t *heap, unsigned nr, uint64_t time)
{
	unsigned at = 0;
	for (unsigned child = 1; child < nr; child = 2 * at + 1) {
		if (child + 1 < nr && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= time)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = time;
}

uint64_t timing_miss(struct timing *m, uint64_t time, unsigned level, unsigned row, unsigned nr_lines, bool releases)
{
	const struct core_timing *t = &m->t;
	struct miss_stage *s = &m->miss;
	uint64_t begin = larger(time, s->free_at[0]), fill = begin;
	if (level == LEVEL_MEMORY) {
		if (t->line_cycles > 0) {
			fill = larger(begin, s->bus_free);
			s->bus_free = fill + (uint64_t)t->line_cycles * (releases ? 2 : 1);
		}
		fill += t->row_cycles[row];
	}
	fill += t->data_cycles[level];
	replace_top(s->free_at, t->mshrs, fill + 1);
	s->held += fill - begin + 1;
	for (unsigned i = 0; i < nr_lines; i++)
		time_ring_add(&s->fills, fill);
	return fill;
}

void timing_prefetch(struct timing *m, const struct uop *u, const struct uop_prefetch *prefetches, uint64_t fetched,
		     uint64_t accessed)
{
	struct miss_stage *s = &m->miss;
	for (unsigned i = 0; i < u->nr_prefetches; i++) {
		const struct uop_prefetch *p = &prefetches[i];
		if (p->target == PREFETCH_L1I) {
			time_ring_add(&m->fetch.fills, fetched + m->t.icache_cycles[p->level]);
		} else if (p->target == PREFETCH_L1D) {
			timing_miss(m, accessed, p->level, p->row, 1, false);
		} else if (p->level == LEVEL_MEMORY && !p->is_code && m->t.line_cycles > 0) {
			s->bus_free = larger(accessed, s->bus_free) + m->t.line_cycles;
		}
	}
}
