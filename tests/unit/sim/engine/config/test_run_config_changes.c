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

/* Cores 0 and 1 are nobody's, 2 and 3 web's, 4 and 5 batch's; thread 0 is web's, thread 1 nobody's. */
#define TENANTS                                                                                                        \
	"chip:{cores=({type=\"baseline\";count=2;},{type=\"baseline\";count=2;tenant=\"web\";},"                       \
	"{type=\"baseline\";count=2;tenant=\"batch\";});};"
#define OF_TENANTS(affinity, changes)                                                                                  \
	TENANTS "workload:{duration_ms=20000;tenants=({name=\"a\";},{name=\"b\";});traces=("                           \
		"{file=\"workloads/suites/small/cc1.csv\";tenant=\"web\";" affinity "},"                               \
		"\"workloads/suites/small/cc1.csv\");changes=(" changes ");};scheduler:{policy=\"fair\";};"

/* A thread gets the cores of its tenant within its affinity, both as they are by then. */
static void test_tenants(void **state)
{
	static const struct {
		uint32_t thread, tenant;
		bool sets_allowed;
		uint64_t allowed;
	} rows[] = {
		{0, 2, true, 0x10}, /* to batch, within the thread's own affinity */
		{0, 0, true, 0x20}, /* another affinity, within batch */
		{1, 3, false, 0},   /* nobody's cores as before */
		{1, 4, true, 0x1},  /* and an affinity */
		{0, 1, true, 0x8},  /* to web, within the affinity of before */
		{0, 1, false, 0},   /* where it is */
		{1, 0, true, 0x2},  /* an affinity among nobody's */
	};
	struct run_config config;
	(void)state;
	load(&config, OF_TENANTS("affinity=\"2,4\";",
				 "{at_ms=5;thread=0;tenant=\"web\";},{at_ms=6;thread=0;tenant=\"web\";},"
				 "{at_ms=1;thread=0;tenant=\"batch\";},{at_ms=2;thread=0;affinity=\"3,5\";},"
				 "{at_ms=3;thread=1;tenant=\"a\";},{at_ms=4;thread=1;tenant=\"b\";affinity=\"0,5\";},"
				 "{at_ms=7;thread=1;affinity=\"1\";},{at_ms=8;tenant=\"web\";weight=50;}"));
	assert_int_equal(config.nr_changes, ARRAY_SIZE(rows) + 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sim_change *c = &config.changes[i].change;
		print_message("at %zu ms\n", i + 1);
		assert_true(!c->is_of_tenant && c->weight == 0);
		assert_int_equal(c->thread, rows[i].thread);
		assert_int_equal(c->tenant, rows[i].tenant);
		assert_int_equal(c->sets_allowed, rows[i].sets_allowed);
		assert_true(c->allowed ? *c->allowed == rows[i].allowed : !rows[i].allowed);
	}
	const struct sim_change *c = &config.changes[ARRAY_SIZE(rows)].change;
	assert_true(c->is_of_tenant && c->tenant == 1 && c->weight == 50 && !c->sets_allowed);
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
		OF_TENANTS("", ""),
		OF_TENANTS("", "{at_ms=2;thread=1;tenant=\"a\";}"),
		OF_TENANTS("", "{at_ms=2;thread=1;tenant=\"b\";}"),
		OF_TENANTS("", "{at_ms=2;thread=1;tenant=\"web\";}"),
		OF_TENANTS("", "{at_ms=2;thread=1;tenant=\"a\";weight=3;}"),
		OF_TENANTS("", "{at_ms=2;tenant=\"a\";weight=3;}"),
		OF_TENANTS("", "{at_ms=2;tenant=\"a\";weight=4;}"),
		OF_TENANTS("", "{at_ms=2;tenant=\"b\";weight=4;}"),
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
		{WITH(4, "{at_ms=1;thread=0;}", "fair"),
		 "a change of nothing: weight, nice, affinity or tenant is missing"},
		{WITH(4, "{at_ms=1;thread=2;weight=3;}", "fair"),
		 "thread 2 does not exist: the workload has threads 0 to 1"},
		{WITH(4, "{at_ms=1;thread=0;weight=0;}", "fair"), "weight"},
		{WITH(4, "{at_ms=1;thread=0;weight=3;nice=0;}", "fair"), "nice and weight together"},
		{WITH(4, "{at_ms=1;thread=0;affinity=\"4\";}", "fair"), "core 4"},
		{WITH(4, "{at_ms=1;thred=0;affinity=\"1\";}", "fair"), "did you mean 'thread'?"},
		{OF_TENANTS("", "{at_ms=1;thread=0;\ntenant=\"batsh\";}"),
		 ":2: tenant 'batsh' owns no cores; did you mean 'batch'?"},
		{OF_TENANTS("", "{at_ms=1;thread=0;\ntenant=\"\";}"), ":2: 'workload.changes[0].tenant' is empty"},
		{OF_TENANTS("affinity=\"0-3\";", "{at_ms=1;thread=0;\ntenant=\"batch\";}"),
		 ":2: 'workload.changes[0].tenant': none of the thread's cores belongs to tenant 'batch'"},
		{OF_TENANTS("affinity=\"2-5\";", "{at_ms=1;thread=0;\ntenant=\"a\";}"),
		 ":2: 'workload.changes[0].tenant': each of the thread's cores has a tenant, and 'a' owns none"},
		{OF_TENANTS("", "{at_ms=1;thread=0;tenant=\"batch\";\naffinity=\"0-3\";}"),
		 ":2: 'workload.changes[0].affinity': none of these cores belongs to tenant 'batch'"},
		{OF_TENANTS("", "{at_ms=3;thread=0;\naffinity=\"3\";},{at_ms=1;thread=0;tenant=\"batch\";}"),
		 ":2: 'workload.changes[0].affinity': none of these cores belongs to tenant 'batch'"},
		{OF_TENANTS("", "{at_ms=1;tenant=\"web\";}"),
		 "a change of nothing: the weight of tenant 'web', or the thread that moves to it, is missing"},
		{OF_TENANTS("", "{at_ms=1;tenant=\"web\";\nnice=0;}"),
		 ":2: 'workload.changes[0].nice' is of a thread, and the change is of tenant 'web'"},
		{OF_TENANTS("", "{at_ms=1;tenant=\"web\";weight=3;\naffinity=\"3\";}"),
		 ":2: 'workload.changes[0].affinity' is of a thread, and the change is of tenant 'web'"},
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

/* Two threads of web share a core for half of the run; then one has a core of batch. */
static void test_move_counts(void **state)
{
	struct run_result result;
	(void)state;
	run("chip:{cores=({type=\"baseline\";tenant=\"web\";},{type=\"baseline\";tenant=\"batch\";});};"
	    "workload:{duration_ms=20000;traces=({file=\"workloads/suites/small/cc1.csv\";tenant=\"web\";"
	    "offset_ms=[0,700];});changes=({at_ms=10000;thread=1;tenant=\"batch\";});};"
	    "scheduler:{policy=\"fair\";};",
	    &result);
	uint64_t sum_ns = result.threads[0].counts.completed_ns + result.threads[1].counts.completed_ns;
	assert_true(sum_ns <= UINT64_C(30000000000) && sum_ns > UINT64_C(29990000000));
	assert_int_equal(result.threads[1].counts.migrations, 1);
	assert_int_equal(result.threads[0].counts.migrations, 0);
	run_result_release(&result);
}

TEST_FILE(test_run_config_changes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),	    cmocka_unit_test(test_written),
		cmocka_unit_test(test_refused),	    cmocka_unit_test(test_weight_counts),
		cmocka_unit_test(test_cores_count), cmocka_unit_test(test_move_counts),
		cmocka_unit_test(test_tenants),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
