/* From the exact counts of a row to an epoch of whole ones. */
#include <stdlib.h>

#include "sim/base/units.h"
#include "workloads/import/import_internal.h"

/* 1 in the unit of exact counts. */
#define EXACT_ONE ((decimal)DECIMAL_ONE * DECIMAL_ONE)

/* Rounds the exact counts so that what was given out follows their sum; what could not be given out yet stays in the
 * carry. */
static enum sahm_status round_counts(struct import *im, struct output *out, const decimal *counts, uint16_t has,
				     struct epoch_counts *e)
{
	*e = (struct epoch_counts){0};
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		unsigned whole = counter_rows[c].part_of;
		if (!(has >> c & 1))
			continue;
		decimal sum = out->carry[c] + counts[c], given = (sum + EXACT_ONE / 2) / EXACT_ONE;
		if (given > UINT64_MAX)
			return sahm_fail_at(im->err, SAHM_FORMAT, im->file, im->row_line,
					    "%s do not fit 64 bits in this row", counter_rows[c].name);
		/* The rest of a part may round up an epoch before the rest of its whole does: it waits for it. */
		if (whole != c && (has >> whole & 1) && given > e->count[whole])
			given = e->count[whole];
		e->count[c] = (uint64_t)given;
		out->carry[c] = sum - given * EXACT_ONE;
	}
	return SAHM_OK;
}

static enum sahm_status keep(struct import *im, struct output *out, const struct epoch_counts *e, uint16_t has)
{
	if (out->nr_kept == out->room_kept) {
		size_t room = out->room_kept ? out->room_kept * 2 : 1024;
		struct kept_row *more = realloc(out->kept, room * sizeof(*more));
		if (!more)
			return sahm_fail_nomem(im->err);
		out->kept = more;
		out->room_kept = room;
	}
	struct kept_row *row = &out->kept[out->nr_kept++];
	*row = (struct kept_row){*e, im->row_line, has};
	/* A part whose whole was counted in another run is spread as if it were all of it. */
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (!(has >> counter_rows[c].part_of & 1))
			row->counts.count[counter_rows[c].part_of] = e->count[c];
	out->nr_epochs++;
	return SAHM_OK;
}

static enum sahm_status add_to_builder(struct import *im, struct output *out, const struct epoch_counts *e)
{
	out->nr_epochs++;
	return trace_builder_add(out->builder, e, im->err);
}

static enum sahm_status close_epoch(struct import *im, struct output *out)
{
	struct epoch_counts e;
	enum counter over = spread_close(&out->spread, &e);
	if (over != NR_COUNTERS)
		return sahm_fail_at(im->err, SAHM_RANGE, im->file, im->row_line,
				    "%s of an epoch do not fit 64 bits; take shorter epochs", counter_rows[over].name);
	out->room_ns = 0;
	return add_to_builder(im, out, &e);
}

/* A row that lasts this many epochs or more has a wrong time rather than a gap in front of it. */
#define MAX_EPOCHS_OF_ROW 1000000u

/* Cuts a row, which lasted duration_ns, at the ends of epochs. */
static enum sahm_status cut_row(struct import *im, struct output *out, const struct epoch_counts *e,
				uint64_t duration_ns)
{
	enum sahm_status status = SAHM_OK;
	uint64_t epoch_ns = im->options->epoch_ns;
	if (duration_ns == 0) {
		duration_ns = epoch_ns;
		im->nr_unmeasured++;
	}
	if (duration_ns / epoch_ns >= MAX_EPOCHS_OF_ROW)
		return sahm_fail_at(im->err, SAHM_FORMAT, im->file, im->row_line,
				    "this row lasts %.6g s, %u epochs or more: is its time right?",
				    (double)duration_ns / (double)NS_PER_S, MAX_EPOCHS_OF_ROW);
	spread_begin(&out->spread, e, duration_ns);
	while (status == SAHM_OK && spread_left(&out->spread) > 0) {
		uint64_t left = spread_left(&out->spread);
		out->room_ns = out->room_ns ? out->room_ns : epoch_ns;
		uint64_t step = left < out->room_ns ? left : out->room_ns;
		spread_take(&out->spread, step);
		out->room_ns -= step;
		if (out->room_ns == 0)
			status = close_epoch(im, out);
	}
	return status;
}

enum sahm_status import_add_epoch(struct import *im, struct output *out, const decimal *counts, uint16_t has,
				  uint64_t duration_ns)
{
	struct epoch_counts e;
	if (!out->builder && !im->options->join) {
		/* Rows that lack them are counted; import_common.c leaves cycles out then. */
		out->has_cycles = im->expression[COUNTER_CYCLES] != NULL || (has >> COUNTER_CYCLES & 1);
		out->builder = trace_builder_new(out->has_cycles);
		if (!out->builder)
			return sahm_fail_nomem(im->err);
	}
	bool lacks_cycles = !(has >> COUNTER_CYCLES & 1);
	out->nr_taken++;
	out->nr_cycleless += out->has_cycles && lacks_cycles;
	if (!im->options->join && !out->has_cycles) {
		out->nr_late_cycles += !lacks_cycles;
		has &= (uint16_t) ~(1u << COUNTER_CYCLES);
	}
	enum sahm_status status = round_counts(im, out, counts, has, &e);
	if (status != SAHM_OK)
		return status;
	if (im->options->join)
		return keep(im, out, &e, has);
	return im->options->by_time ? cut_row(im, out, &e, duration_ns) : add_to_builder(im, out, &e);
}

enum sahm_status import_end_epochs(struct import *im, struct output *out)
{
	if (im->options->by_time && out->room_ns > 0 && im->notes)
		textbuf_printf(im->notes, "%s: the last epoch holds what is left, %.6g ms\n", im->file,
			       ms_of_ns(im->options->epoch_ns - out->room_ns));
	return im->options->by_time && out->room_ns > 0 ? close_epoch(im, out) : SAHM_OK;
}
