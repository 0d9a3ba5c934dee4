/* What hpm*.c share. */
#ifndef SAHM_CORES_UARCH_HPM_INTERNAL_H
#define SAHM_CORES_UARCH_HPM_INTERNAL_H

#include "cores/uarch/distributed_counter.h"
#include "cores/uarch/hpm.h"

/* Numbers of the fixed counters: their bits of mcountinhibit, too. */
enum { HPM_CYCLE = 0, HPM_TIME = 1, HPM_INSTRET = 2 };

/* A selected event, or some of its lanes. */
struct hpm_term {
	uint64_t signals, lanes;
	uint8_t bit; /* of the selector of the event; of its lane 0 */
};

struct hpm_counter {
	uint64_t value, selector, threshold;
	uint64_t counted, truth; /* struct hpm_undercount */
	uint8_t sources;	 /* enum event_sources: the same of all events of a set */
	uint8_t nr_terms;
	uint8_t nr_alone; /* terms before the summed ones */
	uint16_t nr_sources;
	struct distributed_counter distributed;
	struct hpm_term terms[MAX_SET_PLACES];
};

struct hpm {
	enum event_family family;
	enum hpm_kind kind;
	unsigned nr_counters;
	struct core_timing core;
	uint64_t cycle, instret;
	/* A bit for each counter, HPM_FIRST and on for events. */
	uint32_t inhibit, mcounteren, scounteren;
	uint32_t selected;	  /* with a selector */
	uint32_t of_instructions; /* that count instructions */
	uint32_t sampling;	  /* with a threshold */
	uint32_t sampled;	  /* in the current cycle */
	/* The signals that counters look at, and which counters look at one. */
	uint64_t watched; /* a bit each */
	uint32_t watchers[NR_SIGNALS];
	/* Events of one signal each need not be looked at in each run where nobody samples: high lanes, and cycles with
	 * one, are summed by signal, until somebody asks (hpm_settle()). */
	uint64_t summed_signals;
	/* Of the other events: their signals, and counters with such an event. */
	uint64_t watched_alone;
	uint32_t alone;
	uint64_t lanes[NR_SIGNALS], cycles[NR_SIGNALS];
	struct hpm_counter counters[HPM_COUNTERS];
	struct pes *pes;
	bool has_sampled; /* there was a threshold, or is memory for samples */
	void (*full)(void *user, struct hpm *h);
	void *user;
};

static inline struct hpm_counter *hpm_counter(struct hpm *h, unsigned number)
{
	return &h->counters[number - HPM_FIRST];
}

/* Bits of the event counters that there are. */
static inline uint32_t hpm_present(const struct hpm *h)
{
	return (uint32_t)(((UINT64_C(1) << h->nr_counters) - 1) << HPM_FIRST);
}

/* The part of the sums that a counter has not added yet. */
struct hpm_unsettled {
	uint64_t counted, truth;
};

static inline struct hpm_unsettled hpm_unsettled(const struct hpm *h, unsigned number)
{
	const struct hpm_counter *c = &h->counters[number - HPM_FIRST];
	struct hpm_unsettled u = {0, 0};
	if (h->inhibit >> number & 1)
		return u;
	for (unsigned t = c->nr_alone; t < c->nr_terms; t++) {
		unsigned s = (unsigned)__builtin_ctzll(c->terms[t].signals);
		uint64_t truth = c->sources == EVENT_ONE ? h->cycles[s] : h->lanes[s];
		bool adds = h->kind == HPM_ADD || c->sources == EVENT_INSTRUCTIONS;
		u.truth += truth;
		u.counted += adds ? truth : h->cycles[s];
	}
	return u;
}

/* What the counter's register reads as. */
static inline uint64_t hpm_value(const struct hpm *h, unsigned number)
{
	return h->counters[number - HPM_FIRST].value + hpm_unsettled(h, number).counted;
}

/* Counters add the sums. Before anything changes that these depend on. */
void hpm_settle(struct hpm *h);

/* Finds out which counters look at what. */
void hpm_watch(struct hpm *h);

/* What `value` reads back as. */
uint64_t hpm_legal_selector(const struct hpm *h, uint64_t value);

/* The counter counts the events of a legal selector from now on. */
void hpm_select(struct hpm *h, unsigned number, uint64_t selector);

/* The counter counts from `value` on. */
void hpm_set_counter(struct hpm *h, unsigned number, uint64_t value);

/* Counters of `stopped` do not count any more. */
void hpm_stop(struct hpm *h, uint32_t stopped);

#endif
