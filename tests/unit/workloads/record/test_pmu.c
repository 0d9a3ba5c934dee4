/* PMUs: which processor is which, what stands for counters, how events are encoded. */
#include "workloads/record/pmu.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"
#include "workloads/record/perf_rows.h"

static const struct pmu *pmu(const char *name)
{
	struct sahm_err err;
	const struct pmu *p = pmu_named(name, &err);
	if (!p)
		fail_msg("%s", err.msg);
	return p;
}

static void test_of(void **state)
{
	static const struct {
		const char *maker;
		uint64_t family, number;
		const char *pmu;
	} rows[] = {
		{"GenuineIntel", 6, 0x8e, "skl"},      {"GenuineIntel", 6, 0x8f, "spr"},
		{"GenuineIntel", 6, 0x90, NULL},       {"GenuineIntel", 6, 0xcf, "spr"},
		{"GenuineIntel", 6, 0x97, "glc"},      {"GenuineIntel", 6, 0xb7, "glc"},
		{"GenuineIntel", 6, 0xbe, NULL},       {"GenuineIntel", 15, 0x8f, NULL},
		{"AuthenticAMD", 6, 0x8f, NULL},       {"AuthenticAMD", 0x17, 0x00, "zen1"},
		{"AuthenticAMD", 0x17, 0x2f, "zen1"},  {"AuthenticAMD", 0x17, 0x30, "zen2"},
		{"AuthenticAMD", 0x17, 0x71, "zen2"},  {"AuthenticAMD", 0x17, 0x80, NULL},
		{"AuthenticAMD", 0x19, 0x01, "zen3"},  {"AuthenticAMD", 0x19, 0x0f, "zen3"},
		{"AuthenticAMD", 0x19, 0x10, "zen4"},  {"AuthenticAMD", 0x19, 0x20, "zen3"},
		{"AuthenticAMD", 0x19, 0x5f, "zen3"},  {"AuthenticAMD", 0x19, 0x60, "zen4"},
		{"AuthenticAMD", 0x19, 0xaf, "zen4"},  {"AuthenticAMD", 0x1a, 0x02, NULL},
		{"arm 0x41", 0, 0xd0c, "neoverse-n1"}, {"arm 0x41", 0, 0xd40, "neoverse-v1"},
		{"arm 0x41", 0, 0xd49, "neoverse-n2"}, {"arm 0x41", 0, 0xd4f, "neoverse-v2"},
		{"arm 0x46", 0, 0xd0c, NULL},	       {"riscv 0x489", 0, 0x8000000000000007, "u74"},
		{"riscv 0x489", 0, 7, NULL},	       {"", 0, 0, NULL},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct pmu *p = pmu_of(rows[i].maker, rows[i].family, rows[i].number);
		print_message("%s %#lx\n", rows[i].maker, (unsigned long)rows[i].number);
		assert_string_equal(p ? p->name : "none", rows[i].pmu ? rows[i].pmu : "none");
	}
}

/* Every event of every table has a code, and every row of codes is used. */
static void test_all_encode(void **state)
{
	(void)state;
	for (const struct pmu *p = pmus; p->name; p++) {
		struct arena a;
		struct pmu_event events[MAX_PMU_EVENTS];
		struct sahm_err err;
		unsigned nr;
		print_message("%s\n", p->name);
		arena_init(&a);
		if (pmu_events(p, &a, events, &nr, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_true(nr > 0);
		for (unsigned i = 0; i < nr; i++) {
			assert_non_null(events[i].source);
			assert_true(strlen(events[i].source) > 0);
			for (unsigned k = 0; k < i; k++)
				assert_true(strcmp(events[i].name, events[k].name) != 0 &&
					    (events[i].config != events[k].config || events[i].type != events[k].type));
		}
		for (unsigned c = 0; c < NR_COUNTERS; c++) {
			const char *source = "";
			if (pmu_expression(p, c, &source))
				assert_true(strlen(source) > 0);
			else
				assert_true(strcmp(p->name, "software") == 0 ||
					    (strcmp(p->name, "u74") == 0 && c == COUNTER_L2_MISSES));
		}
		arena_release(&a);
	}
}

/* Codes of the tables that are published, as perf_event_open() takes them: umask in bits 15:8, event in 7:0. */
static void test_codes(void **state)
{
	static const struct {
		const char *pmu, *event;
		uint64_t config;
	} rows[] = {
		{"spr", "INST_RETIRED:ANY_P", 0xc0},
		{"spr", "BR_INST_RETIRED:ALL_BRANCHES", 0xc4},
		{"spr", "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5},
		{"spr", "L2_RQSTS:ALL_CODE_RD", 0xe424},
		{"spr", "MEM_INST_RETIRED:ANY", 0x83d0},
		{"spr", "L2_RQSTS:ALL_DEMAND_REFERENCES", 0xe724},
		{"spr", "L2_RQSTS:ALL_DEMAND_MISS", 0x2724},
		{"spr", "CPU_CLK_UNHALTED:THREAD_P", 0x3c},
		{"glc", "L2_RQSTS.ALL_RFO", 0xe224},
		{"glc", "MEM_INST_RETIRED.ANY", 0x83d0},
		{"skl", "L2_RQSTS:ALL_DEMAND_DATA_RD", 0xe124},
		{"hsw", "MEM_UOPS_RETIRED:ALL_STORES", 0x82d0},
		{"zen1", "DATA_CACHE_ACCESSES", 0x40},
		{"zen1", "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X", 0xe860},
		{"zen2", "LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH", 0x729},
		{"zen3", "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ", 0x1060},
		{"zen4", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS", 0x964},
		{"zen4", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3},
		{"neoverse-v2", "L2D_CACHE_REFILL", 0x17},
		{"neoverse-n1", "BR_MIS_PRED_RETIRED", 0x22},
		{"u74", "ICACHE_MISS", 0x102},
		{"u74", "DCACHE_MISS", 0x202},
		{"u74", "BRANCH_TARGET_MISPREDICTION", 0x4001},
		{"u74", "FP_STORE", 0x100000},
		{"software", "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a;
		struct pmu_event events[MAX_PMU_EVENTS];
		struct sahm_err err;
		unsigned nr, at = 0;
		print_message("%s %s\n", rows[i].pmu, rows[i].event);
		arena_init(&a);
		assert_int_equal(pmu_events(pmu(rows[i].pmu), &a, events, &nr, &err), SAHM_OK);
		while (at < nr && strcmp(events[at].name, rows[i].event) != 0)
			at++;
		assert_true(at < nr);
		assert_int_equal(events[at].config, rows[i].config);
		assert_true(events[at].config1 == 0 && events[at].config2 == 0);
		arena_release(&a);
	}
}

/* Instructions are the first event: recorders count on it. */
static void test_instructions_first(void **state)
{
	(void)state;
	for (const struct pmu *p = pmus; p->name; p++) {
		struct arena a;
		struct pmu_event events[MAX_PMU_EVENTS];
		struct sahm_err err;
		unsigned nr;
		const char *expression = pmu_expression(p, COUNTER_INSTRUCTIONS, NULL);
		if (!expression)
			continue;
		arena_init(&a);
		assert_int_equal(pmu_events(p, &a, events, &nr, &err), SAHM_OK);
		assert_string_equal(events[0].name, expression);
		arena_release(&a);
	}
}

static void test_unknown_name(void **state)
{
	struct sahm_err err;
	(void)state;
	assert_null(pmu_named("zen5", &err));
	assert_int_equal(err.status, SAHM_USAGE);
	assert_non_null(strstr(err.msg, "unknown PMU 'zen5'; did you mean 'zen"));
}

static void test_names_event(void **state)
{
	(void)state;
	assert_true(perf_names_event("A:B", "A:B"));
	assert_true(perf_names_event("A:B - A:C", "A:C"));
	assert_true(perf_names_event("AA + A", "A"));
	assert_false(perf_names_event("A:B - A:C", "A"));
	assert_false(perf_names_event("AA + BA", "A"));
}

static void put(const char *machine, const char *path, const char *text)
{
	char whole[512];
	snprintf(whole, sizeof(whole), "%s/%s/%s", own_folder, machine, path);
	for (char *slash = whole + strlen(own_folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0777);
		*slash = '/';
	}
	FILE *out = fopen(whole, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void read_machine(const char *machine, struct pmu_machine *m)
{
	char root[512];
	snprintf(root, sizeof(root), "%s/%s", own_folder, machine);
	machine_read(root, m);
}

static void assert_called(const struct pmu_machine *m, const char *name, const char *identity)
{
	struct textbuf b;
	textbuf_init(&b);
	machine_write(m, &b);
	assert_string_equal(b.text, name);
	b.len = 0;
	b.text[0] = '\0';
	machine_write_identity(m, &b);
	assert_string_equal(b.text, identity);
	textbuf_release(&b);
}

#define DEVICES "sys/bus/event_source/devices/"

static void test_x86(void **state)
{
	struct pmu_machine m;
	struct sahm_err err;
	(void)state;
	put("zen", "proc/cpuinfo",
	    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 97\n"
	    "model name\t: AMD Ryzen 9 7950X 16-Core Processor\nstepping\t: 2\npower management: ts\n\n"
	    "processor\t: 1\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n");
	put("zen", DEVICES "cpu/type", "4\n");
	put("zen", DEVICES "cpu_something/type", "9\n");
	put("zen", "proc/sys/kernel/perf_event_paranoid", "-1\n");
	read_machine("zen", &m);
	assert_string_equal(m.pmu->name, "zen4");
	assert_string_equal(m.device, "cpu");
	assert_int_equal(m.device_type, 4);
	assert_string_equal(m.cpus, "");
	assert_int_equal(m.paranoia, -1);
	assert_called(&m, "AMD Ryzen 9 7950X 16-Core Processor", "AuthenticAMD, family 25, model 97");
	assert_int_equal(machine_check(&m, &err), SAHM_OK);
}

static void test_hybrid(void **state)
{
	struct pmu_machine m;
	(void)state;
	put("adl", "proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 151\n");
	put("adl", DEVICES "cpu_atom/type", "10\n");
	put("adl", DEVICES "cpu_core/type", "4\n");
	put("adl", DEVICES "cpu_core/cpus", "0-15\n");
	read_machine("adl", &m);
	assert_string_equal(m.pmu->name, "glc");
	assert_string_equal(m.device, "cpu_core");
	assert_string_equal(m.cpus, "0-15");
	assert_int_equal(m.paranoia, PARANOIA_UNKNOWN);
	assert_called(&m, "Intel Golden Cove client cores (Alder Lake, Raptor Lake)",
		      "GenuineIntel, family 6, model 151");
}

static void test_arm(void **state)
{
	struct pmu_machine m;
	(void)state;
	put("graviton", "proc/cpuinfo",
	    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n"
	    "CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\nCPU revision\t: 1\n");
	put("graviton", DEVICES "armv8_pmuv3_1/type", "9\n");
	put("graviton", DEVICES "armv8_pmuv3_0/type", "8\n");
	read_machine("graviton", &m);
	assert_string_equal(m.pmu->name, "neoverse-v2");
	assert_string_equal(m.device, "armv8_pmuv3_0");
	assert_int_equal(m.device_type, 8);
	assert_called(&m, "Arm Neoverse V2", "Arm implementer 0x41, part 0xd4f");
}

static void test_riscv(void **state)
{
	struct pmu_machine m;
	(void)state;
	put("unmatched", "proc/cpuinfo",
	    "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\n"
	    "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x20181004\n");
	put("unmatched", DEVICES "cpu/type", "4\n");
	read_machine("unmatched", &m);
	assert_string_equal(m.pmu->name, "u74");
	assert_called(&m, "sifive,u74-mc", "RISC-V vendor 0x489, marchid 0x8000000000000007");
}

/* Missing parts are reported as such. */
static void test_unsupported(void **state)
{
	struct pmu_machine m;
	struct sahm_err err;
	(void)state;
	put("vm", "proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 143\nmodel name : Xeon\n");
	put("vm", DEVICES "software/type", "1\n");
	put("vm", "proc/sys/kernel/perf_event_paranoid", "lots\n");
	read_machine("vm", &m);
	assert_string_equal(m.pmu->name, "spr");
	assert_int_equal(m.paranoia, PARANOIA_UNKNOWN);
	assert_int_equal(machine_check(&m, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "no hardware counters"));
	assert_non_null(strstr(err.msg, "--via qemu"));
	put("new", "proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 222\n");
	put("new", DEVICES "cpu/type", "4\n");
	read_machine("new", &m);
	assert_null(m.pmu);
	assert_int_equal(machine_check(&m, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "not known (GenuineIntel, family 6, model 222)"));
	/* A type that is no number is no device. */
	put("odd", "proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 143\n:\n\x1b[31m\n");
	put("odd", DEVICES "cpu/type", "four\n");
	read_machine("odd", &m);
	assert_string_equal(m.device, "");
	read_machine("nowhere", &m);
	assert_null(m.pmu);
	assert_called(&m, "", "");
	assert_int_equal(machine_check(&m, &err), SAHM_IO);
}

TEST_FILE(test_pmu)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of),	     cmocka_unit_test(test_all_encode),
		cmocka_unit_test(test_codes),	     cmocka_unit_test(test_instructions_first),
		cmocka_unit_test(test_unknown_name), cmocka_unit_test(test_names_event),
		cmocka_unit_test(test_x86),	     cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_arm),	     cmocka_unit_test(test_riscv),
		cmocka_unit_test(test_unsupported),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
