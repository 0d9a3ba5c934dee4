/* Signatures: which events a dynamic instruction had, a bit each (paper TEA, sections 2 and 3). All uops of an
 * instruction share its signature; 0 is called Base. */
#ifndef SAHM_CORES_UARCH_STACK_SIGNATURE_H
#define SAHM_CORES_UARCH_STACK_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

enum stack_event {
#define STACK_EVENT(suffix, name, schemes, help) EVENT_##suffix,
#include "cores/uarch/stack_event_list.h"
#undef STACK_EVENT
	NR_STACK_EVENTS
};

/* The bits. */
enum {
#define STACK_EVENT(suffix, name, schemes, help) SIGNATURE_##suffix = 1 << EVENT_##suffix,
#include "cores/uarch/stack_event_list.h"
#undef STACK_EVENT
	NR_SIGNATURES = 1 << NR_STACK_EVENTS,
	SIGNATURE_FLUSHES = SIGNATURE_FL_MB | SIGNATURE_FL_EX | SIGNATURE_FL_MO
};

enum stack_scheme {
#define STACK_SCHEME(suffix, name, events, help) SCHEME_##suffix,
#include "cores/uarch/stack_scheme_list.h"
#undef STACK_SCHEME
	NR_STACK_SCHEMES
};

/* "DR-L1", "tea", and what they are: constant storage. */
const char *stack_event_name(enum stack_event event);
const char *stack_event_help(enum stack_event event);
const char *stack_scheme_name(enum stack_scheme scheme);
const char *stack_scheme_help(enum stack_scheme scheme);

/* The events that the scheme records: the bits of its signatures. */
unsigned stack_scheme_events(enum stack_scheme scheme);

/* "ST-TLB+ST-LLC", "Base": its events in the order of their bits, ST-L1 left out beside ST-LLC. */
#define STACK_SIGNATURE_NAME_BYTES 64u
const char *signature_name(unsigned signature, char name[STACK_SIGNATURE_NAME_BYTES]);

/* Whether it has several events; ST-L1 and ST-LLC count as one. */
bool signature_is_combined(unsigned signature);

#endif
