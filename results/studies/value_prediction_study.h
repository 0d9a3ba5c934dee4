/* The study of value prediction (Calipers, section 5.3, figure 17): CPI of a core that predicts the values of more and
 * more loads, over streams.
 *
 * Unaware, loads are drawn by a seeded hash of their number. Aware, those for whose registers the critical path waits
 * come first: 20 to 100 % of them, drawn in the same way; then the path is that of a core that predicts them, a second
 * and a third time; then the loads that are left, those of the longest latency first. A load here is a uop that loads a
 * register.
 *
 * Streams go through the core once per phase, with a core for each point of it. Between phases, 3 bits per load are
 * kept, and 2 bytes from the phase on that asks for latencies.
 */
#ifndef SAHM_RESULTS_STUDIES_VALUE_PREDICTION_STUDY_H
#define SAHM_RESULTS_STUDIES_VALUE_PREDICTION_STUDY_H

#include "cores/uarch/critical_path.h"
#include "cores/uarch/timing.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/sampling.h"

#define VALUE_STUDY_SCHEMA "sahm-value-prediction/1"

#define UNAWARE_STEPS 10u
#define AWARE_STEPS 5u
#define AWARE_PASSES 3u

/* All cores of a phase are equal; they predict more from one to the next. */
enum value_phase {
	VALUE_UNAWARE, /* 0, 10, ..., 100 % of all loads */
	VALUE_PATH,    /* nothing: the first critical path */
	VALUE_PASS,    /* and the passes after it: 20, ..., 100 % of their critical loads */
	VALUE_LATENCIES = VALUE_PASS + AWARE_PASSES, /* those of all passes; its stamps are looked at */
	VALUE_REST,				     /* and 20, ..., 100 % of the others */
	NR_VALUE_PHASES
};

/* Cores of a phase. */
unsigned value_phase_cores(enum value_phase phase);

/* The core of a phase whose critical loads are asked for. False: of none. */
bool value_phase_marks(enum value_phase phase, unsigned *core);

/* Points: first those of the unaware curve, then those of the aware one without its first, which is the same. */
#define NR_UNAWARE_POINTS (UNAWARE_STEPS + 1u)
#define NR_VALUE_POINTS (NR_UNAWARE_POINTS + (AWARE_PASSES + 1u) * AWARE_STEPS)

/* The first point of a phase, whose cores have one each. False: it has none. */
bool value_phase_point(enum value_phase phase, unsigned *point);

struct value_point {
	uint64_t covered, cycles; /* covered: predicted loads */
};

/* A stream. */
struct value_program {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	uint64_t instructions, loads;
	struct value_point points[NR_VALUE_POINTS];
};

struct value_study {
	const char *core; /* as it was given */
	const char *config_hash;
	uint64_t seed;
	double accuracy; /* 0 to 1 */
	struct stream_sampling sampling;
};

/* ---- Loads of a stream ---- */

struct value_loads;

/* NULL when memory is short. */
struct value_loads *value_loads_new(const struct value_study *s);
void value_loads_free(struct value_loads *l);

/* Before each phase, in their order: ends the phase before. The points of those that ended get what they cover; those
 * of the last one, too. SAHM_RANGE: there are more than 2^32 loads. SAHM_NOMEM. */
enum sahm_status value_loads_begin(struct value_loads *l, enum value_phase phase, struct value_program *out,
				   struct sahm_err *err);

/* What cores[nr] of the phase predict of a batch, as observer.predict of core_run(). Several threads may call it, each
 * for other cores. */
void value_loads_predict(struct value_loads *l, const size_t *cores, unsigned nr, const struct uop_batch *batch,
			 uint64_t first_load, struct load_predictions *p);

/* Where the critical loads of this phase go. */
struct load_set *value_loads_critical(struct value_loads *l);

/* The stamps of the next batch of VALUE_LATENCIES. */
void value_loads_stamp(struct value_loads *l, const struct uop_batch *batch, const struct uop_stamps *stamps);

/* ---- Results ---- */

/* Cycles per instruction at a point; how much faster the core is there than without prediction, in %; covered loads in
 * %. */
double value_cpi(const struct value_program *p, unsigned point);
double value_gain_pct(const struct value_program *p, unsigned point);
double value_coverage_pct(const struct value_program *p, unsigned point);

/* Most of the gain: this share of the cycles that the best point saves. Our definition, as is that of a gain that is
 * too small to say anything: fewer saved cycles than that share of all. */
#define VALUE_MOST_PCT 80.0
#define VALUE_SMALL_PCT 1.0
/* Paper, section 5.3. */
#define VALUE_PAPER_PCT 15.0

/* The smallest coverage of a curve's points that bring most of the gain, in %. NAN: no point does, or the gain is too
 * small. */
double value_most_pct(const struct value_program *p, bool is_aware);

enum value_verdict { VALUE_SAYS_NOTHING, VALUE_HOLDS, VALUE_HOLDS_NOT };

/* Whether the aware curve has most of the gain at the paper's coverage. */
enum value_verdict value_holds(const struct value_program *p);

/* The sum of programs[nr], nr above 0. */
struct value_program value_study_all(const struct value_program *programs, size_t nr);

/* Append programs[nr], nr above 0. value_study_text() is false when memory was short. */
bool value_study_text(const struct value_study *s, const struct value_program *programs, size_t nr, bool bold,
		      struct textbuf *out);
void value_study_csv(const struct value_study *s, const struct value_program *programs, size_t nr, struct textbuf *out);
void value_study_json(const struct value_study *s, const struct value_program *programs, size_t nr,
		      struct textbuf *out);

/* The name of its figure, then NULL. */
extern const char *const value_study_figures[];

enum sahm_status value_study_plot_write(const struct value_study *s, const struct value_program *programs, size_t nr,
					const char *folder, struct sahm_err *err);
enum sahm_status value_study_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
