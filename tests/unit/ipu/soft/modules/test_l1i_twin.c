/* The C module of an L1I with a prefetcher, against functional passes of a core that has that prefetcher. */
#include "ipu/soft/modules/shipped_modules.h"

#include <string.h>

#include "cores/uarch/functional_pass.h"
#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"
#include "workloads/stream/stream_uops.h"

#define CODE UINT64_C(0x400000)
/* The module does not know where lines come from: here all take as long. */
#define LATENCY 20u

enum { PREFETCHER = 0x00, LATENCY_ALL = 0x04, SETS = 0x0c, WAYS = 0x10, SHIFT = 0x14, ENTRIES = 0x18 };
enum { FETCHES = 0x40, BASE_MISSES = 0x48, MISSES = 0x50, PREFETCHES = 0x58, USED = 0x60, LATE = 0x68, UNUSED = 0x70 };

/* ---- Both ---- */

/* L1I of which the rest of the core takes nothing away: every page is translated. */
static struct core_geometry draw_geometry(uint64_t *rng, enum prefetcher_kind kind)
{
	uint32_t ways = (uint32_t)between(rng, 1, 9), line = 64u << between(rng, 0, 1);
	uint32_t sets = 1u << between(rng, 0, 6);
	struct core_geometry g = {
		.l1i = {sets * ways * line, ways, line, REPLACE_LRU},
		.l1d = {1024, 4, 64, REPLACE_LRU},
		.l2 = {4096, 4, line, REPLACE_LRU},
		.itlb = {MAX_TABLE_ENTRIES, 1},
		.dtlb = {2, 2},
		.second_tlb = {MAX_TABLE_ENTRIES, 64},
		.predictor = {.kind = PREDICTOR_GSHARE, .base_bits = 4, .return_stack = 2},
		.dram = {2, 1024},
	};
	g.l1i_prefetchers[0] = (struct prefetcher_spec){.kind = kind};
	if (kind == PREFETCHER_NEXT_LINE)
		g.l1i_prefetchers[0].degree = 1;
	if (kind == PREFETCHER_ENTANGLING) {
		g.l1i_prefetchers[0].entries = 16 * (uint32_t)between(rng, 1, 130);
		g.clock = (struct clock_spec){.cpi = (uint32_t)between(rng, 1000, 3000),
					      .code = {LATENCY, LATENCY, LATENCY, LATENCY}};
	}
	return g;
}

struct twins {
	struct functional_pass *pass, *base;
	const struct soft_module *module;
	void *m;
	uint64_t clock; /* of the pass, in thousandths */
	uint32_t cpi;
};

static void begin(struct twins *t, const struct core_geometry *g)
{
	struct sahm_err err;
	struct core_geometry without = *g;
	without.l1i_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_NONE};
	without.clock = (struct clock_spec){.cpi = 0};
	*t = (struct twins){.pass = functional_pass_new_memory(g, &err),
			    .base = functional_pass_new_memory(&without, &err),
			    .module = soft_module_l1i_entangling(),
			    .cpi = g->clock.cpi > 0 ? g->clock.cpi : 1000};
	t->m = t->module->make(NULL);
	assert_true(t->pass && t->base && t->m);
	const struct prefetcher_spec *p = &g->l1i_prefetchers[0];
	t->module->write(t->m, PREFETCHER, p->kind == PREFETCHER_ENTANGLING ? 2 : p->kind == PREFETCHER_NEXT_LINE);
	t->module->write(t->m, LATENCY_ALL, LATENCY);
	t->module->write(t->m, SETS, g->l1i.bytes / g->l1i.line_bytes / g->l1i.ways);
	t->module->write(t->m, WAYS, g->l1i.ways);
	t->module->write(t->m, SHIFT, (uint32_t)__builtin_ctz(g->l1i.line_bytes));
	if (p->entries > 0)
		t->module->write(t->m, ENTRIES, p->entries);
	t->module->reset(t->m);
}

static void finish(struct twins *t)
{
	functional_pass_free(t->pass);
	functional_pass_free(t->base);
	t->module->release(t->m);
}

static uint64_t counter(const struct twins *t, uint32_t offset)
{
	return t->module->read(t->m, offset) | (uint64_t)t->module->read(t->m, offset + 4) << 32;
}

/* The batch, through all three; whole instructions are of one line. */
static void run_batch(struct twins *t)
{
	functional_pass_run(t->base, batch);
	functional_pass_run(t->pass, batch);
	for (uint32_t i = 0; i < batch->nr; i++) {
		const uint64_t values[2] = {batch->uops[i].pc & ((UINT64_C(1) << 48) - 1)};
		t->clock += t->cpi;
		t->module->step(t->m, t->clock / 1000, 1, values);
	}
	const struct functional_counts *c = functional_pass_counts(t->pass), *b = functional_pass_counts(t->base);
	assert_int_equal(counter(t, FETCHES), c->l1i_lines);
	assert_int_equal(counter(t, BASE_MISSES), b->epoch.count[COUNTER_L1I_MISSES]);
	assert_int_equal(counter(t, MISSES), c->epoch.count[COUNTER_L1I_MISSES]);
	assert_int_equal(counter(t, PREFETCHES), c->l1i_prefetches);
	assert_int_equal(counter(t, USED), c->l1i_prefetches_used);
	batch->nr = batch->nr_instructions = 0;
}

/* ---- Programs ---- */

/* Two areas of code that no entry of the table joins. */
#define NR_AREAS 2u
#define AREA_BYTES (UINT64_C(1) << 27)
#define PLACES (UINT64_C(1) << 14) /* of functions in an area, four bytes each */
#define NR_PAGES (4 * PLACES / PAGE_BYTES + 4)

static uint64_t draw_place(uint64_t *rng)
{
	return CODE + (one_in(rng, 8) ? AREA_BYTES : 0) + 4 * between(rng, 0, PLACES - 1);
}

/* Loads from every page, which is translated then. */
static void visit_pages(struct twins *t)
{
	for (uint64_t i = 0; i < NR_AREAS * NR_PAGES; i++) {
		struct uop *u = batch_add(INSN_LOAD, CODE);
		u->address = CODE + i / NR_PAGES * AREA_BYTES + i % NR_PAGES * PAGE_BYTES;
		u->bytes = 1;
	}
	run_batch(t);
}

/* Calls of functions of a few lines each, mostly in the order of the time before. How many prefetches were late. */
static uint64_t run_random(uint64_t seed, enum prefetcher_kind kind, unsigned nr_calls)
{
	uint64_t rng = seed, calls[60];
	struct core_geometry g = draw_geometry(&rng, kind);
	struct twins t;
	size_t nr = between(&rng, 2, ARRAY_SIZE(calls));
	for (size_t i = 0; i < nr; i++)
		calls[i] = draw_place(&rng);
	begin(&t, &g);
	visit_pages(&t);
	for (unsigned n = 0; n < nr_calls; n++) {
		if (one_in(&rng, 50))
			calls[n % nr] = draw_place(&rng);
		uint64_t pc = calls[one_in(&rng, 20) ? between(&rng, 0, nr - 1) : n % nr];
		for (uint64_t left = between(&rng, 1, 40); left > 0; left--, pc += one_in(&rng, 8) ? 200 : 4)
			batch_add(INSN_INTEGER, pc);
		run_batch(&t);
	}
	uint64_t late = counter(&t, LATE);
	finish(&t);
	return late;
}

static void test_random_programs(void **state)
{
	(void)state;
	uint64_t late = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		late += run_random(seed, PREFETCHER_ENTANGLING, 2000);
		run_random(seed, PREFETCHER_NEXT_LINE, 500);
		run_random(seed, PREFETCHER_NONE, 50);
	}
	assert_true(late > 1000);
}

/* A stream, without accesses to memory and second lines of instructions. */
static void test_stream(void **state)
{
	(void)state;
	uint64_t rng = 1;
	struct core_geometry g = draw_geometry(&rng, PREFETCHER_ENTANGLING);
	struct twins t;
	struct stream *s;
	struct sahm_err err;
	struct uop_batch *read = calloc(1, sizeof(*read));
	g.l1i = (struct cache_spec){2048, 4, 64, REPLACE_LRU};
	g.l2.line_bytes = 64;
	begin(&t, &g);
	assert_non_null(read);
	assert_int_equal(stream_open("tests/data/streams/sort.stream", NULL, &s, &err), SAHM_OK);
	do {
		assert_int_equal(stream_uops_read(s, UINT64_MAX, read, &err), SAHM_OK);
		for (uint32_t k = 0; k < read->nr; k++)
			if (read->uops[k].flags & UOP_FIRST)
				batch_add(INSN_INTEGER, read->uops[k].pc)->length = 1;
		run_batch(&t);
	} while (read->nr > 0);
	assert_true(counter(&t, USED) > 100);
	free(read);
	stream_free(s);
	finish(&t);
}

/* ---- Registers ---- */

static void test_registers(void **state)
{
	(void)state;
	static const struct {
		uint32_t offset, value;
		bool is_possible;
	} rows[] = {
		{PREFETCHER, 1, true}, {PREFETCHER, 3, false}, {LATENCY_ALL, 65535, true}, {LATENCY_ALL, 65536, false},
		{SETS, 1024, true},    {SETS, 2048, false},    {SETS, 3, false},	   {SETS, 0, false},
		{WAYS, 16, true},      {WAYS, 17, false},      {WAYS, 0, false},	   {SHIFT, 4, true},
		{SHIFT, 3, false},     {SHIFT, 12, true},      {SHIFT, 13, false},	   {ENTRIES, 16, true},
		{ENTRIES, 17, false},  {ENTRIES, 0, false},    {ENTRIES, 16384, true},	   {ENTRIES, 16400, false}};
	const struct soft_module *module = soft_module_l1i_entangling();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		void *m = module->make(NULL);
		assert_non_null(m);
		module->write(m, rows[i].offset, rows[i].value);
		if ((module->read(m, rows[i].offset) == rows[i].value) != rows[i].is_possible)
			fail_msg("row %zu", i);
		module->reset(m);
		assert_int_equal(module->read(m, rows[i].offset) == rows[i].value, rows[i].is_possible);
		module->release(m);
	}
}

/* The shape changes at a reset only, which clears the rest; a fetch that is not valid is none; the latency is that of
 * the set where the register is 0. */
static void test_reset_and_latency(void **state)
{
	(void)state;
	const struct soft_module *module = soft_module_l1i_entangling();
	struct twins t = {.module = module, .m = module->make(NULL)};
	assert_non_null(t.m);
	uint64_t values[2] = {CODE, 0}, cycle = 0;
	module->step(t.m, ++cycle, 2, values);
	assert_int_equal(counter(&t, FETCHES), 0);
	module->write(t.m, SETS, 1);
	module->write(t.m, WAYS, 1);
	module->write(t.m, LATENCY_ALL, 0);
	for (unsigned reset = 0; reset <= 1; reset++) {
		for (unsigned i = 0; i < 20; i++, values[0] += 64)
			module->step(t.m, ++cycle, 1, values);
		values[0] = CODE;
		module->step(t.m, ++cycle, 1, values);
		assert_int_equal(counter(&t, BASE_MISSES), 20 + reset);
		assert_int_equal(counter(&t, FETCHES), 21);
		module->reset(t.m);
		assert_int_equal(counter(&t, FETCHES) + counter(&t, MISSES) + counter(&t, PREFETCHES), 0);
	}
	/* Two lines in turns: the second one joins the first, whose next fetch requests it. Its use comes ten cycles
	 * later. */
	static const struct {
		uint32_t latency;
		unsigned late;
	} rows[] = {{10, 0}, {11, 1}};
	module->write(t.m, SETS, 2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		module->reset(t.m);
		static const uint64_t lines[] = {0, 1001, 2000, 3001, 0, 1001};
		for (size_t k = 0; k < ARRAY_SIZE(lines); k++) {
			module->step(t.m, cycle += 10, 3, (const uint64_t[]){CODE + 64 * lines[k], rows[i].latency});
		}
		assert_int_equal(counter(&t, USED), 1);
		assert_int_equal(counter(&t, LATE), rows[i].late);
	}
	module->release(t.m);
}

TEST_FILE(test_l1i_twin)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_programs),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_reset_and_latency),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
