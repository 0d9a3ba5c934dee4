#include "cores/uarch/temporal.h"

#include <stdlib.h>
#include <string.h>

struct interval {
	uint64_t begin, end; /* cycles [begin, end) */
	unsigned nr;	     /* bubbles in each of them */
};

/* In the order of time. */
struct queue {
	struct interval *items; /* [first, nr) */
	size_t first, nr, room;
};

struct temporal {
	unsigned padding;
	bool failed;
	uint64_t now;			   /* the cycles before it have come */
	struct queue refills, recoverings; /* extended by the padding on both sides, and merged */
	struct queue bubbles;		   /* that later cycles can still put in doubt */
	uint64_t doubtful;
	uint64_t length; /* of the recovery so far */
	uint64_t recoveries, *of_length;
	size_t nr_lengths, lengths_room;
};

struct temporal *temporal_new(unsigned padding)
{
	struct temporal *t = calloc(1, sizeof(*t));
	if (t)
		t->padding = padding;
	return t;
}

void temporal_free(struct temporal *t)
{
	if (!t)
		return;
	free(t->refills.items);
	free(t->recoverings.items);
	free(t->bubbles.items);
	free(t->of_length);
	free(t);
}

/* ---- Queues ---- */

static bool push(struct queue *q, const struct interval *x)
{
	if (q->nr == q->room && q->first > q->nr / 2) {
		memmove(q->items, q->items + q->first, (q->nr - q->first) * sizeof(*q->items));
		q->nr -= q->first;
		q->first = 0;
	}
	if (q->nr == q->room) {
		size_t room = q->room ? 2 * q->room : 64;
		struct interval *grown = realloc(q->items, room * sizeof(*grown));
		if (!grown)
			return false;
		q->items = grown;
		q->room = room;
	}
	q->items[q->nr++] = *x;
	return true;
}

/* Removes those that end at `cycle` or before. */
static void drop_until(struct queue *q, uint64_t cycle)
{
	while (q->first < q->nr && q->items[q->first].end <= cycle)
		q->first++;
}

/* Adds the cycles of the run, and as many as the padding on both sides. */
static bool push_padded(struct temporal *t, struct queue *q, const struct signal_run *run)
{
	uint64_t begin = run->first > t->padding ? run->first - t->padding : 0;
	uint64_t end = run->first + run->nr + t->padding;
	if (q->first < q->nr && begin <= q->items[q->nr - 1].end) {
		q->items[q->nr - 1].end = end;
		return true;
	}
	return push(q, &(struct interval){begin, end, 0});
}

/* ---- Slots in doubt ---- */

static uint64_t common_cycles(const struct interval *a, const struct interval *b, const struct interval *c)
{
	uint64_t begin = a->begin > b->begin ? a->begin : b->begin, end = a->end < b->end ? a->end : b->end;
	begin = begin > c->begin ? begin : c->begin;
	end = end < c->end ? end : c->end;
	return begin < end ? end - begin : 0;
}

/* Counts bubbles whose surroundings are known. */
static void decide(struct temporal *t, uint64_t until)
{
	struct queue *q = &t->bubbles;
	for (; q->first < q->nr && q->items[q->first].end <= until; q->first++) {
		const struct interval *x = &q->items[q->first];
		drop_until(&t->refills, x->begin);
		drop_until(&t->recoverings, x->begin);
		for (size_t i = t->refills.first; i < t->refills.nr; i++)
			for (size_t k = t->recoverings.first; k < t->recoverings.nr; k++)
				t->doubtful += x->nr * common_cycles(x, &t->refills.items[i], &t->recoverings.items[k]);
	}
	uint64_t left = q->first < q->nr ? q->items[q->first].begin : t->now;
	drop_until(&t->refills, left);
	drop_until(&t->recoverings, left);
}

/* ---- Recoveries ---- */

static void end_recovery(struct temporal *t)
{
	if (t->length == 0)
		return;
	if (t->length >= t->lengths_room) {
		size_t room = t->length < 64 ? 128 : 2 * t->length;
		uint64_t *grown = realloc(t->of_length, room * sizeof(*grown));
		if (!grown) {
			t->failed = true;
			return;
		}
		memset(grown + t->lengths_room, 0, (room - t->lengths_room) * sizeof(*grown));
		t->of_length = grown;
		t->lengths_room = room;
	}
	t->nr_lengths = t->length < t->nr_lengths ? t->nr_lengths : t->length + 1;
	t->of_length[t->length]++;
	t->recoveries++;
	t->length = 0;
}

static bool has_flush(const struct signal_run *run)
{
	return run->lanes[SIGNAL_MISPREDICTED_BRANCH] || run->lanes[SIGNAL_MISPREDICTED_DIRECT] ||
	       run->lanes[SIGNAL_MISPREDICTED_TARGET] || run->lanes[SIGNAL_FLUSH_SYSTEM] ||
	       run->lanes[SIGNAL_FLUSH_FENCE] || run->lanes[SIGNAL_FLUSH_ORDER];
}

static void recover(struct temporal *t, const struct signal_run *run)
{
	if (!run->lanes[SIGNAL_RECOVERING]) {
		end_recovery(t);
		return;
	}
	if (!has_flush(run)) {
		t->length += run->nr;
		return;
	}
	for (uint64_t i = 0; i < run->nr; i++) {
		t->length++;
		end_recovery(t);
	}
}

void temporal_take(struct temporal *t, const struct signal_run *run)
{
	bool ok = true;
	unsigned bubbles = (unsigned)__builtin_popcountll(run->lanes[SIGNAL_FETCH_BUBBLE]);
	t->now = run->first + run->nr;
	if (run->lanes[SIGNAL_ICACHE_REFILL])
		ok = push_padded(t, &t->refills, run);
	if (ok && run->lanes[SIGNAL_RECOVERING])
		ok = push_padded(t, &t->recoverings, run);
	if (ok && bubbles > 0)
		ok = push(&t->bubbles, &(struct interval){run->first, t->now, bubbles});
	t->failed |= !ok;
	decide(t, t->now > t->padding ? t->now - t->padding : 0);
	recover(t, run);
}

bool temporal_end(struct temporal *t, struct temporal_counts *out)
{
	decide(t, t->now);
	end_recovery(t);
	*out = (struct temporal_counts){.cycles = t->now,
					.doubtful = t->doubtful,
					.recoveries = t->recoveries,
					.of_length = t->of_length,
					.nr_lengths = t->nr_lengths};
	return !t->failed;
}
