/* What changes of threads while time runs: what a configuration says of it, and what comes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/engine/config/run.h"
#include "tests/unit/config_text.h"
#include "tests/unit/test.h"

#define CHIP(n) "chip:{cores=({type=\"baseline\";count=" #n ";});};"
#define TWO "traces=({file=\"workloads/suites/small/cc1.csv\";offset_ms=[0,700];});"
#define WITH(n, changes, policy)                                                                                       \
	CHIP(n) "workload:{duration_ms=20000;" TWO "changes=(" changes ");};scheduler:{policy=\"" policy "\";};"

static void test_read(void **state)
{
	struct run_config config;
	(void)state;
	load(&config, WITH(4,
			   "{at_ms=7.5;thread=1;affinity=\"1-2\";},{at_ms=2;thread=0;weight=300;},"
			   "{at_ms=2;thread=1;nice=-20;},{at_ms=9;thread=1;affinity=\"0-3\";}",
			   "fair"));
	assert_int_equal(config.nr_changes, 4);
	const struct sim_change *c = &config.changes[0].change;
	assert_true(c->at_ns == 2000000 && c->thread == 0 && c->weight == 300 && !c->sets_allowed);
	c = &config.changes[1].change; /* of one time, in the order of the file */
	assert_true(c->at_ns == 2000000 && c->thread == 1 && c->weight == 8668 && !c->sets_allowed);
	c = &config.changes[2].change;
	assert_true(c->at_ns == 7500000 && c->weight == 0 && c->sets_allowed && c->allowed[0] == 6);
	c = &config.changes[3].change;
	assert_true(c->sets_allowed && !c->allowed); /* all */
	run_config_release(&config);
}

/* Written back it says the same, and it is part of the hash. */
static void test_written(void **state)
{
	static const char *const texts[] = {
		WITH(4, "", "fair"),
		WITH(4, "{at_ms=2;thread=0;weight=300;}", "fair"),
		WITH(4, "{at_ms=3;thread=0;weight=300;}", "fair"),
		WITH(4, "{at_ms=2;thread=1;weight=300;}", "fair"),
		WITH(4, "{at_ms=2;thread=0;weight=301;}", "fair"),
		WITH(4, "{at_ms=2;thread=0;affinity=\"0\";}", "fair"),
		WITH(4, "{at_ms=2;thread=0;affinity=\"0-3\";}", "fair"),
	};
	enum { NR = ARRAY_SIZE(texts) };
	uint8_t hashes[NR][HASH_BYTES];
	(void)state;
	for (size_t i = 0; i < NR; i++) {
		struct run_config config, again;
		struct textbuf first, second;
		uint8_t hash[HASH_BYTES];
		textbuf_init(&first);
		textbuf_init(&second);
		load(&config, texts[i]);
		run_config_hash(&config, hashes[i]);
		run_config_write(&config, &first);
		load(&again, first.text);
		run_config_hash(&again, hash);
		run_config_write(&again, &second);
		assert_memory_equal(hash, hashes[i], HASH_BYTES);
		assert_string_equal(first.text, second.text);
		run_config_release(&config);
		run_config_release(&again);
		textbuf_release(&first);
		textbuf_release(&second);
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(hashes[i], hashes[k], HASH_BYTES);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{WITH(4, "{thread=0;weight=3;}", "fair"), "missing key 'workload.changes[].at_ms'"},
		{WITH(4, "{at_ms=1;weight=3;}", "fair"), "missing key 'workload.changes[].thread'"},
		{WITH(4, "{at_ms=1;thread=0;}", "fair"), "a change of nothing: weight, nice or affinity is missing"},
		{WITH(4, "{at_ms=1;thread=2;weight=3;}", "fair"),
		 "thread 2 does not exist: the workload has threads 0 to 1"},
		{WITH(4, "{at_ms=1;thread=0;weight=0;}", "fair"), "weight"},
		{WITH(4, "{at_ms=1;thread=0;weight=3;nice=0;}", "fair"), "nice and weight together"},
		{WITH(4, "{at_ms=1;thread=0;affinity=\"4\";}", "fair"), "core 4"},
		{WITH(4, "{at_ms=1;thred=0;affinity=\"1\";}", "fair"), "did you mean 'thread'?"},
		{CHIP(4) "workload:{mode=\"alone\";" TWO "changes=({at_ms=1;thread=0;weight=3;});};",
		 "changes have no time in mode alone"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[] = "/tmp/sahm-config-XXXXXX";
		struct run_config config;
		struct sahm_err err = {0};
		assert_int_equal(load_text(&config, rows[i].text, path, &err), SAHM_CONFIG);
		if (!strstr(err.msg, rows[i].words))
			fail_msg("'%s' lacks '%s'", err.msg, rows[i].words);
	}
}

static void run(const char *text, struct run_result *result)
{
	struct run_config config;
	struct sahm_err err = {0};
	load(&config, text);
	if (run_execute(&config, SIM_EVENT, result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	run_config_release(&config);
}

/* Two threads share a core evenly for half of the run, then three to one. */
static void test_weight_counts(void **state)
{
	struct run_result result;
	(void)state;
	run(WITH(1, "{at_ms=10000;thread=0;weight=300;}", "fair"), &result);
	double share = (double)result.threads[0].counts.completed_ns / 20e9;
	assert_true(share > 0.62 && share < 0.63); /* (1/2 + 3/4) / 2 */
	run_result_release(&result);
}

/* Kept to one core, two threads share it from then on. */
static void test_cores_count(void **state)
{
	static const char *const texts[] = {
		WITH(4, "{at_ms=10000;thread=0;affinity=\"2\";},{at_ms=10000;thread=1;affinity=\"2\";}", "fair"),
		WITH(4, "{at_ms=10000;thread=0;affinity=\"2\";},{at_ms=10000;thread=1;affinity=\"2\";}", "static"),
	};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct run_result result;
		run(texts[i], &result);
		uint64_t sum_ns = result.threads[0].counts.completed_ns + result.threads[1].counts.completed_ns;
		/* two cores for 10 s, one for 10 s, less what two moves cost */
		assert_true(sum_ns <= UINT64_C(30000000000) && sum_ns > UINT64_C(29990000000));
		assert_int_equal(result.threads[0].counts.migrations + result.threads[1].counts.migrations, 2);
		run_result_release(&result);
	}
}

TEST_FILE(test_run_config_changes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),	    cmocka_unit_test(test_written),
		cmocka_unit_test(test_refused),	    cmocka_unit_test(test_weight_counts),
		cmocka_unit_test(test_cores_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
