/* sahm query */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_costs.h"
#include "results/store/query.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/option_words.h"
#include "sim/cli/output.h"

#define DEFAULT_BEST 10
#define MAX_WHERES 64u

enum {
	OPT_SWEEP,
	OPT_METRIC,
	OPT_NUMBER,
	OPT_MAXIMIZE,
	OPT_MINIMIZE,
	OPT_OBJECTIVE,
	OPT_COSTS,
	OPT_WHERE,
	OPT_JSON,
	OPT_CSV,
	OPT_OUTPUT
};

static const struct option_row options[] = {
	[OPT_SWEEP] = {"sweep", 0, "ID", "ask about the sweep with this number instead of the last one"},
	[OPT_METRIC] = {"metric", 'm', "NAME",
			"best, worst, axes, threads: what is looked at (speedup_mean; of threads "
			"speedup)"},
	[OPT_NUMBER] = {"number", 'n', "N", "best, worst: how many points (10)"},
	[OPT_MAXIMIZE] = {"maximize", 0, NULL, "best: more is better, whatever the metric"},
	[OPT_MINIMIZE] = {"minimize", 0, NULL, "best: less is better, whatever the metric"},
	[OPT_OBJECTIVE] = {"objective", 0, "NAME[:min|:max]",
			   "pareto: a metric, cores, area_mm2 or power_w; repeated for each (speedup_mean and cores)"},
	[OPT_COSTS] = {"costs", 0, "FILE", "pareto: the table of what cores take of area and power"},
	[OPT_WHERE] = {"where", 'w', "AXIS=VALUE",
		       "leave out points that have another value on this axis; can be repeated, for one axis to allow "
		       "several values"},
	[OPT_JSON] = {"json", 0, NULL, "print one JSON object"},
	[OPT_CSV] = {"csv", 0, NULL, "print CSV"},
	[OPT_OUTPUT] = {"output", 'o', "FILE", "write the result to FILE instead of standard output"},
	{0},
};

struct request {
	const char *store, *question, *point, *sweep, *metric, *costs, *output;
	uint64_t number;
	int direction; /* 0: not said */
	const char *where[MAX_WHERES];
	unsigned nr_where;
	struct query_objective objectives[MAX_QUERY_OBJECTIVES];
	uint32_t nr_objectives;
	enum output_form form;
	unsigned given; /* options, a bit each */
};

/* Questions, and the options that say something about each. */
#define BIT(option) (1u << (option))
static const struct question {
	const char *name;
	unsigned options;
	enum sahm_status (*ask)(struct query *q, const struct request *r, struct query_answer *a, struct sahm_err *err);
} questions[];

static enum sahm_status metric_of(const struct request *r, enum run_metric *metric, struct sahm_err *err)
{
	return query_metric(r->metric ? r->metric : "speedup_mean", metric, err);
}

static enum sahm_status ask_for_best(struct query *q, const struct request *r, int sign, struct query_answer *a,
				     struct sahm_err *err)
{
	enum run_metric metric;
	enum sahm_status status = metric_of(r, &metric, err);
	if (status != SAHM_OK)
		return status;
	int direction = r->direction ? r->direction : run_metric_direction(metric);
	if (direction == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "neither more nor less of '%s' is better by itself: say --maximize or --minimize",
				 r->metric);
	return query_best(q, metric, sign * direction, r->given & BIT(OPT_NUMBER) ? r->number : DEFAULT_BEST, a, err);
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
	enum sahm_status status = metric_of(r, &metric, err);
	return status == SAHM_OK ? query_axes(q, metric, a, err) : status;
}

static enum sahm_status find_price(void *ctx, const char *type, const char *speedups, enum query_objective_kind which,
				   double *price, struct sahm_err *err)
{
	return core_costs_find(ctx, type, speedups, which == OBJECTIVE_AREA ? CORE_AREA_MM2 : CORE_POWER_W, price, err);
}

static enum sahm_status ask_pareto(struct query *q, const struct request *r, struct query_answer *a,
				   struct sahm_err *err)
{
	static const struct query_objective usual[] = {{OBJECTIVE_METRIC, RUN_METRIC_speedup_mean, 1},
						       {OBJECTIVE_CORES, (enum run_metric)0, -1}};
	struct core_costs costs;
	struct query_prices prices = {find_price, &costs};
	bool own = r->nr_objectives > 0;
	bool priced = false;
	for (uint32_t i = 0; i < r->nr_objectives; i++)
		priced |= r->objectives[i].kind == OBJECTIVE_AREA || r->objectives[i].kind == OBJECTIVE_POWER;
	if (priced && !r->costs)
		return sahm_fail(err, SAHM_USAGE, "objectives of area and power need --costs FILE");
	enum sahm_status status = r->costs ? core_costs_read(&costs, r->costs, err) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	status = query_pareto(q, own ? r->objectives : usual, own ? r->nr_objectives : 2, r->costs ? &prices : NULL, a,
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
		return sahm_fail(err, SAHM_USAGE, "which point? sahm query STORE point POSITION");
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

#define ANSWERED (BIT(OPT_SWEEP) | BIT(OPT_JSON) | BIT(OPT_CSV) | BIT(OPT_OUTPUT))
#define BEST (ANSWERED | BIT(OPT_METRIC) | BIT(OPT_NUMBER) | BIT(OPT_WHERE))

static const struct question questions[] = {
	{"overview", ANSWERED, ask_overview}, /* without a question */
	{"best", BEST | BIT(OPT_MAXIMIZE) | BIT(OPT_MINIMIZE), ask_best},
	{"worst", BEST | BIT(OPT_MAXIMIZE) | BIT(OPT_MINIMIZE), ask_worst},
	{"axes", ANSWERED | BIT(OPT_METRIC) | BIT(OPT_WHERE), ask_axes},
	{"pareto", ANSWERED | BIT(OPT_OBJECTIVE) | BIT(OPT_COSTS) | BIT(OPT_WHERE), ask_pareto},
	{"point", ANSWERED, ask_point},
	{"failed", ANSWERED | BIT(OPT_WHERE), ask_failed},
	{"missing", ANSWERED, ask_missing},
	{"threads", ANSWERED | BIT(OPT_METRIC) | BIT(OPT_WHERE), ask_threads},
	{"config", BIT(OPT_SWEEP) | BIT(OPT_OUTPUT), NULL},
};
#define NR_QUESTIONS (sizeof(questions) / sizeof(questions[0]))

const char *query_question_name(unsigned i)
{
	return i < NR_QUESTIONS ? questions[i].name : NULL;
}

static enum sahm_status take_operand(struct request *r, const char *word, struct sahm_err *err)
{
	if (!r->store)
		r->store = word;
	else if (!r->question)
		r->question = word;
	else if (strcmp(r->question, "point") == 0 && !r->point)
		r->point = word;
	else
		return sahm_fail(err, SAHM_USAGE, "one question at a time: '%s' is too many", word);
	return SAHM_OK;
}

static enum sahm_status take_option(struct request *r, int option, const char *value, struct sahm_err *err)
{
	r->given |= BIT(option);
	switch (option) {
	case OPT_SWEEP:
		r->sweep = value;
		break;
	case OPT_METRIC:
		r->metric = value;
		break;
	case OPT_NUMBER:
		if (number_read_u64(value, strlen(value), &r->number) != NUMBER_OK || r->number == 0 ||
		    r->number > SIZE_MAX / 64)
			return sahm_fail(err, SAHM_USAGE, "'%s' is not a number of points", value);
		break;
	case OPT_MAXIMIZE:
	case OPT_MINIMIZE:
		r->direction = option == OPT_MAXIMIZE ? 1 : -1;
		if (r->given & BIT(OPT_MAXIMIZE) && r->given & BIT(OPT_MINIMIZE))
			return sahm_fail(err, SAHM_USAGE, "--maximize and --minimize exclude each other");
		break;
	case OPT_OBJECTIVE:
		if (r->nr_objectives == MAX_QUERY_OBJECTIVES)
			return sahm_fail(err, SAHM_USAGE, "at most %u objectives", MAX_QUERY_OBJECTIVES);
		return query_read_objective(value, &r->objectives[r->nr_objectives++], err);
	case OPT_COSTS:
		r->costs = value;
		break;
	case OPT_WHERE:
		if (r->nr_where == MAX_WHERES)
			return sahm_fail(err, SAHM_USAGE, "--where can be given at most %u times", MAX_WHERES);
		r->where[r->nr_where++] = value;
		break;
	case OPT_JSON:
		return choose_form(&r->form, OUTPUT_JSON, err);
	case OPT_CSV:
		return choose_form(&r->form, OUTPUT_CSV, err);
	case OPT_OUTPUT:
		r->output = value;
		break;
	}
	return SAHM_OK;
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
	for (int option = 0; options[option].name; option++) {
		if (!(r->given & BIT(option) & ~found->options))
			continue;
		return r->question ? sahm_fail(err, SAHM_USAGE, "--%s says nothing about '%s'", options[option].name,
					       found->name)
				   : sahm_fail(err, SAHM_USAGE, "--%s goes with a question, and none is asked",
					       options[option].name);
	}
	*question = found;
	return SAHM_OK;
}

static enum sahm_status parse(char **args, struct request *r, const struct question **question, struct sahm_err *err)
{
	struct option_walk w;
	int option;
	enum sahm_status status = SAHM_OK;
	option_walk_init(&w, options, args);
	while (status == SAHM_OK && (option = option_walk_next(&w, err)) != OPTION_END) {
		if (option == OPTION_ERROR)
			return SAHM_USAGE;
		status =
			option == OPTION_OPERAND ? take_operand(r, w.value, err) : take_option(r, option, w.value, err);
	}
	if (status == SAHM_OK && !r->store)
		status = sahm_fail(err, SAHM_USAGE, "a store is missing: sahm query STORE");
	/* An answer in the place of what was asked would be the end of it. */
	if (status == SAHM_OK && r->output && is_same_file(r->output, r->store))
		status = sahm_fail(err, SAHM_USAGE, "'%s' is the store itself", r->output);
	if (status == SAHM_OK && r->output && r->costs && is_same_file(r->output, r->costs))
		status = sahm_fail(err, SAHM_USAGE, "'%s' is the table of costs itself", r->output);
	return status == SAHM_OK ? find_question(r, question, err) : status;
}

static enum sahm_status answer(struct query *q, const struct request *r, const struct question *question,
			       struct textbuf *out, struct sahm_err *err)
{
	struct query_answer a;
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < r->nr_where && status == SAHM_OK; i++)
		status = query_where(q, r->where[i], err);
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
	enum sahm_status status = parse(args, &r, &question, err);
	if (status == SAHM_OK)
		status = store_open(&store, r.store, STORE_READ, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	status = query_begin(&q, store, r.store, r.sweep, err);
	if (status == SAHM_OK)
		status = answer(&q, &r, question, &out, err);
	query_release(&q);
	store_abandon(store);
	if (status == SAHM_OK && textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = write_output(r.output, &out, err);
	textbuf_release(&out);
	return status;
}

extern const struct command command_query;
const struct command command_query = {
	.name = "query",
	.operands = "STORE [QUESTION [POSITION]]",
	.summary = "ask a store of sweeps, without writing SQL",
	.details =
		"Answers a question about a sweep of STORE. Without one it says what the store has: sweeps, axes, the "
		"best point, time spent. A point is one choice of a value on each axis; it is known by its position.\n"
		"best, worst: the points with the best values of a metric. axes: the effect of each axis on a metric, "
		"which is the means of the points with each of its values, how far these are apart, and the share of "
		"the "
		"variance of all points that they explain (eta squared: the sum over the values of points x (mean - "
		"mean "
		"of all)^2, over the sum of the squared differences of all points from the mean of all; if points are "
		"missing, shares of several axes can overlap); then what the means of each pair of values explain "
		"beyond "
		"both axes.\n"
		"pareto: the points that no other one beats, each objective being better where it is more or less, as "
		":max or :min says or as is usual. point POSITION: all about one point, and how to run it again.\n"
		"failed: failed points by their messages. missing: positions that are not done. threads: each thread "
		"over all points. config: the configuration with which the sweep can be done again.\n"
		"Names of axes can be cut to what follows their last dot. Sweeps with synthetic traces, or traces of "
		"nominal time, say so.",
	.options = options,
	.run = run,
};
