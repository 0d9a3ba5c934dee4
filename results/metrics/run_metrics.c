#include "results/metrics/run_metrics.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/stats.h"
#include "sim/base/units.h"

__extension__ typedef unsigned __int128 wide;

#define PPM 1e6

const struct run_metric_row run_metric_rows[NR_RUN_METRICS] = {
#define RUN_METRIC(member, form, words) {#member, words, RUN_##form},
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
};

double run_metric(const struct run_metrics *m, enum run_metric which)
{
	const double values[NR_RUN_METRICS] = {
#define RUN_METRIC(member, form, words) m->member,
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	};
	return values[which];
}

double run_metrics_awake(const struct run_config *config, const struct run_metrics *m, const struct run_result *r)
{
	return !config->alone && r->simulated_ns ? (m->present_ns - m->slept_ns) / (double)r->simulated_ns : 0;
}

bool run_metric_applies(const struct run_result *r, enum run_metric which)
{
	switch (run_metric_rows[which].form) {
	case RUN_WAIT:
		return r->is_continuous;
	case RUN_ENERGY:
		return r->energy.is_known;
	default:
		return true;
	}
}

int run_metric_direction(enum run_metric which)
{
	switch (run_metric_rows[which].form) {
	case RUN_SPEEDUP:
		return 1;
	case RUN_RATE:
	case RUN_TIME:
	case RUN_WAIT:
	case RUN_ENERGY:
		return -1;
	case RUN_SHARE:
		/* How often states change is the traces' affair. */
		return which == RUN_METRIC_paid_share ? -1 : which != RUN_METRIC_transition_share;
	case RUN_NUMBER:
		break;
	}
	return which == RUN_METRIC_antt || which == RUN_METRIC_slowdown_max || which == RUN_METRIC_unfairness ? -1 : 1;
}

double run_timesteps(const struct run_result *r, uint64_t count)
{
	return r->is_continuous ? (double)count / (double)r->timestep_ns : (double)count;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

/* What is above `whole`, as a share of it. */
static double gain(double part, double whole)
{
	return whole > 0 ? (part - whole) / whole : NAN;
}

static struct energy_metrics energy_of(double energy_j, double instructions, double ns, double completed_ns)
{
	double s = ns / (double)NS_PER_S, work_s = completed_ns / (double)NS_PER_S;
	struct energy_metrics m = {energy_j, NAN, NAN, NAN, NAN};
	if (s > 0)
		m.power_w = energy_j / s;
	if (instructions > 0)
		m.instruction_nj = energy_j * 1e9 / instructions;
	if (work_s > 0) {
		m.edp = energy_j / work_s * (s / work_s);
		m.ed2p = m.edp * (s / work_s);
	}
	return m;
}

void run_metrics_of_thread(const struct run_result *r, uint32_t thread, struct thread_metrics *m)
{
	const struct sim_thread_result *c = &r->threads[thread].counts;
	uint64_t awake_ns = c->present_ns - c->slept_ns;
	int64_t gained_ns = (int64_t)(c->completed_ns - awake_ns);
	*m = (struct thread_metrics){
		.speedup = awake_ns ? (double)gained_ns / (double)awake_ns : NAN,
		.served_share = share(c->served, c->executed),
		.matched_share = share(c->matched, c->executed),
		.mismatched_ns = (c->executed - c->matched) * run_unit_ns(r),
		.energy = energy_of(r->energy.is_known ? r->threads[thread].energy_j : NAN,
				    r->threads[thread].instructions, (double)c->present_ns, (double)c->completed_ns),
	};
}

static struct part_metrics part_of(const struct sim_counts *counts, uint64_t whole)
{
	return (struct part_metrics){
		.share = share(counts->executed, whole),
		.served_share = share(counts->served, counts->executed),
		.matched_share = share(counts->matched, counts->executed),
	};
}

void run_metrics_of_core(const struct run_result *r, uint32_t core, struct part_metrics *m)
{
	*m = part_of(&r->cores[core], r->is_continuous ? r->simulated_ns : r->nr_timesteps);
}

void run_metrics_of_state(const struct run_result *r, unsigned state, struct part_metrics *m)
{
	uint64_t executed = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		executed += r->states[s].executed;
	*m = part_of(&r->states[state], executed);
}

void run_metrics_of_probe(const struct run_config *config, const struct run_result *r,
			  const struct probe_counts *counts, uint32_t nr_ipus, struct probe_metrics *m)
{
	wide cycles = (wide)probe_cycles_of(r->simulated_ns, config->introspection->probe.ipu_mhz) * nr_ipus;
	double seconds = (double)r->simulated_ns / (double)NS_PER_S;
	*m = (struct probe_metrics){
		.instructions_per_invocation = share(counts->instructions, counts->invocations),
		.bytes_per_s = seconds > 0 ? (double)counts->bytes / seconds / nr_ipus : NAN,
		.accurate_share = share(counts->accurate, counts->arrived),
		.utilisation_ppm = cycles ? fmin(PPM, (double)counts->busy_cycles * PPM / (double)cycles) : NAN,
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

static double jain_of(const double *values, uint32_t nr)
{
	double sum = 0, squares = 0;
	for (uint32_t i = 0; i < nr; i++) {
		sum += values[i];
		squares += values[i] * values[i];
	}
	return squares > 0 ? sum * sum / (nr * squares) : NAN;
}

/* Metrics derived only from NP; `progress[nr]` is that of the threads that were present, `due[nr]` by weight. */
static void compare_progress(const double *progress, const double *due, uint32_t nr, struct run_metrics *m)
{
	double inverses = 0, least = INFINITY, most = 0;
	for (uint32_t i = 0; i < nr; i++) {
		inverses += progress[i] > 0 ? 1 / progress[i] : INFINITY;
		least = fmin(least, progress[i]);
		most = fmax(most, progress[i]);
	}
	m->antt = nr ? inverses / nr : NAN;
	m->jain = jain_of(progress, nr);
	m->jain_weighted = jain_of(due, nr);
	m->slowdown_max = !nr ? NAN : least > 0 ? 1 / least : INFINITY;
	m->unfairness = !nr ? NAN : least > 0 ? most / least : INFINITY;
	m->speedup_harmonic = nr ? nr / inverses - 1 : NAN;
	m->speedup_geometric = nr ? stats_geometric_mean(progress, nr) - 1 : NAN;
}

static double wait_of(const struct wait_summary *s, enum wait_rank rank)
{
	return s->nr ? (double)s->ns[rank] : NAN;
}

static void summarize_waits(const struct run_result *r, struct run_metrics *m)
{
	m->latency_p50_ns = wait_of(&r->latency, WAIT_P50);
	m->latency_p95_ns = wait_of(&r->latency, WAIT_P95);
	m->latency_p99_ns = wait_of(&r->latency, WAIT_P99);
	m->wait_p50_ns = wait_of(&r->wait, WAIT_P50);
	m->wait_p95_ns = wait_of(&r->wait, WAIT_P95);
	m->wait_p99_ns = wait_of(&r->wait, WAIT_P99);
}

static void measure_energy(const struct run_result *r, struct run_metrics *m)
{
	const struct run_energy_sum *e = &r->energy;
	struct energy_metrics of_chip = energy_of(e->is_known ? e->static_j + e->dynamic_j + e->migration_j : NAN,
						  e->instructions, (double)r->simulated_ns, m->completed_ns);
	m->energy_j = of_chip.energy_j;
	m->instruction_nj = of_chip.instruction_nj;
	m->power_w = of_chip.power_w;
	m->edp = of_chip.edp;
	m->ed2p = of_chip.ed2p;
}

enum sahm_status run_metrics_of(const struct run_result *r, struct run_metrics *m, struct sahm_err *err)
{
	uint64_t served = 0, matched = 0;
	uint32_t nr_awake = 0;
	double unit_ns = (double)run_unit_ns(r), simulated_s = (double)r->simulated_ns / (double)NS_PER_S;
	struct mean speedups = {0}, served_shares = {0}, matched_shares = {0};
	double *progress = calloc(r->nr_threads, 2 * sizeof(*progress)), *due = progress + r->nr_threads;
	*m = (struct run_metrics){0};
	if (!progress)
		return sahm_fail_nomem(err);
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		const struct sim_thread_result *c = &r->threads[t].counts;
		struct thread_metrics tm;
		run_metrics_of_thread(r, t, &tm);
		mean_add(&speedups, tm.speedup);
		mean_add(&served_shares, tm.served_share);
		mean_add(&matched_shares, tm.matched_share);
		if (c->present_ns > c->slept_ns) {
			uint32_t weight = r->threads[t].weight ? r->threads[t].weight : DEFAULT_WEIGHT;
			progress[nr_awake] = (double)c->completed_ns / (double)(c->present_ns - c->slept_ns);
			due[nr_awake] = progress[nr_awake] / ((double)weight / DEFAULT_WEIGHT);
			nr_awake++;
		}
		m->nr_present += c->present_ns > 0;
		m->completed_ns += (double)c->completed_ns;
		m->present_ns += (double)c->present_ns;
		m->slept_ns += (double)c->slept_ns;
		m->paid_ns += (double)c->paid_ns;
		served += c->served;
		matched += c->matched;
		m->executed += c->executed;
		m->transitions += c->transitions;
		m->migrations += c->migrations;
	}
	compare_progress(progress, due, nr_awake, m);
	free(progress);
	m->speedup_mean = m->thread_mean = mean_of(&speedups);
	m->served_mean = mean_of(&served_shares);
	m->matched_mean = mean_of(&matched_shares);
	m->stp = m->nr_present ? m->completed_ns / (double)r->simulated_ns : NAN;
	m->speedup_system = gain(m->completed_ns, r->capacity_ns);
	m->served_share = share(served, m->executed);
	m->matched_share = share(matched, m->executed);
	m->running_share = share(m->executed, r->thread_timesteps);
	m->transition_share = m->executed ? (double)m->transitions / run_timesteps(r, m->executed) : NAN;
	m->migrations_per_s = (double)m->migrations / simulated_s;
	m->decisions_per_s = (double)r->decisions / simulated_s;
	m->mismatched_ns = (double)(m->executed - matched) * unit_ns;
	m->paid_share = m->executed ? m->paid_ns / ((double)m->executed * unit_ns) : NAN;
	measure_energy(r, m);
	summarize_waits(r, m);
	return SAHM_OK;
}
