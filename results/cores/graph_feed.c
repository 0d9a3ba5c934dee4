#include "results/cores/graph_feed.h"

#include <string.h>

/* ---- Configurations ---- */

static uint32_t clamp(uint32_t value, uint32_t minimum, uint32_t maximum)
{
	return value < minimum ? minimum : value < maximum ? value : maximum;
}

static uint32_t units_of(const struct core_timing *t, enum insn_class class)
{
	return t->groups[t->group[class]].units;
}

static void config_out_of_order(const struct core_timing *t, struct graph_config *c)
{
	for (unsigned i = 0; i < t->nr_queues; i++) {
		c->instr_queue_size += t->queues[i].entries;
		c->issue_bandwidth += t->queues[i].issue;
	}
	c->core = GRAPH_OUT_OF_ORDER;
	c->dispatch_bandwidth = t->dispatch_width;
	c->decode_cycles = t->decode_cycles;
	c->dispatch_cycles = t->dispatch_cycles;
	c->execute_to_commit_cycles = t->commit_cycles;
	c->instr_buffer_size = t->rob;
	c->lq_size = t->load_queue;
	c->sq_size = t->store_queue;
	c->mem_issue_bandwidth = units_of(t, INSN_LOAD);
	c->int_mul_div_count = units_of(t, INSN_MULTIPLY);
	c->fp_alu_count = units_of(t, INSN_FP_ADD);
	c->fp_mul_div_count = units_of(t, INSN_FP_MULTIPLY);
}

/* Dispatch takes one of the cycles of decoding. */
static void config_in_order(const struct core_timing *t, struct graph_config *c)
{
	c->core = GRAPH_IN_ORDER;
	c->dispatch_bandwidth = c->issue_bandwidth = t->issue_width;
	c->dispatch_cycles = t->decode_cycles > 0;
	c->decode_cycles = t->decode_cycles - c->dispatch_cycles;
	c->mem_issue_bandwidth = 1;
	c->max_mem_accesses = t->is_blocking ? 1 : t->mshrs;
	c->int_mul_count = units_of(t, INSN_MULTIPLY);
	c->int_div_count = units_of(t, INSN_DIVIDE);
	c->fpu_count = units_of(t, INSN_FP_ADD);
	c->load_dependent_early_issue = t->is_blocking; /* then accesses follow each other anyway */
	c->load_early_issue = 1;
}

const char *graph_feed_config(const struct core_timing *t, struct graph_config *c)
{
	memset(c, 0, sizeof(*c));
	if (t->kind == CORE_OUT_OF_ORDER)
		config_out_of_order(t, c);
	else
		config_in_order(t, c);
	c->fetch_bandwidth = t->fetch_width;
	c->commit_bandwidth = t->commit_width;
	c->mem_commit_bandwidth = t->drain_width;
	c->misprediction_penalty = t->mispredict_cycles;
	c->int_alu_count = units_of(t, INSN_INTEGER);
	c->lsu_count = units_of(t, INSN_LOAD);
	const char *cut = NULL;
#define GRAPH_KEY(member, name, cores, minimum, maximum)                                                               \
	cut = !cut && c->member > (maximum) ? name : cut;                                                              \
	c->member = clamp(c->member, minimum, maximum);
#include "cores/uarch/graph/graph_key_list.h"
#undef GRAPH_KEY
	return cut;
}

/* ---- Uops ---- */

static enum graph_class class_of(const struct uop *u)
{
	static const uint8_t classes[NR_INSN_CLASSES] = {
		[INSN_INTEGER] = GRAPH_INT,
		[INSN_MULTIPLY] = GRAPH_INT_MUL,
		[INSN_DIVIDE] = GRAPH_INT_DIV,
		[INSN_FP_ADD] = GRAPH_FP,
		[INSN_FP_MULTIPLY] = GRAPH_FP_MUL,
		[INSN_FP_DIVIDE] = GRAPH_FP_DIV,
		[INSN_FP_CONVERT] = GRAPH_FP,
		[INSN_FP_OTHER] = GRAPH_FP,
		[INSN_VECTOR] = GRAPH_FP,
		[INSN_LOAD] = GRAPH_LOAD,
		[INSN_STORE] = GRAPH_STORE,
		[INSN_ATOMIC] = GRAPH_OTHER,
		[INSN_BRANCH] = GRAPH_BRANCH,
		[INSN_JUMP] = GRAPH_BRANCH,
		[INSN_CALL] = GRAPH_BRANCH,
		[INSN_RETURN] = GRAPH_BRANCH,
		[INSN_INDIRECT_JUMP] = GRAPH_BRANCH,
		[INSN_INDIRECT_CALL] = GRAPH_BRANCH,
		[INSN_FENCE] = GRAPH_OTHER,
		[INSN_SYSTEM] = GRAPH_SYSCALL,
		[INSN_UNKNOWN] = GRAPH_OTHER,
		[INSN_FP_MULTIPLY_ADD] = GRAPH_FP_MUL,
	};
	return (enum graph_class)classes[u->class];
}

/* Cycles from M to the end of the access; M is one cycle after E. */
static uint32_t memory_cycles(const struct core_timing *t, const struct uop *u)
{
	uint32_t cycles = t->dtlb_cycles[u->tlb] + t->l1d_cycles;
	bool misses = u->level > LEVEL_L1 && !core_is_ideal(t, IDEAL_L1D);
	if (u->class == INSN_LOAD && u->forward && u->covers)
		cycles = t->forward_cycles;
	else if (misses)
		cycles += t->data_cycles[u->level] + (u->level == LEVEL_MEMORY ? t->row_cycles[u->row] : 0u);
	return cycles > 0 ? cycles - 1 : 0;
}

static uint32_t fetch_cycles(struct graph_feed *f, const struct uop *u)
{
	const struct core_timing *t = f->timing;
	uint32_t cycles = f->fetch_cycles;
	if (!(u->flags & UOP_FIRST))
		return 0;
	f->fetch_cycles = 0;
	if (u->fetch_lines > 0)
		cycles += t->icache_cycles[u->fetch_level] + t->itlb_cycles[u->fetch_tlb];
	return cycles;
}

/* Registers of the graph are numbered from 1. */
static void take_registers(const struct uop *u, struct graph_insn *insn)
{
	_Static_assert(NR_UOP_REGISTERS < NR_GRAPH_REGISTERS && MAX_SOURCES <= GRAPH_MAX_READS,
		       "all registers of uops");
	unsigned nr = 0;
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		if (u->source[i] != NO_REGISTER)
			insn->reads[nr++] = (uint8_t)(u->source[i] + 1);
	if (u->destination != NO_REGISTER)
		insn->writes = (uint8_t)(u->destination + 1);
}

enum sahm_status graph_feed_batch(struct graph_feed *f, const struct uop_batch *batch, struct sahm_err *err)
{
	const struct core_timing *t = f->timing;
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < batch->nr && status == SAHM_OK; i++) {
		const struct uop *u = &batch->uops[i];
		struct graph_insn insn = {
			.pc = u->pc, .bytes = u->length, .class = (uint8_t)class_of(u), .address = u->address};
		insn.loads = u->class == INSN_LOAD;
		insn.stores = u->class == INSN_STORE;
		insn.predicts = insn.loads && core_is_ideal(t, IDEAL_VALUE_PREDICTION);
		insn.access_bytes = (uint8_t)(u->bytes < UINT8_MAX ? u->bytes : UINT8_MAX);
		insn.fetch_cycles = fetch_cycles(f, u);
		if (insn.loads || insn.stores)
			insn.memory_cycles = memory_cycles(t, u);
		take_registers(u, &insn);
		if (u->flags & UOP_BRANCH) {
			insn.mispredicted = u->flags & UOP_MISPREDICTED && !core_is_ideal(t, IDEAL_BRANCH);
			f->fetch_cycles = u->flags & UOP_TAKEN && !insn.mispredicted
						  ? 1u + (u->flags & UOP_BTB_MISS ? t->btb_miss_cycles : 0u)
						  : 0;
		}
		status = graph_add(f->graph, &insn, err);
	}
	return status;
}
