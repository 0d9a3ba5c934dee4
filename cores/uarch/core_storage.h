/* The storage of a core's structures: bits of all fields of all entries, not area. */
#ifndef SAHM_CORES_UARCH_CORE_STORAGE_H
#define SAHM_CORES_UARCH_CORE_STORAGE_H

#include "cores/uarch/core_geometry.h"
#include "sim/base/textbuf.h"

/* Appends a line for each structure, a comment in files of cores. Those that the core does not have are left out. */
void core_storage_write(const struct core_geometry *g, struct textbuf *out);

#endif
