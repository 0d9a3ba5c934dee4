/* Refused spaces, with their messages and places; arguments of the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/unit/sim/sweep/made_space.h"

#define KEY_INERTIA "{ key = \"scheduler.inertia\"; values = [0, 5]; }"
#define MIX_TYPES "types = ( { type = \"baseline\"; }, { type = \"l2\"; speedup_pct = 30; } ); "

static void test_sections(void **state)
{
	static const struct {
		const char *axes, *message;
		enum sahm_status status;
	} rows[] = {
		{"{ }", "t.cfg:2: an axis has one of 'key', 'zip', 'points' and 'generator', not 0", SAHM_CONFIG},
		{"{ key = \"a\"; generator = \"paper\"; }",
		 "t.cfg:2: an axis has one of 'key', 'zip', 'points' and 'generator', not 2", SAHM_CONFIG},
		{"{ kye = \"a\"; }", "t.cfg:2: unknown key 'axes[0].kye'; did you mean 'key'?", SAHM_CONFIG},
		{"{ key = \"scheduler.inertai\"; values = [1]; }",
		 "t.cfg:2: unknown key 'scheduler.inertai'; did you mean 'scheduler.inertia'?", SAHM_CONFIG},
		{"{ key = \"scheduler..x\"; values = [1]; }", "t.cfg:2: malformed key 'scheduler..x'", SAHM_CONFIG},
		{"{ key = \"sweep\"; values = [1]; }", "t.cfg:2: 'sweep' cannot be varied: it is what varies",
		 SAHM_CONFIG},
		{"{ key = \"scheduler\"; values = [1]; }",
		 "t.cfg:2: 'scheduler' is a group: it takes values in {}, or one of its keys is varied", SAHM_CONFIG},
		{"{ key = \"chip.cores\"; values = [1]; }",
		 "t.cfg:2: 'chip.cores' is a list: it takes values in (), or one of its elements' keys is varied",
		 SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; }", "t.cfg:2: missing key 'axes[].values': ", SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = (); }", "t.cfg:2: axis 'scheduler.inertia' has no values",
		 SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = (1, 2,\n1); }",
		 "t.cfg:2: value '1' is on axis 'scheduler.inertia' twice", SAHM_CONFIG},
		{"{ key = \"migration.cost_ms\"; values = (1, 1.0); }",
		 "t.cfg:2: value '1' is on axis 'migration.cost_ms' twice", SAHM_CONFIG},
		{KEY_INERTIA ",\n{ name = \"x\"; key = \"scheduler.inertia\"; values = [1]; }",
		 "t.cfg:3: 'scheduler.inertia' on axis 'x' is set by axis 'scheduler.inertia' already", SAHM_CONFIG},
		{KEY_INERTIA ",\n" KEY_INERTIA,
		 "t.cfg:3: two axes are called 'scheduler.inertia': give one another 'name'", SAHM_CONFIG},
		{"{ key = \"chip.cores[0].count\"; values = [1, 2]; },\n{ generator = \"paper\"; }",
		 "t.cfg:3: 'chip.cores' on axis 'chip' would undo what axis 'chip.cores[0].count' sets inside of it: "
		 "put it first",
		 SAHM_CONFIG},
		{"{ key = \"chip.cores[1].count\"; values = [1]; },\n{ name = \"y\"; key = \"chip.cores[01].count\"; "
		 "values = [2]; }",
		 "t.cfg:3: 'chip.cores[1].count' on axis 'y' is set by axis 'chip.cores[1].count' already",
		 SAHM_CONFIG},
		{"{ zip = ( { key = \"scheduler.inertia\"; values = [0, 5]; },\n"
		 "{ key = \"migration.cost_ms\"; values = [0]; } ); }",
		 "t.cfg:3: 'migration.cost_ms' has 1 values, and 'scheduler.inertia', with which it changes, 2",
		 SAHM_CONFIG},
		{"{ zip = ( { key = \"scheduler.inertia\"; values = [0]; },\n"
		 "{ key = \"scheduler.inertia\"; values = [1]; } ); }",
		 "t.cfg:3: 'scheduler.inertia' would undo 'scheduler.inertia' before it", SAHM_CONFIG},
		{"{ zip = (); }", "t.cfg:2: 'zip' is empty", SAHM_CONFIG},
		{"{ points = ( { name = \"a\"; set = [\"scheduler.inertia\"]; } ); }",
		 "t.cfg:2: 'scheduler.inertia' is no setting, which is written as key.path=value", SAHM_CONFIG},
		{"{ points = ( { name = \"a\"; }, { name = \"a\"; } ); }",
		 "t.cfg:2: value 'a' is on axis 'point' twice", SAHM_CONFIG},
		{"{ points = ( { set = []; } ); }", "t.cfg:2: missing key 'axes[].points[].name': ", SAHM_CONFIG},
		{"{ points = ( { name = \"a\"; set = [\"chip.cores[0].count=1\", \"chip.cores=()\"]; } ); }",
		 "t.cfg:2: 'chip.cores' would undo 'chip.cores[0].count' before it", SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = \"5..1\"; }", "t.cfg:2: range '5..1' ends before it begins",
		 SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = \"1..5..0\"; }",
		 "t.cfg:2: range '1..5..0' has a step that is not above 0", SAHM_CONFIG},
		{"{ key = \"migration.cost_ms\"; values = \"0..1..0.0000000001\"; }", "t.cfg:2: malformed range ",
		 SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = \"1e0..5\"; }", "t.cfg:2: malformed range ", SAHM_CONFIG},
		{"{ key = \"scheduler.policy\"; values = \"1..5\"; }",
		 "t.cfg:2: 'scheduler.policy' is no number and has no ranges: its values are a list", SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = \"0..1048576\"; }",
		 "t.cfg:2: axis 'scheduler.inertia' would have 1048577 values, must be at most 1048576", SAHM_RANGE},
		{"{ key = \"scheduler.inertia\"; values = \"0..1048575\"; }, { key = \"workload.seed\"; values = "
		 "\"0..16\"; }",
		 "t.cfg:1: the sweep would have 1048576 x 17 = 17825792 points, must be at most 16777216", SAHM_RANGE},
		{"{ zip = ( { key = \"scheduler.inertia\"; values = \"1..1048576\"; }, { key = \"workload.seed\"; "
		 "values = \"1..1048576\"; }, { key = \"migration.cost_ms\"; values = \"1..1048576\"; }, { key = "
		 "\"workload.samples\"; values = \"1..1048576\"; }, { key = \"scheduler.timestep_ms\"; values = "
		 "\"1..1048576\"; } ); }",
		 "t.cfg:2: the values of all axes would make more than 4194304 settings", SAHM_RANGE},
		{"{ generator = \"papre\"; }",
		 "t.cfg:2: unknown generator 'papre' (paper, mixes); did you mean 'paper'?", SAHM_CONFIG},
		{"{ generator = \"paper\"; cores = 2; }",
		 "t.cfg:2: 'cores' has no effect on an axis with generator 'paper'", SAHM_CONFIG},
		{"{ generator = \"paper\"; values = [1]; }",
		 "t.cfg:2: 'values' has no effect on an axis with generator 'paper'", SAHM_CONFIG},
		{"{ key = \"scheduler.inertia\"; values = [1]; fill = true; }",
		 "t.cfg:2: 'fill' has no effect on an axis with the key 'key'", SAHM_CONFIG},
		{"{ generator = \"paper\"; baseline = 0; }",
		 "t.cfg:2: without a baseline core, the chip without other cores has none at all", SAHM_CONFIG},
		{"{ generator = \"paper\"; baseline = 1; each = 1024; }",
		 "t.cfg:2: chips would have up to 4097 cores, must be at most 4096", SAHM_CONFIG},
		{"{ generator = \"paper\"; speedups_pct = [10, 10]; }",
		 "t.cfg:2: value 'branch:10' is on axis 'chip' twice", SAHM_CONFIG},
		{"{ generator = \"mixes\"; cores = 2; }", "t.cfg:2: missing key 'axes[].types': ", SAHM_CONFIG},
		{"{ generator = \"mixes\"; " MIX_TYPES "}", "t.cfg:2: missing key 'axes[].cores': ", SAHM_CONFIG},
		{"{ generator = \"mixes\"; " MIX_TYPES "cores = 2; least_cores = 3; }",
		 "t.cfg:2: at least 3 cores, and at most 2", SAHM_CONFIG},
		{"{ generator = \"mixes\"; types = ( { type = \"l3\"; } ); cores = 2; }", "t.cfg:2: ", SAHM_CONFIG},
		{"{ generator = \"mixes\"; types = ( { type = \"baseline\"; most = 1; } ); cores = 2; }",
		 "t.cfg:2: no mix of these types keeps within the bounds", SAHM_CONFIG},
		{"{ generator = \"mixes\"; " MIX_TYPES "cores = 2; max_area_mm2 = 3; }",
		 "t.cfg:2: missing key 'axes[].costs': ", SAHM_CONFIG},
		{"{ generator = \"mixes\"; types = ( { type = \"baseline\"; area_mm2 = 1; }, { type = \"l2\"; "
		 "speedup_pct = 30; } ); "
		 "cores = "
		 "2; max_area_mm2 = 3; }",
		 "t.cfg:2: missing key 'axes[].costs': ", SAHM_CONFIG},
		{"{ generator = \"mixes\"; types = ( { type = \"baseline\"; power_w = 1; } ); cores = 2; max_area_mm2 "
		 "= 3; }",
		 "t.cfg:2: 'power_w' has no effect without 'max_power_w'", SAHM_CONFIG},
		{"{ generator = \"mixes\"; types = ( { type = \"baseline\"; area_mm2 = -1; } ); cores = 2; "
		 "max_area_mm2 = 3; }",
		 "t.cfg:2: 'sweep.axes[0].types[0].area_mm2' is -1, must be from 0 to 1000000 mm2", SAHM_CONFIG},
		{"{ generator = \"mixes\"; " MIX_TYPES "cores = 2; costs = \"x\"; }",
		 "t.cfg:2: 'costs' has no effect without 'max_area_mm2' or 'max_power_w'", SAHM_CONFIG},
		{"{ generator = \"mixes\"; " MIX_TYPES "cores = 2; costs = \"nowhere\"; max_power_w = 3; }",
		 "t.cfg:2: there is no table of costs 'nowhere' beside the configuration or in the data folder",
		 SAHM_CONFIG},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct space s;
		struct sahm_err err = {0};
		char text[1024];
		snprintf(text, sizeof(text), "sweep : { axes = (\n%s ); };", rows[i].axes);
		enum sahm_status status = read_space(&s, text, NULL, 0, &err);
		if (status != rows[i].status || err.status != status ||
		    strncmp(err.msg, rows[i].message, strlen(rows[i].message)) != 0)
			fail_msg("%s: %d: %s", rows[i].axes, status, err.msg);
	}
}

static void test_evaluators(void **state)
{
	struct space s;
	struct sahm_err err;
	(void)state;
	assert_int_equal(read_space(&s, "sweep : { evaluator = \"limit\"; };", NULL, 0, &err), SAHM_OK);
	assert_string_equal(s.evaluator, "limit");
	assert_true(s.has_evaluator);
	space_release(&s);
	assert_int_equal(read_space(&s, "sweep : { evaluator = \"limits\"; };", NULL, 0, &err), SAHM_CONFIG);
	assert_string_equal(err.msg, "t.cfg:1: unknown evaluator 'limits' (run, limit); did you mean 'limit'?");
	assert_int_equal(read_space(&s, "sweep = 5;", NULL, 0, &err), SAHM_CONFIG);
	assert_string_equal(err.msg, "t.cfg:1: 'sweep' must be a group");
}

/* The same space from a section and from arguments. */
static void test_arguments(void **state)
{
	static const struct space_argument args[] = {
		{"chip=paper:baseline=7,each=8,fill=true,speedups_pct=[10.0, 30.0]", false},
		{"scheduler.policy=sahm, \"keen\"", false},
		{"migration.cost_ms=0,1.0,2.5", false},
		{"scheduler.inertia=0..10..5", true},
		{"chip.cores[0].speedup_pct=[1,2],(3,4.5)", false},
	};
	struct space from_args, from_file;
	struct sahm_err err;
	(void)state;
	if (read_space(&from_args, "", args, 5, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	make_space(&from_file,
		   "{ generator = \"paper\"; baseline = 7; each = 8; fill = true; speedups_pct = (10, 30); },\n"
		   "{ key = \"scheduler.policy\"; values = (\"sahm\", \"keen\"); },\n"
		   "{ zip = ( { key = \"migration.cost_ms\"; values = (0, 1.0, 2.5); },\n"
		   "{ key = \"scheduler.inertia\"; values = [0, 5, 10]; } ); },\n"
		   "{ key = \"chip.cores[0].speedup_pct\"; values = ([1, 2], (3, 4.5)); }");
	assert_same_space(&from_args, &from_file);
	assert_reads_back(&from_args);
	space_release(&from_args);
	space_release(&from_file);
}

static void test_wrong_arguments(void **state)
{
	static const struct {
		struct space_argument args[2];
		size_t nr;
		const char *message;
	} rows[] = {
		{{{"scheduler.inertia", false}},
		 1,
		 "--axis scheduler.inertia: must be written as key.path=value,value... or key.path=FIRST..LAST"},
		{{{"scheduler.inertai=1", false}},
		 1,
		 "--axis scheduler.inertai=1: unknown key 'scheduler.inertai'; did you mean 'scheduler.inertia'?"},
		{{{"scheduler.inertia=1,,2", false}}, 1, "--axis scheduler.inertia=1,,2: an empty value"},
		{{{"scheduler.inertia=0..3,5", false}},
		 1,
		 "--axis scheduler.inertia=0..3,5: a range cannot be combined with other values"},
		{{{"scheduler.inertia=5..3", false}},
		 1,
		 "--axis scheduler.inertia=5..3: range '5..3' ends before it begins"},
		{{{"scheduler.inertia=1e", false}}, 1, "--axis scheduler.inertia=1e: '1e': malformed number '1e'"},
		{{{"scheduler.inertia=1,1", false}},
		 1,
		 "--axis scheduler.inertia=1,1: value '1' is on axis 'scheduler.inertia' twice"},
		{{{"scheduler.inertia=1", true}}, 1, "--zip scheduler.inertia=1: there is no --axis before it"},
		{{{"scheduler.inertia=1,2", false}, {"migration.cost_ms=1", true}},
		 2,
		 "--zip migration.cost_ms=1: 'migration.cost_ms' has 1 values, and 'scheduler.inertia', with which it "
		 "changes, 2"},
		{{{"scheduler.inertia=1", false}, {"scheduler.inertia=2", false}},
		 2,
		 "--axis scheduler.inertia=2: two axes are called 'scheduler.inertia'"},
		{{{"chip=paper", false}, {"scheduler.inertia=2", true}},
		 2,
		 "--zip scheduler.inertia=2: nothing changes together with a generator"},
		{{{"chip=papr", false}},
		 1,
		 "--axis chip=papr: unknown generator 'papr' (paper, mixes); did you mean 'paper'?"},
		{{{"chip=paper:eech=2", false}},
		 1,
		 "--axis chip=paper:eech=2: unknown key 'axes[0].eech'; did you mean 'each'?"},
		{{{"chip=paper:each=2});x=({y=1", false}}, 1, "--axis chip=paper:each=2});x=({y=1: "},
		{{{"scheduler=1", false}},
		 1,
		 "--axis scheduler=1: 'scheduler' is a group: it takes values in {}, or one of its keys is varied"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct space s;
		struct sahm_err err = {0};
		enum sahm_status status = read_space(&s, "", rows[i].args, rows[i].nr, &err);
		if (status != SAHM_USAGE || strncmp(err.msg, rows[i].message, strlen(rows[i].message)) != 0)
			fail_msg("%s: %d: %s", rows[i].args[0].text, status, err.msg);
	}
}

/* Names of files in a section are seen from its file; those that are not there are left for the search to come. */
static void test_files(void **state)
{
	char folder[] = "/tmp/sahm-space-XXXXXX", path[64], file[64], expected[128];
	struct space s;
	struct sahm_err err;
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/mine.csv", folder);
	snprintf(file, sizeof(file), "%s/t.cfg", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	static const char text[] =
		"sweep : { axes = (\n"
		"{ key = \"workload.traces\"; values = ( [\"mine.csv\", \"gzip.csv\"],\n"
		"({ file = \"mine.csv\"; bursts = { file = \"mine.csv\"; }; }) ); },\n"
		"{ name = \"p\"; points = ( { name = \"a\"; set = [\"scheduler.policy=./mine.csv\"]; },\n"
		"{ name = \"b\"; set = [\"scheduler.policy=mine.csv\"]; } ); },\n"
		"{ key = \"introspection.image\"; values = (\"mine.csv\", \"classify\"); } ); };";
	if (read_space_from(&s, file, text, NULL, 0, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	char *real = realpath(path, NULL);
	snprintf(expected, sizeof(expected), "workload.traces=[\"%s\", \"gzip.csv\"]", real);
	assert_string_equal(s.axes[0].values[0].settings[0], expected);
	assert_string_equal(s.axes[0].values[0].label, "[mine.csv, gzip.csv]");
	snprintf(expected, sizeof(expected), "workload.traces=({file = \"%s\"; bursts = {file = \"%s\";};})", real,
		 real);
	assert_string_equal(s.axes[0].values[1].settings[0], expected);
	snprintf(expected, sizeof(expected), "scheduler.policy=\"%s\"", real);
	assert_string_equal(s.axes[1].values[0].settings[0], expected);
	assert_string_equal(s.axes[1].values[1].settings[0], "scheduler.policy=\"mine.csv\"");
	snprintf(expected, sizeof(expected), "introspection.image=\"%s\"", real);
	assert_string_equal(s.axes[2].values[0].settings[0], expected);
	assert_string_equal(s.axes[2].values[1].settings[0], "introspection.image=\"classify\"");
	assert_reads_back(&s);
	free(real);
	space_release(&s);
	remove(path);
	rmdir(folder);
}

TEST_FILE(test_space_errors)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sections),  cmocka_unit_test(test_evaluators),
		cmocka_unit_test(test_arguments), cmocka_unit_test(test_wrong_arguments),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests_name("space_errors", tests, NULL, NULL);
}
