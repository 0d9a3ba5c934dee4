/* `sahm core study tea`: samplers of cycle stacks, over streams. */
#ifndef SAHM_SIM_CLI_CORE_STUDY_TEA_H
#define SAHM_SIM_CLI_CORE_STUDY_TEA_H

#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define DEFAULT_TEA_CORE "tea"
#define DEFAULT_TEA_PERIODS "50,150,500,5000,50000,500000"
#define DEFAULT_TEA_SEED 1u

struct tea_request {
	enum output_form form;
	const char *core, *periods; /* as they were given */
	uint64_t seed;
	const struct option_list *settings;
	const struct stream_sampling *sampling; /* checked */
	struct core_operands *operands;		/* resolved and checked, not recorded */
	const char *plot;
	uint32_t jobs;
	bool force;
};

/* Runs the study and prints it. SAHM_USAGE, SAHM_CONFIG, and as streams, outputs and memory fail. */
enum sahm_status core_study_tea(const struct tea_request *r, struct sahm_err *err);

#endif
