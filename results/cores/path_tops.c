#include "results/cores/path_tops.h"

#include <stdlib.h>
#include <string.h>

/* Cycles of the edges from an instruction, for one cause. */
struct part {
	uint64_t pc, cycles;
	uint32_t cause;
};

/* All parts of an instruction, which follow each other. */
struct whole {
	uint64_t pc, cycles;
	size_t first, nr;
};

static int by_pc(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return x->cause < y->cause ? -1 : x->cause > y->cause;
}

/* Most cycles first. */
static int by_cycles(const void *a, const void *b)
{
	const struct whole *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* The sums by instruction and cause: parts[] by address and cause. Returns their number. */
static size_t sum_parts(const struct path_edges *edges, struct part *parts)
{
	size_t nr = 0;
	for (size_t i = 0; i < edges->nr; i++) {
		const struct path_edge *e = &edges->list[i];
		parts[i] = (struct part){e->from_pc, e->cycles, e->cause};
	}
	qsort(parts, edges->nr, sizeof(*parts), by_pc);
	for (size_t i = 0; i < edges->nr; i++)
		if (nr > 0 && by_pc(&parts[nr - 1], &parts[i]) == 0)
			parts[nr - 1].cycles += parts[i].cycles;
		else
			parts[nr++] = parts[i];
	return nr;
}

/* The sums by instruction: wholes[], most cycles first. Returns their number. */
static size_t sum_wholes(const struct part *parts, size_t nr_parts, struct whole *wholes)
{
	size_t nr = 0;
	for (size_t i = 0; i < nr_parts; i++) {
		if (nr == 0 || wholes[nr - 1].pc != parts[i].pc)
			wholes[nr++] = (struct whole){.pc = parts[i].pc, .first = i};
		wholes[nr - 1].cycles += parts[i].cycles;
		wholes[nr - 1].nr++;
	}
	qsort(wholes, nr, sizeof(*wholes), by_cycles);
	return nr;
}

/* Parts with more cycles come first, of equal ones those of earlier causes. */
static void add_cause(struct path_instruction *in, const struct part *p)
{
	unsigned at = in->nr_causes;
	while (at > 0 && in->of_cause[at - 1] < p->cycles)
		at--;
	if (at == NR_MAIN_CAUSES)
		return;
	unsigned kept = in->nr_causes < NR_MAIN_CAUSES ? in->nr_causes : NR_MAIN_CAUSES - 1;
	memmove(&in->causes[at + 1], &in->causes[at], (kept - at) * sizeof(*in->causes));
	memmove(&in->of_cause[at + 1], &in->of_cause[at], (kept - at) * sizeof(*in->of_cause));
	in->causes[at] = p->cause;
	in->of_cause[at] = p->cycles;
	in->nr_causes = kept + 1;
}

static enum sahm_status take_instructions(struct path_tops *t, const struct path_edges *edges, size_t top,
					  struct sahm_err *err)
{
	struct part *parts = calloc(edges->nr, sizeof(*parts));
	struct whole *wholes = calloc(edges->nr, sizeof(*wholes));
	enum sahm_status status = SAHM_NOMEM;
	if (!parts || !wholes)
		goto out;
	size_t nr = sum_wholes(parts, sum_parts(edges, parts), wholes);
	nr = nr < top ? nr : top;
	t->instructions = arena_alloc(&t->arena, nr, sizeof(*t->instructions));
	if (!t->instructions)
		goto out;
	t->nr_instructions = nr;
	for (size_t i = 0; i < nr; i++) {
		struct path_instruction *in = &t->instructions[i];
		in->place.pc = wholes[i].pc;
		in->cycles = wholes[i].cycles;
		for (size_t k = 0; k < wholes[i].nr; k++)
			add_cause(in, &parts[wholes[i].first + k]);
	}
	status = SAHM_OK;
out:
	free(parts);
	free(wholes);
	return status == SAHM_OK ? status : sahm_fail_nomem(err);
}

enum sahm_status path_tops_take(struct path_tops *t, const struct path_edges *edges, size_t top, struct sahm_err *err)
{
	size_t nr = edges->nr < top ? edges->nr : top;
	arena_init(&t->arena);
	t->is_part = edges->is_part;
	if (nr == 0)
		return SAHM_OK;
	t->edges = arena_alloc(&t->arena, nr, sizeof(*t->edges));
	if (!t->edges)
		return sahm_fail_nomem(err);
	t->nr_edges = nr;
	for (size_t i = 0; i < nr; i++) {
		const struct path_edge *e = &edges->list[i];
		t->edges[i] =
			(struct path_top_edge){{.pc = e->from_pc}, {.pc = e->to_pc}, e->cause, e->cycles, e->times};
	}
	return take_instructions(t, edges, top, err);
}

static enum sahm_status locate(struct path_tops *t, const struct stream *s, struct path_place *p, struct sahm_err *err)
{
	struct stream_module m;
	for (size_t at = 0; stream_next_module(s, &at, &m);) {
		if (p->pc < m.address || p->pc - m.address >= m.bytes)
			continue;
		p->file = arena_strdup(&t->arena, m.path);
		p->offset = p->pc - m.address + m.offset;
		return p->file ? SAHM_OK : sahm_fail_nomem(err);
	}
	return SAHM_OK;
}

enum sahm_status path_tops_locate(struct path_tops *t, const struct stream *s, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < t->nr_instructions && status == SAHM_OK; i++)
		status = locate(t, s, &t->instructions[i].place, err);
	for (size_t i = 0; i < t->nr_edges && status == SAHM_OK; i++)
		status = locate(t, s, &t->edges[i].from, err);
	for (size_t i = 0; i < t->nr_edges && status == SAHM_OK; i++)
		status = locate(t, s, &t->edges[i].to, err);
	return status;
}

void path_tops_release(struct path_tops *t)
{
	arena_release(&t->arena);
	*t = (struct path_tops){0};
}
