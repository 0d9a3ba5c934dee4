/* Which instructions of a stream count. */
#ifndef SAHM_WORKLOADS_STREAM_SAMPLING_H
#define SAHM_WORKLOADS_STREAM_SAMPLING_H

#include <stdint.h>

/* All zeros: all of them. */
struct stream_sampling {
	uint64_t skip;	/* instructions at the beginning that are only read */
	uint64_t every; /* then, of this many instructions each, the last `take` are taken; 0: all */
	uint64_t take;	/* 1 to `every` */
	uint64_t warm;	/* instructions before these that only warm caches, TLBs and predictors; at most every - take */
};

enum sampling_phase { PHASE_SKIP, PHASE_WARM, PHASE_TAKE };

/* What happens to instruction number `at`, and to *left instructions from it on. */
static inline enum sampling_phase sampling_phase_at(const struct stream_sampling *p, uint64_t at, uint64_t *left)
{
	*left = UINT64_MAX;
	if (at < p->skip) {
		*left = p->skip - at;
		return PHASE_SKIP;
	}
	if (p->every == 0)
		return PHASE_TAKE;
	uint64_t in_period = (at - p->skip) % p->every, warm_from = p->every - p->take - p->warm;
	if (in_period < warm_from) {
		*left = warm_from - in_period;
		return PHASE_SKIP;
	}
	if (in_period < p->every - p->take) {
		*left = p->every - p->take - in_period;
		return PHASE_WARM;
	}
	*left = p->every - in_period;
	return PHASE_TAKE;
}

#endif
