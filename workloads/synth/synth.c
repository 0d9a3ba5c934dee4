/* Putting a synthetic trace together. */
#include <inttypes.h>
#include <string.h>

#include "workloads/synth/synth_internal.h"

static enum sahm_status set_provenance(struct provenance *o, struct arena *a, enum provenance_key key, const char *text,
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
	enum sahm_status status = textbuf_failed(&text) ? sahm_fail_nomem(err)
							: set_provenance(origin, a, PROVENANCE_NAME, text.text, err);
	if (status == SAHM_OK)
		status = set_provenance(origin, a, PROVENANCE_SOURCE, "synthetic", err);
	textbuf_release(&text);
	textbuf_printf(&text, "sahm trace synth, seed %" PRIu64 ", cuts %s", seed, p->cuts_name);
	if (status == SAHM_OK)
		status = textbuf_failed(&text) ? sahm_fail_nomem(err)
					       : set_provenance(origin, a, PROVENANCE_TOOL, text.text, err);
	textbuf_release(&text);
	return status;
}

static enum sahm_status add_epochs(const struct plan *plan, struct counts *counts, struct trace_builder *b,
				   struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < plan->nr; i++) {
		counts_begin_stay(counts, plan->stays[i].state);
		for (uint64_t left = plan->stays[i].length; left > 0 && status == SAHM_OK; left--) {
			struct epoch_counts e;
			counts_next(counts, &e);
			status = trace_builder_add(b, &e, err);
		}
	}
	return status;
}

static void summarize(const struct plan *plan, const struct profile_row *row, struct synth_outcome *outcome)
{
	*outcome = (struct synth_outcome){.displaced = plan->displaced};
	for (unsigned s = 0; s < NR_STATES; s++)
		outcome->unvisited |= row->share[s] > 0 ? 1u << s : 0;
	for (size_t i = 0; i < plan->nr; i++)
		outcome->unvisited &= ~(1u << plan->stays[i].state);
}

enum sahm_status synth_trace(const struct profile *p, size_t row, uint64_t seed, struct trace **trace,
			     struct synth_outcome *outcome, struct sahm_err *err)
{
	const struct profile_row *r = &p->rows[row];
	struct provenance origin;
	struct counts counts;
	struct plan plan = {0};
	struct arena a;
	arena_init(&a);
	struct trace_builder *b = trace_builder_new(false);
	enum sahm_status status = b ? describe(p, r, seed, &a, &origin, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = plan_make(&plan, p, r, seed, err);
	counts_init(&counts, p, r, seed);
	if (status == SAHM_OK)
		status = add_epochs(&plan, &counts, b, err);
	if (status == SAHM_OK && outcome)
		summarize(&plan, r, outcome);
	if (status == SAHM_OK)
		status = trace_builder_finish(b, origin.text[PROVENANCE_NAME], p->epoch_ns, &origin, trace, err);
	plan_release(&plan);
	trace_builder_free(b);
	arena_release(&a);
	return status;
}
