/* Translation: a code's instructions as instructions of the host, made at run time.
 *
 * A hart that is given a translation of its code runs it instead of being interpreted: the same results, the same
 * faults at the same instruction, the same counts. What has no translation - hardware loops, histograms, CSRs of the
 * host, environment calls, fence.i, whatever faults, and code that is seldom executed - is interpreted as before. So
 * is everything on a host for which there is no translator (now: all but x86-64), or where the system does not let
 * memory be executed.
 *
 * Fixed code is translated as a whole when its translation is made, which any number of harts in any number of threads
 * then share. Changing code is translated as it runs, from what the interpreter has decoded; its translation belongs to
 * one hart, and what code_discard() forgets is forgotten here, too. Memory is never writable and executable at the same
 * time.
 *
 * A translation is made for harts that are alike: code, bounds of memory and windows, traps_misaligned must not change
 * while a hart has it.
 */
#ifndef SAHM_IPU_JIT_TRANSLATION_H
#define SAHM_IPU_JIT_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/core/hart.h"
#include "sim/base/err.h"

/* Whether code can be translated here. */
bool translation_is_available(void);

/* The translator. Nor can a translation be had where changing code has one already, or code holds HART_RETURN_STUB. */
extern const struct translator_ops host_translator;

/* host_translator.make() */
struct translation *translation_new(const struct hart *like);

/* What has been translated so far. */
struct translation_counts {
	uint64_t nr_traces;	  /* stretches of code that are entered at their beginning */
	uint64_t nr_instructions; /* in them; one that is in several counts as often */
	uint64_t nr_host_bytes;	  /* of host code */
	uint64_t nr_discarded;	  /* how often all of it was thrown away: code_discard(), or no more room */
};
struct translation_counts translation_counts(const struct translation *t);

#endif
