/* Who runs where and when, and what moves cost: what a configuration says of it, and what comes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/config/run_config.h"
#include "sim/engine/sim.h"
#include "tests/unit/config_text.h"
#include "tests/unit/test.h"

/* 16 cores: 0 to 3 and 12 to 15 are nobody's, 4 to 7 web's, 8 to 11 batch's. */
#define SHARED                                                                                                         \
	"chip:{cores=({type=\"baseline\";count=4;},{type=\"l2\";speedup_pct=30;count=4;tenant=\"web\";},"              \
	"{type=\"l1d\";speedup_pct=30;count=4;tenant=\"batch\";},{type=\"baseline\";count=4;},"                        \
	"{type=\"baseline\";count=0;tenant=\"nobody\";});};"
#define PLAIN "chip:{cores=({type=\"baseline\";count=4;});};"
#define CC1 "file=\"workloads/suites/small/cc1.csv\";"
#define ONE(keys) "workload:{traces=({" CC1 keys "});};"
#define LISTED(tenants, keys) "workload:{tenants=(" tenants ");traces=({" CC1 keys "});};"
#define A "{name=\"a\";}"

/* The first three rows of a matrix for four cores. */
#define ROWS4 "[9,1,2,3],[4,9,5,6],[7,8,9,9],"
/* Four cores with frequency levels; that share. */
#define LEVELS(levels, keys) "chip:{cores=({type=\"baseline\";count=4;levels=(" levels ");" keys "});};"
#define SHARING(groups) "chip:{cores=({type=\"baseline\";count=4;});shared=(" groups ");};"
#define GOVERNOR(name) "scheduler:{governor=\"" name "\";};"

static void test_defaults(void **state)
{
	(void)state;
	struct run_config config;
	load(&config, PLAIN ONE(""));
	const struct run_thread *th = config.threads;
	assert_int_equal(config.nr_threads, 1);
	assert_true(th->arrive_ns == 0 && !th->once && !th->tenant && !th->affinity && !th->allowed);
	assert_true(config.warmup_ns == 0 && config.distances.nr_levels == 0 && !config.distances.matrix_ns);
	assert_true(config.nr_samples == 1 && config.seed == 1);
	run_config_release(&config);
}

/* One value serves all offsets; several are one per offset, or make the threads. */
static void test_arrivals(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t nr;
		uint64_t offset_ms[3], arrive_ms[3];
		const char *names[3];
	} rows[] = {
		{PLAIN ONE("arrive_ms=5;"), 1, {0}, {5}, {"cc1"}},
		{PLAIN ONE("arrive_ms=[5];"), 1, {0}, {5}, {"cc1"}},
		{PLAIN ONE("arrive_ms=5;offset_ms=[1,2];"), 2, {1, 2}, {5, 5}, {"cc1+1ms", "cc1+2ms"}},
		{PLAIN ONE("arrive_ms=[5,3];offset_ms=[1,2];"), 2, {1, 2}, {5, 3}, {"cc1+1ms", "cc1+2ms"}},
		{PLAIN ONE("arrive_ms=(5,3.0,0);"), 3, {0}, {5, 3, 0}, {"cc1", "cc1#2", "cc1#3"}},
		{PLAIN ONE("arrive_ms=[5,3];offset_ms=7;"), 2, {7, 7}, {5, 3}, {"cc1+7ms", "cc1+7ms#2"}},
		{PLAIN ONE("arrive_ms=1000000000;"), 1, {0}, {1000000000}, {"cc1"}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		load(&config, rows[i].text);
		print_message("%s\n", rows[i].text);
		assert_int_equal(config.nr_threads, rows[i].nr);
		for (uint32_t t = 0; t < rows[i].nr; t++) {
			assert_true(config.threads[t].offset_ns == rows[i].offset_ms[t] * 1000000);
			assert_true(config.threads[t].arrive_ns == rows[i].arrive_ms[t] * 1000000);
			assert_string_equal(config.threads[t].name, rows[i].names[t]);
		}
		run_config_release(&config);
	}
	struct run_config config;
	load(&config, PLAIN "workload:{traces=({" CC1 "repeat=false;},{" CC1 "repeat=true;});};");
	assert_true(config.threads[0].once && !config.threads[1].once);
	assert_int_equal(config.nr_traces, 1);
	run_config_release(&config);
}

/* The cores of the thread's tenant that its affinity names. */
static void test_allowed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t allowed; /* 0: all, no set */
	} rows[] = {
		{PLAIN ONE(""), 0},
		{PLAIN ONE("affinity=\"0-3\";"), 0},
		{PLAIN ONE("affinity=\"3,0-2\";"), 0},
		{PLAIN ONE("affinity=\"0-2\";"), 0x7},
		{PLAIN ONE("affinity=\"3\";"), 0x8},
		{SHARED ONE(""), 0xf00f},
		{SHARED ONE("affinity=\"0-15\";"), 0xf00f},
		{SHARED ONE("affinity=\"3-12\";"), 0x1008},
		{SHARED ONE("tenant=\"web\";"), 0xf0},
		{SHARED ONE("tenant=\"batch\";affinity=\"0-15:2\";"), 0x500},
		{SHARED ONE("tenant=\"batch\";affinity=\"11\";"), 0x800},
		{"chip:{cores=({type=\"baseline\";count=4;tenant=\"a\";});};" ONE("tenant=\"a\";"), 0},
		/* Listed: a tenant of no cores shares those of nobody, one with cores keeps to its own. */
		{PLAIN LISTED(A, "tenant=\"a\";"), 0},
		{SHARED LISTED(A, "tenant=\"a\";"), 0xf00f},
		{SHARED LISTED(A, "tenant=\"a\";affinity=\"3-5\";"), 0x8},
		{SHARED LISTED("{name=\"nobody\";}", "tenant=\"nobody\";"), 0xf00f},
		{SHARED LISTED("{name=\"web\";weight=3;}", "tenant=\"web\";"), 0xf0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		load(&config, rows[i].text);
		const uint64_t *allowed = config.threads[0].allowed;
		if (allowed ? *allowed != rows[i].allowed : rows[i].allowed != 0)
			fail_msg("%s: %llx", rows[i].text, allowed ? (unsigned long long)*allowed : 0);
		run_config_release(&config);
	}
}

/* Equal text makes one set, but not where the tenants differ. */
static void test_allowed_is_shared(void **state)
{
	(void)state;
	struct run_config config;
	load(&config, SHARED "workload:{traces=({" CC1 "tenant=\"web\";affinity=\"4-8\";offset_ms=[0,1];},"
			     "{" CC1 "tenant=\"batch\";affinity=\"4-8\";},{" CC1 "},"
			     "{" CC1 "tenant=\"web\";affinity=\"4-8\";},{" CC1 "tenant=\"web\";});};");
	const struct run_thread *th = config.threads;
	assert_ptr_equal(th[0].allowed, th[1].allowed);
	assert_ptr_equal(th[0].allowed, th[4].allowed);
	assert_true(*th[0].allowed == 0xf0 && *th[2].allowed == 0x100 && *th[3].allowed == 0xf00f);
	assert_true(*th[5].allowed == 0xf0);
	run_config_release(&config);
}

/* Tenants of the chip come first, then those listed, and threads know theirs. */
static void test_tenants(void **state)
{
	static const struct host_tenant tenants[] = {
		{"web", 7}, {"batch", 100}, {"nobody", 100}, {"a", 10000}, {"b", 100}};
	static const uint32_t numbers[] = {5, 1, 0, 2};
	(void)state;
	struct run_config config;
	load(&config, SHARED "workload:{tenants=({name=\"a\";weight=10000;},{name=\"web\";weight=7;},{name=\"b\";});"
			     "traces=({" CC1 "tenant=\"b\";},{" CC1 "tenant=\"web\";},{" CC1 "},"
			     "{" CC1 "tenant=\"batch\";});};");
	assert_int_equal(config.nr_tenants, ARRAY_SIZE(tenants));
	for (uint32_t i = 0; i < config.nr_tenants; i++) {
		assert_string_equal(config.tenants[i].name, tenants[i].name);
		assert_int_equal(config.tenants[i].weight, tenants[i].weight);
	}
	for (uint32_t t = 0; t < config.nr_threads; t++)
		assert_int_equal(config.threads[t].tenant_number, numbers[t]);
	run_config_release(&config);
}

static void test_distances(void **state)
{
	(void)state;
	struct run_config config;
	load(&config, PLAIN ONE("") "migration:{cost_ms=3;warmup_ms=2.5;"
				    "levels=({cores=2;cost_ms=0.5;},{cores=6;cost_ms=0;},{cores=4092;cost_ms=7;});};");
	const struct distances *d = &config.distances;
	assert_true(config.warmup_ns == 2500000 && d->cost_ns == 3000000 && d->nr_levels == 3 && !d->matrix_ns);
	assert_true(d->levels[0].nr_cores == 2 && d->levels[0].cost_ns == 500000);
	assert_true(d->levels[1].nr_cores == 6 && d->levels[1].cost_ns == 0);
	assert_true(d->levels[2].nr_cores == 4092 && d->levels[2].cost_ns == 7000000);
	run_config_release(&config);
	load(&config, PLAIN ONE("") "migration:{matrix_ms=([9,1,2,3],[4,9,5,6],(7,8,9.5,9),[10,11,12,9]);levels=();};");
	static const uint64_t costs_ms[] = {0, 1, 2, 3, 4, 0, 5, 6, 7, 8, 0, 9, 10, 11, 12, 0};
	for (size_t i = 0; i < ARRAY_SIZE(costs_ms); i++)
		assert_true(config.distances.matrix_ns[i] == costs_ms[i] * 1000000);
	assert_int_equal(config.distances.nr_levels, 0);
	run_config_release(&config);
}

/* Times in a file name their unit, wherever they stand. */
static void test_times_with_units(void **state)
{
	(void)state;
	static const struct {
		const char *cost;
		uint64_t cost_ns;
	} rows[] = {
		{"\"0ns\"", 0},		 {"\"250ns\"", 250},	       {"\"5us\"", 5000},
		{"\"0.1ms\"", 100000},	 {"\"1s\"", 1000000000},       {"\"2.5 us\"", 2500},
		{"\"0.000000001s\"", 1}, {"\"1000s\"", 1000000000000}, {"0.005", 5000},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[256];
		struct run_config config;
		snprintf(text, sizeof(text), PLAIN ONE("") "migration:{cost_ms=%s;levels=({cores=2;cost_ms=%s;});};",
			 rows[i].cost, rows[i].cost);
		load(&config, text);
		if (config.distances.cost_ns != rows[i].cost_ns ||
		    config.distances.levels[0].cost_ns != rows[i].cost_ns)
			fail_msg("%s: %llu ns", rows[i].cost, (unsigned long long)config.distances.cost_ns);
		run_config_release(&config);
	}
	struct run_config config;
	load(&config,
	     PLAIN ONE(
		     "arrive_ms=[\"5us\",\"1ms\"];") "migration:{warmup_ms=\"500us\";"
						     "matrix_ms=([\"0us\",\"1us\",\"2us\",\"3us\"],(0,0,\"250ns\",7),[1,1,0,1],[1,1,1,0]);};");
	assert_true(config.threads[0].arrive_ns == 5000 && config.threads[1].arrive_ns == 1000000);
	assert_true(config.warmup_ns == 500000 && config.distances.matrix_ns[2] == 2000);
	assert_true(config.distances.matrix_ns[6] == 250 && config.distances.matrix_ns[7] == 7000000);
	run_config_release(&config);
}

/* What is written beside the profile has precedence. */
static void test_migration_profile(void **state)
{
	(void)state;
	static const struct {
		const char *keys;
		uint64_t cost_ns, level_ns, warmup_ns; /* level_ns: 0 without levels */
	} rows[] = {
		{"", 1000000, 0, 0},
		{"profile=\"none\";", 1000000, 0, 0},
		{"profile=\"kernel\";", 4200, 0, 500000},
		{"profile=\"kernel\";levels=();", 4200, 0, 500000},
		{"profile=\"kernel\";levels=({cores=2;});", 38600, 4200, 500000},
		{"profile=\"kernel\";levels=({cores=2;cost_ms=\"7us\";});", 38600, 7000, 500000},
		{"profile=\"kernel\";cost_ms=2;levels=({cores=2;});", 2000000, 4200, 500000},
		{"profile=\"kernel\";cost_ms=2;warmup_ms=0;", 2000000, 0, 0},
		/* As without a profile: a matrix leaves nothing to cost_ms. */
		{"profile=\"kernel\";matrix_ms=(" ROWS4 "[1,1,1,0]);", 1000000, 0, 500000},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[512];
		struct run_config config;
		snprintf(text, sizeof(text), PLAIN ONE("") "migration:{%s};", rows[i].keys);
		load(&config, text);
		const struct distances *d = &config.distances;
		if (d->cost_ns != rows[i].cost_ns || d->nr_levels != (rows[i].level_ns > 0) ||
		    (d->nr_levels && d->levels[0].cost_ns != rows[i].level_ns) || config.warmup_ns != rows[i].warmup_ns)
			fail_msg("%s", rows[i].keys);
		run_config_release(&config);
	}
}

/* A seed is exact where a double is not. */
static void test_samples(void **state)
{
	(void)state;
	struct run_config config;
	load(&config,
	     PLAIN "workload:{traces=[\"workloads/suites/small/cc1.csv\"];samples=10000;seed=9007199254740993L;};");
	assert_int_equal(config.nr_samples, 10000);
	assert_true(config.seed == UINT64_C(9007199254740993));
	run_config_release(&config);
	load(&config, PLAIN "workload:{traces=[\"workloads/suites/small/cc1.csv\"];seed=9223372036854775807L;};");
	assert_true(config.seed == INT64_MAX);
	run_config_release(&config);
	load(&config, "chip:{cores=({type=\"baseline\";count=4095;});};workload:{traces=({" CC1 "});samples=1024;};");
	run_config_release(&config);
}

/* Written and read again: the same text and the same hash. */
static void test_round_trip(void **state)
{
	(void)state;
	static const char *const rows[] = {
		PLAIN ONE(""),
		PLAIN ONE("arrive_ms=[0.1,2.000001,999999999.999999];"),
		PLAIN ONE("repeat=false;affinity=\"0-3\";"),
		PLAIN ONE("affinity=\"3,0-2:2\";offset_ms=[0,5];arrive_ms=[5,0];"),
		SHARED ONE("tenant=\"web\";"),
		"chip:{cores=({type=\"baseline\";tenant=\"\\\"a\\\\\\x01b\\n\xc3\xa9\";});};" ONE(
			"tenant=\"\\\"a\\\\\\x01b\\n\xc3\xa9\";"),
		PLAIN LISTED("{name=\"a\";weight=300;},{name=\"b\";}", "tenant=\"b\";"),
		SHARED LISTED(A ",{name=\"web\";weight=300;}", "tenant=\"a\";"),
		/* Alike but for one thing: none may be written into the group of the one before. */
		SHARED "workload:{traces=({" CC1 "},{" CC1 "arrive_ms=5;},{" CC1 "repeat=false;},{" CC1
		       "tenant=\"web\";},{" CC1 "tenant=\"batch\";},{" CC1 "tenant=\"batch\";affinity=\"8-9\";},{" CC1
		       "tenant=\"batch\";affinity=\"8,9\";},{" CC1 "affinity=\"0\";},{" CC1 "});};",
		PLAIN ONE("") "migration:{levels=({cores=2;cost_ms=0.3;},{cores=4;cost_ms=0.30000000000000004;});};",
		PLAIN ONE("") "migration:{profile=\"kernel\";};",
		PLAIN ONE("") "migration:{profile=\"kernel\";levels=({cores=2;});};",
		PLAIN ONE(
			"") "migration:{profile=\"kernel\";matrix_ms=([9,1,2,3],[4,9,5,6],(7,\"1ns\",9.5,9),(1e6,0,12,9));};",
		PLAIN ONE("") "migration:{warmup_ms=1e6;matrix_ms=([9,1,2,3],[4,9,5,6],(7,1e-6,9.5,9),(1e6,0,12,9));};",
		LEVELS("{mhz=533;},{mhz=999;speedup_pct=-7.5;},{mhz=1844;}", "transition_us=0.3;") ONE("")
			GOVERNOR("performance"),
		LEVELS("{mhz=533;},{mhz=1844;}", "fixed_mhz=533;") ONE(""),
		SHARING("{cores=\"0,2\";l2_misses_per_s=1e12;},{cores=\"3\";l2_misses_per_s=1;}") ONE(""),
		PLAIN "workload:{traces=[\"workloads/suites/small/cc1.csv\"];samples=3;seed=0;};",
		PLAIN "workload:{traces=[\"workloads/suites/small/cc1.csv\"];samples=3;seed=2147483648L;};",
		PLAIN "workload:{traces=[\"workloads/suites/small/cc1.csv\"];samples=3;seed=9223372036854775807L;};",
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config first, second;
		struct textbuf a, b;
		uint8_t hash_a[HASH_BYTES], hash_b[HASH_BYTES];
		print_message("%s\n", rows[i]);
		textbuf_init(&a);
		textbuf_init(&b);
		load(&first, rows[i]);
		run_config_write(&first, &a);
		load(&second, a.text);
		run_config_write(&second, &b);
		assert_string_equal(a.text, b.text);
		assert_int_equal(first.nr_threads, second.nr_threads);
		for (uint32_t t = 0; t < first.nr_threads; t++) {
			assert_true(first.threads[t].arrive_ns == second.threads[t].arrive_ns);
			assert_true(first.threads[t].once == second.threads[t].once);
			assert_string_equal(first.threads[t].name, second.threads[t].name);
		}
		run_config_hash(&first, hash_a);
		run_config_hash(&second, hash_b);
		assert_memory_equal(hash_a, hash_b, HASH_BYTES);
		textbuf_release(&a);
		textbuf_release(&b);
		run_config_release(&first);
		run_config_release(&second);
	}
}

static void hash_of(const char *text, uint8_t hash[HASH_BYTES])
{
	struct run_config config;
	load(&config, text);
	run_config_hash(&config, hash);
	run_config_release(&config);
}

#define OF_ONE(workload, keys) PLAIN "workload:{" workload "traces=({" CC1 keys "});};"

/* What means the same has the same hash, what does not another one. */
static void test_hash(void **state)
{
	(void)state;
	static const struct {
		const char *name, *one, *other;
		bool differs;
	} rows[] = {
		{"repeat by default", PLAIN ONE(""), PLAIN ONE("repeat=true;"), false},
		{"arrival at 0", PLAIN ONE(""), PLAIN ONE("arrive_ms=[0];"), false},
		{"arrival", PLAIN ONE(""), PLAIN ONE("arrive_ms=5;"), true},
		{"arrivals", PLAIN ONE("arrive_ms=[5,6];"), PLAIN ONE("arrive_ms=[6,5];"), true},
		{"arrival alone", OF_ONE("mode=\"alone\";", ""), OF_ONE("mode=\"alone\";", "arrive_ms=5;"), false},
		{"leaving", PLAIN ONE(""), PLAIN ONE("repeat=false;"), true},
		{"who leaves", PLAIN "workload:{traces=({" CC1 "repeat=false;},{" CC1 "});};",
		 PLAIN "workload:{traces=({" CC1 "},{" CC1 "repeat=false;});};", true},
		{"all cores", PLAIN ONE(""), PLAIN ONE("affinity=\"0-3\";"), false},
		{"same cores", PLAIN ONE("affinity=\"0-2\";"), PLAIN ONE("affinity=\"2,0,1\";"), false},
		{"some cores", PLAIN ONE(""), PLAIN ONE("affinity=\"0-2\";"), true},
		{"other cores", PLAIN ONE("affinity=\"1\";"), PLAIN ONE("affinity=\"2\";"), true},
		{"cores of another tenant named", SHARED ONE(""), SHARED ONE("affinity=\"0-15\";"), false},
		{"another tenant", SHARED ONE("tenant=\"web\";"), SHARED ONE("tenant=\"batch\";"), true},
		{"name of a tenant",
		 "chip:{cores=({type=\"baseline\";count=2;},{type=\"l2\";speedup_pct=30;count=2;tenant=\"a\";});};" ONE(
			 "tenant=\"a\";"),
		 "chip:{cores=({type=\"baseline\";count=2;},{type=\"l2\";speedup_pct=30;count=2;tenant=\"b\";});};" ONE(
			 "tenant=\"b\";"),
		 false},
		{"one tenant for all", PLAIN ONE(""),
		 "chip:{cores=({type=\"baseline\";count=4;tenant=\"a\";});};" ONE("tenant=\"a\";"), false},
		{"tenant of no cores", PLAIN ONE(""),
		 "chip:{cores=({type=\"baseline\";count=4;},{type=\"baseline\";count=0;tenant=\"a\";});};" ONE(""),
		 false},
		{"tenants listed", PLAIN ONE(""), PLAIN LISTED(A, ""), true},
		{"no tenants listed", PLAIN ONE(""), PLAIN LISTED("", ""), false},
		{"default weight of a tenant", PLAIN LISTED(A, ""), PLAIN LISTED("{name=\"a\";weight=100;}", ""),
		 false},
		{"weight of a tenant", PLAIN LISTED(A, ""), PLAIN LISTED("{name=\"a\";weight=101;}", ""), true},
		{"name of a tenant listed", PLAIN LISTED(A, ""), PLAIN LISTED("{name=\"b\";}", ""), true},
		{"whose thread", PLAIN LISTED(A, ""), PLAIN LISTED(A, "tenant=\"a\";"), true},
		{"a level", PLAIN ONE(""), PLAIN ONE("") "migration:{levels=({cores=2;cost_ms=0.5;});};", true},
		{"no level", PLAIN ONE(""), PLAIN ONE("") "migration:{levels=();};", false},
		{"cost of a level", PLAIN ONE("") "migration:{levels=({cores=2;cost_ms=0.25;});};",
		 PLAIN ONE("") "migration:{levels=({cores=2;cost_ms=0.5;});};", true},
		{"size of a level", PLAIN ONE("") "migration:{levels=({cores=2;cost_ms=0.5;});};",
		 PLAIN ONE("") "migration:{levels=({cores=3;cost_ms=0.5;});};", true},
		{"a matrix", PLAIN ONE(""), PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,1,1]);};", true},
		{"a cost of a matrix", PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,1,1]);};",
		 PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,2,1]);};", true},
		{"diagonal of a matrix", PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,1,1]);};",
		 PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,1,5]);};", false},
		{"a profile", PLAIN ONE(""), PLAIN ONE("") "migration:{profile=\"kernel\";};", true},
		{"the values of a profile", PLAIN ONE("") "migration:{profile=\"kernel\";levels=({cores=2;});};",
		 PLAIN ONE("") "migration:{cost_ms=\"38.6us\";levels=({cores=2;cost_ms=\"4.2us\";});warmup_ms=0.5;};",
		 false},
		{"warm-up", PLAIN ONE(""), PLAIN ONE("") "migration:{warmup_ms=0.000001;};", true},
		{"length of a warm-up", PLAIN ONE("") "migration:{warmup_ms=5;};",
		 PLAIN ONE("") "migration:{warmup_ms=50;};", true},
		{"energy of migrations", PLAIN ONE(""), PLAIN ONE("") "migration:{energy_uj=0.5;};", true},
		{"no energy of migrations", PLAIN ONE(""), PLAIN ONE("") "migration:{energy_uj=0;};", false},
		{"a table of costs", PLAIN ONE(""),
		 "chip:{cores=({type=\"baseline\";count=4;});costs=\"cores\";};" ONE(""), true},
		{"a table of costs by its path",
		 "chip:{cores=({type=\"baseline\";count=4;});costs=\"cores\";};" ONE(""),
		 "chip:{cores=({type=\"baseline\";count=4;});costs=\"configs/costs/cores.cfg\";};" ONE(""), false},
		{"frequency levels", PLAIN ONE(""), LEVELS("{mhz=500;},{mhz=1000;}", "") ONE(""), true},
		{"frequency levels of a type",
		 LEVELS("{mhz=500;},{mhz=1000;}", "name=\"own\";transition_us=3;") ONE(""),
		 "core_types=({name=\"own\";type=\"baseline\";levels=({mhz=500;},{mhz=1000;});transition_us=3;});"
		 "chip:{cores=({type=\"own\";count=4;});};" ONE(""),
		 false},
		{"no frequency level", PLAIN ONE(""), LEVELS("", "") ONE(""), false},
		{"a level's frequency", LEVELS("{mhz=500;},{mhz=1000;}", "") ONE(""),
		 LEVELS("{mhz=500;speedup_pct=-50;},{mhz=1001;}", "") ONE(""), true},
		{"a level's speed by its frequency", LEVELS("{mhz=500;},{mhz=1000;}", "") ONE(""),
		 LEVELS("{mhz=500;speedup_pct=-50;},{mhz=1000;}", "") ONE(""), false},
		{"a level's speed", LEVELS("{mhz=500;},{mhz=1000;}", "") ONE(""),
		 LEVELS("{mhz=500;speedup_pct=-49;},{mhz=1000;}", "") ONE(""), true},
		{"a transition", LEVELS("{mhz=500;},{mhz=1000;}", "") ONE(""),
		 LEVELS("{mhz=500;},{mhz=1000;}", "transition_us=1;") ONE(""), true},
		{"a fixed level", LEVELS("{mhz=500;},{mhz=1000;}", "fixed_mhz=500;") ONE(""),
		 LEVELS("{mhz=500;},{mhz=1000;}", "fixed_mhz=1000;") ONE(""), true},
		{"the governor", LEVELS("{mhz=500;},{mhz=1000;}", "") ONE(""),
		 LEVELS("{mhz=500;},{mhz=1000;}", "") ONE("") GOVERNOR("performance"), true},
		{"sharing", PLAIN ONE(""), SHARING("{cores=\"0-3\";l2_misses_per_s=1e6;}") ONE(""), true},
		{"no sharing", PLAIN ONE(""), SHARING("") ONE(""), false},
		{"who shares", SHARING("{cores=\"0-2\";l2_misses_per_s=1e6;}") ONE(""),
		 SHARING("{cores=\"0-3\";l2_misses_per_s=1e6;}") ONE(""), true},
		{"how much they share", SHARING("{cores=\"0-3\";l2_misses_per_s=1e6;}") ONE(""),
		 SHARING("{cores=\"0-3\";l2_misses_per_s=2e6;}") ONE(""), true},
		{"no warm-up", PLAIN ONE(""), PLAIN ONE("") "migration:{warmup_ms=0;};", false},
		{"seed of one sample", PLAIN ONE(""), OF_ONE("seed=2;", ""), false},
		{"samples", PLAIN ONE(""), OF_ONE("samples=2;", ""), true},
		{"number of samples", OF_ONE("samples=2;", ""), OF_ONE("samples=200;", ""), true},
		{"seed of samples", OF_ONE("samples=2;", ""), OF_ONE("samples=2;seed=2;", ""), true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t one[HASH_BYTES], other[HASH_BYTES];
		hash_of(rows[i].one, one);
		hash_of(rows[i].other, other);
		if ((memcmp(one, other, HASH_BYTES) != 0) != rows[i].differs)
			fail_msg("%s", rows[i].name);
	}
}

/* What is wrong, on which line. Edges on the right side are in the tests above. */
static void test_refused(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{OF_ONE("\nsamples=2;", "repeat=false;"), "2: 2 samples would all be alike: no thread repeats its "
							  "trace, and so all keep their offsets, and none sleeps"},
		{PLAIN "\n" ONE("arrive_ms=[];"), "2: 'workload.traces[0].arrive_ms' is empty"},
		{PLAIN "\n" ONE("offset_ms=[];"), "2: 'workload.traces[0].offset_ms' is empty"},
		{PLAIN ONE("offset_ms=[0,1];\narrive_ms=[5];"), "2: arrive_ms has 1 value, offset_ms 2"},
		{PLAIN ONE("offset_ms=[0];arrive_ms=[5,6];"), "1: arrive_ms has 2 values, offset_ms 1"},
		{PLAIN ONE("arrive_ms=(5,\n-1);"),
		 "2: 'workload.traces[0].arrive_ms[1]' is -1, must be from 0 to 1000000000 ms"},
		{PLAIN ONE("arrive_ms=1000000001;"),
		 "1: 'workload.traces[0].arrive_ms' is 1000000001, must be from 0 to 1000000000 ms"},
		{PLAIN ONE("\nrepeat=1;"), "2: 'workload.traces[0].repeat' must be true or false"},
		{PLAIN ONE("\naffinity=5;"),
		 "2: 'workload.traces[0].affinity' must be a string, such as \"0,1\" or \"0-3,8\""},
		{PLAIN ONE("\naffinity=\"\";"), "2: 'workload.traces[0].affinity': the list of cores is empty"},
		{PLAIN ONE("\naffinity=\"4\";"), "2: 'workload.traces[0].affinity': there is no core 4, the last is 3"},
		{SHARED ONE("\ntenant=\"\";"), "2: 'workload.traces[0].tenant' is empty"},
		{SHARED ONE("\ntenant=\"wbe\";"), "2: tenant 'wbe' owns no cores; did you mean 'web'?"},
		{SHARED ONE("\ntenant=\"nobody\";"), "2: tenant 'nobody' owns no cores"},
		{SHARED LISTED("{name=\"others\";}", "\ntenant=\"other\";"),
		 "2: tenant 'other' owns no cores; did you mean 'others'?"},
		{PLAIN LISTED("\n{weight=3;}", ""),
		 "2: missing key 'workload.tenants[].name': its name, for workload.traces[].tenant; required"},
		{PLAIN LISTED("{\nname=\"\";}", ""), "2: 'workload.tenants[0].name' is empty"},
		{PLAIN LISTED("{name=\"a\";},{\nname=\"a\";}", ""), "2: two tenants are called 'a'"},
		{PLAIN LISTED("{name=\"a\";\nweight=0;}", ""),
		 "2: 'workload.tenants[0].weight' is 0, must be from 1 to 10000"},
		{PLAIN LISTED("{name=\"a\";\nweight=10001;}", ""),
		 "2: 'workload.tenants[0].weight' is 10001, must be from 1 to 10000"},
		{"chip:{cores=({type=\"baseline\";tenant=\"b\";});};\n" LISTED(A, "tenant=\"a\";"),
		 "2: tenant 'a' owns no cores, and every core has a tenant"},
		{SHARED LISTED(A, "tenant=\"a\";\naffinity=\"4-8\";"),
		 "2: 'workload.traces[0].affinity': each of these cores has a tenant, and 'a' owns none"},
		{SHARED ONE("\ntenant=\"batch\";\naffinity=\"0-7\";"),
		 "3: 'workload.traces[0].affinity': none of these cores belongs to tenant 'batch'"},
		{SHARED ONE("\naffinity=\"4-11\";"),
		 "2: 'workload.traces[0].affinity': each of these cores has a tenant, the thread has none"},
		{"core_types=({\nname=\"a\";type=\"l2\";});" PLAIN ONE(""), "2: core type 'l2' needs a speedup_pct"},
		{"core_types=({name=\"a\";type=\"general\";speedup_pct=3;\nscarce=[\"L2\"];});" PLAIN ONE(""),
		 "2: 'scarce' is for the type table, which has a speedup for each state"},
		{"core_types=({name=\"a\";type=\"general\";speedup_pct=3;\nscarce=[\"L4\"];});" PLAIN ONE(""),
		 "2: unknown state 'L4' (sahm help states)"},
		{"core_types=({name=\"a\";type=\"general\";speedup_pct=3;\nscarce=[\"L2+Branch\",\"branch+l2\"];});" PLAIN
			 ONE(""),
		 "2: the state 'branch+l2' is scarce twice"},
		{"core_types=({name=\"a\";type=\"baseline\";},\n{name=\"a\";type=\"general\";});" PLAIN ONE(""),
		 "2: two core types are called 'a'"},
		{"core_types=({name=\"a\";type=\"baseline\";},\n{name=\"b\";type=\"a\";});" PLAIN ONE(""),
		 "2: unknown core type 'a' (sahm help cores lists them)"},
		{"core_types=({\nname=\"\";type=\"baseline\";});" PLAIN ONE(""), "2: the name of a core type is empty"},
		{"core_types=({\nname=\"L2\";type=\"baseline\";});" PLAIN ONE(""),
		 "2: 'L2' is a core type already (sahm help cores)"},
		{"core_types=({name=\"fast\";type=\"general\";});chip:{cores=({type=\"fast\";\nspeedup_pct=3;});};" ONE(
			 ""),
		 "2: core type 'fast' has its speedups in core_types"},
		{"core_types=({name=\"fast\";type=\"general\";});chip:{cores=(\n{type=\"fats\";});};" ONE(""),
		 "2: unknown core type 'fats'; did you mean 'fast'?"},
		{"chip:{cores=({type=\"baseline\";\ntenant=\"\";});};" ONE(""), "2: 'chip.cores[0].tenant' is empty"},
		{"chip:{cores=({type=\"baseline\";tenant=\"a\";});};\n" ONE(""),
		 "2: a thread without a tenant, and every core has one"},
		{PLAIN ONE("") "migration:{levels=({cores=4;cost_ms=1;},\n{cores=4;cost_ms=1;});};",
		 "2: a level of 4 cores after one of 4: levels are in order, smallest blocks first"},
		{PLAIN ONE("") "migration:{levels=({cores=4;cost_ms=1;},\n{cores=10;cost_ms=1;});};",
		 "2: a block of 10 cores does not consist of whole blocks of 4"},
		{PLAIN ONE("") "migration:{levels=({cores=1;cost_ms=1;});};",
		 "1: 'migration.levels[0].cores' is 1, must be from 2 to 4096 cores"},
		{PLAIN ONE("") "migration:{\nlevels=({cores=2;});};",
		 "2: missing key 'migration.levels[].cost_ms': cost of a migration within a block; required without a profile"},
		{PLAIN ONE("") "migration:{profile=\"kernel\";\nlevels=({cost_ms=1;});};",
		 "2: missing key 'migration.levels[].cores': cores of a block, a multiple of those of the level before; required"},
		{PLAIN ONE("") "migration:{\nprofile=\"kernle\";};",
		 "2: unknown value 'kernle' of 'migration.profile' (none, kernel); did you mean 'kernel'?"},
		{PLAIN ONE("") "migration:{profile=\"kernel\";matrix_ms=(" ROWS4 "[1,1,1,1]);\nlevels=({cores=2;});};",
		 "1: levels and matrix_ms together: either gives the cost of every migration"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"5ux\";};",
		 "2: 'migration.cost_ms' is '5ux', must be in ns, us, ms or s"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"5 parsecs\";};",
		 "2: 'migration.cost_ms' is '5 parsecs', must be in ns, us, ms or s"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"5US\";};",
		 "2: 'migration.cost_ms' is '5US', must be in ns, us, ms or s"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"-5us\";};",
		 "2: 'migration.cost_ms' is -0.005, must be from 0 to 1000000 ms"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"1000000000.001us\";};",
		 "2: 'migration.cost_ms' is 1000000.000001, must be from 0 to 1000000 ms"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"0.0001ns\";};",
		 "2: 'migration.cost_ms' is '0.0001ns', which has more than nine decimals in ms"},
		{PLAIN ONE("") "migration:{\ncost_ms=\"us\";};", "2: 'migration.cost_ms' must be a number"},
		{PLAIN ONE("") "migration:{levels=({cores=2;\ncost_ms=\"5ux\";});};",
		 "2: 'migration.levels[0].cost_ms' is '5ux', must be in ns, us, ms or s"},
		{PLAIN ONE("") "migration:{matrix_ms=([0,1,1,1],\n(1,0,\"250nx\",1),[1,1,0,1],[1,1,1,0]);};",
		 "2: 'migration.matrix_ms[1][2]' is '250nx', must be in ns, us, ms or s"},
		{PLAIN ONE("") "migration:{matrix_ms=([0,1,1,1],[1,0,1,1],[1,1,0,1]);};",
		 "1: matrix_ms has 3 rows, the chip 4 cores"},
		{PLAIN ONE("") "migration:{matrix_ms=([0,1,1,1],[1,0,1,1],[1,1,0,1],\n[1,1,1]);};",
		 "2: row 3 of matrix_ms has 3 numbers, the chip 4 cores"},
		{PLAIN ONE("") "migration:{matrix_ms=([0,1,1,1],5,[1,1,0,1],[1,1,1,0]);};",
		 "1: row 1 of matrix_ms has 1 number, the chip 4 cores"},
		{PLAIN ONE("") "migration:{matrix_ms=([-1,1,1,1],[1,0,1,1],[1,1,0,1],[1,1,1,0]);};",
		 "1: 'migration.matrix_ms[0][0]' is -1, must be from 0 to 1000000 ms"},
		{PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,1,1]);\nlevels=({cores=2;cost_ms=1;});};",
		 "1: levels and matrix_ms together: either gives the cost of every migration"},
		{PLAIN ONE("") "migration:{matrix_ms=(" ROWS4 "[1,1,1,1]);\ncost_ms=1.0;};",
		 "2: cost_ms has no effect here: matrix_ms gives the cost of every migration"},
		{PLAIN ONE("") "migration:{warmup_ms=1000000.5;};",
		 "1: 'migration.warmup_ms' is 1000000.5, must be from 0 to 1000000 ms"},
		{LEVELS("{mhz=500;},\n{mhz=500;}", "") ONE(""),
		 "2: a level of 500 MHz after one of 500: levels are in order, slowest first"},
		{"core_types=({name=\"own\";type=\"baseline\";levels=({mhz=500;});});"
		 "chip:{cores=({type=\"own\";\nlevels=({mhz=500;});});};" ONE(""),
		 "2: core type 'own' has its levels in core_types"},
		{"core_types=({name=\"own\";type=\"baseline\";\ntransition_us=5;});" PLAIN ONE(""),
		 "2: 'transition_us' has no effect here: these cores have no levels"},
		{LEVELS("{mhz=500;speedup_pct=0;},\n{mhz=1000;speedup_pct=-1;}", "") ONE(""),
		 "2: 1000 MHz are slower than 500 in state 0"},
		{LEVELS("{mhz=500;},\n{speedup_pct=5;}", "") ONE(""),
		 "2: missing key 'chip.cores[].levels[].mhz': its frequency, by which chip.costs finds what the core draws; "
		 "required"},
		{LEVELS("{mhz=500;\nspeedup_pct=[-10,-20];}", "") ONE(""),
		 "2: speedup_pct of a level has 2 numbers, must be one, or 16 by state"},
		{LEVELS("{mhz=500;},{mhz=1000;}", "\nfixed_mhz=700;") ONE(""),
		 "2: no level of these cores has 700 MHz; they have 500, 1000"},
		{LEVELS("", "\nfixed_mhz=700;") ONE(""),
		 "2: 'fixed_mhz' has no effect here: these cores have no levels"},
		{LEVELS("", "\ntransition_us=7;") ONE(""),
		 "2: 'transition_us' has no effect here: these cores have no levels"},
		{LEVELS("{mhz=500;},{mhz=1000;}", "fixed_mhz=500;") ONE("") "\n" GOVERNOR("performance"),
		 "2: 'governor' has no effect here: no core has levels to choose from"},
		{LEVELS("{mhz=500;},{mhz=1000;}", "") ONE("") "\n" GOVERNOR("performence"),
		 "2: unknown value 'performence' of 'scheduler.governor' (schedutil, performance); did you mean 'performance'?"},
		{SHARING("{cores=\"0-2\";l2_misses_per_s=5;},\n{cores=\"2\";l2_misses_per_s=5;}") ONE(""),
		 "2: core 2 is in two groups of chip.shared"},
		{SHARING("{\ncores=\"0-4\";l2_misses_per_s=5;}") ONE(""), "2: there is no core 4, the last is 3"},
		{SHARING("\n{cores=\"0\";}") ONE(""),
		 "2: missing key 'chip.shared[].l2_misses_per_s': L2 misses per s that it serves (bytes per s over 64 for lines "
		 "of that length); above that, progress in states that stress the L2 slows by this over what its threads ask "
		 "for; required"},
		{OF_ONE("samples=0;", ""), "1: 'workload.samples' is 0, must be from 1 to 10000"},
		{OF_ONE("samples=10001;", ""), "1: 'workload.samples' is 10001, must be from 1 to 10000"},
		/* 4,095 cores and 1 thread have room for 1,024. */
		{"chip:{cores=({type=\"baseline\";count=4095;});};workload:{traces=({" CC1 "});\nsamples=1025;};",
		 "2: 1025 samples of 4096 threads and cores, must be at most 1024"},
		{OF_ONE("seed=-1;", ""), "1: 'workload.seed' is -1, must be from 0 to 9223372036854775807"},
		{OF_ONE("seed=1.0;", ""), "1: 'workload.seed' must be an integer"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[] = "/tmp/sahm-config-XXXXXX", message[SAHM_ERR_BYTES];
		struct run_config config;
		struct sahm_err err = {0};
		enum sahm_status status = load_text(&config, rows[i][0], path, &err);
		snprintf(message, sizeof(message), "%s:%s", path, rows[i][1]);
		if (status != SAHM_CONFIG || strcmp(err.msg, message) != 0)
			fail_msg("%s: status %d,\n  '%s', expected\n  '%s'", rows[i][0], status, err.msg, message);
	}
}

/* `nr` levels, each twice the one before. */
static enum sahm_status load_levels(unsigned nr, struct run_config *config, struct sahm_err *err)
{
	char path[] = "/tmp/sahm-config-XXXXXX";
	struct textbuf b;
	textbuf_init(&b);
	textbuf_puts(&b, PLAIN ONE("") "migration:{levels=(");
	for (unsigned i = 0; i < nr; i++)
		textbuf_printf(&b, "%s{cores=%u;cost_ms=1;}", i ? "," : "", 2u << i);
	textbuf_puts(&b, ");};");
	enum sahm_status status = load_text(config, b.text, path, err);
	textbuf_release(&b);
	return status;
}

static void test_most_levels(void **state)
{
	(void)state;
	struct run_config config;
	struct sahm_err err = {0};
	assert_int_equal(load_levels(MAX_DISTANCE_LEVELS, &config, &err), SAHM_OK);
	assert_int_equal(config.distances.nr_levels, MAX_DISTANCE_LEVELS);
	run_config_release(&config);
	assert_int_equal(load_levels(MAX_DISTANCE_LEVELS + 1, &config, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, ":1: more than 8 levels"));
}

/* As many threads as there can be, all of one name. */
static void test_most_threads(void **state)
{
	(void)state;
	char path[] = "/tmp/sahm-config-XXXXXX";
	struct run_config config;
	struct sahm_err err = {0};
	struct textbuf b;
	for (uint32_t nr = MAX_THREADS; nr <= MAX_THREADS + 1; nr++) {
		textbuf_init(&b);
		textbuf_puts(&b, PLAIN "workload:{traces=({" CC1 "arrive_ms=[0");
		for (uint32_t t = 1; t < nr; t++)
			textbuf_printf(&b, ",%u", t);
		textbuf_puts(&b, "];affinity=\"1-3\";});};");
		memcpy(path + strlen(path) - 6, "XXXXXX", 6);
		enum sahm_status status = load_text(&config, b.text, path, &err);
		textbuf_release(&b);
		assert_int_equal(status, nr <= MAX_THREADS ? SAHM_OK : SAHM_CONFIG);
		if (status != SAHM_OK)
			break;
		const struct run_thread *last = &config.threads[nr - 1];
		assert_string_equal(last->name, "cc1#16384");
		assert_true(last->arrive_ns == UINT64_C(16383000000));
		assert_ptr_equal(last->allowed, config.threads[0].allowed);
		run_config_release(&config);
	}
	assert_non_null(strstr(err.msg, ":1: more than 16384 threads"));
}

TEST_FILE(test_run_config)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_allowed),
		cmocka_unit_test(test_allowed_is_shared),
		cmocka_unit_test(test_tenants),
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_times_with_units),
		cmocka_unit_test(test_migration_profile),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_most_levels),
		cmocka_unit_test(test_most_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
