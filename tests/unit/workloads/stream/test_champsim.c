/* ChampSim's traces: what the format lacks is filled in by the rules, and faults are reported with their place. */
#include "workloads/stream/champsim.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/helper/made_champsim.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

#define SYNTHETIC "tests/data/streams/champsim-synthetic.trace"
#define MOST_RECORDS 64u

static uint8_t bytes[MOST_RECORDS * MADE_RECORD_BYTES];

/* A reader of what has been put into bytes[]. */
static struct champsim_reader *read_bytes(size_t len, FILE **in)
{
	*in = len > 0 ? fmemopen(bytes, len, "r") : fopen("/dev/null", "r");
	assert_non_null(*in);
	struct champsim_reader *r = champsim_reader_new(*in, "a.trace");
	assert_non_null(r);
	return r;
}

static size_t put(const struct made_record *records, size_t nr)
{
	assert_true(nr <= MOST_RECORDS);
	for (size_t i = 0; i < nr; i++)
		made_record_put(&records[i], bytes + i * MADE_RECORD_BYTES);
	return nr * MADE_RECORD_BYTES;
}

struct expected {
	unsigned length;
	enum insn_class class;
	int source[MAX_SOURCES], destination; /* -1: none */
	uint64_t target;
	unsigned nr_accesses;
	bool taken;
};

static void expect(const struct executed *e, const struct made_record *record, const struct expected *x, uint64_t next,
		   size_t at)
{
	const struct insn *in = e->instruction;
	if (in->pc != record->ip || in->length != x->length || in->class != x->class || in->target != x->target)
		fail_msg("record %zu: %s of %u bytes at %#lx to %#lx", at, insn_class_name((enum insn_class)in->class),
			 in->length, (unsigned long)in->pc, (unsigned long)in->target);
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		if (in->source[s] != (x->source[s] < 0 ? NO_REGISTER : (unsigned)x->source[s]))
			fail_msg("record %zu: source %u is %u", at, s, in->source[s]);
	if (in->destination != (x->destination < 0 ? NO_REGISTER : (unsigned)x->destination))
		fail_msg("record %zu: destination is %u", at, in->destination);
	if (e->nr_accesses != x->nr_accesses || e->taken != x->taken || e->next_pc != next)
		fail_msg("record %zu: %u accesses, taken %d, to %#lx", at, e->nr_accesses, e->taken,
			 (unsigned long)e->next_pc);
}

#define CALLED(length)                                                                                                 \
	{length, INSN_CALL, {4, -1, -1}, 4, 0x401100, 1, true}, {1, INSN_STORE, {5, 4, -1}, 4, 0, 1, false},           \
		{3, INSN_INTEGER, {4, -1, -1}, 5, 0, 0, false}, {2, INSN_LOAD, {7, -1, -1}, 0, 0, 1, false},           \
		{3, INSN_INTEGER, {0, 7, -1}, 0, 0, 1, false}, {4, INSN_FP_ADD, {32, 6, -1}, 32, 0, 1, false},         \
		{3, INSN_VECTOR, {32, -1, -1}, 33, 0, 0, false}, {1, INSN_LOAD, {4, -1, -1}, 5, 0, 1, false},          \
		{1, INSN_RETURN, {4, -1, -1}, 4, 0, 1, true},                                                          \
	{                                                                                                              \
		2, INSN_INTEGER, {1, -1, -1}, 1, 0, 0, false                                                           \
	}

static void test_program(void **state)
{
	(void)state;
	static const struct expected program[] = {
		CALLED(5),
		{2, INSN_BRANCH, {16, -1, -1}, -1, 0x401000, 0, true},
		CALLED(5),
		{2, INSN_BRANCH, {16, -1, -1}, -1, 0x401000, 0, false},
		/* Its length is assumed until it goes on. */
		{4, INSN_INTEGER, {6, 7, 1}, 6, 0, 2, false},
		{4, INSN_INTEGER, {6, 7, 1}, 6, 0, 2, false},
		{2, INSN_INTEGER, {6, 7, 1}, 6, 0, 0, false},
		{2, INSN_INDIRECT_CALL, {0, 4, -1}, 4, 0, 1, true},
		{1, INSN_RETURN, {4, -1, -1}, 4, 0, 1, true},
		{2, INSN_BRANCH, {16, -1, -1}, 1, 0x40100f, 0, false},
		{2, INSN_BRANCH, {16, -1, -1}, -1, 0x401011, 0, false},
		{3, INSN_INTEGER, {-1, -1, -1}, 7, 0, 0, false},
		{6, INSN_INDIRECT_JUMP, {3, -1, -1}, -1, 0, 1, true},
		{5, INSN_JUMP, {-1, -1, -1}, -1, 0x402000, 0, true},
		{4, INSN_INTEGER, {8, 9, 10}, 0, 0, 0, false},
	};
	_Static_assert(ARRAY_SIZE(program) == NR_MADE_RECORDS, "a row for each");
	struct sahm_err err;
	struct executed e;
	FILE *in;
	bool more;
	struct champsim_reader *r = read_bytes(put(made_program, NR_MADE_RECORDS), &in);
	for (size_t i = 0; i < NR_MADE_RECORDS; i++) {
		if (champsim_next(r, &e, &more, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_true(more);
		expect(&e, &made_program[i], &program[i], i + 1 < NR_MADE_RECORDS ? made_program[i + 1].ip : 0, i + 1);
		for (unsigned a = 0; a < e.nr_accesses; a++)
			assert_int_equal(e.accesses[a].bytes, CHAMPSIM_ACCESS_BYTES);
	}
	assert_int_equal(champsim_next(r, &e, &more, &err), SAHM_OK);
	assert_false(more);
	const struct champsim_counts *c = champsim_counts(r);
	assert_int_equal(c->records, NR_MADE_RECORDS);
	static const uint64_t branches[NR_CHAMPSIM_BRANCHES] = {
		[CHAMPSIM_NO_BRANCH] = 21,  [CHAMPSIM_DIRECT_JUMP] = 1, [CHAMPSIM_INDIRECT] = 1,
		[CHAMPSIM_CONDITIONAL] = 3, [CHAMPSIM_DIRECT_CALL] = 2, [CHAMPSIM_INDIRECT_CALL] = 1,
		[CHAMPSIM_RETURN] = 3,	    [CHAMPSIM_OTHER] = 1};
	for (unsigned k = 0; k < NR_CHAMPSIM_BRANCHES; k++)
		assert_int_equal(c->branches[k], branches[k]);
	/* Known without going on there: the second call. */
	assert_int_equal(c->next_lengths, 21);
	assert_int_equal(c->known_lengths, 1);
	assert_int_equal(c->assumed_lengths, NR_MADE_RECORDS - 21 - 1);
	assert_int_equal(c->assumed_targets, 2);
	assert_int_equal(c->loads, 14);
	assert_int_equal(c->stores, 7);
	assert_int_equal(c->repeated, 2);
	assert_int_equal(c->interrupted, 0);
	assert_int_equal(c->nameless, 2);
	assert_int_equal(c->left_out, 4);
	assert_int_equal(c->alien, 0);
	champsim_reader_free(r);
	fclose(in);
}

/* Rules that the program does not show: registers to kinds. */
static void test_kinds(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct made_record record;
		enum champsim_branch kind;
		enum insn_class class;
	} rows[] = {
		{"reads nothing", {.to = {26, 25}}, CHAMPSIM_DIRECT_JUMP, INSN_JUMP},
		{"conditional on a register", {.to = {26}, .from = {26, 9}}, CHAMPSIM_CONDITIONAL, INSN_BRANCH},
		{"both", {.to = {26}, .from = {26, 9, 25}}, CHAMPSIM_CONDITIONAL, INSN_BRANCH},
		{"flags without the pointer", {.to = {26}, .from = {25}}, CHAMPSIM_OTHER, INSN_BRANCH},
		{"a jump by the stack pointer", {.to = {26}, .from = {6}}, CHAMPSIM_OTHER, INSN_BRANCH},
		{"a call with flags", {.to = {26, 6}, .from = {26, 6, 25}}, CHAMPSIM_OTHER, INSN_BRANCH},
		{"a return with a number", {.to = {6, 26}, .from = {6, 10}}, CHAMPSIM_RETURN, INSN_RETURN},
		{"half a pointer is another register", {.to = {44}, .from = {58}}, CHAMPSIM_NO_BRANCH, INSN_INTEGER},
		{"half a stack pointer, too", {.to = {26}, .from = {51}}, CHAMPSIM_INDIRECT, INSN_INDIRECT_JUMP},
		{"called a branch, but none", {.is_branch = 1, .to = {3}}, CHAMPSIM_NO_BRANCH, INSN_INTEGER},
		{"a load", {.to = {10}, .from = {3}, .loads = {8}}, CHAMPSIM_NO_BRANCH, INSN_LOAD},
		{"a load of a vector", {.to = {91}, .from = {3}, .loads = {8}}, CHAMPSIM_NO_BRANCH, INSN_LOAD},
		{"with flags", {.to = {25}, .from = {3}, .loads = {8}}, CHAMPSIM_NO_BRANCH, INSN_INTEGER},
		{"to memory", {.to = {25}, .from = {3}, .loads = {8}, .stores = {8}}, CHAMPSIM_NO_BRANCH, INSN_INTEGER},
		{"a store", {.from = {3}, .stores = {8}}, CHAMPSIM_NO_BRANCH, INSN_STORE},
		{"a store of a vector", {.from = {3, 154}, .stores = {8}}, CHAMPSIM_NO_BRANCH, INSN_STORE},
		{"two operands", {.to = {123}, .from = {124, 186}}, CHAMPSIM_NO_BRANCH, INSN_FP_ADD},
		{"one register twice", {.to = {123}, .from = {91, 155}}, CHAMPSIM_NO_BRANCH, INSN_VECTOR},
		{"a mask", {.to = {187}, .from = {10}}, CHAMPSIM_NO_BRANCH, INSN_VECTOR},
		{"x87", {.to = {215}, .from = {222}}, CHAMPSIM_NO_BRANCH, INSN_FP_OTHER},
		{"nothing", {.to = {0}}, CHAMPSIM_NO_BRANCH, INSN_INTEGER},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err;
		struct executed e;
		FILE *in;
		bool more;
		struct champsim_reader *r = read_bytes(put(&rows[i].record, 1), &in);
		if (champsim_next(r, &e, &more, &err) != SAHM_OK)
			fail_msg("%s: %s", rows[i].name, err.msg);
		if (champsim_counts(r)->branches[rows[i].kind] != 1 || e.instruction->class != rows[i].class)
			fail_msg("%s: %s", rows[i].name, insn_class_name((enum insn_class)e.instruction->class));
		champsim_reader_free(r);
		fclose(in);
	}
}

/* The last number that the table has, and each beyond it, in each field. */
static void test_registers(void **state)
{
	(void)state;
	for (unsigned number = 1; number <= UINT8_MAX; number++)
		for (unsigned field = 0; field < 6; field++) {
			struct made_record records[2] = {{.ip = 0x1000}, {.ip = 0x1004}};
			char message[128];
			struct sahm_err err;
			struct executed e;
			FILE *in;
			bool more;
			if (field < 2)
				records[1].to[field] = (uint8_t)number;
			else
				records[1].from[field - 2] = (uint8_t)number;
			struct champsim_reader *r = read_bytes(put(records, 2), &in);
			assert_int_equal(champsim_next(r, &e, &more, &err), SAHM_OK);
			enum sahm_status status = champsim_next(r, &e, &more, &err);
			snprintf(
				message, sizeof(message),
				"a.trace: record 2 at offset 64 has register %u, beyond the table, which ends with 245",
				number);
			assert_int_equal(status, number > 245 ? SAHM_FORMAT : SAHM_OK);
			if (number > 245)
				assert_string_equal(err.msg, message);
			else
				assert_int_equal(champsim_counts(r)->alien, number <= 2);
			champsim_reader_free(r);
			fclose(in);
		}
}

static void test_faults(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t len;
		struct made_record last; /* the third */
		const char *message;
	} rows[] = {
		{"empty", 0, {.ip = 0}, "a.trace: there are no records in it"},
		{"a byte", 1, {.ip = 0}, "a.trace: record 1 at offset 0 is cut short: it has 1 bytes, not 64"},
		{"a byte is missing",
		 127,
		 {.ip = 0},
		 "a.trace: record 2 at offset 64 is cut short: it has 63 bytes, not 64"},
		{"a byte too many",
		 129,
		 {.ip = 0},
		 "a.trace: record 3 at offset 128 is cut short: it has 1 bytes, not 64"},
		{"no flag",
		 192,
		 {.is_branch = 2},
		 "a.trace: record 3 at offset 128 is not one of ChampSim: whether it is a branch is 2, not 0 or 1"},
		{"no outcome",
		 192,
		 {.taken = 9, .to = {26}, .from = {26, 25}},
		 "a.trace: record 3 at offset 128 is not one of ChampSim: whether it is taken is 9, not 0 or 1"},
		{"an outcome that nobody reads", 192, {.taken = 9, .to = {3}}, NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_record records[] = {{.ip = 0x1000}, {.ip = 0x1001}, rows[i].last};
		struct sahm_err err;
		struct executed e;
		FILE *in;
		bool more = true;
		enum sahm_status status = SAHM_OK;
		put(records, 3);
		struct champsim_reader *r = read_bytes(rows[i].len, &in);
		while (status == SAHM_OK && more)
			status = champsim_next(r, &e, &more, &err);
		if (status != (rows[i].message ? SAHM_FORMAT : SAHM_OK) ||
		    (rows[i].message && strcmp(err.msg, rows[i].message) != 0))
			fail_msg("%s: %s", rows[i].name, status == SAHM_OK ? "fine" : err.msg);
		champsim_reader_free(r);
		fclose(in);
	}
}

/* Records and instructions that stand on both sides of the buffer's end, and more instructions than the table of what
 * is known begins with. */
static void test_long(void **state)
{
	(void)state;
	enum { NR = 20000 };
	struct sahm_err err;
	struct executed e;
	bool more;
	uint8_t *all = malloc((size_t)NR * MADE_RECORD_BYTES);
	assert_non_null(all);
	for (unsigned i = 0; i < NR; i++) {
		struct made_record record = {.ip = 0x400000 + 3 * (i % (NR / 2)), .loads = {0x1000 + i}};
		made_record_put(&record, all + (size_t)i * MADE_RECORD_BYTES);
	}
	FILE *in = fmemopen(all, (size_t)NR * MADE_RECORD_BYTES, "r");
	struct champsim_reader *r = champsim_reader_new(in, "a.trace");
	assert_non_null(r);
	for (unsigned i = 0; i < NR; i++) {
		assert_int_equal(champsim_next(r, &e, &more, &err), SAHM_OK);
		assert_int_equal(e.instruction->pc, 0x400000 + 3 * (i % (NR / 2)));
		assert_int_equal(e.accesses[0].address, 0x1000 + i);
		/* The last one of the program goes to its beginning, and has no successor the second time. */
		assert_int_equal(e.instruction->length, i % (NR / 2) == NR / 2 - 1 ? 4 : 3);
	}
	assert_int_equal(champsim_counts(r)->interrupted, 1);
	champsim_reader_free(r);
	fclose(in);
	free(all);
}

/* The file has the program, and its stream has the same instructions, in epochs. */
static void test_file(void **state)
{
	(void)state;
	struct champsim_counts counts;
	struct sahm_err err;
	struct stream *s;
	struct executed e, x;
	char path[80], part[96], *text;
	size_t len;
	FILE *in;
	bool more;
	snprintf(path, sizeof(path), "%s/a.stream", own_folder);
	snprintf(part, sizeof(part), "%s.part", path);
	assert_int_equal(file_read(SYNTHETIC, 1 << 20, &text, &len, &err), SAHM_OK);
	assert_int_equal(len, put(made_program, NR_MADE_RECORDS));
	assert_memory_equal(text, bytes, len);
	free(text);
	if (champsim_import(SYNTHETIC, 10, path, &counts, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(counts.records, NR_MADE_RECORDS);
	assert_int_equal(stream_open(path, NULL, &s, &err), SAHM_OK);
	assert_int_equal(stream_machine(s), MACHINE_X86_64);
	assert_string_equal(stream_program(s), "champsim-synthetic.trace");
	assert_int_equal(stream_nr_epochs(s), (NR_MADE_RECORDS + 9) / 10);
	for (uint64_t epoch = 0; epoch + 1 < stream_nr_epochs(s); epoch++)
		assert_int_equal(stream_epoch_instructions(s, epoch), 10);
	struct champsim_reader *r = read_bytes(len, &in);
	for (size_t i = 0; i < NR_MADE_RECORDS; i++) {
		assert_int_equal(champsim_next(r, &x, &more, &err), SAHM_OK);
		assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
		assert_true(more);
		assert_memory_equal(e.instruction, x.instruction, offsetof(struct insn, destination) + 1);
		assert_int_equal(e.next_pc, x.next_pc);
		if (insn_is_branch((enum insn_class)x.instruction->class))
			assert_int_equal(e.taken, x.taken);
		assert_int_equal(e.nr_accesses, x.nr_accesses);
		for (unsigned a = 0; a < e.nr_accesses; a++)
			assert_int_equal(e.accesses[a].address, x.accesses[a].address);
	}
	champsim_reader_free(r);
	fclose(in);
	stream_free(s);
	/* A failure keeps what is there, and leaves nothing. */
	assert_int_equal(champsim_import("tests/data/streams/rv64.stream", 10, path, &counts, &err), SAHM_FORMAT);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_not_equal(access(part, F_OK), 0);
}

/* A public trace of a real program, where there is one: all its records become instructions, half of whose successors
 * or more show lengths. */
static void test_real_trace(void **state)
{
	const char *trace = getenv("SAHM_CHAMPSIM_TRACE");
	char path[4200];
	struct champsim_counts counts;
	struct stream *s = NULL;
	struct sahm_err err;
	(void)state;
	if (!trace) {
		print_message("SAHM_CHAMPSIM_TRACE does not name a public ChampSim trace: none is imported\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/real.stream", own_folder);
	if (champsim_import(trace, 1000000, path, &counts, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(stream_open(path, NULL, &s, &err), SAHM_OK);
	assert_int_equal(stream_nr_instructions(s), counts.records);
	assert_true(counts.next_lengths > counts.records / 2);
	assert_true(counts.branches[CHAMPSIM_NO_BRANCH] < counts.records);
	stream_free(s);
}

TEST_FILE(test_champsim)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),	   cmocka_unit_test(test_kinds), cmocka_unit_test(test_registers),
		cmocka_unit_test(test_faults),	   cmocka_unit_test(test_long),	 cmocka_unit_test(test_file),
		cmocka_unit_test(test_real_trace),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
