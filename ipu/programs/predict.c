/* The state that the running thread is likely to have next: the most frequent successor of the one that it has now,
 * once that has been seen often enough; else the one that it has now.
 *
 * For each thread, the states of its epochs are counted in pairs, 16 by 16 bytes; a row that would overflow is halved.
 * A pair is two consecutive states of its sets here, no matter which threads ran in between: threads that share the
 * core are the usual case. Its states on other cores meanwhile are not known.
 * Threads find their counts by a hash of their number. If two share a place, the running one takes it and restarts. Of
 * successors seen equally often, the current state is meant, else the lowest.
 *
 * Inputs: ABI spec "core", the counters and `thread`. Packets: one word for each set, as those of classify.c, with the
 * predicted state. Costs: some 210 cycles for each set, 190 more where a thread takes a place.
 * Settable, before power-on: min_seen, how often the successor must have been seen (1 to 255); cut_branch, cut_l1i,
 * cut_l1d, cut_l2, in thousand-millionths.
 */
#include "states.h"

uint32_t min_seen = 4;

#define NR_STATES 16
#define NR_PLACES 64 /* a power of two; 264 bytes each */

struct place {
	uint32_t is_taken, thread;
	uint8_t nr[NR_STATES][NR_STATES]; /* [state][the next one] */
};

static struct place places[NR_PLACES];
static uint8_t last[NR_PLACES]; /* state of the thread's epoch before */

void init(void)
{
	states_init();
}

static void clear(struct place *p)
{
	uint32_t *words = (uint32_t *)(void *)p->nr;
	for (unsigned i = 0; i < sizeof(p->nr) / sizeof(*words); i++)
		words[i] = 0;
}

static void count(uint8_t row[NR_STATES], uint32_t next)
{
	if (row[next] == UINT8_MAX)
		for (unsigned i = 0; i < NR_STATES; i++)
			row[i] /= 2;
	row[next]++;
}

static uint32_t most_frequent(const uint8_t row[NR_STATES], uint32_t now)
{
	uint32_t best = now;
	for (uint32_t i = 0; i < NR_STATES; i++)
		if (row[i] > row[best])
			best = i;
	return row[best] >= min_seen ? best : now;
}

void _main(void)
{
	uint32_t of_thread = thread(), now = state_now();
	uint32_t at = ipu_hash(of_thread, 0) % NR_PLACES;
	struct place *p = &places[at];
	if (p->is_taken && p->thread == of_thread) {
		count(p->nr[last[at]], now);
	} else {
		clear(p);
		p->is_taken = 1;
		p->thread = of_thread;
	}
	last[at] = (uint8_t)now;
	send_state(most_frequent(p->nr[now], now), of_thread);
}
