/* Remarks of reports about their traces: whether they are synthetic, and whether their time is nominal. Every report is
 * made of traces of which none, some and all are so. */
#include "results/metrics/trace_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/report/characterize_report.h"
#include "results/report/limit_report.h"
#include "results/timeline/timeline.h"
#include "sim/base/array.h"
#include "tests/unit/reports.h"

#define RECORDED "workloads/suites/small/"
#define SYNTHETIC "workloads/suites/synthetic/spec2017/"

/* Traces that the repository has: recorded ones are of nominal time, synthetic ones are not. */
static const char none[] = "workload.traces=[\"" SYNTHETIC "xz_r-synthetic.trc.zst\"]";
static const char some[] = "workload.traces=[\"" SYNTHETIC "xz_r-synthetic.trc.zst\",\"" RECORDED "xz.csv\"]";
static const char all[] = "workload.traces=[\"" RECORDED "gzip.csv\",\"" RECORDED "xz.csv\"]";

static void load_with(struct run_config *config, const char *traces)
{
	const char *const settings[] = {traces, "workload.duration_ms=50"};
	load(config, "configs/canonical.cfg", settings, 2);
}

/* What `write` appends for a configuration with `traces`; the caller frees it. */
static char *report_of(const char *traces, bool (*write)(const struct run_config *config,
							 const struct run_result *result, struct textbuf *out))
{
	struct run_config config;
	struct run_result result;
	struct sahm_err err;
	struct textbuf out;
	load_with(&config, traces);
	if (run_execute(&config, SIM_EVENT, &result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	textbuf_init(&out);
	assert_true(write(&config, &result, &out));
	run_result_release(&result);
	run_config_release(&config);
	return textbuf_detach(&out);
}

static bool write_run(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	return run_report_text(config, result, &(struct run_report_look){.title = "t"}, out);
}

static void test_origins(void **state)
{
	(void)state;
	const struct counter_origins two = {
		{1u << COUNTER_L1I_MISSES | 1u << COUNTER_L2_MISSES, 1u << COUNTER_BRANCH_MISSES}};
	const struct trace_origins traces[] = {
		{"a", two}, {"b", {{0}}}, {"c", {.of[ORIGIN_MODELLED] = 1u << COUNTER_CYCLES}}, {"d", two}};
	struct textbuf out;
	textbuf_init(&out);
	trace_words_list_origins(traces, ARRAY_SIZE(traces), "- ", &out);
	assert_string_equal(out.text,
			    "- 2 of 8 counters assumed: l1i_misses, l2_misses; 1 modelled: branch_misses (a, d)\n"
			    "- 1 of 9 counters modelled: cycles (c)\n");
	textbuf_release(&out);
}

static bool write_run_csv(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	return run_report_csv(config, result, false, out);
}

static void with_limits(const struct run_config *config,
			bool (*write)(const struct limit_threads *l, struct textbuf *out), struct textbuf *out)
{
	struct record record;
	struct arena a;
	struct sahm_err err;
	arena_init(&a);
	if (record_of_limit(&a, config, &record, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	const struct limit_threads l = {.config = config, .record = &record};
	assert_true(write(&l, out));
	arena_release(&a);
}

static bool limits_text(const struct limit_threads *l, struct textbuf *out)
{
	return limit_threads_text(l, "t", false, out);
}

static bool write_limits(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	(void)result;
	with_limits(config, limits_text, out);
	return true;
}

static bool write_limits_csv(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	(void)result;
	with_limits(config, limit_threads_csv, out);
	return true;
}

static bool write_limits_json(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	(void)result;
	with_limits(config, limit_threads_json, out);
	return true;
}

static bool write_timeline(const struct run_config *config, enum timeline_form form, struct textbuf *out)
{
	char *text = NULL;
	size_t len;
	struct run_result result;
	FILE *f = open_memstream(&text, &len);
	struct timeline *tl = timeline_new(config, "t.cfg", form, f);
	assert_non_null(tl);
	assert_int_equal(run_execute_with_listeners(config, SIM_EVENT, timeline_listener(tl), NULL, &result, NULL),
			 SAHM_OK);
	timeline_free(tl);
	fclose(f);
	textbuf_puts(out, text);
	free(text);
	run_result_release(&result);
	return true;
}

static bool write_chrome(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	(void)result;
	return write_timeline(config, TIMELINE_CHROME, out);
}

static bool write_ftrace(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	(void)result;
	return write_timeline(config, TIMELINE_FTRACE, out);
}

/* Each of `rows` is in the text (`is`) or not. */
struct expected {
	const char *text;
	bool is;
};

static void expect_of(const char *name, const char *text, const struct expected *rows)
{
	for (; rows->text; rows++)
		if ((strstr(text, rows->text) != NULL) != rows->is)
			fail_msg("%s: %s'%s' in\n%s", name, rows->is ? "no " : "", rows->text, text);
}

static void test_runs(void **state)
{
	static const struct {
		const char *name, *traces;
		bool (*write)(const struct run_config *config, const struct run_result *result, struct textbuf *out);
		struct expected expected[6];
	} rows[] = {
		{"none of a run",
		 none,
		 write_run,
		 {{"1 trace, 1 synthetic\n", true},
		  {"\nmean (synthetic)", true},
		  {"\nsynthetic   ", true},
		  {"nominal", false}}},
		{"some of a run",
		 some,
		 write_run,
		 {{"2 traces, 1 synthetic, 1 with an assumed time base\n", true},
		  {"\nmean (synthetic, assumed time base)", true},
		  {"\nsynthetic                    1 of 2 traces\n", true},
		  {"\nassumed time base            1 of 2 traces\n", true}}},
		{"all of a run",
		 all,
		 write_run,
		 {{"2 traces, 2 with an assumed time base\n", true},
		  {"\nmean (assumed time base)", true},
		  {"\nassumed time base            2 of 2 traces\n", true},
		  {"synthetic", false}}},
		{"none in CSV", none, write_run_csv, {{"\nsystem,all (synthetic),", true}, {"nominal", false}}},
		{"some in CSV",
		 some,
		 write_run_csv,
		 {{"\nmean,\"all (synthetic, assumed time base)\",", true}, {"\nsystem,\"all (synthetic, ass", true}}},
		{"all in CSV",
		 all,
		 write_run_csv,
		 {{"\nmean,all (assumed time base),", true}, {"\nsystem,all (assumed time base),", true}}},
		{"none in JSON",
		 none,
		 run_report_json,
		 {{"\"synthetic\": true,\n  \"nominal_time\": false,", true}, {"\"nominal_time\": true", false}}},
		{"some in JSON", some, run_report_json, {{"\"synthetic\": true,\n  \"nominal_time\": true,", true}}},
		{"all in JSON", all, run_report_json, {{"\"synthetic\": false,\n  \"nominal_time\": true,", true}}},
		{"no limit", none, write_limits, {{"1 trace, 1 synthetic\n", true}, {"nominal", false}}},
		{"some limits", some, write_limits, {{"2 traces, 1 synthetic, 1 with an assumed time base\n", true}}},
		{"all limits", all, write_limits, {{"2 traces, 2 with an assumed time base\n", true}}},
		{"no limit in CSV",
		 none,
		 write_limits_csv,
		 {{",synthetic,nominal_time\n", true}, {",yes,no\n", true}, {",no,yes\n", false}}},
		{"some limits in CSV",
		 some,
		 write_limits_csv,
		 {{",yes,no\nthread,", true}, {",no,yes\nmean,", true}, {",yes,yes\n", true}}},
		{"all limits in CSV", all, write_limits_csv, {{",no,yes\nmean,", true}, {",yes,", false}}},
		{"no limit in JSON", none, write_limits_json, {{"\"nominal_time\": false", true}}},
		{"all limits in JSON", all, write_limits_json, {{"\"nominal_time\": true", true}}},
		{"none in chrome", none, write_chrome, {{"\"nominal_time\": false", true}, {", nominal", false}}},
		{"some in chrome",
		 some,
		 write_chrome,
		 {{"\"synthetic\": true, \"nominal_time\": true", true},
		  {"t.cfg, synthetic\"", true},
		  {"t.cfg, assumed time base\"", true}}},
		{"all in chrome",
		 all,
		 write_chrome,
		 {{"\"synthetic\": false, \"nominal_time\": true", true}, {"t.cfg, assumed time base\"", true}}},
		{"none in ftrace", none, write_ftrace, {{"# synthetic: 1 of 1 traces\n", true}, {"nominal", false}}},
		{"some in ftrace",
		 some,
		 write_ftrace,
		 {{"# synthetic: 1 of 2 traces\n# assumed time base: 1 of 2 traces\n", true}}},
		{"all in ftrace",
		 all,
		 write_ftrace,
		 {{"# assumed time base: 2 of 2 traces\n", true}, {"synthetic", false}}},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = report_of(rows[i].traces, rows[i].write);
		expect_of(rows[i].name, text, rows[i].expected);
		free(text);
	}
}

/* Two traces that are made of a state each; `nominal` has a bit for each trace with an assumed time base. */
static void test_characterize(void **state)
{
	static const struct {
		unsigned nominal;
		struct expected text[4], details[3], json[3];
	} rows[] = {
		{0, {{"nominal", false}}, {{"nominal", false}}, {{"\"nominal_time\": true", false}}},
		{2,
		 {{"2 traces, 1 of them with an assumed time base\n", true}, {"\nmean (assumed time base)", true}},
		 {{"\npartly assumed time base: lengths", true}},
		 {{"\"name\": \"a\",\n      \"synthetic\": false,\n      \"nominal_time\": false", true},
		  {"\"name\": \"mean\",\n    \"synthetic\": false,\n    \"nominal_time\": true", true}}},
		{3,
		 {{"2 traces, assumed time base\n", true}, {"\nmean (assumed time base)", true}},
		 {{"\nassumed time base: lengths", true}, {"partly", false}},
		 {{"\"name\": \"a\",\n      \"synthetic\": false,\n      \"nominal_time\": true", true}}},
	};
	static const uint8_t states[] = {1, 2, 2};
	struct cuts cuts;
	(void)state;
	cuts_named("intuitive", &cuts);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct characterized of[2] = {{.name = "a", .epoch_ns = 1000}, {.name = "b", .epoch_ns = 1000}};
		const struct characterize_study study = {of, 2, &cuts, "intuitive", false};
		struct textbuf text, details, json;
		for (unsigned t = 0; t < 2; t++) {
			of[t].nominal = rows[i].nominal >> t & 1u;
			characterize_states(states, 3, &of[t].counts);
		}
		textbuf_init(&text);
		textbuf_init(&details);
		textbuf_init(&json);
		assert_true(characterize_report_text(&study, false, &text));
		assert_true(characterize_details_text(&study, false, &details));
		assert_true(characterize_report_json(&study, &json));
		expect_of("text", text.text, rows[i].text);
		expect_of("details", details.text, rows[i].details);
		expect_of("json", json.text, rows[i].json);
		textbuf_release(&text);
		textbuf_release(&details);
		textbuf_release(&json);
	}
}

static void test_limit(void **state)
{
	static const struct {
		unsigned nominal;
		struct expected text[4], csv[4], json[3];
	} rows[] = {
		{0,
		 {{"nominal", false}},
		 {{",ratio,synthetic,nominal_time\n", true}, {",no,no\n", true}, {",yes\n", false}},
		 {{"\"nominal_time\": true", false}}},
		{1,
		 {{"by trace, 2 of them, 1 of them with an assumed time base; canonical", true},
		  {"\nmean (assumed time base)", true}},
		 {{",no,yes\ntrace,b,", true}, {",no,no\nmean,", true}, {",no,yes\nchip,All", true}},
		 {{"\"synthetic\": false,\n  \"nominal_time\": true,\n", true},
		  {"      \"nominal_time\": false", true}}},
		{3,
		 {{"by trace, 2 of them, assumed time base; canonical", true}, {"\nmean (assumed time base)", true}},
		 {{",no,no\n", false}},
		 {{"\"nominal_time\": false", false}}},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct limit_trace of[2] = {{.name = "a", .nr_epochs = 2}, {.name = "b", .nr_epochs = 2}};
		struct limit_against against[NR_LIMIT_NAMED];
		struct limit_study study;
		struct textbuf text, csv, json, configs;
		for (unsigned t = 0; t < 2; t++) {
			of[t].nominal = rows[i].nominal >> t & 1u;
			of[t].weights[t] = 1;
		}
		assert_int_equal(limit_study_of_space(&study, of, 2, NULL), SAHM_OK);
		assert_int_equal(limit_against(of, 2, 5, against, NULL), SAHM_OK);
		struct limit_report r = {.study = &study, .cuts_name = "c", .against_pct = 5, .against = against};
		textbuf_init(&text);
		textbuf_init(&csv);
		textbuf_init(&json);
		textbuf_init(&configs);
		assert_true(limit_report_text(&r, false, &text));
		assert_true(limit_report_csv(&r, &csv));
		assert_true(limit_report_json(&r, &json));
		expect_of("text", text.text, rows[i].text);
		expect_of("csv", csv.text, rows[i].csv);
		expect_of("json", json.text, rows[i].json);
		r.by_config = true;
		assert_true(limit_report_csv(&r, &configs));
		const struct expected by_config[] = {{rows[i].nominal ? ",no,yes\n" : ",no,no\n", true}, {NULL, false}};
		expect_of("by configuration", configs.text, by_config);
		textbuf_release(&text);
		textbuf_release(&csv);
		textbuf_release(&json);
		textbuf_release(&configs);
		limit_study_release(&study);
	}
}

/* The counts of configurations, and what records of runs know of them. */
static void test_counts(void **state)
{
	static const struct {
		const char *traces;
		size_t nr, nr_synthetic, nr_nominal;
	} rows[] = {{none, 1, 1, 0}, {some, 2, 1, 1}, {all, 2, 0, 2}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		struct record record;
		struct arena a;
		arena_init(&a);
		load_with(&config, rows[i].traces);
		const struct trace_counts counts = trace_counts_of(&config);
		assert_int_equal(counts.nr, rows[i].nr);
		assert_int_equal(counts.nr_synthetic, rows[i].nr_synthetic);
		assert_int_equal(counts.nr_nominal, rows[i].nr_nominal);
		assert_int_equal(record_of_limit(&a, &config, &record, NULL), SAHM_OK);
		assert_int_equal(record.synthetic, rows[i].nr_synthetic > 0);
		assert_int_equal(record.nominal, rows[i].nr_nominal > 0);
		run_config_release(&config);
		arena_release(&a);
	}
}

static void test_words(void **state)
{
	static const struct {
		struct trace_counts counts;
		const char *shares, *numbers;
	} rows[] = {
		{{0, 0, 0, {{0}}}, "", ""},
		{{3, 0, 0, {{0}}}, "", ""},
		{{3, 3, 0, {{0}}}, ", synthetic", ", 3 synthetic"},
		{{3, 0, 3, {{0}}}, ", assumed time base", ", 3 with an assumed time base"},
		{{3, 2, 0, {{0}}}, ", 2 of them synthetic", ", 2 synthetic"},
		{{3, 0, 1, {{0}}}, ", 1 of them with an assumed time base", ", 1 with an assumed time base"},
		{{3, 3, 3, {{0}}}, ", synthetic, assumed time base", ", 3 synthetic, 3 with an assumed time base"},
		{{3, 1, 2, {{0}}},
		 ", 1 of them synthetic, 2 of them with an assumed time base",
		 ", 1 synthetic, 2 with an assumed time base"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf out;
		textbuf_init(&out);
		trace_words_write(&rows[i].counts, &out);
		assert_string_equal(out.text, rows[i].shares);
		textbuf_release(&out);
		textbuf_init(&out);
		trace_words_write_numbers(&rows[i].counts, &out);
		assert_string_equal(out.text, rows[i].numbers);
		textbuf_release(&out);
	}
	assert_string_equal(trace_words(false, false), "");
	assert_string_equal(trace_words(true, true), ", synthetic, assumed time base");
	assert_string_equal(trace_words_in_brackets(false, true), " (assumed time base)");
	assert_string_equal(trace_words_in_brackets(true, false), " (synthetic)");
	assert_string_equal(trace_words_mean(false, false), "mean");
	assert_string_equal(trace_words_traces(true, true), "synthetic traces with an assumed time base");
	assert_string_equal(trace_words_prefix(false, true), "nominal_time_");
	assert_string_equal(trace_words_prefix(true, true), "synthetic_nominal_time_");
}

TEST_FILE(test_trace_words)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_origins), cmocka_unit_test(test_runs),   cmocka_unit_test(test_characterize),
		cmocka_unit_test(test_limit),	cmocka_unit_test(test_counts), cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
