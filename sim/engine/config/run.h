/* Carrying out a configuration: one simulation, or one per thread in mode `alone`; and that as often as the
 * configuration wants samples.
 *
 * Sample 0 has the configured offsets. In every other one each thread begins a random number of ns further on in its
 * trace, each number below the trace's length as likely as the others; after its end the trace repeats. The number
 * follows only from seed, thread index and sample. A thread that does not repeat its trace keeps its offset: another
 * one would give it other work to do. A list of bursts begins a random number of bursts further on, drawn in the same
 * way; bursts that are drawn follow from a seed of the sample's own, and in mode alone of the thread's. Results of
 * several simulations are pooled: times, timesteps and counts add up.
 */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_H

#include "sim/engine/config/run_config.h"
#include "sim/engine/sim.h"

struct run_thread_result {
	uint32_t weight;		 /* with which it arrives; 0 stands for DEFAULT_WEIGHT */
	struct sim_thread_result counts; /* `left`: in all simulations that it took part in */
	uint64_t simulated_ns;		 /* of the simulations that it took part in */
	/* Beginning of the timestep in which it arrives, the same in each of them; says nothing when it was never
	 * present. */
	uint64_t arrived_ns;
	uint64_t left_ns;	 /* when its trace ended, added up over the simulations in which it left: */
	uint32_t nr_left;	 /* number of these, */
	uint32_t nr_simulations; /* out of this number */
	/* Where the chip's energy is known: the thread's, and the instructions that it completed (run_energy.h). */
	double energy_j, instructions;
};

/* Energy of the chip in all simulations (run_energy.h). */
struct run_energy_sum {
	bool is_known; /* the configuration's table has all figures; else the others are 0 */
	double static_j, dynamic_j, migration_j;
	double instructions; /* that all threads completed, by the counts of their traces */
};

/* Percentiles of waits that are reported: each is a metric of latency and of wait (run_metric_list.h). */
enum wait_rank { WAIT_P50, WAIT_P95, WAIT_P99, NR_WAIT_RANKS };

/* What is kept of a histogram of waits: a run can have many samples, and a histogram is large. */
struct wait_summary {
	uint64_t nr;		    /* waits; without any, the percentiles say nothing */
	uint64_t ns[NR_WAIT_RANKS]; /* of all of them together, as histogram_percentile() has them */
};

/* Counts that are of timesteps are of ns where the run was in continuous time. */
struct run_result {
	struct run_thread_result *threads; /* [nr_threads], the configuration's */
	uint32_t nr_threads;
	struct sim_counts *cores; /* [nr_cores], the chip's */
	uint32_t nr_cores;
	struct probe_counts *probes;	     /* [nr_cores]: IPUs; NULL without introspection */
	uint64_t *residency;		     /* [nr_points]: ns of cores at each operating point of the configuration */
	uint64_t *over_ns;		     /* [nr_shared]: time in which a group that shares was above its capacity */
	struct sim_counts states[NR_STATES]; /* timesteps by the state in which they began */
	uint64_t timestep_ns;
	bool is_continuous;		   /* as in struct sim_result */
	struct wait_summary latency, wait; /* of all simulations together, in continuous time */
	struct sim_waiting waiting;	   /* the longest of those at the ends of all simulations */
	uint64_t nr_ignored;		   /* inserts by the policy of threads that it did not have */
	uint64_t nr_timesteps;		   /* all simulations together, as below */
	uint64_t simulated_ns;		   /* this number of timesteps */
	uint64_t decisions;		   /* moves and swaps, a swap counting one */
	uint64_t thread_timesteps; /* threads present in each timestep, added up: what could have been executed at most
				    */
	/* Sum over timesteps of min(threads present, cores) x timestep, in ns: the system's capacity at baseline speed.
	 * A double: it only ever divides, and may exceed 64 bits. */
	double capacity_ns;
	struct run_energy_sum energy;
	uint64_t nr_simulations;
	uint64_t nr_given_up;	    /* of these: ended although a thread had not left, as sim.h says */
	struct run_result *samples; /* [nr_samples], each without further samples; NULL if there is but one */
	uint32_t nr_samples;
};

/* What a count of timesteps in `r` counts: each this number of ns long. */
static inline uint64_t run_unit_ns(const struct run_result *r)
{
	return r->is_continuous ? 1 : r->timestep_ns;
}

/* The percentiles of `h`. */
struct wait_summary wait_summary_of(const struct histogram *h);

/* States of trace `i` of `config` under its cuts: those of its cache or, where it has none, put into `own`, which has
 * room for all epochs then. As run_cache_states() and trace_states() fail. */
enum sahm_status run_states(const struct run_config *config, uint32_t i, uint8_t *own, const uint8_t **states,
			    struct sahm_err *err);

/* The same of all traces, once each: states[nr_traces], from `a`. SAHM_NOMEM as well. */
enum sahm_status run_classify(const struct run_config *config, struct arena *a, const uint8_t **states,
			      struct sahm_err *err);

/* Runs `config` with `engine`; in mode `alone` each thread arrives at once. On success the caller releases `result`
 * with run_result_release(). Samples are all alike where no thread repeats its trace or sleeps; run_config_load()
 * refuses that. Fails with SAHM_RANGE when sums exceed 64 bits, and as trace_states(), probe_inputs_read() and
 * sim_run() do. */
enum sahm_status run_execute(const struct run_config *config, enum sim_engine engine, struct run_result *result,
			     struct sahm_err *err);

/* The same, and tells `timeline` (NULL: nobody) what happens in the first sample, and `listener` (NULL: nobody) what
 * the policy does there: in mode `alone` in one simulation per thread, one after the other, each from 0 ns on. A
 * timeline of a run that fails is of no use. */
enum sahm_status run_execute_with_listeners(const struct run_config *config, enum sim_engine engine,
					    struct timeline_sink *timeline, struct host_listener *listener,
					    struct run_result *result, struct sahm_err *err);

void run_result_release(struct run_result *result);

#endif
