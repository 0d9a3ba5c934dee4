/* The Verilog module of an L1I with a prefetcher, against its C twin: every counter after each fetch. Verilator makes
 * two objects: of the module as it is, and of one with planted faults, each of which an input turns on. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "ipu/soft/verilog.h"
#include "sim/base/file.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"
#include "workloads/stream/stream_uops.h"

#define SOURCE "ipu/soft/modules/l1i_entangling.v"
#define CODE UINT64_C(0x400000)

enum { FETCH_PC, FETCH_LATENCY, MUTANT };
enum { PREFETCHER = 0x00, LATENCY = 0x04, LATENCY_OTHER = 0x08, PEEK = 0x80, PEEKED = 0x84 };
enum { FIRST_COUNTER = 0x40, END_OF_COUNTERS = 0x78 };

/* ---- Objects ---- */

struct object {
	void *handle;
	const struct soft_module *module;
};

static struct object plain, faulty;

/* Faults, numbered from 1, by what they replace; MUTANT is the input. */
static const struct fault {
	const char *text, *with;
} faults[] = {
	{"!(is_good && confidence == 3)", "!(is_good && confidence == (mutant == 1 ? 2 : 3))"},
	{"line - head < 16", "line - head < (mutant == 2 ? 15 : 16)"},
	{"is_old = age >= {4'd0, line_latency}",
	 "is_old = mutant == 3 ? age > {4'd0, line_latency} : age >= {4'd0, line_latency}"},
	{"nr_requests != MAX_PREFETCHES", "nr_requests != (mutant == 4 ? 31 : MAX_PREFETCHES)"},
	{"table_order[key[ROW_BITS - 1:0]][63:60]",
	 "mutant == 5 ? table_order[key[ROW_BITS - 1:0]][59:56] : table_order[key[ROW_BITS - 1:0]][63:60]"},
};

/* Puts `with` in the place of `text`, which is there once. */
static char *replaced(char *source, const char *text, const char *with)
{
	char *at = strstr(source, text);
	assert_non_null(at);
	assert_null(strstr(at + 1, text));
	char *result = malloc(strlen(source) + strlen(with) + 1);
	assert_non_null(result);
	sprintf(result, "%.*s%s%s", (int)(at - source), source, with, at + strlen(text));
	free(source);
	return result;
}

static char *with_faults(void)
{
	struct sahm_err err;
	char *source;
	size_t len;
	assert_int_equal(file_read(SOURCE, 1 << 20, &source, &len, &err), SAHM_OK);
	source = replaced(source, "\tinput fetch_latency_valid,\n",
			  "\tinput fetch_latency_valid,\n\tinput [2:0] mutant,\n");
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		source = replaced(source, faults[i].text, faults[i].with);
	return source;
}

/* Builds and loads the module of a source. dlopen() knows objects by their names. SAHM_TOOL without Verilator. */
static enum sahm_status build(struct object *o, const char *folder, const char *source, const char *name,
			      struct sahm_err *err)
{
	char path[128];
	struct textbuf said;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	const struct verilog_build b = {.source = source,
					.top = "l1i_entangling",
					.output = path,
					.replaces = true,
					.name = "l1i-entangling",
					.version = "1.0.0",
					.data = "."};
	textbuf_init(&said);
	enum sahm_status status = verilog_build(&b, &said, err);
	textbuf_release(&said);
	if (status != SAHM_OK)
		return status;
	o->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(o->handle);
	unlink(path);
	const struct soft_module *(*describe)(void);
	*(void **)&describe = dlsym(o->handle, "sahm_soft_module");
	assert_non_null(describe);
	o->module = describe();
	return SAHM_OK;
}

static enum sahm_status build_both(struct sahm_err *err)
{
	char folder[] = "/tmp/sahm-test-XXXXXX", path[64];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/faulty.v", folder);
	enum sahm_status status = build(&plain, folder, SOURCE, "plain.so", err);
	if (status == SAHM_OK) {
		char *source = with_faults();
		assert_int_equal(file_write(path, source, strlen(source), err), SAHM_OK);
		free(source);
		status = build(&faulty, folder, path, "faulty.so", err);
		unlink(path);
	}
	rmdir(folder);
	return status;
}

/* ---- Both modules ---- */

struct twins {
	const struct soft_module *verilog, *c;
	void *v, *m;
	uint64_t cycle, nr_fetches;
	uint64_t mutant;
};

static void begin(struct twins *t, const struct object *o)
{
	*t = (struct twins){.verilog = o->module, .c = soft_module_l1i_entangling()};
	t->v = t->verilog->make(NULL);
	t->m = t->c->make(NULL);
	assert_true(t->v && t->m);
}

static void finish(struct twins *t)
{
	t->verilog->release(t->v);
	t->c->release(t->m);
}

static void set(struct twins *t, uint32_t offset, uint32_t value)
{
	t->verilog->write(t->v, offset, value);
	t->c->write(t->m, offset, value);
}

/* Whether both have the same counters after a set. */
static bool fetch(struct twins *t, uint64_t cycles, uint32_t valid, uint64_t pc, uint64_t latency)
{
	const uint64_t values[] = {[FETCH_PC] = pc, [FETCH_LATENCY] = latency, [MUTANT] = t->mutant};
	uint32_t valid_of_verilog = t->verilog->nr_inputs > MUTANT ? valid | 1u << MUTANT : valid;
	t->cycle += cycles;
	assert_true(t->mutant == 0 || t->verilog->nr_inputs > MUTANT);
	t->verilog->step(t->v, t->cycle, valid_of_verilog, values);
	t->c->step(t->m, t->cycle, valid, values);
	t->nr_fetches++;
	for (uint32_t at = FIRST_COUNTER; at < END_OF_COUNTERS; at += 4)
		if (t->verilog->read(t->v, at) != t->c->read(t->m, at))
			return false;
	return true;
}

static bool has_same_table(struct twins *t)
{
	for (uint32_t i = 0; i < 8 * 2048 + 8; i++) {
		set(t, PEEK, i);
		if (t->verilog->read(t->v, PEEKED) != t->c->read(t->m, PEEKED))
			return false;
	}
	return true;
}

/* ---- Random programs ---- */

#define MAX_FUNCTIONS 400

/* Calls of functions of a few blocks of lines each, mostly in the order of the time before; the areas share no entries.
 * Whether the modules agree to the end. */
static bool run_random(struct twins *t, uint64_t seed, unsigned nr_calls)
{
	uint64_t rng = seed, functions[MAX_FUNCTIONS];
	size_t nr = between(&rng, 2, MAX_FUNCTIONS);
	uint64_t lines = between(&rng, 100, 1 << 14), gap = between(&rng, 1, 30);
	for (size_t i = 0; i < nr; i++)
		functions[i] = CODE + (between(&rng, 0, lines) << 6) + (one_in(&rng, 9) ? UINT64_C(1) << 40 : 0);
	for (unsigned n = 0; n < nr_calls; n++) {
		if (one_in(&rng, 300)) {
			set(t, PREFETCHER, one_in(&rng, 4) ? (uint32_t)between(&rng, 0, 3) : 2);
			set(t, LATENCY, one_in(&rng, 2) ? 0 : (uint32_t)between(&rng, 1, 60));
			set(t, LATENCY_OTHER, (uint32_t)between(&rng, 0, 70000));
		}
		if (one_in(&rng, 5000)) {
			t->verilog->reset(t->v);
			t->c->reset(t->m);
		}
		uint64_t pc = functions[one_in(&rng, 20) ? between(&rng, 0, nr - 1) : n % nr];
		unsigned left = (unsigned)(functions[n % nr] >> 6 & 31) + 1;
		for (; left > 0; left--, pc += one_in(&rng, 30) ? 0x7c0 : one_in(&rng, 5) ? 0 : 64) {
			uint32_t valid = one_in(&rng, 50) ? 2 : (uint32_t)between(&rng, 0, 1) << FETCH_LATENCY | 1;
			if (!fetch(t, between(&rng, 1, gap), valid, pc, between(&rng, 0, 100)))
				return false;
		}
	}
	return true;
}

static void test_random_programs(void **state)
{
	(void)state;
	uint64_t nr_fetches = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct twins t;
		begin(&t, &plain);
		if (!run_random(&t, seed, 8000))
			fail_msg("seed %llu: they differ after %llu sets", (unsigned long long)seed,
				 (unsigned long long)t.nr_fetches);
		assert_true(has_same_table(&t));
		nr_fetches += t.nr_fetches;
		finish(&t);
	}
	assert_true(nr_fetches > 2000000);
}

static void test_planted_faults(void **state)
{
	(void)state;
	for (uint64_t mutant = 0; mutant <= ARRAY_SIZE(faults); mutant++) {
		bool is_equal = true;
		for (uint64_t seed = 1; seed <= 5 && is_equal; seed++) {
			struct twins t;
			begin(&t, &faulty);
			t.mutant = mutant;
			is_equal = run_random(&t, seed, 5000) && has_same_table(&t);
			finish(&t);
		}
		if (is_equal != (mutant == 0))
			fail_msg("fault %llu", (unsigned long long)mutant);
	}
}

/* ---- Recorded streams ---- */

static void test_streams(void **state)
{
	(void)state;
	static const char *const paths[] = {"tests/data/streams/sort.stream", "tests/data/streams/x86-64.stream",
					    "tests/data/streams/rv64.stream"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct uop_batch *batch = calloc(1, sizeof(*batch));
		struct twins t;
		struct stream *s;
		struct sahm_err err;
		begin(&t, &plain);
		assert_non_null(batch);
		assert_int_equal(stream_open(paths[i], NULL, &s, &err), SAHM_OK);
		do {
			assert_int_equal(stream_uops_read(s, UINT64_MAX, batch, &err), SAHM_OK);
			for (uint32_t k = 0; k < batch->nr; k++)
				if (batch->uops[k].flags & UOP_FIRST)
					assert_true(fetch(&t, 1, 1, batch->uops[k].pc & UINT64_C(0xffffffffffff), 0));
		} while (batch->nr > 0);
		assert_true(has_same_table(&t));
		free(batch);
		stream_free(s);
		finish(&t);
	}
}

/* ---- By hand ---- */

/* Ten fetches of which docs/cores.md says what they do: the counters and the table, worked out on paper. Lines with the
 * same low 17 bits share an entry of the 2,048: those of 0x1xxxxx have those of 0xxxxx. */
static void test_ten_fetches(void **state)
{
	(void)state;
	static const struct {
		uint32_t cycle;
		uint64_t line;
	} fetches[] = {
		{100, 0x10000}, /* misses; a head, the first one */
		{101, 0x10001}, /* misses; extends its block */
		{130, 0x10081}, /* misses; entry 0 is 0x10000's, size 1; it is the source: 30 cycles old */
		{135, 0x10102}, /* misses; joins 0x10000, as 0x10081 is 5 cycles old */
		{200,
		 0x110000}, /* misses; not joined, other upper bits; entry 0 requests 0x110001, 0x110081, 0x110102 */
		{205, 0x110001}, /* late, and no destination; extends the block */
		{210, 0x110102}, /* late: confidence 1; not joined, the source is 0x10102 */
		{230, 0x110081}, /* in time: confidence 3 */
		{260, 0x110204}, /* misses; joins 0x110081, which gets entry 16 */
		{300, 0x10081},	 /* is there; entry 16 is its entry as well, and requests 0x10204 */
	};
	static const uint32_t counters[] = {10, 9, 6, 4, 3, 2, 0};
	static const uint32_t words[][2] = {{0, 0x80010200}, {1, 0},	      {2, 0},  {3, 0x310081},
					    {4, 0x110102},   {5, 0},	      {8, 0},  {128, 0x80000201},
					    {131, 0},	     {132, 0x210204}, {256, 0}};
	struct twins t;
	begin(&t, &plain);
	set(&t, LATENCY, 20);
	for (size_t i = 0; i < ARRAY_SIZE(fetches); i++)
		assert_true(fetch(&t, fetches[i].cycle - t.cycle, 1, fetches[i].line << 6, 0));
	for (uint32_t i = 0; i < ARRAY_SIZE(counters); i++)
		assert_int_equal(t.verilog->read(t.v, FIRST_COUNTER + 8 * i), counters[i]);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		set(&t, PEEK, words[i][0]);
		assert_int_equal(t.verilog->read(t.v, PEEKED), words[i][1]);
		assert_int_equal(t.c->read(t.m, PEEKED), words[i][1]);
	}
	finish(&t);
}

/* ---- What both say of themselves ---- */

static void test_description(void **state)
{
	(void)state;
	const struct soft_module *v = plain.module, *c = soft_module_l1i_entangling();
	struct twins t;
	assert_string_equal(v->name, c->name);
	assert_string_equal(v->version, c->version);
	assert_int_equal(v->nr_inputs, c->nr_inputs);
	assert_int_equal(v->nr_registers, c->nr_registers);
	begin(&t, &plain);
	for (uint32_t i = 0; i < c->nr_inputs; i++) {
		assert_string_equal(v->inputs[i].name, c->inputs[i].name);
		assert_int_equal(v->inputs[i].bits, c->inputs[i].bits);
	}
	for (uint32_t i = 0; i < c->nr_registers; i++) {
		assert_string_equal(v->registers[i].name, c->registers[i].name);
		assert_int_equal(v->registers[i].offset, c->registers[i].offset);
		assert_int_equal(v->registers[i].access, c->registers[i].access);
		assert_int_equal(v->read(t.v, v->registers[i].offset), c->read(t.m, v->registers[i].offset));
	}
	finish(&t);
}

TEST_FILE(test_l1i_verilog)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_description),	cmocka_unit_test(test_ten_fetches),
		cmocka_unit_test(test_random_programs), cmocka_unit_test(test_streams),
		cmocka_unit_test(test_planted_faults),
	};
	struct sahm_err err;
	enum sahm_status status = build_both(&err);
	if (status != SAHM_OK) {
		printf("%s\n", err.msg);
		return status == SAHM_TOOL ? TEST_SKIPPED : 1;
	}
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	dlclose(plain.handle);
	dlclose(faulty.handle);
	return failed;
}
