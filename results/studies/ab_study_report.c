/* The A/B test of a prefetcher as text, CSV and JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "results/cores/core_report.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/studies/ab_study.h"

/* The dissertation, sections 2.3 and 2.5. */
#define PAPER_ERROR_PCT "1"
#define PAPER_MOST_ERROR_PCT "1.8"
#define PAPER_COST                                                                                                     \
	"An IPU_pro takes 0.22 mm2 and, with the dissertation's soft logic, 20.8 mW in 7 nm; the core complex that "   \
	"it is\ncompared with takes 31 mm2 and 4 W (dissertation, sections 2.4 and 2.5: quoted, not computed here).\n"

static const char *const estimate_names[NR_AB_ESTIMATES] = {"all hit L2", "latency"};

/* Over the programs that count: the mean of the errors' sizes, or the largest. NAN: there are none. */
static double error_over(const struct ab_program *programs, size_t nr, enum ab_unit unit, enum ab_metric metric,
			 bool most)
{
	double sum = 0, largest = 0;
	size_t n = 0;
	for (size_t i = 0; i < nr; i++) {
		double error = fabs(ab_error_pct(&programs[i], unit, metric));
		if (!ab_counts_for_means(&programs[i]) || isnan(error))
			continue;
		sum += error;
		largest = error > largest ? error : largest;
		n++;
	}
	if (n == 0)
		return NAN;
	return most ? largest : sum / (double)n;
}

static size_t nr_that_count(const struct ab_program *programs, size_t nr)
{
	size_t n = 0;
	for (size_t i = 0; i < nr; i++)
		n += ab_counts_for_means(&programs[i]);
	return n;
}

/* ---- Text ---- */

static void number_cell(struct table *t, const char *fmt, double value)
{
	char text[32] = "-";
	if (!isnan(value))
		snprintf(text, sizeof(text), fmt, value);
	table_cell(t, "%s", text);
}

static bool end_table(struct table *t, bool bold, struct textbuf *out)
{
	bool ok = table_write(t, bold, out);
	table_release(t);
	return ok;
}

static void metric_cells(struct table *t, const struct ab_counts *c, bool is_there)
{
	for (unsigned m = 0; m < NR_AB_METRICS; m++)
		number_cell(t, m == AB_MISS_RATE ? "%.4f" : "%.2f",
			    is_there ? ab_metric_pct(c, (enum ab_metric)m) : NAN);
}

static bool write_metrics(const struct ab_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t,
		    (const char *const[]){"stream", "accesses", "misses", "truth: misses", "coverage", "accuracy",
					  "IPU: misses", "coverage", "accuracy", "late", "dropped"},
		    11);
	for (size_t i = 0; i < nr; i++) {
		const struct ab_program *p = &programs[i];
		const struct ab_counts *seen = &p->units[AB_LATENCY];
		table_row(&t, i == 0);
		table_cell(&t, "%s", p->stream);
		table_cell(&t, "%" PRIu64, p->nr_sets);
		number_cell(&t, "%.4f", ab_base_miss_pct(seen));
		metric_cells(&t, &p->truth, p->has_truth);
		metric_cells(&t, seen, true);
		number_cell(&t, "%.2f", seen->used > 0 ? 100 * (double)seen->late / (double)seen->used : NAN);
		table_cell(&t, "%.3f", p->dropped_pct);
	}
	return end_table(&t, bold, out);
}

static void error_cells(struct table *t, const struct ab_program *programs, size_t nr, bool most)
{
	for (unsigned unit = 0; unit < NR_AB_ESTIMATES; unit++)
		for (unsigned m = 0; m < NR_AB_METRICS; m++)
			number_cell(t, "%.2f", error_over(programs, nr, (enum ab_unit)unit, (enum ab_metric)m, most));
}

static bool write_errors(const struct ab_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "stream");
	for (unsigned unit = 0; unit < NR_AB_ESTIMATES; unit++)
		for (unsigned m = 0; m < NR_AB_METRICS; m++)
			table_cell(&t, "%s%s%s", m == 0 ? estimate_names[unit] : "", m == 0 ? ": " : "",
				   ab_metric_name((enum ab_metric)m));
	for (size_t i = 0; i < nr; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s%s", programs[i].stream, ab_counts_for_means(&programs[i]) ? "" : " *");
		for (unsigned unit = 0; unit < NR_AB_ESTIMATES; unit++)
			for (unsigned m = 0; m < NR_AB_METRICS; m++)
				number_cell(&t, "%+.2f",
					    ab_error_pct(&programs[i], (enum ab_unit)unit, (enum ab_metric)m));
	}
	table_row(&t, true);
	table_cell(&t, "mean");
	error_cells(&t, programs, nr, false);
	table_row(&t, false);
	table_cell(&t, "largest");
	error_cells(&t, programs, nr, true);
	return end_table(&t, bold, out);
}

static const char *better_of(const struct ab_study *s, const struct ab_verdict *v)
{
	if (!v->has_interval || !v->is_certain)
		return "not certain";
	return v->per_1000.mean < 0 ? s->prefetcher : s->against;
}

static bool write_verdicts(const struct ab_study *s, const struct ab_program *programs, size_t nr, bool bold,
			   struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t,
		    (const char *const[]){"stream", s->prefetcher, s->against, "difference", "from", "to", "better",
					  "certain after"},
		    8);
	for (size_t i = 0; i < nr; i++) {
		const struct ab_program *p = &programs[i];
		const struct ab_verdict *v = &p->verdict;
		table_row(&t, i == 0);
		table_cell(&t, "%s", p->stream);
		number_cell(&t, "%.3f", 10 * ab_metric_pct(&p->units[AB_LATENCY], AB_MISS_RATE));
		number_cell(&t, "%.3f", 10 * ab_metric_pct(&p->units[AB_AGAINST], AB_MISS_RATE));
		number_cell(&t, "%+.3f", v->has_interval ? v->per_1000.mean : NAN);
		number_cell(&t, "%+.3f", v->has_interval ? v->per_1000.low : NAN);
		number_cell(&t, "%+.3f", v->has_interval ? v->per_1000.high : NAN);
		table_cell(&t, "%s", better_of(s, v));
		if (v->has_interval && v->is_certain)
			table_cell(&t, "%" PRIu64, v->instructions);
		else
			table_cell(&t, "-");
	}
	return end_table(&t, bold, out);
}

bool ab_text(const struct ab_study *s, const struct ab_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	textbuf_printf(out,
		       "A/B test of L1I prefetcher %s, in the soft logic of an IPU_pro beside %s, which does not have "
		       "it.\nCore at %" PRIu32 " MHz, soft logic at %" PRIu32
		       " MHz, sets in mode %s; a table of %" PRIu32 " entries; a packet in %" PRIu64 " cycles.\n",
		       s->prefetcher, s->core, s->hit_mhz, s->soft_mhz, s->mode, s->entries, s->period);
	textbuf_puts(out, "\n(a) Misses in % of accesses to L1I, without the prefetcher and with it; coverage and "
			  "accuracy in %; late ones in % of\nthe lines used; input sets dropped, in %:\n");
	bool ok = write_metrics(programs, nr, bold, out);
	textbuf_puts(out,
		     "\n(b) Errors relative to the truth, in %, if every miss is taken to hit L2, and with the latency "
		     "of the core's own misses\n(figure 2.8a; dissertation, miss rate, all hit L2: " PAPER_ERROR_PCT
		     " % on average, up to " PAPER_MOST_ERROR_PCT " %):\n");
	ok = write_errors(programs, nr, bold, out) && ok;
	size_t counted = nr_that_count(programs, nr);
	if (counted < nr)
		textbuf_printf(out,
			       "* %zu of %zu streams miss in less than %.2f %% of accesses: they are in no mean.\n",
			       nr - counted, nr, AB_LEAST_MISS_PCT);
	textbuf_printf(out,
		       "\n(c) Which is better? Misses per 1,000 accesses of %s and %s, their difference with its "
		       "interval of 95 %%, and the\ninstructions after which it stays on one side of 0:\n",
		       s->prefetcher, s->against);
	ok = write_verdicts(s, programs, nr, bold, out) && ok;
	textbuf_puts(out, "\n" PAPER_COST);
	const char *before = "\n";
	core_report_sampling(&s->sampling, out);
	for (size_t i = 0; i < nr; i++)
		core_report_sample(programs[i].stream, programs[i].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV ---- */

static void csv_counts(struct textbuf *out, const struct ab_counts *c)
{
	csv_u64(out, c->lines);
	csv_u64(out, c->base_misses);
	csv_u64(out, c->misses);
	csv_u64(out, c->prefetches);
	csv_u64(out, c->used);
	for (unsigned m = 0; m < NR_AB_METRICS; m++)
		csv_double(out, ab_metric_pct(c, (enum ab_metric)m));
}

static const char *const row_names[] = {"all hit L2", "latency", "against", "truth", "truth of against"};
#define NR_ROWS (sizeof(row_names) / sizeof(row_names[0]))

static const struct ab_counts *row_counts(const struct ab_program *p, unsigned row)
{
	return row < NR_AB_UNITS ? &p->units[row] : row == NR_AB_UNITS ? &p->truth : &p->against_truth;
}

void ab_csv(const struct ab_study *s, const struct ab_program *programs, size_t nr, struct textbuf *out)
{
	textbuf_puts(out, "stream,core,config_hash,sampled_epochs,instructions,cycles,prefetcher,against,entries,"
			  "hit_mhz,soft_mhz,mode,period_cycles,counts,lines,base_misses,misses,prefetches,used,"
			  "miss_rate_pct,coverage_pct,accuracy_pct,dropped_pct,miss_rate_error_pct,"
			  "coverage_error_pct,accuracy_error_pct,difference_per_1000,low_per_1000,high_per_1000,"
			  "certain_after_instructions\n");
	for (size_t n = 0; n < nr * NR_ROWS; n++) {
		const struct ab_program *p = &programs[n / NR_ROWS];
		unsigned row = (unsigned)(n % NR_ROWS);
		if (row >= NR_AB_UNITS && !p->has_truth)
			continue;
		csv_string(out, p->stream);
		csv_string(out, s->core);
		csv_string(out, s->config_hash);
		core_report_csv_sample(p->nr_sampled, out);
		csv_u64(out, p->instructions);
		csv_u64(out, p->cycles);
		csv_string(out, s->prefetcher);
		csv_string(out, s->against);
		csv_u64(out, s->entries);
		csv_u64(out, s->hit_mhz);
		csv_u64(out, s->soft_mhz);
		csv_string(out, s->mode);
		csv_u64(out, s->period);
		csv_string(out, row_names[row]);
		csv_counts(out, row_counts(p, row));
		csv_double(out, row == AB_LATENCY ? p->dropped_pct : NAN);
		for (unsigned m = 0; m < NR_AB_METRICS; m++)
			csv_double(out,
				   row < NR_AB_ESTIMATES ? ab_error_pct(p, (enum ab_unit)row, (enum ab_metric)m) : NAN);
		bool has = row == AB_LATENCY && p->verdict.has_interval;
		csv_double(out, has ? p->verdict.per_1000.mean : NAN);
		csv_double(out, has ? p->verdict.per_1000.low : NAN);
		csv_double(out, has ? p->verdict.per_1000.high : NAN);
		csv_double(out, has && p->verdict.is_certain ? (double)p->verdict.instructions : NAN);
		csv_end_row(out);
	}
}

/* ---- JSON ---- */

static void json_row(struct jwriter *j, const struct ab_program *p, unsigned row)
{
	static const char *const metrics[NR_AB_METRICS] = {"miss_rate_pct", "coverage_pct", "accuracy_pct"};
	static const char *const errors[NR_AB_METRICS] = {"miss_rate_error_pct", "coverage_error_pct",
							  "accuracy_error_pct"};
	const struct ab_counts *c = row_counts(p, row);
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "counts", row_names[row]);
	jwrite_u64(j, "lines", c->lines);
	jwrite_u64(j, "base_misses", c->base_misses);
	jwrite_u64(j, "misses", c->misses);
	jwrite_u64(j, "prefetches", c->prefetches);
	jwrite_u64(j, "used", c->used);
	for (unsigned m = 0; m < NR_AB_METRICS; m++)
		jwrite_double(j, metrics[m], ab_metric_pct(c, (enum ab_metric)m));
	for (unsigned m = 0; m < NR_AB_METRICS && row < NR_AB_ESTIMATES; m++)
		jwrite_double(j, errors[m], ab_error_pct(p, (enum ab_unit)row, (enum ab_metric)m));
	jwrite_end_object(j);
}

static void json_verdict(struct jwriter *j, const struct ab_study *s, const struct ab_program *p)
{
	const struct ab_verdict *v = &p->verdict;
	jwrite_begin_object(j, "verdict");
	jwrite_string(j, "better", better_of(s, v));
	if (v->has_interval) {
		jwrite_double(j, "difference_per_1000", v->per_1000.mean);
		jwrite_double(j, "low_per_1000", v->per_1000.low);
		jwrite_double(j, "high_per_1000", v->per_1000.high);
	}
	if (v->has_interval && v->is_certain)
		jwrite_u64(j, "certain_after_instructions", v->instructions);
	jwrite_end_object(j);
}

void ab_json(const struct ab_study *s, const struct ab_program *programs, size_t nr, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", AB_STUDY_SCHEMA);
	jwrite_string(&j, "core", s->core);
	jwrite_string(&j, "config_hash", s->config_hash);
	jwrite_string(&j, "prefetcher", s->prefetcher);
	jwrite_string(&j, "against", s->against);
	jwrite_u64(&j, "entries", s->entries);
	jwrite_u64(&j, "hit_mhz", s->hit_mhz);
	jwrite_u64(&j, "soft_mhz", s->soft_mhz);
	jwrite_string(&j, "mode", s->mode);
	jwrite_u64(&j, "period_cycles", s->period);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++) {
		const struct ab_program *p = &programs[i];
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", p->stream);
		core_report_json_sampling(&j, p->nr_sampled, &s->sampling);
		jwrite_u64(&j, "instructions", p->instructions);
		jwrite_u64(&j, "cycles", p->cycles);
		jwrite_u64(&j, "packets", p->nr_packets);
		jwrite_double(&j, "dropped_pct", p->dropped_pct);
		jwrite_begin_array(&j, "results", false);
		for (unsigned row = 0; row < NR_ROWS; row++)
			if (row < NR_AB_UNITS || p->has_truth)
				json_row(&j, p, row);
		jwrite_end_array(&j);
		json_verdict(&j, s, p);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	textbuf_putc(out, '\n');
}
