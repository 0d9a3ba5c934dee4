#include "tests/reference/reftma.h"

static double rate(double part, double all)
{
	return all == 0 ? 0 : part / all;
}

struct reftma reftma_boom(const struct tma_counts *c, enum tma_kind kind)
{
	double width = (double)c->width, total = (double)c->cycles * width;
	double bm = (double)c->mispredictions, rec = (double)c->recovering;
	double flushes = (double)c->flushes + bm;
	flushes += (double)c->fences;
	double issued = kind == TMA_ISSUE ? (double)c->issued_of[0] * 4 : (double)c->issued;
	double lost = issued - (double)c->uops;
	struct reftma r;
	r.retiring = (double)(kind == TMA_PUBLISHED ? c->uops : c->instructions) / total;
	r.frontend = kind == TMA_LANE ? (double)c->bubbles_of[1] * width / total : (double)c->bubbles / total;
	double slots = lost * rate(bm + (double)c->fences, flushes);
	if (kind == TMA_PUBLISHED)
		slots = slots + (rec + 4 * bm) * width;
	else if (kind == TMA_AS_RUN)
		slots = slots + rec / total;
	else if (kind == TMA_RECOVERY)
		slots = slots + bm * 5;
	else
		slots = slots + (rec * width + bm * 2 * width);
	r.badspec = slots / total;
	if (kind == TMA_PUBLISHED)
		r.backend = ((1 - r.frontend) - r.badspec) - r.retiring;
	else
		r.backend = ((1 - r.retiring) - r.frontend) - r.badspec;
	r.clears = (lost * rate((double)c->flushes, flushes)) / total;
	r.branches = ((lost * rate(bm, flushes)) + rec) / total;
	r.resteers = (lost * rate(bm, flushes)) / total;
	r.recovery = rec / total;
	r.latency = ((double)c->iblocked * width) / total;
	r.resolution = r.frontend - r.latency;
	r.memory = (double)c->dblocked / total;
	r.core = r.backend - r.memory;
	return r;
}

struct reftma reftma_rocket(const struct tma_counts *c)
{
	double cycles = (double)c->cycles, bm = (double)c->mispredictions, flush = (double)c->flushes;
	double flushes = flush + bm, rec = (double)c->recovering;
	double lost = (double)c->issued - (double)c->instructions;
	struct reftma r = {0};
	r.retiring = (double)c->instructions / cycles;
	r.badspec = (lost * rate(bm + flush, flushes) + rec) / cycles;
	r.clears = lost * rate(flush, flushes) / cycles;
	r.branches = (lost * rate(bm, flushes) + rec) / cycles;
	r.frontend = (double)c->bubbles / cycles;
	r.latency = (double)c->iblocked / cycles;
	r.memory = (double)c->dblocked / cycles;
	r.backend = ((1 - r.retiring) - r.frontend) - r.badspec;
	r.resolution = r.frontend - r.latency;
	r.core = r.backend - r.memory;
	return r;
}
