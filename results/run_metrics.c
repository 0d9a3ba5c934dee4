#include "results/run_metrics.h"

#include <math.h>

#include "sim/base/units.h"

/* NAN stands for "nothing to divide by". */
static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

void run_metrics_of_thread(const struct run_thread_result *r, struct thread_metrics *m)
{
	int64_t gained_ns = (int64_t)(r->counts.completed_ns - r->simulated_ns);
	*m = (struct thread_metrics){
		.speedup = (double)gained_ns / (double)r->simulated_ns,
		.served_share = share(r->counts.served, r->counts.executed),
		.matched_share = share(r->counts.matched, r->counts.executed),
	};
}

void run_metrics_of(const struct run_result *r, struct run_metrics *m)
{
	uint64_t served = 0, matched = 0;
	double speedups = 0, completed_ns = 0;
	*m = (struct run_metrics){0};
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		const struct sim_thread_result *c = &r->threads[t].counts;
		struct thread_metrics tm;
		run_metrics_of_thread(&r->threads[t], &tm);
		speedups += tm.speedup;
		completed_ns += (double)c->completed_ns;
		served += c->served;
		matched += c->matched;
		m->executed += c->executed;
		m->transitions += c->transitions;
		m->migrations += c->migrations;
	}
	m->speedup_mean = speedups / r->nr_threads;
	m->speedup_system = (completed_ns - r->capacity_ns) / r->capacity_ns;
	m->served_share = share(served, m->executed);
	m->matched_share = share(matched, m->executed);
	m->running_share = share(m->executed, r->thread_timesteps);
	m->transition_share = share(m->transitions, m->executed);
	m->migrations_per_s = (double)m->migrations / ((double)r->simulated_ns / (double)NS_PER_S);
}
