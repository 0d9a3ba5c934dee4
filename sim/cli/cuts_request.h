/* The option --cuts of commands on traces: the requested thresholds, and their values. */
#ifndef SAHM_SIM_CLI_CUTS_REQUEST_H
#define SAHM_SIM_CLI_CUTS_REQUEST_H

#include "sim/cli/common_options.h"
#include "workloads/trace/trace.h"

#define CUTS_OPTION_HELP                                                                                               \
	"thresholds: a set (p25, p50, intuitive), percentiles over the epochs of these traces (percentile:50), your "  \
	"own (branch_pct=1,l1i_mpki=1,l1d_pct=2,l2_pct=10), or these beside a set, separated by commas"

/* `more` is in front of the help. */
#define CUTS_OPTION(more, member)                                                                                      \
	"cuts", 'c', "CUTS", more CUTS_OPTION_HELP, OPTION_TAKE, AT(struct cuts_request, member),                      \
		.take = cuts_request_take

struct cuts_request {
	const char *set;	     /* DEFAULT_CUTS at first */
	uint64_t percentile_ppb;     /* instead of the set, unless 0 */
	bool has_cut[NR_COMPONENTS]; /* given beside the set, */
	double cut[NR_COMPONENTS];   /* in the unit of the metric */
};

/* Takes note of one value of the option, for a struct cuts_request. SAHM_USAGE, SAHM_NOMEM. */
option_take cuts_request_take;

/* Whether the thresholds are percentiles over the traces, which must then all be open at the same time. */
bool cuts_request_needs_traces(const struct cuts_request *r);

/* Fills `cuts` with those in force and appends to `name` what made them ("p25,l2_pct=5"). traces[nr_traces] are read if
 * they are needed. Fails as percentile_cuts() does. */
enum sahm_status cuts_request_settle(const struct cuts_request *r, struct trace *const *traces, size_t nr_traces,
				     struct cuts *cuts, struct textbuf *name, struct sahm_err *err);

#endif
