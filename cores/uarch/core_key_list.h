/* Keys of configs/cores. Those with another value than a number of cycles or entries: CORE_KEY(symbol, path, kinds,
 * unit, default as written, min, max, help). The others: CORE_NUMBER(symbol, path, of which cores, member of struct
 * core_timing, unit, default as written, min, max, help). All times are cycles of the core. To add one: a row here, the
 * member, the rule that uses it in the timing models and in the second model that checks them, and docs/cores.md.
 *
 * To add a core:
 *   1. A file in configs/cores. A comment names the source of each value, or calls it a choice of ours.
 *   2. Its row in `sahm core list`: `sh tests/tools/golden.sh --update build/release tests/golden/core.t`, and read the
 *      difference.
 *   3. The values of its source in tests/unit/cores/uarch/test_core_model.c. */
CORE_KEY(CORE_NAME, "name", CFG_STRING, "", "", 0, 0, "what results call it; required")
CORE_KEY(CORE_SOURCE, "source", CFG_STRING, "", "", 0, 0, "where the values are from; required")
CORE_KEY(CORE_KIND, "kind", CFG_STRING, "", "", 0, 0, "out-of-order or in-order; required")
CORE_KEY(
	CORE_EVENTS, "events", CFG_STRING, "", "", 0, 0,
	"whose events and counters it has: rocket, boom or u74; by default rocket for in-order cores, boom for others; changes no cycle")
CORE_KEY(CORE_CPU, "cpu", CFG_STRING, "", "", 0, 0,
	 "a name in configs/cpus: l1i, l1d, l2 and predictor are that processor's, but for what is given here")
CORE_KEY(
	CORE_L1I_PREFETCHER, "l1i.prefetcher", CFG_ARRAY | CFG_STRING, "", "none", 0, 0,
	"prefetcher of the cache, or a list of two, which request in this order: none, next-line, stride, best-offset, stream or entangling")
CORE_KEY(CORE_L1I_DEGREE, "l1i.degree", CFG_ARRAY | CFG_INT, "lines", "1", 1, MAX_PREFETCH_DEGREE,
	 "lines that the prefetcher requests at once; of two, a number for both or a list")
CORE_KEY(CORE_L1I_ENTRIES, "l1i.entries", CFG_INT, "", "3072", ENTANGLING_WAYS, MAX_ENTANGLING_ENTRIES,
	 "entries of the table of an entangling prefetcher: a multiple of 16")
CORE_KEY(
	CORE_L1D_PREFETCHER, "l1d.prefetcher", CFG_ARRAY | CFG_STRING, "", "none", 0, 0,
	"prefetcher of the cache, or a list of two, which request in this order: none, next-line, stride, best-offset, stream or berti")
CORE_KEY(CORE_L1D_DEGREE, "l1d.degree", CFG_ARRAY | CFG_INT, "lines", "1", 1, MAX_PREFETCH_DEGREE,
	 "lines that the prefetcher requests at once; of two, a number for both or a list")
CORE_KEY(
	CORE_L2_PREFETCHER, "l2.prefetcher", CFG_ARRAY | CFG_STRING, "", "none", 0, 0,
	"prefetcher of the cache, or a list of two, which request in this order: none, next-line, stride, best-offset or stream")
CORE_KEY(CORE_L2_DEGREE, "l2.degree", CFG_ARRAY | CFG_INT, "lines", "1", 1, MAX_PREFETCH_DEGREE,
	 "lines that the prefetcher requests at once; of two, a number for both or a list")
CORE_KEY(CORE_LLC, "llc", CFG_GROUP, "", "", 0, 0, "the last-level cache; if it is left out, L2 is the last one")
CORE_KEY(CORE_LLC_SIZE, "llc.size_kib", CFG_INT, "KiB", "", 1, MAX_CACHE_BYTES / 1024,
	 "capacity of the cache; required")
CORE_KEY(CORE_LLC_WAYS, "llc.ways", CFG_INT, "", "", 1, MAX_CACHE_WAYS, "lines in a set; required")
CORE_KEY(CORE_LLC_LINE, "llc.line_bytes", CFG_INT, "bytes", "", MIN_LINE_BYTES, MAX_LINE_BYTES,
	 "bytes of a line; required")
CORE_KEY(CORE_LLC_REPLACEMENT, "llc.replacement", CFG_STRING, "", "lru", 0, 0,
	 "which line of a full set leaves: lru, plru, random, rrip or pdp")
CORE_KEY(
	CORE_LLC_PREFETCHER, "llc.prefetcher", CFG_ARRAY | CFG_STRING, "", "none", 0, 0,
	"prefetcher of the cache, or a list of two, which request in this order: none, next-line, stride, best-offset or stream")
CORE_KEY(CORE_LLC_DEGREE, "llc.degree", CFG_ARRAY | CFG_INT, "lines", "1", 1, MAX_PREFETCH_DEGREE,
	 "lines that the prefetcher requests at once; of two, a number for both or a list")
CORE_KEY(CORE_CLOCK_CPI, "clock_cpi", CFG_INT, "", "1000", 1, MAX_CLOCK_CPI,
	 "thousandths of a cycle that an instruction takes for prefetchers that need time: entangling and berti")
CORE_KEY(CORE_SEED, "seed", CFG_INT, "", "1", 1, INT32_MAX, "seed of random replacement in the caches")
CORE_KEY(CORE_ITLB, "itlb", CFG_GROUP, "", "", 0, 0, "the first-level TLB of instructions; pages of 4 KiB")
CORE_KEY(CORE_ITLB_ENTRIES, "itlb.entries", CFG_INT, "", "64", 1, MAX_TABLE_ENTRIES,
	 "entries of the TLB: ways times a power of two")
CORE_KEY(CORE_ITLB_WAYS, "itlb.ways", CFG_INT, "", "4", 1, MAX_CACHE_WAYS, "entries in a set")
CORE_KEY(CORE_DTLB, "dtlb", CFG_GROUP, "", "", 0, 0, "the first-level TLB of data")
CORE_KEY(CORE_DTLB_ENTRIES, "dtlb.entries", CFG_INT, "", "64", 1, MAX_TABLE_ENTRIES,
	 "entries of the TLB: ways times a power of two")
CORE_KEY(CORE_DTLB_WAYS, "dtlb.ways", CFG_INT, "", "4", 1, MAX_CACHE_WAYS, "entries in a set")
CORE_KEY(CORE_SECOND_TLB, "second_tlb", CFG_GROUP, "", "", 0, 0, "the second-level TLB, of instructions and data")
CORE_KEY(CORE_SECOND_TLB_ENTRIES, "second_tlb.entries", CFG_INT, "", "0", 0, MAX_TABLE_ENTRIES,
	 "entries of the TLB: ways times a power of two; 0: there is none")
CORE_KEY(CORE_SECOND_TLB_WAYS, "second_tlb.ways", CFG_INT, "", "1", 1, MAX_CACHE_WAYS, "entries in a set")
CORE_KEY(CORE_BTB, "btb", CFG_GROUP, "", "", 0, 0, "the branch target buffer")
CORE_KEY(CORE_BTB_ENTRIES, "btb.entries", CFG_INT, "", "0", 0, MAX_TABLE_ENTRIES,
	 "entries of the BTB: ways times a power of two; 0: every target is known")
CORE_KEY(CORE_BTB_WAYS, "btb.ways", CFG_INT, "", "1", 1, MAX_CACHE_WAYS, "entries in a set")
CORE_KEY(CORE_DRAM, "dram", CFG_GROUP, "", "", 0, 0, "memory, whose rows stay open")
CORE_KEY(CORE_DRAM_BANKS, "dram.banks", CFG_INT, "", "16", 1, MAX_DRAM_BANKS, "banks of all ranks: a power of two")
CORE_KEY(CORE_DRAM_ROW, "dram.row_bytes", CFG_INT, "bytes", "8192", 64, MAX_ROW_BYTES, "size of a row: a power of two")
CORE_KEY(CORE_ICACHE_CYCLES, "icache_cycles", CFG_GROUP, "", "", 0, 0,
	 "latencies of fetch, by the cache that has the line")
CORE_KEY(CORE_ITLB_CYCLES, "itlb_cycles", CFG_GROUP, "", "", 0, 0, "latencies of fetch, by the TLB that has the page")
CORE_KEY(CORE_DTLB_CYCLES, "dtlb_cycles", CFG_GROUP, "", "", 0, 0,
	 "latencies of loads and stores, by the TLB that has the page")
CORE_KEY(CORE_DATA_CYCLES, "data_cycles", CFG_GROUP, "", "", 0, 0,
	 "latencies of L1D misses, by the cache that has the line")
CORE_KEY(CORE_ROW_CYCLES, "row_cycles", CFG_GROUP, "", "", 0, 0, "latencies of memory, by the state of the DRAM row")
CORE_KEY(
	CORE_ORDER, "memory_order", CFG_STRING, "", "perfect", 0, 0,
	"which stores a load waits for: perfect (the one that it reads), conservative (all), speculative (none, unless it has violated the order before); out-of-order cores")
CORE_KEY(CORE_STORE_FILL, "store_fill", CFG_STRING, "", "commit", 0, 0,
	 "when a store that misses requests its line: execute or commit")
CORE_KEY(CORE_FENCE, "fence_flushes", CFG_BOOL, "", "false", 0, 0, "fences serialise as system instructions do")
CORE_KEY(CORE_BLOCKING, "blocking", CFG_BOOL, "", "false", 0, 0,
	 "nothing issues until a miss is filled; in-order cores")
CORE_KEY(CORE_QUEUES, "queues", CFG_LIST, "", "", 0, 0, "issue queues; required, out-of-order cores")
CORE_KEY(CORE_QUEUE, "queues[]", CFG_GROUP, "", "", 0, 0, "one of the issue queues")
CORE_KEY(CORE_QUEUE_NAME, "queues[].name", CFG_STRING, "", "", 0, 0, "name of the queue; required")
CORE_KEY(CORE_QUEUE_ENTRIES, "queues[].entries", CFG_INT, "", "16", 1, MAX_QUEUE_ENTRIES, "uops that it holds")
CORE_KEY(CORE_QUEUE_ISSUE, "queues[].issue", CFG_INT, "", "1", 1, MAX_WIDTH, "uops that leave it in a cycle")
CORE_KEY(CORE_GROUPS, "units", CFG_LIST, "", "", 0, 0, "groups of equal units; required")
CORE_KEY(CORE_GROUP, "units[]", CFG_GROUP, "", "", 0, 0, "one of them")
CORE_KEY(CORE_GROUP_NAME, "units[].name", CFG_STRING, "", "", 0, 0, "name of the group; required")
CORE_KEY(CORE_GROUP_UNITS, "units[].units", CFG_INT, "", "1", 1, MAX_WIDTH, "units of the group")
CORE_KEY(CORE_GROUP_PIPELINED, "units[].pipelined", CFG_BOOL, "", "true", 0, 0,
	 "a unit takes a uop every cycle; else one at a time, for its latency")
CORE_KEY(CORE_GROUP_QUEUE, "units[].queue", CFG_STRING, "", "", 0, 0,
	 "the issue queue of its uops; required, out-of-order cores")
CORE_KEY(CORE_GROUP_CLASSES, "units[].classes", CFG_ARRAY | CFG_LIST, "", "", 0, 0,
	 "classes of uops that it executes, as sahm stream info calls them; one in no group is with integer")
CORE_KEY(CORE_GROUP_CLASS, "units[].classes[]", CFG_STRING, "", "", 0, 0, "one of them")
CORE_KEY(CORE_IDEAL, "ideal", CFG_ARRAY | CFG_LIST | CFG_STRING, "", "", 0, 0,
	 "parts of the core that cost nothing, whatever else the file says of them")
CORE_KEY(CORE_IDEAL_PART, "ideal[]", CFG_STRING, "", "", 0, 0,
	 "fetch, branch, l1d, l2, llc, tlb, units, queues or widths")
CORE_KEY(
	CORE_LATENCY, "latency", CFG_GROUP, "", "", 0, 0,
	"cycles from issue to result, by class of uop; of load and store: for which a unit that is not pipelined is busy")
CORE_NUMBER(CORE_FETCH_WIDTH, "fetch_width", BOTH, fetch_width, "", "4", 1, MAX_WIDTH,
	    "instructions fetched in a cycle, up to the first taken branch")
CORE_NUMBER(CORE_FETCH_BUFFER, "fetch_buffer", BOTH, fetch_buffer, "", "16", 1, MAX_FETCH_BUFFER,
	    "instructions fetched ahead of dispatch")
CORE_NUMBER(CORE_ICACHE_L1, "icache_cycles.l1", BOTH, icache_cycles[LEVEL_L1], "cycles", "0", 0, MAX_LATENCY,
	    "added to the fetch of a new line that is in L1I")
CORE_NUMBER(CORE_ICACHE_L2, "icache_cycles.l2", BOTH, icache_cycles[LEVEL_L2], "cycles", "12", 0, MAX_LATENCY,
	    "added to the fetch of a new line that is in L2")
CORE_NUMBER(CORE_ICACHE_LLC, "icache_cycles.llc", BOTH, icache_cycles[LEVEL_LLC], "cycles", "40", 0, MAX_LATENCY,
	    "added to the fetch of a new line that is in the LLC")
CORE_NUMBER(CORE_ICACHE_MEMORY, "icache_cycles.memory", BOTH, icache_cycles[LEVEL_MEMORY], "cycles", "200", 0,
	    MAX_LATENCY, "added to the fetch of a new line from memory")
CORE_NUMBER(CORE_ITLB_HIT, "itlb_cycles.hit", BOTH, itlb_cycles[TLB_HIT], "cycles", "0", 0, MAX_LATENCY,
	    "added to the fetch of a new line whose page is in the ITLB")
CORE_NUMBER(CORE_ITLB_SECOND, "itlb_cycles.second", BOTH, itlb_cycles[TLB_SECOND], "cycles", "8", 0, MAX_LATENCY,
	    "added to the fetch of a new line whose page is in the second-level TLB")
CORE_NUMBER(CORE_ITLB_WALK, "itlb_cycles.walk", BOTH, itlb_cycles[TLB_WALK], "cycles", "40", 0, MAX_LATENCY,
	    "added to the fetch of a new line whose page needs a page walk")
CORE_NUMBER(CORE_BTB_MISS, "btb_miss_cycles", BOTH, btb_miss_cycles, "cycles", "2", 0, MAX_LATENCY,
	    "fetch lost after a taken branch that was predicted right but is not in the BTB")
CORE_NUMBER(CORE_DECODE, "decode_cycles", BOTH, decode_cycles, "cycles", "3", 0, MAX_LATENCY,
	    "from fetch to dispatch (in-order: to the issue stage)")
CORE_NUMBER(CORE_MISPREDICT, "mispredict_cycles", BOTH, mispredict_cycles, "cycles", "3", 0, MAX_LATENCY,
	    "from the result of a mispredicted branch to the fetch after it")
CORE_NUMBER(CORE_FLUSH, "flush_cycles", BOTH, flush_cycles, "cycles", "5", 0, MAX_LATENCY,
	    "from a violation of memory order, or the commit of a system instruction, to the fetch after it")
CORE_NUMBER(CORE_DISPATCH_WIDTH, "dispatch_width", OUT_OF_ORDER, dispatch_width, "", "4", 1, MAX_WIDTH,
	    "uops dispatched in a cycle")
CORE_NUMBER(CORE_DISPATCH, "dispatch_cycles", OUT_OF_ORDER, dispatch_cycles, "cycles", "1", 0, MAX_LATENCY,
	    "from dispatch to the first cycle in which a uop can issue")
CORE_NUMBER(CORE_ROB, "rob", OUT_OF_ORDER, rob, "entries", "128", 1, MAX_ROB, "entries of the ROB")
CORE_NUMBER(CORE_INT_REGISTERS, "int_registers", OUT_OF_ORDER, int_registers, "", "0", 0,
	    ARCHITECTURAL_REGISTERS + MAX_RENAME_REGISTERS, "physical integer registers, above 32; 0: no limit")
CORE_NUMBER(CORE_FP_REGISTERS, "fp_registers", OUT_OF_ORDER, fp_registers, "", "0", 0,
	    ARCHITECTURAL_REGISTERS + MAX_RENAME_REGISTERS,
	    "physical floating-point and vector registers, above 32; 0: no limit")
CORE_NUMBER(CORE_LOAD_QUEUE, "load_queue", OUT_OF_ORDER, load_queue, "entries", "32", 1, MAX_QUEUE_ENTRIES,
	    "entries of the load queue")
CORE_NUMBER(CORE_COMMIT, "commit_cycles", OUT_OF_ORDER, commit_cycles, "cycles", "1", 0, MAX_LATENCY,
	    "from a result to the first cycle in which the uop can commit")
CORE_NUMBER(CORE_ISSUE_WIDTH, "issue_width", IN_ORDER, issue_width, "", "1", 1, MAX_WIDTH, "uops issued in a cycle")
CORE_NUMBER(CORE_SAME_CYCLE_MEMORY, "same_cycle_memory", IN_ORDER, same_cycle_memory, "", "1", 1, MAX_WIDTH,
	    "loads and stores issued in a cycle, of issue_width uops")
CORE_NUMBER(CORE_RESOLVE, "resolve_cycles", IN_ORDER, resolve_cycles, "cycles", "1", 0, MAX_LATENCY,
	    "from the issue of a branch to its result")
CORE_NUMBER(CORE_STORE_QUEUE, "store_queue", BOTH, store_queue, "entries", "32", 1, MAX_QUEUE_ENTRIES,
	    "entries of the store queue (in-order: of the store buffer)")
CORE_NUMBER(CORE_COMMIT_WIDTH, "commit_width", BOTH, commit_width, "", "4", 1, MAX_WIDTH, "uops committed in a cycle")
CORE_NUMBER(CORE_DRAIN_WIDTH, "drain_width", BOTH, drain_width, "", "1", 1, MAX_WIDTH,
	    "stores written to L1D in a cycle")
CORE_NUMBER(CORE_L1D, "l1d_cycles", BOTH, l1d_cycles, "cycles", "4", 1, MAX_LATENCY,
	    "from the issue of a load to its data in L1D, or to the miss")
CORE_NUMBER(CORE_DTLB_HIT, "dtlb_cycles.hit", BOTH, dtlb_cycles[TLB_HIT], "cycles", "0", 0, MAX_LATENCY,
	    "added to an access whose page is in the DTLB")
CORE_NUMBER(CORE_DTLB_SECOND, "dtlb_cycles.second", BOTH, dtlb_cycles[TLB_SECOND], "cycles", "8", 0, MAX_LATENCY,
	    "added to an access whose page is in the second-level TLB")
CORE_NUMBER(CORE_DTLB_WALK, "dtlb_cycles.walk", BOTH, dtlb_cycles[TLB_WALK], "cycles", "40", 0, MAX_LATENCY,
	    "added to an access whose page needs a page walk")
CORE_NUMBER(CORE_FORWARD, "forward_cycles", BOTH, forward_cycles, "cycles", "4", 1, MAX_LATENCY,
	    "from the issue of a load to its data, where an older store has them")
CORE_NUMBER(CORE_DATA_L2, "data_cycles.l2", BOTH, data_cycles[LEVEL_L2], "cycles", "12", 1, MAX_LATENCY,
	    "from a miss of L1D to a line in L2")
CORE_NUMBER(CORE_DATA_LLC, "data_cycles.llc", BOTH, data_cycles[LEVEL_LLC], "cycles", "40", 1, MAX_LATENCY,
	    "from a miss of L1D to a line in the LLC")
CORE_NUMBER(CORE_DATA_MEMORY, "data_cycles.memory", BOTH, data_cycles[LEVEL_MEMORY], "cycles", "200", 1, MAX_LATENCY,
	    "from a miss of L1D to a line in memory, without row and bus")
CORE_NUMBER(CORE_ROW_HIT, "row_cycles.hit", BOTH, row_cycles[ROW_HIT], "cycles", "0", 0, MAX_LATENCY,
	    "added to an access to memory whose DRAM row is open")
CORE_NUMBER(CORE_ROW_CLOSED, "row_cycles.closed", BOTH, row_cycles[ROW_CLOSED], "cycles", "0", 0, MAX_LATENCY,
	    "added to an access to memory if no row of its bank is open")
CORE_NUMBER(CORE_ROW_CONFLICT, "row_cycles.conflict", BOTH, row_cycles[ROW_CONFLICT], "cycles", "0", 0, MAX_LATENCY,
	    "added to an access to memory if another row of its bank is open")
CORE_NUMBER(CORE_LINE, "line_cycles", BOTH, line_cycles, "cycles", "0", 0, MAX_LATENCY,
	    "time for which a line from memory occupies the bus; 0: there is no bus")
CORE_NUMBER(CORE_MSHRS, "mshrs", BOTH, mshrs, "", "16", 1, MAX_MSHRS, "misses of L1D under way at once")
