#include "cores/uarch/stack_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"

static bool profile_init(struct stack_profile *p, size_t nr)
{
	*p = (struct stack_profile){.weights = calloc(nr + 1, sizeof(*p->weights))};
	return p->weights != NULL;
}

static void profile_add(struct stack_profile *p, uint32_t insn, uint16_t signature, uint64_t weight)
{
	if (weight == 0)
		return;
	p->weights[p->nr++] = (struct stack_weight){insn, signature, weight};
	p->total += weight;
}

bool stack_profile_of_stacks(const struct stacks *s, struct stack_profile *out)
{
	if (!profile_init(out, s->nr_cells))
		return false;
	for (size_t i = 0; i < s->nr_cells; i++)
		profile_add(out, s->cells[i].insn, s->cells[i].signature, s->cells[i].cycles);
	return true;
}

bool stack_profile_of_samples(const struct stack_samples *s, enum sampler_kind kind, struct stack_profile *out)
{
	if (!profile_init(out, s->of[kind].nr_cells))
		return false;
	for (size_t i = 0; i < s->of[kind].nr_cells; i++) {
		const struct sample_cell *c = &s->of[kind].cells[i];
		profile_add(out, c->insn, c->signature, c->weight);
	}
	return true;
}

void stack_profile_release(struct stack_profile *p)
{
	free(p->weights);
	*p = (struct stack_profile){.weights = NULL};
}

bool stack_profile_draw(const struct stack_profile *exact, uint64_t nr, uint64_t seed, struct stack_profile *out)
{
	struct rng r;
	uint64_t *ends = malloc((exact->nr + 1) * sizeof(*ends)), *drawn = calloc(exact->nr + 1, sizeof(*drawn));
	bool ok = profile_init(out, exact->nr) && ends && drawn;
	uint64_t end = 0;
	rng_init(&r, seed, "cycle stacks", "cycles drawn at random");
	for (size_t i = 0; ok && i < exact->nr; i++)
		ends[i] = end += exact->weights[i].weight;
	for (uint64_t n = 0; ok && exact->total > 0 && n < nr; n++) {
		uint64_t at = rng_below(&r, exact->total);
		size_t low = 0, high = exact->nr - 1;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (ends[middle] <= at)
				low = middle + 1;
			else
				high = middle;
		}
		drawn[low]++;
	}
	for (size_t i = 0; ok && i < exact->nr; i++)
		profile_add(out, exact->weights[i].insn, exact->weights[i].signature, drawn[i]);
	free(ends);
	free(drawn);
	return ok;
}

void stack_blocks(const struct stacks *s, uint32_t *units)
{
	uint32_t block = 0;
	for (size_t i = 0; i < s->nr_insns; i++) {
		const struct stack_insn *x = &s->insns[i], *before = x - 1;
		if (i > 0 && (before->is_branch || x->is_target || before->pc + before->length != x->pc))
			block++;
		units[i] = block;
	}
}

/* ---- Errors ---- */

/* The weight of a category of a unit. */
struct category {
	uint32_t unit;
	uint16_t signature;
	uint64_t weight;
};

static int by_category(const void *a, const void *b)
{
	const struct category *x = a, *y = b;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

/* The categories that remain with `events`, each once: list[*nr] for the caller to free. NULL when memory is short. */
static struct category *project(const struct stack_profile *p, const uint32_t *units, unsigned events, size_t *nr)
{
	struct category *list = malloc((p->nr + 1) * sizeof(*list));
	*nr = 0;
	if (!list)
		return NULL;
	for (size_t i = 0; i < p->nr; i++) {
		const struct stack_weight *w = &p->weights[i];
		list[i] = (struct category){units ? units[w->insn] : w->insn, (uint16_t)(w->signature & events),
					    w->weight};
	}
	qsort(list, p->nr, sizeof(*list), by_category);
	for (size_t i = 0; i < p->nr; i++) {
		if (*nr > 0 && by_category(&list[*nr - 1], &list[i]) == 0)
			list[*nr - 1].weight += list[i].weight;
		else
			list[(*nr)++] = list[i];
	}
	return list;
}

bool stack_error(const struct stack_profile *exact, const struct stack_profile *sampled, const uint32_t *units,
		 unsigned events, double *error)
{
	size_t nr, nr_sampled, k = 0;
	struct category *reference = project(exact, units, events, &nr),
			*samples = project(sampled, units, events, &nr_sampled);
	bool ok = reference && samples;
	double total = (double)exact->total, correct = 0;
	double scale = sampled->total > 0 ? total / (double)sampled->total : 0;
	for (size_t i = 0; ok && i < nr; i++) {
		while (k < nr_sampled && by_category(&samples[k], &reference[i]) < 0)
			k++;
		if (k == nr_sampled || by_category(&samples[k], &reference[i]) != 0)
			continue;
		double right = (double)reference[i].weight, seen = (double)samples[k].weight * scale;
		correct += seen < right ? seen : right;
	}
	*error = total > 0 ? (total - correct) / total : 0;
	/* Rounding, where all is right. */
	*error = *error < 0 ? 0 : *error;
	free(reference);
	free(samples);
	return ok;
}

/* ---- Correlation ---- */

bool stack_correlation(const struct stacks *s, enum stack_event event, double *r)
{
	double nr = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
	for (int pass = 0; pass < 2; pass++) {
		double mean_x = pass > 0 ? x / nr : 0, mean_y = pass > 0 ? y / nr : 0;
		for (size_t i = 0, end; i < s->nr_cells; i = end) {
			uint64_t times = 0, cycles = 0;
			for (end = i; end < s->nr_cells && s->cells[end].insn == s->cells[i].insn; end++) {
				bool has = s->cells[end].signature >> event & 1;
				times += has ? s->cells[end].executions : 0;
				cycles += has ? s->cells[end].cycles : 0;
			}
			if (times == 0)
				continue;
			double dx = (double)times - mean_x, dy = (double)cycles / s->units - mean_y;
			nr += pass == 0;
			x += pass == 0 ? dx : 0;
			y += pass == 0 ? dy : 0;
			xx += pass == 0 ? 0 : dx * dx;
			yy += pass == 0 ? 0 : dy * dy;
			xy += pass == 0 ? 0 : dx * dy;
		}
		if (nr < 2)
			return false;
	}
	if (!(xx > 0 && yy > 0))
		return false;
	*r = xy / sqrt(xx) / sqrt(yy);
	return true;
}

/* ---- Storage ---- */

/* Of the registers in fetch, decode and dispatch the paper gives no count: with them it has 249 bytes in all. */
#define FRONT_END_BITS ((249u - 12 - 216 - 2 - 8) * 8)

struct tea_storage tea_storage_of(const struct core_timing *t)
{
	return (struct tea_storage){
		.fetch_buffer = 2u * t->fetch_buffer,
		.rob = NR_STACK_EVENTS * (uint32_t)t->rob,
		.last_committed = 16,
		.lsu = (uint32_t)t->load_queue + t->store_queue,
		.front_end = FRONT_END_BITS,
	};
}
