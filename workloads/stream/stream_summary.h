/* What a stream comes to: counted by reading all of it, which verifies it. */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_SUMMARY_H
#define SAHM_WORKLOADS_STREAM_STREAM_SUMMARY_H

#include "workloads/stream/stream.h"

/* Bytes of a line of code, of which the footprint is counted. */
#define CODE_LINE_BYTES 64u

struct stream_summary {
	uint64_t instructions;
	uint64_t by_class[NR_INSN_CLASSES];
	uint64_t taken;		/* of conditional branches */
	uint64_t loads, stores; /* accesses */
	uint64_t load_bytes, store_bytes;
	/* Different ones: instructions, stretches that end with a branch (by where they begin), lines that instructions
	 * begin in. */
	uint64_t code_instructions, code_blocks, code_lines;
};

/* Reads `s` from its beginning to its end. Fails as stream_next() does, or SAHM_NOMEM. */
enum sahm_status stream_summarize(struct stream *s, struct stream_summary *out, struct sahm_err *err);

#endif
