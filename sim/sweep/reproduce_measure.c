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

static enum sahm_status measure_breadth(struct reproducing *p, double ours[NR_CLAIMS], struct sahm_err *err)
{
	const struct paper_result *s = &p->results[PAPER_BREADTH];
	const struct box *boxes = reproduce_boxes_of_threads(p, s);
	double nr_shown = 0;
	if (!boxes)
		return sahm_fail_nomem(err);
	const struct box mean = box_mean(boxes, s->nr_threads);
	for (uint64_t i = 0; i < s->nr_points; i++)
		nr_shown += reproduce_is_specialised(&s->records[i]);
	ours[CLAIM_BREADTH_MEAN] = mean.mean;
	ours[CLAIM_BREADTH_P25] = mean.p25;
	ours[CLAIM_SPACE_FIGURE] = nr_shown;
	return SAHM_OK;
}

/* Chips against the best that the other core, the study's first point, does for any program. */
static enum sahm_status measure_generalist(struct reproducing *p, double ours[NR_CLAIMS], struct sahm_err *err)
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
		ours[rows[i].claim] =
			point < s->nr_points && boxes[0].most > 0 ? boxes[point].p25 / boxes[0].most : NAN;
	}
	return SAHM_OK;
}

static enum sahm_status measure_realistic(struct reproducing *p, double ours[NR_CLAIMS], struct sahm_err *err)
{
	const struct paper_result *s = &p->results[PAPER_REALISTIC];
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
	const struct claims_realistic realistic = {.chips = names[0],
						   .nr_chips = (uint32_t)space->axes[0].nr_values,
						   .settings = names[1],
						   .nr_settings = (uint32_t)space->axes[1].nr_values,
						   .records = s->records};
	claims_of_runs(&realistic, ours);
	return SAHM_OK;
}

enum sahm_status reproduce_measure(struct reproducing *p, double ours[NR_CLAIMS], struct sahm_err *err)
{
	static const enum claim p25[] = {CLAIM_P25_BRANCH, CLAIM_P25_L1I, CLAIM_P25_L1D, CLAIM_P25_L2};
	static const enum claim p50[] = {CLAIM_P50_BRANCH, CLAIM_P50_L1I, CLAIM_P50_L1D, CLAIM_P50_L2};
	const struct paper_result *limit = &p->results[PAPER_LIMIT];
	enum sahm_status status = SAHM_OK;
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		if (!(p->known[0] >> c & 1u))
			ours[p25[c]] = NAN;
		if (!(p->known[1] >> c & 1u))
			ours[p50[c]] = NAN;
	}
	if (limit->there)
		ours[CLAIM_LIMIT] = 100 * limit->records[0].metrics[RUN_METRIC_speedup_mean];
	if (p->results[PAPER_BREADTH].there)
		status = measure_breadth(p, ours, err);
	if (status == SAHM_OK && p->results[PAPER_GENERALIST].there)
		status = measure_generalist(p, ours, err);
	if (status == SAHM_OK && p->results[PAPER_REALISTIC].there)
		status = measure_realistic(p, ours, err);
	return status;
}
