/* Keys of configs/cores with a number: CORE_NUMBER(symbol, path, of which cores, member of struct core_timing, unit,
 * default as written, min, max, help). All times are cycles of the core. To add one: a row here, the member, the rule
 * that uses it in the timing models and in the second model that checks them, and docs/cores.md.
 *
 * To add a core:
 *   1. A file in configs/cores. A comment names the source of each value, or calls it a choice of ours.
 *   2. Its row in `sahm core list`: `sh tests/tools/golden.sh --update build/release tests/golden/core.t`, and read the
 *      difference.
 *   3. The values of its source in tests/unit/cores/uarch/test_core_model.c. */
CORE_NUMBER(CORE_FETCH_WIDTH, "fetch_width", BOTH, fetch_width, "", "4", 1, MAX_WIDTH, "instructions fetched in a cycle, up to the first taken branch")
CORE_NUMBER(CORE_FETCH_BUFFER, "fetch_buffer", BOTH, fetch_buffer, "", "16", 1, MAX_FETCH_BUFFER, "instructions fetched ahead of dispatch")
CORE_NUMBER(CORE_ICACHE_L1, "icache_cycles.l1", BOTH, icache_cycles[LEVEL_L1], "cycles", "0", 0, MAX_LATENCY, "added to the fetch of a new line that is in L1I")
CORE_NUMBER(CORE_ICACHE_L2, "icache_cycles.l2", BOTH, icache_cycles[LEVEL_L2], "cycles", "12", 0, MAX_LATENCY, "added to the fetch of a new line that is in L2")
CORE_NUMBER(CORE_ICACHE_LLC, "icache_cycles.llc", BOTH, icache_cycles[LEVEL_LLC], "cycles", "40", 0, MAX_LATENCY, "added to the fetch of a new line that is in the LLC")
CORE_NUMBER(CORE_ICACHE_MEMORY, "icache_cycles.memory", BOTH, icache_cycles[LEVEL_MEMORY], "cycles", "200", 0, MAX_LATENCY, "added to the fetch of a new line from memory")
CORE_NUMBER(CORE_ITLB_HIT, "itlb_cycles.hit", BOTH, itlb_cycles[TLB_HIT], "cycles", "0", 0, MAX_LATENCY, "added to the fetch of a new line whose page is in the ITLB")
CORE_NUMBER(CORE_ITLB_SECOND, "itlb_cycles.second", BOTH, itlb_cycles[TLB_SECOND], "cycles", "8", 0, MAX_LATENCY, "added to the fetch of a new line whose page is in the second-level TLB")
CORE_NUMBER(CORE_ITLB_WALK, "itlb_cycles.walk", BOTH, itlb_cycles[TLB_WALK], "cycles", "40", 0, MAX_LATENCY, "added to the fetch of a new line whose page needs a page walk")
CORE_NUMBER(CORE_BTB_MISS, "btb_miss_cycles", BOTH, btb_miss_cycles, "cycles", "2", 0, MAX_LATENCY, "fetch lost after a taken branch that was predicted right but is not in the BTB")
CORE_NUMBER(CORE_DECODE, "decode_cycles", BOTH, decode_cycles, "cycles", "3", 0, MAX_LATENCY, "from fetch to dispatch (in-order: to the issue stage)")
CORE_NUMBER(CORE_MISPREDICT, "mispredict_cycles", BOTH, mispredict_cycles, "cycles", "3", 0, MAX_LATENCY, "from the result of a mispredicted branch to the fetch after it")
CORE_NUMBER(CORE_FLUSH, "flush_cycles", BOTH, flush_cycles, "cycles", "5", 0, MAX_LATENCY, "from a violation of memory order, or the commit of a system instruction, to the fetch after it")
CORE_NUMBER(CORE_DISPATCH_WIDTH, "dispatch_width", OUT_OF_ORDER, dispatch_width, "", "4", 1, MAX_WIDTH, "uops dispatched in a cycle")
CORE_NUMBER(CORE_DISPATCH, "dispatch_cycles", OUT_OF_ORDER, dispatch_cycles, "cycles", "1", 0, MAX_LATENCY, "from dispatch to the first cycle in which a uop can issue")
CORE_NUMBER(CORE_ROB, "rob", OUT_OF_ORDER, rob, "entries", "128", 1, MAX_ROB, "entries of the ROB")
CORE_NUMBER(CORE_INT_REGISTERS, "int_registers", OUT_OF_ORDER, int_registers, "", "0", 0, ARCHITECTURAL_REGISTERS + MAX_RENAME_REGISTERS, "physical integer registers, above 32; 0: no limit")
CORE_NUMBER(CORE_FP_REGISTERS, "fp_registers", OUT_OF_ORDER, fp_registers, "", "0", 0, ARCHITECTURAL_REGISTERS + MAX_RENAME_REGISTERS, "physical floating-point and vector registers, above 32; 0: no limit")
CORE_NUMBER(CORE_LOAD_QUEUE, "load_queue", OUT_OF_ORDER, load_queue, "entries", "32", 1, MAX_QUEUE_ENTRIES, "entries of the load queue")
CORE_NUMBER(CORE_COMMIT, "commit_cycles", OUT_OF_ORDER, commit_cycles, "cycles", "1", 0, MAX_LATENCY, "from a result to the first cycle in which the uop can commit")
CORE_NUMBER(CORE_ISSUE_WIDTH, "issue_width", IN_ORDER, issue_width, "", "1", 1, MAX_WIDTH, "uops issued in a cycle")
CORE_NUMBER(CORE_SAME_CYCLE_MEMORY, "same_cycle_memory", IN_ORDER, same_cycle_memory, "", "1", 1, MAX_WIDTH, "loads and stores issued in a cycle, of issue_width uops")
CORE_NUMBER(CORE_RESOLVE, "resolve_cycles", IN_ORDER, resolve_cycles, "cycles", "1", 0, MAX_LATENCY, "from the issue of a branch to its result")
CORE_NUMBER(CORE_STORE_QUEUE, "store_queue", BOTH, store_queue, "entries", "32", 1, MAX_QUEUE_ENTRIES, "entries of the store queue (in-order: of the store buffer)")
CORE_NUMBER(CORE_COMMIT_WIDTH, "commit_width", BOTH, commit_width, "", "4", 1, MAX_WIDTH, "uops committed in a cycle")
CORE_NUMBER(CORE_DRAIN_WIDTH, "drain_width", BOTH, drain_width, "", "1", 1, MAX_WIDTH, "stores written to L1D in a cycle")
CORE_NUMBER(CORE_L1D, "l1d_cycles", BOTH, l1d_cycles, "cycles", "4", 1, MAX_LATENCY, "from the issue of a load to its data in L1D, or to the miss")
CORE_NUMBER(CORE_DTLB_HIT, "dtlb_cycles.hit", BOTH, dtlb_cycles[TLB_HIT], "cycles", "0", 0, MAX_LATENCY, "added to an access whose page is in the DTLB")
CORE_NUMBER(CORE_DTLB_SECOND, "dtlb_cycles.second", BOTH, dtlb_cycles[TLB_SECOND], "cycles", "8", 0, MAX_LATENCY, "added to an access whose page is in the second-level TLB")
CORE_NUMBER(CORE_DTLB_WALK, "dtlb_cycles.walk", BOTH, dtlb_cycles[TLB_WALK], "cycles", "40", 0, MAX_LATENCY, "added to an access whose page needs a page walk")
CORE_NUMBER(CORE_FORWARD, "forward_cycles", BOTH, forward_cycles, "cycles", "4", 1, MAX_LATENCY, "from the issue of a load to its data, where an older store has them")
CORE_NUMBER(CORE_DATA_L2, "data_cycles.l2", BOTH, data_cycles[LEVEL_L2], "cycles", "12", 1, MAX_LATENCY, "from a miss of L1D to a line in L2")
CORE_NUMBER(CORE_DATA_LLC, "data_cycles.llc", BOTH, data_cycles[LEVEL_LLC], "cycles", "40", 1, MAX_LATENCY, "from a miss of L1D to a line in the LLC")
CORE_NUMBER(CORE_DATA_MEMORY, "data_cycles.memory", BOTH, data_cycles[LEVEL_MEMORY], "cycles", "200", 1, MAX_LATENCY, "from a miss of L1D to a line in memory, without row and bus")
CORE_NUMBER(CORE_ROW_HIT, "row_cycles.hit", BOTH, row_cycles[ROW_HIT], "cycles", "0", 0, MAX_LATENCY, "added to an access to memory whose DRAM row is open")
CORE_NUMBER(CORE_ROW_CLOSED, "row_cycles.closed", BOTH, row_cycles[ROW_CLOSED], "cycles", "0", 0, MAX_LATENCY, "added to an access to memory if no row of its bank is open")
CORE_NUMBER(CORE_ROW_CONFLICT, "row_cycles.conflict", BOTH, row_cycles[ROW_CONFLICT], "cycles", "0", 0, MAX_LATENCY, "added to an access to memory if another row of its bank is open")
CORE_NUMBER(CORE_LINE, "line_cycles", BOTH, line_cycles, "cycles", "0", 0, MAX_LATENCY, "time for which a line from memory occupies the bus; 0: there is no bus")
CORE_NUMBER(CORE_MSHRS, "mshrs", BOTH, mshrs, "", "16", 1, MAX_MSHRS, "misses of L1D under way at once")
