/* The study of paper TEA (section 5): what samplers of cycle stacks get wrong, over streams on one core.
 *
 * Each stream is run once; all samplers, at all periods, look at the same cycles. Errors are those of stack_error.h, at
 * four granularities; beside each stands its chance level, the error of as many cycles drawn at random from the exact
 * stacks. The paper's figures are of SPEC CPU 2017 on an FPGA: only orders and directions compare.
 */
#ifndef SAHM_RESULTS_STUDIES_TEA_STUDY_H
#define SAHM_RESULTS_STUDIES_TEA_STUDY_H

#include "results/cores/pics_view.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/sampling.h"

#define TEA_STUDY_SCHEMA "sahm-tea-study/1"

#define MAX_TEA_PERIODS 8u
/* Highest stacks that are named of a program. */
#define TEA_TOPS 3u

struct tea_error {
	double error[NR_PICS_BY], chance[NR_PICS_BY]; /* 0 to 1 */
	uint64_t samples;			      /* taken */
};

/* One of the highest stacks of a program, by instruction. */
struct tea_top {
	char place[128];    /* "0x4011d6 sort+0x1c" */
	uint16_t signature; /* its highest part */
	double pct;	    /* of all cycles, the stack */
};

/* A stream. */
struct tea_program {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	uint64_t cycles, instructions;
	unsigned short_stall; /* 99 % of stalls without events are below; 0: there are none */
	uint64_t with_events, combined;
	struct tea_error errors[MAX_TEA_PERIODS][NR_STACK_SCHEMES];
	bool has_r[NR_STACK_EVENTS];
	double r[NR_STACK_EVENTS]; /* Pearson's, of executions with the event and cycles */
	struct tea_top tops[TEA_TOPS];
	unsigned nr_tops;
};

struct tea_study {
	const char *core; /* as it was given */
	const char *config_hash;
	const struct core_timing *timing;
	const uint64_t *periods; /* [nr_periods], ascending; figures but that of periods are of the first */
	unsigned nr_periods;
	uint64_t seed; /* of jitter, and of what is drawn at random */
	struct stream_sampling sampling;
};

/* Reduces a pass that has ended, which samples at all periods of the study, to its numbers. `map` names functions.
 * SAHM_NOMEM, as function_map_place() fails. */
enum sahm_status tea_study_reduce(const struct tea_study *s, const struct stack_pass *p, struct function_map *map,
				  struct tea_program *out, struct sahm_err *err);

/* Whether errors at the first period are in the paper's order: TEA < NCI < IBS, SPE, RIS. */
bool tea_order_holds(const struct tea_program *p, enum pics_by by);

/* Mean and largest of programs[nr], nr above 0, in per cent. */
struct tea_mean {
	double error, most, chance;
};
struct tea_mean tea_study_mean(const struct tea_program *programs, size_t nr, unsigned period, enum stack_scheme scheme,
			       enum pics_by by);

/* The paper's errors by instruction, in per cent (sections 1 and 5.1). */
struct tea_paper {
	double mean, most;
};
struct tea_paper tea_paper_error(enum stack_scheme scheme);

/* Append programs[nr], nr above 0. tea_study_text() is false when memory was short. */
bool tea_study_text(const struct tea_study *s, const struct tea_program *programs, size_t nr, bool bold,
		    struct textbuf *out);
void tea_study_csv(const struct tea_study *s, const struct tea_program *programs, size_t nr, struct textbuf *out);
void tea_study_json(const struct tea_study *s, const struct tea_program *programs, size_t nr, struct textbuf *out);

/* The names of its figures, NULL at the end: the paper's 5, 7, 8 and 9. */
extern const char *const tea_study_figures[];

enum sahm_status tea_study_plot_write(const struct tea_study *s, const struct tea_program *programs, size_t nr,
				      const char *folder, struct sahm_err *err);
enum sahm_status tea_study_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
