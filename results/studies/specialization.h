/* What specialised cores gain, by behavioural state: a pure function of an epoch table.
 *
 * An epoch's state comes from the baseline's own counters, or from those of the same epoch in a trace, by each named
 * set of thresholds (cores/chip/cuts.h). Over a set of epochs, the speedup of a core is that of the total time: sum of
 * w / sum of w c / b - 1, where b and c are the epoch's cycles on the baseline and on the core and w is its baseline
 * time: 1 with assumed time, in which each epoch lasts as long (100 ms) on the baseline, and b with measured time.
 * `sahm run` takes baseline time / (1 + speedup) for an epoch, so that a state's speedup reproduces the total time of
 * its epochs. (It is the harmonic mean of the epochs' speedups, weighted by w.) The last epoch of a program that has
 * fewer than 99 % of the instructions of its shortest other one is left out, as `sahm core epochs` does.
 *
 * Intervals are of 95 %, by bootstrap over the programs that have such epochs (stats_bootstrap_ratio()).
 *
 * A state is *scarce* with too few epochs or programs. In tables for `sahm run` it then has the speedup over all epochs
 * of the states that are not scarce and in which one of the components is HIGH that is HIGH in it and that the core is
 * specialised for (any component for a core that differs from the baseline in none); 0 if there is no such state.
 */
#ifndef SAHM_RESULTS_STUDIES_SPECIALIZATION_H
#define SAHM_RESULTS_STUDIES_SPECIALIZATION_H

#include "cores/chip/cuts.h"
#include "results/studies/epoch_table.h"

#define SPECIALIZE_SCHEMA "sahm-specialize/1"

#define SPECIALIZE_MIN_EPOCHS 20u
#define SPECIALIZE_MIN_PROGRAMS 3u
#define SPECIALIZE_RESAMPLES 2000u

enum specialize_time { SPECIALIZE_ASSUMED, SPECIALIZE_MEASURED };

struct specialize_options {
	unsigned set; /* the set of thresholds that is shown first: cut_set_names[set] */
	enum specialize_time time;
	uint32_t min_epochs, min_programs, nr_resamples;
	uint64_t seed;
};

/* Of fewer programs, an interval would be far too narrow: there is none. */
#define SPECIALIZE_INTERVAL_PROGRAMS 5u

/* Speedup over some epochs, in %; NAN where there are none. Bounds are NAN with fewer than
 * SPECIALIZE_INTERVAL_PROGRAMS.
 */
struct special_gain {
	double pct, low_pct, high_pct;
	uint64_t nr_epochs;
	uint32_t nr_programs;
};

struct special_state {
	struct special_gain own; /* of its own epochs */
	double table_pct;	 /* for tables: its own, or if it is scarce that of the lenders */
	bool is_scarce;
	uint16_t lenders; /* if it is scarce: states that it takes the speedup of, a bit each */
};

/* A core in a set of thresholds. */
struct special_core {
	struct special_state states[NR_STATES];
	struct special_gain high[NR_COMPONENTS]; /* over the epochs in which this component is HIGH */
	struct special_gain target;		 /* in which one of its own is */
	struct special_gain all;
};

/* Which core an epoch runs on, without costs of migration; the baseline is always among them. */
enum special_choice {
	CHOICE_ONE,    /* the one that is best over all epochs */
	CHOICE_STATE,  /* the best by the table of its state */
	CHOICE_OTHERS, /* the same, the table being made of the other programs only */
	CHOICE_EPOCH,  /* the best by the epoch's own cycles: no choice gains more */
	NR_SPECIAL_CHOICES
};

/* Sums over the epochs of a state in a program on a core: baseline time, time, and how many. */
struct special_sum {
	double baseline, time;
	uint64_t nr;
};

struct special_set {
	const char *name;
	struct cuts cuts;
	uint8_t *states;	    /* [table->nr_rows]: of each epoch */
	size_t nr_other_states;	    /* epochs whose trace has another state than the baseline's counters */
	struct special_sum *sums;   /* [nr_programs][nr_cores][NR_STATES] */
	struct special_core *cores; /* [nr_cores]; the first one, the baseline's, has no gains */
	unsigned best[NR_STATES];   /* the core with the highest speedup in the tables; 0 if none is above 0 */
	unsigned one;		    /* that of CHOICE_ONE */
	double *choices;	    /* [nr_programs + 1][NR_SPECIAL_CHOICES]: speedups in %, last over all programs */
};

struct specialization {
	const struct epoch_table *table;
	struct specialize_options options;
	bool *left_out; /* [table->nr_rows] */
	uint64_t nr_left_out;
	struct special_set sets[NR_CUT_SETS];
};

/* Computes everything; `t` is finished, and outlives it. Release it in any case. SAHM_NOMEM. */
enum sahm_status specialization_make(const struct epoch_table *t, const struct specialize_options *options,
				     struct specialization *s, struct sahm_err *err);
void specialization_release(struct specialization *s);

/* The speedup of a core over a program's epochs in a set of states, without an interval. */
struct special_gain specialization_program(const struct specialization *s, unsigned set, size_t program, unsigned core,
					   uint16_t states);

/* States in which one of `components` is HIGH, a bit each. */
uint16_t special_states_with(unsigned components);

/* Bytes that a core has more than the baseline. */
int64_t special_extra_bytes(const struct specialization *s, unsigned core);

/* Name of a choice in data ("state"), and what it is in words. */
const char *special_choice_key(enum special_choice choice);
const char *special_choice_words(enum special_choice choice);

/* ---- Output ---- */

/* Appends a report. False when memory was short. */
bool specialization_text(const struct specialization *s, bool bold, struct textbuf *out);
void specialization_json(const struct specialization *s, unsigned unused, struct textbuf *out);

/* Files of the study in a folder: CSV, JSON, and core types for `sahm run`. To add one: a row in specialization_data.c.
 */
struct special_file {
	const char *name; /* without folder */
	void (*write)(const struct specialization *s, unsigned set, struct textbuf *out);
	unsigned set; /* for `write`, if the file is of one set of thresholds */
};

/* The last row has no name. */
extern const struct special_file special_files[];

/* Appends the rows of states as CSV, a heading first. */
void specialization_csv_states(const struct specialization *s, unsigned unused, struct textbuf *out);

/* The names of its figures (results/chart/plot.h), NULL at the end. */
extern const char *const special_figures[];

enum sahm_status specialization_plot_write(const struct specialization *s, const char *folder, struct sahm_err *err);
enum sahm_status specialization_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
