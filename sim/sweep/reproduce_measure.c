/* Numbers of claims from what was carried out, so that table and figures say the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/studies/claims.h"
#include "results/studies/limit_study.h"
#include "sim/base/array.h"
#include "sim/sweep/reproduce_internal.h"

const struct reproduced_row reproduced_rows[NR_REPRODUCED] = {
#define REPRODUCED(suffix, id, name, study, heading, says) {id, name, PAPER_##study, heading, says},
#include "sim/sweep/reproduce_list.h"
#undef REPRODUCED
};

bool reproduce_is_specialised(const struct record *record)
{
	bool is = false;
	for (uint32_t g = 0; g < record->nr_groups; g++)
		is |= *record->chip[g].speedups != '\0';
	return is;
}

void reproduce_speedups(const struct paper_result *s, uint64_t point, double *values)
{
	for (uint32_t t = 0; t < s->nr_threads; t++)
		values[t] = 100 * s->records[point].threads[t].speedup;
}

struct box *reproduce_boxes_of_points(struct reproducing *p, const struct paper_result *s)
{
	struct box *boxes = arena_alloc(&p->r->arena, s->nr_points, sizeof(*boxes));
	double *values = arena_alloc(&p->r->arena, s->nr_threads, sizeof(*values));
	for (uint64_t i = 0; i < s->nr_points && boxes && values; i++) {
		reproduce_speedups(s, i, values);
		boxes[i] = box_of(values, s->nr_threads);
	}
	return values ? boxes : NULL;
}

struct box *reproduce_boxes_of_threads(struct reproducing *p, const struct paper_result *s)
{
	struct box *boxes = arena_alloc(&p->r->arena, s->nr_threads, sizeof(*boxes));
	double *values = arena_alloc(&p->r->arena, s->nr_points, sizeof(*values));
	for (uint32_t t = 0; t < s->nr_threads && boxes && values; t++) {
		size_t nr = 0;
		for (uint64_t i = 0; i < s->nr_points; i++)
			if (reproduce_is_specialised(&s->records[i]))
				values[nr++] = 100 * s->records[i].threads[t].speedup;
		boxes[t] = nr ? box_of(values, nr) : (struct box){NAN, NAN, NAN, NAN, NAN, NAN};
	}
	return values ? boxes : NULL;
}

uint64_t reproduce_point_called(const struct paper_result *s, const char *name)
{
	const struct space *space = &s->sweep.space;
	uint64_t i = 0;
	while (i < s->nr_points && (space->nr_axes == 0 || strcmp(space_value_at(space, 0, i)->label, name) != 0))
		i++;
	return i;
}

static enum sahm_status measure_breadth(struct reproducing *p, struct claim_measured measured[NR_CLAIMS],
					struct sahm_err *err)
{
	const struct paper_result *s = &p->results[PAPER_BREADTH];
	const struct box *boxes = reproduce_boxes_of_threads(p, s);
	double nr_shown = 0;
	if (!boxes)
		return sahm_fail_nomem(err);
	const struct box mean = box_mean(boxes, s->nr_threads);
	double nr_above = 0, nr_for_most = 0;
	for (uint64_t i = 0; i < s->nr_points; i++) {
		uint32_t nr_sped_up = 0;
		if (!reproduce_is_specialised(&s->records[i]))
			continue;
		nr_shown++;
		for (uint32_t t = 0; t < s->nr_threads; t++) {
			double pct = 100 * s->records[i].threads[t].speedup;
			nr_above += pct > boxes[t].mean + CLAIM_ROUNDING;
			nr_sped_up += pct > CLAIM_ROUNDING;
		}
		nr_for_most += 2 * nr_sped_up > s->nr_threads;
	}
	measured[CLAIM_BREADTH_MEAN].ours = mean.mean;
	measured[CLAIM_BREADTH_P25].ours = mean.p25;
	measured[CLAIM_SKEW].ours = mean.p75 + mean.p25 - 2 * mean.median;
	measured[CLAIM_ABOVE_MEAN].ours = 100 * nr_above / (nr_shown * s->nr_threads);
	measured[CLAIM_MAJORITY].ours = 100 * nr_for_most / nr_shown;
	measured[CLAIM_SPACE_FIGURE].ours = nr_shown;
	return SAHM_OK;
}

/* Chips against the best that the other core, the study's first point, does for any program. */
static enum sahm_status measure_generalist(struct reproducing *p, struct claim_measured measured[NR_CLAIMS],
					   struct sahm_err *err)
{
	static const struct {
		enum claim claim;
		enum limit_named chip;
	} rows[] = {{CLAIM_ALL_30, LIMIT_ALL_30}, {CLAIM_BRANCH_10, LIMIT_BRANCH_10}, {CLAIM_BRANCH_0, LIMIT_BRANCH_0}};
	const struct paper_result *s = &p->results[PAPER_GENERALIST];
	const struct box *boxes = reproduce_boxes_of_points(p, s);
	if (!boxes)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t point = reproduce_point_called(s, limit_named_names[rows[i].chip]);
		measured[rows[i].claim].ours =
			point < s->nr_points && boxes[0].most > 0 ? boxes[point].p25 / boxes[0].most : NAN;
	}
	return SAHM_OK;
}

/* Labels of both axes of a study of threads. */
static enum sahm_status name_runs(struct reproducing *p, const struct paper_result *s, struct claims_realistic *r,
				  struct sahm_err *err)
{
	const struct space *space = &s->sweep.space;
	const char **names[2];
	if (space->nr_axes != 2)
		return sahm_fail(err, SAHM_CONFIG, "%s: two axes are needed, chips and settings", s->sweep.name);
	for (unsigned a = 0; a < 2; a++) {
		const struct space_axis *axis = &space->axes[a];
		names[a] = arena_alloc(&p->r->arena, axis->nr_values, sizeof(*names[a]));
		if (!names[a])
			return sahm_fail_nomem(err);
		for (uint64_t i = 0; i < axis->nr_values; i++)
			names[a][i] = axis->values[i].label;
	}
	*r = (struct claims_realistic){.chips = names[0],
				       .nr_chips = (uint32_t)space->axes[0].nr_values,
				       .settings = names[1],
				       .nr_settings = (uint32_t)space->axes[1].nr_values,
				       .records = s->records,
				       .samples = s->samples,
				       .nr_samples = s->nr_samples};
	return SAHM_OK;
}

static enum sahm_status measure_realistic(struct reproducing *p, struct claim_measured measured[NR_CLAIMS],
					  struct sahm_err *err)
{
	static const enum paper_study studies[] = {PAPER_REALISTIC, PAPER_CORES_32, PAPER_CORES_64};
	struct claims_realistic realistic[ARRAY_SIZE(studies)];
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < ARRAY_SIZE(studies) && status == SAHM_OK; i++) {
		status = name_runs(p, &p->results[studies[i]], &realistic[i], err);
		if (status == SAHM_OK && realistic[i].nr_samples != realistic[0].nr_samples)
			status = sahm_fail(err, SAHM_CONFIG, "%s and %s must have the same number of samples",
					   p->results[studies[0]].sweep.name, p->results[studies[i]].sweep.name);
	}
	return status == SAHM_OK ? claims_of_runs(realistic, ARRAY_SIZE(studies), measured, err) : status;
}

enum sahm_status reproduce_measure(struct reproducing *p, struct claim_measured measured[NR_CLAIMS],
				   struct sahm_err *err)
{
	static const enum claim p25[] = {CLAIM_P25_BRANCH, CLAIM_P25_L1I, CLAIM_P25_L1D, CLAIM_P25_L2};
	static const enum claim p50[] = {CLAIM_P50_BRANCH, CLAIM_P50_L1I, CLAIM_P50_L1D, CLAIM_P50_L2};
	const struct paper_result *limit = &p->results[PAPER_LIMIT];
	enum sahm_status status = SAHM_OK;
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		if (!(p->known[0] >> c & 1u))
			measured[p25[c]].ours = NAN;
		if (!(p->known[1] >> c & 1u))
			measured[p50[c]].ours = NAN;
	}
	if (limit->there)
		measured[CLAIM_LIMIT].ours = 100 * limit->records[0].metrics[RUN_METRIC_speedup_mean];
	if (p->results[PAPER_BREADTH].there)
		status = measure_breadth(p, measured, err);
	if (status == SAHM_OK && p->results[PAPER_GENERALIST].there)
		status = measure_generalist(p, measured, err);
	if (status == SAHM_OK && p->results[PAPER_REALISTIC].there)
		status = measure_realistic(p, measured, err);
	return status;
}
