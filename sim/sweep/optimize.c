/* The search: which method, every mix, and what is wrong with a budget. */
#include "sim/sweep/optimize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/sweep/optimize_internal.h"
#include "sim/sweep/pool.h"

/* Mixes are counted up to this number, so that a huge space is not walked only for its size. */
#define COUNTED_MIXES (MAX_OPTIMIZE_MIXES + 1)

const char *const optimize_method_names[] = {
	[OPTIMIZE_AUTO] = "auto", [OPTIMIZE_EXHAUSTIVE] = "exhaustive", [OPTIMIZE_ANNEAL] = "anneal", NULL};

/* A space without budgets of its prices. */
static struct mix_space unpriced(const struct mix_space *space)
{
	struct mix_space s = *space;
	s.max_area_mm2 = s.max_power_w = INFINITY;
	return s;
}

/* The mix with the smallest `which`: the minimum numbers of cores, completed with the cheapest. False: none has a
 * number of cores in this range. */
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
		textbuf_printf(&b, "%s the lowest %s of any chip is ", between, names[which]);
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

/* ---- Every mix, by this process or by several. Mixes stand in memory, so that a job is known by its number. ---- */

struct exhaustive {
	struct search *search;
	uint32_t *counts; /* [nr][nr_types]: the mixes, in order */
	double *values;	  /* [nr] */
	uint64_t nr, next, answered;
};

/* An answer of a worker: the status, then the value or the message. */
struct answer {
	enum sahm_status status;
	double value;
};

static void mix_at(const struct exhaustive *e, uint64_t at, uint32_t counts[MAX_MIX_TYPES])
{
	uint32_t nr_types = e->search->problem->space.nr_types;
	memset(counts, 0, MAX_MIX_TYPES * sizeof(*counts));
	memcpy(counts, e->counts + at * nr_types, nr_types * sizeof(*counts));
}

static enum sahm_status enumerate(struct exhaustive *e, struct sahm_err *err)
{
	const struct mix_space *space = &e->search->problem->space;
	uint32_t counts[MAX_MIX_TYPES];
	uint64_t nr = 0;
	e->nr = e->search->result->nr_mixes;
	e->counts = calloc(e->nr, space->nr_types * sizeof(*e->counts));
	e->values = calloc(e->nr, sizeof(*e->values));
	if (!e->counts || !e->values)
		return sahm_fail_nomem(err);
	for (bool more = mix_first(space, counts); more && nr < e->nr; more = mix_next(space, counts))
		memcpy(e->counts + nr++ * space->nr_types, counts, space->nr_types * sizeof(*counts));
	return SAHM_OK;
}

static void report_progress(const struct exhaustive *e)
{
	const struct optimize_options *o = e->search->options;
	if (o->progress)
		o->progress(o->progress_ctx, e->answered, e->nr);
}

static enum sahm_status evaluate_at(const struct exhaustive *e, uint64_t at, double *value, struct sahm_err *err)
{
	uint32_t counts[MAX_MIX_TYPES];
	mix_at(e, at, counts);
	return search_evaluate(e->search, counts, value, err);
}

static void begin(void *ctx, uint32_t worker)
{
	const struct exhaustive *e = ctx;
	(void)worker;
	if (e->search->options->worker_begin)
		e->search->options->worker_begin();
}

static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	struct sahm_err err;
	struct answer a = {.value = 0};
	a.status = evaluate_at(ctx, job, &a.value, &err);
	textbuf_add(answer, (const char *)&a, sizeof(a));
	if (a.status != SAHM_OK)
		textbuf_puts(answer, err.msg);
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct exhaustive *e = ctx;
	size_t nr = 0;
	while (nr < room && e->next < e->nr)
		jobs[nr++] = e->next++;
	return nr;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct exhaustive *e = ctx;
	struct answer a;
	memcpy(&a, answer, sizeof(a));
	if (a.status != SAHM_OK)
		return sahm_fail(err, a.status, "%.*s", (int)(len - sizeof(a)), answer + sizeof(a));
	e->values[job] = a.value;
	e->answered++;
	return SAHM_OK;
}

static enum sahm_status lost(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	const struct exhaustive *e = ctx;
	uint32_t counts[MAX_MIX_TYPES];
	struct textbuf label;
	mix_at(e, job, counts);
	textbuf_init(&label);
	mix_write_label(&e->search->problem->space, counts, &label);
	enum sahm_status status = sahm_fail(err, cause, "chip '%.200s': %s", label.text, why);
	textbuf_release(&label);
	return status;
}

static bool tick(void *ctx)
{
	report_progress(ctx);
	return true;
}

static const struct pool_ops ops = {
	.begin = begin, .work = work, .next = next, .take = take, .lost = lost, .tick = tick};

static enum sahm_status evaluate_all(struct exhaustive *e, struct sahm_err *err)
{
	const struct pool_options options = {.nr_workers = e->search->options->nr_workers, .batch = 1};
	bool stopped;
	enum sahm_status status = SAHM_OK;
	if (options.nr_workers > 1)
		return pool_run(&ops, &options, e, &stopped, err);
	for (uint64_t i = 0; i < e->nr && status == SAHM_OK; i++) {
		status = evaluate_at(e, i, &e->values[i], err);
		e->answered++;
		report_progress(e);
	}
	return status;
}

static enum sahm_status search_exhaustively(struct search *s, struct sahm_err *err)
{
	struct exhaustive e = {.search = s};
	enum sahm_status status = enumerate(&e, err);
	if (status == SAHM_OK)
		status = evaluate_all(&e, err);
	for (uint64_t i = 0; i < e.nr && status == SAHM_OK; i++) {
		uint32_t counts[MAX_MIX_TYPES];
		mix_at(&e, i, counts);
		search_take(s, counts, e.values[i]);
	}
	free(e.counts);
	free(e.values);
	return status;
}

/* ---- The search ---- */

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
