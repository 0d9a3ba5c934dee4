/* The search: what was evaluated, which are the best, and what is wrong with a budget. */
#include "sim/sweep/optimize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/sweep/optimize_internal.h"

/* Mixes are counted up to so many, so that a huge space is not walked for the sake of its size. */
#define COUNTED_MIXES (MAX_OPTIMIZE_MIXES + 1)

const char *const optimize_method_names[] = {
	[OPTIMIZE_AUTO] = "auto", [OPTIMIZE_EXHAUSTIVE] = "exhaustive", [OPTIMIZE_ANNEAL] = "anneal", NULL};

/* Whether `a` is better than `b`: its objective, else fewer cores, else less area, else the first in order. */
static bool is_better(const struct optimize_problem *p, const struct optimize_chip *a, const struct optimize_chip *b)
{
	const struct mix_space *space = &p->space;
	if (a->value != b->value)
		return p->minimize ? a->value < b->value : a->value > b->value;
	uint32_t a_cores = mix_cores(space, a->counts), b_cores = mix_cores(space, b->counts);
	if (a_cores != b_cores)
		return a_cores < b_cores;
	double a_area = mix_area_mm2(space, a->counts), b_area = mix_area_mm2(space, b->counts);
	if (a_area != b_area)
		return a_area < b_area;
	for (uint32_t i = 0; i < space->nr_types; i++)
		if (a->counts[i] != b->counts[i])
			return a->counts[i] < b->counts[i];
	return false;
}

void search_take(struct search *s, const uint32_t counts[MAX_MIX_TYPES], double value)
{
	struct optimize_result *r = s->result;
	struct optimize_chip chip = {.value = value};
	memcpy(chip.counts, counts, s->problem->space.nr_types * sizeof(*counts));
	r->nr_evaluated++;
	uint32_t at = r->nr_best;
	while (at > 0 && is_better(s->problem, &chip, &r->best[at - 1]))
		at--;
	if (at == s->options->top)
		return;
	uint32_t kept = r->nr_best < s->options->top ? r->nr_best++ : s->options->top - 1;
	memmove(&r->best[at + 1], &r->best[at], (kept - at) * sizeof(*r->best));
	r->best[at] = chip;
}

enum sahm_status search_evaluate(const struct search *s, const uint32_t counts[MAX_MIX_TYPES], double *value,
				 struct sahm_err *err)
{
	struct sahm_err cause;
	const struct optimize_problem *p = s->problem;
	enum sahm_status status = p->evaluate(p->ctx, &p->space, counts, value, &cause);
	if (status == SAHM_OK)
		return SAHM_OK;
	struct textbuf label;
	textbuf_init(&label);
	mix_write_label(&p->space, counts, &label);
	status = sahm_fail(err, status, "chip '%.200s': %s", label.text, cause.msg);
	textbuf_release(&label);
	return status;
}

/* A mix as a word of the table. */
static bool is_known(struct search *s, const uint32_t counts[MAX_MIX_TYPES], uint32_t **place)
{
	char word[MAX_MIX_TYPES * 11 + 1], *end = word + sizeof(word), *at = end;
	*--at = '\0';
	for (uint32_t i = 0; i < s->problem->space.nr_types; i++) {
		uint32_t count = counts[i];
		do
			*--at = (char)('0' + count % 10);
		while ((count /= 10) > 0);
		*--at = ',';
	}
	*place = strtable_at(&s->index, at);
	return *place && **place > 0;
}

enum sahm_status search_value(struct search *s, const uint32_t counts[MAX_MIX_TYPES], double *value,
			      struct sahm_err *err)
{
	uint32_t *place;
	if (is_known(s, counts, &place)) {
		*value = s->values[*place - 1];
		return SAHM_OK;
	}
	if (!place)
		return sahm_fail_nomem(err);
	if (s->nr_values == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		double *values = realloc(s->values, room * sizeof(*values));
		if (!values)
			return sahm_fail_nomem(err);
		s->values = values;
		s->room = room;
	}
	enum sahm_status status = search_evaluate(s, counts, value, err);
	if (status != SAHM_OK)
		return status;
	s->values[s->nr_values++] = *value;
	*place = (uint32_t)s->nr_values;
	search_take(s, counts, *value);
	if (s->options->progress)
		s->options->progress(s->options->progress_ctx, s->result->nr_evaluated, s->total);
	return SAHM_OK;
}

/* A space without budgets of its prices. */
static struct mix_space unpriced(const struct mix_space *space)
{
	struct mix_space s = *space;
	s.max_area_mm2 = s.max_power_w = INFINITY;
	return s;
}

/* The mix that takes least of `which`: the least numbers of cores, made up with the cheapest. False: none has so few
 * and so many cores. */
static bool least_mix(const struct mix_space *space, bool is_power, uint32_t counts[MAX_MIX_TYPES])
{
	uint64_t cores = 0;
	memset(counts, 0, MAX_MIX_TYPES * sizeof(*counts));
	for (uint32_t i = 0; i < space->nr_types; i++)
		cores += counts[i] = space->types[i].least;
	while (cores < space->least) {
		uint32_t cheapest = space->nr_types;
		for (uint32_t i = 0; i < space->nr_types; i++) {
			const struct mix_type *t = &space->types[i], *c = &space->types[cheapest % MAX_MIX_TYPES];
			if (counts[i] < t->most && (cheapest == space->nr_types ||
						    (is_power ? t->power_w < c->power_w : t->area_mm2 < c->area_mm2)))
				cheapest = i;
		}
		if (cheapest == space->nr_types)
			return false;
		counts[cheapest]++;
		cores++;
	}
	struct mix_space free_of_budgets = unpriced(space);
	return mix_fits(&free_of_budgets, counts);
}

/* No mix fits: says which budget is too small, and for what. */
static enum sahm_status fail_infeasible(const struct mix_space *space, struct sahm_err *err)
{
	static const char *const names[] = {"area", "power"}, *const units[] = {"mm2", "W"};
	uint32_t counts[MAX_MIX_TYPES];
	struct textbuf b;
	const char *between = ":";
	textbuf_init(&b);
	textbuf_puts(&b, "no chip keeps within the budget");
	for (int which = 0; which < 2; which++) {
		double budget = which ? space->max_power_w : space->max_area_mm2;
		if (!least_mix(space, which == 1, counts)) {
			textbuf_release(&b);
			return sahm_fail(err, SAHM_RANGE, "no chip has from %u to %u cores of these types",
					 space->least, space->most);
		}
		if (!isfinite(budget))
			continue;
		textbuf_printf(&b, "%s the least %s that one takes is ", between, names[which]);
		between = ",";
		number_write_double(&b, which ? mix_power_w(space, counts) : mix_area_mm2(space, counts), 0);
		textbuf_printf(&b, " %s (", units[which]);
		mix_write_label(space, counts, &b);
		textbuf_puts(&b, "), the budget is ");
		number_write_double(&b, budget, 0);
		textbuf_printf(&b, " %s", units[which]);
	}
	enum sahm_status status = textbuf_failed(&b) ? sahm_fail_nomem(err) : sahm_fail(err, SAHM_RANGE, "%s", b.text);
	textbuf_release(&b);
	return status;
}

/* Which method is taken, and how many mixes there are. */
static enum sahm_status choose(struct search *s, struct sahm_err *err)
{
	struct optimize_result *r = s->result;
	enum optimize_method method = s->options->method;
	uint64_t limit = method == OPTIMIZE_EXHAUSTIVE ? MAX_OPTIMIZE_MIXES : s->options->exhaustive_limit;
	r->nr_mixes = mix_count(&s->problem->space, COUNTED_MIXES);
	r->is_counted = r->nr_mixes < COUNTED_MIXES;
	bool is_small = r->nr_mixes <= limit && r->nr_mixes <= MAX_OPTIMIZE_MIXES;
	if (method == OPTIMIZE_EXHAUSTIVE && !is_small)
		return sahm_fail(err, SAHM_RANGE,
				 "%llu chips or more keep within the budget, too many to search exhaustively (%llu)",
				 (unsigned long long)r->nr_mixes, (unsigned long long)MAX_OPTIMIZE_MIXES);
	r->method = method != OPTIMIZE_AUTO ? method : is_small ? OPTIMIZE_EXHAUSTIVE : OPTIMIZE_ANNEAL;
	return SAHM_OK;
}

enum sahm_status optimize_search(const struct optimize_problem *problem, const struct optimize_options *options,
				 struct optimize_result *result, struct sahm_err *err)
{
	uint32_t counts[MAX_MIX_TYPES];
	struct search s = {.problem = problem, .options = options, .result = result};
	*result = (struct optimize_result){.best = calloc(options->top, sizeof(*result->best))};
	if (!result->best)
		return sahm_fail_nomem(err);
	arena_init(&s.arena);
	strtable_init(&s.index, &s.arena);
	enum sahm_status status =
		mix_first(&problem->space, counts) ? choose(&s, err) : fail_infeasible(&problem->space, err);
	if (status == SAHM_OK)
		status =
			result->method == OPTIMIZE_ANNEAL ? search_by_annealing(&s, err) : search_exhaustively(&s, err);
	result->is_proven = status == SAHM_OK && result->is_counted && result->nr_evaluated == result->nr_mixes;
	free(s.values);
	arena_release(&s.arena);
	if (status != SAHM_OK)
		optimize_result_release(result);
	return status;
}

void optimize_result_release(struct optimize_result *result)
{
	free(result->best);
	*result = (struct optimize_result){0};
}
