/* Questions to a store of sweeps (results/store/store.h): the best points of a sweep, the effect of each axis, Pareto
 * fronts, single points, what failed and what is missing; without SQL.
 *
 * A query is about one sweep of a store, which it sees as it was when the query began. An answer is a few tables, which
 * are written for people, as CSV or as JSON. Points are identified by their positions and sorted as the question asks,
 * ties by position: how a sweep was carried out, when, and by how many processes shows in no answer but the overview's
 * times. A store is a file from outside: all questions fail with SAHM_FORMAT where its contents are not as
 * results/store/store_schema.sql has them, SAHM_IO where it cannot be read, or SAHM_NOMEM; with SAHM_USAGE where names
 * or numbers that were asked for do not exist. Values that are not finite (a turnaround of threads that got nothing
 * done) count as none.
 */
#ifndef SAHM_RESULTS_STORE_QUERY_H
#define SAHM_RESULTS_STORE_QUERY_H

#include "results/store/query_answer.h"
#include "results/store/store.h"

#define MAX_QUERY_AXES 16u
#define MAX_QUERY_OBJECTIVES 6u

struct sqlite3;

struct query_label {
	const char *text;
	bool is_number; /* then `text` is one, finite */
};

struct query_axis {
	const char *name;
	uint64_t nr_values;
	uint64_t stride;	    /* value of a position: position / stride % nr_values */
	struct query_label *labels; /* [nr_values] */
	bool *chosen;		    /* [nr_values]; NULL: all are */
};

struct query {
	struct sqlite3 *db; /* the store's */
	const char *file;   /* name of the results file in messages; the caller's */
	const char *which;  /* the sweep's id, where it was asked for by that; the caller's */
	struct arena arena;
	bool in_transaction;
	int64_t sweep;
	const char *name, *evaluator;
	uint64_t nr_points; /* of the whole space */
	struct query_axis *axes;
	uint32_t nr_axes;
};

/* Begins to ask about the sweep `which` (its id as text; NULL: the one that was planned last) of `store`, which is
 * called `file` and must stay open; as store_find_sweep() fails. The caller releases `q`, whatever this returns. */
enum sahm_status query_begin(struct query *q, struct store *store, const char *file, const char *which,
			     struct sahm_err *err);

/* The same on a database of the store's schema and the sweep with the id `sweep`; for tests. */
enum sahm_status query_begin_db(struct query *q, struct sqlite3 *db, const char *file, int64_t sweep,
				struct sahm_err *err);

void query_release(struct query *q);

/* Leaves points out that have not got one of the values asked for on each axis that was named so: `text` is
 * "AXIS=VALUE". An axis can be called by the last part of its name where only one axis has it. */
enum sahm_status query_where(struct query *q, const char *text, struct sahm_err *err);

/* The metric of a comparison of points for which none was chosen: speedup_mean, or, where more threads than there are
 * cores had to share them in any run of the sweep, stp. SAHM_FORMAT, SAHM_IO, SAHM_NOMEM. */
enum sahm_status query_usual_metric(const struct query *q, enum run_metric *metric, struct sahm_err *err);

/* The metric called `name`. */
enum sahm_status query_metric(const char *name, enum run_metric *metric, struct sahm_err *err);

/* What the answers say, each into `a`, which the caller has made with query_answer_init() and which must not be
 * used once `q` was released.
 * To add a question: a function here, in a file query_<name>.c; a row in questions[] of sim/cli/cmd_query.c. */

/* Sweeps, axes, the best point, time spent. */
enum sahm_status query_overview(struct query *q, struct query_answer *a, struct sahm_err *err);

/* The `nr` points with the highest (direction 1) or lowest (-1) values of a metric. */
enum sahm_status query_best(struct query *q, enum run_metric metric, int direction, uint64_t nr, struct query_answer *a,
			    struct sahm_err *err);

/* The effect of each axis on a metric: means of the points with each of its values, and the share of the variance of
 * all points that these means explain (eta squared: sum over values of n x (mean - mean of all)^2, over the sum of
 * squared differences of all points from the mean of all), which is defined for whatever points there are; where these
 * are not the whole space, axes share what they explain. Also the pairs of axes: what the means of each pair of values
 * explain beyond both axes, where every pair has equally many points. Axes that explain most first. */
enum sahm_status query_axes(struct query *q, enum run_metric metric, struct query_answer *a, struct sahm_err *err);

/* Objective of a Pareto front. */
enum query_objective_kind { OBJECTIVE_METRIC, OBJECTIVE_CORES, OBJECTIVE_AREA, OBJECTIVE_POWER };

struct query_objective {
	enum query_objective_kind kind;
	enum run_metric metric; /* OBJECTIVE_METRIC */
	int direction;		/* 1: more is better; -1: less */
};

/* Prices of cores: what one core of `type` with `speedups` (as in struct record_core) takes of area (mm^2) or power
 * (W). */
struct query_prices {
	enum sahm_status (*find)(void *ctx, const char *type, const char *speedups, enum query_objective_kind which,
				 double *price, struct sahm_err *err);
	void *ctx;
};

/* Reads an objective: a metric, "cores", "area_mm2" or "power_w", with ":min" or ":max" appended where the usual
 * direction does not apply. */
enum sahm_status query_read_objective(const char *text, struct query_objective *o, struct sahm_err *err);

/* Points that no other point is better than in one objective and at least as good as in all others. Those that are
 * alike in all of them are one row, with the first position. `prices` may be NULL where nothing has a price. */
enum sahm_status query_pareto(struct query *q, const struct query_objective *objectives, uint32_t nr_objectives,
			      const struct query_prices *prices, struct query_answer *a, struct sahm_err *err);

/* All about one point. */
enum sahm_status query_point(struct query *q, uint64_t position, struct query_answer *a, struct sahm_err *err);

/* Failed points, by their messages. */
enum sahm_status query_failed(struct query *q, struct query_answer *a, struct sahm_err *err);

/* Positions that are not done, as ranges. */
enum sahm_status query_missing(struct query *q, struct query_answer *a, struct sahm_err *err);

/* Each thread over all points; `column` by its name. */
enum sahm_status query_threads(struct query *q, const char *column, struct query_answer *a, struct sahm_err *err);

/* Appends the configuration with which the sweep can be done again. */
enum sahm_status query_config(struct query *q, struct textbuf *out, struct sahm_err *err);

#endif
