/* Descriptions of processors: the shipped ones, what is refused and where, and that every byte is set. */
#include "cores/uarch/cpu.h"
#include "sim/base/array.h"

#include <string.h>

#include "tests/unit/cores/uarch/made_cpu.h"

#define L1I "l1i = { size_kib = 32; ways = 8; line_bytes = 64; };\n"
#define L1D "l1d = { size_kib = 48; ways = 12; line_bytes = 64; };\n"
#define L2 "l2 = { size_kib = 1280; ways = 10; line_bytes = 64; };\n"
#define HEAD "name = \"Made up\"; source = \"none\";\n" L1I L1D L2
#define GSHARE "counters = 512; history_bits = 8; targets = 32; return_stack = 6;"
#define TAGE "counters = 512; targets = 32; return_stack = 6;"
#define TABLES                                                                                                         \
	"tables = ({ history_bits = 4; entries = 64; tag_bits = 8; }, { history_bits = 9; entries = 128; tag_bits = "  \
	"9; });"

static enum sahm_status read_text(const char *text, struct cpu *cpu, struct sahm_err *err)
{
	return cpu_read_text("t.cfg", text, strlen(text), cpu, err);
}

static void test_read(void **state)
{
	(void)state;
	struct cpu a, b;
	struct sahm_err err = {.msg = "untouched"};
	memset(&a, 0xff, sizeof(a));
	memset(&b, 0, sizeof(b));
	const char *text = HEAD "predictor = { kind = \"tage\"; " TAGE TABLES " };";
	if (read_text(text, &a, &err) != SAHM_OK || read_text(text, &b, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_string_equal(err.msg, "untouched");
	assert_memory_equal(&a, &b, sizeof(a));
	assert_string_equal(a.name, "Made up");
	assert_int_equal(a.l1i.bytes, 32768);
	assert_int_equal(a.l1d.bytes, 49152);
	assert_int_equal(a.l1d.ways, 12);
	assert_int_equal(a.l2.bytes, 1310720);
	assert_int_equal(a.l2.line_bytes, 64);
	assert_int_equal(a.predictor.kind, PREDICTOR_TAGE);
	assert_int_equal(a.predictor.base_bits, 9);
	assert_int_equal(a.predictor.nr_tables, 2);
	assert_int_equal(a.predictor.tables[0].history_bits, 4);
	assert_int_equal(a.predictor.tables[0].entries_bits, 6);
	assert_int_equal(a.predictor.tables[0].tag_bits, 8);
	assert_int_equal(a.predictor.tables[1].history_bits, 9);
	assert_int_equal(a.predictor.tables[1].entries_bits, 7);
	assert_int_equal(a.predictor.target_bits, 5);
	assert_false(a.predictor.targets_by_pc);
	assert_int_equal(a.predictor.return_stack, 6);
	text = HEAD "predictor = { kind = \"tage-sc-l\"; " TAGE TABLES
		    "loops = 8; corrector_tables = 5; corrector_counters = 128; };";
	assert_int_equal(read_text(text, &a, &err), SAHM_OK);
	assert_int_equal(a.predictor.kind, PREDICTOR_TAGE_SC_L);
	assert_int_equal(a.predictor.nr_tables, 2);
	assert_int_equal(a.predictor.loop_bits, 3);
	assert_int_equal(a.predictor.corrector_tables, 5);
	assert_int_equal(a.predictor.corrector_bits, 7);
	text = HEAD "predictor = { kind = \"gshare\"; targets_by = \"pc\"; " GSHARE " };";
	assert_int_equal(read_text(text, &a, &err), SAHM_OK);
	assert_int_equal(a.predictor.kind, PREDICTOR_GSHARE);
	assert_int_equal(a.predictor.gshare_history, 8);
	assert_int_equal(a.predictor.nr_tables, 0);
	assert_true(a.predictor.targets_by_pc);
}

static void test_refused(void **state)
{
	(void)state;
#define WITH(predictor) HEAD "predictor = {" predictor "};"
#define TAGE_WITH(table) WITH("kind = \"tage\"; " TAGE "tables = (" table ");")
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "t.cfg: missing key 'name': what results call it; required"},
		{"name = \"x\";", "t.cfg: missing key 'source': where the figures are from; required"},
		{"name = \" \"; source = \"x\";", "t.cfg:1: name is empty"},
		{"name = \"x\";\nsource = \" \";", "t.cfg:2: source is empty: say where the figures are from"},
		{"name = \"a\\tb\"; source = \"x\";", "t.cfg:1: name 'a?b' has control characters"},
		{"name = \"0123456789012345678901234567890123456789012345678901234567890123\"; source = \"x\";",
		 "t.cfg:1: name '0123456789012345678901234567890123456789...' is longer than 63 bytes"},
		{"nme = \"x\";", "t.cfg:1: unknown key 'nme'; did you mean 'name'?"},
		{"chip = {};", "t.cfg:1: a configuration, not a description of a processor"},
		{"name = \"x\"; source = \"x\";",
		 "t.cfg: missing key 'l1i': the first cache of instructions; required"},
		{"name = \"x\"; source = \"x\";\nl1i = { };",
		 "t.cfg:2: missing key 'l1i.size_kib': capacity of the cache; required"},
		{"name = \"x\"; source = \"x\";\n" L1I L1D "l2 = { size_kib = 1280; ways = 10; };",
		 "t.cfg:4: missing key 'l2.line_bytes': bytes of a line; required"},
		{"name = \"x\"; source = \"x\";\n" L1I "l1d = { size_kib = 48; ways = 8; line_bytes = 64; };",
		 "t.cfg:3: l1d: its size makes a number of sets that is no power of two (48 KiB, ways: 8, line of 64 bytes)"},
		{"name = \"x\"; source = \"x\";\n" L1I "l1d = { size_kib = 50; ways = 12; line_bytes = 64; };",
		 "t.cfg:3: l1d: its size is no multiple of ways times a line (50 KiB, ways: 12, line of 64 bytes)"},
		{"name = \"x\"; source = \"x\";\n" L1I L1D "l2 = {\nsize_kib = 512; ways = 8;\nline_bytes = 96; };",
		 "t.cfg:4: l2: a line is a power of two of bytes, 16 to 4096 (512 KiB, ways: 8, line of 96 bytes)"},
		{"name = \"x\"; source = \"x\"; l1i = { size_kib = 32;\nways = 65; line_bytes = 64; };",
		 "t.cfg:2: 'l1i.ways' is 65, must be from 1 to 64"},
		{"name = \"x\"; source = \"x\"; l1i = { size_kb = 32; };",
		 "t.cfg:1: unknown key 'l1i.size_kb'; did you mean 'l1i.size_kib'?"},
		{HEAD, "t.cfg: missing key 'predictor': the branch predictor; required"},
		{WITH(""), "t.cfg:5: missing key 'predictor.kind': how directions are predicted: tage, gshare or "
			   "tage-sc-l; required"},
		{WITH("kind = \"tge\";"),
		 "t.cfg:5: kind is 'tge', must be tage, gshare or tage-sc-l; did you mean 'tage'?"},
		{WITH("kind = \"tage\";" TAGE), "t.cfg:5: missing key 'predictor.tables': TAGE's tagged tables, the "
						"shortest history first; required with it"},
		{WITH("kind = \"tage\";" TABLES "\nhistory_bits = 3;"),
		 "t.cfg:6: history_bits with kind tage: its tables have separate histories"},
		{WITH("kind = \"tage-sc-l\";" TABLES "\nhistory_bits = 3;"),
		 "t.cfg:6: history_bits with kind tage-sc-l: its tables have separate histories"},
		{WITH("kind = \"tage\";" TABLES TAGE "\nloops = 8;"),
		 "t.cfg:6: loops with kind tage: only tage-sc-l has it"},
		{WITH("kind = \"gshare\";" GSHARE "\ncorrector_counters = 8;"),
		 "t.cfg:6: corrector_counters with kind gshare: only tage-sc-l has it"},
		{WITH("kind = \"tage-sc-l\";" TAGE TABLES),
		 "t.cfg:5: missing key 'predictor.loops': entries of the loop predictor, a power of two; required with "
		 "tage-sc-l, refused with others"},
		{WITH("kind = \"tage-sc-l\";" TAGE TABLES "loops = 2;"),
		 "t.cfg:5: 'predictor.loops' is 2, must be from 4 to 65536"},
		{WITH("kind = \"tage-sc-l\";" TAGE TABLES "loops = 8; corrector_tables = 2;"),
		 "t.cfg:5: 'predictor.corrector_tables' is 2, must be from 3 to 10"},
		{WITH("kind = \"tage-sc-l\";" TAGE TABLES "loops = 8; corrector_tables = 3;\ncorrector_counters = 9;"),
		 "t.cfg:6: 'predictor.corrector_counters' is 9, must be a power of two"},
		{WITH("kind = \"gshare\";" GSHARE "\n" TABLES),
		 "t.cfg:6: tables with kind gshare, which has none but its counters"},
		{WITH("kind = \"gshare\";"), "t.cfg:5: missing key 'predictor.history_bits': global history that "
					     "gshare takes; required with it, refused with "
					     "TAGE, whose tables have their own"},
		{WITH("kind = \"gshare\"; history_bits = 33;"),
		 "t.cfg:5: 'predictor.history_bits' is 33, must be from 0 to 32 branches"},
		{WITH("kind = \"gshare\"; history_bits = 8;\ncounters = 500;"),
		 "t.cfg:6: 'predictor.counters' is 500, must be a power of two"},
		{WITH("kind = \"gshare\"; history_bits = 8; counters = 512;\ntargets = 28;"),
		 "t.cfg:6: 'predictor.targets' is 28, must be a power of two"},
		{WITH("kind = \"gshare\";" GSHARE "\ntargets_by = \"hist\";"),
		 "t.cfg:6: targets_by is 'hist', must be history or pc; did you mean 'history'?"},
		{WITH("kind = \"gshare\"; history_bits = 8; counters = 512; targets = 32; return_stack = 0;"),
		 "t.cfg:5: 'predictor.return_stack' is 0, must be from 1 to 256"},
		{TAGE_WITH(""), "t.cfg:5: predictor: TAGE has 1 to 16 tagged tables"},
		{TAGE_WITH("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}"), "t.cfg:5: more than 16 tables"},
		{TAGE_WITH("\n{ history_bits = 4; entries = 63; tag_bits = 8; }"),
		 "t.cfg:6: 'predictor.tables[].entries' is 63, must be a power of two"},
		{TAGE_WITH("\n{ history_bits = 257; entries = 64; tag_bits = 8; }"),
		 "t.cfg:6: 'predictor.tables[0].history_bits' is 257, must be from 1 to 256 branches"},
		{TAGE_WITH("\n{ history_bits = 4; entries = 64; tag_bits = 16; }"),
		 "t.cfg:6: 'predictor.tables[0].tag_bits' is 16, must be from 4 to 15 bits"},
		{TAGE_WITH("\n{ history_bits = 4; entries = 64; tag_bits = 8; },\n{ history_bits = 4; entries = 64; "
			   "tag_bits = 8; }"),
		 "t.cfg:5: predictor: histories of tagged tables become longer from one to the next"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cpu cpu, before;
		struct sahm_err err;
		memset(&cpu, 0x5a, sizeof(cpu));
		before = cpu;
		assert_int_equal(read_text(rows[i].text, &cpu, &err), SAHM_CONFIG);
		assert_string_equal(err.msg, rows[i].message);
		assert_memory_equal(&cpu, &before, sizeof(cpu));
	}
}

static void test_no_file(void **state)
{
	(void)state;
	struct cpu cpu;
	struct sahm_err err;
	assert_int_equal(cpu_read("/nowhere/x.cfg", &cpu, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot open '/nowhere/x.cfg': No such file or directory");
}

/* What is published (see the files): sizes in KiB and ways. */
static void test_shipped(void **state)
{
	(void)state;
	static const struct {
		uint32_t l1i, l1i_ways, l1d, l1d_ways, l2, l2_ways, returns;
	} sizes[NR_SHIPPED_CPUS] = {
		{32, 8, 48, 12, 1280, 10, 20}, /* golden-cove */
		{32, 8, 32, 8, 1024, 8, 32},   /* zen4 */
		{64, 4, 64, 4, 1024, 8, 32},   /* neoverse-v2 */
		{32, 8, 32, 8, 512, 8, 32},    /* boom-large */
		{16, 4, 16, 4, 512, 8, 6},     /* rocket */
	};
	for (size_t i = 0; i < NR_SHIPPED_CPUS; i++) {
		struct cpu cpu = shipped_cpu(shipped_cpu_names[i]);
		print_message("%s\n", cpu.name);
		assert_int_equal(cpu.l1i.bytes, sizes[i].l1i * 1024);
		assert_int_equal(cpu.l1i.ways, sizes[i].l1i_ways);
		assert_int_equal(cpu.l1d.bytes, sizes[i].l1d * 1024);
		assert_int_equal(cpu.l1d.ways, sizes[i].l1d_ways);
		assert_int_equal(cpu.l2.bytes, sizes[i].l2 * 1024);
		assert_int_equal(cpu.l2.ways, sizes[i].l2_ways);
		assert_int_equal(cpu.l1d.line_bytes, 64);
		assert_int_equal(cpu.predictor.return_stack, sizes[i].returns);
	}
	shipped_cpu(DEFAULT_CPU);
}

TEST_FILE(test_cpu)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_shipped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
