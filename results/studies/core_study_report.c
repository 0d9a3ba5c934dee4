/* Studies of cores as text, CSV and JSON. */
#include <math.h>

#include "cores/uarch/ideal.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "results/studies/core_study_internal.h"

static const char *const side_letters[NR_STUDY_SIDES] = {"I", "O"};
static const char *const side_keys[NR_STUDY_SIDES] = {"in_order", "out_of_order"};

/* ---- Text ---- */

static double per_instruction(uint64_t cycles, const struct core_study_result *r)
{
	return r->instructions > 0 ? (double)cycles / (double)r->instructions : 0;
}

/* Begins the row of core `side` in the i-th row of streams: its first cells. */
static const struct study_counts *begin_row(const struct study_rows *rows, size_t i, unsigned side, struct table *t)
{
	const struct core_study_result *r = study_row(rows, i);
	table_row(t, side == 0 && (i == 0 || i == rows->nr_streams));
	table_cell(t, "%s", r->stream);
	table_cell(t, "%s", side_letters[side]);
	return &r->sides[side];
}

static void begin_table(struct table *t)
{
	table_init(t);
	table_row(t, false);
	table_cell(t, "stream");
	table_cell(t, "core");
}

static bool end_table(struct table *t, bool bold, struct textbuf *out)
{
	bool ok = table_write(t, bold, out);
	table_release(t);
	return ok;
}

/* A bit for each group of which some core waits in some stream: the others have no column. */
static unsigned groups_with_cycles(const struct study_rows *rows)
{
	unsigned there = 0;
	for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
		uint64_t groups[NR_PATH_GROUPS];
		study_groups(&rows->sum.sides[side].path, groups);
		for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
			there |= (groups[g] > 0 ? 1u : 0u) << g;
	}
	return there;
}

static void share_cell(struct table *t, uint64_t cycles, const struct study_counts *c,
		       const struct core_study_result *r, bool in_pct)
{
	if (in_pct)
		table_cell(t, "%.1f", study_pct((int64_t)cycles, c->cycles[SET_NONE]));
	else
		table_cell(t, "%.3f", per_instruction(cycles, r));
}

static bool write_groups(const struct study_rows *rows, bool in_pct, bool bold, struct textbuf *out)
{
	unsigned there = groups_with_cycles(rows);
	struct table t;
	begin_table(&t);
	table_cell(&t, "CPI");
	table_cell(&t, "front end");
	for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
		if (there >> g & 1)
			table_cell(&t, "%s", path_group_name((enum path_group)g));
	for (size_t i = 0; i < rows->nr; i++)
		for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
			const struct core_study_result *r = study_row(rows, i);
			const struct study_counts *c = begin_row(rows, i, side, &t);
			uint64_t groups[NR_PATH_GROUPS];
			study_groups(&c->path, groups);
			table_cell(&t, "%.3f", per_instruction(c->cycles[SET_NONE], r));
			share_cell(&t, path_front_end(&c->path), c, r, in_pct);
			for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
				if (there >> g & 1)
					share_cell(&t, groups[g], c, r, in_pct);
		}
	return end_table(&t, bold, out);
}

static bool write_cpi(const struct study_rows *rows, bool bold, struct textbuf *out)
{
	struct table t;
	begin_table(&t);
	for (unsigned set = SET_NONE; set < NR_STUDY_SETS; set++)
		table_cell(&t, "%s", set == SET_NONE ? "as it is" : study_set_name((enum study_set)set));
	for (size_t i = 0; i < rows->nr; i++)
		for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
			const struct study_counts *c = begin_row(rows, i, side, &t);
			for (unsigned set = SET_NONE; set < NR_STUDY_SETS; set++)
				table_cell(&t, "%.3f", per_instruction(c->cycles[set], study_row(rows, i)));
		}
	return end_table(&t, bold, out);
}

/* Without "-0.0". */
static void pct_cell(struct table *t, int64_t part, uint64_t whole)
{
	double pct = study_pct(part, whole);
	table_cell(t, "%.1f", fabs(pct) < 0.05 ? 0 : pct);
}

static bool write_gains(const struct study_rows *rows, bool bold, struct textbuf *out)
{
	struct table t;
	begin_table(&t);
	for (unsigned set = SET_FETCH; set < NR_STUDY_SETS; set++) {
		table_cell(&t, "%s: promised", study_set_name((enum study_set)set));
		table_cell(&t, "obtained");
	}
	table_cell(&t, "interaction");
	for (size_t i = 0; i < rows->nr; i++)
		for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
			const struct study_counts *c = begin_row(rows, i, side, &t);
			uint64_t all = c->cycles[SET_NONE];
			for (unsigned k = SET_FETCH; k < NR_STUDY_SETS; k++) {
				enum study_set set = (enum study_set)k;
				pct_cell(&t, (int64_t)study_promised(&c->path, set), all);
				pct_cell(&t, study_gain(c, set), all);
			}
			pct_cell(&t, study_interaction(c), all);
		}
	return end_table(&t, bold, out);
}

static size_t count(const struct study_ordering *o, const struct study_rows *rows, enum study_verdict verdict)
{
	size_t nr = 0;
	for (size_t i = 0; i < rows->nr_streams; i++)
		nr += o->look(&rows->results[i]) == verdict;
	return nr;
}

/* The streams with this verdict, after `words`; nothing where there are none. */
static void write_streams(const struct study_ordering *o, const struct study_rows *rows, enum study_verdict verdict,
			  const char *words, struct textbuf *out)
{
	const char *separator = words;
	for (size_t i = 0; i < rows->nr_streams; i++) {
		if (o->look(&rows->results[i]) != verdict)
			continue;
		textbuf_printf(out, "%s%s", separator, rows->results[i].stream);
		separator = ", ";
	}
	if (separator != words)
		textbuf_putc(out, '\n');
}

static void write_ordering(const struct study_ordering *o, const struct study_rows *rows, struct textbuf *out)
{
	static const char *const over_all[] = {
		[ORDERING_HOLDS] = "holds", [ORDERING_FAILS] = "does not hold", [ORDERING_IS_SILENT] = "says nothing"};
	size_t nr_silent = count(o, rows, ORDERING_IS_SILENT), nr = rows->nr_streams - nr_silent;
	textbuf_printf(out, "- %s\n  holds in %zu of %zu stream%s", o->text, count(o, rows, ORDERING_HOLDS), nr,
		       nr == 1 ? "" : "s");
	if (nr_silent > 0)
		textbuf_printf(out, ", and says nothing in %zu", nr_silent);
	if (rows->nr_streams > 1)
		textbuf_printf(out, "; over all of them, it %s", over_all[o->look(&rows->sum)]);
	textbuf_putc(out, '\n');
	write_streams(o, rows, ORDERING_FAILS, "  does not hold in ", out);
	if (o->silence) {
		struct textbuf words;
		textbuf_init(&words);
		textbuf_printf(&words, "  says nothing where %s: ", o->silence);
		write_streams(o, rows, ORDERING_IS_SILENT, words.text, out);
		textbuf_release_part(&words, out);
	}
}

bool core_study_text(const struct core_study *s, const struct core_study_result *results, size_t nr, bool bold,
		     struct textbuf *out)
{
	struct study_rows rows;
	bool ok;
	study_rows_init(&rows, s, results, nr);
	const char *i = s->cores[SIDE_IN_ORDER].core, *o = s->cores[SIDE_OUT_OF_ORDER].core;
	if (s->kind == STUDY_BOTTLENECKS) {
		textbuf_printf(out, "Critical path of %s (I) and %s (O), in %% of the cycles:\n", i, o);
		ok = write_groups(&rows, true, bold, out);
		textbuf_puts(out, "\nThe same, in cycles per instruction:\n");
		ok = write_groups(&rows, false, bold, out) && ok;
	} else {
		textbuf_printf(out, "Cycles per instruction of %s (I) and %s (O), and with ideal parts:\n", i, o);
		ok = write_cpi(&rows, bold, out);
		textbuf_puts(out, "\nWhat ideal parts save, in % of the cycles: promised by the critical path, and "
				  "obtained:\n");
		ok = write_gains(&rows, bold, out) && ok;
	}
	textbuf_puts(out, "\nDo the orderings of the paper hold?\n");
	for (unsigned k = 0; k < NR_STUDY_ORDERINGS; k++)
		if (study_orderings[k].kind == s->kind)
			write_ordering(&study_orderings[k], &rows, out);
	const char *before = "\n";
	core_report_sampling(&s->sampling, out);
	for (size_t k = 0; k < nr; k++)
		core_report_sample(results[k].stream, results[k].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV ---- */

static void csv_begin(const struct study_rows *rows, size_t i, unsigned side, struct textbuf *out)
{
	const struct study_core *core = &rows->study->cores[side];
	csv_string(out, i < rows->nr_streams ? study_row(rows, i)->stream : "");
	csv_string(out, side_keys[side]);
	csv_string(out, core->core);
	csv_string(out, core->config_hash);
	core_report_csv_sample(i < rows->nr_streams ? study_row(rows, i)->nr_sampled : 0, out);
}

static void csv_groups(const struct study_rows *rows, size_t i, unsigned side, struct textbuf *out)
{
	const struct study_counts *c = &study_row(rows, i)->sides[side];
	uint64_t groups[NR_PATH_GROUPS];
	study_groups(&c->path, groups);
	csv_begin(rows, i, side, out);
	csv_u64(out, study_row(rows, i)->instructions);
	csv_u64(out, c->cycles[SET_NONE]);
	csv_u64(out, path_front_end(&c->path));
	for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
		csv_u64(out, groups[g]);
	csv_u64(out, c->path.windows);
	csv_u64(out, c->path.cuts);
	csv_end_row(out);
}

static void csv_sets(const struct study_rows *rows, size_t i, unsigned side, struct textbuf *out)
{
	const struct study_counts *c = &study_row(rows, i)->sides[side];
	for (unsigned k = 0; k < NR_STUDY_SETS; k++) {
		enum study_set set = (enum study_set)k;
		csv_begin(rows, i, side, out);
		csv_string(out, set == SET_BOTH ? "fetch+branch" : study_set_name(set));
		csv_u64(out, study_row(rows, i)->instructions);
		csv_u64(out, c->cycles[set]);
		csv_u64(out, study_promised(&c->path, set));
		csv_i64(out, study_gain(c, set));
		if (set == SET_BOTH)
			csv_i64(out, study_interaction(c));
		else
			csv_string(out, "");
		csv_end_row(out);
	}
}

void core_study_csv(const struct core_study *s, const struct core_study_result *results, size_t nr, struct textbuf *out)
{
	struct study_rows rows;
	study_rows_init(&rows, s, results, nr);
	textbuf_puts(out, "stream,kind,core,config_hash,sampled_epochs,");
	if (s->kind == STUDY_FRONTEND) {
		textbuf_puts(out, "ideal,instructions,cycles,promised_cycles,gain_cycles,interaction_cycles\n");
	} else {
		textbuf_puts(out, "instructions,cycles,front_end_cycles,");
		for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
			textbuf_printf(out, "%s_cycles,", path_group_name((enum path_group)g));
		textbuf_puts(out, "windows,cuts\n");
	}
	for (size_t i = 0; i < rows.nr; i++)
		for (unsigned side = 0; side < NR_STUDY_SIDES; side++)
			if (s->kind == STUDY_FRONTEND)
				csv_sets(&rows, i, side, out);
			else
				csv_groups(&rows, i, side, out);
}

/* ---- JSON ---- */

static void json_groups(struct jwriter *j, const struct study_counts *c)
{
	uint64_t groups[NR_PATH_GROUPS];
	study_groups(&c->path, groups);
	jwrite_u64(j, "front_end", path_front_end(&c->path));
	jwrite_begin_flat_object(j, "groups");
	for (unsigned g = 0; g < NR_PATH_GROUPS; g++)
		jwrite_u64(j, path_group_name((enum path_group)g), groups[g]);
	jwrite_end_object(j);
	jwrite_u64(j, "windows", c->path.windows);
	jwrite_u64(j, "cuts", c->path.cuts);
}

static void json_sets(struct jwriter *j, const struct study_counts *c)
{
	jwrite_begin_array(j, "sets", false);
	for (unsigned k = SET_FETCH; k < NR_STUDY_SETS; k++) {
		enum study_set set = (enum study_set)k;
		unsigned ideals = study_set_ideals(set);
		jwrite_begin_flat_object(j, NULL);
		jwrite_begin_array(j, "ideal", true);
		for (unsigned part = 0; part < NR_IDEALS; part++)
			if (ideals >> part & 1)
				jwrite_string(j, NULL, ideal_name((enum ideal)part));
		jwrite_end_array(j);
		jwrite_u64(j, "cycles", c->cycles[set]);
		jwrite_u64(j, "promised", study_promised(&c->path, set));
		jwrite_i64(j, "gain", study_gain(c, set));
		if (set == SET_BOTH)
			jwrite_i64(j, "interaction", study_interaction(c));
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void json_row(struct jwriter *j, const struct study_rows *rows, size_t i)
{
	const struct core_study_result *r = study_row(rows, i);
	jwrite_u64(j, "instructions", r->instructions);
	for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
		jwrite_begin_object(j, side_keys[side]);
		jwrite_u64(j, "cycles", r->sides[side].cycles[SET_NONE]);
		if (rows->study->kind == STUDY_FRONTEND)
			json_sets(j, &r->sides[side]);
		else
			json_groups(j, &r->sides[side]);
		jwrite_end_object(j);
	}
}

static void json_streams(struct jwriter *j, const char *key, const struct study_ordering *o,
			 const struct study_rows *rows, enum study_verdict verdict)
{
	jwrite_begin_array(j, key, true);
	for (size_t i = 0; i < rows->nr_streams; i++)
		if (o->look(&rows->results[i]) == verdict)
			jwrite_string(j, NULL, rows->results[i].stream);
	jwrite_end_array(j);
}

static void json_orderings(struct jwriter *j, const struct study_rows *rows)
{
	jwrite_begin_array(j, "orderings", false);
	for (unsigned k = 0; k < NR_STUDY_ORDERINGS; k++) {
		const struct study_ordering *o = &study_orderings[k];
		if (o->kind != rows->study->kind)
			continue;
		jwrite_begin_object(j, NULL);
		jwrite_string(j, "ordering", o->name);
		jwrite_bool(j, "holds_over_all", o->look(study_row(rows, rows->nr - 1)) == ORDERING_HOLDS);
		json_streams(j, "holds_in", o, rows, ORDERING_HOLDS);
		json_streams(j, "does_not_hold_in", o, rows, ORDERING_FAILS);
		json_streams(j, "says_nothing_in", o, rows, ORDERING_IS_SILENT);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

void core_study_json(const struct core_study *s, const struct core_study_result *results, size_t nr,
		     struct textbuf *out)
{
	struct study_rows rows;
	struct jwriter j;
	study_rows_init(&rows, s, results, nr);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", CORE_STUDY_SCHEMA);
	jwrite_string(&j, "study", core_study_names[s->kind]);
	for (unsigned side = 0; side < NR_STUDY_SIDES; side++) {
		jwrite_begin_object(&j, side_keys[side]);
		jwrite_string(&j, "core", s->cores[side].core);
		jwrite_string(&j, "core_name", s->cores[side].model->name);
		jwrite_string(&j, "config_hash", s->cores[side].config_hash);
		jwrite_end_object(&j);
	}
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", results[i].stream);
		core_report_json_sampling(&j, results[i].nr_sampled, &s->sampling);
		json_row(&j, &rows, i);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	if (nr > 1) {
		jwrite_begin_object(&j, "all");
		json_row(&j, &rows, nr);
		jwrite_end_object(&j);
	}
	json_orderings(&j, &rows);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}
