/* Events of cores, by family, set and bit of a selector (core_event.h, docs/counters.md). */

/* EVENT_SET(family, set, places, sources, name): `places` are the bits that the set has from bit 8 on, whether they
 * have an event or not; `sources` is what each event of the set counts in a cycle (enum event_sources). */
EVENT_SET(ROCKET, 0, 19, INSTRUCTIONS, "basic")
EVENT_SET(ROCKET, 1, 11, ONE, "microarchitecture")
EVENT_SET(ROCKET, 2, 6, ONE, "memory")
EVENT_SET(ROCKET, 4, 3, ONE, "top-down")
EVENT_SET(BOOM, 0, 1, INSTRUCTIONS, "basic")
EVENT_SET(BOOM, 1, 5, ONE, "microarchitecture")
EVENT_SET(BOOM, 2, 6, ONE, "memory")
EVENT_SET(BOOM, 3, 2, ONE, "top-down, one source")
EVENT_SET(BOOM, 4, 2, LANES, "top-down, by lane of dispatch")
EVENT_SET(BOOM, 5, 3, LANES, "top-down, by lane")
EVENT_SET(BOOM, 6, 1, LANES, "top-down, by issue port")
EVENT_SET(U74, 0, 18, INSTRUCTIONS, "instruction commit")
EVENT_SET(U74, 1, 11, ONE, "microarchitecture")
EVENT_SET(U74, 2, 6, ONE, "memory")

/* CORE_EVENT(family, set, bit, name, signals, help), in the order of families, sets and bits: high while any of the
 * signals is, lane by lane. S(x) is the signal SIGNAL_x, NEVER none. */
CORE_EVENT(ROCKET, 0, 8, "EXCEPTION", NEVER, "exceptions: streams have none")
CORE_EVENT(ROCKET, 0, 9, "LOAD", S(LOAD), "integer loads retired")
CORE_EVENT(ROCKET, 0, 10, "STORE", S(STORE), "integer stores retired")
CORE_EVENT(ROCKET, 0, 11, "ATOMIC", S(ATOMIC), "atomic accesses retired")
CORE_EVENT(ROCKET, 0, 12, "SYSTEM", S(SYSTEM), "system instructions retired")
CORE_EVENT(ROCKET, 0, 13, "ARITHMETIC", S(ARITHMETIC), "integer arithmetic retired")
CORE_EVENT(ROCKET, 0, 14, "BRANCH", S(BRANCH), "conditional branches retired")
CORE_EVENT(ROCKET, 0, 15, "JAL", S(JAL), "jumps and calls to an address in the instruction retired")
CORE_EVENT(ROCKET, 0, 16, "JALR", S(JALR), "returns, indirect jumps and calls retired")
CORE_EVENT(ROCKET, 0, 17, "MULTIPLY", S(MULTIPLY), "integer multiplications retired")
CORE_EVENT(ROCKET, 0, 18, "DIVIDE", S(DIVIDE), "integer divisions retired")
CORE_EVENT(ROCKET, 0, 19, "FP_LOAD", S(FP_LOAD), "floating-point and vector loads retired")
CORE_EVENT(ROCKET, 0, 20, "FP_STORE", S(FP_STORE), "floating-point and vector stores retired")
CORE_EVENT(ROCKET, 0, 21, "FP_ADD", S(FP_ADD), "floating-point additions retired")
CORE_EVENT(ROCKET, 0, 22, "FP_MULTIPLY", S(FP_MULTIPLY), "floating-point multiplications retired")
CORE_EVENT(ROCKET, 0, 23, "FP_MADD", S(FP_MADD), "fused multiply-adds retired")
CORE_EVENT(ROCKET, 0, 24, "FP_DIV_SQRT", S(FP_DIVIDE), "floating-point divisions and square roots retired")
CORE_EVENT(ROCKET, 0, 25, "FP_OTHER", S(FP_OTHER), "other floating-point instructions retired")
CORE_EVENT(ROCKET, 0, 26, "FENCE", S(FENCE), "fences retired")
CORE_EVENT(ROCKET, 1, 8, "LOAD_USE_INTERLOCK", S(INTERLOCK_LOAD), "cycles in which issue waits for a load that hits")
CORE_EVENT(ROCKET, 1, 9, "LONGLAT_INTERLOCK", S(INTERLOCK_LONG),
	   "cycles in which issue waits for a load that missed, or for a division or root")
CORE_EVENT(ROCKET, 1, 10, "CSR_INTERLOCK", S(INTERLOCK_CSR),
	   "cycles in which issue waits for the result of a system instruction")
CORE_EVENT(ROCKET, 1, 11, "ICACHE_BLOCKED", S(ICACHE_BLOCKED), "cycles in which issue waits for a line of instructions")
CORE_EVENT(ROCKET, 1, 12, "DCACHE_BLOCKED", S(DCACHE_BLOCKED),
	   "cycles in which issue waits for a data miss or a full store buffer")
CORE_EVENT(ROCKET, 1, 13, "BRANCH_MISPREDICTION", S(MISPREDICTED_BRANCH), "mispredicted conditional branches resolved")
CORE_EVENT(ROCKET, 1, 14, "TARGET_MISPREDICTION", S(MISPREDICTED_DIRECT) | S(MISPREDICTED_TARGET),
	   "other mispredicted branches resolved")
CORE_EVENT(ROCKET, 1, 15, "FLUSH", S(FLUSH_SYSTEM) | S(FLUSH_FENCE) | S(FLUSH_ORDER),
	   "flushes that are no mispredictions")
CORE_EVENT(ROCKET, 1, 16, "REPLAY", NEVER, "replays: the models have none")
CORE_EVENT(ROCKET, 1, 17, "MULDIV_INTERLOCK", S(INTERLOCK_MULTIPLY),
	   "cycles in which issue waits for an integer multiplication or division, or its unit")
CORE_EVENT(ROCKET, 1, 18, "FP_INTERLOCK", S(INTERLOCK_FP),
	   "cycles in which issue waits for a floating-point result or unit")
CORE_EVENT(ROCKET, 2, 8, "ICACHE_MISS", S(ICACHE_MISS), "misses of L1I")
CORE_EVENT(ROCKET, 2, 9, "DCACHE_MISS", S(DCACHE_MISS), "misses of L1D")
CORE_EVENT(ROCKET, 2, 10, "DCACHE_RELEASE", S(DCACHE_RELEASE), "dirty lines that leave L1D")
CORE_EVENT(ROCKET, 2, 11, "ITLB_MISS", S(ITLB_MISS), "misses of the ITLB")
CORE_EVENT(ROCKET, 2, 12, "DTLB_MISS", S(DTLB_MISS), "misses of the DTLB")
CORE_EVENT(ROCKET, 2, 13, "L2_TLB_MISS", S(TLB_WALK), "page walks of data accesses")
CORE_EVENT(ROCKET, 4, 8, "INSTRUCTION_ISSUED", S(UOP_ISSUED),
	   "issue of instructions, those of the estimated wrong path included")
CORE_EVENT(ROCKET, 4, 9, "FETCH_BUBBLE", S(FETCH_BUBBLE), "cycles in which the front end leaves issue empty")
CORE_EVENT(ROCKET, 4, 10, "RECOVERING", S(RECOVERING), "cycles after a flush until the next instruction can issue")
CORE_EVENT(BOOM, 0, 8, "EXCEPTION", NEVER, "exceptions: streams have none")
CORE_EVENT(BOOM, 1, 9, "BRANCH_MISPREDICTION", S(MISPREDICTED_BRANCH) | S(MISPREDICTED_DIRECT) | S(MISPREDICTED_TARGET),
	   "mispredicted branches resolved")
CORE_EVENT(BOOM, 1, 10, "TARGET_MISPREDICTION", S(MISPREDICTED_TARGET),
	   "mispredicted returns, indirect jumps and calls resolved")
CORE_EVENT(BOOM, 1, 11, "FLUSH", S(FLUSH_SYSTEM) | S(FLUSH_FENCE) | S(FLUSH_ORDER),
	   "flushes that are no mispredictions")
CORE_EVENT(BOOM, 1, 12, "BRANCH_RESOLVED", S(BRANCH_RESOLVED), "branches resolved")
CORE_EVENT(BOOM, 2, 8, "ICACHE_MISS", S(ICACHE_MISS), "misses of L1I")
CORE_EVENT(BOOM, 2, 9, "DCACHE_MISS", S(DCACHE_MISS), "misses of L1D")
CORE_EVENT(BOOM, 2, 10, "DCACHE_RELEASE", S(DCACHE_RELEASE), "dirty lines that leave L1D")
CORE_EVENT(BOOM, 2, 11, "ITLB_MISS", S(ITLB_MISS), "misses of the ITLB")
CORE_EVENT(BOOM, 2, 12, "DTLB_MISS", S(DTLB_MISS), "misses of the DTLB")
CORE_EVENT(BOOM, 2, 13, "L2_TLB_MISS", S(TLB_WALK), "page walks of data accesses")
CORE_EVENT(BOOM, 3, 8, "ICACHE_BLOCKED", S(ICACHE_BLOCKED), "cycles in which dispatch waits for a line of instructions")
CORE_EVENT(BOOM, 3, 9, "RECOVERING", S(RECOVERING), "cycles after a flush until the next instruction can be dispatched")
CORE_EVENT(BOOM, 4, 8, "FETCH_BUBBLE", S(FETCH_BUBBLE), "slots of dispatch that the front end leaves empty")
CORE_EVENT(BOOM, 5, 8, "UOP_RETIRED", S(UOP_RETIRED), "uops retired")
CORE_EVENT(BOOM, 5, 9, "FENCE_RETIRED", S(FENCE_RETIRED), "fences retired")
CORE_EVENT(BOOM, 5, 10, "DCACHE_BLOCKED", S(DCACHE_BLOCKED),
	   "slots that issue nothing while a data miss is on its way and a dispatched uop waits")
CORE_EVENT(BOOM, 6, 8, "UOP_ISSUED", S(UOP_ISSUED), "uops issued, those of the estimated wrong path included")
CORE_EVENT(U74, 0, 8, "EXCEPTION_TAKEN", NEVER, "exceptions: streams have none")
CORE_EVENT(U74, 0, 9, "INTEGER_LOAD_RETIRED", S(LOAD), "integer loads retired")
CORE_EVENT(U74, 0, 10, "INTEGER_STORE_RETIRED", S(STORE), "integer stores retired")
CORE_EVENT(U74, 0, 11, "ATOMIC_MEMORY_RETIRED", S(ATOMIC), "atomic accesses retired")
CORE_EVENT(U74, 0, 12, "SYSTEM_INSTRUCTION_RETIRED", S(SYSTEM), "system instructions retired")
CORE_EVENT(U74, 0, 13, "INTEGER_ARITHMETIC_RETIRED", S(ARITHMETIC), "integer arithmetic retired")
CORE_EVENT(U74, 0, 14, "CONDITIONAL_BRANCH_RETIRED", S(BRANCH), "conditional branches retired")
CORE_EVENT(U74, 0, 15, "JAL_INSTRUCTION_RETIRED", S(JAL), "jumps and calls to an address in the instruction retired")
CORE_EVENT(U74, 0, 16, "JALR_INSTRUCTION_RETIRED", S(JALR), "returns, indirect jumps and calls retired")
CORE_EVENT(U74, 0, 17, "INTEGER_MULTIPLICATION_RETIRED", S(MULTIPLY), "integer multiplications retired")
CORE_EVENT(U74, 0, 18, "INTEGER_DIVISION_RETIRED", S(DIVIDE), "integer divisions retired")
CORE_EVENT(U74, 0, 19, "FP_LOAD_RETIRED", S(FP_LOAD), "floating-point and vector loads retired")
CORE_EVENT(U74, 0, 20, "FP_STORE_RETIRED", S(FP_STORE), "floating-point and vector stores retired")
CORE_EVENT(U74, 0, 21, "FP_ADDITION_RETIRED", S(FP_ADD), "floating-point additions retired")
CORE_EVENT(U74, 0, 22, "FP_MULTIPLICATION_RETIRED", S(FP_MULTIPLY), "floating-point multiplications retired")
CORE_EVENT(U74, 0, 23, "FP_FUSEDMADD_RETIRED", S(FP_MADD), "fused multiply-adds retired")
CORE_EVENT(U74, 0, 24, "FP_DIV_SQRT_RETIRED", S(FP_DIVIDE), "floating-point divisions and square roots retired")
CORE_EVENT(U74, 0, 25, "OTHER_FP_RETIRED", S(FP_OTHER), "other floating-point instructions retired")
CORE_EVENT(U74, 1, 8, "ADDRESSGEN_INTERLOCK", S(INTERLOCK_ADDRESS),
	   "cycles in which a load or store waits for the result of a load that hits")
CORE_EVENT(U74, 1, 9, "LONGLAT_INTERLOCK", S(INTERLOCK_LONG),
	   "cycles in which issue waits for a load that missed, or for a division or root")
CORE_EVENT(U74, 1, 10, "CSR_READ_INTERLOCK", S(INTERLOCK_CSR),
	   "cycles in which issue waits for the result of a system instruction")
CORE_EVENT(U74, 1, 11, "ICACHE_ITIM_BUSY", S(ICACHE_BLOCKED), "cycles in which issue waits for a line of instructions")
CORE_EVENT(U74, 1, 12, "DCACHE_DTIM_BUSY", S(DCACHE_BLOCKED),
	   "cycles in which issue waits for a data miss or a full store buffer")
CORE_EVENT(U74, 1, 13, "BRANCH_DIRECTION_MISPREDICTION", S(MISPREDICTED_BRANCH),
	   "mispredicted conditional branches resolved")
CORE_EVENT(U74, 1, 14, "BRANCH_TARGET_MISPREDICTION", S(MISPREDICTED_DIRECT) | S(MISPREDICTED_TARGET),
	   "other mispredicted branches resolved")
CORE_EVENT(U74, 1, 15, "PIPE_FLUSH_CSR_WRITE", S(FLUSH_SYSTEM), "flushes by system instructions")
CORE_EVENT(U74, 1, 16, "PIPE_FLUSH_OTHER_EVENT", S(FLUSH_FENCE) | S(FLUSH_ORDER),
	   "flushes by fences and by loads that violated memory order")
CORE_EVENT(U74, 1, 17, "INTEGER_MULTIPLICATION_INTERLOCK", S(INTERLOCK_MULTIPLY),
	   "cycles in which issue waits for an integer multiplication or division, or its unit")
CORE_EVENT(U74, 1, 18, "FP_INTERLOCK", S(INTERLOCK_FP),
	   "cycles in which issue waits for a floating-point result or unit")
CORE_EVENT(U74, 2, 8, "ICACHE_RETIRED", S(ICACHE_MISS), "misses of L1I")
CORE_EVENT(U74, 2, 9, "DCACHE_MISS_MMIO_ACCESSES", S(DCACHE_MISS), "misses of L1D")
CORE_EVENT(U74, 2, 10, "DCACHE_WRITEBACK", S(DCACHE_RELEASE), "dirty lines that leave L1D")
CORE_EVENT(U74, 2, 11, "INST_TLB_MISS", S(ITLB_MISS), "misses of the ITLB")
CORE_EVENT(U74, 2, 12, "DATA_TLB_MISS", S(DTLB_MISS), "misses of the DTLB")
CORE_EVENT(U74, 2, 13, "UTLB_MISS", S(TLB_WALK), "page walks of data accesses")
