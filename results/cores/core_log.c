#include "results/cores/core_log.h"

#include <inttypes.h>

static const char *const levels[NR_MEMORY_LEVELS] = {"l1", "l2", "llc", "memory"};
static const char *const tlbs[NR_TLB_LEVELS] = {"hit", "second", "walk"};
static const char *const rows[NR_ROW_STATES] = {"hit", "closed", "conflict"};
static const char *const targets[] = {"l1i", "l1d", "l2", "llc"};

void core_log_stamps_head(FILE *out)
{
	fputs("seq,pc,fetch,dispatch,ready,issue,complete,commit,drain\n", out);
}

void core_log_stamps(FILE *out, uint64_t *seq, const struct uop_batch *batch, const struct uop_stamps *stamps)
{
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop_stamps *s = &stamps[i];
		fprintf(out,
			"%" PRIu64 ",0x%" PRIx64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			",",
			(*seq)++, batch->uops[i].pc, s->fetch, s->dispatch, s->ready, s->issue, s->complete, s->commit);
		if (s->drain != NO_DRAIN)
			fprintf(out, "%" PRIu64, s->drain);
		fputc('\n', out);
	}
}

static const char *truth(bool b)
{
	return b ? "true" : "false";
}

static void write_fetch(FILE *out, const struct uop *u)
{
	fprintf(out, ",\"fetch\":{\"lines\":%u,\"level\":\"%s\",\"tlb\":\"%s\",\"fills\":%u,\"fill\":%u}",
		u->fetch_lines, levels[u->fetch_level], tlbs[u->fetch_tlb], u->fetch_fills, u->fetch_fill);
}

static void write_access(FILE *out, const struct uop *u)
{
	fprintf(out,
		",\"address\":\"0x%" PRIx64 "\",\"bytes\":%u,\"level\":\"%s\",\"tlb\":\"%s\",\"fills\":%u,\"fill\":%u",
		u->address, u->bytes, levels[u->level], tlbs[u->tlb], u->fills, u->fill);
	if (u->level == LEVEL_MEMORY)
		fprintf(out, ",\"row\":\"%s\"", rows[u->row]);
	if (u->level > LEVEL_L1)
		fprintf(out, ",\"release\":%s", truth(u->releases));
	if (u->class == INSN_LOAD)
		fprintf(out, ",\"forward\":%u,\"covers\":%s", u->forward, truth(u->covers));
}

static void write_prefetches(FILE *out, const struct uop_prefetch *p, unsigned nr)
{
	fputs(",\"prefetches\":[", out);
	for (unsigned i = 0; i < nr; i++) {
		fprintf(out, "%s{\"line\":\"0x%" PRIx64 "\",\"cache\":\"%s\",\"level\":\"%s\",\"code\":%s",
			i > 0 ? "," : "", p[i].line, targets[p[i].target], levels[p[i].level], truth(p[i].is_code));
		if (p[i].level == LEVEL_MEMORY)
			fprintf(out, ",\"row\":\"%s\"", rows[p[i].row]);
		fputc('}', out);
	}
	fputc(']', out);
}

void core_log_uops(FILE *out, uint64_t *seq, const struct core_timing *t, const struct uop_batch *batch)
{
	const struct uop_prefetch *prefetches = batch->prefetches;
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		const struct unit_group *g = &t->groups[t->group[u->class]];
		const char *separator = "";
		fprintf(out, "{\"seq\":%" PRIu64 ",\"pc\":\"0x%" PRIx64 "\",\"class\":\"%s\",\"sources\":[", (*seq)++,
			u->pc, insn_class_name((enum insn_class)u->class));
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			if (u->source[s] != NO_REGISTER) {
				fprintf(out, "%s%u", separator, u->source[s]);
				separator = ",";
			}
		fputc(']', out);
		if (u->destination != NO_REGISTER)
			fprintf(out, ",\"destination\":%u", u->destination);
		if (t->kind == CORE_OUT_OF_ORDER)
			fprintf(out, ",\"queue\":\"%s\"", t->queues[g->queue].name);
		fprintf(out, ",\"units\":\"%s\",\"first\":%s,\"last\":%s", g->name, truth(u->flags & UOP_FIRST),
			truth(u->flags & UOP_LAST));
		if (u->flags & UOP_BRANCH)
			fprintf(out, ",\"taken\":%s,\"mispredicted\":%s,\"btb_miss\":%s", truth(u->flags & UOP_TAKEN),
				truth(u->flags & UOP_MISPREDICTED), truth(u->flags & UOP_BTB_MISS));
		if (u->flags & (UOP_SYSTEM | UOP_FENCE))
			fprintf(out, ",\"serializes\":\"%s\"", u->flags & UOP_SYSTEM ? "system" : "fence");
		if (u->fetch_lines > 0)
			write_fetch(out, u);
		if (u->class == INSN_LOAD || u->class == INSN_STORE)
			write_access(out, u);
		if (u->nr_prefetches > 0)
			write_prefetches(out, prefetches, u->nr_prefetches);
		prefetches += u->nr_prefetches;
		fputs("}\n", out);
	}
}
