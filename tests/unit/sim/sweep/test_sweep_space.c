/* Spaces of sweeps: what axes come to, in which order, and that they read back as they are written. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cores/chip/study_space.h"
#include "sim/base/array.h"
#include "sim/engine/config/run_config.h"
#include "tests/unit/sim/sweep/made_space.h"

static void assert_point(const struct space *space, uint64_t position, const char *text, const char *settings)
{
	const char *list[64];
	struct textbuf words, all;
	textbuf_init(&words);
	textbuf_init(&all);
	assert_true(space->max_settings <= 64);
	space_write_point(space, position, &words);
	size_t nr = space_settings(space, position, list);
	assert_true(nr <= space->max_settings);
	for (size_t i = 0; i < nr; i++)
		textbuf_printf(&all, "%s%s", i ? " | " : "", list[i]);
	assert_string_equal(words.text, text);
	assert_string_equal(all.text, settings);
	textbuf_release(&words);
	textbuf_release(&all);
}

static void test_no_axes(void **state)
{
	struct space s;
	(void)state;
	make_space(&s, "");
	assert_int_equal(s.nr_points, 1);
	assert_int_equal(s.max_settings, 0);
	assert_string_equal(s.evaluator, "run");
	assert_false(s.has_evaluator);
	assert_point(&s, 0, "", "");
	assert_reads_back(&s);
	space_release(&s);
	assert_int_equal(space_read(&s, NULL, NULL, 0, NULL, NULL), SAHM_OK);
	assert_int_equal(s.nr_points, 1);
	space_release(&s);
}

/* The first axis varies slowest; settings come in the order of axes. */
static void test_order(void **state)
{
	struct space s;
	(void)state;
	make_space(&s, "{ key = \"scheduler.policy\"; values = [\"sahm\", \"keen\"]; name = \"policy\"; },\n"
		       "{ key = \"migration.cost_ms\"; values = [0.0, 1.5, 10.0]; },\n"
		       "{ key = \"chip.cores[1].speedup_pct\"; values = ([10.0, 20.0], 30); }");
	assert_int_equal(s.nr_points, 12);
	assert_int_equal(s.axes[0].stride, 6);
	assert_int_equal(s.axes[1].stride, 2);
	assert_int_equal(s.axes[2].stride, 1);
	assert_point(&s, 0, "policy=sahm, migration.cost_ms=0, chip.cores[1].speedup_pct=[10, 20]",
		     "scheduler.policy=\"sahm\" | migration.cost_ms=0.0 | chip.cores[1].speedup_pct=[10.0, 20.0]");
	assert_point(&s, 1, "policy=sahm, migration.cost_ms=0, chip.cores[1].speedup_pct=30",
		     "scheduler.policy=\"sahm\" | migration.cost_ms=0.0 | chip.cores[1].speedup_pct=30");
	assert_point(&s, 2, "policy=sahm, migration.cost_ms=1.5, chip.cores[1].speedup_pct=[10, 20]",
		     "scheduler.policy=\"sahm\" | migration.cost_ms=1.5 | chip.cores[1].speedup_pct=[10.0, 20.0]");
	assert_point(&s, 11, "policy=keen, migration.cost_ms=10, chip.cores[1].speedup_pct=30",
		     "scheduler.policy=\"keen\" | migration.cost_ms=10.0 | chip.cores[1].speedup_pct=30");
	assert_reads_back(&s);
	space_release(&s);
}

/* Every choice of values has one position, and its settings say so. */
static void test_positions(void **state)
{
	struct space s;
	const char *settings[3];
	uint64_t position = 0;
	char expected[64];
	(void)state;
	make_space(&s, "{ key = \"scheduler.inertia\"; values = \"0..6\"; },\n"
		       "{ key = \"workload.samples\"; values = \"1..4\"; },\n"
		       "{ key = \"workload.seed\"; values = \"5..9\"; }");
	assert_int_equal(s.nr_points, 7 * 4 * 5);
	for (int a = 0; a <= 6; a++)
		for (int b = 1; b <= 4; b++)
			for (int c = 5; c <= 9; c++, position++) {
				assert_int_equal(space_settings(&s, position, settings), 3);
				snprintf(expected, sizeof(expected), "scheduler.inertia=%d", a);
				assert_string_equal(settings[0], expected);
				snprintf(expected, sizeof(expected), "workload.samples=%d", b);
				assert_string_equal(settings[1], expected);
				snprintf(expected, sizeof(expected), "workload.seed=%d", c);
				assert_string_equal(settings[2], expected);
			}
	assert_int_equal(position, s.nr_points);
	space_release(&s);
}

static void test_ranges(void **state)
{
	static const struct {
		const char *key, *range, *labels, *last;
	} rows[] = {
		{"scheduler.inertia", "0..10..2", "0 2 4 6 8 10", "10"},
		{"scheduler.inertia", "0..11..4", "0 4 8", "8"},
		{"scheduler.inertia", "3..3", "3", "3"},
		{"chip.cores[0].speedup_pct", "-0.3..0.3..0.1", "-0.3 -0.2 -0.1 0 0.1 0.2 0.3", "0.3"},
		{"migration.cost_ms", "0.1..0.7..0.3", "0.1 0.4 0.7", "0.7"},
		{"migration.cost_ms", "1..1.000000002..0.000000001", "1 1.000000001 1.000000002", "1.000000002"},
		{"workload.seed", "2147483647..2147483648", "2147483647 2147483648", "2147483648L"},
		{"workload.seed", "9223372036854775806..9223372036854775807", "9223372036854775806 9223372036854775807",
		 "9223372036854775807L"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char axis[256], setting[256];
		struct space s;
		struct textbuf labels;
		textbuf_init(&labels);
		snprintf(axis, sizeof(axis), "{ key = \"%s\"; values = \"%s\"; }", rows[i].key, rows[i].range);
		snprintf(setting, sizeof(setting), "%s=%s", rows[i].key, rows[i].last);
		make_space(&s, axis);
		for (uint64_t v = 0; v < s.nr_points; v++)
			textbuf_printf(&labels, "%s%s", v ? " " : "", s.axes[0].values[v].label);
		assert_string_equal(labels.text, rows[i].labels);
		assert_string_equal(s.axes[0].values[s.nr_points - 1].settings[0], setting);
		assert_reads_back(&s);
		textbuf_release(&labels);
		space_release(&s);
	}
}

/* Ten thousand steps of a tenth: the last is as exact as the first. */
static void test_no_error_adds_up(void **state)
{
	struct space s;
	(void)state;
	make_space(&s, "{ key = \"migration.cost_ms\"; values = \"0..1000..0.1\"; }");
	assert_int_equal(s.nr_points, 10001);
	assert_string_equal(s.axes[0].values[3].label, "0.3");
	assert_string_equal(s.axes[0].values[9999].label, "999.9");
	assert_string_equal(s.axes[0].values[10000].settings[0], "migration.cost_ms=1000");
	space_release(&s);
}

static void test_zip(void **state)
{
	struct space s;
	(void)state;
	make_space(&s, "{ zip = ( { key = \"scheduler.inertia\"; values = \"0..10..5\"; },\n"
		       "{ key = \"migration.cost_ms\"; values = (0, 1.0, 9); } ); },\n"
		       "{ key = \"scheduler.oracle\"; values = [true, false]; name = \"oracle\"; }");
	assert_int_equal(s.nr_points, 6);
	assert_int_equal(s.max_settings, 3);
	assert_point(&s, 3, "scheduler.inertia+migration.cost_ms=5, 1, oracle=false",
		     "scheduler.inertia=5 | migration.cost_ms=1.0 | scheduler.oracle=false");
	assert_reads_back(&s);
	space_release(&s);
}

static void test_points(void **state)
{
	struct space s;
	(void)state;
	make_space(&s, "{ name = \"setting\"; points = (\n"
		       "{ name = \"Oracle\"; set = [\"scheduler.oracle=true\", \"migration.cost_ms=0\"]; },\n"
		       "{ name = \"as it is\"; },\n"
		       "{ name = \"keen\"; set = [\"scheduler.policy=keen\"]; } ); }");
	assert_int_equal(s.nr_points, 3);
	assert_int_equal(s.max_settings, 2);
	assert_point(&s, 0, "setting=Oracle", "scheduler.oracle=true | migration.cost_ms=0");
	assert_point(&s, 1, "setting=as it is", "");
	assert_point(&s, 2, "setting=keen", "scheduler.policy=\"keen\"");
	assert_reads_back(&s);
	space_release(&s);
}

/* What a range says of everything else: a key that leads to another one may come before it. */
static void test_general_before_particular(void **state)
{
	struct space s;
	(void)state;
	make_space(&s, "{ generator = \"paper\"; },\n"
		       "{ key = \"chip.cores[0].count\"; values = \"1..2\"; },\n"
		       "{ key = \"chip.cores[01].tenant\"; values = [\"a\", \"b\"]; }");
	assert_int_equal(s.nr_points, 1024);
	assert_point(&s, 7, "chip=branch:10, chip.cores[0].count=2, chip.cores[01].tenant=b",
		     "chip.cores=({type=\"baseline\";count=1;},{type=\"branch\";speedup_pct=10;count=1;}) | "
		     "chip.cores[0].count=2 | chip.cores[1].tenant=\"b\"");
	assert_reads_back(&s);
	space_release(&s);
}

/* A configuration of one trace, with which settings are tried. */
static void run_config_of(struct run_config *config, const char *const *settings, size_t nr)
{
	static const char text[] = "chip : { cores = ( { type = \"baseline\"; } ); };\n"
				   "workload : { traces = [ \"gzip.csv\" ]; };\n";
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err;
	assert_int_equal(cfg_read_text(&a, "t.cfg", text, sizeof(text) - 1, &root, &err), SAHM_OK);
	if (run_config_make(config, root, settings, nr, ".", NULL, &err) != SAHM_OK)
		fail_msg("%s: %s", settings[0], err.msg);
	/* The arena would have to live; the rest looks only at the chip. */
	arena_release(&a);
}

static void assert_study_chip(const struct space *s, unsigned index, uint32_t baseline, uint32_t each, bool fill)
{
	const struct space_config expected = space_config_at(index);
	const char *settings[1];
	struct run_config config;
	int32_t best[NR_STATES], made[NR_STATES];
	uint32_t nr_special = (uint32_t)__builtin_popcount(expected.components) * each;
	assert_int_equal(space_settings(s, index, settings), 1);
	run_config_of(&config, settings, 1);
	space_best_speedups(&expected, best);
	for (unsigned state = 0; state < NR_STATES; state++) {
		made[state] = INT32_MIN;
		for (uint32_t c = 0; c < config.chip.nr_cores; c++)
			if (config.chip.cores[c]->speedup_ppm[state] > made[state])
				made[state] = config.chip.cores[c]->speedup_ppm[state];
	}
	assert_memory_equal(best, made, sizeof(best));
	uint32_t nr_baseline = baseline + (fill ? NR_COMPONENTS * each - nr_special : 0);
	assert_int_equal(config.chip.nr_cores, nr_baseline + nr_special);
	assert_int_equal(config.groups[0].count, nr_baseline);
	assert_string_equal(config.groups[0].spec.type, "baseline");
	for (uint32_t g = 1; g < config.nr_groups; g++)
		assert_int_equal(config.groups[g].count, each);
	run_config_release(&config);
}

static void test_study(void **state)
{
	static const struct {
		const char *axis;
		uint32_t baseline, each;
		bool fill;
	} rows[] = {
		{"{ generator = \"paper\"; }", 1, 1, false},
		{"{ generator = \"paper\"; baseline = 7; each = 8; fill = true; }", 7, 8, true},
		{"{ generator = \"paper\"; baseline = 1; each = 2; fill = true; speedups_pct = [10, 20, 30]; }", 1, 2,
		 true},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct space s;
		make_space(&s, rows[i].axis);
		assert_int_equal(s.nr_points, NR_SPACE_CONFIGS);
		assert_string_equal(s.axes[0].name, "chip");
		assert_string_equal(s.axes[0].values[0].label, "baseline");
		assert_string_equal(s.axes[0].values[SPACE_CANONICAL].label, "branch:30+l1i:30+l1d:30+l2:30");
		for (unsigned index = 0; index < NR_SPACE_CONFIGS; index++)
			assert_study_chip(&s, index, rows[i].baseline, rows[i].each, rows[i].fill);
		assert_reads_back(&s);
		space_release(&s);
	}
}

/* All mixes of three types, in order, and those that a budget leaves. */
static void test_mixes(void **state)
{
	static const char table[] = "cores = (\n"
				    "{ type = \"baseline\"; area_mm2 = 1.0; power_w = 0.5; source = \"made up\"; },\n"
				    "{ type = \"l2\"; area_mm2 = 2.5; power_w = 1.0; source = \"made up\"; } );\n";
	char path[] = "/tmp/sahm-costs-XXXXXX", axis[512];
	struct space s;
	(void)state;
	make_space(&s, "{ generator = \"mixes\"; cores = 2; types = ( { type = \"baseline\"; },\n"
		       "{ type = \"l2\"; speedup_pct = 30.0; most = 1; }, { type = \"l1i+branch\"; speedup_pct = [5.0, "
		       "7.5]; } ); }");
	assert_int_equal(s.nr_points, 5);
	assert_point(&s, 0, "chip=2 l1i+branch 5,7.5 %",
		     "chip.cores=({type=\"l1i+branch\";speedup_pct=(5,7.5);count=2;})");
	assert_point(&s, 1, "chip=1 l2 30 % + 1 l1i+branch 5,7.5 %",
		     "chip.cores=({type=\"l2\";speedup_pct=30;count=1;},{type=\"l1i+branch\";"
		     "speedup_pct=(5,7.5);count=1;})");
	assert_point(&s, 4, "chip=2 baseline", "chip.cores=({type=\"baseline\";count=2;})");
	for (uint64_t v = 0; v < s.nr_points; v++) {
		struct run_config config;
		run_config_of(&config, s.axes[0].values[v].settings, 1);
		assert_int_equal(config.chip.nr_cores, 2);
		run_config_release(&config);
	}
	assert_reads_back(&s);
	space_release(&s);

	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, table, sizeof(table) - 1) == sizeof(table) - 1);
	close(fd);
	snprintf(axis, sizeof(axis),
		 "{ generator = \"mixes\"; cores = 9; least_cores = 1; costs = \"%s\"; max_area_mm2 = 5; max_power_w = "
		 "2; types = ( { type = \"baseline\"; }, { type = \"l2\"; speedup_pct = 30; } ); }",
		 path);
	make_space(&s, axis);
	/* Within 5 mm2: 0 + 1, 0 + 2, 1 + 0, 1 + 1, 2 + 0, 2 + 1, 3 + 0, 4 + 0, 5 + 0; within 2 W not the last. */
	assert_int_equal(s.nr_points, 8);
	assert_string_equal(s.axes[0].values[1].label, "2 l2 30 %");
	assert_string_equal(s.axes[0].values[5].label, "2 baseline + 1 l2 30 %");
	assert_string_equal(s.axes[0].values[7].label, "4 baseline");
	/* Whatever becomes of the table. */
	remove(path);
	assert_reads_back(&s);
	space_release(&s);
}

/* What a type says itself takes the place of what the table says; with all said there need not be one. */
static void test_priced_mixes(void **state)
{
	static const char table[] = "cores = ( { type = \"baseline\"; area_mm2 = 1.0; source = \"made up\"; },\n"
				    "{ type = \"l2\"; area_mm2 = 4.5; source = \"made up\"; } );\n";
	static const char *const rest[] = {"", " area_mm2 = 1;"};
	char path[] = "/tmp/sahm-costs-XXXXXX", costs[64], axis[512];
	(void)state;
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, table, sizeof(table) - 1) == sizeof(table) - 1);
	close(fd);
	snprintf(costs, sizeof(costs), "costs = \"%s\";", path);
	for (int said = 0; said < 2; said++) {
		struct space s;
		snprintf(axis, sizeof(axis),
			 "{ generator = \"mixes\"; cores = 9; least_cores = 1; %s max_area_mm2 = 5.5; types = ( { type "
			 "= \"baseline\";%s }, { type = \"l2\"; speedup_pct = 30; area_mm2 = 2.25; } ); }",
			 said ? "" : costs, rest[said]);
		make_space(&s, axis);
		/* 0 + 1, 0 + 2, 1 + 0, 1 + 1, 1 + 2 with 5.5 mm2, 2 + 0 ... */
		assert_int_equal(s.nr_points, 11);
		assert_string_equal(s.axes[0].values[4].label, "1 baseline + 2 l2 30 %");
		assert_reads_back(&s);
		space_release(&s);
	}
	remove(path);
}

/* The study's space as it came with sahm: included files, and the traces that they name, are found. */
static void test_shipped(void **state)
{
	static const char file[] = "configs/studies/space-39.cfg";
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct space s;
	struct run_config config;
	struct sahm_err err;
	const char *settings[8];
	(void)state;
	/* It includes what stands a folder above it, as the program lets what came with it. */
	assert_int_equal(cfg_read_file(&a, file, &root, &err), SAHM_CONFIG);
	assert_int_equal(cfg_allow_includes("configs", &err), SAHM_OK);
	assert_int_equal(cfg_read_file(&a, file, &root, &err), SAHM_OK);
	if (space_read(&s, cfg_child(root, "sweep"), NULL, 0, ".", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(s.nr_points, 2048);
	assert_reads_back(&s);
	assert_int_equal(s.max_settings, 5);
	assert_point(&s, 8 * 3 + 7, "chip=branch:30, setting=Cost+9ms",
		     "chip.cores=({type=\"baseline\";count=31;},{type=\"branch\";speedup_pct=30;count=8;}) | "
		     "scheduler.policy=\"sahm\" | scheduler.oracle=false | migration.cost_ms=9 | scheduler.inertia=0");
	if (run_config_make(&config, root, settings, space_settings(&s, 8 * 255 + 6, settings), NULL, NULL, &err) !=
	    SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(config.chip.nr_cores, 39);
	assert_int_equal(config.nr_threads, 39);
	assert_int_equal(config.inertia, 5);
	assert_int_equal(config.distances.cost_ns, 9000000);
	run_config_release(&config);
	space_release(&s);
	arena_release(&a);
}

TEST_FILE(test_sweep_space)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_axes),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_positions),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_no_error_adds_up),
		cmocka_unit_test(test_zip),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_general_before_particular),
		cmocka_unit_test(test_study),
		cmocka_unit_test(test_mixes),
		cmocka_unit_test(test_priced_mixes),
		cmocka_unit_test(test_shipped),
	};
	return cmocka_run_group_tests_name("sweep_space", tests, NULL, NULL);
}
