/* Core types as people write them: a name and speedups.
 *
 *   baseline                 the reference core
 *   branch, l1i, l1d, l2     specialised for a component; letter case is ignored
 *   l2+branch                specialised for several, in any order
 *   general                  the same speedup in every state, GENERAL_PCT unless given
 *   table                    NR_STATES measured speedups, indexed by state
 *   berti, triage, ...       published work (literature_rows in core_spec.c), with its own speedup unless given; may be
 * joined by + too
 */
#ifndef SAHM_CORES_CHIP_CORE_SPEC_H
#define SAHM_CORES_CHIP_CORE_SPEC_H

#include "cores/chip/core.h"
#include "sim/base/arena.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

#define GENERAL_PCT 5.0

/* What was written. `nr_speedups` is 0 (none given), 1 (for all components), the number of components in the order of
 * `type`, or NR_STATES for a table; each within the bounds of sim/base/units.h. `average` takes the average rather than
 * the targeted figure of published work. */
struct core_spec {
	const char *type;
	int32_t speedup_ppm[NR_STATES];
	unsigned nr_speedups;
	bool average;
	bool is_published; /* set by core_spec_resolve(): its type names published work */
	bool is_misfit;	   /* set by it where it fails for how many speedups there are */
};

/* A published core type. */
struct literature_row {
	const char *name;
	enum component component;
	const char *average_pct, *targeted_pct; /* decimal text */
	const char *work;
	const char *source; /* where the figures are published */
};

/* Every published core type; the last row has no name. */
extern const struct literature_row literature_rows[];

/* Whether a type is written so, whatever its speedups: none but these have a meaning. */
bool core_spec_is_type(const char *type);

/* Makes the core type that `spec` describes; `type->name` comes from `a` or is constant. SAHM_CONFIG with a message
 * that begins with what is wrong, for the caller to put a place in front of. On success the spec is resolved: its
 * speedups are those in force, in the order of its type, none for a baseline core. */
enum sahm_status core_spec_resolve(struct arena *a, struct core_spec *spec, struct core_type *type,
				   struct sahm_err *err);

/* Rewrites a spec, resolved or not, so that two ways to write a type become one: its type in small letters with its
 * parts in the order of component_list.h, and a speedup for each of these if it has any; `spec->type` comes from `a` or
 * is constant. Fails as core_spec_resolve() does, but a speedup that is missing is no fault. */
enum sahm_status core_spec_canonical(struct arena *a, struct core_spec *spec, struct sahm_err *err);

#endif
