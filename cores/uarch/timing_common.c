#include "cores/uarch/timing_internal.h"

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
