#include "workloads/stream/stream_slice.h"

#include "workloads/stream/stream_appender.h"
#include "workloads/stream/stream_internal.h"

struct slicer {
	struct stream_writer *w;
	struct stream_appender *a; /* to `w` */
};

/* Copies the next `nr` instructions, or as many as there are, and passes over them where `taken` is false. */
static enum sahm_status copy(struct stream *s, uint64_t nr, bool taken, struct slicer *b, struct executed *last,
			     struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	bool more = true;
	for (uint64_t left = nr; left > 0 && more && status == SAHM_OK; left--) {
		status = stream_next(s, last, &more, err);
		if (status == SAHM_OK && more && taken)
			stream_appender_add(b->a, last);
	}
	stream_appender_flush(b->a);
	return status;
}

static bool is_taken(const struct slice_request *part, uint64_t number)
{
	return number % part->every == part->first % part->every;
}

/* Instructions at the end of the epoch before epoch `i` that warm for it in the slice. */
static uint64_t borrowed_warm(const struct stream *s, const struct slice_request *part, uint64_t i)
{
	uint64_t number = stream_epoch_number(s, i);
	if (i == 0 || stream_epoch_warm(s, i) > 0 || stream_epoch_number(s, i - 1) + 1 != number ||
	    is_taken(part, number - 1))
		return 0;
	uint64_t before = stream_epoch_instructions(s, i - 1);
	return part->warm < before ? part->warm : before;
}

static enum sahm_status copy_epoch(struct stream *s, const struct slice_request *part, uint64_t i, struct slicer *b,
				   struct sahm_err *err)
{
	struct executed e = {.next_pc = 0};
	uint64_t number = stream_epoch_number(s, i), warm = stream_epoch_warm(s, i),
		 borrowed = borrowed_warm(s, part, i);
	enum sahm_status status = stream_seek(s, borrowed > 0 ? i - 1 : i, err);
	if (status == SAHM_OK && borrowed > 0)
		status = copy(s, stream_epoch_instructions(s, i - 1) - borrowed, false, b, &e, err);
	stream_writer_begin(b->w, number, warm + borrowed > 0);
	if (status == SAHM_OK && warm + borrowed > 0)
		status = copy(s, warm + borrowed, true, b, &e, err);
	stream_writer_begin(b->w, number, false);
	if (status == SAHM_OK)
		status = copy(s, stream_epoch_instructions(s, i) - warm, true, b, &e, err);
	stream_writer_break(b->w, e.next_pc);
	return status;
}

static enum sahm_status copy_epochs(struct stream *s, const struct slice_request *part, struct slicer *b,
				    struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (uint64_t i = part->from; i < part->to && status == SAHM_OK; i++)
		if (is_taken(part, stream_epoch_number(s, i)))
			status = copy_epoch(s, part, i, b, err);
	return status;
}

/* Where only a beginning is left out, epochs end where they did. */
static enum sahm_status copy_sample(struct stream *s, const struct stream_sampling *p, struct slicer *b,
				    struct sahm_err *err)
{
	struct executed e = {.next_pc = 0};
	uint64_t at = 0, epoch = 0, epoch_end = stream_epoch_instructions(s, 0), nr = stream_nr_instructions(s), left;
	enum sahm_status status = stream_seek(s, 0, err);
	while (at < nr && status == SAHM_OK) {
		enum sampling_phase phase = sampling_phase_at(p, at, &left);
		bool ends = false;
		if (p->every == 0 && phase == PHASE_TAKE)
			left = epoch_end - at;
		left = left < nr - at ? left : nr - at;
		if (phase != PHASE_SKIP)
			stream_writer_begin(b->w, p->every ? (at - p->skip) / p->every : epoch, phase == PHASE_WARM);
		status = copy(s, left, phase != PHASE_SKIP, b, &e, err);
		at += left;
		for (; at >= epoch_end && at < nr; epoch_end += stream_epoch_instructions(s, ++epoch))
			ends = p->every == 0;
		if (phase == PHASE_TAKE && (ends || p->every > 0 || at == nr))
			stream_writer_break(b->w, e.next_pc);
	}
	return status;
}

enum sahm_status stream_slice(struct stream *s, const struct slice_request *part, const char *path,
			      struct sahm_err *err)
{
	const struct stream_sampling *p = &part->sampling;
	struct slicer b = {.w = stream_writer_new(path, stream_machine(s), stream_program(s), err)};
	struct stream_module m;
	enum sahm_status status;
	b.a = b.w ? stream_appender_new(b.w) : NULL;
	if (!b.w)
		status = err->status;
	else if (!b.a)
		status = sahm_fail_nomem(err);
	else if (p->skip > 0 || p->every > 0)
		status = copy_sample(s, p, &b, err);
	else
		status = copy_epochs(s, part, &b, err);
	for (size_t at = 0; status == SAHM_OK && stream_next_module(s, &at, &m);)
		stream_writer_module(b.w, &m);
	stream_appender_free(b.a);
	if (status == SAHM_OK)
		status = stream_writer_finish(b.w, err);
	else if (b.w)
		stream_writer_abandon(b.w);
	if (status != SAHM_OK)
		stream_discard(path);
	return status;
}
