/* The end of time, for those who let it pass by what others say: files, commands, hosts. */
#ifndef SAHM_IPU_UNIT_TIME_LIMIT_H
#define SAHM_IPU_UNIT_TIME_LIMIT_H

#include "ipu/unit/unit.h"
#include "sim/base/err.h"

/* Whether the unit, `who` in messages ("unit 3", "the IPU"), can come to this cycle of its HIT (ipu_unit_last_cycle());
 * the present one it always can. SAHM_RANGE. */
enum sahm_status ipu_check_time(const struct ipu_unit *u, const char *who, uint64_t hit_cycle, struct sahm_err *err);

#endif
