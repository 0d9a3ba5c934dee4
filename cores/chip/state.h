/* Behavioural states: which of the four components an epoch stresses.
 *
 * A state is a set of components as a number from 0 to NR_STATES - 1, one bit each (component_list.h); STATE_LOW
 * stresses none. Names join the stressed components from the far end of the hierarchy inward, as the figures of the
 * dissertation (chapter 4) print them: `L2+L1D+Branch`, `L1D`, `Low`.
 */
#ifndef SAHM_CORES_CHIP_STATE_H
#define SAHM_CORES_CHIP_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct textbuf;

enum component {
#define COMPONENT(suffix, bit, key, name) COMPONENT_##suffix = bit,
#include "cores/chip/component_list.h"
#undef COMPONENT
	NR_COMPONENTS
};

#define NR_STATES (1u << NR_COMPONENTS)
#define STATE_LOW 0u
/* "Not observed yet", for places that hold a state or none. */
#define STATE_NONE 0xffu
/* Longest state name, with its closing NUL. */
#define STATE_NAME_BYTES 24

/* Name of state `state` (0 to NR_STATES - 1); constant storage. */
const char *state_name(unsigned state);

/* Finds the state whose name is the `len` bytes at `text`: Low, or components joined by '+' in any order, letter case
 * ignored and none twice. False when there is none. */
bool state_find(const char *text, unsigned long len, unsigned *state);

/* Appends the names of several states, a bit each. */
void states_write(uint16_t states, const char *separator, struct textbuf *out);

/* Key of component `c` in configurations ("branch"); constant storage. */
const char *component_key(enum component c);

/* Name of component `c` as it stands in state names ("Branch"); constant storage. */
const char *component_name(enum component c);

/* Finds the component whose key or name is the `len` bytes at `text`, letter case ignored. False when there is none. */
bool component_find(const char *text, unsigned long len, enum component *c);

#endif
