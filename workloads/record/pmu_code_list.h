/* Events that libpfm4 does not know: PMU_CODE(set, name, type, config, source). Type: one of perf_event_open(2).
 * Tables of Linux are below tools/perf/pmu-events/arch; the paper is "Performance Monitoring and Event-based Sampling for
 * RISC-V" by T. A. Lopes Rocha. */
#define ALDERLAKE(file) "Linux x86/alderlake/" file ", cpu_core (from Intel's perfmon)"
#define CODE(name, config, file) PMU_CODE(GOLDEN_COVE, name, RAW, config, ALDERLAKE(file))
CODE("INST_RETIRED.ANY_P", 0xc0, "pipeline.json")
CODE("BR_INST_RETIRED.ALL_BRANCHES", 0xc4, "pipeline.json")
CODE("BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, "pipeline.json")
CODE("MEM_INST_RETIRED.ANY", 0x83d0, "cache.json")
CODE("L2_RQSTS.ALL_CODE_RD", 0xe424, "cache.json")
CODE("L2_RQSTS.ALL_DEMAND_DATA_RD", 0xe124, "cache.json")
CODE("L2_RQSTS.ALL_RFO", 0xe224, "cache.json")
CODE("L2_RQSTS.ALL_DEMAND_MISS", 0x2724, "cache.json")
CODE("CPU_CLK_UNHALTED.THREAD", 0x3c, "pipeline.json")
#undef CODE
#undef ALDERLAKE

#define ARM "Linux arm64/common-and-microarch.json (from Arm's manual)"
#define CODE(name, config) PMU_CODE(NEOVERSE, name, RAW, config, ARM)
CODE("INST_RETIRED", 0x08)
CODE("BR_RETIRED", 0x21)
CODE("BR_MIS_PRED_RETIRED", 0x22)
CODE("L1I_CACHE_REFILL", 0x01)
CODE("L1D_CACHE", 0x04)
CODE("L1D_CACHE_REFILL", 0x03)
CODE("L2D_CACHE", 0x16)
CODE("L2D_CACHE_REFILL", 0x17)
CODE("CPU_CYCLES", 0x11)
#undef CODE
#undef ARM

/* A bit from 8 on for each event of a group; the group stands in bits 7:0. */
#define TABLE_I "Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74"
#define CODE(name, group, bit) PMU_CODE(U74, name, RAW, UINT64_C(1) << (bit) | (group), TABLE_I)
CODE("COND_BRANCH", 0, 14)
CODE("JAL", 0, 15)
CODE("JALR", 0, 16)
CODE("BRANCH_DIRECTION_MISPREDICTION", 1, 13)
CODE("BRANCH_TARGET_MISPREDICTION", 1, 14)
CODE("ICACHE_MISS", 2, 8)
CODE("INTEGER_LOAD", 0, 9)
CODE("INTEGER_STORE", 0, 10)
CODE("ATOMIC", 0, 11)
CODE("FP_LOAD", 0, 19)
CODE("FP_STORE", 0, 20)
CODE("DCACHE_MISS", 2, 9)
#undef CODE
#undef TABLE_I
PMU_CODE(U74, "instructions", HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "perf_event_open(2): the fixed counter minstret")
PMU_CODE(U74, "cycles", HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "perf_event_open(2): the fixed counter mcycle")

#define CODE(name, config) PMU_CODE(SOFTWARE, name, SOFTWARE, config, "perf_event_open(2)")
CODE("task-clock", PERF_COUNT_SW_TASK_CLOCK)
CODE("page-faults", PERF_COUNT_SW_PAGE_FAULTS)
CODE("minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN)
CODE("context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES)
CODE("cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS)
#undef CODE
