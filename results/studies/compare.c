#include "results/studies/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "results/metrics/run_facts.h"
#include "results/metrics/run_metrics.h"
#include "results/metrics/run_samples.h"
#include "sim/base/units.h"
#include "sim/engine/config/run.h"
#include "workloads/synth/synth.h"

struct compare_cell *compare_cell(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t cost)
{
	const struct study *s = c->study;
	return &c->cells[((size_t)suite * s->nr_policies + policy) * s->nr_costs + cost];
}

enum sahm_status compare_init(const struct study *study, struct comparison *c, struct sahm_err *err)
{
	size_t nr = (size_t)study->nr_suites * study->nr_policies * study->nr_costs;
	*c = (struct comparison){.study = study,
				 .cells = calloc(nr, sizeof(*c->cells)),
				 .traces = calloc(study->nr_suites, sizeof(*c->traces)),
				 .verdicts = calloc(study->nr_claims + 1, sizeof(*c->verdicts))};
	textbuf_init(&c->notes);
	if (c->cells && c->traces && c->verdicts)
		return SAHM_OK;
	compare_release(c);
	return sahm_fail_nomem(err);
}

void compare_release(struct comparison *c)
{
	free(c->cells);
	free(c->traces);
	free(c->verdicts);
	textbuf_release(&c->notes);
	*c = (struct comparison){0};
}

void compare_list(const struct study *study, struct textbuf *out)
{
	uint32_t nr = 0;
	for (uint32_t s = 0; s < study->nr_suites; s++)
		for (uint32_t p = 0; p < study->nr_policies; p++)
			for (uint32_t c = 0; c < study->nr_costs; c++, nr++)
				textbuf_printf(out, "%s: %s, %g ms\n", study->suites[s].name, study->policies[p].name,
					       study->costs_ms[c]);
	textbuf_printf(out, "%u run%s\n", nr, nr == 1 ? "" : "s");
}

/* Traces that are generated for a suite, by the rows of its profile; each is made when a configuration first names it,
 * and belongs to no configuration. */
struct generated {
	struct profile profile;
	struct trace **traces; /* [nr_rows]; NULL: not made yet */
};

/* Where a policy is run on a suite. */
struct place {
	const struct study *study;
	const struct study_suite *suite;
	const struct study_policy *policy;
	struct generated *generated;	   /* NULL: none */
	const struct compare_watch *watch; /* NULL: none */
	uint64_t nr_done;		   /* runs */
	struct sahm_err *err;
};

/* Says of a failure on which suite, and, where it is known, with which policy. */
static enum sahm_status fail_there(const struct place *p, enum sahm_status status, const struct sahm_err *cause)
{
	const struct cfg_node *node = p->policy ? p->policy->node : p->suite->node;
	if (status == SAHM_NOMEM)
		return sahm_fail_nomem(p->err);
	return cfg_fail(node, p->err, "%s%s%ssuite '%s': %s", p->policy ? "policy '" : "",
			p->policy ? p->policy->name : "", p->policy ? "', " : "", p->suite->name, cause->msg);
}

static enum sahm_status generated_init(const struct place *p, struct generated *g)
{
	struct sahm_err cause;
	enum sahm_status status = profile_read(p->suite->profile, &g->profile, &cause);
	if (status != SAHM_OK)
		return fail_there(p, status, &cause);
	g->traces = calloc(g->profile.nr_rows, sizeof(struct trace *));
	if (g->traces)
		return SAHM_OK;
	profile_release(&g->profile);
	return sahm_fail_nomem(p->err);
}

static void generated_release(struct generated *g)
{
	for (size_t i = 0; i < g->profile.nr_rows; i++)
		trace_free(g->traces[i]);
	free(g->traces);
	profile_release(&g->profile);
}

/* The trace of the profile that has the name of `like`. */
static enum sahm_status generate_like(const struct place *p, const struct trace *like, struct trace **trace)
{
	struct generated *g = p->generated;
	struct sahm_err cause;
	size_t row = 0;
	while (row < g->profile.nr_rows && !profile_same_name(g->profile.rows[row].name, trace_name(like)))
		row++;
	if (row == g->profile.nr_rows)
		return cfg_fail(p->suite->node, p->err, "suite '%s': profile '%s' has no benchmark '%s'",
				p->suite->name, p->suite->profile, trace_name(like));
	if (!g->traces[row]) {
		enum sahm_status status =
			synth_trace(&g->profile, row, p->suite->has_seed ? p->suite->seed : g->profile.seed,
				    &g->traces[row], NULL, &cause);
		if (status != SAHM_OK)
			return fail_there(p, status, &cause);
	}
	*trace = g->traces[row];
	return SAHM_OK;
}

/* Puts generated traces in the place of those that a configuration has opened. They stay the suite's: give_back() must
 * come before the configuration is released. */
static enum sahm_status put_generated(const struct place *p, struct run_config *config)
{
	for (uint32_t i = 0; i < config->nr_traces; i++) {
		struct trace *trace = NULL;
		enum sahm_status status = generate_like(p, config->traces[i].trace, &trace);
		if (status != SAHM_OK)
			return status;
		trace_free(config->traces[i].trace);
		config->traces[i].trace = trace;
	}
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct trace *trace = config->traces[config->threads[t].trace].trace;
		if (config->threads[t].offset_ns >= trace_nr_epochs(trace) * trace_epoch_ns(trace))
			return cfg_fail(p->suite->node, p->err,
					"suite '%s': thread '%s' begins after the end of its trace from profile '%s'",
					p->suite->name, config->threads[t].name, p->suite->profile);
	}
	return SAHM_OK;
}

static void give_back(const struct place *p, struct run_config *config)
{
	const struct generated *g = p->generated;
	for (uint32_t i = 0; i < config->nr_traces && g; i++)
		for (size_t row = 0; row < g->profile.nr_rows; row++)
			if (config->traces[i].trace == g->traces[row])
				config->traces[i].trace = NULL;
}

/* Settings of the suite, then of the scheduler, then the policy's own: later ones win. */
static enum sahm_status load(const struct place *p, const char *data_folder, struct run_config *config)
{
	const struct study_settings *of_suite = &p->suite->settings, *of_policy = &p->policy->settings;
	const char **settings = calloc(of_suite->nr + of_policy->nr + 3, sizeof(*settings));
	struct textbuf policy, inertia;
	struct sahm_err cause;
	size_t nr = 0;
	if (!settings)
		return sahm_fail_nomem(p->err);
	textbuf_init(&policy);
	textbuf_init(&inertia);
	textbuf_puts(&policy, "scheduler.policy=");
	cfg_write_string(&policy, p->policy->policy);
	textbuf_printf(&inertia, "scheduler.inertia=%" PRIu32, p->policy->inertia);
	for (size_t i = 0; i < of_suite->nr; i++)
		settings[nr++] = of_suite->text[i];
	settings[nr++] = policy.text;
	settings[nr++] = p->policy->oracle ? "scheduler.oracle=true" : "scheduler.oracle=false";
	if (p->policy->has_inertia)
		settings[nr++] = inertia.text;
	for (size_t i = 0; i < of_policy->nr; i++)
		settings[nr++] = of_policy->text[i];
	enum sahm_status status = SAHM_NOMEM;
	if (!textbuf_failed(&policy) && !textbuf_failed(&inertia))
		status = run_config_load(config, p->suite->config, settings, nr, data_folder, &cause);
	textbuf_release(&policy);
	textbuf_release(&inertia);
	free(settings);
	if (status != SAHM_OK)
		return fail_there(p, status, &cause);
	if (config->distances.matrix_ns) {
		run_config_release(config);
		return cfg_fail(
			p->suite->node, p->err,
			"suite '%s': migration.matrix_ms says what every migration costs, and the comparison's costs "
			"would have no effect",
			p->suite->name);
	}
	return SAHM_OK;
}

/* What went on oddly in one run. */
static void note_oddities(const struct place *p, const struct run_config *config, const struct run_result *result,
			  double cost_ms, struct textbuf *notes)
{
	struct textbuf text[3];
	bool odd[3];
	for (size_t i = 0; i < 3; i++)
		textbuf_init(&text[i]);
	textbuf_puts(&text[0], "given up ");
	odd[0] = run_facts_given_up(config, result, &text[0]);
	odd[1] = run_facts_faults(result, &text[1]);
	odd[2] = run_facts_ignored(config, result, &text[2]);
	for (size_t i = 0; i < 3; i++) {
		if (odd[i])
			textbuf_printf(notes, "%s: %s, %g ms: %s\n", p->suite->name, p->policy->name, cost_ms,
				       text[i].text);
		textbuf_release(&text[i]);
	}
}

static enum sahm_status run_cell(const struct place *p, const struct run_config *config, double cost_ms,
				 struct compare_cell *cell, struct textbuf *notes)
{
	struct run_result result;
	struct run_metrics m;
	struct run_samples samples = {0};
	struct sahm_err cause;
	enum sahm_status status = run_execute(config, SIM_EVENT, &result, &cause);
	if (status != SAHM_OK)
		return fail_there(p, status, &cause);
	status = run_metrics_of(&result, &m, &cause);
	if (status == SAHM_OK)
		status = run_samples_of(&result, config->seed, &samples, &cause);
	if (status == SAHM_OK) {
		run_samples_put_means(&samples, &m);
		*cell = (struct compare_cell){
			.metrics = m,
			.is_shared = run_metrics_awake(config, &m, &result) > config->chip.nr_cores,
		};
		note_oddities(p, config, &result, cost_ms, notes);
	}
	run_samples_release(&samples);
	run_result_release(&result);
	return status == SAHM_OK ? SAHM_OK : fail_there(p, status, &cause);
}

/* One policy on one suite, with every cost; without `c` what it takes is made ready, and nothing is run. */
static enum sahm_status run_row(struct place *p, const char *data_folder, struct comparison *c)
{
	const struct study *study = p->study;
	uint32_t suite = (uint32_t)(p->suite - study->suites), policy = (uint32_t)(p->policy - study->policies);
	uint32_t nr_costs = c ? study->nr_costs : 0;
	struct run_config config;
	enum sahm_status status = load(p, data_folder, &config);
	if (status != SAHM_OK)
		return status;
	if (p->generated)
		status = put_generated(p, &config);
	else if (policy == 0 && c)
		textbuf_puts(&c->notes, config.notes.text);
	for (uint32_t i = 0; i < config.nr_traces && status == SAHM_OK && c; i++)
		trace_counts_add(&c->traces[suite], trace_provenance(config.traces[i].trace));
	for (uint32_t i = 0; i < config.nr_groups && status == SAHM_OK && c; i++)
		c->scarce |= config.groups[i].scarce;
	for (uint32_t i = 0; i < nr_costs && status == SAHM_OK; i++) {
		config.distances.cost_ns = ns_of_ms(study->costs_ms[i]);
		status = run_cell(p, &config, study->costs_ms[i], compare_cell(c, suite, policy, i), &c->notes);
		p->nr_done++;
		if (status == SAHM_OK && p->watch)
			p->watch->progress(p->watch->ctx, p->nr_done,
					   (uint64_t)study->nr_suites * study->nr_policies * study->nr_costs);
	}
	give_back(p, &config);
	run_config_release(&config);
	return status;
}

static enum sahm_status run_suite(struct place *p, const char *data_folder, struct comparison *c)
{
	struct generated generated;
	enum sahm_status status = SAHM_OK;
	p->policy = NULL;
	p->generated = NULL;
	if (p->suite->profile) {
		status = generated_init(p, &generated);
		p->generated = status == SAHM_OK ? &generated : NULL;
	}
	for (uint32_t i = 0; i < p->study->nr_policies && status == SAHM_OK; i++) {
		p->policy = &p->study->policies[i];
		status = run_row(p, data_folder, c);
	}
	if (p->generated)
		generated_release(p->generated);
	return status;
}

/* Nobody is to wait for the last suite to hear that a policy is not there: each is loaded once at first. */
static enum sahm_status try_policies(struct place *p, const char *data_folder)
{
	enum sahm_status status = SAHM_OK;
	p->suite = &p->study->suites[0];
	for (uint32_t i = 0; i < p->study->nr_policies && status == SAHM_OK; i++) {
		struct run_config config;
		p->policy = &p->study->policies[i];
		status = load(p, data_folder, &config);
		if (status == SAHM_OK)
			run_config_release(&config);
	}
	return status;
}

static enum sahm_status run_suites(const struct study *study, const char *data_folder,
				   const struct compare_watch *watch, struct comparison *c, struct sahm_err *err)
{
	struct place p = {.study = study, .watch = watch, .err = err};
	enum sahm_status status = try_policies(&p, data_folder);
	for (uint32_t i = 0; i < study->nr_suites && status == SAHM_OK; i++) {
		p.suite = &study->suites[i];
		status = run_suite(&p, data_folder, c);
	}
	return status;
}

/* Not every run has every metric: where no thread sleeps, there are no latencies. */
static enum sahm_status check_claim(const struct comparison *c, const struct study_claim *claim, struct sahm_err *err)
{
	const uint32_t policies[] = {claim->policy, claim->other};
	if (claim->kind != CLAIM_ABOVE)
		return SAHM_OK;
	for (size_t p = 0; p < ARRAY_SIZE(policies); p++)
		for (uint32_t i = 0; i < c->study->nr_costs; i++)
			if (!isfinite(
				    run_metric(&compare_cell(c, claim->suite, policies[p], i)->metrics, claim->metric)))
				return cfg_fail(
					claim->node, err, "policy '%s', suite '%s': the run has no value of '%s' (%s)",
					c->study->policies[policies[p]].name, c->study->suites[claim->suite].name,
					run_metric_rows[claim->metric].name, run_metric_rows[claim->metric].words);
	return SAHM_OK;
}

enum sahm_status compare_check(const struct study *study, const char *data_folder, struct sahm_err *err)
{
	return run_suites(study, data_folder, NULL, NULL, err);
}

enum sahm_status compare_run(const struct study *study, const char *data_folder, const struct compare_watch *watch,
			     struct comparison *c, struct sahm_err *err)
{
	enum sahm_status status = compare_init(study, c, err);
	if (status != SAHM_OK)
		return status;
	status = run_suites(study, data_folder, watch, c, err);
	for (uint32_t i = 0; i < study->nr_claims && status == SAHM_OK; i++)
		status = check_claim(c, &study->claims[i], err);
	if (status == SAHM_OK)
		compare_judge(c);
	else
		compare_release(c);
	return status;
}

/* What a comparison says of policies: losses, shares, records, claims. */

static double speedup(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t cost)
{
	return compare_cell(c, suite, policy, cost)->metrics.speedup_mean;
}

double compare_loss(const struct comparison *c, uint32_t suite, uint32_t policy)
{
	return speedup(c, suite, policy, 0) - speedup(c, suite, policy, c->study->nr_costs - 1);
}

double compare_share(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t of)
{
	double whole = speedup(c, suite, of, 0);
	return whole > 0 ? speedup(c, suite, policy, 0) / whole : NAN;
}

bool compare_costs_are_idle(const struct comparison *c, uint32_t suite)
{
	bool moves = false;
	for (uint32_t p = 0; p < c->study->nr_policies; p++) {
		const struct compare_cell *first = compare_cell(c, suite, p, 0);
		moves |= first->metrics.migrations_per_s > 0;
		for (uint32_t i = 1; i < c->study->nr_costs; i++) {
			const struct compare_cell *cell = compare_cell(c, suite, p, i);
			if (cell->metrics.speedup_mean != first->metrics.speedup_mean ||
			    cell->metrics.migrations_per_s != first->metrics.migrations_per_s)
				return false;
		}
	}
	return moves && c->study->nr_costs > 1;
}

double compare_best(const struct comparison *c, uint32_t suite, uint32_t cost)
{
	double best = NAN;
	for (uint32_t p = 0; p < c->study->nr_policies; p++)
		if (!c->study->policies[p].oracle)
			best = fmax(best, speedup(c, suite, p, cost)); /* fmax() ignores a NAN */
	return best;
}

struct compare_summary compare_summarize(const struct comparison *c, uint32_t policy)
{
	const struct study *s = c->study;
	const double nr = (double)s->nr_suites * s->nr_costs;
	struct compare_summary sum = {.below_best = NAN};
	for (uint32_t suite = 0; suite < s->nr_suites; suite++) {
		for (uint32_t cost = 0; cost < s->nr_costs; cost++) {
			const struct run_metrics *m = &compare_cell(c, suite, policy, cost)->metrics;
			double below = compare_best(c, suite, cost) - m->speedup_mean;
			sum.speedup += m->speedup_mean / nr;
			sum.jain += m->jain / nr;
			sum.migrations_per_s += m->migrations_per_s / nr;
			if (isnan(below) || below <= sum.below_best)
				continue;
			sum.below_best = below;
			sum.suite = suite;
			sum.cost = cost;
		}
	}
	return sum;
}

struct compare_record compare_against(const struct comparison *c, uint32_t policy, uint32_t other, uint32_t first,
				      uint32_t nr)
{
	struct compare_record r = {.margin = NAN};
	for (uint32_t s = first; s < first + nr; s++) {
		for (uint32_t i = 0; i < c->study->nr_costs; i++) {
			double margin = speedup(c, s, policy, i) - speedup(c, s, other, i);
			r.won += margin > 0;
			r.lost += margin < 0;
			r.even += margin == 0;
			if (!isnan(r.margin) && !(margin < r.margin))
				continue;
			r.margin = margin;
			r.suite = s;
			r.cost = i;
		}
	}
	return r;
}

/* The smallest margin by which a policy is better than another in the claim's metric. */
static struct compare_verdict judge_above(const struct comparison *c, const struct study_claim *claim)
{
	struct compare_verdict v = {.value = NAN, .holds = true};
	for (uint32_t i = 0; i < c->study->nr_costs; i++) {
		double ours = run_metric(&compare_cell(c, claim->suite, claim->policy, i)->metrics, claim->metric);
		double other = run_metric(&compare_cell(c, claim->suite, claim->other, i)->metrics, claim->metric);
		double margin = run_metric_direction(claim->metric) < 0 ? other - ours : ours - other;
		v.holds &= margin > 0;
		if (margin >= v.value)
			continue;
		v.value = margin;
		v.worst = i;
	}
	return v;
}

static struct compare_verdict judge_best(const struct comparison *c, const struct study_claim *claim)
{
	struct compare_verdict v = {.value = NAN};
	for (uint32_t i = 0; i < c->study->nr_costs; i++) {
		double below = compare_best(c, claim->suite, i) - speedup(c, claim->suite, claim->policy, i);
		if (below <= v.value)
			continue;
		v.value = below;
		v.worst = i;
	}
	v.holds = 100 * v.value <= claim->bound;
	return v;
}

static struct compare_verdict judge(const struct comparison *c, const struct study_claim *claim)
{
	double value;
	switch (claim->kind) {
	case CLAIM_LOSS:
		value = compare_loss(c, claim->suite, claim->policy);
		return (struct compare_verdict){.value = value, .holds = 100 * value <= claim->bound};
	case CLAIM_SHARE:
		value = compare_share(c, claim->suite, claim->policy, claim->other);
		return (struct compare_verdict){.value = value, .holds = 100 * value >= claim->bound};
	case CLAIM_BEST:
		return judge_best(c, claim);
	case CLAIM_ABOVE:
		break;
	}
	return judge_above(c, claim);
}

void compare_judge(struct comparison *c)
{
	for (uint32_t i = 0; i < c->study->nr_claims; i++)
		c->verdicts[i] = judge(c, &c->study->claims[i]);
}

uint32_t compare_nr_broken(const struct comparison *c)
{
	uint32_t nr = 0;
	for (uint32_t i = 0; i < c->study->nr_claims; i++)
		nr += c->study->claims[i].required && !c->verdicts[i].holds;
	return nr;
}
