#include "tests/helper/made_graph.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/array.h"

enum { NONE, LOADS, STORES, UPDATES };

static const struct opcode {
	const char *name, *operands;
	uint8_t class, access, access_bytes, bytes;
} opcodes[] = {
#define OPCODE(name, class, operands, access, access_bytes, bytes)                                                     \
	{name, operands, GRAPH_##class, access, access_bytes, bytes},
#include "cores/uarch/graph/graph_opcode_list.h"
#undef OPCODE
};

static uint32_t between(struct rng *r, uint32_t least, uint32_t most)
{
	return least + (uint32_t)rng_below(r, most - least + 1u);
}

void made_graph_mix(struct rng *r, struct made_graph_mix *mix)
{
	static const uint8_t most[NR_GRAPH_CLASSES] = {
		[GRAPH_INT] = 10,   [GRAPH_INT_MUL] = 3, [GRAPH_INT_DIV] = 2, [GRAPH_FP] = 3,
		[GRAPH_FP_MUL] = 3, [GRAPH_FP_DIV] = 2,	 [GRAPH_LOAD] = 6,    [GRAPH_STORE] = 4,
		[GRAPH_BRANCH] = 4, [GRAPH_SYSCALL] = 1, [GRAPH_ATOMIC] = 1,  [GRAPH_OTHER] = 1,
	};
	for (unsigned i = 0; i < NR_GRAPH_CLASSES; i++)
		mix->weights[i] = between(r, i == GRAPH_INT, most[i]);
	mix->nr_registers = between(r, 2, 31);
	mix->mispredicted_permille = between(r, 0, 300);
	mix->max_memory_cycles = between(r, 14, 600);
}

static enum graph_class draw_class(struct rng *r, const struct made_graph_mix *mix)
{
	unsigned sum = 0, class = 0;
	for (unsigned i = 0; i < NR_GRAPH_CLASSES; i++)
		sum += mix->weights[i];
	uint64_t at = rng_below(r, sum);
	while (at >= mix->weights[class])
		at -= mix->weights[class ++];
	return (enum graph_class) class;
}

static const struct opcode *draw_opcode(struct rng *r, enum graph_class class)
{
	const struct opcode *o;
	do
		o = &opcodes[rng_below(r, ARRAY_SIZE(opcodes))];
	while (o->class != class);
	return o;
}

void made_graph_insn(struct rng *r, const struct made_graph_mix *mix, uint64_t *pc, struct graph_insn *out)
{
	const struct opcode *o = draw_opcode(r, draw_class(r, mix));
	unsigned nr_reads = 0;
	*out = (struct graph_insn){.pc = *pc, .class = o->class, .bytes = o->bytes, .access_bytes = o->access_bytes};
	for (const char *use = o->operands; *use; use++) {
		unsigned reg = between(r, 1, mix->nr_registers) + (rng_below(r, 3) == 0 ? 32 : 0);
		if (*use == 'W')
			out->writes = (uint8_t)reg;
		else
			out->reads[nr_reads++] = (uint8_t)reg;
	}
	out->loads = o->access == LOADS || o->access == UPDATES;
	out->stores = o->access == STORES || o->access == UPDATES;
	if (out->loads || out->stores) {
		out->address = o->class == GRAPH_ATOMIC ? UINT64_MAX : 0x8000 + 4 * rng_below(r, 200);
		out->memory_cycles = rng_below(r, 10) ? between(r, 0, 13) : between(r, 0, mix->max_memory_cycles);
	}
	if (rng_below(r, 10) == 0)
		out->fetch_cycles = rng_below(r, 4) ? between(r, 0, 3) : between(r, 4, 40);
	bool is_branch = o->class == GRAPH_BRANCH;
	out->mispredicted = rng_below(r, 1000) < (is_branch ? mix->mispredicted_permille : 2);
	*pc = is_branch && rng_below(r, 2) ? 0x1000 + 2 * rng_below(r, 4000) : *pc + o->bytes;
}

void made_graph_config(struct rng *r, enum graph_core core, struct graph_config *c)
{
	*c = (struct graph_config){
		.core = core,
		.fetch_bandwidth = between(r, 1, 16),
		.dispatch_bandwidth = between(r, 1, 8),
		.issue_bandwidth = between(r, 1, 8),
		.commit_bandwidth = between(r, 1, 8),
		.decode_cycles = between(r, 0, 3),
		.dispatch_cycles = between(r, 0, 3),
		.execute_to_commit_cycles = between(r, 0, 2),
		.prediction_cycles = between(r, 0, 3),
		.misprediction_penalty = between(r, 0, 6),
		.mem_issue_bandwidth = between(r, 1, 4),
		.mem_commit_bandwidth = between(r, 1, 4),
		.int_alu_count = between(r, 1, 4),
		.lsu_count = between(r, 1, 3),
		.max_mem_accesses = between(r, 1, 4),
		.int_mul_count = between(r, 1, 3),
		.int_div_count = between(r, 1, 3),
		.fpu_count = between(r, 1, 3),
		.load_dependent_early_issue = between(r, 0, 1),
		.load_early_issue = between(r, 0, 1),
		.instr_buffer_size = between(r, 4, 300),
		.instr_queue_size = between(r, 2, 100),
		.int_mul_div_count = between(r, 1, 3),
		.fp_alu_count = between(r, 1, 4),
		.fp_mul_div_count = between(r, 1, 3),
		.lq_size = between(r, 2, 40),
		.sq_size = between(r, 2, 40),
	};
}

void made_graph_free_config(struct graph_config *c)
{
	*c = (struct graph_config){.core = GRAPH_OUT_OF_ORDER};
#define GRAPH_KEY(member, name, cores, minimum, maximum) c->member = maximum;
#include "cores/uarch/graph/graph_key_list.h"
#undef GRAPH_KEY
	c->decode_cycles = 1;
	c->dispatch_cycles = 3;
	c->execute_to_commit_cycles = 1;
	c->prediction_cycles = 0;
	c->misprediction_penalty = 2;
	c->instr_buffer_size = 40;
}

/* The opcode that made_graph_insn() took, or one that does the same. */
static const struct opcode *opcode_for(const struct graph_insn *insn)
{
	unsigned access = insn->loads && insn->stores ? UPDATES : insn->loads ? LOADS : insn->stores ? STORES : NONE;
	unsigned nr_reads = 0;
	while (nr_reads < GRAPH_MAX_READS && insn->reads[nr_reads])
		nr_reads++;
	for (size_t i = 0; i < ARRAY_SIZE(opcodes); i++) {
		const struct opcode *o = &opcodes[i];
		bool writes = o->operands[0] == 'W';
		if (o->class == insn->class && o->access == access && o->access_bytes == insn->access_bytes &&
		    o->bytes == insn->bytes && writes == (insn->writes != 0) &&
		    strlen(o->operands) == nr_reads + writes)
			return o;
	}
	return NULL;
}

void made_graph_write(const struct graph_insn *insn, bool varied, struct textbuf *out)
{
	const struct opcode *o = opcode_for(insn);
	char name[32];
	snprintf(name, sizeof(name), "%s", o->name);
	for (char *c = name; *c && varied; c++)
		if (*c == '_')
			*c = '.';
	textbuf_printf(out, varied ? "@I %" PRIx64 "  %s" : "@I 0x%" PRIx64 " %s", insn->pc, name);
	if (insn->writes)
		textbuf_printf(out, " %s%s", graph_register_name(insn->writes), insn->reads[0] ? "," : "");
	for (unsigned i = 0; i < GRAPH_MAX_READS && insn->reads[i]; i++) {
		bool is_last = i + 1 == GRAPH_MAX_READS || insn->reads[i + 1] == 0;
		bool in_brackets = is_last && (insn->loads || insn->stores);
		textbuf_printf(out,
			       in_brackets ? " 8(%s)"
			       : is_last   ? " %s"
					   : " %s,",
			       graph_register_name(insn->reads[i]));
	}
	if (insn->loads || insn->stores)
		textbuf_printf(out, " @A 0x%" PRIx64, insn->address);
	const char *end = varied ? " \r\n" : "\n";
	textbuf_printf(out, "%s@F %" PRIu64 "%s@B %d%s", end, (uint64_t)insn->fetch_cycles * GRAPH_TICKS, end,
		       !insn->mispredicted, end);
	if (insn->loads || insn->stores)
		textbuf_printf(out, "@M %" PRIu64 "%s", (uint64_t)insn->memory_cycles * GRAPH_TICKS, end);
}
