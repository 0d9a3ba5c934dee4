/* Tables of costs: accepted tables, refused ones with their places, and messages for empty cells. All figures are made
 * up.
 */
#include "cores/chip/core_costs.h"

#include <math.h>
#include <string.h>

#include "cores/chip/node_scaling.h"
#include "tests/unit/test.h"

static void must_read(struct core_costs *costs, const char *text)
{
	struct sahm_err err = {.msg = "untouched"};
	if (core_costs_read_text(costs, "t.cfg", text, strlen(text), &err) != SAHM_OK)
		fail_msg("%s: %s", text, err.msg);
	assert_string_equal(err.msg, "untouched");
}

/* Two kinds of joined core, and one row for any speedup. */
#define TABLE                                                                                                          \
	"cores=(\n"                                                                                                    \
	"{type=\"baseline\";area_mm2=2;power_w=\"\";source=\"made up\";},\n"                                           \
	"{type=\"Branch\";area_mm2=3.5;power_w=0.25;source=\"made up\";},\n"                                           \
	"{type=\"branch\";speedup_pct=10;area_mm2=2.5;source=\"made up\";},\n"                                         \
	"{type=\"L2+Branch\";speedup_pct=[30,20];area_mm2=0;source=\"made up\";},\n"                                   \
	"{type=\"l2+l1d\";speedup_pct=30;area_mm2=6;source=\"made up\";},\n"                                           \
	"{type=\"Berti\";power_w=7;source=\"own estimate\";\n area_mm2=\"\";},\n"                                      \
	"{type=\"l1i\";mhz=800;area_mm2=9;source=\"made up\";});"

static void test_find(void **state)
{
	(void)state;
	static const struct {
		const char *type, *speedups;
		enum core_cost which;
		double value; /* NAN: asked for, by `message` */
		const char *message;
		uint32_t mhz;
	} rows[] = {
		{"baseline", NULL, CORE_AREA_MM2, 2, NULL, 0},
		{"BASELINE", "", CORE_AREA_MM2, 2, NULL, 0},
		{"branch", "30", CORE_AREA_MM2, 3.5, NULL, 0},
		{"branch", "", CORE_POWER_W, 0.25, NULL, 0},
		{"branch", "10", CORE_AREA_MM2, 2.5, NULL, 0},
		{"branch", "10.0", CORE_AREA_MM2, 2.5, NULL, 0},
		{"branch+l2", "20,30", CORE_AREA_MM2, 0, NULL, 0},
		{"L2+Branch", "30,20", CORE_AREA_MM2, 0, NULL, 0},
		{"l1d+l2", "30,30", CORE_AREA_MM2, 6, NULL, 0},
		{"l2+L1D", "30", CORE_AREA_MM2, 6, NULL, 0},
		{"berti", "13", CORE_POWER_W, 7, NULL, 0},
		{"baseline", "", CORE_POWER_W, NAN,
		 "t.cfg:2: power_w of core type 'baseline' is empty: put a figure there, with its source", 0},
		{"branch", "10", CORE_POWER_W, NAN,
		 "t.cfg:4: power_w of core type 'branch' is empty: put a figure there, with its source", 0},
		{"berti", "", CORE_AREA_MM2, NAN,
		 "t.cfg:8: area_mm2 of core type 'berti' is empty: put a figure there, with its source", 0},
		{"branch+l2", "30,20", CORE_AREA_MM2, NAN,
		 "t.cfg: no row for core type 'branch+l2' without mhz: add one with its area_mm2 and where that is from",
		 0},
		{"l1i", "30", CORE_POWER_W, NAN,
		 "t.cfg: no row for core type 'l1i' without mhz: add one with its power_w and where that is from", 0},
		{"brnch", "30", CORE_POWER_W, NAN, "unknown core type 'brnch'; did you mean 'branch'?", 0},
		{"branch", "x", CORE_POWER_W, NAN, "bad speedups 'x' of core type 'branch'", 0},
		{"branch", "30,", CORE_POWER_W, NAN, "bad speedups '30,' of core type 'branch'", 0},
		{"l1i", "", CORE_AREA_MM2, 9, NULL, 800},
		{"l1i", "30", CORE_POWER_W, NAN,
		 "t.cfg:9: power_w of core type 'l1i' at 800 MHz is empty: put a figure there, with its source", 800},
		{"branch", "30", CORE_AREA_MM2, NAN,
		 "t.cfg: no row for core type 'branch' at 800 MHz: add one with its area_mm2 and where that is from",
		 800},
	};
	struct core_costs costs;
	must_read(&costs, TABLE);
	assert_int_equal(costs.nr_rows, 7);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {.msg = ""};
		double value = -1;
		print_message("%s %s\n", rows[i].type, rows[i].speedups ? rows[i].speedups : "-");
		enum sahm_status status = core_costs_find(&costs, rows[i].type, rows[i].speedups, rows[i].mhz,
							  rows[i].which, &value, &err);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "");
		assert_int_equal(status, rows[i].message ? SAHM_CONFIG : SAHM_OK);
		assert_true(rows[i].message ? value == -1 : value == rows[i].value);
	}
	core_costs_release(&costs);
}

/* What a core draws: by its name, then by its speedups, then by its type; or which figure is missing. */
static void test_power(void **state)
{
	(void)state;
	static const char text[] = "cores=(\n"
				   "{name=\"quick\";static_w=1;dynamic_w=2;source=\"made up\";},\n"
				   "{type=\"l2\";speedup_pct=10;static_w=3;dynamic_w=4;source=\"made up\";},\n"
				   "{type=\"l2\";static_w=5;event_pj:{l2_misses=6;};source=\"made up\";},\n"
				   "{type=\"l1d\";dynamic_w=1;source=\"made up\";},\n"
				   "{type=\"l1i\";static_w=0;dynamic_w=\"\";source=\"made up\";},\n"
				   "{name=\"quick\";mhz=800;static_w=7;dynamic_w=8;source=\"made up\";},\n"
				   "{name=\"quick\";mhz=900;static_w=9;source=\"made up\";},\n"
				   "{type=\"l2\";mhz=900;static_w=10;dynamic_w=11;source=\"made up\";});";
	static const struct {
		const char *name, *type;
		int32_t ppm;
		double static_w, dynamic_w, miss_pj;
		const char *message;
		uint32_t mhz;
	} rows[] = {
		{"quick", "l2", 100000, 1, 2, 0, NULL, 0},
		{"slow", "l2", 100000, 3, 4, 0, NULL, 0},
		{NULL, "l2", 300000, 5, 0, 6, NULL, 0},
		{NULL, "l1d", 300000, 0, 0, 0, "t.cfg:5: static_w of core type 'l1d' is empty", 0},
		{NULL, "l1i", 300000, 0, 0, 0, "t.cfg:6: dynamic_w of core type 'l1i' is empty, and so is event_pj", 0},
		{NULL, "branch", 300000, 0, 0, 0, "t.cfg: no row for core type 'branch' without mhz", 0},
		{"other", "branch", 300000, 0, 0, 0, "t.cfg: no row for cores called 'other' without mhz", 0},
		{"quick", "l2", 100000, 7, 8, 0, NULL, 800},
		{"slow", "l2", 100000, 10, 11, 0, NULL, 900},
		{"quick", "l2", 100000, 0, 0, 0,
		 "t.cfg:8: dynamic_w of cores called 'quick' at 900 MHz is empty, and so is event_pj", 900},
		{"quick", "branch", 100000, 0, 0, 0, "t.cfg: no row for cores called 'quick' at 899 MHz", 899},
		{NULL, "branch", 100000, 0, 0, 0, "t.cfg: no row for core type 'branch' at 800 MHz", 800},
	};
	struct core_costs costs;
	must_read(&costs, text);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct core_spec spec = {.type = rows[i].type, .speedup_ppm = {rows[i].ppm}, .nr_speedups = 1};
		struct sahm_err err = {.msg = ""};
		struct core_power power;
		enum sahm_status status = core_costs_power(&costs, rows[i].name, &spec, rows[i].mhz, &power, &err);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "");
		assert_int_equal(status, rows[i].message ? SAHM_CONFIG : SAHM_OK);
		if (rows[i].message)
			continue;
		assert_true(power.static_w == rows[i].static_w);
		assert_true(power.dynamic_w[0] == rows[i].dynamic_w && power.dynamic_w[15] == rows[i].dynamic_w);
		assert_true(power.event_pj[COUNTER_L2_MISSES] == rows[i].miss_pj);
	}
	core_costs_release(&costs);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "t.cfg: missing key 'cores': the core types, a row each; required"},
		{"cores=({});",
		 "t.cfg:1: missing key 'cores[].type': a core type, as in chip.cores of a configuration; required without a name"},
		{"cores=({type=\"branch\";area_mm=2;});", "t.cfg:1: unknown key 'cores[0].area_mm'; did you "
							  "mean 'area_mm2'?"},
		{"cores=({type=\"brnch\";});", "t.cfg:1: unknown core type 'brnch'; did you mean 'branch'?"},
		{"cores=({type=\"l2\";area_mm2=-1;source=\"x\";});",
		 "t.cfg:1: 'cores[0].area_mm2' is -1, must be from 0 to 1000000 mm2"},
		{"cores=({type=\"l2\";\npower_w=-0.5;source=\"x\";});",
		 "t.cfg:2: 'cores[0].power_w' is -0.5, must be from 0 to 1000000 W"},
		{"cores=({type=\"l2\";area_mm2=1;});",
		 "t.cfg:1: area_mm2 of core type 'l2' has no source: say in `source` where the figure is from"},
		{"cores=({type=\"l2\";\npower_w=1;source=\"\";});",
		 "t.cfg:2: power_w of core type 'l2' has no source: say in `source` where the figure is from"},
		{"cores=({type=\"l2\";area_mm2=\"1\";source=\"x\";});",
		 "t.cfg:1: area_mm2 is '1', must be a number without quotes, or \"\" where nobody knows it"},
		{"cores=({type=\"l2\";},\n{type=\"L2\";});",
		 "t.cfg:2: a second row for core type 'l2', the first is in line 1"},
		{"cores=({type=\"l2+branch\";speedup_pct=[30,20];},\n{type=\"branch+L2\";speedup_pct=[20,30];});",
		 "t.cfg:2: a second row for core type 'branch+l2' with these speedups, the first is in line 1"},
		{"cores=({type=\"baseline\";speedup_pct=1;});", "t.cfg:1: core type 'baseline' takes no speedup"},
		{"cores=({type=\"l2\";speedup_pct=[1,2];});",
		 "t.cfg:1: core type 'l2' takes one speedup, or one per component, not 2"},
		{"cores=({type=\"l2\";name=\"x\";});", "t.cfg:1: a row has a type or a name, not both"},
		{"cores=({name=\"x\";speedup_pct=3;});",
		 "t.cfg:1: cores of a name have their speedups in the configuration"},
		{"cores=({name=\"x\";},\n{name=\"x\";});",
		 "t.cfg:2: a second row for cores called 'x', the first is in line 1"},
		{"cores=({type=\"l2\";dynamic_w=[1,2];source=\"x\";});",
		 "t.cfg:1: dynamic_w has 2 numbers, must have one, or 16, by state"},
		{"cores=({name=\"x\";static_w=1;});",
		 "t.cfg:1: static_w of cores called 'x' has no source: say in `source` where the figure is from"},
		{"cores=({type=\"l2\";event_pj:{l2_mises=1;};source=\"x\";});",
		 "t.cfg:1: unknown key 'cores[0].event_pj.l2_mises'; did you mean 'l2_misses'?"},
		{"cores=({type=\"l2\";event_pj:{cycles=1;};source=\"x\";});",
		 "t.cfg:1: not every trace has counts of cycles: say dynamic_w instead"},
		{"cores=({name=\"x\";mhz=800;},\n{name=\"x\";mhz=900;},\n{name=\"x\";mhz=800;});",
		 "t.cfg:3: a second row for cores called 'x' at 800 MHz, the first is in line 1"},
		{"cores=({name=\"x\";mhz=0;});", "t.cfg:1: 'cores[0].mhz' is 0, must be from 1 to 100000 MHz"},
		{"cores=({type=\"l2\";area_mm2:{source=\"x\";};});", "t.cfg:1: missing key 'cores[].area_mm2.value'"},
		{"cores=({type=\"l2\";area_mm2:{value=1;source=\" \";};});",
		 "t.cfg:1: area_mm2 of core type 'l2' has no source: say in `source` where the figure is from"},
		{"cores=({type=\"l2\";area_mm2:{value=-1;source=\"x\";};});",
		 "t.cfg:1: 'cores[0].area_mm2.value' is -1, must be from 0 to 1000000 mm2"},
		{"cores=({type=\"l2\";node_nm=45;area_mm2=1;source=\"x\";},\n"
		 "{type=\"l1d\";power_w:{value=1;node_nm=28;};source=\"x\";});",
		 "t.cfg:2: power_w is of 28 nm, and a figure in line 1 of 45 nm: put the node_nm to scale them to beside 'cores'"},
		{"node_nm=32;cores=({type=\"l2\";area_mm2=1;source=\"x\";});",
		 "t.cfg:1: area_mm2 has no node_nm to scale it from to 32 nm"},
		{"node_nm=32;cores=({type=\"l2\";node_nm=40;area_mm2=1;source=\"x\";});",
		 "t.cfg:1: area_mm2: 40 nm cannot be scaled: Stillmaker and Baas (2017) have 130, 90, 65, 45, 32, 20, "
		 "16, 14, 10 and 7 nm; 45 nm is nearest"},
		{"node_nm=32;volts=0.9;cores=({type=\"l2\";mhz=9;node_nm=45;volts=1.0;power_w=1;source=\"x\";});",
		 "t.cfg:1: power_w of a row with mhz cannot be scaled: levels have several voltages"},
		{"volts=1;cores=();", "t.cfg:1: 'volts' has no effect without 'node_nm'"},
		{"devices=\"lp\";cores=();", "t.cfg:1: 'devices' has no effect without 'node_nm'"},
		{"node_nm=7;devices=\"LP\";cores=();", "t.cfg:1: devices is 'LP', must be hp or lp"},
		{"chip:{};", "t.cfg:1: a configuration, not a table of costs"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct core_costs costs;
		struct sahm_err err;
		assert_int_equal(core_costs_read_text(&costs, "t.cfg", rows[i].text, strlen(rows[i].text), &err),
				 SAHM_CONFIG);
		assert_string_equal(err.msg, rows[i].message);
	}
}

static struct core_power power_at(const struct core_costs *costs, uint32_t mhz)
{
	const struct core_spec spec = {.type = "l2"};
	struct core_power power;
	struct sahm_err err;
	if (core_costs_power(costs, NULL, &spec, mhz, &power, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return power;
}

/* Figures are scaled from the node that they say they are of, else from that of their row; and hashed as scaled. */
static void test_scaled(void **state)
{
	(void)state;
#define SCALED                                                                                                         \
	"cores=({type=\"l2\";node_nm=65;volts=1.3;source=\"row\";"                                                     \
	"area_mm2:{value=2;node_nm=45;source=\"its own\";};static_w:{value=1;node_nm=32;volts=0.9;};"                  \
	"dynamic_w=[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2];event_pj:{instructions=1.0;};},"                                  \
	"{type=\"l2\";mhz=800;node_nm=32;volts=0.6;source=\"row\";static_w=3;dynamic_w=4;});"
	static const char *const texts[] = {"node_nm=32;volts=0.9;" SCALED,
					    "node_nm=32;volts=0.9;devices=\"lp\";" SCALED};
	uint8_t hashes[ARRAY_SIZE(texts)][HASH_BYTES];
	for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
		struct core_costs costs;
		struct sahm_err err;
		struct hash h;
		double area = 0, factor;
		must_read(&costs, texts[i]);
		assert_int_equal(core_costs_find(&costs, "l2", "", 0, CORE_AREA_MM2, &area, &err), SAHM_OK);
		assert_true(area == 2 * 0.46);
		struct core_power power = power_at(&costs, 0);
		const struct node from = {65, 1.3}, to = {32, 0.9};
		enum node_devices devices = i ? NODE_LP : NODE_HP;
		assert_true(power.static_w == 1);
		assert_int_equal(node_factor(NODE_POWER, devices, &from, &to, &factor, &err), SAHM_OK);
		assert_true(power.dynamic_w[0] == factor && power.dynamic_w[15] == 2 * factor);
		assert_int_equal(node_factor(NODE_ENERGY, devices, &from, &to, &factor, &err), SAHM_OK);
		assert_true(power.event_pj[COUNTER_INSTRUCTIONS] == factor);
		power = power_at(&costs, 800);
		assert_true(power.static_w == 3 && power.dynamic_w[0] == 4);
		hash_init(&h);
		core_costs_hash(&costs, &h);
		hash_end(&h, hashes[i]);
		core_costs_release(&costs);
	}
	assert_memory_not_equal(hashes[0], hashes[1], HASH_BYTES);
}

/* The shipped table of the study's cores has every type that has a name, and no figure that nobody has published. */
static void test_shipped(void **state)
{
	(void)state;
	struct core_costs costs;
	struct sahm_err err;
	if (core_costs_read(&costs, "configs/costs/cores.cfg", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	for (const struct literature_row *row = literature_rows; row->name; row++) {
		double value;
		assert_int_equal(core_costs_find(&costs, row->name, "", 0, CORE_AREA_MM2, &value, &err), SAHM_CONFIG);
		assert_non_null(strstr(err.msg, " is empty: "));
	}
	core_costs_release(&costs);
	/* Measured cores have a row for each level, and one without. */
	const struct core_spec any = {.type = "baseline"};
	struct core_power level, fastest;
	if (core_costs_read(&costs, "configs/costs/sm8150.cfg", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(core_costs_power(&costs, "gold", &any, 1401, &level, &err), SAHM_OK);
	assert_int_equal(core_costs_power(&costs, "gold", &any, 0, &fastest, &err), SAHM_OK);
	assert_true(level.dynamic_w[0] == 0.3108 && fastest.dynamic_w[0] == 0.8452 && level.static_w == 0);
	core_costs_release(&costs);
	assert_int_equal(core_costs_read(&costs, "configs/costs/none.cfg", &err), SAHM_IO);
}

TEST_FILE(test_core_costs)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_find), cmocka_unit_test(test_power),
					   cmocka_unit_test(test_refused), cmocka_unit_test(test_scaled),
					   cmocka_unit_test(test_shipped)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
