/* Configurations of the published graph, as files of Calipers have them: a key and a value per line.
 *
 * The paper's model and its released program (Golestani et al., ICS 2022, sections 3 and 4;
 * github.com/microsoft/calipers) know an in-order and an out-of-order core. docs/critical-path.md describes the keys.
 */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_CONFIG_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#include "sim/base/err.h"

enum graph_core { GRAPH_IN_ORDER, GRAPH_OUT_OF_ORDER };

/* Where fetch cycles, memory cycles or mispredictions come from. */
enum graph_source {
	GRAPH_TRACE,	   /* TraceC, TraceB: the trace */
	GRAPH_IDEAL,	   /* IdealC: 1 cycle */
	GRAPH_STATISTICAL, /* StatisticalC, StatisticalB: drawn at random */
	GRAPH_REAL	   /* RealC: two levels of cache */
};

/* Of a cache, by whether the access is a load or a store: [GRAPH_STORES]. */
enum { GRAPH_LOADS, GRAPH_STORES, NR_GRAPH_ACCESSES };

struct graph_cache_config {
	enum graph_source source;
	uint32_t hit_permille[NR_GRAPH_ACCESSES];  /* statistical */
	uint32_t hit_cycles[NR_GRAPH_ACCESSES];	   /* statistical; real: of the first level */
	uint32_t l2_hit_cycles[NR_GRAPH_ACCESSES]; /* real */
	uint32_t miss_cycles[NR_GRAPH_ACCESSES];   /* statistical, real */
	uint32_t bytes[2], ways[2];		   /* real: of both levels */
};

struct graph_config {
	enum graph_core core;
	enum graph_source predictor; /* GRAPH_TRACE or GRAPH_STATISTICAL */
	uint32_t accuracy_permille;  /* statistical */
	struct graph_cache_config icache, dcache;
#define GRAPH_KEY(member, name, cores, minimum, maximum) uint32_t member;
#include "cores/uarch/graph/graph_key_list.h"
#undef GRAPH_KEY
};

/* Values of a real cache: ways at most, bytes of a line. */
#define GRAPH_MAX_WAYS 16u
#define GRAPH_LINE_BYTES 64u

/* Largest Issue_Bandwidth of an in-order core: edges between units then reach back less than its window. */
#define GRAPH_MAX_IN_ORDER_ISSUE 44u

/* Largest number of cycles that a configuration or a trace can give an access. */
#define GRAPH_MAX_CYCLES 1000000000u

/* Reads the configuration `file` from `stream`. Each key is given once at most, and those of its core must be; those of
 * the other core are read and not used. SAHM_FORMAT (the message names file, line and key), SAHM_IO, SAHM_NOMEM. */
enum sahm_status graph_config_read(FILE *stream, const char *file, struct graph_config *c, struct sahm_err *err);

/* Checks what graph_config_read() checks of a file. SAHM_RANGE. */
enum sahm_status graph_config_check(const struct graph_config *c, struct sahm_err *err);

struct textbuf;

/* Appends `c` as such a file. */
void graph_config_write(const struct graph_config *c, struct textbuf *out);

#endif
