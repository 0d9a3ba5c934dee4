/* Words on their way to the scheduler: a binary heap. */
#include <stdlib.h>

#include "sim/engine/probe_internal.h"

#define FIRST_ROOM 64u

bool late_words_add(struct late_words *late, const struct late_word *word)
{
	if (late->nr == late->room) {
		size_t room = late->room ? 2 * late->room : FIRST_ROOM;
		struct late_word *heap = realloc(late->heap, room * sizeof(*heap));
		if (!heap)
			return false;
		late->heap = heap;
		late->room = room;
	}
	size_t at = late->nr++;
	for (; at > 0 && word->due < late->heap[(at - 1) / 2].due; at = (at - 1) / 2)
		late->heap[at] = late->heap[(at - 1) / 2];
	late->heap[at] = *word;
	return true;
}

bool late_words_take(struct late_words *late, uint64_t step, struct late_word *word)
{
	if (late->nr == 0 || late->heap[0].due > step)
		return false;
	*word = late->heap[0];
	const struct late_word *last = &late->heap[--late->nr];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < late->nr; at = child) {
		child += child + 1 < late->nr && late->heap[child + 1].due < late->heap[child].due;
		if (late->heap[child].due >= last->due)
			break;
		late->heap[at] = late->heap[child];
	}
	late->heap[at] = *last;
	return true;
}
