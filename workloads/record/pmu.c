#include "workloads/record/pmu.h"

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/late_library.h"
#include "sim/base/suggest.h"
#include "workloads/import/import_internal.h"

const struct pmu pmus[] = {
#define PMU(symbol, name, libpfm, set, devices, title) {name, libpfm, PMU_SET_##set, devices, title},
#include "workloads/record/pmu_list.h"
#undef PMU
	{0},
};

/* Which events stand for which counter.
 * The expression is one of the importer's (sahm help import): sums, differences and multiples of events, by the names
 * of libpfm4 or code_rows[]. A counter without a row is not counted by that PMU. Choices that are the same everywhere:
 *
 * - Accesses of L1D are loads and stores that retired (or, where there is no such event, were sent to the data cache).
 * - Misses of L1I and L1D are the requests that these caches make of L2, and both together are the accesses to L2;
 * actions of L2's own prefetchers are neither accesses nor misses. So the levels fit together as they do in a model.
 * - Fewer events go before better ones: events that do not fit into the counters at once take turns, and are estimated.
 *
 * To add a PMU: a row in pmu_list.h, its models in matches[] of pmu_machine.c, its events here (a new enum pmu_set,
 * unless another's will do), codes that libpfm4 lacks in code_rows[], with their source; rows in test_pmu.c, a line in
 * docs/recording.md. What cannot be sourced stays out. */
static const struct {
	enum pmu_set set;
	enum counter counter;
	const char *expression, *source;
} event_rows[] = {
#define EVENT(set, counter, expression, source)                                                                        \
	{                                                                                                              \
		PMU_SET_##set, COUNTER_##counter, expression, source                                                   \
	}
	/* Eight counters, of which only the first four count L2 and memory: four such events, and all fit at once. */
	EVENT(INTEL_8, INSTRUCTIONS, "INST_RETIRED:ANY_P", "Intel event tables"),
	EVENT(INTEL_8, BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", "Intel event tables"),
	EVENT(INTEL_8, BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", "Intel event tables"),
	EVENT(INTEL_8, L1I_MISSES, "L2_RQSTS:ALL_CODE_RD",
	      "Linux x86/events/intel/core.c: L1I read miss of Golden Cove"),
	EVENT(INTEL_8, L1D_ACCESSES, "MEM_INST_RETIRED:ANY", "Intel event tables"),
	EVENT(INTEL_8, L1D_MISSES, "L2_RQSTS:ALL_DEMAND_REFERENCES - L2_RQSTS:ALL_CODE_RD",
	      "Intel event tables: umask 0xe7 less 0xe4, data reads and RFO"),
	EVENT(INTEL_8, L2_ACCESSES, "L2_RQSTS:ALL_DEMAND_REFERENCES", "Intel event tables"),
	EVENT(INTEL_8, L2_MISSES, "L2_RQSTS:ALL_DEMAND_MISS", "Intel event tables"),
	EVENT(INTEL_8, CYCLES, "CPU_CLK_UNHALTED:THREAD_P", "Intel event tables"),

	/* Four counters beside hyper-threading: two groups either way, and sums cannot become negative as differences
	 * across groups can. */
	EVENT(INTEL_4, INSTRUCTIONS, "INST_RETIRED:ANY_P", "Intel event tables"),
	EVENT(INTEL_4, BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", "Intel event tables"),
	EVENT(INTEL_4, BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", "Intel event tables"),
	EVENT(INTEL_4, L1D_ACCESSES, "MEM_INST_RETIRED:ANY", "Intel event tables"),
	EVENT(INTEL_4, L1I_MISSES, "L2_RQSTS:ALL_CODE_RD", "Intel event tables"),
	EVENT(INTEL_4, L1D_MISSES, "L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO", "Intel event tables"),
	EVENT(INTEL_4, L2_ACCESSES, "L2_RQSTS:ALL_CODE_RD + L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO",
	      "Intel event tables"),
	EVENT(INTEL_4, L2_MISSES, "L2_RQSTS:ALL_DEMAND_MISS", "Intel event tables"),
	EVENT(INTEL_4, CYCLES, "CPU_CLK_UNHALTED:THREAD_P", "Intel event tables"),

	EVENT(HASWELL, INSTRUCTIONS, "INST_RETIRED:ANY_P", "Intel event tables"),
	EVENT(HASWELL, BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", "Intel event tables"),
	EVENT(HASWELL, BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", "Intel event tables"),
	EVENT(HASWELL, L1D_ACCESSES, "MEM_UOPS_RETIRED:ALL_LOADS + MEM_UOPS_RETIRED:ALL_STORES", "Intel event tables"),
	EVENT(HASWELL, L1I_MISSES, "L2_RQSTS:ALL_CODE_RD", "Intel event tables"),
	EVENT(HASWELL, L1D_MISSES, "L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO", "Intel event tables"),
	EVENT(HASWELL, L2_ACCESSES, "L2_RQSTS:ALL_CODE_RD + L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO",
	      "Intel event tables"),
	EVENT(HASWELL, L2_MISSES, "L2_RQSTS:ALL_DEMAND_MISS", "Intel event tables"),
	EVENT(HASWELL, CYCLES, "CPU_CLK_UNHALTED:THREAD_P", "Intel event tables"),

	/* As above; the table of Alder Lake lacks ALL_DEMAND_REFERENCES. */
	EVENT(GOLDEN_COVE, INSTRUCTIONS, "INST_RETIRED.ANY_P", "Intel event tables"),
	EVENT(GOLDEN_COVE, BRANCHES, "BR_INST_RETIRED.ALL_BRANCHES", "Intel event tables"),
	EVENT(GOLDEN_COVE, BRANCH_MISSES, "BR_MISP_RETIRED.ALL_BRANCHES", "Intel event tables"),
	EVENT(GOLDEN_COVE, L1D_ACCESSES, "MEM_INST_RETIRED.ANY", "Intel event tables"),
	EVENT(GOLDEN_COVE, L1I_MISSES, "L2_RQSTS.ALL_CODE_RD", "Linux x86/events/intel/core.c: L1I read miss"),
	EVENT(GOLDEN_COVE, L1D_MISSES, "L2_RQSTS.ALL_DEMAND_DATA_RD + L2_RQSTS.ALL_RFO", "Intel event tables"),
	EVENT(GOLDEN_COVE, L2_ACCESSES, "L2_RQSTS.ALL_CODE_RD + L2_RQSTS.ALL_DEMAND_DATA_RD + L2_RQSTS.ALL_RFO",
	      "Intel event tables"),
	EVENT(GOLDEN_COVE, L2_MISSES, "L2_RQSTS.ALL_DEMAND_MISS", "Intel event tables"),
	EVENT(GOLDEN_COVE, CYCLES, "CPU_CLK_UNHALTED.THREAD", "Intel event tables"),

	/* Six counters for eight events: two groups. */
	EVENT(ZEN2, INSTRUCTIONS, "RETIRED_INSTRUCTIONS", "AMD PPR"),
	EVENT(ZEN2, BRANCHES, "RETIRED_BRANCH_INSTRUCTIONS", "AMD PPR"),
	EVENT(ZEN2, BRANCH_MISSES, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "AMD PPR"),
	EVENT(ZEN2, L1I_MISSES, "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ",
	      "AMD PPR: L2 accesses from L1I misses, prefetches of the L1I included"),
	EVENT(ZEN2, L1D_ACCESSES, "LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH",
	      "AMD PPR: all data cache accesses; dispatched, not retired"),
	EVENT(ZEN2, L1D_MISSES, "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	      "AMD PPR: L2 accesses from L1D misses, prefetches of the L1D included"),
	EVENT(ZEN2, L2_ACCESSES,
	      "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ + "
	      "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	      "AMD PPR"),
	EVENT(ZEN2, L2_MISSES, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS",
	      "AMD PPR: L2 misses from L1I and L1D misses"),
	EVENT(ZEN2, CYCLES, "CYCLES_NOT_IN_HALT", "AMD PPR"),

	EVENT(ZEN1, INSTRUCTIONS, "RETIRED_INSTRUCTIONS", "AMD PPR"),
	EVENT(ZEN1, BRANCHES, "RETIRED_BRANCH_INSTRUCTIONS", "AMD PPR"),
	EVENT(ZEN1, BRANCH_MISSES, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "AMD PPR"),
	EVENT(ZEN1, L1I_MISSES, "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ",
	      "AMD PPR: L2 accesses from L1I misses, prefetches of the L1I included"),
	EVENT(ZEN1, L1D_ACCESSES, "DATA_CACHE_ACCESSES", "AMD PPR"),
	EVENT(ZEN1, L1D_MISSES, "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	      "AMD PPR: L2 accesses from L1D misses, prefetches of the L1D included"),
	EVENT(ZEN1, L2_ACCESSES,
	      "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ + "
	      "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	      "AMD PPR"),
	EVENT(ZEN1, L2_MISSES, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS",
	      "AMD PPR: L2 misses from L1I and L1D misses"),
	EVENT(ZEN1, CYCLES, "CYCLES_NOT_IN_HALT", "AMD PPR"),

	/* Six counters and one for cycles. Arm's L2 accesses hold the write-backs of the L1D, too. */
	EVENT(NEOVERSE, INSTRUCTIONS, "INST_RETIRED", "Arm event tables"),
	EVENT(NEOVERSE, BRANCHES, "BR_RETIRED", "Arm event tables"),
	EVENT(NEOVERSE, BRANCH_MISSES, "BR_MIS_PRED_RETIRED", "Arm event tables"),
	EVENT(NEOVERSE, L1I_MISSES, "L1I_CACHE_REFILL", "Arm event tables"),
	EVENT(NEOVERSE, L1D_ACCESSES, "L1D_CACHE", "Arm event tables"),
	EVENT(NEOVERSE, L1D_MISSES, "L1D_CACHE_REFILL", "Arm event tables"),
	EVENT(NEOVERSE, L2_ACCESSES, "L2D_CACHE", "Arm event tables"),
	EVENT(NEOVERSE, L2_MISSES, "L2D_CACHE_REFILL", "Arm event tables"),
	EVENT(NEOVERSE, CYCLES, "CPU_CYCLES", "Arm event tables"),

	/* Two counters. Its L2 is no part of the core, and nothing counts its misses: no trace without an assumption.
	 */
	EVENT(U74, INSTRUCTIONS, "instructions", "table I of the codes' source"),
	EVENT(U74, BRANCHES, "COND_BRANCH + JAL + JALR", "table I of the codes' source"),
	EVENT(U74, BRANCH_MISSES, "BRANCH_DIRECTION_MISPREDICTION + BRANCH_TARGET_MISPREDICTION",
	      "table I of the codes' source"),
	EVENT(U74, L1I_MISSES, "ICACHE_MISS", "table I of the codes' source"),
	EVENT(U74, L1D_ACCESSES, "INTEGER_LOAD + INTEGER_STORE + ATOMIC + FP_LOAD + FP_STORE",
	      "table I of the codes' source"),
	EVENT(U74, L1D_MISSES, "DCACHE_MISS", "table I of the codes' source"),
	EVENT(U74, L2_ACCESSES, "ICACHE_MISS + DCACHE_MISS", "table I of the codes' source: every miss enters L2"),
	EVENT(U74, CYCLES, "cycles", "table I of the codes' source"),
#undef EVENT
};

/* Events that libpfm4 does not know. Type: one of perf_event_open(2).
 * Tables of Linux are below tools/perf/pmu-events/arch; the paper is "Performance Monitoring and Event-based Sampling
 * for RISC-V" by T. A. Lopes Rocha. */
static const struct {
	enum pmu_set set;
	const char *name;
	uint32_t type;
	uint64_t config;
	const char *source;
} code_rows[] = {
#define SET_CODE(set, name, type, config, source)                                                                      \
	{                                                                                                              \
		PMU_SET_##set, name, PERF_TYPE_##type, config, source                                                  \
	}
#define ALDERLAKE(file) "Linux x86/alderlake/" file ", cpu_core (from Intel's perfmon)"
#define CODE(name, config, file) SET_CODE(GOLDEN_COVE, name, RAW, config, ALDERLAKE(file))
	CODE("INST_RETIRED.ANY_P", 0xc0, "pipeline.json"),
	CODE("BR_INST_RETIRED.ALL_BRANCHES", 0xc4, "pipeline.json"),
	CODE("BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, "pipeline.json"),
	CODE("MEM_INST_RETIRED.ANY", 0x83d0, "cache.json"),
	CODE("L2_RQSTS.ALL_CODE_RD", 0xe424, "cache.json"),
	CODE("L2_RQSTS.ALL_DEMAND_DATA_RD", 0xe124, "cache.json"),
	CODE("L2_RQSTS.ALL_RFO", 0xe224, "cache.json"),
	CODE("L2_RQSTS.ALL_DEMAND_MISS", 0x2724, "cache.json"),
	CODE("CPU_CLK_UNHALTED.THREAD", 0x3c, "pipeline.json"),
#undef CODE
#undef ALDERLAKE

#define ARM "Linux arm64/common-and-microarch.json (from Arm's manual)"
#define CODE(name, config) SET_CODE(NEOVERSE, name, RAW, config, ARM)
	CODE("INST_RETIRED", 0x08),
	CODE("BR_RETIRED", 0x21),
	CODE("BR_MIS_PRED_RETIRED", 0x22),
	CODE("L1I_CACHE_REFILL", 0x01),
	CODE("L1D_CACHE", 0x04),
	CODE("L1D_CACHE_REFILL", 0x03),
	CODE("L2D_CACHE", 0x16),
	CODE("L2D_CACHE_REFILL", 0x17),
	CODE("CPU_CYCLES", 0x11),
#undef CODE
#undef ARM

/* A bit from 8 on for each event of a group; the group stands in bits 7:0. */
#define TABLE_I "Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74"
#define CODE(name, group, bit) SET_CODE(U74, name, RAW, UINT64_C(1) << (bit) | (group), TABLE_I)
	CODE("COND_BRANCH", 0, 14),
	CODE("JAL", 0, 15),
	CODE("JALR", 0, 16),
	CODE("BRANCH_DIRECTION_MISPREDICTION", 1, 13),
	CODE("BRANCH_TARGET_MISPREDICTION", 1, 14),
	CODE("ICACHE_MISS", 2, 8),
	CODE("INTEGER_LOAD", 0, 9),
	CODE("INTEGER_STORE", 0, 10),
	CODE("ATOMIC", 0, 11),
	CODE("FP_LOAD", 0, 19),
	CODE("FP_STORE", 0, 20),
	CODE("DCACHE_MISS", 2, 9),
#undef CODE
#undef TABLE_I
	SET_CODE(U74, "instructions", HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		 "perf_event_open(2): the fixed counter minstret"),
	SET_CODE(U74, "cycles", HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "perf_event_open(2): the fixed counter mcycle"),

#define CODE(name, config) SET_CODE(SOFTWARE, name, SOFTWARE, config, "perf_event_open(2)")
	CODE("task-clock", PERF_COUNT_SW_TASK_CLOCK),
	CODE("page-faults", PERF_COUNT_SW_PAGE_FAULTS),
	CODE("minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN),
	CODE("context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES),
	CODE("cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS),
#undef CODE
#undef SET_CODE
};

#define NR_EVENT_ROWS ARRAY_SIZE(event_rows)
#define NR_CODE_ROWS ARRAY_SIZE(code_rows)

const struct pmu *pmu_named(const char *name, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, name);
	for (const struct pmu *p = pmus; p->name; p++) {
		if (strcmp(p->name, name) == 0)
			return p;
		suggest_offer(&s, p->name);
	}
	sahm_fail(err, SAHM_USAGE, "unknown PMU '%s'%s", name, suggest_or(&s, "sahm trace events --list", near));
	return NULL;
}

const char *pmu_expression(const struct pmu *pmu, enum counter c, const char **source)
{
	for (size_t i = 0; i < NR_EVENT_ROWS; i++) {
		if (event_rows[i].set != pmu->set || event_rows[i].counter != c)
			continue;
		if (source)
			*source = event_rows[i].source;
		return event_rows[i].expression;
	}
	return NULL;
}

struct libpfm {
	__typeof__(pfm_initialize) *pfm_initialize;
	__typeof__(pfm_terminate) *pfm_terminate;
	__typeof__(pfm_get_os_event_encoding) *pfm_get_os_event_encoding;
	__typeof__(pfm_strerror) *pfm_strerror;
};

/* libpfm4 encodes events of processors that it does not run on if the environment says so when it begins. */
static enum sahm_status begin_library(struct libpfm *lib, struct sahm_err *err)
{
	const struct late_call calls[] = {{"pfm_initialize", &lib->pfm_initialize},
					  {"pfm_terminate", &lib->pfm_terminate},
					  {"pfm_get_os_event_encoding", &lib->pfm_get_os_event_encoding},
					  {"pfm_strerror", &lib->pfm_strerror}};
	enum sahm_status status = late_library_load("libpfm.so.4", calls, ARRAY_SIZE(calls), err);
	if (status != SAHM_OK)
		return status;
	static const char variable[] = "LIBPFM_ENCODE_INACTIVE";
	bool was_set = getenv(variable) != NULL;
	if (!was_set)
		setenv(variable, "1", 0);
	int code = lib->pfm_initialize();
	if (!was_set)
		unsetenv(variable);
	return code == PFM_SUCCESS ? SAHM_OK : sahm_fail(err, SAHM_TOOL, "libpfm4 cannot be used");
}

static enum sahm_status encode_by_library(const struct libpfm *lib, const struct pmu *pmu, struct pmu_event *e,
					  struct sahm_err *err)
{
	char whole[256];
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof(arg)};
	int n = snprintf(whole, sizeof(whole), "%s::%s", pmu->libpfm, e->name);
	int code = n > 0 && (size_t)n < sizeof(whole)
			   ? lib->pfm_get_os_event_encoding(whole, PFM_PLM3, PFM_OS_PERF_EVENT, &arg)
			   : PFM_ERR_TOOMANY;
	if (code != PFM_SUCCESS)
		return sahm_fail(err, SAHM_TOOL, "libpfm4 cannot encode '%s': %s", whole, lib->pfm_strerror(code));
	e->type = PERF_TYPE_RAW;
	e->config = attr.config;
	e->config1 = attr.config1;
	e->config2 = attr.config2;
	e->source = "libpfm4";
	return SAHM_OK;
}

static enum sahm_status encode_by_rows(const struct pmu *pmu, struct pmu_event *e, struct sahm_err *err)
{
	for (size_t i = 0; i < NR_CODE_ROWS; i++) {
		if (code_rows[i].set != pmu->set || strcmp(code_rows[i].name, e->name) != 0)
			continue;
		e->type = code_rows[i].type;
		e->config = code_rows[i].config;
		e->source = code_rows[i].source;
		return SAHM_OK;
	}
	return sahm_fail(err, SAHM_TOOL, "'%s' of %s has no code", e->name, pmu->name);
}

/* The event called `name`, unless it is among them already. */
static enum sahm_status add_event(const struct libpfm *lib, const struct pmu *pmu, const char *name,
				  struct pmu_event *events, unsigned *nr, struct sahm_err *err)
{
	for (unsigned i = 0; i < *nr; i++)
		if (strcmp(events[i].name, name) == 0)
			return SAHM_OK;
	if (*nr == MAX_PMU_EVENTS)
		return sahm_fail(err, SAHM_TOOL, "%s needs more than %u events", pmu->name, MAX_PMU_EVENTS);
	struct pmu_event *e = &events[(*nr)++];
	*e = (struct pmu_event){.name = name};
	return pmu->libpfm ? encode_by_library(lib, pmu, e, err) : encode_by_rows(pmu, e, err);
}

static enum sahm_status add_expression(const struct libpfm *lib, const struct pmu *pmu, const char *text,
				       struct arena *a, struct pmu_event *events, unsigned *nr, struct sahm_err *err)
{
	struct expression *e = arena_alloc(a, 1, sizeof(*e));
	enum sahm_status status = e ? expression_read(text, a, e, err) : sahm_fail_nomem(err);
	for (unsigned i = 0; status == SAHM_OK && i < e->nr_terms; i++)
		status = add_event(lib, pmu, e->terms[i].name, events, nr, err);
	return status;
}

enum sahm_status pmu_events(const struct pmu *pmu, struct arena *a, struct pmu_event *events, unsigned *nr,
			    struct sahm_err *err)
{
	struct libpfm lib = {0};
	bool any = false;
	*nr = 0;
	enum sahm_status status = pmu->libpfm ? begin_library(&lib, err) : SAHM_OK;
	if (status != SAHM_OK)
		return status;
	for (unsigned c = 0; c < NR_COUNTERS && status == SAHM_OK; c++) {
		const char *text = pmu_expression(pmu, c, NULL);
		any |= text != NULL;
		if (text)
			status = add_expression(&lib, pmu, text, a, events, nr, err);
	}
	for (size_t i = 0; i < NR_CODE_ROWS && !any && status == SAHM_OK; i++)
		if (code_rows[i].set == pmu->set)
			status = add_event(&lib, pmu, code_rows[i].name, events, nr, err);
	if (pmu->libpfm)
		lib.pfm_terminate();
	return status;
}
