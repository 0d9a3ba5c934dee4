#include "tests/reference/refdistributed.h"

#include <string.h>

void refdistributed_init(struct refdistributed *r, unsigned nr_sources, unsigned phase)
{
	memset(r, 0, sizeof(*r));
	r->nr_sources = nr_sources;
	for (unsigned values = 1; values < nr_sources; values *= 2)
		r->width++;
	r->select[phase] = true;
}

/* Adds 1 to a local counter by a chain of half adders; the carry that leaves it. */
static bool increment(bool *bits, unsigned width)
{
	bool carry = true;
	for (unsigned b = 0; b < width; b++) {
		bool bit = bits[b];
		bits[b] = bit != carry;
		carry = bit && carry;
	}
	return carry;
}

void refdistributed_clock(struct refdistributed *r, const bool *event)
{
	struct refdistributed now = *r; /* registers before the edge; `r` is after it */
	for (unsigned j = 0; j < r->nr_sources; j++) {
		if (now.select[j] && now.overflow[j]) {
			r->global = now.global + 1;
			r->overflow[j] = false;
		}
		if (event[j] && increment(r->local[j], r->width))
			r->overflow[j] = true;
		r->select[(j + 1) % r->nr_sources] = now.select[j];
	}
}

void refdistributed_stop(struct refdistributed *r)
{
	const bool none[64] = {false};
	for (unsigned i = 0; i < r->nr_sources; i++)
		refdistributed_clock(r, none);
}

uint64_t refdistributed_value(const struct refdistributed *r)
{
	return r->global << r->width;
}
