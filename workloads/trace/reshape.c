/* Traces from whole epochs of others: slice, offset, concat; and what resampling shares with them. */
#include "workloads/trace/reshape.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/trace/reshape_internal.h"

/* Longest name that concat makes up, in bytes: it also becomes that of a file. */
#define MAX_JOINED_NAME_BYTES 100u

/* How much of `text` fits `room` bytes, characters of several bytes left whole. */
static size_t fitting(const char *text, size_t room)
{
	size_t len = strlen(text);
	if (len <= room)
		return len;
	while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
		room--;
	return room;
}

static enum sahm_status set_key(struct provenance *p, struct arena *a, enum provenance_key key, const char *value,
				struct sahm_err *err)
{
	const char *name = provenance_key_name(key);
	return provenance_set(p, a, name, strlen(name), value, err);
}

enum sahm_status reshape_note(struct provenance *p, struct arena *a, const char *name, const char *did,
			      struct sahm_err *err)
{
	static const char joint[] = "; ", cut_joint[] = " [...]; ";
	const char *before = p->text[PROVENANCE_NOTE];
	struct textbuf note;
	size_t did_len = fitting(did, MAX_PROVENANCE_BYTES - strlen(cut_joint));
	textbuf_init(&note);
	if (before && *before) {
		bool whole = strlen(before) + strlen(joint) + did_len <= MAX_PROVENANCE_BYTES;
		size_t room = MAX_PROVENANCE_BYTES - did_len - strlen(cut_joint);
		textbuf_add(&note, before, whole ? strlen(before) : fitting(before, room));
		textbuf_puts(&note, whole ? joint : cut_joint);
	}
	textbuf_add(&note, did, did_len);
	enum sahm_status status =
		textbuf_failed(&note) ? sahm_fail_nomem(err) : set_key(p, a, PROVENANCE_NOTE, note.text, err);
	if (status == SAHM_OK && name)
		status = set_key(p, a, PROVENANCE_NAME, name, err);
	textbuf_release(&note);
	return status;
}

/* Finishes `builder` with the provenance of `source`, noted as by reshape_note(). */
static enum sahm_status reshape_finish(struct trace_builder *builder, const struct trace *source, const char *name,
				       const char *did, struct trace **result, struct sahm_err *err)
{
	struct provenance p = *trace_provenance(source);
	struct arena a;
	arena_init(&a);
	enum sahm_status status = reshape_note(&p, &a, name, did, err);
	if (status == SAHM_OK)
		status = trace_builder_finish(builder, trace_file(source), trace_epoch_ns(source), &p, result, err);
	arena_release(&a);
	return status;
}

enum sahm_status reshape_check_length(const char *file, uint64_t nr, uint64_t epoch_ns, struct sahm_err *err)
{
	if (nr > MAX_TRACE_EPOCHS)
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "the result would have more than %" PRIu64 " epochs, the most that a trace can",
				    MAX_TRACE_EPOCHS);
	if (nr > MAX_TRACE_NS / epoch_ns)
		return sahm_fail_at(err, SAHM_RANGE, file, 0,
				    "the result would last longer than %" PRIu64 " ns, the most that a trace can",
				    MAX_TRACE_NS);
	return SAHM_OK;
}

/* Adds the epochs first to end - 1 of `source` as they are. */
static enum sahm_status copy_epochs(struct trace *source, uint64_t first, uint64_t end, struct trace_builder *builder,
				    struct sahm_err *err)
{
	struct epoch_counts batch[RESHAPE_BATCH];
	enum sahm_status status = SAHM_OK;
	for (uint64_t e = first; e < end && status == SAHM_OK; e += RESHAPE_BATCH) {
		uint64_t nr = end - e < RESHAPE_BATCH ? end - e : RESHAPE_BATCH;
		status = trace_read(source, e, nr, batch, err);
		for (uint64_t i = 0; i < nr && status == SAHM_OK; i++)
			status = trace_builder_add(builder, &batch[i], err);
	}
	return status;
}

enum sahm_status reshape_slice(struct trace *source, uint64_t first, uint64_t end, const char *name,
			       struct trace **result, struct sahm_err *err)
{
	char did[128];
	struct trace_builder *builder = trace_builder_new(trace_has_cycles(source));
	if (!builder)
		return sahm_fail_nomem(err);
	snprintf(did, sizeof(did), "slice: %" PRIu64 " of %" PRIu64 " epochs, from epoch %" PRIu64 " on", end - first,
		 trace_nr_epochs(source), first);
	enum sahm_status status = copy_epochs(source, first, end, builder, err);
	if (status == SAHM_OK)
		status = reshape_finish(builder, source, name, did, result, err);
	trace_builder_free(builder);
	return status;
}

enum sahm_status reshape_offset(struct trace *source, uint64_t nr_epochs, const char *name, struct trace **result,
				struct sahm_err *err)
{
	char did[128];
	uint64_t length = trace_nr_epochs(source), first = nr_epochs % length;
	struct trace_builder *builder = trace_builder_new(trace_has_cycles(source));
	if (!builder)
		return sahm_fail_nomem(err);
	snprintf(did, sizeof(did),
		 "offset: begins at epoch %" PRIu64 " of %" PRIu64 ", those before it follow at the end", first,
		 length);
	enum sahm_status status = copy_epochs(source, first, length, builder, err);
	if (status == SAHM_OK)
		status = copy_epochs(source, 0, first, builder, err);
	if (status == SAHM_OK)
		status = reshape_finish(builder, source, name, did, result, err);
	trace_builder_free(builder);
	return status;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Names `what` in a list that `left_out` collects. */
static void leave_out(struct textbuf *left_out, const char *prefix, const char *what)
{
	textbuf_printf(left_out, "%s%s%s", left_out->len ? ", " : "", prefix, what);
}

/* What all sources say alike; of what matters to the meaning of counts, `left_out` collects what they do not. */
static struct provenance agreement(struct trace *const *sources, unsigned nr, bool has_cycles, struct textbuf *left_out)
{
	struct provenance p = *trace_provenance(sources[0]);
	for (unsigned i = 1; i < nr; i++)
		provenance_join_origins(&p, trace_provenance(sources[i]));
	for (int k = 0; k < NR_PROVENANCE_KEYS; k++) {
		unsigned i = 1;
		while (i < nr && is_same(p.text[k], trace_provenance(sources[i])->text[k]))
			i++;
		if (i == nr)
			continue;
		p.text[k] = NULL;
		if (k == PROVENANCE_EPOCH) {
			/* The time of some part is nominal, and so is that of the whole. */
			p.text[k] = "not the same in all parts";
			leave_out(left_out, "", provenance_key_name(PROVENANCE_EPOCH));
		}
	}
	for (int c = 0; c < NR_COUNTERS; c++) {
		unsigned i = 1;
		while (i < nr && is_same(p.event[c], trace_provenance(sources[i])->event[c]))
			i++;
		if (i < nr)
			p.event[c] = NULL;
		if (i < nr && (c != COUNTER_CYCLES || has_cycles))
			leave_out(left_out, "event.", counter_rows[c].name);
	}
	/* Shares are those of one recording. */
	for (int c = 0; c < NR_COUNTERS; c++)
		for (unsigned i = 1; i < nr; i++)
			if (!is_same(p.counted_pct[c], trace_provenance(sources[i])->counted_pct[c]))
				p.counted_pct[c] = NULL;
	if (!has_cycles)
		p.event[COUNTER_CYCLES] = p.counted_pct[COUNTER_CYCLES] = p.origin[COUNTER_CYCLES] = NULL;
	for (unsigned i = 0; i < nr; i++)
		if (provenance_is_synthetic(trace_provenance(sources[i])))
			p.text[PROVENANCE_SOURCE] = trace_provenance(sources[i])->text[PROVENANCE_SOURCE];
	return p;
}

/* "a+b+c", cut where it is too long. */
static void join_names(struct trace *const *sources, unsigned nr, char name[MAX_JOINED_NAME_BYTES + 1])
{
	static const char cut[] = "...";
	size_t len = 0;
	for (unsigned i = 0; i < nr; i++) {
		const char *next = trace_provenance(sources[i])->text[PROVENANCE_NAME];
		size_t room = MAX_JOINED_NAME_BYTES - strlen(cut) - len;
		if (strlen(next) + 1 > room) {
			size_t part = fitting(next, room > 0 ? room - 1 : 0);
			snprintf(name + len, MAX_JOINED_NAME_BYTES + 1 - len, "%s%.*s%s", i ? "+" : "", (int)part, next,
				 cut);
			return;
		}
		len += (size_t)snprintf(name + len, MAX_JOINED_NAME_BYTES + 1 - len, "%s%s", i ? "+" : "", next);
	}
}

static void describe_parts(struct trace *const *sources, unsigned nr, struct textbuf *did)
{
	textbuf_puts(did, "concat:");
	for (unsigned i = 0; i < nr && did->len <= MAX_PROVENANCE_BYTES; i++) {
		uint64_t length = trace_nr_epochs(sources[i]);
		textbuf_printf(did, "%s %s (%" PRIu64 " epoch%s)", i ? "," : "",
			       trace_provenance(sources[i])->text[PROVENANCE_NAME], length, length == 1 ? "" : "s");
	}
}

static enum sahm_status check_parts(struct trace *const *sources, unsigned nr, bool *has_cycles, struct textbuf *notes,
				    struct sahm_err *err)
{
	uint64_t epoch_ns = trace_epoch_ns(sources[0]), nr_epochs = 0;
	unsigned nr_with = 0, without = 0;
	for (unsigned i = 0; i < nr; i++) {
		if (trace_epoch_ns(sources[i]) != epoch_ns)
			return sahm_fail(err, SAHM_RANGE,
					 "epochs of '%s' last " MS_FORMAT " ms, those of '%s' " MS_FORMAT
					 " ms; sahm trace resample --epoch-ms makes them the same",
					 trace_file(sources[0]), ms_of_ns(epoch_ns), trace_file(sources[i]),
					 ms_of_ns(trace_epoch_ns(sources[i])));
		nr_epochs += trace_nr_epochs(sources[i]);
		if (trace_has_cycles(sources[i]))
			nr_with++;
		else if (nr_with == i)
			without = i; /* the first */
	}
	*has_cycles = nr_with == nr;
	if (nr_with > 0 && nr_with < nr && notes)
		textbuf_printf(notes, "cycles are left out, since '%s' has none\n", trace_file(sources[without]));
	return reshape_check_length(trace_file(sources[0]), nr_epochs, epoch_ns, err);
}

enum sahm_status reshape_concat(struct trace *const *sources, unsigned nr, const char *name, struct textbuf *notes,
				struct trace **result, struct sahm_err *err)
{
	struct trace_builder *builder = NULL;
	struct textbuf left_out, did;
	char joined[MAX_JOINED_NAME_BYTES + 1];
	struct arena a;
	bool has_cycles = false;
	arena_init(&a);
	textbuf_init(&left_out);
	textbuf_init(&did);
	enum sahm_status status = check_parts(sources, nr, &has_cycles, notes, err);
	if (status == SAHM_OK && !(builder = trace_builder_new(has_cycles)))
		status = sahm_fail_nomem(err);
	for (unsigned i = 0; i < nr && status == SAHM_OK; i++)
		status = copy_epochs(sources[i], 0, trace_nr_epochs(sources[i]), builder, err);
	if (status != SAHM_OK)
		goto out;
	struct provenance p = agreement(sources, nr, has_cycles, &left_out);
	join_names(sources, nr, joined);
	describe_parts(sources, nr, &did);
	if (textbuf_failed(&left_out) || textbuf_failed(&did)) {
		status = sahm_fail_nomem(err);
		goto out;
	}
	if (left_out.len && notes)
		textbuf_printf(notes, "left out of the provenance, since the parts differ: %s\n", left_out.text);
	if (!name && !p.text[PROVENANCE_NAME])
		name = joined;
	status = reshape_note(&p, &a, name, did.text, err);
	if (status == SAHM_OK)
		status = trace_builder_finish(builder, trace_file(sources[0]), trace_epoch_ns(sources[0]), &p, result,
					      err);
out:
	trace_builder_free(builder);
	textbuf_release(&did);
	textbuf_release(&left_out);
	arena_release(&a);
	return status;
}
