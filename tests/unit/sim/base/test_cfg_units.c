/* Numbers with units in configurations, and remarks on numbers without. */
#include "sim/base/cfg.h"
#include "tests/unit/sim/base/cfg_cases.h"

#define UNIT_KEYS(KEY)                                                                                                 \
	KEY(UNIT_TIME, "g.time_ms", CFG_NUMBER, "ms", "", 0, 1e9, "", .usual_min = 100, .usual_max = 1000)             \
	KEY(UNIT_SPEEDUP, "g.speedup_pct", CFG_NUMBER | CFG_ARRAY, "%", "", 0, 1e9, "", .usual_min = 3,                \
	    .is_speedup = true)                                                                                        \
	KEY(UNIT_SHARE, "share_pct", CFG_NUMBER, "%", "", 0, 100, "", .usual_min = 1)                                  \
	KEY(UNIT_CLOCK, "clock_mhz", CFG_INT, "MHz", "", 0, 1e9, "", .usual_min = 20)                                  \
	KEY(UNIT_ROW, "rows[]", CFG_NUMBER | CFG_ARRAY, "ms", "", 0, 1e9, "")                                          \
	KEY(UNIT_ROWS, "rows", CFG_LIST, "", "", 0, 0, "")                                                             \
	KEY(UNIT_GROUP, "g", CFG_GROUP, "", "", 0, 0, "")                                                              \
	KEY(UNIT_NONE, "none", CFG_NUMBER, "", "", 0, 1e9, "")                                                         \
	KEY(UNIT_EITHER, "either_w", CFG_NUMBER | CFG_STRING, "W", "", 0, 1e9, "")

enum unit_key { UNIT_KEYS(ROW_SYMBOL) NR_UNIT_KEYS };
static const struct cfg_key unit_keys[] = {UNIT_KEYS(CFG_KEY_ROW)};

static void test_units(void **state)
{
	(void)state;
	static const struct {
		const char *text, *written; /* or the message */
	} rows[] = {
		{"g = { time_ms = \"5s\"; };", "g = {\n\ttime_ms = 5000;\n};\n"},
		{"g = { time_ms = \"5us\"; };", "g = {\n\ttime_ms = 0.005;\n};\n"},
		{"g = { time_ms = \"3000000s\"; };", "g = {\n\ttime_ms = 3000000000L;\n};\n"},
		/* An array stays one, in one type. */
		{"g = { speedup_pct = [\"1.3x\", \"12.5%\"]; };", "g = {\n\tspeedup_pct = [30.0, 12.5];\n};\n"},
		{"g = { speedup_pct = [\"1.3x\", \"12%\"]; };", "g = {\n\tspeedup_pct = [30, 12];\n};\n"},
		{"g = { speedup_pct = (\"1.3x\", 12.5); };", "g = {\n\tspeedup_pct = (30, 12.5);\n};\n"},
		{"rows = ([\"1us\", \"1ms\"], (2, \"1ms\"));", "rows = ([0.001, 1.0], (2, 1));\n"},
		{"clock_mhz = \"3GHz\";", "clock_mhz = 3000;\n"},
		{"either_w = \"5W\";", "either_w = \"5W\";\n"},
		{"share_pct = \"5\";", "t.cfg:1: 'share_pct' must be a number"},
		{"none = \"5ms\";", "t.cfg:1: 'none' must be a number"},
		{"g = { time_ms = 1; };\nclock_mhz = \"2.5kHz\";",
		 "t.cfg:2: 'clock_mhz' is '2.5kHz', must be a whole number of MHz"},
		{"\ng = {\n time_ms = \"5%\"; };", "t.cfg:3: 'g.time_ms' is '5%', must be in ns, us, ms or s"},
		{"g = { speedup_pct = [\"1.3x\",\n \"1ms\"]; };",
		 "t.cfg:2: 'g.speedup_pct[1]' is '1ms', must be in % or x"},
		{"share_pct = \"1.3x\";", "t.cfg:1: 'share_pct' is '1.3x', must be in %"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a = {0};
		struct sahm_err err = {0};
		struct textbuf b;
		struct cfg_node *root = must_read(&a, rows[i].text);
		textbuf_init(&b);
		enum sahm_status status = cfg_apply_units(root, "", unit_keys, NR_UNIT_KEYS, &err);
		if (status == SAHM_OK)
			status = cfg_check(root, unit_keys, NR_UNIT_KEYS, &err);
		if (status == SAHM_OK)
			cfg_write(root, &b);
		else
			textbuf_puts(&b, err.msg);
		if (strcmp(b.text, rows[i].written) != 0)
			fail_msg("%s: '%s'", rows[i].text, b.text);
		textbuf_release(&b);
		arena_release(&a);
	}
}

static void test_remarks(void **state)
{
	(void)state;
	static const struct {
		const char *text, *notes;
	} rows[] = {
		{"g = { time_ms = 100; };", ""},
		{"g = { time_ms = 1000; };", ""},
		{"g = { time_ms = 0; };", ""},
		{"g = { time_ms = \"60ms\"; };", ""},
		{"g = {\n time_ms = 99.5; };",
		 "t.cfg:2: time_ms = 99.5 is taken as 99.5 ms; for seconds write \"99.5s\"\n"},
		{"g = { time_ms = 1001; };",
		 "t.cfg:1: time_ms = 1001 is taken as 1001 ms; for microseconds write \"1001us\"\n"},
		{"g = { speedup_pct = 1.3; };",
		 "t.cfg:1: speedup_pct = 1.3 is taken as 1.3 %; for a factor write \"1.3x\"\n"},
		{"g = { speedup_pct = -1.3; };", ""},
		{"g = { speedup_pct = [0.0, 1.3, 1.2]; };",
		 "t.cfg:1: speedup_pct = 1.3 is taken as 1.3 %; for a factor write \"1.3x\"\n"},
		/* Those of a table can be small. */
		{"g = { speedup_pct = [1.3, 30.0]; };", ""},
		{"g = { speedup_pct = [1.3, -1.0]; };", ""},
		{"share_pct = 0.07;",
		 "t.cfg:1: share_pct = 0.07 is taken as 0.07 %; for a share of 0.07 write \"7%\"\n"},
		{"clock_mhz = 3;", "t.cfg:1: clock_mhz = 3 is taken as 3 MHz; for gigahertz write \"3GHz\"\n"},
		{"none = 3;", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a = {0};
		struct sahm_err err;
		struct textbuf notes;
		struct cfg_node *root = must_read(&a, rows[i].text);
		textbuf_init(&notes);
		assert_int_equal(cfg_apply_units(root, "", unit_keys, NR_UNIT_KEYS, &err), SAHM_OK);
		cfg_remark_unusual(root, "", unit_keys, NR_UNIT_KEYS, &notes);
		if (strcmp(notes.text, rows[i].notes) != 0)
			fail_msg("%s: '%s'", rows[i].text, notes.text);
		textbuf_release(&notes);
		arena_release(&a);
	}
}

TEST_FILE(test_cfg_units)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_remarks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
