#include "workloads/stream/remedies.h"

#include <inttypes.h>
#include <stdlib.h>

#include "workloads/stream/stream_reader_internal.h"

/* A reader that is `distance` executions of the load ahead of the run. */
struct ahead {
	struct stream *stream;
	const struct access *found; /* of the last execution that it has read */
	bool has_ended;
};

struct remedy_pass {
	const struct remedies *remedies;
	struct ahead *ahead; /* [nr_prefetches] */
};

/* The nearest pcs of a kind. */
struct nearest {
	uint64_t below, above;
	bool has_below, has_above;
};

static void offer(struct nearest *n, uint64_t pc, uint64_t wanted)
{
	if (pc < wanted && (!n->has_below || pc > n->below)) {
		n->below = pc;
		n->has_below = true;
	} else if (pc > wanted && (!n->has_above || pc < n->above)) {
		n->above = pc;
		n->has_above = true;
	}
}

static enum sahm_status fail_unknown(const struct stream *s, const char *kind, uint64_t pc, const struct nearest *n,
				     struct sahm_err *err)
{
	if (n->has_below && n->has_above)
		return sahm_fail(err, SAHM_USAGE,
				 "0x%" PRIx64 " is no %s of '%.200s'; the nearest are at 0x%" PRIx64 " and 0x%" PRIx64,
				 pc, kind, s->file.path, n->below, n->above);
	if (n->has_below || n->has_above)
		return sahm_fail(err, SAHM_USAGE, "0x%" PRIx64 " is no %s of '%.200s'; the nearest is at 0x%" PRIx64,
				 pc, kind, s->file.path, n->has_below ? n->below : n->above);
	return sahm_fail(err, SAHM_USAGE, "0x%" PRIx64 " is no %s of '%.200s', which has none", pc, kind, s->file.path);
}

/* The first load of an execution; NULL: there is none. */
static const struct access *first_load(const struct executed *e)
{
	for (unsigned i = 0; i < e->nr_accesses; i++)
		if (!e->accesses[i].is_store)
			return &e->accesses[i];
	return NULL;
}

/* Goes to the next execution of the load at `pc`; `n` gets the pcs of others. */
static enum sahm_status advance(struct ahead *a, uint64_t pc, struct nearest *n, struct sahm_err *err)
{
	struct executed e;
	bool more = true;
	a->found = NULL;
	while (!a->has_ended && !a->found) {
		enum sahm_status status = stream_next(a->stream, &e, &more, err);
		if (status != SAHM_OK)
			return status;
		a->has_ended = !more;
		const struct access *load = more ? first_load(&e) : NULL;
		if (load && e.instruction->pc == pc)
			a->found = load;
		else if (load && n)
			offer(n, e.instruction->pc, pc);
	}
	return SAHM_OK;
}

static enum sahm_status begin_ahead(const struct stream *s, const struct soft_prefetch *f, struct ahead *a,
				    struct sahm_err *err)
{
	struct nearest n = {0};
	enum sahm_status status = stream_open(s->file.path, NULL, &a->stream, err);
	for (uint64_t i = 0; i < f->distance && status == SAHM_OK && !a->has_ended; i++) {
		status = advance(a, f->pc, i == 0 ? &n : NULL, err);
		if (status == SAHM_OK && i == 0 && !a->found)
			status = fail_unknown(s, "load", f->pc, &n, err);
	}
	return status;
}

static bool can_flush(uint8_t class)
{
	return class == INSN_SYSTEM || class == INSN_FENCE;
}

static enum sahm_status check_flush(const struct stream *s, uint64_t pc, struct sahm_err *err)
{
	struct nearest n = {0};
	struct stream *reader = NULL;
	struct executed e;
	bool more = true, is_found = false;
	enum sahm_status status = stream_open(s->file.path, NULL, &reader, err);
	while (status == SAHM_OK && more && !is_found) {
		status = stream_next(reader, &e, &more, err);
		if (status != SAHM_OK || !more || !can_flush(e.instruction->class))
			continue;
		is_found = e.instruction->pc == pc;
		offer(&n, e.instruction->pc, pc);
	}
	stream_free(reader);
	return status == SAHM_OK && !is_found ? fail_unknown(s, "system instruction or fence", pc, &n, err) : status;
}

enum sahm_status remedy_pass_new(const struct stream *s, const struct remedies *r, struct remedy_pass **pass,
				 struct sahm_err *err)
{
	struct remedy_pass *p = calloc(1, sizeof(*p));
	enum sahm_status status = p ? SAHM_OK : sahm_fail_nomem(err);
	if (p)
		p->remedies = r;
	if (p && !(p->ahead = calloc(r->nr_prefetches + 1, sizeof(*p->ahead))))
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < r->nr_no_flush && status == SAHM_OK; i++)
		status = check_flush(s, r->no_flush[i], err);
	for (size_t i = 0; i < r->nr_prefetches && status == SAHM_OK; i++)
		status = begin_ahead(s, &r->prefetches[i], &p->ahead[i], err);
	if (status == SAHM_OK)
		*pass = p;
	else
		remedy_pass_free(p);
	return status;
}

void remedy_pass_free(struct remedy_pass *p)
{
	if (!p)
		return;
	for (size_t i = 0; p->ahead && i < p->remedies->nr_prefetches; i++)
		stream_free(p->ahead[i].stream);
	free(p->ahead);
	free(p);
}

/* The batch's uop `i` is the first load of an execution. */
static enum sahm_status prefetch(struct ahead *a, uint64_t pc, struct uop_batch *batch, uint32_t i,
				 struct sahm_err *err)
{
	enum sahm_status status = advance(a, pc, NULL, err);
	if (status == SAHM_OK && a->found)
		batch->soft[batch->nr_soft++] = (struct soft_access){i, a->found->address};
	return status;
}

static enum sahm_status prefetch_all(struct remedy_pass *p, struct uop_batch *batch, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	bool is_taken = false; /* the instruction's first load has come */
	for (uint32_t i = 0; i < batch->nr && status == SAHM_OK; i++) {
		const struct uop *u = &batch->uops[i];
		if (u->flags & UOP_FIRST)
			is_taken = false;
		if (u->class != INSN_LOAD || u->bytes == 0 || is_taken)
			continue;
		is_taken = true;
		for (size_t k = 0; k < p->remedies->nr_prefetches && status == SAHM_OK; k++)
			if (u->pc == p->remedies->prefetches[k].pc)
				status = prefetch(&p->ahead[k], u->pc, batch, i, err);
	}
	return status;
}

enum sahm_status remedy_pass_run(struct remedy_pass *p, struct uop_batch *batch, struct sahm_err *err)
{
	const struct remedies *r = p->remedies;
	batch->nr_soft = 0;
	for (uint32_t i = 0; r->nr_no_flush > 0 && i < batch->nr; i++)
		for (size_t k = 0; k < r->nr_no_flush; k++)
			if (batch->uops[i].pc == r->no_flush[k])
				batch->uops[i].flags &= (uint8_t) ~(UOP_SYSTEM | UOP_FENCE);
	return r->nr_prefetches > 0 ? prefetch_all(p, batch, err) : SAHM_OK;
}
