/* `sahm core study ipu-pics`: introspection units beside a core, over streams. */
#ifndef SAHM_SIM_CLI_CORE_STUDY_IPU_PICS_H
#define SAHM_SIM_CLI_CORE_STUDY_IPU_PICS_H

#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define DEFAULT_IPU_PICS_PERIOD 50000u

struct ipu_pics_request {
	enum output_form form;
	const char *core; /* as it was given */
	uint64_t period;  /* cycles, 1 to UINT32_MAX */
	const struct option_list *settings;
	const struct stream_sampling *sampling; /* checked */
	struct core_operands *operands;		/* resolved and checked, not recorded */
	const char *plot;
	uint32_t jobs;
	bool force;
};

/* Runs the study and prints it. SAHM_USAGE, SAHM_CONFIG, and as streams, outputs and memory fail. */
enum sahm_status core_study_ipu_pics(const struct ipu_pics_request *r, struct sahm_err *err);

#endif
