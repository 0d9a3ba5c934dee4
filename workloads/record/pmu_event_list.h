/* Which events stand for which counter: PMU_EVENT(set, counter, expression, source).
 * The expression is one of the importer's (sahm help import): sums, differences and multiples of events, by the names of
 * libpfm4 or pmu_code_list.h. A counter without a row is not counted by that PMU. Choices that are the same everywhere:
 *
 * - Accesses of L1D are loads and stores that retired (or, where there is no such event, were sent to the data cache).
 * - Misses of L1I and L1D are the requests that these caches make of L2, and both together are the accesses to L2; what
 *   L2's own prefetchers do is no access and no miss. So the levels fit together as they do in a model.
 * - Fewer events go before better ones: what does not fit into the counters at once takes turns, and is estimated. */

/* Eight counters, of which the first four alone count L2 and memory: four such events, and all fit at once. */
PMU_EVENT(INTEL_8, INSTRUCTIONS, "INST_RETIRED:ANY_P", "Intel event tables")
PMU_EVENT(INTEL_8, BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", "Intel event tables")
PMU_EVENT(INTEL_8, BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", "Intel event tables")
PMU_EVENT(INTEL_8, L1I_MISSES, "L2_RQSTS:ALL_CODE_RD", "Linux x86/events/intel/core.c: L1I read miss of Golden Cove")
PMU_EVENT(INTEL_8, L1D_ACCESSES, "MEM_INST_RETIRED:ANY", "Intel event tables")
PMU_EVENT(INTEL_8, L1D_MISSES, "L2_RQSTS:ALL_DEMAND_REFERENCES - L2_RQSTS:ALL_CODE_RD",
	  "Intel event tables: umask 0xe7 less 0xe4, data reads and RFO")
PMU_EVENT(INTEL_8, L2_ACCESSES, "L2_RQSTS:ALL_DEMAND_REFERENCES", "Intel event tables")
PMU_EVENT(INTEL_8, L2_MISSES, "L2_RQSTS:ALL_DEMAND_MISS", "Intel event tables")
PMU_EVENT(INTEL_8, CYCLES, "CPU_CLK_UNHALTED:THREAD_P", "Intel event tables")

/* Four counters beside hyper-threading: two groups either way, and sums cannot become negative as differences across
 * groups can. */
PMU_EVENT(INTEL_4, INSTRUCTIONS, "INST_RETIRED:ANY_P", "Intel event tables")
PMU_EVENT(INTEL_4, BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", "Intel event tables")
PMU_EVENT(INTEL_4, BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", "Intel event tables")
PMU_EVENT(INTEL_4, L1D_ACCESSES, "MEM_INST_RETIRED:ANY", "Intel event tables")
PMU_EVENT(INTEL_4, L1I_MISSES, "L2_RQSTS:ALL_CODE_RD", "Intel event tables")
PMU_EVENT(INTEL_4, L1D_MISSES, "L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO", "Intel event tables")
PMU_EVENT(INTEL_4, L2_ACCESSES, "L2_RQSTS:ALL_CODE_RD + L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO",
	  "Intel event tables")
PMU_EVENT(INTEL_4, L2_MISSES, "L2_RQSTS:ALL_DEMAND_MISS", "Intel event tables")
PMU_EVENT(INTEL_4, CYCLES, "CPU_CLK_UNHALTED:THREAD_P", "Intel event tables")

PMU_EVENT(HASWELL, INSTRUCTIONS, "INST_RETIRED:ANY_P", "Intel event tables")
PMU_EVENT(HASWELL, BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", "Intel event tables")
PMU_EVENT(HASWELL, BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", "Intel event tables")
PMU_EVENT(HASWELL, L1D_ACCESSES, "MEM_UOPS_RETIRED:ALL_LOADS + MEM_UOPS_RETIRED:ALL_STORES", "Intel event tables")
PMU_EVENT(HASWELL, L1I_MISSES, "L2_RQSTS:ALL_CODE_RD", "Intel event tables")
PMU_EVENT(HASWELL, L1D_MISSES, "L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO", "Intel event tables")
PMU_EVENT(HASWELL, L2_ACCESSES, "L2_RQSTS:ALL_CODE_RD + L2_RQSTS:ALL_DEMAND_DATA_RD + L2_RQSTS:ALL_RFO",
	  "Intel event tables")
PMU_EVENT(HASWELL, L2_MISSES, "L2_RQSTS:ALL_DEMAND_MISS", "Intel event tables")
PMU_EVENT(HASWELL, CYCLES, "CPU_CLK_UNHALTED:THREAD_P", "Intel event tables")

/* As above; the table of Alder Lake lacks ALL_DEMAND_REFERENCES. */
PMU_EVENT(GOLDEN_COVE, INSTRUCTIONS, "INST_RETIRED.ANY_P", "Intel event tables")
PMU_EVENT(GOLDEN_COVE, BRANCHES, "BR_INST_RETIRED.ALL_BRANCHES", "Intel event tables")
PMU_EVENT(GOLDEN_COVE, BRANCH_MISSES, "BR_MISP_RETIRED.ALL_BRANCHES", "Intel event tables")
PMU_EVENT(GOLDEN_COVE, L1D_ACCESSES, "MEM_INST_RETIRED.ANY", "Intel event tables")
PMU_EVENT(GOLDEN_COVE, L1I_MISSES, "L2_RQSTS.ALL_CODE_RD", "Linux x86/events/intel/core.c: L1I read miss")
PMU_EVENT(GOLDEN_COVE, L1D_MISSES, "L2_RQSTS.ALL_DEMAND_DATA_RD + L2_RQSTS.ALL_RFO", "Intel event tables")
PMU_EVENT(GOLDEN_COVE, L2_ACCESSES, "L2_RQSTS.ALL_CODE_RD + L2_RQSTS.ALL_DEMAND_DATA_RD + L2_RQSTS.ALL_RFO",
	  "Intel event tables")
PMU_EVENT(GOLDEN_COVE, L2_MISSES, "L2_RQSTS.ALL_DEMAND_MISS", "Intel event tables")
PMU_EVENT(GOLDEN_COVE, CYCLES, "CPU_CLK_UNHALTED.THREAD", "Intel event tables")

/* Six counters for eight events: two groups. */
PMU_EVENT(ZEN2, INSTRUCTIONS, "RETIRED_INSTRUCTIONS", "AMD PPR")
PMU_EVENT(ZEN2, BRANCHES, "RETIRED_BRANCH_INSTRUCTIONS", "AMD PPR")
PMU_EVENT(ZEN2, BRANCH_MISSES, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "AMD PPR")
PMU_EVENT(ZEN2, L1I_MISSES, "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ",
	  "AMD PPR: L2 accesses from L1I misses, prefetches of the L1I included")
PMU_EVENT(ZEN2, L1D_ACCESSES, "LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH",
	  "AMD PPR: all data cache accesses; dispatched, not retired")
PMU_EVENT(ZEN2, L1D_MISSES, "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	  "AMD PPR: L2 accesses from L1D misses, prefetches of the L1D included")
PMU_EVENT(ZEN2, L2_ACCESSES,
	  "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ + "
	  "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	  "AMD PPR")
PMU_EVENT(ZEN2, L2_MISSES, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS",
	  "AMD PPR: L2 misses from L1I and L1D misses")
PMU_EVENT(ZEN2, CYCLES, "CYCLES_NOT_IN_HALT", "AMD PPR")

PMU_EVENT(ZEN1, INSTRUCTIONS, "RETIRED_INSTRUCTIONS", "AMD PPR")
PMU_EVENT(ZEN1, BRANCHES, "RETIRED_BRANCH_INSTRUCTIONS", "AMD PPR")
PMU_EVENT(ZEN1, BRANCH_MISSES, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "AMD PPR")
PMU_EVENT(ZEN1, L1I_MISSES, "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ",
	  "AMD PPR: L2 accesses from L1I misses, prefetches of the L1I included")
PMU_EVENT(ZEN1, L1D_ACCESSES, "DATA_CACHE_ACCESSES", "AMD PPR")
PMU_EVENT(ZEN1, L1D_MISSES, "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	  "AMD PPR: L2 accesses from L1D misses, prefetches of the L1D included")
PMU_EVENT(ZEN1, L2_ACCESSES,
	  "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ + "
	  "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X",
	  "AMD PPR")
PMU_EVENT(ZEN1, L2_MISSES, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS",
	  "AMD PPR: L2 misses from L1I and L1D misses")
PMU_EVENT(ZEN1, CYCLES, "CYCLES_NOT_IN_HALT", "AMD PPR")

/* Six counters and one for cycles. Arm's L2 accesses hold the write-backs of the L1D, too. */
PMU_EVENT(NEOVERSE, INSTRUCTIONS, "INST_RETIRED", "Arm event tables")
PMU_EVENT(NEOVERSE, BRANCHES, "BR_RETIRED", "Arm event tables")
PMU_EVENT(NEOVERSE, BRANCH_MISSES, "BR_MIS_PRED_RETIRED", "Arm event tables")
PMU_EVENT(NEOVERSE, L1I_MISSES, "L1I_CACHE_REFILL", "Arm event tables")
PMU_EVENT(NEOVERSE, L1D_ACCESSES, "L1D_CACHE", "Arm event tables")
PMU_EVENT(NEOVERSE, L1D_MISSES, "L1D_CACHE_REFILL", "Arm event tables")
PMU_EVENT(NEOVERSE, L2_ACCESSES, "L2D_CACHE", "Arm event tables")
PMU_EVENT(NEOVERSE, L2_MISSES, "L2D_CACHE_REFILL", "Arm event tables")
PMU_EVENT(NEOVERSE, CYCLES, "CPU_CYCLES", "Arm event tables")

/* Two counters. Its L2 is no part of the core, and nothing counts its misses: no trace without an assumption. */
PMU_EVENT(U74, INSTRUCTIONS, "instructions", "table I of the codes' source")
PMU_EVENT(U74, BRANCHES, "COND_BRANCH + JAL + JALR", "table I of the codes' source")
PMU_EVENT(U74, BRANCH_MISSES, "BRANCH_DIRECTION_MISPREDICTION + BRANCH_TARGET_MISPREDICTION", "table I of the codes' source")
PMU_EVENT(U74, L1I_MISSES, "ICACHE_MISS", "table I of the codes' source")
PMU_EVENT(U74, L1D_ACCESSES, "INTEGER_LOAD + INTEGER_STORE + ATOMIC + FP_LOAD + FP_STORE", "table I of the codes' source")
PMU_EVENT(U74, L1D_MISSES, "DCACHE_MISS", "table I of the codes' source")
PMU_EVENT(U74, L2_ACCESSES, "ICACHE_MISS + DCACHE_MISS", "table I of the codes' source: every miss enters L2")
PMU_EVENT(U74, CYCLES, "cycles", "table I of the codes' source")
