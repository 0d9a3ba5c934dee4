/* Who wrote what a uop reads, whose entries it takes, whose line it waits for: as far as the program says so. */
#include "cores/uarch/path_rows_internal.h"

static void add_miss(struct path_program *p, enum path_miss_kind kind, unsigned level, unsigned row, bool releases)
{
	p->misses[p->nr_misses++ % MISS_RING] =
		(struct path_miss){(uint32_t)p->nr, kind, (uint8_t)level, (uint8_t)row, releases};
}

static void add_fill(struct path_program *p)
{
	p->fills[p->nr_fills++ % MAX_RECENT] = p->nr_misses - 1;
}

static void add_fetch_fill(struct path_program *p, unsigned level)
{
	p->fetch_fills[p->nr_fetch_fills % MAX_RECENT].uop = (uint32_t)p->nr;
	p->fetch_fills[p->nr_fetch_fills++ % MAX_RECENT].level = (uint8_t)level;
}

static void add_prefetch(struct path_program *p, const struct uop_prefetch *f)
{
	if (f->target == PREFETCH_L1I) {
		add_fetch_fill(p, f->level);
	} else if (f->target == PREFETCH_L1D) {
		add_miss(p, MISS_PREFETCH, f->level, f->row, false);
		add_fill(p);
	} else if (f->level == LEVEL_MEMORY && !f->is_code) {
		add_miss(p, MISS_BUS_ONLY, f->level, f->row, false);
	}
}

static void add_redirects(struct path_program *p, const struct path_uop *x)
{
	for (unsigned kind = REDIRECT_BRANCH; kind <= REDIRECT_SYSTEM; kind++) {
		if (path_redirects_before(x, kind + 1) == path_redirects_before(x, kind))
			continue;
		p->redirects[p->nr_redirects % REDIRECT_RING] = (uint32_t)p->nr;
		p->redirect_kind[p->nr_redirects++ % REDIRECT_RING] = (uint8_t)kind;
	}
}

/* What the uop refers to. */
static void link_uop(const struct path_program *p, const struct uop *u, bool is_fp, struct path_uop *x)
{
	bool is_first = u->flags & UOP_FIRST;
	unsigned fill = (p->nr_fetch_fills - u->fetch_fill) % MAX_RECENT;
	*x = (struct path_uop){
		.pc = u->pc,
		.nr_before = is_first ? 0 : (uint8_t)(p->nr - p->instructions[(p->nr_instructions - 1) % PATH_RING]),
		.instruction = is_first ? p->nr_instructions : p->nr_instructions - 1,
		.group_end = p->group_end,
		.line = p->fills[(p->nr_fills - u->fill) % MAX_RECENT],
		.nr_loads = p->nr_loads,
		.nr_stores = p->nr_stores,
		.nr_registers = is_fp ? p->nr_fp : p->nr_int,
		.nr_misses = p->nr_misses,
		.nr_redirects = p->nr_redirects,
		.class = u->class,
		.flags = u->flags,
		.forward = u->forward,
		.fetch_lines = u->fetch_lines & 3u,
		.fetch_level = u->fetch_level & 3u,
		.fetch_tlb = u->fetch_tlb & 3u,
		.fetch_line = p->fetch_fills[fill].uop,
		.fetch_line_level = p->fetch_fills[fill].level & 3u,
		.level = u->level & 3u,
		.tlb = u->tlb & 3u,
	};
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		x->writer[s] = p->writer[u->source[s]];
}

static const struct uop_prefetch *add_uop(struct path_program *p, const struct uop *u, bool may_be_wrong,
					  const struct uop_prefetch *prefetches)
{
	uint32_t number = (uint32_t)p->nr;
	struct path_uop *x = &p->uops[p->nr % PATH_RING];
	bool has_result = u->destination != NO_REGISTER, is_fp = has_result && uop_register_is_fp(u->destination);
	link_uop(p, u, is_fp, x);
	x->may_be_wrong = may_be_wrong && uop_can_be_predicted(u);
	if (u->flags & UOP_FIRST) {
		p->instructions[p->nr_instructions++ % PATH_RING] = number;
		for (unsigned i = 0; i < u->fetch_fills; i++)
			add_fetch_fill(p, LEVEL_L1);
	}
	if (u->class == INSN_LOAD)
		p->loads[p->nr_loads++ % PATH_RING] = number;
	if (u->class == INSN_STORE)
		p->stores[p->nr_stores++ % PATH_RING] = number;
	if (is_fp)
		p->fps[p->nr_fp++ % PATH_RING] = number;
	else if (has_result)
		p->ints[p->nr_int++ % PATH_RING] = number;
	if ((u->class == INSN_LOAD || u->class == INSN_STORE) && u->level > LEVEL_L1) {
		add_miss(p, MISS_DEMAND, u->level, u->row, u->releases);
		for (unsigned i = 0; i < u->fills; i++)
			add_fill(p);
	}
	for (unsigned i = 0; i < u->nr_prefetches; i++)
		add_prefetch(p, &prefetches[i]);
	p->writer[u->destination] = number;
	if (u->flags & UOP_BRANCH && u->flags & UOP_TAKEN)
		p->group_end = number;
	add_redirects(p, x);
	p->nr++;
	return prefetches + u->nr_prefetches;
}

void path_program_add(struct path_program *p, const struct uop_batch *batch, const struct load_predictions *predictions)
{
	const struct uop_prefetch *prefetches = batch->prefetches;
	for (uint32_t i = 0; i < batch->nr; i++)
		prefetches = add_uop(p, &batch->uops[i], predictions && predictions->wrong[i] != 0, prefetches);
}
