/* `sahm core study value-prediction`: a core that predicts the values of more and more loads, over streams. */
#ifndef SAHM_SIM_CLI_CORE_STUDY_VP_H
#define SAHM_SIM_CLI_CORE_STUDY_VP_H

#include "cores/uarch/timing_lanes.h"
#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define DEFAULT_VP_CORE "gem5-ooo"
#define DEFAULT_VP_SEED 1u

struct vp_request {
	enum output_form form;
	const char *core; /* as it was given */
	uint64_t seed;
	double accuracy; /* above 0 */
	enum lane_form lanes;
	const struct option_list *settings;
	const struct stream_sampling *sampling; /* checked */
	struct core_operands *operands;		/* resolved and checked, not recorded */
	const char *plot;
	uint32_t jobs;
	bool force;
};

/* Runs the study and prints it. SAHM_USAGE, SAHM_CONFIG, and as streams, outputs and memory fail. */
enum sahm_status core_study_vp(const struct vp_request *r, struct sahm_err *err);

#endif
