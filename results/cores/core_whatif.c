#include "results/cores/core_whatif.h"

#include <inttypes.h>
#include <string.h>

#include "results/cores/core_whatif_internal.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"

void whatif_choose_sets(struct whatif *w)
{
	unsigned all = 1u << w->nr_parts, most = w->has_shapley ? w->nr_parts : 2;
	w->nr_sets = 0;
	for (unsigned size = 0; size <= most; size++)
		for (unsigned set = 0; set < all; set++)
			if ((unsigned)__builtin_popcount(set) == size)
				w->sets[w->nr_sets++] = (uint16_t)set;
}

unsigned whatif_ideals(const struct whatif *w, unsigned set)
{
	unsigned ideals = 0;
	for (unsigned i = 0; i < w->nr_parts; i++)
		ideals |= (set >> i & 1) << w->parts[i];
	return ideals;
}

int64_t whatif_gain(const struct whatif_result *r, unsigned set)
{
	return (int64_t)(r->cycles[0] - r->cycles[set]);
}

int64_t whatif_interaction(const struct whatif_result *r, unsigned a, unsigned b)
{
	return whatif_gain(r, 1u << a | 1u << b) - whatif_gain(r, 1u << a) - whatif_gain(r, 1u << b);
}

/* ---- Shapley values ---- */

static int64_t factorial(unsigned n)
{
	int64_t product = 1;
	for (unsigned i = 2; i <= n; i++)
		product *= i;
	return product;
}

/* Makes whole cycles of the numerators: each is rounded down, then those that lost most get one more, of equal ones the
 * first. */
static void round_shares(struct whatif_share *shares, unsigned nr)
{
	int64_t denominator = factorial(nr), rest[MAX_WHATIF_PARTS], missing = 0;
	for (unsigned i = 0; i < nr; i++) {
		rest[i] = (shares[i].numerator % denominator + denominator) % denominator;
		shares[i].cycles = (shares[i].numerator - rest[i]) / denominator;
		missing += rest[i];
	}
	for (missing /= denominator; missing > 0; missing--) {
		unsigned most = 0;
		for (unsigned i = 1; i < nr; i++)
			most = rest[i] > rest[most] ? i : most;
		shares[most].cycles++;
		rest[most] = -1;
	}
}

void whatif_shapley(const struct whatif *w, const struct whatif_result *r, struct whatif_share *shares)
{
	unsigned nr = w->nr_parts;
	for (unsigned i = 0; i < nr; i++) {
		shares[i].numerator = 0;
		for (unsigned set = 0; set < 1u << nr; set++) {
			if (set >> i & 1)
				continue;
			unsigned before = (unsigned)__builtin_popcount(set);
			int64_t orders = factorial(before) * factorial(nr - before - 1);
			shares[i].numerator += orders * (int64_t)(r->cycles[set] - r->cycles[set | 1u << i]);
		}
	}
	round_shares(shares, nr);
}

void whatif_rows_init(struct whatif_rows *rows, const struct whatif *w, const struct whatif_result *results, size_t nr)
{
	*rows = (struct whatif_rows){.w = w, .results = results, .nr_streams = nr, .nr = nr + (nr > 1)};
	rows->sum.stream = "all streams";
	rows->nr_folders = SIZE_MAX;
	for (size_t i = 0; i < nr; i++) {
		rows->nr_folders = core_report_shared_folders(results[0].stream, results[i].stream, rows->nr_folders);
		rows->sum.instructions += results[i].instructions;
		for (unsigned k = 0; k < w->nr_sets; k++)
			rows->sum.cycles[w->sets[k]] += results[i].cycles[w->sets[k]];
	}
}

const struct whatif_result *whatif_row(const struct whatif_rows *rows, size_t i)
{
	return i < rows->nr_streams ? &rows->results[i] : &rows->sum;
}

const char *whatif_row_name(const struct whatif_rows *rows, size_t i)
{
	return whatif_row(rows, i)->stream + (i < rows->nr_streams ? rows->nr_folders : 0);
}

void whatif_row_shares(const struct whatif_rows *rows, size_t i, struct whatif_share *shares)
{
	const struct whatif *w = rows->w;
	if (i < rows->nr_streams) {
		whatif_shapley(w, &rows->results[i], shares);
		return;
	}
	memset(shares, 0, w->nr_parts * sizeof(*shares));
	for (size_t stream = 0; stream < rows->nr_streams; stream++) {
		struct whatif_share own[MAX_WHATIF_PARTS];
		whatif_shapley(w, &rows->results[stream], own);
		for (unsigned k = 0; k < w->nr_parts; k++) {
			shares[k].numerator += own[k].numerator;
			shares[k].cycles += own[k].cycles;
		}
	}
}

double whatif_pct(int64_t part, uint64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* ---- Text ---- */

/* What parts save, one after the other: each only, or its fair share of what all save. */
static void values_of(const struct whatif_rows *r, size_t i, bool shapley, int64_t *values)
{
	struct whatif_share shares[MAX_WHATIF_PARTS];
	if (shapley)
		whatif_row_shares(r, i, shares);
	for (unsigned k = 0; k < r->w->nr_parts; k++)
		values[k] = shapley ? shares[k].cycles : whatif_gain(whatif_row(r, i), 1u << k);
}

static void part_heads(const struct whatif *w, struct table *t)
{
	for (unsigned i = 0; i < w->nr_parts; i++)
		table_cell(t, "%s", ideal_name(w->parts[i]));
}

static bool write_parts(const struct whatif_rows *r, bool shapley, bool in_pct, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "stream");
	table_cell(&t, in_pct ? "CPI" : "cycles");
	if (shapley)
		table_cell(&t, "all ideal");
	part_heads(r->w, &t);
	for (size_t i = 0; i < r->nr; i++) {
		const struct whatif_result *row = whatif_row(r, i);
		int64_t values[MAX_WHATIF_PARTS], all = whatif_gain(row, (1u << r->w->nr_parts) - 1);
		values_of(r, i, shapley, values);
		table_row(&t, i == 0 || i == r->nr_streams);
		table_cell(&t, "%s", row->stream);
		if (in_pct)
			table_cell(&t, "%.3f", (double)row->cycles[0] / (double)row->instructions);
		else
			table_cell(&t, "%" PRIu64, row->cycles[0]);
		if (shapley && in_pct)
			table_cell(&t, "%.1f", whatif_pct(all, row->cycles[0]));
		else if (shapley)
			table_cell(&t, "%" PRId64, all);
		for (unsigned k = 0; k < r->w->nr_parts; k++)
			if (in_pct)
				table_cell(&t, "%.1f", whatif_pct(values[k], row->cycles[0]));
			else
				table_cell(&t, "%" PRId64, values[k]);
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_matrix(const struct whatif *w, const struct whatif_result *r, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "and");
	part_heads(w, &t);
	for (unsigned i = 0; i < w->nr_parts; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", ideal_name(w->parts[i]));
		for (unsigned k = 0; k < w->nr_parts; k++)
			if (k == i)
				table_cell(&t, "-");
			else
				table_cell(&t, "%" PRId64, whatif_interaction(r, i, k));
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

bool whatif_text(const struct whatif *w, const struct whatif_result *results, size_t nr, bool bold, struct textbuf *out)
{
	struct whatif_rows rows;
	whatif_rows_init(&rows, w, results, nr);
	textbuf_printf(out, "Cycles of %s, and how many an ideal part saves:\n", w->core);
	bool ok = write_parts(&rows, false, false, bold, out);
	textbuf_puts(out, "\nThe same, saved in % of the cycles:\n");
	ok = write_parts(&rows, false, true, bold, out) && ok;
	for (size_t i = 0; i < rows.nr && w->nr_parts > 1; i++) {
		textbuf_printf(out, "\nInteractions in %s, in cycles:\n", whatif_row(&rows, i)->stream);
		ok = write_matrix(w, whatif_row(&rows, i), bold, out) && ok;
	}
	if (w->nr_parts > 1)
		textbuf_puts(out, "\nAbove 0: cycles that two ideal parts save only together. Below 0: cycles that "
				  "either of them saves.\n");
	if (w->has_shapley) {
		textbuf_puts(out, "\nCycles that all these ideal parts save together, and the fair share of each "
				  "(Shapley values):\n");
		ok = write_parts(&rows, true, false, bold, out) && ok;
		textbuf_puts(out, "\nThe same, saved in % of the cycles:\n");
		ok = write_parts(&rows, true, true, bold, out) && ok;
	}
	const char *before = "\n";
	core_report_sampling(&w->sampling, out);
	for (size_t i = 0; i < nr; i++)
		core_report_sample(results[i].stream, results[i].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV and JSON ---- */

/* Of a set of two parts. */
static int64_t pair_interaction(const struct whatif_result *r, unsigned set)
{
	return whatif_interaction(r, (unsigned)__builtin_ctz(set), (unsigned)__builtin_ctz(set & (set - 1)));
}

/* "fetch+branch" */
static void set_name(const struct whatif *w, unsigned set, struct textbuf *out)
{
	const char *separator = "";
	for (unsigned i = 0; i < w->nr_parts; i++) {
		if (!(set >> i & 1))
			continue;
		textbuf_printf(out, "%s%s", separator, ideal_name(w->parts[i]));
		separator = "+";
	}
}

static void csv_set(const struct whatif_rows *r, size_t i, unsigned set, const struct whatif_share *shares,
		    struct textbuf *out)
{
	const struct whatif_result *row = whatif_row(r, i);
	struct textbuf name;
	textbuf_init(&name);
	set_name(r->w, set, &name);
	csv_string(out, i < r->nr_streams ? row->stream : "");
	csv_string(out, r->w->core);
	csv_string(out, r->w->config_hash);
	core_report_csv_sample(i < r->nr_streams ? row->nr_sampled : 0, out);
	csv_string(out, name.text);
	csv_u64(out, row->instructions);
	csv_u64(out, row->cycles[set]);
	csv_i64(out, whatif_gain(row, set));
	if (__builtin_popcount(set) == 2)
		csv_i64(out, pair_interaction(row, set));
	else
		csv_string(out, "");
	if (shares && __builtin_popcount(set) == 1)
		csv_i64(out, shares[__builtin_ctz(set)].cycles);
	else
		csv_string(out, "");
	csv_end_row(out);
	textbuf_release_part(&name, out);
}

void whatif_csv(const struct whatif *w, const struct whatif_result *results, size_t nr, struct textbuf *out)
{
	struct whatif_rows rows;
	struct whatif_share shares[MAX_WHATIF_PARTS];
	whatif_rows_init(&rows, w, results, nr);
	textbuf_puts(out,
		     "stream,core,config_hash,sampled_epochs,ideal,instructions,cycles,gain_cycles,interaction_cycles,"
		     "shapley_cycles\n");
	for (size_t i = 0; i < rows.nr; i++) {
		if (w->has_shapley)
			whatif_row_shares(&rows, i, shares);
		for (unsigned k = 0; k < w->nr_sets; k++)
			csv_set(&rows, i, w->sets[k], w->has_shapley ? shares : NULL, out);
	}
}

static void json_set(struct jwriter *j, const struct whatif *w, unsigned set)
{
	jwrite_begin_array(j, "ideal", true);
	for (unsigned i = 0; i < w->nr_parts; i++)
		if (set >> i & 1)
			jwrite_string(j, NULL, ideal_name(w->parts[i]));
	jwrite_end_array(j);
}

static void json_row(struct jwriter *j, const struct whatif_rows *r, size_t i)
{
	const struct whatif *w = r->w;
	const struct whatif_result *row = whatif_row(r, i);
	jwrite_u64(j, "instructions", row->instructions);
	jwrite_u64(j, "cycles", row->cycles[0]);
	jwrite_begin_array(j, "sets", false);
	for (unsigned k = 1; k < w->nr_sets; k++) {
		unsigned set = w->sets[k];
		jwrite_begin_flat_object(j, NULL);
		json_set(j, w, set);
		jwrite_u64(j, "cycles", row->cycles[set]);
		jwrite_i64(j, "gain", whatif_gain(row, set));
		if (__builtin_popcount(set) == 2)
			jwrite_i64(j, "interaction", pair_interaction(row, set));
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	if (!w->has_shapley)
		return;
	struct whatif_share shares[MAX_WHATIF_PARTS];
	whatif_row_shares(r, i, shares);
	jwrite_begin_array(j, "shapley", false);
	for (unsigned k = 0; k < w->nr_parts; k++) {
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "part", ideal_name(w->parts[k]));
		jwrite_i64(j, "cycles", shares[k].cycles);
		jwrite_i64(j, "numerator", shares[k].numerator);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

void whatif_json(const struct whatif *w, const struct whatif_result *results, size_t nr, struct textbuf *out)
{
	struct whatif_rows rows;
	struct jwriter j;
	whatif_rows_init(&rows, w, results, nr);
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", WHATIF_SCHEMA);
	jwrite_string(&j, "core", w->core);
	jwrite_string(&j, "core_name", w->model->name);
	jwrite_string(&j, "config_hash", w->config_hash);
	jwrite_begin_array(&j, "parts", true);
	for (unsigned i = 0; i < w->nr_parts; i++)
		jwrite_string(&j, NULL, ideal_name(w->parts[i]));
	jwrite_end_array(&j);
	if (w->has_shapley)
		jwrite_i64(&j, "shapley_denominator", factorial(w->nr_parts));
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", results[i].stream);
		core_report_json_sampling(&j, results[i].nr_sampled, &w->sampling);
		json_row(&j, &rows, i);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	if (nr > 1) {
		jwrite_begin_object(&j, "all");
		json_row(&j, &rows, nr);
		jwrite_end_object(&j);
	}
	jwrite_end_object(&j);
	jwrite_finish(&j);
}
