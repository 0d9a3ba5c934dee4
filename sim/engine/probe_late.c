/* Words on their way to the scheduler: a binary heap. */
#include <stdlib.h>

#include "sim/engine/probe_internal.h"

#define FIRST_ROOM 64u

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By the pass that sees them first and by thread; of the same thread the one last that the pass believes. */
static int compare_words(const void *a, const void *b)
{
	const struct late_word *x = a, *y = b;
	int order = compare(x->due, y->due);
	if (order == 0)
		order = compare(x->thread, y->thread);
	if (order == 0)
		order = compare(x->sent_at, y->sent_at);
	return order ? order : compare(x->core, y->core);
}

/* Leaves out words that the pass that sees them does not believe. A sorted list is a heap, too. */
static void drop_overtaken(struct late_words *late)
{
	struct late_word *heap = late->heap;
	size_t nr = 0;
	qsort(heap, late->nr, sizeof(*heap), compare_words);
	for (size_t i = 0; i < late->nr; i++) {
		bool is_last =
			i + 1 == late->nr || heap[i].due != heap[i + 1].due || heap[i].thread != heap[i + 1].thread;
		if (is_last)
			heap[nr++] = heap[i];
	}
	late->nr = nr;
}

/* Makes room for another one. Half of the room must be free afterwards, so that it need not be made again soon. */
static enum sahm_status make_room(struct late_words *late)
{
	if (late->nr > 0)
		drop_overtaken(late);
	if (late->room > 0 && late->nr <= late->room / 2)
		return SAHM_OK;
	if (late->nr >= MAX_LATE_WORDS)
		return SAHM_RANGE;
	size_t room = late->room ? 2 * late->room : FIRST_ROOM;
	struct late_word *heap = realloc(late->heap, room * sizeof(*heap));
	if (!heap)
		return SAHM_NOMEM;
	late->heap = heap;
	late->room = room;
	return SAHM_OK;
}

enum sahm_status late_words_add(struct late_words *late, const struct late_word *word)
{
	enum sahm_status status = late->nr == late->room ? make_room(late) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	size_t at = late->nr++;
	for (; at > 0 && word->due < late->heap[(at - 1) / 2].due; at = (at - 1) / 2)
		late->heap[at] = late->heap[(at - 1) / 2];
	late->heap[at] = *word;
	return SAHM_OK;
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
