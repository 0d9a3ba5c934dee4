/* Formulas of top-down analysis, written line by line from the paper (Icicle, table II) and from its released code. */
#ifndef SAHM_TESTS_REFERENCE_REFTMA_H
#define SAHM_TESTS_REFERENCE_REFTMA_H

#include "cores/uarch/tma.h"

struct reftma {
	double retiring, badspec, frontend, backend;
	double clears, branches, resteers, recovery, latency, resolution, memory, core;
};

/* BOOM; `kind` is none of the exact. Not limited to 0. */
struct reftma reftma_boom(const struct tma_counts *c, enum tma_kind kind);

/* Rocket, with one lane. */
struct reftma reftma_rocket(const struct tma_counts *c);

#endif
