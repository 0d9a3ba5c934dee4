/* The study of cycle stacks by an introspection unit as text, CSV and JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "results/cores/core_report.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/studies/ipu_pics_study.h"

/* The dissertation, section 2.5 and table 2.3; area and power of section 2.5. */
#define PAPER_DROP_PCT "3"
#define PAPER_MOST_DROP_PCT "12"
#define PAPER_MISSING_PCT "0.025"
#define PAPER_QUIET_PCT "75"
#define PAPER_BYTES_PER_S "15 KB"
#define PAPER_COST                                                                                                     \
	"An IPU of this kind takes 0.019 mm2 and, with the dissertation's program, 15.0 mW in 7 nm; the core complex " \
	"that it\nis compared with takes 31 mm2 and 4 W. An IPU with soft logic (IPU_pro) takes 0.22 mm2 and 20.8 mW " \
	"(dissertation,\nsections 2.4 and 2.5: quoted, not computed here; sahm ipu study cost has all its figures).\n"

/* The values of a program that have a mean: loss(), of a unit, in %. */
typedef double (*loss)(const struct ipu_pics_losses *l);

static double dropped_of(const struct ipu_pics_losses *l)
{
	return l->dropped_pct;
}

static double drop_error_of(const struct ipu_pics_losses *l)
{
	return 100 * l->drop_error;
}

static double row_error_of(const struct ipu_pics_losses *l)
{
	return 100 * l->row_error;
}

static double missing_of(const struct ipu_pics_losses *l)
{
	return 100 * l->missing;
}

static double error_of(const struct ipu_pics_losses *l)
{
	return 100 * l->error;
}

static double from_tea_of(const struct ipu_pics_losses *l)
{
	return 100 * l->from_tea;
}

static double mean_of(const struct ipu_pics_program *programs, size_t nr, unsigned unit, loss value)
{
	double sum = 0;
	for (size_t i = 0; i < nr; i++)
		sum += value(&programs[i].of[unit]);
	return sum / (double)nr;
}

static double most_of(const struct ipu_pics_program *programs, size_t nr, unsigned unit, loss value)
{
	double most = 0;
	for (size_t i = 0; i < nr; i++)
		most = value(&programs[i].of[unit]) > most ? value(&programs[i].of[unit]) : most;
	return most;
}

static double quiet_pct(const struct ipu_pics_program *p)
{
	return p->cycles > 0 ? 100 * (double)(p->cycles - p->event_cycles) / (double)p->cycles : 0;
}

/* ---- Text ---- */

static void unit_cells(struct table *t, unsigned nr_units, const struct ipu_pics_program *programs, size_t nr,
		       loss value, const char *fmt, bool most)
{
	for (unsigned u = 0; u < nr_units; u++) {
		char text[32];
		snprintf(text, sizeof(text), fmt,
			 most ? most_of(programs, nr, u, value) : mean_of(programs, nr, u, value));
		table_cell(t, "%s", text);
	}
}

static void unit_names(struct table *t, unsigned nr_units)
{
	for (unsigned u = 0; u < nr_units; u++)
		table_cell(t, "%s", ipu_pics_name((enum ipu_pics_unit)u));
}

static bool end_table(struct table *t, bool bold, struct textbuf *out)
{
	bool ok = table_write(t, bold, out);
	table_release(t);
	return ok;
}

/* A table of one kind of loss for all programs, of units[nr_units]. */
static bool write_losses(const struct ipu_pics_program *programs, size_t nr, unsigned nr_units, loss value,
			 const char *fmt, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "stream");
	table_cell(&t, "samples");
	unit_names(&t, nr_units);
	for (size_t i = 0; i < nr; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", programs[i].stream);
		table_cell(&t, "%" PRIu64, programs[i].of[IPU_PICS_REFERENCE].samples);
		unit_cells(&t, nr_units, &programs[i], 1, value, fmt, false);
	}
	for (unsigned row = 0; row < 2; row++) {
		table_row(&t, row == 0);
		table_cell(&t, "%s", row == 0 ? "mean" : "largest");
		table_cell(&t, "%s", "");
		unit_cells(&t, nr_units, programs, nr, value, fmt, row == 1);
	}
	return end_table(&t, bold, out);
}

static bool write_errors(const struct ipu_pics_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	double tea = 0, chance = 0;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"stream", "tea", "chance"}, 3);
	unit_names(&t, NR_IPU_PICS_UNITS);
	for (size_t i = 0; i < nr; i++) {
		tea += 100 * programs[i].tea_error / (double)nr;
		chance += 100 * programs[i].chance / (double)nr;
		table_row(&t, i == 0);
		table_cell(&t, "%s", programs[i].stream);
		table_cell(&t, "%.2f", 100 * programs[i].tea_error);
		table_cell(&t, "%.2f", 100 * programs[i].chance);
		unit_cells(&t, NR_IPU_PICS_UNITS, &programs[i], 1, error_of, "%.2f", false);
	}
	table_row(&t, true);
	table_cell(&t, "mean");
	table_cell(&t, "%.2f", tea);
	table_cell(&t, "%.2f", chance);
	unit_cells(&t, NR_IPU_PICS_UNITS, programs, nr, error_of, "%.2f", false);
	return end_table(&t, bold, out);
}

static bool write_rates(const struct ipu_pics_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"stream", "no event %", "events lost", "B/s"}, 4);
	for (unsigned u = 0; u < NR_IPU_PICS_SETTINGS; u++)
		table_cell(&t, "%s", ipu_pics_name((enum ipu_pics_unit)u));
	for (size_t i = 0; i < nr; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", programs[i].stream);
		table_cell(&t, "%.2f", quiet_pct(&programs[i]));
		table_cell(&t, "%" PRIu64, programs[i].lost_events);
		table_cell(&t, "%.0f", programs[i].of[0].bytes_per_s);
		unit_cells(&t, NR_IPU_PICS_SETTINGS, &programs[i], 1, dropped_of, "%.2f", false);
	}
	return end_table(&t, bold, out);
}

/* Table 2.2. */
static bool write_rows(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr, bool bold,
		       struct textbuf *out)
{
	char name[STACK_SIGNATURE_NAME_BYTES];
	struct table t;
	table_init(&t);
	t.left |= 1u << 2 | 1u << 4;
	table_row(&t, false);
	table_words(&t, (const char *const[]){"stream", "PC", "event combination", "cycles", "place"}, 5);
	for (size_t i = 0; i < nr; i++)
		for (unsigned k = 0; k < programs[i].nr_rows; k++) {
			const struct ipu_pics_row *r = &programs[i].rows[k];
			table_row(&t, i == 0 && k == 0);
			table_cell(&t, "%s", k == 0 ? programs[i].stream : "");
			table_cell(&t, "0x%" PRIx32, r->pc);
			table_cell(&t, "%s", signature_name(r->signature, name));
			table_cell(&t, "%" PRIu64, r->samples * s->period);
			table_cell(&t, "%s", r->place);
		}
	return end_table(&t, bold, out);
}

bool ipu_pics_text(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr, bool bold,
		   struct textbuf *out)
{
	textbuf_printf(out, "Cycle stacks by an introspection unit beside %s, a sample in %" PRIu64 " cycles:\n",
		       s->core, s->period);
	for (unsigned u = 0; u < NR_IPU_PICS_UNITS; u++) {
		const struct ipu_unit_config *c = ipu_pics_config((enum ipu_pics_unit)u);
		textbuf_printf(out, "- %s: ", ipu_pics_name((enum ipu_pics_unit)u));
		if (u != IPU_PICS_REFERENCE)
			textbuf_printf(out, "core at %" PRIu32 " MHz, unit at %" PRIu32 " MHz; ", c->hit_mhz,
				       c->ipu_mhz);
		textbuf_printf(out, "%s\n", ipu_pics_help((enum ipu_pics_unit)u));
	}
	textbuf_puts(
		out,
		"In all but late, the timer keeps the PCs of the cycle that is sampled (a second rank of registers): then "
		"heights\nby PC do not depend on what the unit drops. Pairs of PC and events do.\n");
	textbuf_puts(out,
		     "\n(a) Drop error: the mean over PCs of the difference of their heights to those in zero time, in "
		     "%\n(figure 2.10; dissertation: typically below " PAPER_DROP_PCT " %, up to " PAPER_MOST_DROP_PCT
		     " %):\n");
	bool ok = write_losses(programs, nr, NR_IPU_PICS_SETTINGS, drop_error_of, "%.2f", bold, out);
	textbuf_puts(out, "\nThe same over pairs of PC and event combination, as table 2.2 has them, in %:\n");
	ok = write_losses(programs, nr, NR_IPU_PICS_SETTINGS, row_error_of, "%.2f", bold, out) && ok;
	textbuf_puts(
		out,
		"\n(b) Cycles of PCs that the unit misses, in % (figure 2.10; dissertation: below " PAPER_MISSING_PCT
		" %):\n");
	ok = write_losses(programs, nr, NR_IPU_PICS_SETTINGS, missing_of, "%.4f", bold, out) && ok;
	textbuf_puts(out, "\n(c) Error by instruction compared with exact stacks, in %: of TEA's samples, of as many "
			  "drawn at random, of units:\n");
	ok = write_errors(programs, nr, bold, out) && ok;
	textbuf_puts(out, "\nError by instruction compared with TEA's samples of the same cycles, in %:\n");
	ok = write_losses(programs, nr, NR_IPU_PICS_UNITS, from_tea_of, "%.2f", bold, out) && ok;
	textbuf_puts(out, "\n(d) Cycles without an event, in % (dissertation: above " PAPER_QUIET_PCT
			  "), events lost to older ones of their cycle,\n(e) output (dissertation: " PAPER_BYTES_PER_S
			  "/s, a sample in 400,000 cycles), and input sets dropped, in %:\n");
	ok = write_rates(programs, nr, bold, out) && ok;
	textbuf_printf(out, "\nThe highest rows of each stream, in setting %s (table 2.2):\n", ipu_pics_name(0));
	ok = write_rows(s, programs, nr, bold, out) && ok;
	textbuf_puts(out, "\n" PAPER_COST);
	const char *before = "\n";
	core_report_sampling(&s->sampling, out);
	for (size_t i = 0; i < nr; i++)
		core_report_sample(programs[i].stream, programs[i].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV ---- */

void ipu_pics_csv(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr,
		  struct textbuf *out)
{
	textbuf_puts(
		out,
		"stream,core,config_hash,sampled_epochs,instructions,cycles,event_cycles,period_cycles,setting,"
		"hit_mhz,ipu_mhz,samples,dropped_pct,drop_error_pct,row_error_pct,missing_pct,error_pct,from_tea_pct,"
		"tea_error_pct,chance_pct,bytes_per_s\n");
	for (size_t n = 0; n < nr * NR_IPU_PICS_UNITS; n++) {
		enum ipu_pics_unit unit = (enum ipu_pics_unit)(n % NR_IPU_PICS_UNITS);
		const struct ipu_pics_program *p = &programs[n / NR_IPU_PICS_UNITS];
		const struct ipu_pics_losses *l = &p->of[unit];
		csv_string(out, p->stream);
		csv_string(out, s->core);
		csv_string(out, s->config_hash);
		core_report_csv_sample(p->nr_sampled, out);
		csv_u64(out, p->instructions);
		csv_u64(out, p->cycles);
		csv_u64(out, p->event_cycles);
		csv_u64(out, s->period);
		csv_string(out, ipu_pics_name(unit));
		csv_u64(out, ipu_pics_config(unit)->hit_mhz);
		csv_u64(out, ipu_pics_config(unit)->ipu_mhz);
		csv_u64(out, l->samples);
		csv_double(out, l->dropped_pct);
		csv_double(out, 100 * l->drop_error);
		csv_double(out, 100 * l->row_error);
		csv_double(out, 100 * l->missing);
		csv_double(out, 100 * l->error);
		csv_double(out, 100 * l->from_tea);
		csv_double(out, 100 * p->tea_error);
		csv_double(out, 100 * p->chance);
		csv_double(out, l->bytes_per_s);
		csv_end_row(out);
	}
}

/* ---- JSON ---- */

static void json_unit(struct jwriter *j, const struct ipu_pics_program *p, enum ipu_pics_unit unit)
{
	const struct ipu_pics_losses *l = &p->of[unit];
	jwrite_begin_flat_object(j, NULL);
	jwrite_string(j, "setting", ipu_pics_name(unit));
	jwrite_u64(j, "samples", l->samples);
	jwrite_double(j, "dropped_pct", l->dropped_pct);
	jwrite_double(j, "drop_error_pct", 100 * l->drop_error);
	jwrite_double(j, "row_error_pct", 100 * l->row_error);
	jwrite_double(j, "missing_pct", 100 * l->missing);
	jwrite_double(j, "error_pct", 100 * l->error);
	jwrite_double(j, "from_tea_pct", 100 * l->from_tea);
	jwrite_double(j, "bytes_per_s", l->bytes_per_s);
	jwrite_end_object(j);
}

static void json_rows(struct jwriter *j, const struct ipu_pics_study *s, const struct ipu_pics_program *p)
{
	char name[STACK_SIGNATURE_NAME_BYTES], pc[16];
	jwrite_begin_array(j, "rows", false);
	for (unsigned i = 0; i < p->nr_rows; i++) {
		snprintf(pc, sizeof(pc), "0x%" PRIx32, p->rows[i].pc);
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "pc", pc);
		jwrite_string(j, "events", signature_name(p->rows[i].signature, name));
		jwrite_u64(j, "cycles", p->rows[i].samples * s->period);
		jwrite_string(j, "place", p->rows[i].place);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void json_program(struct jwriter *j, const struct ipu_pics_study *s, const struct ipu_pics_program *p)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "stream", p->stream);
	core_report_json_sampling(j, p->nr_sampled, &s->sampling);
	jwrite_u64(j, "instructions", p->instructions);
	jwrite_u64(j, "cycles", p->cycles);
	jwrite_u64(j, "event_cycles", p->event_cycles);
	jwrite_u64(j, "events_lost", p->lost_events);
	jwrite_double(j, "tea_error_pct", 100 * p->tea_error);
	jwrite_double(j, "chance_pct", 100 * p->chance);
	jwrite_begin_array(j, "settings", false);
	for (unsigned u = 0; u < NR_IPU_PICS_UNITS; u++)
		json_unit(j, p, (enum ipu_pics_unit)u);
	jwrite_end_array(j);
	json_rows(j, s, p);
	jwrite_end_object(j);
}

void ipu_pics_json(const struct ipu_pics_study *s, const struct ipu_pics_program *programs, size_t nr,
		   struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", IPU_PICS_STUDY_SCHEMA);
	jwrite_string(&j, "core", s->core);
	jwrite_string(&j, "config_hash", s->config_hash);
	jwrite_u64(&j, "period_cycles", s->period);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++)
		json_program(&j, s, &programs[i]);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	textbuf_putc(out, '\n');
}
