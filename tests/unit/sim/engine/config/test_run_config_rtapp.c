/* Workloads of rt-app: which threads they make, when those run, and what a configuration says of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/engine/config/run.h"
#include "sim/engine/sim.h"
#include "tests/unit/config_text.h"
#include "tests/unit/test.h"

#define CHIP                                                                                                           \
	"chip:{cores=({type=\"baseline\";count=2;});};migration:{cost_ms=0.0;};scheduler:{policy=\"fair\";timestep_ms=1;};"
#define GLOBAL "\"global\":{\"duration\":1}"

static char folder[] = "/tmp/sahm-rtapp-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "%s/w.json", mkdtemp(folder));
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	remove(path);
	return remove(folder);
}

/* Loads a configuration with the workload `json` and more keys of its group. */
static enum sahm_status load_rtapp(struct run_config *config, const char *json, const char *keys, struct sahm_err *err)
{
	char text[1024], config_path[] = "/tmp/sahm-config-XXXXXX";
	FILE *f = fopen(path, "w");
	fputs(json, f);
	fclose(f);
	snprintf(text, sizeof(text), CHIP "workload:{rtapp=\"%s\";%s};", path, keys);
	return load_text(config, text, config_path, err);
}

static void load_well(struct run_config *config, const char *json, const char *keys)
{
	struct sahm_err err = {0};
	if (load_rtapp(config, json, keys, &err) != SAHM_OK)
		fail_msg("%s: %s", json, err.msg);
}

static void test_threads(void **state)
{
	(void)state;
	struct run_config config;
	load_well(&config,
		  "{\"tasks\":{\"a\":{\"instance\":2,\"priority\":-1,\"delay\":1500,\"cpus\":[1],\"run\":1},"
		  "\"none\":{\"instance\":0,\"run\":1},\"b\":{\"run\":1,\"sleep\":2}}," GLOBAL "}",
		  "");
	assert_int_equal(config.nr_threads, 3);
	assert_string_equal(config.threads[0].name, "a");
	assert_string_equal(config.threads[1].name, "a#2");
	assert_string_equal(config.threads[2].name, "b");
	assert_true(config.threads[1].weight == 125 && config.threads[1].arrive_ns == 1500000);
	assert_true(config.threads[1].allowed && config.threads[1].allowed[0] == 2);
	assert_true(config.threads[2].weight == DEFAULT_WEIGHT && !config.threads[2].allowed);
	assert_int_equal(config.threads[2].bursts->list[0].sleep_ns, 2000);
	assert_int_equal(config.duration_ns, 1000000000);
	assert_true(provenance_is_synthetic(trace_provenance(config.traces[0].trace)));
	run_config_release(&config);
}

/* Sleep, timers of both modes when the thread was late, and leaving: in ms of a core that nobody else wants. */
static void test_work(void **state)
{
	(void)state;
	static const struct {
		const char *task;
		uint64_t completed_ms, slept_ms, left_ms;
	} rows[] = {
		{"\"run\":300000", 1000, 0, 0},
		{"\"run\":5000,\"sleep\":15000", 250, 750, 0},
		{"\"run\":5000,\"timer\":{\"ref\":\"x\",\"period\":20000}", 250, 750, 0},
		{"\"run\":4000,\"sleep\":1000,\"timer\":{\"ref\":\"x\",\"period\":20000}", 200, 800, 0},
		{"\"loop\":3,\"run\":5000,\"sleep\":15000", 15, 30, 45},
		{"\"loop\":3,\"run\":5000,\"yield\":\"\"", 15, 0, 15},
		{"\"loop\":2,\"phases\":{\"a\":{\"run\":50000,\"timer\":{\"ref\":\"x\",\"period\":20000}},"
		 "\"b\":{\"run\":5000,\"timer\":{\"ref\":\"x\",\"period\":20000}},\"c\":{\"run\":1000}}",
		 112, 15 + 15, 112 + 30},
		/* Due at 20 (50), 40 (55), 60, 80 (111), 100 (116). */
		{"\"loop\":2,\"phases\":{\"a\":{\"run\":50000,\"timer\":{\"ref\":\"x\",\"period\":20000,"
		 "\"mode\":\"absolute\"}},\"b\":{\"run\":5000,\"timer\":{\"ref\":\"x\",\"period\":20000,"
		 "\"mode\":\"absolute\"}},\"c\":{\"run\":1000}}",
		 112, 0, 112},
		{"\"delay\":100000,\"run\":5000,\"timer\":{\"ref\":\"x\",\"period\":90000}", 50, 850, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run_config config;
		struct run_result result;
		struct sahm_err err = {0};
		char json[1024];
		snprintf(json, sizeof(json), "{\"tasks\":{\"t\":{%s}}," GLOBAL "}", rows[i].task);
		print_message("%s\n", rows[i].task);
		load_well(&config, json, "");
		assert_int_equal(run_execute(&config, SIM_EVENT, &result, &err), SAHM_OK);
		const struct run_thread_result *t = &result.threads[0];
		assert_int_equal(t->counts.completed_ns / 1000000, rows[i].completed_ms);
		assert_int_equal(t->counts.slept_ns / 1000000, rows[i].slept_ms);
		assert_int_equal(t->left_ns / 1000000, rows[i].left_ms);
		assert_int_equal(t->counts.left, rows[i].left_ms > 0);
		run_result_release(&result);
		run_config_release(&config);
	}
}

/* Written and read again it is the same; what threads do counts for the hash, comments and settings of logs do not. */
static void test_hash(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{\"tasks\":{\"a\":{\"run\":10}}," GLOBAL "}",
		"{\"tasks\":{\"a\":{\"run\":10,\"timer\":{\"ref\":\"u\",\"period\":9}}}," GLOBAL "}",
		"{\"tasks\":{\"a\":{\"run\":10,\"timer\":{\"ref\":\"u\",\"period\":9,\"mode\":\"absolute\"}}}," GLOBAL
		"}",
		"{\"tasks\":{\"a\":{\"loop\":3,\"run\":10}}," GLOBAL "}",
		"{\"tasks\":{\"a\":{\"run\":10,\"sleep\":1}}," GLOBAL "}",
		"{\"tasks\":{\"a\":{\"run\":10,\"sleep\":1,\"priority\":1}}," GLOBAL "}",
		"{\"tasks\":{\"a\":{\"run\":10,\"sleep\":1,\"cpus\":[1]}}," GLOBAL "}",
		"/* same */ {\"tasks\":{\"a\":{\"cpus\":[1],\"run\":10,\"sleep\":1,}},\"global\":{\"duration\":1,\"frag\":1}}",
	};
	uint8_t hashes[sizeof(texts) / sizeof(texts[0])][HASH_BYTES], again_hash[HASH_BYTES];
	size_t nr = sizeof(texts) / sizeof(texts[0]);
	for (size_t i = 0; i < nr; i++) {
		struct run_config config, again;
		struct textbuf b, second;
		load_well(&config, texts[i], "");
		run_config_hash(&config, hashes[i]);
		textbuf_init(&b);
		textbuf_init(&second);
		run_config_write(&config, &b);
		load(&again, b.text);
		run_config_write(&again, &second);
		run_config_hash(&again, again_hash);
		assert_string_equal(b.text, second.text);
		assert_memory_equal(hashes[i], again_hash, HASH_BYTES);
		for (size_t j = 0; j < i; j++)
			assert_int_equal(memcmp(hashes[i], hashes[j], HASH_BYTES) == 0, i == nr - 1 && j == nr - 2);
		textbuf_release(&b);
		textbuf_release(&second);
		run_config_release(&config);
		run_config_release(&again);
	}
}

static void test_refusals(void **state)
{
	(void)state;
	static const char well[] = "{\"tasks\":{\"a\":{\"run\":10}}}";
	static const struct {
		const char *json, *keys, *message;
	} rows[] = {
		{well, "", "w.json: it has no duration (global.duration, in s): workload.duration_ms must be given"},
		{well, "duration_ms=5;traces=(\"gzip.csv\");", "rtapp and traces together: either makes the threads"},
		{well, "duration_ms=5;rtapp_trace=\"none\";", "cannot open trace 'none': No such file or directory"},
		{"{\"tasks\":{\"a\":{\n\"cpus\":[2],\"run\":10}}}", "duration_ms=5;",
		 "w.json:2: 'a' has no CPU 2: the chip has cores 0 to 1"},
		{"{\"tasks\":{\"a\":{\n\"mem\":2}}}", "", "w.json:2: 'mem' of 'a' is not supported"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run_config config;
		struct sahm_err err = {0};
		assert_int_not_equal(load_rtapp(&config, rows[i].json, rows[i].keys, &err), SAHM_OK);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("'%s' is not in '%s'", rows[i].message, err.msg);
	}
}

TEST_FILE(test_run_config_rtapp)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
