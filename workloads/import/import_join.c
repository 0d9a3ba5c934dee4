/* Joining runs of one program that counted different events.
 *
 * Rows of two runs do not match: intervals jitter, and one run is slower than the other. Instructions do: the first
 * file makes the epochs, and the counts of the others are spread over them by cumulative instructions. A run with a
 * little more or fewer instructions in all is stretched to the length of the first, so that its totals are kept. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/import/import_internal.h"

#include "sim/base/file.h"

/* Runs of one program that differ in instructions by more are worth a word, or are none. */
#define WORTH_A_WORD_PCT 1u
#define TOO_MUCH_PCT 10u

/* One run. */
struct run {
	struct import *im;
	struct kept_row *rows;
	size_t nr_rows;
	uint64_t instructions;
	uint16_t has, gives; /* counters, a bit each: that it has, and that are taken from it */
	/* where spreading stands */
	struct spread spread;
	size_t next_row;
	uint64_t position; /* instructions that were taken */
	bool is_on_hole;   /* the present row is one, */
	bool met_hole;	   /* or one of those that the present epoch took from */
};

#define CYCLES_BIT ((uint16_t)(1u << COUNTER_CYCLES))

/* A row in which something is missing that others have. Its instructions are known, and so is its place. */
static bool is_hole(const struct run *run, const struct kept_row *row)
{
	return ((row->has ^ run->has) & ~CYCLES_BIT) != 0;
}

/* Finds out what the run counted, in all rows but some. */
static enum sahm_status settle(struct run *run, struct textbuf *notes, struct sahm_err *err)
{
	struct output *out = &run->im->outputs[0];
	size_t nr_cycleless = 0, nr_holes = 0;
	spread_sum sum = 0;
	run->rows = out->kept;
	run->nr_rows = out->nr_kept;
	for (size_t i = 0; i < run->nr_rows; i++) {
		run->has = (uint16_t)(run->has | run->rows[i].has);
		sum += run->rows[i].counts.count[COUNTER_INSTRUCTIONS];
	}
	for (size_t i = 0; i < run->nr_rows; i++) {
		const struct kept_row *row = &run->rows[i];
		nr_holes += is_hole(run, row);
		nr_cycleless += !is_hole(run, row) && !(row->has & CYCLES_BIT);
		/* Of the others nothing but instructions was kept, and they are accounted for. An event that appears
		 * only later in the file is seen now. */
		if (is_hole(run, row) && row->has != 1u << COUNTER_INSTRUCTIONS) {
			run->im->nr_skipped_rows++;
			import_skip(run->im, SKIP_INCOMPLETE, row->line, NULL);
		}
	}
	if (nr_cycleless > 0 && (run->has & CYCLES_BIT) && notes)
		textbuf_printf(notes, "%s: its cycles are left out: %zu rows lack them\n", run->im->file, nr_cycleless);
	if (nr_cycleless > 0)
		run->has &= (uint16_t)~CYCLES_BIT;
	run->instructions = (uint64_t)sum;
	if (sum > UINT64_MAX)
		return sahm_fail_at(err, SAHM_RANGE, run->im->file, 0, "its instructions do not fit 64 bits");
	return sum > 0 && nr_holes < run->nr_rows && run->has != 1u << COUNTER_INSTRUCTIONS
		       ? SAHM_OK
		       : sahm_fail_at(err, SAHM_FORMAT, run->im->file, 0,
				      "--join: no row has instructions and another count");
}

static enum sahm_status compare_lengths(const struct run *base, const struct run *other, struct textbuf *notes,
					struct sahm_err *err)
{
	uint64_t a = base->instructions, b = other->instructions, difference = a > b ? a - b : b - a;
	double pct = (double)difference / (double)a * 100;
	const char *which = b > a ? "more" : "fewer";
	if ((spread_sum)difference * 100 > (spread_sum)a * TOO_MUCH_PCT)
		return sahm_fail_at(err, SAHM_FORMAT, other->im->file, 0,
				    "--join: %.1f %% %s instructions than '%s': not the same program and input", pct,
				    which, base->im->file);
	if ((spread_sum)difference * 100 > (spread_sum)a * WORTH_A_WORD_PCT && notes)
		textbuf_printf(notes, "%s: %.1f %% %s instructions than %s, stretched to its length\n", other->im->file,
			       pct, which, base->im->file);
	return SAHM_OK;
}

/* Who gives which counter: both of a ratio come from one run where one has both. */
static void share_out(struct run *runs, size_t nr)
{
	uint16_t taken = 1u << COUNTER_INSTRUCTIONS;
	runs[0].gives = taken;
	for (int pass = 0; pass < 2; pass++) {
		for (unsigned c = 0; c < NR_COUNTERS; c++) {
			unsigned pair = 1u << c | 1u << counter_rows[c].part_of;
			bool is_part = counter_rows[c].part_of != (enum counter)c;
			if ((pass == 0 && !is_part) || (taken & 1u << c))
				continue;
			uint16_t wanted = (uint16_t)(pass == 0 ? pair : 1u << c);
			for (size_t r = 0; r < nr; r++) {
				if ((runs[r].has & wanted) != wanted)
					continue;
				runs[r].gives = (uint16_t)(runs[r].gives | wanted);
				taken = (uint16_t)(taken | wanted);
				break;
			}
		}
	}
}

/* A counter that several runs have is taken from one of them. */
static void describe_shared(const struct run *runs, size_t nr, struct textbuf *notes)
{
	for (unsigned c = COUNTER_INSTRUCTIONS + 1; c < NR_COUNTERS && notes; c++) {
		size_t nr_with = 0, giver = 0;
		for (size_t r = 0; r < nr; r++) {
			nr_with += runs[r].has >> c & 1;
			giver = runs[r].gives >> c & 1 ? r : giver;
		}
		if (nr_with > 1)
			textbuf_printf(notes, "%s: %s are taken from this file, %zu have them\n", runs[giver].im->file,
				       counter_rows[c].name, nr_with);
	}
}

static enum sahm_status check_counters(const struct run *runs, size_t nr, const struct import_map *map,
				       struct sahm_err *err)
{
	uint16_t all = 0;
	for (size_t r = 0; r < nr; r++)
		all |= runs[r].gives;
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (counter_rows[c].required && !(all >> c & 1) && !(map && map->is_assumed[c]))
			return sahm_fail(err, SAHM_FORMAT,
					 "--join: no event of any file stands for '%s'; say --map %s=EXPRESSION, or "
					 "--assume %s=0",
					 counter_rows[c].name, counter_rows[c].name, counter_rows[c].name);
	return SAHM_OK;
}

/* What the run counted up to `end` instructions, from where it stood. */
static void take_until(struct run *run, uint64_t end, bool is_last)
{
	uint64_t need = end - run->position;
	run->position = end;
	run->met_hole = false;
	for (;;) {
		uint64_t left = spread_left(&run->spread), step = left < need ? left : need;
		if (left > 0) {
			spread_take(&run->spread, step);
			run->met_hole |= run->is_on_hole && step > 0;
			need -= step;
		}
		if (spread_left(&run->spread) > 0 || run->next_row == run->nr_rows)
			return;
		const struct kept_row *row = &run->rows[run->next_row];
		uint64_t weight = row->counts.count[COUNTER_INSTRUCTIONS];
		/* A row without instructions is a point, here. */
		if (need == 0 && weight > 0 && !is_last)
			return;
		spread_begin(&run->spread, &row->counts, weight);
		run->is_on_hole = is_hole(run, row);
		run->met_hole |= run->is_on_hole && weight == 0;
		run->next_row++;
		if (weight == 0)
			spread_take(&run->spread, 0);
	}
}

/* What the runs counted up to the end of row `k` of the first one; false where one of them has a hole. */
static bool take_row(struct run *runs, size_t nr, size_t k, struct epoch_counts *e, enum counter *over)
{
	const struct kept_row *row = &runs[0].rows[k];
	bool whole = !is_hole(&runs[0], row);
	runs[0].position += row->counts.count[COUNTER_INSTRUCTIONS];
	for (size_t r = 0; r < nr && *over == NR_COUNTERS; r++) {
		struct epoch_counts part = row->counts;
		if (r > 0) {
			spread_sum end = (spread_sum)runs[0].position * runs[r].instructions;
			end = (end + runs[0].instructions / 2) / runs[0].instructions;
			take_until(&runs[r], (uint64_t)end, k + 1 == runs[0].nr_rows);
			*over = spread_close(&runs[r].spread, &part);
			whole &= !runs[r].met_hole;
		}
		for (unsigned c = 0; c < NR_COUNTERS; c++)
			if (runs[r].gives >> c & 1)
				e->count[c] = part.count[c];
	}
	return whole;
}

/* The epochs of the first run, with what the others give. */
static enum sahm_status join_rows(struct run *runs, size_t nr, const struct import_map *map,
				  struct trace_builder *builder, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct import *im = runs[0].im;
	for (size_t k = 0; k < runs[0].nr_rows && status == SAHM_OK; k++) {
		struct epoch_counts e = {0};
		enum counter c, over = NR_COUNTERS;
		for (unsigned i = 0; map && i < NR_COUNTERS; i++)
			e.count[i] = map->is_assumed[i] ? map->assumed[i] : 0;
		bool whole = take_row(runs, nr, k, &e, &over);
		if (over != NR_COUNTERS)
			return sahm_fail_at(err, SAHM_RANGE, im->file, runs[0].rows[k].line,
					    "%s of this row do not fit 64 bits when joined", counter_rows[over].name);
		/* A contradiction can only be between counts of different runs. */
		bool contradicts = whole && counters_contradict(&e, &c);
		if (whole && !contradicts) {
			status = trace_builder_add(builder, &e, err);
		} else if (contradicts || !is_hole(&runs[0], &runs[0].rows[k])) {
			im->nr_skipped_rows++;
			import_skip(im, contradicts ? SKIP_CONTRADICTION : SKIP_HOLE, runs[0].rows[k].line,
				    contradicts ? counter_rows[c].name : NULL);
		}
	}
	return status;
}

/* Each counter's event and shares are those of the run that gave it. */
static enum sahm_status describe_runs(struct run *runs, size_t nr, const struct import_options *options,
				      struct provenance *p, struct sahm_err *err)
{
	struct arena *a = &runs[0].im->arena;
	struct textbuf note;
	*p = runs[0].im->provenance;
	textbuf_init(&note);
	textbuf_puts(&note, "joined by instructions:");
	enum sahm_status status = SAHM_OK;
	uint16_t gives = 0;
	for (size_t r = 0; r < nr; r++)
		gives |= runs[r].gives;
	for (size_t r = 0; r < nr && status == SAHM_OK; r++) {
		struct provenance its = {0};
		textbuf_printf(&note, "%s %.60s", r ? "," : "", base_name(runs[r].im->file));
		for (unsigned c = 0; c < NR_COUNTERS && r == 0; c++)
			if (!(gives >> c & 1) && options->map && options->map->is_assumed[c])
				runs[0].im->outputs[0].nr_assumed[c] = runs[0].im->outputs[0].nr_epochs;
		runs[r].im->outputs[0].has_cycles = runs[r].gives >> COUNTER_CYCLES & 1;
		status = import_say_events(runs[r].im, &its, &runs[r].im->outputs[0]);
		for (unsigned c = 0; c < NR_COUNTERS; c++) {
			if (!(runs[r].gives >> c & 1) && !(r == 0 && runs[0].im->outputs[0].nr_assumed[c]))
				continue;
			p->event[c] = its.event[c];
			p->counted_pct[c] = its.counted_pct[c];
			p->origin[c] = its.origin[c];
		}
	}
	if (status == SAHM_OK && textbuf_failed(&note))
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK && note.len <= MAX_PROVENANCE_BYTES && !p->text[PROVENANCE_NOTE])
		status = provenance_set(p, a, "note", 4, note.text, err);
	textbuf_release(&note);
	provenance_override(p, &options->provenance);
	return status == SAHM_OK ? provenance_name_after(p, a, runs[0].im->file, "", err) : status;
}

static enum sahm_status join(struct run *runs, size_t nr, const struct import_options *options, struct textbuf *notes,
			     struct trace **trace, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct provenance p;
	bool has_cycles = false;
	for (size_t r = 0; r < nr && status == SAHM_OK; r++)
		status = settle(&runs[r], notes, err);
	for (size_t r = 1; r < nr && status == SAHM_OK; r++)
		status = compare_lengths(&runs[0], &runs[r], notes, err);
	if (status != SAHM_OK)
		return status;
	share_out(runs, nr);
	describe_shared(runs, nr, notes);
	status = check_counters(runs, nr, options->map, err);
	for (size_t r = 0; r < nr; r++)
		has_cycles |= runs[r].gives >> COUNTER_CYCLES & 1;
	struct trace_builder *builder = trace_builder_new(has_cycles);
	if (status == SAHM_OK)
		status = builder ? join_rows(runs, nr, options->map, builder, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = describe_runs(runs, nr, options, &p, err);
	if (status == SAHM_OK)
		status = trace_builder_finish(builder, runs[0].im->file, import_epoch_ns(runs[0].im), &p, trace, err);
	for (size_t r = 0; r < nr && status == SAHM_OK; r++)
		import_report(runs[r].im, r == 0);
	trace_builder_free(builder);
	return status;
}

enum sahm_status import_join(const char *const *files, size_t nr_files, const struct import_options *options,
			     struct textbuf *notes, struct trace ***traces, size_t *nr_traces, struct sahm_err *err)
{
	struct run *runs = calloc(nr_files, sizeof(*runs));
	*traces = calloc(1, sizeof(struct trace *));
	*nr_traces = 0;
	enum sahm_status status = runs && *traces ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t r = 0; r < nr_files && status == SAHM_OK; r++)
		status = import_read_run(files[r], options, notes, &runs[r].im, err);
	/* What --map names must be in one of them. */
	for (unsigned t = 0; t < NR_TARGETS && status == SAHM_OK; t++) {
		size_t r = 0;
		while (r < nr_files && !runs[r].im->expression[t])
			r++;
		if (r == nr_files)
			status = import_check_map(runs[0].im, t);
	}
	if (status == SAHM_OK)
		status = join(runs, nr_files, options, notes, *traces, err);
	for (size_t r = 0; runs && r < nr_files; r++)
		import_free(runs[r].im);
	free(runs);
	if (status == SAHM_OK) {
		*nr_traces = 1;
	} else {
		free(*traces);
		*traces = NULL;
	}
	return status;
}
