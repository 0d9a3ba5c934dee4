/* Provenance: where a trace comes from, as short texts by key (provenance_list.h), and per counter an event name, how
 * far it was multiplexed, and whether it was measured, modelled, derived or assumed.
 *
 * As text it is lines of `key: value`, known keys in their order, events last; that is how binary traces store it and,
 * with `# ` in front, how CSV traces do.
 */
#ifndef SAHM_WORKLOADS_TRACE_PROVENANCE_H
#define SAHM_WORKLOADS_TRACE_PROVENANCE_H

#include "cores/chip/counters.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

enum provenance_key {
#define PROVENANCE(suffix, key, help) PROVENANCE_##suffix,
#include "workloads/trace/provenance_list.h"
#undef PROVENANCE
	NR_PROVENANCE_KEYS
};

/* Longest value, in bytes. */
#define MAX_PROVENANCE_BYTES 4096u

struct provenance {
	const char *text[NR_PROVENANCE_KEYS]; /* NULL where nothing is known */
	const char *event[NR_COUNTERS];	      /* the event that stands for a counter; NULL where nothing is known */
	const char
		*counted_pct[NR_COUNTERS]; /* share of the time in which it was counted; NULL where nothing is known */
	const char *origin[NR_COUNTERS];   /* measured, modelled, derived or assumed; NULL: not known */
};

/* Why a counter is no measurement, the weakest first. */
enum counter_origin {
	ORIGIN_ASSUMED,	 /* the user's word, in some epochs at least */
	ORIGIN_MODELLED, /* what a model of caches or of a branch predictor makes of a program */
	ORIGIN_DERIVED,	 /* recovered from ratios and rates, whose few digits limit it */
	NR_COUNTER_ORIGINS
};

/* Counters that nobody counted: a bit for each. */
struct counter_origins {
	uint16_t of[NR_COUNTER_ORIGINS];
};

/* "assumed", ...; constant storage. */
const char *counter_origin_name(enum counter_origin origin);

/* All counters of the set. */
uint16_t counter_origins_any(struct counter_origins o);

/* Adds those of `more` to *o. */
void counter_origins_add(struct counter_origins *o, struct counter_origins more);

/* Key as it is written; constant storage. */
const char *provenance_key_name(enum provenance_key key);

/* Use of a key; constant storage. */
const char *provenance_key_help(enum provenance_key key);

/* Whether the `len` bytes at `key` are a key. */
bool provenance_knows(const char *key, size_t len);

/* Sets what `key` (the `key_len` bytes, such as "tool", "event.branches" or "origin.branches") is to the string
 * `value`, copied into `a`. SAHM_FORMAT, with a suggestion, when there is no such key, the value is too long or names
 * no known source or origin. */
enum sahm_status provenance_set(struct provenance *p, struct arena *a, const char *key, size_t key_len,
				const char *value, struct sahm_err *err);

/* Takes over what is set in `over`. The texts stay where they are. */
void provenance_override(struct provenance *p, const struct provenance *over);

/* Names the trace after `file` (as it stands in messages), without folders and extension (`.zst` apart), unless it has
 * a name; `suffix` (may be empty) follows either, with '-' between. Copied into `a`. SAHM_NOMEM. */
enum sahm_status provenance_name_after(struct provenance *p, struct arena *a, const char *file, const char *suffix,
				       struct sahm_err *err);

/* Whether the trace was generated rather than recorded. */
bool provenance_is_synthetic(const struct provenance *p);

/* Whether the trace's time is nominal: its epochs are not stretches of measured time but, say, counts of instructions,
 * each replayed as if it lasted so long. They are where PROVENANCE_EPOCH says what they are. */
bool provenance_is_nominal(const struct provenance *p);

/* Which counters were not measured, as far as is known. Traces of old say it of assumed ones in their events. */
struct counter_origins provenance_origins(const struct provenance *p);

/* Makes a source "recorded" "modelled" if any counter is: files of earlier versions do not distinguish them.
 * Traces do this when they are made and opened. */
void provenance_settle_source(struct provenance *p);

/* Marks each counter that has an event, and no origin yet, as measured, or, with `by_model`, only instructions,
 * branches and accesses to L1D, and the others as modelled. */
void provenance_say_origins(struct provenance *p, bool by_model);

/* Makes of p's origins those of what is made from it and `other`: the weaker one, measured if both are. */
void provenance_join_origins(struct provenance *p, const struct provenance *other);

/* Appends all lines, each with `prefix` in front. */
void provenance_write(const struct provenance *p, const char *prefix, struct textbuf *b);

/* Reads what provenance_write() wrote with an empty prefix: `len` bytes. */
enum sahm_status provenance_read(struct provenance *p, struct arena *a, const char *text, size_t len,
				 struct sahm_err *err);

#endif
