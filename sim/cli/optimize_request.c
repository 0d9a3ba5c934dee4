#include "sim/cli/optimize_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/options.h"
#include "sim/sweep/pool.h"

enum {
	OPT_CORES,
	OPT_LEAST,
	OPT_AREA,
	OPT_POWER,
	OPT_TYPES,
	OPT_COSTS,
	OPT_METRIC,
	OPT_MAXIMIZE,
	OPT_MINIMIZE,
	OPT_EVALUATOR,
	OPT_METHOD,
	OPT_LIMIT,
	OPT_JOBS,
	OPT_SEED,
	OPT_RESTARTS,
	OPT_STEPS,
	OPT_HOTTEST,
	OPT_COLDEST,
	OPT_COOLING,
	OPT_TOP,
	OPT_SET,
	OPT_JSON,
	OPT_CSV,
	OPT_OUTPUT
};

const struct option_row optimize_request_options[] = {
	[OPT_CORES] = {"cores", 0, "N", "budget: at most N cores"},
	[OPT_LEAST] = {"least-cores", 0, "N", "at least N cores (1)"},
	[OPT_AREA] = {"area", 0, "MM2", "budget: at most so much area, by the table of costs"},
	[OPT_POWER] = {"power", 0, "W", "budget: at most so much power, by the table of costs"},
	[OPT_TYPES] = {"types", 't', "LIST",
		       "core types to choose from, with their speedups in %: baseline,branch:30,l2+branch:30/20,berti "
		       "(without it those of the configuration's chip)"},
	[OPT_COSTS] = {"costs", 0, "FILE", "the table of costs, instead of configs/costs/cores.cfg of the data folder"},
	[OPT_METRIC] = {"metric", 'm', "NAME", "what is to be best, a metric of a whole run (speedup_mean)"},
	[OPT_MAXIMIZE] = {"maximize", 0, NULL, "the greater the metric, the better"},
	[OPT_MINIMIZE] = {"minimize", 0, NULL, "the less, the better; without either, what the metric is known for"},
	[OPT_EVALUATOR] = {"evaluator", 0, "NAME", "run (the default), or limit, from occupancies alone"},
	[OPT_METHOD] = {"method", 0, "NAME",
			"exhaustive, anneal, or auto (the default): exhaustive where that is feasible"},
	[OPT_LIMIT] = {"exhaustive-limit", 0, "N", "up to how many chips auto is exhaustive (5000)"},
	[OPT_JOBS] = {"jobs", 'j', "N", "processes of an exhaustive search (as many as there are processors)"},
	[OPT_SEED] = {"seed", 0, "N", "seed of the annealing (1)"},
	[OPT_RESTARTS] = {"restarts", 0, "N", "how often it begins anew (4)"},
	[OPT_STEPS] = {"steps", 0, "N", "its steps at each temperature (50)"},
	[OPT_HOTTEST] = {"hottest", 0, "X", "its first temperature, in spreads of the metric (0.5)"},
	[OPT_COLDEST] = {"coldest", 0, "X", "where it ends (0.005)"},
	[OPT_COOLING] = {"cooling", 0, "X", "what a temperature is divided by to get the next (1.15)"},
	[OPT_TOP] = {"top", 0, "N", "how many chips to show (5)"},
	[OPT_SET] = {"set", 's', "KEY.PATH=VALUE", "change the configuration; can be repeated"},
	[OPT_JSON] = {"json", 0, NULL, "print one JSON object"},
	[OPT_CSV] = {"csv", 0, NULL, "print CSV: a row per chip"},
	[OPT_OUTPUT] = {"output", 'o', "FILE", "write the result to FILE instead of standard output"},
	{0},
};

static enum sahm_status read_count(int option, const char *text, uint64_t least, uint64_t most, uint64_t *value,
				   struct sahm_err *err)
{
	if (number_read_u64(text, strlen(text), value) == NUMBER_OK && *value >= least && *value <= most)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s is '%.40s', must be a whole number from %llu to %llu",
			 optimize_request_options[option].name, text, (unsigned long long)least,
			 (unsigned long long)most);
}

static enum sahm_status read_count32(int option, const char *text, uint32_t most, uint32_t *value, struct sahm_err *err)
{
	uint64_t wide = 0;
	enum sahm_status status = read_count(option, text, 1, most, &wide, err);
	if (status == SAHM_OK)
		*value = (uint32_t)wide;
	return status;
}

static enum sahm_status read_amount(int option, const char *text, double *value, struct sahm_err *err)
{
	if (number_read_double(text, value) == NUMBER_OK && *value > 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_USAGE, "--%s is '%.40s', must be a number above 0",
			 optimize_request_options[option].name, text);
}

static enum sahm_status read_metric(const char *text, enum run_metric *metric, struct sahm_err *err)
{
	const char *names[NR_RUN_METRICS + 1] = {NULL};
	unsigned which = 0;
	for (int m = 0; m < NR_RUN_METRICS; m++)
		names[m] = run_metric_rows[m].name;
	enum sahm_status status = read_choice("metric", text, names, &which, err);
	*metric = (enum run_metric)which;
	return status;
}

static enum sahm_status read_search_option(int option, const char *value, struct optimize_request *r,
					   struct sahm_err *err)
{
	struct optimize_options *o = &r->options;
	switch (option) {
	case OPT_METHOD:
		return read_choice("method", value, optimize_method_names, &r->method, err);
	case OPT_LIMIT:
		return read_count(option, value, 0, MAX_OPTIMIZE_MIXES, &o->exhaustive_limit, err);
	case OPT_JOBS:
		return read_count32(option, value, MAX_POOL_WORKERS, &o->nr_workers, err);
	case OPT_SEED:
		return read_count(option, value, 0, (uint64_t)MAX_SEED, &o->anneal.seed, err);
	case OPT_RESTARTS:
		return read_count32(option, value, 1000000, &o->anneal.nr_restarts, err);
	case OPT_STEPS:
		return read_count32(option, value, 1000000, &o->anneal.nr_steps, err);
	case OPT_HOTTEST:
		return read_amount(option, value, &o->anneal.hottest, err);
	case OPT_COLDEST:
		return read_amount(option, value, &o->anneal.coldest, err);
	case OPT_COOLING:
		return read_amount(option, value, &o->anneal.cooling, err);
	default:
		return read_count32(option, value, MAX_OPTIMIZE_TOP, &o->top, err);
	}
}

static enum sahm_status read_option(int option, const char *value, struct optimize_request *r, struct sahm_err *err)
{
	switch (option) {
	case OPTION_OPERAND:
		if (r->config)
			return sahm_fail(err, SAHM_USAGE, "one configuration at a time: '%s' is too many", value);
		r->config = value;
		return SAHM_OK;
	case OPT_CORES:
		return read_count(option, value, 1, MAX_CORES, &r->cores, err);
	case OPT_LEAST:
		return read_count(option, value, 1, MAX_CORES, &r->least_cores, err);
	case OPT_AREA:
		return read_amount(option, value, &r->area_mm2, err);
	case OPT_POWER:
		return read_amount(option, value, &r->power_w, err);
	case OPT_TYPES:
		r->types = value;
		return SAHM_OK;
	case OPT_COSTS:
		r->costs = value;
		return SAHM_OK;
	case OPT_METRIC:
		return read_metric(value, &r->metric, err);
	case OPT_MAXIMIZE:
	case OPT_MINIMIZE:
		if (r->direction != 0 && r->direction != (option == OPT_MAXIMIZE ? 1 : -1))
			return sahm_fail(err, SAHM_USAGE, "--maximize and --minimize exclude each other");
		r->direction = option == OPT_MAXIMIZE ? 1 : -1;
		return SAHM_OK;
	case OPT_EVALUATOR:
		return read_choice("evaluator", value, evaluator_names, &r->evaluator, err);
	case OPT_SET:
		r->settings[r->nr_settings++] = value;
		return SAHM_OK;
	case OPT_JSON:
	case OPT_CSV:
		return choose_form(&r->form, option == OPT_JSON ? OUTPUT_JSON : OUTPUT_CSV, err);
	case OPT_OUTPUT:
		r->output = value;
		return SAHM_OK;
	default:
		return read_search_option(option, value, r, err);
	}
}

static enum sahm_status check(struct optimize_request *r, struct sahm_err *err)
{
	const struct optimize_anneal *a = &r->options.anneal;
	if (!r->config)
		return sahm_fail(err, SAHM_USAGE, "a configuration is missing: sahm optimize CONFIG --cores N");
	if (r->output && is_same_file(r->output, r->config))
		return sahm_fail(err, SAHM_USAGE, "'%s' is the configuration itself", r->output);
	if (r->output && r->costs && is_same_file(r->output, r->costs))
		return sahm_fail(err, SAHM_USAGE, "'%s' is the table of costs itself", r->output);
	if (r->cores == 0 && isinf(r->area_mm2) && isinf(r->power_w))
		return sahm_fail(err, SAHM_USAGE, "a budget is missing: --cores N, --area MM2 or --power W");
	if (r->cores != 0 && r->least_cores > r->cores)
		return sahm_fail(err, SAHM_USAGE, "--least-cores %llu is more than --cores %llu",
				 (unsigned long long)r->least_cores, (unsigned long long)r->cores);
	if (a->coldest > a->hottest)
		return sahm_fail(err, SAHM_USAGE, "--coldest %g is above --hottest %g", a->coldest, a->hottest);
	if (a->cooling < 1.001)
		return sahm_fail(err, SAHM_USAGE, "--cooling is %g, must be at least 1.001", a->cooling);
	if (r->direction == 0)
		r->direction = run_metric_direction(r->metric);
	if (r->direction == 0)
		return sahm_fail(err, SAHM_USAGE,
				 "neither more nor less of '%s' is better as such: say --maximize or --minimize",
				 run_metric_rows[r->metric].name);
	return SAHM_OK;
}

enum sahm_status optimize_request_parse(char **args, struct optimize_request *r, struct sahm_err *err)
{
	struct option_walk w;
	size_t nr = 0;
	while (args[nr])
		nr++;
	*r = (struct optimize_request){
		.area_mm2 = INFINITY,
		.power_w = INFINITY,
		.least_cores = 1,
		.settings = calloc(nr + 1, sizeof(*r->settings)),
		.options = {.exhaustive_limit = 5000, .top = 5, .anneal = OPTIMIZE_ANNEAL_DEFAULTS},
	};
	if (!r->settings)
		return sahm_fail_nomem(err);
	option_walk_init(&w, optimize_request_options, args);
	for (;;) {
		int option = option_walk_next(&w, err);
		if (option == OPTION_END)
			break;
		enum sahm_status status = option == OPTION_ERROR ? SAHM_USAGE : read_option(option, w.value, r, err);
		if (status != SAHM_OK)
			return status;
	}
	r->options.method = (enum optimize_method)r->method;
	if (r->options.nr_workers == 0)
		r->options.nr_workers = pool_nr_processors();
	return check(r, err);
}
