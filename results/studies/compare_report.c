/* A comparison for people, and as CSV and JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/metric_text.h"
#include "results/metrics/table.h"
#include "results/studies/compare.h"
#include "sim/base/clean.h"

#define SCHEMA "sahm-compare/1"

_Static_assert(1 + MAX_STUDY_COSTS + 4 <= MAX_TABLE_COLUMNS, "a study's tables fit");

static bool is_synthetic(const struct comparison *c, uint32_t suite)
{
	return c->traces[suite].nr_synthetic > 0;
}

static bool is_nominal(const struct comparison *c, uint32_t suite)
{
	return c->traces[suite].nr_nominal > 0;
}

void compare_write_suite(const struct comparison *c, uint32_t suite, struct textbuf *out)
{
	const char *name = c->study->suites[suite].name;
	/* A name may say so itself. */
	textbuf_printf(out, "%s%s", name,
		       trace_words(is_synthetic(c, suite) && !strstr(name, "synthetic"),
				   is_nominal(c, suite) && !strstr(name, "nominal")));
}

/* Appends a claim in words: "keen above sahm at every cost on all39, synthetic". */
static void compare_write_claim(const struct comparison *c, uint32_t claim, struct textbuf *out)
{
	const struct study *s = c->study;
	const struct study_claim *k = &s->claims[claim];
	const char *name = s->policies[k->policy].name;
	double least = s->costs_ms[0], most = s->costs_ms[s->nr_costs - 1];
	switch (k->kind) {
	case CLAIM_ABOVE:
		if (k->metric == RUN_METRIC_speedup_mean)
			textbuf_printf(out, "%s above %s at every cost", name, s->policies[k->other].name);
		else
			textbuf_printf(out, "%s better than %s in '%s' at every cost", name, s->policies[k->other].name,
				       run_metric_rows[k->metric].words);
		break;
	case CLAIM_BEST:
		textbuf_printf(out, "%s at most %g points below the best policy without the oracle", name, k->bound);
		break;
	case CLAIM_LOSS:
		textbuf_printf(out, "%s loses at most %g points from %g to %g ms", name, k->bound, least, most);
		break;
	case CLAIM_SHARE:
		textbuf_printf(out, "%s reaches at least %g %% of %s at %g ms", name, k->bound,
			       s->policies[k->other].name, least);
		break;
	}
	textbuf_puts(out, " on ");
	compare_write_suite(c, k->suite, out);
}

/* A suite's name as a cell, fit for one line. */
static void suite_cell(struct table *t, const struct comparison *c, uint32_t suite)
{
	struct textbuf b;
	textbuf_init(&b);
	compare_write_suite(c, suite, &b);
	if (!textbuf_failed(&b))
		clean_text(b.text);
	table_cell(t, "%s", b.text);
	t->failed |= textbuf_failed(&b);
	textbuf_release(&b);
}

static void name_cell(struct table *t, const char *indent, const char *name)
{
	char text[128];
	snprintf(text, sizeof(text), "%s%s", indent, name);
	clean_text(text);
	table_cell(t, "%s", text);
}

static void number_cell(struct table *t, const char *format, double value)
{
	char text[64];
	snprintf(text, sizeof(text), format, value + 0.0);
	table_cell(t, "%s", isfinite(value) ? text : "-");
}

static void policy_row(const struct comparison *c, uint32_t suite, uint32_t policy, struct table *t)
{
	const struct study *s = c->study;
	uint32_t last = s->nr_costs - 1;
	table_row(t, false);
	name_cell(t, "  ", s->policies[policy].name);
	for (uint32_t i = 0; i <= last; i++)
		number_cell(t, "%.2f", 100 * compare_cell(c, suite, policy, i)->metrics.speedup_mean);
	if (last > 0)
		number_cell(t, "%.2f", 100 * compare_loss(c, suite, policy));
	if (s->reference != STUDY_NONE)
		number_cell(t, "%.1f %%", 100 * compare_share(c, suite, policy, s->reference));
	number_cell(t, "%.2f", compare_cell(c, suite, policy, 0)->metrics.migrations_per_s);
	if (last > 0)
		number_cell(t, "%.2f", compare_cell(c, suite, policy, last)->metrics.migrations_per_s);
}

static void fill_speedups(const struct comparison *c, struct table *t)
{
	const struct study *s = c->study;
	uint32_t last = s->nr_costs - 1;
	table_row(t, false);
	table_cell(t, "mean speedup, %%");
	for (uint32_t i = 0; i <= last; i++)
		table_cell(t, "%g ms", s->costs_ms[i]);
	if (last > 0)
		table_cell(t, "loss");
	if (s->reference != STUDY_NONE)
		table_cell(t, "share");
	table_cell(t, "migrations/s");
	if (last > 0)
		table_cell(t, "at %g ms", s->costs_ms[last]);
	for (uint32_t suite = 0; suite < s->nr_suites; suite++) {
		table_row(t, true);
		suite_cell(t, c, suite);
		for (uint32_t p = 0; p < s->nr_policies; p++)
			policy_row(c, suite, p, t);
	}
}

static void record_cell(struct table *t, const struct compare_record *r)
{
	if (r->even)
		table_cell(t, "%u:%u (%u even)", r->won, r->lost, r->even);
	else
		table_cell(t, "%u:%u", r->won, r->lost);
}

/* Points, and where in the speedups: "+0.120, 4 ms, open". */
static void place_cell(struct table *t, const struct comparison *c, const char *format, double points, uint32_t suite,
		       uint32_t cost)
{
	struct textbuf where;
	char number[64];
	textbuf_init(&where);
	compare_write_suite(c, suite, &where);
	if (!textbuf_failed(&where))
		clean_text(where.text);
	snprintf(number, sizeof(number), format, 100 * points + 0.0);
	if (isfinite(points))
		table_cell(t, "%s, %g ms, %s", number, c->study->costs_ms[cost], where.text);
	else
		table_cell(t, "-");
	t->failed |= textbuf_failed(&where);
	textbuf_release(&where);
}

/* Every policy over all suites and costs. */
static void fill_summary(const struct comparison *c, struct table *t)
{
	const struct study *s = c->study;
	table_row(t, false);
	name_cell(t, "", "over all suites and costs");
	table_cell(t, "mean speedup");
	table_cell(t, "fairness, Jain");
	table_cell(t, "migrations/s");
	table_cell(t, "points below the best, at most");
	for (uint32_t p = 0; p < s->nr_policies; p++) {
		struct compare_summary sum = compare_summarize(c, p);
		table_row(t, p == 0);
		name_cell(t, "", s->policies[p].name);
		number_cell(t, "%.2f %%", 100 * sum.speedup);
		number_cell(t, "%.4f", sum.jain);
		number_cell(t, "%.2f", sum.migrations_per_s);
		if (sum.below_best > 0 || isnan(sum.below_best))
			place_cell(t, c, "%.3f", sum.below_best, sum.suite, sum.cost);
		else
			table_cell(t, "best everywhere");
	}
}

/* The subject against every other policy. */
static void fill_records(const struct comparison *c, struct table *t)
{
	const struct study *s = c->study;
	table_row(t, false);
	name_cell(t, "", "won:lost against");
	table_cell(t, "costs and suites");
	table_cell(t, "smallest margin");
	bool ruled = true;
	for (uint32_t p = 0; p < s->nr_policies; p++) {
		if (p == s->subject)
			continue;
		table_row(t, ruled);
		ruled = false;
		name_cell(t, "", s->policies[p].name);
		struct compare_record r = compare_against(c, s->subject, p, 0, s->nr_suites);
		record_cell(t, &r);
		place_cell(t, c, "%+.3f", r.margin, r.suite, r.cost);
	}
}

/* The margin of a claim that a policy is better than another: in points, where the metric is a share or a speedup. */
static void write_margin(const struct comparison *c, uint32_t claim, struct textbuf *out)
{
	const struct compare_verdict *v = &c->verdicts[claim];
	enum run_form form = run_metric_rows[c->study->claims[claim].metric].form;
	bool in_points = form == RUN_SPEEDUP || form == RUN_SHARE;
	if (!isfinite(v->value)) {
		textbuf_puts(out, "-");
		return;
	}
	textbuf_printf(out, in_points ? "%+.3f points, at %g ms" : "%+.4f, at %g ms",
		       (in_points ? 100 : 1) * v->value + 0.0, c->study->costs_ms[v->worst]);
}

static void write_verdict(const struct comparison *c, uint32_t claim, struct textbuf *out)
{
	const struct study_claim *k = &c->study->claims[claim];
	const struct compare_verdict *v = &c->verdicts[claim];
	struct textbuf words, margin;
	textbuf_init(&words);
	compare_write_claim(c, claim, &words);
	if (!textbuf_failed(&words))
		clean_text(words.text);
	textbuf_printf(out, "%-14s  %-8s  %s: ", v->holds ? "holds" : "DOES NOT HOLD",
		       k->required ? "required" : "wanted", words.text);
	out->failed |= textbuf_failed(&words);
	textbuf_release(&words);
	if (!isfinite(v->value))
		textbuf_puts(out, "-\n");
	else if (k->kind == CLAIM_SHARE)
		textbuf_printf(out, "%.2f %%\n", 100 * v->value);
	else if (k->kind == CLAIM_LOSS)
		textbuf_printf(out, "%.3f points\n", 100 * v->value + 0.0);
	else if (k->kind == CLAIM_BEST)
		textbuf_printf(out, "%.3f points, at %g ms\n", 100 * v->value + 0.0, c->study->costs_ms[v->worst]);
	else {
		textbuf_init(&margin);
		write_margin(c, claim, &margin);
		textbuf_printf(out, "smallest margin %s\n", margin.text);
		out->failed |= textbuf_failed(&margin);
		textbuf_release(&margin);
	}
}

/* Claims of publications, which made them about other systems. */
static void fill_published(const struct comparison *c, struct table *t)
{
	static const char *const heads[] = {"published claims, tried here", "here", "smallest margin here", "published",
					    "source"};
	const struct study *s = c->study;
	bool ruled = true;
	table_row(t, false);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		name_cell(t, "", heads[i]);
	for (uint32_t i = 0; i < s->nr_claims; i++) {
		const struct study_claim *k = &s->claims[i];
		struct textbuf words, margin;
		if (!k->source)
			continue;
		textbuf_init(&words);
		textbuf_init(&margin);
		compare_write_claim(c, i, &words);
		write_margin(c, i, &margin);
		table_row(t, ruled);
		ruled = false;
		if (!textbuf_failed(&words))
			clean_text(words.text);
		table_cell(t, "%s", words.text);
		table_cell(t, "%s", c->verdicts[i].holds ? "holds" : "DOES NOT HOLD");
		table_cell(t, "%s", margin.text);
		table_cell(t, "%s", k->published ? k->published : "(no number found)");
		table_cell(t, "%s", k->source);
		t->failed |= textbuf_failed(&words) || textbuf_failed(&margin);
		textbuf_release(&words);
		textbuf_release(&margin);
	}
}

static void write_table(const struct comparison *c, void (*fill)(const struct comparison *c, struct table *t),
			bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	fill(c, &t);
	out->failed |= !table_write(&t, bold, out);
	table_release(&t);
}

static void write_suite_name(const struct comparison *c, uint32_t suite, struct textbuf *out)
{
	struct textbuf name;
	textbuf_init(&name);
	compare_write_suite(c, suite, &name);
	if (!textbuf_failed(&name))
		clean_text(name.text);
	textbuf_puts(out, name.text);
	out->failed |= textbuf_failed(&name);
	textbuf_release(&name);
}

/* Remarks about single suites. */
static void write_remarks(const struct comparison *c, struct textbuf *out)
{
	const struct study *s = c->study;
	for (uint32_t i = 0; i < s->nr_suites; i++) {
		if (compare_cell(c, i, 0, 0)->is_shared) {
			write_suite_name(c, i, out);
			textbuf_printf(out, ": %s\n", why_below_zero);
		}
		if (s->reference != STUDY_NONE && !isfinite(compare_share(c, i, s->reference, s->reference))) {
			write_suite_name(c, i, out);
			textbuf_puts(out, ": no shares, since ");
			textbuf_label(out, s->policies[s->reference].name);
			textbuf_printf(out, " gains nothing there at %g ms\n", s->costs_ms[0]);
		}
		if (compare_costs_are_idle(c, i)) {
			write_suite_name(c, i, out);
			textbuf_puts(
				out,
				": the costs change nothing, since all migrations there are within migration.levels, "
				"which have separate costs\n");
		}
	}
}

static void write_legend(const struct comparison *c, struct textbuf *out)
{
	const struct study *s = c->study;
	uint32_t nr_synthetic = 0, nr_nominal = 0;
	for (uint32_t i = 0; i < s->nr_suites; i++) {
		nr_synthetic += is_synthetic(c, i);
		nr_nominal += is_nominal(c, i);
	}
	textbuf_puts(out, "\nspeedup: arithmetic mean of the threads'");
	if (s->nr_costs > 1)
		textbuf_printf(out, "; loss: points, from %g to %g ms a migration", s->costs_ms[0],
			       s->costs_ms[s->nr_costs - 1]);
	if (s->reference != STUDY_NONE) {
		textbuf_puts(out, "; share: of ");
		textbuf_label(out, s->policies[s->reference].name);
		textbuf_printf(out, " at %g ms", s->costs_ms[0]);
	}
	textbuf_printf(out, "; migrations/s: at %g ms", s->costs_ms[0]);
	if (s->nr_costs > 1)
		textbuf_printf(out, " and at %g ms", s->costs_ms[s->nr_costs - 1]);
	textbuf_puts(out, "\n");
	if (nr_synthetic)
		textbuf_printf(out, "suites of synthetic traces, which are not measurements: %u of %u\n", nr_synthetic,
			       s->nr_suites);
	if (nr_nominal)
		textbuf_printf(out, "suites of traces with an assumed time base: %u of %u\n", nr_nominal, s->nr_suites);
	if (c->scarce) {
		textbuf_puts(out, "scarce states, whose speedups come from few epochs or from other states: ");
		states_write(c->scarce, ", ", out);
		textbuf_putc(out, '\n');
	}
	write_remarks(c, out);
}

bool compare_text(const struct comparison *c, const char *title, bool bold, struct textbuf *out)
{
	const struct study *s = c->study;
	textbuf_printf(out, "comparison %s\npolicies   %u, on %u suite%s, with %u cost%s of a migration: %u runs\n\n",
		       title, s->nr_policies, s->nr_suites, s->nr_suites == 1 ? "" : "s", s->nr_costs,
		       s->nr_costs == 1 ? "" : "s", s->nr_policies * s->nr_suites * s->nr_costs);
	write_table(c, fill_speedups, bold, out);
	write_legend(c, out);
	if (s->nr_policies > 1) {
		textbuf_putc(out, '\n');
		write_table(c, fill_summary, bold, out);
	}
	if (s->subject != STUDY_NONE && s->nr_policies > 1) {
		textbuf_putc(out, '\n');
		textbuf_label(out, s->policies[s->subject].name);
		textbuf_puts(out, " against the others, over costs:\n");
		write_table(c, fill_records, bold, out);
	}
	uint32_t nr_published = 0;
	for (uint32_t i = 0; i < s->nr_claims; i++)
		nr_published += s->claims[i].source != NULL;
	if (nr_published > 0) {
		textbuf_putc(out, '\n');
		write_table(c, fill_published, bold, out);
	}
	if (s->nr_claims > nr_published)
		textbuf_putc(out, '\n');
	for (uint32_t i = 0; i < s->nr_claims; i++)
		if (!s->claims[i].source)
			write_verdict(c, i, out);
	return !textbuf_failed(out);
}

/* Of the columns, fairness and how many the last ones are: from `below_best` on. */
#define FAIRNESS "jain,"
#define NR_LAST 4u

static void csv_fairness(const struct run_metrics *m, struct textbuf *out)
{
	csv_double(out, m->jain);
}

static void empty(struct textbuf *out, unsigned nr)
{
	while (nr-- > 0)
		csv_double(out, NAN);
}

/* A field that may be left out. */
static void csv_text(const char *text, struct textbuf *out)
{
	if (text)
		csv_string(out, text);
	else
		empty(out, 1);
}

/* The first fields of a row. */
static void head(const struct comparison *c, const char *scope, uint32_t suite, uint32_t policy, uint32_t other,
		 struct textbuf *out)
{
	const struct study *s = c->study;
	csv_string(out, scope);
	csv_string(out, s->suites[suite].name);
	csv_string(out, is_synthetic(c, suite) ? "true" : "false");
	csv_string(out, is_nominal(c, suite) ? "true" : "false");
	csv_string(out, s->policies[policy].name);
	if (other == STUDY_NONE)
		empty(out, 1);
	else
		csv_string(out, s->policies[other].name);
}

static void csv_suite(const struct comparison *c, uint32_t suite, uint32_t policy, struct textbuf *out)
{
	const struct study *s = c->study;
	for (uint32_t i = 0; i < s->nr_costs; i++) {
		const struct compare_cell *cell = compare_cell(c, suite, policy, i);
		head(c, "run", suite, policy, STUDY_NONE, out);
		csv_double(out, s->costs_ms[i]);
		csv_double(out, cell->metrics.speedup_mean);
		csv_double(out, cell->metrics.migrations_per_s);
		csv_double(out, cell->metrics.served_share);
		csv_double(out, cell->metrics.matched_share);
		empty(out, 10);
		csv_double(out, compare_best(c, suite, i) - cell->metrics.speedup_mean);
		csv_fairness(&cell->metrics, out);
		empty(out, 2);
		csv_end_row(out);
	}
	head(c, "policy", suite, policy, s->reference, out);
	empty(out, 5);
	csv_double(out, compare_loss(c, suite, policy));
	csv_double(out, s->reference == STUDY_NONE ? (double)NAN : compare_share(c, suite, policy, s->reference));
	empty(out, 8 + NR_LAST);
	csv_end_row(out);
	if (s->subject == STUDY_NONE || s->subject == policy)
		return;
	struct compare_record r = compare_against(c, s->subject, policy, suite, 1);
	head(c, "against", suite, s->subject, policy, out);
	empty(out, 7);
	csv_u64(out, r.won);
	csv_u64(out, r.lost);
	csv_u64(out, r.even);
	csv_double(out, r.margin);
	empty(out, 4 + NR_LAST);
	csv_end_row(out);
}

bool compare_csv(const struct comparison *c, struct textbuf *out)
{
	const struct study *s = c->study;
	textbuf_puts(out,
		     "scope,suite,synthetic,nominal_time,policy,other,cost_ms,speedup,migrations_per_s,served_share,"
		     "matched_share,loss,share,won,lost,even,margin,claim,required,holds,value,below_best," FAIRNESS
		     "source,published\n");
	for (uint32_t suite = 0; suite < s->nr_suites; suite++)
		for (uint32_t p = 0; p < s->nr_policies; p++)
			csv_suite(c, suite, p, out);
	for (uint32_t i = 0; i < s->nr_claims; i++) {
		const struct study_claim *k = &s->claims[i];
		struct textbuf words;
		textbuf_init(&words);
		compare_write_claim(c, i, &words);
		head(c, "claim", k->suite, k->policy, k->kind == CLAIM_LOSS ? STUDY_NONE : k->other, out);
		empty(out, 11);
		csv_string(out, words.text);
		csv_string(out, k->required ? "true" : "false");
		csv_string(out, c->verdicts[i].holds ? "true" : "false");
		csv_double(out, c->verdicts[i].value);
		empty(out, NR_LAST - 2);
		csv_text(k->source, out);
		csv_text(k->published, out);
		csv_end_row(out);
		out->failed |= textbuf_failed(&words);
		textbuf_release(&words);
	}
	return !textbuf_failed(out);
}

static void json_row(const struct comparison *c, uint32_t suite, uint32_t policy, struct jwriter *j)
{
	const struct study *s = c->study;
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "policy", s->policies[policy].name);
	jwrite_double(j, "loss", compare_loss(c, suite, policy));
	if (s->reference != STUDY_NONE)
		jwrite_double(j, "share", compare_share(c, suite, policy, s->reference));
	jwrite_begin_array(j, "runs", false);
	for (uint32_t i = 0; i < s->nr_costs; i++) {
		const struct compare_cell *cell = compare_cell(c, suite, policy, i);
		jwrite_begin_flat_object(j, NULL);
		jwrite_double(j, "cost_ms", s->costs_ms[i]);
		jwrite_double(j, "speedup", cell->metrics.speedup_mean);
		jwrite_double(j, "migrations_per_s", cell->metrics.migrations_per_s);
		jwrite_double(j, "served_share", cell->metrics.served_share);
		jwrite_double(j, "matched_share", cell->metrics.matched_share);
		jwrite_double(j, "below_best", compare_best(c, suite, i) - cell->metrics.speedup_mean);
		jwrite_double(j, "jain", cell->metrics.jain);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_end_object(j);
}

static void json_suite(const struct comparison *c, uint32_t suite, struct jwriter *j)
{
	const struct study *s = c->study;
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "suite", s->suites[suite].name);
	jwrite_bool(j, "synthetic", is_synthetic(c, suite));
	jwrite_bool(j, "nominal_time", is_nominal(c, suite));
	jwrite_begin_array(j, "policies", false);
	for (uint32_t p = 0; p < s->nr_policies; p++)
		json_row(c, suite, p, j);
	jwrite_end_array(j);
	if (s->subject != STUDY_NONE) {
		jwrite_begin_array(j, "against", false);
		for (uint32_t p = 0; p < s->nr_policies; p++) {
			struct compare_record r = compare_against(c, s->subject, p, suite, 1);
			if (p == s->subject)
				continue;
			jwrite_begin_flat_object(j, NULL);
			jwrite_string(j, "policy", s->policies[p].name);
			jwrite_u64(j, "won", r.won);
			jwrite_u64(j, "lost", r.lost);
			jwrite_u64(j, "even", r.even);
			jwrite_double(j, "margin", r.margin);
			jwrite_end_object(j);
		}
		jwrite_end_array(j);
	}
	jwrite_end_object(j);
}

static void json_policy(struct jwriter *j, const char *key, const struct study *s, uint32_t policy)
{
	if (policy != STUDY_NONE)
		jwrite_string(j, key, s->policies[policy].name);
}

bool compare_json(const struct comparison *c, struct textbuf *out)
{
	const struct study *s = c->study;
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	json_policy(&j, "subject", s, s->subject);
	json_policy(&j, "reference", s, s->reference);
	jwrite_begin_array(&j, "suites", false);
	for (uint32_t i = 0; i < s->nr_suites; i++)
		json_suite(c, i, &j);
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "claims", false);
	for (uint32_t i = 0; i < s->nr_claims; i++) {
		struct textbuf words;
		textbuf_init(&words);
		compare_write_claim(c, i, &words);
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "claim", words.text);
		jwrite_bool(&j, "required", s->claims[i].required);
		jwrite_bool(&j, "holds", c->verdicts[i].holds);
		jwrite_double(&j, "value", c->verdicts[i].value);
		if (s->claims[i].source)
			jwrite_string(&j, "source", s->claims[i].source);
		if (s->claims[i].published)
			jwrite_string(&j, "published", s->claims[i].published);
		jwrite_end_object(&j);
		out->failed |= textbuf_failed(&words);
		textbuf_release(&words);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}
