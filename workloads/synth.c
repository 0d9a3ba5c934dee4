/* Putting a synthetic trace together. */
#include <inttypes.h>
#include <string.h>

#include "workloads/synth_internal.h"

static enum sahm_status say(struct provenance *o, struct arena *a, enum provenance_key key, const char *text,
			    struct sahm_err *err)
{
	const char *name = provenance_key_name(key);
	return provenance_set(o, a, name, strlen(name), text, err);
}

/* What the trace says of itself. */
static enum sahm_status describe(const struct profile *p, const struct profile_row *row, uint64_t seed, struct arena *a,
				 struct provenance *origin, struct sahm_err *err)
{
	struct textbuf text;
	*origin = p->provenance;
	textbuf_init(&text);
	textbuf_printf(&text, "%.*s%s", (int)profile_stem_len(row->name), row->name, SYNTHETIC_SUFFIX);
	enum sahm_status status = say(origin, a, PROVENANCE_NAME, text.text, err);
	if (status == SAHM_OK)
		status = say(origin, a, PROVENANCE_SOURCE, "synthetic", err);
	textbuf_release(&text);
	textbuf_printf(&text, "sahm trace synth, seed %" PRIu64, seed);
	if (status == SAHM_OK)
		status = say(origin, a, PROVENANCE_TOOL, text.text, err);
	textbuf_release(&text);
	return status;
}

static enum sahm_status add_epochs(const struct profile *p, const struct profile_row *row, uint64_t seed,
				   struct trace_builder *b, uint64_t *displaced, struct sahm_err *err)
{
	struct stays stays;
	struct counts counts;
	struct epoch_counts e;
	enum sahm_status status = SAHM_OK;
	unsigned state;
	uint64_t length;
	stays_init(&stays, p, row, seed);
	counts_init(&counts, p, row, seed);
	while ((length = stays_next(&stays, &state)) > 0 && status == SAHM_OK) {
		counts_begin_stay(&counts, state);
		for (; length > 0 && status == SAHM_OK; length--) {
			counts_next(&counts, &e);
			status = trace_builder_add(b, &e, err);
		}
	}
	if (displaced)
		*displaced = stays.displaced;
	return status;
}

enum sahm_status synth_trace(const struct profile *p, size_t row, uint64_t seed, struct trace **trace,
			     uint64_t *displaced, struct sahm_err *err)
{
	const struct profile_row *r = &p->rows[row];
	struct provenance origin;
	struct arena a;
	arena_init(&a);
	struct trace_builder *b = trace_builder_new(false);
	enum sahm_status status = b ? describe(p, r, seed, &a, &origin, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = add_epochs(p, r, seed, b, displaced, err);
	if (status == SAHM_OK)
		status = trace_builder_finish(b, origin.text[PROVENANCE_NAME], p->epoch_ns, &origin, trace, err);
	trace_builder_free(b);
	arena_release(&a);
	return status;
}
