/* `sahm core study fidelity`: the timing models beside the published graph, over streams. */
#ifndef SAHM_SIM_CLI_CORE_STUDY_FIDELITY_H
#define SAHM_SIM_CLI_CORE_STUDY_FIDELITY_H

#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

struct fidelity_request {
	enum output_form form;
	const struct option_list *cores, *settings, *axes; /* as they were given */
	const struct stream_sampling *sampling;		   /* checked */
	struct core_operands *operands;			   /* resolved and checked, not recorded */
	const char *plot;
	uint32_t jobs;
	bool force;
};

/* Runs the study and prints it. SAHM_USAGE, SAHM_CONFIG, and as streams, outputs and memory fail. */
enum sahm_status core_study_fidelity(const struct fidelity_request *r, struct sahm_err *err);

#endif
