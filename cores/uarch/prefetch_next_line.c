/* Next line, tagged: a miss asks for the lines after it, and so does the first use of a prefetched line, so that a
 * sequence stays ahead. Does badly on anything but sequences: each miss costs `degree` lines of bandwidth. */
#include "cores/uarch/prefetcher_internal.h"

static unsigned watch(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
		      struct prefetch_request *requests)
{
	(void)state;
	unsigned nr = 0;
	uint64_t line = t->address >> t->line_shift;
	if (!t->sight.is_new)
		return 0;
	for (unsigned i = 1; i <= spec->degree && prefetch_is_near(t, line + i); i++)
		requests[nr++] = (struct prefetch_request){.line = line + i};
	return nr;
}

const struct prefetcher_ops prefetch_next_line = {.has_degree = true, .watch = watch};
