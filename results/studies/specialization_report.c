/* What specialised cores gain, as text. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "results/cores/core_report.h"
#include "results/metrics/table.h"
#include "results/studies/specialization.h"

/* Cores side by side in a table; more are in further ones. */
#define CORES_PER_TABLE 5u

/* "+1.23", without "-0.00"; "-" for none. */
static void pct_text(double pct, struct textbuf *out)
{
	if (isnan(pct))
		textbuf_putc(out, '-');
	else
		textbuf_printf(out, "%+.2f", fabs(pct) < 0.005 ? 0 : pct);
}

/* "+1.23 (+0.50 to +2.00)" */
static void gain_cell(struct table *t, const struct special_gain *g, const char *mark)
{
	struct textbuf text;
	textbuf_init(&text);
	pct_text(g->pct, &text);
	textbuf_puts(&text, isnan(g->pct) ? "" : mark);
	if (!isnan(g->low_pct)) {
		textbuf_puts(&text, " (");
		pct_text(g->low_pct, &text);
		textbuf_puts(&text, " to ");
		pct_text(g->high_pct, &text);
		textbuf_putc(&text, ')');
	}
	table_cell_text(t, &text);
	textbuf_release(&text);
}

static void pct_cell(struct table *t, double pct)
{
	struct textbuf text;
	textbuf_init(&text);
	pct_text(pct, &text);
	table_cell_text(t, &text);
	textbuf_release(&text);
}

static bool end_table(struct table *t, bool bold, struct textbuf *out)
{
	bool ok = table_write(t, bold, out);
	table_release(t);
	return ok;
}

static unsigned end_of_table(const struct specialization *s, unsigned first)
{
	unsigned end = first + CORES_PER_TABLE;
	return end < s->table->nr_cores ? end : s->table->nr_cores;
}

/* ---- States ---- */

static bool write_states_of(const struct specialization *s, const struct special_set *set, unsigned first, bool bold,
			    struct textbuf *out)
{
	unsigned end = end_of_table(s, first);
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"state", "epochs", "programs"}, 3);
	for (unsigned k = first; k < end; k++)
		table_cell(&t, "%s", s->table->cores[k].name);
	for (unsigned state = 0; state < NR_STATES; state++) {
		const struct special_gain *g = &set->cores[first].states[state].own;
		if (g->nr_epochs == 0)
			continue;
		table_row(&t, false);
		table_cell(&t, "%s", state_name(state));
		table_cell(&t, "%" PRIu64, g->nr_epochs);
		table_cell(&t, "%" PRIu32, g->nr_programs);
		for (unsigned k = first; k < end; k++) {
			const struct special_state *x = &set->cores[k].states[state];
			gain_cell(&t, &x->own, x->is_scarce ? "*" : "");
		}
	}
	return end_table(&t, bold, out);
}

static bool write_states(const struct specialization *s, bool bold, struct textbuf *out)
{
	const struct special_set *set = &s->sets[s->options.set];
	bool ok = true;
	textbuf_printf(out,
		       "\nSpeedup in %% by state, thresholds %s (with 95 %% intervals, over programs; * scarce):\n",
		       set->name);
	for (unsigned k = 1; k < s->table->nr_cores; k += CORES_PER_TABLE)
		ok = write_states_of(s, set, k, bold, out) && ok;
	return ok;
}

static bool write_scarce_of(const struct specialization *s, const struct special_set *set, unsigned first, bool bold,
			    struct textbuf *out)
{
	unsigned end = end_of_table(s, first);
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"scarce state", "epochs", "programs"}, 3);
	for (unsigned k = first; k < end; k++)
		table_cell(&t, "%s", s->table->cores[k].name);
	for (unsigned state = 0; state < NR_STATES; state++) {
		const struct special_gain *g = &set->cores[first].states[state].own;
		if (!set->cores[first].states[state].is_scarce)
			continue;
		table_row(&t, false);
		table_cell(&t, "%s", state_name(state));
		table_cell(&t, "%" PRIu64, g->nr_epochs);
		table_cell(&t, "%" PRIu32, g->nr_programs);
		for (unsigned k = first; k < end; k++)
			pct_cell(&t, set->cores[k].states[state].table_pct);
	}
	return end_table(&t, bold, out);
}

static bool write_scarce(const struct specialization *s, bool bold, struct textbuf *out)
{
	const struct special_set *set = &s->sets[s->options.set];
	bool ok = true, any = false, all = true;
	for (unsigned state = 0; state < NR_STATES; state++) {
		const struct special_state *x = &set->cores[0].states[state];
		any |= x->is_scarce;
		all &= x->is_scarce || x->own.nr_epochs == 0;
	}
	if (!any)
		return true;
	textbuf_printf(out,
		       "\nStates with fewer than %" PRIu32 " epochs or %" PRIu32
		       " programs are scarce. The tables for sahm run have for them\nthe speedup where the core's "
		       "component is HIGH, of the other states, or 0:\n",
		       s->options.min_epochs, s->options.min_programs);
	for (unsigned k = 1; k < s->table->nr_cores; k += CORES_PER_TABLE)
		ok = write_scarce_of(s, set, k, bold, out) && ok;
	if (all)
		textbuf_puts(out, "All states are scarce: core types gain nothing. With few streams, lower the limits: "
				  "--min-epochs, --min-programs.\n");
	return ok;
}

/* ---- Components ---- */

static bool write_components(const struct specialization *s, const struct special_set *set, bool bold,
			     struct textbuf *out)
{
	struct table t;
	textbuf_printf(out, "\nSpeedup in %% where a component is HIGH, thresholds %s (= the core's own component):\n",
		       set->name);
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "core");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		table_cell(&t, "%s", component_name((enum component)c));
	table_cell(&t, "all epochs");
	for (unsigned k = 1; k < s->table->nr_cores; k++) {
		table_row(&t, false);
		table_cell(&t, "%s", s->table->cores[k].name);
		for (unsigned c = 0; c < NR_COMPONENTS; c++)
			gain_cell(&t, &set->cores[k].high[c], s->table->cores[k].components >> c & 1 ? "=" : "");
		gain_cell(&t, &set->cores[k].all, "");
	}
	table_row(&t, true);
	table_cell(&t, "epochs (programs)");
	for (unsigned c = 0; c <= NR_COMPONENTS; c++) {
		const struct special_core *x = &set->cores[1];
		const struct special_gain *g = c < NR_COMPONENTS ? &x->high[c] : &x->all;
		table_cell(&t, "%" PRIu64 " (%" PRIu32 ")", g->nr_epochs, g->nr_programs);
	}
	return end_table(&t, bold, out);
}

/* Beside the figures of published work, which are of its own programs and baseline. */
static bool write_published(const struct specialization *s, bool bold, struct textbuf *out)
{
	const struct special_set *set = &s->sets[s->options.set];
	struct table t;
	textbuf_printf(out,
		       "\nBeside published figures (Wadle 2026, table 4.4; other programs and baselines), "
		       "thresholds %s.\nThe SAHM study assumes 10, 20 or 30 %% where the component is HIGH:\n",
		       set->name);
	table_init(&t);
	t.left |= 1u << 1;
	table_row(&t, false);
	table_words(&t, (const char *const[]){"component", "core or work", "all, %", "where HIGH, %"}, 4);
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		bool first = true;
		for (unsigned k = 1; k < s->table->nr_cores; k++) {
			if (s->table->cores[k].components != 1u << c)
				continue;
			table_row(&t, first);
			first = false;
			table_cell(&t, "%s", component_name((enum component)c));
			table_cell(&t, "%s", s->table->cores[k].name);
			pct_cell(&t, set->cores[k].all.pct);
			pct_cell(&t, set->cores[k].target.pct);
		}
		for (const struct literature_row *w = literature_rows; w->name; w++) {
			if (w->component != (enum component)c)
				continue;
			table_row(&t, first);
			first = false;
			table_cell(&t, "%s", component_name((enum component)c));
			table_cell(&t, "%s (published)", w->work);
			table_cell(&t, "%s", w->average_pct);
			table_cell(&t, "%s", w->targeted_pct);
		}
	}
	return end_table(&t, bold, out);
}

/* ---- Storage, choices ---- */

static void per_point_cell(struct table *t, double extra, double pct)
{
	if (pct > 0.005 && extra > 0)
		table_cell(t, "%.1f", extra / 1024 / pct);
	else
		table_cell(t, "-");
}

static bool write_storage(const struct specialization *s, bool bold, struct textbuf *out)
{
	const struct special_set *set = &s->sets[s->options.set];
	struct table t;
	textbuf_printf(out, "\nStorage beyond the baseline's %.1f KiB, and KiB for each %% gained, thresholds %s:\n",
		       (double)s->table->cores[0].storage_bytes / 1024, set->name);
	table_init(&t);
	table_row(&t, false);
	table_words(
		&t,
		(const char *const[]){"core", "extra KiB", "all, %", "KiB per %", "own component HIGH, %", "KiB per %"},
		6);
	for (unsigned k = 1; k < s->table->nr_cores; k++) {
		const struct special_core *x = &set->cores[k];
		double extra = (double)special_extra_bytes(s, k);
		table_row(&t, false);
		table_cell(&t, "%s", s->table->cores[k].name);
		table_cell(&t, "%.1f", extra / 1024);
		pct_cell(&t, x->all.pct);
		per_point_cell(&t, extra, x->all.pct);
		pct_cell(&t, x->target.pct);
		per_point_cell(&t, extra, x->target.pct);
	}
	return end_table(&t, bold, out);
}

static bool write_choices(const struct specialization *s, bool bold, struct textbuf *out)
{
	struct table t;
	const size_t all = s->table->nr_programs * NR_SPECIAL_CHOICES;
	textbuf_puts(out, "\nSpeedup in % if each epoch runs on a core chosen as below, the baseline among them, and "
			  "moves cost nothing:\n");
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "core");
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		table_cell(&t, "%s", s->sets[i].name);
	for (unsigned c = 0; c < NR_SPECIAL_CHOICES; c++) {
		table_row(&t, false);
		table_cell(&t, "%s", special_choice_words((enum special_choice)c));
		for (unsigned i = 0; i < NR_CUT_SETS; i++)
			pct_cell(&t, s->sets[i].choices[all + c]);
	}
	table_row(&t, true);
	table_cell(&t, "the table's share of the last row, %%");
	for (unsigned i = 0; i < NR_CUT_SETS; i++) {
		const double *pct = &s->sets[i].choices[all];
		if (pct[CHOICE_EPOCH] > 0)
			table_cell(&t, "%.1f", 100 * pct[CHOICE_STATE] / pct[CHOICE_EPOCH]);
		else
			table_cell(&t, "-");
	}
	bool ok = end_table(&t, bold, out);
	textbuf_printf(out, "The one core is %s.\n", s->table->cores[s->sets[s->options.set].one].name);
	return ok;
}

/* ---- The report ---- */

static void write_head(const struct specialization *s, struct textbuf *out)
{
	const struct epoch_table *t = s->table;
	const size_t other = s->sets[s->options.set].nr_other_states, nr = t->nr_rows - (size_t)s->nr_left_out;
	textbuf_printf(out, "%s%u core%s beside %s: %zu program%s, %zu epoch%s%s; ",
		       t->is_synthetic ? "Synthetic: " : "", t->nr_cores - 1, t->nr_cores == 2 ? "" : "s",
		       t->cores[0].name, t->nr_programs, t->nr_programs == 1 ? "" : "s", nr, nr == 1 ? "" : "s",
		       t->is_synthetic ? ", synthetic" : "");
	textbuf_puts(out, s->options.time == SPECIALIZE_MEASURED
				  ? "measured time: epochs count by their cycles on the baseline\n"
				  : "assumed time: all epochs last as long on the baseline\n");
	if (t->traced)
		textbuf_printf(
			out,
			"States come from traces (%s); by the counters of %s, %zu epoch%s would have another one\n",
			t->traced_by, t->cores[0].name, other, other == 1 ? "" : "s");
	if (t->has_measured_clock)
		textbuf_puts(out, "Prefetchers that need time had a measured clock\n");
	if (s->nr_left_out > 0)
		textbuf_printf(out, "Left out: %" PRIu64 " epoch%s, in which a program ended\n", s->nr_left_out,
			       s->nr_left_out == 1 ? "" : "s");
	core_report_sampling(&t->sampling, out);
}

bool specialization_text(const struct specialization *s, bool bold, struct textbuf *out)
{
	write_head(s, out);
	bool ok = write_states(s, bold, out);
	ok = write_scarce(s, bold, out) && ok;
	for (unsigned i = 0; i < NR_CUT_SETS; i++)
		ok = write_components(s, &s->sets[i], bold, out) && ok;
	ok = write_published(s, bold, out) && ok;
	ok = write_storage(s, bold, out) && ok;
	return write_choices(s, bold, out) && ok;
}
