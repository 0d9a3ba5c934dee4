#include "results/studies/ab_study.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- The truth ---- */

struct ab_truth {
	struct functional_pass *pass;
	uint8_t line_shift;
	struct uop_batch *batch;
	uint64_t times[BATCH_UOPS]; /* of its uops */
};

enum sahm_status ab_truth_new(struct ab_truth **truth, const struct core_model *model,
			      const struct prefetcher_spec *prefetcher, struct sahm_err *err)
{
	struct core_geometry g = model->geometry;
	memset(g.l1i_prefetchers, 0, sizeof(g.l1i_prefetchers));
	g.l1i_prefetchers[0] = *prefetcher;
	if (prefetchers_need_clock(g.l1i_prefetchers)) {
		g.clock.cpi = 1000;
		for (unsigned i = 0; i < NR_MEMORY_LEVELS; i++)
			g.clock.code[i] = model->timing.icache_cycles[i];
	}
	struct ab_truth *t = calloc(1, sizeof(*t));
	if (!t)
		return sahm_fail_nomem(err);
	t->line_shift = (uint8_t)__builtin_ctz(g.l1i.line_bytes);
	t->pass = functional_pass_new_memory(&g, err);
	t->batch = calloc(1, sizeof(*t->batch));
	if (!t->pass || !t->batch) {
		ab_truth_free(t);
		return sahm_fail_nomem(err);
	}
	functional_pass_set_times(t->pass, t->times);
	*truth = t;
	return SAHM_OK;
}

void ab_truth_free(struct ab_truth *t)
{
	if (!t)
		return;
	functional_pass_free(t->pass);
	free(t->batch);
	free(t);
}

static void flush(struct ab_truth *t)
{
	functional_pass_run(t->pass, t->batch);
	t->batch->nr = t->batch->nr_instructions = 0;
}

/* A uop without what a pass has found. */
static struct uop *add(struct ab_truth *t, const struct uop *u, uint64_t time)
{
	struct uop *to = &t->batch->uops[t->batch->nr];
	t->times[t->batch->nr++] = time;
	*to = *u;
	memset((char *)to + offsetof(struct uop, fetch_lines), 0, sizeof(*to) - offsetof(struct uop, fetch_lines));
	return to;
}

void ab_truth_run(struct ab_truth *t, const struct uop_batch *batch, const uint64_t *times)
{
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		uint64_t line = u->pc >> t->line_shift, end = (u->pc + u->length - 1) >> t->line_shift;
		if (t->batch->nr + 2 > BATCH_UOPS)
			flush(t);
		if (u->flags & UOP_FIRST && line != end) {
			struct uop *first = add(t, u, times[i]);
			first->length = 1;
			first->class = INSN_INTEGER;
			first->bytes = 0;
		}
		struct uop *own = add(t, u, times[i]);
		if (u->flags & UOP_FIRST && line != end) {
			own->pc = end << t->line_shift;
			own->length = 1;
		}
	}
	flush(t);
}

struct ab_counts ab_truth_counts(const struct ab_truth *t, uint64_t base_misses)
{
	const struct functional_counts *c = functional_pass_counts(t->pass);
	return (struct ab_counts){.lines = c->l1i_lines,
				  .base_misses = base_misses,
				  .misses = c->epoch.count[COUNTER_L1I_MISSES],
				  .prefetches = c->l1i_prefetches,
				  .used = c->l1i_prefetches_used};
}

struct ab_counts ab_without(const struct ab_counts *c)
{
	return (struct ab_counts){.lines = c->lines, .base_misses = c->base_misses, .misses = c->base_misses};
}

/* ---- Metrics ---- */

const char *ab_metric_name(enum ab_metric metric)
{
	static const char *const names[NR_AB_METRICS] = {"miss rate", "coverage", "accuracy"};
	return names[metric];
}

static double share_pct(double part, uint64_t whole)
{
	return whole > 0 ? 100 * part / (double)whole : NAN;
}

double ab_metric_pct(const struct ab_counts *c, enum ab_metric metric)
{
	if (metric == AB_MISS_RATE)
		return share_pct((double)c->misses, c->lines);
	if (metric == AB_COVERAGE)
		return share_pct((double)c->base_misses - (double)c->misses, c->base_misses);
	return share_pct((double)c->used, c->prefetches);
}

double ab_base_miss_pct(const struct ab_counts *c)
{
	return share_pct((double)c->base_misses, c->lines);
}

double ab_error_pct(const struct ab_program *p, enum ab_unit unit, enum ab_metric metric)
{
	double truth = ab_metric_pct(&p->truth, metric), seen = ab_metric_pct(&p->units[unit], metric);
	return p->has_truth && truth != 0 ? 100 * (seen - truth) / truth : NAN;
}

bool ab_counts_for_means(const struct ab_program *p)
{
	return ab_base_miss_pct(&p->units[AB_LATENCY]) >= AB_LEAST_MISS_PCT;
}

/* ---- The verdict ---- */

#define RESAMPLES 2000u

/* Of the first `nr` packets. */
static enum sahm_status judge_first(const struct ab_packet *a, const struct ab_packet *b, size_t nr,
				    struct stats_interval *interval, struct sahm_err *err)
{
	double parts[AB_BATCHES], lines[AB_BATCHES];
	uint64_t seen = 0, more_a = 0, more_b = 0;
	size_t filled = 0;
	for (unsigned i = 0; i < AB_BATCHES; i++) {
		size_t last = (i + 1) * nr / AB_BATCHES - 1;
		lines[filled] = (double)(a[last].counts.lines - seen);
		parts[filled] =
			1000 * ((double)(a[last].counts.misses - more_a) - (double)(b[last].counts.misses - more_b));
		seen = a[last].counts.lines;
		more_a = a[last].counts.misses;
		more_b = b[last].counts.misses;
		filled += lines[filled] > 0;
	}
	*interval = (struct stats_interval){0, NAN, NAN};
	return filled < 2 ? SAHM_OK : stats_bootstrap_ratio(parts, lines, filled, RESAMPLES, 1, "ab", interval, err);
}

enum sahm_status ab_judge(const struct ab_packet *a, const struct ab_packet *b, size_t nr, struct ab_verdict *verdict,
			  struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*verdict = (struct ab_verdict){.has_interval = false};
	/* From the end back, while it is certain and says the same. */
	for (size_t n = nr; n >= AB_BATCHES && status == SAHM_OK; n--) {
		struct stats_interval interval;
		status = judge_first(a, b, n, &interval, err);
		if (status != SAHM_OK)
			break;
		bool is_certain = interval.low > 0 || interval.high < 0;
		if (n == nr) {
			verdict->has_interval = !isnan(interval.low);
			verdict->per_1000 = interval;
			verdict->is_certain = is_certain;
		}
		if (!is_certain || (interval.mean < 0) != (verdict->per_1000.mean < 0))
			break;
		verdict->instructions = a[n - 1].instructions;
	}
	return status;
}
