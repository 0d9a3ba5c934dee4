/* The A/B test of an L1I prefetcher in an IPU_pro beside cores without it (dissertation, section 2.5): what it finds
 * over streams, beside the truth.
 *
 * The soft logic (l1i-entangling) sees the core's accesses to L1I and has the tags of an L1I without and with the
 * prefetcher. The truth is a functional pass whose L1I has the prefetcher. It sees the same instructions at
 * the same times, those that only warm included: the clock of the prefetcher is the core's. An instruction in two lines
 * is two accesses here, one after the other, as the front end makes them. The dissertation's programs are CVP traces on
 * another core: only orders of magnitude compare.
 */
#ifndef SAHM_RESULTS_STUDIES_AB_STUDY_H
#define SAHM_RESULTS_STUDIES_AB_STUDY_H

#include "cores/uarch/core_model.h"
#include "cores/uarch/functional_pass.h"
#include "sim/base/stats.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/sampling.h"

#define AB_STUDY_SCHEMA "sahm-ab-study/1"

/* ---- The truth ---- */

struct ab_truth;

/* A pass with `prefetcher` at the L1I of `model`. SAHM_NOMEM. */
enum sahm_status ab_truth_new(struct ab_truth **truth, const struct core_model *model,
			      const struct prefetcher_spec *prefetcher, struct sahm_err *err);
void ab_truth_free(struct ab_truth *t);
/* Takes the uops of a batch, of which any pass has seen; times[] as fetch_probe_times() has them. */
void ab_truth_run(struct ab_truth *t, const struct uop_batch *batch, const uint64_t *times);

/* ---- Counts ---- */

/* Of an L1I, without the prefetcher and with it. */
struct ab_counts {
	uint64_t lines, base_misses, misses, prefetches, used;
	uint64_t late, unused; /* the soft logic's; else 0 */
};

/* Those of a truth; base_misses are those of the core, which has no prefetcher. */
struct ab_counts ab_truth_counts(const struct ab_truth *t, uint64_t base_misses);
/* The same L1I without the prefetcher. */
struct ab_counts ab_without(const struct ab_counts *c);

/* The metrics, in %: miss rate = misses / lines, coverage = misses that it avoids / misses without it, accuracy =
 * prefetched lines used / prefetched lines. NAN where nothing is divided by. */
enum ab_metric { AB_MISS_RATE, AB_COVERAGE, AB_ACCURACY, NR_AB_METRICS };
/* "miss rate": constant storage. */
const char *ab_metric_name(enum ab_metric metric);
double ab_metric_pct(const struct ab_counts *c, enum ab_metric metric);
double ab_base_miss_pct(const struct ab_counts *c);

/* A unit beside the core. */
enum ab_unit {
	AB_ALL_HIT_L2, /* the prefetcher; every miss is taken to hit L2 */
	AB_LATENCY,    /* the prefetcher; the core's L1I shows the latency of its own misses */
	AB_AGAINST,    /* the other one, as AB_LATENCY */
	NR_AB_UNITS
};
/* Of the first two. */
#define NR_AB_ESTIMATES 2u

/* A unit's packet. */
struct ab_packet {
	uint64_t instructions; /* of the stream, up to about the time at which it came */
	struct ab_counts counts;
};

/* Which of two prefetchers misses less, by packets of both units, which come at the same time: the difference of their
 * misses per 1,000 lines, below 0 where the first one misses less, with its interval of 95 %. */
struct ab_verdict {
	bool has_interval, is_certain;
	struct stats_interval per_1000;
	uint64_t instructions; /* from which on 0 is outside of the interval, if it is at the end */
};

/* packets[nr] of both, of which the last one comes at the end. Intervals are over batches of as many packets each, from
 * AB_BATCHES packets on. SAHM_NOMEM. */
#define AB_BATCHES 20u
enum sahm_status ab_judge(const struct ab_packet *a, const struct ab_packet *b, size_t nr, struct ab_verdict *verdict,
			  struct sahm_err *err);

struct ab_program {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	uint64_t instructions, cycles, nr_sets;
	bool has_truth;
	struct ab_counts truth, against_truth; /* the latter of none: misses = base_misses */
	struct ab_counts units[NR_AB_UNITS];   /* of AB_AGAINST: misses = base_misses where it is none */
	double dropped_pct;		       /* of input sets, of AB_LATENCY */
	uint64_t nr_packets;
	struct ab_verdict verdict;
};

struct ab_study {
	const char *core; /* as it was given */
	const char *config_hash;
	const char *prefetcher, *against; /* as they were given */
	uint32_t entries, hit_mhz, soft_mhz;
	const char *mode; /* "window=64" */
	uint64_t period;  /* cycles */
	struct stream_sampling sampling;
};

/* Relative, in %, of an estimate; NAN: there is no truth, or it is 0. */
double ab_error_pct(const struct ab_program *p, enum ab_unit unit, enum ab_metric metric);

/* Programs whose L1I misses less are left out of means (dissertation, section 2.5: below that, the metrics mean less).
 */
#define AB_LEAST_MISS_PCT 0.25
bool ab_counts_for_means(const struct ab_program *p);

/* Append programs[nr], nr above 0. ab_text() is false when memory was short. */
bool ab_text(const struct ab_study *s, const struct ab_program *programs, size_t nr, bool bold, struct textbuf *out);
void ab_csv(const struct ab_study *s, const struct ab_program *programs, size_t nr, struct textbuf *out);
void ab_json(const struct ab_study *s, const struct ab_program *programs, size_t nr, struct textbuf *out);

/* The names of its figures, NULL at the end: the dissertation's 2.8(a). */
extern const char *const ab_figures[];

enum sahm_status ab_plot_write(const struct ab_study *s, const struct ab_program *programs, size_t nr,
			       const char *folder, struct sahm_err *err);
enum sahm_status ab_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
