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

/* A mean in the making: values that are not numbers are left out. */
struct mean {
	double sum;
	uint32_t nr;
};

static void mean_add(struct mean *m, double value)
{
	if (isnan(value))
		return;
	m->sum += value;
	m->nr++;
}

static double mean_of(const struct mean *m)
{
	return m->nr ? m->sum / m->nr : NAN;
}

void run_metrics_of(const struct run_result *r, struct run_metrics *m)
{
	uint64_t served = 0, matched = 0;
	struct mean speedups = {0}, served_shares = {0}, matched_shares = {0};
	*m = (struct run_metrics){0};
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		const struct sim_thread_result *c = &r->threads[t].counts;
		struct thread_metrics tm;
		run_metrics_of_thread(&r->threads[t], &tm);
		mean_add(&speedups, tm.speedup);
		mean_add(&served_shares, tm.served_share);
		mean_add(&matched_shares, tm.matched_share);
		m->completed_ns += (double)c->completed_ns;
		served += c->served;
		matched += c->matched;
		m->executed += c->executed;
		m->transitions += c->transitions;
		m->migrations += c->migrations;
	}
	m->speedup_mean = mean_of(&speedups);
	m->served_mean = mean_of(&served_shares);
	m->matched_mean = mean_of(&matched_shares);
	m->speedup_system = (m->completed_ns - r->capacity_ns) / r->capacity_ns;
	m->served_share = share(served, m->executed);
	m->matched_share = share(matched, m->executed);
	m->running_share = share(m->executed, r->thread_timesteps);
	m->transition_share = share(m->transitions, m->executed);
	m->migrations_per_s = (double)m->migrations / ((double)r->simulated_ns / (double)NS_PER_S);
}
