/* A module of soft logic for tests, in this process: idle cycles, sets and their values all leave traces in what it
 * shows and sends. */
#ifndef SAHM_TESTS_HELPER_COUNTING_MODULE_H
#define SAHM_TESTS_HELPER_COUNTING_MODULE_H

#include "ipu/soft/module.h"

/* Inputs `a` (64 bits), `b` (32) and `c` (1). Registers: 0x0 (read, write) a word that is added to its sums, 0x4 (read)
 * a hash of all that it has seen, 0x8 (read) idle cycles, up to 5,000. Every seventh set, and each time that 50 idle
 * cycles have passed, it sends a packet of 1 to 12 bytes. */
extern const struct soft_module counting_module;

#endif
