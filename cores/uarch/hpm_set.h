/* Event sets: what PAPI is to the counters of a processor, for those of a modelled core (spec/hpm.md, paper 003).
 *
 * A set takes counters of a struct hpm while it runs, selects its events in them and adds up what they count. Cycles
 * come through hpm_set_run() instead of hpm_run(): the set acts at instruction boundaries, of which the model only
 * knows there. One set counts at a time on the counters that it takes; counters that it does not take stay free.
 *
 * Events that need more counters than there are can take turns (multiplexing): in the order of adding they form groups
 * of as many as there are counters, which take turns in slices. A slice ends at the first boundary at or past its end.
 * An event's count in its own slices is scaled by enabled / running cycles, rounded to nearest.
 *
 * Functions that fail return SAHM_USAGE, and the message ends in PAPI's name of the error:
 *   (ENOEVNT) no such event, or it is not available on this family;
 *   (ECNFLCT) more counters needed than there are, or they are in use;
 *   (ENOTRUN), (EISRUN) the set does not run, or runs already;
 *   (EINVAL) any other mistake in an argument.
 */
#ifndef SAHM_CORES_UARCH_HPM_SET_H
#define SAHM_CORES_UARCH_HPM_SET_H

#include "cores/uarch/hpm.h"

#define HPM_SLICE_CYCLES 100000u /* the usual slice */
#define HPM_SET_EVENTS 64u	 /* events of a set, at most */
#define HPM_EVENT_NAME_BYTES 48u

struct hpm_set;

/* NULL when memory is short. `h` stays the caller's, and outlives the set. Freeing a set stops it. */
struct hpm_set *hpm_set_new(struct hpm *h);
void hpm_set_free(struct hpm_set *s);

/* Adds an event to a set that does not run: "cycles", "instructions", an event of the family with or without "native:",
 * a preset of PAPI where the family has them, or a code as "0x202" or perf's "r202". Letter case is ignored. ":u" may
 * follow, as cores run user code only. */
enum sahm_status hpm_set_add(struct hpm_set *s, const char *name, struct sahm_err *err);

/* The same by code: that of a preset, or a selector, which takes one counter. */
enum sahm_status hpm_set_add_code(struct hpm_set *s, uint64_t code, struct sahm_err *err);

/* Lets groups of events take turns in slices of that many cycles, at least 1. */
enum sahm_status hpm_set_multiplex(struct hpm_set *s, uint64_t slice_cycles, struct sahm_err *err);

/* ---- Events, in the order of adding ---- */

unsigned hpm_set_nr_events(const struct hpm_set *s);

/* As lists have it, whatever its letter case was: the set's. */
const char *hpm_set_event_name(const struct hpm_set *s, unsigned event);

/* Event counters that it takes: 0 of cycles and instructions, several of a derived preset or a scalar counter. */
unsigned hpm_set_event_counters(const struct hpm_set *s, unsigned event);

/* The selector of the i-th of these counters. */
uint64_t hpm_set_event_selector(const struct hpm_set *s, unsigned event, unsigned i);

/* Whether the core lacks everything that raises it. */
bool hpm_set_event_is_never(const struct hpm_set *s, unsigned event);

/* The signals that raise the events so far. */
uint64_t hpm_set_event_signals(const struct hpm_set *s);

/* The same, and those that runs need for boundaries (struct signal_options). */
uint64_t hpm_set_signals(const struct hpm_set *s);

/* ---- Counting ---- */

/* All counts are 0 then. */
enum sahm_status hpm_set_start(struct hpm_set *s, struct sahm_err *err);

/* Of a set that runs or did: values[hpm_set_nr_events()], since the start or the last reset. A derived value can be
 * negative for a while: its events happen at different times. */
void hpm_set_read(const struct hpm_set *s, int64_t *values);

/* Adds them to values[], and resets. */
void hpm_set_accumulate(struct hpm_set *s, int64_t *values);

void hpm_set_reset(struct hpm_set *s);

/* The set keeps its counts; values[] are as read, or NULL. */
enum sahm_status hpm_set_stop(struct hpm_set *s, int64_t *values, struct sahm_err *err);

/* An event's value, and how it came about. */
struct hpm_set_count {
	int64_t value;
	int64_t counted; /* while it had its counters */
	uint64_t enabled_cycles, running_cycles;
	int64_t truth;	/* what it should have counted then: all sources of all its events */
	uint64_t bound; /* since the start: how far at most `counted` can be from `truth` */
};

void hpm_set_count(const struct hpm_set *s, unsigned event, struct hpm_set_count *out);

/* How far at most what is counted between two counts of an event can be from the truth of that time. */
uint64_t hpm_set_bound(const struct hpm_set *s, const struct hpm_set_count *from, const struct hpm_set_count *to);

/* counted * enabled / running, rounded to nearest; 0 of 0 cycles. */
int64_t hpm_set_scale(int64_t counted, uint64_t enabled_cycles, uint64_t running_cycles);

/* Whether its events need more counters than there are. */
bool hpm_set_takes_turns(const struct hpm_set *s);

/* ---- Overflow ---- */

struct hpm_overflow {
	unsigned event;
	int64_t count;
	uint64_t pc; /* of the instruction that retires next; 0 where runs have no causes */
};

typedef void hpm_overflow_fn(void *user, struct hpm_set *s, const struct hpm_overflow *overflow);

/* Calls `handler` at the first instruction boundary at which the event's count has reached a multiple of `threshold`,
 * each time; 0: no more. It may do with the set what the caller may, but not free it. Not of derived events or
 * multiplexed sets. */
enum sahm_status hpm_set_overflow(struct hpm_set *s, unsigned event, uint64_t threshold, hpm_overflow_fn *handler,
				  void *user, struct sahm_err *err);

/* ---- Cycles ---- */

/* As hpm_run() and hpm_run_lanes(), whether the set runs or not. */
void hpm_set_run(struct hpm_set *s, const struct signal_run *run);
void hpm_set_run_lanes(struct hpm_set *s, const struct signal_run *run, unsigned first, unsigned end);

#endif
