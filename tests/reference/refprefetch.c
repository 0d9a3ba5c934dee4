#include "tests/reference/refprefetch.h"

#include <stdlib.h>

#define STREAMS 16
#define LINES_AHEAD 16

struct refprefetch {
	struct prefetcher_spec spec;
	unsigned offsets[256], nr_offsets;
	unsigned nr;	     /* accesses so far that are new to the cache */
	unsigned phase;	     /* first access of the learning phase */
	unsigned offset;     /* in use; 0: none */
	uint64_t accesses[]; /* their lines */
};

static bool is_offset(unsigned n)
{
	while (n % 2 == 0)
		n /= 2;
	while (n % 3 == 0)
		n /= 3;
	while (n % 5 == 0)
		n /= 5;
	return n == 1;
}

struct refprefetch *refprefetch_new(const struct prefetcher_spec *spec, unsigned most)
{
	struct refprefetch *p = calloc(1, sizeof(*p) + most * sizeof(p->accesses[0]));
	if (!p)
		return NULL;
	p->spec = *spec;
	for (unsigned n = 1; n <= 256; n++)
		if (is_offset(n))
			p->offsets[p->nr_offsets++] = n;
	return p;
}

void refprefetch_free(struct refprefetch *p)
{
	free(p);
}

static uint64_t page_of(uint64_t line, unsigned line_bytes)
{
	return line * line_bytes / 4096;
}

/* ---- Best offset ---- */

/* Whether the last access before number `n` that shares the entry of `line` shares its tag as well. */
static bool is_recent(const struct refprefetch *p, unsigned n, uint64_t line)
{
	while (n-- > 0) {
		uint64_t a = p->accesses[n];
		if (((a ^ a / 256) & 255) == ((line ^ line / 256) & 255))
			return a / 256 % 4096 == line / 256 % 4096;
	}
	return false;
}

/* Counts the scores of the phase up to its access number `nr`, a multiple of a round. Whether the phase ends here. */
static bool ends_phase(struct refprefetch *p, unsigned line_bytes)
{
	unsigned scores[256] = {0}, best = 0;
	for (unsigned n = p->phase; n < p->nr; n++) {
		unsigned i = (n - p->phase) % p->nr_offsets;
		uint64_t line = p->accesses[n], before = line - p->offsets[i];
		if (page_of(before, line_bytes) == page_of(line, line_bytes) && is_recent(p, n, before))
			scores[i]++;
		if (scores[i] > scores[best])
			best = i;
	}
	if (scores[best] < 31 && p->nr - p->phase < 100 * p->nr_offsets)
		return false;
	p->offset = scores[best] >= 2 ? p->offsets[best] : 0;
	return true;
}

static unsigned best_offset(struct refprefetch *p, unsigned line_bytes, uint64_t *lines)
{
	uint64_t line = p->accesses[p->nr - 1];
	unsigned nr = 0;
	if ((p->nr - p->phase) % p->nr_offsets == 0 && ends_phase(p, line_bytes))
		p->phase = p->nr;
	for (unsigned i = 1; i <= p->spec.degree && p->offset > 0; i++)
		if (page_of(line + i * p->offset, line_bytes) == page_of(line, line_bytes))
			lines[nr++] = line + i * p->offset;
	return nr;
}

/* ---- Streams ---- */

/* Whether the stream of a page leaves between accesses `from` and `to` of it: STREAMS other pages are used. */
static bool has_left(const struct refprefetch *p, unsigned from, unsigned to, unsigned line_bytes)
{
	unsigned others = 0;
	for (unsigned n = from + 1; n < to; n++) {
		bool is_first = true;
		for (unsigned m = from + 1; m < n; m++)
			if (page_of(p->accesses[m], line_bytes) == page_of(p->accesses[n], line_bytes))
				is_first = false;
		others += is_first;
	}
	return others >= STREAMS;
}

/* The accesses of the newest one's page since its stream began, newest last: how many. */
static unsigned stream_accesses(const struct refprefetch *p, unsigned line_bytes, uint64_t *lines)
{
	unsigned nr = 1, at = p->nr - 1;
	lines[0] = p->accesses[at];
	for (unsigned n = at; n-- > 0;) {
		if (page_of(p->accesses[n], line_bytes) != page_of(lines[0], line_bytes))
			continue;
		if (has_left(p, n, at, line_bytes))
			break;
		lines[nr++] = p->accesses[n];
		at = n;
	}
	for (unsigned i = 0; i < nr / 2; i++) {
		uint64_t line = lines[i];
		lines[i] = lines[nr - 1 - i];
		lines[nr - 1 - i] = line;
	}
	return nr;
}

/* Plays a stream again from its first access; the requests of the last one. */
static unsigned replay(const uint64_t *accesses, unsigned nr_accesses, unsigned degree, unsigned line_bytes,
		       uint64_t *lines)
{
	int64_t ahead = 0, way = 0;
	unsigned nr = 0, trust = 0;
	for (unsigned n = 1; n < nr_accesses; n++) {
		int64_t step = (int64_t)(accesses[n] - accesses[n - 1]), now = (int64_t)accesses[n];
		nr = 0;
		if (step == 0)
			continue;
		if (trust == 0)
			way = step > 0 ? 1 : -1;
		if (step * way < 0) {
			trust--;
			continue;
		}
		trust++;
		if (trust == 2 || (trust > 2 && (now - ahead) * way > 0))
			ahead = now;
		trust = trust > 3 ? 3 : trust;
		while (trust >= 2 && nr < degree && (ahead - now) * way < LINES_AHEAD &&
		       page_of((uint64_t)(ahead + way), line_bytes) == page_of(accesses[n], line_bytes))
			lines[nr++] = (uint64_t)(ahead += way);
	}
	return nr;
}

static unsigned stream(const struct refprefetch *p, unsigned line_bytes, uint64_t *lines)
{
	uint64_t *accesses = malloc(p->nr * sizeof(*accesses));
	if (!accesses)
		return 0;
	unsigned nr = stream_accesses(p, line_bytes, accesses);
	nr = replay(accesses, nr, p->spec.degree, line_bytes, lines);
	free(accesses);
	return nr;
}

unsigned refprefetch_watch(struct refprefetch *p, const struct prefetch_trigger *t, uint64_t *lines)
{
	unsigned line_bytes = 1u << t->line_shift;
	if (!t->sight.is_new)
		return 0;
	p->accesses[p->nr++] = t->address / line_bytes;
	return p->spec.kind == PREFETCHER_STREAM ? stream(p, line_bytes, lines) : best_offset(p, line_bytes, lines);
}
