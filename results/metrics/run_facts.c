#include "results/metrics/run_facts.h"

#include <inttypes.h>

#include "sim/base/clean.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

bool run_facts_arrived(const struct run_thread_result *r, uint64_t *ns)
{
	*ns = r->arrived_ns;
	return r->counts.present_ns > 0;
}

bool run_facts_left(const struct run_thread_result *r, uint64_t *ns)
{
	*ns = r->nr_left ? r->left_ns / r->nr_left : 0;
	return r->nr_left > 0;
}

void run_facts_count_left(const struct run_config *config, const struct run_result *result, uint32_t *nr_once,
			  uint32_t *nr_left)
{
	*nr_once = *nr_left = 0;
	for (uint32_t t = 0; t < result->nr_threads; t++) {
		*nr_once += config->threads[t].once;
		*nr_left += config->threads[t].once && result->threads[t].counts.left;
	}
}

const struct core_group *run_facts_core_group(const struct run_config *config, uint32_t core)
{
	uint32_t g = 0;
	for (; core >= config->groups[g].count; g++)
		core -= config->groups[g].count;
	return &config->groups[g];
}

const char *run_facts_core_tenant(const struct run_config *config, uint32_t core)
{
	return run_facts_core_group(config, core)->tenant;
}

bool run_facts_any_slept(const struct run_result *result)
{
	bool slept = false;
	for (uint32_t t = 0; t < result->nr_threads; t++)
		slept |= result->threads[t].counts.slept_ns > 0;
	return slept;
}

bool run_facts_ignored(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	if (result->nr_ignored)
		textbuf_printf(out,
			       "policy '%s' inserted threads that it did not have %" PRIu64
			       " time%s; these inserts were ignored",
			       config->policy->name, result->nr_ignored, result->nr_ignored == 1 ? "" : "s");
	return result->nr_ignored > 0;
}

/* A shorter wait at the end is normal: default slices per thread, and timesteps. */
#define PATIENCE_SLICES 2
#define PATIENCE_TIMESTEPS 10

bool run_facts_waiting(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	const struct sim_waiting *w = &result->waiting;
	uint64_t run_ns = result->simulated_ns / result->nr_simulations;
	if (w->ns < (w->is_kept ? run_ns / 4 : run_ns / 2) ||
	    w->ns <= PATIENCE_SLICES * SCX_SLICE_DFL * result->nr_threads ||
	    w->ns <= PATIENCE_TIMESTEPS * result->timestep_ns)
		return false;
	textbuf_printf(out, "policy '%s' has let thread %s (pid %u) wait for the last %.3f s of the run%s",
		       config->policy->name, config->threads[w->thread].name, config->alone ? 1 : w->thread + 1,
		       (double)w->ns / (double)NS_PER_S, w->is_kept ? ", and put it in no queue" : "");
	return true;
}

bool run_facts_given_up(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	uint32_t nr_once, nr_left;
	if (!result->nr_given_up)
		return false;
	run_facts_count_left(config, result, &nr_once, &nr_left);
	if (result->nr_simulations == 1)
		textbuf_printf(out, "after %.2f s", (double)result->simulated_ns / (double)NS_PER_S);
	else
		textbuf_printf(out, "%" PRIu64 " of %" PRIu64 " simulations", result->nr_given_up,
			       result->nr_simulations);
	textbuf_printf(out, ": %u of %u thread%s had not finished", nr_once - nr_left, nr_once,
		       nr_once == 1 ? "" : "s");
	return true;
}

void run_facts_write_fault(const struct ipu_fault *fault, struct textbuf *out)
{
	textbuf_printf(out, "%s", hart_cause_text(fault->cause));
	if (hart_cause_has_address(fault->cause))
		textbuf_printf(out, " (0x%08" PRIx32 ")", fault->address);
	textbuf_printf(out, " at 0x%08" PRIx32 " in %s", fault->pc, fault->routine);
}

bool run_facts_faults(const struct run_result *result, struct textbuf *out)
{
	uint32_t nr_faulty = 0, core = 0;
	for (uint32_t c = 0; result->probes && c < result->nr_cores; c++)
		nr_faulty += result->probes[c].nr_faults > 0;
	if (nr_faulty == 0)
		return false;
	while (result->probes[core].nr_faults == 0)
		core++;
	textbuf_printf(out, "%u of %u IPUs ended in ERROR and reported nothing after that; that of core %u by ",
		       nr_faulty, result->nr_cores, core);
	run_facts_write_fault(&result->probes[core].fault, out);
	return true;
}

void run_facts_write_speedups(const struct core_group *group, struct textbuf *out)
{
	const struct core_spec *spec = &group->spec;
	bool same = true;
	const char *sign = " ";
	for (unsigned i = 1; i < spec->nr_speedups; i++)
		same &= spec->speedup_ppm[i] == spec->speedup_ppm[0];
	if (spec->nr_speedups == 0 || spec->nr_speedups == NR_STATES)
		return;
	if (same) {
		textbuf_puts(out, spec->speedup_ppm[0] < 0 ? " " : " +");
		number_write_double(out, pct_of_ppm(spec->speedup_ppm[0]), 0);
	}
	/* A state that stresses only one component has that component's speedup. Names begin at the far end. */
	for (unsigned c = NR_COMPONENTS; !same && c-- > 0;) {
		int32_t ppm = group->type.speedup_ppm[1u << c];
		if (!core_serves(&group->type, 1u << c))
			continue;
		textbuf_printf(out, "%s%s", sign, ppm < 0 ? "" : "+");
		number_write_double(out, pct_of_ppm(ppm), 0);
		sign = "/";
	}
	textbuf_puts(out, " %");
}

void run_facts_name_core(const struct run_config *config, uint32_t core, struct textbuf *out)
{
	const char *tenant = run_facts_core_tenant(config, core);
	textbuf_printf(out, "core %" PRIu32 ": %s", core, config->chip.cores[core]->name);
	run_facts_write_speedups(run_facts_core_group(config, core), out);
	if (tenant)
		textbuf_printf(out, " (%s)", tenant);
}

void run_facts_write_chip(const struct run_config *config, struct textbuf *out)
{
	const char *comma = "";
	size_t begin = out->len;
	textbuf_printf(out, "%u core%s: ", config->chip.nr_cores, config->chip.nr_cores == 1 ? "" : "s");
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		if (group->count == 0)
			continue;
		textbuf_printf(out, "%s%s", comma, group->type.name);
		run_facts_write_speedups(group, out);
		if (group->scarce)
			textbuf_printf(out, " (%d state%s scarce)", __builtin_popcount(group->scarce),
				       group->scarce & (group->scarce - 1) ? "s" : "");
		if (group->count > 1)
			textbuf_printf(out, " x %u", group->count);
		if (group->tenant)
			textbuf_printf(out, " (%s)", group->tenant);
		comma = ", ";
	}
	if (!textbuf_failed(out))
		clean_text(out->text + begin);
	textbuf_putc(out, '\n');
}
