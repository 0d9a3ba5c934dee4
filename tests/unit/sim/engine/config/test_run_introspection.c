/* Introspection in configurations: reading, errors, writing, hash; and the shipped `classify` in the place of the
 * built-in classifier. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/ordered/sahm_ordered.h"
#include "sched/ordered/sahm_pass.h"
#include "sim/base/file.h"
#include "sim/engine/config/run.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/config_text.h"
#include "tests/unit/test.h"

#define CHIP "chip:{cores=({type=\"baseline\";},{type=\"l2\";speedup_pct=30;},{type=\"branch\";speedup_pct=30;});};"
#define WORKLOAD                                                                                                       \
	"workload:{traces=(\"workloads/suites/small/gzip.csv\",\"workloads/suites/small/python.csv\","                 \
	"\"workloads/suites/small/sort.csv\",\"workloads/suites/small/sqlite.csv\");};"
#define BASE CHIP WORKLOAD

static void test_defaults(void **state)
{
	(void)state;
	struct run_config config;
	load(&config, BASE);
	assert_null(config.introspection);
	run_config_release(&config);
	load(&config, BASE "introspection:{image=\"classify\";};");
	const struct run_introspection *in = config.introspection;
	assert_string_equal(in->name, "classify");
	assert_string_equal(in->abi.name, "core");
	assert_true(in->image[0] == '/' && in->abi_path[0] == '/' && in->nr_values == 0);
	const struct probe_config *p = &in->probe;
	assert_true(p->hit_mhz == 3000 && p->ipu_mhz == 2000 && p->sampling == 1 && p->latency_ns == 1000 &&
		    p->max_cycles == 100000000 && p->program == in->program);
	run_config_release(&config);
}

/* By a name, and by a file beside the configuration or in the data folder. */
static void test_places(void **state)
{
	static const char *const images[] = {"classify", "ipu/programs/prebuilt/classify.elf",
					     "../ipu/programs/prebuilt/classify.elf"};
	(void)state;
	uint8_t first[HASH_BYTES], hash[HASH_BYTES];
	for (size_t i = 0; i < ARRAY_SIZE(images); i++) {
		char text[1024];
		struct run_config config;
		snprintf(text, sizeof(text), BASE "introspection:{image=\"%s\";abi=\"ipu/abi/core.cfg\";};", images[i]);
		load(&config, text);
		run_config_hash(&config, i ? hash : first);
		assert_memory_equal(i ? hash : first, first, HASH_BYTES);
		run_config_release(&config);
	}
	char *bytes;
	size_t nr;
	struct sahm_err err;
	struct run_config config;
	assert_int_equal(file_read("ipu/programs/prebuilt/classify.elf", 1 << 20, &bytes, &nr, &err), SAHM_OK);
	char name[64], path[96], text[512];
	snprintf(name, sizeof(name), "sahm-other-name-%ld", (long)getpid());
	snprintf(path, sizeof(path), "/tmp/%s", name);
	FILE *f = fopen(path, "wb");
	assert_int_equal(fwrite(bytes, 1, nr, f), nr);
	fclose(f);
	free(bytes);
	snprintf(text, sizeof(text), BASE "introspection:{image=\"%s\";};", name);
	load(&config, text);
	remove(path);
	assert_string_equal(config.introspection->name, name);
	run_config_hash(&config, hash);
	assert_memory_equal(hash, first, HASH_BYTES);
	run_config_release(&config);
}

#define IN(keys) BASE "introspection:{image=\"classify\";" keys "};"

static void test_errors(void **state)
{
	(void)state;
	static const struct {
		const char *text, *part;
	} rows[] = {
		{BASE "introspection:{};", "missing key 'introspection.image'"},
		{BASE "introspection:{abi=\"core\";};", "missing key 'introspection.image'"},
		{BASE "introspection:{image=\"nowhere\";};", ":1: cannot open introspection program 'nowhere'"},
		{BASE "introspection:{image=\"clasify\";};", "did you mean 'classify'?"},
		{IN("abi=\"cor\";"), "did you mean 'core'?"},
		{BASE "introspection:{image=\"/tmp\";};", "cannot open introspection program '/tmp': Is a directory"},
		{BASE "introspection:{image=\"workloads/suites/small/gzip.csv\";};", "gzip.csv"},
		{BASE "introspection:{imag=\"classify\";};", "did you mean 'introspection.image'"},
		{IN("abi=\"nowhere\";"), "cannot open ABI spec 'nowhere'"},
		{IN("abi=\"pics\";"), "a core has no signal "},
		{IN("hit_mhz=0;"), "introspection.hit_mhz"},
		{IN("ipu_mhz=1000001;"), "introspection.ipu_mhz"},
		{IN("sampling=0;"), "introspection.sampling"},
		{IN("latency_us=-1;"), "introspection.latency_us"},
		{IN("latency_us=1000000001;"), "introspection.latency_us"},
		{IN("max_cycles=0;"), "introspection.max_cycles"},
		{IN("values=[\"cut_branh=1\"];"), "did you mean 'cut_branch'"},
		{IN("values=[\"cut_branch\"];"), "cut_branch"},
		{IN("values=[5];"), "introspection.values"},
		{IN("") "scheduler:{oracle=true;};",
		 ":1: introspection together with scheduler.oracle: IPUs tell what was, not what comes"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[] = "/tmp/sahm-config-XXXXXX";
		struct run_config config;
		struct sahm_err err = {0};
		enum sahm_status status = load_text(&config, rows[i].text, path, &err);
		if (status == SAHM_OK || status == SAHM_USAGE || !strstr(err.msg, rows[i].part) ||
		    !strstr(err.msg, path))
			fail_msg("%s: %s", rows[i].text + strlen(BASE), err.msg);
	}
}

/* Written and read again it is the same; each key has its part in the hash. */
static void test_writing_and_hash(void **state)
{
	(void)state;
	static const char *const texts[] = {
		BASE,
		IN(""),
		IN("hit_mhz=2999;"),
		IN("ipu_mhz=999;"),
		IN("sampling=4;"),
		IN("latency_us=0.25;"),
		IN("max_cycles=5000000000L;"),
		IN("values=[\"cut_branch=5000000\",\"cut_l2=0x10\"];"),
		BASE "introspection:{image=\"predict\";};",
	};
	enum { NR = ARRAY_SIZE(texts) };
	uint8_t hashes[NR][HASH_BYTES], again[HASH_BYTES];
	for (size_t i = 0; i < NR; i++) {
		struct run_config config;
		struct textbuf b;
		load(&config, texts[i]);
		run_config_hash(&config, hashes[i]);
		textbuf_init(&b);
		run_config_write(&config, &b);
		run_config_release(&config);
		load(&config, b.text);
		textbuf_release(&b);
		run_config_hash(&config, again);
		assert_memory_equal(hashes[i], again, HASH_BYTES);
		run_config_release(&config);
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(hashes[i], hashes[k], HASH_BYTES);
	}
}

/* The observed state and the place of every thread in every timestep. */
static struct notes {
	uint64_t digest, nr;
} notes;

static void note(uint64_t value)
{
	notes.digest = (notes.digest ^ value) * UINT64_C(0x100000001b3);
	notes.nr++;
}

static u64 note_pass(u64 now)
{
	for (u32 t = 0; t < sahm_nr_tasks(); t++)
		note((uint64_t)scx_bpf_task_cpu(sahm_task(t)) << 8 | sahm_observed_state(sahm_task(t)));
	sched_policy_find("sahm")->sahm_pass(now);
	return 0;
}

static const struct sched_ext_ops noting = {
	.name = "noting",
	.summary = "",
	SAHM_ORDERED_OPS,
	.sahm_pass = note_pass,
};

static struct notes noted(const struct run_config *config, bool with_ipus)
{
	struct run_config other = *config;
	struct run_result result;
	struct sahm_err err;
	other.policy = &noting;
	if (!with_ipus)
		other.introspection = NULL;
	notes = (struct notes){0};
	if (run_execute(&other, SIM_PLAIN, &result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_true((result.probes != NULL) == with_ipus);
	run_result_release(&result);
	return notes;
}

/* With the same cuts, the same thread on the same core in every timestep. */
static void test_classify_is_the_classifier(void **state)
{
	static const char *const paths[] = {"configs/canonical.cfg", "configs/realistic-39.cfg",
					    "configs/shared-16.cfg", "configs/synthetic-39.cfg"};
	static const char *const settings[] = {"introspection.image=classify", "scheduler.oracle=false"};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct run_config config;
		struct sahm_err err;
		if (run_config_load(&config, paths[i], settings, 2, ".", &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		struct notes with = noted(&config, true), without = noted(&config, false);
		assert_true(with.nr > 1000 && with.nr == without.nr && with.digest == without.digest);
		run_config_release(&config);
	}
}

/* Cuts that are set in the program change what it tells, not what is the case; where the configuration has the same, it
 * is right again. */
static void test_other_cut(void **state)
{
	(void)state;
	static const char *const values = "values=[\"cut_branch=5000000\",\"cut_l2=250000000\"];";
	char text[2048];
	struct run_config config;
	snprintf(text, sizeof(text), IN("%s"), values);
	load(&config, text);
	struct notes with = noted(&config, true), without = noted(&config, false);
	assert_true(with.nr > 1000 && with.digest != without.digest);
	run_config_release(&config);
	snprintf(text, sizeof(text), IN("%s") "cuts:{branch_pct=0.5;l2_pct=25;};", values);
	load(&config, text);
	with = noted(&config, true);
	without = noted(&config, false);
	assert_true(with.nr > 1000 && with.nr == without.nr && with.digest == without.digest);
	run_config_release(&config);
}

/* Sampling, latency and clocks reach the IPUs; samples and runs in mode alone add up. */
static void test_counts(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t factor; /* of executed timesteps that are sampled: one in this number */
		bool drops;
	} rows[] = {
		{IN("") "scheduler:{timestep_ms=10;};", 1, false},
		{IN("sampling=4;"), 4, false},
		{IN("ipu_mhz=1;") "scheduler:{timestep_ms=0.05;};", 1, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (int mode = 0; mode < 3; mode++) {
			struct run_config config;
			struct run_result result;
			struct sahm_err err;
			struct probe_counts sum = {0};
			uint64_t executed = 0;
			load(&config, rows[i].text);
			config.duration_ns = 2000000000;
			config.alone = mode == 1;
			config.nr_samples = mode == 2 ? 3 : 1;
			assert_int_equal(run_execute(&config, SIM_EVENT, &result, &err), SAHM_OK);
			for (uint32_t c = 0; c < result.nr_cores; c++) {
				executed += result.cores[c].executed;
				probe_counts_add(&sum, &result.probes[c]);
			}
			assert_true(executed > 0 && sum.arrived == executed && sum.nr_faults == 0);
			assert_true(sum.arrived == sum.invocations + sum.dropped + sum.skipped);
			assert_true((sum.dropped > 0) == rows[i].drops);
			assert_true(sum.skipped + 3 * 4 * 3 >= executed - executed / rows[i].factor &&
				    sum.skipped <= executed - executed / rows[i].factor);
			assert_true(sum.bytes == 4 * sum.packets && sum.rejected == 0);
			run_result_release(&result);
			run_config_release(&config);
		}
	}
}

/* An image that does nothing, at `path`. */
static void write_idle_image(const char *path)
{
	uint8_t code[4];
	const struct made_segment segment = {.address = 0x100, .bytes = code, .nr_bytes = sizeof(code)};
	const struct made_symbol symbol = {.name = "_main", .address = 0x100, .nr_bytes = sizeof(code), .type = 2};
	struct made_elf elf;
	made_put(code, sizeof(code), 0x00008067); /* ret */
	made_elf(&elf, 0x100, &segment, 1, &symbol, 1);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(elf.bytes, 1, elf.nr_bytes, f), elf.nr_bytes);
	fclose(f);
	made_elf_free(&elf);
}

/* An IPU sees something of every timestep: only cycles are not enough where a trace has none. */
static void test_nothing_but_cycles(void **state)
{
	static const char *const signals[] = {"cycles", "thread", "branches"};
	char abi[64], image[64];
	(void)state;
	snprintf(abi, sizeof(abi), "/tmp/sahm-cycles-%ld.cfg", (long)getpid());
	snprintf(image, sizeof(image), "/tmp/sahm-idle-%ld.elf", (long)getpid());
	write_idle_image(image);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		char text[1024], path[] = "/tmp/sahm-config-XXXXXX";
		struct run_config config;
		struct sahm_err err;
		FILE *f = fopen(abi, "w");
		fprintf(f,
			"name = \"made\"; signals = ({ name = \"%s\"; bits = 32; register = 5; rate = 0; "
			"semantics = \"made\"; });",
			signals[i]);
		fclose(f);
		snprintf(text, sizeof(text), BASE "introspection:{image=\"%s\";abi=\"%s\";};", image, abi);
		enum sahm_status status = load_text(&config, text, path, &err);
		if (i > 0 && status != SAHM_OK)
			fail_msg("%s", err.msg);
		if (i > 0) {
			run_config_release(&config);
			continue;
		}
		assert_int_equal(status, SAHM_CONFIG);
		assert_non_null(strstr(err.msg, ":1: ABI spec /tmp/sahm-cycles-"));
		assert_non_null(strstr(err.msg, ".cfg has no signal but 'cycles', which trace /"));
		assert_non_null(strstr(err.msg, "gzip.csv does not have"));
	}
	remove(abi);
	remove(image);
}

TEST_FILE(test_run_introspection)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),  cmocka_unit_test(test_places),
		cmocka_unit_test(test_errors),	  cmocka_unit_test(test_writing_and_hash),
		cmocka_unit_test(test_other_cut), cmocka_unit_test(test_classify_is_the_classifier),
		cmocka_unit_test(test_counts),	  cmocka_unit_test(test_nothing_but_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
