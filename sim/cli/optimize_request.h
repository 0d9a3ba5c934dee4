/* What `sahm optimize` was asked for. */
#ifndef SAHM_CLI_OPTIMIZE_REQUEST_H
#define SAHM_CLI_OPTIMIZE_REQUEST_H

#include "sim/base/options.h"
#include "sim/cli/output.h"
#include "sim/sweep/optimize.h"

struct optimize_request {
	const char *config, *output, *types, *costs; /* NULL: none given */
	const char **settings;			     /* [nr_settings + 1] */
	size_t nr_settings;
	double area_mm2, power_w;    /* INFINITY: no such budget */
	uint64_t cores, least_cores; /* cores 0: no such budget */
	enum run_metric metric;
	int direction; /* 1: --maximize, -1: --minimize, 0: by the metric */
	unsigned evaluator, method;
	struct optimize_options options;
	enum output_form form;
};

extern const struct option_row optimize_request_options[];

/* Reads the arguments into `r`; the caller frees r->settings either way. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status optimize_request_parse(char **args, struct optimize_request *r, struct sahm_err *err);

#endif
