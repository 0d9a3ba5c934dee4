/* Traces that several configurations share: each is opened once, and classified once per set of cuts. And which
 * plug-ins they have loaded.
 *
 * A cache has one user at a time, and outlives the configurations that were made with it. A trace is known by its path:
 * later changes of the file are not seen.
 */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_CACHE_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_CACHE_H

#include "cores/chip/core_costs.h"
#include "cores/chip/cuts.h"
#include "sched/host/plugin.h"
#include "workloads/trace/trace_ahead.h"

/* Sets of cuts per trace for which states are kept; with another one the oldest is forgotten. */
#define RUN_CACHE_CUTS 4u

struct run_cache;

/* NULL when memory is short. */
struct run_cache *run_cache_new(void);

/* NULL is fine. */
void run_cache_free(struct run_cache *c);

/* Whether the trace of the file at `path` is open. */
bool run_cache_knows(struct run_cache *c, const char *path);

/* The trace of the file `ahead`, which is the cache's; taken as trace_ahead_take() does, with what had to be assumed in
 * `notes`, when it is asked for the first time. Its number in the cache goes into *row. */
enum sahm_status run_cache_trace(struct run_cache *c, struct trace_ahead *ahead, struct textbuf *notes, uint32_t *row,
				 struct trace **trace, struct sahm_err *err);

/* States of the trace `row` under `cuts`: [trace_nr_epochs()], the cache's, valid until RUN_CACHE_CUTS
 * other sets of cuts were asked for. Fails as trace_states() does. */
enum sahm_status run_cache_states(struct run_cache *c, uint32_t row, const struct cuts *cuts, const uint8_t **states,
				  struct sahm_err *err);

/* The table of costs of the file at `path`, the cache's, valid until another one is asked for. Fails as
 * core_costs_read() does. */
enum sahm_status run_cache_costs(struct run_cache *c, const char *path, const struct core_costs **costs,
				 struct sahm_err *err);

/* Plug-ins that configurations of the cache have loaded. */
struct plugin_known *run_cache_plugins(struct run_cache *c);

/* Bytes that traces and states take. */
size_t run_cache_bytes(const struct run_cache *c);

/* Forgets all; no configuration may be in use. */
void run_cache_clear(struct run_cache *c);

#endif
