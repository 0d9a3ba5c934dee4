/* Rows of the importer: what the expressions come to, how long a row lasted, and whether it makes an epoch. */
#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

/* Whether the group took no part in this row: nothing was counted for it since it did not run. Anything else that is
 * missing, such as text in place of a count, is no reason to think so. */
static bool is_idle(const struct import *im, const struct group *g)
{
	bool not_counted = false;
	for (unsigned t = 0; t < NR_COUNTERS; t++) {
		for (unsigned i = 0; im->expression[t] && i < im->expression[t]->nr_terms; i++) {
			const struct term *term = &im->expression[t]->terms[i];
			const struct cell *cell = &g->cells[term->column];
			bool is_fine = cell->skip == SKIP_NOT_COUNTED || cell->skip == SKIP_NOT_SUPPORTED ||
				       (cell->skip == SKIP_INCOMPLETE && term->zero);
			if (cell->is_there || !is_fine)
				return false;
			not_counted |= cell->skip == SKIP_NOT_COUNTED;
		}
	}
	return not_counted;
}

/* Result of a term in a cell; NR_SKIPS when there is something. */
static enum import_skip read_cell(const struct import *im, const struct cell *cell, bool delta, decimal *counted)
{
	if (!cell->is_there)
		return (enum import_skip)cell->skip;
	*counted = cell->value;
	if (!delta)
		return NR_SKIPS;
	if (cell->total_of != im->nr_begun)
		return SKIP_NO_BASE;
	*counted -= cell->total;
	return *counted < 0 ? SKIP_BACKWARDS : NR_SKIPS;
}

/* Whether zero() makes 0 of it. */
static bool may_be_zero(enum import_skip skip)
{
	return skip == SKIP_NOT_COUNTED || skip == SKIP_NOT_SUPPORTED || skip == SKIP_BLANK || skip == SKIP_INCOMPLETE;
}

/* A column's value in a group, in 1/DECIMAL_ONE^2; why there is none, or NR_SKIPS. */
static enum import_skip read_term(const struct import *im, const struct group *g, const struct term *term,
				  struct value *v, decimal *exact)
{
	const struct cell *cell = &g->cells[term->column];
	decimal counted = 0;
	enum import_skip skip = read_cell(im, cell, term->delta, &counted);
	if (term->zero && may_be_zero(skip)) {
		*exact = 0;
		return NR_SKIPS;
	}
	if (skip == NR_SKIPS && (counted >= EXACT_END / DECIMAL_ONE || counted <= -EXACT_END / DECIMAL_ONE))
		skip = SKIP_TOO_LARGE;
	*exact = counted * DECIMAL_ONE;
	v->column = im->columns[term->column].name;
	if (skip == NR_SKIPS && cell->running_pct100 >= 0 &&
	    (v->running_pct100 < 0 || cell->running_pct100 < v->running_pct100))
		v->running_pct100 = cell->running_pct100;
	return skip;
}

/* left = left op right; why that is impossible, or NR_SKIPS. */
static enum import_skip combine(unsigned kind, decimal *left, decimal right)
{
	if (kind == OP_DIVIDE && right == 0)
		return SKIP_UNDEFINED;
	if (kind == OP_MULTIPLY)
		return exact_product(*left, right, left) ? NR_SKIPS : SKIP_TOO_LARGE;
	if (kind == OP_DIVIDE)
		return exact_quotient(*left, right, left) ? NR_SKIPS : SKIP_TOO_LARGE;
	decimal sum = kind == OP_ADD ? *left + right : *left - right;
	*left = sum;
	return sum < EXACT_END && -sum < EXACT_END ? NR_SKIPS : SKIP_TOO_LARGE;
}

/* Adds what the expression comes to in a group; false where something is missing. */
static bool add_group(const struct import *im, const struct group *g, const struct expression *e, struct value *v)
{
	decimal stack[MAX_OPS];
	unsigned nr = 0;
	enum import_skip skip = NR_SKIPS;
	for (unsigned i = 0; i < e->nr_ops && skip == NR_SKIPS; i++) {
		const struct op *op = &e->ops[i];
		if (op->kind == OP_COLUMN) {
			skip = read_term(im, g, &e->terms[op->term], v, &stack[nr++]);
		} else if (op->kind == OP_NUMBER) {
			stack[nr++] = op->number;
		} else if (op->kind == OP_NEGATE) {
			stack[nr - 1] = -stack[nr - 1];
		} else {
			nr--;
			skip = combine(op->kind, &stack[nr - 1], stack[nr]);
		}
	}
	if (skip == NR_SKIPS)
		skip = combine(OP_ADD, &v->exact, stack[0]);
	v->skip = (uint8_t)(skip == NR_SKIPS ? v->skip : skip);
	return skip == NR_SKIPS;
}

/* A target's value in this row: of one group, or the sum over those that took part. */
static struct value evaluate(const struct import *im, const struct group *one, unsigned target)
{
	const struct expression *e = im->expression[target];
	struct value v = {.running_pct100 = -1, .skip = SKIP_INCOMPLETE};
	for (unsigned s = 0; s < (one ? 1 : im->nr_seen); s++) {
		const struct group *group = one ? one : &im->groups[im->seen[s]];
		if (!one && target < NR_COUNTERS && group->is_idle) {
			v.skip = v.is_there ? v.skip : SKIP_NOT_COUNTED;
			v.column = im->columns[e->terms[0].column].name;
			continue;
		}
		v.is_there = add_group(im, group, e, &v);
		if (!v.is_there)
			return v;
		/* Time is the same for all of them. */
		if (target >= NR_COUNTERS)
			break;
	}
	return v;
}

/* ns of a time target, of one group or (NULL) of any; false when the row does not say. */
static bool time_of(const struct import *im, const struct group *group, unsigned target, int64_t *ns)
{
	if (!im->expression[target])
		return false;
	struct value v = evaluate(im, group, target);
	decimal exact = v.exact / DECIMAL_ONE * (decimal)im->unit_ns[target] / DECIMAL_ONE;
	if (!v.is_there || exact > INT64_MAX / 4 || exact < INT64_MIN / 4)
		return false;
	*ns = (int64_t)exact;
	return true;
}

/* How long the row lasted, from its stamp and the one before it; 0 when that is not known. */
static enum sahm_status measure(struct import *im, bool has_stamp, uint64_t stamp_ns, uint64_t *duration_ns)
{
	int64_t stamp = (int64_t)stamp_ns;
	struct stamp *before = im->row_stamp ? im->row_stamp : &im->stamp;
	*duration_ns = 0;
	if (time_of(im, NULL, TARGET_TIME, &stamp)) {
		if (before->is_known && stamp < (int64_t)before->ns && im->uses_totals)
			return sahm_fail_at(im->err, SAHM_FORMAT, im->file, im->row_line,
					    "time runs backwards: running totals must be in order");
		if (before->is_known && stamp > (int64_t)before->ns)
			*duration_ns = (uint64_t)(stamp - (int64_t)before->ns);
		else if (before->is_known && im->nr_jumps++ == 0)
			im->first_jump_line = im->row_line;
		*before = (struct stamp){true, (uint64_t)stamp};
	} else if (im->expression[TARGET_TIME]) {
		if (im->nr_timeless++ == 0)
			im->first_timeless_line = im->row_line;
	} else if (has_stamp && stamp_ns < before->ns) {
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, im->row_line,
				    "time runs backwards, from %.9g s to %.9g s: rows are out of order, or two "
				    "recordings are interleaved",
				    (double)before->ns / (double)NS_PER_S, (double)stamp_ns / (double)NS_PER_S);
	} else if (has_stamp) {
		/* Recordings of tools begin at 0. */
		*duration_ns = stamp_ns - before->ns;
		before->ns = stamp_ns;
	}
	/* Windows become longer rows. */
	if (*duration_ns > 0 && !im->options->rotate)
		intervals_add(&im->intervals, *duration_ns, im->row_line);
	return SAHM_OK;
}

static void skip_row(struct import *im, enum import_skip reason, const char *column)
{
	import_skip(im, reason, im->row_line, column);
	im->nr_skipped_rows++;
}

/* Shares of time that differ within one ratio make the ratio a guess. */
static void compare_running(struct import *im, const struct value *v, uint16_t has)
{
	bool uneven = false;
	for (int m = 0; m < NR_COMPONENTS; m++) {
		unsigned a = metric_rows[m].numerator, b = metric_rows[m].denominator;
		if (!(has >> a & has >> b & 1) || v[a].running_pct100 < 0 || v[b].running_pct100 < 0)
			continue;
		int difference = v[a].running_pct100 - v[b].running_pct100;
		uneven |= difference > 100 || difference < -100;
	}
	if (uneven && im->nr_uneven++ == 0)
		im->first_uneven_line = im->row_line;
}

static void note_running(struct output *out, const struct value *v, uint16_t has)
{
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		struct running *r = &out->running[c];
		if (!(has >> c & 1) || v[c].running_pct100 < 0)
			continue;
		if (r->nr == 0 || v[c].running_pct100 < r->min_pct100)
			r->min_pct100 = v[c].running_pct100;
		r->nr++;
		r->sum_pct100 += (uint64_t)v[c].running_pct100;
	}
}

/* Checks the exact counts of a row: why it makes no epoch, or NR_SKIPS. */
static enum import_skip check_counts(const struct import *im, struct row *row)
{
	bool idle = true;
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		unsigned whole = counter_rows[c].part_of;
		row->column = counter_rows[c].name;
		if (row->counts[c] < 0)
			return SKIP_NEGATIVE;
		if (row->counts[c] > (decimal)UINT64_MAX * DECIMAL_ONE * DECIMAL_ONE)
			return SKIP_TOO_LARGE;
		if (((row->has | row->assumed) >> whole & 1) && row->counts[c] > row->counts[whole])
			return SKIP_CONTRADICTION;
		idle &= row->counts[c] == 0 || (row->assumed >> c & 1);
	}
	row->column = NULL;
	return idle && !im->options->keep_idle ? SKIP_IDLE : NR_SKIPS;
}

static void note_odd(struct import *im, const decimal *counts)
{
	decimal instructions = counts[COUNTER_INSTRUCTIONS];
	if ((counts[COUNTER_BRANCHES] > instructions || counts[COUNTER_L1D_ACCESSES] > instructions) &&
	    im->nr_odd++ == 0)
		im->first_odd_line = im->row_line;
}

/* Counts that only ever rise are those of no program, but running totals. */
static void note_rising(const struct import *im, struct output *out, const decimal *counts, uint16_t has)
{
	out->rises &= has && counts[COUNTER_INSTRUCTIONS] > out->before[COUNTER_INSTRUCTIONS] && !im->uses_totals;
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		out->rises &= counts[c] >= out->before[c];
		out->before[c] = counts[c];
	}
}

/* Whether nothing of what stands for a counter is supported in any of the groups that ran. */
static bool is_unsupported(const struct import *im, const struct output *out, unsigned c)
{
	bool any = false;
	for (unsigned s = 0; s < im->nr_seen; s++) {
		const struct group *g = &im->groups[im->seen[s]];
		if (out->group ? out->group != g : g->is_idle)
			continue;
		for (unsigned i = 0; i < im->expression[c]->nr_terms; i++) {
			const struct cell *cell = &g->cells[im->expression[c]->terms[i].column];
			if (cell->is_there || cell->skip != SKIP_NOT_SUPPORTED)
				return false;
			any = true;
		}
	}
	return any;
}

/* Whether what the user assumes counts for this row: where nothing stands for the counter, or what does is not
 * supported. */
static bool is_assumed(const struct import *im, const struct output *out, unsigned c)
{
	const struct import_map *map = im->options->map;
	if (!map || !map->is_assumed[c])
		return false;
	return im->expression[c] ? is_unsupported(im, out, c) : import_is_assumed(im, c);
}

/* Whether a row without this counter makes no epoch. Of runs to be joined each gives what it has. */
static bool is_needed(const struct import *im, unsigned c)
{
	if (im->options->rotate)
		return c == COUNTER_INSTRUCTIONS;
	if (im->options->join)
		return c == COUNTER_INSTRUCTIONS || (c != COUNTER_CYCLES && im->expression[c]);
	return counter_rows[c].required;
}

/* Evaluates the row: why it makes no epoch, or NR_SKIPS. */
static enum import_skip judge(struct import *im, const struct output *out, struct row *row)
{
	enum import_skip reason = NR_SKIPS;
	*row = (struct row){0};
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		struct value *v = &row->v[c];
		*v = (struct value){.running_pct100 = -1, .skip = SKIP_INCOMPLETE, .column = counter_rows[c].name};
		if (im->expression[c])
			*v = evaluate(im, out->group, c);
		if (v->is_there) {
			row->has |= (uint16_t)(1u << c);
			row->counts[c] = v->exact;
		} else if (is_assumed(im, out, c)) {
			/* Joined counters are assumed in the end, where no run, or no window, has them. */
			if (im->options->join || im->options->rotate)
				continue;
			row->assumed |= (uint16_t)(1u << c);
			row->counts[c] = (decimal)im->options->map->assumed[c] * DECIMAL_ONE * DECIMAL_ONE;
		} else if (reason == NR_SKIPS && (is_needed(im, c) || v->skip == SKIP_NO_BASE)) {
			reason = (enum import_skip)v->skip;
			row->column = v->column;
		}
	}
	if (reason != NR_SKIPS)
		return reason;
	/* A sum over some of the CPUs would pass for one over all. */
	if (!out->group && im->nr_seen < im->nr_expected && im->format->groups != GROUPS_COME_AND_GO)
		return SKIP_GROUP;
	return check_counts(im, row);
}

/* Running totals count on from this row; those that it lacks restart with the next one that has them. So no count
 * ever tells of more rows than the others do. */
static void take_totals(struct import *im, const struct output *out)
{
	bool together = im->format->groups != GROUPS_APART || im->options->groups == IMPORT_SUM;
	for (unsigned g = 0; g < im->nr_groups; g++) {
		struct group *group = &im->groups[g];
		if ((out->group && out->group != group) || (!group->seen && !together))
			continue;
		for (unsigned c = 0; c < im->nr_columns; c++) {
			struct cell *cell = &group->cells[c];
			cell->total = cell->value;
			cell->total_of = group->seen && cell->is_there ? im->nr_begun : 0;
		}
	}
}

/* How long the row lasted for these groups: the longest of them. */
static uint64_t duration_of(const struct import *im, const struct output *out, uint64_t measured_ns)
{
	uint64_t longest = 0;
	if (!im->expression[TARGET_DURATION])
		return measured_ns;
	for (unsigned s = 0; s < im->nr_seen; s++) {
		const struct group *g = &im->groups[im->seen[s]];
		int64_t ns = 0;
		if ((!out->group || out->group == g) && time_of(im, g, TARGET_DURATION, &ns) && ns > 0 &&
		    (uint64_t)ns > longest)
			longest = (uint64_t)ns;
	}
	return longest;
}

/* Groups that appear when sums were made without them make those sums a part that passes for the whole. */
static enum sahm_status check_groups(struct import *im)
{
	if (im->options->groups != IMPORT_SUM || im->format->groups == GROUPS_COME_AND_GO || im->nr_summed == 0 ||
	    im->nr_expected <= im->nr_summed)
		return SAHM_OK;
	return sahm_fail_at(
		im->err, SAHM_FORMAT, im->file, im->row_line,
		"'%.60s' appears only here, after rows that were summed without it: rows must be in order of "
		"time (--each makes a trace of each, --only NAME of one)",
		im->groups[im->seen[im->nr_seen - 1]].name);
}

static enum sahm_status end_row_of(struct import *im, struct output *out, uint64_t duration_ns)
{
	struct row row;
	enum import_skip reason = judge(im, out, &row);
	im->nr_rows++;
	duration_ns = duration_of(im, out, duration_ns);
	if (im->uses_totals)
		take_totals(im, out);
	if (reason == NR_SKIPS && im->options->rotate) {
		bool is_whole;
		im->frozen = true;
		im->nr_summed = im->nr_expected;
		reason = import_rotate(im, out, &row, &duration_ns, &is_whole);
		if (!is_whole)
			return SAHM_OK;
		if (duration_ns > 0)
			intervals_add(&im->intervals, duration_ns, im->row_line);
		/* Parts and wholes of different windows are estimates. */
		reason = reason == NR_SKIPS ? check_counts(im, &row) : reason;
	}
	if (reason != NR_SKIPS) {
		skip_row(im, reason, row.column);
		/* The instructions of a run to be joined have their place, whatever else is missing. */
		bool is_hole = im->options->join && (row.has & 1u << COUNTER_INSTRUCTIONS) && reason != SKIP_IDLE &&
			       reason != SKIP_GROUP && row.counts[COUNTER_INSTRUCTIONS] >= 0;
		im->nr_placeless += im->options->join && !is_hole && reason != SKIP_IDLE && reason != SKIP_NO_BASE;
		return is_hole ? import_add_epoch(im, out, row.counts, 1u << COUNTER_INSTRUCTIONS, duration_ns)
			       : SAHM_OK;
	}
	compare_running(im, row.v, row.has);
	note_odd(im, row.counts);
	note_running(out, row.v, row.has);
	note_rising(im, out, row.counts, row.has);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		out->nr_assumed[c] += row.assumed >> c & 1;
	im->frozen = true;
	im->nr_summed = im->nr_expected;
	return import_add_epoch(im, out, row.counts, row.has | row.assumed, duration_ns);
}

/* Finds the groups that did not run. */
static void mark_idle(struct import *im)
{
	for (unsigned s = 0; s < im->nr_seen; s++) {
		struct group *g = &im->groups[im->seen[s]];
		g->is_idle = im->nr_groups > 1 && is_idle(im, g);
		if (g->is_idle && im->nr_idle++ == 0)
			im->first_idle_line = im->row_line;
	}
}

/* Groups of other rows, each with a separate trace. */
static void skip_absent(struct import *im)
{
	for (unsigned o = 0; o < im->nr_outputs; o++) {
		const struct group *g = im->outputs[o].group;
		if (g->seen || g->begun != im->nr_begun)
			continue;
		im->nr_rows++;
		skip_row(im, SKIP_GROUP, g->name);
	}
}

enum sahm_status import_end_row(struct import *im, bool has_stamp, uint64_t stamp_ns)
{
	uint64_t duration_ns;
	if (im->row_line == 0)
		return SAHM_OK;
	enum sahm_status status = measure(im, has_stamp, stamp_ns, &duration_ns);
	if (status == SAHM_OK)
		status = check_groups(im);
	/* Where no stamps say how long rows are, their lengths do. */
	uint64_t length_ns = status == SAHM_OK && duration_ns == 0 ? duration_of(im, &(struct output){0}, 0) : 0;
	if (length_ns > 0 && !im->options->rotate)
		intervals_add(&im->intervals, length_ns, im->row_line);
	bool each = im->options->groups == IMPORT_EACH;
	if (im->options->groups == IMPORT_SUM)
		mark_idle(im);
	else if (each && im->nr_seen < im->nr_expected && im->format->groups == GROUPS_TOGETHER)
		skip_absent(im);
	/* The output of a group has its number. */
	for (unsigned i = 0; i < (each ? im->nr_seen : im->nr_outputs) && status == SAHM_OK; i++)
		status = end_row_of(im, &im->outputs[each ? im->seen[i] : i], duration_ns);
	import_clear_row(im);
	return status;
}
