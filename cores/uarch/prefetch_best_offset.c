/* Best offset: one distance for all accesses, the one that would have foretold the most of them (P. Michaud,
 * "Best-offset hardware prefetching", HPCA 2016).
 *
 * A miss, or the first use of a prefetched line, at line X tests one of the offsets d: it scores if X - d is among the
 * recent requests. A round tests every offset once. A learning phase ends with the round in which a score is
 * MAX_SCORE, or after MAX_ROUNDS; the offset that reached the highest score first is used in the next phase, or none if
 * the score is at most BAD_SCORE. With offset D, X asks for the lines X + D, X + 2D, ..., `degree` of them.
 *
 * Two choices are ours. The paper records X when the prefetch of X + D completes, so that only offsets that are in time
 * score. The functional pass has no time, and the timing models let prefetches into outer caches complete at once: X is
 * recorded at once, whether or not its line X + D was there. And an offset scores only where X - d is in the page of X,
 * because only there it would have fetched X.
 *
 * Does badly where patterns of several offsets mix, and takes up to MAX_ROUNDS rounds to notice a new one. */
#include "cores/uarch/prefetcher_internal.h"
#include "sim/base/array.h"

#define RECENT_BITS 8u
#define TAG_BITS 12u
#define MAX_SCORE 31u
#define MAX_ROUNDS 100u
#define BAD_SCORE 1u

static const uint16_t offsets[] = {1,	2,   3,	  4,   5,   6,	 8,   9,   10,	12,  15,  16,  18,
				   20,	24,  25,  27,  30,  32,	 36,  40,  45,	48,  50,  54,  60,
				   64,	72,  75,  80,  81,  90,	 96,  100, 108, 120, 125, 128, 135,
				   144, 150, 160, 162, 180, 192, 200, 216, 225, 240, 243, 250, 256};
#define NR_OFFSETS (unsigned)ARRAY_SIZE(offsets)

/* All 0 is the state at first: nothing recorded, and no offset in use. */
struct learner {
	uint16_t recent[1u << RECENT_BITS]; /* tag + 1; 0: empty */
	uint8_t scores[ARRAY_SIZE(offsets)];
	uint8_t round, test; /* the next offset to test, of this round */
	uint8_t best;	     /* offset with the highest score of this phase */
	uint8_t used;	     /* offset of the phase before */
	bool is_on;
};

/* Numbers of offsets take 6 bits, rounds 7. */
#define STORAGE_BITS ((1u << RECENT_BITS) * (TAG_BITS + 1) + NR_OFFSETS * 5 + 7 + 3 * 6 + 1)

static uint16_t *recent_entry(struct learner *l, uint64_t line)
{
	return &l->recent[(line ^ line >> RECENT_BITS) % (1u << RECENT_BITS)];
}

static uint16_t recent_tag(uint64_t line)
{
	return (uint16_t)((line >> RECENT_BITS) % (1u << TAG_BITS) + 1);
}

static void end_round(struct learner *l)
{
	l->test = 0;
	if (++l->round < MAX_ROUNDS && l->scores[l->best] < MAX_SCORE)
		return;
	l->used = l->best;
	l->is_on = l->scores[l->best] > BAD_SCORE;
	for (unsigned i = 0; i < NR_OFFSETS; i++)
		l->scores[i] = 0;
	l->round = l->best = 0;
}

static void learn(struct learner *l, const struct prefetch_trigger *t, uint64_t line)
{
	uint64_t before = line - offsets[l->test];
	if (prefetch_is_near(t, before) && *recent_entry(l, before) == recent_tag(before) &&
	    ++l->scores[l->test] > l->scores[l->best])
		l->best = l->test;
	if (++l->test == NR_OFFSETS)
		end_round(l);
	*recent_entry(l, line) = recent_tag(line);
}

static unsigned watch(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
		      struct prefetch_request *requests)
{
	struct learner *l = state;
	uint64_t line = t->address >> t->line_shift;
	unsigned nr = 0;
	if (!t->sight.is_new)
		return 0;
	learn(l, t, line);
	for (unsigned i = 1; l->is_on && i <= spec->degree; i++) {
		uint64_t ahead = line + (uint64_t)i * offsets[l->used];
		if (!prefetch_is_near(t, ahead))
			break;
		requests[nr++] = (struct prefetch_request){.line = ahead};
	}
	return nr;
}

const struct prefetcher_ops prefetch_best_offset = {
	.has_degree = true, .state_bytes = sizeof(struct learner), .storage_bits = STORAGE_BITS, .watch = watch};
