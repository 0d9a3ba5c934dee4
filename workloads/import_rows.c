/* Rows of the importer: what the expressions come to, how long a row lasted, and whether it makes an epoch. */
#include "sim/base/units.h"
#include "workloads/import_internal.h"

/* What came of an expression in a row. */
struct value {
	decimal exact; /* in 1/DECIMAL_ONE^2 */
	bool is_there;
	uint8_t skip;
	const char *column;	/* that has no count */
	int16_t running_pct100; /* the least of its columns; -1: not known */
};

/* Whether anything was counted for the group: one in which nothing was took no part in this row. */
static bool took_part(const struct import *im, const struct group *g)
{
	for (unsigned t = 0; t < NR_COUNTERS; t++)
		for (unsigned i = 0; im->expression[t] && i < im->expression[t]->nr_terms; i++)
			if (g->cells[im->expression[t]->terms[i].column].is_there)
				return true;
	return false;
}

static bool add_term(const struct import *im, const struct group *g, const struct term *term, struct value *v)
{
	const struct cell *cell = &g->cells[term->column];
	decimal counted = term->delta ? cell->delta : cell->value;
	if (!(term->delta ? cell->is_delta_there : cell->is_there)) {
		v->skip = term->delta ? cell->delta_skip : cell->skip;
		v->column = im->columns[term->column].name;
		return term->zero && v->skip != SKIP_BACKWARDS && v->skip != SKIP_NO_BASE && v->skip != SKIP_TEXT &&
		       v->skip != SKIP_TOO_LARGE;
	}
	if (counted > term->largest || counted < -term->largest) {
		v->skip = SKIP_TOO_LARGE;
		v->column = im->columns[term->column].name;
		return false;
	}
	v->exact += counted * term->factor;
	if (v->exact > EXACT_END || v->exact < -EXACT_END) {
		v->skip = SKIP_TOO_LARGE;
		v->column = im->columns[term->column].name;
		return false;
	}
	if (cell->running_pct100 >= 0 && (v->running_pct100 < 0 || cell->running_pct100 < v->running_pct100))
		v->running_pct100 = cell->running_pct100;
	return true;
}

/* A target's value in this row: of one group, or the sum over those that took part. */
static struct value evaluate(const struct import *im, const struct output *out, unsigned target)
{
	const struct expression *e = im->expression[target];
	struct value v = {.running_pct100 = -1, .skip = SKIP_INCOMPLETE};
	bool any = false;
	bool is_one = out && out->group;
	for (unsigned s = 0; s < (is_one ? 1 : im->nr_seen); s++) {
		const struct group *group = is_one ? out->group : &im->groups[im->seen[s]];
		if (target < NR_COUNTERS && im->nr_groups > 1 && !took_part(im, group)) {
			if (!any)
				v.skip = group->cells[e->terms[0].column].skip;
			v.column = im->columns[e->terms[0].column].name;
			continue;
		}
		any = true;
		for (unsigned i = 0; i < e->nr_terms; i++)
			if (!add_term(im, group, &e->terms[i], &v))
				return v;
		/* Time is the same for all of them. */
		if (target >= NR_COUNTERS)
			break;
	}
	v.is_there = any;
	return v;
}

/* ns of a time target; false when the row does not say. */
static bool time_of(const struct import *im, unsigned target, int64_t *ns)
{
	if (!im->expression[target])
		return false;
	struct value v = evaluate(im, NULL, target);
	decimal exact = v.exact / DECIMAL_ONE * (decimal)im->options->map->unit_ns[target] / DECIMAL_ONE;
	if (!v.is_there || exact > INT64_MAX / 4 || exact < INT64_MIN / 4)
		return false;
	*ns = (int64_t)exact;
	return true;
}

/* How long the row lasted, from its stamp and the one before it; 0 when that is not known. */
static enum sahm_status measure(struct import *im, bool has_stamp, uint64_t stamp_ns, uint64_t *duration_ns)
{
	int64_t ns = 0, stamp = (int64_t)stamp_ns;
	struct stamp *before = im->row_stamp ? im->row_stamp : &im->stamp;
	*duration_ns = 0;
	if (time_of(im, TARGET_TIME, &stamp)) {
		if (before->is_known && stamp > (int64_t)before->ns)
			*duration_ns = (uint64_t)(stamp - (int64_t)before->ns);
		else if (before->is_known && im->nr_jumps++ == 0)
			im->first_jump_line = im->row_line;
		*before = (struct stamp){true, (uint64_t)stamp};
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
	if (*duration_ns > 0)
		intervals_add(&im->intervals, *duration_ns, im->row_line);
	if (time_of(im, TARGET_DURATION, &ns))
		*duration_ns = ns > 0 ? (uint64_t)ns : 0;
	return SAHM_OK;
}

static bool is_needed(const struct import *im, unsigned c)
{
	return counter_rows[c].required && !im->options->join;
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

/* Checks the exact counts of a row; false when it is skipped. */
static bool check_counts(struct import *im, const struct value *v, const decimal *counts, uint16_t has)
{
	bool idle = true;
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		unsigned whole = counter_rows[c].part_of;
		if (counts[c] < 0) {
			skip_row(im, SKIP_NEGATIVE, counter_rows[c].name);
			return false;
		}
		if (counts[c] > (decimal)UINT64_MAX * DECIMAL_ONE * DECIMAL_ONE) {
			skip_row(im, SKIP_TOO_LARGE, counter_rows[c].name);
			return false;
		}
		if ((has >> whole & 1) && counts[c] > counts[whole]) {
			skip_row(im, SKIP_CONTRADICTION, counter_rows[c].name);
			return false;
		}
		idle &= counts[c] == 0;
	}
	if (idle && !im->options->keep_idle) {
		skip_row(im, SKIP_IDLE, NULL);
		return false;
	}
	compare_running(im, v, has);
	decimal instructions = counts[COUNTER_INSTRUCTIONS];
	if ((counts[COUNTER_BRANCHES] > instructions || counts[COUNTER_L1D_ACCESSES] > instructions) &&
	    im->nr_odd++ == 0)
		im->first_odd_line = im->row_line;
	return true;
}

static enum sahm_status end_row_of(struct import *im, struct output *out, uint64_t duration_ns)
{
	struct value v[NR_COUNTERS];
	decimal counts[NR_COUNTERS] = {0};
	const struct import_map *map = im->options->map;
	uint16_t has = 0;
	im->nr_rows++;
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		/* What is joined is assumed in the end, where no run has it. */
		bool assumed = map && map->is_assumed[c] && !map->expression[c] && !im->options->join;
		v[c] = (struct value){.running_pct100 = -1, .skip = SKIP_INCOMPLETE, .column = counter_rows[c].name};
		if (im->expression[c])
			v[c] = evaluate(im, out, c);
		if (assumed)
			v[c].exact = (decimal)map->assumed[c] * DECIMAL_ONE * DECIMAL_ONE;
		if (v[c].is_there || assumed) {
			has |= (uint16_t)(1u << c);
			counts[c] = v[c].exact;
		} else if (is_needed(im, c) || (out->nr_epochs > 0 && c == COUNTER_CYCLES && out->has_cycles) ||
			   (im->options->join && c == COUNTER_INSTRUCTIONS)) {
			skip_row(im, (enum import_skip)v[c].skip, v[c].column);
			return SAHM_OK;
		}
	}
	/* A sum over some of the CPUs would pass for one over all. */
	if (!out->group && im->nr_seen < im->nr_expected && !im->format->groups_come_and_go) {
		skip_row(im, SKIP_GROUP, NULL);
		return SAHM_OK;
	}
	if (!check_counts(im, v, counts, has))
		return SAHM_OK;
	note_running(out, v, has);
	im->frozen = true;
	return import_add_epoch(im, out, counts, has, duration_ns);
}

enum sahm_status import_end_row(struct import *im, bool has_stamp, uint64_t stamp_ns)
{
	uint64_t duration_ns;
	if (im->row_line == 0)
		return SAHM_OK;
	enum sahm_status status = measure(im, has_stamp, stamp_ns, &duration_ns);
	/* The output of a group has its number. */
	bool each = im->options->groups == IMPORT_EACH;
	for (unsigned i = 0; i < (each ? im->nr_seen : im->nr_outputs) && status == SAHM_OK; i++)
		status = end_row_of(im, &im->outputs[each ? im->seen[i] : i], duration_ns);
	import_clear_row(im);
	return status;
}
