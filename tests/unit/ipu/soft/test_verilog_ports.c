/* Ports and registers of designs in Verilog, from texts: no Verilator is needed. */
#include <stdlib.h>

#include "ipu/soft/verilog.h"
#include "tests/unit/test.h"

#define FIXED "    VL_IN8(&clk,0,0);\n    VL_IN8(&rst,0,0);\n"
#define BUS                                                                                                            \
	"    VL_IN8(&reg_write,0,0);\n    VL_IN16(&reg_addr,11,0);\n    VL_IN(&reg_wdata,31,0);\n"                     \
	"    VL_OUT(&reg_rdata,31,0);\n"

static const struct verilog_signal signals[] = {{"branches", 64}, {"thread", 32}};
static const struct verilog_map maps[] = {{"b", "branches"}, {"b", "thread"}};

static const struct verilog_build build = {.source = "a.v",
					   .top = "a",
					   .name = "a",
					   .version = "1",
					   .spec = "the ABI spec 's'",
					   .signals = signals,
					   .nr_signals = ARRAY_SIZE(signals)};

static void test_good(void **state)
{
	(void)state;
	static const char source[] = "// input b\n// sahm: register two 0x8 rw\n  // sahm: register one 4 r\n"
				     "module a(input clk,\n input [63:0] b, input b_valid, input [31:0] thread);\n";
	static const char header[] =
		"class Vsoft {\n  // VL_IN8(&no,0,0);\n" FIXED BUS
		"    VL_IN8(&b_valid,0,0);\n    VL_IN(&thread,31,0);\n    VL_IN64(&b,63,0);\n"
		"    VL_IN64(&cycle,47,0);\n    VL_OUT8(&out_valid,0,0);\n    VL_OUT(&out_data,31,0);\n";
	struct verilog_build b = build;
	struct verilog_ports *p = calloc(1, sizeof(*p));
	struct arena a;
	struct sahm_err err;
	struct textbuf out;
	arena_init(&a);
	textbuf_init(&out);
	b.maps = maps;
	b.nr_maps = 1;
	assert_non_null(p);
	assert_int_equal(verilog_read_registers(p, &a, "a.v", source, &err), SAHM_OK);
	assert_int_equal(verilog_read_ports(p, &a, &b, source, header, &err), SAHM_OK);
	verilog_write_ports(p, &b, &out);
	assert_string_equal(
		out.text,
		"#define SOFT_NAME \"a\"\n#define SOFT_VERSION \"1\"\n"
		"#define SOFT_INPUTS \\\n\tINPUT(0, b, \"branches\", 64) \\\n\tINPUT(1, thread, \"thread\", 32)\n"
		"#define SOFT_VALIDS \\\n\tVALID(0, b_valid)\n"
		"#define SOFT_REGISTERS \\\n\tREGISTER(\"one\", 0x4, 1) \\\n\tREGISTER(\"two\", 0x8, 3)\n"
		"#define HAS_BUS\n#define HAS_PACKETS\n#define CYCLE_MASK UINT64_C(0xffffffffffff)\n");
	textbuf_release(&out);
	arena_release(&a);
	free(p);
}

static void test_messages(void **state)
{
	(void)state;
	static const struct {
		const char *source, *header, *message;
		size_t nr_maps;
	} rows[] = {
		{"\n// sahm: register x", FIXED,
		 "a.v:2: bad line, must be '// sahm: register NAME OFFSET ACCESS', ACCESS r, w or rw", 0},
		{"// sahm: register X 0 r", FIXED,
		 "a.v:1: bad register 'X', must be 1 to 31 lower-case letters, digits and '_', a letter first", 0},
		{"// sahm: register 0foo 0 r", FIXED,
		 "a.v:1: bad register '0foo', must be 1 to 31 lower-case letters, digits and '_', a letter first", 0},
		{"// sahm: register x 2 r", FIXED,
		 "a.v:1: bad offset '2' of register 'x', must be a multiple of 4 below 0x1000", 0},
		{"// sahm: register x 0x1000 r", FIXED,
		 "a.v:1: bad offset '0x1000' of register 'x', must be a multiple of 4 below 0x1000", 0},
		{"// sahm: register x 0 r\n// sahm: register y 0 r", FIXED,
		 "a.v:2: register 'y' at 0x0: register 'x' is at 0x0 already", 0},
		{"", "    VL_IN8(&clk,0,0);\n    VL_IN8(&x,0,0);\n", "a.v: module 'a' has no port 'rst'", 0},
		{"", FIXED, "a.v: module 'a' has no input for a signal", 0},
		{"\ninput [1:0] clk", "    VL_IN8(&clk,1,0);\n    VL_IN8(&rst,0,0);\n",
		 "a.v:2: port 'clk' has 2 bits as an input, must have 1 as an input", 0},
		{"", FIXED "    VL_OUT8(&out_valid,0,0);\n", "a.v: module 'a' has no port 'out_data'", 0},
		{"output x", FIXED "    VL_OUT8(&x,0,0);\n",
		 "a.v:1: nothing reads the output 'x' (outputs: reg_rdata, out_valid, out_data)", 0},
		{"input w", FIXED "    VL_INW(&w,64,0,3);\n", "a.v:1: port 'w' has 65 bits, at most 64 are possible",
		 0},
		{"input [63:0] branches,\n input [1:0] branches_valid",
		 FIXED "    VL_IN64(&branches,63,0);\n    VL_IN8(&branches_valid,1,0);\n",
		 "a.v:2: port 'branches_valid' has 2 bits, must have 1 bit", 0},
		{"input [63:0] branchs", FIXED "    VL_IN64(&branchs,63,0);\n",
		 "a.v:1: port 'branchs': the ABI spec 's' has no signal 'branchs'; did you mean 'branches'? "
		 "(--map branchs=SIGNAL names another)",
		 0},
		{"input [63:0] b", FIXED "    VL_IN64(&b,63,0);\n", "--map names the port 'b' twice", 2},
		{"input [31:0] branches", FIXED "    VL_IN(&branches,31,0);\n",
		 "a.v:1: port 'branches' has 32 bits, but signal 'branches' of the ABI spec 's' has 64", 0},
		{"input [62:0] b", FIXED "    VL_IN64(&b,62,0);\n",
		 "a.v:1: port 'b' has 63 bits, but signal 'branches' of the ABI spec 's' has 64", 1},
		{"input x", FIXED "    VL_IN8(&x,0,0);\n", "--map: module 'a' of 'a.v' has no input 'b' for a signal",
		 1},
		{"input x", FIXED "    VL_IN8(&x,0,0);\n",
		 "a.v:1: port 'x': the ABI spec 's' has no signal 'x' (--map x=SIGNAL names another)", 0},
		{"input [63:0] b,\n input [63:0] branches",
		 FIXED "    VL_IN64(&b,63,0);\n    VL_IN64(&branches,63,0);\n",
		 "a.v:2: ports 'b' and 'branches' have one signal, 'branches'", 1},
		{"input [63:0] branches\n output reg_rdata", FIXED BUS "    VL_IN64(&branches,63,0);\n",
		 "a.v:2: no line '// sahm: register NAME OFFSET ACCESS' says which registers there are", 0},
		{"// sahm: register x 0 r\ninput [63:0] branches", FIXED "    VL_IN64(&branches,63,0);\n",
		 "a.v: there are registers, but module 'a' has no port 'reg_rdata'", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct verilog_build b = build;
		struct verilog_ports *p = calloc(1, sizeof(*p));
		struct arena a;
		struct sahm_err err = {.status = SAHM_OK};
		arena_init(&a);
		b.maps = maps;
		b.nr_maps = rows[i].nr_maps;
		assert_non_null(p);
		enum sahm_status status = verilog_read_registers(p, &a, "a.v", rows[i].source, &err);
		if (status == SAHM_OK)
			status = verilog_read_ports(p, &a, &b, rows[i].source, rows[i].header, &err);
		assert_int_not_equal(status, SAHM_OK);
		assert_string_equal(err.msg, rows[i].message);
		arena_release(&a);
		free(p);
	}
}

TEST_FILE(test_verilog_ports)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_messages)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
