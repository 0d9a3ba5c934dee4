/* The study of EDGE blocks of the Calipers paper (section 6) over streams: which part of the critical path are
 * instructions that only EDGE has, and what the order of a block's fields costs.
 *
 * All numbers are synthetic: blocks are made from the executed paths of RISC or CISC programs (edge_block.h), misses
 * and mispredictions are drawn (edge_graph.h). CPI is per instruction of the stream; what only EDGE has is overhead.
 * The paper's programs are those of SPEC CPU 2006 from an EDGE compiler: only directions and orders of magnitude
 * compare.
 */
#ifndef SAHM_RESULTS_STUDIES_EDGE_STUDY_H
#define SAHM_RESULTS_STUDIES_EDGE_STUDY_H

#include "cores/uarch/graph/edge_graph.h"
#include "sim/base/textbuf.h"
#include "workloads/stream/sampling.h"
#include "workloads/stream/stream.h"

#define EDGE_STUDY_SCHEMA "sahm-edge-study/1"

/* What is computed of each stream: a format, the last one with a decode cycle more. */
enum edge_variant { EDGE_FOUR, EDGE_TWO, EDGE_CONTIGUOUS_1, EDGE_CONTIGUOUS_2, NR_EDGE_VARIANTS };

struct edge_study {
	bool has_large_blocks; /* one of 128 instructions in flight instead of four of 32 */
	bool has_hammocks;
	uint64_t seed;
	uint32_t decode_cycles;
	struct stream_sampling sampling;
};

/* "contiguous_2", as in the paper: constant storage. */
const char *edge_variant_name(enum edge_variant variant);
enum edge_format edge_variant_format(enum edge_variant variant);
uint32_t edge_variant_decode_cycles(const struct edge_study *s, enum edge_variant variant);
unsigned edge_study_in_flight(const struct edge_study *s);
unsigned edge_study_block_size(const struct edge_study *s);

struct edge_program {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	enum machine machine;
	uint64_t instructions, blocks, bytes;
	uint64_t committed[NR_EDGE_KINDS];
	struct edge_result of[NR_EDGE_VARIANTS];
};

/* Runs `s`, all of it: all but stream and nr_sampled of *out. `progress` gets the number of instructions read so far.
 * SAHM_NOMEM, and as stream_next() fails. */
enum sahm_status edge_study_run(const struct edge_study *study, struct stream *s,
				void (*progress)(void *ctx, uint64_t nr_instructions), void *ctx,
				struct edge_program *out, struct sahm_err *err);

/* ---- Shares ---- */

/* Of a path's cycles: fetch (from block to block, and until fields are fetched) and decode of all kinds; each kind's
 * own latencies; waits for units; partitions; commit. They add up to all. */
enum edge_cause {
	EDGE_CAUSE_FETCH,
	EDGE_CAUSE_DECODE,
	EDGE_CAUSE_KIND, /* + enum edge_kind */
	EDGE_CAUSE_UNITS = EDGE_CAUSE_KIND + NR_EDGE_KINDS,
	EDGE_CAUSE_PARTITION,
	EDGE_CAUSE_COMMIT,
	NR_EDGE_CAUSES
};

const char *edge_cause_name(enum edge_cause cause);
uint64_t edge_cause_cycles(const struct edge_path *p, enum edge_cause cause);

/* In %. All of a kind: fetch, decode, execution and waits for units. NAN without any. */
double edge_committed_pct(const struct edge_program *p, enum edge_kind kind);
double edge_critical_pct(const struct edge_result *r, enum edge_kind kind);
double edge_cycles_pct(const struct edge_result *r, enum edge_kind kind);
double edge_cause_pct(const struct edge_result *r, enum edge_cause cause);
double edge_cpi(const struct edge_program *p, enum edge_variant variant);
/* How much more CPI it has than another one. */
double edge_more_cpi_pct(const struct edge_program *p, enum edge_variant variant, enum edge_variant than);

/* The paper's means over SPEC CPU 2006, in % (section 6). */
#define EDGE_PAPER_CRITICAL_PCT 13.5 /* READ and MOV: of critical instructions */
#define EDGE_PAPER_CYCLES_PCT 9.9    /* of critical cycles */
#define EDGE_PAPER_NULL_PCT 0.5	     /* NULL: of critical instructions */
#define EDGE_PAPER_CONTIGUOUS_PCT (-4.6)
#define EDGE_PAPER_DECODE_PCT 9.0
#define EDGE_PAPER_CONTIGUOUS_2_PCT 4.6

/* Append programs[nr], nr above 0. edge_study_text() is false when memory was short. */
bool edge_study_text(const struct edge_study *s, const struct edge_program *programs, size_t nr, bool bold,
		     struct textbuf *out);
void edge_study_csv(const struct edge_study *s, const struct edge_program *programs, size_t nr, struct textbuf *out);
void edge_study_json(const struct edge_study *s, const struct edge_program *programs, size_t nr, struct textbuf *out);

/* The names of its figures, NULL at the end: the paper's 18(a), 18(b) and 19(b). */
extern const char *const edge_study_figures[];

enum sahm_status edge_study_plot_write(const struct edge_study *s, const struct edge_program *programs, size_t nr,
				       const char *folder, struct sahm_err *err);
enum sahm_status edge_study_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
