/* What the importer says: rows skipped and why, intervals, multiplexing, oddities. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

static const struct {
	bool rows;
	const char *text;
} reasons[NR_SKIPS] = {
#define SKIP(name, rows, text) {rows, text},
#include "workloads/import/import_skip_list.h"
#undef SKIP
};

const char *import_skip_text(enum import_skip reason)
{
	return reasons[reason].text;
}

/* Intervals that differ from what they are taken for by no more than this go without saying. */
#define WORTH_A_WORD_PCT 5u

/* Mean share of the time, in hundredths of %, below which counts deserve a word. */
#define LITTLE_PCT100 9000u

/* This number of rows in which every count rises is no coincidence. */
#define MANY_RISING 8u

/* A row that took longer than this many halves of the usual time has a gap in front of it. */
#define GAP_HALVES 3u

static void judge(struct intervals *iv, uint64_t ns, unsigned line)
{
	if (!iv->are_exact && ns > iv->usual_ns / 2 * GAP_HALVES) {
		if (iv->nr_gaps++ == 0)
			iv->first_gap_line = line;
		iv->gap_ns += ns - iv->usual_ns;
		return;
	}
	iv->shortest_ns = iv->shortest_ns == 0 || ns < iv->shortest_ns ? ns : iv->shortest_ns;
	iv->longest_ns = ns > iv->longest_ns ? ns : iv->longest_ns;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

void intervals_decide(struct intervals *iv)
{
	uint64_t sorted[MAX_FIRST_ROWS];
	if (iv->usual_ns)
		return;
	/* The last one is a row like any other. */
	if (iv->are_exact && iv->last_ns && iv->nr_first < MAX_FIRST_ROWS) {
		iv->first_ns[iv->nr_first] = iv->last_ns;
		iv->first_line[iv->nr_first++] = iv->last_line;
	}
	if (iv->nr_first == 0) {
		iv->usual_ns = iv->last_ns;
		return;
	}
	memcpy(sorted, iv->first_ns, iv->nr_first * sizeof(*sorted));
	qsort(sorted, iv->nr_first, sizeof(*sorted), compare);
	/* Of two dumps of a simulator, the first is often a short warm-up. */
	bool is_upper = iv->are_exact && !iv->are_runs;
	iv->usual_ns = sorted[(iv->nr_first - !is_upper) / 2];
	for (unsigned i = 0; i < iv->nr_first; i++)
		judge(iv, iv->first_ns[i], iv->first_line[i]);
}

void intervals_add(struct intervals *iv, uint64_t ns, unsigned line)
{
	/* The last one is not checked: it is as long as the end left it. */
	uint64_t done = iv->last_ns;
	unsigned done_line = iv->last_line;
	iv->last_ns = ns;
	iv->last_line = line;
	if (done == 0)
		return;
	if (iv->usual_ns) {
		judge(iv, done, done_line);
		return;
	}
	iv->first_ns[iv->nr_first] = done;
	iv->first_line[iv->nr_first++] = done_line;
	if (iv->nr_first == MAX_FIRST_ROWS)
		intervals_decide(iv);
}

static uint64_t to_digits(uint64_t ns, uint64_t limit)
{
	uint64_t unit = 1;
	while (ns / unit >= limit)
		unit *= 10;
	return (ns + unit / 2) / unit * unit;
}

/* Intervals that a tool was asked for are round, those that it took are not: one significant digit where that is no
 * more than a tenth away, else two. */
static uint64_t rounded(uint64_t ns)
{
	uint64_t one = to_digits(ns, 10), away = one > ns ? one - ns : ns - one;
	return away <= ns / 10 ? one : to_digits(ns, 100);
}

uint64_t import_epoch_ns(const struct import *im)
{
	uint64_t usual_ns = im->intervals.are_exact ? im->intervals.usual_ns : rounded(im->intervals.usual_ns);
	uint64_t ns = im->options->epoch_ns ? im->options->epoch_ns : usual_ns;
	if (ns == 0)
		return ns_of_ms(DEFAULT_EPOCH_MS);
	return ns < MIN_EPOCH_NS ? MIN_EPOCH_NS : ns > MAX_EPOCH_NS ? MAX_EPOCH_NS : ns;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void report_skips(struct import *im)
{
	for (unsigned s = 0; s < NR_SKIPS; s++) {
		uint64_t nr = im->skipped[s];
		if (nr == 0)
			continue;
		textbuf_printf(im->notes, "%s:%u: %" PRIu64 " %s%s %s: %s", im->first_skipped_file[s],
			       im->first_skipped_line[s], nr, reasons[s].rows ? "row" : "line", plural(nr),
			       reasons[s].rows ? "skipped" : "passed over", reasons[s].text);
		if (im->first_skipped_column[s])
			textbuf_printf(im->notes, " ('%.60s')", im->first_skipped_column[s]);
		textbuf_puts(im->notes, nr > 1 ? "; this one first\n" : "\n");
	}
}

/* Recordings that are a row each. */
static void report_runs(struct import *im)
{
	const struct intervals *iv = &im->intervals;
	uint64_t epoch_ns = import_epoch_ns(im);
	if (iv->usual_ns == 0) {
		textbuf_printf(
			im->notes,
			"%s: a recording without -I is one row; how long it lasted (duration_time) is missing, and "
			"it is taken for %.6g ms (--epoch-ms)\n",
			im->file, ms_of_ns(epoch_ns));
		return;
	}
	textbuf_printf(im->notes, "%s: a recording without -I is one row, of %.6g ", im->file,
		       ms_of_ns(iv->shortest_ns));
	if (iv->longest_ns > iv->shortest_ns)
		textbuf_printf(im->notes, "to %.6g ", ms_of_ns(iv->longest_ns));
	textbuf_puts(im->notes, "ms");
	if (!im->options->by_time && (iv->shortest_ns != epoch_ns || iv->longest_ns != epoch_ns))
		textbuf_printf(im->notes, ", taken for %.6g ms%s (--by-time --epoch-ms %.6g cuts to size)",
			       ms_of_ns(epoch_ns), iv->longest_ns > iv->shortest_ns ? " each" : "", ms_of_ns(epoch_ns));
	textbuf_putc(im->notes, '\n');
}

static void report_intervals(struct import *im)
{
	const struct intervals *iv = &im->intervals;
	bool by_time = im->options->by_time;
	uint64_t epoch_ns = import_epoch_ns(im);
	if (iv->are_runs && !im->expression[TARGET_TIME] && !im->expression[TARGET_DURATION]) {
		report_runs(im);
		return;
	}
	if (im->nr_timeless)
		textbuf_printf(im->notes, "%s:%u: the time of %" PRIu64 " row%s cannot be read%s\n", im->file,
			       im->first_timeless_line, im->nr_timeless, plural(im->nr_timeless),
			       im->nr_timeless > 1 ? "; this one first" : "");
	/* What is called as we write it goes without saying, and so does what the user named. */
	const struct expression *time = im->expression[TARGET_TIME];
	const char *name = time && time->nr_terms == 1 ? im->columns[time->terms[0].column].name : NULL;
	unsigned target;
	uint64_t unit_ns;
	if (name && !(im->options->map && im->options->map->expression[TARGET_TIME]) &&
	    !import_time_named(name, &target, &unit_ns))
		textbuf_printf(im->notes,
			       "%s: '%.60s' is taken for when a row ended (--map time_s=COLUMN names another)\n",
			       im->file, name);
	if (iv->usual_ns == 0) {
		if (im->options->epoch_ns == 0)
			textbuf_printf(im->notes, "%s: %s, a row is taken for %g ms\n", im->file,
				       im->nr_jumps ? "time never advances"
				       : time	    ? "how long a row lasted does not show"
						    : "no time is given",
				       ms_of_ns(epoch_ns));
		return;
	}
	if (im->nr_jumps)
		textbuf_printf(im->notes,
			       "%s:%u: time does not advance at %" PRIu64 " row%s%s: another recording is taken to "
			       "begin there%s\n",
			       im->file, im->first_jump_line, im->nr_jumps, plural(im->nr_jumps),
			       im->nr_jumps > 1 ? ", this one first" : "",
			       im->nr_jumps > im->nr_rows / 4
				       ? " (are rows of several CPUs? --group COLUMN; or lengths? "
					 "--map duration_s=COLUMN)"
				       : "");
	if (!by_time && iv->longest_ns > 0 &&
	    (iv->longest_ns > epoch_ns / 100 * (100 + WORTH_A_WORD_PCT) ||
	     iv->shortest_ns < epoch_ns / 100 * (100 - WORTH_A_WORD_PCT))) {
		textbuf_printf(im->notes, "%s: intervals of %.6g to %.6g ms are taken for %.6g ms each", im->file,
			       ms_of_ns(iv->shortest_ns), ms_of_ns(iv->longest_ns), ms_of_ns(epoch_ns));
		if (!im->format->is_live)
			textbuf_printf(im->notes, " (--by-time --epoch-ms %.6g cuts them to size)", ms_of_ns(epoch_ns));
		textbuf_putc(im->notes, '\n');
	}
	if (iv->nr_gaps)
		textbuf_printf(im->notes, "%s:%u: %" PRIu64 " gap%s, %.6g s in all%s\n", im->file, iv->first_gap_line,
			       iv->nr_gaps, plural(iv->nr_gaps), (double)iv->gap_ns / (double)NS_PER_S,
			       by_time ? ", are filled with the counts of the next rows" : ", are closed");
	bool is_odd = iv->last_ns < iv->usual_ns / 2 || iv->last_ns > iv->usual_ns / 2 * GAP_HALVES;
	if (!by_time && !iv->are_exact && is_odd)
		textbuf_printf(im->notes, "%s: the last row lasts %.6g ms and is an epoch of %.6g ms all the same\n",
			       im->file, ms_of_ns(iv->last_ns), ms_of_ns(epoch_ns));
	if (by_time && im->nr_unmeasured)
		textbuf_printf(im->notes, "%s: %" PRIu64 " row%s of unknown length taken for %.6g ms\n", im->file,
			       im->nr_unmeasured, plural(im->nr_unmeasured), ms_of_ns(epoch_ns));
}

/* Which groups there are, where that matters. */
static void report_groups(struct import *im)
{
	unsigned shown = im->nr_groups < 8 ? im->nr_groups : 8;
	if (im->nr_groups < 2 || im->options->groups != IMPORT_SUM)
		return;
	textbuf_printf(im->notes, "%s: summed over %u groups:", im->file, im->nr_groups);
	for (unsigned g = 0; g < shown; g++)
		textbuf_printf(im->notes, "%s %.40s", g ? "," : "", im->groups[g].name);
	textbuf_printf(im->notes, "%s (--each makes a trace of each, --only NAME of one)\n",
		       im->nr_groups > shown ? ", ..." : "");
}

/* Ratios of counts that took turns are estimates; of those that hardly ran, bad ones. */
static void report_running(struct import *im, const struct output *out)
{
	unsigned least = NR_COUNTERS;
	uint64_t least_pct100 = LITTLE_PCT100;
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const struct running *r = &out->running[c];
		if (r->nr > 0 && r->sum_pct100 / r->nr < least_pct100) {
			least = c;
			least_pct100 = r->sum_pct100 / r->nr;
		}
	}
	if (least < NR_COUNTERS)
		textbuf_printf(
			im->notes,
			"%s: events took turns (multiplexing): %s were counted for %u %% of the time, the rest is "
			"estimated\n",
			im->file, counter_rows[least].name, (unsigned)(least_pct100 / 100));
}

/* Mispredictions of callgrind's predictor, no matter who wrote the file. */
static void report_predictor(struct import *im)
{
	const struct expression *e = im->expression[COUNTER_BRANCH_MISSES];
	for (unsigned i = 0; e && i < e->nr_terms; i++) {
		if (strcmp(im->columns[e->terms[i].column].plain, "Bcm") != 0)
			continue;
		textbuf_printf(
			im->notes,
			"%s: branch_misses are those of callgrind's simple predictor, 6 to 16 times those that QEMU's recorder "
			"models: do not mix the two (docs/models.md)\n",
			im->file);
		return;
	}
}

static void report_output(struct import *im, const struct output *out)
{
	const struct import_map *map = im->options->map;
	report_running(im, out);
	if (out->rises && out->nr_epochs >= MANY_RISING && !im->format->is_live)
		textbuf_printf(im->notes, "%s: no count ever falls: are they running totals (--cumulative)?\n",
			       im->file);
	bool some_have = out->nr_late_cycles > 0 || (out->nr_cycleless > 0 && out->nr_cycleless < out->nr_taken);
	if (some_have && !im->options->join && !im->options->no_cycles)
		textbuf_printf(im->notes, "%s: cycles are left out, since not all rows have them\n", im->file);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (out->nr_assumed[c] > 0 && out->nr_assumed[c] < out->nr_taken)
			textbuf_printf(im->notes,
				       "%s: in %" PRIu64 " of %" PRIu64 " rows %s are assumed, in the others counted\n",
				       im->file, out->nr_assumed[c], out->nr_taken, counter_rows[c].name);
	for (unsigned c = 0; c < NR_COUNTERS && map; c++)
		if (map->is_assumed[c] && out->nr_assumed[c] == 0 && out->running[c].nr + out->nr_epochs > 0 &&
		    !im->options->join)
			textbuf_printf(im->notes, "%s: --assume %s is not needed: it was counted\n", im->file,
				       counter_rows[c].name);
}

/* Counts that the carry still holds: a part that would have exceeded its whole in the very last rows. */
static void report_carry(struct import *im, const struct output *out)
{
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (out->carry[c] > (decimal)DECIMAL_ONE * DECIMAL_ONE / 2)
			textbuf_printf(im->notes, "%s: the total of %s is less by 1: more would exceed %s\n", im->file,
				       counter_rows[c].name, counter_rows[counter_rows[c].part_of].name);
}

void import_report(struct import *im, bool with_time)
{
	if (!im->notes)
		return;
	if (im->nr_skipped_rows)
		textbuf_printf(im->notes, "%s: %" PRIu64 " of %" PRIu64 " rows skipped\n", im->file,
			       im->nr_skipped_rows, im->nr_rows);
	report_skips(im);
	if (im->nr_windows)
		textbuf_printf(im->notes, "%s: %" PRIu64 " window%s joined to %" PRIu64 " epoch%s (--rotate)\n",
			       im->file, im->nr_windows, plural(im->nr_windows), im->nr_epochs_of_windows,
			       plural(im->nr_epochs_of_windows));
	report_groups(im);
	if (im->nr_placeless)
		textbuf_printf(
			im->notes,
			"%s: %" PRIu64 " row%s without instructions ha%s no place among those of other runs: the "
			"next rows shift by as much\n",
			im->file, im->nr_placeless, plural(im->nr_placeless), im->nr_placeless == 1 ? "s" : "ve");
	if (im->nr_idle)
		textbuf_printf(im->notes,
			       "%s:%u: %" PRIu64
			       " time%s a CPU, thread or cgroup was not counted at all, and is taken to "
			       "have been idle%s\n",
			       im->file, im->first_idle_line, im->nr_idle, plural(im->nr_idle),
			       im->nr_idle > 1 ? "; here first" : "");
	if (im->nr_recordings > 1 && im->options->recording == 0 && !im->options->rotate)
		textbuf_printf(im->notes, "%s: %u recordings are put one after the other (--recording N takes one)\n",
			       im->file, im->nr_recordings);
	if (with_time)
		report_intervals(im);
	if (im->nr_uneven)
		textbuf_printf(im->notes,
			       "%s:%u: in %" PRIu64 " row%s the events of one ratio were counted for different "
			       "shares of the time (multiplexing): such ratios are estimates\n",
			       im->file, im->first_uneven_line, im->nr_uneven, plural(im->nr_uneven));
	if (im->nr_odd)
		textbuf_printf(im->notes,
			       "%s:%u: %" PRIu64 " epoch%s with more branches or data accesses than instructions%s\n",
			       im->file, im->first_odd_line, im->nr_odd, plural(im->nr_odd),
			       im->nr_odd == 1 ? "" : ", this one first");
	import_report_choices(im);
	report_predictor(im);
	for (unsigned o = 0; o < im->nr_outputs; o++) {
		report_output(im, &im->outputs[o]);
		report_carry(im, &im->outputs[o]);
	}
}
