#include "results/studies/edge_study.h"

#include <math.h>
#include <stdlib.h>

#define PROGRESS_INSTRUCTIONS (UINT64_C(1) << 20)

const char *edge_variant_name(enum edge_variant variant)
{
	static const char *const names[NR_EDGE_VARIANTS] = {"4-segment", "2-segment", "contiguous_1", "contiguous_2"};
	return names[variant];
}

enum edge_format edge_variant_format(enum edge_variant variant)
{
	static const enum edge_format formats[NR_EDGE_VARIANTS] = {EDGE_FOUR_SEGMENT, EDGE_TWO_SEGMENT, EDGE_CONTIGUOUS,
								   EDGE_CONTIGUOUS};
	return formats[variant];
}

uint32_t edge_variant_decode_cycles(const struct edge_study *s, enum edge_variant variant)
{
	return s->decode_cycles + (variant == EDGE_CONTIGUOUS_2 ? 1 : 0);
}

unsigned edge_study_in_flight(const struct edge_study *s)
{
	return s->has_large_blocks ? 1 : EDGE_MAX_BLOCKS;
}

unsigned edge_study_block_size(const struct edge_study *s)
{
	return s->has_large_blocks ? EDGE_LARGE_BLOCK : EDGE_SMALL_BLOCK;
}

/* ---- Running ---- */

struct pass {
	struct edge_program *program;
	struct edge_graph *graphs[NR_EDGE_VARIANTS];
	struct edge_maker *maker;
	uint64_t next_pc; /* where the last instruction that was taken led */
	uint64_t nr_read;
	void (*progress)(void *ctx, uint64_t nr_instructions);
	void *ctx;
};

static void take_block(void *ctx, const struct edge_block *b)
{
	struct pass *p = ctx;
	p->program->blocks++;
	p->program->bytes += b->bytes;
	for (unsigned i = 0; i < b->nr; i++)
		p->program->committed[b->insns[i].kind]++;
	for (unsigned i = 0; i < NR_EDGE_VARIANTS; i++)
		edge_graph_add(p->graphs[i], b);
}

static void take(struct pass *p, const struct executed *x)
{
	struct edge_access accesses[EDGE_ACCESSES];
	unsigned nr = x->nr_accesses < EDGE_ACCESSES ? x->nr_accesses : EDGE_ACCESSES;
	for (unsigned i = 0; i < nr; i++)
		accesses[i] =
			(struct edge_access){x->accesses[i].address, x->accesses[i].bytes, x->accesses[i].is_store};
	if (x->instruction->pc != p->next_pc)
		edge_maker_flush(p->maker);
	edge_maker_add(p->maker, x->instruction, accesses, nr, x->taken);
	p->next_pc = x->next_pc;
	p->program->instructions++;
}

static enum sahm_status run_epoch(const struct edge_study *study, struct pass *p, struct stream *s, uint64_t epoch,
				  struct sahm_err *err)
{
	uint64_t nr = stream_epoch_instructions(s, epoch), warm = stream_epoch_warm(s, epoch), left;
	for (uint64_t i = 0; i < nr; i++) {
		struct executed x;
		bool more;
		enum sahm_status status = stream_next(s, &x, &more, err);
		if (status != SAHM_OK || !more)
			return status;
		if (i >= warm && sampling_phase_at(&study->sampling, p->nr_read, &left) == PHASE_TAKE)
			take(p, &x);
		if (++p->nr_read % PROGRESS_INSTRUCTIONS == 0)
			p->progress(p->ctx, p->nr_read);
	}
	return SAHM_OK;
}

static bool begin(const struct edge_study *s, struct pass *p)
{
	const struct edge_shape shape = {edge_study_block_size(s), s->has_hammocks};
	bool ok = (p->maker = edge_maker_new(&shape, take_block, p)) != NULL;
	for (unsigned i = 0; i < NR_EDGE_VARIANTS; i++) {
		const struct edge_core core = {.format = edge_variant_format((enum edge_variant)i),
					       .decode_cycles = edge_variant_decode_cycles(s, (enum edge_variant)i),
					       .nr_blocks = edge_study_in_flight(s),
					       .seed = s->seed};
		p->graphs[i] = edge_graph_new(&core);
		ok = ok && p->graphs[i];
	}
	return ok;
}

enum sahm_status edge_study_run(const struct edge_study *study, struct stream *s,
				void (*progress)(void *ctx, uint64_t nr_instructions), void *ctx,
				struct edge_program *out, struct sahm_err *err)
{
	struct pass p = {.program = out, .progress = progress, .ctx = ctx};
	enum sahm_status status = begin(study, &p) ? SAHM_OK : sahm_fail_nomem(err);
	out->machine = stream_machine(s);
	for (uint64_t epoch = 0; epoch < stream_nr_epochs(s) && status == SAHM_OK; epoch++)
		status = run_epoch(study, &p, s, epoch, err);
	if (status == SAHM_OK)
		edge_maker_flush(p.maker);
	for (unsigned i = 0; i < NR_EDGE_VARIANTS; i++) {
		if (status == SAHM_OK)
			edge_graph_result(p.graphs[i], &out->of[i]);
		edge_graph_free(p.graphs[i]);
	}
	edge_maker_free(p.maker);
	return status;
}

/* ---- Shares ---- */

const char *edge_cause_name(enum edge_cause cause)
{
	switch (cause) {
	case EDGE_CAUSE_FETCH:
		return "fetch";
	case EDGE_CAUSE_DECODE:
		return "decode";
	case EDGE_CAUSE_UNITS:
		return "units";
	case EDGE_CAUSE_PARTITION:
		return "partition";
	case EDGE_CAUSE_COMMIT:
		return "commit";
	default:
		return edge_kind_name((enum edge_kind)(cause - EDGE_CAUSE_KIND));
	}
}

static uint64_t sum(const uint64_t values[NR_EDGE_KINDS])
{
	uint64_t all = 0;
	for (unsigned i = 0; i < NR_EDGE_KINDS; i++)
		all += values[i];
	return all;
}

uint64_t edge_cause_cycles(const struct edge_path *p, enum edge_cause cause)
{
	switch (cause) {
	case EDGE_CAUSE_FETCH:
		return p->block_fetch + sum(p->fetch);
	case EDGE_CAUSE_DECODE:
		return sum(p->decode);
	case EDGE_CAUSE_UNITS:
		return sum(p->units);
	case EDGE_CAUSE_PARTITION:
		return p->partition;
	case EDGE_CAUSE_COMMIT:
		return p->commit;
	default:
		return p->execute[cause - EDGE_CAUSE_KIND];
	}
}

static double pct(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : NAN;
}

double edge_committed_pct(const struct edge_program *p, enum edge_kind kind)
{
	return pct(p->committed[kind], sum(p->committed));
}

double edge_critical_pct(const struct edge_result *r, enum edge_kind kind)
{
	return pct(r->path.insns[kind], sum(r->path.insns));
}

double edge_cycles_pct(const struct edge_result *r, enum edge_kind kind)
{
	const struct edge_path *p = &r->path;
	return pct(p->fetch[kind] + p->decode[kind] + p->execute[kind] + p->units[kind], r->cycles);
}

double edge_cause_pct(const struct edge_result *r, enum edge_cause cause)
{
	return pct(edge_cause_cycles(&r->path, cause), r->cycles);
}

double edge_cpi(const struct edge_program *p, enum edge_variant variant)
{
	return p->instructions > 0 ? (double)p->of[variant].cycles / (double)p->instructions : NAN;
}

double edge_more_cpi_pct(const struct edge_program *p, enum edge_variant variant, enum edge_variant than)
{
	return 100 * (edge_cpi(p, variant) / edge_cpi(p, than) - 1);
}
