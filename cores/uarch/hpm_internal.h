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
	struct hpm_counter counters[HPM_COUNTERS];
	struct pes *pes;
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

/* What `value` reads back as. */
uint64_t hpm_legal_selector(const struct hpm *h, uint64_t value);

/* The counter counts the events of a legal selector from now on. */
void hpm_select(struct hpm *h, unsigned number, uint64_t selector);

/* The counter counts from `value` on. */
void hpm_set_counter(struct hpm *h, unsigned number, uint64_t value);

/* Counters of `stopped` do not count any more. */
void hpm_stop(struct hpm *h, uint32_t stopped);

#endif
