/* Policies as tables and as plug-ins: refused ones, with which words, and the effects of accepted ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/host/plugin.h"
#include "sched/policies/policies.h"
#include "sim/base/file.h"
#include "tests/unit/config_text.h"
#include "tests/unit/test.h"

static void dispatch(s32 cpu, struct task_struct *prev)
{
	(void)cpu;
	(void)prev;
}

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	(void)p;
	(void)enq_flags;
}

static s32 select_cpu(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	(void)p;
	(void)wake_flags;
	return prev_cpu;
}

static u64 pass(u64 now)
{
	return now;
}

static void on_core(s32 cpu)
{
	(void)cpu;
}

static void on_cgroup(struct cgroup *cgrp, u32 weight)
{
	(void)cgrp;
	(void)weight;
}

static s32 on_sub(struct scx_sub_attach_args *args)
{
	(void)args;
	return 0;
}

#define LETTERS_127                                                                                                    \
	"a234567890123456789012345678901234567890123456789012345678901234"                                             \
	"567890123456789012345678901234567890123456789012345678901234567"

static const struct sahm_rules no_swaps = {SWAP_NEVER};
static const struct sahm_rules unknown_rule = {(enum swap_rule)(SWAP_UNMATCHED + 1)};

/* Both sides of every rule; `message` NULL: it is a policy. */
static const struct {
	struct sched_ext_ops ops;
	const char *message;
} policies[] = {
	{{.name = "x"}, NULL},
	{{.name = "Two-parts_and-9"}, NULL},
	{{.name = LETTERS_127}, NULL},
	{{.name = LETTERS_127 "8"},
	 "the name of policy 'a234567890123456789012345678901234567890...' does not end, must be "
	 "up to 127 bytes"},
	{{.name = ""}, "the policy has no name"},
	{{.name = "two words"}, "bad name 'two words' of a policy, must be letters, digits, - and _"},
	{{.name = "a.b"}, "bad name 'a.b' of a policy, must be letters, digits, - and _"},
	{{.name = "x", .cpu_offline = on_core, .cgroup_set_weight = on_cgroup}, NULL},
	{{.name = "x", .sub_attach = on_sub}, "policy 'x' gives sub_attach(), which is not simulated"},
	{{.name = "x", .dispatch = dispatch, .dispatch_max_batch = MAX_DISPATCH_BATCH}, NULL},
	{{.name = "x", .dispatch = dispatch, .dispatch_max_batch = MAX_DISPATCH_BATCH + 1},
	 "policy 'x' has a dispatch_max_batch of 65537, must be at most 65536"},
	{{.name = "x", .timeout_ms = SCX_OPS_TIMEOUT_MS}, NULL},
	{{.name = "x", .timeout_ms = SCX_OPS_TIMEOUT_MS + 1},
	 "policy 'x' has a timeout_ms of 30001, must be at most 30000"},
	{{.name = "x", .sahm_state_bytes = 268435456, .sahm_task_state_bytes = 1048576}, NULL},
	{{.name = "x", .sahm_state_bytes = 268435457},
	 "policy 'x' has sahm_state_bytes of 268435457, must be at most 268435456"},
	{{.name = "x", .sahm_task_state_bytes = 1048577},
	 "policy 'x' has sahm_task_state_bytes of 1048577, must be at most 1048576"},
	{{.name = "x", .flags = SCX_OPS_KEEP_BUILTIN_IDLE | SAHM_OPS_COUNTERS}, NULL},
	{{.name = "x", .flags = 0x7f | SCX_OPS_HAS_CGROUP_WEIGHT, .enqueue = enqueue}, NULL},
	{{.name = "x", .flags = 0x80}, "policy 'x' has flags that are not simulated: 0x80"},
	{{.name = "x", .flags = SCX_OPS_ENQ_LAST, .enqueue = enqueue}, NULL},
	{{.name = "x", .flags = SCX_OPS_ENQ_LAST, .dispatch = dispatch},
	 "policy 'x' has SCX_OPS_ENQ_LAST and no enqueue()"},
	{{.name = "x", .flags = SAHM_OPS_ASKS, .sahm_pass = pass}, NULL},
	{{.name = "x", .flags = SAHM_OPS_ASKS, .dispatch = dispatch},
	 "policy 'x' has SAHM_OPS_ASKS and no sahm_pass()"},
	{{.name = "x", .flags = SAHM_OPS_RUN_QUEUES}, NULL},
	{{.name = "x", .flags = SAHM_OPS_RUN_QUEUES, .enqueue = enqueue},
	 "policy 'x' has SAHM_OPS_RUN_QUEUES and enqueue(): one or the other"},
	{{.name = "x", .flags = SAHM_OPS_RUN_QUEUES, .dispatch = dispatch},
	 "policy 'x' has SAHM_OPS_RUN_QUEUES and dispatch(): one or the other"},
	{{.name = "x", .flags = SAHM_OPS_RUN_QUEUES, .select_cpu = select_cpu},
	 "policy 'x' has SAHM_OPS_RUN_QUEUES and select_cpu(): one or the other"},
	{{.name = "x", .sahm_pass = pass, .dispatch = dispatch}, NULL},
	{{.name = "x", .sahm_pass = pass, .sahm_rules = &no_swaps}, NULL},
	{{.name = "x", .sahm_rules = &no_swaps}, "policy 'x' has sahm_rules and no sahm_pass()"},
	{{.name = "x", .sahm_pass = pass, .sahm_rules = &no_swaps, .dispatch = dispatch},
	 "policy 'x' has sahm_rules and dispatch(): one or the other"},
	{{.name = "x", .sahm_pass = pass, .sahm_rules = &unknown_rule}, "policy 'x' has an unknown rule for swaps, 3"},
};

static void test_ops(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(policies); i++) {
		struct sahm_err err = {.msg = ""};
		enum sahm_status status = sched_ops_check(&policies[i].ops, &err);
		print_message("%zu: %s\n", i, policies[i].message ? policies[i].message : policies[i].ops.name);
		assert_int_equal(status, policies[i].message ? SAHM_CONFIG : SAHM_OK);
		assert_string_equal(err.msg, policies[i].message ? policies[i].message : "");
	}
}

static void test_builtin(void **state)
{
	(void)state;
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++) {
		struct sahm_err err;
		if (sched_ops_check(*p, &err) != SAHM_OK)
			fail_msg("%s: %s", (*p)->name, err.msg);
		assert_non_null((*p)->summary);
		assert_false(sched_plugin_is_path((*p)->name));
	}
}

/* An operation is given when its member is set, and no other is then. */
static void test_tables(void **state)
{
	(void)state;
	const struct sched_ext_ops ops = {.sahm_pass = pass};
	size_t nr = 0;
	for (const struct sched_op_row *row = sched_op_rows; row->name; row++) {
		assert_int_equal(sched_op_is_given(&ops, row), strcmp(row->name, "sahm_pass") == 0);
		nr += sizeof(void (*)(void));
	}
	/* Every pointer to a function before the numbers is an operation, and so are two after them. */
	assert_int_equal(nr, offsetof(struct sched_ext_ops, dispatch_max_batch) + 2 * sizeof(void (*)(void)));
	assert_ptr_equal(sched_call_find("scx_bpf_now")->function, (void (*)(void))scx_bpf_now);
	assert_int_equal(sched_call_find("sahm_move")->kind, SCHED_SAHM);
	assert_int_equal(sched_call_find("sahm_move")->from, SCHED_PASS);
	assert_null(sched_call_find("scx_bpf_no"));
	assert_null(sched_call_find(""));
}

static void test_kind(void **state)
{
	(void)state;
	assert_true(sched_ops_have_run_queues(sched_policy_find("static")));
	assert_true(sched_ops_have_run_queues(sched_policy_find("sahm")));
	assert_false(sched_ops_have_run_queues(&(const struct sched_ext_ops){.name = "x"}));
	assert_false(sched_ops_have_run_queues(&(const struct sched_ext_ops){.sahm_pass = pass, .enqueue = enqueue}));
}

static void test_paths(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool is_path;
	} rows[] = {
		{"./mine", true}, {"mine.so", true}, {"/mine", true}, {".so", true},	    {"a/b.so", true},
		{"mine", false},  {"so", false},     {"", false},     {"mine.so.1", false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(sched_plugin_is_path(rows[i].name), rows[i].is_path);
}

/* Each of the plug-ins that break a rule before they run; the message after the path. */
static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *name, *message;
		enum sahm_status status;
	} rows[] = {
		{"wrong_abi",
		 "built for version 3 of the policy interface, this sahm has version 2: build it again with this "
		 "sahm's headers",
		 SAHM_FORMAT},
		{"no_symbol", "not a policy: it has no symbol 'sahm_plugin', which SCX_OPS_DEFINE() defines",
		 SAHM_FORMAT},
		{"small_symbol", "its 'sahm_plugin' is no struct sahm_plugin", SAHM_FORMAT},
		{"no_policy", "'sahm_plugin' has no policy", SAHM_FORMAT},
		{"unknown_call",
		 "needs 'scx_bpf_dsq_inserts', which this sahm does not have; did you mean 'scx_bpf_dsq_insert'?",
		 SAHM_FORMAT},
		{"unsupported_op", "policy 'unsupported-op' gives sub_attach(), which is not simulated", SAHM_CONFIG},
		{"bad_name", "bad name 'bad name' of a policy, must be letters, digits, - and _", SAHM_CONFIG},
		{"builtin_name", "policy 'static' is called like a built-in one", SAHM_CONFIG},
		{"both_kinds", "policy 'both-kinds' has SAHM_OPS_RUN_QUEUES and dispatch(): one or the other",
		 SAHM_CONFIG},
	};
	struct sched_plugin *plugin = NULL;
	struct sahm_err err;
	char path[256], message[512];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(path, sizeof(path), PLUGIN_FOLDER "/%s.so", rows[i].name);
		snprintf(message, sizeof(message), "%s: %s", path, rows[i].message);
		assert_int_equal(sched_plugin_open(&plugin, path, sched_policies, NULL, &err), rows[i].status);
		assert_string_equal(err.msg, message);
		assert_null(plugin);
	}
	snprintf(message, sizeof(message),
		 PLUGIN_FOLDER
		 "/wrong_size.so: its struct sched_ext_ops has %zu bytes, this sahm's has %zu: build it again "
		 "with this sahm's headers",
		 sizeof(struct sched_ext_ops) - 8, sizeof(struct sched_ext_ops));
	assert_int_equal(sched_plugin_open(&plugin, PLUGIN_FOLDER "/wrong_size.so", sched_policies, NULL, &err),
			 SAHM_FORMAT);
	assert_string_equal(err.msg, message);
}

/* Files that are no shared object are recognised before the dynamic linker sees them. */
static void test_no_objects(void **state)
{
	(void)state;
	static const struct {
		const char *path, *message;
		enum sahm_status status;
	} rows[] = {
		{"nowhere.so", "cannot open 'nowhere.so': No such file or directory", SAHM_IO},
		{"sched", "cannot open 'sched': it is not a regular file", SAHM_IO},
		{"README.md", "README.md: not a shared object: it is no ELF file", SAHM_FORMAT},
		{"/dev/null", "cannot open '/dev/null': it is not a regular file", SAHM_IO},
		{"ipu/programs/prebuilt/classify.elf",
		 "ipu/programs/prebuilt/classify.elf: for another machine than this one", SAHM_FORMAT},
	};
	struct sched_plugin *plugin = NULL;
	struct sahm_err err;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(sched_plugin_open(&plugin, rows[i].path, sched_policies, NULL, &err), rows[i].status);
		assert_string_equal(err.msg, rows[i].message);
	}
	assert_int_equal(sched_plugin_open(&plugin, "/proc/self/exe", sched_policies, NULL, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "must be a shared object"));
}

/* A good plug-in, cut at regular distances: the dynamic linker would fall into the hole. */
static void test_cut_short(void **state)
{
	(void)state;
	char path[] = "/tmp/sahm-plugin-XXXXXX";
	struct sched_plugin *plugin = NULL;
	struct sahm_err err;
	char *bytes;
	size_t len;
	assert_int_equal(file_read(PLUGIN_FOLDER "/loses_a_thread.so", 1 << 24, &bytes, &len, &err), SAHM_OK);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	for (size_t part = 0; part <= 64; part++) {
		FILE *f = fopen(path, "w");
		size_t some = len * part / 64;
		assert_int_equal(fwrite(bytes, 1, some, f), some);
		fclose(f);
		enum sahm_status status = sched_plugin_open(&plugin, path, sched_policies, NULL, &err);
		assert_int_equal(status, part == 64 ? SAHM_OK : SAHM_FORMAT);
	}
	assert_string_equal(sched_plugin_ops(plugin)->name, "loses-a-thread");
	assert_string_equal(sched_plugin_path(plugin), path);
	sched_plugin_close(plugin);
	sched_plugin_close(NULL);
	remove(path);
	free(bytes);
}

/* One that anybody can write to is not loaded; one of a group is that group's business. */
static void test_writable(void **state)
{
	static const struct {
		mode_t mode;
		enum sahm_status status;
	} rows[] = {{0600, SAHM_OK}, {0775, SAHM_OK}, {0664, SAHM_OK}, {0602, SAHM_FORMAT}, {0777, SAHM_FORMAT}};
	char path[] = "/tmp/sahm-plugin-XXXXXX", message[256];
	struct sahm_err err;
	char *bytes;
	size_t len;
	(void)state;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_read(PLUGIN_FOLDER "/starves.so", 1 << 24, &bytes, &len, &err), SAHM_OK);
	assert_int_equal(file_write(path, bytes, len, &err), SAHM_OK);
	free(bytes);
	snprintf(message, sizeof(message),
		 "%s: anybody can write to it, and loading it runs its code: chmod o-w it first", path);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sched_plugin *plugin = NULL;
		assert_int_equal(chmod(path, rows[i].mode), 0);
		assert_int_equal(sched_plugin_open(&plugin, path, sched_policies, NULL, &err), rows[i].status);
		assert_int_equal(plugin != NULL, rows[i].status == SAHM_OK);
		if (rows[i].status != SAHM_OK)
			assert_string_equal(err.msg, message);
		sched_plugin_close(plugin);
	}
	remove(path);
}

static void test_file(void **state)
{
	(void)state;
	struct plugin_file file;
	struct sahm_err err;
	assert_int_equal(plugin_file_read(&file, PLUGIN_FOLDER "/not_portable.so", &err), SAHM_OK);
	assert_true(plugin_file_needs(&file, "scx_bpf_dsq_insert"));
	assert_true(plugin_file_needs(&file, "sahm_observed_state"));
	assert_false(plugin_file_needs(&file, "sahm_move"));
	assert_true(file.plugin_bytes >= sizeof(struct sahm_plugin));
	size_t nr_found = 0;
	for (size_t i = 0; i < file.nr_variables; i++) {
		const struct plugin_variable *v = &file.variables[i];
		assert_string_not_equal(v->name, "constant");
		nr_found += strcmp(v->name, "nr_calls") == 0 && v->nr_bytes == 8;
		nr_found += strcmp(v->name, "last") == 0 && v->nr_bytes == 64 * sizeof(void *);
	}
	assert_int_equal(nr_found, 2);
	assert_true(file.writable_bytes >= 8 + 64 * sizeof(void *));
	plugin_file_release(&file);
}

#define CONFIG                                                                                                         \
	"chip:{cores=({type=\"baseline\";});};workload:{traces=(\"workloads/suites/small/"                             \
	"cc1.csv\");};scheduler:{policy=\"%s\";};"

static void load_with(struct run_config *config, const char *policy)
{
	char text[512];
	snprintf(text, sizeof(text), CONFIG, policy);
	load(config, text);
}

/* What has been loaded needs no trial: the last MAX_KNOWN_PLUGINS files are known by their contents. */
static void test_known(void **state)
{
	(void)state;
	static const char *const names[] = {"starves.so", "loses_a_thread.so", "starves.so", "crashes_on_load.so"};
	static const unsigned nr_known[] = {1, 2, 2, 2};
	struct plugin_known known = {0};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[256];
		struct sched_plugin *plugin = NULL;
		struct sahm_err err;
		snprintf(path, sizeof(path), PLUGIN_FOLDER "/%s", names[i]);
		enum sahm_status status = sched_plugin_open(&plugin, path, sched_policies, &known, &err);
		assert_int_equal(status, i == 3 ? SAHM_FORMAT : SAHM_OK);
		assert_int_equal(known.nr, nr_known[i]);
		sched_plugin_close(plugin);
	}
}

/* In a configuration: found beside the file that names it, kept open, hashed by its contents, written by its path. */
static void test_config(void **state)
{
	(void)state;
	char *starves = realpath(PLUGIN_FOLDER "/starves.so", NULL),
	     *lost = realpath(PLUGIN_FOLDER "/loses_a_thread.so", NULL);
	char copy[] = "/tmp/sahm-copy-XXXXXX.so", line[1024], *bytes;
	size_t len;
	struct sahm_err err;
	uint8_t hashes[4][HASH_BYTES];
	struct run_config config;
	struct textbuf b;
	int fd = mkstemps(copy, 3);
	assert_true(starves && lost && fd >= 0);
	close(fd);
	assert_int_equal(file_read(starves, SIZE_MAX / 2, &bytes, &len, &err), SAHM_OK);
	assert_int_equal(file_write(copy, bytes, len, &err), SAHM_OK);
	free(bytes);
	/* The configuration is written to /tmp, beside the copy. */
	const char *const names[] = {starves, strrchr(copy, '/') + 1, lost, "sahm"};
	for (size_t i = 0; i < 4; i++) {
		load_with(&config, names[i]);
		assert_int_equal(config.plugin != NULL, i < 3);
		run_config_hash(&config, hashes[i]);
		textbuf_init(&b);
		run_config_write(&config, &b);
		snprintf(line, sizeof(line), "\tpolicy = \"%s\";\n", i == 1 ? copy : names[i]);
		assert_non_null(strstr(b.text, line));
		textbuf_release(&b);
		run_config_release(&config);
	}
	assert_memory_equal(hashes[0], hashes[1], HASH_BYTES);
	assert_memory_not_equal(hashes[0], hashes[2], HASH_BYTES);
	remove(copy);
	free(starves);
	free(lost);
}

static void test_config_refused(void **state)
{
	(void)state;
	static const struct {
		const char *policy, *message;
		enum sahm_status status;
	} rows[] = {
		{"./nowhere.so", "1: cannot open policy './nowhere.so': No such file or directory", SAHM_IO},
		{"/tmp/", "1: cannot open policy '/tmp/': Is a directory", SAHM_IO},
		{"/proc/version", "1: /proc/version: not a shared object: it is no ELF file", SAHM_FORMAT},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[512], path[] = "/tmp/sahm-config-XXXXXX";
		struct run_config config;
		struct sahm_err err = {0};
		snprintf(text, sizeof(text), CONFIG, rows[i].policy);
		assert_int_equal(load_text(&config, text, path, &err), rows[i].status);
		assert_string_equal(strchr(err.msg, ':') + 1, rows[i].message);
	}
}

TEST_FILE(test_plugin)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_builtin),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_kind),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_objects),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_writable),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_config_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
