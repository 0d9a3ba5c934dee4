#include "cores/uarch/cache.h"

#include <stdlib.h>

static bool is_power_of_two(uint32_t n)
{
	return n && (n & (n - 1)) == 0;
}

const char *cache_spec_fault(const struct cache_spec *spec)
{
	if (!is_power_of_two(spec->line_bytes) || spec->line_bytes < MIN_LINE_BYTES ||
	    spec->line_bytes > MAX_LINE_BYTES)
		return "a line is a power of two of bytes, 16 to 4096";
	if (spec->ways == 0 || spec->ways > MAX_CACHE_WAYS)
		return "ways are 1 to 64";
	if (spec->bytes == 0 || spec->bytes > MAX_CACHE_BYTES)
		return "its size is 1 byte to 1 GiB";
	uint32_t set_bytes = spec->ways * spec->line_bytes;
	if (spec->bytes % set_bytes)
		return "its size is no multiple of ways times a line";
	if (!is_power_of_two(spec->bytes / set_bytes))
		return "its size makes a number of sets that is no power of two";
	return NULL;
}

static uint8_t log2_of(uint32_t power)
{
	uint8_t log = 0;
	while (power >> log > 1)
		log++;
	return log;
}

enum sahm_status cache_init(struct cache *c, const struct cache_spec *spec, struct sahm_err *err)
{
	uint32_t nr_lines = spec->bytes / spec->line_bytes;
	*c = (struct cache){
		.lines = calloc(nr_lines, sizeof(*c->lines)),
		.set_mask = nr_lines / spec->ways - 1,
		.ways = spec->ways,
		.line_shift = log2_of(spec->line_bytes),
	};
	return c->lines ? SAHM_OK : sahm_fail_nomem(err);
}

void cache_release(struct cache *c)
{
	free(c->lines);
	c->lines = NULL;
}

bool cache_access_other(struct cache *c, uint64_t *set, uint64_t tag)
{
	/* Lines move back by one on the way, until the place is reached that the line leaves, or the last one's is
	 * lost. */
	uint64_t moved = set[0];
	for (uint32_t i = 1; i < c->ways; i++) {
		uint64_t here = set[i];
		set[i] = moved;
		if (here == tag) {
			set[0] = tag;
			return true;
		}
		moved = here;
	}
	set[0] = tag;
	return false;
}
