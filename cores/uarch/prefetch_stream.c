/* Streams: follows the last NR_STREAMS pages with misses or first uses of prefetched lines, each with a direction and a
 * 2-bit confidence, and keeps up to DISTANCE lines ahead of those that go steadily up or down. Distance and degree are
 * as S. Srinath et al. describe the stream prefetcher of IBM's POWER4 ("Feedback directed prefetching", HPCA 2007);
 * that the region of a stream is a page is our choice, as all prefetches stay in their page.
 *
 * Does badly where a page holds two streams of opposite directions, where steps are longer than `degree` lines, and
 * where only a few lines of a page are used: the first three are not prefetched, and up to DISTANCE lines are useless.
 */
#include "cores/uarch/prefetcher_internal.h"

#define NR_STREAMS 16u
#define DISTANCE 16u
#define MAX_CONFIDENCE 3u
#define ENOUGH_CONFIDENCE 2u

/* Lines count within the page. */
struct stream {
	uint64_t page;
	int16_t last;	  /* line of the latest access */
	int16_t ahead;	  /* line requested last, or passed since; valid from ENOUGH_CONFIDENCE on */
	int8_t direction; /* 1 or -1; 0 while the page has one line */
	bool is_there;
	uint32_t confidence;
};

/* The stream used last is the first. */
struct streams {
	struct stream streams[NR_STREAMS];
};

/* A page has up to 256 lines; a stream's place among those used before it takes 4 bits. */
#define STREAM_BITS (PREFETCH_PAGE_NUMBER_BITS + 2 * 8 + 2 + 2 + 1 + 4)

/* The page's stream, which becomes the first; a new one takes the place of the one used longest ago. */
static struct stream *stream_of(struct streams *s, uint64_t page, int16_t line)
{
	struct stream found = {.page = page, .last = line, .is_there = true};
	unsigned i = 0;
	while (i < NR_STREAMS - 1 && s->streams[i].is_there && s->streams[i].page != page)
		i++;
	if (s->streams[i].is_there && s->streams[i].page == page)
		found = s->streams[i];
	for (; i > 0; i--)
		s->streams[i] = s->streams[i - 1];
	s->streams[0] = found;
	return &s->streams[0];
}

/* Whether the access continues a stream that is worth following. */
static bool learn(struct stream *s, int16_t line)
{
	int8_t direction = line > s->last ? 1 : line < s->last ? -1 : 0;
	s->last = line;
	if (direction == 0)
		return false;
	if (s->confidence == 0)
		s->direction = direction;
	if (s->direction != direction) {
		s->confidence--;
		return false;
	}
	s->confidence += s->confidence < MAX_CONFIDENCE;
	return s->confidence >= ENOUGH_CONFIDENCE;
}

static unsigned watch(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
		      struct prefetch_request *requests)
{
	uint64_t first = t->address / PREFETCH_PAGE_BYTES * PREFETCH_PAGE_BYTES >> t->line_shift;
	int16_t line = (int16_t)((t->address >> t->line_shift) - first);
	unsigned nr = 0;
	if (!t->sight.is_new)
		return 0;
	struct stream *s = stream_of(state, t->address / PREFETCH_PAGE_BYTES, line);
	uint32_t confidence = s->confidence;
	if (!learn(s, line))
		return 0;
	if (confidence < ENOUGH_CONFIDENCE || (s->ahead - line) * s->direction < 0)
		s->ahead = line;
	while (nr < spec->degree && (s->ahead - line) * s->direction < (int)DISTANCE &&
	       prefetch_is_near(t, first + (uint64_t)(s->ahead + s->direction))) {
		s->ahead = (int16_t)(s->ahead + s->direction);
		requests[nr++] = (struct prefetch_request){.line = first + (uint64_t)s->ahead};
	}
	return nr;
}

const struct prefetcher_ops prefetch_stream = {.has_degree = true,
					       .state_bytes = sizeof(struct streams),
					       .storage_bits = NR_STREAMS * STREAM_BITS,
					       .watch = watch};
