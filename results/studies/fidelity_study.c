#include "results/studies/fidelity_study.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/chart/chart.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/studies/core_study.h"
#include "sim/base/file.h"

enum graph_algorithm fidelity_algorithm(const struct fidelity_result *r)
{
	return r->recurrence->model->timing.kind == CORE_IN_ORDER ? GRAPH_ONE_PASS : GRAPH_SLIDING_EXACT;
}

double fidelity_difference(const struct fidelity_result *r, enum graph_algorithm algorithm)
{
	double cycles = (double)r->recurrence->counts.timing.cycles;
	return cycles > 0 ? 100 * ((double)r->graphs[algorithm].length - cycles) / cycles : 0;
}

static double cpi_of(const struct fidelity_result *r, uint64_t cycles)
{
	uint64_t instructions = r->recurrence->counts.timing.instructions;
	return instructions > 0 ? (double)cycles / (double)instructions : 0;
}

static uint64_t length_of(const struct fidelity_result *r)
{
	return r->graphs[fidelity_algorithm(r)].length;
}

/* ---- Both paths by the same parts ---- */

enum part {
	PART_FETCH,
	PART_MISPREDICT,
	PART_DISPATCH,
	PART_EXECUTE,
	PART_DATA,
	PART_WINDOW,
	PART_COMMIT,
	PART_OTHER,
	NR_PARTS
};

static const char *const part_names[NR_PARTS] = {
	"fetch", "mispredict", "decode and dispatch", "execute", "data", "window", "commit", "other"};

static const uint8_t parts_of_groups[NR_PATH_GROUPS] = {
	[GROUP_FETCH] = PART_FETCH,	[GROUP_MISPREDICT] = PART_MISPREDICT,
	[GROUP_DECODE] = PART_DISPATCH, [GROUP_DISPATCH] = PART_DISPATCH,
	[GROUP_WINDOW] = PART_WINDOW,	[GROUP_ISSUE] = PART_EXECUTE,
	[GROUP_INTEGER] = PART_EXECUTE, [GROUP_FP] = PART_EXECUTE,
	[GROUP_L1D] = PART_DATA,	[GROUP_L2] = PART_DATA,
	[GROUP_LLC] = PART_DATA,	[GROUP_MEMORY] = PART_DATA,
	[GROUP_LINE] = PART_DATA,	[GROUP_ACCESS] = PART_DATA,
	[GROUP_COMMIT] = PART_COMMIT,	[GROUP_OTHER] = PART_OTHER,
};

static const uint8_t parts_of_causes[NR_GRAPH_CAUSES] = {
	[GRAPH_BY_GOOD_FETCH_HIT] = PART_FETCH,
	[GRAPH_BY_GOOD_FETCH_MISS] = PART_FETCH,
	[GRAPH_BY_BAD_FETCH_HIT] = PART_MISPREDICT,
	[GRAPH_BY_BAD_FETCH_MISS] = PART_MISPREDICT,
	[GRAPH_BY_DECODE] = PART_DISPATCH,
	[GRAPH_BY_DISPATCH] = PART_DISPATCH,
	[GRAPH_BY_INT] = PART_EXECUTE,
	[GRAPH_BY_FP] = PART_EXECUTE,
	[GRAPH_BY_LS] = PART_DATA,
	[GRAPH_BY_LOAD_L1_HIT] = PART_DATA,
	[GRAPH_BY_LOAD_L2_HIT] = PART_DATA,
	[GRAPH_BY_LOAD_MISS] = PART_DATA,
	[GRAPH_BY_STORE_L1_HIT] = PART_DATA,
	[GRAPH_BY_STORE_L2_HIT] = PART_DATA,
	[GRAPH_BY_STORE_MISS] = PART_DATA,
	[GRAPH_BY_BRANCH] = PART_EXECUTE,
	[GRAPH_BY_SYSCALL] = PART_OTHER,
	[GRAPH_BY_ATOMIC] = PART_OTHER,
	[GRAPH_BY_OTHER] = PART_OTHER,
	[GRAPH_BY_COMMIT] = PART_COMMIT,
};

static void split(const struct fidelity_result *r, uint64_t recurrence[NR_PARTS], uint64_t graph[NR_PARTS])
{
	uint64_t groups[NR_PATH_GROUPS];
	memset(recurrence, 0, NR_PARTS * sizeof(*recurrence));
	memset(graph, 0, NR_PARTS * sizeof(*graph));
	study_groups(&r->recurrence->counts.path, groups);
	for (unsigned i = 0; i < NR_PATH_GROUPS; i++)
		recurrence[parts_of_groups[i]] += groups[i];
	for (unsigned i = 0; i < NR_GRAPH_CAUSES; i++)
		graph[parts_of_causes[i]] += r->graphs[fidelity_algorithm(r)].cycles[i];
}

/* The difference of a part, in % of the recurrence's cycles. */
static double part_difference(const struct fidelity_result *r, uint64_t recurrence, uint64_t graph)
{
	return 100 * ((double)graph - (double)recurrence) / (double)r->recurrence->counts.timing.cycles;
}

/* ---- Summaries ---- */

struct summary {
	double mean, largest; /* of the differences without their signs, in % */
	size_t at;	      /* of the largest */
};

static struct summary summarize(const struct fidelity_result *results, size_t nr)
{
	struct summary s = {.largest = -1};
	for (size_t i = 0; i < nr; i++) {
		double difference = fabs(fidelity_difference(&results[i], fidelity_algorithm(&results[i])));
		s.mean += difference / (double)nr;
		if (difference > s.largest) {
			s.largest = difference;
			s.at = i;
		}
	}
	return s;
}

/* ---- Text ---- */

static bool write_results(const struct fidelity_result *results, size_t nr, bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"stream", "core", "CPI", "graph", "difference %", "two_pass %"}, 6);
	t.left |= 2;
	for (size_t i = 0; i < nr; i++) {
		const struct fidelity_result *r = &results[i];
		enum graph_algorithm algorithm = fidelity_algorithm(r);
		table_row(&t, i == 0);
		table_cell(&t, "%s", r->recurrence->stream);
		table_cell(&t, "%s", r->core);
		table_cell(&t, "%.3f", cpi_of(r, r->recurrence->counts.timing.cycles));
		table_cell(&t, "%.3f", cpi_of(r, length_of(r)));
		table_cell(&t, "%+.1f", fidelity_difference(r, algorithm));
		if (algorithm == GRAPH_ONE_PASS)
			table_cell(&t, "-");
		else
			table_cell(&t, "%+.1f", fidelity_difference(r, GRAPH_TWO_PASS));
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

/* The largest difference by parts of the paths. */
static bool write_largest(const struct fidelity_result *r, bool bold, struct textbuf *out)
{
	uint64_t recurrence[NR_PARTS], graph[NR_PARTS];
	struct table t;
	split(r, recurrence, graph);
	table_init(&t);
	table_row(&t, false);
	table_words(&t, (const char *const[]){"CPI of the path", "timing model", "graph", "difference %"}, 4);
	for (unsigned i = 0; i < NR_PARTS; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", part_names[i]);
		table_cell(&t, "%.3f", cpi_of(r, recurrence[i]));
		table_cell(&t, "%.3f", cpi_of(r, graph[i]));
		table_cell(&t, "%+.1f", part_difference(r, recurrence[i], graph[i]));
	}
	table_row(&t, true);
	table_cell(&t, "all");
	table_cell(&t, "%.3f", cpi_of(r, r->recurrence->counts.timing.cycles));
	table_cell(&t, "%.3f", cpi_of(r, length_of(r)));
	table_cell(&t, "%+.1f", fidelity_difference(r, fidelity_algorithm(r)));
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

bool fidelity_text(const struct fidelity_result *results, size_t nr, bool bold, struct textbuf *out)
{
	struct summary s = summarize(results, nr);
	const struct fidelity_result *largest = &results[s.at];
	bool ok = write_results(results, nr, bold, out);
	textbuf_printf(out,
		       "\ndifference of the graph (%s) to the timing model: mean %.1f %%, largest %.1f %% (%s on %s), "
		       "without signs\n\nWhere does the largest one come from?\n",
		       "inorder, sliding_exact", s.mean, s.largest, largest->recurrence->stream, largest->core);
	return write_largest(largest, bold, out) && ok;
}

/* ---- CSV and JSON ---- */

void fidelity_csv(const struct fidelity_result *results, size_t nr, struct textbuf *out)
{
	textbuf_puts(out, "stream,core,config_hash,model,instructions,cycles,cpi,difference_pct\n");
	for (size_t i = 0; i < nr; i++) {
		const struct fidelity_result *r = &results[i];
		for (int a = -1; a < (int)NR_GRAPH_ALGORITHMS; a++) {
			enum graph_algorithm algorithm = a < 0 ? fidelity_algorithm(r) : (enum graph_algorithm)a;
			uint64_t cycles = a < 0 ? r->recurrence->counts.timing.cycles : r->graphs[a].length;
			if (a >= 0 && r->graphs[a].instructions == 0)
				continue;
			csv_string(out, r->recurrence->stream);
			csv_string(out, r->core);
			csv_string(out, r->recurrence->config_hash);
			csv_string(out, a < 0 ? "timing" : graph_algorithm_name(algorithm));
			csv_u64(out, r->recurrence->counts.timing.instructions);
			csv_u64(out, cycles);
			csv_double(out, cpi_of(r, cycles));
			csv_double(out, a < 0 ? 0 : fidelity_difference(r, algorithm));
			csv_end_row(out);
		}
	}
}

static void json_parts(struct jwriter *j, const struct fidelity_result *r)
{
	uint64_t both[2][NR_PARTS];
	split(r, both[0], both[1]);
	for (unsigned k = 0; k < 2; k++) {
		jwrite_begin_flat_object(j, k == 0 ? "timing_parts" : "graph_parts");
		for (unsigned i = 0; i < NR_PARTS; i++)
			jwrite_u64(j, i == PART_DISPATCH ? "dispatch" : part_names[i], both[k][i]);
		jwrite_end_object(j);
	}
}

void fidelity_json(const struct fidelity_result *results, size_t nr, struct textbuf *out)
{
	struct summary s = summarize(results, nr);
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", FIDELITY_SCHEMA);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++) {
		const struct fidelity_result *r = &results[i];
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", r->recurrence->stream);
		jwrite_string(&j, "core", r->core);
		jwrite_string(&j, "config_hash", r->recurrence->config_hash);
		jwrite_u64(&j, "instructions", r->recurrence->counts.timing.instructions);
		jwrite_u64(&j, "cycles", r->recurrence->counts.timing.cycles);
		jwrite_begin_object(&j, "graph");
		for (unsigned a = 0; a < NR_GRAPH_ALGORITHMS; a++) {
			if (r->graphs[a].instructions == 0)
				continue;
			jwrite_begin_flat_object(&j, graph_algorithm_name((enum graph_algorithm)a));
			jwrite_u64(&j, "length", r->graphs[a].length);
			jwrite_double(&j, "difference_pct", fidelity_difference(r, (enum graph_algorithm)a));
			jwrite_end_object(&j);
		}
		jwrite_end_object(&j);
		json_parts(&j, r);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_double(&j, "mean_difference_pct", s.mean);
	jwrite_double(&j, "largest_difference_pct", s.largest);
	jwrite_u64(&j, "largest_run", s.at);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}

/* ---- The figure ---- */

const char *const fidelity_figures[] = {"study_fidelity", NULL};

#define LABEL_BYTES 256u

enum sahm_status fidelity_plot_write(const struct fidelity_result *results, size_t nr, const char *folder,
				     struct sahm_err *err)
{
	static const char *const series[] = {"timing model", "published graph"};
	char(*texts)[LABEL_BYTES] = calloc(nr, sizeof(*texts));
	const char **labels = calloc(nr, sizeof(*labels));
	double *values = calloc(2 * nr, sizeof(*values));
	enum sahm_status status = texts && labels && values ? file_make_folder(folder, err) : sahm_fail_nomem(err);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		snprintf(texts[i], LABEL_BYTES, "%.120s, %.120s", base_name(results[i].recurrence->stream),
			 results[i].core);
		labels[i] = texts[i];
		values[2 * i] = cpi_of(&results[i], results[i].recurrence->counts.timing.cycles);
		values[2 * i + 1] = cpi_of(&results[i], length_of(&results[i]));
	}
	const struct chart chart = {.title = "Cycles per instruction of the timing models and of the published graph",
				    .subtitle = "the same uops and costs (in the form of Calipers, figure 11)",
				    .value_axis = "CPI",
				    .value_key = "cpi",
				    .row_key = "stream",
				    .row_words = "streams",
				    .unit = ""};
	const struct chart_bars bars = {
		.labels = labels, .nr_rows = nr, .series = series, .nr_series = 2, .values = values};
	struct figure f;
	if (status == SAHM_OK) {
		figure_init(&f, fidelity_figures[0]);
		chart_bars(&chart, &bars, &f);
		status = figure_write(&f, folder, err);
		figure_release(&f);
	}
	free(texts);
	free(labels);
	free(values);
	return status;
}

enum sahm_status fidelity_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	return plot_draw(folder, fidelity_figures[0], notes, err);
}
