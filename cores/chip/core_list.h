/* Lists and sets of cores.
 *
 * A list is text as `taskset -c` and cpusets take it: numbers and ranges joined by commas, "0-3,8,10-14"; a range can
 * have a stride, "0-30:2" being the even ones. No blanks; what is named twice counts once. A set has bit c % 64 of word
 * c / 64 for core c, in core_set_words() words; bits beyond the chip are 0.
 */
#ifndef SAHM_CORES_CORE_LIST_H
#define SAHM_CORES_CORE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

/* Words of a set of `nr_cores` cores. */
static inline size_t core_set_words(uint32_t nr_cores)
{
	return ((size_t)nr_cores + 63) / 64;
}

/* Whether core `core` is in `set`; all are where it is NULL. */
static inline bool core_set_has(const uint64_t *set, uint32_t core)
{
	return !set || (set[core / 64] >> core % 64 & 1);
}

/* Adds cores `first` to `last` to `set`. */
void core_set_add(uint64_t *set, uint32_t first, uint32_t last);

/* Adds the cores that `text` lists to `set`, those of a chip of `nr_cores` cores (1 to MAX_CORES). SAHM_CONFIG where
 * the text is no such list or names a core that the chip lacks: the message says so; the set is of no use then. */
enum sahm_status core_list_read(const char *text, uint32_t nr_cores, uint64_t *set, struct sahm_err *err);

#endif
