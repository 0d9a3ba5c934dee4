/* Which instructions a critical path waits for: those of its edges with the most cycles. */
#ifndef SAHM_RESULTS_CORES_PATH_TOPS_H
#define SAHM_RESULTS_CORES_PATH_TOPS_H

#include "cores/uarch/critical_path.h"
#include "sim/base/arena.h"
#include "workloads/stream/stream.h"

/* Most instructions and edges of a list. */
#define MAX_PATH_TOP 100000u

/* Causes of an instruction that are kept. */
#define NR_MAIN_CAUSES 3u

struct path_place {
	uint64_t pc;
	const char *file; /* that the program had mapped there; NULL: not known */
	uint64_t offset;  /* in it */
};

/* An instruction that is waited for: the edges that come from it. */
struct path_instruction {
	struct path_place place;
	uint64_t cycles;
	unsigned nr_causes;
	uint32_t causes[NR_MAIN_CAUSES]; /* [nr_causes]: most cycles first, of equal ones in their order */
	uint64_t of_cause[NR_MAIN_CAUSES];
};

struct path_top_edge {
	struct path_place from, to;
	uint32_t cause;
	uint64_t cycles, times;
};

/* Of a stream on a core. All zeros: none. */
struct path_tops {
	struct arena arena; /* of the lists and names */
	size_t nr_instructions, nr_edges;
	struct path_instruction *instructions; /* most cycles first, of equal ones by address */
	struct path_top_edge *edges;	       /* as in struct path_edges */
	bool is_part;			       /* there are other edges, whose cycles are not in the lists */
};

/* Takes at most `top` instructions and `top` edges, from 1 to MAX_PATH_TOP. Release it in any case. SAHM_NOMEM. */
enum sahm_status path_tops_take(struct path_tops *t, const struct path_edges *edges, size_t top, struct sahm_err *err);

/* Fills in the files that the program of `s` had mapped. SAHM_NOMEM. */
enum sahm_status path_tops_locate(struct path_tops *t, const struct stream *s, struct sahm_err *err);

void path_tops_release(struct path_tops *t);

#endif
