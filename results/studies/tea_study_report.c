/* The study of samplers as text, CSV and JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/cores/core_report.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/studies/tea_study_internal.h"

/* Figures of the paper, section 5. */
#define PAPER_SHORT_STALL 5.8
#define PAPER_COMBINED_PCT 30.0
#define PAPER_STORAGE_BYTES 249u

static double combined_pct(const struct tea_program *p)
{
	return p->with_events > 0 ? 100 * (double)p->combined / (double)p->with_events : 0;
}

/* ---- Text ---- */

static void begin_errors(struct table *t, const char *rows)
{
	table_init(t);
	table_row(t, false);
	table_cell(t, "%s", rows);
	table_cell(t, "samples");
	for (unsigned k = 0; k < NR_STACK_SCHEMES; k++) {
		table_cell(t, "%s", stack_scheme_name((enum stack_scheme)k));
		table_cell(t, "chance");
	}
}

static bool end_table(struct table *t, bool bold, struct textbuf *out)
{
	bool ok = table_write(t, bold, out);
	table_release(t);
	return ok;
}

static void mean_row(struct table *t, const char *name, const struct tea_program *programs, size_t nr, unsigned period,
		     enum pics_by by)
{
	table_cell(t, "%s", name);
	table_cell(t, "%.0f", tea_mean_samples(programs, nr, period));
	for (unsigned k = 0; k < NR_STACK_SCHEMES; k++) {
		struct tea_mean m = tea_study_mean(programs, nr, period, (enum stack_scheme)k, by);
		table_cell(t, "%.2f", m.error);
		table_cell(t, "%.2f", m.chance);
	}
}

/* Figure 5. */
static bool write_programs(const struct tea_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	begin_errors(&t, "stream");
	for (size_t i = 0; i < nr; i++) {
		const struct tea_error *e = programs[i].errors[0];
		table_row(&t, i == 0);
		table_cell(&t, "%s", programs[i].stream);
		table_cell(&t, "%" PRIu64, e[SCHEME_TEA].samples);
		for (unsigned k = 0; k < NR_STACK_SCHEMES; k++) {
			table_cell(&t, "%.2f", 100 * e[k].error[PICS_INSTRUCTION]);
			table_cell(&t, "%.2f", 100 * e[k].chance[PICS_INSTRUCTION]);
		}
	}
	table_row(&t, true);
	mean_row(&t, "mean", programs, nr, 0, PICS_INSTRUCTION);
	table_row(&t, false);
	table_cell(&t, "largest");
	table_cell(&t, "%s", "");
	for (unsigned k = 0; k < NR_STACK_SCHEMES; k++) {
		table_cell(&t, "%.2f", tea_study_mean(programs, nr, 0, (enum stack_scheme)k, PICS_INSTRUCTION).most);
		table_cell(&t, "%s", "");
	}
	for (unsigned row = 0; row < 2; row++) {
		table_row(&t, row == 0);
		table_cell(&t, row == 0 ? "paper, mean" : "paper, largest");
		table_cell(&t, "%s", "");
		for (unsigned k = 0; k < NR_STACK_SCHEMES; k++) {
			struct tea_paper paper = tea_paper_error((enum stack_scheme)k);
			table_cell(&t, "%.1f", row == 0 ? paper.mean : paper.most);
			table_cell(&t, "%s", "");
		}
	}
	return end_table(&t, bold, out);
}

/* Figure 9. */
static bool write_granularities(const struct tea_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	begin_errors(&t, "by");
	for (unsigned by = 0; by < NR_PICS_BY; by++) {
		table_row(&t, by == 0);
		mean_row(&t, pics_by_words[by], programs, nr, 0, (enum pics_by)by);
	}
	return end_table(&t, bold, out);
}

/* Figure 8. */
static bool write_periods(const struct tea_study *s, const struct tea_program *programs, size_t nr, bool bold,
			  struct textbuf *out)
{
	struct table t;
	begin_errors(&t, "period");
	for (unsigned i = 0; i < s->nr_periods; i++) {
		char name[24];
		snprintf(name, sizeof(name), "%" PRIu64, s->periods[i]);
		table_row(&t, i == 0);
		mean_row(&t, name, programs, nr, i, PICS_INSTRUCTION);
	}
	return end_table(&t, bold, out);
}

/* Figure 7. False when memory was short. */
static bool write_correlations(const struct tea_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	static const char *const words[] = {"event", "streams", "minimum", "p25", "median", "p75", "maximum", "mean"};
	double *values = malloc(nr * sizeof(*values));
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, words, sizeof(words) / sizeof(words[0]));
	for (unsigned e = 0; values && e < NR_STACK_EVENTS; e++) {
		size_t n = tea_correlations(programs, nr, (enum stack_event)e, values);
		table_row(&t, e == 0);
		table_cell(&t, "%s", stack_event_name((enum stack_event)e));
		table_cell(&t, "%zu", n);
		if (n == 0)
			continue;
		struct box b = box_of(values, n);
		const double columns[] = {b.least, b.p25, b.median, b.p75, b.most, b.mean};
		for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
			table_cell(&t, "%.2f", columns[i]);
	}
	free(values);
	return end_table(&t, bold, out) && values;
}

static bool write_stalls(const struct tea_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	static const char *const words[] = {"stream", "cycles", "CPI", "99 % of stalls below", "combined %"};
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, words, sizeof(words) / sizeof(words[0]));
	for (size_t i = 0; i < nr; i++) {
		const struct tea_program *p = &programs[i];
		table_row(&t, i == 0);
		table_cell(&t, "%s", p->stream);
		table_cell(&t, "%" PRIu64, p->cycles);
		table_cell(&t, "%.3f", p->instructions > 0 ? (double)p->cycles / (double)p->instructions : 0);
		table_cell(&t, "%u", p->short_stall);
		table_cell(&t, "%.1f", combined_pct(p));
	}
	table_row(&t, true);
	table_cell(&t, "paper");
	table_cell(&t, "%s", "");
	table_cell(&t, "%s", "");
	table_cell(&t, "%.1f", PAPER_SHORT_STALL);
	table_cell(&t, "%.1f", PAPER_COMBINED_PCT);
	return end_table(&t, bold, out);
}

/* The highest stacks of a program. */
static void write_tops(const struct tea_program *p, struct textbuf *out)
{
	char name[STACK_SIGNATURE_NAME_BYTES];
	for (unsigned i = 0; i < p->nr_tops; i++)
		textbuf_printf(out, "    %5.1f %%  %s  %s\n", p->tops[i].pct, p->tops[i].place,
			       signature_name(p->tops[i].signature, name));
}

static void write_order(const struct tea_program *programs, size_t nr, enum pics_by by, struct textbuf *out)
{
	size_t nr_holds = 0;
	for (size_t i = 0; i < nr; i++)
		nr_holds += tea_order_holds(&programs[i], by);
	textbuf_printf(out, "- by %s: in %zu of %zu stream%s\n", pics_by_words[by], nr_holds, nr, nr == 1 ? "" : "s");
	for (size_t i = 0; i < nr; i++) {
		const struct tea_error *e = programs[i].errors[0];
		if (tea_order_holds(&programs[i], by))
			continue;
		textbuf_printf(out, "  not in %s:", programs[i].stream);
		for (unsigned k = 0; k < NR_STACK_SCHEMES; k++)
			textbuf_printf(out, "%s %s %.2f %%", k > 0 ? "," : "", stack_scheme_name((enum stack_scheme)k),
				       100 * e[k].error[by]);
		textbuf_puts(out, "; its highest stacks:\n");
		write_tops(&programs[i], out);
	}
}

static void write_storage(const struct tea_study *s, struct textbuf *out)
{
	struct tea_storage b = tea_storage_of(s->timing);
	uint32_t bits = tea_storage_bits(&b);
	textbuf_printf(out,
		       "Storage of TEA in this core: %" PRIu32 " B (fetch buffer %" PRIu32 ", ROB %" PRIu32
		       ", last committed %" PRIu32 ", load and store queue %" PRIu32 ", front end %" PRIu32
		       "), with TIP %" PRIu32 " B; paper: %u and %u B.\n",
		       bits / 8, b.fetch_buffer / 8, b.rob / 8, b.last_committed / 8, b.lsu / 8, b.front_end / 8,
		       (bits + TIP_STORAGE_BITS) / 8, PAPER_STORAGE_BYTES, PAPER_STORAGE_BYTES + TIP_STORAGE_BITS / 8);
}

bool tea_study_text(const struct tea_study *s, const struct tea_program *programs, size_t nr, bool bold,
		    struct textbuf *out)
{
	textbuf_printf(out,
		       "Errors of sampled cycle stacks on %s, in %%, by instruction, a sample in %" PRIu64
		       " cycles (figure 5):\n",
		       s->core, s->periods[0]);
	bool ok = write_programs(programs, nr, bold, out);
	textbuf_puts(out, "\nThe mean, by granularity (figure 9):\n");
	ok = write_granularities(programs, nr, bold, out) && ok;
	textbuf_puts(out, "\nThe mean by instruction, by period in cycles (figure 8):\n");
	ok = write_periods(s, programs, nr, bold, out) && ok;
	textbuf_puts(out, "\nCorrelation of executions with an event and the cycles of their stacks, over static "
			  "instructions (figure 7):\n");
	ok = write_correlations(programs, nr, bold, out) && ok;
	textbuf_puts(out, "\nStalls of uops without events, in cycles, and instructions with several events:\n");
	ok = write_stalls(programs, nr, bold, out) && ok;
	textbuf_puts(out, "\nWhere is the error of tea below that of nci, and that below the others?\n");
	write_order(programs, nr, PICS_INSTRUCTION, out);
	write_order(programs, nr, PICS_FUNCTION, out);
	textbuf_putc(out, '\n');
	write_storage(s, out);
	const char *before = "\n";
	core_report_sampling(&s->sampling, out);
	for (size_t i = 0; i < nr; i++)
		core_report_sample(programs[i].stream, programs[i].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV ---- */

void tea_study_csv(const struct tea_study *s, const struct tea_program *programs, size_t nr, struct textbuf *out)
{
	textbuf_puts(out, "stream,core,config_hash,sampled_epochs,instructions,cycles,period_cycles,scheme,by,samples,"
			  "error_pct,chance_pct\n");
	for (size_t n = 0; n < nr * s->nr_periods * NR_STACK_SCHEMES * NR_PICS_BY; n++) {
		unsigned by = (unsigned)(n % NR_PICS_BY), scheme = (unsigned)(n / NR_PICS_BY % NR_STACK_SCHEMES),
			 period = (unsigned)(n / NR_PICS_BY / NR_STACK_SCHEMES % s->nr_periods);
		const struct tea_program *p = &programs[n / NR_PICS_BY / NR_STACK_SCHEMES / s->nr_periods];
		const struct tea_error *e = &p->errors[period][scheme];
		csv_string(out, p->stream);
		csv_string(out, s->core);
		csv_string(out, s->config_hash);
		core_report_csv_sample(p->nr_sampled, out);
		csv_u64(out, p->instructions);
		csv_u64(out, p->cycles);
		csv_u64(out, s->periods[period]);
		csv_string(out, stack_scheme_name((enum stack_scheme)scheme));
		csv_string(out, pics_by_words[by]);
		csv_u64(out, e->samples);
		csv_double(out, 100 * e->error[by]);
		csv_double(out, 100 * e->chance[by]);
		csv_end_row(out);
	}
}

/* ---- JSON ---- */

static void json_errors(struct jwriter *j, const struct tea_study *s, const struct tea_program *p)
{
	jwrite_begin_array(j, "errors", false);
	for (unsigned i = 0; i < s->nr_periods; i++)
		for (unsigned k = 0; k < NR_STACK_SCHEMES; k++)
			for (unsigned by = 0; by < NR_PICS_BY; by++) {
				const struct tea_error *e = &p->errors[i][k];
				jwrite_begin_flat_object(j, NULL);
				jwrite_u64(j, "period_cycles", s->periods[i]);
				jwrite_string(j, "scheme", stack_scheme_name((enum stack_scheme)k));
				jwrite_string(j, "by", pics_by_words[by]);
				jwrite_u64(j, "samples", e->samples);
				jwrite_double(j, "error_pct", 100 * e->error[by]);
				jwrite_double(j, "chance_pct", 100 * e->chance[by]);
				jwrite_end_object(j);
			}
	jwrite_end_array(j);
}

static void json_program(struct jwriter *j, const struct tea_study *s, const struct tea_program *p)
{
	char name[STACK_SIGNATURE_NAME_BYTES];
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "stream", p->stream);
	core_report_json_sampling(j, p->nr_sampled, &s->sampling);
	jwrite_u64(j, "instructions", p->instructions);
	jwrite_u64(j, "cycles", p->cycles);
	jwrite_u64(j, "base_stalls_below_cycles", p->short_stall);
	jwrite_u64(j, "executions_with_events", p->with_events);
	jwrite_u64(j, "executions_with_several", p->combined);
	json_errors(j, s, p);
	jwrite_begin_flat_object(j, "correlations");
	for (unsigned e = 0; e < NR_STACK_EVENTS; e++)
		if (p->has_r[e])
			jwrite_double(j, stack_event_name((enum stack_event)e), p->r[e]);
	jwrite_end_object(j);
	jwrite_begin_array(j, "highest_stacks", false);
	for (unsigned i = 0; i < p->nr_tops; i++) {
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "place", p->tops[i].place);
		jwrite_string(j, "signature", signature_name(p->tops[i].signature, name));
		jwrite_double(j, "pct", p->tops[i].pct);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_bool(j, "order_holds_by_instruction", tea_order_holds(p, PICS_INSTRUCTION));
	jwrite_bool(j, "order_holds_by_function", tea_order_holds(p, PICS_FUNCTION));
	jwrite_end_object(j);
}

void tea_study_json(const struct tea_study *s, const struct tea_program *programs, size_t nr, struct textbuf *out)
{
	struct tea_storage storage = tea_storage_of(s->timing);
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", TEA_STUDY_SCHEMA);
	jwrite_string(&j, "core", s->core);
	jwrite_string(&j, "config_hash", s->config_hash);
	jwrite_u64(&j, "seed", s->seed);
	jwrite_u64(&j, "storage_bits", tea_storage_bits(&storage));
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++)
		json_program(&j, s, &programs[i]);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	textbuf_putc(out, '\n');
}
