/* The study of EDGE blocks as text, CSV and JSON. */
#include <math.h>
#include <stdio.h>

#include "results/cores/core_report.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "results/studies/edge_study.h"
#include "sim/base/array.h"

/* ---- Text ---- */

/* A column of a table: a value of each program, and the paper's mean. */
struct column {
	const char *heading;
	double (*value)(const struct edge_program *p, unsigned which);
	unsigned which;
	double paper; /* NAN: none */
};

static double committed(const struct edge_program *p, unsigned kind)
{
	return edge_committed_pct(p, (enum edge_kind)kind);
}

static double critical(const struct edge_program *p, unsigned kind)
{
	return edge_critical_pct(&p->of[EDGE_FOUR], (enum edge_kind)kind);
}

static double critical_read_mov(const struct edge_program *p, unsigned unused)
{
	(void)unused;
	return critical(p, EDGE_READ) + critical(p, EDGE_MOV);
}

static double cause(const struct edge_program *p, unsigned which)
{
	return edge_cause_pct(&p->of[EDGE_FOUR], (enum edge_cause)which);
}

static double all_of_kind(const struct edge_program *p, unsigned kind)
{
	return edge_cycles_pct(&p->of[EDGE_FOUR], (enum edge_kind)kind);
}

static double cycles_read_mov(const struct edge_program *p, unsigned unused)
{
	(void)unused;
	return all_of_kind(p, EDGE_READ) + all_of_kind(p, EDGE_MOV);
}

static double cpi(const struct edge_program *p, unsigned variant)
{
	return edge_cpi(p, (enum edge_variant)variant);
}

static double than_four(const struct edge_program *p, unsigned variant)
{
	return edge_more_cpi_pct(p, (enum edge_variant)variant, EDGE_FOUR);
}

static double than_contiguous(const struct edge_program *p, unsigned variant)
{
	return edge_more_cpi_pct(p, (enum edge_variant)variant, EDGE_CONTIGUOUS_1);
}

static double per_block(const struct edge_program *p, unsigned which)
{
	uint64_t insns = 0;
	for (unsigned i = 0; i < NR_EDGE_KINDS; i++)
		insns += p->committed[i];
	const uint64_t counts[] = {p->instructions, insns, p->bytes};
	return p->blocks > 0 ? (double)counts[which] / (double)p->blocks : NAN;
}

static double mean(const struct column *c, const struct edge_program *programs, size_t nr)
{
	double all = 0;
	for (size_t i = 0; i < nr; i++)
		all += c->value(&programs[i], c->which);
	return all / (double)nr;
}

static void value_cell(struct table *t, const char *format, double value)
{
	char text[32];
	snprintf(text, sizeof(text), format, fabs(value) < 0.0005 ? 0 : value);
	table_cell(t, "%s", isnan(value) ? "" : text);
}

static const char *format_of(const struct column *c)
{
	return c->value == cpi ? "%.3f" : c->value == than_four || c->value == than_contiguous ? "%+.1f" : "%.1f";
}

static bool write_columns(const struct column *columns, size_t nr_columns, const struct edge_program *programs,
			  size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	bool has_paper = false;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "stream");
	for (size_t k = 0; k < nr_columns; k++) {
		table_cell(&t, "%s", columns[k].heading);
		has_paper |= !isnan(columns[k].paper);
	}
	for (size_t i = 0; i < nr; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", programs[i].stream);
		for (size_t k = 0; k < nr_columns; k++)
			value_cell(&t, format_of(&columns[k]), columns[k].value(&programs[i], columns[k].which));
	}
	if (nr > 1) {
		table_row(&t, true);
		table_cell(&t, "mean");
		for (size_t k = 0; k < nr_columns; k++)
			value_cell(&t, format_of(&columns[k]), mean(&columns[k], programs, nr));
	}
	if (has_paper) {
		table_row(&t, true);
		table_cell(&t, "paper, SPEC 2006");
		for (size_t k = 0; k < nr_columns; k++)
			value_cell(&t, format_of(&columns[k]), columns[k].paper);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

#define MOST_COLUMNS (MAX_TABLE_COLUMNS - 1u)

static bool write_blocks(const struct edge_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct column columns[MOST_COLUMNS] = {{"instructions", per_block, 0, NAN},
					       {"EDGE instructions", per_block, 1, NAN},
					       {"bytes", per_block, 2, NAN}};
	size_t n = 3;
	for (unsigned kind = 0; kind < NR_EDGE_KINDS; kind++)
		columns[n++] = (struct column){edge_kind_name((enum edge_kind)kind), committed, kind, NAN};
	return write_columns(columns, n, programs, nr, bold, out);
}

static bool write_critical(const struct edge_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct column columns[MOST_COLUMNS];
	size_t n = 0;
	for (unsigned kind = 0; kind < NR_EDGE_KINDS; kind++)
		columns[n++] = (struct column){edge_kind_name((enum edge_kind)kind), critical, kind,
					       kind == EDGE_NULL ? EDGE_PAPER_NULL_PCT : NAN};
	columns[n++] = (struct column){"read and mov", critical_read_mov, 0, EDGE_PAPER_CRITICAL_PCT};
	return write_columns(columns, n, programs, nr, bold, out);
}

static bool write_cycles(const struct edge_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	struct column columns[MOST_COLUMNS];
	size_t n = 0;
	for (unsigned which = 0; which < NR_EDGE_CAUSES; which++)
		columns[n++] = (struct column){edge_cause_name((enum edge_cause)which), cause, which, NAN};
	columns[n++] = (struct column){"all read", all_of_kind, EDGE_READ, NAN};
	columns[n++] = (struct column){"all mov", all_of_kind, EDGE_MOV, NAN};
	columns[n++] = (struct column){"both", cycles_read_mov, 0, EDGE_PAPER_CYCLES_PCT};
	columns[n++] = (struct column){"all null", all_of_kind, EDGE_NULL, NAN};
	return write_columns(columns, n, programs, nr, bold, out);
}

static bool write_formats(const struct edge_program *programs, size_t nr, bool bold, struct textbuf *out)
{
	static const struct column columns[] = {
		{"4-segment", cpi, EDGE_FOUR, NAN},
		{"2-segment", cpi, EDGE_TWO, NAN},
		{"contiguous_1", cpi, EDGE_CONTIGUOUS_1, NAN},
		{"contiguous_2", cpi, EDGE_CONTIGUOUS_2, NAN},
		{"2-segment %", than_four, EDGE_TWO, NAN},
		{"contiguous_1 %", than_four, EDGE_CONTIGUOUS_1, EDGE_PAPER_CONTIGUOUS_PCT},
		{"contiguous_2 %", than_four, EDGE_CONTIGUOUS_2, EDGE_PAPER_CONTIGUOUS_2_PCT},
		{"decode %", than_contiguous, EDGE_CONTIGUOUS_2, EDGE_PAPER_DECODE_PCT},
	};
	return write_columns(columns, ARRAY_SIZE(columns), programs, nr, bold, out);
}

bool edge_study_text(const struct edge_study *s, const struct edge_program *programs, size_t nr, bool bold,
		     struct textbuf *out)
{
	textbuf_printf(
		out,
		"EDGE blocks, synthetic: made from executed paths, %u of %u instructions in flight%s; statistical "
		"costs, seed %llu.\n\n"
		"Mean block, and committed instructions by kind in %% (synthetic):\n",
		edge_study_in_flight(s), edge_study_block_size(s), s->has_hammocks ? ", if-converted hammocks" : "",
		(unsigned long long)s->seed);
	bool ok = write_blocks(programs, nr, bold, out);
	textbuf_puts(out, "\nInstructions on the critical path by kind in %, 4-segment (synthetic; figure 18a):\n");
	ok = write_critical(programs, nr, bold, out) && ok;
	textbuf_puts(
		out,
		"\nCycles of the critical path by cause in %, 4-segment (synthetic; figure 18b); \"all\": with their "
		"fetch, decode and waits for units:\n");
	ok = write_cycles(programs, nr, bold, out) && ok;
	textbuf_puts(
		out,
		"\nCycles per instruction of the stream by block format, and how much more than 4-segment (synthetic; "
		"figure 19b).\n");
	textbuf_printf(out, "contiguous_2 has %u decode cycles instead of %u; \"decode\": than contiguous_1:\n",
		       edge_variant_decode_cycles(s, EDGE_CONTIGUOUS_2), s->decode_cycles);
	ok = write_formats(programs, nr, bold, out) && ok;
	textbuf_puts(
		out,
		"\nPaper: contiguous_1 is up to 8.9 % better than 4-segment, but 5.2 % worse in hmmer; 2-segment is "
		"like 4-segment.\nIts programs were compiled for EDGE, these were not.\n");
	const char *before = "\n";
	core_report_sampling(&s->sampling, out);
	for (size_t i = 0; i < nr; i++)
		core_report_sample(programs[i].stream, programs[i].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV ---- */

void edge_study_csv(const struct edge_study *s, const struct edge_program *programs, size_t nr, struct textbuf *out)
{
	textbuf_puts(out,
		     "stream,synthetic,machine,sampled_epochs,blocks_in_flight,block_size,hammocks,seed,instructions,"
		     "blocks,bytes,format,decode_cycles,cycles,cpi,mispredictions,icache_misses,dcache_misses");
	for (unsigned k = 0; k < NR_EDGE_KINDS; k++)
		textbuf_printf(out, ",committed_%s", edge_kind_name((enum edge_kind)k));
	for (unsigned k = 0; k < NR_EDGE_KINDS; k++)
		textbuf_printf(out, ",critical_%s", edge_kind_name((enum edge_kind)k));
	for (unsigned k = 0; k < NR_EDGE_CAUSES; k++)
		textbuf_printf(out, ",critical_%s_cycles", edge_cause_name((enum edge_cause)k));
	textbuf_puts(out, ",all_read_pct,all_mov_pct,all_null_pct\n");
	for (size_t n = 0; n < nr * NR_EDGE_VARIANTS; n++) {
		enum edge_variant variant = (enum edge_variant)(n % NR_EDGE_VARIANTS);
		const struct edge_program *p = &programs[n / NR_EDGE_VARIANTS];
		const struct edge_result *r = &p->of[variant];
		csv_string(out, p->stream);
		csv_string(out, "true");
		csv_string(out, machine_name(p->machine));
		core_report_csv_sample(p->nr_sampled, out);
		csv_u64(out, edge_study_in_flight(s));
		csv_u64(out, edge_study_block_size(s));
		csv_string(out, s->has_hammocks ? "true" : "false");
		csv_u64(out, s->seed);
		csv_u64(out, p->instructions);
		csv_u64(out, p->blocks);
		csv_u64(out, p->bytes);
		csv_string(out, edge_format_name(edge_variant_format(variant)));
		csv_u64(out, edge_variant_decode_cycles(s, variant));
		csv_u64(out, r->cycles);
		csv_double(out, edge_cpi(p, variant));
		csv_u64(out, r->mispredictions);
		csv_u64(out, r->icache_misses);
		csv_u64(out, r->dcache_misses);
		for (unsigned k = 0; k < NR_EDGE_KINDS; k++)
			csv_u64(out, p->committed[k]);
		for (unsigned k = 0; k < NR_EDGE_KINDS; k++)
			csv_u64(out, r->path.insns[k]);
		for (unsigned k = 0; k < NR_EDGE_CAUSES; k++)
			csv_u64(out, edge_cause_cycles(&r->path, (enum edge_cause)k));
		csv_double(out, edge_cycles_pct(r, EDGE_READ));
		csv_double(out, edge_cycles_pct(r, EDGE_MOV));
		csv_double(out, edge_cycles_pct(r, EDGE_NULL));
		csv_end_row(out);
	}
}

/* ---- JSON ---- */

/* Every object says that it is synthetic. */
static void begin_object(struct jwriter *j, const char *key, bool is_flat)
{
	if (is_flat)
		jwrite_begin_flat_object(j, key);
	else
		jwrite_begin_object(j, key);
	jwrite_bool(j, "synthetic", true);
}

static void json_kinds(struct jwriter *j, const char *key, const uint64_t counts[NR_EDGE_KINDS])
{
	begin_object(j, key, true);
	for (unsigned k = 0; k < NR_EDGE_KINDS; k++)
		jwrite_u64(j, edge_kind_name((enum edge_kind)k), counts[k]);
	jwrite_end_object(j);
}

static void json_variant(struct jwriter *j, const struct edge_study *s, const struct edge_program *p,
			 enum edge_variant variant)
{
	const struct edge_result *r = &p->of[variant];
	begin_object(j, NULL, false);
	jwrite_string(j, "format", edge_format_name(edge_variant_format(variant)));
	jwrite_u64(j, "decode_cycles", edge_variant_decode_cycles(s, variant));
	jwrite_u64(j, "cycles", r->cycles);
	jwrite_double(j, "cpi", edge_cpi(p, variant));
	json_kinds(j, "critical_instructions", r->path.insns);
	begin_object(j, "critical_cycles", true);
	for (unsigned k = 0; k < NR_EDGE_CAUSES; k++)
		jwrite_u64(j, edge_cause_name((enum edge_cause)k), edge_cause_cycles(&r->path, (enum edge_cause)k));
	jwrite_end_object(j);
	begin_object(j, "all_cycles_pct", true);
	for (unsigned k = 0; k <= EDGE_NULL; k++)
		jwrite_double(j, edge_kind_name((enum edge_kind)k), edge_cycles_pct(r, (enum edge_kind)k));
	jwrite_end_object(j);
	jwrite_end_object(j);
}

static void json_program(struct jwriter *j, const struct edge_study *s, const struct edge_program *p)
{
	const struct edge_result *any = &p->of[EDGE_FOUR]; /* draws are the same in all */
	begin_object(j, NULL, false);
	jwrite_string(j, "stream", p->stream);
	jwrite_string(j, "machine", machine_name(p->machine));
	core_report_json_sampling(j, p->nr_sampled, &s->sampling);
	jwrite_u64(j, "instructions", p->instructions);
	jwrite_u64(j, "blocks", p->blocks);
	jwrite_u64(j, "bytes", p->bytes);
	jwrite_u64(j, "mispredictions", any->mispredictions);
	jwrite_u64(j, "icache_misses", any->icache_misses);
	jwrite_u64(j, "dcache_misses", any->dcache_misses);
	json_kinds(j, "committed_instructions", p->committed);
	jwrite_begin_array(j, "formats", false);
	for (unsigned i = 0; i < NR_EDGE_VARIANTS; i++)
		json_variant(j, s, p, (enum edge_variant)i);
	jwrite_end_array(j);
	jwrite_end_object(j);
}

void edge_study_json(const struct edge_study *s, const struct edge_program *programs, size_t nr, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	begin_object(&j, NULL, false);
	jwrite_string(&j, "schema", EDGE_STUDY_SCHEMA);
	jwrite_u64(&j, "blocks_in_flight", edge_study_in_flight(s));
	jwrite_u64(&j, "block_size", edge_study_block_size(s));
	jwrite_bool(&j, "hammocks", s->has_hammocks);
	jwrite_u64(&j, "seed", s->seed);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++)
		json_program(&j, s, &programs[i]);
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	textbuf_putc(out, '\n');
}
