/* Which signals an instruction raises when it retires. */
#ifndef SAHM_CORES_UARCH_SIGNAL_CLASSES_INTERNAL_H
#define SAHM_CORES_UARCH_SIGNAL_CLASSES_INTERNAL_H

#include "cores/uarch/core_signals.h"

/* Of the instruction uops[nr]: SIGNAL_INSTRUCTION and those of its class, a bit each. Its class is that of its branch,
 * or else of its first uop that does more than an access. `has_no_multiply_add` as in struct signal_options. */
uint64_t signals_of_instruction(const struct uop *uops, unsigned nr, bool has_no_multiply_add);

#endif
