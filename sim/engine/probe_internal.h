/* The IPUs of a simulation under way, for the engines.
 *
 * In every timestep: probes_begin(), then probes_take_word() until there is none, the pass, and, for each core that
 * executes a thread, probes_set() where it is another one or in another epoch, and probes_feed().
 */
#ifndef SAHM_SIM_ENGINE_PROBE_INTERNAL_H
#define SAHM_SIM_ENGINE_PROBE_INTERNAL_H

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

/* SAHM_NOMEM; SAHM_RANGE when there are too many. */
enum sahm_status late_words_add(struct late_words *late, const struct late_word *word);
/* Takes one that is due by `step`; false when there is none. */
bool late_words_take(struct late_words *late, uint64_t step, struct late_word *word);

/* A packet that was sent after the end of the timestep in which it was taken: the processor runs ahead. Should the
 * simulation be over before that, it has not been sent. */
struct early_packet {
	uint64_t sent_at;
	uint32_t core, nr_bytes;
	bool is_rejected;
};

struct early_packets {
	struct early_packet *packets;
	size_t nr, room;
};

/* Those that were sent up to IPU cycle `now` may be forgotten. SAHM_NOMEM. */
enum sahm_status early_packets_add(struct early_packets *early, const struct early_packet *packet, uint64_t now);
/* Takes those that were sent after IPU cycle `end` off the counts of their cores. */
void early_packets_uncount(const struct early_packets *early, uint64_t end, struct probe_counts *counts);

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
	struct early_packets early;
	struct ipu_counts at_power_on; /* of each, when its `init` is over */
	uint64_t base_hit, base_ipu;   /* cycles of both clocks at the beginning of the simulation */
	uint64_t hit_cycle;	       /* at the beginning of the timestep */
	uint64_t begins_at, ends_at;   /* IPU cycles between which the timestep lies */
	uint64_t in_time;	       /* sent up to this IPU cycle, a word is there before the next pass */
	bool act_alone;		       /* IPUs have had timers: time has to pass for them in every timestep */
	enum sahm_status failed;       /* not SAHM_OK: the run cannot go on, see probes_conclude() */
	uint64_t (*values)[NR_IOREGS]; /* [nr_cores]: the input set that each core had last */
};

/* Powers the IPUs on. On success the caller releases them. SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status probes_init(struct probes *p, const struct probe_config *config, uint32_t nr_cores,
			     uint32_t nr_threads, uint64_t timestep_ns, struct sahm_err *err);
void probes_release(struct probes *p);

/* Timestep whose pass is the first to see a word that was sent in IPU cycle `sent_at`. */
uint64_t probes_due_of(const struct probes *p, uint64_t sent_at);
/* IPU cycle up to which a word must be sent to be there before the pass of timestep `step`. */
uint64_t probes_in_time_for(const struct probes *p, uint64_t step);

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

/* The input set of a thread in an epoch is that of `core` now. */
static inline void probes_set(struct probes *p, uint32_t core, uint32_t thread, const struct probe_inputs *inputs,
			      uint64_t epoch)
{
	const struct probe_wiring *w = &p->config->wiring;
	const uint64_t *from = inputs->values + epoch * w->nr_values;
	uint64_t *to = p->values[core];
	for (uint32_t i = 0; i < w->nr_values; i++)
		to[i] = from[i];
	if (w->thread < NR_IOREGS)
		to[w->thread] = thread < w->max[w->thread] ? thread : w->max[w->thread];
}

/* `core` begins a timestep with the input set that it has; `valid` is that of the thread's inputs. The caller
 * counts it in p->accurate if the thread's observed state is the true one. */
static inline void probes_feed(struct probes *p, uint32_t core, uint32_t valid)
{
	ipu_unit_input(p->units[core], p->hit_cycle, valid, p->values[core]);
	probes_collect(p, core);
}

/* The run has ended after `step` timesteps: fills counts[nr_cores]. If it has failed, says why: SAHM_NOMEM; SAHM_RANGE,
 * too many words were on their way. */
enum sahm_status probes_conclude(struct probes *p, uint64_t step, struct probe_counts *counts, struct sahm_err *err);

#endif
