/* A game-tree search with a table of positions of 24 KiB: a first cache of 32 KiB holds it, one of 16 KiB does not.
 *
 * The game is Nim. A position is its heaps, four bits each; a move takes one to three pieces from a heap. */
#include "freestanding.h"

#define ENTRIES 1024u

struct entry {
	uint64_t position;
	int64_t score;
	int64_t depth;
} table[ENTRIES];

static int64_t evaluate(uint64_t position)
{
	int64_t score = 0;
	for (; position != 0; position >>= 8)
		score += (int64_t)(position & 15) - (int64_t)(position >> 4 & 15);
	return score;
}

static int64_t search(uint64_t position, int64_t depth)
{
	struct entry *e = &table[position * 0x9e3779b97f4a7c15u >> 54];
	if (e->position == position && e->depth >= depth)
		return e->score;
	int64_t best = evaluate(position);
	for (unsigned heap = 0; depth > 0 && position >> heap != 0; heap += 4)
		for (uint64_t take = 1; take <= 3; take++) {
			int64_t score = -search(position - (take << heap), depth - 1);
			best = score > best ? score : best;
		}
	*e = (struct entry){position, best, depth};
	return best;
}

int start(void)
{
	for (unsigned i = 0; i < ENTRIES; i++)
		table[i] = (struct entry){0, 0, 0};
	return search(0xdbecau, 3) == 0;
}
