/* Loads and stores that no fast path lets through: misaligned, the host's, or wrong. */
#ifndef SAHM_IPU_CORE_ACCESS_INTERNAL_H
#define SAHM_IPU_CORE_ACCESS_INTERNAL_H

#include "ipu/core/code_internal.h"
#include "ipu/core/hart.h"

/* Carries out the access of slot `s`; the hart's pc and nr_retired are up to date. True: done, and its cause is
 * HART_NONE unless the host has ended the run; else it is the fault's. */
bool access_memory(struct hart *h, const struct slot *s);

#endif
