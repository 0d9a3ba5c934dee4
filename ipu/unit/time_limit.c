#include "ipu/unit/time_limit.h"

#include <inttypes.h>

enum sahm_status ipu_check_time(const struct ipu_unit *u, const char *who, uint64_t hit_cycle, struct sahm_err *err)
{
	/* Nearly always: no ratio of clocks makes this too much. */
	static const uint64_t half = IPU_MAX_CYCLE / 2;
	if (hit_cycle < half / IPU_MAX_MHZ && ipu_unit_ipu_cycle(u) < half)
		return SAHM_OK;
	if (hit_cycle <= ipu_unit_hit_cycle(u))
		return SAHM_OK;
	uint64_t last = ipu_unit_last_cycle(u);
	if (hit_cycle <= last)
		return SAHM_OK;
	return sahm_fail(err, SAHM_RANGE,
			 "%s cannot come to cycle %" PRIu64 " of its HIT: time ends at %" PRIu64
			 ", where the %s's clock comes to %" PRIu64 " cycles",
			 who, hit_cycle, last, last == IPU_MAX_CYCLE ? "HIT" : "IPU", IPU_MAX_CYCLE);
}
