/* Variables of BPF programs: settings and their limits, and what a loader sets. */
#include "sched/host/bpf_image.h"
#include "sim/base/array.h"
#include "tests/unit/test.h"

#include <string.h>

static volatile u64 other_ns = 3;
static volatile s64 lag_ns;
static volatile s8 small;
static volatile bool is_on;
static volatile u16 list[3];
static volatile u64 cpu_capacity[2];

#define VARIABLE(x, element, kind, is_constant)                                                                        \
	{                                                                                                              \
#x, (void *)(uintptr_t)&x, sizeof(x), sizeof(element), SAHM_BPF_##kind, is_constant                    \
	}

static const struct sahm_bpf_variable variables[] = {
	VARIABLE(other_ns, other_ns, UNSIGNED, false), VARIABLE(small, small, SIGNED, false),
	VARIABLE(is_on, is_on, BOOL, false),	       VARIABLE(lag_ns, lag_ns, SIGNED, false),
	VARIABLE(list, list[0], UNSIGNED, false),      VARIABLE(cpu_capacity, cpu_capacity[0], UNSIGNED, true),
};
static struct bpf_image *image;
static const struct sahm_bpf_program program = {
	.nr_variables = ARRAY_SIZE(variables), .variables = variables, .image = &image};

static void test_settings(void **state)
{
	static const struct {
		const char *setting, *message; /* NULL: it is fine */
	} rows[] = {
		{"other_ns=18446744073709551615", NULL},
		{"other_ns=18446744073709551616",
		 "bad value '18446744073709551616' of 'other_ns', must be 0 to 2^64-1, or a time in ns, us, ms or s"},
		{"other_ns=5ms", NULL},
		{"other_ns=1.5us", NULL},
		{"other_ns=1.5ns",
		 "bad value '1.5ns' of 'other_ns', must be 0 to 2^64-1, or a time in ns, us, ms or s"},
		{"other_ns=-5ms", "bad value '-5ms' of 'other_ns', must be 0 to 2^64-1, or a time in ns, us, ms or s"},
		{"other_ns=18446744073709551615ns", NULL},
		{"other_ns=18446744073709551616ns",
		 "bad value '18446744073709551616ns' of 'other_ns', must be 0 to 2^64-1, or a time in ns, us, ms or s"},
		{"lag_ns=-5ms", NULL},
		{"other_ns=-1", "bad value '-1' of 'other_ns', must be 0 to 2^64-1, or a time in ns, us, ms or s"},
		{"other_ns=0x10", NULL},
		{"other_ns=", "bad value '' of 'other_ns', must be 0 to 2^64-1, or a time in ns, us, ms or s"},
		{"small=127", NULL},
		{"small=128", "bad value '128' of 'small', must be -128 to 127"},
		{"small=-128", NULL},
		{"small=-129", "bad value '-129' of 'small', must be -128 to 127"},
		{"small=5ms", "bad value '5ms' of 'small', must be -128 to 127; units are for names that end in _ns"},
		{"is_on=true", NULL},
		{"is_on=0", NULL},
		{"is_on=2", "bad value '2' of 'is_on', must be true or false"},
		{"is_on=yes", "bad value 'yes' of 'is_on', must be true or false"},
		{"list=1,2,65535", NULL},
		{"list=1,65536", "bad value '65536' of 'list', must be 0 to 65535"},
		{"list=1,2,3,4", "'list=1,2,3,4' has more values than 'list' holds (3)"},
		{"list=1,,2", "bad value '' of 'list', must be 0 to 65535"},
		{"smal=1", "the policy has no variable 'smal'; did you mean 'small'?"},
		{"=1", "'=1' sets nothing, must be NAME=VALUE"},
		{"small", "'small' sets nothing, must be NAME=VALUE"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {.msg = ""};
		enum sahm_status status = bpf_setting_check(&program, rows[i].setting, &err);
		if (status != (rows[i].message ? SAHM_CONFIG : SAHM_OK) ||
		    (rows[i].message && strcmp(err.msg, rows[i].message) != 0))
			fail_msg("%s: %s", rows[i].setting, err.msg);
	}
}

static u32 capacity(void *ctx, u32 cpu)
{
	(void)ctx;
	return 100 + cpu;
}

static void test_begin(void **state)
{
	static const char *const settings[] = {"other_ns=2us", "small=-5", "lag_ns=-2us", "list=7,8", "is_on=true"};
	const struct bpf_machine machine = {3, 10000000, capacity, NULL};
	(void)state;
	bpf_image_begin(&program, &machine, settings, ARRAY_SIZE(settings));
	assert_int_equal(other_ns, 2000);
	assert_int_equal(small, -5);
	assert_int_equal(lag_ns, -2000);
	assert_int_equal(list[0], 7);
	assert_int_equal(list[1], 8);
	assert_int_equal(list[2], 0);
	assert_true(is_on);
	/* No more than it holds. */
	assert_int_equal(cpu_capacity[0], 100);
	assert_int_equal(cpu_capacity[1], 101);
}

/* A loader sets constants only, and leaves a slice that the file gives. */
static void test_loader(void **state)
{
	static volatile u32 cpus_constant = 1, cpus_variable = 1;
	static volatile u64 slice = 0, given = 5;
	const struct sahm_bpf_variable own[] = {
		{"nr_cpus", (void *)(uintptr_t)&cpus_constant, 4, 4, SAHM_BPF_UNSIGNED, true},
		{"nr_cpu_ids", (void *)(uintptr_t)&cpus_variable, 4, 4, SAHM_BPF_UNSIGNED, false},
		{"slice_ns", (void *)(uintptr_t)&slice, 8, 8, SAHM_BPF_UNSIGNED, true},
		{"cgrp_slice_ns", (void *)(uintptr_t)&given, 8, 8, SAHM_BPF_UNSIGNED, true},
	};
	const struct sahm_bpf_program p = {.nr_variables = ARRAY_SIZE(own), .variables = own, .image = &image};
	const struct bpf_machine machine = {3, 10000000, capacity, NULL};
	(void)state;
	bpf_image_begin(&p, &machine, NULL, 0);
	assert_int_equal(cpus_constant, 3);
	assert_int_equal(cpus_variable, 1);
	assert_int_equal(slice, SCX_SLICE_DFL);
	assert_int_equal(given, 5);
}

TEST_FILE(test_bpf_image)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_loader),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
