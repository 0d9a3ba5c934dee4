/* `sahm core study edge`: EDGE blocks made from executed paths, over streams. */
#ifndef SAHM_SIM_CLI_CORE_STUDY_EDGE_H
#define SAHM_SIM_CLI_CORE_STUDY_EDGE_H

#include "sim/cli/core_request.h"
#include "sim/cli/output.h"

#define MAX_EDGE_DECODE_CYCLES 64u

/* NULL at the end; the first one is the default. */
extern const char *const edge_block_words[];

struct edge_request {
	enum output_form form;
	unsigned blocks; /* of edge_block_words */
	bool has_hammocks;
	uint64_t seed;
	uint32_t decode_cycles;
	const struct stream_sampling *sampling; /* checked */
	struct core_operands *operands;		/* resolved and checked, not recorded */
	const char *plot;
	uint32_t jobs;
	bool force;
};

/* Runs the study and prints it. SAHM_USAGE, and as streams, outputs and memory fail. */
enum sahm_status core_study_edge(const struct edge_request *r, struct sahm_err *err);

#endif
