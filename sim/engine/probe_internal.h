/* The IPUs of a simulation under way, for the engines.
 *
 * In every timestep: probes_begin(), then probes_take_word() until there is none, the pass, and probes_feed() for each
 * core that executes a thread.
 */
#ifndef SAHM_ENGINE_PROBE_INTERNAL_H
#define SAHM_ENGINE_PROBE_INTERNAL_H

#include <string.h>

#include "sim/engine/probe.h"

/* The last word for a thread. */
struct probe_word {
	uint64_t sent_at; /* IPU cycle */
	uint32_t core;
	uint8_t state;
	bool is_new; /* in `changed` */
};

/* A word that arrives after the pass that comes next. */
struct late_word {
	uint64_t due; /* timestep whose pass is the first to see it */
	uint64_t sent_at;
	uint32_t core, thread;
	uint8_t state;
};

/* Words on their way, a heap by `due`: what is due at once may come in any order. */
struct late_words {
	struct late_word *heap; /* [room] */
	size_t nr, room;
};

/* False when memory is short. */
bool late_words_add(struct late_words *late, const struct late_word *word);
/* Takes one that is due by `step`; false when there is none. */
bool late_words_take(struct late_words *late, uint64_t step, struct late_word *word);

struct probes {
	const struct probe_config *config;
	uint64_t timestep_ns;
	uint32_t nr_cores, nr_threads;
	struct ipu_unit **units;  /* [nr_cores] */
	uint64_t *rejected;	  /* [nr_cores] */
	uint64_t *accurate;	  /* [nr_cores] */
	struct probe_word *words; /* [nr_threads] */
	uint32_t *changed;	  /* [nr_threads]: threads with another state than the scheduler knows of */
	uint32_t nr_changed;
	struct late_words late;
	struct ipu_counts at_power_on; /* of each, when its `init` is over */
	uint64_t base_hit, base_ipu;   /* cycles of both clocks at the beginning of the simulation */
	uint64_t hit_cycle;	       /* at the beginning of the timestep */
	uint64_t in_time;	       /* sent up to this IPU cycle, a word is there before the next pass */
	bool failed;		       /* memory was short */
	uint64_t values[NR_IOREGS];
};

/* Powers the IPUs on. On success the caller releases them. SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status probes_init(struct probes *p, const struct probe_config *config, uint32_t nr_cores,
			     uint32_t nr_threads, uint64_t timestep_ns, struct sahm_err *err);
void probes_release(struct probes *p);

/* Timestep `step` begins; its pass is the next one. */
void probes_begin(struct probes *p, uint64_t step);

/* A thread whose observed state is another one from the coming pass on. */
static inline bool probes_take_word(struct probes *p, uint32_t *thread, uint8_t *state)
{
	if (p->nr_changed == 0)
		return false;
	*thread = p->changed[--p->nr_changed];
	p->words[*thread].is_new = false;
	*state = p->words[*thread].state;
	return true;
}

/* Takes what the IPU of `core` has sent. */
void probes_collect(struct probes *p, uint32_t core);

/* The input set of an epoch. */
static inline const uint64_t *probes_values(const struct probes *p, const struct probe_inputs *inputs, uint64_t epoch)
{
	return inputs->values + epoch * p->config->wiring.nr_values;
}

/* `core` begins a timestep of `thread` in an epoch with the values `from`; `is_accurate`: its observed state is the
 * true one. */
static inline void probes_feed(struct probes *p, uint32_t core, uint32_t thread, const struct probe_inputs *inputs,
			       const uint64_t *from, bool is_accurate)
{
	const struct probe_wiring *w = &p->config->wiring;
	p->accurate[core] += is_accurate;
	for (uint32_t i = 0; i < w->nr_values; i++)
		p->values[i] = from[i];
	if (w->thread < NR_IOREGS)
		p->values[w->thread] = thread < w->max[w->thread] ? thread : w->max[w->thread];
	ipu_unit_input(p->units[core], p->hit_cycle, inputs->valid, p->values);
	probes_collect(p, core);
}

/* The run has ended after `step` timesteps: fills counts[nr_cores]. SAHM_NOMEM when memory has
 * been short. */
enum sahm_status probes_conclude(struct probes *p, uint64_t step, struct probe_counts *counts, struct sahm_err *err);

#endif
