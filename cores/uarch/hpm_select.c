/* Selectors: what counters count, and how many counters events need. */
#include <string.h>

#include "cores/uarch/hpm_internal.h"

#define ALL_LANES UINT64_MAX

/* Sources of an event, as the counters see it. Instructions are one source of a scalar counter, which counts them. */
static unsigned nr_sources(const struct hpm *h, const struct core_event *event)
{
	if (h->kind == HPM_SCALAR && event->sources == EVENT_INSTRUCTIONS)
		return 1;
	return core_event_nr_lanes(event, &h->core);
}

/* What a bit of a selector selects: NULL if nothing; else of a scalar counter lane *lane of the event. */
static const struct core_event *event_of_bit(const struct hpm *h, unsigned set, unsigned bit, unsigned *lane)
{
	unsigned places = event_set_places(h->family, set), place = bit - EVENT_FIRST_BIT;
	const struct core_event *event;
	*lane = 0;
	if (places == 0 || (h->kind != HPM_SCALAR && place >= places))
		return NULL;
	event = core_event_at(h->family, set, EVENT_FIRST_BIT + place % places);
	*lane = place / places;
	return event && *lane < nr_sources(h, event) ? event : NULL;
}

uint64_t hpm_legal_selector(const struct hpm *h, uint64_t value)
{
	unsigned set = value & UINT8_MAX, lane;
	uint64_t legal = 0;
	for (uint64_t mask = value >> EVENT_FIRST_BIT; mask; mask &= mask - 1) {
		unsigned bit = EVENT_FIRST_BIT + (unsigned)__builtin_ctzll(mask);
		if (event_of_bit(h, set, bit, &lane))
			legal |= UINT64_C(1) << bit;
		if (legal && h->kind == HPM_DISTRIBUTED)
			break;
	}
	return legal ? legal | set : 0;
}

unsigned hpm_counters_for(const struct hpm *h, const struct core_event *event)
{
	unsigned nr = hpm_kind_counters(h->kind, nr_sources(h, event));
	unsigned last_bit = event->bit + (nr - 1) * event_set_places(h->family, event->set);
	return nr <= h->nr_counters && last_bit < 64 ? nr : 0;
}

uint64_t hpm_selector(const struct hpm *h, const struct core_event *event, unsigned i)
{
	return UINT64_C(1) << (event->bit + i * event_set_places(h->family, event->set)) | event->set;
}

/* ---- What is counted ---- */

static void forget(struct hpm_counter *c)
{
	c->counted = c->truth = 0;
	distributed_counter_init(&c->distributed, c->nr_sources ? c->nr_sources : 1);
}

/* Whether sums by signal have what the term counts. */
static bool can_be_summed(const struct hpm *h, const struct hpm_counter *c, const struct hpm_term *term)
{
	return h->sampling == 0 && (h->kind == HPM_ADD || (h->kind != HPM_DISTRIBUTED && c->nr_terms == 1)) &&
	       __builtin_popcountll(term->signals) == 1 && (c->sources == EVENT_ONE || term->lanes == ALL_LANES);
}

/* Moves terms that can be summed to the end. */
static void part_terms(const struct hpm *h, struct hpm_counter *c)
{
	c->nr_alone = 0;
	for (unsigned t = 0; t < c->nr_terms; t++) {
		struct hpm_term term = c->terms[t];
		if (can_be_summed(h, c, &term))
			continue;
		c->terms[t] = c->terms[c->nr_alone];
		c->terms[c->nr_alone++] = term;
	}
}

static uint64_t signals_of_terms(const struct hpm_counter *c, unsigned first, unsigned end)
{
	uint64_t signals = 0;
	for (unsigned t = first; t < end; t++)
		signals |= c->terms[t].signals;
	return signals;
}

void hpm_settle(struct hpm *h)
{
	for (uint32_t left = h->selected & ~h->inhibit; left; left &= left - 1) {
		unsigned number = (unsigned)__builtin_ctz(left);
		struct hpm_counter *c = hpm_counter(h, number);
		struct hpm_unsettled u = hpm_unsettled(h, number);
		c->value += u.counted;
		c->counted += u.counted;
		c->truth += u.truth;
	}
	for (uint64_t left = h->summed_signals; left; left &= left - 1)
		h->lanes[__builtin_ctzll(left)] = h->cycles[__builtin_ctzll(left)] = 0;
}

void hpm_watch(struct hpm *h)
{
	memset(h->watchers, 0, sizeof(h->watchers));
	h->watched = h->watched_alone = h->summed_signals = 0;
	h->selected = h->of_instructions = h->alone = 0;
	for (unsigned i = 0; i < h->nr_counters; i++) {
		struct hpm_counter *c = &h->counters[i];
		part_terms(h, c);
		uint64_t signals = signals_of_terms(c, 0, c->nr_terms);
		h->watched |= signals;
		h->watched_alone |= signals_of_terms(c, 0, c->nr_alone);
		h->summed_signals |= signals_of_terms(c, c->nr_alone, c->nr_terms);
		h->alone |= (uint32_t)(c->nr_alone > 0) << (HPM_FIRST + i);
		for (; signals; signals &= signals - 1)
			h->watchers[__builtin_ctzll(signals)] |= 1u << (HPM_FIRST + i);
		if (c->nr_terms > 0)
			h->selected |= 1u << (HPM_FIRST + i);
		if (c->sources == EVENT_INSTRUCTIONS)
			h->of_instructions |= 1u << (HPM_FIRST + i);
	}
}

/* Adds a lane of an event, or an event with all its lanes, to what the counter counts. Lanes of one event share a term.
 */
static void select_lane(struct hpm *h, struct hpm_counter *c, const struct core_event *event, unsigned lane)
{
	struct hpm_term *term = NULL;
	for (unsigned t = 0; t < c->nr_terms; t++)
		if (c->terms[t].bit == event->bit)
			term = &c->terms[t];
	if (!term) {
		term = &c->terms[c->nr_terms++];
		*term = (struct hpm_term){.signals = event->signals, .bit = event->bit};
	}
	if (h->kind == HPM_SCALAR && event->sources == EVENT_LANES) {
		term->lanes |= UINT64_C(1) << lane;
		c->nr_sources++;
	} else {
		term->lanes = ALL_LANES;
		c->nr_sources = (uint16_t)(c->nr_sources + nr_sources(h, event));
	}
	c->sources = event->sources;
}

void hpm_select(struct hpm *h, unsigned number, uint64_t selector)
{
	struct hpm_counter *c = hpm_counter(h, number);
	unsigned lane;
	hpm_settle(h);
	c->selector = selector;
	c->nr_terms = 0;
	c->nr_sources = 0;
	for (uint64_t mask = selector >> EVENT_FIRST_BIT; mask; mask &= mask - 1) {
		unsigned bit = EVENT_FIRST_BIT + (unsigned)__builtin_ctzll(mask);
		const struct core_event *event = event_of_bit(h, selector & UINT8_MAX, bit, &lane);
		select_lane(h, c, event, lane);
	}
	forget(c);
	hpm_watch(h);
}

void hpm_set_counter(struct hpm *h, unsigned number, uint64_t value)
{
	struct hpm_counter *c = hpm_counter(h, number);
	hpm_settle(h);
	c->value = value;
	forget(c);
}

void hpm_undercount(const struct hpm *h, unsigned counter, struct hpm_undercount *out)
{
	const struct hpm_counter *c = &h->counters[counter - HPM_FIRST];
	unsigned nr_sources = c->nr_sources;
	/* Other counters than distributed ones count all instructions of an event that retire in a cycle. */
	if (c->sources == EVENT_INSTRUCTIONS && h->kind != HPM_DISTRIBUTED)
		nr_sources = c->nr_terms;
	struct hpm_unsettled u = hpm_unsettled(h, counter);
	*out = (struct hpm_undercount){.counted = c->counted + u.counted, .truth = c->truth + u.truth};
	out->bound = hpm_kind_bound(h->kind, nr_sources, out->counted, h->inhibit >> counter & 1);
}
