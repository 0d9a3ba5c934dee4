#include "results/studies/limit_study.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"

const char *const limit_named_names[NR_LIMIT_NAMED] = {"All-30 %", "Branch-10 %", "Branch-0 %"};

void limit_named_speedups(enum limit_named which, int32_t speedup_ppm[NR_STATES])
{
	static const int32_t branch_pct[NR_LIMIT_NAMED] = {30, 10, 0};
	struct space_config config = space_config_at(SPACE_CANONICAL);
	config.speedup_ppm[COMPONENT_BRANCH] = branch_pct[which] * PPM_PER_PCT;
	space_best_speedups(&config, speedup_ppm);
}

static void fill(struct limit_study *study, const int32_t (*speedup_ppm)[NR_STATES])
{
	double *next = study->speedups;
	for (size_t i = 0; i < study->nr_chips; i++) {
		struct limit_chip chip;
		limit_chip_init(&chip, speedup_ppm[i]);
		for (size_t t = 0; t < study->nr_traces; t++)
			*next++ = limit_on(&chip, study->traces[t].weights);
	}
}

/* Boxes sort what they are of, and so get a copy. */
static void summarize(struct limit_study *study, size_t nr_apart, double *values)
{
	for (size_t i = 0; i < study->nr_chips; i++) {
		memcpy(values, study->speedups + i * study->nr_traces, study->nr_traces * sizeof(*values));
		study->of_chips[i] = box_of(values, study->nr_traces);
	}
	for (size_t t = 0; t < study->nr_traces; t++) {
		for (size_t i = nr_apart; i < study->nr_chips; i++)
			values[i - nr_apart] = study->speedups[i * study->nr_traces + t];
		study->of_traces[t] = box_of(values, study->nr_chips - nr_apart);
	}
	study->mean = box_mean(study->of_traces, study->nr_traces);
}

enum sahm_status limit_study_make(struct limit_study *study, const int32_t (*speedup_ppm)[NR_STATES], size_t nr_chips,
				  size_t nr_apart, const struct limit_trace *traces, size_t nr_traces,
				  struct sahm_err *err)
{
	size_t nr_values = nr_chips > nr_traces ? nr_chips : nr_traces, nr_all;
	double *values = NULL;
	*study = (struct limit_study){.traces = traces, .nr_traces = nr_traces, .nr_chips = nr_chips};
	if (!__builtin_mul_overflow(nr_chips, nr_traces, &nr_all)) {
		study->speedups = calloc(nr_all, sizeof(*study->speedups));
		study->of_traces = calloc(nr_traces, sizeof(*study->of_traces));
		study->of_chips = calloc(nr_chips, sizeof(*study->of_chips));
		values = calloc(nr_values, sizeof(*values));
	}
	if (!study->speedups || !study->of_traces || !study->of_chips || !values) {
		free(values);
		limit_study_release(study);
		return sahm_fail_nomem(err);
	}
	fill(study, speedup_ppm);
	summarize(study, nr_apart, values);
	free(values);
	return SAHM_OK;
}

enum sahm_status limit_study_of_space(struct limit_study *study, const struct limit_trace *traces, size_t nr_traces,
				      struct sahm_err *err)
{
	int32_t speedup_ppm[NR_SPACE_CONFIGS][NR_STATES];
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(i);
		space_best_speedups(&config, speedup_ppm[i]);
	}
	return limit_study_make(study, (const int32_t(*)[NR_STATES])speedup_ppm, NR_SPACE_CONFIGS, 1, traces, nr_traces,
				err);
}

void limit_study_release(struct limit_study *study)
{
	free(study->speedups);
	free(study->of_traces);
	free(study->of_chips);
	*study = (struct limit_study){0};
}

enum sahm_status limit_against(const struct limit_trace *traces, size_t nr_traces, double pct,
			       struct limit_against rows[NR_LIMIT_NAMED], struct sahm_err *err)
{
	double *values = calloc(nr_traces, sizeof(*values));
	if (!values)
		return sahm_fail_nomem(err);
	for (unsigned i = 0; i < NR_LIMIT_NAMED; i++) {
		struct limit_chip chip;
		int32_t speedup_ppm[NR_STATES];
		limit_named_speedups((enum limit_named)i, speedup_ppm);
		limit_chip_init(&chip, speedup_ppm);
		for (size_t t = 0; t < nr_traces; t++)
			values[t] = limit_on(&chip, traces[t].weights);
		rows[i].box = box_of(values, nr_traces);
		rows[i].ratio = 100 * rows[i].box.p25 / pct;
	}
	free(values);
	return SAHM_OK;
}
