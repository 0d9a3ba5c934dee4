/* Resampling: the counts of a trace, spread over epochs of another length. The rule stands in spread.h. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/trace/reshape_internal.h"
#include "workloads/trace/spread.h"

/* How a resampled trace's `epoch` mentions what that of its source said. */
#define IN_SOURCE "; in the source: "

/* What resampling works with. Positions are ns or instructions from the beginning of the trace. */
struct resampling {
	struct trace *source;
	struct trace_builder *builder;
	bool by_instructions;
	uint64_t size;	  /* of an epoch of the result */
	spread_sum total; /* the source's */
	uint64_t nr;	  /* epochs of the result */
	uint64_t nr_done;
	uint64_t room;	      /* of the current epoch: 0 when it is full */
	struct spread spread; /* the current epoch of the source, over the current one of the result */
	struct sahm_err *err;
};

/* Ends the current epoch of the result. */
static enum sahm_status flush(struct resampling *r)
{
	struct epoch_counts e;
	enum counter over = spread_close(&r->spread, &e);
	if (over != NR_COUNTERS)
		return sahm_fail_at(r->err, SAHM_RANGE, trace_file(r->source), 0,
				    "%s of epoch %" PRIu64 " of the result do not fit 64 bits; take shorter epochs",
				    counter_rows[over].name, r->nr_done);
	r->room = r->size;
	r->nr_done++;
	return trace_builder_add(r->builder, &e, r->err);
}

/* Spreads an epoch of the source over its `weight`, ns or instructions. */
static enum sahm_status spread(struct resampling *r, const struct epoch_counts *counts, uint64_t weight)
{
	enum sahm_status status = SAHM_OK;
	spread_begin(&r->spread, counts, weight);
	do {
		/* Only once something follows: points at the very end belong to the last epoch. */
		if (r->room == 0 && r->nr_done + 1 < r->nr)
			status = flush(r);
		uint64_t left = spread_left(&r->spread), step = left < r->room ? left : r->room;
		spread_take(&r->spread, step);
		r->room -= step;
	} while (status == SAHM_OK && spread_left(&r->spread) > 0);
	return status;
}

/* Runs over the source once: to add up its instructions, or to spread its epochs. */
static enum sahm_status walk(struct resampling *r, bool adds_up)
{
	struct epoch_counts batch[RESHAPE_BATCH];
	uint64_t length = trace_nr_epochs(r->source), epoch_ns = trace_epoch_ns(r->source);
	for (uint64_t first = 0; first < length; first += RESHAPE_BATCH) {
		uint64_t nr = length - first < RESHAPE_BATCH ? length - first : RESHAPE_BATCH;
		enum sahm_status status = trace_read(r->source, first, nr, batch, r->err);
		for (uint64_t i = 0; i < nr && status == SAHM_OK; i++) {
			uint64_t instructions = batch[i].count[COUNTER_INSTRUCTIONS];
			if (adds_up)
				r->total += instructions;
			else
				status = spread(r, &batch[i], r->by_instructions ? instructions : epoch_ns);
		}
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

/* How many epochs the result has: not too many, whatever they last. */
static enum sahm_status plan(struct resampling *r)
{
	spread_sum nr = (r->total + r->size - 1) / r->size;
	r->nr = nr > UINT64_MAX ? UINT64_MAX : (uint64_t)nr;
	r->room = r->size;
	return reshape_check_length(trace_file(r->source), r->nr, MIN_EPOCH_NS, r->err);
}

/* The meaning of the result's epochs, each being `what`, followed by that of the source's. */
static enum sahm_status describe_epoch(const struct resampling *r, const char *what, struct provenance *p,
				       struct arena *a)
{
	const char *key = provenance_key_name(PROVENANCE_EPOCH), *before = p->text[PROVENANCE_EPOCH];
	struct textbuf text;
	/* Of a source that was resampled itself, only the origin is of use; the note knows the rest. */
	for (const char *at = before; at && (at = strstr(at, IN_SOURCE));)
		before = at += strlen(IN_SOURCE);
	textbuf_init(&text);
	textbuf_puts(&text, what);
	if (before && strlen(what) + strlen(IN_SOURCE) + strlen(before) <= MAX_PROVENANCE_BYTES)
		textbuf_printf(&text, IN_SOURCE "%s", before);
	enum sahm_status status = textbuf_failed(&text) ? sahm_fail_nomem(r->err)
							: provenance_set(p, a, key, strlen(key), text.text, r->err);
	textbuf_release(&text);
	return status;
}

/* Spreads the source and makes the result, whose epochs are of `what` ("50 ms") and said to last `epoch_ns`. */
static enum sahm_status make(struct resampling *r, const char *what, uint64_t epoch_ns, const char *name,
			     struct trace **result)
{
	uint64_t source_ns = trace_epoch_ns(r->source);
	struct provenance p = *trace_provenance(r->source);
	struct arena a;
	char did[128];
	arena_init(&a);
	snprintf(did, sizeof(did), "resample: from epochs of " MS_FORMAT " ms to epochs of %s", ms_of_ns(source_ns),
		 what);
	r->builder = trace_builder_new(trace_has_cycles(r->source));
	enum sahm_status status = r->builder ? walk(r, false) : sahm_fail_nomem(r->err);
	if (status == SAHM_OK)
		status = flush(r);
	/* A source that does not say what its epochs are has measured time, and so has the result. */
	if (status == SAHM_OK && (r->by_instructions || (p.text[PROVENANCE_EPOCH] && epoch_ns != source_ns)))
		status = describe_epoch(r, what, &p, &a);
	if (status == SAHM_OK)
		status = reshape_note(&p, &a, name, did, r->err);
	if (status == SAHM_OK)
		status = trace_builder_finish(r->builder, trace_file(r->source), epoch_ns, &p, result, r->err);
	trace_builder_free(r->builder);
	arena_release(&a);
	return status;
}

/* What the last epoch holds. */
static uint64_t rest_of(const struct resampling *r)
{
	return (uint64_t)(r->total - (spread_sum)(r->nr - 1) * r->size);
}

enum sahm_status reshape_resample_time(struct trace *source, uint64_t epoch_ns, const char *name, struct trace **result,
				       uint64_t *last_ns, struct sahm_err *err)
{
	char what[64];
	struct resampling r = {.source = source, .size = epoch_ns, .err = err};
	/* Below 2^63, as is all time of a trace. */
	r.total = trace_nr_epochs(source) * trace_epoch_ns(source);
	snprintf(what, sizeof(what), MS_FORMAT " ms", ms_of_ns(epoch_ns));
	enum sahm_status status = plan(&r);
	if (status == SAHM_OK)
		status = reshape_check_length(trace_file(source), r.nr, epoch_ns, err);
	if (status == SAHM_OK)
		status = make(&r, what, epoch_ns, name, result);
	if (status == SAHM_OK)
		*last_ns = rest_of(&r);
	return status;
}

/* The nominal length of an epoch: the source's time shared out evenly. */
static enum sahm_status share_time(const struct resampling *r, uint64_t *epoch_ns)
{
	uint64_t total_ns = trace_nr_epochs(r->source) * trace_epoch_ns(r->source);
	*epoch_ns = (total_ns + r->nr / 2) / r->nr;
	if (*epoch_ns >= MIN_EPOCH_NS && *epoch_ns <= MAX_EPOCH_NS)
		return SAHM_OK;
	return sahm_fail_at(r->err, SAHM_RANGE, trace_file(r->source), 0,
			    "epochs of %" PRIu64 " instruction%s last %.7g ms on average, must last from " MS_FORMAT
			    " to " MS_FORMAT " ms; --epoch-ms can say another time",
			    r->size, r->size == 1 ? "" : "s", (double)total_ns / (double)r->nr / (double)NS_PER_MS,
			    ms_of_ns(MIN_EPOCH_NS), ms_of_ns(MAX_EPOCH_NS));
}

enum sahm_status reshape_resample_instructions(struct trace *source, uint64_t epoch_instructions, uint64_t epoch_ns,
					       const char *name, struct trace **result, uint64_t *last_instructions,
					       struct sahm_err *err)
{
	char what[64];
	struct resampling r = {.source = source, .by_instructions = true, .size = epoch_instructions, .err = err};
	snprintf(what, sizeof(what), "%" PRIu64 " instruction%s", epoch_instructions,
		 epoch_instructions == 1 ? "" : "s");
	enum sahm_status status = walk(&r, true);
	if (status == SAHM_OK && r.total == 0)
		status = sahm_fail_at(err, SAHM_RANGE, trace_file(source), 0, "the trace has no instructions");
	if (status == SAHM_OK)
		status = plan(&r);
	if (status == SAHM_OK && epoch_ns == 0)
		status = share_time(&r, &epoch_ns);
	if (status == SAHM_OK)
		status = reshape_check_length(trace_file(source), r.nr, epoch_ns, err);
	if (status == SAHM_OK)
		status = make(&r, what, epoch_ns, name, result);
	if (status == SAHM_OK)
		*last_instructions = rest_of(&r);
	return status;
}
