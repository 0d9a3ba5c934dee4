/* Events of cores: what a counter register can count.
 *
 * A family (Rocket, BOOM, U74) has sets of events. A selector, the value of an mhpmevent register, has the number of a
 * set in bits 0 to 7 and a mask of that set's events in bits 8 to 63. Any core can be seen through any family: an event
 * says which signals it is high with, and some of these the core may lack. Sets 0 to 2 of Rocket and BOOM are those of
 * rocket-chip and BOOM v3, the others Icicle's (paper 000, table I, numbered as in its released code); the U74's are
 * those of paper 003, table I, with the names of libpfm4.
 */
#ifndef SAHM_CORES_UARCH_CORE_EVENT_H
#define SAHM_CORES_UARCH_CORE_EVENT_H

#include "cores/uarch/core_signals.h"
#include "sim/base/err.h"

enum event_family {
#define EVENT_FAMILY(suffix, name, counters, help) FAMILY_##suffix,
#include "cores/uarch/event_family_list.h"
#undef EVENT_FAMILY
	NR_EVENT_FAMILIES
};

/* What an event counts in a cycle. */
enum event_sources {
	EVENT_ONE,	    /* 1 if any lane of its signals is high */
	EVENT_LANES,	    /* the lanes that are */
	EVENT_INSTRUCTIONS, /* the instructions of its class that retire */
};

#define EVENT_FIRST_BIT 8u
#define MAX_SET_PLACES (64u - EVENT_FIRST_BIT)

struct core_event {
	uint8_t family; /* enum event_family */
	uint8_t set, bit;
	uint8_t sources;  /* enum event_sources */
	const char *name; /* "FP_LOAD_RETIRED" */
	uint64_t signals; /* a bit for each enum signal; lane j is high where lane j of any of them is */
	const char *help;
};

/* "u74", and what it is: constant storage. */
const char *event_family_name(enum event_family family);
const char *event_family_help(enum event_family family);

/* How many event counters cores of the family have. */
unsigned event_family_counters(enum event_family family);

/* The events of a family in the order of sets and bits: the one after `event`, from NULL on; NULL after the last. */
const struct core_event *core_event_next(enum event_family family, const struct core_event *event);

/* By name, letter case ignored, or by set and bit; NULL: there is none. */
const struct core_event *core_event_find(enum event_family family, const char *name);
const struct core_event *core_event_at(enum event_family family, unsigned set, unsigned bit);

/* Bits of a set from EVENT_FIRST_BIT on, those without an event included; 0: the family has no such set. */
unsigned event_set_places(enum event_family family, unsigned set);

/* "memory"; NULL: there is no such set. */
const char *event_set_name(enum event_family family, unsigned set);

/* The selector of the event. */
uint64_t core_event_selector(const struct core_event *event);

/* Adds the event to those of a selector (0: none yet). False, and unchanged, where that has events of another set. */
bool core_event_join(uint64_t *selector, const struct core_event *event);

/* Lanes that the event has on a core: of EVENT_ONE it has one, whatever its signals have. */
unsigned core_event_nr_lanes(const struct core_event *event, const struct core_timing *t);

/* Says which other family has an event of that name, and how a core gets its events; `ending` ends the message.
 * SAHM_USAGE, or SAHM_OK where none has. */
enum sahm_status core_event_refuse_other(enum event_family family, const char *name, const char *ending,
					 struct sahm_err *err);

/* Those of the event's signals that such a core never raises. An event is never counted if it lacks all of them. */
uint64_t core_event_lacks(const struct core_event *event, const struct core_timing *t);

#endif
