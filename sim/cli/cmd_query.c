/* sahm query */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_costs.h"
#include "results/store/query.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/option_words.h"
#include "sim/cli/output.h"
#include "sim/cli/overwriting.h"

#define DEFAULT_BEST 10
/* What says something about some of the questions only. */
enum about { METRIC, NUMBER, DIRECTION, OBJECTIVE, COSTS, WHERE, FORM, NR_ABOUT };

struct request {
	const char *store, *question, *point, *sweep, *metric, *costs, *output;
	uint64_t number;
	int direction; /* 0: not said */
	struct option_list where;
	struct query_objective objectives[MAX_QUERY_OBJECTIVES];
	uint32_t nr_objectives;
	enum output_form form;
	bool force;
	const char *given[NR_ABOUT]; /* options, by their names; NULL: not given */
};

static enum sahm_status take_number(void *to, struct option_walk *w, struct sahm_err *err)
{
	uint64_t *number = to;
	if (number_read_u64(w->value, strlen(w->value), number) != NUMBER_OK || *number == 0 || *number > SIZE_MAX / 64)
		return sahm_fail(err, SAHM_USAGE, "'%s' is not a number of points", w->value);
	return SAHM_OK;
}

static enum sahm_status take_objective(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (r->nr_objectives == MAX_QUERY_OBJECTIVES)
		return sahm_fail(err, SAHM_USAGE, "at most %u objectives", MAX_QUERY_OBJECTIVES);
	return query_read_objective(w->value, &r->objectives[r->nr_objectives++], err);
}

static enum sahm_status take_operand(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (!r->store)
		r->store = w->value;
	else if (!r->question)
		r->question = w->value;
	else if (strcmp(r->question, "point") == 0 && !r->point)
		r->point = w->value;
	else
		return sahm_fail(err, SAHM_USAGE, "one question at a time: '%s' is too many", w->value);
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"sweep", 0, "ID", "ask about the sweep with this number (the last one)", OPTION_STRING,
	 AT(const char *, sweep)},
	{"metric", 'm', "NAME",
	 "best, worst, axes, threads: the metric (speedup_mean, or stp if there are more threads than "
	 "cores; of threads speedup)",
	 OPTION_STRING, AT(const char *, metric), NOTE(given[METRIC])},
	{"number", 'n', "N", "best, worst: number of points (10)", OPTION_TAKE, AT(uint64_t, number),
	 .take = take_number, NOTE(given[NUMBER])},
	{"maximize", 0, NULL, "best: higher values are better, for any metric", OPTION_ONE_OF, AT(int, direction),
	 .value_is = 1, NOTE(given[DIRECTION])},
	{"minimize", 0, NULL, "best: lower values are better, for any metric", OPTION_ONE_OF, AT(int, direction),
	 .value_is = -1, NOTE(given[DIRECTION])},
	{"objective", 0, "NAME[:min|:max]",
	 "pareto: a metric, cores, area_mm2 or power_w; repeat it for each objective (the usual "
	 "metric and cores)",
	 OPTION_TAKE, .take = take_objective, NOTE(given[OBJECTIVE])},
	{"costs", 0, "FILE", "pareto: the table of the cores' area and power", OPTION_STRING, AT(const char *, costs),
	 NOTE(given[COSTS])},
	{WHERE_OPTION, NOTE(given[WHERE])},
	{JSON_OPTION("print one JSON object"), NOTE(given[FORM])},
	{CSV_OPTION("print CSV"), NOTE(given[FORM])},
	{OUTPUT_OPTION},
	{FORCE_OPTION},
	{TAKE_OPERANDS(take_operand)},
};

/* Questions, and the options that say something about each. */
#define BIT(about) (1u << (about))
struct question {
	const char *name;
	unsigned about;
	enum sahm_status (*ask)(struct query *q, const struct request *r, struct query_answer *a, struct sahm_err *err);
};

static enum sahm_status metric_of(const struct query *q, const struct request *r, enum run_metric *metric,
				  struct sahm_err *err)
{
	return r->metric ? query_metric(r->metric, metric, err) : query_usual_metric(q, metric, err);
}

static enum sahm_status ask_for_best(struct query *q, const struct request *r, int sign, struct query_answer *a,
				     struct sahm_err *err)
{
	enum run_metric metric;
	enum sahm_status status = metric_of(q, r, &metric, err);
	if (status != SAHM_OK)
		return status;
	int direction = r->direction ? r->direction : run_metric_direction(metric);
	if (direction == 0)
		return sahm_fail(err, SAHM_USAGE, "'%s' has no usual direction: add --maximize or --minimize",
				 r->metric);
	return query_best(q, metric, sign * direction, r->given[NUMBER] ? r->number : DEFAULT_BEST, a, err);
}

static enum sahm_status ask_overview(struct query *q, const struct request *r, struct query_answer *a,
				     struct sahm_err *err)
{
	(void)r;
	return query_overview(q, a, err);
}

static enum sahm_status ask_best(struct query *q, const struct request *r, struct query_answer *a, struct sahm_err *err)
{
	return ask_for_best(q, r, 1, a, err);
}

static enum sahm_status ask_worst(struct query *q, const struct request *r, struct query_answer *a,
				  struct sahm_err *err)
{
	return ask_for_best(q, r, -1, a, err);
}

static enum sahm_status ask_axes(struct query *q, const struct request *r, struct query_answer *a, struct sahm_err *err)
{
	enum run_metric metric;
	enum sahm_status status = metric_of(q, r, &metric, err);
	return status == SAHM_OK ? query_axes(q, metric, a, err) : status;
}

static enum sahm_status find_price(void *ctx, const char *type, const char *speedups, enum query_objective_kind which,
				   double *price, struct sahm_err *err)
{
	return core_costs_find(ctx, type, speedups, 0, which == OBJECTIVE_AREA ? CORE_AREA_MM2 : CORE_POWER_W, price,
			       err);
}

static enum sahm_status ask_pareto(struct query *q, const struct request *r, struct query_answer *a,
				   struct sahm_err *err)
{
	struct query_objective usual[] = {{OBJECTIVE_METRIC, RUN_METRIC_speedup_mean, 1},
					  {OBJECTIVE_CORES, (enum run_metric)0, -1}};
	struct core_costs costs;
	struct query_prices prices = {find_price, &costs};
	struct query_objective objectives[MAX_QUERY_OBJECTIVES];
	bool own = r->nr_objectives > 0;
	bool priced = false;
	for (uint32_t i = 0; i < r->nr_objectives; i++) {
		objectives[i] = r->objectives[i];
		/* Without a table power is that of the run. */
		if (objectives[i].kind == OBJECTIVE_POWER && !r->costs)
			objectives[i] =
				(struct query_objective){OBJECTIVE_METRIC, RUN_METRIC_power_w, objectives[i].direction};
		priced |= objectives[i].kind == OBJECTIVE_AREA;
	}
	if (priced && !r->costs)
		return sahm_fail(err, SAHM_USAGE, "an objective of area needs --costs FILE");
	enum sahm_status status = query_usual_metric(q, &usual[0].metric, err);
	if (status == SAHM_OK && r->costs)
		status = core_costs_read(&costs, r->costs, err);
	if (status != SAHM_OK)
		return status;
	status = query_pareto(q, own ? objectives : usual, own ? r->nr_objectives : 2, r->costs ? &prices : NULL, a,
			      err);
	if (r->costs)
		core_costs_release(&costs);
	return status;
}

static enum sahm_status ask_point(struct query *q, const struct request *r, struct query_answer *a,
				  struct sahm_err *err)
{
	uint64_t position;
	if (!r->point)
		return sahm_fail(err, SAHM_USAGE, "which point? sahm query RESULTS point POSITION");
	if (number_read_u64(r->point, strlen(r->point), &position) != NUMBER_OK)
		return sahm_fail(err, SAHM_USAGE, "'%s' is not a position", r->point);
	return query_point(q, position, a, err);
}

static enum sahm_status ask_failed(struct query *q, const struct request *r, struct query_answer *a,
				   struct sahm_err *err)
{
	(void)r;
	return query_failed(q, a, err);
}

static enum sahm_status ask_missing(struct query *q, const struct request *r, struct query_answer *a,
				    struct sahm_err *err)
{
	(void)r;
	return query_missing(q, a, err);
}

static enum sahm_status ask_threads(struct query *q, const struct request *r, struct query_answer *a,
				    struct sahm_err *err)
{
	return query_threads(q, r->metric ? r->metric : "speedup", a, err);
}

#define BEST (BIT(FORM) | BIT(METRIC) | BIT(NUMBER) | BIT(DIRECTION) | BIT(WHERE))

static const struct question questions[] = {
	{"overview", BIT(FORM), ask_overview}, /* without a question */
	{"best", BEST, ask_best},
	{"worst", BEST, ask_worst},
	{"axes", BIT(FORM) | BIT(METRIC) | BIT(WHERE), ask_axes},
	{"pareto", BIT(FORM) | BIT(OBJECTIVE) | BIT(COSTS) | BIT(WHERE), ask_pareto},
	{"point", BIT(FORM), ask_point},
	{"failed", BIT(FORM) | BIT(WHERE), ask_failed},
	{"missing", BIT(FORM), ask_missing},
	{"threads", BIT(FORM) | BIT(METRIC) | BIT(WHERE), ask_threads},
	{"config", 0, NULL},
};
#define NR_QUESTIONS ARRAY_SIZE(questions)

const char *query_question_name(unsigned i)
{
	return i < NR_QUESTIONS ? questions[i].name : NULL;
}

static enum sahm_status find_question(const struct request *r, const struct question **question, struct sahm_err *err)
{
	struct suggest near;
	char suggestion[SUGGEST_BYTES];
	const struct question *found = r->question ? NULL : &questions[0];
	suggest_init(&near, r->question ? r->question : "");
	for (size_t i = 0; i < NR_QUESTIONS && r->question; i++) {
		if (strcmp(questions[i].name, r->question) == 0)
			found = &questions[i];
		suggest_offer(&near, questions[i].name);
	}
	if (!found)
		return sahm_fail(err, SAHM_USAGE, "unknown question '%s'%s", r->question,
				 suggest_or(&near, "sahm query --help explains them", suggestion));
	for (unsigned about = 0; about < NR_ABOUT; about++) {
		if (!r->given[about] || found->about & BIT(about))
			continue;
		return r->question
			       ? sahm_fail(err, SAHM_USAGE, "--%s does not apply to '%s'", r->given[about], found->name)
			       : sahm_fail(err, SAHM_USAGE, "--%s goes with a question, and none is asked",
					   r->given[about]);
	}
	*question = found;
	return SAHM_OK;
}

static enum sahm_status check(const struct request *r, const struct question **question, struct sahm_err *err)
{
	if (!r->store)
		return sahm_fail(err, SAHM_USAGE, "a results database is missing: sahm query RESULTS");
	/* An answer in the place of what was asked would be the end of it. */
	if (refuse_overwriting(r->output, r->store, err) != SAHM_OK ||
	    refuse_overwriting(r->output, r->costs, err) != SAHM_OK)
		return err->status;
	return find_question(r, question, err);
}

static enum sahm_status answer(struct query *q, const struct request *r, const struct question *question,
			       struct textbuf *out, struct sahm_err *err)
{
	struct query_answer a;
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < r->where.nr && status == SAHM_OK; i++)
		status = query_where(q, r->where.items[i], err);
	if (status != SAHM_OK || !question->ask)
		return status == SAHM_OK ? query_config(q, out, err) : status;
	query_answer_init(&a);
	status = question->ask(q, r, &a, err);
	bool ok = status != SAHM_OK	   ? false
		  : r->form == OUTPUT_JSON ? query_answer_json(&a, out)
		  : r->form == OUTPUT_CSV  ? query_answer_csv(&a, out)
					   : query_answer_text(&a, bold_output(r->output), out);
	query_answer_release(&a);
	return status == SAHM_OK && !ok ? sahm_fail_nomem(err) : status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	const struct question *question = NULL;
	struct store *store;
	struct query q;
	struct textbuf out;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, &question, err);
	if (status == SAHM_OK)
		status = store_open(&store, r.store, STORE_READ, err);
	if (status != SAHM_OK) {
		free(r.where.items);
		return status;
	}
	textbuf_init(&out);
	status = query_begin(&q, store, r.store, r.sweep, err);
	if (status == SAHM_OK)
		status = answer(&q, &r, question, &out, err);
	query_release(&q);
	store_abandon(store);
	if (status == SAHM_OK && textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r.output, r.force, r.form, &out, err);
	textbuf_release(&out);
	free(r.where.items);
	return status;
}

extern const struct command command_query;
const struct command command_query = {
	.name = "query",
	.operands = "RESULTS [QUESTION [POSITION]]",
	.summary = "ask a results database about a sweep, without SQL",
	.details = "Answers a question about a sweep in RESULTS. Without a question, it prints an overview: "
		   "sweeps, axes, the best point, time spent. A point is one combination of values, one per "
		   "axis; its position identifies it.\n"
		   "best, worst: the points with the best or worst values of a metric. axes: the effect of each "
		   "axis on a metric: the mean for each of its values, their range, and the share of the "
		   "variance of all points that the axis explains (eta squared: the sum over the axis' values "
		   "of points x (mean - overall mean)^2, divided by the sum over all points of their squared "
		   "difference from the overall mean; if points are missing, the shares of several axes can "
		   "overlap); then what each pair of axes explains beyond both.\n"
		   "pareto: the points that no other point beats in all objectives. Append :max or :min to an "
		   "objective to say which direction is better. point POSITION: everything about one point, and "
		   "how to run it again.\n"
		   "failed: failed points by message. missing: positions that are not done. threads: each "
		   "thread over all points. config: a configuration that repeats the sweep.\n"
		   "The last part of an axis' name is enough. Sweeps with synthetic traces, or with an assumed "
		   "time base, are marked.",
	.options = options,
	.run = run,
};
