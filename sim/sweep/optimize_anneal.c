/* Simulated annealing, by gsl_siman_solve(). It hands states around as bare pointers, with nowhere to put a failure:
 * an error is remembered, and all later requests cost nothing and lead nowhere. */
#include <gsl/gsl_rng.h>
#include <gsl/gsl_siman.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/sweep/optimize_internal.h"

/* Cores that a step changes at most; mixes that it tries before it stays where it is. */
#define MAX_CHANGES 3u
#define MAX_ATTEMPTS 200u

/* Mixes of the random walk that tells the spread of objectives, and its steps from one to the next. */
#define SPREAD_MIXES 24u
#define SPREAD_STEPS 8u

/* What infinite objectives count, in spreads. */
#define WORST_ENERGY 1e6

/* The solver holds three states at a time, besides the one that it begins with. */
#define NR_STATES_HELD 4u

struct annealing;

struct place {
	struct annealing *annealing;
	uint32_t counts[MAX_MIX_TYPES];
	bool is_taken;
};

struct annealing {
	struct search *search;
	struct place places[NR_STATES_HELD];
	double spread;
	enum sahm_status status; /* of the first failure */
	struct sahm_err err;
};

static double value_at(struct annealing *a, const uint32_t counts[MAX_MIX_TYPES])
{
	double value = NAN;
	if (a->status == SAHM_OK)
		a->status = search_value(a->search, counts, &value, &a->err);
	return value;
}

/* In spreads of objectives, the less the better. */
static double energy(void *x)
{
	struct place *p = x;
	struct annealing *a = p->annealing;
	double value = value_at(a, p->counts) / a->spread;
	if (isnan(value))
		return WORST_ENERGY;
	value = a->search->problem->minimize ? value : -value;
	return value > WORST_ENERGY ? WORST_ENERGY : value < -WORST_ENERGY ? -WORST_ENERGY : value;
}

/* Adds a core, removes one, or makes one another: 0, 1, 2. False where that cannot be. */
static bool change(const gsl_rng *r, const struct mix_space *space, uint32_t counts[MAX_MIX_TYPES])
{
	unsigned long kind = gsl_rng_uniform_int(r, 3);
	unsigned long from = gsl_rng_uniform_int(r, space->nr_types), to = gsl_rng_uniform_int(r, space->nr_types);
	if (kind != 0 && counts[from]-- == 0)
		return false;
	if (kind != 1)
		counts[to]++;
	return true;
}

/* To a mix nearby within the budgets. Steps in between may be outside, or budgets that are nearly used up would block
 * every way. */
static void step(const gsl_rng *r, void *x, double size)
{
	struct place *p = x;
	const struct mix_space *space = &p->annealing->search->problem->space;
	(void)size;
	for (unsigned attempt = 0; attempt < MAX_ATTEMPTS && p->annealing->status == SAHM_OK; attempt++) {
		uint32_t counts[MAX_MIX_TYPES];
		unsigned long nr = 1 + gsl_rng_uniform_int(r, MAX_CHANGES);
		bool ok = true;
		memcpy(counts, p->counts, sizeof(counts));
		while (ok && nr-- > 0)
			ok = change(r, space, counts);
		if (!ok || !mix_fits(space, counts))
			continue;
		memcpy(p->counts, counts, sizeof(counts));
		return;
	}
}

static void copy(void *source, void *dest)
{
	const struct place *from = source;
	struct place *to = dest;
	memcpy(to->counts, from->counts, sizeof(to->counts));
}

static void *copy_construct(void *x)
{
	struct annealing *a = ((struct place *)x)->annealing;
	for (unsigned i = 0; i < NR_STATES_HELD; i++) {
		if (a->places[i].is_taken)
			continue;
		a->places[i].is_taken = true;
		a->places[i].annealing = a;
		copy(x, &a->places[i]);
		return &a->places[i];
	}
	return NULL;
}

static void destroy(void *x)
{
	((struct place *)x)->is_taken = false;
}

/* How far apart objectives are: the maximum minus the minimum of a random walk, infinite ones left out. 1 where all are
 * alike. */
static double find_spread(const gsl_rng *r, struct place *at)
{
	double least = INFINITY, most = -INFINITY;
	for (unsigned i = 0; i < SPREAD_MIXES; i++) {
		double value = value_at(at->annealing, at->counts);
		if (isfinite(value)) {
			least = fmin(least, value);
			most = fmax(most, value);
		}
		for (unsigned s = 0; s < SPREAD_STEPS; s++)
			step(r, at, 0);
	}
	return most > least ? most - least : 1;
}

/* One walk from hot to cold, from the mix at which the one before has ended, shaken. */
static void walk(const gsl_rng *r, struct place *at)
{
	const struct optimize_anneal *o = &at->annealing->search->options->anneal;
	const gsl_siman_params_t params = {.n_tries = 1,
					   .iters_fixed_T = (int)o->nr_steps,
					   .step_size = 1,
					   .k = 1,
					   .t_initial = o->hottest,
					   .mu_t = o->cooling,
					   .t_min = o->coldest};
	for (uint32_t i = mix_cores(&at->annealing->search->problem->space, at->counts) + MAX_CHANGES; i-- > 0;)
		step(r, at, 0);
	gsl_siman_solve(r, at, energy, step, NULL, NULL, copy, copy_construct, destroy, 0, params);
}

/* Goes from the best mix to the best of its neighbours, a core less, more or of another type, as long as that is
 * better: the walks follow only objectives and are indifferent between equal ones. */
static void polish(struct annealing *a)
{
	const struct mix_space *space = &a->search->problem->space;
	const struct optimize_result *r = a->search->result;
	uint32_t at[MAX_MIX_TYPES], counts[MAX_MIX_TYPES];
	do {
		memcpy(at, r->best[0].counts, sizeof(at));
		/* Type nr_types stands for none. */
		for (uint32_t from = 0; from <= space->nr_types; from++)
			for (uint32_t to = 0; to <= space->nr_types && a->status == SAHM_OK; to++) {
				memcpy(counts, at, sizeof(counts));
				if (from == to || (from < space->nr_types && counts[from]-- == 0))
					continue;
				if (to < space->nr_types)
					counts[to]++;
				if (mix_fits(space, counts))
					value_at(a, counts);
			}
	} while (a->status == SAHM_OK && memcmp(at, r->best[0].counts, sizeof(at)) != 0);
}

enum sahm_status search_by_annealing(struct search *s, struct sahm_err *err)
{
	const struct optimize_anneal *o = &s->options->anneal;
	struct annealing a = {.search = s, .spread = 1};
	struct place at = {.annealing = &a};
	struct rng seeds;
	/* Not by gsl_rng_alloc(), which would end the program where memory is short. */
	gsl_rng r = {.type = gsl_rng_mt19937, .state = calloc(1, gsl_rng_mt19937->size)};
	if (!r.state)
		return sahm_fail_nomem(err);
	rng_init(&seeds, o->seed, "optimize", "anneal");
	gsl_rng_set(&r, (unsigned long)rng_below(&seeds, UINT32_MAX) + 1);
	mix_first(&s->problem->space, at.counts);
	a.spread = find_spread(&r, &at);
	for (uint32_t i = 0; i < o->nr_restarts && a.status == SAHM_OK; i++) {
		gsl_rng_set(&r, (unsigned long)rng_below(&seeds, UINT32_MAX) + 1);
		walk(&r, &at);
	}
	if (a.status == SAHM_OK)
		polish(&a);
	free(r.state);
	if (a.status != SAHM_OK)
		*err = a.err;
	return a.status;
}
