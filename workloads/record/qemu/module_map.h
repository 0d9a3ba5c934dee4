/* Which files the program has mapped where, for its stream. */
#ifndef SAHM_WORKLOADS_RECORD_QEMU_MODULE_MAP_H
#define SAHM_WORKLOADS_RECORD_QEMU_MODULE_MAP_H

#include "workloads/stream/stream.h"

/* Notes what QEMU itself has mapped. Called before the program is loaded. */
void module_map_begin(void);

/* Adds to the stream all that has been mapped since and still is. The program's address 0 lies at `base`. */
void module_map_write(struct stream_writer *w, uint64_t base);

#endif
