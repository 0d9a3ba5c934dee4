/* `sahm core study ab`: the A/B test of an L1I prefetcher in an IPU_pro beside a core, over streams. */
#ifndef SAHM_SIM_CLI_CORE_STUDY_AB_H
#define SAHM_SIM_CLI_CORE_STUDY_AB_H

#include "ipu/unit/unit.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define DEFAULT_AB_CORE "golden-cove"
#define DEFAULT_AB_PREFETCHER "entangling"
#define DEFAULT_AB_AGAINST "next-line"
#define DEFAULT_AB_ENTRIES 2048u
/* Of the dissertation's third way with clocks that do not match (section 2.2): the core runs at the soft logic's. */
#define DEFAULT_AB_HIT_MHZ 1300u
#define DEFAULT_AB_WINDOW 64u
#define DEFAULT_AB_PERIOD (UINT64_C(1) << 20)

struct ab_request {
	enum output_form form;
	const char *core;		  /* as it was given */
	const char *prefetcher, *against; /* "entangling", "next-line", the former also a module's file; the latter
					     also "none" */
	uint64_t entries, period;
	struct ipu_unit_config unit; /* clocks and mode */
	uint32_t soft_mhz;
	bool in_process; /* a module's file runs in this process, without a sandbox */
	const struct option_list *settings;
	const struct stream_sampling *sampling; /* checked */
	struct core_operands *operands;		/* resolved and checked, not recorded */
	const char *plot;
	uint32_t jobs;
	bool force;
};

/* Runs the study and prints it. SAHM_USAGE, SAHM_CONFIG, and as streams, modules, outputs and memory fail. */
enum sahm_status core_study_ab(const struct ab_request *r, struct sahm_err *err);

#endif
