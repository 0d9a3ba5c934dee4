/* Sampled cycle stacks beside exact ones. */
#include <math.h>
#include <stdlib.h>

#include "results/cores/pics_internal.h"

/* What drawing by chance begins with. */
#define CHANCE_SEED 1u

static bool has_other_events(const struct stacks *s, unsigned events)
{
	for (size_t i = 0; i < s->nr_cells; i++)
		if (s->cells[i].signature & ~events)
			return true;
	return false;
}

static bool make_scheme(struct pics_scheme *s, const struct pics_result *result, const struct pics_view *v,
			const struct stack_profile *exact, const struct pics_grains *g)
{
	struct stack_profile sampled = {0}, drawn = {0};
	s->kind = stack_scheme_kind(s->scheme);
	s->events = stack_scheme_events(s->scheme);
	bool ok = stack_profile_of_samples(result->samples, s->kind, &sampled) &&
		  stack_profile_draw(exact, result->samples->of[s->kind].taken, CHANCE_SEED, &drawn) &&
		  pics_parts_of_profile(&sampled, v->unit_of, v->nr, s->events, &s->parts) &&
		  pics_errors(exact, &sampled, g, s->events, s->error) &&
		  pics_errors(exact, &drawn, g, s->events, s->chance);
	if (ok && has_other_events(result->stacks, s->events))
		ok = pics_parts_of_profile(exact, v->unit_of, v->nr, s->events, &s->exact);
	s->total = sampled.total;
	stack_profile_release(&sampled);
	stack_profile_release(&drawn);
	return ok;
}

bool pics_schemes_init(struct pics_schemes *s, const struct pics_report *r, const struct pics_result *result,
		       const struct pics_view *v)
{
	struct stack_profile exact = {0};
	struct pics_grains g = {{NULL}};
	*s = (struct pics_schemes){.of = calloc(NR_STACK_SCHEMES, sizeof(*s->of))};
	bool ok = s->of && stack_profile_of_stacks(result->stacks, &exact) &&
		  pics_grains_init(&g, result->stacks, result->names);
	for (unsigned i = 0; i < r->nr_schemes && ok; i++) {
		s->of[s->nr++].scheme = r->schemes[i];
		ok = make_scheme(&s->of[i], result, v, &exact, &g);
	}
	stack_profile_release(&exact);
	pics_grains_release(&g);
	return ok;
}

void pics_schemes_release(struct pics_schemes *s)
{
	for (unsigned i = 0; i < s->nr; i++) {
		pics_parts_release(&s->of[i].parts);
		pics_parts_release(&s->of[i].exact);
	}
	free(s->of);
}
