#include "sim/cli/ipu_study_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "sim/base/array.h"
#include "sim/cli/output.h"

/* Multiprocessors of the dissertation's GPU. */
enum { GPU_SMS = 108 };
#define HZ_PER_MHZ 1e6

static double percent(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static double per_second(uint64_t bytes, uint64_t cycles, uint64_t mhz)
{
	return cycles > 0 ? (double)bytes * ((double)mhz * HZ_PER_MHZ) / (double)cycles : NAN;
}

static void rate_cell(struct table *t, double per_second, double unit)
{
	if (isnan(per_second))
		table_cell(t, "-");
	else
		table_cell(t, "%.3f", per_second / unit);
}

/* 108 multiprocessors at 1.4 GHz, whatever the clock was. */
static double gpu_per_second(uint64_t bytes, uint64_t cycles)
{
	return GPU_SMS * per_second(bytes, cycles, STUDY_GPU_MHZ);
}

static void cell_of_counts(struct table *t, const uint32_t *least, const uint32_t *most)
{
	char text[OVERLAP_UNITS * 24];
	size_t at = 0;
	for (unsigned u = 0; u < OVERLAP_UNITS; u++) {
		const char *slash = u ? "/" : "";
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       least[u] == most[u] ? "%s%" PRIu32 : "%s%" PRIu32 "-%" PRIu32, slash, least[u],
				       most[u]);
	}
	table_cell(t, "%s", text);
}

bool study_overlap_text(const struct overlap_result *r, struct textbuf *out)
{
	static const char *const heads[] = {"scenario", "expected", "measured",		 "windows", "wrong",
					    "drop %",	"MB/s",	    "GPU GB/s",		 "0 high",  "1 high",
					    "2 high",	"3 high",   "synthetic activity"};
	enum { NR_HEADS = ARRAY_SIZE(heads) };
	struct table t;
	table_init(&t);
	t.left |= 1u << (NR_HEADS - 1);
	table_row(&t, false);
	table_words(&t, heads, NR_HEADS);
	for (unsigned i = 0; i < NR_OVERLAP_SCENARIOS; i++, r++) {
		table_row(&t, false);
		table_cell(&t, "%s", r->name);
		cell_of_counts(&t, r->expected, r->expected);
		cell_of_counts(&t, r->least, r->most);
		table_cell(&t, "%" PRIu64, r->nr_windows);
		table_cell(&t, "%" PRIu64, r->nr_wrong);
		table_cell(&t, "%.3f", percent(r->counts.dropped, r->counts.dropped + r->counts.taken));
		table_cell(&t, "%.3f", per_second(r->counts.bytes, r->hit_cycles, r->hit_mhz) / 1e6);
		table_cell(&t, "%.3f", gpu_per_second(r->counts.bytes, r->hit_cycles) / 1e9);
		for (unsigned bin = 0; bin <= OVERLAP_UNITS; bin++)
			table_cell(&t, "%" PRIu64, r->bins[bin]);
		table_cell(&t, "%s", r->text);
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	textbuf_puts(
		out,
		"\nAll signals are synthetic. Expected: cycles of any 256 in a row in which SIMT cores, tensor core "
		"and memory are\nactive; 255 stands for 256, too. Measured: the same by the packets, each for 256 "
		"input sets,\nin a row where the IPU keeps up. Wrong: packets that are not the counts of the sets that "
		"were taken for them.\nHigh: more than 64. GPU: 108 IPUs at 1.4 GHz; the dissertation has 1.7 GB/s.\n");
	return ok;
}

static void jwrite_counts(struct jwriter *j, const char *key, const uint32_t *counts)
{
	jwrite_begin_array(j, key, true);
	for (unsigned u = 0; u < OVERLAP_UNITS; u++)
		jwrite_u64(j, NULL, counts[u]);
	jwrite_end_array(j);
}

void study_overlap_json(const struct overlap_result *r, struct jwriter *j)
{
	jwrite_begin_array(j, "scenarios", false);
	for (unsigned i = 0; i < NR_OVERLAP_SCENARIOS; i++, r++) {
		jwrite_begin_object(j, NULL);
		jwrite_string(j, "name", r->name);
		jwrite_counts(j, "expected", r->expected);
		jwrite_counts(j, "least", r->least);
		jwrite_counts(j, "most", r->most);
		jwrite_u64(j, "windows", r->nr_windows);
		jwrite_u64(j, "wrong", r->nr_wrong);
		jwrite_u64(j, "taken", r->counts.taken);
		jwrite_u64(j, "dropped", r->counts.dropped);
		jwrite_double(j, "drop_rate_pct", percent(r->counts.dropped, r->counts.dropped + r->counts.taken));
		jwrite_u64(j, "bytes", r->counts.bytes);
		jwrite_double(j, "bytes_per_s", per_second(r->counts.bytes, r->hit_cycles, r->hit_mhz));
		jwrite_double(j, "gpu_bytes_per_s", gpu_per_second(r->counts.bytes, r->hit_cycles));
		jwrite_begin_array(j, "windows_by_units_high", true);
		for (unsigned bin = 0; bin <= OVERLAP_UNITS; bin++)
			jwrite_u64(j, NULL, r->bins[bin]);
		jwrite_end_array(j);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

/* One row for each window: its activity in the order of time, and the means at the same place of the sorted order. */
bool study_overlap_csv(const struct overlap_result *r, struct textbuf *out)
{
	struct overlap_point *points = calloc(2 * MAX_OVERLAP_POINTS, sizeof(*points));
	struct overlap_point *sorted = points + MAX_OVERLAP_POINTS;
	if (!points)
		return false;
	overlap_points(r, false, points);
	unsigned nr = overlap_points(r, true, sorted);
	textbuf_puts(out, "window,scenario,synthetic_simt_pct,synthetic_tensor_pct,synthetic_memory_pct,"
			  "sorted_scenario,sorted_window,synthetic_mean_simt_pct,synthetic_mean_tensor_pct,"
			  "synthetic_mean_memory_pct");
	csv_end_row(out);
	for (unsigned i = 0; i < nr; i++) {
		csv_u64(out, i);
		csv_string(out, r[points[i].scenario].name);
		for (unsigned u = 0; u < OVERLAP_UNITS; u++)
			csv_double(out, points[i].active_pct[u]);
		csv_string(out, r[sorted[i].scenario].name);
		csv_u64(out, sorted[i].window);
		for (unsigned u = 0; u < OVERLAP_UNITS; u++)
			csv_double(out, sorted[i].mean_pct[u]);
		csv_end_row(out);
	}
	free(points);
	return true;
}

/* A row and a column for each application. */
static bool write_similarities(const struct values_result *r, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "cosine similarity");
	for (unsigned b = 0; b < NR_VALUES_APPLICATIONS; b++)
		table_cell(&t, "%s", r[b].name);
	for (unsigned a = 0; a < NR_VALUES_APPLICATIONS; a++) {
		table_row(&t, false);
		table_cell(&t, "%s", r[a].name);
		for (unsigned b = 0; b < NR_VALUES_APPLICATIONS; b++)
			table_cell(&t, "%.3f", values_similarity(r[a].sum, r[b].sum));
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	return ok;
}

bool study_values_text(const struct values_result *results, struct textbuf *out)
{
	static const char *const heads[] = {"application", "lines",   "taken", "drop %",   "packets",
					    "wrong",	   "error %", "MB/s",  "GPU GB/s", "synthetic values"};
	enum { NR_HEADS = ARRAY_SIZE(heads) };
	struct table t;
	table_init(&t);
	t.left |= 1u << (NR_HEADS - 1);
	table_row(&t, false);
	table_words(&t, heads, NR_HEADS);
	for (unsigned i = 0; i < NR_VALUES_APPLICATIONS; i++) {
		const struct values_result *r = &results[i];
		table_row(&t, false);
		table_cell(&t, "%s", r->name);
		table_cell(&t, "%" PRIu64, r->nr_lines);
		table_cell(&t, "%" PRIu64, r->nr_taken);
		table_cell(&t, "%.3f", percent(r->nr_dropped, r->nr_dropped + r->nr_taken));
		table_cell(&t, "%" PRIu64, r->nr_packets);
		table_cell(&t, "%" PRIu64, r->nr_wrong);
		table_cell(&t, "%.3f", 100.0 * r->error);
		rate_cell(&t, per_second(r->whole_bytes, r->whole_cycles, r->hit_mhz), 1e6);
		rate_cell(&t, gpu_per_second(r->whole_bytes, r->whole_cycles), 1e9);
		table_cell(&t, "%s", r->text);
	}
	bool ok = table_write(&t, bold_output(NULL), out);
	table_release(&t);
	textbuf_putc(out, '\n');
	ok &= write_similarities(results, out);
	textbuf_puts(
		out,
		"\nAll tensors are synthetic. Every packet is compared with the histogram of the lines that were "
		"taken for it.\nError: of one value in four against all, |H_all - H_sampled| / H_all, over tensors "
		"and 128 buckets; H_sampled is scaled\nto the total of H_all, and buckets with H_all = 0 count 0. "
		"For context: the dissertation has 5.9, 2.4 and 4.8 % for\nResNet, BERT and Llama 2. GPU: 108 IPUs "
		"at 1.4 GHz. Rates are of packets for whole windows of 32,768 lines; the rest of a tensor has one more.\n"
		"Cosine similarity: of the packets' histograms, averaged over an application's tensors (figure 2.8(d)); 1 "
		"is the same shape.\n");
	return ok;
}

void study_values_json(const struct values_result *results, struct jwriter *j)
{
	jwrite_begin_array(j, "applications", false);
	for (unsigned i = 0; i < NR_VALUES_APPLICATIONS; i++) {
		const struct values_result *r = &results[i];
		jwrite_begin_object(j, NULL);
		jwrite_string(j, "name", r->name);
		jwrite_u64(j, "lines", r->nr_lines);
		jwrite_u64(j, "taken", r->nr_taken);
		jwrite_u64(j, "dropped", r->nr_dropped);
		jwrite_double(j, "drop_rate_pct", percent(r->nr_dropped, r->nr_dropped + r->nr_taken));
		jwrite_u64(j, "packets", r->nr_packets);
		jwrite_u64(j, "wrong", r->nr_wrong);
		jwrite_u64(j, "used_buckets", r->nr_used_buckets);
		jwrite_double(j, "error_pct", 100.0 * r->error);
		jwrite_u64(j, "bytes", r->bytes);
		jwrite_double(j, "bytes_per_s", per_second(r->whole_bytes, r->whole_cycles, r->hit_mhz));
		jwrite_double(j, "gpu_bytes_per_s", gpu_per_second(r->whole_bytes, r->whole_cycles));
		jwrite_begin_flat_object(j, "cosine_similarity");
		for (unsigned b = 0; b < NR_VALUES_APPLICATIONS; b++)
			jwrite_double(j, results[b].name, values_similarity(r->sum, results[b].sum));
		jwrite_end_object(j);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

/* Pairs of applications have no tensor; tensors count from 1, as in the figure. */
void study_values_csv(const struct values_result *r, struct textbuf *out)
{
	textbuf_puts(out, "application,tensor,other_application,other_tensor,synthetic_cosine_similarity");
	csv_end_row(out);
	for (unsigned a = 0; a < NR_VALUES_APPLICATIONS; a++)
		for (unsigned b = 0; b < NR_VALUES_APPLICATIONS; b++) {
			csv_string(out, r[a].name);
			csv_string(out, "");
			csv_string(out, r[b].name);
			csv_string(out, "");
			csv_double(out, values_similarity(r[a].sum, r[b].sum));
			csv_end_row(out);
		}
	for (unsigned a = 0; a < NR_VALUES_APPLICATIONS; a++)
		for (unsigned i = 0; i < r[a].nr_shown; i++)
			for (unsigned b = 0; b < NR_VALUES_APPLICATIONS; b++)
				for (unsigned k = 0; k < r[b].nr_shown; k++) {
					csv_string(out, r[a].name);
					csv_u64(out, i + 1);
					csv_string(out, r[b].name);
					csv_u64(out, k + 1);
					csv_double(out, values_similarity(r[a].shown[i], r[b].shown[k]));
					csv_end_row(out);
				}
}
