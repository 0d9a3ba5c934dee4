/* The study of cycle stacks by an introspection unit (dissertation, section 2.5, "Obfuscated Hardware"): what the unit
 * loses, over streams on one core.
 *
 * Beside each core stand units in three settings for a core that is faster than its unit, and a unit that executes in
 * no time, the reference. All of them sample the same cycles, and so does TEA. Heights of a PC are its numbers of
 * samples. The dissertation's programs are of SPEC CPU 2017, on another core: only orders of magnitude compare.
 */
#ifndef SAHM_RESULTS_STUDIES_IPU_PICS_STUDY_H
#define SAHM_RESULTS_STUDIES_IPU_PICS_STUDY_H

#include "results/cores/ipu_samples.h"
#include "results/cores/pics_view.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/function_map.h"
#include "workloads/stream/sampling.h"

#define IPU_PICS_STUDY_SCHEMA "sahm-ipu-pics-study/1"

/* Units beside a core: settings of ipu_pics_setting_list.h, and the reference. */
enum ipu_pics_unit {
#define IPU_PICS_SETTING(suffix, name, hit_mhz, ipu_mhz, mismatch, arg, late, help) IPU_PICS_##suffix,
#include "results/studies/ipu_pics_setting_list.h"
#undef IPU_PICS_SETTING
	NR_IPU_PICS_SETTINGS,
	IPU_PICS_REFERENCE = NR_IPU_PICS_SETTINGS,
	NR_IPU_PICS_UNITS
};

/* "window", and what it is: constant storage. */
const char *ipu_pics_name(enum ipu_pics_unit unit);
const char *ipu_pics_help(enum ipu_pics_unit unit);
const struct ipu_unit_config *ipu_pics_config(enum ipu_pics_unit unit);

/* What a unit has sent of a program. */
struct ipu_pics_run {
	const struct ipu_samples *samples;
	struct ipu_counts counts;
};

struct ipu_pics_losses {
	double dropped_pct;	  /* of input sets */
	double drop_error;	  /* mean over PCs of |height - height0| / height0: 0 to ... */
	double row_error;	  /* the same over pairs of PC and signature */
	double missing;		  /* share of samples whose PC the unit has in none: 0 to 1 */
	double error;		  /* compared with the exact stacks, by instruction: 0 to 1 */
	double from_tea;	  /* compared with TEA's samples of the same cycles */
	uint64_t samples, missed; /* missed: periods that ended while the handler of an earlier one was running */
	double bytes_per_s;
};

/* A row of the dissertation's table 2.2. */
struct ipu_pics_row {
	uint32_t pc;
	uint16_t signature;
	uint64_t samples;
	char place[96]; /* "sort+0x1c", "" if that is not known */
};

#define IPU_PICS_TOPS 10u
#define IPU_PICS_ROWS 3u

/* One of the highest PCs: the share of each signature, in %. */
struct ipu_pics_top {
	uint32_t pc;
	char place[96];
	double pct;		    /* of all samples */
	float parts[NR_SIGNATURES]; /* of all samples, in % */
};

struct ipu_pics_program {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	uint64_t cycles, instructions, event_cycles, lost_events;
	double tea_error, chance; /* of TEA's samples, compared with the exact stacks, and of as many at random */
	struct ipu_pics_losses of[NR_IPU_PICS_UNITS];
	struct ipu_pics_row rows[IPU_PICS_ROWS]; /* [nr_rows], the highest, of the first setting */
	unsigned nr_rows;
	struct ipu_pics_top tops[IPU_PICS_TOPS]; /* [nr_tops], of the first setting */
	unsigned nr_tops;
};

struct ipu_pics_study {
	const char *core; /* as it was given */
	const char *config_hash;
	uint64_t period; /* cycles */
	struct stream_sampling sampling;
};

/* Reduces runs[NR_IPU_PICS_UNITS] of units beside a core, whose stacks are sampled as they do by samplings[0]. `map`
 * names functions. SAHM_NOMEM, as function_map_place() fails. */
enum sahm_status ipu_pics_reduce(const struct stack_pass *p, const struct pics_counts *counts,
				 const struct ipu_pics_run *runs, struct function_map *map,
				 struct ipu_pics_program *out, struct sahm_err *err);

/* The heights of PCs (or of rows): the mean of |height - height0| / height0 over those with height0 > 0, and the share
 * of height0 of those without height. */
void ipu_pics_heights(const struct ipu_samples *reference, const struct ipu_samples *seen, bool by_row, double *error,
		      double *missing);

/* Append programs[nr], nr above 0. ipu_pics_text() is false when memory was short. */
bool ipu_pics_text(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr, bool bold,
		   struct textbuf *out);
void ipu_pics_csv(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr,
		  struct textbuf *out);
void ipu_pics_json(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr,
		   struct textbuf *out);

/* The names of its figures, NULL at the end: the dissertation's 2.8(b) and 2.10. */
extern const char *const ipu_pics_figures[];

enum sahm_status ipu_pics_plot_write(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr,
				     const char *folder, struct sahm_err *err);
enum sahm_status ipu_pics_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
