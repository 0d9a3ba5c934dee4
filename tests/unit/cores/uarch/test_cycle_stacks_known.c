/* Programs of which it is known who must be charged, and why: figure 1 of paper TEA, each event and its boundaries. */
#include "cores/uarch/cycle_stacks.h"

#include "tests/unit/compared_stacks.h"
#include "tests/unit/cores/uarch/timed_core.h"

/* Of the last program; freed by the next one and at the end. */
static struct stack_pass *pass;
static const struct stacks *stacks;

static int teardown(void **state)
{
	stack_pass_free(pass);
	pass = NULL;
	return batch_teardown(state);
}

static void start(const struct core_timing *t, const struct stack_sampling *sampling, struct timing **m)
{
	stack_pass_free(pass);
	pass = stack_pass_new(t, sampling, sampling ? 1 : 0);
	*m = timing_new(t);
	assert_true(pass && *m);
	timing_take_signatures(*m, stack_pass_signatures(pass));
}

static void take_batch(struct timing *m)
{
	timing_batch(m, batch, p.at);
	assert_true(stack_pass_run(pass, batch, p.at));
}

static void finish(struct timing *m)
{
	timing_free(m);
	assert_true(stack_pass_end(pass));
	stacks = stack_pass_stacks(pass);
}

/* Runs the program in `batch`; the slow reference agrees. */
static void profile(const struct core_timing *t)
{
	struct timing *m;
	start(t, NULL, &m);
	take_batch(m);
	finish(m);
	struct refstacks *slow = refstacks_new(t, batch->uops, batch->nr, batch->prefetches, p.at);
	assert_non_null(slow);
	compare_stacks("known program", stacks, slow);
	refstacks_free(slow);
}

/* The signature of the batch's uop i. */
static void check_signature(size_t i, unsigned signature)
{
	char name[STACK_SIGNATURE_NAME_BYTES], expected[STACK_SIGNATURE_NAME_BYTES];
	unsigned found = stack_pass_signatures(pass)[i];
	if (found != signature)
		fail_msg("uop %zu has %s (%#x), not %s (%#x)", i, signature_name(found, name), found,
			 signature_name(signature, expected), signature);
}

static struct uop *at_pc(struct uop *u, uint64_t pc)
{
	u->pc = pc;
	return u;
}

/* ---- Figure 1 ---- */

enum { I1 = 0x1000, I2 = 0x1004, I3 = 0x1008, I4 = 0x100c };

/* A round of the loop; its load and its branch. */
static struct uop *add_round(struct uop **branch)
{
	struct uop *load = at_pc(add_access(INSN_LOAD, 1), I1);
	at_pc(add(INSN_INTEGER, 2, NONE), I2);
	at_pc(add(INSN_INTEGER, 3, NONE), I3);
	*branch = at_pc(add(INSN_BRANCH, NONE, NONE), I4);
	(*branch)->flags |= UOP_BRANCH | UOP_TAKEN;
	return load;
}

static uint64_t samples_of(enum sampler_kind kind, uint64_t pc, unsigned signature)
{
	const struct stack_samples *s = stack_pass_samples(pass, 0);
	for (size_t i = 0; i < s->of[kind].nr_cells; i++) {
		const struct sample_cell *c = &s->of[kind].cells[i];
		if (stacks->insns[c->insn].pc == pc && c->signature == signature)
			return c->weight * s->sampling.period / (kind == SAMPLER_TEA ? stacks->units : 1);
	}
	return 0;
}

static void run_figure(const struct core_timing *t)
{
	static const struct stack_sampling every_1000 = {.period = 1000};
	struct timing *m;
	struct uop *branch;
	start(t, &every_1000, &m);
	begin();
	struct uop *load = add_round(&branch);
	load->fetch_lines = load->fetch_fills = 1;
	load->fetch_level = LEVEL_MEMORY;
	branch->flags |= UOP_MISPREDICTED;
	load = add_round(&branch);
	load->level = LEVEL_L2;
	load->fills = 1;
	take_batch(m);
	begin();
	while (batch->nr < 400)
		add_round(&branch);
	for (unsigned i = 0; i < 17; i++)
		take_batch(m);
	finish(m);
}

/* A loop of four instructions, sampled every 1,000 cycles: the first round misses L1I and ends with a branch that is
 * mispredicted; the load of the second one misses L1D; from then on four instructions commit in each cycle. */
static void test_figure_1(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	t.fetch_width = t.dispatch_width = t.commit_width = 4;
	t.icache_cycles[LEVEL_MEMORY] = 1500;
	t.mispredict_cycles = 900;
	t.data_cycles[LEVEL_L2] = 1000;
	run_figure(&t);
	assert_in_range(stacks->cycles, 5000, 5999);
	assert_int_equal(stack_pass_samples(pass, 0)->of[SAMPLER_TEA].nr_cells, 7);
	check("I1 DR-L1", samples_of(SAMPLER_TEA, I1, SIGNATURE_DR_L1), 1000);
	check("I4 FL-MB", samples_of(SAMPLER_TEA, I4, SIGNATURE_FL_MB), 1000);
	check("I1 ST-L1", samples_of(SAMPLER_TEA, I1, SIGNATURE_ST_L1), 1000);
	check("I1", samples_of(SAMPLER_TEA, I1, 0), 500);
	check("I2", samples_of(SAMPLER_TEA, I2, 0), 500);
	check("I3", samples_of(SAMPLER_TEA, I3, 0), 500);
	check("I4", samples_of(SAMPLER_TEA, I4, 0), 500);
	/* The next instruction to commit has no part in the misprediction. */
	check("NCI: I1 DR-L1", samples_of(SAMPLER_NCI, I1, SIGNATURE_DR_L1), 1000);
	check("NCI: I1 ST-L1", samples_of(SAMPLER_NCI, I1, SIGNATURE_ST_L1), 2000);
	check("NCI: I1", samples_of(SAMPLER_NCI, I1, 0), 2000);
}

/* ---- Each event ---- */

enum { CULPRIT = 0x2000, NR_ROUNDS = 10, LONG = 200 };

static struct uop *culprit(enum insn_class class)
{
	return at_pc(add(class, NONE, NONE), CULPRIT);
}

static struct uop *culprit_access(enum insn_class class, unsigned destination)
{
	struct uop *u = at_pc(add_access(class, destination), CULPRIT);
	/* The next one waits for it. */
	u->source[0] = (uint8_t)destination;
	return u;
}

static void make_dr_l1(struct core_timing *t)
{
	struct uop *u = culprit(INSN_INTEGER);
	t->icache_cycles[LEVEL_L2] = LONG;
	u->fetch_lines = u->fetch_fills = 1;
	u->fetch_level = LEVEL_L2;
}

static void make_dr_tlb(struct core_timing *t)
{
	struct uop *u = culprit(INSN_INTEGER);
	t->itlb_cycles[TLB_WALK] = LONG;
	u->fetch_lines = 1;
	u->fetch_tlb = TLB_WALK;
}

static void make_dr_sq(struct core_timing *t)
{
	struct uop *u = culprit_access(INSN_STORE, NONE);
	t->store_queue = 1;
	t->data_cycles[LEVEL_MEMORY] = LONG;
	t->is_blocking = false;
	u->level = LEVEL_MEMORY;
	u->fills = 1;
}

static void make_fl_mb(struct core_timing *t)
{
	t->mispredict_cycles = LONG;
	culprit(INSN_BRANCH)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
}

static void make_fl_ex(struct core_timing *t)
{
	t->flush_cycles = LONG;
	culprit(INSN_SYSTEM)->flags |= UOP_SYSTEM;
}

static void make_fence(struct core_timing *t)
{
	t->flush_cycles = LONG;
	t->fence_flushes = true;
	culprit(INSN_FENCE)->flags |= UOP_FENCE;
}

/* A load at a pc overtakes the store to its address once. */
static void make_fl_mo(struct core_timing *t)
{
	t->flush_cycles = NR_ROUNDS * LONG;
	t->memory_order = ORDER_SPECULATIVE;
	add(INSN_DIVIDE, 5, NONE);
	add_access(INSN_STORE, NONE)->source[0] = 5;
	struct uop *u = culprit_access(INSN_LOAD, 6);
	u->forward = 1;
	u->covers = true;
}

static void make_st_l1(struct core_timing *t)
{
	struct uop *u = culprit_access(INSN_LOAD, 7);
	t->data_cycles[LEVEL_L2] = LONG;
	u->level = LEVEL_L2;
	u->fills = 1;
}

static void make_st_tlb(struct core_timing *t)
{
	t->dtlb_cycles[TLB_WALK] = LONG;
	culprit_access(INSN_LOAD, 7)->tlb = TLB_WALK;
}

static void make_st_llc(struct core_timing *t)
{
	struct uop *u = culprit_access(INSN_LOAD, 7);
	t->data_cycles[LEVEL_MEMORY] = LONG;
	u->level = LEVEL_MEMORY;
	u->fills = 1;
}

static const struct {
	const char *name;
	void (*make)(struct core_timing *t); /* adds the culprit of a round */
	unsigned signature;
	enum commit_state state;
	bool is_out_of_order; /* only there */
} events[] = {
	{"DR-L1", make_dr_l1, SIGNATURE_DR_L1, STATE_DRAINED, false},
	{"DR-TLB", make_dr_tlb, SIGNATURE_DR_TLB, STATE_DRAINED, false},
	{"DR-SQ", make_dr_sq, SIGNATURE_DR_SQ, STATE_DRAINED, false},
	{"FL-MB", make_fl_mb, SIGNATURE_FL_MB, STATE_FLUSHED, false},
	{"FL-EX", make_fl_ex, SIGNATURE_FL_EX, STATE_FLUSHED, false},
	{"FL-EX of a fence", make_fence, SIGNATURE_FL_EX, STATE_FLUSHED, false},
	{"FL-MO", make_fl_mo, SIGNATURE_FL_MO, STATE_FLUSHED, true},
	{"ST-L1", make_st_l1, SIGNATURE_ST_L1, STATE_STALLED, false},
	{"ST-TLB", make_st_tlb, SIGNATURE_ST_TLB, STATE_STALLED, false},
	{"ST-LLC", make_st_llc, SIGNATURE_ST_L1 | SIGNATURE_ST_LLC, STATE_STALLED, false},
};

/* Cycles of an instruction with a signature, in whole ones. */
static uint64_t cycles_of(uint64_t pc, unsigned signature)
{
	for (size_t i = 0; i < stacks->nr_cells; i++) {
		const struct stack_cell *c = &stacks->cells[i];
		if (stacks->insns[c->insn].pc == pc && c->signature == signature)
			return c->cycles / stacks->units;
	}
	return 0;
}

static void test_events(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(events); i++)
		for (unsigned kind = events[i].is_out_of_order ? CORE_OUT_OF_ORDER : 0; kind < NR_CORE_KINDS; kind++) {
			struct core_timing t = wide((enum core_kind)kind);
			if (events[i].is_out_of_order && kind != CORE_OUT_OF_ORDER)
				continue;
			t.latency[INSN_DIVIDE] = 20;
			begin();
			for (unsigned round = 0; round < NR_ROUNDS; round++) {
				events[i].make(&t);
				for (unsigned k = 0; k < 4; k++)
					add(INSN_INTEGER, 1 + k, NONE);
			}
			profile(&t);
			uint64_t cycles = cycles_of(CULPRIT, events[i].signature),
				 of_state = stacks->states[events[i].state] / stacks->units;
			if (10 * cycles < 8 * stacks->cycles || 10 * of_state < 9 * cycles)
				fail_msg("%s, core %u: %llu of %llu cycles, %llu in that state", events[i].name, kind,
					 (unsigned long long)cycles, (unsigned long long)stacks->cycles,
					 (unsigned long long)of_state);
		}
}

/* ---- Several events ---- */

static void test_combined(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = wide((enum core_kind)kind);
		begin();
		add_miss(LEVEL_L2, 1, NONE)->tlb = TLB_SECOND;
		struct uop *u = add_miss(LEVEL_MEMORY, 2, NONE);
		u->fetch_lines = u->fetch_fills = 1;
		u->fetch_level = LEVEL_L2;
		/* A jump through memory: both of its uops have what each of them did. */
		u = add_miss(LEVEL_LLC, INTEGER_TEMPORARY, NONE);
		u->flags = UOP_FIRST;
		u->fetch_lines = 1;
		u->fetch_tlb = TLB_WALK;
		u = add(INSN_INDIRECT_JUMP, NONE, INTEGER_TEMPORARY);
		u->flags = UOP_LAST | UOP_BRANCH | UOP_TAKEN | UOP_MISPREDICTED;
		batch->nr_instructions--;
		add(INSN_INTEGER, 3, NONE);
		profile(&t);
		check_signature(0, SIGNATURE_ST_L1 | SIGNATURE_ST_TLB);
		check_signature(1, SIGNATURE_DR_L1 | SIGNATURE_ST_L1 | SIGNATURE_ST_LLC);
		check_signature(2, SIGNATURE_DR_TLB | SIGNATURE_ST_L1 | SIGNATURE_FL_MB);
		check_signature(3, SIGNATURE_DR_TLB | SIGNATURE_ST_L1 | SIGNATURE_FL_MB);
		check_signature(4, 0);
	}
}

/* Loads that get their data from a store, stores, and atomics, of which only those that load have ST-LLC. */
static void test_accesses(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	begin();
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_MEMORY;
	u->fills = 1;
	u = add_miss(LEVEL_MEMORY, 1, NONE);
	u->forward = 1;
	u->covers = true;
	u->tlb = TLB_SECOND;
	u = add_access(INSN_STORE, NONE);
	u->tlb = TLB_WALK;
	/* SC */
	u = add_access(INSN_STORE, 2);
	u->level = LEVEL_MEMORY;
	u->fills = 1;
	add(INSN_LOAD, 3, NONE);
	add_miss(LEVEL_MEMORY, 4, NONE);
	profile(&t);
	check_signature(0, 0);
	check_signature(1, SIGNATURE_ST_TLB);
	check_signature(2, SIGNATURE_ST_TLB);
	check_signature(3, SIGNATURE_ST_L1);
	check_signature(4, 0);
	check_signature(5, SIGNATURE_ST_L1 | SIGNATURE_ST_LLC);
	t.ideal = 1u << IDEAL_L1D;
	profile(&t);
	check_signature(1, SIGNATURE_ST_TLB);
	check_signature(3, 0);
	check_signature(5, 0);
}

/* Branches that are predicted by decree, and fences that do not flush, cost nothing. */
static void test_no_flush(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	begin();
	add(INSN_BRANCH, NONE, NONE)->flags |= UOP_BRANCH | UOP_MISPREDICTED;
	add(INSN_FENCE, NONE, NONE)->flags |= UOP_FENCE;
	profile(&t);
	check_signature(0, SIGNATURE_FL_MB);
	check_signature(1, 0);
	t.ideal = 1u << IDEAL_BRANCH;
	profile(&t);
	check_signature(0, 0);
	check("flushed", stacks->states[STATE_FLUSHED], 0);
}

/* ---- Boundaries ---- */

/* A hit on a line on its way has missed if the line comes after the hit's own time. */
static void test_data_on_its_way(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned more = 0; more < 2; more++) {
			struct core_timing t = wide((enum core_kind)kind);
			/* The hit issues when the line is L1D cycles away, or one earlier. */
			t.latency[INSN_MULTIPLY] = (uint16_t)(t.data_cycles[LEVEL_L2] - more);
			begin();
			add_miss(LEVEL_L2, 1, NONE);
			add(INSN_MULTIPLY, 2, NONE);
			add_hit(1, 3)->source[0] = 2;
			profile(&t);
			check("issue", p.at[2].issue, p.at[0].complete - L1D - more);
			check_signature(2, more ? SIGNATURE_ST_L1 : 0);
		}
}

static void test_line_on_its_way(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned more = 0; more < 2; more++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.itlb_cycles[TLB_WALK] = (uint16_t)(L2 - more);
			begin();
			add(INSN_INTEGER, 1, NONE)->nr_prefetches = 1;
			batch->prefetches[batch->nr_prefetches++] =
				(struct uop_prefetch){.target = PREFETCH_L1I, .level = LEVEL_L2, .is_code = true};
			struct uop *u = add(INSN_INTEGER, 2, NONE);
			u->fetch_lines = u->fetch_fill = 1;
			u->fetch_tlb = TLB_WALK;
			profile(&t);
			check("fetch", p.at[1].fetch, L2);
			check_signature(1, SIGNATURE_DR_TLB | (more ? SIGNATURE_DR_L1 : 0));
		}
}

/* A store that waits for that of another one. */
static struct core_timing make_waiting_store(enum core_kind kind)
{
	struct core_timing t = wide(kind);
	t.store_queue = 1;
	t.latency[INSN_MULTIPLY] = 1;
	begin();
	struct uop *u = add_access(INSN_STORE, NONE);
	u->level = LEVEL_MEMORY;
	u->fills = 1;
	add(INSN_MULTIPLY, 1, NONE);
	u = add_access(INSN_STORE, NONE);
	u->fetch_lines = 1;
	u->fetch_tlb = TLB_SECOND;
	return t;
}

/* DR-SQ needs a cycle with an empty ROB in which the entry is not free: C of the uop before is before S. */
static void test_store_queue_and_rob(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned late = 0; late < 2; late++) {
			struct core_timing t = make_waiting_store((enum core_kind)kind);
			t.itlb_cycles[TLB_SECOND] = 0;
			profile(&t);
			t.latency[INSN_MULTIPLY] =
				(uint16_t)(t.latency[INSN_MULTIPLY] + p.at[0].drain - p.at[1].commit - 1 + late);
			profile(&t);
			check("dispatch", p.at[2].dispatch, p.at[0].drain + 1);
			check("commit before", p.at[1].commit, p.at[0].drain - 1 + late);
			check_signature(2, SIGNATURE_DR_TLB | (late ? 0 : SIGNATURE_DR_SQ));
		}
}

/* DR-SQ needs the front end to be ready before the store queue. */
static void test_store_queue_and_fetch(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned late = 0; late < 2; late++) {
			struct core_timing t = make_waiting_store((enum core_kind)kind);
			t.itlb_cycles[TLB_SECOND] = 0;
			profile(&t);
			t.itlb_cycles[TLB_SECOND] = (uint16_t)(p.at[0].drain - DECODE - p.at[2].fetch + late);
			profile(&t);
			check("dispatch", p.at[2].dispatch, p.at[0].drain + 1);
			check("decoded", p.at[2].fetch + DECODE, p.at[0].drain + late);
			check_signature(2, SIGNATURE_DR_TLB | (late ? 0 : SIGNATURE_DR_SQ));
		}
}

static void test_memory_order(void **state)
{
	(void)state;
	for (unsigned order = 0; order < NR_MEMORY_ORDERS; order++) {
		struct core_timing t = wide(CORE_OUT_OF_ORDER);
		t.latency[INSN_DIVIDE] = 20;
		begin();
		make_fl_mo(&t);
		add(INSN_INTEGER, 1, NONE);
		t.memory_order = (uint8_t)order;
		profile(&t);
		check_signature(2, order == ORDER_SPECULATIVE ? SIGNATURE_FL_MO : 0);
		/* The next round's load waits. */
		make_fl_mo(&t);
		t.memory_order = (uint8_t)order;
		profile(&t);
		check_signature(6, 0);
	}
}

/* Before the first uop is dispatched, nothing that committed can have flushed: the cycles are the first one's. */
static void test_first(void **state)
{
	(void)state;
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	begin();
	at_pc(add(INSN_INTEGER, 1, NONE), CULPRIT);
	profile(&t);
	check("drained", stacks->states[STATE_DRAINED] / stacks->units, DECODE + 1);
	check("stalled", stacks->states[STATE_STALLED] / stacks->units, DISPATCH + COMMIT);
	check("compute", stacks->states[STATE_COMPUTE] / stacks->units, 1);
	check("all", cycles_of(CULPRIT, 0), stacks->cycles);
	check("base stall", stacks->base_stalls[DISPATCH + COMMIT], 1);
}

/* More instructions than the first table of a pass holds, executed twice each, are all there, by pc. */
static void test_many_instructions(void **state)
{
	(void)state;
	enum { NR_BATCHES = 10, NR_IN_BATCH = 1000, NR = NR_BATCHES * NR_IN_BATCH };
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	struct timing *m;
	uint64_t sum = 0;
	start(&t, NULL, &m);
	for (unsigned k = 0; k < 2 * NR_BATCHES; k++) {
		begin();
		/* Descending. */
		while (batch->nr < NR_IN_BATCH)
			at_pc(add(INSN_INTEGER, NONE, NONE), 0x10000 - (k % NR_BATCHES * NR_IN_BATCH + batch->nr));
		take_batch(m);
	}
	finish(m);
	assert_int_equal(stacks->nr_insns, NR);
	assert_int_equal(stacks->nr_cells, NR);
	for (size_t i = 0; i < NR; i++) {
		assert_int_equal(stacks->insns[i].pc, 0x10000 - NR + 1 + i);
		assert_int_equal(stacks->cells[i].insn, i);
		assert_int_equal(stacks->cells[i].executions, 2);
		sum += stacks->cells[i].cycles;
	}
	assert_int_equal(sum, stacks->units * stacks->cycles);
}

/* The class of an instruction is that of the uop that computes. */
static void test_classes(void **state)
{
	(void)state;
	static const enum insn_class classes[][3] = {{INSN_LOAD, INSN_MULTIPLY, INSN_STORE},
						     {INSN_LOAD, INSN_LOAD, INSN_BRANCH},
						     {INSN_CALL, INSN_STORE, INSN_STORE},
						     {INSN_LOAD, INSN_LOAD, INSN_STORE}};
	static const enum insn_class expected[] = {INSN_MULTIPLY, INSN_BRANCH, INSN_CALL, INSN_STORE};
	struct core_timing t = wide(CORE_OUT_OF_ORDER);
	begin();
	for (unsigned i = 0; i < ARRAY_SIZE(classes); i++)
		for (unsigned k = 0; k < 3; k++) {
			struct uop *u = at_pc(add(classes[i][k], NONE, NONE), 0x1000 + i);
			u->flags = (uint8_t)(k == 0 ? UOP_FIRST : k == 2 ? UOP_LAST : 0);
			u->flags |= insn_is_branch(classes[i][k]) ? UOP_BRANCH : 0;
		}
	batch->nr_instructions = ARRAY_SIZE(classes);
	profile(&t);
	for (unsigned i = 0; i < ARRAY_SIZE(classes); i++) {
		assert_int_equal(stacks->insns[i].class, expected[i]);
		assert_int_equal(stacks->insns[i].is_branch, insn_is_branch(expected[i]));
	}
}

/* Long stalls without events end up in the last count. */
static void test_base_stalls(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct core_timing t = wide(CORE_OUT_OF_ORDER);
		t.latency[INSN_DIVIDE] = MAX_LATENCY;
		t.commit_cycles = (uint16_t)(i == 0 ? 0 : 5);
		t.dispatch_cycles = 0;
		begin();
		add(INSN_DIVIDE, 1, NONE);
		profile(&t);
		check("stalled", stacks->base_stalls[MAX_BASE_STALL - (i == 0 ? 2 : 0)], 1);
	}
}

TEST_FILE(test_cycle_stacks_known)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figure_1),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_combined),
		cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_no_flush),
		cmocka_unit_test(test_data_on_its_way),
		cmocka_unit_test(test_line_on_its_way),
		cmocka_unit_test(test_store_queue_and_rob),
		cmocka_unit_test(test_store_queue_and_fetch),
		cmocka_unit_test(test_memory_order),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_base_stalls),
		cmocka_unit_test(test_many_instructions),
		cmocka_unit_test(test_classes),
	};
	return cmocka_run_group_tests(tests, batch_setup, teardown);
}
