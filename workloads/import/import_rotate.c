/* --rotate: few processors count all events at once, so some tools count one set in each window of time, in turn. The
 * windows from one complete set to the next make an epoch: each counter is scaled from the instructions of the windows
 * in which it was counted to those of all of them. One that was counted in all of them keeps its exact count. */
#include "workloads/import/import_internal.h"

bool import_is_assumed(const struct import *im, unsigned c)
{
	const struct import_map *map = im->options->map;
	return map && map->is_assumed[c] && !im->expression[c] && !map->expression[c];
}

/* Whether the windows have all that an epoch needs. */
static bool is_complete(const struct import *im, const struct rotation *r)
{
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (counter_rows[c].required && !(r->has >> c & 1) && !import_is_assumed(im, c))
			return false;
	return true;
}

static enum import_skip add_window(struct rotation *r, const struct row *row)
{
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		if (!(row->has >> c & 1))
			continue;
		r->sum[c] += row->counts[c];
		r->instructions[c] += row->counts[COUNTER_INSTRUCTIONS];
		if (r->sum[c] >= EXACT_END || r->instructions[c] >= EXACT_END)
			return SKIP_TOO_LARGE;
	}
	r->has |= row->has;
	return NR_SKIPS;
}

/* Makes one row of all windows. */
static enum import_skip join_windows(const struct import *im, const struct rotation *r, struct row *row)
{
	decimal all = r->sum[COUNTER_INSTRUCTIONS];
	*row = (struct row){.has = r->has};
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		decimal part = r->instructions[c], scale, share;
		row->v[c].running_pct100 = -1;
		row->counts[c] = r->sum[c];
		row->column = counter_rows[c].name;
		if (!(r->has >> c & 1) && import_is_assumed(im, c)) {
			row->assumed |= (uint16_t)(1u << c);
			row->counts[c] = (decimal)im->options->map->assumed[c] * DECIMAL_ONE * DECIMAL_ONE;
		}
		if (!(r->has >> c & 1) || part == all)
			continue;
		if (part == 0)
			return SKIP_UNDEFINED;
		if (!exact_quotient(all, part, &scale) || !exact_product(r->sum[c], scale, &row->counts[c]) ||
		    !exact_quotient(part, all, &share))
			return SKIP_TOO_LARGE;
		row->v[c].running_pct100 = (int16_t)(share / (DECIMAL_ONE / 10000) / DECIMAL_ONE);
	}
	row->column = NULL;
	return NR_SKIPS;
}

enum import_skip import_rotate(struct import *im, struct output *out, struct row *row, uint64_t *duration_ns,
			       bool *is_whole)
{
	struct rotation *r = &out->rotation;
	enum import_skip reason = add_window(r, row);
	if (r->nr_windows++ == 0)
		r->first_line = im->row_line;
	r->duration_ns += *duration_ns;
	r->nr_timed += *duration_ns > 0;
	*is_whole = reason != NR_SKIPS || is_complete(im, r);
	if (!*is_whole)
		return NR_SKIPS;
	/* A table does not say how long its first row lasted: as long as the others. */
	*duration_ns = r->nr_timed ? r->duration_ns / r->nr_timed * r->nr_windows : 0;
	if (r->nr_timed == r->nr_windows)
		*duration_ns = r->duration_ns;
	if (reason == NR_SKIPS)
		reason = join_windows(im, r, row);
	if (reason == NR_SKIPS) {
		im->nr_windows += r->nr_windows;
		im->nr_epochs_of_windows++;
	}
	*r = (struct rotation){0};
	return reason;
}

void import_end_rotation(struct import *im, struct output *out)
{
	for (unsigned i = 0; i < out->rotation.nr_windows; i++)
		import_skip(im, SKIP_WINDOW, out->rotation.first_line, NULL);
	im->nr_skipped_rows += out->rotation.nr_windows;
}
