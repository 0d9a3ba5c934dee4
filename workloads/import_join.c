/* Joining runs of one program that counted different events.
 *
 * Rows of two runs do not match: intervals jitter, and one run is slower than the other. Instructions do: the first
 * file makes the epochs, and the counts of the others are spread over them by cumulative instructions. A run with a
 * little more or fewer instructions in all is stretched to the length of the first, so that its totals are kept. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/import_internal.h"

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
};

/* Counters for which rows stand, and the rows that have all of them. */
static enum sahm_status settle(struct run *run, struct sahm_err *err)
{
	struct import *im = run->im;
	struct output *out = im->nr_outputs ? &im->outputs[0] : NULL;
	spread_sum sum = 0;
	run->rows = out ? out->kept : NULL;
	for (size_t i = 0; out && i < out->nr_kept; i++)
		run->has |= out->kept[i].has;
	for (size_t i = 0; out && i < out->nr_kept; i++) {
		if (out->kept[i].has != run->has) {
			im->nr_skipped_rows++;
			import_skip(im, SKIP_INCOMPLETE, out->kept[i].line, NULL);
			continue;
		}
		run->rows[run->nr_rows++] = out->kept[i];
		sum += out->kept[i].counts.count[COUNTER_INSTRUCTIONS];
	}
	run->instructions = (uint64_t)sum;
	if (sum > UINT64_MAX)
		return sahm_fail_at(err, SAHM_RANGE, im->file, 0, "its instructions do not fit 64 bits");
	return sum > 0 ? SAHM_OK
		       : sahm_fail_at(err, SAHM_FORMAT, im->file, 0, "--join: there are no instructions in it");
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
	for (;;) {
		uint64_t left = spread_left(&run->spread), step = left < need ? left : need;
		if (left > 0) {
			spread_take(&run->spread, step);
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
		run->next_row++;
		if (weight == 0)
			spread_take(&run->spread, 0);
	}
}

/* The epochs of the first run, with what the others give. */
static enum sahm_status join_rows(struct run *runs, size_t nr, const struct import_map *map,
				  struct trace_builder *builder, struct sahm_err *err)
{
	uint64_t done = 0;
	for (size_t k = 0; k < runs[0].nr_rows; k++) {
		struct epoch_counts e = {0}, part;
		enum counter c;
		for (unsigned i = 0; map && i < NR_COUNTERS; i++)
			e.count[i] = map->is_assumed[i] ? map->assumed[i] : 0;
		done += runs[0].rows[k].counts.count[COUNTER_INSTRUCTIONS];
		for (size_t r = 0; r < nr; r++) {
			spread_sum scaled = (spread_sum)done * runs[r].instructions + runs[0].instructions / 2;
			if (r == 0)
				part = runs[0].rows[k].counts;
			else
				take_until(&runs[r], (uint64_t)(scaled / runs[0].instructions),
					   k + 1 == runs[0].nr_rows);
			if (r > 0 && spread_close(&runs[r].spread, &part) != NR_COUNTERS)
				return sahm_fail_at(err, SAHM_RANGE, runs[r].im->file, 0,
						    "its counts in one epoch do not fit 64 bits");
			for (unsigned i = 0; i < NR_COUNTERS; i++)
				if (runs[r].gives >> i & 1)
					e.count[i] = part.count[i];
		}
		/* Only where the two were counted in different runs. */
		if (counters_contradict(&e, &c)) {
			runs[0].im->nr_skipped_rows++;
			import_skip(runs[0].im, SKIP_CONTRADICTION, runs[0].rows[k].line, counter_rows[c].name);
			continue;
		}
		enum sahm_status status = trace_builder_add(builder, &e, err);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* Each counter's event and shares are those of the run that gave it. */
static enum sahm_status tell(struct run *runs, size_t nr, const struct import_options *options, struct provenance *p,
			     struct sahm_err *err)
{
	struct arena *a = &runs[0].im->arena;
	struct textbuf note;
	*p = runs[0].im->provenance;
	textbuf_init(&note);
	textbuf_puts(&note, "joined by instructions:");
	enum sahm_status status = SAHM_OK;
	for (size_t r = 0; r < nr && status == SAHM_OK; r++) {
		struct provenance its = {0};
		const char *slash = strrchr(runs[r].im->file, '/');
		textbuf_printf(&note, "%s %.60s", r ? "," : "", slash ? slash + 1 : runs[r].im->file);
		runs[r].im->outputs[0].has_cycles = runs[r].gives >> COUNTER_CYCLES & 1;
		status = import_say_events(runs[r].im, &its, &runs[r].im->outputs[0]);
		for (unsigned c = 0; c < NR_COUNTERS; c++) {
			if (!(runs[r].gives >> c & 1) && !(r == 0 && options->map && options->map->is_assumed[c]))
				continue;
			p->event[c] = its.event[c];
			p->counted_pct[c] = its.counted_pct[c];
		}
	}
	if (status == SAHM_OK && note.len <= MAX_PROVENANCE_BYTES && !p->text[PROVENANCE_NOTE])
		status = provenance_set(p, a, "note", 4, note.text, err);
	textbuf_release(&note);
	import_set_provenance(p, &options->provenance);
	return status == SAHM_OK ? import_name(runs[0].im, NULL, p) : status;
}

static enum sahm_status join(struct run *runs, size_t nr, const struct import_options *options, struct textbuf *notes,
			     struct trace **trace, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct provenance p;
	bool has_cycles = false;
	for (size_t r = 0; r < nr && status == SAHM_OK; r++)
		status = settle(&runs[r], err);
	for (size_t r = 1; r < nr && status == SAHM_OK; r++)
		status = compare_lengths(&runs[0], &runs[r], notes, err);
	if (status != SAHM_OK)
		return status;
	share_out(runs, nr);
	status = check_counters(runs, nr, options->map, err);
	for (size_t r = 0; r < nr; r++)
		has_cycles |= runs[r].gives >> COUNTER_CYCLES & 1;
	struct trace_builder *builder = trace_builder_new(has_cycles);
	if (status == SAHM_OK)
		status = builder ? join_rows(runs, nr, options->map, builder, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = tell(runs, nr, options, &p, err);
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
